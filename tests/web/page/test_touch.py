"""Fingers at the page: one drags a piece or scrolls, two zoom, none takes another's piece."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.support.browser import IN_A_BROWSER, Running, Table, box_of
from tests.support.sampling import a_few

pytestmark = IN_A_BROWSER

Point = tuple[float, float]


@pytest.fixture
def context(window: Callable[..., BrowserContext]) -> BrowserContext:
    return window(390, 844, has_touch=True, is_mobile=True)


class Fingers:
    """Touches on a page's screen, each finger by its number."""

    def __init__(self, table: Table) -> None:
        self.page = table.page
        self._screen = table.page.context.new_cdp_session(table.page)
        self._down: dict[int, Point] = {}

    def down(self, finger: int, at: Point) -> None:
        self._down[finger] = at
        self._tell("touchStart", self._down)

    def move(self, **ways: Point) -> None:
        """Move fingers (`f0`, `f1`) by that distance, all at the same time."""
        for _ in range(8):
            for name, (dx, dy) in ways.items():
                x, y = self._down[int(name[1:])]
                self._down[int(name[1:])] = (x + dx / 8, y + dy / 8)
            self._tell("touchMove", self._down)
            self.page.wait_for_timeout(25)

    def up(self, finger: int) -> None:
        """Lift one finger; the others stay."""
        at = self._down.pop(finger)
        self._tell("touchEnd", {finger: at} if self._down else {})

    def cancel(self) -> None:
        """Let the browser take all touches away."""
        self._down.clear()
        self._tell("touchCancel", {})

    def _tell(self, kind: str, fingers: dict[int, Point]) -> None:
        points = [{"x": x, "y": y, "id": finger} for finger, (x, y) in fingers.items()]
        self._screen.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        self.page.wait_for_timeout(40)

    def zoom(self) -> float:
        return float(self.page.evaluate("visualViewport.scale"))

    def scrolled(self) -> float:
        return float(self.page.evaluate("scrollY"))


@pytest.fixture
def fingers(table: Table) -> Fingers:
    return Fingers(table)


def way(table: Table, start: str, end: str) -> Point:
    (x, y), (u, v) = table.middle(start), table.middle(end)
    return u - x, v - y


def pieces(board: Running) -> dict[str, tuple[str, str]]:
    """Return the pieces that lie somewhere, without those in a hand."""
    return board.ask(
        lambda host: {
            host.table.name(piece.place): (piece.kind, piece.owner)
            for piece in host.table.pieces
            if piece.place
        }
    )


def low(table: Table) -> None:
    """Make the screen so low that the page scrolls."""
    table.page.set_viewport_size({"width": 390, "height": 440})
    table.page.wait_for_timeout(200)


def in_hand(table: Table, piece: str) -> None:
    expect(table.page.locator("#hand")).to_be_visible()
    expect(table.page.locator("#hand")).to_have_text(f"In your hand: {piece}")


@pytest.mark.parametrize("second", a_few(["B1", "A2"]), ids=["the enemy lion", "an empty cell"])
def test_a_second_finger_takes_nothing(
    table: Table, board: Running, fingers: Fingers, second: str
) -> None:
    start = pieces(board)
    (dx, dy), tapped = way(table, "C4", "C3"), table.middle(second)
    fingers.down(0, table.middle("C4"))
    fingers.move(f0=(dx / 2, dy / 2))
    in_hand(table, "giraffe of A")
    fingers.down(1, tapped)
    fingers.up(1)
    table.page.wait_for_timeout(300)
    in_hand(table, "giraffe of A")
    fingers.move(f0=(dx / 2, dy / 2))
    fingers.up(0)
    table.has_moves("C4C3")
    del start["C4"]
    assert pieces(board) == start | {"C3": ("G", "A")}


def test_what_is_no_move_leaves_every_piece_where_it_was(
    table: Table, board: Running, fingers: Fingers
) -> None:
    start = pieces(board)
    hand, at = table.page.locator("#hand"), table.middle("C4")
    # A finger touches a piece while another one rests.
    fingers.down(0, table.middle("A2"))
    fingers.down(1, at)
    fingers.up(1)
    fingers.up(0)
    table.page.wait_for_timeout(300)
    expect(hand).to_be_hidden()
    assert pieces(board) == start
    # The browser takes a touch away.
    fingers.down(0, at)
    fingers.move(f0=(-30, -40))
    in_hand(table, "giraffe of A")
    fingers.cancel()
    expect(hand).to_be_hidden()
    assert pieces(board) == start
    # The board loses the pointer.
    (x, y), mouse = at, table.page.mouse
    mouse.move(x, y)
    mouse.down()
    mouse.move(x - 20, y - 40, steps=4)
    in_hand(table, "giraffe of A")
    table.page.evaluate("document.getElementById('board').releasePointerCapture(1)")
    mouse.move(x - 20, y - 45)
    expect(hand).to_be_hidden()
    mouse.up()
    assert pieces(board) == start
    # A drag becomes a zoom.
    second = table.middle("A2")
    fingers.down(0, at)
    fingers.move(f0=(-30, -40))
    in_hand(table, "giraffe of A")
    fingers.down(1, second)
    fingers.move(f0=(30, 60), f1=(-20, -60))
    assert fingers.zoom() > 1
    expect(hand).to_be_hidden()
    fingers.up(1)
    fingers.up(0)
    table.page.wait_for_timeout(300)
    assert pieces(board) == start
    table.has_moves()


def test_two_fingers_zoom_and_a_piece_under_them_stays(
    table: Table, board: Running, fingers: Fingers
) -> None:
    start = pieces(board)
    first, second = table.middle("C4"), table.middle("A2")
    fingers.down(0, first)
    fingers.down(1, second)
    fingers.move(f0=(20, 40), f1=(-20, -60))
    assert fingers.zoom() > 1
    fingers.up(0)
    fingers.up(1)
    expect(table.page.locator("#hand")).to_be_hidden()
    assert pieces(board) == start


def test_a_swipe_scrolls_unless_it_begins_on_a_piece_also_with_one_in_the_hand(
    table: Table, board: Running, fingers: Fingers
) -> None:
    low(table)
    frame = box_of(table.page.locator("#board"))
    x, y = table.middle("A3")
    trays_edge = (frame["x"] + frame["width"] / 2, frame["y"] + frame["height"] - 2)
    beside = (8.0, y)
    for at in ((x, y), trays_edge, beside):
        fingers.down(0, at)
        fingers.move(f0=(0, -200))
        fingers.up(0)
        assert fingers.scrolled() > 100
        table.page.evaluate("scrollTo(0, 0)")
    table.has_moves()
    fingers.down(0, table.middle("C4"))
    fingers.move(f0=way(table, "C4", "C3"))
    fingers.up(0)
    table.has_moves("C4C3")
    assert fingers.scrolled() == 0

    fingers.down(0, table.middle("A1"))
    fingers.up(0)
    in_hand(table, "giraffe of B")
    fingers.down(0, table.middle("A3"))
    fingers.move(f0=(0, -200))
    fingers.up(0)
    assert fingers.scrolled() > 100
    in_hand(table, "giraffe of B")


@pytest.mark.deep
def test_a_drag_that_begins_before_the_last_one_is_answered(
    table: Table, board: Running, fingers: Fingers
) -> None:
    start = pieces(board)
    hand = table.page.locator("#hand")
    first, second = table.middle("C4"), table.middle("A4")
    fingers.down(0, first)
    fingers.move(f0=way(table, "C4", "C3"))
    in_hand(table, "giraffe of A")
    busy, free = threading.Event(), threading.Event()

    def keep_busy(_: object) -> None:
        busy.set()
        assert free.wait(20)

    with ThreadPoolExecutor() as other:
        asked = other.submit(board.ask, keep_busy)
        assert busy.wait(20)
        fingers.up(0)
        fingers.down(0, second)
        fingers.move(f0=way(table, "A4", "A3"))
        in_hand(table, "giraffe of A")
        free.set()
        asked.result()
    in_hand(table, "elephant of A")
    fingers.up(0)
    expect(hand).to_be_hidden()
    del start["C4"], start["A4"]
    assert pieces(board) == start | {"C3": ("G", "A"), "A3": ("E", "A")}


def test_a_finger_that_rests_on_a_piece_does_not_turn_it_over(
    table: Table, fingers: Fingers
) -> None:
    """Browsers then ask for a menu, as for the right mouse button, which turns pieces over."""
    x, y = table.middle("B3")
    menu = """([x, y]) => document.elementFromPoint(x, y).dispatchEvent(
        new MouseEvent("contextmenu", {clientX: x, clientY: y, bubbles: true, cancelable: true}))"""
    fingers.down(0, (x, y))
    assert table.page.evaluate(menu, [x, y]) is False, "no menu of the browser's either"
    fingers.move(f0=way(table, "B3", "A3"))
    fingers.move(f0=way(table, "A3", "B3"))
    fingers.up(0)
    expect(table.page.locator("#hand")).to_be_hidden()
    expect(table.place("B3")).to_have_attribute("aria-label", re.compile("chick of A"))
    table.page.evaluate(menu, [x, y])
    expect(table.place("B3")).to_have_attribute("aria-label", re.compile("hen of A"))


def test_a_piece_dropped_on_the_button_of_the_box_lies_in_it(
    table: Table, board: Running, fingers: Fingers
) -> None:
    x, y = table.middle("C4")
    fingers.down(0, (x, y))
    fingers.move(f0=(-20, 0))
    button = table.page.locator("#hand-box")
    expect(button).to_be_visible()
    at = box_of(button)
    fingers.move(f0=(at["x"] + at["width"] / 2 - x + 20, at["y"] + at["height"] / 2 - y))
    fingers.up(0)
    expect(table.page.locator("#box")).to_contain_text("giraffe of A")
