"""The times of a match in its journal: milliseconds by seat, with the further periods if any."""

from __future__ import annotations

from firmware_host.session.match_clock import SeatTime
from firmware_host.session.match_timer import SeatTimes

MOST_MS = 10**10
MOST_LATER = 99


def plain_times(times: SeatTimes) -> list[int | list[int]]:
    """Return times as JSON values: `[300000, 298500]`; `[[30000, 2], 45000]` where the first seat
    has two periods after the one that runs.
    """
    return [[time.left, time.later] if time.later else time.left for time in times]


def read_times(value: object, seats: int) -> SeatTimes | None:
    """Return the times in JSON values; None if these are no times of that number of seats."""
    if not isinstance(value, list) or len(value) != seats:
        return None
    found = [_seat_time(each) for each in value]
    return tuple(time for time in found if time is not None) if None not in found else None


def _seat_time(value: object) -> SeatTime | None:
    left, later = value if isinstance(value, list) and len(value) == 2 else (value, 0)
    if type(left) is not int or type(later) is not int:
        return None
    return SeatTime(left, later) if 0 <= left <= MOST_MS and 0 <= later <= MOST_LATER else None
