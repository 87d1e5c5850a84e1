"""The checks of the rig, each with one line of output."""

from __future__ import annotations

import contextlib
import subprocess
import time
import traceback
from collections.abc import Callable, Iterator


@contextlib.contextmanager
def check(name: str) -> Iterator[list[str]]:
    """Print `ok` or `not ok`, followed by the entries of the list."""
    figures: list[str] = []
    try:
        yield figures
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        at = f"{where.filename.rpartition('/')[2]}:{where.lineno}"
        print(f"not ok - {name} - {type(error).__name__} at {at}: {error}", *figures, flush=True)
    else:
        print(f"ok - {name}", *([f"({'; '.join(figures)})"] if figures else []), flush=True)


def must(claim: object, what: object) -> None:
    """Raise AssertionError with `what` unless the claim holds."""
    if not claim:
        raise AssertionError(what)


def run(*command: str) -> str:
    """Return the output of a command; AssertionError with the output if it fails."""
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    must(done.returncode == 0, f"{' '.join(command)}: {done.stdout.strip()[-1500:]}")
    return done.stdout


def shown(unit: str, what: str) -> str:
    """Return a property of a unit."""
    return run("systemctl", "show", "--value", f"--property={what}", unit).strip()


def until(claim: Callable[[], object], seconds: float, what: str) -> float:
    """Wait until something holds; return the seconds it took."""
    begun = time.monotonic()
    while not claim():
        must(time.monotonic() < begun + seconds, f"not within {seconds:.0f} s: {what}")
        time.sleep(0.2)
    return time.monotonic() - begun
