"""Measure the page in a headless Chromium, over a real `lampion sim`.

Weight, time until it can be used, frames in a drag and while the machine thinks, processor time of
an idle page, what moves by itself during a match, and clicks for what people do most. All clicks
and drags are the mouse's. Without a Chromium or Playwright it is skipped.
"""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from math import cos, sin
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, CDPSession, Locator, Page, expect, sync_playwright

from hardware.layout import load
from tests.support.program import Program

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run")
LAPTOP = (1280, 800)
KB = 1000
LOADS = 9
"""The page is loaded this number of times; the median counts."""
AFTER_MS = 250
"""What a page loads once it can be used is there by then."""
IDLE_S = 10.0
DRAG_S = 3.0
PLACES = load("square-reed").game("robot-duel").places
DUEL = ("B3B2", "B1B2", "C4C3", "A1A2", "C3C2", "B2B3", "A4B3")
"""A takes the lion of B."""

VISITED = "try { localStorage.setItem('tour', 'seen'); } catch {}"
READY = """
window.ready = new Promise((done) => {
  const filled = (...all) => all.every((each) => document.querySelector(each)?.textContent);
  const drawn = () => document.querySelector("#board [data-piece]") ? filled("#turn")
    : filled("#home-games label:has(:checked)", "#home-rules");
  const look = () => {
    if (drawn()) setTimeout(() => done(performance.now()));
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
});
"""
"""The milliseconds from the start of the navigation until the board or the games were drawn and the
page was free to take a click.
"""
SHIFTS = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput: input, sources } of list.getEntries()) {
    const what = sources.map(({ node }) => node?.id || node?.getAttribute?.("class"));
    window.shifts.push({ value, input, what });
  }
}).observe({ type: "layout-shift", buffered: true });
"""
LIFTED = """() => {
  window.lifted = new Promise((done) => {
    let began = 0;
    const down = () => { began = performance.now(); };
    addEventListener("pointerdown", down, { once: true, capture: true });
    const shown = (_, observer) => {
      observer.disconnect();
      requestAnimationFrame(() => done(performance.now() - began));
    };
    const hand = document.getElementById("hand");
    new MutationObserver(shown).observe(hand, { attributes: true });
  });
}"""
"""The milliseconds from a press of the mouse until the page shows the piece in the hand."""
FRAMES = """() => {
  window.frames_at = [];
  const next = (now) => {
    window.frames_at.push(now);
    window.counting = requestAnimationFrame(next);
  };
  window.counting = requestAnimationFrame(next);
}"""
COUNTED = "() => { cancelAnimationFrame(window.counting); return window.frames_at; }"


@dataclass(frozen=True, slots=True)
class Figure:
    """What was measured, and the bar."""

    what: str
    value: float
    unit: str
    bar: float
    at_least: bool = False
    """Whether more is better."""

    @property
    def holds(self) -> bool:
        """Whether it is within the bar."""
        return self.value >= self.bar if self.at_least else self.value <= self.bar


class Board:
    """A page of the board in play, with the mouse on it."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.clicks = 0
        page.goto(f"{url}#/play")
        page.evaluate("window.ready")
        page.evaluate("document.fonts.ready.then(() => true)")

    def middle(self, target: str | Locator) -> tuple[float, float]:
        """Return the middle of a place of Robot Duel, or of an element in sight."""
        place = f'#board [data-place="{PLACES.get(str(target))}"]'
        found = self.page.locator(place) if isinstance(target, str) else target
        expect(found).to_be_visible()
        box = found.bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def click(self, target: Locator) -> None:
        """Click what is in sight, and count it."""
        expect(target).to_be_in_viewport(ratio=0.9)
        self.page.mouse.click(*self.middle(target))
        self.clicks += 1

    def drag(self, start: str, end: str, into_box: str = "") -> None:
        """Drag a piece; another one that stands there goes into the box."""
        mouse, body = self.page.mouse, self.page.locator("body")
        before = body.get_attribute("data-table")
        mouse.move(*self.middle(start))
        mouse.down()
        mouse.move(*self.middle(end), steps=12)
        mouse.up()
        expect(body).not_to_have_attribute("data-table", before or "")
        if into_box:  # what stood there is in the hand now
            expect(self.page.locator("#hand")).to_contain_text(into_box)
            self.page.keyboard.press("b")
        expect(self.page.locator("#hand")).to_be_hidden()

    def play_duel(self) -> None:
        """Play a short match of Robot Duel to its end; captured pieces go to their trays."""
        captors = {"chick": "C", "giraffe": "G", "elephant": "E"}
        for number, move in enumerate(DUEL, 1):
            start, end = move[:2], move[2:]
            label = self.page.locator(f'#board [data-place="{PLACES[end]}"]')
            taken = label.get_attribute("aria-label") or ""
            kind = next((captors[name] for name in captors if name in taken), "")
            if kind:
                self.drag(end, f"hand.{'AB'[(number + 1) % 2]}.{kind}")
            self.drag(start, end, "lion" if "lion" in taken else "")
            self.plies(number)
        expect(self.page.locator("#card")).to_be_visible()

    def plies(self, count: int) -> None:
        """Wait until that number of moves was read."""
        expect(self.page.locator("#plies .move")).to_have_count(count, timeout=30_000)


def main(arguments: Sequence[str]) -> int:
    """Print all figures beside their bars; 1 if one is not within its bar."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks page", description=__doc__)
    parser.add_argument("--only", default="", choices=[each.__name__ for each in PARTS])
    asked = parser.parse_args(arguments)
    chromium = next(filter(None, map(shutil.which, BROWSERS)), None)
    if chromium is None:
        print("no Chromium here: skipped")
        return 0
    chosen = [each for each in PARTS if asked.only in ("", each.__name__)]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        figures = [figure for part in chosen for figure in _figures(part, browser)]
        browser.close()
    return int(not all(figure.holds for figure in figures))


def _figures(part: Callable[[Browser], Iterator[Figure]], browser: Browser) -> list[Figure]:
    figures = []
    for each in part(browser):
        bar = f"{'>=' if each.at_least else '<='} {each.bar:g}"
        mark = "" if each.holds else "  not within the bar"
        print(f"{each.what:52} {each.value:9.4g} {each.unit:4} {bar}{mark}", flush=True)
        figures.append(each)
    return figures


@contextmanager
def _serving(*arguments: str) -> Iterator[Program]:
    with TemporaryDirectory() as directory:
        state = Path(directory) / "state"
        state.mkdir()
        with Program(state, *arguments) as program:
            yield program


@contextmanager
def _page(browser: Browser, **kind: Any) -> Iterator[Page]:
    context = browser.new_context(
        viewport={"width": LAPTOP[0], "height": LAPTOP[1]}, locale="en-GB", **kind
    )
    for script in (VISITED, READY, SHIFTS):
        context.add_init_script(script)
    try:
        yield context.new_page()
    finally:
        context.close()


# ---- weight and time


def weight(browser: Browser) -> Iterator[Figure]:
    """What the first view loads, as it is served, with the heads of the answers."""
    with _serving() as program:
        for view in ("home", "play"):
            with _page(browser) as page:
                loaded = _Loaded(page)
                page.goto(f"{program.url}#/{view.removeprefix('home')}")
                page.evaluate("window.ready")
                page.wait_for_timeout(1500)
            parts = ", ".join(f"{kind} {size / KB:.0f}" for kind, size in loaded.kinds().items())
            print(f"{view}: {len(loaded.sizes)} requests; kB: {parts}")
            yield Figure(
                f"weight of {view} with its fonts", sum(loaded.sizes.values()) / KB, "kB", 350
            )


class _Loaded:
    """What a page has loaded: the bytes on the wire by request."""

    def __init__(self, page: Page) -> None:
        self.sizes: dict[str, int] = {}
        self._paths: dict[str, str] = {}
        wire = page.context.new_cdp_session(page)
        wire.send("Network.enable")
        wire.on("Network.responseReceived", self._answered)
        wire.on("Network.loadingFinished", self._finished)

    def _answered(self, event: Any) -> None:
        self._paths[event["requestId"]] = urlsplit(event["response"]["url"]).path

    def _finished(self, event: Any) -> None:
        self.sizes[event["requestId"]] = int(event["encodedDataLength"])

    def kinds(self) -> dict[str, int]:
        """Return the bytes by kind of file."""
        found: dict[str, int] = {}
        for number, size in self.sizes.items():
            path = self._paths[number]
            kind = Path(path).suffix.removeprefix(".") or ("html" if path == "/" else "api")
            found[kind] = found.get(kind, 0) + size
        return found


class _Loads:
    """Loads of a page: when it could be used, and how long the page's thread and the program worked
    for it.
    """

    def __init__(self, when: str) -> None:
        self.when = when
        self.ready: list[float] = []
        self._page: list[float] = []
        self._program: list[float] = []

    def note(self, page: Page, program: Program, load: Callable[[], object]) -> None:
        """Load the page once."""
        screen = _watching(page)
        before = program.cpu_seconds
        load()
        self.ready.append(page.evaluate("window.ready"))
        self._page.append(1000 * _busy(screen))  # since the navigation
        page.wait_for_timeout(AFTER_MS)
        self._program.append(1000 * (program.cpu_seconds - before))

    def work(self) -> str:
        """Return the work of a load in words."""
        page, program = median(self._page), sum(self._program) / len(self._program)
        fastest = min(self.ready)
        return (
            f"the page's thread works for {page:.0f} ms, the program for {program:.0f} ms; "
            f"the fastest load took {fastest:.0f} ms"
        )


def _watching(page: Page) -> CDPSession:
    """Return a session that counts the processor time of the page's thread."""
    screen = page.context.new_cdp_session(page)
    screen.send("Performance.enable", {"timeDomain": "threadTicks"})
    return screen


def _busy(screen: CDPSession) -> float:
    """Return the seconds for which the page's thread has worked since the navigation."""
    metrics = screen.send("Performance.getMetrics")["metrics"]
    return float(next(each["value"] for each in metrics if each["name"] == "TaskDuration"))


def start(browser: Browser) -> Iterator[Figure]:
    """How soon a page of a warm server can be used, without and with a cache."""
    with _serving() as program:
        for view in ("home", "play"):
            url = f"{program.url}#/{view.removeprefix('home')}"
            first, again = _Loads("first visit"), _Loads("loaded again")
            for _ in range(LOADS):
                with _page(browser) as page:
                    first.note(page, program, partial(page.goto, url))
                    again.note(page, program, page.reload)
            for each in (first, again):
                print(f"{view}, {each.when}: {each.work()}")
                yield Figure(f"{view} can be used, {each.when}", median(each.ready), "ms", 300)
        with _page(browser) as page:
            board = Board(page, program.url)
            times = []
            for _ in range(LOADS):
                x, y = board.middle("C1")
                page.mouse.move(x, y)
                page.evaluate(LIFTED)
                page.mouse.click(x, y)
                times.append(page.evaluate("window.lifted"))
                page.keyboard.press("Escape")
                expect(page.locator("#hand")).to_be_hidden()
            yield Figure("a click is shown as a lifted piece", median(times), "ms", 100)


# ---- frames


def frames(browser: Browser) -> Iterator[Figure]:
    """Frames per second in a drag, and while the machine thinks."""
    with _serving() as program, _page(browser) as page:
        board = Board(page, program.url)
        (x, y), (u, v) = board.middle("C1"), board.middle("C4")
        page.mouse.move(u, v)
        page.mouse.down()
        page.mouse.move(u, v - 20, steps=3)
        expect(page.locator("#hand")).to_be_visible()
        yield from _frames(page, "a drag", lambda: _circle(page, (x + u) / 2, (y + v) / 2))
        page.mouse.up()
        page.keyboard.press("Escape")
    with _serving("--game", "shogi") as program, _page(browser) as page:
        board = Board(page, program.url)
        page.locator('[data-key="cog 0"]').click()
        page.locator('[data-key="player kind 0"]').select_option("level:strong")
        page.keyboard.press("Escape")
        yield from _frames(page, "while the machine thinks", lambda: page.wait_for_timeout(3000))


def _circle(page: Page, x: float, y: float) -> None:
    """Move the mouse round for three seconds, a hundred times a second or as often as it goes."""
    end, angle = monotonic() + DRAG_S, 0.0
    while (now := monotonic()) < end:
        page.mouse.move(x + 80 * cos(angle), y + 80 * sin(angle))
        angle += 0.1
        sleep(max(0.0, 0.01 - (monotonic() - now)))


def _frames(page: Page, when: str, act: Callable[[], None]) -> Iterator[Figure]:
    screen = _watching(page)
    page.evaluate(FRAMES)
    before = _busy(screen)
    act()
    spent = _busy(screen) - before
    at = page.evaluate(COUNTED)
    gaps = [later - sooner for sooner, later in pairwise(at)]
    rate = 1000 * len(gaps) / (at[-1] - at[0])
    late = sum(gap > 25 for gap in gaps) / len(gaps)
    print(f"{when}: {len(gaps)} frames, {late:.1%} late, {1000 * spent / len(gaps):.1f} ms each")
    yield Figure(f"frames a second, {when}", round(rate), "", 60, at_least=True)


# ---- an idle page


def idle(browser: Browser) -> Iterator[Figure]:
    """The processor time of an idle page, and of the program with it."""
    screen = browser.new_browser_cdp_session()

    def page_seconds() -> float:
        found = screen.send("SystemInfo.getProcessInfo")["processInfo"]
        return float(sum(each["cpuTime"] for each in found))

    for view in ("play", ""):
        with _serving() as program, _page(browser) as page:
            page.goto(f"{program.url}#/{view}")
            page.evaluate("window.ready")
            page.wait_for_timeout(4000)
            ours, before = program.cpu_seconds, page_seconds()
            page.wait_for_timeout(IDLE_S * 1000)
            name = view or "home"
            spent = page_seconds() - before
            yield Figure(f"processor of an idle page, {name}", 100 * spent / IDLE_S, "%", 1)
            share = 100 * (program.cpu_seconds - ours) / IDLE_S
            yield Figure(f"processor of the program with it, {name}", share, "%", 1)


# ---- what moves by itself, and clicks


def shift(browser: Browser) -> Iterator[Figure]:
    """The layout shifts of a match that is played to its end."""
    with _serving() as program, _page(browser) as page:
        board = Board(page, program.url)
        page.wait_for_timeout(500)
        loading = page.evaluate("window.shifts.splice(0)")
        board.play_duel()
        page.wait_for_timeout(500)
        found = page.evaluate("window.shifts")
    for each in [*loading, *found]:
        print(f"  shift {each['value']:.4f} input {each['input']} {each['what']}")
    total = sum(each["value"] for each in loading)
    yield Figure("layout shift while the page loads", round(total, 4), "", 0.01)
    alone = sum(each["value"] for each in found if not each["input"])
    yield Figure("layout shift in a match, by itself", round(alone, 4), "", 0)
    touched = sum(each["value"] for each in found if each["input"])
    yield Figure("layout shift in a match, after a click", round(touched, 4), "", 0)


def clicks(browser: Browser) -> Iterator[Figure]:
    """The clicks for what people do most; nothing is scrolled."""
    with _serving() as program, _page(browser) as page:
        board = Board(page, program.url)
        view = page.locator("body")
        board.play_duel()
        board.clicks = 0
        board.click(page.locator("#card .look"))
        expect(page.locator("#review-turn")).to_contain_text("7")
        page.keyboard.press("ArrowLeft")
        expect(page.locator("#review-turn")).to_contain_text("6")
        yield Figure("clicks: step through a finished game", board.clicks, "", 1)
        page.go_back()
        board.clicks = 0
        board.click(page.locator("#card .again"))
        expect(page.locator("#plies .move")).to_have_count(0)
        yield Figure("clicks: rematch", board.clicks, "", 1)
        board.clicks = 0
        board.click(page.locator('header [data-nav="games"]'))
        board.click(page.get_by_role("link", name="Look at it").first)
        expect(page.locator("#review-turn")).to_contain_text("7")
        yield Figure("clicks: a past game", board.clicks, "", 2)
        page.goto(f"{program.url}#/play")
        board.clicks = 0
        board.click(page.get_by_role("button", name="Choose a clock").first)
        board.click(page.locator('#clock [data-control="10m"]'))
        expect(page.locator("#seats .clock").first).to_contain_text("10:00")
        yield Figure("clicks: a clock", board.clicks, "", 2)
        page.goto(f"{program.url}#/")
        expect(page.locator("#home-rules")).not_to_be_empty()
        board.clicks = 0
        board.click(page.locator('.game-card:has([value="chaturaji"])'))
        board.click(page.locator("#home-alone"))
        board.click(page.locator("#home-how"))
        board.click(page.locator(".preset", has_text="Two dice"))
        board.click(page.locator("#options-play"))
        expect(view).to_have_attribute("data-game", "chaturaji")
        said = "Chaturaji, two dice, three machines"
        yield Figure(f"clicks: {said}", board.clicks, "", 6)


PARTS = (weight, start, frames, idle, shift, clicks)
