"""What `lampion doctor` says of a Pi, read below a folder, and through a Pi's own pins."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from at_the_bench import CONFIG, REED, FakePi
from gpiozero.pins.mock import MockFactory

from firmware_host.configured_board import Devices
from firmware_host.doctor import bench, command
from firmware_host.doctor.asking import AtASimulatedBoard
from firmware_host.doctor.bench import PiBench, coding
from firmware_host.doctor.board_choice import chosen_board
from firmware_host.doctor.examination import examine
from firmware_host.words import render
from hardware import layout
from hardware.raspberry_pi import HeaderPins
from hardware.simulated_faults import board_with_scatter
from hardware.simulated_wires import SimulatedWires, WiredBus


@pytest.fixture
def pi(tmp_path: Path) -> FakePi:
    return FakePi(tmp_path)


def model(text: str, kernel: str = "6.12.25") -> Callable[[FakePi], None]:
    def change(pi: FakePi) -> None:
        pi.put("proc/device-tree/model", f"{text}\0")
        pi.put("proc/sys/kernel/osrelease", kernel)

    return change


def config(old: str, new: str = "") -> Callable[[FakePi], None]:
    assert old in CONFIG
    return lambda pi: pi.put("boot/firmware/config.txt", CONFIG.replace(old, new))


def missing(*devices: str) -> Callable[[FakePi], None]:
    def change(pi: FakePi) -> None:
        for device in devices:
            pi.drop(f"dev/{device}")

    return change


def both(*changes: Callable[[FakePi], None]) -> Callable[[FakePi], None]:
    def change(pi: FakePi) -> None:
        for each in changes:
            each(pi)

    return change


I2C_LINE = "dtparam=i2c_arm=on,i2c_arm_baudrate=400000\n"


@pytest.mark.parametrize(
    ("change", "cause", "words"),
    [
        (model("Some board"), "no-pi", "lampion doctor --sim"),
        (
            both(config(I2C_LINE), missing("i2c-1")),
            "i2c-off",
            "Put this line into /boot/firmware/config.txt: " + I2C_LINE.strip(),
        ),
        (
            lambda pi: setattr(
                pi, "log", 2 * "[7.1] i2c-bcm2835 fe8.i2c: i2c transfer timed out\n"
            ),
            "i2c-timeouts",
            "log has 2 transfers on I2C that timed out",
        ),
        (
            lambda pi: setattr(pi, "log", "[9.2] i2c_designware 1f0.i2c: controller timed out\n"),
            "i2c-timeouts",
            "log has 1 transfer on I2C that timed out",
        ),
        (
            lambda pi: setattr(pi, "log", "[3.9] hwmon hwmon1: Undervoltage detected!\n"),
            "under-voltage",
            "had too little voltage since it was started",
        ),
        (missing("i2c-1"), "i2c-off", "holds only from the next start on"),
        (
            both(
                config(I2C_LINE),
                missing("i2c-1"),
                lambda pi: pi.put("boot/config.txt", I2C_LINE),
            ),
            "i2c-off",
            "The line stands in /boot/config.txt, which this Pi does not read.",
        ),
        (
            both(config("dtparam=spi=on\n"), missing("spidev0.0")),
            "spi-off",
            "config.txt: dtparam=spi=on",
        ),
        (lambda pi: pi.closed.add("i2c-1"), "i2c-group", "Log out and in again."),
        (
            both(lambda pi: pi.closed.add("spidev0.0"), lambda pi: setattr(pi, "user", "eve")),
            "spi-group",
            "sudo usermod -aG spi $USER, then log in again",
        ),
        (lambda pi: pi.closed.add("gpiochip0"), "gpio-group", "not in the group gpio"),
        (missing("gpiochip0"), "gpio-off", "sudo apt full-upgrade"),
        (config("core_freq_min=500\n"), "core-freq", "core_freq_min=500 is not in /boot"),
        (model("Raspberry Pi 3 Model B Plus Rev 1.3"), "core-freq", "core_freq=250"),
        (model("Raspberry Pi Zero 2 W Rev 1.0"), "core-freq", "core_freq=250"),
        (model("Raspberry Pi 5 Model B Rev 1.0", "6.6.31"), "pi5-kernel", "with kernel 6.6"),
        (
            lambda pi: pi.put("sys/devices/platform/soc/soc:firmware/get_throttled", "50005\n"),
            "under-voltage",
            "too little voltage now",
        ),
        (
            lambda pi: pi.put("sys/devices/platform/soc/soc:firmware/get_throttled", "0x50000"),
            "under-voltage",
            "since it was started",
        ),
        (
            lambda pi: pi.drop("sys/devices/platform/soc/soc:firmware/get_throttled"),
            "under-voltage",
            "too little voltage now",
        ),
        (
            lambda pi: pi.put("sys/module/spidev/parameters/bufsiz", "512\n"),
            "spidev-buffer",
            "spidev.bufsiz=32768",
        ),
    ],
)
def test_a_pi_that_is_not_ready_is_told_what_to_do(
    pi: FakePi, change: Callable[[FakePi], None], cause: str, words: str
) -> None:
    assert pi.findings() == []
    pi.vcgencmd = "throttled=0x50005\n"  # counts only where the kernel has no file
    change(pi)
    (finding,) = pi.findings()
    assert finding.cause == cause
    assert words in " ".join(map(render, (finding.measured, finding.means, *finding.do)))


def test_a_newer_pi_needs_no_fixed_clock(pi: FakePi) -> None:
    model("Raspberry Pi 5 Model B Rev 1.0")(pi)
    pi.put("boot/firmware/config.txt", CONFIG.split("core_freq")[0])
    assert pi.findings() == []


def test_a_device_that_does_not_open_is_one_finding(pi: FakePi) -> None:
    """No bus: what is said of the Pi says why, or the error itself is the finding."""
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


def test_a_missing_library_for_the_pins_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    wires = SimulatedWires(board_with_scatter(layout.load(REED)))

    def without(_: layout.Layout, chip: int | None) -> HeaderPins:
        raise ImportError("No module named 'gpiozero'")

    monkeypatch.setattr(bench, "open_i2c", lambda _: wires.bus)
    monkeypatch.setattr(bench, "HeaderPins", without)
    monkeypatch.setattr(bench, "open_chain", lambda *_: SimulatedDevice(wires))
    (finding,) = examine(None, PiBench(layout.load(REED), Devices(symbol_bits=3))).findings
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
    command.prepare(pi.system, board.layout, "en", board.devices)
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
        command.ask(found, what, board, asked)
        assert found.findings == before


def test_the_pi_s_own_pins_show_what_the_simulated_ones_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """INT is looked at through HeaderPins, as on a Pi; only the levels come from the simulation."""
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
        on_the_bench = PiBench(layout.load(REED), Devices(symbol_bits=3))
        wires.seconds = 0.0
        monkeypatch.setattr(on_the_bench, "clock", lambda: wires.seconds)
        assert examine(None, on_the_bench).causes == causes
        on_the_bench.close()


class SimulatedDevice:
    def __init__(self, wires: SimulatedWires) -> None:
        self.transfer = wires.strip.transfer

    def close(self) -> None:
        pass
