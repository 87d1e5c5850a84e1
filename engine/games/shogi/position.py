"""A position of Shogi, and its text in SFEN."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from engine.game import Claim, Outcome, PositionError, Seat
from engine.games.shogi.pieces import (
    DEAD_SQUARES,
    FULL_SET,
    GOTE,
    HAND_KINDS,
    KINDS,
    KING,
    LETTER,
    LETTERS,
    NAMES,
    ONE_IN_HAND,
    PAWN,
    SEATS,
    count_in_all,
    count_in_hand,
)
from engine.games.shogi.squares import BIT, PLACES

START: Final = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"
_BY_VALUE: Final = tuple(reversed(HAND_KINDS))
"""The kinds in hand in the order of SFEN: rooks first."""


class ShogiPosition(NamedTuple):
    """The pieces, the hands, the turn, and the claims that are open or ended the game."""

    cells: bytes
    """The piece on each square, by the square's number."""
    hands: tuple[int, int]
    """The hands of sente and gote, packed."""
    turn: Seat
    offers: frozenset[Claim] = frozenset()
    """The proposals of one side that the other has not answered."""
    ended: Outcome | None = None
    """How a claim ended the game, if one did."""

    def __repr__(self) -> str:
        return f"Position({position_text(self)!r})"

    def same_board(self, other: ShogiPosition) -> bool:
        """Return whether pieces, hands and turn are the same, as repetition requires."""
        return self[:3] == other[:3]


def position_text(position: ShogiPosition) -> str:
    """Return the SFEN, always with move 1, since a position does not know its number.

    Claims add fields that SFEN does not have: `asked:sente:draw?` for each open proposal,
    `ended:resign:gote` with the reason and the winner (`-` for none), and `ended:jishogi:-:27,27`
    with counted points.
    """
    board = "/".join(_row_text(position.cells[rank::9]) for rank in range(9))
    hands = "".join(
        _held_text(count_in_hand(position.hands[seat], kind), LETTERS[kind], seat)
        for seat in (0, 1)
        for kind in _BY_VALUE
    )
    fields = [board, "bw"[position.turn], hands or "-", "1"]
    asked = sorted(f"{SEATS[claim.seat]}:{claim.text}" for claim in position.offers)
    fields += [f"asked:{each}" for each in asked]
    if position.ended:
        winner = [SEATS[seat] for seat in position.ended.winners] or ["-"]
        points = [",".join(map(str, position.ended.points))] if position.ended.points else []
        fields.append(":".join(["ended", position.ended.reason, *winner, *points]))
    return " ".join(fields)


def _row_text(row: bytes) -> str:
    """Return the text of a rank; `row` holds its pieces from file 1 to file 9."""
    letters = [_letter(piece) for piece in reversed(row)]
    return re.sub(" +", lambda gap: str(len(gap[0])), "".join(letters))


def _letter(piece: int) -> str:
    letter = LETTER.get(piece & 15, " ")
    return letter.lower() if piece >= GOTE else letter


def _held_text(count: int, letter: str, seat: Seat) -> str:
    if not count:
        return ""
    return (str(count) if count > 1 else "") + (letter.lower() if seat else letter)


def parse_position(
    text: str, endings: Sequence[str], king_may_be_gone: bool = False, composed: bool = False
) -> ShogiPosition:
    """Return the position of such a text; `endings` are the allowed codes of an ending.

    The pieces are checked: their number, one king a side (with `king_may_be_gone` the side to move
    may have lost its king), and unless the position is `composed`, no two pawns on a file and no
    pieces that could never move.
    """
    fields = text.split()
    if len(fields) < 3:
        raise PositionError(f"position {text!r}: expected board, side to move and hands, {START!r}")
    cells = _parse_board(fields[0])
    if fields[1] not in ("b", "w"):
        raise PositionError(f"side to move {fields[1]!r}: expected b or w")
    turn = "bw".index(fields[1])
    hands = _parse_hands(fields[2])
    if len(fields) > 3 and not re.fullmatch("[1-9][0-9]{0,5}", fields[3]):
        raise PositionError(f"move number {fields[3]!r}: expected a whole number from 1")
    _check_set(cells, hands)
    _check_kings(cells, turn, king_may_be_gone)
    if not composed:
        _check_pieces(cells)
    position = ShogiPosition(cells, hands, turn)
    for field in fields[4:]:
        position = _parse_said(position, field, endings)
    return position


def _parse_board(board: str) -> bytes:
    """Return the piece on each square."""
    rows = board.split("/")
    if len(rows) != 9:
        raise PositionError(f"board {board!r}: {len(rows)} rows instead of 9")
    cells = bytearray(81)
    for rank, row in enumerate(rows):
        width = 0
        for sign in re.findall(r"\+?.", row):
            if sign.isascii() and sign.isdigit() and sign != "0":
                width += int(sign)
                continue
            kind = KINDS.get(sign.upper()) if sign.isascii() else None
            if kind is None:
                raise PositionError(
                    f"board {board!r}: {sign!r} in row {'abcdefghi'[rank]} is no piece"
                )
            if width < 9:
                cells[9 * (8 - width) + rank] = kind + (GOTE if sign.islower() else 0)
            width += 1
        if width != 9:
            raise PositionError(
                f"board {board!r}: row {'abcdefghi'[rank]} has {width} squares instead of 9"
            )
    return bytes(cells)


def _parse_hands(hands: str) -> tuple[int, int]:
    """Return the hands of sente and gote."""
    packed = [0, 0]
    if hands == "-":
        return 0, 0
    if not re.fullmatch("([1-9][0-9]?)?[A-Za-z](([1-9][0-9]?)?[A-Za-z])*", hands, re.ASCII):
        raise PositionError(f"hands {hands!r}: expected - or a text like RB2Pg")
    for count, letter in re.findall("([0-9]*)([A-Za-z])", hands):
        kind = KINDS.get(letter.upper(), 0)
        if kind not in HAND_KINDS:
            raise PositionError(f"hands {hands!r}: {letter!r} cannot be in hand")
        seat = int(letter.islower())
        if count_in_hand(packed[seat], kind):
            raise PositionError(f"hands {hands!r}: {letter!r} is named twice")
        if int(count or 1) > FULL_SET[kind]:
            raise PositionError(
                f"hands {hands!r}: {count} {_plural(kind)}, but a set has {FULL_SET[kind]}"
            )
        packed[seat] += int(count or 1) * ONE_IN_HAND[kind]
    return packed[0], packed[1]


def _plural(kind: int) -> str:
    return f"{NAMES[LETTERS[kind]]}s"


def _check_set(cells: bytes, hands: Sequence[int]) -> None:
    """Raise PositionError if a kind has more pieces than a set holds."""
    for kind in HAND_KINDS:
        count = count_in_all(kind, cells, hands)
        if count > FULL_SET[kind]:
            raise PositionError(
                f"board and hands: {count} {_plural(kind)}, but a set has {FULL_SET[kind]}"
            )


def _check_kings(cells: bytes, turn: Seat, may_be_gone: bool) -> None:
    for seat in (0, 1):
        kings = cells.count(KING + GOTE * seat)
        if kings > 1:
            raise PositionError(f"board: {SEATS[seat]} has {kings} kings instead of 1")
        if not kings and not (may_be_gone and seat == turn):
            raise PositionError(f"board: {SEATS[seat]} has no king")


def _check_pieces(cells: bytes) -> None:
    """Raise PositionError for two pawns on a file or a piece that could never move."""
    for square, piece in enumerate(cells):
        if DEAD_SQUARES[piece] & BIT[square]:
            name = NAMES[LETTER[piece & 15]]
            owner = SEATS[piece >> 4]
            raise PositionError(f"board: {owner}'s {name} on {PLACES[square]} could never move")
    for file in range(9):
        for seat in (0, 1):
            if cells[9 * file : 9 * file + 9].count(PAWN + GOTE * seat) > 1:
                raise PositionError(f"board: {SEATS[seat]} has two pawns on file {file + 1}")


def _parse_said(position: ShogiPosition, field: str, endings: Sequence[str]) -> ShogiPosition:
    """Return the position with the content of an extra field."""
    word, *said = field.split(":")
    if word == "asked" and len(said) == 2 and said[0] in SEATS and said[1] in ("draw?", "jishogi"):
        claim = Claim(SEATS.index(said[0]), said[1])
        return position._replace(offers=position.offers | {claim})
    if word == "ended" and len(said) in (2, 3) and said[0] in endings:
        points = said[2] if len(said) == 3 else ""
        if said[1] in (*SEATS, "-") and re.fullmatch("([0-9]{1,2},[0-9]{1,2})?", points):
            winners = frozenset() if said[1] == "-" else frozenset({SEATS.index(said[1])})
            counted = tuple(map(int, points.split(","))) if points else ()
            return position._replace(ended=Outcome(winners, said[0], counted))
    raise PositionError(
        f"field {field!r}: expected one like asked:sente:draw? or ended:resign:gote"
    )
