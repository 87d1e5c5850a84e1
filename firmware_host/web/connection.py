"""The connection of one page: the messages to it, and its commands.

A page gets the newest state and the newest light, never a queue of old ones. Only answers to its
own commands are queued, and a page that lets too many of them pile up is disconnected.
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
from firmware_host.i18n.messages import Message, RefusedError, negotiate, render, say
from firmware_host.web.protocol import MAX_BYTES, Command, LanguageCommand

MOST_ANSWERS: Final = 64
FRAME_S: Final = 1 / 30
"""The least time between two frames of light to a page."""

HEARTBEAT_S: Final = 4
"""The time between two heartbeats; a page gives up after five of them (`SILENCE_MS` in wire.js)."""
LATE_S: Final = 10
"""The age up to which a page may rely on a heartbeat."""

BURST: Final = 60
"""The commands of one connection that are taken as fast as they come …"""
RATE: Final = 20.0
"""… and how many a second after that."""


class RateLimit:
    """How fast one connection may give commands: no hand is as fast, but a program may be."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._left = float(BURST)
        self._at = clock()

    def wait(self) -> float:
        """Count a command; return the seconds until the next one is taken."""
        now = self._clock()
        self._left = min(BURST, self._left + (now - self._at) * RATE) - 1
        self._at = now
        return max(0.0, -self._left / RATE)


AnyOf = TypeVar("AnyOf", bound=Command)
"""The commands of one kind of page."""


class PageConnection(Generic[AnyOf]):
    """One connection. Each kind of page defines its commands and its messages."""

    def __init__(self, socket: WebSocket, language: str, decode: Callable[[str], AnyOf]) -> None:
        """`decode` turns a message into a command; msgspec.DecodeError says what is wrong."""
        self.language = language
        self._decode = decode
        self._refused: Message | None = None
        self._socket = socket
        self._wake = asyncio.Event()
        self._answers: deque[dict[str, Any]] = deque()
        self._lit = b""
        self._scope = anyio.CancelScope()
        self._closing: tuple[int, str] | None = None
        self._rate_limit = RateLimit(time.monotonic)

    async def update(self) -> None:
        """Send the page the changes."""
        raise NotImplementedError

    def light(self) -> tuple[int, bytes]:
        """Return a revision and the light that belongs to it, three bytes a pixel."""
        raise NotImplementedError

    def take(self, command: AnyOf) -> None:
        """Carry out a command; RefusedError says why that is impossible."""
        raise NotImplementedError

    def wake(self) -> None:
        """Make the connection look for changes."""
        self._wake.set()

    async def run(self) -> None:
        """Serve the page until it goes."""
        async with anyio.create_task_group() as group:
            self._scope = group.cancel_scope
            for sending in (self._send_heartbeats(), self._send_news()):
                group.start_soon(self._until_gone, sending, group.cancel_scope)
            self._closing = await self._receive()
            group.cancel_scope.cancel()
        if self._closing is not None:  # now that nothing else is sent
            await self._socket.close(*self._closing)

    def end(self, code: int, reason: str) -> None:
        """Close the connection soon, with a code and a reason."""
        self._closing = code, reason
        self._scope.cancel()

    async def send(self, message: dict[str, Any]) -> None:
        """Send the page a message."""
        await self._socket.send_text(msgspec.json.encode(message).decode())

    def refuse(self, error: RefusedError) -> None:
        """Send the page the reason why something that it began could not be finished."""
        if len(self._answers) < MOST_ANSWERS:
            self._refused = error.message
            reason = render(error.message, self.language)
            self._answers.append({"type": "refused", "n": None, "reason": reason})
            self.wake()

    async def _until_gone(self, sending: Awaitable[None], scope: anyio.CancelScope) -> None:
        try:
            await sending
        except WebSocketDisconnect:
            scope.cancel()

    async def _send_heartbeats(self) -> None:
        while True:
            await self._socket.send_bytes(b"\2" + _clock().to_bytes(4))
            await asyncio.sleep(HEARTBEAT_S)

    async def _send_news(self) -> None:
        while True:
            self._wake.clear()
            answers = list(self._answers)
            self._answers.clear()
            await self.update()
            for answer in answers:  # after the state that the command led to
                await self.send(answer)
            await self._send_light()
            if not self._wake.is_set():
                await self._wake.wait()

    async def _send_light(self) -> None:
        rev, pixels = self.light()
        if pixels != self._lit:
            self._lit = pixels
            await self._socket.send_bytes(b"\1" + (rev % 2**32).to_bytes(4) + pixels)
            await asyncio.sleep(FRAME_S)

    async def _receive(self) -> tuple[int, str] | None:
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
            if wait := self._rate_limit.wait():  # later commands wait in the socket
                await asyncio.sleep(wait)

    def _answer(self, text: str) -> dict[str, Any]:
        """Carry out a command and return the answer to it."""
        number = None
        try:
            command = self._decode(text)
            number = command.n
            _check_in_time(command)
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


def _check_in_time(command: Command) -> None:
    """RefusedError if the page had lost the board when it gave the command, or if the command was
    delayed on its way.
    """
    if command.heartbeat is not None and _clock() - command.heartbeat > LATE_S:
        raise RefusedError(say("That came too late; look again."))


def _clock() -> int:
    return int(asyncio.get_running_loop().time())


def language_of(connection: HTTPConnection, otherwise: str) -> str:
    """Return the language that a page wants, or `otherwise` if there is no translation for it."""
    accepted = connection.headers.get("accept-language", "")
    return negotiate(connection.query_params.get("lang"), f"{accepted},{otherwise};q=0.001")
