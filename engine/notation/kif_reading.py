"""How records of Shogi in KIF and KI2 are read, line by line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Final

from engine.game import Outcome
from engine.games.shogi import Shogi, ShogiPosition
from engine.games.shogi.pieces import SEATS
from engine.notation import bod
from engine.notation.handicaps import EVEN, HANDICAPS, handicap
from engine.notation.japanese import MARKS, SIDES, plain
from engine.notation.kif_ends import (
    NOT_PLAYED,
    PAUSES,
    ending,
    in_comment,
    is_known,
    last_line,
    told_by,
)
from engine.notation.kif_moves import LIKE_A_MOVE, MOVE, NUMBERED_MOVE, marked, parse_move
from engine.notation.lines import ReadingNotes, shown, split, trimmed
from engine.notation.shogi_record import Seconds, ShogiRecord, ShogiRecordError, Transcript

HEADERS: Final = {
    "event": "棋戦",
    "site": "場所",
    "start": "開始日時",
    "end": "終了日時",
    "time": "持ち時間",
    "opening": "戦型",
}
_KEYS: Final = {name: key for key, name in HEADERS.items()} | {"対局日": "start"}

_COMMENT: Final = ("#", "*", "&", "＃", "＊", "＆")
_WORD: Final = re.compile(r"([0-9]{1,5})(\s*)([^\s(:][^(:]*)(?:\(.*)?")
_TIME: Final = re.compile(
    r"\(\s*(?:([0-9]{1,3}):)?([0-9]{1,4}):([0-9]{1,2})(\.[0-9]{1,9})?\s*(?:/[^)]*)?(?:\)|$)"
)
_TOTAL: Final = re.compile(r"\([\s0-9:./]*\)|\+")


def headers_in(line: str) -> Mapping[str, str]:
    """Return what a line says as a header: one key and its value, or nothing."""
    reader = KifReader(Shogi())
    try:
        reader.take(line)
    except ShogiRecordError:
        return {}
    return reader.headers


class KifReader:
    """Reads one game, line by line: headers and perhaps a drawing, then the moves."""

    def __init__(self, game: Shogi) -> None:
        self.game = game
        self.notes = ReadingNotes()
        self.headers: dict[str, str] = {}
        self.handicap = EVEN
        self.handicap_at = self.notes.where
        self.diagram = bod.Diagram()
        self.transcript: Transcript | None = None
        self.outcome: Outcome | None = None
        self.word = ""
        """The word by which the game ended or paused, if there was one."""
        self.commented = ""
        """Such a word in a comment after the last move."""
        self.uncounted = 0
        """By how much the numbers of the moves are ahead of the moves."""
        self.understood = False
        """Whether any line was one of a record."""

    def read(self, text: str) -> ShogiRecord:
        """Return the game in a text; RecordError if there is none."""
        for line in self.notes.each(split(text)):
            if line.startswith("変化"):
                self.notes.add("variations are left out from here on")
                break
            if "\ufffd" in line:
                self.notes.add(f"not all signs of {shown(line)} can be read")
            self.take(line)
        if not self.understood:
            raise ShogiRecordError(f"{self.notes.where}: no line of a record in KIF up to here")
        if self.commented and not self.word:
            self._end(self.commented)
        return self._moves().record(self.headers, self.outcome, self.notes)

    def take(self, line: str) -> None:
        """Take a trimmed line."""
        text = plain(line)
        if not line or line.startswith(_COMMENT):
            self.commented = in_comment("".join(text.split())) or self.commented
            return
        if text.startswith(("まで", "以上")):
            self._last_line(line, "".join(text.split()))
        elif text.startswith("手数") and text[2:3] != ":":
            self.understood = True  # the head of the table of moves
        elif text.startswith(tuple(MARKS)):
            self._marked_moves(line, text)
        elif not self._numbered(line, text):
            self._other(line, text)

    def _other(self, line: str, text: str) -> None:
        """Take a line of a drawing, a header, or one that is not understood."""
        at = text.find(":")
        word = "".join(text.split())
        if self.transcript is None and self.diagram.take(line, self.notes.where):
            self.understood = True
        elif at > 0:
            self._header(line, trimmed(line[:at]), trimmed(line[at + 1 :]))
        elif is_known(word):
            self._end(word)
        else:
            self.notes.skipped(line)

    # ---- before the moves

    def _header(self, line: str, key: str, value: str) -> None:
        name = SEATS[SIDES[key]] if key in SIDES else _KEYS.get(key, key)
        known = key in SIDES or key in _KEYS or key == "手合割"
        self.understood = self.understood or known
        if self.transcript is not None:
            if not known or key == "手合割" or self.headers.setdefault(name, value) != value:
                self.notes.skipped(line)
        elif key == "手合割":
            self.handicap, self.handicap_at = value, self.notes.where
        else:
            self.headers[name] = value

    def _moves(self) -> Transcript:
        """Return the moves, of which the first may stand on this line."""
        if self.transcript is None:
            self.understood = True
            self.transcript = Transcript(self.game, self._start())
        return self.transcript

    def _start(self) -> ShogiPosition:
        named = HANDICAPS.get(handicap(self.handicap))
        if self.diagram.rows:
            if named is None and self.handicap != "その他":
                self.notes.add(f"手合割 {shown(self.handicap)}: the position drawn is taken")
            drawn = self.diagram.position(self.game, self.notes.where, 0)
            return named if named and self._drawn_as(named, drawn) else drawn
        if named is not None:
            return named
        if self.handicap in ("その他", "詰将棋"):
            raise ShogiRecordError(
                f"{self.notes.where}: 手合割 is {self.handicap}, but no position is drawn"
            )
        raise ShogiRecordError(f"{self.handicap_at}: {shown(self.handicap)} is no handicap")

    def _drawn_as(self, named: ShogiPosition, drawn: ShogiPosition) -> bool:
        """Whether a drawing that does not say whose turn it is shows that start of a handicap."""
        return self.diagram.turn is None and named[:2] == drawn[:2]

    # ---- the moves

    def _numbered(self, line: str, text: str) -> bool:
        """Take a line with a move or with a word that ends the game, and return whether it is."""
        move = NUMBERED_MOVE.match(text)
        if move is not None:
            self._due(move["number"], line)
            self._play(line, move)
            return True
        found = _WORD.fullmatch(text)
        if found is None:
            return False
        said = found[3].strip(f"{''.join(MARKS)} ")
        words = ("".join(said.split()), *said.split()[:1])
        word = next((word for word in words if is_known(word)), said)
        if is_known(word):
            if not self._over:
                self._due(found[1])
        elif LIKE_A_MOVE.match(text, found.end(2)):
            raise ShogiRecordError(
                f"{self.notes.where}: {shown(line)} is no move such as 1 ７六歩(77)"
            )
        elif not said or not found[2] or int(found[1]) != self._next_number():
            return False
        self._end(word)
        return True

    def _next_number(self) -> int:
        return (self.transcript.plies if self.transcript else 0) + 1 + self.uncounted

    @property
    def _over(self) -> bool:
        """Whether a word has said how the game ended: what is said after it adds nothing."""
        return bool(self.word) and self.outcome is not None

    def _due(self, number: str, move: str = "") -> None:
        """See that a number is that of the next move, in whose line it stands, or of a word. After
        a pause the word that told of it may have been counted; from a position drawn they may go
        on from its number.
        """
        if move and self._over:
            raise ShogiRecordError(f"{self.notes.where}: {shown(move)} after the end of the game")
        given, due = int(number or 0), self._next_number()
        if not given or given == due:
            return
        if self.word and given == due + 1:
            self.uncounted += 1
        elif self.transcript is None and self.diagram.rows:
            self.uncounted = given - 1
        else:
            raise ShogiRecordError(f"{self.notes.where}: move {given} where {due} is due")

    def _play(self, line: str, found: re.Match[str]) -> None:
        """Play the move of a match in the plain text of a line."""
        moves, where = self._moves(), self.notes.where
        self.word = self.commented = ""
        moves.play(parse_move(moves, found, line, where), where)
        after = found.string[found.end() : found.endpos]
        if time := _TIME.search(after):
            moves.took(_seconds(time))
        rest = _TOTAL.sub("", _TIME.sub("", after)).strip()
        if rest:
            self.notes.skipped(rest)

    def _marked_moves(self, line: str, text: str) -> None:
        """Take a line of KI2."""
        for side, start, end in marked(text):
            found = MOVE.match(text, start, end)
            said = trimmed(line[start:end])
            word = "".join(said.split())
            turn = self._moves().turn
            if side != turn and not self._over and (found or is_known(word)):
                raise ShogiRecordError(
                    f"{self.notes.where}: it is {SEATS[turn]}'s turn, not that of {shown(said)}"
                )
            if found:
                self._due("", line)
                self._play(line, found)
            elif LIKE_A_MOVE.match(plain(said)):
                raise ShogiRecordError(
                    f"{self.notes.where}: {shown(said)} is no move such as ▲７六歩"
                )
            elif is_known(word):
                self._end(word)
            elif word:
                self.notes.skipped(said)

    # ---- the end

    def _end(self, word: str) -> None:
        """Take a word that stands in place of a move."""
        moves = self._moves()
        if self._over:
            self.notes.add(f"{shown(word)} after the end of the game is passed over")
            return
        self.word = word
        self._ended(ending(word, moves.turn))
        if not is_known(word):
            self.notes.add(f"{shown(word)} is no end that is known: nobody has won")
        elif word in NOT_PLAYED:
            self.notes.add(f"{word}: taken as if the side that is absent had given up")

    def _ended(self, outcome: Outcome | None) -> None:
        by_move = self._moves().lost_by_illegal_move()
        unlucky = outcome is not None and outcome.reason == "illegal-move"
        self.outcome = by_move if by_move and unlucky else outcome

    def _last_line(self, line: str, text: str) -> None:
        """Take how the game ended from the last line, as far as it was not told before."""
        self.understood = True
        if self.outcome is not None:
            self.outcome = last_line(text, self.outcome)
        elif not self.word or self.word not in PAUSES:
            self._ended(told_by(text, self._moves().turn, self.word or self.commented))
            self.outcome = self.outcome and last_line(text, self.outcome)
            self.word = self.word or "まで"
        if self.outcome is None and not any(word in text for word in PAUSES):
            self.notes.skipped(line)


def _seconds(time: re.Match[str]) -> Seconds:
    """Return the time of a move, given as m:ss or h:mm:ss."""
    whole = 3600 * int(time[1] or 0) + 60 * int(time[2]) + int(time[3])
    return whole + Decimal(time[4]) if time[4] else whole
