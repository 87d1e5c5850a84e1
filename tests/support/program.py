"""The program as a process of its own: it can be killed, and its memory and time be measured."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Self

from firmware_host.web.keys import Keys
from firmware_host.web.roles import Role

_ADDRESS = re.compile(r"http://[^:/]+:(\d+)/")


class Program:
    """`lampion sim` with a state directory; the port stays the same over restarts."""

    def __init__(self, state: Path, *arguments: str) -> None:
        self._state = state
        self._arguments = arguments
        self._log = state.with_suffix(".log")
        self.port = 0
        self.start()

    def start(self) -> None:
        """Start it, and wait until it answers."""
        command = [sys.executable, "-m", "firmware_host", "sim", "--state", str(self._state)]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [*command, "--port", str(self.port), *self._arguments],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        found = _ADDRESS.search(line)
        if found is None:
            raise RuntimeError(f"the program does not start: {line}{self.log()}")
        self.port = int(found[1])

    @property
    def url(self) -> str:
        """The address of its page."""
        return f"http://localhost:{self.port}/"

    def link(self, role: Role) -> str:
        """Return the address with the token of a role, if it was started with `--lan`."""
        return f"{self.url}?token={Keys.stored_in(self._state).token(role)}"

    def log(self) -> str:
        """Return what it has written to its standard error."""
        return self._log.read_text(encoding="utf-8")

    @property
    def rss_mb(self) -> float:
        """The memory that it holds now."""
        status = Path(f"/proc/{self._process.pid}/status").read_text(encoding="utf-8")
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024

    @property
    def cpu_seconds(self) -> float:
        """The processor time that it has used."""
        stat = Path(f"/proc/{self._process.pid}/stat").read_text(encoding="utf-8")
        fields = stat.rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def kill(self) -> None:
        """End it as a power cut does: it can finish nothing."""
        self._process.kill()
        self._gone()

    def stop(self) -> int:
        """End it, and return its exit code."""
        if self._process.poll() is None:
            self._process.terminate()
        return self._gone()

    def _gone(self) -> int:
        try:
            return self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()
        finally:
            if self._process.stdout:
                self._process.stdout.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()
