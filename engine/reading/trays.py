"""Trays: what sensors in them tell of the men that were captured, and of those that are dropped."""

from __future__ import annotations

from collections.abc import Generator, Mapping

from engine.game import Place
from engine.reading.evidence import (
    IN_HAND,
    ON_ITS_WAY,
    TARRIED,
    TRAY_AT_WORK,
    TRAY_LATE,
    TRAY_WRONG,
    WAITING,
)
from engine.reading.footprints import Footprint, Reading
from engine.reading.lines import Line
from engine.reading.observations import BURST, OVERLAP, SLACK, Edges
from engine.reading.tracks import Track

CLEARED_AFTER = 2.0  # seconds: the board is not cleared sooner after the end of a match
TAKEN_BEFORE = 3.0  # seconds: no man is held for longer between a tray and the board
WAITED = 1.2  # seconds after which it is no odder that nothing changes
GIVEN_OF_LATE = 6  # plies of which a man may still be on its way


class Trays:
    """Holds what trays read against the lines of tracks."""

    def __init__(self, edges: Edges) -> None:
        self.edges = edges

    def holds(self, each: Track, tray: Place, line: Line, at: float) -> bool:
        """Whether a tray held what it does at the end of `line`, but for men it always lacked."""
        wanted = line.expected.get(tray, 0) - each.owed.get(tray, 0)
        return self.edges.value(tray, at) == max(0, min(wanted, line.sight.pockets[tray]))

    def lack_the_captured(self, each: Track, levels: Mapping[Place, Reading]) -> bool:
        """Whether the man that was captured last may still have to reach its tray."""
        if each.bound is None:
            return True
        wanted, pockets = each.line.expected.get(each.bound, 0), each.line.sight.pockets[each.bound]
        return wanted > pockets or levels.get(each.bound, 0) < wanted

    def may_have_given(self, each: Track, place: Place, came: float) -> bool:
        """Whether a man that came to the board may have been taken from a tray."""
        sight = each.line.sight
        if any(self.edges.touched(tray, came - TAKEN_BEFORE, came + SLACK) for tray in sight.trays):
            return True
        possible = each.line.possible
        return possible.drops_from_nowhere or any(
            not ply.leaves and ply.tray is None
            for ply in (*possible.touching({place}), *each.line.last_ply())
        )

    def against(
        self, each: Track, levels: Mapping[Place, Reading], now: float
    ) -> Generator[None, None, tuple[float, float]]:
        """Return, after a search that goes step by step, what the trays hold against a line now,
        and what of that is for men that may still come.
        """
        line = each.line
        cost, late = TRAY_WRONG * self.passed_through(each, line, now), 0.0
        over = line.match.outcome is not None  # then the board may be cleared soon
        for tray in sorted(line.trays):
            pockets = line.sight.pockets[tray]
            reads, wanted = levels.get(tray, 0), line.expected.get(tray, 0)
            if over and reads != min(wanted, pockets):  # else it has come there in the end
                reads = self.edges.value(tray, each.at + CLEARED_AFTER)
            owed = each.owed.get(tray, 0)
            if reads == min(wanted, pockets) or reads == max(0, min(wanted - owed, pockets)):
                continue
            missing = wanted - owed - reads
            if missing > 0:
                came = self._came(each, tray)
                behind = min(sum(came), missing) if not self.taken_from(each, tray) else 0
                late += TRAY_LATE * (behind - came[0]) if behind > came[0] else 0.0
                tarried = ON_ITS_WAY + TARRIED * (now - each.at)
                late += min(tarried, TRAY_LATE) * min(came[0], behind)
                missing -= behind
                if missing and (yield from line.possible.is_used(tray)):
                    taken = self.edges.gave(tray, each.at - OVERLAP, float("inf"))
                    # What trays alone show is no beginning.
                    cost += IN_HAND if taken and not line.possible.in_tray(tray) else TRAY_AT_WORK
                    cost += WAITING * min(now - self.edges.last(now), WAITED)
                    missing -= 1
                cost += TRAY_WRONG * missing
            else:
                put_away = min(max(owed, 0), -missing)
                cost += TRAY_LATE * put_away
                begun = self.edges.touched(tray, each.at - OVERLAP, float("inf"))
                if -missing > put_away and begun and (yield from line.possible.is_used(tray)):
                    cost += TRAY_AT_WORK
                    put_away += 1
                cost += TRAY_WRONG * (-missing - put_away)
        return cost + late, late

    def off_for_two_plies(self, each: Track, line: Line, at: float) -> int:
        """Return how many men trays held too many or too few when the last ply of a line was
        finished and still do when the next is, at a time and at the end of `line`: no hand takes
        them so long before they are put down.
        """
        off = 0
        for tray in line.trays:
            now = self._too_many(each, tray, line, at)
            before = self._too_many(each, tray, each.line, each.at) if now else 0
            if now * before > 0 and not any(self._came(each, tray)):
                off += min(abs(now), abs(before))
        return off

    def put_in_before(self, each: Track, ply: Footprint, line: Line, at: float) -> int:
        """Return how many men too many other trays held at a time, which is the end of `line`, that
        lay there before a ply was begun that only trays show.
        """
        begun = min(
            (when for when, place in self.edges.between(each.at, at) if place in ply.trays),
            default=at,
        )
        return sum(
            max(0, self._too_many(each, tray, line, at))
            for tray in line.trays - ply.trays
            if self.edges.changed(tray, at) < begun - OVERLAP
        )

    def passed_through(self, each: Track, line: Line, at: float) -> int:
        """Return how many men lay in trays after the last ply of a line that neither it nor `line`,
        which goes on from it, leaves there, and had been taken out again at a time; none if it was
        taken back, for then they were.
        """
        if each.back:
            return 0
        return sum(self._passed_through(each, tray, line, at) for tray in line.trays)

    def _passed_through(self, each: Track, tray: Place, line: Line, at: float) -> int:
        """Return how many of them lay in a tray; it may be late to show what the last ply took."""
        may = max(each.line.expected.get(tray, 0), line.expected.get(tray, 0))
        may = min(may - min(0, each.owed.get(tray, 0)), line.sight.pockets[tray])
        if self.edges.value(tray, at) > may:
            return 0
        return max(
            (
                value - may
                for came, left, value in self.edges.spans(tray)
                if value > may
                and each.at + OVERLAP < left <= at
                and left - max(came, each.at) >= BURST
            ),
            default=0,
        )

    def _too_many(self, each: Track, tray: Place, line: Line, at: float) -> int:
        """Return how many men more than it should a tray held at a time, if it was the end of a
        line, but for men it always lacked.
        """
        reads, pockets = self.edges.value(tray, at), line.sight.pockets[tray]
        wanted = line.expected.get(tray, 0)
        if reads == min(wanted, pockets):
            return 0
        return reads - max(0, min(wanted - each.owed.get(tray, 0), pockets))

    def taken_from(self, each: Track, tray: Place, until: float = float("inf")) -> bool:
        """Whether a man was taken from a tray last before a time, and by no ply since a line gave
        it one.
        """
        if not self.edges.was_taken_from(tray, until):
            return False
        step: Line | None = each.line
        while step is not None and step.before is not None:
            if step.footprint is not None and step.footprint.tray == tray:
                return False
            if step.expected.get(tray, 0) > step.before.expected.get(tray, 0):
                if step is not each.line and tray != each.bound:
                    return True
                # What was taken before that was another man.
                given = each.at if step is each.line else each.caught
                return self.edges.changed(tray, until) > given - OVERLAP
            step = step.before
        return False

    def _came(self, each: Track, tray: Place) -> list[int]:
        """Return how many men the last plies of a line have given to a tray, the last first."""
        came: list[int] = []
        step: Line | None = each.line
        while step is not None and step.before is not None and len(came) < GIVEN_OF_LATE:
            if step.footprint is not None:
                came.append(step.expected.get(tray, 0) > step.before.expected.get(tray, 0))
            step = step.before
        return came or [0]
