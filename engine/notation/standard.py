"""Writing matches for other programs, and reading their records.

Shogi has KIF, CSA and USI, Robot Duel the USI of engines that call it `dobutsu`, Abalone Aba-Pro.
Every game also has a plain text of its moves for people.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from engine.game import Claim, GameError, Pass, Throw
from engine.games import make
from engine.games.abalone import Abalone
from engine.games.shogi import Shogi, ShogiMove
from engine.match import AnyGame, Match
from engine.notation import aba_pro, csa, kif, plain, shogi_record, usi
from engine.notation.lines import shown, words
from engine.notation.usi import VARIANTS, is_robot_duel, match_of, move_word, position_word

TEXT: Final = "text"
SUFFIXES: Final = {"kif": ".kifu", "csa": ".csa", "usi": ".usi", "aba-pro": ".txt", TEXT: ".txt"}
"""By format: the suffix of its files."""
READ: Final = ("kif", "csa", "usi", "aba-pro", TEXT)
"""The formats that can be read; KI2 counts as KIF."""
ENDINGS: Final = {
    ".kif": "kif",
    ".kifu": "kif",
    ".ki2": "kif",
    ".ki2u": "kif",
    ".csa": "csa",
    ".usi": "usi",
    ".sfen": "usi",
    ".txt": "aba-pro",
}
"""By suffix of a file to read: its format. A text whose first line names its game is a plain text.
"""


def formats(game: AnyGame) -> tuple[str, ...]:
    """Return the formats that a match of the game can be written in, the usual one first."""
    known: list[str] = []
    if isinstance(game, Shogi):
        known += "kif", "csa"
    if game.name in VARIANTS:
        known.append("usi")
    if isinstance(game, Abalone):
        known.append("aba-pro")
    return (*known, TEXT)


def write(match: Match, to: str, players: Mapping[str, str]) -> str:
    """Return the text of a match in a format; GameError if its game does not have the format.

    `players` holds names by seat name; names that a format cannot hold are left out.
    """
    game = match.game
    if to not in formats(game):
        raise GameError(f"a match of {game.name} is written as {', '.join(formats(game))}")
    return _WRITERS[to](match, players)


def _held(
    players: Mapping[str, str], written: Callable[[Mapping[str, str]], object]
) -> dict[str, str]:
    """Return the names that a format can hold; `written` raises GameError for the others."""
    held = {}
    for seat, name in players.items():
        with contextlib.suppress(GameError):
            written({seat: name})
            held[seat] = name
    return held


def _shogi(
    writer: Callable[[shogi_record.ShogiRecord], str], match: Match, players: Mapping[str, str]
) -> str:
    game, start = match.game, match.first.position
    assert isinstance(game, Shogi)
    headers = _held(players, lambda one: writer(shogi_record.ShogiRecord(game, start, headers=one)))
    moves = tuple(step.move for step in match.steps() if isinstance(step.move, ShogiMove | Claim))
    return writer(shogi_record.ShogiRecord(game, start, moves, headers, match.outcome))


def _usi(match: Match, _: Mapping[str, str]) -> str:
    words = [
        move_word(match.game, step.before.position, step.move)
        for step in match.steps()
        if step.before is not None and not isinstance(step.move, Claim)
    ]
    start = f"position {position_word(match.game, match.first.position)}"
    return " ".join([start, *(["moves", *words] if words else [])]) + "\n"


def _aba_pro(match: Match, players: Mapping[str, str]) -> str:
    game, start = match.game, match.first.position
    assert isinstance(game, Abalone)
    tags = {seat.capitalize(): name for seat, name in players.items()}
    headers = _held(tags, lambda one: aba_pro.write(aba_pro.AbaProRecord(game, start, headers=one)))
    moves = tuple(step.move for step in match.steps() if step.move is not None)
    return aba_pro.write(aba_pro.AbaProRecord(game, start, moves, headers))


def _text(match: Match, players: Mapping[str, str]) -> str:
    game, start = match.game, match.first.position
    lines = [f"[Game] {game.title}"]
    for option in game.known_options:
        if game.options[option.name] != option.default:
            lines.append(f"[{option.name}] {game.options[option.name]}")
    if start != game.start():
        lines.append(f"[position] {game.position_text(start)}")
    lines += [f"[{seat}] {name}" for seat, name in players.items()]
    if ended := match.outcome:
        winners = ", ".join(game.seats[seat] for seat in sorted(ended.winners))
        lines.append(f"[Result] {winners or 'draw'}: {ended.reason}")
    return "\n".join([*lines, "", *_numbered(match)]) + "\n"


def _numbered(match: Match) -> Iterator[str]:
    """Yield a line for each move, with the throw before it, and for each claim."""
    dice = ""
    for step in match.steps():
        if isinstance(step.move, Throw):
            dice = " " + "+".join(map(str, step.move.dice))
            continue
        number, said = f"{step.plies}. ", step.text
        if isinstance(step.move, Claim):
            number, said = "", step.move.text
        elif isinstance(step.move, Pass):
            said = plain.PASS_TEXT
        yield f"{number}{match.game.seats[step.seat]}{dice} {said}"
        dice = ""


_WRITERS: Final[Mapping[str, Callable[[Match, Mapping[str, str]], str]]] = {
    "kif": lambda match, players: kif.encode(_shogi(kif.write, match, players)).decode(),
    "csa": partial(_shogi, csa.write),
    "usi": _usi,
    "aba-pro": _aba_pro,
    TEXT: _text,
}


@dataclass(frozen=True)
class Read:
    """The match of a record, with notes."""

    match: Match
    notes: tuple[str, ...] = ()
    """One line for each skipped part."""
    players: Mapping[str, str] = field(default_factory=dict)
    """The names of the players in the record, by seat name."""


def _robot_duel(said: Sequence[str]) -> Read:
    """Return the match of Robot Duel from the words of a line in USI."""
    played, ending = usi.split_at_ending(said)
    match = match_of(make("robot-duel"), played)
    if [word.lower() for word in ending] == ["resign"] and match.outcome is None:
        return Read(match.play(Claim(match.turn, "resign")))
    more = f"{shown(' '.join(ending))} behind the moves is passed over"
    return Read(match, (more,) if ending else ())


def read(data: bytes, form: str) -> Read:
    """Return the match of a record in KIF, KI2, CSA, USI, Aba-Pro or plain text.

    GameError says in one line what is wrong and where.
    """
    record: shogi_record.ShogiRecord | aba_pro.AbaProRecord
    if not data.strip():
        raise GameError("there is nothing in it")
    if form == "usi":
        said = words(data.decode(errors="replace"))
        said = said[1:] if said[:1] == ["position"] else said
        if is_robot_duel(said):
            return _robot_duel(said)
    if form in ("aba-pro", TEXT):
        try:
            text = data.decode()
        except UnicodeDecodeError:
            raise GameError("such a record is text in UTF-8") from None
        if form == TEXT or plain.title_of(text) is not None:
            match = plain.read(text)
            return Read(match, players=_named(match.game, plain.tags_in(text)))
        record = aba_pro.read(text)
        notes: tuple[str, ...] = ()
    else:
        record = {"kif": kif.read, "csa": csa.read, "usi": usi.read}[form](data)
        notes = tuple(map(str, record.notes))
    match = Match.begin(record.game, record.start)
    for move in record.moves:
        match = match.play(move)
    return Read(match, notes, _named(record.game, record.headers))


def _named(game: AnyGame, headers: Mapping[str, str]) -> dict[str, str]:
    """Return the names of the players by seat name; Aba-Pro writes the seats with a capital."""
    named = {seat: headers.get(seat) or headers.get(seat.capitalize()) for seat in game.seats}
    return {seat: name for seat, name in named.items() if name}
