"""Hints, and the grades of the moves of a lifted piece."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec

from engine.search.explain import MoveReason
from firmware_host.i18n.messages import render
from firmware_host.lights.signals import Signal
from firmware_host.opponents.protocol import write
from firmware_host.players.help_levels import FINE_AT, MOST_HELP
from firmware_host.players.kinds import PERSON
from firmware_host.session.events import Assist
from tests.support.advisers import BEGINNER, answering, at, hint, lights, machine_to_move
from tests.support.stories import at_a_board


def forced(plies: int, code: str, best: MoveReason | None, number: int) -> dict[str, Any]:
    """Return what an adviser with a table says of a move: all win, or all lose, the best last."""
    if number == 0:
        return {"plies": plies, "grade": "best", "why": best}
    return {"plies": plies + 2, "grade": "losing", "why": MoveReason(code, n=7)}


def told(board: Any) -> list[str]:
    return [render(each) for each in board.host.status().says]


async def lifted(board: Any, place: str, level: int = 3) -> str:
    """Lift a piece, with that help; return what the board says of its moves."""
    board.host.post(Assist(board.host.now(), level, 0))
    await board.hands(f"{place}- 1.5")
    return str(board.says)


# ---- the steps of a hint


@at_a_board()
async def test_a_hint_tells_which_piece_then_where_to_then_why(board: Any) -> None:
    at(board)
    await board.play("C4C3", "A1A2", "C3C2")  # now the giraffe can be taken
    board.host.seating.set_kind(0, PERSON)
    assert "Hint: move the" in await hint(board)
    assert [light.signal for light in lights(board).values()].count(Signal.TEAL) == 1
    assert " takes giraffe on C2 " in await hint(board)
    assert [light.signal for light in lights(board).values()].count(Signal.TEAL) == 2
    assert lights(board)["C2"].signal is Signal.TEAL
    reason = await hint(board)
    assert "It wins the giraffe on C2: nothing can take back." in reason
    (step,) = board.host.status().next_step
    assert render(step) == "It wins the giraffe on C2: nothing can take back."
    assert "Hint" not in await hint(board)
    await hint(board)
    await asyncio.sleep(25)
    assert "Hint" not in board.says  # it goes out by itself


@at_a_board()
async def test_the_steps_of_a_hint_are_about_one_move(board: Any) -> None:
    host = at(board)
    adviser = host.opponents.analysis

    async def thinks_again() -> None:
        turned = tuple(reversed(adviser.answer.moves))
        adviser._receive(write(msgspec.structs.replace(adviser.answer, moves=turned)))
        await asyncio.sleep(0.5)

    await board.play("C4C3")
    await hint(board)
    first = adviser.answer.moves[0].move
    assert f"({first})" in await hint(board)
    await thinks_again()
    assert f"({first})" in board.says
    assert f"({first})" in await hint(board)
    await hint(board)
    await hint(board)  # now it is asked for again
    await thinks_again()
    better = adviser.answer.moves[0].move
    assert better != first
    assert f"({better})" in await hint(board)


@at_a_board()
async def test_a_hint_names_the_place_and_never_ends_in_silence(board: Any) -> None:
    at(board, answering(lambda number: {"why": None, "line": (), "plies": None}))
    await board.play("C4C3")
    which = await hint(board)
    place = which.partition(" on ")[2][:2]
    assert f" from {place} " in await hint(board)
    assert "No other move looks better." not in board.says
    assert "No other move looks better." in await hint(board)


@at_a_board(layout="hex-hall", game="robotory")
async def test_what_has_no_place_yet_is_named_before_where_it_goes(board: Any) -> None:
    at(board)
    assert "Hint: place the" in await hint(board)
    assert "put on" not in board.says
    assert "put on" in await hint(board)


# ---- when there is one


@at_a_board()
async def test_no_hint_is_given_while_the_board_stands_wrong(board: Any) -> None:
    at(board)
    await board.hands("C4- A2+ 5")
    assert "Move the giraffe from A2 to C4." in await hint(board)
    assert "Hint" not in board.says
    await board.hands("A2- C4+ 2")
    assert "Hint: move the" in board.says  # it was asked for


@at_a_board()
async def test_a_hint_comes_before_what_is_over(board: Any) -> None:
    at(board)
    await board.play("C4C3")
    await hint(board)
    assert told(board)[0].startswith("Hint: ")
    assert told(board)[-1] == "It is B's turn."


@at_a_board()
async def test_the_machine_is_given_no_hint(board: Any) -> None:
    host = at(board)
    host.seating.set_hands_move(False)
    assert "hint" in host.status().buttons
    host.seating.set_kind(0, BEGINNER)
    await asyncio.sleep(3)
    assert "hint" not in host.status().buttons
    assert told(board)[0].startswith("Now the machine plays. Make this move on the board: ")


@at_a_board()
async def test_a_hand_movement_is_said_once(board: Any) -> None:
    await machine_to_move(board)
    assert "Move the" not in board.says  # the move itself says it
    await board.hands("A4- 0.3 A3+ 3")
    first = [each.partition(".")[0] for each in told(board) if each.startswith(("Move", "Now"))]
    assert first == ["Move the elephant from A3 to A4", "Now the machine plays"]


@at_a_board()
async def test_nothing_is_shown_before_it_is_asked_for(board: Any) -> None:
    host = at(board)
    host.post(Assist(host.now(), 3, 0))
    await asyncio.sleep(3)
    assert not any(light.signal is Signal.TEAL for light in lights(board).values())
    assert "Hint" not in board.says
    host.post(Assist(host.now(), 2, 0))
    await board.hands("B4- 1")
    assert not any(light.grade for light in lights(board).values())


# ---- what is certain


@at_a_board()
async def test_what_is_certain_of_a_hint_and_of_the_moves_of_a_lifted_piece_is_said(
    board: Any,
) -> None:
    at(board, answering(lambda number: {"plies": 13}))
    certain = "wins in 13 moves, counting both sides."
    assert certain not in await hint(board)  # which piece, and no more
    assert certain in await hint(board)
    assert f"C4C3 {certain}" in await lifted(board, "C4")


@at_a_board()
async def test_how_soon_it_ends_is_said_once(board: Any) -> None:
    why = MoveReason("wins-by-force", n=7)
    at(board, answering(lambda number: forced(14, "wins-by-force", why, number)))
    await hint(board)
    await hint(board)
    reason = await hint(board)
    assert reason.startswith("It wins, whatever your opponent does. The game may continue: ")
    assert "wins in 14 moves, counting both sides." in reason
    assert "7 moves" not in reason


@at_a_board()
async def test_where_every_move_loses_it_is_said_which_holds_out_and_that_nothing_is_over(
    board: Any,
) -> None:
    at(board, answering(lambda number: forced(-14, "loses-by-force", None, number)))
    await hint(board)
    hinted = await hint(board)
    assert "lasts longest: 14 more moves, counting both sides." in hinted
    assert "Your opponent can win now, but only without a mistake." in hinted
    await hint(board)
    await hint(board)
    said = await lifted(board, "B4")
    assert "lasts 12 more moves, counting both sides." in said
    assert said.count("only without a mistake.") == 1
    assert "loses" not in said
    assert "by force" not in said


@at_a_board()
async def test_what_perfect_play_comes_to_far_away_is_said_once_and_last(board: Any) -> None:
    """At the start of Robot Duel the other side would win, in 78 plies."""
    at(board)
    with_a_piece_lifted = await lifted(board, "B4")
    await board.hands("B4+ 1")
    for said in (with_a_piece_lifted, await hint(board), await hint(board)):
        assert not any(word in said for word in ("win", "loses", "holds out"))
    reason = await hint(board)
    assert reason.count("With perfect play by both sides your opponent wins") == 1


# ---- grades


@at_a_board()
async def test_the_help_level_says_how_much_a_fine_move_may_give_away(board: Any) -> None:
    adviser = at(board).opponents.analysis
    await hint(board)
    assert adviser.asked == FINE_AT[2] == 0.05
    await lifted(board, "C4")
    assert adviser.asked == FINE_AT[3] == 0.1
    moves = adviser._asked.answer.moves
    best = moves[0].chance
    assert {each.grade for each in moves if best - each.chance <= 0.1} <= {"best", "fine"}


@at_a_board()
async def test_the_highest_help_level_also_shows_small_mistakes(board: Any) -> None:
    adviser = at(board).opponents.analysis
    await lifted(board, "C4", 4)
    assert adviser.asked == FINE_AT[4] == 0.02
    assert lights(board)["C3"].grade  # it lights grades, as level 3 does
    board.host.post(Assist(board.host.now(), 9, 0))
    await asyncio.sleep(0.1)
    assert board.host.status().assist[0] == MOST_HELP == len(FINE_AT) - 1


@at_a_board()
async def test_the_moves_of_a_lifted_piece_are_graded_up_to_the_limit_of_the_turn(
    board: Any,
) -> None:
    host = at(board)
    host.seating.set_grading(0, 1)

    async def graded(place: str) -> bool:
        await lifted(board, place)
        found = any(light.grade for light in lights(board).values())
        await board.hands(f"{place}+ 1")
        return found

    assert await graded("B4")
    assert await graded("B4")  # the same piece again
    assert not await graded("C4")  # plain words
    host.seating.set_grading(0, 0)
    assert await graded("C4")


@at_a_board()
async def test_why_the_moves_of_a_lifted_piece_are_bad_is_said(board: Any) -> None:
    at(board)
    await board.play("C4C3", "A1A2")
    assert "C3C2: On C2 the lion on B1 can take the giraffe." in await lifted(board, "C3")
