"""The last throw of the dice: how long people see it, its pips, and the turns that it lost."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isqrt
from typing import TYPE_CHECKING, Final

from engine.game import Pass, Place, Seat, Throw

if TYPE_CHECKING:
    from firmware_host.session.view import SessionView

NUMBER_S: Final = 1.6
"""Seconds for which the number is shown; then come the pieces that it moves."""
LOST_S: Final = 5.0
"""Seconds for which a lost turn is shown and said, even if the next seat throws at once."""
NEVER: Final = float("-inf")

_CORNERS: Final = ((0, 0), (0, 2), (2, 0), (2, 2))
FACES: Final = {
    1: ((1, 1),),
    2: ((0, 2), (2, 0)),
    3: ((0, 2), (1, 1), (2, 0)),
    4: _CORNERS,
    5: (*_CORNERS, (1, 1)),
    6: (*_CORNERS, (1, 0), (1, 2)),
}
"""The pips of each number in a square of three rows and columns, as row and column."""
GAP: Final = 2
"""The number of dark columns between two dice."""


def moved_nobody(view: SessionView) -> bool:
    """Return whether the throw lost the turn."""
    return isinstance(view.match.move, Pass)


def number(view: SessionView, now: float) -> tuple[int, ...]:
    """Return the dice to show at a moment; () when people have seen them."""
    fallen, throws = view.dice.last_throw, view.dice.number
    shown_for = LOST_S if moved_nobody(view) else NUMBER_S
    seen = fallen is None or now >= view.dice.fell_at.get(throws, NEVER) + shown_for
    return () if fallen is None or seen else fallen.dice


def lost_turns(view: SessionView, now: float) -> tuple[Seat, ...]:
    """Return the seats that have just lost a turn, the latest last."""
    lost: list[Seat] = []
    played: set[Seat] = set()
    for step in view.shown[0].latest():
        fell = max(view.dice.fell_at.get(step.throws + more, NEVER) for more in (0, 1))
        if now >= fell + LOST_S:
            break
        if not isinstance(step.match.move, Throw):
            if isinstance(step.match.move, Pass) and step.match.seat not in played:
                lost.insert(0, step.match.seat)
            played.add(step.match.seat)
    return tuple(lost)


def times(view: SessionView) -> Iterable[float]:
    """Return the times at which the display of the dice changes by itself, past ones included."""
    throws = view.dice.number
    late = [view.dice.fell_at.get(throws - n, NEVER) for n in range(len(view.game.seats))]
    return late[0] + NUMBER_S, *(at + LOST_S for at in late)


def pips(cells: Sequence[Place], dice: Sequence[int]) -> tuple[Place, ...]:
    """Return the cells that draw the faces of dice side by side, the first one on the left;
    nothing where there is no room for them. `cells` are those of the board in reading order.

    One die takes every other cell, which is easier to read; more of them stand closer.
    """
    side = isqrt(len(cells))
    step = 2 if len(dice) == 1 else 1
    wide = 2 * step + 1
    pitch = wide + GAP
    left, top = (side - len(dice) * pitch + GAP) // 2, (side - wide) // 2
    if side * side != len(cells) or min(left, top) < 0:
        return ()
    return tuple(
        cells[(top + step * row) * side + left + number * pitch + step * column]
        for number, die in enumerate(dice)
        for row, column in FACES.get(die, ())
    )
