"""Decoding: which plies, one after the other, the edges of the sensors tell of.

Every raw edge since the lines of play that are still possible began is gone through in order of
time. Wherever a man comes to stand, a ply of each line may have been finished by it: its man must
be gone from where it stood and be where it goes. Whatever else was touched a line carries along;
what a later ply explains is free, and what nothing explains costs. So nothing depends on the board
ever being at rest, and a line that was read wrongly is overtaken by a better one a few plies later.
Costs are compared, never summed up to a probability; they stand for how odd it would be.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, replace
from itertools import pairwise

from engine.footprints import Footprint, Line, Reading
from engine.game import Place

# Times, in seconds.
PARKED_AT_MOST = 4.0  # a captured man is put down on the board so long after, if at all
STAYED = 0.03  # a man stays at least where it is put down
BURST = 0.085  # between two puts of a man that rocks or rolls
SLACK = 0.06  # by which two sensors may disagree on what came first
AT_ONCE = 0.02  # by which one scan may see a man come that the next sees gone
OVERLAP = 0.4  # by which the hands of two players may overlap
EARLIER = 2.0  # by which a ply may seem to have been finished before the one before it
BLINK = 0.035  # a man that is gone for less was rather taken by another
SEALED = 0.12  # after which nothing more is learnt about a man that was put down

# What a line leaves unexplained, and what that costs.
MISSED = 3.0  # a man must have been lifted or put down, and was not seen
TOO_QUICK = 0.9  # … but the man that was captured lies in its tray: it was between two looks
HIDDEN = 1.0  # it went where no sensor is believed
TOO_SOON = 0.3  # it came down before its own place was seen to be empty
OUT_OF_ORDER = 0.6  # it stood there before the ply before it was finished
FUSSED = 0.15  # it was put there and lifted again before it stayed, and as much for each second
NUDGED = 0.35  # a bystander was lifted and put back
BLINKED = 0.8  # … for a blink
HOVERED = 0.1  # an empty cell was passed
LINGERED = 0.1  # it stood on its way, for each second
HURRIED = 0.8  # the other player moves the same man at once
RESTING = 0.15  # … and a man stood there, for each second
GHOST = 1.2  # … while no other man was missing
LEFT_OPEN = 0.6  # a man is away from where it belongs while two plies are made
STANDING = 0.4  # something is not where it should be, and all men stand still
WAITING = 0.4  # … and nothing has changed since, for each second
EARLY = 0.4  # the next player held it long before the ply was finished
IN_HAND = 0.15  # the next player has lifted a man
TRIED = 0.3  # … and touched a man that it might take
UNDERWAY = 0.5  # a hand is doing something
PARKED = 0.5  # a captured man stands on an empty cell
STRAY = 3.0  # a place reads what nothing explains
TAKEN_BACK = 0.3  # a ply was taken back
SILENT = 0.2  # a ply of which nothing can be seen
WENT_BACK = 1.0  # … where a man was lifted for the ply before, and no tray tells
TRAY_UNTOUCHED = 0.8  # a man was dropped, and no tray had changed
ON_ITS_WAY = 0.1  # a man that was captured right now has not reached its tray yet
TRAY_LATE = 0.3  # … one that was captured before, or it reached it late
TRAY_AT_WORK = 0.5  # the next player has begun to take a man from it
TRAY_WRONG = 1.5  # it holds one more or less than it can

OFF = 0.3  # a place is not as a line leaves it: what it will cost at least, unless it is explained
CLEARED = 2  # other places touched after the end of a match: the board is being cleared
EDGES_KEPT = 800
WIDTH = 96  # lines alive at any time
HOPELESS = 3.2  # lines that cost so much more than the best are given up
WORTH_A_LOOK = 2.0  # … and so much more are not what is to be seen now


@dataclass(frozen=True, slots=True)
class Put:
    """A man came to stand, or was taken away (reading 0)."""

    at: float
    place: Place
    reading: Reading
    until: float
    """When it had stopped rocking."""


@dataclass(frozen=True, slots=True, eq=False)
class Track:
    """A line of play that is still possible, and what it has not explained so far."""

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
    undone: frozenset[Line] = frozenset()
    """The lines after the plies that were taken back."""
    begun: float = 0.0
    """When the hand of its last ply began."""
    unseen: bool = False
    """Whether its last ply is one of them."""
    silent: int = 0
    """How many of its plies nobody has seen."""


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

    @property
    def line(self) -> Line:
        """The line of the track."""
        return self.track.line

    @property
    def exact(self) -> bool:
        """Whether all men are where the line has them."""
        return not (self.lifted or self.extra)


class Decoder:
    """All lines that are still possible, with the edges that told them apart."""

    def __init__(self, forward: Callable[[Line], Line]) -> None:
        self.forward = forward
        self.tracks: list[Track] = []
        self.first: dict[Place, Reading] = {}
        self.edges: list[tuple[float, Place]] = []
        self.times: dict[Place, list[float]] = {}
        self.values: dict[Place, list[Reading]] = {}
        self.now = 0.0
        self._sealed = self._rested_at = float("-inf")
        self._queue: list[Put] = []  # sealed, but not gone through yet
        self._rested: list[Track] = []  # the tracks when all men stood still last

    # ---- what comes in

    def begin(
        self, lines: Iterable[Line], levels: Mapping[Place, Reading], since: float | None
    ) -> None:
        """Start anew from `lines`. What was touched after `since` is not forgotten; None: now,
        and the sensors read `levels`.
        """
        if since is None:  # but what has not come to rest yet may be the beginning of a ply
            restless = {
                place for place, values in self.values.items() if values[-1] != levels.get(place, 0)
            }
            since = self.now - SLACK if restless else self.now
            self._forget(since)
            self.first = self.first | dict.fromkeys(self.first, 0) | dict(levels)
            self.edges = [edge for edge in self.edges if edge[1] in restless]
            self.times = {place: self.times[place] for place in restless & self.times.keys()}
            self.values = {place: self.values[place] for place in restless & self.values.keys()}
        self._sealed = since
        self._queue = []
        self.tracks = []
        for line in lines:
            trays = line.sight.trays - line.masked
            owed = {
                tray: gone
                for tray in trays
                if (gone := line.expected.get(tray, 0) - self.value(tray, since))
                and self.value(tray, since)
                != min(line.expected.get(tray, 0), line.sight.pockets[tray])
            }
            odd = {
                place
                for place in line.sight.cells - line.masked
                if self.value(place, since) != line.expected.get(place, 0)
            }
            self.tracks.append(Track(line, since, since, 0.0, owed, frozenset(odd)))
        self._rested, self._rested_at = self.tracks, since

    def touch(self, at: float, place: Place, reading: Reading) -> None:
        """Note a raw edge: `place` read `reading` from `at` on, however briefly."""
        self.now = max(self.now, at)
        self.edges.append((at, place))
        self.times.setdefault(place, []).append(at)
        self.values.setdefault(place, []).append(reading)
        if len(self.edges) > EDGES_KEPT:
            self._forget(self.edges[EDGES_KEPT // 4][0])

    def _forget(self, until: float) -> None:
        """Forget all edges up to a time, and where each place stood then."""
        number = bisect_right(self.edges, until, key=lambda edge: edge[0])
        for place in {place for _, place in self.edges[:number]}:
            times, values = self.times[place], self.values[place]
            gone = bisect_right(times, until)
            self.first[place] = values[gone - 1]
            if gone == len(times):
                del self.times[place], self.values[place]
            else:
                del times[:gone], values[:gone]
        del self.edges[:number]
        self._sealed = max(self._sealed, until)
        self.tracks = [
            replace(each, seen=max(each.seen, until)) if each.seen < until else each
            for each in self.tracks
        ]

    def replace(self, line: Callable[[Line], Line]) -> None:
        """Put another line in the place of each."""
        self.tracks = [replace(each, line=line(each.line)) for each in self.tracks]
        self._rested = [replace(each, line=line(each.line)) for each in self._rested]

    def keep(self, wanted: Callable[[Line], bool]) -> None:
        """Give up all lines that are not wanted, unless that were all."""
        self.tracks = [each for each in self.tracks if wanted(each.line)] or self.tracks

    def again(self, line: Callable[[Line], Line]) -> Decoder:
        """Return another decoder that has seen the same, and goes through it once more with other
        lines in the place of its own, from when all men stood still last.
        """
        other = copy(self)
        other.tracks = list(self._rested)
        other.replace(line)
        other._sealed = self._rested_at
        other._queue = []
        return other

    def put_since(self, at: float) -> bool:
        """Whether anything was put anywhere since then."""
        number = bisect_right(self.edges, at, key=lambda edge: edge[0])
        return any(self.value(place, since) for since, place in self.edges[number:])

    def touched_since_rest(self, place: Place) -> bool:
        """Whether a place was touched since all men stood still last."""
        return self.changed(place) > self._rested_at

    def is_cleared(self, lines: Iterable[Line]) -> bool:
        """Whether so much was touched since the end of `lines` that the board is being cleared."""
        found = [
            self._opened(each, self.now) - each.own for each in self.tracks if each.line in lines
        ]
        return bool(found) and min(map(len, found)) > CLEARED

    def rest(self, now: float) -> None:
        """All men have stood still since `now`: what was touched before is paid for."""
        for _ in self._seal(now):
            pass
        tracks = []
        known = {(each.line, each.at): each for each in self.tracks}
        for each in self.tracks:
            for child in self._half_seen(each, now):
                known.setdefault((child.line, child.at), child)
        for each in known.values():
            cost, left = each.cost, set()
            for place in self._opened(each, now):
                if self.value(place, now) == each.line.expected.get(place, 0):
                    cost += self._noise(each, place, now)
                else:
                    left.add(place)
            cost += STANDING * any(not self._is_parked(each, place, now) for place in left)
            tracks.append(replace(each, cost=cost, open=frozenset(left), seen=max(now, each.seen)))
        self.tracks = self._rested = self._hopeful(tracks)
        self._rested_at = now
        self._forget(now - 1.0)

    # ---- what was seen

    def value(self, place: Place, at: float) -> Reading:
        """Return what a place read at a time."""
        times = self.times.get(place)
        if times is None:
            return self.first.get(place, 0)
        number = bisect_right(times, at)
        return self.values[place][number - 1] if number else self.first.get(place, 0)

    def touched(self, place: Place, after: float, until: float) -> bool:
        """Whether a place had an edge in a span of time."""
        times = self.times.get(place)
        if times is None:
            return False
        number = bisect_right(times, until)
        return bool(number) and times[number - 1] > after

    def _was(self, place: Place, reading: Reading, at: float) -> bool:
        """Whether a place read this at a time, give or take what sensors disagree by."""
        return (
            self.value(place, at) == reading
            or self.value(place, at + SLACK) == reading
            or self.value(place, at - AT_ONCE) == reading
        )

    def changed(self, place: Place, until: float = float("inf")) -> float:
        """Return when a place changed last before a time."""
        times = self.times.get(place, [])
        number = bisect_right(times, until)
        return times[number - 1] if number else float("-inf")

    def _opened(self, each: Track, until: float) -> set[Place]:
        """Return the cells with edges that a line has not explained up to a time."""
        found = set(each.open)
        cells, masked = each.line.sight.cells, each.line.masked
        number = bisect_right(self.edges, each.seen, key=lambda edge: edge[0])
        for at, place in self.edges[number:]:
            if at > until:
                break
            if (
                place in cells
                and place not in masked
                and (at > each.own_until or place not in each.own)
            ):
                found.add(place)
        return found

    def _puts(self, after: float, until: float, levels: Mapping[Place, Reading]) -> list[Put]:
        """Return where men came to stand, and it was known within a span of time."""
        found = []
        start = bisect_right(self.edges, after, key=lambda edge: edge[0])
        for place in {place for at, place in self.edges[start:] if at <= until}:
            times, values = self.times[place], self.values[place]
            begun: float | None = None
            first = max(0, bisect_right(times, after - 1.0))
            for number in range(first, len(times)):
                at, value = times[number], values[number]
                if at > until:
                    break
                if not value:
                    gone = times[number + 1] - at if number + 1 < len(times) else self.now - at
                    if at > after and gone >= STAYED:
                        found.append(Put(at, place, 0, at))
                    continue
                rocked = (
                    begun is not None
                    and values[number - 2] == value
                    and not values[number - 1]
                    and at - times[number - 2] < BURST
                )
                if not rocked:
                    begun = at
                if number + 1 < len(times):
                    stayed = times[number + 1] - at >= STAYED
                else:
                    stayed = self.now - at >= STAYED or levels.get(place, 0) == value
                if stayed:
                    if at > after:
                        assert begun is not None
                        found.append(Put(begun, place, value, at))
                    begun = None
        found.sort(key=lambda put: put.at)
        return found

    # ---- what it tells of

    def ends(self, now: float, levels: Mapping[Place, Reading]) -> Generator[None, None, list[End]]:
        """Return how each line fits at the present moment, the best first; a search that goes
        step by step.
        """
        self.now = max(self.now, now)
        yield from self._seal(now - SEALED)
        tracks = self.tracks
        for put in self._puts(self._sealed, now, levels):
            tracks = yield from self._gone_through(tracks, put)
        best: dict[Line, End] = {}
        guesses = [self._guess(each, now) for each in tracks]
        limit = min(guesses) + WORTH_A_LOOK
        for each, guess in zip(tracks, guesses, strict=True):
            if guess > limit:
                continue
            yield
            for track in (each, *self._overtaken(each, now), *self._half_seen(each, now)):
                end = self._end(track, now, levels)
                if end.line not in best or best[end.line].cost > end.cost:
                    best[end.line] = end
                yield
        return sorted(best.values(), key=lambda end: end.cost)

    def _seal(self, until: float) -> Generator[None, None, None]:
        """Go through what is old enough for nothing more to be learnt about it."""
        if until > self._sealed:
            self._queue += self._puts(self._sealed, until, {})
            self._sealed = until
        while self._queue:
            self.tracks = yield from self._gone_through(self.tracks, self._queue[0])
            del self._queue[0]

    def _gone_through(self, tracks: list[Track], put: Put) -> Generator[None, None, list[Track]]:
        """Return what becomes of all lines when a man comes to stand."""
        if put.place not in tracks[0].line.sight.cells:
            return tracks
        known = {(each.line, each.at): each for each in tracks}
        guesses = [self._guess(each, put.at) for each in tracks]
        limit = min(guesses) + HOPELESS
        fresh = False
        for each, guess in zip(tracks, guesses, strict=True):
            if guess > limit:
                continue
            yield
            for child in self._after(each, put):
                key = child.line, child.at
                if key not in known or known[key].cost > child.cost:
                    known[key] = child
                    fresh = True
                yield
        return self._hopeful(known.values(), put.at) if fresh else tracks

    def _hopeful(self, tracks: Iterable[Track], at: float = float("inf")) -> list[Track]:
        """Return the lines that are worth going on with, the best first."""
        ranked = sorted(
            ((self._guess(each, at), number, each) for number, each in enumerate(tracks)),
        )
        limit = ranked[0][0] + HOPELESS
        most = ranked[0][2].silent + 1
        return [each for guess, _, each in ranked if guess <= limit and each.silent <= most][:WIDTH]

    def _guess(self, each: Track, at: float) -> float:
        """Return what a line will cost at least."""
        cost, line = each.cost, each.line
        for place in self._opened(each, at):
            if self.value(place, at) != line.expected.get(place, 0) and not self._is_parked(
                each, place, at
            ):
                cost += OFF
        return cost

    def _after(self, each: Track, put: Put) -> Iterator[Track]:
        """Yield what becomes of a line when a man comes to stand."""
        if put.at <= each.at or (put.place in each.own and put.until <= each.own_until):
            return
        for begun in (each, *self._without_a_put(each, put.at)):
            for footprint in begun.line.bringing(
                put.place, put.reading, self._opened(begun, put.at)
            ):
                child = self._completed(begun, footprint, put.at, put.until)
                if child is not None:
                    yield child
                    yield from self._overtaken(child, put.at)
        child = self._undone(each, put) if put.reading else None
        if child is not None:
            yield child

    def _overtaken(self, each: Track, at: float) -> Iterator[Track]:
        """Yield what becomes of a line if its next ply was finished before its last one."""
        opened = self._opened(each, at)
        for place in each.open:
            reading = self.value(place, at)
            if not reading:
                continue
            came = self.changed(place, at)
            if not each.at - EARLIER < came <= each.at:
                continue
            for footprint in each.line.bringing(place, reading, opened):
                child = self._completed(each, footprint, max(each.at, came), at)
                if child is not None:
                    late = each.at - came > OVERLAP
                    yield replace(child, cost=child.cost + late * (MISSED - OUT_OF_ORDER))

    def _without_a_put(self, each: Track, until: float) -> Iterator[Track]:
        """Yield what becomes of a line by plies of which no man is seen to come: one that takes
        another between two looks, one that goes where no sensor is believed, one that nobody
        sees at all, and one that is taken back by a lift alone.
        """
        for footprint in each.line.silent if not each.unseen else ():
            line = self.forward(each.line.step(footprint.move, footprint))
            yield replace(
                each,
                line=line,
                cost=each.cost + SILENT,
                weak=0.0,
                silent=each.silent + 1,
                unseen=True,
            )
        yield from self._half_seen(each, until)

    def _half_seen(self, each: Track, until: float) -> Iterator[Track]:
        """Yield the same, but for plies that nobody sees at all."""
        used = [
            footprint
            for tray in each.line.sight.trays - each.line.masked
            if self.touched(tray, each.at - OVERLAP, until)
            for footprint in each.line.using(tray)
            if not footprint.cells
        ]
        for footprint in dict.fromkeys(used):
            line = self.forward(each.line.step(footprint.move, footprint))
            if all(self._holds(each, tray, line, until) for tray in footprint.trays):
                at = max(each.at, *(self.changed(tray, until) for tray in footprint.trays))
                yield replace(each, line=line, at=at, weak=0.0, back=False, bare=False)
        opened = self._opened(each, until)
        for place in opened:
            if place not in each.line.expected or self.value(place, until):
                continue
            for footprint in each.line.lifting(place):
                if len(footprint.leaves) != 1 or footprint.train:
                    continue
                quick = [p for p in footprint.swaps if p not in opened]
                hidden = footprint.unseen and not footprint.arrivals
                if not hidden and not (quick and len(footprint.arrivals) == len(quick)):
                    continue
                lift = self.changed(place, until)
                cost = HIDDEN
                if quick:
                    given = any(
                        self.touched(tray, lift, self.now)
                        for tray in footprint.trays
                        if tray != footprint.tray
                    )
                    cost = TOO_QUICK if given else MISSED
                line = self.forward(each.line.step(footprint.move, footprint))
                yield replace(
                    each,
                    line=line,
                    at=max(each.at, lift),
                    cost=each.cost + cost,
                    weak=cost,
                    open=frozenset(opened - footprint.around),
                    seen=until,
                    own=footprint.around,
                    own_until=lift + BURST,
                    begun=lift,
                    back=False,
                    bare=False,
                )
        ply = each.line.last_ply()
        if ply and not ply[0].leaves and opened.issuperset(ply[0].cells):
            head = each.line.head()
            over = each.line.match.outcome is not None and len(opened - ply[0].cells) > CLEARED
            if not over and all(
                self.value(place, until) == head.expected.get(place, 0) for place in ply[0].cells
            ):
                yield replace(
                    each,
                    line=head,
                    cost=each.cost + TAKEN_BACK,
                    weak=0.0,
                    open=frozenset(opened - ply[0].around),
                    seen=until,
                    bare=not self._is_back(each, ply[0], head, until),
                    back=True,
                    undone=each.undone | {each.line},
                )

    def _is_back(self, each: Track, ply: Footprint, head: Line, at: float) -> bool:
        """Whether the man that a ply had taken from a tray was put back into it."""
        tray = ply.tray
        return (
            tray is not None
            and self.touched(tray, each.at, at)
            and self._holds(each, tray, head, at)
        )

    def _holds(self, each: Track, tray: Place, line: Line, at: float) -> bool:
        """Whether a tray held what it does at the end of `line`, but for men it always lacked."""
        wanted = line.expected.get(tray, 0) - each.owed.get(tray, 0)
        return self.value(tray, at) == max(0, min(wanted, line.sight.pockets[tray]))

    def _undone(self, each: Track, put: Put) -> Track | None:
        """Return what becomes of a line if a man that comes to stand takes its last ply back."""
        found = each.line.last_ply()
        if not found or put.place not in found[0].around:
            return None
        ply, head, at = found[0], each.line.head(), put.at
        if put.reading != head.expected.get(put.place, 0):
            return None
        opened = self._opened(each, at)
        if each.line.match.outcome is not None and len(opened - ply.cells) > CLEARED:
            return None
        for place in ply.cells:
            if not self._was(place, head.expected.get(place, 0), at):
                return None
            if place not in opened and place != put.place:
                return None
        return self._next(each, head, ply, at, put.until, opened, TAKEN_BACK, back=True)

    def _completed(
        self, each: Track, footprint: Footprint, at: float, until: float
    ) -> Track | None:
        """Return what becomes of a line if a man that comes to stand finishes a ply."""
        cost = 0.0
        missing = 0
        opened = self._opened(each, at)
        begun = at
        for place, reading in footprint.arrivals:
            if not (self._was(place, reading, at) or self._was(place, reading, until)):
                return None
            if place not in opened and not self.touched(place, each.at, at):
                missing += 1
                cost += MISSED
                if missing > 1 or len(footprint.arrivals) == 1:
                    return None
            elif place in each.open and self.value(place, each.at) == reading:
                cost += OUT_OF_ORDER
            cost += self._fuss(place, each.at, at)
        for place in footprint.around - footprint.cells:
            cost += LINGERED * self._lingered(place, each.at, at)
        last = each.line.last_ply()
        for place in footprint.leaves:
            if not (self._was(place, 0, at) or self._was(place, 0, until)):
                return None
            lift = self.changed(place, at)
            if last and not each.back and any(place == p for p, _ in last[0].arrivals):
                cost += HURRIED * max(0.0, 1.0 - max(0.0, lift - each.at))
            begun = min(begun, lift)
            if self.value(place, at + AT_ONCE) and self.value(place, at):
                cost += TOO_SOON
            elif place in each.open and lift < each.at - OVERLAP:
                cost += OUT_OF_ORDER
        if footprint.tray is not None:
            if not self.touched(footprint.tray, each.at - OVERLAP, at + SLACK):
                cost += TRAY_UNTOUCHED
        elif not footprint.leaves and self._went_back(each, footprint):
            cost += WENT_BACK
        line = self.forward(each.line.step(footprint.move, footprint))
        return self._next(each, line, footprint, at, until, opened, cost, begun)

    def _went_back(self, each: Track, drop: Footprint) -> bool:
        """Whether a man that seems to be dropped stands where one was lifted for the last ply: it
        was rather put back there.
        """
        return any(
            place in ply.leaves and bool(ply.swaps)
            for ply in each.line.last_ply()
            for place, _ in drop.arrivals
        )

    def _next(
        self,
        each: Track,
        line: Line,
        ply: Footprint,
        at: float,
        until: float,
        opened: set[Place],
        cost: float,
        begun: float = 0.0,
        back: bool = False,
    ) -> Track:
        """Return a track one ply on, or back, with what the ply did not explain."""
        left = set()
        weak = cost
        for place in opened - ply.cells:
            if self.value(place, at) != line.expected.get(place, 0):
                left.add(place)
                if self._is_parked(each, place, at):
                    cost += HOVERED
                elif place in each.open:
                    cost += LEFT_OPEN
                elif not self.value(place, at) and self.changed(place, at) < at - OVERLAP:
                    cost += EARLY
            elif place not in ply.around:
                cost += self._noise(each, place, at)
        taken = not back and any(place in each.line.expected for place, _ in ply.arrivals)
        parked = {
            place
            for place in left
            if self._is_parked(each, place, at)
            or (taken and place not in line.expected and place not in each.open)
        }
        return Track(
            line,
            at,
            at,
            each.cost + cost,
            each.owed,
            frozenset(left),
            ply.around,
            until + BURST,
            weak,
            frozenset(parked),
            at if taken else each.caught,
            next((tray for tray in ply.trays if tray != ply.tray), None) if taken else each.bound,
            back=back,
            undone=each.undone | {each.line} if back else each.undone,
            begun=begun,
            silent=each.silent,
        )

    # ---- what things cost

    def _is_parked(self, each: Track, place: Place, at: float) -> bool:
        """Whether a captured man may have been put down on a place of the board."""
        if place in each.parked:
            return True
        if place in each.line.expected or place in each.own or at <= each.caught:
            return False
        times = self.times.get(place, ())
        number = bisect_right(times, each.caught - OVERLAP)
        if number == len(times) or not self.values[place][number]:
            return False
        came = times[number]
        if came > each.caught + PARKED_AT_MOST or any(
            p in each.line.expected and not self.value(p, came - AT_ONCE)
            for p in self._opened(each, came)
        ):
            return False  # it is rather the man that is missing
        return each.bound is None or not self.touched(each.bound, each.caught, times[number])

    def _noise(self, each: Track, place: Place, until: float) -> float:
        """Return the cost of a place that was touched for nothing."""
        times, values = self.times.get(place, []), self.values.get(place, [])
        since = each.seen - OVERLAP
        spans = [
            (b - a, bool(v))
            for (a, v), (b, _) in pairwise(zip(times, values, strict=True))
            if since < a <= until
        ]
        if self._is_parked(each, place, until):
            return PARKED / 2 if place in each.parked else PARKED
        if place not in each.line.expected:
            rests = [span for span, on in spans if on]
            cost = HOVERED + RESTING * min(max(rests, default=0.0), 3.0)
            return cost + GHOST * self._from_nowhere(each, place, since, until)
        gaps = [span for span, on in spans if not on]
        return BLINKED if gaps and max(gaps) < BLINK else NUDGED

    def _from_nowhere(self, each: Track, place: Place, since: float, until: float) -> bool:
        """Whether a man stood on a place while no other man was missing."""
        times, values = self.times.get(place, []), self.values.get(place, [])
        expected = each.line.expected
        for (came, value), (left, _) in pairwise(zip(times, values, strict=True)):
            if not value or came <= since or left > until or left - came < SLACK + AT_ONCE:
                continue
            at = left - AT_ONCE
            if all(
                self.value(p, at) or self.value(p, at - SLACK)
                for p in self._opened(each, until)
                if p in expected
            ):
                return not self._from_tray(each, place, came)
        return False

    def _from_tray(self, each: Track, place: Place, came: float) -> bool:
        """Whether a man that came to the board may have been taken from a tray."""
        sight = each.line.sight
        if any(self.touched(tray, came - 3.0, came + SLACK) for tray in sight.trays):
            return True
        return any(
            not ply.leaves and (ply.tray is None)
            for ply in (*each.line.touching({place}), *each.line.last_ply())
        )

    def _lingered(self, place: Place, after: float, until: float) -> float:
        """Return for how many seconds a man stood on a place of its way, beyond the first half."""
        times, values = self.times.get(place, []), self.values.get(place, [])
        stood = [
            left - came
            for (came, value), (left, _) in pairwise(zip(times, values, strict=True))
            if value and after < came and left <= until
        ]
        return min(max((each - 0.5 for each in stood if each > 0.5), default=0.0), 3.0)

    def _fuss(self, place: Place, after: float, until: float) -> float:
        """Return the cost of a man that was put on a place and lifted again before it stayed."""
        times, values = self.times.get(place, []), self.values.get(place, [])
        cost = 0.0
        for (at, value), (left, _) in pairwise(zip(times, values, strict=True)):
            if value and after < at and left <= until and left - at >= BURST:
                cost += FUSSED * (1 + min(left - at, 2.0))
        return cost

    def _end(self, each: Track, now: float, levels: Mapping[Place, Reading]) -> End:
        """Return a line with what it leaves unexplained at the present moment."""
        line = each.line
        cost = each.cost
        lifted, extra = set(), set()
        opened = self._opened(each, now)
        for place in opened | each.own:
            if place in line.masked:
                continue
            value, expected = levels.get(place, 0), line.expected.get(place, 0)
            if value == expected:
                if place in opened:
                    cost += self._noise(each, place, now)
            elif not value:
                lifted.add(place)
            else:
                extra.add(place)
        parked = bool(extra) and all(self._is_parked(each, place, now) for place in extra)
        loose = set() if parked else extra
        cost += (PARKED + TRAY_WRONG * (len(extra) - 1)) * parked
        held = False
        if lifted or loose:
            cost += WAITING * min(max(0.0, now - self._changed_last(now)), 1.2)
            away = frozenset(lifted | loose)
            plans = [f for f in line.touching(away) if not lifted.isdisjoint(f.leaves)]
            if plans:
                cost += UNDERWAY if loose else IN_HAND
                held = not loose
                if not loose and any(set(f.swaps) & opened for f in plans):
                    cost += TRIED
            elif lifted and self._goes_back(line, away, levels):
                cost += UNDERWAY
            elif lifted:
                cost += UNDERWAY * len(lifted) + STRAY * max(0, len(loose) - 1)
                cost += 2 * UNDERWAY * bool(loose)
            else:
                cost += STRAY * len(loose)
        trays, late = self._trays(each, levels)
        return End(each, cost + trays, frozenset(lifted), frozenset(extra), held, parked, late)

    def _goes_back(
        self, line: Line, away: frozenset[Place], levels: Mapping[Place, Reading]
    ) -> bool:
        """Whether a hand may be taking the last ply of a line back."""
        before = line.head().expected
        return any(
            away <= ply.around and all(levels.get(p, 0) in (0, before.get(p, 0)) for p in away)
            for ply in line.last_ply()
        )

    def _changed_last(self, now: float) -> float:
        """Return when anything changed last."""
        number = bisect_right(self.edges, now, key=lambda edge: edge[0])
        return self.edges[number - 1][0] if number else now

    def _trays(self, each: Track, levels: Mapping[Place, Reading]) -> tuple[float, bool]:
        """Return what the trays hold against a line, and whether a man may still come."""
        line = each.line
        cost, late = 0.0, False
        if line.match.outcome is not None:
            return cost, late  # the board may be cleared
        for tray in line.sight.trays - line.masked:
            pockets = line.sight.pockets[tray]
            reads, wanted = levels.get(tray, 0), line.expected.get(tray, 0)
            owed = each.owed.get(tray, 0)
            if reads == min(wanted, pockets) or reads == max(0, min(wanted - owed, pockets)):
                continue
            missing = wanted - owed - reads
            if missing > 0:
                came = self._came(each, tray)
                behind = min(sum(came), missing)
                late = late or bool(behind)
                cost += TRAY_LATE * (behind - came[0]) if behind > came[0] else 0.0
                cost += ON_ITS_WAY * min(came[0], behind)
                missing -= behind
                if missing and any(line.using(tray)):
                    cost += TRAY_AT_WORK
                    missing -= 1
                cost += TRAY_WRONG * missing
            else:
                put_away = min(max(owed, 0), -missing)
                cost += TRAY_LATE * put_away
                if -missing > put_away and any(line.using(tray)):
                    cost += TRAY_AT_WORK
                    put_away += 1
                cost += TRAY_WRONG * (-missing - put_away)
        return cost, late

    def _came(self, each: Track, tray: Place) -> list[int]:
        """Return how many men the last plies of a line have given to a tray, the last first."""
        came: list[int] = []
        step: Line | None = each.line
        while step is not None and step.before is not None and len(came) < 6:
            if step.footprint is not None:
                came.append(step.expected.get(tray, 0) > step.before.expected.get(tray, 0))
            step = step.before
        return came or [0]
