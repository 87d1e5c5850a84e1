"""Every game can be begun on the page, with its options, on every board that serves it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Route, expect

from engine.game import CHANCE, Pass
from engine.games import NAMES, make
from firmware_host.games import DRAWINGS, game_file
from hardware import layout as layouts
from tests.cli import test_options_everywhere as pretended
from tests.support.browser import IN_A_BROWSER, Running, Table, running
from tests.support.chooser import Chooser
from tests.support.sampling import a_few

pytestmark = [*IN_A_BROWSER, pytest.mark.deep]  # each loads the page several times

ROUNDS = next(each.title for each in make("chaturaji").known_options if each.name == "rounds")
OPTIONS = {
    "robot-duel": {"first_player": "B"},
    "shogi": {"impasse": "declaration27"},
    "chaturaji": {"end": "n_rounds", "rounds": "7"},
    "robotory": {"mirror": "true"},
    "abalone": {"layout": "belgian_daisy"},
    pretended.PRETEND: {"layout": "two"},
}
"""For each game options with other values than their default."""


def make_the_first_move(table: Table, game: Any) -> None:
    """Make the first move of a game by its notation, and find it on the record."""
    page, position = table.page, game.start()
    if game.turn(position) == CHANCE:
        throw = next(
            move
            for move in game.legal(position)
            if not isinstance(game.legal(game.play(position, move))[0], Pass)
        )
        fell = f"The dice show {game.move_text(position, throw)}"
        page.get_by_role("button", name=fell, exact=True).click()
        position = game.play(position, throw)
    move = game.move_text(position, game.legal(position)[0])
    table.keys("/")
    page.locator("#command-text").fill(move)
    page.get_by_role("button", name="Move", exact=True).click()
    table.has_moves(move)
    expect(page.locator("body")).to_have_attribute("data-moving", "false")


@pytest.mark.parametrize("name", a_few(NAMES))
def test_every_game_begins_on_every_board(table: Table, board: Running, name: str) -> None:
    options = OPTIONS[name]
    assert make(name, options) != make(name)
    chooser = Chooser(table.page)
    serving = layouts.serving(name)
    assert len(serving) >= 2
    for layout in serving:
        chooser.open()
        chooser.choose(name, layout.name, options)
        body = table.page.locator("body")
        before = body.get_attribute("data-rev") or ""
        chooser.begin()
        if layout is not serving[0]:  # the match on the previous board is in play
            table.page.locator("#confirm-yes").click()
        expect(body).not_to_have_attribute("data-rev", before)  # an earlier move would be lost
        expect(body).to_have_attribute("data-game", name)
        table.has_moves()
        game = make(name, options)
        make_the_first_move(table, game)
        assert board.ask(lambda host: (host.game, host.layout.name)) == (game, layout.name)


def test_options_may_have_the_names_of_other_fields(
    context: BrowserContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The options of a game have the names of other fields of the form and the command."""
    pretended.pretend_that_it_is_there(monkeypatch)

    def draw(route: Route) -> None:
        route.fulfill(path=game_file("robot-duel", DRAWINGS))

    context.route(re.compile("pieces/pretend.svg"), draw)
    with running(tmp_path) as board:
        table = Table(context, board)
        chooser = Chooser(table.page)
        chooser.open()
        wanted = pretended.last_values(pretended.PRETEND)
        chooser.choose(pretended.PRETEND, "square-hall", wanted)
        chooser.begin()
        expect(table.page.locator("body")).to_have_attribute("data-game", pretended.PRETEND)
        expect(table.page.locator("#board")).to_be_visible()
        make_the_first_move(table, make(pretended.PRETEND, wanted))
        assert board.ask(lambda host: host.game.options) == wanted
        assert board.ask(lambda host: host.layout.name) == "square-hall"
        chooser.open()
        chooser.open_sheet()
        expect(chooser.field("layout")).to_have_value("two")  # as it was chosen
        assert table.errors == []


def test_leaving_a_match_in_play_is_confirmed(table: Table, board: Running, tmp_path: Path) -> None:
    page, chooser = table.page, Chooser(table.page)
    again = page.locator("#rematch")
    table.more()
    expect(again).to_be_hidden()  # nothing has been played yet
    table.keys("Escape")
    table.drag("C4", "C3")
    table.has_moves("C4C3")
    question = page.locator("#confirm")
    for begin in (chooser.begin, again.click):
        if begin == chooser.begin:
            chooser.open()
        else:
            table.go("play")
            table.more()
        begin()
        expect(question).to_contain_text("A match is in progress")
        expect(question).to_contain_text("is kept")
        question.get_by_role("button", name="No, go on").click()
        expect(question).to_be_hidden()
        table.has_moves("C4C3")
    assert not list(tmp_path.glob("match-*.jsonl"))
    chooser.open()
    chooser.begin()
    page.locator("#confirm-yes").click()
    expect(page.locator("#board")).to_be_visible()
    table.has_moves()
    (kept,) = tmp_path.glob("match-*.jsonl")
    assert "C4C3" in kept.read_text()
    table.drag("C4", "C3")
    table.has_moves("C4C3")
    table.more()
    again.click()
    page.locator("#confirm-yes").click()
    table.has_moves()
    # A match that is over is left without a question.
    table.more().locator(".claim").first.click()
    page.locator("#confirm-yes").click()
    table.says("B wins")
    page.get_by_role("button", name="Again").click()
    expect(question).to_be_hidden()
    table.has_moves()
    table.says("It is A's turn")


def test_a_number_out_of_range_is_reported_beside_its_field(table: Table, board: Running) -> None:
    page, chooser = table.page, Chooser(table.page)
    chooser.open()
    for wrong in ("0", "1000", "", "2.5"):
        chooser.choose("chaturaji", options={"end": "n_rounds", "rounds": wrong})
        chooser.begin()
        field = chooser.field(ROUNDS)
        expect(field).to_be_focused()
        expect(field).to_have_attribute("aria-invalid", "true")
        line = field.locator("xpath=..").locator(".wrong")
        expect(line).to_have_text("Write a whole number from 1 to 999.")
        assert line.get_attribute("id") in (field.get_attribute("aria-describedby") or "").split()
        expect(chooser.sheet.locator(".wrong:not(:empty)")).to_have_count(1)
        chooser.close_sheet()
        page.locator("#home-play").click()  # not from here, either
        expect(field).to_be_focused()
    assert board.ask(lambda host: host.game.name) == "robot-duel"
    chooser.choose("chaturaji", options={"rounds": "12", "seats": "red,green,black,yellow"})
    chooser.begin()
    expect(page.locator("body")).to_have_attribute("data-game", "chaturaji")
    options = board.ask(lambda host: host.game.options)
    assert (options["rounds"], options["seats"]) == ("12", "red,green,black,yellow")


def test_the_chooser_says_what_a_board_cannot_feel(table: Table) -> None:
    page, chooser = table.page, Chooser(table.page)
    chooser.open()
    chooser.choose("robotory")
    boards = page.locator("#home-layout")
    expect(boards).to_have_value("hex-hall")
    expect(boards.locator("option")).to_have_text(
        [
            "Hexagonal board, Hall sensors",
            "Hexagonal board, reed switches",
        ]
    )
    caution = page.get_by_text("by the stock that it came from")
    expect(caution).to_have_count(0)
    chooser.choose("robotory", "hex-reed")
    expect(caution).to_be_visible()
    assert caution.get_attribute("id") in (boards.get_attribute("aria-describedby") or "")
