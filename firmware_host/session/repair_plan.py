"""The movements that put the board right, updated while hands make them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import hypot

from engine.game import Piece, Place
from engine.reading.fewest_moves import Movement, movements
from engine.reading.footprints import Reading, Sight
from engine.reading.history import History


class RepairPlan:
    """The plan that brings a board to the end of a history, updated while hands work.

    When the position shown changes (a takeback by button, a new match), it remembers which pieces
    certainly stood where, until a hand touches them. It also knows which piece of the plan is in a
    hand.
    """

    def __init__(self, sight: Sight) -> None:
        self.retargeted = False
        """Whether the position shown was changed, and the board does not match it yet."""
        self.touched_places: set[Place] = set()
        """The places touched since the board was right."""
        self._sight = sight
        self._coordinates = sight.game.coordinates
        self._certain: dict[Place, Piece] = {}  # the piece that certainly stands on a place
        self._likely: dict[Place, Piece] = {}  # the piece that probably stands there
        self._lifted: list[Piece | None] = []  # the pieces that hands probably hold
        self._targets_in_hand: set[Place] = set()  # the targets of the pieces in the hands
        self._plan: tuple[Movement, ...] = ()
        self._for: tuple[object, Mapping[Place, Reading], Collection[Place], int] | None = None

    def matched(self, history: History) -> None:
        """Note that the board is right: it stands as at the end of `history`."""
        self.retargeted = False
        self.touched_places.clear()
        self._certain.clear()
        self._likely = _pieces(history)
        self._lifted.clear()
        self._for = None

    def retarget(self, histories: Sequence[History], levels: Mapping[Place, Reading]) -> None:
        """Note the pieces on a board that reads as at the end of `histories`, as far as they agree,
        because the position shown is about to change. From now on the plan distinguishes pieces
        that the sensors cannot.
        """
        if not self.retargeted:
            pieces, *others = map(_pieces, histories)
            self._certain = {
                place: piece
                for place, piece in pieces.items()
                if place not in self.touched_places
                and levels.get(place, 0) == histories[0].expected.get(place, 0)
                and all(piece == other.get(place) for other in others)
            }
        self.retargeted = True
        self._for = None

    def touched(self, place: Place, reading: Reading) -> None:
        """Note that a place has come to rest: its piece is not certain from now on. A piece that is
        put down while only one is in the hands is probably that one.
        """
        self.touched_places.add(place)
        self._certain.pop(place, None)
        if place not in self._sight.cells:
            self._lifted.clear()  # a piece from a hand may lie in that tray
        elif not reading:
            self._lifted.append(self._likely.pop(place, None))
        elif place not in self._likely:
            piece = self._lifted[0] if len(self._lifted) == 1 else None
            self._lifted.clear()
            if piece is not None:
                self._likely[place] = piece

    def plan(
        self, history: History, levels: Mapping[Place, Reading], masked: Collection[Place]
    ) -> tuple[Movement, ...]:
        """Return the fewest movements that bring the board to the end of `history`; none if it
        reads so. A piece that a hand has lifted as planned is expected at its target. A piece in a
        wrong tray comes last.
        """
        planned = history.match.position, dict(levels), masked, len(self._certain)
        if self._for == planned:
            return self._plan
        if self._for is not None and self._for[0] == history.match.position:
            self._follow(self._for[1], levels)
        else:
            self._targets_in_hand.clear()
        self._plan = movements(
            self._sight,
            _pieces(history),
            levels,
            masked,
            known=self._certain,
            likely=self._likely,
            held=self._targets_in_hand,
            far=self._distance,
            trays=_trays_are_evidence(history),
        )
        self._for = planned
        return self._plan

    def _distance(self, start: Place, end: Place) -> int:
        """Return the straight distance between two cells in tenths of a cell."""
        (a, b), (c, d) = self._coordinates(start), self._coordinates(end)
        return round(10 * hypot(a - c, b - d))

    def _follow(self, before: Mapping[Place, Reading], levels: Mapping[Place, Reading]) -> None:
        """Note the targets of the planned pieces that are in a hand now."""
        for step in self._plan:
            start, end = step.start or "", step.end or ""
            if step.carries and abs(levels.get(start, 0)) < abs(before.get(start, 0)):
                self._targets_in_hand.add(end)
        for place, reading in levels.items():
            if reading and not before.get(place, 0) and place in self._sight.cells:
                if place not in self._targets_in_hand:
                    self._targets_in_hand.clear()  # it was put down elsewhere, or went back
                self._targets_in_hand.discard(place)


def _trays_are_evidence(history: History) -> bool:
    """Return whether a history says what lies in the trays: not if a move may go from tray to tray,
    nor after the end, when people clear the board.
    """
    return history.match.outcome is None and not any(
        history.possible.in_tray(tray) for tray in history.trays
    )


def _pieces(history: History) -> dict[Place, Piece]:
    return history.match.game.pieces(history.match.position)
