"""Positions of Shogi as Japanese players draw them (BOD), within records in KIF or alone.

    後手の持駒：飛　歩二
      ９ ８ ７ ６ ５ ４ ３ ２ １
    +---------------------------+
    |v香v桂v銀v金v玉v金v銀v桂v香|一
    …
    +---------------------------+
    先手の持駒：なし
    後手番

A piece with `v` is gote's; on sente's turn the last line is left out. Source: the files of programs
that write such positions. They separate the pieces in hand in many ways, or not at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from engine.games.shogi import Shogi, ShogiPosition
from engine.games.shogi.pieces import FULL_SET, GOTE, HAND_KINDS, ONE_IN_HAND, count_in_hand
from engine.notation.japanese import (
    ANY_KIND,
    FILES,
    KIND_OF,
    NUMBER,
    RANKS,
    SIDES,
    SIGNS,
    digit,
    number,
    plain,
)
from engine.notation.lines import shown
from engine.notation.shogi_record import ShogiRecordError, position_at, remaining_pieces

_EDGE: Final = "+---------------------------+"
_ROW: Final = re.compile(rf"\|(.*?)(?:\|\s*([{RANKS}1-9])?.*)?")
_SQUARE: Final = re.compile(r"\s*([vV^+]?)(成[歩香桂銀角飛]|\S)")
_EMPTY: Final = "・･·.*-_口"
_RULER: Final = re.compile(r"9\s*8\s*7\s*6\s*5\s*4\s*3\s*2\s*1")
_OWNERS: Final = SIDES | {"攻方": 0, "詰方": 0, "玉方": 1, "受方": 1}
"""By name: the owner of a hand; in problems the attacker and the defender."""
_HAND: Final = re.compile(r"(?:(\S{2})の?)?持ち?駒\s*:(.*)")
_TURN: Final = re.compile(r"(先手|下手|後手|上手)番|手番\s*:\s*(先手|下手|後手|上手)番?")
_PIECES: Final = re.compile(rf"[\s、,，・/]*(?:({ANY_KIND})\s*[x×*]?\s*(?:{NUMBER})枚?|$)")
_NOTHING: Final = ("なし", "ナシ", "無し", "無", "-", "")
_ALL: Final = ("残り", "残り全部", "残り駒全部", "残り駒", "残駒", "残駒全部", "全部")


def write(position: ShogiPosition) -> Iterator[str]:
    """Yield the lines of the drawing."""
    yield f"後手の持駒：{_hand_text(position.hands[1])}"
    yield "  " + " ".join(reversed(FILES))
    yield _EDGE
    for rank in range(9):
        row = reversed(position.cells[rank::9])
        pieces = (
            f"{'v' if piece >= GOTE else ' '}{SIGNS[piece & 15]}" if piece else " ・"
            for piece in row
        )
        yield f"|{''.join(pieces)}|{RANKS[rank]}"
    yield _EDGE
    yield f"先手の持駒：{_hand_text(position.hands[0])}"
    if position.turn:
        yield "後手番"


def _hand_text(hand: int) -> str:
    parts = []
    for kind in reversed(HAND_KINDS):
        count = count_in_hand(hand, kind)
        if count:
            tens, ones = divmod(count, 10)
            text = "十" * tens + (RANKS[ones - 1] if ones else "")
            parts.append(SIGNS[kind] + (text if count > 1 else ""))
    return "\u3000".join(parts) or "なし"


class Diagram:
    """A drawing that is read line by line."""

    def __init__(self) -> None:
        self.rows = 0
        self.turn: int | None = None
        """The seat whose turn it is, if the text says so."""
        self._cells = bytearray(81)
        self._hands: list[int | None] = [None, None]
        self._order = ""
        """The error in the order of the rows, from their labels; empty: none."""
        self._gets_remaining_pieces: int | None = None

    def take(self, line: str, where: str) -> bool:
        """Read a trimmed line; return whether it belongs to a drawing.

        ShogiRecordError, naming `where`, if the line is wrong.
        """
        raw, line = line, plain(line)
        if hand := _HAND.fullmatch(line):
            owner = hand[1] or "先手"
            if owner not in _OWNERS:
                raise ShogiRecordError(f"{where}: {shown(owner)} is none of the players")
            self._hand(_OWNERS[owner], hand[2].strip(), where)
        elif turn := _TURN.fullmatch(line):
            self.turn = SIDES[turn[1] or turn[2]]
        elif line.startswith("|"):
            self._row(line, raw, where)
        else:
            return line.startswith(("+-", "┌", "├", "└")) or bool(_RULER.fullmatch(line))
        return True

    def _row(self, line: str, raw: str, where: str) -> None:
        found = _ROW.fullmatch(line[:200])
        squares = _SQUARE.findall(found[1]) if found else []
        if found is None or len(squares) != 9:
            raise ShogiRecordError(f"{where}: {shown(raw)} is no row of nine squares")
        if self.rows == 9:
            raise ShogiRecordError(f"{where}: a tenth row")
        if found[2] and digit(found[2]) != self.rows:
            self._order = self._order or f"row {found[2]} where row {RANKS[self.rows]} is due"
        for file, (side, sign) in enumerate(reversed(squares)):
            if sign in KIND_OF:
                piece = KIND_OF[sign] + (GOTE if side in ("v", "V") else 0)
                self._cells[9 * file + self.rows] = piece
            elif sign not in _EMPTY or side not in ("", "+", "^"):
                raise ShogiRecordError(f"{where}: {shown(side + sign)} is no piece")
        self.rows += 1

    def _hand(self, seat: int, text: str, where: str) -> None:
        if text in _ALL:
            self._gets_remaining_pieces = seat
            return
        hand = 0 if text in _NOTHING else _parse_hand(text, where)
        if hand and self._hands[seat] not in (None, 0, hand):
            raise ShogiRecordError(f"{where}: {shown(text)}, but that hand was given before")
        self._hands[seat] = hand or self._hands[seat] or 0

    def position(self, game: Shogi, where: str, turn: int) -> ShogiPosition:
        """Return the drawn position; `turn` is the seat to move unless the drawing says it.

        ShogiRecordError, naming `where`, if the position is impossible.
        """
        if self.rows != 9:
            raise ShogiRecordError(f"{where}: {self.rows} rows are drawn instead of 9")
        if self._order:
            raise ShogiRecordError(f"{where}: the board is drawn with {self._order}")
        hands = [hand or 0 for hand in self._hands]
        if self._gets_remaining_pieces is not None:
            hands[self._gets_remaining_pieces] += remaining_pieces(self._cells, hands)
        turn = turn if self.turn is None else self.turn
        return position_at(
            game, ShogiPosition(bytes(self._cells), (hands[0], hands[1]), turn), where
        )


def _parse_hand(text: str, where: str) -> int:
    hand = at = 0
    while at < len(text):
        found = _PIECES.match(text, at)
        kind = KIND_OF[found[1]] if found and found[1] else 0
        if found is None or (found[1] and kind not in HAND_KINDS):
            raise ShogiRecordError(f"{where}: {shown(text[at:].strip())} cannot be in hand")
        if found[1]:
            count = number(found)
            count = 1 if count is None else count
            if count_in_hand(hand, kind) + count > FULL_SET[kind]:
                raise ShogiRecordError(f"{where}: {shown(text)} is more than a set has")
            hand += count * ONE_IN_HAND[kind]
        at = found.end()
    return hand
