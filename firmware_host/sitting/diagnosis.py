"""Which sensor fails? Asked when the board has made no sense for a while, and before anything
doubtful is shown.

A sensor that sticks shows nothing of a man that comes or goes, so little explains what the hands
did. Each place that they may have used is left out in turn, and the same edges and levels are
explained again: where the rules then explain everything, by enough plies, and no other place does,
that sensor fails. Where a few do, one of them must: then none of these is believed.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import TypeVar

from engine.game import Place
from engine.reading.lines import Line
from engine.reading.reader import Reader
from engine.reading.standing import difference
from engine.reading.verdict import Ambiguous, Astray, Settled, Still, Underway, Verdict

STEPS = 12000
"""So many steps are thought about it at most; if that is not enough, no sensor is sure to fail."""
STEPS_EACH = 1500
"""… and so many about one place: what a sensor that sticks explains, it explains easily."""
SURE = 2
"""So many plies must be explained before a sensor is said to fail."""
SURER = 3
"""… if hands were at work when it changed, or other sensors may be it."""
ONE_MAN = 2
"""So often something changes where one man is lifted and put down: be it where he may not go, no
sensor is said to fail for that, though he may have gone elsewhere, and another have come."""
UNLIKELY = 0.95
"""A sensor that leaves so much more unexplained than another is not suspected, nor one that does
not leave so much less unexplained than all sensors."""
FEW = 3
"""So many sensors are played without at most if only one of them is stuck."""
MANY = 6
"""… and while people are asked which of them it is."""
MOVED = 3
"""So often a place may have changed before its sensor stuck."""
APART = 0.8
"""Seconds by which a sensor that fails by itself is apart from what hands do."""
INFINITE = float("inf")

Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Suspicion:
    """Without the sensor of `place` the rules explain everything, by one of these plays."""

    place: Place
    plays: frozenset[tuple[str, ...]]
    """The texts of the moves that are new in each."""
    unexplained: float = 0.0
    """What is left unexplained even so."""
    lines: tuple[Line, ...] = ()
    """How the match went if it is so; none if that is still to be found out."""
    underway: bool = False
    """Whether a hand is at work then, or the sensor has shown all that was played: then this tells
    against others, but not that it fails."""
    agrees: bool = False
    """Whether it explains the same moves, and only leaves much less unexplained."""

    @property
    def plies(self) -> int:
        """How many plies are explained at least."""
        return min(map(len, self.plays))


class Diagnosis:
    """Remembers what has come to rest since the board matched last, and finds the sensors that
    would make sense of it by sticking.
    """

    def __init__(self) -> None:
        self._since: dict[Place, list[float]] = {}
        self._since_ply = 0  # it matched after so many plies

    def mark(self, plies: int) -> None:
        """Note that the board matches after so many plies; what came before is forgotten."""
        self._since = {}
        self._since_ply = plies

    def note(self, at: float, place: Place) -> None:
        """Note that a place has come to rest."""
        changes = self._since.setdefault(place, [])
        if len(changes) <= MOVED:
            changes.append(at)

    def suspicions(
        self,
        reader: Reader,
        now: float,
        told: Verdict,
        instead: frozenset[Place] = frozenset(),
    ) -> Generator[None, None, list[Suspicion]]:
        """Return, after a search that goes step by step, which places that have hardly changed may
        have a sensor that sticks: without it, there is a much better explanation than what is
        `told` with all sensors. Those are believed `instead` that were found to stick before.
        """
        cells = reader.shown[0].sight.cells
        steady = frozenset(each for each in cells if len(self._since.get(each, ())) <= MOVED)
        return (yield from self._suspicions(reader, steady, now, told, instead))

    def _suspicions(
        self,
        reader: Reader,
        steady: frozenset[Place],
        now: float,
        told: Verdict,
        instead: frozenset[Place],
    ) -> Generator[None, None, list[Suspicion]]:
        usual = (
            {_moves(line) for line in told.lines}
            if isinstance(told, Settled | Ambiguous)
            else set()
        )
        found: list[Suspicion] = []
        steps = 0
        used = yield from _used(reader, steady, instead)
        other: Reader | None = None
        for place in used:
            if other is not None:
                yield from other.let_go()
            other = yield from reader.without(frozenset({place}), instead)
            search = other.search(now)
            verdict, taken = yield from _counted(search, STEPS_EACH)
            steps += taken
            if steps > STEPS:  # others may be it as well
                found = [replace(each, underway=True) for each in found]
                break
            sticks = partial(self._sticks, place, other)
            if isinstance(verdict, Settled) and verdict.back:
                continue
            if isinstance(verdict, Still) and usual and len(self._since.get(place, ())) == 1:
                # It shows what nobody did.
                found.append(Suspicion(place, frozenset({()}), other.likeliest[1]))
                continue
            if isinstance(verdict, Settled | Ambiguous) and (verdict.doubt.serious or verdict.bare):
                continue
            if isinstance(verdict, Settled | Ambiguous) and not verdict.strays:
                plays = frozenset(_new(line, other) for line in verdict.lines)
                agrees = usual.issuperset(map(_moves, verdict.lines))
                innocent = not all(map(sticks, verdict.lines))
                if not (innocent and agrees):  # else nothing is known by it
                    lines = verdict.lines
                    found.append(
                        Suspicion(place, plays, verdict.doubt.unexplained, lines, innocent, agrees)
                    )
            elif isinstance(verdict, Underway | Astray):
                line, odd = other.likeliest
                new = _new(line, other)
                if len(new) >= SURE and _moves(line) not in usual and sticks(line):
                    found.append(Suspicion(place, frozenset({new}), odd, underway=True))
            yield
        if other is not None:
            yield from other.let_go()
        least = min((each.unexplained for each in found if not each.agrees), default=0.0)
        most = float("inf")
        if isinstance(told, Settled | Ambiguous):
            most = told.doubt.unexplained - (0.0 if told.doubt.guessed else UNLIKELY)
        found = [each for each in found if each.unexplained < min(least + UNLIKELY, most)]
        if isinstance(told, Underway):  # a man in a hand may be all that there is to explain
            held = reader.likeliest[1] - UNLIKELY
            found = [
                replace(each, underway=each.underway or each.unexplained >= held) for each in found
            ]
        return found

    def _sticks(self, place: Place, reader: Reader, line: Line) -> bool:
        """Whether the sensor of a place has not shown all that a line adds to what is shown, or
        shows what nobody did: else it does not stick there.
        """
        known = _known(line, reader)
        shown = max(reader.shown, key=lambda each: each.match.plies)
        before = [step for step in _back_to(known, shown) if step.match.plies <= self._since_ply]
        changes = len(self._since.get(place, ())) + _changes(place, before)
        steps = _back_to(known, line)
        expected = line.expected.get(place, 0)
        if reader.levels.get(place, 0) != expected or changes < _changes(place, steps):
            return True
        if changes != 1 or place not in self._since:
            return False
        (since,), apart = self._since[place], self._stands_apart(place)
        for step in steps[:-1]:
            ply = step.footprint
            if ply is not None and place in ply.after and (apart or ply.after[place] is not None):
                others = [self._since.get(each, [since])[0] for each in ply.cells]
                if others and min(others) > since:  # a hand was not there before it was elsewhere
                    return True
        return False

    def convicted(self, found: Sequence[Suspicion]) -> frozenset[Place]:
        """Return the places whose sensors are not to be believed any more: the one that alone
        explains what happened, and stands apart from what hands did or explains more; or the few of
        which it must be one.
        """
        if sum(map(len, self._since.values())) <= ONE_MAN:
            return frozenset()
        alone = len(found) == 1 and self._stands_apart(found[0].place)
        least = SURE if alone else SURER
        enough = all(each.plies >= least and not (each.underway or each.agrees) for each in found)
        return frozenset(each.place for each in found if enough and len(found) <= FEW)

    def rivals(self, found: Sequence[Suspicion], told: Settled | Ambiguous) -> list[Suspicion]:
        """Return which of what was found is to be asked about, for it is as likely as what is
        `told` with all sensors: that leaves not too much unexplained, or a man was lifted and
        nobody saw where he went. None if there are many, or too few plies tell of it.
        """
        others = [each for each in found if not each.agrees]
        if len(others) > FEW or any(each.underway for each in others):
            return []
        if told.doubt.guessed:
            odd = min(
                [told.doubt.unexplained, *(each.unexplained for each in found if each.agrees)]
            )
            near = any(each.unexplained >= odd - UNLIKELY for each in others)
            return others if near and all(each.plies >= SURE for each in others) else []
        as_many = {line.match.plies for line in told.lines}
        alike = all(line.match.plies in as_many for each in others for line in each.lines)
        return others if told.sure and alike and all(p.plies >= SURER for p in others) else []

    def _stands_apart(self, place: Place) -> bool:
        """Whether a place has changed at most once since the board matched, and nothing else has
        changed at that time: no hand did it.
        """
        changes = self._since.get(place)
        if not changes:
            return True
        return len(changes) == 1 and not any(
            abs(at - changes[0]) < APART
            for other, each in self._since.items()
            for at in each
            if other != place
        )


def _new(line: Line, reader: Reader) -> tuple[str, ...]:
    """Return the moves that a line adds to what is shown, or puts in the place of what is
    provisional.
    """
    plies = line.match.plies - _known(line, reader)
    return tuple(line.match.moves()[-plies:]) if plies > 0 else ()


def _known(line: Line, reader: Reader) -> int:
    """Return after how many plies a line leaves what is shown, or what is not provisional of it."""
    shown = max(reader.shown, key=lambda each: each.match.plies)
    known = shown.match.plies
    if line.since(shown) is None and any(line.since(head) is not None for head in reader.heads):
        known = max(head.match.plies for head in reader.heads)
    return known


def _back_to(known: int, line: Line) -> list[Line]:
    """Return a line, and as it was after each ply before back to so many, the latest first."""
    steps = [line]
    while steps[-1].before is not None and steps[-1].match.plies > known:
        steps.append(steps[-1].before)
    return steps


def _changes(place: Place, steps: Sequence[Line]) -> int:
    """Return how often the reading of a place changes from one of these lines to the next."""
    readings = [step.expected.get(place, 0) for step in steps]
    return sum(after != before for after, before in pairwise(readings))


def _counted(
    search: Generator[None, None, Found], most: float = INFINITE
) -> Generator[None, None, tuple[Found | None, int]]:
    """Return what a search finds, if it ends within so many steps, and how many it took."""
    steps = 0
    while steps < most:
        try:
            next(search)
        except StopIteration as end:
            return end.value, steps
        steps += 1
        yield
    return None, steps


def _moves(line: Line) -> tuple[str, ...]:
    return tuple(line.match.moves())


def _used(
    reader: Reader, steady: frozenset[Place], instead: frozenset[Place]
) -> Generator[None, None, list[Place]]:
    """Return the places that may have been used unseen: those that read wrong, then those where
    little happened, then those that moves use which also use a place where something happened.
    """
    wrong: set[Place] = set()
    touched: set[Place] = set()
    partners: dict[Place, int] = {}
    for line in reader.shown:
        near = {place for place in line.sight.cells if reader.touched(place)}
        wrong |= {place for place, _ in difference(line, reader.levels)}
        touched |= near
        near |= wrong
        trays = {tray for tray in line.trays if reader.touched(tray)}
        for start in dict.fromkeys((line, line.head())):
            for place in sorted(near | trays):
                if place not in trays:
                    yield from start.possible.look_around(frozenset({place}))
                found = (
                    start.possible.using(place)
                    if place in trays
                    else start.possible.touching({place})
                )
                for footprint in found:
                    cells = footprint.around | footprint.after.keys()
                    common = len(near & cells)
                    for other in cells - near:
                        partners[other] = max(partners.get(other, 0), common)
                yield
    cells = reader.shown[0].sight.cells - (reader.shown[0].masked - instead)
    first = sorted(wrong & steady & cells)
    then = sorted((touched - wrong) & steady & cells)
    last = sorted(partners.keys() & steady & cells, key=lambda p: (-partners[p], p))
    return [*first, *then, *(place for place in last if place not in wrong | touched)]
