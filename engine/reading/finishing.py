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
    TAKEN_BACK,
    TAKEN_BACK_TOO,
    TOO_QUICK,
    TRAY_OPEN,
    TRAY_UNTOUCHED,
    UNLIKELY,
)
from engine.reading.footprints import Footprint
from engine.reading.history import History
from engine.reading.hypothesis import Hand, Hypothesis, Paid, PlyRecord, Way, pay
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

    # ---- a placement finishes a ply

    def finished(
        self, each: Hypothesis, way: Way, ply: Footprint, at: float, until: float
    ) -> Hypothesis | None:
        """Return the successor if a placement finishes the ply in this way; None if it cannot.

        Its last piece came or left `at` a time, and rocked `until` another.
        """
        opened = self.weigh.opened(each, at)
        paid: Paid = {}
        removed = way is Way.REMOVED
        arrived = self._pay_arrivals(each, ply, at, until, removed, opened, paid)
        if arrived is None:
            return None
        left = self._pay_departures(each, ply, at, until, removed, paid)
        if left is None:
            return None
        taken_up = arrived | left
        refundable = 0.0
        if ply.tray is not None:
            self._pay_tray(each, ply, ply.tray, at, paid)
        elif not ply.leaves:
            refundable = self._hurried_drop_cost(each, ply, at)
            pay(paid, "rushed", refundable)
        if way is Way.RELEASED:
            pay(paid, "out_of_order", OUT_OF_ORDER)
        pay(paid, "standing", each.pause_cost(ply.around, ply.leaves))
        lifts = [self.edges.changed(p, at) for p in ply.leaves if p not in taken_up]
        started = min(lifts, default=at)
        made = each.line.step(ply.move, ply)
        line = self.forward(made)
        charged: Paid = {}
        pay(charged, "tray_open", TRAY_OPEN * self.weigh.trays.off_for_two_plies(each, line, at))
        opened = self._left_open(each, line, ply, at, started, opened, taken_up, charged)
        hand = Hand(ply.around, until + BURST, started)
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
        """Return the cost of a piece from an unsensed place within a second after the last ply.

        The cost is 0 if its tray was touched, since a tray may hold more than its sensors show.
        """
        trays = each.line.trays.intersection(ply.after)
        if any(self.edges.touched(tray, each.at, at) for tray in trays):
            return 0.0
        return RUSHED * max(0.0, 1.0 - max(0.0, at - each.at))

    def _pay_arrivals(
        self,
        each: Hypothesis,
        ply: Footprint,
        at: float,
        until: float,
        removed: bool,
        opened: frozenset[Place],
        paid: Paid,
    ) -> set[Place] | None:
        """Pay for a ply's arrivals; return the places that are empty again because the next player
        has lifted the piece. None if pieces have not arrived.
        """
        missing = 0
        taken_up = set()
        for place, reading in ply.arrivals:
            if not (self.edges.was(place, reading, at) or self.edges.was(place, reading, until)):
                if not removed or not self.edges.stood(place, reading, each.at, at):
                    return None
                taken_up.add(place)  # before the last piece was removed
                pay(paid, "out_of_order", OUT_OF_ORDER)
            if place not in opened and not self._was_touched(each, ply, place, at):
                if ply.train and place in ply.swaps:
                    continue  # the pieces of a row may follow each other closely
                missing += 1
                if missing > 1 or len(ply.arrivals) == 1:
                    return None
                pay(paid, "missed", MISSED)
        return taken_up

    def _pay_departures(
        self, each: Hypothesis, ply: Footprint, at: float, until: float, removed: bool, paid: Paid
    ) -> set[Place] | None:
        """Pay for a ply's departures; return the places that the next player has filled again.

        None if pieces have not left.
        """
        taken_up = set()
        for place in ply.leaves:
            if self.edges.was(place, 0, at) or self.edges.was(place, 0, until):
                pay(paid, "hurried", self._moved_on_cost(each, ply, place, at))
            elif removed and self.edges.stood(place, 0, each.at, at):
                taken_up.add(place)
                pay(paid, "out_of_order", OUT_OF_ORDER)
            else:
                return None
        return taken_up

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

    # ---- no placement shows a ply

    def lifted(
        self, each: Hypothesis, ply: Footprint, quick: Sequence[Place], lift: float, until: float
    ) -> Hypothesis:
        """Return the successor by a ply that ends with a lift, because its piece went where no
        sensor is believed, or was put down too quickly on the places `quick`.
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
        hand = Hand(ply.around, lift + BURST, lift)
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

    def put_back(
        self, each: Hypothesis, gone: Sequence[History], at: float, until: float
    ) -> Hypothesis:
        """Return the hypothesis if a placement takes back the last plies of histories `gone`."""
        (ply,), head = gone[-1].last_ply(), gone[-1].head()
        line = gone[-1].before_the_dice()
        paid = self._takeback_cost(each, gone, head)
        pay(paid, "standing", each.pause_cost(ply.around, ply.cells))
        charged: Paid = {}
        opened = self.weigh.opened(each, at)
        opened = self._left_open(each, head, ply, at, 0.0, opened, frozenset(), charged)
        hand = Hand(ply.around, until + BURST)
        record = PlyRecord.of(each, Way.PUT_BACK, at, line, paid, hand, taken_back=len(gone))
        return each.after(head, record, charged, opened, at)

    def lifted_back(
        self, each: Hypothesis, way: Way, gone: Sequence[History], until: float
    ) -> Hypothesis:
        """Return the hypothesis if a lift takes back the last plies of the histories `gone`."""
        (ply,), head = gone[-1].last_ply(), gone[-1].head()
        line = gone[-1].before_the_dice()
        paid = self._takeback_cost(each, gone, head)
        record = PlyRecord.of(each, way, each.at, line, paid, taken_back=len(gone))
        opened = self.weigh.opened(each, until) - ply.around
        after = each.after(head, record, {}, opened, until)
        return after.copy(paused=each.paused, pauses=each.pauses)

    def _takeback_cost(self, each: Hypothesis, gone: Sequence[History], head: History) -> Paid:
        """Return the cost of taking back the last plies of the histories in `gone`, down to `head`.

        A further takeback costs less than the first.
        """
        paid: Paid = {}
        if each.back and not each.bare:
            pay(paid, "taken_back_too", TAKEN_BACK_TOO)
        else:
            pay(paid, "taken_back", TAKEN_BACK)
            # People have confirmed plies that no sensor shows.
            pay(paid, "unlikely", UNLIKELY * (len(gone) > 1 and not each.back))
        (ply,) = gone[-1].last_ply()
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
        taken_up: AbstractSet[Place],
        charged: Paid,
    ) -> frozenset[Place]:
        """Charge for touches that a ply does not explain; return the places that differ then."""
        left = set()
        expected, touched = line.expected, sorted((opened - ply.cells) | taken_up)
        off = {p for p in touched if self.edges.value(p, at) != expected.get(p, 0)}
        # A piece that left its target before this ply's hand started has moved on.
        gone = {place for place in off & each.ply.hand.places if not self.edges.value(place, at)}
        moved_on = any(self.edges.changed(place, at) < hand_started_at - SLACK for place in gone)
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


def last_seen(line: History) -> list[History]:
    """Return a history and those before it, down to the first whose last ply a sensor shows.

    Taking that ply back takes back the later ones too.
    """
    lines = [line]
    while (last := lines[-1].last_ply()) and not last[0].is_seen:
        lines.append(lines[-1].head())
    return lines
