"""Reports to systemd: the service is ready, it still reads the board, and its status.

Plain datagrams, as sd_notify(3) describes them. Without a systemd that listens, nothing is sent.
"""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Mapping
from typing import Final

STATUS_CHARACTERS: Final = 200
"""The longest status; the rest is in the log."""


class Watchdog:
    """The socket and the watchdog of systemd, where it runs the service."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        """Read from the environment where systemd listens, and how often the service must report
        that it still reads the board.
        """
        self._socket: socket.socket | None = None
        address = environment.get("NOTIFY_SOCKET", "")
        if address[:1] in ("/", "@"):
            self._address = address.replace("@", "\0", 1) if address[0] == "@" else address
            self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)
            self._socket.setblocking(False)
        limit = environment.get("WATCHDOG_USEC", "")
        meant = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        # A third of the limit: one report may be lost, and one read may be late.
        self._every = int(limit) / 3e6 if limit.isdigit() and meant else None
        self._due = float("-inf")
        self._status = ""

    def ready(self) -> None:
        """Report that the board is set up and the page can be opened."""
        self._send("READY=1")

    def looked(self, now: float) -> None:
        """Report that the board was read at `now` seconds. Without such reports systemd restarts
        the program.
        """
        if self._every is not None and now >= self._due:
            self._due = now + self._every
            self._send("WATCHDOG=1")

    def status(self, text: str) -> None:
        """Report one line for `systemctl status`; the same line is sent only once."""
        line = " ".join(text.split())[:STATUS_CHARACTERS]
        if line != self._status:
            self._status = line
            self._send(f"STATUS={line}")

    def stopping(self) -> None:
        """Report that the program is about to end."""
        self._send("STOPPING=1")

    def close(self) -> None:
        """Close the socket; nothing is sent any more."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _send(self, message: str) -> None:
        # A systemd that is gone, or too busy to listen, must not stop a game.
        if self._socket is not None:
            with contextlib.suppress(OSError):
                self._socket.sendto(message.encode(), self._address)
