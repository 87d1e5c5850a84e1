"""`lampion doctor` as people run it: words, languages, reports, watching."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from firmware_host.__main__ import main
from firmware_host.cli import doctor as command
from firmware_host.config.board import Devices
from firmware_host.doctor import report
from firmware_host.doctor.asking import AtTheTerminal, answered
from firmware_host.doctor.bench import chosen_board
from firmware_host.doctor.examination import Examination, ask, examine, flash
from firmware_host.doctor.light_checks import light_findings
from firmware_host.i18n.messages import LANGUAGES, translations
from hardware import layout
from hardware.simulated.faults import FAULTS
from tests.support.bench import CAUSES, CONFIG, REED, FakePi, Patient
from tests.support.sampling import all_but


@pytest.fixture
def pi(tmp_path: Path) -> FakePi:
    return FakePi(tmp_path)


# ---- the command


@pytest.fixture
def doctor(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str]]:
    def run(*arguments: str) -> tuple[int, str]:
        code = main(["doctor", *arguments])
        return code, capsys.readouterr().out

    return run


def test_the_command_ends_with_0_where_all_is_well_and_with_1_where_not(doctor: Any) -> None:
    code, told = doctor("--sim", "--layout", "hex-hall")
    assert code == 0
    assert "Board: hex-hall" in told
    assert "0x27 found" in told
    assert "I2C runs at 400 kHz." in told
    assert "Nothing wrong was found." in told
    code, told = doctor("--sim", "--layout", "hex-reed", "--break", "chip-missing")
    assert code == 1
    assert "0x21 not yet" in told
    assert "1 finding:" in told
    assert "\n1. 0x21 does not answer; others do.\n" in told
    assert "   → Its address pins are A2 A1 A0 = 001." in told


def test_lights_and_pins_ask(doctor: Any) -> None:
    code, told = doctor("lights", "--sim", "--break", "colour-order")
    assert (code, 'order = "RGB"' in told) == (1, True)
    code, told = doctor("pins", "--sim", "--break", "buttons-swapped")
    assert (code, "Two buttons are exchanged." in told) == (1, True)
    assert doctor("lights", "--sim")[0] == doctor("pins", "--sim")[0] == 0


def test_findings_as_json(doctor: Any) -> None:
    code, told = doctor("--sim", "--json", "--break", "int-cut", "--break", "button-down")
    given = json.loads(told)
    assert code == 1
    assert given["healthy"] is False
    assert [(f["number"], f["cause"]) for f in given["findings"]] == [
        (1, "int-dead"),
        (2, "button-held"),
    ]
    assert given["chips"]["0x20"] == "answers"
    assert given["unknown"]


def test_findings_in_other_languages(doctor: Any) -> None:
    told = {
        language: doctor("--sim", "--break", "int-cut", "--language", language)[1]
        for language in LANGUAGES
    }
    assert len(set(told.values())) == len(LANGUAGES)
    assert all("GPIO4 (pin 7)" in each for each in told.values())


def test_every_finding_has_its_sentences_in_every_language(pi: FakePi) -> None:
    found = [
        f for fault, name, what, _ in CAUSES for f in Patient(name, fault).examined(what).findings
    ]
    for language in [each for each in LANGUAGES if each != "en"]:
        catalogue = translations(language)
        for finding in found:
            for message in (finding.measured, finding.means, *finding.do):
                assert catalogue.gettext(message.text) != message.text, (language, message.text)


def test_a_report_has_versions_board_and_findings_and_nobody_s_name(
    pi: FakePi, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "ada"))
    pi.closed.add("spidev0.0")
    pi.put("boot/firmware/config.txt", CONFIG + f"# by ada\nhdmi_edid={tmp_path}/ada/edid\n")
    file = tmp_path / "report.json"
    report.write(file, examine(pi.system, Patient(REED).bench), pi.system)
    text = file.read_text(encoding="utf-8")
    given = json.loads(text)
    assert given["layout"] == REED
    assert given["pi"]["model"] == "Raspberry Pi 4 Model B Rev 1.4"
    assert given["pi"]["config"]["core_freq"] == "500"
    assert given["versions"]["lampion"]
    assert [each["cause"] for each in given["findings"]] == ["spi-group"]
    assert "ada" not in text
    assert str(tmp_path) not in text


def test_the_command_writes_a_report(doctor: Any, tmp_path: Path) -> None:
    file = tmp_path / "r.json"
    code, said = doctor("--sim", "--report", str(file))
    assert (code, said.splitlines()[-1]) == (
        0,
        f"The report is in {file}: attach it when you ask for help.",
    )
    assert json.loads(file.read_text(encoding="utf-8"))["healthy"] is True
    assert doctor("--sim", "--report", str(tmp_path / "no" / "r.json"))[0] == 1


def test_the_board_comes_from_the_configuration(doctor: Any, tmp_path: Path) -> None:
    file = tmp_path / "lampion.toml"
    file.write_text('layout = "hex-reed"\n', encoding="utf-8")
    assert "Board: hex-reed" in doctor("--sim", "--config", str(file))[1]
    file.write_text('[gpio]\ninterrupt = "GPIO20"\n', encoding="utf-8")
    assert "Board: square-reed" in doctor("--sim", "--config", str(file))[1]
    choice = chosen_board(None, str(file), simulated=True)
    assert choice.board.interrupt_gpio == 20


@pytest.mark.parametrize(
    ("text", "words"),
    [("port = 1\n", "lampion.toml: port: there is no such key"), ("layout = [", "lampion.toml: ")],
)
def test_a_configuration_or_a_fault_that_cannot_be_is_refused(
    text: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "lampion.toml"
    file.write_text(text, encoding="utf-8")
    assert main(["doctor", "--sim", "--config", str(file)]) == 1
    assert words in capsys.readouterr().err
    assert main(["doctor", "--layout", REED, "--break", "int-cut"]) == 1
    assert "say --sim" in capsys.readouterr().err
    assert main(["doctor", "--sim", "--layout", REED, "--break", "no-bleeder"]) == 1
    assert "square-reed has no Hall sensors to break" in capsys.readouterr().err


def test_the_faults_of_a_simulated_board_can_be_listed(doctor: Any, capsys: Any) -> None:
    code, told = doctor("--break", "list")
    assert (code, told.split()) == (0, list(FAULTS))
    assert main(["doctor", "--sim", "--break", "rust"]) == 1
    assert "no fault 'rust'" in capsys.readouterr().err


def test_prepare_prints_the_lines_that_are_needed(
    pi: FakePi, capsys: pytest.CaptureFixture[str]
) -> None:
    def lines() -> list[str]:
        command.prepare(pi.system, layout.load(REED), "en", Devices())
        return capsys.readouterr().out.splitlines()

    assert lines() == [
        "# /boot/firmware/config.txt (Raspberry Pi 4 Model B Rev 1.4)",
        "dtparam=i2c_arm=on,i2c_arm_baudrate=400000   # is there",
        "dtparam=spi=on   # is there",
        "core_freq=500   # is there",
        "core_freq_min=500   # is there",
        "dtoverlay=gpio-shutdown,gpio_pin=26   # is there",
        "# Then restart: sudo reboot",
    ]
    pi.put("proc/device-tree/model", "Raspberry Pi 3 Model B Rev 1.2")
    pi.put("boot/firmware/config.txt", "[pi4]\ndtparam=spi=on\n")
    assert lines()[1:6] == [
        "[all]",  # otherwise they would hold for a Pi 4 only
        "dtparam=i2c_arm=on,i2c_arm_baudrate=400000",
        "dtparam=spi=on",
        "core_freq=250",
        "dtoverlay=gpio-shutdown,gpio_pin=26",
    ]
    assert pi.system.lines(1, 5000)["boot/firmware/cmdline.txt"] == ("spidev.bufsiz=32768",)
    pi.drop("boot/firmware/config.txt")
    pi.put("boot/config.txt", "")
    assert lines()[0].startswith("# /boot/config.txt")


def test_prepare_writes_what_is_missing_and_keeps_the_rest(
    pi: FakePi, capsys: pytest.CaptureFixture[str]
) -> None:
    old = b"# caf\xe9\narm_64bit=1\ndtparam=spi=on\n[pi5]\nusb_max_current_enable=1\n\n"
    path = pi.system.root / "boot/firmware/config.txt"
    path.write_bytes(old)
    pi.put("boot/firmware/cmdline.txt", "console=tty1 root=PARTUUID=1 rootwait\n# old\n")
    board = replace(layout.load(REED), led_positions=layout.load(REED).led_positions * 8)

    def lines() -> list[str]:
        command.prepare(pi.system, board, "en", Devices(), write=True)
        return capsys.readouterr().out.splitlines()

    told = [line for line in lines() if not line.startswith("#")]
    assert len(told) == 6
    assert all(line.endswith("   # is there") for line in told)
    assert path.read_bytes() == old.rstrip() + (
        b"\n[all]\ndtparam=i2c_arm=on,i2c_arm_baudrate=400000\ncore_freq=500\ncore_freq_min=500\n"
        b"dtoverlay=gpio-shutdown,gpio_pin=26\n"
    )
    commands = pi.system.root / "boot/firmware/cmdline.txt"
    first = "console=tty1 root=PARTUUID=1 rootwait spidev.bufsiz=32768\n"
    assert commands.read_text() == f"{first}# old\n"
    before = path.read_bytes(), commands.read_bytes()
    lines()
    assert (path.read_bytes(), commands.read_bytes()) == before


def test_prepare_writes_only_on_a_pi(pi: FakePi, capsys: pytest.CaptureFixture[str]) -> None:
    pi.drop("boot/firmware/config.txt")
    with pytest.raises(ValueError, match=r"config\.txt: there is no such file; is this a Raspb"):
        command.prepare(pi.system, layout.load(REED), "en", Devices(), write=True)
    assert main(["doctor", "--write", "--layout", REED]) == 1
    assert "say --prepare, too" in capsys.readouterr().err


def test_watching_prints_new_lines(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    patient = Patient("hex-reed", "all-chips-missing")

    def plug() -> Iterator[None]:
        for address in (0x20, 0x21):
            patient.wires.board.plug_in(address)
            yield
        raise KeyboardInterrupt

    steps = plug()
    monkeypatch.setattr(command.time, "sleep", lambda _: next(steps))
    assert command.watch(None, patient.bench, "en") == 0
    told = capsys.readouterr().out.splitlines()
    assert told.index("0x20 not yet") < told.index("0x20 found") < told.index("0x21 found")
    assert told.count("Board: hex-reed") == told.count("0x22 not yet") == 1


def test_each_magnet_lights_its_cell() -> None:
    patient = Patient("hex-hall")
    board = patient.wires.board
    board.put("e5")
    flash(patient.bench, patient.person, looks=3)
    (pixel,) = board.layout.places["e5"].pixels
    assert [n for n, levels in enumerate(patient.wires.strip.pixels) if any(levels)] == [pixel]


def test_a_person_at_the_terminal_answers_by_number(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Green and blue light of a red one: typed as 2 and 3, after something that is no answer."""
    typed = iter(["9", "2", "1", "3", "", "", ""])
    monkeypatch.setattr("builtins.input", lambda _: next(typed))
    patient = Patient(REED)
    (finding,) = answered(light_findings(patient.bench), AtTheTerminal())
    assert (finding.cause, finding.part) == ("colour-order", "RGB")
    assert "1 red   2 green   3 blue" in capsys.readouterr().out
    monkeypatch.setattr("builtins.input", lambda _: (_ for _ in ()).throw(EOFError))
    found = Examination(patient.bench.layout)
    with pytest.raises(OSError, match="run it at a terminal"):
        ask(found, "lights", patient.bench, AtTheTerminal())


GUIDE = (Path(__file__).parents[2] / "docs" / "building.md").read_text("utf-8")
JOURNEY = [
    line.strip() for line in GUIDE.splitlines() if line.startswith(("   lampion ", "    lampion "))
]


@pytest.mark.parametrize("name", all_but(layout.NAMES, ["square-hall", "hex-reed"]))
@pytest.mark.parametrize("line", JOURNEY)
def test_every_command_of_the_builder_s_steps_runs(
    line: str, name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Any
) -> None:
    assert len(JOURNEY) >= 7
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))

    def enough(_: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(command.time, "sleep", enough)
    words = line.split()[1:]
    words[words.index("square-reed")] = name
    assert main([*words, "--sim"] if words[0] in ("doctor", "calibrate") else words) == 0
    assert name in capsys.readouterr().out or "--prepare" in words


SHOWN = [
    [line.strip() for line in block.strip().splitlines()]
    for block in re.findall(r"```\n( +\$ lampion .*?)```", GUIDE, re.DOTALL)
    if "--lan" not in block  # which waits for a phone
]


@pytest.mark.parametrize("block", SHOWN, ids=lambda block: block[0])
def test_what_the_builder_s_steps_show_is_what_is_printed(
    block: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    assert len(SHOWN) == 2  # the output of other steps is drawn as terminals
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    command_line, *shown = block
    assert main(command_line.split()[2:]) == 1
    printed = iter(line.strip() for line in capsys.readouterr().out.splitlines())
    for before, line in zip(["", *shown], shown, strict=False):
        if line != "…":
            found = next(printed) if before != "…" else next(p for p in printed if p == line)
            assert found == line
    assert shown[-1] == "…" or list(printed) == []
