"""Robot Duel, the 3×4 shogi of Madoka Kitao (Let's Catch the Lion!), with all its options.

Columns A–C run from left to right and rows 1–4 from top to bottom, both as seen by A, who sits at
the bottom. A's pieces go up to row 1, B's down to row 4.

Sources: the rule sheet of the Egmont edition. The official English rules and Tanaka, IPSJ SIG
2009-GI-22 No. 3 give the start, the names of the pieces and the lion that survives its try.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import ClassVar, Final, TypeAlias

from engine.game import (
    Attempt,
    Claim,
    Game,
    IllegalMoveError,
    MoveError,
    Outcome,
    Piece,
    Place,
    PlaceSet,
    Reason,
    SharedMove,
    Threat,
)
from engine.games.robot_duel.moves import ARMIES, DROPS, SHIFTS, Army, RobotDuelMove, steppers
from engine.games.robot_duel.options import ENDINGS, OPTIONS, PRESETS
from engine.games.robot_duel.position import (
    BOARD,
    CELLS,
    HAND_KINDS,
    HOLDER,
    IN_HAND,
    KINDS_IN,
    LETTERS,
    LION,
    PIECES,
    SEAT_SHIFT,
    SEATS,
    SHIFT,
    TRAY_OF,
    TRAYS,
    RobotDuelPosition,
    each_piece,
    in_tray,
    parse_position,
    position_text,
)
from engine.games.robot_duel.refusals import REASONS, refusal, why_not

__all__ = ["RobotDuel", "RobotDuelMove", "RobotDuelPosition"]

_Move: TypeAlias = RobotDuelMove | SharedMove

_START: Final = parse_position("gle/1c1/1C1/ELG b - 1")
_MOVE_TEXT: Final = re.compile(r"([A-C][1-4])([A-C][1-4])(\+?)|([CEG])\*([A-C][1-4])")


class RobotDuel(Game[RobotDuelPosition, RobotDuelMove]):
    """Robot Duel: take the other lion, or bring your own to the far row.

    Seat 0 is A at the bottom, seat 1 is B at the top. With `first_player` = B the game starts on
    B's turn; board, trays and texts stay the same.
    """

    name = "robot-duel"
    title = "Robot Duel"
    minutes = 10
    engine_protocol = "usi"
    seats = SEATS
    has_passes = False
    pointing = True
    kinds: ClassVar[Mapping[str, str]] = {
        "L": "lion",
        "E": "elephant",
        "G": "giraffe",
        "C": "chick",
        "+C": "hen",
    }
    promotions: ClassVar[Mapping[str, str]] = {
        "+C": "The chick becomes a hen: one step in any direction, but not diagonally backwards."
    }
    known_options = OPTIONS
    presets = PRESETS
    claim_texts = ("resign", "flag")
    reasons = REASONS
    endings: ClassVar[Mapping[str, str]] = ENDINGS

    def __init__(self, options: Mapping[str, object] | None = None) -> None:
        super().__init__(options)
        self._armies = ARMIES[self.options["promotion"]]
        self._try_rule = self.options["try_rule"]
        self._occurrences = int(self.options["repetition"])
        self._start = _START if self.options["first_player"] == "A" else _START.passed()

    def cells(self) -> tuple[Place, ...]:
        """Return A1 … C4, row by row from the top."""
        return CELLS

    def trays(self) -> tuple[Place, ...]:
        """Return hand.A.C, hand.A.E, hand.A.G and the same for B."""
        return TRAYS

    def start(self) -> RobotDuelPosition:
        """Return the start position; the option `first_player` says whose turn it is."""
        return self._start

    # ---- moves

    def legal(self, position: RobotDuelPosition) -> Sequence[RobotDuelMove]:
        """Return the steps, then the drops; nothing when the game is over."""
        if self._is_over(position):
            return ()
        armies, hand = self._armies, position.my_hand
        mine = armies[position.mine]
        if not hand:
            return mine.moves
        empty = BOARD ^ mine.occupied ^ armies[position.theirs].occupied
        return mine.moves + DROPS[position.turn << 18 | hand << 12 | empty]

    def play(self, position: RobotDuelPosition, move: _Move) -> RobotDuelPosition:
        """Return the position after a legal move or a claim; else IllegalMoveError."""
        if isinstance(move, Claim):
            return self.play_claim(position, move)
        if not isinstance(move, RobotDuelMove) or self._is_over(position):
            raise self._illegal(position, move)
        mine, theirs, my_hand, their_hand, turn, *_ = position
        moved = self._armies[mine].after.get(move)
        if moved is not None:
            shift = SHIFT[move.target]
            piece = theirs >> shift & 7
            left = theirs - (piece << shift)
            return RobotDuelPosition(left, moved, their_hand, my_hand + IN_HAND[piece], 1 - turn)
        if not _may_drop(position, move):
            raise self._illegal(position, move)
        kind = HOLDER[move.origin][1]
        dropped = mine + (kind << SHIFT[move.target])
        return RobotDuelPosition(theirs, dropped, their_hand, my_hand - IN_HAND[kind], 1 - turn)

    def changes(self, position: RobotDuelPosition, move: _Move) -> dict[Place, Piece | None]:
        """Return the two or three places that change; IllegalMoveError as `play`."""
        after = self.play(position, move)
        assert isinstance(move, RobotDuelMove)  # `play` refuses everything else
        seat = position.turn
        changed: dict[Place, Piece | None] = {
            move.target: PIECES[seat, after.theirs >> SHIFT[move.target] & 7]
        }
        if move.origin in SHIFT:
            changed[move.origin] = None
        if difference := abs(after.their_hand - position.my_hand):
            kind = IN_HAND.index(difference)
            changed[TRAY_OF[seat, kind]] = in_tray(seat, kind, after.their_hand)
        return changed

    def candidates(
        self, position: RobotDuelPosition, touched: PlaceSet, within: PlaceSet | None = None
    ) -> Sequence[RobotDuelMove]:
        """Return the moves that touch these cells; no move passes over a cell."""
        moves = self.legal(position)
        for cell in touched & SHIFT.keys():
            moves = [move for move in moves if move.target == cell or move.origin == cell]
        return moves

    # ---- the end

    def outcome(
        self, position: RobotDuelPosition, earlier: Sequence[RobotDuelPosition] = ()
    ) -> Outcome | None:
        """Return who won and why, or a draw by repetition.

        If one move brings both lions home, the lion of the side that moved wins.
        """
        ending = self._ending(position)
        if ending is None and earlier.count(position) + 1 >= self._occurrences:
            return Outcome(frozenset(), "repetition")
        return ending

    def _ending(self, position: RobotDuelPosition) -> Outcome | None:
        """Return how the game ended, without repetition."""
        to_move, other = position.turn, 1 - position.turn
        mover, waiting = self._armies[position.theirs], self._armies[position.mine]
        if position.resigned is not None:
            return Outcome(frozenset({1 - position.resigned}), "resign")
        if position.flag is not None:
            return Outcome(frozenset({1 - position.flag}), "flag")
        if not waiting.lion:
            return Outcome(frozenset({other}), "lion-captured")
        if home := self._home(mover, waiting):
            return Outcome(frozenset({other if home is mover else to_move}), "try")
        if not self.legal(position):
            return Outcome(frozenset({other}), "no-move")
        return None

    def _is_over(self, position: RobotDuelPosition) -> bool:
        """Return whether the game is over for another reason than a lack of moves."""
        armies = self._armies
        mover, waiting = armies[position.theirs], armies[position.mine]
        return (
            position.resigned is not None
            or position.flag is not None
            or not waiting.lion
            or bool((mover.trying or waiting.trying) and self._home(mover, waiting))
        )

    def _home(self, mover: Army, waiting: Army) -> Army | None:
        """Return the army whose lion wins on its far row after a move by `mover`, if any."""
        rule = self._try_rule
        if rule == "none":
            return None
        if mover.trying & ~waiting.attacked:
            return mover
        if rule == "survive" and waiting.trying:
            return waiting
        if rule == "safe_any_time" and waiting.trying & ~mover.attacked:
            return waiting
        return None

    # ---- counting

    def perft(self, position: RobotDuelPosition, depth: int) -> int:
        """Return the number of move sequences of that length."""
        if depth < 2 or self._is_over(position):
            return self.leaves(position) if depth else 1
        return self._count(*position[:4], depth)

    def _count(self, mine: int, theirs: int, my_hand: int, their_hand: int, depth: int) -> int:
        """Return perft to depth 2 or more of a position that is not over.

        It follows the rules of `play` and `legal` on plain ints. It counts the last ply from the
        armies, without a list of moves.
        """
        armies = self._armies
        plies = [(shift, moved, my_hand) for shift, moved in armies[mine].reach]
        if my_hand:
            empty = BOARD ^ armies[mine].occupied ^ armies[theirs].occupied
            for kind in HAND_KINDS:
                if my_hand >> 2 * kind - 2 & 3:
                    less = my_hand - IN_HAND[kind]
                    plies += [(shift, mine + (kind << shift), less) for shift in SHIFTS[empty]]
        total = 0
        for shift, moved, hand in plies:
            left = theirs
            if piece := theirs >> shift & 7:
                if piece == LION:
                    continue
                left -= piece << shift
                hand += IN_HAND[piece]
            mover, waiting = armies[moved], armies[left]
            if (mover.trying or waiting.trying) and self._home(mover, waiting):
                continue
            if depth == 2:
                empty_cells = 12 - mover.size - waiting.size
                total += len(waiting.moves) + empty_cells * KINDS_IN[their_hand]
            else:
                total += self._count(left, moved, their_hand, hand, depth - 1)
        return total

    # ---- what people see

    def pieces(self, position: RobotDuelPosition) -> dict[Place, Piece]:
        """Return the pieces by cell and those in hand by tray; a captured lion is left out."""
        found: dict[Place, Piece] = {}
        for pieces, hand in (
            (position.mine, position.my_hand),
            (position.theirs, position.their_hand),
        ):
            seat = pieces >> SEAT_SHIFT
            for cell, kind in each_piece(pieces):
                found[CELLS[cell]] = PIECES[seat, kind]
            for kind in HAND_KINDS if hand else ():
                if held := in_tray(seat, kind, hand):
                    found[TRAY_OF[seat, kind]] = held
        return found

    def threats(self, position: RobotDuelPosition) -> tuple[Threat, ...]:
        """Return own pieces that can be taken, then enemy pieces that are free, each with `by`."""
        if self._is_over(position):
            return ()
        mine, theirs = position.mine, position.theirs
        found = []
        for cell, kind in each_piece(mine):
            if by := steppers(theirs, cell):
                danger = "attacked" if steppers(mine, cell) else "undefended"
                found.append(Threat("check" if kind == LION else danger, CELLS[cell], by))
        for cell, kind in each_piece(theirs):
            by = steppers(mine, cell)
            if by and (kind == LION or not steppers(theirs, cell)):
                found.append(Threat("free", CELLS[cell], by))
        return tuple(found)

    def why_not(self, position: RobotDuelPosition, attempt: Attempt) -> Reason | None:
        """Return the rule that the hand broke, judging by the touched places."""
        if self._is_over(position):
            return Reason("over")
        if attempt.seat is not None and attempt.seat != position.turn:
            position = position.passed()
        return why_not(position, attempt, self._armies)

    def _illegal(self, position: RobotDuelPosition, move: object) -> IllegalMoveError:
        """Return the error for an illegal move."""
        if not isinstance(move, RobotDuelMove):
            return IllegalMoveError(f"{self.title} has no such move as {move!r}")
        text = self.move_text(position, move)
        if move.target not in SHIFT or not (move.origin in SHIFT or move.origin in HOLDER):
            return IllegalMoveError(f"move {text!r}: there is no such place")
        over = self._is_over(position)
        reason = Reason("over") if over else refusal(position, move, self._armies)
        assert reason is not None
        return self.refused(f"move {text!r}", reason)

    # ---- texts

    def move_text(self, position: RobotDuelPosition, move: _Move) -> str:
        """Return a text such as `B3B2`, `B2B1+`, `C*B3` or `resign`."""
        if isinstance(move, Claim):
            return self.claim_text(position, move)
        if not isinstance(move, RobotDuelMove):
            raise self._illegal(position, move)
        sign = "+" if move.promotes else ""
        if move.origin in HOLDER:
            return f"{LETTERS[HOLDER[move.origin][1]]}*{move.target}{sign}"
        return f"{move.origin}{move.target}{sign}"

    def parse_move(self, position: RobotDuelPosition, text: str) -> RobotDuelMove | Claim:
        """Return the legal move or claim of that text."""
        text = text.strip()
        if claim := self.parse_claim(position, text):
            return claim
        found = _MOVE_TEXT.fullmatch(text)
        if found is None:
            raise MoveError(f"move {text!r}: expected a text like B3B2, B2B1+, C*B3 or resign")
        origin, target, sign, letter, cell = found.groups()
        if letter:
            move = RobotDuelMove(TRAY_OF[position.turn, LETTERS.index(letter)], cell)
        else:
            move = RobotDuelMove(origin, target, bool(sign))
        if self._is_over(position) or refusal(position, move, self._armies):
            raise self._illegal(position, move)
        return move

    position_text = staticmethod(position_text)
    parse_position = staticmethod(parse_position)


def _may_drop(position: RobotDuelPosition, move: RobotDuelMove) -> bool:
    shift = SHIFT.get(move.target)
    seat, kind = HOLDER.get(move.origin, (None, 1))
    return (
        shift is not None
        and seat == position.turn
        and not move.promotes
        and bool(position.my_hand >> 2 * kind - 2 & 3)
        and not (position.mine | position.theirs) >> shift & 7
    )
