"""Chess for Lampion: what anyone has to write to add a game in a package of its own.

The rules come from python-chess. Everything else, reading hands, lights, takebacks, hints, follows
from the few answers below. Cells are `a1` … `h8`, moves are UCI words (`e2e4`, `e7e8q`, castling as
`e1g1`), positions are FEN.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import ClassVar, NamedTuple

import chess

from engine.game import (
    Attempt,
    Claim,
    Game,
    IllegalMoveError,
    MoveError,
    Outcome,
    Piece,
    Place,
    PositionError,
    Reason,
    Seat,
    SharedMove,
    Threat,
)

WHITE, BLACK = 0, 1
CELLS = tuple(chess.square_name(square) for square in chess.SQUARES_180)
ENDINGS = {
    chess.Termination.CHECKMATE: "checkmate",
    chess.Termination.STALEMATE: "stalemate",
    chess.Termination.INSUFFICIENT_MATERIAL: "insufficient-material",
    chess.Termination.SEVENTYFIVE_MOVES: "seventy-five-moves",
}


class ChessPosition(NamedTuple):
    """A position, and how a player gave up."""

    fen: str
    resigned: Seat | None = None
    flag: Seat | None = None

    @property
    def turn(self) -> Seat:
        """The seat to move."""
        return WHITE if _board(self.fen).turn == chess.WHITE else BLACK


@lru_cache(maxsize=256)
def _board(fen: str) -> chess.Board:
    """Return the board of a position; it is shared, so it must not be changed."""
    return chess.Board(fen)


class Chess(Game[ChessPosition, chess.Move]):
    """Chess. White's pieces have their north pole up, black's the south."""

    name = "chess"
    title = "Chess"
    minutes = 40
    engine_protocol = "uci"
    has_passes = False
    upright = True
    seats = ("white", "black")
    kinds: ClassVar[Mapping[str, str]] = {
        chess.piece_symbol(kind).upper(): chess.piece_name(kind) for kind in chess.PIECE_TYPES
    }
    claim_texts = ("resign", "flag")
    reasons: ClassVar[Mapping[str, str]] = {
        "king-in-check": "Your king on {0} would be in check.",
    }
    endings: ClassVar[Mapping[str, str]] = {
        "checkmate": "Checkmate.",
        "stalemate": "No legal move: stalemate, a draw.",
        "insufficient-material": "Nobody can mate any more: a draw.",
        "seventy-five-moves": "Seventy-five moves without a capture or pawn move: a draw.",
        "repetition": "The same position for the fifth time: a draw.",
        "resign": "Resigned.",
        "flag": "The time is up.",
        "flag-draw": "The time is up, but nobody could mate with what is left: a draw.",
    }

    def cells(self) -> tuple[Place, ...]:
        return CELLS

    def start(self) -> ChessPosition:
        return ChessPosition(chess.STARTING_FEN)

    def legal(self, position: ChessPosition) -> Sequence[chess.Move]:
        return () if self.outcome(position) else tuple(_board(position.fen).legal_moves)

    def play(self, position: ChessPosition, move: chess.Move | SharedMove) -> ChessPosition:
        if isinstance(move, Claim):
            return self.play_claim(position, move)
        board = _board(position.fen)
        if not isinstance(move, chess.Move) or not board.is_legal(move):
            raise IllegalMoveError(f"{move}: not legal in {position.fen}")
        after = board.copy(stack=False)
        after.push(move)
        return ChessPosition(after.fen(en_passant="legal"))

    def outcome(
        self, position: ChessPosition, earlier: Sequence[ChessPosition] = ()
    ) -> Outcome | None:
        board = _board(position.fen)
        if position.resigned is not None:
            return Outcome(frozenset({1 - position.resigned}), "resign")
        if position.flag is not None:
            if board.has_insufficient_material(position.flag == BLACK):
                return Outcome(frozenset(), "flag-draw")
            return Outcome(frozenset({1 - position.flag}), "flag")
        ended = board.outcome()
        if ended is None:
            same = sum(other.fen.split()[:4] == position.fen.split()[:4] for other in earlier)
            return Outcome(frozenset(), "repetition") if same >= 4 else None
        winners = frozenset() if ended.winner is None else {WHITE if ended.winner else BLACK}
        return Outcome(frozenset(winners), ENDINGS[ended.termination])

    def pieces(self, position: ChessPosition) -> dict[Place, Piece]:
        return {
            chess.square_name(square): Piece(
                WHITE if piece.color else BLACK, piece.symbol().upper(), 1 if piece.color else -1
            )
            for square, piece in _board(position.fen).piece_map().items()
        }

    def path(self, position: ChessPosition, move: chess.Move | SharedMove) -> frozenset[Place]:
        if not isinstance(move, chess.Move):
            return frozenset()
        between = chess.SquareSet.between(move.from_square, move.to_square)
        return frozenset(chess.square_name(square) for square in between)

    def threats(self, position: ChessPosition) -> tuple[Threat, ...]:
        board = _board(position.fen)
        king = board.king(board.turn)
        if king is None or not board.is_check():
            return ()
        by = tuple(map(chess.square_name, board.checkers()))
        return (Threat("check", chess.square_name(king), by),)

    def why_not(self, position: ChessPosition, attempt: Attempt) -> Reason | None:
        """Say that a move would leave the king in check."""
        board = _board(position.fen)
        ends = attempt.placed | attempt.swapped
        for move in board.pseudo_legal_moves:
            start, end = chess.square_name(move.from_square), chess.square_name(move.to_square)
            if start in attempt.lifted and end in ends and not board.is_legal(move):
                after = board.copy(stack=False)
                after.push(move)
                king = after.king(board.turn)
                assert king is not None
                return Reason("king-in-check", (chess.square_name(king),))
        return None

    def tones(self) -> Mapping[Place, str]:
        return {
            chess.square_name(square): "dark" for square in chess.SquareSet(chess.BB_DARK_SQUARES)
        }

    def move_text(self, position: ChessPosition, move: chess.Move | SharedMove) -> str:
        if isinstance(move, Claim):
            return self.claim_text(position, move)
        return move.uci() if isinstance(move, chess.Move) else str(move)

    def parse_move(self, position: ChessPosition, text: str) -> chess.Move | SharedMove:
        claim = self.parse_claim(position, text)
        if claim is not None:
            return claim
        try:
            move = chess.Move.from_uci(text)
        except ValueError as error:
            raise MoveError(f"{text!r} is no move: {error}") from None
        if move not in self.legal(position):
            raise IllegalMoveError(f"{text}: not legal in {position.fen}")
        return move

    def position_text(self, position: ChessPosition) -> str:
        """Return the FEN; a game that was given up says by whom: `… resign:white`."""
        ended = {"resign": position.resigned, "flag": position.flag}
        said = [f"{word}:{self.seats[seat]}" for word, seat in ended.items() if seat is not None]
        return " ".join([position.fen, *said])

    def parse_position(self, text: str) -> ChessPosition:
        fen, said = text.strip(), ""
        if ":" in fen:
            fen, _, said = fen.rpartition(" ")
        word, _, seat = said.partition(":")
        if said and (word not in self.claim_texts or seat not in self.seats):
            raise PositionError(f"ending {said!r}: expected a text like resign:white or flag:black")
        try:
            board = chess.Board(fen)
        except ValueError as error:
            raise PositionError(f"{text!r} is no position: {error}") from None
        if not board.is_valid():
            raise PositionError(f"{text!r} cannot be: {board.status()!r}")
        position = ChessPosition(board.fen(en_passant="legal"))
        return self.play(position, Claim(self.seats.index(seat), word)) if said else position
