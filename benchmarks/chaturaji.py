"""Chaturaji: random plies, single calls and counting; no other program plays by these rules."""

from __future__ import annotations

import random

from benchmarks.timing import seconds, si
from engine.games.chaturaji import Chaturaji, Position

PLIES = 120  # of one playout: about thirty turns of each seat


def _by_the_rules(game: Chaturaji, rng: random.Random) -> int:
    """Play out through the public contract; return how many plies there were."""
    position, played = game.start(), 0
    while played < PLIES and (throws := game.legal(position)):
        position = game.play(position, rng.choice(throws))
        position = game.play(position, rng.choice(game.legal(position)))
        played += 1
    return played


def _thrown(game: Chaturaji, rng: random.Random, count: int) -> list[Position]:
    """Return positions of random games in which a man can be moved."""
    found: list[Position] = []
    while len(found) < count:
        position, _ = game.random_plies(game.start(), rng, rng.randrange(PLIES))
        if throws := game.legal(position):
            thrown = game.play(position, rng.choice(throws))
            if len(game.legal(thrown)) > 1:
                found.append(thrown)
    return found


def run() -> None:
    """Print random plies a second, fast and through the contract, and the price of single calls."""
    game, rng = Chaturaji(), random.Random(1)
    start = game.start()
    short = sum(game.random_plies(start, rng, PLIES)[1] for _ in range(200)) / 200
    whole = sum(game.random_plies(start, rng, 10_000)[1] for _ in range(200)) / 200
    spent = seconds(
        {
            "playout": lambda: [game.random_plies(start, rng, PLIES) for _ in range(50)],
            "game": lambda: [game.random_plies(start, rng, 10_000) for _ in range(10)],
            "contract": lambda: [_by_the_rules(game, rng) for _ in range(5)],
        }
    )
    fast = 50 * short / spent["playout"]
    slow = 5 * short / spent["contract"]
    print(f"random plies a second, {PLIES} from the start:     {si(fast)}")
    print(f"random plies a second, to the end ({whole:.0f}): {si(10 * whole / spent['game'])}")
    print(f"the same through legal and play:               {si(slow)} (ratio {fast / slow:.1f})")

    positions = _thrown(game, rng, 300)
    moves = [(position, rng.choice(game.legal(position))) for position in positions]
    spent = seconds(
        {
            "legal": lambda: [game.legal(position) for position in positions],
            "play": lambda: [game.play(position, move) for position, move in moves],
            "changes": lambda: [game.changes(position, move) for position, move in moves],
            "threats": lambda: [game.threats(position) for position in positions],
        }
    )
    each = ", ".join(f"{name} {s / 300 * 1e6:.1f}" for name, s in spent.items())
    print(f"one call with a die thrown, in µs: {each}")

    spent = seconds({"perft": lambda: game.perft(start, 4)})
    print(f"leaves a second in counting from the start: {si(10_000 / spent['perft'])}")
