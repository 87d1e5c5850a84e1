"""Frames in and colours out, on every layout, with every possible failure."""

from __future__ import annotations

import errno
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers import ws2812
from hardware import layout
from hardware.layout import Layout
from hardware.lighting import CEILING_MA, Colour, Lamps, PowerError
from hardware.machine import REFRESH_S, Machine, SensorFrame
from hardware.simulated.board import SimulatedBoard
from hardware.simulated.strip import SimulatedStrip
from tests.support.machines import Bench

WHITE, BLUE, TEAL = (255, 255, 255), (0, 0, 235), (0, 190, 170)
HALL = layout.load("square-hall")


@pytest.fixture(params=layout.NAMES)
def any_bench(request: pytest.FixtureRequest) -> Bench:
    return Bench(request.param)


@pytest.fixture
def reed() -> Bench:
    return Bench("square-reed")


@pytest.fixture
def hall() -> Bench:
    return Bench("square-hall")


# ---- readings


def test_each_place_is_read_as_itself_and_only_itself(any_bench: Bench) -> None:
    for place in (*any_bench.layout.cells, *any_bench.layout.slots):
        any_bench.board.put(place)
        expected = {place: 1} if any_bench.layout.places[place].sensors else {}
        assert any_bench.read().readings == expected
        any_bench.board.lift(place)
    assert any_bench.read().readings == {}


def test_a_full_board_is_read(any_bench: Bench) -> None:
    for place in any_bench.layout.cells:
        any_bench.board.put(place)
    assert any_bench.read().readings == dict.fromkeys(any_bench.layout.cells, 1)


def test_poles_are_read_where_they_can_be(reed: Bench, hall: Bench) -> None:
    for bench, expected in ((reed, 1), (hall, -1)):
        bench.board.put("D4", -1)
        assert bench.read().readings == {"D4": expected}


def test_a_slot_reads_its_filled_pockets(reed: Bench, hall: Bench) -> None:
    for count in range(1, 7):
        for bench in (reed, hall):
            bench.board.put("south.1", -1)
            bench.board.put("south.7")
        assert reed.read().readings == {"south.1": 1, "south.7": 1}
        assert hall.read().readings == {"south.1": min(count, 4), "south.7": min(count, 2)}


def test_a_slot_of_a_presence_board_may_have_pockets_on_two_chips() -> None:
    hexagons = Bench("hex-reed")
    for count in range(1, 6):
        hexagons.board.put("north.2")
        hexagons.board.put("north.3")
        assert hexagons.read().readings == {"north.2": min(count, 4), "north.3": 1}
    for chip in (0x24, 0x25):
        hexagons.board.unplug(chip)
        frame = hexagons.read(later=5.0)
        assert {"north.2", "south.1"} <= frame.blind
        assert ("north.3" in frame.blind) == (chip == 0x24)
        assert not any("/" in place for place in (*frame.blind, *frame.faults[0].places))
        hexagons.board.plug_in(chip)
        assert hexagons.read(later=5.0).readings == {"north.2": 4, "north.3": 1}
    hexagons.board.lift("north.2")  # of five tokens the one on the heap
    hexagons.board.lift("north.2")
    hexagons.board.put("north.2")
    frame = hexagons.read()
    assert (frame.pulsed, frame.readings["north.2"]) == ({"north.2"}, 4)
    for left in (3, 2, 1, 0):
        hexagons.board.lift("north.2")
        assert hexagons.read().readings.get("north.2", 0) == left


def test_unchanged_readings_are_the_same_object(any_bench: Bench) -> None:
    any_bench.board.put(any_bench.layout.cells[0])
    first = any_bench.read().readings
    assert any_bench.read().readings is first
    any_bench.board.put(any_bench.layout.cells[1])
    second = any_bench.read().readings
    assert second is not first
    assert len(first) == 1  # a frame never changes after it was returned


def test_a_frame_costs_what_the_layout_says(any_bench: Bench) -> None:
    any_bench.read()
    before = any_bench.board.bus.transactions
    any_bench.read()
    assert any_bench.board.bus.transactions - before == len(
        list(any_bench.layout.scan_transactions())
    )


def test_a_touch_between_two_frames_is_reported(reed: Bench) -> None:
    reed.board.put("E5")
    reed.read()
    reed.board.lift("E5")
    reed.board.put("E5")
    frame = reed.read()
    assert frame.readings == {"E5": 1}
    assert frame.pulsed == {"E5"}
    assert reed.read().pulsed == frozenset()


@pytest.mark.parametrize("times", [1, 2])
def test_a_press_between_two_frames_is_in_the_next_one(hall: Bench, times: int) -> None:
    hall.read()
    for _ in range(times):
        hall.board.press("yes")  # on a pin of an expander
        hall.board.release("yes")
    assert hall.read().pressed == {"yes"}
    assert hall.read().pressed == frozenset()
    hall.board.press("yes")
    assert hall.read().pressed == {"yes"}
    hall.board.release("yes")
    hall.board.press("yes")
    assert hall.read().pressed == {"yes"}
    hall.board.release("yes")
    assert hall.read().pressed == frozenset()


# ---- chips that fail


def places_of(made: Layout, address: int) -> set[str]:
    chip = next(chip for chip in made.expanders if chip.address == address)
    return set(chip.sensors.values())


def test_two_chips_are_disconnected_and_connected_again(reed: Bench) -> None:
    for place in ("A1", "E5", "I9"):
        reed.board.put(place)
    assert reed.read().readings == {"A1": 1, "E5": 1, "I9": 1}
    reed.board.unplug(0x20)
    reed.board.unplug(0x22)
    frame = reed.read()
    assert frame.readings == {"I9": 1}
    assert frame.blind == places_of(reed.layout, 0x20) | places_of(reed.layout, 0x22)
    assert [fault.address for fault in frame.faults] == [0x20, 0x22]
    assert {fault.kind for fault in frame.faults} == {"silent"}
    assert "0x22 does not answer" in frame.faults[1].text
    assert set(frame.faults[1].places) == places_of(reed.layout, 0x22)
    assert reed.read().faults == frame.faults  # the same fault as long as it lasts
    reed.board.lift("A1")
    reed.board.put("B1")
    reed.board.plug_in(0x20)
    reed.board.plug_in(0x22)
    assert reed.read(later=0.3) == SensorFrame(reed.now, {"B1": 1, "E5": 1, "I9": 1})


@pytest.mark.parametrize("name", layout.NAMES)
def test_a_board_with_nothing_on_it_is_all_blind(name: str) -> None:
    bench = Bench(name)
    for address in bench.board.bus.chips:
        bench.board.unplug(address)
    frame = bench.read()
    assert frame.readings == {}
    assert frame.blind == {place.name for place in bench.layout.places.values() if place.sensors}
    (fault,) = frame.faults  # without its expander all converters of a Hall board are blind
    several = len(bench.layout.expanders) > 1
    assert (fault.kind, fault.address) == ("silent", None if several else 0x27)
    assert set(fault.places) == frame.blind
    bench.board.repair()
    assert bench.read(later=0.3).blind == frozenset()


@pytest.mark.parametrize(
    ("name", "answers"), [("square-reed", 0x20), ("square-reed", 0x26), ("square-hall", 0x27)]
)
def test_each_silent_chip_is_named_as_long_as_one_answers(name: str, answers: int) -> None:
    bench = Bench(name)
    bench.read()
    silent = [each for each in bench.board.bus.chips if each != answers]
    for address in silent:
        bench.board.unplug(address)
    assert [fault.address for fault in bench.read().faults] == silent


def test_one_refused_transfer_is_no_fault(any_bench: Bench) -> None:
    any_bench.board.put(any_bench.layout.cells[0])
    any_bench.read()
    for address in any_bench.board.bus.chips:
        any_bench.board.refuse(address, 1)
        frame = any_bench.read()
        assert (frame.blind, frame.faults) == (frozenset(), ())
        assert frame.readings == {any_bench.layout.cells[0]: 1}


def test_a_silent_chip_is_asked_ever_more_seldom(reed: Bench) -> None:
    reed.read()
    reed.board.unplug(0x20)
    tries = []
    for _ in range(1000):  # ten seconds at 100 frames a second
        before = reed.board.bus.transactions
        reed.read(later=0.01)
        if reed.board.bus.transactions - before > 6:
            tries.append(reed.now)
    assert 5 <= len(tries) <= 9
    assert max(later - sooner for sooner, later in pairwise(tries)) < 2.1


@pytest.mark.parametrize("at_once", [False, True])
def test_a_chip_that_was_reset_is_set_up_before_its_readings_count(
    any_bench: Bench, at_once: bool
) -> None:
    any_bench.board.put(any_bench.layout.cells[0])
    any_bench.read()
    chips = [chip.address for chip in any_bench.layout.expanders]
    for addresses in [chips] if at_once else [[chip] for chip in chips]:
        for address in addresses:
            any_bench.board.reset(address)
        frame = any_bench.read()
        assert frame.readings == {any_bench.layout.cells[0]: 1}
        assert frame.blind == frozenset()
        assert [(each.kind, each.address) for each in frame.faults] == [
            ("reset", address) for address in addresses
        ]
        assert any_bench.read().faults == ()


def test_a_chip_that_cannot_keep_its_settings_is_wrong(reed: Bench) -> None:
    reed.read()

    class Stubborn:
        def write(self, data: Sequence[int]) -> None:
            pass

        def read(self, length: int) -> list[int]:
            return [0] * length

        def power_on(self) -> None:
            pass

    reed.board.bus.chips[0x21] = Stubborn()
    frame = reed.read()
    assert [(fault.kind, fault.address) for fault in frame.faults] == [("wrong", 0x21)]
    assert frame.blind == places_of(reed.layout, 0x21)


def test_select_lines_that_fail_during_a_scan_change_no_reading(hall: Bench) -> None:
    for place in ("A1", "A2", "A3"):  # all of them input 0 of their multiplexers
        hall.board.put(place)
    expected = hall.read().readings
    steps = 0

    def blink(address: int) -> None:
        nonlocal steps
        steps += 1
        if steps == 60:
            hall.board.reset(0x27)

    hall.board.bus.before = blink
    frame = hall.read()
    assert steps > 60
    assert [fault.kind for fault in frame.faults] == ["reset"]
    assert frame.readings == expected
    assert hall.read() == SensorFrame(hall.now, expected)


@pytest.mark.parametrize("name", ["square-reed", "square-hall"])
def test_a_call_that_fails_as_the_chips_answer_again_leaves_no_place_empty(name: str) -> None:
    """The look in which chips answer again may fail at any call: places that it has not read by
    then are blind, not empty.
    """
    for fails in range(1, 40):
        bench = Bench(name)
        bench.board.put("E5")
        assert bench.read().readings == {"E5": 1}
        addresses = [chip.address for chip in bench.layout.expanders]
        for address in addresses:
            bench.board.unplug(address)
        assert "E5" in bench.read().blind
        for address in addresses:
            bench.board.plug_in(address)
        calls = 0

        def fail(address: int, fails: int = fails) -> None:
            nonlocal calls
            calls += 1
            if calls == fails:
                raise OSError(errno.EREMOTEIO, "Remote I/O error")

        bench.board.bus.before = fail
        for _ in range(4):
            frame = bench.read(later=0.3)
            assert "E5" in frame.blind or frame.readings == {"E5": 1}, fails
        assert frame.readings == {"E5": 1}
        assert calls > fails


def test_a_disconnected_converter_blinds_only_its_own_places(hall: Bench) -> None:
    hall.board.put("E5")
    hall.board.put("E9")
    hall.board.put("north.1")
    assert hall.read().readings == {"E5": 1, "E9": 1, "north.1": 1}
    hall.board.unplug(0x49)  # row 9 and pockets of the north tray's first slots
    frame = hall.read()
    assert frame.readings == {"E5": 1}
    assert frame.blind == {f"{column}9" for column in "ABCDEFGHI"} | {"north.1", "north.2"}
    assert [(fault.kind, fault.address) for fault in frame.faults] == [("silent", 0x49)]
    hall.board.lift("E9")
    hall.board.plug_in(0x49)
    assert hall.read(later=0.3) == SensorFrame(hall.now, {"E5": 1, "north.1": 1})


def test_a_hall_sensor_without_power_is_blind_and_named(hall: Bench) -> None:
    hall.board.put("south.1")
    hall.read()
    hall.board.cut_wire("C3")
    hall.board.cut_wire("south.1/2")
    frame = hall.read()
    assert frame.blind == {"C3", "south.1"}
    assert frame.readings == {}
    assert {place for fault in frame.faults for place in fault.places} == {"C3", "south.1"}
    assert "C3" in " ".join(fault.text for fault in frame.faults)
    hall.board.repair()
    assert hall.read() == SensorFrame(hall.now, {"south.1": 1})


def test_a_sensor_with_a_field_of_its_own_needs_its_zero() -> None:
    stray: dict[str, float] = {"E5": 7.0, "south.1/2": -9.0}
    bench = Bench(SimulatedBoard(HALL, stray_mt=stray))
    assert bench.read().readings == {"E5": 1, "south.1": 1}
    counts = bench.machine.hall_counts()
    assert len(counts) == 129
    assert {sensor for sensor, count in counts.items() if count != 128} == set(stray)
    calibrated = Bench(SimulatedBoard(HALL, stray_mt=stray), zeros=counts)
    assert calibrated.read().readings == {}
    calibrated.board.put("E5", -1)
    assert calibrated.read().readings == {"E5": -1}
    with pytest.raises(ValueError, match="no sensor 'K1'"):
        Bench("square-hall", zeros={"K1": 128})


# ---- lights


def test_colours_reach_the_pixels_of_their_places(any_bench: Bench) -> None:
    places = list(any_bench.layout.places.values())
    for place in places[:: max(1, len(places) // 12)]:
        assert any_bench.light({place.name: WHITE})
        lit = {n for n, levels in enumerate(any_bench.board.strip.pixels) if levels != (0, 0, 0)}
        assert lit == set(place.pixels)


def test_words_of_light_at_normal_brightness(reed: Bench) -> None:
    reed.light({"A1": WHITE, "B1": BLUE, "C1": TEAL})
    assert reed.board.strip.pixels[:4] == ((76, 76, 76), (0, 0, 62), (0, 36, 27), (0, 0, 0))
    assert reed.machine.pixels == reed.board.strip.pixels


def test_brightness_can_change(reed: Bench) -> None:
    reed.light({"A1": WHITE})
    reed.machine.brightness = 0.12
    assert reed.light({"A1": WHITE})
    assert reed.board.strip.pixels[0] == (31, 31, 31)
    with pytest.raises(ValueError, match="between 0 and 1"):
        reed.machine.brightness = 1.5


def lit(name: str, old: str, new: str, colours: dict[str, Colour]) -> Sequence[Colour]:
    """Return the pixels of a board whose layout is another one in one word."""
    text = (layout.SHIPPED / f"{name}.toml").read_text("utf-8")
    assert old in text
    bench = Bench(SimulatedBoard(layout.parse(text.replace(old, new), "other.toml")))
    bench.light(colours)
    return bench.board.strip.pixels


def test_a_place_has_its_own_gain() -> None:
    leds = "leds = [[28.7, 4.7]]"
    pixels = lit("square-reed", leds, f"{leds}, gain = 0.7", {"A1": WHITE, "B1": WHITE})
    assert pixels[:2] == ((54, 54, 54), (76, 76, 76))


def test_a_white_led_stays_dark() -> None:
    assert lit("hex-reed", '"GRB"', '"GRBW"', {"a1": TEAL})[0] == (0, 36, 27)


def test_an_unchanged_picture_is_sent_only_now_and_then(reed: Bench) -> None:
    assert reed.light({"A1": WHITE})
    sent = reed.board.strip.transfers
    assert not any(reed.light({"A1": WHITE}) for _ in range(40))
    assert not reed.light({"A1": WHITE, "B1": (0, 0, 0)})  # other colours, the same picture
    assert reed.board.strip.transfers == sent
    reed.board.strip.power_on()  # it lost power for a moment
    assert reed.light({"A1": WHITE, "B1": (0, 0, 0)}, later=REFRESH_S)
    assert reed.board.strip.pixels[0] == (76, 76, 76)


def test_a_change_of_the_callers_mapping_is_noticed(reed: Bench) -> None:
    colours = {"A1": WHITE}
    reed.light(colours)
    colours["B1"] = WHITE
    assert reed.light(colours)


def test_a_chain_that_cannot_be_sent_to_is_a_fault_and_recovers(reed: Bench) -> None:
    reed.board.strip.broken = "no clock"
    assert not reed.light({"A1": WHITE})
    fault = reed.read().faults[0]
    assert (fault.kind, fault.address) == ("lights", None)
    assert "no clock" in fault.text
    reed.board.strip.broken = ""
    assert not reed.light({"A1": WHITE})  # not again immediately
    assert reed.light({"A1": WHITE}, later=REFRESH_S)
    assert reed.read().faults == ()


def test_an_impossible_colour_or_place_is_an_error_of_the_caller(reed: Bench) -> None:
    with pytest.raises(KeyError, match="K1"):
        reed.light({"K1": WHITE})
    for colour in ((256, 0, 0), (-1, 0, 0), (1, 2), (1, 2, 3, 4)):
        with pytest.raises(ValueError, match="is no colour"):
            reed.light({"A1": colour})  # type: ignore[dict-item]


def test_a_chain_may_be_sent_four_bits_of_spi_for_one_of_its_own() -> None:
    made = layout.load("square-reed")
    world = SimulatedBoard(made)
    strip = SimulatedStrip(101, bits=4)
    machine = Machine(made, world.bus, strip, coding=ws2812.FOUR)
    machine.light({"A1": WHITE, "B1": BLUE, "C1": TEAL}, 0.0)
    assert strip.pixels[:4] == ((76, 76, 76), (0, 0, 62), (0, 36, 27), (0, 0, 0))
    assert machine.pixels == strip.pixels
    machine.light(dict.fromkeys(made.places, WHITE), 0.1)
    assert machine.lamps.limited
    assert milliamps(strip.pixels) <= 1000.0


# ---- current


def milliamps(pixels: Sequence[tuple[int, int, int]]) -> float:
    """Return the current of the pixels: 55 mA at full white, 1 mA for each dark LED."""
    return sum(map(sum, pixels)) * 55 / (3 * 255) + len(pixels)


@pytest.mark.parametrize(
    ("brightness", "drawn"), [(1.0, 1000.0), (0.5, 1000.0), (0.3, 1000.0), (0.12, 643.0)]
)
def test_a_white_board_stays_within_the_budget(brightness: float, drawn: float) -> None:
    bench = Bench("square-reed", brightness=brightness)
    bench.light(dict.fromkeys(bench.layout.cells, WHITE))
    pixels = bench.board.strip.pixels
    assert milliamps(pixels) == pytest.approx(drawn, abs=20.0)
    assert milliamps(pixels) <= 1000.0
    assert bench.machine.lamps.limited is (brightness > 0.12)
    assert milliamps(pixels) <= bench.machine.lamps.milliamps <= milliamps(pixels) + 1


@pytest.mark.parametrize(
    ("settings", "budget"), [({}, 1000), ({"power": "pi"}, 500), ({"budget_ma": 700}, 700)]
)
def test_the_budget_depends_on_the_supply(settings: dict[str, object], budget: int) -> None:
    bench = Bench("square-reed", brightness=1.0, **settings)
    bench.light(dict.fromkeys(bench.layout.places, WHITE))
    assert budget - 25 <= milliamps(bench.board.strip.pixels) <= budget


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"budget_ma": CEILING_MA + 1}, "1501 mA is outside"),
        ({"budget_ma": 100}, "101 LEDs need at least 123 mA"),
        ({"power": "wall"}, "power: 'wall' is not one of own, pi"),
    ],
)
def test_a_budget_that_cannot_be_is_refused(settings: dict[str, object], message: str) -> None:
    with pytest.raises(PowerError, match=message):
        Bench("square-reed", **settings)


LEVEL = st.integers(0, 255)


@given(
    colours=st.dictionaries(
        st.sampled_from(tuple(layout.load("square-reed").places)), st.tuples(LEVEL, LEVEL, LEVEL)
    ),
    fill=st.tuples(LEVEL, LEVEL, LEVEL),
    brightness=st.floats(0.0, 1.0),
    budget=st.integers(123, CEILING_MA),
)
def test_no_frame_ever_draws_more_than_its_budget(
    colours: dict[str, Colour], fill: Colour, brightness: float, budget: int
) -> None:
    made = layout.load("square-reed")
    wish = {**dict.fromkeys(made.places, fill), **colours}
    strip, free = SimulatedStrip(101), SimulatedStrip(101)
    lamps = Lamps(made, brightness=brightness, budget_ma=budget)
    strip.transfer(lamps.frame(wish))
    assert milliamps(strip.pixels) <= budget
    assert lamps.milliamps <= budget
    unlimited = Lamps(made, brightness=brightness, budget_ma=CEILING_MA)
    free.transfer(unlimited.frame(wish))
    if lamps.limited:
        # Lit colours stay lit, and nothing gets brighter.
        for dimmed, whole in zip(strip.pixels, free.pixels, strict=True):
            if not unlimited.limited:
                assert all((0 < d <= w) or d == w == 0 for d, w in zip(dimmed, whole, strict=True))
    else:
        assert strip.pixels == free.pixels


def test_the_limiter_keeps_hues() -> None:
    bench = Bench("square-reed", brightness=1.0)
    bench.light(dict.fromkeys(bench.layout.cells, (255, 180, 90)))
    red, green, blue = bench.board.strip.pixels[0]
    assert (red, green, blue) != (255, 103, 17)
    assert green / red == pytest.approx(103 / 255, abs=0.02)
    assert blue / red == pytest.approx(17 / 255, abs=0.02)
