"""Pending actions after a move, and points, on the page in a real headless Chromium."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.support.browser import IN_A_BROWSER, Table, running

pytestmark = [*IN_A_BROWSER, pytest.mark.deep]  # each loads the page several times

CHICK = "The chick goes to the hand of A"


def test_a_captured_piece_is_put_into_its_slot(context: BrowserContext, tmp_path: Path) -> None:
    with running(tmp_path) as board:
        table = Table(context, board)
        table.drag("B2", "box")
        table.drag("B3", "B2")
        table.has_moves("B3B2")
        table.says(CHICK)
        slot = table.place("hand.A.C")
        expect(slot).to_have_attribute("aria-label", re.compile("you may put it here"))
        expect(table.page.locator(".signs .sign-BLUE")).to_have_count(1)
        pixel = board.host.layout.places["south.3"].pixels[0]
        expect(table.page.locator(f"#led-{pixel}")).to_have_attribute(
            "style", re.compile(r"rgb\(72, 109, 255\)")
        )
        table.page.locator("#box button").first.click()
        table.click("hand.A.C")
        expect(table.page.locator("#says")).not_to_contain_text(CHICK)
        expect(slot).not_to_have_attribute("aria-label", re.compile("you may put it here"))
        expect(table.page.locator(".signs .sign-BLUE")).to_have_count(0)
        table.has_moves("B3B2")
        assert table.errors == []


def test_simulated_hands_take_over_the_captured_piece_at_the_pointer(
    context: BrowserContext, tmp_path: Path
) -> None:
    with running(tmp_path) as board:
        table = Table(context, board)
        table.pull("B3", "B2")  # the hand takes the piece that stood there
        table.has_moves("B3B2")
        hand = table.page.locator("#hand")
        expect(hand).to_be_visible()
        table.keys("u")
        table.page.locator("#repair-by-hands").click()
        expect(hand).to_be_hidden()
        expect(table.page.locator("#repair-by-hands")).to_be_hidden()
        expect(table.page.locator("#refused")).to_be_empty()
        table.says("It is A's turn.")
        assert table.errors == []


def test_cards_show_the_points_of_chaturaji(context: BrowserContext, tmp_path: Path) -> None:
    with running(tmp_path, "chaturaji", options={"dice": "0"}) as board:
        table = Table(context, board)
        names = table.page.locator("#seats .seat strong")
        expect(names).to_have_text(["black", "green", "red", "yellow"])
        cards = table.page.locator("#seats .points b")
        expect(cards).to_have_text(["0", "0", "0", "0"])
        for number, text in enumerate(("b1c3", "b8c8", "h7h6", "g4f4"), 1):
            table.drag(text[:2], text[2:])
            expect(table.page.locator("#plies .move")).to_have_count(number)
        table.drag("b5", "box")
        table.drag("c3", "b5")
        table.has_moves("b1c3", "b8c8", "h7h6", "g4f4", "c3b5")
        table.says("Black takes the pawn of green: 1 point, 1 in all.")
        expect(table.page.locator("#sentence")).to_contain_text("Lift a piece")  # it is done
        expect(table.page.locator("#says")).not_to_contain_text("goes beside the board")
        expect(cards).to_have_text(["1", "0", "0", "0"])
        assert table.errors == []


def test_cards_show_the_marbles_pushed_off_with_the_goal(
    context: BrowserContext, tmp_path: Path
) -> None:
    with running(tmp_path, "abalone", "hex-reed") as board:
        table = Table(context, board)
        expect(table.page.locator("#seats .seat strong")).to_have_text(["black", "white"])
        expect(table.page.locator("#seats .points")).to_have_text(["0 of 6", "0 of 6"])
        expect(table.page.locator("#seats .pips i")).to_have_count(12)
        assert table.errors == []
