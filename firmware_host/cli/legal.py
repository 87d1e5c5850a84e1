"""`lampion legal`: the legal moves of a position."""

from __future__ import annotations

import argparse

from firmware_host.cli.arguments import add_position, game_and_position
from firmware_host.console.terminal import print_line


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `lampion legal`."""
    add_position(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the legal moves, sorted, one a line."""
    game, position = game_and_position(arguments)
    for text in sorted(game.move_text(position, move) for move in game.legal(position)):
        print_line(text)
    return 0
