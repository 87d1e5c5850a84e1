"""One page that is connected: what it is told when something is new, and what it asks for.

A page gets the newest state and the newest light, never a queue of old ones; only answers to its
own commands are kept, and a page that lets too many of them pile up is disconnected.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, Final, Generic, TypeVar

import anyio
import msgspec
from starlette.requests import HTTPConnection
from starlette.websockets import WebSocket, WebSocketDisconnect

from firmware_host.console.terminal import one_line
from firmware_host.i18n.messages import Message, negotiate, render, say
from firmware_host.web.heartbeat import beat, check_in_time
from firmware_host.web.protocol import MAX_BYTES, Command, LanguageCommand
from firmware_host.web.virtual_table import RefusedError

MOST_ANSWERS: Final = 64
FRAME: Final = 1 / 30
"""The least time between two frames of light to a page, in seconds."""


BURST: Final = 60
"""The commands of one connection that are taken as fast as they come …"""
RATE: Final = 20.0
"""… and how many a second after that."""


class Pace:
    """How fast one connection may give commands: a hand is never so fast, a program may be."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._left = float(BURST)
        self._at = clock()

    def wait(self) -> float:
        """Count a command; return for how many seconds no other is taken."""
        now = self._clock()
        self._left = min(BURST, self._left + (now - self._at) * RATE) - 1
        self._at = now
        return max(0.0, -self._left / RATE)


AnyOf = TypeVar("AnyOf", bound=Command)
"""The commands of one kind of page."""


class PageConnection(Generic[AnyOf]):
    """One connection. Which commands there are and what is told is for each kind of page to say."""

    def __init__(self, socket: WebSocket, language: str, decode: Callable[[str], AnyOf]) -> None:
        """`decode` returns a message as a command; msgspec.DecodeError says what is wrong."""
        self.language = language
        self._decode = decode
        self._refused: Message | None = None
        self._socket = socket
        self._wake = asyncio.Event()
        self._answers: deque[dict[str, Any]] = deque()
        self._lit = b""
        self._both = anyio.CancelScope()
        self._ending: tuple[int, str] | None = None
        self._pace = Pace(time.monotonic)

    async def tell(self) -> None:
        """Tell the page what it does not know yet."""
        raise NotImplementedError

    def light(self) -> tuple[int, bytes]:
        """Return a revision, and the light that belongs to it, three bytes a pixel."""
        raise NotImplementedError

    def take(self, command: AnyOf) -> None:
        """Do what a command asks; RefusedError says why not."""
        raise NotImplementedError

    def wake(self) -> None:
        """Let the page look for news."""
        self._wake.set()

    async def run(self) -> None:
        """Talk to the page until it goes."""
        async with anyio.create_task_group() as both:
            self._both = both.cancel_scope
            for talk in (beat(self._socket.send_bytes), self._speak()):
                both.start_soon(self._until_gone, talk, both.cancel_scope)
            self._ending = await self._hear()
            both.cancel_scope.cancel()
        if self._ending is not None:  # now that nobody speaks any more
            await self._socket.close(*self._ending)

    def end(self, code: int, reason: str) -> None:
        """Close the connection soon, with a code and a reason."""
        self._ending = code, reason
        self._both.cancel()

    async def send(self, message: dict[str, Any]) -> None:
        """Send the page a message."""
        await self._socket.send_text(msgspec.json.encode(message).decode())

    def refuse(self, error: RefusedError) -> None:
        """Tell the page that what it began could not be finished."""
        if len(self._answers) < MOST_ANSWERS:
            self._refused = error.message
            reason = render(error.message, self.language)
            self._answers.append({"type": "refused", "n": None, "reason": reason})
            self.wake()

    async def _until_gone(self, talk: Awaitable[None], both: anyio.CancelScope) -> None:
        try:
            await talk
        except WebSocketDisconnect:
            both.cancel()

    async def _speak(self) -> None:
        while True:
            self._wake.clear()
            answers = list(self._answers)
            self._answers.clear()
            await self.tell()
            for answer in answers:  # after the state that came of the command
                await self.send(answer)
            await self._shine()
            if not self._wake.is_set():
                await self._wake.wait()

    async def _shine(self) -> None:
        rev, pixels = self.light()
        if pixels != self._lit:
            self._lit = pixels
            await self._socket.send_bytes(b"\1" + (rev % 2**32).to_bytes(4) + pixels)
            await asyncio.sleep(FRAME)

    async def _hear(self) -> tuple[int, str] | None:
        """Take commands until the page goes, or return the code and reason to close with."""
        while True:
            event = await self._socket.receive()
            if event["type"] == "websocket.disconnect":
                return None
            text = event.get("text")
            if text is None:
                return 1003, "commands are text"
            if len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
                return 1009, f"a command has at most {MAX_BYTES} bytes"
            if len(self._answers) >= MOST_ANSWERS:
                return 1008, "too many commands without reading the answers"
            self._answers.append(self._answer(text))
            self.wake()
            if wait := self._pace.wait():  # what it sends meanwhile waits on the wire
                await asyncio.sleep(wait)

    def _answer(self, text: str) -> dict[str, Any]:
        """Do what a command asks and return the answer to it."""
        number = None
        try:
            command = self._decode(text)
            number = command.n
            check_in_time(command)
            if isinstance(command, LanguageCommand):
                self.language = negotiate(command.language)
            else:
                self.take(command)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            message = say("That is not a command: {why}", why=one_line(str(error)))
        except RefusedError as error:
            message = error.message
        else:
            return {"type": "answer", "n": number}
        self._refused = message
        return {"type": "refused", "n": number, "reason": render(message, self.language)}


def language_of(connection: HTTPConnection, otherwise: str) -> str:
    """Return the language that a page wants; `otherwise` if it knows none of ours."""
    accepted = connection.headers.get("accept-language", "")
    return negotiate(connection.query_params.get("lang"), f"{accepted},{otherwise};q=0.001")
