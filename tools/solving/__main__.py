"""Solve Robot Duel and keep the table of its losses: `python -m tools.solving`."""

from __future__ import annotations

import argparse
import hashlib
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from engine.games.robot_duel import RobotDuel
from engine.search.solved.losses import BLOCKS, HEAD, packed
from engine.search.solved.numbering import number_of
from engine.search.solved.values import listed
from firmware_host.console.terminal import print_error, print_line
from firmware_host.storage.files import READABLE, make_directory, put
from firmware_host.storage.paths import state_directory
from firmware_host.storage.tablebase import check, check_digest, mapped, table_path
from tools.solving import checkpoint
from tools.solving.best_replies import needed
from tools.solving.robot_duel import Solving

KNOWN: Final = {"won": 67_590_540, "lost": 57_707_893, "drawn": 3_357_850, "longest": 173}
"""Counts by number: some positions count twice, with their mirror images, and some occur in no
game.
"""
FIRST_MOVES: Final = {"B3B2": 76, "C4C3": 78, "B4C3": 78, "B4A3": 78}
"""The number of plies, this one included, in which each loses."""
CHECKPOINT_EVERY_S: Final = 30.0
COUNTED, SOLVED = 0.07, 0.8
"""The share of the work that is done after each of these steps."""


class SolvingError(ValueError):
    """The reason why the game could not be solved, in one line."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Solve as the command line says; return 0, or 1 after one line that says what failed."""
    parser = argparse.ArgumentParser(prog="python -m tools.solving", description=__doc__)
    parser.add_argument("--state", metavar="DIR", help="where the table is kept")
    parser.add_argument(
        "--second-player", metavar="FILE", help="write what comes with the program, too"
    )
    parsed = parser.parse_args(arguments)
    try:
        solve(state_directory(parsed.state), parsed.second_player)
    except (ValueError, OSError) as error:
        print_error(str(error))
        return 1
    return 0


def solve(directory: Path, second_player: str | None = None) -> None:
    """Solve Robot Duel and keep the table of its losses; ValueError or OSError say what failed.
    With `second_player`, also write into this file what comes with the program.
    """
    path = table_path(directory)
    if path.exists() and second_player is None:
        check(mapped(path))
        print_line(f"{path}: Robot Duel is solved already")
        return
    make_directory(directory)
    bar = Bar()
    solving = _solved(directory, bar)
    _compare(solving)
    digest, data = hashlib.sha256(), bytearray(HEAD)
    for part in packed(_hashed(solving.losses(), digest, bar)):
        data += part
    data[:HEAD] = data[-HEAD:]
    del data[-HEAD:]
    check_digest(digest.hexdigest(), "what was solved")
    put(path, data, mode=READABLE)
    checkpoint_path(directory).unlink(missing_ok=True)
    bar.end()
    print_line(_summary(solving))
    print_line(f"{path}: {len(data):,} bytes")
    if second_player is not None:
        lost = needed(solving.plies)
        put(Path(second_player), listed(lost), mode=READABLE)
        print_line(f"{second_player}: {len(lost):,} positions")


def checkpoint_path(directory: Path) -> Path:
    """Return the path of the file that keeps unfinished work."""
    return directory / "robot-duel.solving"


def _solved(directory: Path, bar: Bar) -> Solving:
    """Solve the game, from the last checkpoint if there is one."""
    kept = checkpoint_path(directory)
    bar.show(0, "listing the pieces")
    try:
        solving = checkpoint.load(kept)
    except checkpoint.CheckpointError as error:
        print_error(f"{error}: restarted")
        solving = None
    if solving is None:
        solving = Solving()
        solving.begin(lambda share: bar.show(share * COUNTED, "counting moves"))
    saved = time.monotonic()
    known = KNOWN["won"] + KNOWN["lost"]
    while not solving.done:
        solving.step(
            lambda: bar.show(
                COUNTED + solving.decided / known * (SOLVED - COUNTED), f"{solving.level} plies"
            )
        )
        if time.monotonic() - saved > CHECKPOINT_EVERY_S:
            checkpoint.save(kept, solving)
            saved = time.monotonic()
    return solving


def _compare(solving: Solving) -> None:
    """Compare the result with the known counts; SolvingError if they differ."""
    found = {**solving.counts()}
    game = RobotDuel()
    start = game.start()
    moves = {}
    for move in game.legal(start):
        number = number_of(game.play(start, move))
        moves[game.move_text(start, move)] = 1 + solving.plies(number) if number is not None else 0
    for what, expected in ((found, KNOWN), (moves, FIRST_MOVES)):
        for name, value in expected.items():
            if what[name] != value:
                raise SolvingError(
                    f"Robot Duel came out wrong: {name} {what[name]:,} instead of {value:,}; "
                    "the memory of this machine may be faulty"
                )


def _summary(solving: Solving) -> str:
    counts = solving.counts()
    return (
        f"won {counts['won']:,}, lost {counts['lost']:,}, drawn {counts['drawn']:,}; "
        f"the longest win takes {counts['longest']} plies; "
        f"the first player loses in {max(FIRST_MOVES.values())}"
    )


def _hashed(blocks: Iterable[bytes], digest: hashlib._Hash, bar: Bar) -> Iterator[bytes]:
    for number, block in enumerate(blocks, 1):
        digest.update(block)
        if not number % 100:
            bar.show(SOLVED + number / BLOCKS * (1 - SOLVED), "packing")
        yield block


class Bar:
    """The progress, on standard error: a bar on a terminal, else a line for each tenth."""

    def __init__(self) -> None:
        self._there = sys.stderr is not None
        self._live = self._there and sys.stderr.isatty()
        self._shown = -1

    def show(self, share: float, what: str) -> None:
        """Show the share that is done, from 0 to 1, and the present step."""
        percent = min(100, int(100 * share))
        if self._live:
            print(
                f"\r[{'#' * (percent // 4):25}] {percent:3} %  {what:20}", end="", file=sys.stderr
            )
        elif self._there and percent // 10 > self._shown:
            self._shown = percent // 10
            print(f"{percent:3} %  {what}", file=sys.stderr, flush=True)

    def end(self) -> None:
        """End the line of the bar."""
        self.show(1, "done")
        if self._live:
            print(file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
