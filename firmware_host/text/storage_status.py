"""How well the match is kept: what is safe, what is not and why, and which matches there are."""

from __future__ import annotations

from dataclasses import dataclass

from firmware_host.i18n.messages import Message


@dataclass(frozen=True, slots=True)
class SavedMatch:
    """A match in the state directory that may be gone on with."""

    name: str
    """The name of its file."""
    title: str
    """What its game is called."""
    played: str
    """When it was last played: `2026-05-01 20:15`, in local time."""
    plies: int
    """How many moves stand."""


@dataclass(frozen=True, slots=True)
class StorageStatus:
    """What is told of the files of a match."""

    safe: int | None = None
    """So many entries of the record are on the disk; None: all, and nothing waits to be written."""
    faults: tuple[Message, ...] = ()
    """Why what is played is not safe, or will not be soon."""
    notices: tuple[Message, ...] = ()
    """What else people should know: a recording that ends, a match that was damaged."""
    asks: Message | None = None
    """What people are asked: with which match to go on."""
    kept: tuple[SavedMatch, ...] = ()
    """Those they may go on with, if they are asked."""
