"""Shogi, with all its options.

Files are 1–9 from right to left and ranks a–i from top to bottom, both as seen by sente, who sits
at the bottom and moves first. Sources: the rule sheet of a Czech folding board; for what it leaves
open, the usual rules of the game (the 27-point declaration, perpetual check, no legal move loses).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import ClassVar, Final, NamedTuple

from engine.game import (
    Attempt,
    Claim,
    Game,
    IllegalMoveError,
    Outcome,
    Pass,
    Piece,
    Place,
    PositionError,
    Reason,
    Seat,
    Threat,
    Throw,
)
from engine.games.shogi.board import ShogiBoard
from engine.games.shogi.claims import CLAIMED_ENDINGS, CLAIMS, refused, said
from engine.games.shogi.move import ShogiMove
from engine.games.shogi.options import ENDINGS, OPTIONS
from engine.games.shogi.pieces import (
    GOTE,
    HELD,
    HOLDER,
    KING,
    NAMES,
    ONE_IN_HAND,
    PIECES,
    PROMOTED,
    SEATS,
    STACKS,
    TRAYS,
    held,
)
from engine.games.shogi.position import START, ShogiPosition, parse_position, position_text
from engine.games.shogi.refusals import REASONS, refusal, why_not
from engine.games.shogi.repetition import sennichite
from engine.games.shogi.squares import (
    BETWEEN,
    BIT,
    BOARD,
    PLACES,
    READING_ORDER,
    SQUARES,
    squares_of,
    union,
)
from engine.games.shogi.threats import threats

__all__ = ["Shogi", "ShogiBoard", "ShogiMove", "ShogiPosition", "furigoma"]

_START: Final = parse_position(START, ())
_POSITIONS_KEPT: Final = 64


_PATHS: Final = tuple(
    tuple(frozenset(PLACES[each] for each in squares_of(bits)) for bits in row) for row in BETWEEN
)
"""By start and target: the places in between."""

_COVERED: Final = tuple(
    tuple(bits | 1 << start | 1 << target for target, bits in enumerate(row))
    for start, row in enumerate(BETWEEN)
)
"""By start and target: the squares from the one to the other, as bits."""


class _Ready(NamedTuple):
    """What is made ready of a position that no claim has ended."""

    board: ShogiBoard
    moves: tuple[ShogiMove, ...]
    """Of pieces on the board."""
    empty: int
    """The squares on which pieces may be dropped."""

    def drops(self, squares: int) -> list[ShogiMove]:
        """Return the drops on those of some squares."""
        found: list[ShogiMove] = []
        self.board.add_drops(found, self.empty & squares)
        return found


@lru_cache(_POSITIONS_KEPT)
def _ready(position: ShogiPosition, king_may_fall: bool) -> _Ready:
    """Make a position ready; the latest ones are remembered."""
    board = ShogiBoard(position, king_may_fall)
    moves, empty = board.moves_on_board()
    return _Ready(board, tuple(moves), empty)


@lru_cache(_POSITIONS_KEPT)
def _moves(position: ShogiPosition, king_may_fall: bool) -> tuple[ShogiMove, ...]:
    """Return the moves of a position that no claim has ended; remembered for the latest ones."""
    ready = _ready(position, king_may_fall)
    return (*ready.moves, *ready.drops(BOARD))


def furigoma(promoted: Sequence[bool]) -> bool:
    """Return whether the thrower begins, by which of his five pawns show their promoted side.

    With three or more of them the opponent begins. ValueError unless there are five.
    """
    if len(promoted) != 5:
        raise ValueError(f"furigoma: {len(promoted)} pawns instead of 5")
    return sum(promoted) < 3


class Shogi(Game[ShogiPosition, ShogiMove]):
    """Shogi: mate the other king.

    Claims, beside the moves: `resign` and `flag` (its time is up) at any time by either seat, who
    then loses; `illegal` with `illegal_move` = loses, by the side that is not to move: its
    opponent's hand has just made a move that the rules forbid, and loses by it; `draw?` with
    `allow_draw_offer`, answered by the other side with `agree` or `decline`; `jishogi` with
    `impasse` = agreement24 while both kings stand in their promotion zones: once both sides have
    said it the points are counted; `declare` with `impasse` = declaration27. Whoever moves without
    answering has declined what the other side proposed.
    """

    name = "shogi"
    title = "Shogi"
    seats = SEATS
    has_passes = False
    pointing = True
    kinds: ClassVar[Mapping[str, str]] = NAMES
    known_options = OPTIONS
    reasons = REASONS
    endings: ClassVar[Mapping[str, str]] = ENDINGS

    def __init__(self, options: Mapping[str, object] | None = None) -> None:
        super().__init__(options)
        self._king_may_fall = self.options["illegal_move"] == "king_capture"

    def cells(self) -> tuple[Place, ...]:
        """Return 9a … 1i, rank by rank from the top as sente sees them."""
        return READING_ORDER

    def trays(self) -> tuple[Place, ...]:
        """Return hand.sente.P, L, N, S, G, B, R and the same of gote."""
        return tuple(HOLDER)

    def start(self) -> ShogiPosition:
        """Return the start: twenty pieces a side, sente to move."""
        return _START

    def turn(self, position: ShogiPosition) -> Seat:
        """Return 0 for sente, 1 for gote; also when the game is over."""
        return position.turn

    # ---- moves

    def legal(self, position: ShogiPosition) -> Sequence[ShogiMove]:
        """Return every move; nothing when the game is over."""
        return () if position.ended else _moves(position, self._king_may_fall)

    def _is_legal(self, position: ShogiPosition, move: object) -> bool:
        if position.ended or not isinstance(move, ShogiMove):
            return False
        ready = _ready(position, self._king_may_fall)
        return move in (ready.drops(BIT[move.target]) if move.drop else ready.moves)

    def play(
        self, position: ShogiPosition, move: ShogiMove | Throw | Pass | Claim
    ) -> ShogiPosition:
        """Return the position after it; IllegalMoveError says why it cannot be."""
        if isinstance(move, Claim):
            return self._say(position, move)
        if not isinstance(move, ShogiMove) or not self._is_legal(position, move):
            raise self._refused(position, move)
        turn, target, kind = position.turn, move.target, move.drop
        cells = bytearray(position.cells)
        hand = position.hands[turn]
        if kind:
            cells[target] = kind + GOTE * turn
            hand -= ONE_IN_HAND[kind]
        else:
            hand += ONE_IN_HAND[cells[target] & 7]
            cells[target] = cells[move.start] + (PROMOTED if move.promotes else 0)
            cells[move.start] = 0
        offers = position.offers and frozenset(c for c in position.offers if c.seat == turn)
        hands = (position.hands[0], hand) if turn else (hand, position.hands[1])
        return ShogiPosition(bytes(cells), hands, 1 - turn, offers)

    def changes(
        self, position: ShogiPosition, move: ShogiMove | Throw | Pass
    ) -> dict[Place, Piece | None]:
        """Return the two or three places that change; IllegalMoveError as `play`."""
        if not isinstance(move, ShogiMove) or not self._is_legal(position, move):
            raise self._refused(position, move)
        turn, target, kind = position.turn, move.target, move.drop
        hand = position.hands[turn]
        if kind:
            left = (hand >> 5 * (kind - 1) & 31) - 1
            return {
                PLACES[target]: PIECES[kind + GOTE * turn],
                TRAYS[turn][kind]: STACKS[turn][kind][left],
            }
        cells = position.cells
        piece = cells[move.start] + (PROMOTED if move.promotes else 0)
        changed: dict[Place, Piece | None] = {
            PLACES[move.start]: None,
            PLACES[target]: PIECES[piece],
        }
        kind = cells[target] & 7
        if kind:
            changed[TRAYS[turn][kind]] = STACKS[turn][kind][(hand >> 5 * (kind - 1) & 31) + 1]
        return changed

    def path(self, position: ShogiPosition, move: ShogiMove | Throw | Pass) -> frozenset[Place]:
        """Return the empty squares that a lance, bishop or rook crosses."""
        return _PATHS[move.start][move.target] if isinstance(move, ShogiMove) else frozenset()

    def candidates(
        self,
        position: ShogiPosition,
        touched: AbstractSet[Place],
        within: AbstractSet[Place] | None = None,
    ) -> Sequence[ShogiMove]:
        """Return the moves that touch such squares and stay within such."""
        if position.ended or (within is not None and not within):
            return ()  # each move changes a square
        cells, bits, kinds = position.cells, 0, []
        for place in touched:
            if place in SQUARES:
                bits |= BIT[SQUARES[place]]
            else:
                kinds.append(HOLDER[place][1])
        inside = BOARD if within is None else union([SQUARES[place] for place in within])
        ready = _ready(position, self._king_may_fall)
        moves: list[ShogiMove] = [
            m
            for m in ready.moves
            if not bits & ~_COVERED[m.start][m.target]
            and inside & BIT[m.start]
            and (cells[m.target] or inside & BIT[m.target])
        ]
        if not bits & bits - 1:
            moves += ready.drops(bits & inside if bits else inside)
        for kind in kinds:
            moves = [m for m in moves if (m.drop or cells[m.target] & 7) == kind]
        return moves

    # ---- claims

    def claims(self, position: ShogiPosition, seat: Seat) -> Sequence[Claim]:
        """Return what the seat may say now, in the order of the class's list."""
        goes_on = bool(self.legal(position))
        texts = [Claim(seat, text) for text in CLAIMS]
        return [each for each in texts if not refused(position, each, self.options, goes_on)]

    def _say(self, position: ShogiPosition, claim: Claim) -> ShogiPosition:
        """Return the position after a claim, if it may be made."""
        reason = refused(position, claim, self.options, bool(self.legal(position)))
        if reason is not None:
            raise self._error(f"claim {claim.text!r}", reason)
        return said(position, claim)

    # ---- the end

    def outcome(
        self, position: ShogiPosition, earlier: Sequence[ShogiPosition] = ()
    ) -> Outcome | None:
        """Return who won and by what, or a draw; `points` are counted for an agreed impasse."""
        if position.ended is not None:
            return position.ended
        turn = position.turn
        ready = _ready(position, self._king_may_fall)
        if not (ready.moves or ready.drops(BOARD)):
            if self._king_may_fall and KING + GOTE * turn not in position.cells:
                reason = "king-captured"
            else:
                reason = "mate" if ready.board.checkers(turn) else "no-move"
            return Outcome(frozenset({1 - turn}), reason)
        return sennichite(position, earlier, self.options["sennichite"] == "4_consecutive")

    # ---- counting

    def leaves(self, position: ShogiPosition) -> int:
        """Return how many moves there are."""
        return len(self.legal(position))

    def perft(self, position: ShogiPosition, depth: int) -> int:
        """Return the number of move sequences of that length."""
        if position.ended and depth:
            return 0
        return ShogiBoard(position, self._king_may_fall).perft(depth)

    # ---- what people see

    def pieces(self, position: ShogiPosition) -> dict[Place, Piece]:
        """Return the pieces by square and those in hand by tray; a captured king is left out."""
        found = {
            PLACES[square]: PIECES[piece] for square, piece in enumerate(position.cells) if piece
        }
        for seat in (0, 1):
            for kind in HELD if position.hands[seat] else ():
                stack = STACKS[seat][kind][held(position.hands[seat], kind)]
                if stack is not None:
                    found[TRAYS[seat][kind]] = stack
        return found

    def threats(self, position: ShogiPosition) -> tuple[Threat, ...]:
        """Return the check if there is one, then own pieces that can be taken, then enemy pieces
        that can be had for nothing; each names where it comes from.
        """
        return threats(ShogiBoard(position, self._king_may_fall)) if self.legal(position) else ()

    def why_not(self, position: ShogiPosition, attempt: Attempt) -> Reason | None:
        """Return the rule that the hand broke, as far as the touched places tell."""
        if not self.legal(position):
            return Reason("over")
        if attempt.seat is not None:
            position = position._replace(turn=attempt.seat)
        return why_not(ShogiBoard(position, self._king_may_fall), attempt)

    def _refused(self, position: ShogiPosition, move: object) -> IllegalMoveError:
        """Return the error for what is no legal move."""
        if not isinstance(move, ShogiMove):
            return IllegalMoveError(f"{self.title} has no such move as {move!r}")
        if self.legal(position):
            reason = refusal(ShogiBoard(position, self._king_may_fall), move)
            assert reason is not None, f"{move} is not listed in {position}"
        else:
            reason = Reason("over")
        return self._error(f"move {move.text!r}", reason)

    def _error(self, what: str, reason: Reason) -> IllegalMoveError:
        return IllegalMoveError(
            f"{what}: {self.reasons[reason.code].format(*reason.places)}", reason
        )

    # ---- texts

    def move_text(self, position: ShogiPosition, move: ShogiMove | Throw | Pass | Claim) -> str:
        """Return the USI text, `7g7f`, `8h2b+` or `P*5e`; a claim out of turn names its seat:
        `gote resign`.
        """
        if isinstance(move, Claim):
            return move.text if move.seat == position.turn else f"{SEATS[move.seat]} {move.text}"
        if not isinstance(move, ShogiMove):
            raise self._refused(position, move)
        return move.text

    def parse_move(self, position: ShogiPosition, text: str) -> ShogiMove | Claim:
        """Return the legal move or claim of that text; errors as the contract says."""
        text = text.strip()
        seat, _, word = text.rpartition(" ")
        if word in CLAIMS and seat in ("", *SEATS):
            claim = Claim(SEATS.index(seat) if seat else position.turn, word)
            self._say(position, claim)
            return claim
        move = ShogiMove(text)
        if not self._is_legal(position, move):
            raise self._refused(position, move)
        return move

    def position_text(self, position: ShogiPosition) -> str:
        """Return it in SFEN, always as move 1, for a position does not know its number.

        Fields that SFEN does not have follow if something was said: `asked:sente:draw?` for each
        open proposal, `ended:resign:gote` with the reason and the winner (`-` for none), and the
        points after another colon where they were counted.
        """
        return position_text(position)

    def parse_position(self, text: str) -> ShogiPosition:
        """Return the position of such a text; PositionError names the field and why."""
        return self._possible(parse_position(text, CLAIMED_ENDINGS, self._king_may_fall))

    def parse_problem(self, text: str) -> ShogiPosition:
        """Return the position of such a text, or of a problem: there the side to move, which is to
        mate, may have no king, and for show there may be two pawns on a file or pieces that could
        never move. Errors as those of `parse_position`.
        """
        composed = parse_position(text, CLAIMED_ENDINGS, king_may_be_gone=True, composed=True)
        return self._possible(composed)

    def _possible(self, position: ShogiPosition) -> ShogiPosition:
        """Return a position if it can be come by under the options; PositionError if not."""
        other = 1 - position.turn
        if not self._king_may_fall and ShogiBoard(position).checkers(other):
            raise PositionError(
                f"side to move: {SEATS[other]}'s king is in check, but it is "
                f"{SEATS[position.turn]}'s turn"
            )
        for offer in position.offers:
            option = {"draw?": "allow_draw_offer", "jishogi": "impasse"}[offer.text]
            if self.options[option] not in ("true", "agreement24"):
                raise PositionError(
                    f"field asked: {offer.text!r} cannot be asked with {option} = "
                    f"{self.options[option]}"
                )
        return position
