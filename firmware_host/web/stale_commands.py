"""What the match meant when a page saw it: whether a command still speaks of what is so now.

A revision that grew says nothing by itself: a light changed, a man was put down wrong and taken
back. A command comes too late only if what it speaks of is another.
"""

from __future__ import annotations

from collections import deque
from typing import Any, Final, NamedTuple

from firmware_host.text.status import Status
from firmware_host.web.protocol import AnyCommand, ClaimCommand

KEPT: Final = 64
"""So many changes are remembered; what rests on something older comes too late."""


class _Since(NamedTuple):
    rev: int
    """The revision since when it is so …"""
    begun: int
    """… in the match that began with that revision."""
    what: object


class StaleCommands:
    """The latest changes of what the match means, each with the revision since when it does.

    What can be claimed is remembered by itself: its sentences change with every name.
    """

    def __init__(self) -> None:
        self._matches: deque[_Since] = deque(maxlen=KEPT)
        self._claims: deque[_Since] = deque(maxlen=KEPT)

    def note(self, status: Status) -> None:
        """Take what is so now."""
        for kept, what in (
            (self._matches, _meaning(status)),
            (self._claims, status.claims),
        ):
            if not kept or (kept[-1].begun, kept[-1].what) != (status.begun, what):
                kept.append(_Since(status.rev, status.begun, what))

    def holds(self, command: AnyCommand) -> bool:
        """Whether what a command speaks of is now as it was at the revision that it rests on: the
        moves, the dice, what is asked, the end; for a claim it is enough if that does the same to
        the same.
        """
        seen, now = _since(self._matches, command.rev), self._matches[-1]
        if seen is not None and (seen.begun, seen.what) == (now.begun, now.what):
            return True  # what can be claimed is the same, too, whatever people are called by now
        if not isinstance(command, ClaimCommand):
            return False
        seen, now = _since(self._claims, command.rev), self._claims[-1]
        if seen is None or seen.begun != now.begun:
            return False
        return _said(seen.what, command) == _said(now.what, command)


def _since(kept: deque[_Since], rev: int) -> _Since | None:
    """Return what was so at a revision; None if that is not remembered."""
    return next((each for each in reversed(kept) if each.rev <= rev), None)


def _said(claims: Any, command: ClaimCommand) -> object:
    return claims.get(command.seat, {}).get(command.claim)


def _meaning(status: Status) -> tuple[object, ...]:
    plies = tuple((ply.seat, ply.text, ply.dice, ply.candidates) for ply in status.plies)
    return plies, status.turn, status.dice, status.question, status.outcome
