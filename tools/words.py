"""Finds words that the project does not use: `python -m tools.words [PATH …]`.

`tools/words.toml` lists them and says what to write instead. Without a path it looks through every
file of the repository that people write in English. It prints a line for each find; the exit code
is 1 if there is any.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
LIST: Final = Path(__file__).with_suffix(".toml")
SUFFIXES: Final = {".py", ".md", ".toml", ".js", ".css", ".html", ".sh", ".yml", ".service", ".po"}
NOT_READ: Final = (
    "tools/words.toml",
    "tools/words.py",
    "tests/tools/test_words.py",
    "docs/renamed.md",
)


@cache
def rules() -> list[tuple[re.Pattern[str], str]]:
    """Return each pattern to look for, with what to write instead."""
    listed = tomllib.loads(LIST.read_text("utf-8"))["avoid"]
    return [(re.compile(each["pattern"], re.IGNORECASE), each["instead"]) for each in listed]


def files(paths: Iterable[str]) -> Iterator[Path]:
    """Yield the files under the paths that git tracks and people write in English.

    There are none outside a checkout.
    """
    command = ["git", "-C", str(ROOT), "ls-files", "-z", "--", *paths]
    try:
        names = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return
    for name in names.split("\0"):
        if Path(name).suffix in SUFFIXES and name not in NOT_READ and (ROOT / name).exists():
            yield ROOT / name


def english(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the English lines of a file with their numbers; of a catalogue without translations."""
    in_translation = False
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        if path.suffix == ".po":
            if not line.startswith('"'):
                in_translation = line.startswith("msgstr")
            if in_translation:
                continue
        yield number, line


def found(path: Path) -> Iterator[str]:
    """Yield a line for each word to avoid in a file."""
    for number, line in english(path):
        for pattern, instead in rules():
            if (match := pattern.search(line)) is not None:
                where = f"{path.relative_to(ROOT)}:{number}"
                yield f"{where}: {match[0].strip()!r}: write {instead}"


def main(paths: list[str]) -> int:
    """Print what is found; return 1 if anything is."""
    lines = [line for path in files(paths) for line in found(path)]
    for line in lines:
        print(line)
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
