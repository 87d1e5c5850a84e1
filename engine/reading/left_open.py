"""Left open: which of the lines that are shown hands may have gone on from.

Where the sensors did not tell which of several lines was played, that stays open until something
does. So it is remembered how each of them was come to, and how much more it left unexplained when
it was read: only what has been seen since then decides.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from engine.reading.lines import Line
from engine.reading.observations import AT_ONCE
from engine.reading.telling_apart import may_be_a_try, may_be_carried_on
from engine.reading.tracks import End

Undone: TypeAlias = tuple[Line, float]
"""The line after a ply that was taken back, and when that was."""

DECIDED = 0.6  # lines that differ by less since then are not told apart that are asked about
UNTELLABLE = 1.0  # … nor those by less that no sensor can tell


@dataclass(frozen=True, slots=True)
class _Known:
    """What was known of a line when it was read."""

    undone: Undone | None
    """What had been taken back last to come to it."""
    behind: float
    """How much more than the best line it left unexplained."""


class LeftOpen:
    """What was known of the lines that are shown, or soon will be."""

    def __init__(self) -> None:
        self._known: dict[Line, _Known] = {}

    def note(self, kept: Sequence[End], best: float, shown: Collection[Line]) -> None:
        """Remember of lines that are `kept` as likely what is known of them now, the best of all
        costing `best`; of those that are `shown`, or go on from one of several, what was then.
        """
        known = {line: self._known[line] for line in shown if line in self._known}
        for end in kept:
            behind = min(max(0.0, end.cost - best), UNTELLABLE)
            before = [
                known[line].behind
                for line in self.answers(end, shown)
                if line in known and len(shown) > 1
            ]
            last = end.track.undone[-1] if end.track.undone else None
            known[end.line] = _Known(last, max(before, default=behind))
        self._known = known

    def undecided(
        self,
        kept: Sequence[End],
        ends: Sequence[End],
        best: float,
        shown: Sequence[Line],
        margin: float = DECIDED,
    ) -> list[End]:
        """Return of the `ends`, the likeliest first, what goes on from, or back to before, those
        lines that are shown of which nothing that is kept does, if it is not much less likely than
        when they were read: no open question is decided by a guess.
        """
        answered = {line for end in kept for line in self.answers(end, shown)}
        limit = best + margin + max(map(self._behind, shown))
        ends = [end for end in ends if end.cost < limit]
        found = []
        for come_from in (self._come_from, self.answers):  # the surer ones first
            for end in ends:
                answers = [line for line in come_from(end, shown) if line not in answered]
                if answers and end.cost < best + margin + max(map(self._behind, answers)):
                    answered.update(answers)
                    found.append(end)
        return found

    def was_behind(self, end: End, shown: Collection[Line], margin: float) -> bool:
        """Whether what is shown that hands have gone on from, if they have come to this end, was
        so much less likely than another when it was read.
        """
        return any(self._behind(line) > margin for line in self.answers(end, shown))

    def _behind(self, line: Line) -> float:
        known = self._known.get(line)
        return known.behind if known else 0.0

    def answers(self, end: End, shown: Collection[Line]) -> list[Line]:
        """Return which of the lines that are shown it may have been if hands have come to this end:
        if none is surely, those that it leads to, or the one that it goes on from.
        """
        return self._come_from(end, shown) or _akin(end.line, shown)

    def _come_from(self, end: End, shown: Collection[Line]) -> list[Line]:
        """Return the lines that are shown that an end goes on from, or back to before, with what
        has been taken back since then.
        """
        more = {}
        for line in shown:
            known = self._known.get(line)
            since = _undone_since(end.track.undone, known.undone) if known else None
            if since is not None and (back := _steps_back(line, end.line)) <= since:
                more[line] = since - back
        fewest = min(more.values(), default=0)
        return [line for line, each in more.items() if each == fewest]


def _undone_since(undone: Sequence[Undone], last: Undone | None) -> int | None:
    """Return how many plies were undone after the `last`, be it that none was until then; None if
    that was not undone. If not all men of a ply come back at once, it may have been undone when the
    first of them did.
    """
    if last is None:
        return len(undone)
    if last in undone:
        return len(undone) - 1 - undone.index(last)
    ply, then = last
    sooner = [number for number, (line, at) in enumerate(undone) if line is ply and at < then]
    return len(undone) - 1 - sooner[-1] if sooner else None


def _akin(line: Line, shown: Collection[Line]) -> list[Line]:
    """Return the lines that are shown to which a line leads, or the one that it goes on from."""
    after = [each for each in shown if each.since(line) is not None]
    before = [each for each in shown if line.since(each) is not None]
    return after or sorted(before, key=lambda each: each.match.plies)[-1:]


def _steps_back(line: Line, other: Line) -> int:
    """Return how many plies of a line are to be taken back to come to another, or to before it."""
    return sum(step.footprint is not None for step in line.since(line.fork(other)) or ())


def untold(kept: Sequence[End], ends: Sequence[End]) -> list[End]:
    """Return of all ends what no sensor tells from one that is kept: men who were only touched
    seem to have taken another and to have been dropped, or the other way round; men who went back
    seem to have been dropped.
    """
    limit = ends[0].cost + UNTELLABLE
    return [
        end
        for end in ends
        if end.exact
        and not end.parked
        and end.cost < limit
        and end not in kept
        and any(
            may_be_a_try(end.line, each.line)
            or may_be_a_try(each.line, end.line)
            or _may_have_gone_back(end, each)
            or (end.cost < ends[0].cost + DECIDED and may_be_carried_on(end.line, each.line))
            for each in kept
        )
    ]


def _may_have_gone_back(end: End, other: End) -> bool:
    """Whether a line ends with a ply that was taken back, and another with a drop of which no tray
    tells by the same man that came to stand.
    """
    if not end.track.back or not end.track.undone or other.track.back:
        return False
    undone, at = end.track.undone[-1]
    return abs(other.track.at - at) < AT_ONCE and any(
        not drop.leaves and drop.tray is None and drop.cells <= ply.cells
        for drop in other.line.last_ply()
        for ply in undone.last_ply()
    )
