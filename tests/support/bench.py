"""Boards on the bench: simulated ones, a Pi that is a folder, and the faults that both can have."""

from __future__ import annotations

from pathlib import Path

from firmware_host.doctor.asking import AtASimulatedBoard
from firmware_host.doctor.bench import SimulatedBench
from firmware_host.doctor.examination import Examination, ask, examine
from firmware_host.doctor.findings import Finding
from firmware_host.doctor.system import System
from hardware import layout
from hardware.simulated.board import SimulatedBoard
from hardware.simulated.faults import board_with_scatter, inject_fault
from hardware.simulated.wires import SimulatedWires


class Patient:
    """A simulated board on the bench, and who stands at it."""

    def __init__(self, name: str, *faults: str, board: SimulatedBoard | None = None) -> None:
        self.wires = SimulatedWires(board or board_with_scatter(layout.load(name)))
        self.person = AtASimulatedBoard(self.wires.board)
        for fault in faults:
            self.person.hands |= inject_fault(self.wires, fault)
        self.bench = SimulatedBench(self.wires)

    def examined(self, what: str | None = None) -> Examination:
        found = examine(None, self.bench)
        ask(found, what, self.bench, self.person)
        return found


REED, HALL = "square-reed", "square-hall"

CAUSES = [
    # fault, board, what is asked, (cause, part), …
    ("chip-missing", REED, None, [("chip-silent", "0x21")]),
    ("chip-missing", HALL, None, [("chip-silent", "0x48")]),
    ("all-chips-missing", REED, None, [("all-silent", "I2C")]),
    ("all-chips-missing", HALL, "pins", [("all-silent", "I2C")]),
    ("address-pin", REED, None, [("address-pins", "0x20")]),
    ("address-shared", REED, None, [("chip-silent", "0x21")]),
    ("address-shared", REED, "pins", [("chip-silent", "0x21"), ("address-shared", "0x21")]),
    ("addresses-swapped", REED, None, []),
    ("addresses-swapped", REED, "pins", [("chips-swapped", "0x20, 0x21")]),
    ("stranger", REED, None, [("stranger", "0x27")]),
    ("bus-held-low", REED, None, [("bus-held", "I2C")]),
    ("bus-held-low", HALL, "pins", [("bus-held", "I2C")]),
    ("bus-hangs", HALL, None, [("bus-hangs", "0x27, 0x48, 0x49")]),
    ("kernel-has-chip", REED, None, [("busy", "0x20")]),
    ("other-chip", REED, None, [("wrong-chip", "0x20")]),
    ("loose-plug", REED, None, [("chip-loose", "0x20")]),
    ("supply-dips", REED, None, [("settings-lost", "0x20")]),
    ("reset-floats", REED, None, [("reset-floats", "RESET")]),
    ("reset-floats", HALL, None, [("reset-floats", "RESET")]),
    ("reset-cut", REED, None, [("reset-cut", "RESET")]),
    ("int-cut", REED, None, [("int-dead", "INT")]),
    ("int-cut", HALL, None, [("int-dead", "INT")]),
    ("int-held-low", REED, None, [("int-low", "INT")]),
    ("int-of-one-chip", REED, None, [("int-cut", "0x20")]),
    ("slow-clock", REED, None, [("slow-bus", "I2C")]),
    ("slow-clock", HALL, None, [("slow-bus", "I2C")]),
    ("hall-supply", HALL, None, [("hall-supply", "regulator")]),
    ("select-line", HALL, None, [("select-line", "S1")]),
    ("select-of-one", HALL, None, [("mux-select", "4067-2")]),
    ("multiplexer-off", HALL, None, [("mux-off", "4067-2")]),
    ("no-bleeder", HALL, None, [("bleeder", "4067-1")]),
    ("hall-wire", HALL, None, [("hall-wire", "D1")]),
    ("hall-floating", HALL, None, [("bleeder", "4067-1"), ("hall-wire", "D1")]),
    ("hall-offset", HALL, None, [("hall-offset", "C1")]),
    ("spi-fails", REED, "lights", [("spi-fails", "SPI")]),
    ("colour-order", REED, "lights", [("colour-order", "RGB")]),
    ("white-leds", REED, "lights", [("lights-garbled", "lights")]),
    ("chain-cut", REED, "lights", [("lights-end", "17")]),
    ("chain-dead", REED, "lights", [("lights-dead", "lights")]),
    ("spi-pauses", REED, "lights", [("lights-garbled", "lights")]),
    ("first-light", REED, "lights", [("first-light", "0")]),
    ("last-picture", REED, "lights", [("lights-late", "lights")]),
    ("button-down", REED, None, [("button-held", "south")]),
    ("button-dead", REED, "pins", [("button-dead", "south")]),
    ("buttons-swapped", REED, "pins", [("button-swapped", "south"), ("button-swapped", "north")]),
    ("sensor-dead", REED, "pins", [("sensor-dead", "A1")]),
    ("sensor-dead", HALL, "pins", [("sensor-dead", "A1")]),
    ("sensor-stuck", REED, "pins", [("sensor-stuck", "A1")]),
    ("dead-centre", REED, "pins", [("dead-centre", "A1")]),
    ("wires-swapped", REED, "pins", [("wires-swapped", "A1")]),
    ("board-turned", REED, "pins", [("board-turned", "board")]),
    ("board-turned", "hex-hall", "pins", [("board-turned", "board")]),
    ("weak-magnet", "hex-hall", "pins", [("magnet-weak", "a1, c1, e1, h4, a5")]),
    ("upside-down", "hex-hall", "pins", [("pole-reversed", "a1, c1, e1, f2, h4, a5, i9")]),
]


class FakePi:
    """A root directory with the files of a Pi on it, all well; each test spoils one."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.closed: set[str] = set()
        self.user = "ada"
        self.vcgencmd = ""
        self.log = "i2c i2c-1: Added multiplexed i2c bus 2\n"
        self.put("proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.4\0")
        self.put("proc/sys/kernel/osrelease", "6.12.25+rpt-rpi-v8\n")
        self.put("boot/firmware/config.txt", CONFIG)
        self.put("boot/firmware/cmdline.txt", "console=tty1 root=PARTUUID=1 rootwait\n")
        self.put("etc/group", "i2c:x:998:ada,bob\nspi:x:997:ada\ngpio:x:996:bob\n")
        self.put("sys/devices/platform/soc/soc:firmware/get_throttled", "0\n")
        self.put("sys/module/spidev/parameters/bufsiz", "4096\n")
        for device in ("i2c-1", "spidev0.0", "gpiochip0"):
            self.put(f"dev/{device}", "")

    def put(self, path: str, text: str) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def drop(self, path: str) -> None:
        (self.root / path).unlink()

    @property
    def system(self) -> System:
        return System(
            self.root,
            allowed=lambda path: path.name not in self.closed,
            log=lambda: self.log,
            firmware=lambda: self.vcgencmd,
            user=self.user,
        )

    def findings(self, name: str = REED) -> list[Finding]:
        return examine(self.system, Patient(name).bench).findings


CONFIG = """\
# A comment
dtparam=audio=on
[pi5]
dtparam=i2c_arm=off
[all]
dtparam=i2c_arm=on,i2c_arm_baudrate=400000
dtparam=spi=on
core_freq=500
core_freq_min=500
dtoverlay=gpio-shutdown,gpio_pin=26
"""
