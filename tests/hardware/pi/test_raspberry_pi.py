"""The wires of a real board, as far as a PC can test them: errors say what to do; the pins."""

from __future__ import annotations

import errno
import subprocess
import sys
import types
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory, MockPin

from drivers import ws2812
from hardware import layout
from hardware.pi import light_chain, raspberry_pi
from hardware.pi.errors import RaspberryPiError
from hardware.pi.light_chain import SpiDevice
from hardware.pi.raspberry_pi import HeaderPins, RaspberryPi
from tests.support.recording_ioctl import Recorder
from tests.support.serial_boards import serial_layout

NO_I2C = 97
"""A bus number that no machine has."""


def test_nothing_of_the_pi_is_imported_until_it_is_asked_for() -> None:
    program = (
        "import sys; import hardware.pi.raspberry_pi, hardware.machine, hardware.simulated.board;"
        "print({'smbus2', 'gpiozero', 'rpi_ws281x', 'serial', 'lgpio'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "set()", "")


@pytest.mark.parametrize(
    ("number", "told"),
    [
        (1, "/dev/i2c-1 is missing: I2C is off: sudo raspi-config"),
        (NO_I2C, "/dev/i2c-97 is missing: i2c.bus is 1 on most boards"),
    ],
)
def test_a_missing_i2c_bus_says_how_to_switch_it_on(
    number: int, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(number: int) -> None:
        raise FileNotFoundError(errno.ENOENT, "No such file or directory")

    monkeypatch.setattr("smbus2.SMBus", none)
    with pytest.raises(RaspberryPiError) as caught:
        raspberry_pi.open_i2c(number)
    assert str(caught.value).startswith(told)


def test_without_its_package_the_bus_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "smbus2", None)
    with pytest.raises(RaspberryPiError, match="sudo make install, or here: pip"):
        raspberry_pi.open_i2c(NO_I2C)


def test_a_bus_has_a_short_time_out(monkeypatch: pytest.MonkeyPatch) -> None:
    class Bus:
        fd = 17

    asked: list[tuple[int, int, int]] = []
    monkeypatch.setitem(sys.modules, "smbus2", types.SimpleNamespace(SMBus=lambda number: Bus()))
    raspberry_pi.open_i2c(1, ioctl=lambda *call: asked.append(call))
    assert asked == [(17, 0x0702, 5), (17, 0x0701, 1)]

    def unknown(*_: object) -> None:
        raise OSError(errno.ENOTTY, "no such setting")

    raspberry_pi.open_i2c(1, ioctl=unknown)


def test_gpiozeros_own_variable_chooses_other_pins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    pins = HeaderPins(layout.load("square-reed"))
    assert pins.held() == frozenset()
    pins.close()


def test_a_board_gives_back_what_it_had_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = []

    class Bus:
        def close(self) -> None:
            closed.append("bus")

    monkeypatch.setattr(raspberry_pi, "open_i2c", lambda _: Bus())
    with pytest.raises(RaspberryPiError, match="none is missing"):
        raspberry_pi.RaspberryPi(layout.load("square-reed"), spi=str(tmp_path / "none"))
    assert closed == ["bus"]


def a_pi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ioctl: Recorder, **how: Any) -> Any:
    """Return the wires of a real board whose SPI goes to `ioctl`, and whose pins do not move."""

    class Bus:
        def close(self) -> None: ...

    path = tmp_path / "spidev0.0"
    path.write_bytes(b"")
    monkeypatch.setattr(raspberry_pi, "open_i2c", lambda _: Bus())
    monkeypatch.setattr(
        light_chain, "SpiDevice", lambda path, coding: SpiDevice(path, coding=coding, ioctl=ioctl)
    )
    made = layout.load("square-reed")
    return RaspberryPi(made, spi=str(path), pin_factory=MockFactory(), **how)


@pytest.mark.parametrize("bits", ws2812.CODINGS)
def test_the_lights_go_out_as_the_board_is_given_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bits: int
) -> None:
    ioctl = Recorder()
    coding = ws2812.CODINGS[bits]
    with a_pi(tmp_path, monkeypatch, ioctl, symbol_bits=bits) as pi:
        machine = pi.machine(brightness=1.0)
        assert machine.needs_polling
        machine.light({"A1": (255, 255, 255)}, 0.0)
        assert machine.pixels[0] == (255, 255, 255)
    shown = [ws2812.decode_frame(data, "GRB", coding) for data, *_ in ioctl.sent]
    assert [pixels[0] for pixels in shown] == [(0, 0, 0), (255, 255, 255), (0, 0, 0)]
    assert set(shown[-1]) == {(0, 0, 0)}
    assert {speed for _, speed, _ in ioctl.sent} == {coding.clock_hz}


def test_lights_that_cannot_be_put_out_keep_nothing_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ioctl = Recorder()
    pi = a_pi(tmp_path, monkeypatch, ioctl)
    ioctl.error = errno.EIO
    pi.close()
    with pytest.raises(OSError, match="Bad file"):
        pi.strip.transfer(b"")


@pytest.mark.parametrize(("number", "ends"), [(errno.EMSGSIZE, True), (errno.EIO, False)])
def test_a_picture_too_long_for_spi_is_reported_when_the_board_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, ends: bool
) -> None:
    class Refusing(Recorder):
        def __call__(self, file: int, request: int, argument: bytes) -> None:
            self.error = number if request == 0x40206B00 else 0
            super().__call__(file, request, argument)

    told = pytest.raises(RaspberryPiError, match=r"spidev\.bufsiz") if ends else nullcontext()
    with told, a_pi(tmp_path, monkeypatch, Refusing()):
        pass


def test_its_machine_opens_the_ports_of_serial_devices(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = serial_layout("square-reed", port="/dev/none-such")
    monkeypatch.setattr(layout, "load", lambda _: made)
    with a_pi(tmp_path, monkeypatch, Recorder()) as pi:
        machine = pi.machine()
        faults = machine.read(0.0).faults
    assert [(fault.kind, fault.address) for fault in faults if fault.kind != "held"] == [
        ("unplugged", "/dev/none-such")
    ]
    assert machine.needs_polling


def test_lights_and_a_button_on_one_pin_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (layout.SHIPPED / "square-reed.toml").read_text("utf-8")
    made = layout.parse(text.replace("GPIO17", "GPIO18"), "x.toml")
    monkeypatch.setattr(layout, "load", lambda _: made)
    with pytest.raises(RaspberryPiError, match="need GPIO18, where square-reed has dice"):
        a_pi(tmp_path, monkeypatch, Recorder(), lights="pwm")


def test_a_pin_that_does_not_report_is_an_error_in_one_line() -> None:
    class Deaf(MockPin):  # type: ignore[misc]
        def _set_when_changed(self, value: object) -> None:
            if value is not None:
                raise Exception("bad event request")  # as some libraries' own, which is no OSError

    with pytest.raises(RaspberryPiError, match="the header's pins: bad event request"):
        HeaderPins(layout.load("square-reed"), pin_factory=MockFactory(pin_class=Deaf))
