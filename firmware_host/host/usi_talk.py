"""The conversation of a board with a program that speaks USI, on standard input and output."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import threading

from firmware_host.console.terminal import print_error
from firmware_host.host.host import Host
from firmware_host.opponents.usi_board import UsiBoard
from firmware_host.opponents.worker import Inbox


class UsiTalk:
    """The person at a board is the engine of the program at the other end of two pipes."""

    def __init__(self) -> None:
        self._notes: list[str] = []

    def note(self, text: str) -> None:
        """Take what the board would print: on standard error, and for the other program."""
        self._notes.append(text)
        with contextlib.suppress(OSError):
            print_error(text)

    async def run(self, host: Host) -> None:
        """Talk until `quit`, or until the other program has gone."""
        opponents = host.opponents
        board = UsiBoard(
            self._say, host.wake, host.begin_at, opponents.follower(), opponents.machine.hands_off
        )
        board.notes = self._notes
        opponents.elsewhere, host.seating.only_people = board, True
        self._board, self._loop = board, asyncio.get_running_loop()
        threading.Thread(target=self._listen, name="usi", daemon=True).start()
        await board.ended.wait()

    def _say(self, line: str) -> None:
        try:
            os.write(sys.stdout.fileno(), f"{line}\n".encode())
        except OSError:  # the other program has gone
            self._board.ended.set()

    def _listen(self) -> None:
        """Read lines in a thread: a standard input may be anything."""
        inbox = Inbox(sys.stdin.fileno())  # not `sys.stdin`, which a waiting thread would lock
        with contextlib.suppress(RuntimeError, OSError):  # the loop has ended
            while (line := inbox.line()) is not None:
                text = line.decode("utf-8", "replace")
                self._loop.call_soon_threadsafe(self._board.take, text)
            self._loop.call_soon_threadsafe(self._board.ended.set)
