"""A subprocess that exchanges lines with the event loop.

Nothing blocks on it. `end` kills it with all its own subprocesses. If it ends by itself, or sends
too long a line, that is reported.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import IO, Final

LARGEST_LINE_BYTES: Final = 1 << 20
"""The largest line in bytes; a program that sends more is ended."""
NICER: Final = 10
"""The increment of the nice value."""
KEPT_ERROR_BYTES: Final = 4096
"""The number of bytes of its standard error that are kept, the last ones."""
_GUARD: Final = (
    'trap "kill -9 0" TERM; exec 3<&0 <&-; "$@" <&3 3<&- & exec 3<&-; wait $!; kill -9 0'
)
"""Runs a program, and then ends its whole process group."""


def guarded(command: Sequence[str]) -> Sequence[str]:
    """Return a command that runs another one, and kills its process group when this process ends,
    even by SIGKILL; the command itself where the system cannot do that.
    """
    setpriv = shutil.which("setpriv") if sys.platform == "linux" else None
    if setpriv is None:
        return command
    return (setpriv, "--pdeathsig", "TERM", "/bin/sh", "-c", _GUARD, "sh", *command)


class SubprocessClient:
    """A running subprocess."""

    starting = False
    """A subprocess does not say when it has started."""

    def __init__(
        self,
        command: Sequence[str],
        received: Callable[[bytes], None],
        ended: Callable[[], None],
        folder: str | None = None,
    ) -> None:
        """Start it in a folder, or in the current one; OSError if that fails.

        `received` gets each line without its end; `ended` is called once if it ends by itself.
        Needs a running loop.
        """
        self._received, self._ended = received, ended
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            cwd=folder,
            start_new_session=True,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._in: IO[bytes] = self._process.stdin
        self._out: IO[bytes] = self._process.stdout
        self._errors: IO[bytes] = self._process.stderr
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PGRP, self._process.pid, NICER)
        for pipe in (self._in, self._out, self._errors):
            os.set_blocking(pipe.fileno(), False)
        self._partial_line = self._error_output = b""
        self._loop = asyncio.get_running_loop()
        self.resume_reading()

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    @property
    def runs(self) -> bool:
        """Whether it runs, as far as is known."""
        return not self._out.closed

    @property
    def has_ended(self) -> bool:
        """Whether it has ended, even if the loop has not noticed yet."""
        ended = os.WEXITED | os.WNOHANG | os.WNOWAIT  # its group keeps its number until `end`
        return not self.runs or os.waitid(os.P_PID, self._process.pid, ended) is not None

    @property
    def error_lines(self) -> Sequence[str]:
        """The last lines that it wrote to its standard error."""
        lines = self._error_output.decode("utf-8", "replace").splitlines()
        return [line for line in lines if line.strip()]

    def resume_reading(self) -> None:
        """Read what it writes."""
        self._loop.add_reader(self._out.fileno(), self._read)
        self._loop.add_reader(self._errors.fileno(), self._read_errors)

    def pause_reading(self) -> None:
        """Read nothing until `resume_reading`: a subprocess that writes much then waits."""
        if self.runs and not self._loop.is_closed():
            self._loop.remove_reader(self._out.fileno())
            self._loop.remove_reader(self._errors.fileno())

    def send(self, line: bytes) -> None:
        """Send it a line. If it does not read, it is ended."""
        if not self.runs:
            return
        try:
            written = os.write(self._in.fileno(), line + b"\n")
        except OSError:
            written = -1
        if written <= len(line):
            self._fail()

    def end(self) -> None:
        """Kill it now, with all that it has started."""
        if not self.runs:
            return
        self.pause_reading()
        self._read_errors()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        for pipe in (self._in, self._out, self._errors):
            with contextlib.suppress(OSError):
                pipe.close()
        self._process.wait()

    def _read(self) -> None:
        try:
            more = os.read(self._out.fileno(), 1 << 16)
        except BlockingIOError:
            return
        except OSError:
            more = b""
        if not more or len(self._partial_line) + len(more) > LARGEST_LINE_BYTES:
            self._fail()
            return
        *lines, self._partial_line = (self._partial_line + more).split(b"\n")
        for line in lines:
            if self.runs:
                self._received(line.rstrip(b"\r"))

    def _read_errors(self) -> None:
        try:
            more = os.read(self._errors.fileno(), 1 << 16)
        except BlockingIOError:
            return
        except OSError:
            more = b""
        self._error_output = (self._error_output + more)[-KEPT_ERROR_BYTES:]
        if not more and not self._loop.is_closed():
            self._loop.remove_reader(self._errors.fileno())

    def _fail(self) -> None:
        self.end()
        self._ended()
