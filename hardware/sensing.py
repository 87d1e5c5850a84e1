"""From switches to readings: one bank for each chip that can fail by itself, and what a fault is.

A bank keeps what its places read. A chip that does not answer makes its places blind: nothing is
known of them until it answers again. It is tried twice at once (one disturbed transfer is no
fault), then again after a quarter of a second, and ever more seldom down to every two seconds,
because on some wires every try costs a time-out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from drivers.bus import BusError, BusyError, HungError, I2cBus
from drivers.mcp23017 import NO_INPUT, ChipResetError, Mcp23017, WrongChipError

FIRST_RETRY_S: Final = 0.25
LAST_RETRY_S: Final = 2.0
PROOF: Final = 3
"""So many calls in a row must go unheard before it is said that the wire is off."""


Kind: TypeAlias = Literal[
    "silent",
    "busy",
    "hung",
    "wrong",
    "reset",
    "sensor",
    "slow",
    "unheard",
    "held",
    "taken",
    "lights",
]
"""`silent`: no answer, of no chip at all if no address is named · `busy`: a driver of the kernel
has the address · `hung`: a transfer timed out, so nothing is to be had from the wires · `wrong`:
another chip answers · `reset`: it lost power and was set up again (said in one frame; nothing is
blind) · `sensor`: it gives what no sensor gives · `slow`: no look was quick enough to be believed ·
`unheard`: the interrupt line does not fall when chips call, or when that chip does · `held`: it
stays low though none does · `taken`: something else has a pin of the header · `lights`: the light
chain's SPI."""

PortFault: TypeAlias = Literal[
    "unplugged", "denied", "quiet", "garbled", "version", "stranger", "unknown"
]
"""What a serial device lacks: it is not there · its port is not ours to use · it says nothing ·
what it says arrives broken · it speaks another version · it is another device than the layout's ·
it knows nothing of some places."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Something of the machine that does not work. Equal as long as it is the same trouble."""

    kind: Kind | PortFault
    address: int | str | None
    """A chip's on I2C, the port of a serial device, or a pin of the header and what it is for."""
    text: str
    """One line: what, the address, and what to look at."""
    places: tuple[str, ...] = ()
    """What it makes blind."""
    holder: str = ""
    """What has a pin that is taken."""


class Patience:
    """When to try a silent chip again."""

    def __init__(self) -> None:
        self._next = 0.0
        self._delay = FIRST_RETRY_S

    def failed(self, now: float) -> None:
        self._next = now + self._delay
        self._delay = min(2 * self._delay, LAST_RETRY_S)

    def due(self, now: float) -> bool:
        return now >= self._next

    def at_once(self) -> None:
        self._next = 0.0

    def over(self) -> None:
        self._next, self._delay = 0.0, FIRST_RETRY_S


class SwitchBank:
    """One MCP23017 with reed or digital Hall switches and buttons; a closed one pulls its pin low.

    A chip that carries select lines has `dependents`: the places that are blind without it.
    """

    def __init__(
        self,
        bus: I2cBus,
        address: int,
        *,
        sensors: Mapping[int, str],
        buttons: Mapping[int, str],
        outputs: Iterable[int] = (),
        dependents: Iterable[str] = (),
    ) -> None:
        inputs = 0xFFFF & ~NO_INPUT & ~sum(1 << pin for pin in outputs)
        self.chip = Mcp23017(bus, address, inputs=inputs)
        self.places = (*sensors.values(), *dependents)
        self.ready = False
        """Set up and answering."""
        self.faults: tuple[Fault, ...] = ()
        self.pulsed: frozenset[str] = frozenset()
        """Places whose switch moved since the last scan and moved back."""
        self.pressed: frozenset[str] = frozenset()
        """Buttons that are down, and those that went down and up again since the last scan."""
        self.called = False
        """The chip had pulled the interrupt line down when it was scanned last."""
        self.heard: bool | None = None
        """Whether the interrupt line falls when this chip calls; None: that is not known."""
        self.misses = 0
        """Calls in a row for which it did not fall; PROOF of them if that has been tried."""
        self.unproven = False
        """It has to be asked by `prove`: it was set up, or there is reason to doubt."""
        self.proving = False
        """It has called because it was asked to, since the last scan."""
        self.timed_out = False
        """The last scan ended in a time-out."""
        self.was_reset = False
        """The last scan found it with settings lost, and set it up again."""
        self._sensors = tuple((1 << pin, name) for pin, name in sensors.items())
        self._buttons = tuple((1 << pin, name) for pin, name in buttons.items())
        self._sensor_pins = sum(bit for bit, _ in self._sensors)
        self._pins = inputs  # all high: all open
        self._latched = 0  # pins that moved between two scans and moved back
        self._patience = Patience()

    def scan(self, now: float) -> dict[str, int]:
        """Read the chip and return the readings that changed.

        Never raises for a chip's sake: look at `ready` and `faults`.
        """
        self.called = self.timed_out = self.proving = False
        if not self.ready:
            return self._start(now)
        if self.was_reset:
            self.was_reset, self.faults = False, ()
        try:
            pins, interrupted = self.chip.read()
        except BusError as error:
            return self._trouble(error, now)
        self.called = bool(interrupted)
        if interrupted or self._latched:
            self._latched = interrupted & ~(pins ^ self._pins)
            self.pulsed = self._names(self._latched)
            self._push(pins)
        return self._take(pins) if pins != self._pins else {}

    def ask_at_once(self) -> None:
        """Try a silent chip in the next scan, however long it has been silent."""
        self._patience.at_once()

    def take_answer(self, fell: bool) -> None:
        """Take down whether the interrupt line fell for a call of this chip alone."""
        self.heard = fell
        self.misses = 0 if fell else self.misses + 1

    def doubt(self) -> None:
        """Have it asked by `prove` once more."""
        self.heard, self.misses, self.unproven = None, 0, True

    def _lose(self, error: BusError, now: float) -> dict[str, int]:
        """Give the chip up until it can be set up again; its places go blind and read nothing."""
        self.ready = self.was_reset = False
        self.timed_out = isinstance(error, HungError)
        self.faults = (Fault(kind_of(error), self.chip.address, str(error), self.places),)
        self._patience.failed(now)
        self._forget_touches()
        self.pressed = frozenset()
        return self._take(self.chip.inputs)

    def _forget_touches(self) -> None:
        self._latched, self.pulsed = 0, frozenset()

    def _start(self, now: float) -> dict[str, int]:
        if not self._patience.due(now):
            return {}
        try:
            self.chip.set_up()
            pins, _ = self.chip.read()
        except BusError as error:
            return self._lose(error, now)
        self._patience.over()
        self.ready, self.faults = True, ()
        self.doubt()
        return self._take(pins)

    def prove(self, now: float, line_is_low: Callable[[], bool]) -> dict[str, int]:
        """Let the chip call by itself, and note whether the interrupt line falls: that is known
        before any hand moves. Return the readings that changed. Chips that are not set up push the
        line up, and others may hold it: this is for when all are set up and none calls.
        """
        try:
            self.chip.call()
            fell = line_is_low()
            _, interrupted = self.chip.read()
            self.chip.hush()
            pins, _ = self.chip.read()
        except BusError as error:
            return self._lose(error, now)  # set up again, it compares with nothing any more
        self.unproven = False
        self.called = self.proving = bool(interrupted)
        self.heard, self.misses = fell, 0 if fell else PROOF
        return self._take(pins)

    def _trouble(self, error: BusError, now: float) -> dict[str, int]:
        """Settle a scan that failed, if a second try can."""
        try:
            if isinstance(error, ChipResetError):
                self.chip.set_up()
            pins, _ = self.chip.read()
        except ChipResetError as again:  # reset between the two tries
            if isinstance(error, ChipResetError):
                return self._lose(again, now)
            return self._trouble(again, now)
        except BusError as again:
            return self._lose(again, now)
        if isinstance(error, ChipResetError):
            self.was_reset = True
            text = f"{error}; it has been set up again"
            self.faults = (Fault("reset", self.chip.address, text),)
        self._forget_touches()
        return self._take(pins)

    def _take(self, pins: int) -> dict[str, int]:
        moved = pins ^ self._pins
        self._pins = pins
        if self._buttons and moved & ~self._sensor_pins:
            self._push(pins)
        return {name: int(not pins & bit) for bit, name in self._sensors if moved & bit}

    def _push(self, pins: int) -> None:
        down = ~pins | self._latched
        self.pressed = frozenset(name for bit, name in self._buttons if down & bit)

    def _names(self, pins: int) -> frozenset[str]:
        return frozenset(name for bit, name in self._sensors if pins & bit)


def kind_of(error: BusError) -> Kind:
    """Return what kind of fault an error of a driver is."""
    match error:
        case WrongChipError():
            return "wrong"
        case BusyError():
            return "busy"
        case HungError():
            return "hung"
    return "silent"


def shortened(names: Sequence[str], most: int = 6) -> str:
    """Return the names in one line: the first few, and how many more."""
    if len(names) <= most:
        return ", ".join(names)
    return f"{', '.join(names[: most - 1])} and {len(names) - most + 1} more"
