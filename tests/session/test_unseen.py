"""Moves that nobody has seen: asked about, unless one ply and nothing else explains the board."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import pytest

from engine.game import CHANCE, Throw
from engine.games import NAMES, make
from engine.match import Match
from engine.reading.footprints import Sight
from firmware_host.cli import replay
from firmware_host.controller.polling import QUIET_S, Polling
from firmware_host.session.events import Choose, Dice, Frame, Press, Tick
from firmware_host.session.hand_progress import unmovable
from firmware_host.session.session import Session
from firmware_host.storage import recording
from hardware.interrupt import InterruptLine
from hardware.layout import load
from hardware.machine import Machine
from hardware.simulated.board import SimulatedBoard
from tests.support.session_parts import wrong


def miss(board: Any, acts: str) -> None:
    """Let hands do something while nobody looks at the board."""
    board.hands(f"away {acts} 5 look 2")


# ---- while a match is played


def test_a_piece_that_is_away_for_long_is_asked_about(timeline: Any) -> None:
    board = timeline("robot-duel", unsensed=("hand",))
    miss(board, "B3-")
    board.rest(6)
    assert "B3B2" in board.asked[0]
    assert "" in board.asked[0]


def test_play_that_goes_on_tells_what_nobody_has_seen(timeline: Any) -> None:
    board = timeline("shogi")
    miss(board, "7g- 7f+ 3c- 3d+")
    assert board.moves == ["?", "?"]
    board.hands("8h- 2b- 2b+ hand.sente.b+").rest(4)
    assert board.moves == ["7g7f", "3c3d", "8h2b"] or board.moves[:2] == ["7g7f", "3c3d"]


def test_pieces_that_are_cleared_away_after_the_end_are_no_moves(timeline: Any) -> None:
    board = timeline("robot-duel").claim("resign").rest(1)
    miss(board, "B3- A4- C4-")
    board.rest(5)
    assert not board.session.view.repair.settling
    assert not board.asked


@pytest.mark.parametrize("seconds", [0.5, 3.0])
def test_a_chip_that_comes_back_after_long_shows_what_nobody_has_seen(
    timeline: Any, seconds: float
) -> None:
    board = timeline("shogi")
    gone = frozenset(cell for cell in board.sight.cells if cell[1] in "def")

    def see(blind: frozenset[str]) -> None:
        shown = {place: value for place, value in board.readings.items() if value}
        known = {place: value for place, value in shown.items() if place not in blind}
        board.feed(Frame(board.now, known, blind))

    see(gone)
    board._away = True
    board.hands(f"7g- 7f+ 3c- 3d+ {seconds}")
    board._away = False
    see(gone)
    board.rest(0.2)
    see(frozenset())
    board.rest(3)
    if seconds > 1.0:
        assert board.asked == [{"7g7f", ""}, {"3c3d", ""}]


def test_dice_that_fell_while_nobody_looked_are_played(timeline: Any) -> None:
    game = make("chaturaji")
    rng = Random(3)
    board = timeline("chaturaji", "polarity")
    match, known = Match.begin(game), False
    for _ in range(2):
        throw = rng.choice([m for m in match.legal if isinstance(m, Throw)])
        match = match.play(throw)
        board.feed(Dice(board.now, throw.dice))
        move = next(m for m in match.legal if match.play(m).text != "")
        match = match.play(move)
        board.now += 1.0
        known = True
    assert known
    board.readings = board.sight.readings(match.position)
    board.hands("5 look 2")
    for text in match.moves():
        board.choose(text).rest(1)
    assert board.moves == match.moves()


def test_a_gap_is_in_the_recording(timeline: Any) -> None:
    header = recording.RecordingHeader(make("shogi"), "presence", make("shogi").start(), ())
    board = timeline("shogi")
    recorder = recording.Recorder(header)
    first = Frame(0.0, dict(board.readings))
    after = {**board.readings, "7g": 0, "7f": 1, "3c": 0, "3d": 1}
    second = Frame(9.0, {place: value for place, value in after.items() if value}, gap=True)
    lines = [recorder.header(), *recorder.lines(first), *recorder.lines(second)]
    assert '"gap":true' in lines[-1].replace(" ", "")
    read = recording.parse("".join(lines).encode())
    assert [event.gap for event in read.events() if isinstance(event, Frame)] == [False, True]
    notes = [note.event for note in replay.replay(read)]
    assert notes.count("ask") == 2
    with pytest.raises(recording.RecordingError, match="gap 1: must be true or false"):
        recording.parse("".join(lines).replace("true", "1").encode())


# ---- what is asked about though one ply explains the board


def test_a_ply_is_asked_about_where_not_all_lines_were_looked_for(
    timeline: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.reading.unseen.UNSEEN_STEPS", 5)
    board = timeline("shogi")
    miss(board, "7g- 7f+")
    assert board.asked == [{"7g7f", ""}]


def test_no_later_move_confirms_three_unseen_plies(timeline: Any) -> None:
    """Five plies may have left the board as three do."""
    board = timeline("shogi")
    miss(board, "7g- 7f+ 3c- 3d+ 2g- 2f+")
    asked = board.asked
    board.hands("4c- 4d+").rest(4)
    assert board.asked[:3] == asked
    for text in ("7g7f", "3c3d", "2g2f"):
        board.choose(text).rest(1)
    assert board.moves == ["7g7f", "3c3d", "2g2f", "4c4d"]


# ---- what people say meanwhile


def miss_just_now(board: Any, acts: str) -> None:
    """Let hands do something while nobody looks, which is not found out yet."""
    board.hands(f"away {acts} 5 look 0.1")
    assert board.session.view.looks_back


def robotory(timeline: Any) -> Any:
    board = timeline("robotory", "polarity", unsensed=("stock", "pool")).rest()
    for act, move in (("e3+", "P w e3"), ("a1+", "P w a1")):
        board.hands(act).choose(move).rest()
    return board


def test_a_move_is_named_after_what_nobody_has_seen(timeline: Any) -> None:
    """The refill ends a turn, but not before it is asked what was played before it."""
    board = robotory(timeline)
    miss_just_now(board, "b1+ d4+")
    board.choose("F 1w").rest(3)
    assert board.moves[:3] == ["P w e3", "P w a1", "?"]
    assert {"P w b1", "P w d4"} < board.asked[0]
    board.choose("P w b1").rest(1).choose("F 1w").rest(1)
    assert "F 1w" not in board.moves[:3]


def test_a_match_that_is_given_up_meanwhile_asks_for_nothing(timeline: Any) -> None:
    board = timeline("shogi")
    miss_just_now(board, "7g- 7f+ 3c- 3d+")
    board.claim("resign").rest(6)
    assert board.session.view.outcome is not None
    assert not board.asked
    assert not board.session.view.repair.settling


def test_another_match_that_begins_meanwhile_is_set_up(timeline: Any) -> None:
    board = timeline("robot-duel")
    miss_just_now(board, "C4- C3+")
    board.new_match().rest(6)
    assert board.moves == []
    assert board.session.view.repair.settling
    board.hands("C3- C4+").rest(2)
    assert not board.session.view.repair.settling


def test_a_piece_that_may_be_in_a_hand_is_not_said_to_have_no_move(timeline: Any) -> None:
    board = timeline("robot-duel")
    miss_just_now(board, "B3-")
    assert unmovable(board.session.view) is None


# ---- what is a gap


def test_a_look_that_comes_late_is_after_a_gap() -> None:
    board = SimulatedBoard(load("square-hall"))
    lookout = Polling(Machine(board.layout, board.bus, board.strip), lambda: False)

    def gap(at: float) -> bool:
        frame = lookout.look(at, True)
        assert frame is not None
        return frame.gap

    assert [gap(at) for at in (9.0, 9.02, 9.9, 12.0, 12.1)] == [False, False, False, True, False]


def test_a_board_that_calls_is_known_as_long_as_it_does_not() -> None:
    board = SimulatedBoard(load("square-reed"))
    line = InterruptLine(lambda: board.interrupt)
    board.on_interrupt = line.note_edge
    lookout = Polling(
        Machine(board.layout, board.bus, board.strip, interrupt=line), lambda: board.interrupt
    )
    now = 0.0
    while now < QUIET_S + 10.0:
        now += 0.25
        lookout.look(now, False)
    looks = [lookout.look(now + later, False) for later in (0.5, 1.0, 1.5)]
    assert None in looks  # it is looked at seldom by now
    board.put("A1")
    frame = lookout.look(now + 1.6, True)
    assert frame is not None
    assert not frame.gap
    board.lift("A1")
    held_up = lookout.look(now + 4.0, True)
    assert held_up is not None
    assert held_up.gap


# ---- where a match is resumed


def resumed(name: str, sensing: str, seed: int) -> tuple[Session, Match, str]:
    """Return a session of a match that was left when a move was made and not read yet."""
    game, rng = make(name), Random(f"{name} {seed}")
    sight = Sight(game, sensing)
    matches = [Match.begin(game)]
    while len(matches) < 20 and (legal := matches[-1].legal):
        matches.append(matches[-1].play(rng.choice(legal)))
    for match in reversed(matches):
        reads = sight.readings(match.position)
        for move in () if match.turn == CHANCE else rng.sample(list(match.legal), len(match.legal)):
            ahead = match.play(move)
            after = sight.readings(ahead.position)
            if any(reads.get(place, 0) != after.get(place, 0) for place in sight.cells):
                session = Session(game, sight, [match])
                session.handle(Frame(0.0, after, gap=True))
                session.handle(Tick(6.0))
                return session, ahead, ahead.text
    raise AssertionError("no move shows")


@pytest.mark.parametrize("sensing", ["presence", "polarity"])
@pytest.mark.parametrize("name", NAMES)
def test_a_move_that_was_made_and_not_read_is_offered(name: str, sensing: str) -> None:
    for seed in range(1 if name == "abalone" else 3):
        session, ahead, text = resumed(name, sensing, seed)
        questions, plies = session.view.question, ahead.plies
        assert questions.current is not None
        assert questions.current.may_be_nothing
        assert text in questions.current.candidates
        session.handle(Choose(7.0, text, questions.number))
        if session.view.question.open:  # there may be more to it than this move
            session.handle(Press(8.0, "no"))
        assert [e.texts for e in session.record if e.kind == "move"][plies - 1 :] == [(text,)]


def test_a_move_is_offered_where_a_tray_holds_too_many(timeline: Any) -> None:
    game = make("robot-duel")
    sight = Sight(game)
    ahead = sight.readings(game.play(game.start(), game.parse_move(game.start(), "C4C3")))
    session = Session(game, sight, [Match.begin(game)])
    session.handle(Frame(0.0, ahead | {"hand.B.E": 1}, gap=True))
    session.handle(Tick(3.0))
    assert [entry.candidates for entry in session.view.question.open] == [("C4C3",)]


@pytest.mark.parametrize("end", ["C3", "C4"])
def test_a_piece_in_a_hand_as_the_program_was_killed_is_played_or_put_back(
    timeline: Any, end: str
) -> None:
    game = make("robot-duel")
    sight = Sight(game)
    reads = sight.readings(game.start())
    session = Session(game, sight, [Match.begin(game)])
    lifted = {place: value for place, value in reads.items() if place != "C4"}
    session.handle(Frame(0.0, lifted, gap=True))
    session.handle(Tick(9.0))
    assert session.view.repair.settling
    assert wrong(session) == (("C4",), ())
    session.handle(Frame(9.0, lifted | {end: 1}))
    session.handle(Tick(12.0))
    assert not session.view.repair.settling
    assert [entry.texts for entry in session.record] == ([("C4C3", "")] if end == "C3" else [])


def test_a_piece_that_is_missing_is_put_back_before_three_plies_are_asked_about() -> None:
    game = make("robot-duel")
    sight = Sight(game)
    session = Session(game, sight, [Match.begin(game)])
    reads = {place: value for place, value in sight.readings(game.start()).items() if place != "B2"}
    session.handle(Frame(0.0, reads, gap=True))
    session.handle(Tick(9.0))
    assert session.view.repair.settling
    assert wrong(session) == (("B2",), ())
    assert not session.record


def test_one_ply_before_a_match_is_resumed_is_asked_about_though_looks_are_missed(
    timeline: Any,
) -> None:
    """As where a place was touched and let go between the first two looks."""
    game = make("robot-duel")
    sight = Sight(game)
    ahead = sight.readings(game.play(game.start(), game.parse_move(game.start(), "C4C3")))
    session = Session(game, sight, [Match.begin(game)])
    session.handle(Frame(0.0, {p: value for p, value in ahead.items() if p != "C3"}, gap=True))
    session.handle(Frame(0.0, ahead, gap=True))
    session.handle(Tick(6.0))
    assert [entry.texts for entry in session.record] == [("C4C3", "")]


def test_a_match_that_begins_is_set_up(timeline: Any) -> None:
    game = make("robot-duel")
    sight = Sight(game)
    ahead = Match.begin(game).play(game.parse_move(game.start(), "B3B2"))
    session = Session(game, sight, [Match.begin(game)])
    session.handle(Frame(0.0, sight.readings(ahead.position)))
    session.handle(Tick(3.0))
    assert session.view.repair.settling
    assert not session.record


@pytest.mark.parametrize("layout", ["square-reed", "square-hall"])
@pytest.mark.parametrize("answer", ["yes", "no", "play on"])
def test_a_move_that_was_made_just_before_the_program_was_killed_is_asked_about(
    sit: Any, layout: str, answer: str
) -> None:
    async def first(board: Any) -> None:
        await board.play("C4C3")
        await board.play("A1A2", rest=0.02)  # it is put down, and not read yet
        board.host.save_table()

    async def second(board: Any) -> None:
        await asyncio.sleep(1)
        assert board.moves == ["C4C3", "?"]
        assert [choice.move for choice in board.host.status().question] == ["A1A2"]
        assert board.wrong == ((), ())
        assert "Did B play this, or nothing yet: giraffe from A1 to A2 (A1A2)?" in board.says
        assert "If nothing was played, press “take back”." in board.says
        if answer == "play on":
            await board.hands("C3- C2+ 2.0")
            assert board.moves == ["C4C3", "A1A2", "C3C2"]
            return
        assert {"yes", "no"} <= board.host.status().buttons.keys()
        await board.push(answer)
        if answer == "no":
            assert board.moves == ["C4C3"]
            assert board.wrong == (("A1",), ("A2",))
            assert "Move the giraffe from A2 to A1." in board.says
            await board.hands("A2- A1+ 2.0")
            assert board.wrong == ((), ())
            await board.play("A1A2")
        assert board.moves == ["C4C3", "A1A2"]
        await board.play("C3C2")
        assert board.moves == ["C4C3", "A1A2", "C3C2"]

    sit(first, layout, kill=True)
    sit(second, layout)


def test_what_was_asked_of_unseen_moves_is_asked_again_after_a_restart(sit: Any) -> None:
    async def first(board: Any) -> None:
        await board.play("C4C3")
        await board.play("A1A2", rest=0.02)
        board.host.save_table()

    async def second(board: Any) -> None:
        await asyncio.sleep(1)
        assert board.moves == ["C4C3", "?"]

    sit(first, kill=True)
    sit(second, kill=True)
    sit(second)
