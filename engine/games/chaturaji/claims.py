"""The claims of Chaturaji: their texts, when a seat may make them, and their effect.

    resign              leave the game; the pieces stand still and can still be taken
    flag                the time of the seat is up: it leaves the game like one that resigns
    agree               end the game once every playing seat has agreed since the last move
    retire h4           take the lone raja off the board, in its own turn; no seat scores it
    promote a8=B        promote a pawn that waits on its last line after its piece is lost
    exchange?           offer to exchange the raja just captured for the one that the team has lost
    exchange d1 h4      accept: the offering team's raja returns first, then the one just captured
    exchange no         refuse; a throw or a move before the answer refuses too

The rules do not say what happens to a seat that resigns. Here its turns are skipped and its pieces
stay, so no hand has to clear the board. The seat keeps its points but cannot win.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from engine.game import Claim, Seat
from engine.games.chaturaji.position import (
    INDEX,
    LAST_LINE,
    LETTERS,
    NOWHERE,
    PAWN,
    RAJA,
    SQUARES,
    TEAM,
    THRONES,
    ChaturajiPosition,
    in_play,
)
from engine.games.chaturaji.rules import ChaturajiRules
from engine.games.chaturaji.teams import after_exchange, exchanged, without_exchange


def claims(rules: ChaturajiRules, position: ChaturajiPosition, seat: Seat) -> tuple[Claim, ...]:
    """Return the claims that the seat may make now."""
    if position.ended or not 0 <= seat < 4:
        return ()
    return tuple(Claim(seat, text) for text in _texts(rules, position, seat))


def _texts(rules: ChaturajiRules, position: ChaturajiPosition, seat: Seat) -> Iterator[str]:
    pieces = position.pieces
    if in_play(position) >> seat & 1:
        yield "resign"
        yield "flag"
        if not position.agreed >> seat & 1:
            yield "agree"
        raja = 8 * seat + RAJA
        if (
            rules.retire
            and seat == position.seat
            and pieces[raja] != NOWHERE
            and pieces[8 * seat : 8 * seat + 8].count(NOWHERE) == 7
        ):
            yield f"retire {SQUARES[pieces[raja]]}"
    for pawn, slot in late_promotions(rules, position, seat):
        yield f"promote {SQUARES[pieces[pawn]]}={LETTERS[slot]}"
    if position.teams.killed is not None and not position.out >> seat & 1:
        yield from _exchange_texts(position, seat)


def late_promotions(
    rules: ChaturajiRules, position: ChaturajiPosition, seat: Seat
) -> Iterator[tuple[int, int]]:
    """Yield each waiting pawn that the seat may promote now, with its new slot."""
    if rules.deferred == "never":
        return
    pieces = position.pieces
    if rules.deferred == "immediate":
        commanded = [s for s in (seat, seat ^ 2) if not position.out >> s & 1]
        commanded = [s for s in commanded if rules.decider(position._replace(seat=s)) == seat]
        pawns = [8 * s + slot for s in commanded for slot in range(PAWN, 8)]
    elif position.dice or seat != rules.decider(position):
        return
    else:
        pawns = [piece for piece in rules.movers(position, ()) if piece & 7 >= PAWN]
    for pawn in pawns:
        if pieces[pawn] in LAST_LINE[pawn >> 3]:
            promoted = rules.promotion(pieces, pawn, pieces[pawn])
            if promoted is not None:
                yield pawn, promoted


def _exchange_texts(position: ChaturajiPosition, seat: Seat) -> Iterator[str]:
    ours, killed = exchanged(position)
    if position.teams.offer is None:
        if TEAM[seat] == TEAM[ours] and in_play(position) >> seat & 1:
            yield "exchange?"
        return
    if TEAM[seat] == TEAM[killed]:
        empty = [square for square in range(64) if square not in position.pieces]
        homes = [[THRONES[s]] if THRONES[s] in empty else empty for s in (ours, killed)]
        for first, second in product(*homes):
            if first != second:
                yield f"exchange {SQUARES[first]} {SQUARES[second]}"
        yield "exchange no"


def play_claim(
    rules: ChaturajiRules, position: ChaturajiPosition, claim: Claim
) -> ChaturajiPosition | None:
    """Return the position after the claim, None if the seat may not make it now."""
    if claim not in claims(rules, position, claim.seat):
        return None
    seat, pieces, teams = claim.seat, bytearray(position.pieces), position.teams
    bit = 1 << seat
    word, *rest = claim.text.split()
    if word == "agree":
        return rules.settled(position._replace(agreed=position.agreed | bit))
    if word == "exchange?":
        return position._replace(teams=teams._replace(offer=seat))
    if word == "exchange":
        if rest == ["no"]:
            return position._replace(teams=without_exchange(teams))
        return _exchange(rules, position, (INDEX[rest[0]], INDEX[rest[1]]))
    if word == "promote":
        return _promote(rules, position, *rest[0].split("="))
    if word == "retire":
        pieces[8 * seat + RAJA] = NOWHERE
    if teams.killed is not None and seat in (*exchanged(position), teams.offer):
        teams = without_exchange(teams)
    left = position._replace(
        pieces=bytes(pieces), out=position.out | bit, agreed=position.agreed & ~bit, teams=teams
    )
    return rules.end_turn(left) if seat == position.seat else rules.settled(left)


def _exchange(
    rules: ChaturajiRules, position: ChaturajiPosition, squares: tuple[int, int]
) -> ChaturajiPosition:
    assert position.teams.killed is not None
    mover = position.teams.killed[0]
    after = after_exchange(position, squares)
    if position.dice:
        return rules.settled(after)
    # The returning raja brings its seat back into the game, so it gets the turn it had missed.
    return rules.end_turn(after._replace(seat=mover))


def _promote(
    rules: ChaturajiRules, position: ChaturajiPosition, square: str, letter: str
) -> ChaturajiPosition:
    pieces = bytearray(position.pieces)
    pawn = position.pieces.find(INDEX[square])
    slot, owner = LETTERS.index(letter), pawn >> 3
    pieces[8 * owner + slot], pieces[pawn] = pieces[pawn], NOWHERE
    lost = position.lost & ~(1 << owner) if slot == RAJA else position.lost
    after = position._replace(pieces=bytes(pieces), lost=lost, quiet=0, agreed=0)
    if rules.deferred != "costs_the_move":
        return rules.settled(after)
    return rules.end_turn(after._replace(teams=without_exchange(after.teams)))
