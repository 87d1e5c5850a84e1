"""Compare contenders: they take turns in one run, and the median counts.

Absolute times drift with the load of the machine. Contenders that take turns share it, so their
ratios hold.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from statistics import median
from time import process_time
from typing import Any

from engine.match import AnyGame, AnyMove


def seconds(contenders: Mapping[str, Callable[[], object]], rounds: int = 7) -> dict[str, float]:
    """Return the median CPU seconds of one call of each; a round calls each for at least 20 ms."""
    times: dict[str, list[float]] = {name: [] for name in contenders}
    gc.collect()
    for _ in range(rounds):
        for name, call in contenders.items():
            calls, began = 0, process_time()
            while (spent := process_time() - began) < 0.02 or not calls:
                call()
                calls += 1
            times[name].append(spent / calls)
    return {name: median(spent) for name, spent in times.items()}


def after(seconds: float) -> Callable[[], bool]:
    """Return a function that returns whether this processor time has passed."""
    end = process_time() + seconds
    return lambda: process_time() >= end


def calls(game: AnyGame, pairs: Sequence[tuple[Any, AnyMove]], *others: str) -> str:
    """Return the µs of one call of `legal`, `play`, `changes` and of `others`.

    `pairs` are positions with a move; `others` are methods of the game that take a position.
    """

    def on_each(name: str) -> Callable[[], object]:
        method = getattr(game, name)
        return lambda: [method(position) for position, _ in pairs]

    timed = {
        "legal": on_each("legal"),
        "play": lambda: [game.play(position, move) for position, move in pairs],
        "changes": lambda: [game.changes(position, move) for position, move in pairs],
        **{name: on_each(name) for name in others},
    }
    return ", ".join(
        f"{name} {spent / len(pairs) * 1e6:.2f}" for name, spent in seconds(timed).items()
    )


def peer(name: str) -> Any | None:
    """Return the module of a peer; None, after a notice, if it is not installed."""
    try:
        return import_module(name)
    except ImportError:
        print(f"{name} is not installed here: skipped (`make bench` installs it)")
        return None


def si(number: float) -> str:
    """Return a number with three digits and k or M."""
    for size, letter in (1e6, " M"), (1e3, " k"):
        if number >= size:
            return f"{number / size:.3g}{letter}"
    return f"{number:.3g}"
