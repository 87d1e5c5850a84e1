"""The connection of a page: a silent board, delayed commands, a board of another version."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from playwright.sync_api import BrowserContext, WebSocketRoute, expect

from firmware_host.web.connection import HEARTBEAT_S
from hardware.layout import load
from tests.support.browser import IN_A_BROWSER, Running, Table

pytestmark = IN_A_BROWSER

SILENCE = 20
"""Seconds after which the page gives up."""


class Line:
    """The connections between a page and its board; each way may be held up."""

    def __init__(self, context: BrowserContext) -> None:
        self.received = 0
        self.to_page = True
        self.to_board = True
        self._late: list[Callable[[], None]] = []
        context.route_web_socket(re.compile("/ws"), self._connect)

    def _connect(self, page: WebSocketRoute) -> None:
        board = page.connect_to_server()

        def hear(message: str | bytes) -> None:
            if self.to_page:
                page.send(message)
                self.received += 1

        def say(message: str | bytes) -> None:
            if self.to_board:
                board.send(message)
            else:
                self._late.append(lambda: board.send(message))

        board.on_message(hear)
        page.on_message(say)

    def let_go(self) -> None:
        """Deliver the delayed messages to the board."""
        self.to_board = True
        for send in self._late:
            send()


def test_a_silent_board_is_noticed_and_found_again(
    context: BrowserContext, board: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware_host.web.connection.HEARTBEAT_S", 0.5)
    line = Line(context)
    context.clock.install()
    table = Table(context, board)
    lost = table.page.locator("#lost")
    for _ in range(2):  # a board without news is not silent
        before = line.received
        context.clock.fast_forward((SILENCE - HEARTBEAT_S) * 1000)
        while line.received == before:
            table.page.wait_for_timeout(20)
    expect(lost).to_be_hidden()
    line.to_page = False
    context.clock.fast_forward(SILENCE * 1000)
    expect(lost).to_contain_text("The connection to the board is lost.")
    table.pull("C4", "C3")
    refused = table.page.locator("#refused")
    expect(refused).to_have_text("Not sent: there was no connection to the board.")
    line.to_page = True
    context.clock.fast_forward(SILENCE * 1000)
    expect(lost).to_be_hidden()
    table.has_moves()
    table.drag("C4", "C3")
    table.has_moves("C4C3")


def test_a_page_of_another_version_loads_itself_again_once_and_then_says_so(
    context: BrowserContext, board: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware_host.web.view.PROTOCOL", 1)
    page = context.new_page()
    loads = []
    page.on("load", lambda page: loads.append(page.url))
    page.goto(f"{board.url}#/play")
    expect(page.locator("#lost")).to_contain_text("are of different versions")
    page.wait_for_timeout(500)
    assert len(loads) == 2
    expect(page.locator("[data-piece]")).to_have_count(0)
    monkeypatch.undo()
    page.locator("#reconnect").click()
    expect(page.locator("#lost")).to_be_hidden()
    expect(page.locator("[data-piece]").first).to_be_attached()


@pytest.mark.deep
def test_a_delayed_command_is_refused(
    context: BrowserContext, board: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware_host.web.connection.HEARTBEAT_S", 1)
    monkeypatch.setattr("firmware_host.web.connection.LATE_S", 3)
    line = Line(context)
    table = Table(context, board)
    table.drag("C4", "C3")
    table.has_moves("C4C3")
    line.to_board = False
    table.pull("A1", "A2")
    table.page.locator('[data-press="back"]').click()
    table.page.wait_for_timeout(5000)
    line.let_go()
    expect(table.page.locator("#refused")).to_contain_text("too late")
    table.page.wait_for_timeout(500)
    table.has_moves("C4C3")
    assert board.ask(lambda host: host.table.at(host.table.place("A1")))
    table.drag("A1", "A2")
    table.has_moves("C4C3", "A1A2")


@pytest.mark.deep
def test_a_board_that_is_stopped(context: BrowserContext, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "firmware_host", "sim", "--game", "robot-duel"]
    sim = subprocess.Popen(
        [*command, "--layout", "square-reed", "--port", "0", "--state", str(tmp_path)],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert sim.stdout is not None
        found = re.search(r"http://\S+", sim.stdout.readline())
        assert found is not None
        names = load("square-reed").game("robot-duel").places
        host = SimpleNamespace(table=SimpleNamespace(place=names.get))
        table = Table(context, SimpleNamespace(url=found[0], host=host))  # type: ignore[arg-type]
        lost = table.page.locator("#lost")
        os.kill(sim.pid, signal.SIGSTOP)
        table.page.locator('[data-press="hint"]').click()
        table.pull("C4", "C3")
        expect(lost).to_be_visible(timeout=45_000)
        table.pull("C4", "C3")
        os.kill(sim.pid, signal.SIGCONT)
        expect(lost).to_be_hidden(timeout=20_000)
        table.page.wait_for_timeout(3000)
        table.has_moves()
        expect(table.page.locator(".signs .sign-TEAL")).to_have_count(0)  # nor a hint
        table.drag("C4", "C3")
        table.has_moves("C4C3")
    finally:
        os.kill(sim.pid, signal.SIGCONT)
        sim.terminate()
        sim.wait(10)
        if sim.stdout:
            sim.stdout.close()
