"""Chaturaji, the game of four rajas: eight pieces each, usually with a die."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import ClassVar, Final, TypeAlias

from engine.game import (
    CHANCE,
    Attempt,
    Claim,
    Game,
    IllegalMoveError,
    MoveError,
    Outcome,
    Pass,
    Piece,
    Place,
    Reason,
    Seat,
    Sequel,
    SharedMove,
    Threat,
    Throw,
)
from engine.games.chaturaji import notation, refusals, threats
from engine.games.chaturaji.claims import claims, play_claim
from engine.games.chaturaji.moves import RAYS, ChaturajiMove
from engine.games.chaturaji.options import COLOURS, OPTIONS, PRESETS
from engine.games.chaturaji.position import (
    BOAT,
    ELEPHANT,
    INDEX,
    LETTERS,
    NOWHERE,
    SEATS,
    SQUARES,
    START_POSITION,
    ChaturajiPosition,
    in_play,
    position_text,
    seats_in,
)
from engine.games.chaturaji.rules import PASS, ChaturajiRules
from engine.games.chaturaji.sequels import SEQUELS, sequels

_Move: TypeAlias = ChaturajiMove | SharedMove

_CELLS: Final = tuple(SQUARES[8 * rank + file] for rank in range(7, -1, -1) for file in range(8))
_GRAVEYARD: Final = "graveyard"
_PIECES: Final = tuple(
    Piece(piece >> 3, LETTERS[piece & 7], -1 if piece >> 3 & 1 else 1) for piece in range(32)
)

_MOVE_TEXT: Final = re.compile(
    r"([a-h][1-8])([a-h][1-8])((?:x[SWNE][1-5])?)((?:=[BHEK])?)((?:#P)?)"
)
_CLAIM_TEXT: Final = re.compile(
    r"(?:(\w+) )?(resign|flag|agree|exchange\?|(?:exchange|promote|retire) .+)"
)


class Chaturaji(Game[ChaturajiPosition, ChaturajiMove]):
    """Chaturaji for four armies or two teams of partners, with or without dice.

    The seats go clockwise from the south: 0 S (black), 1 W, 2 N, 3 E; partners sit opposite. `turn`
    names the seat that decides. That is the partner of the seat that threw if the partner commands
    its pieces.

    Source: the rule sheet (2018); start and thrones also in Forbes, History of Chess, 1860.
    """

    name = "chaturaji"
    title = "Chaturaji"
    minutes = 45
    fewest_players = 2
    seats = COLOURS
    kinds: ClassVar[Mapping[str, str]] = {
        "B": "boat",
        "H": "horse",
        "E": "elephant",
        "K": "raja",
        "P": "pawn",
        "X": "captured piece",
    }
    upright = True
    unsensed = frozenset({_GRAVEYARD})
    known_options = OPTIONS
    presets = PRESETS
    reasons: ClassVar[Mapping[str, str]] = {
        **refusals.REASONS,
        "no-throw": "That throw is not possible now.",
        "no-pass": "You have a move, so you cannot pass.",
        "no-claim": "That cannot be said now.",
    }
    endings: ClassVar[Mapping[str, str]] = {
        "last-army": "only one side has pieces left.",
        "only-rajas": "only rajas are left, an honourable draw.",
        "stagnation": "too many turns pass without a capture, pawn move or promotion.",
        "agreed": "everyone agrees to end the game.",
        "raja-captured": "a raja is captured.",
        "both-rajas": "both rajas of a team are captured.",
        "rounds": "the agreed rounds are over.",
        "resign": "the others have left the game.",
        "standstill": "nobody can move any more.",
    }
    sequels = SEQUELS

    def __init__(self, options: Mapping[str, object] | None = None) -> None:
        super().__init__(options)
        # The colours depend on an option, although the contract declares `seats` for the class.
        vars(self)["seats"] = tuple(self.options["seats"].split(","))
        self._rules = ChaturajiRules(self.options)
        vars(self)["dice_in_order"] = self._rules.in_order

    def cells(self) -> tuple[Place, ...]:
        """Return a8 … h1, rank by rank from the side opposite seat S."""
        return _CELLS

    def trays(self) -> tuple[Place, ...]:
        """Return the graveyard, which holds all pieces off the board."""
        return (_GRAVEYARD,)

    def tones(self) -> Mapping[Place, str]:
        """Return the thrones: the cells on which the rajas start."""
        start = self.pieces(self.start())
        return {place: "throne" for place, piece in start.items() if piece.kind == "K"}

    def start(self) -> ChaturajiPosition:
        """Return the start position; S throws or moves first."""
        return START_POSITION

    def turn(self, position: ChaturajiPosition) -> Seat:
        """Return the seat that decides, or CHANCE before a throw, also when the game is over."""
        rules = self._rules
        return CHANCE if rules.awaits_throw(position) else rules.decider(position)

    # ---- moves

    def legal(self, position: ChaturajiPosition) -> Sequence[ChaturajiMove | Throw | Pass]:
        """Return the throws, the moves, or the one forced pass.

        With `must_move` off the pass follows the moves. Throws of two dice are ordered pairs.
        """
        return self._rules.legal(position)

    def dice(self, position: ChaturajiPosition) -> tuple[int, ...]:
        """Return the throw, or the die that is left after the first of two moves."""
        return position.dice

    def play(self, position: ChaturajiPosition, move: _Move) -> ChaturajiPosition:
        """Return the position after a legal move, throw, pass or claim; else IllegalMoveError."""
        rules = self._rules
        after: ChaturajiPosition | None
        if isinstance(move, ChaturajiMove):
            piece = rules.mover(position, move)
            after = None if piece is None else rules.move(position, move, piece)
        elif isinstance(move, Throw):
            after = rules.throw(position, move)
        elif isinstance(move, Pass):
            after = rules.pass_turn(position)
        else:
            after = play_claim(rules, position, move)
        if after is None:
            raise self._illegal(position, move)
        return after

    def claims(self, position: ChaturajiPosition, seat: Seat) -> tuple[Claim, ...]:
        """Return the claims of the seat: resign, flag, agree, retire, promote, exchange."""
        return claims(self._rules, position, seat)

    def outcome(
        self, position: ChaturajiPosition, earlier: Sequence[ChaturajiPosition] = ()
    ) -> Outcome | None:
        """Return how the game ended, with the points by seat; repetition has no effect."""
        return self._rules.outcome(position)

    def leaves(self, position: ChaturajiPosition) -> int:
        """Return the number of moves and passes, summed over the throws."""
        rules = self._rules
        if position.ended:
            return 0
        if not rules.awaits_throw(position):
            return rules.count(position, position.dice)
        return sum(rules.count(position, throw.dice) for throw in rules.throws)

    # ---- what stands where

    def pieces(self, position: ChaturajiPosition) -> dict[Place, Piece]:
        """Return the pieces by cell; the graveyard holds the captured ones as kind X."""
        pieces = position.pieces
        found = {SQUARES[s]: _PIECES[piece] for piece, s in enumerate(pieces) if s != NOWHERE}
        if len(found) < 32:
            found[_GRAVEYARD] = _graveyard(pieces)
        return found

    def changes(self, position: ChaturajiPosition, move: _Move) -> dict[Place, Piece | None]:
        """Return the places that the move changes; IllegalMoveError as `play`."""
        after = self.play(position, move)
        if not isinstance(move, ChaturajiMove):
            return {}
        pieces, gone = position.pieces, after.pieces
        changed: dict[Place, Piece | None] = {move.origin: None}
        if INDEX[move.origin] in pieces and gone.count(NOWHERE) != pieces.count(NOWHERE):
            for boat in range(BOAT, 32, 8):
                if gone[boat] == NOWHERE != pieces[boat]:
                    changed[SQUARES[pieces[boat]]] = None
            changed[_GRAVEYARD] = _graveyard(gone)
        changed[move.target] = _PIECES[gone.find(INDEX[move.target])]
        return changed

    def path(self, position: ChaturajiPosition, move: _Move) -> frozenset[Place]:
        """Return the cells that an elephant crosses; a hand lifts boat and horse over pieces."""
        if isinstance(move, ChaturajiMove):
            piece = position.pieces.find(INDEX[move.origin])
            if piece & 7 == ELEPHANT:
                target = INDEX[move.target]
                for ray in RAYS[position.pieces[piece]]:
                    squares = [square for square, _ in ray]
                    if target in squares:
                        crossed = squares[: squares.index(target)]
                        return frozenset(SQUARES[square] for square in crossed)
        return frozenset()

    def threats(self, position: ChaturajiPosition) -> tuple[Threat, ...]:
        """Return pieces of this turn that can be taken, and enemy pieces that are free to take."""
        return threats.threats(self._rules, position)

    def points(self, position: ChaturajiPosition) -> tuple[int, ...]:
        """Return the scores by seat if points are the goal."""
        return position.scores if self._rules.counts_points else ()

    def seats_out(self, position: ChaturajiPosition) -> frozenset[Seat]:
        """Return the seats that left or have no pieces, and those without a raja if that freezes
        their pieces.
        """
        left = in_play(position) & ~self._rules.skipped(position)
        return frozenset(range(4)) - frozenset(seats_in(left))

    def sequels_of(self, before: ChaturajiPosition, after: ChaturajiPosition) -> tuple[Sequel, ...]:
        """Return the rajas lost or returned, and the changes of command."""
        return sequels(self._rules, before, after)

    def why_not(self, position: ChaturajiPosition, attempt: Attempt) -> Reason | None:
        """Return the rule that the hand broke, judging by the touched cells."""
        return refusals.why_not(self._rules, position, attempt)

    # ---- texts

    def move_text(self, position: ChaturajiPosition, move: _Move) -> str:
        """Return `b1c3`, `e7e8=E`, `--` for a lost turn, `3` or `2+5` for a throw, or the text of a
        claim, after its seat if it is out of turn (`N resign`).
        """
        if isinstance(move, ChaturajiMove):
            return move.origin + move.target + (f"={move.promotes}" if move.promotes else "")
        if isinstance(move, Throw):
            return "+".join(map(str, move.dice))
        if isinstance(move, Pass):
            return "--"
        return move.text if move.seat == position.seat else f"{SEATS[move.seat]} {move.text}"

    def record_text(self, position: ChaturajiPosition, move: ChaturajiMove) -> str:
        """Return a legal move with its captures: `b1c3xN3` (N's piece for 3 points), `f6d4#P` (a
        parade). `parse_move` reads it too.
        """
        return notation.record_text(self._rules, position, move)

    def parse_move(self, position: ChaturajiPosition, text: str) -> _Move:
        """Return the legal move, throw, pass or claim of that text."""
        text = text.strip()
        move: _Move
        record = False
        if found := _MOVE_TEXT.fullmatch(text):
            origin, target, taken, promotes, parade = found.groups()
            move = ChaturajiMove(origin, target, promotes[1:])
            record = bool(taken or parade)
        elif text == "--":
            move = PASS
        elif re.fullmatch(r"[2-5](\+[2-5])?", text):
            move = Throw(tuple(map(int, text.split("+"))))
        elif found := _CLAIM_TEXT.fullmatch(text):
            move = Claim(self._seat(found[1], position.seat), found[2])
        else:
            raise MoveError(f"move {text!r}: expected a text like b1c3, a7a8=B, --, 3 or a claim")
        self.play(position, move)  # raises if it is not allowed
        if record and isinstance(move, ChaturajiMove) and self.record_text(position, move) != text:
            right = self.record_text(position, move)
            raise MoveError(f"move {text!r}: what it takes is not so; here it is {right}")
        return move

    position_text = staticmethod(position_text)

    def parse_position(self, text: str) -> ChaturajiPosition:
        """Return the position of such a line."""
        return notation.parse_position(self._rules, text)

    def _seat(self, name: str | None, default: Seat) -> Seat:
        if name is None:
            return default
        if name in self.seats:
            return self.seats.index(name)
        if name in tuple(SEATS):
            return SEATS.index(name)
        raise MoveError(f"claim: {name!r} is no seat; there are S, W, N, E")

    def _illegal(self, position: ChaturajiPosition, move: _Move) -> IllegalMoveError:
        """Return the error for an illegal move, throw, pass or claim."""
        text = move.text if isinstance(move, Claim) else self.move_text(position, move)
        if isinstance(move, ChaturajiMove):
            if not (move.origin in INDEX and move.target in INDEX):
                return IllegalMoveError(f"move {text!r}: there is no such square")
            reason = refusals.refusal(self._rules, position, move)
            assert reason is not None
        else:
            codes = {Throw: "no-throw", Pass: "no-pass", Claim: "no-claim"}
            waits = isinstance(move, Pass) and self._rules.awaits_throw(position)
            code = "over" if position.ended else "throw-first" if waits else codes[type(move)]
            reason = Reason(code)
        return self.refused(f"move {text!r}", reason)


def _graveyard(pieces: bytes) -> Piece:
    return Piece(None, "X", count=pieces.count(NOWHERE))
