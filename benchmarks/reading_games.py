"""Whole games of random moves by simulated hands of every style, on every kind of board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from benchmarks.reading_judge import Judge, Score, delays, percent
from benchmarks.reading_watcher import Watcher
from engine.games import NAMES, make
from engine.reading.footprints import Sight
from firmware_host.simulation.people import MIXED, STYLES
from hardware import layout
from tests.support.random_games import play_random
from tests.support.recorded import write_recording

TRAYS: dict[str, tuple[str, ...]] = {
    "robot-duel": ("hand",),
    "shogi": ("hand",),
    "chaturaji": (),
    "robotory": ("stock", "pool"),
    "abalone": ("out",),
}
"""The trays of each game that a board may sense or not."""

TAKING_BACK = "mixed, takebacks"
LINEUPS = (*STYLES, MIXED, TAKING_BACK)
"""The players: both seats of one style, or another style for every move. With takebacks they take
one to three plies back after every tenth."""
PLIES = 60
TAKEBACK_SHARE = 0.1


@dataclass(frozen=True)
class BenchmarkBoard:
    """A game on a board of one sensing, its trays sensed or not."""

    game: str
    sensing: str
    trays: bool

    @property
    def senses(self) -> str:
        """What the board senses, in words."""
        return self.sensing + (" + trays" if self.trays and TRAYS[self.game] else "")

    @property
    def unsensed(self) -> tuple[str, ...]:
        """The trays without sensors, by prefix."""
        return () if self.trays else TRAYS[self.game]

    def look(self) -> float:
        """Return the seconds between two polls: a scan of the board that ships for the game."""
        for name in layout.NAMES:
            board = layout.load(name)
            if board.sensing == self.sensing and self.game in board.games:
                return board.scan_seconds()
        raise LookupError(f"no {self.sensing} board serves {self.game}")


def boards(games: Sequence[str] = NAMES) -> list[BenchmarkBoard]:
    """Return every kind of board of these games."""
    return [
        BenchmarkBoard(game, sensing, trays)
        for game in games
        for sensing in ("polarity", "presence")
        for trays in ((True, False) if TRAYS[game] else (True,))
    ]


@dataclass(frozen=True)
class Case:
    """One random game; the seed determines the players and the moves."""

    board: BenchmarkBoard
    seed: int
    look: float

    @property
    def lineup(self) -> str:
        """The players."""
        return LINEUPS[self.seed % len(LINEUPS)]

    @property
    def name(self) -> str:
        """A name for the files of the game."""
        board = self.board
        trays = "trays" if board.trays else "bare"
        style = self.lineup.replace(", ", "-")
        return f"{board.game}-{board.sensing}-{trays}-{style}-{self.seed}"


def read(case: Case, failures: Path | None = None) -> Score:
    """Play and read one game; if it goes wrong, keep it as a recording."""
    board = case.board
    game = make(board.game)
    recorded = play_random(
        game,
        Random(case.seed),
        board.sensing,
        (MIXED if case.lineup == TAKING_BACK else case.lineup,),
        PLIES,
        board.unsensed,
        takebacks=TAKEBACK_SHARE if case.lineup == TAKING_BACK else 0.0,
        answers=None,
        period=case.look,
    )
    sight = Sight(game, board.sensing, board.unsensed)
    watcher = Watcher(recorded, game, sight, game.start())
    crash = ""
    try:
        watcher.watch()
    except Exception as error:  # a crash counts as a wrong reading
        crash = f"wrong: {type(error).__name__}: {error}"
    score = Judge(game, sight, game.start(), watcher).judge(watcher.history[-1][1])
    if crash:
        score.fates["wrong"] += 1
        score.notes.insert(0, crash)
    if score.notes and failures is not None:
        failures.mkdir(parents=True, exist_ok=True)
        write_recording(failures / f"{case.name}.jsonl", recorded.header, watcher.lines())
        notes = [*score.notes, "", *map(str, recorded.truth)]
        (failures / f"{case.name}.txt").write_text("\n".join(notes) + "\n")
    first = [note for note in score.notes if not note.startswith("needless")][:1]
    needless = [note for note in score.notes if note.startswith("needless")]
    score.notes = [f"{case.name}: {note}" for note in first + needless]
    return score


HEADINGS = (
    "moves", "read %", "asked %", "needless %", "choice %", "for a moment %", "wrong", "unread",
    "alone, ms", "else, ms",
)  # fmt: skip


def row(names: Iterable[str], score: Score) -> str:
    """Return one line of a table."""
    figures = (
        str(score.moves),
        score.share("read"),
        score.share("asked"),
        score.share("needless"),
        score.share("choice"),
        percent(score.momentary, score.moves),
        str(score.fates["wrong"]),
        str(score.fates["unread"]),
        delays(score.alone),
        delays(score.others),
    )
    return "| " + " | ".join((*names, *figures)) + " |"


def tables(results: Sequence[tuple[Case, Score]]) -> Iterator[str]:
    """Yield the tables: a row for each board, one for all games with the same sensors, then one
    for each style on each board.
    """
    every: dict[BenchmarkBoard, dict[str, Score]] = {}
    for case, score in results:
        every.setdefault(case.board, {}).setdefault(case.lineup, Score()).add(score)
    together: dict[tuple[str, bool], Score] = {}
    yield from head("game", "sensing")
    for board, styles in every.items():
        whole = Score()
        for score in styles.values():
            whole.add(score)
        yield row((board.game, board.senses), whole)
        together.setdefault((board.sensing, board.trays), Score()).add(whole)
    for (sensing, trays), whole in together.items():
        yield row(("all together", sensing + " + trays" * trays), whole)
    game = ""
    for board, styles in every.items():
        if board.game != game:
            game = board.game
            yield f"\n### {make(game).title}\n"
            yield from head("sensing", "style")
        for style in LINEUPS:
            if style in styles:
                yield row((board.senses, style), styles[style])


def head(*names: str) -> Iterator[str]:
    """Yield the first two lines of a table."""
    headings = (*names, *HEADINGS)
    yield "| " + " | ".join(headings) + " |"
    yield "|" + "---|" * len(names) + "---:|" * len(HEADINGS)
