"""The keys of a layout's file, with their types."""

from __future__ import annotations

from typing import Literal, NoReturn, TypeVar

import msgspec

from hardware.layout.model import Hall, Multiplexer, StrictKeys

T = TypeVar("T")


class BoardKeys(StrictKeys, frozen=True):
    shape: Literal["square", "hex"]
    pitch: float
    slot: tuple[float, float]


class LedKeys(StrictKeys, frozen=True):
    count: int
    order: str = "GRB"


class HeaderKeys(StrictKeys, frozen=True):
    interrupt: str
    reset: str | None = None


class ExpanderKeys(StrictKeys, frozen=True):
    address: int
    port_a: tuple[str, ...] = msgspec.field(name="A", default=())
    port_b: tuple[str, ...] = msgspec.field(name="B", default=())


class SelectKeys(StrictKeys, frozen=True):
    expander: int
    pins: tuple[str, str, str, str]


class SerialKeys(StrictKeys, frozen=True):
    port: str
    kind: Literal["board", "die", "clock"]
    baud: int = 115_200
    places: tuple[str, ...] = ()


class PlaceKeys(StrictKeys, frozen=True):
    at: tuple[float, float]
    pixels: tuple[int, ...]
    leds: tuple[tuple[float, float], ...]
    gain: float = 1.0


class SlotKeys(PlaceKeys, frozen=True):
    pockets: int = 1


class GameKeys(StrictKeys, frozen=True):
    seats: dict[str, object]
    places: tuple[dict[str, str], ...]
    unsensed: tuple[str, ...] = ()
    caution: str = ""


class LayoutFile(StrictKeys, frozen=True):
    name: str
    title: str
    sensing: Literal["presence", "polarity"]
    board: BoardKeys
    leds: LedKeys
    header: HeaderKeys
    cells: dict[str, object]
    slots: dict[str, object]
    edges: dict[str, object]
    buttons: dict[str, str]
    games: dict[str, object]
    expanders: tuple[ExpanderKeys, ...] = ()
    serial: tuple[SerialKeys, ...] = ()
    multiplexers: tuple[Multiplexer, ...] = ()
    select: SelectKeys | None = None
    hall: Hall | None = None
    dice: dict[str, str] = msgspec.field(default_factory=dict)


class MapsFile(StrictKeys, frozen=True):
    games: dict[str, object]


class Problem(Exception):  # noqa: N818 (it never reaches a caller of the loader)
    """An error with its key; the loader adds the name of the file."""


def fail(where: str, what: str) -> NoReturn:
    """Raise a Problem: `where` is the key, `what` the error."""
    raise Problem(f"{where}: {what}")


def convert(data: object, kind: type[T], where: str = "") -> T:
    """Return `data` as `kind`. The key of an error is `where` with the path from msgspec."""
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        what, _, path = str(error).partition(" - at `$")
        key = (where + path.rstrip("`")).lstrip(".").replace("[...]", ".?")
        what = what[0].lower() + what[1:].replace("Object", "object").replace("`", "'")
        what = what.replace("object contains unknown field", "unknown key")
        what = what.replace("object missing required field", "missing key")
        raise Problem(f"{key}: {what}" if key else what) from None
