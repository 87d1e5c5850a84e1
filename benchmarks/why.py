"""How often each reason is given, and how true it is: `python -m benchmarks why`.

In positions of beginners' games (half of the moves are seen one ply deep, the others are any) the
best move and one that is doubtful or losing are explained. What is told of a man that will be lost
is held against a search that has ten times as long: whether that man is really taken in its line.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from random import Random
from time import process_time
from typing import Any, Final

from engine.game import CHANCE
from engine.games import NAMES, make
from engine.match import AnyGame
from engine.search import Judged, search
from engine.search.why import CODES, Why, why
from engine.search.why.facts import Deed, Men, deeds_of

AT_ONCE: Final = ("walks-into", "leaves", "still-attacked")
"""Reasons that name a man who may be taken at once …"""
NAMED: Final = (*AT_ONCE, "lets-attack", "loses-later")
"""… or soon."""
PROOF: Final = 10
SOON: Final = 4
"""Within so many plies after the move."""


def beginners(game: AnyGame, rng: Random) -> Any:
    """Return a position out of a beginners' game."""
    while True:
        position = game.start()
        for _ in range(rng.randrange(4, 60 if len(game.cells()) > 60 else 24)):
            legal = game.legal(position)
            if not legal or game.outcome(position):
                break
            move = rng.choice(list(legal))
            if game.turn(position) != CHANCE and rng.random() < 0.5:
                move = search(game, position, stop=lambda: False, deepest=1).moves[0].move
            position = game.play(position, move)
        over = game.outcome(position) or game.turn(position) == CHANCE
        if not over and len(game.legal(position)) > 2:
            return position


def is_taken(judged: Judged, said: Why, seconds: float) -> bool:
    """Whether the man that is named is taken after the move, as a longer search sees it: to take
    him is the best answer or a fine one, or it comes of the best one.
    """
    game, men = judged.game, Men(judged.game, judged.position)
    after = game.play(judged.position, judged.move)
    if said.code in AT_ONCE:
        end = process_time() + seconds
        answers = search(game, after, stop=lambda: process_time() >= end).moves
        good = [each.move for each in answers if each.grade in ("best", "fine")]
        return any(said.places[0] in Deed(men, after, move).took for move in good)
    end = process_time() + seconds
    found = search(game, after, stop=lambda: process_time() >= end, every=False).moves[0]
    place = said.places[0]
    theirs = game.turn(after)
    for deed in deeds_of(men, after, found.moves[:SOON]):
        if deed.seat == theirs and place in deed.took:
            return True
        if deed.seat != theirs and deed.start == place and deed.end is not None:
            place = deed.end  # he flees
    return False


def game_figures(name: str, count: int, seconds: float) -> tuple[Counter[str], str]:
    """Return how often each reason was given in a game, and a line of figures."""
    game, rng = make(name), Random(5)
    fired: Counter[str] = Counter()
    told, bad, true = 0, 0, [0, 0]
    for _ in range(count):
        position = beginners(game, rng)
        end = process_time() + seconds
        result = search(game, position, stop=lambda end=end: process_time() >= end)  # type: ignore[misc]
        worse = [each for each in result.moves if each.grade in ("doubtful", "losing")]
        chosen = [result.moves[0], *([rng.choice(worse)] if worse else [])]
        for judged in chosen:
            said = why(result, judged)
            if judged is not result.moves[0]:
                bad += 1
                told += said is not None
            if said is not None:
                fired[said.code] += 1
                if said.code in NAMED:
                    true[is_taken(judged, said, PROOF * seconds)] += 1
    share = f"{told / bad:.0%}" if bad else "-"
    named = f"{true[1]} of {sum(true)}" if sum(true) else "-"
    return (
        fired,
        f"{name:11} bad moves explained {told} of {bad} ({share}), men really taken {named}",
    )


def main(arguments: Sequence[str]) -> int:
    """Print all figures."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks why", description=__doc__)
    parser.add_argument("--positions", type=int, default=100, metavar="N", help="a game")
    parser.add_argument("--time", type=float, default=0.3, metavar="S", help="seconds a search")
    parser.add_argument("--game", action="append", choices=NAMES, help="only this one")
    chosen = parser.parse_args(arguments)
    names = chosen.game or NAMES
    table = {}
    for name in names:
        table[name], line = game_figures(name, chosen.positions, chosen.time)
        print(line, flush=True)
    print(f"\n{'reason':18}" + "".join(f"{name:>12}" for name in names))
    for code in CODES:
        row = [table[name][code] for name in names]
        if any(row):
            print(f"{code:18}" + "".join(f"{n or '-':>12}" for n in row))
    return 0
