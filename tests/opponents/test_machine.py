"""The machine at a seat: when it moves, how its moves are made, and what may go wrong."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from engine.games import make
from engine.match import Match
from engine.search import search
from firmware_host.host import simulated as simulation_module
from firmware_host.host.demo import make_move
from firmware_host.i18n.messages import warn
from firmware_host.lights.signals import Light, Pattern, Signal
from firmware_host.opponents import machine as machine_module
from firmware_host.opponents.engine_protocols import DECLARES, RESIGNS
from firmware_host.opponents.settings import OpponentSettings
from firmware_host.players.kinds import PERSON, PlayerKind
from firmware_host.session.events import Choose, Press
from firmware_host.session.record import RecordEntry
from firmware_host.simulation.virtual_table import BOX
from firmware_host.web import protocol as ask
from firmware_host.web.commands import CommandHandler
from tests.support.advisers import BEGINNER, Broken, at, lights, machine_to_move, requested_of
from tests.support.stories import at_a_board


@pytest.fixture(autouse=True)
def _always_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the machine choose the same moves in all runs, and hands make them in the same manner;
    after C4C3 it takes nobody.
    """
    always_as(monkeypatch, 2)


def always_as(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    monkeypatch.setattr(machine_module, "random", Random(seed))
    monkeypatch.setattr(simulation_module, "random", Random(seed + 1))


# ---- hands that make its move


@pytest.mark.parametrize("layout", ["square-reed", "square-hall"])
@at_a_board()
async def test_the_machines_move_is_lit_until_hands_have_made_it(board: Any, layout: str) -> None:
    host = await machine_to_move(board)
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


@at_a_board()
async def test_simulated_hands_make_it(board: Any) -> None:
    host = at(board)
    host.seating.set_kind(1, BEGINNER)
    await board.play("C4C3", rest=0)
    while "Now the machine plays" not in board.says:
        await asyncio.sleep(0.1)
    assert "Make this move" not in board.says  # nobody has to help
    await asyncio.sleep(30)
    assert len(board.moves) == 2
    assert host.status().turn == 0


@at_a_board()
async def test_a_step_back_to_the_own_turn_takes_back_no_more(board: Any) -> None:
    """The board still reads what hands did when the button is pressed again."""
    host = at(board)
    host.seating.set_kind(1, BEGINNER)
    for _ in range(2):
        game, position = host.game, host.position()
        quiet = [
            text
            for move in game.legal(position)
            if "*" not in (text := game.move_text(position, move))
            and text[2:4] not in game.pieces(position)
        ]
        await board.play(quiet[0], rest=20)
    before = board.moves
    assert len(before) == 4
    handler = CommandHandler(host, lambda page, error: None, lambda: None)
    back = ask.PressCommand(n=1, rev=host.status().rev, button="back", to_own_turn=True)
    handler.take(back, "page-1")
    await asyncio.sleep(5)
    assert (board.moves, board.wrong) == (before[:2], ((), ()))
    assert not host.pieces.out_of_place(host.position())


@at_a_board()
async def test_it_waits_until_hands_are_off_the_board(board: Any) -> None:
    host = at(board)
    host.seating.set_hands_move(False)
    host.seating.set_kind(1, BEGINNER)
    await board.hands("C4- C3+ 0.3 B4- 10")
    assert host.opponents.machine._requested is None
    await board.hands("B4+ 3")
    assert host.opponents.machine._requested is not None


@pytest.mark.parametrize("by_itself", [True, False])
@at_a_board()
async def test_it_waits_while_a_captive_is_in_a_hand(board: Any, by_itself: bool) -> None:
    host = at(board)
    host.seating.set_hands_move(by_itself)
    host.seating.set_kind(1, BEGINNER)
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


@at_a_board()
async def test_it_waits_for_a_forgotten_captive_for_a_while(board: Any) -> None:
    host = at(board)
    host.seating.set_hands_move(False)
    host.seating.set_kind(1, BEGINNER)
    await board.hands("B3- B2- B2+")
    chick = board.held.pop()
    host.table.put(chick.number, BOX, chick.hand)
    await asyncio.sleep(5)
    assert host.opponents.machine._requested is None
    await asyncio.sleep(10)
    assert requested_of(board).text


@at_a_board(layout="hex-reed", game="robotory")
async def test_its_hands_wait_while_somebody_holds_a_piece(board: Any) -> None:
    host = at(board)
    table = host.table
    token = table.at(table.place("pool.w"))[-1]  # nobody sees that there is one less
    place = token.place
    table.lift(token.number, "somebody")
    host.seating.set_kind(0, BEGINNER)
    await asyncio.sleep(30)
    assert board.moves == []
    assert [piece.number for piece in table.pieces if piece.hand] == [token.number]
    table.put(token.number, place, "somebody")
    await asyncio.sleep(30)
    assert len(board.moves) == 1


# ---- people who do something else


@at_a_board()
async def test_another_move_is_taken_back_and_then_the_machines_is_shown_again(board: Any) -> None:
    await machine_to_move(board)
    text = requested_of(board).text
    start, end, name = ("B1", "C2", "lion") if text == "A1A2" else ("A1", "A2", "giraffe")
    await board.play(start + end, rest=6)
    assert board.moves == ["C4C3"]
    assert f"Move the {name} from" in board.says
    await board.hands(f"{end}- {start}+ 5")
    assert board.moves == ["C4C3"]
    assert requested_of(board).text == text
    assert lights(board)[text[2:4]].signal is Signal.BLUE


@at_a_board()
async def test_a_player_who_takes_back_is_to_move_again(board: Any) -> None:
    host = await machine_to_move(board)
    assert host.opponents.machine._requested is not None
    host.post(Press(host.now(), "back"))
    await board.hands("C3- C4+ 3")
    assert board.moves == []
    assert host.opponents.machine._requested is None
    assert host.status().turn == 0


@at_a_board()
async def test_a_player_who_takes_back_the_machines_move_is_told_how_to_take_back_the_one_before(
    board: Any,
) -> None:
    host = at(board)
    host.seating.set_kind(1, BEGINNER)
    await board.play("C4C3", rest=30)
    assert len(board.moves) == 2
    assert "your own move" not in board.says
    host.post(Press(host.now(), "back"))
    await asyncio.sleep(2)
    assert "To take back your own move, too, press “take back” again." in board.says
    host.post(Press(host.now(), "back"))
    await asyncio.sleep(2)
    assert board.moves == []
    assert "your own move" not in board.says


def test_a_seat_may_change_during_a_match_and_is_kept(sit: Any, tmp_path: Path) -> None:
    async def story(board: Any) -> None:
        host = await machine_to_move(board)
        host.seating.set_kind(1, PERSON)
        await asyncio.sleep(1)
        assert "plays" not in board.says
        await board.play("A1A2", rest=3)
        assert board.moves == ["C4C3", "A1A2"]
        host.seating.set_kind(0, PlayerKind(level="sees-one"))
        await asyncio.sleep(3)
        assert requested_of(board).match.plies == 2

    sit(story)
    kept = OpponentSettings(tmp_path / "opponents.json")
    assert (kept.player(0).text, kept.player(1).text) == ("level:sees-one", "person")
    assert not kept.hands_move


@at_a_board()
async def test_people_may_move_for_an_adviser_that_breaks_down(board: Any) -> None:
    await machine_to_move(board, Broken)
    assert "The analysis failed" in board.says
    assert "Make its move yourselves" in board.says
    await board.play("A1A2", rest=3)
    assert board.moves == ["C4C3", "A1A2"]


@at_a_board()
async def test_it_answers_for_a_move_before_its_last(board: Any) -> None:
    opponents = at(board).opponents
    match = Match.begin(make("robotory"))
    texts = ["P b a1", "P w a2", "P b a3", "P w a4"]
    played = [match := match.play(match.game.parse_move(match.position, t)) for t in texts]
    opponents.machine._chosen = {(1, 1): "P w a2", (1, 3): "P w a4"}
    other = played[0].play(played[0].game.parse_move(played[0].position, "P b a2"))
    asked = RecordEntry("move", 1, ("P b a2", "P w a2"), (other, played[1]))
    questions = SimpleNamespace(open=(asked,), numbered=((1, asked),))
    session = SimpleNamespace(view=SimpleNamespace(match=match, question=questions))
    answers: list[Any] = []
    opponents.machine.follow(SimpleNamespace(session=session, handle=answers.append), 1.0)
    assert answers == [Choose(1.0, "P w a2", 1)]


# ---- engines of others


@pytest.fixture
def engines(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a way to have every engine answer at once; it fails if it has no answer."""

    class Scripted:
        def __init__(self, program: str, changed: Any, *arguments: str, protocol: str) -> None:
            self.program = " ".join([program, *arguments])
            self.closed = False
            self.chosen = ""
            self.fault = None if answer else warn("It has ended.")

        def ask(self, match: Match, seconds: float, now: float) -> None:
            self.chosen = answer

        def look(self, now: float) -> None:
            return None

        def drop(self) -> None:
            self.chosen = ""

        def close(self) -> None:
            self.closed = True

    answer = ""

    def answer_with(text: str) -> None:
        nonlocal answer
        answer = text

    monkeypatch.setattr(machine_module, "EngineProcess", Scripted)
    return answer_with


async def engine_to_move(board: Any) -> Any:
    host = at(board)
    host.seating.set_hands_move(False)
    host.seating.set_kind(1, PlayerKind(engine="/usr/games/engine"))
    await board.play("C4C3", rest=3)
    return host


@at_a_board()
async def test_an_engine_plays_until_a_person_takes_its_seat(board: Any, engines: Any) -> None:
    engines("A1A2")
    host = await engine_to_move(board)
    assert requested_of(board).text == "A1A2"
    assert "Now engine plays. " in board.says
    (engine,) = host.opponents.machine._engines.values()
    assert not engine.closed
    host.seating.set_kind(1, PERSON)
    await asyncio.sleep(1)
    assert engine.closed
    assert not host.opponents.machine._engines


@at_a_board()
async def test_an_engine_resigns(board: Any, engines: Any) -> None:
    engines(RESIGNS)
    host = await engine_to_move(board)
    assert host.status().outcome is not None


@at_a_board()
async def test_people_move_for_an_engine_that_fails(board: Any, engines: Any) -> None:
    await engine_to_move(board)
    assert "It has ended." in board.says
    await board.play("A1A2", rest=3)
    assert board.moves == ["C4C3", "A1A2"]


@at_a_board()
async def test_a_win_that_an_engine_declares_is_claimed(
    board: Any, engines: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    claimed = set()

    def claim(now: float, text: str, seat: int) -> Press:
        claimed.add((text, seat))
        return Press(now, "no")

    monkeypatch.setattr(machine_module, "Claimed", claim)
    engines(DECLARES)
    host = at(board)
    host.seating.set_kind(0, PlayerKind(engine="/usr/games/engine", arguments=("--small",)))
    await asyncio.sleep(3)
    assert claimed == {(DECLARES, 0)}
    (engine,) = host.opponents.machine._engines.values()
    assert engine.program == "/usr/games/engine --small"


@at_a_board()
async def test_two_engines_run_side_by_side(board: Any, engines: Any) -> None:
    host = at(board)
    for seat, name in enumerate(("one", "other")):
        host.seating.set_kind(seat, PlayerKind(engine=f"/usr/games/{name}"))
    await asyncio.sleep(2)
    await board.play("C4C3", rest=3)  # for the first engine, which has ended
    engines = list(host.opponents.machine._engines.values())
    assert [each.program for each in engines] == ["/usr/games/one", "/usr/games/other"]
    assert not any(each.closed for each in engines)


# ---- whole games


@pytest.mark.deep
@at_a_board()
async def test_machines_play_each_other(board: Any) -> None:
    for seat in (0, 1):
        at(board).seating.set_kind(seat, BEGINNER)
    await asyncio.sleep(120)  # among their moves are such as bring a position back
    assert len(board.moves) > 12 or board.host.status().outcome is not None


@at_a_board(game="chaturaji")
async def test_dice_of_the_machine_fall_by_themselves(board: Any) -> None:
    host = at(board)
    for seat in range(4):
        host.seating.set_kind(seat, BEGINNER)
    await asyncio.sleep(90)
    assert len(board.moves) > 1


WHOLE_GAMES = [
    # Here a refill reads like an earlier placement of the other colour, until it is said …
    ("hex-reed-slots", 115),
    # … and here the reading changes while hands are still about the move.
    ("hex-reed-slots", 119),
    *(
        pytest.param(layout, seed, marks=pytest.mark.deep)
        for layout in ("hex-reed", "hex-hall")
        for seed in range(6)
    ),
]


@pytest.mark.parametrize(("layout", "seed"), WHOLE_GAMES)
@at_a_board(game="robotory")
async def test_machines_play_a_whole_game_with_refills(
    board: Any, monkeypatch: pytest.MonkeyPatch, layout: str, seed: int
) -> None:
    always_as(monkeypatch, seed)
    host = at(board)
    for seat in (0, 1):
        host.seating.set_kind(seat, BEGINNER)
    async with asyncio.timeout(600):
        while host.status().outcome is None:
            await asyncio.sleep(10)


AGAIN_S = 15.0
"""Seconds after which a person who was not understood makes the move again."""
HANDS_OFF_S = 3.0
"""Seconds without a touch after which a person takes the machine's hands to be done: a refill may
be read by its first token."""
STUCK_S = 240.0
"""Seconds without a move after which the match is stuck."""


class Person:
    """A person at the first seat, who makes the move that looks best and says which it was."""

    def __init__(self, board: Any, seed: int) -> None:
        self.board, self.host = board, board.host
        self.rng = Random(seed)
        self.played: dict[int, str] = {}  # by the plies before
        self.making: asyncio.Task[None] | None = None
        self.begun = 0.0
        self.touched: tuple[int, float] = -1, 0.0  # the table's revision, and since when

    def look(self) -> None:
        """Do what is to be done now."""
        host, session = self.host, self.host.controller.session
        match, now = session.view.match, host.now()
        questions = session.view.question
        for number, entry in questions.numbered:
            for text, step in zip(entry.candidates, entry.steps, strict=True):
                if entry.seat == 0 and self.played.get(step.plies - 1) == text:
                    host.post(Choose(now, text, number))
                    return
        if self.touched[0] != host.table.rev:
            self.touched = host.table.rev, now
        if now < self.touched[1] + HANDS_OFF_S or any(piece.hand for piece in host.table.pieces):
            return
        if match.turn != 0 or not host.opponents.machine.hands_off.lasts(session.view, now):
            return
        if self.making is not None and not self.making.done():
            return
        if match.plies in self.played and now < self.begun + AGAIN_S:
            return
        move = search(match.game, match.position, stop=lambda: False, deepest=1).moves[0].move
        self.played[match.plies] = match.game.move_text(match.position, move)
        self.begun = now
        making = make_move(host, move, self.rng.randrange(1 << 30))
        self.making = asyncio.create_task(making)


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("layout", ["hex-reed", "hex-hall"])
@at_a_board(game="robotory")
async def test_a_person_plays_a_whole_game_against_first_steps(
    board: Any, monkeypatch: pytest.MonkeyPatch, layout: str, seed: int
) -> None:
    rng = Random(seed)
    monkeypatch.setattr(machine_module, "random", rng)
    monkeypatch.setattr(simulation_module, "random", rng)
    host = at(board)
    host.seating.set_kind(1, BEGINNER)
    person = Person(board, seed)
    moved = 0, host.now()
    while host.status().outcome is None:
        await asyncio.sleep(0.5)
        person.look()
        if len(board.moves) != moved[0]:
            moved = len(board.moves), host.now()
        assert host.now() < moved[1] + STUCK_S, f"{moved[0]} moves, then: {board.says}"
