"""Decoding: which plies, one after the other, the edges of the sensors tell of.

Every raw edge since the lines of play that are still possible began is gone through in order of
time. Wherever a piece comes to stand, a ply of each line may have been finished by it: its piece
must be gone from where it stood and be where it goes. Whatever else was touched a line carries
along; what a later ply explains is free, and what nothing explains costs. So nothing depends on the
board ever being at rest, and a line that was read wrongly is overtaken by a better one a few plies
later.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable, Mapping
from copy import copy
from dataclasses import dataclass
from itertools import chain
from math import nextafter

from engine.game import Place
from engine.reading.beam import Beam
from engine.reading.evidence import (
    BURST,
    EDGES_KEPT,
    REMEMBERED,
    SEALED,
    SLACK,
    WORTH_A_LOOK,
)
from engine.reading.extend import PlyGenerator
from engine.reading.fitting import Fitting
from engine.reading.footprints import Reading
from engine.reading.history import History
from engine.reading.hypothesis import End, Hypothesis
from engine.reading.observations import Edges, Placement
from engine.reading.quiescence import Rest
from engine.reading.weighing import Weighing


@dataclass(slots=True)
class DecodingStep:
    """What became of all lines when a piece came to stand."""

    before: list[Hypothesis]
    put: Placement
    after: list[Hypothesis]
    known: float
    """By when."""
    version: int
    """Of the edges, then."""


@dataclass(slots=True)
class Sealing:
    """The search for what becomes of all lines for good."""

    hypotheses: list[Hypothesis]
    search: Generator[None, None, list[Hypothesis]]


class Decoder:
    """All lines that are still possible, with the edges that told them apart."""

    def __init__(self, forward: Callable[[History], History]) -> None:
        self.hypotheses: list[Hypothesis] = []
        self.edges = Edges()
        self.now = 0.0
        self._weigh = Weighing(self.edges)
        self._beam = Beam(PlyGenerator(self._weigh, forward))
        self._sealed = float("-inf")
        self._queue: list[Placement] = []  # sealed, but not gone through yet
        self._ahead: list[DecodingStep] = []  # what was gone through last and is not sealed
        self._fitting = Fitting(self._beam)
        self._sealing: Sealing | None = None  # what is being gone through for good
        self._rest = Rest([], 0.0, 0.0, (0.0, 0))
        self._right = 0.0  # when all pieces stood where they belong last
        self.late = 0.0
        """What it cost then that pieces had still to reach their trays."""

    @property
    def rested(self) -> tuple[float, int]:
        """What the line had cost that was shown when all pieces stood still last, and how many
        plies it had.
        """
        return self._rest.cost

    # ---- what comes in

    def begin(
        self,
        lines: Iterable[History],
        levels: Mapping[Place, Reading],
        since: float | None,
    ) -> None:
        """Start anew from `lines`. What was touched after `since` is not forgotten; None: now,
        and the sensors read `levels`.
        """
        if since is None:
            since = self.edges.restart(levels, self.now)
        self._weigh.changed()
        self._sealed = since
        self._queue = []
        self._sealing = None
        self.hypotheses = []
        for line in lines:
            trays = line.sight.trays - line.masked
            owed = {
                tray: gone
                for tray in trays
                if (gone := line.expected.get(tray, 0) - self.edges.value(tray, since))
                and self.edges.value(tray, since)
                != min(line.expected.get(tray, 0), line.sight.pockets[tray])
            }
            odd = {
                place
                for place in line.sight.cells - line.masked
                if self.edges.value(place, since) != line.expected.get(place, 0)
            }
            self.hypotheses.append(Hypothesis(line, since, since, 0.0, owed, frozenset(odd)))
        self._rest = Rest.of(self.hypotheses, since, self.hypotheses)
        self._right = since
        self.late = 0.0

    def owe_nothing(self, trays: Collection[Place]) -> None:
        """Take it that these trays lacked nothing before the lines began: what they lack now is in
        a hand.
        """
        self.hypotheses = [
            each.but(owed={tray: gone for tray, gone in each.owed.items() if tray not in trays})
            for each in self.hypotheses
        ]
        self._rest = Rest.of(self.hypotheses, self._sealed, self.hypotheses)

    def touch(self, at: float, place: Place, reading: Reading) -> None:
        """Note a raw edge: `place` read `reading` from `at` on, however briefly."""
        self.now = max(self.now, at)
        self.edges.add(at, place, reading)
        self._weigh.changed()
        if place not in self.hypotheses[0].line.sight.cells:
            self._beam.plies.tray_at = at
            self._ahead.clear()  # trays tell of what was gone through before
        if len(self.edges.order) > EDGES_KEPT:
            self._forget(self.edges.order[EDGES_KEPT // 4][0])

    def _forget(self, until: float) -> None:
        """Forget all edges up to a time, and where each place stood then."""
        self.edges.forget(until)
        self._weigh.changed()
        self._sealed = max(self._sealed, until)
        self.hypotheses = [
            each.but(seen=max(each.seen, until)) if each.seen < until else each
            for each in self.hypotheses
        ]

    def replace(self, line: Callable[[History], History]) -> None:
        """Put another line in the place of each."""
        self.hypotheses = [each.but(line=line(each.line)) for each in self.hypotheses]
        self._rest = self._rest.with_lines(line, self.edges)

    def commit(self, lines: Collection[History]) -> Generator[None, None, bool]:
        """Give up, step by step, all lines that do not go on from one of these, for good; return
        whether each of these was among them, else nothing is given up.
        """
        yield from self._seal(self.edges.calm(self.now - BURST, self.now))
        kept = [
            [each for each in self.hypotheses if each.line.since(line) is not None]
            for line in lines
        ]
        if not all(kept):
            return False
        self.hypotheses = list(dict.fromkeys(chain.from_iterable(kept)))
        self.forget_ahead()
        if not self._queue:  # nothing before is gone through once more
            self._rest = Rest.of(self.hypotheses, self._sealed, self.hypotheses)
        return True

    def again(self, line: Callable[[History], History]) -> Decoder:
        """Return another decoder that has seen the same, and goes through it once more with other
        lines in the place of its own, from when all pieces stood still last.
        """
        other = copy(self)
        other._rest = self._rest.with_lines(line, self.edges)
        other.hypotheses = other._rest.hypotheses
        other._fitting = Fitting(self._beam)
        other._sealed = other._rest.at
        other._queue = []
        other._ahead = []
        other._sealing = None
        return other

    def seal(self, now: float) -> Generator[None, None, None]:
        """Go through all that was done before now, for some sensors tell no more about it; what is
        seen to change just now is still to come.
        """
        self.now = max(self.now, now)
        yield from self._seal(nextafter(now, float("-inf")))

    def go_on_with(
        self, line: Callable[[History], History], levels: Mapping[Place, Reading]
    ) -> None:
        """Put another line in the place of each, which may believe other sensors, from what is
        sealed on: nothing before is gone through once more. What sensors speak against a line that
        it does not believe any more is paid for, as they read `levels` when it did.
        """
        cost = self._weigh.on_cells
        before = [cost(each, self.now, levels) for each in self.hypotheses]
        rest = self._rest.gone_on(self.hypotheses, self._sealed).with_lines(line, self.edges)
        paid = [
            max(0.0, was.cost - cost(each, self.now, levels).cost)
            for was, each in zip(before, rest.hypotheses, strict=True)
        ]
        self.hypotheses = [
            each.but(cost=each.cost + more, paused=each.paused - each.line.masked)
            for each, more in zip(rest.hypotheses, paid, strict=True)
        ]
        self._rest = rest.gone_on(self.hypotheses, rest.at)
        self.forget_ahead()

    def is_past(self, each: Hypothesis) -> bool:
        """Whether the last ply of a line was finished when all pieces stood still last."""
        return each.at < self._rest.stood

    def put_since(self, at: float) -> bool:
        """Whether anything was put anywhere since then."""
        return any(self.edges.value(place, when) for when, place in self.edges.between(at))

    def has_gone_back_to(self, line: History) -> bool:
        """Whether pieces were seen to come back to where they stand at the end of a line, which is
        as likely as anything.
        """
        hypotheses = self._ahead[-1].after if self._ahead else self.hypotheses
        guesses = [(self._weigh.guess(each, self.now), each) for each in hypotheses]
        limit = min(guess for guess, _ in guesses) + WORTH_A_LOOK
        return any(each.back and each.line is line and guess <= limit for guess, each in guesses)

    def pieces_put_since(self, at: float) -> int:
        """Return how many times a piece came to stand anywhere since then."""
        return sum(put.reading != 0 for put in self.edges.puts(at, self.now, self.now, {}))

    def touched_since_rest(self, place: Place) -> bool:
        """Whether a place was touched since all pieces stood still where they belong."""
        return self.edges.changed(place) > self._right

    def rest(self, now: float, shown: Collection[History]) -> Generator[None, None, bool]:
        """All pieces have stood still since `now` as at the end of `shown`: what was touched before
        is paid for, step by step, but nothing before the end. Return whether they are where they
        belong, too: until they are, what happened may be gone through once more.
        """
        yield from self._seal(now)
        self.hypotheses = best = yield from self._beam.settled(self.hypotheses, now)
        still = [each for each in best if each.line in shown and not each.paused] or best
        self._rest = Rest.of(best, now, still)
        levels = {tray: self.edges.value(tray, now) for tray in still[0].line.trays}
        _, self.late = self._weigh.trays.against(still[0], levels)
        self._forget(now - REMEMBERED)
        if right := self._is_right(still[0], now):
            self._right = now
        return right

    def _is_right(self, each: Hypothesis, at: float) -> bool:
        """Whether all pieces that were touched were where a line has them, in the trays, too."""
        line = each.line
        return all(
            self.edges.value(place, at) == line.expected.get(place, 0)
            for place in self._weigh.opened(each, at)
        ) and all(self._weigh.trays.holds(each, tray, line, at) for tray in line.trays)

    # ---- what it tells of

    def ends(
        self,
        now: float,
        levels: Mapping[Place, Reading],
    ) -> Generator[None, None, list[End]]:
        """Return how each line of the hypotheses fits at the present moment, the best
        first; a search that goes step by step.
        """
        self.now = max(self.now, now)
        yield from self._seal(self.edges.calm(now - SEALED, self.now))
        hypotheses, version = self.hypotheses, self.edges.version
        for number, put in enumerate(self.edges.puts(self._sealed, now, self.now, levels)):
            hypotheses = yield from self._step(hypotheses, put, number)
        return (yield from self._fitting.ends(hypotheses, version, now, levels))

    def _seal(self, until: float) -> Generator[None, None, None]:
        """Go through what is old enough for nothing more to be learnt about it."""
        if until > self._sealed:
            self._queue += self.edges.puts(self._sealed, until, self.now, {})
            self._sealed = until
        while self._queue:
            put = self._queue[0]
            if self._sealing is None or self._sealing.hypotheses is not self.hypotheses:
                self._sealing = Sealing(self.hypotheses, self._step(self.hypotheses, put, 0))
            while True:  # it is gone on with even if whoever waited for it begins anew
                try:
                    next(self._sealing.search)
                except StopIteration as end:
                    self.hypotheses, self._sealing = end.value, None
                    break
                yield
            del self._queue[0], self._ahead[0]

    def _step(
        self, hypotheses: list[Hypothesis], put: Placement, number: int
    ) -> Generator[None, None, list[Hypothesis]]:
        """Return what becomes of all lines when a piece comes to stand, the so-manieth that is not
        sealed; as it was found out before, if no edge since then can make a difference.
        """
        now, version = self.now, self.edges.version
        if number < len(self._ahead):
            step = self._ahead[number]
            if (
                step.before is hypotheses
                and step.put == put
                and (step.version == version or put.until + SLACK < step.known)
            ):
                if step.version == version:
                    step.known = now
                return step.after
        after = yield from self._beam.gone_through(hypotheses, put)
        del self._ahead[number:]
        self._ahead.append(DecodingStep(hypotheses, put, after, now, version))
        return after

    def forget_ahead(self) -> None:
        """Find out anew what is not sealed: what it depends on beside the edges has changed."""
        self._fitting.forget()
        self._ahead.clear()
        self._sealing = None
