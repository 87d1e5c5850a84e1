"""A game of a few cells, of which a test writes only what matters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.game import Game, Outcome


class TinyGame(Game[str, str]):
    """A game whose positions are texts, and whose moves are the positions that they lead to."""

    seats = ("dark", "light")

    def trays(self) -> tuple[str, ...]:
        return ()

    def turn(self, position: str) -> int:
        return 0

    def legal(self, position: str) -> Sequence[str]:
        return ()

    def play(self, position: str, move: Any) -> str:
        return str(move)

    def outcome(self, position: str, earlier: Sequence[str] = ()) -> Outcome | None:
        return None

    def move_text(self, position: str, move: Any) -> str:
        return str(move)

    def parse_move(self, position: str, text: str) -> str:
        return text

    def position_text(self, position: str) -> str:
        return position

    def parse_position(self, text: str) -> str:
        return text
