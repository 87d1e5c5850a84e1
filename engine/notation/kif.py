"""Records of Shogi in KIF, the format of Japanese players and programs.

    手合割：平手
    先手：羽生
    後手：森内
       1 ７六歩(77)   ( 0:16/00:00:16)
       2 投了
    まで1手で先手の勝ち

Files that end in .kif are Shift-JIS, in .kifu UTF-8. A game that begins neither with all pieces nor
with a usual handicap has its position drawn before the moves. Sources: Y. Kakinoki's description of
the format, 2024, and the files of programs, which vary. KI2, the short form for people, is read
too:

    ▲７六歩    △３四歩    ▲２二角成  △同　銀
    まで4手で中断
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.game import Outcome, Seat
from engine.games.shogi import Shogi, ShogiMove, ShogiPosition
from engine.games.shogi.pieces import SEATS
from engine.notation import bod
from engine.notation.japanese import EVEN, FILES, HANDICAPS, NAMES, RANKS
from engine.notation.kif_ends import WORDS
from engine.notation.kif_reading import HEADERS, KifReader, headers_in
from engine.notation.lines import shown
from engine.notation.shogi_record import ShogiRecord, ShogiRecordError, decode, header_value

__all__ = ["HANDICAPS", "encode", "read", "write"]


def write(record: ShogiRecord) -> str:
    """Return the record as text that `read` understands, with `\\n` for line ends.

    An unfinished game ends in 中断.
    """
    played, position, outcome = record.score()
    handicap = next((name for name, p in HANDICAPS.items() if p == record.start), None)
    sides = ("先手", "後手") if handicap in (EVEN, None) else ("下手", "上手")
    lines = [f"手合割：{handicap}"] if handicap else list(bod.write(record.start))
    lines += _header_lines(record, sides)
    lines.append("手数----指手---------消費時間--")
    spent = [0, 0]
    before_target = -1
    for number, (before, move) in enumerate(played):
        text = _move_text(before, move, before_target)
        before_target = move.target
        clock = ""
        if record.seconds:
            seconds = record.seconds[number]
            spent[before.turn] += int(seconds)  # KIF has no fractions
            clock = _clock(int(seconds), spent[before.turn])
        lines.append(f"{number + 1:4} {text:<12} {clock}".rstrip())
    lines += _ending_lines(outcome, position.turn, len(played), sides)
    return "\n".join(lines) + "\n"


def encode(text: str, encoding: str = "utf-8") -> bytes:
    """Return the bytes of a file, utf-8 for .kifu or shift_jis for .kif.

    ShogiRecordError names a sign that the encoding does not have.
    """
    name, codec = {"utf-8": ("UTF-8", "utf-8"), "shift_jis": ("Shift_JIS", "cp932")}[encoding]
    whole = f"#KIF version=2.0 encoding={name}\n{text}"
    try:
        return whole.encode(codec)
    except UnicodeEncodeError as error:
        number = 1 + whole.count("\n", 0, error.start)
        sign = whole[error.start]
        raise ShogiRecordError(f"line {number}: {sign!r} cannot be written in Shift-JIS") from error


def _header_lines(record: ShogiRecord, sides: tuple[str, str]) -> Iterator[str]:
    for key, value in record.headers.items():
        name = sides[SEATS.index(key)] if key in SEATS else HEADERS.get(key, key)
        line = f"{name}：{header_value(key, value)}"
        if headers_in(line) != {key: value}:
            raise ShogiRecordError(f"header {shown(key)}: KIF has no such key")
        yield line


def _move_text(position: ShogiPosition, move: ShogiMove, before_target: int) -> str:
    if move.target == before_target:
        text = "同\u3000"
    else:
        text = FILES[move.target // 9] + RANKS[move.target % 9]
    if move.drop:
        return f"{text}{NAMES[move.drop]}打"
    text += NAMES[position.cells[move.start] & 15] + ("成" if move.promotes else "")
    return f"{text}({move.start // 9 + 1}{move.start % 9 + 1})"


def _clock(seconds: int, total: int) -> str:
    """Return the time of a move and the total of its side."""
    hours, minutes = total // 3600, total // 60 % 60
    return f"({seconds // 60:2}:{seconds % 60:02}/{hours:02}:{minutes:02}:{total % 60:02})"


def _ending_lines(
    outcome: Outcome | None, turn: Seat, plies: int, sides: tuple[str, str]
) -> Iterator[str]:
    """Yield the end in place of a move, and the last line with the winner."""
    if outcome is None:
        yield f"{plies + 1:4} 中断"
        yield f"まで{plies}手で中断"
        return
    winner = next(iter(outcome.winners), None)
    word = WORDS.get(outcome.reason) or ("反則勝ち" if winner == turn else "反則負け")
    yield f"{plies + 1:4} {word}"
    yield f"まで{plies}手で" + (word if winner is None else f"{sides[winner]}の勝ち")


def read(data: str | bytes, game: Shogi | None = None) -> ShogiRecord:
    """Return the game in a text, or in bytes of UTF-8, Shift-JIS or EUC-JP.

    Comments, bookmarks and variations are skipped. The notes of the record list unknown lines and
    words. ShogiRecordError names the line with an impossible move or position.
    """
    return KifReader(game or Shogi()).read(decode(data))
