"""Chess, a game of another package, at the page of a program that has found it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from firmware_host.storage.journal import Head, Journal
from tests.packaging.test_plugins import CHESS, ROOT, installed
from tests.support.browser import IN_A_BROWSER, SETTLED, VISITED, clean

pytestmark = [*IN_A_BROWSER, pytest.mark.deep]

START = "r3k3/1P6/8/8/8/8/8/4K2R w K - 0 1"
"""White can castle, and its pawn can take the rook on a8."""


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Run a board that resumes a match of chess; yield the address of its page."""
    pytest.importorskip("chess", reason="python-chess is not installed: pip install chess")
    from lampion_chess import Chess

    packages, state = tmp_path / "packages", tmp_path / "state"
    installed(
        packages,
        {
            "lampion.games": {"chess": "lampion_chess:Chess"},
            "lampion.layouts": {"square-reed": "lampion_chess"},
        },
    )
    shutil.copytree(CHESS / "lampion_chess", packages / "lampion_chess")
    state.mkdir()
    journal = Journal(state / "match.jsonl", Head(Chess(), "square-reed", START, "chess"))
    journal.write(())
    journal.close()
    program = [sys.executable, "-m", "firmware_host", "sim"]
    board = subprocess.Popen(
        [*program, "--port", "0", "--state", str(state)],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(packages), str(ROOT)])},
    )
    assert board.stdout is not None
    with board.stdout:
        found = re.search(r"http://\S+", board.stdout.readline())
        assert found is not None
        yield found[0]
        board.kill()
        board.wait(10)


def place(page: Page, name: str) -> Locator:
    return page.locator(f'[data-name="{name}"]').last


def drag(page: Page, start: str, *ends: Locator) -> None:
    page.mouse.move(*place(page, start).evaluate(SETTLED))
    page.mouse.down()
    for end in ends:
        page.mouse.move(*end.evaluate(SETTLED), steps=4)
    page.mouse.up()
    expect(page.locator("#hand")).to_be_hidden()


def test_a_king_castles_and_a_pawn_becomes_what_is_touched(
    context: BrowserContext, address: str
) -> None:
    context.add_init_script(VISITED)
    page = context.new_page()
    page.goto(f"{address}#/play")
    turn, sentence = page.locator("#turn"), page.locator("#sentence")
    expect(turn).to_have_text("It is white's turn")
    drag(page, "e1", place(page, "g1"))
    expect(sentence).to_have_text("Now the rest of the move: h1 to f1.")
    drag(page, "h1", place(page, "f1"))
    expect(page.locator("#plies .move")).to_have_text(["e1g1"])
    drag(page, "e8", place(page, "e7"))
    expect(page.locator("#plies .move")).to_have_text(["e1g1", "e8e7"])
    drag(page, "a8", place(page, "a7"), page.locator("#hand-box"))
    drag(page, "b7", place(page, "a8"))
    question = page.locator("#question")
    expect(question.locator("h2")).to_have_text("What does it become?")
    expect(question.locator("span[aria-hidden=true]")).to_have_text(
        ["Queen", "Rook", "Bishop", "Knight"]
    )
    queen = "pawn from b7 takes rook on a8, becomes queen"
    expect(question.get_by_role("button", name=queen, exact=True)).to_be_visible()
    expect(sentence.locator(".with-mark")).to_have_text(".")  # it stays beside its sign
    clean(page, "#question")
    question.locator(".choice").first.click()
    expect(sentence).to_have_text("Replace the pawn on a8 with the queen.")
    page.evaluate("location.hash = '#/learn'")
    page.locator("#rules-open").click()
    pictures = page.locator("#rules .picture")
    expect(pictures).to_have_count(6)
    expect(pictures.filter(has=page.locator(".sign-BLUE"))).to_have_count(6)
    expect(pictures.locator(".coordinate")).to_have_count(0)  # nobody could read them
