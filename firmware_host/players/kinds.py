"""The kinds of players at a seat: a person, a person at another board, an opponent of ours, or
another program.

Configuration files and pages write `person`, `board:attic`, `level:plans` or
`usi:/usr/games/fairy-stockfish`, with arguments after the program if it needs any; `uci:` for an
engine of the other protocol.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.game import Seat
from engine.match import AnyGame
from engine.search.opponents import BY_NAME, LEVELS
from firmware_host.i18n.messages import Message, say

PROTOCOLS: Final = ("usi", "uci")
"""The protocols of engines of other programs."""
FITS_YOU: Final = "fits-you"
"""The level that follows the results of the people at the table."""
LEVEL_NAMES: Final = (*(level.name for level in LEVELS), FITS_YOU)
"""The levels that people choose among."""
KNOWN_ENGINES: Final = {"usi": ("fairy-stockfish",), "uci": ("stockfish", "fairy-stockfish")}
"""By protocol: the programs that are offered if they are installed."""
BOARD_NAME: Final = "[a-z0-9][a-z0-9-]{0,29}"
"""The pattern of the names of boards that play together."""
_DEBIAN: Final = "/usr/games"
_LEVELS_SAID: Final = {
    "random": say("random moves"),
    "newcomer": say("newcomer"),
    "first-steps": say("first steps"),
    "sees-one": say("sees one move"),
    "sees-two": say("sees two"),
    "plans": say("plans"),
    "strong": say("strong"),
    FITS_YOU: say("fits you"),
}
_LEVELS_EXPLAINED: Final = {
    "newcomer": say("often moves at random"),
    "first-steps": say("often makes mistakes"),
    "sees-one": say("sees one move ahead"),
    "sees-two": say("sees two moves ahead"),
    "plans": say("plans ahead"),
    "strong": say("plays as well as it can"),
}
"""The same for a child."""


@dataclass(frozen=True, slots=True)
class PlayerKind:
    """The kind of player at a seat."""

    level: str = ""
    """The name of the level of our opponent; empty if it is another player."""
    engine: str = ""
    """The program file of an engine."""
    arguments: tuple[str, ...] = ()
    """The arguments of that program."""
    protocol: str = "usi"
    """How it is spoken to, one of PROTOCOLS."""
    board: str = ""
    """The name of the other board at which the player sits."""
    fitting: str = ""
    """In a past match: the level that fitted then, if it was the one that fits you."""

    @property
    def is_person(self) -> bool:
        """Whether a person at this board plays."""
        return not (self.level or self.engine or self.board)

    @property
    def text(self) -> str:
        """The text that `player_kind` reads."""
        if self.engine:
            command = (self.engine, *self.arguments)
            return f"{self.protocol}:{shlex.join(command) if self.arguments else self.engine}"
        if self.board:
            return f"board:{self.board}"
        return f"level:{self.level}" if self.level else "person"

    @property
    def written(self) -> str:
        """The text in a journal: the same, and the level that fitted."""
        return f"{self.text} {self.fitting}" if self.fitting else self.text


PERSON: Final = PlayerKind()


def player_kind(text: str) -> PlayerKind:
    """Return the kind that a configuration value names; ValueError says in one line why none."""
    kind, colon, what = text.strip().partition(":")
    if kind == "person" and not colon:
        return PERSON
    if kind == "level":
        if what not in BY_NAME and what != FITS_YOU:
            raise ValueError(f"no level {what!r}; there are: {', '.join(LEVEL_NAMES)}")
        return PlayerKind(level=what)
    if kind == "board":
        if not re.fullmatch(BOARD_NAME, what):
            raise ValueError(
                f"{what!r} is no name of a board: it has small letters, digits and hyphens"
            )
        return PlayerKind(board=what)
    if kind in PROTOCOLS and what.strip() and "\0" not in what:
        program, *arguments = _command(what)
        if not os.path.isabs(program):
            raise ValueError(f"{program!r} is no program: write its whole path, from / on")
        if not (os.path.isfile(program) and os.access(program, os.X_OK)):
            raise ValueError(f"{program}: no such program; install it, or write another path")
        return PlayerKind(engine=program, arguments=tuple(arguments), protocol=kind)
    raise ValueError(
        f"{text!r} is nobody who can play: write person, level:NAME "
        f"(NAME is one of {', '.join(LEVEL_NAMES)}), usi:PROGRAM, uci:PROGRAM or board:NAME"
    )


def kind_written(text: str) -> PlayerKind:
    """Return the kind in a text that `PlayerKind.written` has written, whether such a player is
    installed here or not; a person if it is unknown.
    """
    kind, _, what = text.partition(":")
    level, _, fitting = what.partition(" ")
    if kind == "level" and level == FITS_YOU and fitting in BY_NAME:
        return PlayerKind(level=level, fitting=fitting)
    if kind == "level" and (what in BY_NAME or what == FITS_YOU):
        return PlayerKind(level=what)
    if kind in PROTOCOLS and what:
        return PlayerKind(engine=what.partition(" ")[0], protocol=kind)
    if kind == "board" and what:
        return PlayerKind(board=what)
    return PERSON


def seated_again(text: str) -> PlayerKind:
    """Return the kind of player that a journal names, to resume its match; ValueError if it is not
    installed any more.
    """
    who = kind_written(text)
    return replace(who, fitting="") if who.level else player_kind(text)


def as_then(text: str) -> str:
    """Return the kind of player that a journal names, as it played then: the level that fitted in
    place of the one that fits you.
    """
    fitting = kind_written(text).fitting
    return PlayerKind(level=fitting).written if fitting else text


def people(kinds: Iterable[str]) -> frozenset[Seat]:
    """Return the seats of the people among these kinds of players, by seat, as `kind_written` reads
    them.
    """
    return frozenset(seat for seat, text in enumerate(kinds) if kind_written(text).is_person)


def _command(text: str) -> list[str]:
    """Return the words of a command, quoted as a shell wants them; a path that is there may have
    blanks. ValueError if the quotes do not match.
    """
    if os.path.isfile(text):
        return [text]
    try:
        return shlex.split(text) or [text]
    except ValueError as error:
        raise ValueError(f"{text!r} is no command: {error}") from None


def suits(who: PlayerKind, game: AnyGame) -> bool:
    """Whether a kind of player can play a game."""
    return not who.engine or game.engine_protocol == who.protocol


def available(game: AnyGame) -> Iterator[PlayerKind]:
    """Yield the players for a game: a person, our opponents from weak to strong, the one that fits
    you, and the engines that are installed.
    """
    yield PERSON
    for level in LEVELS:
        yield PlayerKind(level=level.name)
    yield PlayerKind(level=FITS_YOU)
    path = os.environ.get("PATH", "") + os.pathsep + _DEBIAN
    for name in KNOWN_ENGINES.get(game.engine_protocol, ()):
        if (found := shutil.which(name, path=path)) is not None:
            yield PlayerKind(engine=os.path.abspath(found), protocol=game.engine_protocol)


def name_message(who: PlayerKind) -> Message:
    """Return the name of a program or another board whose turn it is."""
    if who.board:
        return say("the board {name}", name=who.board)
    return say(os.path.basename(who.engine)) if who.engine else say("the machine")


def player_called(game: AnyGame, seat: Seat, name: str, who: PlayerKind) -> Message:
    """Return what the player of a seat is called in a sentence: by name, else as a program or by
    the seat. Where more than two play, several may be programs: the seat tells them apart.
    """
    if name:
        return say("{name}", name=name)
    return say(game.seats[seat]) if who.is_person or len(game.seats) > 2 else name_message(who)


def seated_called(game: AnyGame, players: Sequence[tuple[str, str]], seat: Seat) -> Message:
    """Return what the player of a seat is called in a sentence; `players` are the name and the kind
    of each, by seat, as a journal has them. A seat beyond them is a person's without a name.
    """
    name, kind = players[seat] if seat < len(players) else ("", "")
    return player_called(game, seat, name, kind_written(kind))


def kind_explained(who: PlayerKind) -> Message:
    """Return what to expect of a kind of player, in words that a child understands."""
    if who.engine:
        return say("another program")
    if who.board:
        return kind_message(who)
    if who.level == FITS_YOU:
        return say("fits you, by your wins and losses")
    if who.level not in _LEVELS_EXPLAINED and who.level:
        return _level_said(who.level)
    if who.level:
        names = [level.name for level in LEVELS]
        number, skill = names.index(who.level) + 1, _LEVELS_EXPLAINED[who.level]
        return say("level {n} of {count}: {skill}", n=number, count=len(names), skill=skill)
    return say("a person")


def strength_message(who: PlayerKind) -> Message | None:
    """Return how well our opponent plays; None for another player."""
    return _level_said(who.fitting or who.level) if who.level else None


def _level_said(name: str) -> Message:
    """Return the name of a level, for people."""
    if name in _LEVELS_SAID:
        return _LEVELS_SAID[name]
    weaker, stronger = (_LEVELS_SAID[part.name] for part in BY_NAME[name].parts)
    return say("half {weaker}, half {stronger}", weaker=weaker, stronger=stronger)


def kind_message(who: PlayerKind, fitting: str = "") -> Message:
    """Return the name of a kind of player, for people; `fitting` is the level that fits them."""
    if who.level == FITS_YOU and fitting:
        return say("the machine: fits you, now {level}", level=_level_said(fitting))
    if who.engine:
        return say("{program} (another program)", program=os.path.basename(who.engine))
    if who.board:
        return say("a person at the board {name}", name=who.board)
    if who.level:
        return say("the machine: {level}", level=_level_said(who.fitting or who.level))
    return say("a person")
