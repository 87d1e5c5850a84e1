"""Faults of a board by name, to break a simulated board and see the fault found."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, TypeAlias

from hardware.layout import Layout
from hardware.layout.symmetry import symmetries
from hardware.simulated.board import SimulatedBoard, SimulationError
from hardware.simulated.chips import SimulatedMcp23017, hall_volts
from hardware.simulated.strip import SimulatedStrip
from hardware.simulated.wires import SimulatedWires

FaultInjector: TypeAlias = Callable[[SimulatedWires], Mapping[str, str] | None]
"""Breaks a board; returns which places a person confuses, if any."""


def inject_fault(wires: SimulatedWires, fault: str) -> Mapping[str, str]:
    """Break the board behind some wires by a name of FAULTS.

    Return, for each place that a person confuses, the place that is meant. SimulationError if the
    fault is unknown, or impossible on this board.
    """
    if fault not in FAULTS:
        raise SimulationError(f"no fault {fault!r}: `lampion doctor --break list` has their names")
    return FAULTS[fault](wires) or {}


def board_with_scatter(layout: Layout) -> SimulatedBoard:
    """Return a simulated board whose Hall sensors differ slightly, as real ones do."""
    stray = {name: (at * 7 % 11 - 5) * 0.4 for at, name in enumerate(layout.hall_sensors)}
    return SimulatedBoard(layout, stray_mt=stray)


# ---- expanders and the bus


def _first(wires: SimulatedWires) -> int:
    return wires.board.layout.expanders[0].address


def _free_address(wires: SimulatedWires) -> int:
    return next(a for a in range(0x20, 0x28) if a not in wires.board.bus.chips)


def _second_chip_missing(wires: SimulatedWires) -> None:
    layout = wires.board.layout
    chips = [chip.address for chip in layout.expanders]
    wires.board.unplug([*chips, *(chip.adc for chip in layout.multiplexers)][1])


def _all_chips_missing(wires: SimulatedWires) -> None:
    for address in list(wires.board.bus.chips):
        wires.board.unplug(address)


def _at_another_address(wires: SimulatedWires) -> None:
    wires.answering |= {_first(wires): (), _free_address(wires): (_first(wires),)}


def _two_expanders(wires: SimulatedWires) -> tuple[int, int]:
    layout = wires.board.layout
    if len(layout.expanders) < 2:
        raise SimulationError(f"{layout.name} has no two MCP23017 to mix up")
    return layout.expanders[0].address, layout.expanders[1].address


def _at_one_address(wires: SimulatedWires) -> None:
    one, other = _two_expanders(wires)
    wires.answering |= {one: (one, other), other: ()}


def _addresses_swapped(wires: SimulatedWires) -> None:
    one, other = _two_expanders(wires)
    wires.answering |= {one: (other,), other: (one,)}


# ---- Hall sensors


def _hall(change: Callable[[SimulatedBoard], object]) -> FaultInjector:
    def inject(wires: SimulatedWires) -> None:
        if not wires.board.multiplexers:
            raise SimulationError(f"{wires.board.layout.name} has no Hall sensors to break")
        change(wires.board)

    return inject


def _no_supply(board: SimulatedBoard) -> None:
    for multiplexer in board.multiplexers:
        multiplexer.enabled = False


def _select_line_stuck(board: SimulatedBoard) -> None:
    for multiplexer in board.multiplexers:
        multiplexer.stuck[1] = 0


def _no_bleeder(board: SimulatedBoard) -> None:
    board.multiplexers[0].bled = False


def _wire_cut(board: SimulatedBoard) -> None:
    board.cut_wire(board.layout.multiplexers[0].inputs[3])


def _wire_floats(board: SimulatedBoard) -> None:
    _no_bleeder(board)
    _wire_cut(board)


# ---- lights, buttons, cells


def _set(part: Callable[[SimulatedWires], object], **attributes: object) -> FaultInjector:
    def inject(wires: SimulatedWires) -> None:
        for name, value in attributes.items():
            assert hasattr(part(wires), name), name
            setattr(part(wires), name, value)

    return inject


_wires: Final = partial(_set, lambda wires: wires)
_strip: Final = partial(_set, lambda wires: wires.strip)


def _strip_of(order: str) -> FaultInjector:
    def inject(wires: SimulatedWires) -> None:
        wires.strip = SimulatedStrip(len(wires.board.layout.led_positions), order)
        wires.board.strip = wires.strip

    return inject


def _buttons(**acts_as: str) -> FaultInjector:
    return lambda wires: wires.buttons.update(acts_as)


def _first_cell_stuck(closed: bool) -> FaultInjector:
    return lambda wires: wires.board.stick(wires.board.layout.cells[0], closed)


def _dead_centre(wires: SimulatedWires) -> None:
    """Let a magnet right above the first reed leave it open."""
    layout = wires.board.layout
    if layout.sensing != "presence":
        raise SimulationError(f"{layout.name} has no reed switches")
    wires.board.dead_centres.add(layout.cells[0])
    wires.board.stick(layout.cells[0], False)


def _two_cells_swapped(wires: SimulatedWires) -> Mapping[str, str]:
    one, other = wires.board.layout.cells[:2]
    return {one: other, other: one}


def _board_turned(wires: SimulatedWires) -> Mapping[str, str]:
    layout = wires.board.layout
    half = next(s for s in symmetries(layout) if (s.degrees, s.mirrored) == (180, False))
    return {cell: half.places[cell] for cell in layout.cells}


FAULTS: Final[Mapping[str, FaultInjector]] = {
    "chip-missing": _second_chip_missing,
    "all-chips-missing": _all_chips_missing,
    "address-pin": _at_another_address,
    "address-shared": _at_one_address,
    "addresses-swapped": _addresses_swapped,
    "stranger": lambda w: w.board.bus.chips.update({_free_address(w): SimulatedMcp23017()}),
    "bus-held-low": _wires(held_low=True),
    "bus-hangs": _wires(hangs_every=9),
    "kernel-has-chip": lambda wires: wires.busy.add(_first(wires)),
    "other-chip": lambda wires: wires.foreign.add(_first(wires)),
    "loose-plug": lambda wires: wires.loose.update({_first(wires): 6}),
    "supply-dips": lambda wires: wires.resets.update({_first(wires): 7}),
    "reset-floats": _wires(reset_floats=True),
    "reset-cut": lambda wires: wires.reset_cut.add(_first(wires)),
    "int-cut": _wires(int_line="cut"),
    "int-held-low": _wires(int_line="low"),
    "int-of-one-chip": lambda wires: wires.int_cut.add(_first(wires)),
    "slow-clock": _wires(clock_hz=20_000.0),
    "hall-supply": _hall(_no_supply),
    "select-line": _hall(_select_line_stuck),
    "select-of-one": _hall(lambda board: board.multiplexers[1].stuck.update({2: 1})),
    "multiplexer-off": _hall(lambda board: setattr(board.multiplexers[1], "enabled", False)),
    "no-bleeder": _hall(_no_bleeder),
    "hall-wire": _hall(_wire_cut),
    "hall-floating": _hall(_wire_floats),
    "hall-offset": _hall(lambda board: board.multiplexers[0].drive(2, hall_volts(4.5))),
    "spi-fails": _strip(broken="Input/output error"),
    "colour-order": _strip_of("RGB"),
    "white-leds": _strip_of("GRBW"),
    "chain-cut": lambda wires: wires.board.cut_chain(17),
    "chain-dead": lambda wires: wires.board.cut_chain(0),
    "spi-pauses": _strip(pauses=True),
    "first-light": _strip(first_high=True),
    "last-picture": _strip(late=True),
    "button-down": _buttons(south="!"),
    "button-dead": _buttons(south=""),
    "buttons-swapped": _buttons(south="north", north="south"),
    "sensor-dead": _first_cell_stuck(closed=False),
    "sensor-stuck": _first_cell_stuck(closed=True),
    "dead-centre": _dead_centre,
    "wires-swapped": _two_cells_swapped,
    "board-turned": _board_turned,
    "weak-magnet": _hall(lambda board: setattr(board, "magnet_mt", 8.5)),
    "upside-down": _hall(lambda board: setattr(board, "magnet_mt", -board.magnet_mt)),
}
"""Each fault with its function; SimulationError if a board lacks the part to break."""
