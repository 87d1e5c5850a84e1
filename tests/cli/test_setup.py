"""`lampion setup` writes the configuration that people chose, and keeps the rest."""

from __future__ import annotations

import builtins
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware_host.__main__ import main
from firmware_host.config.config import Config, read
from firmware_host.web.keys import Keys
from firmware_host.web.roles import HOST
from hardware import layout


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LANG", "en_GB.UTF-8")
    return tmp_path / "etc" / "lampion.toml"


def answering(monkeypatch: pytest.MonkeyPatch, *answers: str) -> None:
    left: Iterator[str] = iter(answers)

    def answer(prompt: str) -> str:
        try:
            return next(left)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr(builtins, "input", answer)


def test_answers_are_written(file: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    answering(monkeypatch, "2", "what?", "hex-reed", "1")
    assert main(["setup", "--config", str(file)]) == 0
    config = read(file)
    assert (config.language, config.layout, config.page) == ("pl", "hex-reed", "0.0.0.0:8710")
    assert file.stat().st_mode & 0o777 == 0o644
    said = capsys.readouterr().out
    assert "sudo systemctl restart lampion" in said
    assert "--card card.html" in said


def test_enter_keeps_what_the_file_says_and_the_rest_stays(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    file.parent.mkdir()
    file.write_text(
        'layout = "hex-hall"\nlanguage = "fr"\npage = "0.0.0.0:9000"\n[leds]\nlimit_ma = 500\n'
    )
    answering(monkeypatch, "", "", "")
    assert main(["setup", "--config", str(file)]) == 0
    config = read(file)
    assert (config.layout, config.language, config.page) == ("hex-hall", "fr", "0.0.0.0:9000")
    assert config.leds.limit_ma == 500
    assert "--port 9000 --card card.html" in capsys.readouterr().out


def test_options_answer_instead_of_people(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    answering(monkeypatch)
    words = ["--layout", "square-hall", "--language", "cs", "--phones", "no"]
    assert main(["setup", "--config", str(file), *words]) == 0
    assert read(file) == Config(layout="square-hall", language="cs")
    assert "card.html" not in capsys.readouterr().out


def test_a_board_of_ones_own_is_named_by_its_whole_path_and_offered_again(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text((layout.SHIPPED / "hex-reed.toml").read_text("utf-8"), "utf-8")
    monkeypatch.chdir(tmp_path)
    words = ["--layout", "mine.toml", "--language", "en", "--phones", "no"]
    assert main(["setup", "--config", str(file), *words]) == 0
    assert read(file).layout == str(mine)
    capsys.readouterr()
    number = str(len(layout.NAMES) + 1)
    answering(monkeypatch, "", number, "")
    assert main(["setup", "--config", str(file)]) == 0
    assert f"  {number}  {mine} *" in capsys.readouterr().out
    assert read(file).layout == str(mine)


def test_nobody_to_answer_and_an_unknown_board_are_one_line(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    answering(monkeypatch)
    assert main(["setup", "--config", str(file)]) == 1
    assert "--phones" in capsys.readouterr().err
    words = ["--layout", "round", "--language", "en", "--phones", "no"]
    assert main(["setup", "--config", str(file), *words]) == 1
    assert "no layout 'round'" in capsys.readouterr().err
    assert not file.exists()


def test_a_card_has_the_links_by_the_computer_s_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "lampion-board")
    card = tmp_path / "card.html"
    assert main(["links", "--state", str(tmp_path), "--card", str(card)]) == 0
    text = card.read_text("utf-8")
    token = Keys.stored_in(tmp_path).token(HOST)
    assert f"http://lampion-board.local:8710/?token={token}" in text
    assert text.count("<svg") == text.count("<li>") >= 4
    assert card.stat().st_mode & 0o777 == 0o600, "whoever reads it may do everything"


@pytest.mark.parametrize("name", ["pipe", "link", "folder"])
def test_a_card_replaces_no_device(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("pipe")  # as /dev/stdout is one
    there = {each.name: each.lstat().st_ino for each in tmp_path.iterdir()}
    assert main(["links", "--state", str(tmp_path), "--card", str(tmp_path / name)]) == 1
    assert "Not a regular file" in capsys.readouterr().err
    found = {each.name: each.lstat().st_ino for each in tmp_path.iterdir()}
    assert {each: found[each] for each in there} == there
    assert set(found) == {*there, "token"}, "nothing is left beside it"
