"""Small pictures of a board: what a page needs to draw one without the board's whole geometry."""

from __future__ import annotations

from typing import Any

from engine.match import AnyGame
from firmware_host.web.view import FACING_DEGREES, geometry, has_drawings, seat_colour
from hardware.layout import Layout


def board_picture(game: AnyGame, layout: Layout) -> dict[str, Any]:
    """Return the game's cells as they lie on a board, the seats whose pieces stand there, and the
    pieces of the first position. Places have the game's names, coordinates are as in `geometry`.
    """
    on_layout = layout.game(game.name)
    tones = game.tones()
    drawn = geometry(layout)
    seats = [
        {
            "index": seat,
            "name": name,
            "facing": FACING_DEGREES[side.button],
            "colour": seat_colour(game, seat),
        }
        for seat, (name, side) in enumerate(zip(game.seats, on_layout.sides, strict=True))
    ]
    return {
        "game": game.name,
        "shape": drawn["shape"],
        "pitch": drawn["pitch"],
        "rotation": -FACING_DEGREES[on_layout.sides[0].button],
        "cells": [
            {"id": name, "x": place["x"], "y": place["y"], "tone": tones.get(name, "")}
            for place in drawn["places"]
            if place["kind"] == "cell" and (name := on_layout.inverse.get(place["id"]))
        ],
        "seats": seats,
        "upright_pieces": game.upright,
        "has_drawings": has_drawings(game),
        "pieces": pieces_on_cells(game, game.start()),
    }


def pieces_on_cells(game: AnyGame, position: Any) -> list[dict[str, str]]:
    """Return the pieces on the cells: the place, the kind on the upper face, and the owner's seat
    by name, `""` without one.
    """
    cells = set(game.cells())
    return [
        {
            "place": place,
            "face": piece.kind,
            "owner": "" if piece.owner is None else game.seats[piece.owner],
        }
        for place, piece in game.pieces(position).items()
        if place in cells
    ]
