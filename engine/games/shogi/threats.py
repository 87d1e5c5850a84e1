"""The threats of Shogi: checks, own pieces in danger, enemy pieces that are free to take.

They come from legal moves, so pins count: a piece whose only protector is pinned is undefended.
While the king is in check, the dangers to own pieces are found as if the check were answered.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.game import Place, Threat
from engine.games.shogi.board import ShogiBoard
from engine.games.shogi.moves import ShogiMove
from engine.games.shogi.squares import BIT, PLACES, squares_of


def threats(board: ShogiBoard) -> tuple[Threat, ...]:
    """Return the check if there is one, then own pieces in danger, then free enemy pieces."""
    us = board.turn
    found = []
    checkers = board.checkers(us)
    if checkers:
        by = tuple(PLACES[square] for square in squares_of(checkers))
        found.append(Threat("check", PLACES[board.kings[us]], by))
    king_may_fall = board.king_may_fall
    board.king_may_fall = king_may_fall or checkers != 0
    board.pass_turn()
    for square, captures in _captures(board).items():
        if square != board.kings[us]:
            lost = any(_unanswered(board, move) for move in captures)
            kind = "undefended" if lost else "attacked"
            found.append(Threat(kind, PLACES[square], _from(captures)))
    board.pass_turn()
    board.king_may_fall = king_may_fall
    for square, captures in _captures(board).items():
        free = [move for move in captures if _unanswered(board, move)]
        if free:
            found.append(Threat("free", PLACES[square], _from(free)))
    return tuple(found)


def _captures(board: ShogiBoard) -> dict[int, list[ShogiMove]]:
    """Return the legal captures by the square of the captured piece."""
    enemy = board.occupied[1 - board.turn]
    found: dict[int, list[ShogiMove]] = {}
    for move in board.moves():
        if BIT[move.target] & enemy:
            found.setdefault(move.target, []).append(move)
    return dict(sorted(found.items()))


def _unanswered(board: ShogiBoard, capture: ShogiMove) -> bool:
    """Return whether nothing can take back after a capture."""
    board.make(capture)
    answered = any(reply.target == capture.target for reply in board.moves())
    board.unmake()
    return not answered


def _from(moves: Sequence[ShogiMove]) -> tuple[Place, ...]:
    """Return the start places of the moves, each once."""
    return tuple(dict.fromkeys(PLACES[move.start] for move in moves))
