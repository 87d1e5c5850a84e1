"""`lampion calibrate` as people run it: breaks, files, words, the terminal."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from firmware_host.__main__ import main
from firmware_host.calibrate import procedure, progress
from firmware_host.calibrate.miswired import miswired
from firmware_host.calibrate.procedure import for_the_service
from firmware_host.config.config import PATH, Config
from firmware_host.doctor.asking import DONE, AtTheTerminal, Question
from firmware_host.doctor.magnet_walk import wires
from firmware_host.host import service
from firmware_host.i18n.messages import render, say
from hardware import hall_zeros, layout
from hardware.layout.writing import layout_text
from tests.support.sampling import a_few
from tests.support.workshop import Hands, Workshop, same

# ---- a power cut


@pytest.mark.parametrize("asked", a_few([4, 90, 1, 12, 150], 2))
def test_it_resumes_after_an_interruption(asked: int, tmp_path: Path) -> None:
    workshop = Workshop("hex-hall", 3)
    workshop.hands.stop_after = asked
    with pytest.raises(KeyboardInterrupt):
        workshop.command(tmp_path)
    before = set(workshop.hands.put[:-1])
    workshop.wires.board.load({})
    workshop.hands = Hands(workshop.wires)
    assert workshop.command(tmp_path) == 0
    assert same(layout.load(tmp_path / "hex-hall.toml"), workshop.truth)
    assert not before & set(workshop.hands.put)
    assert ("colour" in workshop.hands.asked) == (asked < 6)
    zeros = hall_zeros.read(tmp_path, workshop.truth)
    assert zeros.keys() == wires(workshop.truth).keys()


KILLED = """\
import os, signal, sys
from pathlib import Path
from firmware_host.calibrate.procedure import calibrate
sys.path.insert(0, sys.argv[2])
from tests.support.workshop import Hands, Workshop

class Cut(Hands):
    def ask(self, question):
        if len(self.put) > 20:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().ask(question)

workshop = Workshop("square-reed", 2)
workshop.hands = Cut(workshop.wires)
workshop.command(Path(sys.argv[1]))
"""


def test_a_kill_in_the_middle_costs_one_magnet(tmp_path: Path) -> None:
    here = str(Path(__file__).parents[2])
    done = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path), here])
    assert done.returncode == -9
    kept = json.loads((tmp_path / progress.FILE).read_text(encoding="utf-8"))
    assert len(kept["seen"]) == 20
    workshop = Workshop("square-reed", 2)
    assert workshop.command(tmp_path) == 0
    assert not set(kept["seen"]) & set(workshop.hands.put)
    assert same(layout.load(tmp_path / "square-reed.toml"), workshop.truth)


@pytest.mark.parametrize("kept", ["", "{", '{"board": "another", "seen": {}}', '{"board": 1}'])
def test_progress_that_is_damaged_or_of_another_board_is_ignored(kept: str, tmp_path: Path) -> None:
    (tmp_path / progress.FILE).write_text(kept, encoding="utf-8")
    workshop = Workshop("hex-reed", 1)
    assert workshop.command(tmp_path) == 0
    assert same(layout.load(tmp_path / "hex-reed.toml"), workshop.truth)


# ---- files


@pytest.mark.parametrize("name", layout.NAMES)
def test_a_layout_that_is_written_is_the_one_that_was_read(name: str) -> None:
    text = layout_text(tomllib.loads(layout.source(name)[0]))
    assert layout.parse(text, "x.toml") == layout.load(name)


def test_zeros_are_those_of_their_board_or_none(tmp_path: Path) -> None:
    made = layout.load("hex-hall")
    assert hall_zeros.read(tmp_path, made) == {}
    zeros = hall_zeros.HallZeros("hex-hall", {"a1": 120})
    (tmp_path / hall_zeros.FILE).write_text(hall_zeros.text(zeros), encoding="utf-8")
    assert hall_zeros.read(tmp_path, made) == {"a1": 120}
    assert hall_zeros.read(tmp_path, layout.load("square-hall")) == {}
    for text in ("{", '{"a": ' * 3000 + "1" + "}" * 3000):
        (tmp_path / hall_zeros.FILE).write_text(text, encoding="utf-8")
        with pytest.raises(ValueError, match="lampion calibrate writes it again"):
            hall_zeros.read(tmp_path, made)


@pytest.mark.parametrize("text", ["", "{", '{"a": ' * 3000 + "1" + "}" * 3000, "9" * 5000])
def test_progress_that_is_not_legible_is_none(tmp_path: Path, text: str) -> None:
    (tmp_path / progress.FILE).write_text(text, encoding="utf-8")
    assert progress.read(tmp_path, "a board") is None


def test_a_board_is_played_at_with_its_zeros(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: dict[str, Any] = {}

    class Pi:
        def __init__(self, *_: object, **__: object) -> None: ...

        def machine(self, **settings: Any) -> None:
            given.update(settings)

    monkeypatch.setattr(service, "RaspberryPi", Pi)
    made = layout.load("hex-hall")
    zeros = hall_zeros.HallZeros("hex-hall", {"a1": 120})
    (tmp_path / hall_zeros.FILE).write_text(hall_zeros.text(zeros), encoding="utf-8")
    service.PiWires(Config(layout="hex-hall", state=str(tmp_path)), made, lambda: None)
    assert given.pop("zeros") == {"a1": 120}
    mine = str(tmp_path / "hex-hall.toml")  # in the folder where calibrate has written both
    service.PiWires(Config(layout=mine, state="/nowhere"), made, lambda: None)
    assert given["zeros"] == {"a1": 120}


# ---- the command


def test_the_command_shows_what_is_otherwise_and_where_it_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["calibrate", "--layout", "square-hall", "--state", str(tmp_path)]
    assert main([*arguments, "--sim", "2"]) == 0
    told = capsys.readouterr().out
    assert "The sensors are arranged like this: turned anticlockwise by 90°" in told
    assert '   -order = "GRB"\n   +order = "BRG"\n' in told
    assert "Nothing wrong was found." in told
    assert f'layout = "{tmp_path}/square-hall.toml"' in told
    assert "The zeros of 129 Hall sensors: " in told
    assert main([*arguments[:1], "--sim", "--layout", "no-such"]) == 1
    assert "no layout 'no-such'" in capsys.readouterr().err


def test_files_in_a_home_come_with_the_command_that_moves_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = layout.load("square-hall")
    assert list(map(render, for_the_service(Path("/var/lib/lampion"), board, PATH.parent))) == []
    monkeypatch.setattr(procedure, "HOMES", (str(tmp_path),))
    state = tmp_path / "my state"
    state.mkdir()
    (state / "square-hall.toml").touch()
    (state / hall_zeros.FILE).touch()
    copy, name = map(render, for_the_service(state, board, PATH.parent))
    files = f"'{state}/square-hall.toml' '{state}/hall-zeros.json'"
    assert copy.endswith(f": sudo install -D -m 644 -t /etc/lampion {files}")
    assert name.endswith('layout = "/etc/lampion/square-hall.toml"')


def test_what_is_known_of_a_board_can_be_forgotten(tmp_path: Path) -> None:
    board = progress.fingerprint(layout.load("hex-reed"), 1)
    wrong = progress.Seen({"0x24 13": 1})
    arguments = ["calibrate", "--layout", "hex-reed", "--state", str(tmp_path), "--sim"]
    truth = miswired(layout.source("hex-reed")[0], 1)
    for restart in ([], ["--restart"]):
        progress.save(tmp_path, progress.Progress(board, seen={"a1": wrong}))
        assert main([*arguments, *restart]) == (0 if restart else 1)
        assert (tmp_path / "hex-reed.toml").exists() == bool(restart)
    assert same(layout.load(tmp_path / "hex-reed.toml"), truth)


def test_the_configuration_says_which_board_and_where_to_keep_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "lampion.toml"
    file.write_text(f'layout = "hex-reed"\nstate = "{tmp_path}/kept"\n', encoding="utf-8")
    assert main(["calibrate", "--config", str(file), "--sim", "--language", "cs"]) == 0
    assert (tmp_path / "kept" / "hex-reed.toml").exists()
    assert "Nothing wrong was found." not in capsys.readouterr().out


# ---- a person at the terminal


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A terminal with input from a test."""
    keys, terminal = pty.openpty()
    with os.fdopen(terminal, "r", encoding="utf-8") as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        yield lambda text: os.write(keys, text.encode())
    os.close(keys)


def test_what_has_happened_needs_no_key_and_a_key_needs_nothing_to_happen(typed: Any) -> None:
    looks = iter([False, False, True])
    answers = (DONE, say("other"), say("none"))
    question = Question("put", say("Put it down."), answers, happened=lambda: next(looks))
    assert AtTheTerminal().ask(question) == 0
    question = replace(question, happened=lambda: False)
    typed("9\n3\n")
    assert AtTheTerminal().ask(question) == 2
    typed("\x04")
    with pytest.raises(EOFError):
        AtTheTerminal().ask(question)


def test_a_place_is_named_in_capitals_or_not(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    lines = iter(["Z9", "b4", ""])
    monkeypatch.setattr("builtins.input", lambda _: next(lines))
    question = Question("where", say("Where?"), (say("nowhere"),), places=("A1", "B4"))
    assert question.place(AtTheTerminal().ask(question)) == "B4"
    told = capsys.readouterr().out
    assert "   1 nowhere   or the name of the place\n" in told
    assert "There is no Z9 on this board." in told
    assert question.place(AtTheTerminal().ask(question)) == ""
