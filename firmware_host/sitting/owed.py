"""Owed: what hands still have to do with men that a move took, turned or brought in.

A move is read by its cells as soon as it is made. A captured man may be in a hand still, a promoted
one the wrong way up. Where a sensor sees that, it is owed until it is done; else until hands lift
another man or dice fall, whenever that is: who looks up late shall be told, too. Nothing of it is a
fault: who forgets it is not guided, and play goes on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import islice
from typing import Final, TypeAlias

from engine.game import Claim, Pass, Piece, Place, Seat, Throw
from engine.reading.footprints import Reading
from engine.reading.lines import Line

Before: TypeAlias = Mapping[Place, Piece]
After: TypeAlias = Mapping[Place, Piece | None]

BESIDE: Final[Place] = ""
"""Where a captured man goes for which the game has no tray."""


class Deed(Enum):
    """What is to be done with a man."""

    PUT_AWAY = "put away"
    TURN_OVER = "turn over"
    TURN_BACK = "turn back"  # one that was captured promoted
    EXCHANGE = "exchange"  # for another man
    POINT = "point"  # away from its new owner


@dataclass(frozen=True, slots=True)
class Owed:
    """One thing that hands still have to do."""

    deed: Deed
    seat: Seat
    """Who made the move that asks for it."""
    place: Place
    """The tray, or the cell where the man stands."""
    men: tuple[Piece, ...]
    """The man as it was; several may have to be put away."""
    kind: str = ""
    """What the man is from now on, if it is something else."""


class Aftermath:
    """What hands have done since the last move was read, and which captives reached their trays."""

    def __init__(self) -> None:
        self.touched: set[Place] = set()
        """The trays that were touched since the record changed, and where men were lifted."""
        self._right: dict[Place, int] = {}

    def look(self, line: Line, levels: Mapping[Place, Reading]) -> None:
        """Note after how many plies each tray held all it should: what it lacks later, though
        nobody was captured since, was taken out to be played.
        """
        for tray in line.trays:
            if lacks(line, tray, levels) <= 0:
                self._right[tray] = line.match.plies

    def owed(self, line: Line, levels: Mapping[Place, Reading]) -> Iterator[Owed]:
        """Yield what is owed at the end of a line, the captives first."""
        for tray in sorted(line.trays):
            yield from self._missing(line, tray, lacks(line, tray, levels))
        step = _last(line)
        if step is not None:
            yield from self._once(step, line, levels)

    def _missing(self, line: Line, tray: Place, lacking: int) -> Iterator[Owed]:
        """Yield the captives that a tray is seen to lack."""
        seats = list(islice(self._takers(line, tray), max(0, lacking)))
        if seats:
            man = replace(line.match.game.pieces(line.match.position)[tray], count=1)
            yield Owed(Deed.PUT_AWAY, seats[0], tray, (man,) * len(seats))

    def _takers(self, line: Line, tray: Place) -> Iterator[Seat]:
        """Yield who took each man that has gone to a tray since it was right, the last first."""
        for step in line.latest():
            if step.match.plies <= self._right.get(tray, 0):
                return
            for goes_to, _ in captives(step):
                if goes_to == tray:
                    yield step.match.seat

    def _once(self, step: Line, line: Line, levels: Mapping[Place, Reading]) -> Iterator[Owed]:
        """Yield what the last move asks for: where no sensor sees it, until hands do something
        else.
        """
        before, after = _change(step)
        seat, reading = step.match.seat, line.sight.reading
        idle = all(place in after and place not in line.sight.cells for place in self.touched)
        unseen: dict[Place, list[Piece]] = {}
        for place, man in captives(step) if idle else ():
            stays = after.get(place)
            is_seen = reading(place, before.get(place)) != reading(place, stays)
            if not (is_seen and place in line.trays) and place not in self.touched:
                unseen.setdefault(place, []).append(man)
            if stays is not None and man.kind == f"+{stays.kind}":
                yield Owed(Deed.TURN_BACK, seat, place, (man,), stays.kind)
        for place, men in unseen.items():
            yield Owed(Deed.PUT_AWAY, seat, place, tuple(men))
        for place, man, was in _brought(step, before, after):
            if was is None:
                if idle and step.match.game.pointing:
                    yield Owed(Deed.POINT, seat, place, (man,))
                continue
            is_seen = reading(place, was) != reading(place, man)
            if levels.get(place, 0) != line.expected.get(place, 0) if is_seen else idle:
                deed = Deed.TURN_OVER if man.kind == f"+{was.kind}" else Deed.EXCHANGE
                yield Owed(deed, seat, place, (was,), man.kind)


def owed(
    aftermath: Aftermath,
    shown: Sequence[Line],
    levels: Mapping[Place, Reading],
    assist: Sequence[int],
) -> tuple[Owed, ...]:
    """Return what hands owe now, as far as all lines that are shown agree; nothing of a seat that
    wants no help.
    """
    first, *others = shown
    found = aftermath.owed(first, levels)
    sure = [each for each in found if assist[each.seat]]
    for line in others if sure else ():
        other = list(aftermath.owed(line, levels))
        sure = [each for each in sure if each in other]
    return tuple(sure)


def lacks(line: Line, tray: Place, levels: Mapping[Place, Reading]) -> int:
    """Return how many men less a tray reads than it should; below 0: how many more."""
    return min(line.expected.get(tray, 0), line.sight.pockets[tray]) - levels.get(tray, 0)


def captives(step: Line) -> list[tuple[Place, Piece]]:
    """Return the men that the last move of a line took, each with where it goes."""
    before, after = _change(step)
    gone, come = _cells(step, before, after)
    owners = {man.owner for man in come}
    grown = [
        place
        for place in after
        if place not in step.sight.cells and _lies(after, place) > _lies(before, place)
    ]
    found = []
    for man in gone.elements():
        if man.owner is None or man.owner not in owners:
            kind = man.kind.removeprefix("+")
            own = (place for place in grown if (lies := after[place]) and lies.kind == kind)
            found.append((next(own, grown[0] if grown else BESIDE), man))
    return found


def _brought(
    step: Line, before: Before, after: After
) -> Iterator[tuple[Place, Piece, Piece | None]]:
    """Yield where a man came to stand that is another kind now, with what it was; or that came
    from a tray, with None.
    """
    gone, come = _cells(step, before, after)
    own = [man for man in gone.elements() if man.owner in {each.owner for each in come}]
    from_tray = any(
        place not in step.sight.cells and _lies(after, place) < _lies(before, place)
        for place in after
    )
    if come.total() == 1 and (own or from_tray):
        (man,) = come
        cells = (place for place, piece in after.items() if piece == man)
        place = next(place for place in cells if place in step.sight.cells)
        yield place, man, own[0] if own else None


def _cells(step: Line, before: Before, after: After) -> tuple[Counter[Piece], Counter[Piece]]:
    """Return the men that are on the cells no more, and those that are there now."""
    cells = [place for place in after if place in step.sight.cells]
    was = Counter(before[place] for place in cells if place in before)
    now = Counter(man for place in cells if (man := after[place]) is not None)
    return was - now, now - was


def _last(line: Line) -> Line | None:
    """Return the line up to the last thing that was done with men, if nothing has been thrown
    since; None if there is none.
    """
    while line.before is not None and not isinstance(line.match.move, Throw):
        if line.footprint is not None or (isinstance(line.match.move, Claim) and _change(line)[1]):
            return line
        line = line.before
    return None


def _change(step: Line) -> tuple[Before, After]:
    """Return what stood where before, and what stands after on the places that change."""
    assert step.before is not None
    game = step.match.game
    before = game.pieces(step.before.match.position)
    if step.footprint is not None:
        return before, step.footprint.after
    if isinstance(step.match.move, Throw | Pass):
        return before, {}
    after = game.pieces(step.match.position)
    places = [place for place in before | after if before.get(place) != after.get(place)]
    return before, {place: after.get(place) for place in places}


def _lies(men: After, place: Place) -> int:
    man = men.get(place)
    return man.count if man else 0
