"""Search for better weights of the reader: `python -m tools.fit_evidence [--only NAME …]`.

This is a coordinate search. It tries a smaller and a larger value of each number of
`engine.reading.evidence` in turn, on games whose seeds no table uses, and keeps the value with the
smallest loss. A move that is read wrongly costs as much as a hundred needless questions. The tool
changes no file: measure a new value on the games of the tables before you take it over.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence

from benchmarks import reading_games
from benchmarks.reading_games import Case
from engine.reading import evidence

FIRST_SEED = 9_000_000
GAMES = 4
FACTORS = (0.6, 1.6)
LOSSES = {"read": 0.0, "asked": 1.0, "needless": 1.0, "choice": 0.0, "unread": 30.0, "wrong": 100.0}
LAST_WEIGHT = "LOOK_MARGIN"  # times and bounds follow, which depend on hands and boards


def main(arguments: Sequence[str] = ()) -> int:
    """Search; return 0."""
    parser = argparse.ArgumentParser(prog="python -m tools.fit_evidence", description=__doc__)
    parser.add_argument("--only", nargs="*", default=[], metavar="NAME", help="the numbers to try")
    parser.add_argument("--games", type=int, default=GAMES, help="for each board and each value")
    chosen = parser.parse_args(arguments)
    weights = [name for name, value in vars(evidence).items() if isinstance(value, float | int)]
    weights = weights[: weights.index(LAST_WEIGHT) + 1]
    for name in chosen.only:
        if name not in weights:
            parser.error(f"no weight {name}; there are: {', '.join(weights)}")
    best = _loss(chosen.games)
    print(f"with today's numbers: {best:g} lost", flush=True)
    for name in chosen.only or weights:
        known = getattr(evidence, name)
        kept = known
        for factor in FACTORS:
            _set(name, known * factor)
            loss = _loss(chosen.games)
            print(f"{name} = {known * factor:.3g}: {loss:g} lost", flush=True)
            if loss < best:
                best, kept = loss, known * factor
        _set(name, kept)
        if kept != known:
            print(f"{name} = {kept:.3g} is kept (was {known:.3g})", flush=True)
    return 0


def _loss(games: int) -> float:
    """Return the loss on this many games of every board that senses all of its trays."""
    fates: Counter[str] = Counter()
    for board in reading_games.boards():
        if board.trays or not reading_games.TRAYS[board.game]:
            for seed in range(FIRST_SEED, FIRST_SEED + games):
                fates.update(reading_games.read(Case(board, seed, board.look())).fates)
    return sum(LOSSES.get(fate, 0.0) * number for fate, number in fates.items())


def _set(name: str, value: float) -> None:
    """Change a number in every module that imported it."""
    for module in list(sys.modules.values()):
        if module.__name__.startswith("engine.reading") and hasattr(module, name):
            setattr(module, name, value)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
