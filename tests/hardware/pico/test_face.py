"""What a display on a Pico shows of the times that it is sent."""

from __future__ import annotations

import pytest

from drivers.coprocessor import Show, SideTime, encode
from hardware.pico.face import DARK, LOST_MS, TICKS, Face, digits
from hardware.pico.protocol import DISPLAY, Device


def shown(show: Show, now: int) -> Face:
    """A face that was shown this at that time."""
    face = Face()
    device = Device(DISPLAY, 4, "demo", bytes, lambda body: face.show(body, now))
    device.receive(encode(show, 0))
    return face


FIVE_MINUTES = (SideTime(300_000), SideTime(299_000))


def test_only_the_side_that_runs_loses_time_also_when_the_ticks_start_again() -> None:
    begun = TICKS - 500
    face = shown(Show(2, False, FIVE_MINUTES), begun)
    assert face.left(begun + 200) == [300_000, 298_800]
    assert face.left((begun + 2999) & TICKS) == [300_000, 296_001]


def test_no_time_runs_below_0() -> None:
    assert shown(Show(1, False, (SideTime(40), SideTime(50))), 0).left(2000) == [0, 50]


@pytest.mark.parametrize("show", [Show(1, False, FIVE_MINUTES), Show(0, True, FIVE_MINUTES)])
def test_a_face_that_hears_no_more_goes_dark_and_stays_so(show: Show) -> None:
    face = shown(show, 1000)
    assert face.left(1000 + LOST_MS - 1) != []
    assert face.left(1000 + LOST_MS) == []
    assert face.texts(TICKS + 1500, 2) == [DARK, DARK]


def test_a_show_without_sides_makes_it_dark() -> None:
    face = shown(Show(1, False, FIVE_MINUTES), 0)
    face.show(b"", 10)
    assert (face.left(10), face.running, face.texts(10, 2)) == ([], 0, [DARK, DARK])


@pytest.mark.parametrize("body", [b"\x81", b"\x81" * 7, b"\x81\x80\x80\x80\x80\x03"])
def test_a_body_with_a_wrong_form_is_ignored(body: bytes) -> None:
    face = shown(Show(1, False, FIVE_MINUTES), 0)
    face.show(body, 500)
    assert face.left(1000) == [299_000, 299_000]


def test_the_colon_of_the_side_that_runs_blinks() -> None:
    face = shown(Show(1, False, FIVE_MINUTES), 0)
    assert face.texts(0, 2) == [(" 500", True), (" 459", True)]
    assert face.texts(500, 2) == [(" 459", False), (" 459", True)]
    assert face.texts(1000, 2) == [(" 459", True), (" 459", True)]


def test_all_digits_blink_while_the_clock_is_paused_and_stand_still_while_it_stands() -> None:
    paused = shown(Show(0, True, FIVE_MINUTES), 0)
    assert paused.texts(400, 2) == [(" 500", True), (" 459", True)]
    assert paused.texts(600, 2) == [DARK, DARK]
    stands = shown(Show(0, False, FIVE_MINUTES), 0)
    assert stands.texts(400, 2) == stands.texts(600, 2) == [(" 500", True), (" 459", True)]


def test_panels_that_no_side_uses_are_dark() -> None:
    face = shown(Show(0, False, FIVE_MINUTES), 0)
    assert face.texts(0, 4) == [(" 500", True), (" 459", True), DARK, DARK]


@pytest.mark.parametrize(
    ("left_ms", "later", "text"),
    [
        (0, 0, (" 000", True)),
        (59_999, 0, (" 059", True)),
        (5_999_999, 0, ("9959", True)),
        (6_000_000, 0, (" 100", False)),
        (86_400_000, 0, ("1440", False)),
        (60_000, 3, (" 100", True)),
        (59_999, 3, ("3 59", False)),
        (1_000, 20, ("9 01", False)),
    ],
)
def test_four_digits_show_a_time(left_ms: int, later: int, text: tuple[str, bool]) -> None:
    assert digits(left_ms, later) == text
