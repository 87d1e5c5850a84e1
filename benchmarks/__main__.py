"""Run benchmarks: `python -m benchmarks` the quick ones, `python -m benchmarks NAME …` these.

Options after a single name go to that benchmark: `python -m benchmarks reading --help`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType
from typing import Final

QUICK: Final = ("robot_duel", "shogi", "chaturaji", "robotory", "abalone", "wire", "path")
ON_REQUEST: Final = ("frames", "reading", "search", "analysis", "why", "library", "page", "child")
"""They take minutes, and run only when they are named."""
NAMES: Final = (*QUICK, *ON_REQUEST)
OURS: Final = frozenset({"benchmarks", "drivers", "engine", "firmware_host", "hardware"})
USAGE: Final = 2


def main(arguments: Sequence[str]) -> int:
    """Run the named benchmarks; return 1 if one found something wrong, 2 for wrong usage."""
    first = next((n for n, each in enumerate(arguments) if each.startswith("-")), len(arguments))
    names, options = list(arguments[:first]), list(arguments[first:])
    if options and not names and options[0] in ("-h", "--help"):
        print(f"{__doc__}\nThere are: {', '.join(NAMES)}")
        return 0
    for name in names:
        if name not in NAMES:
            return _misused(f"no benchmark {name!r}; there are: {', '.join(NAMES)}")
    if options and len(names) != 1:
        return _misused(f"{options[0]}: name the one benchmark that it belongs to")
    return max([_run(name, options) for name in names or QUICK])


def _misused(why: str) -> int:
    print(f"benchmarks: {why}", file=sys.stderr)
    return USAGE


def _run(name: str, options: list[str]) -> int:
    print(f"\n{name}\n{'=' * len(name)}", flush=True)
    module = _loaded(name)
    if module is None:
        return 0
    if hasattr(module, "main"):
        return int(module.main(options))
    if options:
        return _misused(f"{options[0]}: {name} has no options")
    module.run()
    return 0


def _loaded(name: str) -> ModuleType | None:
    """Return the benchmark; None, after a notice, if a package is missing."""
    try:
        return import_module(f"benchmarks.{name}")
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in OURS:
            raise  # our own module, not a peer's
        print(f"{error.name} is not installed here: skipped (`make bench` installs it)")
        return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
