"""From switches to readings: one bank for each chip that can fail on its own; and faults.

A bank keeps the readings of its places. A chip that does not answer makes its places blind: their
readings are unknown until it answers again. It is retried at once (one disturbed transfer is no
fault), then after a quarter of a second, and at growing intervals up to two seconds, because on
some buses every try costs a time-out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from drivers.bus import BusError, BusyError, HungError, I2cBus
from drivers.mcp23017 import NO_INPUT, ChipResetError, Mcp23017, WrongChipError

FIRST_RETRY_S: Final = 0.25
LAST_RETRY_S: Final = 2.0
PROVEN_AFTER: Final = 3
"""After this number of interrupts in a row without an edge the wire counts as broken."""


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
"""`silent`: no answer; from no chip at all if no address is given · `busy`: a driver of the kernel
uses the address · `hung`: a transfer timed out, so the bus does not work · `wrong`: another chip
answers · `reset`: the chip lost power and was set up again (in one frame only; nothing is blind) ·
`sensor`: a count that no sensor gives · `slow`: no look was quick enough to count · `unheard`: the
interrupt line does not fall when chips call, or when this chip calls · `held`: the line stays low
without a call · `taken`: another program uses a pin of the header · `lights`: the SPI of the light
chain fails.
"""

PortFault: TypeAlias = Literal[
    "unplugged", "denied", "quiet", "garbled", "version", "stranger", "unknown"
]
"""The trouble with a serial device: it is missing · its port may not be used · it sends nothing ·
its messages arrive broken · it speaks another version · it is another device than the layout's ·
it does not know some of its places.
"""


@dataclass(frozen=True, slots=True)
class Fault:
    """A part of the machine that does not work. Faults are equal if they are the same trouble."""

    kind: Kind | PortFault
    address: int | str | None
    """The address of a chip, the port of a device, or a pin of the header with its purpose."""
    text: str
    """One line: the trouble, the address, and what to check."""
    places: tuple[str, ...] = ()
    """The places that it makes blind."""
    holder: str = ""
    """The holder of a pin that is taken."""


class RetryDelay:
    """When to try a silent part again: at growing intervals."""

    def __init__(self) -> None:
        self._next = 0.0
        self._delay = FIRST_RETRY_S

    def failed(self, now: float) -> None:
        self._next = now + self._delay
        self._delay = min(2 * self._delay, LAST_RETRY_S)

    def due(self, now: float) -> bool:
        return now >= self._next

    def make_due(self) -> None:
        self._next = 0.0

    def succeeded(self) -> None:
        self._next, self._delay = 0.0, FIRST_RETRY_S


class SwitchBank:
    """One MCP23017 with switches and buttons; a closed switch pulls its pin low.

    `slot_of` gives the slot of a switch that is in one of several pockets. A chip with select lines
    has `dependents`: the places that are blind without it.
    """

    def __init__(
        self,
        bus: I2cBus,
        address: int,
        *,
        sensors: Mapping[int, str],
        buttons: Mapping[int, str],
        slot_of: Mapping[str, str] = MappingProxyType({}),
        outputs: Iterable[int] = (),
        dependents: Iterable[str] = (),
    ) -> None:
        inputs = 0xFFFF & ~NO_INPUT & ~sum(1 << pin for pin in outputs)
        self.chip = Mcp23017(bus, address, inputs=inputs)
        self._slot_of = slot_of
        self.places = (*self._places(sensors.values()), *dependents)
        self.ready = False
        """Whether the chip is set up and answers."""
        self.faults: tuple[Fault, ...] = ()
        self.pulsed: frozenset[str] = frozenset()
        """Places whose switch has moved and moved back since the last scan."""
        self.pressed: frozenset[str] = frozenset()
        """Buttons that are down, or that went down and up again since the last scan."""
        self.interrupted = False
        """Whether the chip was pulling the interrupt line down at the last scan."""
        self.interrupt_works: bool | None = None
        """Whether the line falls for the interrupts of this chip; None: unknown."""
        self.missed_interrupts = 0
        """The number of interrupts in a row without an edge; PROVEN_AFTER once a test failed."""
        self.needs_interrupt_test = False
        """Whether `test_interrupt` is due: after set-up, or when the line works again."""
        self.interrupt_tested = False
        """Whether `test_interrupt` caused an interrupt since the last scan."""
        self.timed_out = False
        """Whether the last scan ended in a time-out."""
        self.was_reset = False
        """Whether the last scan found the settings lost and set the chip up again."""
        self._sensors = tuple((1 << pin, name) for pin, name in sensors.items())
        self._buttons = tuple((1 << pin, name) for pin, name in buttons.items())
        self._sensor_pins = sum(bit for bit, _ in self._sensors)
        self._pins = inputs  # all high: all open
        self._latched = 0  # pins that moved between two scans and moved back
        self._retry = RetryDelay()

    def scan(self, now: float) -> dict[str, int]:
        """Read the chip; return the readings of switches that changed. Errors of the chip go to
        `faults`.
        """
        self.interrupted = self.timed_out = self.interrupt_tested = False
        if not self.ready:
            return self._start(now)
        if self.was_reset:
            self.was_reset, self.faults = False, ()
        try:
            pins, interrupted = self.chip.read()
        except BusError as error:
            return self._read_again(error, now)
        self.interrupted = bool(interrupted)
        if interrupted or self._latched:
            self._latched = interrupted & ~(pins ^ self._pins)
            names = (name for bit, name in self._sensors if self._latched & bit)
            self.pulsed = frozenset(self._places(names))
            self._update_buttons(pins)
        return self._store(pins) if pins != self._pins else {}

    def _places(self, sensors: Iterable[str]) -> Iterable[str]:
        """Return the places of switches, each once."""
        return dict.fromkeys(self._slot_of.get(sensor, sensor) for sensor in sensors)

    def levels(self) -> dict[str, int]:
        """Return the last level of each switch, 1 for closed; none while the chip is silent."""
        if not self.ready:
            return {}
        return {name: int(not self._pins & bit) for bit, name in self._sensors}

    def retry_at_once(self) -> None:
        """Try a silent chip in the next scan, however long it has been silent."""
        self._retry.make_due()

    def record_interrupt(self, fell: bool) -> None:
        """Record whether the line fell for an interrupt of this chip alone."""
        self.interrupt_works = fell
        self.missed_interrupts = 0 if fell else self.missed_interrupts + 1

    def retest_interrupt(self) -> None:
        """Forget whether the line works for this chip, so that it is tested again."""
        self.interrupt_works, self.missed_interrupts, self.needs_interrupt_test = None, 0, True

    def _lose(self, error: BusError, now: float) -> dict[str, int]:
        """Record that the chip is lost until it can be set up again; its places become blind."""
        self.ready = self.was_reset = False
        self.timed_out = isinstance(error, HungError)
        self.faults = (Fault(kind_of(error), self.chip.address, str(error), self.places),)
        self._retry.failed(now)
        self._clear_latched()
        self.pressed = frozenset()
        return self._store(self.chip.inputs)

    def _clear_latched(self) -> None:
        self._latched, self.pulsed = 0, frozenset()

    def _start(self, now: float) -> dict[str, int]:
        if not self._retry.due(now):
            return {}
        try:
            self.chip.set_up()
            pins, _ = self.chip.read()
        except BusError as error:
            return self._lose(error, now)
        self._retry.succeeded()
        self.ready, self.faults = True, ()
        self.retest_interrupt()
        return self._store(pins)

    def test_interrupt(self, now: float, line_is_low: Callable[[], bool]) -> dict[str, int]:
        """Cause an interrupt and record whether the line falls; return the readings that changed.

        So the line is proven before any hand moves. Chips that are not set up push the line up, and
        others may hold it down: call this when all are set up and the line is high.
        """
        try:
            self.chip.force_interrupt()
            fell = line_is_low()
            _, interrupted = self.chip.read()
            self.chip.end_forced_interrupt()
            pins, _ = self.chip.read()
        except BusError as error:
            return self._lose(error, now)  # set-up ends the forced interrupt
        self.needs_interrupt_test = False
        self.interrupted = self.interrupt_tested = bool(interrupted)
        self.interrupt_works, self.missed_interrupts = fell, 0 if fell else PROVEN_AFTER
        return self._store(pins)

    def _read_again(self, error: BusError, now: float) -> dict[str, int]:
        """Read the chip once more after an error; return the readings that changed."""
        try:
            if isinstance(error, ChipResetError):
                self.chip.set_up()
            pins, _ = self.chip.read()
        except ChipResetError as again:  # it was reset between the two tries
            if isinstance(error, ChipResetError):
                return self._lose(again, now)
            return self._read_again(again, now)
        except BusError as again:
            return self._lose(again, now)
        if isinstance(error, ChipResetError):
            self.was_reset = True
            text = f"{error}; it has been set up again"
            self.faults = (Fault("reset", self.chip.address, text),)
        self._clear_latched()
        return self._store(pins)

    def _store(self, pins: int) -> dict[str, int]:
        moved = pins ^ self._pins
        self._pins = pins
        if self._buttons and moved & ~self._sensor_pins:
            self._update_buttons(pins)
        return {name: int(not pins & bit) for bit, name in self._sensors if moved & bit}

    def _update_buttons(self, pins: int) -> None:
        down = ~pins | self._latched
        self.pressed = frozenset(name for bit, name in self._buttons if down & bit)


def kind_of(error: BusError) -> Kind:
    """Return the kind of fault of a driver's error."""
    match error:
        case WrongChipError():
            return "wrong"
        case BusyError():
            return "busy"
        case HungError():
            return "hung"
    return "silent"


def shortened(names: Sequence[str], most: int = 6) -> str:
    """Return the names in one line: the first few, and the number of further ones."""
    if len(names) <= most:
        return ", ".join(names)
    return f"{', '.join(names[: most - 1])} and {len(names) - most + 1} more"
