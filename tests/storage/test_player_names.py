"""What players call themselves: kept beside the match, and said in sentences."""

from __future__ import annotations

import asyncio
import errno
import os
import threading
from pathlib import Path
from typing import Any

import pytest

from engine.games import make
from firmware_host.host.simulated import SimulatedHost
from firmware_host.host.start import Start
from firmware_host.i18n.messages import render
from firmware_host.opponents.settings import OpponentSettings
from firmware_host.players.kinds import player_kind
from firmware_host.players.names import LONGEST, called, problem
from firmware_host.storage import files
from firmware_host.storage.player_names import PlayerNames

SEATS = 2


def test_names_survive_a_restart_a_new_match_and_another_game(tmp_path: Path) -> None:
    def says(host: SimulatedHost) -> list[str]:
        return [render(each) for each in host.status().says]

    host = SimulatedHost(tmp_path)
    host.open(Start("robot-duel"))
    host.controller.look(0.0)
    rev = host.status().rev
    host.seating.rename(0, "Anna")
    assert host.status().rev > rev
    assert host.status().players == ("Anna", "")
    resigns = [render(claims["resign"]) for claims in host.status().claims.values()]
    assert resigns == ["Anna resigns: B wins.", "B resigns: Anna wins."]
    host.close()
    again = SimulatedHost(tmp_path)
    again.open(Start())
    again.controller.look(0.0)
    assert "It is Anna's turn." in says(again)
    again.new_game("chaturaji", {}, "square-reed")
    again.controller.look(0.0)
    assert again.status().players == ("Anna", "", "", "")
    assert "Anna throws the die." in says(again)
    again.seating.rename(0, "")
    assert "black throws the die." in says(again)
    again.close()


def test_a_player_who_has_said_no_name_goes_by_the_seat() -> None:
    game = make("abalone")
    assert render(called(game, ("", "Jan {n}"), 0), "pl") == "czarny"
    assert render(called(game, ("", "Jan {n}"), 1), "pl") == "Jan {n}"
    assert render(called(game, (), 1)) == "white"


@pytest.mark.parametrize("name", ["", "Anna", "Łucja Żak", "O'Neil <3", "光", "A" * LONGEST])
def test_somebody_may_be_called_so(name: str) -> None:
    assert problem(name) is None


@pytest.mark.parametrize(
    "name", ["A" * (LONGEST + 1), "A\nB", "A\tB", "\x1b[31m", "a\u202eb", "\u2028"]
)
def test_nobody_can_be_called_so(name: str) -> None:
    assert problem(name) is not None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"A": 1}', "not a list of names"),
        ("[1]", "not a list of names"),
        ("[", "players.json: "),
        ("\udcff", "players.json: "),
    ],
)
def test_a_broken_file_is_said_and_nobody_has_a_name(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, text: str, said: str
) -> None:
    file = tmp_path / "players.json"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    assert PlayerNames(file).of(SEATS) == ("", "")
    assert said in caplog.text


def test_an_impossible_name_in_the_file_is_left_out(tmp_path: Path) -> None:
    file = tmp_path / "players.json"
    file.write_text('["A\\nB", "Anna"]', encoding="utf-8")
    players = PlayerNames(file)
    assert players.of(SEATS) == ("", "Anna")
    players.rename(0, "Bob")
    players.file.close()
    assert PlayerNames(file).of(SEATS) == ("Bob", "Anna")
    assert PlayerNames(file).of(1) == ("Bob",)


# ---- the disk


class SlowDisk:
    """A disk that syncs no file until it is let."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.syncs = 0
        self.may_sync = threading.Event()
        fsync = os.fsync

        def syncing(descriptor: int) -> None:
            assert threading.current_thread() is not threading.main_thread()
            self.syncs += 1
            assert self.may_sync.wait(20)
            fsync(descriptor)

        monkeypatch.setattr(os, "fsync", syncing)


def test_names_and_seats_wait_for_no_disk_and_are_written_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = SlowDisk(monkeypatch)
    monkeypatch.setattr(files, "WRITE_EVERY_S", 0.0)
    players, settings = (
        PlayerNames(tmp_path / "players.json"),
        OpponentSettings(tmp_path / "opponents.json"),
    )
    for number in range(100):  # the disk has not even synced the first one
        players.rename(0, f"Anna {number}")
        settings.set_limit(0, number % 5)
        settings.set_player(1, player_kind("level:plans" if number % 2 else "person"))
    disk.may_sync.set()
    players.file.close()
    settings.file.close()
    assert disk.syncs <= 8, "a file and its directory, twice each"
    assert PlayerNames(tmp_path / "players.json").of(1) == ("Anna 99",)
    kept = OpponentSettings(tmp_path / "opponents.json")
    assert (kept.limit(0), kept.player(1)) == (4, player_kind("level:plans"))


def test_what_is_not_kept_is_said_until_it_is(
    sit: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(files, "WRITE_EVERY_S", 0.01)
    put, full = files.put, threading.Event()
    tried = [threading.Event(), threading.Event()]

    def putting(path: Path, data: bytes, *rest: Any) -> Path | None:
        if path.name not in ("players.json", "opponents.json"):
            return put(path, data, *rest)
        try:
            if full.is_set():
                raise OSError(errno.ENOSPC, "No space left on device")
            return put(path, data)
        finally:
            tried[path.name == "opponents.json"].set()

    monkeypatch.setattr(files, "put", putting)

    async def again() -> None:
        """Wait until both files were tried once more, and then for the loop."""
        for _ in range(2):
            for each in tried:
                each.clear()
                assert each.wait(20)
        await asyncio.sleep(1.5)

    async def story(board: Any) -> None:
        full.set()
        board.host.seating.rename(0, "Anna")
        board.host.seating.set_grading(1, 2)
        await again()
        assert "The names of the players are not saved: No space left on device." in board.says
        assert "The choices for the seats are not saved: No space left on device." in board.says
        assert board.host.status().players == ("Anna", "")
        full.clear()
        board.host.seating.rename(0, "Berta")
        for file in board.host.seating.files:
            file.close()
        await asyncio.sleep(1.5)
        assert "not saved" not in board.says

    sit(story)
    assert PlayerNames(tmp_path / "players.json").of(1) == ("Berta",)
    assert OpponentSettings(tmp_path / "opponents.json").limit(1) == 2
    assert sum("not saved" in each for each in caplog.messages) == 2
