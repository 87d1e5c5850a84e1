"""`lampion run`: a real board, as its configuration describes it."""

from __future__ import annotations

import argparse

from engine import games
from firmware_host.cli.arguments import add_clock, add_game, add_match, add_options, start_of
from firmware_host.cli.config import add_config_file, config_path
from firmware_host.console.terminal import print_errors
from firmware_host.host.service import play_until_interrupted
from hardware import layout


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `lampion run`."""
    add_config_file(parser)
    add_game(parser)
    add_match(parser, "resume this match of the board")
    add_clock(parser)
    parser.add_argument("--speak", action="store_true", help="say what to do; needs espeak-ng")
    add_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Play until interrupted."""
    print_errors((*games.UNUSABLE, *layout.UNUSABLE))
    play_until_interrupted(config_path(arguments), start_of(arguments), speak=arguments.speak)
    return 0
