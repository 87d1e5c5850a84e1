"""Records of Shogi in the format of the Computer Shogi Association, version 2.2.

    V2.2
    N+Habu
    N-Moriuchi
    PI
    +
    +7776FU
    T12
    %TORYO

Squares are two digits, file and rank, both from 1; 00 is the hand. Men are two letters and are
named as they stand after the move, so promotion shows by the name. Source: the association's
description of its record format, 6th edition 2008, and for the encoding line the 7th of 2024.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from engine.game import Outcome, Seat
from engine.games.shogi import Move, Position, Shogi
from engine.games.shogi.men import (
    FULL_SET,
    GOTE,
    HELD,
    KINDS,
    LETTERS,
    ONE_IN_HAND,
    PROMOTED,
    SEATS,
    TURNING,
    held,
)
from engine.notation.shogi_record import (
    Record,
    RecordError,
    Transcript,
    decode,
    header_value,
    position_at,
    won_by,
)

MEN: Final = dict(
    zip(
        ("FU", "KY", "KE", "GI", "KI", "KA", "HI", "OU", "TO", "NY", "NK", "NG", "UM", "RY"),
        KINDS.values(),
        strict=True,
    )
)
"""The kind of each name."""
NAMES: Final = {kind: name for name, kind in MEN.items()}

_HEADERS: Final = {
    "event": "$EVENT:",
    "site": "$SITE:",
    "start": "$START_TIME:",
    "end": "$END_TIME:",
    "time": "$TIME_LIMIT:",
    "opening": "$OPENING:",
    "sente": "N+",
    "gote": "N-",
}
_ENDINGS: Final = {
    "resign": "%TORYO",
    "flag": "%TIME_UP",
    "repetition": "%SENNICHITE",
    "jishogi": "%JISHOGI",
    "declare": "%KACHI",
    "agreement": "%HIKIWAKE",
    "mate": "%TSUMI",
    "no-move": "%TSUMI",
}
_UNDECIDED: Final = ("%CHUDAN", "%MATTA", "%FUZUMI", "%ERROR", "%MAX_MOVES")
_SUMMARY: Final = re.compile(r"'summary:([^:]*):(?:sente|gote) win:(?:sente|gote) lose")
_MOVE: Final = re.compile(r"([+-])(00|[1-9]{2})([1-9]{2})([A-Z]{2})")
_ROW: Final = re.compile(r"P([1-9])(.*)")
_PUT: Final = re.compile(r"(00|[1-9]{2})([A-Z]{2})")


def write(record: Record) -> str:
    """Return the record as text that `read` understands, with `\\n` for line ends.

    A game that has not ended ends in %CHUDAN. Where the end does not say who won, because it was
    claimed out of turn, a comment does.
    """
    played, position, outcome = record.score()
    lines = ["V2.2", *_header_lines(record), *_position_lines(record)]
    for number, (before, move) in enumerate(played):
        sign = "-" if before.turn else "+"
        source = "00" if move.drop else _square(move.start)
        kind = move.drop or before.cells[move.start] & 15
        name = NAMES[kind + (PROMOTED if move.promotes else 0)]
        lines.append(f"{sign}{source}{_square(move.target)}{name}")
        if record.seconds:
            lines.append(f"T{record.seconds[number]}")
    lines += _ending_lines(outcome, position.turn)
    return "\n".join(lines) + "\n"


def _square(square: int) -> str:
    return f"{square // 9 + 1}{square % 9 + 1}"


def _header_lines(record: Record) -> Iterator[str]:
    for key, given in record.headers.items():
        value = header_value(key, given)
        if key in _HEADERS:
            yield f"{_HEADERS[key]}{value}"
        elif re.fullmatch("[A-Z_]+", key):
            yield f"${key}:{value}"
        else:
            yield f"'{key}:{value}"


def _position_lines(record: Record) -> Iterator[str]:
    start = record.start
    if start == record.game.start():
        yield "PI"
    else:
        for rank in range(9):
            row = reversed(start.cells[rank::9])
            yield f"P{rank + 1}" + "".join(
                f"{'-' if man >= GOTE else '+'}{NAMES[man & 15]}" if man else " * " for man in row
            )
        for sign, hand in zip("+-", start.hands, strict=True):
            men = "".join(f"00{NAMES[kind]}" * held(hand, kind) for kind in HELD)
            if men:
                yield f"P{sign}{men}"
    yield "-" if start.turn else "+"


def _ending_lines(outcome: Outcome | None, turn: Seat) -> Iterator[str]:
    """Yield the end, and who won where that is not clear."""
    if outcome is None:
        yield "%CHUDAN"
        return
    winner = next(iter(outcome.winners), None)
    plain = {"resign": 1 - turn, "flag": 1 - turn, "declare": turn, "mate": 1 - turn}
    if outcome.reason not in _ENDINGS and winner is not None:
        yield f"%{'+-'[1 - winner]}ILLEGAL_ACTION"
        return
    yield _ENDINGS[outcome.reason]
    if winner is not None and plain.get(outcome.reason) != winner:
        sides = [f"{seat} {'win' if winner == at else 'lose'}" for at, seat in enumerate(SEATS)]
        sides.sort(key=lambda side: side.endswith("lose"))
        yield f"'summary:{outcome.reason}:{':'.join(sides)}"


def read(data: str | bytes, game: Shogi | None = None) -> Record:
    """Return the first game in a text, or in bytes of UTF-8 or Shift-JIS.

    Comments are passed over. RecordError names the line and what is wrong with it.
    """
    return _Reader(game or Shogi()).read(decode(data))


class _Reader:
    """Reads one game, line by line: headers, then the position, then the moves."""

    def __init__(self, game: Shogi) -> None:
        self.game = game
        self.headers: dict[str, str] = {}
        self.cells = bytearray(81)
        self.hands = [0, 0]
        self.placed = False
        self.transcript: Transcript | None = None
        self.outcome: Outcome | None = None
        self.over = False

    def read(self, text: str) -> Record:
        where = "line 1"
        for number, line in enumerate(text.splitlines(), 1):
            where = f"line {number}"
            line = line.rstrip()
            if line == "/":
                break
            if line.startswith("'"):
                self._summary(line)
            elif line[:1] in ("$", "N"):
                self._header(line, where)
            elif line and not re.fullmatch(r"V[0-9.]+", line):
                for statement in [line] if line[0] == "P" else line.split(","):
                    self._statement(statement.strip(), where)
        if self.transcript is None:
            raise RecordError(f"{where}: the text ends before it says who moves first")
        return self.transcript.record(self.headers, self.outcome)

    def _summary(self, line: str) -> None:
        """Take who won from a comment of ours after the end."""
        if self.over and self.outcome and _SUMMARY.fullmatch(line):
            winner = SEATS.index(line.split(":")[2].split()[0])
            self.outcome = won_by(self.outcome.reason, winner)

    def _header(self, line: str, where: str) -> None:
        for key, start in _HEADERS.items():
            if line.startswith(start):
                self.headers[key] = line[len(start) :].strip()
                return
        key, colon, value = line[1:].partition(":")
        if line[0] != "$" or not colon:
            raise RecordError(f"{where}: {line!r} is neither N+, N- nor a $KEY:value")
        self.headers[key] = value.strip()

    def _statement(self, line: str, where: str) -> None:
        if self.over and not line.startswith("T"):
            raise RecordError(f"{where}: {line!r} after the end of the game")
        if line.startswith("P") and self.transcript is None:
            self._place(line, where)
        elif line in ("+", "-") and self.transcript is None:
            if not self.placed:
                raise RecordError(f"{where}: {line!r} before any line of the position")
            hands = (self.hands[0], self.hands[1])
            position = Position(bytes(self.cells), hands, "+-".index(line))
            self.transcript = Transcript(self.game, position_at(self.game, position, where))
        elif self.transcript is None:
            raise RecordError(f"{where}: {line!r} before the position and who moves first")
        elif line.startswith("%"):
            self.over = True
            self.outcome = _ending(line, self.transcript.position.turn, where)
        elif line.startswith("T"):
            self._time(line, where)
        else:
            self._move(line, where)

    # ---- the position

    def _place(self, line: str, where: str) -> None:
        row = _ROW.fullmatch(line)
        if line.startswith("PI"):
            self.cells = bytearray(self.game.start().cells)
            for square, name in _puts(line[2:], where):
                at = _parse_square(square, where)
                if NAMES.get(self.cells[at] & 15) != name:
                    raise RecordError(f"{where}: no {name} stands on {square}")
                self.cells[at] = 0
        elif row is not None:
            self._row(int(row[1]) - 1, row[2], where)
        elif line[1:2] in ("+", "-"):
            seat = "+-".index(line[1])
            if line[2:] == "00AL":
                self._take_the_rest(seat)
            else:
                for square, name in _puts(line[2:], where):
                    self._put(seat, square, name, where)
        else:
            raise RecordError(f"{where}: {line!r} is no line of a position")
        self.placed = True

    def _row(self, rank: int, text: str, where: str) -> None:
        text = text.ljust(27)
        if len(text) > 27:
            raise RecordError(f"{where}: {len(text)} signs instead of 27 for nine squares")
        for file in range(9):
            sign, name = text[3 * (8 - file)], text[3 * (8 - file) + 1 : 3 * (9 - file)]
            if sign in "+-" and name in MEN:
                self.cells[9 * file + rank] = MEN[name] + (GOTE if sign == "-" else 0)
            elif (sign + name).strip() not in ("*", ""):
                raise RecordError(f"{where}: {sign + name!r} is no man")

    def _put(self, seat: Seat, square: str, name: str, where: str) -> None:
        kind = MEN[name]
        if square != "00":
            at = _parse_square(square, where)
            if self.cells[at]:
                raise RecordError(f"{where}: two men on {square}")
            self.cells[at] = kind + GOTE * seat
        elif kind not in HELD or held(self.hands[seat], kind) == FULL_SET[kind]:
            raise RecordError(f"{where}: one {name} too many in hand")
        else:
            self.hands[seat] += ONE_IN_HAND[kind]

    def _take_the_rest(self, seat: Seat) -> None:
        """Put all men that are neither on the board nor in a hand into one."""
        for kind in HELD:
            faces = (kind, kind + PROMOTED) if kind in TURNING else (kind,)
            out = sum(self.cells.count(face + side) for face in faces for side in (0, GOTE))
            out += sum(held(hand, kind) for hand in self.hands)
            self.hands[seat] += max(FULL_SET[kind] - out, 0) * ONE_IN_HAND[kind]

    # ---- the moves

    def _move(self, line: str, where: str) -> None:
        assert self.transcript is not None
        position = self.transcript.position
        found = _MOVE.fullmatch(line)
        if found is None or found[4] not in MEN:
            raise RecordError(f"{where}: {line!r} is no move such as +7776FU")
        sign, source, target, name = found.groups()
        if "+-".index(sign) != position.turn:
            raise RecordError(f"{where}: it is {SEATS[position.turn]}'s turn, not that of {sign}")
        kind = MEN[name]
        end = _usi(target)
        if source == "00":
            if kind not in HELD:
                raise RecordError(f"{where}: {name} cannot be dropped")
            text = f"{LETTERS[kind]}*{end}"
        else:
            man = position.cells[_parse_square(source, where)]
            if man and man & 15 != kind and (man & 15) + PROMOTED != kind:
                raise RecordError(f"{where}: {NAMES[man & 15]} stands on {source}, not {name}")
            text = f"{_usi(source)}{end}" + ("+" if man and man & 15 != kind else "")
            if source == target:
                raise RecordError(f"{where}: {line!r} stays on its square")
        self.transcript.play(Move(text), where)

    def _time(self, line: str, where: str) -> None:
        assert self.transcript is not None
        if not re.fullmatch(r"T[0-9]{1,7}(\.[0-9]*)?", line):
            raise RecordError(f"{where}: {line!r} is no time such as T12")
        if self.transcript.seconds and not self.over:
            self.transcript.seconds[-1] = int(float(line[1:]))


def _puts(text: str, where: str) -> list[tuple[str, str]]:
    """Return the squares and names in `82HI22KA`."""
    found: list[tuple[str, str]] = _PUT.findall(text)
    if "".join(square + name for square, name in found) != text:
        raise RecordError(f"{where}: {text!r} is no list of men such as 82HI22KA")
    for _, name in found:
        if name not in MEN:
            raise RecordError(f"{where}: {name} is no man")
    return found


def _parse_square(text: str, where: str) -> int:
    if text == "00":
        raise RecordError(f"{where}: 00 is no square")
    return 9 * (int(text[0]) - 1) + int(text[1]) - 1


def _usi(square: str) -> str:
    return square[0] + "abcdefghi"[int(square[1]) - 1]


def _ending(word: str, turn: Seat, where: str) -> Outcome | None:
    """Return what a word after the last move means when it is a seat's turn."""
    if word in _UNDECIDED:
        return None
    losers = {"%ILLEGAL_MOVE": turn, "%+ILLEGAL_ACTION": 0, "%-ILLEGAL_ACTION": 1}
    if word in losers:
        return won_by("illegal-move", 1 - losers[word])
    for reason, known in _ENDINGS.items():
        if word == known:
            winners = {"resign": 1 - turn, "flag": 1 - turn, "declare": turn, "mate": 1 - turn}
            return won_by(reason, winners.get(reason))
    raise RecordError(f"{where}: {word!r} is no end of a game")
