"""One move done in a way that boards are known to misread: the table of scenarios.

The kinds and their exact times are in `firmware_host.scenarios`, so that other boards' figures can
be laid beside these; the positions are from random playouts, in which castling, en passant,
promotion, drops and the like are preferred. Every trial
starts from the true position, and a board that looks every `period` seconds watches it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.reading import Texts, Watcher, session_on
from engine.game import CHANCE, Pass
from engine.games import make
from firmware_host.evening import write_recording
from firmware_host.handwork import Planner
from firmware_host.scenarios import SCENARIOS, scenario

PLAYOUTS = 30
PLIES = 120
PREFERRED = 0.6
"""How often a special move is preferred when there is one."""


@dataclass(frozen=True)
class Column:
    """A board on which all scenarios are tried."""

    title: str
    game: str
    sensing: str
    unsensed: tuple[str, ...]
    period: float
    trials: int


def columns(trials: int) -> list[Column]:
    """Return the columns of the table."""
    return [
        Column("chess, presence, 5 ms", "chess", "presence", (), 0.005, trials),
        Column("chess, presence, 20 ms", "chess", "presence", (), 0.020, trials),
        Column("chess, polarity", "chess", "polarity", (), 0.005, trials),
        Column("shogi, presence", "shogi", "presence", ("hand",), 0.005, trials),
        Column("shogi, presence + trays", "shogi", "presence", (), 0.005, trials),
        Column("shogi, polarity + trays", "shogi", "polarity", (), 0.005, trials),
    ]


def game_of(name: str) -> Any:
    """Return the game of that name, the example of chess included."""
    if name == "chess":
        from examples.chess_game import Chess

        return Chess()
    return make(name)


def pool(game: Any, playouts: int = PLAYOUTS) -> list[tuple[Any, Any, bool]]:
    """Return positions and moves of random playouts, and whether the move is a special one.

    Special is what does more than carry one man or exchange it for another: several men carried, a
    man taken beside the target, a man turned or swapped, a man dropped.
    """
    planner, rng = Planner(game), Random(1)
    found = []
    for _ in range(playouts):
        position = game.start()
        for _ in range(PLIES):
            if game.outcome(position) is not None:
                break
            moves = [move for move in game.legal(position) if not isinstance(move, Pass)]
            if game.turn(position) == CHANCE or not moves:
                moves = list(game.legal(position))
            chosen = rng.choice(moves)
            special = False
            if game.turn(position) != CHANCE and not isinstance(chosen, Pass):
                if rng.random() < PREFERRED:
                    unusual = [move for move in moves if _special(planner, position, move)]
                    chosen = rng.choice(unusual or [chosen])
                special = _special(planner, position, chosen)
                found.append((position, chosen, special))
            position = game.play(position, chosen)
    Random(7).shuffle(found)
    return found


def _special(planner: Planner, position: Any, move: Any) -> bool:
    game = planner.game
    work = planner.between(game.pieces(position), game.pieces(game.play(position, move)))
    ends = {errand.end for errand in work.carried}
    return (
        len(work.carried) != 1
        or any(errand.start not in ends for errand in work.taken)
        or any(errand.pole != errand.lies or errand.swapped for errand in work.carried)
    )


@dataclass
class Tally:
    """What became of one scenario's trials."""

    trials: int = 0
    right: int = 0
    falsely: int = 0
    """Trials in which a wrong move was shown at any moment."""
    asked: int = 0
    wrong: int = 0
    """Trials at whose end a wrong move stands."""

    def __str__(self) -> str:
        if not self.trials:
            return "–"
        share = f"{100 * self.right / self.trials:.0f}"
        notes = [
            f"{name} {100 * count / self.trials:.0f}"
            for name, count in (("fc", self.falsely), ("asked", self.asked), ("WRONG", self.wrong))
            if count
        ]
        return share + (f" ({', '.join(notes)})" if notes else "")


def tried(column: Column, failures: Path | None = None) -> dict[str, Tally]:
    """Return what became of each scenario on that board."""
    game = game_of(column.game)
    positions = pool(game)
    tallies = {name: Tally() for name in SCENARIOS}
    for name, tally in tallies.items():
        usual = name in ("held 3 s", "slide", "slow slide", "hover a capture")
        for number, (position, move, special) in enumerate(positions):
            if tally.trials >= column.trials:
                break
            if usual and special:
                continue
            made = scenario(
                name, game, position, move, Random(number), column.sensing, column.unsensed,
                period=column.period,
            )  # fmt: skip
            if made is None:
                continue
            session = session_on(game, position, column.sensing, column.unsensed)
            watcher = Watcher(made, session, answers=True)
            final = watcher.watch()
            _count(tally, made.moves, made.truth[0].text, final, watcher)
            meant = tuple((text,) for text in made.moves)
            if final != meant and failures is not None:
                failures.mkdir(parents=True, exist_ok=True)
                file = f"scenario-{column.title}-{name}-{number}.jsonl".replace(" ", "_")
                write_recording(failures / file, made.header, watcher.said)
    return tallies


def _count(
    tally: Tally, moves: Sequence[str], intended: str, final: Texts, watcher: Watcher
) -> None:
    """Count one trial."""
    meant = tuple((text,) for text in moves)
    tally.trials += 1
    tally.right += final == meant
    tally.wrong += final != meant and all(len(texts) == 1 for texts in final) and bool(final)
    history = [texts for _, texts in watcher.history if texts]
    tally.asked += any(len(entry) > 1 for texts in history for entry in texts)
    tally.falsely += any(intended not in texts[0] or len(texts) > 1 for texts in history)


def table(trials: int, failures: Path | None, jobs: int) -> Iterator[str]:
    """Yield the lines of the table."""
    boards = columns(trials)
    with ProcessPoolExecutor(jobs) as processes:
        results = list(processes.map(tried, boards, [failures] * len(boards)))
    yield "| scenario | " + " | ".join(board.title for board in boards) + " |"
    yield "|" + "---|" * (len(boards) + 1)
    for name in SCENARIOS:
        yield f"| {name} | " + " | ".join(str(result[name]) for result in results) + " |"
    yield "\nPer cent of trials read right in the end; fc: a wrong move was shown for a moment;"
    yield "asked: the board asked, and people answered; WRONG: a wrong move stands."
    bad = [
        (b.title, name)
        for (b, r), name in product(zip(boards, results, strict=True), SCENARIOS)
        if r[name].wrong
    ]
    if bad:
        yield f"\n{len(bad)} went wrong: {bad}"
