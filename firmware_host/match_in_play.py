"""A match in play: what is shown of it, the record that follows from that, and what is asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.footprints import Footprint, Line, Reading, Sight
from engine.game import (
    CHANCE,
    Claim,
    GameError,
    Outcome,
    Pass,
    Place,
    Seat,
    Threat,
    Throw,
)
from engine.match import AnyGame, Match
from engine.reading import Reader
from firmware_host.questions import Questions
from firmware_host.record import Consensus, Record, told


class MatchInPlay:
    """One match on a board. `matches` are several that went the same way but for moves that are
    still asked about; `levels` is what the sensors read now.
    """

    def __init__(
        self,
        matches: Sequence[Match],
        sight: Sight,
        masked: frozenset[Place],
        levels: dict[Place, Reading],
    ) -> None:
        first = Line.of(matches[0], sight, masked)
        self.reader = Reader(first)
        self.reader.levels = levels
        self.reader.begin([first, *(first.along(match) for match in matches[1:])])
        self._consensus = Consensus()
        self.record: Record = self._consensus.of(self.reader.shown)
        self.questions = Questions(self.reader, self.record)
        self.outcome = self._agreed_outcome()
        """How the match ended, if it has."""
        self._threats: tuple[Match, tuple[Threat, ...]] | None = None
        self._wins: tuple[Line, dict[Footprint, bool]] | None = None

    # ---- what is shown

    @property
    def match(self) -> Match:
        """The match as it is shown; the first of several while a question is open."""
        return self.reader.shown[0].match

    @property
    def provisional(self) -> int:
        """How many moves at the end of the record may still be revised."""
        return self.match.plies - self.reader.heads[0].match.plies

    @property
    def dice(self) -> tuple[int, ...]:
        """The throw that is being played."""
        line: Line | None = self.reader.shown[0]
        while line is not None and self.match.turn != CHANCE:
            if isinstance(line.match.move, Throw):
                return line.match.move.dice
            if line.footprint is not None:
                break  # a game with two dice plays both of one throw
            line = line.before
        return ()

    def next_to_throw(self) -> Seat:
        """Return the seat for which the dice are to fall."""
        match = self.match
        return (
            match.game.turn(match.game.play(match.position, match.legal[0])) if match.legal else 0
        )

    def threats(self) -> tuple[Threat, ...]:
        """Return what the seat to act should know of."""
        match = self.match
        if self._threats is None or self._threats[0] is not match:
            found = () if match.turn == CHANCE else match.game.threats(match.position)
            self._threats = (match, found)
        return self._threats[1]

    def wins(self, line: Line, move: Footprint) -> bool:
        """Whether a move ends the game for the seat that makes it."""
        if self._wins is None or self._wins[0] is not line:
            self._wins = (line, {})
        known = self._wins[1]
        if move not in known:
            game, match = line.match.game, line.match
            outcome = game.outcome(game.play(match.position, move.move))
            known[move] = outcome is not None and match.turn in outcome.winners
        return known[move]

    # ---- what people do beside the men

    def takes(self, throw: Throw) -> bool:
        """Whether dice that fall now may be this throw: one is awaited, or comes late."""
        lines = self.reader.shown
        waiting = [line for line in lines if line.match.turn == CHANCE and not line.match.outcome]
        return not waiting or any(throw in line.match.legal for line in waiting)

    @property
    def awaits_dice(self) -> bool:
        """Whether a throw comes next, in one of the lines at least."""
        return any(
            line.match.turn == CHANCE and not line.match.outcome for line in self.reader.shown
        )

    def passes(self) -> list[Line]:
        """Return the lines in which the seat to act may pass."""
        return [line for line in self.reader.shown if Pass() in line.match.legal]

    def claims(self, claim: Claim) -> list[Line]:
        """Return the lines after a claim; none if it cannot be made."""
        if self.outcome is not None:
            return []
        try:
            return [
                line.step(claim)
                for line in self.reader.shown
                if claim in line.match.game.claims(line.match.position, claim.seat)
            ]
        except GameError:
            return []

    # ---- what is told of it

    def publish(self, provisional: int, back: int, asked: bool) -> list[dict[str, Any]]:
        """Bring the record up to what the lines that are shown agree on; return what is told of
        that. Unless it is `asked` where they differ, only the likeliest of them is told.
        """
        lines = self.reader.shown
        record = self._consensus.of(lines)
        new = record if asked or len(lines) == 1 else self._consensus.of(lines[:1])
        news = list(told(self.record, new, provisional, back))
        self.record = new
        self.questions.follow(record, asked)
        outcome = self._agreed_outcome()
        if outcome != self.outcome:
            self.outcome = outcome
            if outcome is not None:
                ended = plain_outcome(self.match.game, outcome)
                news.append({"event": "over", "outcome": ended})
        return news

    def _agreed_outcome(self) -> Outcome | None:
        """Return how the match ended, if all lines agree that it did."""
        outcomes = {line.match.outcome for line in self.reader.shown}
        return outcomes.pop() if len(outcomes) == 1 else None


def plain_outcome(game: AnyGame, outcome: Outcome) -> dict[str, Any]:
    """Return an outcome as JSON values."""
    plain: dict[str, Any] = {
        "winners": [game.seats[seat] for seat in sorted(outcome.winners)],
        "reason": outcome.reason,
    }
    if outcome.points:
        plain["points"] = list(outcome.points)
    return plain
