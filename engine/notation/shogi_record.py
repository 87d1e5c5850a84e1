"""A record of Shogi, and what the readers and writers of KIF, CSA and USI share."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final, NamedTuple, TypeAlias

from engine.game import Claim, GameError, IllegalMoveError, Outcome, PositionError, Seat
from engine.games.shogi import Shogi, ShogiMove, ShogiPosition
from engine.games.shogi.pieces import FULL_SET, HAND_KINDS, ONE_IN_HAND, count_in_all
from engine.notation.lines import (
    LONGEST_TEXT,
    MOST_LINES,
    MOST_MOVES,
    message,
    shown,
    split,
    trimmed,
)

_MOST_NOTES: Final = 50

Seconds: TypeAlias = int | Decimal
"""A time: whole seconds, or a Decimal if the text has a fraction."""


class ShogiRecordError(GameError):
    """The text is no record; the message is one short line that names the wrong line."""

    def __init__(self, text: str) -> None:
        super().__init__(message(text))


class ReadingNote(NamedTuple):
    """A part of a text that was skipped or changed."""

    line: int
    """The line number, from 1."""
    text: str
    """The part and what happened to it: one short line of printable characters."""

    def __str__(self) -> str:
        return f"line {self.line}: {self.text}"


class ReadingNotes:
    """Collects the notes on a text while it is read; only the first ones are kept."""

    def __init__(self) -> None:
        self.line = 1
        """The number of the current line."""
        self._kept: list[ReadingNote] = []
        self._others = 0
        self._first_other = 0

    @property
    def where(self) -> str:
        """The current line as errors name it."""
        return f"line {self.line}"

    def each(self, lines: Sequence[str], first: int = 1) -> Iterator[str]:
        """Yield the lines, trimmed, counting from the line number `first`."""
        for self.line, line in enumerate(lines, first):
            yield trimmed(line)

    def error(self, text: str) -> ShogiRecordError:
        """Return the error about the current line."""
        return ShogiRecordError(f"{self.where}: {text}")

    def skipped(self, text: str) -> None:
        """Note that a text on this line was skipped."""
        self.add(f"{shown(text)} is passed over")

    def add(self, text: str) -> None:
        """Note something about this line."""
        if len(self._kept) < _MOST_NOTES:
            self._kept.append(ReadingNote(self.line, message(text)))
        else:
            self._first_other = self._first_other or self.line
            self._others += 1

    def all(self) -> tuple[ReadingNote, ...]:
        """Return the notes in order; a last one counts those not kept."""
        if not self._others:
            return tuple(self._kept)
        return *self._kept, ReadingNote(self._first_other, f"and {self._others} more from here on")


@dataclass(frozen=True)
class ShogiRecord:
    """A recorded game of Shogi."""

    game: Shogi
    start: ShogiPosition
    moves: tuple[ShogiMove | Claim, ...] = ()
    """The moves, and the claims that ended the game. No notation has other claims; writers drop
    them."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """Further data in the order of the text: `sente`, `gote`, `event`, `site`, `start`, `end`,
    `opening`, `time` …; other keys are those of the notation."""
    outcome: Outcome | None = None
    """How the game ended; None if it was broken off or goes on."""
    seconds: tuple[Seconds, ...] = ()
    """The time of each move on the board, without claims; empty if unknown."""
    notes: tuple[ReadingNote, ...] = field(default=(), compare=False)
    """The parts of the source text that were skipped or changed: a bounded number of short lines to
    show to the reader of the record."""

    def positions(self) -> Iterator[ShogiPosition]:
        """Yield the start and the position after each move or claim; IllegalMoveError as `play`."""
        return self.game.positions(self.start, self.moves)

    def score(self) -> tuple[list[tuple[ShogiPosition, ShogiMove]], ShogiPosition, Outcome | None]:
        """Return each move with the position before it, the last position, and the outcome.

        The outcome is that of the rules, or else that of the record.
        """
        positions = list(self.positions())
        played = [
            (position, move)
            for position, move in zip(positions, self.moves, strict=False)
            if isinstance(move, ShogiMove)
        ]
        if self.seconds and len(self.seconds) != len(played):
            raise ShogiRecordError(f"{len(self.seconds)} times for {len(played)} moves")
        ended = self.game.outcome(positions[-1], positions[:-1])
        return played, positions[-1], ended or self.outcome


class Transcript:
    """A record that is read move by move.

    Its last move may be illegal if the text says that this lost the game.
    """

    def __init__(self, game: Shogi, start: ShogiPosition) -> None:
        self.game = game
        self.start = start
        self.position = start
        self._earlier: list[ShogiPosition] = []
        self._moves: list[ShogiMove] = []
        self._seconds: list[Seconds | None] = []
        self._illegal: ShogiRecordError | None = None

    @property
    def last(self) -> ShogiMove | None:
        """The last move, None at the start."""
        return self._moves[-1] if self._moves else None

    @property
    def plies(self) -> int:
        """The number of moves, with an illegal last one."""
        return len(self._moves) + (self._illegal is not None)

    @property
    def turn(self) -> Seat:
        """The seat whose turn it is, counting an illegal last move."""
        return self.position.turn if self._illegal is None else 1 - self.position.turn

    def play(self, move: ShogiMove, where: str) -> None:
        """Add the move at `where`; ShogiRecordError if it follows an illegal one."""
        if self._illegal is not None:
            raise self._illegal
        if len(self._moves) == MOST_MOVES:
            raise ShogiRecordError(f"{where}: more than {MOST_MOVES} moves")
        try:
            position = self.game.play(self.position, move)
        except IllegalMoveError as error:
            self._illegal = ShogiRecordError(f"{where}: {error}")
            return
        self._earlier.append(self.position)
        self.position = position
        self._moves.append(move)
        self._seconds.append(None)

    def set_time(self, seconds: Seconds) -> None:
        """Set the time of the last move."""
        if self._moves and self._illegal is None:
            self._seconds[-1] = seconds

    def ended(self) -> Outcome | None:
        """Return how the moves alone ended the game, if they did."""
        return self.game.outcome(self.position, self._earlier)

    def outcome_said(self, said: Outcome | None) -> Outcome | None:
        """Return the outcome that the text says; the mover of an illegal last move has lost."""
        if self._illegal is None or said is None or said.reason != "illegal-move":
            return said
        return won_by("illegal-move", 1 - self.position.turn)

    def record(
        self, headers: Mapping[str, str], said: Outcome | None, notes: ReadingNotes
    ) -> ShogiRecord:
        """Return the record; the moves decide its outcome, or else the text (`said`).

        The claims for such an end are added if the options allow them. ShogiRecordError if a move
        is illegal and the text does not say that it lost the game.
        """
        if self._illegal is not None:
            if said is None or said.reason != "illegal-move":
                raise self._illegal
            notes.add(f"the game ended by a move that is left out; {self._illegal}")
        outcome = self.ended()
        moves: list[ShogiMove | Claim] = [*self._moves]
        if outcome is None and said is not None:
            claims = _claims(self.game, self.position, said)
            moves += claims
            outcome = said
            if claims:
                *before, last = self.game.positions(self.position, claims)
                outcome = self.game.outcome(last, [*self._earlier, *before])
        timed = any(spent is not None for spent in self._seconds)
        seconds = tuple(spent or 0 for spent in self._seconds) if timed else ()
        return ShogiRecord(
            self.game, self.start, tuple(moves), headers, outcome, seconds, notes.all()
        )


def _claims(game: Shogi, position: ShogiPosition, said: Outcome) -> list[Claim]:
    """Return the claims that end the game as said, or none if they are impossible."""
    winner = next(iter(said.winners), position.turn)
    turn, other = position.turn, 1 - position.turn
    wanted = {
        "resign": [Claim(1 - winner, "resign")],
        "flag": [Claim(1 - winner, "flag")],
        "illegal-move": [Claim(winner, "illegal")],
        "declare": [Claim(winner, "declare")],
        "jishogi": [Claim(turn, "jishogi"), Claim(other, "jishogi")],
        "agreement": [Claim(turn, "draw?"), Claim(other, "agree")],
    }.get(said.reason, [])
    try:
        *_, position = game.positions(position, wanted)
    except IllegalMoveError:
        return []
    ended = game.outcome(position)
    return wanted if ended and ended.winners == said.winners else []


def position_at(game: Shogi, position: ShogiPosition, where: str) -> ShogiPosition:
    """Return the position if the game or a problem allows it; else ShogiRecordError at `where`."""
    return parse_position(game, game.position_text(position), where)


def parse_position(game: Shogi, text: str, where: str) -> ShogiPosition:
    """Return the position of a text in SFEN, as `position_at`."""
    try:
        return game.parse_problem(text)
    except PositionError as error:
        raise ShogiRecordError(f"{where}: {error}") from error


def remaining_pieces(cells: bytes | bytearray, hands: Sequence[int]) -> int:
    """Return, as a hand, all pieces of a set that are neither on the board nor in a hand."""
    rest = 0
    for kind in HAND_KINDS:
        missing = FULL_SET[kind] - count_in_all(kind, cells, hands)
        rest += max(missing, 0) * ONE_IN_HAND[kind]
    return rest


def won_by(reason: str, winner: Seat | None) -> Outcome:
    """Return the outcome with that winner, or a draw."""
    return Outcome(frozenset() if winner is None else frozenset({winner}), reason)


EndingWords: TypeAlias = Mapping[str, tuple[str, int]]
"""By word: the reason of an outcome, and 1 if the side to move wins, -1 if it loses, 0 for a draw.
"""


def ending_words(
    losses: Mapping[str, str], wins: Mapping[str, str], draws: Mapping[str, str]
) -> EndingWords:
    """Return the words by which the side to move loses, wins or draws, from a text by reason."""
    return {
        word: (reason, sign)
        for sign, table in ((-1, losses), (1, wins), (0, draws))
        for reason, words in table.items()
        for word in words.split()
    }


def outcome_of(meanings: EndingWords, word: str, turn: Seat) -> Outcome | None:
    """Return the outcome of a word when it is that seat's turn, None if the word is unknown."""
    if word not in meanings:
        return None
    reason, sign = meanings[word]
    return won_by(reason, {1: turn, -1: 1 - turn}.get(sign))


def header_value(key: str, value: str) -> str:
    """Return the value of a header; ShogiRecordError unless it is one trimmed line."""
    if trimmed(value) != value or len(split(key + value)) > 1:
        raise ShogiRecordError(
            f"header {shown(key)}: {shown(value)} is not one line without blanks at its ends"
        )
    return value


_ENCODINGS: Final = (
    ("utf-8", rb"[\x00-\xff]*"),
    ("euc_jp", rb"(?:[\x00-\x7f]|[\xa1-\xa8\xb0-\xcf][\xa1-\xfe])*"),
    ("cp932", rb"[\x00-\x7f\xa1-\xdf]*"),
    ("euc_jp", rb"[\x00-\xff]*"),
    ("cp932", rb"[\x00-\xff]*"),
)
"""The encodings in the order of trials, each with a pattern for the bytes. Kanji of one are hardly
ever valid in an earlier one; half-width kana may be, but only as rare kanji.
"""


def decode(data: str | bytes) -> str:
    """Return bytes as text: UTF-8 if valid, else EUC-JP or Shift-JIS.

    A few wrong bytes, as in a name cut inside a character, become U+FFFD. ShogiRecordError if no
    encoding fits or the text is too long.
    """
    if len(data) > LONGEST_TEXT:
        raise ShogiRecordError(f"line 1: the text is longer than {LONGEST_TEXT} signs")
    text = (data if isinstance(data, str) else _decoded(data)).removeprefix("\ufeff")
    if text.count("\n") + text.count("\r") > 2 * MOST_LINES:
        raise ShogiRecordError(f"line {MOST_LINES}: the text has more lines")
    return text


def _decoded(data: bytes) -> str:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace")
    for encoding, pattern in _ENCODINGS:
        if re.fullmatch(pattern, data):
            try:
                return data.decode(encoding)
            except UnicodeDecodeError:
                continue
    texts = [data.decode(encoding, "replace") for encoding, _ in _ENCODINGS]
    best = min(texts, key=lambda text: text.count("\ufffd"))
    if 20 * best.count("\ufffd") > len(best):
        raise ShogiRecordError("line 1: neither UTF-8 nor Shift-JIS nor EUC-JP")
    return best
