"""Faults of a board by name, to break a simulated board and see the fault found."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from hardware.layout import Layout
from hardware.simulated.board import SimulatedBoard, SimulationError
from hardware.simulated.chips import SimulatedMcp23017, hall_volts
from hardware.simulated.strip import SimulatedStrip
from hardware.simulated.wires import SimulatedWires

FaultInjector: TypeAlias = Callable[[SimulatedWires], Mapping[str, str] | None]
"""Breaks a board; returns which places a person confuses, if any."""


def inject_fault(wires: SimulatedWires, fault: str) -> Mapping[str, str]:
    """Break the board behind some wires by a name of FAULTS; return the places that are elsewhere.
    SimulationError if the fault is unknown, or impossible on this board.
    """
    if fault not in FAULTS:
        raise SimulationError(f"no fault {fault!r}: `lampion doctor --break list` has their names")
    return FAULTS[fault](wires) or {}


def _first(layout: Layout) -> int:
    return layout.expanders[0].address


def _second(layout: Layout) -> int:
    """Return the second chip on I2C, of any kind."""
    chips = [chip.address for chip in layout.expanders]
    return (*chips, *(chip.adc for chip in layout.multiplexers))[1]


def _wires(**given: object) -> FaultInjector:
    def change(wires: SimulatedWires) -> None:
        for name, value in given.items():
            assert hasattr(wires, name), name
            setattr(wires, name, value)

    return change


def _missing(wires: SimulatedWires) -> None:
    wires.board.unplug(_second(wires.board.layout))


def _all_missing(wires: SimulatedWires) -> None:
    for address in list(wires.board.bus.chips):
        wires.board.unplug(address)


def _moved(wires: SimulatedWires) -> None:
    """Move the first expander to an unused address."""
    address = _first(wires.board.layout)
    free = next(a for a in range(0x20, 0x28) if a not in wires.board.bus.chips)
    wires.moved |= {address: (), free: (address,)}


def _two_expanders(wires: SimulatedWires) -> tuple[int, int]:
    layout = wires.board.layout
    if len(layout.expanders) < 2:
        raise SimulationError(f"{layout.name} has no two MCP23017 to mix up")
    return layout.expanders[0].address, layout.expanders[1].address


def _shared(wires: SimulatedWires) -> None:
    """Put two expanders at one address."""
    one, other = _two_expanders(wires)
    wires.moved |= {one: (one, other), other: ()}


def _swapped(wires: SimulatedWires) -> None:
    one, other = _two_expanders(wires)
    wires.moved |= {one: (other,), other: (one,)}


def _stranger(wires: SimulatedWires) -> None:
    free = next(a for a in range(0x20, 0x28) if a not in wires.board.bus.chips)
    wires.board.bus.chips[free] = SimulatedMcp23017()


def _per_chip(name: str, every: int) -> FaultInjector:
    def change(wires: SimulatedWires) -> None:
        getattr(wires, name)[_first(wires.board.layout)] = every

    return change


def _chip_set(name: str) -> FaultInjector:
    def change(wires: SimulatedWires) -> None:
        getattr(wires, name).add(_first(wires.board.layout))

    return change


def board_with_scatter(layout: Layout) -> SimulatedBoard:
    """Return a simulated board whose Hall sensors differ slightly, as real ones do."""
    sensors = [sensor for chip in layout.multiplexers for sensor in chip.inputs if sensor]
    stray = {sensor: (number * 7 % 11 - 5) * 0.4 for number, sensor in enumerate(sensors)}
    return SimulatedBoard(layout, stray_mt=stray)


def _hall(change: Callable[[SimulatedBoard], None]) -> FaultInjector:
    def inject(wires: SimulatedWires) -> None:
        if not wires.board.multiplexers:
            raise SimulationError(f"{wires.board.layout.name} has no Hall sensors to break")
        change(wires.board)

    return inject


def _select_stuck(board: SimulatedBoard) -> None:
    for multiplexer in board.multiplexers:
        multiplexer.stuck[1] = 0


def _no_hall_supply(board: SimulatedBoard) -> None:
    for multiplexer in board.multiplexers:
        multiplexer.enabled = False


def _off(board: SimulatedBoard) -> None:
    board.multiplexers[1].enabled = False


def _one_select(board: SimulatedBoard) -> None:
    board.multiplexers[1].stuck[2] = 1


def _no_bleeder(board: SimulatedBoard) -> None:
    board.multiplexers[0].bled = False


def _hall_wire(board: SimulatedBoard) -> None:
    board.cut_wire(board.layout.multiplexers[0].inputs[3])


def _floating(board: SimulatedBoard) -> None:
    _no_bleeder(board)
    _hall_wire(board)


def _offset(board: SimulatedBoard) -> None:
    board.multiplexers[0].drive(2, hall_volts(4.5))


def _strip(order: str) -> FaultInjector:
    def change(wires: SimulatedWires) -> None:
        wires.strip = SimulatedStrip(len(wires.board.layout.led_positions), order)
        wires.board.strip = wires.strip

    return change


def _chain(pixel: int) -> FaultInjector:
    return lambda wires: wires.board.cut_chain(pixel)


def _lit(name: str) -> FaultInjector:
    return lambda wires: setattr(wires.strip, name, True)


def _spi(wires: SimulatedWires) -> None:
    wires.strip.broken = "Input/output error"


def _button(name: str, becomes: str) -> FaultInjector:
    def change(wires: SimulatedWires) -> None:
        wires.buttons[name] = becomes

    return change


def _buttons_swapped(wires: SimulatedWires) -> None:
    wires.buttons |= {"south": "north", "north": "south"}


def _stuck(closed: bool) -> FaultInjector:
    return lambda wires: wires.board.stick(wires.board.layout.cells[0], closed)


def _dead_centre(wires: SimulatedWires) -> None:
    """Let a magnet right above the first reed leave it open."""
    layout = wires.board.layout
    if layout.sensing != "presence":
        raise SimulationError(f"{layout.name} has no reed switches")
    wires.board.dead_centres.add(layout.cells[0])
    wires.board.stick(layout.cells[0], False)


def _weak(board: SimulatedBoard) -> None:
    board.magnet_mt = 8.5


def _upside_down(board: SimulatedBoard) -> None:
    board.magnet_mt = -board.magnet_mt


def _pins_swapped(wires: SimulatedWires) -> Mapping[str, str]:
    one, other = wires.board.layout.cells[:2]
    return {one: other, other: one}


def _turned(wires: SimulatedWires) -> Mapping[str, str]:
    """Turn the board by half."""
    layout = wires.board.layout
    cells = list(layout.cells)
    x = sum(layout.places[cell].x for cell in cells) / len(cells)
    y = sum(layout.places[cell].y for cell in cells) / len(cells)
    spots = {(round(layout.places[c].x), round(layout.places[c].y)): c for c in cells}

    def opposite(cell: str) -> str:
        place = layout.places[cell]
        want = 2 * x - place.x, 2 * y - place.y
        near = min(spots, key=lambda at: abs(at[0] - want[0]) + abs(at[1] - want[1]))
        return spots[near]

    return {cell: opposite(cell) for cell in cells}


FAULTS: Final[Mapping[str, FaultInjector]] = {
    "chip-missing": _missing,
    "all-chips-missing": _all_missing,
    "address-pin": _moved,
    "address-shared": _shared,
    "addresses-swapped": _swapped,
    "stranger": _stranger,
    "bus-held-low": _wires(held_low=True),
    "bus-hangs": _wires(hangs_every=9),
    "kernel-has-chip": _chip_set("busy"),
    "other-chip": _chip_set("foreign"),
    "loose-plug": _per_chip("loose", 6),
    "supply-dips": _per_chip("resets", 7),
    "reset-floats": _wires(reset_floats=True),
    "reset-cut": _chip_set("reset_cut"),
    "int-cut": _wires(int_line="cut"),
    "int-held-low": _wires(int_line="low"),
    "int-of-one-chip": _chip_set("int_cut"),
    "slow-clock": _wires(clock_hz=20_000.0),
    "hall-supply": _hall(_no_hall_supply),
    "select-line": _hall(_select_stuck),
    "select-of-one": _hall(_one_select),
    "multiplexer-off": _hall(_off),
    "no-bleeder": _hall(_no_bleeder),
    "hall-wire": _hall(_hall_wire),
    "hall-floating": _hall(_floating),
    "hall-offset": _hall(_offset),
    "spi-fails": _spi,
    "colour-order": _strip("RGB"),
    "white-leds": _strip("GRBW"),
    "chain-cut": _chain(17),
    "chain-dead": _chain(0),
    "spi-pauses": _lit("pauses"),
    "first-light": _lit("first_high"),
    "last-picture": _lit("late"),
    "button-down": _button("south", "!"),
    "button-dead": _button("south", ""),
    "buttons-swapped": _buttons_swapped,
    "sensor-dead": _stuck(False),
    "sensor-stuck": _stuck(True),
    "dead-centre": _dead_centre,
    "wires-swapped": _pins_swapped,
    "board-turned": _turned,
    "weak-magnet": _hall(_weak),
    "upside-down": _hall(_upside_down),
}
"""Each fault with the function that causes it; SimulationError if a board lacks the part
to break.
"""
