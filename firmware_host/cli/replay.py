"""Replaying a recording through the same session that a board feeds, on the recording's time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from engine.match import Match
from firmware_host.i18n.messages import render
from firmware_host.session.events import Tick
from firmware_host.session.live_match import plain_outcome
from firmware_host.session.outbox import Note
from firmware_host.session.record import PASS_TEXT
from firmware_host.session.session import Session
from firmware_host.storage.recording import Recording
from firmware_host.text.moves import words_of

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
PLAIN = ("seat", "move", "outcome")
"""What people know by itself: its name is not written beside it."""
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
    game, view = session.game, session.view
    moves = [e for e in view.record if e.kind == "move"]
    return {
        "event": "end",
        "moves": [entry.texts[0] for entry in moves if not entry.open],
        "open": [text for entry in moves if entry.open for text in entry.candidates],
        "outcome": plain_outcome(game, view.outcome) if view.outcome else None,
        "position": game.position_text(view.match.position),
    }


def told(value: dict[str, Any], session: Session, as_json: bool) -> str:
    """Return the line that tells a note of a session, or its ending: a JSON object, or a row for
    people, with the move in words.
    """
    if as_json:
        return json.dumps(value, ensure_ascii=False)
    at = f"{value['t']:9.3f} s  " if "t" in value else " " * 13
    said = {key: each for key, each in value.items() if key not in ("t", "event")}
    if isinstance(said.get("seat"), int):
        said["seat"] = session.game.seats[said["seat"]]
    if (outcome := said.get("outcome")) is not None:
        said["outcome"] = [outcome["reason"], *(f"{name} won" for name in outcome["winners"])]
    words = " ".join(
        ("" if name in PLAIN else f"{name} ")
        + (" ".join(map(str, each)) if isinstance(each, list) else str(each))
        for name, each in said.items()
        if each not in (None, [])
    )
    return f"{at}{value['event']:9} {words}{_in_words(session, said.get('move'))}"


def _in_words(session: Session, text: Any) -> str:
    """Return the last move of that text on the record in words, "" if there is none."""
    for entry in reversed(session.record):
        if entry.kind == "move" and text in entry.candidates and text != PASS_TEXT:
            return f": {render(words_of(entry.steps[entry.candidates.index(text)]))}"
    return ""
