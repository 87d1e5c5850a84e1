"""The pieces of Chaturaji that can be taken, and those that are free to take."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.game import Threat
from engine.games.chaturaji.moves import LEAPS, RAYS, STRIKES, parades
from engine.games.chaturaji.position import (
    BOAT,
    ELEPHANT,
    NOWHERE,
    PAWN,
    RAJA,
    SQUARES,
    STRONG,
    TEAM,
    ChaturajiPosition,
)
from engine.games.chaturaji.refusals import why_idle
from engine.games.chaturaji.rules import ChaturajiRules


def threats(rules: ChaturajiRules, position: ChaturajiPosition) -> tuple[Threat, ...]:
    """Return pieces of this turn that can be taken and enemy pieces that are free to take.

    Each names its attackers. A parade that an enemy boat can complete attacks each boat in it.
    """
    if position.ended:
        return ()
    pieces = position.pieces
    attackers = _attackers(rules, position)
    mine = set(rules.movers(position, ()))
    sides = TEAM if rules.teams else (1, 2, 4, 8)
    our_side = sides[position.seat]
    found = []
    for piece, square in enumerate(pieces):
        if square == NOWHERE:
            continue
        near = attackers.get(square, [])
        hostile = [other for other in near if not our_side >> (other >> 3) & 1]
        if our_side >> (piece >> 3) & 1:
            dangers = [(other, square) for other in hostile]
            dangers += _parade_dangers(rules, position, piece)
            if piece in mine and dangers:
                kind = "attacked" if _is_answered(attackers, our_side, dangers) else "undefended"
                kind = "check" if piece & 7 == RAJA else kind
                found.append(_threat(pieces, kind, square, [other for other, _ in dangers]))
        else:
            takers = [other for other in near if other in mine]
            if not rules.awaits_throw(position):
                takers = [other for other in takers if not why_idle(rules, position, other)]
            if takers and not hostile:
                found.append(_threat(pieces, "free", square, takers))
    return tuple(found)


def _is_answered(
    attackers: Mapping[int, list[int]], our_side: int, dangers: list[tuple[int, int]]
) -> bool:
    """Return whether the mover takes back on each square where an enemy may arrive."""
    return all(
        any(our_side >> (other >> 3) & 1 for other in attackers.get(arrival, []))
        for _, arrival in dangers
    )


def _threat(pieces: bytes, kind: str, square: int, by: list[int]) -> Threat:
    return Threat(
        kind, SQUARES[square], tuple(SQUARES[pieces[piece]] for piece in dict.fromkeys(by))
    )


def _attackers(rules: ChaturajiRules, position: ChaturajiPosition) -> dict[int, list[int]]:
    """Return by square the pieces that attack or protect it."""
    pieces, skipped = position.pieces, rules.skipped(position)
    found: dict[int, list[int]] = {}
    for piece, square in enumerate(pieces):
        if square == NOWHERE or skipped >> (piece >> 3) & 1:
            continue
        for target in _attacked(pieces, piece):
            weak = rules.ranks and piece & 7 not in STRONG
            if not (weak and pieces.find(target) & 7 in STRONG and target in pieces):
                found.setdefault(target, []).append(piece)
    return found


def _attacked(pieces: bytes, piece: int) -> Iterator[int]:
    """Yield the squares that a piece attacks or protects."""
    slot, square = piece & 7, pieces[piece]
    if slot >= PAWN:
        yield from (target for target, _ in STRIKES[piece >> 3][square])
    elif slot != ELEPHANT:
        yield from (target for target, _ in LEAPS[slot][square])
    else:
        for ray in RAYS[square]:
            for target, _ in ray:
                yield target
                if target in pieces:
                    break


def _parade_dangers(
    rules: ChaturajiRules, position: ChaturajiPosition, boat: int
) -> Iterator[tuple[int, int]]:
    """Yield each enemy boat that can complete a parade with this boat, and its target square."""
    pieces = position.pieces
    if not rules.parade or boat & 7 != BOAT or NOWHERE in pieces[BOAT::8]:
        return
    for other in range(BOAT, 32, 8):
        seat = other >> 3
        enemy = TEAM[seat] != TEAM[boat >> 3] if rules.teams else other != boat
        if not enemy or rules.skipped(position) >> seat & 1:
            continue
        for target, _ in LEAPS[BOAT][pieces[other]]:
            if target not in pieces:
                after = bytearray(pieces)
                after[other] = target
                if parades(after):
                    yield other, target
