"""`lampion links`: the links to the page, one a role."""

from __future__ import annotations

import argparse

from firmware_host.console.terminal import print_line
from firmware_host.storage.paths import state_directory
from firmware_host.web.keys import link_lines


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `lampion links`."""
    parser.add_argument("--state", metavar="DIR", help="where the board keeps its matches")
    parser.add_argument("--port", type=int, default=8710, metavar="N", help="default 8710")
    parser.add_argument(
        "--renew", action="store_true", help="make new links; the old ones end at once"
    )
    parser.add_argument("--qr", action="store_true", help="shows each as a QR code for a phone")


def run(arguments: argparse.Namespace) -> int:
    """Print the links."""
    state = state_directory(arguments.state)
    for line in link_lines(state, arguments.port, renew=arguments.renew, qr=arguments.qr):
        print_line(line)
    return 0
