"""What a position of Shogi is worth, kept up to date on the game's inner board."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from operator import itemgetter
from typing import Any, ClassVar, Final

from engine.games.shogi.board import KINGS, STEPPERS, Board
from engine.games.shogi.men import (
    BISHOP,
    GOLD,
    GOTE,
    HELD,
    KING,
    KNIGHT,
    LANCE,
    MEN,
    PAWN,
    PROMOTED,
    ROOK,
    SILVER,
    STEPS,
    held,
)
from engine.games.shogi.move import Move
from engine.games.shogi.squares import squares_of, union
from engine.match import AnyGame
from engine.search.seam import Seam

_ON_BOARD: Final = {
    PAWN: 90,
    LANCE: 250,
    KNIGHT: 270,
    SILVER: 390,
    GOLD: 450,
    BISHOP: 600,
    ROOK: 700,
    KING: 0,
    PAWN + PROMOTED: 430,
    LANCE + PROMOTED: 430,
    KNIGHT + PROMOTED: 430,
    SILVER + PROMOTED: 450,
    BISHOP + PROMOTED: 850,
    ROOK + PROMOTED: 970,
}
_IN_HAND: Final = (0, 100, 280, 300, 430, 490, 660, 760)
"""By kind."""
_KING_TAKEN: Final = 20_000
_ADVANCE: Final = 6
"""For each rank that a man who steps, but no pawn and no king, is up to the middle."""
_AT_HOME: Final = 12
"""For each rank that a king is nearer to home."""
_GUARD: Final = 22
"""For each gold, silver, knight or promoted man beside its king …"""
_DANGER: Final = 26
"""… and for each enemy man within two squares of him."""

_ZONES: Final = tuple(
    sum(1 << square for square in range(81) if (square % 9 < 3, square % 9 > 5)[seat])
    for seat in (0, 1)
)
"""By seat: where men turn into better ones, as bits."""
_BESIDE: Final = STEPS[KING]
_WITHIN_TWO: Final = tuple(
    union([other for near in squares_of(bits) for other in squares_of(_BESIDE[near] | bits)])
    for bits in _BESIDE
)


def _placed(man: int, square: int) -> int:
    """Return what a man on a square is worth to sente."""
    kind, rank = man & 15, square % 9
    forward = rank if man & GOTE else 8 - rank
    worth = _ON_BOARD[kind]
    if kind == KING:
        worth -= _AT_HOME * forward
    elif kind not in (PAWN, LANCE, BISHOP, ROOK):
        worth += _ADVANCE * min(forward, 5)
    return -worth if man & GOTE else worth


_PLACED: Final = tuple(
    tuple(_placed(man, square) for square in range(81)) if man in MEN else (0,) * 81
    for man in range(32)
)
_HELD: Final = (_IN_HAND, tuple(-worth for worth in _IN_HAND))
"""By seat and kind."""
_TAKES: Final = tuple(
    0
    if man not in MEN
    else _KING_TAKEN
    if man & 15 == KING
    else _ON_BOARD[man & 15] + _IN_HAND[man & 7]
    for man in range(32)
)
"""By man: how loud it is to take him."""
_TURNS: Final = tuple(
    _ON_BOARD[man & 15 | PROMOTED] - _ON_BOARD[man & 15]
    if man in MEN and man & 15 in (PAWN, BISHOP, ROOK)
    else 0
    for man in range(32)
)
"""By man: how loud it is to promote him."""
_GAIN: Final = itemgetter(0)


class ShogiSeam(Seam):
    """Men on the board and in hand, how far they are, and who stands around the kings."""

    scale = 1000.0
    swing = 250
    men: ClassVar = {
        "P": 95, "L": 265, "N": 285, "S": 410, "G": 470, "B": 630, "R": 730, "K": 15_000,
        "+P": 260, "+L": 350, "+N": 360, "+S": 430, "+B": 750, "+R": 860,
    }  # fmt: skip

    def __init__(self, game: AnyGame, position: Any, earlier: Sequence[Any] = ()) -> None:
        super().__init__(game, position, earlier)
        self._board = Board(position, game.options["illegal_move"] == "king_capture")
        self._known_keys = frozenset(Board(each).key for each in self._known)
        self._scores: list[int] = [
            sum(_PLACED[man][square] for square, man in enumerate(position.cells) if man)
            + sum(
                _HELD[seat][kind] * held(position.hands[seat], kind)
                for seat in (0, 1)
                for kind in HELD
            )
        ]
        """What sente's men are worth beyond gote's, after each move since the beginning."""
        self._skipped = [(-1, 0)]
        """Of each turn skipped the ply, and how many moves came before."""

    @property
    def ply(self) -> int:
        """How many moves have been made since the beginning."""
        return len(self._scores) - 1

    def moves(self) -> Sequence[Move]:
        """Return every legal move."""
        return self._board.moves()

    def make(self, move: Move) -> None:
        """Play a legal move."""
        board = self._board
        board.make(move)
        _, man, taken = board.past[-1]
        target, mover, score = move.target, self.turn, self._scores[-1]
        if man:
            score += _PLACED[board.men[target]][target] - _PLACED[man][move.start]
            if taken:
                score += _HELD[mover][taken & 7] - _PLACED[taken][target]
        else:
            score += _PLACED[board.men[target]][target] - _HELD[mover][move.drop]
        self._scores.append(score)
        self.turn = board.turn

    def skip(self) -> bool:
        """Let the other side move twice."""
        self._skipped.append((self.ply, len(self._board.past)))
        self._scores.append(self._scores[-1])
        self._board.pass_turn()
        self.turn = self._board.turn
        return True

    def unmake(self) -> None:
        """Take the last move back."""
        self._scores.pop()
        if self._skipped[-1][0] == self.ply:
            self._skipped.pop()
            self._board.pass_turn()
        else:
            self._board.unmake()
        self.turn = self._board.turn

    def key(self) -> Hashable:
        """Return the board's Zobrist key."""
        return self._board.key

    def over(self) -> int:
        """Return -1: who has no move has lost."""
        return -1

    def repeats(self) -> int | None:
        """Return what comes of it if the position has been there before: perpetual check loses."""
        board, skipped = self._board, self._skipped[-1][1]
        if board.key in board.past_keys[skipped:]:
            start = board.past_keys.index(board.key, skipped)
            moves = [move for move, _, _ in board.past[start:]]
            in_check = [True, True]
            for _ in moves:
                in_check[board.turn] &= bool(board.checkers(board.turn))
                board.unmake()
            for move in moves:
                board.make(move)
            return in_check[board.turn] - in_check[1 - board.turn]
        if board.key in self._known_keys and not skipped:
            outcome = self.game.outcome(board.position(), [*self._earlier, *self._since()])
            return None if outcome is None else self._result(outcome)
        return None

    def _since(self) -> list[Any]:
        """Return the positions since the beginning, this one excepted."""
        board, line = self._board, []
        moves = [move for move, _, _ in board.past]
        for _ in moves:
            board.unmake()
        for move in moves:
            line.append(board.position())
            board.make(move)
        return line

    # ---- what it is worth

    def worth(self) -> int:
        """Return the difference of both sides' men and of the danger to their kings."""
        board = self._board
        sente, gote = board.kings
        masks, occupied, score = board.masks, board.occupied, self._scores[-1]
        if masks[KINGS] and masks[KINGS + 1]:
            score += _GUARD * (
                (masks[STEPPERS] & _BESIDE[sente]).bit_count()
                - (masks[STEPPERS + 1] & _BESIDE[gote]).bit_count()
            )
            score += _DANGER * (
                (occupied[0] & _WITHIN_TWO[gote]).bit_count()
                - (occupied[1] & _WITHIN_TWO[sente]).bit_count()
            )
        return -score if self.turn else score

    def loud(self, move: Move) -> int:
        """Return what is taken there, or what a promotion of pawn, bishop or rook gains."""
        if move.drop:
            return 0
        men = self._board.men
        return _TAKES[men[move.target]] + (_TURNS[men[move.start]] if move.promotes else 0)

    def loud_moves(self, least: int = 0) -> Sequence[Move] | None:
        """Return the loud moves but for those that lose more than they take or gain too little."""
        board = self._board
        men, attackers, other = board.men, board.attackers, 1 - self.turn
        occupied = board.occupied[0] | board.occupied[1]
        moves, _ = board.moves_on_board(board.occupied[other] | _ZONES[self.turn])
        loud: list[tuple[int, Move]] = []
        for move in moves:
            man = men[move.start]
            gain = _TAKES[men[move.target]] + (_TURNS[man] if move.promotes else 0)
            if gain > least and (
                gain >= _TAKES[man] or not attackers(move.target, other, occupied)
            ):
                loud.append((gain, move))
        if not (loud or self.alive() or board.moves()):
            return None
        loud.sort(key=_GAIN, reverse=True)
        return [move for _, move in loud]

    def alive(self) -> bool:
        """Whether the side to act is not in check: then it has a move."""
        return not self.urgent()

    def urgent(self) -> bool:
        """Whether the side to act is in check."""
        return bool(self._board.checkers(self.turn))
