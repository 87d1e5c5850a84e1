"""What the parts of the site share: what each says of itself, and how it runs other programs."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import NamedTuple


class SitePart(NamedTuple):
    """A part of the site on the start page."""

    title: str
    about: str


class CannotBuildError(Exception):
    """The site cannot be built here; the message is one line that says what to do."""


def run(*command: str, folder: Path | None = None) -> None:
    """Run a program in a folder, or in the current one; CannotBuildError says in one line why it
    failed.
    """
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return
    lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
    errors = [line for line in lines if "error" in line.lower()] or lines[-1:]
    why = errors[0] if errors else f"exit code {done.returncode}"
    raise CannotBuildError(f"{Path(command[0]).name} failed: {why}")
