"""Templates have every hole where the layout has its part, in every form of file."""

from __future__ import annotations

import io
import math
import re
import sys
from dataclasses import replace
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path
from types import MappingProxyType
from xml.etree import ElementTree

import ezdxf
import pytest

from hardware import layout
from hardware.layout import Layout
from hardware.plans import placing
from hardware.plans.placing import HALL_HOLE_MM, Extent
from hardware.plans.template import (
    LED_HOLE_MM,
    SHEETS,
    Circle,
    Outline,
    SheetTemplate,
    Stroke,
    template,
)
from hardware.plans.template_files import (
    OVERLAP_MM,
    PAGE_MM,
    NoDxfError,
    page_corners,
    template_dxf,
    template_pages,
    template_svg,
)
from hardware.wiring.sensor_spots import REED_OFFSET_MM

ROOT = Path(__file__).parents[3]
SMALL = ROOT / "examples" / "robot-duel-board.toml"
NUT_MM = 17.0
"""The nut of a button across its corners."""
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(params=layout.NAMES)
def board(request: pytest.FixtureRequest) -> Layout:
    return layout.load(request.param)


@cache
def plate(name: str) -> SheetTemplate:
    return template(layout.load(name), "plate")


def middle(points: list[tuple[float, float]]) -> tuple[float, float]:
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def in_svg(made: SheetTemplate) -> dict[str, tuple[float, float]]:
    """Return the middle of each hole of an SVG, by its name, in mm as in the layout."""
    root = ElementTree.fromstring(template_svg(made))
    _, _, wide, high = map(float, root.attrib["viewBox"].split())
    assert root.attrib["width"] == f"{wide:g}mm"
    assert root.attrib["height"] == f"{high:g}mm"
    found = {}
    for circle in root.iter(f"{SVG}circle"):
        found[circle.attrib["data-name"]] = (
            float(circle.attrib["cx"]) + made.extent.left,
            made.extent.top - float(circle.attrib["cy"]),
        )
    for polygon in root.iter(f"{SVG}polygon"):
        if polygon.attrib["class"] == "CUT":
            points = [tuple(map(float, at.split(","))) for at in polygon.attrib["points"].split()]
            x, y = middle([(x, y) for x, y in points])
            found[polygon.attrib["data-name"]] = (x + made.extent.left, made.extent.top - y)
    return found


def in_dxf(made: SheetTemplate) -> list[tuple[float, float]]:
    """Return the middle of each hole of a DXF, in mm."""
    drawing = ezdxf.read(io.StringIO(template_dxf(made)))
    assert drawing.units == 4  # millimetres
    assert not drawing.audit().errors
    found = []
    for entity in drawing.modelspace().query('*[layer=="CUT"]'):
        if entity.dxftype() == "CIRCLE":
            found.append((entity.dxf.center.x, entity.dxf.center.y))
        else:
            found.append(middle([(x, y) for x, y, *_ in entity.get_points()]))
    return found


def wanted(board: Layout) -> dict[str, tuple[float, float]]:
    """Return the middle of each light and of each sensor of a place of its own, from the layout."""
    found = {f"LED {number}": at for number, at in enumerate(board.led_positions)}
    east = REED_OFFSET_MM if board.sensing == "presence" else 0.0
    for place in board.places.values():
        if len(place.sensors) == 1:
            found[f"sensor {place.sensors[0]}"] = (place.x + east, place.y)
    return found


def near(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return math.dist(one, other) < 0.02


def test_svg_and_dxf_have_a_hole_where_the_layout_has_a_light_or_a_sensor(board: Layout) -> None:
    made = plate(board.name)
    drawn, cut = in_svg(made), in_dxf(made)
    for name, at in wanted(board).items():
        assert near(drawn[name], at), name
        assert any(near(each, at) for each in cut), name
    sensors = [name for name in drawn if name.startswith("sensor ")]
    assert len(sensors) == sum(len(place.sensors) for place in board.places.values())
    assert len(cut) == len(drawn)


@pytest.mark.parametrize("name", ["square-hall", "hex-reed"])
def test_pockets_have_a_sensor_each_in_their_own_quarter_of_the_slot(name: str) -> None:
    board = layout.load(name)
    drawn = in_svg(plate(name))
    for place in board.places.values():
        if len(place.sensors) == 4:
            quarters = {
                (drawn[f"sensor {sensor}"][0] > place.x, drawn[f"sensor {sensor}"][1] > place.y)
                for sensor in place.sensors
            }
            assert len(quarters) == 4, place.name
            first = drawn[f"sensor {place.sensors[0]}"]
            assert first[0] < place.x, "the first pocket is in the north-west"
            assert first[1] > place.y


def bounds(hole: Circle | Outline) -> tuple[float, float, float, float]:
    if isinstance(hole, Circle):
        r = hole.diameter / 2
        return hole.x - r, hole.y - r, hole.x + r, hole.y + r
    xs, ys = zip(*hole.points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def test_no_two_holes_meet_and_all_are_inside(board: Layout) -> None:
    for sheet in SHEETS:
        made = template(board, sheet)
        holes = [
            shape
            for shape in made.shapes
            if isinstance(shape, Circle | Outline)
            and shape.layer == "CUT"
            and shape.name != "outline"
        ]
        for hole in holes:
            left, low, right, high = bounds(hole)
            assert made.extent.left + 2 < left, hole.name
            assert right < made.extent.right - 2, hole.name
            assert made.extent.bottom + 2 < low, hole.name
            assert high < made.extent.top - 2, hole.name
        for one, other in combinations(holes, 2):
            a, b = bounds(one), bounds(other)
            apart = max(b[0] - a[2], a[0] - b[2], b[1] - a[3], a[1] - b[3])
            assert apart > 0.5, (one.name, other.name)


def shrunk(pitch: float) -> Layout:
    """Return the board for Robot Duel with cells of another size, to make its floor smaller."""
    board = layout.load(SMALL)
    near = board.pitch / pitch
    places = {
        name: replace(place, x=place.x / near, y=place.y / near)
        for name, place in board.places.items()
    }
    return replace(board, pitch=pitch, places=MappingProxyType(places))


@pytest.mark.parametrize("name", [*layout.NAMES, SMALL])
def test_boards_on_the_floor_have_room(name: str | Path) -> None:
    board = layout.load(name)
    assert placing.without_room(board) == ()
    parts = placing.floor(board)
    extent = placing.extent(board)
    for one, other in combinations([part.covers for part in parts.values()], 2):
        assert not one.meets(other), (one, other)
    for part in parts.values():
        assert extent.left < part.covers.left < part.covers.right < extent.right, part
        assert extent.bottom < part.covers.bottom < part.covers.top < extent.top, part
        # A button reaches down to what lies below it.
        for x, y in placing.buttons(board).values():
            button = Extent(x - NUT_MM / 2, y - NUT_MM / 2, x + NUT_MM / 2, y + NUT_MM / 2)
            assert not button.meets(part.covers), part
    holes = [
        shape
        for shape in template(board, "floor").shapes
        if isinstance(shape, Circle) and shape.name == "Pi"
    ]
    pi = parts[placing.PI].covers
    assert len(holes) == 6
    assert all(pi.left < hole.x < pi.right and pi.bottom < hole.y < pi.top for hole in holes)
    assert math.hypot(5, 5) < LED_HOLE_MM
    assert HALL_HOLE_MM > (4.0, 3.15)


def test_a_floor_without_room_leaves_parts_out_and_names_them() -> None:
    board = shrunk(20.0)
    missing = placing.without_room(board)
    assert placing.PI in missing
    drawn = {shape.name for shape in template(board, "floor").shapes if isinstance(shape, Outline)}
    assert not drawn & {f"board {name}" for name in missing}
    assert not [shape for shape in template(board, "floor").shapes if "Pi" in str(shape)]


def test_the_pages_cover_the_sheet_and_overlap(board: Layout) -> None:
    made = plate(board.name)
    corners = page_corners(made)
    wide, high = made.extent.size
    assert max(x for x, _ in corners) + PAGE_MM[0] >= wide
    assert max(y for _, y in corners) + PAGE_MM[1] >= high
    columns = sorted({x for x, _ in corners})
    assert all(right - left == PAGE_MM[0] - OVERLAP_MM for left, right in pairwise(columns))
    pages = template_pages([made])
    assert pages.count('class="page"') == len(corners)
    boxes = re.findall(r'class="page" viewBox="(\S+) (\S+) (\S+) (\S+)"', pages)
    assert [(float(x), float(y)) for x, y, _, _ in boxes] == corners
    assert {(float(w), float(h)) for _, _, w, h in boxes} == {(PAGE_MM[0], PAGE_MM[1] - 1)}
    assert f"width:{PAGE_MM[0]:g}mm;height:{PAGE_MM[1] - 1:g}mm" in pages


def test_without_the_library_one_line_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ezdxf.enums", None)
    with pytest.raises(NoDxfError, match=re.escape("pip install 'lampion[plans]'")):
        template_dxf(plate("hex-reed"))


@pytest.mark.parametrize("name", layout.NAMES)
def test_the_picture_of_the_plate_is_up_to_date(name: str) -> None:
    picture = (ROOT / "docs" / f"{name}-plate.svg").read_text("utf-8")
    how = f"lampion layouts {name} --plans F; cp F/template-plate.svg docs/{name}-plate.svg"
    assert picture == template_svg(plate(name)), how
    assert f"{name}-plate.svg)" in (ROOT / "docs" / "building.md").read_text("utf-8")


def test_the_surface_shows_where_a_place_with_one_sensor_feels_a_piece() -> None:
    board = layout.load("hex-reed")
    made = template(board, "surface")
    crosses = {shape.name for shape in made.shapes if isinstance(shape, Stroke)}
    single = (*board.cells, "south.3", "south.4", "north.3", "north.4")
    assert crosses == {f"magnet {place}" for place in single}


def test_names_have_a_colour_of_their_own_that_a_laser_can_leave_out() -> None:
    style = template_svg(plate("hex-reed")).split("<style>")[1].split("</style>")[0]
    colours = re.findall(r"#[0-9a-f]{6}", style)
    assert len(colours) == len(set(colours)) == 3
