"""Run the benchmarks, all or the named ones: `python -m benchmarks [NAME …]`."""

from __future__ import annotations

import argparse
import pkgutil
from importlib import import_module
from pathlib import Path


def main() -> None:
    """Run each module here that has a `run`."""
    here = sorted(module.name for module in pkgutil.iter_modules([str(Path(__file__).parent)]))
    modules = {name: import_module(f"benchmarks.{name}") for name in here if name != "__main__"}
    runs = {name: module.run for name, module in modules.items() if hasattr(module, "run")}
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(runs))
    names = parser.parse_args().names or list(runs)
    for name in names:
        if name not in runs:
            parser.error(f"no benchmark {name!r}; there are: {', '.join(runs)}")
    for name in names:
        print(f"\n{name}\n{'=' * len(name)}", flush=True)
        runs[name]()


if __name__ == "__main__":
    main()
