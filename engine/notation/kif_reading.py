"""Reading records of Shogi in KIF and KI2, line by line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from typing import Final

from engine.game import Outcome
from engine.games.shogi import Shogi, ShogiMove, ShogiPosition
from engine.games.shogi.pieces import HAND_KINDS, LETTERS, SEATS
from engine.games.shogi.squares import PLACES
from engine.notation import bod
from engine.notation.japanese import (
    ANY_KIND,
    EVEN,
    HANDICAPS,
    KIND_OF,
    MARKS,
    NAMES,
    RANKS,
    SIDES,
    digit,
    handicap,
    plain,
)
from engine.notation.kif_ends import (
    NOT_PLAYED,
    PAUSES,
    corrected_by_last_line,
    ending,
    is_known,
    outcome_of_last_line,
    word_in_comment,
)
from engine.notation.lines import shown, split, trimmed
from engine.notation.shogi_record import (
    ReadingNotes,
    Seconds,
    ShogiRecord,
    ShogiRecordError,
    Transcript,
)

# ---- moves

_MOVE_PATTERN: Final = (
    rf"(?P<target>同(?:じく)?\s{{0,20}}|[1-9][{RANKS}1-9])(?P<kind>{ANY_KIND})"
    r"\s*(?P<direction>[左右直上行入寄引下]{0,3})\s*(?P<face>不成|成|生)?\s*(?P<drop>打)?"
    rf"\s*(?:\(\s*(?P<start>[0-9]\s*[0-9{RANKS}])\s*\))?\s*(?P<late>不成|成)?"
)
MOVE: Final = re.compile(_MOVE_PATTERN)
"""A move in a plain text, without what follows it."""
NUMBERED_MOVE: Final = re.compile(
    rf"(?P<number>[0-9]{{0,5}}?)(?:手目?)?[\s.:]{{0,20}}[{''.join(MARKS)}]?\s{{0,20}}{_MOVE_PATTERN}"
)
"""A move after its number, with or without a blank between."""
MOVE_LIKE: Final = re.compile(rf"同|[1-9][{RANKS}1-9]|.*\([0-9]{{2}}\)")
"""A text that is meant as a move, correct or not."""
_START: Final = re.compile(r"\([1-9][1-9]\)")


def parse_move(transcript: Transcript, found: re.Match[str], line: str, where: str) -> ShogiMove:
    """Return the move of a match in the plain text of a line, for the transcript's position.

    The move need not be legal if the text names its start. ShogiRecordError, naming `where`, if the
    text fits no move.
    """
    said = shown(line[found.start("target") : found.end()].strip())
    kind = KIND_OF[found["kind"]]
    face = found["face"] or found["late"] or ""
    target = _target(transcript, found["target"], where)
    start = re.sub(r"\s", "", found["start"] or "")
    if start == "00" or (found["drop"] and not start):
        if kind not in HAND_KINDS or face:
            raise ShogiRecordError(f"{where}: {said} cannot be dropped")
        return ShogiMove(f"{LETTERS[kind]}*{PLACES[target]}")
    if not start:
        return _unique_move(transcript, found, target, f"{where}: {said}")
    if "0" in start or found["drop"]:
        raise ShogiRecordError(f"{where}: {said} comes from no square")
    source = 9 * digit(start[0]) + digit(start[1])
    piece = transcript.position.cells[source]
    if piece and piece & 15 != kind:
        stands = NAMES[piece & 15]
        raise ShogiRecordError(f"{where}: {stands} stands on {start}, not {found['kind']}")
    if source == target:
        raise ShogiRecordError(f"{where}: {said} stays on its square")
    return ShogiMove(PLACES[source] + PLACES[target] + ("+" if face == "成" else ""))


def _target(transcript: Transcript, text: str, where: str) -> int:
    if not text.startswith("同"):
        return 9 * digit(text[0]) + digit(text[1])
    if transcript.last is None:
        raise ShogiRecordError(f"{where}: 同 needs a move before it")
    return transcript.last.target


def _unique_move(transcript: Transcript, found: re.Match[str], target: int, said: str) -> ShogiMove:
    """Return the only legal move that fits a text without a start square."""
    kind = KIND_OF[found["kind"]]
    if _START.search(found.string, found.end(), found.endpos):
        raise ShogiRecordError(f"{said} is no move such as 1 ７六歩(77)")
    position = transcript.position
    legal = [move for move in transcript.game.legal(position) if move.target == target]
    turns = (found["face"] or found["late"]) == "成"
    steps = [
        move
        for move in legal
        if not move.drop and position.cells[move.start] & 15 == kind and move.promotes == turns
    ]
    for direction in found["direction"]:
        steps = _moving_along(steps, direction, position.turn)
    drops = [move for move in legal if move.drop == kind and not turns and not found["direction"]]
    moves = steps or drops
    if len(moves) != 1:
        how_many = "several pieces" if moves else "no piece"
        raise ShogiRecordError(f"{said}: {how_many} can go there")
    return moves[0]


def _moving_along(moves: list[ShogiMove], direction: str, turn: int) -> list[ShogiMove]:
    """Return the moves that fit a direction word, as the mover sees the board."""
    seen = -1 if turn else 1

    def ahead(move: ShogiMove) -> int:
        return seen * (move.start % 9 - move.target % 9)

    def to_the_left(move: ShogiMove) -> int:
        return seen * (move.start // 9)

    if direction in "右左":
        sides = [to_the_left(move) for move in moves]
        outermost = (max if direction == "左" else min)(sides, default=0)
        return [move for move, side in zip(moves, sides, strict=True) if side == outermost]
    wanted: Callable[[ShogiMove], bool] = {
        "寄": lambda move: ahead(move) == 0,
        "引": lambda move: ahead(move) < 0,
        "下": lambda move: ahead(move) < 0,
        "直": lambda move: ahead(move) == 1 and move.start // 9 == move.target // 9,
    }.get(direction, lambda move: ahead(move) > 0)
    return [move for move in moves if wanted(move)]


def marked(text: str) -> Iterator[tuple[int, int, int]]:
    """Yield for each marked move in a plain line of KI2 its side, its start and its end."""
    marks = list(re.finditer(rf"([{''.join(MARKS)}])\s*", text))
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    for mark, end in zip(marks, ends, strict=True):
        if mark.end() < end:
            yield MARKS[mark[1]], mark.end(), end


# ---- records

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
    """Return the key and value of a header line; empty if the line is no header."""
    reader = KifReader(Shogi())
    try:
        reader.take(line)
    except ShogiRecordError:
        return {}
    return reader.headers


class KifReader:
    """Reads one game line by line: headers and perhaps a drawing, then the moves."""

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
        """The word that ended or paused the game, if any."""
        self.commented = ""
        """Such a word in a comment after the last move."""
        self.uncounted = 0
        """How far the numbers of the moves are ahead of the moves."""
        self.understood = False
        """Whether any line belonged to a record."""

    def read(self, text: str) -> ShogiRecord:
        """Return the game in a text; ShogiRecordError if there is none."""
        for line in self.notes.each(split(text)):
            if line.startswith("変化"):
                self.notes.add("variations are left out from here on")
                break
            if "\ufffd" in line:
                self.notes.add(f"not all signs of {shown(line)} can be read")
            self.take(line)
        if not self.understood:
            raise self.notes.error("no line of a record in KIF up to here")
        if self.commented and not self.word:
            self._end(self.commented)
        return self._moves().record(self.headers, self.outcome, self.notes)

    def take(self, line: str) -> None:
        """Read a trimmed line."""
        text = plain(line)
        if not line or line.startswith(_COMMENT):
            self.commented = word_in_comment("".join(text.split())) or self.commented
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
        """Read a line of a drawing, a header, or an unknown line."""
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
        """Return the transcript; begin it if this line may hold the first move."""
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
            # A drawing without a turn may show the start of that handicap.
            starts = named is not None and self.diagram.turn is None and named[:2] == drawn[:2]
            return named if named and starts else drawn
        if named is not None:
            return named
        if self.handicap in ("その他", "詰将棋"):
            raise self.notes.error(f"手合割 is {self.handicap}, but no position is drawn")
        raise ShogiRecordError(f"{self.handicap_at}: {shown(self.handicap)} is no handicap")

    # ---- the moves

    def _numbered(self, line: str, text: str) -> bool:
        """Read a line with a numbered move or end; return whether it is one."""
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
        elif MOVE_LIKE.match(text, found.end(2)):
            raise self.notes.error(f"{shown(line)} is no move such as 1 ７六歩(77)")
        elif not said or not found[2] or int(found[1]) != self._next_number():
            return False
        self._end(word)
        return True

    def _next_number(self) -> int:
        return (self.transcript.plies if self.transcript else 0) + 1 + self.uncounted

    @property
    def _over(self) -> bool:
        """Whether a word has ended the game; later words add nothing."""
        return bool(self.word) and self.outcome is not None

    def _due(self, number: str, move: str = "") -> None:
        """Raise ShogiRecordError unless the number is the next one; `move` is its line, if a move.

        The word for a pause may count as a move. After a drawn position the numbers may start
        anywhere.
        """
        if move and self._over:
            raise self.notes.error(f"{shown(move)} after the end of the game")
        given, due = int(number or 0), self._next_number()
        if not given or given == due:
            return
        if self.word and given == due + 1:
            self.uncounted += 1
        elif self.transcript is None and self.diagram.rows:
            self.uncounted = given - 1
        else:
            raise self.notes.error(f"move {given} where {due} is due")

    def _play(self, line: str, found: re.Match[str]) -> None:
        """Play the move of a match in the plain text of a line."""
        moves, where = self._moves(), self.notes.where
        self.word = self.commented = ""
        moves.play(parse_move(moves, found, line, where), where)
        after = found.string[found.end() : found.endpos]
        if time := _TIME.search(after):
            moves.set_time(_seconds(time))
        rest = _TOTAL.sub("", _TIME.sub("", after)).strip()
        if rest:
            self.notes.skipped(rest)

    def _marked_moves(self, line: str, text: str) -> None:
        """Read a line of KI2."""
        for side, start, end in marked(text):
            found = MOVE.match(text, start, end)
            said = trimmed(line[start:end])
            word = "".join(said.split())
            turn = self._moves().turn
            if side != turn and not self._over and (found or is_known(word)):
                raise self.notes.error(f"it is {SEATS[turn]}'s turn, not that of {shown(said)}")
            if found:
                self._due("", line)
                self._play(line, found)
            elif MOVE_LIKE.match(plain(said)):
                raise self.notes.error(f"{shown(said)} is no move such as ▲７六歩")
            elif is_known(word):
                self._end(word)
            elif word:
                self.notes.skipped(said)

    # ---- the end

    def _end(self, word: str) -> None:
        """Read a word in place of a move."""
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
        self.outcome = self._moves().outcome_said(outcome)

    def _last_line(self, line: str, text: str) -> None:
        """Read how the game ended from the last line, unless it is known."""
        self.understood = True
        if self.outcome is not None:
            self.outcome = corrected_by_last_line(text, self.outcome)
        elif not self.word or self.word not in PAUSES:
            self._ended(outcome_of_last_line(text, self._moves().turn, self.word or self.commented))
            self.outcome = self.outcome and corrected_by_last_line(text, self.outcome)
            self.word = self.word or "まで"
        if self.outcome is None and not any(word in text for word in PAUSES):
            self.notes.skipped(line)


def _seconds(time: re.Match[str]) -> Seconds:
    """Return the time of a move from m:ss or h:mm:ss."""
    whole = 3600 * int(time[1] or 0) + 60 * int(time[2]) + int(time[3])
    return whole + Decimal(time[4]) if time[4] else whole
