"""The other end of the shim: a simulated board behind the device files of an unmodified program.

The program's own I2C and SPI calls come in over a socket, one connection a file that it opened, and
are answered by the same parts that the simulated board has. What a kernel or a wire may do wrong is
done here: hang, refuse, deny.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from hardware import layout as layouts
from hardware.layout import Layout
from hardware.simulated import SimulatedBoard

SHIM: Final = Path(__file__).parent / "shim.c"
COMPILER: Final = shutil.which("gcc")
REQUEST: Final = struct.Struct("=BBBxII")
BYTE, BLOCK = 2, 8
"""SMBus protocols of linux/i2c.h."""
BUFSIZ: Final = 4096
"""What spidev takes in one message."""


@pytest.fixture(scope="session")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Compile the shim, once."""
    if COMPILER is None or sys.platform != "linux":
        pytest.skip("the shim is for Linux and needs gcc: apt-get install gcc")
    library = tmp_path_factory.mktemp("shim") / "shim.so"
    command = [COMPILER, "-shared", "-fPIC", "-O2", "-o", str(library), str(SHIM), "-ldl"]
    subprocess.run(command, check=True, capture_output=True)
    return library


@dataclass(frozen=True)
class Sent:
    """One SPI message."""

    at: float
    data: bytes
    speed_hz: int


@dataclass(frozen=True)
class Program:
    """A program that runs behind the shim."""

    process: subprocess.Popen[bytes]
    _said: Path
    _complaints: Path

    @property
    def said(self) -> str:
        """What it has written to its standard output."""
        return self._said.read_text("utf-8")

    @property
    def complaints(self) -> str:
        """What it has written to its standard error."""
        return self._complaints.read_text("utf-8")

    def until(self, text: str, seconds: float = 30.0) -> None:
        """Wait until it says something; TimeoutError if it does not, or ends."""
        end = time.monotonic() + seconds
        while text not in self.said:
            if time.monotonic() > end or self.process.poll() is not None:
                raise TimeoutError(f"{text!r} was not said: {self.said[-500:]}{self.complaints}")
            time.sleep(0.02)

    def end(self, seconds: float = 20.0) -> int:
        """Send it SIGTERM and return its exit code; it is killed if it does not end in time."""
        self.process.terminate()
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()


class Wires:
    """A socket with a simulated board behind it; `start` runs programs that take it for a Pi's."""

    def __init__(self, layout: Layout, folder: Path, shim: Path) -> None:
        self.board = SimulatedBoard(layout)
        self.busy: set[int] = set()
        """Addresses that a driver of the kernel has."""
        self.denied: dict[str, int] = {}
        """Beginnings of device files that do not open, each with its errno."""
        self.deaf = False
        """The adapter has no time-out of its own: who hangs waits."""
        self.settings: list[tuple[str, int, int]] = []
        """I2C ("t") and SPI ("s") settings that were made: number, value."""
        self.sent: list[Sent] = []
        self._hang_when: Callable[[int, int], bool] = lambda address, command: False
        self._hang_s = self._hung_until = 0.0
        self._timeout_s = 1.0
        self._shim = shim
        self._path = folder / "wires"
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.bind(str(self._path))
        self._socket.listen()
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        """Take no more calls."""
        self._socket.close()

    def hang(self, seconds: float, when: Callable[[int, int], bool]) -> None:
        """Let somebody hold the clock for so long, ahead of the next transfer of which `when` says
        so: it is told the address and the register or command.
        """
        self._hang_when, self._hang_s = when, seconds

    @contextlib.contextmanager
    def start(
        self, command: Sequence[str], environment: Mapping[str, str] | None = None
    ) -> Iterator[Program]:
        """Run any command with its devices behind these wires; it is ended, if it has not, as
        `Program.end` does.
        """
        settings = {
            **os.environ,
            "LD_PRELOAD": str(self._shim),
            "LAMPION_RIG": str(self._path),
            "GPIOZERO_PIN_FACTORY": "mock",
            "PYTHONUNBUFFERED": "1",
            **(environment or {}),
        }
        said, complaints = self._path.with_name("said"), self._path.with_name("complaints")
        with said.open("wb") as out, complaints.open("wb") as err:
            process = subprocess.Popen(command, env=settings, stdout=out, stderr=err)
        program = Program(process, said, complaints)
        try:
            yield program
        finally:
            program.end()

    # ---- what a program asks

    def _serve(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._socket.accept()
                threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        address = 0
        with connection, connection.makefile("rb") as requests:
            while len(head := requests.read(REQUEST.size)) == REQUEST.size:
                kind, rw, command, value, size = REQUEST.unpack(head)
                data, answer = requests.read(size), b""
                try:
                    match chr(kind):
                        case "o":
                            self._open(data.decode())
                        case "a":
                            address = self._claim(value)
                        case "t" | "s" as setting:
                            self._set(setting, command, value)
                        case "x":
                            answer = self._transfer(address, bool(rw), command, value, data)
                        case "m":
                            self._message(data, value)
                except OSError as error:
                    connection.sendall(struct.pack("=iI", error.errno or errno.EIO, 0))
                else:
                    connection.sendall(struct.pack("=iI", 0, len(answer)) + answer)

    def _open(self, path: str) -> None:
        for beginning, number in self.denied.items():
            if path.startswith(beginning):
                raise OSError(number, "denied")

    def _claim(self, address: int) -> int:
        if address in self.busy:
            raise OSError(errno.EBUSY, "a driver has it")
        return address

    def _set(self, kind: str, number: int, value: int) -> None:
        self.settings.append((kind, number, value))
        if (kind, number) == ("t", 0x02):
            self._timeout_s = value / 100

    def _transfer(self, address: int, reads: bool, command: int, form: int, data: bytes) -> bytes:
        self._wait(address, command)
        bus = self.board.bus
        if form == BYTE and reads:
            return bytes([bus.read_byte_data(address, command)])
        if form == BYTE:
            bus.write_byte_data(address, command, data[0])
        elif form == BLOCK and reads:
            block = bus.read_i2c_block_data(address, command, data[0])
            return bytes([len(block), *block]).ljust(len(data), b"\0")
        else:
            bus.write_i2c_block_data(address, command, data[1 : 1 + data[0]])
        return b""

    def _wait(self, address: int, command: int) -> None:
        """Do as a kernel does while the clock is held: wait, and give up after the time-out."""
        if self._hang_s and self._hang_when(address, command):
            self._hung_until, self._hang_s = time.monotonic() + self._hang_s, 0.0
        left = self._hung_until - time.monotonic()
        if left > 0:
            time.sleep(left if self.deaf else min(left, self._timeout_s))
            if left > self._timeout_s and not self.deaf:
                raise OSError(errno.ETIMEDOUT, "the clock is held")

    def _message(self, data: bytes, speed_hz: int) -> None:
        if len(data) > BUFSIZ:
            raise OSError(errno.EMSGSIZE, "more than bufsiz")
        self.sent.append(Sent(time.monotonic(), data, speed_hz))
        with contextlib.suppress(OSError):  # what no LED understands, none shows
            self.board.strip.transfer(data)


@pytest.fixture
def wires(shim: Path, tmp_path: Path) -> Iterator[Callable[[str], Wires]]:
    """Make wires with a board behind them, by the name of its layout."""
    made: list[Wires] = []

    def make(name: str) -> Wires:
        folder = tmp_path / name
        folder.mkdir()
        made.append(Wires(layouts.load(name), folder, shim))
        return made[-1]

    yield make
    for each in made:
        each.close()
