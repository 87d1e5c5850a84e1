"""How deeply and how well moves are judged: `python -m benchmarks search`.

Depth: what is reached for the best move alone, and for all moves graded, in seconds of processor
time, from the start and in the middle of games. Games: against greedy players, who take what stands
best one move ahead. True values: how often the best move gives nothing away in hard positions of
Robot Duel, which is solved, and how often its grades are true.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from statistics import median
from time import process_time
from typing import Any, Final

from benchmarks import hard_positions
from engine.game import CHANCE
from engine.games import NAMES, make
from engine.match import AnyGame, Match
from engine.search import Result, search
from engine.search.worth import seam_of
from firmware_host.known_values import book_of

LONGEST: Final = 300
"""A game that is not over after so many moves is drawn."""

Player = Callable[[Match], Any]


def thought(match: Match, seconds: float, every: bool = False) -> Result:
    """Return what the search says after so many seconds of processor time."""
    earlier = [before.position for before in match.past()][::-1]
    end = process_time() + seconds
    stop = lambda: process_time() >= end  # noqa: E731 - it is what it says
    return search(match.game, match.position, earlier, stop=stop, every=every)


def searcher(seconds: float) -> Player:
    """Return a player who plays the best move found in that time."""
    return lambda match: thought(match, seconds).moves[0].move


def greedy(chance: Random) -> Player:
    """Return a player who makes the move after which it stands best, whatever is answered; where
    more than two play, who takes the most.
    """

    def play(match: Match) -> Any:
        seam = seam_of(match.game, match.position)
        moves = list(match.legal)
        chance.shuffle(moves)
        if len(match.game.seats) > 2:
            return max(moves, key=seam.loud)
        side = seam.side

        def after(move: Any) -> int:
            seam.make(move)
            over = seam.loud_moves() is None
            worth = seam.over() * 1_000_000 if over else seam.worth()
            worth = worth if seam.side == side else -worth
            seam.unmake()
            return worth

        return max(moves, key=after)

    return play


def played(game: AnyGame, players: Sequence[Player], chance: Random, random_plies: int) -> Match:
    """Return a whole game; it begins with random moves, and chance throws the dice."""
    match = Match.begin(game)
    while not match.outcome and match.plies < LONGEST:
        if match.turn == CHANCE or match.plies < random_plies:
            match = match.play(chance.choice(list(match.legal)))
        else:
            match = match.play(players[match.turn](match))
    return match


def score(game: AnyGame, ours: Player, others: Player, number: int, plies: int) -> float:
    """Return the share of a game's point that the searching player wins, in seat after seat."""
    seats = len(game.seats)
    seat = number % seats
    players = [ours if each == seat else others for each in range(seats)]
    ended = played(game, players, Random(number // seats), plies).outcome
    if ended is None or not ended.winners:
        return 1 / seats
    return (seat in ended.winners) / len(ended.winners)


def positions(game: AnyGame, count: int) -> Iterator[Match]:
    """Yield the start (with a throw, if need be) and positions from games of greedy players."""
    chance = Random(7)
    player = greedy(chance)
    found = 0
    while found < count:
        match, plies = Match.begin(game), found and chance.randrange(6, 40)
        while not match.outcome and (match.plies < plies or match.turn == CHANCE):
            by_chance = match.turn == CHANCE or match.plies < 4
            move = chance.choice(list(match.legal)) if by_chance else player(match)
            match = match.play(move)
        if not match.outcome and (len(match.legal) > 1):
            found += 1
            yield match


def depths(count: int) -> None:
    """Print how deep the search comes."""
    print(f"depth, the start and {count - 1} positions of games (median)   thousand positions/s")
    for name in NAMES:
        game = make(name)
        matches = list(positions(game, count))
        cells, speeds = [], []
        for seconds in (0.3, 1.0):
            for every in (False, True):
                reached = []
                for match in matches:
                    began = process_time()
                    result = thought(match, seconds, every)
                    speeds.append(result.nodes / (process_time() - began))
                    forced = result.moves[0].chance in (0, 1)
                    reached.append(result.moves[0].depth if not forced else None)
                open_ones = [depth for depth in reached[1:] if depth is not None]
                middle = f"{median(open_ones):g}" if open_ones else "-"
                what = "all" if every else "best"
                cells.append(f"{seconds:g} s {what} {reached[0] or '-'} · {middle}")
        print(f"{name:11} {'   '.join(cells)}   {median(speeds) / 1000:.0f}", flush=True)


def games(share: float) -> None:
    """Print how the search does against greedy players."""
    print("\ngames against greedy players")
    for name, number, seconds, plies in (
        ("shogi", 20, 0.1, 4),
        ("abalone", 20, 0.1, 4),
        ("robotory", 40, 0.1, 2),
        ("chaturaji", 32, 0.1, 0),
    ):
        game, count = make(name), max(4, round(number * share))
        points = [
            score(game, searcher(seconds), greedy(Random(each)), each, plies)
            for each in range(count)
        ]
        print(f"{name:11} {seconds:g} s a move: {sum(points):g} of {count}", flush=True)


def true_values(share: float) -> None:
    """Print how often the search is right in hard positions of Robot Duel."""
    hard = hard_positions.kept()
    hard = hard[: round(len(hard) * share)]
    print(f"\nRobot Duel, {len(hard)} hard positions: values kept")
    for seconds in (0.2, 1.0):
        kept = hard_positions.values_kept(hard, seconds)
        print(f"{seconds:g} s: {kept} of {len(hard)}, {kept / len(hard):.1%}", flush=True)
    for seconds in (0.3, 1.0):
        counts = hard_positions.grades(hard, seconds).items()
        told = "; ".join(f"{name} {true} of {count}" for name, (true, count) in counts)
        print(f"grades that are true after {seconds:g} s: {told}", flush=True)


def derive(state: Path) -> None:
    """Write the hard positions anew, by the table in a state directory."""
    book = book_of(make("robot-duel"), state)
    if book is None:
        raise SystemExit(f"{state}: no table of Robot Duel; `lampion solve robot-duel` makes one")
    positions = hard_positions.derive(book, greedy(Random(3)))
    hard_positions.keep(positions)
    right = hard_positions.values_kept(positions, 0.2, book)
    print(f"{hard_positions.FILE}: {len(positions)}; by the table {right} values are kept")


def main(arguments: Sequence[str]) -> int:
    """Print all figures."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks search", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of it")
    parser.add_argument("--derive", type=Path, metavar="DIR", help="the hard positions, anew")
    chosen = parser.parse_args(arguments)
    if chosen.derive is not None:
        derive(chosen.derive)
        return 0
    depths(2 if chosen.quick else 4)
    games(0.1 if chosen.quick else 1)
    true_values(0.1 if chosen.quick else 1)
    return 0
