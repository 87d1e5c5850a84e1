"""`lampion doctor` finds the right cause of each fault, and nothing on a healthy board."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from drivers import ws2812
from firmware_host.config.board import Devices
from firmware_host.doctor import findings, report
from firmware_host.doctor.asking import AtASimulatedBoard, Question, answered
from firmware_host.doctor.examination import unknowable
from firmware_host.doctor.light_checks import light_findings
from firmware_host.doctor.magnet_walk import places_to_walk, wires
from firmware_host.i18n.messages import render
from hardware import layout
from hardware.lighting import BUDGET_MA, FULL_WHITE_LEVELS, FULL_WHITE_MA, STANDBY_MA
from hardware.simulated.board import SimulatedBoard, SimulationError
from hardware.simulated.faults import FAULTS, inject_fault
from tests.support.bench import CAUSES, HALL, REED, Patient
from tests.support.serial_boards import serial_layout

# ---- a board that is well


@pytest.mark.parametrize("what", [None, "lights", "pins"])
@pytest.mark.parametrize("name", layout.NAMES)
def test_nothing_is_found_on_a_healthy_board(name: str, what: str | None) -> None:
    found = Patient(name).examined(what)
    assert found.findings == []
    assert set(found.chips.values()) == {"answers"}
    assert found.kilohertz == pytest.approx(400, rel=0.01)
    alike = Patient(name, board=SimulatedBoard(layout.load(name)))
    assert alike.examined(what).findings == []


@pytest.mark.parametrize("what", [None, "pins"])
def test_working_and_dead_places_of_a_board_on_a_serial_line_are_reported(
    what: str | None,
) -> None:
    board = SimulatedBoard(serial_layout("square-reed"))
    patient = Patient("", board=board)
    assert patient.examined(what).findings == []
    board.stick("C3", False)
    board.stick("A1", False)
    causes = [(finding.cause, finding.part) for finding in patient.examined(what).findings]
    assert causes == ([("sensor-dead", "A1")] if what else [])


def test_each_pocket_of_a_slot_is_walked_to_where_a_chip_has_nothing_else() -> None:
    """The sixth chip of `hex-reed` has only pockets, and none of them is the first of its slot."""
    made = layout.load("hex-reed")
    board = SimulatedBoard(made)
    patient = Patient("hex-reed", board=board)
    assert "south.1" in places_to_walk(made)
    assert patient.examined("pins").findings == []
    board.stick("south.1/3", False)
    (finding,) = patient.examined("pins").findings
    assert (finding.cause, finding.part) == ("sensor-dead", "south.1/3")
    assert "0x25 GPA1" in render(finding.do[0])
    board.repair()
    for place in made.slots:
        board.put(place)
        assert board.lying(place) == (1,)  # the person has taken all magnets off
        board.lift(place)


@pytest.mark.parametrize("name", layout.NAMES)
def test_a_board_in_use_is_healthy(name: str) -> None:
    patient = Patient(name)
    for number, cell in enumerate(patient.bench.layout.cells[::3]):
        patient.wires.board.put(cell, 1 if number % 2 else -1)
    assert patient.examined().findings == []


def test_a_board_without_a_wire_for_reset_is_healthy_and_that_is_mentioned() -> None:
    text = layout.SHIPPED.joinpath("hex-reed.toml").read_text("utf-8")
    mine = layout.parse(text.replace('reset = "GPIO25"\n', ""), "x.toml")
    patient = Patient("hex-reed", board=SimulatedBoard(mine))
    assert patient.examined().findings == []
    assert any("Whether RESET is high" in render(line) for line in unknowable(mine))


@pytest.mark.parametrize("name", layout.NAMES)
def test_a_second_examination_finds_no_more_than_the_first(name: str) -> None:
    patient = Patient(name)
    assert [patient.examined().findings for _ in range(3)] == [[], [], []]


@pytest.mark.parametrize("name", layout.NAMES)
def test_an_examination_leaves_the_board_ready_to_play(name: str) -> None:
    from hardware.machine import Machine

    patient = Patient(name)
    patient.examined()
    board = patient.wires.board
    machine = Machine(board.layout, patient.wires.bus, patient.wires.strip)
    machine.read(0.0)
    board.put(board.layout.cells[0])
    frame = machine.read(0.1)
    assert (frame.readings, frame.faults) == ({board.layout.cells[0]: 1}, ())


# ---- every fault has its cause


@pytest.mark.parametrize(("fault", "name", "what", "causes"), CAUSES)
def test_a_fault_has_its_cause_and_no_other(
    fault: str, name: str, what: str | None, causes: list[tuple[str, str]]
) -> None:
    found = Patient(name, fault).examined(what)
    assert [(each.cause, each.part) for each in found.findings] == causes


def test_pauses_of_spi_are_cured_by_four_bits_where_there_are_three() -> None:
    for symbol_bits, advised in ((3, True), (4, False)):
        patient = Patient(REED, "white-leds")
        patient.bench.devices = Devices(symbol_bits=symbol_bits)
        patient.wires.strip._bits = symbol_bits
        (finding,) = patient.examined("lights").findings
        assert finding.cause == "lights-garbled"
        assert any("configuration: bits = 4" in render(each) for each in finding.do) is advised


def test_every_fault_there_is_is_among_them() -> None:
    assert {fault for fault, *_ in CAUSES} == set(FAULTS)
    assert len({cause for *_, causes in CAUSES for cause, _ in causes}) >= 25


def said(name: str, fault: str, what: str | None = None) -> str:
    """Return all sentences about a fault, in English."""
    (finding, *_) = Patient(name, fault).examined(what).findings
    return " ".join(map(render, (finding.measured, finding.means, *finding.do)))


@pytest.mark.parametrize(
    ("fault", "name", "what", "words"),
    [
        ("address-pin", REED, None, "0x27 answers, where no chip should be"),
        ("address-pin", REED, None, "Tie A0 of the chip to ground. Tie A1 of the chip to ground."),
        ("address-shared", REED, None, "Unplug 0x20, 0x23, 0x25 one by one"),
        ("chip-missing", HALL, None, "at SDA and SCL. Its address pins are A1 A0 = 00."),
        ("all-chips-missing", REED, None, "SDA goes to pin 3, SCL to pin 5"),
        ("reset-floats", REED, None, "Silent until GPIO25 (pin 22) drove RESET high: 0x20, 0x21"),
        ("reset-floats", REED, None, "Solder 10 kΩ from RESET to 3.3 V."),
        (
            "reset-cut",
            REED,
            None,
            "did nothing to 0x20. The RESET pin of these chips is not joined",
        ),
        ("reset-cut", HALL, None, "did nothing to 0x27. The wire from GPIO25 (pin 22) to RESET"),
        ("kernel-has-chip", REED, None, "dtoverlay="),
        ("int-cut", REED, None, "No chip's INT reaches GPIO4 (pin 7)."),
        ("slow-clock", REED, None, "20 kHz; one reading of all sensors takes 42 ms"),
        ("slow-clock", REED, None, "dtparam=i2c_arm=on,i2c_arm_baudrate=400000"),
        ("select-line", HALL, None, "S1 (0x27 GPA1)"),
        ("multiplexer-off", HALL, None, "E goes to ground, VCC to the sensors' 3.3 V, COM to 0x48"),
        ("colour-order", REED, "lights", 'order = "RGB"'),
        ("colour-order", REED, "lights", "copy hardware/layouts/square-reed.toml"),
        ("white-leds", REED, "lights", 'order = "GRBW"'),
        ("first-light", REED, "lights", "Measure GPIO10 (pin 19) after a picture"),
        ("chain-cut", REED, "lights", "number 17 (A2)"),
        ("chain-cut", REED, "lights", "from DO of 16 to DIN of 17"),
        ("button-dead", REED, "pins", "from GPIO27 (pin 13) to ground"),
        ("sensor-dead", REED, "pins", "Check their wires: 0x20 GPA0."),
        ("dead-centre", REED, "pins", "Mount these switches off the middle"),
        ("addresses-swapped", REED, "pins", "exchange 0x20 and 0x21 in the layout"),
        ("board-turned", REED, "pins", "180° further anticlockwise"),
        ("upside-down", "hex-hall", "pins", "millitesla_per_count = -0.43"),
    ],
)
def test_a_finding_says_what_to_do(fault: str, name: str, what: str | None, words: str) -> None:
    assert words in said(name, fault, what)


@pytest.mark.parametrize("name", layout.NAMES)
def test_what_cannot_be_measured_is_listed_and_not_guessed(name: str) -> None:
    told = " ".join(map(render, unknowable(layout.load(name))))
    assert "Whether two chips share an address" in told
    assert "Whether INT and the buttons have their own pull-ups" in told
    lines = list(report.lines(Patient(name).examined()))
    assert "Nothing wrong was found." in lines
    assert any("share an address" in line for line in lines)


def test_a_stuck_select_line_is_named_by_open_inputs_where_all_sensors_are_alike() -> None:
    patient = Patient(HALL, board=SimulatedBoard(layout.load(HALL)))
    inject_fault(patient.wires, "select-line")
    (finding,) = patient.examined().findings
    assert (finding.cause, finding.part) == ("select-line", "S1")


def test_select_lines_that_look_the_same_are_all_named() -> None:
    """One open input of sixteen, and no sensor differs: any of the four may be stuck."""
    patient = Patient(HALL, board=SimulatedBoard(layout.load(HALL)))
    patient.wires.board.multiplexers[0].stuck[1] = 0
    (finding,) = patient.examined().findings
    assert (finding.cause, finding.part) == ("mux-select", "4067-1")
    assert "S0, S1, S2, S3" in render(finding.measured)


def test_a_walk_touches_every_chip_and_three_corners() -> None:
    for name in layout.NAMES:
        board = layout.load(name)
        pins = wires(board)
        walked = places_to_walk(board)
        chips = {pins[sensor][0] for place in walked for sensor in board.places[place].sensors}
        assert chips == {chip for chip, _ in pins.values()}
        assert len(set(walked)) == len(walked) <= len(chips) + 3


@pytest.mark.parametrize("name", layout.NAMES)
def test_the_lights_of_an_examination_keep_within_a_pi_s_supply(name: str) -> None:
    """Also the pictures that bypass the limiter."""
    patient = Patient(name)
    strip, board = patient.wires.strip, patient.bench.layout
    sums = []

    class Meter:
        def transfer(self, data: bytes) -> None:
            sums.append(sum(map(sum, ws2812.decode_frame(data, board.led_order))))
            strip.transfer(data)

    patient.bench.strip = Meter  # type: ignore[method-assign]
    assert answered(light_findings(patient.bench), patient.person) == []
    most = max(sums) * FULL_WHITE_MA / FULL_WHITE_LEVELS
    assert 100 < len(board.led_positions) * STANDBY_MA + most < BUDGET_MA["pi"]


def test_a_fault_that_a_board_cannot_have_is_refused() -> None:
    for fault, name in (("weak-magnet", REED), ("upside-down", REED), ("dead-centre", HALL)):
        with pytest.raises(SimulationError, match=f"{name} has no "):
            Patient(name, fault)


def test_no_finding_asks_to_copy_a_layout_of_the_users_own() -> None:
    text = layout.SHIPPED.joinpath("hex-reed.toml").read_text("utf-8")
    patient = Patient(
        "", board=SimulatedBoard(layout.parse(text.replace("hex-reed", "mine"), "mine.toml"))
    )
    inject_fault(patient.wires, "colour-order")
    (finding,) = patient.examined("lights").findings
    assert [render(each) for each in finding.do] == [
        'Put this into the table [leds] of the layout: order = "RGB"'
    ]


def test_a_first_light_that_stays_dark_is_not_joined_to_itself() -> None:
    patient = Patient(REED)

    class SeesNoSingleLight(AtASimulatedBoard):
        def ask(self, question: Question) -> int:
            return 1 if question.kind == "lit" else super().ask(question)

    person = SeesNoSingleLight(patient.wires.board)
    (finding,) = answered(light_findings(patient.bench), person)
    assert (finding.cause, finding.part) == ("lights-end", "0")
    told = " ".join(map(render, finding.do))
    assert "DIN of" not in told
    assert "Data goes GPIO10 (pin 19), 1A, 1Y, 330 Ω, DIN" in told


def test_every_table_of_sentences_is_of_a_finding() -> None:
    folder = Path(findings.__file__).parents[1]
    sources = [*folder.glob("doctor/*.py"), *folder.glob("calibrate/*.py")]
    source = "".join(path.read_text(encoding="utf-8") for path in sources)
    assert [name for name in findings.texts() if f'"{name}"' not in source] == []
    causes = set(re.findall(r'\bfinding\(\s*"([^"]*)"', source))
    assert len(causes) > 40
    assert causes <= findings.texts().keys()
