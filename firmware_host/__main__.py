"""The command line: `lampion COMMAND …`."""

from __future__ import annotations

import argparse
import importlib
import keyword
import sys
from collections.abc import Sequence
from typing import Any, Final

from firmware_host.console.terminal import Parser, flush_output, print_error

COMMANDS: Final = {
    "sim": "the simulated board in the browser",
    "run": "plays on the real board that a configuration describes",
    "dark": "makes the lights of a real board dark",
    "config": "the configuration of a real board",
    "links": "the links by which others of the network join, one a role",
    "replay": "feeds a recording through the session",
    "export": "a match as a record that other programs read",
    "import": "keeps the match of a record, to resume it on the board",
    "games": "the games, or the options of one",
    "layouts": "the boards, or one as wiring and picture",
    "doctor": "finds what is wrong with a board, and says what to do",
    "calibrate": "finds how a board is wired, and writes its layout",
    "lessons": "the lessons there are, or checks those of a file",
    "perft": "counts move sequences; the last line is the number",
    "legal": "the legal moves, one a line, sorted",
    "hint": "the legal moves with their winning chances, best first",
    "usi": "the search as a USI engine for other programs: Shogi and Robot Duel",
    "tablebase": "takes a table of the solved Robot Duel: then hints know every outcome",
}
"""Each command is a module of `firmware_host.cli`: `add_arguments(parser)`, `run(arguments)`."""
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


def _parser() -> argparse.ArgumentParser:
    parser = Parser(prog="lampion", description=__doc__)
    commands = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=CommandParser)
    for command, about in COMMANDS.items():
        commands.add_parser(command, command=command, help=about, description=about)
    return parser


if __name__ == "__main__":
    sys.exit(main())
