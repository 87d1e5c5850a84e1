"""A mutable board that makes and unmakes moves and lists the legal ones fast.

What makes it fast in plain Python:

- A set of squares is an int of 81 bits; a file is nine neighbouring bits.
- A piece that steps costs one AND and one look-up: a table maps the bits of its targets to a tuple
  of moves, promotions included. All pawns of a side take one look-up together.
- The reach of a slider is one look-up for each line, by the pieces on the line.
- All drops take three look-ups, one for each band of three files.
- Legality is found from the king outwards: checkers, pins, and the squares where the king may go.
  All this is skipped if no enemy piece is near the king and no slider looks at it or at a square
  beside it. Only one square can allow a mate by a pawn drop, so only that one is tested.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from engine.games.shogi.moves import (
    AHEAD_ABOUT,
    BAND,
    BISHOPS,
    CROSS,
    CROSS_ABOUT,
    DROPS,
    GROUP,
    KINGS,
    LANCES,
    MOBILITY,
    NEAR,
    NEAR_ABOUT,
    PAWN_CHOICES,
    PAWN_FILES,
    PAWNS,
    ROOKS,
    SALTIRE,
    SALTIRE_ABOUT,
    STEPPERS,
    ShogiMove,
    drop_move,
)
from engine.games.shogi.pieces import (
    FULL_SET,
    GOTE,
    HAND_KINDS,
    KING,
    ONE_IN_HAND,
    PAWN,
    PAWNS_IN_HAND,
    PROMOTED,
    STEPS,
    count_in_hand,
)
from engine.games.shogi.position import ShogiPosition
from engine.games.shogi.squares import (
    BETWEEN,
    BIT,
    BOARD,
    FALLING_LINE,
    FILE_LINE,
    FILES,
    FORWARD_LINE,
    RANK_LINE,
    RISING_LINE,
    squares_of,
)

# ---- Zobrist keys

# The key of a position is the XOR of one random number for each fact about it. Two positions of a
# match share a key only if they are equal (or once in some 10^19 pairs), so search and repetition
# need to keep only the key. The numbers come from SplitMix64 (Steele, Lea, Flood 2014) with a fixed
# seed: keys are the same in every run.


def _numbers() -> Iterator[int]:
    """Yield SplitMix64 from seed 0."""
    mask = (1 << 64) - 1
    state = 0
    while True:
        state = state + 0x9E3779B97F4A7C15 & mask
        mixed = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & mask
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & mask
        yield mixed ^ mixed >> 31


_number: Final = _numbers()

PIECE_KEYS: Final = tuple(tuple(next(_number) for _ in range(81)) for _ in range(32))
"""By piece and square."""
HAND_KEYS: Final = tuple(
    tuple(
        tuple(next(_number) for _ in range(FULL_SET[kind])) if kind in HAND_KINDS else (0,)
        for kind in range(KING)
    )
    for _ in range(2)
)
"""By side, kind and number: true of a hand that holds more of the kind than that number."""
GOTE_TO_MOVE: Final = next(_number)


# ---- the board


class ShogiBoard:
    """A position that changes in place; its creator owns it.

    `king_may_fall`: a king may stay in or move into check, and may be taken.
    """

    __slots__ = (
        *("_asked", "_checkers", "hands", "key", "king_may_fall", "kings", "masks", "occupied"),
        *("past", "past_keys", "pieces", "turn", "units"),
    )

    def __init__(self, position: ShogiPosition, king_may_fall: bool = False) -> None:
        self.pieces = list(position.cells)
        self.hands = list(position.hands)
        self.turn = position.turn
        self.king_may_fall = king_may_fall
        self.masks = [0] * 12
        """By group: its squares, as bits."""
        self.units: list[dict[int, tuple[Any, ...]]] = [{} for _ in range(12)]
        """By group: the mobility of each piece by its square."""
        self.occupied = [0, 0]
        self.kings = [-1, -1]
        self.key = GOTE_TO_MOVE if position.turn else 0
        """The Zobrist key of pieces, hands and turn."""
        self.past_keys: list[int] = []
        """The keys of the positions before this one."""
        self._asked, self._checkers = (-1, 0), 0
        self.past: list[tuple[ShogiMove, int, int]] = []
        """The moves made, each with the moved piece (0: a drop) and the captured one (0: none)."""
        for square, piece in enumerate(position.cells):
            if piece:
                self.masks[GROUP[piece]] |= BIT[square]
                self.units[GROUP[piece]][square] = MOBILITY[piece][square]
                self.occupied[piece >> 4] |= BIT[square]
                self.key ^= PIECE_KEYS[piece][square]
                if piece & 15 == KING:
                    self.kings[piece >> 4] = square
        for side in (0, 1):
            for kind in HAND_KINDS:
                for number in range(count_in_hand(self.hands[side], kind)):
                    self.key ^= HAND_KEYS[side][kind][number]

    def position(self) -> ShogiPosition:
        """Return the current position as a value."""
        return ShogiPosition(bytes(self.pieces), (self.hands[0], self.hands[1]), self.turn)

    # ---- making and unmaking moves

    def make(self, move: ShogiMove) -> None:
        """Play one of `moves`."""
        us = self.turn
        pieces, masks, units = self.pieces, self.masks, self.units
        target = move.target
        there = BIT[target]
        self.past_keys.append(self.key)
        key = self.key ^ GOTE_TO_MOVE
        kind = move.drop
        if kind:
            self.past.append((move, 0, 0))
            piece = kind + GOTE * us
            group = GROUP[piece]
            self.hands[us] -= ONE_IN_HAND[kind]
            key ^= HAND_KEYS[us][kind][self.hands[us] >> 5 * (kind - 1) & 31]
            self.occupied[us] ^= there
        else:
            start = move.start
            piece = pieces[start]
            taken = pieces[target]
            self.past.append((move, piece, taken))
            group = GROUP[piece]
            pieces[start] = 0
            masks[group] ^= BIT[start]
            del units[group][start]
            key ^= PIECE_KEYS[piece][start]
            self.occupied[us] ^= BIT[start] | there
            if taken:
                masks[GROUP[taken]] ^= there
                del units[GROUP[taken]][target]
                self.occupied[1 - us] ^= there
                key ^= PIECE_KEYS[taken][target]
                kind = taken & 7
                if kind:  # a king goes to no hand
                    key ^= HAND_KEYS[us][kind][self.hands[us] >> 5 * (kind - 1) & 31]
                    self.hands[us] += ONE_IN_HAND[kind]
            if move.promotes:
                piece += PROMOTED
                group = GROUP[piece]
            elif group >= KINGS:
                self.kings[us] = target
        pieces[target] = piece
        masks[group] ^= there
        units[group][target] = MOBILITY[piece][target]
        self.key = key ^ PIECE_KEYS[piece][target]
        self.turn = 1 - us

    def unmake(self) -> None:
        """Take the last move back."""
        us = self.turn = 1 - self.turn
        self.key = self.past_keys.pop()
        move, piece, taken = self.past.pop()
        pieces, masks, units = self.pieces, self.masks, self.units
        target = move.target
        there = BIT[target]
        group = GROUP[pieces[target]]
        masks[group] ^= there
        del units[group][target]
        pieces[target] = taken
        if not piece:
            self.hands[us] += ONE_IN_HAND[move.drop]
            self.occupied[us] ^= there
            return
        start = move.start
        group = GROUP[piece]
        pieces[start] = piece
        masks[group] ^= BIT[start]
        units[group][start] = MOBILITY[piece][start]
        self.occupied[us] ^= BIT[start] | there
        if group >= KINGS:
            self.kings[us] = start
        if taken:
            masks[GROUP[taken]] ^= there
            units[GROUP[taken]][target] = MOBILITY[taken][target]
            self.occupied[1 - us] ^= there
            self.hands[us] -= ONE_IN_HAND[taken & 7]

    def pass_turn(self) -> None:
        """Let the other side move; call it again to undo that."""
        self.turn = 1 - self.turn
        self.key ^= GOTE_TO_MOVE

    # ---- attacks

    def attackers(self, square: int, by: int, occupied: int) -> int:
        """Return the pieces of side `by` that attack a square, given the occupied squares."""
        found = 0
        near = self.occupied[by] & NEAR[by][square]
        while near:
            bit = near & -near
            near ^= bit
            start = bit.bit_length() - 1
            if STEPS[self.pieces[start]][start] & BIT[square]:
                found |= bit
        rooks = self.masks[ROOKS + by] & CROSS[square]
        if rooks:
            file, rank = FILE_LINE[square], RANK_LINE[square]
            found |= rooks & (file[occupied & file.mask] | rank[occupied & rank.mask])
        bishops = self.masks[BISHOPS + by] & SALTIRE[square]
        if bishops:
            rising, falling = RISING_LINE[square], FALLING_LINE[square]
            found |= bishops & (rising[occupied & rising.mask] | falling[occupied & falling.mask])
        line = FORWARD_LINE[1 - by][square]
        lances = self.masks[LANCES + by] & line.mask
        if lances:
            found |= lances & line[occupied & line.mask]
        return found

    def checkers(self, side: int) -> int:
        """Return the pieces that attack a side's king, as bits; none if it was taken."""
        asked = self.key, side
        if asked != self._asked:  # callers ask several times in one position
            king = self.kings[side] if self.masks[KINGS + side] else -1
            occupied = self.occupied[0] | self.occupied[1]
            self._checkers = 0 if king < 0 else self.attackers(king, 1 - side, occupied)
            self._asked = asked
        return self._checkers

    # ---- moves

    def moves(self) -> list[ShogiMove]:
        """Return every legal move once, in arbitrary order."""
        moves, empty = self.moves_on_board()
        self.add_drops(moves, empty)
        return moves

    def moves_on_board(self, onto: int = BOARD) -> tuple[list[ShogiMove], int]:
        """Return the legal moves of pieces on the board to `onto`, and the squares for drops.

        Both sets of squares are bits.
        """
        us = self.turn
        them = 1 - us
        masks = self.masks
        own, enemy = self.occupied[us], self.occupied[them]
        empty = BOARD ^ own ^ enemy
        free = onto & ~own
        if not masks[KINGS + us]:
            if self.king_may_fall:
                return [], 0  # the king was taken: the game is over
            freely: list[ShogiMove] = []  # the attacker of a problem has no king to protect
            self._add_moves_of_others(freely, free)
            return freely, empty
        king = self.kings[us]
        steps, ready = self.units[KINGS + us][king]
        if self.king_may_fall or not (
            enemy & NEAR_ABOUT[us][king]
            or masks[ROOKS + them] & CROSS_ABOUT[king]
            or masks[BISHOPS + them] & SALTIRE_ABOUT[king]
            or masks[LANCES + them] & AHEAD_ABOUT[us][king]
        ):
            moves = [*ready[steps & free]]
            self._add_moves_of_others(moves, free)
        else:
            occupied = own | enemy
            moves = [*ready[self._unattacked(steps & free, them, occupied ^ BIT[king])]]
            checkers = self.checkers(us)
            if checkers:
                if checkers & checkers - 1:
                    return moves, 0  # a double check: only the king can move
                empty = BETWEEN[king][checkers.bit_length() - 1]
                free = onto & (checkers | empty)
            pins = self._pins(king, us, occupied)
            if pins:
                others: list[ShogiMove] = []
                self._add_moves_of_others(others, free)
                moves += [
                    move
                    for move in others
                    if move.start not in pins or pins[move.start] & BIT[move.target]
                ]
            else:
                self._add_moves_of_others(moves, free)
        return moves, empty

    def _unattacked(self, squares: int, by: int, occupied: int) -> int:
        """Return those of the squares, as bits, that side `by` does not attack."""
        left = squares
        while left:
            bit = left & -left
            left ^= bit
            if self.attackers(bit.bit_length() - 1, by, occupied):
                squares ^= bit
        return squares

    def _pins(self, king: int, us: int, occupied: int) -> dict[int, int]:
        """Return the pinned pieces by square, with their allowed targets as bits.

        A pinned piece may move along the line to the slider, or capture it.
        """
        masks, them = self.masks, 1 - us
        snipers = (
            masks[ROOKS + them] & CROSS[king]
            | masks[BISHOPS + them] & SALTIRE[king]
            | masks[LANCES + them] & FORWARD_LINE[us][king].mask
        )
        pins = {}
        while snipers:
            bit = snipers & -snipers
            snipers ^= bit
            line = BETWEEN[king][bit.bit_length() - 1]
            shield = line & occupied
            if shield & self.occupied[us] and not shield & shield - 1:
                pins[shield.bit_length() - 1] = line | bit
        return pins

    def _add_moves_of_others(self, moves: list[ShogiMove], free: int) -> None:
        """Add the pseudo-legal moves of all pieces but the king to the squares in `free`."""
        us = self.turn
        units = self.units
        occupied = self.occupied[0] | self.occupied[1]
        pawns = self.masks[PAWNS + us]
        moves += PAWN_CHOICES[us][(pawns << 1 if us else pawns >> 1) & free]
        for steps, ready in units[STEPPERS + us].values():
            moves += ready[steps & free]
        for mask, line, ready in units[LANCES + us].values():
            moves += ready[line[occupied & mask] & free]
        for mask, line, mask2, line2, steps, ready in units[BISHOPS + us].values():
            moves += ready[(line[occupied & mask] | line2[occupied & mask2] | steps) & free]
        for mask, line, mask2, line2, steps, ready in units[ROOKS + us].values():
            moves += ready[(line[occupied & mask] | line2[occupied & mask2] | steps) & free]

    def add_drops(self, moves: list[ShogiMove], empty: int) -> None:
        """Add the drops on the squares in `empty`, all of which must allow drops."""
        us = self.turn
        hand = self.hands[us]
        if not (hand and empty):
            return
        right, middle, left = DROPS[us][hand]
        if not hand & PAWNS_IN_HAND:
            moves += right[empty & BAND]
            moves += middle[empty >> 27 & BAND]
            moves += left[empty >> 54]
            return
        pawns = self.masks[PAWNS + us]
        right_files, middle_files, left_files = PAWN_FILES[pawns]
        moves += right[empty & BAND | right_files]
        moves += middle[empty >> 27 & BAND | middle_files]
        moves += left[empty >> 54 | left_files]
        before_king = self.kings[1 - us] + (-1 if us else 1)
        if (
            0 <= before_king < 81
            and empty & BIT[before_king]
            and not pawns & FILES[before_king // 9]
            and self.pawn_drop_mates(before_king)
        ):
            moves.remove(drop_move(PAWN, before_king))

    def pawn_drop_mates(self, square: int) -> bool:
        """Return whether a pawn dropped on an empty square would give mate."""
        us = self.turn
        them = 1 - us
        king = self.kings[them]
        if king < 0 or not STEPS[PAWN + GOTE * us][square] & BIT[king]:
            return False
        occupied = self.occupied[0] | self.occupied[1] | BIT[square]
        for target in squares_of(STEPS[KING][king] & ~self.occupied[them]):
            if not self.attackers(target, us, occupied ^ BIT[king]):
                return False
        guards = self.attackers(square, them, occupied) & ~BIT[king]
        return all(  # every piece that could take the pawn is pinned
            self.attackers(king, us, occupied ^ BIT[guard]) for guard in squares_of(guards)
        )

    def perft(self, depth: int) -> int:
        """Return the number of move sequences of that length."""
        if depth == 0:
            return 1
        moves = self.moves()
        if depth == 1:
            return len(moves)
        make, unmake, perft = self.make, self.unmake, self.perft
        total = 0
        for move in moves:
            make(move)
            total += perft(depth - 1)
            unmake()
        return total
