"""The command line: `lampion COMMAND …`."""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from engine.game import CHANCE
from engine.games import NAMES, make
from engine.match import AnyGame
from firmware_host import known_values
from firmware_host.calibrate import arguments as calibrate_arguments
from firmware_host.doctor import arguments as doctor_arguments
from firmware_host.kept_where import state_directory
from firmware_host.terminal import complain, let_go, tell

if TYPE_CHECKING:
    from hardware.layout import Layout

REFUSED = 1
USAGE = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return its exit code: 0 done, 1 refused with one line, 2 wrong usage."""
    try:
        try:
            return _run(arguments)
        finally:  # --help ends by SystemExit
            if sys.stdout is not None:
                sys.stdout.flush()
    except BrokenPipeError:  # who was listening has heard enough
        let_go(sys.stdout)
        return 0
    except OSError as error:  # a full disk under standard output
        let_go(sys.stdout)
        complain(f"standard output: {_reason(error)}")
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


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        complain(f"{message}; see {self.prog} --help")
        raise SystemExit(USAGE)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="lampion", description=__doc__)
    commands = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=_Parser)

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
    run.add_argument("--new", action="store_true", help="begin a new match; the last is kept")
    _options(run)
    config = command("config", _config, "the configuration of a real board")
    config.add_argument("act", choices=["show"], help="prints all keys with their values")
    _config_file(config)

    replay = command("replay", _replay, "feeds a recording through the session")
    replay.add_argument("file", metavar="FILE")
    replay.add_argument("--json", action="store_true", help="one JSON object a line")
    replay.add_argument(
        "--speed",
        type=_above_0,
        metavar="X",
        help="1 is the pace of the evening; without it as fast as can be",
    )

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
    command("usi", _usi, "the search as a USI engine for other programs: Shogi and Robot Duel")
    for each in (perft, legal, hint):
        each.add_argument("--position", metavar="TEXT", help="instead of the start")
        _options(each)
    solved = command("solve", _solve, "solves a game: then hints know the outcome of every move")
    solved.add_argument("game", choices=(known_values.GAME,), metavar="G", help="robot-duel")
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
    if not (text.isascii() and text.isdigit() and len(text) < 4):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of plies")
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
    from firmware_host import hint

    game, position = _game(chosen)
    book = known_values.book_of(game, state_directory(chosen.state))
    for line in hint.lines(game, position, chosen.time, chosen.json, book):
        print(line)
    return 0


def _solve(chosen: argparse.Namespace) -> int:
    from firmware_host.solving import command

    directory = state_directory(chosen.state)
    if chosen.file is not None:
        command.import_table(directory, chosen.file)
    else:
        command.solve(directory, chosen.second_player)
    return 0


def _usi(chosen: argparse.Namespace) -> int:
    from firmware_host import usi

    return usi.serve()


def _games(chosen: argparse.Namespace) -> int:
    for name in (chosen.game,) if chosen.game else NAMES:
        game = make(name)
        tell(f"{name:12} {game.title}; seats {', '.join(game.seats)}")
        if chosen.game:
            for option in game.known_options:
                default, *others = option.values
                tell(f"  {option.name} = {default} | {' | '.join(others)}".rstrip(" |"))
                said = [option.said(value) for value in option.values]
                same = said == list(option.values)
                tell(f"      {option.title}" + ("" if same else f": {' | '.join(said)}"))
                tell(f"      {option.about}")
    return 0


def _lessons(chosen: argparse.Namespace) -> int:
    from firmware_host.lessons import listing

    for line in listing.lines(chosen.of, state_directory(chosen.state)):
        tell(line)
    return 0


def _layouts(chosen: argparse.Namespace) -> int:
    from hardware import layout

    boards = [layout.load(chosen.layout)] if chosen.layout is not None else []
    if chosen.wiring or boards:
        tell(_drawn(chosen, boards))
        return 0
    from firmware_host.telling import board_words
    from firmware_host.words import render

    for name in layout.NAMES:
        board = layout.load(name)
        sensing = render(board_words.sensing_message(board))
        tell(f"{name:12} {', '.join(board.games)}. {sensing}")
        for game in board.games:
            if caution := render(board_words.caution_message(board, game)):
                tell(f"{'':12} {game}: {caution}")
    return 0


def _drawn(chosen: argparse.Namespace, boards: Sequence[Layout]) -> str:
    """Return what is asked for of one board, or the page about all of them."""
    from hardware import drawing, schematic, wiring

    if chosen.wiring and not (chosen.svg and boards):
        return wiring.wiring_page(boards)
    board = boards[0]
    if chosen.svg:
        if chosen.wiring:
            return schematic.schematic_svg(board, chosen.step)
        return drawing.layout_svg(board)
    if chosen.bom:
        return wiring.parts_text(board)
    return f"{wiring.wiring_text(board)}\n{drawing.layout_svg(board)}"


def _doctor(chosen: argparse.Namespace) -> int:
    from firmware_host.doctor import command

    return command.run(chosen)


def _calibrate(chosen: argparse.Namespace) -> int:
    from firmware_host.calibrate import command

    return command.run(chosen)


def _replay(chosen: argparse.Namespace) -> int:
    from firmware_host import replay
    from firmware_host.store import recording

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


def _sim(chosen: argparse.Namespace) -> int:
    from firmware_host import simulation

    return simulation.simulate(
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


def _run_board(chosen: argparse.Namespace) -> int:
    from firmware_host import config, play

    path = config.PATH if chosen.config is None else Path(chosen.config)
    return play.run(path, game=chosen.game, options=dict(chosen.set), new=chosen.new)


def _config(chosen: argparse.Namespace) -> int:
    from firmware_host import config
    from firmware_host.config_text import as_toml

    path = config.PATH if chosen.config is None else Path(chosen.config)
    known = chosen.config is not None or path.exists()
    tell(as_toml(config.read(path) if known else config.Config()).rstrip("\n"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
