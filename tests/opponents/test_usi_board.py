"""The person at the board as the engine of another program: the program is a script, the hands are
those of a simulated board.
"""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from engine.games import make
from firmware_host.lights.signals import Signal
from firmware_host.opponents.usi_board import UsiBoard
from firmware_host.players.kinds import PlayerKind
from firmware_host.session.events import Claimed
from tests.support.stories import at_a_board
from tests.support.usi import ENTERED

SOON_S = 3.0
BEGINS = ("usi", "isready", "usinewgame")
at_shogi = at_a_board(game="shogi")


class Program:
    """A scripted program that lets the person at a board play."""

    def __init__(self, board: Any) -> None:
        self.said: list[str] = []
        self.board = board
        host = board.host
        opponents = host.opponents
        self.usi = UsiBoard(
            self.said.append,
            host.wake,
            host.begin_at,
            opponents.follower(),
            opponents.machine.hands_off,
        )
        opponents.elsewhere, host.seating.only_people = self.usi, True

    async def tell(self, *lines: str, rest: float = SOON_S) -> None:
        for line in lines:
            self.usi.take(line)
        await asyncio.sleep(rest)

    @property
    def best(self) -> list[str]:
        return [each.removeprefix("bestmove ") for each in self.said if "bestmove" in each]


def lit(board: Any) -> dict[str, Signal]:
    return {p: light.signal for p, light in board.host.status().lights.items() if light.level == 1}


@at_shogi
async def test_it_introduces_itself(board: Any) -> None:
    program = Program(board)
    program.usi.notes.append("the page is open")
    await program.tell("usi", "isready", "what?", "", "setoption name USI_Hash value 64")
    assert program.said[0] == "id name Lampion board"
    assert program.said[-3:] == ["usiok", "info string the page is open", "readyok"]
    assert "Begin a game in the other program." in board.says


@at_shogi
async def test_the_moves_of_hands_are_the_best_moves(board: Any) -> None:
    program = Program(board)
    await program.tell(*BEGINS, "position startpos", "go btime 60000 wtime 60000 byoyomi 10000")
    assert program.best == []
    assert "Waiting for the move" not in board.says
    await board.hands("7g- 7f+ 2")
    assert program.best == ["7g7f"]
    assert "Waiting for the move from the other program." in board.says
    await program.tell("position startpos moves 7g7f 3c3d", "go byoyomi 10000")
    assert lit(board)["3c"] == Signal.WHITE
    assert lit(board)["3d"] == Signal.BLUE
    assert (
        "Now the other program plays. Make this move on the board: pawn from 3c to 3d" in board.says
    )
    await board.hands("3c- 3d+ 2")
    assert board.moves == ["7g7f", "3c3d"]
    assert len(program.best) == 1
    await board.hands("2g- 2f+ 2")
    assert program.best == ["7g7f", "2g2f"]


@at_shogi
async def test_the_person_plays_the_other_side(board: Any) -> None:
    program = Program(board)
    await program.tell(*BEGINS, "position startpos moves 2g2f", "go")
    await board.hands("2g- 2f+ 2 8c- 8d+ 2")
    assert program.best == ["8c8d"]


@at_shogi
async def test_what_hands_play_for_the_program_is_taken_back(board: Any) -> None:
    program = Program(board)
    await program.tell(*BEGINS, "position startpos", "go")
    await board.hands("7g- 7f+ 2 3c- 3d+ 5")
    assert program.best == ["7g7f"]
    assert board.moves == ["7g7f"]
    assert board.wrong == (("3c",), ("3d",))
    await board.hands("3d- 3c+ 2")
    await program.tell("position startpos moves 7g7f 8c8d", "go")
    await board.hands("8c- 8d+ 2")
    assert board.moves == ["7g7f", "8c8d"]


@at_shogi
async def test_a_takeback_in_the_program_is_followed(board: Any) -> None:
    program = Program(board)
    await program.tell(*BEGINS, "position startpos", "go")
    await board.hands("7g- 7f+ 2")
    await program.tell("position startpos moves 7g7f 3c3d", "go")
    await board.hands("3c- 3d+ 2")
    await program.tell("stop", "position startpos", "go", rest=5)
    assert program.best == ["7g7f", "resign"]  # the program asked for a move, and there was none
    assert board.moves == []
    assert board.wrong == (("3c", "7g"), ("3d", "7f"))
    await board.hands("3d- 3c+ 7f- 7g+ 2 2g- 2f+ 2")
    assert program.best[-1] == "2g2f"


@at_shogi
async def test_a_takeback_at_the_board_asks_for_the_move_again(board: Any) -> None:
    program = Program(board)
    await program.tell(*BEGINS, "position startpos moves 7g7f", "go")
    await board.hands("7g- 7f+ 2")
    await board.push("back", 2)
    await board.hands("7f- 7g+ 2")
    assert board.moves == []
    assert lit(board)["7f"] == Signal.BLUE
    await board.hands("7g- 7f+ 2 3c- 3d+ 2")
    assert program.best == ["3c3d"]


@at_shogi
async def test_stop_sends_what_hands_have_made_so_far(board: Any) -> None:
    program = Program(board)
    await program.tell(*BEGINS, "position startpos", "go")
    await board.hands("7g- 7f+ 0.3")
    assert board.moves == ["7g7f"]
    assert program.best == []  # the hand may go on
    await program.tell("stop", rest=0)
    assert program.best == ["7g7f"]


@at_shogi
async def test_a_move_is_not_sent_before_it_is_released(board: Any) -> None:
    program = Program(board)
    await program.tell(*BEGINS, "position startpos", "go infinite")
    await board.hands("7g- 7f+ 3")
    assert program.best == []
    await program.tell("stop", rest=0)
    assert program.best == ["7g7f"]


@at_shogi
async def test_an_expected_move_is_lit_when_it_is_made(board: Any) -> None:
    program = Program(board)
    await program.tell(*BEGINS, "position startpos moves 7g7f", "go ponder")
    assert board.host.status().request == ""
    await program.tell("ponderhit")
    assert board.host.status().request == "7g7f"
    await board.hands("7g- 7f+ 2 3c- 3d+ 2")
    assert program.best == ["3c3d"]


@at_shogi
async def test_an_expected_move_that_is_not_made_needs_an_answer(board: Any) -> None:
    program = Program(board)
    await program.tell(*BEGINS, "position startpos moves 7g7f", "go ponder", "stop")
    game = make("shogi")
    after = game.play(game.start(), game.parse_move(game.start(), "7g7f"))
    assert game.move_text(after, game.legal(after)[0]) == program.best[0]
    await program.tell("position startpos moves 2g2f", "go")
    assert board.host.status().request == "2g2f"


@at_shogi
async def test_the_button_resigns(board: Any) -> None:
    program = Program(board)
    await program.tell(*BEGINS, "position startpos", "go")
    board.host.post(Claimed(board.host.now(), "resign", 0))
    await asyncio.sleep(SOON_S)
    assert program.best == ["resign"]


@at_shogi
async def test_the_person_declares_a_win(board: Any) -> None:
    program = Program(board)
    await program.tell("usi", "setoption name EnteringKingRule value CSARule27", "isready")
    await program.tell("usinewgame", f"position sfen {ENTERED}", "go")
    assert board.wrong == ((), ())
    board.host.post(Claimed(board.host.now(), "declare", 0))
    await asyncio.sleep(SOON_S)
    assert program.best == ["win"]


@at_shogi
async def test_a_new_game_is_a_match_of_its_own(board: Any) -> None:
    program = Program(board)
    await program.tell(*BEGINS, "position startpos", "go")
    await board.hands("7g- 7f+ 2")
    first = board.host.match_id
    await program.tell("gameover win")
    assert "the person at the board wins" in board.says
    await program.tell("usinewgame", "position startpos moves 2g2f", "go")
    assert board.host.match_id != first
    assert board.moves == []
    await board.hands("2g- 2f+ 2 3c- 3d+ 2")
    assert program.best == ["7g7f", "3c3d"]


@at_shogi
async def test_the_other_game_that_engines_know(board: Any) -> None:
    program = Program(board)
    await program.tell("usi", "setoption name USI_Variant value dobutsu", *BEGINS[1:])
    await program.tell("position startpos", "go")
    assert board.host.game.name == "robot-duel"
    await board.hands("C4- C3+ 2")
    assert program.best == ["1d1c"]


@pytest.mark.parametrize(
    "line", ["position startpos moves 7g7e", "position nowhere", "position sfen 9 b", "position"]
)
@at_shogi
async def test_a_wrong_position_is_given_up(board: Any, line: str) -> None:
    program = Program(board)
    await program.tell(*BEGINS, line, "go")
    assert program.best == ["resign"]
    assert any(each.startswith("info string") for each in program.said)


@at_shogi
async def test_no_machine_plays_at_this_board(board: Any) -> None:
    board.host.seating.set_kind(1, PlayerKind(level="newcomer"))
    program = Program(board)
    await program.tell(*BEGINS, "position startpos", "go mate 1000", "go")
    await board.hands("7g- 7f+ 9")
    assert board.moves == ["7g7f"]
    assert program.said[-2:] == ["checkmate notimplemented", "bestmove 7g7f"]
