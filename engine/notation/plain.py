"""Reading matches from plain text: one move per line in the game's notation, with its dice.

[Game] Chaturaji
[dice] 2
[green] Ada

1. black 3+4 c1c3
2. green 2+5 resign
"""

from __future__ import annotations

import re
from typing import Final

from engine.game import CHANCE, Claim, GameError, Throw
from engine.games import NAMES, make
from engine.match import AnyGame, AnyMove, Match
from engine.notation.lines import shown, split, trimmed

PASS_TEXT: Final = "--"
"""The text of a lost turn."""
_TAG: Final = re.compile(r"\[([^\]]+)\] ?(.*)")
_NUMBER: Final = re.compile(r"\d+\. ")
_DICE: Final = re.compile(r"\d(\+\d)*")


def title_of(text: str) -> str | None:
    """Return the title of the game in the first line of a text, known or not; None if absent."""
    tag = _TAG.fullmatch(trimmed(split(text)[0].removeprefix("\ufeff")))
    return tag[2] if tag is not None and tag[1] == "Game" else None


def tags_in(text: str) -> dict[str, str]:
    """Return the tags of a text after its first line: options, the position, names of players."""
    lines = map(trimmed, split(text)[1:])
    return {tag[1]: tag[2] for line in lines if (tag := _TAG.fullmatch(line))}


def read(text: str) -> Match:
    """Return the match of a text; GameError names the wrong line and the reason."""
    titles = {make(name).title: name for name in NAMES}
    name = titles.get(title_of(text) or "")
    if name is None:
        raise GameError(f"line 1: expected [Game] and one of {', '.join(titles)}")
    lines = [*enumerate(map(trimmed, split(text)), 1)][1:]
    tags = tags_in(text)
    known = {option.name for option in make(name).known_options}
    game = make(name, {tag: value for tag, value in tags.items() if tag in known})
    start = game.parse_position(tags["position"]) if "position" in tags else game.start()
    match = Match.begin(game, start)
    for number, line in lines:
        if line and not _TAG.fullmatch(line):
            try:
                match = _after(match, line)
            except GameError as error:
                raise GameError(f"line {number}: {error}") from error
    return match


def _after(match: Match, line: str) -> Match:
    """Return the match after the content of a line."""
    game, counted = match.game, _NUMBER.match(line)
    seat, said = _by(game, line[counted.end() :] if counted else line)
    dice, _, rest = said.partition(" ")
    if match.turn == CHANCE and _DICE.fullmatch(dice):
        match, said = match.play(Throw(tuple(map(int, dice.split("+"))))), rest
    if not counted:
        return match.play(Claim(seat, said))
    if match.turn != seat:
        raise GameError(f"{shown(line)}: it is not the turn of {game.seats[seat]}")
    return match.play(_move(match, said))


def _by(game: AnyGame, text: str) -> tuple[int, str]:
    """Return the seat of a move or claim, and its text."""
    for seat, name in enumerate(game.seats):
        if text.startswith(f"{name} "):
            return seat, text.removeprefix(f"{name} ")
    raise GameError(f"{shown(text)} does not begin with one of {', '.join(game.seats)}")


def _move(match: Match, said: str) -> AnyMove:
    if said != PASS_TEXT:
        return match.game.parse_move(match.position, said)
    passed = match.forced_pass()
    if passed is None:
        raise GameError(f"{PASS_TEXT}: there are moves, so the turn is not lost")
    return passed
