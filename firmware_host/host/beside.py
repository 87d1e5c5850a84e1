"""What a command runs beside a board."""

from __future__ import annotations

from typing import Protocol

from firmware_host.host.host import Host


class Beside(Protocol):
    """A conversation beside a board, which has standard output for itself."""

    def note(self, text: str) -> None:
        """Take what the board would print, such as the address of its page."""

    async def run(self, host: Host) -> None:
        """Run until the conversation ends; the board ends with it."""
