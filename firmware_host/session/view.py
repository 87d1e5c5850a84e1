"""The state of a session at a moment, as immutable values. Lights, texts, lessons, opponents and
pages read these and nothing else of a session.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.game import Outcome, Place, Reason, Seat, Throw
from engine.match import AnyGame, Match
from engine.reading.fewest_moves import Movement
from engine.reading.footprints import Reading, Sight
from engine.reading.history import History
from engine.reading.verdict import Verdict
from firmware_host.i18n.messages import Message
from firmware_host.session.pending_actions import PendingAction
from firmware_host.session.record import Record, RecordEntry


@dataclass(frozen=True, slots=True)
class QuestionView:
    """The open questions, and how to answer them."""

    numbered: tuple[tuple[int, RecordEntry], ...]
    """All open entries, each with its index in the record."""
    current: RecordEntry | None
    """The entry that is asked about now."""
    number: int | None
    """The index of that entry in the record."""
    lit: Mapping[str, Place]
    """By candidate: the lit place that chooses it, if there is one."""
    yes: str | None
    """The candidate that the button `yes` chooses."""
    no: str | None
    """The candidate that the button `no` chooses."""
    corrects: bool
    """Whether people are asked because they said that the record is wrong."""
    may_be_denied: bool
    """Whether the button `no` says that no move was made."""
    pressed: Place | None
    """The lit place that was lifted and put back once."""
    pressed_until: float
    """Until when that place waits for the second time."""

    @property
    def open(self) -> Record:
        """All open entries."""
        return tuple(entry for _, entry in self.numbered)

    def pressed_at(self, now: float) -> Place | None:
        """Return the lit place that still waits for the second time."""
        return self.pressed if now < self.pressed_until - 1e-9 else None


@dataclass(frozen=True, slots=True)
class RepairView:
    """The differences between board and match, and how to remove them."""

    settling: bool
    """Whether the board is being set up: moves are not read until it matches."""
    guiding: bool
    """Whether people are shown how to put the board right."""
    refusal: Reason | None
    """Why the rules forbid what a hand did."""
    plan: tuple[Movement, ...]
    """The fewest movements that put the board right, in their order, while it is `needed`."""
    fill: tuple[Place, ...]
    """The cells to fill or turn, while it is `needed`."""
    clear: tuple[Place, ...]
    """The cells to empty, while it is `needed`."""
    may_confirm: bool
    """Whether people may say that the board is right although sensors disagree."""

    @property
    def needed(self) -> bool:
        """Whether the board must be set up or put right before play goes on."""
        return self.settling or self.guiding


@dataclass(frozen=True, slots=True)
class DiceView:
    """The throws of the dice."""

    to_play: tuple[int, ...]
    """The dice that were thrown and not played yet."""
    last_throw: Throw | None
    """The last throw; None once a move was played with it."""
    corrections: tuple[Throw, ...]
    """The throws that people may put in place of the last one."""
    number: int
    """How many throws the match has had."""
    fell_at: Mapping[int, float]
    """When the dice fell, by the number of the throw, from 1."""


@dataclass(frozen=True, slots=True)
class SessionView:
    """A session at a moment, until it handles its next event."""

    game: AnyGame
    sight: Sight
    now: float
    assist: tuple[int, ...]
    """The help level of each seat, 0 to 4."""
    shown: tuple[History, ...]
    """The histories that are still possible, the likeliest first."""
    levels: Mapping[Place, Reading]
    """What the sensors read at rest."""
    record: Record
    """What those histories agree on."""
    read_at: float
    """When the record last changed."""
    played_at: tuple[float, ...]
    """When each entry of the record was played, which is before it was read."""
    provisional: int
    """How many moves at the end of the record may still be revised."""
    outcome: Outcome | None
    """How the match ended, if it has."""
    acting: Seat
    """The seat to act; before a throw, the seat that throws."""
    verdict: Verdict
    """The last verdict of the reader."""
    settled_since: float
    """When the places that the verdict explains came to rest."""
    is_at_rest: bool
    """Whether all sensors that are not masked are at rest."""
    thinking: bool
    """Whether a search for the meaning of the levels is running."""
    looks_back: bool
    """Whether moves that were made while the board was not read are still searched for."""
    question: QuestionView
    repair: RepairView
    dice: DiceView
    pending: tuple[PendingAction, ...]
    """What hands still have to do with the pieces of the last moves."""
    full_trays: frozenset[Place]
    """The trays that were full since they last changed, by the shortest history."""
    lifted_trays: frozenset[Place]
    """The trays touched since all pieces last rested where they belong."""
    touched: frozenset[Place]
    """Places touched since the record changed: trays, and cells from which a piece was lifted."""
    faults: tuple[Message, ...]
    """The faults that the hardware reports."""
    failing: frozenset[Place]
    """Places whose sensors stick or flicker."""
    masked: frozenset[Place]
    """Places whose sensors are ignored."""
    blind: frozenset[Place]
    """Places whose sensors do not answer."""
    unplaced: str
    """The move that people named last, if it is impossible."""
    withdrawn: RecordEntry | None
    """The move that was taken back because people said that it is wrong."""
    hint_step: int
    """How much of a hint people want: 0 nothing, 1 which piece, 2 where to, 3 why."""
    hint_ends: float
    """When the hint disappears."""

    @property
    def match(self) -> Match:
        """The match that is shown; while a question is open, the first of several."""
        return self.shown[0].match

    @property
    def may_start_another(self) -> bool:
        """Whether the button `yes` begins a new match."""
        return self.outcome is not None and not self.question.numbered

    @property
    def reported(self) -> tuple[PendingAction, ...]:
        """The pending actions to show: none while the board is set up or put right, none after the
        end, and none of a seat with help level 0.
        """
        if self.repair.needed or self.outcome is not None:
            return ()
        return tuple(each for each in self.pending if self.assist[each.seat])

    def hint_at(self, now: float) -> int:
        """Return how much of a hint is shown at a time."""
        return self.hint_step if now < self.hint_ends else 0
