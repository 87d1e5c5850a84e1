"""A past match on the board: the buttons step through it, and hands follow the lights."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from engine.game import Piece
from engine.games import make
from firmware_host.i18n.messages import render
from firmware_host.lights.signals import Pattern, Signal
from firmware_host.session.events import Claimed
from firmware_host.simulation.virtual_table import BOX, VirtualPiece
from firmware_host.storage.journal import Head, Journal, Player
from tests.support.journals import played
from tests.support.real_board import Standing
from tests.support.stories import at_a_board

OPENING = ("B3B2", "B1B2", "C4C3")


def stands(board: Any) -> dict[str, str]:
    """Return which kinds of pieces lie on the cells."""
    table = board.host.table
    lying = {cell: table.at(table.place(cell)) for cell in board.host.game.cells()}
    return {cell: pieces[-1].face for cell, pieces in lying.items() if pieces}


def wanted(board: Any) -> dict[str, str]:
    """Return which kinds of pieces the step that is shown has on the cells."""
    game = board.host.game
    pieces = game.pieces(board.host.position())
    return {cell: pieces[cell].kind for cell in game.cells() if cell in pieces}


def looks_like(
    wanted: Piece | None, piece: VirtualPiece, seats: Sequence[str]
) -> tuple[bool, bool]:
    """Return what of a piece is as wanted: its front, its owner."""
    if wanted is None:
        return (False, False)
    owner = "" if wanted.owner is None else seats[wanted.owner]
    return piece.kind == wanted.kind.removeprefix("+"), piece.owner == owner


async def follow(board: Any) -> int:
    """Do what the lights show, until they show no more; return with how many movements."""
    table = board.host.table
    for number in range(20):
        plan = board.host.status().repair_plan
        if not plan:
            return number
        step = plan[0]
        start = table.place(step.start) if step.start else BOX
        lying = [each for each in table.pieces if each.place == start]
        piece = max(lying, key=lambda each: looks_like(step.piece, each, board.host.game.seats))
        table.lift(piece.number, "hand")
        await asyncio.sleep(0.4)
        if step.turned:
            table.flip(piece.number, "hand")
        table.put(piece.number, table.place(step.end) if step.end else BOX, "hand")
        await asyncio.sleep(0.6)
    raise AssertionError(plan)


async def resign(board: Any, seat: int = 1) -> None:
    board.host.post(Claimed(board.host.now(), "resign", seat))
    await asyncio.sleep(1.0)


def at(board: Any) -> int | None:
    review = board.host.status().review
    return None if review is None else review.at


def title(board: Any) -> str:
    return render(board.host.status().turn_line)


@pytest.mark.parametrize("layout", ["square-reed", "square-hall"])
@at_a_board()
async def test_hands_follow_the_lights_to_the_start_and_to_the_end(
    board: Any, whole_game: tuple[str, ...], tmp_path: Path, layout: str
) -> None:
    await board.play(*whole_game)
    while board.host.status().question:  # a reed switch does not feel a promotion
        await board.push("yes")
    assert "press “hint”" in board.says
    journal = (tmp_path / "match.jsonl").read_bytes()
    await board.push("hint")
    last = len(whole_game)
    assert (at(board), board.host.status().repair_plan) == (last, ())
    assert "C2 takes elephant on C1" in board.says
    assert board.colours(), "the last move is lit"
    steps = [("back", each) for each in range(last - 1, -1, -1)]
    steps += [("back", 0)] + [("hint", each) for each in range(1, last + 1)] + [("hint", last)]
    movements = 0
    for button, step in steps:
        await board.push(button, 0.5)
        assert at(board) == step
        movements += await follow(board)
        assert stands(board) == wanted(board), title(board)
    assert movements > 2 * last, "captured pieces go back to the board, and again into the trays"
    await board.push("no")
    assert at(board) is None
    assert board.moves == list(whole_game)
    assert board.host.status().outcome is not None
    assert (tmp_path / "match.jsonl").read_bytes() == journal


@at_a_board()
async def test_each_step_is_lit_and_said(board: Any) -> None:
    await board.play(*OPENING)
    await resign(board)
    await board.push("hint")
    assert at(board) == 4
    assert title(board) == "B"
    assert "A wins" in board.says
    await board.push("back")  # only the claim
    assert (at(board), title(board)) == (3, "Move 3, A")
    assert board.wrong == ((), ())
    await board.push("back")
    assert title(board) == "Move 2, B"
    lights = board.host.controller.lights
    assert (lights["C3"].signal, lights["C3"].pattern) == (Signal.RED, Pattern.FROM)
    assert (lights["C4"].signal, lights["C4"].pattern) == (Signal.WHITE, Pattern.TO)
    assert "Move the giraffe from C3 to C4." in board.says
    assert set(board.host.status().buttons) == {"back", "hint", "yes", "no"}
    await board.push("back")
    await board.push("back")
    await board.push("back")  # there is nothing before the start
    assert (at(board), title(board)) == (0, "The start")
    assert set(board.host.status().buttons) == {"hint", "yes", "no"}
    assert board.host.status().repair_plan
    assert board.host.status().set_up == (), "the moves stand there, not what is in place"
    await follow(board)
    assert stands(board) == wanted(board)


@at_a_board()
async def test_hands_that_move_otherwise_make_no_move(board: Any) -> None:
    await board.play(*OPENING)
    await resign(board)
    await board.push("hint")
    await board.push("back")
    await board.push("back")
    await follow(board)
    await board.hands("B4- C3+ 4")  # which the rules allow
    assert (at(board), board.moves) == (2, list(OPENING[:2]))
    assert board.wrong == (("B4",), ("C3",))
    await board.hands("C3- B4+ 2")
    assert board.wrong == ((), ())
    await board.push("hint")
    await follow(board)
    assert stands(board) == wanted(board)


@at_a_board()
async def test_a_piece_that_is_taken_is_lit_until_it_is_off(board: Any) -> None:
    await board.play("B3B2")
    await resign(board)
    await board.push("hint")
    await board.push("back")
    await board.push("back")
    await follow(board)
    await board.push("hint")
    await board.hands("B3- 1")  # now each cell reads as it should
    assert board.wrong == ((), ())
    assert [step.start for step in board.host.status().repair_plan] == ["B2", None]
    await board.hands("B2- B2+ hand.A.C+ 1")
    assert board.host.status().repair_plan == ()
    assert stands(board) == wanted(board)


@at_a_board()
async def test_a_match_of_its_own_goes_on_from_the_step_that_is_shown(
    board: Any, tmp_path: Path
) -> None:
    host = board.host
    await board.play(*OPENING)
    await resign(board)
    await board.push("hint")
    review = host.status().review
    assert review.goes_on, "the match could go on where the player has resigned"
    await board.push("back")
    await board.push("back")
    await follow(board)
    lay = stands(board)
    await board.push("yes", 2.0)
    assert (at(board), board.moves, stands(board)) == (None, list(OPENING[:2]), lay)
    assert host.status().outcome is None
    await board.play("B4C3")
    assert board.moves == [*OPENING[:2], "B4C3"]
    host.library.update()
    (kept,) = (each for each in host.library.page().matches if each.id == review.match)
    assert (kept.summary.plies, kept.in_play) == (3, False)
    assert kept.summary.ending is not None


@at_a_board()
async def test_no_match_goes_on_after_its_end(board: Any, whole_game: tuple[str, ...]) -> None:
    await board.play(*whole_game)
    while board.host.status().question:
        await board.push("yes")
    await board.push("hint")
    assert "yes" not in board.host.status().buttons
    await board.push("yes")
    assert at(board) == len(whole_game)


@at_a_board()
async def test_hands_that_set_up_the_start_begin_another_match(
    board: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, seen = board.host, []
    look = host.opponents.look

    def noted(controller: Any, now: float) -> Any:
        seen.append(controller is host.controller)
        return look(controller, now)

    monkeypatch.setattr(host.opponents, "look", noted)
    await board.play(*OPENING)
    await resign(board)
    await board.push("hint")
    await board.push("back")
    review = board.host.status().review
    await board.hands("C3- C4+ B2- B1+ hand.B.C- B3+ 3")
    assert at(board) == 3, "a chick is not back yet"
    await board.hands("hand.A.C- B2+ 3")
    assert (at(board), board.moves, board.wrong) == (None, [], ((), ()))
    assert all(seen), "no opponent looks at the board that showed the past match"
    board.host.library.update()
    (kept,) = (each for each in board.host.library.page().matches if each.id == review.match)
    assert kept.summary.ending is not None
    await board.play("C4C3")
    assert board.moves == ["C4C3"]


@at_a_board()
async def test_a_step_to_the_start_begins_no_match(board: Any) -> None:
    await board.play("C4C3")
    await resign(board)
    await board.push("hint")
    assert at(board) == 2
    await board.hands("C3- C4+ 4")  # where the step before has it
    assert at(board) == 2
    await board.push("back")
    await board.push("back")
    assert (at(board), board.wrong) == (0, ((), ()))
    await board.hands("5.0")
    assert at(board) == 0


@at_a_board()
async def test_steps_that_hands_do_not_follow_begin_no_match(board: Any) -> None:
    await board.play("C4C3", "A1A2", "C3C4", "A2A1", "C4C3", "A1A2")
    await resign(board)
    await board.push("hint")
    for _ in range(3):
        await board.push("back")
    await follow(board)
    assert at(board) == 4, "the pieces stand as at the start"
    for _ in range(3):
        await board.push("hint")
    await board.hands("5.0")
    assert at(board) == 7
    await follow(board)
    assert stands(board) == wanted(board)


def keep_another(state: Path, layout: str = "square-reed") -> None:
    """Keep a match with the id `one` in the state directory."""
    game = make("robot-duel")
    journal = Journal(state / "match-1.jsonl", Head(game, layout, None, "one"))
    journal.players = (Player("Ania", "person"), Player("", "level:plans"))
    journal.write(played(game, OPENING))
    journal.close()


@at_a_board()
async def test_a_match_in_play_waits_while_another_one_is_shown(board: Any, tmp_path: Path) -> None:
    host = board.host
    keep_another(tmp_path)
    await board.play("C4C3")
    host.review_mode.show("one", 2)
    await board.hands("1.0")
    assert (at(board), title(board)) == (2, "Move 2, the machine")
    assert stands(board) == wanted(board), "the pieces set themselves up"
    host.review_mode.show("one", 1)
    await board.hands("1.0")
    assert (at(board), title(board)) == (1, "Move 1, Ania")
    host.resume("match")
    await board.hands("1.0")
    assert (at(board), board.moves, board.wrong) == (None, ["C4C3"], ((), ()))
    await board.play("A1A2")
    assert board.moves == ["C4C3", "A1A2"]


@at_a_board()
async def test_a_lesson_takes_the_place_of_a_past_match(board: Any, tmp_path: Path) -> None:
    host = board.host
    keep_another(tmp_path)
    await board.play("C4C3")
    host.review_mode.show("one")
    host.lesson_mode.learn("robot-duel-01")
    await board.hands("1.0")
    assert (at(board), host.lesson_mode.lesson.name) == (None, "robot-duel-01")
    host.review_mode.show("one", 0)
    assert (at(board), host.lesson_mode.lesson) == (0, None)
    host.lesson_mode.learn("")
    await board.hands("1.0")
    assert board.moves == ["C4C3"]


def test_a_past_match_is_shown_on_real_wires(stand: Callable[..., None]) -> None:
    async def story(real: Standing) -> None:
        host = real.host
        await real.ready()
        await real.move("C4", "C3")
        await real.until(lambda: real.moves == ["C4C3"])
        await real.move("A1", "A2")
        await real.until(lambda: real.moves == ["C4C3", "A1A2"])
        await real.push("hint")
        assert at(real) is None, "it is a hint during the match"
        host.post(Claimed(host.now(), "resign", 0))
        await real.until(lambda: host.status().outcome)
        await real.push("hint")
        await real.until(lambda: at(real) == 3)
        await real.push("back")
        await real.push("back")
        await real.until(lambda: at(real) == 1)
        await real.until(lambda: len(host.status().repair_plan) == 1)
        await real.move("A2", "A1")
        await real.until(lambda: not host.status().repair_plan)
        assert real.moves == ["C4C3"]
        await real.push("yes")
        await real.until(lambda: at(real) is None)
        await real.until(lambda: not host.controller.session.view.repair.settling)
        await real.move("A1", "A2")
        await real.until(lambda: real.moves == ["C4C3", "A1A2"])
        assert host.status().outcome is None

    stand(story)
