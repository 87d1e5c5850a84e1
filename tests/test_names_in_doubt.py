"""People may name anything at any time, also while sensors are in doubt: nothing breaks by that."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from engine.game import CHANCE
from engine.games import make
from engine.match import Match
from engine.reading.footprints import Sight
from engine.reading.lines import Line
from engine.reading.naming import Naming
from engine.reading.reader import Reader
from engine.reading.verdict import Ambiguous
from firmware_host.hands.random_games import play_random
from firmware_host.hands.styles import STYLES
from firmware_host.sitting.diagnosis import Suspicion
from firmware_host.sitting.events import Choose, Dice, Event, Frame, Named, NewMatch, Press, Tick
from firmware_host.sitting.record import aligned
from firmware_host.sitting.session import Session
from firmware_host.telling.telling import status
from firmware_host.words import render

SENSINGS = ("presence", "polarity")
TRAYS = {"robot-duel": ("hand",), "shogi": ("hand",), "chaturaji": ()}
GAMES = {"robot-duel": 6, "shogi": 2, "chaturaji": 2}
QUICK = replace(STYLES["careful"], swap=1.0, swap_gap=(0.003, 0.02))
LOOK = 0.014  # seconds between two looks at the board: some captures are seen by none


def _said(session: Session, rng: Random, at: float, played: list[str]) -> Event:
    """Return what people may say: an answer, a move that may or did come, or nonsense."""
    say = Choose if rng.random() < 0.7 else Named
    asked = session.play.questions.open
    match = rng.choice([*session.play.reader.shown, *session.play.reader.heads]).match
    ways = ["played", "nonsense", "button"] + ["answer"] * 4 * bool(asked)
    match rng.choice([*ways, "legal", "new"] if rng.random() < 0.3 else ways):
        case "answer":
            return say(at, rng.choice(rng.choice(asked).candidates))
        case "legal" if match.turn != CHANCE and match.legal:
            return say(at, match.game.move_text(match.position, rng.choice(match.legal)))
        case "played":
            return say(at, rng.choice(played))
        case "button":
            return Press(at, rng.choice(["yes", "no", "back"]))
        case "new" if rng.random() < 0.2:
            return NewMatch(at)
    return say(at, rng.choice(["", "?", "--", "e2e4", "C4C3"]))


def _doubted(session: Session, rng: Random) -> None:
    """Let any sensors be in doubt, and what may have been played if they stick be asked."""
    play, onlooker = session.play, session._onlooker
    cells = sorted(session.sight.cells)
    usual = lines = list(play.reader.shown)
    places = rng.sample(cells, rng.randrange(1, 4))
    for _ in range(rng.randrange(4)):
        line = rng.choice(lines)
        if line.match.turn != CHANCE and line.match.legal:
            lines = [*lines, line.step(rng.choice(line.match.legal))]
    plays = frozenset({("?",)})
    found = [Suspicion(place, plays, lines=tuple(rng.sample(lines, 1))) for place in places]
    onlooker.doubts.ask_instead_of(Ambiguous(tuple(usual), late=False), found)
    onlooker._judge.ask_which(list(dict.fromkeys(lines)))


@pytest.mark.parametrize("sensing", SENSINGS)
@pytest.mark.parametrize("name", GAMES)
def test_whatever_people_name_while_sensors_are_in_doubt(name: str, sensing: str) -> None:
    game = make(name)
    for seed in range(GAMES[name]):
        rng = Random(f"{name} {sensing} {seed}")
        unsensed = TRAYS[name] if seed % 2 else ()
        recorded = play_random(
            game, rng, sensing, (QUICK,), 10, unsensed, answers=None, period=LOOK
        )
        session = Session(game, Sight(game, sensing, unsensed), [Match.begin(game)])
        readings: dict[str, int] = {}
        for line in recorded.lines:
            if "places" in line:
                readings = {p: v for p, v in (readings | line["places"]).items() if v}
                session.handle(Frame(line["t"], readings))
            elif "dice" in line:
                session.handle(Dice(line["t"], tuple(line["dice"])))
            if rng.random() < 0.05:
                _doubted(session, rng)
            while rng.random() < (0.6 if session.play.questions.open else 0.05):
                session.handle(_said(session, rng, line["t"], list(recorded.moves)))
        session.handle(Tick(session.now + 60.0))


def _begun() -> tuple[Reader, Line]:
    game = make("robot-duel")
    start = Line.of(Match.begin(game), Sight(game, "polarity"))
    reader = Reader(start)
    reader.levels = dict(start.expected)
    reader.begin([start])
    return reader, start


def _after(line: Line, *texts: str) -> Line:
    for text in texts:
        line = line.step(line.match.game.parse_move(line.match.position, text))
    return line


def test_who_answers_that_something_was_played_since_the_start_denies_no_move() -> None:
    reader, start = _begun()
    played = _after(start, "B3B2")
    reader.restart([start, played])
    Naming(reader).decide([None, played], "B3B2")  # nothing was played before the other line
    assert reader.shown == [played]


@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_record_does_not_change_with_the_sensors_that_are_believed(sensing: str) -> None:
    game = make("robot-duel")
    hidden = frozenset({"A1", "A2", "A3", "C3"})
    start = Line.of(Match.begin(game), Sight(game, sensing), hidden)
    reader = Reader(start)
    reader.begin([start])
    one, other = _after(start, "B4A3"), _after(start, "B4C3", "A1A2")  # which looks the same
    reader.show([one, other], 1.0)
    reader.show([_after(one, "A1A2"), _after(other, "C3C2")], 2.0)
    rows = [_texts(row) for row in aligned(reader.shown)]
    reader.remask(frozenset())
    assert [_texts(row) for row in aligned(reader.shown)] == rows


def test_a_record_is_in_step_again_where_all_lines_come_to_the_same_position() -> None:
    """Be it that they tell the same way of a robot in more moves, and are read all at once."""
    game = make("robotory")
    cells = {"d4": "w", "d5": "w", "a2": "w", "a3": "w", "b3": "W", "c4": "B", "d3": "R"}
    standing = "".join(cells.get(cell, ".") for cell in game.cells())
    start = Line.of(
        Match.begin(game, game.parse_position(f"{standing}/2w2b:2w2b 6w8b l")),
        Sight(game, "polarity"),
    )
    one = _after(start, "M R d3-d4-d5", "P w e1", "M W b3-a2-a3", "P b e2", "P b a1")
    other = _after(
        start, "M R d3-d4", "P w e1", "M R d4-d5", "M W b3-a2", "M W a2-a3", "P b e2", "P b a1"
    )
    assert [set(_texts(row)) for row in aligned([one, other])] == [
        {"M R d3-d4-d5", "M R d3-d4"},
        {"P w e1"},
        {"M W b3-a2-a3", "M R d4-d5"},
        {"", "M W b3-a2"},
        {"", "M W a2-a3"},
        {"P b e2"},
        {"P b a1"},
    ]


def test_names_of_what_stands_count_after_a_takeback_whichever_sensors_are_believed(
    timeline: Any,
) -> None:
    board = timeline().hands("1 C4- C3+").rest(1).choose("C4C3")
    board.hands("A1- A2+").rest(1).choose("A1A2").hands("A2- A1+").rest()
    assert board.moves == ["C4C3"]
    reader = board.session.play.reader

    def costs() -> set[float]:
        back = [each for each in reader.decoder.tracks if each.undone]
        return {reader.names.cost(each) for each in back if each.line in reader.shown}

    assert costs() == {0.0}
    reader.remask(frozenset())
    assert costs() == {0.0}


@pytest.mark.parametrize("sensing", SENSINGS)
def test_nothing_is_no_name(timeline: Any, sensing: str) -> None:
    board = timeline(sensing=sensing, position="1l1/2G/3/1L1 w GEECC 1").hands("1 B1- 0.17 B2+")
    board.hands("0.27 C2- 0.42 A2+ 0.2 A2-").rest(35)
    assert board.asked == [{"C2B2", ""}]
    board.choose("").rest(1)
    assert board.asked == [{"C2B2", ""}]


def _texts(row: Any) -> list[str]:
    return [step.match.text if step is not None else "" for step in row]


def test_who_names_a_move_that_fits_nowhere_is_told_so(timeline: Any) -> None:
    board = timeline().hands("1 C4- 0.4 C3+").rest(2).choose("B4A3").rest(2)
    assert board.session.unplaced == ""  # it may be but early
    board.rest(3.5)
    assert board.session.unplaced == "B4A3"
    said = " ".join(render(each) for each in status(board.session, 0).says)
    assert "B4A3 fits nowhere" in said
    board.hands("A1- 0.4 A2+").rest(1)
    assert board.session.unplaced == ""  # people go on
    assert board.moves == ["C4C3", "A1A2"]


def test_a_name_is_of_no_earlier_move_because_it_was_tried_before(timeline: Any) -> None:
    """The last move ends where no sensor is believed, and has the text of one that was named."""
    board = timeline("robot-duel", "presence").rest(1)
    board.hands("B3- .1 B2- .35 B2+ .35 hand.A.C+").rest(0.8).choose("B3B2").rest(2)
    board.hands("B1- .1 B2- .2 B2+ .4 hand.B.C+").rest(0.5)
    board.hands("hand.A.C- .1 B3+").rest(0.1).hands("B1+ .005 A1-").rest(0.1)
    board.choose("B1B2").rest(0.4).choose("C*B3").rest(0.3)
    board.hands("B2- .006 B2+ .006 " * 24).rest(1).choose("A1B1").rest(0.1)
    assert board.session.sensors.masked == {"B2"}
    board.hands("B3-").rest(1.7).choose("B3B2").rest(1)
    assert board.moves == ["B3B2", "B1B2", "C*B3", "A1B1", "B3B2"]


def test_who_names_another_move_is_told_of_the_first_no_more(timeline: Any) -> None:
    board = timeline().hands("1 C4- 0.4 C3+").rest(2).choose("B4A3").rest(6)
    assert board.session.unplaced == "B4A3"
    assert board.choose("C4C3").session.unplaced == ""
