"""Sentences about the clock, and its times on one line."""

from __future__ import annotations

from collections.abc import Iterator

from firmware_host.i18n.messages import Message, say
from firmware_host.players.names import Who
from firmware_host.session.match_timer import ClockStop
from firmware_host.session.shown_clock import ShownClock


def clock_messages(clock: ShownClock, who: Who, now: float) -> Iterator[Message]:
    """Yield whose time is up or nearly up, and what stopped the clock if nothing else says it."""
    fallen = clock.fallen(now)
    for seat in sorted(fallen):
        yield say("{seat} has no time left.", seat=who(seat))
    for seat in sorted(clock.short(now) - fallen):
        yield say("{seat} has little time left.", seat=who(seat))
    if clock.stopped is ClockStop.PAUSED:
        yield say("The clock is paused; the next move starts it again.")
    elif clock.stopped is ClockStop.BLIND:
        yield say("The clock is stopped, because some sensors do not answer.")


def clock_text(clock: ShownClock, now: float) -> str:
    """Return the time of each seat, in the order of the seats: `4:59 5:00`."""
    return " ".join(map(_time_text, clock.left(now)))


def _time_text(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
