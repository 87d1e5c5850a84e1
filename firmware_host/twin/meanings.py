"""What the match meant when a page saw it: whether a command still speaks of what is so now.

A revision that grew says nothing by itself: a light changed, a man was put down wrong and taken
back. A command comes too late only if what it speaks of is another.
"""

from __future__ import annotations

from collections import deque
from typing import Final, NamedTuple

from firmware_host.telling.claim_words import Offers
from firmware_host.telling.status import Status
from firmware_host.twin.protocol import AnyCommand, Claim

KEPT: Final = 64
"""So many changes are remembered; what rests on something older comes too late."""


class _Meaning(NamedTuple):
    begun: int
    match: tuple[object, ...]
    claims: Offers


class Meanings:
    """The latest changes of what the match means, each with the revision since when it does."""

    def __init__(self) -> None:
        self._kept: deque[tuple[int, _Meaning]] = deque(maxlen=KEPT)

    def note(self, status: Status) -> None:
        """Take what is so now."""
        meaning = _meaning(status)
        if not self._kept or meaning != self._kept[-1][1]:
            self._kept.append((status.rev, meaning))

    def holds(self, command: AnyCommand) -> bool:
        """Whether what a command speaks of is now as it was at the revision that it rests on: for
        a claim what that does to whom, for all else the moves, the dice, what is asked, the end.
        """
        seen = next((each for rev, each in reversed(self._kept) if rev <= command.rev), None)
        now = self._kept[-1][1]
        if seen is None or seen.begun != now.begun:
            return False
        if isinstance(command, Claim):
            claims = [each.claims.get(command.seat, {}).get(command.claim) for each in (seen, now)]
            return claims[0] == claims[1]
        return seen.match == now.match


def _meaning(status: Status) -> _Meaning:
    plies = tuple((ply.seat, ply.text, ply.dice, ply.candidates) for ply in status.plies)
    match = (plies, status.turn, status.dice, status.question, status.outcome)
    return _Meaning(status.begun, match, status.claims)
