"""`lampion calibrate`: finds how a board is wired, and writes its layout."""

from __future__ import annotations

import argparse

from drivers.bus import BusError
from firmware_host.calibrate import progress as progresses
from firmware_host.calibrate.miswired import miswired
from firmware_host.calibrate.procedure import calibrate
from firmware_host.cli.arguments import language_of
from firmware_host.config.config import PATH
from firmware_host.doctor.asking import Asking, AtASimulatedBoard, AtTheTerminal, answered
from firmware_host.doctor.bench import Bench, PiBench, SimulatedBench, chosen_board
from firmware_host.storage.paths import state_directory
from hardware import layout as layouts
from hardware.simulated.faults import board_with_scatter
from hardware.simulated.wires import SimulatedWires


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `lampion calibrate`."""
    board = parser.add_mutually_exclusive_group()
    board.add_argument(
        "--layout",
        metavar="L",
        help="the layout that the board should have; default: the configuration's",
    )
    board.add_argument(
        "--config",
        metavar="F",
        help="the configuration of the board; default /etc/lampion/lampion.toml",
    )
    parser.add_argument("--state", metavar="DIR", help="where what was found out is kept")
    parser.add_argument(
        "--restart", action="store_true", help="start again, without what was found out before"
    )
    parser.add_argument(
        "--sim",
        type=int,
        nargs="?",
        const=1,
        metavar="N",
        help="a simulated board that is wired differently from its layout, with simulated hands; "
        "another one for each N",
    )
    parser.add_argument(
        "--page", action="store_true", help="ask on a page in the browser, not at the terminal"
    )
    parser.add_argument(
        "--port", type=int, default=8710, metavar="N", help="of the page; default 8710"
    )
    parser.add_argument("--lan", action="store_true", help="let a phone open it, too")
    parser.add_argument("--language", metavar="CODE", help="en, pl, cs or fr; else the system's")


def run(arguments: argparse.Namespace) -> int:
    """Ask and write; return 0 if the board is healthy, 1 if there are findings."""
    language = language_of(arguments.language)
    simulated = arguments.sim is not None
    choice = chosen_board(arguments.layout, arguments.config, simulated=simulated)
    given = arguments.state or (choice.config.state if choice.config else None)
    state = state_directory(given)
    if simulated and not given:
        state /= "simulated"  # apart from the files of a real board
    text, _ = layouts.source(choice.name)
    wires = SimulatedWires(board_with_scatter(miswired(text, arguments.sim))) if simulated else None
    bench: Bench = SimulatedBench(wires) if wires else PiBench(choice.board, choice.devices)
    mark = progresses.fingerprint(choice.board, arguments.sim)
    if arguments.restart:
        progresses.forget(state)

    def begin() -> Asking[int]:
        bench.close()  # the page may begin a second time
        bench.layout = choice.board
        return calibrate(bench, text, state, mark, None if wires else PATH.parent)

    try:
        if arguments.page:
            from firmware_host.calibrate import page

            board = wires.board if wires else None
            guide = page.Guide(begin, choice.board, board, language)
            return page.lead(guide, arguments.port, state, lan=arguments.lan)
        person = AtASimulatedBoard(wires.board, language) if wires else AtTheTerminal(language)
        return answered(begin(), person)
    except EOFError:
        raise BusError("nobody answers: run it at a terminal, or with --page") from None
    finally:
        bench.close()
