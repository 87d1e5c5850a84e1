"""Decoding: which plies, one after the other, the edges of the sensors tell of.

Every raw edge since the lines of play that are still possible began is gone through in order of
time. Wherever a man comes to stand, a ply of each line may have been finished by it: its man must
be gone from where it stood and be where it goes. Whatever else was touched a line carries along;
what a later ply explains is free, and what nothing explains costs. So nothing depends on the board
ever being at rest, and a line that was read wrongly is overtaken by a better one a few plies later.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from copy import copy
from dataclasses import dataclass, replace

from engine.edges import AT_ONCE, BURST, EDGES_KEPT, SLACK, Edges, Put
from engine.footprints import Footprint, Line, Reading
from engine.game import Place
from engine.weighing import (
    CLEARED_AFTER,
    EARLIER,
    EARLY,
    FOLLOWED,
    HIDDEN,
    HOVERED,
    HURRIED,
    IN_THE_WAY,
    LEFT_OPEN,
    LINGERED,
    MISSED,
    OFF,
    OUT_OF_ORDER,
    OVERLAP,
    PARKED_AT_MOST,
    RUSHED,
    SILENT,
    STANDING,
    TAKEN_BACK,
    TO_AND_FRO,
    TOO_QUICK,
    TOO_SOON,
    TOOK_OVER,
    TRAY_UNTOUCHED,
    WENT_BACK,
    End,
    Track,
    Weighing,
)

SEALED = 0.12  # seconds after which nothing more is learnt about a man that was put down
REMEMBERED = 15.0  # seconds for which edges are remembered while all men stand still
CLEARED = 2  # other places touched after the end of a match: the board is being cleared
AT_A_TIME = 8  # guesses a step
WIDTH = 96  # lines alive at any time
BEHIND = 4  # plies by which a line may be shorter than the best
HOPELESS = 3.2  # lines that cost so much more than the best are given up
WORTH_A_LOOK = 1.5  # … and so much more are not what is to be seen now


@dataclass(slots=True)
class Step:
    """What became of all lines when a man came to stand."""

    before: list[Track]
    put: Put
    after: list[Track]
    known: float
    """By when."""
    version: int
    """Of the edges, then."""


@dataclass(slots=True)
class Fit:
    """How lines fit, as long as nothing changes."""

    tracks: list[Track]
    version: int
    """Of the edges."""
    levels: Mapping[Place, Reading]
    guesses: dict[Track, float]
    ends: dict[Track, list[End]]
    """Of each track that was worth a look, with those that half of a ply's marks lead to."""
    now: float

    def holds(self, tracks: list[Track], version: int, levels: Mapping[Place, Reading]) -> bool:
        """Whether it is still so, but for what costs more the longer it waits."""
        return self.tracks is tracks and self.version == version and self.levels == levels


class Decoder:
    """All lines that are still possible, with the edges that told them apart."""

    def __init__(
        self,
        forward: Callable[[Line], Line],
        is_named: Callable[[Line], bool] = lambda _: False,
    ) -> None:
        self.forward = forward
        self.is_named = is_named
        self.tracks: list[Track] = []
        self.edges = Edges()
        self.now = 0.0
        self._weigh = Weighing(self.edges)
        self._sealed = self._rested_at = float("-inf")
        self._tray_at = float("-inf")  # when a tray was touched last
        self._queue: list[Put] = []  # sealed, but not gone through yet
        self._ahead: list[Step] = []  # what was gone through last and is not sealed
        self._fit: Fit | None = None
        self._rested: list[Track] = []  # the tracks when all men stood still last
        self._at_most = float("inf")  # what a line may cost

    # ---- what comes in

    def begin(
        self, lines: Iterable[Line], levels: Mapping[Place, Reading], since: float | None
    ) -> None:
        """Start anew from `lines`. What was touched after `since` is not forgotten; None: now,
        and the sensors read `levels`.
        """
        if since is None:
            since = self.edges.restart(levels, self.now)
        self._weigh.changed()
        self._sealed = since
        self._queue = []
        self.tracks = []
        for line in lines:
            trays = line.sight.trays - line.masked
            owed = {
                tray: gone
                for tray in trays
                if (gone := line.expected.get(tray, 0) - self.edges.value(tray, since))
                and self.edges.value(tray, since)
                != min(line.expected.get(tray, 0), line.sight.pockets[tray])
            }
            odd = {
                place
                for place in line.sight.cells - line.masked
                if self.edges.value(place, since) != line.expected.get(place, 0)
            }
            self.tracks.append(Track(line, since, since, 0.0, owed, frozenset(odd)))
        self._rested, self._rested_at = self.tracks, since

    def touch(self, at: float, place: Place, reading: Reading) -> None:
        """Note a raw edge: `place` read `reading` from `at` on, however briefly."""
        self.now = max(self.now, at)
        self.edges.add(at, place, reading)
        self._weigh.changed()
        if place not in self.tracks[0].line.sight.cells:
            self._tray_at = at
            self._ahead.clear()  # trays tell of what was gone through before
        if len(self.edges.order) > EDGES_KEPT:
            self._forget(self.edges.order[EDGES_KEPT // 4][0])

    def _forget(self, until: float) -> None:
        """Forget all edges up to a time, and where each place stood then."""
        self.edges.forget(until)
        self._weigh.changed()
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

    def named(self, steps: Collection[Line]) -> None:
        """Take it that people named these moves: nobody needs to have seen them."""
        unseen = {step for step in steps if step.footprint and not step.footprint.is_seen}
        if not unseen:
            return
        tracks = []
        for each in self.tracks:
            known = sum(step in unseen for step in each.line.steps())
            cost, silent = each.cost - SILENT * known, max(0, each.silent - known)
            tracks.append(replace(each, cost=cost, silent=silent) if known else each)
        self.tracks = tracks
        self.forget_ahead()

    def again(self, line: Callable[[Line], Line], at_most: float = float("inf")) -> Decoder:
        """Return another decoder that has seen the same, and goes through it once more with other
        lines in the place of its own, from when all men stood still last. It gives up all that
        cost more since then than `at_most`, be it all there are.
        """
        other = copy(self)
        other.tracks = other._rested = [
            self._remasked(each, line(each.line)) for each in self._rested
        ]
        other._at_most = other.rested[0] + at_most
        other._sealed = self._rested_at
        other._queue = []
        other._ahead = []
        other._fit = None
        return other

    def _remasked(self, each: Track, line: Line) -> Track:
        """Return a track with another line, which may believe other sensors."""
        off = {
            place
            for place in each.line.masked - line.masked
            if place in line.sight.cells
            and self.edges.value(place, self._rested_at) != line.expected.get(place, 0)
        }
        return replace(each, line=line, open=(each.open | off) - line.masked)

    @property
    def rested(self) -> tuple[float, int]:
        """What the best line had cost when all men stood still last, and how many plies it had."""
        best = min(self._rested, key=lambda each: each.cost)
        return best.cost, best.line.match.plies

    def put_since(self, at: float) -> bool:
        """Whether anything was put anywhere since then."""
        return any(self.edges.value(place, when) for when, place in self.edges.between(at))

    def has_gone_back_to(self, line: Line) -> bool:
        """Whether men were seen to come back to where they stand at the end of a line, which is as
        likely as anything.
        """
        guesses = [(self._weigh.guess(each, self.now), each) for each in self.tracks]
        limit = min(guess for guess, _ in guesses) + WORTH_A_LOOK
        return any(each.back and each.line is line and guess <= limit for guess, each in guesses)

    def men_put_since(self, at: float) -> int:
        """Return how many times a man came to stand anywhere since then."""
        return sum(put.reading != 0 for put in self.edges.puts(at, self.now, self.now, {}))

    def touched_since_rest(self, place: Place) -> bool:
        """Whether a place was touched since all men stood still last."""
        return self.edges.changed(place) > self._rested_at

    def is_cleared(self, lines: Iterable[Line]) -> bool:
        """Whether so many men are off since the end of `lines` that the board is being cleared."""
        found = [
            sum(
                self.edges.value(place, self.now) != each.line.expected.get(place, 0)
                for place in self._weigh.opened(each, self.now) - each.own
            )
            + sum(
                self.edges.touched(tray, each.at + CLEARED_AFTER, self.now)
                for tray in each.line.sight.trays
            )
            for each in self.tracks
            if each.line in lines
        ]
        return bool(found) and min(found) > CLEARED

    def rest(self, now: float) -> Generator[None, None, None]:
        """All men have stood still since `now`: what was touched before is paid for, step by step,
        but nothing before the end.
        """
        yield from self._seal(now)
        tracks = []
        known = {(each.line, each.at): each for each in self.tracks}
        for each in self.tracks:
            for child in self._half_seen(each, now):
                known.setdefault((child.line, child.at), child)
            yield
        off = {
            each: frozenset(
                place
                for place in self._weigh.opened(each, now)
                if self.edges.value(place, now) != each.line.expected.get(place, 0)
            )
            for each in known.values()
        }
        # A hand that makes a pause on its way stands where a shorter way would have ended: it may
        # still go on.
        shorter = {each.line.head() for each, left in off.items() if not left}
        for each, left in off.items():
            if left and each.line in shorter:
                paused = each.paused | left
                tracks.append(replace(each, paused=paused, pauses=each.pauses + STANDING))
                yield
                continue
            cost = each.cost + each.pauses
            for place in self._weigh.opened(each, now) - left:
                cost += self._weigh.noise(each, place, now)
            cost += STANDING * any(not self._weigh.is_parked(each, place, now) for place in left)
            tracks.append(
                replace(
                    each,
                    cost=cost,
                    open=left,
                    seen=max(now, each.seen),
                    paused=frozenset(),
                    pauses=0.0,
                )
            )
            yield
        guesses = yield from self._guessed(tracks, float("inf"))
        self.tracks = self._rested = _hopeful(_going_on(guesses))
        self._rested_at = now
        self._forget(now - REMEMBERED)

    # ---- what it tells of

    def ends(
        self,
        now: float,
        levels: Mapping[Place, Reading],
        wanted: Callable[[Track], bool] | None = None,
    ) -> Generator[None, None, list[End]]:
        """Return how each line of the tracks that are wanted fits at the present moment, the best
        first; a search that goes step by step.
        """
        self.now = max(self.now, now)
        yield from self._seal(now - SEALED)
        tracks, version = self.tracks, self.edges.version
        for number, put in enumerate(self.edges.puts(self._sealed, now, self.now, levels)):
            tracks = yield from self._step(tracks, put, number)
        fit = self._fit
        if fit is None or not fit.holds(tracks, version, levels):
            guesses = yield from self._guessed(tracks, now)
            fit = self._fit = Fit(tracks, version, dict(levels), guesses, {}, now)
        elif fit.now != now:
            for known in fit.ends.values():
                for number, end in enumerate(known):
                    if end.waiting:
                        known[number] = self._weigh.end(end.track, now, levels)
                yield
            fit.now = now
        sound = [guess for each, guess in fit.guesses.items() if wanted is None or wanted(each)]
        limit = min(sound or fit.guesses.values(), default=0.0) + WORTH_A_LOOK
        best: dict[Line, End] = {}
        least = float("inf")
        for each, guess in sorted(fit.guesses.items(), key=lambda pair: pair[1]):
            if guess > max(limit, least):
                break
            ends = fit.ends.get(each)
            if ends is None:
                yield
                ends = []
                for track in (each, *self._overtaken(each, now), *self._half_seen(each, now)):
                    ends.append(self._weigh.end(track, now, levels))
                    yield
                fit.ends[each] = ends
            for end in ends:
                if wanted is not None and not wanted(end.track):
                    continue
                least = min(least, end.cost)
                if end.line not in best or best[end.line].cost > end.cost:
                    best[end.line] = end
        return sorted(best.values(), key=lambda end: end.cost)

    def _seal(self, until: float) -> Generator[None, None, None]:
        """Go through what is old enough for nothing more to be learnt about it."""
        until = self.edges.calm(until, self.now)
        if until > self._sealed:
            self._queue += self.edges.puts(self._sealed, until, self.now, {})
            self._sealed = until
        while self._queue:
            self.tracks = yield from self._step(self.tracks, self._queue[0], 0)
            del self._queue[0], self._ahead[0]

    def _step(
        self, tracks: list[Track], put: Put, number: int
    ) -> Generator[None, None, list[Track]]:
        """Return what becomes of all lines when a man comes to stand, the so-manieth that is not
        sealed; as it was found out before, if no edge since then can make a difference.
        """
        now, version = self.now, self.edges.version
        if number < len(self._ahead):
            step = self._ahead[number]
            if (
                step.before is tracks
                and step.put == put
                and (step.version == version or put.until + SLACK < step.known)
            ):
                if step.version == version:
                    step.known = now
                return step.after
            del self._ahead[number:]
        after = yield from self._gone_through(tracks, put)
        del self._ahead[number:]
        self._ahead.append(Step(tracks, put, after, now, version))
        return after

    def forget_ahead(self) -> None:
        """Find out anew what is not sealed: what it depends on beside the edges has changed."""
        self._ahead.clear()
        self._fit = None

    def _gone_through(self, tracks: list[Track], put: Put) -> Generator[None, None, list[Track]]:
        """Return what becomes of all lines when a man comes to stand."""
        if not tracks:
            return tracks
        in_tray = put.place not in tracks[0].line.sight.cells
        known = {(each.line, each.at): each for each in tracks}
        guesses = yield from self._guessed(tracks, put.at)
        likely = _going_on(guesses)
        limit = min(guesses.values()) + HOPELESS
        fresh = False
        for each, guess in likely.items():
            if guess > limit:
                continue
            yield
            after = self._half_seen(each, put.at) if in_tray else self._after(each, put)
            for child in after:
                if child is None:
                    yield
                    continue
                key = child.line, child.at
                if key not in known or known[key].cost > child.cost:
                    known[key] = child
                    fresh = True
                yield
        if not fresh:
            return tracks
        guesses |= yield from self._guessed(
            [each for each in known.values() if each not in guesses], put.at
        )
        guessed = _going_on({each: guesses[each] for each in known.values()})
        return _hopeful(guessed, self._at_most)

    def _guessed(
        self, tracks: Sequence[Track], at: float
    ) -> Generator[None, None, dict[Track, float]]:
        """Return what each line will cost at least."""
        guesses = {}
        for number, each in enumerate(tracks, 1):
            guesses[each] = self._weigh.guess(each, at)
            if not number % AT_A_TIME:
                yield
        return guesses

    def _after(self, each: Track, put: Put) -> Iterator[Track | None]:
        """Yield what becomes of a line when a man comes to stand; None for what comes to nothing,
        so that nobody need wait for it.
        """
        rocks = (
            put.place in each.own
            and put.until <= each.own_until
            and put.reading == each.line.expected.get(put.place, 0)
        )
        if put.at <= each.at or rocks:
            return
        for begun in (each, *self._without_a_put(each, put.at)):
            for footprint in begun.line.bringing(
                put.place, put.reading, self._weigh.opened(begun, put.at)
            ):
                child = self._completed(begun, footprint, put.at, put.until, not put.reading)
                yield child
                if child is not None:
                    yield from self._overtaken(child, put.at)
        child = self._undone(each, put) if put.reading else None
        if child is not None:
            yield child

    def _overtaken(self, each: Track, at: float) -> Iterator[Track]:
        """Yield what becomes of a line if its next ply was finished before its last one."""
        opened = self._weigh.opened(each, at)
        for place in each.open:
            reading = self.edges.value(place, at)
            if not reading:
                continue
            came = self.edges.changed(place, at)
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
            after = each.line.step(footprint.move, footprint)
            known = self.is_named(after)
            yield replace(
                each,
                line=self.forward(after),
                cost=each.cost + (0.0 if known else SILENT),
                weak=0.0,
                silent=each.silent + (not known),
                unseen=True,
            )
        yield from self._half_seen(each, until)

    def _half_seen(self, each: Track, until: float) -> Iterator[Track]:
        """Yield the same, without the plies that nobody sees at all."""
        yield from self._in_trays(each, until)
        for child in self._lifted_only(each, until):
            yield child
            yield from self._in_trays(child, until)

    def _in_trays(self, each: Track, until: float) -> Iterator[Track]:
        """Yield what becomes of a line by plies that only trays show."""
        if self._tray_at <= each.at - OVERLAP:
            return
        used = [
            footprint
            for tray in each.line.trays
            if self.edges.touched(tray, each.at - OVERLAP, until)
            for footprint in each.line.in_tray(tray)
        ]
        for footprint in dict.fromkeys(used):
            line = self.forward(each.line.step(footprint.move, footprint))
            if all(self._weigh.holds(each, tray, line, until) for tray in footprint.trays):
                at = max(each.at, *(self.edges.changed(tray, until) for tray in footprint.trays))
                yield replace(each, line=line, at=at, weak=0.0, back=False, bare=False)

    def _lifted_only(self, each: Track, until: float) -> Iterator[Track]:
        """Yield what becomes of a line by plies of which a man is only seen to be lifted."""
        opened = self._weigh.opened(each, until)
        lifted = {p for p in opened if p in each.line.expected and not self.edges.value(p, until)}
        for place in lifted:
            for footprint in each.line.lifted_only(place, lifted, opened):
                quick = [p for p in footprint.swaps if p not in opened]
                if footprint.arrivals and len(footprint.arrivals) != len(quick):
                    continue
                lift = self.edges.changed(place, until)
                cost = HIDDEN
                if quick:
                    given = any(
                        self.edges.touched(tray, lift, self.now)
                        for tray in footprint.trays
                        if tray != footprint.tray
                    )
                    cost = TOO_QUICK if given else MISSED / len(footprint.leaves)
                line = self.forward(each.line.step(footprint.move, footprint))
                yield replace(
                    each,
                    line=line,
                    at=max(each.at, lift),
                    cost=each.cost - each.pledge + each.stopped(footprint) + cost,
                    weak=cost,
                    pledge=0.0 if quick else HIDDEN - FOLLOWED,
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
        ply = each.line.last_ply()
        if ply and not ply[0].leaves and opened.issuperset(ply[0].cells):
            head = each.line.head()
            over = each.line.match.outcome is not None and len(opened - ply[0].cells) > CLEARED
            if not over and all(
                self.edges.value(place, until) == head.expected.get(place, 0)
                for place in ply[0].cells
            ):
                places = ply[0].cells | ply[0].trays
                gone = max((self.edges.changed(p, until) for p in places), default=0.0)
                yield replace(
                    each,
                    line=head,
                    cost=each.cost + TAKEN_BACK,
                    weak=0.0,
                    pledge=0.0,
                    open=frozenset(opened - ply[0].around),
                    seen=until,
                    bare=not self._is_back(each, ply[0], head, until),
                    back=True,
                    undone=(*each.undone, (each.line, gone)),
                )

    def _is_back(self, each: Track, ply: Footprint, head: Line, at: float) -> bool:
        """Whether the man that a ply had taken from a tray was put back into it."""
        tray = ply.tray
        return (
            tray is not None
            and self.edges.touched(tray, each.at, at)
            and self._weigh.holds(each, tray, head, at)
        )

    def _undone(self, each: Track, put: Put) -> Track | None:
        """Return what becomes of a line if a man that comes to stand takes its last ply back."""
        found = each.line.last_ply()
        if not found or put.place not in found[0].around:
            return None
        ply, head, at = found[0], each.line.head(), put.at
        if put.reading != head.expected.get(put.place, 0):
            return None
        opened = self._weigh.opened(each, at)
        if each.line.match.outcome is not None and len(opened - ply.cells) > CLEARED:
            return None
        for place in ply.cells:
            if not self.edges.was(place, head.expected.get(place, 0), at):
                return None
            if place not in opened and place != put.place:
                return None
        return self._next(each, head, ply, at, put.until, opened, TAKEN_BACK, back=True)

    def _completed(
        self, each: Track, footprint: Footprint, at: float, until: float, removed: bool = False
    ) -> Track | None:
        """Return what becomes of a line if a man that comes to stand finishes a ply, or one that is
        `removed`.
        """
        cost = 0.0
        missing = 0
        taken_up = set()
        opened = self._weigh.opened(each, at)
        begun = at
        for place, reading in footprint.arrivals:
            if not (self.edges.was(place, reading, at) or self.edges.was(place, reading, until)):
                if not removed or not self.edges.stood(place, reading, each.at, at):
                    return None
                taken_up.add(place)  # by the next player, before the last man was removed
                cost += TOO_SOON
            if place not in opened and not self.edges.touched(place, each.at, at):
                missing += 1
                cost += MISSED
                if missing > 1 or len(footprint.arrivals) == 1:
                    return None
            elif place in each.open and self.edges.value(place, each.at) == reading:
                cost += OUT_OF_ORDER
            cost += self._weigh.fuss(place, each.at, at)
        for place in footprint.around - footprint.cells:
            cost += LINGERED * self._weigh.lingered(place, each.at, at)
        last = each.line.last_ply()
        for place in footprint.leaves:
            if not (self.edges.was(place, 0, at) or self.edges.was(place, 0, until)):
                return None
            lift = self.edges.changed(place, at)
            if last and not each.back and each.line.takes_over(footprint, place):
                waited = max(0.0, lift - min(each.at, self.edges.came(place, lift)))
                again = any(each.line.head().takes_over(last[0], p) for p in last[0].leaves)
                cost += HURRIED * max(0.0, 1.0 - waited)
                cost += (TO_AND_FRO if again else TOOK_OVER) * max(0.0, 1.0 - waited / 4)
            begun = min(begun, lift)
            if self.edges.value(place, at + AT_ONCE) and self.edges.value(place, at):
                cost += TOO_SOON
            elif place in each.open and lift < each.at - OVERLAP:
                cost += OUT_OF_ORDER
        if footprint.tray is not None:
            if not self.edges.touched(footprint.tray, each.at - OVERLAP, at + SLACK):
                cost += TRAY_UNTOUCHED
        elif not footprint.leaves:  # it came from where nothing tells
            cost += RUSHED * max(0.0, 1.0 - max(0.0, at - each.at))
            cost += WENT_BACK * self._weigh.went_back(each, footprint)
        if each.unseen and not self.is_named(each.line):  # that took its time, too
            seen = each.line.last_on_cells()
            if seen is None or not any(place in footprint.leaves for place, _ in seen.arrivals):
                cost += RUSHED * max(0.0, 1.0 - max(0.0, at - each.at))
        line = self.forward(each.line.step(footprint.move, footprint))
        return self._next(each, line, footprint, at, until, opened, cost, begun, taken_up=taken_up)

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
        cost += each.stopped(ply)
        weak = cost
        for place in (opened - ply.cells) | taken_up:
            if self.edges.value(place, at) != line.expected.get(place, 0):
                left.add(place)
                if self._weigh.is_parked(each, place, at):
                    cost += HOVERED if at < each.caught + PARKED_AT_MOST else IN_THE_WAY
                elif place in each.open:
                    cost += LEFT_OPEN
                elif not self.edges.value(place, at) and self.edges.touched(
                    place, max(each.seen, each.at), max(at - OVERLAP, begun if ply.leaves else 0.0)
                ):
                    cost += EARLY
            elif place not in ply.around:
                cost += self._weigh.noise(each, place, at)
        taken = not back and any(place in each.line.expected for place, _ in ply.arrivals)
        parked = {
            place
            for place in left
            if self._weigh.is_parked(each, place, at)
            or (taken and place not in line.expected and place not in each.open)
        }
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
            frozenset(parked),
            at if taken else each.caught,
            next((tray for tray in ply.trays if tray != ply.tray), None) if taken else each.bound,
            back=back,
            undone=(*each.undone, (each.line, at)) if back else each.undone,
            begun=begun,
            silent=each.silent,
        )


def _going_on(guesses: dict[Track, float]) -> dict[Track, float]:
    """Return what each line will cost at least; one from which another goes on by a ply hardly
    more than that, for the hand may still go on to a longer one.
    """
    if len(guesses) <= WIDTH and max(guesses.values()) <= min(guesses.values()) + HOPELESS:
        return guesses  # all may stay
    shorter: dict[Line, float] = {}
    for each, guess in guesses.items():
        head = each.line.head()
        shorter[head] = min(guess, shorter.get(head, guess))
    return {
        each: min(guess, shorter.get(each.line, guess) + OFF) for each, guess in guesses.items()
    }


def _hopeful(guesses: dict[Track, float], at_most: float = float("inf")) -> list[Track]:
    """Return the lines that are worth going on with, the best first."""
    ranked = sorted(guesses.items(), key=lambda pair: pair[1])
    best, limit = ranked[0][0], min(ranked[0][1] + HOPELESS, at_most)
    return [
        each
        for each, guess in ranked
        if guess <= limit
        and each.silent <= best.silent + 1
        and (each.back or each.line.match.plies >= best.line.match.plies - BEHIND)
    ][:WIDTH]
