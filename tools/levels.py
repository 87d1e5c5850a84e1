"""Measure how much stronger each level is than the one below: `python -m tools.levels`.

The score of a level is its share of the points; a draw counts half. Games begin with a few random
moves and are played twice, with the seats exchanged. A level may look at a fixed number of
positions for a move, the strongest at twice as many, so the speed of the machine does not matter.

With two players, a search three plies deep judges every tenth ply from ply 60 on: a side with a
chance of 90 % has won. After 160 plies the game is a draw. With four players, two of a level sit
opposite each other, and the game is a draw after 640 plies, throws and passes included.

A pair ends early when its share is certainly between 60 % and 90 %, or certainly not. `--usi` plays
another program at its lowest level in Shogi.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable, Sequence
from itertools import count
from math import sqrt
from random import Random
from time import process_time
from typing import Any, Final

from engine.game import CHANCE, Seat
from engine.games import NAMES, make
from engine.match import AnyGame, Match
from engine.notation.usi import move_of, position_word
from engine.search import search
from engine.search.opponents import BY_NAME, LEVELS, NO_BOOK, Level, choose

BEGINS: Final = {"shogi": 4, "abalone": 4, "robotory": 2, "robot-duel": 2, "chaturaji": 0}
"""The number of random moves at the start, so that games differ."""
JUDGED_FROM: Final = 60
JUDGED_EVERY: Final = 10
JUDGED_DEPTH: Final = 3
"""The depth in plies of the search that decides whether a side has won."""
DECIDED: Final = 0.9
"""The chance from which on a side has won."""
LONGEST: Final = 160
"""A game of two is a draw after this many plies, a game of four after four times as many."""
FAIR: Final = (0.6, 0.9)
"""The share that a level should win against the one below."""
ENOUGH: Final = 20
"""The least number of games of a pair."""
POSITIONS_BETWEEN_STOPS: Final = 32
"""A search asks once in this many positions whether to stop."""
WEAKEST: Final = -20
"""Fairy-stockfish's lowest `Skill Level`."""
_SURE: Final = 1.96

Player = Callable[[Match], Any]


def player(level: Level, chance: Random, positions: int) -> Player:
    """Return a player of this level that looks at about `positions` positions a move."""
    most = positions * (1 if level.temperature else 2) // POSITIONS_BETWEEN_STOPS

    def play(match: Match) -> Any:
        asked = count()
        return choose(
            match.game,
            match.position,
            match.earlier,
            level=level,
            chance=chance.random,
            stop=lambda: next(asked) >= most,
        )

    return play


class UsiProgram:
    """Another program that speaks USI; it plays Shogi, one ply deep."""

    def __init__(self, path: str) -> None:
        """Start the program."""
        self._process = subprocess.Popen(
            [path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self._asked("usi", "usiok")
        self._tell(f"setoption name Skill Level value {WEAKEST}")
        self._asked("isready", "readyok")

    def play(self, match: Match) -> Any:
        """Return its move; None if it resigns."""
        self._tell(f"position {position_word(match.game, match.position)}")
        word = self._asked("go depth 1", "bestmove").split()[1]
        return None if word == "resign" else move_of(match.game, match.position, word)

    def close(self) -> None:
        """End the program."""
        self._tell("quit")
        self._process.communicate()

    def _tell(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def _asked(self, line: str, answer: str) -> str:
        self._tell(line)
        assert self._process.stdout is not None
        for reply in self._process.stdout:
            if reply.startswith(answer):
                return reply
        raise SystemExit(f"levels: the program ended after {line!r}")


def points(game: AnyGame, ours: Player, others: Player, number: int) -> float:
    """Return the share of one game's point that `ours` wins.

    Every game with an odd number repeats the one before with the seats exchanged.
    """
    seats, chance = len(game.seats), Random(number // 2)
    own = {seat for seat in range(seats) if seat % 2 == number % 2}
    match, longest = Match.begin(game), LONGEST * (1 if seats == 2 else 4)
    while not match.outcome and match.plies < longest:
        if match.turn == CHANCE or match.plies < BEGINS[game.name]:
            move = chance.choice(list(match.legal))
        else:
            move = (ours if match.turn in own else others)(match)
        if move is None:
            return float(match.turn not in own)
        match = match.play(move)
        if (leader := decided(match)) is not None:
            return float(leader in own)
    winners = match.outcome.winners if match.outcome else ()
    return len(own & set(winners)) / len(winners) if winners else 0.5


def decided(match: Match) -> Seat | None:
    """Return the seat that counts as the winner if this ply is judged; else None."""
    late = match.plies >= JUDGED_FROM and match.plies % JUDGED_EVERY == 0
    if not late or match.outcome or len(match.game.seats) > 2:
        return None
    best = search(
        match.game,
        match.position,
        stop=lambda: False,
        deepest=JUDGED_DEPTH,
        every=False,
        book=NO_BOOK,
    ).moves[0]
    if best.chance >= DECIDED:
        return match.turn
    return 1 - match.turn if best.chance <= 1 - DECIDED else None


def interval(scores: Sequence[float]) -> tuple[float, float]:
    """Return the 95 % confidence interval of the share (Wilson)."""
    number, share = len(scores), sum(scores) / len(scores)
    middle = (share + _SURE**2 / (2 * number)) / (1 + _SURE**2 / number)
    wide = sqrt(share * (1 - share) / number + (_SURE / (2 * number)) ** 2)
    wide *= _SURE / (1 + _SURE**2 / number)
    return middle - wide, middle + wide


def summary(what: str, scores: Sequence[float], spent: float) -> str:
    """Return a line with a share and its interval."""
    least, most = interval(scores)
    return (
        f"{what}: {sum(scores):g} of {len(scores)}, {sum(scores) / len(scores):.0%} "
        f"({least:.0%} to {most:.0%}); {spent / len(scores):.1f} s a game"
    )


def is_clear(scores: Sequence[float]) -> bool:
    """Return whether the share is certainly fair, or certainly not."""
    least, most = interval(scores)
    outside = most < FAIR[0] or least > FAIR[1]
    return len(scores) >= ENOUGH and (outside or (least >= FAIR[0] and most <= FAIR[1]))


def series(what: str, game: AnyGame, ours: Player, others: Player, chosen: Any) -> None:
    """Play the games of a pair until the result is clear or the time is over; print the share."""
    scores: list[float] = []
    began = process_time()
    for number in range(chosen.first, chosen.first + chosen.games):
        if not number % 2 and scores and (process_time() - began > chosen.most or is_clear(scores)):
            break
        scores.append(points(game, ours, others, number))
        if not len(scores) % 10:
            print(f"  {sum(scores):g} of {len(scores)}", flush=True)
    print(summary(what, scores, process_time() - began), flush=True)


def main(arguments: Sequence[str]) -> int:
    """Play all pairs, or the chosen ones."""
    parser = argparse.ArgumentParser(prog="python -m tools.levels", description=__doc__)
    names = [level.name for level in LEVELS]
    parser.add_argument("--game", choices=NAMES, action="append", help="this one only")
    parser.add_argument("--level", choices=names[1:], action="append", help="this one only")
    parser.add_argument("--games", type=int, default=200, metavar="N", help="a pair (200)")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="number of the first")
    parser.add_argument("--positions", type=int, default=10_000, help="a move (10000)")
    parser.add_argument("--most", type=float, default=float("inf"), help="seconds a pair")
    parser.add_argument("--usi", metavar="PROGRAM", help="first-steps against its lowest level")
    chosen = parser.parse_args(arguments)
    if chosen.usi:
        program = UsiProgram(chosen.usi)
        first = player(BY_NAME["first-steps"], Random(0), chosen.positions)
        name = f"shogi, first-steps against {chosen.usi}"
        series(name, make("shogi"), first, program.play, chosen)
        program.close()
        return 0
    for game in chosen.game or NAMES:
        for number, level in enumerate(LEVELS[1:], 1):
            if level.name not in (chosen.level or names):
                continue
            ours, others = (
                player(each, Random(f"{game} {each.name} {chosen.first}"), chosen.positions)
                for each in (level, LEVELS[number - 1])
            )
            name = f"{game}, {level.name} against {LEVELS[number - 1].name}"
            series(name, make(game), ours, others, chosen)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
