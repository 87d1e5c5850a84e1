"""Engines of others, as the board sees them, and ours, as others see it: whole conversations."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.game import GameError
from engine.games import make
from engine.match import AnyGame, Match
from engine.notation.usi import VARIANT_OPTIONS, move_of, move_word, position_word
from firmware_host.cli.usi import USUAL_S as USUAL_TIME
from firmware_host.cli.usi import UsiServer
from firmware_host.i18n.messages import render, say
from firmware_host.opponents import usi_engine
from firmware_host.opponents.usi_engine import (
    DECLARES,
    FIRST_LINE_S,
    LATE_S,
    LOADING_S,
    LOADING_SILENCE_S,
    RESIGNS,
    STOP_AFTER_S,
    UsiEngine,
)
from firmware_host.players.kinds import (
    PERSON,
    PlayerKind,
    available,
    kind_message,
    player_kind,
    suits,
)

SCRIPT = """#!{python}
import os, subprocess, sys, threading, time
{before}
for line in sys.stdin:
    words = line.split()
    word = words[0] if words else ""
    if word == "usi":
        print("id name scripted\\nusiok", flush=True)
    elif word == "isready":
        print("readyok", flush=True)
    elif word == "go":
        {go}
    elif word == "stop":
        {stop}
"""
USUAL = {"before": "", "go": "pass", "stop": "pass"}


@pytest.fixture
def program(tmp_path: Path) -> Callable[..., str]:
    """Return a way to write an engine that answers `go` so, and perhaps does more."""

    def written(go: str, **more: str) -> str:
        file = tmp_path / "engine"
        file.write_text(SCRIPT.format(python=sys.executable, **(USUAL | more | {"go": go})))
        file.chmod(0o755)
        return str(file)

    return written


def with_an_engine(
    path: str,
    story: Callable[[UsiEngine, asyncio.Event], Coroutine[Any, Any, None]],
    *arguments: str,
) -> None:
    async def run() -> None:
        changed = asyncio.Event()
        engine = UsiEngine(path, changed.set, *arguments)
        try:
            await story(engine, changed)
        finally:
            engine.close()

    asyncio.run(run())


async def moved(engine: UsiEngine, changed: asyncio.Event, match: Match) -> str:
    changed.clear()
    engine.ask(match, 0.02, 0.0)
    while not (engine.chosen or engine.fault):
        await asyncio.wait_for(changed.wait(), 30)
        changed.clear()
    return engine.chosen


# ---- engines of others


def test_an_engine_makes_a_move(program: Any) -> None:
    async def story(engine: UsiEngine, changed: asyncio.Event) -> None:
        game = make("shogi")
        match = Match.begin(game)
        assert await moved(engine, changed, match) == "7g7f"

    with_an_engine(program('print("info depth 1\\nbestmove 7g7f ponder 3c3d", flush=True)'), story)


@pytest.mark.parametrize(
    ("go", "said"),
    [
        ('print("bestmove 5i5a", flush=True)', "but the rules do not allow it"),
        ('print("bestmove nonsense", flush=True)', "but the rules do not allow it"),
        ("sys.exit(1)", "has stopped by itself"),
    ],
)
def test_what_goes_wrong_is_said_and_it_may_be_asked_again(
    program: Any, go: str, said: str
) -> None:
    async def story(engine: UsiEngine, changed: asyncio.Event) -> None:
        for _ in range(2):
            assert await moved(engine, changed, Match.begin(make("shogi"))) == ""
            assert engine.fault is not None
            assert said in render(engine.fault)

    with_an_engine(program(go), story)


def test_an_engine_that_says_nothing_is_ended(program: Any) -> None:
    async def story(engine: UsiEngine, changed: asyncio.Event) -> None:
        engine.ask(Match.begin(make("shogi")), 1.0, 100.0)
        due = 101.0 + FIRST_LINE_S + LATE_S
        assert engine.look(100.0) == due
        assert engine.look(due) is None
        assert engine.fault is not None
        assert "does not answer" in render(engine.fault)

    with_an_engine(program("pass"), story)


def test_an_engine_may_resign(program: Any) -> None:
    async def story(engine: UsiEngine, changed: asyncio.Event) -> None:
        assert await moved(engine, changed, Match.begin(make("shogi"))) == RESIGNS

    with_an_engine(program('print("bestmove resign", flush=True)'), story)


def test_a_program_that_is_none_is_said(tmp_path: Path) -> None:
    file = tmp_path / "no-program"
    file.write_text("no program\n")

    async def story(engine: UsiEngine, changed: asyncio.Event) -> None:
        await moved(engine, changed, Match.begin(make("shogi")))
        assert engine.fault is not None
        assert render(engine.fault) == "no-program cannot be started."

    with_an_engine(str(file), story)


def at_the_board(program: str, game: AnyGame, position: str | None, *arguments: str) -> str:
    """Return the move of an engine that knows the time, or what went wrong."""
    found: list[str] = []

    async def story(engine: UsiEngine, changed: asyncio.Event) -> None:
        start = game.start() if position is None else game.parse_position(position)
        engine.ask(Match.begin(game, start), 0.02, time.monotonic())
        while not (engine.chosen or engine.fault):
            engine.look(time.monotonic())
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(changed.wait(), 0.05)
        found.append(engine.chosen or render(engine.fault or say("")))

    with_an_engine(program, story, *arguments)
    return found[0]


MOVES = 'print("bestmove 7g7f", flush=True)'
ENTERED = "+R+R+B+BK+P+P+P+P/+P+P+P6/9/9/9/9/9/9/4k4 b 4G4S 1"


class Told:
    """A child that takes what it is told, and says what a test lets it say."""

    error_lines: tuple[str, ...] = ()
    has_ended = False

    def __init__(
        self, command: object, received: object, ended: Callable[[], None], *_: str
    ) -> None:
        self.told: list[bytes] = []
        self.ended = ended
        self.deaf = False

    def send(self, line: bytes) -> None:
        self.told.append(line)
        if self.deaf:
            self.ended()

    def resume_reading(self) -> None:
        pass

    pause_reading = end = resume_reading


def said_to(
    monkeypatch: pytest.MonkeyPatch, game: AnyGame, position: str | None, *lines: str
) -> tuple[UsiEngine, list[bytes]]:
    """Return an engine that was asked for a move and has said these lines, and what it was told."""
    monkeypatch.setattr(usi_engine, "SubprocessClient", Told)
    engine = UsiEngine(sys.executable, lambda: None)
    start = game.start() if position is None else game.parse_position(position)
    engine.ask(Match.begin(game, start), 1.0, 0.0)
    for line in lines:
        engine._receive(line.encode())
    assert isinstance(engine._process, Told)
    return engine, engine._process.told


def test_a_declared_win_counts_where_the_rules_let_it(monkeypatch: pytest.MonkeyPatch) -> None:
    by_points = make("shogi", {"impasse": "declaration27"})
    for game, position in ((by_points, ENTERED), (by_points, None), (make("shogi"), ENTERED)):
        lines = "usiok", "readyok", "bestmove win"
        engine, _ = said_to(monkeypatch, game, position, *lines)
        if game is by_points and position:
            assert (engine.chosen, engine.fault) == (DECLARES, None)
        else:
            assert engine.fault is not None
            assert "plays win, but the rules do not allow it" in render(engine.fault)


@pytest.mark.parametrize("names", [(), ("USI_Variant",), ("UCI_Variant",), VARIANT_OPTIONS])
def test_the_game_is_set_by_the_option_that_the_engine_tells(
    monkeypatch: pytest.MonkeyPatch, names: tuple[str, ...]
) -> None:
    var = "type combo default shogi var shogi var dobutsu"
    options = [f"option name {name} {var}" for name in names]
    _, told = said_to(monkeypatch, make("robot-duel"), None, *options, "usiok")
    chosen = [f"setoption name {name} value dobutsu".encode() for name in names]
    assert told == [b"usi", *chosen, b"isready"]
    _, told = said_to(monkeypatch, make("shogi"), None, *options, "usiok")
    assert told == [b"usi", b"isready"]


@pytest.mark.parametrize(
    ("impasse", "rule"),
    [("agreement24", "NoEnteringKing"), ("off", "NoEnteringKing"), ("declaration27", "CSARule27")],
)
def test_the_rule_of_impasse_is_set_where_the_engine_has_it(
    monkeypatch: pytest.MonkeyPatch, impasse: str, rule: str
) -> None:
    option = "option name EnteringKingRule type combo default CSARule27 var NoEnteringKing "
    option += "var CSARule24 var CSARule27"
    _, told = said_to(monkeypatch, make("shogi", {"impasse": impasse}), None, option, "usiok")
    assert told[1:] == [f"setoption name EnteringKingRule value {rule}".encode(), b"isready"]


def test_blanks_and_tabs_part_words(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = " usiok\t", "\treadyok ", "  bestmove\t\t 7g7f \tponder  3c3d "
    engine, _ = said_to(monkeypatch, make("shogi"), None, *lines)
    assert engine.chosen == "7g7f"


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
    program: Any, monkeypatch: pytest.MonkeyPatch, go: str, stop: str
) -> None:
    monkeypatch.setattr(usi_engine, "STOP_AFTER_S", 0.1)
    assert at_the_board(program(go, stop=stop), make("shogi"), None) == "7g7f"


@pytest.fixture
def loading(monkeypatch: pytest.MonkeyPatch) -> UsiEngine:
    """Return an engine that was asked at 0 and has said `usiok` after 9 seconds."""
    monkeypatch.setattr(usi_engine, "SubprocessClient", Told)
    engine = UsiEngine(sys.executable, lambda: None)
    engine.ask(Match.begin(make("shogi")), 1.0, 0.0)
    engine._receive(b"usiok")
    assert engine.look(9.0) == 9.0 + LOADING_SILENCE_S
    return engine


def test_an_engine_may_load_for_as_long_as_it_says_something(loading: UsiEngine) -> None:
    for now in range(50, 280, 50):
        loading._receive(b"")
        assert loading.look(now) == min(now + LOADING_SILENCE_S, LOADING_S)
    loading._receive(b"readyok")
    child = loading._process
    assert isinstance(child, Told)
    assert loading.look(280.0) == 281.0 + STOP_AFTER_S
    assert b"stop" not in child.told
    for line in (b"info depth 1", b""):  # nothing that it says lets it think for longer
        loading._receive(line)
        assert loading.look(281.0 + STOP_AFTER_S) == 281.0 + LATE_S
    assert child.told.count(b"stop") == 1
    assert loading.fault is None
    assert loading.look(281.0 + LATE_S) is None
    assert loading.fault is not None


@pytest.mark.parametrize("ends_over", [b"setoption", b"isready", b"position", b"go", b"stop"])
def test_an_engine_may_end_over_whatever_it_is_told(
    loading: UsiEngine, monkeypatch: pytest.MonkeyPatch, ends_over: bytes
) -> None:
    tell = Told.send

    def told(self: Told, line: bytes) -> None:
        self.deaf = line.startswith(ends_over)
        tell(self, line)

    monkeypatch.setattr(Told, "send", told)
    loading.close()
    loading.ask(Match.begin(make("robot-duel")), 1.0, 0.0)
    loading._receive(b"option name USI_Variant type combo default shogi var shogi var dobutsu")
    loading._receive(b"usiok")
    loading._receive(b"readyok")
    loading.look(10.0)
    assert loading.look(11.0 + STOP_AFTER_S) is None
    assert loading.fault is not None
    assert "has stopped by itself" in render(loading.fault)


@pytest.mark.parametrize("says", [False, True])
def test_an_engine_does_not_load_for_ever(loading: UsiEngine, says: bool) -> None:
    for now in range(20, 300, 20):
        if says:
            loading._receive(b"")
        loading.look(now)
        assert (loading.fault is None) == (says or now < 9.0 + LOADING_SILENCE_S)
    assert loading.look(LOADING_S) is None
    assert loading.fault is not None


def test_an_engine_runs_in_its_own_folder_with_its_arguments(program: Any, tmp_path: Path) -> None:
    (tmp_path / "eval.bin").write_text("x")
    engine = program(MOVES, before="open('eval.bin'); assert sys.argv[1:] == ['--book', 'a b']")
    assert at_the_board(engine, make("shogi"), None, "--book", "a b") == "7g7f"
    link = tmp_path / "bin" / "link"
    link.parent.mkdir()
    link.symlink_to(engine)
    assert at_the_board(str(link), make("shogi"), None, "--book", "a b") == "7g7f"


def test_what_an_engine_writes_to_its_standard_error_is_in_the_log(
    program: Any, caplog: pytest.LogCaptureFixture
) -> None:
    engine = program(MOVES, before="print('x\\n' * 20000, file=sys.stderr); open('eval.bin')")
    assert at_the_board(engine, make("shogi"), None) == "engine has stopped by itself."
    said = [record.getMessage() for record in caplog.records]
    assert len(said) == usi_engine.MOST_LOGGED
    assert "No such file or directory: 'eval.bin'" in said[-1]


@pytest.mark.parametrize("stream", ["sys.stdout", "sys.stderr"])
def test_an_engine_that_says_too_much_after_its_move_costs_nothing(
    program: Any, stream: str
) -> None:
    flood = f"print('info string x' * 9, file={stream}, flush=True)"
    engine_file = program(
        f"{MOVES}; threading.Thread(target=flood, daemon=True).start()",
        before=f"def flood():\n    while True:\n        {flood}",
    )

    async def story(engine: UsiEngine, changed: asyncio.Event) -> None:
        match = Match.begin(make("shogi"))
        assert await moved(engine, changed, match) == "7g7f"
        begun = time.process_time()
        await asyncio.sleep(0.3)
        assert time.process_time() - begun < 0.05
        assert await moved(engine, changed, match) == "7g7f"

    with_an_engine(engine_file, story)


PLAYS = """
import asyncio, sys
from engine.games import make
from engine.match import Match
from firmware_host.opponents.usi_engine import UsiEngine
async def main():
    changed = asyncio.Event()
    engine = UsiEngine(sys.argv[1], changed.set)
    engine.ask(Match.begin(make("shogi")), 0.02, 0.0)
    await changed.wait()
    print(engine.chosen, flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)
    engine.close()
asyncio.run(main())
"""


@pytest.mark.parametrize("killed", [False, True])
def test_what_an_engine_has_started_ends_with_it(
    program: Any, tmp_path: Path, killed: bool
) -> None:
    if killed and shutil.which("setpriv") is None:
        pytest.skip("no setpriv here, which ends them")
    started = tmp_path / "started"
    engine = program(
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


def test_a_lion_that_may_be_taken_is_taken_though_no_engine_believes_it(program: Any) -> None:
    async def story(engine: UsiEngine, changed: asyncio.Event) -> None:
        game = make("robot-duel")
        position = game.parse_position("1l1/1L1/3/3 b 2C2E2G 1")
        assert await moved(engine, changed, Match.begin(game, position)) == "B2B1"

    with_an_engine(program('print("bestmove resign", flush=True)'), story)


@pytest.mark.parametrize("name", ["shogi", "robot-duel"])
def test_words_for_moves_go_both_ways(name: str) -> None:
    game, rng = make(name), Random(4)
    match = Match.begin(game)
    assert position_word(game, match.position) == "startpos"
    for _ in range(80):
        for move in match.legal:
            word = move_word(game, match.position, move)
            assert move_of(game, match.position, word) == move
        if match.outcome:
            break
        match = match.play(rng.choice(list(match.legal)))
    assert position_word(game, match.position).startswith("sfen ")
    for nonsense in ("", "7g", "1a1a1a", "Z*1a", "--", "a1b2"):
        with pytest.raises(GameError):
            move_of(game, match.position, nonsense)


def test_robot_duel_is_written_as_engines_know_it() -> None:
    game = make("robot-duel")
    match = Match.begin(game)
    assert move_word(game, match.position, game.parse_move(match.position, "C4C3")) == "1d1c"
    assert move_word(game, match.position, game.parse_move(match.position, "B3B2")) == "2c2b"


# ---- who may sit at a seat


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("person", PERSON),
        (" level:plans ", PlayerKind(level="plans")),
        (f"usi:{sys.executable}", PlayerKind(engine=sys.executable)),
        (
            f"usi:{sys.executable}  -u 'a b'",
            PlayerKind(engine=sys.executable, arguments=("-u", "a b")),
        ),
    ],
)
def test_who_plays_is_read_and_written(text: str, who: PlayerKind) -> None:
    assert player_kind(text) == who
    assert player_kind(who.text) == who


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("level:godlike", "no level 'godlike'; there are: first-steps, sees-one"),
        ("", "'' is nobody who can play: write person, level:NAME"),
        ("usi:", "is nobody who can play"),
        ("person:me", "is nobody who can play"),
        ("usi:stockfish", "write its whole path"),
        ("usi:/nowhere/stockfish", "/nowhere/stockfish: no such program"),
        ("usi:/nowhere/stockfish --uci", "/nowhere/stockfish: no such program"),
        (f"usi:{sys.executable} 'x", "is no command: No closing quotation"),
        (f"usi:{sys.executable} \0", "is nobody who can play"),
    ],
)
def test_what_is_nobody_is_refused_in_one_line(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=re.escape(why)) as refused:
        player_kind(text)
    assert "\n" not in str(refused.value)


def test_engines_sit_only_where_they_know_the_game() -> None:
    engine = PlayerKind(engine=sys.executable)
    assert suits(engine, make("shogi"))
    assert not suits(engine, make("abalone"))
    assert suits(PlayerKind(level="plans"), make("abalone"))
    texts = [who.text for who in available(make("abalone"))]
    assert texts[:2] == ["person", "level:first-steps"]
    assert not any(text.startswith("usi:") for text in texts)
    assert render(kind_message(PlayerKind(level="plans")), "cs") == "stroj: plánuje"


# ---- ours


class Scripted:
    """An inbox of lines; what waits is heard while it thinks, too, after a number of looks."""

    def __init__(self, *lines: str) -> None:
        self.lines = [line.encode() for line in lines]
        self.looks = 0

    @property
    def waiting(self) -> bool:
        self.looks += 1
        return self.looks > 3 and bool(self.lines)

    def line(self) -> bytes | None:
        self.looks = 0
        return self.lines.pop(0) if self.lines else None


def talk(*lines: str) -> list[str]:
    said: list[str] = []
    UsiServer(Scripted(*lines), said.append).run()  # type: ignore[arg-type]
    return said


def best(said: list[str]) -> list[str]:
    return [line.removeprefix("bestmove ") for line in said if line.startswith("bestmove")]


def test_it_introduces_itself() -> None:
    said = talk("usi", "isready", "what?", "", "quit", "isready")
    assert said[0] == "id name Lampion"
    assert said[-2:] == ["usiok", "readyok"]
    assert any("var dobutsu" in line for line in said)


def test_it_plays_what_wins() -> None:
    mate = "position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1"
    said = talk("usinewgame", mate, "go depth 2", "quit")
    assert best(said) == ["G*5b"]
    assert "score mate 1" in said[0]
    variant = "setoption name UCI_Variant value dobutsu"
    duel = talk(variant, "position sfen l2/2L/3/E1G b CEcg 1", "go depth 3", "quit")
    assert best(duel) == ["1b1a"]


def test_it_thinks_until_told_to_stop_and_answers_meanwhile() -> None:
    said = talk("position startpos", "go infinite", "isready", "stop", "isready", "quit")
    assert said[0] == "readyok"
    assert len(best(said)) == 1
    assert said[-1] == "readyok"
    assert said.index("readyok", 1) > said.index(f"bestmove {best(said)[0]}")


def test_it_waits_with_its_move_where_nothing_is_left_to_think_of() -> None:
    said = talk("position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "go ponder", "ponderhit", "quit")
    assert best(said) == ["G*5b"]
    assert best(talk("position startpos", "go infinite", "quit")) == []


def test_after_ponderhit_it_thinks_for_as_long_as_its_time_allows() -> None:
    said = talk("position startpos", "go ponder depth 2 movetime 60000", "ponderhit")
    assert len(best(said)) == 1
    deep = talk("position startpos", "go ponder btime 0 wtime 0 byoyomi 250", "ponderhit", "", "")
    (told,) = [line for line in deep if line.startswith("info depth")]
    assert int(told.split()[told.split().index("time") + 1]) >= 150
    assert best(talk("position startpos", "go ponder infinite", "ponderhit", "quit")) == []


def test_mate_problems_are_not_solved() -> None:
    assert talk("go mate infinite", "go mate 1000") == ["checkmate notimplemented"] * 2


@pytest.mark.parametrize("position", ["startpos moves 7g7f 7g7e", "sfen 9/9/9 b - 1", "", "what"])
def test_a_position_that_cannot_be_is_resigned(position: str) -> None:
    said = talk("position startpos", f"position {position}", "go movetime 10")
    assert said[-2].startswith("info string ")
    assert said[-1] == "bestmove resign"
    again = talk(f"position {position}", "position startpos", "go movetime 10")
    assert best(again) != ["resign"]
    assert talk(f"position {position}", "go infinite", "stop")[-1] == "bestmove resign"


@pytest.mark.parametrize("name", VARIANT_OPTIONS)
def test_both_names_of_the_variant_are_known(name: str) -> None:
    chosen = f"setoption  name\t{name} value   dobutsu"
    lion = "position sfen l2/2L/3/E1G b CEcg 1"
    assert best(talk(chosen, lion, "go depth 3")) == ["1b1a"]
    (other,) = {*VARIANT_OPTIONS} - {name}
    both = (chosen, f"setoption name {other} value shogi")  # as programs send all they know
    assert best(talk(*both, lion, "go depth 3")) == ["1b1a"]
    spelt = f"setoption name {name.lower()} value Dobutsu"
    assert best(talk(spelt, lion, "go depth 3")) == ["1b1a"]


def test_it_declares_where_that_rule_was_chosen() -> None:
    entered = f"position sfen {ENTERED}"
    rule = "setoption name EnteringKingRule value CSARule27"
    assert best(talk(rule, entered, "go movetime 10")) == ["win"]
    assert best(talk(rule.lower(), entered, "go movetime 10")) == ["win"]
    assert best(talk(entered, "go movetime 10")) != ["win"]
    assert talk("setoption name EnteringKingRule value moon")[0].startswith("info string ")


def test_what_it_repeats_of_others_commands_no_terminal() -> None:
    said = talk(
        "setoption name USI_Variant value \033[31mred",
        "setoption name EnteringKingRule value \033[31m",
        f"position sfen \033[2J/{'9' * 5000} b - 1",
        "position startpos moves \x9b31m",
    )
    assert len(said) == 4
    assert all(line.isprintable() and len(line) < 300 for line in said)


def test_what_is_lost_is_resigned_and_what_cannot_be_is_told() -> None:
    over = "position sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1"
    assert best(talk(over, "go", "quit")) == ["resign"]
    said = talk("position sfen nonsense", "position startpos moves 5i5a", "quit")
    assert all(line.startswith("info string ") for line in said)
    assert len(said) == 2
    assert talk("setoption name UCI_Variant value chess", "quit")[0].startswith("info string ")


@pytest.mark.parametrize(
    ("words", "most"),
    [
        ("go movetime 100", 0.1),
        ("go btime 3000 wtime 9000", 0.1),
        ("go btime 0 wtime 0 byoyomi 100", 0.1),
        ("go btime 60 wtime 9000 byoyomi 0", 0.06),
        ("go btime -500 wtime 9000", 0.06),
        ("go movetime -1", 0.06),
        (f"go movetime {'9' * 5000}", 1e10),
        (f"go btime {'9' * 400} binc {'9' * 400} byoyomi {'9' * 400}", 1e10),
        (f"go movetime {'0' * 400}100", 0.1),
        ("go movetime ٣", USUAL_TIME),
        ("go btime", USUAL_TIME),
    ],
)
def test_it_keeps_to_its_time(words: str, most: float) -> None:
    engine = UsiServer(Scripted(), lambda line: None)  # type: ignore[arg-type]
    assert 0 < engine._seconds(words.split()[1:]) <= most


@pytest.mark.parametrize("depth", ["9" * 400, "0", "-3"])
def test_it_looks_no_deeper_than_it_can(depth: str) -> None:
    assert len(best(talk("position startpos", f"go movetime 50 depth {depth}"))) == 1


def test_the_command_talks_over_pipes() -> None:
    talked = subprocess.run(
        [sys.executable, "-m", "firmware_host", "usi"],
        input="usi\nposition startpos moves 7g7f\ngo movetime 100\nquit\n",
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert talked.stderr == ""
    lines = talked.stdout.splitlines()
    game = make("shogi")
    after = game.play(game.start(), game.parse_move(game.start(), "7g7f"))
    assert "usiok" in lines
    (word,) = [line.split()[1] for line in lines if line.startswith("bestmove")] or [None]
    assert word is None or move_of(game, after, word)


FAIRY = shutil.which("fairy-stockfish", path=os.environ.get("PATH", "") + os.pathsep + "/usr/games")


@pytest.fixture
def ours(tmp_path: Path) -> str:
    file = tmp_path / "ours"
    file.write_text(f"#!/bin/sh\nexec {sys.executable} -m firmware_host usi\n")
    file.chmod(0o755)
    return str(file)


def whole_game(name: str, first: str, second: str) -> Match:
    """Play two programs against each other until the game is over or one resigns."""
    game: AnyGame = make(name)

    async def play() -> Match:
        changed = asyncio.Event()
        engines = [UsiEngine(path, changed.set) for path in (first, second)]
        match = Match.begin(game)
        try:
            while not match.outcome and match.plies < 300:
                engine = engines[match.turn]
                chosen = await moved(engine, changed, match)
                assert engine.fault is None, engine.fault
                if chosen == RESIGNS:
                    break
                match = match.play(game.parse_move(match.position, chosen))
        finally:
            for each in engines:
                each.close()
        return match

    return asyncio.run(play())


@pytest.mark.deep
@pytest.mark.parametrize("name", ["robot-duel", "shogi"])
def test_whole_games_against_itself(name: str, ours: str) -> None:
    match = whole_game(name, ours, ours)
    assert match.plies > 8
    assert match.outcome or match.plies == 300


@pytest.mark.deep
@pytest.mark.skipif(FAIRY is None, reason="no fairy-stockfish here; apt-get install it to run this")
@pytest.mark.parametrize("name", ["robot-duel", "shogi"])
@pytest.mark.parametrize("seat", [0, 1])
def test_whole_games_against_fairy_stockfish(name: str, seat: int, ours: str) -> None:
    programs = [FAIRY or "", ours]
    assert whole_game(name, programs[seat], programs[1 - seat]).plies > 8
