"""Past matches for pages: the list, one match to look at, the scores of an evening."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, Final

import msgspec

from engine.game import Claim, GameError, Outcome, Seat, Throw
from engine.games import make
from engine.match import AnyGame, Match
from engine.notation import standard
from firmware_host.i18n.messages import Message, render, say, sentence
from firmware_host.players.kinds import (
    PlayerKind,
    kind_message,
    kind_written,
    name_message,
    seated_called,
    strength_message,
)
from firmware_host.session.record import throw_text
from firmware_host.simulation.virtual_table import BOX
from firmware_host.storage.game_records import settled
from firmware_host.storage.journal import Resumed
from firmware_host.storage.library import PastMatch
from firmware_host.text.claims import claim_label
from firmware_host.text.labels import value_message
from firmware_host.text.moves import words_of
from firmware_host.text.outcomes import reason_message, winner_message
from firmware_host.web.pieces import FollowingPieces, PieceMovement
from firmware_host.web.view import game_on_board
from hardware.layout import Layout

MOST_PLIES: Final = 2000
"""More plies of a match are not shown; no game of people is as long."""
RECORDS: Final = ("json", "journal")
"""The formats of every match, beside those of other programs."""

_encode: Final = msgspec.json.Encoder().encode


def listed(match: PastMatch, language: str) -> dict[str, Any]:
    """Return the row of a match in the list."""
    summary = match.summary
    common = {
        "id": match.id,
        "file": match.file,
        "game": summary.game,
        "date": datetime.fromtimestamp(match.played).astimezone().isoformat(timespec="seconds"),
        "in_play": match.in_play,
        "problem": _problem(match, language),
    }
    try:
        game = make(summary.game, summary.options)
    except GameError:  # the journal cannot be read
        return common | {
            "title": match.file,
            "names": [],
            "seats": [],
            "result": render(say("Cannot be read"), language),
            "outcome": None,
            "plies": 0,
            "unfinished": False,
            "origin": "",
            "origin_match": "",
            "pieces": [],
            "formats": ["journal"],
        }
    outcome = None if summary.ending is None else summary.ending.outcome
    return common | {
        "title": render(say(game.title), language),
        "names": [render(_full_name(match, game, seat), language) for seat in _seats(game)],
        "seats": [_seat(match, game, seat, language) for seat in _seats(game)],
        "result": _result(match, game, outcome, language),
        "outcome": None if outcome is None else _outcome(match, game, outcome, language),
        "plies": summary.plies,
        "unfinished": outcome is None,
        "origin": _origin(summary.origin, language),
        "origin_match": _origin_match(summary.origin),
        "pieces": summary.pieces,
        "formats": [*standard.formats(game), *RECORDS],
    }


def evening(matches: Iterable[PastMatch], language: str) -> list[dict[str, Any]]:
    """Return the number of wins of each player, the best first. People without a name and imported
    matches do not count.
    """
    wins: dict[str, int] = {}
    names: dict[str, str] = {}
    for match in matches:
        summary = match.summary
        if summary.ending is None or summary.origin.startswith("file "):
            continue
        for seat, (name, kind) in enumerate(summary.players):
            machine = kind_written(kind)
            if not name and machine.is_person:
                continue
            name = name or render(name_message(machine), language)
            key = name.casefold()
            names.setdefault(key, name)
            wins[key] = wins.get(key, 0) + (seat in summary.ending.winners)
    best = sorted(wins, key=lambda key: (-wins[key], key))
    return [{"name": names[key], "wins": wins[key]} for key in best]


# ---- one match to look at


def review(
    match: PastMatch, path: Path, boards: Iterable[Layout], language: str
) -> Iterator[bytes]:
    """Yield a match as JSON in chunks: what the list says, its board, and after each ply the pieces
    where they stand. It is drawn on the one of the `boards` on which it was played, else the first.
    JournalError if the journal cannot be read.
    """
    kept = Resumed(path)
    line = settled(kept.matches[0], kept.record).steps()
    game, start = kept.game, kept.matches[0].first.position
    known = list(boards)
    layout = next((board for board in known if board.name == kept.layout), known[0])
    pieces = FollowingPieces(game, layout)
    pieces.follow(start)
    head = listed(match, language) | {
        "options": [
            {
                "label": render(say(option.title), language),
                "value": render(value_message(option, game.options[option.name]), language),
            }
            for option in game.known_options
        ],
        "board": game_on_board(game, layout, language),
        "first": _standing(pieces),
        "points": game.points(start),
        "turn": game.turn(start),
    }
    yield _encode(head)[:-1] + b',"plies":['
    comma, dice, shown = b"", "", 0
    for index, step in enumerate(line):
        movements = pieces.follow(step.position)
        if isinstance(step.move, Throw):
            dice = throw_text(step.move)
            continue
        if shown == MOST_PLIES:
            break
        yield comma + _encode(_ply(step, index, dice, pieces, movements, language))
        comma, dice, shown = b",", "", shown + 1
    yield b"]}"


def _ply(
    step: Match,
    index: int,
    dice: str,
    pieces: FollowingPieces,
    movements: list[PieceMovement],
    language: str,
) -> dict[str, Any]:
    claim = step.move.text if isinstance(step.move, Claim) else None
    words = words_of(step) if claim is None else claim_label(claim)
    seat = step.game.seats[step.seat]
    own = [each for each in movements if each.owner == seat and each.end in pieces.cells]
    moved = next(iter(own or [each for each in movements if each.end in pieces.cells]), None)
    return {
        "index": index,
        "number": step.plies,
        "seat": step.seat,
        "sentence": render(words, language),
        "text": step.text if claim is None else claim,
        "dice": [int(die) for die in dice.split("+") if die],
        "turn": step.turn,
        "from": moved.start if moved else None,
        "to": moved.end if moved else None,
        "pieces": _standing(pieces),
        "points": step.game.points(step.position),
    }


def _standing(pieces: FollowingPieces) -> list[dict[str, Any]]:
    """Return the pieces on the board as `state` has them, as far as a picture needs them."""
    return [
        {"id": piece.number, "face": piece.face, "owner": piece.owner, "place": piece.place}
        for piece in pieces.table.pieces
        if piece.place != BOX
    ]


# ---- what is said of a match


def _seats(game: AnyGame) -> range:
    return range(len(game.seats))


def _player(match: PastMatch, seat: Seat) -> tuple[str, PlayerKind]:
    """Return the name of a player, empty for none, and the kind."""
    players = match.summary.players
    name, kind = players[seat] if seat < len(players) else ("", "")
    return name, kind_written(kind)


def player_called(match: PastMatch, game: AnyGame, seat: Seat) -> Message:
    """Return the name of the player of a seat, for a sentence."""
    return seated_called(game, match.summary.players, seat)


def _full_name(match: PastMatch, game: AnyGame, seat: Seat) -> Message:
    """Return the name of the player of a seat, with the level of a machine."""
    name = player_called(match, game, seat)
    strength = strength_message(_player(match, seat)[1])
    return name if strength is None else say("{name} ({level})", name=name, level=strength)


def _seat(match: PastMatch, game: AnyGame, seat: Seat, language: str) -> dict[str, Any]:
    points = match.summary.points
    return {
        "seat": game.seats[seat],
        "name": render(player_called(match, game, seat), language),
        "kind": _player(match, seat)[1].text,
        "level": render(_level(match, game, seat), language),
        "points": points[seat] if seat < len(points) else None,
    }


def _level(match: PastMatch, game: AnyGame, seat: Seat) -> Message:
    """Return the level of a machine, for its name; empty for a person."""
    who = _player(match, seat)[1]
    if who.is_person:
        return say("")
    strength = strength_message(who)
    told = player_called(match, game, seat) == name_message(who)
    return strength if told and strength is not None else kind_message(who)


def _result(match: PastMatch, game: AnyGame, outcome: Outcome | None, language: str) -> str:
    """Return who won, as a title without a full stop."""
    if outcome is None:
        return render(say("Not finished"), language)
    if not outcome.winners:
        return render(say("Draw"), language)
    said = winner_message(outcome, partial(player_called, match, game))
    return sentence(said, language).removesuffix(".")


def _outcome(match: PastMatch, game: AnyGame, outcome: Outcome, language: str) -> dict[str, Any]:
    reason = reason_message(game, outcome, partial(player_called, match, game))
    return {
        "winners": sorted(outcome.winners),
        "reason": sentence(reason, language),
        "points": outcome.points,
    }


def _origin(origin: str, language: str) -> str:
    """Return where a match comes from, in a sentence; empty if it began on a board."""
    kind, _, rest = origin.partition(" ")
    if kind == "file":
        return render(say("Imported from {file}.", file=rest), language)
    number = rest.rpartition(" ")[2]
    if kind == "match" and number.isdecimal() and len(number) < 10:
        return render(say("Goes on from move {n} of another match.", n=int(number)), language)
    return ""


def _origin_match(origin: str) -> str:
    """Return the id of the match that a match goes on from; empty if it goes on from none."""
    kind, _, rest = origin.partition(" ")
    return rest.rpartition(" ")[0] if kind == "match" else ""


def _problem(match: PastMatch, language: str) -> str:
    if why := match.summary.problem:
        return render(say("This file cannot be read: {why}", why=why), language)
    if match.summary.damaged:
        said = say("Part of this match is damaged; here is what can still be read.")
        return render(said, language)
    return ""
