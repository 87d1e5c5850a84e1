"""Thoughts: what takes long to find out, followed in parts, so that nobody waits for it."""

from __future__ import annotations

from collections.abc import Generator
from typing import Final, TypeAlias

PAUSE: Final = 0.0005
"""Seconds between two parts of a thought."""
AT_A_TIME: Final = 4
"""So many of its steps are a part."""

Thought: TypeAlias = Generator[None, None, None]
"""Something to find out and what to make of it, in steps."""


class Thinking:
    """Follows one thought at a time. A thought may begin the next one as it ends."""

    def __init__(self) -> None:
        self.due: float | None = None
        """When the thought goes on; None if it has come to its end."""
        self._thought: Thought = _nothing()

    def begin(self, thought: Thought, now: float) -> None:
        """Follow a thought, some steps now and the rest in parts; drop the one before."""
        self._thought = thought
        self.go_on(now)

    def go_on(self, now: float) -> None:
        """Follow the thought for a part."""
        self.due = None
        thought = self._thought
        for _ in range(AT_A_TIME):
            try:
                next(thought)
            except StopIteration:
                return
        self.due = now + PAUSE

    def drop(self) -> None:
        """Think of nothing."""
        self.due = None


def _nothing() -> Thought:
    yield from ()
