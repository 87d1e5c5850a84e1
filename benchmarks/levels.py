"""How much stronger each level is than the one below: `python -m benchmarks levels`.

A level counts its share of the points, draws half. Games begin with a few random moves and are
played twice, with seats changed. The first four levels look as deeply as they look, however long
that takes; the strongest has as much processor time a move as is said. Where four play, two of a
level sit opposite each other. `--usi` plays a program of others at its lowest level in Shogi.
"""

from __future__ import annotations

import argparse
import subprocess
from collections.abc import Callable, Sequence
from math import sqrt
from random import Random
from time import process_time
from typing import Any, Final

from benchmarks.search import LONGEST
from engine.game import CHANCE
from engine.games import NAMES, make
from engine.match import AnyGame, Match
from engine.notation.usi_words import move_of, position_word
from engine.search.opponents import LEVELS, Level, choose

BEGINS: Final = {"shogi": 4, "abalone": 4, "robotory": 2, "robot-duel": 2, "chaturaji": 0}
"""How many random moves a game begins with, so that no two are the same."""
WEAKEST: Final = -20
"""Fairy-stockfish's lowest `Skill Level`."""
_SURE: Final = 1.96

Player = Callable[[Match], Any]


def player(level: Level, chance: Random, seconds: float) -> Player:
    """Return who plays as a level does, with so much processor time a move if it is the strongest:
    the others look no further than they look.
    """

    def play(match: Match) -> Any:
        earlier = [before.position for before in match.past()][::-1]
        end = process_time() + (float("inf") if level.temperature else seconds)
        return choose(
            match.game,
            match.position,
            earlier,
            level=level,
            chance=chance.random,
            stop=lambda: process_time() >= end,
        )

    return play


class Program:
    """A program of others that speaks USI; it plays Shogi, one ply deep."""

    def __init__(self, path: str) -> None:
        """Start it."""
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
        """End it."""
        self._tell("quit")
        self._process.communicate()

    def _tell(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def _asked(self, line: str, answer: str) -> str:
        self._tell(line)
        assert self._process.stdout is not None
        for said in self._process.stdout:
            if said.startswith(answer):
                return said
        raise SystemExit(f"levels: the program ended when it was told {line!r}")


def points(game: AnyGame, ours: Player, others: Player, number: int) -> float:
    """Return the share of a game's point that `ours` wins; every second game is the one before
    with seats changed.
    """
    seats, chance = len(game.seats), Random(number // 2)
    own = {seat for seat in range(seats) if seat % 2 == number % 2}
    match = Match.begin(game)
    while not match.outcome and match.plies < LONGEST:
        if match.turn == CHANCE or match.plies < BEGINS[game.name]:
            move = chance.choice(list(match.legal))
        else:
            move = (ours if match.turn in own else others)(match)
        if move is None:
            return float(match.turn not in own)
        match = match.play(move)
    winners = match.outcome.winners if match.outcome else ()
    return len(own & set(winners)) / len(winners) if winners else 0.5


def told(what: str, scores: Sequence[float], spent: float) -> str:
    """Return a line with a share and between what it lies, 19 times of 20 (Wilson)."""
    count, share = len(scores), sum(scores) / len(scores)
    middle = (share + _SURE**2 / (2 * count)) / (1 + _SURE**2 / count)
    wide = sqrt(share * (1 - share) / count + (_SURE / (2 * count)) ** 2)
    wide *= _SURE / (1 + _SURE**2 / count)
    return (
        f"{what}: {sum(scores):g} of {count}, {share:.0%} "
        f"({middle - wide:.0%} to {middle + wide:.0%}); {spent / count:.1f} s a game"
    )


def series(what: str, game: AnyGame, ours: Player, others: Player, chosen: Any) -> None:
    """Play the games of a pair, until there are enough or the time is over, and print the share."""
    scores: list[float] = []
    began = process_time()
    for number in range(chosen.first, chosen.first + chosen.games):
        if process_time() - began > chosen.most and not number % 2:
            break
        scores.append(points(game, ours, others, number))
        if not len(scores) % 20:
            print(f"  {sum(scores):g} of {len(scores)}", flush=True)
    print(told(what, scores, process_time() - began), flush=True)


def main(arguments: Sequence[str]) -> int:
    """Play all pairs, or those that are asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks levels", description=__doc__)
    names = [level.name for level in LEVELS]
    parser.add_argument("--game", choices=NAMES, action="append", help="this one only")
    parser.add_argument("--level", choices=names[1:], action="append", help="this one only")
    parser.add_argument("--games", type=int, default=200, metavar="N", help="a pair (200)")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="number of the first")
    parser.add_argument("--seconds", type=float, default=0.1, help="of the strongest (0.1)")
    parser.add_argument("--most", type=float, default=float("inf"), help="seconds a pair")
    parser.add_argument("--usi", metavar="PROGRAM", help="first-steps against its lowest level")
    chosen = parser.parse_args(arguments)
    if chosen.usi:
        program = Program(chosen.usi)
        first = player(LEVELS[0], Random(0), chosen.seconds)
        name = f"shogi, {LEVELS[0].name} against {chosen.usi}"
        series(name, make("shogi"), first, program.play, chosen)
        program.close()
        return 0
    for game in chosen.game or NAMES:
        for number, level in enumerate(LEVELS[1:], 1):
            if level.name not in (chosen.level or names):
                continue
            ours, others = (
                player(each, Random(f"{game} {each.name} {chosen.first}"), chosen.seconds)
                for each in (level, LEVELS[number - 1])
            )
            name = f"{game}, {level.name} against {LEVELS[number - 1].name}"
            series(name, make(game), ours, others, chosen)
    return 0
