"""The names of players: their own, else those of their seats."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from engine.game import Seat
from engine.match import AnyGame
from firmware_host.i18n.messages import Message, say

LONGEST: Final = 30
"""Characters of a name at most."""
Who: TypeAlias = Callable[[Seat], Message]
"""Returns the name of the player of a seat."""


def problem(name: str) -> Message | None:
    """Return why a name is refused; None if it is accepted."""
    if len(name) > LONGEST:
        return say("A name has at most {n} characters.", n=LONGEST)
    if not name.isprintable():  # no line breaks, no marks that turn the direction of writing
        return say("A name cannot contain control characters.")
    return None


def called(game: AnyGame, players: Sequence[str], seat: Seat) -> Message:
    """Return what the player of a seat is called: by name, else by the seat."""
    name = players[seat] if 0 <= seat < len(players) else ""
    return say("{name}", name=name) if name else say(game.seats[seat])
