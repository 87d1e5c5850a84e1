"""Single moves made in ways that boards are known to misread, compared with boards for chess.

`tests.support.scenarios` has the scenarios and their exact times. The positions come from random
playouts that prefer castling, en passant, promotions, drops and the like. Every trial starts from
the true position; people answer questions.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any, Final

from benchmarks.reading_games import BenchmarkBoard
from benchmarks.reading_judge import Judge, percent
from benchmarks.reading_watcher import Texts, Watcher
from engine.game import CHANCE, Pass
from engine.games import make
from engine.reading.footprints import Sight
from firmware_host.simulation.gesture_plan import Planner
from tests.support.recorded import write_recording
from tests.support.scenarios import scenario

EXAMPLE: Final = str(Path(__file__).parents[1] / "examples" / "lampion-chess")
"""The folder of the package with chess, which need not be installed."""
PLAYOUTS = 30
PLIES = 120
PREFERRED = 0.6
"""The share of positions in which a special move is preferred, if there is one."""
PEERS_POLL_S: Final = 0.020
"""The other boards were polled every 20 ms."""
ORDINARY: Final = frozenset({"held 3 s", "slide", "slow slide", "hover a capture"})
"""The scenarios of moves that are not special."""

ROWS: Final[Mapping[str, str]] = {
    "canonical: quiet": "quiet",
    "canonical: capture": "capture",
    "canonical: castle": "two pieces",
    "canonical: en passant": "capture beside the target",
    "canonical: promotion": "promotion",
    "canonical: drop": "drop",
    "capture: victim first": "enemy first",
    "capture: fast swap": "fast swap",
    "en passant: victim first": "enemy beside first",
    "castle: rook first": "other piece first",
    "castle: both in hand": "both in hand",
    "slide (≥ 1 cell crossed)": "slide",
    "slow slide (350 ms a cell)": "slow slide",
    "held 3 s in hand, quiet move": "held 3 s",
    "adjust own piece, then move": "adjust own",
    "adjust enemy piece, then move": "adjust enemy",
    "hover a capture, put back, then move": "hover a capture",
    "contact chatter (25/35 ms)": "contact chatter",
    "neighbour bumped 80 ms": "neighbour bumped",
    "takeback after move": "takeback",
}
"""The rows of the tables, each with its scenario."""

PEERS: Final = (
    "picochess", "LiBoard", "DGTCentaur", "DGTCentaurMods", "Universal-Chess", "Round-board",
    "BlindChess",
)  # fmt: skip
MEASURED: Final[Mapping[str, Sequence[str]]] = {
    "canonical: quiet": ("100", "100", "100", "100", "100", "100", "100"),
    "canonical: capture": ("100", "100", "100", "100", "100", "100", "90 (f 10)"),
    "canonical: castle": ("100", "100", "100", "100", "100", "100", "100"),
    "canonical: en passant": ("100", "100", "100", "100", "100", "100", "100"),
    "canonical: promotion": ("86", "29 (f 71)", "100", "100", "29 (f 71)", "100", "29 (f 71)"),
    "capture: victim first": ("100", "100", "100", "100", "100", "100", "90 (f 10)"),
    "capture: fast swap": ("0", "0", "0", "0", "0", "0", "90 (f 10)"),
    "en passant: victim first": ("100", "100", "100", "100", "48", "100", "100"),
    "castle: rook first": (*["0 (f 100)"] * 6, "100"),
    "castle: both in hand": ("0", "100", *["0 (f 100)"] * 4, "100"),
    "slide (≥ 1 cell crossed)": (
        "81 (f 18)", "100", "1 (f 99)", "0 (f 99)", "0 (f 99)", "1 (f 99)", "95 (f 5)",
    ),
    "slow slide (350 ms a cell)": (
        "81 (f 99)", "1 (f 99)", "1 (f 99)", "0 (f 99)", "0 (f 99)", "1 (f 99)", "95 (f 5)",
    ),
    "held 3 s in hand, quiet move": ("100", "100", "100", "100", "99", "100", "0 (f 100)"),
    "adjust own piece, then move": ("100", "100", "100", "100", "100", "100", "100"),
    "adjust enemy piece, then move": ("100", "99 (f 1)", "100", "100", "100", "100", "100"),
    "hover a capture, put back, then move": (
        "100 (f 89)", "85 (f 15)", "100", "100", "100", "100", "100",
    ),
    "contact chatter (25/35 ms)": ("100", "100", "100", "100", "100", "100", "100"),
    "neighbour bumped 80 ms": (
        "97 (f 2)", "98 (f 2)", "98 (f 2)", "0 (f 2)", "0 (f 2)", "41 (f 3)", "100",
    ),
    "takeback after move": ("100", "0", "100", "100", "100", "0", "100"),
}  # fmt: skip
"""The percentage of trials in which the other boards' own code read the move right in the end; f:
in which it had committed a wrong one at any time. `docs/benchmarks.md` has the method."""


@dataclass(frozen=True)
class Column:
    """A board on which all scenarios are tried."""

    title: str
    game: str
    sensing: str
    unsensed: tuple[str, ...]
    look: float


@dataclass(frozen=True)
class Trial:
    """A number of moves of one scenario on one board."""

    column: Column
    name: str
    trials: int


def columns() -> list[Column]:
    """Return the boards; the first one is polled as seldom as the boards of other makers."""
    reed, hall = (
        BenchmarkBoard("shogi", "presence", True).look(),
        BenchmarkBoard("shogi", "polarity", True).look(),
    )
    return [
        Column("chess, presence, 20 ms", "chess", "presence", (), PEERS_POLL_S),
        Column("chess, presence", "chess", "presence", (), reed),
        Column("chess, polarity", "chess", "polarity", (), hall),
        Column("shogi, presence", "shogi", "presence", ("hand",), reed),
        Column("shogi, presence + trays", "shogi", "presence", (), reed),
        Column("shogi, polarity + trays", "shogi", "polarity", (), hall),
    ]


def trials(number: int) -> list[Trial]:
    """Return every scenario on every board."""
    return [Trial(column, name, number) for column in columns() for name in ROWS.values()]


def game_of(name: str) -> Any:
    """Return the game of that name, the example of chess included."""
    if name == "chess":
        if EXAMPLE not in sys.path:
            sys.path.append(EXAMPLE)
        from lampion_chess import Chess

        return Chess()
    return make(name)


@lru_cache(maxsize=4)
def pool(name: str) -> list[tuple[Any, Any, bool]]:
    """Return positions and moves of random playouts, and whether the move is a special one."""
    game = game_of(name)
    planner, rng = Planner(game), Random(1)
    found = []
    for _ in range(PLAYOUTS):
        position = game.start()
        for _ in range(PLIES):
            if game.outcome(position) is not None:
                break
            moves = list(game.legal(position))
            chosen = rng.choice(moves)
            if game.turn(position) != CHANCE and not isinstance(chosen, Pass):
                if rng.random() < PREFERRED:
                    kinds: dict[str, list[Any]] = {}
                    for move in moves:
                        kinds.setdefault(_special(planner, position, move), []).append(move)
                    kinds.pop("", None)
                    if kinds:
                        chosen = rng.choice(kinds[rng.choice(list(kinds))])
                found.append((position, chosen, bool(_special(planner, position, chosen))))
            position = game.play(position, chosen)
    Random(7).shuffle(found)
    return found


def _special(planner: Planner, position: Any, move: Any) -> str:
    """Return the kind of a move that does more than carry one piece and capture another there."""
    game = planner.game
    actions = planner.between(game.pieces(position), game.pieces(game.play(position, move)))
    ends = {carry.end for carry in actions.carried}
    if len(actions.carried) != 1:
        return "several pieces" if actions.carried else "a piece brought"
    if any(carry.start not in ends for carry in actions.taken):
        return "a piece taken beside the target"
    turned = any(carry.pole != carry.lies or carry.swapped for carry in actions.carried)
    return "a piece turned" if turned else ""


@dataclass
class ScenarioTally:
    """The results of one scenario's trials."""

    trials: int = 0
    right: int = 0
    falsely: int = 0
    """The trials in which a wrong move was shown at any time."""
    asked: int = 0
    needless: int = 0
    wrong: int = 0
    """The trials that end with a wrong move on the record."""

    def __str__(self) -> str:
        if not self.trials:
            return "–"
        notes = [
            f"{name} {percent(count, self.trials).split('.')[0]}"
            for name, count in (
                ("f", self.falsely), ("asked", self.asked), ("NEEDLESS", self.needless),
                ("WRONG", self.wrong),
            )
            if count
        ]  # fmt: skip
        share = percent(self.right, self.trials).split(".")[0]
        return share + (f" ({', '.join(notes)})" if notes else "")


def tried(trial: Trial, failures: Path | None = None) -> ScenarioTally:
    """Return the results of one scenario on one board."""
    column, tally = trial.column, ScenarioTally()
    game = game_of(column.game)
    sight = Sight(game, column.sensing, column.unsensed)
    for number, (position, move, special) in enumerate(pool(column.game)):
        if tally.trials >= trial.trials:
            break
        if special and trial.name in ORDINARY:
            continue
        made = scenario(
            trial.name, game, position, move, Random(number), column.sensing, column.unsensed,
            period=column.look,
        )  # fmt: skip
        if made is None:
            continue
        watcher = Watcher(made, game, sight, position)
        final = watcher.watch()
        needless = Judge(game, sight, position, watcher).judge(final).fates["needless"] > 0
        tally.needless += needless
        right = _count(tally, made.moves, made.truth[0].text, final, watcher)
        if failures is not None and (needless or not right):
            failures.mkdir(parents=True, exist_ok=True)
            file = f"scenario-{column.title}-{trial.name}-{number}.jsonl"
            path = failures / file.replace(" ", "_").replace(",", "")
            write_recording(path, made.header, watcher.lines())
    return tally


def _count(
    tally: ScenarioTally, moves: Sequence[str], intended: str, final: Texts, watcher: Watcher
) -> bool:
    """Count one trial; return whether it was read right in the end."""
    right = final == tuple((text,) for text in moves)
    history = [texts for _, texts in watcher.history if texts]
    tally.trials += 1
    tally.right += right
    tally.wrong += not right and bool(final) and all(len(texts) == 1 for texts in final)
    tally.asked += any(len(entry) > 1 for texts in history for entry in texts)
    tally.falsely += any(intended not in texts[0] or len(texts) > 1 for texts in history)
    return right


def tables(results: Sequence[tuple[Trial, ScenarioTally]]) -> Iterator[str]:
    """Yield the lines of two tables: the comparison with other boards, and our own boards."""
    found = {(trial.column.title, trial.name): tally for trial, tally in results}
    titles = list(dict.fromkeys(trial.column.title for trial, _ in results))
    yield f"| scenario | trials | Lampion, {titles[0]} | " + " | ".join(PEERS) + " |"
    yield "|---|" + "---:|" * (2 + len(PEERS))
    for row, peers in MEASURED.items():
        tally = found[titles[0], ROWS[row]]
        yield f"| {row} | {tally.trials} | **{tally}** | " + " | ".join(peers) + " |"
    yield ""
    yield "| scenario | " + " | ".join(titles) + " |"
    yield "|---|" + "---:|" * len(titles)
    for row, name in ROWS.items():
        yield f"| {row} | " + " | ".join(str(found[title, name]) for title in titles) + " |"
