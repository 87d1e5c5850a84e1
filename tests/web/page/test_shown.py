"""The views that only show the match: over a stream, and on a wall."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from firmware_host.players.time_control import time_control
from firmware_host.web.keys import Keys
from firmware_host.web.roles import HOST
from tests.support.browser import IN_A_BROWSER, Running, Table, box_of, running

pytestmark = [*IN_A_BROWSER, pytest.mark.deep]  # each loads the page several times
TRANSPARENT = "rgba(0, 0, 0, 0)"
CONTROLS = "button, a, input, select, summary, textarea"


def opened(context: BrowserContext, board: Running, view: str, token: str = "") -> Page:
    page = context.new_page()
    page.goto(f"{board.url}?view={view}&lang=en{token}#/games")
    expect(page.locator('[data-view="play"]')).to_be_visible()
    expect(page.locator("[data-piece]").first).to_be_attached()
    return page


def controls(page: Page) -> list[str]:
    """Return what could be pressed."""
    found: list[str] = page.locator(CONTROLS).evaluate_all(
        "all => all.filter((each) => each.checkVisibility() && !each.closest('[inert]'))"
        ".map((each) => each.outerHTML.slice(0, 80))"
    )
    return found


def is_inside(page: Page, part: str) -> bool:
    """Whether all of an element is in the window."""
    found: bool = page.locator(part).evaluate(
        """(each) => {
          const { left, top, right, bottom } = each.getBoundingClientRect();
          return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
        }"""
    )
    return found


@pytest.mark.parametrize("view", ["overlay", "wall"])
def test_nothing_can_be_done_in_it_whatever_the_role(
    window: Callable[..., BrowserContext], tmp_path: Path, view: str
) -> None:
    keys = Keys("0123456789abcdef")
    with running(tmp_path, keys=keys) as board:
        page = opened(window(), board, view, f"&token={keys.token(HOST)}")
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        assert controls(page) == []
        for hidden in (".top", "#tour", "#acts", "#seats .cog >> nth=0"):
            expect(page.locator(hidden)).to_be_hidden()
        piece = page.locator(f'[data-place="{board.host.table.place("C4")}"]')
        box = box_of(piece)
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        for key in ("Tab", "Enter", "?", "/", "u", "v"):
            page.keyboard.press(key)
        sent = page.evaluate(
            """() => new Promise((done) => {
              const socket = new WebSocket(`ws://${location.host}/ws${location.search}`);
              socket.onmessage = ({ data }) => {
                const message = typeof data === "string" ? JSON.parse(data) : {};
                if (message.type === "state") {
                  const { rev } = message;
                  socket.send(JSON.stringify({ type: "press", n: 1, rev, button: "hint" }));
                }
                if (message.n === 1) done(message.reason);
              };
            })"""
        )
        assert sent == "You are watching: only players and the host may do that."
        assert not any(each.hand for each in board.ask(lambda host: host.table.pieces))
        expect(page.locator("dialog[open]")).to_have_count(0)
        assert board.moves() == []
        assert errors == []


def test_an_overlay_is_transparent_and_holds_board_and_strips(
    window: Callable[..., BrowserContext], board: Running
) -> None:
    page = opened(window(1920, 1080), board, "overlay")
    for element in ("html", "body"):
        style = "element => getComputedStyle(element).backgroundColor"
        assert page.locator(element).evaluate(style) == TRANSPARENT
        image = "element => getComputedStyle(element).backgroundImage"
        assert page.locator(element).evaluate(image) == "none"
    expect(page.locator("#panel")).to_be_hidden()
    for part in ("#board", ".seat >> nth=0", ".seat >> nth=1"):
        assert is_inside(page, part)


@pytest.mark.parametrize("size", [(1920, 1080), (1080, 1920), (1280, 720)])
def test_a_wall_is_read_from_three_metres(
    window: Callable[..., BrowserContext], board: Running, size: tuple[int, int]
) -> None:
    board.ask(lambda host: host.time_with(time_control("10m")))
    table = Table(window(), board)
    table.drag("C4", "C3")
    page = opened(window(*size), board, "wall")
    expect(page.locator("#drawer-move")).to_contain_text("1. A: giraffe from C4 to C3")
    expect(page.locator("#turn")).to_have_text("It is B's turn")
    expect(page.locator(".clock:visible")).to_have_count(2)
    least = 0.025 * min(size)  # 27 pixels of 1080: 9 mm on a screen of 24 inches
    for part in (".who strong >> nth=0", "#turn", "#drawer-move", ".clock >> nth=0"):
        element = page.locator(part)
        expect(element).to_be_visible()
        height = element.evaluate("each => parseFloat(getComputedStyle(each).fontSize)")
        assert height >= least, part
        assert is_inside(page, part)
    cursor = "each => getComputedStyle(each).cursor"
    assert page.locator("#board").evaluate(cursor) == "none"
    board_box = box_of(page.locator("#board"))
    assert max(board_box["height"] / size[1], board_box["width"] / size[0]) > 0.55
