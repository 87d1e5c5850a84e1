"""The command: which board, what is known of it already, and what is written of it."""

from __future__ import annotations

import argparse
import os
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from drivers.bus import BusError
from firmware_host.calibrate import progress as progresses
from firmware_host.calibrate.built import built
from firmware_host.calibrate.calibration import Calibration
from firmware_host.calibrate.progress import Progress
from firmware_host.calibrate.result import CalibrationResult, result_of
from firmware_host.config import config as configs
from firmware_host.doctor import report
from firmware_host.doctor.asking import Asking, AtASimulatedBoard, AtTheTerminal, answered
from firmware_host.doctor.bench import Bench, PiBench, SimulatedBench
from firmware_host.doctor.board_choice import chosen_board
from firmware_host.i18n.messages import Message, negotiate, say
from firmware_host.storage import files
from firmware_host.storage.paths import state_directory
from hardware import hall_zeros
from hardware import layout as layouts
from hardware.layout import Layout
from hardware.simulated.faults import board_with_scatter
from hardware.simulated.wires import SimulatedWires

DONE, FINDINGS = 0, 1
HOMES: Final = ("/home", "/root")
"""What systemd hides from a service that asks for that (ProtectHome), as ours does."""
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
    wires = SimulatedWires(board_with_scatter(built(text, chosen.sim))) if simulated else None
    bench: Bench = SimulatedBench(wires) if wires else PiBench(choice.board, choice.devices)
    mark = progresses.fingerprint(choice.board, chosen.sim)
    if chosen.anew:
        progresses.forget(state)

    def begin() -> Asking[int]:
        bench.close()  # it may have been begun before
        bench.layout = choice.board
        return calibrate(bench, text, state, mark)

    try:
        if chosen.page:
            from firmware_host.calibrate import page

            board = wires.board if wires else None
            guide = page.Guide(begin, choice.board, board, language)
            return page.lead(guide, chosen.port, state, lan=chosen.lan)
        person = AtASimulatedBoard(wires.board, language) if wires else AtTheTerminal(language)
        return answered(begin(), person)
    except EOFError:
        raise BusError("nobody answers: run it at a terminal, or with --page") from None
    finally:
        bench.close()


def calibrate(bench: Bench, text: str, state: Path, mark: str) -> Asking[int]:
    """Calibrate the board on a bench, whose layout has this text, from what is known on of the
    board of this mark; return 0 if the board is well, 1 if there are findings.
    """
    board = bench.layout
    known = progresses.read(state, mark) or Progress(mark)
    progresses.keep(state, known)  # before anybody has walked in vain
    if known.seen:
        yield say("This continues where it stopped: {n} sensors are known.", n=len(known.seen))
    done = Calibration(bench, known, lambda now: progresses.keep(state, now))
    yield from done.run()
    result = result_of(done, tomllib.loads(text))
    yield from result.said
    yield from map(report.line, result.difference[:SHOWN])
    if len(result.difference) > SHOWN:
        yield report.line(say("… and {n} more lines", n=len(result.difference) - SHOWN))
    yield from report.finding_messages(result.findings)
    if result.whole:
        yield from _write(state, board, result)
        if isinstance(bench, PiBench):
            yield from for_the_service(state, board)
    else:
        yield say("The layout is not written: places are missing. Run it again to go on.")
    _leave(state, done.progress, result)
    return FINDINGS if result.findings or not result.whole else DONE


def _write(state: Path, board: Layout, result: CalibrationResult) -> Iterator[Message]:
    """Put the layout and the zeros in place, each all or nothing, and say where."""
    path = (state / f"{board.name}.toml").absolute()
    files.put(path, result.text.encode(), mode=files.READABLE)
    yield say("The layout of this board: {path}", path=str(path))
    yield say("The configuration names it like this: {line}", line=f'layout = "{path}"')
    if result.zeros is not None:
        zeros = hall_zeros.text(result.zeros).encode()
        files.put(state / hall_zeros.FILE, zeros, mode=files.READABLE)
        yield say(
            "The zeros of {n} Hall sensors: {path}",
            n=len(result.zeros.zeros),
            path=str(state / hall_zeros.FILE),
        )


def for_the_service(state: Path, board: Layout) -> Iterator[Message]:
    """Say what makes the service find what was written, if it lies in somebody's home."""
    written = [(state / name).absolute() for name in (f"{board.name}.toml", hall_zeros.FILE)]
    if any(written[0].is_relative_to(home) for home in HOMES):
        folder = configs.PATH.parent
        there = " ".join(shlex.quote(str(file)) for file in written if file.exists())
        yield say(
            "The service may not read a home directory. Copy it where the service can "
            "read it: {command}",
            command=f"sudo install -D -m 644 -t {folder} {there}",
        )
        yield say(
            "The configuration names it like this: {line}",
            line=f'layout = "{folder / written[0].name}"',
        )


def _leave(state: Path, progress: Progress, result: CalibrationResult) -> None:
    """Keep what need not be asked again, if there is something to be mended; else nothing."""
    if not result.unsure:
        progresses.forget(state)
        return
    for sensor in result.unsure:
        progress.seen.pop(sensor, None)
    progresses.keep(state, progress)
