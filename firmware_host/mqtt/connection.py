"""One connection to an MQTT broker, in a thread of the library; for the event loop.

It ends with the first error. The client then begins another one, and publishes all again.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
import threading
from collections.abc import Callable
from typing import Any, Final

from paho.mqtt import client as paho
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

KEEPALIVE_S: Final = 15
"""A broker that is silent for some longer is gone."""
ANSWER_S: Final = 5.0
"""A broker answers within this time."""
END_S: Final = 1.0
"""The last messages are sent within this time when the program ends."""
MOST_WAITING: Final = 4
"""At most this many messages wait for the event loop; until then the broker keeps the others."""
HEADER_BYTES: Final = 1024
"""A packet may be larger than its payload by this: it has a topic and some properties, too."""
WHAT_TO_CHECK: Final = "check mqtt.address, mqtt.ca_file and this computer's clock"
QOS: Final = 1
"""Each message arrives at least once while the connection lasts."""


class BrokerConnection:
    """A connection: `start` it, use it, `close` it. ConnectionError says why it has ended."""

    def __init__(
        self,
        name: str,
        received: Callable[[str, bytes], None],
        *,
        will: str,
        largest_bytes: int,
        user: str = "",
        password: str | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        """`received` gets the topic and the payload of each message that is not larger; the broker
        does not even send larger ones, which would fill the memory. The broker
        publishes `offline` under the topic `will` when the connection breaks. Needs a running loop.
        """
        self._loop = asyncio.get_running_loop()
        self._received = received
        self._will = will
        self._largest_bytes = largest_bytes
        self._end: asyncio.Future[str] = self._loop.create_future()  # why it has ended
        self._start: asyncio.Future[None] = self._loop.create_future()
        self._unanswered: dict[int, asyncio.Future[None]] = {}  # by the number of the message
        self._thread: threading.Thread | None = None
        self._room = threading.Semaphore(MOST_WAITING)
        client = self._client = paho.Client(
            CallbackAPIVersion.VERSION2, name, protocol=paho.MQTTv5, reconnect_on_failure=False
        )
        client.connect_timeout = ANSWER_S
        client.will_set(will, "offline", QOS, retain=True)
        if user:
            client.username_pw_set(user, password)
        if tls is not None:
            client.tls_set_context(tls)
        client.on_socket_open = _send_at_once
        client.on_connect = self._on_connect
        client.on_message = self._on_message
        client.on_publish = client.on_subscribe = self._on_answer

    async def start(self, host: str, port: int) -> None:
        """Connect; ConnectionError says why that failed."""
        thread = threading.Thread(target=self._work, args=(host, port), name="mqtt", daemon=True)
        try:
            thread.start()
        except RuntimeError as error:  # the system has no thread left
            raise ConnectionError(str(error)) from None
        self._thread = thread
        await self._unless_ended(self._start)

    async def subscribe(self, topic: str) -> None:
        """Receive what is published under a topic, retained messages first."""
        await self._answered(self._client.subscribe(topic, QOS)[1])

    async def publish(self, topic: str, payload: bytes | str, *, retain: bool = True) -> None:
        """Publish a message; return when the broker has it."""
        await self._answered(self._client.publish(topic, payload, QOS, retain).mid)

    async def ended(self) -> None:
        """Wait until the connection has ended, and raise the ConnectionError."""
        raise ConnectionError(await asyncio.shield(self._end))

    async def close(self) -> None:
        """Say that the board is gone, and disconnect. The board goes on meanwhile: the thread may
        still look for an address.
        """
        if self._thread is None:
            return
        self._client.publish(self._will, "offline", QOS, retain=True)
        self._client.disconnect()
        await asyncio.to_thread(self._thread.join, END_S)
        for each in (self._start, *self._unanswered.values()):
            each.cancel()

    async def _answered(self, number: int | None) -> None:
        if number is None:
            raise ConnectionError("not connected")
        answer = self._unanswered[number] = self._loop.create_future()
        try:
            await self._unless_ended(answer)
        finally:
            del self._unanswered[number]

    async def _unless_ended(self, what: asyncio.Future[None]) -> None:
        """Wait for something, unless the connection ends or the broker does not answer."""
        waited: set[asyncio.Future[Any]] = {what, self._end}
        await asyncio.wait(waited, timeout=ANSWER_S, return_when=asyncio.FIRST_COMPLETED)
        if self._end.done():
            raise ConnectionError(self._end.result())
        if not what.done():
            raise ConnectionError("the broker does not answer")

    # ---- in the thread

    def _work(self, host: str, port: int) -> None:
        why = "the connection has ended"
        try:
            limits = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
            limits.MaximumPacketSize = self._largest_bytes + HEADER_BYTES
            self._client.connect(host, port, KEEPALIVE_S, properties=limits)
            self._client.loop_forever()
        except ssl.SSLCertVerificationError as error:
            reason = error.verify_message.rstrip(".")
            why = f"its certificate is not valid here: {reason}; {WHAT_TO_CHECK}"
        except (OSError, ValueError) as error:  # ValueError: a host name that is none
            why = (isinstance(error, OSError) and error.strerror) or str(error)
        finally:
            self._tell(self._set_ended, why)

    def _tell(self, callback: Callable[..., None], *what: Any) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(callback, *what)

    def _on_connect(self, *what: Any) -> None:
        reason = what[3]
        if reason.is_failure:
            self._tell(self._set_ended, str(reason))
        else:
            self._tell(_set_done, self._start)

    def _on_message(self, _: Any, __: Any, message: paho.MQTTMessage) -> None:
        if len(message.payload) <= self._largest_bytes and self._room.acquire(timeout=ANSWER_S):
            self._tell(self._take, message.topic, message.payload)

    def _on_answer(self, _: Any, __: Any, number: int, *more: Any) -> None:
        self._tell(self._set_answered, number)

    # ---- in the loop again

    def _take(self, topic: str, payload: bytes) -> None:
        self._room.release()
        self._received(topic, payload)

    def _set_answered(self, number: int) -> None:
        if (answer := self._unanswered.get(number)) is not None:
            _set_done(answer)

    def _set_ended(self, why: str) -> None:
        if not self._end.done():
            self._end.set_result(why)


def _set_done(what: asyncio.Future[None]) -> None:
    if not what.done():
        what.set_result(None)


def _send_at_once(_: Any, __: Any, connection: Any) -> None:
    """Let a small message not wait for a larger one."""
    with contextlib.suppress(OSError, AttributeError):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
