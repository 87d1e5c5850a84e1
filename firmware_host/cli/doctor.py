"""`lampion doctor`: examines a board, and says what is wrong and what to do."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from drivers import ws2812
from firmware_host.cli.arguments import language_of
from firmware_host.config.board import Devices
from firmware_host.console.terminal import print_line
from firmware_host.doctor import report
from firmware_host.doctor.asking import AtASimulatedBoard, AtTheTerminal, Person
from firmware_host.doctor.bench import Bench, BoardChoice, PiBench, SimulatedBench, chosen_board
from firmware_host.doctor.examination import ask, examine
from firmware_host.doctor.system import COMMANDS, System
from firmware_host.i18n.messages import render, say
from firmware_host.storage import files
from hardware.layout import Layout, LayoutError
from hardware.pi.light_chain import coding_of
from hardware.simulated.faults import FAULTS, board_with_scatter, inject_fault
from hardware.simulated.wires import SimulatedWires

HEALTHY, FINDINGS = 0, 1
WHAT: Final = ("lights", "pins")
WATCH_S: Final = 1.0
"""Time between two examinations with `--watch`."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `lampion doctor`."""
    parser.add_argument(
        "what",
        nargs="?",
        choices=WHAT,
        metavar="WHAT",
        help="`lights` asks what the lights show, `pins` has buttons pressed and magnets laid",
    )
    board = parser.add_mutually_exclusive_group()
    board.add_argument(
        "--layout", metavar="L", help="the layout of the board; default: the configuration's"
    )
    board.add_argument(
        "--config",
        metavar="F",
        help="the configuration of the board; default /etc/lampion/lampion.toml",
    )
    parser.add_argument(
        "--prepare",
        action="store_true",
        help="print the lines that the configuration of this Pi needs",
    )
    parser.add_argument(
        "--write",
        action="store_true",
        help="with --prepare: also add the lines that are missing, as root",
    )
    parser.add_argument("--watch", action="store_true", help="look again and again, until Ctrl-C")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--report", metavar="FILE", help="write one file to attach to a question")
    parser.add_argument("--sim", action="store_true", help="examine a simulated board")
    parser.add_argument(
        "--break",
        dest="broken",
        action="append",
        default=[],
        metavar="FAULT",
        help="a fault of the simulated board; `list` prints all",
    )
    parser.add_argument("--language", metavar="CODE", help="en, pl, cs or fr; else the system's")


def run(arguments: argparse.Namespace) -> int:
    """Examine and report; return 0 if the board is healthy, 1 if there are findings."""
    if "list" in arguments.broken:
        print_line("\n".join(FAULTS))
        return HEALTHY
    language = language_of(arguments.language)
    choice = chosen_board(arguments.layout, arguments.config, simulated=arguments.sim)
    board = choice.board
    pi = None if arguments.sim else System()
    if arguments.write and not arguments.prepare:
        raise LayoutError("--write adds the lines of --prepare: say --prepare, too")
    if arguments.prepare:
        system = pi or System()
        return prepare(system, board, language, choice.devices, write=arguments.write)
    bench, person = _bench(choice, arguments, language)
    try:
        if arguments.watch:
            return watch(pi, bench, language)
        found = examine(pi, bench)
        ask(found, arguments.what, bench, person)
    finally:
        bench.close()
    if arguments.report:
        report.write(Path(arguments.report), found, pi, language)
    if arguments.json:
        print_line(json.dumps(report.plain(found, language), ensure_ascii=False))
    else:
        for line in report.lines(found, language, asked=bool(arguments.what)):
            print_line(line)
        if arguments.report:
            written = say(
                "The report is in {file}: attach it when you ask for help.", file=arguments.report
            )
            print_line(render(written, language))
    return FINDINGS if found.findings else HEALTHY


def _bench(
    choice: BoardChoice, arguments: argparse.Namespace, language: str
) -> tuple[Bench, Person]:
    if not arguments.sim:
        if arguments.broken:
            raise LayoutError("--break is for a simulated board: say --sim, too")
        return PiBench(choice.board, choice.devices), AtTheTerminal(language)
    wires = SimulatedWires(board_with_scatter(choice.board))
    person = AtASimulatedBoard(wires.board)
    for fault in arguments.broken:
        person.hands |= inject_fault(wires, fault)
    return SimulatedBench(wires), person


def prepare(
    system: System, board: Layout, language: str, devices: Devices, *, write: bool = False
) -> int:
    """Print the lines that this Pi's configuration needs; with `write` add the missing ones first.
    ValueError if this is no Pi, OSError if the user may not.
    """
    coding = coding_of(devices.lights, devices.symbol_bits)
    size = ws2812.frame_bytes(len(board.led_positions), board.led_order, coding)
    for path, wanted in system.lines(devices.i2c, size, board.shutdown_gpio).items():
        if write:
            _add(system, wanted, path)
        print_line(f"# /{path}" + (f" ({system.model})" if system.model else ""))
        if not all(system.is_set(line, path) for line in wanted):
            for line in system.lines_to_add((), path):
                print_line(line)
        for line in wanted:
            there = (
                "" if not system.is_set(line, path) else "   # " + render(say("is there"), language)
            )
            print_line(f"{line}{there}")
    print_line("# " + render(say("Then restart: sudo reboot"), language))
    return HEALTHY


def _add(system: System, wanted: Iterable[str], path: str) -> None:
    """Add the lines that a file of the boot partition lacks; what else it has stays as it is."""
    missing = [line for line in wanted if not system.is_set(line, path)]
    if not missing:
        return
    file = system.root / path
    if not file.exists():
        raise ValueError(f"{file}: there is no such file; is this a Raspberry Pi?")
    there, rest = file.read_bytes(), b""
    if path == COMMANDS:  # the kernel reads only its first line
        there, _, rest = there.partition(b"\n")
        added = "".join(f" {line}" for line in missing)
    else:
        added = "".join(f"\n{line}" for line in system.lines_to_add(missing, path))
    files.put(file, there.rstrip() + added.encode() + b"\n" + rest, mode=files.READABLE)


def watch(pi: System | None, bench: Bench, language: str) -> int:
    """Examine again and again until Ctrl-C; print the lines that are new each time."""
    printed: list[str] = []
    try:
        while True:
            lines = list(report.lines(examine(pi, bench), language))
            for line in lines:
                if line not in printed:
                    print_line(line, flush=True)
            printed = lines
            bench.close()
            time.sleep(WATCH_S)
    except KeyboardInterrupt:
        return HEALTHY
