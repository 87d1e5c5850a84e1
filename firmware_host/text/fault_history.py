"""The history of faults: each is logged once as it begins, and once as it ends."""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Hashable, Mapping
from types import MappingProxyType
from typing import Final

from firmware_host.i18n.messages import Message, render, say

MOST: Final = 20
"""Faults that are remembered; older ones are in the log."""

log = logging.getLogger(__name__)


class FaultHistory:
    """The faults of a board, over all its matches."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        """`clock` returns the time of day, in seconds since 1970."""
        self._clock = clock
        self._now: dict[Hashable, tuple[float, Message]] = {}
        self._past: deque[Message] = deque(maxlen=MOST)

    @property
    def past(self) -> tuple[Message, ...]:
        """The faults that are over, with their times, the latest first."""
        return tuple(reversed(self._past))

    def note(
        self,
        faults: Mapping[Hashable, Message],
        causes: Mapping[Hashable, str] = MappingProxyType({}),
    ) -> None:
        """Take the present faults. A fault is the same one as long as its key stays. Its cause goes
        to the log, in place of the sentence for people.
        """
        at = self._clock()
        for key, message in faults.items():
            if key not in self._now:
                self._now[key] = (at, message)
                log.warning("%s", causes.get(key) or render(message))
        for key in self._now.keys() - faults.keys():
            since, message = self._now.pop(key)
            log.warning("over: %s", render(message))
            self._past.append(
                say("{begin} to {end}: {fault}", begin=_clock(since), end=_clock(at), fault=message)
            )


def _clock(at: float) -> str:
    return time.strftime("%H:%M:%S", time.localtime(at))
