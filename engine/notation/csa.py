"""Records of Shogi in the format of the Computer Shogi Association: all versions are read; version
2.2 is written, or 3.0 if times have fractions of seconds.

    V2.2
    N+Habu
    N-Moriuchi
    PI
    +
    +7776FU
    T12
    %TORYO

Squares are two digits, file and rank, both from 1; 00 is the hand. Pieces are two letters. A move
names the piece as it stands afterwards, so the name shows promotion. Source: the association's
description of its record format, 6th edition 2008, and for the encoding line the 7th of 2024.
"""

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
    HAND_KINDS,
    KINDS,
    LETTERS,
    ONE_IN_HAND,
    PROMOTED,
    SEATS,
    count_in_hand,
)
from engine.notation.lines import shown, split, trimmed
from engine.notation.shogi_record import (
    ReadingNotes,
    ShogiRecord,
    ShogiRecordError,
    Transcript,
    decode,
    ending_words,
    header_value,
    outcome_of,
    position_at,
    remaining_pieces,
    won_by,
)

# ---- how games end

ENDINGS: Final = {
    "resign": "%TORYO",
    "flag": "%TIME_UP",
    "repetition": "%SENNICHITE",
    "jishogi": "%JISHOGI",
    "declare": "%KACHI",
    "agreement": "%HIKIWAKE",
    "mate": "%TSUMI",
    "no-move": "%TSUMI",
}
_MEANINGS: Final = ending_words(
    losses={
        "resign": "%TORYO #RESIGN",
        "flag": "%TIME_UP #TIME_UP",
        "illegal-move": "%ILLEGAL_MOVE #ILLEGAL_MOVE",
        "mate": "%TSUMI",
    },
    wins={"declare": "%KACHI #JISHOGI"},
    draws={
        "repetition": "%SENNICHITE #SENNICHITE %DRAW_SENNICHI",
        "jishogi": "%JISHOGI",
        "agreement": "%HIKIWAKE #DRAW %DRAW_PLY_LIMIT",
    },
)
"""Words of files begin with %, those of the server protocol (1.2.1) with #; some clients write the
latter down.
"""
_BY_NAME: Final = {
    "resign": "TORYO",
    "flag": "TIMEOUT",
    "mate": "CHECKMATE",
    "declare": "ENTERINGKING",
    "perpetual-check": "OUTE_SENNICHI",
}
"""By reason: the last part of words such as %SENTE_WIN_TORYO by Shogi Wars."""
_BY_SEAT: Final = {
    **{
        f"%{name.upper()}_WIN_{word}": won_by(reason, seat)
        for seat, name in enumerate(SEATS)
        for reason, word in (*_BY_NAME.items(), ("resign", "DISCONNECT"))
    },
    "%+ILLEGAL_ACTION": won_by("illegal-move", 1),
    "%-ILLEGAL_ACTION": won_by("illegal-move", 0),
}
"""By word: the outcome, if the word names a seat."""
UNDECIDED: Final = (
    *("%CHUDAN", "%MATTA", "%FUZUMI", "%ERROR", "%MAX_MOVES", "%DRAW_INVALID"),
    *("#CHUDAN", "#CENSORED", "#MAX_MOVES", "#OUTE_SENNICHITE", "#ILLEGAL_ACTION"),
    *("#WIN", "#LOSE"),
)
"""Words without a winner, or with one that only the moves or a summary show."""
SERVER_WORDS: Final = frozenset(word for word in (*_MEANINGS, *UNDECIDED) if word[0] == "#")
"""The words of the protocol; several may follow the end."""
_SUMMARY_REASONS: Final = {
    "toryo": "resign",
    "abnormal": "resign",
    "time up": "flag",
    "kachi": "declare",
    "illegal kachi": "illegal-move",
    "illegal move": "illegal-move",
    "uchifuzume": "illegal-move",
    "oute_kaihimore": "illegal-move",
    "oute_sennichite": "perpetual-check",
    "sennichite": "repetition",
    "jishogi": "jishogi",
    "max_moves": "agreement",
}
"""By name in the summary comment of servers such as floodgate: the reason. Our own summaries name
the reason as the outcome does.
"""
_RESULTS: Final = {("win", "lose"): 0, ("lose", "win"): 1, ("draw", "draw"): None}
"""By the results of the first and the second player in a summary: the winner."""
_SUMMARY: Final = re.compile(
    r"'summary:([^:]{1,40}):(.{0,200}) (win|lose|draw):(.{0,200}) (win|lose|draw)"
)
ILLEGAL_MOVE: Final = "'ILLEGAL_MOVE("
"""The start of the server comment with the illegal move."""


def ending(word: str, turn: Seat) -> Outcome | None:
    """Return the outcome of a word when it is that seat's turn.

    None if nobody won or the word is unknown.
    """
    return _BY_SEAT.get(word) or outcome_of(_MEANINGS, word, turn)


def summary_outcome(comment: str, said: Outcome | None) -> Outcome | None:
    """Return the outcome from a comment, or `said`, the earlier one, if it is no clear summary."""
    found = _SUMMARY.fullmatch(comment)
    if found is None or (found[3], found[5]) not in _RESULTS:
        return said
    reason = _SUMMARY_REASONS.get(found[1], found[1])
    if reason not in Shogi.endings:
        if said is None:
            return None
        reason = said.reason
    winner = _RESULTS[found[3], found[5]]
    if winner is not None and found[2] in SEATS and found[4] in SEATS:
        winner = SEATS.index(found[2 + 2 * winner])  # our own summaries name the winner first
    return won_by(reason, winner)


# ---- reading

KIND_OF: Final = dict(
    zip(
        ("FU", "KY", "KE", "GI", "KI", "KA", "HI", "OU", "TO", "NY", "NK", "NG", "UM", "RY"),
        KINDS.values(),
        strict=True,
    )
)
"""By name: the kind."""
NAMES: Final = {kind: name for name, kind in KIND_OF.items()}

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
_MOVE_LIKE: Final = re.compile(r"[+-]\s*[0-9A-Z]|[0-9]{4}[A-Z]{2}")
_ROW: Final = re.compile(r"P([1-9])(.*)")
_LONGEST_ROW: Final = 100
_SQUARE: Final = re.compile(r"[+-][A-Z]{2}|\*")
_BLANKS: Final = str.maketrans("\t\xa0\u3000", "   ")
_PUT: Final = re.compile(r"(00|[1-9]{2})([A-Z]{2})")
_TIME: Final = re.compile(r"T([0-9]{1,7})(?:\.([0-9]{0,18}))?")
NEXT_STATEMENT: Final = re.compile(
    r",(?=\s*(?:N[+-]|\$[A-Za-z_]+[+-]?:|P[I1-9+-]|[+-](?:\s*(?:,|$)|[0-9]{4}[A-Z]{2})))"
)
"""The commas that end a name or a header's value and begin another statement."""


def games(text: str, game: Shogi) -> Iterator[ShogiRecord]:
    """Yield the games of a text one by one; errors as `read`."""
    lines = split(text)
    ends = [at for at, line in enumerate(lines) if trimmed(line) == "/"] + [len(lines)]
    parts = [
        (start, end)
        for start, end in zip([0, *(end + 1 for end in ends)], ends, strict=False)
        if any(_has_content(line) for line in lines[start:end])
    ] or [(0, len(lines))]
    for number, (start, end) in enumerate(parts, 1):
        left = len(parts) - number
        yield _CsaReader(game).read(lines[start:end], start + 1, left)


def _has_content(line: str) -> bool:
    return bool(trimmed(line)) and not trimmed(line).startswith(("'", "V", "/"))


class _CsaReader:
    """Reads one game, line by line: headers, then the position, then the moves."""

    def __init__(self, game: Shogi) -> None:
        self.game = game
        self.notes = ReadingNotes()
        self.headers: dict[str, str] = {}
        self.cells = bytearray(81)
        self.hands = [0, 0]
        self.gets_remaining_pieces: Seat | None = None
        self.placed = False
        self.transcript: Transcript | None = None
        self.outcome: Outcome | None = None
        self.over = False

    def read(self, lines: Sequence[str], first: int, left: int) -> ShogiRecord:
        """Return the game in lines that start at the line number `first`.

        `left` is the number of games after it that are left out.
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
            raise self.notes.error("the text ends before it says who moves first")
        if left:
            self.notes.add(f"the game ends here; games that follow it: {left}")
        return self.transcript.record(self.headers, self.outcome, self.notes)

    def _comment(self, line: str) -> None:
        """Read how the game ended from a server's or our own comment after the end."""
        moves = self.transcript
        if moves is None:
            return
        if not self.over and line.startswith(ILLEGAL_MOVE):
            self.outcome = moves.outcome_said(ending("%ILLEGAL_MOVE", moves.turn))
        else:
            self.outcome = summary_outcome(line, self.outcome)

    def _statement(self, line: str) -> None:
        if not line or re.fullmatch(r"[Vv][0-9]+(\.[0-9]+)*", line):
            return
        if line.startswith(("N+", "N-", "$")):
            self._header(line)
        elif line.startswith("P") and self.transcript is None:
            self._place(line)
        elif line in ("+", "-") and self.transcript is None:
            self._begin("+-".index(line), line)
        elif _MOVE_LIKE.match(line):
            self._move(line)
        elif line.startswith("%") or line.split()[0].upper() in SERVER_WORDS:
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
            self.cells = bytearray(Shogi().start().cells)
            for square, name in _puts(line[2:], where):
                at = _parse_square(square, where)
                if NAMES.get(self.cells[at] & 15) != name:
                    raise self.notes.error(f"no {name} stands on {square}")
                self.cells[at] = 0
        elif row is not None:
            self._row(int(row[1]) - 1, row[2].translate(_BLANKS))
        elif line[1:2] in ("+", "-"):
            seat = "+-".index(line[1])
            for square, name in _puts(line[2:], where):
                if (square, name) == ("00", "AL"):
                    self.gets_remaining_pieces = seat
                else:
                    self._put(seat, square, name)
        else:
            raise self.notes.error(f"{shown(line)} is no line of a position")
        self.placed = True

    def _row(self, rank: int, text: str) -> None:
        """Read a rank: nine squares of three signs each.

        Web pages and mail fold blanks, so nine distinct squares are taken in order. Fewer squares
        must stand in their columns.
        """
        if len(text) > _LONGEST_ROW:
            raise self.notes.error(f"{shown(text)} is no row of nine squares")
        squares = list(_SQUARE.finditer(text))
        others = _SQUARE.sub("", text).strip()
        if others:
            raise self.notes.error(f"{shown(others)} is no piece")
        if len(squares) > 9:
            raise self.notes.error(f"{len(squares)} squares instead of 9")
        columns = list(range(9))
        if len(squares) < 9:
            columns = [square.start() // 3 for square in squares]
            if any(square.start() % 3 != (square[0] == "*") for square in squares):
                raise self.notes.error(f"{len(squares)} squares instead of 9")
        for column, square in zip(columns, squares, strict=True):
            sign, name = square[0][0], square[0][1:]
            if sign != "*" and (name not in KIND_OF or column > 8):
                raise self.notes.error(f"{shown(square[0])} is no piece")
            if sign != "*":
                self.cells[9 * (8 - column) + rank] = KIND_OF[name] + (GOTE if sign == "-" else 0)

    def _put(self, seat: Seat, square: str, name: str) -> None:
        if name not in KIND_OF:
            raise self.notes.error(f"{name} is no piece")
        kind = KIND_OF[name]
        if square != "00":
            at = _parse_square(square, self.notes.where)
            if self.cells[at]:
                raise self.notes.error(f"two pieces on {square}")
            self.cells[at] = kind + GOTE * seat
        elif kind not in HAND_KINDS or count_in_hand(self.hands[seat], kind) == FULL_SET[kind]:
            raise self.notes.error(f"one {name} too many in hand")
        else:
            self.hands[seat] += ONE_IN_HAND[kind]

    def _begin(self, turn: Seat, line: str) -> Transcript:
        """Begin the moves; `line` is the one that says whose turn it is."""
        if not self.placed:
            raise self.notes.error(f"{shown(line)} before any line of the position")
        if self.gets_remaining_pieces is not None:
            self.hands[self.gets_remaining_pieces] += remaining_pieces(self.cells, self.hands)
        position = ShogiPosition(bytes(self.cells), (self.hands[0], self.hands[1]), turn)
        start = position_at(self.game, position, self.notes.where)
        self.transcript = Transcript(self.game, start)
        return self.transcript

    # ---- the moves

    def _move(self, line: str) -> None:
        where, found = self.notes.where, _MOVE.match(line)
        if self.over:
            raise self.notes.error(f"{shown(line)} after the end of the game")
        if found is None or found[4] not in KIND_OF:
            raise self.notes.error(f"{shown(line)} is no move such as +7776FU")
        sign, source, target, name = found.groups()
        moves = self.transcript
        if moves is None:
            if not sign or not self.placed:
                raise self.notes.error(f"{shown(line)} before the position and who moves first")
            moves = self._begin("+-".index(sign), line)
        if sign and "+-".index(sign) != moves.turn:
            raise self.notes.error(f"it is {SEATS[moves.turn]}'s turn, not that of {sign}")
        kind, end = KIND_OF[name], _usi(target)
        if source == "00":
            if kind not in HAND_KINDS:
                raise self.notes.error(f"{name} cannot be dropped")
            text = f"{LETTERS[kind]}*{end}"
        else:
            piece = moves.position.cells[_parse_square(source, where)]
            if piece and piece & 15 != kind and (piece & 15) + PROMOTED != kind:
                raise self.notes.error(f"{NAMES[piece & 15]} stands on {source}, not {name}")
            text = f"{_usi(source)}{end}" + ("+" if piece and piece & 15 != kind else "")
            if source == target:
                raise self.notes.error(f"{shown(line)} stays on its square")
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
            self.transcript.set_time(Decimal(line[1:]) if exact else int(time[1]))

    def _end(self, line: str) -> None:
        moves, word = self.transcript, line.split()[0].upper()
        if moves is None:
            raise self.notes.error(f"{shown(line)} before the position and who moves first")
        if self.over:
            if word not in SERVER_WORDS:
                self.notes.skipped(line)
            return
        self.over = True
        self.outcome = ending(word, moves.turn) or self.outcome
        if word.endswith("ILLEGAL_MOVE"):
            self.outcome = moves.outcome_said(self.outcome)
        if self.outcome is None and word not in UNDECIDED:
            self.notes.add(f"{shown(line)} is no end that is known: nobody has won")


def _puts(text: str, where: str) -> list[tuple[str, str]]:
    """Return the squares and names in `82HI22KA`."""
    text = "".join(text.split())
    found: list[tuple[str, str]] = _PUT.findall(text)
    if "".join(square + name for square, name in found) != text:
        raise ShogiRecordError(f"{where}: {shown(text)} is no list of pieces such as 82HI22KA")
    return found


def _parse_square(text: str, where: str) -> int:
    if text == "00":
        raise ShogiRecordError(f"{where}: 00 is no square")
    return 9 * (int(text[0]) - 1) + int(text[1]) - 1


def _usi(square: str) -> str:
    return square[0] + "abcdefghi"[int(square[1]) - 1]


# ---- writing


def write(record: ShogiRecord) -> str:
    """Return the record as text that `read` understands, with `\\n` for line ends.

    An unfinished game ends in %CHUDAN. If the end was claimed out of turn, so that its word does
    not show the winner, a comment names the winner.
    """
    played, position, outcome = record.score()
    exact = any(isinstance(seconds, Decimal) for seconds in record.seconds)
    version = ["'CSA encoding=UTF-8", "V3.0"] if exact else ["V2.2"]
    lines = [*version, *_header_lines(record), *_position_lines(record)]
    for number, (before, move) in enumerate(played):
        sign = "-" if before.turn else "+"
        source = "00" if move.drop else _square(move.start)
        kind = move.drop or before.cells[move.start] & 15
        name = NAMES[kind + (PROMOTED if move.promotes else 0)]
        lines.append(f"{sign}{source}{_square(move.target)}{name}")
        if record.seconds:
            lines.append(f"T{Decimal(record.seconds[number]):f}")
    lines += _ending_lines(outcome, position.turn)
    return "\n".join(lines) + "\n"


def _square(square: int) -> str:
    return f"{square // 9 + 1}{square % 9 + 1}"


def _header_lines(record: ShogiRecord) -> Iterator[str]:
    for key, given in record.headers.items():
        value = header_value(key, given)
        if NEXT_STATEMENT.search(value):
            raise ShogiRecordError(
                f"header {shown(key)}: {shown(value)} would be read as two statements"
            )
        if key in HEADERS:
            yield f"{HEADERS[key]}{value}"
        elif re.fullmatch("[A-Z_][A-Z0-9_]*[+-]?", key):
            yield f"${key}:{value}"
        else:
            yield f"'{key}:{value}"


def _position_lines(record: ShogiRecord) -> Iterator[str]:
    start = record.start
    if start == Shogi().start():
        yield "PI"
    else:
        for rank in range(9):
            row = reversed(start.cells[rank::9])
            yield f"P{rank + 1}" + "".join(
                f"{'-' if piece >= GOTE else '+'}{NAMES[piece & 15]}" if piece else " * "
                for piece in row
            )
        for sign, hand in zip("+-", start.hands, strict=True):
            pieces = "".join(f"00{NAMES[kind]}" * count_in_hand(hand, kind) for kind in HAND_KINDS)
            if pieces:
                yield f"P{sign}{pieces}"
    yield "-" if start.turn else "+"


def _ending_lines(outcome: Outcome | None, turn: Seat) -> Iterator[str]:
    """Yield the end, and the winner if the end does not show it."""
    if outcome is None:
        yield "%CHUDAN"
        return
    winner = next(iter(outcome.winners), None)
    plain = {"resign": 1 - turn, "flag": 1 - turn, "declare": turn, "mate": 1 - turn}
    if outcome.reason not in ENDINGS and winner is not None:
        yield f"%{'+-'[1 - winner]}ILLEGAL_ACTION"
        return
    yield ENDINGS[outcome.reason]
    if winner is not None and plain.get(outcome.reason) != winner:
        sides = [f"{seat} {'win' if winner == at else 'lose'}" for at, seat in enumerate(SEATS)]
        sides.sort(key=lambda side: side.endswith("lose"))
        yield f"'summary:{outcome.reason}:{':'.join(sides)}"


def read(data: str | bytes, game: Shogi | None = None) -> ShogiRecord:
    """Return the first game in a text, or in bytes of UTF-8, Shift-JIS or EUC-JP.

    Comments are skipped; the notes of the record list everything else that is unknown.
    ShogiRecordError names the line with an impossible move or position.
    """
    return next(games(decode(data), game or Shogi()))
