"""The command line: `lampion COMMAND …`."""

from __future__ import annotations

import argparse
import importlib
import keyword
import sys
from collections.abc import Sequence
from typing import Any, Final

from firmware_host.console.terminal import Parser, flush_output, print_error, print_line

COMMANDS: Final = {
    "sim": "simulates a board in the browser",
    "run": "plays on the real board that a configuration describes",
    "setup": "asks what a board needs to know, and writes its configuration",
    "dark": "switches the lights of a real board off",
    "links": "prints a link for each role in which others of the network can join",
    "config": "prints the configuration: all keys with their values",
    "replay": "replays a recording of sensors, dice, buttons and people",
    "review": "looks back at a match: the moves that decided it, and what was better",
    "export": "prints a match as other programs read it",
    "import": "takes in a record of another program; its match can go on",
    "matches": "lists the matches that were played, the latest first",
    "games": "lists the games, or the options of one",
    "lessons": "lists the lessons, or checks those of a file",
    "layouts": "lists the boards, or prints what builds one: parts, wiring, pictures, templates",
    "doctor": "finds what is wrong with a board that was built, and says what to do",
    "calibrate": "finds with a magnet how a board is really wired, and writes its layout",
    "legal": "lists the legal moves of a position",
    "hint": "lists the legal moves with their winning chances and why, best first",
    "tablebase": "takes in a table of the solved Robot Duel; hints then know every outcome",
    "usi": "offers the search, or the person at a board, as a USI engine: Shogi and Robot Duel",
    "perft": "counts sequences of moves",
}
"""Each command with what it does, in the order and words of the table in the README. It is a module
of `firmware_host.cli`: `add_arguments(parser)`, `run(arguments)`.
"""
REFUSED: Final = 1


class CommandParser(Parser):
    """The parser of one command, which imports the command's module when the command is used."""

    def __init__(self, *, command: str, **options: Any) -> None:
        super().__init__(**options)
        self._module = f"firmware_host.cli.{command}{'_' * keyword.iskeyword(command)}"

    def parse_known_args(self, args: Sequence[str] | None = None, namespace: Any = None) -> Any:  # type: ignore[override]
        """Parse the command's own arguments."""
        module = importlib.import_module(self._module)
        module.add_arguments(self)
        self.set_defaults(run=module.run)
        return super().parse_known_args(args, namespace)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return its exit code: 0 done, 1 refused with one line, 2 wrong usage."""
    try:
        try:
            return _run(arguments)
        finally:  # --help ends by SystemExit
            flush_output()
    except BrokenPipeError:  # the reader of the output has gone
        return 0
    except OSError as error:  # a full disk under standard output
        print_error(_reason(error))
        return REFUSED
    except KeyboardInterrupt:
        return 130


def _run(arguments: Sequence[str] | None) -> int:
    parsed = _parser().parse_args(arguments)
    try:
        return int(parsed.run(parsed))
    except BrokenPipeError:
        raise
    except (ValueError, OSError) as error:  # GameError, RecordingError, LayoutError, BusError …
        print_error(_reason(error))
        return REFUSED


def _reason(error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror:
        where = "" if error.filename is None else f"{error.filename}: "
        return where + error.strerror
    return str(error) or type(error).__name__


class _ShowVersion(argparse.Action):
    """The option that prints the version of the package that is installed."""

    def __init__(self, **options: Any) -> None:
        super().__init__(nargs=0, **options)

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        """Print it, and end the program."""
        from importlib.metadata import version  # 20 ms that no command needs

        print_line(f"{parser.prog} {version('lampion')}")
        parser.exit()


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="lampion",
        description="A game board that knows the rules. `lampion COMMAND --help` says more.",
    )
    parser.add_argument("--version", action=_ShowVersion, help="show the version and exit")
    commands = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=CommandParser)
    for command, about in COMMANDS.items():
        commands.add_parser(command, command=command, help=about, description=about)
    return parser


if __name__ == "__main__":
    sys.exit(main())
