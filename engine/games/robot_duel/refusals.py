"""Why a move of Robot Duel is refused, and which rule a hand broke."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from engine.cache import CachedFunction
from engine.game import Attempt, Place, Reason
from engine.games.robot_duel.moves import STEPS, Army, RobotDuelMove
from engine.games.robot_duel.position import (
    BIT,
    CELLS,
    CHICK,
    FAR,
    HEN,
    HOLDER,
    LETTERS,
    SHIFT,
    TRAY_OF,
    TRAYS,
    RobotDuelPosition,
)

REASONS: Final[Mapping[str, str]] = {
    "over": "The game is over.",
    "nothing-there": "No piece stands on {0}.",
    "not-yours": "The piece on {0} belongs to your opponent, and it is not your opponent's turn.",
    "not-your-hand": "That piece is in your opponent's hand.",
    "own-piece": "{1} is occupied by one of your own pieces.",
    "way-C": "A chick goes one step straight forwards, so not from {0} to {1}.",
    "way-E": "An elephant goes one step diagonally, so not from {0} to {1}.",
    "way-G": "A giraffe goes one step forwards, backwards or sideways, so not from {0} to {1}.",
    "way-L": "A lion goes one step in any direction, so not from {0} to {1}.",
    "way-+C": "A hen goes one step in any direction except diagonally backwards, "
    "so not from {0} to {1}.",
    "dead-chick": "The chick on {0} is on the last row and was not turned over; it cannot"
    " move any more.",
    "no-promotion": "Only a chick that steps onto the last row turns over; on {1} the "
    "piece stays as it is.",
    "must-promote": "A chick that reaches the last row must become a hen; turn it over on {1}.",
    "turned-in-place": "The piece on {0} may not turn over where it stands; a chick turns"
    " over only as it steps onto the last row.",
    "drop-taken": "A piece from the hand goes onto an empty cell and cannot capture; {1} "
    "is occupied.",
    "not-in-hand": "You have no such piece in hand to put on {0}.",
    "drop-unpromoted": "From the hand a chick is put down as a chick; turn it over on {1}.",
    "not-taken": "A piece is taken only by stepping onto its cell, so the one on {0} stays.",
    "one-piece": "Only one piece moves in a turn: {0} or {1}.",
    "wrong-tray": "The piece captured on {0} goes into your own hand, in the tray of its kind.",
}


def refusal(
    position: RobotDuelPosition, move: RobotDuelMove, armies: CachedFunction[int, Army]
) -> Reason | None:
    """Return why the rules forbid a move, None if they allow it.

    The places of the move must exist, and the game must not be over.
    """
    origin, target, promotes = move
    mine, theirs, hand, _, turn, *_ = position
    end = SHIFT[target]
    if origin in HOLDER:
        seat, kind = HOLDER[origin]
        if seat != turn:
            return Reason("not-your-hand", (origin, target))
        if not hand >> 2 * kind - 2 & 3:
            return Reason("not-in-hand", (target,))
        if (mine | theirs) >> end & 7:
            return Reason("drop-taken", (origin, target))
        return Reason("drop-unpromoted", (origin, target)) if promotes else None
    kind = mine >> SHIFT[origin] & 7
    if not kind:
        enemy = theirs >> SHIFT[origin] & 7
        return Reason("not-yours" if enemy else "nothing-there", (origin,))
    if kind == CHICK and FAR[turn] & BIT[origin]:
        return Reason("dead-chick", (origin,))
    if end // 3 not in STEPS[turn][kind][SHIFT[origin] // 3]:
        return Reason(f"way-{LETTERS[kind]}", (origin, target))
    if mine >> end & 7:
        return Reason("own-piece", (origin, target))
    if move in armies[mine].after:
        return None
    return Reason("no-promotion" if promotes else "must-promote", (origin, target))


def why_not(
    position: RobotDuelPosition, attempt: Attempt, armies: CachedFunction[int, Army]
) -> Reason | None:
    """Return the rule that a hand broke, judging by the places; the game must not be over."""
    mine, theirs = armies[position.mine].occupied, armies[position.theirs].occupied
    lifted = [cell for cell in CELLS if cell in attempt.lifted]
    ours = [cell for cell in lifted if mine & BIT[cell]]
    enemies = [cell for cell in lifted if theirs & BIT[cell]]
    puts = [cell for cell in CELLS if cell in attempt.placed]
    swapped = [cell for cell in CELLS if cell in attempt.swapped]
    ends = puts + swapped  # where a hand may have put a piece down, the likeliest first
    from_trays = [tray for tray in TRAYS if tray in attempt.lifted | attempt.swapped]

    if len(ours) > 1:
        return Reason("one-piece", (ours[0], ours[1]))
    if len(puts) > 1:
        return None
    if ours and ends:
        return _why_no_step(position, ours[0], ends, enemies, attempt, armies)
    if ours:
        return None
    if from_trays and ends:
        return _why_no_drop(position, from_trays, ends, armies)
    if enemies:
        return Reason("not-yours" if ends else "not-taken", (enemies[0],))
    if puts and not position.my_hand:
        return Reason("not-in-hand", (puts[0],))
    if len(swapped) == 1 and not puts:
        return Reason("turned-in-place", (swapped[0],))
    return None


def _why_no_step(
    position: RobotDuelPosition,
    origin: Place,
    ends: Sequence[Place],
    enemies: Sequence[Place],
    attempt: Attempt,
    armies: CachedFunction[int, Army],
) -> Reason | None:
    """Return why the mover's piece cannot go from `origin` to the first of `ends`."""
    target = ends[0]
    kept, turned = RobotDuelMove(origin, target), RobotDuelMove(origin, target, True)
    why = {move: refusal(position, move, armies) for move in (kept, turned)}
    if None not in why.values():
        return why[kept]
    if enemies:
        return Reason("not-taken", (enemies[0],))
    from_trays = [tray for tray in TRAYS if tray in attempt.lifted]
    if from_trays:
        return Reason("one-piece", (origin, from_trays[0]))
    piece = position.theirs >> SHIFT[target] & 7
    right = TRAY_OF.get((position.turn, CHICK if piece == HEN else piece))
    into = [tray for tray in TRAYS if tray in attempt.placed | attempt.swapped]
    if piece and any(tray != right for tray in into):
        return Reason("wrong-tray", (target,))
    if len(ends) > 1 or (into and not piece):
        return None
    return why[kept] or why[turned]  # the places are right, so the face is wrong


def _why_no_drop(
    position: RobotDuelPosition,
    from_trays: Sequence[Place],
    ends: Sequence[Place],
    armies: CachedFunction[int, Army],
) -> Reason | None:
    """Return why the piece from a tray cannot go to the first of `ends`."""
    target = ends[0]
    reasons = [refusal(position, RobotDuelMove(tray, target), armies) for tray in from_trays]
    if None not in reasons:
        return reasons[0]
    if len(from_trays) == len(ends) == 1 and HOLDER[from_trays[0]][1] == CHICK:
        return Reason("drop-unpromoted", (from_trays[0], target))
    return None
