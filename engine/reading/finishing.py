"""What becomes of a hypothesis when a ply is finished or taken back, and what that costs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet

from engine.game import Place
from engine.reading.evidence import (
    BURST,
    HIDDEN,
    HURRIED,
    LEFT_OPEN,
    MISSED,
    OVERLAP,
    RUSHED,
    SLACK,
    STOOD_BY,
    TAKEN_BACK,
    TAKEN_BACK_TOO,
    TOO_SOON,
    TRAY_OPEN,
    TRAY_UNTOUCHED,
)
from engine.reading.footprints import Footprint
from engine.reading.history import History
from engine.reading.hypothesis import Hypothesis
from engine.reading.observations import Placement
from engine.reading.weighing import Weighing


class Finishing:
    """Says what a hypothesis becomes by one ply more, or one less.

    `forward` adds to a line what no hand does (throws that are known, passes that are forced).
    """

    def __init__(self, weigh: Weighing, forward: Callable[[History], History]) -> None:
        self.weigh = weigh
        self.edges = weigh.edges
        self.forward = forward

    def completed(
        self, each: Hypothesis, ply: Footprint, at: float, until: float, removed: bool = False
    ) -> Iterator[Hypothesis]:
        """Yield what becomes of a line if a piece that comes to stand finishes a ply, or one that
        is `removed`; nothing if it cannot.
        """
        opened = self.weigh.opened(each, at)
        come = self._come(each, ply, at, until, removed, opened)
        gone = self._gone(each, ply, at, until, removed) if come is not None else None
        if come is None or gone is None:
            return
        taken_up = come[1] | gone[1]
        begun = min(
            (self.edges.changed(p, at) for p in ply.leaves if p not in taken_up), default=at
        )
        line = self.forward(each.line.step(ply.move, ply))
        cost, pledge = come[0] + gone[0], 0.0
        if ply.tray is not None:
            cost += self._out_of_its_tray(each, ply.tray, at)
        elif not ply.leaves:
            pledge = self._from_nowhere(each, ply, at)
        after = self._next(
            each, line, ply, at, until, opened, cost + pledge, begun, taken_up=taken_up
        )
        yield after.but(pledge=pledge) if pledge else after

    def _out_of_its_tray(self, each: Hypothesis, tray: Place, at: float) -> float:
        """Return the cost of a drop if its piece was not seen to be taken from its tray."""
        # What had left it by the end of the last ply, and it reads right then, went elsewhere.
        right = self.weigh.trays.holds(each, tray, each.line, each.at)
        gave = self.edges.gave(tray, each.at - (0.0 if right else OVERLAP), at + SLACK)
        return 0.0 if gave else TRAY_UNTOUCHED

    def _from_nowhere(self, each: Hypothesis, ply: Footprint, at: float) -> float:
        """Return what a piece costs that comes from where nothing tells, within a second after the
        last ply of a line: nothing if the tray that he lay in was touched, for that may hold more
        than it has sensors for.
        """
        trays = each.line.trays.intersection(ply.after)
        if any(self.edges.touched(tray, each.at, at) for tray in trays):
            return 0.0
        return RUSHED * max(0.0, 1.0 - max(0.0, at - each.at))

    def _come(
        self,
        each: Hypothesis,
        ply: Footprint,
        at: float,
        until: float,
        removed: bool,
        opened: frozenset[Place],
    ) -> tuple[float, frozenset[Place]] | None:
        """Return what it costs that pieces have come to where a ply ends, and which of them the
        next player has taken up already; None if they have not.
        """
        cost, missing = 0.0, 0
        taken_up = set()
        for place, reading in ply.arrivals:
            if not (self.edges.was(place, reading, at) or self.edges.was(place, reading, until)):
                if not removed or not self.edges.stood(place, reading, each.at, at):
                    return None
                taken_up.add(place)  # before the last piece was removed
                cost += TOO_SOON
            if place not in opened and not self._was_touched(each, ply, place, at):
                if ply.train and place in ply.swaps:
                    continue  # the pieces of a row may come the one right behind the other
                missing += 1
                cost += MISSED
                if missing > 1 or len(ply.arrivals) == 1:
                    return None
        return cost, frozenset(taken_up)

    def _gone(
        self, each: Hypothesis, ply: Footprint, at: float, until: float, removed: bool
    ) -> tuple[float, frozenset[Place]] | None:
        """Return what it costs that pieces have gone from where a ply begins, and where the next
        player has put one already; None if they have not gone.
        """
        cost = 0.0
        taken_up = set()
        for place in ply.leaves:
            empty = self.edges.was(place, 0, at) or self.edges.was(place, 0, until)
            if not empty:
                if not removed or not self.edges.stood(place, 0, each.at, at):
                    return None
                taken_up.add(place)
                cost += TOO_SOON
                continue
            cost += self._taken_over(each, ply, place, at)
        return cost, frozenset(taken_up)

    def _taken_over(self, each: Hypothesis, ply: Footprint, place: Place, at: float) -> float:
        """Return what it costs that the piece of the last ply that was seen is lifted and moved on
        by this one: the less the longer that stood.
        """
        line = last_seen(each.line)[-1]
        if each.back or not line.takes_over(ply, place):
            return 0.0
        lift = self.edges.changed(place, at)
        stood = lift - min(each.at, self.edges.came(place, lift))
        return HURRIED * min(max(0.0, 1.0 - stood), 1.0)

    def taken_back(self, each: Hypothesis, put: Placement) -> Iterator[Hypothesis]:
        """Yield what becomes of a line if a piece that comes to stand takes its last ply back."""
        gone = last_seen(each.line)
        found, head, at = gone[-1].last_ply(), gone[-1].head(), put.at
        if not found or put.place not in found[0].around:
            return
        (ply,) = found
        if put.reading != head.expected.get(put.place, 0):
            return
        opened = self.weigh.opened(each, at)
        for place in ply.cells:
            if not self.edges.was(place, head.expected.get(place, 0), at):
                return
            if place == put.place or place in opened:
                continue
            # Who only rocked was not exchanged, nor who stood there when all stood still.
            if not self.edges.touched(place, each.settled(place), at + SLACK):
                return
        cost = self.takeback(each, gone, head)
        after = self._next(each, head, ply, at, put.until, opened, cost, back=True)
        yield after.but(taken_back=each.taken_back + len(gone))

    def takeback(self, each: Hypothesis, gone: Sequence[History], head: History) -> float:
        """Return what it costs that the last plies of lines that are `gone` are taken back, down to
        a line: who takes back goes on with it more readily than he begins.
        """
        masked = any(
            place in head.masked and place in head.expected
            for ply in gone[-1].last_ply()
            for place in ply.after
        )
        if each.back and not each.bare:
            return TAKEN_BACK_TOO + HIDDEN * masked
        # Of what no sensor shows people have said that it was played.
        return TAKEN_BACK + STOOD_BY * (len(gone) > 1 and not each.back) + HIDDEN * masked

    def _was_touched(self, each: Hypothesis, ply: Footprint, place: Place, at: float) -> bool:
        """Whether a place where a piece of a ply comes to stand was touched since the last ply; a
        piece that rocked there before any piece of this one was lifted has not been taken by that.
        """
        if not self.edges.touched(place, each.at, at):
            return False
        if place not in each.line.expected:
            return True  # nobody rocks where nobody stands
        lifts = (self.edges.changed(p, at) - SLACK for p in ply.leaves)
        since = min(each.settled(place), min(lifts, default=at))
        return self.edges.touched(place, max(each.at, since), at)

    def _next(
        self,
        each: Hypothesis,
        line: History,
        ply: Footprint,
        at: float,
        until: float,
        opened: frozenset[Place],
        cost: float,
        begun: float = 0.0,
        back: bool = False,
        taken_up: AbstractSet[Place] = frozenset(),
    ) -> Hypothesis:
        """Return a hypothesis one ply on, or back, with what the ply did not explain."""
        left = set()
        cost += each.stopped(ply.around, ply.cells if back else ply.leaves)
        weak = cost
        if not back:
            cost += TRAY_OPEN * self.weigh.trays.off_for_two_plies(each, line, at)
        expected, touched = line.expected, sorted((opened - ply.cells) | taken_up)
        off = {p for p in touched if self.edges.value(p, at) != expected.get(p, 0)}
        # A piece who was gone from where he had been put before the hand of this ply began moved
        # on.
        gone = {place for place in off & each.own if not self.edges.value(place, at)}
        moved_on = any(self.edges.changed(place, at) < begun - SLACK for place in gone)
        for place in touched:
            if place in off:
                left.add(place)
                if place in each.open or moved_on:
                    # Who was slid off a place may be seen there a little longer.
                    seen = self.edges.value(place, at + OVERLAP)
                    cost += LEFT_OPEN * (seen != expected.get(place, 0))
            elif place not in ply.around and not (
                place in line.expected and self.edges.touched(place, at, at + BURST)
            ):  # a bump that goes on is paid for later; who left an empty cell is elsewhere
                cost += self.weigh.noise(each, place, at)
        return Hypothesis(
            line,
            at,
            at,
            each.cost + cost - each.pledge * (not back),
            each.owed,
            frozenset(left),
            ply.around,
            until + BURST,
            weak,
            (each.past[1], each.cost),
            back=back,
            taken_back=each.taken_back,
            begun=begun,
        )


def last_seen(line: History) -> list[History]:
    """Return a line and those before it, down to the first that ends with a ply which some sensor
    shows: who takes that back takes back what came after it.
    """
    lines = [line]
    while (last := lines[-1].last_ply()) and not last[0].is_seen:
        lines.append(lines[-1].head())
    return lines
