"""A beginner at the page: hints, grades of a lifted piece, and a game against the machine."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.support.browser import IN_A_BROWSER

pytestmark = IN_A_BROWSER


def choose(table: Any, key: str, value: str) -> None:
    table.seat(int(key.split()[-1])).locator(f'[data-key="{key}"]').select_option(value)
    table.keys("Escape")


@pytest.mark.deep
def test_a_beginner_plays_against_first_steps(table: Any) -> None:
    page = table.page
    table.settings()
    expect(page.locator("#machine-hands")).to_be_hidden()
    table.keys("Escape")
    choose(table, "player kind 1", "level:first-steps")
    table.settings()
    expect(page.locator("#machine-hands")).to_be_visible()
    table.keys("Escape")
    page.locator('[data-press="hint"]').click()
    expect(page.locator("#says")).to_contain_text("Hint: move the", timeout=20_000)
    page.locator('[data-press="hint"]').click()
    expect(page.locator("#says")).to_contain_text(re.compile(r"Hint: \w+ from"))
    expect(page.locator(".signs .sign-TEAL")).to_have_count(2)
    table.say("C4C3")
    expect(page.locator("#plies .ply")).to_have_count(2, timeout=40_000)
    expect(page.locator(".seat.turn strong")).to_have_text("A")
    for _ in range(20):  # the machine's hands may still carry a captured piece
        table.say("C3C4")
        page.wait_for_timeout(500)
        if page.locator("#say").is_hidden() and not page.locator("#refused").inner_text():
            break
    expect(page.locator("#plies .ply")).to_have_count(4, timeout=40_000)


def test_targets_of_a_lifted_piece_have_a_second_sign(table: Any) -> None:
    page = table.page
    expect(table.seat(0).locator('[data-key="graded 0"]')).to_have_count(0)
    choose(table, "assist 0", "4")
    expect(table.seat(0).locator('[data-key="graded 0"]')).to_have_count(1)
    table.keys("Escape")
    table.click("B4")
    signs = page.locator(".signs .sign text")
    expect(signs.filter(has_text=re.compile("[★?⁇]")).first).to_be_visible(timeout=20_000)
    labelled = page.locator(
        '[aria-label*="you may put it here, best"], [aria-label*="put it here, losing"], '
        '[aria-label*="put it here, doubtful"], [aria-label*="put it here, fine"]'
    )
    expect(labelled.first).to_be_attached()
