"""Positions of Shogi as Japanese players draw them (BOD), within records in KIF or alone.

    後手の持駒：飛　歩二
      ９ ８ ７ ６ ５ ４ ３ ２ １
    +---------------------------+
    |v香v桂v銀v金v玉v金v銀v桂v香|一
    …
    +---------------------------+
    先手の持駒：なし
    後手番

A man with `v` is gote's; the last line is left out when it is sente's turn. Source: the files of
the programs that write them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from engine.games.shogi import Position, Shogi
from engine.games.shogi.men import FULL_SET, GOTE, HELD, KINDS, ONE_IN_HAND, held
from engine.notation.shogi_record import RecordError, position_at

FILES: Final = "１２３４５６７８９"
RANKS: Final = "一二三四五六七八九"
SIGNS: Final = dict(zip(KINDS.values(), "歩香桂銀金角飛玉と杏圭全馬龍", strict=True))
"""The sign of each kind in a diagram."""
KIND_OF: Final = {sign: kind for kind, sign in SIGNS.items()} | {
    "王": KINDS["K"],
    "竜": KINDS["+R"],
}
"""The kind of each sign that is understood."""
SIDES: Final = {"先手": 0, "下手": 0, "後手": 1, "上手": 1}
"""What the players are called, the lower and the upper hand in handicap games."""

_EDGE: Final = "+---------------------------+"
_ROW: Final = re.compile(rf"\|(.*)\|\s*[{RANKS}]?")
_HAND: Final = re.compile(r"(..)の持駒\s*[：:](.*)")
_TURN: Final = re.compile("(先手|下手|後手|上手)番")
_COUNTED: Final = re.compile(rf"(.)(十?)([{RANKS}]?)")


def write(position: Position) -> Iterator[str]:
    """Yield the lines of the drawing."""
    yield f"後手の持駒：{_hand_text(position.hands[1])}"
    yield "  " + " ".join(reversed(FILES))
    yield _EDGE
    for rank in range(9):
        row = reversed(position.cells[rank::9])
        men = (f"{'v' if man >= GOTE else ' '}{SIGNS[man & 15]}" if man else " ・" for man in row)
        yield f"|{''.join(men)}|{RANKS[rank]}"
    yield _EDGE
    yield f"先手の持駒：{_hand_text(position.hands[0])}"
    if position.turn:
        yield "後手番"


def _hand_text(hand: int) -> str:
    parts = []
    for kind in reversed(HELD):
        count = held(hand, kind)
        if count:
            tens, ones = divmod(count, 10)
            number = "十" * tens + (RANKS[ones - 1] if ones else "")
            parts.append(SIGNS[kind] + (number if count > 1 else ""))
    return "\u3000".join(parts) or "なし"


class Diagram:
    """A drawing while it is being read, line by line."""

    def __init__(self) -> None:
        self.rows = 0
        self._cells = bytearray(81)
        self._hands = [0, 0]
        self._turn = 0

    def take(self, line: str, where: str) -> bool:
        """Take a line if it is one of a drawing, and return whether it is; RecordError, naming
        `where`, if it is one and wrong.
        """
        if hand := _HAND.fullmatch(line):
            if hand[1] not in SIDES:
                raise RecordError(f"{where}: {hand[1]!r} is none of the players")
            self._hands[SIDES[hand[1]]] = _parse_hand(hand[2], where)
        elif turn := _TURN.fullmatch(line):
            self._turn = SIDES[turn[1]]
        elif line.startswith("|"):
            self._row(line, where)
        else:
            return line.startswith(("+-", "９", "9 "))
        return True

    def _row(self, line: str, where: str) -> None:
        found = _ROW.fullmatch(line)
        men = re.findall(r"([ v])(\S)", found[1]) if found else []
        if found is None or "".join(side + sign for side, sign in men) != found[1] or len(men) != 9:
            raise RecordError(f"{where}: {line!r} is no row of nine squares")
        if self.rows == 9:
            raise RecordError(f"{where}: a tenth row")
        for file, (side, sign) in enumerate(reversed(men)):
            if sign in KIND_OF:
                man = KIND_OF[sign] + (GOTE if side == "v" else 0)
                self._cells[9 * file + self.rows] = man
            elif sign != "・":
                raise RecordError(f"{where}: {sign!r} is no man")
        self.rows += 1

    def position(self, game: Shogi, where: str) -> Position:
        """Return the position drawn; RecordError, naming `where`, if it cannot be."""
        if self.rows != 9:
            raise RecordError(f"{where}: {self.rows} rows are drawn instead of 9")
        hands = (self._hands[0], self._hands[1])
        return position_at(game, Position(bytes(self._cells), hands, self._turn), where)


def _parse_hand(text: str, where: str) -> int:
    hand = 0
    for part in text.split():
        if part == "なし":
            continue
        found = _COUNTED.fullmatch(part)
        kind = KIND_OF.get(part[0], 0)
        if found is None or kind not in HELD:
            raise RecordError(f"{where}: {part!r} cannot be in hand")
        ones = RANKS.index(found[3]) + 1 if found[3] else 0
        count = 10 * len(found[2]) + ones if part[1:] else 1
        if held(hand, kind) or count > FULL_SET[kind]:
            raise RecordError(f"{where}: {part!r} is more than a set has, or named twice")
        hand += count * ONE_IN_HAND[kind]
    return hand
