"""Opponents at the board: the machine's moves, hints, and the grades of a lifted piece."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from engine.games import make
from engine.games.robotory import Refill
from engine.match import Match
from engine.reading.footprints import Sight
from firmware_host.host import simulated as simulation_module
from firmware_host.i18n.messages import RefusedError, render, warn
from firmware_host.lights.signals import Light, Pattern, Signal
from firmware_host.opponents import machine as machine_module
from firmware_host.opponents.analysis import AnalysisClient, AnalysisRequest
from firmware_host.opponents.hints import FINE_AT
from firmware_host.opponents.protocol import read_answer, read_task, write
from firmware_host.opponents.requested_move import RequestedMove
from firmware_host.opponents.settings import OpponentSettings
from firmware_host.opponents.usi_engine import DECLARES, RESIGNS
from firmware_host.opponents.worker import Inbox, Worker
from firmware_host.players.kinds import PERSON, PlayerKind
from firmware_host.session.events import Assist, Press
from firmware_host.session.session import Session
from firmware_host.simulation.virtual_table import BOX
from firmware_host.web import protocol as ask
from firmware_host.web.commands import CommandHandler
from firmware_host.web.view import state

BEGINNER = PlayerKind(level="first-steps")


class AtOnce(AnalysisClient):
    """An analysis that answers before anything else happens: time passes by itself here."""

    def _send(self, line: bytes) -> None:
        ends = os.pipe()
        try:
            worker = Worker(Inbox(ends[0]))
            self._receive(write(next(worker.answers(read_task(line)))))
        finally:  # a whole game asks more often than a process may have files open
            for end in ends:
                os.close(end)


class Broken(AnalysisClient):
    """An analysis that fails on every request."""

    def _send(self, line: bytes) -> None:
        self._crashed()


def at(board: Any, kind: type[AnalysisClient] = AtOnce) -> Any:
    host = board.host
    host.opponents.analysis = kind(host.opponents._changed)
    return host


def requested_of(board: Any) -> RequestedMove:
    requested = board.host.opponents.machine._requested
    assert requested is not None
    return requested  # type: ignore[no-any-return]


def lights(board: Any) -> dict[str, Light]:
    return {p: light for p, light in board.host.status().lights.items() if ":" not in p}


# ---- the machine's moves


@pytest.fixture(autouse=True)
def _always_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the machine choose the same moves in all runs, and hands make them in the same manner;
    after C4C3 it takes nobody.
    """
    always_as(monkeypatch, 2)


def always_as(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    monkeypatch.setattr(machine_module, "random", Random(seed))
    monkeypatch.setattr(simulation_module, "random", Random(seed + 1))


@pytest.mark.parametrize("layout", ["square-reed", "square-hall"])
def test_the_machines_move_is_lit_until_hands_have_made_it(sit: Any, layout: str) -> None:
    async def story(board: Any) -> None:
        host = at(board)
        host.set_hands_move(False)
        host.set_player(1, BEGINNER)
        await board.play("C4C3", rest=3)
        text = requested_of(board).text
        lit = lights(board)
        assert lit[text[:2]].signal in (Signal.WHITE, Signal.RED)
        assert lit[text[:2]].pattern is Pattern.FROM
        assert lit[text[2:4]] == Light(Signal.BLUE, Pattern.TO)
        assert "Now the machine plays. Make this move on the board: " in board.says
        await asyncio.sleep(60)  # nobody hurries
        assert board.moves == ["C4C3"]
        await board.play(text, rest=3)
        assert board.moves == ["C4C3", text]
        assert host.opponents.machine._requested is None
        assert "plays" not in board.says
        assert host.status().turn == 0

    sit(story, layout)


def test_simulated_hands_make_it(sit: Any) -> None:
    async def story(board: Any) -> None:
        host = at(board)
        host.set_player(1, BEGINNER)
        await board.play("C4C3", rest=0)
        said = ""
        while "Now the machine plays" not in said:
            await asyncio.sleep(0.1)
            said = board.says
        assert "Make this move" not in said  # nobody has to help
        await asyncio.sleep(30)
        assert len(board.moves) == 2
        assert host.status().turn == 0

    sit(story)


@pytest.mark.deep
def test_machines_may_play_each_other(sit: Any) -> None:
    async def story(board: Any) -> None:
        host = at(board)
        for seat in (0, 1):
            host.set_player(seat, BEGINNER)
        await asyncio.sleep(120)  # among their moves are such as bring a position back
        assert len(board.moves) > 12 or host.status().outcome is not None

    sit(story)


def test_a_refill_is_said_only_where_no_stock_shows_it() -> None:
    game = make("robotory")
    match = Match.begin(game)
    while match.plies < 6:  # by then the stock of who is to move has no more of a colour
        match = match.play(match.legal[0])
    refills = [move for move in match.legal if isinstance(move, Refill)]
    for unsensed, said in ((), {True, False}), (("stock", "pool"), {True}):
        session = Session(game, Sight(game, "presence", unsensed), [match])
        assert {
            RequestedMove(session.view, each).is_unseen(session.view) for each in refills
        } == said


WHOLE_GAMES = [
    # Here a refill reads like an earlier placement of the other colour, until it is said …
    ("hex-reed", 115),
    # … and here the reading changes while hands are still about the move.
    ("hex-reed", 119),
    *(
        pytest.param(layout, seed, marks=pytest.mark.deep)
        for layout in ("hex-reed", "hex-hall")
        for seed in range(6)
    ),
]


@pytest.mark.parametrize(("layout", "seed"), WHOLE_GAMES)
def test_machines_play_a_whole_game_with_refills(
    sit: Any, monkeypatch: pytest.MonkeyPatch, layout: str, seed: int
) -> None:
    always_as(monkeypatch, seed)

    async def story(board: Any) -> None:
        host = at(board)
        for seat in (0, 1):
            host.set_player(seat, BEGINNER)
        for _ in range(60):
            await asyncio.sleep(10)
            if host.status().outcome is not None:
                return
        pytest.fail(f"{len(board.moves)} moves, then: {board.says}")

    sit(story, layout, game="robotory")


def test_dice_of_the_machine_fall_by_themselves(sit: Any) -> None:
    async def story(board: Any) -> None:
        host = at(board)
        for seat in range(4):
            host.set_player(seat, BEGINNER)
        await asyncio.sleep(90)
        assert len(board.moves) > 1

    sit(story, game="chaturaji")


def test_it_waits_until_hands_are_off_the_board(sit: Any) -> None:
    async def story(board: Any) -> None:
        host = at(board)
        host.set_hands_move(False)
        host.set_player(1, BEGINNER)
        await board.hands("C4- C3+ 0.3 B4-")
        await asyncio.sleep(10)
        assert host.opponents.machine._requested is None
        await board.hands("B4+")
        await asyncio.sleep(3)
        assert host.opponents.machine._requested is not None

    sit(story)


@pytest.mark.parametrize("by_itself", [True, False])
def test_it_waits_while_a_captive_is_in_a_hand(sit: Any, by_itself: bool) -> None:
    async def story(board: Any) -> None:
        host = at(board)
        host.set_hands_move(by_itself)
        host.set_player(1, BEGINNER)
        await board.hands("B3- B2- B2+ 30")
        assert board.moves == ["B3B2"]
        assert host.opponents.machine._requested is None
        assert [place for place in lights(board) if "." in place] == ["hand.A.C"]
        await board.hands("hand.A.C+ 3")
        if not by_itself:
            assert requested_of(board).text
            return
        await asyncio.sleep(60)  # such hands may be slow
        assert len(board.moves) == 2

    sit(story)


def test_it_waits_for_a_forgotten_captive_for_a_while(sit: Any) -> None:
    async def story(board: Any) -> None:
        host = at(board)
        host.set_hands_move(False)
        host.set_player(1, BEGINNER)
        await board.hands("B3- B2- B2+")
        chick = board.held.pop()
        host.table.put(chick.number, BOX, chick.hand)
        await asyncio.sleep(5)
        assert host.opponents.machine._requested is None
        await asyncio.sleep(10)
        assert requested_of(board).text

    sit(story)


def test_another_move_in_its_place_is_taken_back_and_then_it_is_shown_again(sit: Any) -> None:
    async def story(board: Any) -> None:
        host = at(board)
        host.set_hands_move(False)
        host.set_player(1, BEGINNER)
        await board.play("C4C3", rest=3)
        text = requested_of(board).text
        other = "A1A2" if text != "A1A2" else "C1C2"
        if other == "C1C2":  # no move of the elephant
            other = "B1C2"
        await board.play(other, rest=6)
        assert board.moves == ["C4C3"]
        assert f"Move the {'giraffe' if other == 'A1A2' else 'lion'} from" in board.says
        await board.hands(f"{other[2:]}- {other[:2]}+")
        await asyncio.sleep(5)
        assert board.moves == ["C4C3"]
        assert requested_of(board).text == text
        assert lights(board)[text[2:4]].signal is Signal.BLUE

    sit(story)


def test_who_takes_back_is_to_move_again(sit: Any) -> None:
    async def story(board: Any) -> None:
        host = at(board)
        host.set_hands_move(False)
        host.set_player(1, BEGINNER)
        await board.play("C4C3", rest=3)
        assert host.opponents.machine._requested is not None
        host.post(Press(host.now(), "back"))
        await board.hands("C3- C4+")
        await asyncio.sleep(3)
        assert board.moves == []
        assert host.opponents.machine._requested is None
        assert host.status().turn == 0

    sit(story)


def test_who_takes_back_the_machines_move_is_told_how_to_take_back_his_own(sit: Any) -> None:
    async def story(board: Any) -> None:
        host = at(board)
        host.set_player(1, BEGINNER)
        await board.play("C4C3", rest=30)
        assert len(board.moves) == 2
        assert "your own move" not in board.says
        host.post(Press(host.now(), "back"))
        await asyncio.sleep(2)
        assert "To take back your own move, too, press take back again." in board.says
        host.post(Press(host.now(), "back"))
        await asyncio.sleep(2)
        assert board.moves == []
        assert "your own move" not in board.says

    sit(story)


def test_a_seat_may_change_during_a_match_and_is_kept(sit: Any, tmp_path: Path) -> None:
    async def story(board: Any) -> None:
        host = at(board)
        host.set_hands_move(False)
        host.set_player(1, BEGINNER)
        await board.play("C4C3", rest=3)
        host.set_player(1, PERSON)
        await asyncio.sleep(1)
        assert "plays" not in board.says
        await board.play("A1A2", rest=3)
        assert board.moves == ["C4C3", "A1A2"]
        host.set_player(0, PlayerKind(level="sees-one"))
        await asyncio.sleep(3)
        assert requested_of(board).match.plies == 2

    sit(story)
    kept = OpponentSettings(tmp_path / "opponents.json")
    assert (kept.player(0).text, kept.player(1).text) == ("level:sees-one", "person")
    assert not kept.hands_move


def test_what_breaks_down_is_said_and_people_may_move_for_it(sit: Any) -> None:
    async def story(board: Any) -> None:
        host = at(board, Broken)
        host.set_player(1, BEGINNER)
        await board.play("C4C3", rest=3)
        assert "The analysis failed" in board.says
        assert "Make its move yourselves" in board.says
        await board.play("A1A2", rest=3)
        assert board.moves == ["C4C3", "A1A2"]

    sit(story)


class Scripted:
    """An engine of others that says at once what it is told to say."""

    says = ""

    def __init__(self, program: str, changed: Any, *arguments: str) -> None:
        self.program = " ".join([program, *arguments])
        self.closed = False
        self.chosen = ""
        self.fault = None if self.says else warn("It has ended.")

    def ask(self, match: Match, seconds: float, now: float) -> None:
        self.chosen = self.says

    def look(self, now: float) -> None:
        return None

    def drop(self) -> None:
        self.chosen = ""

    def close(self) -> None:
        self.closed = True


@pytest.mark.parametrize("says", ["A1A2", RESIGNS, ""])
def test_an_engine_of_others_plays_resigns_or_fails(
    sit: Any, monkeypatch: pytest.MonkeyPatch, says: str
) -> None:
    monkeypatch.setattr(machine_module, "UsiEngine", Scripted)
    monkeypatch.setattr(Scripted, "says", says)

    async def story(board: Any) -> None:
        host = at(board)
        host.set_hands_move(False)
        host.set_player(1, PlayerKind(engine="/usr/games/engine"))
        await board.play("C4C3", rest=3)
        if says == RESIGNS:
            assert host.status().outcome is not None
        elif says:
            assert requested_of(board).text == says
            assert "Now engine plays. " in board.says
        else:
            assert "It has ended." in board.says
            await board.play("A1A2", rest=3)
            assert board.moves == ["C4C3", "A1A2"]

    sit(story)


def test_a_win_that_an_engine_declares_is_claimed(
    sit: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine_module, "UsiEngine", Scripted)
    monkeypatch.setattr(Scripted, "says", DECLARES)

    async def story(board: Any) -> None:
        claimed = set()

        def claim(now: float, text: str, seat: int) -> Press:
            claimed.add((text, seat))
            return Press(now, "no")

        monkeypatch.setattr(machine_module, "Claimed", claim)
        host = at(board)
        host.set_player(0, PlayerKind(engine="/usr/games/engine", arguments=("--small",)))
        await asyncio.sleep(3)
        assert claimed == {(DECLARES, 0)}
        assert [each.program for each in host.opponents.machine._engines.values()] == [
            "/usr/games/engine --small"
        ]

    sit(story)


def test_an_engine_that_nobody_plays_any_more_is_ended(
    sit: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine_module, "UsiEngine", Scripted)
    monkeypatch.setattr(Scripted, "says", "A1A2")

    async def story(board: Any) -> None:
        host = at(board)
        host.set_hands_move(False)
        host.set_player(1, PlayerKind(engine="/usr/games/engine"))
        await board.play("C4C3", rest=3)
        (engine,) = host.opponents.machine._engines.values()
        assert not engine.closed
        host.set_player(1, PERSON)
        await asyncio.sleep(1)
        assert engine.closed
        assert not host.opponents.machine._engines

    sit(story)


def test_two_engines_run_side_by_side(sit: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine_module, "UsiEngine", Scripted)
    monkeypatch.setattr(Scripted, "says", "")

    async def story(board: Any) -> None:
        host = at(board)
        for seat, name in enumerate(("one", "other")):
            host.set_player(seat, PlayerKind(engine=f"/usr/games/{name}"))
        await asyncio.sleep(2)
        await board.play("C4C3", rest=3)  # for the first engine, which has ended
        engines = list(host.opponents.machine._engines.values())
        assert [each.program for each in engines] == ["/usr/games/one", "/usr/games/other"]
        assert not any(each.closed for each in engines)

    sit(story)


def test_who_does_not_know_the_game_cannot_sit_there(sit: Any) -> None:
    async def story(board: Any) -> None:
        with pytest.raises(ValueError, match="no such engine plays Abalone"):
            board.host.set_player(1, PlayerKind(engine="/usr/games/engine"))
        opponents = board.host.status().opponents
        assert opponents.player_kinds == ("person", "person")
        assert list(opponents.choices)[:2] == ["person", "level:first-steps"]

    sit(story, layout="hex-reed", game="abalone")


def test_a_page_chooses_among_those_offered_and_no_others(sit: Any) -> None:
    async def story(board: Any) -> None:
        host = at(board)
        desk = CommandHandler(host, lambda page, error: None, lambda: None)

        def take(kind: Any, **fields: Any) -> None:
            desk.take(kind(n=1, rev=host.status().rev, **fields), "page")

        take(ask.SeatCommand, seat=1, player_kind="level:plans")
        take(ask.GradingCommand, seat=0, pieces=2)
        take(ask.HandsCommand, on=False)
        told = state(host, "fr")["opponents"]
        assert told["player_kinds"] == ("person", "level:plans")
        assert told["graded_pieces"] == (2, 0)
        assert told["hands_move"] is False
        assert told["choices"]["level:plans"] == "la machine : prévoit"
        for who in ("usi:/bin/sh", "level:none", "nobody"):
            with pytest.raises(RefusedError, match="No player of that name"):
                take(ask.SeatCommand, seat=1, player_kind=who)
        with pytest.raises(RefusedError, match="There is no seat"):
            take(ask.SeatCommand, seat=5, player_kind="person")

    sit(story)


# ---- how hands make a move


def requested(board: Any, text: str) -> RequestedMove:
    match = board.session.view.match
    return RequestedMove(board.session.view, match.game.parse_move(match.position, text))


def test_the_captive_goes_first_then_the_piece(timeline: Any) -> None:
    board = timeline().rest(1)
    made = requested(board, "B3B2")
    lit = made.lights(board.session.view)
    assert lit["B2"] == Light(Signal.RED, Pattern.HEARTBEAT)
    assert lit["hand.A.C"] == Light(Signal.BLUE, Pattern.BREATHE)
    board.hands("B2- hand.A.C+").rest(0.5)
    lit = made.lights(board.session.view)
    assert lit == {
        "B3": Light(Signal.WHITE, Pattern.FROM),
        "B2": Light(Signal.BLUE, Pattern.TO),
    }


def test_a_captive_in_the_hand_is_no_part_of_the_next_capture(timeline: Any) -> None:
    board = timeline().rest(1).hands("C4- C3+").rest(1).hands("B1- C2+").rest(1)
    board.hands("B2- B3- B2+").rest(1)  # A has taken the chick, and holds it
    made = requested(board, "C2B2")
    assert [step.end for step in made.plan(board.session.view)] == ["hand.B.C", "B2"]
    board.hands("hand.A.C+").rest(0.5)
    assert [step.end for step in made.plan(board.session.view)] == ["hand.B.C", "B2"]


def test_a_drop_comes_from_its_tray_and_a_chick_is_turned_over(timeline: Any) -> None:
    board = timeline(position="gle/1C1/3/ELG b C 1").rest(1)
    lit = requested(board, "C*A3").lights(board.session.view)
    assert lit == {
        "hand.A.C": Light(Signal.WHITE, Pattern.FROM),
        "A3": Light(Signal.BLUE, Pattern.TO),
    }
    turning = timeline(sensing="polarity", position="2l/C1e/1E1/L2 b Ggc 1").rest(1)
    said = requested(turning, "A2A1+").says(turning.session.view, warn("it"))
    assert "Turn it over as you do." in render(said[1])


# ---- hints


async def hint(board: Any) -> str:
    board.host.post(Press(board.host.now(), "hint"))
    await asyncio.sleep(0.5)
    return str(board.says)


def test_a_hint_tells_which_piece_then_where_to_then_why(sit: Any) -> None:
    async def story(board: Any) -> None:
        at(board)
        await board.play("C4C3", "A1A2", "C3C2")  # now the giraffe can be taken
        board.host.set_player(0, PERSON)
        which = await hint(board)
        assert "Hint: move the" in which
        lit = [p for p, light in lights(board).items() if light.signal is Signal.TEAL]
        assert len(lit) == 1
        where = await hint(board)
        assert " takes giraffe on C2 " in where
        lit = [p for p, light in lights(board).items() if light.signal is Signal.TEAL]
        assert "C2" in lit
        assert len(lit) == 2
        reason = await hint(board)
        assert "It wins the giraffe on C2." in reason or "It takes the giraffe" in reason
        gone = await hint(board)
        assert "Hint" not in gone
        await hint(board)
        await asyncio.sleep(25)
        assert "Hint" not in board.says  # it goes out by itself

    sit(story)


class Certain(AtOnce):
    """An analysis that knows of every move that it wins in 13 plies."""

    def _receive(self, line: bytes) -> None:
        answer = read_answer(line)
        moves = [msgspec.structs.replace(each, plies=13) for each in answer.moves]
        super()._receive(write(msgspec.structs.replace(answer, moves=moves)))


def test_what_is_certain_of_a_hint_and_of_the_moves_of_a_lifted_piece_is_said(sit: Any) -> None:
    async def story(board: Any) -> None:
        host = at(board, Certain)
        assert "wins in 13 moves, counting both sides." not in await hint(
            board
        )  # which piece, and no more
        assert "wins in 13 moves, counting both sides." in await hint(board)
        host.post(Assist(host.now(), 3, 0))
        await board.hands("C4-")
        await asyncio.sleep(1)
        assert "C4C3 wins in 13 moves, counting both sides." in board.says

    sit(story)


def test_nothing_is_shown_before_it_is_asked_for(sit: Any) -> None:
    async def story(board: Any) -> None:
        host = at(board)
        host.post(Assist(host.now(), 3, 0))
        await asyncio.sleep(3)
        assert not any(light.signal is Signal.TEAL for light in lights(board).values())
        assert "Hint" not in board.says
        host.post(Assist(host.now(), 2, 0))
        await board.hands("B4-")
        await asyncio.sleep(1)
        assert not any(light.grade for light in lights(board).values())

    sit(story)


def test_the_help_level_says_how_much_a_fine_move_may_give_away(sit: Any) -> None:
    asked: list[float] = []

    class Listening(AtOnce):
        def _send(self, line: bytes) -> None:
            asked.append(read_task(line).fine)
            super()._send(line)

    async def story(board: Any) -> None:
        host = at(board, Listening)
        await hint(board)
        host.post(Assist(host.now(), 3, 0))
        await board.hands("C4-")
        await asyncio.sleep(1)
        moves = host.opponents.analysis._asked.answer.moves
        best = moves[0].chance
        assert {each.grade for each in moves if best - each.chance <= 0.1} <= {"best", "fine"}

    sit(story)
    assert asked[0] == FINE_AT[2] == 0.05
    assert asked[-1] == FINE_AT[3] == 0.1


def test_the_moves_of_a_lifted_piece_are_graded_up_to_the_limit_of_the_turn(sit: Any) -> None:
    async def story(board: Any) -> None:
        host = at(board)
        host.post(Assist(host.now(), 3, 0))
        host.set_grading(0, 1)

        async def grades(place: str) -> set[str]:
            await board.hands(f"{place}-")
            await asyncio.sleep(1)
            found = {light.grade for light in lights(board).values() if light.grade}
            await board.hands(f"{place}+")
            await asyncio.sleep(1)
            return found

        assert await grades("B4")
        assert await grades("B4")  # the same piece again
        assert not await grades("C4")  # plain words
        host.set_grading(0, 0)
        assert await grades("C4")

    sit(story)


def test_why_the_moves_of_a_lifted_piece_are_bad_is_said(sit: Any) -> None:
    async def story(board: Any) -> None:
        host = at(board)
        await board.play("C4C3", "A1A2")
        host.post(Assist(host.now(), 3, 0))
        await board.hands("C3-")
        await asyncio.sleep(1.5)
        assert "C3C2: The giraffe can be taken on C2." in board.says

    sit(story)


# ---- what is kept


@pytest.mark.parametrize("text", ["[]", "{", '{"seats": {"0": "level:none"}}', '{"seats": 1}'])
def test_a_file_that_is_none_is_said_and_people_play(
    tmp_path: Path, text: str, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "opponents.json"
    file.write_text(text)
    assert OpponentSettings(file).player(0) is None
    assert len(caplog.records) == 1


def test_the_file_of_an_older_version_is_read_until_there_is_a_new_one(tmp_path: Path) -> None:
    old = tmp_path / "company.json"
    text = '{"seats": {"0": "level:plans"}, "graded": {"1": 2}, "hands": false}'
    old.write_text(text)
    settings = OpponentSettings(tmp_path / "opponents.json")
    assert settings.player(0) == PlayerKind(level="plans")
    assert settings.limit(1) == 2
    assert not settings.hands_move
    settings.set_player(0, PERSON)
    settings.file.close()
    assert OpponentSettings(tmp_path / "opponents.json").player(0) == PERSON
    assert old.read_text() == text


def test_an_answer_to_what_was_asked_before_is_let_be() -> None:
    told: list[int] = []
    client = AnalysisClient(lambda: told.append(1))
    client._asked = AnalysisRequest(2, "now", 0.0)
    client._receive(b'{"number": 1, "moves": [], "chosen": ""}')
    assert client._asked.answer is None
    client._receive(b'{"number": 2, "moves": [], "chosen": ""}')
    assert client._asked.answer is not None
    assert told == [1]
