"""The devices of the light chain: bytes to ioctl, or to a library; errors say what to do."""

from __future__ import annotations

import atexit
import errno
import os
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from drivers import ws2812
from hardware.pi import light_chain
from hardware.pi.errors import RaspberryPiError
from hardware.pi.light_chain import SpiDevice, Ws281x
from tests.support.recording_ioctl import Recorder


@pytest.fixture
def spi(tmp_path: Path) -> str:
    """Return the path of a file in the place of a device."""
    path = tmp_path / "spidev0.0"
    path.write_bytes(b"")
    return str(path)


def test_a_missing_spi_device_says_how_to_switch_it_on(tmp_path: Path) -> None:
    with pytest.raises(RaspberryPiError, match=r"SPI is off.*raspi-config nonint do_spi"):
        SpiDevice(str(tmp_path / "spidev0.0"))
    with pytest.raises(RaspberryPiError, match=r"spidev7\.1 is missing: leds\.device is"):
        SpiDevice(str(tmp_path / "spidev7.1"))


def test_something_else_in_its_place_is_named(spi: str) -> None:
    with pytest.raises(RaspberryPiError, match=r"spidev0\.0 is no such device"):
        SpiDevice(spi)


def test_a_device_that_is_not_ours_names_the_group(spi: str) -> None:

    def forbidden(*_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    with pytest.raises(RaspberryPiError, match="usermod -aG spi"):
        SpiDevice(spi, ioctl=forbidden)


def test_a_frame_is_one_transfer_of_its_very_bytes(spi: str) -> None:
    ioctl = Recorder()
    device = SpiDevice(spi, ioctl=ioctl)
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


def test_four_bits_of_spi_have_a_clock_of_their_own(spi: str) -> None:
    ioctl = Recorder()
    device = SpiDevice(spi, coding=ws2812.FOUR, ioctl=ioctl)
    device.transfer(b"\x88")
    device.close()
    assert ioctl.settings[-1] == (0x40046B04, (3_200_000).to_bytes(4, sys.byteorder))
    assert ioctl.sent == [(b"\x88", 3_200_000, 8)]


# ---- rpi_ws281x


class FakeStrip:
    """A stand-in for rpi_ws281x that records its calls."""

    fails = ""

    def __init__(self, count: int, gpio: int, *, strip_type: str) -> None:
        self.made = (count, gpio, strip_type)
        self.pixels = [(0, 0, 0)] * count
        self.shown: list[tuple[int, int, int]] = []
        atexit.register(self._cleanup)

    def _cleanup(self) -> None: ...

    def begin(self) -> None:
        if self.fails:
            raise RuntimeError(self.fails)

    def setPixelColorRGB(self, n: int, red: int, green: int, blue: int) -> None:  # noqa: N802
        self.pixels[n] = (red, green, blue)

    def show(self) -> None:
        if self.fails:
            raise RuntimeError(self.fails)
        self.shown = list(self.pixels)


@pytest.fixture
def on_a_pi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Pretend to be root on this model."""
    names = [f"WS2811_STRIP_{order}" for order in ws2812.ORDERS if "W" not in order]
    names += [f"SK6812_STRIP_{order}" for order in ws2812.ORDERS if "W" in order]
    kinds = types.SimpleNamespace(**{name: name for name in names})
    library = types.SimpleNamespace(PixelStrip=FakeStrip, ws=kinds)
    monkeypatch.setitem(sys.modules, "rpi_ws281x", library)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    model = tmp_path / "model"

    def choose(name: str) -> None:
        model.write_text(name + "\0")
        monkeypatch.setattr(light_chain, "MODEL", model)

    return choose


@pytest.mark.parametrize(
    ("order", "peripheral", "gpio", "kind"),
    [("GRB", "pwm", 18, "WS2811_STRIP_GRB"), ("GRBW", "pcm", 21, "SK6812_STRIP_GRBW")],
)
def test_the_library_shows_what_spi_would(
    on_a_pi: Callable[[str], None], order: str, peripheral: str, gpio: int, kind: str
) -> None:
    on_a_pi("Raspberry Pi 4 Model B Rev 1.4")
    chain = Ws281x(2, order, peripheral)
    strip: Any = chain._strip
    assert strip.made == (2, gpio, kind)
    codes = [ws2812.encode_pixel(levels, order) for levels in ((1, 2, 3), (255, 0, 9))]
    chain.transfer(ws2812.encode_frame(codes))
    assert strip.shown == [(1, 2, 3), (255, 0, 9)]
    strip.fails = "no DMA"
    with pytest.raises(OSError, match="no DMA"):
        chain.transfer(ws2812.encode_frame(codes))
    chain.close()
    atexit.unregister(strip._cleanup)


def test_a_library_that_does_not_start_is_kept_from_cleaning_up(
    on_a_pi: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    on_a_pi("Raspberry Pi 3 Model B Plus Rev 1.3")
    monkeypatch.setattr(FakeStrip, "fails", "ws2811_init failed with code -3")
    spared: list[Any] = []
    monkeypatch.setattr(atexit, "unregister", spared.append)
    with pytest.raises(RaspberryPiError, match=r"lights on PWM: ws2811_init failed"):
        Ws281x(2, "GRB")
    assert [each.__name__ for each in spared] == ["_cleanup"]


@pytest.mark.parametrize(
    "model", ["Raspberry Pi 5 Model B Rev 1.0", "Raspberry Pi Compute Module 5 Rev 1.0", "Some PC"]
)
def test_where_the_library_would_crash_it_is_not_even_made(
    on_a_pi: Callable[[str], None], monkeypatch: pytest.MonkeyPatch, model: str
) -> None:
    on_a_pi(model)
    monkeypatch.delitem(sys.modules, "rpi_ws281x")
    monkeypatch.setattr(FakeStrip, "__init__", None)
    with pytest.raises(RaspberryPiError, match=rf"not on this machine \({model}\); use SPI"):
        Ws281x(2, "GRB")


def test_a_machine_without_a_model_is_no_pi() -> None:
    if light_chain.MODEL.exists():
        pytest.skip("this machine says what model it is; run it on a PC")
    with pytest.raises(RaspberryPiError, match="no Raspberry Pi"):
        Ws281x(2, "GRB")


def test_the_library_needs_root_and_its_extra(
    on_a_pi: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    on_a_pi("Raspberry Pi Zero 2 W Rev 1.0")
    monkeypatch.setitem(sys.modules, "rpi_ws281x", None)
    with pytest.raises(RaspberryPiError, match=r"pip install 'lampion\[ws281x\]'"):
        Ws281x(2, "GRB")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(RaspberryPiError, match="needs root"):
        Ws281x(2, "GRB")
