"""Arguments that several commands share."""

from __future__ import annotations

import argparse
import math
import os
from typing import Any, Final

from engine.games import NAMES, make
from engine.match import AnyGame
from firmware_host.host.start import Start
from firmware_host.i18n.messages import negotiate
from firmware_host.players.time_control import NO_CLOCK, time_control

ONE_OF_THE_GAMES: Final = f"one of {', '.join(NAMES)}"


def language_of(wanted: str | None) -> str:
    """Return the language to speak: `wanted` if there is such a one, else the system's."""
    return negotiate(wanted, os.environ.get("LANG", "").split(".")[0])


def add_game(parser: argparse.ArgumentParser) -> None:
    """Add `--game`."""
    parser.add_argument("--game", choices=NAMES, metavar="G", help=ONE_OF_THE_GAMES)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add `--set`, the options of a game."""
    parser.add_argument(
        "--set",
        action="append",
        type=_pair,
        default=[],
        metavar="option=value",
        help="a rule of the game; see `lampion games G`",
    )


def add_position(parser: argparse.ArgumentParser) -> None:
    """Add the game, `--position` and `--set`, which `game_and_position` reads."""
    parser.add_argument("game", choices=NAMES, metavar="G", help=ONE_OF_THE_GAMES)
    parser.add_argument(
        "--position", metavar="TEXT", help="a position in the game's notation; default: the start"
    )
    add_options(parser)


def game_and_position(arguments: argparse.Namespace) -> tuple[AnyGame, Any]:
    """Return the game and the position that the arguments name; GameError if there is none."""
    game = make(arguments.game, dict(arguments.set))
    if arguments.position is None:
        return game, game.start()
    return game, game.parse_position(arguments.position)


def add_match(parser: argparse.ArgumentParser, resumed: str) -> None:
    """Add `--match`, which this text describes, and `--new`."""
    match = parser.add_mutually_exclusive_group()
    match.add_argument("--match", metavar="FILE", help=resumed)
    match.add_argument("--new", action="store_true", help="begin a new match; the last is kept")


def add_clock(parser: argparse.ArgumentParser) -> None:
    """Add `--clock`."""
    parser.add_argument(
        "--clock",
        type=_control,
        metavar="C",
        help="the clock of new matches: none, 10m, 5m+3s, 10m+30s*3 or 30s/move",
    )


def start_of(arguments: argparse.Namespace, layout: str | None = None) -> Start:
    """Return what a board starts with, by the arguments of the functions above."""
    return Start(
        game=arguments.game,
        options=dict(arguments.set),
        layout=layout,
        match=arguments.match,
        new=arguments.new,
        clock=arguments.clock,
    )


def above_0(text: str) -> float:
    """Parse a finite number above 0."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is no number above 0")
    return number


def _control(text: str) -> str:
    """Return the text of a time control."""
    try:
        control = time_control(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return NO_CLOCK if control is None else control.text


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is not written as option=value")
    return name, value
