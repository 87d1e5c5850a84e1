"""The types of the messages that a page or another reader gets, for the schema of the protocol.

`view.py` makes the messages as plain dictionaries; a test converts real ones strictly into these
types. `docs/api.schema.json` is made from them and from the commands.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import msgspec

from firmware_host.web.protocol import AnyCommand

SCHEMA: Final = "https://json-schema.org/draft/2020-12/schema"


class _Part(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A part of a message."""


class PieceLook(_Part):
    """How a piece looks."""

    face: str
    """The kind on its upper side."""
    owner: str
    """The name of the seat, or empty."""


class BriefMessage(_Part):
    """A move in brief."""

    brief: str
    """The move in two words."""
    start: str | None = msgspec.field(name="from")
    """The place of the board where it begins; null if there is none."""
    end: str | None = msgspec.field(name="to")
    takes: bool
    piece: PieceLook | None


class PlyMessage(BriefMessage):
    """A move or claim of the match."""

    number: int
    seat: int
    text: str
    """The move in the game's notation; `?` while people are asked."""
    sentence: str
    dice: list[int]
    provisional: bool
    """Whether the hand may still change it."""
    candidates: list[str]
    """The moves that it may be, while people are asked."""
    unsaved: bool


class AnswerChoice(BriefMessage):
    """A possible answer to the question."""

    move: str
    place: str | None
    """The lit place of the board that chooses it."""
    name: str | None
    """The same place as the game calls it."""
    button: str | None
    sentence: str


class RequestMessage(BriefMessage):
    """The move that hands are asked to make."""

    move: str
    sentence: str


class UnsensedMove(_Part):
    """A legal move that no sensor shows."""

    move: str
    sentence: str


class RepairStep(_Part):
    """A hand movement that puts the board right."""

    start: str | None = msgspec.field(name="from")
    end: str | None = msgspec.field(name="to")
    sentence: str


class SetUpPieces(_Part):
    """The pieces of one kind and owner while the board is set up."""

    face: str
    owner: str
    count: int
    in_place: int


class LitPlace(_Part):
    """The light of a place."""

    signal: str
    second_signal: str
    level: float
    role: str
    pattern: str
    grade: str


class OfferedClaim(_Part):
    """A claim that a seat may make."""

    seat: int
    claim: str
    label: str
    effect: str


class OpponentsMessage(_Part):
    """The players of the seats."""

    player_kinds: list[str]
    graded_pieces: list[int]
    hands_move: bool | None
    choices: dict[str, str]


class ClockMessage(_Part):
    """The clock of the match."""

    control: str
    seconds_left: list[float]
    periods_left: list[int] | None
    running: int | None
    paused: bool
    stopped: str
    short: list[int]
    flagged: list[int]
    beside: bool


class SavedMatchMessage(_Part):
    """A saved match that can be resumed."""

    name: str
    title: str
    played: str
    plies: int


class OutcomeMessage(_Part):
    """How the match ended."""

    result: str
    reason: str
    points: list[int] | None
    winners: list[int]


class LessonMessage(_Part):
    """The lesson that is played."""

    name: str
    title: str
    task: str
    number: int
    count: int
    course: str
    """`lesson`, `puzzle` or `endgame`: what the number counts."""
    seat: int
    """The seat of the learner."""
    stage: str
    reply: str
    next: str


class ReviewMessage(_Part):
    """The past match that the board shows."""

    match: str
    at: int
    last: int
    goes_on: bool


class PieceMessage(_Part):
    """A piece on the table."""

    id: int
    face: str
    """The kind on its upper side."""
    kind: str
    """The kind on its front."""
    back: str | None
    owner: str
    place: str
    start: str = msgspec.field(name="from")
    """The place where it was lifted."""
    held_by: str
    """The page whose hand holds it."""
    missing: bool = False
    """Whether the sensors of a real board do not feel it."""


class StateMessage(_Part, tag_field="type", tag="state"):
    """What may change at any moment."""

    rev: int
    """The revision of the status, which commands repeat."""
    table_rev: int
    """The revision of the pieces, which commands about pieces repeat."""
    page: str
    allowed: list[str]
    """The buttons that this reader may press now."""
    hands_moving: bool
    turn: int
    """The seat to act, or -1 before a throw."""
    acting: int
    dice: list[int]
    throws: list[list[int]]
    last_throw: list[int]
    corrections: list[list[int]]
    messages: list[str]
    urgent: list[str]
    turn_line: str
    next_step: list[str]
    plies: list[PlyMessage]
    question: list[AnswerChoice]
    request: RequestMessage | None
    unsensed_moves: list[UnsensedMove]
    to_fill: list[str]
    to_empty: list[str]
    repair_plan: list[RepairStep]
    set_up: list[SetUpPieces]
    lights: dict[str, LitPlace]
    claims: list[OfferedClaim]
    buttons: dict[str, str]
    faults: list[str]
    past_faults: list[str]
    injected_faults: list[str]
    masked: list[str]
    assist: list[int]
    player_names: list[str]
    opponents: OpponentsMessage | None
    points: list[int]
    seats_out: list[int]
    """The seats that have no more turns although the others play on."""
    clock: ClockMessage | None
    saved_matches: list[SavedMatchMessage]
    outcome: OutcomeMessage | None
    lesson: LessonMessage | None
    review: ReviewMessage | None
    pieces: list[PieceMessage]
    unknown_pieces: list[str]
    out_of_place: bool


class SeatMessage(_Part):
    """A seat of the game."""

    index: int
    name: str
    label: str
    facing: int
    light: str
    colour: str


class PlaceMessage(_Part):
    """A place of the board; lengths are in millimetres."""

    id: str
    kind: str
    x: float
    y: float
    name: str
    label: str
    in_game: bool
    caption: str
    expected_kind: str
    facing: int
    tone: str


class RoleMessage(_Part):
    """The role of the reader."""

    name: str
    seat: int | None
    text: str


class BoardMessage(_Part, tag_field="type", tag="board"):
    """What stays the same during a match."""

    protocol: int
    layout: str
    shape: str
    sensing: str
    pitch: float
    slot_size: tuple[float, float]
    places: list[PlaceMessage]
    leds: list[tuple[float, float, str]]
    """Of each LED its x, its y and the place that it belongs to."""
    game: str
    title: str
    rotation: int
    upright_pieces: bool
    has_drawings: bool
    seats: list[SeatMessage]
    kinds: dict[str, str]
    single_owner_kinds: list[str]
    options: dict[str, str]
    goal: int | None
    """The points that win at once, if the game has such a goal."""
    has_dice: bool
    is_handicap: bool
    role: RoleMessage
    simulated: bool
    chips: list[int]
    may_switch_off: bool
    """Whether the command `switch_off` can switch the board off."""
    language: str
    languages: dict[str, str]
    strings: dict[str, str | list[str]] | None = None
    """The sentences of the page's own files; not in an event stream."""
    refused: str = ""
    shared: bool = False


class AnswerMessage(_Part, tag_field="type", tag="answer"):
    """A command was done."""

    n: int


class RefusedMessage(_Part, tag_field="type", tag="refused"):
    """A command was refused, or something that it began could not be finished."""

    n: int | None
    reason: str


AnyMessage: TypeAlias = BoardMessage | StateMessage | AnswerMessage | RefusedMessage


def schema() -> dict[str, Any]:
    """Return the JSON Schema of all messages: `Message` to a reader, `Command` to the board."""
    (message, command), parts = msgspec.json.schema_components(
        (AnyMessage, AnyCommand), ref_template="#/$defs/{name}"
    )
    for part in parts.values():  # docstrings, whose line breaks depend on the version of Python
        if "description" in part:
            part["description"] = " ".join(part["description"].split())
    return {
        "$schema": SCHEMA,
        "title": "Messages of a Lampion board",
        "anyOf": [{"$ref": "#/$defs/Message"}, {"$ref": "#/$defs/Command"}],
        "$defs": {"Message": message, "Command": command} | parts,
    }
