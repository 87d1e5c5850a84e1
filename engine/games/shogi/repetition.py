"""Sennichite: the same position for the fourth time, and perpetual check in between."""

from __future__ import annotations

from collections.abc import Sequence

from engine.game import Outcome
from engine.games.shogi.board import ShogiBoard
from engine.games.shogi.position import ShogiPosition

OCCURRENCES = 4


def sennichite(
    position: ShogiPosition, earlier: Sequence[ShogiPosition], consecutive: bool
) -> Outcome | None:
    """Return the draw, or the loss by perpetual check; None without a fourth occurrence.

    `earlier` holds the earlier positions of the match, oldest first. With `consecutive` the four
    occurrences must be the ends of three equal cycles of moves with nothing else between them.
    """
    if [each.cells for each in earlier].count(position.cells) < OCCURRENCES - 1:
        return None  # nearly always
    line = _turns(position, earlier)
    found = [index for index, each in enumerate(line) if each.same_board(position)]
    if len(found) < OCCURRENCES:
        return None
    if consecutive:
        cycle = _cycle(line, found)
        if cycle is None:
            return None
        first = len(line) - 1 - 3 * cycle
    else:
        first = found[-OCCURRENCES]
    for checked in (position.turn, 1 - position.turn):
        answers = [each for each in line[first + 1 :] if each.turn == checked]
        if all(ShogiBoard(each).checkers(checked) for each in answers):
            return Outcome(frozenset({checked}), "perpetual-check")
    return Outcome(frozenset(), "repetition")


def _turns(position: ShogiPosition, earlier: Sequence[ShogiPosition]) -> list[ShogiPosition]:
    """Return one position for each turn; a claim makes a new position but no new turn."""
    line: list[ShogiPosition] = []
    for each in [*earlier, position]:
        if line and each.same_board(line[-1]):
            line.pop()
        line.append(each)
    return line


def _cycle(line: Sequence[ShogiPosition], found: Sequence[int]) -> int | None:
    """Return the number of turns in a cycle if the line ends in three equal cycles, else None."""
    last = len(line) - 1
    for index in reversed(found[:-1]):
        cycle = last - index
        if 3 * cycle <= last and all(
            line[last - back].same_board(line[last - back - cycle]) for back in range(2 * cycle + 1)
        ):
            return cycle
    return None
