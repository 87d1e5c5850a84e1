"""Time controls: how much time each seat has for its moves."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

MOST_MAIN_S: Final = 24 * 3600
MOST_MOVE_S: Final = 3600
LEAST_LITTLE_S: Final = 10
MOST_LITTLE_S: Final = 60

NO_CLOCK: Final = "none"
"""The text of a match without a clock."""

_TIME: Final = r"(?=\d)(?:\d{1,3}h)?(?:\d{1,4}m)?(?:\d{1,5}s)?"
_CONTROL: Final = re.compile(
    rf"(?P<per_move>{_TIME})/move"
    rf"|(?P<main>{_TIME})\+(?P<increment>{_TIME})"
    rf"|(?:(?P<before>{_TIME})\+)?(?P<period>{_TIME})\*(?P<periods>\d{{1,2}})"
    rf"|(?P<sudden>{_TIME})"
)
_UNITS: Final = {"h": 3600, "m": 60, "s": 1}


@dataclass(frozen=True, slots=True)
class TimeControl:
    """The time of each seat, in whole seconds: first the main time, then the periods.

    A move within a period costs nothing: the period is whole again at the next turn. A period that
    runs out is gone. Time per move is one period without main time.
    """

    main: int
    increment: int = 0
    """The seconds that a finished turn adds to the main time."""
    period: int = 0
    """The length of a period; 0 if there are none."""
    periods: int = 0

    @property
    def text(self) -> str:
        """The text that `time_control` reads: `10m`, `5m+3s`, `10m+30s*3`, `30s/move`."""
        if not self.periods:
            added = f"+{_time_text(self.increment)}" if self.increment else ""
            return _time_text(self.main) + added
        if not self.main and self.periods == 1:
            return f"{_time_text(self.period)}/move"
        before = f"{_time_text(self.main)}+" if self.main else ""
        return f"{before}{_time_text(self.period)}*{self.periods}"

    @property
    def little(self) -> int:
        """The seconds from which on people are told that little time is left."""
        if self.periods:
            return LEAST_LITTLE_S
        return max(LEAST_LITTLE_S, min(MOST_LITTLE_S, self.main // 8))


def time_control(text: str) -> TimeControl | None:
    """Return the time control of a text, None for `none`; ValueError says in one line why none."""
    text = text.strip().lower()
    if text == NO_CLOCK:
        return None
    found = _CONTROL.fullmatch(text)
    if found is None:
        raise ValueError(
            f"clock {text!r}: write none, 10m, 5m+3s (three seconds more after each move), "
            "10m+30s*3 (then three periods) or 30s/move"
        )
    part = {name: _seconds(each) for name, each in found.groupdict().items() if each}
    if "per_move" in part:
        control = TimeControl(0, period=part["per_move"], periods=1)
    elif "period" in part:
        control = TimeControl(
            part.get("before", 0), period=part["period"], periods=int(found["periods"])
        )
    else:
        control = TimeControl(part.get("main", part.get("sudden", 0)), part.get("increment", 0))
    _check(text, control, "period" in part or "per_move" in part)
    return control


def _check(text: str, control: TimeControl, has_periods: bool) -> None:
    if has_periods and not (control.period and control.periods):
        raise ValueError(f"clock {text!r}: a period must be longer than 0 s, and there must be one")
    if not has_periods and not control.main:
        raise ValueError(f"clock {text!r}: nobody could make a move in no time")
    if control.main > MOST_MAIN_S or max(control.increment, control.period) > MOST_MOVE_S:
        raise ValueError(f"clock {text!r}: at most 24h, and at most 1h for one move")


def _seconds(text: str) -> int:
    return sum(int(number) * _UNITS[unit] for number, unit in re.findall(r"(\d+)([hms])", text))


def _time_text(seconds: int) -> str:
    hours, rest = divmod(seconds, 3600)
    parts = ((hours, "h"), (rest // 60, "m"), (rest % 60, "s"))
    return "".join(f"{number}{unit}" for number, unit in parts if number) or "0s"
