"""Measure the list of past matches: the first build of its index, then what a page asks for.

The journals of random matches of all games are written into a directory of its own. Each answer is
what the page gets, as JSON, with the check whether any journal has changed. The pages are asked for
in turn, and medians count.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, time
from unittest.mock import patch

import msgspec

from engine.games import NAMES, make
from engine.match import Match
from firmware_host.session.record import Record, entry_of
from firmware_host.storage.journal import Head, Journal, Player
from firmware_host.storage.library import Library, evening_began
from firmware_host.web import past_matches

PEOPLE = ("Ania", "Ola", "Tomek", "Łucja", "Jürgen", "Zoë", "František", "Noé")
MOST_PLIES = 100
KINDS = 12
"""The number of different matches of each game."""
ROUNDS = 9


def main(arguments: Sequence[str]) -> int:
    """Run it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks library", description=__doc__)
    parser.add_argument("--matches", type=int, default=5000)
    number = parser.parse_args(arguments).matches
    with TemporaryDirectory() as directory:
        state = Path(directory)
        _write(state, number)
        library = Library(state)
        began = perf_counter()
        library.update()
        spent = perf_counter() - began
        print(
            f"{number} matches: the index is built in {spent:.1f} s, {number / spent:.0f} a second"
        )
        library.close()
        began = perf_counter()
        library = Library(state)
        _answer(library)
        print(f"first page after a start: {1000 * (perf_counter() - began):.0f} ms")
        middle = library.page(most=number // 2 or 1).next
        for name, spent in _medians(
            {
                "first page": lambda: _answer(library),
                "first page of a game": lambda: _answer(library, game="shogi"),
                "search by name": lambda: _answer(library, search="łucja tomek"),
                "search in vain": lambda: _answer(library, search="nobody"),
                "a page in the middle": lambda: _answer(library, after=middle),
            }
        ).items():
            print(f"{name}: {1000 * spent:.0f} ms")
        size = (state / "library.sqlite").stat().st_size
        print(f"the index is {size / 1e6:.1f} MB")
        library.close()
    return 0


def _answer(library: Library, game: str = "", search: str = "", after: str = "") -> bytes:
    """Return what the page gets."""
    library.update(0.25)
    page = library.page(game=game, search=search, after=after, most=30)
    tonight = library.since(evening_began(datetime.now()).timestamp())
    return msgspec.json.encode(
        {
            "matches": [past_matches.listed(match, "en") for match in page.matches],
            "total": page.total,
            "evening": past_matches.evening(tonight, "en"),
        }
    )


def _medians(asked: Mapping[str, Callable[[], object]]) -> dict[str, float]:
    """Return the median time of each question; they take turns."""
    times: dict[str, list[float]] = {name: [] for name in asked}
    for _ in range(ROUNDS):
        for name, ask in asked.items():
            began = perf_counter()
            ask()
            times[name].append(perf_counter() - began)
    return {name: median(spent) for name, spent in times.items()}


def _write(state: Path, number: int) -> None:
    rng = Random(1)
    played = [(make(name), _record(name, rng)) for name in NAMES for _ in range(KINDS)]
    with patch("os.fsync"):  # nobody pulls the plug here
        for each in range(number):
            game, record = played[each % len(played)]
            path = state / f"match-{each:05}.jsonl"
            journal = Journal(path, Head(game, "square-reed", None))
            names = rng.sample(PEOPLE, len(game.seats))
            journal.players = tuple(Player(name, "person") for name in names)
            journal.write(record)
            journal.close()
            at = time() - 7200 * (number - each)
            os.utime(path, (at, at))


def _record(name: str, rng: Random) -> Record:
    match = Match.begin(make(name))
    while match.outcome is None and match.plies < MOST_PLIES:
        match = match.play(rng.choice(list(match.legal)))
    return tuple(map(entry_of, match.steps()))
