"""The team game: thrones, command, empire, exchange of rajas, lent boats.

The partners are S and N against W and E. The comments number the rules T1 … T7 as the rule sheet
lists them.
"""

from __future__ import annotations

from typing import NamedTuple

from engine.game import Seat
from engine.games.chaturaji.position import (
    BOAT,
    NOWHERE,
    POINTS,
    RAJA,
    TEAM,
    THRONES,
    ChaturajiPosition,
    SeatSet,
    Teams,
    is_armed,
)


class TeamRules(NamedTuple):
    """The options of the team game."""

    every_entry: bool
    """Every entry of a raja on a throne scores, not only its first."""
    throne_kill_by_any: bool
    """Any piece, not only a raja, scores for capturing a raja on its throne."""
    throne_kill_adds: bool
    """The points for that come on top of the points for a raja."""
    command_dies_with_raja: bool
    """A seat that loses its raja loses the command of both armies."""


def after_move(
    rules: TeamRules,
    before: ChaturajiPosition,
    after: ChaturajiPosition,
    piece: int,
    square: int,
    victim: int,
    actor: Seat,
    parade: bool,
) -> tuple[Teams, list[int]]:
    """Return the team state after a move, and the points by seat beyond those for captures.

    `after` holds the pieces and lost rajas after the move, and the rest from before it. `piece`
    arrived on `square`. `victim` is the piece taken there, or -1. `actor` decided the move.
    """
    seat, partner = piece >> 3, (piece >> 3) ^ 2
    extra = [0, 0, 0, 0]
    raja_moved = piece & 7 == RAJA
    loser = victim >> 3 if victim >= 0 and victim & 7 == RAJA else None
    enemy_raja = loser is not None and loser != partner
    on_its_throne = loser is not None and square == THRONES[loser]
    commanders, heirs, boats, thrones, killed, offer = after.teams

    # T3: a raja on the partner's throne commands both armies permanently.
    united = commanders & TEAM[seat]
    if raja_moved and square == THRONES[partner] and not united and _can_follow(after, partner):
        commanders |= 1 << seat

    if loser is not None:
        heir = loser ^ 2
        if rules.command_dies_with_raja:
            commanders &= ~(1 << loser)
            heirs &= ~(1 << loser)
        # T4: the partner of a lost raja commands both armies until it returns.
        if (
            not commanders & TEAM[loser]
            and after.pieces[8 * heir + RAJA] != NOWHERE
            and not (before.out >> heir | before.out >> loser) & 1
        ):
            commanders |= 1 << heir
            heirs |= 1 << heir
        # T6: a team that had lost exactly one raja may offer it in exchange for the captured one.
        mine = before.lost & TEAM[seat]
        if enemy_raja and mine.bit_count() == 1 and not before.out & (mine | 1 << loser):
            killed = (before.seat, loser)

    # T7: a seat that makes a parade commands the partner's boat, which stays.
    if parade and actor == seat:
        boats |= 1 << seat

    # T5: an empire; it replaces T2 if the second raja was captured on its throne.
    empire = 0
    remembered = Teams(commanders, heirs, boats, thrones, killed, offer)
    for team in TEAM[:2]:
        emperor = _emperor(after._replace(teams=remembered), team)
        if emperor is None or _emperor(before, team) is not None:
            continue
        empire = 1
        if enemy_raja and TEAM[seat] == team:
            by_own_raja = raja_moved and seat == emperor
            empire = 4 if on_its_throne else 2 if by_own_raja else 1
        extra[emperor] += empire

    # T2: an enemy raja captured on its throne.
    throne_kill = enemy_raja and on_its_throne and (rules.throne_kill_by_any or raja_moved)
    if throne_kill and empire != 4:
        extra[actor] += 2 if rules.throne_kill_adds else 2 - POINTS[RAJA]
    # T1: a raja enters an enemy throne; a capture there already scored more.
    if raja_moved and square in THRONES and THRONES.index(square) not in (seat, partner):
        entered = 0 if rules.every_entry else 1 << 4 * seat + THRONES.index(square)
        if not throne_kill and not (empire == 4 and on_its_throne) and not thrones & entered:
            extra[actor] += 1
        thrones |= entered
    return remembered._replace(thrones=thrones), extra


def _can_follow(position: ChaturajiPosition, seat: Seat) -> bool:
    """Return whether the seat has an army to command."""
    return not position.out >> seat & 1 and is_armed(position.pieces, seat)


def _emperor(position: ChaturajiPosition, team: SeatSet) -> Seat | None:
    """Return the seat that makes its team an empire, or None.

    It commands both armies and has its raja, and both enemy rajas are captured.
    """
    commander = position.teams.commanders & team
    enemies = 0b1111 ^ team
    if not commander or position.lost & enemies != enemies:
        return None
    seat = commander.bit_length() - 1
    return seat if position.pieces[8 * seat + RAJA] != NOWHERE else None


def without_leavers(position: ChaturajiPosition) -> Teams:
    """Return the team state without the commands that ended.

    A command ends when the commander has no pieces left, a seat left the game, or the boat is lost.
    """
    pieces, out, teams = position.pieces, position.out, position.teams
    commanders, boats = teams.commanders, teams.boats
    for seat in range(4):
        bit, partner = 1 << seat, seat ^ 2
        left = (out >> seat | out >> partner) & 1 or not is_armed(pieces, seat)
        if commanders & bit and left:
            commanders ^= bit
        if boats & bit and (left or pieces[8 * partner + BOAT] == NOWHERE):
            boats ^= bit
    if (commanders, boats) == (teams.commanders, teams.boats):
        return teams
    return teams._replace(commanders=commanders, heirs=teams.heirs & commanders, boats=boats)


def without_exchange(teams: Teams) -> Teams:
    """Return the team state after the chance for an exchange of rajas has passed."""
    return teams if teams.killed is None else teams._replace(killed=None, offer=None)


def after_exchange(position: ChaturajiPosition, squares: tuple[int, int]) -> ChaturajiPosition:
    """Return the position after the exchange put both rajas on these squares (T6).

    The first raja is that of the offering team, the second the one just captured. The commands that
    T4 gave for them end.
    """
    pieces = bytearray(position.pieces)
    lost, teams = position.lost, position.teams
    commanders, heirs = teams.commanders, teams.heirs
    for seat, square in zip(exchanged(position), squares, strict=True):
        pieces[8 * seat + RAJA] = square
        lost &= ~(1 << seat)
        ended = heirs & 1 << (seat ^ 2)
        commanders ^= ended
        heirs ^= ended
    teams = without_exchange(teams._replace(commanders=commanders, heirs=heirs))
    return position._replace(pieces=bytes(pieces), lost=lost, teams=teams)


def exchanged(position: ChaturajiPosition) -> tuple[Seat, Seat]:
    """Return the seats whose rajas an exchange returns: the captor's team, then the captured."""
    killed = position.teams.killed
    assert killed is not None
    mine = position.lost & TEAM[killed[0]]
    return mine.bit_length() - 1, killed[1]
