"""Weighing: what a line of play leaves unexplained, and what that costs.

Costs are compared, never summed up to a probability; they stand for how odd it would be.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Any

from engine.edges import AT_ONCE, BURST, SLACK, Edges
from engine.footprints import Footprint, Line, Reading
from engine.game import Place

# Times, in seconds.
PARKED_AT_MOST = 4.0  # a captured man is put down on the board so long after, if at all
EARLIER = 2.0  # by which a ply may seem to have been finished before the one before it
OVERLAP = 0.4  # by which the hands of two players may overlap
PUT_BACK_WITHIN = 2.0  # a man that was lifted is put back so soon, mostly
CLEARED_AFTER = 2.0  # the board is not cleared sooner after the end of a match
ANSWERS_KEPT = 256  # to what is asked again and again
REPLIED = 0.3  # nobody replies sooner to a ply that all men stand still after
QUICKEST = 0.1  # a reply that seems to take less was begun before
PACE = 0.3  # of how soon players reply, how much the last reply tells
REPLIED_BY = 1.0  # by then it may as well be the other player who goes on
SLID = 0.15  # a man that is slid has come to the next cell by then
BUMPED = 0.2  # who only bumps into a man while he moves another has it back where it was so soon
BLINK = 0.035  # a man that is gone for less was rather taken by another

# What a line leaves unexplained, and what that costs.
MISSED = 3.0  # a man must have been lifted or put down, and was not seen
PLAYED_ON = 1.2  # … but the other player went on as if it had
TOO_QUICK = 1.2  # … but the man that was captured lies in its tray: it was between two looks
CLOSELY = 0.3  # … but it came in a row of men, the one right behind the other
HIDDEN = 1.0  # it went where no sensor is believed
LEAPT = 0.6  # … and the men of its row were not touched
FOLLOWED = 0.3  # … and the next ply shows that it did
TOO_SOON = 0.3  # it came down before its own place was seen to be empty
OUT_OF_ORDER = 0.6  # it stood there before the ply before it was finished
FUSSED = 0.15  # it was put there and lifted again before it stayed, and as much for each second
NUDGED = 0.35  # a bystander was lifted and put back
BLINKED = 0.8  # … for a blink
HOVERED = 0.1  # an empty cell was passed
RESTING = 0.15  # … and a man stood there, for each second
GHOST = 1.2  # … while no other man was missing
LINGERED = 0.1  # it stood on its way, for each second
CARRIED_ON = 0.45  # … or in a hand again when it might have slid, for each second that it stood
HURRIED = 0.8  # the other player moves the same man sooner than they reply
TOOK_OVER = 0.05  # … or a little later
TO_AND_FRO = 0.4  # … as the one before had done, too
LEFT_OPEN = 0.6  # a man is away from where it belongs while two plies are made
STANDING = 0.4  # something is not where it should be, and all men stand still
WENT_ON = 0.1  # … where a ply may have ended, but the hand went on later, for each second
WAITING = 0.4  # … and nothing has changed since, for each second
EARLY = 0.4  # the next player held it long before the ply was finished
IN_HAND = 0.15  # the next player has lifted a man
TAKEN_FIRST = 0.3  # … not the one that is moved, but one that it may take on its way
TRIED = 0.3  # … and touched a man that it might take
UNDERWAY = 0.5  # a hand is doing something
PARKED = 0.7  # a captured man stands on an empty cell
LEFT_PARKED = 0.1  # … for each second more than …
TAKEN_OFF = 2.5  # … so many, after which it is mostly taken off
IN_THE_WAY = 0.3  # … while one more ply is made, when it should long have been taken off
STRAY = 3.0  # a place reads what nothing explains
MIXED_UP = 1.0  # another man stands there, if one man at a time was in the hands
TAKEN_BACK = 0.3  # a ply was taken back
SILENT = 0.2  # a ply of which nothing can be seen
GONE_BACK = 1.0  # the man that was moved last stood where it came from when the next was moved
WENT_BACK = 1.05  # … where that of the ply before was lifted, or may go, and no tray tells
ONLY_TRIED = 0.5  # … of that, if it was long in a hand, but another may only have been touched
RUSHED = 0.6  # … within a second after the last ply, and no tray tells
TRAY_UNTOUCHED = 1.0  # a man was dropped, and no tray had changed
KEPT_IN_HAND = 0.3  # … for it had never been put there
ON_ITS_WAY = 0.1  # a man that was captured right now has not reached its tray yet
TARRIED = 0.15  # … for each second since, but no more than …
TRAY_LATE = 0.3  # … one that was captured before, or it reached it late
TRAY_AT_WORK = 0.5  # the next player has begun to take a man from it
TRAY_EARLY = 0.8  # it held a captured man before that was lifted
TRAY_OPEN = 0.5  # … while another ply was made, for each man
TRAY_WRONG = 1.5  # it holds one more or less than it can

OWED = 0.08  # a place was touched, and nothing explains it yet
OFF = 0.3  # a place is not as a line leaves it: what it will cost at least, unless it is explained


@dataclass(slots=True, eq=False)  # not frozen: so many are made that it would be felt
class Track:
    """A line of play that is still possible, and what it has not explained so far; it is never
    changed.
    """

    line: Line
    at: float
    """When its last ply was finished."""
    seen: float
    """Edges up to then are accounted for, but those of `open`."""
    cost: float
    owed: Mapping[Place, int]
    """How many men each tray lacked from the beginning."""
    open: frozenset[Place] = frozenset()
    """Places that were touched, and it has not explained it."""
    own: frozenset[Place] = frozenset()
    own_until: float = 0.0
    """The places of its last ply may rock until then."""
    weak: float = 0.0
    """What its last ply cost."""
    past: tuple[float, float] = (float("-inf"), float("-inf"))
    """What it had cost before its last two plies."""
    parked: frozenset[Place] = frozenset()
    """Where captured men may have been put down on the board."""
    caught: float = float("inf")
    """When a man was captured last: it may be put down on the board from then on."""
    bound: Place | None = None
    """The sensed tray for which that man is bound."""
    bare: bool = False
    """Whether its last ply was taken back by nothing but a lift."""
    back: bool = False
    """Whether something was taken back last."""
    undone: tuple[tuple[Line, float], ...] = ()
    """The lines after the plies that were taken back last, and when they were."""
    taken_back: int = 0
    """How many plies were taken back in all."""
    begun: float = 0.0
    """When the hand of its last ply began."""
    pace: float = 1.0
    """How soon players have replied of late, in seconds, but one second at most."""
    silent: int = 0
    """How many of its plies nobody has seen."""
    unseen: bool = False
    """Whether its last ply is one of them."""
    paused: frozenset[Place] = frozenset()
    paused_at: float = 0.0
    pauses: float = 0.0
    """Where men stood otherwise when all was still, since when they did so last, and what that
    costs unless the hand went on."""

    pledge: float = 0.0
    """How much of what its last ply cost is given back when another follows."""
    guessed: Line | None = None
    """The line after its last ply that took a man between two looks, as it seems: nothing but play
    that went on tells of that."""

    def but(self, **changes: Any) -> Track:
        """Return the same but for some fields; `dataclasses.replace` takes five times as long."""
        values = list(_VALUES(self))
        for field, value in changes.items():
            values[_NUMBERS[field]] = value
        return Track(*values)

    @property
    def made(self) -> int:
        """How many plies were made, be it that they were taken back."""
        return self.line.match.plies + self.taken_back

    def settled(self, place: Place) -> float:
        """Return since when a man of its last ply does not rock on a place any more."""
        return max(self.at, self.own_until) if place in self.own else self.at


_NUMBERS = {field.name: number for number, field in enumerate(fields(Track))}
_VALUES = attrgetter(*_NUMBERS)


@dataclass(frozen=True, slots=True, eq=False)
class End:
    """A track at the present moment."""

    track: Track
    cost: float
    lifted: frozenset[Place]
    """Where men are missing."""
    extra: frozenset[Place]
    """Where men are that should not be there."""
    held: bool
    """Whether all that is missing may be in the hand of who is to act."""
    parked: bool
    """Whether all that is too many are captured men, to be taken off."""
    late: bool
    """Whether a man has still to reach its tray."""
    waiting: bool
    """Whether it costs more the longer nothing changes."""

    @property
    def line(self) -> Line:
        """The line of the track."""
        return self.track.line

    @property
    def exact(self) -> bool:
        """Whether all men are where the line has them."""
        return not (self.lifted or self.extra)


class Weighing:
    """Weighs tracks against the edges."""

    def __init__(self, edges: Edges) -> None:
        self.edges = edges
        self._opened: dict[tuple[Track, float], frozenset[Place]] = {}

    # ---- what is open

    def opened(self, each: Track, until: float) -> frozenset[Place]:
        """Return the cells with edges that a line has not explained up to a time."""
        edges = self.edges.between(each.seen, until)
        if not edges:
            return each.open
        key = each, until
        found = self._opened.get(key)
        if found is None:
            if len(self._opened) == ANSWERS_KEPT:
                self._opened.clear()
            cells, masked, own = each.line.sight.cells, each.line.masked, each.own
            touched = [
                place
                for at, place in edges
                if place in cells
                and place not in masked
                and (at > each.own_until or place not in own)
            ]
            if until > each.own_until:  # what rocked then has come to rest, or was lifted
                expected = each.line.expected
                touched += [
                    place
                    for place in own
                    if place not in masked
                    and self.edges.value(place, until) != expected.get(place, 0)
                ]
            found = self._opened[key] = each.open.union(touched)
        return found

    def changed(self) -> None:
        """Forget what was asked: there are other edges now."""
        self._opened.clear()

    def guess(self, each: Track, at: float) -> float:
        """Return what a line will cost, or little less."""
        cost, line = each.cost, each.line
        opened = self.opened(each, at)
        cost += OWED * len(opened)
        more = -1  # men than one ply brings that stand where they should not
        parked = False
        for place in opened:
            value, expected = self.edges.value(place, at), line.expected.get(place, 0)
            if value == expected:
                continue
            if not parked and self.is_parked(each, place, at):
                parked = True  # of which there is seldom more than one
                continue
            cost += OFF
            more += bool(value) - bool(expected)
            if value and self.edges.changed(place, at) < at - EARLIER:
                cost += LEFT_OPEN
                more -= 1
        return cost + LEFT_OPEN * max(0, more)

    def holds(self, each: Track, tray: Place, line: Line, at: float) -> bool:
        """Whether a tray held what it does at the end of `line`, but for men it always lacked."""
        wanted = line.expected.get(tray, 0) - each.owed.get(tray, 0)
        return self.edges.value(tray, at) == max(0, min(wanted, line.sight.pockets[tray]))

    def went_back(self, each: Track, drop: Footprint, at: float) -> float:
        """Return how likely it is, from 0 to 1, that a man that seems to be dropped is that of the
        last ply, which was put back or has gone on: one that reads alike was lifted there, or may
        go there from where it was, and it is in a hand again or the ply was made just now.
        """
        last = each.line.last_on_cells()
        if last is None or last.footprint is None or last.before is None:
            return 0.0
        ply, before = last.footprint, last.before
        is_held = any(not self.edges.value(place, at) for place, _ in ply.arrivals)
        if any(p in ply.leaves and before.expected.get(p) == r for p, r in drop.arrivals):
            if is_held:
                return 1.0
            soon = max(0.0, 1.0 - (at - each.at) / PUT_BACK_WITHIN)
            if all(at - self.edges.came(p, at) < BUMPED for p in ply.leaves):
                return soon
            # No hand moves one man while it straightens another, but who only tries to take one
            # puts both back.
            return ONLY_TRIED * soon if before.takes_with(ply) else 0.0
        return float(
            is_held
            and any(
                other.leaves == ply.leaves
                for place, reading in drop.arrivals
                for other in before.bringing(place, reading, ply.around)
            )
        )

    def has_gone_back(self, each: Track, following: Footprint, at: float) -> bool:
        """Whether the man that the last ply of a line moved stood where it came from, all as before
        that ply, when the ply `following` it was finished by another man.
        """
        last, before = each.line.last_ply(), each.line.head().expected
        return any(
            ply.leaves
            and following.cells.isdisjoint(ply.leaves)
            and all(self.edges.value(place, at) == before.get(place, 0) for place in ply.cells)
            for ply in last
        )

    # ---- what things cost

    def is_parked(self, each: Track, place: Place, at: float) -> bool:
        """Whether a captured man may have been put down on a place of the board."""
        if place in each.parked:
            return True
        if place in each.line.expected or place in each.own or at <= each.caught:
            return False
        came = self.edges.stands_since(place, at)
        if (
            came is None
            or not each.caught - OVERLAP < came <= each.caught + PARKED_AT_MOST
            or any(
                p in each.line.expected and not self.edges.value(p, came - AT_ONCE)
                for p in self.opened(each, came)
            )
        ):
            return False  # it is rather the man that is missing
        return each.bound is None or not self.edges.touched(each.bound, each.caught, came)

    def _lacks_one(self, each: Track, levels: Mapping[Place, Reading]) -> bool:
        """Whether the man that was captured last may still have to reach its tray."""
        if each.bound is None:
            return True
        wanted, pockets = each.line.expected.get(each.bound, 0), each.line.sight.pockets[each.bound]
        return wanted > pockets or levels.get(each.bound, 0) < wanted

    def noise(self, each: Track, place: Place, until: float) -> float:
        """Return the cost of a place that was touched for nothing."""
        since = each.seen - OVERLAP
        spans = [
            (left - came, bool(value))
            for came, left, value in self.edges.spans(place)
            if since < came <= until
        ]
        if self.is_parked(each, place, until):
            return PARKED / 2 if place in each.parked else PARKED
        if place not in each.line.expected:
            rests = [span for span, on in spans if on]
            cost = HOVERED + RESTING * min(max(rests, default=0.0), 3.0)
            return cost + GHOST * self._from_nowhere(each, place, since, until)
        gaps = list(self.edges.absences(place, since, until))
        return BLINKED if gaps and max(gaps) < BLINK else NUDGED

    def _from_nowhere(self, each: Track, place: Place, since: float, until: float) -> bool:
        """Whether a man stood on a place while no other man was missing."""
        expected = each.line.expected
        for came, left, value in self.edges.spans(place):
            if not value or came <= since or left > until or left - came < SLACK + AT_ONCE:
                continue
            at = left - AT_ONCE
            if all(
                self.edges.value(p, at) or self.edges.value(p, at - SLACK)
                for p in self.opened(each, until)
                if p in expected
            ):
                return not self._from_tray(each, place, came)
        return False

    def _from_tray(self, each: Track, place: Place, came: float) -> bool:
        """Whether a man that came to the board may have been taken from a tray."""
        sight = each.line.sight
        if any(self.edges.touched(tray, came - 3.0, came + SLACK) for tray in sight.trays):
            return True
        return any(
            not ply.leaves and (ply.tray is None)
            for ply in (*each.line.touching({place}), *each.line.last_ply())
        )

    def stays(self, ply: Footprint, place: Place, after: float, until: float) -> float:
        """Return the cost of a man that stood on a place of its way in a span of time: for each
        second beyond the first half, or, if it took another there, for the time that it stood
        before it was carried on and not slid, and once for having been lifted and put back.
        """
        takes = place in ply.leaves
        longest, count, gone, carried = 0.0, 0, float("-inf"), 0.0
        for came, left, value in self.edges.spans(place):
            if not value or came <= after or left > until:
                continue
            if takes and all(self.edges.value(p, came) for p in ply.leaves if p != place):
                continue  # no man was on its way: it is the one that stood there before
            longest = max(longest, left - came)
            count += came - gone > BURST
            gone = left
            if takes:
                stood = 0.0 if self.slid(ply, place, left) else min(left - came, REPLIED_BY)
                carried = max(carried, stood - REPLIED)
        lingered = 0.0 if takes else LINGERED * min(max(longest - 0.5, 0.0), 3.0)
        lingered += CARRIED_ON * carried
        return lingered + NUDGED * (count > 1)

    def slid(self, ply: Footprint, place: Place, left: float) -> bool:
        """Whether the man that left a place then for a ply was soon elsewhere, as when it is slid,
        and not carried.
        """
        soon = self.edges.between(left - SLACK, left + SLID)
        return any(p != place and p in ply.cells for _, p in soon)

    def stopped(self, each: Track, ply: Footprint) -> float:
        """Return the cost of the pauses that were made before this ply, if a hand went on with
        it: of the time of the last one beyond a moment.
        """
        if not each.paused <= ply.around:
            return each.pauses
        if not each.paused:
            return 0.0
        went_on = min(
            (at for at, place in self.edges.between(each.paused_at) if place in ply.around),
            default=each.paused_at,
        )
        return WENT_ON * min(max(went_on - each.paused_at - REPLIED, 0.0), 3.0)

    def fuss(self, each: Track, ply: Footprint, place: Place, until: float) -> float:
        """Return the cost of a man that was put where a ply ends, and lifted again before it
        stayed; more if it cannot have been that of the ply, for that had not been lifted yet, or
        shows another pole, before it is promoted as well, nor the one that stood there.
        """
        cost, ghost = 0.0, False
        expected = each.line.expected
        stood = place in expected
        men = ply.leaves
        if ply.train:  # any man of the row may come there first
            men = tuple(p for p in ply.around if p in expected and p != place)
        poles = {r for p, r in ply.arrivals if p == place}
        poles.update(expected.get(p, 0) for p in (place, *ply.leaves))
        since = each.settled(place) if stood else each.at
        for came, left, value in self.edges.spans(place):
            if value and since < came and left <= until and left - came >= BURST:
                cost += FUSSED * (1 + min(left - came, 2.0))
                at = min(came + SLACK, left - AT_ONCE)
                early = men and not stood and all(self.edges.value(p, at) for p in men)
                strange = early or value not in poles
                ghost = ghost or (strange and not self.is_parked(each, place, left - AT_ONCE))
        return cost + GHOST * ghost

    def end(
        self, each: Track, now: float, levels: Mapping[Place, Reading], mixed_up: float
    ) -> Generator[None, None, End]:
        """Return, after a search that goes step by step, a line with what it leaves unexplained at
        the present moment, be it that men are `mixed_up`.
        """
        line = each.line
        cost = each.cost + each.pauses + mixed_up
        lifted, extra = set(), set()
        opened = self.opened(each, now)
        for place in opened | each.own:
            if place in line.masked:
                continue
            value, expected = levels.get(place, 0), line.expected.get(place, 0)
            if value == expected:
                if place in opened and self.edges.value(place, now) == value:
                    cost += self.noise(each, place, now)  # else a man has only just come or left
            elif not value:
                lifted.add(place)
            else:
                extra.add(place)
        parked = (
            bool(extra)
            and self._lacks_one(each, levels)
            and all(self.is_parked(each, place, now) for place in extra)
        )
        loose = set() if parked else extra
        if parked:
            stood = now - max(self.edges.changed(place, now) for place in extra)
            cost += PARKED + TRAY_WRONG * (len(extra) - 1)
            cost += LEFT_PARKED * min(max(0.0, stood - TAKEN_OFF), 8.0)
        held = False
        waiting = bool(lifted or loose)
        if waiting:
            cost += WAITING * min(max(0.0, now - self.edges.last(now)), 1.2)
            away = frozenset(lifted | loose)
            goes_on, carries = yield from line.goes_on(away, frozenset(lifted))
            if goes_on:
                cost += UNDERWAY if loose else IN_HAND
                cost += 0.0 if loose or carries else TAKEN_FIRST
                held = not loose
                if not loose and (yield from self._tries_to_take(line, away, opened)):
                    cost += TRIED
            elif lifted and self._goes_back(line, away, levels):
                cost += UNDERWAY
            elif lifted:
                cost += UNDERWAY * len(lifted) + STRAY * max(0, len(loose) - 1)
                cost += 2 * UNDERWAY * bool(loose)
            else:
                cost += STRAY * len(loose)
        trays, late = yield from self.trays(each, levels, now)
        return End(
            each,
            cost + trays,
            frozenset(lifted),
            frozenset(extra),
            held,
            parked,
            late,
            waiting or parked or late,
        )

    def _tries_to_take(
        self, line: Line, lifted: frozenset[Place], opened: frozenset[Place]
    ) -> Generator[None, None, bool]:
        """Whether a man that was touched may be taken by one that is lifted."""
        men = frozenset(p for p in opened if p in line.expected and lifted != {p})
        over = lifted | men if len(men) == 1 else lifted
        return bool(men) and (yield from line.goes_on(over, lifted, men))[0]

    def _goes_back(
        self, line: Line, away: frozenset[Place], levels: Mapping[Place, Reading]
    ) -> bool:
        """Whether a hand may be taking the last ply of a line back, and has not done so yet."""
        before = line.head().expected
        return any(
            away <= ply.around
            and all(levels.get(p, 0) in (0, before.get(p, 0)) for p in away)
            and any(levels.get(p, 0) != before.get(p, 0) for p in ply.cells)
            for ply in line.last_ply()
        )

    def trays(
        self, each: Track, levels: Mapping[Place, Reading], now: float
    ) -> Generator[None, None, tuple[float, bool]]:
        """Return, after a search that goes step by step, what the trays hold against a line now,
        and whether a man may still come.
        """
        line = each.line
        cost, late = 0.0, False
        over = line.match.outcome is not None  # then the board may be cleared soon
        for tray in line.trays:
            pockets = line.sight.pockets[tray]
            reads, wanted = levels.get(tray, 0), line.expected.get(tray, 0)
            if over:
                reads = self.edges.value(tray, each.at + CLEARED_AFTER)
            owed = each.owed.get(tray, 0)
            if reads == min(wanted, pockets) or reads == max(0, min(wanted - owed, pockets)):
                continue
            missing = wanted - owed - reads
            if missing > 0:
                came = self._came(each, tray)
                behind = min(sum(came), missing) if not self._taken_from(each, tray) else 0
                late = late or bool(behind)
                cost += TRAY_LATE * (behind - came[0]) if behind > came[0] else 0.0
                tarried = ON_ITS_WAY + TARRIED * (now - each.at)
                cost += min(tarried, TRAY_LATE) * min(came[0], behind)
                missing -= behind
                if missing and (yield from line.is_used(tray)):
                    cost += TRAY_AT_WORK
                    missing -= 1
                cost += TRAY_WRONG * missing
            else:
                put_away = min(max(owed, 0), -missing)
                cost += TRAY_LATE * put_away
                begun = self.edges.touched(tray, each.at - OVERLAP, float("inf"))
                if -missing > put_away and begun and (yield from line.is_used(tray)):
                    cost += TRAY_AT_WORK
                    put_away += 1
                cost += TRAY_WRONG * (-missing - put_away)
        return cost, late

    def trays_off(self, each: Track, line: Line, at: float) -> int:
        """Return how many men trays held too many or too few when the last ply of a line was
        finished and still do when the next is, at a time and at the end of `line`: no hand takes
        them so long before they are put down.
        """
        off = 0
        for tray in line.trays:
            now = self._too_many(each, tray, line, at)
            before = self._too_many(each, tray, each.line, each.at) if now else 0
            if now * before > 0 and not any(self._came(each, tray)):
                off += min(abs(now), abs(before))
        return off

    def _too_many(self, each: Track, tray: Place, line: Line, at: float) -> int:
        """Return how many men more than it should a tray held at a time, if it was the end of a
        line, but for men it always lacked.
        """
        reads, pockets = self.edges.value(tray, at), line.sight.pockets[tray]
        wanted = line.expected.get(tray, 0)
        if reads == min(wanted, pockets):
            return 0
        return reads - max(0, min(wanted - each.owed.get(tray, 0), pockets))

    def _taken_from(self, each: Track, tray: Place) -> bool:
        """Whether a man was taken from a tray last, and by no ply since a line gave it one."""
        if not self.edges.was_taken_from(tray):
            return False
        step: Line | None = each.line
        while step is not None and step.before is not None:
            if step.footprint is not None and step.footprint.tray == tray:
                return False
            if step.expected.get(tray, 0) > step.before.expected.get(tray, 0):
                last = step is each.line  # what was taken before that was another man
                return not last or self.edges.changed(tray) > each.at - OVERLAP
            step = step.before
        return False

    def _came(self, each: Track, tray: Place) -> list[int]:
        """Return how many men the last plies of a line have given to a tray, the last first."""
        came: list[int] = []
        step: Line | None = each.line
        while step is not None and step.before is not None and len(came) < 6:
            if step.footprint is not None:
                came.append(step.expected.get(tray, 0) > step.before.expected.get(tray, 0))
            step = step.before
        return came or [0]
