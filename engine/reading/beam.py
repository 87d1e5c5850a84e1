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
from itertools import chain, takewhile

from engine.game import Place
from engine.reading.evidence import (
    AT_WORK,
    BEHIND,
    CROWD,
    HOPELESS,
    NEAR,
    OFF,
    SEALED,
    SLACK,
    STANDING,
    TWINS,
    WIDTH,
)
from engine.reading.extend import PlyGenerator
from engine.reading.history import History
from engine.reading.hypothesis import Hypothesis
from engine.reading.observations import Placement


class Beam:
    """Advance the kept histories when a piece comes to stand or all pieces stand still."""

    def __init__(self, plies: PlyGenerator) -> None:
        self.plies = plies
        self.weigh = plies.weigh
        self.edges = plies.edges

    # ---- what becomes of lines

    def up_to(self, each: Hypothesis, at: float) -> Iterator[Hypothesis]:
        """Yield a hypothesis, and what has become of it by then without any other piece coming to
        stand.
        """
        return chain((each,), self.plies.half_seen(each, at))

    def gone_through(
        self, hypotheses: list[Hypothesis], put: Placement
    ) -> Generator[None, None, list[Hypothesis]]:
        """Return what becomes of all lines when a piece comes to stand, one hypothesis a step."""
        if not hypotheses or self._swept(put):
            return hypotheses
        in_tray = put.place not in hypotheses[0].line.sight.cells
        known = {(each.line, each.at): each for each in hypotheses}
        guesses = self.guessed(hypotheses, put.at)
        yield
        likely = _going_on(guesses)
        limit = _least(guesses) + HOPELESS
        fresh = False
        for each, guess in likely.items():
            if guess > limit:
                continue
            after = self.plies.half_seen(each, put.at) if in_tray else self.plies.after(each, put)
            for child in after:
                key = child.line, child.at
                if key not in known or child.cost < known[key].cost:
                    known[key] = child
                    fresh = True
            yield
            if len(known) > CROWD * WIDTH:
                guesses = self._best_of(known.values(), guesses, put.at)
                known = {(each.line, each.at): each for each in guesses}
        return list(self._best_of(known.values(), guesses, put.at)) if fresh else hypotheses

    def _best_of(
        self, hypotheses: Collection[Hypothesis], known: dict[Hypothesis, float], at: float
    ) -> dict[Hypothesis, float]:
        """Return those that are worth going on with, the best first, with what each will cost at
        least; of some it is known.
        """
        fresh = self.guessed([each for each in hypotheses if each not in known], at)
        guesses = {each: known[each] if each in known else fresh[each] for each in hypotheses}
        return {each: guesses[each] for each in kept_of(guesses)}

    def _swept(self, put: Placement) -> bool:
        """Whether more comes and goes with a put than hands can do: that tells of no play."""
        edges = self.edges.between(put.at - SEALED, put.until + SLACK)
        return len(edges) > AT_WORK and len({place for _, place in edges}) > AT_WORK

    def settled(
        self, before: Sequence[Hypothesis], now: float
    ) -> Generator[None, None, list[Hypothesis]]:
        """Return what becomes of them when all pieces stand still, one hypothesis a step: those
        that are worth going on with, the best first.
        """
        known = {(each.line, each.at): each for each in before}
        for each in before:
            for child in self.plies.half_seen(each, now):
                known.setdefault((child.line, child.at), child)
            yield
        hypotheses = [self._at_rest(each, now) for each in known.values()]
        yield
        return kept_of(self.guessed(hypotheses, float("inf")))

    def _at_rest(self, each: Hypothesis, now: float) -> Hypothesis:
        """Return what a hypothesis has become when all pieces stand still."""
        touched = self.weigh.opened(each, now)
        left = frozenset(
            place
            for place in touched
            if self.edges.value(place, now) != each.line.expected.get(place, 0)
        )
        cost, paused, pauses = each.cost, each.paused | left, each.pauses
        if left:  # a hand is at work, if it is it, and may go on from here
            pauses += STANDING
        else:
            cost, paused, pauses = cost + pauses, left, 0.0
            cost += sum(self.weigh.noise(each, place, now) for place in sorted(touched))
            touched = left
        return each.but(
            cost=cost,
            owed=self._still_owed(each, now),
            open=touched,
            seen=max(now, each.seen),
            paused=paused,
            pauses=pauses,
        )

    def _still_owed(self, each: Hypothesis, now: float) -> Mapping[Place, int]:
        """Return how many pieces trays lack from the beginning, but for those that hold now all
        that a line leaves in them: somebody has brought what was missing.
        """
        expected, pockets = each.line.expected, each.line.sight.pockets
        full = {
            tray
            for tray in each.owed
            if self.edges.value(tray, now) == expected.get(tray, 0) <= pockets[tray]
        }
        if not full:
            return each.owed
        return {tray: gone for tray, gone in each.owed.items() if tray not in full}

    def guessed(self, hypotheses: Iterable[Hypothesis], at: float) -> dict[Hypothesis, float]:
        """Return what each line will cost at least."""
        return {each: self.weigh.guess(each, at) for each in hypotheses}

    def is_off(self, each: Hypothesis, now: float) -> bool:
        """Whether more is off at the end of a line than hands can have at work."""
        opened = self.weigh.opened(each, now)
        if len(opened) <= AT_WORK:
            return False
        value, expected = self.edges.value, each.line.expected
        return sum(value(place, now) != expected.get(place, 0) for place in opened) > AT_WORK


# ---- which are kept


def kept_of(guesses: dict[Hypothesis, float]) -> list[Hypothesis]:
    """Return the lines that are worth going on with, the best first, by what each will cost at
    least: no more than WIDTH, of the unlikely ones that end alike only a few.
    """
    guesses = _going_on(guesses)
    best = min(guesses, key=lambda each: guesses[each] + each.pauses)
    least = guesses[best] + best.pauses
    most = least + HOPELESS
    made, near = best.made - BEHIND, least + NEAR
    ranked = sorted(guesses.items(), key=lambda pair: pair[1])
    kept = [
        each
        for each, cost in takewhile(lambda pair: pair[1] <= most, ranked)
        if cost + each.pauses <= most + HOPELESS  # no hand stops everywhere
        and (each.back or each.made >= made or cost < near)
    ]
    return kept if len(kept) <= WIDTH else _unlike(kept)[:WIDTH]


def _least(guesses: Mapping[Hypothesis, float]) -> float:
    """Return what the best line will cost at least: one that nothing goes on from makes no other
    one hopeless.
    """
    return min(guess + each.pauses for each, guess in guesses.items())


def _going_on(guesses: dict[Hypothesis, float]) -> dict[Hypothesis, float]:
    """Return what each line will cost at least; one from which another goes on by a ply hardly
    more than that, for the hand may still go on to a longer one.
    """
    if len(guesses) <= WIDTH and max(guesses.values()) <= min(guesses.values()) + HOPELESS:
        return guesses  # all may stay
    shorter: dict[History, float] = {}
    for each, guess in guesses.items():
        head = each.line.head()
        shorter[head] = min(guess, shorter.get(head, guess))
    return {
        each: min(guess, shorter[each.line] + OFF) if each.line in shorter else guess
        for each, guess in guesses.items()
    }


def _unlike(hypotheses: Sequence[Hypothesis]) -> list[Hypothesis]:
    """Return the first of hypotheses that end alike, in a few ways, and all that end otherwise.
    Those that differ only by moves of which no sensor shows anything count as one, and the first of
    them are returned.
    """
    known: dict[object, Counter[int]] = {}
    kept = []
    for each in hypotheses:
        twins, way = known.setdefault(as_seen(each), Counter()), each.line.visible_moves
        if way in twins or len(twins) < TWINS:
            twins[way] += 1
            if twins[way] <= TWINS:
                kept.append(each)
    return kept


def as_seen(each: Hypothesis) -> object:
    """Return how a line ends as far as hands go on from it, as a key: which pieces stand where,
    whose turn it is, since when, and what it has not explained.
    """
    return each.line.pieces_on_cells, each.line.match.turn, each.at, each.open
