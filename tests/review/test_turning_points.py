"""The turning points of a past match on the board: the button `hint` goes from one to the next."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from pathlib import Path
from typing import Any

from engine.games import make
from engine.match import Match
from engine.search.explain import MoveReason
from engine.search.turning_points import JudgedPly, position_of
from firmware_host.i18n.messages import render
from firmware_host.lights.signals import Pattern, Signal
from firmware_host.session.events import Claimed
from firmware_host.storage.journal import Head, Journal, Player
from tests.review.test_on_the_board import at, follow, stands, title, wanted
from tests.support.journals import recorded
from tests.support.look_backs import KnownLookBack
from tests.support.real_board import Standing
from tests.support.stories import at_a_board

MOVES = ("B3B2", "B1B2", "B4B3", "B2C2", "C4C3", "A1A2")
LETS_WIN = MoveReason("lets-win", ending="lion-captured")
FIRST = JudgedPly(2, 0.0, "C4C3", 0.6, why=LETS_WIN)
SECOND = JudgedPly(3, 0.5, "B2B3", 1.0, best_why=MoveReason("wins", ending="lion-captured"))
GOOD = tuple(JudgedPly(number, 0.6, "", 0.6) for number in (0, 1))


async def play_to_the_end(board: Any, *judged: JudgedPly) -> KnownLookBack:
    """Play a match, resign, and begin to look at it."""
    told = board.host.look_backs = KnownLookBack(*judged)
    await board.play(*MOVES)
    board.host.post(Claimed(board.host.now(), "resign", 0))
    await asyncio.sleep(1.0)
    await board.push("hint", 0.1)
    return told


def buttons(board: Any) -> dict[str, str]:
    return {name: render(each) for name, each in board.host.status().buttons.items()}


def next_step(board: Any) -> str:
    return " ".join(map(render, board.host.status().next_step))


@at_a_board()
async def test_hint_goes_from_the_end_through_the_turning_points_and_back_to_it(
    board: Any,
) -> None:
    await play_to_the_end(board, *GOOD, FIRST, SECOND)
    assert at(board) == 7
    assert "hint" not in buttons(board), "it is not known where to"
    assert next_step(board) == "Looking at move 1 of 6 …"
    await asyncio.sleep(2.0)
    assert buttons(board)["hint"] == "the turning points"
    assert "A found 1 of 2 good moves." in board.says
    await board.push("hint")
    assert (at(board), title(board)) == (2, "Turning point 1 of 2")
    assert buttons(board)["hint"] == "the next turning point"
    await board.push("hint")
    assert (at(board), title(board)) == (3, "Turning point 2 of 2")
    assert buttons(board)["hint"] == "to the end"
    await board.push("hint")
    assert (at(board), title(board)) == (7, "A")
    await board.push("hint")
    assert title(board) == "Turning point 1 of 2"


@at_a_board()
async def test_the_better_move_is_lit_once_the_pieces_stand_and_said_with_its_reason(
    board: Any,
) -> None:
    await play_to_the_end(board, FIRST, SECOND)
    await asyncio.sleep(2.0)
    await board.push("hint")
    lights = board.host.controller.lights
    assert board.host.status().repair_plan
    assert Signal.TEAL not in {light.signal for light in lights.values()}
    await follow(board)
    assert stands(board) == wanted(board)
    lights = board.host.controller.lights
    assert (lights["C4"].signal, lights["C4"].pattern) == (Signal.TEAL, Pattern.FROM)
    assert (lights["C3"].signal, lights["C3"].pattern) == (Signal.TEAL, Pattern.TO)
    assert next_step(board) == (
        "Then your opponent takes your lion and wins. Better: giraffe from C4 to C3 (C4C3) ★."
    )
    assert "A played: lion from B4 to B3 (B4B3)." in board.says
    await board.push("hint")
    await follow(board)
    assert next_step(board).endswith("★. It takes the lion and wins.")


@at_a_board()
async def test_back_leaves_the_turning_points_and_hint_steps_on(board: Any) -> None:
    await play_to_the_end(board, FIRST, SECOND)
    await asyncio.sleep(2.0)
    await board.push("hint")
    await board.push("back")
    assert (at(board), title(board)) == (1, "Move 1, A")
    assert buttons(board)["hint"] == "one move on"
    await follow(board)
    teal = [light for light in board.host.controller.lights.values() if light.signal is Signal.TEAL]
    assert not teal
    await board.push("hint")
    assert (at(board), title(board)) == (2, "Move 2, B")


@at_a_board()
async def test_a_turning_point_is_played_again(board: Any) -> None:
    await play_to_the_end(board, FIRST, SECOND)
    await asyncio.sleep(2.0)
    await board.push("hint")
    await follow(board)
    assert buttons(board)["yes"] == "play on from here"
    await board.push("yes", 2.0)
    assert (at(board), board.moves) == (None, list(MOVES[:2]))
    await board.play("C4C3")
    assert board.moves == [*MOVES[:2], "C4C3"]


@at_a_board()
async def test_a_match_without_a_turning_point_says_so(board: Any) -> None:
    await play_to_the_end(board, *GOOD)
    await asyncio.sleep(2.0)
    assert "hint" not in buttons(board)
    assert "No single move decided this match." in board.says
    await board.push("hint")
    assert at(board) == 7


@at_a_board()
async def test_nothing_is_searched_for_a_match_that_is_no_longer_shown(board: Any) -> None:
    told = await play_to_the_end(board, *GOOD, FIRST, SECOND)
    await board.push("no", 3.0)
    assert at(board) is None
    assert told.told < 4
    rev = board.host.status().rev
    await asyncio.sleep(2.0)
    assert board.host.status().rev == rev


class Waiting(KnownLookBack):
    """A look back that waits until another match is judged."""

    waiting = 0

    async def follow(self, match: Match) -> AsyncGenerator[JudgedPly]:
        self.waiting += 1
        try:
            await asyncio.Event().wait()
            yield FIRST
        finally:
            self.waiting -= 1


@at_a_board()
async def test_nothing_waits_to_be_searched_for_a_match_that_is_no_longer_shown(board: Any) -> None:
    await play_to_the_end(board)
    told = board.host.look_backs = Waiting()
    for _ in range(3):
        board.host.review_mode.leave()
        board.host.review_mode.show("match")
        await asyncio.sleep(0.5)
        assert told.waiting == 1
    board.host.review_mode.leave()
    await asyncio.sleep(0.5)
    assert told.waiting == 0


@at_a_board()
async def test_the_whole_match_is_saved_whatever_step_is_shown(board: Any) -> None:
    await play_to_the_end(board)
    during = board.host.as_record()
    await board.push("back")
    await board.push("back")
    assert board.host.as_record() == during
    await board.push("no", 2.0)
    assert board.host.as_record() == during


def test_hint_goes_to_a_turning_point_on_real_wires(stand: Callable[..., None]) -> None:
    """With the real search: a lion walks beside the other one, which does not take it."""

    async def story(real: Standing) -> None:
        host = real.host
        await real.ready()
        for count, (start, end) in enumerate((("B4", "A3"), ("B1", "A2"), ("C4", "C3")), 1):
            await real.move(start, end)
            await real.until(lambda wanted=count: len(real.moves) == wanted)
        host.post(Claimed(host.now(), "resign", 0))
        await real.until(lambda: host.status().outcome)
        await real.push("hint")
        await real.until(lambda: host.review_mode.review.turns is not None)
        turns = host.review_mode.review.turns
        assert [turn.played.text for turn in turns][-2:] == ["B1A2", "C4C3"]
        for turn in turns:
            await real.push("hint")
            assert title(real).startswith("Turning point ")
            assert at(real) == turn.step

    stand(story)


def dice_match() -> Match:
    """A match of Chaturaji with some moves."""
    match = Match.begin(make("chaturaji"))
    while match.plies < 6:
        match = match.play(match.legal[0])
    return match


@at_a_board()
async def test_with_dice_a_turning_point_has_its_throw(board: Any, tmp_path: Path) -> None:
    match, host = dice_match(), board.host
    journal = Journal(tmp_path / "match-1.jsonl", Head(match.game, "square-reed", None, "one"))
    journal.players = (Player("Ania", "person"), *[Player("", "level:newcomer")] * 3)
    journal.write(recorded(match))
    journal.close()
    line = match.steps()
    numbers = [
        number
        for number, step in enumerate(line)
        if step.seat == 0 and step.plies and step.before and len(step.before.legal) > 1
    ]
    own = JudgedPly(numbers[-1], 0.1, texts(line[numbers[-1]])[1], 0.5)
    theirs = JudgedPly(numbers[-1] + 2, 0.0, "", 0.9)
    host.look_backs = KnownLookBack(own, theirs)
    host.review_mode.show("one")
    await asyncio.sleep(2.0)
    await board.push("hint")
    assert title(board) == "Turning point 1 of 1", "moves of the machine are none"
    point = position_of(match, own)
    assert match.game.position_text(host.position()) == point.position
    host.review_mode.play_on()
    await board.hands("2.0")
    assert match.game.position_text(host.position()) == point.position
    assert host.status().dice


def texts(step: Match) -> list[str]:
    before = step.before
    assert before is not None
    return [before.game.move_text(before.position, move) for move in before.legal]
