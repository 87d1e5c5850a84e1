"""A record of Shogi, as KIF, CSA and USI know it, and what their readers and writers share."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final, TypeAlias

from engine.game import Claim, GameError, IllegalMoveError, Outcome, PositionError, Seat
from engine.games.shogi import Shogi, ShogiMove, ShogiPosition
from engine.games.shogi.pieces import FULL_SET, GOTE, HELD, ONE_IN_HAND, PROMOTED, TURNING, held
from engine.notation.lines import (
    LONGEST_TEXT,
    MOST_LINES,
    MOST_MOVES,
    ReadingNote,
    ReadingNotes,
    message,
    shown,
    split,
    trimmed,
)

Seconds: TypeAlias = int | Decimal
"""A time: whole seconds, or exactly what was written where that has a fraction."""


class ShogiRecordError(GameError):
    """A text that is no record; the message is one line, not too long, that names the line."""

    def __init__(self, text: str) -> None:
        super().__init__(message(text))


@dataclass(frozen=True)
class ShogiRecord:
    """A game of Shogi as far as it is written down."""

    game: Shogi
    start: ShogiPosition
    moves: tuple[ShogiMove | Claim, ...] = ()
    """The moves, and the claims that ended it. Other claims are in no notation: writers drop
    them."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """What else is known, in the order of the text: `sente`, `gote`, `event`, `site`, `start`,
    `end`, `opening`, `time` …; other keys are the notation's own."""
    outcome: Outcome | None = None
    """How it ended; None if it was broken off or goes on."""
    seconds: tuple[Seconds, ...] = ()
    """How long each move on the board (claims left out) took, or nothing."""
    notes: tuple[ReadingNote, ...] = field(default=(), compare=False)
    """What of the text that it was read from was passed over, or not taken as it stands: a bounded
    number of short lines, to show to whoever asked for the record."""

    def positions(self) -> Iterator[ShogiPosition]:
        """Yield the start and the position after each move and claim; IllegalMoveError if one of
        them cannot be played.
        """
        position = self.start
        yield position
        for move in self.moves:
            position = self.game.play(position, move)
            yield position

    def score(self) -> tuple[list[tuple[ShogiPosition, ShogiMove]], ShogiPosition, Outcome | None]:
        """Return each move with the position before it, the last position, and how it ended: by
        the rules if they say so, else as the record does.
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
    """A record while it is being read, move by move.

    A move that is not legal may be the last one, if the text says that the game was lost by it.
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
        """The move before this point."""
        return self._moves[-1] if self._moves else None

    @property
    def plies(self) -> int:
        """How many moves there were, an illegal one at the end included."""
        return len(self._moves) + (self._illegal is not None)

    @property
    def turn(self) -> Seat:
        """Whose turn it is as the text counts, an illegal move at the end included."""
        return self.position.turn if self._illegal is None else 1 - self.position.turn

    def play(self, move: ShogiMove, where: str) -> None:
        """Add a move that stands at `where`; RecordError if it comes after an illegal one."""
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

    def took(self, seconds: Seconds) -> None:
        """Say how long the last move took."""
        if self._moves and self._illegal is None:
            self._seconds[-1] = seconds

    def ended(self) -> Outcome | None:
        """Return how the moves alone ended the game, if they did."""
        return self.game.outcome(self.position, self._earlier)

    def lost_by_illegal_move(self) -> Outcome | None:
        """Return that whoever made the illegal move lost by it; None if there was none."""
        if self._illegal is None:
            return None
        return won_by("illegal-move", 1 - self.position.turn)

    def record(
        self, headers: Mapping[str, str], said: Outcome | None, notes: ReadingNotes
    ) -> ShogiRecord:
        """Return the record, which ended as the text said unless the moves say otherwise.

        Claims that make the game end so are added if its options allow them. RecordError if a move
        is illegal, but the text does not say that the game was lost by it.
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
                position = self.position
                for claim in claims:
                    position = self.game.play(position, claim)
                outcome = self.game.outcome(position, [*self._earlier, self.position])
        timed = any(spent is not None for spent in self._seconds)
        seconds = tuple(spent or 0 for spent in self._seconds) if timed else ()
        return ShogiRecord(
            self.game, self.start, tuple(moves), headers, outcome, seconds, notes.all()
        )


def _claims(game: Shogi, position: ShogiPosition, said: Outcome) -> list[Claim]:
    """Return the claims by which a game ends as said, or none if they are not possible."""
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
        for claim in wanted:
            position = game.play(position, claim)
    except IllegalMoveError:
        return []
    ended = game.outcome(position)
    return wanted if ended and ended.winners == said.winners else []


def position_at(game: Shogi, position: ShogiPosition, where: str) -> ShogiPosition:
    """Return a position that was put together from a text, if it is one of the game or of a
    problem; RecordError, naming `where`, if not.
    """
    return parse_position(game, game.position_text(position), where)


def parse_position(game: Shogi, text: str, where: str) -> ShogiPosition:
    """Return the position of a text in SFEN, as `position_at`."""
    try:
        return game.parse_problem(text)
    except PositionError as error:
        raise ShogiRecordError(f"{where}: {error}") from error


def the_rest(cells: bytes | bytearray, hands: Sequence[int]) -> int:
    """Return, as a hand, all pieces of a set that are neither on the board nor in a hand."""
    rest = 0
    for kind in HELD:
        faces = (kind, kind + PROMOTED) if kind in TURNING else (kind,)
        out = sum(cells.count(face + side) for face in faces for side in (0, GOTE))
        out += sum(held(hand, kind) for hand in hands)
        rest += max(FULL_SET[kind] - out, 0) * ONE_IN_HAND[kind]
    return rest


def won_by(reason: str, winner: Seat | None) -> Outcome:
    """Return the outcome with that winner, or a draw."""
    return Outcome(frozenset() if winner is None else frozenset({winner}), reason)


def header_value(key: str, value: str) -> str:
    """Return a header's value if it is one trimmed line; RecordError if not."""
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
"""In the order in which they are tried, with what bytes must be like to be tried. Kanji in one are
hardly ever right in one before it; narrow kana may be, but only as kanji that are rare.
"""


def decode(data: str | bytes) -> str:
    """Return bytes as text: UTF-8 if they are that, else EUC-JP or Shift-JIS; RecordError if they
    are none, or more than a record can be.

    Where a few bytes are wrong, as when a name was cut in the middle of a sign, U+FFFD stands.
    """
    if len(data) > LONGEST_TEXT:
        raise ShogiRecordError(f"line 1: the text is longer than {LONGEST_TEXT} signs")
    text = (data if isinstance(data, str) else _decoded(data)).removeprefix("\ufeff")
    if text.count("\n") + text.count("\r") > 2 * MOST_LINES:
        raise ShogiRecordError(f"line {MOST_LINES}: the text goes on after so many lines")
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
