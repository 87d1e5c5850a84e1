"""The beam: which lines of play are gone on with, and what becomes of all of them.

Many lines are possible at a time, and only those are kept that cost little more than the best, and
no more than so many. If more than that are likely, that is said, so that nothing need be given up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import (
    Collection,
    Generator,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from copy import copy
from itertools import chain, takewhile

from engine.game import Place
from engine.reading.evidence import (
    ALIKE,
    AT_WORK,
    BEHIND,
    CROWD,
    HOPELESS,
    LIKELY,
    NEAR,
    OFF,
    SEALED,
    SLACK,
    STANDING,
    TWINS,
    WIDTH,
    WRONG_AT_REST,
)
from engine.reading.extend import Plies
from engine.reading.lines import Line
from engine.reading.observations import Put
from engine.reading.spent import Spent
from engine.reading.tracks import Track

GUESSED_A_STEP = 8  # lines
RANKED_A_STEP = 64  # lines


class Beam:
    """What becomes of the lines that are kept, as a man comes to stand or all men stand still."""

    def __init__(self, plies: Plies) -> None:
        self.plies = plies
        self.cuts = False
        """Whether likely lines are given up, too."""
        self.is_lost = False
        """Whether likely lines have been given up since it began."""
        self.weigh = plies.weigh
        self._edges = plies.edges
        self.spent = plies.spent
        """What is given up, and by and by forgotten."""

    def again(self) -> Beam:
        """Return another beam with the same edges."""
        other = copy(self)
        other.plies = copy(self.plies)
        other.plies.spent = other.spent = Spent()
        return other

    # ---- what becomes of lines

    def up_to(self, each: Track, at: float) -> Iterator[Track | None]:
        """Yield a track, and what has become of it by then without any other man coming to stand;
        None for what comes to nothing.
        """
        return chain((each,), self.plies.half_seen(each, at))

    def gone_through(
        self, tracks: list[Track], put: Put
    ) -> Generator[None, None, list[Track] | None]:
        """Return what becomes of all lines when a man comes to stand; None if too many are likely
        then.
        """
        if not tracks or self._swept(put):
            return tracks
        in_tray = put.place not in tracks[0].line.sight.cells
        known = {(each.line, each.at): each for each in tracks}
        guesses = yield from self.guessed(tracks, put.at)
        try:
            likely = yield from _going_on(guesses)
            limit = (yield from self._least(guesses)) + HOPELESS
            fresh = False
            for each, guess in likely.items():
                if guess > limit:
                    continue
                self.spent.forget_some()
                yield
                after = (
                    self.plies.half_seen(each, put.at) if in_tray else self.plies.after(each, put)
                )
                for child in after:
                    if child is None:
                        yield
                        continue
                    self.spent.give_up((child.line,))
                    key = child.line, child.at
                    if key not in known or child.cost < known[key].cost:
                        known[key] = child
                        fresh = True
                    yield
                if len(known) > CROWD * WIDTH:
                    found = yield from self._best_of(known.values(), guesses, put.at)
                    self.spent.give_up_tracks(known.values())
                    yield
                    if found is None:
                        return None
                    guesses = found
                    known = {(each.line, each.at): each for each in found}
            if not fresh:
                return tracks
            found = yield from self._best_of(known.values(), guesses, put.at)
            return None if found is None else list(found)
        finally:  # even if whoever waited for it begins anew
            self.spent.give_up_tracks(known.values())

    def _best_of(
        self,
        tracks: Collection[Track],
        guesses: dict[Track, float],
        at: float,
    ) -> Generator[None, None, dict[Track, float] | None]:
        """Return the tracks that are worth going on with, the best first, with what each will cost
        at least; of some it is known. None if too many are likely, and are not to be given up.
        """
        guesses = yield from self._weighed(tracks, guesses, at)
        yield
        likely, best = yield from self._ranked(guesses)
        if _cut_off(likely, best):
            if not self.cuts:
                return None
            self.is_lost = True  # … which people are told
        return {each: guesses[each] for each in best}

    def _swept(self, put: Put) -> bool:
        """Whether more comes and goes with a put than hands can do: that tells of no play."""
        edges = self._edges.between(put.at - SEALED, put.until + SLACK)
        return len(edges) > AT_WORK and len({place for _, place in edges}) > AT_WORK

    def settled(
        self, before: Sequence[Track], now: float
    ) -> Generator[None, None, tuple[list[Track], dict[Track, float]]]:
        """Return what becomes of lines when all men stand still, and what each will cost; if it is
        known which man stands where, be it that they are mixed up.
        """
        tracks = []
        known = {(each.line, each.at): each for each in before}
        for each in before:
            for child in self.plies.half_seen(each, now):
                if child is not None:
                    known.setdefault((child.line, child.at), child)
                yield
            yield
        for number, each in enumerate(known.values(), 1):
            touched = self.weigh.opened(each, now)
            left = frozenset(
                place
                for place in touched
                if self._edges.value(place, now) != each.line.expected.get(place, 0)
            )
            cost, paused, pauses = each.cost, each.paused | left, each.pauses
            if left:  # a hand is at work, if it is it, and may go on from here
                pauses += STANDING
            else:
                cost, paused, pauses = cost + pauses, left, 0.0
                cost += sum(self.weigh.noise(each, place, now) for place in sorted(touched))
                touched = left
            cost += WRONG_AT_REST * (yield from self._trays_wrong(each, now))
            tracks.append(
                each.but(
                    cost=cost,
                    owed=self._still_owed(each, now),
                    open=touched,
                    seen=max(now, each.seen),
                    paused=paused,
                    pauses=pauses,
                )
            )
            if not number % GUESSED_A_STEP:
                yield
        guesses = yield from self.guessed(tracks, float("inf"))
        self.spent.give_up_tracks(known.values())
        return tracks, guesses

    def _still_owed(self, each: Track, now: float) -> Mapping[Place, int]:
        """Return how many men trays lack from the beginning, but for those that hold now all that a
        line leaves in them: somebody has brought what was missing.
        """
        expected, pockets = each.line.expected, each.line.sight.pockets
        full = {
            tray
            for tray in each.owed
            if self._edges.value(tray, now) == expected.get(tray, 0) <= pockets[tray]
        }
        if not full:
            return each.owed
        return {tray: gone for tray, gone in each.owed.items() if tray not in full}

    def _trays_wrong(self, each: Track, now: float) -> Generator[None, None, float]:
        """Return what trays cost that hold something else than a line leaves in them, though no man
        is on its way: what a later ply may balance was wrong all the same.
        """
        trays = each.line.trays
        if any(self._edges.touched(tray, each.at, now) for tray in trays):
            return 0.0
        levels = {tray: self._edges.value(tray, now) for tray in trays}
        wrong, late = yield from self.weigh.trays.against(each, levels, now)
        return 0.0 if late else wrong

    # ---- which are kept

    def kept(self, guesses: dict[Track, float]) -> Generator[None, None, list[Track]]:
        """Return the lines that are worth going on with, the best first."""
        _, best = yield from self._ranked(guesses)
        return best

    def _ranked(
        self, guesses: dict[Track, float]
    ) -> Generator[None, None, tuple[dict[Track, float], list[Track]]]:
        """Return what each line is taken to cost, for a hand may still go on from it, and the lines
        that are worth going on with, the best first.
        """
        many = len(guesses) > RANKED_A_STEP
        if many:
            yield
        likely = yield from _going_on(guesses)
        if many:
            yield
        return likely, (yield from self._hopeful(likely))

    def _hopeful(self, guesses: dict[Track, float]) -> Generator[None, None, list[Track]]:
        """Return the lines that are worth going on with, the best first; of those that contradict
        what people said only a few, and if there are too many, of the unlikely ones that end alike,
        lest they crowd out the others.
        """
        ranked = sorted(guesses.items(), key=lambda pair: pair[1])
        best, least = ranked[0]
        most = (yield from self._least(guesses)) + HOPELESS
        made, near = best.made - BEHIND, least + NEAR
        hopeful = (
            each
            for each, cost in takewhile(lambda pair: pair[1] <= most, ranked)
            if (each.back or each.made >= made or cost < near)
        )
        kept: list[Track] = []
        for number, each in enumerate(hopeful, 1):
            if not number % RANKED_A_STEP:
                yield
            kept.append(each)
        if len(kept) <= WIDTH:
            return kept
        limit = least + (LIKELY if best.line.trays else ALIKE)
        likely = sum(guesses[each] < limit for each in kept)
        first = kept[:likely]
        if not best.line.trays:  # no tray will tell, so that those that end alike stay for ever
            first = (yield from _unlike(first, WIDTH // 2))[: WIDTH // 2]
        return (first + (yield from _unlike(kept[likely:])))[:WIDTH]

    def _least(self, guesses: dict[Track, float]) -> Generator[None, None, float]:
        """Return what the best line will cost at least: one that
        nothing goes on from makes no other one hopeless.
        """
        least = float("inf")
        for number, (each, guess) in enumerate(guesses.items(), 1):
            least = min(least, guess + each.pauses)
            if not number % RANKED_A_STEP:
                yield
        return least

    def guessed(
        self, tracks: Sequence[Track], at: float
    ) -> Generator[None, None, dict[Track, float]]:
        """Return what each line will cost at least."""
        guesses = {}
        for number, each in enumerate(tracks, 1):
            guesses[each] = self.weigh.guess(each, at)
            if not number % GUESSED_A_STEP:
                self.spent.forget_some()
                yield
        return guesses

    def _weighed(
        self, tracks: Collection[Track], guesses: dict[Track, float], at: float
    ) -> Generator[None, None, dict[Track, float]]:
        """Return what each line will cost at least; of some it is known."""
        fresh = yield from self.guessed([each for each in tracks if each not in guesses], at)
        known = guesses | fresh
        return {each: known[each] for each in tracks}

    def is_off(self, each: Track, now: float) -> bool:
        """Whether more is off at the end of a line than hands can have at work."""
        opened = self.weigh.opened(each, now)
        if len(opened) <= AT_WORK:
            return False
        value, expected = self._edges.value, each.line.expected
        return sum(value(place, now) != expected.get(place, 0) for place in opened) > AT_WORK


def _going_on(guesses: dict[Track, float]) -> Generator[None, None, dict[Track, float]]:
    """Return what each line will cost at least; one from which another goes on by a ply hardly
    more than that, for the hand may still go on to a longer one.
    """
    if len(guesses) <= WIDTH and max(guesses.values()) <= min(guesses.values()) + HOPELESS:
        return guesses  # all may stay
    shorter: dict[Line, float] = {}
    for number, (each, guess) in enumerate(guesses.items(), 1):
        head = each.line.head()
        if head not in shorter or guess < shorter[head]:
            shorter[head] = guess
        if not number % RANKED_A_STEP:
            yield
    return {
        each: min(guess, shorter[each.line] + OFF) if each.line in shorter else guess
        for each, guess in guesses.items()
    }


def _unlike(tracks: Sequence[Track], ways: int = TWINS) -> Generator[None, None, list[Track]]:
    """Return the first of tracks that end alike, in so many `ways`, and all that end otherwise.
    Those that differ only by moves of which no sensor shows anything count as one, and the first of
    them are returned.
    """
    known: dict[object, Counter[int]] = {}
    kept = []
    for number, each in enumerate(tracks, 1):
        if not number % GUESSED_A_STEP:
            yield
        twins, way = known.setdefault(as_seen(each), Counter()), each.line.visible_moves
        if way in twins or len(twins) < ways:
            twins[way] += 1
            if twins[way] <= TWINS:
                kept.append(each)
    return kept


def as_seen(each: Track) -> object:
    """Return how a line ends as far as hands go on from it, as a key: which men stand where, whose
    turn it is, since when, and what it has not explained.
    """
    return each.line.men_on_cells, each.line.match.turn, each.at, each.open


def _cut_off(guesses: dict[Track, float], kept: Sequence[Track]) -> bool:
    """Whether likely lines were given up because there are so many."""
    return len(kept) == WIDTH and guesses[kept[-1]] < guesses[kept[0]] + spared(kept[0].line)


def spared(line: Line) -> float:
    """Return how much more than a line, if it is the best, another may cost that is not given up
    for their number.
    """
    return LIKELY if line.trays else NEAR


def lines_of(*tracks: Iterable[Track]) -> Collection[Line]:
    """Return the lines of tracks, each once, in the same order whenever it is done."""
    return dict.fromkeys(each.line for each in chain(*tracks))
