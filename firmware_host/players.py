"""What the players call themselves: a small file of its own beside the match, one name a seat.

Names belong to the people at the table, not to a match: who sits where stays until somebody says
otherwise, in the next match and in another game, too.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, TypeAlias

from engine.game import Seat
from engine.match import AnyGame
from firmware_host.store.files import why
from firmware_host.store.later import LaterFile
from firmware_host.words import Message, say, warn
from hardware.regular_file import read

LONGEST: Final = 30
"""The characters of a name at most."""
LARGEST_FILE: Final = 4096
"""Longer than the file of any names, in bytes."""
Who: TypeAlias = Callable[[Seat], Message]
"""What the player of a seat is called."""

log = logging.getLogger(__name__)


class Players:
    """The names by seat, kept in a file."""

    def __init__(self, file: Path) -> None:
        self._file = LaterFile(file)
        self._names = _read(file)

    def of(self, seats: int) -> tuple[str, ...]:
        """Return the names of so many seats, empty for who has not said."""
        return tuple(self._names.get(seat, "") for seat in range(seats))

    def rename(self, seat: Seat, name: str) -> None:
        """Call who sits there `name` (see `problem`); empty: as the seat is called."""
        self._names[seat] = name
        names = self.of(max(self._names) + 1)
        self._file.put((json.dumps(names, ensure_ascii=False) + "\n").encode())

    @property
    def trouble(self) -> Message | None:
        """Why the names are not on the disk, for people: they hold until the program ends."""
        if (error := self._file.error) is None:
            return None
        return warn("The names of the players are not kept: {why}.", why=why(error))

    def close(self) -> None:
        """Have the names on the disk."""
        self._file.close()
        if (error := self._file.error) is not None:
            log.warning("%s: %s; the names are not kept", self._file.path, error.strerror)


def problem(name: str) -> Message | None:
    """Return why nobody can be called so; None if somebody can."""
    if len(name) > LONGEST:
        return say("A name has at most {n} characters.", n=LONGEST)
    if not name.isprintable():  # neither lines nor what turns the writing round
        return say("A name is made of letters, not of control characters.")
    return None


def called(game: AnyGame, players: Sequence[str], seat: Seat) -> Message:
    """Return what who sits there is called: the own name, else the seat's."""
    name = players[seat] if 0 <= seat < len(players) else ""
    return say("{name}", name=name) if name else say(game.seats[seat])


def _read(file: Path) -> dict[Seat, str]:
    try:
        names = json.loads(read(file, LARGEST_FILE))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        log.warning("%s: %s; the players go by their seats", file, error)
        return {}
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        log.warning("%s: not a list of names; the players go by their seats", file)
        return {}
    return {seat: name for seat, name in enumerate(names) if problem(name) is None}
