"""Tasks that run until one of them ends, or until the program is asked to end."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Awaitable


async def until_one_ends(*work: Awaitable[object]) -> None:
    """Run all tasks until one ends, cancel the others, and raise what went wrong."""
    tasks = [asyncio.ensure_future(each) for each in work]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def work_together(*work: Awaitable[object]) -> None:
    """Run all tasks until one ends or the program is asked to end; raise what went wrong."""
    ended = asyncio.Event()
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(each) != signal.SIG_IGN:  # as under nohup
            asyncio.get_running_loop().add_signal_handler(each, ended.set)
    await until_one_ends(*work, ended.wait())
