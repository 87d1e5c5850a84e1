"""Puzzles on the page: their list, the puzzle of the day, and one that is solved by hand."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect

from firmware_host.i18n.messages import LANGUAGES
from firmware_host.lessons.puzzles import puzzle_of_the_day, puzzles_of
from tests.support.browser import IN_A_BROWSER, Running, Table, box_of, clean, running
from tests.support.sampling import a_few

pytestmark = [*IN_A_BROWSER, pytest.mark.deep]  # each loads the page several times

DAY = date(2026, 11, 29)
SIZES = [(390, 844), (1280, 800)]


def at_day(board: Running, days: int = 0) -> None:
    today = DAY + timedelta(days)
    board.ask(lambda host: setattr(host.lesson_mode, "today", lambda: today))


def test_a_puzzle_that_was_answered_wrong_comes_back(
    context: BrowserContext, tmp_path: Path
) -> None:
    puzzle = puzzles_of("shogi")[0]
    count = len(puzzles_of("shogi"))
    with running(tmp_path, "shogi", "square-hall") as board:
        at_day(board)
        table = Table(context, board)
        page = table.page
        table.go("learn")
        page.locator("#learner").fill("Ania")
        page.locator("#learner").press("Enter")
        card = page.locator('[data-puzzles="shogi puzzle"]')
        expect(card).to_contain_text(f"0 of {count} solved")
        card.focus()
        table.keys("Enter")
        expect(page.locator("#lesson-title")).to_have_text(f"Puzzle 1 of {count}: Mate in one move")
        table.says("Give checkmate in one move.")
        wrong = next(text for text in _moves(board) if text not in puzzle.right)
        table.say(wrong)
        expect(page.locator("#lesson")).to_have_attribute("data-stage", "wrong")
        board_waits = lambda: board.ask(lambda host: dict(host.lesson_mode.tried.of("Ania")))  # noqa: E731
        for _ in range(200):
            if board_waits():
                break
            page.wait_for_timeout(50)
        assert [*board_waits()] == [puzzle.name]
        page.locator("#lesson-again").click()
        expect(page.locator("#lesson")).to_have_attribute("data-stage", "task")
        table.say(puzzle.right[0])
        expect(page.locator("#lesson")).to_have_attribute("data-stage", "done")
        expect(page.locator("#turn")).to_have_text("Solved")
        yes = page.locator('#acts [data-press="yes"]')
        expect(yes).to_be_visible()
        expect(yes).to_contain_text("Yes")
        expect(page.locator("#lesson-next")).to_have_text("Next puzzle")
        table.go("learn")
        expect(card).to_contain_text("1 comes back later")
        at_day(board, 1)
        table.go("")
        table.go("learn")
        expect(card).to_contain_text("1 comes back today")
        assert table.errors == []


def _moves(board: Running) -> list[str]:
    def legal(host: object) -> list[str]:
        match = host.controller.session.view.match  # type: ignore[attr-defined]
        return [match.game.move_text(match.position, move) for move in match.legal]

    return board.ask(legal)


def test_the_puzzle_of_the_day_begins_on_the_home_page(table: Table, board: Running) -> None:
    at_day(board)
    puzzle = puzzle_of_the_day(tuple(board.ask(lambda host: [*host.games()])), DAY)
    assert puzzle is not None
    table.go("")
    card = table.page.locator("#home-puzzle button")
    expect(card).to_contain_text("Puzzle of the day")
    expect(card).to_contain_text(puzzle.game.title)
    expect(card.locator(".small-piece").first).to_be_attached()
    card.click()
    expect(table.page.locator("#lesson-title")).to_contain_text(puzzle.title)
    assert board.ask(lambda host: host.lesson_mode.lesson.name) == puzzle.name
    assert puzzle.seat == 1
    own, other = (box_of(table.page.locator(f'.seat[data-seat="{seat}"]')) for seat in (1, 0))
    assert own["y"] > other["y"], "the side that is to find the move is near"
    table.page.locator("#lesson-leave").click()
    expect(table.page.locator("#lesson")).to_be_hidden()


@pytest.mark.parametrize(
    ("size", "theme"), a_few([(SIZES[1], "dark"), (SIZES[0], "light"), (SIZES[0], "dark")])
)
def test_axe_finds_nothing_in_puzzles(
    context: BrowserContext, board: Running, size: tuple[int, int], theme: str
) -> None:
    table = Table(context, board)
    page = table.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    table.go("learn")
    expect(page.locator("#puzzle-list button").first).to_be_visible()
    clean(page)
    for language in LANGUAGES:
        table.speak(language)
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    table.go("")
    expect(page.locator("#home-puzzle button .small-piece").first).to_be_attached()
    clean(page)
    page.locator("#home-puzzle button").click()
    expect(page.locator("#lesson")).to_be_visible()
    clean(page)
