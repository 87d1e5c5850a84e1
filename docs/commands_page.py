"""Update the page of the commands: `python docs/commands_page.py`.

Every command, argument and option is as the program has it.
"""

from __future__ import annotations

import argparse
import importlib
import keyword
from collections.abc import Iterator
from pathlib import Path

from firmware_host.__main__ import COMMANDS

PAGE = Path(__file__).with_name("commands.md")
HEAD = """# Commands

Each command explains itself with `--help`. Exit code 0 means done, 1 refused with one line that
says why, 2 wrong usage. This page is written by `python docs/commands_page.py`.
"""


def written() -> str:
    """Return the whole page."""
    return HEAD + "".join(f"\n{text}\n" for text in map(_command, COMMANDS))


def _command(name: str) -> str:
    module = importlib.import_module(f"firmware_host.cli.{name}{'_' * keyword.iskeyword(name)}")
    parser = argparse.ArgumentParser(prog=f"lampion {name}", add_help=False)
    module.add_arguments(parser)
    lines = [f"## lampion {name}", "", f"It {COMMANDS[name]}."]
    rows = list(_rows(parser))
    if rows:
        lines += ["", "| argument | what it is |", "|---|---|", *rows]
    return "\n".join(lines)


def _rows(parser: argparse.ArgumentParser) -> Iterator[str]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, inner in action.choices.items():
                yield _row(f"`{name}`", inner.description or "")
                yield from _rows(inner)
        elif not isinstance(action, argparse._HelpAction):
            yield _row(_argument(action), (action.help or "") % vars(action))


def _argument(action: argparse.Action) -> str:
    value = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    if action.option_strings:
        names = ", ".join(action.option_strings)
        return f"`{names}`" if action.nargs == 0 else f"`{names} {value}`"
    return f"`{value}`" + (", may be left out" if action.nargs in ("?", "*") else "")


def _row(name: str, about: str) -> str:
    return f"| {name.replace('|', chr(92) + '|')} | {about.replace('|', chr(92) + '|')} |"


if __name__ == "__main__":
    PAGE.write_text(written(), encoding="utf-8")
