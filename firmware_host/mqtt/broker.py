"""The connection to a broker: it publishes, receives what other boards have, and comes back by
itself. It needs the package paho-mqtt, which is imported when a broker is configured.
"""

from __future__ import annotations

import asyncio
import logging
import re
import ssl
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from firmware_host.config.config import MqttTable
from firmware_host.console.tasks import until_one_ends
from firmware_host.console.terminal import one_line
from firmware_host.mqtt import topics
from firmware_host.mqtt.host import MqttHost
from firmware_host.mqtt.host_link import link_host
from firmware_host.opponents.board_link import LARGEST_BYTES, MOST_BOARDS
from firmware_host.players.kinds import BOARD_NAME
from hardware.regular_file import read_text

if TYPE_CHECKING:
    from firmware_host.mqtt.connection import BrokerConnection

FIRST_RETRY_S: Final = 0.2
"""The first try to connect again comes after this time; each further one after twice as long …"""
LAST_RETRY_S: Final = 5.0
"""… up to this time."""
STATE_EVERY_S: Final = 0.1
"""The least time between two states."""
LONGEST_PASSWORD: Final = 1000

log = logging.getLogger(__name__)


class MqttError(ValueError):
    """The broker cannot be used; one line that says what to do."""


class BrokerClient:
    """A board on a broker."""

    def __init__(self, host: MqttHost, settings: MqttTable, language: str) -> None:
        """MqttError says in one line what is missing."""
        try:
            from firmware_host.mqtt.connection import BrokerConnection  # it imports paho
        except ImportError:
            raise MqttError(
                "MQTT needs the package paho-mqtt: install it with pip install 'lampion[mqtt]', "
                "or leave mqtt.address empty"
            ) from None
        self._connection_type = BrokerConnection
        self._host = host
        self._settings = settings
        self._language = language
        self._password = _password(settings.password_file)
        self._tls = _tls(settings)
        self._link = link_host(host, settings.name)
        self._is_due = asyncio.Event()
        self._link.published = self._is_due.set
        self._boards: set[str] = set()  # the other boards that are there
        self._played = self._settled()  # as far as its events were published
        self._refused = ""  # why it could not connect last

    async def run(self) -> None:
        """Stay connected until cancelled."""
        retry = FIRST_RETRY_S
        while True:
            connection = self._connection()
            try:
                await connection.start(*self._settings.endpoint)
                retry = FIRST_RETRY_S
                await self._serve(connection)
            except ConnectionError as error:
                self._disconnected(error)
            finally:
                await connection.close()
            await asyncio.sleep(retry)
            retry = min(2 * retry, LAST_RETRY_S)

    def _connection(self) -> BrokerConnection:
        settings = self._settings
        return self._connection_type(
            f"lampion-{settings.name}",
            self._receive,
            will=self._topic(topics.ONLINE),
            largest_bytes=LARGEST_BYTES,
            user=settings.user,
            password=self._password,
            tls=self._tls,
        )

    def _topic(self, part: str) -> str:
        return topics.topic(self._settings.name, part)

    async def _serve(self, connection: BrokerConnection) -> None:
        """Publish and receive until the connection ends, which raises ConnectionError."""
        for part in (topics.MATCH, topics.ONLINE):
            await connection.subscribe(topics.topic("+", part))
        await connection.publish(self._topic(topics.ONLINE), "online")
        if self._settings.home_assistant:
            where, what = topics.discovery(self._host, self._settings.name, version("lampion"))
            await connection.publish(where, msgspec.json.encode(what))
        self._connected(True)
        await until_one_ends(
            self._publish_match(connection), self._publish_state(connection), connection.ended()
        )

    def _connected(self, connected: bool) -> None:
        if connected:
            log.info("connected to the MQTT broker %s", self._settings.address)
            self._refused = ""
        self._link.connected = connected
        self._host.wake()

    def _disconnected(self, error: ConnectionError) -> None:
        why = one_line(str(error))
        if why != self._refused:
            self._refused = why
            log.warning("MQTT broker %s: %s; trying again", self._settings.address, why)
        self._connected(False)

    # ---- what other boards have

    def _receive(self, where: str, payload: bytes) -> None:
        named = re.fullmatch(f"{topics.ROOT}/({BOARD_NAME})/([a-z]+)", where)
        if named is None:
            return
        board, part = named.groups()
        if part == topics.ONLINE:
            self._notice(board, payload)
        elif payload:
            self._link.take(board, payload)
            self._host.wake()

    def _notice(self, board: str, payload: bytes) -> None:
        """Offer the boards that are there as players."""
        if payload == b"online" and board != self._settings.name:
            if len(self._boards) < MOST_BOARDS:
                self._boards.add(board)
        else:
            self._boards.discard(board)
        self._host.seating.offer_boards(sorted(self._boards))

    # ---- what this one has

    async def _publish_match(self, connection: BrokerConnection) -> None:
        """Publish the match that this board plays with others, whenever it has changed."""
        sent = b""
        while True:
            self._is_due.clear()
            message = self._link.message
            if message != sent:
                sent = message
                await connection.publish(self._topic(topics.MATCH), message)
            await self._is_due.wait()

    async def _publish_state(self, connection: BrokerConnection) -> None:
        """Publish all else, whenever it has changed."""
        sent: dict[str, Any] = {}
        host, language, seen = self._host, self._language, 0
        while True:
            status = host.status()
            found: dict[str, Any] = {
                topics.STATE: topics.state(host, language),
                topics.FAULTS: topics.faults(host, language),
            }
            if status.lesson is None and status.review is None:
                now = self._settled()
                for event in topics.events(self._played, now, host, language):
                    await connection.publish(
                        self._topic(topics.EVENT), msgspec.json.encode(event), retain=False
                    )
                self._played = now
                found[topics.MOVES] = topics.moves(host, language)
            for part, what in found.items():
                if sent.get(part) != what:
                    sent[part] = what
                    payload = msgspec.json.encode(what)
                    await connection.publish(self._topic(part), payload)
            await asyncio.sleep(STATE_EVERY_S)
            seen = await host.wait_change(seen)

    def _settled(self) -> topics.Played:
        return topics.Played(self._host.match_id, topics.settled(self._host.status()))


def _password(file: str) -> str | None:
    """Return the password in a file; MqttError if it cannot be read."""
    if not file:
        return None
    try:
        lines = read_text(Path(file), LONGEST_PASSWORD).splitlines()
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise MqttError(f"mqtt.password_file: {file}: {why}") from None
    return lines[0] if lines else ""


def _tls(settings: MqttTable) -> ssl.SSLContext | None:
    """Return how the broker's certificate is checked; MqttError if that cannot be set up."""
    if not settings.tls:
        return None
    try:
        context = ssl.create_default_context(cafile=settings.ca_file or None)
    except OSError as error:  # also ssl.SSLError
        raise MqttError(f"mqtt.ca_file: {settings.ca_file}: {error.strerror or error}") from None
    if settings.ca_file:
        # An authority made at home often has no key usage, without which Python 3.13 refuses it.
        context.verify_flags &= ~ssl.VERIFY_X509_STRICT
    return context
