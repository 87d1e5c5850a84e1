"""What the sensors of trays show about captured and dropped pieces."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice

from engine.game import Place
from engine.reading.evidence import (
    GIVEN_OF_LATE,
    IN_HAND,
    LONG_BEFORE,
    OUT_OF_ORDER,
    OVERLAP,
    TRAY_WRONG,
    UNDERWAY,
)
from engine.reading.footprints import Reading
from engine.reading.history import History
from engine.reading.hypothesis import Hypothesis
from engine.reading.observations import Edges


class Trays:
    """Compares the readings of trays with hypotheses."""

    def __init__(self, edges: Edges) -> None:
        self.edges = edges

    def holds(self, each: Hypothesis, tray: Place, line: History, at: float) -> bool:
        """Return whether a tray held what `line` ends with, except pieces missing all along."""
        wanted = line.expected.get(tray, 0) - each.missing_in_tray.get(tray, 0)
        return self.edges.value(tray, at) == max(0, min(wanted, line.sight.pockets[tray]))

    def against(self, each: Hypothesis, levels: Mapping[Place, Reading]) -> tuple[float, float]:
        """Return the cost of the current readings, and the part for pieces that may come."""
        line = each.line
        cost, late = 0.0, 0.0
        over = line.match.outcome is not None  # then people may clear the board soon
        for tray in sorted(line.trays):
            pockets = line.sight.pockets[tray]
            reads, wanted = levels.get(tray, 0), line.expected.get(tray, 0)
            if over and reads != min(wanted, pockets):  # else the piece has arrived
                reads = self.edges.value(tray, each.at + LONG_BEFORE)
            missing_in_tray = each.missing_in_tray.get(tray, 0)
            if reads == min(wanted, pockets) or reads == max(
                0, min(wanted - missing_in_tray, pockets)
            ):
                continue
            missing = wanted - missing_in_tray - reads
            if missing > 0:
                behind = min(self._came(line, tray), missing)
                late += OUT_OF_ORDER * behind
                missing -= behind
                if missing and line.possible.is_used(tray):
                    taken = self.edges.gave(tray, each.at - OVERLAP, float("inf"))
                    # A move that shows only in trays has no beginning.
                    cost += IN_HAND if taken and not line.possible.in_tray(tray) else UNDERWAY
                    missing -= 1
                cost += TRAY_WRONG * missing
            else:
                put_away = min(max(missing_in_tray, 0), -missing)
                cost += OUT_OF_ORDER * put_away
                handled = self.edges.touched(tray, each.at - OVERLAP, float("inf"))
                if -missing > put_away and handled and line.possible.is_used(tray):
                    cost += UNDERWAY
                    put_away += 1
                cost += TRAY_WRONG * (-missing - put_away)
        return cost + late, late

    def off_for_two_plies(self, each: Hypothesis, line: History, at: float) -> int:
        """Return the number of wrong pieces in trays both after the last ply and after the next.

        No hand takes a piece from a tray that long before it is put down.
        """
        off = 0
        for tray in line.trays:
            now = self._too_many(each, tray, line, at)
            before = self._too_many(each, tray, each.line, each.at) if now else 0
            if now * before > 0 and not self._came(each.line, tray):
                off += min(abs(now), abs(before))
        return off

    def _too_many(self, each: Hypothesis, tray: Place, line: History, at: float) -> int:
        """Return the surplus of a tray over `line`, except pieces missing all along."""
        reads, pockets = self.edges.value(tray, at), line.sight.pockets[tray]
        wanted = line.expected.get(tray, 0)
        if reads == min(wanted, pockets):
            return 0
        return reads - max(0, min(wanted - each.missing_in_tray.get(tray, 0), pockets))

    def _came(self, line: History, tray: Place) -> int:
        """Return the number of pieces that the last plies sent to a tray."""
        plies = (step.footprint for step in line.latest() if step.footprint is not None)
        return sum(tray in ply.trays and tray != ply.tray for ply in islice(plies, GIVEN_OF_LATE))
