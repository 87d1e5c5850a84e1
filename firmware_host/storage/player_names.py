"""What the players call themselves: a small file of its own beside the match, one name a seat.

Names belong to the people at the table, not to a match: who sits where stays until somebody says
otherwise, in the next match and in another game, too.
"""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Final

from engine.game import Seat
from firmware_host.i18n.messages import Message, warn
from firmware_host.players.names import problem
from firmware_host.storage.deferred_file import DeferredFile
from firmware_host.storage.files import why
from hardware.regular_file import read

LARGEST_FILE: Final = 4096
"""Longer than the file of any names, in bytes."""

log = logging.getLogger(__name__)


class PlayerNames:
    """The names by seat, kept in a file."""

    def __init__(self, file: Path) -> None:
        self._file = DeferredFile(file)
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
        return warn("The names of the players are not saved: {why}.", why=why(error))

    def close(self) -> None:
        """Have the names on the disk."""
        self._file.close()
        if (error := self._file.error) is not None:
            log.warning("%s: %s; the names are not kept", self._file.path, error.strerror)


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
