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

RESTART = say("Then restart: sudo reboot")
I2C_TIMEOUT = re.compile("i2c transfer timed out|controller timed out|i2c timeout error")
"""The kernel's message about an I2C time-out, from the drivers bcm2835 and designware."""
UNDER_VOLTAGE = re.compile("under-?voltage detected", re.IGNORECASE)
"""The kernel's message about low voltage, from raspberrypi-hwmon or the older firmware driver."""
FIRST_GOOD_KERNEL = (6, 12)
"""On a Pi 5, SPI lost or stretched bytes with older kernels."""


def pi_findings(system: System, layout: Layout, devices: Devices) -> Iterator[Finding]:
    """Yield findings about the Pi for this board; on another machine only that it is no Pi."""
    if not system.model:
        yield finding(
            "no-pi",
            "",
            say("This computer is not a Raspberry Pi."),
            say("There is no board to look at here."),
            say("Run it on the Pi, or try it out on a simulated board: lampion doctor --sim"),
        )
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
    where, other = say("It is not switched on."), next(p for p in facts.FIRMWARE if p != config)
    do: tuple[Message, ...] = (*_put(system, (line,)), RESTART)
    if system.is_on(line, config):
        where = say(
            "It is switched on in {file}, but that takes effect only after a restart, or "
            "an overlay of another device uses the pins.",
            file=f"/{config}",
        )
        do = (RESTART, say("If it is still missing, take other dtoverlay= lines out of the file."))
    elif system.is_on(line, other):
        where = say("The line stands in {file}, which this Pi does not read.", file=f"/{other}")
    return finding(
        f"{group}-off", f"/{path}", say("{device} is missing.", device=f"/{path}"), where, *do
    )


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
        yield finding(
            "shutdown-pin",
            SHUTDOWN,
            say("The button {name} is on an expander.", name=SHUTDOWN),
            say("The system knows only buttons on the Pi's header: it does nothing."),
            say("Put it onto a free pin of the header, and into the layout's table [buttons]."),
        )
        return
    line, path = facts.shutdown_line(button.gpio), system.config_path
    if not system.is_set(line, path):
        yield finding(
            "shutdown-off",
            f"/{path}",
            say(
                "The button {name} ({pin}) does nothing: {line} is not in {file}.",
                name=SHUTDOWN,
                pin=header_pin(button.gpio),
                line=line,
                file=f"/{path}",
            ),
            say("With that line the system shuts down when it is pressed."),
            *_put(system, (line,)),
            RESTART,
        )
    elif system.power_key != "poweroff":
        yield finding(
            "power-key",
            SHUTDOWN,
            say(
                "The button {name} does not switch off: HandlePowerKey={value} in logind.conf.",
                name=SHUTDOWN,
                value=system.power_key,
            ),
            say("The system hears the button, but is set to do something else."),
            say(
                "Write HandlePowerKey=poweroff below [Login] into {file}.",
                file="/etc/systemd/logind.conf.d/lampion.conf",
            ),
            RESTART,
        )


def _forbidden(system: System, path: str, group: str) -> Finding:
    user = system.user or "$USER"
    do = say("sudo usermod -aG {group} {user}, then log in again", group=group, user="$USER")
    means = say("The user who runs the program is not in the group {group}.", group=group)
    if user in system.members(group):
        means = say("You are in the group {group}, but not yet in this session.", group=group)
        do = say("Log out and in again.")
    measured = say("{device} is there, but may not be used.", device=f"/{path}")
    return finding(f"{group}-group", f"/{path}", measured, means, do)


def _pins(system: System, chip: str) -> Iterator[Finding]:
    if not system.exists(chip):
        yield finding(
            "gpio-off",
            f"/{chip}",
            say("{device} is missing.", device=f"/{chip}"),
            say("The kernel has no driver for the pins of the header."),
            say("Update the system: sudo apt full-upgrade"),
            RESTART,
        )
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
            say(
                "{model}: {lines} is not in {file}.",
                model=system.model,
                lines=", ".join(missing),
                file=f"/{path}",
            ),
            say(
                "The clocks of I2C and SPI follow that of the processor: lights flicker, and "
                "sensors are read at half the speed."
            ),
            *_put(system, missing),
            RESTART,
        )
    if system.generation == "5" and () < system.kernel < FIRST_GOOD_KERNEL:
        yield finding(
            "pi5-kernel",
            "kernel",
            say(
                "A Raspberry Pi 5 with kernel {version}.", version=".".join(map(str, system.kernel))
            ),
            say("SPI of the Pi 5 had faults in kernels before 6.12: lights flicker or stay dark."),
            say("Update the system: sudo apt full-upgrade"),
            RESTART,
        )


def _buffer(system: System, layout: Layout, devices: Devices) -> Iterator[Finding]:
    coding = ws2812.CODINGS[devices.symbol_bits]
    need = ws2812.frame_bytes(len(layout.led_positions), layout.led_order, coding)
    has = system.text(facts.SPI_BUFFER)
    if has.isdigit() and need > int(has):
        yield finding(
            "spidev-buffer",
            f"/{facts.COMMANDS}",
            say("A picture has {need} bytes; SPI takes {has} at a time.", need=need, has=int(has)),
            say("The light chain is longer than SPI is prepared for."),
            say(
                "Add this to the only line of {file}: {words}",
                file=f"/{facts.COMMANDS}",
                words="spidev.bufsiz=32768",
            ),
            RESTART,
        )


def _timeouts(log: str) -> Iterator[Finding]:
    times = len(I2C_TIMEOUT.findall(log))
    if times:
        yield finding(
            "i2c-timeouts",
            "I2C",
            count(
                "The system's log has {n} transfer on I2C that timed out.",
                "The system's log has {n} transfers on I2C that timed out.",
                times,
            ),
            say("Since the Pi started, something has held SDA or SCL: a chip or a bad cable."),
            say("Switch Pi and board off and on: a restart leaves the chips as they are."),
            say("If more come, pull chips off one by one, and use shorter cables."),
        )


def _supply(system: System, log: str) -> Iterator[Finding]:
    bits = system.throttled
    if UNDER_VOLTAGE.search(log):
        bits |= facts.WAS_UNDER_VOLTAGE
    if bits & (facts.UNDER_VOLTAGE | facts.WAS_UNDER_VOLTAGE):
        yield finding(
            "under-voltage",
            "supply",
            say("The Pi has too little voltage now.")
            if bits & facts.UNDER_VOLTAGE
            else say("The Pi has had too little voltage since it started."),
            say("Its supply or its cable is too weak: chips lose their settings."),
            say("Use the power supply that is made for this Pi, and a short cable."),
            say("Do not feed the lights from the Pi's 5 V pin."),
        )
