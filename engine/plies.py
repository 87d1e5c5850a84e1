"""Plies: what becomes of a line of play when a man comes to stand, or is taken away.

A ply may be finished by that; it may have been finished before the last one, for two hands overlap;
it may have gone too quickly for any look, or show in trays only; or the last one is taken back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet

from engine.costs import (
    BLINKED,
    CLOSELY,
    EARLY,
    FOLLOWED,
    FROM_THERE,
    GONE_BACK,
    HIDDEN,
    HOVERED,
    HURRIED,
    IN_THE_WAY,
    KEPT_IN_HAND,
    LEAPT,
    LEFT_OPEN,
    MISSED,
    OUT_OF_ORDER,
    PLAYED_ON,
    RUSHED,
    SAME_PLACE,
    SILENT,
    TAKEN_BACK,
    TO_AND_FRO,
    TOO_QUICK,
    TOO_SOON,
    TOOK_OVER,
    TRAY_EARLY,
    TRAY_OPEN,
    TRAY_UNTOUCHED,
    WENT_BACK,
)
from engine.edges import AT_ONCE, BURST, OVERLAP, SLACK, Put
from engine.footprints import Footprint
from engine.game import Place
from engine.lines import Line
from engine.tracks import Track
from engine.weighing import EARLIER, PACE, PARKED_AT_MOST, QUICKEST, Weighing

PASSED_OVER = 0.15  # a man that is carried over a cell has left it by then
UNDONE_KEPT = 24  # of what was taken back
CLEARED = 2  # other places touched after the end of a match: the board is being cleared


class Plies:
    """Finds the plies by which a track may go on.

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
        self.forward = forward
        self.is_named = is_named
        self.tray_at = float("-inf")
        """When a tray was touched last."""

    def after(self, each: Track, put: Put) -> Iterator[Track | None]:
        """Yield what becomes of a line when a man comes to stand; None for what comes to nothing,
        so that nobody need wait for it.
        """
        rocks = (
            put.place in each.own
            and self.weigh.rocks(each, put.place, put.until)
            and put.reading == each.line.expected.get(put.place, 0)
        )
        if put.at <= each.at or rocks:
            return
        unseen = () if each.unseen else tuple(self.unseen(each))
        yield from self._finished(each, put)
        for begun in unseen:
            yield None
            yield from self._finished(begun, put)
        ways = (each, *unseen)
        if each.line.possible.silent and not any(self._is_brought(begun, put) for begun in ways):
            for last in unseen or (each,):
                for begun in self.unseen(last):
                    yield None
                    yield from self._finished(begun.but(silent=last.silent), put)
        for seen in self.half_seen(each, put.at, put.place if put.reading else None):
            yield None
            if seen is not None:
                yield from self._finished(seen, put)

    def _finished(self, begun: Track, put: Put) -> Iterator[Track | None]:
        """Yield what becomes of a line when a man comes to stand, if nothing else went before that
        unseen; None for what comes to nothing.
        """
        opened = self.weigh.opened(begun, put.until + SLACK)
        for _ in begun.line.possible.look_into(put.place, opened):
            yield None
        for footprint in begun.line.possible.bringing(put.place, put.reading, opened):
            child = self._completed(begun, footprint, put.at, put.until, not put.reading)
            yield child
            if child is not None:
                yield from self.overtaken(child, put.at)
        if put.reading:
            child = self._undone(begun, put)
            if child is not None:
                yield child
        else:
            yield from self._released_late(begun, put)
            yield self._undone_late(begun, put)
            # Of several men that were dropped the last is lifted first, then the one before.
            yield from self._dropped_and_lifted(begun, opened, put.at)

    def _released_late(self, each: Track, put: Put) -> Iterator[Track | None]:
        """Yield what becomes of a line if a man had come to stand before the sensor of the place
        that it left let go of it.
        """
        opened = self.weigh.opened(each, put.at)
        for came, place in self.edges.between(put.at - OVERLAP, put.at - SLACK):
            reading = self.edges.value(place, put.at)
            if not reading or place not in opened or came != self.edges.changed(place, put.at):
                continue
            for _ in each.line.possible.look_into(place, opened):
                yield None
            for footprint in each.line.possible.bringing(place, reading, opened):
                if put.place in footprint.leaves:
                    child = self._completed(each, footprint, put.at, put.until)
                    if child is not None:
                        late = child.cost + TOO_SOON
                        yield child.but(cost=late, weak=child.weak + TOO_SOON)

    def _undone_late(self, each: Track, put: Put) -> Track | None:
        """Return what becomes of a line if its last ply is taken back, and a man stood again where
        it came from before the sensor of the place that it left let go of it.
        """
        for ply in _last_seen(each.line)[-1].last_ply():
            if any(put.at - OVERLAP < self.edges.came(p, put.at) < put.at for p in ply.leaves):
                child = self._undone(each, put)
                if child is not None:
                    return child.but(cost=child.cost + TOO_SOON, weak=child.weak + TOO_SOON)
        return None

    def overtaken(self, each: Track, at: float) -> Iterator[Track | None]:
        """Yield what becomes of a line if its next ply was finished before its last one; None for
        what comes to nothing.
        """
        opened = self.weigh.opened(each, at)
        for place in each.open:
            reading = self.edges.value(place, at)
            if not reading:
                continue
            came = self.edges.changed(place, at)
            if not each.at - EARLIER < came <= each.at:
                continue
            for _ in each.line.possible.look_into(place, opened):
                yield None
            for footprint in each.line.possible.bringing(place, reading, opened):
                child = self._completed(each, footprint, max(each.at, came), at)
                if child is not None:
                    late = each.at - came > OVERLAP
                    yield child.but(cost=child.cost + late * (MISSED - OUT_OF_ORDER))

    def unseen(self, each: Track) -> Iterator[Track]:
        """Yield what becomes of a line by each ply that nobody sees at all."""
        for footprint in each.line.possible.silent:
            after = each.line.step(footprint.move, footprint)
            known = self.is_named(after)
            yield each.but(
                line=self.forward(after),
                cost=each.cost + (0.0 if known else SILENT),
                weak=0.0,
                silent=each.silent + (not known),
                unseen=True,
            )

    def _is_brought(self, each: Track, put: Put) -> bool:
        """Whether any ply goes on from a line that brings the man that came to stand, or none need
        have come: else two plies that nobody sees may have been made before.
        """
        if put.reading in (0, each.line.expected.get(put.place, 0)):
            return True
        opened = self.weigh.opened(each, put.until + SLACK)
        return bool(each.line.possible.bringing(put.place, put.reading, opened))

    def half_seen(
        self, each: Track, until: float, filled: Place | None = None
    ) -> Iterator[Track | None]:
        """Yield what becomes of a line by plies of which no man is seen to come: one that takes
        another between two looks, one that goes where no sensor is believed, one that only trays
        show, and one that is taken back by a lift alone; None for what comes to nothing. A place
        may only just have been `filled`.
        """
        yield from self._in_trays(each, until)
        for child in self._lifted_only(each, until, filled):
            yield child
            if child is not None:
                yield from self._in_trays(child, until)

    def _in_trays(self, each: Track, until: float) -> Iterator[Track]:
        """Yield what becomes of a line by plies that only trays show."""
        if self.tray_at <= each.at - OVERLAP:
            return
        used = [
            footprint
            for tray in each.line.trays
            if self.edges.touched(tray, each.at - OVERLAP, until)
            for footprint in each.line.possible.in_tray(tray)
        ]
        for footprint in dict.fromkeys(used):
            line = self.forward(each.line.step(footprint.move, footprint))
            if all(
                self.edges.touched(tray, each.at - EARLIER, until)
                and self.weigh.trays.holds(each, tray, line, until)
                for tray in footprint.trays
            ):
                at = max(each.at, *(self.edges.changed(tray, until) for tray in footprint.trays))
                cost = self.weigh.stopped(each, footprint)
                cost += TRAY_OPEN * self.weigh.trays.put_in_before(each, footprint, line, at)
                yield each.but(
                    line=line,
                    at=at,
                    cost=each.cost + cost,
                    weak=0.0,
                    doubt=self.weigh.doubt(each, at),
                    back=False,
                    bare=False,
                    paused=frozenset(),
                    pauses=0.0,
                )

    def _lifted_only(
        self, each: Track, until: float, filled: Place | None = None
    ) -> Iterator[Track | None]:
        """Yield what becomes of a line by plies of which a man is only seen to be lifted; None for
        what comes to nothing.
        """
        opened = self.weigh.opened(each, until)
        lifted = {
            place
            for place in opened
            if place in each.line.expected
            and (place == filled or not self.edges.value(place, until))
        }
        for place in lifted:
            for _ in each.line.possible.look_at_lift(place, lifted, opened):
                yield None
            for footprint in each.line.possible.lifted_only(place, lifted, opened):
                quick = [p for p in footprint.swaps if p not in opened]
                leapt = footprint.train and footprint.unseen > 0
                if leapt:
                    quick = []  # the last of the row was put where nobody sees it
                elif footprint.arrivals and len(footprint.arrivals) != len(quick):
                    continue
                lifts = self.edges.came if place == filled else self.edges.changed
                lift = lifts(place, until)
                cost, given = HIDDEN + LEAPT * leapt, False
                if quick:
                    given = any(
                        self.edges.touched(tray, lift, float("inf"))
                        for tray in footprint.trays
                        if tray != footprint.tray
                    )
                    cost = TOO_QUICK if given else MISSED / len(footprint.leaves)
                after = each.line.step(footprint.move, footprint)
                alone = len(footprint.leaves) == 1 and not footprint.train
                yield each.but(
                    line=self.forward(after),
                    at=max(each.at, lift),
                    cost=each.cost - each.pledge + self.weigh.stopped(each, footprint) + cost,
                    weak=cost,
                    past=(each.past[1], each.cost),
                    pledge=max(0.0, cost - PLAYED_ON) if quick else HIDDEN - FOLLOWED,
                    guessed=after if quick and alone and not given else each.guessed,
                    open=frozenset(opened - footprint.around),
                    seen=until,
                    own=footprint.around,
                    own_until=lift + BURST,
                    begun=lift,
                    back=False,
                    bare=False,
                    paused=frozenset(),
                    pauses=0.0,
                )
        yield from self._dropped_and_lifted(each, opened, until)

    def _dropped_and_lifted(
        self, each: Track, opened: frozenset[Place], until: float
    ) -> Iterator[Track]:
        """Yield what becomes of a line if the man that was dropped last is lifted for good, or the
        men that only trays have shown went back.
        """
        gone = _last_seen(each.line)
        found, head = gone[-1].last_ply(), gone[-1].head()
        if not found or found[0].leaves or not opened.issuperset(found[0].cells):
            return
        (ply,) = found
        if each.line.match.outcome is not None and len(opened - ply.cells) > CLEARED:
            return
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
        at = max(self.edges.changed(place, until) for place in ply.cells | ply.trays)
        yield each.but(
            line=head,
            cost=each.cost + TAKEN_BACK + SILENT * (len(gone) - 1) + _unseen_back(ply, head),
            weak=0.0,
            pledge=0.0,
            open=frozenset(opened - ply.around),
            seen=until,
            bare=not is_back,
            back=True,
            undone=_undone_by(each, gone, at),
            taken_back=each.taken_back + len(gone),
        )

    def _undone(self, each: Track, put: Put) -> Track | None:
        """Return what becomes of a line if a man that comes to stand takes its last ply back."""
        gone = _last_seen(each.line)
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
            if not self.edges.touched(place, each.at, at):  # as it may be when all men stood still
                return None
        cost = TAKEN_BACK + SILENT * (len(gone) - 1) + _unseen_back(ply, head)
        cost += TOO_SOON * self._stands_there_before(each, ply, at)
        after = self._next(each, head, ply, at, put.until, opened, cost, back=True)
        undone, taken_back = _undone_by(each, gone, at), each.taken_back + len(gone)
        return after.but(undone=undone, taken_back=taken_back)

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

    def _completed(
        self, each: Track, footprint: Footprint, at: float, until: float, removed: bool = False
    ) -> Track | None:
        """Return what becomes of a line if a man that comes to stand finishes a ply, or one that is
        `removed`.
        """
        cost = pledge = doubt = 0.0
        away: frozenset[Place] = frozenset()
        missing = 0
        taken_up = set()
        opened = self.weigh.opened(each, at)
        begun = at
        for place, reading in footprint.arrivals:
            if not (self.edges.was(place, reading, at) or self.edges.was(place, reading, until)):
                if not removed or not self.edges.stood(place, reading, each.at, at):
                    return None
                taken_up.add(place)  # by the next player, before the last man was removed
                cost += TOO_SOON
            if place not in opened and not self._was_touched(each, footprint, place, at):
                if footprint.train and place in footprint.swaps:
                    cost += CLOSELY
                    continue
                missing += 1
                cost += MISSED
                if missing > 1 or len(footprint.arrivals) == 1:
                    return None
            elif (
                len(footprint.arrivals) == 1  # else the first may rock while the others come
                and place not in each.line.expected
                and self._came_back_at_once(place, at)
            ):
                cost += BLINKED
            elif (
                place in each.open
                and self.edges.value(place, each.at) == reading
                and each.line.expected.get(place, 0) != reading  # else its own man stood there
            ):
                cost += OUT_OF_ORDER
            cost += self.weigh.fuss(each, footprint, place, at)
        for place in footprint.around - {place for place, _ in footprint.arrivals}:
            since = max(each.settled(place), each.unpaid(place))
            cost += self.weigh.stays(footprint, place, since, at)
        last = each.line.last_ply()
        for place in footprint.leaves:
            empty = self.edges.was(place, 0, at) or self.edges.was(place, 0, until)
            if not empty or (removed and self._is_filled_anew(each, place, at)):
                if not removed or not self.edges.stood(place, 0, each.at, at):
                    return None
                taken_up.add(place)  # the next player put a man there meanwhile
                cost += TOO_SOON
                continue
            lift = self.edges.changed(place, at)
            if last and not each.back and each.line.takes_over(footprint, place):
                waited = max(0.0, lift - min(each.at, self.edges.came(place, lift)))
                again = self.weigh.slid(footprint, place, lift) and any(
                    each.line.head().takes_over(last[0], p) for p in last[0].leaves
                )
                if each.line.trays:  # else they will never tell whose turn it is
                    cost += HURRIED * max(0.0, 1.0 - waited / each.pace)
                cost += (TO_AND_FRO if again else TOOK_OVER) * max(0.0, 1.0 - waited / 4)
            begun = min(begun, lift)
            if self.edges.value(place, at + AT_ONCE) and self.edges.value(place, at):
                cost += TOO_SOON
            elif place in each.open and (
                lift < each.at - OVERLAP
                or (lift < each.begun and each.line.head().takes_over(footprint, place))
            ):
                cost += OUT_OF_ORDER
        cost += self._in_its_tray_before(each, footprint, at)
        line = self.forward(each.line.step(footprint.move, footprint))
        if footprint.tray is not None:
            if not self.edges.gave(footprint.tray, each.at - OVERLAP, at + SLACK):
                kept = self.weigh.trays.holds(each, footprint.tray, line, at)
                kept = kept and not self.weigh.trays.taken_from(each, footprint.tray, at)
                # Who stood parked while the other player moved would long be in his tray.
                kept = kept and all(self.edges.value(place, at) for place in each.parked)
                cost += KEPT_IN_HAND if kept else TRAY_UNTOUCHED
        elif not footprint.leaves:  # it came from where nothing tells
            went_back = self.weigh.went_back(each, footprint, at)
            rushed = RUSHED * max(0.0, 1.0 - max(0.0, at - each.at))
            doubt = WENT_BACK * went_back
            away = self.weigh.lifted_again(each, at) if went_back else away
            cost += rushed if away else rushed + doubt
            cost += FROM_THERE * any(
                not self.edges.value(place, at) and self.edges.touched(place, each.at, at)
                for place in each.parked
            )
            pledge = rushed if away or not went_back else 0.0
        if each.unseen and not self.is_named(each.line):  # that took its time, too
            cost += RUSHED * max(0.0, 1.0 - max(0.0, at - each.at))
        if not footprint.leaves and self._stood_there(each, footprint, at):
            cost += SAME_PLACE
        after = self._next(each, line, footprint, at, until, opened, cost, begun, taken_up=taken_up)
        if away:
            after = after.but(away=away, doubt=doubt)
        return after.but(pledge=pledge) if pledge else after

    def _stood_there(self, each: Track, ply: Footprint, at: float) -> bool:
        """Whether the man that was put down by the last ply of a line, which looks like the one of
        the next, stood where that is put now just before, and was not only carried over it; but
        who takes his man from a tray only then has seen where the other's stays.
        """
        if ply.tray is not None and self.edges.gave(ply.tray, each.at, at):
            return False
        before = each.line.head().last_ply()
        return any(
            value == reading == same
            and each.at - EARLIER < came <= left - PASSED_OVER
            and left <= each.at
            for last in each.line.last_ply()
            if not last.leaves
            for place, reading in ply.arrivals
            if not any(place in other.cells for other in (last, *before))
            for _, same in last.arrivals
            for came, left, value in self.edges.spans(place)
        )

    def _came_back_at_once(self, place: Place, at: float) -> bool:
        """Whether a man stands on a place from which one that looks the same had gone for a blink:
        no other man comes there so soon.
        """
        came = self.edges.changed(place, at)
        left = self.edges.came(place, came)
        stood = self.edges.value(place, left - AT_ONCE)
        return came - left < BURST and stood == self.edges.value(place, at)

    def _is_filled_anew(self, each: Track, place: Place, at: float) -> bool:
        """Whether a man stands on a place, be it for a blink, that was empty after the last ply."""
        stands = self.edges.value(place, at) and self.edges.value(place, at + SLACK)
        return bool(stands) and self.edges.stood(place, 0, each.at, at)

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
            if not value and lift > each.at - OVERLAP and back <= at
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
        cost += self.weigh.stopped(each, ply) + self.weigh.astir(each, at)
        if not back and self.weigh.has_gone_back(each, ply, at):
            cost += GONE_BACK
        weak = cost
        if not back:
            cost += TRAY_OPEN * self.weigh.trays.off_for_two_plies(each, line, at)
        taken = not back and any(place in each.line.expected for place, _ in ply.arrivals)
        parked = set()
        for place in (opened - ply.cells) | taken_up:
            if self.edges.value(place, at) != line.expected.get(place, 0):
                left.add(place)
                if self.weigh.is_parked(each, place, at):
                    cost += HOVERED if at < each.caught + PARKED_AT_MOST else IN_THE_WAY
                    parked.add(place)
                elif (
                    taken
                    and place not in line.expected
                    and self._was_put_since(each, ply, place, begun, at)
                ):
                    parked.add(place)
                elif place in each.open:
                    cost += LEFT_OPEN
                elif not self.edges.value(place, at) and self.edges.touched(
                    place, max(each.seen, each.at), max(at - OVERLAP, begun if ply.leaves else 0.0)
                ):
                    cost += EARLY
            elif place not in ply.around and not (
                place in line.expected and self.edges.touched(place, at, at + BURST)
            ):  # a bump that goes on is paid for later; who left an empty cell is elsewhere
                cost += self.weigh.noise(each, place, at)
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
            next((tray for tray in ply.trays if tray != ply.tray), None) if taken else each.bound,
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
                begun = min(begun, left)
        came = self.edges.stands_since(place, at)
        if came is None:
            return place not in each.open  # else it stood there long before
        return came > begun - SLACK


def _undone_by(each: Track, gone: Iterable[Line], at: float) -> tuple[tuple[Line, float], ...]:
    """Return what was taken back last, when lines that are `gone` have been, too."""
    return (*each.undone, *((line, at) for line in gone))[-UNDONE_KEPT:]


def _unseen_back(ply: Footprint, head: Line) -> float:
    """Return the cost of a man that goes back where no sensor is believed."""
    return HIDDEN * any(place in head.masked and place in head.expected for place in ply.after)


def _last_seen(line: Line) -> list[Line]:
    """Return a line and those before it, down to the first that ends with a ply which some sensor
    shows: who takes that back takes back what came after it.
    """
    lines = [line]
    while (last := lines[-1].last_ply()) and not last[0].is_seen:
        lines.append(lines[-1].head())
    return lines
