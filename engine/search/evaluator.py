"""What a search needs from a game: a position that makes and unmakes moves, with its score.

`Evaluator` plays any `Game` by its contract. `engine.search.evaluation` has a subclass for each
game, with the score of positions and the noise of moves, and one that estimates both for an unknown
game. Where the contract's values are too slow, a subclass plays on a mutable board.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Protocol

from engine.game import CHANCE, Outcome
from engine.match import AnyGame, AnyMove
from engine.search.grades import WIN

_ROUNDS: Final = 8
"""How often a cycle is repeated to get its result by the rules; no game counts further."""


class Book(Protocol):
    """Exact results of positions of a game."""

    def plies(self, game: Any, position: Any) -> int | None:
        """Return the plies until the side to act wins or (negative) loses; 0: draw; None: unknown.

        The game must not be over.
        """


@dataclass(frozen=True, slots=True)
class NearEnds:
    """A book without draws and without ends that are further away."""

    book: Book
    plies_away: int
    """The most plies to an end that it reports."""

    def plies(self, game: Any, position: Any) -> int | None:
        """Return the plies by the book if the end is near, else None."""
        plies = self.book.plies(game, position)
        return plies if plies and abs(plies) <= self.plies_away else None


class Evaluator(ABC):
    """One position of a game, with the moves back to the root of the search.

    Scores are whole numbers for the side to act. A side is a seat or a team of seats.
    """

    scale: ClassVar[float]
    """The score of a winning chance of 73 %: chance = 1 / (1 + exp(-score / scale))."""
    noise_margin: ClassVar[int] = WIN
    """How much a noisy move may change the score beyond its noise."""
    piece_values: Mapping[str, int] = {}
    """By kind: the value of a piece to its captor: half for the captor's gain, half for the other
    side's loss. Royal pieces outweigh all others."""

    def __init__(self, game: AnyGame, position: Any, earlier: Sequence[Any] = ()) -> None:
        """Take the root position and the earlier positions of the match, oldest first."""
        self.game = game
        self.position = position
        self.turn = game.turn(position)
        self.sides: Sequence[int] = range(len(game.seats))
        """By seat: its side."""
        self.foresees = True
        """Whether scores count what either side can do next, if the game's scores can."""
        self.book: Book | None = None
        """Exact results, which need no search."""
        self.line: list[Any] = []
        """The positions from the root to the one before this."""
        self._earlier = tuple(earlier)
        self._known = frozenset(earlier)

    # ---- what each game says

    def side_scores(self) -> Sequence[float]:
        """Return the score of each side; a game for two may define only `score`."""
        raise NotImplementedError

    def score(self) -> int:
        """Return the lead of the side to act over the best other side."""
        side_scores = list(self.side_scores())
        own = side_scores.pop(self.side)
        return round(own - max(side_scores))

    @abstractmethod
    def noise(self, move: AnyMove) -> int:
        """Return 0 for a quiet move; else a number that grows with its immediate gain."""

    def in_check(self) -> bool:
        """Return whether the side to act must answer a threat, so that the score means little."""
        return False

    def certainly_has_move(self) -> bool:
        """Return whether a legal move surely exists, without listing any."""
        return False

    def score_bound(self) -> Callable[[AnyMove], int] | None:
        """Return a function that bounds the score right after a move, without making the move.

        It returns the most that the mover can have if the other side need not react, or WIN if that
        is unknown, for instance after a threat. None: no bounds are known in this position.
        """
        return None

    def move_key(self, move: AnyMove) -> Hashable:
        """Return the key of the move in the history and killer tables."""
        key: Hashable = move
        return key

    def centrality(self, seat: int) -> int:
        """Return the steps from the rim, summed over a seat's pieces; 0 if irrelevant."""
        return 0

    def opposing_turns(self, after: Any) -> Sequence[Any]:
        """Return the turns of the other seats until the seat to act moves again.

        Each is a position with the pieces of `after`, a later position. Nothing: unknown.
        """
        return ()

    # ---- playing

    @property
    def side(self) -> int:
        """The side that scores refer to: the side to act, or the first before a throw."""
        return 0 if self.turn == CHANCE else self.sides[self.turn]

    @property
    def ply(self) -> int:
        """The number of moves made since the root."""
        return len(self.line)

    def moves(self) -> Sequence[AnyMove]:
        """Return every legal move; nothing when the game is over."""
        return self.game.legal(self.position)

    def noisy_moves(self, least: int = 0) -> Sequence[AnyMove] | None:
        """Return the noisy moves, the noisiest first; None if there is no legal move.

        Moves with a noise of `least` or less may be left out.
        """
        moves = self.moves()
        noise = self.noise
        return sorted(filter(noise, moves), key=noise, reverse=True) if moves else None

    def make(self, move: AnyMove) -> None:
        """Make a legal move."""
        self.line.append(self.position)
        self.position = self.game.play(self.position, move)
        self.turn = self.game.turn(self.position)

    def unmake(self) -> None:
        """Take the last move back."""
        self.position = self.line.pop()
        self.turn = self.game.turn(self.position)

    def null_move(self) -> bool:
        """Pass the turn against the rules and return True, if a turn is never a burden in the game.

        `unmake` takes it back. If the other side gains nothing by moving twice, the search can cut
        off.
        """
        return False

    # ---- the position

    def key(self) -> Hashable:
        """Return a key that is equal for equal positions."""
        key: Hashable = self.position
        return key

    def final_result(self) -> int:
        """Return the result of a position without moves: 1 won, 0 drawn, -1 lost."""
        return self._result(self.game.outcome(self.position))

    def repetition_result(self) -> int | None:
        """Return the result of a repeated position: 1 won, 0 drawn, -1 lost.

        None: the position is new, or its repetition has no effect. A cycle within the search counts
        as if it went on forever.
        """
        position, line = self.position, self.line
        if position in line:
            cycle = line[line.index(position) :]
            outcome = self.game.outcome(position, cycle * _ROUNDS)
        elif position in self._known:
            outcome = self.game.outcome(position, [*self._earlier, *line])
        else:
            return None
        return None if outcome is None else self._result(outcome)

    def certain_score(self) -> int | None:
        """Return the score by the rules or the book; None if neither knows it.

        Forced ends count from the position itself.
        """
        if not self.moves():
            return self.final_result() * WIN
        again = self.repetition_result()
        if again is not None:
            return again * WIN
        plies = None if self.book is None else self.book.plies(self.game, self.position)
        if not plies:
            return plies
        return WIN - plies if plies > 0 else -WIN - plies

    def winners(self) -> frozenset[int]:
        """Return the winning sides of a finished game; none for a draw."""
        outcome = self.game.outcome(self.position)
        return frozenset(self.sides[seat] for seat in outcome.winners) if outcome else frozenset()

    def _result(self, outcome: Outcome | None) -> int:
        if outcome is None or not outcome.winners:
            return 0
        side = self.side
        return 1 if any(self.sides[seat] == side for seat in outcome.winners) else -1
