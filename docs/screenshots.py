"""Take the pictures of the docs again: `python docs/screenshots.py [NAME …]`.

Each picture is the page of a simulated board in a headless Chromium, in the middle of a game or of
a calibration. Everything in it is real: sensors are read, and lights are sent and received.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

HERE = Path(__file__).parent
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chromium-headless-shell")


@dataclass(frozen=True)
class Picture:
    """A view of the page; that of the match with some moves made and a piece in the hand."""

    game: str
    """Empty for the calibration of a board."""
    layout: str
    moves: tuple[str, ...] = ()
    lift: str = ""
    over: str = ""
    """The place over which the hand holds the piece."""
    page: bool = False
    """Whether the picture shows the whole page, not only the board."""
    size: tuple[int, int] = (1230, 800)
    view: str = "play"
    """`play`, or `home`: the choice of a game."""


PICTURES = {
    "home": Picture("robot-duel", "square-reed", size=(1230, 720), view="home"),
    "board": Picture(
        "robot-duel",
        "square-reed",
        ("C4C3", "A1A2", "B3B2", "A2B2", "C3C2", "C*A2"),
        lift="C2",
        over="C3",
        page=True,
    ),
    "shogi": Picture(
        "shogi",
        "square-hall",
        ("7g7f", "3c3d", "2g2f", "8c8d", "2f2e", "8d8e", "2e2d", "2c2d"),
        lift="2h",
        over="2f",
        size=(1300, 900),
    ),
    "abalone": Picture(
        "abalone",
        "hex-reed",
        ("a1b2", "g7f7", "b2c3", "g5f5", "c3d4", "h4g4", "d4e5", "h9g9"),
        lift="e5",
        over="e4",
        size=(1300, 900),
    ),
    "calibrate": Picture("", "square-reed", page=True),
}
SIMULATED = "7"
"""The seed of a simulated board whose lights have the order of colours in its layout."""


@contextmanager
def board(game: str, layout: str) -> Iterator[str]:
    """Run a simulated board on a free port; yield the address of its page."""
    with tempfile.TemporaryDirectory() as state:
        play, calibrate = ["sim", "--game", game], ["calibrate", "--page", "--sim", SIMULATED]
        command = [sys.executable, "-m", "firmware_host", *(play if game else calibrate)]
        running = subprocess.Popen(
            [*command, "--port", "0", "--state", state, "--layout", layout],
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            assert running.stdout is not None
            found = re.search(r"http://\S+", running.stdout.readline())
            if found is None:
                raise SystemExit("the simulated board did not start")
            yield found[0]
        finally:
            running.kill()  # its state directory is temporary
            running.wait(10)
            assert running.stdout is not None
            running.stdout.close()


def take(picture: Picture, page: Page, file: Path) -> None:
    """Play up to the moment of the picture and take it."""
    page.evaluate("location.hash = '#/play'")
    page.locator("#board [data-piece]").first.wait_for(state="attached")
    for number, move in enumerate(picture.moves, 1):
        page.keyboard.press("/")
        page.fill("#command-text", move)
        page.keyboard.press("Enter")
        expect(page.locator("#plies .move")).to_have_count(number)
        page.wait_for_timeout(700)  # the hands go back, and the board may revise the move
        expect(page.locator("#plies .move")).to_have_text(list(picture.moves[:number]))
    page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
    page.mouse.click(*_point(page, picture.lift))
    expect(page.locator("#hand")).to_be_visible()
    page.mouse.move(*_point(page, picture.over, aside=0.3), steps=4)
    page.wait_for_timeout(900)
    if picture.page:
        page.screenshot(path=file)
    else:
        page.locator("#board").screenshot(path=file)


def choose(page: Page, file: Path) -> None:
    """Take the picture of the view in which games begin."""
    page.evaluate("location.hash = '#/'")
    expect(page.locator("#home-games .game-card")).to_have_count(6)
    page.wait_for_timeout(900)  # the drawings of the pieces come one game after the other
    page.screenshot(path=file)


def calibrate(page: Page, file: Path) -> None:
    """Answer until the page asks for the first magnet, and take the picture."""
    says, first = page.locator("#says p").first, page.locator("#answers button").first
    while "magnet" not in says.inner_text():
        expect(first).to_be_enabled()
        rev = page.evaluate("document.body.dataset.rev")
        lit = page.locator('[data-place][aria-label*=", lit"]')
        asked = says.inner_text()
        colour = next((each for each in ("red", "green", "blue") if each in asked), "")
        if "place" in asked:
            lit.first.click()
        elif colour:
            page.get_by_role("button", name=colour, exact=True).click()
        else:
            first.click()
        expect(page.locator("body")).not_to_have_attribute("data-rev", rev)
    page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
    page.wait_for_timeout(900)
    page.screenshot(path=file)


def _point(page: Page, name: str, aside: float = 0.0) -> tuple[float, float]:
    """Return the middle of a place of the game, moved right and up by a share of its size."""
    box = page.locator(f'[data-name="{name}"]:not([aria-label^="outside"])').bounding_box()
    assert box is not None
    return box["x"] + box["width"] * (0.5 + aside), box["y"] + box["height"] * (0.5 - aside)


def main(names: list[str]) -> int:
    """Take the named pictures, or all."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        print("No Chromium here: sudo apt-get install chromium", file=sys.stderr)
        return 1
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=browser, args=["--no-sandbox", "--disable-gpu"]
        )
        for name in names or PICTURES:
            picture = PICTURES[name]
            width, height = picture.size
            with board(picture.game, picture.layout) as url:
                context = chromium.new_context(
                    viewport={"width": width, "height": height},
                    locale="en-GB",
                    reduced_motion="reduce",
                )
                context.set_default_timeout(30_000)
                page = context.new_page()
                page.add_init_script("localStorage.setItem('tour', 'seen')")
                page.goto(url)
                if picture.view == "home":
                    choose(page, HERE / f"{name}.png")
                elif picture.game:
                    take(picture, page, HERE / f"{name}.png")
                else:
                    calibrate(page, HERE / f"{name}.png")
                context.close()
            print(f"{name}.png {(HERE / f'{name}.png').stat().st_size // 1000} kB")
        chromium.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
