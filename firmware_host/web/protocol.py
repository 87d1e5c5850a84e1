"""What travels between a page and the board, over one WebSocket.

From the page: one JSON object a message. Its `type` is the name of a class below in lower case,
without `Command`. To the page: JSON objects `board` (what does not change during a match), `state`
(what does), `refused` and `answer`, and binary frames. One of light is a byte 1, the revision of
the board's status (4 bytes, big-endian), then red, green and blue of every pixel as the strip
received them; to a page that wants still lights, as it would have received them if nothing in them
moved.

A beat is a byte 2 and the board's clock in whole seconds (4 bytes, big-endian). One comes at once
and then every few seconds: a page that hears nothing for long knows that the board is gone, though
nobody closed the connection; it drops that and opens another. A command repeats in `heard` what the
last beat said. If that is long ago when the board reads it, the command has waited on its way, or
was given to a page that heard nothing any more; it is refused, for nobody reckons with it by now.
Nothing is sent before the first beat, nor again after a connection was lost. The board in turn
pings its pages, as WebSockets do, and takes what a page held out of its hand when that is gone.

A command names the revision that it rests on: `rev` of the status for a question, a button or a
claim, `rev` of the table for a man. If what it speaks of is another now, it is refused with the
reason. `n` is the page's own number for the command; it comes back with the answer.
"""

from __future__ import annotations

from typing import Annotated, Final, TypeAlias

import msgspec

MAX_BYTES: Final = 4096
"""A longer message is refused and the connection closed: no page of ours sends one."""

Text = Annotated[str, msgspec.Meta(max_length=200)]
Number = Annotated[int, msgspec.Meta(ge=0, lt=2**53)]


class Command(
    msgspec.Struct,
    tag_field="type",
    tag=lambda name: name.removesuffix("Command").lower(),
    forbid_unknown_fields=True,
    kw_only=True,
):
    """What every command carries."""

    n: Number
    rev: Number
    heard: Number | None = None
    """The clock of the last beat; a program that leaves it out is never too late."""


class LiftCommand(Command):
    """Take a man into this page's hand."""

    man: Number


class PutCommand(Command):
    """Put the man in this page's hand down on a place of the board, or into the box (`box`)."""

    man: Number
    place: Text


class BackCommand(Command):
    """Put the man in this page's hand back to where it was taken from."""

    man: Number


class FlipCommand(Command):
    """Turn a man over, so that its other face is up."""

    man: Number


class TurnCommand(Command):
    """Turn a man round, so that it points from its next owner's side."""

    man: Number


class PressCommand(Command):
    """Press a button of the board: `yes`, `no`, `hint`, `back`, or a seat's by the seat's name:
    what hands have finished then counts at once.
    """

    button: Text


class ChooseCommand(Command):
    """Answer the open question by a move's text."""

    move: Text


class NameCommand(Command):
    """Say that a move was played, though it is not asked: not every sensor sees it."""

    move: Text


class ClaimCommand(Command):
    """Say something that is no move: `resign` …"""

    seat: Annotated[int, msgspec.Meta(ge=0, le=7)]
    claim: Text


class ThrowCommand(Command):
    """Throw the dice; with values: they fell so; `instead`: they did so when they fell last, and
    were told wrongly.
    """

    dice: Annotated[list[Annotated[int, msgspec.Meta(ge=0, le=99)]], msgspec.Meta(max_length=8)] = (
        msgspec.field(default_factory=list)
    )
    instead: bool = False


class AssistCommand(Command):
    """Choose how much the lights tell a seat."""

    seat: Annotated[int, msgspec.Meta(ge=0, le=7)]
    level: Annotated[int, msgspec.Meta(ge=0, le=3)]


class PlayerCommand(Command):
    """Call the player of a seat by a name; empty: as the seat is called."""

    seat: Annotated[int, msgspec.Meta(ge=0, le=7)]
    name: Text


class SeatCommand(Command):
    """Let somebody else play at a seat: `person`, `level:plans`, `usi:/usr/games/…`."""

    seat: Annotated[int, msgspec.Meta(ge=0, le=7)]
    who: Text


class GradedCommand(Command):
    """Grade the moves of so many lifted men a turn at most for a seat; 0: of all."""

    seat: Annotated[int, msgspec.Meta(ge=0, le=7)]
    most: Annotated[int, msgspec.Meta(ge=0, le=6)]


class HandsCommand(Command):
    """Let simulated hands make the machine's moves, or leave them to people."""

    on: bool


class MatchCommand(Command):
    """Begin a new match of the same game."""


class GameCommand(Command):
    """Begin another game, or the same with other options or on another board."""

    game: Text
    layout: Text
    options: dict[Text, Text]


class ResumeCommand(Command):
    """Go on with a kept match, by the name that the board gave it."""

    match: Text


class LessonCommand(Command):
    """Begin a lesson by its name; empty: leave the lessons, for the match that was in play."""

    lesson: Text


class PlayCommand(Command):
    """Let a pair of hands make a move, given in the game's notation."""

    move: Text


class SetupCommand(Command):
    """Let a pair of hands put every man to where the rules say it stands."""


class FaultCommand(Command):
    """Break or mend a part of the simulated hardware."""

    fault: Text
    place: Text = ""
    chip: Annotated[int, msgspec.Meta(ge=0, le=127)] = 0
    count: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 0


class CalmCommand(Command):
    """Show this page still lights, or those of the strip."""

    on: bool


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
    | NameCommand
    | ClaimCommand
    | ThrowCommand
    | AssistCommand
    | PlayerCommand
    | SeatCommand
    | GradedCommand
    | HandsCommand
    | MatchCommand
    | GameCommand
    | ResumeCommand
    | LessonCommand
    | PlayCommand
    | SetupCommand
    | FaultCommand
    | CalmCommand
    | LanguageCommand
)

decode: Final = msgspec.json.Decoder(AnyCommand).decode
"""Return a message as a command; msgspec.ValidationError or DecodeError says what is wrong."""
