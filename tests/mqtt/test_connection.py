"""What a broker may do to a connection: send much, send odd things, answer never."""

from __future__ import annotations

import asyncio
import threading
import tracemalloc
from pathlib import Path
from types import SimpleNamespace

import pytest
from paho.mqtt import client as paho

from firmware_host.config.config import MqttTable
from firmware_host.mqtt.connection import MOST_WAITING, BrokerConnection
from tests.support.boards_on_mqtt import SOON_S, BoardOnMqtt
from tests.support.mosquitto import NEEDED, Mosquitto
from tests.support.stories import asynchronous

LARGEST = 1000
HUGE = 1_900_000
"""A mosquitto takes no larger message, if its configuration does not say so."""


class Received(dict[str, bytes]):
    """What a connection has received, by topic."""

    def connection(self, name: str) -> BrokerConnection:
        return BrokerConnection(name, self.__setitem__, will=f"{name}/on", largest_bytes=LARGEST)

    async def until(self, topic: str) -> None:
        async with asyncio.timeout(SOON_S):
            while topic not in self:
                await asyncio.sleep(0.01)


@NEEDED
@asynchronous
async def test_a_message_that_is_too_large_does_not_even_come(broker: Mosquitto) -> None:
    received = Received()
    sender, reader = received.connection("sender"), received.connection("reader")
    await sender.start("127.0.0.1", broker.port)
    await sender.publish("lampion/huge/match", b"x" * HUGE)
    await sender.publish("lampion/most/match", b"x" * LARGEST)
    await sender.close()
    tracemalloc.start()
    try:
        await reader.start("127.0.0.1", broker.port)
        await reader.subscribe("lampion/+/match")
        await received.until("lampion/most/match")
        await reader.subscribe("none")  # whatever was retained has come before the answer
        assert set(received) == {"lampion/most/match"}
        assert tracemalloc.get_traced_memory()[1] < HUGE / 4
    finally:
        tracemalloc.stop()
        await reader.close()


@asynchronous
async def test_messages_that_come_faster_than_they_are_read_wait_at_the_broker() -> None:
    received = Received()
    connection = received.connection("reader")
    is_full, is_done = threading.Event(), threading.Event()

    def flood() -> None:
        for number in range(MOST_WAITING + 1):
            if number == MOST_WAITING:
                is_full.set()
            message = SimpleNamespace(topic=f"{number}", payload=b"")
            connection._on_message(None, None, message)
        is_done.set()

    threading.Thread(target=flood, daemon=True).start()
    assert is_full.wait(SOON_S)
    assert not is_done.wait(0.1)  # this test holds the loop
    await received.until(f"{MOST_WAITING}")
    assert is_done.wait(SOON_S)


@asynchronous
async def test_the_board_goes_on_while_a_connection_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    is_found = threading.Event()

    def look_for_address(*what: object, **more: object) -> None:
        is_found.wait(SOON_S)
        raise OSError("no such host")

    monkeypatch.setattr(paho.Client, "connect", look_for_address)
    connection = Received().connection("reader")
    starting = asyncio.create_task(connection.start("nowhere", 1))
    await asyncio.sleep(0)
    asyncio.get_running_loop().call_soon(is_found.set)
    await connection.close()
    assert connection._thread is not None
    assert not connection._thread.is_alive()
    with pytest.raises((ConnectionError, asyncio.CancelledError)):
        await starting


@asynchronous
async def test_a_computer_without_another_thread_is_a_broken_connection(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    connection = Received().connection("reader")
    monkeypatch.setattr(threading.Thread, "start", refuse)
    with pytest.raises(ConnectionError, match="can't start new thread"):
        await connection.start("127.0.0.1", 1)
    await connection.close()


@pytest.mark.parametrize(
    "topic", ["", "match", "lampion/match", "lampion//match", "lampion/a/b/match", "a/b/match"]
)
@asynchronous
async def test_an_odd_topic_is_left_aside(tmp_path: Path, topic: str) -> None:
    attic = BoardOnMqtt(tmp_path, MqttTable(address="127.0.0.1:1", name="attic"), {})
    attic.client._receive(topic, b"online")
    attic.host.close()
