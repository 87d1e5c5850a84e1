"""The tables that benchmarks write into the docs, and the line that says how they were made."""

from __future__ import annotations

import os
import platform
import re
import subprocess
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def made_by(command: str) -> str:
    """Return when, from which commit, by which command and on what machine a table was made."""
    return f"{date.today()}, commit {commit()}, `python -m {command}` on {machine()}."


def machine() -> str:
    """Return the processors, the system and the Python of this machine."""
    name = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        name = next(line.partition(":")[2].strip() for line in lines if "model name" in line)
    except (OSError, StopIteration):
        pass
    return f"{os.cpu_count()} × {name}, {platform.system()}, Python {platform.python_version()}"


def commit() -> str:
    """Return the commit of the sources, and whether they have changed since."""

    def git(*arguments: str) -> str:
        command = ["git", "-C", str(ROOT), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    try:
        sources = ("engine", "hardware", "firmware_host", "benchmarks", "examples")
        changed = git("status", "--porcelain", "--untracked-files=no", "--", *sources)
        return git("rev-parse", "--short", "HEAD") + (" with changes" if changed else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def written(page: str, part: str, lines: str) -> str:
    """Return the page with the lines between the part's two markers replaced."""
    marked = re.compile(rf"(<!-- {part} -->\n).*?(<!-- /{part} -->)", re.DOTALL)
    if not marked.search(page):
        raise ValueError(f"no markers <!-- {part} --> and <!-- /{part} -->")
    return marked.sub(lambda match: match[1] + lines + match[2], page)
