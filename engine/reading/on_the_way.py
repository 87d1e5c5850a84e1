"""What men cost that stood where a ply only passes, or begins: how its man was carried."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from engine.game import Place
from engine.reading.evidence import (
    CARRIED_ON,
    GHOST,
    HELD_LONG,
    LET_GO,
    LINGERED,
    NUDGED,
    PASSED_BY,
    WENT_ON,
)
from engine.reading.footprints import Footprint
from engine.reading.observations import BURST, OVERLAP, SLACK, STAYED, Edges
from engine.reading.tracks import Track
from engine.reading.weighing import PASSED_OVER, REPLIED, SLID

Stand: TypeAlias = tuple[float, float]
"""When a man came to stand somewhere, and when he left."""

# Times, in seconds.
CARRIED = 1.2  # a man is in a hand for so long at most, mostly
REPLIED_BY = 1.0  # by then it may as well be the other player who goes on
GOES_ON_BY = 2.0  # … and by then it rather is


class OnTheWay:
    """Weighs how men are carried, by the edges of the places on their way."""

    def __init__(self, edges: Edges) -> None:
        self.edges = edges

    def cost(self, each: Track, ply: Footprint, at: float) -> float:
        """Return what men cost that stood where a ply only passes, or begins. A hand that makes a
        pause before it carries on makes others like it: only the longest counts.
        """
        cost = longest = 0.0
        stands: dict[Place, Stand] = {}
        for place in sorted(ply.around - {place for place, _ in ply.arrivals}):
            since = max(each.settled(place), each.unpaid(place))
            stayed, carried_on, stand = self._stays(ply, place, since, at)
            if stand is not None:
                stands[place] = stand
            cost += stayed + self._strange_before(each, ply, place, at)
            longest = max(longest, carried_on)
        return cost + longest + self._carried(each, ply, stands, at)

    def _stays(
        self, ply: Footprint, place: Place, after: float, until: float
    ) -> tuple[float, float, Stand | None]:
        """Return the cost of a man that stood on a place of its way in a span of time: for each
        second beyond the first half, and once for having been lifted and put back; and, if it took
        another there, for the time that it stood before it was carried on and not slid, and when it
        stood there longest.
        """
        takes = place in ply.leaves
        longest, count, gone, carried = 0.0, 0, float("-inf"), 0.0
        stand: Stand | None = None
        for came, left, value in self.edges.spans(place):
            if not value:
                gone = came  # who chatters when he is lifted has not been put back
            if not value or came <= after or left > until:
                continue
            if takes and all(self.edges.value(p, came) for p in ply.leaves if p != place):
                continue  # no man was on its way: it is the one that stood there before
            if left - came > longest:
                longest, stand = left - came, (came, left)
            count += came - gone > BURST
            gone = left
            if takes:
                stood = 0.0 if self.slid(ply, place, left) else min(left - came, GOES_ON_BY)
                idle = self._begun(ply, place, came, left) - came
                carried = max(carried, min(stood, idle) - REPLIED)
        lingered = 0.0 if takes else LINGERED * min(max(longest - 0.5, 0.0), 3.0)
        return lingered + NUDGED * (count > 1), CARRIED_ON * carried, stand

    def _begun(self, ply: Footprint, place: Place, came: float, left: float) -> float:
        """Return when the first man of a ply was lifted after the one that it moves `came` to stand
        on a place that he has `left` for it: others that it takes may be taken off before.
        """
        others = {*ply.leaves, *(end for end, _ in ply.arrivals)} - {place}
        lifts = (self.edges.changed(p, left) for p in others if not self.edges.value(p, left))
        return min((lift for lift in lifts if lift > came + BURST), default=left)

    def _carried(
        self, each: Track, ply: Footprint, stands: Mapping[Place, Stand], at: float
    ) -> float:
        """Return what it costs how a man was carried that both players may move, and that stood on
        other places on its way: that it was in a hand for long; where it takes others there, that
        it stood on one of their cells for long, and was carried over another; and that one of those
        beyond which it stood was taken off meanwhile, for then no hand held it.
        """
        origin = each.line.origin(ply)
        if origin is None or len(ply.arrivals) != 1:
            return 0.0
        ((end, _),) = ply.arrivals
        man = ply.after[end]
        if man is None or man.owner is not None:
            return 0.0
        halts = {place: stand for place, stand in stands.items() if place != origin}
        lifted = max((left for _, left in halts.values()), default=self.edges.changed(origin, at))
        held = self.edges.changed(end, at) - lifted
        cost = HELD_LONG * min(max(0.0, held - CARRIED), 1.0)
        way = [place for place in ply.leaves if place != origin]
        stops = [halts[place] for place in way if place in halts]
        if not stops:
            return cost
        stood = [left - came for came, left in stops]
        longest, shortest = max(stood), min(stood) if len(stops) == len(way) else 0.0
        cost += PASSED_BY * (
            longest > (REPLIED_BY if shortest else REPLIED) and shortest < PASSED_OVER
        )
        lifts = [self.edges.changed(place, at) for place in way]
        if any(came + BURST < lift < left - BURST for came, left in stops for lift in lifts):
            cost += LET_GO
        return cost

    def _strange_before(self, each: Track, ply: Footprint, place: Place, until: float) -> float:
        """Return the cost of a man that stood on a place of a ply's way and left it before the last
        ply of a line was finished, while that of the ply was not lifted yet, if he shows another
        pole than who stands there: it was another man, of whom the line knows nothing, unless the
        man of the last ply stood there.
        """
        left_by_last = any(place in last.leaves for last in each.line.last_ply())
        if place not in each.open or place in each.parked or left_by_last:
            return 0.0
        before = each.line.expected.get(place, 0)
        return GHOST * any(
            value not in (0, before)
            and left - came >= STAYED
            and each.at - OVERLAP < left <= min(each.at, until)
            and all(self.edges.value(p, came) for p in ply.leaves if p != place)
            for came, left, value in self.edges.spans(place)
        )

    def slid(self, ply: Footprint, place: Place, left: float) -> bool:
        """Whether the man that left a place then for a ply was soon elsewhere, as when it is slid,
        and not carried.
        """
        soon = self.edges.between(left - SLACK, left + SLID)
        return any(p != place and p in ply.cells for _, p in soon)

    def stopped(self, each: Track, ply: Footprint) -> float:
        """Return the cost of the pauses that were made before this ply, if a hand went on with
        it: of the time of the last one beyond a moment.
        """
        if not each.paused <= ply.around:
            return each.pauses
        if not each.paused:
            return 0.0
        went_on = min(
            (at for at, place in self.edges.between(each.paused_at) if place in ply.around),
            default=each.paused_at,
        )
        pause = min(max(went_on - each.paused_at - REPLIED, 0.0), 3.0)
        let_go = LET_GO * (len(ply.arrivals) > 1)  # of the first of several men
        return each.went_on + let_go + WENT_ON * pause
