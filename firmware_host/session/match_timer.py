"""The timer of a live match: its clock follows the record, and stops while play cannot go on.

The last edge of a move presses the clock. So a ply that is read late, or revised, counts from the
time when it was made. A takeback sets the clock back to the time of the first ply that is taken
back: its player has spent that time, and all others have the times of that moment.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from enum import Enum
from itertools import takewhile
from typing import Final

from engine.game import Seat
from engine.reading.verdict import Astray, Still, Underway
from firmware_host.players.time_control import TimeControl
from firmware_host.session.match_clock import MatchClock, SeatTime
from firmware_host.session.record import Record, RecordEntry
from firmware_host.session.view import SessionView

SWITCHES_KEPT: Final = 64
"""The number of starts and stops that are kept: they count again when a ply is revised."""

SeatTimes = tuple[SeatTime, ...]


class ClockStop(Enum):
    """Why no time runs; the first reason that applies."""

    NOT_BEGUN = "not-begun"  # the first move costs nothing
    OVER = "over"
    PAUSED = "paused"
    BLIND = "blind"  # sensors of cells do not answer: a move may not be seen
    REPAIR = "repair"  # the board is set up or put right
    QUESTION = "question"  # a question is open
    MACHINE = "machine"  # simulated hands make the machine's move


@dataclass(frozen=True, slots=True)
class TimeSheet:
    """The times of a match in its journal."""

    played: tuple[SeatTimes, ...]
    """By entry of the record: the times when it was played."""
    now: SeatTimes


@dataclass(frozen=True, slots=True)
class _Played:
    """An entry of the record that the clock has followed."""

    entry: RecordEntry
    left: SeatTimes
    """The times when it was played."""
    clock: MatchClock
    """The clock just after it."""


class MatchTimer:
    """The clock of a match, its pauses and its past. Times are those of the session's events."""

    def __init__(self, control: TimeControl, seats: int, first: Seat, at: float) -> None:
        """`first` begins the match."""
        self.control = control
        self.stopped: ClockStop | None = ClockStop.NOT_BEGUN
        """Why no time runs; None if time runs."""
        self._paused = False
        self._first = MatchClock.begin(control, seats, first, at)
        self._played: list[_Played] = []
        self._switches: deque[tuple[float, bool]] = deque(maxlen=SWITCHES_KEPT)
        self._declared: set[Seat] = set()
        self._seen: Record | None = None  # the record that was followed last
        self.clock = self._first
        """The clock now."""

    def resume(self, record: Record, sheet: TimeSheet | None, at: float) -> None:
        """Resume a match with the times of its journal, paused."""
        lefts = () if sheet is None else sheet.played
        self.stopped = ClockStop.PAUSED
        for number, entry in enumerate(record):
            left = lefts[number] if number < len(lefts) else self._latest.times
            clock = replace(self._latest, times=left, at=round(at * 1000))
            self._played.append(_Played(entry, left, self._after(clock, entry)))
        if sheet is not None and len(sheet.played) == len(record):
            self._set_latest(replace(self._latest, times=sheet.now))
        self._paused = self.has_begun
        self.stopped = ClockStop.PAUSED if self._paused else ClockStop.NOT_BEGUN
        self._refold()

    # ---- what happens

    def follow(self, view: SessionView, now: float, *, by_hand: bool = False) -> None:
        """Follow a session; `by_hand`: hands make the machine's move."""
        pressed = self._follow_record(view, now)
        self.stopped = self._why_stopped(view, by_hand)
        runs = self.stopped is None
        if runs != self.clock.is_running:
            since = pressed  # a ply that ends a pause starts the clock when it is made
            if self.stopped is ClockStop.REPAIR and _is_astray(view):
                since = view.settled_since
            self._switch(since, runs)

    def pause(self, on: bool) -> None:
        """Pause the clock, or resume it; the next ply resumes it, too. The next `follow` applies
        it.
        """
        self._paused = on and self.has_begun

    def pause_since(self, at: float) -> None:
        """Pause the clock from a time in the past, because the board was not read since."""
        self.pause(True)
        if self.clock.is_running:
            self._switch(at, False)
            self.stopped = ClockStop.PAUSED

    def flag(self, view: SessionView, now: float) -> Seat | None:
        """Return a seat whose flag has fallen, once. No flag falls while a ply that was made before
        may still be read.
        """
        calm = view.is_at_rest and not view.thinking and isinstance(view.verdict, Still | Underway)
        due = self.clock.falls
        if due is None or now < due or not calm or self.clock.seat in self._declared:
            return None
        self._declared.add(self.clock.seat)
        return self.clock.seat

    # ---- what it says

    @property
    def has_begun(self) -> bool:
        """Whether any move was made."""
        return any(each.entry.kind == "move" for each in self._played)

    @property
    def is_paused(self) -> bool:
        """Whether people have paused the clock, or it waits since the match was resumed."""
        return self._paused

    def sheet(self, now: float) -> TimeSheet:
        """Return the times for the journal."""
        return TimeSheet(tuple(each.left for each in self._played), self.clock.until(now).times)

    # ---- the record

    def _follow_record(self, view: SessionView, now: float) -> float:
        """Follow the record; return when the entry that ended a pause was played, else `now`."""
        if view.record is self._seen:
            return now
        self._seen = view.record
        pairs = zip(self._played, view.record, strict=False)
        same = sum(1 for _ in takewhile(lambda pair: pair[0].entry == pair[1], pairs))
        gone, fresh = self._played[same:], view.record[same:]
        if not (gone or fresh):
            return now
        del self._played[same:]
        if gone and not fresh:
            self._take_back(gone[0].left, now)
        ends_pause = self._paused and any(entry.kind != "claim" for entry in fresh)
        self._paused = self._paused and not ends_pause
        for entry, at in zip(fresh, view.played_at[same:], strict=True):
            clock = self._folded(self._latest, at).until(at)
            self._played.append(_Played(entry, clock.times, self._after(clock, entry)))
        self._refold()
        return view.played_at[-1] if ends_pause else now

    def _take_back(self, left: SeatTimes, now: float) -> None:
        """Set the clock back to the times `left`, with a full current period."""
        times = tuple(time.whole_period(self.control) for time in left)
        latest = replace(self._latest, times=times, is_running=False, at=round(now * 1000))
        self._set_latest(latest)
        self._declared.clear()

    def _after(self, clock: MatchClock, entry: RecordEntry) -> MatchClock:
        """Return the clock after an entry that was played just now. The first move starts it."""
        seat = entry.steps[0].acting if entry.steps else clock.seat
        if self.has_begun:
            return clock.press(clock.at / 1000, seat)
        begins = entry.kind == "move" and self.stopped in (None, ClockStop.NOT_BEGUN)
        return replace(clock, seat=seat, is_running=begins)

    # ---- starts and stops

    def _why_stopped(self, view: SessionView, by_hand: bool) -> ClockStop | None:
        reasons = {
            ClockStop.NOT_BEGUN: not self.has_begun,
            ClockStop.OVER: view.outcome is not None,
            ClockStop.PAUSED: self._paused,
            ClockStop.BLIND: not view.blind.isdisjoint(view.sight.cells),
            ClockStop.REPAIR: view.repair.needed or view.looks_back,
            ClockStop.QUESTION: bool(view.question.open),
            ClockStop.MACHINE: by_hand,
        }
        return next((reason for reason, holds in reasons.items() if holds), None)

    def _switch(self, at: float, runs: bool) -> None:
        """Start or stop the clock at a time, but not before its last change."""
        last = self._switches[-1][0] if self._switches else at
        self._switches.append((max(at, last, self._latest.at / 1000), runs))
        self._refold()

    @property
    def _latest(self) -> MatchClock:
        """The clock just after the last entry."""
        return self._played[-1].clock if self._played else self._first

    def _set_latest(self, clock: MatchClock) -> None:
        if self._played:
            self._played[-1] = replace(self._played[-1], clock=clock)
        else:
            self._first = clock

    def _refold(self) -> None:
        self.clock = self._folded(self._latest)

    def _folded(self, clock: MatchClock, until: float = float("inf")) -> MatchClock:
        """Return a clock after the starts and stops since its time, up to a time."""
        since = clock.at
        for at, runs in self._switches:
            if round(at * 1000) >= since and at <= until:
                clock = clock.start(at) if runs else clock.stop(at)
        return clock


def _is_astray(view: SessionView) -> bool:
    """Return whether no history has explained the board since the places came to rest."""
    right = view.repair
    return isinstance(view.verdict, Astray) and right.guiding and not right.settling
