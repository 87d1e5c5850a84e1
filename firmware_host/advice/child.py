"""Another program that is asked in lines and answers in lines, while the loop goes on.

It is started when it is needed, is never waited for, and is ended at once when nobody wants it any
more. That it has ended by itself, or says more than a program of its kind would, is told.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
from collections.abc import Callable, Sequence
from typing import IO, Final

LONGEST: Final = 1 << 20
"""The bytes of a line at most; one that says more is no program that we know."""
NICER: Final = 10
"""By so much it gives way to everybody else."""


class Child:
    """A program that runs from when this is made until it is ended."""

    def __init__(
        self,
        command: Sequence[str],
        heard: Callable[[bytes], None],
        ended: Callable[[], None],
    ) -> None:
        """Start it; OSError says why that cannot be. `heard` gets each line that it says, without
        its end; `ended` is called once if it ends by itself. Needs a loop that runs.
        """
        self._heard, self._ended = heard, ended
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._in: IO[bytes] = self._process.stdin
        self._out: IO[bytes] = self._process.stdout
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, self._process.pid, NICER)
        for pipe in (self._in, self._out):
            os.set_blocking(pipe.fileno(), False)
        self._said = b""
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._out.fileno(), self._read)

    @property
    def pid(self) -> int:
        """The number of its process."""
        return self._process.pid

    @property
    def runs(self) -> bool:
        """Whether it has not been ended, and did not end."""
        return not self._out.closed

    def tell(self, line: bytes) -> None:
        """Tell it a line. If it does not listen, it is as good as ended."""
        if not self.runs:
            return
        try:
            written = os.write(self._in.fileno(), line + b"\n")
        except OSError:
            written = -1
        if written <= len(line):
            self._fail()

    def end(self) -> None:
        """End it now."""
        if not self.runs:
            return
        if not self._loop.is_closed():
            self._loop.remove_reader(self._out.fileno())
        self._process.kill()
        with contextlib.suppress(OSError):
            self._in.close()
        self._out.close()
        self._process.wait()

    def _read(self) -> None:
        try:
            more = os.read(self._out.fileno(), 1 << 16)
        except BlockingIOError:
            return
        except OSError:
            more = b""
        if not more or len(self._said) + len(more) > LONGEST:
            self._fail()
            return
        *lines, self._said = (self._said + more).split(b"\n")
        for line in lines:
            if self.runs:
                self._heard(line.rstrip(b"\r"))

    def _fail(self) -> None:
        self.end()
        self._ended()
