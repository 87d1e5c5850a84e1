"""`lampion replay`: feeds a recording to a session as a board would, on the recording's time."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from typing import Any, Final

from engine.match import Match
from firmware_host.cli.arguments import above_0
from firmware_host.console.terminal import print_error, print_line
from firmware_host.i18n.messages import render
from firmware_host.session.events import Tick
from firmware_host.session.live_match import plain_outcome
from firmware_host.session.outbox import Note
from firmware_host.session.record import PASS_TEXT
from firmware_host.session.session import Session
from firmware_host.storage import recording as recordings
from firmware_host.storage.recording import Recording
from firmware_host.text.moves import words_of
from firmware_host.text.why_read import reasons

KINDS: Final = frozenset(
    {
        *("move", "revise", "retract", "takeback", "refused"),
        *("ask", "answer", "astray", "fault", "over", "end"),
    }
)
"""The kinds of events that `--json` prints; throws and claims are in the recording already."""
READINGS: Final = frozenset({"move", "revise", "retract", "takeback", "ask"})
"""The kinds of events that `--why` explains."""
PLAIN: Final = ("seat", "move", "outcome")
"""Values that a row for people shows without their names."""
LONGEST_WAIT_S: Final = 60.0
"""Replay goes on for at most this long after the last line, while the session has deadlines."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `lampion replay`."""
    parser.add_argument("file", metavar="FILE", help="the recording")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--json", action="store_true", help="one JSON object a line")
    how.add_argument(
        "--why", action="store_true", help="also what speaks against each reading and the next best"
    )
    parser.add_argument(
        "--speed",
        type=above_0,
        metavar="X",
        help="1 is as fast as it was played, 2 twice as fast; default: without a pause",
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the notes of the session, and the state of the match at the end."""
    recording = recordings.read(arguments.file)
    session = begin(recording)
    if recording.torn:
        print_error(f"{arguments.file}: the last line broke off and is left out")
    started = time.monotonic()
    for note in replay(recording, session):
        if arguments.json and note.event not in KINDS:
            continue
        if arguments.speed:
            time.sleep(max(0.0, note.at / arguments.speed - (time.monotonic() - started)))
        print_line(line(note.plain(), session, arguments.json), flush=bool(arguments.speed))
        if arguments.why and note.event in READINGS:
            for reason in reasons(session.compared()):
                print_line(f"{'':13}  {reason}")
    print_line(line(ending(session), session, arguments.json))
    return 0


def begin(recording: Recording) -> Session:
    """Return a session that the recording's events can be fed to."""
    header = recording.header
    return Session(header.game, header.sight(), [Match.begin(header.game, header.position)])


def replay(recording: Recording, session: Session | None = None) -> Iterator[Note]:
    """Yield the notes of the session, from the first line until no deadline is left. The session is
    in its state at the time of the note.
    """
    session = begin(recording) if session is None else session
    for event in recording.events():
        yield from _waited(session, event.at)
        yield from session.handle(event)
    yield from _waited(session, session.now + LONGEST_WAIT_S)


def _waited(session: Session, until: float) -> Iterator[Note]:
    """Let time pass from deadline to deadline, and yield what the session notes."""
    while (due := session.deadline) is not None and due <= until:
        yield from session.handle(Tick(due))


def ending(session: Session) -> dict[str, Any]:
    """Return what the replay's last line says: the match at its end."""
    game, view = session.game, session.view
    moves = [e for e in view.record if e.kind == "move"]
    return {
        "event": "end",
        "moves": [entry.texts[0] for entry in moves if not entry.open],
        "open": [text for entry in moves if entry.open for text in entry.candidates],
        "outcome": plain_outcome(game, view.outcome) if view.outcome else None,
        "position": game.position_text(view.match.position),
    }


def line(value: dict[str, Any], session: Session, as_json: bool) -> str:
    """Return a note or the ending as a line: a JSON object, or a row with the move in words."""
    if as_json:
        return json.dumps(value, ensure_ascii=False)
    time_text = f"{value['t']:9.3f} s  " if "t" in value else " " * 13
    shown = {key: each for key, each in value.items() if key not in ("t", "event")}
    if isinstance(shown.get("seat"), int):
        shown["seat"] = session.game.seats[shown["seat"]]
    if (outcome := shown.get("outcome")) is not None:
        shown["outcome"] = [outcome["reason"], *(f"{name} won" for name in outcome["winners"])]
    words = " ".join(
        ("" if name in PLAIN else f"{name} ")
        + (" ".join(map(str, each)) if isinstance(each, list) else str(each))
        for name, each in shown.items()
        if each not in (None, [])
    )
    return f"{time_text}{value['event']:9} {words}{_in_words(session, shown.get('move'))}"


def _in_words(session: Session, text: Any) -> str:
    """Return the record's last move with this text in words; "" if there is none."""
    for entry in reversed(session.record):
        if entry.kind == "move" and text in entry.candidates and text != PASS_TEXT:
            return f": {render(words_of(entry.steps[entry.candidates.index(text)]))}"
    return ""
