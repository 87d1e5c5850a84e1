"""How people carry out what a move asks, act by act.

`perform` turns `HandActions` (which piece must get where) and a `MoveStyle` (every decision and
duration) into acts on a table. No game is known here: places are names, pieces are magnet poles.
`styles.py` draws move styles that vary as people do.

What people do, and why a board must expect it:

- They take the enemy first, or their own piece first and the enemy with the other fingers, or knock
  the enemy aside with the arriving piece: then its cell is empty for milliseconds only.
- They slide over the cells between, stop there, put the piece down and take it again; between two
  cells the piece is seen by neither sensor, or by both.
- They adjust other pieces, brush a neighbour with the sleeve, lift a piece and put it back, try a
  move and withdraw it; they turn a piece over in the hand or after putting it down.
- A captured piece goes into the tray at once, afterwards, is held, is parked on the table's edge or
  on an empty cell, or is forgotten until after the reply.
- Marbles are pushed as a row, or moved one by one from the front, or the last is set in front.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from firmware_host.simulation.actions import Carry, Fidget, HandAction, HandActions, MoveStyle
from firmware_host.simulation.tabletop import Act, HandsError, Place, Tabletop

TOUCH: Final = 0.005
"""The least time between two acts on one place, in seconds."""


def perform(
    actions: HandActions, style: MoveStyle, table: Tabletop, start: float = 0.0
) -> HandAction:
    """Return the acts of `actions` done in that style on `table`, which is not changed.

    The first touch comes `style.reach` after `start`. HandsError if the actions do not fit what
    lies on the table.
    """
    script = _Script(table.copy(), start + style.reach)
    for fidget in style.before:
        script.fidget(fidget)
        script.clock += style.pause
    first = len(script.acts)
    forgotten: list[tuple[Place | None, Carry]] = []
    if actions.row:
        forgotten = _row(script, actions, style)
        actions = replace(actions, taken=())
        script.clock += style.pause if actions.brought else 0.0
    if actions.carried or actions.taken or actions.brought:
        forgotten += _pieces(script, actions, style)
    let_go = script.clock
    for carry in actions.passed:
        script.lift(carry.start)
        script.clock += style.stagger if style.together else style.in_hand
        if not style.together:
            script.put(carry.end, carry.pole)
            let_go = script.clock
            script.clock += style.pause
    if style.together and actions.passed:
        script.clock += style.in_hand
        for carry in actions.passed:
            script.put(carry.end, carry.pole)
            let_go = script.clock
            script.clock += style.stagger
    core = tuple(script.acts[first:])
    script.clock = let_go
    for fidget in style.after:
        script.clock += style.pause
        script.fidget(fidget)
    script.beside(style.beside, core[0].at if core else let_go)
    return HandAction(script.ordered(), let_go, core, tuple(forgotten))


class _Script:
    """Acts in the order in which they are planned, with a clock for the leading hand."""

    def __init__(self, table: Tabletop, clock: float) -> None:
        self.table = table
        self.clock = clock
        self.acts: list[Act] = []
        self._last: dict[Place, float] = {}

    def lift(self, place: Place | None) -> None:
        """Lift from `place` now, or `TOUCH` after the last act there."""
        if place is not None:
            self._act(place, None)

    def leave(self, place: Place | None, after: float) -> None:
        """Lift the piece on `place` after this time; the clock of the hand does not wait."""
        now = self.clock
        self.clock += after
        self.lift(place)
        self.clock = max(now, self.clock - after)

    def put(self, place: Place | None, pole: int, shake: tuple[float, ...] = ()) -> None:
        """Put a piece on `place` now, or `TOUCH` after the last act there."""
        if place is not None:
            self._act(place, pole, shake)

    def _act(self, place: Place, pole: int | None, shake: tuple[float, ...] = ()) -> None:
        self.clock = max(self.clock, self._last.get(place, -math.inf) + TOUCH)
        act = Act(self.clock, place, pole, shake)
        self.table.do(act)
        self.acts.append(act)
        self._last[place] = act.at

    def fidget(self, fidget: Fidget) -> None:
        """Do these acts one after the other."""
        for wait, place, pole in fidget:
            self.clock += wait
            self._act(place, pole)

    def beside(self, fidget: Fidget, start: float) -> None:
        """Add acts of other hands. HandsError if they touch a place that the move touches."""
        at = start
        for wait, place, pole in fidget:
            at += wait
            if place in self._last:
                raise HandsError(f"{place} is touched by the move itself")
            self.acts.append(Act(at, place, pole))

    def ordered(self) -> tuple[Act, ...]:
        """Return all acts in order of time."""
        return tuple(sorted(self.acts, key=lambda act: act.at))


def _pieces(
    script: _Script, actions: HandActions, style: MoveStyle
) -> list[tuple[Place | None, Carry]]:
    """Carry, take and bring pieces; return the forgotten ones. The clock ends at the last put."""
    ends = {carry.end for carry in (*actions.carried, *actions.brought)}
    victims = [carry for carry in actions.taken if carry.start in ends]
    cleared = [carry for carry in actions.taken if carry.start not in ends]
    pending: list[Carry] = []  # lifted, not yet where they belong
    aside = style.aside if style.away in ("aside", "late") and victims else None
    if not (actions.carried or actions.brought):
        style = replace(style, clearing="before")
    if style.clearing == "before":
        _lift_all(script, cleared, style, pending)
        if pending and (actions.carried or victims or actions.brought):
            script.clock += style.pause
    if style.enemy_first:
        _take_first(script, victims, style, aside, pending)
    _carry_all(script, actions, style, [*victims, *cleared], pending)
    for carry in actions.brought:
        if actions.carried or carry is not actions.brought[0]:
            script.clock += style.pause
        first = carry is actions.brought[0] and not actions.carried
        script.lift(carry.start)
        if first:
            script.fidget(style.flight)
        if first or carry.start is not None:  # else the hand has it already
            script.clock += style.in_hand
        _vacate(script, carry.end, victims, style, pending)
        _arrive(script, carry, style)
    left = [carry for carry in cleared if carry.start and script.table.count(carry.start)]
    left = [carry for carry in left if carry not in pending]
    if left:
        script.clock += style.pause
        _lift_all(script, left, style, pending)
    return _put_away(script, pending, style, aside, victims[0] if aside else None)


def _take_first(
    script: _Script,
    victims: Sequence[Carry],
    style: MoveStyle,
    aside: Place | None,
    pending: list[Carry],
) -> None:
    """Lift the captured pieces before the capturing one; the first may be parked `aside`."""
    for carry in victims:
        script.lift(carry.start)
        pending.append(carry)
        if style.away == "at once":
            script.clock += style.pause
            script.put(carry.end, carry.pole)
            pending.remove(carry)
        elif aside and carry is victims[0]:
            script.clock += style.pause
            script.put(aside, carry.lies)
        script.clock += style.pause


def _put_away(
    script: _Script,
    pending: Sequence[Carry],
    style: MoveStyle,
    aside: Place | None,
    parked: Carry | None,
) -> list[tuple[Place | None, Carry]]:
    """Put away the lifted pieces, of which one is `parked` aside; return the forgotten ones."""
    forgotten: list[tuple[Place | None, Carry]] = []
    let_go = script.clock
    for carry in pending:
        where = None
        if aside and carry is parked:
            if script.table.count(aside) == 0:
                script.clock += style.pause
                script.put(aside, carry.lies)
                let_go = script.clock
            where = aside
        if style.away == "late":
            forgotten.append((where, carry))
            continue
        script.clock += style.pause
        script.lift(where)
        if where:
            script.clock += style.pause
        script.put(carry.end, carry.pole)
        if carry.end is not None or where:
            let_go = script.clock
    script.clock = let_go
    return forgotten


def _lift_all(
    script: _Script, carries: Sequence[Carry], style: MoveStyle, pending: list[Carry]
) -> None:
    """Take pieces off the board one after the other."""
    for number, carry in enumerate(carries):
        if number:
            script.clock += style.pause
        script.lift(carry.start)
        pending.append(carry)


def _carry_all(
    script: _Script,
    actions: HandActions,
    style: MoveStyle,
    taken: list[Carry],
    pending: list[Carry],
) -> None:
    """Carry pieces from cell to cell, each when its end is free."""
    todo = list(actions.carried[::-1] if style.reverse else actions.carried)
    starts = {carry.start for carry in todo}
    if style.together and len(todo) > 1:
        for number, carry in enumerate(todo):
            script.clock += style.stagger if number else 0.0
            script.lift(carry.start)
        script.clock += style.in_hand
        for number, carry in enumerate(todo[::-1]):  # last lifted, first put
            if number:
                script.clock += style.stagger if style.apart is None else style.apart
            _vacate(script, carry.end, taken, style, pending)
            _arrive(script, carry, style)
        return
    held: list[Carry] = []
    begun = False
    while todo:
        free = [carry for carry in todo if carry.end == carry.start or carry.end not in starts]
        if begun:
            script.clock += style.pause
        begun = True
        if not free:  # a ring: one piece has to be held until the others have moved on
            carry = todo.pop(0)
            script.lift(carry.start)
            starts.discard(carry.start)
            held.append(carry)
            continue
        carry = free[0]
        todo.remove(carry)
        starts.discard(carry.start)
        _carry(script, carry, actions, style, taken, pending)
    for carry in held:
        script.clock += style.in_hand
        _vacate(script, carry.end, taken, style, pending)
        _arrive(script, carry, style)


def _carry(
    script: _Script,
    carry: Carry,
    actions: HandActions,
    style: MoveStyle,
    taken: list[Carry],
    pending: list[Carry],
) -> None:
    """Carry or slide one piece to its end; a piece that stands there is lifted first."""
    flight = style.flight if carry is actions.carried[0] else ()
    beside = carry.start is not None and carry.end in actions.near.get(carry.start, ())
    if style.slide and (carry.via or beside):
        _slide(script, carry, style, flight, taken, pending)
        return
    script.lift(carry.start)
    script.fidget(flight)
    victim = carry.end is not None and script.table.count(carry.end) > 0
    script.clock += max(TOUCH, style.in_hand - (style.empty if victim else 0.0))
    _vacate(script, carry.end, taken, style, pending)
    _arrive(script, carry, style)


def _slide(
    script: _Script,
    carry: Carry,
    style: MoveStyle,
    flight: Fidget,
    taken: list[Carry],
    pending: list[Carry],
) -> None:
    """Slide one piece over the cells on its way; a piece at its end is lifted first."""
    gap, overlap = max(0.0, style.gap), max(0.0, -style.gap)
    left = carry.start
    if flight:
        script.lift(left)
        script.fidget(flight)
        left = None
    for number, cell in enumerate(carry.via):
        occupied = script.table.count(cell) > 0
        if occupied and (style.clearing != "during" or all(e.start != cell for e in taken)):
            continue
        script.leave(left, overlap)
        if occupied:
            _vacate(script, cell, taken, style, pending)
        else:
            script.clock += gap
        script.put(cell, carry.lies)
        script.clock += style.cells[min(number, len(style.cells) - 1)]
        left = cell
    script.leave(left, overlap)
    script.clock += gap
    _vacate(script, carry.end, taken, style, pending)
    _arrive(script, carry, style)
    script.clock += overlap


def _vacate(
    script: _Script,
    place: Place | None,
    taken: Sequence[Carry],
    style: MoveStyle,
    pending: list[Carry],
) -> None:
    """Lift a captured piece that still stands on `place`, so that another can be put there."""
    if place is None or place in script.table.slots or not script.table.count(place):
        return
    for carry in taken:
        if carry.start == place and carry not in pending:
            script.lift(place)
            pending.append(carry)
            script.clock += style.empty
            return


def _arrive(script: _Script, carry: Carry, style: MoveStyle) -> None:
    """Put a piece down at its end; turn or exchange it there if the style does it `after`."""
    changes = carry.swapped or carry.pole != carry.lies
    if style.turned == "in hand" or not changes or carry.end is None:
        script.put(carry.end, carry.pole, style.shake)
        return
    if carry.start == carry.end:  # it never left: nothing to put down before it is turned
        script.put(carry.end, carry.pole, style.shake)
        return
    script.put(carry.end, carry.lies, style.shake)
    script.clock += style.pause
    script.lift(carry.end)
    script.clock += style.pause
    script.put(carry.end, carry.pole)


def _row(
    script: _Script, actions: HandActions, style: MoveStyle
) -> list[tuple[Place | None, Carry]]:
    """Move a row on by one cell; return the forgotten pieces. The clock ends at the last put."""
    row = actions.row
    pushed_off = [carry for carry in actions.taken if carry.start == row[-1].end]
    start = script.clock
    for carry in pushed_off:
        script.lift(carry.start)
        script.clock += style.stagger if style.row == "pushed" else style.pause
    if style.row == "pushed":
        for carry in row[::-1]:
            script.lift(carry.start)
            script.clock += style.stagger
        script.clock = max(script.clock, start + style.in_hand)
        for carry in row[::-1]:
            script.put(carry.end, carry.pole, style.shake)
            script.clock += style.stagger
        script.clock -= style.stagger
    elif style.row == "front first":
        for number, carry in enumerate(row[::-1]):
            script.clock += style.pause if number else 0.0
            script.lift(carry.start)
            script.clock += style.in_hand
            script.put(carry.end, carry.pole, style.shake)
    elif style.row == "chain":
        script.lift(row[0].start)
        for carry, ahead in pairwise(row):
            script.clock += style.stagger
            script.lift(ahead.start)
            script.clock += style.stagger
            script.put(carry.end, carry.pole, style.shake)
        script.clock += style.in_hand
        script.put(row[-1].end, row[-1].pole, style.shake)
    else:
        _leapfrog(script, row, style)
    if style.away == "late":
        return [(None, carry) for carry in pushed_off]
    for carry in pushed_off:
        if carry.end is not None:
            script.clock += style.pause
            script.put(carry.end, carry.pole)
    return []


def _leapfrog(script: _Script, row: Sequence[Carry], style: MoveStyle) -> None:
    """Set the hindmost piece of each stretch of one pole in front of that stretch."""
    stretches: list[list[Carry]] = []
    for carry in row:
        if stretches and stretches[-1][-1].lies == carry.lies:
            stretches[-1].append(carry)
        else:
            stretches.append([carry])
    for number, stretch in enumerate(stretches[::-1]):
        script.clock += style.pause if number else 0.0
        script.lift(stretch[0].start)
        script.clock += style.in_hand
        script.put(stretch[-1].end, stretch[-1].pole, style.shake)
