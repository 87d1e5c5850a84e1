"""The folder with all that builds a board."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from hardware.layout import Layout
from hardware.plans.openscad import pieces_scad, trays_scad
from hardware.plans.order import orders_text
from hardware.plans.placing import without_room
from hardware.plans.strips import strips_text
from hardware.plans.template import SHEETS, template
from hardware.plans.template_files import (
    NoDxfError,
    template_dxf,
    template_pages,
    template_svg,
)
from hardware.wiring.drawing import layout_svg
from hardware.wiring.kicad import kicad_netlist
from hardware.wiring.netlist import netlist
from hardware.wiring.schematic import schematic_svg
from hardware.wiring.wiring import parts_text, wiring_text


def plans(layout: Layout, pieces: Mapping[str, Mapping[str, int]]) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each file that builds a board; `pieces` has the number of each
    kind of piece by game. Without the package ezdxf the DXF files are left out.
    """
    own = {game: pieces[game] for game in layout.games if game in pieces}
    totals = {game: sum(counts.values()) for game, counts in own.items()}
    order = (orders_text(layout, totals), strips_text(layout), parts_text(layout))
    yield "order.txt", "\n".join(order)
    yield "wiring.txt", wiring_text(layout)
    yield "board.svg", layout_svg(layout)
    yield "circuit.svg", schematic_svg(layout)
    yield "circuit.net", kicad_netlist(netlist(layout), layout.name)
    made = {sheet: template(layout, sheet) for sheet in SHEETS}
    for sheet, each in made.items():
        yield f"template-{sheet}.svg", template_svg(each)
        try:
            yield f"template-{sheet}.dxf", template_dxf(each)
        except NoDxfError:
            continue
    yield "templates-a4.html", template_pages(tuple(made.values()))
    for game, counts in own.items():
        for what, text in (
            ("bases", pieces_scad(game, counts)),
            ("trays", trays_scad(layout, game)),
        ):
            if text:
                yield f"{what}-{game}.scad", text


def write_plans(
    layout: Layout, folder: Path, pieces: Mapping[str, Mapping[str, int]]
) -> Iterator[str]:
    """Write the files into a folder, which is made if it is missing; yield a line for each."""
    folder.mkdir(parents=True, exist_ok=True)
    dxf = False
    for name, text in plans(layout, pieces):
        (folder / name).write_text(text, encoding="utf-8")
        dxf = dxf or name.endswith(".dxf")
        yield str(folder / name)
    if not dxf:
        yield str(NoDxfError())
    if missing := without_room(layout):
        yield f"The floor has no room for these parts; place them beside it: {', '.join(missing)}"
