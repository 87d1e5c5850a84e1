"""The beam: which hypotheses are kept, and how they advance.

Of the many possible hypotheses only those are kept that cost little more than the best, and at most
WIDTH of them. Two hypotheses count as one if they have the same history, and its last ply was
finished at the same time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping, Sequence
from itertools import chain, takewhile
from typing import TypeAlias

from engine.game import Place
from engine.reading.evidence import (
    AT_WORK,
    CROWD,
    FERTILE,
    HOPELESS,
    LATE_PLIES,
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
from engine.reading.hypothesis import Hypothesis, Paid, pay
from engine.reading.observations import Placement
from engine.reading.sayings import Hearing, Said

Key: TypeAlias = tuple[History, float]
"""The history of a hypothesis, and the time when its last ply was finished."""


class Beam:
    """Advance the kept histories when a piece comes to stand or all pieces stand still."""

    def __init__(self, plies: PlyGenerator) -> None:
        self.plies = plies
        self.weigh = plies.weigh
        self.edges = plies.edges
        self._hearing = Hearing(plies)

    # ---- advancing

    def up_to(self, each: Hypothesis, at: float) -> Iterator[Hypothesis]:
        """Yield a hypothesis and its successors up to `at` without another piece put down."""
        return chain((each,), self.plies.half_seen(each, at))

    def after_placement(
        self, hypotheses: list[Hypothesis], put: Placement
    ) -> Generator[None, None, list[Hypothesis]]:
        """Return all hypotheses after a placement, one per step."""
        if not hypotheses or self._changes_too_much(put):
            return hypotheses
        in_tray = put.place not in hypotheses[0].line.sight.cells
        known = {_key(each): each for each in hypotheses}
        guesses = self.lower_bounds(hypotheses, put.at)
        yield
        likely = _with_successors(guesses)
        limit = _least_bound(guesses) + FERTILE
        fresh = False
        for each, guess in likely.items():
            if guess > limit:
                continue
            after = self.plies.half_seen(each, put.at) if in_tray else self.plies.after(each, put)
            for child in after:
                fresh = _keep_cheaper(known, child) or fresh
            yield
            if len(known) > CROWD * WIDTH:
                guesses = self._best_of(known.values(), guesses, put.at)
                known = {_key(each): each for each in guesses}
        return list(self._best_of(known.values(), guesses, put.at)) if fresh else hypotheses

    def after_saying(
        self, hypotheses: list[Hypothesis], said: Said
    ) -> Generator[None, None, list[Hypothesis]]:
        """Return all hypotheses after people have said something, one per step."""
        if not hypotheses:
            return hypotheses
        after = yield from self._hearing.after_saying(
            self.lower_bounds(hypotheses, said.until), said
        )
        known: dict[Key, Hypothesis] = {}
        for each in after:
            _keep_cheaper(known, each)
        return kept_of(self.lower_bounds(known.values(), said.until))

    def _best_of(
        self, hypotheses: Collection[Hypothesis], known: dict[Hypothesis, float], at: float
    ) -> dict[Hypothesis, float]:
        """Return the kept hypotheses, the best first, with lower bounds of their costs.

        `known` holds some of these bounds.
        """
        fresh = self.lower_bounds([each for each in hypotheses if each not in known], at)
        guesses = {each: known[each] if each in known else fresh[each] for each in hypotheses}
        return {each: guesses[each] for each in kept_of(guesses)}

    def _changes_too_much(self, put: Placement) -> bool:
        """Return whether more sensors change with a placement than hands can touch."""
        edges = self.edges.between(put.at - SEALED, put.until + SLACK)
        return len(edges) > AT_WORK and len({place for _, place in edges}) > AT_WORK

    def after_rest(
        self, before: Sequence[Hypothesis], now: float
    ) -> Generator[None, None, list[Hypothesis]]:
        """Return the kept hypotheses when all pieces rest, the best first; one per step."""
        known = {_key(each): each for each in before}
        for each in before:
            for child in self.plies.half_seen(each, now):
                known.setdefault(_key(child), child)
            yield
        hypotheses = [self._at_rest(each, now) for each in known.values()]
        yield
        return kept_of(self.lower_bounds(hypotheses, float("inf")))

    def _at_rest(self, each: Hypothesis, now: float) -> Hypothesis:
        """Return a hypothesis when all pieces rest."""
        touched = self.weigh.opened(each, now)
        off = self.weigh.off(each, now)
        paused, pauses = each.paused | off, each.pauses
        charged: Paid = {}
        if off:  # a hand may be at work and continue from here
            pauses += STANDING
        else:
            pay(charged, "standing", each.pauses)
            for place in sorted(touched):
                self.weigh.charge_noise(each, place, now, charged)
            touched, paused, pauses = frozenset(), frozenset(), 0.0
        return each.charge(charged).copy(
            missing_in_tray=self._still_missing(each, now),
            open=touched,
            seen=max(now, each.seen),
            paused=paused,
            pauses=pauses,
        )

    def _still_missing(self, each: Hypothesis, now: float) -> Mapping[Place, int]:
        """Return the pieces that trays lack from the start, without trays that are full now."""
        expected, pockets = each.line.expected, each.line.sight.pockets
        full = {
            tray
            for tray in each.missing_in_tray
            if self.edges.value(tray, now) == expected.get(tray, 0) <= pockets[tray]
        }
        if not full:
            return each.missing_in_tray
        return {tray: lack for tray, lack in each.missing_in_tray.items() if tray not in full}

    def lower_bounds(self, hypotheses: Iterable[Hypothesis], at: float) -> dict[Hypothesis, float]:
        """Return lower bounds of the hypotheses' costs."""
        return {each: self.weigh.guess(each, at) for each in hypotheses}

    def is_disturbed(self, each: Hypothesis, now: float) -> bool:
        """Return whether more places are off than hands can be working on."""
        return len(self.weigh.off(each, now)) > AT_WORK


# ---- which are kept


def _key(each: Hypothesis) -> Key:
    """Return what makes two hypotheses one."""
    return each.line, each.at


def _keep_cheaper(known: dict[Key, Hypothesis], each: Hypothesis) -> bool:
    """Keep a hypothesis unless one with the same key costs no more; return whether it is kept."""
    key = _key(each)
    if key in known and known[key].cost <= each.cost:
        return False
    known[key] = each
    return True


def kept_of(guesses: dict[Hypothesis, float]) -> list[Hypothesis]:
    """Return the hypotheses to keep, the best first, by lower bounds of their costs.

    They cost at most HOPELESS more than the best. One that lacks more than LATE_PLIES plies of the
    best stays only if it costs nearly as little, or after a takeback. If there are more than WIDTH,
    TWINS of those with the same end stay, and of them the WIDTH cheapest.
    """
    guesses = _with_successors(guesses)
    best = min(guesses, key=lambda each: guesses[each] + each.pauses)
    least = guesses[best] + best.pauses
    most = least + HOPELESS
    made, near = best.plies_made - LATE_PLIES, least + NEAR
    ranked = sorted(guesses.items(), key=lambda pair: pair[1])
    kept = [
        each
        for each, cost in takewhile(lambda pair: pair[1] <= most, ranked)
        if cost + each.pauses <= most + HOPELESS  # no hand pauses everywhere
        and (each.is_takeback or each.plies_made >= made or cost < near)
    ]
    return kept if len(kept) <= WIDTH else _without_twins(kept)[:WIDTH]


def _least_bound(guesses: Mapping[Hypothesis, float]) -> float:
    """Return the lower bound of the best hypothesis, with its pauses.

    So a hypothesis without successors makes no other one hopeless.
    """
    return min(guess + each.pauses for each, guess in guesses.items())


def _with_successors(guesses: dict[Hypothesis, float]) -> dict[Hypothesis, float]:
    """Return lower bounds; one with a successor costs hardly more than that successor.

    The hand may still go on to a longer move.
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


def _without_twins(hypotheses: Sequence[Hypothesis]) -> list[Hypothesis]:
    """Return all hypotheses with different ends, and the first few with each same end.

    Hypotheses that differ only by moves that no sensor shows count as one.
    """
    known: dict[object, Counter[int]] = {}
    kept = []
    for each in hypotheses:
        twins, way = known.setdefault(end_key(each), Counter()), each.line.visible_moves
        if way in twins or len(twins) < TWINS:
            twins[way] += 1
            if twins[way] <= TWINS:
                kept.append(each)
    return kept


def end_key(each: Hypothesis) -> object:
    """Return the end of a hypothesis as a key: pieces, turn, time and unexplained places."""
    return each.line.pieces_on_cells, each.line.match.turn, each.at, each.open
