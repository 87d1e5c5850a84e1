"""A look back at a match: what the search says of each move that was played."""

from __future__ import annotations

import asyncio
import contextlib
from collections import OrderedDict
from collections.abc import AsyncGenerator, AsyncIterator, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Final

from engine.game import CHANCE, Claim, Pass, Throw
from engine.match import Match
from engine.search.explain import MoveReason
from firmware_host.opponents.analysis import COMMAND, AnalysisClient, StartWorker
from firmware_host.opponents.subprocess_client import SubprocessClient

PLY_S: Final = 0.3
"""The search has this time for each ply. It is the first answer with reasons."""
TURNING_LOSS: Final = 0.15
"""A move that gives away more than this of the winning chance turns the game."""
MOST_TURNING: Final = 3
"""At most this many turning points are shown, the largest ones."""
MOST_KEPT: Final = 16
"""The judgements of at most this many matches are kept."""
POLL_S: Final = 1.0
"""The time between two checks whether an answer is overdue."""


@dataclass(frozen=True, slots=True)
class JudgedPly:
    """A move that was played, and the best one in its place."""

    number: int
    """The index of the ply in `Match.steps()`."""
    chance: float
    """The winning chance of the mover after the move, 0 to 1."""
    best: str
    """The best move, in the game's notation."""
    best_chance: float
    """The winning chance of the mover after the best move."""
    why: MoveReason | None
    """Why the move that was played is bad, if it is and that is known."""
    line: Sequence[str]
    """The expected line from the best move on."""

    @property
    def loss(self) -> float:
        """The winning chance that the move gives away."""
        return max(0.0, self.best_chance - self.chance)


def choices(match: Match) -> list[int]:
    """Return the indexes in `match.steps()` of the moves that a player chose.

    Throws, forced passes and claims are left out.
    """
    return [
        number
        for number, step in enumerate(match.steps())
        if step.before is not None
        and step.before.turn != CHANCE
        and not isinstance(step.move, Throw | Pass | Claim)
    ]


async def look_back(
    match: Match,
    state: str = "",
    command: tuple[str, ...] = COMMAND,
    start: StartWorker = SubprocessClient,
) -> AsyncGenerator[JudgedPly]:
    """Yield a judgement of each move that a player chose, in the order of play.

    A process of its own searches, at low priority; it ends with the iterator. `state` is a
    directory that may have tables of solved games. If the process fails, the iterator ends early.
    """
    changed = asyncio.Event()
    client = AnalysisClient(changed.set, command, start)
    line = match.steps()
    try:
        for number in choices(match):
            before, played = line[number].before, line[number].text
            assert before is not None  # every step of the line has a match before it
            now = asyncio.get_running_loop().time
            asked = client.ask(number, before, now(), lifted=(played,), state=state, seconds=PLY_S)
            while not asked.failed and (asked.answer is None or not asked.answer.final):
                client.look(now())
                changed.clear()
                try:
                    await asyncio.wait_for(changed.wait(), POLL_S)
                except TimeoutError:
                    continue
            answer = asked.answer
            if answer is None:
                return
            best = answer.moves[0]
            rated = next(each for each in answer.moves if each.move == played)
            why = rated.why if rated is not best else None
            yield JudgedPly(number, rated.chance, best.move, best.chance, why, best.line)
    finally:
        client.close()


def turning_points(plies: Sequence[JudgedPly]) -> list[JudgedPly]:
    """Return the moves that gave away most of the winning chance, in the order of play."""
    costly = [each for each in plies if each.loss > TURNING_LOSS]
    largest = sorted(costly, key=lambda each: each.loss, reverse=True)[:MOST_TURNING]
    return sorted(largest, key=lambda each: each.number)


def curve(match: Match, plies: Sequence[JudgedPly]) -> list[tuple[int, float]]:
    """Return the winning chance of the first seat after each judged ply, with its index.

    Nothing for more than two seats: the search judges a move for its mover alone.
    """
    if len(match.game.seats) != 2:
        return []
    line = match.steps()
    return [
        (each.number, each.chance if line[each.number].seat == 0 else 1 - each.chance)
        for each in plies
    ]


@dataclass(slots=True)
class _Judging:
    """The judgements of one match, as far as they are known."""

    plies: list[JudgedPly] = field(default_factory=list)
    task: asyncio.Task[None] | None = None
    more: asyncio.Event = field(default_factory=asyncio.Event)
    """Set and replaced whenever there is another ply, or the end."""
    readers: int = 0

    @property
    def is_done(self) -> bool:
        """Whether no more plies follow."""
        return self.task is not None and self.task.done()


class LookBacks:
    """Judges past matches, one at a time, as long as somebody reads; keeps the last judgements."""

    def __init__(
        self,
        state: str = "",
        command: tuple[str, ...] = COMMAND,
        start: StartWorker = SubprocessClient,
    ) -> None:
        """`state` is a directory that may have tables of solved games."""
        self._state, self._command, self._start = state, command, start
        self._known: OrderedDict[Hashable, _Judging] = OrderedDict()
        self._one_at_a_time = asyncio.Lock()

    async def follow(self, key: Hashable, match: Match) -> AsyncIterator[JudgedPly]:
        """Yield the judgements of a match as they come. An equal `key` means the same match."""
        judging = self._known.setdefault(key, _Judging())
        self._known.move_to_end(key)
        if judging.task is None:
            judging.task = asyncio.create_task(self._judge(match, judging))
        judging.readers += 1
        try:
            number = 0
            while True:
                more, done = judging.more, judging.is_done
                while number < len(judging.plies):
                    yield judging.plies[number]
                    number += 1
                if done:
                    return
                await more.wait()
        finally:
            judging.readers -= 1
            if not judging.readers and not judging.is_done:
                judging.task.cancel()  # nobody waits for it
                self._known.pop(key, None)
            self._forget()

    async def close(self) -> None:
        """Stop judging."""
        tasks = [each.task for each in self._known.values() if each.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _judge(self, match: Match, judging: _Judging) -> None:
        try:
            async with self._one_at_a_time:
                plies = look_back(match, self._state, self._command, self._start)
                async with contextlib.aclosing(plies):
                    async for each in plies:
                        judging.plies.append(each)
                        _tell(judging)
        finally:
            asyncio.get_running_loop().call_soon(_tell, judging)  # when the task is done

    def _forget(self) -> None:
        for key in [key for key, each in self._known.items() if not each.readers]:
            if len(self._known) <= MOST_KEPT:
                return
            del self._known[key]


def _tell(judging: _Judging) -> None:
    more, judging.more = judging.more, asyncio.Event()
    more.set()
