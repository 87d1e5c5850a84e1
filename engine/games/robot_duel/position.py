"""A position of Robot Duel, and its text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from engine.game import PositionError, Seat
from engine.games.robot_duel.pieces import (
    CHICK,
    ELEPHANT,
    EMPTY,
    GIRAFFE,
    HELD,
    HEN,
    IN_HAND,
    LETTERS,
    LION,
    SEAT_SHIFT,
    SEATS,
    each_piece,
)

_KIND_OF: Final = {letter: kind for kind, letter in enumerate(LETTERS) if letter} | {"H": HEN}

_MATERIAL: Final = (("chicks and hens", CHICK, HEN), ("elephants", ELEPHANT), ("giraffes", GIRAFFE))


class RobotDuelPosition(NamedTuple):
    """Who stands where and whose turn it is, seen from the side to move."""

    mine: int
    """The pieces on the board of the side to move: an octal digit a cell, then the seat."""
    theirs: int
    """The pieces of the other side."""
    my_hand: int
    """What the side to move may drop: two bits a kind."""
    their_hand: int
    turn: Seat
    resigned: Seat | None = None
    """Who gave up, if somebody did."""

    def __repr__(self) -> str:
        return f"Position({position_text(self)!r})"

    def passed(self) -> RobotDuelPosition:
        """Return the same with the other side to move."""
        mine, theirs, my_hand, their_hand, turn, resigned = self
        return RobotDuelPosition(theirs, mine, their_hand, my_hand, 1 - turn, resigned)


def position_text(position: RobotDuelPosition) -> str:
    """Return it like `gle/1c1/1C1/ELG b - 1`: rows from the top, A's pieces in capitals; b when it
    is A's turn, w when B's; the hands, such as `2Ce`; always move 1, for a position does not know
    its number; then `resigned:A` or `resigned:B` if somebody did.
    """
    letters = [" "] * 12
    hands = ["", ""]
    for pieces, hand in (position.mine, position.my_hand), (position.theirs, position.their_hand):
        seat = pieces >> SEAT_SHIFT
        case = str.lower if seat else str.upper
        for cell, kind in each_piece(pieces):
            letters[cell] = case(LETTERS[kind])
        for kind in HELD:
            if count := hand >> 2 * kind - 2 & 3:
                hands[seat] += (str(count) if count > 1 else "") + case(LETTERS[kind])
    rows = ["".join(letters[start : start + 3]) for start in range(0, 12, 3)]
    board = re.sub(" +", lambda gap: str(len(gap[0])), "/".join(rows))
    text = f"{board} {'bw'[position.turn]} {''.join(hands) or '-'} 1"
    return text if position.resigned is None else f"{text} resigned:{SEATS[position.resigned]}"


def parse_position(text: str) -> RobotDuelPosition:
    """Return the position of such a text, or of a Fairy-Stockfish FEN (hands in brackets, and w is
    A's turn); PositionError names the field and why. Move numbers are read and forgotten. A side
    without a lion has just lost it, so it must be its turn.
    """
    fields = text.split()
    if len(fields) < 2:
        raise PositionError(f"position {text!r}: expected a text like gle/1c1/1C1/ELG b - 1")
    board, bracket, inside = fields[0].partition("[")
    hands, resigned = _fen_fields(inside, fields) if bracket else _sfen_fields(fields)
    if fields[1] not in ("b", "w"):
        raise PositionError(f"side to move {fields[1]!r}: expected b or w")
    turn = ("wb" if bracket else "bw").index(fields[1])
    pieces = _parse_board(board)
    held = _parse_hands(hands)
    _check_material(pieces, held, turn)
    packed = [sum(held[seat][kind] * IN_HAND[kind] for kind in HELD) for seat in (0, 1)]
    return RobotDuelPosition(
        pieces[turn], pieces[1 - turn], packed[turn], packed[1 - turn], turn, resigned
    )


def _sfen_fields(fields: Sequence[str]) -> tuple[str, Seat | None]:
    """Return the hands and who resigned."""
    if not 3 <= len(fields) <= 5:
        raise PositionError(f"position {' '.join(fields)!r}: expected board, side, hands, number")
    if len(fields) > 3 and not re.fullmatch("[1-9][0-9]{0,5}", fields[3]):
        raise PositionError(f"move number {fields[3]!r}: expected a whole number from 1")
    if len(fields) < 5:
        return fields[2], None
    if fields[4] not in ("resigned:A", "resigned:B"):
        raise PositionError(f"ending {fields[4]!r}: expected resigned:A or resigned:B")
    return fields[2], SEATS.index(fields[4][-1])


def _fen_fields(inside: str, fields: Sequence[str]) -> tuple[str, None]:
    """Return the hands; `inside` is what follows their opening bracket."""
    if not inside.endswith("]"):
        raise PositionError(f"hands {'[' + inside!r}: the bracket does not close")
    if len(fields) not in (4, 6) or not all(re.fullmatch("-|[0-9]+", f) for f in fields[2:]):
        raise PositionError(f"position {' '.join(fields)!r}: not a FEN of four or six fields")
    return inside[:-1] or "-", None


def _parse_board(board: str) -> list[int]:
    """Return each side's pieces."""
    pieces = [0, 1 << SEAT_SHIFT]
    rows = board.split("/")
    if len(rows) != 4:
        raise PositionError(f"board {board!r}: {len(rows)} rows instead of 4")
    for number, row in enumerate(rows, 1):
        cell = 0
        for sign in re.findall(r"\+?.", row):
            kind = _KIND_OF.get(sign.upper())
            if kind is None and sign not in ("1", "2", "3"):
                raise PositionError(f"board {board!r}: {sign!r} in row {number} is no man")
            if kind is None:
                cell += int(sign)
                continue
            if cell < 3:
                pieces[sign.islower()] += kind << 3 * (3 * number - 3 + cell)
            cell += 1
        if cell != 3:
            raise PositionError(f"board {board!r}: row {number} has {cell} cells instead of 3")
    return pieces


def _parse_hands(hands: str) -> list[list[int]]:
    """Return by seat and kind how many are held."""
    held = [[0] * 6, [0] * 6]
    if hands == "-":
        return held
    if not re.fullmatch("([1-9]?[A-Za-z])+", hands, re.ASCII):
        raise PositionError(f"hands {hands!r}: expected - or a text like 2Ce")
    for count, letter in re.findall("([1-9]?)([A-Za-z])", hands):
        kind = _KIND_OF.get(letter.upper(), EMPTY)
        if kind not in HELD:
            why = "a hen turns back into a chick" if kind == HEN else "only C, E and G are held"
            raise PositionError(f"hands {hands!r}: {letter!r} cannot be in hand; {why}")
        held[letter.islower()][kind] += int(count or 1)
    return held


def _check_material(pieces: Sequence[int], held: Sequence[Sequence[int]], turn: Seat) -> None:
    """See that there are two of each kind, and the lions where they can be; else PositionError."""
    standing = [[kind for _, kind in each_piece(side)] for side in pieces]
    for name, *kinds in _MATERIAL:
        count = sum(side.count(kind) for side in standing for kind in kinds)
        count += sum(side[kind] for side in held for kind in kinds)
        if count != 2:
            raise PositionError(f"board and hands: {count} {name} instead of 2")
    for seat, on_board in enumerate(standing):
        lions = on_board.count(LION)
        if lions > 1:
            raise PositionError(f"board: {SEATS[seat]} has {lions} lions instead of 1")
        if not lions and seat != turn:
            raise PositionError(
                f"board: {SEATS[seat]} has no lion, which can be only when it is its turn"
            )
