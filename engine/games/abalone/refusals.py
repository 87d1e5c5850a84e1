"""Why a move of Abalone is refused, and which rule a hand broke."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Final

from engine.game import Attempt, Place, Reason
from engine.games.abalone.position import AXES, BIT, CELLS, DIRECTIONS, bearing, cell_at, ray

REASONS: Final[Mapping[str, str]] = {
    "over": "The game is over.",
    "nothing-there": "No marble lies on {0}.",
    "not-yours": "The marble on {0} is your opponent's; it moves only when it is pushed.",
    "four-marbles": "At most three marbles move together; the row from {0} is longer.",
    "not-in-line": "The marbles from {0} to {1} do not lie in one row side by side.",
    "too-far": "Marbles go one cell, to a neighbour; {1} is not next to {0}.",
    "not-outnumbered": "A push needs more marbles than the opponent has: two against one,"
    " or three against one or two; from {0} on you do not have more.",
    "own-marble-behind": "Your own marble on {0} is behind the enemy row and stops the push.",
    "off-board": "Your own marble on {0} cannot leave the board.",
    "blocked": "A sideways move never pushes: {0} is occupied.",
    "must-go-aside": "From {0} to {1} is along the row; a sideways move goes to its side.",
    "from-outside": "A marble that has left the board stays out; take away the one on {0}.",
}


def refuse_in_line(mine: int, theirs: int, rear: Place, direction: int) -> Reason | None:
    """Return why the row that begins with `rear` cannot move that way; None if it can."""
    if reason := _refuse_marble(mine, theirs, rear):
        return reason
    cells = list(ray(rear, direction))
    line = list(takewhile(lambda cell: mine & BIT[cell], cells))
    pushed = list(takewhile(lambda cell: theirs & BIT[cell], cells[len(line) :]))
    if len(line) > 3:
        return Reason("four-marbles", tuple(line))
    if len(line) == len(cells):
        return Reason("off-board", (line[-1],))
    if len(pushed) >= len(line):
        return Reason("not-outnumbered", tuple(pushed))
    behind = cells[len(line) + len(pushed) :]
    if pushed and behind and mine & BIT[behind[0]]:
        return Reason("own-marble-behind", (behind[0],))
    return None


def refuse_broadside(
    mine: int, theirs: int, line: Sequence[Place], direction: int
) -> Reason | None:
    """Return why this whole row cannot move broadside that way; None if it can."""
    for cell in line:
        if reason := _refuse_marble(mine, theirs, cell):
            return reason
    if len(line) > 3:
        return Reason("four-marbles", tuple(line))
    if cell_at(line[0], direction) == line[1] or cell_at(line[1], direction) == line[0]:
        return Reason("must-go-aside", (line[0], line[1]))
    blocked = []
    for cell in line:
        end = cell_at(cell, direction)
        if end is None:
            return Reason("off-board", (cell,))
        if (mine | theirs) & BIT[end]:
            blocked.append(end)
    return Reason("blocked", tuple(blocked)) if blocked else None


def _refuse_marble(mine: int, theirs: int, cell: Place) -> Reason | None:
    if mine & BIT[cell]:
        return None
    return Reason("not-yours" if theirs & BIT[cell] else "nothing-there", (cell,))


def why_not(mine: int, theirs: int, attempt: Attempt) -> Reason | None:
    """Return the rule that a hand broke, judging by the places; the game must not be over."""
    ours = [cell for cell in CELLS if cell in attempt.lifted and mine & BIT[cell]]
    enemies = [cell for cell in CELLS if cell in attempt.lifted and theirs & BIT[cell]]
    placed = [cell for cell in CELLS if cell in attempt.placed]
    swapped = [cell for cell in CELLS if cell in attempt.swapped]
    if len(ours) > 1:
        return _why_no_row(mine, theirs, ours, placed, swapped)
    if ours:
        return _why_no_line(mine, theirs, ours[0], placed, swapped + enemies)
    if enemies:
        return Reason("not-yours", (enemies[0],))
    return Reason("from-outside", (placed[0],)) if placed else None


def _why_no_line(
    mine: int, theirs: int, rear: Place, placed: Sequence[Place], touched: Sequence[Place]
) -> Reason | None:
    """Return why the mover's one marble that left its cell cannot move so."""
    for end in (*placed, *touched):
        if found := bearing(rear, end):
            direction, distance = found
            if reason := refuse_in_line(mine, theirs, rear, direction):
                return reason
            between = list(ray(rear, direction))[1:distance]
            if end in placed and not all((mine | theirs) & BIT[cell] for cell in between):
                return Reason("too-far", (rear, end))
        elif end in placed:
            return Reason("too-far", (rear, end))
    return None if placed or touched else Reason("off-board", (rear,))


def _why_no_row(
    mine: int, theirs: int, ours: Sequence[Place], placed: Sequence[Place], swapped: Sequence[Place]
) -> Reason | None:
    """Return why the mover's marbles that left their cells cannot move so."""
    line = _in_a_row(ours)
    if line is None:
        return Reason("not-in-line", (ours[0], ours[-1]))
    if len(line) > 3:
        return Reason("four-marbles", line)
    ends = placed or swapped
    if not ends:
        return Reason("off-board", (line[0],))
    fitting = [
        direction
        for direction in DIRECTIONS
        if {cell_at(cell, direction) for cell in line}.issuperset(ends)
    ]
    if not fitting:
        return Reason("too-far", (line[0], ends[0]))
    reasons = (refuse_broadside(mine, theirs, line, direction) for direction in fitting)
    return next(filter(None, reasons), None)


def _in_a_row(cells: Sequence[Place]) -> tuple[Place, ...] | None:
    """Return the cells from end to end, None if they are no gapless row."""
    for axis in AXES:
        for first in cells:
            line = tuple(cell_at(first, axis, distance) for distance in range(len(cells)))
            if set(line) == set(cells):
                return tuple(cell for cell in line if cell)
    return None
