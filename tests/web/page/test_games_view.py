"""The games that were played, on the page: found, looked at, resumed, saved, deleted."""

from __future__ import annotations

import io
import os
import re
import time
import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, FilePayload, Locator, Page, expect

from engine.games import make
from engine.match import Match
from firmware_host.i18n.messages import LANGUAGES, translations
from firmware_host.session.record import entry_of
from firmware_host.storage.journal import Head, Journal, Player
from firmware_host.web.keys import Keys
from firmware_host.web.roles import WATCHER
from hardware.layout import serving
from tests.support.browser import IN_A_BROWSER, VISITED, Running, clean, running

pytestmark = IN_A_BROWSER

DUEL = ("B3B2", "B1B2", "C4C3", "A1A2", "C3C2", "B2B3", "A4B3")
"""A takes the lion of B."""
DESK = (1280, 800)
PHONE = (390, 844)


def keep(
    state: Path,
    name: str,
    match: Match | Sequence[str] = DUEL,
    players: Sequence[str] = ("Ania", "Ola"),
    days: float = 0.0,
) -> None:
    """Keep a match as the program does, last played some days ago."""
    if not isinstance(match, Match):
        played = Match.begin(make("robot-duel"))
        for text in match:
            played = played.play(played.game.parse_move(played.position, text))
        match = played
    path = state / f"{name}.jsonl"
    journal = Journal(path, Head(match.game, serving(match.game.name)[0].name, None, name))
    journal.players = tuple(
        Player(each, "person") if each else Player("", "level:plans") for each in players
    )
    journal.write(tuple(map(entry_of, match.steps())))
    journal.close()
    at = time.time() - 86_400 * days
    os.utime(path, (at, at))


def line(game: str, plies: int) -> Match:
    match, rng = Match.begin(make(game)), Random(1)
    while match.outcome is None and match.plies < plies:
        match = match.play(rng.choice(list(match.legal)))
    return match


class GamesView:
    """A person who looks at the games that were played."""

    def __init__(self, context: BrowserContext, board: Running, query: str = "") -> None:
        context.add_init_script(VISITED)
        self.page: Page = context.new_page()
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.goto(f"{board.url}{query}#/games")
        self.view = self.page.locator('[data-view="games"]')
        self.rows = self.view.locator("#games-list > li")
        expect(self.view.locator(".games-chip").first).to_be_visible()

    def row(self, name: str) -> Locator:
        return self.view.locator(f'[data-match="{name}"]')

    def open_menu(self, name: str) -> Locator:
        self.row(name).locator('[data-act="more"]').click()
        menu = self.page.get_by_role("menu")
        expect(menu).to_be_visible()
        return menu

    def choose(self, name: str, *items: str) -> None:
        menu = self.open_menu(name)
        for item in items:
            menu.get_by_role("menuitem", name=item, exact=True).click()

    @property
    def names(self) -> list[str | None]:
        return [row.get_attribute("data-match") for row in self.rows.all()]


@pytest.fixture
def context(window: Callable[..., BrowserContext]) -> BrowserContext:
    return window(*DESK, reduced_motion="reduce")


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Running]:
    keep(tmp_path, "one", players=("Ania", "Ola"))
    keep(tmp_path, "two", DUEL[:4], players=("Ania", ""), days=1)
    keep(tmp_path, "three", line("shogi", 30), players=("Tomek", "Łucja"), days=40)
    for name in ("one", "two", "three"):
        (tmp_path / f"{name}.jsonl").rename(tmp_path / f"match-{name}.jsonl")
    with running(tmp_path) as board:
        yield board


@pytest.fixture
def games(context: BrowserContext, board: Running) -> Iterator[GamesView]:
    games = GamesView(context, board)
    expect(games.rows).to_have_count(3)
    yield games
    assert games.errors == []


# ---- the list


def test_games_are_listed_searched_and_looked_at(games: GamesView) -> None:
    first, second, third = games.rows.all()
    expect(first.locator("h2")).to_have_text("Ania wins")
    expect(first.locator(".what p")).to_have_text("Robot Duel: Ania, Ola")
    expect(first.locator(".when")).to_contain_text(re.compile(r"(Today|Yesterday) \d\d:\d\d"))
    expect(first.locator(".when")).to_contain_text("7 moves")
    expect(first.locator(".small-piece")).to_have_count(5)
    assert cells(first) == 12
    expect(second.locator("h2")).to_have_text("Not finished")
    expect(second.locator(".what p")).to_have_text("Robot Duel: Ania, the machine (plans)")
    expect(third.locator(".small-piece")).not_to_have_count(0)
    assert cells(third) == 81
    expect(first.locator("use").first).to_have_attribute("href", re.compile("^#robot-duel-"))
    expect(games.view.locator("#evening li")).to_have_text(["Ania1", "Ola0"])

    games.view.locator(".games-chip", has_text="Shogi").click()
    expect(games.rows).to_have_count(1)
    expect(games.view.locator('.games-chip[aria-pressed="true"]')).to_have_text("Shogi")
    games.view.locator(".games-chip", has_text="All").click()
    expect(games.rows).to_have_count(3)
    search = games.view.get_by_label("Search by name")
    search.fill("łuc")
    expect(games.rows).to_have_count(1)
    expect(games.view.locator("#games-reading")).to_have_text("1 game")
    search.fill("nobody")
    expect(games.view.locator("#games-none")).to_have_text("No game matches that.")
    search.fill("")
    expect(games.rows).to_have_count(3)

    games.row("one").get_by_role("link", name="Look at it").click()
    expect(games.page).to_have_url(re.compile("#/review/one$"))
    games.page.go_back()
    games.choose("two", "Look at it")
    expect(games.page).to_have_url(re.compile("#/review/two$"))


def cells(row: Locator) -> int:
    """The number of cells that are drawn in a row."""
    return sum(
        (path.get_attribute("d") or "").count("M") for path in row.locator(".small-cells").all()
    )


def test_more_games_than_a_page_holds_and_boards_are_drawn_when_they_come_near(
    context: BrowserContext, tmp_path: Path
) -> None:
    for number in range(35):
        keep(tmp_path, f"match-{number:02}", DUEL[:1], days=number)
    with running(tmp_path) as board:
        games = GamesView(context, board)
        expect(games.rows).to_have_count(30)
        expect(games.rows.first.locator(".small-piece")).to_have_count(7)
        expect(games.rows.last.locator(".small-board")).to_have_count(0)
        games.rows.last.scroll_into_view_if_needed()
        expect(games.rows.last.locator(".small-piece")).to_have_count(7)
        games.view.locator("#games-more").click()
        expect(games.rows).to_have_count(35)
        expect(games.row("match-30").locator(".act")).to_be_focused()
        expect(games.view.locator("#games-more")).to_be_hidden()
        assert games.names == [f"match-{number:02}" for number in range(35)]


def test_a_board_without_games_says_so(context: BrowserContext, tmp_path: Path) -> None:
    with running(tmp_path) as board:
        games = GamesView(context, board)
        expect(games.view.locator("#games-none")).to_have_text("No game was played here yet.")
        none = games.view.locator("#evening-none")
        expect(none).to_contain_text("Write names beside the seats")
        board.ask(lambda host: host.seating.rename(0, "Ania"))
        expect(none).to_have_text("No win to count yet.")


def test_a_damaged_game_is_there_and_can_be_saved(context: BrowserContext, tmp_path: Path) -> None:
    (tmp_path / "match-bad.jsonl").write_bytes(b"nonsense\n")
    with running(tmp_path) as board:
        games = GamesView(context, board)
        row = games.row("match-bad")
        expect(row.locator("h2")).to_have_text("Cannot be read")
        expect(row.locator(".note")).to_contain_text("no journal of a match")
        expect(row.locator(".act")).to_have_count(0)
        menu = games.open_menu("match-bad")
        with games.page.expect_download() as saved:
            menu.get_by_role("menuitem", name="Save the file").click()
        assert Path(saved.value.path()).read_bytes() == b"nonsense\n"


# ---- what can be done with a game


def test_a_game_goes_on_and_is_not_left_without_a_question(
    games: GamesView, board: Running
) -> None:
    page = games.page
    button = games.row("two").get_by_role("button", name="Go on")
    expect(button).to_have_class(re.compile(r"\bmain\b"))
    button.click()
    expect(page).to_have_url(re.compile("#/play$"))
    assert board.moves() == list(DUEL[:4])
    assert board.ask(lambda host: host.status().players) == ("Ania", "")
    page.go_back()
    expect(games.rows).to_have_count(3)  # it is in play, and it is still listed once
    games.rows.first.get_by_role("button", name="Go on").click()
    expect(page).to_have_url(re.compile("#/play$"))
    assert board.moves() == list(DUEL[:4])
    page.go_back()
    games.rows.first.locator('[data-act="more"]').click()
    expect(page.get_by_role("menuitem", name="Save as …")).to_be_visible()
    expect(page.get_by_role("menuitem", name="Delete")).to_have_count(0)
    page.keyboard.press("Escape")
    other = games.view.locator("li", has_text="Shogi").get_by_role("button", name="Go on")
    other.click()
    expect(page.locator("#confirm")).to_contain_text("A match is in progress")
    page.get_by_role("button", name="No, go on").click()
    assert board.ask(lambda host: host.game.name) == "robot-duel"
    other.click()
    page.get_by_role("button", name="Yes, do it").click()
    expect(page).to_have_url(re.compile("#/play$"))
    assert board.ask(lambda host: host.game.name) == "shogi"


def test_a_finished_game_is_put_on_the_board(games: GamesView, board: Running) -> None:
    games.choose("one", "Put it on the board")
    expect(games.page).to_have_url(re.compile("#/play$"))
    assert board.moves() == list(DUEL)


def test_a_game_is_saved_deleted_and_brought_back(games: GamesView, tmp_path: Path) -> None:
    menu = games.open_menu("three")
    menu.get_by_role("menuitem", name="Save as …").click()
    items = menu.get_by_role("menuitem")
    expect(items).to_have_text(
        [
            "KIF",
            "CSA",
            "USI",
            "Text, to read",
            "JSON, for programs",
            "Lampion, for another board",
        ]
    )
    with games.page.expect_download() as saved:
        items.filter(has_text="KIF").click()
    assert saved.value.suggested_filename.startswith("shogi-")
    assert "Łucja" in Path(saved.value.path()).read_text()
    with games.page.expect_download() as saved:
        games.view.get_by_role("link", name="Save all").click()
    packed = zipfile.ZipFile(saved.value.path())
    assert set(packed.namelist()) == {"match-one.jsonl", "match-two.jsonl", "match-three.jsonl"}

    games.choose("two", "Delete")
    expect(games.rows).to_have_count(2)
    toast = games.view.get_by_role("status").filter(has_text="deleted")
    expect(toast).to_contain_text(re.compile(r"Robot Duel, .*: deleted"))
    assert (tmp_path / "deleted" / "match-two.jsonl").exists()
    toast.get_by_role("button", name="Bring it back").click()
    expect(games.rows).to_have_count(3)
    expect(toast).to_have_count(0)
    assert games.names == ["one", "two", "three"]


def test_the_toast_goes_but_not_under_the_pointer(games: GamesView) -> None:
    games.page.clock.install()
    games.choose("two", "Delete")
    toast = games.view.locator(".toast")
    expect(toast).to_be_visible()
    toast.hover()
    games.page.clock.run_for(20_000)
    expect(toast).to_be_visible()
    games.page.mouse.move(5, 5)
    games.page.clock.run_for(9_000)
    expect(toast).to_have_count(0)


# ---- files


DROP = """([names, texts]) => {
  const data = new DataTransfer();
  names.forEach((name, n) => data.items.add(new File([texts[n]], name)));
  const view = document.querySelector('[data-view]:not([hidden])');
  for (const kind of ["dragenter", "dragover", "drop"]) {
    const how = { dataTransfer: data, bubbles: true, cancelable: true };
    view.dispatchEvent(new DragEvent(kind, how));
  }
}"""


def test_a_file_is_dropped_on_the_match_and_one_is_chosen_and_looked_at(games: GamesView) -> None:
    games.page.get_by_role("link", name="Play").click()
    expect(games.page.locator("#board")).to_be_visible()
    games.page.evaluate(DROP, [["a.usi"], ["position startpos moves 7g7f"]])
    expect(games.page).to_have_url(re.compile("#/games$"))
    expect(games.rows).to_have_count(4)
    expect(games.view.locator(".toast")).to_contain_text("1 game is here now")

    with games.page.expect_file_chooser() as chooser:
        games.view.get_by_role("button", name="Choose a file").click()
    moves = b"position startpos moves 7g7f 3c3d 2g2f"
    chooser.value.set_files([FilePayload(name="club.usi", mimeType="text/plain", buffer=moves)])
    expect(games.rows).to_have_count(5)
    expect(games.view.locator(".note", has_text="Imported from club.usi.")).to_have_count(1)
    games.view.locator(".toast").get_by_role("button", name="Look at it").click()
    expect(games.page).to_have_url(re.compile("#/review/[0-9a-f]+$"))


def test_a_wrong_file_is_refused_in_a_sentence_and_right_ones_are_dropped(
    games: GamesView,
) -> None:
    games.page.evaluate(DROP, [["photo.png"], ["x"]])
    alarm = games.view.get_by_role("alert")
    expect(alarm).to_contain_text("photo.png is no saved game")
    texts = ["position startpos moves 7g7f", "position startpos moves 2g2f 8c8d"]
    games.page.evaluate(DROP, [["a.usi", "b.usi"], texts])
    expect(games.rows).to_have_count(5)
    expect(alarm).to_be_empty()


def test_an_archive_of_another_computer_is_dropped(games: GamesView, tmp_path: Path) -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as packed:
        for name in ("one", "two"):
            packed.write(tmp_path / f"match-{name}.jsonl", f"match-{name}.jsonl")
    (tmp_path / "match-one.jsonl").unlink()
    with games.page.expect_file_chooser() as chooser:
        games.view.get_by_role("button", name="Choose a file").click()
    file = FilePayload(name="all.zip", mimeType="application/zip", buffer=data.getvalue())
    chooser.value.set_files([file])
    expect(games.view.locator(".toast")).to_have_text("2 games are here now")
    expect(games.rows).to_have_count(3)


# ---- by keyboard, on a phone, for others, in other words


def test_a_game_is_deleted_and_brought_back_by_keyboard(games: GamesView) -> None:
    page = games.page
    games.row("two").locator(".act").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("menuitem", name="Look at it")).to_be_focused()
    page.keyboard.press("Escape")
    expect(games.row("two").locator('[data-act="more"]')).to_be_focused()
    expect(page.get_by_role("menu")).to_have_count(0)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("End")
    expect(page.get_by_role("menuitem", name="Delete")).to_be_focused()
    page.keyboard.press("Enter")
    expect(games.rows).to_have_count(2)
    expect(page.get_by_role("button", name="Bring it back")).to_be_focused()
    page.keyboard.press("Enter")
    expect(games.rows).to_have_count(3)
    expect(games.row("two").locator(".act")).to_be_focused()


def test_nothing_keeps_anybody_from_using_the_view(games: GamesView) -> None:
    """On a laptop in the dark; on a phone in the light, see below."""
    games.page.emulate_media(color_scheme="dark")
    games.open_menu("two")
    clean(games.page)
    games.page.keyboard.press("Escape")
    games.choose("two", "Delete")
    expect(games.rows).to_have_count(2)
    clean(games.page, "#games-toast")


def test_nothing_is_wider_than_the_screen(
    window: Callable[..., BrowserContext], board: Running
) -> None:
    games = GamesView(window(1000, 844, reduced_motion="reduce", color_scheme="light"), board)
    expect(games.rows).to_have_count(3)
    for width in (1000, 844, 320, PHONE[0]):
        games.page.set_viewport_size({"width": width, "height": 844})
        assert games.page.evaluate("document.documentElement.scrollWidth") <= width
        games.open_menu("three")
        assert games.page.evaluate("document.documentElement.scrollWidth") <= width
        small = games.view.locator("button:visible, a:visible, input:visible").evaluate_all(
            "all => all.map((each) => [each.textContent, each.getBoundingClientRect()])"
            ".filter(([, { width, height }]) => Math.min(width, height) < 44)"
            ".map(([text]) => text)"
        )
        assert small == [], width
        if width == PHONE[0]:
            clean(games.page)
        games.page.keyboard.press("Escape")


def test_a_watcher_can_look_and_save_only(context: BrowserContext, tmp_path: Path) -> None:
    keep(tmp_path, "match-1", DUEL[:3])
    keys = Keys("0123456789abcdef")
    with running(tmp_path, keys=keys) as board:
        games = GamesView(context, board, f"?token={keys.token(WATCHER)}")
        expect(games.rows).to_have_count(1)
        expect(games.view.get_by_role("button", name="Go on")).to_have_count(0)
        expect(games.view.get_by_role("link", name="Look at it")).to_be_visible()
        for hidden in ("Choose a file", "Save all"):
            expect(games.view.get_by_text(hidden, exact=True)).to_be_hidden()
        menu = games.open_menu("match-1")
        expect(menu.get_by_role("menuitem")).to_have_text(["Save as …"])
        menu.get_by_role("menuitem").click()
        with games.page.expect_download() as saved:
            menu.get_by_role("menuitem", name="USI").click()
        assert "moves" in Path(saved.value.path()).read_text()
        games.page.evaluate(DROP, [["a.usi"], ["position startpos moves 7g7f"]])
        assert len(list(tmp_path.glob("match-*.jsonl"))) == 1


def test_the_view_speaks_every_language_and_its_words_have_room(games: GamesView) -> None:
    page = games.page
    for language in (*(each for each in LANGUAGES if each != "pl"), "pl"):
        page.set_viewport_size({"width": DESK[0], "height": 800})
        page.locator("#settings-open").click()
        page.locator("#language").select_option(language)
        go_on = translations(language).gettext("Go on")
        expect(games.row("two").locator(".act")).to_have_text(go_on)
        page.keyboard.press("Escape")
        for width in (DESK[0], 900, PHONE[0], 320):
            page.set_viewport_size({"width": width, "height": 800})
            narrow = games.view.locator("button:visible, a.button:visible").evaluate_all(
                "all => all.filter((each) => each.scrollWidth > each.clientWidth)"
                ".map((each) => each.textContent)"
            )
            assert narrow == [], (language, width)
            assert page.evaluate("document.documentElement.scrollWidth") <= width
    expect(games.row("two").locator("h2")).to_have_text("Niedokończona")
    expect(games.view.locator(".games-chip").first).to_have_text("Wszystkie")
    expect(games.row("two").locator(".when")).to_contain_text("4 ruchy")


def test_the_list_follows_the_match_in_play_and_an_open_menu_stays(
    games: GamesView, board: Running
) -> None:
    def play(host: Any) -> None:
        host.resume("two")

    menu = games.open_menu("two")
    with games.page.expect_response("**/api/matches?**"):
        board.ask(lambda host: host.seating.rename(0, "Tomek"))  # so the list is fetched again
    games.page.wait_for_timeout(300)
    expect(menu).to_be_visible()
    games.page.keyboard.press("Escape")
    board.ask(play)
    expect(games.rows.first.locator(".what")).to_contain_text("Not finished")
    expect(games.rows.first.get_by_role("button", name="Go on")).to_be_visible()
