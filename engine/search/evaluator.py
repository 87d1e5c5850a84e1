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
    swing: ClassVar[int] = WIN
    """By so much a loud move may change the worth beyond its loudness."""
    pieces: ClassVar[Mapping[str, int]] = {}
    """By kind what a piece is worth to who takes him, half for his own and half for the other
    side's loss; royal pieces outweigh all others.
    """

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

    def standing(self) -> Sequence[float]:
        """Return by side what it has; a game for two may say `worth` alone."""
        raise NotImplementedError

    def worth(self) -> int:
        """Return how much better the side to act stands than the other (the best other) one."""
        standing = list(self.standing())
        own = standing.pop(self.side)
        return round(own - max(standing))

    @abstractmethod
    def loud(self, move: AnyMove) -> int:
        """Return 0 for a quiet move; else the more, the more it changes at once."""

    def urgent(self) -> bool:
        """Whether the side to act must answer a threat, so that nothing can be judged yet."""
        return False

    def alive(self) -> bool:
        """Whether it is known without listing any that there is a move."""
        return False

    def promise(self) -> Callable[[AnyMove], int] | None:
        """Return what says of a move, without making it, how much who makes it has at most once the
        other side may let be what it leads to: WIN if that is not known, as where it threatens.
        None if nothing is known of any move.
        """
        return None

    def mark(self, move: AnyMove) -> Hashable:
        """Return what tells the move from others, here and in similar positions."""
        marked: Hashable = move
        return marked

    def worths(self) -> Mapping[str, int]:
        """Return by kind what a piece is worth to who takes him."""
        return self.pieces

    def inside(self, seat: int) -> int:
        """Return how near to the middle a seat's pieces stand, in steps summed up; 0 where that
        does not count.
        """
        return 0

    def waiting(self, after: Any) -> Sequence[Any]:
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

    def loud_moves(self, least: int = 0) -> Sequence[AnyMove] | None:
        """Return the loud moves, loudest first; those that are no louder than `least` need not be
        among them. None if there is no move at all.
        """
        moves = self.moves()
        loud = self.loud
        return sorted(filter(loud, moves), key=loud, reverse=True) if moves else None

    def make(self, move: AnyMove) -> None:
        """Play a legal move."""
        self.line.append(self.position)
        self.position = self.game.play(self.position, move)
        self.turn = self.game.turn(self.position)

    def unmake(self) -> None:
        """Take the last move back."""
        self.position = self.line.pop()
        self.turn = self.game.turn(self.position)

    def skip(self) -> bool:
        """Let the other side move twice, against the rules, where a turn is never a burden, and
        say so; `unmake` takes it back. A search sees by it that a move need not be looked for.
        """
        return False

    # ---- what it is

    def key(self) -> Hashable:
        """Return what is equal for equal positions."""
        key: Hashable = self.position
        return key

    def over(self) -> int:
        """Return what it means that there is no move: 1 won, 0 drawn, -1 lost."""
        return self._result(self.game.outcome(self.position))

    def repeats(self) -> int | None:
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

    def settled(self) -> int | None:
        """Return what the position is worth if that is certain, by the rules or by the book; None
        if it is not. Forced ends count from the position itself.
        """
        if not self.moves():
            return self.over() * WIN
        again = self.repeats()
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
