"""Players who are not at a real board: they request moves on their phones, and hands make them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from firmware_host.web.keys import Keys
from firmware_host.web.roles import HOST, PLAYERS, WATCHER, Role
from tests.support import browser
from tests.support.served_board import ServedBoard

pytestmark = [*browser.IN_A_BROWSER, pytest.mark.deep]  # each loads the page several times
KEYS = Keys("0123456789abcdef")
PHONE = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}


@pytest.fixture
def board(tmp_path: Path) -> Iterator[ServedBoard]:
    board = ServedBoard(tmp_path, KEYS)
    yield board
    board.stop()


class Visitor:
    """Somebody with a link."""

    def __init__(self, context: BrowserContext, board: ServedBoard, role: Role) -> None:
        context.add_init_script(browser.VISITED)
        self.board = board
        self.errors: list[str] = []
        self.page: Page = context.new_page()
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.goto(f"{board.url}?token={KEYS.token(role)}&lang=en#/play")
        expect(self.page.locator('[data-view="play"]')).to_be_visible()
        expect(self.page.locator("[data-piece]")).to_have_count(8)
        expect(self.page.locator("#turn")).to_have_text("It is A's turn")

    def place(self, name: str) -> Locator:
        return self.page.locator(f'[data-place="{self.board.places[name]}"]')

    def tap(self, name: str) -> None:
        self.place(name).locator(".hit").tap()

    def may_go(self) -> set[str]:
        names = {place: name for name, place in self.board.places.items()}
        marked = self.page.locator(".target.may-go").evaluate_all(
            "all => all.map((each) => each.dataset.place)"
        )
        return {names[each] for each in marked}

    def has_moves(self, *moves: str) -> None:
        expect(self.page.locator("#plies .move")).to_have_text(list(moves))


def test_two_phones_and_a_board_play_a_match(
    window: Callable[..., BrowserContext], board: ServedBoard
) -> None:
    first = Visitor(window(**PHONE, reduced_motion="reduce"), board, PLAYERS[0])
    second = Visitor(window(**PHONE, reduced_motion="reduce"), board, PLAYERS[1])
    host = Visitor(window(reduced_motion="reduce"), board, HOST)
    for visitor, seat in ((first, 0), (second, 1)):  # each sits at the near side
        near = visitor.page.locator('.seat[data-side="south"]')
        expect(near).to_have_attribute("data-seat", str(seat))
        expect(near).to_contain_text("you")
        expect(visitor.page.locator("#role")).to_have_text(f"You play {'AB'[seat]}.")
        expect(visitor.page.locator("#role")).to_be_visible()
        expect(visitor.page.locator("#seats .cog:visible")).to_have_count(1)

    first.tap("C4")
    expect(first.page.locator(".target.chosen")).to_have_count(1)
    assert first.may_go() == {"C3"}
    expect(second.page.locator(".target.may-go")).to_have_count(0)
    first.tap("C3")
    asked = "Now A plays. Make this move on the board: giraffe from C4 to C3 (C4C3)."
    own = "Your move waits for hands at the board: giraffe from C4 to C3 (C4C3)."
    for visitor, says in ((first, own), (second, asked), (host, asked)):
        expect(visitor.page.locator("#sentence")).to_have_text(says)
        expect(visitor.page.locator("#turn")).to_have_text("A moves")
    expect(host.place("C3")).to_have_attribute("aria-label", "C3, you may put it here")
    board.move("C4", "C3")
    for visitor in (first, second, host):
        visitor.has_moves("C4C3")
        expect(visitor.page.locator("#turn")).to_have_text("It is B's turn")

    first.tap("B4")  # it is not their turn
    expect(first.page.locator(".target.chosen")).to_have_count(0)
    second.place("A1").focus()  # with the keyboard
    second.page.keyboard.press("Enter")
    expect(second.page.locator(".target.may-go")).not_to_have_count(0)
    second.page.keyboard.press("Escape")
    expect(second.page.locator(".target.may-go")).to_have_count(0)
    second.page.keyboard.press("Enter")
    expect(second.page.locator(".target.may-go")).not_to_have_count(0)
    second.place("A2").focus()
    second.page.keyboard.press("Enter")
    expect(second.page.locator("#sentence")).to_contain_text("from A1 to A2")
    back = second.page.locator("#hand-back")
    expect(back).to_be_visible()
    expect(first.page.locator("#hand-back")).to_be_hidden()
    back.tap()  # somebody thought again
    expect(second.page.locator("#sentence")).not_to_contain_text("from A1 to A2")
    second.page.keyboard.press("/")
    second.page.locator("#command-text").fill("A1A2")
    second.page.keyboard.press("Enter")
    expect(host.page.locator("#sentence")).to_contain_text("from A1 to A2")
    board.move("A1", "A2")
    for visitor in (first, second, host):
        visitor.has_moves("C4C3", "A1A2")
        assert visitor.errors == []
    browser.clean(second.page)


def test_a_watcher_requests_nothing(
    window: Callable[..., BrowserContext], board: ServedBoard
) -> None:
    watcher = Visitor(window(**PHONE, reduced_motion="reduce"), board, WATCHER)
    watcher.tap("C4")
    watcher.page.wait_for_timeout(300)
    expect(watcher.page.locator(".target.chosen")).to_have_count(0)
    expect(watcher.page.locator("#role")).to_have_text("You are watching.")
    for hidden in ("#acts .slot >> nth=0", "#seats .cog >> nth=0", "#seats .cog >> nth=1"):
        expect(watcher.page.locator(hidden)).to_be_hidden()
