"""Decoding: which plies, one after the other, the edges of the sensors tell of.

Every raw edge since the lines of play that are still possible began is gone through in order of
time. Wherever a man comes to stand, a ply of each line may have been finished by it: its man must
be gone from where it stood and be where it goes. Whatever else was touched a line carries along;
what a later ply explains is free, and what nothing explains costs. So nothing depends on the board
ever being at rest, and a line that was read wrongly is overtaken by a better one a few plies later.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable, Mapping
from copy import copy
from dataclasses import dataclass
from functools import cache
from itertools import takewhile

from engine.game import Place
from engine.reading.beam import SEALED, Beam, lines_of
from engine.reading.evidence import SILENT
from engine.reading.extend import Plies
from engine.reading.finishing import CLEARED
from engine.reading.fitting import WORTH_A_LOOK, Fitting
from engine.reading.footprints import Reading
from engine.reading.lines import Line
from engine.reading.names_in_order import NamesInOrder
from engine.reading.observations import BURST, EDGES_KEPT, SLACK, Edges, Put
from engine.reading.rests import REMEMBERED, Rest, Rests
from engine.reading.tracks import End, Track
from engine.reading.trays import CLEARED_AFTER
from engine.reading.unseen import Past, unseen_since
from engine.reading.weighing import Weighing
from engine.reading.whereabouts import Whereabouts

JUST_BEFORE = 1e-6  # seconds


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
class Sealing:
    """The search for what becomes of all lines for good."""

    tracks: list[Track]
    search: Generator[None, None, list[Track] | None]


class Decoder:
    """All lines that are still possible, with the edges that told them apart."""

    def __init__(
        self,
        forward: Callable[[Line], Line],
        is_named: Callable[[Line], bool],
        contradicted: Callable[[Track], bool],
        names: NamesInOrder,
    ) -> None:
        self.tracks: list[Track] = []
        self.edges = Edges()
        self.now = 0.0
        self._names = names
        self._names_mark = names.mark
        self._weigh = Weighing(self.edges, names)
        self._beam = Beam(Plies(self._weigh, forward, is_named), contradicted)
        self._past = Past(self._beam)
        self._sealed = float("-inf")
        self._queue: list[Put] = []  # sealed, but not gone through yet
        self._ahead: list[Step] = []  # what was gone through last and is not sealed
        self._fitting = Fitting(self._beam)
        self._sealing: Sealing | None = None  # what is being gone through for good
        self._unseen: tuple[list[Track], str, bool] = [], "", False  # what was asked of them last
        self._stopped: list[Track] | None = None  # these go on to too many that are likely
        self.is_behind = False
        """Whether so many lines are likely that what hands have done since waits."""
        self._rests = Rests(self.edges)
        self._may_be_held: frozenset[Place] = frozenset()
        """The men of which a hand may have held one when all men stood still last."""
        self.late = 0.0
        """What it cost then that men had still to reach their trays."""
        self.accepted = (float("-inf"), 0)
        """What a line that people named had cost by then, and how many plies it had, unless all men
        have stood still since.
        """

    @property
    def is_lost(self) -> bool:
        """Whether likely lines have been given up since it began."""
        return self._beam.is_lost

    @property
    def rested(self) -> tuple[float, int]:
        """What the line had cost that was shown when all men stood still last, and how many plies
        it had.
        """
        return self._rests.last.cost

    # ---- what comes in

    def begin(
        self,
        lines: Iterable[Line],
        levels: Mapping[Place, Reading],
        since: float | None,
        afresh: bool = True,
    ) -> None:
        """Start anew from `lines`. What was touched after `since` is not forgotten; None: now,
        and the sensors read `levels`. Unless `afresh`, what hands did before may still turn out to
        be something else.
        """
        if since is None:
            edges, now = self.edges, self.now
            since = edges.restart(levels, now) if afresh else edges.calm_since(levels, now)
        self._weigh.changed()
        self._sealed = since
        self._queue = []
        self._beam.cuts = self._beam.is_lost = False
        self._sealing = None
        self._past.clear()
        self._unseen = [], "", False
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
        self._rests.begin(Rest.of(self.tracks, since, self.tracks), afresh)
        self._may_be_held = frozenset()
        self.late = 0.0
        self._follow_men(not any(each.open for each in self.tracks))
        self.accepted = float("-inf"), 0

    def touch(self, at: float, place: Place, reading: Reading) -> None:
        """Note a raw edge: `place` read `reading` from `at` on, however briefly."""
        self.now = max(self.now, at)
        if self._beam.whereabouts.has_stood(at) and self._rests.last.at >= self.edges.last(at):
            self._follow_men(self._rests.last_is_firm)
        self.edges.add(at, place, reading)
        self._beam.whereabouts.add(at, place, reading)
        self._weigh.changed()
        if place not in self.tracks[0].line.sight.cells:
            self._beam.plies.tray_at = at
            self._ahead.clear()  # trays tell of what was gone through before
        if len(self.edges.order) > EDGES_KEPT:
            self._beam.cuts = bool(self._queue)
            self._forget(self.edges.order[EDGES_KEPT // 4][0])

    def _forget(self, until: float) -> None:
        """Forget all edges up to a time, and where each place stood then."""
        self.edges.forget(until)
        self._weigh.changed()
        self._sealed = max(self._sealed, until)
        self.tracks = [
            each.but(seen=max(each.seen, until)) if each.seen < until else each
            for each in self.tracks
        ]

    def replace(self, line: Callable[[Line], Line]) -> None:
        """Put another line in the place of each."""
        self._past.clear()
        self.tracks = [each.but(line=line(each.line)) for each in self.tracks]
        self._rests.replace(line)

    def keep(self, wanted: Callable[[Line], bool]) -> None:
        """Give up all lines that are not wanted, unless that were all."""
        wanted = cache(wanted)  # many tracks have the same line
        kept = [each for each in self.tracks if wanted(each.line)]
        if not kept:
            return
        self._beam.spent.give_up_tracks(self.tracks)
        self.tracks = kept
        led_to: set[Line] = set()
        for each in kept:
            step: Line | None = each.line
            while step is not None and step not in led_to:
                led_to.add(step)
                step = step.before
        self._past.keep(lambda each: each.line in led_to or wanted(each.line))

    def catch_up(self) -> None:
        """Go through all that waits: of too many likely lines only the best are kept."""
        self._beam.cuts = True

    def named(self, steps: Collection[Line]) -> None:
        """Take it that people named these moves: nobody needs to have seen them."""
        unseen = {step for step in steps if step.footprint and not step.footprint.is_seen}
        if not unseen:
            return
        first = min(step.match.plies for step in unseen)

        def cheaper(each: Track) -> Track:
            late = takewhile(lambda step: step.match.plies >= first, each.line.latest())
            known = sum(step in unseen for step in late)
            cost, silent = each.cost - SILENT * known, max(0, each.silent - known)
            return each.but(cost=cost, silent=silent) if known else each

        self.tracks = list(map(cheaper, self.tracks))
        self._past.replace(cheaper)
        self.forget_ahead()

    def may_be_unseen(self, text: str) -> bool:
        """Whether a move of that text, of which no sensor shows anything, is possible now in any
        line. It is asked again and again.
        """
        tracks, named, found = self._unseen
        if tracks is not self.tracks or named != text:
            found = any(
                line.match.game.move_text(line.match.position, ply.move) == text
                for line in lines_of(self.tracks)
                for ply in line.possible.silent
            )
            self._unseen = self.tracks, text, found
        return found

    def add_unseen(
        self, text: str, said: float, late: float = 0.0, extra: float = 0.0
    ) -> Generator[None, None, bool]:
        """Take it that a move of which nobody sees anything was made not long before it was `said`,
        be that so `late`, wherever it was possible then, and what that costs `extra`; return
        whether it was anywhere. It took its time.
        """
        self.now = max(self.now, said)
        yield from self._seal(self.edges.calm(self.now - BURST, self.now))
        if self._queue:
            return False
        added = yield from self._past.with_unseen(text, said, late)
        if self.edges.last(said) >= self.edges.last(self.now):  # nothing has happened since
            added += yield from unseen_since(self._beam, self.tracks, text, said, self.now)
        known = {(each.line, each.at): each for each in self.tracks}
        for each in (each.but(cost=each.cost + extra) for each in added):
            key = each.line, each.at
            if key not in known or known[key].cost > each.cost:
                known[key] = each
        self.tracks = list(known.values())
        self.forget_ahead()
        return bool(added)

    def again(
        self,
        line: Callable[[Line], Line],
        at_most: float = float("inf"),
        forward: Callable[[Line], Line] | None = None,
        anew: bool = False,
        after: Line | None = None,
    ) -> Decoder:
        """Return another decoder that has seen the same, and goes through it once more with other
        lines in the place of its own, from when all men stood still last; with `anew`, where they
        belong, too, or where they first did before what was played `after` a line. It gives up
        all that cost more since then than `at_most`, be it all there are. `forward` replaces its
        own.
        """
        other = copy(self)
        if anew:
            other._rests, held = self._rests.anew(line, after), frozenset[Place]()
            other.late = 0.0  # where all is right, no tray lacks a man
        else:
            other._rests, held = self._rests.again(line), self._may_be_held
        other.tracks = other._rests.last.tracks
        # What people have named since then lines may still come to.
        named = min((self._names.cost(each) for each in other.tracks), default=0.0)
        other._beam = self._beam.again(forward, other.rested[0] + at_most + named)
        other._past = Past(other._beam)
        other._fitting = Fitting(other._beam)
        other._sealed = other._rests.last.at
        other._follow_men(anew, held)
        other._queue = []
        other._ahead = []
        other._sealing = other._stopped = None
        other._unseen = [], "", False
        return other

    def cost_before(self, line: Line | None) -> float:
        """Return what was left unexplained when all men stood right last, or before what was played
        after a line.
        """
        return self._rests.firm(line).cost[0]

    def lines_at_rest(self, after: Line | None = None) -> list[Line]:
        """Return the lines that were possible when all men stood still last where they belong, or
        when they first did before what was played `after` a line.
        """
        return [each.line for each in self._rests.firm(after).tracks]

    @property
    def stood(self) -> list[Line]:
        """The lines as which all men stood lately where they belong, be it that they went back."""
        return self._rests.firm_lines

    def is_past(self, each: Track) -> bool:
        """Whether the last ply of a line was finished when all men stood still last."""
        return each.at < self._rests.last.at

    def accept(self, line: Line) -> None:
        """Take it that a line was played, whatever it has left unexplained; nobody needs to have
        seen its last ply, if nothing has happened since.
        """
        best = self._fitting.best(line)
        if best is None:
            return
        cost, track = best.cost, best.track
        calm = not self._queue and self.edges.last(self.now) <= self._sealed
        if calm and all(each.line is not line for each in self.tracks):
            cost -= track.weak
            known = track.but(cost=track.cost - track.weak, weak=0.0, pledge=0.0, guessed=None)
            self.tracks = [*self.tracks, known]
            self.forget_ahead()
        self.accepted = cost, line.match.plies

    def track_of(self, line: Line) -> Track | None:
        """Return the track that came to a line and fitted best when it was looked at last; None if
        none was.
        """
        best = self._fitting.best(line)
        return None if best is None else best.track

    def alike(self, line: Line, more: float) -> list[Line]:
        """Return the lines that ended like one when they were looked at last, and cost only so much
        `more`, the best first.
        """
        return self._fitting.alike(line, more)

    def put_since(self, at: float) -> bool:
        """Whether anything was put anywhere since then."""
        return any(self.edges.value(place, when) for when, place in self.edges.between(at))

    def has_gone_back_to(self, line: Line) -> bool:
        """Whether men were seen to come back to where they stand at the end of a line, which is as
        likely as anything.
        """
        tracks = self._ahead[-1].after if self._ahead else self.tracks
        guesses = [(self._weigh.guess(each, self.now), each) for each in tracks]
        limit = min(guess for guess, _ in guesses) + WORTH_A_LOOK
        return any(each.back and each.line is line and guess <= limit for guess, each in guesses)

    def men_put_since(self, at: float) -> int:
        """Return how many times a man came to stand anywhere since then."""
        return sum(put.reading != 0 for put in self.edges.puts(at, self.now, self.now, {}))

    def touched_since_rest(self, place: Place) -> bool:
        """Whether a place was touched since all men stood still where they belong."""
        return self.edges.changed(place) > self._rests.firm().at

    def is_cleared(self, lines: Collection[Line]) -> bool:
        """Whether so many men are off since the end of `lines` that the board is being cleared,
        and not only plies taken back.
        """
        found = [
            sum(
                self.edges.value(place, self.now) != each.line.expected.get(place, 0)
                for place in self._weigh.opened(each, self.now) - each.own
            )
            + sum(
                self.edges.touched(tray, each.at + CLEARED_AFTER, self.now)
                for tray in each.line.sight.trays
                if each.line in lines
            )
            for each in self.tracks
        ]
        return min(found) > CLEARED

    def rest(self, now: float, shown: Collection[Line]) -> Generator[None, None, bool]:
        """All men have stood still since `now` as at the end of `shown`: what was touched before is
        paid for, step by step, but nothing before the end. Return whether they are where they
        belong, too: until they are, what happened may be gone through once more.
        """
        if self.is_behind:
            return False
        yield from self._seal(now)
        if self._queue:
            return False
        before = self.tracks
        is_known = self._beam.are_men_known(before, now)
        tracks, guesses = yield from self._beam.settled(before, now, is_known)
        best = yield from self._beam.kept(guesses)
        self._past.add(before, now, self.now - REMEMBERED)
        self._beam.spent.give_up_tracks(tracks, self._rests.tracks)
        self.tracks = best
        self.accepted = float("-inf"), 0
        still = [each for each in best if each.line in shown and not each.paused] or best
        right = self._is_right(still[0], now)
        self._rests.add(Rest.of(best, now, still), right)
        levels = {tray: self.edges.value(tray, now) for tray in still[0].line.trays}
        _, self.late = yield from self._weigh.trays.against(still[0], levels, now)
        if is_known:  # by what is likeliest, which need not be what is shown
            self._may_be_held = self._beam.may_be_held(before, now)
            self._follow_men(self._is_right(self.tracks[0], now), self._may_be_held)
        self._forget(now - REMEMBERED)
        del before, tracks, guesses
        kept = lines_of(self.tracks, self._rests.tracks)
        yield from self._beam.spent.forget_but(kept)
        return right

    def _follow_men(self, all_right: bool, may_be_held: frozenset[Place] = frozenset()) -> None:
        """Follow men from where they stood when all stood still, or were held if they may be."""
        at = self._rests.last.at
        lines = [
            each.line
            for each in self._rests.last.tracks
            if all(
                self.edges.value(place, at) == each.line.expected.get(place, 0)
                or self._weigh.is_parked(each, place, at)
                for place in self._weigh.opened(each, at)
            )
        ]
        self._beam.spent.give_up(self._beam.whereabouts.looked_at)
        self._beam.whereabouts = Whereabouts(self.edges, at, lines, all_right, may_be_held)

    def _is_right(self, each: Track, at: float) -> bool:
        """Whether all men that were touched were where a line has them, in the trays, too."""
        line = each.line
        return all(
            self.edges.value(place, at) == line.expected.get(place, 0)
            for place in self._weigh.opened(each, at)
        ) and all(self._weigh.trays.holds(each, tray, line, at) for tray in line.trays)

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
        if self._names_mark is not self._names.mark:
            self._names_mark = self._names.mark
            self.forget_ahead()
        yield from self._seal(self.edges.calm(now - SEALED, self.now))
        tracks, version = self.tracks, self.edges.version
        waits = self._queue[:1]
        for number, put in enumerate(
            self.edges.puts(self._sealed, now, self.now, levels) if not waits else ()
        ):
            after = yield from self._step(tracks, put, number)
            if after is None:
                waits = [put]
                break
            tracks = after
        self.is_behind = bool(waits)
        if waits:  # … and all is as it was then
            now = waits[0].at - JUST_BEFORE
            places = tracks[0].line.sight.places
            levels = {place: self.edges.value(place, now) for place in places}
        return (yield from self._fitting.ends(tracks, version, now, levels, wanted, bool(waits)))

    def _seal(self, until: float) -> Generator[None, None, None]:
        """Go through what is old enough for nothing more to be learnt about it."""
        if until > self._sealed:
            self._queue += self.edges.puts(self._sealed, until, self.now, {})
            self._sealed = until
        while self._queue:
            put = self._queue[0]
            if self._stopped is self.tracks and not self._beam.cuts:
                return
            if self._sealing is None or self._sealing.tracks is not self.tracks:
                self._sealing = Sealing(self.tracks, self._step(self.tracks, put, 0))
            while True:  # it is gone on with even if whoever waited for it begins anew
                try:
                    next(self._sealing.search)
                except StopIteration as end:
                    tracks, self._sealing = end.value, None
                    break
                yield
            if tracks is None:
                self._stopped = self.tracks
                return
            self._beam.spent.give_up_tracks(self.tracks)
            self._past.add(self.tracks, put, self.now - REMEMBERED)
            self.tracks, self._stopped = tracks, None
            del self._queue[0], self._ahead[0]
        self._beam.cuts = False

    def _step(
        self, tracks: list[Track], put: Put, number: int
    ) -> Generator[None, None, list[Track] | None]:
        """Return what becomes of all lines when a man comes to stand, the so-manieth that is not
        sealed; as it was found out before, if no edge since then can make a difference. None if
        that are so many that likely ones would have to be given up.
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
            self._beam.spent.give_up_tracks(*(step.after for step in self._ahead[number:]))
            del self._ahead[number:]
        after = yield from self._beam.gone_through(tracks, put)
        del self._ahead[number:]
        if after is None:
            return None
        self._ahead.append(Step(tracks, put, after, now, version))
        return after

    def forget_ahead(self) -> None:
        """Find out anew what is not sealed: what it depends on beside the edges has changed."""
        self._beam.spent.give_up_tracks(*(step.after for step in self._ahead))
        self._fitting.forget()
        self._ahead.clear()
        self._sealing = None

    def give_up(self, lines: Iterable[Line]) -> None:
        """Let lines be forgotten bit by bit, if nobody else keeps them: at once it takes long."""
        self._beam.spent.give_up(lines)

    def follow(self, other: Decoder) -> None:
        """Let another decoder, in the place of which it comes, be forgotten bit by bit."""
        self._beam.spent.take_over(other._beam.spent)
        ahead = (step.after for step in other._ahead)
        self._beam.spent.give_up_tracks(
            other.tracks, other._rests.tracks, other._past.tracks, *ahead
        )

    def let_go(self) -> Generator[None, None, None]:
        """Give up all lines, step by step."""
        self.forget_ahead()
        self._beam.spent.give_up_tracks(self.tracks, self._rests.tracks, self._past.tracks)
        self._past.clear()
        self._rests.let_go()
        self._unseen = [], "", False
        self.tracks = []
        self._weigh.changed()
        self._beam.spent.give_up(self._beam.whereabouts.let_go())
        yield from self._beam.spent.forget()
