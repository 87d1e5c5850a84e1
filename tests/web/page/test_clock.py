"""The clock on the page: chosen in two clicks, counting down in the strips, paused."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import BrowserContext, Locator, expect

from firmware_host.players.time_control import time_control
from tests.support.browser import IN_A_BROWSER, Running, Table

pytestmark = IN_A_BROWSER


def strip(table: Table, seat: int) -> Locator:
    return table.page.locator(f'.seat[data-seat="{seat}"]')


def seconds(time: Locator) -> float:
    minutes, _, rest = time.inner_text().rpartition(":")
    return 60 * int(minutes or 0) + float(rest)


def test_a_clock_is_chosen_in_two_clicks_and_counts_down(
    board: Running, context: BrowserContext
) -> None:
    table = Table(context, board)
    page = table.page
    page.get_by_role("button", name="Choose a clock").click()
    expect(page.get_by_role("button", name="No clock")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="5 min, and 3 s more after each move").click()
    expect(strip(table, 0).locator("time")).to_have_text("5:00")
    expect(strip(table, 1).locator("time")).to_have_text("5:00")
    assert table.board.ask(lambda host: host.status().clock.control) == "5m+3s"
    table.drag("C4", "C3")
    expect(strip(table, 1).locator(".clock")).to_have_class(re.compile("runs"))
    expect(strip(table, 1).locator("time")).to_have_text("4:58")
    expect(strip(table, 0).locator("time")).to_have_text("5:00")

    strip(table, 1).locator(".clock").click()
    page.get_by_role("button", name="Pause").click()
    expect(strip(table, 1).locator(".little")).to_have_text("Paused")
    stood = seconds(strip(table, 1).locator("time"))
    page.wait_for_timeout(1500)
    assert seconds(strip(table, 1).locator("time")) == stood
    strip(table, 0).locator(".clock").click()
    page.get_by_role("button", name="Start it again").click()
    expect(strip(table, 1).locator(".clock")).to_have_class(re.compile("runs"))
    assert not table.errors


@pytest.mark.deep  # it waits for a clock of ten seconds
def test_little_time_is_said_in_words_and_shown_in_tenths(
    board: Running, context: BrowserContext
) -> None:
    board.ask(lambda host: host.time_with(time_control("10s")))
    table = Table(context, board)
    table.drag("C4", "C3")
    time = strip(table, 1).locator("time")
    expect(strip(table, 1).locator(".little")).to_have_text("Little time")
    expect(time).to_have_text(re.compile(r"^\d\.\d$"))
    expect(strip(table, 0).locator("time")).to_have_text("0:10")
    expect(strip(table, 1).locator(".little")).to_have_text("No time left")
    expect(time).to_have_text("0.0")
    expect(table.page.locator("#card")).to_contain_text("The opponent's time is up.")


def test_periods_stand_beside_the_time_and_another_clock_is_written(
    board: Running, context: BrowserContext
) -> None:
    board.ask(lambda host: host.time_with(time_control("10m+30s*3")))
    table = Table(context, board)
    clock = strip(table, 0).locator(".clock")
    expect(clock.locator(".periods")).to_have_text("+3")
    expect(clock).to_have_attribute("aria-label", "10 minutes, 3 periods more")
    clock.click()
    chosen = table.page.locator("#clock [aria-pressed=true]")
    expect(chosen).to_have_text("10 min, then 3 periods of 30 s")
    page = table.page
    table.keys("Escape")
    for text in ("soon", "3m+2s"):
        page.locator(".clock").first.click()
        page.get_by_label("Another, such as 3m+2s").fill(text)
        page.get_by_role("button", name="Use it").click()
        if text == "soon":
            expect(page.locator("#refused")).to_contain_text("soon is no clock")
    expect(strip(table, 0).locator("time")).to_have_text("3:00")
