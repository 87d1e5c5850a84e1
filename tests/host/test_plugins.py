"""A game of another package in play, with rules that fail, and after its package has gone."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import engine.games
from firmware_host.__main__ import main
from firmware_host.host import host as host_module
from firmware_host.i18n.messages import render
from hardware import layout
from tests.support.journals import moves_in

lampion_chess = pytest.importorskip("lampion_chess", reason="python-chess is not installed")


@pytest.fixture
def chess(monkeypatch: pytest.MonkeyPatch) -> Callable[[type[Any]], None]:
    """Add chess, as the package does, with this class."""

    def add(kind: type[Any]) -> None:
        monkeypatch.setitem(engine.games.ADDED, "chess", kind)
        monkeypatch.setattr(host_module, "NAMES", (*engine.games.SHIPPED, "chess"))
        file = Path(lampion_chess.__file__).with_name("square-reed.toml")
        monkeypatch.setitem(layout._MAPS, "square-reed", [(file.read_text(), file.name)])
        layout._offered.cache_clear()

    yield add  # type: ignore[misc]
    layout._offered.cache_clear()


class Failing(lampion_chess.Chess):
    """Chess whose rules fail after the second move."""

    def legal(self, position: Any) -> Any:
        if position.fen.split()[-1] == "2":
            raise ZeroDivisionError("three rows of pawns")
        return super().legal(position)


def test_chess_is_played_by_hands(chess: Any, sit: Any, tmp_path: Path) -> None:
    chess(lampion_chess.Chess)

    async def story(board: Any) -> None:
        await board.play("e2e4", "d7d5", rest=1)
        await board.hands("e4- d5- d5+ 1")
        assert board.moves == ["e2e4", "d7d5", "e4d5"]

    sit(story, game="chess")


def test_rules_that_fail_end_neither_the_program_nor_the_match(
    chess: Any, sit: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    chess(Failing)

    async def story(board: Any) -> None:
        with caplog.at_level(logging.CRITICAL):
            await board.play("e2e4", "e7e5", "g1f3", rest=1)
        host = board.host
        assert host.game.name == "robot-duel"
        assert "chess" not in host.games()
        notices = [render(each) for each in host.status().says[-1:]]
        assert notices == ["The rules of Chess failed. Choose another game."]
        await board.play("C4C3", rest=1)
        assert board.moves == ["C4C3"]

    sit(story, game="chess")
    (kept,) = tmp_path.glob("match-*.jsonl")
    assert moves_in(kept)[:1] == ["e2e4"]


def test_a_match_of_a_game_that_has_gone_stays(
    chess: Any, sit: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    chess(lampion_chess.Chess)

    async def played(board: Any) -> None:
        await board.play("e2e4", rest=2)

    sit(played, game="chess")
    with monkeypatch.context() as gone:
        gone.delitem(engine.games.ADDED, "chess")
        gone.setattr(host_module, "NAMES", engine.games.SHIPPED)

        async def another(board: Any) -> None:
            assert board.host.game.name != "chess"

        sit(another, game=None, layout=None)
        assert main(["matches", "--state", str(tmp_path)]) == 0
        assert "chess" in capsys.readouterr().out.lower()
    chess(lampion_chess.Chess)

    async def again(board: Any) -> None:
        assert (board.host.game.name, board.moves) == ("chess", ["e2e4"])
        board.host.library.update()
        assert [each.summary.game for each in board.host.library.page().matches] == ["chess"]

    sit(again, game=None, layout=None)
