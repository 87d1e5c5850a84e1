"""Measure how often each reason is given, and how true it is: `python -m benchmarks why`.

In positions of beginners' games (half of the moves are the best one ply deep, the others random)
the best move and a doubtful or losing one are explained. A reason that names a piece as lost is
checked: the piece is *really taken* if the best answer, or one as good, takes this piece on this
place. Where the values of the game are known (`--values`, Robot Duel) an answer is as good if it
gives nothing away, elsewhere if a search two plies deeper calls it best or fine. A piece that will
be lost *soon* is checked within four plies of the line of a search three plies deeper. Both checks
look one ply further than the reason did. Times are processor time, so other work does not matter.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, Final

from benchmarks.hard_positions import sign
from benchmarks.timing import after
from engine.game import CHANCE
from engine.games import NAMES, make
from engine.match import AnyGame
from engine.search import Book, JudgedMove, search
from engine.search.explain import CODES, MoveReason, why
from engine.search.explain.facts import BoardFacts, MoveEffect, effects_of
from firmware_host.storage.tablebase import book_of

AT_ONCE: Final = ("walks-into", "leaves", "still-attacked")
"""Reasons that name a piece that may be taken at once …"""
NAMED: Final = (*AT_ONCE, "lets-attack", "loses-later")
"""… or soon."""
DEEPER: Final = 2
"""The check searches this many plies deeper than the reason, and one more for `soon`."""
SHALLOW: Final = 3
"""A reason rests on a search of at least this depth."""
CHECK_FACTOR: Final = 40
"""The check takes at most this many times as long as the search."""
LARGE: Final = 60
"""A board with more cells has long games."""
SOON: Final = 4
"""The number of plies after the move that count as soon."""


def beginners(game: AnyGame, rng: Random) -> Iterator[Any]:
    """Yield positions of beginners' games, a few of each game."""
    longest, between = (60, 8) if len(game.cells()) > LARGE else (24, 4)
    while True:
        position, due = game.start(), rng.randrange(4, 4 + between)
        for ply in range(longest):
            legal = game.legal(position)
            if not legal or game.outcome(position):
                break
            chance = game.turn(position) == CHANCE
            if ply >= due and not chance and len(legal) > 2:
                yield position
                due = ply + rng.randrange(between, 2 * between)
            move = rng.choice(list(legal))
            if not chance and rng.random() < 0.5:
                move = search(game, position, stop=lambda: False, deepest=1).moves[0].move
            position = game.play(position, move)


def is_taken(judged: JudgedMove, reason: MoveReason, seconds: float, book: Book | None) -> bool:
    """Return whether the named piece is really taken after the move."""
    game, facts = judged.game, BoardFacts(judged.game, judged.position)
    after = game.play(judged.position, judged.move)
    place = reason.places[0]
    if book is not None and reason.code in AT_ONCE:
        answers = search(game, after, stop=lambda: True, book=book).moves
        values = [sign(each.plies or 0) for each in answers]
        good = [
            each.move for each, value in zip(answers, values, strict=True) if value == max(values)
        ]
        return any(place in MoveEffect(facts, after, move).captured for move in good)
    stop = after(seconds)
    deepest = max(judged.depth, SHALLOW) + DEEPER - 1  # one ply has been made
    if reason.code in AT_ONCE:
        answers = search(game, after, stop=stop, deepest=deepest).moves
        good = [each.move for each in answers if each.grade in ("best", "fine")]
        return any(place in MoveEffect(facts, after, move).captured for move in good)
    found = search(game, after, stop=stop, deepest=deepest + 1, every=False).moves[0]
    theirs = game.turn(after)
    for effect in effects_of(facts, after, found.moves[:SOON]):
        if effect.seat == theirs and place in effect.captured:
            return True
        if effect.seat != theirs and effect.start == place and effect.end is not None:
            place = effect.end  # the piece flees
    return False


def game_figures(
    name: str, count: int, seconds: float, values: Path | None
) -> tuple[Counter[str], str]:
    """Return how often each reason was given in a game, and a line of figures."""
    game, rng = make(name), Random(5)
    given: Counter[str] = Counter()
    explained, bad, true = 0, 0, [0, 0]
    book = None if values is None else book_of(game, values)
    for position in islice(beginners(game, rng), count):
        result = search(game, position, stop=after(seconds))
        worse = [each for each in result.moves if each.grade in ("doubtful", "losing")]
        chosen = [result.moves[0], *([rng.choice(worse)] if worse else [])]
        for judged in chosen:
            reason = why(result, judged)
            if judged is not result.moves[0]:
                bad += 1
                explained += reason is not None
            if reason is not None:
                given[reason.code] += 1
                if reason.code in NAMED:
                    true[is_taken(judged, reason, CHECK_FACTOR * seconds, book)] += 1
    share = f"{explained / bad:.0%}" if bad else "-"
    taken = f"{true[1]} of {sum(true)}" if sum(true) else "-"
    figures = f"bad moves explained {explained} of {bad} ({share}), pieces really taken {taken}"
    return given, f"{name:11} {figures}"


def main(arguments: Sequence[str]) -> int:
    """Print all figures."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks why", description=__doc__)
    parser.add_argument("--positions", type=int, default=300, metavar="N", help="a game")
    parser.add_argument("--time", type=float, default=0.3, metavar="S", help="seconds a search")
    parser.add_argument("--game", action="append", choices=NAMES, help="only this one")
    parser.add_argument(
        "--values", type=Path, metavar="DIR", help="state directory with true values"
    )
    chosen = parser.parse_args(arguments)
    names = chosen.game or NAMES
    table = {}
    for name in names:
        table[name], line = game_figures(name, chosen.positions, chosen.time, chosen.values)
        print(line, flush=True)
    print(f"\n{'reason':18}" + "".join(f"{name:>12}" for name in names))
    for code in CODES:
        row = [table[name][code] for name in names]
        if any(row):
            print(f"{code:18}" + "".join(f"{n or '-':>12}" for n in row))
    return 0
