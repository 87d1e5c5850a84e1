"""Whole games of random moves by simulated hands of every style, on every kind of board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from benchmarks.reading_judge import Judge, Score, delays, percent
from benchmarks.reading_watcher import Watcher
from engine.games import NAMES, make
from engine.reading.footprints import Sight
from firmware_host.session.record import PASS_TEXT
from firmware_host.simulation.people import MIXED, STYLES
from hardware import layout
from tests.support.random_games import play_random
from tests.support.recorded import Line, Recorded, write_recording

TRAYS: dict[str, tuple[str, ...]] = {
    "robot-duel": ("hand",),
    "shogi": ("hand",),
    "chaturaji": (),
    "robotory": ("stock", "pool"),
    "abalone": ("out",),
}
"""The trays of each game that a board may sense or not."""

COUNTED: dict[str, dict[str, int]] = {
    "robotory": {f"stock.{seat}.{colour}": 4 for seat in ("light", "dark") for colour in "wb"}
}
"""By game and tray: the pockets that may each have a sensor of their own on a presence board."""

SENSINGS = ("polarity", "presence")

TAKING_BACK = "mixed, takebacks"
LINEUPS = (*STYLES, MIXED, TAKING_BACK)
"""The players: both seats of one style, or another style for every move. With takebacks they take
one to three plies back after every tenth."""
PLIES = 60
TAKEBACK_SHARE = 0.1
BLITZ = "blitz"
"""The style that is faster than the promised pace."""
PRESSES_S = (0.0, 0.25)
"""In some rows people press the button of their seat this long after each ply."""


@dataclass(frozen=True)
class BenchmarkBoard:
    """A game on a board of one sensing, its trays sensed or not."""

    game: str
    sensing: str
    trays: bool
    pressed: float | None = None
    """How long after each ply people press the button of their seat; None if they do not."""
    counts: bool = False
    """Whether a presence board counts the pieces of the trays of COUNTED."""

    @property
    def senses(self) -> str:
        """What the board senses, in words, and when the button is pressed."""
        trays = "stocks" if self.counts else "trays" if self.trays and TRAYS[self.game] else ""
        return sensing_text(self.sensing, trays, self.pressed)

    @property
    def pockets(self) -> dict[str, int]:
        """The pockets with a sensor of trays that have more than usual."""
        return COUNTED[self.game] if self.counts else {}

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


def sensing_text(sensing: str, trays: str, pressed: float | None) -> str:
    """Return in words what a board senses, and when the button of the seat is pressed."""
    text = f"{sensing} + {trays}" if trays else sensing
    if pressed is not None:
        text += f", pressed after {pressed:g} s" if pressed else ", pressed at once"
    return text


def boards(games: Sequence[str] = NAMES) -> list[BenchmarkBoard]:
    """Return every kind of board of these games, game by game; those with sensed trays again with
    the button of the seat pressed.
    """
    found = []
    for game in games:
        for pressed in (None, *PRESSES_S):
            found += [BenchmarkBoard(game, sensing, True, pressed) for sensing in SENSINGS]
            if game in COUNTED:
                found.append(BenchmarkBoard(game, "presence", True, pressed, counts=True))
        if TRAYS[game]:
            found += [BenchmarkBoard(game, sensing, trays=False) for sensing in SENSINGS]
    return found


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
        trays = "stocks" if board.counts else "trays" if board.trays else "bare"
        style = self.lineup.replace(", ", "-")
        pressed = "" if board.pressed is None else f"-pressed-{board.pressed:g}"
        return f"{board.game}-{board.sensing}-{trays}-{style}{pressed}-{self.seed}"


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
        pockets=board.pockets,
    )
    if board.pressed is not None:
        recorded = with_presses(recorded, game.seats, board.pressed)
    sight = Sight(game, board.sensing, board.unsensed, board.pockets)
    watcher = Watcher(recorded, game, sight, game.start(), presses=board.pressed is not None)
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


def with_presses(recorded: Recorded, seats: Sequence[str], after: float) -> Recorded:
    """Return a recording in which each seat presses its button so long after each of its plies."""
    presses: list[Line] = [
        {"t": round(truth.let_go + after, 4), "press": seats[truth.seat]}
        for truth in recorded.truth
        if not truth.back and truth.text != PASS_TEXT
    ]
    lines = sorted([*recorded.lines, *presses], key=lambda line: float(line["t"]))
    return replace(recorded, lines=lines)


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
    """Yield the tables: a row for each board, one for all games with the same sensors, one for
    these without blitz, then one for each style on each board.
    """
    every: dict[BenchmarkBoard, dict[str, Score]] = {}
    for case, score in results:
        every.setdefault(case.board, {}).setdefault(case.lineup, Score()).add(score)
    together: dict[tuple[str, str, float | None], tuple[Score, Score]] = {}
    yield from head("game", "sensing")
    for board, styles in every.items():
        trays = "stocks" if board.counts else "trays" if board.trays else ""
        kind = board.sensing, trays, board.pressed
        every_style, but_blitz = together.setdefault(kind, (Score(), Score()))
        whole = Score()
        for style, score in styles.items():
            whole.add(score)
            if style != BLITZ:
                but_blitz.add(score)
        every_style.add(whole)
        yield row((board.game, board.senses), whole)
    for number, title in enumerate(("all together", "all but blitz")):
        for kind, wholes in together.items():
            yield row((title, sensing_text(*kind)), wholes[number])
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
