"""Stickers for the pieces of a game: the page's drawings, in the size of the printed bases."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.games import make
from engine.match import AnyGame
from firmware_host.games import DRAWINGS, game_file
from firmware_host.web.application import STATIC
from firmware_host.web.view import seat_colour
from hardware.plans.sizes import PieceBase, sizes

SHARE: Final = {"disc": 0.9, "tile": 0.84}
"""The share of a drawing's box that is filled: by a disc, and by what is drawn on a tile."""
EDGE_MM: Final = 0.4
"""The drawing on a tile stays this far within its outline."""
_STYLE: Final = (
    "@page{size:A4;margin:10mm}body{margin:0;print-color-adjust:exact}"
    ".sheet{display:flex;flex-wrap:wrap;gap:2mm}.sheet>svg{display:block;overflow:visible}"
    "#drawings{position:absolute;width:0;height:0}"
    ".cut{fill:none;stroke:#5a3a1c;stroke-width:.15}polygon.cut{fill:#f0d3a0}"
    # The base is the tile, and has its own side.
    ".tile,.tile-side,.tile-front,.disc-side,.chip-side,.shell-side{display:none}"
)


def stickers_page(name: str) -> str:
    """Return a page to print at 100 %: a sticker for each piece of a game, and one for the back of
    each piece that turns over. "" for a game without drawings or without bases.
    """
    game = make(name)
    file = game_file(name, DRAWINGS)
    if not file.is_file() or not sizes().bases(name):
        return ""
    style = (STATIC / "pieces.css").read_text("utf-8")
    drawings = file.read_text("utf-8")
    cells = "".join(_stickers(game, drawings))
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{game.title}</title>'
        f"<style>{style}{_STYLE}</style>"
        f'<div id="drawings">{drawings}</div><div class="sheet">{cells}</div></html>\n'
    )


def _stickers(game: AnyGame, drawings: str) -> Iterator[str]:
    for piece in game.pieces(game.start()).values():
        base = next(each for each in sizes().bases(game.name) if piece.kind in each.kinds)
        faces = [piece.kind]
        if base.double and f'id="{symbol(game.name, f"+{piece.kind}")}"' in drawings:
            faces.append(f"+{piece.kind}")
        for face in faces * piece.count:
            yield _sticker(game, base, face, piece.owner)


def symbol(game: str, face: str) -> str:
    """Return the id of the drawing of a face, as `symbol` in pieces.js."""
    return f"{game}-{face.replace('+', 'p-')}"


def _sticker(game: AnyGame, base: PieceBase, face: str, owner: int | None) -> str:
    """Return a sticker with the outline of its base, to cut along. A tile has the same colour for
    every seat: its point says whose it is, and a captured one changes its owner.
    """
    wide, high = base.size
    if base.shape == "tile":
        corners = " ".join(f"{x:g},{-y:g}" for x, y in base.corners)
        outline = f'<polygon class="cut" points="{corners}"/>'
        side = base.square_inside - 2 * EDGE_MM
        middle, seat = high / 2 - EDGE_MM - side / 2, ""
    else:
        outline = f'<circle class="cut" r="{wide / 2:g}"/>'
        side, middle = wide, 0.0
        seat = "" if owner is None else f"seat-{owner} colour-{seat_colour(game, owner)}"
    size = side / SHARE[base.shape]
    corner = f'x="{-size / 2:.2f}" y="{middle - size / 2:.2f}"'
    return (
        f'<svg width="{wide:g}mm" height="{high:g}mm" viewBox="{-wide / 2:g} {-high / 2:g} '
        f'{wide:g} {high:g}">{outline}<g class="{seat}"><use href="#{symbol(game.name, face)}" '
        f'{corner} width="{size:.2f}" height="{size:.2f}"/></g></svg>'
    )
