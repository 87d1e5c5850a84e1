"""The options by which a USI program chooses the game and its rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from engine.games import make
from engine.match import AnyGame
from engine.notation.usi import IMPASSE_OPTION, IMPASSES, VARIANT_OPTIONS, VARIANTS
from firmware_host.console.terminal import one_line

_GAMES: Final = {variant: name for name, variant in VARIANTS.items()}


class UsiOptions:
    """The options that one USI program has set."""

    def __init__(self) -> None:
        self.game: AnyGame = make("shogi")
        """The game that they choose."""
        self._variants = dict.fromkeys(VARIANT_OPTIONS, VARIANTS[self.game.name])
        self._rules: Mapping[str, str] = {}

    def lines(self) -> Iterator[str]:
        """Yield the lines that offer the options."""
        for name in VARIANT_OPTIONS:
            yield _offer(name, tuple(_GAMES))
        yield _offer(IMPASSE_OPTION, tuple(dict.fromkeys(IMPASSES.values())))

    def choose(self, words: Sequence[str]) -> bool:
        """Set an option by the words after `setoption`, in which case does not matter; return
        whether that may have changed the game. ValueError says which values there are. An option
        that is not offered changes nothing.
        """
        match words:
            case ["name", option, "value", *value] if name := _spelt(option, VARIANT_OPTIONS):
                variant = _spelt(" ".join(value), _GAMES)
                if variant is None:
                    raise ValueError(
                        f"no variant {one_line(' '.join(value))}; there are: {', '.join(_GAMES)}"
                    )
                if self._variants[name] == variant:
                    return False
                self._variants[name] = variant  # the name that changes counts
                self._make(_GAMES[variant])
                return True
            case ["name", option, "value", *value] if _spelt(option, (IMPASSE_OPTION,)):
                theirs = _spelt(" ".join(value), IMPASSES.values())
                impasse = next((ours for ours, name in IMPASSES.items() if name == theirs), None)
                if impasse is None:
                    known = ", ".join(dict.fromkeys(IMPASSES.values()))
                    raise ValueError(
                        f"no {IMPASSE_OPTION} {one_line(' '.join(value))}; there are: {known}"
                    )
                self._rules = {"impasse": impasse}
                self._make(self.game.name)
                return True
        return False

    def _make(self, game: str) -> None:
        self.game = make(game, self._rules if game == "shogi" else {})


def _offer(name: str, values: Sequence[str]) -> str:
    there_are = " ".join(f"var {value}" for value in values)
    return f"option name {name} type combo default {values[0]} {there_are}"


def _spelt(option: str, known: Iterable[str]) -> str | None:
    """Return the known option of that name, in which case does not matter."""
    return next((name for name in known if name.lower() == option.lower()), None)
