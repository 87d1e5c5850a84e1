"""Co-processors on serial ports: their identity, lost messages, and the readings they amount to.

The host asks a device for its identity and its whole state; from then on the device reports
changes. Its messages are numbered: if one is missing, the host asks again. A device that is
unplugged or silent is retried for ever, at growing intervals.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final, TypeAlias

from drivers.bus import SerialLine
from drivers.coprocessor import (
    BEAT_S,
    UNKNOWN,
    VERSION,
    Ask,
    Changes,
    ClockState,
    FrameDecoder,
    Full,
    Heartbeat,
    Hello,
    Message,
    Received,
    Show,
    Thrown,
    encode_for_device,
)
from hardware.clock_display import ClockDisplay, ClockShown
from hardware.layout import Layout, SerialDevice
from hardware.machine import SensorFrame
from hardware.pi.serial_port import SerialPortError
from hardware.sensing import Fault, PortFault, RetryDelay, shortened

OpenPort: TypeAlias = Callable[[SerialDevice], SerialLine]

START_S: Final = 3.0
"""The longest time that a device needs to start after it is plugged in."""
SILENT_S: Final = 3 * BEAT_S
"""A device that sends nothing valid for this time counts as lost."""

STATES: Final = {"board": Full, "die": Thrown, "clock": ClockState}
"""The message with the whole state, for each kind of device in a layout."""
KINDS: Final = {"board": {"board"}, "die": {"die"}, "clock": {"clock", "display"}}
"""What a device of such a kind may call itself."""


class SerialLink:
    """The line to one device; `poll` it whenever the board is read."""

    def __init__(self, device: SerialDevice, open_port: OpenPort) -> None:
        """Touch nothing yet."""
        self.device = device
        self.ready = False
        """Whether the right device is connected and none of its messages is missing."""
        self.fault: Fault | None = None
        self._open_port = open_port
        self._line: SerialLine | None = None
        self._decoder = FrameDecoder()
        self._open_retry = RetryDelay()
        self._ask_retry = RetryDelay()
        self._hello: Hello | None = None
        self._next = 0  # the sequence number of the next message
        self._whole = False  # no message is missing since the last whole state
        self._heard_at = self._bytes_at = 0.0
        self._limit = START_S

    def poll(self, now: float) -> list[Message]:
        """Return the reliable messages that have arrived: whole states, and Changes that follow
        one without a gap. Never raises because of the device: see `fault`.
        """
        try:
            line = self._line or self._open(now)
            if line is None:
                return []
            data = line.read()
            if data:
                self._bytes_at = now
            found = [
                message
                for received in self._decoder.feed(data)
                if (message := self._accept(received, now)) is not None
            ]
            if not self._whole and self._ask_retry.due(now):
                self._ask_retry.failed(now)
                line.write(encode_for_device(Ask(VERSION)))
        except OSError as error:
            self._disconnect(error, now)
            return []
        if now - self._heard_at > self._limit:
            self._report_silence()
        return found

    @property
    def sides(self) -> int | None:
        """How many sides a display has; None of other devices, and while none is known."""
        hello = self._hello
        return hello.count if hello and hello.kind == "display" else None

    def offer(self, message: Show, now: float) -> bool:
        """Send a message if the line takes it at once; return whether it did. Never raises because
        of the device.
        """
        if self._line is None:
            return False
        try:
            return self._line.offer(encode_for_device(message))
        except OSError as error:
            self._disconnect(error, now)
            return False

    def _open(self, now: float) -> SerialLine | None:
        if not self._open_retry.due(now):
            return None
        self._line = self._open_port(self.device)
        self._open_retry.succeeded()
        self._ask_retry.succeeded()
        self._decoder = FrameDecoder()
        self._heard_at, self._limit = now, START_S
        if self.fault is not None and self.fault.kind in ("unplugged", "denied"):
            self.fault = None
        return self._line

    def _disconnect(self, error: OSError, now: float) -> None:
        """Close the line until it can be opened again."""
        if self._line is not None:
            self._line.close()
            self._line = None
        self._open_retry.failed(now)
        self._forget()
        kind: PortFault = "denied" if isinstance(error, SerialPortError) else "unplugged"
        if self.fault is None or self.fault.kind != kind:
            self._report(kind, f"{error}" if kind == "denied" else f"look at its cable ({error})")

    def _forget(self) -> None:
        self.ready = self._whole = False
        self._hello = None

    def _report(self, kind: PortFault, text: str) -> None:
        port = self.device.port
        text = text if text.startswith(port) else f"{port}: {text}"
        self.fault = Fault(kind, port, text, self.device.places)

    def _report_silence(self) -> None:
        """Report that nothing valid has arrived for too long."""
        if self._hello is not None or self.fault is None:
            self._forget()
            if self._bytes_at > self._heard_at:
                self._report(
                    "garbled",
                    "what it says is no message: look at its cable and at the layout's baud",
                )
            else:
                self._report("quiet", "it says nothing: look whether it runs, and at its cable")

    def _accept(self, received: Received, now: float) -> Message | None:
        message = received.message
        if isinstance(message, Hello):
            self._identify(message, received.sequence)
            return None
        if self._hello is None:
            return None
        in_order = received.sequence == self._next
        self._next = (received.sequence + 1) & 0xFFFF
        says_all = isinstance(message, STATES[self.device.kind])
        if isinstance(message, Full) and len(message.readings) != len(self.device.places):
            says_all = in_order = False
        if says_all:
            self._ask_retry.succeeded()
        elif not in_order or not isinstance(message, Changes | Heartbeat):
            if self._whole:
                self._ask_retry.succeeded()  # ask at once
            self._whole = False
        self._whole = self._whole or says_all
        if not self._whole:
            return None
        self.ready, self.fault = True, None
        self._heard_at, self._limit = now, SILENT_S
        return None if isinstance(message, Heartbeat) else message

    def _identify(self, hello: Hello, sequence: int) -> None:
        kind, places = self.device.kind, len(self.device.places)
        who = f"{hello.name!r}, a {hello.kind} of {hello.count}"
        self._next = (sequence + 1) & 0xFFFF
        self._whole = False
        if hello.version != VERSION:
            self._forget()
            self._report(
                "version",
                f"{hello.name!r} speaks version {hello.version} and this program {VERSION}: "
                "bring the older one up to date",
            )
        elif hello.kind not in KINDS[kind] or (kind == "board" and hello.count != places):
            self._forget()
            wanted = f"a board of {places}" if kind == "board" else f"a {kind}"
            self._report("stranger", f"here is {who}, not {wanted}: look which is plugged in where")
        else:
            self._hello = hello

    def close(self) -> None:
        """Close the line."""
        if self._line is not None:
            self._line.close()
            self._line = None


class SerialBoard:
    """A co-processor that scans places."""

    def __init__(self, layout: Layout, link: SerialLink) -> None:
        self.link = link
        self.places = link.device.places
        self.faults: tuple[Fault, ...] = ()
        self.pulsed: frozenset[str] = frozenset()
        """Places that have changed and changed back since the last scan. Presence boards only."""
        self.blind: frozenset[str] = frozenset(self.places)
        self._presence = layout.sensing == "presence"
        self._valid_readings = [self._range(layout, name) for name in self.places]
        self._levels = [UNKNOWN] * len(self.places)

    @staticmethod
    def _range(layout: Layout, name: str) -> range:
        """Return the possible readings of a place."""
        place = layout.places[name]
        if layout.sensing == "presence":
            return range(2)
        return range(-1, 2) if place.kind == "cell" else range(len(place.sensors) + 1)

    def scan(self, now: float) -> dict[str, int]:
        """Read what has arrived; return the readings that changed."""
        before = list(self._levels)
        moved: set[int] = set()
        for message in self.link.poll(now):
            if isinstance(message, Full):
                for number, reading in enumerate(message.readings):
                    self._set(number, reading)
            elif isinstance(message, Changes):
                moved |= {
                    number for number, reading in message.changes if self._set(number, reading)
                }
        if not self.link.ready:
            self._levels = [UNKNOWN] * len(self.places)
        after = self._levels
        back = {number for number in moved if after[number] == before[number] != UNKNOWN}
        self.pulsed = frozenset(self.places[number] for number in back if self._presence)
        self._look_for_faults()
        return {
            name: 0 if new == UNKNOWN else new
            for name, old, new in zip(self.places, before, after, strict=True)
            if new != old
        }

    def _set(self, number: int, reading: int) -> bool:
        """Store a reading, an impossible one as unknown; return whether it changed."""
        if number >= len(self.places):
            return False
        level = reading if reading in self._valid_readings[number] else UNKNOWN
        changed = self._levels[number] != level
        self._levels[number] = level
        return changed

    def _look_for_faults(self) -> None:
        pairs = zip(self.places, self._levels, strict=True)
        blind = tuple(name for name, level in pairs if level == UNKNOWN)
        self.blind = frozenset(blind)
        fault = self.link.fault
        if fault is None and blind and self.link.ready:
            port = self.link.device.port
            text = f"{port}: it knows nothing of {shortened(blind)}: look at their sensors"
            fault = Fault("unknown", port, text, blind)
        self.faults = (fault,) if fault else ()


class SerialDie:
    """An electronic die: reports throws while it is plugged in."""

    def __init__(self, link: SerialLink) -> None:
        self.link = link
        self._number: int | None = None

    def poll(self, now: float) -> tuple[tuple[int, ...], ...]:
        """Return the throws since the last call. The state of the dice at plug-in is no throw."""
        throws = []
        for message in self.link.poll(now):
            if isinstance(message, Thrown):
                if message.dice and self._number not in (None, message.number):
                    throws.append(message.dice)
                self._number = message.number
        if not self.link.ready:
            self._number = None
        return tuple(throws)


class SerialClock:
    """A clock with a button for each side. A display has no time of its own."""

    def __init__(self, link: SerialLink) -> None:
        self.link = link
        self._state: ClockState | None = None

    def poll(self, now: float) -> ClockState | None:
        """Return the state of the clock; None if it is unknown now, and of a display."""
        for message in self.link.poll(now):
            if isinstance(message, ClockState):
                self._state = message
        if not self.link.ready or self.link.sides is not None:
            self._state = None
        return self._state


class Coprocessors:
    """All serial devices of a layout."""

    def __init__(self, layout: Layout, open_port: OpenPort) -> None:
        """Touch nothing yet."""
        self.links = [SerialLink(device, open_port) for device in layout.serial]
        of = {kind: [link for link in self.links if link.device.kind == kind] for kind in STATES}
        self._boards = [SerialBoard(layout, link) for link in of["board"]]
        self._dice = [SerialDie(link) for link in of["die"]]
        self._clocks = [SerialClock(link) for link in of["clock"]]
        self._displays = [ClockDisplay(link) for link in of["clock"]]
        self.clock: ClockShown | None = None
        """The clock that displays show. Another thread may set it."""
        self._readings: dict[str, int] = {}
        self._of_chips: Mapping[str, int] = {}
        self._all: Mapping[str, int] = {}

    def added_to(self, frame: SensorFrame) -> SensorFrame:
        """Return a frame of the chips, completed with the devices' readings of the same moment."""
        changes: dict[str, int] = {}
        pulsed, blind = set(frame.pulsed), set(frame.blind)
        for board in self._boards:
            changes.update(board.scan(frame.at))
            pulsed |= board.pulsed
            blind |= board.blind
        if changes:
            readings = {**self._readings, **changes}
            self._readings = {place: value for place, value in readings.items() if value}
        thrown = tuple(throw for die in self._dice for throw in die.poll(frame.at))
        states = tuple(clock.poll(frame.at) for clock in self._clocks)
        for display in self._displays:
            display.show(self.clock, frame.at)
        faults = [fault for board in self._boards for fault in board.faults]
        others = [link.fault for link in self.links if link.device.kind != "board"]
        return replace(
            frame,
            readings=self._joined(frame.readings, bool(changes)),
            blind=frozenset(blind),
            faults=(*frame.faults, *faults, *(fault for fault in others if fault is not None)),
            pulsed=frozenset(pulsed),
            thrown=thrown,
            clocks=tuple(state for state in states if state is not None),
        )

    def _joined(self, of_chips: Mapping[str, int], changed: bool) -> Mapping[str, int]:
        """Return all readings; the same object as before if nothing changed."""
        if changed or of_chips is not self._of_chips:
            self._of_chips = of_chips
            self._all = {**of_chips, **self._readings}
        return self._all

    def close(self) -> None:
        """Close all ports."""
        for link in self.links:
            link.close()
