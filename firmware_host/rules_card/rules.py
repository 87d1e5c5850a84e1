"""The rules of a game as a page shows them: pictures that the rules themselves have made.

A file a game, in TOML: `aim` and `notes`, a sentence a piece, and a `[[picture]]` for each kind of
man: the `place` that is lifted in a `position`, and what else is shown `beside`. What glows then is
what the board lights; nothing of it is in the file. What holds under some options only stands in
an `[[only]]`: its `says`, `endings` and `options` are shown where each option has one of the values
that `when` names for it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from engine.game import Piece, Place
from engine.games import make
from firmware_host.i18n.messages import Message, say
from firmware_host.lights.preview import lifted, targets
from firmware_host.lights.signals import Light

FOLDER: Final = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Picture:
    """What a man may do where he stands."""

    title: Message
    kinds: tuple[str, ...]
    """The kinds of men that it is about."""
    men: dict[Place, Piece]
    """What is drawn."""
    lights: dict[Place, Light]
    """What glows on the cells."""
    says: tuple[Message, ...]
    """The same in words."""


@dataclass(frozen=True, slots=True)
class Only:
    """What holds only under some options."""

    when: Mapping[str, Sequence[str]]
    """By option, with which values."""
    says: Sequence[str] = ()
    endings: Sequence[str] = ()
    options: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class RulesCard:
    """The rules of a game, short."""

    aim: tuple[Message, ...]
    notes: tuple[Message, ...]
    pictures: tuple[Picture, ...]
    only: tuple[Only, ...]

    def hold(self, part: str, name: str, options: Mapping[str, str]) -> bool:
        """Whether something is to be told under these options: a sentence (`says`), an ending or
        an option, by its `name`.
        """
        found = [each.when for each in self.only if name in getattr(each, part)]
        return not found or any(
            all(options[option] in values for option, values in when.items()) for when in found
        )


@cache
def rules_of(name: str) -> RulesCard:
    """Return the short rules of a game; empty ones if it has no file of them."""
    file = FOLDER / f"{name}.toml"
    if not file.is_file():
        return RulesCard((), (), (), ())
    data = tomllib.loads(file.read_text(encoding="utf-8"))
    return RulesCard(
        aim=tuple(say(text) for text in data["aim"]),
        notes=tuple(say(text) for text in data["notes"]),
        pictures=tuple(_picture(name, **row) for row in data["picture"]),
        only=tuple(Only(**row) for row in data.get("only", ())),
    )


def sentences() -> list[str]:
    """Return all sentences of all files."""
    found = []
    for file in sorted(FOLDER.glob("*.toml")):
        data = tomllib.loads(file.read_text(encoding="utf-8"))
        titles = [row["title"] for row in data["picture"] if "title" in row]
        found += [*data["aim"], *data["notes"], *titles]
    return found


def _picture(
    name: str,
    position: str,
    place: Place,
    beside: tuple[Place, ...] = (),
    title: str = "",
    kinds: tuple[str, ...] = (),
) -> Picture:
    game = make(name)
    at = game.parse_position(position)
    standing, lights = game.pieces(at), lifted(game, at, place)
    cells = game.cells()
    shown = {each: light for each, light in lights.items() if each in cells}
    blue, red = (", ".join(sorted(places)) for places in targets(shown))
    says = []
    if blue:
        says.append(say("It may go to: {places}.", places=blue))
    if red:
        says.append(say("It may take or push: {places}.", places=red))
    kind = standing[place].kind
    return Picture(
        title=say(title or game.kinds[kind]),
        kinds=tuple(kinds) or (kind,),
        men={each: standing[each] for each in (place, *beside) if each in cells},
        lights=shown,
        says=tuple(says),
    )
