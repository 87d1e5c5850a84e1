"""From where to where the moves of a hint lead, and which piece it speaks of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.game import Piece, Place
from engine.match import AnyGame
from engine.reading.history import History
from firmware_host.i18n.messages import Message, say


def which(game: AnyGame, starts: tuple[Place, ...], piece: Piece) -> Message:
    """Return which man a hint speaks of, and where he stands: who sees no lights finds him, too."""
    name = say(game.kinds[piece.kind])
    if not starts or "." in starts[0]:  # he comes from beside the board
        return say("Hint: place the {piece}.", piece=name)
    return say("Hint: move the {piece} on {places}.", piece=name, places=", ".join(starts))


def ways(
    line: History, move: Any, standing: Mapping[Place, Piece]
) -> tuple[tuple[Place, ...], tuple[Place, ...]]:
    """Return from where to where a move leads: cells, or the tray that a man comes from. What is
    taken on the way leaves its cell, too, but leads nowhere.
    """
    footprint = line.possible.of(move)
    ends = tuple(place for place, _ in footprint.arrivals)
    come = {footprint.after[place] for place in ends}
    starts = [place for place in footprint.leaves if standing.get(place) in come]
    tray = (footprint.tray,) if footprint.tray else ()
    return tuple(starts) or tuple(footprint.leaves) or tray, ends
