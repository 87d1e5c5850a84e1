"""Chaturaji: random plies, single calls and counting; no other program has these rules."""

from __future__ import annotations

import random

from benchmarks.timing import calls, seconds, si
from engine.games.chaturaji import Chaturaji
from engine.games.chaturaji.position import ChaturajiPosition

PLIES = 120  # at most: about thirty turns of each seat


def _played(game: Chaturaji, rng: random.Random, plies: int) -> ChaturajiPosition:
    """Return the position after `plies` random plies, or fewer if the game ends."""
    position = game.start()
    for _ in range(plies):
        if not (throws := game.legal(position)):
            break
        position = game.play(position, rng.choice(throws))
        position = game.play(position, rng.choice(game.legal(position)))
    return position


def _thrown(game: Chaturaji, rng: random.Random, count: int) -> list[ChaturajiPosition]:
    """Return positions of random games with a choice of moves."""
    found: list[ChaturajiPosition] = []
    while len(found) < count:
        position = _played(game, rng, rng.randrange(PLIES))
        if throws := game.legal(position):
            thrown = game.play(position, rng.choice(throws))
            if len(game.legal(thrown)) > 1:
                found.append(thrown)
    return found


def run() -> None:
    """Print random plies a second, and the time of single calls."""
    game, rng = Chaturaji(), random.Random(1)
    start = game.start()
    spent = seconds({"plies": lambda: [_played(game, rng, 20) for _ in range(50)]})
    print(f"random plies a second, 20 from the start:      {si(1000 / spent['plies'])}")

    positions = _thrown(game, rng, 300)
    moves = [(position, rng.choice(game.legal(position))) for position in positions]
    print(f"one call with a die thrown, in µs: {calls(game, moves, 'threats')}")
    spent = seconds({"perft": lambda: game.perft(start, 4)})
    print(f"leaves a second in counting from the start: {si(10_000 / spent['perft'])}")
