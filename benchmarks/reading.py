"""How well hands are read: `python -m benchmarks.reading`, or `make bench-reading`.

Simulated hands of every style play random legal moves of every game; a session reads the raw
edges. Beside each move stands what was meant, so that it can be said of every move whether it was
read right, asked about, shown wrong for a moment, or left standing wrong; how long after the hand
let go it was confirmed; and what a changed frame cost. Every game that goes wrong is written as a
recording (`--failures DIR`), which `lampion replay` repeats.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import groupby, product
from pathlib import Path
from random import Random
from statistics import median, quantiles
from time import process_time
from typing import Any

from engine.footprints import Sight
from engine.game import CHANCE, Pass, Throw
from engine.games import NAMES, make
from engine.match import Match
from firmware_host.evening import Line, Recorded, Truth, write_recording
from firmware_host.events import Choose, Claimed, Dice, Event, Frame, Press, Tick
from firmware_host.random_games import play_random
from firmware_host.session import Session
from hardware.styles import MIXED, STYLES

TRAYS: dict[str, tuple[str, ...]] = {
    "robot-duel": ("hand",),
    "shogi": ("hand",),
    "chaturaji": (),
    "robotory": ("stock", "pool"),
    "abalone": ("out",),
}
"""The trays of each game that a board may sense or not."""

ANSWERED = 0.9
"""People answer an open question so many seconds after it was asked."""
AT_REST = 8.0
"""So long nothing happens at the end."""


@dataclass(frozen=True)
class Case:
    """One random game to be read."""

    game: str
    sensing: str
    trays: bool
    style: str
    seed: int
    plies: int = 60
    takebacks: float = 0.0
    answers: bool = True
    period: float = 0.0
    options: tuple[tuple[str, str], ...] = ()

    def name(self) -> str:
        """Return a name for its files."""
        trays = "trays" if self.trays else "bare"
        return f"{self.game}-{self.sensing}-{trays}-{self.style}-{self.seed}"

    def play(self) -> Recorded:
        """Return the game as the hands played it."""
        return play_random(
            make(self.game, dict(self.options)),
            Random(f"{self.style} {self.seed}"),
            self.sensing,
            (self.style,),
            self.plies,
            () if self.trays else TRAYS[self.game],
            takebacks=self.takebacks,
            answers=None,
            period=self.period,
        )


@dataclass
class Score:
    """What became of the moves of one or many games."""

    moves: int = 0
    right: int = 0
    asked: int = 0
    choices: int = 0
    """Questions of nothing but a choice that no sensor sees (a man swapped for another)."""
    unanswered: int = 0
    """Questions still open at the end."""
    momentary: int = 0
    wrong: int = 0
    """Moves that stand wrong: another one, or one that nobody made."""
    unread: int = 0
    """Moves that are missing at the end."""
    delays: list[float] = field(default_factory=list)
    plain_delays: list[float] = field(default_factory=list)
    """Delays of moves that no other legal move contains."""
    costs: list[float] = field(default_factory=list)
    """CPU seconds of each changed frame, with all that it caused until the next one."""
    trouble: list[str] = field(default_factory=list)

    def add(self, other: Score) -> None:
        """Count another game in."""
        for name in ("moves", "right", "asked", "choices", "unanswered", "momentary", "wrong"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.unread += other.unread
        self.delays += other.delays
        self.plain_delays += other.plain_delays
        self.costs += other.costs
        self.trouble += other.trouble


Texts = tuple[tuple[str, ...], ...]
"""A record: the text of every move, or all candidates while it is asked which it was."""


class Watcher:
    """A session that is fed a recording, its record at every moment, and people who answer."""

    def __init__(self, recorded: Recorded, session: Session, answers: bool) -> None:
        self.recorded = recorded
        self.session = session
        self.answers = answers
        self.history: list[tuple[float, Texts]] = []
        self.costs: list[float] = []
        self.said: list[Line] = []
        """The lines of the recording with the answers that were given."""
        self._answer: tuple[float, str] | None = None

    def watch(self) -> Texts:
        """Feed everything, let time run on until nothing is pending, and return the last record."""
        readings: dict[str, int] = {}
        last = 0.0
        for line in self.recorded.lines:
            self._until(line["t"])
            if "places" in line:
                readings = readings | line["places"]
                readings = {place: value for place, value in readings.items() if value}
                self.costs.append(0.0)
                self._handle(Frame(line["t"], readings))
            else:
                self._handle(_event(line))
            self.said.append(line)
            last = line["t"]
        self._until(last + AT_REST)
        return self.texts()

    def texts(self) -> Texts:
        """Return the moves that stand now."""
        return tuple(entry.texts for entry in self.session.record if entry.kind == "move")

    def _until(self, at: float) -> None:
        while True:
            due = self.session.deadline
            answer = self._answer
            if answer is not None and answer[0] <= min(at, due if due is not None else at):
                self._answer = None
                self.said.append({"t": round(answer[0], 4), "choose": answer[1]})
                self._handle(Choose(*answer))
            elif due is not None and due <= at:
                self._handle(Tick(due))
                if self.session.deadline == due:
                    raise RuntimeError(f"a deadline at {due} does not pass")
            else:
                return

    def _handle(self, event: Event) -> None:
        began = process_time()
        self.session.handle(event)
        if self.costs:
            self.costs[-1] += process_time() - began  # what it causes later is the frame's cost
        texts = self.texts()
        if not self.history or self.history[-1][1] != texts:
            self.history.append((event.at, texts))
        if self.answers and self._answer is None:
            meant = _standing(self.recorded.truth, event.at)
            for number, candidates in enumerate(texts):
                if len(candidates) > 1 and number < len(meant) and meant[number] in candidates:
                    self._answer = (event.at + ANSWERED, meant[number])
                    break


def _standing(truth: Sequence[Truth], at: float) -> list[str]:
    """Return what had been meant by the moves that stood at that moment."""
    meant: list[str] = []
    for each in truth:
        if each.begun > at:
            break
        if each.back:
            del meant[len(meant) - each.back :]
        else:
            meant.append(each.text)
    return meant


def _event(line: Line) -> Event:
    match line:
        case {"dice": dice}:
            return Dice(line["t"], tuple(dice))
        case {"choose": move}:
            return Choose(line["t"], move)
        case {"press": button}:
            return Press(line["t"], button)
        case {"claim": claim, "seat": seat}:
            return Claimed(line["t"], claim, seat)
    return Tick(line["t"])


def session_on(game: Any, position: Any, sensing: str, unsensed: Sequence[str] = ()) -> Session:
    """Return a fresh session at a board of that sensing."""
    return Session(game, Sight(game, sensing, unsensed), [Match.begin(game, position)])


def read(case: Case, failures: Path | None = None) -> Score:
    """Let one game be played and read."""
    recorded = case.play()
    game = make(case.game, dict(case.options))
    unsensed = () if case.trays else TRAYS[case.game]
    session = session_on(game, game.start(), case.sensing, unsensed)
    watcher = Watcher(recorded, session, case.answers)
    score = Score()
    try:
        final = watcher.watch()
    except Exception as error:  # a crash is the worst of readings, and must be seen as one
        final = watcher.texts()
        score.trouble.append(f"{case.name()}: {type(error).__name__}: {error}")
    _judge(case, recorded, watcher, final, score)
    if score.trouble and failures is not None:
        failures.mkdir(parents=True, exist_ok=True)
        write_recording(
            failures / f"{case.name()}.jsonl", recorded.header, _in_order(watcher.said, recorded)
        )
        notes = [*score.trouble, *map(str, recorded.truth)]
        (failures / f"{case.name()}.txt").write_text("\n".join(notes) + "\n")
    return score


def _in_order(said: Iterable[Line], recorded: Recorded) -> list[Line]:
    """Return the lines with the answers given, those included that a crash left unread."""
    given = [line for line in said if "choose" in line]
    return sorted([*recorded.lines, *given], key=lambda line: float(line["t"]))


def _judge(case: Case, recorded: Recorded, watcher: Watcher, final: Texts, score: Score) -> None:
    """Compare what was read with what was meant."""
    moves = list(recorded.moves)
    by_ply = _last_truths(recorded.truth)
    score.costs = watcher.costs
    score.moves = len(moves)
    contained = _contained(case, recorded)
    trouble = ""
    for number, place in _aligned(moves, final):
        entry = final[place] if place is not None else ()
        text = moves[number] if number is not None else ""
        if number is None:
            score.wrong += 1
        elif not entry:
            score.unread += 1
        elif text not in entry:
            score.wrong += 1
        elif len(entry) > 1:
            score.unanswered += 1
            continue
        else:
            score.right += 1
            continue
        at = f" at {by_ply[number].begun:.3f} s" if number is not None else ""
        trouble = trouble or (
            f"{case.name()}: ply {(place if number is None else number) + 1}{at}:"
            f" meant {text or 'nothing'}, read {' or '.join(entry) or 'nothing'}"
        )
    if trouble:
        more = score.wrong + score.unread - 1
        score.trouble.append(trouble + (f", and {more} more" if more else ""))
    for number, text in enumerate(moves):
        truth = by_ply[number]
        shown = [
            (at, texts[number])
            for at, texts in watcher.history
            if number < len(texts) and at >= truth.begun
        ]
        questions = [texts for _, texts in shown if len(texts) > 1]
        if questions:
            if all(len({text.partition("=")[0] for text in texts}) == 1 for texts in questions):
                score.choices += 1
            else:
                score.asked += 1
        if any(len(texts) == 1 and texts != (text,) for _, texts in shown):
            score.momentary += 1
        confirmed = None
        for at, texts in shown:
            if texts != (text,):
                confirmed = None
            elif confirmed is None:
                confirmed = at
        if truth.visible and confirmed is not None and not questions:
            delay = max(0.0, confirmed - truth.seen)
            score.delays.append(delay)
            if number not in contained:
                score.plain_delays.append(delay)


def _aligned(meant: Sequence[str], read: Texts) -> list[tuple[int | None, int | None]]:
    """Return which move was read as which, by number; None where there is no other.

    The pairing with the fewest differences, so that one ply too many is one mistake, not many.
    """
    rows, columns = len(meant) + 1, len(read) + 1
    cost = [[0] * columns for _ in range(rows)]
    for i in reversed(range(rows)):
        for j in reversed(range(columns)):
            if i == rows - 1 or j == columns - 1:
                cost[i][j] = rows - 1 - i + columns - 1 - j
            else:
                same = 0 if meant[i] in read[j] else 1
                cost[i][j] = min(cost[i + 1][j + 1] + same, cost[i + 1][j] + 1, cost[i][j + 1] + 1)
    pairs: list[tuple[int | None, int | None]] = []
    i = j = 0
    while i < len(meant) or j < len(read):
        here = cost[i][j]
        if i < len(meant) and j < len(read):
            same = 0 if meant[i] in read[j] else 1
            if here == cost[i + 1][j + 1] + same:
                pairs.append((i, j))
                i, j = i + 1, j + 1
                continue
        if i < len(meant) and here == cost[i + 1][j] + 1:
            pairs.append((i, None))
            i += 1
        else:
            pairs.append((None, j))
            j += 1
    return pairs


def _last_truths(truth: Sequence[Truth]) -> list[Truth]:
    """Return the truth of every ply that stands at the end."""
    standing: list[Truth] = []
    for each in truth:
        if each.back:
            del standing[len(standing) - each.back :]
        else:
            standing.append(each)
    return standing


def _contained(case: Case, recorded: Recorded) -> set[int]:
    """Return the numbers of those moves after which another legal move could still follow from
    the same hand: one that changes the same cells or passes over them, and more.
    """
    game: Any = make(case.game, dict(case.options))
    cells = frozenset(game.cells())
    position = game.start()
    dice = [tuple(line["dice"]) for line in recorded.lines if "dice" in line]
    contained: set[int] = set()
    if case.takebacks:
        return contained
    for number, text in enumerate(recorded.moves):
        while game.turn(position) == CHANCE:
            position = game.play(position, Throw(dice.pop(0)))
        move = game.parse_move(position, text)
        if not isinstance(move, Pass):
            mine = cells.intersection(game.changes(position, move))
            for rival in game.legal(position):
                if rival != move and mine <= (
                    game.changes(position, rival).keys() | game.path(position, rival)
                ):
                    contained.add(number)
                    break
        position = game.play(position, move)
    return contained


# ---- the table


def percent(part: int, whole: int) -> str:
    """Return a share in percent, with as many digits as it deserves."""
    if not whole:
        return "–"
    share = 100.0 * part / whole
    return f"{share:.0f}" if part in (0, whole) else f"{share:.2f}"


def milliseconds(times: Sequence[float]) -> str:
    """Return the median and the 95th percentile."""
    if len(times) < 2:
        return "–"
    return f"{median(times) * 1000:.0f} / {quantiles(times, n=20)[-1] * 1000:.0f}"


HEADINGS = (
    "game", "sensing", "style", "moves", "right %", "asked %", "choice %", "for a moment %",
    "wrong", "unread", "delay ms", "… plain", "µs a frame", "worst ms",
)  # fmt: skip


def row(names: Sequence[str], score: Score) -> str:
    """Return one line of the table."""
    costs = score.costs or [0.0]
    figures = (
        str(score.moves),
        percent(score.right, score.moves),
        percent(score.asked, score.moves),
        percent(score.choices, score.moves),
        percent(score.momentary, score.moves),
        str(score.wrong),
        str(score.unread + score.unanswered),
        milliseconds(score.delays),
        milliseconds(score.plain_delays),
        f"{median(costs) * 1e6:.0f}",
        f"{max(costs) * 1e3:.1f}",
    )
    return "| " + " | ".join((*names, *figures)) + " |"


def table(cases: Iterable[Case], failures: Path | None, jobs: int) -> Iterator[str]:
    """Read all cases and yield the lines of the table; the last ones say what went wrong."""
    yield "| " + " | ".join(HEADINGS) + " |"
    yield "|" + "---|" * len(HEADINGS)
    trouble: list[str] = []
    ordered = list(cases)
    with ProcessPoolExecutor(jobs) as pool:
        scores = pool.map(read, ordered, [failures] * len(ordered), chunksize=2)
        pairs = zip(ordered, scores, strict=True)
        for (game, sensing), group in groupby(pairs, lambda pair: _board(pair[0])):
            everybody, styles = Score(), 0
            for style, same in groupby(group, lambda pair: pair[0].style):
                one = Score()
                for _, score in same:
                    one.add(score)
                everybody.add(one)
                styles += 1
                yield row((game, sensing, style), one)
            if styles > 1:
                yield row((f"**{game}**", sensing, "**all**"), everybody)
            trouble += everybody.trouble
    if trouble:
        games = {line.split(":")[0] for line in trouble}
        yield f"\n{len(games)} games went wrong:"
        yield from trouble


def _board(case: Case) -> tuple[str, str]:
    """Return the game and what its board senses."""
    return case.game, case.sensing + (" + trays" if case.trays and TRAYS[case.game] else "")


def cases(arguments: argparse.Namespace) -> Iterator[Case]:
    """Return the games to be played."""
    for game, sensing, trays in product(arguments.games, arguments.sensing, (True, False)):
        if not TRAYS[game] and not trays:
            continue
        if arguments.trays != "both" and TRAYS[game] and trays != (arguments.trays == "sensed"):
            continue
        case = Case(
            game,
            sensing,
            trays,
            "",
            0,
            arguments.plies,
            arguments.takebacks,
            not arguments.unanswered,
            arguments.period,
        )
        for style in arguments.styles:
            for seed in range(arguments.seed, arguments.seed + arguments.count):
                yield replace(case, style=style, seed=seed)


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table; 1 if a move stands wrong."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.reading", description=__doc__)
    parser.add_argument("--games", nargs="+", default=list(NAMES), choices=NAMES)
    parser.add_argument("--styles", nargs="+", default=list(STYLES), choices=[*STYLES, MIXED])
    parser.add_argument(
        "--sensing", nargs="+", default=["polarity", "presence"], choices=["polarity", "presence"]
    )
    parser.add_argument("--trays", default="both", choices=["both", "sensed", "unsensed"])
    parser.add_argument("--count", type=int, default=3, help="games for each line of the table")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--plies", type=int, default=60)
    parser.add_argument("--takebacks", type=float, default=0.0, help="share of plies")
    parser.add_argument("--unanswered", action="store_true", help="nobody answers questions")
    parser.add_argument("--period", type=float, default=0.0, help="seconds between two looks")
    parser.add_argument("--failures", type=Path, help="write games that go wrong there")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument(
        "--scenarios", type=int, metavar="N", help="instead: the table of scenarios, N trials each"
    )
    arguments = parser.parse_args(argv)
    if arguments.scenarios:
        from benchmarks import reading_scenarios

        lines = reading_scenarios.table(arguments.scenarios, arguments.failures, arguments.jobs)
    else:
        lines = table(cases(arguments), arguments.failures, arguments.jobs)
    wrong = False
    for line in lines:
        print(line, flush=True)
        wrong = wrong or "went wrong" in line
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())
