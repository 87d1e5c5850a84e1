"""Players at the page in a real headless Chromium, over the whole simulated board."""

from __future__ import annotations

import asyncio
import re
import shutil
import threading
from asyncio import events
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Error,
    Locator,
    Page,
    expect,
    sync_playwright,
)

from firmware_host.host.simulated import SimulatedHost
from firmware_host.host.start import Start
from firmware_host.web.keys import Keys
from firmware_host.web.server import serve

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), None)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

IN_A_BROWSER = [
    pytest.mark.browser,
    pytest.mark.skipif(
        CHROMIUM is None, reason="no Chromium here; to run these: sudo apt-get install chromium"
    ),
]

PATIENCE = 20_000
"""Milliseconds after which a page is wrong and no longer slow."""
expect.set_options(timeout=PATIENCE)

VISITED = "try { localStorage.setItem('tour', 'seen'); } catch {}"
"""A script for pages that are to know that somebody was here before."""

SETTLED = """(place) => new Promise((done) => {
  let [before, looks] = ["", 0];
  const look = () => {
    const { x, y, width, height } = place.getBoundingClientRect();
    const now = [x, y, width, height].join();
    looks += 1;
    if (now === before || looks > 40) done([x + width / 2, y + height / 2]);
    else setTimeout(look, 25);
    before = now;
  };
  look();
})"""
"""The middle of a place, as soon as that stays where it is."""

SOON = r"""(argument) => new Promise((done) => {
  const end = performance.now() + 5000;
  const says = () => document.querySelector("#says").textContent.replace(/\s+/g, " ");
  const condition = CONDITION;
  const look = () => {
    if (condition(argument) || performance.now() > end) done();
    else setTimeout(look, 15);
  };
  look();
})"""
"""Waits until a condition is true, or for five seconds."""

MOVES = r"""(moves) => {
  const plies = [...document.querySelectorAll("#plies .move")];
  return plies.map((each) => each.textContent.trim().replace(/\s+/g, " ")).join() === moves.join();
}"""
"""Whether these moves stand on the record."""

T = TypeVar("T")


def box_of(part: Locator) -> dict[str, float]:
    """Return where a part of a page is drawn. The board is drawn again when the window changes;
    a part that is not there just then is looked for again.
    """
    for _ in range(PATIENCE // 20):
        expect(part).to_be_visible()
        if (box := part.bounding_box()) is not None:
            return dict(box)  # type: ignore[arg-type]
        part.page.wait_for_timeout(20)
    raise AssertionError(f"{part} is not drawn")


class Running:
    """A simulated board that runs in a thread of its own, and its page's address."""

    def __init__(
        self,
        state: Path,
        game: str,
        layout: str,
        port: int = 0,
        options: dict[str, str] | None = None,
        keys: Keys | None = None,
    ) -> None:
        self.port = port
        self._keys = keys
        self._state = state
        self._chosen = (game, options or {}, layout)
        self._up = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()
        assert self._up.wait(PATIENCE / 1000), "the board did not start"

    def _run(self) -> None:
        with closing(SimulatedHost(self._state)) as self.host:
            self.host.open(Start(*self._chosen))
            asyncio.run(self._serve())  # which ends what the host has begun, as for the program

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()

        def ready(url: str) -> None:
            self.port = int(url.rpartition(":")[2].partition("/")[0])
            self.url = f"http://localhost:{self.port}/"
            self._up.set()

        self._tasks = [
            asyncio.create_task(self.host.run()),
            asyncio.create_task(serve(self.host, self.port, self._keys, ready)),
        ]
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.sleep(0.05)  # connections that were closed are gone a few turns later

    def ask(self, question: Callable[[SimulatedHost], T]) -> T:
        """Ask the host something in its own thread."""

        async def answer() -> T:
            return question(self.host)

        return asyncio.run_coroutine_threadsafe(answer(), self._loop).result(PATIENCE / 1000)

    def moves(self) -> list[str]:
        return [ply.text for ply in self.ask(lambda host: host.status()).plies]

    @classmethod
    @contextmanager
    def again(cls, state: Path, port: int) -> Iterator[Running]:
        """Start once more, on the same port and with what was kept."""
        board = cls(state, "robot-duel", "square-reed", port)
        try:
            yield board
        finally:
            board.stop()

    def stop(self) -> None:
        for task in self._tasks:
            self._loop.call_soon_threadsafe(task.cancel)
        self._thread.join(PATIENCE / 1000)
        assert not self._thread.is_alive()


@contextmanager
def running(
    state: Path,
    game: str = "robot-duel",
    layout: str = "square-reed",
    options: dict[str, str] | None = None,
    keys: Keys | None = None,
) -> Iterator[Running]:
    state.mkdir(exist_ok=True)
    board = Running(state, game, layout, options=options, keys=keys)
    try:
        yield board
    finally:
        board.stop()


@pytest.fixture(scope="session")
def chromium() -> Iterator[tuple[Browser, asyncio.AbstractEventLoop]]:
    """Start the browser, once for all tests, and Playwright's event loop; it is in nobody's way
    between two tests of the page.
    """
    with sync_playwright() as playwright:
        loop = asyncio.get_running_loop()
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        events._set_running_loop(None)  # else no other test could run one
        yield browser, loop
        events._set_running_loop(loop)
        browser.close()


@pytest.fixture
def window(
    chromium: tuple[Browser, asyncio.AbstractEventLoop],
) -> Iterator[Callable[..., BrowserContext]]:
    """Open windows of a fresh browser each, of any size and kind."""
    browser, loop = chromium
    opened: list[BrowserContext] = []

    def window(width: int = 1360, height: int = 950, **kind: Any) -> BrowserContext:
        # Nobody looks at the picture: a sixteenth of its dots costs half of the time.
        context = browser.new_context(
            viewport={"width": width, "height": height},
            device_scale_factor=0.25,
            locale="en-GB",
            **kind,
        )
        context.set_default_timeout(PATIENCE)
        opened.append(context)
        return context

    events._set_running_loop(loop)
    try:
        yield window
        for context in opened:
            context.close()
    finally:
        events._set_running_loop(None)


@pytest.fixture
def context(window: Callable[..., BrowserContext]) -> BrowserContext:
    return window(reduced_motion="reduce")


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Running]:
    with running(tmp_path) as board:
        yield board


class Table:
    """A player at a page: all by the names of the game's own places."""

    def __init__(
        self,
        context: BrowserContext,
        board: Running,
        query: str = "",
        first_visit: bool = False,
    ) -> None:
        self.board = board
        if not first_visit:
            context.add_init_script(VISITED)
        self.page: Page = context.new_page()
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", self._heard)
        self.page.goto(f"{board.url}{query}#/play")
        # The page has its final shape only when the words are in it; a click must not come before.
        self.soon("() => document.querySelector('[data-piece]') && says()", None)
        expect(self.page.locator("[data-piece]").first).to_be_attached()
        expect(self.page.locator("#says")).not_to_be_empty()
        self.page.evaluate("document.fonts.ready.then(() => true)")

    def _heard(self, message: Any) -> None:
        if message.type == "error" and "WebSocket" not in message.text:
            self.errors.append(message.text)

    def place(self, name: str) -> Locator:
        return self.page.locator(f'[data-place="{self.board.host.table.place(name)}"]')

    def drag(self, start: str, end: str) -> None:
        for place in (start, end):
            if place != "box":
                self.place(place).scroll_into_view_if_needed()
        before = self.page.evaluate("document.body.dataset.table")
        self.pull(start, end)
        self.soon("before => document.body.dataset.table !== before", before)
        expect(self.page.locator("body")).not_to_have_attribute("data-table", before)
        expect(self.page.locator("#hand")).to_be_hidden()  # it was lifted, so it is put by now

    def pull(self, start: str, end: str) -> None:
        """Drag a piece and wait for nothing."""
        self.page.mouse.move(*self.middle(start))
        self.page.mouse.down()
        self.page.mouse.move(*self.middle(end), steps=5)
        self.page.mouse.up()

    def middle(self, name: str) -> tuple[float, float]:
        shown = "#box-holder:not([hidden]), main:not(:has(#box-holder:not([hidden]))) #hand-box"
        place = self.page.locator(shown) if name == "box" else self.place(name)
        x, y = place.evaluate(SETTLED)  # a click must not land beside the place
        return x, y

    def press_place(self, name: str) -> None:
        """Lift what stands on a place and put it back there."""
        x, y = self.middle(name)
        for _ in range(2):
            self.page.mouse.click(x, y)
            self.page.wait_for_timeout(300)  # not in haste: that might be a knock

    def click(self, name: str) -> None:
        self.page.mouse.click(*self.middle(name))

    def soon(self, condition: str, argument: Any) -> None:
        """Wait for what an `expect` asks for afterwards, which looks only a few times a second."""
        with suppress(Error):  # perhaps the page is loaded again
            self.page.evaluate(SOON.replace("CONDITION", condition), argument)

    def says(self, text: str | re.Pattern[str]) -> None:
        if isinstance(text, str):
            self.soon("text => says().includes(text)", text)
        expect(self.page.locator("#says")).to_contain_text(text)

    def has_moves(self, *moves: str) -> None:
        self.soon(MOVES, list(moves))
        expect(self.page.locator("#plies .move")).to_have_text(list(moves))

    def say(self, move: str) -> None:
        """Write a move in notation, and let hands make it, or on a real board report it."""
        if not self.page.locator("#say").is_visible():
            self.keys("/")
        self.page.locator("#command-text").fill(move)
        self.keys("Enter")

    def name(self, move: str) -> None:
        """Say that a move was played."""
        self.keys("/")
        self.page.locator("#command-text").fill(move)
        self.page.locator("#played").click()

    def go(self, view: str) -> None:
        """Show another view of the page."""
        self.page.evaluate("view => { location.hash = `#/${view}`; }", view)
        expect(self.page.locator(f'[data-view="{view or "home"}"]')).to_be_visible()

    def seat(self, number: int) -> Locator:
        """Open what the cog of a strip opens."""
        dialog = self.page.locator("#seat")
        if dialog.is_visible():
            self.keys("Escape")
        self.page.locator(f'[data-key="cog {number}"]').click()
        expect(dialog).to_be_visible()
        return dialog

    def more(self) -> Locator:
        """Open the menu of acts."""
        self.page.locator("#more").click()
        menu = self.page.locator("#more-menu")
        expect(menu).to_be_visible()
        return menu

    def settings(self) -> Locator:
        """Open the settings."""
        self.page.locator("#settings-open").click()
        dialog = self.page.locator("#settings")
        expect(dialog).to_be_visible()
        return dialog

    def speak(self, language: str) -> None:
        """Choose a language, whatever is open."""
        self.page.locator("#language").evaluate(
            "(all, to) => { all.value = to; all.dispatchEvent(new Event('change')); }", language
        )
        expect(self.page.locator("html")).to_have_attribute("lang", language)

    def keys(self, *names: str) -> None:
        for name in names:
            self.page.keyboard.press(name)


@pytest.fixture
def table(context: BrowserContext, board: Running) -> Iterator[Table]:
    table = Table(context, board)
    yield table
    assert table.errors == []


def clean(page: Page, part: str | None = None) -> None:
    """Find nothing that keeps anybody from using the page, or a part of it."""
    there = page.evaluate("'axe' in window")
    result: Any = (Axe("") if there else Axe()).run(page, part)
    assert result.response["violations"] == [], result.generate_report()
