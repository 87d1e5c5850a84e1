"""The search of games for two sides: alpha-beta, deeper and deeper until it is told to stop.

What makes it fast is in the order in which moves are tried (the best one known of the position,
loud ones, those that refuted much before), in trying late ones less deeply first, and in what is
remembered of positions. At the end of each line loud moves are played out. Throws of dice are
averaged.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Hashable, Iterator, Sequence
from typing import Final, NamedTuple

from engine.game import CHANCE
from engine.match import AnyMove
from engine.search.evaluator import Evaluator
from engine.search.grades import FORCED, WIN, chance, least_that_matters, worth_of
from engine.search.table import AT_LEAST, AT_MOST, EXACT, TableEntry, TranspositionTable

Stop = Callable[[], bool]

DEEPEST: Final = 60
"""No line is followed further."""
_NODES_BETWEEN_LOOKS: Final = 32
"""So often is it asked whether to stop: 3 ms at 10,000 positions a second, the slowest game's."""
_MARKS: Final = 1 << 14
"""So many moves' merits are remembered at most."""
_SKIPPED: Final = 2
"""So many plies less deeply it is looked whether a move is needed at all."""
_LATE: Final = 2
_VERY_LATE: Final = 6
"""From so many moves on, quiet ones are tried one ply and two plies less deeply first."""
_SHORT: Final = 3
"""With so many plies to go late moves may be tried to no depth at all: those that are known to be
worth too little are not even made."""
_BY_THREATS: Final = 3
"""In so many plies a win by threats alone is looked for before all else."""
_SOONER: Final = 5
"""In so many plies a win is looked for though a book knows one."""
_LOUD: Final = 1 << 40
_KILLER: Final = 1 << 39


class Stopped(Exception):  # noqa: N818 - nothing went wrong
    """It was told to stop."""


class Found(NamedTuple):
    """What was found out about one move."""

    move: AnyMove
    worth: float
    """As the search counts it; its `chance` says what that means."""
    depth: int
    """In plies, the move itself included; 0: nothing was found out."""
    certain: bool = False
    """Whether it is known, not found: then the worth says in how many plies it wins or loses."""


class AlphaBeta:
    """A search from where a evaluator is; it leaves the evaluator there."""

    def __init__(
        self,
        evaluator: Evaluator,
        stop: Stop,
        table: TranspositionTable | None = None,
        plain: bool = False,
    ):
        """`plain`: every line to the same depth, without a book and without playing out loud moves;
        for comparison.
        """
        self.evaluator = evaluator
        self.nodes = 0
        self._stop = stop
        self._plain = plain
        self._table = TranspositionTable() if table is None else table
        self._killers: list[list[Hashable]] = [[None, None] for _ in range(DEEPEST)]
        self._merits: tuple[defaultdict[Hashable, int], ...] = tuple(
            defaultdict(int) for _ in range(max(evaluator.sides) + 1)
        )

    # ---- from the beginning

    def deepen(
        self, deepest: int = DEEPEST, every: bool | Container[AnyMove] = True
    ) -> list[Found]:
        """Return all moves, best first. With `every` each one's worth is known, as far as it is not
        losing anyway, or that of the moves it holds; else only the best one's. The others' are
        bounds.

        Of a depth that was not finished only forced ends are kept.
        """
        evaluator = self.evaluator
        worth = evaluator.worth()
        found = [self._certain(move) or Found(move, worth, 0) for move in evaluator.moves()]
        found.sort(key=lambda each: -each.worth)
        for depth in range(1, min(deepest, DEEPEST) + 1):
            if all(each.certain for each in found):
                break
            fresh: list[Found] = []
            try:
                if depth == _BY_THREATS:
                    self._find_forced(found)
                for each in self._one_depth(found, depth, every):
                    fresh.append(each)
            except Stopped:
                while evaluator.ply:
                    evaluator.unmake()
            whole = len(fresh) == len(found)
            known = {id(each.move): each for each in fresh}
            found = [self._better(each, known.get(id(each.move)), whole) for each in found]
            found.sort(key=lambda each: -each.worth)
            if not whole or all(abs(each.worth) >= FORCED for each in found):
                break
            # A book need not hold all wins.
            sooner = found[0].certain and depth < min(_SOONER, found[0].depth - 1)
            if not every and abs(found[0].worth) >= FORCED and not sooner:
                break
        return found

    def _find_forced(self, found: list[Found]) -> None:
        """Put the moves first that threaten and win, whatever is answered, with another one: of
        hundreds of moves the search would come to them late.
        """
        evaluator = self.evaluator
        if self._plain:
            return
        for number, each in enumerate(found):
            if abs(each.worth) < FORCED and not each.certain:
                evaluator.make(each.move)
                if evaluator.urgent() and self._helpless():
                    found[number] = Found(each.move, WIN - _BY_THREATS, _BY_THREATS)
                evaluator.unmake()
        found.sort(key=lambda each: -each.worth)

    def _helpless(self) -> bool:
        """Whether the side to act is threatened and, whatever it answers, is lost at once."""
        evaluator, answers = self.evaluator, self.evaluator.moves()
        for answer in answers:
            evaluator.make(answer)
            lost = self._wins_at_once()
            evaluator.unmake()
            if not lost:
                return False
        return bool(answers)

    def _wins_at_once(self) -> bool:
        """Whether a move threatens and leaves no answer."""
        evaluator = self.evaluator
        for move in evaluator.moves():
            self._look()
            evaluator.make(move)
            won = evaluator.urgent() and not evaluator.moves() and evaluator.over() < 0
            evaluator.unmake()
            if won:
                return True
        return False

    def _certain(self, move: AnyMove) -> Found | None:
        """Return what a move is worth if the evaluator's book says so."""
        evaluator = self.evaluator
        if evaluator.book is None or self._plain:
            return None
        side = evaluator.side
        evaluator.make(move)
        settled = evaluator.settled()
        mine = evaluator.side == side
        evaluator.unmake()
        if settled is None:
            return None
        worth = _from_here(settled if mine else -settled, 1)
        return Found(move, worth, WIN - abs(worth) if worth else 1, certain=True)

    @staticmethod
    def _better(before: Found, now: Found | None, whole: bool) -> Found:
        if now is None or not (whole or before.depth == 0 or abs(now.worth) >= FORCED):
            return before
        return now

    def _one_depth(
        self, found: Sequence[Found], depth: int, every: bool | Container[AnyMove]
    ) -> Iterator[Found]:
        """Yield each move searched to that depth."""
        evaluator = self.evaluator
        side, best = evaluator.side, -WIN
        for each in found:
            if each.certain:
                best = max(best, round(each.worth))
                yield each
                continue
            graded = every if isinstance(every, bool) else each.move in every
            if not graded and best >= WIN - depth:
                yield each  # nothing wins sooner
                continue
            if graded and best > -FORCED:
                alpha = min(best - 1, round(least_that_matters(best, evaluator.scale)))
            else:
                alpha = -WIN if graded else best
            evaluator.make(each.move)
            if best == -WIN:
                worth = self._reply(side, depth - 1, -WIN, WIN)
            else:
                worth = self._reply(side, depth - 1, alpha, best + 1)
                if worth > best:
                    worth = self._reply(side, depth - 1, best, WIN)
            evaluator.unmake()
            best = max(best, worth)
            yield Found(each.move, worth, depth)

    def chance(self, worth: float) -> float:
        """Return the winning chance of what was found."""
        return chance(worth, self.evaluator.scale)

    def line(self, longest: int) -> list[AnyMove]:
        """Return how play would go on from where the evaluator is, as far as it is remembered."""
        evaluator, moves = self.evaluator, list[AnyMove]()
        while len(moves) < longest:
            entry = self._table.get(evaluator.key())
            if entry is None or entry.move is None or evaluator.repeats() is not None:
                break
            moves.append(entry.move)
            evaluator.make(entry.move)
        for _ in moves:
            evaluator.unmake()
        return moves

    # ---- further down

    def _reply(self, side: int, depth: int, alpha: int, beta: int) -> int:
        """Return what the position after a move of that side is worth to it: exactly between
        `alpha` and `beta`; outside of them it is at most or at least that.
        """
        if self.evaluator.side == side:
            return self._node(depth, alpha, beta)
        return -self._node(depth, -beta, -alpha)

    def _node(self, depth: int, alpha: int, beta: int) -> int:
        """Return what the position is worth to the side to act, as `_reply` says."""
        evaluator, ply = self.evaluator, self.evaluator.ply
        self._look()
        round_again = evaluator.repeats()
        if round_again is not None:
            return round_again * (WIN - ply)
        if depth <= 0 or ply >= DEEPEST:
            if self._plain or ply >= DEEPEST or not evaluator.urgent():
                return self._calm(alpha, beta)
            depth = 1
        if evaluator.turn == CHANCE:
            return self._average(depth)
        key = evaluator.key()
        entry = self._table.get(key)
        first = None
        if entry is not None:
            first = entry.move
            if entry.depth >= depth:
                worth = _from_here(entry.worth, ply)
                if (
                    entry.bound == EXACT
                    or (entry.bound == AT_LEAST and worth >= beta)
                    or (entry.bound == AT_MOST and worth <= alpha)
                ):
                    return worth
        return self._best(key, first, depth, alpha, beta)

    def _best(self, key: Hashable, first: AnyMove | None, depth: int, alpha: int, beta: int) -> int:
        """Try the moves of a position, `first` before the others, and remember what it is worth."""
        evaluator, ply, side = self.evaluator, self.evaluator.ply, self.evaluator.side
        reply, lowest = self._reply, alpha
        best, best_move = -WIN - 1, None
        may_shorten = depth > 1 and not self._plain and not evaluator.urgent()
        if may_shorten and self._can_wait(depth, beta):
            return beta
        promise = None if depth > _SHORT or self._plain else evaluator.promise()
        for number, move in enumerate(self._in_order(first)):
            less = 0
            if may_shorten and number >= _LATE and not evaluator.loud(move):
                less = 1 if number < _VERY_LATE else 2
            if promise and number and depth - less <= 1:
                most = promise(move)
                if most <= alpha:
                    best = max(best, most)
                    continue
            evaluator.make(move)
            if number == 0:
                worth = reply(side, depth - 1, alpha, beta)
            else:
                worth = reply(side, depth - 1 - less, alpha, alpha + 1)
                if worth > alpha and (less or worth < beta):
                    worth = reply(side, depth - 1, alpha, beta)
            evaluator.unmake()
            if worth > best:
                best, best_move = worth, move
                if worth > alpha:
                    alpha = worth
                    if worth >= beta:
                        break
        if best_move is None:
            return evaluator.over() * (WIN - ply)
        bound = AT_LEAST if best >= beta else EXACT if best > lowest else AT_MOST
        if bound == AT_MOST:
            best_move = first  # nobody knows which of them is the best
        else:
            self._refuted(side, ply, depth, best_move)
        self._table.put(key, TableEntry(depth, bound, _from_there(best, ply), best_move))
        return best

    def _can_wait(self, depth: int, beta: int) -> bool:
        """Whether the position is good enough even if the other side moves twice."""
        evaluator, side = self.evaluator, self.evaluator.side
        if depth <= _SKIPPED or beta >= FORCED or evaluator.worth() < beta or not evaluator.skip():
            return False
        worth = self._reply(side, depth - 1 - _SKIPPED, beta - 1, beta)
        evaluator.unmake()
        return worth >= beta

    def _calm(self, alpha: int, beta: int) -> int:
        """Return what the position is worth once the loud moves are played, or are let be."""
        evaluator = self.evaluator
        best = evaluator.worth()
        if best >= beta and not self._plain and evaluator.alive():
            return best
        least = (
            0 if self._plain else max(0, alpha - best - evaluator.swing)
        )  # no more is too little
        moves = evaluator.loud_moves(least)
        if moves is None:
            return evaluator.over() * (WIN - evaluator.ply)
        if least:
            best = alpha
        if not moves or self._plain or best >= beta or evaluator.ply >= DEEPEST:
            return best
        side = evaluator.side
        for move in moves:
            alpha = max(alpha, best)
            self._look()
            evaluator.make(move)
            mine = evaluator.side == side
            worth = self._calm(alpha, beta) if mine else -self._calm(-beta, -alpha)
            evaluator.unmake()
            best = max(best, worth)
            if best >= beta:
                break
        return best

    def _average(self, depth: int) -> int:
        """Return what a position is worth to the first side before the dice fall: what makes the
        mean of the chances.
        """
        evaluator = self.evaluator
        worths = []
        for throw in evaluator.moves():
            evaluator.make(throw)
            worths.append(self._reply(0, depth, -WIN, WIN))
            evaluator.unmake()
        if not worths:
            return evaluator.over() * (WIN - evaluator.ply)
        mean = sum(map(self.chance, worths)) / len(worths)
        return min(worths, key=abs) if mean in (0, 1) else round(worth_of(mean, evaluator.scale))

    def _in_order(self, first: AnyMove | None) -> Iterator[AnyMove]:
        """Yield all moves of a position, the most promising first."""
        if first is not None:
            yield first
        evaluator = self.evaluator
        killers, merits = self._killers[evaluator.ply], self._merits[evaluator.side]
        loud, mark = evaluator.loud, evaluator.mark

        def rank(move: AnyMove) -> int:
            loudness = loud(move)
            if loudness:
                return _LOUD + loudness
            name = mark(move)
            return _KILLER if name in killers else merits.get(name, 0)

        for move in sorted(evaluator.moves(), key=rank, reverse=True):
            if move != first:
                yield move

    def _refuted(self, side: int, ply: int, depth: int, move: AnyMove) -> None:
        """Remember a quiet move that was good enough."""
        if self.evaluator.loud(move):
            return
        mark, killers, merits = self.evaluator.mark(move), self._killers[ply], self._merits[side]
        if mark != killers[0]:
            killers[:] = mark, killers[0]
        if len(merits) >= _MARKS:
            merits.clear()
        merits[mark] += depth * depth

    def _look(self) -> None:
        self.nodes += 1
        if not self.nodes % _NODES_BETWEEN_LOOKS and self._stop():
            raise Stopped


def _from_here(worth: int, ply: int) -> int:
    """Return a remembered worth with forced ends counted from the beginning."""
    return worth - ply if worth >= FORCED else worth + ply if worth <= -FORCED else worth


def _from_there(worth: int, ply: int) -> int:
    """Return a worth with forced ends counted from the position itself."""
    return worth + ply if worth >= FORCED else worth - ply if worth <= -FORCED else worth
