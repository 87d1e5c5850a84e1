"""Chess for Lampion in a hundred lines: what anyone has to write to add a game.

The rules come from python-chess (`pip install chess`, needed by this example only). Everything
else, reading hands, lights, takebacks, hints, follows from the few answers below:

    from examples.chess_game import Chess
    game = Chess()
    after = game.play(game.start(), game.parse_move(game.start(), "e2e4"))

Squares are `a1` … `h8`, moves are UCI (`e2e4`, `e7e8q`, castling as `e1g1`), positions FEN.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import ClassVar

import chess

from engine.game import (
    Game,
    IllegalMoveError,
    MoveError,
    Outcome,
    Piece,
    Place,
    PositionError,
    Seat,
    SharedMove,
)

CELLS = tuple(chess.square_name(square) for square in chess.SQUARES_180)
ENDINGS = {
    chess.Termination.CHECKMATE: "checkmate",
    chess.Termination.STALEMATE: "stalemate",
    chess.Termination.INSUFFICIENT_MATERIAL: "insufficient-material",
    chess.Termination.SEVENTYFIVE_MOVES: "seventy-five-moves",
}


@lru_cache(maxsize=256)
def _board(fen: str) -> chess.Board:
    """Return the board of a position; it is shared, so it must not be changed."""
    return chess.Board(fen)


class Chess(Game[str, chess.Move]):
    """Chess; a position is its FEN. White's pieces have their north pole up, black's the south."""

    name = "chess"
    title = "Chess"
    seats = ("white", "black")
    kinds: ClassVar[Mapping[str, str]] = {
        chess.piece_symbol(kind).upper(): chess.piece_name(kind) for kind in chess.PIECE_TYPES
    }
    endings: ClassVar[Mapping[str, str]] = {
        "checkmate": "Checkmate.",
        "stalemate": "No legal move: stalemate, a draw.",
        "insufficient-material": "Nobody can mate any more: a draw.",
        "seventy-five-moves": "Seventy-five moves without a capture or pawn move: a draw.",
        "repetition": "The same position for the fifth time: a draw.",
    }

    def cells(self) -> tuple[Place, ...]:
        return CELLS

    def start(self) -> str:
        return chess.STARTING_FEN

    def turn(self, position: str) -> Seat:
        return 0 if _board(position).turn == chess.WHITE else 1

    def legal(self, position: str) -> Sequence[chess.Move]:
        return () if self.outcome(position) else tuple(_board(position).legal_moves)

    def play(self, position: str, move: chess.Move | SharedMove) -> str:
        board = _board(position)
        if not isinstance(move, chess.Move) or not board.is_legal(move):
            raise IllegalMoveError(f"{move}: not legal in {position}")
        after = board.copy(stack=False)
        after.push(move)
        return after.fen(en_passant="legal")

    def outcome(self, position: str, earlier: Sequence[str] = ()) -> Outcome | None:
        ended = _board(position).outcome()
        if ended is None:
            same = sum(other.split()[:4] == position.split()[:4] for other in earlier)
            return Outcome(frozenset(), "repetition") if same >= 4 else None
        winners = frozenset() if ended.winner is None else {0 if ended.winner else 1}
        return Outcome(frozenset(winners), ENDINGS[ended.termination])

    def pieces(self, position: str) -> dict[Place, Piece]:
        return {
            chess.square_name(square): Piece(
                0 if piece.color else 1, piece.symbol().upper(), 1 if piece.color else -1
            )
            for square, piece in _board(position).piece_map().items()
        }

    def path(self, position: str, move: chess.Move | SharedMove) -> frozenset[Place]:
        if not isinstance(move, chess.Move):
            return frozenset()
        between = chess.SquareSet.between(move.from_square, move.to_square)
        return frozenset(chess.square_name(square) for square in between)

    def move_text(self, position: str, move: chess.Move | SharedMove) -> str:
        return move.uci() if isinstance(move, chess.Move) else str(move)

    def parse_move(self, position: str, text: str) -> chess.Move:
        try:
            move = chess.Move.from_uci(text)
        except ValueError as error:
            raise MoveError(f"{text!r} is no move: {error}") from None
        if move not in self.legal(position):
            raise IllegalMoveError(f"{text}: not legal in {position}")
        return move

    def position_text(self, position: str) -> str:
        return position

    def parse_position(self, text: str) -> str:
        try:
            board = chess.Board(text)
        except ValueError as error:
            raise PositionError(f"{text!r} is no position: {error}") from None
        if not board.is_valid():
            raise PositionError(f"{text!r} cannot be: {board.status()!r}")
        return board.fen(en_passant="legal")
