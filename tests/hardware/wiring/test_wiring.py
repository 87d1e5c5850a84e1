"""What is printed of a circuit: tables of pins, parts and the page about wiring."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from firmware_host.config import config
from hardware import layout
from hardware.layout import Layout
from hardware.wiring import drawing, netlist, schematic, wiring
from hardware.wiring.sensor_spots import REED_OFFSET_MM, sensor_spots
from tests.support.circuits import Drawn, agrees, circuit, troubles
from tests.support.serial_boards import serial_layout

ROOT = Path(__file__).parents[3]
WIRING = (ROOT / "hardware" / "WIRING.md").read_text("utf-8")


@pytest.mark.parametrize("name", layout.NAMES)
def test_the_table_has_every_pin_of_every_chip(name: str) -> None:
    table = wiring.wiring_text(layout.load(name)).splitlines()
    lines = Counter(line.split()[0] for line in table if line.startswith("  "))
    for kind in ("MCP23017", "ADS7830", "CD74HC4067"):
        chips = circuit(name).kind(kind)
        for pin in chips[0].pins if chips else ():
            if pin.startswith(("GP", "CH", "I1")):
                assert lines[pin] == len(chips)


@pytest.mark.parametrize("name", layout.NAMES)
def test_the_parts_are_counted_as_the_netlist_has_them(name: str) -> None:
    of = circuit(name)
    listed = Counter[str]()
    for line in wiring.parts_text(layout.load(name)).splitlines()[2:]:
        box, _, rest = line.partition("]")
        assert box == "[ "
        number, _, what = rest.strip().partition(" x ")
        listed[what.split(":")[0]] += int(number)
    wanted = Counter(
        " ".join(filter(None, (part.kind, part.value))) for part in of.parts.values() if part.bought
    )
    assert listed == wanted
    assert "1.8 kΩ" not in " ".join(listed)


def test_the_parts_of_a_board_in_numbers() -> None:
    parts = wiring.parts_text(layout.load("square-hall"))
    assert "[ ]  129 x DRV5055A2" in parts
    assert "[ ]    9 x CD74HC4067" in parts
    assert "[ ]  144 x capacitor 100 nF: at 0x27, 0x48, 0x49, 4067-1" in parts


def test_a_stick_die_is_in_the_circuit_in_the_picture_and_among_the_parts() -> None:
    text = layout.SHIPPED.joinpath("square-reed.toml").read_text("utf-8")
    die = "[dice]\n2 = 'GPIO16'\n3 = 'GPIO20'\n4 = 'GPIO21'\n5 = '0x26.B6'\n\n[buttons]"
    made = layout.parse(text.replace("[buttons]", die), "x.toml")
    of = netlist.netlist(made)
    assert not troubles(of)
    assert of.joined_to("Pi", "GPIO16") == (("die 2", "1"),)
    assert of.joined_to("0x26", "GPB6") == (("die 5", "1"),)
    reeds = len(circuit("square-reed").kind("reed switch"))
    assert f"{reeds + 4} x reed switch" in wiring.parts_text(made)
    assert "GPB6 (pin 7)       die 5" in wiring.wiring_text(made)
    assert 'data-part="die 3"' in schematic.schematic_svg(made)
    page = wiring.wiring_page([made])
    assert "| 16 (36) | all boards | die 2 |" in page
    assert "\n| die 2 |" not in page
    assert "Inputs that no switch uses" not in page


def test_the_table_lists_the_places_on_a_co_processor() -> None:
    table = wiring.wiring_text(serial_layout("hex-reed"))
    assert "Board on /dev/ttyACM0, 115200 baud\n  0   a1\n" in table


@pytest.mark.parametrize("name", layout.NAMES)
def test_the_page_names_every_end_of_every_wire_between_chips(name: str) -> None:
    of = circuit(name)
    section = wiring.wiring_page().split(f"\n## {name}\n")[1].split("\n## ")[0]
    rows = dict(line.strip("| ").split(" | ") for line in section.splitlines() if " | " in line)
    for net in ("SDA", "SCL", "INT", "RESET", "MOSI", "DIN"):
        assert len(rows[net].split(", ")) == len(of.nets[net])


def test_the_page_in_the_repository_is_the_one_that_is_printed() -> None:
    assert WIRING.strip() == wiring.wiring_page().strip(), (
        "lampion layouts --wiring > hardware/WIRING.md"
    )


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("square-reed", 'reset = "GPIO25"\n', ""),
        ("hex-reed", 'order = "GRB"', 'order = "GRBW"'),
        ("hex-hall", "adc = 0x48\nchannel = 4", "adc = 0x4b\nchannel = 0"),
    ],
)
def test_another_board_keeps_the_rules_and_is_drawn_as_it_is(name: str, old: str, new: str) -> None:
    text = layout.SHIPPED.joinpath(f"{name}.toml").read_text("utf-8")
    assert old in text
    mine = layout.parse(text.replace(old, new, 1), "x.toml")
    of = netlist.netlist(mine)
    assert troubles(of) == set()
    assert agrees(Drawn(schematic.schematic_svg(mine)), of)


def test_a_board_of_ones_own_has_its_own_circuit() -> None:
    text = layout.SHIPPED.joinpath("square-reed.toml").read_text("utf-8")
    mine: Layout = layout.parse(
        text.replace("square-reed", "walnut", 1).replace('"GPIO25"', '"GPIO20"', 1), "x.toml"
    )
    page = wiring.wiring_page([mine])
    assert "| 20 (38) | all boards | 220 Ω, then RESET" in page
    assert "GPIO25" not in page.split("## walnut")[1]


def test_what_the_pages_set_in_the_configuration_exists() -> None:
    """Every `key = value` on the page about wiring belongs to a layout or to the configuration."""
    page = (ROOT / "hardware" / "WIRING.md").read_text("utf-8")
    page += (ROOT / "docs" / "building.md").read_text("utf-8").split("## Power")[1]
    settings = set(re.findall(r"`([a-z_]+ = [^`]+)`", page))
    assert settings >= {"limit_ma = 500", "bits = 4", "millitesla_per_count = -0.43"}
    for setting in settings:
        if "millitesla" not in setting and "…" not in setting:
            config.parse({"leds": tomllib.loads(setting)}, "page")


def test_the_offset_of_a_reed_is_the_same_number_everywhere() -> None:
    offset = f"{REED_OFFSET_MM:g} mm"
    for name in ("square-reed", "hex-reed"):
        picture = drawing.layout_svg(layout.load(name))
        assert f"east-west, its middle {offset} east of the middle of its place" in picture
    hall = drawing.layout_svg(layout.load("hex-hall"))
    assert "Each Hall sensor sits under the middle of its cell" in hall
    for page in ("hardware/WIRING.md", "docs/building.md"):
        words = " ".join((ROOT / page).read_text("utf-8").split())
        assert f"lies east-west, its middle {offset} east of the middle" in words


def test_no_sensor_lies_on_a_light() -> None:
    """In the picture as on the board: a light has a diameter of 2.4 mm."""
    for name in layout.NAMES:
        board = layout.load(name)
        for spot in sensor_spots(board):
            for x, y in board.led_positions:
                apart = (abs(x - spot.x) - spot.wide / 2, abs(y - spot.y) - spot.high / 2)
                assert max(apart) > 2.4, spot.name
