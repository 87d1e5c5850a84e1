"""Lampion as a USI engine for other programs: whole conversations."""

from __future__ import annotations

import subprocess
import sys

import pytest

from engine.games import make
from engine.notation.usi import VARIANT_OPTIONS, move_of
from firmware_host.cli.usi import USUAL_S as USUAL_TIME
from firmware_host.cli.usi import UsiServer
from tests.support.usi import ENTERED


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
