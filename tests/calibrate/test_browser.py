"""A board is calibrated in a real headless Chromium, by a person who sees only the page."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from firmware_host.calibrate import progress
from firmware_host.calibrate.page import Guide, create_app
from firmware_host.calibrate.procedure import calibrate
from firmware_host.calibrate.progress import Progress
from firmware_host.doctor.asking import Asking
from firmware_host.web.listener import serve_app
from hardware import layout
from tests.support.browser import IN_A_BROWSER, clean
from tests.support.real_board import SOON
from tests.support.small_board import TEXT
from tests.support.workshop import Workshop, same

pytestmark = IN_A_BROWSER


@contextmanager
def guided(workshop: Workshop, state: Path) -> Iterator[tuple[Guide, str]]:
    """Run a calibration in a thread of its own; yield its guide and the address of its page."""
    mark = progress.fingerprint(workshop.believed)

    def begin() -> Asking[int]:
        return calibrate(workshop.bench, workshop.text, state, mark)

    guide = Guide(begin, workshop.believed, workshop.wires.board)
    up, found = threading.Event(), []

    async def serve() -> None:
        found.append(asyncio.get_running_loop())

        def ready(url: str) -> None:
            found.append(url)
            up.set()

        serving = asyncio.create_task(
            serve_app(lambda names: create_app(guide, names), 0, None, ready)
        )
        leading = asyncio.create_task(guide.lead())
        found.append(leading)
        await asyncio.gather(leading, return_exceptions=True)
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    assert up.wait(SOON)
    loop, leading, url = found
    try:
        yield guide, url
    finally:
        with suppress(RuntimeError):  # it is over
            loop.call_soon_threadsafe(leading.cancel)
        thread.join(SOON)
        assert not thread.is_alive()


class Builder:
    """A person with a phone who reads the page and touches it."""

    def __init__(self, context: BrowserContext, url: str, query: str = "") -> None:
        self.page: Page = context.new_page()
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.goto(url + query, timeout=30_000)
        expect(self.page.locator("#answers button").first).to_be_enabled()

    def asks(self, text: str | re.Pattern[str]) -> None:
        expect(self.page.locator("#says p").first).to_have_text(text)

    def answer(self, text: str) -> None:
        button = self.page.locator("#answers").get_by_role("button", name=text, exact=True)
        expect(button).to_be_enabled()
        rev = self.page.evaluate("document.body.dataset.rev")
        button.click()
        expect(self.page.locator("body")).not_to_have_attribute("data-rev", rev)

    def place(self, name: str) -> Locator:
        return self.page.locator(f'[data-place="{name}"]')

    def touch(self, name: str) -> None:
        expect(self.page.locator("#answers button").first).to_be_enabled()
        rev = self.page.evaluate("document.body.dataset.rev")
        box = self.place(name).bounding_box()
        assert box is not None
        self.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        expect(self.page.locator("body")).not_to_have_attribute("data-rev", rev)

    def lit(self) -> list[str]:
        """Return the places that a screen reader announces as lit."""
        expect(self.page.locator("#answers button").first).to_be_enabled()  # the light has come
        labels = "all => all.map(each => each.getAttribute('aria-label'))"
        told = self.page.locator("[data-place]").evaluate_all(labels)
        return [label.partition(",")[0] for label in told if ", lit" in label]


@pytest.mark.deep
def test_the_first_steps_are_made_by_what_the_page_shows(
    context: BrowserContext, tmp_path: Path
) -> None:
    workshop = Workshop("", text=TEXT)
    mark = progress.fingerprint(workshop.believed)
    progress.save(tmp_path, Progress(mark, order=workshop.truth.led_order))  # the lights are known
    with guided(workshop, tmp_path) as (_, url):
        builder = Builder(context, url)
        builder.asks("Take everything off the board, and answer.")
        builder.answer("done")
        builder.asks("One light is on. At which place?")
        builder.touch(*builder.lit())
        while (places := builder.lit()) and builder.page.locator("#naming").is_visible():
            builder.page.locator("#named").select_option(places)
            rev = builder.page.evaluate("document.body.dataset.rev")
            builder.page.locator("#naming button").click()
            expect(builder.page.locator("body")).not_to_have_attribute("data-rev", rev)
        builder.asks(re.compile("1 of 18: put a magnet onto A4"))
        builder.place("A4").focus()  # and by keyboard
        builder.page.keyboard.press("Enter")
        builder.asks("Take it off again.")
        expect(builder.page.locator(".magnet")).to_have_count(1)
        assert "a magnet lies there" in str(builder.place("A4").get_attribute("aria-label"))
        builder.page.locator("#language").select_option("fr")
        expect(builder.page.locator("#says p").first).not_to_have_text("Take it off again.")
        assert builder.page.evaluate("document.documentElement.lang") == "fr"
        assert builder.errors == []
        known = progress.read(tmp_path, mark)
        assert known is not None
        assert len(known.lights) >= 3


@pytest.mark.deep
def test_the_page_is_for_all(context: BrowserContext, tmp_path: Path) -> None:
    workshop = Workshop("square-reed", None)
    with guided(workshop, tmp_path) as (_, url):
        for language in ("en", "pl", "cs", "fr"):
            builder = Builder(context, url, f"?lang={language}")
            for width, height in ((390, 844), (1280, 900)):
                builder.page.set_viewport_size({"width": width, "height": height})
                clean(builder.page)
                scrolls = "document.documentElement.scrollWidth > innerWidth"
                assert not builder.page.evaluate(scrolls)
                for box in builder.page.locator("#answers button").all():
                    size = box.bounding_box()
                    assert size is not None
                    assert size["height"] >= 64


@pytest.mark.deep
@pytest.mark.parametrize(("name", "seed"), [("small", 4), ("hex-reed", 2)])
def test_a_whole_board_is_calibrated_by_the_page(
    name: str, seed: int, context: BrowserContext, tmp_path: Path
) -> None:
    workshop = Workshop(name, seed, text=TEXT if name == "small" else "")
    colours = ("red", "green", "blue")
    with guided(workshop, tmp_path) as (guide, url):
        builder = Builder(context, url)
        says = builder.page.locator("#says p").first
        while "This is what was found" not in (asked := says.inner_text()):
            if "What do you see" in asked:
                levels = workshop.wires.strip.pixels[0]
                builder.answer(colours[levels.index(max(levels))])
            elif "At which place" in asked:
                builder.touch(builder.lit()[0])
            elif put := re.search(r"magnet (?:onto|into) ([\w.]*\w)", asked):
                if builder.lit() == [put[1]] or "light is dark" in asked:
                    builder.touch(put[1])
                else:
                    builder.answer("another place is lit, or none")
            elif "Take it off" in asked:
                builder.touch(next(iter(workshop.wires.board.save())))
            elif alone := re.match(r"Only (\S+) should be lit", asked):
                builder.answer("Yes" if builder.lit() == [alone[1]] else "No")
            elif "Take everything off" in asked:
                builder.answer("done")
            else:
                builder.answer("Yes")
        expect(builder.page.locator("#says")).to_contain_text("Nothing wrong was found.")
        builder.page.locator("#answers button").click()
        expect(builder.page.locator("#answers button")).to_have_count(0)
        expect(builder.page.locator("#says")).to_contain_text("The layout of this board")
        expect(builder.page.locator("#lost")).to_be_hidden()
        assert builder.errors == []
        assert guide.code == 0
    made = layout.load(tmp_path / f"{workshop.believed.name}.toml")
    assert same(made, workshop.truth)
