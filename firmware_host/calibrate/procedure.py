"""The whole calibration of a board: resumes what is known, walks, and writes the files."""

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
from firmware_host.doctor import report
from firmware_host.doctor.asking import Asking
from firmware_host.doctor.bench import Bench
from firmware_host.i18n.messages import Message, say
from firmware_host.storage import files
from hardware import hall_zeros
from hardware.layout import Layout

DONE, FINDINGS = 0, 1
HOMES: Final = ("/home", "/root")
"""The folders that systemd hides from the service (ProtectHome)."""
MOST_LINES: Final = 40
"""At most this number of changed lines is shown; the file has all."""


def calibrate(
    bench: Bench, text: str, state: Path, mark: str, service: Path | None = None
) -> Asking[int]:
    """Calibrate the board on a bench; return 0 if it is healthy, 1 if there are findings.

    `text` is its layout's file; `mark` tells its progress from that of other boards; `service` is
    the folder in which the service reads its files, if it plays on this board.
    """
    board = bench.layout
    known = progresses.read(state, mark) or Progress(mark)
    progresses.save(state, known)  # fails now rather than after the walk if the disk refuses
    if known.seen:
        yield say("This continues where it stopped: {n} sensors are known.", n=len(known.seen))
    done = Calibration(bench, known, lambda now: progresses.save(state, now))
    yield from done.run()
    result = result_of(done, tomllib.loads(text))
    yield from result.summary
    yield from map(report.line, result.difference[:MOST_LINES])
    if len(result.difference) > MOST_LINES:
        yield report.line(say("… and {n} more lines", n=len(result.difference) - MOST_LINES))
    yield from report.finding_messages(result.findings)
    if result.whole:
        yield from _write(state, board, result)
        if service is not None:
            yield from for_the_service(state, board, service)
    else:
        yield say("The layout is not written: places are missing. Run it again to go on.")
    _keep_or_forget(state, done.progress, result)
    return FINDINGS if result.findings or not result.whole else DONE


def _write(state: Path, board: Layout, result: CalibrationResult) -> Iterator[Message]:
    """Write the layout and the zeros, each atomically, and say where."""
    path = (state / f"{board.name}.toml").absolute()
    files.put(path, result.text.encode(), mode=files.READABLE)
    yield say("The layout of this board: {path}", path=str(path))
    yield say("The configuration names it with this line: {line}", line=f'layout = "{path}"')
    if result.zeros is not None:
        zeros = hall_zeros.text(result.zeros).encode()
        files.put(state / hall_zeros.FILE, zeros, mode=files.READABLE)
        yield say(
            "The zeros of {n} Hall sensors: {path}",
            n=len(result.zeros.zeros),
            path=str(state / hall_zeros.FILE),
        )


def for_the_service(state: Path, board: Layout, folder: Path) -> Iterator[Message]:
    """Say how to make the files readable for the service if they lie in a home folder."""
    written = [(state / name).absolute() for name in (f"{board.name}.toml", hall_zeros.FILE)]
    if any(written[0].is_relative_to(home) for home in HOMES):
        there = " ".join(shlex.quote(str(file)) for file in written if file.exists())
        yield say(
            "The service may not read a home directory. Copy it where the service can "
            "read it: {command}",
            command=f"sudo install -D -m 644 -t {folder} {there}",
        )
        yield say(
            "The configuration names it with this line: {line}",
            line=f'layout = "{folder / written[0].name}"',
        )


def _keep_or_forget(state: Path, progress: Progress, result: CalibrationResult) -> None:
    """Keep the progress without the unsure sensors; delete it if no sensor is unsure."""
    if not result.unsure:
        progresses.forget(state)
        return
    for sensor in result.unsure:
        progress.seen.pop(sensor, None)
    progresses.save(state, progress)
