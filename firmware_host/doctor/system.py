"""Facts about the Pi: its model, its configuration, its devices, its supply.

All files are read below one directory, so that a test can use another one than `/`.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from firmware_host.doctor import boot_config
from firmware_host.doctor.boot_config import BootConfig, Identity

FIRMWARE: Final = ("boot/firmware/config.txt", "boot/config.txt")
"""The paths of the firmware's configuration: the first since Debian 12, the second before."""
COMMANDS: Final = "boot/firmware/cmdline.txt"
THROTTLED: Final = "sys/devices/platform/*/*firmware/get_throttled"
"""The kernel's file for `vcgencmd get_throttled`; a pattern, because names of folders vary."""
SPI_BUFFER: Final = "sys/module/spidev/parameters/bufsiz"
UNDER_VOLTAGE: Final = 1 << 0
WAS_UNDER_VOLTAGE: Final = 1 << 16
NEW_REVISION: Final = 1 << 23
"""The bit of a revision that says that it contains the type of the board."""
LOGIND: Final = ("usr/lib/systemd", "etc/systemd", "run/systemd")
"""The configuration of systemd-logind, which says what the power key does; the last folder wins."""

SPI_LINE: Final = "dtparam=spi=on"
I2C_LINES: Final = {
    0: "dtparam=i2c_vc=on,i2c_vc_baudrate=400000",
    1: "dtparam=i2c_arm=on,i2c_arm_baudrate=400000",
}
"""The lines that switch a bus on; further buses need overlays."""
CORE_LINES: Final = {"3": ("core_freq=250",), "4": ("core_freq=500", "core_freq_min=500")}
"""The lines that keep the clocks of I2C and SPI constant, by the Pi's generation."""


def shutdown_line(gpio: int) -> str:
    """Return the line that makes a button the kernel's power key."""
    return f"dtoverlay=gpio-shutdown,gpio_pin={gpio}"


def _allowed(path: Path) -> bool:
    return os.access(path, os.R_OK | os.W_OK)


def _output(*asked: str) -> str:
    """Return the output of a program, "" if it fails."""
    try:
        return subprocess.run(asked, capture_output=True, text=True, timeout=5, check=False).stdout
    except (OSError, subprocess.SubprocessError):
        return ""


def _vcgencmd() -> str:
    return _output("vcgencmd", "get_throttled")


def _kernel_log() -> str:
    # Many systems allow the first only to root, the second to members of certain groups.
    return _output("dmesg") or _output("journalctl", "--dmesg", "--no-pager", "--quiet")


def _hex(text: str) -> int | None:
    try:
        return int(text, 16)
    except ValueError:
        return None


@dataclass(frozen=True, slots=True)
class System:
    """The files of a Pi."""

    root: Path = field(default_factory=lambda: Path("/"))
    allowed: Callable[[Path], bool] = _allowed
    """Says whether this user may read and write a device."""
    firmware: Callable[[], str] = _vcgencmd
    """Returns the firmware's bits about supply and heat if the kernel has no file for them."""
    log: Callable[[], str] = _kernel_log
    """Returns the kernel's log, "" if this user may not read it."""
    user: str = field(default_factory=lambda: os.environ.get("USER", ""))

    def text(self, path: str) -> str:
        """Return a file's text, "" if there is none."""
        try:
            return (self.root / path).read_text(encoding="utf-8", errors="replace").strip("\0\n ")
        except OSError:
            return ""

    def exists(self, path: str) -> bool:
        """Say whether a file or device exists."""
        return (self.root / path).exists()

    @property
    def model(self) -> str:
        """Return the name of the Pi's model, "" on another machine."""
        name = self.text("proc/device-tree/model")
        return name if name.startswith("Raspberry Pi") else ""

    @property
    def generation(self) -> str:
        """Return the generation of the Pi, 0 to 5, by its clocks."""
        if "Zero 2" in self.model:
            return "3"
        match = re.search(r"(?:Pi|Module) (\d)", self.model)
        return match[1] if match else "0"

    @property
    def kernel(self) -> tuple[int, ...]:
        """Return the kernel's version, () if it is not known."""
        match = re.match(r"(\d+)\.(\d+)", self.text("proc/sys/kernel/osrelease"))
        return (int(match[1]), int(match[2])) if match else ()

    @property
    def config_path(self) -> str:
        """Return the path of FIRMWARE that counts."""
        return next((path for path in FIRMWARE if self.exists(path)), FIRMWARE[0])

    @property
    def identity(self) -> Identity:
        """Return the properties that filters of config.txt are compared with."""
        revision = _hex(self._cpu("Revision")) or 0
        return Identity(
            self.model,
            serial=_hex(self.text("proc/device-tree/serial-number") or self._cpu("Serial")),
            board_type=revision >> 4 & 0xFF if revision & NEW_REVISION else None,
        )

    def _cpu(self, name: str) -> str:
        """Return a value of /proc/cpuinfo, "" if it has none of that name."""
        match = re.search(rf"^{name}\s*:\s*(\w+)", self.text("proc/cpuinfo"), re.MULTILINE)
        return match[1] if match else ""

    def boot_config(self, path: str) -> BootConfig:
        """Return a config.txt as it applies to this Pi."""
        return boot_config.read(path, self.text, self.identity)

    def settings(self, path: str) -> dict[str, str]:
        """Return the settings of a config.txt that hold for this Pi, by their names."""
        return self.boot_config(path).settings

    def lines_to_add(self, lines: Iterable[str], path: str) -> tuple[str, ...]:
        """Return the lines to append to a file so that `lines` hold, after `[all]` if needed."""
        ends = ("[all]",) if self.boot_config(path).filtered else ()
        return (*ends, *lines)

    def i2c_line(self, bus: int) -> str:
        """Return the line that switches an I2C bus on."""
        overlay = f"dtoverlay=i2c{bus}{'-pi5' if self.generation == '5' else ''}"
        return I2C_LINES.get(bus, f"{overlay},baudrate=400000")

    def lines(
        self, i2c: int, frame_bytes: int = 0, shutdown: int | None = None
    ) -> dict[str, tuple[str, ...]]:
        """Return the lines that this Pi needs, by file, for an I2C bus and lights on SPI.
        `frame_bytes` is the size of a picture, `shutdown` the pin of the button shutdown.
        """
        wanted_here = [self.i2c_line(i2c), SPI_LINE, *CORE_LINES.get(self.generation, ())]
        if shutdown is not None:
            wanted_here.append(shutdown_line(shutdown))
        wanted = {self.config_path: tuple(wanted_here)}
        if frame_bytes > 4096:
            wanted[COMMANDS] = ("spidev.bufsiz=32768",)
        return wanted

    def is_set(self, line: str, path: str) -> bool:
        """Say whether a line already holds in a file."""
        if path == COMMANDS:
            return line in self.text(path).partition("\n")[0].split()
        return boot_config.has(self.settings(path), line)

    def is_on(self, line: str, path: str) -> bool:
        """Say whether a file switches on the device of a line, at any speed."""
        return boot_config.is_on(self.settings(path), line)

    @property
    def power_key(self) -> str:
        """Return the action of systemd-logind when the button shutdown is pressed."""
        does = "poweroff"
        for folder in LOGIND:
            files = [self.root / folder / "logind.conf"]
            files += sorted((self.root / folder / "logind.conf.d").glob("*.conf"))
            for file in files:
                text = self.text(str(file.relative_to(self.root)))
                for value in re.findall(r"^\s*HandlePowerKey=(\w+)", text, re.MULTILINE):
                    does = value
        return does

    def members(self, group: str) -> tuple[str, ...]:
        """Return the members of a group."""
        for line in self.text("etc/group").splitlines():
            name, _, rest = line.partition(":")
            if name == group:
                return tuple(filter(None, rest.split(":")[-1].split(",")))
        return ()

    @property
    def throttled(self) -> int:
        """Return the firmware's bits about supply and heat, 0 if they are not known."""
        files = sorted(self.root.glob(THROTTLED))
        text = self.text(str(files[0].relative_to(self.root))) if files else self.firmware()
        try:
            return int(text.strip().rpartition("=")[2] or "0", 16)
        except ValueError:
            return 0
