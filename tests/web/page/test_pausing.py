"""Pauses, forgotten pieces and moves taken back are no errors on the page, either."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.support.browser import IN_A_BROWSER, Running, Table, running

pytestmark = [*IN_A_BROWSER, pytest.mark.deep]  # each loads the page several times

BLAME = ("sensor", "not sure", "only by stepping", "Only one piece")


def says_nothing_of(table: Table, *words: str) -> None:
    said = table.page.locator("#says").text_content() or ""
    assert not any(word in said for word in words), said


def test_a_forgotten_piece_is_waited_for(context: BrowserContext, tmp_path: Path) -> None:
    with running(tmp_path) as board:
        Table(context, board).drag("B2", "box")
        port = board.port
    with Running.again(tmp_path, port) as board:
        table = Table(context, board)
        table.says("Put the chick of B on B2.")
        table.drag("C4", "C3")  # somebody moves too early
        table.says("Move the giraffe from C3 to C4.")
        table.has_moves()
        says_nothing_of(table, *BLAME)
        table.drag("C3", "C4")
        table.page.locator("#box button").click()
        table.click("B2")
        table.says("It is A's turn")
        table.drag("C4", "C3")
        table.has_moves("C4C3")


def test_back_and_back_again_before_a_piece_is_touched(table: Table) -> None:
    table.drag("C4", "C3")
    table.has_moves("C4C3")
    table.drag("A1", "A2")
    table.has_moves("C4C3", "A1A2")
    back = table.page.locator("[data-press=back]")
    back.click()
    table.has_moves("C4C3")
    back.click()
    table.has_moves()
    table.says("2 movements put the board right")
    says_nothing_of(table, *BLAME)
    table.drag("A2", "A1")
    table.drag("C3", "C4")
    table.says("It is A's turn")
    says_nothing_of(table, *BLAME)


def test_an_illegal_move_is_reported_and_waited_for(table: Table) -> None:
    table.drag("A4", "A2")
    table.says("elephant goes one step diagonally")
    table.says("Move the elephant from A2 to A4.")
    table.page.wait_for_timeout(3000)
    says_nothing_of(table, "sensor", "not sure")
    expect(table.page.locator("[data-press=yes]")).to_be_hidden()
    table.drag("A2", "A4")
    table.says("It is A's turn")
