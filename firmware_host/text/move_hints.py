"""A hint: the piece to move, then its move, for people and for the lights."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.game import Piece, Place
from engine.match import AnyGame
from engine.reading.history import History
from firmware_host.i18n.messages import Message, say
from firmware_host.text.moves import move_message, with_notation


def move_hint(game: AnyGame, position: Any, move: Any) -> Message:
    """Return the move of a hint in words, with its notation."""
    text = game.move_text(position, move)
    words = with_notation(move_message(game, position, move), text)
    return say("Hint: {move}.", move=words)


def piece_hint(game: AnyGame, starts: tuple[Place, ...], piece: Piece) -> Message:
    """Return the piece of a hint and where it stands, for people who do not see the lights."""
    name = say(game.kinds[piece.kind])
    if not starts or "." in starts[0]:  # it comes from beside the board
        return say("Hint: place the {piece}.", piece=name)
    return say("Hint: move the {piece} on {places}.", piece=name, places=", ".join(starts))


def arrow(
    history: History, move: Any, pieces: Mapping[Place, Piece]
) -> tuple[tuple[Place, ...], tuple[Place, ...]]:
    """Return the cells or the tray where a move starts, and the cells where it ends.

    A captured piece leaves its cell, too, but that is no start.
    """
    footprint = history.possible.of(move)
    ends = tuple(place for place, _ in footprint.arrivals)
    come = {footprint.after[place] for place in ends}
    starts = [place for place in footprint.leaves if pieces.get(place) in come]
    tray = (footprint.tray,) if footprint.tray else ()
    return tuple(starts) or tuple(footprint.leaves) or tray, ends
