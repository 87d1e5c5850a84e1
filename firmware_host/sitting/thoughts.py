"""Thoughts: what takes long to find out, followed in parts, so that nobody waits for it."""

from __future__ import annotations

from collections.abc import Generator
from typing import Final, TypeAlias

PAUSE: Final = 0.0001
"""Seconds between two parts of a thought: about as long as one takes on a PC."""
HURRY: Final = 0.00005
"""… of one for which everything waits."""
AT_A_TIME: Final = 2
"""So many of its steps are a part."""
AT_FIRST: Final = 4
"""So many are the first one: most thoughts come to their end at once."""

Thought: TypeAlias = Generator[None, None, None]
"""Something to find out and what to make of it, in steps."""


class Thinking:
    """Follows one thought at a time. A thought may begin the next one as it ends."""

    def __init__(self) -> None:
        self.due: float | None = None
        """When the thought goes on; None if it has come to its end."""
        self.lasts = False
        """Whether it is not to be dropped."""
        self._thought: Thought = _nothing()
        self._following = False

    def begin(self, thought: Thought, now: float, lasts: bool = False) -> None:
        """Follow a thought, some steps now and the rest in parts; drop the one before."""
        self._thought, self.due, self.lasts = thought, now, lasts
        if not self._following:
            self.go_on(now, AT_FIRST)

    def go_on(self, now: float, steps: int = AT_A_TIME) -> None:
        """Follow the thought for a part, and one that it begins for the rest of that."""
        for _ in range(steps):
            if not self._step():
                return
        self.due = now + (HURRY if self.lasts else PAUSE)

    def finish(self) -> None:
        """Follow the thought to its end, if it is not to be dropped, and is not the one that asks
        for that.
        """
        thought = self._thought
        while (
            self.lasts and not self._following and self._thought is thought and self.due is not None
        ):
            self._step()

    def drop(self) -> None:
        """Think of nothing."""
        self.due, self.lasts = None, False

    def _step(self) -> bool:
        """Follow a thought by a step; return whether there is more to think of."""
        thought = self._thought
        self._following = True
        try:
            next(thought)
        except StopIteration:
            if self._thought is thought:
                self.drop()
        finally:
            self._following = False
        return self.due is not None


def _nothing() -> Thought:
    yield from ()
