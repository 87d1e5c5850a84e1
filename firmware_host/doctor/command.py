"""The command: which examination, of which board, told how."""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from drivers import ws2812
from drivers.bus import BusError
from firmware_host.config.wiring import Devices
from firmware_host.console.terminal import tell
from firmware_host.doctor import hand_checks, report
from firmware_host.doctor.asking import AtASimulatedBoard, AtTheTerminal, Person, answered
from firmware_host.doctor.bench import Bench, PiBench, SimulatedBench, machine_of
from firmware_host.doctor.board_choice import BoardChoice, chosen_board
from firmware_host.doctor.examination import Examination, examine
from firmware_host.doctor.findings import Finding
from firmware_host.doctor.light_checks import light_findings
from firmware_host.doctor.magnet_walk import WHITE, walk
from firmware_host.doctor.system import System
from firmware_host.i18n.messages import negotiate, render, say
from hardware.layout import Layout, LayoutError
from hardware.pi.light_chain import coding_of
from hardware.simulated.faults import FAULTS, board_with_scatter, spoil
from hardware.simulated.wires import SimulatedWires

HEALTHY, FINDINGS = 0, 1
WATCH_S: Final = 1.0
FLASH_S: Final = 0.05


def run(chosen: argparse.Namespace, system: System | None = None) -> int:
    """Examine and tell; return 0 if the board is well, 1 if there are findings."""
    if "list" in chosen.broken:
        tell("\n".join(FAULTS))
        return HEALTHY
    language = negotiate(chosen.language, os.environ.get("LANG", "").split(".")[0])
    choice = chosen_board(chosen.layout, chosen.config, simulated=chosen.sim)
    board = choice.board
    pi = None if chosen.sim else system or System()
    if chosen.prepare:
        return prepare(System() if pi is None else pi, board, language, choice.devices)
    bench, person = _bench(choice, chosen, language)
    try:
        if chosen.watch:
            return watch(pi, bench, language)
        found = examine(pi, bench)
        ask(found, chosen.what, bench, person)
    finally:
        bench.close()
    if chosen.report:
        report.write(Path(chosen.report), found, pi, language)
    if chosen.json:
        tell(json.dumps(report.plain(found, language), ensure_ascii=False))
    else:
        for line in report.lines(found, language, asked=bool(chosen.what)):
            tell(line)
        if chosen.report:
            written = say("The report is in {file}: attach it to a question.", file=chosen.report)
            tell(render(written, language))
    return FINDINGS if found.findings else HEALTHY


def _bench(choice: BoardChoice, chosen: argparse.Namespace, language: str) -> tuple[Bench, Person]:
    if not chosen.sim:
        if chosen.broken:
            raise LayoutError("--break is for a simulated board: say --sim, too")
        return PiBench(choice.board, choice.devices), AtTheTerminal(language)
    wires = SimulatedWires(board_with_scatter(choice.board))
    person = AtASimulatedBoard(wires.board)
    for fault in chosen.broken:
        person.hands |= spoil(wires, fault)
    return SimulatedBench(wires), person


def prepare(system: System, board: Layout, language: str, devices: Devices) -> int:
    """Print the lines that this Pi's configuration needs."""
    coding = coding_of(devices.lights, devices.symbol_bits)
    size = ws2812.frame_bytes(len(board.led_positions), board.led_order, coding)
    for path, wanted in system.lines(devices.i2c, size, board.shutdown_gpio).items():
        tell(f"# /{path}" + (f" ({system.model})" if system.model else ""))
        if not all(system.is_set(line, path) for line in wanted):
            for line in system.to_put((), path):
                tell(line)
        for line in wanted:
            there = (
                "" if not system.is_set(line, path) else "   # " + render(say("is there"), language)
            )
            tell(f"{line}{there}")
    tell("# " + render(say("Then restart: sudo reboot"), language))
    return HEALTHY


def watch(pi: System | None, bench: Bench, language: str) -> int:
    """Examine again and again; tell what is new each time."""
    told: list[str] = []
    try:
        while True:
            now = list(report.lines(examine(pi, bench), language))
            for line in now:
                if line not in told:
                    tell(line, flush=True)
            told = now
            bench.close()
            time.sleep(WATCH_S)
    except KeyboardInterrupt:
        return HEALTHY


def ask(found: Examination, what: str | None, bench: Bench, person: Person) -> None:
    """Add what only a person can tell."""
    try:
        if what == "lights" and "SPI" not in found.closed:
            found.findings += answered(light_findings(bench), person)
        if what == "pins" and not found.closed:
            found.findings += _by_hand(bench, person, found.sound)
    except EOFError:
        raise BusError("nobody answers: run it at a terminal") from None


def _by_hand(bench: Bench, person: Person, present: Sequence[int]) -> Iterator[Finding]:
    if not (present or bench.layout.serial):
        return  # nothing would be seen of any hand
    yield from answered(hand_checks.button_walk(bench, present), person)
    yield from hand_checks.walk_findings(bench.layout, answered(walk(bench), person))
    if isinstance(person, AtTheTerminal):
        flash(bench, person)


def flash(bench: Bench, person: Person, looks: int = 0) -> None:
    """Light every place that a magnet is seen on, until Ctrl-C, or so many looks long."""
    machine = machine_of(bench)
    person.hear(say("Each magnet lights its cell now. Ctrl-C ends it."))
    look = 0
    try:
        while not looks or look < looks:
            now = look * FLASH_S
            seen = machine.read(now).readings
            machine.light(dict.fromkeys(seen, WHITE), now)
            bench.pause(FLASH_S)
            look += 1
    except KeyboardInterrupt:
        machine.light({}, (look + 1) * FLASH_S)
