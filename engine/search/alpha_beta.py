"""The search of games for two sides: iterative deepening alpha-beta.

Its speed comes from move ordering (the best known move of the position, noisy moves, then the
history heuristic), from late move reductions, null moves and futility pruning, and from a
transposition table. At the end of each line noisy moves are played out. Throws of dice are
averaged.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Hashable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from engine.game import CHANCE
from engine.match import AnyMove
from engine.search.evaluator import Evaluator
from engine.search.grades import FORCED, WIN, chance, losing_bound, score_of

Stop = Callable[[], bool]

DEEPEST: Final = 60
"""The longest line in plies."""
_NODES_BETWEEN_STOP_CHECKS: Final = 32
"""Positions between two calls of `stop`: 3 ms at 10,000 positions a second, the slowest game."""
_HISTORY_SIZE: Final = 1 << 14
"""The most moves in the history table."""
_NULL_MOVE_REDUCTION: Final = 2
"""The plies by which the search after a null move is shallower."""
_REDUCED_FROM: Final = 2
_REDUCED_TWICE_FROM: Final = 6
"""Quiet moves from these indexes on are first reduced by one and by two plies."""
_FUTILITY_DEPTH: Final = 3
"""With this many plies or fewer to go, late moves whose score bound is too low are not made."""
_THREAT_WIN_PLIES: Final = 3
"""The plies of a win by threats alone, which is looked for before everything else."""
_SHORTER_WIN_PLIES: Final = 5
"""Wins up to this many plies are looked for even if the book knows a longer one."""
_NOISY_RANK: Final = 1 << 40
_KILLER_RANK: Final = 1 << 39


# ---- the transposition table

ENTRIES: Final = 1 << 16
"""The most positions in the table: 160 to 400 bytes each, 10 to 26 MB in all."""

EXACT, AT_LEAST, AT_MOST = range(3)


class TableEntry(NamedTuple):
    """The result of a search of one position."""

    depth: int
    bound: int
    score: int
    """The score that `bound` refers to; forced ends count from the position itself."""
    move: Any
    """The best move, or the one that caused a cutoff; None if there is none."""


class TranspositionTable:
    """The latest entries: when the young half is full, the old half is dropped."""

    def __init__(self, entries: int = ENTRIES) -> None:
        self._half = max(1, entries // 2)
        self._young: dict[Hashable, TableEntry] = {}
        self._old: dict[Hashable, TableEntry] = {}

    def __len__(self) -> int:
        return len(self._young) + len(self._old)

    def get(self, key: Hashable) -> TableEntry | None:
        """Return the entry of a position, None if there is none."""
        return self._young.get(key) or self._old.get(key)

    def put(self, key: Hashable, entry: TableEntry) -> None:
        """Store an entry in place of an earlier one."""
        if len(self._young) >= self._half and key not in self._young:
            self._old, self._young = self._young, {}
        self._young[key] = entry


# ---- the search


class Stopped(Exception):  # noqa: N818 - it is no error
    """`stop` has ended the search."""


class ScoredMove(NamedTuple):
    """A move with its score."""

    move: AnyMove
    score: float
    """In the unit of the search; its `chance` converts it."""
    depth: int
    """The searched plies, with the move itself; 0: not searched."""
    certain: bool = False
    """Whether the book gave the score, so that it holds the exact number of plies to the end."""


class AlphaBeta:
    """A search from the position of an evaluator; afterwards the evaluator is there again."""

    def __init__(
        self,
        evaluator: Evaluator,
        stop: Stop,
        table: TranspositionTable | None = None,
        plain: bool = False,
    ):
        """`plain`: full depth for every line, no book and no quiescence search, for comparison."""
        self.evaluator = evaluator
        self.nodes = 0
        self._stop = stop
        self._plain = plain
        self._table = TranspositionTable() if table is None else table
        self._killers: list[list[Hashable]] = [[None, None] for _ in range(DEEPEST)]
        self._history: tuple[defaultdict[Hashable, int], ...] = tuple(
            defaultdict(int) for _ in range(max(evaluator.sides) + 1)
        )

    # ---- at the root

    def deepen(
        self, deepest: int = DEEPEST, every: bool | Container[AnyMove] = True
    ) -> list[ScoredMove]:
        """Search one ply deeper at a time until stopped; return all moves, best first.

        `every` selects the moves that get an exact score, unless they lose anyway: all (True),
        those in a container, or only the best one (False). The others get bounds. If the search
        stops in the middle of a depth, only forced wins and losses of that depth count.
        """
        evaluator = self.evaluator
        score = evaluator.score()
        found = [self._from_book(move) or ScoredMove(move, score, 0) for move in evaluator.moves()]
        found.sort(key=lambda each: -each.score)
        for depth in range(1, min(deepest, DEEPEST) + 1):
            if all(each.certain for each in found):
                break
            fresh: list[ScoredMove] = []
            try:
                if depth == _THREAT_WIN_PLIES:
                    self._find_threat_wins(found)
                for each in self._search_depth(found, depth, every):
                    fresh.append(each)
            except Stopped:
                while evaluator.ply:
                    evaluator.unmake()
            whole = len(fresh) == len(found)
            known = {id(each.move): each for each in fresh}
            found = [self._merged(each, known.get(id(each.move)), whole) for each in found]
            found.sort(key=lambda each: -each.score)
            if not whole or all(abs(each.score) >= FORCED for each in found):
                break
            # The book may miss shorter wins.
            sooner = found[0].certain and depth < min(_SHORTER_WIN_PLIES, found[0].depth - 1)
            if not every and abs(found[0].score) >= FORCED and not sooner:
                break
        return found

    def _find_threat_wins(self, found: list[ScoredMove]) -> None:
        """Move those moves to the front that threaten and win with a second threat.

        Among hundreds of moves the search would reach them late.
        """
        evaluator = self.evaluator
        if self._plain:
            return
        for number, each in enumerate(found):
            if abs(each.score) < FORCED and not each.certain:
                evaluator.make(each.move)
                if evaluator.in_check() and self._loses_to_threats():
                    found[number] = ScoredMove(
                        each.move, WIN - _THREAT_WIN_PLIES, _THREAT_WIN_PLIES
                    )
                evaluator.unmake()
        found.sort(key=lambda each: -each.score)

    def _loses_to_threats(self) -> bool:
        """Return whether every answer of the side to act loses at once."""
        evaluator, answers = self.evaluator, self.evaluator.moves()
        for answer in answers:
            evaluator.make(answer)
            lost = self._mates_at_once()
            evaluator.unmake()
            if not lost:
                return False
        return bool(answers)

    def _mates_at_once(self) -> bool:
        """Return whether a move threatens and leaves no answer."""
        evaluator = self.evaluator
        for move in evaluator.moves():
            self._count_node()
            evaluator.make(move)
            won = evaluator.in_check() and not evaluator.moves() and evaluator.final_result() < 0
            evaluator.unmake()
            if won:
                return True
        return False

    def _from_book(self, move: AnyMove) -> ScoredMove | None:
        """Return the move with its score from the evaluator's book, None if the book has none."""
        evaluator = self.evaluator
        if evaluator.book is None or self._plain:
            return None
        side = evaluator.side
        evaluator.make(move)
        certain_score = evaluator.certain_score()
        mine = evaluator.side == side
        evaluator.unmake()
        if certain_score is None:
            return None
        score = _from_root(certain_score if mine else -certain_score, 1)
        return ScoredMove(move, score, WIN - abs(score) if score else 1, certain=True)

    @staticmethod
    def _merged(before: ScoredMove, now: ScoredMove | None, whole: bool) -> ScoredMove:
        if now is None or not (whole or before.depth == 0 or abs(now.score) >= FORCED):
            return before
        return now

    def _search_depth(
        self, found: Sequence[ScoredMove], depth: int, every: bool | Container[AnyMove]
    ) -> Iterator[ScoredMove]:
        """Yield each move, searched to that depth."""
        evaluator = self.evaluator
        side, best = evaluator.side, -WIN
        for each in found:
            if each.certain:
                best = max(best, round(each.score))
                yield each
                continue
            graded = every if isinstance(every, bool) else each.move in every
            if not graded and best >= WIN - depth:
                yield each  # nothing wins sooner
                continue
            if graded and best > -FORCED:
                alpha = min(best - 1, round(losing_bound(best, evaluator.scale)))
            else:
                alpha = -WIN if graded else best
            evaluator.make(each.move)
            if best == -WIN:
                score = self._reply_score(side, depth - 1, -WIN, WIN)
            else:
                score = self._reply_score(side, depth - 1, alpha, best + 1)
                if score > best:
                    score = self._reply_score(side, depth - 1, best, WIN)
            evaluator.unmake()
            best = max(best, score)
            yield ScoredMove(each.move, score, depth)

    def chance(self, score: float) -> float:
        """Return the winning chance of a score."""
        return chance(score, self.evaluator.scale)

    def line(self, longest: int) -> list[AnyMove]:
        """Return the part of the principal variation from here that the table holds."""
        evaluator, moves = self.evaluator, list[AnyMove]()
        while len(moves) < longest:
            entry = self._table.get(evaluator.key())
            if entry is None or entry.move is None or evaluator.repetition_result() is not None:
                break
            moves.append(entry.move)
            evaluator.make(entry.move)
        for _ in moves:
            evaluator.unmake()
        return moves

    # ---- inside the tree

    def _reply_score(self, side: int, depth: int, alpha: int, beta: int) -> int:
        """Return the score for `side` of the position after its move.

        It is exact between `alpha` and `beta`; outside it is an upper or a lower bound.
        """
        if self.evaluator.side == side:
            return self._node(depth, alpha, beta)
        return -self._node(depth, -beta, -alpha)

    def _node(self, depth: int, alpha: int, beta: int) -> int:
        """Return the score of the position for the side to act, with bounds as `_reply_score`."""
        evaluator, ply = self.evaluator, self.evaluator.ply
        self._count_node()
        round_again = evaluator.repetition_result()
        if round_again is not None:
            return round_again * (WIN - ply)
        if depth <= 0 or ply >= DEEPEST:
            if self._plain or ply >= DEEPEST or not evaluator.in_check():
                return self._quiescence(alpha, beta)
            depth = 1
        if evaluator.turn == CHANCE:
            return self._throw_average(depth)
        key = evaluator.key()
        entry = self._table.get(key)
        first = None
        if entry is not None:
            first = entry.move
            if entry.depth >= depth:
                score = _from_root(entry.score, ply)
                if (
                    entry.bound == EXACT
                    or (entry.bound == AT_LEAST and score >= beta)
                    or (entry.bound == AT_MOST and score <= alpha)
                ):
                    return score
        return self._try_moves(key, first, depth, alpha, beta)

    def _try_moves(
        self, key: Hashable, first: AnyMove | None, depth: int, alpha: int, beta: int
    ) -> int:
        """Search the moves of a position, `first` before the others, and store the score."""
        evaluator, ply, side = self.evaluator, self.evaluator.ply, self.evaluator.side
        reply, lowest = self._reply_score, alpha
        best, best_move = -WIN - 1, None
        may_shorten = depth > 1 and not self._plain and not evaluator.in_check()
        if may_shorten and self._null_move_holds(depth, beta):
            return beta
        score_bound = None if depth > _FUTILITY_DEPTH or self._plain else evaluator.score_bound()
        for number, move in enumerate(self._ordered_moves(first)):
            less = 0
            if may_shorten and number >= _REDUCED_FROM and not evaluator.noise(move):
                less = 1 if number < _REDUCED_TWICE_FROM else 2
            if score_bound and number and depth - less <= 1:
                most = score_bound(move)
                if most <= alpha:
                    best = max(best, most)
                    continue
            evaluator.make(move)
            if number == 0:
                score = reply(side, depth - 1, alpha, beta)
            else:
                score = reply(side, depth - 1 - less, alpha, alpha + 1)
                if score > alpha and (less or score < beta):
                    score = reply(side, depth - 1, alpha, beta)
            evaluator.unmake()
            if score > best:
                best, best_move = score, move
                if score > alpha:
                    alpha = score
                    if score >= beta:
                        break
        if best_move is None:
            return evaluator.final_result() * (WIN - ply)
        bound = AT_LEAST if best >= beta else EXACT if best > lowest else AT_MOST
        if bound == AT_MOST:
            best_move = first  # the best move is unknown
        else:
            self._remember_cutoff(side, ply, depth, best_move)
        self._table.put(key, TableEntry(depth, bound, _from_node(best, ply), best_move))
        return best

    def _null_move_holds(self, depth: int, beta: int) -> bool:
        """Return whether the score stays above `beta` even if the other side moves twice."""
        evaluator, side = self.evaluator, self.evaluator.side
        if (
            depth <= _NULL_MOVE_REDUCTION
            or beta >= FORCED
            or evaluator.score() < beta
            or not evaluator.null_move()
        ):
            return False
        score = self._reply_score(side, depth - 1 - _NULL_MOVE_REDUCTION, beta - 1, beta)
        evaluator.unmake()
        return score >= beta

    def _quiescence(self, alpha: int, beta: int) -> int:
        """Return the score after noisy moves are played out, or none of them."""
        evaluator = self.evaluator
        best = evaluator.score()
        if best >= beta and not self._plain and evaluator.certainly_has_move():
            return best
        least = 0 if self._plain else max(0, alpha - best - evaluator.noise_margin)
        moves = evaluator.noisy_moves(least)
        if moves is None:
            return evaluator.final_result() * (WIN - evaluator.ply)
        if least:
            best = alpha
        if not moves or self._plain or best >= beta or evaluator.ply >= DEEPEST:
            return best
        side = evaluator.side
        for move in moves:
            alpha = max(alpha, best)
            self._count_node()
            evaluator.make(move)
            mine = evaluator.side == side
            score = self._quiescence(alpha, beta) if mine else -self._quiescence(-beta, -alpha)
            evaluator.unmake()
            best = max(best, score)
            if best >= beta:
                break
        return best

    def _throw_average(self, depth: int) -> int:
        """Return the first side's score before a throw: the score of the mean winning chance."""
        evaluator = self.evaluator
        values = []
        for throw in evaluator.moves():
            evaluator.make(throw)
            values.append(self._reply_score(0, depth, -WIN, WIN))
            evaluator.unmake()
        if not values:
            return evaluator.final_result() * (WIN - evaluator.ply)
        mean = sum(map(self.chance, values)) / len(values)
        return min(values, key=abs) if mean in (0, 1) else round(score_of(mean, evaluator.scale))

    def _ordered_moves(self, first: AnyMove | None) -> Iterator[AnyMove]:
        """Yield all moves of a position, the most promising first."""
        if first is not None:
            yield first
        evaluator = self.evaluator
        killers, history = self._killers[evaluator.ply], self._history[evaluator.side]
        noise, move_key = evaluator.noise, evaluator.move_key

        def rank(move: AnyMove) -> int:
            noise_ = noise(move)
            if noise_:
                return _NOISY_RANK + noise_
            name = move_key(move)
            return _KILLER_RANK if name in killers else history.get(name, 0)

        for move in sorted(evaluator.moves(), key=rank, reverse=True):
            if move != first:
                yield move

    def _remember_cutoff(self, side: int, ply: int, depth: int, move: AnyMove) -> None:
        """Store a quiet move that caused a cutoff or raised the score."""
        if self.evaluator.noise(move):
            return
        move_key, killers, history = (
            self.evaluator.move_key(move),
            self._killers[ply],
            self._history[side],
        )
        if move_key != killers[0]:
            killers[:] = move_key, killers[0]
        if len(history) >= _HISTORY_SIZE:
            history.clear()
        history[move_key] += depth * depth

    def _count_node(self) -> None:
        self.nodes += 1
        if not self.nodes % _NODES_BETWEEN_STOP_CHECKS and self._stop():
            raise Stopped


def _from_root(score: int, ply: int) -> int:
    """Return a stored score with forced ends counted from the root."""
    return score - ply if score >= FORCED else score + ply if score <= -FORCED else score


def _from_node(score: int, ply: int) -> int:
    """Return a score with forced ends counted from the position itself."""
    return score + ply if score >= FORCED else score - ply if score <= -FORCED else score
