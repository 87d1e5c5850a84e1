"""Telling lines apart: by the next move, by what people say as far as they agree, or not at all."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence

from engine.game import Place
from engine.reading.evidence import TO_BE_TOLD
from engine.reading.lines import Line
from engine.reading.possible import Trace


def tell_apart(first: Line, *others: Line) -> Generator[None, None, bool]:
    """Return, after a search that goes step by step, whether the next move is likely to show which
    of the lines it is.
    """
    if len(others) >= TO_BE_TOLD or any(line.match.outcome for line in (first, *others)):
        return False
    after_first = yield from first.possible.traces()
    for other in others:
        after_other = yield from other.possible.traces()
        for mine, theirs in ((after_first, after_other), (after_other, after_first)):
            yield
            if not _unlike(mine, theirs):
                return False
    yield
    return True


def _unlike(mine: Sequence[Trace], others: Sequence[Trace]) -> bool:
    """Whether many moves show what none of the others does: a quarter of them at least."""
    known = set(others)
    return 4 * sum(trace not in known for trace in mine) > len(mine)


def may_be_a_try(line: Line, other: Line) -> bool:
    """Whether the last two plies of a line took a man and dropped one, and another line leaves the
    same: who took it only tried to, put both back, and then stayed or went to where that was
    dropped. Both may have gone on with the same plies.
    """
    while line is not other and line.before and other.before and _shows_the_same(line, other):
        line, other = line.before, other.before
    capture = line.head()
    before = capture.head()
    for drop, taken in zip(line.last_ply(), capture.last_ply(), strict=False):
        if drop.leaves or not before.takes_with(taken):
            return False
        if other is before:
            return all(before.expected.get(p) == r and p in taken.leaves for p, r in drop.arrivals)
        return other.head() is before and any(
            ply.leaves == taken.leaves and ply.arrivals == drop.arrivals for ply in other.last_ply()
        )
    return False


def may_be_carried_on(line: Line, other: Line) -> bool:
    """Whether two lines differ only in how far each player has carried the same man, whom both may
    move, the one in no more plies than the other. Both may have gone on with the same plies.
    """
    while line is not other and line.before and other.before and _shows_the_same(line, other):
        line, other = line.before, other.before
    base = line.fork(other)
    mine = _carried(line, base)
    no_more = line.match.plies <= other.match.plies and line is not other
    return no_more and mine is not None and mine == _carried(other, base)


def _carried(line: Line, base: Line) -> tuple[Place, Place] | None:
    """Return from where to where all plies after `base` have carried one man whom both players may
    move, if they have done nothing else.
    """
    way: list[Place] = []
    for step in line.since(base) or ():
        ply = step.footprint
        if ply is None or step.before is None or len(ply.arrivals) != 1:
            return None
        origin, ((end, _),) = step.before.origin(ply), ply.arrivals
        man = ply.after[end]
        if origin is None or man is None or man.owner is not None or way[-1:] not in ([], [origin]):
            return None
        way += [origin, end]
    return (way[0], way[-1]) if way else None


def _shows_the_same(line: Line, other: Line) -> bool:
    """Whether cells show the same of the last moves of two lines, whoever made them."""
    mine, its = line.footprint, other.footprint
    if mine is None or its is None:
        return line.match.move == other.match.move
    return mine.leaves == its.leaves and mine.arrivals == its.arrivals


def shortest(lines: Iterable[Line]) -> list[Line]:
    """Return different lines without those that go on from another of them: what comes after that
    is not sure.
    """
    found = dict.fromkeys(lines)
    return [line for line in found if not any(step in found for step in _before(line))]


def _before(line: Line) -> Iterator[Line]:
    """Yield all that a line goes on from, the last first."""
    step = line.before
    while step is not None:
        yield step
        step = step.before


def up_to_the_same_ply(lines: Iterable[Line], most: int) -> Iterator[list[Line]]:
    """Yield different lines up to the same ply, those up to the latest ply first, `most` of them
    at most; the last time all of them. None is part of another.
    """
    found = list(dict.fromkeys(lines))
    while True:
        shortest = min(line.match.plies for line in found)
        past = set()
        for line in found:
            step = line.before
            while step is not None and step.match.plies >= shortest:
                past.add(step)
                step = step.before
        apart = [line for line in found if line not in past]
        yield apart[:most]
        if len(apart) <= most:
            return
        longest = max(line.match.plies for line in found)
        found = list(
            dict.fromkeys(line.head() if line.match.plies == longest else line for line in found)
        )
