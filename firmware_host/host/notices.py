"""Notices for people that belong to no match: files of the players that cannot be saved, and games
of other packages whose rules fail.
"""

from __future__ import annotations

import logging
from collections.abc import Set
from dataclasses import replace

from engine.match import AnyGame
from firmware_host.i18n.messages import Message, render, warn
from firmware_host.storage.files import DeferredFile
from firmware_host.text.storage_status import StorageStatus

log = logging.getLogger(__name__)


class Notices:
    """The notices until the program ends."""

    def __init__(self) -> None:
        self._troubles: tuple[Message, ...] = ()
        self._failing: dict[str, Message] = {}

    @property
    def failing(self) -> Set[str]:
        """The names of the games whose rules have failed."""
        return self._failing.keys()

    def fails(self, game: AnyGame) -> None:
        """Note that the rules of a game have failed, by the exception that is handled now."""
        log.exception("the rules of %s fail", game.name)
        self._failing[game.name] = warn(
            "The rules of {game} failed. Choose another game.", game=game.title
        )

    def look_at(self, *files: DeferredFile) -> bool:
        """Note which files cannot be saved; return whether that has changed."""
        now = [each.trouble for each in files]  # once: their threads may end a trouble
        troubles = tuple(each for each in now if each is not None)
        if troubles == self._troubles:
            return False
        for each in troubles:
            if each not in self._troubles:
                log.warning(render(each))
        self._troubles = troubles
        return True

    def added_to(self, status: StorageStatus) -> StorageStatus:
        """Return a status with these notices, too."""
        notices = (*status.notices, *self._troubles, *self._failing.values())
        return replace(status, notices=notices)
