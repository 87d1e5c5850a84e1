"""Shogi, with all its options.

Files are 1–9 from right to left and ranks a–i from top to bottom, both as seen by sente, the player
at the bottom, which moves first.

Sources: the rule sheet of a Czech folding board. Where it says nothing, the usual rules hold (the
27-point declaration, perpetual check, no legal move loses).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import ClassVar, Final, NamedTuple, TypeAlias

from engine.game import (
    Attempt,
    Claim,
    Game,
    IllegalMoveError,
    Outcome,
    Piece,
    Place,
    PlaceSet,
    PositionError,
    Reason,
    Seat,
    SharedMove,
    Threat,
)
from engine.games.shogi.board import ShogiBoard
from engine.games.shogi.claims import CLAIMED_ENDINGS, CLAIMS, after_claim, refusal_of_claim
from engine.games.shogi.moves import ShogiMove
from engine.games.shogi.options import ENDINGS, HANDICAPS, OPTIONS, PRESETS
from engine.games.shogi.pieces import (
    GOTE,
    HAND_KINDS,
    HOLDER,
    KING,
    NAMES,
    ONE_IN_HAND,
    PIECES,
    PROMOTED,
    PROMOTIONS,
    SEATS,
    STACKS,
    TRAYS,
    count_in_hand,
)
from engine.games.shogi.position import ShogiPosition, parse_position, position_text
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

_Move: TypeAlias = ShogiMove | SharedMove

_CACHED_POSITIONS: Final = 64


_PATHS: Final = tuple(
    tuple(frozenset(PLACES[each] for each in squares_of(bits)) for bits in row) for row in BETWEEN
)
"""By start and target: the places between them."""

_COVERED: Final = tuple(
    tuple(bits | 1 << start | 1 << target for target, bits in enumerate(row))
    for start, row in enumerate(BETWEEN)
)
"""By start and target: the squares from one to the other, as bits."""


class _Prepared(NamedTuple):
    """A position prepared for moves; no claim has ended it."""

    board: ShogiBoard
    moves: tuple[ShogiMove, ...]
    """The moves of pieces on the board."""
    empty: int
    """The squares that allow drops, as bits."""

    def drops(self, squares: int) -> list[ShogiMove]:
        """Return the drops on these squares."""
        found: list[ShogiMove] = []
        self.board.add_drops(found, self.empty & squares)
        return found


@lru_cache(_CACHED_POSITIONS)
def _prepared(position: ShogiPosition, king_may_fall: bool) -> _Prepared:
    """Prepare a position; the latest ones are cached."""
    board = ShogiBoard(position, king_may_fall)
    moves, empty = board.moves_on_board()
    return _Prepared(board, tuple(moves), empty)


@lru_cache(_CACHED_POSITIONS)
def _moves(position: ShogiPosition, king_may_fall: bool) -> tuple[ShogiMove, ...]:
    """Return the moves of a position that no claim has ended; the latest ones are cached."""
    prepared = _prepared(position, king_may_fall)
    return (*prepared.moves, *prepared.drops(BOARD))


def furigoma(promoted: Sequence[bool]) -> bool:
    """Return whether the thrower begins, given whether each of five pawns fell promoted side up.

    With three or more promoted sides the opponent begins. ValueError unless there are five pawns.
    """
    if len(promoted) != 5:
        raise ValueError(f"furigoma: {len(promoted)} pawns instead of 5")
    return sum(promoted) < 3


class Shogi(Game[ShogiPosition, ShogiMove]):
    """Shogi: mate the other king.

    Its claims:

    - `resign` and `flag` (time is up): either seat at any time; the seat loses.
    - `illegal`, with `illegal_move` = loses: the side not to move, after its opponent's hand made
      an illegal move; the opponent loses.
    - `draw?`, with `allow_draw_offer`: an offer; the other side answers `agree` or `decline`.
    - `jishogi`, with `impasse` = agreement24, while both kings stand in their promotion zones:
      when both sides have claimed it, the points are counted.
    - `declare`, with `impasse` = declaration27.

    A move without an answer declines the proposal of the other side.
    """

    name = "shogi"
    title = "Shogi"
    minutes = 45
    engine_protocol = "usi"
    seats = SEATS
    has_passes = False
    pointing = True
    kinds: ClassVar[Mapping[str, str]] = NAMES
    promotions: ClassVar[Mapping[str, str]] = PROMOTIONS
    known_options = OPTIONS
    presets = PRESETS
    claim_texts = CLAIMS
    reasons = REASONS
    endings: ClassVar[Mapping[str, str]] = ENDINGS

    def __init__(self, options: Mapping[str, object] | None = None) -> None:
        super().__init__(options)
        self._king_may_fall = self.options["illegal_move"] == "king_capture"
        self._start = parse_position(HANDICAPS[self.options["handicap"]], ())

    def cells(self) -> tuple[Place, ...]:
        """Return 9a … 1i, rank by rank from the top as sente sees them."""
        return READING_ORDER

    def trays(self) -> tuple[Place, ...]:
        """Return hand.sente.P, L, N, S, G, B, R and the same for gote."""
        return tuple(HOLDER)

    def start(self) -> ShogiPosition:
        """Return the start position; with a handicap gote moves first."""
        return self._start

    # ---- moves

    def legal(self, position: ShogiPosition) -> Sequence[ShogiMove]:
        """Return every move; nothing when the game is over."""
        return () if position.ended else _moves(position, self._king_may_fall)

    def _is_legal(self, position: ShogiPosition, move: object) -> bool:
        if position.ended or not isinstance(move, ShogiMove):
            return False
        prepared = _prepared(position, self._king_may_fall)
        return move in (prepared.drops(BIT[move.target]) if move.drop else prepared.moves)

    def play(self, position: ShogiPosition, move: _Move) -> ShogiPosition:
        """Return the position after a legal move or a claim; else IllegalMoveError."""
        if isinstance(move, Claim):
            return self.play_claim(position, move)
        if not isinstance(move, ShogiMove) or not self._is_legal(position, move):
            raise self._illegal(position, move)
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

    def changes(self, position: ShogiPosition, move: _Move) -> dict[Place, Piece | None]:
        """Return the two or three places that change; IllegalMoveError as `play`."""
        if not isinstance(move, ShogiMove) or not self._is_legal(position, move):
            raise self._illegal(position, move)
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

    def path(self, position: ShogiPosition, move: _Move) -> frozenset[Place]:
        """Return the empty squares that a lance, bishop or rook crosses."""
        return _PATHS[move.start][move.target] if isinstance(move, ShogiMove) else frozenset()

    def candidates(
        self, position: ShogiPosition, touched: PlaceSet, within: PlaceSet | None = None
    ) -> Sequence[ShogiMove]:
        """Return the moves that touch `touched` and stay within `within`."""
        if position.ended or (within is not None and not within):
            return ()  # each move changes a square
        cells, bits, kinds = position.cells, 0, []
        for place in touched:
            if place in SQUARES:
                bits |= BIT[SQUARES[place]]
            else:
                kinds.append(HOLDER[place][1])
        inside = BOARD if within is None else union([SQUARES[place] for place in within])
        prepared = _prepared(position, self._king_may_fall)
        moves: list[ShogiMove] = [
            m
            for m in prepared.moves
            if not bits & ~_COVERED[m.start][m.target]
            and inside & BIT[m.start]
            and (cells[m.target] or inside & BIT[m.target])
        ]
        if not bits & bits - 1:
            moves += prepared.drops(bits & inside if bits else inside)
        for kind in kinds:
            moves = [m for m in moves if (m.drop or cells[m.target] & 7) == kind]
        return moves

    # ---- claims

    def claims(self, position: ShogiPosition, seat: Seat) -> Sequence[Claim]:
        """Return the claims that the seat may make now, in the order of the class's list."""
        goes_on = bool(self.legal(position))
        texts = [Claim(seat, text) for text in CLAIMS]
        return [
            each for each in texts if not refusal_of_claim(position, each, self.options, goes_on)
        ]

    def play_claim(self, position: ShogiPosition, claim: Claim) -> ShogiPosition:
        """Return the position after a claim; else IllegalMoveError with the reason."""
        reason = refusal_of_claim(position, claim, self.options, bool(self.legal(position)))
        if reason is not None:
            raise self.refused(f"claim {claim.text!r}", reason)
        return after_claim(position, claim)

    # ---- the end

    def outcome(
        self, position: ShogiPosition, earlier: Sequence[ShogiPosition] = ()
    ) -> Outcome | None:
        """Return who won and why, or a draw; an agreed impasse counts `points`."""
        if position.ended is not None:
            return position.ended
        turn = position.turn
        prepared = _prepared(position, self._king_may_fall)
        if not (prepared.moves or prepared.drops(BOARD)):
            if self._king_may_fall and KING + GOTE * turn not in position.cells:
                reason = "king-captured"
            else:
                reason = "mate" if prepared.board.checkers(turn) else "no-move"
            return Outcome(frozenset({1 - turn}), reason)
        return sennichite(position, earlier, self.options["sennichite"] == "4_consecutive")

    # ---- counting

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
            for kind in HAND_KINDS if position.hands[seat] else ():
                stack = STACKS[seat][kind][count_in_hand(position.hands[seat], kind)]
                if stack is not None:
                    found[TRAYS[seat][kind]] = stack
        return found

    def threats(self, position: ShogiPosition) -> tuple[Threat, ...]:
        """Return the check, own pieces that can be taken, then enemy pieces that are free to take.

        Each names where it comes from.
        """
        return threats(ShogiBoard(position, self._king_may_fall)) if self.legal(position) else ()

    def why_not(self, position: ShogiPosition, attempt: Attempt) -> Reason | None:
        """Return the rule that the hand broke, judging by the touched places."""
        if not self.legal(position):
            return Reason("over")
        if attempt.seat is not None:
            position = position._replace(turn=attempt.seat)
        return why_not(ShogiBoard(position, self._king_may_fall), attempt)

    def _illegal(self, position: ShogiPosition, move: object) -> IllegalMoveError:
        """Return the error for an illegal move."""
        if not isinstance(move, ShogiMove):
            return IllegalMoveError(f"{self.title} has no such move as {move!r}")
        if self.legal(position):
            reason = refusal(ShogiBoard(position, self._king_may_fall), move)
            assert reason is not None, f"{move} is not listed in {position}"
        else:
            reason = Reason("over")
        return self.refused(f"move {move.text!r}", reason)

    # ---- texts

    def move_text(self, position: ShogiPosition, move: _Move) -> str:
        """Return the USI text, `7g7f`, `8h2b+` or `P*5e`, or the text of a claim."""
        if isinstance(move, Claim):
            return self.claim_text(position, move)
        if not isinstance(move, ShogiMove):
            raise self._illegal(position, move)
        return move.text

    def parse_move(self, position: ShogiPosition, text: str) -> ShogiMove | Claim:
        """Return the legal move or claim of that text."""
        if claim := self.parse_claim(position, text):
            return claim
        move = ShogiMove(text.strip())
        if not self._is_legal(position, move):
            raise self._illegal(position, move)
        return move

    position_text = staticmethod(position_text)

    def parse_position(self, text: str) -> ShogiPosition:
        """Return the position of such a text."""
        return self._possible(parse_position(text, CLAIMED_ENDINGS, self._king_may_fall))

    def parse_problem(self, text: str) -> ShogiPosition:
        """Return the position of such a text, which may be a tsume problem.

        In a problem the side to move may have no king, and for show there may be two pawns on a
        file or pieces that could never move.
        """
        composed = parse_position(text, CLAIMED_ENDINGS, king_may_be_gone=True, composed=True)
        return self._possible(composed)

    def _possible(self, position: ShogiPosition) -> ShogiPosition:
        """Return the position; PositionError if the options make it impossible."""
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
