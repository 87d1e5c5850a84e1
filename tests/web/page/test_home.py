"""The view in which games begin, with real clicks."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, Route, expect

from engine.games import make
from engine.match import Match
from firmware_host.i18n.messages import LANGUAGES
from firmware_host.session.record import entry_of
from firmware_host.storage.journal import Head, Journal, Player
from firmware_host.web.keys import Keys
from firmware_host.web.roles import PLAYERS, WATCHER
from tests.support.browser import IN_A_BROWSER, VISITED, Running, Table, box_of, clean, running
from tests.support.chooser import Chooser
from tests.support.sampling import a_few

pytestmark = IN_A_BROWSER

LAPTOP = (1280, 800)
SIZES = {"laptop": LAPTOP, "phone": (390, 844), "small": (320, 640), "lying": (844, 390)}
DAY_S = 24 * 3600


def keep(state: Path, name: str, moves: tuple[str, ...], players: tuple[str, ...]) -> None:
    """Keep a match of yesterday in the state directory."""
    match = Match.begin(make("robot-duel"))
    for text in moves:
        match = match.play(match.game.parse_move(match.position, text))
    state.mkdir(exist_ok=True)
    path = state / f"{name}.jsonl"
    journal = Journal(path, Head(match.game, "square-reed", None, name))
    journal.players = tuple(Player(each, "person") for each in players)
    journal.write(tuple(map(entry_of, match.steps())))
    journal.close()
    os.utime(path, (time.time() - DAY_S,) * 2)


def home(context: BrowserContext, board: Running, query: str = "") -> Page:
    """Open the page where games begin, and wait until it is filled."""
    context.add_init_script(VISITED)
    page = context.new_page()
    page.goto(f"{board.url}{query}#/")
    expect(page.locator("#home-games :checked")).to_have_count(1)
    expect(page.locator("#home-rules")).not_to_be_empty()
    expect(page.locator("#home-past-about")).not_to_be_empty()
    page.evaluate("document.fonts.ready.then(() => true)")
    return page


@pytest.fixture
def laptop(window: Callable[..., BrowserContext], board: Running) -> Iterator[Page]:
    page = home(window(*LAPTOP, reduced_motion="reduce"), board)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    assert errors == []


class Clicks:
    """Clicks with the mouse on what is in sight, and counts them; it never scrolls."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.count = 0

    def on(self, target: Locator) -> None:
        expect(target).to_be_visible()
        expect(target).to_be_in_viewport(ratio=0.9)
        box = box_of(target)
        self.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        self.count += 1
        assert self.page.evaluate("scrollY") == 0


def sitters(board: Running) -> tuple[str, ...]:
    opponents = board.ask(lambda host: host.status()).opponents
    assert opponents is not None
    return opponents.player_kinds


def test_chaturaji_with_two_dice_against_three_machines_is_a_few_clicks(
    laptop: Page, board: Running
) -> None:
    click, chooser = Clicks(laptop), Chooser(laptop)
    click.on(chooser.card("chaturaji"))
    click.on(laptop.get_by_role("button", name="One against the machine"))
    expect(laptop.locator("#home-play")).to_be_in_viewport(ratio=1)
    click.on(laptop.locator("#home-how"))
    click.on(chooser.preset("Two dice"))
    expect(laptop.locator("#options-play")).to_have_text("Play Chaturaji")
    click.on(laptop.locator("#options-play"))
    expect(laptop.locator("#board")).to_be_visible()
    assert click.count <= 6
    assert board.ask(lambda host: host.game) == make("chaturaji", {"dice": "2"})
    assert sitters(board) == ("person", *["level:fits-you"] * 3)
    assert laptop.evaluate("scrollY") == 0  # at the top of the match
    expect(laptop.locator("#turn")).to_be_in_viewport()


def test_a_clock_is_chosen_in_the_sheet_above_more_rules(laptop: Page, board: Running) -> None:
    click = Clicks(laptop)
    click.on(laptop.locator("#home-how"))
    clock = laptop.locator("#options").get_by_label("Clock", exact=True)
    expect(clock).to_be_in_viewport(ratio=1)
    clock.select_option("10 min for all moves")
    expect(laptop.locator("#options-more > summary")).to_be_in_viewport(ratio=1)
    assert click.count == 1
    expect(laptop.locator("#home-clock")).to_have_text("10 min for all moves")
    click.on(laptop.locator("#options-play"))
    expect(laptop.locator("#board")).to_be_visible()
    clock = board.ask(lambda host: host.status()).clock
    assert clock is not None
    assert clock.control == "10m"


# ---- what goes on


def test_the_match_of_yesterday_goes_on(
    window: Callable[..., BrowserContext], tmp_path: Path
) -> None:
    keep(tmp_path / "state", "match-1", ("B3B2", "B1B2", "C4C3"), ("Ania", "Ola"))
    with running(tmp_path / "state") as board:
        page = home(window(*LAPTOP), board)
        line = page.locator("#go-on")
        expect(line).to_contain_text("Robot Duel, Ania and Ola")
        expect(line).to_contain_text("Yesterday, move 3. It is Ola's turn.")
        expect(line.locator(".small-piece")).to_have_count(6)  # two are taken
        expect(page.locator("#home-past-about")).to_contain_text("played")
        Clicks(page).on(page.locator("#go-on-button"))
        expect(page.locator("#board")).to_be_visible()
        assert board.moves() == ["B3B2", "B1B2", "C4C3"]
        assert board.ask(lambda host: host.status()).players == ("Ania", "Ola")


def test_the_match_in_play_goes_on_as_it_is_and_after_a_lesson(
    table: Table, board: Running
) -> None:
    page, chooser = table.page, Chooser(table.page)
    chooser.open()
    expect(page.locator("#go-on")).to_be_hidden()  # nothing has been played
    table.go("play")
    table.drag("C4", "C3")
    table.has_moves("C4C3")
    chooser.open()
    expect(page.locator("#go-on")).to_contain_text("Move 1. It is B's turn.")
    page.locator("#go-on-button").click()
    table.has_moves("C4C3")
    table.go("learn")
    page.locator("#lesson-list button").first.click()
    expect(page.locator("#lesson")).to_be_visible()
    chooser.open()
    page.locator("#go-on-button").click()
    table.has_moves("C4C3")
    expect(page.locator("#lesson")).to_be_hidden()


def test_what_goes_on_follows_the_match_that_others_play(
    window: Callable[..., BrowserContext], table: Table, board: Running
) -> None:
    page = home(window(*LAPTOP), board)
    line = page.locator("#go-on")
    expect(line).to_be_hidden()
    table.drag("C4", "C3")
    table.has_moves("C4C3")
    expect(line).to_contain_text("Move 1. It is B's turn.")
    board.ask(lambda host: host.seating.rename(1, "Ola"))
    expect(line).to_contain_text("A and Ola")
    page.locator("#home-games label").last.click()  # a choice stays while others play
    table.drag("A1", "A2")
    expect(line).to_contain_text("Move 2. It is A's turn.")
    expect(page.locator("#home-games :checked")).to_have_value("abalone")
    table.more().locator(".claim").first.click()
    table.page.locator("#confirm-yes").click()
    expect(line).to_be_hidden()  # it is over


def test_a_match_in_play_is_kept_when_another_game_begins(
    table: Table, board: Running, tmp_path: Path
) -> None:
    table.drag("C4", "C3")
    table.has_moves("C4C3")
    page, chooser = table.page, Chooser(table.page)
    chooser.open()
    chooser.choose("abalone")
    chooser.begin()
    question = page.locator("#confirm")
    expect(question).to_contain_text("This match is kept.")
    question.get_by_role("button", name="No, go on").click()
    expect(page.locator('[data-view="home"]')).to_be_visible()
    expect(chooser.card("abalone").locator("input")).to_be_checked()  # nothing is forgotten
    chooser.begin()
    page.locator("#confirm-yes").click()
    expect(page.locator("body")).to_have_attribute("data-game", "abalone")
    assert list(tmp_path.glob("match-*.jsonl"))


# ---- who plays


def test_everybody_keeps_the_seat_and_that_is_said(
    window: Callable[..., BrowserContext], tmp_path: Path
) -> None:
    keep(tmp_path / "state", "match-1", ("C4C3",), ("Tomek", "Ola"))
    with running(tmp_path / "state") as board:
        board.ask(lambda host: host.seating.rename(0, "Ania"))
        board.ask(lambda host: host.seating.offer_boards(["attic"]))
        page = home(window(*LAPTOP), board)
        carried = page.locator("#home-carried")
        first = page.get_by_label("Name, A")
        expect(first).to_have_value("Ania")
        expect(carried).to_have_text("Everybody keeps their seat from the game before.")
        names = page.locator("#home-names option")
        expect(names).to_have_count(2)
        assert [name.get_attribute("value") for name in names.all()] == ["Tomek", "Ola"]
        first.fill("Jan")
        first.press("Enter")  # does not begin the game
        other = page.locator("#home-seats select").nth(1)
        expect(other.locator("option").last).to_have_text("a person at the board attic")
        other.select_option("board:attic")
        expect(page.locator("#home-seats .home-machine")).to_have_text("Board attic")
        for way in "#home-people", "#home-alone":
            expect(page.locator(way)).to_have_attribute("aria-pressed", "false")
        page.locator("#home-seats select").nth(1).select_option("level:plans")
        expect(carried).to_be_empty()
        expect(page.locator("#home-seats .home-machine")).to_have_text("Machine")
        page.locator("#home-play").click()
        expect(page.locator("#board")).to_be_visible()
        assert board.ask(lambda host: host.status()).players == ("Jan", "")
        assert sitters(board) == ("person", "level:plans")
        Chooser(page).open()
        expect(carried).not_to_be_empty()
        expect(first).to_have_value("Jan")
        Chooser(page).choose("chaturaji")
        page.get_by_role("button", name="One against the machine").click()
        machines = page.locator('#home-seats select:has(:checked[value="level:plans"])')
        expect(machines).to_have_count(3)  # the level that was chosen before, at all other seats


@pytest.mark.deep
def test_what_is_chosen_while_the_games_come_is_kept(laptop: Page, board: Running) -> None:
    """The answer with the games is held back, as by a slow network, and then let through."""
    held: list[Route] = []
    games = re.compile("/api/games")
    form, name = laptop.locator("#home-form"), laptop.get_by_label("Name, A")

    def open_it() -> None:
        with laptop.expect_request(games):
            laptop.evaluate("location.hash = '#/'")
        expect(laptop.locator('[data-view="home"]')).to_be_visible()

    def let_through() -> None:
        with laptop.expect_event("requestfinished", lambda each: games.search(each.url)):
            held.pop().continue_()
        laptop.evaluate("new Promise((done) => setTimeout(done, 100))")

    laptop.evaluate("location.hash = '#/learn'")
    expect(laptop.locator('[data-view="learn"]')).to_be_visible()
    board.ask(lambda host: host.new_game("shogi", {}, "square-hall"))
    expect(laptop.locator("body")).to_have_attribute("data-game", "shogi")
    laptop.route(games, lambda route: held.append(route))
    open_it()  # another game began: what is shown is of the game before
    expect(form).to_be_hidden()
    let_through()
    expect(form).to_be_visible()
    laptop.locator('.game-card:has([value="robot-duel"])').click()
    laptop.locator("#home-layout").select_option("square-reed")
    laptop.evaluate("location.hash = '#/learn'")
    expect(laptop.locator('[data-view="learn"]')).to_be_visible()
    open_it()  # nothing is new
    name.press_sequentially("An")
    let_through()
    expect(name).to_be_focused()
    laptop.keyboard.type("ia")
    laptop.locator("#home-play").click()
    expect(laptop.locator("#board")).to_be_visible()
    assert board.ask(lambda host: host.status()).players == ("Ania", "")
    assert board.ask(lambda host: host.layout.name) == "square-reed"


def test_seats_say_who_begins_and_levels_in_words_and_four_have_four_rows(laptop: Page) -> None:
    chooser = Chooser(laptop)
    first = laptop.locator("#home-seats select").first.locator(":checked")
    expect(first).to_have_text("a person, begins")
    chooser.choose("robot-duel", options={"first_player": "B"})
    chooser.close_sheet()
    expect(first).to_have_text("a person")
    chooser.choose("chaturaji")
    rows = laptop.locator("#home-seats > li")
    expect(rows).to_have_count(4)
    expect(rows.locator(".seat-sign")).to_have_count(4)
    options = rows.first.locator("option").all_inner_texts()
    assert options[0] == "a person, begins"
    assert options[1:8] == [
        "level 1 of 6: often moves at random",
        "level 2 of 6: often makes mistakes",
        "level 3 of 6: sees one move ahead",
        "level 4 of 6: sees two moves ahead",
        "level 5 of 6: plans ahead",
        "level 6 of 6: plays as well as it can",
        "fits you, by your wins and losses",
    ]
    laptop.get_by_role("button", name="One against the machine").click()
    expect(laptop.locator("#home-alone")).to_have_attribute("aria-pressed", "true")
    laptop.get_by_role("button", name="People").click()
    expect(laptop.locator("#home-people")).to_have_attribute("aria-pressed", "true")
    expect(laptop.locator(".home-machine")).to_have_count(0)


# ---- how it is played


def test_only_options_that_can_matter_are_shown(laptop: Page) -> None:
    chooser = Chooser(laptop)
    chooser.choose("chaturaji")
    chooser.open_sheet(more=True)
    changed = laptop.locator("#options-changed")
    expect(changed).to_have_text("all as usual")
    expect(chooser.field("order of two dice")).to_be_hidden()
    expect(chooser.field("taking a partner's pieces")).to_be_hidden()
    chooser.preset("Two dice").click()
    expect(chooser.field("order of two dice")).to_be_visible()
    expect(changed).to_have_text("nothing else changed")
    chooser.field("order of two dice").select_option("fixed")
    expect(changed).to_have_text("1 changed")
    expect(laptop.locator("#home-rules")).to_have_text("Two dice, 1 change")
    chooser.field("partners").select_option("true")
    expect(chooser.field("taking a partner's pieces")).to_be_visible()
    expect(chooser.field("end of the game")).to_be_hidden()
    expect(changed).to_have_text("2 changed")
    chooser.preset("Two teams").click()
    expect(changed).to_have_text("nothing else changed")
    expect(chooser.field("dice")).to_have_value("1")


def test_what_happens_when_time_is_up_is_asked_with_a_clock(laptop: Page, board: Running) -> None:
    chooser = Chooser(laptop)
    chooser.choose("abalone")
    chooser.open_sheet(more=True)
    up = chooser.field("when the time is up")
    expect(chooser.field("start layout")).to_be_visible()
    expect(up).to_be_hidden()
    expect(chooser.field("minutes on a clock beside the board")).to_have_count(0)
    laptop.locator("#options-clock").select_option("5m")
    up.select_option("ejections")
    chooser.begin()
    expect(laptop.locator("#board")).to_be_visible()
    assert board.ask(lambda host: host.game) == make("abalone", {"flag_rule": "ejections"})


def test_an_option_that_cannot_matter_is_not_sent(laptop: Page, board: Running) -> None:
    chooser = Chooser(laptop)
    chooser.choose("chaturaji", options={"dice": "2", "two_dice_order": "fixed"})
    chooser.field("dice").select_option("1")
    chooser.begin()
    expect(laptop.locator("#board")).to_be_visible()
    assert board.ask(lambda host: host.game) == make("chaturaji")


def test_what_is_played_now_is_chosen_at_first(
    window: Callable[..., BrowserContext], tmp_path: Path
) -> None:
    options = {"dice": "2", "ranks": "true"}
    with running(tmp_path, "chaturaji", "square-hall", options) as board:
        page = home(window(*LAPTOP), board)
        expect(page.locator("#home-rules")).to_have_text("Two dice, 1 change")
        expect(page.locator("#home-layout")).to_have_value("square-hall")
        page.locator("#home-play").click()
        expect(page.locator("#board")).to_be_visible()
        assert board.ask(lambda host: (host.game.options["ranks"], host.layout.name)) == (
            "true",
            "square-hall",
        )


def test_a_refusal_is_shown_where_the_game_was_begun(laptop: Page, board: Running) -> None:
    chooser = Chooser(laptop)
    laptop.evaluate(
        """() => {  // as if that level were not installed any more
          const send = WebSocket.prototype.send;
          const gone = (text) => text.replace('kinds":["person"', 'kinds":["level:x"');
          WebSocket.prototype.send = function (text) { send.call(this, gone(text)); };
        }"""
    )
    chooser.open_sheet()
    chooser.begin()
    expect(laptop.locator(".sheet-foot .home-refused")).to_have_text(
        "No player of that name can play here."
    )
    assert board.ask(lambda host: host.game.name) == "robot-duel"
    chooser.preset("Only taking wins").click()
    expect(laptop.locator(".sheet-foot .home-refused")).to_be_hidden()


# ---- any number of games, any size, any way to use it


def with_games(page: Page, change: Callable[[list[Any]], list[Any]]) -> None:
    def answer(route: Route) -> None:
        games = route.fetch().json()
        route.fulfill(body=json.dumps(change(games)), content_type="application/json")

    page.route("**/api/games?*", answer)


def sixth(games: list[Any]) -> list[Any]:
    """Add a game without drawings, presets and options."""
    picture = games[0]["picture"] | {"game": "sixth", "has_drawings": False}
    new = {"name": "sixth", "title": "A sixth game with a long name", "picture": picture}
    return [*games, games[0] | new | {"presets": [], "options": [], "minutes": None}]


def resize(page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})


@pytest.mark.parametrize("many", a_few([6, 1]))
def test_any_number_of_games_looks_right(
    window: Callable[..., BrowserContext], board: Running, many: int
) -> None:
    context = window(*LAPTOP, reduced_motion="reduce")
    context.add_init_script(VISITED)
    page = context.new_page()
    with_games(page, lambda games: sixth(games)[-many:])
    page.goto(f"{board.url}#/")
    cards = page.locator("#home-games label")
    expect(cards).to_have_count(many)
    expect(cards.last.locator(".small-piece .plain-piece")).to_have_count(8)
    cards.last.click()
    for size in SIZES.values():
        resize(page, size)
        boxes = [box_of(card) for card in cards.all()]
        assert all(box and box["width"] <= 320 for box in boxes)
        assert len({box["height"] for box in boxes[:2] if box}) == 1
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
        page.locator("#home-how").click()
        expect(page.locator("#options-more")).to_be_hidden()
        expect(page.locator("#options-presets")).to_be_hidden()
        expect(page.locator("#options-play")).to_be_in_viewport(ratio=1)
        Chooser(page).close_sheet()


@pytest.mark.parametrize("language", a_few(sorted(LANGUAGES)))
def test_it_fits_every_size_in_every_language(
    window: Callable[..., BrowserContext], tmp_path: Path, language: str
) -> None:
    keep(tmp_path / "state", "match-1", ("B3B2", "B1B2"), ("Ania", "Ola"))
    with running(tmp_path / "state") as board:
        page = home(window(*LAPTOP, reduced_motion="reduce"), board, f"?lang={language}")
        chooser = Chooser(page)
        for size in SIZES.values():
            resize(page, size)
            page.evaluate("scrollTo(0, 0)")
            play = page.locator("#home-play" if size == LAPTOP else "#home-bar-play")
            for game in ("robot-duel", "chaturaji"):
                chooser.card(game).click()
                assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
                expect(play).to_be_in_viewport(ratio=1)
            least = page.evaluate(
                """() => [...document.querySelectorAll(
                  '[data-view="home"] :is(button, select, a)')]
                  .filter((each) => each.checkVisibility())
                  .map((each) => each.getBoundingClientRect())
                  .reduce((least, {width, height}) => Math.min(least, width, height), 99)"""
            )
            assert least >= 44, size
            page.locator("#home-how").click()
            foot = page.locator("#options-play")
            expect(foot).to_be_in_viewport(ratio=1)
            page.locator("#options-more summary").click()
            expect(foot).to_be_in_viewport(ratio=1)
            wider = "({ scrollWidth, clientWidth }) => scrollWidth - clientWidth"
            assert page.locator(".sheet-body").evaluate(wider) <= 0, size
            page.locator("#options-more").evaluate("more => { more.open = false; }")
            chooser.close_sheet()


def test_a_phone_goes_from_its_bar_to_the_seats(
    window: Callable[..., BrowserContext], board: Running
) -> None:
    page = home(window(390, 844, has_touch=True), board)
    bar = page.locator("#home-bar-who")
    expect(bar).to_contain_text("A and B")
    expect(bar).to_contain_text("Usual rules · No clock")
    bar.tap()
    expect(page.locator("#home-seats > li").first).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="One against the machine").tap()
    expect(bar).to_contain_text("A and Machine")
    page.locator("#home-bar-play").tap()
    expect(page.locator("#board")).to_be_visible()
    assert sitters(board) == ("person", "level:fits-you")


def test_the_keyboard_reaches_everything(laptop: Page, board: Running) -> None:
    laptop.locator("#home-games :checked").focus()
    for game in ("shogi", "chaturaji"):
        laptop.keyboard.press("ArrowRight")
        expect(laptop.locator("#home-games :checked")).to_have_value(game)
        expect(laptop.locator("#home-games :checked")).to_be_focused()
    for wanted in ("home-people", "home-alone"):
        laptop.keyboard.press("Tab")
        expect(laptop.locator(f"#{wanted}")).to_be_focused()
    laptop.keyboard.press("Enter")
    expect(laptop.locator("#home-alone")).to_be_focused()
    for _ in range(20):
        laptop.keyboard.press("Tab")
        if laptop.evaluate("document.activeElement.id") == "home-how":
            break
    laptop.keyboard.press("Enter")
    expect(laptop.locator("#options-presets :checked")).to_be_focused()
    laptop.keyboard.press("ArrowDown")
    expect(laptop.locator("#home-rules")).to_have_text("Quick")
    laptop.keyboard.press("Escape")
    expect(laptop.locator("#options")).to_be_hidden()
    expect(laptop.locator("#home-how")).to_be_focused()
    laptop.keyboard.press("Tab")
    expect(laptop.locator("#home-play")).to_be_focused()
    laptop.keyboard.press("Enter")
    expect(laptop.locator("#board")).to_be_visible()
    assert board.ask(lambda host: host.game) == make("chaturaji", {"end": "n_rounds"})


ROOMS = [("phone", "light"), ("laptop", "dark"), ("laptop", "light"), ("phone", "dark")]


@pytest.mark.parametrize(("size", "scheme"), a_few(ROOMS))
def test_nothing_keeps_anybody_from_using_it(
    window: Callable[..., BrowserContext], tmp_path: Path, size: str, scheme: str
) -> None:
    keep(tmp_path / "state", "match-1", ("B3B2", "B1B2"), ("Ania", "Ola"))
    with running(tmp_path / "state") as board:
        page = home(window(*SIZES[size], color_scheme=scheme, reduced_motion="reduce"), board)
        Chooser(page).card("chaturaji").click()
        page.evaluate("document.querySelector('#home-alone').click()")
        clean(page)
        page.locator("#home-how").click()
        page.locator("#options-more summary").click()
        clean(page, "#options")
        animation = "sheet => getComputedStyle(sheet).animationName"
        assert page.locator("#options").evaluate(animation) == "none"


@pytest.mark.deep
def test_players_and_watchers_land_on_the_match(
    window: Callable[..., BrowserContext], tmp_path: Path
) -> None:
    keys = Keys("7" * 32)
    with running(tmp_path, keys=keys) as board:
        for role in (PLAYERS[1], WATCHER):
            context = window(*LAPTOP)
            context.add_init_script(VISITED)
            page = context.new_page()
            page.goto(f"{board.url}?token={keys.token(role)}#/")
            expect(page.locator("#board")).to_be_visible()
            expect(page.locator('[data-view="home"]')).to_be_hidden()
            context.close()
