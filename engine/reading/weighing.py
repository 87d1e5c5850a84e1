"""Weighing: what a line of play leaves unexplained, by the edges of the places it touches."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from collections.abc import Set as AbstractSet

from engine.game import Place
from engine.reading.evidence import (
    ASTIR,
    BLINKED,
    FOLLOWED,
    FUSSED,
    GHOST,
    HOVERED,
    IN_HAND,
    KEPT_AWAY,
    LEFT_HOME,
    LEFT_OPEN,
    LEFT_PARKED,
    MISSED,
    NUDGED,
    OFF,
    ONLY_TRIED,
    OWED,
    PARKED,
    RESTING,
    RUSHED,
    STRAY,
    TAKEN_FIRST,
    TAKEN_OFF,
    TOO_QUICK,
    TRAY_WRONG,
    TRIED,
    UNDERWAY,
    WAITING,
    WENT_HOME,
)
from engine.reading.footprints import Footprint, Reading
from engine.reading.lines import Line
from engine.reading.names_in_order import NamesInOrder
from engine.reading.observations import AT_ONCE, BURST, OVERLAP, SLACK, STAYED, Edges
from engine.reading.tracks import End, Track
from engine.reading.trays import WAITED, Trays

# Times, in seconds.
PARKED_AT_MOST = 4.0  # a captured man is put down on the board so long after, if at all
LAID = 0.5  # … where it stands for so long: a man that hovers there goes on sooner
EARLIER = 2.0  # by which a ply may seem to have been finished before the one before it
PUT_BACK_WITHIN = 2.0  # a man that was lifted is put back so soon, mostly
PASSED_OVER = 0.15  # a man that is carried over a cell has left it by then
ANSWERS_KEPT = 256  # to what is asked again and again
REPLIED = 0.3  # nobody replies sooner to a ply that all men stand still after
QUICKEST = 0.1  # a reply that seems to take less was begun before
PACE = 0.3  # of how soon players reply, how much the last reply tells
SLID = 0.15  # a man that is slid has come to the next cell by then
BUMPED = 0.25  # who only bumps into a man while he moves another has it back where it was so soon
MAKES_A_PLY = 8  # men are put down hardly more often until a ply is finished
LIFTED_AT_ONCE = 2  # men whose absence is not explained yet: more tell no more
STRAIGHTENED = 0.6  # a man that is straightened is back where it stood so soon, mostly
BLINK = 0.035  # a man that is gone for less was rather taken by another


class Weighing:
    """Weighs tracks against the edges."""

    def __init__(self, edges: Edges, names: NamesInOrder) -> None:
        self.edges = edges
        self.names = names
        self.trays = Trays(edges)
        self._opened: dict[tuple[Track, float], frozenset[Place]] = {}

    # ---- what is open

    def opened(self, each: Track, until: float) -> frozenset[Place]:
        """Return the cells with edges that a line has not explained up to a time."""
        places = self.edges.places(each.seen, until)
        if not places:
            return each.open
        key = each, until
        found = self._opened.get(key)
        if found is None:
            if len(self._opened) == ANSWERS_KEPT:
                self._opened.clear()
            masked, own = each.line.masked, each.own
            touched = {
                place
                for place in (places & each.line.sight.cells) - masked
                if place not in own
                or not all(
                    self.rocks(each, place, at) for at in self.edges.times(place, each.seen, until)
                )
            }
            if until > each.own_until:  # what rocked then has come to rest, or was lifted
                expected = each.line.expected
                touched.update(
                    place
                    for place in own
                    if place not in masked
                    and self.edges.value(place, until) != expected.get(place, 0)
                )
            found = self._opened[key] = each.open.union(touched)
        return found

    def rocks(self, each: Track, place: Place, at: float) -> bool:
        """Whether a man of the last ply of a line still rocked when his place changed at a time, or
        only came back then from where he had rocked away.
        """
        if at <= each.own_until:
            return True
        left = self.edges.came(place, at)
        return (
            at - BURST < left <= each.own_until
            and self.edges.value(place, at) == each.line.expected.get(place, 0) != 0
        )

    def changed(self) -> None:
        """Forget what was asked: there are other edges now."""
        self._opened.clear()

    def guess(self, each: Track, at: float) -> float:
        """Return what a line will cost, or little less."""
        cost, line = each.cost + self.names.cost(each), each.line
        opened, read, expects = self.opened(each, at), self.edges.value, line.expected.get
        cost += OWED * len(opened)
        more = -1  # men than one ply brings that stand where they should not
        parked = False
        lifted = 0
        for place in sorted([p for p in opened if read(p, at) != expects(p, 0)]):
            value, expected = read(place, at), expects(place, 0)
            if not value:
                lifted += 1
                if lifted > LIFTED_AT_ONCE:  # one ply may take many
                    more -= 1
                    continue
            if not parked and self.is_parked(each, place, at):
                parked = True  # of which there is seldom more than one
                continue
            cost += OFF
            more += bool(value) - bool(expected)
            if value and self.edges.changed(place, at) < at - EARLIER:
                cost += LEFT_OPEN
                more -= 1
        off = sum(not self.trays.holds(each, tray, line, at) for tray in line.trays)
        return cost + LEFT_OPEN * max(0, more) + OFF * off + self.astir(each, at)

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
                for other in before.possible.bringing(place, reading, ply.around)
            )
        )

    def lifted_again(self, each: Track, at: float) -> frozenset[Place]:
        """Return from where a man was lifted again that the last ply of a line has put on an empty
        cell: who stands there next may be the same man.
        """
        last = each.line.last_on_cells()
        if last is None or last.footprint is None or last.before is None:
            return frozenset()
        ends = {place for place, _ in last.footprint.arrivals} - last.before.expected.keys()
        return frozenset(place for place in ends if not self.edges.value(place, at))

    def doubt(self, each: Track, at: float) -> float:
        """Return what it costs at a time that men that were lifted again when another was put have
        not come back.
        """
        if not each.doubt:
            return 0.0
        gone = (place for place in each.away if not self.edges.value(place, at))
        came = (self.edges.stands_since(place, at) for place in gone)
        return each.doubt * any(when is None or when <= each.at for when in came)

    def has_gone_back(self, each: Track, following: Footprint, at: float) -> bool:
        """Whether the man that the last ply of a line moved stood where it came from, all as before
        that ply, when the ply `following` it was finished by another man.
        """
        last, before = each.line.last_ply(), each.line.head().expected
        return any(
            ply.leaves
            and following.cells.isdisjoint(ply.leaves)
            and all(self.edges.value(place, at) == before.get(place, 0) for place in ply.cells)
            # Who was not touched since he took a man was not exchanged for him again.
            and all(self.edges.touched(place, each.settled(place), at) for place in ply.swaps)
            for ply in last
        )

    # ---- what things cost

    def is_parked(self, each: Track, place: Place, at: float) -> bool:
        """Whether a captured man may have been put down on a place of the board."""
        if place in each.parked:
            return True
        if place in each.line.expected or at <= each.caught:
            return False
        came = self.edges.stands_since(place, at)
        if (
            came is None
            or (place in each.own and self._only_rocks(each, place, came, at))
            or not each.caught - SLACK < came <= each.caught + PARKED_AT_MOST
            or any(
                p in each.line.expected and not self.edges.value(p, came - SLACK)
                for p in self.opened(each, came)
            )
        ):
            return False  # it is rather the man that is missing
        return each.bound is None or not self.edges.touched(each.bound, each.caught, came)

    def with_captive(self, each: Track, at: float) -> Track:
        """Return a track as it is by then: if its last ply took a man and no sensor saw it, but one
        has been laid on the board since, that is rather him, whom no sensed tray waits for.
        """
        if not self._is_guess(each) or each.bound is not None:
            return each
        cells = self.opened(each, at) - each.line.expected.keys()
        if not any(self.is_parked(each, p, at) and self._is_laid(each, p, at) for p in cells):
            return each
        cost = each.cost - (MISSED - TOO_QUICK)
        return each.but(cost=cost, weak=TOO_QUICK, pledge=TOO_QUICK - FOLLOWED)

    def is_by_captive(self, each: Track) -> bool:
        """Whether only a man that was laid on the board tells that the last ply of a line took."""
        return each.guessed is each.line and each.weak < MISSED

    def _is_guess(self, each: Track) -> bool:
        """Whether the last ply of a line took a man whom no sensor saw to be taken."""
        return each.guessed is each.line and each.weak >= MISSED

    def _is_laid(self, each: Track, place: Place, at: float) -> bool:
        """Whether a man has been laid on a cell since another was caught: who only hovers there
        goes on sooner, and who is slid there comes before his sensor lets go of him.
        """
        came = self.edges.stands_since(place, at)
        if came is None or came <= each.caught + BURST:
            return False
        left = (left for since, left, _ in self.edges.spans(place) if since >= came)
        return min(next(left, at), at) - came >= LAID

    def _went_home(self, each: Track, place: Place, at: float) -> float:
        """Return what it costs that a captured man stands, or stood, where his captor came from: he
        rather went back.
        """
        if place not in each.own:
            return self.left_home(each, place, at)
        spans = [span for span in self.edges.spans(place) if span[0] > each.caught - OVERLAP]
        stood = [left - came for came, left, value in spans if value]
        if self.edges.value(place, at):
            stood.append(at - self.edges.changed(place, at))
        return WENT_HOME * min(max(stood, default=0.0), 3.0)

    def left_home(self, each: Track, place: Place, at: float) -> float:
        """Return what it costs that a captured man stands on a place to which he went from where
        his captor had come from: the captor rather went on from there.
        """
        homes = [home for ply in each.line.last_ply() for home in ply.leaves if home != place]
        came = self.edges.came(place, at)
        return LEFT_HOME * any(
            value and each.begun < since and left <= came + SLACK
            for home in homes
            for since, left, value in self.edges.spans(home)
        )

    def _only_rocks(self, each: Track, place: Place, came: float, at: float) -> bool:
        """Whether the man of the last ply of a line may only rock on a place that it leaves, which
        was filled again some time ago: he was not gone for long, and has not stood there since.
        """
        gone, stood = came - self.edges.came(place, came), at - came
        return self.rocks(each, place, came) and gone < BURST and stood < BURST

    def noise(self, each: Track, place: Place, until: float, put: float | None = None) -> float:
        """Return the cost of a place that was touched for nothing, when a man was `put` elsewhere
        last: if that is not said, for the last ply of a line.
        """
        since = each.seen - OVERLAP
        if self.is_parked(each, place, until) and (
            not self._is_guess(each) or self._is_laid(each, place, until)
        ):
            cost = PARKED / 2 if place in each.parked else PARKED
            return cost + self._went_home(each, place, until)
        if place not in each.line.expected:
            rests = [
                left - came
                for came, left, value in self.edges.spans(place)
                if value and came <= until and (left if place in each.open else came) > since
            ]
            cost = _hovered(max(rests, default=0.0))
            return cost + GHOST * self._from_nowhere(each, place, since, until)
        if self._seemed_to_be_held(each, place, until):
            return 0.0  # which was paid for
        came = each.own_until - BURST if place in each.own else float("-inf")
        gaps = list(self.edges.absences(place, since, until, came, away=place in each.open))
        if not gaps and place in each.own - each.open:
            return 0.0  # who was put there last still rocked
        if not gaps or max(gaps) >= BLINK:
            return NUDGED + self._kept_away(each, place, until)
        # Who puts a man down may bump into the one beside him.
        back = self.edges.changed(place, until)
        return NUDGED if abs(back - (each.at if put is None else put)) < BUMPED else BLINKED

    def _kept_away(self, each: Track, place: Place, until: float) -> float:
        """Return what it costs that a man who was away when the last ply of a line was finished
        came back long after that, though who is to act then could not have moved him.
        """
        if place not in each.open or self.edges.value(place, each.at):
            return 0.0
        back = self.edges.changed(place, until) - each.at
        if back <= STRAIGHTENED or each.line.possible.is_lifted(place):
            return 0.0
        return KEPT_AWAY * min(back - STRAIGHTENED, 2.0)

    def _seemed_to_be_held(self, each: Track, place: Place, until: float) -> bool:
        """Whether a man who was only straightened seemed to be held by the next player: he was
        lifted before the last ply of a line had begun, and back soon after it was finished.
        """
        if place not in each.open or self.edges.value(place, each.at):
            return False
        lift = self.edges.changed(place, each.at)
        carried = any(ply.leaves for ply in each.line.last_ply())
        if lift > max(each.at - OVERLAP, each.begun if carried else 0.0):
            return False
        gaps = list(self.edges.absences(place, lift - AT_ONCE, until))
        return len(gaps) == 1 and gaps[0] < STRAIGHTENED

    def _from_nowhere(self, each: Track, place: Place, since: float, until: float) -> bool:
        """Whether a man stood on a place while no other man was missing, and it was not that of the
        last ply, of whom nobody saw when he came to stand.
        """
        expected = each.line.expected
        lifted = self._seen_only_to_be_lifted(each, until)
        if any(place in ply.around - ply.cells for ply in each.line.last_ply()):
            since = max(since, each.begun - SLACK)  # who was there before was on another way
        for came, left, value in self.edges.spans(place):
            if not value or came <= since or left > until or left - came < SLACK + AT_ONCE:
                continue
            if value in lifted and came > each.at:
                continue
            if self._was_slid_on(each, place, came, left, value):
                continue
            at = left - AT_ONCE
            if all(
                self.edges.value(p, at) or self.edges.value(p, at - SLACK)
                for p in self.opened(each, until)
                if p in expected
            ):
                return not self.trays.may_have_given(each, place, came)
        return False

    def _was_slid_on(
        self, each: Track, place: Place, came: float, left: float, value: Reading
    ) -> bool:
        """Whether the man of the last ply of a line stood on a place for a span of time, and was
        slid on from there, but its sensor let go of him late.
        """
        on_its_way = any(
            place in ply.around - ply.cells
            or (came > each.begun - SLACK and value in dict(ply.arrivals).values())
            for ply in each.line.last_ply()
        )
        return on_its_way and came < each.at <= left < each.at + OVERLAP

    def _seen_only_to_be_lifted(self, each: Track, until: float) -> set[Reading]:
        """Return what the man of the last ply of a line reads if he was lifted for it and took
        another between two looks.
        """
        return {
            reading
            for ply in each.line.last_ply()
            if ply.may_only_be_lifted
            for place, reading in ply.arrivals
            if self.edges.value(place, each.at) and not self.edges.touched(place, each.at, until)
        }

    def astir(self, each: Track, until: float) -> float:
        """Return the cost of all that hands have done since the last ply, if it is more than what
        makes a ply.
        """
        since = max(each.at, each.seen)
        return ASTIR * max(0, self.edges.times_put(since, until) - MAKES_A_PLY)

    def haste(self, each: Track, at: float) -> float:
        """Return the cost of a man that comes from where nothing tells within a second after the
        last ply of a line.
        """
        return RUSHED * max(0.0, 1.0 - max(0.0, at - each.at))

    def fuss(self, each: Track, ply: Footprint, place: Place, until: float) -> float:
        """Return the cost of a man that was put where a ply ends, and lifted again before it
        stayed; more if it cannot have been that of the ply, for that had not been lifted yet, or
        shows another pole, before it is promoted as well, nor the one that stood there; a captured
        one may have been parked there.
        """
        cost, parked, ghost = 0.0, False, False
        expected = each.line.expected
        stood = place in expected
        men = ply.leaves
        if ply.train:  # any man of the row may come there first
            men = tuple(p for p in ply.around if p in expected and p != place)
        poles = {r for p, r in ply.arrivals if p == place}
        poles.update(expected.get(p, 0) for p in (place, *ply.leaves))
        since = max(each.settled(place) if stood else each.at, each.unpaid(place))
        # What was not explained when the last ply was finished was not paid for, either.
        begun = float("-inf") if place in each.open and not ply.train else since
        for came, left, value in self.edges.spans(place):
            stayed = BURST if value in poles else STAYED  # no man shows another pole by rocking
            if value and begun < came and since < left <= until and left - came >= stayed:
                if self._was_slid_on(each, place, came, left, value):
                    cost += _hovered(left - came)
                    continue
                if self._stood_by(each, place, came, left):
                    continue
                at = min(came + SLID, left - AT_ONCE)
                early = men and not stood and all(self.edges.value(p, at) for p in men)
                if early and self.was_lost_by_both(men, left, until):
                    continue
                strange = early or value not in poles
                if strange and self.is_parked(each, place, left - AT_ONCE):
                    parked = True
                    continue
                cost += FUSSED * (1 + min(left - came, 2.0))
                ghost = ghost or strange
        return cost + PARKED * parked + GHOST * ghost

    def _stood_by(self, each: Track, place: Place, came: float, left: float) -> bool:
        """Whether it was the man that a line has on a place who stood there for a span of time, for
        he did while all of its last ply was made: who takes him is another.
        """
        return place in each.line.expected and came < each.begun and each.at < left

    def was_lost_by_both(self, men: Iterable[Place], left: float, until: float) -> bool:
        """Whether one of some men was let go of where he stood when another place lost a man, too:
        who is slid may be seen by two sensors, and both may lose him at once.
        """
        return any(abs(self.edges.changed(place, until) - left) <= SLACK for place in men)

    def end(
        self, each: Track, now: float, levels: Mapping[Place, Reading], mixed_up: float
    ) -> Generator[None, None, End]:
        """Return, after a search that goes step by step, a line with what it leaves unexplained at
        the present moment, be it that men are `mixed_up`.
        """
        line = each.line
        cost = each.cost + each.pauses + self.doubt(each, now) + mixed_up + self.astir(each, now)
        cost += self.names.cost(each)
        lifted, extra = set(), set()
        opened = self.opened(each, now)
        for place in sorted(opened | each.own):
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
            and self.trays.lack_the_captured(each, levels)
            and all(self.is_parked(each, place, now) for place in extra)
        ) or (yield from self._is_captive_down(line, lifted, extra))
        loose = set() if parked else extra
        if parked:
            stood = now - max(self.edges.changed(place, now) for place in extra)
            cost += PARKED + TRAY_WRONG * (len(extra) - 1)
            cost += max(self._went_home(each, place, now) for place in extra)
            cost += LEFT_PARKED * min(max(0.0, stood - TAKEN_OFF), 8.0)
        held = False
        waiting = bool(lifted or loose)
        if waiting:
            cost += WAITING * min(max(0.0, now - self.edges.last(now)), WAITED)
            away = frozenset(lifted | loose)
            goes_on, carries = yield from line.possible.goes_on(away, frozenset(lifted))
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
        against, late = yield from self.trays.against(each, levels, now)
        return End(
            each,
            cost + against,
            frozenset(lifted),
            frozenset(extra),
            held,
            parked,
            late,
            waiting or parked or against > 0.0,
        )

    def _is_captive_down(
        self, line: Line, lifted: AbstractSet[Place], extra: AbstractSet[Place]
    ) -> Generator[None, None, bool]:
        """Whether the only man that is too many may be one that is being captured, who was put down
        on an empty cell when both he and his captor were in the hands: that one is still.
        """
        if len(lifted) != 2 or len(extra) != 1:
            return False
        (place,) = extra
        came = self.edges.changed(place)
        if place in line.expected or any(self.edges.changed(p) > came for p in lifted):
            return False
        both = frozenset(lifted)
        return (yield from line.possible.goes_on(both, both, both))[0]

    def _tries_to_take(
        self, line: Line, lifted: frozenset[Place], opened: frozenset[Place]
    ) -> Generator[None, None, bool]:
        """Whether a man that was touched may be taken by one that is lifted."""
        men = frozenset(p for p in opened if p in line.expected and lifted != {p})
        over = lifted | men if len(men) == 1 else lifted
        return bool(men) and (yield from line.possible.goes_on(over, lifted, men))[0]

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


def _hovered(seconds: float) -> float:
    """Return what it costs that a man stood on an empty cell for a while, but no longer than until
    all men stand still: that is paid for by itself.
    """
    return HOVERED + RESTING * min(seconds, 1.5)
