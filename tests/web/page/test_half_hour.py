"""A family's half hour: a child loses to the newcomer, looks back, and plays a turning point again.

Then the child solves the puzzle that its turning point has become, if one move alone was good.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, expect

from engine.match import Match
from firmware_host.opponents.look_back import own_turning_points
from firmware_host.session.events import Claimed
from tests.support.browser import IN_A_BROWSER, Running, Table, running
from tests.support.chooser import Chooser

pytestmark = [*IN_A_BROWSER, pytest.mark.deep]

CHILD = 0
PATIENCE_S = 60.0
"""How long a move of the machine, made by hands, or a look back may take on a busy machine."""
LONGEST = 30
"""After this many moves the child gives up."""


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Running]:
    with running(tmp_path) as board:
        yield board


@pytest.fixture
def table(window: Callable[..., BrowserContext], board: Running) -> Iterator[Table]:
    table = Table(window(1280, 800, reduced_motion="reduce"), board)
    yield table
    assert table.errors == []


def match(board: Running) -> Match:
    return board.ask(lambda host: host.controller.session.view.match)


def is_ready(host: Any) -> bool:
    """Whether all pieces stand right, and the child is to move, or the match is over."""
    view = host.controller.session.view
    carried = any(piece.hand for piece in host.table.pieces)
    if carried or host.pieces.out_of_place(host.position()) or view.repair.settling:
        return False
    return view.outcome is not None or view.match.turn == CHILD


def wait_until(board: Running, so: Callable[[Any], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not board.ask(so):
        assert time.monotonic() < deadline, match(board).moves()
        time.sleep(0.05)


def play(table: Table, text: str) -> None:
    """Make a move of the child, and wait for the answer of the machine. While hands still carry a
    piece, the move is refused: then it is made again.
    """
    before = len(table.board.moves())
    wait_until(table.board, is_ready)

    def is_made(host: Any) -> bool:
        return len(host.status().plies) > before

    deadline = time.monotonic() + PATIENCE_S
    while not table.board.ask(is_made):
        assert time.monotonic() < deadline, (match(table.board).moves(), text)
        if not table.board.ask(lambda host: host.pieces.moving):
            table.say(text)
        table.page.wait_for_timeout(1000)
    if table.page.locator("#say").is_visible():
        table.keys("Escape")
    wait_until(table.board, is_ready)


def careless(position: Match) -> str:
    """Return a move that lets the other side win at once, if there is one."""

    def loses(move: Any) -> bool:
        after = position.play(move)
        answers = (after.play(answer).outcome for answer in after.legal)
        return after.outcome is None and any(
            end is not None and CHILD not in end.winners for end in answers
        )

    safe = [move for move in position.legal if not position.play(move).outcome]
    move = next(filter(loses, safe), safe[0])
    return position.game.move_text(position.position, move)


def lose(table: Table) -> None:
    """Play carelessly until the machine wins, or give up."""
    while match(table.board).outcome is None:
        if match(table.board).plies >= LONGEST:
            table.board.ask(give_up)
            return
        play(table, careless(match(table.board)))


def give_up(host: Any) -> None:
    host.post(Claimed(host.now(), "resign", CHILD))


def test_a_child_learns_from_a_lost_game(table: Table, board: Running) -> None:
    page, chooser = table.page, Chooser(table.page)
    chooser.open()
    chooser.choose("robot-duel")
    rows = page.locator("#home-seats > li")
    page.get_by_role("button", name="One against the machine").click()
    rows.nth(1).locator("select").select_option("level:newcomer")
    rows.nth(0).locator("input").fill("Ola")
    chooser.begin()
    expect(page.locator('[data-view="play"]')).to_be_visible()
    wait_until(board, lambda host: host.status().opponents.player_kinds[1] == "level:newcomer")

    lose(table)
    card = page.locator("#card")
    expect(card).to_be_visible()
    expect(card).to_contain_text("wins")

    card.get_by_role("button", name="Look at it").click()
    turning = page.locator("#review-turning button")
    expect(turning.first).to_be_visible(timeout=1000 * PATIENCE_S)
    expect(page.locator("#review-progress")).to_be_empty()
    assert 1 <= turning.count() <= 3
    turning.first.click()
    expect(page.locator("#review-turn")).to_have_text(re.compile(r"Move \d+, Ola"))
    expect(page.locator("#review-sentence")).to_contain_text("Better: ")
    lost = match(board)
    number = int(re.findall(r"\d+", page.locator("#review-turn").inner_text())[0])

    page.get_by_role("button", name="Play it again from here").click()
    expect(page.locator('[data-view="play"]')).to_be_visible()
    wait_until(board, is_ready)
    again = match(board)
    assert again.moves() == lost.moves()[: number - 1]
    assert again.outcome is None
    kinds = board.ask(lambda host: host.status().opponents.player_kinds)
    assert kinds == ("person", "level:newcomer")

    (point,) = (
        each
        for each in board.ask(lambda host: own_turning_points(host.library, "Ola"))
        if each.position == again.game.position_text(again.position)
    )
    play(table, point.better)
    moves = board.moves()
    assert moves[:number] == [*again.moves(), point.better]
    assert match(board).outcome is not None or len(moves) > number, "the machine has answered"
    solve_own_puzzle(table)


def solve_own_puzzle(table: Table) -> None:
    """The turning points in which one move alone was good have become puzzles."""
    page, board = table.page, table.board
    points = board.ask(lambda host: own_turning_points(host.library, "Ola"))
    unique = [each for each in points if each.is_unique]
    with page.expect_response(re.compile("/api/puzzles.*learner=Ola")):
        table.go("learn")
        page.locator("#learner").fill("Ola")
        page.locator("#learner").press("Enter")
    expect(page.locator('[data-puzzles="robot-duel puzzle"]')).to_be_visible()
    own = page.locator('[data-puzzles="robot-duel own"]')
    expect(own).to_have_count(1 if unique else 0)
    if unique:
        own.click()
        expect(page.locator("#lesson")).to_have_attribute("data-stage", "task")
        table.say(unique[0].better)
        expect(page.locator("#lesson")).to_have_attribute("data-stage", "done")
