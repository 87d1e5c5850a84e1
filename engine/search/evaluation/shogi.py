"""The evaluation of Shogi, updated with each move on a `ShogiBoard`."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from operator import itemgetter
from typing import Any, Final

from engine.games.shogi.board import ShogiBoard
from engine.games.shogi.moves import (
    BISHOPS,
    CROSS,
    KINGS,
    LANCES,
    PAWNS,
    ROOKS,
    SALTIRE,
    STEPPERS,
    ShogiMove,
)
from engine.games.shogi.pieces import (
    BISHOP,
    GOLD,
    GOTE,
    HAND_KINDS,
    KING,
    KNIGHT,
    LANCE,
    PAWN,
    PIECE_CODES,
    PROMOTED,
    ROOK,
    SILVER,
    STEPS,
    count_in_hand,
)
from engine.games.shogi.squares import (
    BETWEEN,
    BIT,
    FALLING_LINE,
    FILE_LINE,
    FORWARD_LINE,
    RANK_LINE,
    RISING_LINE,
    squares_of,
    union,
)
from engine.match import AnyGame
from engine.search.evaluator import Evaluator
from engine.search.grades import WIN

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
"""Per rank that a stepping piece, but no pawn or king, has advanced towards the middle."""
_AT_HOME: Final = 12
"""Per rank that a king is nearer to home."""
_GUARD: Final = 22
"""Per gold, silver, knight or promoted piece beside its own king."""
_DANGER: Final = 26
"""Per enemy piece within two squares of a king."""

_ZONES: Final = tuple(
    sum(1 << square for square in range(81) if (square % 9 < 3, square % 9 > 5)[seat])
    for seat in (0, 1)
)
"""By seat: the promotion zone, as bits."""
_BESIDE: Final = STEPS[KING]
_WITHIN_TWO: Final = tuple(
    union([other for near in squares_of(bits) for other in squares_of(_BESIDE[near] | bits)])
    for bits in _BESIDE
)


def _placed(piece: int, square: int) -> int:
    """Return the value of a piece on a square to sente."""
    kind, rank = piece & 15, square % 9
    forward = rank if piece & GOTE else 8 - rank
    score = _ON_BOARD[kind]
    if kind == KING:
        score -= _AT_HOME * forward
    elif kind not in (PAWN, LANCE, BISHOP, ROOK):
        score += _ADVANCE * min(forward, 5)
    return -score if piece & GOTE else score


_PLACED: Final = tuple(
    tuple(_placed(piece, square) for square in range(81)) if piece in PIECE_CODES else (0,) * 81
    for piece in range(32)
)
_HELD: Final = (_IN_HAND, tuple(-score for score in _IN_HAND))
"""By seat and kind."""
_TAKES: Final = tuple(
    0
    if piece not in PIECE_CODES
    else _KING_TAKEN
    if piece & 15 == KING
    else _ON_BOARD[piece & 15] + _IN_HAND[piece & 7]
    for piece in range(32)
)
"""By piece: the noise of capturing it."""
_TURNS: Final = tuple(
    _ON_BOARD[piece & 15 | PROMOTED] - _ON_BOARD[piece & 15]
    if piece in PIECE_CODES and piece & 15 in (PAWN, BISHOP, ROOK)
    else 0
    for piece in range(32)
)
"""By piece: the noise of promoting it."""
_MOST_TURNS: Final = max(_TURNS)
_MOST_ABOUT_KING: Final = 8 * _GUARD + 24 * _DANGER
"""The most that a move of the king can add through the pieces around it."""
_GAIN: Final = itemgetter(0)
_STEP_CHECKS: Final = tuple(
    tuple(
        tuple(
            STEPS[piece ^ GOTE][king] if piece in PIECE_CODES and piece & 16 == GOTE * us else 0
            for piece in range(32)
        )
        for king in range(81)
    )
    for us in (0, 1)
)
"""By side, the other king's square and piece: from where it steps onto that square, as bits."""


def _checks(board: ShogiBoard) -> tuple[list[int], int]:
    """Return the squares of direct checks by piece, and the pieces that may uncover a check.

    Both are for the side to move, as bits.
    """
    us = board.turn
    own, masks, king = GOTE * us, board.masks, board.kings[1 - us]
    occupied = board.occupied[0] | board.occupied[1]
    file, rank, line = FILE_LINE[king], RANK_LINE[king], FORWARD_LINE[1 - us][king]
    rising, falling = RISING_LINE[king], FALLING_LINE[king]
    cross = file[occupied & file.mask] | rank[occupied & rank.mask]
    saltire = rising[occupied & rising.mask] | falling[occupied & falling.mask]
    found = list(_STEP_CHECKS[us][king])
    found[LANCE + own] = line[occupied & line.mask]
    found[ROOK + own] = cross
    found[ROOK + PROMOTED + own] |= cross
    found[BISHOP + own] = saltire
    found[BISHOP + PROMOTED + own] |= saltire
    snipers = (
        masks[ROOKS + us] & CROSS[king]
        | masks[BISHOPS + us] & SALTIRE[king]
        | masks[LANCES + us] & line.mask
    )
    veils = 0
    between = BETWEEN[king]
    while snipers:
        bit = snipers & -snipers
        snipers ^= bit
        veil = between[bit.bit_length() - 1] & occupied
        if not veil & veil - 1:
            veils |= veil
    return found, veils


class ShogiEvaluator(Evaluator):
    """Scores the pieces on the board and in hand, their advance, and the safety of the kings."""

    scale = 1000.0
    noise_margin = 250
    piece_values: Mapping[str, int] = {
        "P": 95, "L": 265, "N": 285, "S": 410, "G": 470, "B": 630, "R": 730, "K": 15_000,
        "+P": 260, "+L": 350, "+N": 360, "+S": 430, "+B": 750, "+R": 860,
    }  # fmt: skip

    def __init__(self, game: AnyGame, position: Any, earlier: Sequence[Any] = ()) -> None:
        super().__init__(game, position, earlier)
        self._board = ShogiBoard(position, game.options["illegal_move"] == "king_capture")
        self._known_keys = frozenset(ShogiBoard(each).key for each in self._known)
        self._scores: list[int] = [
            sum(_PLACED[piece][square] for square, piece in enumerate(position.cells) if piece)
            + sum(
                _HELD[seat][kind] * count_in_hand(position.hands[seat], kind)
                for seat in (0, 1)
                for kind in HAND_KINDS
            )
        ]
        """The lead of sente's pieces after each move since the root."""
        self._skipped = [(-1, 0)]
        """For each null move its ply and the number of moves before it."""

    @property
    def ply(self) -> int:
        """The number of moves made since the root."""
        return len(self._scores) - 1

    def moves(self) -> Sequence[ShogiMove]:
        """Return every legal move."""
        return self._board.moves()

    def make(self, move: ShogiMove) -> None:
        """Make a legal move."""
        board = self._board
        board.make(move)
        _, piece, taken = board.past[-1]
        target, mover, score = move.target, self.turn, self._scores[-1]
        if piece:
            score += _PLACED[board.pieces[target]][target] - _PLACED[piece][move.start]
            if taken:
                score += _HELD[mover][taken & 7] - _PLACED[taken][target]
        else:
            score += _PLACED[board.pieces[target]][target] - _HELD[mover][move.drop]
        self._scores.append(score)
        self.turn = board.turn

    def null_move(self) -> bool:
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

    def final_result(self) -> int:
        """Return -1: a side without moves has lost."""
        return -1

    def repetition_result(self) -> int | None:
        """Return the result of a repeated position: perpetual check loses."""
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
        """Return the positions from the root to the one before this."""
        board, line = self._board, []
        moves = [move for move, _, _ in board.past]
        for _ in moves:
            board.unmake()
        for move in moves:
            line.append(board.position())
            board.make(move)
        return line

    # ---- score and noise

    def score(self) -> int:
        """Return the difference of both sides' pieces and king safety."""
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

    def score_bound(self) -> Callable[[ShogiMove], int] | None:
        """Return a bound for moves that give no check, take no king and do not step back."""
        board, us, them = self._board, self.turn, 1 - self.turn
        pieces, masks = board.pieces, board.masks
        if not (masks[KINGS] and masks[KINGS + 1]):
            return None
        if board.king_may_fall and board.checkers(them):
            return None  # the king can be taken
        beside, near = _BESIDE[board.kings[us]], _WITHIN_TWO[board.kings[them]]
        now, sign, own, hand = self.score(), 1 - 2 * us, GOTE * us, _IN_HAND
        checks, veils = _checks(board)
        past = board.past
        back = past[-2][0] if len(past) - self._skipped[-1][1] > 2 else None

        def most(move: ShogiMove) -> int:
            target = move.target
            there = BIT[target]
            if move.drop:
                piece = move.drop + own
                score = now + sign * _PLACED[piece][target] - hand[move.drop]
            else:
                start, taken = move.start, pieces[target]
                if BIT[start] & veils or (back and back.start == target and back.target == start):
                    return WIN
                before = piece = pieces[start]
                if move.promotes:
                    piece += PROMOTED
                score = now + sign * (_PLACED[piece][target] - _PLACED[before][start])
                if taken:
                    if taken & 15 == KING:
                        return WIN
                    score += hand[taken & 7] - sign * _PLACED[taken][target] + _GUARD + _DANGER
                if piece & 15 == KING:
                    score += _MOST_ABOUT_KING
                if near & BIT[start]:
                    score -= _DANGER
            if checks[piece] & there:
                return WIN
            if near & there:
                score += _DANGER
            if beside & there:
                score += _GUARD
            return score

        return most

    def noise(self, move: ShogiMove) -> int:
        """Return the noise of a capture, and of a promotion of pawn, bishop or rook."""
        if move.drop:
            return 0
        pieces = self._board.pieces
        return _TAKES[pieces[move.target]] + (_TURNS[pieces[move.start]] if move.promotes else 0)

    def noisy_moves(self, least: int = 0) -> Sequence[ShogiMove] | None:
        """Return the noisy moves without those that lose more than they take or gain too little."""
        board = self._board
        pieces, attackers, other = board.pieces, board.attackers, 1 - self.turn
        onto = board.occupied[other]
        occupied = board.occupied[0] | board.occupied[1]
        if least < _MOST_TURNS:
            onto |= _ZONES[self.turn]
        elif least >= _MOST_TURNS + _TAKES[PAWN]:
            onto ^= board.masks[PAWNS + other]
        moves, _ = board.moves_on_board(onto)
        guarded: dict[int, int] = {}
        noise: list[tuple[int, ShogiMove]] = []
        for move in moves:
            target, piece = move.target, pieces[move.start]
            gain = _TAKES[pieces[target]] + (_TURNS[piece] if move.promotes else 0)
            if gain > least:
                if gain < _TAKES[piece]:
                    guards = guarded.get(target)
                    if guards is None:
                        guards = guarded[target] = attackers(target, other, occupied)
                    if guards:
                        continue
                noise.append((gain, move))
        if not (noise or self.certainly_has_move() or board.moves()):
            return None
        noise.sort(key=_GAIN, reverse=True)
        return [move for _, move in noise]

    def certainly_has_move(self) -> bool:
        """Return whether the side to act is not in check: then it has a move."""
        return not self.in_check()

    def in_check(self) -> bool:
        """Return whether the side to act is in check."""
        return bool(self._board.checkers(self.turn))
