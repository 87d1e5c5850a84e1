"""`lampion sim`: the simulated board."""

from __future__ import annotations

import argparse
from pathlib import Path

from engine import games
from firmware_host.cli.arguments import add_clock, add_game, add_match, add_options, start_of
from firmware_host.console.terminal import print_errors
from firmware_host.host.simulated import simulate
from hardware import layout


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `lampion sim`."""
    add_game(parser)
    parser.add_argument(
        "--layout",
        metavar="L",
        help="the board; default: the one that suits the game best",
    )
    parser.add_argument("--port", type=int, default=8710, metavar="N", help="default 8710")
    parser.add_argument("--lan", action="store_true", help="serve other devices of the network too")
    parser.add_argument(
        "--record", type=Path, metavar="FILE", help="write a recording of the match"
    )
    parser.add_argument("--state", metavar="DIR", help="where match and magnets are kept")
    add_match(parser, "resume this match of DIR")
    parser.add_argument(
        "--lesson", metavar="ID", help="begin with this lesson; see `lampion lessons`"
    )
    parser.add_argument("--demo", action="store_true", help="simulated hands play")
    parser.add_argument(
        "--seed",
        type=int,
        default=1,
        metavar="N",
        help="chooses other moves of the simulated hands; default 1",
    )
    parser.add_argument(
        "--config",
        type=Path,
        metavar="FILE",
        help="use `seats` and `mqtt` of this configuration",
    )
    add_clock(parser)
    add_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Serve the simulated board until interrupted."""
    print_errors((*games.UNUSABLE, *layout.UNUSABLE))
    simulate(
        start_of(arguments, arguments.layout),
        port=arguments.port,
        lan=arguments.lan,
        record=arguments.record,
        state=arguments.state,
        demo=arguments.seed if arguments.demo else None,
        lesson=arguments.lesson,
        config=arguments.config,
    )
    return 0
