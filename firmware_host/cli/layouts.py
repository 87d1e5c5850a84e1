"""`lampion layouts`: the boards, with their wiring, circuit, parts, picture and plans."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from engine.games import FINISHED, make
from firmware_host.console.terminal import print_errors, print_line
from firmware_host.i18n.messages import render
from firmware_host.text import labels
from firmware_host.web.stickers import stickers_page
from hardware import layout
from hardware.layout import Layout
from hardware.plans import files, order, page
from hardware.wiring import drawing, schematic, wiring


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `lampion layouts`."""
    parser.add_argument(
        "layout", nargs="?", metavar="L", help="a board of the list, or the file of a layout"
    )
    parser.add_argument("--svg", action="store_true", help="the picture only")
    parser.add_argument(
        "--bom",
        action="store_true",
        help="the parts to order, to tick off; without L the page about the parts of all boards",
    )
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
    parser.add_argument(
        "--plans",
        metavar="FOLDER",
        help="write all that builds L into a folder: lists, templates, a netlist for KiCad, "
        "trays and bases for OpenSCAD",
    )


def run(arguments: argparse.Namespace) -> int:
    """Print a line for each board, or the wanted output for one; LayoutError if there is no such
    board.
    """
    print_errors(layout.UNUSABLE)
    boards = [layout.load(arguments.layout)] if arguments.layout is not None else []
    if arguments.plans is not None:
        if not boards:
            raise ValueError("--plans needs the name of a board: lampion layouts L --plans FOLDER")
        _write_plans(boards[0], Path(arguments.plans))
    elif arguments.wiring or arguments.bom or boards:
        print_line(_drawn(arguments, boards))
    else:
        _list()
    return 0


def _write_plans(board: Layout, folder: Path) -> None:
    for line in files.write_plans(board, folder, piece_counts()):
        print_line(line)
    for game in board.games:
        if game in FINISHED and (page := stickers_page(game)):
            file = folder / f"stickers-{game}.html"
            file.write_text(page, encoding="utf-8")
            print_line(str(file))


def piece_counts() -> dict[str, Counter[str]]:
    """Return how many pieces of each kind every game has: on the board, in hands and in stocks."""
    counts = {}
    for name in FINISHED:
        game = make(name)
        counts[name] = Counter[str]()
        for piece in game.pieces(game.start()).values():
            counts[name][piece.kind] += piece.count
    return counts


def _list() -> None:
    for name in layout.NAMES:
        board = layout.load(name)
        sensing = render(labels.sensing_message(board))
        print_line(f"{name:12} {', '.join(board.games)}. {sensing}")
        for game in board.games:
            if caution := render(labels.caution_message(board, game)):
                print_line(f"{'':12} {game}: {caution}")


def _drawn(arguments: argparse.Namespace, boards: Sequence[Layout]) -> str:
    """Return the wanted drawing or list of one board, or the page about all of them."""
    if arguments.wiring and not (arguments.svg and boards):
        return wiring.wiring_page(boards)
    if arguments.bom:
        pieces = {game: counts.total() for game, counts in piece_counts().items()}
        if not boards:
            return page.parts_page(pieces)
        own = {game: pieces[game] for game in boards[0].games if game in pieces}
        return f"{order.orders_text(boards[0], own)}\n{wiring.parts_text(boards[0])}"
    board = boards[0]
    if arguments.svg:
        if arguments.wiring:
            return schematic.schematic_svg(board, arguments.step)
        return drawing.layout_svg(board)
    return f"{wiring.wiring_text(board)}\n{drawing.layout_svg(board)}"
