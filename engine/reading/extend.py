"""Plies: extending a hypothesis when a piece is put down or taken away.

This may finish a ply, or a ply before the last one since two hands overlap. A ply may be too quick
for the sensors or show only in trays. Or the last ply is taken back.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.game import Place
from engine.reading.evidence import (
    BURST,
    HIDDEN,
    LONG_BEFORE,
    MISSED,
    OVERLAP,
    SEEN_BY_BOTH,
    SLACK,
    TOO_QUICK,
    TOO_SOON,
)
from engine.reading.finishing import Finishing, last_seen
from engine.reading.footprints import Footprint
from engine.reading.history import History
from engine.reading.hypothesis import Hypothesis
from engine.reading.observations import Placement


class PlyGenerator(Finishing):
    """Finds the plies that may extend a hypothesis."""

    tray_at = float("-inf")
    """The time of the last touch of a tray."""

    def after(self, each: Hypothesis, put: Placement) -> Iterator[Hypothesis]:
        """Yield the successors of a hypothesis after a placement."""
        rocks = (
            put.place in each.last_ply_places
            and self.weigh.rocks(each, put.place, put.until)
            and put.reading == each.line.expected.get(put.place, 0)
        )
        if put.at <= each.at or rocks:
            return
        yield from self._finished(each, put)
        for seen in self.half_seen(each, put.at, put.place if put.reading else None):
            yield from self._finished(seen, put)

    def _finished(self, each: Hypothesis, put: Placement) -> Iterator[Hypothesis]:
        """Yield the successors after a placement without an unseen ply before it."""
        opened = self.weigh.opened(each, put.until + SLACK)
        lifted = self._lifted(each, opened, put.at)
        for footprint in each.line.possible.bringing(put.place, put.reading, opened, lifted):
            yield from self.completed(each, footprint, put.at, put.until, not put.reading)
        if put.reading:
            yield from self.taken_back(each, put)
        else:
            yield from self._released_late(each, put, opened, lifted)
            yield from self._undone_late(each, put)
            # Of several dropped pieces the last one is lifted first.
            yield from self._dropped_and_lifted(each, opened, put.at)

    def _lifted(self, each: Hypothesis, opened: frozenset[Place], at: float) -> frozenset[Place]:
        """Return the opened cells from which a piece was away at a time."""
        value, expected = self.edges.value, each.line.expected
        return frozenset([place for place in opened if place in expected and not value(place, at)])

    def _released_late(
        self,
        each: Hypothesis,
        put: Placement,
        opened: frozenset[Place],
        lifted: frozenset[Place],
    ) -> Iterator[Hypothesis]:
        """Yield the successors if a piece arrived before the sensor of its start released it.

        Both sensors see a sliding piece.
        """
        for came, place in self.edges.between(put.at - SEEN_BY_BOTH, put.at - SLACK):
            reading = self.edges.value(place, put.at)
            if reading and place in opened and came == self.edges.changed(place, put.at):
                for ply in each.line.possible.bringing(place, reading, opened, lifted):
                    if put.place in ply.leaves and not ply.swaps:
                        for child in self.completed(each, ply, put.at, put.until):
                            yield child.copy(
                                cost=child.cost + TOO_SOON,
                                last_ply_cost=child.last_ply_cost + TOO_SOON,
                            )

    def _undone_late(self, each: Hypothesis, put: Placement) -> Iterator[Hypothesis]:
        """Yield the successors if the last ply is taken back and the sensor of its target released
        the piece after it stood at its start again.
        """
        for ply in last_seen(each.line)[-1].last_ply():
            if any(put.at - OVERLAP < self.edges.came(p, put.at) < put.at for p in ply.leaves):
                yield from self.taken_back(each, put)
                return

    def half_seen(
        self, each: Hypothesis, until: float, filled: Place | None = None
    ) -> Iterator[Hypothesis]:
        """Yield the successors by plies whose piece is not seen to arrive.

        Such a ply captures between two scans, ends on a masked sensor, shows only in trays, or is
        taken back by a lift alone. The place `filled` may just have been filled.
        """
        yield from self._in_trays(each, until)
        for child in self._lifted_only(each, until, filled):
            yield child
            yield from self._in_trays(child, until)

    def _in_trays(self, each: Hypothesis, until: float) -> Iterator[Hypothesis]:
        """Yield the successors by plies that only trays show."""
        if self.tray_at <= each.at - OVERLAP:
            return
        touched = [
            tray
            for tray in sorted(each.line.trays)
            if self.edges.touched(tray, each.at - OVERLAP, until)
        ]
        if not touched:
            return
        used = [footprint for tray in touched for footprint in each.line.possible.in_tray(tray)]
        for footprint in dict.fromkeys(used):
            line = self.forward(each.line.step(footprint.move, footprint))
            if all(
                self.edges.touched(tray, each.at - LONG_BEFORE, until)
                and self.weigh.trays.holds(each, tray, line, until)
                for tray in footprint.trays
            ):
                yield self._shown_by_trays(each, footprint, line, until)

    def _shown_by_trays(
        self, each: Hypothesis, footprint: Footprint, line: History, until: float
    ) -> Hypothesis:
        """Return the successor by a ply to `line` that only trays show."""
        at = max(each.at, *(self.edges.changed(tray, until) for tray in footprint.trays))
        return each.copy(
            line=line,
            at=at,
            cost=each.cost - each.refundable + each.pauses,
            last_ply_cost=0.0,
            refundable=0.0,
            paused=frozenset(),
            pauses=0.0,
            back=False,
            bare=False,
        )

    def _lifted_only(
        self, each: Hypothesis, until: float, filled: Place | None = None
    ) -> Iterator[Hypothesis]:
        """Yield the successors by plies of which the sensors see only a lift."""
        opened = self.weigh.opened(each, until)
        lifted = self._lifted(each, opened, until)
        if filled in opened and filled in each.line.expected:
            lifted |= {filled}
        for footprint in each.line.possible.lifted_only(lifted) if lifted else ():
            place = min(footprint.leaves)
            lifts = self.edges.came if place == filled else self.edges.changed
            lift = lifts(place, until)
            quick = [p for p in footprint.swaps if p not in opened]
            leapt = footprint.train and footprint.unseen > 0
            if leapt:
                quick = []  # the last piece of the row ended on a masked sensor
            elif footprint.arrivals and len(footprint.arrivals) != len(quick):
                continue
            cost = HIDDEN
            if quick:
                given = any(
                    self.edges.touched(tray, lift, float("inf"))
                    for tray in footprint.trays
                    if tray != footprint.tray
                )
                cost = TOO_QUICK if given else MISSED / len(footprint.leaves)
            yield each.copy(
                line=self.forward(each.line.step(footprint.move, footprint)),
                at=max(each.at, lift),
                cost=each.cost
                - each.refundable
                + each.pause_cost(footprint.around, {place})
                + cost,
                last_ply_cost=cost,
                past=(each.past[1], each.cost),
                refundable=max(0.0, cost - TOO_QUICK) if quick else 0.0,
                open=frozenset(opened - footprint.around | opened.intersection(quick)),
                seen=until,
                last_ply_places=footprint.around,
                last_ply_rocks_until=lift + BURST,
                hand_started_at=lift,
                paused=frozenset(),
                pauses=0.0,
                back=False,
                bare=False,
            )
        yield from self._dropped_and_lifted(each, opened, until)

    def _dropped_and_lifted(
        self, each: Hypothesis, opened: frozenset[Place], until: float
    ) -> Iterator[Hypothesis]:
        """Yield the successors if the last dropped piece is lifted for good, or if pieces that only
        trays have shown go back.
        """
        gone = last_seen(each.line)
        found, head = gone[-1].last_ply(), gone[-1].head()
        if not found or found[0].leaves or not opened.issuperset(found[0].cells):
            return
        (ply,) = found
        if any(
            self.edges.value(place, until) != head.expected.get(place, 0) for place in ply.cells
        ):
            return
        is_back = any(
            self.edges.touched(tray, each.at, until)
            and self.weigh.trays.holds(each, tray, head, until)
            for tray in ply.trays
        )
        if not (ply.cells or is_back):
            return
        yield each.copy(
            line=head,
            cost=each.cost + self.takeback_cost(each, gone, head),
            last_ply_cost=0.0,
            refundable=0.0,
            open=frozenset(opened - ply.around),
            seen=until,
            bare=not is_back,
            back=True,
            taken_back=each.taken_back + len(gone),
        )
