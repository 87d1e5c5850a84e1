"""Measure how well hands are read: `python -m benchmarks reading`, or `make bench-reading`.

Simulated hands of every style play random legal moves of every game, and a session reads the
sensors, polled as often as the boards are polled. Each reading is compared with the move that was
played. Then single moves are done in ways that boards are known to misread, in Shogi and in chess.
The same command gives the same tables on any machine.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from time import monotonic
from typing import Final, TypeVar

from benchmarks import reading_games, reading_scenarios
from benchmarks.pages import made_by, written
from benchmarks.reading_games import Case
from engine.games import NAMES

Task = TypeVar("Task")
Result = TypeVar("Result")

GAMES = 60
TRIALS = 100
AMOUNTS: Final = {"games": "games", "scenarios": "trials"}
"""The argument with the amount of each part of the page."""
PROGRESS_S = 5.0


class Crew:
    """Parallel processes that report their progress on stderr."""

    def __init__(self, jobs: int) -> None:
        self._pool = ProcessPoolExecutor(jobs)
        self._reported = monotonic()

    def results(
        self, what: str, work: Callable[..., Result], tasks: Sequence[Task], *more: object
    ) -> list[tuple[Task, Result]]:
        """Return every task with its result, in the order of the tasks."""
        done = 0

        def count(_: Future[Result]) -> None:
            nonlocal done
            done += 1
            if monotonic() > self._reported + PROGRESS_S or done == len(tasks):
                self._reported = monotonic()
                print(f"{what}: {done} of {len(tasks)}", file=sys.stderr, flush=True)

        futures = [self._pool.submit(work, task, *more) for task in tasks]
        for future in futures:
            future.add_done_callback(count)
        return [(task, future.result()) for task, future in zip(tasks, futures, strict=True)]


def measure(arguments: argparse.Namespace) -> Iterator[tuple[str, str, list[str]]]:
    """Yield each part's name, its lines, and what went wrong in it."""
    crew = Crew(max(1, arguments.jobs))
    if arguments.games:
        seeds = range(arguments.seed, arguments.seed + arguments.games)
        boards = [
            (board, board.look())
            for board in reading_games.boards(arguments.game)
            if arguments.senses in (None, board.senses)
        ]
        cases = [Case(board, seed, look) for board, look in boards for seed in seeds]
        results = crew.results("games", reading_games.read, cases, arguments.failures)
        lines = [
            f"{arguments.games} games on each board, seeds {seeds[0]}–{seeds[-1]}; "
            + run_as(arguments)
            + "\n",
            *reading_games.tables(results),
        ]
        yield "games", "\n".join(lines) + "\n", [note for _, one in results for note in one.notes]
    if arguments.trials:
        trials = reading_scenarios.trials(arguments.trials)
        tallies = crew.results("scenarios", reading_scenarios.tried, trials, arguments.failures)
        lines = [run_as(arguments) + "\n", *reading_scenarios.tables(tallies)]
        notes = [
            f"{trial.column.title}, {trial.name}: {tally}"
            for trial, tally in tallies
            if tally.needless or tally.right < tally.trials
        ]
        yield "scenarios", "\n".join(lines) + "\n", notes


def run_as(arguments: argparse.Namespace) -> str:
    """Return the command and the machine of this run."""
    given = "".join(
        f" --{name} {getattr(arguments, name)}"
        for name, usual in (("games", GAMES), ("trials", TRIALS), ("seed", 0))
        if getattr(arguments, name) != usual
    )
    return made_by(f"benchmarks reading{given}")


def main(argv: Sequence[str] | None = None) -> int:
    """Print the tables, or write them into a page; return 1 if a move is wrong or unread."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks reading", description=__doc__)
    parser.add_argument(
        "--games", type=_amount, default=GAMES, metavar="N", help=f"games on each board ({GAMES})"
    )
    parser.add_argument(
        "--trials", type=_amount, default=TRIALS, metavar="N", help=f"of each scenario ({TRIALS})"
    )
    parser.add_argument("--game", nargs="+", default=NAMES, choices=NAMES, help="only these")
    parser.add_argument("--senses", metavar="TEXT", help="only games on boards with this `sensing`")
    parser.add_argument("--seed", type=_amount, default=0, metavar="N", help="the first seed (0)")
    parser.add_argument("--jobs", type=_amount, default=os.cpu_count() or 1, metavar="N")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="into this page's marked parts")
    parser.add_argument("--failures", type=Path, metavar="DIR", help="keep what goes wrong there")
    arguments = parser.parse_args(argv)
    if (missing := _missing(arguments)) is not None:
        print(f"benchmarks: {missing}", file=sys.stderr)
        return 1
    began, trouble = monotonic(), False
    for part, lines, notes in measure(arguments):
        if arguments.write:
            page = arguments.write.read_text(encoding="utf-8")
            arguments.write.write_text(written(page, part, lines), encoding="utf-8")
        else:
            print(lines, flush=True)
        for note in notes:
            print(note, file=sys.stderr, flush=True)
        trouble = trouble or any(": needless: " not in note for note in notes)
    print(f"{monotonic() - began:.0f} s", file=sys.stderr)
    return int(trouble)


def _missing(arguments: argparse.Namespace) -> str | None:
    """Return what is missing for the end of the run; None if nothing is."""
    if arguments.trials and find_spec("chess") is None:
        return "chess is not installed, which the scenarios need: pip install chess, or --trials 0"
    if arguments.write is None:
        return None
    parts = [part for part in ("games", "scenarios") if getattr(arguments, AMOUNTS[part])]
    try:
        page = arguments.write.read_text(encoding="utf-8")
        for part in parts:
            written(page, part, "")
    except (OSError, ValueError) as error:
        return f"{arguments.write}: {getattr(error, 'strerror', None) or error}"
    return None


def _amount(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 8):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 0")
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
