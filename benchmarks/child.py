"""Measure how often a child who has just learned the rules wins: `python -m benchmarks child`.

The child is simulated. Three turns of ten it makes any legal move. Otherwise it plays a win in one;
else it takes the most valuable piece that it can take without being taken back at once; else it
makes any legal move. In Abalone pushing off counts as taking, in Robotory fetching a robot.

Its share is that of the points: winners share a point, a draw counts half with two players. The
child sits at every seat in turn, and a level at all the others. After 200 plies a search judges a
game of two, and the chance counts as the point. After 800 plies the leader of a game of four wins.

`--level fits-you` is the level that follows the child's results, from *newcomer* on. A judged game
of two counts as won or lost if one side has 90 % of the chance, else as a draw.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from time import process_time
from typing import Any, Final

from engine.game import CHANCE, Seat
from engine.games import NAMES, make
from engine.games.robotory.moves import MoveRobot
from engine.match import AnyGame, AnyMove, Match
from engine.search import search
from engine.search.evaluation import evaluator_of
from engine.search.explain.facts import BoardFacts, MoveEffect
from engine.search.opponents import BY_NAME, LEVELS, NO_BOOK
from firmware_host.opponents.fitting_levels import next_level
from firmware_host.players.kinds import FITS_YOU
from tools.levels import DECIDED, Player, player, summary

RANDOM_SHARE: Final = 0.3
"""The share of turns in which the child makes any legal move."""
LONGEST: Final = 200
"""A game of two is judged after this many plies, a game of four after four times as many."""
JUDGED_DEPTH: Final = 3


def child(chance: Random) -> Player:
    """Return the simulated child."""

    def play(match: Match) -> AnyMove:
        legal = match.legal
        if chance.random() < RANDOM_SHARE:
            return chance.choice(legal)
        facts = BoardFacts(match.game, match.position)
        for move in legal:
            if MoveEffect(facts, match.position, move).wins:
                return move
        gains = {move: gain for move in legal if (gain := safe_gain(facts, match.position, move))}
        most = max(gains.values(), default=0)
        return chance.choice([move for move in gains if gains[move] == most] or legal)

    return play


def safe_gain(facts: BoardFacts, position: Any, move: AnyMove) -> int:
    """Return the value of what a move takes; 0 for nothing, or if it can be taken back at once."""
    game = facts.game
    noise = evaluator_of(game, position).noise(move)
    if not noise:
        return 0
    if isinstance(move, MoveRobot):
        return noise  # nobody takes a robot back
    effect = MoveEffect(facts, position, move)
    gain = sum(facts.value(piece) for piece in effect.captured.values())
    if not gain or effect.end is None or effect.outcome is not None:
        return gain
    seat, turn = effect.seat, game.turn(effect.after)
    if turn == seat:
        return gain
    if turn == CHANCE:
        return 0 if facts.throws(effect.after, seat).taking[effect.end] else gain
    return 0 if facts.captures(effect.after, effect.end) else gain


def points(game: AnyGame, ours: Player, others: Player, number: int) -> tuple[float, bool]:
    """Return the share of one game's point that `ours` wins, and whether the game was played to
    its end; the seat of `ours` is by the number.
    """
    own, chance = number % len(game.seats), Random(number)
    match, longest = Match.begin(game), LONGEST * (1 if len(game.seats) == 2 else 4)
    while not match.outcome and match.plies < longest:
        if match.turn == CHANCE:
            match = match.play(chance.choice(list(match.legal)))
        else:
            match = match.play((ours if match.turn == own else others)(match))
    if not match.outcome:
        return judged(match, own), False
    winners = match.outcome.winners
    if not winners:
        return 1 / len(game.seats), True
    return (own in winners) / len(winners), True


def judged(match: Match, own: Seat) -> float:
    """Return the point of an unfinished game: with two players by the chance, else by the score."""
    game = match.game
    if len(game.seats) > 2:
        scores = evaluator_of(game, match.position).side_scores()
        return float(scores[own] == max(scores))
    best = search(
        game, match.position, stop=lambda: False, deepest=JUDGED_DEPTH, every=False, book=NO_BOOK
    ).moves[0]
    return best.chance if match.turn == own else 1 - best.chance


def main(arguments: Sequence[str]) -> int:
    """Play the chosen games."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks child", description=__doc__)
    parser.add_argument("--game", choices=NAMES, action="append", help="this one only")
    parser.add_argument("--games", type=int, default=200, metavar="N", help="of each (200)")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="number of the first")
    parser.add_argument(
        "--level", choices=[*BY_NAME, FITS_YOU], default=LEVELS[0].name, help="the opponent"
    )
    parser.add_argument("--random", type=float, metavar="SHARE", help="of the level's moves")
    parser.add_argument("--positions", type=int, default=4000, help="a move (4000)")
    parser.add_argument("--most", type=float, default=float("inf"), help="seconds a game's series")
    chosen = parser.parse_args(arguments)
    for name in chosen.game or NAMES:
        print(series(make(name), chosen), flush=True)
    return 0


def series(game: AnyGame, chosen: argparse.Namespace) -> str:
    """Play the child's games against the chosen level; return the line with its share."""
    fits = chosen.level == FITS_YOU
    level = LEVELS[0] if fits else BY_NAME[chosen.level]
    if chosen.random is not None:
        level = replace(level, at_random=chosen.random, at_random_in={})
    scores: list[float] = []
    ended = 0
    met: Counter[str] = Counter()
    began = process_time()
    for number in range(chosen.first, chosen.first + chosen.games):
        if scores and process_time() - began > chosen.most:
            break
        others = player(level, Random(f"{level.name} {number}"), chosen.positions)
        score, at_end = points(game, child(Random(f"child {number}")), others, number)
        scores.append(score)
        ended += at_end
        met[level.name] += 1
        if fits and not 1 - DECIDED < score < DECIDED:
            level = BY_NAME[next_level(level.name, won=score >= DECIDED)]
    share = "" if fits else f", {level.random_share(game):.0%} random"
    what = f"{game.name}, a child against {chosen.level}{share}"
    games = ", ".join(f"{name} {met[name]}" for name in BY_NAME if met[name])
    line = f"{summary(what, scores, process_time() - began)}; {ended} played to the end"
    return f"{line}; {games}" if fits else line
