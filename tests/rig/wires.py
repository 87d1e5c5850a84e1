"""The other end of the shim: a simulated board behind the device files of an unmodified program.

The program's I2C and SPI calls arrive over a socket, with one connection for each opened file.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
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
from tests.rig.answers import Answers
from tests.rig.running import READY

SHIM: Final = Path(__file__).parent / "shim.c"
COMPILER: Final = shutil.which("gcc")


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
class Program:
    """A program that runs behind the shim."""

    process: subprocess.Popen[bytes]
    _said: Path
    _complaints: Path

    @property
    def said(self) -> str:
        """Its standard output so far."""
        return self._said.read_text("utf-8")

    @property
    def error_lines(self) -> str:
        """Its standard error so far."""
        return self._complaints.read_text("utf-8")

    def until(self, text: str, seconds: float = 30.0) -> None:
        """Wait until it prints a text; TimeoutError if it does not, or ends."""
        end = time.monotonic() + seconds
        while text not in self.said:
            if time.monotonic() > end or self.process.poll() is not None:
                raise TimeoutError(f"{text!r} was not said: {self.said[-500:]}{self.error_lines}")
            time.sleep(0.02)

    def wait_for(self, is_so: Callable[[], bool], seconds: float = 60.0) -> None:
        """Wait until a claim is true, or until the time is over."""
        end = time.monotonic() + seconds
        while not is_so() and time.monotonic() < end and self.process.poll() is None:
            time.sleep(0.02)

    def until_it_plays(self, wire: Wires) -> None:
        """Wait until `lampion run` has read the board and lit it."""
        self.until(READY, 120.0)
        self.wait_for(lambda: any(map(any, wire.board.strip.pixels)))
        time.sleep(1.0)

    def end(self, seconds: float = 20.0) -> int:
        """Send it SIGTERM and return its exit code; it is killed if it does not end in time."""
        self.process.terminate()
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()


class Wires(Answers):
    """A socket with a simulated board behind it; `start` runs programs that use it like a Pi's
    devices.
    """

    def __init__(self, layout: Layout, folder: Path, shim: Path) -> None:
        super().__init__(layout)
        self._shim = shim
        self._path = folder / "wires"
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.bind(str(self._path))
        self._socket.listen()
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        """Accept no more calls."""
        self._socket.close()

    @contextlib.contextmanager
    def start(
        self, command: Sequence[str], environment: Mapping[str, str] | None = None
    ) -> Iterator[Program]:
        """Run a command with its devices behind these wires; at the end it is stopped as by
        `Program.end`.
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

    def _serve(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._socket.accept()
                threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        with (
            contextlib.suppress(ConnectionError),  # a killed program does not close its connections
            connection,
            connection.makefile("rb") as requests,
        ):
            self.serve(requests.read, connection.sendall)


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
