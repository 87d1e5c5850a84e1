"""The whole calibration of a board: from what is known of it to the files that are written."""

from __future__ import annotations

import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from firmware_host.calibrate import progress as progresses
from firmware_host.calibrate.calibration import Calibration
from firmware_host.calibrate.progress import Progress
from firmware_host.calibrate.result import CalibrationResult, result_of
from firmware_host.config import config as configs
from firmware_host.doctor import report
from firmware_host.doctor.asking import Asking
from firmware_host.doctor.bench import Bench, PiBench
from firmware_host.i18n.messages import Message, say
from firmware_host.storage import files
from hardware import hall_zeros
from hardware.layout import Layout

DONE, FINDINGS = 0, 1
HOMES: Final = ("/home", "/root")
"""What systemd hides from a service that asks for that (ProtectHome), as ours does."""
SHOWN: Final = 40
"""So many lines of the difference are shown; the file has all."""


def calibrate(bench: Bench, text: str, state: Path, mark: str) -> Asking[int]:
    """Calibrate the board on a bench, whose layout has this text, from what is known on of the
    board of this mark; return 0 if the board is well, 1 if there are findings.
    """
    board = bench.layout
    known = progresses.read(state, mark) or Progress(mark)
    progresses.keep(state, known)  # before anybody has walked in vain
    if known.seen:
        yield say("It goes on where it was broken off: {n} sensors are known.", n=len(known.seen))
    done = Calibration(bench, known, lambda now: progresses.keep(state, now))
    yield from done.run()
    result = result_of(done, tomllib.loads(text))
    yield from result.said
    yield from map(report.line, result.difference[:SHOWN])
    if len(result.difference) > SHOWN:
        yield report.line(say("… and {n} lines more", n=len(result.difference) - SHOWN))
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
            "The service may not look into a home. Put it where it may: {command}",
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
