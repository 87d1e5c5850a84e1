"""The board in a browser tab, from the folder that `make site` builds."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect

from engine.games import make
from engine.match import Match
from firmware_host.opponents.protocol import task, write
from hardware import layout as layouts
from tests.site.conftest import LOADING, Tab
from tests.support.browser import IN_A_BROWSER, clean

pytestmark = [*IN_A_BROWSER, pytest.mark.deep]

MOST_BYTES = 12_000_000
"""The most bytes of the board's files, as a web server sends them: compressed."""
GAMES: dict[str, tuple[dict[str, str], str]] = {
    "robot-duel": ({}, "B3B2,A1A2,B2B1"),
    "shogi": ({}, "7g7f,7a6b,8h3c+,5a5b,3c2d,2b7g,8i7g,4c4d,B*1f"),
    "chaturaji": ({"end": "first_raja_lost"}, "2,a1c3,4,--,2,h8f6,3,h2f1,2,c3a5"),
    "robotory": (
        {},
        "P b b1,P w b4,P b e4,P w d4,P w b2,P b e1,F 3w,P b d1,P w a4,M R d3-d4-e4,P w c2,"
        "M W b3-b2,P w e2,F 4w,F 3w",
    ),
    "abalone": (
        {"layout": "belgian_daisy"},
        "g7h7,g4g3,i9i8,h6g6,i7i6,c5d6,b1c2,c6d6c5,d3d4,h5h6,b2c3,g6g7,c2c3,g7f6,g8h8f7,h4h5,"
        "f7g7f8,b4a3,c3b3,b5c5,a1a2,g3g4,a2a3,h5h4,f5g6,g5g4,a3b4,d5e5,h7i7,e5f6,f8g8e7,f5f4,b4a3,"
        "f4g4f5,i8h8,g5h5,e7f7d6,c5c6,a4b4,f5f6,b4d4c5,f6f5,g6f6,f5g5,f6e6",
    ),
}
"""A whole game of each kind: its options, and its moves with the throws of the die."""


KEPT = "fetch('/api/matches').then((answer) => answer.json())"
"""Asks for the list of past matches."""


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_is_played_and_kept(tab: Tab, game: str) -> None:
    options, line = GAMES[game]
    match = Match.begin(make(game, options))
    tab.open()
    tab.begin(game, **options)
    tab.until("state.turn_line && !state.plies.length && !state.outcome")
    for move in line.split(","):
        match = match.play(match.game.parse_move(match.position, move))
        if move.isdecimal():
            assert tab.command("throw", dice=[int(move)]) == ""
        elif move != "--":
            tab.play(move)
        else:  # no piece can move as the die wants: the board passes by itself
            tab.until("state.plies.at(-1)?.text === '--'")
    assert match.outcome is not None
    tab.until("state.outcome !== null")
    assert tab.moves == [move for move in line.split(",") if not move.isdecimal()]
    before = tab.page.evaluate(KEPT)
    tab.open()
    after = tab.page.evaluate(KEPT)
    assert after["total"] == 1
    assert after["matches"] == before["matches"]


def lying(tab: Tab) -> list[tuple[str, str, str]]:
    """Return which pieces lie where."""
    return sorted((each["face"], each["owner"], each["place"]) for each in tab.state["pieces"])


def test_a_match_goes_on_when_the_tab_is_loaded_again(tab: Tab) -> None:
    tab.open()
    tab.begin("robot-duel")
    tab.play("B3B2")
    pieces = lying(tab)
    tab.open()
    assert tab.moves == ["B3B2"]
    assert lying(tab) == pieces
    tab.play("A1A2")
    tab.open()
    assert tab.moves == ["B3B2", "A1A2"]


def test_a_hand_moves_a_piece_on_the_page(tab: Tab) -> None:
    tab.open("#/play")
    places = layouts.load("square-reed").game("robot-duel").places
    for place in ("B3", "B2"):  # a chick takes the other one
        tab.page.locator(f'#board [data-place="{places[place]}"]').click()
    tab.until("state.plies.at(-1)?.text === 'B3B2'")
    expect(tab.page.locator("#plies .move")).to_have_count(1)


def test_it_opens_without_a_network_after_the_first_visit(
    tab: Tab, context: BrowserContext
) -> None:
    tab.open()
    tab.page.wait_for_function(
        "() => navigator.serviceWorker.ready.then(({ active }) => active.state === 'activated')",
        timeout=LOADING,
    )
    context.set_offline(True)
    tab.open("#/play")
    assert tab.page.evaluate("navigator.serviceWorker.controller !== null")
    tab.begin("abalone")
    expect(tab.page.locator("#title")).to_have_text("Abalone")
    tab.page.evaluate("location.hash = '#/learn'")
    expect(tab.page.locator('[data-view="learn"]')).to_be_visible()
    context.set_offline(False)


def test_the_machine_answers_and_gives_hints(tab: Tab) -> None:
    tab.open("#/play")
    assert tab.command("seat", seat=1, player_kind="level:first-steps") == ""
    assert tab.command("press", button="hint") == ""
    expect(tab.page.locator("#says")).to_contain_text("Hint: move the", timeout=LOADING)
    tab.play("C4C3")
    tab.until("state.plies.length === 2")
    assert tab.state["faults"] == []


def test_a_past_match_is_judged(tab: Tab) -> None:
    tab.open()
    tab.begin("robot-duel")
    for move in GAMES["robot-duel"][1].split(","):
        tab.play(move)
    tab.until("state.outcome !== null")
    (match,) = tab.page.evaluate(KEPT)["matches"]
    lines: str = tab.page.evaluate(
        "(id) => fetch(`/api/matches/${id}/judgements`).then((answer) => answer.text())",
        match["id"],
    )
    number, *moves, _ = map(json.loads, lines.splitlines())
    assert number == {"number": 3}
    assert [move["step"] for move in moves] == [1, 2, 3]


def test_a_new_task_ends_the_search_before_it(tab: Tab) -> None:
    tab.open()
    match = Match.begin(make("abalone"))
    tasks = [
        task(1, match, seconds=0.1),
        task(2, match, level="strong", seconds=600.0),
        task(3, match, seconds=0.1),
    ]
    texts = [write(each).decode() for each in tasks]
    answered: list[object] = tab.page.evaluate(
        """([first, long, last]) => new Promise((done) => {
          const worker = new Worker("analysis_worker.js", { type: "module" });
          const answers = [];
          worker.onmessage = ({ data }) => {
            if (!data) return; // Python has started
            const { number } = JSON.parse(data);
            answers.push(number);
            if (number === 1) {
              worker.postMessage(long);
              setTimeout(() => worker.postMessage(last), 500); // most likely amid the search
            }
            if (number === 3) done(answers);
          };
          worker.onerror = ({ message }) => done([...answers, message]);
          worker.postMessage(first);
        })""",
        texts,
    )
    assert answered == [1, 2, 3]


def test_a_match_is_saved_as_a_file_and_taken_in_again(tab: Tab) -> None:
    tab.open("#/play")
    tab.play("B3B2")
    with tab.page.expect_download() as saving:
        tab.page.locator("#save").evaluate("(link) => link.click()")
    recording = Path(saving.value.path()).read_bytes()
    assert saving.value.suggested_filename == "robot-duel.jsonl"
    assert b'"robot-duel"' in recording.splitlines()[0]
    (match,) = tab.page.evaluate(KEPT)["matches"]
    status, taken = tab.page.evaluate(
        """async (id) => {
          const journal = await (await fetch(`/api/matches/${id}/file?format=journal`)).blob();
          const asked = { method: "POST", body: journal };
          const answer = await fetch("/api/matches?name=a.jsonl", asked);
          return [answer.status, await answer.json()];
        }""",
        match["id"],
    )
    assert status == 200
    assert len(taken["matches"]) == 1


def test_a_match_of_another_program_keeps_its_date(tab: Tab) -> None:
    tab.open("#/games")
    kif = "手合割：平手\n   1 ７六歩(77)\n"
    taken_in = """async (body) => {
      const changed = Date.UTC(2020, 0, 2);
      await fetch(`/api/matches?name=a.kif&changed=${changed}`, { method: "POST", body });
    }"""
    tab.page.evaluate(taken_in, kif)
    tab.open()
    (match,) = tab.page.evaluate(KEPT)["matches"]
    assert match["date"].startswith("2020-01-0")


def test_a_second_tab_waits_for_the_first(tab: Tab, context: BrowserContext, address: str) -> None:
    tab.open()
    second = Tab(context, address)
    second.page.goto(f"{address}play/")
    expect(second.page.locator("#loading-text")).to_contain_text("open in another tab")
    clean(second.page, "#loading")
    tab.page.close()
    second.lit()
    assert second.errors == []


@pytest.mark.parametrize(
    ("language", "said"),
    [("pl", "Wczytuję planszę"), ("cs-CZ", "Načítá se deska"), ("fr", "Chargement du plateau")],
)
def test_it_says_how_far_it_is_in_the_language_of_the_browser(
    window: Callable[..., BrowserContext], address: str, language: str, said: str
) -> None:
    page = window().new_page()
    page.add_init_script(
        f"Object.defineProperty(navigator, 'languages', {{ get: () => ['{language}', 'en'] }})"
    )
    page.route("**/program.zip", lambda _: None)  # it never comes
    page.goto(f"{address}play/")
    expect(page.locator("#loading-text")).to_contain_text(said)
    expect(page.locator("html")).to_have_attribute("lang", language[:2])
    page.wait_for_function(
        "() => document.querySelector('#loading-bar').value > 1e6", timeout=LOADING
    )
    assert page.locator("main").evaluate("(main) => main.inert")


def test_a_browser_without_webassembly_is_told_so(
    window: Callable[..., BrowserContext], address: str
) -> None:
    page = window().new_page()
    page.add_init_script("delete globalThis.WebAssembly")
    page.goto(f"{address}play/")
    expect(page.locator("#loading-text")).to_contain_text("This browser is too old")
    clean(page, "#loading")


def test_a_file_that_does_not_come_is_told(
    window: Callable[..., BrowserContext], address: str
) -> None:
    page = window().new_page()
    page.route("**/program.zip", lambda route: route.abort())
    page.goto(f"{address}play/")
    expect(page.locator("#loading-text")).to_contain_text("could not be loaded", timeout=LOADING)


def test_a_browser_that_keeps_nothing_says_so(
    window: Callable[..., BrowserContext], address: str
) -> None:
    tab = Tab(window(), address)
    tab.page.goto(address)
    control = tab.page.context.new_cdp_session(tab.page)
    limits = {"origin": address.removesuffix("/"), "quotaSize": 1}
    control.send("Storage.overrideQuotaForOrigin", limits)
    tab.page.goto(f"{address}play/")
    tab.lit()
    tab.begin("robot-duel")
    tab.play("B3B2")
    expect(tab.page.locator("#unsaved")).to_contain_text("does not keep the match")
    control.send("Storage.overrideQuotaForOrigin", {"origin": limits["origin"]})  # as usual
    tab.play("A1A2")
    expect(tab.page.locator("#unsaved")).to_be_hidden()


def test_the_start_page_leads_to_the_board(context: BrowserContext, address: str) -> None:
    tab = Tab(context, address)
    tab.page.goto(address)
    clean(tab.page)
    tab.page.get_by_role("link", name="Play now").click()
    tab.lit()
    assert tab.errors == []


def test_the_board_is_small_enough_to_be_fetched(site: Path) -> None:
    files = [path.read_bytes() for path in (site / "play").rglob("*") if path.is_file()]
    assert sum(len(gzip.compress(each, 6)) for each in files) <= MOST_BYTES
