"""What hands must do for a move, and how they do it: plain data without any game.

`HandActions` lists which piece must get where. `MoveStyle` says how it is done this time: every
decision and every duration. `firmware_host.simulation.gestures` makes a `HandAction` of the two.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from firmware_host.simulation.tabletop import Act, Place

Fidget: TypeAlias = tuple[tuple[float, Place, int | None], ...]
"""Acts beside the move: (seconds since the last one, place, pole to put or None to lift)."""


@dataclass(frozen=True, slots=True)
class Carry:
    """One piece that must get from one place to another."""

    start: Place | None
    """None: it comes from off the table."""
    end: Place | None
    """None: it leaves the table."""
    lies: int = 1
    """The pole that is up at the start."""
    pole: int = 1
    """The pole that is up at the end; if it differs from `lies`, the piece is turned over."""
    via: tuple[Place, ...] = ()
    """The cells on the way if it is slid, in order; taken pieces may stand on them."""
    swapped: bool = False
    """The piece is exchanged for another one at the end of its way."""

    def back(self) -> Carry:
        """Return the carry that undoes this one."""
        return Carry(self.end, self.start, self.pole, self.lies, self.via[::-1], self.swapped)


@dataclass(frozen=True)
class HandActions:
    """What a move asks of the hands."""

    carried: tuple[Carry, ...] = ()
    """From cell to cell; the one people name first comes first."""
    taken: tuple[Carry, ...] = ()
    """From a cell to a tray or off the table."""
    brought: tuple[Carry, ...] = ()
    """From a tray or off the table to a cell."""
    passed: tuple[Carry, ...] = ()
    """From tray to tray."""
    row: tuple[Carry, ...] = ()
    """Pieces in one line that all move on by one cell, the hindmost first. A piece that is pushed
    off the board is in `taken`."""
    own: tuple[Place, ...] = ()
    """The mover's other pieces."""
    others: tuple[Place, ...] = ()
    """All other pieces."""
    near: Mapping[Place, Sequence[Place]] = field(default_factory=dict)
    """The neighbours of each cell."""
    instead: Callable[[], Sequence[tuple[Place, Place]]] = tuple
    """Returns other moves that a player may think of, each as (from, to). Called seldom."""
    aside: Callable[[], Sequence[Place]] = tuple
    """Returns empty cells where a parked piece does not look like a move. Called seldom."""

    def touched(self) -> set[Place]:
        """Return every start and end, without the cells on the way."""
        carries = (*self.carried, *self.taken, *self.brought, *self.passed, *self.row)
        return {place for e in carries for place in (e.start, e.end) if place is not None}

    def back(self) -> HandActions:
        """Return what takes the move back: a row is drawn back, a captured piece returns."""
        return replace(
            self,
            carried=tuple(e.back() for e in self.carried[::-1]),
            taken=tuple(e.back() for e in self.brought[::-1]),
            brought=tuple(e.back() for e in self.taken[::-1]),
            passed=tuple(e.back() for e in self.passed[::-1]),
            row=tuple(e.back() for e in self.row[::-1]),
            instead=tuple,
            aside=tuple,
        )


@dataclass(frozen=True, slots=True)
class MoveStyle:
    """How somebody makes a move this time; the plain way by default. Times in seconds."""

    reach: float = 0.2
    """Until the first touch."""
    in_hand: float = 0.6
    """From lifting a carried piece to putting it down, cells on the way not counted."""
    pause: float = 0.4
    """Between two things done one after the other."""
    slide: bool = False
    """The carried piece is slid over the cells on its way, or to the neighbouring cell."""
    cells: tuple[float, ...] = (0.12,)
    """How long a sliding piece covers each cell; the last value holds for the rest."""
    gap: float = 0.04
    """How long a sliding piece is between two cells; below 0: how long it is seen on both."""
    enemy_first: bool = False
    """The captured piece is lifted before the capturing one."""
    empty: float = 0.4
    """How long the target stands empty between the captured piece and the capturing one."""
    away: Literal["at once", "after", "aside", "late"] = "after"
    """When a captured piece goes into the tray: at once (if it is taken first), after the move,
    after it was parked aside, or in a later turn."""
    aside: Place | None = None
    """The cell where it is put aside; None: off the board, where nothing senses it."""
    clearing: Literal["before", "during", "after"] = "after"
    """When other pieces that leave the board are lifted: before, on the way (if slid), after."""
    reverse: bool = False
    """Of several carried pieces the last goes first."""
    together: bool = False
    """Several pieces are lifted before the first is put down: both hands, or a row pushed sideways.
    """
    turned: Literal["in hand", "after"] = "in hand"
    """When a piece is turned over, or exchanged for another: on its way or where it has arrived."""
    row: Literal["pushed", "front first", "leapfrog", "chain"] = "pushed"
    """A row of pieces: pushed all at once; each moved on, the foremost first; the hindmost set in
    front and an enemy behind the others; moved on one by one by the push from behind."""
    stagger: float = 0.02
    """Between two pieces that are lifted, pushed or put down together."""
    apart: float | None = None
    """Between putting down two pieces that were lifted together, if it is not `stagger`."""
    before: tuple[Fidget, ...] = ()
    """What is done, one after the other, before the move begins."""
    flight: Fidget = ()
    """What hands do on the way, with the carried piece or while they hold it: the move waits."""
    beside: Fidget = ()
    """What other hands do meanwhile; times count from the first lift. The move does not wait."""
    after: tuple[Fidget, ...] = ()
    """What is done after the move."""
    shake: tuple[float, ...] = ()
    """Flips of the contact after the carried piece was put down: it rocks, or rolls."""


@dataclass(frozen=True, slots=True)
class HandAction:
    """What hands did for one move."""

    acts: tuple[Act, ...]
    """In order of time."""
    let_go: float
    """When the hand let go of the last thing that belongs to the move."""
    core: tuple[Act, ...] = ()
    """The acts that belong to the move itself; all others are fidgets."""
    forgotten: tuple[tuple[Place | None, Carry], ...] = ()
    """Captured pieces that are not put away yet: where each lies now (None: off the table), and the
    carry that it still needs.
    """
