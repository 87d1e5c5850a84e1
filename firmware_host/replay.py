"""Replaying a recording through the same session that a board feeds, on the recording's time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from engine.match import Match
from firmware_host.sitting.events import Tick
from firmware_host.sitting.match_in_play import plain_outcome
from firmware_host.sitting.notes import Note
from firmware_host.sitting.session import Session
from firmware_host.store.recording import Recording

KINDS = frozenset(
    [
        "move",
        "revise",
        "retract",
        "takeback",
        "ask",
        "answer",
        "astray",
        "refused",
        "fault",
        "over",
        "end",
    ]
)
"""The kinds of events that other programs are told; throws and claims stand in the recording."""
LONGEST_WAIT = 60.0
"""Seconds that time runs on at most after the last line."""


def begin(recording: Recording) -> Session:
    """Return the session that a recording is fed to."""
    header = recording.header
    return Session(header.game, header.sight(), [Match.begin(header.game, header.position)])


def replay(recording: Recording, session: Session | None = None) -> Iterator[Note]:
    """Yield what happens, from the first line until nothing is pending any more."""
    session = begin(recording) if session is None else session
    for event in recording.events():
        yield from session.handle(event)
    end = session.now + LONGEST_WAIT
    while (due := session.deadline) is not None and due <= end:
        yield from session.handle(Tick(due))


def ending(session: Session) -> dict[str, Any]:
    """Return the replay's last line: what stands at the end."""
    game = session.game
    moves = [e for e in session.record if e.kind == "move"]
    return {
        "event": "end",
        "moves": [entry.texts[0] for entry in moves if not entry.open],
        "open": [text for entry in moves if entry.open for text in entry.candidates],
        "outcome": plain_outcome(game, session.outcome) if session.outcome else None,
        "position": game.position_text(session.match.position),
    }


def told(value: dict[str, Any], as_json: bool) -> str:
    """Return the line that tells a note or the ending: a JSON object, or a row for people."""
    if as_json:
        return json.dumps(value, ensure_ascii=False)
    at = f"{value.pop('t'):9.3f} s  " if "t" in value else " " * 13
    event = value.pop("event")
    words = " ".join(
        f"{name} {' '.join(map(str, each)) if isinstance(each, list) else each}"
        for name, each in value.items()
        if each not in (None, [])
    )
    return f"{at}{event:9} {words}"
