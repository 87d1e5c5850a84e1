"""The search of games for more than two players: expectimax with greedy replies.

The searching side plays its best move. All others, partners too, play greedily: they make the
noisiest move. Throws are averaged. Depth counts turns.
"""

from __future__ import annotations

from math import exp
from typing import Final

from engine.game import CHANCE
from engine.search.alpha_beta import ScoredMove, Stop, Stopped
from engine.search.evaluator import Evaluator

DEEPEST: Final = 12
"""The longest line in turns."""
_NODES_BETWEEN_STOP_CHECKS: Final = 32


class Expectimax:
    """A search from the position of an evaluator, unchanged afterwards; scores are chances."""

    def __init__(self, evaluator: Evaluator, stop: Stop, table: object = None) -> None:
        """Ignore `table`: with dice positions hardly ever repeat."""
        self.evaluator = evaluator
        self.nodes = 0
        self._stop = stop
        self._side = evaluator.side

    def deepen(self, deepest: int = DEEPEST, every: object = True) -> list[ScoredMove]:
        """Search one turn deeper at a time until stopped; return all moves, best first.

        Every move gets an exact chance, whatever `every` says. An unfinished depth counts only if
        it is the first.
        """
        evaluator = self.evaluator
        chance = self._static_chance()
        found = [ScoredMove(move, chance, 0) for move in evaluator.moves()]
        for depth in range(1, min(deepest, DEEPEST) + 1):
            fresh: list[ScoredMove] = []
            try:
                for each in found:
                    evaluator.make(each.move)
                    fresh.append(ScoredMove(each.move, self._after(depth - 1), depth))
                    evaluator.unmake()
            except Stopped:
                while evaluator.ply:
                    evaluator.unmake()
            whole = len(fresh) == len(found)
            if whole or depth == 1:
                found = fresh + found[len(fresh) :]
                found.sort(key=lambda each: -each.score)
            if not whole:
                break
        return found

    @staticmethod
    def chance(score: float) -> float:
        """Return the winning chance of a score: itself."""
        return score

    def line(self, longest: int) -> list[object]:
        """Return nothing: the dice are unknown."""
        return []

    def _after(self, turns: int) -> float:
        """Return the side's chance, searching this many turns further."""
        evaluator = self.evaluator
        self.nodes += 1
        if not self.nodes % _NODES_BETWEEN_STOP_CHECKS and self._stop():
            raise Stopped
        moves = evaluator.moves()
        if not moves:
            winners = evaluator.winners()
            if not winners:
                return 1 / (max(evaluator.sides) + 1)
            return (self._side in winners) / len(winners)
        if turns <= 0:
            return self._static_chance()
        thrown = evaluator.turn == CHANCE
        if not thrown and evaluator.side != self._side:
            moves = [max(moves, key=evaluator.noise)]
        chances = []
        for move in moves:
            evaluator.make(move)
            chances.append(self._after(turns if thrown else turns - 1))
            evaluator.unmake()
        return sum(chances) / len(chances) if thrown else max(chances)

    def _static_chance(self) -> float:
        """Return the side's chance from the current side scores."""
        side_scores, scale = self.evaluator.side_scores(), self.evaluator.scale
        own = side_scores[self._side]
        return 1 / sum(exp(min(30.0, (each - own) / scale)) for each in side_scores)
