"""The shipped layouts hold what they claim."""

from __future__ import annotations

import math
import re
from collections import Counter
from functools import cache
from itertools import combinations, pairwise
from xml.etree import ElementTree

import pytest

from engine import games
from hardware import layout
from hardware.layout import BoardPlace, Layout, LayoutError
from hardware.wiring import drawing, wiring

FOLDER = layout.SHIPPED
EXAMPLES = FOLDER.parents[1] / "examples"
SMALL = "robot-duel-board"
"""The small board of the examples."""
LETTERS = "abcdefghi"


@cache
def board(name: str) -> Layout:
    return layout.load(EXAMPLES / f"{name}.toml" if name == SMALL else name)


@pytest.fixture(params=(*layout.NAMES, *layout.OLDER, SMALL))
def loaded(request: pytest.FixtureRequest) -> Layout:
    return board(request.param)


def apart(one: BoardPlace, other: BoardPlace) -> float:
    return math.hypot(one.x - other.x, one.y - other.y)


# ---- what ships


def test_the_named_layouts_are_those_in_the_folder() -> None:
    files = sorted(path.stem for path in FOLDER.glob("*.toml"))
    assert sorted((*layout.NAMES, *layout.OLDER)) == files


def test_a_layout_has_its_files_name(loaded: Layout) -> None:
    folder = EXAMPLES if loaded.name == SMALL else FOLDER
    assert folder.joinpath(f"{loaded.name}.toml").exists()


@pytest.mark.parametrize(
    ("name", "places", "leds", "sensors", "chips"),
    [
        # cells, slots, edges; expanders, multiplexers, converters
        ("square-reed", (81, 16, 4), 101, 97, (7, 0, 0)),
        ("square-hall", (81, 16, 4), 101, 81 + 48, (1, 9, 2)),
        ("hex-reed", (61, 8, 6), 75, 81, (6, 0, 0)),
        ("hex-reed-slots", (61, 8, 6), 75, 69, (5, 0, 0)),
        ("hex-hall", (61, 8, 6), 75, 69, (1, 5, 1)),
    ],
)
def test_a_board_is_made_of(
    name: str, places: tuple[int, ...], leds: int, sensors: int, chips: tuple[int, ...]
) -> None:
    made = board(name)
    assert (len(made.cells), len(made.slots), len(made.edges)) == places
    assert len(made.led_positions) == leds
    assert sum(len(place.sensors) for place in made.places.values()) == sensors
    converters = {chip.adc for chip in made.multiplexers}
    assert (len(made.expanders), len(made.multiplexers), len(converters)) == chips


def test_pockets_fit_the_pieces_in_hand() -> None:
    square, hexagon = board("square-hall"), board("hex-hall")
    for side in ("south", "north"):
        pockets = [len(square.places[f"{side}.{slot}"].sensors) for slot in range(1, 9)]
        assert pockets == [4, 4, 4, 4, 4, 2, 2, 0]
        assert [len(hexagon.places[f"{side}.{slot}"].sensors) for slot in range(1, 5)] == [1] * 4


def test_every_token_of_a_stock_has_a_pocket_with_a_switch() -> None:
    made, robotory = board("hex-reed"), games.make("robotory")
    places = made.game("robotory").places
    for tray in robotory.trays():
        if tray in places:
            pockets = len(made.places[places[tray]].sensors)
            assert pockets == (4 if tray.startswith("stock.") else 1), tray


def test_a_board_that_was_built_before_keeps_its_wires() -> None:
    """The chips of `hex-reed-slots` are those of `hex-reed` without the one that counts stocks."""
    new, old = board("hex-reed"), board("hex-reed-slots")
    assert [chip.address for chip in new.expanders] == [0x20, 0x21, 0x22, 0x23, 0x24, 0x25]
    for now, then in zip(new.expanders[:-1], old.expanders, strict=True):
        assert now.address == then.address
        names = {pin: sensor.removesuffix("/1") for pin, sensor in now.sensors.items()}
        assert names == then.sensors
    assert all("/" in sensor for sensor in new.expanders[-1].sensors.values())
    assert (new.led_positions, new.buttons) == (old.led_positions, old.buttons)
    assert new.game("robotory").places == old.game("robotory").places
    assert new.game("abalone").places.items() <= old.game("abalone").places.items()


def test_marbles_that_do_not_fit_into_pockets_need_no_sensor() -> None:
    """Frames of Robotory's stocks, with walls between pockets, lie where the marbles would."""
    marbles = board("hex-reed").game("abalone")
    assert marbles.unsensed == {"out.black", "out.white"}
    assert all(name in board("hex-reed").cells for name in marbles.places.values())


def test_cells_are_a_pitch_apart(loaded: Layout) -> None:
    neighbours = Counter[str]()
    for one, other in combinations((loaded.places[name] for name in loaded.cells), 2):
        distance = apart(one, other)
        assert distance > loaded.pitch - 0.2
        if distance < loaded.pitch + 0.2:
            neighbours.update((one.name, other.name))
    inner = 4 if loaded.shape == "square" else 6
    assert max(neighbours.values()) == inner
    assert min(neighbours.values()) == inner // 2


def test_an_led_sits_off_the_centre_of_its_cell_and_within_it(loaded: Layout) -> None:
    for name in loaded.cells:
        cell = loaded.places[name]
        for pixel in cell.pixels:
            x, y = loaded.led_positions[pixel]
            away = {
                other: math.hypot(loaded.places[other].x - x, loaded.places[other].y - y)
                for other in loaded.cells
            }
            assert away[name] >= 14.0  # clear of a disc of 26 mm
            assert min(away, key=lambda other: away[other]) == name


def test_the_chain_under_the_cells_is_soldered_neighbour_to_neighbour(loaded: Layout) -> None:
    last = max(loaded.places[name].pixels[0] for name in loaded.cells)
    assert last == len(loaded.cells) - 1
    for one, other in pairwise(loaded.led_positions[: last + 1]):
        assert math.dist(one, other) < loaded.pitch + 0.2


def test_the_north_tray_is_the_south_tray_turned_round(loaded: Layout) -> None:
    middle_x = sum(loaded.places[name].x for name in loaded.cells) / len(loaded.cells)
    middle_y = sum(loaded.places[name].y for name in loaded.cells) / len(loaded.cells)
    for name in loaded.slots:
        side, _, number = name.partition(".")
        if side == "south":
            south, north = loaded.places[name], loaded.places[f"north.{number}"]
            assert south.x + north.x == pytest.approx(2 * middle_x, abs=0.2)
            assert south.y + north.y == pytest.approx(2 * middle_y, abs=0.2)
    first, last = loaded.places["south.1"], loaded.places[loaded.slots[len(loaded.slots) // 2 - 1]]
    assert first.x < last.x


@pytest.mark.parametrize(
    ("name", "scan_ms", "light_ms"),
    [
        ("square-reed", 2.10, 3.33),  # 7 x 120 clocks; 1000 bytes
        ("square-hall", 13.97, 3.33),  # 15 x 29 + 129 x 39 + 120 clocks
        ("hex-reed", 1.80, 2.55),  # 6 x 120 clocks
        ("hex-reed-slots", 1.50, 2.55),
        ("hex-hall", 8.12, 2.55),
    ],
)
def test_times_on_the_wires(name: str, scan_ms: float, light_ms: float) -> None:
    made = board(name)
    assert made.scan_seconds() * 1e3 == pytest.approx(scan_ms, abs=0.01)
    assert made.scan_seconds(100_000) == pytest.approx(4 * made.scan_seconds())
    assert made.light_seconds() * 1e3 == pytest.approx(light_ms, abs=0.01)


# ---- how the games lie on them


def test_two_boards_serve_all_games() -> None:
    square, hexagon = set(board("square-reed").games), set(board("hex-reed").games)
    assert (set(board("square-hall").games), set(board("hex-hall").games)) == (square, hexagon)
    assert square | hexagon >= set(games.FINISHED)
    assert not square & hexagon


@pytest.mark.parametrize("game", games.NAMES)
@pytest.mark.parametrize("name", [*layout.NAMES, *layout.OLDER, SMALL])
def test_every_place_and_seat_of_a_game_is_on_the_board(name: str, game: str) -> None:
    made = board(name)
    if game not in made.games:
        with pytest.raises(LayoutError, match=f"{name}: no map for the game '{game}'"):
            made.game(game)
        return
    rules, here = games.make(game), made.game(game)
    assert set(here.places) | here.unsensed == set(rules.places())
    assert not set(here.places) & here.unsensed
    assert tuple(here.seats) == rules.seats
    assert {board_place: mine for mine, board_place in here.places.items()} == dict(here.inverse)
    for mine, theirs in here.places.items():
        kind = "cell" if mine in rules.cells() else "slot"
        assert made.places[theirs].kind == kind


@pytest.mark.parametrize("name", ["square-reed", "square-hall"])
def test_square_games_are_mapped_as_their_first_player_sees_them(name: str) -> None:
    made = board(name)

    def at(game: str, place: str) -> tuple[float, float]:
        spot = made.places[made.game(game).places[place]]
        return spot.x, spot.y

    # East is the first player's right, north is the far side.
    assert at("robot-duel", "A4") < at("robot-duel", "C4")
    assert at("robot-duel", "A1")[1] > at("robot-duel", "A4")[1]
    assert at("shogi", "9i") < at("shogi", "1i")
    assert at("shogi", "5a")[1] > at("shogi", "5i")[1]
    assert at("chaturaji", "a1") < at("chaturaji", "h1")
    assert at("chaturaji", "a8")[1] > at("chaturaji", "a1")[1]
    # The first player sits in the south, so the player's hand is there.
    assert at("robot-duel", "hand.A.C")[1] < 0 < at("robot-duel", "hand.B.C")[1]
    assert at("shogi", "hand.sente.P")[1] < 0 < at("shogi", "hand.gote.P")[1]
    sides = made.game("chaturaji").seats
    assert [sides[seat].button for seat in sides] == ["south", "west", "north", "east"]


@pytest.mark.parametrize("name", ["square-reed", "square-hall"])
def test_robot_duel_and_shogi_keep_their_columns_and_rows(name: str) -> None:
    made = board(name)
    for game in ("robot-duel", "shogi"):
        places = made.game(game).places
        cells = [mine for mine in places if not mine.startswith("hand")]
        for which in (0, 1):  # column, then row: one of the game lies in one of the board
            pairs = {(mine[which], places[mine][which]) for mine in cells}
            assert len(pairs) == len({mine for mine, _ in pairs})


@pytest.mark.parametrize("name", ["hex-reed", "hex-hall"])
def test_cells_of_abalone_are_where_its_coordinates_say(name: str) -> None:
    made = board(name)
    assert set(made.cells) == {
        f"{letter}{number}"
        for row, letter in enumerate(LETTERS, 1)
        for number in range(1, 10)
        if abs(row - number) <= 4
    }
    middle = made.places["e5"]
    for cell in made.cells:
        row, number = LETTERS.index(cell[0]) + 1, int(cell[1])
        spot = made.places[cell]
        assert spot.x - middle.x == pytest.approx((number - row / 2 - 2.5) * made.pitch, abs=0.2)
        assert spot.y - middle.y == pytest.approx((row - 5) * math.sqrt(0.75) * made.pitch, abs=0.2)
        assert made.game("abalone").places[cell] == cell


def robotory_cells() -> dict[str, tuple[int, int]]:
    """Return each of Robotory's 24 cells with its column and doubled height."""
    heights = {"a": (2, 4), "b": (1, 5), "c": (0, 6), "d": (1, 5), "e": (2, 4)}
    return {
        f"{column}{number}": (index, lowest + 2 * (number - 1))
        for index, (column, (lowest, count)) in enumerate(heights.items())
        for number in range(1, count + 1)
    }


@pytest.mark.parametrize("name", ["hex-reed", "hex-hall"])
def test_robotory_keeps_its_55_pairs_of_neighbours_and_gains_none(name: str) -> None:
    made = board(name)
    places = made.game("robotory").places
    pairs = 0
    for one, other in combinations(robotory_cells().items(), 2):
        (cell, (column, height)), (another, (next_column, next_height)) = one, other
        across, up = abs(column - next_column), abs(height - next_height)
        touch = (across, up) in ((0, 2), (1, 1))
        pairs += touch
        distance = apart(made.places[places[cell]], made.places[places[another]])
        assert (distance < made.pitch + 0.2) == touch, (cell, another)
    assert pairs == 55


@pytest.mark.parametrize("name", ["hex-reed", "hex-hall"])
def test_robotory_is_turned_by_a_right_angle_and_not_mirrored(name: str) -> None:
    made = board(name)
    places = made.game("robotory").places

    def spot(cell: str) -> BoardPlace:
        return made.places[places[cell]]

    # Light looks east: ahead is where numbers grow, column a is on the left, so in the north.
    assert spot("c1").x < spot("c6").x
    assert spot("a2").y > spot("e2").y
    light, dark = (made.places[side.light] for side in made.game("robotory").seats.values())
    assert light.x < spot("c1").x
    assert dark.x > spot("c6").x
    assert light.y == pytest.approx(dark.y)


def test_rims_are_numbered_clockwise_from_the_south() -> None:
    made = board("hex-reed")
    middle = made.places["e5"]
    turns = [
        math.degrees(math.atan2(place.x - middle.x, place.y - middle.y)) % 360
        for place in (made.places[f"rim.{number}"] for number in range(1, 7))
    ]
    assert [round(turn) for turn in turns] == [180, 240, 300, 0, 60, 120]


# ---- for people


def test_the_picture_shows_every_place_and_led(loaded: Layout) -> None:
    picture = ElementTree.fromstring(drawing.layout_svg(loaded))
    space = "{http://www.w3.org/2000/svg}"
    width, height = (float(side) for side in picture.attrib["viewBox"].split()[2:])
    outlines = [*picture.iter(f"{space}rect"), *picture.iter(f"{space}polygon")]
    assert len(outlines) == len(loaded.cells) + len(loaded.slots)
    circles = list(picture.iter(f"{space}circle"))
    assert len(circles) == len(loaded.led_positions)
    for circle in circles:
        assert 0 < float(circle.attrib["cx"]) < width
        assert 0 < float(circle.attrib["cy"]) < height
    words = [text.text for text in picture.iter(f"{space}text")]
    for name in (*loaded.cells, *loaded.slots):
        assert name in words


def test_the_wiring_names_every_sensor_pixel_and_button_once(loaded: Layout) -> None:
    lines = [re.split(r"\s\s+", line) for line in wiring.wiring_text(loaded).splitlines()]
    ends = Counter(line[2] for line in lines if len(line) == 3)
    lit = {place.name for place in loaded.places.values()}
    for place in loaded.places.values():
        for sensor in place.sensors:
            assert ends[sensor] == (2 if sensor in lit else 1), sensor
    for button in loaded.buttons:
        assert ends[f"button {button}"] == 1
