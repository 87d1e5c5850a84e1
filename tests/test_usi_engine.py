"""Engines of others, as the board sees them, and ours, as others see it: whole conversations."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.game import GameError
from engine.games import make
from engine.match import AnyGame, Match
from engine.notation.usi_words import move_of, move_word, position_word
from firmware_host.advice.sitters import PERSON, Sitter, sitter, sitter_message, suits, there_are
from firmware_host.advice.usi_engine import BEGINS, LATE, RESIGNS, UsiEngine
from firmware_host.usi import Engine
from firmware_host.words import render

SCRIPT = """#!{python}
import sys
for line in sys.stdin:
    word = line.split()[0] if line.split() else ""
    if word == "usi":
        print("id name scripted\\nusiok", flush=True)
    elif word == "isready":
        print("readyok", flush=True)
    elif word == "go":
        {go}
"""


@pytest.fixture
def program(tmp_path: Path) -> Callable[[str], str]:
    """Return a way to write an engine that answers `go` so."""

    def written(go: str) -> str:
        file = tmp_path / "engine"
        file.write_text(SCRIPT.format(python=sys.executable, go=go))
        file.chmod(0o755)
        return str(file)

    return written


def with_an_engine(
    path: str, story: Callable[[UsiEngine, asyncio.Event], Coroutine[Any, Any, None]]
) -> None:
    async def run() -> None:
        changed = asyncio.Event()
        engine = UsiEngine(path, changed.set)
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
        ('print("bestmove 5i5a", flush=True)', "which the rules do not allow"),
        ('print("bestmove nonsense", flush=True)', "which the rules do not allow"),
        ("sys.exit(1)", "has ended by itself"),
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
        due = 101.0 + BEGINS + LATE
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
        (" level:plans ", Sitter(level="plans")),
        (f"usi:{sys.executable}", Sitter(engine=sys.executable)),
    ],
)
def test_who_plays_is_read_and_written(text: str, who: Sitter) -> None:
    assert sitter(text) == who
    assert sitter(who.text) == who


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("level:godlike", "no level 'godlike'; there are: first-steps, sees-one"),
        ("", "'' is nobody who can play: write person, level:NAME"),
        ("usi:", "is nobody who can play"),
        ("person:me", "is nobody who can play"),
        ("usi:stockfish", "write its whole path"),
        ("usi:/nowhere/stockfish", "/nowhere/stockfish: no such program"),
    ],
)
def test_what_is_nobody_is_refused_in_one_line(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=re.escape(why)) as refused:
        sitter(text)
    assert "\n" not in str(refused.value)


def test_engines_sit_only_where_they_know_the_game() -> None:
    engine = Sitter(engine=sys.executable)
    assert suits(engine, make("shogi"))
    assert not suits(engine, make("abalone"))
    assert suits(Sitter(level="plans"), make("abalone"))
    texts = [who.text for who in there_are(make("abalone"))]
    assert texts[:2] == ["person", "level:first-steps"]
    assert not any(text.startswith("usi:") for text in texts)
    assert render(sitter_message(Sitter(level="plans")), "cs") == "stroj: plánuje"


# ---- ours


class Scripted:
    """An inbox of lines; what waits is heard while it thinks, too, after so many looks."""

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
    Engine(Scripted(*lines), said.append).run()  # type: ignore[arg-type]
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
    ],
)
def test_it_keeps_to_its_time(words: str, most: float) -> None:
    engine = Engine(Scripted(), lambda line: None)  # type: ignore[arg-type]
    assert 0 < engine._seconds(words.split()[1:]) <= most


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
