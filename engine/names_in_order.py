"""Names in order: people name moves in the order in which they were made.

A name alone may fit in many places, above all one of a move of which sensors show little; several
names, one after the other, fit few lines of play. So each that a line does not have in its turn
speaks against it. It is never ruled out by that, for people err; what rules lines out is known of
one moment (`answers.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.lines import Line
from engine.tracks import Track

NAMES_HEARD = 8
OLDEST = 4  # of them
ONCE = 0.5  # seconds within which who says the same again means the same move
OUT_OF_TURN = 1.0  # what each name costs that a line does not have in its turn


class NamesInOrder:
    """What people said lately, one name after the other, wherever it was played."""

    def __init__(self) -> None:
        self._names: list[tuple[float, str]] = []
        self._texts: set[str] = set()  # of them: most moves have none
        self.mark = object()
        """Another one whenever names are added or forgotten; on lines of which it is known how
        many of them they have."""

    def hear(self, text: str, at: float) -> None:
        """Note that people named a move then."""
        if self._names and self._names[-1][1] == text and at < self._names[-1][0] + ONCE:
            return
        self._names = [*self._names, (at, text)][-NAMES_HEARD:]
        self._texts = {name for _, name in self._names}
        self.mark = object()

    def forget(self) -> None:
        """Count nothing that was said before: what was played then is taken back."""
        if self._names:
            self._names, self._texts = [], set()
            self.mark = object()

    def cost(self, each: Track) -> float:
        """Return what speaks against a track: names that neither its line nor what it has taken
        back has in their turn.
        """
        return OUT_OF_TURN * self.missed_by(each) if self._names else 0.0

    def had_of_the_oldest(self, each: Track) -> int:
        """Return how many of the oldest names a track has in their turn, if the next ones to come
        will make them forgotten.
        """
        return self._had_by(each)[OLDEST] if len(self._names) == NAMES_HEARD else 0

    def _had_by(self, each: Track) -> list[int]:
        """Return how many of the first names a track has in their turn, in its line or in what it
        has taken back, for each number of them.
        """
        if not each.undone:
            return self._had(each.line)
        base = each.line
        for line, _ in each.undone:
            base = _fork(base, line)
        had, first = self._had(base), 0
        made: set[Line] = set()
        for line, back in (*each.undone, (each.line, 0.0)):
            for step in line.since(base) or ():
                if step.match.text in self._texts and step not in made:
                    made.add(step)
                    had = _with(had, step.match.text, self._names, first)
            first = sum(at <= back for at, _ in self._names)  # what came later was not named before
        return had

    def missed_by(self, each: Track) -> int:
        """Return how many names a track does not have in their turn, in its line or in what it has
        taken back.
        """
        return len(self._names) - self._had_by(each)[-1]

    def missed(self, line: Line) -> int:
        """Return how many names a line does not have in their turn."""
        return len(self._names) - self._had(line)[-1]

    def _had(self, line: Line) -> list[int]:
        """Return how many of the first names a line has in their turn, for each number of them."""
        steps: list[Line] = []
        had = [0] * (len(self._names) + 1)
        for step in line.latest():
            if step.had[0] is self.mark:
                had = step.had[1]
                break
            steps.append(step)
        for step in reversed(steps):
            if step.match.text in self._texts:
                had = _with(had, step.match.text, self._names)
            step.had = self.mark, had
        return had


def _fork(line: Line, other: Line) -> Line:
    """Return the last line that two lines have in common."""
    while line is not other:
        if other.before is not None and _moments(other) > _moments(line):
            other = other.before
        elif line.before is not None:
            line = line.before
        else:
            break
    return line


def _moments(line: Line) -> int:
    return line.match.plies + line.throws


def _with(
    had: list[int], text: str, names: Sequence[tuple[float, str]], first: int = 0
) -> list[int]:
    """Return how many of the first names a line has with one more move, of which none before the
    `first` can be the name: the longest sequence that the moves and the names have in common.
    """
    found = [0]
    for number, (_, name) in enumerate(names):
        same = name == text and number >= first
        found.append(had[number] + 1 if same else max(found[number], had[number + 1]))
    return found
