"""The CPU time of a board that plays a recording: what it spends on what, and when."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass, field
from functools import partial
from operator import add
from time import process_time
from typing import Any, Final, Protocol

from benchmarks.reading_watcher import Texts, Watcher
from engine.match import Match
from engine.reading.footprints import Sight
from firmware_host.session.events import Event, Frame
from firmware_host.session.session import Session
from firmware_host.session.settle_times import Search
from tests.support.recorded import Recorded
from tests.support.session_parts import follow_with

LONGEST_CALL_S: Final = 0.005
"""A longer call is counted: lights and people wait for it."""
FATES: Final = ("right", "wrong", "open")


@dataclass(frozen=True, slots=True)
class Spent:
    """CPU seconds of one call, or of several."""

    level: float = 0.0
    """From the frame to levels that have held, and whatever is not one of the others."""
    search: float = 0.0
    """The search for what explains the levels, until its result is shown."""
    lights: float = 0.0
    """Drawing the scene."""

    @property
    def in_all(self) -> float:
        """All of it."""
        return self.level + self.search + self.lights

    def __add__(self, other: Spent) -> Spent:
        return Spent(*map(add, astuple(self), astuple(other)))

    def least(self, other: Spent) -> Spent:
        """Return the smaller time of each part."""
        return Spent(*map(min, astuple(self), astuple(other)))


class TimedSearch(Search):
    """Counts the CPU time of its steps."""

    def __init__(self) -> None:
        super().__init__()
        self.seconds = 0.0

    def step(self, now: float) -> None:
        """Follow the search for a step, if it is due."""
        began = process_time()
        super().step(now)
        self.seconds += process_time() - began


@dataclass
class Cost:
    """What became of games, and the CPU time of each changed frame, of each move and of each call.

    The time of a frame is that of all calls until the next one. The time of a move is that of all
    calls until the next hand begins.
    """

    frames: list[Spent] = field(default_factory=list)
    moves: list[Spent] = field(default_factory=list)
    calls: list[float] = field(default_factory=list)
    fates: dict[str, int] = field(default_factory=lambda: dict.fromkeys(FATES, 0))
    """The number of moves that are right, wrong, or still open at the end."""

    def __iadd__(self, other: Cost) -> Cost:
        self.frames += other.frames
        self.moves += other.moves
        self.calls += other.calls
        for fate, count in other.fates.items():
            self.fates[fate] += count
        return self


class Ledger:
    """Books the CPU time of calls to frames and to moves."""

    def __init__(self, begun: Sequence[float] = ()) -> None:
        """`begun` is when the hand of each move began."""
        self._begun = sorted(begun)
        self.cost = Cost(moves=[Spent()] * len(begun))

    def frame(self) -> None:
        """A changed frame comes."""
        self.cost.frames.append(Spent())

    def book(self, at: float, spent: Spent, *, called: bool = True) -> None:
        """Book what was spent at a time of the recording; drawing alone is no call."""
        cost = self.cost
        if called:
            cost.calls.append(spent.in_all)
        if cost.frames:
            cost.frames[-1] += spent
        if move := bisect_right(self._begun, at):
            cost.moves[move - 1] += spent


class Wires(Protocol):
    """Simulated wires that count their CPU time."""

    seconds: float


class CallTimer:
    """Times calls of a session, and splits the time. What is done to go on with a search, or to
    show its result, belongs to the search.
    """

    def __init__(self, session: Session, wires: Wires | None = None) -> None:
        """The time of simulated `wires` is left out."""
        self._session = session
        self._wires = wires
        self._search = TimedSearch()
        follow_with(session, self._search)

    def spent(self, call: Callable[[], object]) -> Spent:
        """Make a call, and return what it has spent."""
        session = self._session
        searched, record, self._search.seconds = session.thinking, session.record, 0.0
        before, began = self._on_wires, process_time()
        call()
        seconds = process_time() - began - (self._on_wires - before)
        if searched or session.record != record:
            return Spent(search=seconds)
        return Spent(seconds - self._search.seconds, self._search.seconds)

    @property
    def _on_wires(self) -> float:
        return 0.0 if self._wires is None else self._wires.seconds


class TimedSessions:
    """Equal sessions that take the same events. The smaller time of each call counts."""

    def __init__(self, sessions: Sequence[Session], ledger: Ledger) -> None:
        self.session = sessions[0]
        self._timed = [(session, CallTimer(session)) for session in sessions]
        self._ledger = ledger

    @property
    def deadline(self) -> float | None:
        """When the sessions want to be called though nothing happens; None if never."""
        return self.session.deadline

    def handle(self, event: Event) -> None:
        """Take one event."""
        found = [timer.spent(partial(session.handle, event)) for session, timer in self._timed]
        if isinstance(event, Frame):
            self._ledger.frame()
        self._ledger.book(event.at, min(found, key=lambda spent: spent.in_all))


def fates(recorded: Recorded, final: Texts) -> dict[str, int]:
    """Return how many moves of a final record are right, wrong, or open."""
    found = dict.fromkeys(FATES, 0)
    for ply, text in enumerate(recorded.moves):
        texts = final[ply] if ply < len(final) else ()
        fate = "right" if texts == (text,) else "wrong" if len(texts) == 1 else "open"
        found[fate] += 1
    found["wrong"] += max(0, len(final) - len(recorded.moves))
    return found


def begins(recorded: Recorded) -> list[float]:
    """Return when the hand of each move or takeback began."""
    return [truth.begun for truth in recorded.truth]


def played(recorded: Recorded, game: Any, sight: Sight, position: Any) -> Cost:
    """Return the cost of a recording in one of two equal sessions, with people who answer."""
    ledger = Ledger(begins(recorded))
    two = [Session(game, sight, [Match.begin(game, position)]) for _ in range(2)]
    final = Watcher(recorded, game, sight, position, TimedSessions(two, ledger)).watch()
    ledger.cost.fates = fates(recorded, final)
    return ledger.cost


def share_of(times: Sequence[float], share: float) -> float:
    """Return the time that this share of the times does not exceed."""
    return sorted(times)[int(share * (len(times) - 1))]
