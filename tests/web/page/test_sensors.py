"""The live view of the sensors, on a simulated board and on a real one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from firmware_host.controller.power_off import POWER_OFF_FILE, PowerSwitch
from tests.support import browser
from tests.support.served_board import ServedBoard

pytestmark = browser.IN_A_BROWSER


@pytest.fixture
def running(tmp_path: Path) -> Iterator[ServedBoard]:
    board = ServedBoard(tmp_path)
    yield board
    board.stop()


@pytest.fixture
def page(context: BrowserContext, running: ServedBoard) -> Iterator[Page]:
    errors: list[object] = []
    context.add_init_script(browser.VISITED)
    page = context.new_page()
    page.on("pageerror", lambda error: errors.append(error))
    page.goto(f"{running.url}#/builders")
    expect(page.locator("#chips table")).to_have_count(7)
    yield page
    assert errors == []


def test_a_magnet_is_seen_on_its_pin_and_in_the_log(page: Page, running: ServedBoard) -> None:
    row = page.locator("#chips tr", has=page.get_by_role("button", name="Light I9", exact=True))
    expect(row.locator("td").nth(1)).to_have_text("0")
    running.board.put("I9")
    expect(row.locator("td").nth(1)).to_have_text("1")
    expect(row.locator("td").nth(2)).to_have_text("1")
    expect(page.locator("#edges")).to_contain_text("I9 reads 1")
    expect(page.locator("#edges")).to_contain_text("I9 counts as 1")
    with page.expect_download() as saved:
        page.locator("#save-log").click()
    lines = saved.value.path().read_text("utf-8").splitlines()
    assert {"edge", "rest"} <= {
        json.loads(line)["kind"] for line in lines[1:] if json.loads(line)["name"] == "I9"
    }


def test_a_click_on_a_place_lights_it(page: Page, running: ServedBoard) -> None:
    (pixel,) = running.board.layout.places["I9"].pixels
    page.get_by_role("button", name="Light I9", exact=True).click()
    page.wait_for_function(
        """async (pixel) => new Promise((done) => {
          const socket = new WebSocket(location.origin.replace("http", "ws") + "/ws");
          socket.binaryType = "arraybuffer";
          socket.onmessage = ({ data }) => {
            if (typeof data === "string") return;
            const bytes = new Uint8Array(data);
            if (bytes[0] === 1) { socket.close(); done(bytes[5 + 3 * pixel] > 0); }
          };
        })""",
        arg=pixel,
    )


def test_a_silent_chip_has_unknown_sensors(page: Page, running: ServedBoard) -> None:
    row = page.locator("#chips tr", has=page.get_by_role("button", name="Light A1", exact=True))
    expect(row.locator("td").nth(1)).not_to_have_text("unknown")
    running.board.unplug(0x20)
    expect(row.locator("td").nth(1)).to_have_text("unknown")
    expect(page.locator("#edges")).to_contain_text("A1 cannot be read")


def test_the_host_switches_the_board_off_after_a_question(
    context: BrowserContext, running: ServedBoard, tmp_path: Path
) -> None:
    runtime = tmp_path / "run"
    runtime.mkdir()
    running.host.builders.power = PowerSwitch(runtime)
    context.add_init_script(browser.VISITED)
    page = context.new_page()
    page.goto(f"{running.url}#/play")
    page.locator("#settings-open").click()
    page.get_by_role("button", name="Switch the board off").click()
    expect(page.locator("#confirm-text")).to_contain_text("The match is kept")
    assert list(runtime.iterdir()) == []
    page.locator("#confirm-yes").click()
    expect(page.locator("#confirm")).to_be_hidden()
    for _ in range(200):
        if (runtime / POWER_OFF_FILE).exists():
            break
        page.wait_for_timeout(50)
    assert [path.name for path in runtime.iterdir()] == [POWER_OFF_FILE]


def test_a_board_that_no_service_runs_offers_no_switch(page: Page) -> None:
    page.locator("#settings-open").click()
    expect(page.locator("#settings")).to_be_visible()
    expect(page.locator("#switch-off")).to_be_hidden()
