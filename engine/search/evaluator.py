"""What a search needs of a game: a position that is played forwards and back.

`Evaluator` plays any `Game` by its contract. `engine.search.evaluation` says for each game what a
position is worth and which moves are loud, with estimates for a game that it does not know. It
plays on a board that changes in place where the contract's values are too slow.
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
"""So often is a cycle gone through to ask the rules what comes of it; no game counts further."""


class Book(Protocol):
    """What is known for certain of a game's positions."""

    def plies(self, game: Any, position: Any) -> int | None:
        """Return in how many plies the side to act wins, or, negative, loses; 0 for a draw; None
        if nobody knows. The position is not over.
        """


@dataclass(frozen=True, slots=True)
class NearEnds:
    """A book that keeps to itself what lies further away, and draws."""

    book: Book
    plies_away: int
    """Of an end that is further away nothing is said."""

    def plies(self, game: Any, position: Any) -> int | None:
        """Return what the book says if the game ends soon; else None."""
        plies = self.book.plies(game, position)
        return plies if plies and abs(plies) <= self.plies_away else None


class Evaluator(ABC):
    """One position of a game, with the way back to where the search began.

    Worths are whole numbers as the side to act sees them. A side is a seat, or a team of seats.
    """

    scale: ClassVar[float]
    """The worth that makes a winning chance of 73 %: 1 / (1 + exp(-worth / scale))."""
    noise_margin: ClassVar[int] = WIN
    """By so much a loud move may change the worth beyond its loudness."""
    piece_values: Mapping[str, int] = {}
    """By kind: the value of a piece to its captor. Half stands for the own gain and half for the
    other side's loss. Royal pieces outweigh all others."""

    def __init__(self, game: AnyGame, position: Any, earlier: Sequence[Any] = ()) -> None:
        """Take the position to begin at and the match's positions before it, oldest first."""
        self.game = game
        self.position = position
        self.turn = game.turn(position)
        self.sides: Sequence[int] = range(len(game.seats))
        """By seat: its side."""
        self.foresees = True
        """Whether worths count what either side can do next, where the game's worths can."""
        self.book: Book | None = None
        """True values of single positions, which then need no search."""
        self.line: list[Any] = []
        """The positions since the beginning, this one excepted."""
        self._earlier = tuple(earlier)
        self._known = frozenset(earlier)

    # ---- what each game says

    def side_scores(self) -> Sequence[float]:
        """Return by side what it has; a game for two may say `score` alone."""
        raise NotImplementedError

    def score(self) -> int:
        """Return how much better the side to act stands than the other (the best other) one."""
        side_scores = list(self.side_scores())
        own = side_scores.pop(self.side)
        return round(own - max(side_scores))

    @abstractmethod
    def noise(self, move: AnyMove) -> int:
        """Return 0 for a quiet move; else the more, the more it changes at once."""

    def in_check(self) -> bool:
        """Whether the side to act must answer a threat, so that nothing can be judged yet."""
        return False

    def certainly_has_move(self) -> bool:
        """Whether it is known without listing any that there is a move."""
        return False

    def score_bound(self) -> Callable[[AnyMove], int] | None:
        """Return what says of a move, without making it, how much who makes it has at most once the
        other side may let be what it leads to: WIN if that is not known, as where it threatens.
        None if nothing is known of any move.
        """
        return None

    def move_key(self, move: AnyMove) -> Hashable:
        """Return what tells the move from others, here and in similar positions."""
        marked: Hashable = move
        return marked

    def centrality(self, seat: int) -> int:
        """Return how near to the middle a seat's pieces stand, in steps summed up; 0 where that
        does not count.
        """
        return 0

    def opposing_turns(self, after: Any) -> Sequence[Any]:
        """Return the turns of the other seats until the one to act moves again, each with the
        pieces as they stand in a position after this one; nothing where that cannot be told.
        """
        return ()

    # ---- playing

    @property
    def side(self) -> int:
        """Who sees worths so: the side to act; before a throw the first."""
        return 0 if self.turn == CHANCE else self.sides[self.turn]

    @property
    def ply(self) -> int:
        """How many moves have been made since the beginning."""
        return len(self.line)

    def moves(self) -> Sequence[AnyMove]:
        """Return every legal move; nothing when the game is over."""
        return self.game.legal(self.position)

    def noisy_moves(self, least: int = 0) -> Sequence[AnyMove] | None:
        """Return the loud moves, loudest first; those that are no louder than `least` need not be
        among them. None if there is no move at all.
        """
        moves = self.moves()
        noise = self.noise
        return sorted(filter(noise, moves), key=noise, reverse=True) if moves else None

    def make(self, move: AnyMove) -> None:
        """Play a legal move."""
        self.line.append(self.position)
        self.position = self.game.play(self.position, move)
        self.turn = self.game.turn(self.position)

    def unmake(self) -> None:
        """Take the last move back."""
        self.position = self.line.pop()
        self.turn = self.game.turn(self.position)

    def null_move(self) -> bool:
        """Let the other side move twice, against the rules, where a turn is never a burden, and
        say so; `unmake` takes it back. A search sees by it that a move need not be looked for.
        """
        return False

    # ---- what it is

    def key(self) -> Hashable:
        """Return what is equal for equal positions."""
        key: Hashable = self.position
        return key

    def final_result(self) -> int:
        """Return what it means that there is no move: 1 won, 0 drawn, -1 lost."""
        return self._result(self.game.outcome(self.position))

    def repetition_result(self) -> int | None:
        """Return what comes of it by the rules that this position has been there before: 1 won,
        0 drawn, -1 lost; None if it has not, or if that does not matter.

        What comes round within the search would come round again and again.
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
        """Return what the position is worth if that is certain, by the rules or by the book; None
        if it is not. Forced ends count from the position itself.
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
        """Return the sides that won the game, which is over; none if it is drawn."""
        outcome = self.game.outcome(self.position)
        return frozenset(self.sides[seat] for seat in outcome.winners) if outcome else frozenset()

    def _result(self, outcome: Outcome | None) -> int:
        if outcome is None or not outcome.winners:
            return 0
        side = self.side
        return 1 if any(self.sides[seat] == side for seat in outcome.winners) else -1
