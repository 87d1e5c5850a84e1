"""Misread: signs that the record is wrong, though it agrees with the sensors.

Names and answers weigh on the lines of play, but people may be too quick for them: where moves go
unseen, the true line may have been given up before anybody said so. If what is shown in the end
lacks something of what was said, and nobody went back since, it is wrong somewhere. If too many
lines were likely to keep all, it may be wrong though it has all that was said. No sensor will tell
where: people are asked whether to go back to what was agreed on before that, and to tell from there
what was played.
"""

from __future__ import annotations

from collections import deque
from typing import Final, TypeAlias

from engine.lines import Line
from engine.match import AnyMove
from engine.reading import Reader

AGREED_KEPT: Final = 16
"""So many answers are remembered on which all lines agreed."""
AS_FAR_BACK: Final = 6
"""So many plies are in dispute if nothing was agreed on."""

Moves: TypeAlias = tuple[AnyMove, ...]


class Misread:
    """What all lines agreed on when people had answered, what they named, and what came of it."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        # When they had, how many plies they agreed on, whether that had all names, and the moves.
        self._agreed: deque[tuple[float, int, bool, Moves]] = deque(maxlen=AGREED_KEPT)
        self._answers: deque[tuple[float, int, str]] = deque(maxlen=AGREED_KEPT)
        self._since = float("-inf")  # what was said before counts no more
        self.known = float("-inf")
        """Until when nobody need doubt the record: then it began, or people said that it was right,
        or that they were going to tell what was wrong."""

    @property
    def may_be_any(self) -> bool:
        """Whether there may be any: people have said something, or too many lines were likely."""
        decoder = self._reader.decoder
        said = self._agreed or self._answers or self._reader.names.heard
        return bool(said) or decoder.crowded is not None

    def agree(self, line: Line, said: float) -> None:
        """Note that people said then what the last ply of a line was, and that no line which is
        shown has anything else up to there.
        """
        has_all = not self._reader.missed(line)
        self._agreed.append((said, line.match.plies, has_all, _moves(line)))

    def answer(self, number: int, text: str, said: float) -> None:
        """Note that people who were asked which move an entry of the record is said that it is one
        that was not among those asked about.
        """
        self._answers.append((said, number, text))

    def is_answered(self, number: int) -> bool:
        """Whether people have said that an entry is a move which was not asked about."""
        return any(said > self._since and each == number for said, each, _ in self._answers)

    def forget(self, now: float) -> None:
        """Take it that nothing which was said by now is missing: men went back; nor does it matter
        which lines were given up, if they went as far as to what was agreed on before.
        """
        self._since = now
        if not self.crowded_out():
            self._reader.decoder.forget_crowd()

    def stand(self, now: float) -> None:
        """Take it that the record is right by now: people say so, or will tell what is wrong."""
        self._since = self.known = now
        self._reader.decoder.forget_crowd()

    def unheeded(self) -> int:
        """Return how many of the last plies that are shown came after what was agreed on before
        people said something that is not shown; 0 if all that they said is.
        """
        shown = self._reader.shown
        lacking = [at for line in shown if (at := self._lacking(line)) is not None]
        if len(lacking) < len(shown):
            return 0
        return self._plies_since(max(lacking), shown[0].match.plies - AS_FAR_BACK)

    def crowded_out(self) -> int:
        """Return how many of the last plies that are shown came after what was agreed on before too
        many lines were likely to keep all: what is shown may agree with all that people said only
        by chance; 0 if all were kept, or those plies are gone.
        """
        crowded = self._reader.decoder.crowded
        return 0 if crowded is None else max(0, self._plies_since(*crowded))

    def latest(self) -> int:
        """Return how many of the last plies came after what was agreed on last, one at least, for
        nothing explains how the men stand; 0 if there is none.
        """
        plies = self._reader.shown[0].match.plies
        return max(self._plies_since(float("inf"), plies - AS_FAR_BACK), min(1, plies))

    def _plies_since(self, at: float, likely: int) -> int:
        """Return how many of the last plies came after what was agreed on before a time; if nothing
        was, after those that are `likely` to be right.
        """
        line = self._reader.shown[0]
        moves = _moves(line)
        agreed = [
            until
            for said, until, has_all, before in self._agreed
            if said <= at and has_all and moves[: len(before)] == before
        ]
        return line.match.plies - max(agreed, default=max(0, likely))

    def _lacking(self, line: Line) -> float | None:
        """Return when people said the first thing that a line does not have; None if it has all
        that was said since men last went back on the way to it.
        """
        since = max(self._since, self._reader.undone_at(line))
        moves, steps = _moves(line), line.steps()
        lacking = [
            said
            for said, _, _, agreed in self._agreed
            if said > since and moves[: len(agreed)] != agreed
        ]
        lacking += [
            said
            for said, number, text in self._answers
            if said > since and [step.match.text for step in steps[number : number + 1]] != [text]
        ]
        name = self._reader.names.unheeded(line, since)
        return min(lacking if name is None else [*lacking, name], default=None)


def _moves(line: Line) -> Moves:
    return tuple(step.move for step in line.match.line())
