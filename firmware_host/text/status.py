"""The status of a session: plain data for the page, the terminal and other readers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from engine.game import Outcome, Place, Seat
from engine.reading.fewest_moves import Movement
from firmware_host.i18n.messages import Message
from firmware_host.lights.advice import OpponentsStatus
from firmware_host.lights.signals import Light
from firmware_host.session.shown_clock import ShownClock
from firmware_host.text.storage_status import SavedMatch

NO_MOVES: Final = ("back", "play")
"""Answers that are no moves: the last move was taken back, or was played. They have buttons."""
UNSAID: Final = Message("")


@dataclass(frozen=True, slots=True)
class Brief:
    """A move in two words and a picture, such as `takes C3`."""

    words: Message
    kind: str
    """The kind of the piece that moves, after the move; empty if none does."""
    owner: Seat | None
    start: Place | None
    """Where it came from; None if that was no cell."""
    end: Place | None
    takes: bool = False
    """Whether something was taken there."""


@dataclass(frozen=True, slots=True)
class Ply:
    """A line of the move list."""

    number: int
    """1 for the first ply of the match; throws have none of their own."""
    seat: Seat
    text: str
    """The move; `?` while a question about it is open."""
    dice: tuple[int, ...] = ()
    """The throw before it."""
    provisional: bool = False
    """It may still be revised or retracted by the hand that made it."""
    candidates: tuple[str, ...] = ()
    """The moves it may be, while that is asked."""
    words: Message | None = None
    """The move in words; None for a claim, and while it is asked which move it was."""
    unsafe: bool = False
    """It is not on the disk, because the disk cannot be written."""
    brief: Brief | None = None
    """The move in brief; None for a claim."""


@dataclass(frozen=True, slots=True)
class OfferedMove:
    """A possible answer to the open question."""

    move: str
    """The text of a move, or one of NO_MOVES."""
    place: Place | None
    """The lit place that chooses it when its piece is lifted and put back, if there is one."""
    button: str | None
    """`yes` or `no`, where a button chooses it."""
    words: Message | None = None
    """The move in words; None if it is no move."""
    brief: Brief | None = None


@dataclass(frozen=True, slots=True)
class LessonNow:
    """The lesson that is played."""

    name: str
    title: Message
    task: Message
    """The task."""
    number: int
    """1 for the first one of its game."""
    count: int
    """The number of lessons of its game and course."""
    course: str
    """`lesson`, `puzzle` or `endgame`."""
    seat: int
    """The seat of the learner."""
    stage: str
    """`task`, `reply` (the other side is to move), `wrong` or `done`."""
    reply: str
    """A move that the other side may make, at that stage."""
    after: str
    """The name of the next lesson of the game; empty after the last one."""


@dataclass(frozen=True, slots=True)
class PiecesInPlace:
    """The pieces of one kind and owner while the board is set up."""

    kind: str
    owner: Seat | None
    count: int
    """How many belong on the cells."""
    in_place: int
    """How many stand there."""


@dataclass(frozen=True, slots=True)
class ReviewNow:
    """The past match that the board shows."""

    match: str
    """Its id in the library."""
    at: int
    """The step that is shown: 0 the start, then the number of the move or claim."""
    last: int
    """The last step."""
    goes_on: bool
    """Whether a new match can begin from there."""


@dataclass(frozen=True, slots=True)
class Status:
    """Everything a reader may show; a new value whenever something changed."""

    rev: int
    """Grows with every change."""
    game: str
    options: Mapping[str, str]
    seats: tuple[str, ...]
    turn: Seat
    """The seat to act, or CHANCE (-1) before a throw."""
    dice: tuple[int, ...]
    """The dice that were thrown and not played yet."""
    says: tuple[Message, ...]
    """The sentences for people, the most urgent first."""
    plies: tuple[Ply, ...]
    acting: Seat = 0
    """The seat to act; where the dice are awaited, the seat that throws them."""
    turn_line: Message = UNSAID
    """Whose turn it is, or what hands must do first, in a few words."""
    next_step: tuple[Message, ...] = ()
    """What hands should do next, in one or two sentences that quote the signs of the lights."""
    last_throw: tuple[int, ...] = ()
    """The last throw, until something is played with it; also if no piece may move."""
    corrections: tuple[tuple[int, ...], ...] = ()
    """The throws that it can be corrected to."""
    question: tuple[OfferedMove, ...] = ()
    request: str = ""
    """The move that a player has requested, until hands have made it; empty without one."""
    asked: int | None = None
    """The index in the record of the entry that the question is about."""
    unsensed_moves: tuple[OfferedMove, ...] = ()
    """The legal moves that no sensor shows: people have to report them."""
    to_fill: tuple[Place, ...] = ()
    """Places that must be filled to put the board right."""
    to_empty: tuple[Place, ...] = ()
    """Places that must be emptied."""
    repair_plan: tuple[Movement, ...] = ()
    """The fewest hand movements that put the board right, in their order."""
    set_up: tuple[PiecesInPlace, ...] = ()
    """The pieces by kind and owner while the board is set up."""
    pieces: Mapping[Place, str] = field(default_factory=dict)
    """The pieces by the rules: `A P`, the owner's seat and the kind (only the kind if it has no
    owner), with ` ×n` on trays."""
    lights: Mapping[Place, Light] = field(default_factory=dict)
    """The lights, for symbols beside the colours."""
    claims: Mapping[Seat, Mapping[str, Message]] = field(default_factory=dict)
    """The claims of each seat, each with a sentence that says what it does."""
    buttons: Mapping[str, Message] = field(default_factory=dict)
    """By useful button: what it does now."""
    faults: tuple[Message, ...] = ()
    past_faults: tuple[Message, ...] = ()
    """Past faults with their times, the latest first."""
    masked: tuple[Place, ...] = ()
    """Places whose sensors are ignored now."""
    assist: tuple[int, ...] = ()
    """The level of each seat, 0 to 4."""
    points: tuple[int, ...] = ()
    """By seat, where the game counts them."""
    clock: ShownClock | None = None
    """The clock of the match, or one beside the board."""
    saved_matches: tuple[SavedMatch, ...] = ()
    """The saved matches from which people are asked to choose one to resume."""
    outcome: Outcome | None = None
    match_rev: int = 0
    """The revision with which this match began; earlier ones are of another match."""
    opponents: OpponentsStatus | None = None
    """The players of the seats; None if only people play."""
    players: tuple[str, ...] = ()
    """The names that players gave themselves, by seat; empty if a player gave none."""
    lesson: LessonNow | None = None
    """The lesson that is played, if one is."""
    review: ReviewNow | None = None
    """The past match that the board shows, if it shows one."""
