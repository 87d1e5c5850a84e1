"""Plies: what becomes of a line of play when a piece comes to stand, or is taken away.

A ply may be finished by that; it may have been finished before the last one, for two hands overlap;
it may have gone too quickly for any look, or show in trays only; or the last one is taken back.
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
    """Finds the plies by which a hypothesis may go on."""

    tray_at = float("-inf")
    """When a tray was touched last."""

    def after(self, each: Hypothesis, put: Placement) -> Iterator[Hypothesis]:
        """Yield what becomes of a line when a piece comes to stand."""
        rocks = (
            put.place in each.own
            and self.weigh.rocks(each, put.place, put.until)
            and put.reading == each.line.expected.get(put.place, 0)
        )
        if put.at <= each.at or rocks:
            return
        yield from self._finished(each, put)
        for seen in self.half_seen(each, put.at, put.place if put.reading else None):
            yield from self._finished(seen, put)

    def _finished(self, begun: Hypothesis, put: Placement) -> Iterator[Hypothesis]:
        """Yield what becomes of a line when a piece comes to stand, if nothing else went before
        that unseen.
        """
        opened = self.weigh.opened(begun, put.until + SLACK)
        for footprint in begun.line.possible.bringing(put.place, put.reading, opened):
            yield from self.completed(begun, footprint, put.at, put.until, not put.reading)
        if put.reading:
            yield from self.taken_back(begun, put)
        else:
            yield from self._released_late(begun, put, opened)
            yield from self._undone_late(begun, put)
            # Of several pieces that were dropped the last is lifted first, then the one before.
            yield from self._dropped_and_lifted(begun, opened, put.at)

    def _released_late(
        self, each: Hypothesis, put: Placement, opened: frozenset[Place]
    ) -> Iterator[Hypothesis]:
        """Yield what becomes of a line if a piece had come to stand before the sensor of the place
        that it left let go of it: where it is slid, both see it.
        """
        for came, place in self.edges.between(put.at - SEEN_BY_BOTH, put.at - SLACK):
            reading = self.edges.value(place, put.at)
            if reading and place in opened and came == self.edges.changed(place, put.at):
                for ply in each.line.possible.bringing(place, reading, opened):
                    if put.place in ply.leaves and not ply.swaps:
                        for child in self.completed(each, ply, put.at, put.until):
                            yield child.but(cost=child.cost + TOO_SOON, weak=child.weak + TOO_SOON)

    def _undone_late(self, each: Hypothesis, put: Placement) -> Iterator[Hypothesis]:
        """Yield what becomes of a line if its last ply is taken back, and its piece stood again
        where it came from before the sensor of the place that it left let go of it.
        """
        for ply in last_seen(each.line)[-1].last_ply():
            if any(put.at - OVERLAP < self.edges.came(p, put.at) < put.at for p in ply.leaves):
                yield from self.taken_back(each, put)
                return

    def half_seen(
        self, each: Hypothesis, until: float, filled: Place | None = None
    ) -> Iterator[Hypothesis]:
        """Yield what becomes of a line by plies of which no piece is seen to come: one that takes
        another between two looks, one that goes where no sensor is believed, one that only trays
        show, and one that is taken back by a lift alone. A place may only just have been `filled`.
        """
        yield from self._in_trays(each, until)
        for child in self._lifted_only(each, until, filled):
            yield child
            yield from self._in_trays(child, until)

    def _in_trays(self, each: Hypothesis, until: float) -> Iterator[Hypothesis]:
        """Yield what becomes of a line by plies that only trays show."""
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
        """Return what becomes of a line by a ply that only trays show, which leads to another."""
        at = max(each.at, *(self.edges.changed(tray, until) for tray in footprint.trays))
        return each.but(
            line=line,
            at=at,
            cost=each.cost - each.pledge + each.pauses,
            weak=0.0,
            pledge=0.0,
            paused=frozenset(),
            pauses=0.0,
            back=False,
            bare=False,
        )

    def _lifted_only(
        self, each: Hypothesis, until: float, filled: Place | None = None
    ) -> Iterator[Hypothesis]:
        """Yield what becomes of a line by plies of which a piece is only seen to be lifted."""
        opened = self.weigh.opened(each, until)
        lifted = {
            place
            for place in opened
            if place in each.line.expected
            and (place == filled or not self.edges.value(place, until))
        }
        for place in sorted(lifted):
            for footprint in each.line.possible.lifted_only(place, lifted, opened):
                lifts = self.edges.came if place == filled else self.edges.changed
                lift = lifts(place, until)
                quick = [p for p in footprint.swaps if p not in opened]
                leapt = footprint.train and footprint.unseen > 0
                if leapt:
                    quick = []  # the last of the row was put where nobody sees it
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
                yield each.but(
                    line=self.forward(each.line.step(footprint.move, footprint)),
                    at=max(each.at, lift),
                    cost=each.cost - each.pledge + each.stopped(footprint.around, {place}) + cost,
                    weak=cost,
                    past=(each.past[1], each.cost),
                    pledge=max(0.0, cost - TOO_QUICK) if quick else 0.0,
                    open=frozenset(opened - footprint.around | opened.intersection(quick)),
                    seen=until,
                    own=footprint.around,
                    own_until=lift + BURST,
                    begun=lift,
                    paused=frozenset(),
                    pauses=0.0,
                    back=False,
                    bare=False,
                )
        yield from self._dropped_and_lifted(each, opened, until)

    def _dropped_and_lifted(
        self, each: Hypothesis, opened: frozenset[Place], until: float
    ) -> Iterator[Hypothesis]:
        """Yield what becomes of a line if the piece that was dropped last is lifted for good, or
        the pieces that only trays have shown went back.
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
        yield each.but(
            line=head,
            cost=each.cost + self.takeback(each, gone, head),
            weak=0.0,
            pledge=0.0,
            open=frozenset(opened - ply.around),
            seen=until,
            bare=not is_back,
            back=True,
            taken_back=each.taken_back + len(gone),
        )
