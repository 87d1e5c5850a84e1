"""Reads the TOML of a layout strictly; an error is one line with file, key and place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, TypeVar

from drivers import ads7830, cd74hc4067, hall, mcp23017, ws2812
from hardware.layout import schema, toml_text
from hardware.layout.model import (
    BoardPlace,
    Expander,
    GameMap,
    Hall,
    Layout,
    LayoutError,
    Multiplexer,
    PanelButton,
    SeatSide,
    Select,
    SerialDevice,
)
from hardware.layout.schema import convert, fail

BUTTONS: Final = ("yes", "no", "hint", "back")
"""The buttons that every board has, besides those of its seats."""

FACES: Final = tuple("123456")

TAKEN_GPIOS: Final = {2: "I2C", 3: "I2C", 14: "the UART", 15: "the UART"} | dict.fromkeys(
    range(7, 12), "SPI"
)

BAUDS: Final = (9600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600)
MOST_PLACES: Final = 240
"""The number of places that fit into one message of a co-processor."""

SPI_BUFFER_BYTES: Final = 4096
"""The largest SPI transfer with the kernel's default settings."""


T = TypeVar("T")


def parse(text: str, file: str) -> Layout:
    """Return the layout in a TOML text; a LayoutError calls it `file`."""
    return _read(text, file, lambda data: _Checked(convert(data, schema.LayoutFile)).layout())


def parse_maps(text: str, file: str, board: Layout) -> dict[str, GameMap]:
    """Return the maps of games onto a board in a TOML text that has nothing else, by game; a
    LayoutError calls it `file`.
    """

    def maps(data: dict[str, Any]) -> dict[str, GameMap]:
        games = convert(data, schema.MapsFile).games
        return {
            name: _game_map(name, data, board.places, board.buttons) for name, data in games.items()
        }

    return _read(text, file, maps)


def _read(text: str, file: str, convert_all: Callable[[dict[str, Any]], T]) -> T:
    """Return what a TOML text means; a LayoutError has one line, which begins with `file`."""
    try:
        data = toml_text.parsed(text)
    except ValueError as error:
        raise LayoutError(f"{file}: {error}") from error
    try:
        return convert_all(data)
    except schema.Problem as problem:
        raise LayoutError(f"{file}: {problem}") from None
    except RecursionError:
        raise LayoutError(f"{file}: lists or tables lie too deep in one another") from None


class _Checked:
    """The content of a file, checked part by part and turned into a Layout."""

    def __init__(self, file: schema.LayoutFile) -> None:
        self.file = file
        self.sensors: dict[str, str] = {}  # the place of each sensor
        self.wired: dict[str, str] = {}  # the pin of each sensor, in words
        self.pins: dict[str, str] = {}  # the use of each pin of an expander
        self.spots: dict[
            str, Sequence[tuple[float, float]]
        ] = {}  # the positions of each place's LEDs
        self.gpios: dict[int, str] = {}

    def layout(self) -> Layout:
        file = self.file
        for size in (file.board.pitch, *file.board.slot):
            if not 1.0 <= size <= 1000.0:
                fail("board", f"pitch and slot are sizes in mm, not {size}")
        places = self._places()
        serial = self._serial(places)
        expanders = self._expanders()
        multiplexers = self._multiplexers()
        select, figures = self._select(), self._hall()
        for sensor, place in self.sensors.items():
            if sensor not in self.wired:
                what = "is on no pin" if sensor == place else f"has its pocket {sensor} on no pin"
                fail(f"{'cells' if place in self.file.cells else 'slots'}.{place}", what)
        interrupt = self._gpio("header.interrupt", file.header.interrupt)
        reset = self._gpio("header.reset", file.header.reset) if file.header.reset else None
        buttons = self._buttons()
        return Layout(
            name=file.name,
            title=file.title,
            sensing=file.sensing,
            shape=file.board.shape,
            pitch=file.board.pitch,
            slot_size=file.board.slot,
            places=MappingProxyType(places),
            led_positions=self._led_positions(places),
            led_order=file.leds.order,
            expanders=expanders,
            multiplexers=multiplexers,
            select=select,
            hall=figures,
            buttons=MappingProxyType(buttons),
            dice=MappingProxyType(self._dice()),
            interrupt_gpio=interrupt,
            reset_gpio=reset,
            games=MappingProxyType(
                {name: _game_map(name, data, places, buttons) for name, data in file.games.items()}
            ),
            serial=serial,
        )

    def _places(self) -> dict[str, BoardPlace]:
        places: dict[str, BoardPlace] = {}
        for section, entries, kind in (
            ("cells", self.file.cells, "cell"),
            ("slots", self.file.slots, "slot"),
            ("edges", self.file.edges, "edge"),
        ):
            if not entries:
                fail(section, "there are none")
            for name, data in entries.items():
                where = f"{section}.{name}"
                if name in places:
                    fail(where, f"{name} is a {places[name].kind} already")
                places[name] = self._place(where, name, kind, data)
        return places

    def _place(self, where: str, name: str, kind: str, data: object) -> BoardPlace:
        entry = convert(data, schema.SlotKeys if kind == "slot" else schema.PlaceKeys, where)
        if not entry.pixels:
            fail(where, "has no pixel")
        if len(entry.leds) != len(entry.pixels):
            fail(where, f"{len(entry.pixels)} pixels but positions of {len(entry.leds)} LEDs")
        if not 0.0 < entry.gain <= 1.0:
            fail(f"{where}.gain", f"is above 0 and at most 1, not {entry.gain}")
        for position in (entry.at, *entry.leds):
            if not all(abs(value) <= 10_000.0 for value in position):
                fail(where, f"{list(position)} is no position in mm")
        sensors: tuple[str, ...] = ()
        if isinstance(entry, schema.SlotKeys):
            sensors = self._pockets(where, name, entry.pockets)
        elif kind == "cell":
            sensors = (name,)
        for sensor in sensors:
            if sensor in self.sensors:
                fail(where, f"a sensor {sensor} exists already")
            self.sensors[sensor] = name
        self.spots[name] = entry.leds
        x, y = entry.at
        return BoardPlace(
            name=name,
            kind="cell" if kind == "cell" else "slot" if kind == "slot" else "edge",
            x=x,
            y=y,
            pixels=entry.pixels,
            gain=entry.gain,
            sensors=sensors,
        )

    def _pockets(self, where: str, name: str, pockets: int) -> tuple[str, ...]:
        if not 0 <= pockets <= 4:
            fail(f"{where}.pockets", f"a slot has 0 to 4 pockets, not {pockets}")
        if pockets == 1:
            return (name,)
        return tuple(f"{name}/{number}" for number in range(1, pockets + 1))

    def _led_positions(self, places: Mapping[str, BoardPlace]) -> tuple[tuple[float, float], ...]:
        leds = self.file.leds
        if leds.order not in ws2812.ORDERS:
            fail("leds.order", f"{leds.order!r} is not one of {', '.join(ws2812.ORDERS)}")
        most = SPI_BUFFER_BYTES
        if leds.count < 1 or ws2812.frame_bytes(leds.count, leds.order) > most:
            fail("leds.count", f"one SPI transfer of {most} bytes drives no {leds.count}")
        owner: dict[int, str] = {}
        positions: dict[int, tuple[float, float]] = {}
        for name, place in places.items():
            for pixel, spot in zip(place.pixels, self.spots[name], strict=True):
                where = f"{place.kind}s.{name}.pixels"
                if not 0 <= pixel < leds.count:
                    fail(where, f"pixel {pixel}, but the chain has 0 to {leds.count - 1}")
                if pixel in owner:
                    fail(where, f"pixel {pixel} is {owner[pixel]}'s already")
                owner[pixel] = name
                positions[pixel] = spot
        for pixel in range(leds.count):
            if pixel not in owner:
                fail("leds.count", f"pixel {pixel} belongs to no place")
        return tuple(positions[pixel] for pixel in range(leds.count))

    def _wire(self, where: str, sensor: str, pin: str) -> None:
        if sensor not in self.sensors:
            known = {**self.file.cells, **self.file.slots}
            if sensor in self.file.edges:
                fail(where, f"{sensor} is an edge: it has a light and no sensor")
            if sensor in known:
                count = len([name for name in self.sensors.values() if name == sensor])
                fail(where, f"{sensor} has {count} pockets: name them {sensor}/1 …")
            fail(where, f"{sensor!r} is no cell or slot")
        if sensor in self.wired:
            fail(where, f"two sensors on {sensor}: it is on {self.wired[sensor]} already")
        self.wired[sensor] = pin

    def _serial(self, places: Mapping[str, BoardPlace]) -> tuple[SerialDevice, ...]:
        devices: dict[str, SerialDevice] = {}
        for index, device in enumerate(self.file.serial):
            where = f"serial[{index}]"
            if not device.port.startswith("/dev/"):
                fail(f"{where}.port", f"is a path like '/dev/ttyACM0', not {device.port!r}")
            if device.port in devices:
                fail(f"{where}.port", f"{device.port} is there twice")
            if device.baud not in BAUDS:
                fail(f"{where}.baud", f"{device.baud} is not one of {', '.join(map(str, BAUDS))}")
            if (device.kind == "board") != bool(device.places):
                fail(f"{where}.places", "belong to a board, and every board has some")
            if len(device.places) > MOST_PLACES:
                fail(f"{where}.places", f"are {MOST_PLACES} at most, not {len(device.places)}")
            for number, name in enumerate(device.places):
                # A co-processor counts the pockets of a slot itself: it reports places, not
                # sensors.
                place = places.get(name)
                for sensor in place.sensors if place and place.sensors else (name,):
                    self._wire(f"{where}.places[{number}]", sensor, f"number {number} of {where}")
            devices[device.port] = SerialDevice(
                device.port, device.baud, device.kind, device.places
            )
        return tuple(devices.values())

    def _expanders(self) -> tuple[Expander, ...]:
        expanders: dict[int, Expander] = {}
        for index, chip in enumerate(self.file.expanders):
            where = f"expanders[{index}]"
            if chip.address not in mcp23017.ADDRESSES:
                fail(f"{where}.address", f"is from 0x20 to 0x27, not {chip.address:#04x}")
            if chip.address in expanders:
                fail(f"{where}.address", f"{chip.address:#04x} is there twice")
            sensors: dict[int, str] = {}
            for port, names in (("A", chip.port_a), ("B", chip.port_b)):
                for bit, sensor in enumerate(names):
                    pin = f"{chip.address:#04x}.{port}{bit}"
                    if bit >= 7:
                        fail(f"{where}.{port}", f"{port}{bit} of an MCP23017 cannot be an input")
                    if sensor:
                        self._wire(f"{where}.{port}[{bit}]", sensor, pin)
                        self.pins[pin] = f"the sensor of {sensor}"
                        sensors["AB".index(port) * 8 + bit] = sensor
            if sensors and self.file.sensing == "polarity":
                fail(where, "a switch on a pin knows no poles: sensors go to multiplexers here")
            expanders[chip.address] = Expander(chip.address, MappingProxyType(sensors))
        if not (expanders or self.file.serial):
            fail("expanders", "there are none")
        return tuple(expanders.values())

    def _multiplexers(self) -> tuple[Multiplexer, ...]:
        by_serial = any(device.kind == "board" for device in self.file.serial)
        polarity, some = self.file.sensing == "polarity", bool(self.file.multiplexers)
        if some > polarity or (polarity > some and not by_serial):
            fail("multiplexers", "they belong to a polarity board, and every such board has some")
        known: set[tuple[int, int]] = set()
        for index, chip in enumerate(self.file.multiplexers):
            where = f"multiplexers[{index}]"
            if chip.adc not in ads7830.ADDRESSES:
                fail(f"{where}.adc", f"is from 0x48 to 0x4b, not {chip.adc:#04x}")
            if not 0 <= chip.channel <= 7:
                fail(f"{where}.channel", f"an ADS7830 has inputs 0 to 7, not {chip.channel}")
            if (chip.adc, chip.channel) in known:
                fail(f"{where}.channel", f"{chip.adc:#04x} has a multiplexer there already")
            if len(chip.inputs) != cd74hc4067.INPUTS:
                fail(f"{where}.inputs", f'are 16, "" where there is none, not {len(chip.inputs)}')
            for pin, sensor in enumerate(chip.inputs):
                if sensor:
                    name = f"{chip.adc:#04x}.{chip.channel}.{pin}"
                    self._wire(f"{where}.inputs[{pin}]", sensor, name)
            known.add((chip.adc, chip.channel))
        return self.file.multiplexers

    def _select(self) -> Select | None:
        select = self.file.select
        if (select is None) != (not self.file.multiplexers):
            fail("select", "belongs to multiplexers, and they need it")
        if select is None:
            return None
        if select.expander not in {chip.address for chip in self.file.expanders}:
            fail("select.expander", f"there is no expander at {select.expander:#04x}")
        s0, s1, s2, s3 = (
            self._pin("select.pins", f"{select.expander:#04x}.{name}", outputs=True)[1]
            for name in select.pins
        )
        if len({s0, s1, s2, s3}) < 4 or len({pin // 8 for pin in (s0, s1, s2, s3)}) > 1:
            fail("select.pins", "S0 to S3 are four pins of one port")
        return Select(select.expander, (s0, s1, s2, s3))

    def _hall(self) -> Hall | None:
        figures = self.file.hall
        if (figures is None) != (not self.file.multiplexers):
            fail("hall", "belongs to multiplexers, and they need it")
        if figures is None:
            return None
        try:
            hall.pole_tables(
                figures.zero, figures.millitesla_per_count, figures.present, figures.released
            )
        except ValueError as error:
            fail("hall", str(error))
        return figures

    def _gpio(self, where: str, text: str) -> int:
        number = text.removeprefix("GPIO")
        if number == text or not number.isascii() or not number.isdigit() or int(number) > 27:
            fail(where, f"a pin of the Pi's header is GPIO0 to GPIO27, not {text!r}")
        gpio = int(number)
        if gpio in TAKEN_GPIOS:
            fail(where, f"{text} belongs to {TAKEN_GPIOS[gpio]}")
        if gpio in self.gpios:
            fail(where, f"{text} is {self.gpios[gpio]}'s already")
        self.gpios[gpio] = where.partition(".")[2]
        return gpio

    def _pin(self, where: str, text: str, *, outputs: bool = False) -> tuple[int, int]:
        """Return the address and the pin of a text like `0x27.B0`; the pin must be free."""
        pins = {
            f"{chip.address:#04x}.{port}{bit}": (chip.address, "AB".index(port) * 8 + bit)
            for chip in self.file.expanders
            for port in "AB"
            for bit in range(8 if outputs else 7)
        }
        if text not in pins:
            fail(where, f"{text!r} is no {'' if outputs else 'input '}pin of an expander here")
        if text in self.pins:
            fail(where, f"{text} has {self.pins[text]} already")
        self.pins[text] = "a select line" if outputs else where.replace("buttons.", "the button ")
        return pins[text]

    def _buttons(self) -> dict[str, PanelButton]:
        buttons = {
            name: self._switch(f"buttons.{name}", name, text)
            for name, text in self.file.buttons.items()
        }
        for name in BUTTONS:
            if name not in buttons:
                fail("buttons", f"there is no button {name!r}")
        return buttons

    def _switch(self, where: str, name: str, text: str) -> PanelButton:
        if text.startswith("GPIO"):
            return PanelButton(name, self._gpio(where, text))
        address, pin = self._pin(where, text)
        return PanelButton(name, None, address, pin)

    def _dice(self) -> dict[int, PanelButton]:
        dice: dict[int, PanelButton] = {}
        for face, text in self.file.dice.items():
            if face not in FACES:
                fail("dice", f"a face is a number from 1 to 6, not {face!r}")
            dice[int(face)] = self._switch(f"dice.{face}", f"die {face}", text)
        if len(dice) not in (0, 4):
            fail("dice", f"a stick die has four faces, not {len(dice)}")
        return dice


def _game_map(
    name: str, data: object, places: Mapping[str, BoardPlace], buttons: Iterable[str]
) -> GameMap:
    """Return the map of a game onto a board with these places; Problem if it is invalid."""
    where = f"games.{name}"
    entry = convert(data, schema.GameKeys, where)
    mapped: dict[str, str] = {}
    inverse: dict[str, str] = {}
    for row in entry.places:
        for game_place, board in row.items():
            key = f"{where}.places.{game_place}"
            if game_place in mapped:
                fail(key, f"{game_place} is there twice")
            if board not in places:
                fail(key, f"the board has no place {board!r}")
            if not places[board].sensors:
                fail(key, f"{board} has no sensor")
            if board in inverse:
                fail(key, f"{board} is {inverse[board]}'s already")
            if any(f"{game_place}.".startswith(f"{tray}.") for tray in entry.unsensed):
                fail(key, f"{game_place} is listed as unsensed, too")
            mapped[game_place] = board
            inverse[board] = game_place
    if not mapped:
        fail(f"{where}.places", "there are none")
    seats: dict[str, SeatSide] = {}
    for seat, table in entry.seats.items():
        seats[seat] = side = convert(table, SeatSide, f"{where}.seats.{seat}")
        if side.light not in places:
            fail(f"{where}.seats.{seat}.light", f"the board has no place {side.light!r}")
        if side.button not in set(buttons):
            fail(f"{where}.seats.{seat}.button", f"there is no button {side.button!r}")
    return GameMap(
        name=name,
        places=MappingProxyType(mapped),
        inverse=MappingProxyType(inverse),
        unsensed=frozenset(entry.unsensed),
        seats=MappingProxyType(seats),
        caution=entry.caution,
    )
