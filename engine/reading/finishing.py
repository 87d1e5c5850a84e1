"""The successor of a hypothesis after a ply or a takeback, and what that pays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet

from engine.game import Place
from engine.reading.evidence import (
    BURST,
    HIDDEN,
    HURRIED,
    LEFT_OPEN,
    MISSED,
    OUT_OF_ORDER,
    OVERLAP,
    RUSHED,
    SLACK,
    SOON,
    TAKEN_BACK,
    TAKEN_BACK_TOO,
    TOO_QUICK,
    TRAY_OPEN,
    TRAY_UNTOUCHED,
    UNLIKELY,
)
from engine.reading.footprints import Footprint
from engine.reading.history import History, Takeback
from engine.reading.hypothesis import Hand, Hypothesis, Paid, PlyRecord, Way, pay
from engine.reading.observations import Placement
from engine.reading.weighing import Weighing


class Finishing:
    """Makes the successors of a hypothesis with one ply more or fewer.

    `forward` adds known throws and forced passes to a history.
    """

    def __init__(self, weigh: Weighing, forward: Callable[[History], History]) -> None:
        self.weigh = weigh
        self.edges = weigh.edges
        self.forward = forward
        self.turn_ended_at = float("-inf")
        """The time when people last said that a turn is over."""

    # ---- a placement finishes a ply

    def finished(
        self, each: Hypothesis, way: Way, ply: Footprint, put: Placement
    ) -> Hypothesis | None:
        """Return the successor if a placement finishes the ply in this way; None if it cannot."""
        at = put.at
        paid: Paid = {}
        changed_again = self._changed_again(each, way, ply, put)
        opened = self.weigh.opened(each, at)
        if changed_again is None or not self._pay_missed(each, ply, at, opened, paid):
            return None
        pay(paid, "out_of_order", OUT_OF_ORDER * len(changed_again))
        left = [place for place in ply.leaves if place not in changed_again]
        for place in left:
            pay(paid, "hurried", self._moved_on_cost(each, ply, place, at))
        refundable = 0.0
        if ply.tray is not None:
            self._pay_tray(each, ply, ply.tray, at, paid)
        elif not ply.leaves:
            refundable = self._hurried_drop_cost(each, ply, at)
            pay(paid, "rushed", refundable)
        if way is Way.RELEASED:
            pay(paid, "out_of_order", OUT_OF_ORDER)
        pay(paid, "standing", each.pause_cost(ply.around, ply.leaves))
        started = min([self.edges.changed(place, at) for place in left], default=at)
        made = each.line.step(ply.move, ply)
        line = self.forward(made)
        charged: Paid = {}
        pay(charged, "tray_open", TRAY_OPEN * self.weigh.trays.off_for_two_plies(each, line, at))
        opened = self._left_open(each, line, ply, at, started, opened, changed_again, charged)
        hand = Hand(ply.around, put.until, started)
        record = PlyRecord.of(each, way, at, made, paid, hand, refundable)
        return each.after(line, record, charged, opened, at)

    def _pay_tray(
        self, each: Hypothesis, ply: Footprint, tray: Place, at: float, paid: Paid
    ) -> None:
        """Pay for a drop whose tray did not change, or only after its piece stood."""
        # If the tray was right after the last ply, a piece that left before went elsewhere.
        right = self.weigh.trays.holds(each, tray, each.line, each.at)
        since = each.at - (0.0 if right else OVERLAP)
        open_ends = [place for place, _ in ply.arrivals if place in each.open]
        stood = min((self.edges.stands_since(p, at, OVERLAP) for p in open_ends), default=at)
        if self.edges.gave(tray, since, stood):
            return
        if self.edges.gave(tray, since, at + SLACK):
            pay(paid, "out_of_order", OUT_OF_ORDER)
        else:
            pay(paid, "tray_untouched", TRAY_UNTOUCHED)

    def _hurried_drop_cost(self, each: Hypothesis, ply: Footprint, at: float) -> float:
        """Return the cost of a piece from an unsensed place soon after the last ply.

        The cost is 0 if its tray was touched, since a tray may hold more than its sensors show.
        """
        trays = each.line.trays.intersection(ply.after)
        if any(self.edges.touched(tray, each.at, at) for tray in trays):
            return 0.0
        return RUSHED * _haste(at - each.at)

    def _changed_again(
        self, each: Hypothesis, way: Way, ply: Footprint, put: Placement
    ) -> set[Place] | None:
        """Return the places of a ply that the next player has changed again, before its last piece
        was taken away. None if its pieces have not all arrived and left.
        """
        again = set()
        for place, reading in (*ply.arrivals, *((place, 0) for place in ply.leaves)):
            if any(self.edges.was(place, reading, at) for at in (put.at, put.until)):
                continue
            if way is not Way.REMOVED or not self.edges.stood(place, reading, each.at, put.at):
                return None
            again.add(place)
        return again

    def _pay_missed(
        self, each: Hypothesis, ply: Footprint, at: float, opened: frozenset[Place], paid: Paid
    ) -> bool:
        """Pay for an arrival that no sensor saw; return whether sensors saw enough of them.

        They may miss one of several. The pieces of a row may follow each other closely.
        """
        missed = [
            place
            for place, _ in ply.arrivals
            if place not in opened
            and not self._was_touched(each, ply, place, at)
            and not (ply.train and place in ply.swaps)
        ]
        pay(paid, "missed", MISSED * len(missed))
        return not missed or len(missed) == 1 < len(ply.arrivals)

    def _moved_on_cost(self, each: Hypothesis, ply: Footprint, place: Place, at: float) -> float:
        """Return the cost if this ply moves on the piece of the last visible ply.

        The cost falls with the time that the piece stood.
        """
        last = each.line.takeback()
        if each.is_takeback or last is None or not ply.takes_over(last.ply, place):
            return 0.0
        lift = self.edges.changed(place, at)
        if each.at <= self.turn_ended_at <= lift:
            return 0.0  # people said that the turn of the last ply is over
        stood = lift - min(each.at, self.edges.came(place, lift))
        return HURRIED * _haste(stood)

    def _was_touched(self, each: Hypothesis, ply: Footprint, place: Place, at: float) -> bool:
        """Return whether the target of a ply was touched since the last ply.

        Rocking before this ply's first lift does not count as a capture.
        """
        if not self.edges.touched(place, each.at, at):
            return False
        if place not in each.line.expected:
            return True  # no piece was there to rock
        lifts = (self.edges.changed(p, at) - SLACK for p in ply.leaves)
        since = min(each.rocked_until(place), min(lifts, default=at))
        return self.edges.touched(place, max(each.at, since), at)

    # ---- no placement shows a ply

    def lifted(
        self, each: Hypothesis, ply: Footprint, quick: Sequence[Place], lift: float, until: float
    ) -> Hypothesis:
        """Return the successor by a ply that ends with a lift, because its piece went where all
        sensors are masked, or was put down too quickly on the places `quick`.
        """
        paid: Paid = {}
        if not quick:
            pay(paid, "hidden", HIDDEN)
        elif any(self.edges.touched(t, lift, float("inf")) for t in ply.trays if t != ply.tray):
            pay(paid, "too_quick", TOO_QUICK)
        else:
            pay(paid, "missed", MISSED / len(ply.leaves))
        refundable = max(0.0, sum(paid.values()) - TOO_QUICK) if quick else 0.0
        charged: Paid = {}
        pay(charged, "standing", each.pause_cost(ply.around, ply.leaves))
        opened = self.weigh.opened(each, until)
        made = each.line.step(ply.move, ply)
        hand = Hand(ply.around, lift, lift)
        record = PlyRecord.of(each, Way.LIFTED, max(each.at, lift), made, paid, hand, refundable)
        return each.after(self.forward(made), record, charged, opened - ply.around, until)

    def without_touch(self, each: Hypothesis, way: Way, ply: Footprint, at: float) -> Hypothesis:
        """Return the successor by a ply that changes no cell: trays show it, or people say it.

        Pieces of the ply before may still rock.
        """
        made = each.line.step(ply.move, ply)
        charged: Paid = {}
        pay(charged, "standing", each.pauses)
        record = PlyRecord.of(each, way, max(each.at, at), made, {})
        return each.after(self.forward(made), record, charged, each.open, each.seen)

    # ---- takebacks

    def put_back(self, each: Hypothesis, takeback: Takeback, put: Placement) -> Hypothesis:
        """Return the hypothesis after a takeback that a placement ends."""
        ply, at = takeback.ply, put.at
        paid = self._takeback_cost(each, takeback)
        pay(paid, "standing", each.pause_cost(ply.around, ply.cells))
        charged: Paid = {}
        opened = self.weigh.opened(each, at)
        opened = self._left_open(each, takeback.head, ply, at, 0.0, opened, frozenset(), charged)
        hand, plies = Hand(ply.around, put.until), takeback.plies
        record = PlyRecord.of(each, Way.PUT_BACK, at, takeback.line, paid, hand, takes_back=plies)
        return each.after(takeback.head, record, charged, opened, at)

    def lifted_back(
        self, each: Hypothesis, way: Way, takeback: Takeback, until: float
    ) -> Hypothesis:
        """Return the hypothesis after a takeback that a lift shows, or a tray. Its pauses go on."""
        paid, plies = self._takeback_cost(each, takeback), takeback.plies
        record = PlyRecord.of(each, way, each.at, takeback.line, paid, takes_back=plies)
        opened = self.weigh.opened(each, until) - takeback.ply.around
        after = each.after(takeback.head, record, {}, opened, until)
        return after.copy(paused=each.paused, pauses=each.pauses)

    def _takeback_cost(self, each: Hypothesis, takeback: Takeback) -> Paid:
        """Return the cost of a takeback. A further one costs less than the first."""
        paid: Paid = {}
        if each.is_takeback and not each.only_lifted:
            pay(paid, "taken_back_too", TAKEN_BACK_TOO)
        else:
            pay(paid, "taken_back", TAKEN_BACK)
            # People have confirmed plies that no sensor shows.
            pay(paid, "unlikely", UNLIKELY * (takeback.plies > 1 and not each.is_takeback))
        head, ply = takeback.head, takeback.ply
        masked = any(place in head.masked and place in head.expected for place in ply.after)
        pay(paid, "hidden", HIDDEN * masked)
        return paid

    # ---- what is left

    def _left_open(
        self,
        each: Hypothesis,
        line: History,
        ply: Footprint,
        at: float,
        hand_started_at: float,
        opened: frozenset[Place],
        changed_again: AbstractSet[Place],
        charged: Paid,
    ) -> frozenset[Place]:
        """Charge for touches that a ply does not explain; return the places that differ then."""
        left = set()
        expected, touched = line.expected, sorted((opened - ply.cells) | changed_again)
        off = {p for p in touched if self.edges.value(p, at) != expected.get(p, 0)}
        # A piece that left its target before this ply's hand started has moved on.
        emptied = {place for place in off & each.ply.hand.places if not self.edges.value(place, at)}
        moved_on = any(self.edges.changed(place, at) < hand_started_at - SLACK for place in emptied)
        for place in touched:
            if place in off:
                left.add(place)
                if place in each.open or moved_on:
                    # The sensor may see a sliding piece a little longer.
                    seen = self.edges.value(place, at + OVERLAP)
                    pay(charged, "left_open", LEFT_OPEN * (seen != expected.get(place, 0)))
            elif place not in ply.around and not (
                place in line.expected and self.edges.touched(place, at, at + BURST)
            ):  # a continuing bump is charged later; a piece that left an empty cell is elsewhere
                self.weigh.charge_noise(each, place, at, charged)
        return frozenset(left)


def _haste(pause: float) -> float:
    """Return how hasty a hand is after a pause in seconds: 1 without one, 0 from `SOON` on."""
    return min(max(0.0, 1.0 - pause / SOON), 1.0)
