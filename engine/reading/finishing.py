"""The successor of a hypothesis after a finished ply or a takeback, with its cost."""

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
    """Makes the successors of a hypothesis with one ply more or fewer.

    `forward` adds known throws and forced passes to a history.
    """

    turn_ended_at = float("-inf")
    """The time when people last said that a turn is over."""

    def __init__(self, weigh: Weighing, forward: Callable[[History], History]) -> None:
        self.weigh = weigh
        self.edges = weigh.edges
        self.forward = forward

    def completed(
        self, each: Hypothesis, ply: Footprint, at: float, until: float, removed: bool = False
    ) -> Iterator[Hypothesis]:
        """Yield the successor if the placement (or with `removed` the removal) finishes the ply.

        Nothing if that is impossible.
        """
        opened = self.weigh.opened(each, at)
        come = self._arrivals_cost(each, ply, at, until, removed, opened)
        gone = self._departures_cost(each, ply, at, until, removed) if come is not None else None
        if come is None or gone is None:
            return
        taken_up = come[1] | gone[1]
        hand_started_at = min(
            (self.edges.changed(p, at) for p in ply.leaves if p not in taken_up), default=at
        )
        line = self.forward(each.line.step(ply.move, ply))
        cost, refundable = come[0] + gone[0], 0.0
        if ply.tray is not None:
            cost += self._tray_cost(each, ply, ply.tray, at)
        elif not ply.leaves:
            refundable = self._hurried_drop_cost(each, ply, at)
        after = self._successor(
            each,
            line,
            ply,
            at,
            until,
            opened,
            cost + refundable,
            hand_started_at,
            taken_up=taken_up,
        )
        yield after.copy(refundable=refundable) if refundable else after

    def _tray_cost(self, each: Hypothesis, ply: Footprint, tray: Place, at: float) -> float:
        """Return the cost of a drop whose tray did not change, or only after its piece stood."""
        # If the tray was right after the last ply, a piece that left before went elsewhere.
        right = self.weigh.trays.holds(each, tray, each.line, each.at)
        since = each.at - (0.0 if right else OVERLAP)
        open_ends = [place for place, _ in ply.arrivals if place in each.open]
        stood = min((self.edges.stands_since(p, at, OVERLAP) for p in open_ends), default=at)
        if self.edges.gave(tray, since, stood):
            return 0.0
        return TOO_SOON if self.edges.gave(tray, since, at + SLACK) else TRAY_UNTOUCHED

    def _hurried_drop_cost(self, each: Hypothesis, ply: Footprint, at: float) -> float:
        """Return the cost of a piece from an unsensed place within a second after the last ply.

        The cost is 0 if its tray was touched, since a tray may hold more than its sensors show.
        """
        trays = each.line.trays.intersection(ply.after)
        if any(self.edges.touched(tray, each.at, at) for tray in trays):
            return 0.0
        return RUSHED * max(0.0, 1.0 - max(0.0, at - each.at))

    def _arrivals_cost(
        self,
        each: Hypothesis,
        ply: Footprint,
        at: float,
        until: float,
        removed: bool,
        opened: frozenset[Place],
    ) -> tuple[float, frozenset[Place]] | None:
        """Return the cost of a ply's arrivals, and the places that are empty again because the next
        player has lifted the piece. None if pieces have not arrived.
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
                    continue  # the pieces of a row may follow each other closely
                missing += 1
                cost += MISSED
                if missing > 1 or len(ply.arrivals) == 1:
                    return None
        return cost, frozenset(taken_up)

    def _departures_cost(
        self, each: Hypothesis, ply: Footprint, at: float, until: float, removed: bool
    ) -> tuple[float, frozenset[Place]] | None:
        """Return the cost of a ply's departures, and the places that the next player has filled
        again.

        None if pieces have not left.
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
            cost += self._moved_on_cost(each, ply, place, at)
        return cost, frozenset(taken_up)

    def _moved_on_cost(self, each: Hypothesis, ply: Footprint, place: Place, at: float) -> float:
        """Return the cost if this ply moves on the piece of the last visible ply.

        The cost falls with the time that the piece stood.
        """
        line = last_seen(each.line)[-1]
        if each.back or not line.takes_over(ply, place):
            return 0.0
        lift = self.edges.changed(place, at)
        if each.at <= self.turn_ended_at <= lift:
            return 0.0  # people said that the turn of the last ply is over
        stood = lift - min(each.at, self.edges.came(place, lift))
        return HURRIED * min(max(0.0, 1.0 - stood), 1.0)

    def taken_back(self, each: Hypothesis, put: Placement) -> Iterator[Hypothesis]:
        """Yield the successor if the placement takes the last ply back."""
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
            # A piece that only rocked, or stood there at the last rest, was not exchanged.
            if not self.edges.touched(place, each.settled(place), at + SLACK):
                return
        cost = self.takeback_cost(each, gone, head)
        after = self._successor(each, head, ply, at, put.until, opened, cost, back=True)
        yield after.copy(taken_back=each.taken_back + len(gone))

    def takeback_cost(self, each: Hypothesis, gone: Sequence[History], head: History) -> float:
        """Return the cost of taking back the last plies of the histories in `gone`, down to `head`.

        A further takeback costs less than the first.
        """
        masked = any(
            place in head.masked and place in head.expected
            for ply in gone[-1].last_ply()
            for place in ply.after
        )
        if each.back and not each.bare:
            return TAKEN_BACK_TOO + HIDDEN * masked
        # People have confirmed plies that no sensor shows.
        return TAKEN_BACK + STOOD_BY * (len(gone) > 1 and not each.back) + HIDDEN * masked

    def _was_touched(self, each: Hypothesis, ply: Footprint, place: Place, at: float) -> bool:
        """Return whether the target of a ply was touched since the last ply.

        Rocking before this ply's first lift does not count as a capture.
        """
        if not self.edges.touched(place, each.at, at):
            return False
        if place not in each.line.expected:
            return True  # no piece was there to rock
        lifts = (self.edges.changed(p, at) - SLACK for p in ply.leaves)
        since = min(each.settled(place), min(lifts, default=at))
        return self.edges.touched(place, max(each.at, since), at)

    def _successor(
        self,
        each: Hypothesis,
        line: History,
        ply: Footprint,
        at: float,
        until: float,
        opened: frozenset[Place],
        cost: float,
        hand_started_at: float = 0.0,
        back: bool = False,
        taken_up: AbstractSet[Place] = frozenset(),
    ) -> Hypothesis:
        """Return the successor with one ply more or fewer, and what the ply does not explain."""
        left = set()
        cost += each.pause_cost(ply.around, ply.cells if back else ply.leaves)
        last_ply_cost = cost
        if not back:
            cost += TRAY_OPEN * self.weigh.trays.off_for_two_plies(each, line, at)
        expected, touched = line.expected, sorted((opened - ply.cells) | taken_up)
        off = {p for p in touched if self.edges.value(p, at) != expected.get(p, 0)}
        # A piece that left its target before this ply's hand started has moved on.
        gone = {place for place in off & each.last_ply_places if not self.edges.value(place, at)}
        moved_on = any(self.edges.changed(place, at) < hand_started_at - SLACK for place in gone)
        for place in touched:
            if place in off:
                left.add(place)
                if place in each.open or moved_on:
                    # The sensor may see a sliding piece a little longer.
                    seen = self.edges.value(place, at + OVERLAP)
                    cost += LEFT_OPEN * (seen != expected.get(place, 0))
            elif place not in ply.around and not (
                place in line.expected and self.edges.touched(place, at, at + BURST)
            ):  # a continuing bump is charged later; a piece that left an empty cell is elsewhere
                cost += self.weigh.noise(each, place, at)
        return Hypothesis(
            line,
            at,
            at,
            each.cost + cost - each.refundable * (not back),
            each.missing_in_tray,
            frozenset(left),
            ply.around,
            until + BURST,
            last_ply_cost,
            (each.past[1], each.cost),
            back=back,
            taken_back=each.taken_back,
            hand_started_at=hand_started_at,
        )


def last_seen(line: History) -> list[History]:
    """Return a history and those before it, down to the first whose last ply a sensor shows.

    Taking that ply back takes back the later ones too.
    """
    lines = [line]
    while (last := lines[-1].last_ply()) and not last[0].is_seen:
        lines.append(lines[-1].head())
    return lines
