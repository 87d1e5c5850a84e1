"""The command: which board, what is known of it already, and what is written of it."""

from __future__ import annotations

import argparse
import os
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Final

from drivers.bus import BusError
from firmware_host.calibrate import progress as progresses
from firmware_host.calibrate.built import built
from firmware_host.calibrate.calibration import Calibration
from firmware_host.calibrate.progress import Progress
from firmware_host.calibrate.result import Result, result_of
from firmware_host.doctor import report
from firmware_host.doctor.asking import AtASimulatedBoard, AtTheTerminal, Person
from firmware_host.doctor.bench import Bench, PiBench, SimulatedBench
from firmware_host.doctor.board_choice import Choice, chosen_board
from firmware_host.kept_where import state_directory
from firmware_host.store import files
from firmware_host.terminal import tell
from firmware_host.words import Message, negotiate, render, say
from hardware import hall_zeros
from hardware import layout as layouts
from hardware.layout import Layout
from hardware.simulated_faults import board_with_scatter
from hardware.simulated_wires import SimulatedWires

DONE, FINDINGS = 0, 1
SHOWN: Final = 40
"""So many lines of the difference are shown; the file has all."""


def run(chosen: argparse.Namespace) -> int:
    """Walk and write; return 0 if the board is well, 1 if there are findings."""
    language = negotiate(chosen.language, os.environ.get("LANG", "").split(".")[0])
    simulated = chosen.sim is not None
    choice = chosen_board(chosen.layout, chosen.config, simulated=simulated)
    given = chosen.state or (choice.config.state if choice.config else None)
    state = state_directory(given)
    if simulated and not given:
        state /= "simulated"  # not among what a real board's has
    text, _ = layouts.source(choice.name)
    bench, person = _bench(choice, text, chosen.sim, language)
    try:
        mark = progresses.fingerprint(bench.layout, chosen.sim)
        known = None if chosen.anew else progresses.read(state, mark)
        return calibrate(bench, person, text, state, known or Progress(mark), language)
    finally:
        bench.close()


def _bench(choice: Choice, text: str, simulated: int | None, language: str) -> tuple[Bench, Person]:
    if simulated is None:
        return PiBench(choice.board, choice.devices), AtTheTerminal(language)
    wires = SimulatedWires(board_with_scatter(built(text, simulated)))
    bench = SimulatedBench(wires)
    bench.layout = choice.board
    return bench, AtASimulatedBoard(wires.board)


def calibrate(
    bench: Bench, person: Person, text: str, state: Path, known: Progress, language: str = "en"
) -> int:
    """Calibrate the board on a bench, whose layout has this text, from what is known of it on;
    return 0 if the board is well, 1 if there are findings.
    """

    def told(message: Message, begin: str = "") -> None:
        tell(begin + render(message, language), flush=True)

    board = bench.layout
    progresses.keep(state, known)  # before anybody has walked in vain
    if known.seen:
        told(say("It goes on where it was broken off: {n} sensors are known.", n=len(known.seen)))
    done = Calibration(bench, person, known, lambda now: progresses.keep(state, now))
    try:
        done.run()
    except EOFError:
        raise BusError("nobody answers: run it at a terminal") from None
    result = result_of(done, tomllib.loads(text))
    for message in result.said:
        told(message)
    for line in result.difference[:SHOWN]:
        tell(f"   {line}")
    if len(result.difference) > SHOWN:
        told(say("… and {n} lines more", n=len(result.difference) - SHOWN), "   ")
    for line in report.finding_lines(result.findings, language):
        tell(line)
    if result.whole:
        _write(state, board, result, told)
    else:
        told(say("The layout is not written: places are missing. Run it again to go on."))
    _leave(state, done.progress, result)
    return FINDINGS if result.findings or not result.whole else DONE


def _write(state: Path, board: Layout, result: Result, told: Callable[[Message], None]) -> None:
    """Put the layout and the zeros in place, each all or nothing."""
    path = (state / f"{board.name}.toml").absolute()
    files.put(path, result.text.encode())
    told(say("The layout of this board: {path}", path=str(path)))
    told(say("The configuration names it like this: {line}", line=f'layout = "{path}"'))
    if result.zeros is not None:
        files.put(state / hall_zeros.FILE, hall_zeros.text(result.zeros).encode())
        told(
            say(
                "The zeros of {n} Hall sensors: {path}",
                n=len(result.zeros.zeros),
                path=str(state / hall_zeros.FILE),
            )
        )


def _leave(state: Path, progress: Progress, result: Result) -> None:
    """Keep what need not be asked again, if there is something to be mended; else nothing."""
    if not result.unsure:
        progresses.forget(state)
        return
    for sensor in result.unsure:
        progress.seen.pop(sensor, None)
    progresses.keep(state, progress)
