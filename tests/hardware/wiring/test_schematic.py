"""The picture of a circuit joins what the netlist joins."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

from hardware import layout
from hardware.wiring import netlist, schematic
from tests.support.circuits import Drawn, agrees, circuit

ROOT = Path(__file__).parents[3]


@cache
def drawn(name: str) -> Drawn:
    return Drawn(schematic.schematic_svg(layout.load(name)))


@pytest.mark.parametrize("name", layout.NAMES)
def test_the_drawing_joins_what_the_netlist_joins_pin_by_pin(name: str) -> None:
    assert agrees(drawn(name), circuit(name))


@pytest.mark.parametrize("step", netlist.STEPS)
@pytest.mark.parametrize("name", layout.NAMES)
def test_the_drawing_of_a_step_joins_what_is_there_by_then(name: str, step: str) -> None:
    whole, of = circuit(name), netlist.step(circuit(name), step)
    assert agrees(Drawn(schematic.schematic_svg(layout.load(name), step)), of)
    for net, ends in of.nets.items():
        assert set(ends) <= set(whole.nets[net])
    (chip,) = of.kind("MCP23017" if step == "first-chip" else "74AHCT125")
    assert any(part.beside == chip.name for part in of.kind("capacitor"))


DRAWN = [
    *((f"{name}-wiring", name, "", "hardware/WIRING.md") for name in layout.NAMES),
    *((step, "square-reed", step, "docs/building.md") for step in netlist.STEPS),
]


@pytest.mark.parametrize(("file", "name", "step", "page"), DRAWN)
def test_the_pictures_on_the_pages_are_those_of_the_netlists(
    file: str, name: str, step: str, page: str
) -> None:
    picture = (ROOT / "docs" / f"{file}.svg").read_text("utf-8")
    made = schematic.schematic_svg(layout.load(name), *filter(None, [step]))
    how = f"lampion layouts {name} --wiring --svg{step and ' --step ' + step} > docs/{file}.svg"
    assert picture.strip() == made.strip(), how
    assert f"{file}.svg)" in (ROOT / page).read_text("utf-8")


def test_a_drawing_with_a_wire_one_row_too_high_is_found_out() -> None:
    text = schematic.schematic_svg(layout.load("hex-reed"))
    pi = drawn("hex-reed").pins["Pi", "GPIO3"]
    wrong = text.replace(f'points="{pi[0]:g},{pi[1]:g} ', f'points="{pi[0]:g},{pi[1] - 8:g} ')
    assert wrong != text
    assert not agrees(Drawn(wrong), circuit("hex-reed"))


@pytest.mark.parametrize("name", layout.NAMES)
def test_no_wire_lies_on_another_and_all_is_within_the_picture(name: str) -> None:
    picture = drawn(name)
    root = ElementTree.fromstring(schematic.schematic_svg(layout.load(name)))
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    for wire in picture.wires:
        assert all(0 < x < width and 0 < y < height for x, y in wire)
    for line in (0, 1):  # vertical lines, then horizontal ones
        lanes: dict[float, list[tuple[float, float]]] = {}
        for wire in picture.wires:
            for one, other in pairwise(wire):
                if one[line] == other[line]:
                    span = sorted((one[1 - line], other[1 - line]))
                    lanes.setdefault(one[line], []).append((span[0], span[1]))
        for at, spans in lanes.items():
            for (_, end), (start, _) in pairwise(sorted(spans)):
                assert end <= start, (line, at, end)
