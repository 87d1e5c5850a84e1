"""Guidance: which hand movements put the board right, kept in step with what the hands do."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import hypot

from engine.game import Piece, Place
from engine.reading.fewest_moves import Movement, movements
from engine.reading.footprints import Reading, Sight
from engine.reading.history import History


class RepairPlan:
    """The plan that brings a board to what a line leaves, step after step of the hands.

    It remembers what was certain to stand where when people changed what is wanted (a takeback by
    button, a new match), until somebody touches it; and which planned man is in a hand.
    """

    def __init__(self, sight: Sight) -> None:
        self.anew = False
        """People have changed what is wanted, and the board does not match it yet."""
        self.been_at: set[Place] = set()
        """Where a hand has been since the board was right."""
        self._sight = sight
        self._coordinates = sight.game.coordinates
        self._known: dict[Place, Piece] = {}  # what is certain to stand where
        self._likely: dict[Place, Piece] = {}  # … and what probably does
        self._lifted: list[Piece | None] = []  # the men that are probably in the hands
        self._held: set[Place] = set()  # where the men in the hand belong
        self._plan: tuple[Movement, ...] = ()
        self._for: tuple[object, Mapping[Place, Reading], Collection[Place], int] | None = None

    def mended(self, line: History) -> None:
        """Note that the board is as `line` leaves it."""
        self.anew = False
        self.been_at.clear()
        self._known.clear()
        self._likely = _pieces(line)
        self._lifted.clear()
        self._for = None

    def retarget(self, lines: Sequence[History], levels: Mapping[Place, Reading]) -> None:
        """Note what stands on a board that reads as `lines` leave it, as far as they agree, for
        something else will be wanted there: from now on men are told apart that the sensors cannot
        tell.
        """
        if not self.anew:
            men, *others = map(_pieces, lines)
            self._known = {
                place: man
                for place, man in men.items()
                if place not in self.been_at
                and levels.get(place, 0) == lines[0].expected.get(place, 0)
                and all(man == other.get(place) for other in others)
            }
        self.anew = True
        self._for = None

    def touched(self, place: Place, reading: Reading) -> None:
        """Note that a place has come to rest: what stands there now is not certain any more. A man
        that is put down while only one is in the hands is probably that one.
        """
        self.been_at.add(place)
        self._known.pop(place, None)
        if place not in self._sight.cells:
            self._lifted.clear()  # what was in a hand may lie in that tray
        elif not reading:
            self._lifted.append(self._likely.pop(place, None))
        elif place not in self._likely:
            man = self._lifted[0] if len(self._lifted) == 1 else None
            self._lifted.clear()
            if man is not None:
                self._likely[place] = man

    def plan(
        self, line: History, levels: Mapping[Place, Reading], masked: Collection[Place]
    ) -> tuple[Movement, ...]:
        """Return the fewest movements that bring the board to what `line` leaves; none if it reads
        so. A man that a hand has lifted as planned is expected where it belongs. What lies in a
        wrong tray comes last.
        """
        planned = line.match.position, dict(levels), masked, len(self._known)
        if self._for == planned:
            return self._plan
        if self._for is not None and self._for[0] == line.match.position:
            self._follow(self._for[1], levels)
        else:
            self._held.clear()
        self._plan = movements(
            self._sight,
            _pieces(line),
            levels,
            masked,
            known=self._known,
            likely=self._likely,
            held=self._held,
            far=self._far,
            trays=_trays_tell(line),
        )
        self._for = planned
        return self._plan

    def _far(self, start: Place, end: Place) -> int:
        """Return the straight distance between two cells in tenths of a cell."""
        (a, b), (c, d) = self._coordinates(start), self._coordinates(end)
        return round(10 * hypot(a - c, b - d))

    def _follow(self, before: Mapping[Place, Reading], levels: Mapping[Place, Reading]) -> None:
        """Note where the men of the plan belong that are in a hand now."""
        for step in self._plan:
            start, end = step.start or "", step.end or ""
            if step.carries and abs(levels.get(start, 0)) < abs(before.get(start, 0)):
                self._held.add(end)
        for place, reading in levels.items():
            if reading and not before.get(place, 0) and place in self._sight.cells:
                if place not in self._held:
                    self._held.clear()  # it was put down somewhere else, or back
                self._held.discard(place)


def _trays_tell(line: History) -> bool:
    """Whether what lies in the trays must follow from the line: not where a man may go from tray to
    tray as a move, nor where the board is cleared.
    """
    return line.match.outcome is None and not any(
        line.possible.in_tray(tray) for tray in line.trays
    )


def _pieces(line: History) -> dict[Place, Piece]:
    return line.match.game.pieces(line.match.position)
