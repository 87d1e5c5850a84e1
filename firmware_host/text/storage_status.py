"""The storage of the match: what is safe, what is not and why, and the saved matches."""

from __future__ import annotations

from dataclasses import dataclass

from firmware_host.i18n.messages import Message


@dataclass(frozen=True, slots=True)
class SavedMatch:
    """A match in the state directory that can be resumed."""

    name: str
    """The name of its file."""
    title: str
    """The title of its game."""
    played: str
    """When it was last played: `2026-05-01 20:15`, in local time."""
    plies: int
    """The number of moves."""


@dataclass(frozen=True, slots=True)
class StorageStatus:
    """The state of the files of a match."""

    safe: int | None = None
    """The number of record entries on the disk; None if all are there."""
    faults: tuple[Message, ...] = ()
    """Why the match is not safe, or soon will not be."""
    notices: tuple[Message, ...] = ()
    """More for people to know: a recording that ends, a damaged match."""
    asks: Message | None = None
    """The question which match to resume."""
    saved_matches: tuple[SavedMatch, ...] = ()
    """The matches to choose from, if that is asked."""
