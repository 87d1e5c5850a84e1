"""How people carry out what a move asks, act by act.

`HandActions` says what has to get where. `MoveStyle` says how somebody does it this time, with
every decision and duration spelled out. `perform` turns the two into acts on a table. No game is
known here: places are names, pieces are magnet poles. `styles.py` draws styles the way people vary.

What people do, and why a board must expect it:

- They take the enemy first, or their own piece first and the enemy with the other fingers, or knock
  the enemy aside with the arriving piece: then its cell stands empty for milliseconds only.
- They slide over the cells between, stop there and think, put down, take again, go on; between two
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

from firmware_host.simulation.actions import Carry, Fuss, HandAction, HandActions, MoveStyle
from firmware_host.simulation.tabletop import Act, HandsError, Place, Tabletop

TOUCH: Final = 0.005
"""The least time between two acts on one place."""


def perform(
    work: HandActions, manner: MoveStyle, table: Tabletop, start: float = 0.0
) -> HandAction:
    """Return the acts of `work` done in that manner on `table`, which itself is left alone.

    The first touch comes `manner.reach` after `start`. HandsError if the work does not fit what
    lies on the table.
    """
    script = _Script(table.copy(), start + manner.reach)
    for fuss in manner.before:
        script.fuss(fuss)
        script.clock += manner.pause
    first = len(script.acts)
    owed: list[tuple[Place | None, Carry]] = []
    if work.row:
        owed = _row(script, work, manner)
        work = replace(work, taken=())
        script.clock += manner.pause if work.brought else 0.0
    if work.carried or work.taken or work.brought:
        owed += _pieces(script, work, manner)
    let_go = script.clock
    for errand in work.passed:
        script.lift(errand.start)
        script.clock += manner.stagger if manner.together else manner.in_hand
        if not manner.together:
            script.put(errand.end, errand.pole)
            let_go = script.clock
            script.clock += manner.pause
    if manner.together and work.passed:
        script.clock += manner.in_hand
        for errand in work.passed:
            script.put(errand.end, errand.pole)
            let_go = script.clock
            script.clock += manner.stagger
    core = tuple(script.acts[first:])
    script.clock = let_go
    for fuss in manner.after:
        script.clock += manner.pause
        script.fuss(fuss)
    script.beside(manner.beside, core[0].at if core else let_go)
    return HandAction(script.ordered(), let_go, core, tuple(owed))


class _Script:
    """Acts as they are thought of, with a clock for the hand that leads."""

    def __init__(self, table: Tabletop, clock: float) -> None:
        self.table = table
        self.clock = clock
        self.acts: list[Act] = []
        self._last: dict[Place, float] = {}

    def lift(self, place: Place | None) -> None:
        """Lift from `place` now, or as soon as the place has come to rest."""
        if place is not None:
            self._act(place, None)

    def leave(self, place: Place | None, after: float) -> None:
        """Lift the piece on `place` a little later; the hand goes on meanwhile."""
        now = self.clock
        self.clock += after
        self.lift(place)
        self.clock = max(now, self.clock - after)

    def put(self, place: Place | None, pole: int, shake: tuple[float, ...] = ()) -> None:
        """Put a piece on `place` now, or as soon as it is free."""
        if place is not None:
            self._act(place, pole, shake)

    def _act(self, place: Place, pole: int | None, shake: tuple[float, ...] = ()) -> None:
        self.clock = max(self.clock, self._last.get(place, -math.inf) + TOUCH)
        act = Act(self.clock, place, pole, shake)
        self.table.do(act)
        self.acts.append(act)
        self._last[place] = act.at

    def fuss(self, fuss: Fuss) -> None:
        """Do these acts one after the other."""
        for wait, place, pole in fuss:
            self.clock += wait
            self._act(place, pole)

    def beside(self, fuss: Fuss, start: float) -> None:
        """Add acts that happen beside the others; they must touch no place the others touch."""
        at = start
        for wait, place, pole in fuss:
            at += wait
            if place in self._last:
                raise HandsError(f"{place} is touched by the move itself")
            self.acts.append(Act(at, place, pole))

    def ordered(self) -> tuple[Act, ...]:
        """Return all acts in order of time."""
        return tuple(sorted(self.acts, key=lambda act: act.at))


def _pieces(
    script: _Script, work: HandActions, manner: MoveStyle
) -> list[tuple[Place | None, Carry]]:
    """Carry, take and bring pieces; return what is still owed. The clock ends at the last put."""
    ends = {errand.end for errand in (*work.carried, *work.brought)}
    victims = [errand for errand in work.taken if errand.start in ends]
    cleared = [errand for errand in work.taken if errand.start not in ends]
    pending: list[Carry] = []  # lifted, not yet where they belong
    aside = manner.aside if manner.away in ("aside", "late") and victims else None
    if not (work.carried or work.brought):
        manner = replace(manner, clearing="before")
    if manner.clearing == "before":
        _lift_all(script, cleared, manner, pending)
        if pending and (work.carried or victims or work.brought):
            script.clock += manner.pause
    if manner.enemy_first:
        for errand in victims:
            script.lift(errand.start)
            pending.append(errand)
            if manner.away == "at once":
                script.clock += manner.pause
                script.put(errand.end, errand.pole)
                pending.remove(errand)
            elif aside and errand is victims[0]:
                script.clock += manner.pause
                script.put(aside, errand.lies)
            script.clock += manner.pause
    _carry_all(script, work, manner, [*victims, *cleared], pending)
    for errand in work.brought:
        if work.carried or errand is not work.brought[0]:
            script.clock += manner.pause
        first = errand is work.brought[0] and not work.carried
        script.lift(errand.start)
        if first:
            script.fuss(manner.flight)
        if first or errand.start is not None:  # else it was at hand
            script.clock += manner.in_hand
        _vacate(script, errand.end, victims, manner, pending)
        _arrive(script, errand, manner)
    left = [errand for errand in cleared if errand.start and script.table.count(errand.start)]
    left = [errand for errand in left if errand not in pending]
    if left:
        script.clock += manner.pause
        _lift_all(script, left, manner, pending)
    owed: list[tuple[Place | None, Carry]] = []
    let_go = script.clock
    for errand in pending:
        where = None
        if aside and errand is victims[0]:
            if script.table.count(aside) == 0:
                script.clock += manner.pause
                script.put(aside, errand.lies)
                let_go = script.clock
            where = aside
        if manner.away == "late":
            owed.append((where, errand))
            continue
        script.clock += manner.pause
        script.lift(where)
        if where:
            script.clock += manner.pause
        script.put(errand.end, errand.pole)
        if errand.end is not None or where:
            let_go = script.clock
    script.clock = let_go
    return owed


def _lift_all(
    script: _Script, errands: Sequence[Carry], manner: MoveStyle, pending: list[Carry]
) -> None:
    """Take pieces off the board one after the other."""
    for number, errand in enumerate(errands):
        if number:
            script.clock += manner.pause
        script.lift(errand.start)
        pending.append(errand)


def _carry_all(
    script: _Script, work: HandActions, manner: MoveStyle, taken: list[Carry], pending: list[Carry]
) -> None:
    """Carry pieces from cell to cell, each when its end is free."""
    todo = list(work.carried[::-1] if manner.reverse else work.carried)
    starts = {errand.start for errand in todo}
    if manner.together and len(todo) > 1:
        for number, errand in enumerate(todo):
            script.clock += manner.stagger if number else 0.0
            script.lift(errand.start)
        script.clock += manner.in_hand
        for number, errand in enumerate(todo[::-1]):  # what was lifted last is in the fingers
            if number:
                script.clock += manner.stagger if manner.apart is None else manner.apart
            _vacate(script, errand.end, taken, manner, pending)
            _arrive(script, errand, manner)
        return
    held: list[Carry] = []
    begun = False
    while todo:
        free = [errand for errand in todo if errand.end == errand.start or errand.end not in starts]
        if begun:
            script.clock += manner.pause
        begun = True
        if not free:  # a ring: one piece has to be held until the others have moved on
            errand = todo.pop(0)
            script.lift(errand.start)
            starts.discard(errand.start)
            held.append(errand)
            continue
        errand = free[0]
        todo.remove(errand)
        starts.discard(errand.start)
        _carry(script, errand, work, manner, taken, pending)
    for errand in held:
        script.clock += manner.in_hand
        _vacate(script, errand.end, taken, manner, pending)
        _arrive(script, errand, manner)


def _carry(
    script: _Script,
    errand: Carry,
    work: HandActions,
    manner: MoveStyle,
    taken: list[Carry],
    pending: list[Carry],
) -> None:
    """Carry or slide one piece to its end, which is emptied on the way if need be."""
    flight = manner.flight if errand is work.carried[0] else ()
    beside = errand.start is not None and errand.end in work.near.get(errand.start, ())
    if manner.slide and (errand.via or beside):
        _slide(script, errand, manner, flight, taken, pending)
        return
    script.lift(errand.start)
    script.fuss(flight)
    victim = errand.end is not None and script.table.count(errand.end) > 0
    script.clock += max(TOUCH, manner.in_hand - (manner.empty if victim else 0.0))
    _vacate(script, errand.end, taken, manner, pending)
    _arrive(script, errand, manner)


def _slide(
    script: _Script,
    errand: Carry,
    manner: MoveStyle,
    flight: Fuss,
    taken: list[Carry],
    pending: list[Carry],
) -> None:
    """Slide one piece over the cells on its way to its end, which is emptied if need be."""
    gap, overlap = max(0.0, manner.gap), max(0.0, -manner.gap)
    left = errand.start
    if flight:
        script.lift(left)
        script.fuss(flight)
        left = None
    for number, cell in enumerate(errand.via):
        occupied = script.table.count(cell) > 0
        if occupied and (manner.clearing != "during" or all(e.start != cell for e in taken)):
            continue
        script.leave(left, overlap)
        if occupied:
            _vacate(script, cell, taken, manner, pending)
        else:
            script.clock += gap
        script.put(cell, errand.lies)
        script.clock += manner.cells[min(number, len(manner.cells) - 1)]
        left = cell
    script.leave(left, overlap)
    script.clock += gap
    _vacate(script, errand.end, taken, manner, pending)
    _arrive(script, errand, manner)
    script.clock += overlap


def _vacate(
    script: _Script,
    place: Place | None,
    taken: Sequence[Carry],
    manner: MoveStyle,
    pending: list[Carry],
) -> None:
    """Lift a captured piece that still stands on `place`, so that another can be put there."""
    if place is None or place in script.table.slots or not script.table.count(place):
        return
    for errand in taken:
        if errand.start == place and errand not in pending:
            script.lift(place)
            pending.append(errand)
            script.clock += manner.empty
            return


def _arrive(script: _Script, errand: Carry, manner: MoveStyle) -> None:
    """Put a piece down where it belongs; turn or exchange it now if that is still to be done."""
    changes = errand.swapped or errand.pole != errand.lies
    if manner.turned == "in hand" or not changes or errand.end is None:
        script.put(errand.end, errand.pole, manner.shake)
        return
    if errand.start == errand.end:  # it never left: nothing to put down before it is turned
        script.put(errand.end, errand.pole, manner.shake)
        return
    script.put(errand.end, errand.lies, manner.shake)
    script.clock += manner.pause
    script.lift(errand.end)
    script.clock += manner.pause
    script.put(errand.end, errand.pole)


def _row(script: _Script, work: HandActions, manner: MoveStyle) -> list[tuple[Place | None, Carry]]:
    """Move a row on by one cell; return what is still owed. The clock ends at the last put."""
    row = work.row
    pushed_off = [errand for errand in work.taken if errand.start == row[-1].end]
    start = script.clock
    for errand in pushed_off:
        script.lift(errand.start)
        script.clock += manner.stagger if manner.row == "pushed" else manner.pause
    if manner.row == "pushed":
        for errand in row[::-1]:
            script.lift(errand.start)
            script.clock += manner.stagger
        script.clock = max(script.clock, start + manner.in_hand)
        for errand in row[::-1]:
            script.put(errand.end, errand.pole, manner.shake)
            script.clock += manner.stagger
        script.clock -= manner.stagger
    elif manner.row == "front first":
        for number, errand in enumerate(row[::-1]):
            script.clock += manner.pause if number else 0.0
            script.lift(errand.start)
            script.clock += manner.in_hand
            script.put(errand.end, errand.pole, manner.shake)
    elif manner.row == "chain":
        script.lift(row[0].start)
        for errand, ahead in pairwise(row):
            script.clock += manner.stagger
            script.lift(ahead.start)
            script.clock += manner.stagger
            script.put(errand.end, errand.pole, manner.shake)
        script.clock += manner.in_hand
        script.put(row[-1].end, row[-1].pole, manner.shake)
    else:
        _leapfrog(script, row, manner)
    if manner.away == "late":
        return [(None, errand) for errand in pushed_off]
    for errand in pushed_off:
        if errand.end is not None:
            script.clock += manner.pause
            script.put(errand.end, errand.pole)
    return []


def _leapfrog(script: _Script, row: Sequence[Carry], manner: MoveStyle) -> None:
    """Set the hindmost piece of each stretch of one pole in front of that stretch."""
    stretches: list[list[Carry]] = []
    for errand in row:
        if stretches and stretches[-1][-1].lies == errand.lies:
            stretches[-1].append(errand)
        else:
            stretches.append([errand])
    for number, stretch in enumerate(stretches[::-1]):
        script.clock += manner.pause if number else 0.0
        script.lift(stretch[0].start)
        script.clock += manner.in_hand
        script.put(stretch[-1].end, stretch[-1].pole, manner.shake)
