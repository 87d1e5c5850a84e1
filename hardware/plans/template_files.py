"""Templates as files: SVG for a laser, DXF for a mill, and A4 pages to print and glue on."""

from __future__ import annotations

import io
import math
from collections.abc import Iterator, Sequence
from typing import Final
from xml.sax.saxutils import escape

from hardware.plans.template import Circle, Label, Outline, Shape, SheetTemplate

PAGE_MM: Final = (190.0, 277.0)
"""A4 without the borders that printers need."""
OVERLAP_MM: Final = 10.0
RULER_MM: Final = 100.0

_STYLE: Final = (
    ".CUT,.MARK{fill:none;stroke-width:.2}.CUT{stroke:#c00000}.MARK{stroke:#0000c0}"
    ".TEXT{fill:#707070;font-family:sans-serif;text-anchor:middle}"
)
_COLOURS: Final = {"CUT": 1, "MARK": 5, "TEXT": 8}
"""The colours of the layers in DXF: red, blue, grey."""


class NoDxfError(ValueError):
    """The library for DXF is not installed."""

    def __init__(self) -> None:
        super().__init__("DXF needs the package ezdxf: pip install 'lampion[plans]'")


def template_svg(made: SheetTemplate) -> str:
    """Return a template as SVG at its true size: red is cut, blue is engraved or only drawn, grey
    only names things.
    """
    wide, high = made.extent.size
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_n(wide)} {_n(high)}" '
            f'width="{_n(wide)}mm" height="{_n(high)}mm" role="img">',
            f"<title>{escape(made.title)}</title>",
            f"<style>{_STYLE}</style>",
            *_drawn(made),
            "</svg>\n",
        ]
    )


def template_dxf(made: SheetTemplate) -> str:
    """Return a template as DXF in mm, with the layers CUT, MARK and TEXT; NoDxfError without the
    package ezdxf.
    """
    try:
        from ezdxf.enums import TextEntityAlignment
        from ezdxf.filemanagement import new
    except ImportError as error:
        raise NoDxfError from error
    drawing = new("R2000", units=4)  # 4: millimetres
    for layer, colour in _COLOURS.items():
        drawing.layers.add(layer, color=colour)
    space = drawing.modelspace()
    for shape in made.shapes:
        attributes = {"layer": shape.layer}
        if isinstance(shape, Circle):
            space.add_circle((shape.x, shape.y), shape.diameter / 2, dxfattribs=attributes)
        elif isinstance(shape, Outline):
            space.add_lwpolyline(shape.points, close=True, dxfattribs=attributes)
        elif isinstance(shape, Label):
            text = space.add_text(shape.text, height=shape.height, dxfattribs=attributes)
            text.set_placement((shape.x, shape.y), align=TextEntityAlignment.MIDDLE_CENTER)
        else:
            space.add_line(shape.start, shape.end, dxfattribs=attributes)
    written = io.StringIO()
    drawing.write(written)
    return written.getvalue()


def template_pages(templates: Sequence[SheetTemplate]) -> str:
    """Return templates as one HTML file of A4 pages, to print at 100 %. Neighbouring pages overlap;
    crosses show how they lie on one another, and each page has a ruler to check the scale.
    """
    lines = [
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Templates</title>',
        "<style>@page{size:A4 portrait;margin:10mm}body{margin:0}",
        f".page{{display:block;width:{_n(PAGE_MM[0])}mm;height:{_n(PAGE_MM[1] - 1)}mm;"
        "break-after:page;overflow:hidden}",
        f".ruler{{stroke:#000;stroke-width:.3}}{_STYLE}</style>",
    ]
    for sheet, made in enumerate(templates):
        lines.append('<svg width="0" height="0" style="position:absolute"><defs>')
        lines += [f'<g id="sheet{sheet}">', *_drawn(made), *_crosses(made), "</g></defs></svg>"]
        lines += _pages(made, sheet)
    return "\n".join([*lines, "</html>\n"])


def page_corners(made: SheetTemplate) -> list[tuple[float, float]]:
    """Return the upper left corner of each page, in mm from that of the template."""
    steps = [
        max(1, math.ceil((size - OVERLAP_MM) / (page - OVERLAP_MM)))
        for size, page in zip(made.extent.size, PAGE_MM, strict=True)
    ]
    across, down = (page - OVERLAP_MM for page in PAGE_MM)
    return [(column * across, row * down) for row in range(steps[1]) for column in range(steps[0])]


def _pages(made: SheetTemplate, sheet: int) -> Iterator[str]:
    wide, high = PAGE_MM[0], PAGE_MM[1] - 1
    corners = page_corners(made)
    for number, (x, y) in enumerate(corners, 1):
        left, foot = x + wide / 2 - RULER_MM / 2, y + high - 6
        words = f"{made.title}, page {number} of {len(corners)}; this line is 100 mm long"
        yield (
            f'<svg class="page" viewBox="{_n(x)} {_n(y)} {_n(wide)} {_n(high)}">'
            f'<use href="#sheet{sheet}"/>'
            f'<path class="ruler" d="M{_n(left)} {_n(foot)}h{_n(RULER_MM)}"/>'
            f'<text class="TEXT" font-size="3" x="{_n(x + wide / 2)}" y="{_n(foot - 1.5)}">'
            f"{escape(words)}</text></svg>"
        )


def _crosses(made: SheetTemplate) -> Iterator[str]:
    """Draw a cross in the middle of each overlap of four pages, and at each corner of a page."""
    for x, y in page_corners(made):
        at_x, at_y = _n(x + OVERLAP_MM / 2), _n(y + OVERLAP_MM / 2)
        yield f'<path class="ruler" d="M{at_x} {at_y}m-3 0h6m-3 -3v6"/>'


def _drawn(made: SheetTemplate) -> Iterator[str]:
    for shape in made.shapes:
        yield _shape(made, shape)


def _shape(made: SheetTemplate, shape: Shape) -> str:
    left, top = made.extent.left, made.extent.top
    if isinstance(shape, Label):
        return (
            f'<text class="TEXT" font-size="{_n(shape.height * 1.4)}" x="{_n(shape.x - left)}" '
            f'y="{_n(top - shape.y + shape.height / 2)}">{escape(shape.text)}</text>'
        )
    name = f'class="{shape.layer}" data-name="{escape(shape.name)}"'
    if isinstance(shape, Circle):
        return (
            f'<circle {name} cx="{_n(shape.x - left)}" cy="{_n(top - shape.y)}" '
            f'r="{_n(shape.diameter / 2)}"/>'
        )
    points = shape.points if isinstance(shape, Outline) else (shape.start, shape.end)
    path = " ".join(f"{_n(x - left)},{_n(top - y)}" for x, y in points)
    return f'<{"polygon" if isinstance(shape, Outline) else "polyline"} {name} points="{path}"/>'


def _n(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")
