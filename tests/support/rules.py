"""What the tests of rules share: lines of moves, hands at a board, and refusals in short."""

from __future__ import annotations

from typing import Any

import pytest

from engine.game import Attempt, Game, IllegalMoveError, Reason
from engine.match import AnyGame


def line(game: AnyGame, position: Any, *texts: str) -> list[Any]:
    """Return the positions of a line of moves, the first included, which may be a text."""
    start = game.parse_position(position) if isinstance(position, str) else position
    return [start, *game.replay(start, texts)]


def after(game: AnyGame, position: Any, *texts: str) -> Any:
    """Return the position at the end of a line of moves."""
    return line(game, position, *texts)[-1]


def moves(game: AnyGame, position: Any) -> set[str]:
    """Return the texts of the legal moves."""
    position = game.parse_position(position) if isinstance(position, str) else position
    return {game.move_text(position, move) for move in game.legal(position)}


def hand(lifted: str = "", placed: str = "", swapped: str = "", seat: int | None = None) -> Attempt:
    """Return what a hand did, with places in a text."""
    return Attempt(*(frozenset(each.split()) for each in (lifted, placed, swapped)), seat)


def said(game: AnyGame, reason: Reason | None) -> str:
    """Return a reason as its code and places; empty if there is none."""
    if reason is None:
        return ""
    assert "{" not in game.reasons[reason.code].format(*reason.places)
    return " ".join((reason.code, *reason.places))


def refused(game: AnyGame, position: Any, text: str) -> str:
    """Return why a move is refused, whose error has the same in a sentence."""
    position = game.parse_position(position) if isinstance(position, str) else position
    with pytest.raises(IllegalMoveError) as caught:
        game.parse_move(position, text)
    reason = caught.value.reason
    assert reason is not None
    assert str(caught.value).endswith(f": {game.reasons[reason.code].format(*reason.places)}")
    return said(game, reason)


def why_not(game: AnyGame, position: Any, attempt: Attempt) -> str:
    """Return why no move does what a hand did."""
    position = game.parse_position(position) if isinstance(position, str) else position
    return said(game, game.why_not(position, attempt))


def changed(game: AnyGame, position: Any, text: str) -> dict[str, str]:
    """Return what the places of a move hold afterwards: `w`, `-`, or `w2` in a tray."""
    move = game.parse_move(position, text)
    found = game.changes(position, move)
    assert found == Game.changes(game, position, move)
    return {
        place: "-" if piece is None else piece.kind + (str(piece.count) if "." in place else "")
        for place, piece in found.items()
    }
