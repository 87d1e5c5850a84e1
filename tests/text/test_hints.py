"""What the steps of a hint say fits together, and stands where it is seen."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec

from engine.search.explain import MoveReason
from firmware_host.i18n.messages import render
from firmware_host.opponents.protocol import Analysis, read_answer, write
from firmware_host.session.events import Assist
from tests.opponents.test_opponents_at_the_board import BEGINNER, AtOnce, at, hint


class Wavering(AtOnce):
    """An analysis that may find another move best later on."""

    answer: Analysis

    def _receive(self, line: bytes) -> None:
        self.answer = read_answer(line)
        super()._receive(line)

    def thinks_again(self) -> None:
        turned = tuple(reversed(self.answer.moves))
        self._receive(write(msgspec.structs.replace(self.answer, moves=turned)))


class Forced(AtOnce):
    """An analysis that has a table, and reasons that count moves: all win; or all lose, some sooner
    than the best.
    """

    loses = False

    def _receive(self, line: bytes) -> None:
        answer = read_answer(line)
        plies, code = (-14, "loses-by-force") if self.loses else (14, "wins-by-force")
        moves = [
            msgspec.structs.replace(
                each,
                plies=plies + 2 * (number > 0),
                grade="losing" if number else "best",
                why=MoveReason(code, n=7) if number or not self.loses else None,
            )
            for number, each in enumerate(answer.moves)
        ]
        super()._receive(write(msgspec.structs.replace(answer, moves=moves)))


class Lost(Forced):
    """The same where every move loses."""

    loses = True


class Silent(AtOnce):
    """An analysis that knows no reasons, nor how it may go on."""

    def _receive(self, line: bytes) -> None:
        answer = read_answer(line)
        moves = [
            msgspec.structs.replace(each, why=None, line=(), plies=None) for each in answer.moves
        ]
        super()._receive(write(msgspec.structs.replace(answer, moves=moves)))


def told(board: Any) -> list[str]:
    return [render(each) for each in board.host.status().says]


def test_where_to_and_why_are_told_of_one_move(sit: Any) -> None:
    async def story(board: Any) -> None:
        host = at(board, Wavering)
        await board.play("C4C3")
        await hint(board)
        first = host.opponents.analysis.answer.moves[0].move
        assert f"({first})" in await hint(board)
        host.opponents.analysis.thinks_again()
        await asyncio.sleep(0.5)
        assert f"({first})" in board.says
        assert f"({first})" in await hint(board)
        await hint(board)
        await hint(board)  # now it is asked for again
        host.opponents.analysis.thinks_again()
        await asyncio.sleep(0.5)
        better = host.opponents.analysis.answer.moves[0].move
        assert better != first
        assert f"({better})" in await hint(board)

    sit(story)


def test_how_soon_it_ends_is_said_once(sit: Any) -> None:
    async def story(board: Any) -> None:
        at(board, Forced)
        await hint(board)
        await hint(board)
        reason = await hint(board)
        assert "wins in 14 moves, counting both sides. It wins by force." in reason
        assert "7 moves" not in reason

    sit(story)


def test_where_every_move_loses_it_is_said_which_holds_out_and_that_nothing_is_over(
    sit: Any,
) -> None:
    async def story(board: Any) -> None:
        host = at(board, Lost)
        await hint(board)
        hinted = await hint(board)
        assert "lasts longest: 14 more moves, counting both sides." in hinted
        assert "Your opponent can win now, but only without a mistake." in hinted
        await hint(board)
        await hint(board)
        host.post(Assist(host.now(), 3, 0))
        await board.hands("B4-")
        await asyncio.sleep(1)
        assert "lasts 12 more moves, counting both sides." in board.says
        assert board.says.count("only without a mistake.") == 1
        assert "loses" not in board.says
        assert "by force" not in board.says

    sit(story)


def test_what_perfect_play_comes_to_far_away_is_said_once_and_last(sit: Any) -> None:
    """At the start of Robot Duel the other side would win, in 78 plies."""

    async def story(board: Any) -> None:
        host = at(board)
        host.post(Assist(host.now(), 3, 0))
        await board.hands("B4-")
        await asyncio.sleep(1)
        lifted = board.says
        await board.hands("B4+")
        await asyncio.sleep(1)
        for said in (lifted, await hint(board), await hint(board)):
            assert not any(word in said for word in ("win", "loses", "holds out"))
        reason = await hint(board)
        assert reason.count("With perfect play by both sides your opponent wins") == 1

    sit(story)


def test_a_hint_names_the_place_and_never_ends_in_silence(sit: Any) -> None:
    async def story(board: Any) -> None:
        at(board, Silent)
        await board.play("C4C3")
        which = await hint(board)
        place = which.partition(" on ")[2][:2]
        assert f" from {place} " in await hint(board)
        assert "No other move looks better." not in board.says
        assert "No other move looks better." in await hint(board)

    sit(story)


def test_no_hint_is_given_while_the_board_stands_wrong(sit: Any) -> None:
    async def story(board: Any) -> None:
        at(board)
        await board.hands("C4- A2+")
        await asyncio.sleep(5)
        assert "Move the giraffe from A2 to C4." in await hint(board)
        assert "Hint" not in board.says
        await board.hands("A2- C4+")
        await asyncio.sleep(2)
        assert "Hint: move the" in board.says  # it was asked for

    sit(story)


def test_a_hint_comes_before_what_is_over(sit: Any) -> None:
    async def story(board: Any) -> None:
        at(board)
        await board.play("C4C3")
        await hint(board)
        assert told(board)[0].startswith("Hint: ")
        assert told(board)[-1] == "It is B's turn."

    sit(story)


def test_what_has_no_place_yet_is_named_before_where_it_goes(sit: Any) -> None:
    async def story(board: Any) -> None:
        at(board)
        assert "Hint: place the" in await hint(board)
        assert "put on" not in board.says
        assert "put on" in await hint(board)

    sit(story, game="robotory", layout="hex-hall")


def test_the_machine_is_given_no_hint(sit: Any) -> None:
    async def story(board: Any) -> None:
        host = at(board)
        host.set_hands_move(False)
        assert "hint" in host.status().buttons
        host.set_player(0, BEGINNER)
        await asyncio.sleep(3)
        assert "hint" not in host.status().buttons
        assert told(board)[0].startswith("Now the machine plays. Make this move on the board: ")

    sit(story)


def test_a_hand_movement_is_said_once(sit: Any) -> None:
    async def story(board: Any) -> None:
        host = at(board)
        host.set_hands_move(False)
        host.set_player(1, BEGINNER)
        await board.play("C4C3", rest=3)
        assert "Move the" not in board.says  # the move itself says it
        await board.hands("A4- 0.3 A3+")
        await asyncio.sleep(3)
        moving = [each for each in told(board) if each.startswith("Move the")]
        assert moving == ["Move the elephant from A3 to A4."]
        assert told(board).index(moving[0]) < told(board).index(
            next(each for each in told(board) if each.startswith("Now the machine plays."))
        )

    sit(story)
