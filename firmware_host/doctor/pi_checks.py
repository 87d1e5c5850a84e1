"""Checks of the Pi itself, before any wire is used."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from drivers import ws2812
from firmware_host.config.board import Devices
from firmware_host.doctor import system as facts
from firmware_host.doctor.findings import Finding, finding
from firmware_host.doctor.system import System
from firmware_host.i18n.messages import Message, count, say
from hardware.layout import SHUTDOWN, Layout
from hardware.wiring.netlist import header_pin

I2C_TIMEOUT = re.compile("i2c transfer timed out|controller timed out|i2c timeout error")
"""The kernel's message about an I2C time-out, from the drivers bcm2835 and designware."""
UNDER_VOLTAGE = re.compile("under-?voltage detected", re.IGNORECASE)
"""The kernel's message about low voltage, from raspberrypi-hwmon or the older firmware driver."""
FIRST_GOOD_KERNEL = (6, 12)
"""On a Pi 5, SPI lost or stretched bytes with older kernels."""


def pi_findings(system: System, layout: Layout, devices: Devices) -> Iterator[Finding]:
    """Yield findings about the Pi for this board; on another machine only that it is no Pi."""
    if not system.model:
        yield finding("no-pi", "")
        return
    yield from _device(system, f"dev/i2c-{devices.i2c}", system.i2c_line(devices.i2c), "i2c")
    if devices.lights == "spi":
        yield from _device(system, devices.spi.lstrip("/"), facts.SPI_LINE, "spi")
    yield from _pins(system, f"dev/gpiochip{devices.gpio_chip or 0}")
    yield from _clocks(system)
    yield from _shutdown(system, layout)
    if devices.lights == "spi":
        yield from _buffer(system, layout, devices)
    log = system.log()
    yield from _supply(system, log)
    yield from _timeouts(log)


def _device(system: System, path: str, line: str, group: str) -> Iterator[Finding]:
    if not system.exists(path):
        yield _off(system, path, line, group)
    elif not system.allowed(system.root / path):
        yield _forbidden(system, path, group)


def _off(system: System, path: str, line: str, group: str) -> Finding:
    config = system.config_path
    other = next(p for p in facts.FIRMWARE if p != config)
    cause, device = f"{group}-off", f"/{path}"
    if system.is_on(line, config):
        return finding(cause, device, text="device-off-restart", device=device, file=f"/{config}")
    text = "device-off-elsewhere" if system.is_on(line, other) else "device-off"
    more = _put(system, (line,))
    return finding(cause, device, *more, text=text, device=device, file=f"/{other}")


def _put(system: System, lines: Iterable[str]) -> Iterator[Message]:
    """Yield an instruction for each line that config.txt needs."""
    path = system.config_path
    for line in system.lines_to_add(lines, path):
        yield say("Put this line into {file}: {line}", file=f"/{path}", line=line)


def _shutdown(system: System, layout: Layout) -> Iterator[Finding]:
    """Yield the reason why the button shutdown would not switch the Pi off."""
    button = layout.buttons.get(SHUTDOWN)
    if button is None:
        return
    if button.gpio is None:
        yield finding("shutdown-pin", SHUTDOWN, name=SHUTDOWN)
        return
    line, path = facts.shutdown_line(button.gpio), system.config_path
    if not system.is_set(line, path):
        yield finding(
            "shutdown-off",
            f"/{path}",
            *_put(system, (line,)),
            name=SHUTDOWN,
            pin=header_pin(button.gpio),
            line=line,
            file=f"/{path}",
        )
    elif system.power_key != "poweroff":
        yield finding(
            "power-key",
            SHUTDOWN,
            name=SHUTDOWN,
            value=system.power_key,
            file="/etc/systemd/logind.conf.d/lampion.conf",
        )


def _forbidden(system: System, path: str, group: str) -> Finding:
    is_member = (system.user or "$USER") in system.members(group)
    text = "device-group-session" if is_member else "device-group"
    device = f"/{path}"
    return finding(f"{group}-group", device, text=text, device=device, group=group, user="$USER")


def _pins(system: System, chip: str) -> Iterator[Finding]:
    if not system.exists(chip):
        yield finding("gpio-off", f"/{chip}", device=f"/{chip}")
    elif not system.allowed(system.root / chip):
        yield _forbidden(system, chip, "gpio")


def _clocks(system: System) -> Iterator[Finding]:
    path = system.config_path
    wanted = facts.CORE_LINES.get(system.generation, ())
    missing = [line for line in wanted if not system.is_set(line, path)]
    if missing:
        yield finding(
            "core-freq",
            f"/{path}",
            *_put(system, missing),
            model=system.model,
            lines=", ".join(missing),
            file=f"/{path}",
        )
    if system.generation == "5" and () < system.kernel < FIRST_GOOD_KERNEL:
        yield finding("pi5-kernel", "kernel", version=".".join(map(str, system.kernel)))


def _buffer(system: System, layout: Layout, devices: Devices) -> Iterator[Finding]:
    coding = ws2812.CODINGS[devices.symbol_bits]
    need = ws2812.frame_bytes(len(layout.led_positions), layout.led_order, coding)
    has = system.text(facts.SPI_BUFFER)
    if has.isdigit() and need > int(has):
        yield finding(
            "spidev-buffer",
            f"/{facts.COMMANDS}",
            need=need,
            has=int(has),
            file=f"/{facts.COMMANDS}",
            words="spidev.bufsiz=32768",
        )


def _timeouts(log: str) -> Iterator[Finding]:
    times = len(I2C_TIMEOUT.findall(log))
    if times:
        timed_out = count(
            "The system's log has {n} transfer on I2C that timed out.",
            "The system's log has {n} transfers on I2C that timed out.",
            times,
        )
        yield finding("i2c-timeouts", "I2C", measured=timed_out)


def _supply(system: System, log: str) -> Iterator[Finding]:
    bits = system.throttled
    if UNDER_VOLTAGE.search(log):
        bits |= facts.WAS_UNDER_VOLTAGE
    if bits & (facts.UNDER_VOLTAGE | facts.WAS_UNDER_VOLTAGE):
        text = "under-voltage-now" if bits & facts.UNDER_VOLTAGE else "under-voltage"
        yield finding("under-voltage", "supply", text=text)
