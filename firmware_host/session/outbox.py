"""Notes of what happened at a board, and the time of the session."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Note:
    """Something that happened, for the recording's reader, the page and the journal."""

    at: float
    event: str
    details: dict[str, Any]

    def plain(self) -> dict[str, Any]:
        """Return it as one JSON object."""
        return {"t": round(self.at, 3), "event": self.event, **self.details}


class Outbox:
    """The notes that have not been fetched yet. `now` is the time of the next note, in seconds; the
    session sets it.
    """

    def __init__(self) -> None:
        self.now = 0.0
        self._notes: list[Note] = []

    def add(self, event: str, **details: Any) -> None:
        """Add a note of an event now."""
        self._notes.append(Note(self.now, event, details))

    def fetch(self) -> list[Note]:
        """Return the notes since the last call."""
        notes, self._notes = self._notes, []
        return notes
