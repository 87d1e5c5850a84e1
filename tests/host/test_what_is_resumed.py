"""Which match a real board starts or resumes, and who plays it."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from random import Random
from typing import Any

import pytest

from firmware_host.config.config import Config, parse
from firmware_host.host import service
from firmware_host.host.host import Host
from firmware_host.host.real import RealBackend
from firmware_host.host.start import Start
from firmware_host.opponents import machine
from firmware_host.players.kinds import PERSON
from hardware.layout import load
from hardware.simulated.board import SimulatedBoard
from tests.support import wires
from tests.support.real_board import SOON


def begun(config: Config, **asked: Any) -> tuple[str, list[str], Any]:
    """Return the game, the moves and the options with which a board begins to play."""
    board = SimulatedBoard(load("square-reed"))
    told: list[Any] = []

    async def look(host: Host) -> None:
        host_moves = [ply.text for ply in host.status().plies]
        told.append((host.game.name, host_moves, host.game.options))
        if host.game.name == "robot-duel" and not host_moves:
            wires.set_up(board, host.game, host.position())
            places = board.layout.game("robot-duel").places
            async with asyncio.timeout(SOON):
                running = asyncio.create_task(Host.run_for_real(host))  # type: ignore[attr-defined]
                await asyncio.sleep(0.5)
                board.lift(places["C4"])
                board.put(places["C3"])
                while not host.status().plies:
                    await asyncio.sleep(0.01)
                running.cancel()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Host, "run_for_real", Host.run, raising=False)
        patch.setattr(Host, "run", look)
        asyncio.run(
            service.play(
                config,
                board.layout,
                lambda on_change: wires.SimulatedWires(board, on_change),
                Start(**asked),
            )
        )
    return told[0]  # type: ignore[no-any-return]


def test_a_match_that_goes_on_is_gone_on_with_whatever_the_file_says(tmp_path: Path) -> None:
    state = str(tmp_path)
    first = Config(state=state, page="off", game="robot-duel")
    assert begun(first)[:2] == ("robot-duel", [])  # and C4C3 is played
    shogi = Config(state=state, page="off", game="shogi", options={"impasse": "off"})
    assert begun(shogi)[:2] == ("robot-duel", ["C4C3"])
    name, moves, options = begun(shogi, new=True)
    assert (name, moves, options["impasse"]) == ("shogi", [], "off")
    # Nothing was played in that: the file says what is begun.
    assert begun(Config(state=state, page="off", game="chaturaji"))[0] == "chaturaji"
    name, _, options = begun(shogi, game="shogi", options={"sennichite": "4_consecutive"})
    assert (name, options["impasse"], options["sennichite"]) == (
        "shogi",
        "off",
        "4_consecutive",
    )


def test_the_file_or_the_command_line_names_the_clock_of_new_matches(tmp_path: Path) -> None:
    clocks: list[tuple[str, bool]] = []

    def play(control: str, flag: str = "ends", **asked: Any) -> None:
        board = SimulatedBoard(load("square-reed"))
        config = parse(
            {"state": str(tmp_path), "page": "off", "clock": {"control": control, "flag": flag}},
            "lampion.toml",
        )

        async def look(host: Host) -> None:
            shown = host.status().clock
            clocks.append((shown.control if shown else "", host.controller.flag_ends))

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Host, "run", look)
            asyncio.run(
                service.play(
                    config,
                    board.layout,
                    lambda on_change: wires.SimulatedWires(board, on_change),
                    Start("robot-duel", **asked),
                )
            )

    play("none")
    play("5m+3s", "told")
    play("5m+3s", clock="30s/move")
    play("5m+3s", clock="none")
    assert clocks == [("", True), ("5m+3s", False), ("30s/move", True), ("", True)]


def test_levels_of_help_hold_for_every_match(tmp_path: Path) -> None:
    board = SimulatedBoard(load("square-reed"))

    async def run() -> None:
        backend = RealBackend(
            board.layout, lambda on_change: wires.SimulatedWires(board, on_change)
        )
        with contextlib.closing(Host(backend, tmp_path, assist=[0, 3])) as host:
            host.open(Start("robot-duel", {}, "square-reed"))
            assert host.status().assist == (0, 3)
            host.new_game("chaturaji", {}, "square-reed")
            assert host.status().assist == (0, 3, 3, 3)

    asyncio.run(run())


def test_people_make_the_moves_of_the_machine_that_the_file_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine, "random", Random(0))  # it takes nobody then
    board = SimulatedBoard(load("square-reed"))
    places = board.layout.game("robot-duel").places

    async def look(host: Host) -> None:
        seated = host.status().opponents
        assert seated is not None
        assert seated.player_kinds == ("level:first-steps", "person")
        assert seated.hands_move is None
        wires.set_up(board, host.game, host.position())
        running = asyncio.create_task(run_for_real(host))
        try:
            async with asyncio.timeout(SOON):
                while (requested := host.opponents.machine._requested) is None:
                    await asyncio.sleep(0.01)
            start, end = requested.text[:2], requested.text[2:4]
            while not host.controller.advice.requested_move:
                await asyncio.sleep(0.01)
            assert set(host.controller.advice.requested_move) == {start, end}
            pole = board.lying(places[start])[-1]
            board.lift(places[start])
            await asyncio.sleep(0.1)
            board.put(places[end], pole)
            async with asyncio.timeout(SOON):
                while not host.status().plies:
                    await asyncio.sleep(0.01)
            assert [ply.text for ply in host.status().plies] == [requested.text]
            host.seating.set_kind(0, PERSON)
            host.new_game("robot-duel", {}, "square-reed")
            seated = host.status().opponents
            assert seated is not None
            assert seated.player_kinds == ("person", "person"), "who was chosen stays chosen"
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)

    run_for_real = Host.run
    monkeypatch.setattr(Host, "run", look)
    config = Config(
        state=str(tmp_path), page="off", game="robot-duel", seats={"A": "level:first-steps"}
    )
    asyncio.run(
        service.play(config, board.layout, lambda call: wires.SimulatedWires(board, call), Start())
    )
