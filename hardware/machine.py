"""The machine: assembles the readings of a layout's chips into frames, and sends colours as light.

It has no thread of its own, every call passes the time, and only one thread may call `read` (the
one that owns the bus). A frame contains states, not changes, and includes faults: for changes
compare it with the frame before.

A frame shows one moment. If the bus hangs or the program is delayed, reading all chips may take
seconds. The first chip then shows the past and the last one the present: together a board that
never existed. So a scan that takes too long is dropped, and the board is scanned again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from drivers import ws2812
from drivers.bus import INSTALL, I2cBus, SpiBus
from hardware.hall_bank import HallBank
from hardware.interrupt import FAULTY_AFTER, InterruptLine, unheard
from hardware.layout import Layout
from hardware.lighting import BRIGHTNESS, Colour, Lamps
from hardware.pockets import Pockets
from hardware.sensing import Fault, Kind, SwitchBank

if TYPE_CHECKING:  # needed only with serial devices
    from drivers.coprocessor import ClockState
    from hardware.clock_display import ClockShown
    from hardware.coprocessor import Coprocessors, OpenPort

REFRESH_S: Final = 1.0
"""An unchanged picture is sent again at this interval, to recover from disturbances."""

LONGEST_SCAN_S: Final = 0.1
"""A scan that takes longer is dropped, because hands can make a move meanwhile. A Hall board on a
bus at 100 kHz takes 0.07 s.
"""

MOST_SCANS: Final = 4
"""The most scans for one frame; a bus that hangs during a scan spoils two."""

_NOTHING: Final[frozenset[str]] = frozenset()


@dataclass(frozen=True, slots=True)
class SensorFrame:
    """The readings of all sensors at one moment, by the board's places; raw, before debouncing."""

    at: float
    readings: Mapping[str, int]
    """Every place that does not read 0; the same object as before if nothing changed. A cell reads
    1 on presence boards, and the pole that is up, +1 or -1, on polarity boards. A slot reads the
    number of filled pockets.
    """
    blind: frozenset[str] = frozenset()
    """Places with unknown readings: a missing reading here does not mean 0."""
    faults: tuple[Fault, ...] = ()
    """The parts that do not work now."""
    pulsed: frozenset[str] = frozenset()
    """Places that have changed and changed back since the last frame. Presence boards only."""
    pressed: frozenset[str] = frozenset()
    """Buttons that are held down."""
    thrown: tuple[tuple[int, ...], ...] = ()
    """Throws of electronic dice since the last frame."""
    clocks: tuple[ClockState, ...] = ()
    """The state of each clock that is plugged in."""
    gap: bool = False
    """Whether the board was not read for a while before; the caller of `read` sets it."""


class Machine:
    """One board behind its wires: `read` it, `light` it, `show_clock` on it."""

    def __init__(
        self,
        layout: Layout,
        bus: I2cBus,
        strip: SpiBus,
        *,
        brightness: float = BRIGHTNESS,
        power: str = "own",
        budget_ma: int | None = None,
        zeros: Mapping[str, int] | None = None,
        buttons: Callable[[], frozenset[str]] = frozenset,
        open_port: OpenPort | None = None,
        interrupt: InterruptLine | None = None,
        taken: tuple[Fault, ...] = (),
        coding: ws2812.Coding = ws2812.THREE,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Touch nothing yet: the first `read` sets the chips up.

        `power` and `budget_ma` limit the current of the LEDs (see Lamps). `zeros` are counts of
        Hall sensors without a magnet where they differ from the layout's. `buttons` returns the
        buttons on the Pi's header that are down. `open_port` opens ports of serial devices, if the
        layout has any. `interrupt` is the interrupt line, None if it is reliable. `taken` are pins
        of the header that another program uses. `coding` is the SPI coding of `strip`. `clock`
        measures how long a look takes, in seconds. PowerError or ValueError for impossible values.
        """
        self.layout = layout
        self.zeros: Mapping[str, int] = zeros or {}
        self.lamps = Lamps(
            layout, brightness=brightness, power=power, budget_ma=budget_ma, coding=coding
        )
        self._strip = strip
        self._buttons = buttons
        self._interrupt = interrupt
        self._taken = taken
        self._awaited: SwitchBank | None = None  # the bank that an edge is expected from
        self._coding = coding
        self._clock = clock
        self._pockets = Pockets(layout)
        self._banks = tuple(
            SwitchBank(
                bus,
                chip.address,
                sensors=chip.sensors,
                buttons={
                    button.pin: button.name
                    for button in layout.switches
                    if button.expander == chip.address
                },
                slot_of=self._pockets.slot_of,
                outputs=layout.select_pins(chip.address),
                dependents=layout.sensed if layout.select_pins(chip.address) else (),
            )
            for chip in layout.expanders
        )
        self._hall: HallBank | None = None
        if layout.select is not None:
            select = layout.select.expander
            bank = next(bank for bank in self._banks if bank.chip.address == select)
            self._hall = HallBank(bus, layout, bank, self.zeros)
        converters = {mux.adc for mux in layout.multiplexers}
        self._chips = len(layout.expanders) + len(converters)
        self._coprocessors = self._serial(open_port)
        self._readings: dict[str, int] = {}
        self._asked: dict[str, Colour] | None = None
        self._sent = b""
        self._send_again_at = 0.0
        self._strip_fault: tuple[Fault, ...] = ()

    def _serial(self, open_port: OpenPort | None) -> Coprocessors | None:
        if not self.layout.serial:
            return None
        if open_port is None:
            raise ValueError(f"{self.layout.name} has serial devices: nothing opens their ports")
        try:
            from hardware.coprocessor import Coprocessors
        except ImportError as error:
            raise ValueError(f"{self.layout.name}: {error}; {INSTALL}") from error
        return Coprocessors(self.layout, open_port)

    # ---- frames in

    def read(self, now: float) -> SensorFrame:
        """Return a frame with the time of the scan that counts.

        It never raises because of a chip: see `faults` and `blind` of the frame.
        """
        frame = self._read_chips(now)
        return frame if self._coprocessors is None else self._coprocessors.added_to(frame)

    def _read_chips(self, now: float) -> SensorFrame:
        """Scan the chips until a scan is quick enough to count."""
        line = self._interrupt
        was_proven = line is not None and line.proven
        if line is not None:
            line.before_read(now)
            self._record_edge(line)
        pressed, pulsed, interrupted = self._buttons(), _NOTHING, False
        resets: tuple[Fault, ...] = ()
        first = began = self._clock()
        for _ in range(MOST_SCANS):
            at = now + (began - first)
            self._scan(at)
            for bank in self._banks:
                pulsed, pressed = pulsed | bank.pulsed, pressed | bank.pressed
                interrupted = interrupted or bank.interrupted
            ended = self._clock()
            slow = ended - began > LONGEST_SCAN_S
            if not slow:
                break
            began = ended
            resets += tuple(fault for fault in self.faults if fault.kind == "reset")
        if line is not None:
            self._check_line(line, interrupted, at)
            if line.proven and not was_proven:
                self._retest()
        faults = tuple(dict.fromkeys(resets + self.faults))
        if slow:
            everything = frozenset(self.layout.sensed)
            return SensorFrame(at, {}, everything, (*faults, _slow(everything)), _NOTHING, pressed)
        if began > first:
            pulsed = _NOTHING  # a port latches the first change, not later ones
        blind = self._blind()  # also without a fault: all chips may answer and still be unread
        return SensorFrame(at, self._readings, blind, faults, pulsed - blind, pressed)

    def _record_edge(self, line: InterruptLine) -> None:
        """Record whether the line fell for the chip that an edge was expected from."""
        if line.edge_came is not None and self._awaited is not None:
            self._awaited.record_interrupt(line.edge_came)
            self._awaited = None

    def _check_line(self, line: InterruptLine, interrupted: bool, at: float) -> None:
        """Compare the interrupts of the chips with the line, as a whole and for each chip."""
        expected_before = line.expects_edge
        line.after_read(interrupted, at, some_silent=not all(bank.ready for bank in self._banks))
        pulling = [bank for bank in self._banks if bank.interrupted]
        if len(pulling) == 1 and not pulling[0].interrupt_tested:
            if line.edge_came:
                pulling[0].record_interrupt(True)
            elif line.expects_edge and not expected_before:
                self._awaited = pulling[0]
        elif pulling:
            self._awaited = None  # the edge may be of any of them

    def _retest(self) -> None:
        """Test all chips again for which the line did not fall, since the line works again."""
        for bank in self._banks:
            if bank.ready and not bank.interrupt_works:
                bank.retest_interrupt()

    def _scan(self, now: float) -> None:
        """Read all chips once and update the readings."""
        hall = self._hall
        silent = [bank for bank in self._banks if not bank.ready]
        measured = hall is not None and self._measure(hall, now)
        switches: dict[str, int] = {}
        hung = False
        for bank in self._banks:
            if hung and not bank.ready:
                continue  # it was silent before: one time-out for a scan is enough
            switches.update(bank.scan(now))
            hung = hung or bank.timed_out
        changes = self._pockets.counted(switches)
        if hall is not None:
            if not hall.select_bank.ready:
                changes.update(hall.forget())
            elif measured and not hall.select_bank.was_reset:
                changes.update(hall.commit())
        changes.update(self._pockets.counted(self._test_interrupts(now)))
        if any(bank.ready for bank in silent):
            self._retry_all()
        if changes:
            readings = {**self._readings, **changes}
            self._readings = {place: value for place, value in readings.items() if value}

    def _test_interrupts(self, now: float) -> dict[str, int]:
        """Test the line for each chip that needs it; return the readings of switches that changed.

        A line that is low cannot fall.
        """
        line, changes = self._interrupt, dict[str, int]()
        for bank in self._banks if line is not None else ():
            if line is not None and bank.needs_interrupt_test and bank.ready and not line.is_low():
                changes.update(bank.test_interrupt(now, line.is_low))
        return changes

    def _retry_all(self) -> None:
        """Retry all silent chips in the next scan: the bus seems to work again."""
        for bank in self._banks:
            bank.retry_at_once()
        if self._hall is not None:
            self._hall.retry_at_once()

    @staticmethod
    def _measure(hall: HallBank, now: float) -> bool:
        if not hall.select_bank.ready:
            hall.select_bank.scan(now)  # sets it up, if it answers
        return hall.select_bank.ready and hall.measure(now)

    def _blind(self) -> frozenset[str]:
        blind = {place for bank in self._banks if not bank.ready for place in bank.places}
        return frozenset(blind | self._hall.blind if self._hall else blind)

    @property
    def faults(self) -> tuple[Fault, ...]:
        """The present faults, chips first. A bus that hangs is one fault for all chips, and
        so is a bus without any answer. Frames also have the faults of serial devices.
        """
        faults = [fault for bank in self._banks for fault in bank.faults]
        if self._hall is not None:
            faults += self._hall.faults
        shared: tuple[tuple[Kind, int], ...] = (("hung", 1), ("silent", max(2, self._chips)))
        for kind, least in shared:
            same = [fault for fault in faults if fault.kind == kind]
            if len(same) >= least:
                places = tuple(dict.fromkeys(place for fault in same for place in fault.places))
                faults = [fault for fault in faults if fault.kind != kind]
                faults.append(Fault(kind, None, same[0].text, places))
        faults += self._line_faults()
        return (*faults, *self._taken, *self._strip_fault)

    def _line_faults(self) -> tuple[Fault, ...]:
        """Return the faults of the interrupt line: of the whole line, or of single chips."""
        line = self._interrupt
        if line is None:
            return ()
        if line.fault is not None:
            return (line.fault,)
        return tuple(
            unheard(bank.chip.address)
            for bank in self._banks
            if line.proven and bank.ready and bank.missed_interrupts >= FAULTY_AFTER
        )

    @property
    def needs_polling(self) -> bool:
        """Whether a change may come without an interrupt."""
        if self._hall is not None or self._coprocessors is not None:
            return True
        line, ready = self._interrupt, [bank for bank in self._banks if bank.ready]
        return line is not None and not (line.proven and all(b.interrupt_works for b in ready))

    @property
    def interrupts_suffice(self) -> bool:
        """Whether a proven interrupt line reports every change of a sensor."""
        return self._interrupt is not None and not self.needs_polling

    def show_clock(self, clock: ClockShown | None) -> None:
        """Let the displays on serial ports show a clock, None for no clock, from the next `read`
        on. Any thread may call.
        """
        if self._coprocessors is not None:
            self._coprocessors.clock = clock

    def close(self) -> None:
        """Close the ports of serial devices."""
        if self._coprocessors is not None:
            self._coprocessors.close()

    def hall_counts(self) -> dict[str, int]:
        """Return the last raw count of each Hall sensor, 0 to 255, for calibration."""
        return self._hall.counts() if self._hall else {}

    def sensor_levels(self) -> dict[str, int]:
        """Return the last raw level of each sensor on a chip that answers: 1 for a closed switch,
        the count of a Hall sensor. Any thread may call.
        """
        levels = self.hall_counts()
        for bank in self._banks:
            levels |= bank.levels()
        return levels

    # ---- colours out

    def light(self, colours: Mapping[str, Colour], now: float) -> bool:
        """Show exactly these colours (intended RGB, by place); return whether a picture was sent.

        An unchanged picture is sent only every REFRESH_S. KeyError for an unknown place; a light
        chain that fails is a fault of the next frame, not an error.
        """
        if colours == self._asked and now < self._send_again_at:
            return False
        frame = self.lamps.frame(colours)
        self._asked = dict(colours)
        if frame == self._sent and now < self._send_again_at:
            return False
        self._send_again_at = now + REFRESH_S
        try:
            self._strip.transfer(frame)
        except OSError as error:
            text = f"the light chain cannot be sent to ({error}): look at the SPI device"
            self._strip_fault = (Fault("lights", None, text),)
            self._sent = b""
            return False
        self._sent = frame
        self._strip_fault = ()
        return True

    @property
    def brightness(self) -> float:
        """The share of full brightness, 0 to 1; a change takes effect with the next `light`."""
        return self.lamps.brightness

    @brightness.setter
    def brightness(self, share: float) -> None:
        self.lamps.brightness = share
        self._asked = None

    @property
    def pixels(self) -> tuple[ws2812.Levels, ...]:
        """The levels last sent, red, green and blue of every LED in the chain's order."""
        return ws2812.decode_frame(self._sent, self.layout.led_order, self._coding)


def _slow(places: frozenset[str]) -> Fault:
    text = (
        f"no look at the board took less than {LONGEST_SCAN_S} s: is the Pi busy with other work, "
        "does I2C run at 400 kHz?"
    )
    return Fault("slow", None, text, tuple(sorted(places)))
