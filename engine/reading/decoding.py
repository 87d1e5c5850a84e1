"""Decoding: finding the plies that explain the edges of the sensors.

The decoder goes through every raw edge since the start of the possible histories, in order of time.
A piece that is put down may finish a ply of each history: the piece must be gone from its start and
be at its target. A hypothesis carries other touched places along; a later ply may explain them, or
else they cost. So the board need not come to rest, and a few plies later a better hypothesis
overtakes a wrong one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable, Mapping
from copy import copy
from dataclasses import dataclass
from itertools import chain
from math import nextafter

from engine.game import Place
from engine.reading.beam import Beam
from engine.reading.evidence import BURST, EDGES_KEPT, LOOK_MARGIN, REMEMBERED, SEALED, SLACK
from engine.reading.extend import PlyGenerator
from engine.reading.finishing import Finishing
from engine.reading.fitting import Fitting
from engine.reading.footprints import Reading
from engine.reading.history import History
from engine.reading.hypothesis import End, Hypothesis, PlyRecord, Way
from engine.reading.observations import Edges, Placement
from engine.reading.quiescence import Rest
from engine.reading.sayings import Said
from engine.reading.weighing import Weighing


@dataclass(slots=True)
class DecodingStep:
    """All hypotheses before and after one placement or saying."""

    before: list[Hypothesis]
    put: Placement | Said
    after: list[Hypothesis]
    known: float
    """The time of the computation."""
    version: int
    """The version of the edges then."""


@dataclass(slots=True)
class Sealing:
    """The final computation of one placement."""

    hypotheses: list[Hypothesis]
    search: Generator[None, None, list[Hypothesis]]


class Decoder:
    """All possible hypotheses, with the edges that distinguish them."""

    def __init__(self, forward: Callable[[History], History]) -> None:
        self.hypotheses: list[Hypothesis] = []
        self.edges = Edges()
        self.now = 0.0
        self._weigh = Weighing(self.edges)
        self._plies = PlyGenerator(Finishing(self._weigh, forward))
        self._beam = Beam(self._plies)
        self._sealed = float("-inf")
        self._said: list[Said] = []  # what people said of late, in order of time
        self._queue: list[Placement | Said] = []  # sealed, but not processed yet
        self._ahead: list[DecodingStep] = []  # the last steps, not sealed yet
        self._fitting = Fitting(self._beam)
        self._sealing: Sealing | None = None  # the step that is being sealed
        self._rest = Rest([], 0.0, 0.0, (0.0, 0))
        self._right = 0.0  # when all pieces last rested where they belong
        self.late = 0.0
        """The cost then of pieces still on their way to trays."""

    @property
    def rested(self) -> tuple[float, int]:
        """The cost and the plies of the shown history when all pieces last rested."""
        return self._rest.cost

    # ---- what comes in

    def begin(
        self, lines: Iterable[History], levels: Mapping[Place, Reading], since: float | None
    ) -> None:
        """Restart from `lines`, keeping edges after `since`; None: now, with these `levels`.

        What people said before is not heard again.
        """
        if since is None:
            since = self.edges.restart(levels, self.now)
        self._weigh.changed()
        self._said = []
        self._sealed = since
        self._queue = []
        self._sealing = None
        self.hypotheses = []
        for line in lines:
            trays = line.sight.trays - line.masked
            missing_in_tray = {
                tray: lack
                for tray in trays
                if (lack := line.expected.get(tray, 0) - self.edges.value(tray, since))
                and self.edges.value(tray, since)
                != min(line.expected.get(tray, 0), line.sight.pockets[tray])
            }
            odd = {
                place
                for place in line.sight.cells - line.masked
                if self.edges.value(place, since) != line.expected.get(place, 0)
            }
            start = PlyRecord(Way.START, since)
            self.hypotheses.append(
                Hypothesis(line, start, since, 0.0, missing_in_tray, frozenset(odd))
            )
        self._rest = Rest.of(self.hypotheses, since, self.hypotheses)
        self._right = since
        self.late = 0.0

    def assume_trays_full(self, trays: Collection[Place]) -> None:
        """Assume that these trays lacked nothing at the start: what they lack now is in a hand."""
        self.hypotheses = [
            each.copy(
                missing_in_tray={
                    tray: lack for tray, lack in each.missing_in_tray.items() if tray not in trays
                }
            )
            for each in self.hypotheses
        ]
        self._rest = Rest.of(self.hypotheses, self._sealed, self.hypotheses)

    def touch(self, at: float, place: Place, reading: Reading) -> None:
        """Record a raw edge: `place` read `reading` from `at` on, however briefly."""
        self.now = max(self.now, at)
        self.edges.add(at, place, reading)
        self._weigh.changed()
        if place not in self.hypotheses[0].line.sight.cells:
            self._ahead.clear()  # trays are evidence for earlier steps
        if len(self.edges.order) > EDGES_KEPT:
            self._forget(self.edges.order[EDGES_KEPT // 4][0])

    def say(self, said: Said) -> None:
        """Record what people say."""
        self.now = max(self.now, said.at)
        self._said.append(said)
        if said.seat is not None:
            self._plies.finishing.turn_ended_at = said.at

    def _forget(self, until: float) -> None:
        """Forget all edges and sayings up to a time."""
        self.edges.forget(until)
        self._said = [said for said in self._said if said.at > until]
        self._weigh.changed()
        self._sealed = max(self._sealed, until)
        self.hypotheses = [
            each.copy(seen=max(each.seen, until)) if each.seen < until else each
            for each in self.hypotheses
        ]
        for each in self.hypotheses:
            each.ply.forget(until)

    def replace(self, line: Callable[[History], History]) -> None:
        """Replace the history of each hypothesis."""
        self.hypotheses = [each.copy(line=line(each.line)) for each in self.hypotheses]
        self._rest = self._rest.with_lines(line, self.edges)

    def commit(self, lines: Collection[History]) -> Generator[None, None, bool]:
        """Drop, step by step, all hypotheses that do not continue one of these histories.

        Return whether each of these was possible; if not, nothing is dropped.
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
        if not self._queue:  # nothing earlier is processed again
            self._rest = Rest.of(self.hypotheses, self._sealed, self.hypotheses)
        return True

    def processed_again(self, line: Callable[[History], History]) -> Decoder:
        """Return a decoder with the same edges and replaced histories.

        It processes the edges again since all pieces last rested.
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
        """Finish all placements before now, because some sensors will not report on them any more.

        A change at this very moment is still to come.
        """
        self.now = max(self.now, now)
        yield from self._seal(nextafter(now, float("-inf")))

    def replace_from_now_on(
        self, line: Callable[[History], History], levels: Mapping[Place, Reading]
    ) -> None:
        """Replace the history of each hypothesis from the sealed time on, with other masked
        sensors.

        Nothing earlier is processed again. Evidence of newly masked sensors against a history, at
        `levels`, is charged now.
        """
        cost = self._weigh.on_cells
        before = [cost(each, self.now, levels) for each in self.hypotheses]
        rest = self._rest.continued(self.hypotheses, self._sealed).with_lines(line, self.edges)
        paid = [
            max(0.0, was.cost - cost(each, self.now, levels).cost)
            for was, each in zip(before, rest.hypotheses, strict=True)
        ]
        self.hypotheses = [
            each.charge({"masked": more}).copy(paused=each.paused - each.line.masked)
            for each, more in zip(rest.hypotheses, paid, strict=True)
        ]
        self._rest = rest.continued(self.hypotheses, rest.at)
        self.forget_ahead()

    def is_past(self, each: Hypothesis) -> bool:
        """Return whether the last ply was finished when all pieces last rested."""
        return each.at < self._rest.stood

    def put_since(self, at: float) -> bool:
        """Return whether any piece was put down since then."""
        return any(self.edges.value(place, when) for when, place in self.edges.between(at))

    def said_since(self, at: float) -> bool:
        """Return whether people have said anything since then."""
        return any(said.at > at for said in self._said)

    def has_gone_back_to(self, line: History) -> bool:
        """Return whether a likely hypothesis saw pieces go back to the end of a history."""
        hypotheses = self._ahead[-1].after if self._ahead else self.hypotheses
        guesses = [(self._weigh.guess(each, self.now), each) for each in hypotheses]
        limit = min(guess for guess, _ in guesses) + LOOK_MARGIN
        return any(
            each.is_takeback and each.line is line and guess <= limit for guess, each in guesses
        )

    def pieces_put_since(self, at: float) -> int:
        """Return the number of placements since then."""
        return sum(put.reading != 0 for put in self.edges.placements(at, self.now, self.now, {}))

    def touched_since_rest(self, place: Place) -> bool:
        """Return whether a place was touched since all pieces last rested where they belong."""
        return self.edges.changed(place) > self._right

    def rest(self, now: float, shown: Collection[History]) -> Generator[None, None, bool]:
        """Charge for touches up to `now`, when all pieces came to rest as at the end of `shown`.

        Nothing changes before the last step. Return whether all pieces are where they belong; until
        then the edges may be processed again.
        """
        yield from self._seal(now)
        self.hypotheses = best = yield from self._beam.after_rest(self.hypotheses, now)
        still = [each for each in best if each.line in shown and not each.paused] or best
        self._rest = Rest.of(best, now, still)
        levels = {tray: self.edges.value(tray, now) for tray in still[0].line.trays}
        _, self.late = self._weigh.trays.against(still[0], levels)
        self._forget(now - REMEMBERED)
        if right := self._is_right(still[0], now):
            self._right = now
        return right

    def _is_right(self, each: Hypothesis, at: float) -> bool:
        """Return whether all touched pieces, also those in trays, were as a history has them."""
        line = each.line
        return not self._weigh.off(each, at) and all(
            self._weigh.trays.holds(each, tray, line, at) for tray in line.trays
        )

    # ---- results

    def ends(self, now: float, levels: Mapping[Place, Reading]) -> Generator[None, None, list[End]]:
        """Return how each history fits now, the best first; the search goes step by step."""
        self.now = max(self.now, now)
        yield from self._seal(self.edges.calm(now - SEALED, self.now))
        hypotheses, version = self.hypotheses, self.edges.version
        for number, put in enumerate(self._observed(now, levels)):
            hypotheses = yield from self._step(hypotheses, put, number)
        return (yield from self._fitting.ends(hypotheses, version, now, levels))

    def _seal(self, until: float) -> Generator[None, None, None]:
        """Process the placements that are too old for further evidence."""
        if until > self._sealed:
            self._queue += [each for each in self._observed(until, {}) if _order(each) <= until]
            self._sealed = until
        while self._queue:
            put = self._queue[0]
            if self._sealing is None or self._sealing.hypotheses is not self.hypotheses:
                self._sealing = Sealing(self.hypotheses, self._step(self.hypotheses, put, 0))
            while True:  # the step resumes even if its caller starts over
                try:
                    next(self._sealing.search)
                except StopIteration as end:
                    self.hypotheses, self._sealing = end.value, None
                    break
                yield
            del self._queue[0], self._ahead[0]

    def _observed(self, until: float, levels: Mapping[Place, Reading]) -> list[Placement | Said]:
        """Return the placements and sayings up to a time that are not sealed, in order of time."""
        puts = self.edges.placements(self._sealed, until, self.now, levels)
        said = [said for said in self._said if said.at <= until and said.until > self._sealed]
        return sorted([*puts, *said], key=_order) if said else list(puts)

    def _step(
        self, hypotheses: list[Hypothesis], put: Placement | Said, number: int
    ) -> Generator[None, None, list[Hypothesis]]:
        """Return the hypotheses after placement or saying `number` of those not sealed.

        The result is cached unless a later edge changes it.
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
        if isinstance(put, Said):
            after = yield from self._beam.after_saying(hypotheses, put)
        else:
            after = yield from self._beam.after_placement(hypotheses, put)
        del self._ahead[number:]
        self._ahead.append(DecodingStep(hypotheses, put, after, now, version))
        return after

    def forget_ahead(self) -> None:
        """Drop cached steps that are not sealed, because something beside the edges changed."""
        self._fitting.forget()
        self._ahead.clear()
        self._sealing = None


def _order(each: Placement | Said) -> float:
    """Return the time by which observations are processed."""
    return each.until if isinstance(each, Said) else each.at
