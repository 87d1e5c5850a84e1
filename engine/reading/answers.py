"""Answers: what people said was played at a known moment, and which lines of play that rules out.

Of which moment a name is that people say, `naming.py` finds out. Until then, and whatever it finds,
names speak against lines that do not have them in their turn (`names_in_order.py`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from itertools import islice
from typing import TypeAlias

from engine.match import AnyMove
from engine.reading.lines import Line

Moment: TypeAlias = tuple[int, object]
"""When in a match a move is played: after how many plies, and in which position."""

LATELY = 16  # so many moves back a name may be late

Undone: TypeAlias = Iterable[tuple[Line, float]]
"""Lines after plies that were taken back, and when they were."""


def moment(step: Line) -> Moment:
    """Return when the last move of a line was played."""
    before = step.match.before
    assert before is not None
    return before.plies, before.position


class Answers:
    """What was said of the moments of a match. It holds until men go back to before it."""

    def __init__(self) -> None:
        self._said: dict[Moment, dict[AnyMove, float]] = {}  # … was played there, and said when
        self._denied: set[tuple[Moment, AnyMove]] = set()
        self._rejected: set[Line] = set()
        self._suggested: set[tuple[Moment, AnyMove]] = set()
        self._plies: set[int] = set()  # after which something was said, at least
        # To tell one position from another takes longer than to count.
        self._mark = object()  # on lines that are not ruled out by what was said so far

    def __bool__(self) -> bool:
        return bool(self._said or self._rejected)

    # ---- what people say

    def say(self, step: Line, at: float) -> None:
        """Note that the last move of a line was played where it stands; people said so then, and
        knew that what was said before stands as well.
        """
        when = moment(step)
        self._said.setdefault(when, {})[step.match.move] = at
        self._denied.discard((when, step.match.move))  # be it that another was said and taken back
        self._suggested = {each for each in self._suggested if each[0][0] != when[0]}
        self._plies.add(when[0])
        self._mark = object()
        each = step.before
        while each is not None and each.before is not None:
            if (said := self._said.get(moment(each))) is not None and each.match.move in said:
                said[each.match.move] = at
            each = each.before

    def was_said(self, step: Line) -> bool:
        """Whether people said that the last move of a line was played where it stands."""
        if step.before is None or step.before.match.plies not in self._plies:
            return False
        return step.match.move in self._said.get(moment(step), ())

    def deny(self, step: Line) -> None:
        """Note that it was another move."""
        when = moment(step)
        self._denied.add((when, step.match.move))
        self._plies.add(when[0])
        self._mark = object()

    def suggest(self, step: Line) -> None:
        """Note that people said this of another move in answer to a question that did not have it:
        it may have been played where it stands.
        """
        self._suggested.add((moment(step), step.match.move))

    def suggests(self, line: Line) -> bool:
        """Whether one of the last moves of a line was suggested, and nothing was said there yet."""
        return bool(self._suggested) and any(
            (moment(step), step.match.move) in self._suggested
            for step in islice(line.latest(), LATELY)
        )

    def reject(self, line: Line) -> None:
        """Rule out a line itself, as long as what came before it stays as it is read."""
        self._rejected.add(line)
        self._mark = object()

    def accept(self, steps: Collection[Line], lines: Collection[Line]) -> None:
        """Withdraw whatever was said against moves where they stand, and against lines."""
        for step in steps:
            self._said.pop(moment(step), None)
        self._denied.difference_update((moment(step), step.match.move) for step in steps)
        self._rejected.difference_update(lines)
        self._mark = object()

    # ---- what becomes of it

    def forget_lines(self) -> None:
        """Reject no line any more: other plies are final now."""
        if self._rejected:
            self._rejected.clear()
            self._mark = object()

    def keep(self, plies: int, played: Mapping[Moment, Collection[AnyMove]]) -> None:
        """Forget what was said of moments that were taken back: all from so many plies on, but for
        those at which moves of what is `played` now stand, and there if none of them was named.
        """
        said = {
            when: moves
            for when, moves in self._said.items()
            if when[0] < plies or any(move in moves for move in played.get(when, ()))
        }
        denied = {each for each in self._denied if each[0][0] < plies or each[0] in played}
        self._suggested = {e for e in self._suggested if e[0][0] < plies or e[0] in played}
        rejected = {
            line
            for line in self._rejected
            if line.match.plies <= plies or moment(line) in played  # else another came of it
        }
        sizes = len(self._said), len(self._denied), len(self._rejected)
        if (len(said), len(denied), len(rejected)) == sizes:
            return
        self._said, self._denied, self._rejected = said, denied, rejected
        self._plies = {when[0] for when in (*self._said, *(when for when, _ in self._denied))}
        self._mark = object()

    def without_rejected(self) -> Answers:
        """Return the same answers, which reject no line themselves."""
        other = Answers()
        other._said, other._denied, other._plies = self._said, self._denied, self._plies
        other._suggested = self._suggested
        return other

    def replace_rejected(self, lines: Iterable[Line]) -> None:
        """Put these lines in the place of those that are ruled out themselves."""
        self._rejected = set(lines)
        self._mark = object()

    @property
    def rejected(self) -> frozenset[Line]:
        """The lines that are ruled out themselves."""
        return frozenset(self._rejected)

    # ---- what it rules out

    def contradict(self, line: Line, undone: Undone = ()) -> bool:
        """Whether another move is in a line where people said which was played, or one that they
        denied. What was said of lines before they were `undone` at a time counts no more.
        """
        return self.rule_out(line, None, undone)

    def rule_out(self, line: Line, heads: Collection[Line] | None, undone: Undone = ()) -> bool:
        """Whether a line is ruled out, or one after `heads` that it goes on from; None: lines are
        not ruled out themselves. What was said of lines before they were `undone` at a time counts
        no more.
        """
        free = self._free(undone)
        plies = self._plies | {when[0] for when in free} if free else self._plies
        each: Line | None = line
        later = heads is not None  # and later than they are
        seen = []
        while each is not None and each.before is not None and each.passed is not self._mark:
            later = later and heads is not None and each not in heads
            depends = each in self._rejected  # whether it is ruled out, on heads or what is undone
            if depends and later:
                return True
            if each.before.match.plies in plies:
                when, move = moment(each), each.match.move
                if when in free:
                    depends = True
                elif move not in self._said.get(when, (move,)) or (when, move) in self._denied:
                    return True
            seen.append(each)
            if depends:
                seen.clear()
            each = each.before
        for each in seen:
            each.passed = self._mark
        return False

    def stops_short(self, line: Line, undone: Undone) -> bool:
        """Whether a line ends before a move that people named, and that was not undone since."""
        if line.match.plies not in self._plies:
            return False
        when = line.match.plies, line.match.position
        return when in self._said and when not in self._free(undone)

    def _free(self, undone: Undone) -> set[Moment]:
        """Return of which moments nothing is known any more: what people said was played there was
        taken back since, and not another move.
        """
        free = set()
        for line, at in undone:
            for step in line.since(line.head()) or ():
                said = self._said.get(when := moment(step), {})
                if at > max(said.values(), default=0.0) and (not said or step.match.move in said):
                    free.add(when)
        return free
