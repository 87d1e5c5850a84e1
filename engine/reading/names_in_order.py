"""Names in order: people name moves in the order in which they were made.

A name alone may fit in many places, above all one of a move of which sensors show little; several
names, one after the other, fit few lines of play. So each that a line does not have in its turn
speaks against it. It is never ruled out by that, for people err; what rules lines out is known of
one moment (`answers.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.reading.lines import Line
from engine.reading.tracks import Track

NAMES_HEARD = 8
OLDEST = 4  # of them
ONCE = 0.5  # seconds within which who says the same again means the same move
AGAIN_BY = 4.0  # … or has seen that it is played already
NAMED_WITHIN = 4.0  # seconds within which people name a move that nobody saw, or was taken back
OUT_OF_TURN = 1.0  # what each name costs that a line does not have in its turn


class NamesInOrder:
    """What people said lately, one name after the other, wherever it was played."""

    def __init__(self) -> None:
        self._names: list[tuple[float, str]] = []
        self._all = 0
        """All of them, as bits: the oldest is the lowest one."""
        self._turns: dict[str, int] = {}
        """Which of them have a text; most moves have none."""
        self.mark = object()
        """Another one whenever names are added or forgotten; on lines of which it is known which
        of them they miss."""

    @property
    def heard(self) -> bool:
        """Whether people have named anything that counts."""
        return bool(self._names)

    @property
    def latest(self) -> str:
        """What people named last; nothing if that is forgotten."""
        return self._names[-1][1] if self._names else ""

    def hear(self, text: str, at: float) -> None:
        """Note that people named a move then."""
        if self._names and self._names[-1][1] == text and at < self._names[-1][0] + ONCE:
            return
        self._keep([*self._names, (at, text)][-NAMES_HEARD:])

    def forget(self) -> None:
        """Count nothing that was said before: what was played then is taken back."""
        if self._names:
            self._keep([])

    def _keep(self, names: list[tuple[float, str]]) -> None:
        self._names, self._all, self._turns = names, _first(len(names)), {}
        for number, (_, text) in enumerate(names):
            self._turns[text] = self._turns.get(text, 0) | 1 << number
        self.mark = object()

    def cost(self, each: Track) -> float:
        """Return what speaks against a track: names that neither its line nor what it has taken
        back has in their turn.
        """
        return OUT_OF_TURN * self.missed_by(each) if self._names else 0.0

    def lacking_the_oldest(self, tracks: Sequence[Track]) -> set[Line]:
        """Return the lines of tracks that have less of the oldest names in their turn than the
        likeliest, if the next names to come will make them forgotten.
        """
        if len(self._names) < NAMES_HEARD:
            return set()
        missed = {each: self._missed_by(each) for each in tracks}
        best = min(tracks, key=lambda each: each.cost + OUT_OF_TURN * missed[each].bit_count())
        oldest = {each: (bits & _first(OLDEST)).bit_count() for each, bits in missed.items()}
        enough = {each.line for each in tracks if oldest[each] <= oldest[best]}
        return {each.line for each in tracks} - enough

    def missed_by(self, each: Track) -> int:
        """Return how many names a track does not have in their turn, in its line or in what it has
        taken back.
        """
        return self._missed_by(each).bit_count()

    def missed(self, line: Line) -> int:
        """Return how many names a line does not have in their turn."""
        return self._missed(line).bit_count()

    def _missed_by(self, each: Track) -> int:
        """Return which names a track misses, as bits: its line, and what it has taken back."""
        if not each.undone:
            return self._missed(each.line)
        base = each.line
        for line, _ in each.undone:
            base = base.fork(line.before or line)
        missed, later = self._missed(base), self._all
        made: set[Line] = set()
        for number, (line, back) in enumerate((*each.undone, (each.line, 0.0))):
            for step in line.since(base) or ():
                turns = self._turns.get(step.match.text, 0)
                if turns and step not in made:
                    made.add(step)
                    undone = (at for gone, at in each.undone[number:] if gone is step)
                    turns &= later & self._said_by(next(undone, float("inf")) + NAMED_WITHIN)
                    missed = self._without(missed, turns)
            made.discard(line)  # who makes it again may name it again
            # What came later was not named before.
            later = self._all & ~self._said_by(back)
        return missed

    def _said_by(self, until: float) -> int:
        """Return which names had been said by a time, as bits."""
        return _first(sum(at <= until for at, _ in self._names))

    def _missed(self, line: Line) -> int:
        """Return which names a line misses, as bits: so many of the first ones as are set there."""
        steps: list[Line] = []
        missed = self._all
        for step in line.latest():
            if step.missed[0] is self.mark:
                missed = step.missed[1]
                break
            steps.append(step)
        for step in reversed(steps):
            if turns := self._turns.get(step.match.text):
                missed = self._without(missed, turns)
            step.missed = self.mark, missed
        return missed

    def _without(self, missed: int, turns: int) -> int:
        """Return which names are missed after one more move, which has these turns: so many of the
        first ones are not as the longest sequence has that names and moves have in common (in bits
        all at once: H. Hyyrö, 2004).
        """
        had = missed & turns
        return (missed + had | missed - had) & self._all


def _first(number: int) -> int:
    """Return the bits of so many of the first names."""
    return (1 << number) - 1
