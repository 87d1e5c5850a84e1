"""`lampion review`: a look back at a match, with the turning points and the better moves."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from engine.match import Match
from engine.notation import standard
from engine.notation.lines import LONGEST_TEXT
from engine.search.turning_points import JudgedPly, choices, turning_points
from firmware_host.cli import replay
from firmware_host.cli.arguments import above_0, language_of
from firmware_host.console.terminal import print_error, print_line
from firmware_host.i18n.messages import Message, render, say, sentence
from firmware_host.opponents.look_back import LookBacks
from firmware_host.players.kinds import people, seated_called
from firmware_host.storage import recording as recordings
from firmware_host.storage.game_records import kept_players, notes_on, settled
from firmware_host.storage.journal import JournalError, Players, resume
from firmware_host.storage.match_files import MATCH
from firmware_host.storage.paths import state_directory
from firmware_host.text.look_back import better_messages, good_moves_messages, is_judging_message
from firmware_host.text.moves import with_notation, words_of
from firmware_host.text.outcomes import ending_message
from hardware import regular_file

USUAL_S: Final = 120.0
"""The search takes at most this long, unless another time is given."""
REPORT_S: Final = 2.0
"""The time between two reports of how far the search is."""
HEAD_BYTES: Final = 4096
JOURNAL_SUFFIX: Final = ".jsonl"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `lampion review`."""
    parser.add_argument(
        "file",
        nargs="?",
        metavar="FILE",
        help="a journal, a recording or a record of another program; default: the last match",
    )
    parser.add_argument(
        "--from",
        dest="form",
        metavar="F",
        help="kif, csa, usi, aba-pro or text; default: what the name of the file says",
    )
    parser.add_argument(
        "--time",
        type=above_0,
        default=USUAL_S,
        metavar="S",
        help=f"search for at most this many seconds; default {USUAL_S:g}",
    )
    parser.add_argument("--language", metavar="CODE", help="en, pl, cs or fr; else the system's")
    parser.add_argument("--state", metavar="DIR", help="where matches are kept")


class ReadMatch(NamedTuple):
    """A match that was read from a file."""

    match: Match
    players: Players
    notes: list[str]
    """Notes on the file, a line each."""

    def called(self, seat: int) -> Message:
        """Return what the player of a seat is called."""
        return seated_called(self.match.game, self.players, seat)


def run(arguments: argparse.Namespace) -> int:
    """Print the turning points of a match; progress and warnings go to standard error."""
    language = language_of(arguments.language)
    state = state_directory(arguments.state)
    played = _read(state, arguments.file, arguments.form)
    for note in played.notes:
        print_error(note)
    plies = asyncio.run(_judged(state, played.match, arguments.time, language))
    for line in lines(played, plies):
        print_line(sentence(line, language))
    return 0


def lines(played: ReadMatch, plies: list[JudgedPly]) -> Iterator[Message]:
    """Yield the lines about a match: how it ended, the good moves of each player, and three lines
    for each turning point.
    """
    match, game = played.match, played.match.game
    if match.outcome is not None:
        yield ending_message(game, match.outcome, played.called)
    yield from good_moves_messages(match, plies, played.called)
    seats = people(player.kind for player in played.players) or None
    turning = turning_points(match, plies, seats)
    if not turning and len(plies) == len(choices(match)):
        yield say("No single move decided this match.")
    for ply in turning:
        step = match.steps()[ply.number]
        assert step.before is not None  # a move was played
        position, name = step.before.position, played.called(step.seat)
        move = with_notation(words_of(step), step.text)
        yield say("")
        yield say("Move {n}, {name}: {move}", n=step.plies, name=name, move=move)
        yield from better_messages(game, position, ply)


async def _judged(state: Path, match: Match, seconds: float, language: str) -> list[JudgedPly]:
    """Return the judgements of a match, as many as come in that time; ValueError if there are
    none though moves were played.
    """
    plies: list[JudgedPly] = []
    expected, reported = len(choices(match)), time.monotonic()
    look_backs = LookBacks(state)
    try:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                async with contextlib.aclosing(look_backs.follow(match)) as found:
                    async for ply in found:
                        plies.append(ply)
                        if time.monotonic() >= reported + REPORT_S and len(plies) < expected:
                            reported = time.monotonic()
                            print_error(render(is_judging_message(len(plies), expected), language))
    finally:
        await look_backs.close()
    if expected and not plies:
        raise ValueError("no move could be judged: give the search more time with --time S")
    if len(plies) < expected:
        print_error(f"only the first {len(plies)} of {expected} moves are judged: --time S")
    return plies


def _read(state: Path, name: str | None, form: str | None) -> ReadMatch:
    """Return the match in a file of that name, kept in `state` or anywhere; the last one if there
    is no name. JournalError, RecordingError, GameError or OSError say in one line what is wrong.
    """
    path = state / (name or MATCH)
    if name is not None and not path.exists():
        path = Path(name)
    form = form or standard.ENDINGS.get(path.suffix.lower())
    if form is not None:
        return _read_record(path, form)
    if path.exists():
        first = regular_file.head(path, HEAD_BYTES)[0].partition(b"\n")[0]
        if b'"recording"' in first:
            return _read_recording(path)
        if b'"lampion"' not in first and path.suffix != JOURNAL_SUFFIX:
            raise _unknown(path)
    saved = resume(path)
    if saved is None:
        raise JournalError(f"{path}: there is no such match")
    match = settled(saved.matches[0], saved.record)
    return ReadMatch(match, saved.players, notes_on(path, saved, match))


def _unknown(path: Path) -> ValueError:
    return ValueError(f"{path}: say what it is with --from: {', '.join(standard.READ)}")


def _read_record(path: Path, form: str) -> ReadMatch:
    """Return the match in a record of another program."""
    if form not in standard.READ:
        raise _unknown(path)
    try:
        found = standard.read(regular_file.read(path, LONGEST_TEXT), form)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    players = kept_players(found.match.game, found.players)
    return ReadMatch(found.match, players, [f"{path}: {note}" for note in found.notes])


def _read_recording(path: Path) -> ReadMatch:
    """Return the match that is played in a recording."""
    recording = recordings.read(path)
    session = replay.begin(recording)
    for _ in replay.replay(recording, session):
        pass
    view = session.view
    notes = [f"{path}: the last line broke off and is left out"] if recording.torn else []
    return ReadMatch(settled(view.match, view.record), (), notes)
