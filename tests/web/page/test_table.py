"""A family at the page: nothing moves under a hand, and each act is one act."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from firmware_host.host.simulated import SimulatedHost
from firmware_host.players.kinds import PlayerKind, player_kind
from firmware_host.session import events
from firmware_host.web.new_game import clock_named
from tests.support.browser import IN_A_BROWSER, Running, Table, box_of, clean, running
from tests.support.sampling import a_few

pytestmark = IN_A_BROWSER

LAPTOP = (1280, 800)

BOXES = """() => [...document.querySelectorAll(
    "#board, #turn, #step, .slot, #seats li, #record, #box-holder",
  )].map((each) => {
    const { x, y, width, height } = each.getBoundingClientRect();
    return [each.id || each.className, x, y, width, height];
  })"""
"""Where the parts of the match are."""


PAPER = """() => {
  const seen = (each) => document.querySelector(each).checkVisibility();
  return [["#board", "#seats li", "#plies"].every(seen), [".top", "#acts", "#sentence"].some(seen)];
}"""
"""Whether what is printed is seen, and anything that is not."""


@pytest.fixture
def context(window: Callable[..., BrowserContext]) -> BrowserContext:
    return window(*LAPTOP, reduced_motion="reduce")


def cell(table: Table, name: str) -> float:
    """Return the width of a cell, in pixels."""
    box = box_of(table.place(name).locator(".hit"))
    return box["width"]


SIZES = [
    ("shogi", "square-hall", "5e", 58),
    ("robotory", "hex-hall", "c3", 86),
    ("robot-duel", "square-reed", "B2", 110),
    ("chaturaji", "square-reed", "d4", 65),
    ("abalone", "hex-reed", "e5", 62),
]


@pytest.mark.parametrize(("game", "layout", "name", "least"), a_few(SIZES, 2))
def test_the_board_is_as_large_as_a_laptop_allows(
    context: BrowserContext, tmp_path: Path, game: str, layout: str, name: str, least: int
) -> None:
    with running(tmp_path, game, layout) as board:
        table = Table(context, board)
        assert cell(table, name) >= least
        size = "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
        assert table.page.evaluate(size) == list(LAPTOP), "nothing scrolls"
        before = cell(table, name)
        table.page.set_viewport_size({"width": LAPTOP[0] - 80, "height": LAPTOP[1] - 80})
        table.page.wait_for_timeout(200)
        assert cell(table, name) < before, "the board follows the window"
        assert table.errors == []


WINDOWS = [
    ("robot-duel", "square-reed", "B2", (820, 1180), 150),
    ("chaturaji", "square-reed", "d4", (640, 400), 34),
    ("shogi", "square-hall", "5e", (820, 1180), 60),
    ("chaturaji", "square-reed", "d4", (820, 1180), 60),
    ("chaturaji", "square-reed", "d4", (1024, 768), 60),
    ("robot-duel", "square-reed", "B2", (320, 640), 65),
]
"""Tablets held upright, and a laptop whose page is enlarged to twice its size; small windows."""


@pytest.mark.parametrize(("game", "layout", "name", "size", "least"), a_few(WINDOWS, 2))
def test_the_whole_board_is_seen_in_other_windows(
    window: Callable[..., BrowserContext],
    tmp_path: Path,
    game: str,
    layout: str,
    name: str,
    size: tuple[int, int],
    least: int,
) -> None:
    with running(tmp_path, game, layout) as board:
        table = Table(window(*size, reduced_motion="reduce"), board)
        assert cell(table, name) >= least
        shown = box_of(table.page.locator("#board"))
        assert shown["y"] >= 0
        assert shown["y"] + shown["height"] <= size[1]


SEVERAL_SIZES = [LAPTOP, (320, 640), (1024, 768), (844, 390)]


@pytest.mark.parametrize(
    ("size", "clock"),
    a_few([*product(SEVERAL_SIZES, ["none"]), *product(SEVERAL_SIZES, ["10m+30s*3"])], 2),
)
def test_no_name_and_no_turn_is_cut(
    window: Callable[..., BrowserContext], tmp_path: Path, size: tuple[int, int], clock: str
) -> None:
    """French has the longest turn line: "À vous de lancer, Ania"."""
    (tmp_path / "players.json").write_text(json.dumps(["Ania", "Tomek", "", "Ola"]))
    with running(tmp_path, "chaturaji") as board:
        board.ask(lambda host: host.time_with(clock_named(clock)))
        context = window(*size, reduced_motion="reduce")
        context.add_init_script("localStorage.setItem('language', 'fr')")
        table = Table(context, board)
        expect(table.page.locator("#turn")).to_have_text("À vous de lancer, Ania")
        cut = table.page.evaluate("""() => [...document.querySelectorAll("#turn, .who strong")]
            .filter((each) => each.scrollWidth > each.clientWidth)
            .map((each) => each.textContent)""")
        assert cut == []


@pytest.mark.parametrize("size", [LAPTOP, (1024, 768), (320, 640)])
def test_no_word_on_a_button_of_the_board_is_cut(
    window: Callable[..., BrowserContext], board: Running, size: tuple[int, int]
) -> None:
    """Polish has the longest hint: "Podpowiedź"; with the focus it shows its key, too."""
    context = window(*size, reduced_motion="reduce")
    context.add_init_script("localStorage.setItem('language', 'pl')")
    table = Table(context, board)
    hint = table.page.locator('#acts [data-press="hint"]')
    expect(hint).to_contain_text("Podpowiedź")
    hint.focus()
    table.keys("Shift+Tab", "Tab")
    expect(hint.locator("kbd")).to_be_visible()
    word = hint.locator("span")
    assert word.evaluate("each => each.scrollWidth <= each.clientWidth")


def test_the_ways_on_after_the_end_fit_a_phone(
    window: Callable[..., BrowserContext], board: Running
) -> None:
    table = Table(window(390, 844, reduced_motion="reduce"), board)
    table.page.locator("#more").click()
    table.page.locator("#claims .claim").first.click()
    table.page.locator("#confirm-yes").click()
    expect(table.page.locator("#card-title")).to_be_visible()
    for way in table.page.locator("#card .ways > :visible").all():
        box = box_of(way)
        assert box["y"] + box["height"] <= 844


def current(plies: Locator) -> Locator:
    return plies.locator('[aria-current="step"]')


def test_turn_and_acts_stay_and_moves_have_a_picture_two_words_and_a_sentence(
    table: Table,
) -> None:
    page = table.page
    places = """() => ["turn", "step", "acts"].map((id) => {
        const { x, y, width } = document.getElementById(id).getBoundingClientRect();
        return [x, y, width];
    })"""
    before = page.evaluate(places)
    for start, end in (("B2", "hand.A.C"), ("B3", "B2")):
        table.drag(start, end)
    expect(page.locator("#turn")).to_have_text("It is B's turn")
    expect(page.locator("#sentence")).to_contain_text("Check!")
    assert page.evaluate(places) == before
    plies = page.locator("#plies")
    table.has_moves("B3B2")
    expect(current(plies).locator(".seen")).to_have_text("takes B2")
    expect(current(plies).locator(".mini use")).to_have_attribute("href", "#robot-duel-C")
    sentence = "A: chick from B3 takes chick on B2 B3B2"
    expect(current(plies).locator(".hidden")).to_have_text(sentence)
    table.keys("h")
    expect(page.locator("#sentence")).to_contain_text("Hint: move the", timeout=20_000)
    assert page.evaluate(places) == before
    table.drag("B1", "C2")  # which does not answer the check in every rule; it may be put back
    assert page.evaluate(places) == before
    expect(plies.locator(".seen").first).to_have_text("takes B2")
    table.drag("A4", "A2")
    expect(page.locator("#turn")).to_have_text("Put the board right")
    step = page.locator("#sentence.long")  # why that is wrong, in letters as large as any
    assert step.evaluate("each => parseFloat(getComputedStyle(each).fontSize)") == 16
    cut = step.evaluate("each => each.scrollHeight - each.clientHeight")
    assert cut < 8, "half a line"

    page.emulate_media(media="print", reduced_motion="reduce")
    assert page.evaluate(PAPER) == [True, False]
    words = box_of(page.locator("#plies .words").first)
    assert words["width"] > 60, "a move is a sentence there"


def test_cells_have_names_a_sentence_quotes_the_signs_and_nothing_moves_in_a_drag(
    table: Table,
) -> None:
    page = table.page
    names = page.locator("#board .coordinate")
    expect(names).to_have_count(7)
    assert sorted(names.all_text_contents()) == ["1", "2", "3", "4", "A", "B", "C"]
    box = box_of(table.place("A4").locator(".hit"))
    for name in names.all():
        at = box_of(name)
        assert at["x"] + at["width"] <= box["x"] or at["y"] >= box["y"] + box["height"]
    table.click("B4")
    sentence = page.locator("#sentence")
    expect(sentence).to_contain_text("Put the lion on blue")
    expect(sentence.locator(".sign-BLUE")).to_have_count(1)
    table.keys("Escape")
    table.click("A1")  # of the other side
    expect(sentence).to_contain_text("The giraffe on A1 belongs to B.")
    table.keys("Escape")
    expect(sentence).to_contain_text("Lift a piece")

    before = page.evaluate(BOXES)
    page.mouse.move(*table.middle("C4"))
    page.mouse.down()
    page.mouse.move(*table.middle("C3"), steps=4)
    expect(page.locator("#hand")).to_be_visible()
    assert page.evaluate(BOXES) == before
    button = page.locator("#hand-box")
    expect(button).to_be_visible()
    at = box_of(button)
    page.mouse.move(at["x"] + 20, at["y"] + 20, steps=4)
    page.mouse.up()
    expect(page.locator("#box .beside-piece")).to_have_text("giraffe of A")


@pytest.mark.parametrize("focus", a_few(["#more", "#learn-link", "#plies"]))
def test_keys_act_wherever_the_focus_is(table: Table, focus: str) -> None:
    page = table.page
    table.click("C4")
    hand = page.locator("#hand")
    expect(hand).to_be_visible()
    page.locator(focus).focus()
    table.keys("Escape")
    expect(hand).to_be_hidden()
    table.drag("C4", "C3")
    table.has_moves("C4C3")
    page.locator(focus).focus()
    table.keys("u")
    table.has_moves()
    table.place("B3").focus()
    page.locator(focus).focus()
    table.keys("f")
    expect(table.place("B3")).to_have_attribute("aria-label", re.compile("hen of A"))
    before = page.locator("[data-side=south]").get_attribute("data-seat")
    table.keys("v", "v")
    expect(page.locator("[data-side=south]")).not_to_have_attribute("data-seat", before or "")
    table.keys("?")
    expect(page.locator("#keys")).to_be_visible()
    table.keys("Escape", "v", "v")
    table.keys("m")
    expect(page.locator("#sound")).to_have_attribute("aria-pressed", "false")


def test_a_promotion_is_asked_as_two_pictures_at_the_cell(
    context: BrowserContext, tmp_path: Path
) -> None:
    with running(tmp_path, "shogi", "square-reed") as board:
        table = Table(context, board)
        for start, end in (("7g", "7f"), ("3c", "3d"), ("2b", "hand.sente.B"), ("8h", "2b")):
            table.drag(start, end)
            table.page.wait_for_timeout(300)
        bubble = table.page.locator("#question")
        expect(bubble.locator(".choice .answer use")).to_have_count(2)
        kinds = bubble.locator(".answer use").evaluate_all("all => all.map(u => u.href.baseVal)")
        assert set(kinds) == {"#shogi-B", "#shogi-p-B"}
        asked, at = box_of(bubble), box_of(table.place("2b"))
        wood = box_of(table.page.locator("#board"))
        assert 0 < asked["y"] - (at["y"] + at["height"]) < 30, "beneath its cell"
        assert asked["x"] + asked["width"] <= wood["x"] + wood["width"] + 1
        clean(table.page, "#question")
        table.keys("y")
        table.has_moves("7g7f", "3c3d", "8h2b+")
        expect(bubble).to_be_hidden()
        assert table.errors == []


def test_the_die_is_touched_and_its_pieces_are_shown(
    context: BrowserContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(tmp_path, "chaturaji") as board:
        board.ask(lambda host: host.seating.rename(0, "Ania"))
        table = Table(context, board)
        page = table.page
        expect(page.locator("#turn")).to_have_text("Your throw, Ania")
        expect(page.locator("#seats .turn strong")).to_have_text("Ania")
        for button in page.locator("#dice button").all():
            at = box_of(button)
            assert min(at["width"], at["height"]) >= 44
        before = page.evaluate(BOXES)
        page.keyboard.press("3")  # the keys do the same
        expect(page.locator("#turn")).to_have_text("Ania: 3")
        expect(page.locator("#sentence")).to_contain_text("Move a lit piece")
        expect(page.locator("#dice .movers .mini")).to_have_count(1)
        assert page.evaluate(BOXES) == before
        monkeypatch.setattr("firmware_host.opponents.machine.THROWS_AFTER_S", 3600.0)
        board.ask(lambda host: host.seating.set_kind(1, PlayerKind(level="newcomer")))
        table.drag("b1", "c3")
        expect(page.locator("#turn")).to_have_text("Green throws")
        expect(page.locator("#sentence")).to_be_empty()  # it throws by itself
        expect(page.locator("#dice button")).to_have_count(0)
        expect(page.locator("#throw")).to_be_hidden()
        board.ask(lambda host: host.seating.set_kind(1, PlayerKind()))
        page.locator("#throw").click()  # a throw may move no piece: then red throws
        expect(page.locator("#turn")).not_to_have_text("Green throws")
        assert table.errors == []


def test_with_two_dice_no_slot_moves_and_a_turn_is_in_one_round(
    context: BrowserContext, tmp_path: Path
) -> None:
    with running(tmp_path, "chaturaji", options={"dice": "2"}) as board:
        table = Table(context, board)
        page = table.page
        before = page.evaluate(BOXES)
        for button in page.locator("#dice button").all():
            at = button.bounding_box()
            assert at is not None
            assert min(at["width"], at["height"]) >= 44
        expect(page.locator("#dice .value")).to_have_count(10)
        page.get_by_role("button", name="The dice show 3+5", exact=True).click()
        expect(page.locator("#turn")).to_have_text("Black: 3+5")
        expect(page.locator("#dice .movers .mini")).to_have_count(3)
        assert page.evaluate(BOXES) == before
        table.drag("b1", "c3")
        expect(page.locator("#turn")).to_have_text("Black: 5")
        expect(page.locator("#round")).to_have_text("Round 1")
        table.drag("d2", "d3")
        expect(page.locator("#turn")).to_have_text("Green throws")
        expect(page.locator("#round")).to_have_text("Round 1")
        expect(page.locator("#steps button").first).to_be_in_viewport(ratio=1)
        expect(page.locator("#plies .waits")).to_be_in_viewport(ratio=1)
        lines = page.locator("#plies > li")
        rounds = lines.evaluate_all("(all) => all.map((each) => each.dataset.round)")
        assert rounds == ["1", "1", "1"]
        board.ask(lambda host: host.post(events.Claimed(host.now(), "resign", 0)))
        out = page.locator("#seats .out")
        expect(out.locator("strong")).to_have_text("black")
        expect(out.locator(".side")).to_have_text("is out")
        clean(page, "#seats")
        for seat in (1, 2):
            board.ask(lambda host, seat=seat: host.post(events.Claimed(host.now(), "resign", seat)))
        points = "Points: black 0, green 0, red 0, yellow 0."
        expect(page.locator("#card .evening")).to_contain_text(points)
        assert table.errors == []


def test_the_title_the_icon_and_the_card_tell_who_wins(table: Table, board: Running) -> None:
    page = table.page
    expect(page).to_have_title("It is A's turn – Robot Duel")
    icon = page.locator("#favicon")
    expect(icon).to_have_attribute("href", re.compile(r"/static/\w+/turn\.svg"))
    table.drag("C4", "C3")
    table.has_moves("C4C3")
    board.ask(lambda host: host.post(events.Claimed(host.now(), "resign", 1)))
    card = page.locator("#card")
    expect(card.locator(".title")).to_have_text("A wins")
    expect(card.locator(".why")).to_have_text("The opponent resigns.")
    expect(page.locator("#seats .wins")).to_have_count(1)
    expect(page).to_have_title("A wins – Robot Duel")
    expect(icon).to_have_attribute("href", re.compile(r"/static/\w+/won\.svg"))
    size = card.locator(".title").evaluate("title => parseFloat(getComputedStyle(title).fontSize)")
    assert size == 32
    clean(page, "#card")
    with page.expect_download():
        card.locator(".save").click()
    card.get_by_role("button", name="Again").click()
    expect(card).to_be_hidden()
    table.has_moves()
    table.says("It is A's turn")
    expect(page.locator("#refused")).to_be_empty()


def test_again_says_that_the_machine_begins(table: Table, board: Running) -> None:
    board.ask(lambda host: host.seating.set_hands_move(False))
    table.drag("C4", "C3")
    table.has_moves("C4C3")
    board.ask(lambda host: host.seating.set_kind(1, PlayerKind(level="newcomer")))
    board.ask(lambda host: host.post(events.Claimed(host.now(), "resign", 0)))
    again = table.page.locator("#card .again")
    expect(again).to_have_text("Again, the machine begins")
    board.ask(lambda host: host.seating.set_kind(1, PlayerKind(board="attic")))
    expect(again).to_have_text("Again")  # nobody changes seats
    board.ask(lambda host: host.seating.set_kind(1, PlayerKind(level="newcomer")))
    board.ask(lambda host: host.seating.rename(1, "Robi"))
    expect(again).to_have_text("Again, Robi begins")
    expect(table.place("A1")).to_have_attribute("aria-label", re.compile("giraffe of Robi"))
    assert box_of(table.place("C4"))["y"] > box_of(table.place("A1"))["y"]
    again.click()
    expect(table.page.locator("#seats .seat").last.locator("strong")).to_have_text("B")
    expect(table.page.locator('#seats [data-seat="1"]')).to_have_attribute("data-side", "south")
    assert box_of(table.place("C4"))["y"] < box_of(table.place("A1"))["y"], "B's pieces are near"
    table.keys("v")  # it can still be turned
    expect(table.page.locator('#seats [data-seat="1"]')).not_to_have_attribute("data-side", "south")


def test_after_a_capture_that_wins_hands_take_what_the_page_holds(table: Table) -> None:
    """The hand that takes the lion holds it when the match is over."""
    for start, end in (("B2", "hand.A.C"), ("B3", "B2"), ("A1", "A2")):
        table.drag(start, end)
        table.page.wait_for_timeout(300)
    table.has_moves("B3B2", "A1A2")
    table.pull("B2", "B1")  # onto the lion, which is in the hand then
    table.says("A wins")
    page = table.page
    expect(page.locator("#question")).to_be_visible()  # whether the chick became a hen, too
    table.keys("y")
    expect(page.locator("#card")).to_be_visible()
    table.keys("y")  # another match, with the pieces where they stand
    table.has_moves()
    page.locator("#repair-by-hands").click()
    table.says("It is A's turn")
    expect(page.locator("#hand")).to_be_hidden()
    expect(page.locator("#refused")).to_be_empty()


def test_take_back_against_the_machine_is_one_act(table: Table, board: Running) -> None:
    board.ask(lambda host: host.seating.set_kind(1, player_kind("level:first-steps")))
    page = table.page
    back = page.locator("[data-press=back]")
    table.drag("C4", "C3")
    wait_for(page, board, lambda host: any(p.hand.startswith("demo") for p in host.table.pieces))
    back.click()  # while the machine's hand carries a piece
    wait_for(page, board, lambda host: not host.status().plies and stands_right(host))
    table.says("It is A's turn")
    expect(page.locator("#refused")).to_be_empty()
    table.drag("C4", "C3")
    expect(page.locator("#plies .ply")).to_have_count(2, timeout=40_000)
    back.click()
    wait_for(page, board, lambda host: not host.status().plies and stands_right(host))
    table.says("It is A's turn")
    table.has_moves()


def stands_right(host: SimulatedHost) -> bool:
    return not host.pieces.moving and not host.pieces.out_of_place(host.position())


def wait_for(page: Page, board: Running, condition: Callable[[SimulatedHost], bool]) -> None:
    for _ in range(800):
        if board.ask(condition):
            return
        page.wait_for_timeout(50)
    refused = page.locator("#refused").inner_text()
    raise AssertionError(f"it has not happened within 40 seconds; the page says: {refused}")


def test_a_phone_on_its_side_shows_board_and_words_beside_each_other(
    window: Callable[..., BrowserContext], board: Running
) -> None:
    table = Table(window(844, 390, has_touch=True, is_mobile=True), board)
    page = table.page
    wood = box_of(page.locator("#board"))
    assert wood["y"] + wood["height"] <= 390
    for part in ("#turn", "#sentence", "#acts", "#seats li:first-child", "#seats li:last-child"):
        box = box_of(page.locator(part))
        assert box["x"] >= wood["x"] + wood["width"], part
        assert box["y"] + box["height"] <= 390, part
    expect(page.locator("header")).to_be_hidden()
    assert cell(table, "B2") >= 70


def test_small_cells_show_where_a_finger_puts_its_piece(
    window: Callable[..., BrowserContext], tmp_path: Path
) -> None:
    """The piece floats above the finger, and the cell under the piece has a ring."""
    with running(tmp_path, "shogi", "square-reed") as board:
        table = Table(window(390, 844, has_touch=True, is_mobile=True), board)
        assert cell(table, "5e") < 44
        screen = table.page.context.new_cdp_session(table.page)

        def touch(kind: str, *points: tuple[float, float]) -> None:
            at = [{"x": x, "y": y, "id": 0} for x, y in points]
            screen.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})
            table.page.wait_for_timeout(60)

        (x, y), (u, v) = table.middle("7g"), table.middle("7f")
        touch("touchStart", (x, y))
        for at in ((x + 15, y + 15), (x + 8, y + 8), (u, v + 40)):
            touch("touchMove", at)
        expect(table.page.locator(".target.over")).to_have_attribute("data-name", "7f")
        touch("touchEnd")
        table.has_moves("7g7f")
        expect(table.page.locator(".target.over")).to_have_count(0)


def ground(page: Any) -> str:
    return str(page.evaluate("getComputedStyle(document.documentElement).backgroundColor"))


def test_the_room_is_as_the_device_or_as_chosen(table: Table) -> None:
    page = table.page
    dark, light = "rgb(23, 17, 12)", "rgb(241, 231, 215)"
    page.emulate_media(color_scheme="dark")
    assert ground(page) == dark
    page.emulate_media(color_scheme="light")
    assert ground(page) == light
    table.settings().get_by_label("Dark", exact=True).check()
    assert ground(page) == dark
    table.keys("Escape")
    page.reload()
    expect(page.locator("[data-piece]").first).to_be_attached()
    assert ground(page) == dark
    page.emulate_media(color_scheme="dark")
    table.settings().get_by_label("Light", exact=True).check()
    assert ground(page) == light


def test_a_match_in_progress_is_what_an_address_without_a_view_shows(
    table: Table, board: Running
) -> None:
    page = table.page
    home, match = (page.locator(f'[data-view="{view}"]') for view in ("home", "play"))
    page.goto(board.url)
    expect(home).to_be_visible()
    page.goto(f"{board.url}#/play")
    table.drag("C4", "C3")
    table.has_moves("C4C3")
    page.goto("about:blank")
    page.goto(board.url)
    expect(match).to_be_visible()
    page.get_by_role("link", name="Learn").click()
    expect(page.locator("#learn-title")).to_be_focused()
    expect(page.locator("header [aria-current=page]")).to_have_text("Learn")
    settings = table.settings()
    page.go_back()
    expect(match).to_be_visible()
    expect(settings).to_be_hidden()
