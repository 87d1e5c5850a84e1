"""Recordings: what the sensors, dice, buttons and people said during one match, a line each.

A recording is raw (before debounce), in the game's own places, so that it plays the same on any
board; `lampion replay` feeds it to the very session that a board feeds. The form of its lines:

    {"lampion": "recording", "version": 1, "game": "shogi", "options": {}, "sensing": "presence",
     "position": null}
    {"t": 0.0, "places": {"7g": 1}}         first all that reads other than 0, then what changed
    {"t": 1.2, "blind": ["5e", "6e"]}       nothing is known of these from now on; [] of none
    {"t": 1.7, "places": {"7f": 1}, "gap": true}   the board was not read for a second before
    {"t": 1.9, "dice": [3]}
    {"t": 2.2, "dice": [4], "instead": true}   they were told wrongly, and fell so
    {"t": 2.5, "press": "yes"}
    {"t": 2.9, "choose": "8h2b+"}
    {"t": 3.1, "name": "P*5e"}
    {"t": 3.3, "claim": "resign", "seat": 0}
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine.game import GameError, Place
from engine.games import make
from engine.match import AnyGame
from engine.reading.footprints import Sight
from firmware_host.session.events import Choose, Claimed, Dice, Event, Frame, Press
from firmware_host.text.faults import blind_message
from hardware import regular_file

SENSINGS = ("presence", "polarity")
BUTTONS = ("yes", "no", "hint", "back", "wrong")
LARGEST_LINE = 20_000
HIGHEST_DIE = 99
"""The highest number on any die."""
MOST_QUESTIONS = 1_000_000
"""The highest index in the record that an answer may name."""
LARGEST_FILE = 64 * 1024 * 1024
PAUSE = 10.0
"""The time that is assumed between a recording and what is added after a restart, in seconds."""
HEADER_KEYS = {
    "lampion",
    "version",
    "game",
    "options",
    "sensing",
    "position",
    "unsensed",
    "pockets",
    "match",
}
MOST_POCKETS = 4
FRAME = frozenset(["t", "gap"])
"""The keys of a line beside `places` and `blind`."""


class RecordingError(ValueError):
    """A recording that cannot be read; the message names the file, the line and why."""


@dataclass(frozen=True, slots=True)
class RecordingHeader:
    """The head of a recording: what is played on which board."""

    game: AnyGame
    sensing: str
    position: Any
    """The position it starts from."""
    unsensed: tuple[str, ...]
    """Trays without sensors, by prefix."""
    pockets: Mapping[Place, int] = field(default_factory=dict)
    """How many pockets a tray has, where that is not the usual number for the sensing."""
    match: str = ""
    """The `id` of the journal of its match; empty if that is not known."""

    def sight(self) -> Sight:
        """Return what its sensors could see."""
        return Sight(self.game, self.sensing, self.unsensed, self.pockets)

    def plain(self) -> dict[str, Any]:
        """Return it as the first line of a recording."""
        game = self.game
        position = None
        if self.position != game.start():
            position = game.position_text(self.position)
        changed = {
            option.name: game.options[option.name]
            for option in game.known_options
            if game.options[option.name] != option.default
        }
        plain: dict[str, Any] = {
            "lampion": "recording",
            "version": 1,
            "game": game.name,
            "options": changed,
            "sensing": self.sensing,
            "position": position,
        }
        if self.unsensed:
            plain["unsensed"] = list(self.unsensed)
        if self.pockets:
            plain["pockets"] = dict(self.pockets)
        if self.match:
            plain["match"] = self.match
        return plain


@dataclass(frozen=True, slots=True)
class Recording:
    """A recording all lines of which can be read."""

    header: RecordingHeader
    lines: tuple[bytes, ...]
    """All lines after the header."""
    torn: bool
    """Whether a last line that broke off was dropped."""

    def events(self) -> Iterator[Event]:
        """Yield what happened, in order."""
        reader = _Events(self.header)
        for line in self.lines:
            yield reader.event(json.loads(line))

    def recorder(self) -> Recorder:
        """Return a recorder that continues it from the time of its end."""
        reader = _Events(self.header)
        for line in self.lines:
            reader.event(json.loads(line))
        recorder = Recorder(self.header)
        recorder.go_on(reader.last + PAUSE, reader.readings, reader.blind)
        return recorder


def read(path: str | Path) -> Recording:
    """Return the recording in a file; RecordingError names the line that cannot be read."""
    try:
        data = regular_file.read(path, LARGEST_FILE)
    except OSError as error:
        raise RecordingError(f"{path}: {error.strerror or error}") from None
    return parse(data, str(path))


def parse(data: bytes, name: str = "recording") -> Recording:
    """Return the recording in `data`; `name` is for its errors."""
    lines = data.split(b"\n")
    whole = lines[-1] == b""  # a file that ends in the middle of a line has a torn one
    if whole:
        lines.pop()
    if not lines:
        raise RecordingError(f"{name}: line 1: no header; is this a recording?")
    header = _parsed(name, 1, lines.pop(0), _header)
    reader = _Events(header)
    for number, line in enumerate(lines, 2):
        try:
            _parsed(name, number, line, reader.event)
        except RecordingError:
            if whole or number <= len(lines) or not _is_torn(line):
                raise
            return Recording(header, tuple(lines[:-1]), torn=True)
    return Recording(header, tuple(lines), torn=False)


def _is_torn(line: bytes) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return True
    return False


def _parsed(name: str, number: int, line: bytes, take: Callable[[dict[str, Any]], Any]) -> Any:
    where = f"{name}: line {number}"
    if len(line) > LARGEST_LINE:
        raise RecordingError(f"{where}: longer than {LARGEST_LINE} bytes")
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        raise RecordingError(f"{where}: not a JSON object") from None
    if not isinstance(value, dict):
        raise RecordingError(f"{where}: not a JSON object")
    try:
        return take(value)
    except (GameError, RecordingError) as error:
        raise RecordingError(f"{where}: {error}") from None
    except RecursionError:
        raise RecordingError(f"{where}: lists or objects lie too deep in one another") from None


def _header(value: dict[str, Any]) -> RecordingHeader:
    if value.get("lampion") != "recording":
        raise RecordingError('not a recording: its first line must hold "lampion": "recording"')
    if type(value.get("version")) is not int or value["version"] != 1:
        raise RecordingError(f"version {value.get('version')!r} is not known; this reads 1")
    if unknown := value.keys() - HEADER_KEYS:
        raise RecordingError(f"unknown key {min(unknown)!r}")
    if value.get("sensing") not in SENSINGS:
        raise RecordingError(f"sensing {value.get('sensing')!r} is not one of presence, polarity")
    if not isinstance(value.get("game"), str):
        raise RecordingError("game must be a name")
    if not isinstance(value.get("options", {}), dict):
        raise RecordingError("options must be an object")
    game = make(value["game"], value.get("options") or {})
    text = value.get("position")
    if text is not None and not isinstance(text, str):
        raise RecordingError("position must be a text or null")
    position = game.start() if text is None else game.parse_position(text)
    unsensed = value.get("unsensed", [])
    if not isinstance(unsensed, list) or not all(
        isinstance(prefix, str) and any(tray.startswith(prefix) for tray in game.trays())
        for prefix in unsensed
    ):
        raise RecordingError(f"unsensed {unsensed!r}: must name trays of {game.name} by prefix")
    pockets = value.get("pockets", {})
    if not isinstance(pockets, dict):
        raise RecordingError("pockets must be an object")
    for tray, number in pockets.items():
        if tray not in game.trays():
            raise RecordingError(f"pockets: {tray!r} is no tray of {game.name}")
        if type(number) is not int or not 1 <= number <= MOST_POCKETS:
            raise RecordingError(f"pockets of {tray}: {number!r} is not from 1 to {MOST_POCKETS}")
    match = value.get("match", "")
    if not isinstance(match, str):
        raise RecordingError("match must be a text")
    return RecordingHeader(game, value["sensing"], position, tuple(unsensed), pockets, match)


def _is_whole(value: object, most: int) -> bool:
    """Whether a value is a whole number from 0 to `most`; true and 1.0 are none."""
    return type(value) is int and 0 <= value <= most


class _Events:
    """Turns lines into events, keeping all readings up to date."""

    def __init__(self, header: RecordingHeader) -> None:
        self.header = header
        self.places = frozenset(header.game.places())
        self.cells = frozenset(header.game.cells())
        self.pockets = header.sight().pockets
        self.readings: dict[Place, int] = {}
        self.blind: frozenset[Place] = frozenset()
        self.last = 0.0

    def event(self, value: dict[str, Any]) -> Event:
        at = value.get("t")
        if isinstance(at, bool) or not isinstance(at, int | float) or not 0 <= at < 1e9:
            raise RecordingError("t must be a number of seconds from 0 on")
        if at < self.last:
            raise RecordingError(f"time goes back: {at} after {self.last}")
        self.last = float(at)
        match value:
            case {"places": dict(places), "blind": list(blind), **rest} if rest.keys() <= FRAME:
                return self._frame(places, blind, rest.get("gap", False))
            case {"places": dict(places), **rest} if rest.keys() <= FRAME:
                return self._frame(places, None, rest.get("gap", False))
            case {"blind": list(blind), **rest} if rest.keys() <= FRAME:
                return self._frame({}, blind, rest.get("gap", False))
            case {"dice": list(dice), **rest} if rest.keys() <= {"t", "instead"}:
                if len(dice) not in (1, 2) or not all(_is_whole(die, HIGHEST_DIE) for die in dice):
                    raise RecordingError(
                        f"dice must be one or two whole numbers from 0 to {HIGHEST_DIE}"
                    )
                if type(instead := rest.get("instead", False)) is not bool:
                    raise RecordingError(f"instead {instead!r}: must be true or false")
                return Dice(self.last, tuple(dice), instead)
            case {"press": str(button), **rest} if rest.keys() == {"t"}:
                if button not in BUTTONS and button not in self.header.game.seats:
                    known = ", ".join((*BUTTONS, *self.header.game.seats))
                    raise RecordingError(f"button {button!r} is not one of {known}")
                return Press(self.last, button)
            case {"choose": str(move), **rest} | {"name": str(move), **rest} if rest.keys() <= {
                "t",
                "number",
            }:
                number = rest.get("number")
                if number is not None and not _is_whole(number, MOST_QUESTIONS):
                    raise RecordingError(
                        f"number {number!r}: must be a whole number from 0 to {MOST_QUESTIONS}"
                    )
                return Choose(self.last, move, number)
            case {"claim": str(claim), "seat": int(seat), **rest} if rest.keys() == {"t"}:
                if isinstance(seat, bool) or not 0 <= seat < len(self.header.game.seats):
                    raise RecordingError(f"seat {seat!r}: there is no such seat")
                return Claimed(self.last, claim, seat)
            case _ if value.keys() == {"t"}:
                return self._frame({})
        keys = ", ".join(sorted(value.keys() - {"t"}))
        raise RecordingError(
            f"{keys}: not places, blind, dice, press, choose or claim as they should be"
        )

    def _frame(
        self, changed: dict[str, Any], blind: list[Any] | None = None, gap: Any = False
    ) -> Frame:
        if type(gap) is not bool:
            raise RecordingError(f"gap {gap!r}: must be true or false")
        for place in blind or ():
            if not isinstance(place, str) or place not in self.places:
                raise RecordingError(f"blind {place!r}: is no place of {self.header.game.name}")
        if blind is not None:
            self.blind = frozenset(blind)
        for place, reading in changed.items():
            if place not in self.places:
                raise RecordingError(f"{place!r} is no place of {self.header.game.name}")
            presence = self.header.sensing == "presence"
            low, high = 0, 1
            if place not in self.cells:
                high = self.pockets.get(place, 1 if presence else MOST_POCKETS)
            elif not presence:
                low = -1
            if type(reading) is not int or not low <= reading <= high:
                raise RecordingError(
                    f"{place}: {reading!r} is no reading of a {self.header.sensing} board"
                )
        self.readings = self.readings | changed
        for place in [place for place, reading in self.readings.items() if not reading]:
            del self.readings[place]
        if not self.blind:
            return Frame(self.last, self.readings, gap=gap)
        known = {p: reading for p, reading in self.readings.items() if p not in self.blind}
        return Frame(self.last, known, self.blind, (blind_message(self.blind),), gap)


class Recorder:
    """Turns events into the lines of a recording."""

    def __init__(self, header: RecordingHeader) -> None:
        self._header = header
        self._readings: dict[Place, int] | None = None
        self._blind: frozenset[Place] = frozenset()
        self._begun: float | None = None
        self._last = 0.0

    def go_on(self, at: float, readings: dict[Place, int], blind: frozenset[Place]) -> None:
        """Continue a recording at that time, with its last readings."""
        self._readings, self._blind, self._last = dict(readings), blind, at

    def header(self) -> str:
        """Return the first line."""
        return _line(self._header.plain())

    def lines(self, event: Event) -> Iterator[str]:
        """Yield the lines that hold `event`; times count from the first frame."""
        if self._begun is None:
            if not isinstance(event, Frame):
                return
            self._begun = event.at - self._last
        self._last = max(self._last, round(event.at - self._begun, 4))
        at = self._last
        match event:
            case Frame():
                before = self._readings
                now = dict(event.readings)
                if before is not None:  # keep the last readings of a chip that stopped answering
                    now |= {place: before[place] for place in event.blind & before.keys()}
                changed = {
                    place: now.get(place, 0)
                    for place in (now | (before or {}))
                    if before is None or now.get(place, 0) != before.get(place, 0)
                }
                line: dict[str, Any] = {}
                if changed or before is None:
                    line["places"] = changed
                if event.blind != self._blind:
                    line["blind"] = sorted(event.blind)
                if event.gap and line:
                    line["gap"] = True
                if line:
                    yield _line({"t": at, **line})
                self._readings, self._blind = now, event.blind
            case Dice():
                instead = {"instead": True} if event.instead else {}
                yield _line({"t": at, "dice": list(event.dice), **instead})
            case Press():
                yield _line({"t": at, "press": event.button})
            case Choose():
                which = {} if event.number is None else {"number": event.number}
                yield _line({"t": at, "choose": event.move, **which})
            case Claimed():
                yield _line({"t": at, "claim": event.claim, "seat": event.seat})
            case _:
                return


def _line(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": ")) + "\n"
