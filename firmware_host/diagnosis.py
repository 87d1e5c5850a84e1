"""Which sensor fails? Asked when the board has made no sense for a while.

A sensor that sticks shows nothing of a man that comes or goes, so nothing explains what the hands
did. Each place that they may have used is left out in turn, and the same edges and levels are
explained again: where the rules then explain everything, by two plies at least, and no other
place does, that sensor fails. Where several do, none is believed to: they are the suspects.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass

from engine.footprints import Line
from engine.game import Place
from engine.reading import Reader
from engine.standing import difference
from engine.verdicts import Ambiguous, Astray, Settled, Underway, Verdict

STEPS = 12000
"""So many steps are thought about it at most; if that is not enough, no sensor is found."""
STEPS_EACH = 1500
"""… and so many about one place: what a sensor that sticks explains, it explains easily."""
SURE = 2
"""So many plies must be explained before a sensor is said to fail."""
SURER = 3
"""… if hands were at work when it changed, or other sensors may be it."""
UNLIKELY = 0.9
"""A sensor that leaves so much more unexplained than another is not suspected, nor one that does
not leave so much less unexplained than all sensors."""
FEW = 3
"""So many sensors are played without at most if only one of them is stuck."""
MOVED = 3
"""So often a place may have changed before its sensor stuck."""
APART = 0.8
"""Seconds by which a sensor that fails by itself is apart from what hands do."""


@dataclass(frozen=True, slots=True)
class Suspicion:
    """Without the sensor of `place` the rules explain everything, by one of these plays."""

    place: Place
    plays: frozenset[tuple[str, ...]]
    """The texts of the moves that are new in each."""
    odd: float = 0.0
    """What is left unexplained even so."""
    lines: tuple[Line, ...] = ()
    """How the match went if it is so; none if that is still to be found out."""
    underway: bool = False
    """Whether a hand is at work then: what it does may still tell against it."""
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

    def mark(self) -> None:
        """Note that the board matches; what came before is forgotten."""
        self._since = {}

    def note(self, at: float, place: Place) -> None:
        """Note that a place has come to rest."""
        changes = self._since.setdefault(place, [])
        if len(changes) <= MOVED:
            changes.append(at)

    def suspicions(
        self,
        reader: Reader,
        now: float,
        told: Verdict | None = None,
        named: str | None = None,
        instead: frozenset[Place] = frozenset(),
    ) -> Generator[None, None, list[Suspicion]]:
        """Return, after a search that goes step by step, which places that have hardly changed may
        have a sensor that sticks: without it, there is a much better explanation than what is
        `told` with all sensors, or a move that people have `named` is possible now. Those are
        believed `instead` that were found to stick before.
        """
        cells = reader.shown[0].sight.cells
        steady = frozenset(each for each in cells if len(self._since.get(each, ())) <= MOVED)
        return (yield from _suspicions(reader, steady, now, told, named, instead))

    def convicted(self, found: Sequence[Suspicion]) -> frozenset[Place]:
        """Return the places whose sensors are not to be believed any more: the one that alone
        explains what happened, and stands apart from what hands did or explains more; or the few of
        which it must be one.
        """
        alone = len(found) == 1 and self._stands_apart(found[0].place)
        least = SURE if alone else SURER
        enough = all(each.plies >= least and not (each.underway or each.agrees) for each in found)
        return frozenset(each.place for each in found if enough and len(found) <= FEW)

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


def _suspicions(
    reader: Reader,
    steady: frozenset[Place],
    now: float,
    told: Verdict | None,
    named: str | None,
    instead: frozenset[Place],
) -> Generator[None, None, list[Suspicion]]:
    usual = (
        {_moves(line) for line in told.lines} if isinstance(told, Settled | Ambiguous) else set()
    )
    found = []
    steps = 0
    used = yield from _used(reader, steady, instead)
    for place in used:
        other = reader.without(frozenset({place}), instead)
        search = other.search(now)
        verdict: Verdict | None = None
        for _ in range(STEPS_EACH):
            try:
                yield next(search)
            except StopIteration as end:
                verdict = end.value
                break
            steps += 1
        if steps > STEPS:
            return []
        if named is not None and other.named(named)[0]:
            found.append(Suspicion(place, frozenset({(named,)})))
            continue
        if isinstance(verdict, Settled) and verdict.back:
            continue
        if isinstance(verdict, Settled | Ambiguous) and (verdict.doubtful or verdict.bare):
            continue
        if isinstance(verdict, Settled | Ambiguous) and not verdict.strays:
            plays = frozenset(_new(line, other) for line in verdict.lines)
            agrees = usual.issuperset(map(_moves, verdict.lines))
            found.append(Suspicion(place, plays, verdict.odd, verdict.lines, agrees=agrees))
        elif isinstance(verdict, Underway | Astray):
            line, odd = other.likeliest
            if len(_new(line, other)) >= SURE and _moves(line) not in usual:
                found.append(Suspicion(place, frozenset({_new(line, other)}), odd, underway=True))
        yield
    least = min((each.odd for each in found if not each.agrees), default=0.0)
    most = told.odd if isinstance(told, Settled | Ambiguous) else float("inf")
    return [each for each in found if each.odd < min(least + UNLIKELY, most - UNLIKELY)]


def _new(line: Line, reader: Reader) -> tuple[str, ...]:
    """Return the moves that a line adds to what is shown, or puts in the place of what is
    provisional.
    """
    shown = max(reader.shown, key=lambda each: each.match.plies)
    known = shown.match.plies
    if line.since(shown) is None and any(line.since(head) is not None for head in reader.heads):
        known = max(head.match.plies for head in reader.heads)
    plies = line.match.plies - known
    return tuple(line.match.moves()[-plies:]) if plies > 0 else ()


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
                found = start.using(place) if place in trays else start.touching({place})
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
