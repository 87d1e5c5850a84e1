"""Evidence: the raw edges of every place, and whether hands can have done what a line says.

A line of play that leaves the right readings may still be impossible: a man is lifted before it is
put down elsewhere, it stays a moment where it is put, and what comes later is seen later. What is
missing costs; the reader compares the sums.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from engine.footprints import Footprint, Reading
from engine.game import Place

MISSED = 3.0  # a man must have been lifted or put down, and was not seen
TOO_QUICK = 0.9  # … but the man that was captured lies in its tray: it was between two looks
FLEETING = 1.0  # it came and went faster than hands do
UNSEEN = 2.5  # it arrived where no sensor is believed
UNSEEN_BUT_GONE = 0.5  # … and it, or the man that it captures, was seen on the way
TRAY_UNTOUCHED = 0.8  # it was dropped, and the tray that it could come from had not changed

TOO_SOON = 0.5  # it came down before its own place was seen to be empty

AT_ONCE = 0.02  # seconds by which one scan may see a man come that the next sees gone
CHATTER = 0.045  # seconds between two edges of a contact that chatters
OUT_OF_ORDER = 0.6  # the man of a later ply came down first
OVERLAP = 0.4  # seconds by which the hands of two players may overlap
STAYED = 0.03  # seconds a man stays at least where it is put down
SLACK = 0.06  # seconds by which two sensors may disagree on what came first
EDGES_KEPT = 16  # per place, so that a dithering hand fills no memory


class Edges:
    """The raw edges of each place, oldest first: when it began to read what."""

    def __init__(self) -> None:
        self.by_place: dict[Place, list[tuple[float, Reading]]] = {}

    def __contains__(self, place: object) -> bool:
        return place in self.by_place

    def of(self, place: Place) -> list[tuple[float, Reading]]:
        """Return the edges of a place."""
        return self.by_place.get(place, [])

    def add(self, at: float, place: Place, reading: Reading) -> None:
        """Note that `place` read `reading` from `at` on, however briefly."""
        edges = self.by_place.setdefault(place, [])
        edges.append((at, reading))
        if len(edges) > EDGES_KEPT:
            del edges[1]  # the first edge and the latest ones tell most

    def forget(self, until: float) -> None:
        """Forget what happened up to a time."""
        self.by_place = {
            place: kept
            for place, edges in self.by_place.items()
            if (kept := [edge for edge in edges if edge[0] > until])
        }

    def copied(self) -> Edges:
        """Return the same edges, to be added to."""
        copied = Edges()
        copied.by_place = {place: list(edges) for place, edges in self.by_place.items()}
        return copied

    def joined(self, later: Edges) -> Edges:
        """Return these edges and those of `later` that came after them."""
        both = self.copied()
        for place, edges in later.by_place.items():
            known = both.by_place.setdefault(place, [])
            known += [edge for edge in edges if not known or edge[0] > known[-1][0]]
        return both

    def last(self, place: Place, until: float) -> float:
        """Return when `place` changed last, at most `until`; 0 if it did not."""
        return max((at for at, _ in self.of(place) if at <= until), default=0.0)

    def evidence(self, plies: tuple[Footprint, ...], known: int, cut: float) -> list[float]:
        """Return, ply by ply, the cost of what must have happened and was not seen; the first
        `known` plies were seen before, with edges up to `cut`.
        """
        after = {place: cut for ply in plies[:known] for place in ply.cells}
        needed: dict[tuple[Place, Reading], int] = {}
        return [
            self.missed(ply, plies[number + 1 :], needed, after)
            for number, ply in enumerate(plies[known:], known)
        ]

    def missed(
        self,
        ply: Footprint,
        later: tuple[Footprint, ...],
        needed: dict[tuple[Place, Reading], int],
        after: Mapping[Place, float],
    ) -> float:
        """Return the cost of what must have happened for `ply` and was not seen. `needed` counts
        how often the plies so far need an edge: a man that comes and is taken at once was still
        seen to come. Edges up to `after` belong to plies that were read before.
        """
        cost = 0.0
        for place, reading in ply.arrivals:
            needed[place, reading] = times = needed.get((place, reading), 0) + 1
            puts = self.puts(place, reading, after.get(place, 0.0))
            if len(puts) < times:
                puts = self.puts(place, reading, after.get(place, 0.0), stayed=0.0)
                if len(puts) < times:
                    cost += TOO_QUICK if place in ply.swaps and self._given(ply) else MISSED
                    continue
                cost += FLEETING
            cost += self._came(puts, ply, later)
            if ply.tray is not None and ply.tray in self:
                taken = self.by_place[ply.tray][0][0]
                if taken > puts[-1] + AT_ONCE:
                    cost += TRAY_UNTOUCHED if taken > puts[-1] + SLACK else TOO_SOON
        for place in ply.leaves:
            edges = self.of(place)
            cost += MISSED * all(reading for at, reading in edges if at > after.get(place, 0.0))
        if ply.tray is not None and ply.tray not in self:
            cost += TRAY_UNTOUCHED
        if ply.unseen and not any(reading for _, reading in ply.differs):
            left = any(place in self for place in (*ply.leaves, *ply.trays))
            cost += UNSEEN_BUT_GONE if left else UNSEEN
        return cost

    def puts(
        self, place: Place, reading: Reading, after: float = 0.0, stayed: float = STAYED
    ) -> list[float]:
        """Return when a man was put on a place and stayed there; contacts that chatter while it
        is lifted are no puts.
        """
        edges = self.of(place)
        return [
            at
            for number, (at, put) in enumerate(edges)
            if put == reading
            and at > after
            and (number + 1 == len(edges) or edges[number + 1][0] - at >= stayed)
        ]

    def longest_gap(self, place: Place) -> float:
        """Return how long `place` was empty at the most, in seconds."""
        edges = self.of(place)
        gaps = [later[0] - at for (at, put), later in pairwise(edges) if not put]
        if edges and not edges[-1][1]:
            return float("inf")
        return max(gaps, default=float("inf"))

    def began(self, place: Place, at: float) -> float:
        """Return when the contact of `place`, at rest from `at` on, began to chatter."""
        for time, _ in reversed(self.by_place[place]):
            if at - CHATTER < time < at:
                at = time
        return at

    def out_of_order(self, plies: tuple[Footprint, ...], known: int, cut: float) -> float:
        """Return the cost of plies that seem to have been finished before the one before them; the
        first `known` were seen before, with edges up to `cut`. Two hands overlap by a few tenths of
        a second; more cannot be.
        """
        wrong, before = 0.0, 0.0
        used: set[tuple[Place, Reading]] = set()
        after = {place: cut for ply in plies[:known] for place in ply.cells}
        for ply in plies[known:]:
            end = before
            for arrival in ply.arrivals:
                place, reading = arrival
                puts = self.puts(place, reading, after.get(place, 0.0))
                times = [self.began(place, at) for at in puts]
                if arrival in used:  # its first edges were another ply's
                    times = [at for at in times if at >= before - SLACK] or times[-1:]
                    begun = [at for each in ply.leaves for at, on in self.of(each) if not on]
                    times = [at for at in times if not begun or at >= begun[0] - SLACK] or times
                if times:
                    wrong += _disorder(before - times[0])
                    wrong += OUT_OF_ORDER * (before - self._lifted(ply, times[0]) > OVERLAP)
                    end = max(end, times[0])
            used.update(ply.arrivals)
            if not ply.cells:
                begun = [self.by_place[tray][0][0] for tray in ply.trays if tray in self]
                last = [self.by_place[tray][-1][0] for tray in ply.trays if tray in self]
                wrong += _disorder(before - max(last)) if last else 0.0
                end = max(begun, default=end)
            before = max(before, end)
        return wrong

    def _given(self, ply: Footprint) -> bool:
        """Whether the man that `ply` captures has reached its tray since its captor was lifted."""
        lifts = [at for place in ply.leaves for at, put in self.of(place) if not put]
        return bool(lifts) and any(
            reading and at > lifts[0]
            for tray in ply.trays
            if tray != ply.tray
            for at, reading in self.of(tray)[-1:]
        )

    def _lifted(self, ply: Footprint, came: float) -> float:
        """Return when the man that `ply` brings was lifted last, before it `came`."""
        if len(ply.leaves) != 1 or ply.train:
            return came
        lifts = [at for at, put in self.of(ply.leaves[0]) if not put and at <= came]
        return max(lifts, default=came)

    def _came(self, puts: list[float], ply: Footprint, later: tuple[Footprint, ...]) -> float:
        """Return the cost of the man that a ply brings having come at one of `puts`: its own place
        was empty then, and it did not go back.
        """
        if len(ply.leaves) != 1 or ply.train:
            return 0.0
        (source,) = ply.leaves
        moved = self.by_place.get(source)
        if not moved:
            return 0.0
        returns = not any(source in each.cells for each in later)
        cost = MISSED
        for at in puts:
            before = [value for time, value in moved if time <= at + SLACK]
            after = [value for time, value in moved if time > at + SLACK]
            if before and before[-1] == 0 and not (returns and any(after)):
                soon = all(value for time, value in moved if time <= at + AT_ONCE)
                cost = min(cost, TOO_SOON * soon)
        return cost


def _disorder(seconds: float) -> float:
    """Return the cost of a ply that came so much before the one it should follow."""
    if seconds <= SLACK:
        return 0.0
    return OUT_OF_ORDER if seconds <= OVERLAP else MISSED
