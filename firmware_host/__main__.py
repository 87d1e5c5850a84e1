"""The command line: `lampion COMMAND …`."""

from __future__ import annotations

import argparse
import math
import shlex
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from engine.game import CHANCE
from engine.games import NAMES, make
from engine.match import AnyGame
from firmware_host.calibrate import arguments as calibrate_arguments
from firmware_host.console.terminal import Parser, complain, flush_told, tell
from firmware_host.doctor import arguments as doctor_arguments
from firmware_host.storage import tablebase
from firmware_host.storage.paths import state_directory

REFUSED = 1
DEEPEST = 99
"""`perft` counts no more plies than this; not even half of them can be counted."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return its exit code: 0 done, 1 refused with one line, 2 wrong usage."""
    try:
        try:
            return _run(arguments)
        finally:  # --help ends by SystemExit
            flush_told()
    except BrokenPipeError:  # who was listening has heard enough
        return 0
    except OSError as error:  # a full disk under standard output
        complain(_reason(error))
        return REFUSED
    except KeyboardInterrupt:
        return 130


def _run(arguments: Sequence[str] | None) -> int:
    parser = _parser()
    chosen = parser.parse_args(arguments)
    try:
        return int(chosen.run(chosen))
    except BrokenPipeError:
        raise
    except (ValueError, OSError) as error:  # GameError, RecordingError, LayoutError, BusError …
        complain(_reason(error))
        return REFUSED


def _reason(error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror:
        where = "" if error.filename is None else f"{error.filename}: "
        return where + error.strerror
    return str(error) or type(error).__name__


def _parser() -> argparse.ArgumentParser:
    parser = Parser(prog="lampion", description=__doc__)
    commands = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=Parser)

    def command(name: str, run: Any, help_text: str) -> argparse.ArgumentParser:
        made = commands.add_parser(name, help=help_text, description=help_text)
        made.set_defaults(run=run)
        return made

    sim = command("sim", _sim, "the simulated board in the browser")
    sim.add_argument("--game", choices=NAMES, metavar="G", help=f"one of {', '.join(NAMES)}")
    sim.add_argument(
        "--layout",
        metavar="L",
        help="the board; without it the one that suits the game best, as `lampion layouts` says",
    )
    sim.add_argument("--port", type=int, default=8710, metavar="N", help="default 8710")
    sim.add_argument("--lan", action="store_true", help="serve other devices of the network too")
    sim.add_argument("--record", metavar="FILE", help="write a recording of the match")
    sim.add_argument("--state", metavar="DIR", help="where match and magnets are kept")
    begun = sim.add_mutually_exclusive_group()
    begun.add_argument("--match", metavar="FILE", help="go on with this match kept in DIR")
    begun.add_argument("--new", action="store_true", help="begin a new match; the last is kept")
    sim.add_argument("--lesson", metavar="ID", help="begin with this lesson; see `lampion lessons`")
    sim.add_argument("--demo", action="store_true", help="simulated hands play")
    sim.add_argument("--seed", type=int, default=1, metavar="N", help="of the simulated hands")
    _options(sim)

    run = command("run", _run_board, "plays on the real board that a configuration describes")
    _config_file(run)
    run.add_argument("--game", choices=NAMES, metavar="G", help=f"one of {', '.join(NAMES)}")
    begun = run.add_mutually_exclusive_group()
    begun.add_argument("--match", metavar="FILE", help="go on with this match kept by the board")
    begun.add_argument("--new", action="store_true", help="begin a new match; the last is kept")
    _options(run)
    dark = command("dark", _dark, "makes the lights of a real board dark")
    _config_file(dark)
    config = command("config", _config, "the configuration of a real board")
    config.add_argument("act", choices=["show"], help="prints all keys with their values")
    _config_file(config)

    links = command("links", _links, "the links by which others of the network join, one a role")
    links.add_argument("--state", metavar="DIR", help="where the board keeps its matches")
    links.add_argument("--port", type=int, default=8710, metavar="N", help="default 8710")
    links.add_argument(
        "--renew", action="store_true", help="makes other links; the old ones end at once"
    )

    replay = command("replay", _replay, "feeds a recording through the session")
    replay.add_argument("file", metavar="FILE")
    replay.add_argument("--json", action="store_true", help="one JSON object a line")
    replay.add_argument(
        "--speed",
        type=_above_0,
        metavar="X",
        help="1 is the pace of the evening; without it as fast as can be",
    )

    export = command("export", _export, "a match as a record that other programs read")
    export.add_argument(
        "match", nargs="?", metavar="MATCH", help="the file of a kept match; default: the last one"
    )
    export.add_argument("--to", metavar="F", help="kif, csa, usi, aba-pro or text")
    export.add_argument("--state", metavar="DIR", help="where matches are kept")
    taken = command("import", _import, "keeps the match of a record, to go on with on the board")
    taken.add_argument("file", metavar="FILE")
    taken.add_argument(
        "--from",
        dest="form",
        metavar="F",
        help="kif, csa, usi, aba-pro or text; default: as it is named",
    )
    taken.add_argument("--layout", metavar="L", help="the board on which it is gone on with")
    taken.add_argument("--state", metavar="DIR", help="where matches are kept")

    games = command("games", _games, "the games, or the options of one")
    games.add_argument("game", nargs="?", choices=NAMES, metavar="G")
    layouts = command("layouts", _layouts, "the boards, or one as wiring and picture")
    layouts.add_argument("layout", nargs="?", metavar="L")
    layouts.add_argument("--svg", action="store_true", help="the picture only")
    layouts.add_argument("--bom", action="store_true", help="the parts to buy, to tick off")
    layouts.add_argument(
        "--step",
        choices=("first-chip", "first-light"),
        default="",
        metavar="S",
        help="with --wiring --svg only what is soldered first: first-chip, first-light",
    )
    layouts.add_argument(
        "--wiring",
        action="store_true",
        help="the page about the wiring, of all boards without L; with --svg the circuit's picture",
    )

    doctor = command("doctor", _doctor, "finds what is wrong with a board, and says what to do")
    doctor_arguments.add_arguments(doctor)

    walk = command("calibrate", _calibrate, "finds how a board is wired, and writes its layout")
    calibrate_arguments.add_arguments(walk)

    lessons = command("lessons", _lessons, "the lessons there are, or checks those of a file")
    lessons.add_argument(
        "of", nargs="?", metavar="G", help="a game; or a lesson file, to be checked"
    )
    lessons.add_argument("--state", metavar="DIR", help="where it is kept which were done")

    perft = command("perft", _perft, "counts move sequences; the last line is the number")
    perft.add_argument("game", choices=NAMES, metavar="G")
    perft.add_argument("depth", type=_depth, metavar="DEPTH")
    perft.add_argument("--divide", action="store_true", help="count each first move by itself")
    legal = command("legal", _legal, "the legal moves, one a line, sorted")
    legal.add_argument("game", choices=NAMES, metavar="G")
    hint = command("hint", _hint, "the legal moves with their winning chances, best first")
    hint.add_argument("game", choices=NAMES, metavar="G")
    hint.add_argument("--time", type=_above_0, default=1.0, metavar="S", help="seconds; default 1")
    hint.add_argument("--json", action="store_true", help="one JSON object a line")
    hint.add_argument("--state", metavar="DIR", help="where the table of a solved game is kept")
    hint.add_argument(
        "--help-level",
        type=int,
        choices=range(4),
        default=2,
        metavar="N",
        help="0 to 3, as of a seat: the more help, the more a fine move may give away; default 2",
    )
    command("usi", _usi, "the search as a USI engine for other programs: Shogi and Robot Duel")
    for each in (perft, legal, hint):
        each.add_argument("--position", metavar="TEXT", help="instead of the start")
        _options(each)
    solved = command("solve", _solve, "solves a game: then hints know the outcome of every move")
    solved.add_argument("game", choices=(tablebase.GAME,), metavar="G", help="robot-duel")
    solved.add_argument("--state", metavar="DIR", help="where the table is kept")
    given = solved.add_mutually_exclusive_group()
    given.add_argument("--import", dest="file", metavar="FILE", help="take a table made elsewhere")
    given.add_argument(
        "--second-player", metavar="FILE", help="write what comes with the program, too"
    )
    return parser


def _config_file(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", metavar="FILE", help="default /etc/lampion/lampion.toml")


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--set",
        action="append",
        type=_pair,
        default=[],
        metavar="option=value",
        help="a rule of the game; see `lampion games G`",
    )


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is not written as option=value")
    return name, value


def _depth(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 4 and int(text) <= DEEPEST):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of plies from 0 to {DEEPEST}")
    return int(text)


def _above_0(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is no number above 0")
    return number


def _game(chosen: argparse.Namespace) -> tuple[AnyGame, Any]:
    game = make(chosen.game, dict(chosen.set))
    if chosen.position is None:
        return game, game.start()
    return game, game.parse_position(chosen.position)


def _perft(chosen: argparse.Namespace) -> int:
    game, position = _game(chosen)
    if chosen.divide and chosen.depth > 0 and game.turn(position) != CHANCE:
        total = 0
        for move in sorted(game.legal(position), key=lambda m: game.move_text(position, m)):
            count = game.perft(game.play(position, move), chosen.depth - 1)
            total += count
            tell(f"{game.move_text(position, move)} {count}", flush=True)
        tell(f"{total}")
        return 0
    tell(f"{game.perft(position, chosen.depth)}")
    return 0


def _legal(chosen: argparse.Namespace) -> int:
    game, position = _game(chosen)
    for text in sorted(game.move_text(position, move) for move in game.legal(position)):
        tell(text)
    return 0


def _hint(chosen: argparse.Namespace) -> int:
    from firmware_host.cli import hint

    game, position = _game(chosen)
    book = tablebase.book_of(game, state_directory(chosen.state))
    level = chosen.help_level
    for line in hint.lines(game, position, chosen.time, chosen.json, book, level):
        tell(line)
    return 0


def _solve(chosen: argparse.Namespace) -> int:
    from tools.solving import command

    directory = state_directory(chosen.state)
    if chosen.file is not None:
        command.import_table(directory, chosen.file)
    else:
        command.solve(directory, chosen.second_player)
    return 0


def _usi(chosen: argparse.Namespace) -> int:
    from firmware_host.cli import usi

    return usi.serve()


def _games(chosen: argparse.Namespace) -> int:
    from firmware_host.cli import inventory

    inventory.tell_games(chosen.game)
    return 0


def _lessons(chosen: argparse.Namespace) -> int:
    from firmware_host.cli import lessons as listing

    for line in listing.lines(chosen.of, state_directory(chosen.state)):
        tell(line)
    return 0


def _layouts(chosen: argparse.Namespace) -> int:
    from firmware_host.cli import inventory

    inventory.tell_layouts(chosen)
    return 0


def _doctor(chosen: argparse.Namespace) -> int:
    from firmware_host.doctor import command

    return command.run(chosen)


def _calibrate(chosen: argparse.Namespace) -> int:
    from firmware_host.calibrate import command

    return command.run(chosen)


def _replay(chosen: argparse.Namespace) -> int:
    from firmware_host.cli import replay
    from firmware_host.storage import recording

    record = recording.read(chosen.file)
    session = replay.begin(record)
    if record.torn:
        complain(f"{chosen.file}: the last line broke off and is left out")
    begun = time.monotonic()
    for note in replay.replay(record, session):
        if chosen.json and note.event not in replay.KINDS:
            continue
        if chosen.speed:
            time.sleep(max(0.0, note.at / chosen.speed - (time.monotonic() - begun)))
        tell(replay.told(note.plain(), session, chosen.json), flush=bool(chosen.speed))
    tell(replay.told(replay.ending(session), session, chosen.json))
    return 0


def _export(chosen: argparse.Namespace) -> int:
    from firmware_host.storage import game_records

    text, said = game_records.exported(state_directory(chosen.state), chosen.match, chosen.to)
    for line in said:
        complain(line)
    tell(text.rstrip("\n"))
    return 0


def _import(chosen: argparse.Namespace) -> int:
    from firmware_host.storage import game_records

    state = state_directory(chosen.state)
    path, said = game_records.imported(state, chosen.file, chosen.form, chosen.layout)
    for line in said:
        complain(line)
    where = f" --state {shlex.quote(chosen.state)}" if chosen.state else ""
    tell(f"kept as {path}")
    tell(f"play on with: lampion sim --match {path.name}{where}")
    return 0


def _sim(chosen: argparse.Namespace) -> int:
    from firmware_host.host import simulated

    return simulated.simulate(
        game=chosen.game,
        options=dict(chosen.set),
        layout=chosen.layout,
        port=chosen.port,
        lan=chosen.lan,
        record=chosen.record,
        state=chosen.state,
        match=chosen.match,
        new=chosen.new,
        demo=chosen.demo,
        seed=chosen.seed,
        lesson=chosen.lesson,
    )


def _links(chosen: argparse.Namespace) -> int:
    from firmware_host.web.keys import link_lines

    state = state_directory(chosen.state)
    for line in link_lines(state, chosen.port, renew=chosen.renew):
        tell(line)
    return 0


def _run_board(chosen: argparse.Namespace) -> int:
    from firmware_host.cli import run as play
    from firmware_host.config import config

    path = config.PATH if chosen.config is None else Path(chosen.config)
    options = dict(chosen.set)
    return play.run(path, game=chosen.game, options=options, new=chosen.new, match=chosen.match)


def _dark(chosen: argparse.Namespace) -> int:
    from firmware_host.cli.dark import dark
    from firmware_host.config.config import PATH

    return dark(Path(chosen.config or PATH))


def _config(chosen: argparse.Namespace) -> int:
    from firmware_host.config import config
    from firmware_host.config.as_toml import as_toml

    path = config.PATH if chosen.config is None else Path(chosen.config)
    known = chosen.config is not None or path.exists()
    tell(as_toml(config.read(path) if known else config.Config()).rstrip("\n"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
