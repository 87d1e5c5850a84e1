"""The dice as they fell last: for how long people see them, and the turns lost with them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from engine.game import Pass, Seat, Throw

if TYPE_CHECKING:
    from firmware_host.session.view import SessionView

NUMBER: Final = 1.6
"""Seconds for which the number is shown, before the men that it moves."""
LOST: Final = 5.0
"""Seconds for which it is shown and said at least that a turn was lost, also after the next throw:
nobody has anything to do for it, and the next seat may throw at once."""
NEVER: Final = float("-inf")


def moved_nobody(view: SessionView) -> bool:
    """Whether the turn that the dice fell for was lost."""
    return isinstance(view.match.move, Pass)


def number(view: SessionView, now: float) -> tuple[int, ...]:
    """Return the dice that people are to see at a moment; () when they have seen them."""
    fallen, throws = view.dice.fallen, view.dice.number
    shown_for = LOST if moved_nobody(view) else NUMBER
    seen = fallen is None or now >= view.dice.fell_at.get(throws, NEVER) + shown_for
    return () if fallen is None or seen else fallen.dice


def lost_turns(view: SessionView, now: float) -> tuple[Seat, ...]:
    """Return the seats that have just lost a turn, the last one last."""
    lost: list[Seat] = []
    played: set[Seat] = set()
    for step in view.shown[0].latest():
        fell = max(view.dice.fell_at.get(step.throws + more, NEVER) for more in (0, 1))
        if now >= fell + LOST:
            break
        if not isinstance(step.match.move, Throw):
            if isinstance(step.match.move, Pass) and step.match.seat not in played:
                lost.insert(0, step.match.seat)
            played.add(step.match.seat)
    return tuple(lost)


def times(view: SessionView) -> Iterable[float]:
    """Return when what is shown of them changes by itself; times that have passed may be among
    them.
    """
    throws = view.dice.number
    late = [view.dice.fell_at.get(throws - n, NEVER) for n in range(len(view.game.seats))]
    return late[0] + NUMBER, *(at + LOST for at in late)
