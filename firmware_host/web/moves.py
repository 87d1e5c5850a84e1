"""The moves of a piece, for a page that requests one of them on a real board."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.game import Claim, Pass, Piece, Place, Throw
from engine.match import AnyGame, AnyMove
from firmware_host.i18n.messages import render
from firmware_host.text.moves import brief_move, move_message
from firmware_host.web.host_api import HostApi


def moves_from(host: HostApi, place: Place, language: str) -> list[dict[str, Any]]:
    """Return the legal moves of what stands on a place of the board: each move as text, the places
    that it may be chosen at, and its sentence.
    """
    game, position = host.game, host.position()
    on_layout = host.layout.game(game.name)
    here, name = on_layout.places, on_layout.inverse.get(place, "")
    if host.status().outcome is not None or not name:
        return []
    return [
        {
            "move": game.move_text(position, move),
            "to": [here.get(each, each) for each in ends],
            "sentence": render(move_message(game, position, move), language),
        }
        for move, ends in _moves(game, position, name)
    ]


def _moves(game: AnyGame, position: Any, name: Place) -> Iterator[tuple[AnyMove, list[Place]]]:
    """Yield the moves in which a piece leaves a place, each with where pieces come to."""
    standing = game.pieces(position)
    for move in game.legal(position):
        if isinstance(move, Throw | Pass | Claim):
            continue
        changes = game.changes(position, move)
        if name not in changes or not _leaves(standing.get(name), changes[name]):
            continue
        brief = brief_move(game, position, move, game.play(position, move))
        if brief.start == name and brief.end is not None:
            yield move, [brief.end]
            continue
        came = [place for place, after in changes.items() if after and place != name]
        cells = [place for place in came if place not in game.trays()]
        yield move, cells or came


def _leaves(before: Piece | None, after: Piece | None) -> bool:
    """Whether a piece leaves its place: the place is empty then, or has fewer pieces."""
    return before is not None and (after is None or after.count < before.count)
