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
from itertools import islice, takewhile
from typing import Final

from engine.game import Claim, Piece, Place, Seat, Throw
from engine.reading.footprints import Reading
from engine.reading.history import History

BESIDE: Final[Place] = ""
"""Where a captured man goes for which the game has no tray."""


class ActionKind(Enum):
    """What is to be done with a man."""

    PUT_AWAY = "put away"
    TURN_OVER = "turn over"
    TURN_BACK = "turn back"  # one that was captured promoted
    EXCHANGE = "exchange"  # for another man
    POINT = "point"  # away from its new owner


@dataclass(frozen=True, slots=True)
class PendingAction:
    """One thing that hands still have to do."""

    deed: ActionKind
    seat: Seat
    """Who made the move that asks for it."""
    place: Place
    """The tray, or the cell where the man stands."""
    men: tuple[Piece, ...]
    """The man as it was; several may have to be put away."""
    kind: str = ""
    """What the man is from now on, if it is something else."""


class PendingActions:
    """What hands have done since the last move was read, and which captives reached their trays."""

    def __init__(self) -> None:
        self.touched: set[Place] = set()
        """The trays that were touched since the record changed, and where men were lifted."""
        self._right: dict[Place, int] = {}

    def look(self, line: History, levels: Mapping[Place, Reading]) -> None:
        """Note after how many plies each tray held all it should: what it lacks later, though
        nobody was captured since, was taken out to be played.
        """
        for tray in line.trays:
            if lacks(line, tray, levels) <= 0:
                self._right[tray] = line.match.plies

    def was_right(self, tray: Place, line: History) -> bool:
        """Whether a tray has held all it should since the last ply of a line that changed it."""
        if tray not in self._right:
            return False
        later = takewhile(lambda s: s.match.plies > self._right[tray], line.latest())
        return not any(step.footprint and tray in step.footprint.after for step in later)

    def owed(
        self, lines: Sequence[History], levels: Mapping[Place, Reading]
    ) -> list[PendingAction]:
        """Return what is owed, the captives first, as far as all `lines` that are shown agree."""
        first, *others = [[*self._owed_after(line, levels)] for line in lines]
        return [each for each in first if all(each in other for other in others)]

    def _owed_after(
        self, line: History, levels: Mapping[Place, Reading]
    ) -> Iterator[PendingAction]:
        men = line.match.game.pieces(line.match.position)
        for tray in sorted(line.trays):
            seats = [*islice(self._takers(line, tray), max(0, lacks(line, tray, levels)))]
            if seats:
                missing = (replace(men[tray], count=1),) * len(seats)
                yield PendingAction(ActionKind.PUT_AWAY, seats[0], tray, missing)
        step = _last(line)
        if step is not None:
            yield from self._by(_Ply(step), step.match.seat, line, levels)

    def _takers(self, line: History, tray: Place) -> Iterator[Seat]:
        """Yield who took each man that has gone to a tray since it was right, the last first."""
        for step in line.latest():
            if step.match.plies <= self._right.get(tray, 0):
                return
            for goes_to, _ in captives(step):
                if goes_to == tray:
                    yield step.match.seat

    def _by(
        self, ply: _Ply, seat: Seat, line: History, levels: Mapping[Place, Reading]
    ) -> Iterator[PendingAction]:
        """Yield what the last move asks for: where no sensor sees it, until hands do something
        else.
        """
        reading, cells = line.sight.reading, line.sight.cells
        idle = all(place in ply.after and place not in cells for place in self.touched)
        unseen: dict[Place, list[Piece]] = {}
        for place, man in ply.captives() if idle else ():
            stays = ply.after.get(place)
            is_seen = reading(place, ply.before.get(place)) != reading(place, stays)
            if not (is_seen and place in line.trays) and place not in self.touched:
                unseen.setdefault(place, []).append(man)
            if stays is not None and man.kind == f"+{stays.kind}":
                yield PendingAction(ActionKind.TURN_BACK, seat, place, (man,), stays.kind)
        for place, men in unseen.items():
            yield PendingAction(ActionKind.PUT_AWAY, seat, place, tuple(men))
        if (brought := ply.brought()) is None:
            return
        place, man, was = brought
        if was is None:
            if idle and line.match.game.pointing:
                yield PendingAction(ActionKind.POINT, seat, place, (man,))
            return
        is_seen = reading(place, was) != reading(place, man)
        if levels.get(place, 0) != line.expected.get(place, 0) if is_seen else idle:
            deed = ActionKind.TURN_OVER if man.kind == f"+{was.kind}" else ActionKind.EXCHANGE
            yield PendingAction(deed, seat, place, (was,), man.kind)


def lacks(line: History, tray: Place, levels: Mapping[Place, Reading]) -> int:
    """Return how many men less a tray reads than it should; below 0: how many more."""
    return min(line.expected.get(tray, 0), line.sight.pockets[tray]) - levels.get(tray, 0)


def captives(step: History) -> list[tuple[Place, Piece]]:
    """Return the men that the last move of a line took, each with where it goes."""
    return _Ply(step).captives()


class _Ply:
    """What the last move of a line did to the men, on the places that it has changed."""

    def __init__(self, step: History) -> None:
        assert step.before is not None
        game = step.match.game
        self.before = game.pieces(step.before.match.position)
        after = game.pieces(step.match.position)
        places = {**self.before, **after}
        self.after = {p: after.get(p) for p in places if self.before.get(p) != after.get(p)}
        self._cells = [place for place in self.after if place in step.sight.cells]
        was = Counter(self.before[place] for place in self._cells if place in self.before)
        now = Counter(man for place in self._cells if (man := self.after[place]) is not None)
        self._gone, self._come = was - now, now - was
        self._own = {man.owner for man in self._come}

    def captives(self) -> list[tuple[Place, Piece]]:
        """Return the men that are on the cells no more and were the other side's, each with the
        tray of its kind that has grown, or else another, or beside the board.
        """
        grown = {tray: after.kind for tray, more, after in self._trays() if after and more > 0}
        found = []
        for man in self._gone.elements():
            if man.owner is None or man.owner not in self._own:
                kind = man.kind.removeprefix("+")
                fitting = (tray for tray in grown if grown[tray] == kind)
                found.append((next(fitting, next(iter(grown), BESIDE)), man))
        return found

    def brought(self) -> tuple[Place, Piece, Piece | None] | None:
        """Return where a man came to stand that is another kind now, with what it was; or that came
        from a tray, with None; None if there is no such man.
        """
        own = [man for man in self._gone.elements() if man.owner in self._own]
        if self._come.total() != 1 or not (own or any(more < 0 for _, more, _ in self._trays())):
            return None
        (man,) = self._come
        place = next(place for place in self._cells if self.after[place] == man)
        return place, man, own[0] if own else None

    def _trays(self) -> Iterator[tuple[Place, int, Piece | None]]:
        """Yield the trays that it has changed, with how many men more lie there now, and which."""
        for place, man in self.after.items():
            if place not in self._cells:
                was = self.before.get(place)
                yield place, (man.count if man else 0) - (was.count if was else 0), man


def _last(line: History) -> History | None:
    """Return the line up to the last thing that was done with men, if nothing has been thrown
    since; None if there is none.
    """
    while line.before is not None and not isinstance(line.match.move, Throw):
        if line.footprint is not None or (isinstance(line.match.move, Claim) and _Ply(line).after):
            return line
        line = line.before
    return None
