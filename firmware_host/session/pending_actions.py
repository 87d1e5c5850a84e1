"""Pending actions: what hands still have to do with pieces that a move captured, turned or brought
in.

A move is read by its cells as soon as it is made. A captured piece may still be in a hand, and a
promoted one may lie the wrong way up. If a sensor can see the action, it is pending until it is
done; else until hands lift another piece or dice fall. Pending actions are no faults: people are
reminded, and play goes on.
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
"""Where a captured piece goes if the game has no tray for it."""


class ActionKind(Enum):
    """What hands do with a piece."""

    PUT_AWAY = "put away"
    TURN_OVER = "turn over"
    TURN_BACK = "turn back"  # a piece that was captured promoted
    EXCHANGE = "exchange"  # for another piece
    POINT = "point"  # away from its new owner


@dataclass(frozen=True, slots=True)
class PendingAction:
    """One action that hands still have to do."""

    action: ActionKind
    seat: Seat
    """The seat that made the move."""
    place: Place
    """The tray, or the cell where the piece stands."""
    pieces: tuple[Piece, ...]
    """The piece as it was; several may have to be put away."""
    becomes: str = ""
    """The kind of the piece after it, if that changes."""


class PendingActions:
    """What hands have touched since the last move was read, and which trays are full."""

    def __init__(self) -> None:
        self.touched: set[Place] = set()
        """The trays touched since the record changed, and the cells from which pieces were
        lifted.
        """
        self._full_at: dict[Place, int] = {}  # after how many plies each tray was last full

    def note_trays(self, history: History, levels: Mapping[Place, Reading]) -> None:
        """Note which trays are full. A piece that such a tray lacks later, though nothing was
        captured since, was taken out to be played.
        """
        for tray in history.trays:
            if lacks(history, tray, levels) <= 0:
                self._full_at[tray] = history.match.plies

    def was_full(self, tray: Place, history: History) -> bool:
        """Return whether a tray was full since the last ply of a history that changed it."""
        if tray not in self._full_at:
            return False
        later = takewhile(lambda s: s.match.plies > self._full_at[tray], history.latest())
        return not any(step.footprint and tray in step.footprint.after for step in later)

    def due(
        self, histories: Sequence[History], levels: Mapping[Place, Reading]
    ) -> list[PendingAction]:
        """Return the pending actions on which all histories agree, the captives first."""
        first, *others = [[*self._due_after(history, levels)] for history in histories]
        return [each for each in first if all(each in other for other in others)]

    def _due_after(
        self, history: History, levels: Mapping[Place, Reading]
    ) -> Iterator[PendingAction]:
        pieces = history.match.game.pieces(history.match.position)
        for tray in sorted(history.trays):
            seats = [*islice(self._takers(history, tray), max(0, lacks(history, tray, levels)))]
            if seats:
                missing = (replace(pieces[tray], count=1),) * len(seats)
                yield PendingAction(ActionKind.PUT_AWAY, seats[0], tray, missing)
        step = _last_change(history)
        if step is not None:
            yield from self._after_ply(_Ply(step), step.match.seat, history, levels)

    def _takers(self, history: History, tray: Place) -> Iterator[Seat]:
        """Yield the seat that captured each piece that has gone to a tray since it was full, the
        last one first.
        """
        for step in history.latest():
            if step.match.plies <= self._full_at.get(tray, 0):
                return
            for goes_to, _ in captives(step):
                if goes_to == tray:
                    yield step.match.seat

    def _after_ply(
        self, ply: _Ply, seat: Seat, history: History, levels: Mapping[Place, Reading]
    ) -> Iterator[PendingAction]:
        """Yield the actions of the last ply; those that no sensor sees only until hands touch
        something else.
        """
        reading, cells = history.sight.reading, history.sight.cells
        idle = all(place in ply.after and place not in cells for place in self.touched)
        unseen: dict[Place, list[Piece]] = {}
        for place, piece in ply.captives() if idle else ():
            stays = ply.after.get(place)
            is_seen = reading(place, ply.before.get(place)) != reading(place, stays)
            if not (is_seen and place in history.trays) and place not in self.touched:
                unseen.setdefault(place, []).append(piece)
            if stays is not None and piece.kind == f"+{stays.kind}":
                yield PendingAction(ActionKind.TURN_BACK, seat, place, (piece,), stays.kind)
        for place, pieces in unseen.items():
            yield PendingAction(ActionKind.PUT_AWAY, seat, place, tuple(pieces))
        if (brought := ply.brought()) is None:
            return
        place, piece, was = brought
        if was is None:
            if idle and history.match.game.pointing:
                yield PendingAction(ActionKind.POINT, seat, place, (piece,))
            return
        is_seen = reading(place, was) != reading(place, piece)
        if levels.get(place, 0) != history.expected.get(place, 0) if is_seen else idle:
            turned = piece.kind == f"+{was.kind}"
            action = ActionKind.TURN_OVER if turned else ActionKind.EXCHANGE
            yield PendingAction(action, seat, place, (was,), piece.kind)


def lacks(history: History, tray: Place, levels: Mapping[Place, Reading]) -> int:
    """Return how many pieces fewer a tray reads than it should; below 0: how many more."""
    pockets = history.sight.pockets[tray]
    return min(history.expected.get(tray, 0), pockets) - levels.get(tray, 0)


def captives(step: History) -> list[tuple[Place, Piece]]:
    """Return the pieces that the last move of a history captured, each with its target."""
    return _Ply(step).captives()


class _Ply:
    """The pieces before and after the last move of a history, on the places that it changed."""

    def __init__(self, step: History) -> None:
        assert step.before is not None
        game = step.match.game
        self.before = game.pieces(step.before.match.position)
        after = game.pieces(step.match.position)
        places = {**self.before, **after}
        self.after = {p: after.get(p) for p in places if self.before.get(p) != after.get(p)}
        self._cells = [place for place in self.after if place in step.sight.cells]
        was = Counter(self.before[place] for place in self._cells if place in self.before)
        now = Counter(piece for place in self._cells if (piece := self.after[place]) is not None)
        self._gone, self._come = was - now, now - was
        self._own = {piece.owner for piece in self._come}

    def captives(self) -> list[tuple[Place, Piece]]:
        """Return the pieces of the other side that have left the cells, each with the tray of its
        kind that has grown, or another tray that has, or beside the board.
        """
        grown = {tray: after.kind for tray, more, after in self._trays() if after and more > 0}
        found = []
        for piece in self._gone.elements():
            if piece.owner is None or piece.owner not in self._own:
                kind = piece.kind.removeprefix("+")
                fitting = (tray for tray in grown if grown[tray] == kind)
                found.append((next(fitting, next(iter(grown), BESIDE)), piece))
        return found

    def brought(self) -> tuple[Place, Piece, Piece | None] | None:
        """Return the place and piece that a move has brought, with what it was before: a piece of
        another kind, or None if it came from a tray. None if there is no such piece.
        """
        own = [piece for piece in self._gone.elements() if piece.owner in self._own]
        if self._come.total() != 1 or not (own or any(more < 0 for _, more, _ in self._trays())):
            return None
        (piece,) = self._come
        place = next(place for place in self._cells if self.after[place] == piece)
        return place, piece, own[0] if own else None

    def _trays(self) -> Iterator[tuple[Place, int, Piece | None]]:
        """Yield the trays that the move has changed, each with its gain and its piece now."""
        for place, piece in self.after.items():
            if place not in self._cells:
                was = self.before.get(place)
                yield place, (piece.count if piece else 0) - (was.count if was else 0), piece


def _last_change(history: History) -> History | None:
    """Return the history up to the last move or claim that changed pieces; None if dice have fallen
    since, or there is none.
    """
    while history.before is not None and not isinstance(history.match.move, Throw):
        claim = isinstance(history.match.move, Claim)
        if history.footprint is not None or (claim and _Ply(history).after):
            return history
        history = history.before
    return None
