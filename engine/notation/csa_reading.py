"""How records in the format of the Computer Shogi Association are read, all versions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Final

from engine.game import Outcome, Seat
from engine.games.shogi import Shogi, ShogiMove, ShogiPosition
from engine.games.shogi.pieces import (
    FULL_SET,
    GOTE,
    HELD,
    KINDS,
    LETTERS,
    ONE_IN_HAND,
    PROMOTED,
    SEATS,
    held,
)
from engine.notation.csa_ends import ILLEGAL_MOVE, SERVER_SAYS, UNDECIDED, ending, summed_up
from engine.notation.lines import ReadingNotes, shown, split, trimmed
from engine.notation.shogi_record import (
    ShogiRecord,
    ShogiRecordError,
    Transcript,
    position_at,
    the_rest,
)

PIECES: Final = dict(
    zip(
        ("FU", "KY", "KE", "GI", "KI", "KA", "HI", "OU", "TO", "NY", "NK", "NG", "UM", "RY"),
        KINDS.values(),
        strict=True,
    )
)
"""The kind of each name."""
NAMES: Final = {kind: name for name, kind in PIECES.items()}

HEADERS: Final = {
    "event": "$EVENT:",
    "site": "$SITE:",
    "start": "$START_TIME:",
    "end": "$END_TIME:",
    "time": "$TIME_LIMIT:",
    "opening": "$OPENING:",
    "sente": "N+",
    "gote": "N-",
}
_KEYS: Final = {start[1:-1]: key for key, start in HEADERS.items() if start[0] == "$"}
_MOVE: Final = re.compile(r"([+-]?)(00|[1-9]{2})([1-9]{2})([A-Z]{2})(?![0-9A-Za-z])")
_LIKE_A_MOVE: Final = re.compile(r"[+-]\s*[0-9A-Z]|[0-9]{4}[A-Z]{2}")
_ROW: Final = re.compile(r"P([1-9])(.*)")
_LONGEST_ROW: Final = 100
_SQUARE: Final = re.compile(r"[+-][A-Z]{2}|\*")
_BLANKS: Final = str.maketrans("\t\xa0\u3000", "   ")
_PUT: Final = re.compile(r"(00|[1-9]{2})([A-Z]{2})")
_TIME: Final = re.compile(r"T([0-9]{1,7})(?:\.([0-9]{0,18}))?")
NEXT_STATEMENT: Final = re.compile(
    r",(?=\s*(?:N[+-]|\$[A-Za-z_]+[+-]?:|P[I1-9+-]|[+-](?:\s*(?:,|$)|[0-9]{4}[A-Z]{2})))"
)
"""The commas after which a name or a value of a header ends and another statement begins."""


def games(text: str, game: Shogi) -> Iterator[ShogiRecord]:
    """Yield the games of a text one by one; errors as `csa.read` has them."""
    lines = split(text)
    ends = [at for at, line in enumerate(lines) if trimmed(line) == "/"] + [len(lines)]
    parts = [
        (start, end)
        for start, end in zip([0, *(end + 1 for end in ends)], ends, strict=False)
        if any(_says_something(line) for line in lines[start:end])
    ] or [(0, len(lines))]
    for number, (start, end) in enumerate(parts, 1):
        left = len(parts) - number
        yield _Reader(game).read(lines[start:end], start + 1, left)


def _says_something(line: str) -> bool:
    return bool(trimmed(line)) and not trimmed(line).startswith(("'", "V", "/"))


class _Reader:
    """Reads one game, line by line: headers, then the position, then the moves."""

    def __init__(self, game: Shogi) -> None:
        self.game = game
        self.notes = ReadingNotes()
        self.headers: dict[str, str] = {}
        self.cells = bytearray(81)
        self.hands = [0, 0]
        self.gets_the_rest: Seat | None = None
        self.placed = False
        self.transcript: Transcript | None = None
        self.outcome: Outcome | None = None
        self.over = False

    def read(self, lines: Sequence[str], first: int, left: int) -> ShogiRecord:
        """Return the game in lines of which the first has that number; so many are left out after
        it.
        """
        for line in self.notes.each(lines, first):
            if "\ufffd" in line:
                self.notes.add(f"not all signs of {shown(line)} can be read")
            if line.startswith("'"):
                self._comment(line)
                continue
            parts = NEXT_STATEMENT.split(line) if line[:1] in ("N", "$") else line.split(",")
            for statement in parts:
                self._statement(trimmed(statement))
        if self.transcript is None:
            raise ShogiRecordError(
                f"{self.notes.where}: the text ends before it says who moves first"
            )
        if left:
            self.notes.add(f"the game ends here; games that follow it: {left}")
        return self.transcript.record(self.headers, self.outcome, self.notes)

    def _comment(self, line: str) -> None:
        """Take how the game ended from a comment of a server, or of ours, after the end."""
        moves = self.transcript
        if moves is None:
            return
        if not self.over and line.startswith(ILLEGAL_MOVE):
            self.outcome = moves.lost_by_illegal_move() or ending("%ILLEGAL_MOVE", moves.turn)
        else:
            self.outcome = summed_up(line, self.outcome)

    def _statement(self, line: str) -> None:
        if not line or re.fullmatch(r"[Vv][0-9]+(\.[0-9]+)*", line):
            return
        if line.startswith(("N+", "N-", "$")):
            self._header(line)
        elif line.startswith("P") and self.transcript is None:
            self._place(line)
        elif line in ("+", "-") and self.transcript is None:
            self._begin("+-".index(line), line)
        elif _LIKE_A_MOVE.match(line):
            self._move(line)
        elif line.startswith("%") or line.split()[0].upper() in SERVER_SAYS:
            self._end(line)
        elif line.startswith("T"):
            self._time(line)
        else:
            self.notes.skipped(line)

    def _header(self, line: str) -> None:
        if line.startswith("N"):
            self.headers[SEATS["+-".index(line[1])]] = trimmed(line[2:])
            return
        key, colon, value = line[1:].partition(":")
        key = trimmed(key).upper()
        if colon and key:
            self.headers[_KEYS.get(key, key)] = trimmed(value)
        else:
            self.notes.skipped(line)

    # ---- the position

    def _place(self, line: str) -> None:
        where = self.notes.where
        row = _ROW.fullmatch(line)
        if line.startswith("PI"):
            self.cells = bytearray(self.game.start().cells)
            for square, name in _puts(line[2:], where):
                at = _parse_square(square, where)
                if NAMES.get(self.cells[at] & 15) != name:
                    raise ShogiRecordError(f"{where}: no {name} stands on {square}")
                self.cells[at] = 0
        elif row is not None:
            self._row(int(row[1]) - 1, row[2].translate(_BLANKS), where)
        elif line[1:2] in ("+", "-"):
            seat = "+-".index(line[1])
            for square, name in _puts(line[2:], where):
                if (square, name) == ("00", "AL"):
                    self.gets_the_rest = seat
                else:
                    self._put(seat, square, name, where)
        else:
            raise ShogiRecordError(f"{where}: {shown(line)} is no line of a position")
        self.placed = True

    def _row(self, rank: int, text: str, where: str) -> None:
        """Place a rank: nine squares of three signs each. Web pages and mail fold blanks, so nine
        that can be told from each other are taken as they come; fewer only from their columns.
        """
        if len(text) > _LONGEST_ROW:
            raise ShogiRecordError(f"{where}: {shown(text)} is no row of nine squares")
        squares = list(_SQUARE.finditer(text))
        others = _SQUARE.sub("", text).strip()
        if others:
            raise ShogiRecordError(f"{where}: {shown(others)} is no piece")
        if len(squares) > 9:
            raise ShogiRecordError(f"{where}: {len(squares)} squares instead of 9")
        columns = list(range(9))
        if len(squares) < 9:
            columns = [square.start() // 3 for square in squares]
            if any(square.start() % 3 != (square[0] == "*") for square in squares):
                raise ShogiRecordError(f"{where}: {len(squares)} squares instead of 9")
        for column, square in zip(columns, squares, strict=True):
            sign, name = square[0][0], square[0][1:]
            if sign != "*" and (name not in PIECES or column > 8):
                raise ShogiRecordError(f"{where}: {shown(square[0])} is no piece")
            if sign != "*":
                self.cells[9 * (8 - column) + rank] = PIECES[name] + (GOTE if sign == "-" else 0)

    def _put(self, seat: Seat, square: str, name: str, where: str) -> None:
        if name not in PIECES:
            raise ShogiRecordError(f"{where}: {name} is no piece")
        kind = PIECES[name]
        if square != "00":
            at = _parse_square(square, where)
            if self.cells[at]:
                raise ShogiRecordError(f"{where}: two men on {square}")
            self.cells[at] = kind + GOTE * seat
        elif kind not in HELD or held(self.hands[seat], kind) == FULL_SET[kind]:
            raise ShogiRecordError(f"{where}: one {name} too many in hand")
        else:
            self.hands[seat] += ONE_IN_HAND[kind]

    def _begin(self, turn: Seat, line: str) -> Transcript:
        """Begin the moves; `line` says whose turn it is."""
        if not self.placed:
            raise ShogiRecordError(
                f"{self.notes.where}: {shown(line)} before any line of the position"
            )
        if self.gets_the_rest is not None:
            self.hands[self.gets_the_rest] += the_rest(self.cells, self.hands)
        position = ShogiPosition(bytes(self.cells), (self.hands[0], self.hands[1]), turn)
        start = position_at(self.game, position, self.notes.where)
        self.transcript = Transcript(self.game, start)
        return self.transcript

    # ---- the moves

    def _move(self, line: str) -> None:
        where, found = self.notes.where, _MOVE.match(line)
        if self.over:
            raise ShogiRecordError(f"{where}: {shown(line)} after the end of the game")
        if found is None or found[4] not in PIECES:
            raise ShogiRecordError(f"{where}: {shown(line)} is no move such as +7776FU")
        sign, source, target, name = found.groups()
        moves = self.transcript
        if moves is None:
            if not sign or not self.placed:
                raise ShogiRecordError(
                    f"{where}: {shown(line)} before the position and who moves first"
                )
            moves = self._begin("+-".index(sign), line)
        if sign and "+-".index(sign) != moves.turn:
            raise ShogiRecordError(f"{where}: it is {SEATS[moves.turn]}'s turn, not that of {sign}")
        kind, end = PIECES[name], _usi(target)
        if source == "00":
            if kind not in HELD:
                raise ShogiRecordError(f"{where}: {name} cannot be dropped")
            text = f"{LETTERS[kind]}*{end}"
        else:
            piece = moves.position.cells[_parse_square(source, where)]
            if piece and piece & 15 != kind and (piece & 15) + PROMOTED != kind:
                raise ShogiRecordError(
                    f"{where}: {NAMES[piece & 15]} stands on {source}, not {name}"
                )
            text = f"{_usi(source)}{end}" + ("+" if piece and piece & 15 != kind else "")
            if source == target:
                raise ShogiRecordError(f"{where}: {shown(line)} stays on its square")
        self.outcome = None  # a comment before this move did not end the game
        moves.play(ShogiMove(text), where)
        if rest := line[found.end() :].strip():
            self._statement(rest)

    def _time(self, line: str) -> None:
        time = _TIME.fullmatch(line)
        if time is None or self.transcript is None:
            self.notes.skipped(line)
        elif not self.over:
            exact = int(time[2] or 0) != 0
            self.transcript.took(Decimal(line[1:]) if exact else int(time[1]))

    def _end(self, line: str) -> None:
        moves, word = self.transcript, line.split()[0].upper()
        if moves is None:
            raise ShogiRecordError(
                f"{self.notes.where}: {shown(line)} before the position and who moves first"
            )
        if self.over:
            if word not in SERVER_SAYS:
                self.notes.skipped(line)
            return
        self.over = True
        self.outcome = ending(word, moves.turn) or self.outcome
        if word.endswith("ILLEGAL_MOVE"):
            self.outcome = moves.lost_by_illegal_move() or self.outcome
        if self.outcome is None and word not in UNDECIDED:
            self.notes.add(f"{shown(line)} is no end that is known: nobody has won")


def _puts(text: str, where: str) -> list[tuple[str, str]]:
    """Return the squares and names in `82HI22KA`."""
    text = "".join(text.split())
    found: list[tuple[str, str]] = _PUT.findall(text)
    if "".join(square + name for square, name in found) != text:
        raise ShogiRecordError(f"{where}: {shown(text)} is no list of men such as 82HI22KA")
    return found


def _parse_square(text: str, where: str) -> int:
    if text == "00":
        raise ShogiRecordError(f"{where}: 00 is no square")
    return 9 * (int(text[0]) - 1) + int(text[1]) - 1


def _usi(square: str) -> str:
    return square[0] + "abcdefghi"[int(square[1]) - 1]
