"""A record of Shogi, as KIF, CSA and USI know it, and what their readers and writers share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from engine.game import Claim, GameError, IllegalMoveError, Outcome, PositionError, Seat
from engine.games.shogi import Move, Position, Shogi


class RecordError(GameError):
    """A text that is no record; the message names the line."""


@dataclass(frozen=True)
class Record:
    """A game of Shogi as far as it is written down."""

    game: Shogi
    start: Position
    moves: tuple[Move | Claim, ...] = ()
    """The moves, and the claims that ended it. Other claims are in no notation: writers drop
    them."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """What else is known, in the order of the text: `sente`, `gote`, `event`, `site`, `start`,
    `end`, `opening`, `time` …; other keys are the notation's own."""
    outcome: Outcome | None = None
    """How it ended; None if it was broken off or goes on."""
    seconds: tuple[int, ...] = ()
    """How long each move on the board (claims left out) took, or nothing."""

    def positions(self) -> Iterator[Position]:
        """Yield the start and the position after each move and claim; IllegalMoveError if one of
        them cannot be played.
        """
        position = self.start
        yield position
        for move in self.moves:
            position = self.game.play(position, move)
            yield position

    def score(self) -> tuple[list[tuple[Position, Move]], Position, Outcome | None]:
        """Return each move with the position before it, the last position, and how it ended: by
        the rules if they say so, else as the record does.
        """
        positions = list(self.positions())
        played = [
            (position, move)
            for position, move in zip(positions, self.moves, strict=False)
            if isinstance(move, Move)
        ]
        if self.seconds and len(self.seconds) != len(played):
            raise RecordError(f"{len(self.seconds)} times for {len(played)} moves")
        ended = self.game.outcome(positions[-1], positions[:-1])
        return played, positions[-1], ended or self.outcome


class Transcript:
    """A record while it is being read, move by move."""

    def __init__(self, game: Shogi, start: Position) -> None:
        self.game = game
        self.start = start
        self.position = start
        self._earlier: list[Position] = []
        self._moves: list[Move | Claim] = []
        self.seconds: list[int] = []
        """One entry for each move, -1 where the text gives no time."""

    @property
    def last(self) -> Move | None:
        """The move before this point."""
        move = self._moves[-1] if self._moves else None
        return move if isinstance(move, Move) else None

    def play(self, move: Move, where: str) -> None:
        """Add a move; RecordError, naming `where`, if it is not legal."""
        try:
            position = self.game.play(self.position, move)
        except IllegalMoveError as error:
            raise RecordError(f"{where}: {error}") from error
        self._earlier.append(self.position)
        self.position = position
        self._moves.append(move)
        self.seconds.append(-1)

    def ended(self) -> Outcome | None:
        """Return how the moves alone ended the game, if they did."""
        return self.game.outcome(self.position, self._earlier)

    def record(self, headers: Mapping[str, str], said: Outcome | None) -> Record:
        """Return the record, which ended as the text said unless the moves say otherwise.

        Claims that make the game end so are added if its options allow them.
        """
        outcome = self.ended()
        moves = list(self._moves)
        if outcome is None and said is not None:
            claims = _claims(self.game, self.position, said)
            moves += claims
            outcome = said
            if claims:
                position = self.position
                for claim in claims:
                    position = self.game.play(position, claim)
                outcome = self.game.outcome(position, [*self._earlier, self.position])
        timed = any(spent >= 0 for spent in self.seconds)
        seconds = tuple(max(spent, 0) for spent in self.seconds) if timed else ()
        return Record(self.game, self.start, tuple(moves), headers, outcome, seconds)


def _claims(game: Shogi, position: Position, said: Outcome) -> list[Claim]:
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


def position_at(game: Shogi, position: Position, where: str) -> Position:
    """Return a position that was put together from a text, if it is one of the game; RecordError,
    naming `where`, if not.
    """
    try:
        return game.parse_position(game.position_text(position))
    except PositionError as error:
        raise RecordError(f"{where}: {error}") from error


def won_by(reason: str, winner: Seat | None) -> Outcome:
    """Return the outcome with that winner, or a draw."""
    return Outcome(frozenset() if winner is None else frozenset({winner}), reason)


def header_value(key: str, value: str) -> str:
    """Return a header's value if it is one trimmed line; RecordError if not."""
    if value.strip() != value or len(value.splitlines()) > 1:
        raise RecordError(f"header {key!r}: {value!r} is not one line without blanks at its ends")
    return value


def decode(data: str | bytes) -> str:
    """Return bytes as text: UTF-8 if they are that, else Shift-JIS; RecordError if neither."""
    if isinstance(data, str):
        return data.removeprefix("\ufeff")
    for encoding in ("utf-8-sig", "cp932"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise RecordError("line 1: neither UTF-8 nor Shift-JIS")
