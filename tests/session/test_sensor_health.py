"""Sensors that fail while people play: found from what makes no sense, and played around."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise, product
from random import Random
from typing import Any

import pytest

from engine.games import make
from engine.match import Match
from engine.reading.footprints import Sight
from firmware_host.session.events import Choose, Dice, Event, Frame, Tick
from firmware_host.session.session import Session
from tests.support.random_games import play_random
from tests.support.recorded import Recorded
from tests.support.sampling import all_but
from tests.support.session_parts import fail, reader_of, wrong

SENSINGS = ("presence", "polarity")


def _hands_at(board: Any, failing: str, reads: int, acts: str) -> None:
    """Let hands do `acts`, while the sensor of `failing` reads the same all the time."""
    act = board._act

    def stuck(place: str, sign: str) -> None:
        if place == failing:
            board.pieces[place] = board.pieces.get(place, 0) + (-1 if sign == "-" else 1)
        else:
            act(place, sign)

    board.readings[failing] = reads
    board._act = stuck
    try:
        board.hands(acts)
    finally:
        board._act = act


# ---- stuck


@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_sensor_is_named_that_reads_on_though_its_piece_is_seen_elsewhere(
    timeline: Any, sensing: str
) -> None:
    board = timeline("shogi", sensing)
    _hands_at(board, "9g", 1, "1 9g- 9f+")
    board.rest(3)
    assert board.moves == []
    assert board.session.view.repair.guiding  # a piece from nowhere proves nothing yet
    assert board.session.view.failing == frozenset()
    board.choose("9g9f").rest(1)
    assert board.moves == ["9g9f"]
    assert board.last("fault") == {"fault": "9g: the sensor is stuck; playing on without it"}
    assert board.session.view.masked == {"9g"}
    assert not board.session.view.repair.guiding
    _hands_at(board, "9g", 1, "3c- 3d+")
    board.rest(4)
    assert board.moves == ["9g9f", "3c3d"]
    _hands_at(board, "9g", 1, "1 9i- 9g+")  # what comes there is inferred, as soon as it is sure
    board.rest(3)
    assert board.moves == ["9g9f", "3c3d"]
    _hands_at(board, "9g", 1, "3d- 3e+")
    board.rest(3)
    assert board.moves == ["9g9f", "3c3d", "9i9g", "3d3e"]


@pytest.mark.parametrize("sensing", SENSINGS)
def test_where_two_sensors_may_be_stuck_none_is_said_to_be(timeline: Any, sensing: str) -> None:
    board = timeline(sensing=sensing)
    stuck = board.readings["C4"]
    _hands_at(board, "C4", stuck, "1 C4- C3+")  # from C4; it may have come from B4, too
    _hands_at(board, "C4", stuck, "1.5 A1- A2+")
    board.rest(6)
    assert board.moves == []
    assert board.session.view.repair.guiding
    assert board.session.view.masked == frozenset()
    assert "fault" not in board.events


# ---- what people say against what sensors show


def test_a_sensor_is_believed_again_from_when_all_pieces_stand_right(timeline: Any) -> None:
    board = timeline()
    board.hands("4 C4-").rest(1).choose("C4C3").rest(35)
    assert (board.moves, board.session.view.masked) == (["C4C3"], frozenset())
    assert board.session.view.repair.may_confirm  # the piece may be in a hand
    board.press("yes")
    assert (board.moves, board.session.view.masked) == (["C4C3"], {"C3"})
    board.pieces["C3"] = 1
    board.hands("A1- .1 C3- .1 C3+ .3 A2+").rest(0.2)  # the sensor lets go for a moment
    assert (board.moves, board.session.view.masked) == (["C4C3", "A1A2"], {"C3"})
    board.rest(1)
    assert (board.moves, board.session.view.masked) == (["C4C3", "A1A2"], frozenset())


def test_nothing_is_taken_back_where_nobody_was_lifted(timeline: Any) -> None:
    board = timeline().hands("1 B3- .3 B2- .3 B2+ .3 hand.A.C+ 1 B1- .3 B2- .3 B2+ .3 hand.B.C+")
    board.hands("1 C4- C3+ 1 B2- B3+ 1 C3- C4+ 1").rest(1)
    fail(board.session, {"C3"})
    board.hands("B3- B2+ 1 hand.A.C- .5 B3+").rest(2)
    assert board.moves[2:] == ["C4C3", "B2B3", "C3C4", "B3B2", "C*B3"]
    _hands_at(board, "C3", 0, "1 B2- C3+")  # it came from B3, but another piece stands there now
    board.rest(3)
    assert board.moves[2:] == ["C4C3", "B2B3", "C3C4", "B3B2", "C*B3"]
    assert "takeback" not in board.events


# ---- what may as well be something else


def test_a_capture_that_no_sensor_saw_is_read_if_its_tray_tells(timeline: Any) -> None:
    board = timeline()
    board.hands("1 B4- C3+ 1.5 B1- A2+").rest(1)
    board.pieces["B2"], board.pieces["C3"] = 1, 1
    board.hands("1 C3- 1 hand.A.C+ 1 A2- .5 A3+").rest(3)
    assert board.moves == ["B4C3", "B1A2", "C3B2", "A2A3"]
    assert "fault" not in board.events


def test_a_piece_from_where_no_sensor_is_does_not_go_back_there_unasked(timeline: Any) -> None:
    board = timeline(unsensed=("hand",))
    board.hands("1 B2- B3- B2+ 1.5 B1- A2+ 1.5 B2- B1+").rest(1).choose("B2B1").rest(1)
    blind = frozenset({"A2", "B2", "C2", "A3", "B3", "C3"})

    def see(place: str, reading: int, then: float = 2.5) -> None:
        board.readings[place] = reading
        seen = {p: v for p, v in board.readings.items() if v and p not in blind}
        board.feed(Frame(board.now, seen, blind))
        board.rest(then)

    see("B1", 0, 0.5)
    see("B1", 1, 5.0)  # from a row that nobody sees
    assert board.moves == ["B3B2", "B1A2", "B2B1", "A2B1"]
    see("B4", 0)  # to it
    see("B1", 0)  # and so goes the other, who was not taken back
    board.rest(5)
    assert board.moves[:4] == ["B3B2", "B1A2", "B2B1", "A2B1"]


# ---- captures that no look saw


def test_a_capture_that_nobody_saw_blames_no_sensor_though_many_might_have_hidden_it(
    timeline: Any,
) -> None:
    pieces = "wB,1,wP,1,nE,3/wH,wP,sB,nK,nP,nP,nP,nP/wE,1,wP,2,nB,1,nH/1,wP,6/3,eH,2,eP,1/"
    pieces += "5,eB,eP,eK/1,sP,sP,sP,2,eP,eE/sE,wK,1,sK,2,eP,1 N 5 0,4,0,0 - quiet=8"
    board = (
        timeline("chaturaji", sensing="polarity", position=pieces).hands("1 d7-").rest(3).throw(4)
    )
    board.hands("0.6 h2- 0.6 h1/ 0.17 e7- 0.11 e7+").rest(0.8).throw(2).rest(4)
    assert board.session.view.masked == frozenset()
    assert "fault" not in board.events
    assert board.moves[:2] == ["d7c7", "h2h1"]


# ---- chips that are gone


def test_a_player_who_names_a_move_that_no_sensor_shows_whole_is_believed(timeline: Any) -> None:
    board = timeline()
    blind = frozenset({"C3", "C2"})

    def frame(**readings: int) -> None:
        board.readings |= readings
        seen = {p: v for p, v in board.readings.items() if v and p not in blind}
        board.feed(Frame(board.now, seen, blind))

    board.now = 1.0
    frame()
    board.now = 2.0
    frame(C4=0)
    board.rest(3)
    assert board.moves == []  # the piece may be in the hand
    board.choose("B4C3").rest(1)
    assert board.moves == []  # B4 has not moved
    board.choose("C4C3").rest(6)
    assert board.moves == ["C4C3"]


def _see(board: Any, blind: frozenset[str], **readings: int) -> None:
    """Let all sensors be read but `blind` ones."""
    board.readings |= readings
    seen = {place: value for place, value in board.readings.items() if value and place not in blind}
    board.feed(Frame(board.now, seen, blind))


@pytest.mark.parametrize("comes_back", [True, False])
def test_a_hand_may_go_on_elsewhere_when_a_chip_has_gone(timeline: Any, comes_back: bool) -> None:
    board = timeline().hands("1 B4- .3 A3+").rest(0.5)
    assert board.moves == ["B4A3"]
    blind = frozenset({"A1", "B1", "C1"})
    _see(board, blind)
    board.rest(0.2)
    blind = frozenset() if comes_back else blind
    _see(board, blind, A3=0)
    board.rest(0.3)
    _see(board, blind, C3=1)
    board.rest(2)
    assert board.moves == ["B4C3"]


def test_what_a_chip_told_of_a_move_before_it_went_is_not_forgotten(timeline: Any) -> None:
    board = timeline().hands("1 B4- .4 C3+ .7 C3- .3 A3+").rest(1)
    assert board.moves == ["B4A3"]
    _see(board, frozenset({"A3", "B3", "C3", "A2", "B2", "C2"}))
    board.rest(5)
    assert board.moves == ["B4A3"]


@pytest.mark.parametrize("stood", [0.03, 0.1, 0.4])
def test_a_piece_that_stood_just_before_all_chips_went_was_put_there(
    timeline: Any, stood: float
) -> None:
    board = timeline().hands("1 B4- .3 A3+").rest(stood)
    _see(board, board.sight.places)
    board.rest(0.1)
    _see(board, frozenset())
    board.rest(2)
    assert board.moves == ["B4A3"]


def test_a_stock_may_have_been_touched_while_its_chip_was_gone(timeline: Any) -> None:
    position = "..bb.bWw..w......RBb.ww./1w2b:1w1b 8w6b l"
    board = timeline("robotory", position=position).rest(2)
    _see(board, frozenset(board.sight.trays))
    board.rest(1.5)
    _see(board, frozenset(board.sight.trays), a1=1)
    board.rest(0.07)
    _see(board, frozenset(), **{"stock.light.w": 0})  # the black ones show nothing: two lay there
    board.rest(3)
    assert board.moves == ["P w a1"]
    assert reader_of(board.session).likeliest[1] == 0.0  # nothing is left unexplained by that


# ---- whole games


def _fail(recorded: Recorded, kind: str, rng: Random) -> tuple[list[Event], str]:
    """Return what happens in a game while one sensor fails from some time on, and which."""
    frames: list[tuple[float, dict[str, int]]] = []
    said: list[Event] = []
    readings: dict[str, int] = {}
    for line in recorded.lines:
        if "places" in line:
            readings = {p: v for p, v in (readings | line["places"]).items() if v}
            frames.append((line["t"], readings))
        elif "dice" in line:
            said.append(Dice(line["t"], tuple(line["dice"])))
        elif "choose" in line:
            said.append(Choose(line["t"], line["choose"]))
    end = frames[-1][0]
    since = rng.uniform(0.0, 0.5) * end if rng.random() < 0.5 else 0.0
    later = [now for at, now in frames if at >= since]
    cells = frozenset(make(recorded.header["game"]).cells())
    moved = sorted({p for a, b in pairwise(later) for p in a.keys() ^ b.keys()})
    place = rng.choice([p for p in moved if p in cells])
    known = next((now[place] for at, now in frames if at <= since and place in now), 1)
    blind = frozenset({place}) if kind == "blind" else frozenset()
    events: list[Event] = list(said)
    if kind == "flickers":
        at = since
        while at < end:
            at += rng.uniform(0.004, 0.06)
            frames.append((at, {}))
        frames.sort(key=lambda frame: frame[0])
    now: dict[str, int] = {}
    for number, (at, real) in enumerate(frames):
        now = real or now
        seen = dict(now)
        if at >= since:
            seen.pop(place, None)
            if kind == "sticks on" or (kind == "flickers" and number % 2):
                seen[place] = known
        events.append(Frame(at, seen, blind if at >= since else frozenset()))
    events.sort(key=lambda event: event.at)
    return [*events, Tick(end + 60.0)], place


def _games(name: str, sensing: str, kind: str) -> Iterator[tuple[list[str], Session, str]]:
    game = make(name)
    for seed in range(4):
        rng = Random(f"{name} {sensing} {kind} {seed}")
        recorded = play_random(game, rng, sensing, ("careful",), plies=8)
        session = Session(game, Sight(game, sensing), [Match.begin(game)])
        events, place = _fail(recorded, kind, rng)
        for event in events:
            session.handle(event)
        yield recorded.moves, session, place


def _told(moves: list[str], read: list[tuple[str, ...]]) -> set[int]:
    """Return of how many moves a record may tell, where an entry that may be nothing may be left
    out; none if there is something in it that was not played.
    """
    told = {0}
    for texts in read:
        told = {n + 1 for n in told if n < len(moves) and moves[n] in texts} | (
            told if "" in texts else set()
        )
    return told


KINDS: dict[str, Callable[[int], bool]] = {
    "sticks on": lambda right: right >= 1,
    "sticks off": lambda right: right >= 1,
    "flickers": lambda right: right >= 3,
    "blind": lambda right: right >= 3,
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("name", "sensing"),
    all_but(
        [*product(("shogi", "chaturaji"), SENSINGS)],
        [("shogi", "polarity"), ("chaturaji", "presence")],
    ),
)
def test_games_with_a_sensor_that_fails(name: str, sensing: str, kind: str) -> None:
    right = 0
    for moves, session, place in _games(name, sensing, kind):
        read = [entry.texts for entry in session.record if entry.kind == "move"]
        told = _told(moves, read)
        assert told, f"{place} {kind}: {moves} {read}"
        right += len(moves) in told
    assert KINDS[kind](right), f"{right} of 4 games were read to the end"


UNNOTICED = pytest.mark.xfail(reason="read wrongly, and nobody is asked", strict=True)
GAMES = [
    *((name, seed) for name in ("shogi", "chaturaji", "abalone") for seed in range(1, 5)),
    *(
        pytest.param(name, seed, marks=pytest.mark.deep)
        for name in ("shogi", "chaturaji", "abalone")
        for seed in range(5, 11)
    ),
    pytest.param("abalone", 19, marks=UNNOTICED),
    ("chaturaji", 23),
]


@pytest.mark.parametrize(("name", "seed"), GAMES)
def test_a_game_with_a_failing_sensor_is_read_asked_about_or_stopped(name: str, seed: int) -> None:
    chosen = Random(f"{name} {seed}")
    sensing, kind = chosen.choice(SENSINGS), chosen.choice([*KINDS])
    game, rng = make(name), Random(seed)
    recorded = play_random(game, rng, sensing, ("careful",), plies=8, answers=None)
    session = Session(game, Sight(game, sensing), [Match.begin(game)])
    events, place = _fail(recorded, kind, rng)
    for event in events:
        session.handle(event)
    read = [entry.texts for entry in session.record if entry.kind == "move"]
    amiss = session.view.repair.guiding and any(wrong(session))
    if amiss:  # people are told that pieces stand wrong by what is shown: that may still be revised
        read = read[: len(read) - session.view.provisional]
    told = _told(recorded.moves, read)
    assert told, (place, recorded.moves, read)
    if len(recorded.moves) not in told:
        assert session.view.question.open or amiss, (place, read)


def test_a_piece_put_on_the_board_from_beside_it_is_no_failing_sensor(timeline: Any) -> None:
    board = timeline("shogi")
    board.pieces["5e"] = 0
    board.hands("1 5e+ 4 []")
    assert board.session.view.masked == frozenset()
    assert wrong(board.session) == ((), ("5e",))
