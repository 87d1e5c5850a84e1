"""The analysis subprocess: `python -m firmware_host.opponents.worker`.

It reads tasks from standard input and writes answers to standard output, a line each. A new line
cancels the current task within some milliseconds; the end of the input ends the process. It runs at
low priority and with limited memory.
"""

from __future__ import annotations

import gc
import importlib
import os
import select
import sys
import time
from collections.abc import Collection, Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final, Protocol

import msgspec

from engine.match import AnyGame
from engine.search import Book, Result, search
from engine.search.alpha_beta import TranspositionTable
from engine.search.explain import why
from engine.search.grades import NEAR
from engine.search.opponents import BY_NAME, choose
from engine.search.solved.losses import TablebaseError
from firmware_host.opponents.protocol import Analysis, RatedMove, Task, read_task, write
from firmware_host.storage.tablebase import book_of

LARGEST_BYTES: Final = 64 * 1024 * 1024
"""The limit of its memory."""
ENTRIES: Final = 1 << 15
"""The number of positions in the transposition table."""
NICER: Final = 10
"""The increment of the nice value."""
ANSWERS_AT_S: Final = (0.1, 0.3, 1.0, 3.0)
"""Times after a task at which an answer is written, each better than the one before."""
REASONS_FROM_S: Final = ANSWERS_AT_S[1]
"""From this answer on, bad moves have reasons: earlier ones may still change."""
MOST_MOVES: Final = 700
"""At most this many moves are in an answer, the best ones; Robotory may have a hundred thousand."""
EXPLAINED: Final = 8
"""At most this many bad moves of a lifted piece get a reason, the best ones: each takes a while."""
PLIES: Final = 5
"""The length of the expected line."""


class Tasks(Protocol):
    """Where tasks come from."""

    @property
    def waiting(self) -> bool:
        """Whether another task, or a cancellation, can be read at once."""


class Inbox:
    """The lines from standard input."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._read = b""
        self._ended = False

    @property
    def waiting(self) -> bool:
        """Whether a line, or the end, can be read at once."""
        if self._ended or b"\n" in self._read:
            return True
        return bool(select.select([self._descriptor], [], [], 0)[0])

    def line(self) -> bytes | None:
        """Wait for a line and return it; None at the end."""
        while b"\n" not in self._read:
            more = os.read(self._descriptor, 1 << 16)
            if not more:
                self._ended = True
                return None
            self._read += more
        line, self._read = self._read.split(b"\n", 1)
        return line


class Worker:
    """Does one task after another."""

    def __init__(self, inbox: Tasks) -> None:
        self._inbox = inbox
        self._table: tuple[object, TranspositionTable] = None, TranspositionTable(ENTRIES)
        self._book: tuple[object, Book | None] = None, None

    def answers(self, task: Task) -> Iterator[Analysis]:
        """Yield answers until another line arrives."""
        game: AnyGame = getattr(importlib.import_module(task.home), task.kind)(task.options)
        position = game.parse_position(task.position)
        earlier = [game.parse_position(text) for text in task.earlier]
        if task.level:
            move = choose(
                game,
                position,
                earlier,
                level=BY_NAME[task.level],
                chance=Random(task.seed).random,
                stop=partial(self._enough, time.monotonic() + task.seconds),
            )
            yield Analysis(task.number, chosen=game.move_text(position, move))
        else:
            try:
                book = self._book_of(task, game)
                yield from self._judged(task, game, position, earlier, book)
            except (TablebaseError, OSError) as error:
                self._book = (game.name, task.state), None
                yield Analysis(task.number, fault=str(error))
                yield from self._judged(task, game, position, earlier, None)

    def _book_of(self, task: Task, game: AnyGame) -> Book | None:
        """Return the table of the solved game in the state directory; it stays open."""
        about = game.name, task.state
        if self._book[0] != about:
            self._book = about, (book_of(game, Path(task.state)) if task.state else None)
        return self._book[1]

    def _judged(
        self,
        task: Task,
        game: AnyGame,
        position: Any,
        earlier: list[Any],
        book: Book | None,
    ) -> Iterator[Analysis]:
        lifted = {game.parse_move(position, text) for text in task.lifted}
        about = game, position, tuple(earlier)
        if self._table[0] != about:
            self._table = about, TranspositionTable(ENTRIES)
        began = time.monotonic()
        times = [each for each in ANSWERS_AT_S if each <= task.seconds] or ANSWERS_AT_S[:1]
        for seconds in times:
            stop = partial(self._enough, began + seconds)
            every = lifted or True
            table = self._table[1]
            result = search(
                game,
                position,
                earlier,
                stop=stop,
                every=every,
                table=table,
                book=book,
                near=NEAR,
                fine=task.fine,
            )
            if self._inbox.waiting:
                return
            certain = all(judged.plies is not None for judged in result.moves)
            known = certain or not stop()
            rated = self._rated(result, lifted, known or seconds >= REASONS_FROM_S)
            final = known or seconds == times[-1]
            yield Analysis(task.number, rated, perfect=result.perfect, final=final)
            if known:
                return  # the answer is final

    def _enough(self, end: float) -> bool:
        return self._inbox.waiting or time.monotonic() >= end

    def _rated(self, result: Result, lifted: Collection[Any], sure: bool) -> list[RatedMove]:
        found, explained = [], 0
        for number, judged in enumerate(result.moves):
            if number >= MOST_MOVES and judged.move not in lifted:
                continue
            reason = None
            bad = judged.grade in ("doubtful", "losing") and judged.move in lifted
            stays = sure or judged.plies is not None
            if number == 0 or (stays and bad and explained < EXPLAINED):
                explained += number > 0
                reason = why(result, judged, lambda: self._inbox.waiting)
            line = judged.line[:PLIES] if number == 0 else ()
            chance = round(judged.chance, 4)
            found.append(RatedMove(judged.text, chance, judged.grade, reason, line, judged.plies))
        return found


def bound() -> None:
    """Lower the priority and limit the memory of this process."""
    import resource  # a worker in a browser has neither

    os.nice(NICER)
    resource.setrlimit(resource.RLIMIT_DATA, (LARGEST_BYTES, LARGEST_BYTES))
    gc.set_threshold(10_000, 20, 1000)


def main() -> int:
    """Answer tasks until the input ends."""
    bound()
    inbox = Inbox(sys.stdin.fileno())
    worker = Worker(inbox)
    while (line := inbox.line()) is not None:
        if not line:
            continue  # an empty line only cancels
        try:
            for answer in worker.answers(read_task(line)):
                os.write(sys.stdout.fileno(), write(answer) + b"\n")
        except (BrokenPipeError, KeyboardInterrupt):
            return 0
        except (msgspec.DecodeError, ValueError) as error:
            print(f"analysis: {error}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
