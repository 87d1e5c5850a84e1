"""The beat by which a page knows that the board is there, and the board that a command is fresh."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from firmware_host.i18n.messages import say
from firmware_host.web.protocol import Command
from firmware_host.web.virtual_table import RefusedError

BEAT: Final = 4
"""Seconds between two beats; a page gives up after five of them (`SILENCE` in wire.js)."""

LATE: Final = 10
"""Seconds for which a page may rely on a beat that it has heard."""


async def beat(send: Callable[[bytes], Awaitable[None]]) -> None:
    """Send a beat now and then again and again."""
    while True:
        await send(b"\2" + _clock().to_bytes(4))
        await asyncio.sleep(BEAT)


def check_in_time(command: Command) -> None:
    """RefusedError if the page had not heard the board for long when it gave the command, or if the
    command has waited on its way.
    """
    if command.heard is not None and _clock() - command.heard > LATE:
        raise RefusedError(say("That came too late; look again."))


def _clock() -> int:
    return int(asyncio.get_running_loop().time())
