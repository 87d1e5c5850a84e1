"""Plies: the ways in which a hypothesis goes on.

PLACED lists the ways in which a placement can end a ply. Each finds the plies that may have ended
so. Plies that no placement shows are tried first, and a placement may follow. Pieces that go back
are put back, or only lifted. `finishing` says what a ply or takeback pays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from engine.game import Place
from engine.reading.evidence import LONG_BEFORE, OVERLAP, SEEN_BY_BOTH, SLACK
from engine.reading.finishing import Finishing
from engine.reading.footprints import Footprint
from engine.reading.hypothesis import Hypothesis, Way
from engine.reading.observations import Edges, Placement


@dataclass(slots=True, eq=False)  # not frozen: there are very many, and freezing costs time
class Scene:
    """A hypothesis when a piece is put down or taken away."""

    each: Hypothesis
    put: Placement
    edges: Edges
    opened: frozenset[Place]
    """The touched cells that the hypothesis does not explain."""
    lifted: frozenset[Place]
    """Those from which a piece is away."""

    def ending_at(self, place: Place, reading: int) -> list[Footprint]:
        """Return the plies that may end when a place gets this reading."""
        return self.each.line.possible.bringing(place, reading, self.opened, self.lifted)


def _arrived(scene: Scene) -> Iterable[Footprint]:
    """Find the plies whose last piece is put down."""
    put = scene.put
    return scene.ending_at(put.place, put.reading) if put.reading else ()


def _removed(scene: Scene) -> Iterable[Footprint]:
    """Find the plies of several pieces of which one is taken away last."""
    return () if scene.put.reading else scene.ending_at(scene.put.place, 0)


def _released(scene: Scene) -> Iterator[Footprint]:
    """Find the plies whose piece arrived before the sensor of its start released it.

    Both sensors see a sliding piece.
    """
    put, edges = scene.put, scene.edges
    if put.reading:
        return
    for came, place in edges.between(put.at - SEEN_BY_BOTH, put.at - SLACK):
        reading = edges.value(place, put.at)
        if reading and place in scene.opened and came == edges.changed(place, put.at):
            for ply in scene.ending_at(place, reading):
                if put.place in ply.leaves and not ply.swaps:
                    yield ply


PLACED: Final[dict[Way, Callable[[Scene], Iterable[Footprint]]]] = {
    Way.ARRIVED: _arrived,
    Way.REMOVED: _removed,
    Way.RELEASED: _released,
}
"""What a placement can end."""


class PlyGenerator:
    """Finds the plies that may extend a hypothesis; `finishing` makes the extended hypotheses."""

    def __init__(self, finishing: Finishing) -> None:
        self.finishing = finishing
        self.weigh = finishing.weigh
        self.edges = finishing.edges

    def after(self, each: Hypothesis, put: Placement) -> Iterator[Hypothesis]:
        """Yield the successors of a hypothesis after a placement."""
        rocks = (
            put.place in each.ply.hand.places
            and self.weigh.rocks(each, put.place, put.until)
            and put.reading == each.line.expected.get(put.place, 0)
        )
        if put.at <= each.at or rocks:
            return
        yield from self._placed(each, put)
        for seen in self.half_seen(each, put.at, put.place if put.reading else None):
            yield from self._placed(seen, put)

    def _placed(self, each: Hypothesis, put: Placement) -> Iterator[Hypothesis]:
        """Yield the successors after a placement without an unseen ply before it."""
        opened = self.weigh.opened(each, put.until + SLACK)
        scene = Scene(each, put, self.edges, opened, self._lifted(each, opened, put.at))
        for way, find in PLACED.items():
            for ply in find(scene):
                child = self.finishing.finished(each, way, ply, put)
                if child is not None:
                    yield child
        yield from self._put_back(each, put)
        if not put.reading:  # of several dropped pieces the last one is lifted first
            yield from self._lifted_back(each, opened, put.at)

    def _lifted(self, each: Hypothesis, opened: frozenset[Place], at: float) -> frozenset[Place]:
        """Return the opened cells from which a piece was away at a time."""
        value, expected = self.edges.value, each.line.expected
        return frozenset([place for place in opened if place in expected and not value(place, at)])

    # ---- what no placement shows

    def half_seen(
        self, each: Hypothesis, until: float, filled: Place | None = None
    ) -> Iterator[Hypothesis]:
        """Yield the successors by plies whose piece is not seen to arrive.

        Such a ply captures between two scans, ends on a masked sensor, shows only in trays, or is
        taken back by a lift alone. The place `filled` may just have been filled.
        """
        yield from self._in_trays(each, until)
        for child in self._by_a_lift(each, until, filled):
            yield child
            yield from self._in_trays(child, until)

    def _in_trays(self, each: Hypothesis, until: float) -> Iterator[Hypothesis]:
        """Yield the successors by plies that only trays show."""
        touched = [
            tray for tray in each.line.trays if self.edges.touched(tray, each.at - OVERLAP, until)
        ]
        plies = [ply for tray in sorted(touched) for ply in each.line.possible.in_tray(tray)]
        for ply in dict.fromkeys(plies):
            line = self.finishing.forward(each.line.step(ply.move, ply))
            if all(
                self.edges.touched(tray, each.at - LONG_BEFORE, until)
                and self.weigh.trays.holds(each, tray, line, until)
                for tray in ply.trays
            ):
                at = max(self.edges.changed(tray, until) for tray in ply.trays)
                yield self.finishing.without_touch(each, Way.IN_TRAYS, ply, at)

    def _by_a_lift(
        self, each: Hypothesis, until: float, filled: Place | None
    ) -> Iterator[Hypothesis]:
        """Yield the successors by plies and takebacks of which the sensors see only a lift."""
        opened = self.weigh.opened(each, until)
        lifted = self._lifted(each, opened, until)
        if filled in opened and filled in each.line.expected:
            lifted |= {filled}
        for ply in each.line.possible.lifted_only(lifted) if lifted else ():
            place = min(ply.leaves)
            lift = (self.edges.came if place == filled else self.edges.changed)(place, until)
            quick = [p for p in ply.swaps if p not in opened]
            if ply.train and ply.unseen > 0:
                quick = []  # the last piece of the row ended on a masked sensor
            elif ply.arrivals and len(ply.arrivals) != len(quick):
                continue
            yield self.finishing.lifted(each, ply, quick, lift, until)
        yield from self._lifted_back(each, opened, until)

    # ---- takebacks

    def _put_back(self, each: Hypothesis, put: Placement) -> Iterator[Hypothesis]:
        """Yield the successor if a placement takes back the last ply that sensors show.

        Or the sensor of its target released the piece after it stood at its start again.
        """
        takeback, at = each.line.takeback(), put.at
        if takeback is None or put.place not in takeback.ply.around:
            return
        ply, expected = takeback.ply, takeback.head.expected
        if not put.reading and not any(
            at - OVERLAP < self.edges.came(place, at) < at for place in ply.leaves
        ):
            return
        if put.reading != expected.get(put.place, 0):
            return
        opened = self.weigh.opened(each, at)
        for place in ply.cells:
            if not self.edges.was(place, expected.get(place, 0), at):
                return
            if place == put.place or place in opened:
                continue
            # A piece that only rocked, or stood there at the last rest, was not exchanged.
            if not self.edges.touched(place, each.rocked_until(place), at + SLACK):
                return
        yield self.finishing.put_back(each, takeback, put)

    def _lifted_back(
        self, each: Hypothesis, opened: frozenset[Place], until: float
    ) -> Iterator[Hypothesis]:
        """Yield the successor if the last dropped piece is lifted for good, or if pieces that only
        trays have shown go back.
        """
        takeback = each.line.takeback()
        if takeback is None or takeback.ply.leaves or not opened.issuperset(takeback.ply.cells):
            return
        ply, head = takeback.ply, takeback.head
        value, expected = self.edges.value, head.expected
        if any(value(place, until) != expected.get(place, 0) for place in ply.cells):
            return
        in_tray = any(
            self.edges.touched(tray, each.at, until)
            and self.weigh.trays.holds(each, tray, head, until)
            for tray in ply.trays
        )
        if ply.cells or in_tray:
            way = Way.TRAYED_BACK if in_tray else Way.LIFTED_BACK
            yield self.finishing.lifted_back(each, way, takeback, until)
