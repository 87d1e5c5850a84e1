"""Take the pictures of the docs again: `python docs/screenshots.py [NAME …]`.

Each picture is the page of a simulated board in a headless Chromium, in the middle of a game or of
a calibration. Everything in it is real: sensors are read, and lights are sent and received.

`python docs/screenshots.py --screens DIR [NAME …]` takes the screens of the page into a directory,
each in the dark and in the light room, to look at them side by side after a change.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

HERE = Path(__file__).parent
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
PHONE = (390, 844)
LAPTOP = (1280, 800)


@dataclass(frozen=True)
class Picture:
    """A game with some moves made, and a piece in the hand."""

    game: str
    """Empty for the calibration of a board."""
    layout: str
    moves: tuple[str, ...] = ()
    lift: str = ""
    over: str = ""
    """The place over which the hand holds the piece."""
    page: bool = False
    """Whether the picture shows the whole page, not only the board."""
    size: tuple[int, int] = LAPTOP
    names: tuple[str, ...] = ("Ania", "Ola")
    """The players, by seat."""
    view: str = "play"
    keys: str = ""
    """What is typed at the end, as for `Page.press`, with spaces between the keys."""
    clicks: tuple[str, ...] = ()
    """What is clicked in the view, by selectors."""


DUEL = ("C4C3", "A1A2", "B3B2", "A2B2", "C3C2", "C*A2")
OPENING = ("7g7f", "3c3d", "2g2f", "8c8d", "2f2e", "8d8e", "2e2d", "2c2d")
MARBLES = ("a1b2", "g7f7", "b2c3", "g5f5", "c3d4", "h4g4", "d4e5", "h9g9")
FOUR = ("Ania", "Tomek", "", "Ola")

PICTURES = {
    "home": Picture("robot-duel", "square-reed", view="", page=True, size=(1230, 720)),
    "board": Picture("robot-duel", "square-reed", DUEL, lift="C2", over="C3", page=True),
    "shogi": Picture("shogi", "square-hall", OPENING, lift="2h", over="2f", size=(1300, 900)),
    "abalone": Picture("abalone", "hex-reed", MARBLES, lift="e5", over="e4", size=(1300, 900)),
    "calibrate": Picture("", "square-reed", page=True),
}

CHATURAJI = ('.game-card:has([value="chaturaji"])', "#home-how")
TAKES = ("7g7f", "3c3d", "8h2b?")
SCREENS = {
    "1-home": Picture("robot-duel", "square-reed", view=""),
    "1-home-phone": Picture("robot-duel", "square-reed", view="", size=PHONE),
    "2-play": Picture("robot-duel", "square-reed", DUEL, lift="C2", over="C3"),
    "2-play-rest": Picture("robot-duel", "square-reed", DUEL),
    "3-shogi": Picture("shogi", "square-reed", TAKES),
    "4-phone": Picture("robot-duel", "square-reed", DUEL, lift="C2", over="C3", size=PHONE),
    "4-phone-shogi": Picture("shogi", "square-hall", OPENING, lift="2h", over="2f", size=PHONE),
    "4-phone-abalone": Picture("abalone", "hex-reed", MARBLES, lift="e5", over="e4", size=PHONE),
    "5-chaturaji": Picture("chaturaji", "square-reed", names=FOUR),
    "5-chaturaji-thrown": Picture("chaturaji", "square-reed", names=FOUR, keys="5"),
    "5-chaturaji-phone": Picture("chaturaji", "square-reed", names=FOUR, size=PHONE),
    "6-over": Picture("robot-duel", "square-reed", (*DUEL, "resign")),
    "6-over-phone": Picture("robot-duel", "square-reed", (*DUEL, "resign"), size=PHONE),
    "7-review": Picture("robot-duel", "square-reed", DUEL, keys="["),
    "8-games": Picture("robot-duel", "square-reed", DUEL, view="games"),
    "9-options": Picture("robot-duel", "square-reed", view="", names=FOUR, clicks=CHATURAJI),
    "9-options-phone": Picture("robot-duel", "square-reed", view="", size=PHONE, clicks=CHATURAJI),
    "10-landscape": Picture("robot-duel", "square-reed", DUEL, "C2", "C3", size=(844, 390)),
    "12-set-up": Picture("robot-duel", "square-reed", ("C4>A3",)),
    "13-robotory": Picture("robotory", "hex-hall", lift="d3", over="d4"),
    "learn": Picture("robot-duel", "square-reed", view="learn"),
    "builders": Picture("robot-duel", "square-reed", view="builders"),
}
"""The screens of the page. A move with `?` is made by hands and asked about; `C4>A3` is no move."""

SIMULATED = "7"
"""The seed of a simulated board whose lights have the order of colours in its layout."""


@contextmanager
def board(game: str, layout: str, names: Sequence[str] = ()) -> Iterator[str]:
    """Run a simulated board on a free port; yield the address of its page."""
    with tempfile.TemporaryDirectory() as state:
        if game:
            (Path(state) / "players.json").write_text(json.dumps(list(names)), encoding="utf-8")
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


def take(picture: Picture, page: Page) -> None:
    """Play up to the moment of the picture."""
    page.locator("[data-piece]").first.wait_for(state="attached")
    made = 0
    for move in picture.moves:
        if move == "resign":
            page.locator("#more").click()
            page.locator("#claims .claim").first.click()
            page.locator("#confirm-yes").click()
        elif ">" in move or "?" in move:
            _carry(page, *(move.split(">") if ">" in move else (move[:2], move[2:4])))
        else:
            made += 1
            page.keyboard.press("/")
            page.fill("#command-text", move)
            page.keyboard.press("Enter")
            expect(page.locator("#say")).to_be_hidden()
            page.wait_for_timeout(700)  # the hands go back, and the board may revise the move
            expect(page.locator("#plies .move")).to_have_text(list(picture.moves[:made]))
    page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
    if picture.lift:
        page.mouse.move(*_point(page, picture.lift))
        page.mouse.down()
        page.mouse.move(*_point(page, picture.over, aside=0.2), steps=4)
        expect(page.locator("#hand")).to_be_visible()
    for key in picture.keys.split():
        page.keyboard.press(key)
    if picture.view != "play":
        page.evaluate("view => { location.hash = `#/${view}`; }", picture.view)
    for selector in picture.clicks:
        page.locator(selector).click()
    page.wait_for_timeout(1200)


def _carry(page: Page, start: str, end: str) -> None:
    """Carry a piece; what stands at the end goes into its tray."""
    taken = page.locator(f'[data-name="{end}"]').last.get_attribute("aria-label") or ""
    if " of " in taken:
        _drag(page, end, "hand.sente.B")
    _drag(page, start, end)
    page.wait_for_timeout(1500)


def _drag(page: Page, start: str, end: str) -> None:
    page.mouse.move(*_point(page, start))
    page.mouse.down()
    page.mouse.move(*_point(page, end), steps=4)
    page.mouse.up()
    page.wait_for_timeout(500)


def calibrate(page: Page) -> None:
    """Answer until the page asks for the first magnet."""
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


def _point(page: Page, name: str, aside: float = 0.0) -> tuple[float, float]:
    """Return the middle of a place of the game, moved right and up by a share of its size."""
    box = page.locator(f'[data-name="{name}"]').last.bounding_box()
    assert box is not None
    return box["x"] + box["width"] * (0.5 + aside), box["y"] + box["height"] * (0.5 - aside)


def photograph(chromium: Browser, name: str, picture: Picture, file: Path, both: bool) -> None:
    """Take one picture into a file, or two, in the dark and in the light room."""
    width, height = picture.size
    with board(picture.game, picture.layout, picture.names) as url:
        context = chromium.new_context(
            viewport={"width": width, "height": height},
            locale="en-GB",
            reduced_motion="reduce",
            color_scheme="dark",
        )
        context.set_default_timeout(30_000)
        page = context.new_page()
        page.add_init_script("localStorage.setItem('tour', 'seen')")
        page.goto(url + ("#/play" if picture.game else ""))
        if picture.game:
            take(picture, page)
        else:
            calibrate(page)
        shown = page if picture.page or both else page.locator("#board")
        shown.screenshot(path=file)
        if both:
            page.emulate_media(color_scheme="light", reduced_motion="reduce")
            page.wait_for_timeout(200)
            page.screenshot(path=file.with_stem(f"{name}-light"))
        context.close()
    print(f"{file.name} {file.stat().st_size // 1000} kB")


def main(arguments: list[str]) -> int:
    """Take the named pictures, or all."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        print("No Chromium here: sudo apt-get install chromium", file=sys.stderr)
        return 1
    screens = arguments[:1] == ["--screens"]
    target = Path(arguments[1]) if screens else HERE
    pictures = SCREENS if screens else PICTURES
    target.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=browser, args=["--no-sandbox", "--disable-gpu"]
        )
        for name in arguments[2 if screens else 0 :] or pictures:
            photograph(chromium, name, pictures[name], target / f"{name}.png", screens)
        chromium.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
