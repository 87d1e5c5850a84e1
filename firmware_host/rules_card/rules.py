"""The rules card of a game: short rules, with pictures that the rules engine lights.

`rules.toml` has the sentences of `aim` and `notes`, and a `[[picture]]` for each kind of piece: the
`place` that is lifted in a `position`, and the places shown `beside` it. The lights come from the
board. An `[[only]]` limits its `says` and `endings` to games whose options have one of the values
in `when`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from engine.game import Piece, Place
from engine.games import make
from firmware_host.games import FOLDER, game_file
from firmware_host.i18n.messages import Message, say
from firmware_host.lights.preview import lifted, targets
from firmware_host.lights.signals import Light


@dataclass(frozen=True, slots=True)
class Picture:
    """The moves of a piece in a position."""

    title: Message
    kinds: tuple[str, ...]
    """The kinds of pieces that it explains."""
    pieces: dict[Place, Piece]
    """The pieces to draw."""
    lights: dict[Place, Light]
    """The lights of the cells."""
    says: tuple[Message, ...]
    """The targets in words."""


@dataclass(frozen=True, slots=True)
class Only:
    """Parts that hold only under some options."""

    when: Mapping[str, Sequence[str]]
    """The allowed values of each option."""
    says: Sequence[str] = ()
    endings: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class RulesCard:
    """The rules of a game, short."""

    aim: tuple[Message, ...]
    notes: tuple[Message, ...]
    pictures: tuple[Picture, ...]
    only: tuple[Only, ...]

    def hold(self, part: str, name: str, options: Mapping[str, str]) -> bool:
        """Return whether a sentence (`says`) or an ending holds under these options."""
        found = [each.when for each in self.only if name in getattr(each, part)]
        return not found or any(
            all(options[option] in values for option, values in when.items()) for when in found
        )


@cache
def rules_of(name: str) -> RulesCard:
    """Return the rules card of a game; an empty one if the game has no file."""
    file = game_file(name, "rules.toml")
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
    for file in sorted(FOLDER.glob("*/rules.toml")):
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
        pieces={each: standing[each] for each in (place, *beside) if each in cells},
        lights=shown,
        says=tuple(says),
    )
