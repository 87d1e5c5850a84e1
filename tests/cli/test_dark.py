"""`lampion dark`: switches off the lights that a killed program has left on."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from drivers import ws2812
from firmware_host.__main__ import main
from firmware_host.cli import dark
from hardware.pi.light_chain import SpiDevice
from hardware.simulated.strip import SimulatedStrip
from tests.support.recording_ioctl import Recorder


@pytest.fixture
def ioctl(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Recorder:
    """An SPI that only records its transfers."""
    recorder = Recorder()
    device = tmp_path / "spidev0.0"
    device.touch()

    def opened(path: str, *, coding: ws2812.Coding) -> SpiDevice:
        assert path == "/dev/spidev0.0"
        return SpiDevice(str(device), coding=coding, ioctl=recorder)

    monkeypatch.setattr(dark, "SpiDevice", opened)
    monkeypatch.setattr(dark, "BUFFER_SIZE", tmp_path / "bufsiz")
    return recorder


@pytest.mark.parametrize("order", ["GRB", "RGB", "GRBW"])
@pytest.mark.parametrize("coding", ws2812.CODINGS.values(), ids=lambda coding: coding.bits)
@pytest.mark.parametrize("text", ["", "[leds]\nbits = 3\n", "this is no TOML", None])
def test_every_chain_goes_dark_whatever_the_configuration(
    ioctl: Recorder, tmp_path: Path, order: str, coding: ws2812.Coding, text: str | None
) -> None:
    file = tmp_path / "lampion.toml"
    if text is not None:
        file.write_text(text)
    assert main(["dark", "--config", str(file)]) == 0
    ((sent, hertz, _),) = ioctl.sent
    assert (len(sent) <= 4096, hertz) == (True, 3_200_000)
    strip = SimulatedStrip(200, order, 4)
    strip._shown = [(9, 9, 9)] * 200  # the last picture, in any coding
    strip.transfer(sent)
    assert not any(map(any, strip.pixels))


def test_a_longer_buffer_reaches_further(ioctl: Recorder, tmp_path: Path) -> None:
    (tmp_path / "bufsiz").write_text("32768\n")
    assert main(["dark", "--config", str(tmp_path / "none")]) == 0
    ((sent, _, _),) = ioctl.sent
    assert 32768 - ws2812.FOUR.bits < len(sent) <= 32768


def test_a_device_that_fails_or_is_missing_is_one_line(
    ioctl: Recorder,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    ioctl.error = 5
    assert main(["dark", "--config", str(tmp_path / "none")]) == 1
    assert len(capsys.readouterr().err.splitlines()) == 1
    monkeypatch.setattr(dark, "SpiDevice", SpiDevice)
    file = tmp_path / "lampion.toml"
    file.write_text('[leds]\ndevice = "/dev/spidev97.0"\n')
    assert main(["dark", "--config", str(file)]) == 1
    assert "/dev/spidev97.0 is missing" in capsys.readouterr().err


def test_a_device_that_hangs_is_left_alone(
    ioctl: Recorder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_up: list[int] = []
    monkeypatch.setattr(dark.signal, "alarm", set_up.append)
    began = time.monotonic()
    assert main(["dark", "--config", str(tmp_path / "none")]) == 0
    assert set_up == [dark.GIVE_UP_S, 0]
    assert time.monotonic() - began < 5
