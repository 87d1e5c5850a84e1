"""What a builder orders is what the circuit, the template and the games need."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from firmware_host.cli.layouts import piece_counts
from hardware import layout
from hardware.plans import order, page, placing
from hardware.plans.strips import strips
from hardware.wiring.bus_load import BUS_CM
from hardware.wiring.netlist import netlist
from tests.support.serial_boards import serial_layout

ROOT = Path(__file__).parents[3]
PIECES = {game: counts.total() for game, counts in piece_counts().items()}


@pytest.mark.parametrize("name", layout.NAMES)
def test_every_part_of_the_circuit_is_ordered_with_a_spare_where_it_may_break(name: str) -> None:
    board = layout.load(name)
    lines = order.orders(board, PIECES)
    counts = Counter(
        (part.kind, part.value) for part in netlist(board).parts.values() if part.bought
    )
    for (kind, value), needed in counts.items():
        if kind in ("light chain", "Raspberry Pi"):
            continue
        start = f"{' '.join(filter(None, (kind, value)))}: "
        (line,) = [line for line in lines if line.what.startswith(start)]
        assert line.needed == needed
        assert line.amount > needed or kind in ("supply", "regulator")
    (chain,) = [line for line in lines if line.what.startswith("light chain")]
    assert chain.amount * 30 >= len(board.led_positions)
    for line in lines:
        assert line.search, line.what
        assert 0 < line.euro[0] < line.euro[1], line.what
        assert "{" not in line.search


def test_every_resistor_and_capacitor_is_ordered_by_its_value() -> None:
    lines = order.orders(layout.load("square-hall"), {})
    for line in lines:
        found = re.match(r"resistor ([\d.]+ k?Ω)", line.what)
        assert not found or found[1] in line.search
    assert len([line for line in lines if line.what.startswith("capacitor")]) == 3


def test_magnets_are_ordered_for_the_pieces_of_each_game() -> None:
    assert PIECES == {
        "robot-duel": 8, "shogi": 40, "chaturaji": 32, "robotory": 31, "abalone": 28
    }  # fmt: skip
    lines = order.orders(layout.load("hex-reed"), {"abalone": 28, "robotory": 31})
    magnets = {line.what.rsplit(" ", 1)[1]: line for line in lines if line.group == "Pieces"}
    assert magnets["abalone"].needed == 28
    assert magnets["abalone"].amount == 31


def test_a_board_on_a_co_processor_gets_its_pico_its_switches_and_diodes() -> None:
    board = serial_layout("hex-reed")
    lines = order.orders(board, {})
    places = sum(len(device.places) for device in board.serial)
    by_what = {line.what.split(",")[0].split(":")[0]: line for line in lines}
    assert by_what["reed switch"].needed == places
    assert by_what["diode 1N4148"].needed == places
    assert by_what["Raspberry Pi Pico H"].needed == 1
    assert "MCP23017" not in by_what


@pytest.mark.parametrize("name", layout.NAMES)
def test_wires_reach_from_each_sensor_to_its_chip(name: str) -> None:
    board = layout.load(name)
    metres = order.wire_metres(board, netlist(board))
    sensors = sum(len(place.sensors) for place in board.places.values())
    assert metres["signals"] > sensors * 0.06
    wide, high = placing.extent(board).size
    assert metres["lights"] * 1000 > 2 * (wide + high)
    # 5 V and GND of every joint of the strip; on Hall boards also the two wires along the board.
    joints = len(strips(board)) - 1
    along = 2 * high if board.multiplexers else 0
    assert metres["pi"] * 1000 > 2 * 30 * joints + along
    # The ribbon is a part of the bus; all of it is as short as the wiring demands.
    assert order.RIBBON_MM < order.bus_mm(board) < BUS_CM * 10


@pytest.mark.parametrize("name", layout.NAMES)
def test_the_ribbon_has_its_header_and_the_box_its_sides(name: str) -> None:
    lines = order.orders(layout.load(name), {})
    assert [line.amount for line in lines if line.what.startswith("pin header, 2 × 20")] == [1]
    (sides,) = [line for line in lines if "the sides" in line.what]
    wide, high = placing.extent(layout.load(name)).size
    assert f"two of {wide:.0f} mm and two of {high + 8:.0f} mm" in sides.what


def test_the_sum_is_that_of_the_lines() -> None:
    lines = order.orders(layout.load("hex-reed"), {"abalone": 28})
    low, high = order.total(lines)
    assert f"about {low:.0f} to {high:.0f} €" in order.sum_text(lines)
    assert order.catalogue().estimated in order.sum_text(lines)
    assert order.euro_text((0.2, 0.9)) == "< 1 €"
    assert order.euro_text((0.5, 1.5)) == "< 2 €"
    assert order.euro_text((3.1, 6.5)) == "3–7 €"


def test_the_page_in_the_repository_is_the_one_that_is_printed() -> None:
    written = (ROOT / "hardware" / "PARTS.md").read_text("utf-8")
    assert written.strip() == page.parts_page(PIECES).strip(), (
        "lampion layouts --bom > hardware/PARTS.md"
    )
