"""A look back at a match: the judgement of the search on each move."""

from __future__ import annotations

import asyncio
import contextlib
from collections import OrderedDict
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from engine.match import Match
from engine.search.turning_points import (
    JudgedPly,
    TurningPoint,
    choices,
    position_of,
    turning_points,
)
from firmware_host.opponents.analysis import COMMAND, AnalysisClient, StartWorker
from firmware_host.opponents.kept_judgements import KeptJudgements, checksum
from firmware_host.opponents.subprocess_client import SubprocessClient
from firmware_host.storage.journal import JournalError, Resumed

if TYPE_CHECKING:  # a program without a page does not import it
    from firmware_host.storage.library import Library, PastMatch

PLY_S: Final = 0.3
"""The search has this time for each ply. It is the first answer with reasons."""
MOST_KEPT: Final = 16
"""The judgements of at most this many matches are kept in memory."""
MOST_OWN: Final = 100
"""At most this many of the latest matches of a player are looked through for turning points …"""
MOST_POINTS: Final = 20
"""… until this many are found."""
POLL_S: Final = 1.0
"""The time between two checks whether an answer is overdue."""


async def look_back(
    match: Match,
    state: str = "",
    command: tuple[str, ...] = COMMAND,
    known: int = 0,
    start: StartWorker = SubprocessClient,
) -> AsyncGenerator[JudgedPly]:
    """Yield a judgement of each move that a player chose, in the order of play, after the first
    `known` ones.

    A process of its own searches, at low priority; it ends with the iterator. `state` is a
    directory that may have tables of solved games. If the process fails, the iterator ends early.
    """
    changed = asyncio.Event()
    client = AnalysisClient(changed.set, command, start)
    line = match.steps()
    try:
        for number in choices(match)[known:]:
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
            yield JudgedPly(
                number,
                rated.chance,
                best.move,
                best.chance,
                why=rated.why if rated is not best else None,
                line=best.line,
                best_why=best.why,
                forced=len(answer.moves) == 1,
                second_chance=None if len(answer.moves) == 1 else answer.moves[1].chance,
            )
    finally:
        client.close()


def own_turning_points(library: Library, name: str) -> list[TurningPoint]:
    """Return turning points in which the player of that name moved, at most `MOST_POINTS`, the
    latest match first.

    They are from matches that somebody has looked back at: nothing is searched here. Each position
    is there once. It reads files, so call it in a thread.
    """
    kept = KeptJudgements(library.state)
    found: dict[tuple[str, str], TurningPoint] = {}
    for past in library.page(search=name, most=MOST_OWN).matches:
        for point in _points_of(library, kept, past, name):
            found.setdefault((point.game, point.position), point)
        if len(found) >= MOST_POINTS:
            break
    return list(found.values())[:MOST_POINTS]


def _points_of(
    library: Library, kept: KeptJudgements, past: PastMatch, name: str
) -> list[TurningPoint]:
    """Return the turning points of that name in one match; nothing if it was not looked back at."""
    from firmware_host.storage.game_records import settled  # it imports the notations of all games

    players = past.summary.players
    seats = [seat for seat, (own, _) in enumerate(players) if own.casefold() == name.casefold()]
    if not name or not seats:
        return []
    try:
        saved = Resumed(library.state / past.file)
    except (JournalError, OSError):
        return []
    match = settled(saved.matches[0], saved.record)
    plies = kept.of(match) or ()
    return [position_of(match, each) for each in turning_points(match, plies, seats)]


@dataclass(slots=True)
class _Judging:
    """The judgements of one match, as far as they are known."""

    plies: list[JudgedPly] = field(default_factory=list)
    task: asyncio.Task[None] | None = None
    more: asyncio.Event = field(default_factory=asyncio.Event)
    """Set and replaced whenever there is another ply, or the end."""
    readers: int = 0
    is_whole: bool = False
    """Whether all plies are judged."""

    @property
    def is_done(self) -> bool:
        """Whether no more plies follow."""
        return self.task is not None and self.task.done()


class LookBacks:
    """Judges past matches, one at a time, as long as somebody reads; keeps the judgements."""

    def __init__(
        self,
        state: Path | None = None,
        command: tuple[str, ...] = COMMAND,
        start: StartWorker = SubprocessClient,
    ) -> None:
        """`state` is the directory in which judgements are kept, and that may have tables of solved
        games.
        """
        self._state, self._command = "" if state is None else str(state), command
        self._start = start
        self._kept = None if state is None else KeptJudgements(state)
        self._known: OrderedDict[str, _Judging] = OrderedDict()
        self._one_at_a_time = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()

    async def follow(self, match: Match) -> AsyncGenerator[JudgedPly]:
        """Yield the judgements of a match as they come, in the order of play. If the search fails,
        they end early.
        """
        key = checksum(match)
        judging = self._known.setdefault(key, _Judging())
        self._known.move_to_end(key)
        if judging.task is None:
            judging.task = asyncio.create_task(self._judge(match, judging))
            self._tasks.add(judging.task)
            judging.task.add_done_callback(self._tasks.discard)
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
            if not judging.readers and judging.task and not judging.is_whole:
                judging.task.cancel()  # nobody waits for it
                judging.task = None  # the next reader goes on where it was
            self._forget()

    async def close(self) -> None:
        """Stop judging."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _judge(self, match: Match, judging: _Judging) -> None:
        try:
            async with self._one_at_a_time:
                if await self._is_kept(match, judging):
                    return
                known = len(judging.plies)
                found = look_back(match, self._state, self._command, known, self._start)
                async with contextlib.aclosing(found):
                    async for each in found:
                        judging.plies.append(each)
                        _tell(judging)
                judging.is_whole = len(judging.plies) == len(choices(match))
                if judging.is_whole and judging.plies and self._kept is not None:
                    await asyncio.to_thread(self._kept.keep, match, tuple(judging.plies))
        finally:
            asyncio.get_running_loop().call_soon(_tell, judging)  # when the task is done

    async def _is_kept(self, match: Match, judging: _Judging) -> bool:
        """Take the judgements that are kept on the disk, if they are."""
        if self._kept is None or judging.plies:
            return False
        kept = await asyncio.to_thread(self._kept.of, match)
        judging.plies += kept or ()
        judging.is_whole = kept is not None
        return judging.is_whole

    def _forget(self) -> None:
        for key in [key for key, each in self._known.items() if not each.readers]:
            if len(self._known) <= MOST_KEPT:
                return
            del self._known[key]


def _tell(judging: _Judging) -> None:
    more, judging.more = judging.more, asyncio.Event()
    more.set()
