"""`lampion games`: the games, and their options."""

from __future__ import annotations

import argparse

from engine.games import NAMES, UNUSABLE, make
from firmware_host.cli.arguments import ONE_OF_THE_GAMES
from firmware_host.console.terminal import print_errors, print_line


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `lampion games`."""
    parser.add_argument("game", nargs="?", choices=NAMES, metavar="G", help=ONE_OF_THE_GAMES)


def run(arguments: argparse.Namespace) -> int:
    """Print a line for each game, or one game with its options."""
    print_errors(UNUSABLE)
    for name in (arguments.game,) if arguments.game else NAMES:
        game = make(name)
        print_line(f"{name:12} {game.title}; seats {', '.join(game.seats)}")
        if arguments.game:
            for option in game.known_options:
                default, *others = option.values
                print_line(f"  {option.name} = {default} | {' | '.join(others)}".rstrip(" |"))
                texts = [option.said(value) for value in option.values]
                unchanged = texts == list(option.values)
                print_line(
                    f"      {option.title}" + ("" if unchanged else f": {' | '.join(texts)}")
                )
                print_line(f"      {option.about}")
    return 0
