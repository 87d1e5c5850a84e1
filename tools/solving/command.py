"""`lampion solve`: solve a game and store its table."""

from __future__ import annotations

import hashlib
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from engine.games.robot_duel import RobotDuel
from engine.search.solved.losses import (
    BLOCKS,
    DIGEST,
    HEAD,
    LARGEST_BYTES,
    Losses,
    TablebaseError,
    packed,
)
from engine.search.solved.numbering import number_of
from engine.search.solved.values import listed
from firmware_host.console.terminal import complain, tell
from firmware_host.storage.files import READABLE, make_directory, put
from firmware_host.storage.tablebase import table_path
from hardware.regular_file import read

if TYPE_CHECKING:
    from tools.solving.robot_duel import Solving

KNOWN: Final = {"won": 67_590_540, "lost": 57_707_893, "drawn": 3_357_850, "longest": 173}
"""By number: some positions count twice with their mirror images, some are unreachable."""
FIRST_MOVES: Final = {"B3B2": 76, "C4C3": 78, "B4C3": 78, "B4A3": 78}
"""The plies in which they lose, with this one."""
_CHECKPOINT_INTERVAL_S: Final = 30.0
_COUNTED, _SOLVED = 0.07, 0.8
"""The shares of the work done after counting and after solving."""


class SolvingError(ValueError):
    """The game cannot be solved; the message is one line."""


def solve(directory: Path, second_player: str | None = None) -> None:
    """Solve Robot Duel and store the table of its losses; ValueError or OSError if that fails.

    `second_player`: also write the book of the program into that file.
    """
    path = table_path(directory)
    if path.exists() and second_player is None:
        _checked(Losses(read(path, LARGEST_BYTES), str(path)))
        tell(f"{path}: Robot Duel is solved already")
        return
    make_directory(directory)
    bar = Bar()
    solving = _solved(directory, bar)
    _check(solving)
    digest, data = hashlib.sha256(), bytearray(HEAD)
    for part in packed(_hashed(solving.losses(), digest, bar)):
        data += part
    data[:HEAD] = data[-HEAD:]
    del data[-HEAD:]
    _same(digest.hexdigest(), "what was solved")
    put(path, data, mode=READABLE)
    checkpoint_path(directory).unlink(missing_ok=True)
    bar.end()
    tell(_summary(solving))
    tell(f"{path}: {len(data):,} bytes")
    if second_player is not None:
        from tools.solving.best_replies import needed

        lost = needed(solving.plies)
        put(Path(second_player), listed(lost), mode=READABLE)
        tell(f"{second_player}: {len(lost):,} positions")


def import_table(directory: Path, file: str) -> None:
    """Store a table made elsewhere; ValueError or OSError if it is not the right one."""
    data = read(file, LARGEST_BYTES)
    _checked(Losses(data, file))
    make_directory(directory)
    put(table_path(directory), data, mode=READABLE)
    tell(f"{table_path(directory)}: imported, {len(data):,} bytes")


def checkpoint_path(directory: Path) -> Path:
    """Return the path of the checkpoint."""
    return directory / "robot-duel.solving"


def _solved(directory: Path, bar: Bar) -> Solving:
    """Return the solved game, resumed from a checkpoint if there is one."""
    try:
        from tools.solving import checkpoint
        from tools.solving.robot_duel import Solving
    except ModuleNotFoundError as error:
        if error.name != "numpy":
            raise
        raise SolvingError("solving needs numpy: pip install 'lampion[solve]'") from None
    kept = checkpoint_path(directory)
    bar.show(0, "building tables")
    try:
        solving = checkpoint.load(kept)
    except checkpoint.CheckpointError as error:
        complain(f"{error}: starting again")
        solving = None
    if solving is None:
        solving = Solving()
        solving.begin(lambda share: bar.show(share * _COUNTED, "counting moves"))
    saved = time.monotonic()
    known = KNOWN["won"] + KNOWN["lost"]
    while not solving.done:
        solving.step(
            lambda: bar.show(
                _COUNTED + solving.decided / known * (_SOLVED - _COUNTED), f"{solving.level} plies"
            )
        )
        if time.monotonic() - saved > _CHECKPOINT_INTERVAL_S:
            checkpoint.save(kept, solving)
            saved = time.monotonic()
    return solving


def _check(solving: Solving) -> None:
    """Compare with the known results; SolvingError if they differ."""
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
            bar.show(_SOLVED + number / BLOCKS * (1 - _SOLVED), "packing")
        yield block


def _checked(table: Losses) -> None:
    """Raise TablebaseError unless the table is the right one."""
    digest = hashlib.sha256()
    for block in table:
        digest.update(block)
    _same(digest.hexdigest(), table.name)


def _same(digest: str, what: str) -> None:
    if digest != DIGEST:
        raise TablebaseError(f"{what}: not the table of Robot Duel; its SHA-256 is {digest[:12]}…")


class Bar:
    """Progress on standard error: a bar on a terminal, else a line for each tenth."""

    def __init__(self) -> None:
        self._there = sys.stderr is not None
        self._live = self._there and sys.stderr.isatty()
        self._shown = -1

    def show(self, share: float, what: str) -> None:
        """Show the done share, 0 to 1, and the current work."""
        percent = min(100, int(100 * share))
        if self._live:
            print(
                f"\r[{'#' * (percent // 4):25}] {percent:3} %  {what:20}", end="", file=sys.stderr
            )
        elif self._there and percent // 10 > self._shown:
            self._shown = percent // 10
            print(f"{percent:3} %  {what}", file=sys.stderr, flush=True)

    def end(self) -> None:
        """Let what follows begin on a line of its own."""
        self.show(1, "done")
        if self._live:
            print(file=sys.stderr, flush=True)
