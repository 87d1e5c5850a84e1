"""Which positions of Chaturaji can be, as far as their fields tell."""

from __future__ import annotations

from collections.abc import Callable

from engine.game import PositionError, Seat
from engine.games.chaturaji.board import BOAT, NOWHERE, RAJA, SEATS
from engine.games.chaturaji.position import (
    TEAM,
    ChaturajiPosition,
    SeatSet,
    in_play,
    names,
    retired,
)
from engine.games.chaturaji.rules import ChaturajiRules


def refuse_impossible(rules: ChaturajiRules, position: ChaturajiPosition) -> None:
    """Raise PositionError if a position's fields disagree with each other or the options."""
    pieces, teams = position.pieces, position.teams

    def refuse(key: str, seats: SeatSet, why: str) -> None:
        if seats:
            raise PositionError(f"{key}: {why}: {names(seats)}")

    def those(holds: Callable[[Seat], object]) -> SeatSet:
        return sum(1 << seat for seat in range(4) if holds(seat))

    if len(position.dice) > rules.dice:
        raise PositionError(f"dice: {len(position.dice)} in a game with {rules.dice}")
    rajas = those(lambda seat: pieces[8 * seat + RAJA] != NOWHERE)
    left = retired(position)
    refuse("lost", position.lost & rajas, "the raja stands on the board")
    refuse(
        "lost", 15 & ~(position.lost | rajas | left), "no raja on the board, so it must be listed"
    )
    refuse("out", 0 if rules.retire else left, "no man left, but nobody retires in this game")
    playing = in_play(position)
    refuse("agree", position.agreed & ~playing, "no part in the game any more")
    leaders = teams.commanders | teams.boats
    followers = those(lambda seat: leaders >> (seat ^ 2) & 1)
    refuse("command or boat", leaders & ~playing, "no part in the game any more")
    refuse("command or boat", followers & position.out, "no part in the game any more")
    boatless = those(lambda seat: pieces[8 * (seat ^ 2) + BOAT] == NOWHERE)
    refuse("boat", teams.boats & boatless, "the partner has no boat")
    _check_exchange(rules, position)


def _check_exchange(rules: ChaturajiRules, position: ChaturajiPosition) -> None:
    killed, offer = position.teams.killed, position.teams.offer
    if killed is None:
        if offer is not None:
            raise PositionError("offer: nothing was killed that could be exchanged")
        return
    killer, dead = killed
    ours = position.lost & TEAM[killer]
    if (
        TEAM[killer] == TEAM[dead]
        or not position.lost >> dead & 1
        or ours.bit_count() != 1
        or position.out & (ours | 1 << dead)
        or (rules.dice and len(position.dice) == rules.dice)
    ):
        raise PositionError("killed: there is nothing to exchange")
    if offer is not None and (TEAM[offer] != TEAM[killer] or not in_play(position) >> offer & 1):
        raise PositionError(f"offer: {SEATS[offer]} cannot offer this exchange")
