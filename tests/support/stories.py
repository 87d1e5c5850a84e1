"""Async tests: each runs as the story that a fixture tells, and gets what the fixture has."""

from __future__ import annotations

import asyncio
import functools
import inspect
from collections.abc import Awaitable, Callable
from typing import Any

AsyncTest = Callable[..., Awaitable[None]]


def asynchronous(test: AsyncTest) -> Callable[..., None]:
    """Run an async test in an event loop of its own."""

    @functools.wraps(test)
    def run(**fixtures: Any) -> None:
        asyncio.run(test(**fixtures))  # type: ignore[arg-type]

    return run


def told_by(fixture: str, **given: Any) -> Callable[[AsyncTest], Callable[..., None]]:
    """Have a fixture run the async test, whose first argument is what the fixture gives it.

    The fixture is called with the story and with `given`; a parameter of the test whose name is
    `layout` or `game` is given, too.
    """

    def decorate(test: AsyncTest) -> Callable[..., None]:
        @functools.wraps(test)
        def run(**fixtures: Any) -> None:
            tell = fixtures.pop(fixture)
            chosen = {name: fixtures[name] for name in ("layout", "game") if name in fixtures}
            tell(lambda first: test(first, **fixtures), **given, **chosen)

        signature = inspect.signature(test)
        teller = inspect.Parameter(fixture, inspect.Parameter.KEYWORD_ONLY)
        _, *others = (
            each.replace(kind=inspect.Parameter.KEYWORD_ONLY)
            for each in signature.parameters.values()
        )
        run.__signature__ = signature.replace(parameters=[teller, *others])  # type: ignore[attr-defined]
        return run

    return decorate


at_a_board = functools.partial(told_by, "sit")
at_a_real_board = functools.partial(told_by, "stand")


def playing(*moves: str) -> AsyncTest:
    """Return the story in which these moves are played."""

    async def story(board: Any) -> None:
        await board.play(*moves)

    return story


def going_on_after(*moves: str) -> AsyncTest:
    """Return the story in which the match goes on after these moves."""

    async def story(board: Any) -> None:
        assert board.moves == [*moves]

    return story
