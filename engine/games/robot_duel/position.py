"""A position of Robot Duel, its pieces, and its text.

One int holds a side's pieces on the board: an octal digit for each cell, and the seat above them.
Another holds its hand: two bits for each kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from engine.game import Piece, PositionError, Seat

SEATS: Final = ("A", "B")
EMPTY, CHICK, ELEPHANT, GIRAFFE, LION, HEN = range(6)
LETTERS: Final = ("", "C", "E", "G", "L", "+C")
HAND_KINDS: Final = (CHICK, ELEPHANT, GIRAFFE)
"""The kinds that a hand may hold."""

CELLS: Final = tuple(f"{column}{row}" for row in "1234" for column in "ABC")
TRAYS: Final = tuple(f"hand.{seat}.{LETTERS[kind]}" for seat in SEATS for kind in HAND_KINDS)
TRAY_OF: Final = {
    (seat, kind): TRAYS[3 * seat + kind - 1] for seat in (0, 1) for kind in HAND_KINDS
}
HOLDER: Final = {tray: holder for holder, tray in TRAY_OF.items()}
"""By tray: its seat and its kind."""

SHIFT: Final = {cell: 3 * index for index, cell in enumerate(CELLS)}
"""By cell: the shift of its digit in a side's pieces."""
BIT: Final = {cell: 1 << index for index, cell in enumerate(CELLS)}
"""By cell: the set that holds only this cell."""
BOARD: Final = 0o7777
"""The set of all cells."""
FAR: Final = (0o0007, 0o7000)
"""By seat: the row that its lion tries to reach and where its chicks become hens."""
SEAT_SHIFT: Final = 36

IN_HAND: Final = (0, 1, 4, 16, 0, 1)
"""By kind: what a capture adds to a hand. A hen turns back into a chick; no hand holds a lion."""
KINDS_IN: Final = tuple(
    sum(1 for kind in HAND_KINDS if hand >> 2 * kind - 2 & 3) for hand in range(64)
)
"""By hand: the number of kinds in it."""

PIECES: Final = {
    (seat, kind): Piece(seat, LETTERS[kind], -1 if kind == HEN else 1)
    for seat in (0, 1)
    for kind in (CHICK, ELEPHANT, GIRAFFE, LION, HEN)
}
"""By seat and kind: a piece on the board."""

_KIND_OF: Final = {letter: kind for kind, letter in enumerate(LETTERS) if letter} | {"H": HEN}

_MATERIAL: Final = (("chicks and hens", CHICK, HEN), ("elephants", ELEPHANT), ("giraffes", GIRAFFE))


class RobotDuelPosition(NamedTuple):
    """The pieces, the hands and the turn, seen from the side to move."""

    mine: int
    """The pieces of the side to move on the board."""
    theirs: int
    """The pieces of the other side."""
    my_hand: int
    """The pieces that the side to move may drop."""
    their_hand: int
    turn: Seat
    resigned: Seat | None = None
    """The seat that resigned, if one did."""
    flag: Seat | None = None
    """The seat whose time was up, if it was."""

    def __repr__(self) -> str:
        return f"Position({position_text(self)!r})"

    def passed(self) -> RobotDuelPosition:
        """Return the same position with the other side to move."""
        mine, theirs, my_hand, their_hand, turn, *ended = self
        return RobotDuelPosition(theirs, mine, their_hand, my_hand, 1 - turn, *ended)


def each_piece(pieces: int) -> Iterator[tuple[int, int]]:
    """Yield the cell's index and the kind of each piece of a side, in reading order."""
    for cell in range(12):
        if kind := pieces >> 3 * cell & 7:
            yield cell, kind


def in_tray(seat: Seat, kind: int, hand: int) -> Piece | None:
    """Return the pieces of that kind in the seat's tray, None if there are none."""
    count = hand >> 2 * kind - 2 & 3
    return Piece(seat, LETTERS[kind], count=count) if count else None


def position_text(position: RobotDuelPosition) -> str:
    """Return a text such as `gle/1c1/1C1/ELG b - 1`.

    It holds the rows from the top with A's pieces in capitals, b for A's turn or w for B's, the
    hands such as `2Ce`, and always move 1, since a position does not know its number. Then comes
    `resigned:A` or `resigned:B` if a side resigned, `flag:A` or `flag:B` if its time was up.
    """
    letters = [" "] * 12
    hands = ["", ""]
    for pieces, hand in (position.mine, position.my_hand), (position.theirs, position.their_hand):
        seat = pieces >> SEAT_SHIFT
        case = str.lower if seat else str.upper
        for cell, kind in each_piece(pieces):
            letters[cell] = case(LETTERS[kind])
        for kind in HAND_KINDS:
            if count := hand >> 2 * kind - 2 & 3:
                hands[seat] += (str(count) if count > 1 else "") + case(LETTERS[kind])
    rows = ["".join(letters[start : start + 3]) for start in range(0, 12, 3)]
    board = re.sub(" +", lambda gap: str(len(gap[0])), "/".join(rows))
    text = f"{board} {'bw'[position.turn]} {''.join(hands) or '-'} 1"
    ended = {"resigned": position.resigned, "flag": position.flag}
    lost = [f" {how}:{SEATS[seat]}" for how, seat in ended.items() if seat is not None]
    return text + "".join(lost)


def parse_position(text: str) -> RobotDuelPosition:
    """Return the position of such a text, or of a Fairy-Stockfish FEN.

    A FEN has the hands in brackets, and w is A's turn. Move numbers are checked and dropped. A side
    without a lion has just lost it, so it must be its turn.
    """
    fields = text.split()
    if len(fields) < 2:
        raise PositionError(f"position {text!r}: expected a text like gle/1c1/1C1/ELG b - 1")
    board, bracket, inside = fields[0].partition("[")
    hands, ended = _fen_fields(inside, fields) if bracket else _sfen_fields(fields)
    if fields[1] not in ("b", "w"):
        raise PositionError(f"side to move {fields[1]!r}: expected b or w")
    turn = ("wb" if bracket else "bw").index(fields[1])
    pieces = _parse_board(board)
    held = _parse_hands(hands)
    _check_material(pieces, held, turn)
    packed = [sum(held[seat][kind] * IN_HAND[kind] for kind in HAND_KINDS) for seat in (0, 1)]
    return RobotDuelPosition(
        pieces[turn], pieces[1 - turn], packed[turn], packed[1 - turn], turn, **ended
    )


def _sfen_fields(fields: Sequence[str]) -> tuple[str, dict[str, Seat]]:
    """Return the hands, and the seat that has lost by a claim, under the name of its field."""
    if not 3 <= len(fields) <= 5:
        raise PositionError(f"position {' '.join(fields)!r}: expected board, side, hands, number")
    if len(fields) > 3 and not re.fullmatch("[1-9][0-9]{0,5}", fields[3]):
        raise PositionError(f"move number {fields[3]!r}: expected a whole number from 1")
    if len(fields) < 5:
        return fields[2], {}
    if fields[4] not in ("resigned:A", "resigned:B", "flag:A", "flag:B"):
        raise PositionError(f"ending {fields[4]!r}: expected a text like resigned:A or flag:B")
    how, _, seat = fields[4].partition(":")
    return fields[2], {how: SEATS.index(seat)}


def _fen_fields(inside: str, fields: Sequence[str]) -> tuple[str, dict[str, Seat]]:
    """Return the hands; `inside` is the text after the opening bracket."""
    if not inside.endswith("]"):
        raise PositionError(f"hands {'[' + inside!r}: the bracket does not close")
    if len(fields) not in (4, 6) or not all(re.fullmatch("-|[0-9]+", f) for f in fields[2:]):
        raise PositionError(f"position {' '.join(fields)!r}: not a FEN of four or six fields")
    return inside[:-1] or "-", {}


def _parse_board(board: str) -> list[int]:
    """Return the pieces of each side."""
    pieces = [0, 1 << SEAT_SHIFT]
    rows = board.split("/")
    if len(rows) != 4:
        raise PositionError(f"board {board!r}: {len(rows)} rows instead of 4")
    for number, row in enumerate(rows, 1):
        cell = 0
        for sign in re.findall(r"\+?.", row):
            kind = _KIND_OF.get(sign.upper())
            if kind is None and sign not in ("1", "2", "3"):
                raise PositionError(f"board {board!r}: {sign!r} in row {number} is no piece")
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
    """Return the number of held pieces by seat and kind."""
    held = [[0] * 6, [0] * 6]
    if hands == "-":
        return held
    if not re.fullmatch("([1-9]?[A-Za-z])+", hands, re.ASCII):
        raise PositionError(f"hands {hands!r}: expected - or a text like 2Ce")
    for count, letter in re.findall("([1-9]?)([A-Za-z])", hands):
        kind = _KIND_OF.get(letter.upper(), EMPTY)
        if kind not in HAND_KINDS:
            why = "a hen turns back into a chick" if kind == HEN else "only C, E and G are held"
            raise PositionError(f"hands {hands!r}: {letter!r} cannot be in hand; {why}")
        held[letter.islower()][kind] += int(count or 1)
    return held


def _check_material(pieces: Sequence[int], held: Sequence[Sequence[int]], turn: Seat) -> None:
    """Raise PositionError unless there are two of each kind and the lions are possible."""
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
