"""What a man costs that is dropped: out of his tray, or from where nothing tells."""

from __future__ import annotations

from dataclasses import dataclass

from engine.game import Place
from engine.reading.evidence import FROM_THERE, KEPT_IN_HAND, TRAY_UNTOUCHED, WENT_BACK
from engine.reading.footprints import Footprint
from engine.reading.lines import Line
from engine.reading.observations import OVERLAP, SLACK
from engine.reading.tracks import Track
from engine.reading.weighing import EARLIER, PASSED_OVER, Weighing


@dataclass(frozen=True, slots=True)
class Drop:
    """What a man costs that comes from where nothing tells."""

    cost: float = 0.0
    pledge: float = 0.0
    """What of it play gives back that goes on."""
    away: frozenset[Place] = frozenset()
    """From where the man may have come that the last ply has put there."""
    doubt: float = 0.0
    """What it costs if it is that one."""


class Drops:
    """Weighs where dropped men come from."""

    def __init__(self, weigh: Weighing) -> None:
        self.weigh = weigh
        self.edges = weigh.edges

    def out_of_its_tray(self, each: Track, ply: Footprint, line: Line, at: float) -> float:
        """Return the cost of a drop if its man was not seen to be taken from its tray."""
        tray = ply.tray
        if tray is None:
            return 0.0
        if each.back and at - each.undone[-1][1] < SLACK:  # who was only just lifted is no other
            given = self.edges.gave(tray, each.undone[-1][1] - OVERLAP, at + SLACK)
            return 0.0 if given else TRAY_UNTOUCHED
        # What had left it by the end of the last ply, and it reads right then, went elsewhere.
        right = self.weigh.trays.holds(each, tray, each.line, each.at)
        if self.edges.gave(tray, each.at - (0.0 if right else OVERLAP), at + SLACK):
            return 0.0
        kept = self.weigh.trays.holds(each, tray, line, at)
        kept = kept and not self.weigh.trays.taken_from(each, tray, at)
        # Who stood parked while the other player moved would long be in his tray.
        kept = kept and all(self.edges.value(place, at) for place in each.parked)
        return KEPT_IN_HAND if kept else TRAY_UNTOUCHED

    def from_nowhere(self, each: Track, ply: Footprint, at: float) -> Drop:
        """Return what a man costs that comes from where nothing tells."""
        first = self._first_put(each, ply, at)
        went_back = max(self.weigh.went_back(each, ply, when) for when in (first, at))
        doubt = WENT_BACK * went_back
        cost = rushed = 0.0 if self._is_tray_felt(each, ply, at) else self.weigh.haste(each, first)
        away = self.weigh.lifted_again(each, at) if went_back else frozenset()
        if not away:
            cost += doubt
        homes = {place for last in each.line.last_ply() for place in last.leaves}
        if self.weigh.is_by_captive(each) and any(place in homes for place, _ in ply.arrivals):
            cost += each.pledge  # the man that was laid aside may only have been put back
        cost += FROM_THERE * any(
            not self.edges.value(place, at) and self.edges.touched(place, each.at, at)
            for place in each.parked
        )
        return Drop(cost, rushed if away or not went_back else 0.0, away, doubt)

    def _is_tray_felt(self, each: Track, ply: Footprint, at: float) -> bool:
        """Whether the tray that a dropped man lay in was touched since the last ply of a line: it
        may hold more than it has sensors for, and read the same without him.
        """
        trays = each.line.trays.intersection(ply.after)
        return any(self.edges.touched(tray, each.at, at) for tray in trays)

    def _first_put(self, each: Track, ply: Footprint, at: float) -> float:
        """Return when a man came to where a ply ends since the last ply of a line, and was not only
        carried over it: who lifts him and puts him there again moves no other.
        """
        return min(
            (
                came
                for place, _ in ply.arrivals
                for came, left, value in self.edges.spans(place)
                if value and each.at < came and left <= at and left - came > PASSED_OVER
            ),
            default=at,
        )

    def stood_there(self, each: Track, ply: Footprint, at: float) -> bool:
        """Whether the man that was put down by the last ply of a line, which looks like the one of
        the next, stood where that is put now just before, and was not only carried over it; but
        who takes his man from a tray only then has seen where the other's stays.
        """
        if self._is_tray_felt(each, ply, at):
            return False
        before = each.line.head().last_ply()
        return any(
            value == reading == same
            and each.at - EARLIER < came <= left - PASSED_OVER
            and left <= each.at
            for last in each.line.last_ply()
            if not last.leaves
            for place, reading in ply.arrivals
            if not any(place in other.cells for other in (last, *before))
            for _, same in last.arrivals
            for came, left, value in self.edges.spans(place)
        )
