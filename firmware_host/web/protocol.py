"""The messages between a page and the board, over one WebSocket.

From the page: one JSON object a message. Its `type` is the name of a class below in lower case,
without `Command`. To the page: JSON objects `board` (what stays the same during a match), `state`
(what changes), `refused` and `answer`, and binary frames. docs/page.md lists the fields.

A frame of light is a byte 1, the revision of the board's status (4 bytes, big-endian), then red,
green and blue of every pixel as the strip received them. A page that asked for reduced motion gets
the pixels as if nothing in the lights moved.

A heartbeat is a byte 2 and the board's clock in whole seconds (4 bytes, big-endian). The first one
comes at once, the next every few seconds. A page that hears nothing for long knows that the board
is gone, even if nobody closed the connection; it drops the connection and opens another. A command
repeats the last heartbeat in `heartbeat`. If that is old when the board reads the command, the
command was delayed, or the page had lost the board; it is refused, because nobody expects it any
more. A page sends nothing before the first heartbeat of a connection. The board in turn pings its
pages, as WebSockets do, and puts back what a page held when the page is gone.

A command names the revision that it is based on: `rev` of the status for a question, a button or a
claim, `rev` of the table for a piece. If its subject has changed since, it is refused with the
reason. `n` is the page's own number for the command; it comes back with the answer.
"""

from __future__ import annotations

from typing import Annotated, Final, TypeAlias

import msgspec

from firmware_host.players.help_levels import MOST_HELP

PROTOCOL: Final = 2
"""The version of these messages. The first message of a connection carries it; a page that speaks
another version reloads itself (`PROTOCOL` in wire.js).
"""

MAX_BYTES: Final = 4096
"""A longer message is refused and the connection closed: no page of ours sends one."""

Text = Annotated[str, msgspec.Meta(max_length=200)]
Number = Annotated[int, msgspec.Meta(ge=0, lt=2**53)]
Seats = Annotated[list[Text], msgspec.Meta(max_length=8)]
"""A text for each seat."""
SeatNumber = Annotated[int, msgspec.Meta(ge=0, le=7)]


class Command(
    msgspec.Struct,
    tag_field="type",
    tag=lambda name: name.removesuffix("Command").lower(),
    forbid_unknown_fields=True,
    kw_only=True,
):
    """The fields of every command."""

    n: Number
    rev: Number
    heartbeat: Number | None = None
    """The clock of the last heartbeat; a command without it is never too late."""


class LiftCommand(Command):
    """Take a piece into this page's hand."""

    piece: Number


class PutCommand(Command):
    """Put the piece in this page's hand on a place of the board, or into the box (`box`)."""

    piece: Number
    place: Text


class BackCommand(Command):
    """Put the piece in this page's hand back where it was taken from."""

    piece: Number


class FlipCommand(Command):
    """Turn a piece over, so that its other face is up."""

    piece: Number


class TurnCommand(Command):
    """Turn a piece round, so that it points from the next seat's side."""

    piece: Number


class PressCommand(Command):
    """Press a button of the board: `yes`, `no`, `hint`, `back`, `wrong`, or the name of a seat for
    its button, which settles at once what hands have finished. Where simulated hands make the
    machine's moves, `back` with `to_own_turn` takes back the last move of a person and what
    machines have played since, and hands bring the pieces.
    """

    button: Text
    to_own_turn: bool = False


class ChooseCommand(Command):
    """Answer the open question with a move."""

    move: Text


class ReportCommand(Command):
    """Report that a move was played, without being asked: not every sensor feels it."""

    move: Text


class ClaimCommand(Command):
    """Make a claim, which is not a move: `resign` …"""

    seat: SeatNumber
    claim: Text


class ThrowCommand(Command):
    """Throw the dice, or report how real ones fell. A `correction` replaces the last throw, which
    was reported wrongly.
    """

    dice: Annotated[list[Annotated[int, msgspec.Meta(ge=0, le=99)]], msgspec.Meta(max_length=8)] = (
        msgspec.field(default_factory=list)
    )
    correction: bool = False


class AssistCommand(Command):
    """Choose how much the lights help a seat."""

    seat: SeatNumber
    level: Annotated[int, msgspec.Meta(ge=0, le=MOST_HELP)]


class PlayerCommand(Command):
    """Name the player of a seat; an empty name means the seat's own."""

    seat: SeatNumber
    name: Text


class SeatCommand(Command):
    """Choose who plays at a seat: `person`, `level:plans`, `usi:/usr/games/…`."""

    seat: SeatNumber
    player_kind: Text


class GradingCommand(Command):
    """Grade the moves of at most this number of lifted pieces a turn for a seat; 0 means all."""

    seat: SeatNumber
    pieces: Annotated[int, msgspec.Meta(ge=0, le=6)]


class HandsCommand(Command):
    """Let simulated hands make the machine's moves, or leave them to people."""

    on: bool


class MatchCommand(Command):
    """Begin a new match of the same game. With `swap` everybody moves on to the next seat."""

    swap: bool = False


class ClockCommand(Command):
    """Choose the time control, before anything is played: `none`, `10m`, `5m+3s`, `10m+30s*3`,
    `30s/move`. It stays for the next matches.
    """

    control: Text


class PauseCommand(Command):
    """Pause the clock of the match, or let it go on."""

    on: bool


class GameCommand(Command):
    """Begin another game, or the same one with other options or on another board. Everybody keeps
    their seat and their name, and the clock stays, unless they are given, too. Either all of it is
    done, or it is refused and nothing changes.
    """

    game: Text
    layout: Text
    options: dict[Text, Text]
    names: Seats | None = None
    """The names of the players, as in `player`."""
    player_kinds: Seats | None = None
    """The player kind of each seat, as in `seat`."""
    clock: Text | None = None
    """The time control, as in `clock`."""


class ResumeCommand(Command):
    """Resume a past match, by the id or the name that the board gave it."""

    match: Text


class ContinueCommand(Command):
    """Begin a match of its own that goes on from a past match after move number `ply`, or with
    `thrown` after the throw that followed it.
    """

    match: Text
    ply: Annotated[int, msgspec.Meta(ge=0, le=100_000)]
    thrown: bool = False


class ReviewCommand(Command):
    """Show a past match on the board after step `at`, at first after its last one; or step through
    the one that is shown. An empty match goes back to the match in play.
    """

    match: Text
    at: Annotated[int, msgspec.Meta(ge=0, le=100_000)] | None = None


class DeleteCommand(Command):
    """Delete a past match; it can be restored."""

    match: Text


class RestoreCommand(Command):
    """Restore a match that was deleted."""

    match: Text


class LessonCommand(Command):
    """Begin a lesson for a learner; an empty name of the lesson leaves the lessons and resumes the
    match that was in play.
    """

    lesson: Text
    learner: Text = ""


class PlayCommand(Command):
    """Let simulated hands make a move, given in the game's notation."""

    move: Text


class RequestCommand(Command):
    """Ask people at the board to make a move, given in the game's notation: it is lit until hands
    have made it. An empty one withdraws the request.
    """

    move: Text


class SetupCommand(Command):
    """Let simulated hands put every piece where the rules say it stands."""


class FaultCommand(Command):
    """Break or repair a part of the simulated hardware."""

    fault: Text
    place: Text = ""
    chip: Annotated[int, msgspec.Meta(ge=0, le=127)] = 0
    count: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 0


class LightCommand(Command):
    """Light a place of the board for a moment, to see which light it is."""

    place: Text


class OffCommand(Command):
    """Switch off the computer of the board. Its match is kept."""


class MotionCommand(Command):
    """Reduce motion: send this page lights in which nothing moves, or those of the strip."""

    reduced: bool


class LanguageCommand(Command):
    """Speak another language on this page."""

    language: Text


AnyCommand: TypeAlias = (
    LiftCommand
    | PutCommand
    | BackCommand
    | FlipCommand
    | TurnCommand
    | PressCommand
    | ChooseCommand
    | ReportCommand
    | ClaimCommand
    | ThrowCommand
    | AssistCommand
    | PlayerCommand
    | SeatCommand
    | GradingCommand
    | HandsCommand
    | MatchCommand
    | ClockCommand
    | PauseCommand
    | GameCommand
    | ResumeCommand
    | ContinueCommand
    | ReviewCommand
    | DeleteCommand
    | RestoreCommand
    | LessonCommand
    | PlayCommand
    | RequestCommand
    | SetupCommand
    | FaultCommand
    | LightCommand
    | OffCommand
    | MotionCommand
    | LanguageCommand
)

decode: Final = msgspec.json.Decoder(AnyCommand).decode
"""Decode a message into a command; msgspec.ValidationError or DecodeError says what is wrong."""
