"""What tests look at or do inside a session."""

from __future__ import annotations

from collections.abc import Iterable

from engine.game import Place
from engine.reading.mismatch import mismatch
from engine.reading.reader import Reader
from firmware_host.session.move_tracker import MoveTracker
from firmware_host.session.session import Session
from firmware_host.session.settle_times import Search


def tracker_of(session: Session) -> MoveTracker:
    """Return what follows the hands."""
    return session._tracker


def reader_of(session: Session) -> Reader:
    """Return what reads the sensors."""
    return session._tracker.live.reader


def wrong(session: Session) -> tuple[tuple[Place, ...], tuple[Place, ...]]:
    """Return the cells to fill or turn, and the cells to empty, to put the board right."""
    return mismatch(session.view.shown[0], session.view.levels)


def fail(session: Session, places: Iterable[Place]) -> None:
    """Let the sensors of these places be taken for stuck."""
    session._tracker.fail(places, "is stuck")


def follow_with(session: Session, search: Search) -> None:
    """Let another search follow the reader, before anything has happened."""
    session._tracker._search = search
