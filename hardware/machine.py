"""The machine: a layout's chips assembled into frames of readings, and colours into light.

It has no thread of its own, the time comes with every call, and only one thread may call `read`
(the one that owns the bus). Levels, not edges: a frame says what is, faults included, and who wants
to know what is new compares it with the frame before.

A frame is of one moment. While the wires hang, or the program is held up, a look may take seconds:
its first chip then says what was, its last one what is, and together they show a board that never
was. So a look that took long is never believed; the board is looked at again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from drivers import ws2812
from drivers.bus import INSTALL, I2cBus, SpiBus
from hardware.hall_bank import HallBank
from hardware.interrupt import PATIENCE, InterruptLine, unheard
from hardware.layout import Layout
from hardware.lighting import BRIGHTNESS, Colour, Lamps
from hardware.sensing import Fault, Kind, SwitchBank

if TYPE_CHECKING:  # what only a board with serial devices needs
    from drivers.coprocessor import ClockState
    from hardware.coprocessor import Coprocessors, OpenPort

REFRESH_S: Final = 1.0
"""An unchanged picture is sent again so often: a chain that flickered or lost power recovers."""

LONGEST_LOOK_S: Final = 0.1
"""A look that took longer is thrown away: hands can make a move meanwhile. A Hall board on a wire
at 100 kHz takes 0.07 s."""

LOOKS: Final = 4
"""So many looks are tried for one frame; a bus that hangs in mid look spoils two."""

_NOTHING: Final[frozenset[str]] = frozenset()


@dataclass(frozen=True, slots=True)
class SensorFrame:
    """What the sensors said at one moment, in the board's places; raw, before debounce."""

    at: float
    readings: Mapping[str, int]
    """Every place that reads other than 0; the same object as before if nothing changed. Presence
    boards: 1. Polarity boards: the pole that is up, +1 or -1, and for a slot how many of its
    pockets are filled."""
    blind: frozenset[str] = frozenset()
    """Places of which nothing is known now: what they read is missing, not 0."""
    faults: tuple[Fault, ...] = ()
    """What does not work now."""
    pulsed: frozenset[str] = frozenset()
    """Places that moved since the last frame and moved back: its chip latched it. Presence only."""
    pressed: frozenset[str] = frozenset()
    """Buttons that are held down."""
    thrown: tuple[tuple[int, ...], ...] = ()
    """Throws of electronic dice since the last frame."""
    clocks: tuple[ClockState, ...] = ()
    """How each clock stands that is plugged in."""
    gap: bool = False
    """Whether nobody looked for a while before that; the reader of a machine sets it."""


class Machine:
    """One board behind its wires: `read` it, `light` it."""

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

        `power` and `budget_ma` limit the LEDs' current (see Lamps); `zeros` are the Hall sensors'
        counts without a magnet where they differ from the layout's; `buttons` says which of those
        on the Pi's header are held down; `open_port` opens the ports of serial devices, if the
        layout has any; `interrupt` is the wire that the chips call on, None if it can be relied
        on; `taken` says which of the header's pins could not be had; `coding` is how `strip` spells
        a bit; `clock` tells how long a look takes, in seconds.
        PowerError or ValueError name what cannot be.
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
        self._calling: SwitchBank | None = None  # its call is owed an edge of the interrupt line
        self._coding = coding
        self._clock = clock
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
                outputs=self._select_pins(chip.address),
                dependents=self._dependents(chip.address),
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

    def _select_pins(self, address: int) -> tuple[int, ...]:
        select = self.layout.select
        return select.pins if select is not None and select.expander == address else ()

    def _dependents(self, address: int) -> tuple[str, ...]:
        if not self._select_pins(address):
            return ()
        return tuple(name for name, place in self.layout.places.items() if place.sensors)

    # ---- frames in

    def read(self, now: float) -> SensorFrame:
        """Return what the sensors say; never raises for a chip's sake: see `faults` and `blind`.

        If the first look is not to be believed, the frame's time is that of the one that is.
        """
        frame = self._read_chips(now)
        return frame if self._coprocessors is None else self._coprocessors.added_to(frame)

    def _read_chips(self, now: float) -> SensorFrame:
        """Look at all chips until a look is quick enough to be believed."""
        line = self._interrupt
        was_proven = line is not None and line.proven
        if line is not None:
            line.begin(now)
            self._hear(line)
        pressed, pulsed, called = self._buttons(), _NOTHING, False
        resets: tuple[Fault, ...] = ()
        first = began = self._clock()
        for _ in range(LOOKS):
            at = now + (began - first)
            self._look(at)
            for bank in self._banks:
                pulsed, pressed = pulsed | bank.pulsed, pressed | bank.pressed
                called = called or bank.called
            ended = self._clock()
            slow = ended - began > LONGEST_LOOK_S
            if not slow:
                break
            began = ended
            resets += tuple(fault for fault in self.faults if fault.kind == "reset")
        if line is not None:
            self._judge(line, called, at)
            if line.proven and not was_proven:
                self._doubt()
        faults = tuple(dict.fromkeys(resets + self.faults))
        if slow:
            everything = frozenset(
                name for name, place in self.layout.places.items() if place.sensors
            )
            return SensorFrame(at, {}, everything, (*faults, _slow(everything)), _NOTHING, pressed)
        if began > first:
            pulsed = _NOTHING  # a port latches what moved first, not what moved since
        blind = self._blind()  # also without a fault: all chips may answer, and be still unread
        return SensorFrame(at, self._readings, blind, faults, pulsed - blind, pressed)

    def _hear(self, line: InterruptLine) -> None:
        """Take down whether the line fell for the chip whose call it owed an edge."""
        if line.answered is not None and self._calling is not None:
            self._calling.take_answer(line.answered)
            self._calling = None

    def _judge(self, line: InterruptLine, called: bool, at: float) -> None:
        """Compare what chips have said with what the line did: for the line, and for each chip."""
        owed = line.owes
        line.judge(called, at, deaf=not all(bank.ready for bank in self._banks))
        calling = [bank for bank in self._banks if bank.called]
        if len(calling) == 1 and not calling[0].proving:
            if line.answered:
                calling[0].take_answer(True)
            elif line.owes and not owed:
                self._calling = calling[0]
        elif calling:
            self._calling = None  # whichever of them the edge is of

    def _doubt(self) -> None:
        """Have all chips asked again that the line has not fallen for: it was off for all of them,
        and is whole again.
        """
        for bank in self._banks:
            if bank.ready and not bank.heard:
                bank.doubt()

    def _look(self, now: float) -> None:
        """Read all chips once and take over what has changed."""
        hall = self._hall
        silent = [bank for bank in self._banks if not bank.ready]
        measured = hall is not None and self._measure(hall, now)
        changes: dict[str, int] = {}
        hung = False
        for bank in self._banks:
            if hung and not bank.ready:
                continue  # it was silent before: one time-out a look is enough
            changes.update(bank.scan(now))
            hung = hung or bank.timed_out
        if hall is not None:
            if not hall.select_bank.ready:
                changes.update(hall.forget())
            elif measured and not hall.select_bank.was_reset:
                changes.update(hall.commit())
        changes.update(self._prove(now))
        if any(bank.ready for bank in silent):
            self._ask_all()
        if changes:
            readings = {**self._readings, **changes}
            self._readings = {place: value for place, value in readings.items() if value}

    def _prove(self, now: float) -> dict[str, int]:
        """Have chips call of which it is not known whether the line falls for them; return the
        readings that changed. A line that is low cannot fall.
        """
        line, changes = self._interrupt, dict[str, int]()
        for bank in self._banks if line is not None else ():
            if line is not None and bank.unproven and bank.ready and not line.is_low():
                changes.update(bank.prove(now, line.is_low))
        return changes

    def _ask_all(self) -> None:
        """Try all that is silent in the next look: the wires seem to be in order again."""
        for bank in self._banks:
            bank.ask_at_once()
        if self._hall is not None:
            self._hall.ask_at_once()

    @staticmethod
    def _measure(hall: HallBank, now: float) -> bool:
        if not hall.select_bank.ready:
            hall.select_bank.scan(now)  # sets it up, if it is there
        return hall.select_bank.ready and hall.measure(now)

    def _blind(self) -> frozenset[str]:
        blind = {place for bank in self._banks if not bank.ready for place in bank.places}
        return frozenset(blind | self._hall.blind if self._hall else blind)

    @property
    def faults(self) -> tuple[Fault, ...]:
        """What does not work now, chips first; wires that hang are one fault, however many chips
        are out of reach, and so is that none answers. Frames have those of serial devices, too.
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
        """Return what is wrong with the interrupt line: with all of it, or with some chip's end."""
        line = self._interrupt
        if line is None:
            return ()
        if line.fault is not None:
            return (line.fault,)
        return tuple(
            unheard(bank.chip.address)
            for bank in self._banks
            if line.proven and bank.ready and bank.misses >= PATIENCE
        )

    @property
    def needs_polling(self) -> bool:
        """Whether nobody calls when a sensor moves: Hall boards, co-processors, and wires that are
        not proven.
        """
        unproven = self._interrupt is not None and not (
            self._interrupt.proven and all(bank.heard for bank in self._banks if bank.ready)
        )
        return self._hall is not None or self._coprocessors is not None or unproven

    @property
    def calls(self) -> bool:
        """Whether every sensor that moves is told by a wire that is proven."""
        return self._interrupt is not None and not self.needs_polling

    def close(self) -> None:
        """Give back the ports of serial devices."""
        if self._coprocessors is not None:
            self._coprocessors.close()

    def hall_counts(self) -> dict[str, int]:
        """Return each Hall sensor's last raw count, 0 to 255, for calibration; {} without any."""
        return self._hall.counts() if self._hall else {}

    # ---- colours out

    def light(self, colours: Mapping[str, Colour], now: float) -> bool:
        """Show these colours (intended RGB, by place) and nothing else; return whether it was sent.

        An unchanged picture is sent only every REFRESH_S. KeyError for a place that the layout
        does not have; a chain that cannot be sent to is a fault of the next frame, not an error.
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
        """Share of full brightness, 0 to 1; a change holds from the next `light` on."""
        return self.lamps.brightness

    @brightness.setter
    def brightness(self, share: float) -> None:
        self.lamps.brightness = share
        self._asked = None

    @property
    def pixels(self) -> tuple[ws2812.Levels, ...]:
        """Return the levels last sent, red, green and blue of every LED in the chain's order."""
        return ws2812.decode_frame(self._sent, self.layout.led_order, self._coding)


def _slow(places: frozenset[str]) -> Fault:
    text = (
        f"no look at the board took less than {LONGEST_LOOK_S} s: is the Pi busy with other work, "
        "does I2C run at 400 kHz?"
    )
    return Fault("slow", None, text, tuple(sorted(places)))
