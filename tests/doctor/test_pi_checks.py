"""The findings of `lampion doctor` about a Pi, from files below a folder and from a Pi's pins."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory

from firmware_host.cli import doctor
from firmware_host.config.board import Devices
from firmware_host.doctor import bench
from firmware_host.doctor.asking import AtASimulatedBoard
from firmware_host.doctor.bench import PiBench, chosen_board, coding
from firmware_host.doctor.examination import ask, examine
from firmware_host.i18n.messages import render
from hardware import layout
from hardware.pi.raspberry_pi import HeaderPins
from hardware.sensing import Fault
from hardware.simulated.faults import board_with_scatter
from hardware.simulated.wires import SimulatedWires, WiredBus
from tests.support.bench import CONFIG, REED, FakePi


@pytest.fixture
def pi(tmp_path: Path) -> FakePi:
    return FakePi(tmp_path)


Change = Callable[[FakePi], None]


def all_of(*changes: Change) -> Change:
    def change(pi: FakePi) -> None:
        for each in changes:
            each(pi)

    return change


def file(path: str, text: str) -> Change:
    return lambda pi: pi.put(path, text)


def model(text: str, kernel: str = "6.12.25") -> Change:
    return all_of(
        file("proc/device-tree/model", f"{text}\0"), file("proc/sys/kernel/osrelease", kernel)
    )


def config(old: str, new: str = "") -> Change:
    assert old in CONFIG
    return file("boot/firmware/config.txt", CONFIG.replace(old, new))


def missing(path: str) -> Change:
    return lambda pi: pi.drop(path)


def closed(device: str, user: str = "ada") -> Change:
    def change(pi: FakePi) -> None:
        pi.closed.add(device)
        pi.user = user

    return change


def log(text: str) -> Change:
    return lambda pi: setattr(pi, "log", text)


I2C_LINE = "dtparam=i2c_arm=on,i2c_arm_baudrate=400000\n"
NO_I2C = all_of(config(I2C_LINE), missing("dev/i2c-1"))
TIMED_OUT = "[7.1] i2c-bcm2835 fe8.i2c: i2c transfer timed out\n"
OTHER_TIMED_OUT = "[9.2] i2c_designware 1f0.i2c: controller timed out\n"
THROTTLED = "sys/devices/platform/soc/soc:firmware/get_throttled"


@pytest.mark.parametrize(
    ("change", "cause", "words"),
    [
        (model("Some board"), "no-pi", "lampion doctor --sim"),
        (NO_I2C, "i2c-off", f"Put this line into /boot/firmware/config.txt: {I2C_LINE.strip()}"),
        (log(2 * TIMED_OUT), "i2c-timeouts", "log has 2 transfers on I2C that timed out"),
        (log(OTHER_TIMED_OUT), "i2c-timeouts", "log has 1 transfer on I2C that timed out"),
        (
            log("[3.9] hwmon hwmon1: Undervoltage detected!\n"),
            "under-voltage",
            "has had too little voltage since it started",
        ),
        (missing("dev/i2c-1"), "i2c-off", "takes effect only after a restart"),
        (
            all_of(NO_I2C, file("boot/config.txt", I2C_LINE)),
            "i2c-off",
            "The line is in /boot/config.txt, which this Pi does not read.",
        ),
        (
            all_of(config("dtparam=spi=on\n"), missing("dev/spidev0.0")),
            "spi-off",
            "config.txt: dtparam=spi=on",
        ),
        (closed("i2c-1"), "i2c-group", "Log out and in again."),
        (closed("spidev0.0", "eve"), "spi-group", "sudo usermod -aG spi $USER, then log in again"),
        (closed("gpiochip0"), "gpio-group", "not in the group gpio"),
        (missing("dev/gpiochip0"), "gpio-off", "sudo apt full-upgrade"),
        (config("core_freq_min=500\n"), "core-freq", "core_freq_min=500 is not in /boot"),
        (model("Raspberry Pi 3 Model B Plus Rev 1.3"), "core-freq", "core_freq=250"),
        (model("Raspberry Pi Zero 2 W Rev 1.0"), "core-freq", "core_freq=250"),
        (model("Raspberry Pi 5 Model B Rev 1.0", "6.6.31"), "pi5-kernel", "with kernel 6.6"),
        (file(THROTTLED, "50005\n"), "under-voltage", "too little voltage now"),
        (file(THROTTLED, "0x50000"), "under-voltage", "since it started"),
        (missing(THROTTLED), "under-voltage", "too little voltage now"),
        (
            file("sys/module/spidev/parameters/bufsiz", "512\n"),
            "spidev-buffer",
            "spidev.bufsiz=32768",
        ),
    ],
)
def test_findings_about_a_pi_say_what_to_do(
    pi: FakePi, change: Change, cause: str, words: str
) -> None:
    assert pi.findings() == []
    pi.vcgencmd = "throttled=0x50005\n"  # counts only if the kernel has no file
    change(pi)
    (finding,) = pi.findings()
    assert finding.cause == cause
    assert words in " ".join(map(render, (finding.measured, finding.means, *finding.do)))


def test_a_newer_pi_needs_no_fixed_clock(pi: FakePi) -> None:
    model("Raspberry Pi 5 Model B Rev 1.0")(pi)
    config("core_freq=500\ncore_freq_min=500\n")(pi)
    assert pi.findings() == []


def put_lines(pi: FakePi) -> list[str]:
    """Return the lines that the findings tell to add to config.txt."""
    said = [render(do) for finding in pi.findings() for do in finding.do]
    return [each.partition("config.txt: ")[2] for each in said if each.startswith("Put this line")]


@pytest.mark.parametrize(
    "name",
    [
        "Raspberry Pi 4 Model B Rev 1.4",
        "Raspberry Pi 400 Rev 1.0",
        "Raspberry Pi Compute Module 4 Rev 1.0",
        "Raspberry Pi 3 Model B Plus Rev 1.3",
        "Raspberry Pi Zero 2 W Rev 1.0",
        "Raspberry Pi 5 Model B Rev 1.0",
    ],
)
@pytest.mark.parametrize("text", ["", "[pi1]\n", "[none]\n# nothing\n", "[EDID=VSC-TD2220]\n"])
def test_what_it_prints_is_enough_once_it_has_been_put_there(
    pi: FakePi, name: str, text: str
) -> None:
    model(name)(pi)
    pi.put("boot/firmware/config.txt", text)
    lines = put_lines(pi)
    assert lines
    assert all(line == "[all]" or line.count("=") < 4 for line in lines)
    assert not any(" " in line for line in lines)
    pi.put("boot/firmware/config.txt", text + "\n".join(lines))
    assert pi.findings() == []


PI_4 = "4 Model B Rev 1.4"
HOLD = {
    PI_4: "[pi4] | [PI4] | [pi3] [pi4] | [board-type=0x11] | [board-type=17] | [all] | [HDMI:0] | "
    "[pi3] [board-type=0x11] | [none] [all] | [EDID=VSC-TD2220] [all] [pi4] | [0x12345678]",
    "400 Rev 1.0": "[pi400] | [pi4]",
    "Compute Module 4 Rev 1.1": "[cm4] | [pi4]",
    "Compute Module 4S Rev 1.0": "[cm4s]",
    "Compute Module 3 Plus Rev 1.0": "[pi3]",
    "Compute Module 5 Rev 1.0": "[cm5]",
    "500 Rev 1.0": "[pi500]",
    "Compute Module Rev 1.0": "[pi1]",
    "Model B Plus Rev 1.2": "[pi1]",
    "2 Model B Rev 1.1": "[pi2]",
    "3 Model B Rev 1.2": "[pi3]",
    "3 Model B Plus Rev 1.3": "[pi3+] | [pi3]",
    "Zero 2 W Rev 1.0": "[pi02] | [pi0w] | [pi0]",
    "Zero W Rev 1.1": "[pi0w]",
}
"""The filters below which a line holds, by the Pi."""
HOLD_NOT = {
    PI_4: "[pi3] | [pi400] | [cm4] | [pi4] [pi3] | [board-type=0x14] | [board-type=x] | [none] | "
    "[none] [pi4] | [tryboot] | [EDID=VSC-TD2220] | [EDID=VSC-TD2220] [pi4] | [0x1234567] | "
    "[0x12345678] [pi3] | [gpio4=1] | [gpio4=1] [pi4] | [HDMI:1] [pi3] | [partition=2] | "
    "[what may come]",
    "Compute Module 4 Rev 1.1": "[cm4s]",
    "3 Model B Rev 1.2": "[pi3+]",
    "Zero 2 W Rev 1.0": "[pi3]",
    "Zero W Rev 1.1": "[pi02]",
    "Zero Rev 1.3": "[pi0w]",
}


@pytest.mark.parametrize(
    ("name", "filters", "holds"),
    [
        (name, filters, holds)
        for holds, known in ((True, HOLD), (False, HOLD_NOT))
        for name, several in known.items()
        for filters in several.split(" | ")
    ],
)
def test_a_line_below_filters_holds_for_the_pis_that_they_name(
    pi: FakePi, name: str, filters: str, holds: bool
) -> None:
    model(f"Raspberry Pi {name}")(pi)
    pi.put("proc/cpuinfo", "Serial\t\t: 1000000012345678\n")
    below = "\n".join(filters.replace("] [", "]|[").split("|"))
    pi.put("boot/firmware/config.txt", f"dtparam=audio=on\n{below}\n  core_freq=321 # so\n")
    settings = pi.system.settings("boot/firmware/config.txt")
    assert ("core_freq" in settings) is holds
    assert settings["audio"] == "on"


def test_the_type_of_a_board_is_that_of_its_revision(pi: FakePi) -> None:
    pi.put("proc/cpuinfo", "Revision\t: a03140\nSerial\t\t: 10000000deadbeef\n")
    pi.put("boot/firmware/config.txt", "[board-type=0x14]\ncore_freq=500\n[0xdeadbeef]\nx=1\n")
    assert pi.system.settings("boot/firmware/config.txt") == {"core_freq": "500", "x": "1"}


def test_included_files_and_an_overlay_s_own_lines_count(pi: FakePi) -> None:
    config("core_freq=500\n", "include more.txt\n")(pi)
    pi.put("boot/firmware/more.txt", "core_freq=500\ninclude more.txt\n")
    assert pi.findings() == []
    config("gpio-shutdown,gpio_pin=26\n", "gpio-shutdown\ndtparam=gpio_pin=26\n")(pi)
    assert pi.findings() == []


def test_the_button_that_switches_off_is_the_system_s(pi: FakePi, tmp_path: Path) -> None:
    line = "dtoverlay=gpio-shutdown,gpio_pin=26"
    config(line)(pi)
    (finding,) = pi.findings()
    assert finding.cause == "shutdown-off"
    assert render(finding.measured).startswith("The button shutdown (GPIO26 (pin 37)) does nothing")
    assert f"config.txt: {line}" in render(finding.do[0])
    config(line, line.replace("26", "16"))(pi)
    assert [finding.cause for finding in pi.findings()] == ["shutdown-off"]
    config(line, f"{line},gpio_pull=up,debounce=200")(pi)
    assert pi.findings() == []
    pi.put("etc/systemd/logind.conf", "[Login]\n#HandlePowerKey=poweroff\n")
    assert pi.findings() == []
    pi.put("etc/systemd/logind.conf.d/90-key.conf", "[Login]\nHandlePowerKey=ignore\n")
    (finding,) = pi.findings()
    assert finding.cause == "power-key"
    assert "HandlePowerKey=ignore" in render(finding.measured)
    file = tmp_path / "lampion.toml"
    file.write_text('[buttons]\nshutdown = "GPIO16"\n', encoding="utf-8")
    choice = chosen_board(None, str(file), simulated=False)
    assert pi.system.lines(1, 0, choice.board.shutdown_gpio)["boot/firmware/config.txt"][-1] == (
        "dtoverlay=gpio-shutdown,gpio_pin=16"
    )


def test_a_pin_that_something_else_has_is_one_finding(
    pi: FakePi, monkeypatch: pytest.MonkeyPatch
) -> None:
    wires = SimulatedWires(board_with_scatter(layout.load(REED)))
    fault = Fault("taken", "GPIO4 (pin 7), INT", "x", holder="dtoverlay=w1-gpio (onewire@4)")
    monkeypatch.setattr(SimulatedWires, "taken", (fault,))
    wires.int_line = "cut"  # it is not reported
    (finding,) = examine(pi.system, bench.SimulatedBench(wires)).findings
    assert finding.cause == "pin-taken"
    said = " ".join(map(render, (finding.measured, finding.means, *finding.do)))
    assert "GPIO4 (pin 7), INT" in said
    assert "dtoverlay=w1-gpio" in said
    assert "from config.txt" in said


def test_a_device_that_does_not_open_is_one_finding(pi: FakePi) -> None:
    """Without a bus, a finding about the Pi says why, or the error itself is the finding."""
    pi.drop("dev/i2c-1")
    pi.drop("dev/spidev0.0")
    found = examine(pi.system, PiBench(layout.load(REED)))
    assert found.causes == ["i2c-off", "spi-off"]
    assert set(found.chips.values()) == {""}
    pi.put("dev/i2c-1", "")
    pi.put("dev/spidev0.0", "")
    i2c, spi = examine(pi.system, PiBench(layout.load(REED))).findings
    assert (i2c.cause, spi.cause) == ("i2c-fails", "spi-fails")
    assert "/dev/i2c-1" in render(i2c.measured)
    assert "/dev/spidev0.0" in render(spi.measured)


def test_a_missing_library_for_the_pins_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    wires = SimulatedWires(board_with_scatter(layout.load(REED)))

    def without(_: layout.Layout, chip: int | None) -> HeaderPins:
        raise ImportError("No module named 'gpiozero'")

    monkeypatch.setattr(bench, "open_i2c", lambda _: wires.bus)
    monkeypatch.setattr(bench, "HeaderPins", without)
    monkeypatch.setattr(bench, "open_chain", lambda *_: SimulatedDevice(wires))
    (finding,) = examine(None, PiBench(layout.load(REED))).findings
    assert finding.cause == "gpio-fails"
    assert "No module named 'gpiozero'; sudo make install" in render(finding.measured)


def test_the_devices_of_the_configuration_are_opened_and_named(pi: FakePi, tmp_path: Path) -> None:
    file = tmp_path / "lampion.toml"
    file.write_text(
        '[i2c]\nbus = 87\n[leds]\ndevice = "/dev/spidev9.1"\nbits = 4\n[gpio]\nchip = 7\n',
        encoding="utf-8",
    )
    choice = chosen_board(None, str(file), simulated=False)
    board = PiBench(choice.board, choice.devices)
    found = examine(pi.system, board)
    parts = [finding.part for finding in found.findings]
    assert parts == ["/dev/i2c-87", "/dev/spidev9.1", "/dev/gpiochip7"]
    for device in ("i2c-87", "spidev9.1", "gpiochip7"):
        pi.put(f"dev/{device}", "")
    i2c, spi = examine(pi.system, board).findings
    assert "/dev/i2c-87" in render(i2c.measured)
    assert "/dev/spidev9.1" in render(spi.measured)
    assert coding(board).clock_hz == 3_200_000


@pytest.mark.parametrize(
    ("bus", "name", "line"),
    [
        (0, "Raspberry Pi 4 Model B", "dtparam=i2c_vc=on,i2c_vc_baudrate=400000"),
        (3, "Raspberry Pi 4 Model B", "dtoverlay=i2c3,baudrate=400000"),
        (3, "Raspberry Pi 5 Model B", "dtoverlay=i2c3-pi5,baudrate=400000"),
    ],
)
def test_the_line_that_is_missing_is_that_of_the_configuration_s_bus(
    pi: FakePi, capsys: pytest.CaptureFixture[str], bus: int, name: str, line: str
) -> None:
    model(name)(pi)
    board = PiBench(layout.load(REED), Devices(i2c=bus))
    (finding,) = (each for each in examine(pi.system, board).findings if "i2c" in each.cause)
    assert render(finding.do[0]).endswith(f"config.txt: {line}")
    lines = f"dtoverlay=disable-bt\n{line}\ndtoverlay=miniuart-bt\n"
    pi.put("boot/firmware/config.txt", CONFIG + lines)
    (finding,) = (each for each in examine(pi.system, board).findings if "i2c" in each.cause)
    assert "It is switched on in" in render(finding.means)
    doctor.prepare(pi.system, board.layout, "en", board.devices)
    assert f"{line}   # is there\n" in capsys.readouterr().out


def test_another_layout_is_looked_at_with_the_devices_of_the_configuration(tmp_path: Path) -> None:
    file = tmp_path / "lampion.toml"
    file.write_text("[i2c]\nbus = 3\n[leds]\nbits = 4\n", encoding="utf-8")
    choice = chosen_board("hex-hall", str(file), simulated=False)
    assert (choice.board.name, choice.config) == ("hex-hall", None)
    assert (choice.devices.i2c, choice.devices.symbol_bits) == (3, 4)


@pytest.mark.parametrize("what", ["lights", "pins"])
def test_nobody_is_asked_about_what_could_not_be_opened(pi: FakePi, what: str) -> None:
    for spoil in (lambda: None, lambda: model("Some board")(pi)):
        spoil()
        board = PiBench(layout.load(REED))
        found = examine(pi.system, board)
        asked = AtASimulatedBoard(board_with_scatter(board.layout))
        before = list(found.findings)
        ask(found, what, board, asked)
        assert found.findings == before


def test_the_pi_s_own_pins_show_what_the_simulated_ones_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """INT is read through HeaderPins, as on a Pi; only the levels come from the simulation."""
    wires = SimulatedWires(board_with_scatter(layout.load(REED)))
    factory = MockFactory()

    class Bus(WiredBus):
        def read_i2c_block_data(self, address: int, register: int, length: int) -> list[int]:
            try:
                return super().read_i2c_block_data(address, register, length)
            finally:
                self.follow()

        def write_i2c_block_data(self, address: int, register: int, data: Any) -> None:
            super().write_i2c_block_data(address, register, data)
            self.follow()

        def follow(self) -> None:
            pin = factory.pin(4)
            (pin.drive_low if wires.interrupt else pin.drive_high)()

    def pins(board: layout.Layout, chip: int | None) -> HeaderPins:
        wires.pulse_reset()
        return HeaderPins(board, pin_factory=factory)

    monkeypatch.setattr(bench, "open_i2c", lambda _: Bus(wires))
    monkeypatch.setattr(bench, "HeaderPins", pins)
    monkeypatch.setattr(bench, "open_chain", lambda *_: SimulatedDevice(wires))
    for cut, causes in ((set(), []), ({0x23}, ["int-cut"])):
        wires.int_cut = cut
        on_the_bench = PiBench(layout.load(REED))
        wires.seconds = 0.0
        monkeypatch.setattr(on_the_bench, "clock", lambda: wires.seconds)
        assert examine(None, on_the_bench).causes == causes
        on_the_bench.close()


class SimulatedDevice:
    def __init__(self, wires: SimulatedWires) -> None:
        self.transfer = wires.strip.transfer

    def close(self) -> None:
        pass
