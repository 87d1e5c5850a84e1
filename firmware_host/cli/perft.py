"""`lampion perft`: counts move sequences, to compare the rules with other programs."""

from __future__ import annotations

import argparse
from typing import Final

from engine.game import CHANCE
from firmware_host.cli.arguments import add_position, game_and_position
from firmware_host.console.terminal import print_line

DEEPEST: Final = 99
"""The largest number of plies; nobody can wait for half as many."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `lampion perft`."""
    parser.add_argument("--divide", action="store_true", help="count each first move by itself")
    add_position(parser)
    parser.add_argument("depth", type=_depth, metavar="DEPTH", help="the length in plies, 0 to 99")


def run(arguments: argparse.Namespace) -> int:
    """Print the number of move sequences, after a line for each first move if divided."""
    game, position = game_and_position(arguments)
    if arguments.divide and arguments.depth > 0 and game.turn(position) != CHANCE:
        total = 0
        for move in sorted(game.legal(position), key=lambda m: game.move_text(position, m)):
            count = game.perft(game.play(position, move), arguments.depth - 1)
            total += count
            print_line(f"{game.move_text(position, move)} {count}", flush=True)
        print_line(f"{total}")
        return 0
    print_line(f"{game.perft(position, arguments.depth)}")
    return 0


def _depth(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 4 and int(text) <= DEEPEST):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of plies from 0 to {DEEPEST}")
    return int(text)
