"""A layout that has been read: frozen values, and what follows from them.

Positions are in mm from the south-west corner of the playing area, x to the east, y to the north.
Slots of a tray are numbered from their player's left to right. A slot may have several pockets,
each with its own sensor: `south.1/1`, `south.1/2` …
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import msgspec

from drivers import mcp23017, ws2812

Pin: TypeAlias = int
"""A pin of an MCP23017: A0..A7 are 0..7, B0..B7 are 8..15."""


class LayoutError(ValueError):
    """An invalid or unknown layout; one line with the file, the key and the place."""


class StrictKeys(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A table of a layout's file; an unknown key is an error."""


@dataclass(frozen=True, slots=True)
class BoardPlace:
    """A cell, a slot of a tray, or an edge that only has a light."""

    name: str
    kind: Literal["cell", "slot", "edge"]
    x: float
    y: float
    pixels: tuple[int, ...]
    """Numbers of its LEDs in the chain, 0 first."""
    gain: float
    """The brightness of its LEDs relative to others, 0 to 1."""
    sensors: tuple[str, ...]
    """Names of its sensors: its own, or one for each pocket; none for an edge."""


@dataclass(frozen=True, slots=True)
class Expander:
    """An MCP23017: the sensor on each pin that has one."""

    address: int
    sensors: Mapping[Pin, str]


class Multiplexer(StrictKeys, frozen=True):
    """A CD74HC4067 whose common pin goes to input `channel` of the converter at `adc`."""

    adc: int
    channel: int
    inputs: tuple[str, ...]
    """The sensor on each of the sixteen inputs, "" for none."""


@dataclass(frozen=True, slots=True)
class Select:
    """The outputs of an MCP23017 that drive S0 to S3 of all multiplexers."""

    expander: int
    pins: tuple[Pin, Pin, Pin, Pin]


class Hall(StrictKeys, frozen=True):
    """The meaning of a linear Hall sensor's counts; thresholds in millitesla."""

    zero: int
    millitesla_per_count: float
    present: float
    released: float


@dataclass(frozen=True, slots=True)
class SerialDevice:
    """A co-processor on a serial port, as drivers.coprocessor describes them."""

    port: str
    baud: int
    kind: Literal["board", "die", "clock"]
    places: tuple[str, ...]
    """Of a board: the places by their numbers, 0 first."""


@dataclass(frozen=True, slots=True)
class PanelButton:
    """A button between a pin and ground: on a GPIO of the Pi's header, or on an MCP23017."""

    name: str
    gpio: int | None
    expander: int | None = None
    pin: Pin = 0


class SeatSide(StrictKeys, frozen=True):
    """A player's side of the board: the place with the player's light, and the player's button."""

    light: str
    button: str


@dataclass(frozen=True, slots=True)
class GameMap:
    """The map of one game onto the board."""

    name: str
    places: Mapping[str, str]
    """The board's place for each place of the game."""
    inverse: Mapping[str, str]
    """The game's place for each place of the board that the game uses."""
    unsensed: frozenset[str]
    """Places of the game, or whole trays by their first word, that have no place on the board."""
    seats: Mapping[str, SeatSide]
    caution: str = ""
    """What the board does badly in this game, in English; other boards are offered first then."""

    @property
    def sides(self) -> tuple[SeatSide, ...]:
        """The sides of the players in turn order, whatever colours they have chosen."""
        return tuple(self.seats.values())


SHUTDOWN: Final = "shutdown"
"""The button that switches the Pi off. The kernel handles it (`dtoverlay=gpio-shutdown`)."""


@dataclass(frozen=True, slots=True)
class Layout:
    """A board as its file describes it. Mappings are read-only and in the order of the file."""

    name: str
    title: str
    sensing: Literal["presence", "polarity"]
    shape: Literal["square", "hex"]
    """Outline of a cell; a hexagon stands on its point."""
    pitch: float
    """Distance between the centres of neighbouring cells: a cell's width."""
    slot_size: tuple[float, float]
    places: Mapping[str, BoardPlace]
    led_positions: tuple[tuple[float, float], ...]
    """The position of each LED of the chain, by its number."""
    led_order: str
    """The chain's order of colour bytes, one of `drivers.ws2812.ORDERS`."""
    expanders: tuple[Expander, ...]
    multiplexers: tuple[Multiplexer, ...]
    select: Select | None
    hall: Hall | None
    buttons: Mapping[str, PanelButton]
    dice: Mapping[int, PanelButton]
    """The switches under a stick die, by the number that lies up when a magnet closes each; empty
    if the board has none."""
    interrupt_gpio: int
    """The wire that all INT pins pull down."""
    reset_gpio: int | None
    games: Mapping[str, GameMap]
    serial: tuple[SerialDevice, ...] = ()

    @property
    def cells(self) -> tuple[str, ...]:
        """The names of the playing area's places."""
        return tuple(name for name, place in self.places.items() if place.kind == "cell")

    @property
    def slots(self) -> tuple[str, ...]:
        """The names of the trays' places."""
        return tuple(name for name, place in self.places.items() if place.kind == "slot")

    @property
    def edges(self) -> tuple[str, ...]:
        """The names of the places that only have a light."""
        return tuple(name for name, place in self.places.items() if place.kind == "edge")

    @property
    def sensed(self) -> tuple[str, ...]:
        """The names of the places with sensors."""
        return tuple(name for name, place in self.places.items() if place.sensors)

    @property
    def hall_sensors(self) -> tuple[str, ...]:
        """The names of the sensors on multiplexers."""
        return tuple(name for chip in self.multiplexers for name in chip.inputs if name)

    @property
    def switches(self) -> tuple[PanelButton, ...]:
        """The buttons and the switches under a stick die."""
        return (*self.buttons.values(), *self.dice.values())

    @property
    def header_switches(self) -> tuple[PanelButton, ...]:
        """The switches on the Pi's header, without SHUTDOWN, which the kernel handles."""
        return tuple(
            switch
            for switch in self.switches
            if switch.gpio is not None and switch.name != SHUTDOWN
        )

    @property
    def shutdown_gpio(self) -> int | None:
        """The pin of the button that switches the Pi off, if the board has one there."""
        button = self.buttons.get(SHUTDOWN)
        return None if button is None else button.gpio

    def select_pins(self, address: int) -> tuple[Pin, ...]:
        """Return the pins of that expander that are S0 to S3; none if it does not drive them."""
        select = self.select
        return select.pins if select is not None and select.expander == address else ()

    def game(self, name: str) -> GameMap:
        """Return how a game lies on this board; LayoutError if the board does not serve it."""
        if name not in self.games:
            served = ", ".join(self.games) or "none"
            raise LayoutError(f"{self.name}: no map for the game {name!r}; it serves: {served}")
        return self.games[name]

    def scan_transactions(self) -> Iterator[tuple[int, int]]:
        """Yield every I2C transaction of one frame: bytes written after the address, bytes read."""
        for channel in range(16):
            here = sum(bool(chip.inputs[channel]) for chip in self.multiplexers)
            if here:
                yield 2, 0  # register and levels of the select lines
                yield from [(1, 1)] * here
        yield from [(1, mcp23017.BURST_BYTES)] * len(self.expanders)

    def scan_seconds(self, clock_hz: int = 400_000) -> float:
        """Return how long one frame takes on the wire: 9 clocks a byte, start, restart and stop."""
        return sum(wire_clocks(*each) for each in self.scan_transactions()) / clock_hz

    def light_seconds(self) -> float:
        """Return how long one frame of light takes on the SPI wire, its reset included."""
        size = ws2812.frame_bytes(len(self.led_positions), self.led_order)
        return size * 8 / ws2812.THREE.clock_hz


def wire_clocks(written: int, read: int) -> int:
    """Return the clocks of an I2C transaction: a write, or a write and a read after a restart."""
    write = 1 + 9 * (1 + written)
    return write + (1 + 9 * (1 + read) if read else 0) + 1
