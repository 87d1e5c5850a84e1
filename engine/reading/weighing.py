"""Weighing: the cost of what a hypothesis leaves unexplained."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from engine.game import Place
from engine.reading.evidence import (
    ANSWERS_KEPT,
    BURST,
    HOVERED,
    IN_HAND,
    LEFT_OPEN,
    LIFTED_AT_ONCE,
    LONG_BEFORE,
    NUDGED,
    OFF,
    OVERLAP,
    RESTED,
    RESTING,
    STRAY,
    UNDERWAY,
    UNEXPLAINED,
)
from engine.reading.footprints import Reading
from engine.reading.hypothesis import End, Hypothesis, Paid, pay
from engine.reading.observations import Edges
from engine.reading.trays import Trays


class Weighing:
    """Weighs hypotheses against the edges."""

    def __init__(self, edges: Edges) -> None:
        self.edges = edges
        self.trays = Trays(edges)
        self._opened: dict[tuple[Hypothesis, float], frozenset[Place]] = {}

    # ---- what is open

    def opened(self, each: Hypothesis, until: float) -> frozenset[Place]:
        """Return the cells with edges up to a time that a hypothesis does not explain."""
        places = self.edges.places(each.seen, until)
        if not places:
            return each.open
        key = each, until
        found = self._opened.get(key)
        if found is None:
            if len(self._opened) == ANSWERS_KEPT:
                self._opened.clear()
            masked, last_ply_places = each.line.masked, each.ply.hand.places
            touched = {
                place
                for place in (places & each.line.sight.cells) - masked
                if place not in last_ply_places
                or not all(
                    self.rocks(each, place, at) for at in self.edges.times(place, each.seen, until)
                )
            }
            if until > each.ply.hand.rocks_until:  # the rocking pieces rest now, or were lifted
                expected = each.line.expected
                touched.update(
                    place
                    for place in last_ply_places
                    if place not in masked
                    and self.edges.value(place, until) != expected.get(place, 0)
                )
            found = self._opened[key] = each.open.union(touched)
        return found

    def off(self, each: Hypothesis, at: float) -> frozenset[Place]:
        """Return the opened cells whose reading differs from the hypothesis at a time."""
        value, expected = self.edges.value, each.line.expected
        opened = self.opened(each, at)
        return frozenset([place for place in opened if value(place, at) != expected.get(place, 0)])

    def rocks(self, each: Hypothesis, place: Place, at: float) -> bool:
        """Return whether a piece of the last ply still rocked when its place changed at a time.

        The change may also be its return after rocking away.
        """
        if at <= each.ply.hand.rocks_until:
            return True
        left = self.edges.came(place, at)
        return (
            at - BURST < left <= each.ply.hand.rocks_until
            and self.edges.value(place, at) == each.line.expected.get(place, 0) != 0
        )

    def changed(self) -> None:
        """Drop the cache: the edges have changed."""
        self._opened.clear()

    def guess(self, each: Hypothesis, at: float) -> float:
        """Return a close lower bound of the cost of a hypothesis."""
        cost, line = each.cost, each.line
        read, expects = self.edges.value, line.expected.get
        cost += UNEXPLAINED * len(self.opened(each, at))
        more = -1  # unexpected pieces beyond those that one ply brings
        lifted = 0
        for place in sorted(self.off(each, at)):
            value, expected = read(place, at), expects(place, 0)
            if not value:
                lifted += 1
                if lifted > LIFTED_AT_ONCE:  # one ply may take many
                    more -= 1
                    continue
            cost += OFF
            more += bool(value) - bool(expected)
            if value and self.edges.changed(place, at) < at - LONG_BEFORE:
                cost += LEFT_OPEN
                more -= 1
        off = sum(not self.trays.holds(each, tray, line, at) for tray in line.trays)
        return cost + LEFT_OPEN * max(0, more) + OFF * off

    # ---- costs

    def noise(self, each: Hypothesis, place: Place, until: float) -> float:
        """Return the cost of a touch without effect."""
        since = each.seen - OVERLAP
        if place not in each.line.expected:
            # The rest of all pieces has its own cost.
            return HOVERED + RESTING * min(self.edges.rested(place, since, until), RESTED)
        hand = each.ply.hand
        if place in hand.places - each.open and not self.edges.was_away(
            place, since, until, hand.done_at
        ):
            return 0.0  # the piece put there last still rocked
        return NUDGED

    def charge_noise(self, each: Hypothesis, place: Place, until: float, charged: Paid) -> None:
        """Charge for a touch without effect."""
        name = "nudged" if place in each.line.expected else "hovered"
        pay(charged, name, self.noise(each, place, until))

    def end(self, each: Hypothesis, now: float, levels: Mapping[Place, Reading]) -> End:
        """Return a hypothesis compared with the current readings."""
        found = self.on_cells(each, now, levels)
        against, late = self.trays.against(each, levels)
        return replace(found, cost=found.cost + against, late=late)

    def on_cells(self, each: Hypothesis, now: float, levels: Mapping[Place, Reading]) -> End:
        """Return a hypothesis compared with the current readings of the cells alone."""
        line = each.line
        cost = each.cost + each.pauses
        lifted, extra = set(), set()
        opened = self.opened(each, now)
        for place in sorted(opened | each.ply.hand.places):
            if place in line.masked:
                continue
            value, expected = levels.get(place, 0), line.expected.get(place, 0)
            if value == expected:
                if place in opened and self.edges.value(place, now) == value:
                    cost += self.noise(each, place, now)  # else a piece has just come or left
            elif not value:
                lifted.add(place)
            else:
                extra.add(place)
        held = False
        if lifted or extra:
            away = frozenset(lifted | extra)
            if line.possible.goes_on(away, frozenset(lifted)):
                cost += UNDERWAY if extra else IN_HAND
                held = not extra
            elif lifted:
                cost += UNDERWAY * len(lifted) + STRAY * max(0, len(extra) - 1)
                cost += 2 * UNDERWAY * bool(extra)
            else:
                cost += STRAY * len(extra)
        return End(each, cost, frozenset(lifted), frozenset(extra), held, 0.0)
