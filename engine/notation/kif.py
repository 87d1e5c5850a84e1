"""Records of Shogi in KIF, the format of Japanese players and programs.

    手合割：平手
    先手：羽生
    後手：森内
       1 ７六歩(77)   ( 0:16/00:00:16)
       2 投了
    まで1手で先手の勝ち

Files that end in .kif are Shift-JIS, in .kifu UTF-8. A game that begins neither with all men nor
with one of the usual handicaps has its position drawn before the moves. Sources: Y. Kakinoki's
description of the format, 2024, and the files of programs that follow it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from engine.game import Outcome, Seat
from engine.games.shogi import Move, Position, Shogi
from engine.games.shogi.men import HELD, KINDS, LETTERS, SEATS
from engine.games.shogi.position import START, parse_position
from engine.notation import bod
from engine.notation.bod import FILES, KIND_OF, RANKS, SIDES, SIGNS
from engine.notation.shogi_record import (
    Record,
    RecordError,
    Transcript,
    decode,
    header_value,
    won_by,
)

NAMES: Final = SIGNS | {KINDS["+L"]: "成香", KINDS["+N"]: "成桂", KINDS["+S"]: "成銀"}
"""The name of each kind in a move."""
_KIND_NAMED: Final = KIND_OF | {name: kind for kind, name in NAMES.items()}

_REST: Final = "/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"
HANDICAPS: Final = {
    name: parse_position(sfen, ())
    for name, sfen in {
        "平手": START,
        "香落ち": f"lnsgkgsn1/1r5b1{_REST}",
        "右香落ち": f"1nsgkgsnl/1r5b1{_REST}",
        "角落ち": f"lnsgkgsnl/1r7{_REST}",
        "飛車落ち": f"lnsgkgsnl/7b1{_REST}",
        "飛香落ち": f"lnsgkgsn1/7b1{_REST}",
        "二枚落ち": f"lnsgkgsnl/9{_REST}",
        "三枚落ち": f"lnsgkgsn1/9{_REST}",
        "四枚落ち": f"1nsgkgsn1/9{_REST}",
        "五枚落ち": f"2sgkgsn1/9{_REST}",
        "左五枚落ち": f"1nsgkgs2/9{_REST}",
        "六枚落ち": f"2sgkgs2/9{_REST}",
        "左七枚落ち": f"2sgkg3/9{_REST}",
        "右七枚落ち": f"3gkgs2/9{_REST}",
        "八枚落ち": f"3gkg3/9{_REST}",
        "十枚落ち": f"4k4/9{_REST}",
    }.items()
}
"""The start of each handicap by name; gote, who gives it, moves first."""
EVEN: Final = "平手"

_HEADERS: Final = {
    "event": "棋戦",
    "site": "場所",
    "start": "開始日時",
    "end": "終了日時",
    "time": "持ち時間",
    "opening": "戦型",
}
_KEYS: Final = {name: key for key, name in _HEADERS.items()} | {"対局日": "start"}
_ENDINGS: Final = {
    "resign": "投了",
    "flag": "切れ負け",
    "repetition": "千日手",
    "jishogi": "持将棋",
    "declare": "入玉勝ち",
    "agreement": "引き分け",
    "mate": "詰み",
    "no-move": "詰み",
}
_DRAWN: Final = ("repetition", "jishogi", "agreement")
_UNDECIDED: Final = ("中断", "不詰", "不戦敗", "不戦勝")
_ALIASES: Final = {"入玉宣言": "入玉勝ち", "引分": "引き分け", "引分け": "引き分け"}
_WIN: Final = ("入玉勝ち", "反則勝ち")
"""The endings by which the side to move wins; by all others but draws it loses."""

_LINE: Final = re.compile(
    r"([0-9]+)\s+([^(]*?(?:\([1-9]{2}\))?)\s*"
    r"(?:\(\s*([0-9]+):\s*([0-9]+)\s*(?:/[\s0-9:]*)?\)\s*)?\+?"
)
_MOVE: Final = re.compile(
    rf"(?:同\s*|([{FILES}1-9])([{RANKS}1-9]))"
    rf"({'|'.join(sorted(_KIND_NAMED, key=len, reverse=True))})(成|不成)?"
    rf"(?:打|\(([1-9])([1-9])\))"
)
_HEADER: Final = re.compile(r"([^：:]+?)\s*[：:](.*)")
_WON: Final = re.compile("(先手|下手|後手|上手)の(?:反則)?(勝ち|負け)")


# ---- writing


def write(record: Record) -> str:
    """Return the record as text that `read` understands, with `\\n` for line ends.

    A game that has not ended ends in 中断.
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
            spent[before.turn] += seconds
            clock = _clock(seconds, spent[before.turn])
        lines.append(f"{number + 1:4} {text:<12} {clock}".rstrip())
    lines += _ending_lines(outcome, position.turn, len(played), sides)
    return "\n".join(lines) + "\n"


def encode(text: str, encoding: str = "utf-8") -> bytes:
    """Return the text as bytes of a file, utf-8 for .kifu or shift_jis for .kif; RecordError names
    the sign that the encoding does not have.
    """
    name, codec = {"utf-8": ("UTF-8", "utf-8"), "shift_jis": ("Shift_JIS", "cp932")}[encoding]
    whole = f"#KIF version=2.0 encoding={name}\n{text}"
    try:
        return whole.encode(codec)
    except UnicodeEncodeError as error:
        number = 1 + whole.count("\n", 0, error.start)
        sign = whole[error.start]
        raise RecordError(f"line {number}: {sign!r} cannot be written in Shift-JIS") from error


def _header_lines(record: Record, sides: tuple[str, str]) -> Iterator[str]:
    for key, value in record.headers.items():
        name = sides[SEATS.index(key)] if key in SEATS else _HEADERS.get(key, key)
        line = f"{name}：{header_value(key, value)}"
        found = _HEADER.fullmatch(line)
        if found is None or found[1] != name or line[0] in "#*&":
            raise RecordError(f"header {key!r}: KIF has no such key")
        yield line


def _move_text(position: Position, move: Move, before_target: int) -> str:
    if move.target == before_target:
        text = "同\u3000"
    else:
        text = FILES[move.target // 9] + RANKS[move.target % 9]
    if move.drop:
        return f"{text}{NAMES[move.drop]}打"
    text += NAMES[position.cells[move.start] & 15] + ("成" if move.promotes else "")
    return f"{text}({move.start // 9 + 1}{move.start % 9 + 1})"


def _clock(seconds: int, total: int) -> str:
    """Return the time of a move and of its side so far."""
    hours, minutes = total // 3600, total // 60 % 60
    return f"({seconds // 60:2}:{seconds % 60:02}/{hours:02}:{minutes:02}:{total % 60:02})"


def _ending_lines(
    outcome: Outcome | None, turn: Seat, plies: int, sides: tuple[str, str]
) -> Iterator[str]:
    """Yield the end in place of a move, and the last line, which says who won."""
    if outcome is None:
        yield f"{plies + 1:4} 中断"
        yield f"まで{plies}手で中断"
        return
    winner = next(iter(outcome.winners), None)
    word = _ENDINGS.get(outcome.reason) or ("反則勝ち" if winner == turn else "反則負け")
    yield f"{plies + 1:4} {word}"
    yield f"まで{plies}手で" + (word if winner is None else f"{sides[winner]}の勝ち")


# ---- reading


def read(data: str | bytes, game: Shogi | None = None) -> Record:
    """Return the game in a text, or in bytes of UTF-8 or Shift-JIS.

    Comments and bookmarks are passed over; of a game with variations the main line is read.
    RecordError names the line and what is wrong with it.
    """
    return _Reader(game or Shogi()).read(decode(data))


class _Reader:
    """Reads one game, line by line: headers and perhaps a drawing, then the moves."""

    def __init__(self, game: Shogi) -> None:
        self.game = game
        self.headers: dict[str, str] = {}
        self.handicap = EVEN
        self.diagram = bod.Diagram()
        self.transcript: Transcript | None = None
        self.outcome: Outcome | None = None
        self.over = False

    def read(self, text: str) -> Record:
        where = "line 1"
        for number, raw in enumerate(text.splitlines(), 1):
            where = f"line {number}"
            line = raw.strip()
            if line.startswith("変化"):
                break
            if line and line[0] not in "#*&" and not line.startswith("手数"):
                self._take(line, where)
        transcript = self.transcript or Transcript(self.game, self._start(where))
        return transcript.record(self.headers, self.outcome)

    def _take(self, line: str, where: str) -> None:
        if line.startswith("まで"):
            self._last_line(line)
        elif re.match(r"[0-9]+\s", line) and not line.startswith("9 8 7"):
            if self.transcript is None:
                self.transcript = Transcript(self.game, self._start(where))
            self._move_line(self.transcript, line, where)
        elif self.transcript is not None:
            raise RecordError(f"{where}: {line!r} among the moves")
        elif not self.diagram.take(line, where):
            self._header(line, where)

    def _header(self, line: str, where: str) -> None:
        found = _HEADER.fullmatch(line)
        if found is None:
            raise RecordError(f"{where}: {line!r} is neither a move nor a key：value")
        key, value = found[1], found[2].strip()
        if key == "手合割":
            if value not in HANDICAPS and value != "その他":
                raise RecordError(f"{where}: {value!r} is no handicap")
            self.handicap = value
        elif key in SIDES:
            self.headers[SEATS[SIDES[key]]] = value
        else:
            self.headers[_KEYS.get(key, key)] = value

    def _start(self, where: str) -> Position:
        """Return the position before the first move, which stands at `where`."""
        if self.diagram.rows:
            return self.diagram.position(self.game, where)
        if self.handicap not in HANDICAPS:
            raise RecordError(f"{where}: 手合割 is {self.handicap}, but no position is drawn")
        return HANDICAPS[self.handicap]

    def _move_line(self, transcript: Transcript, line: str, where: str) -> None:
        """Play the move of a line, or take the word that ends the game."""
        found = _LINE.fullmatch(line)
        if found is None:
            raise RecordError(f"{where}: {line!r} is no move such as 1 ７六歩(77)")
        if self.over:
            raise RecordError(f"{where}: {line!r} after the end of the game")
        due = len(transcript.seconds) + 1
        if int(found[1]) != due:
            raise RecordError(f"{where}: move {found[1]} where {due} is due")
        text = found[2].strip(" \t\u3000▲△▽▼☗☖")
        move = _MOVE.fullmatch(text)
        if move is None:
            self.over = True
            self.outcome = _ending(text, transcript.position.turn, where)
            return
        transcript.play(_parse_move(transcript, move, where), where)
        if found[3]:
            transcript.seconds[-1] = 60 * int(found[3]) + int(found[4])

    def _last_line(self, line: str) -> None:
        """Take who won from the last line: somebody may have resigned out of turn."""
        found = _WON.search(line)
        if found and self.outcome and self.outcome.reason in ("resign", "flag", "jishogi"):
            side = SIDES[found[1]]
            winner = side if found[2] == "勝ち" else 1 - side
            self.outcome = won_by(self.outcome.reason, winner)


def _parse_move(transcript: Transcript, found: re.Match[str], where: str) -> Move:
    file, rank, name, turning, from_file, from_rank = found.groups()
    if file:
        target = 9 * _digit(file, FILES) + _digit(rank, RANKS)
    elif transcript.last is None:
        raise RecordError(f"{where}: 同 needs a move before it")
    else:
        target = transcript.last.target
    kind = _KIND_NAMED[name]
    place = _usi(target // 9 + 1, target % 9 + 1)
    if not from_file:
        if kind not in HELD or turning:
            raise RecordError(f"{where}: {found[0]!r} cannot be dropped")
        return Move(f"{LETTERS[kind]}*{place}")
    start = 9 * int(from_file) + int(from_rank) - 10
    man = transcript.position.cells[start]
    if man and man & 15 != kind:
        stands = NAMES[man & 15]
        raise RecordError(f"{where}: {stands} stands on {from_file}{from_rank}, not {name}")
    if start == target:
        raise RecordError(f"{where}: {found[0]!r} stays on its square")
    plus = "+" if turning == "成" else ""
    return Move(_usi(int(from_file), int(from_rank)) + place + plus)


def _digit(sign: str, digits: str) -> int:
    """Return a file or rank from 0, given as a Japanese or plain digit."""
    return digits.index(sign) if sign in digits else int(sign) - 1


def _usi(file: int, rank: int) -> str:
    return f"{file}{'abcdefghi'[rank - 1]}"


def _ending(word: str, turn: Seat, where: str) -> Outcome | None:
    """Return what a word in place of a move means when it is a seat's turn."""
    word = _ALIASES.get(word, word)
    if word in _UNDECIDED:
        return None
    winner = turn if word in _WIN else 1 - turn
    if word in ("反則勝ち", "反則負け"):
        return won_by("illegal-move", winner)
    for reason, known in _ENDINGS.items():
        if word == known:
            return won_by(reason, None if reason in _DRAWN else winner)
    raise RecordError(f"{where}: {word!r} is neither a move nor an end of a game")
