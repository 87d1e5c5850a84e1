"""Records of Shogi in the format of the Computer Shogi Association, version 2.2; 3.0 where times
have fractions of seconds.

    V2.2
    N+Habu
    N-Moriuchi
    PI
    +
    +7776FU
    T12
    %TORYO

Squares are two digits, file and rank, both from 1; 00 is the hand. Pieces are two letters and are
named as they stand after the move, so promotion shows by the name. Source: the association's
description of its record format, 6th edition 2008, and for the encoding line the 7th of 2024.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from engine.game import Outcome, Seat
from engine.games.shogi import Shogi
from engine.games.shogi.pieces import GOTE, HELD, PROMOTED, SEATS, held
from engine.notation.csa_ends import ENDINGS
from engine.notation.csa_reading import HEADERS, NAMES, NEXT_STATEMENT, games
from engine.notation.lines import shown
from engine.notation.shogi_record import ShogiRecord, ShogiRecordError, decode, header_value


def write(record: ShogiRecord) -> str:
    """Return the record as text that `read` understands, with `\\n` for line ends.

    A game that has not ended ends in %CHUDAN. Where the end does not say who won, because it was
    claimed out of turn, a comment does.
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
    if start == record.game.start():
        yield "PI"
    else:
        for rank in range(9):
            row = reversed(start.cells[rank::9])
            yield f"P{rank + 1}" + "".join(
                f"{'-' if piece >= GOTE else '+'}{NAMES[piece & 15]}" if piece else " * "
                for piece in row
            )
        for sign, hand in zip("+-", start.hands, strict=True):
            pieces = "".join(f"00{NAMES[kind]}" * held(hand, kind) for kind in HELD)
            if pieces:
                yield f"P{sign}{pieces}"
    yield "-" if start.turn else "+"


def _ending_lines(outcome: Outcome | None, turn: Seat) -> Iterator[str]:
    """Yield the end, and who won where that is not clear."""
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

    Comments are passed over; what else is not understood is listed in the record's notes.
    RecordError names the line and what is wrong with it: a move or a position that cannot be.
    """
    return next(games(decode(data), game or Shogi()))


def read_all(data: str | bytes, game: Shogi | None = None) -> list[ShogiRecord]:
    """Return all games in a text, which lines with `/` part; errors and all else as `read`."""
    return list(games(decode(data), game or Shogi()))
