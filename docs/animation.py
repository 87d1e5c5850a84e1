"""Take the animation of a move again: `python docs/animation.py`.

Ten seconds of the page of a simulated board: a piece is lifted, the lights show where it may go,
and the board reads the move. Everything in it is real, as in the pictures of `docs/screenshots.py`.
"""

from __future__ import annotations

import io
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright
from screenshots import BROWSERS, DUEL, Picture, _point, board, take

FILE = Path(__file__).with_name("move.webp")
SECONDS = 10.0
FRAMES_A_SECOND = 10
SIZE = (980, 620)
WIDTH = 800
FROM, OVER, TO, TRAY = "C2", "C3", "C1", "hand.A.E"


def hand(page: Page) -> Iterator[None]:
    """Move the hand by one frame after another: the piece is lifted, shown over the board and put
    down where it takes another one, which goes into the tray.
    """
    piece, over, to = _point(page, FROM), _point(page, OVER, aside=0.2), _point(page, TO)
    yield from _glide(page, _point(page, FROM, aside=0.9), piece, 8)
    page.mouse.down()
    yield from _glide(page, piece, over, 10)
    yield from [None] * 16
    yield from _glide(page, over, to, 10)
    page.mouse.up()
    yield from [None] * 10
    tray = _point(page, TRAY)
    yield from _glide(page, to, tray, 12)
    page.mouse.click(*tray)
    while True:
        yield


def _glide(
    page: Page, start: tuple[float, float], end: tuple[float, float], frames: int
) -> Iterator[None]:
    for number in range(1, frames + 1):
        share = number / frames
        share = share * share * (3 - 2 * share)  # hands start and stop gently
        page.mouse.move(*(a + (b - a) * share for a, b in zip(start, end, strict=True)))
        yield


def main() -> int:
    """Write the file."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        print("No Chromium here: sudo apt-get install chromium", file=sys.stderr)
        return 1
    frames: list[Image.Image] = []
    with (
        sync_playwright() as playwright,
        board("robot-duel", "square-reed", ("Ania", "Ola")) as url,
    ):
        chromium = playwright.chromium.launch(
            executable_path=browser, args=["--no-sandbox", "--disable-gpu"]
        )
        page = chromium.new_page(
            viewport={"width": SIZE[0], "height": SIZE[1]}, locale="en-GB", color_scheme="dark"
        )
        page.add_init_script("localStorage.setItem('tour', 'seen')")
        page.goto(url + "#/play")
        take(Picture("robot-duel", "square-reed", DUEL), page)
        motions = hand(page)
        for _ in range(round(SECONDS * FRAMES_A_SECOND)):
            next(motions)
            page.wait_for_timeout(1000 / FRAMES_A_SECOND / 2)
            picture = Image.open(io.BytesIO(page.screenshot()))
            frames.append(picture.convert("RGB").resize((WIDTH, WIDTH * SIZE[1] // SIZE[0])))
        chromium.close()
    first, *others = frames
    first.save(
        FILE,
        save_all=True,
        append_images=others,
        duration=1000 // FRAMES_A_SECOND,
        loop=0,
        quality=60,
        method=6,
    )
    print(f"{FILE.name} {FILE.stat().st_size // 1000} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
