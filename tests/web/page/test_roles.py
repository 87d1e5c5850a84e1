"""Host, players and watchers at the page, a browser each: what they see and may press."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect

from firmware_host.host.simulated import SimulatedHost
from firmware_host.simulation.virtual_table import BOX
from firmware_host.web.keys import Keys
from firmware_host.web.roles import HOST, PLAYERS, WATCHER, Role
from tests.support.browser import IN_A_BROWSER, Running, Table, box_of, clean, running

pytestmark = IN_A_BROWSER
KEYS = Keys("0123456789abcdef")


@pytest.fixture
def shared(tmp_path: Path) -> Iterator[Running]:
    with running(tmp_path, keys=KEYS) as board:
        yield board


def into_the_box(host: SimulatedHost) -> None:
    piece = host.table.pieces[0]
    host.table.lift(piece.number, "hand")
    host.table.put(piece.number, BOX, "hand")


def test_three_browsers_play_and_watch(
    window: Callable[..., BrowserContext], shared: Running
) -> None:
    def enter(role: Role) -> Table:
        return Table(window(reduced_motion="reduce"), shared, f"?token={KEYS.token(role)}&lang=en")

    first, second, watcher = enter(PLAYERS[0]), enter(PLAYERS[1]), enter(WATCHER)
    for table, said in (
        (first, "You play A."),
        (second, "You play B."),
        (watcher, "You are watching."),
    ):
        expect(table.page.locator("#role")).to_have_text(said)
        assert table.page.url == f"{shared.url}?lang=en#/play"
        table.page.evaluate("() => { location.hash = '#/'; }")  # games begin with the host
        expect(table.page).to_have_url(re.compile("#/play$"))
        for view, closed in (("learn", "#lessons"), ("builders", "#fault-form")):
            table.go(view)
            expect(table.page.locator(closed)).to_be_hidden()
        expect(table.page.locator("#faults h2")).to_have_text(
            "What does not work", use_inner_text=True
        )
        expect(table.settings().locator("#links-panel")).to_be_hidden()
        table.keys("Escape")
        table.go("play")
    first.drag("C4", "C3")
    for table in (first, second, watcher):
        table.has_moves("C4C3")
    for table, mine in ((first, True), (second, False), (watcher, False)):
        page = table.page
        expect(page.locator("[data-press=back]")).to_be_visible(visible=mine)
        expect(page.locator("[data-press=hint]")).to_be_visible(visible=table is second)
        table.more()
        expect(page.locator("[data-press=wrong]")).to_be_visible(visible=mine)
        expect(page.locator("#say-open")).to_be_visible(visible=table is not watcher)
        table.keys("Escape")
    first.pull("A1", "A2")
    expect(first.page.locator("#refused")).to_have_text(
        "You play A: only another player may do that now."
    )
    second.drag("A1", "A2")
    watcher.has_moves("C4C3", "A1A2")
    watcher.pull("B3", "B2")
    expect(watcher.page.locator("#refused")).to_contain_text("You are watching: only players")
    for closed in ("#acts .slot >> nth=0", "#acts .slot >> nth=1", "#seats .cog >> nth=0"):
        expect(watcher.page.locator(closed)).to_be_hidden()
    watcher.more()
    expect(watcher.page.locator("#claims")).to_be_hidden()
    watcher.keys("Escape")
    expect(first.page.locator("#seats .cog:visible")).to_have_count(1)
    second.more().locator(".claim").click()
    second.page.locator("#confirm-yes").click()
    watcher.says("A wins")
    shared.ask(into_the_box)
    for table, buttons in ((first, 1), (watcher, 0)):
        expect(table.page.locator("#box li")).to_have_count(1)
        expect(table.page.locator("#box button")).to_have_count(buttons)
    watcher.page.reload()  # with the cookie
    expect(watcher.page.locator("#role")).to_have_text("You are watching.")


def test_the_host_shows_the_links(context: BrowserContext, shared: Running) -> None:
    table = Table(context, shared, f"?token={KEYS.token(HOST)}")
    expect(table.page.locator("#role")).to_be_hidden()
    table.go("builders")
    expect(table.page.locator("#faults h2")).to_have_text("Break the hardware", use_inner_text=True)
    table.settings()
    table.page.locator("#links-panel summary").click()
    links = table.page.locator("#links li")
    expect(links).to_have_count(4)
    expect(links.last.locator("h3")).to_have_text("watchers")
    expect(links.last.locator("code")).to_contain_text("http://")
    expect(links.last.locator("code")).to_contain_text(f"?token={KEYS.token(WATCHER)}")
    code = links.last.get_by_role("img", name="QR code for watchers")
    ground = "element => getComputedStyle(element).backgroundColor"
    assert code.evaluate(ground) == "rgb(255, 255, 255)"  # a phone needs its light margin
    box = box_of(code.locator("svg"))
    assert min(box["width"], box["height"]) >= 132
    links.last.get_by_role("button", name="Copy").click()
    expect(links.last).to_contain_text("Copied")
    table.page.locator("#links-panel").evaluate(
        "panel => panel.append(document.createElement('textarea'))"
    )
    pasted = table.page.locator("#links-panel > textarea")
    pasted.focus()
    table.keys("Control+V")
    expect(pasted).to_have_value(links.last.locator("code").inner_text())
    pasted.evaluate("element => element.remove()")
    clean(table.page, "#settings")
    table.speak("pl")
    expect(links.last.locator("h3")).to_have_text("widzowie")
    assert table.errors == []


def test_a_board_that_is_not_shared_says_how_to_share_it(table: Table) -> None:
    table.settings()
    table.page.locator("#links-panel summary").click()
    expect(table.page.locator("#links-about")).to_contain_text("lampion sim --lan")
    expect(table.page.locator("#links li")).to_have_count(0)
    clean(table.page, "#settings")
