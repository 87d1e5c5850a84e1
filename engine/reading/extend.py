"""Plies: what becomes of a line of play when a man comes to stand, or is taken away.

A ply may be finished by that; it may have been finished before the last one, for two hands overlap;
it may have gone too quickly for any look, or show in trays only; or the last one is taken back.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.game import Place
from engine.reading.evidence import (
    CARRIED_ON,
    FOLLOWED,
    HIDDEN,
    LEAPT,
    MISSED,
    OUT_OF_ORDER,
    PLAYED_ON,
    SILENT,
    TOO_QUICK,
    TOO_SOON,
    TRAY_OPEN,
    TRAY_UNTOUCHED,
)
from engine.reading.finishing import CLEARED, Finishing, last_seen, undone_by
from engine.reading.footprints import Footprint
from engine.reading.lines import Line
from engine.reading.observations import AT_ONCE, BURST, OVERLAP, SLACK, Put
from engine.reading.tracks import Track
from engine.reading.weighing import EARLIER, REPLIED

SEEN_BY_BOTH = 3.0  # seconds for which a hand may hold a man where two sensors see it


class Plies(Finishing):
    """Finds the plies by which a track may go on."""

    tray_at = float("-inf")
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
        each = self.weigh.with_captive(each, put.at)
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
                    self.spent.give_up((begun.line,))
        self.spent.give_up(begun.line for begun in unseen)
        for seen in self.half_seen(each, put.at, put.place if put.reading else None):
            yield None
            if seen is not None:
                yield from self._finished(seen, put)
                self.spent.give_up((seen.line,))

    def _finished(self, begun: Track, put: Put) -> Iterator[Track | None]:
        """Yield what becomes of a line when a man comes to stand, if nothing else went before that
        unseen; None for what comes to nothing.
        """
        opened = self.weigh.opened(begun, put.until + SLACK)
        for _ in begun.line.possible.look_into(put.place, opened):
            yield None
        for footprint in begun.line.possible.bringing(put.place, put.reading, opened):
            child = self.completed(begun, footprint, put.at, put.until, not put.reading)
            yield child
            if child is not None:
                yield from self.overtaken(child, put.at)
                yield from self._exchanged_before(begun, child, put.at)
        if put.reading:
            child = self.taken_back(begun, put)
            if child is not None:
                yield child
        else:
            yield from self._released_late(begun, put)
            yield self._undone_late(begun, put)
            # Of several men that were dropped the last is lifted first, then the one before.
            yield from self._dropped_and_lifted(begun, opened, put.at)

    def _released_late(self, each: Track, put: Put) -> Iterator[Track | None]:
        """Yield what becomes of a line if a man had come to stand before the sensor of the place
        that it left let go of it, be it that a hand made a pause where both see it.
        """
        opened = self.weigh.opened(each, put.at)
        for came, place in self.edges.between(put.at - SEEN_BY_BOTH, put.at - SLACK):
            reading = self.edges.value(place, put.at)
            if not reading or place not in opened or came != self.edges.changed(place, put.at):
                continue
            # Who has come to the place that he left since then is another man.
            gone = max(self.edges.absences(put.place, came, put.at - AT_ONCE), default=0.0)
            if not self.edges.value(put.place, came) or gone >= BURST:
                continue  # he had left before, and another man stood there
            for _ in each.line.possible.look_into(place, opened):
                yield None
            for footprint in each.line.possible.bringing(place, reading, opened):
                if put.place in footprint.leaves:
                    child = self.completed(each, footprint, put.at, put.until)
                    if child is not None:
                        late = TOO_SOON + CARRIED_ON * max(0.0, put.at - came - OVERLAP)
                        # Who was there before may only have been touched, and this man be lifted.
                        bare = place in footprint.swaps and put.at - came > BURST
                        cost, weak = child.cost + late, child.weak + late
                        yield child.but(cost=cost, weak=weak, bare=bare)

    def _undone_late(self, each: Track, put: Put) -> Track | None:
        """Return what becomes of a line if its last ply is taken back, and a man stood again where
        it came from before the sensor of the place that it left let go of it.
        """
        for ply in last_seen(each.line)[-1].last_ply():
            if any(put.at - OVERLAP < self.edges.came(p, put.at) < put.at for p in ply.leaves):
                child = self.taken_back(each, put)
                if child is not None:
                    return child.but(cost=child.cost + TOO_SOON, weak=child.weak + TOO_SOON)
        return None

    def overtaken(self, each: Track, at: float) -> Iterator[Track | None]:
        """Yield what becomes of a line if its next ply was finished before its last one; None for
        what comes to nothing.
        """
        for place in sorted(each.open):
            yield from self._overtaken_at(each, place, at)

    def _overtaken_at(self, each: Track, place: Place, at: float) -> Iterator[Track | None]:
        """Yield the same, if that ply was finished by who stands on a place."""
        reading, came = self.edges.value(place, at), self.edges.changed(place, at)
        if not (reading and each.at - EARLIER < came <= each.at):
            return
        opened = self.weigh.opened(each, at)
        for _ in each.line.possible.look_into(place, opened):
            yield None
        for footprint in each.line.possible.bringing(place, reading, opened):
            child = self.completed(each, footprint, max(each.at, came), at)
            if child is not None:
                cost = (each.at - came > OVERLAP) * (MISSED - OUT_OF_ORDER)
                cost += TRAY_UNTOUCHED * self._lay_in_its_tray(footprint, came)
                yield child.but(cost=child.cost + cost)

    def _exchanged_before(self, begun: Track, each: Track, at: float) -> Iterator[Track | None]:
        """Yield the same, if that ply took a man who looks like its own, so that all seems right
        where it ends; `each` has come from what was `begun`.
        """
        if all(self.edges.value(place, at) for place in each.open):
            return  # nobody is away who may have taken one
        for place in sorted(self.weigh.opened(begun, at) - each.open - each.own):
            if self.edges.value(place, at) == each.line.expected.get(place, 0):
                cost = each.cost + self.out_of_order(each, place)
                cost -= self.weigh.noise(begun, place, at, put=at)
                reopened = each.but(open=each.open | {place}, cost=cost)
                yield from self._overtaken_at(reopened, place, at)

    def _lay_in_its_tray(self, ply: Footprint, at: float) -> bool:
        """Whether the man that a ply drops has left his tray only after a time."""
        return ply.tray is not None and not self.edges.gave(ply.tray, at - EARLIER, at + SLACK)

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
                if child.guessed is not each.guessed:  # the next player may have done the same
                    yield from self._lifted_only(child, until, filled)

    def _in_trays(self, each: Track, until: float) -> Iterator[Track]:
        """Yield what becomes of a line by plies that only trays show, be it that another was made
        before of which no sensor shows anything.
        """
        if self.tray_at <= each.at - OVERLAP:
            return
        touched = [
            tray
            for tray in sorted(each.line.trays)
            if self.edges.touched(tray, each.at - OVERLAP, until)
        ]
        if not touched:
            return
        for begun in (each, *(() if each.unseen else self.unseen(each))):
            used = [
                footprint for tray in touched for footprint in begun.line.possible.in_tray(tray)
            ]
            for footprint in dict.fromkeys(used):
                line = self.forward(begun.line.step(footprint.move, footprint))
                if all(
                    self.edges.touched(tray, each.at - EARLIER, until)
                    and self.weigh.trays.holds(each, tray, line, until)
                    for tray in footprint.trays
                ):
                    yield self._shown_by_trays(begun, footprint, line, until)

    def _shown_by_trays(self, each: Track, footprint: Footprint, line: Line, until: float) -> Track:
        """Return what becomes of a line by a ply that only trays show, which leads to another."""
        at = max(each.at, *(self.edges.changed(tray, until) for tray in footprint.trays))
        cost = self.way.stopped(each, footprint)
        cost += TRAY_OPEN * self.weigh.trays.put_in_before(each, footprint, line, at)
        cost += self.haste_after_unseen(each, at)
        return each.but(
            line=line,
            at=at,
            cost=each.cost - each.pledge + cost,
            weak=0.0,
            pledge=0.0,
            doubt=self.weigh.doubt(each, at),
            back=False,
            bare=False,
            unseen=False,
            paused=frozenset(),
            pauses=0.0,
            went_on=0.0,
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
        for place in sorted(lifted):
            found = yield from each.line.possible.lifted_only(place, lifted, opened)
            for footprint in found:
                lifts = self.edges.came if place == filled else self.edges.changed
                lift = lifts(place, until)
                quick = [
                    p
                    for p in footprint.swaps
                    if p not in opened or self._is_taken_again(each, footprint, p, until, filled)
                ]
                leapt = footprint.train and footprint.unseen > 0
                if leapt:
                    quick = []  # the last of the row was put where nobody sees it
                elif footprint.arrivals and len(footprint.arrivals) != len(quick):
                    continue
                cost, given = HIDDEN + LEAPT * leapt, False
                if quick:
                    given = any(
                        self.edges.touched(tray, lift, float("inf"))
                        for tray in footprint.trays
                        if tray != footprint.tray
                    )
                    cost = TOO_QUICK if given else MISSED / len(footprint.leaves)
                early = self.too_early(each, footprint, place, lift)
                paused = self.way.stopped(each, footprint)
                after = each.line.step(footprint.move, footprint)
                alone = len(footprint.leaves) == 1 and not footprint.train
                yield each.but(
                    line=self.forward(after),
                    at=max(each.at, lift),
                    cost=each.cost - each.pledge + paused + early + cost,
                    weak=cost + early,
                    past=(each.past[1], each.cost),
                    pledge=max(0.0, cost - PLAYED_ON) if quick else HIDDEN - FOLLOWED,
                    guessed=after if quick and alone and not given else each.guessed,
                    caught=lift if quick else each.caught,
                    bound=footprint.bound if quick else each.bound,
                    open=frozenset(opened - footprint.around | opened.intersection(quick)),
                    seen=until,
                    own=footprint.around,
                    own_until=lift + BURST,
                    begun=lift,
                    back=False,
                    bare=False,
                    paused=frozenset(),
                    pauses=0.0,
                    went_on=0.0,
                )
        yield from self._dropped_and_lifted(each, opened, until)

    def _is_taken_again(
        self, each: Track, ply: Footprint, place: Place, until: float, filled: Place | None
    ) -> bool:
        """Whether nothing was done to a place where a ply may end but that its man was lifted a
        while later, be it that another has just `filled` it: who came there unseen may have been
        taken by the next player. What it took on its way may have been taken off after it came.
        """
        edges, unpaid = self.edges, each.unpaid(place)
        if edges.touched(place, unpaid, max(edges.changed(p, until) for p in ply.leaves) + REPLIED):
            origin = each.line.origin(ply)
            left = (edges.came if place == filled else edges.changed)(place, until)
            if origin is None:
                return False
            begun = edges.changed(origin, until) + REPLIED
            if edges.touched(place, unpaid, max(begun, left - AT_ONCE)):
                return False
        return place == filled or not edges.value(place, until)

    def _dropped_and_lifted(
        self, each: Track, opened: frozenset[Place], until: float
    ) -> Iterator[Track]:
        """Yield what becomes of a line if the man that was dropped last is lifted for good, or the
        men that only trays have shown went back.
        """
        gone = last_seen(each.line)
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
            cost=each.cost + self.takeback(each, gone, head),
            weak=0.0,
            pledge=0.0,
            open=frozenset(opened - ply.around),
            seen=until,
            bare=not is_back,
            back=True,
            undone=undone_by(each, gone, at),
            taken_back=each.taken_back + len(gone),
        )
