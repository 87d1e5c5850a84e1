"""A move is one ready-made object for each USI text, so comparing and hashing cost nothing."""

from __future__ import annotations

import re
from typing import Final

from engine.game import MoveError, Place
from engine.games.shogi.pieces import KINDS, LETTERS
from engine.games.shogi.squares import PLACES, SQUARES

_TEXT: Final = re.compile(r"([1-9][a-i])([1-9][a-i])(\+?)|([PLNSGBR])\*([1-9][a-i])")


class ShogiMove:
    """A move on the board or a drop; `ShogiMove("8h2b+")` is always the same object.

    It knows nothing of a position, so the same move may be a rook's here and a king's there.
    """

    __slots__ = ("drop", "promotes", "start", "target", "text")

    text: str
    """In USI: `7g7f`, `8h2b+`, `P*5e`."""
    start: int
    """The number of the square it leaves; of a drop, its target."""
    target: int
    """The number of the square it goes to."""
    promotes: bool
    drop: int
    """The kind that is dropped, as a code; 0 for a move on the board."""

    _made: Final[dict[str, ShogiMove]] = {}

    def __new__(cls, text: str) -> ShogiMove:
        """Return the move of that text; MoveError if it is none."""
        made = cls._made.get(text)
        if made is not None:
            return made
        match = _TEXT.fullmatch(text)
        if match is None or (match[1] == match[2] and match[1]):
            raise MoveError(f"move: {text!r} is no move such as 7g7f, 8h2b+ or P*5e")
        start, target, plus, kind, square = match.groups()
        move = object.__new__(cls)
        for name, value in {
            "text": text,
            "start": SQUARES[start or square],
            "target": SQUARES[target or square],
            "promotes": plus == "+",
            "drop": KINDS[kind] if kind else 0,
        }.items():
            object.__setattr__(move, name, value)
        cls._made[text] = move
        return move

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a move cannot be changed: {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a move cannot be changed: {name}")

    def __repr__(self) -> str:
        return f"ShogiMove({self.text!r})"

    def __reduce__(self) -> tuple[type[ShogiMove], tuple[str]]:
        return ShogiMove, (self.text,)

    @property
    def source(self) -> Place | None:
        """The place it leaves; None for a drop."""
        return None if self.drop else PLACES[self.start]

    @property
    def place(self) -> Place:
        """The place it goes to."""
        return PLACES[self.target]


def board_move(start: int, target: int, promotes: bool = False) -> ShogiMove:
    """Return the move from one square to another."""
    return ShogiMove(PLACES[start] + PLACES[target] + ("+" if promotes else ""))


def drop_move(kind: int, target: int) -> ShogiMove:
    """Return the drop of a kind from hand on a square."""
    return ShogiMove(f"{LETTERS[kind]}*{PLACES[target]}")
