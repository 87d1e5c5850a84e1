"""Every button of the page says what it does, does it, and is enabled only then."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import BrowserContext, Locator, expect

from firmware_host.host.simulated import SimulatedHost
from firmware_host.session import events
from tests.support.browser import IN_A_BROWSER, Running, Table, running

pytestmark = IN_A_BROWSER

SHOWN = """() => {
  const body = document.body.cloneNode(true);
  for (const each of body.querySelectorAll("#power, defs, .glow, #drawings")) each.remove();
  for (const name of ["data-rev", "data-table"]) body.removeAttribute(name);
  return body.innerHTML;
}"""
"""Everything that a page shows, without the LEDs, which may change by themselves."""


def press(table: Table, name: str) -> Locator:
    return table.page.locator(f"[data-press={name}]")


def claim(table: Table, number: int = 0) -> None:
    """Make a claim in the menu, up to the question whether it is meant."""
    table.more().locator(".claim").nth(number).click()


def test_simulated_hands_put_an_illegal_move_right_and_its_player_may_resign(table: Table) -> None:
    mend = table.page.locator("#repair-by-hands")
    offered = table.page.locator("li:not([hidden]) > #tidy")
    expect(mend).to_be_hidden()
    expect(offered).to_have_count(0)  # nothing is wrong
    table.drag("B4", "A2")
    table.says("Move the lion from A2 to B4.")
    expect(offered).to_have_count(1)
    mend.click()
    table.says("It is A's turn")
    expect(mend).to_be_hidden()
    expect(offered).to_have_count(0)
    claim(table)
    expect(table.page.locator("#confirm-text")).to_have_text("A resigns: B wins.")
    table.page.locator("#confirm-yes").click()
    table.says("B wins")
    expect(table.page.locator("#refused")).to_be_empty()
    expect(table.page.locator("#card .main")).to_be_focused()  # another match is the next thing


def test_a_resignation_asked_before_the_other_moved_is_done(table: Table) -> None:
    """The question is the same, whatever the other player has moved."""
    claim(table)
    table.board.ask(lambda host: moved(host, "C4", "C3"))
    table.has_moves("C4C3")
    table.page.locator("#confirm-yes").click()
    table.says("B wins")


def test_a_flag_is_claimed_where_a_clock_is_set(context: BrowserContext, tmp_path: Path) -> None:
    with running(tmp_path, "abalone", "hex-reed", {"clock": "10"}) as board:
        table = Table(context, board)
        said = ["Resign", "My time is up"]
        expect(table.page.locator("#claims .claim")).to_have_text([*said, *said])


def test_the_buttons_say_what_they_would_do(table: Table) -> None:
    expect(table.page.locator("#seats .seat")).to_have_count(2)
    expect(table.page.locator("#seats .cog")).to_have_count(2)
    expect(table.seat(0).locator("button:not(.claim, .plain)")).to_have_count(0)
    table.keys("Escape")
    for name in ("yes", "no", "back"):
        expect(press(table, name)).to_be_hidden()
    expect(press(table, "hint")).to_have_attribute("title", "which piece to move")
    slots = table.page.locator("#acts .slot")
    before = [slots.nth(number).bounding_box() for number in range(3)]
    table.drag("C4", "C3")
    expect(press(table, "back")).to_have_attribute("title", "C4C3")
    press(table, "hint").click()
    expect(press(table, "hint")).to_have_attribute("title", re.compile("where to"))
    press(table, "back").click()
    table.has_moves()
    expect(press(table, "back")).to_be_hidden()
    assert [slots.nth(number).bounding_box() for number in range(3)] == before


def test_a_question_keeps_its_buttons_while_something_else_happens(
    context: BrowserContext, tmp_path: Path
) -> None:
    with running(tmp_path, "robotory", "hex-reed-slots") as board:
        table = Table(context, board)
        table.drag("stock.light.w", "c3")
        choices = table.page.locator("#question .choice")
        expect(choices).to_have_count(2)
        choices.first.focus()
        rev = table.page.evaluate("document.body.dataset.rev")
        table.board.ask(lambda host: host.post(events.Assist(host.now(), 3, 1)))
        expect(table.page.locator("body")).not_to_have_attribute("data-rev", rev)
        expect(choices.first).to_be_focused()
        table.keys("Enter")
        table.has_moves("P w c3")
        assert table.errors == []


MUCH_TO_SAY = """async () => {
  const { showClaims } = await import("/static/strips.js");
  const claims = ["resign", ..."12345".split("").map((n) => `exchange d1 a${n}`)].map(
    (claim) => ({ seat: 0, claim, label: claim, effect: `It does ${claim}.` }));
  window.done = [];
  showClaims(document.querySelector("#sentence"), claims,
    (type, fields) => window.done.push({ type, ...fields }),
    (question, then) => { window.done.push(question()); then(7); });
}"""


def test_many_claims_of_a_kind_are_a_list(table: Table) -> None:
    """Rajas may return to many squares: a button for each would hide everything else."""
    page, seats = table.page, table.page.locator("#sentence")
    page.evaluate(MUCH_TO_SAY)
    expect(seats.get_by_role("button")).to_have_text(["Resign", "Say it"], ignore_case=True)
    choice = seats.get_by_label("What to say")
    expect(choice.locator("option")).to_have_count(5)
    choice.select_option("exchange d1 a3")
    seats.get_by_role("button", name="Say it").click()
    claim = {"type": "claim", "seat": 0, "claim": "exchange d1 a3", "rev": 7}
    assert page.evaluate("window.done") == ["It does exchange d1 a3.", claim]


# ---- all buttons


class State(NamedTuple):
    """A moment of a match, in which every button is tried."""

    game: str
    layout: str
    says: str
    reach: Callable[[SimulatedHost], None]
    """What is done after the start to get there."""


def moved(host: SimulatedHost, start: str, end: str) -> None:
    """Let another hand move a piece."""
    piece = host.table.at(host.table.place(start))[-1].number
    host.table.lift(piece, "somebody")
    host.table.put(piece, host.table.place(end), "somebody")


STATES = {
    "start": State("robot-duel", "square-reed", "It is A's turn", lambda host: None),
    "in play": State(
        "robot-duel", "square-reed", "It is B's turn", lambda host: moved(host, "C4", "C3")
    ),
    "asked": State(
        "robotory",
        "hex-reed-slots",
        "Which was it?",
        lambda host: moved(host, "stock.light.w", "c3"),
    ),
    "over": State(
        "robot-duel",
        "square-reed",
        "A wins",
        lambda host: host.post(events.Claimed(host.now(), "resign", 1)),
    ),
    "throw": State("chaturaji", "square-reed", "throws the die", lambda host: None),
}
SLOW = {"start", "asked", "over", "throw"}


def test_letters_are_offered_where_the_pieces_have_them(table: Table, board: Running) -> None:
    table.settings()
    letters = table.page.get_by_label("Letters on the pieces")
    expect(letters).to_be_hidden()
    board.ask(lambda host: host.new_game("shogi", {}, "square-reed"))
    expect(letters).to_be_visible()
    letters.check()
    expect(table.page.locator("body")).to_have_attribute("data-letters", "on")


@pytest.mark.parametrize(
    "moment",
    [pytest.param(each, marks=pytest.mark.deep if each in SLOW else ()) for each in STATES],
)
def test_every_button_changes_something_or_says_why_not(
    context: BrowserContext, tmp_path: Path, moment: str
) -> None:
    state = STATES[moment]
    with running(tmp_path) as board:
        table = Table(context, board)
        page = table.page
        buttons = page.locator("main button:visible:enabled:not(#details-open)")

        def prepare() -> None:
            board.ask(lambda host: host.board.repair())
            board.ask(lambda host: host.new_game(state.game, {}, state.layout))
            while board.ask(lambda host: host.controller.session.view.repair.settling):
                page.wait_for_timeout(20)  # the board has not been looked at yet
            table.has_moves()  # the page shows the new match
            board.ask(state.reach)
            table.says(state.says)
            expect(page.locator("body")).to_have_attribute("data-moving", "false")
            page.wait_for_timeout(400)  # until no light says any more that a move was accepted
            page.evaluate("document.getElementById('refused').textContent = ''")
            page.evaluate("document.activeElement.blur()")

        prepare()
        count, pressed = buttons.count(), []
        for number in range(count):
            button = buttons.nth(number)
            if button.evaluate("button => Boolean(button.closest('#box'))"):
                continue  # each of them lifts a piece
            leaves = button.evaluate("button => Boolean(button.closest('#steps, .look, .another'))")
            pressed.append(" ".join(button.inner_text().split()))
            before = page.evaluate(SHOWN)
            button.click()
            page.wait_for_function(f"before => ({SHOWN})() !== before", arg=before)
            if leaves:  # another view opens a moment after something has changed
                expect(page.locator('[data-view="play"]')).to_be_hidden()
                table.go("play")
            elif page.locator("dialog[open]").count():
                table.keys("Escape")
            elif not page.locator("#refused").inner_text():
                prepare()
                expect(buttons).to_have_count(count)
            page.evaluate("document.getElementById('refused').textContent = ''")
        assert len(pressed) >= 3, pressed
        assert table.errors == []
