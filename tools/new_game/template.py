"""Hexapawn: the template of a new game. Three pawns a side; a pawn on the far row wins.

Replace the rules below by your own, method by method. `docs/adding-a-game.md` says what each
method answers, and `engine/game.py` is the contract.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final, NamedTuple, TypeAlias

from engine.game import (
    Claim,
    Game,
    MoveError,
    Outcome,
    Piece,
    Place,
    PositionError,
    Reason,
    Seat,
    SharedMove,
)

COLUMNS: Final = "abc"
ROWS: Final = "123"
CELLS: Final = tuple(column + row for row in reversed(ROWS) for column in COLUMNS)
"""The cells in reading order: as they are seen by the first player, the far row first."""
EMPTY: Final = "."
PAWNS: Final = "wb"
"""The letter of each seat's pawns in the text of a position."""

_Move: TypeAlias = "TemplateMove | SharedMove"


class TemplateMove(NamedTuple):
    """A pawn goes from one cell to another."""

    start: Place
    end: Place


class TemplatePosition(NamedTuple):
    """What stands where, and whose turn it is."""

    board: str
    """A letter for each cell in the order of CELLS: `w`, `b` or `.`."""
    turn: Seat
    resigned: Seat | None = None
    """The seat that resigned, if one did; the contract writes it."""


class Template(Game[TemplatePosition, TemplateMove]):
    """Hexapawn. The pieces of the first seat have their north pole up, the other's the south."""

    name = "template"
    title = "Template"
    seats = ("white", "black")
    kinds: ClassVar[Mapping[str, str]] = {"P": "pawn"}
    endings: ClassVar[Mapping[str, str]] = {
        "far-row": "A pawn has reached the far row.",
        "no-move": "There is no move left.",
        "resign": "The other side resigned.",
    }
    reasons: ClassVar[Mapping[str, str]] = {
        "not-a-move": "A pawn goes one step ahead, or takes one step ahead to the side."
    }
    has_passes = False

    def cells(self) -> tuple[Place, ...]:
        """Return the cells, the far row first."""
        return CELLS

    def start(self) -> TemplatePosition:
        """Return the position with all pawns on their first rows."""
        size = len(COLUMNS)
        empty = EMPTY * (len(CELLS) - 2 * size)
        return TemplatePosition(PAWNS[1] * size + empty + PAWNS[0] * size, 0)

    def legal(self, position: TemplatePosition) -> Sequence[TemplateMove]:
        """Return every move; nothing when the game is over."""
        return () if self._decided(position) else self._moves(position)

    def play(self, position: TemplatePosition, move: _Move) -> TemplatePosition:
        """Return the position after a move or a claim; else IllegalMoveError."""
        if isinstance(move, Claim):
            return self.play_claim(position, move)
        if not isinstance(move, TemplateMove) or move not in self.legal(position):
            raise self.refused(self.move_text(position, move), Reason("not-a-move"))
        board = list(position.board)
        start, end = CELLS.index(move.start), CELLS.index(move.end)
        board[end], board[start] = board[start], EMPTY
        return TemplatePosition("".join(board), 1 - position.turn)

    def outcome(
        self, position: TemplatePosition, earlier: Sequence[TemplatePosition] = ()
    ) -> Outcome | None:
        """Return who won and by what, or None while the game goes on."""
        if (decided := self._decided(position)) is not None:
            return decided
        if not self._moves(position):
            return Outcome(frozenset({1 - position.turn}), "no-move")
        return None

    def pieces(self, position: TemplatePosition) -> dict[Place, Piece]:
        """Return the pawns, each with the pole of its owner up."""
        return {
            cell: Piece(PAWNS.index(letter), "P", pole=1 if letter == PAWNS[0] else -1)
            for cell, letter in zip(CELLS, position.board, strict=True)
            if letter != EMPTY
        }

    def move_text(self, position: TemplatePosition, move: _Move) -> str:
        """Return a text such as `a1a2` or `resign`."""
        if isinstance(move, Claim):
            return self.claim_text(position, move)
        return f"{move.start}{move.end}" if isinstance(move, TemplateMove) else "--"

    def parse_move(self, position: TemplatePosition, text: str) -> _Move:
        """Return the legal move or claim of that text."""
        text = text.strip()
        if claim := self.parse_claim(position, text):
            return claim
        move = TemplateMove(text[:2], text[2:])
        if move.start not in CELLS or move.end not in CELLS:
            raise MoveError(f"{text!r} is no move; write it like a1a2")
        if move not in self.legal(position):
            raise self.refused(text, Reason("not-a-move"))
        return move

    def position_text(self, position: TemplatePosition) -> str:
        """Return `bbb/.../www w`, with ` resigned` and the seat if somebody has."""
        size = len(COLUMNS)
        rows = [position.board[n : n + size] for n in range(0, len(CELLS), size)]
        text = f"{'/'.join(rows)} {PAWNS[position.turn]}"
        return text if position.resigned is None else f"{text} resigned {PAWNS[position.resigned]}"

    def parse_position(self, text: str) -> TemplatePosition:
        """Return the position of that text; PositionError names the field and why."""
        rows, turn, *rest = [*text.split(), "", ""][: max(2, len(text.split()))]
        board = rows.replace("/", "")
        lengths = [len(row) for row in rows.split("/")]
        if lengths != [len(COLUMNS)] * len(ROWS) or set(board) - {*PAWNS, EMPTY}:
            size = f"{len(ROWS)} rows of {len(COLUMNS)}"
            raise PositionError(f"board: {rows!r} is not {size} letters w, b and .")
        if turn not in (*PAWNS,):
            raise PositionError(f"turn: {turn!r} is neither w nor b")
        if rest and (len(rest) != 2 or rest[0] != "resigned" or rest[1] not in (*PAWNS,)):
            raise PositionError(f"end: {' '.join(rest)!r} is not like: resigned w")
        resigned = PAWNS.index(rest[1]) if rest else None
        return TemplatePosition(board, PAWNS.index(turn), resigned)

    def _decided(self, position: TemplatePosition) -> Outcome | None:
        """Return the outcome if it does not depend on the moves that are left."""
        if position.resigned is not None:
            return Outcome(frozenset({1 - position.resigned}), "resign")
        size = len(COLUMNS)
        for seat, row in enumerate((position.board[:size], position.board[-size:])):
            if PAWNS[seat] in row:
                return Outcome(frozenset({seat}), "far-row")
        return None

    def _moves(self, position: TemplatePosition) -> list[TemplateMove]:
        own, other = PAWNS[position.turn], PAWNS[1 - position.turn]
        ahead = -len(COLUMNS) if position.turn == 0 else len(COLUMNS)
        found = []
        for start, letter in enumerate(position.board):
            for aside in (-1, 0, 1):
                column, end = start % len(COLUMNS) + aside, start + ahead + aside
                inside = 0 <= column < len(COLUMNS) and 0 <= end < len(CELLS)
                wanted = other if aside else EMPTY
                if letter == own and inside and position.board[end] == wanted:
                    found.append(TemplateMove(CELLS[start], CELLS[end]))
        return found
