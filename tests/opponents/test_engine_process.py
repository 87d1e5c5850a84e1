"""USI engines as opponents: what they are told, and what becomes of what they say."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.games import make
from engine.match import AnyGame, Match
from engine.notation.usi import VARIANT_OPTIONS
from firmware_host.i18n.messages import render
from firmware_host.opponents import engine_process
from firmware_host.opponents.engine_process import (
    FIRST_LINE_S,
    LATE_S,
    LOADING_S,
    LOADING_SILENCE_S,
    STOP_AFTER_S,
    EngineProcess,
)
from firmware_host.opponents.engine_protocols import DECLARES, RESIGNS
from tests.support.stories import asynchronous
from tests.support.usi import ENTERED, ours, scripted, uci


class Child:
    """What stands for a running program: it keeps what it is told."""

    error_lines: tuple[str, ...] = ()
    has_ended = False
    ends_over = b"nothing"

    def __init__(
        self, command: object, received: object, ended: Callable[[], None], *_: str
    ) -> None:
        self.told: list[bytes] = []
        self.ended = ended

    def send(self, line: bytes) -> None:
        self.told.append(line)
        if line.startswith(self.ends_over):
            self.ended()

    def resume_reading(self) -> None:
        pass

    pause_reading = end = resume_reading


def engine_that_says(
    monkeypatch: pytest.MonkeyPatch, game: AnyGame, position: str | None, *lines: str
) -> EngineProcess:
    """Return an engine that was asked for a move at 0, and has said these lines."""
    monkeypatch.setattr(engine_process, "SubprocessClient", Child)
    engine = EngineProcess(sys.executable, lambda: None)
    start = game.start() if position is None else game.parse_position(position)
    engine.ask(Match.begin(game, start), 1.0, 0.0)
    for line in lines:
        engine._receive(line.encode())
    return engine


def told(engine: EngineProcess) -> list[bytes]:
    assert isinstance(engine._process, Child)
    return engine._process.told


def fault_of(engine: EngineProcess) -> str:
    return "" if engine.fault is None else render(engine.fault)


# ---- what it plays


IMPASSE = make("shogi", {"impasse": "declaration27"})


@pytest.mark.parametrize(
    ("says", "game", "position", "chosen"),
    [
        ("bestmove 7g7f ponder 3c3d", make("shogi"), None, "7g7f"),
        ("  bestmove\t\t 7g7f \tponder  3c3d ", make("shogi"), None, "7g7f"),
        ("bestmove resign", make("shogi"), None, RESIGNS),
        ("bestmove win", IMPASSE, ENTERED, DECLARES),
        ("bestmove win", IMPASSE, None, ""),
        ("bestmove win", make("shogi"), ENTERED, ""),
        ("bestmove 5i5a", make("shogi"), None, ""),
        ("bestmove nonsense", make("shogi"), None, ""),
    ],
)
def test_what_it_plays_counts_where_the_rules_allow_it(
    monkeypatch: pytest.MonkeyPatch, says: str, game: AnyGame, position: str | None, chosen: str
) -> None:
    engine = engine_that_says(monkeypatch, game, position, " usiok\t", "\treadyok ", says)
    assert engine.chosen == chosen
    refused = f"plays {says.split()[1]}, but the rules do not allow it."
    assert fault_of(engine).endswith(refused) == (not chosen)


def test_a_lion_that_may_be_taken_is_taken_though_no_engine_believes_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    engine = engine_that_says(monkeypatch, make("robot-duel"), "1l1/1L1/3/3 b 2C2E2G 1")
    assert engine.chosen == "B2B1"


# ---- what it is told


@pytest.mark.parametrize("names", [(), ("USI_Variant",), ("UCI_Variant",), VARIANT_OPTIONS])
def test_the_game_is_set_by_the_option_that_the_engine_offers(
    monkeypatch: pytest.MonkeyPatch, names: tuple[str, ...]
) -> None:
    var = "type combo default shogi var shogi var dobutsu"
    lines = (*(f"option name {name} {var}" for name in names), "usiok")
    chosen = [f"setoption name {name} value dobutsu".encode() for name in names]
    engine = engine_that_says(monkeypatch, make("robot-duel"), None, *lines)
    assert told(engine) == [b"usi", *chosen, b"isready"]
    engine = engine_that_says(monkeypatch, make("shogi"), None, *lines)
    assert told(engine) == [b"usi", b"isready"]


@pytest.mark.parametrize(
    ("impasse", "rule"),
    [("agreement24", "NoEnteringKing"), ("off", "NoEnteringKing"), ("declaration27", "CSARule27")],
)
def test_the_rule_of_impasse_is_set_where_the_engine_has_it(
    monkeypatch: pytest.MonkeyPatch, impasse: str, rule: str
) -> None:
    option = "option name EnteringKingRule type combo default CSARule27 var NoEnteringKing "
    option += "var CSARule24 var CSARule27"
    game = make("shogi", {"impasse": impasse})
    engine = engine_that_says(monkeypatch, game, None, option, "usiok")
    setting = f"setoption name EnteringKingRule value {rule}".encode()
    assert told(engine) == [b"usi", setting, b"isready"]


# ---- how long it may take


def test_it_has_to_say_something_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = engine_that_says(monkeypatch, make("shogi"), None)
    due = 1.0 + FIRST_LINE_S + LATE_S
    assert engine.look(0.0) == due
    assert engine.look(due) is None
    assert "does not answer" in fault_of(engine)


@pytest.fixture
def loading(monkeypatch: pytest.MonkeyPatch) -> EngineProcess:
    """Return an engine that was asked at 0 and has said `usiok` after 9 seconds."""
    engine = engine_that_says(monkeypatch, make("shogi"), None, "usiok")
    assert engine.look(9.0) == 9.0 + LOADING_SILENCE_S
    return engine


def test_it_may_load_for_as_long_as_it_says_something(loading: EngineProcess) -> None:
    for now in range(50, 280, 50):
        loading._receive(b"")
        assert loading.look(now) == min(now + LOADING_SILENCE_S, LOADING_S)
    loading._receive(b"readyok")
    lines = told(loading)
    assert loading.look(280.0) == 281.0 + STOP_AFTER_S
    assert b"stop" not in lines
    for line in (b"info depth 1", b""):  # nothing that it says lets it think for longer
        loading._receive(line)
        assert loading.look(281.0 + STOP_AFTER_S) == 281.0 + LATE_S
    assert lines.count(b"stop") == 1
    assert loading.fault is None
    assert loading.look(281.0 + LATE_S) is None
    assert loading.fault is not None


@pytest.mark.parametrize("says", [False, True])
def test_it_does_not_load_for_ever(loading: EngineProcess, says: bool) -> None:
    for now in range(20, 300, 20):
        if says:
            loading._receive(b"")
        loading.look(now)
        assert (loading.fault is None) == (says or now < 9.0 + LOADING_SILENCE_S)
    assert loading.look(LOADING_S) is None
    assert loading.fault is not None


@pytest.mark.parametrize("ends_over", [b"setoption", b"isready", b"position", b"go", b"stop"])
def test_it_may_end_over_whatever_it_is_told(
    monkeypatch: pytest.MonkeyPatch, ends_over: bytes
) -> None:
    monkeypatch.setattr(Child, "ends_over", ends_over)
    variant = "option name USI_Variant type combo default shogi var shogi var dobutsu"
    engine = engine_that_says(monkeypatch, make("robot-duel"), None, variant, "usiok", "readyok")
    engine.look(10.0)
    assert engine.look(11.0 + STOP_AFTER_S) is None
    assert "has stopped by itself" in fault_of(engine)


# ---- programs


async def moved(engine: EngineProcess, changed: asyncio.Event, match: Match) -> str:
    """Return the move of an engine; empty if it fails."""
    engine.ask(match, 0.02, time.monotonic())
    while not (engine.chosen or engine.fault):
        engine.look(time.monotonic())
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(changed.wait(), 0.05)
        changed.clear()
    return engine.chosen


def test_an_engine_of_uci_plays_a_game_that_has_its_words(tmp_path: Path) -> None:
    lampion_chess = pytest.importorskip("lampion_chess", reason="python-chess is not installed")
    game, program = lampion_chess.Chess(), uci(tmp_path, "e7e5")
    begun = Match.begin(game).play(game.parse_move(game.start(), "e2e4"))

    async def run() -> list[str]:
        changed = asyncio.Event()
        with contextlib.closing(EngineProcess(program, changed.set, protocol="uci")) as engine:
            again = begun.play(game.parse_move(begun.position, "e7e5"))
            return [
                await moved(engine, changed, match) or fault_of(engine) for match in (begun, again)
            ]

    refused = "uci-engine plays e7e5, but the rules do not allow it."
    assert asyncio.run(run()) == ["e7e5", refused]
    told = (tmp_path / "told").read_text().splitlines()
    assert told == [
        "uci",
        "isready",
        "ucinewgame",
        "position startpos moves e2e4",
        "go movetime 20",
        "position startpos moves e2e4 e7e5",
        "go movetime 20",
    ]


def plays(program: str, *arguments: str) -> list[str]:
    """Return what comes of it when a program is asked twice for the first move of shogi."""

    async def run() -> list[str]:
        changed = asyncio.Event()
        with contextlib.closing(EngineProcess(program, changed.set, *arguments)) as engine:
            match = Match.begin(make("shogi"))
            return [await moved(engine, changed, match) or fault_of(engine) for _ in range(2)]

    return asyncio.run(run())


MOVES = 'print("bestmove 7g7f", flush=True)'


def test_a_file_that_cannot_be_run_is_said(tmp_path: Path) -> None:
    file = tmp_path / "no-program"
    file.write_text("no program\n")
    assert plays(str(file)) == ["no-program cannot be started."] * 2


@pytest.mark.parametrize(
    ("go", "stop"),
    [
        ("threading.Timer(int(words[words.index('byoyomi') + 1]) / 1000, print, "
         "('bestmove 7g7f',), {'flush': True}).start()", "pass"),
        ("pass", MOVES),
    ],
    ids=["knows byoyomi", "waits for stop"],
)  # fmt: skip
def test_an_engine_need_not_know_movetime(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, go: str, stop: str
) -> None:
    monkeypatch.setattr(engine_process, "STOP_AFTER_S", 0.1)
    assert plays(scripted(tmp_path, go, stop)) == ["7g7f"] * 2


def test_an_engine_runs_in_its_own_folder_with_its_arguments(tmp_path: Path) -> None:
    (tmp_path / "eval.bin").write_text("x")
    check = "open('eval.bin'); assert sys.argv[1:] == ['--book', 'a b']"
    link = tmp_path / "bin" / "link"
    link.parent.mkdir()
    link.symlink_to(scripted(tmp_path, MOVES, before=check))
    assert plays(str(link), "--book", "a b") == ["7g7f"] * 2


def test_what_an_engine_writes_to_its_standard_error_is_in_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    fails = "print('x\\n' * 20000, file=sys.stderr); open('eval.bin')"
    assert plays(scripted(tmp_path, MOVES, before=fails)) == ["engine has stopped by itself."] * 2
    said = [record.getMessage() for record in caplog.records]
    assert len(said) == 2 * engine_process.MOST_LOGGED
    assert "No such file or directory: 'eval.bin'" in said[-1]


@pytest.mark.parametrize("stream", ["sys.stdout", "sys.stderr"])
@asynchronous
async def test_an_engine_that_says_too_much_after_its_move_costs_nothing(
    tmp_path: Path, stream: str
) -> None:
    flood = f"print('info string x' * 9, file={stream}, flush=True)"
    program = scripted(
        tmp_path,
        f"{MOVES}; threading.Thread(target=flood, daemon=True).start()",
        before=f"def flood():\n    while True:\n        {flood}",
    )
    changed = asyncio.Event()
    with contextlib.closing(EngineProcess(program, changed.set)) as engine:
        match = Match.begin(make("shogi"))
        assert await moved(engine, changed, match) == "7g7f"
        begun = time.process_time()
        await asyncio.sleep(0.3)
        assert time.process_time() - begun < 0.05
        assert await moved(engine, changed, match) == "7g7f"


PLAYS = """
import asyncio, sys
from engine.games import make
from engine.match import Match
from firmware_host.opponents.engine_process import EngineProcess
async def main():
    changed = asyncio.Event()
    engine = EngineProcess(sys.argv[1], changed.set)
    engine.ask(Match.begin(make("shogi")), 0.02, 0.0)
    await changed.wait()
    print(engine.chosen, flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)
    engine.close()
asyncio.run(main())
"""


@pytest.mark.parametrize("killed", [False, True])
def test_what_an_engine_has_started_ends_with_it(tmp_path: Path, killed: bool) -> None:
    if killed and shutil.which("setpriv") is None:
        pytest.skip("no setpriv here, which ends them")
    started = tmp_path / "started"
    engine = scripted(
        tmp_path,
        MOVES,
        before="import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "child = subprocess.Popen(['sleep', '600'])\n"
        f"open({str(started)!r}, 'w').write(f'{{os.getpid()}} {{child.pid}}')",
    )
    ours = subprocess.Popen(
        [sys.executable, "-c", PLAYS, engine],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert ours.stdout is not None
    assert ours.stdout.readline() == "7g7f\n"
    processes = [int(word) for word in started.read_text().split()]
    if killed:
        ours.kill()
    ours.communicate()
    for _ in range(300):
        if not any(runs(process) for process in processes):
            return
        time.sleep(0.1)
    pytest.fail("they go on")


def runs(process: int) -> bool:
    """Whether a process is there and has not ended."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


# ---- whole games


FAIRY = shutil.which("fairy-stockfish", path=os.environ.get("PATH", "") + os.pathsep + "/usr/games")


def whole_game(name: str, *programs: str) -> Match:
    """Let two programs play each other until the game is over or one resigns."""
    game: AnyGame = make(name)

    async def play() -> Match:
        changed = asyncio.Event()
        match = Match.begin(game)
        with contextlib.ExitStack() as stack:
            engines = [EngineProcess(path, changed.set) for path in programs]
            for each in engines:
                stack.callback(each.close)
            while not match.outcome and match.plies < 300:
                engine = engines[match.turn]
                chosen = await moved(engine, changed, match)
                assert engine.fault is None, engine.fault
                if chosen == RESIGNS:
                    break
                match = match.play(game.parse_move(match.position, chosen))
        return match

    return asyncio.run(play())


@pytest.mark.deep
@pytest.mark.parametrize("name", ["robot-duel", "shogi"])
def test_whole_games_against_itself(name: str, tmp_path: Path) -> None:
    match = whole_game(name, ours(tmp_path), ours(tmp_path))
    assert match.plies > 8
    assert match.outcome or match.plies == 300


@pytest.mark.deep
@pytest.mark.skipif(FAIRY is None, reason="no fairy-stockfish here; apt-get install it to run this")
@pytest.mark.parametrize("name", ["robot-duel", "shogi"])
@pytest.mark.parametrize("seat", [0, 1])
def test_whole_games_against_fairy_stockfish(name: str, seat: int, tmp_path: Path) -> None:
    programs = [FAIRY or "", ours(tmp_path)]
    assert whole_game(name, programs[seat], programs[1 - seat]).plies > 8
