"""A mosquitto of the tests' own: it can be killed and started again, and forgets everything."""

from __future__ import annotations

import getpass
import os
import shutil
import socket
import subprocess
import time
from pathlib import Path

import pytest

_FOUND = shutil.which("mosquitto", path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
NEEDED = pytest.mark.skipif(
    _FOUND is None, reason="needs mosquitto: sudo apt-get install mosquitto"
)
SOON_S = 20.0


class Mosquitto:
    """A broker on a port of the loopback, with further lines of its configuration."""

    def __init__(self, folder: Path, *lines: str) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port: int = free.getsockname()[1]
        self.kills = 0
        self._config = folder / "mosquitto.conf"
        access = () if lines else ("allow_anonymous true",)
        text = [
            f"user {getpass.getuser()}",
            f"listener {self.port} 127.0.0.1",
            "persistence false",
            *access,
            *lines,
        ]
        self._config.write_text("\n".join(text) + "\n")
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        """Start it, and wait until it answers."""
        assert _FOUND is not None
        self._process = subprocess.Popen(
            [_FOUND, "-c", str(self._config)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        end = time.monotonic() + SOON_S
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
            except OSError:
                assert time.monotonic() < end, "mosquitto does not start"
                time.sleep(0.02)
            else:
                return

    def kill(self) -> None:
        """End it as a power cut does."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
            self.kills += 1
