"""Why a move of Chaturaji is refused, and which rule a hand broke."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.game import Attempt, Place, Reason, Seat
from engine.games.chaturaji.claims import late_promotions
from engine.games.chaturaji.moves import AHEAD, LEAPS, RAYS, STRIKES, ChaturajiMove
from engine.games.chaturaji.position import (
    BOAT,
    DIE,
    ELEPHANT,
    INDEX,
    LAST_LINE,
    LETTERS,
    NOWHERE,
    PAWN,
    RAJA,
    SQUARES,
    ChaturajiPosition,
)
from engine.games.chaturaji.rules import ChaturajiRules

REASONS: Final[Mapping[str, str]] = {
    "over": "The game is over.",
    "throw-first": "The dice come first, then the move.",
    "nothing-there": "No piece stands on {0}.",
    "not-yours": "You cannot move the piece on {0} in this turn.",
    "left": "The piece on {0} cannot move: its player left the game.",
    "frozen": "The piece on {0} cannot move: its raja is captured.",
    "boat-lent": "Since the parade of boats, your partner commands your boat on {0}.",
    "wrong-die": "The piece on {0} does not move on this throw: 2 moves the boat, 3 the horse, "
    "4 the elephant, 5 the raja or a pawn.",
    "first-die": "The dice are used in the order thrown; the piece on {0} moves on the second.",
    "way-B": "A boat goes exactly two squares diagonally, so not from {0} to {1}.",
    "way-H": "A horse goes two squares straight and one to the side, so not from {0} to {1}.",
    "way-E": "An elephant goes along rank or file, so not from {0} to {1}.",
    "way-K": "A raja goes one square in any direction, so not from {0} to {1}.",
    "way-P": "A pawn goes one square straight ahead, or takes one square diagonally ahead, "
    "so not from {0} to {1}.",
    "pawn-waits": "The pawn on {0} stands on its last line and cannot move any more.",
    "pawn-blocked": "A pawn cannot take straight ahead; {1} is not free.",
    "pawn-strikes": "A pawn goes diagonally only to take, and {1} is empty.",
    "blocked": "The elephant's way from {0} to {1} is blocked at {2}.",
    "own-piece": "One of your own pieces stands on {1}.",
    "partners-piece": "Your partner's piece stands on {1}.",
    "ranks": "A weak piece (pawn or boat) may not take the strong piece on {1}.",
    "no-promotion": "The pawn on {0} cannot become that piece on {1}: it promotes only on"
    " the last line, and only to its own piece once that is lost.",
    "say-promotion": "The pawn on {0} may promote, but say so: press its button.",
    "say-retirement": "The raja on {0} may leave the board, but say so: press its button.",
    "one-piece": "Only one piece moves in a turn: {0} or {1}.",
    "not-taken": "A piece is taken only by moving onto its square, so {0} stays as it is.",
}
"""The sentence of each Reason code."""


def why_idle(rules: ChaturajiRules, position: ChaturajiPosition, piece: int) -> str:
    """Return the code of the reason why a piece may not move at all in this turn.

    The code is empty if the piece may move.
    """
    seat, slot, dice = piece >> 3, piece & 7, position.dice
    if position.ended:
        return "over"
    if piece not in rules.movers(position, ()):
        return _not_commanded(rules, position, seat, slot)
    if rules.awaits_throw(position):
        return "throw-first"
    if dice and DIE[slot] not in dice:
        return "wrong-die"
    if rules.in_order and len(dice) == 2 and DIE[slot] != dice[0]:
        return "first-die" if rules.moves(position, dice[:1]) else ""
    return ""


def _not_commanded(
    rules: ChaturajiRules, position: ChaturajiPosition, seat: Seat, slot: int
) -> str:
    if seat == position.seat:
        return "boat-lent" if slot == BOAT else "not-yours"
    if position.out >> seat & 1:
        return "left"
    return "frozen" if rules.skipped(position) >> seat & 1 else "not-yours"


def refusal(
    rules: ChaturajiRules, position: ChaturajiPosition, move: ChaturajiMove
) -> Reason | None:
    """Return why the rules forbid a move between squares, None if they allow it."""
    pieces = position.pieces
    origin, target, promotes = move
    places = (origin, target)
    start, end = INDEX[origin], INDEX[target]
    piece = pieces.find(start)
    if piece < 0:
        return Reason("nothing-there", places)
    if code := why_idle(rules, position, piece):
        return Reason(code, places)
    protected = rules.protected(pieces, piece >> 3)
    moves = rules.piece_moves(pieces, piece, protected)
    if move in moves:
        return None
    if promotes and ChaturajiMove(origin, target) in moves:
        return Reason("no-promotion", places)
    return Reason(*_wrong_way(position, piece, end, protected))


def _wrong_way(
    position: ChaturajiPosition, piece: int, end: int, protected: bytes
) -> tuple[str, tuple[Place, ...]]:
    """Return code and places for a piece that may move, but not to this square."""
    pieces, seat, slot = position.pieces, piece >> 3, piece & 7
    start = pieces[piece]
    places = (SQUARES[start], SQUARES[end])
    holder = pieces.find(end)
    if slot >= PAWN:
        if start in LAST_LINE[seat]:
            return "pawn-waits", places
        straight = any(end == target for target, _ in AHEAD[seat][start])
        aslant = any(end == target for target, _ in STRIKES[seat][start])
        if aslant and holder < 0:
            return "pawn-strikes", places
        if straight and end not in protected:
            return "pawn-blocked", places
        reaches = straight or aslant
    elif slot == ELEPHANT:
        ray = next(([t for t, _ in ray] for ray in RAYS[start] if end in dict(ray)), [])
        between = [square for square in ray[: ray.index(end)] if square in pieces] if ray else []
        if between:
            return "blocked", (*places, SQUARES[between[0]])
        reaches = bool(ray)
    else:
        reaches = any(end == target for target, _ in LEAPS[slot][start])
    if not reaches:
        return f"way-{LETTERS[slot]}", places
    if end in protected:
        return "own-piece" if holder >> 3 == seat else "partners-piece", places
    return "ranks", places


def why_not(rules: ChaturajiRules, position: ChaturajiPosition, attempt: Attempt) -> Reason | None:
    """Return the rule that the hand broke, judging by the touched squares."""
    if position.ended:
        return Reason("over")
    if attempt.seat is not None and attempt.seat != rules.decider(position):
        position = position._replace(seat=attempt.seat, dice=())
    pieces = position.pieces
    lifted = [place for place in SQUARES if place in attempt.lifted]
    ends = [place for place in SQUARES if place in attempt.placed]
    ends += [place for place in SQUARES if place in attempt.swapped]
    movers = rules.movers(position, ())
    mine = [place for place in lifted if pieces.find(INDEX[place]) in movers]
    others = [place for place in lifted if place not in mine]
    if len(mine) > 1:
        return Reason("one-piece", (mine[0], mine[1]))
    if not mine and not others:
        return _why_touched(rules, position, ends)
    mover = (mine or others)[0]
    if not ends:
        return _why_lifted(rules, position, mover)
    if len(attempt.placed) > 1 or (not mine and len(others) > 1):
        return None
    reason = refusal(rules, position, ChaturajiMove(mover, ends[0]))
    if reason is None and mine and others:
        return Reason("not-taken", (others[0],))
    return reason


def _why_touched(
    rules: ChaturajiRules, position: ChaturajiPosition, ends: list[Place]
) -> Reason | None:
    """Return the reason for a piece that was only touched: it may need the claim to promote."""
    waiting = [pawn for pawn, _ in late_promotions(rules, position, rules.decider(position))]
    if len(ends) == 1 and position.pieces.find(INDEX[ends[0]]) in waiting:
        return Reason("say-promotion", (ends[0],))
    return None


def _why_lifted(rules: ChaturajiRules, position: ChaturajiPosition, place: Place) -> Reason | None:
    """Return why this piece may not be lifted, or not alone."""
    pieces = position.pieces
    piece = pieces.find(INDEX[place])
    if piece < 0:
        return None
    own = pieces[8 * (piece >> 3) : 8 * (piece >> 3) + 8]
    if (
        piece & 7 == RAJA
        and piece >> 3 == position.seat
        and own.count(NOWHERE) == 7
        and rules.retire
    ):
        return Reason("say-retirement", (place,))
    code = why_idle(rules, position, piece)
    if code == "not-yours" and not rules.awaits_throw(position):
        takes = rules.moves(position, position.dice)
        code = "not-taken" if any(move.target == place for move in takes) else code
    return Reason(code, (place,)) if code else None
