"""The page of a real board in a browser: it shows the pieces, and moves nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.support import browser
from tests.support.chooser import Chooser
from tests.support.served_board import ServedBoard

pytestmark = browser.IN_A_BROWSER


@pytest.fixture
def running(tmp_path: Path) -> Iterator[ServedBoard]:
    board = ServedBoard(tmp_path)
    yield board
    board.stop()


@pytest.fixture
def page(context: BrowserContext, running: ServedBoard) -> Iterator[Page]:
    errors: list[Any] = []
    context.add_init_script(browser.VISITED)
    page = context.new_page()
    page.on("pageerror", lambda error: errors.append(error))
    page.goto(f"{running.url}#/play")
    expect(page.locator("[data-piece]")).to_have_count(8)
    expect(page.locator("#says")).to_contain_text("It is A's turn.")
    yield page
    assert errors == []


def test_a_page_shows_known_pieces_and_a_dot_for_an_unknown_one(
    page: Page, running: ServedBoard
) -> None:
    expect(page.locator(".piece.missing")).to_have_count(0)
    running.board.put("A9")
    expect(page.locator("[data-unknown]")).to_have_attribute("data-unknown", "A9")
    label = "an unknown piece"
    expect(page.get_by_label(label)).to_have_attribute("data-place", "A9")
    running.board.lift("A9")
    expect(page.locator("[data-unknown]")).to_have_count(0)
    running.board.lift(running.places["C4"])
    expect(page.locator(".piece.missing")).to_have_count(1)
    expect(page.get_by_label("not seen there")).to_have_attribute(
        "data-place", running.places["C4"]
    )
    running.board.put(running.places["C3"])
    expect(page.locator("#plies .move")).to_have_text(["C4C3"])
    expect(page.locator(".piece.missing")).to_have_count(0)


def test_an_address_without_a_view_shows_the_match_in_progress_or_else_the_choice_of_a_game(
    page: Page, running: ServedBoard
) -> None:
    page.evaluate("location.hash = ''")
    expect(page.locator('[data-view="home"]')).to_be_visible()
    page.evaluate("location.hash = '#/play'")
    running.move("C4", "C3")
    expect(page.locator("#plies .move")).to_have_text(["C4C3"])
    page.evaluate("location.hash = ''")
    expect(page.locator('[data-view="play"]')).to_be_visible()


def test_nothing_simulated_is_on_the_page_of_a_real_board(page: Page, running: ServedBoard) -> None:
    text = ""
    for view in ("", "builders", "learn", "play"):
        page.evaluate("view => { location.hash = `#/${view}`; }", view)
        expect(page.locator(f'[data-view="{view or "home"}"]')).to_be_visible()
        text += page.locator("body").inner_text()
        expect(page.locator("#fault-form")).to_be_hidden()
    page.locator("#help").evaluate("details => { details.open = true; }")
    for dialog in ("more-menu", "settings", "say"):
        page.locator(f"#{dialog}").evaluate("dialog => dialog.showModal()")
        text += page.locator(f"#{dialog}").inner_text()
        for part in ("#hand", "#box-holder", "#tidy", "#repair-by-hands", "#move"):
            expect(page.locator(part)).to_be_hidden()
        page.keyboard.press("Escape")
    for words in ("imulated", "Break the hardware", "Beside the board", "Flip", "lift or put"):
        assert words not in text
    assert "What does not work" in text
    page.evaluate("location.hash = '#/learn'")
    page.locator("#tour-again").click()
    expect(page.locator("#tour-text")).to_contain_text("Move its pieces there")
    page.keyboard.press("Escape")
    before = running.board.save()
    place = page.locator(f'[data-place="{running.places["C4"]}"]')
    place.click()
    place.click(button="right")
    for key in ("Enter", "f", "r", "b", "Escape"):
        page.keyboard.press(key)
    expect(page.locator("#refused")).to_be_empty()
    assert running.board.save() == before


def test_a_move_is_reported_and_a_game_begun(page: Page, running: ServedBoard) -> None:
    page.keyboard.press("/")
    command = page.locator("#command-text")
    command.fill("not a move")
    page.keyboard.press("Enter")  # it reports the move: there are no hands to make it
    expect(page.locator("#command-refused")).to_contain_text("not a move is no move of this game.")
    page.keyboard.press("Escape")
    chooser = Chooser(page)
    chooser.open()
    expect(page.locator("#home-where")).to_be_hidden()  # there is no other
    chooser.choose("shogi")
    chooser.begin()
    expect(page.locator("#title")).to_have_text("Shogi")
    expect(page.locator("#says")).to_contain_text("Set up the pieces as the lights show.")
    expect(page.locator(".piece.missing")).not_to_have_count(0)
    expect(page.locator("#moves-title")).to_have_text(
        re.compile(r"^\d+ of 40 pieces are in place$")
    )
    expect(page.locator("#set-up li")).to_have_count(16)
    expect(page.locator("#plies")).to_be_hidden()
    running.set_up()
    expect(page.locator("#moves-title")).to_have_text("Moves")
    expect(page.locator("#set-up")).to_be_hidden()
