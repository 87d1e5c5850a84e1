"""The page on small screens, enlarged, by keyboard and screen reader, in all its languages."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from firmware_host.host.simulated import SimulatedHost
from firmware_host.i18n.messages import LANGUAGES
from firmware_host.lights.signals import Signal
from firmware_host.players.names import LONGEST
from tests.support.browser import IN_A_BROWSER, Running, Table, box_of, clean, running
from tests.support.sampling import a_few, deep

pytestmark = IN_A_BROWSER

PHONE = (390, 844)
DESK = (1280, 900)
FINGER = 44
"""The least width and height of a control for a finger, in CSS pixels."""

GAMES = [
    ("shogi", "square-hall", 40),  # nine columns take the whole width of 390 pixels
    ("robot-duel", "square-reed", FINGER),
    ("chaturaji", "square-reed", FINGER),
    ("robotory", "hex-hall", FINGER),
    ("abalone", "hex-reed", 40),
]


@pytest.fixture
def context(window: Callable[..., BrowserContext]) -> BrowserContext:
    return window(*PHONE, reduced_motion="reduce")


def resize(page: Page, size: tuple[int, int], draws: bool = True) -> None:
    """Make the window that large; if it `draws`, wait for the board, which is drawn again."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    if draws:
        page.wait_for_timeout(200)


VIEWS = {"": "#home-seats select", "play": "#turn", "games": "h1", "learn": "#lesson-list li"}
VIEWS |= {"builders": "#fault-form select"}
"""The views, each with what is there when it is filled."""


def show(table: Table, view: str) -> None:
    """Show a view, and wait until it is filled."""
    table.go(view)
    part = table.page.locator(f'[data-view="{view or "home"}"]').locator(VIEWS[view])
    expect(part.first).to_be_visible()


def box(page: Page, selector: str) -> dict[str, float]:
    return box_of(page.locator(selector))


def within(one: dict[str, float], whole: dict[str, float]) -> bool:
    return (
        one["x"] >= whole["x"] - 1
        and one["y"] >= whole["y"] - 1
        and one["x"] + one["width"] <= whole["x"] + whole["width"] + 1
        and one["y"] + one["height"] <= whole["y"] + whole["height"] + 1
    )


def apart(one: dict[str, float], other: dict[str, float]) -> bool:
    return (
        one["x"] + one["width"] <= other["x"] + 1
        or other["x"] + other["width"] <= one["x"] + 1
        or one["y"] + one["height"] <= other["y"] + 1
        or other["y"] + other["height"] <= one["y"] + 1
    )


@pytest.mark.parametrize(("game", "layout", "least"), a_few(GAMES))
def test_a_phone_shows_what_the_game_uses_large_enough(
    context: BrowserContext, tmp_path: Path, game: str, layout: str, least: int
) -> None:
    with running(tmp_path, game, layout) as board:
        page = Table(context, board).page
        used = board.host.layout.game(game).places.values()
        frame = box(page, "#board")
        strips = [box(page, f"#seats li:nth-child({number})") for number in (1, 2)]
        shown = {
            place: box(page, f'[data-place="{place}"] .hit')
            for place in page.locator("[data-place]").evaluate_all(
                "all => all.map(each => each.dataset.place)"
            )
        }
        assert set(shown) == set(used)
        assert frame["x"] >= 0
        assert frame["x"] + frame["width"] <= PHONE[0]
        assert frame["y"] + frame["height"] < PHONE[1] - 150, "and there is room for words"
        for place, at in shown.items():
            assert any(within(at, whole) for whole in (frame, *strips)), place
            if place in board.host.layout.cells:
                assert min(at["width"], at["height"]) >= least
            if board.host.layout.shape == "square" or place in board.host.layout.slots:
                assert all(apart(at, other) for name, other in shown.items() if name != place)
        resize(page, (PHONE[0], 664))  # with the bars of a browser
        cells = page.locator('[data-place]:not([data-place*="."]) .hit')
        wide = cells.evaluate_all("all => all.map(each => each.getBoundingClientRect().width)")
        assert len(wide) == len(set(used) & set(board.host.layout.cells))
        assert round(min(wide), 2) >= least


def test_a_piece_elsewhere_brings_the_whole_board(table: Table, board: Running) -> None:
    def lay(place: str) -> None:
        def hands(host: SimulatedHost) -> None:
            (piece,) = host.table.at(host.table.place("C4")) or host.table.at("A1")
            host.table.lift(piece.number, "somebody")
            host.table.put(piece.number, place, "somebody")

        board.ask(hands)

    places = table.page.locator("[data-place]")
    few = places.count()
    lay("A1")
    expect(places).not_to_have_count(few)
    expect(table.page.locator('[data-place="A1"]')).to_be_visible()
    lay(board.host.table.place("C4"))
    expect(places).to_have_count(few)


@pytest.mark.parametrize("size", [PHONE, deep((DESK,))])
def test_messages_never_move_the_board(
    context: BrowserContext, tmp_path: Path, size: tuple[int, int]
) -> None:
    with running(tmp_path) as board:
        table = Table(context, board)
        page = table.page
        resize(page, size)
        before = box(page, "#board")
        table.click("C4")
        expect(page.locator("#hand")).to_be_visible()
        assert box(page, "#board") == before
        table.click("A2")
        table.says("Move the giraffe")
        assert box(page, "#board") == before
        todo, step = box(page, "#sentence"), box(page, "#step")
        expect(page.locator("#sentence")).to_contain_text("Move the giraffe")
        assert within(todo, step), "it is seen"
        page.evaluate("document.getElementById('sentence').append('And then? '.repeat(100))")
        assert box(page, "#step") == step
        page.locator("#details-open").click()
        page.evaluate("document.getElementById('says').append('And then? '.repeat(300))")
        assert box(page, "#says")["height"] < 0.6 * size[1]
        roll = "document.getElementById('says').scrollTo(0, 50)"
        assert page.evaluate(f"({roll}, document.getElementById('says').scrollTop)") == 50
        assert box(page, "#board") == before
        table.keys("Escape")
        expect(page.locator("#says")).to_be_hidden()
    expect(page.locator("#lost")).to_be_visible()
    assert box(page, "#board") == before


COVERED = """[...document.querySelectorAll("header > *")]
  .filter((each) => each.checkVisibility())
  .map((each) => each.getBoundingClientRect())
  .some((box, n, all) => n && box.top < all[n - 1].bottom && box.left < all[n - 1].right)"""
"""Whether anything in the header overlaps its neighbour."""


@pytest.mark.parametrize(("game", "layout", "least"), a_few(GAMES))
@pytest.mark.parametrize("views", a_few([["", "play", "learn", "builders"], ["games"]]))
@pytest.mark.parametrize("languages", a_few([["pl", "fr"], [*LANGUAGES]]))
def test_no_page_is_wider_than_its_screen(
    context: BrowserContext,
    tmp_path: Path,
    game: str,
    layout: str,
    least: int,
    views: list[str],
    languages: list[str],
) -> None:
    """The view of the games that were played has such a test of its own. A quick run tries the
    languages with the longest texts.
    """
    with running(tmp_path, game, layout) as board:
        table = Table(context, board)
        page = table.page
        table.seat(0).locator(".name").fill("W" * LONGEST)
        page.locator('[data-key="name 0"]').press("Enter")
        page.locator('[data-key="assist 0"]').select_option("3")
        expect(page.locator('[data-key="graded 0"]')).to_be_visible()
        expect(page.locator("#turn")).to_contain_text("WWW")
        table.keys("Escape")
        for language, view in product(languages, views):
            table.speak(language)
            show(table, view)
            for width, height in ((320, 700), (360, 700), (390, 700), (640, 400)):
                resize(page, (width, height), draws=view == "play")
                wide = page.evaluate("document.documentElement.scrollWidth")
                assert wide <= width, (language, view, width)
                covered = page.evaluate(COVERED)
                assert not covered, (language, view, width)


def test_every_control_is_large_enough_for_a_finger(table: Table) -> None:
    page = table.page

    def check() -> None:
        small = page.evaluate(
            """(least) => [...document.querySelectorAll("button, select, input, summary, .button")]
                .map((each) => (/radio|checkbox/.test(each.type) ? each.closest("label") : each))
                .filter((each) => each.checkVisibility())
                .filter((each) => getComputedStyle(each, "::after").width !== "44px")
                .map((each) => [each.outerHTML.slice(0, 90), each.getBoundingClientRect()])
                .filter(([, {width, height}]) => Math.min(width, height) < least)""",
            FINGER,
        )
        assert small == []

    for width in (PHONE[0], 320):
        for view in VIEWS:
            resize(page, (width, 844), draws=view == "play")
            show(table, view)
            check()
        table.go("play")
        for open_it in (table.more, table.settings, lambda: table.seat(0)):
            open_it()
            check()
            table.keys("Escape")
        table.click("C4")
        expect(page.locator("#hand")).to_be_visible()
        check()
        table.more()
        check()
        table.keys("Escape", "Escape")
        expect(page.locator("#hand")).to_be_hidden()


def test_enlarged_to_twice_its_size_nothing_covers_the_board(table: Table) -> None:
    page = table.page
    others = ("#turn", "#sentence", "#acts", "#seats li:first-child", "#seats li:last-child")
    for letters in ("200%", "100%"):
        page.evaluate("size => { document.documentElement.style.fontSize = size; }", letters)
        resize(page, DESK)  # the board is drawn again when the window changes
        resize(page, (DESK[0] // 2, DESK[1] // 2))
        board = box(page, "#board")
        assert min(board["width"], board["height"]) > 100
        for other in others:
            assert apart(board, box(page, other)), (other, letters)
        assert box(page, "#turn")["y"] + 60 < DESK[1] // 2, "what the board says is on the screen"
        assert page.evaluate("document.documentElement.scrollWidth") <= DESK[0] // 2


BESIDE = """() => {
  const strip = document.querySelector('#seats [data-seat="1"]').getBoundingClientRect();
  const { left, right, bottom } = document.getElementById("seat").getBoundingClientRect();
  return Math.abs(left - Math.min(strip.left, innerWidth - 8 - (right - left))) < 1
    && right <= innerWidth && bottom <= innerHeight;
}"""
"""Whether the dialog of the second seat stands beside its strip, and within the window."""


def test_the_dialog_of_a_seat_follows_its_strip_when_the_window_turns(table: Table) -> None:
    page = table.page
    table.seat(1)
    page.wait_for_function(BESIDE)
    page.set_viewport_size({"width": PHONE[1], "height": PHONE[0]})
    page.wait_for_function(BESIDE)
    expect(page.locator("#seat")).to_be_visible()


def test_with_reduced_motion_nothing_on_the_page_moves_by_itself(table: Table) -> None:
    page = table.page
    restless = """() => [...document.querySelectorAll("*")].map((each) => getComputedStyle(each))
        .filter((style) => parseFloat(style.transitionDuration) || style.animationName !== "none"
            || style.scrollBehavior !== "auto").length"""
    assert page.evaluate(restless) == 0
    page.emulate_media(reduced_motion="no-preference")
    assert page.evaluate(restless) > 0


RIMS = """async words => {
  const { drawLights } = await import("/static/lights.js");
  const draw = (tag) => document.createElementNS("http://www.w3.org/2000/svg", tag);
  const layers = { light: draw("g"), defs: draw("defs") };
  document.querySelector("#board").append(layers.light, layers.defs);
  const ids = words.map((_, n) => `light ${n}`);
  const board = { pitch: 30, shape: "square", leds: ids.map((id) => [0, 0, id]) };
  const places = new Map(ids.map((id) => [id, { kind: "cell", x: 0, y: 0 }]));
  drawLights({ layers, board, places, scale: 2 }).paint(new Uint8Array(words.flat()));
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  const stroke = (each) => getComputedStyle(each).stroke.match(/\\d+/g).map(Number);
  const rims = [...layers.light.querySelectorAll(".glow")].map(stroke);
  layers.light.remove();
  layers.defs.remove();
  return [stroke(document.querySelector(".cell.in-game")), rims];
}"""
"""Draws lights of these pixels; returns the colours of the line around a cell and of their rims."""


def luminance(colour: tuple[int, ...]) -> float:
    """Return the relative luminance of an sRGB colour, as WCAG 2 defines it."""
    linear = [
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        for value in (each / 255 for each in colour)
    ]
    return sum(part * share for part, share in zip(linear, (0.2126, 0.7152, 0.0722), strict=True))


@pytest.mark.deep
def test_the_rim_of_a_lit_cell_contrasts_with_the_line_around_it(table: Table) -> None:
    """Red and teal light are about as light as the wood: the rim shows them to every eye."""
    words = [signal.value for signal in Signal]
    pixels = [[round((part / 255) ** 2.6 * 0.3 * 255) for part in word] for word in words]
    for theme in ("dark", "light"):
        table.page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        line, rims = table.page.evaluate(RIMS, pixels)
        assert len(rims) == len(words)
        for word, rim in zip(words, rims, strict=True):
            light, dark = luminance(tuple(rim)) + 0.05, luminance(tuple(line)) + 0.05
            assert light / dark >= 3, (theme, word)


@pytest.mark.deep
@pytest.mark.parametrize(("game", "layout"), [game[:2] for game in GAMES])
def test_a_small_phone_shows_turn_and_sentence(
    window: Callable[..., BrowserContext], tmp_path: Path, game: str, layout: str
) -> None:
    with running(tmp_path, game, layout) as board:
        page = Table(window(320, 640, reduced_motion="reduce"), board).page
        sentence, acts, moves = (box(page, name) for name in ("#sentence", "#acts", "#record"))
        assert sentence["y"] + sentence["height"] <= 640
        assert moves["y"] >= acts["y"] + acts["height"], "the list of moves covers nothing"
        assert page.evaluate("document.documentElement.scrollWidth") == 320


SPOKEN = """() => {
  window.spoken = [];
  for (const region of document.querySelectorAll("[role=log], [role=alert]")) {
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) {
        for (const each of addedNodes) window.spoken.push(each.textContent);
      }
    }).observe(region, { childList: true });
  }
}"""
"""Records what a screen reader says by itself from now on."""


def test_a_screen_reader_says_each_sentence_once(table: Table) -> None:
    page = table.page
    said = page.locator("#spoken")
    expect(said).to_have_text("It is A's turn.")
    page.evaluate(SPOKEN)
    table.drag("C4", "C3")
    expect(said).to_contain_text("It is B's turn.")
    table.drag("A1", "A2")
    expect(said).to_contain_text("It is A's turn.")
    page.wait_for_timeout(500)  # it says nothing more
    spoken = [each for each in page.evaluate("window.spoken") if "holds" not in each]
    assert spoken == [
        "A played: giraffe from C4 to C3 (C4C3).",
        "It is B's turn.",
        "B played: giraffe from A1 to A2 (A1A2).",
        "It is A's turn.",
    ]


WALKS = [
    (DESK, ("en",), ("dark",), False),
    (PHONE, ("pl",), ("light",), False),
    (DESK, ("en",), ("dark",), True),
    *((size, LANGUAGES, ("dark", "light") * 2, True) for size in (DESK, PHONE)),
    *((size, ("en",), ("light", "dark"), True) for size in (DESK, PHONE)),
]
"""Sizes of the window, languages, a theme for each, and whether the dialogs are opened, too."""


@pytest.mark.parametrize(("size", "languages", "themes", "dialogs"), a_few(WALKS))
def test_axe_finds_nothing(
    table: Table,
    size: tuple[int, int],
    languages: tuple[str, ...],
    themes: tuple[str, ...],
    dialogs: bool,
) -> None:
    """In a game, a question open and a piece in the hand; then with a dialog before it, and in
    the views that have no such test of their own.
    """
    page = table.page
    resize(page, size)
    for start, end in (("B2", "hand.A.C"), ("B3", "B2"), ("B1", "A2"), ("B2", "B1")):
        table.drag(start, end)
        page.wait_for_timeout(300)
    question = page.locator("#question .choice")
    expect(question).to_have_count(2)
    table.place("A4").scroll_into_view_if_needed()
    table.click("A4")

    def all_settings() -> None:
        table.settings()
        for part in ("links-panel", "help"):
            page.locator(f"#{part}").evaluate("part => { part.open = true; }")

    def menu() -> None:
        page.locator("#menu").evaluate("menu => menu.showModal()")

    for language, theme in zip(languages, themes, strict=False):
        table.speak(language)
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        expect(page.locator("#hand")).to_be_visible()
        if dialogs:
            for open_it in (table.more, all_settings, menu, lambda: table.seat(0)):
                open_it()
                clean(page, "dialog[open]")
                table.keys("Escape")
            table.more().locator(".claim").first.click()
            clean(page, "dialog[open]")
            page.keyboard.press("Escape")
        for view in ("play", "learn", "builders") if len(languages) == 1 else VIEWS:
            show(table, view)
            clean(page)
            if not view:
                page.locator("#home-how").click()
                page.locator("#options-more").evaluate("more => { more.open = true; }")
                clean(page)
                table.keys("Escape")
        table.go("play")
        expect(page.locator("#hand")).to_be_visible()
    assert question.count() == 2


def test_a_dropped_file_does_not_leave_the_page(table: Table) -> None:
    stays = table.page.evaluate(
        """() => {
          const data = new DataTransfer();
          data.items.add(new File(["{"], "evening.jsonl"));
          const drop = (type) => new DragEvent(type, {
            dataTransfer: data, bubbles: true, cancelable: true,
          });
          return ["dragover", "drop"].every((type) => !document.body.dispatchEvent(drop(type)));
        }"""
    )
    assert stays
    expect(table.page.locator("#games-alarm")).to_contain_text("evening.jsonl: line 1")
    assert [each for each in table.errors if "status of 400" not in each] == []
    table.errors.clear()  # the browser reports the refusal, too
