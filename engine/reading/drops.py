"""What a man costs that is dropped: out of his tray, or from where nothing tells."""

from __future__ import annotations

from engine.reading.evidence import OVERLAP, SLACK, TRAY_UNTOUCHED
from engine.reading.footprints import Footprint
from engine.reading.hypothesis import Hypothesis
from engine.reading.weighing import Weighing


class Drops:
    """Weighs where dropped men come from."""

    def __init__(self, weigh: Weighing) -> None:
        self.weigh = weigh
        self.edges = weigh.edges

    def out_of_its_tray(self, each: Hypothesis, ply: Footprint, at: float) -> float:
        """Return the cost of a drop if its man was not seen to be taken from its tray."""
        tray = ply.tray
        if tray is None:
            return 0.0
        # What had left it by the end of the last ply, and it reads right then, went elsewhere.
        right = self.weigh.trays.holds(each, tray, each.line, each.at)
        if self.edges.gave(tray, each.at - (0.0 if right else OVERLAP), at + SLACK):
            return 0.0
        return TRAY_UNTOUCHED

    def _is_tray_felt(self, each: Hypothesis, ply: Footprint, at: float) -> bool:
        """Whether the tray that a dropped man lay in was touched since the last ply of a line: it
        may hold more than it has sensors for, and read the same without him.
        """
        trays = each.line.trays.intersection(ply.after)
        return any(self.edges.touched(tray, each.at, at) for tray in trays)

    def from_nowhere(self, each: Hypothesis, ply: Footprint, at: float) -> float:
        """Return what a man costs that comes from where nothing tells."""
        return 0.0 if self._is_tray_felt(each, ply, at) else self.weigh.haste(each, at)
