"""What becomes of a track when a ply is finished or taken back, and what that costs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet

from engine.game import Place
from engine.reading.drops import Drop, Drops
from engine.reading.evidence import (
    BLINKED,
    CLOSELY,
    EARLY,
    GHOST,
    GONE_BACK,
    HIDDEN,
    HOVERED,
    HURRIED,
    IN_THE_WAY,
    IN_TWO_PARTS,
    LEFT_OPEN,
    MISSED,
    OUT_OF_ORDER,
    SAME_PLACE,
    SEEMS_TRIED,
    SILENT,
    STOOD_BY,
    TAKEN_BACK,
    TAKEN_BACK_TOO,
    TO_AND_FRO,
    TOO_SOON,
    TOOK_OVER,
    TRAY_EARLY,
    TRAY_OPEN,
    TRAY_WRONG,
)
from engine.reading.footprints import Footprint, Reading
from engine.reading.lines import Line
from engine.reading.observations import AT_ONCE, BURST, OVERLAP, SLACK, STAYED, Put
from engine.reading.on_the_way import OnTheWay
from engine.reading.spent import Spent
from engine.reading.tracks import Track
from engine.reading.weighing import (
    PACE,
    PARKED_AT_MOST,
    QUICKEST,
    REPLIED,
    SLID,
    Weighing,
)

LAPPED = 0.03  # a man that is slid between two sensors is seen by both for so long, mostly
UNDONE_KEPT = 24  # of what was taken back
CARRIED_ON_BY = 2.0  # seconds by which who has put down a man that both move carries it on
CLEARED = 2  # other places touched after the end of a match: the board is being cleared


class Finishing:
    """Says what a track becomes by one ply more, or one less.

    `forward` adds to a line what no hand does (throws that are known, passes that are forced);
    `is_named` says of a line whether people named its last move.
    """

    def __init__(
        self,
        weigh: Weighing,
        forward: Callable[[Line], Line],
        is_named: Callable[[Line], bool],
    ) -> None:
        self.weigh = weigh
        self.edges = weigh.edges
        self.way = OnTheWay(weigh.edges)
        self.drops = Drops(weigh)
        self.forward = forward
        self.is_named = is_named
        self.spent = Spent()
        """The lines that were only passed through, among others."""

    def completed(
        self, each: Track, ply: Footprint, at: float, until: float, removed: bool = False
    ) -> Track | None:
        """Return what becomes of a line if a man that comes to stand finishes a ply, or one that is
        `removed`; None if it cannot.
        """
        opened = self.weigh.opened(each, at)
        come = self._come(each, ply, at, until, removed, opened)
        gone = self._gone(each, ply, at, until, removed) if come is not None else None
        if come is None or gone is None:
            return None
        taken_up = come[1] | gone[1]
        begun = min(
            (self.edges.changed(p, at) for p in ply.leaves if p not in taken_up), default=at
        )
        line = self.forward(each.line.step(ply.move, ply))
        cost = come[0] + gone[0] + self.way.cost(each, ply, at)
        cost += self._in_its_tray_before(each, ply, at)
        drop = Drop()
        if ply.tray is not None:
            cost += self.drops.out_of_its_tray(each, ply, line, at)
        elif not ply.leaves:
            drop = self.drops.from_nowhere(each, ply, at)
            cost += drop.cost
        cost += self.haste_after_unseen(each, at)
        if begun < each.at + REPLIED and self._ends_a_row(each, ply, line):
            cost += IN_TWO_PARTS
        if not ply.leaves and self.drops.stood_there(each, ply, at):
            cost += SAME_PLACE
        after = self._next(each, line, ply, at, until, opened, cost, begun, taken_up=taken_up)
        if drop.away:
            after = after.but(away=drop.away, doubt=drop.doubt)
        return after.but(pledge=drop.pledge) if drop.pledge else after

    def _ends_a_row(self, each: Track, ply: Footprint, line: Line) -> bool:
        """Whether a ply, which leads to a line, moves the rest of a row, as it seems, of which the
        ply before the last, by the same player, has moved the first men.
        """
        head = each.line.head()
        base = head.head()
        for first, between in zip(head.last_ply(), each.line.last_ply(), strict=False):
            cells = first.cells | ply.cells
            same_man = any(place in ply.leaves for place, _ in first.arrivals)
            same_player = base.match.turn == each.line.match.turn
            if not same_man and same_player and cells.isdisjoint(between.cells):
                reads, before = line.expected, base.expected
                changed = [
                    (p, reads.get(p, 0)) for p in cells if reads.get(p, 0) != before.get(p, 0)
                ]
                return any(
                    cells <= row.around and (row.train or len(row.arrivals) > 1)
                    for row in base.possible.leaving(frozenset(changed))
                )
        return False

    def haste_after_unseen(self, each: Track, at: float) -> float:
        """Return what it costs that a ply is finished soon after one that nobody saw, and that
        nobody has named: that took its time, too.
        """
        if not each.unseen or self.is_named(each.line):
            return 0.0
        return self.weigh.haste(each, at)

    def _come(
        self,
        each: Track,
        ply: Footprint,
        at: float,
        until: float,
        removed: bool,
        opened: frozenset[Place],
    ) -> tuple[float, frozenset[Place]] | None:
        """Return what it costs that men have come to where a ply ends, and which of them the next
        player has taken up already; None if they have not.
        """
        cost, missing = 0.0, 0
        taken_up = set()
        for place, reading in ply.arrivals:
            if not (self.edges.was(place, reading, at) or self.edges.was(place, reading, until)):
                if not removed or not self.edges.stood(place, reading, each.at, at):
                    return None
                taken_up.add(place)  # before the last man was removed
                cost += TOO_SOON
            if place not in opened and not self._was_touched(each, ply, place, at):
                if ply.train and place in ply.swaps:
                    cost += CLOSELY
                    continue
                missing += 1
                cost += MISSED
                if missing > 1 or len(ply.arrivals) == 1:
                    return None
            elif (
                len(ply.arrivals) == 1  # else the first may rock while the others come
                and place not in each.line.expected
                and self._came_back_at_once(ply, place, at)
            ):
                cost += BLINKED
            elif (
                place in each.open
                and self.edges.value(place, each.at) == reading
                and each.line.expected.get(place, 0) != reading  # else its own man stood there
                and not self._was_somebody_else(each, ply, place)
            ):
                # Two rows that are moved man by man overlap more than other plies do.
                cost += self.out_of_order(each, place) if ply.train else OUT_OF_ORDER
            elif place in each.open and self._stood_before(each, ply, place, reading):
                cost += OUT_OF_ORDER
            cost += self.weigh.fuss(each, ply, place, at)
        return cost, frozenset(taken_up)

    def out_of_order(self, each: Track, place: Place) -> float:
        """Return what it costs that a man came to a place before the ply before was finished: the
        less the less they overlap.
        """
        early = each.at - self.edges.changed(place, each.at)
        return OUT_OF_ORDER * min(1.0, early / OVERLAP)

    def _was_somebody_else(self, each: Track, ply: Footprint, place: Place) -> bool:
        """Whether the man who stood where a ply ends when the last one was finished is not its own,
        for that was not lifted yet, nor a captive who was put down there: he was slid on.
        """
        if ply.train or not ply.leaves or place in each.parked:
            return False
        return all(self.edges.value(p, each.at + SLID) for p in ply.leaves)

    def _stood_before(self, each: Track, ply: Footprint, place: Place, reading: Reading) -> bool:
        """Whether the man of a ply has stood where it ends before the last one was begun."""
        if ply.train or not ply.leaves:
            return False
        if any(self.edges.value(p, each.begun) for p in ply.leaves):
            return False  # it had not been lifted yet
        lifted = max(self.edges.changed(p, each.begun) for p in ply.leaves)
        return any(
            value == reading and left - came >= STAYED and lifted < came < each.begun - SLACK
            for came, left, value in self.edges.spans(place)
        )

    def _gone(
        self, each: Track, ply: Footprint, at: float, until: float, removed: bool
    ) -> tuple[float, frozenset[Place]] | None:
        """Return what it costs that men have gone from where a ply begins, and where the next
        player has put one already; None if they have not gone.
        """
        cost = 0.0
        taken_up = set()
        for place in ply.leaves:
            empty = self.edges.was(place, 0, at) or self.edges.was(place, 0, until)
            if not empty or (removed and self._is_filled_anew(each, place, at)):
                if self._is_filled_by_captive(each, ply, place, at):
                    taken_up.add(place)
                    captor = each.line.expected.get(place, 0)
                    cost += SEEMS_TRIED * (self.edges.value(place, at) == captor)
                    continue
                if not removed or not self.edges.stood(place, 0, each.at, at):
                    return None
                taken_up.add(place)
                cost += TOO_SOON
                continue
            lift = self.edges.changed(place, at)
            cost += self._taken_over(each, ply, place, lift)
            if self.edges.value(place, at + LAPPED) and self.edges.value(place, at):
                cost += TOO_SOON
            else:
                cost += self.too_early(each, ply, place, lift)
        return cost, frozenset(taken_up)

    def too_early(self, each: Track, ply: Footprint, place: Place, lift: float) -> float:
        """Return what it costs that the man of a ply was lifted before the ply before was finished,
        or by the hand that had just put him down.
        """
        if place in each.open and (
            lift < each.at - OVERLAP or self._carries_on(each, ply, place, lift)
        ):
            return OUT_OF_ORDER
        return 0.0

    def _carries_on(self, each: Track, ply: Footprint, place: Place, lift: float) -> bool:
        """Whether the man that the ply before the last has put on a place was lifted before the
        last one began: who put him there rather goes on, if nobody else moves him, or it was soon.
        """
        head, begun = each.line.head(), each.begun
        for last in each.line.last_ply():
            if last.tray is not None:  # who has taken his man from there has begun
                begun = min(begun, self.edges.changed(last.tray, each.at))
        if lift >= begun or not head.takes_over(ply, place):
            return False
        men = [last.after[place] for last in head.last_ply()]
        is_owned = any(man is not None and man.owner is not None for man in men)
        return is_owned or lift < self.edges.came(place, lift) + CARRIED_ON_BY

    def _taken_over(self, each: Track, ply: Footprint, place: Place, lift: float) -> float:
        """Return what it costs that the man of the last ply that was seen is lifted and moved on by
        this one: it costs less the longer that stood. What nobody saw meanwhile took its time, too.
        """
        line = last_seen(each.line)[-1]
        last = line.last_ply()
        if not last or each.back or not line.takes_over(ply, place):
            return 0.0
        waited = max(0.0, lift - min(each.at, self.edges.came(place, lift)))
        again = self.way.slid(ply, place, lift) and any(
            line.head().takes_over(last[0], p) for p in last[0].leaves
        )
        cost = (TO_AND_FRO if again else TOOK_OVER) * max(0.0, 1.0 - waited / 4)
        if each.line.trays:  # else they will never tell whose turn it is
            cost += HURRIED * max(0.0, 1.0 - waited / each.pace)
        return cost

    def taken_back(self, each: Track, put: Put) -> Track | None:
        """Return what becomes of a line if a man that comes to stand takes its last ply back."""
        gone = last_seen(each.line)
        found, head, at = gone[-1].last_ply(), gone[-1].head(), put.at
        if not found or put.place not in found[0].around:
            return None
        (ply,) = found
        if put.reading != head.expected.get(put.place, 0):
            return None
        opened = self.weigh.opened(each, at)
        if each.line.match.outcome is not None and len(opened - ply.cells) > CLEARED:
            return None
        for place in ply.cells:
            if not self.edges.was(place, head.expected.get(place, 0), at):
                return None
            if place == put.place or place in opened:
                continue
            # Who only rocked was not exchanged, nor who stood there when all stood still.
            if not self.edges.touched(place, each.settled(place), at + SLACK):
                return None
        cost = self.takeback(each, gone, head)
        cost += TOO_SOON * self._stands_there_before(each, ply, at)
        cost += GHOST * self._stood_on_its_way_back(each, ply, at)
        after = self._next(each, head, ply, at, put.until, opened, cost, back=True)
        undone, taken_back = undone_by(each, gone, at), each.taken_back + len(gone)
        return after.but(undone=undone, taken_back=taken_back)

    def takeback(self, each: Track, gone: Sequence[Line], head: Line) -> float:
        """Return what it costs that the last plies of lines that are `gone` are taken back, down to
        a line: who takes back goes on with it more readily than he begins.
        """
        steps = gone[0].since(head) or ()
        masked = any(
            place in head.masked and place in head.expected
            for ply in gone[-1].last_ply()
            for place in ply.after
        )
        cost = SILENT * (len(gone) - 1) + HIDDEN * masked
        if each.back and not each.bare:
            return cost + TAKEN_BACK_TOO
        before = [line for line, _ in each.undone]  # they were named, taken back and made again
        stood_by = any(self.is_named(step) and step not in before for step in steps)
        return cost + TAKEN_BACK + STOOD_BY * (stood_by and not each.back)

    def _stands_there_before(self, each: Track, ply: Footprint, at: float) -> bool:
        """Whether a man stood again where a ply that is taken back had begun before he was lifted
        from where it ended.
        """
        if ply.train or len(ply.leaves) != 1:
            return False
        came = self.edges.changed(*ply.leaves, at)
        return not any(
            self.edges.touched(place, each.at, came + SLACK) for place, _ in ply.arrivals
        )

    def _stood_on_its_way_back(self, each: Track, ply: Footprint, at: float) -> bool:
        """Whether a man stood where a ply had begun that is taken back, and had left again before
        the one that the ply had moved was lifted: it was another.
        """
        if ply.train or len(ply.leaves) != 1:
            return False
        (begun,) = ply.leaves
        ends = [place for place, _ in ply.arrivals]
        return any(
            value
            and each.settled(begun) < came  # else it was dropped there, and only rocked
            and left <= at
            and left - came >= STAYED
            and all(self.edges.value(p, min(came + SLACK, left - AT_ONCE)) for p in ends)
            for came, left, value in self.edges.spans(begun)
        )

    def _came_back_at_once(self, ply: Footprint, place: Place, at: float) -> bool:
        """Whether a man stands where a ply ends from where one that looks the same had gone for a
        blink, who was not that of the ply: no other man comes there so soon.
        """
        came = self.edges.changed(place, at)
        left = self.edges.came(place, came)
        stood = self.edges.value(place, left - AT_ONCE)
        if came - left >= BURST or stood != self.edges.value(place, at):
            return False
        return not self.weigh.was_lost_by_both(ply.leaves, left, at)

    def _is_filled_anew(self, each: Track, place: Place, at: float) -> bool:
        """Whether a man stands on a place, be it for a blink, that was empty after the last ply."""
        stands = self.edges.value(place, at) and self.edges.value(place, at + SLACK)
        return bool(stands) and self.edges.stood(place, 0, each.at, at)

    def _is_filled_by_captive(self, each: Track, ply: Footprint, place: Place, at: float) -> bool:
        """Whether the man that a ply takes may have been put down where his captor came from
        before that came to stay: both had been lifted by then.
        """
        if len(ply.leaves) > 1 or ply.train:
            return False
        since = each.at - OVERLAP
        taken = [end for end, _ in ply.arrivals if end in each.line.expected]
        return any(
            not value
            and since < left <= came - STAYED
            and each.at < came <= at
            and any(self.edges.touched(end, since, came) for end in taken)
            for left, came, value in self.edges.spans(place)
        )

    def _was_touched(self, each: Track, ply: Footprint, place: Place, at: float) -> bool:
        """Whether a place where a man of a ply comes to stand was touched since the last ply; a man
        that rocked there before any man of this one was lifted has not been taken by that.
        """
        if not self.edges.touched(place, each.at, at):
            return False
        if place not in each.line.expected:
            return True  # nobody rocks where nobody stands
        lifts = (self.edges.changed(p, at) - SLACK for p in ply.leaves)
        since = min(each.settled(place), min(lifts, default=at))
        return self.edges.touched(place, max(each.at, since), at)

    def _in_its_tray_before(self, each: Track, ply: Footprint, at: float) -> float:
        """Return the cost of a ply if its tray held the captured man before that was lifted."""
        if ply.tray is not None:
            return 0.0
        gone = [self._first_lift(each, p, at) for p, _ in ply.arrivals if p in each.line.expected]
        return TRAY_EARLY * any(
            self.edges.value(tray, min(gone) - SLACK)
            > max(0, each.line.expected.get(tray, 0) - min(0, each.owed.get(tray, 0)))
            for tray in ply.trays
            if gone
        )

    def _first_lift(self, each: Track, place: Place, at: float) -> float:
        """Return when a man was lifted first from a place since the last ply of a line."""
        lifts = (
            lift
            for lift, back, value in self.edges.spans(place)
            if not value and lift > each.at - OVERLAP and each.at < back <= at
        )
        return min(lifts, default=self.edges.came(place, at))

    def _next(
        self,
        each: Track,
        line: Line,
        ply: Footprint,
        at: float,
        until: float,
        opened: frozenset[Place],
        cost: float,
        begun: float = 0.0,
        back: bool = False,
        taken_up: AbstractSet[Place] = frozenset(),
    ) -> Track:
        """Return a track one ply on, or back, with what the ply did not explain."""
        left = set()
        cost += self.way.stopped(each, ply) + self.weigh.astir(each, at)
        if not back and self.weigh.has_gone_back(each, ply, at):
            cost += GONE_BACK
        weak = cost
        if not back:
            cost += TRAY_OPEN * self.weigh.trays.off_for_two_plies(each, line, at)
            cost += TRAY_WRONG * self.weigh.trays.passed_through(each, line, at)
        taken = not back and any(place in each.line.expected for place, _ in ply.arrivals)
        parked = set()
        for place in sorted((opened - ply.cells) | taken_up):
            if self.edges.value(place, at) != line.expected.get(place, 0):
                left.add(place)
                if self.weigh.is_parked(each, place, at):
                    cost += HOVERED if at < each.caught + PARKED_AT_MOST else IN_THE_WAY
                    cost += self.weigh.left_home(each, place, at)
                    parked.add(place)
                elif (
                    taken
                    and place not in line.expected
                    and (
                        (place in taken_up and self._is_filled_by_captive(each, ply, place, at))
                        or self._was_put_since(each, ply, place, begun, at)
                    )
                ):
                    parked.add(place)
                elif place in each.open:
                    # Who was slid off a place may be seen there a little longer.
                    rested = self.edges.came(place, at) > begun - SLACK
                    let_go = at + (OVERLAP if rested else SLID)
                    expected = line.expected.get(place, 0)
                    cost += LEFT_OPEN * (self.edges.value(place, let_go) != expected)
                elif not self.edges.value(place, at) and self.edges.touched(
                    place, max(each.seen, each.at), max(at - OVERLAP, begun if ply.leaves else 0.0)
                ):
                    cost += EARLY
            elif place not in ply.around and not (
                place in line.expected and self.edges.touched(place, at, at + BURST)
            ):  # a bump that goes on is paid for later; who left an empty cell is elsewhere
                cost += self.weigh.noise(each, place, at, put=at)
        replied = self.edges.changed(ply.tray, at) if ply.tray is not None else begun
        pace = each.pace + PACE * (min(max(replied - each.at, QUICKEST), 1.0) - each.pace)
        return Track(
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
            frozenset(parked),
            at if taken else each.caught,
            ply.bound if taken else each.bound,
            back=back,
            undone=each.undone,
            taken_back=each.taken_back,
            begun=begun,
            pace=each.pace if back else pace,
            silent=each.silent,
            away=each.away,
            doubt=self.weigh.doubt(each, at),
            guessed=each.guessed,
        )

    def _was_put_since(
        self, each: Track, ply: Footprint, place: Place, begun: float, at: float
    ) -> bool:
        """Whether a man came to stand on a place after a ply had begun, be it by lifting the man
        that it takes: who stood there before is not that man.
        """
        for end, _ in ply.arrivals:
            gone = [
                (back - left, left)
                for left, back, value in self.edges.spans(end)
                if not value and left > each.at - OVERLAP
            ]
            if gone:
                _, left = max(gone)
                begun = max(min(begun, left), min(lift for _, lift in gone))
        came = self.edges.stands_since(place, at)
        if came is None:
            return place not in each.open  # else it stood there long before
        return came > begun - SLACK


def undone_by(each: Track, gone: Iterable[Line], at: float) -> tuple[tuple[Line, float], ...]:
    """Return what was taken back last, when lines that are `gone` have been, too."""
    return (*each.undone, *((line, at) for line in gone))[-UNDONE_KEPT:]


def last_seen(line: Line) -> list[Line]:
    """Return a line and those before it, down to the first that ends with a ply which some sensor
    shows: who takes that back takes back what came after it.
    """
    lines = [line]
    while (last := lines[-1].last_ply()) and not last[0].is_seen:
        lines.append(lines[-1].head())
    return lines
