"""`lampion calibrate` finds out how a board was really built, whatever its layout says."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from firmware_host.calibrate import progress
from firmware_host.calibrate.calibration import CableEnds
from firmware_host.calibrate.result import CalibrationResult
from firmware_host.doctor.asking import Question
from firmware_host.doctor.bench import SimulatedBench
from firmware_host.doctor.magnet_walk import corners, wires
from firmware_host.i18n.messages import render
from hardware import layout
from hardware.layout.symmetry import symmetries
from hardware.layout.writing import layout_text, rewired
from hardware.machine import Machine
from tests.support.sampling import a_few, all_but, deep
from tests.support.serial_boards import serial_text
from tests.support.workshop import Hands, Workshop, same

# ---- what is found


@pytest.mark.parametrize("seed", all_but(range(50), [1, *range(3, 50)]))
def test_a_board_is_recovered_however_it_was_built(seed: int) -> None:
    workshop = Workshop(layout.NAMES[seed % 4], seed // 4)
    result = workshop.calibrated()
    assert same(result.layout, workshop.truth)
    assert (result.findings, result.whole, result.unsure) == ((), True, ())
    assert layout.parse(result.text, "x.toml") == result.layout
    assert bool(result.difference) == (not same(workshop.truth, workshop.believed))


@pytest.mark.parametrize("name", all_but(layout.NAMES, ["square-reed", "hex-reed"]))
def test_a_board_plays_with_its_new_layout_and_its_zeros(name: str) -> None:
    workshop = Workshop(name, 5)
    result = workshop.calibrated()
    board = workshop.wires.board
    zeros = result.zeros.zeros if result.zeros else None
    machine = Machine(result.layout, board.bus, board.strip, zeros=zeros)
    machine.read(0.0)
    for number, cell in enumerate(workshop.truth.cells):
        board.put(cell)
        assert machine.read(1.0 + number).readings == {cell: 1}
        board.lift(cell)
        machine.light({cell: (255, 255, 255)}, 1.5 + number)
        (pixel,) = workshop.truth.places[cell].pixels
        assert [n for n, levels in enumerate(board.strip.pixels) if any(levels)] == [pixel]
    machine.read(200.0)
    if result.zeros:
        counts = machine.hall_counts()
        assert all(abs(counts[sensor] - zero) <= 1 for sensor, zero in result.zeros.zeros.items())
        assert set(result.zeros.margins) == set(result.zeros.zeros) == set(wires(result.layout))
        assert all(4 < margin < 7 for margin in result.zeros.margins.values())


def test_a_board_that_is_as_its_layout_says_is_left_alone() -> None:
    workshop = Workshop("hex-reed")
    result = workshop.calibrated()
    assert result.layout == workshop.believed
    assert result.difference == ()
    (line,) = result.summary
    assert line.text == "Everything is where the layout says."


@pytest.mark.parametrize("name", layout.NAMES)
def test_three_cells_tell_how_a_board_is_turned(name: str) -> None:
    made = layout.load(name)
    ways = symmetries(made)
    assert len(ways) == (8 if made.shape == "square" else 12)
    assert all(place == there for place, there in ways[0].places.items())
    pixels = {(p.name, n): pixel for p in made.places.values() for n, pixel in enumerate(p.pixels)}
    for turn in ways:
        assert set(turn.places.values()) == set(made.places)
        truth = {(turn.places[place], n): pixel for (place, n), pixel in pixels.items()}
        ends = CableEnds(pixels, ways)
        for corner in corners(made):
            assert ends.turn is None
            ends.known[corner, 0] = truth[corner, 0]
        assert ends.turn == turn
        assert ends.complete() == truth


def test_what_changed_places_is_expected_at_each_other_s() -> None:
    spots = {(name, 0): number for number, name in enumerate("abcdef")}
    ends = CableEnds(spots, ())
    ends.known["a", 0] = 1
    assert ends.guess(("b", 0)) == 0
    ends.known["b", 0] = 2
    assert ends.guess(("c", 0)) == 0
    ends.gone.add(0)
    assert ends.guess(("c", 0)) is None
    assert ends.complete() == {**spots, ("a", 0): 1, ("b", 0): 2, ("c", 0): 0}


@pytest.mark.parametrize("name", ["square-reed", "hex-hall"])
def test_only_three_names_are_asked_for_where_nothing_but_the_board_is_turned(name: str) -> None:
    data = tomllib.loads(layout.source(name)[0])
    made, mirrored = layout.load(name), symmetries(layout.load(name))[-1].places
    pixels = {mirrored[place.name]: place.pixels for place in made.places.values()}
    truth = layout.parse(layout_text(rewired(data, wires(made), pixels, order="GRB")), "x.toml")
    workshop = Workshop(name, truth=truth)
    assert same(workshop.calibrated().layout, truth)
    assert workshop.hands.asked.count("where") == 3
    assert len(workshop.hands.put) == len(wires(truth))


def test_a_magnet_that_was_laid_onto_a_wrong_cell_is_asked_for_once_more() -> None:
    workshop = Workshop("hex-hall", 1)
    workshop.hands.wrong = {"e5": "e6", "c3": "c4"}
    result = workshop.calibrated()
    assert same(result.layout, workshop.truth)
    assert workshop.hands.put.count("e5") == 2
    assert result.findings == ()


def test_a_board_on_a_serial_line_is_recovered() -> None:
    workshop = Workshop("", 2, text=serial_text("hex-reed"))
    assert not same(workshop.truth, workshop.believed)
    assert same(workshop.calibrated().layout, workshop.truth)


def test_a_chip_at_another_address_is_found_there() -> None:
    workshop = Workshop("hex-reed", None, "address-pin")
    result = workshop.calibrated()
    assert [chip.address for chip in result.layout.expanders] == [
        0x21,
        0x22,
        0x23,
        0x24,
        0x25,
        0x26,
    ]
    assert wires(result.layout)["a1"] == ("0x26", 0)
    assert "does not answer" in workshop.hands.heard[0].text


# ---- what is wrong


def causes(result: CalibrationResult) -> list[tuple[str, str]]:
    return [(finding.cause, finding.part) for finding in result.findings]


@pytest.mark.parametrize("seed", a_few([None, 3, 4], 2))
def test_two_chips_at_one_address_are_found_and_after_a_repair_the_rest_is_asked_for(
    seed: int | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    workshop = Workshop("square-reed", seed, "address-shared")
    assert workshop.command(tmp_path) == 1
    told = capsys.readouterr().out
    assert told.count("Both chips have the address 0x20.") == 1
    assert "Tie the address pins of 0x21" in told
    assert "The layout is not written" in told
    assert [file.name for file in tmp_path.iterdir()] == [progress.FILE]
    workshop.wires.answering.clear()
    workshop.hands = Hands(workshop.wires)
    assert workshop.command(tmp_path) == 0
    assert 14 <= len(set(workshop.hands.put)) <= 28
    assert same(layout.load(tmp_path / "square-reed.toml"), workshop.truth)
    assert [file.name for file in tmp_path.iterdir()] == ["square-reed.toml"]


@pytest.mark.parametrize(
    ("fault", "name", "found"),
    [
        deep(("sensor-dead", "square-reed", [("sensor-dead", "A1")])),
        ("sensor-dead", "hex-hall", [("sensor-dead", "a1")]),
        ("sensor-stuck", "square-reed", [("sensor-stuck", "A1")]),
        ("hall-wire", "square-hall", [("sensor-dead", "D1")]),
        ("chain-cut", "square-reed", [("lights-end", "17")]),
        ("chain-dead", "hex-hall", [("lights-dead", "lights")]),
    ],
)
def test_what_is_dead_is_found_and_the_rest_is_recovered(
    fault: str, name: str, found: list[tuple[str, str]]
) -> None:
    workshop = Workshop(name, None, fault)
    result = workshop.calibrated()
    assert causes(result) == found
    assert same(result.layout, workshop.truth)
    assert result.whole


def test_weak_magnets_are_found() -> None:
    result = Workshop("hex-hall", 1, "weak-magnet").calibrated()
    assert [finding.cause for finding in result.findings] == ["magnet-weak"]
    assert result.zeros is not None
    assert max(result.zeros.margins.values()) < 2


def test_a_board_with_all_sensors_face_down_gets_the_figure_for_it() -> None:
    workshop = Workshop("hex-hall", 1, "upside-down")
    result = workshop.calibrated()
    assert result.findings == ()
    assert result.layout.hall is not None
    assert result.layout.hall.millitesla_per_count == pytest.approx(-0.43)


def test_exchanged_wires_are_named() -> None:
    data, there = tomllib.loads(layout.source("square-reed")[0]), layout.load("square-reed")
    wired = wires(there) | {"A1": ("0x20", 1), "B1": ("0x20", 0)}
    pixels = {place.name: place.pixels for place in there.places.values()}
    made = rewired(data, wired, pixels, order="GRB")
    workshop = Workshop("square-reed", truth=layout.parse(layout_text(made), "x.toml"))
    result = workshop.calibrated()
    assert same(result.layout, workshop.truth)
    assert render(result.summary[-1]) == "Exchanged wires: A1 0x20 GPA1, B1 0x20 GPA0."


def test_a_light_that_is_lit_nowhere_is_found() -> None:
    workshop = Workshop("hex-reed")
    ask = workshop.hands.ask
    workshop.hands.ask = lambda question: (  # type: ignore[method-assign]
        0
        if question.kind == "where" and workshop.wires.strip.pixels[0] != (0, 0, 0)
        else ask(question)
    )
    result = workshop.calibrated()
    assert causes(result) == [("lights-dark", "0")]
    assert same(result.layout, workshop.truth)


def test_the_margin_is_measured_when_the_magnet_rests() -> None:
    workshop = Workshop("hex-hall")
    board = workshop.wires.board

    class Slow(SimulatedBench):
        """A bench where each magnet comes nearer with every look."""

        def pause(self, seconds: float) -> None:
            lies = bool(board.save())
            board.magnet_mt = min(35.0, board.magnet_mt + 4.0) if lies else 7.0
            board.load(board.save())
            super().pause(seconds)

    result = workshop.calibrated(Slow(workshop.wires))
    assert result.findings == ()
    assert result.zeros is not None
    assert all(5 < margin < 7 for margin in result.zeros.margins.values())


def test_a_switch_that_stays_closed_after_its_magnet_went_is_found() -> None:
    workshop = Workshop("hex-reed", 1)
    ask = workshop.hands.ask

    def then_stuck(question: Question) -> int:
        if (question.kind, question.subject) == ("lift", "c3"):
            workshop.wires.board.stick("c3", True)
        return ask(question)

    workshop.hands.ask = then_stuck  # type: ignore[method-assign]
    result = workshop.calibrated()
    assert causes(result) == [("sensor-stuck", "c3")]
    assert same(result.layout, workshop.truth)
