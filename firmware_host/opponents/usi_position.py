"""What a USI program sets before it asks for a move: the game, its rules and the position."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from engine.game import GameError
from engine.games import make
from engine.match import Match
from engine.notation.usi import IMPASSE_OPTION, IMPASSES, VARIANT_OPTIONS, VARIANTS, match_of
from firmware_host.console.terminal import one_line

_GAMES: Final = {variant: name for name, variant in VARIANTS.items()}


class UsiPosition:
    """What one USI program has set."""

    def __init__(self, name: str, say: Callable[[str], None]) -> None:
        """`name` is that of this engine; `say` sends a line to the program."""
        self.match: Match
        """The position that was sent last, with the moves before it."""
        self.fault = ""
        """Why the position that was sent last is invalid; empty if it is valid."""
        self._name = name
        self._say = say
        self._variants = dict.fromkeys(VARIANT_OPTIONS, VARIANTS["shogi"])
        self._rules: Mapping[str, str] = {}
        self._begin("shogi")

    def take(self, words: Sequence[str]) -> bool:
        """Do what a command says; return whether it is one of those that are handled here."""
        match words:
            case ["usi", *_]:
                self._say(f"id name {self._name}")
                self._say("id author the Lampion people")
                for option in VARIANT_OPTIONS:
                    self._say(_offer(option, tuple(_GAMES)))
                self._say(_offer(IMPASSE_OPTION, tuple(dict.fromkeys(IMPASSES.values()))))
                self._say("usiok")
            case ["setoption", *option]:
                try:
                    self._choose(option)
                except ValueError as error:
                    self.tell(str(error))
            case ["position", *position]:
                self.fault = ""
                try:
                    self.match = match_of(self.match.game, position)
                except GameError as error:
                    self.fault = str(error)
                    self.tell(self.fault)
            case ["go", *how] if "mate" in how:
                self._say("checkmate notimplemented")
            case _:
                return False
        return True

    def tell(self, text: str) -> None:
        """Send a message for people; it may contain text of the program."""
        self._say(f"info string {one_line(text)}")

    def _choose(self, words: Sequence[str]) -> None:
        """Set an option by the words after `setoption`, in which case does not matter. ValueError
        says which values there are. An option that is not offered changes nothing.
        """
        match words:
            case ["name", option, "value", *value] if name := _spelt(option, VARIANT_OPTIONS):
                variant = _spelt(" ".join(value), _GAMES)
                if variant is None:
                    raise ValueError(
                        f"no variant {one_line(' '.join(value))}; there are: {', '.join(_GAMES)}"
                    )
                if self._variants[name] != variant:
                    self._variants[name] = variant  # the name that changes counts
                    self._begin(_GAMES[variant])
            case ["name", option, "value", *value] if _spelt(option, (IMPASSE_OPTION,)):
                theirs = _spelt(" ".join(value), IMPASSES.values())
                impasse = next((ours for ours, name in IMPASSES.items() if name == theirs), None)
                if impasse is None:
                    known = ", ".join(dict.fromkeys(IMPASSES.values()))
                    raise ValueError(
                        f"no {IMPASSE_OPTION} {one_line(' '.join(value))}; there are: {known}"
                    )
                self._rules = {"impasse": impasse}
                self._begin(self.match.game.name)

    def _begin(self, game: str) -> None:
        self.match = Match.begin(make(game, self._rules if game == "shogi" else {}))
        self.fault = ""


def _offer(name: str, values: Sequence[str]) -> str:
    there_are = " ".join(f"var {value}" for value in values)
    return f"option name {name} type combo default {values[0]} {there_are}"


def _spelt(option: str, known: Iterable[str]) -> str | None:
    """Return the known option of that name, in which case does not matter."""
    return next((name for name in known if name.lower() == option.lower()), None)
