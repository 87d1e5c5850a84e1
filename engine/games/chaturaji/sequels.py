"""Sequels of a move of Chaturaji: rajas lost or returned, and changes of command.

The board does not show them, and many depend on the options.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.game import Seat, Sequel
from engine.games.chaturaji.position import TEAM, ChaturajiPosition, in_play, seats_in
from engine.games.chaturaji.rules import ChaturajiRules

SEQUELS: Final = {
    "raja-taken": "The raja of {0} is captured.",
    "plays-on": "The raja of {0} is captured; {0} plays on without it.",
    "frozen": "The raja of {0} is captured; from now on the pieces of {0} cannot move.",
    "inherited": "The raja of {0} is captured; from now on {1} commands the pieces of {0}.",
    "raja-back": "{0} has a raja again.",
    "command": "From now on {0} commands the pieces of {1}.",
    "command-ended": "{0} no longer commands the pieces of {1}.",
    "boat": "From now on {0} commands the boat of {1}.",
    "exchange": "{0} or {1} may offer an exchange of rajas before anybody throws or moves.",
}


def sequels(
    rules: ChaturajiRules, before: ChaturajiPosition, after: ChaturajiPosition
) -> tuple[Sequel, ...]:
    """Return the sequels of a move or claim, those of rajas first."""
    return (*_rajas(rules, before, after), *_commands(before, after), *_offer(before, after))


def _rajas(
    rules: ChaturajiRules, before: ChaturajiPosition, after: ChaturajiPosition
) -> Iterator[Sequel]:
    for seat in seats_in(after.lost & ~before.lost):
        if _heir(before, after, seat):
            yield Sequel("inherited", (seat, seat ^ 2))
        elif not in_play(after) >> seat & 1:
            yield Sequel("raja-taken", (seat,))
        else:
            yield Sequel("frozen" if rules.freezes else "plays-on", (seat,))
    for seat in seats_in(before.lost & ~after.lost):
        yield Sequel("raja-back", (seat,))


def _heir(before: ChaturajiPosition, after: ChaturajiPosition, loser: Seat) -> bool:
    """Return whether the loss of the raja gave the command to the loser's partner."""
    return bool(after.teams.heirs & ~before.teams.heirs & 1 << (loser ^ 2))


def _commands(before: ChaturajiPosition, after: ChaturajiPosition) -> Iterator[Sequel]:
    was, now = before.teams, after.teams
    inherited = now.heirs & ~was.heirs
    for seat in seats_in(now.commanders & ~was.commanders & ~inherited):
        yield Sequel("command", (seat, seat ^ 2))
    for seat in seats_in(was.commanders & ~now.commanders):
        yield Sequel("command-ended", (seat, seat ^ 2))
    for seat in seats_in(now.boats & ~was.boats):
        yield Sequel("boat", (seat, seat ^ 2))


def _offer(before: ChaturajiPosition, after: ChaturajiPosition) -> Iterator[Sequel]:
    killed = after.teams.killed
    if killed is not None and killed != before.teams.killed:
        yield Sequel("exchange", tuple(seats_in(TEAM[killed[0]])))
