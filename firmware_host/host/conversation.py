"""The work of a board: its loop, a conversation on standard output, the client of its broker."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable
from typing import Protocol

from firmware_host.config.config import Config
from firmware_host.console.terminal import print_line
from firmware_host.host.host import Host


class Conversation(Protocol):
    """A conversation of a board with another program, which has standard output for itself."""

    def note(self, text: str) -> None:
        """Take what the board would print, such as the address of its page."""

    async def run(self, host: Host) -> None:
        """Run until the conversation ends; the board ends with it."""


def print_note(text: str) -> None:
    """Print a line for the person who started the board; nobody has to read it."""
    with contextlib.suppress(OSError):
        print_line(text, flush=True)


def work_of(
    host: Host, config: Config, conversation: Conversation | None
) -> list[Awaitable[object]]:
    """Return what runs at every board: its loop, its conversation, the client of its broker.
    ValueError says in one line what the client lacks.
    """
    work: list[Awaitable[object]] = []
    if config.mqtt.address:  # first: no coroutine may be left over if the client is refused
        from firmware_host.mqtt.broker import BrokerClient  # few boards have one

        work.append(BrokerClient(host, config.mqtt, config.language).run())
    if conversation is not None:
        work.append(conversation.run(host))
    return [host.run(), *work]
