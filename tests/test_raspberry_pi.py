"""The real board's wires, as far as a PC has them: errors with their cures, and bytes to ioctl."""

from __future__ import annotations

import ctypes
import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory, MockPin

from drivers import ws2812
from hardware import layout, raspberry_pi
from hardware.raspberry_pi import HeaderPins, RaspberryPiError, SpiDevice

NO_I2C = 97
"""A bus number that no machine has."""


def test_nothing_of_the_pi_is_imported_until_it_is_asked_for() -> None:
    program = (
        "import sys; import hardware.raspberry_pi, hardware.machine, hardware.simulated;"
        "print({'smbus2', 'gpiozero', 'rpi_ws281x', 'serial', 'lgpio'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "set()", "")


def test_a_missing_i2c_bus_says_how_to_switch_it_on() -> None:
    with pytest.raises(RaspberryPiError, match=r"/dev/i2c-97 is missing: I2C is off.*raspi-config"):
        raspberry_pi.open_i2c(NO_I2C)


def test_a_missing_spi_device_says_how_to_switch_it_on(tmp_path: Path) -> None:
    with pytest.raises(RaspberryPiError, match=r"SPI is off.*raspi-config nonint do_spi"):
        SpiDevice(str(tmp_path / "spidev0.0"))


def test_something_else_in_its_place_is_named(tmp_path: Path) -> None:
    path = tmp_path / "spidev0.0"
    path.write_bytes(b"")
    with pytest.raises(RaspberryPiError, match=r"spidev0\.0 is no such device"):
        SpiDevice(str(path))


def test_a_device_that_is_not_ours_names_the_group(tmp_path: Path) -> None:
    path = tmp_path / "spidev0.0"
    path.write_bytes(b"")

    def forbidden(*_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    with pytest.raises(RaspberryPiError, match="usermod -aG spi"):
        SpiDevice(str(path), ioctl=forbidden)


class Recorder:
    """An ioctl that keeps what it was given, the bytes behind the pointer included."""

    def __init__(self) -> None:
        self.settings: list[tuple[int, bytes]] = []
        self.sent: list[tuple[bytes, int, int]] = []
        self.error = 0

    def __call__(self, file: int, request: int, argument: bytes) -> None:
        os.fstat(file)  # it is open
        if self.error:
            raise OSError(self.error, os.strerror(self.error))
        if request != 0x40206B00:
            self.settings.append((request, argument))
            return
        assert len(argument) == 32
        address = int.from_bytes(argument[0:8], sys.byteorder)
        length = int.from_bytes(argument[16:20], sys.byteorder)
        speed = int.from_bytes(argument[20:24], sys.byteorder)
        self.sent.append((ctypes.string_at(address, length), speed, argument[26]))


def test_a_frame_is_one_transfer_of_its_very_bytes(tmp_path: Path) -> None:
    path = tmp_path / "spidev0.0"
    path.write_bytes(b"")
    ioctl = Recorder()
    device = SpiDevice(str(path), ioctl=ioctl)
    assert ioctl.settings == [
        (0x40016B01, b"\x00"),
        (0x40016B03, b"\x08"),
        (0x40046B04, (2_400_000).to_bytes(4, sys.byteorder)),
    ]
    frame = ws2812.encode_frame([ws2812.encode_pixel((1, 2, 3))])
    device.transfer(frame)
    assert ioctl.sent == [(frame, 2_400_000, 8)]
    ioctl.error = errno.EMSGSIZE
    with pytest.raises(RaspberryPiError, match=r"spidev\.bufsiz"):
        device.transfer(bytes(5000))
    ioctl.error = errno.EIO
    with pytest.raises(OSError, match="Input/output"):
        device.transfer(frame)
    device.close()
    device.close()


def test_buttons_and_the_interrupt_line() -> None:
    factory = MockFactory()
    made = layout.load("square-reed")
    changes: list[frozenset[str]] = []
    pins = HeaderPins(made, pin_factory=factory)
    pins.on_change = lambda: changes.append(pins.held())
    reset, line = factory.pin(25), factory.pin(4)
    assert [state.state for state in reset.states][-2:] == [False, True]  # low, then let go
    assert not pins.interrupt
    line.drive_low()
    assert pins.interrupt
    factory.pin(27).drive_low()
    factory.pin(5).drive_low()
    factory.pin(27).drive_high()
    assert changes == [frozenset(), {"south"}, {"south", "yes"}, {"yes"}]
    line.drive_high()
    assert not pins.interrupt
    pins.close()


def test_a_button_that_is_held_from_the_start_is_seen() -> None:
    class PushedPin(MockPin):
        """One that its pull-up cannot raise."""

        def _set_pull(self, value: str) -> None:
            self._pull = value
            self._change_state(False)

    factory = MockFactory(pin_class=PushedPin)
    pins = HeaderPins(layout.load("square-hall"), pin_factory=factory)
    assert pins.held() == {"dice", "south", "west", "north", "east", "shutdown"}
    assert pins.interrupt
    pins.close()


def test_pins_that_cannot_be_had_say_so_and_keep_the_directory() -> None:
    if Path("/dev/gpiochip0").exists():
        pytest.skip("this machine has GPIO pins; run it on one without")
    here = Path.cwd()
    with pytest.raises(RaspberryPiError, match="python3-lgpio"):
        HeaderPins(layout.load("square-reed"))
    assert Path.cwd() == here


def test_a_board_gives_back_what_it_had_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = []

    class Bus:
        def close(self) -> None:
            closed.append("bus")

    monkeypatch.setattr(raspberry_pi, "open_i2c", lambda _: Bus())
    with pytest.raises(RaspberryPiError, match="SPI is off"):
        raspberry_pi.RaspberryPi(layout.load("square-reed"), spi=str(tmp_path / "none"))
    assert closed == ["bus"]
