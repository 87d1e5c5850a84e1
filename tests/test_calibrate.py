"""`lampion calibrate` finds out how a board was really built, whatever its layout says."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
import tomllib
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

import pytest
from serial_boards import serial_text

from firmware_host.__main__ import main
from firmware_host.calibrate import progress
from firmware_host.calibrate.built import built
from firmware_host.calibrate.calibration import Calibration
from firmware_host.calibrate.command import calibrate
from firmware_host.calibrate.ends import Ends
from firmware_host.calibrate.progress import Progress
from firmware_host.calibrate.result import Result, result_of
from firmware_host.doctor.asking import DONE, AtASimulatedBoard, AtTheTerminal, Question
from firmware_host.doctor.bench import SimulatedBench
from firmware_host.doctor.magnet_walk import corners, wires
from firmware_host.words import render, say
from hardware import hall_zeros, layout
from hardware.layout import Layout
from hardware.layout_writing import toml_text
from hardware.machine import Machine
from hardware.simulated_faults import board_with_scatter, spoil
from hardware.simulated_wires import SimulatedWires
from hardware.symmetry import turns


class Hands(AtASimulatedBoard):
    """Hands that count what they are asked, and can be led astray or stopped."""

    def __init__(self, wires: SimulatedWires) -> None:
        super().__init__(wires.board)
        self.asked: list[str] = []
        self.put: list[str] = []
        self.wrong: dict[str, str] = {}
        """Where a magnet is laid at first instead of onto these places."""
        self.stop_after: int | None = None

    def ask(self, question: Question, happened: Callable[[], bool] | None = None) -> int:
        if self.stop_after is not None and len(self.asked) >= self.stop_after:
            raise KeyboardInterrupt
        self.asked.append(question.kind)
        if question.kind == "put":
            self.put.append(question.subject)
            if question.subject in self.wrong:
                self.board.put(self.wrong.pop(question.subject))
                return 0
        return super().ask(question, happened)

    def choose(self, question: Question, names: Collection[str]) -> str:
        self.asked.append(question.kind)
        return super().choose(question, names)


class Workshop:
    """A board that was built otherwise than its layout says, with hands at it."""

    def __init__(self, name: str, seed: int | None = None, *faults: str, text: str = "") -> None:
        self.text = text or layout.source(name)[0]
        self.believed = layout.parse(self.text, "believed.toml")
        self.truth = self.believed if seed is None else built(self.text, seed)
        self.wires = SimulatedWires(board_with_scatter(self.truth))
        self.hands = Hands(self.wires)
        for fault in faults:
            self.hands.hands |= spoil(self.wires, fault)
        self.progress = Progress("it")

    @property
    def bench(self) -> SimulatedBench:
        bench = SimulatedBench(self.wires)
        bench.layout = self.believed
        return bench

    def calibrated(self) -> Result:
        done = Calibration(self.bench, self.hands, self.progress)
        done.run()
        return result_of(done, tomllib.loads(self.text))

    def command(self, state: Path) -> int:
        return calibrate(self.bench, self.hands, self.text, state, "en")


def same(one: Layout, other: Layout) -> bool:
    lit = [{place.name: place.pixels for place in each.places.values()} for each in (one, other)]
    return (wires(one), lit[0], one.led_order) == (wires(other), lit[1], other.led_order)


# ---- what is found


@pytest.mark.parametrize("seed", range(50))
def test_a_board_is_recovered_however_it_was_built(seed: int) -> None:
    workshop = Workshop(layout.NAMES[seed % 4], seed // 4)
    result = workshop.calibrated()
    assert same(result.layout, workshop.truth)
    assert (result.findings, result.whole, result.unsure) == ((), True, ())
    assert layout.parse(result.text, "x.toml") == result.layout
    assert bool(result.difference) == (not same(workshop.truth, workshop.believed))


@pytest.mark.parametrize("name", layout.NAMES)
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
    assert [message.text for message in result.said] == ["Everything is where the layout has it."]


@pytest.mark.parametrize("name", layout.NAMES)
def test_three_cells_tell_how_a_board_lies_and_the_rest_is_expected_there(name: str) -> None:
    made = layout.load(name)
    ways = turns(made)
    assert len(ways) == (8 if made.shape == "square" else 12)
    assert all(place == there for place, there in ways[0].places.items())
    pixels = {(p.name, n): pixel for p in made.places.values() for n, pixel in enumerate(p.pixels)}
    for turn in ways:
        assert set(turn.places.values()) == set(made.places)
        truth = {(turn.places[place], n): pixel for (place, n), pixel in pixels.items()}
        ends = Ends(pixels, ways)
        for corner in corners(made):
            assert ends.turn is None
            ends.known[corner, 0] = truth[corner, 0]
        assert ends.turn == turn
        assert ends.complete() == truth


def test_what_changed_places_is_expected_at_each_other_s() -> None:
    spots = {(name, 0): number for number, name in enumerate("abcdef")}
    ends = Ends(spots, ())
    ends.known["a", 0] = 1
    assert ends.guess(("b", 0)) == 0
    ends.known["b", 0] = 2
    assert ends.guess(("c", 0)) == 0
    ends.gone.add(0)
    assert ends.guess(("c", 0)) is None
    assert ends.complete() == {**spots, ("a", 0): 1, ("b", 0): 2, ("c", 0): 0}


def test_only_three_names_are_asked_for_where_nothing_but_the_board_is_turned() -> None:
    workshop = Workshop("square-reed")
    text = workshop.text
    for seed in range(1, 200):
        truth = built(text, seed)
        ends = Ends({(c, 0): truth.places[c].pixels[0] for c in truth.cells}, ())
        found = [
            turn
            for turn in turns(workshop.believed)[1:]
            if all(
                truth.places[turn.places[p.name]].pixels == p.pixels
                for p in workshop.believed.places.values()
            )
        ]
        if found and ends:
            break
    workshop = Workshop("square-reed", seed)
    assert same(workshop.calibrated().layout, workshop.truth)
    assert workshop.hands.asked.count("where") == 3


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
    assert [chip.address for chip in result.layout.expanders] == [0x21, 0x22, 0x23, 0x24, 0x25]
    assert wires(result.layout)["a1"] == ("0x25", 0)
    assert "does not answer" in workshop.hands.heard[0].text


# ---- what is wrong


def causes(result: Result) -> list[tuple[str, str]]:
    return [(finding.cause, finding.part) for finding in result.findings]


@pytest.mark.parametrize("seed", [None, 3, 4])
def test_two_chips_at_one_address_are_found_and_once_mended_the_rest_is_asked_for(
    seed: int | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    workshop = Workshop("square-reed", seed, "address-shared")
    assert workshop.command(tmp_path) == 1
    told = capsys.readouterr().out
    assert "Both chips have the address 0x20." in told
    assert "Tie the address pins of 0x21" in told
    assert "The layout is not written" in told
    assert [file.name for file in tmp_path.iterdir()] == [progress.FILE]
    workshop.wires.moved.clear()
    workshop.hands = Hands(workshop.wires)
    assert workshop.command(tmp_path) == 0
    assert 14 <= len(set(workshop.hands.put)) <= 28
    assert same(layout.load(tmp_path / "square-reed.toml"), workshop.truth)
    assert [file.name for file in tmp_path.iterdir()] == ["square-reed.toml"]


@pytest.mark.parametrize(
    ("fault", "name", "found"),
    [
        ("sensor-dead", "square-reed", [("sensor-dead", "A1")]),
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


def test_a_board_whose_sensors_all_lie_face_down_gets_the_figure_for_it() -> None:
    workshop = Workshop("hex-hall", 1, "upside-down")
    result = workshop.calibrated()
    assert result.findings == ()
    assert result.layout.hall is not None
    assert result.layout.hall.millitesla_per_count == pytest.approx(-0.43)


def test_exchanged_wires_are_named() -> None:
    workshop = Workshop("square-reed")
    swapped = workshop.text.replace('"A1"', '"?"').replace('"B1"', '"A1"').replace('"?"', '"B1"')
    chips, _, _ = swapped.partition("[cells]")
    workshop.truth = layout.parse(chips + "[cells]" + workshop.text.partition("[cells]")[2], "x")
    workshop.wires = SimulatedWires(board_with_scatter(workshop.truth))
    workshop.hands = Hands(workshop.wires)
    result = workshop.calibrated()
    assert same(result.layout, workshop.truth)
    assert render(result.said[-1]) == "Exchanged wires: A1 0x20 GPA1, B1 0x20 GPA0."


# ---- a power cut


@pytest.mark.parametrize("asked", [1, 4, 12, 90, 150])
def test_it_goes_on_where_it_was_broken_off(asked: int, tmp_path: Path) -> None:
    workshop = Workshop("hex-hall", 3)
    workshop.hands.stop_after = asked
    with pytest.raises(KeyboardInterrupt):
        workshop.command(tmp_path)
    before = set(workshop.hands.put[:-1])
    workshop.wires.board.load({})
    workshop.hands = Hands(workshop.wires)
    assert workshop.command(tmp_path) == 0
    assert same(layout.load(tmp_path / "hex-hall.toml"), workshop.truth)
    assert not before & set(workshop.hands.put)
    assert ("colour" in workshop.hands.asked) == (asked < 6)
    zeros = hall_zeros.read(tmp_path, workshop.truth)
    assert zeros.keys() == wires(workshop.truth).keys()


KILLED = """\
import os, signal, sys
from pathlib import Path
from firmware_host.calibrate.command import calibrate
sys.path.insert(0, sys.argv[2])
from test_calibrate import Hands, Workshop

class Cut(Hands):
    def ask(self, question, happened=None):
        if len(self.put) > 20:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().ask(question, happened)

workshop = Workshop("square-reed", 2)
workshop.hands = Cut(workshop.wires)
workshop.command(Path(sys.argv[1]))
"""


def test_a_kill_in_the_middle_costs_one_magnet(tmp_path: Path) -> None:
    here = str(Path(__file__).parent)
    done = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path), here])
    assert done.returncode == -9
    kept = json.loads((tmp_path / progress.FILE).read_text(encoding="utf-8"))
    assert len(kept["seen"]) == 20
    workshop = Workshop("square-reed", 2)
    assert workshop.command(tmp_path) == 0
    assert not set(kept["seen"]) & set(workshop.hands.put)
    assert same(layout.load(tmp_path / "square-reed.toml"), workshop.truth)


@pytest.mark.parametrize("kept", ["", "{", '{"board": "another", "seen": {}}', '{"board": 1}'])
def test_what_is_kept_of_nothing_or_of_another_board_is_begun_anew(
    kept: str, tmp_path: Path
) -> None:
    (tmp_path / progress.FILE).write_text(kept, encoding="utf-8")
    workshop = Workshop("hex-reed", 1)
    assert workshop.command(tmp_path) == 0
    assert same(layout.load(tmp_path / "hex-reed.toml"), workshop.truth)


# ---- files


@pytest.mark.parametrize("name", layout.NAMES)
def test_a_layout_that_is_written_is_the_one_that_was_read(name: str) -> None:
    text = toml_text(tomllib.loads(layout.source(name)[0]))
    assert layout.parse(text, "x.toml") == layout.load(name)


def test_zeros_are_those_of_their_board_or_none(tmp_path: Path) -> None:
    made = layout.load("hex-hall")
    assert hall_zeros.read(tmp_path, made) == {}
    zeros = hall_zeros.HallZeros("hex-hall", {"a1": 120})
    (tmp_path / hall_zeros.FILE).write_text(hall_zeros.text(zeros), encoding="utf-8")
    assert hall_zeros.read(tmp_path, made) == {"a1": 120}
    assert hall_zeros.read(tmp_path, layout.load("square-hall")) == {}
    (tmp_path / hall_zeros.FILE).write_text("{", encoding="utf-8")
    with pytest.raises(ValueError, match="lampion calibrate writes it anew"):
        hall_zeros.read(tmp_path, made)


# ---- the command


def test_the_command_shows_what_is_otherwise_and_where_it_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["calibrate", "--layout", "square-hall", "--state", str(tmp_path)]
    assert main([*arguments, "--sim", "2"]) == 0
    told = capsys.readouterr().out
    assert "The sensors lie like this: turned anticlockwise by 90°" in told
    assert '   -order = "GRB"\n   +order = "BRG"\n' in told
    assert "Nothing wrong was found." in told
    assert f'layout = "{tmp_path}/square-hall.toml"' in told
    assert "The zeros of 129 Hall sensors: " in told
    assert main([*arguments[:1], "--sim", "--layout", "no-such"]) == 1
    assert "no layout 'no-such'" in capsys.readouterr().err


def test_the_configuration_says_which_board_and_where_to_keep_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "lampion.toml"
    file.write_text(f'layout = "hex-reed"\nstate = "{tmp_path}/kept"\n', encoding="utf-8")
    assert main(["calibrate", "--config", str(file), "--sim", "--language", "cs"]) == 0
    assert (tmp_path / "kept" / "hex-reed.toml").exists()
    assert "Nothing wrong was found." not in capsys.readouterr().out


# ---- a person at the terminal


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A terminal whose keys a test presses."""
    keys, terminal = pty.openpty()
    with os.fdopen(terminal, "r", encoding="utf-8") as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        yield lambda text: os.write(keys, text.encode())
    os.close(keys)


def test_what_has_happened_needs_no_key_and_a_key_needs_nothing_to_happen(typed: Any) -> None:
    question = Question("put", say("Put it down."), (DONE, say("other"), say("none")))
    looks = iter([False, False, True])
    assert AtTheTerminal().ask(question, lambda: next(looks)) == 0
    typed("9\n3\n")
    assert AtTheTerminal().ask(question, lambda: False) == 2
    typed("\x04")
    with pytest.raises(EOFError):
        AtTheTerminal().ask(question, lambda: False)


def test_a_place_is_named_in_capitals_or_not(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    lines = iter(["Z9", "b4", ""])
    monkeypatch.setattr("builtins.input", lambda _: next(lines))
    question = Question("where", say("Where?"), ())
    assert AtTheTerminal().choose(question, ["A1", "B4"]) == "B4"
    assert "There is no z9 on this board." in capsys.readouterr().out
    assert AtTheTerminal().choose(question, ["A1", "B4"]) == ""
