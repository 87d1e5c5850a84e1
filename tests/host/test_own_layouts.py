"""Boards of one's own: given at the command line as a file, known to pages by name only."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import closing
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from firmware_host.host.simulated import SimulatedHost
from firmware_host.host.start import Start
from firmware_host.session.events import Claimed

REED = (resources.files("hardware") / "layouts" / "square-reed.toml").read_text(encoding="utf-8")


@pytest.fixture
def walnut(tmp_path: Path) -> str:
    file = tmp_path / "my board.toml"
    file.write_text(REED.replace("square-reed", "walnut", 1), encoding="utf-8")
    return str(file)


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Any]:
    """Start the program on one state directory, as often as a test likes."""
    hosts: list[SimulatedHost] = []

    def begin(layout: str | None = None, game: str | None = None) -> SimulatedHost:
        for each in hosts:
            each.close()
        (tmp_path / "state").mkdir(exist_ok=True)
        hosts.append(SimulatedHost(tmp_path / "state"))
        hosts[-1].open(Start(game, {}, layout))
        return hosts[-1]

    yield begin
    for each in hosts:
        each.close()


def resign(host: SimulatedHost) -> None:
    """Let the first player give up, which is in the journal then."""
    host.controller.look(host.now())
    host.post(Claimed(host.now(), "resign", 0))
    assert outcome(host) == "resign"


def outcome(host: SimulatedHost) -> str:
    ended = host.controller.session.view.outcome
    return ended.reason if ended else ""


def test_a_match_on_a_board_of_ones_own_goes_on_when_that_is_given_again(
    begin: Any, walnut: str
) -> None:
    host = begin(walnut)
    assert host.layout.name == "walnut"
    resign(host)
    again = begin(walnut)
    assert (again.layout.name, outcome(again)) == ("walnut", "resign")


def test_without_the_board_one_line_says_what_is_missing_and_the_match_is_kept(
    begin: Any, walnut: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    host = begin(walnut)
    resign(host)
    host.close()
    kept = (tmp_path / "state" / "match.jsonl").read_bytes()
    with pytest.raises(ValueError, match=r"begun on the board 'walnut'.*--layout") as refused:
        begin()
    assert "\n" not in str(refused.value)
    assert (tmp_path / "state" / "match.jsonl").read_bytes() == kept
    with caplog.at_level(logging.WARNING):
        assert outcome(begin(walnut)) == "resign"
    assert caplog.records == []


def test_a_board_that_is_named_like_a_file_is_no_file(begin: Any, tmp_path: Path) -> None:
    """A layout's own name is anything its file says."""
    odd = tmp_path / "odd.toml"
    odd.write_text(REED.replace('"square-reed"', '"/etc/passwd.toml"', 1), encoding="utf-8")
    begin(str(odd))
    with pytest.raises(ValueError, match=r"begun on the board '/etc/passwd\.toml'"):
        begin()


@pytest.mark.parametrize("name", ["{file}", "{pipe}", "/nowhere.toml", "../x.toml", "round", ""])
def test_a_page_may_name_no_file(begin: Any, walnut: str, tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / "pipe.toml")
    host = begin()
    asked = name.format(file=walnut, pipe=tmp_path / "pipe.toml")
    with pytest.raises(ValueError, match=r"^no layout ") as refused:
        host.new_game("robot-duel", {}, asked)
    assert str(refused.value).endswith("there are: square-reed, square-hall, hex-reed, hex-hall")
    assert host.layout.name == "square-reed"


def test_a_page_may_choose_a_board_that_was_given_at_the_start(begin: Any, walnut: str) -> None:
    host = begin(walnut)
    names = [board.name for board in host.games()["robot-duel"]]
    assert names == ["walnut", "square-reed", "square-hall"]
    host.new_game("robot-duel", {}, "square-hall")
    assert host.layout.name == "square-hall"
    host.new_game("shogi", {}, "walnut")
    assert (host.game.name, host.layout.name) == ("shogi", "walnut")


def test_the_file_is_read_once(begin: Any, walnut: str) -> None:
    host = begin(walnut)
    Path(walnut).unlink()
    host.new_game("shogi", {}, "walnut")
    with closing(host):
        assert host.layout.name == "walnut"
