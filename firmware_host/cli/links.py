"""`lampion links`: the links to the page, one a role."""

from __future__ import annotations

import argparse
from pathlib import Path

from firmware_host.cli.arguments import language_of
from firmware_host.console.terminal import print_line
from firmware_host.storage import files
from firmware_host.storage.paths import state_directory
from firmware_host.web.keys import link_lines, stored_links
from firmware_host.web.link_card import card_page, lasting_address


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `lampion links`."""
    parser.add_argument("--state", metavar="DIR", help="where the board keeps its matches")
    parser.add_argument("--port", type=int, default=8710, metavar="N", help="default 8710")
    parser.add_argument(
        "--renew", action="store_true", help="make new links; the old ones end at once"
    )
    parser.add_argument(
        "--card",
        metavar="FILE",
        help="write them as a page to print, with QR codes and the name of this computer",
    )
    parser.add_argument("--qr", action="store_true", help="shows each as a QR code for a phone")


def run(arguments: argparse.Namespace) -> int:
    """Print the links."""
    state = state_directory(arguments.state)
    if arguments.card is not None:
        found = stored_links(state, lasting_address(arguments.port), renew=arguments.renew)
        language = language_of(None)
        card = card_page(found, language).encode()
        files.put(Path(arguments.card), card, mode=files.PRIVATE)
        return 0
    for line in link_lines(state, arguments.port, renew=arguments.renew, qr=arguments.qr):
        print_line(line)
    return 0
