"""Measure how deeply and how well moves are judged: `python -m benchmarks search`.

* depths: the depth reached for the best move alone, and with all moves graded, in seconds of
  processor time, from the start, in named positions, and in the middle of games;
* games: the score against greedy players, who make the move that looks best one ply ahead;
* mates: the mates in three of Shogi that are found in a second;
* values: how often the best move gives nothing away in hard positions of Robot Duel, which is
  solved;
* grades: how often the grades are true there;
* doubtful: the share of all moves that are called doubtful at each help level;
* foresight: what the best move of Robotory gives away, with and without values for what can be
  fetched next, judged by a deeper search without them.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from itertools import count as counted
from pathlib import Path
from random import Random
from statistics import mean, median
from time import process_time
from typing import Any, Final

from benchmarks import hard_positions, mates
from benchmarks.timing import after
from engine.game import CHANCE
from engine.games import NAMES, make
from engine.match import AnyGame, Match
from engine.search import Book, Result, search
from engine.search.evaluation import evaluator_of
from engine.search.grades import NEAR, grade
from engine.search.opponents import NO_BOOK
from firmware_host.players.help_levels import FINE_AT
from firmware_host.storage.tablebase import book_of
from tools.levels import POSITIONS_BETWEEN_STOPS

LONGEST: Final = 300
"""A game that is not over after this many moves is drawn."""

NAMED: Final = {
    "shogi": {
        "opening": "ln1gk2nl/1rs3gb1/p1pppp1pp/6p2/1p5P1/2P6/PPSPPPP1P/1BG4R1/LN2KGSNL b - 1",
        "middle": "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    }
}
"""Positions that are measured one by one."""
AGAINST_GREEDY: Final = {
    "shogi": (100, 4),
    "abalone": (100, 4),
    "robotory": (200, 2),
    "chaturaji": (200, 0),
}
"""The number of games, and of random moves at the start of each, so that games differ."""
PARTS: Final = ("depths", "games", "mates", "values", "grades", "doubtful", "foresight")
MUCH: Final = 10.0
"""A move that gives away more points of the hundred than this is counted."""

Player = Callable[[Match], Any]


def thought(match: Match, seconds: float, every: bool = False, book: Book | None = None) -> Result:
    """Return the result of the search after these seconds of processor time."""
    return search(
        match.game, match.position, match.earlier, stop=after(seconds), every=every, book=book
    )


def searcher(seconds: float) -> Player:
    """Return a player of the best move found in this time."""
    return lambda match: thought(match, seconds).moves[0].move


def greedy(chance: Random) -> Player:
    """Return a player of the move with the best position one ply ahead.

    With more than two seats it makes the move that takes the most.
    """

    def play(match: Match) -> Any:
        evaluator = evaluator_of(match.game, match.position)
        moves = list(match.legal)
        chance.shuffle(moves)
        if len(match.game.seats) > 2:
            return max(moves, key=evaluator.noise)
        side = evaluator.side

        def score_after(move: Any) -> int:
            evaluator.make(move)
            over = evaluator.noisy_moves() is None
            score = evaluator.final_result() * 1_000_000 if over else evaluator.score()
            score = score if evaluator.side == side else -score
            evaluator.unmake()
            return score

        return max(moves, key=score_after)

    return play


def played(game: AnyGame, players: Sequence[Player], chance: Random, random_plies: int) -> Match:
    """Return a whole game that begins with random moves; `chance` throws the dice."""
    match = Match.begin(game)
    while not match.outcome and match.plies < LONGEST:
        if match.turn == CHANCE or match.plies < random_plies:
            match = match.play(chance.choice(list(match.legal)))
        else:
            match = match.play(players[match.turn](match))
    return match


def score(game: AnyGame, ours: Player, others: Player, number: int, plies: int) -> float:
    """Return the share of a game's point that `ours` wins, in the seat of this game's number."""
    seats = len(game.seats)
    seat = number % seats
    players = [ours if each == seat else others for each in range(seats)]
    ended = played(game, players, Random(number // seats), plies).outcome
    if ended is None or not ended.winners:
        return 1 / seats
    return (seat in ended.winners) / len(ended.winners)


def positions(game: AnyGame, count: int) -> Iterator[Match]:
    """Yield the start (after a throw, if the game has dice) and positions from greedy games."""
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


def named(game: AnyGame) -> dict[str, Match]:
    """Return the named positions of a game."""
    found = {"start": next(positions(game, 1))}
    for name, text in NAMED.get(game.name, {}).items():
        found[name] = Match.begin(game, game.parse_position(text))
    return found


def reached(match: Match, seconds: float, every: bool) -> tuple[int | None, float]:
    """Return the depth reached without a book, None if the outcome is found, and positions/s."""
    began = process_time()
    result = thought(match, seconds, every, NO_BOOK)
    speed = result.nodes / (process_time() - began)
    if result.moves[0].chance in (0, 1):
        return None, speed
    # a move that is lost by force is not searched again
    return min(each.depth for each in result.moves if each.chance or not every), speed


def depths(games: Sequence[str], count: int) -> None:
    """Print the depths that the search reaches."""
    print(f"depth in positions by name and in {count} of games (median); thousand positions/s")
    for name in games:
        game = make(name)
        by_name = named(game)
        middle = list(positions(game, count + 1))[1:]
        for seconds in (0.3, 1.0):
            for every in (False, True):
                speeds = []
                cells = []
                for what, match in by_name.items():
                    depth, speed = reached(match, seconds, every)
                    speeds.append(speed)
                    cells.append(f"{what} {depth or 'decided'}")
                open_ones = []
                for match in middle:
                    depth, speed = reached(match, seconds, every)
                    speeds.append(speed)
                    open_ones += [depth] if depth is not None else []
                if open_ones:
                    cells.append(f"games {median(open_ones):g}, at least {min(open_ones)}")
                what = "all " if every else "best"
                rate = f"{median(speeds) / 1000:.0f} k/s"
                print(f"{name:11} {seconds:g} s {what} {' · '.join(cells)}   {rate}", flush=True)


def games(names: Sequence[str], count: int, seconds: float) -> None:
    """Print the score of the search against greedy players."""
    print("\ngames against greedy players")
    for name in names:
        if name not in AGAINST_GREEDY:
            continue
        usual, plies = AGAINST_GREEDY[name]
        game, scores = make(name), list[float]()
        for number in range(count or usual):
            ours, theirs = searcher(seconds), greedy(Random(number))
            scores.append(score(game, ours, theirs, number, plies))
            if not len(scores) % 20:
                print(f"  {sum(scores):g} of {len(scores)}", flush=True)
        print(f"{name:11} {seconds:g} s a move: {sum(scores):g} of {len(scores)}", flush=True)


def found_mates(count: int) -> None:
    """Print the number of mates in three that are found within a second."""
    times = []
    for mate in mates.kept()[: count or None]:
        times.append(mates.found_in(mate, 1.0))
        if times[-1] is None:
            print(f"not found: {mate[0]}", flush=True)
    found = [time for time in times if time is not None]
    print(
        f"\nmates in three found within 1 s: {len(found)} of {len(times)}; "
        f"in {median(found) * 1000:.0f} ms (median), {max(found) * 1000:.0f} at most",
        flush=True,
    )


def true_values(count: int) -> None:
    """Print how often the search is right in hard positions of Robot Duel."""
    hard = hard_positions.kept()[: count or None]
    print(f"\nRobot Duel, {len(hard)} hard positions: values kept")
    for seconds in (0.2, 1.0):
        kept = hard_positions.values_kept(hard, seconds)
        print(f"{seconds:g} s: {kept} of {len(hard)}, {kept / len(hard):.1%}", flush=True)


def true_grades(count: int) -> None:
    """Print how often the grades are true in hard positions of Robot Duel."""
    hard = hard_positions.kept()[: count or None]
    print(f"\nRobot Duel, {len(hard)} hard positions: grades")
    for seconds in (0.3, 1.0):
        counts = hard_positions.grades(hard, seconds).items()
        shares = "; ".join(f"{name} {true} of {count}" for name, (true, count) in counts)
        print(f"grades that are true after {seconds:g} s: {shares}", flush=True)


def doubtful(names: Sequence[str], count: int, seconds: float = 0.3) -> None:
    """Print the share of all moves that are called doubtful at each help level."""
    print(f"\nshare of moves that are doubtful after {seconds:g} s, by help level")
    for name in names:
        by_level: list[list[str]] = [[] for _ in FINE_AT]
        for match in positions(make(name), count):
            result = search(match.game, match.position, stop=after(seconds), near=NEAR)
            best = result.moves[0].chance
            for each in result.moves:
                for fine, grades in zip(FINE_AT, by_level, strict=True):
                    grades.append(grade(each.chance, best, each.grade == "best", fine))
        shares = (grades.count("doubtful") / len(grades) for grades in by_level)
        print(f"{name:11} " + " · ".join(f"{share:.0%}" for share in shares), flush=True)


def foresight(count: int, nodes: int = 12_000, deeper: int = 160_000) -> None:
    """Print what the best move of Robotory gives away, with and without foresight."""
    given: dict[bool, list[float]] = {True: [], False: []}
    for match in positions(make("robotory"), count):
        judged = judged_by(match, deeper, foresees=False).moves
        chances = {each.text: each.chance for each in judged}
        for foresees, points in given.items():
            best = judged_by(match, nodes, foresees).moves[0].text
            points.append(100 * (judged[0].chance - chances[best]))
    print(f"\nRobotory, {count} positions: points given away after {nodes:,} positions")
    for foresees, points in given.items():
        how = "foreseen" if foresees else "not foreseen"
        much = sum(each > MUCH for each in points)
        print(f"{how}: {mean(points):.1f} on average, more than {MUCH:g} in {much}", flush=True)


def judged_by(match: Match, nodes: int, foresees: bool) -> Result:
    """Return the result of the search after this many positions."""
    looks = counted(POSITIONS_BETWEEN_STOPS, POSITIONS_BETWEEN_STOPS)
    stop: Callable[[], bool] = lambda: next(looks) >= nodes  # noqa: E731
    return search(match.game, match.position, match.earlier, stop=stop, foresees=foresees)


def derive(state: Path) -> None:
    """Write the hard positions again, from the table in a state directory."""
    book = book_of(make("robot-duel"), state)
    if book is None:
        raise SystemExit(f"{state}: no table of Robot Duel; `make tablebase` makes one")
    positions = hard_positions.derive(book, greedy(Random(3)))
    hard_positions.keep(positions)
    right = hard_positions.values_kept(positions, 0.2, book)
    print(f"{hard_positions.FILE}: {len(positions)}; by the table {right} values are kept")


def main(arguments: Sequence[str]) -> int:
    """Print all figures."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks search",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--part", choices=PARTS, action="append", help="only this one")
    parser.add_argument("--game", choices=NAMES, action="append", help="only this one")
    parser.add_argument("--count", type=int, default=0, metavar="N", help="of games or positions")
    parser.add_argument("--seconds", type=float, default=0.1, help="a move in games (0.1)")
    parser.add_argument("--derive", type=Path, metavar="DIR", help="write the hard positions")
    parser.add_argument("--derive-mates", action="store_true", help="write the mates")
    chosen = parser.parse_args(arguments)
    if chosen.derive is not None:
        derive(chosen.derive)
        return 0
    if chosen.derive_mates:
        mates.derive(greedy(Random(5)))
        return 0
    parts, names, count = chosen.part or PARTS, chosen.game or NAMES, chosen.count
    if "depths" in parts:
        depths(names, count or 9)
    if "games" in parts:
        games(names, count, chosen.seconds)
    if "mates" in parts and "shogi" in names:
        found_mates(count)
    if "values" in parts and "robot-duel" in names:
        true_values(count)
    if "grades" in parts and "robot-duel" in names:
        true_grades(count)
    if "doubtful" in parts:
        doubtful(names, count or 13)
    if "foresight" in parts and "robotory" in names:
        foresight(count or 60)
    return 0
