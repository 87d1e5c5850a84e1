"""`lampion layouts`: the boards, with their wiring, circuit, parts and picture."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from firmware_host.console.terminal import print_errors, print_line
from firmware_host.i18n.messages import render
from firmware_host.text import labels
from hardware import layout
from hardware.layout import Layout
from hardware.wiring import drawing, schematic, wiring


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `lampion layouts`."""
    parser.add_argument(
        "layout", nargs="?", metavar="L", help="a board of the list, or the file of a layout"
    )
    parser.add_argument("--svg", action="store_true", help="the picture only")
    parser.add_argument("--bom", action="store_true", help="the parts to buy, to tick off")
    parser.add_argument(
        "--step",
        choices=("first-chip", "first-light"),
        default="",
        metavar="S",
        help="with --wiring --svg only what is soldered first: first-chip, first-light",
    )
    parser.add_argument(
        "--wiring",
        action="store_true",
        help="the page about the wiring, of all boards without L; with --svg the circuit's picture",
    )


def run(arguments: argparse.Namespace) -> int:
    """Print a line for each board, or what is asked for of one; LayoutError if it is none."""
    print_errors(layout.UNUSABLE)
    boards = [layout.load(arguments.layout)] if arguments.layout is not None else []
    if arguments.wiring or boards:
        print_line(_drawn(arguments, boards))
        return 0
    for name in layout.NAMES:
        board = layout.load(name)
        sensing = render(labels.sensing_message(board))
        print_line(f"{name:12} {', '.join(board.games)}. {sensing}")
        for game in board.games:
            if caution := render(labels.caution_message(board, game)):
                print_line(f"{'':12} {game}: {caution}")
    return 0


def _drawn(arguments: argparse.Namespace, boards: Sequence[Layout]) -> str:
    """Return what is asked for of one board, or the page about all of them."""
    if arguments.wiring and not (arguments.svg and boards):
        return wiring.wiring_page(boards)
    board = boards[0]
    if arguments.svg:
        if arguments.wiring:
            return schematic.schematic_svg(board, arguments.step)
        return drawing.layout_svg(board)
    if arguments.bom:
        return wiring.parts_text(board)
    return f"{wiring.wiring_text(board)}\n{drawing.layout_svg(board)}"
