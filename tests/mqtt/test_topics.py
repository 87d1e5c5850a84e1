"""What a board publishes on a real broker, and how it is let in."""

from __future__ import annotations

import asyncio
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from firmware_host.config.config import MqttTable
from firmware_host.mqtt.broker import MqttError
from firmware_host.mqtt.connection import BrokerConnection
from tests.support.boards_on_mqtt import SOON_S, BoardOnMqtt, at_a_broker
from tests.support.mosquitto import NEEDED, Mosquitto
from tests.support.stories import asynchronous

pytestmark = NEEDED


class Reader:
    """Another program on the broker: it keeps the latest message of each topic, and all events."""

    def __init__(self, port: int) -> None:
        self.latest: dict[str, Any] = {}
        self.events: list[Any] = []
        self._port = port
        self._connection = BrokerConnection(
            "reader", self._take, will="reader/online", largest_bytes=1 << 20
        )

    def _take(self, topic: str, payload: bytes) -> None:
        found = payload.decode() if topic.endswith("/online") else json.loads(payload)
        self.latest[topic] = found
        if topic.endswith("/event"):
            self.events.append(found)

    async def __aenter__(self) -> Reader:
        await self._connection.start("127.0.0.1", self._port)
        await self._connection.subscribe("#")
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._connection.close()

    async def until(self, topic: str, so: Any) -> Any:
        async with asyncio.timeout(SOON_S):
            while topic not in self.latest or not so(self.latest[topic]):
                await asyncio.sleep(0.01)
        return self.latest[topic]


def board(folder: Path, port: int, **settings: Any) -> BoardOnMqtt:
    table = MqttTable(address=f"127.0.0.1:{port}", name="attic", **settings)
    return BoardOnMqtt(folder, table, {})


@asynchronous
async def test_the_match_and_its_faults_are_published(broker: Mosquitto, tmp_path: Path) -> None:
    attic = board(tmp_path, broker.port)
    async with Reader(broker.port) as reader, at_a_broker(attic):
        state = await reader.until("lampion/attic/state", lambda told: told["moves"] == 0)
        assert (state["game"], state["turn"], state["outcome"]) == ("robot-duel", "A", None)
        await attic.play("C4C3", rest=0.1)
        state = await reader.until("lampion/attic/state", lambda told: told["moves"] == 1)
        assert (state["turn"], state["last_move"]) == ("B", "C4C3")
        whole = await reader.until("lampion/attic/moves", lambda told: told["moves"])
        assert whole["match"] == attic.host.match_id
        assert [each["move"] for each in whole["moves"]] == ["C4C3"]
        assert [each["event"] for each in reader.events] == ["move"]
        attic.host.board.refuse(next(iter(attic.host.board.bus.chips)))
        assert await reader.until("lampion/attic/faults", bool)
        attic.host.board.repair()
        await reader.until("lampion/attic/faults", lambda told: told == [])
        assert "lampion/attic/match" not in reader.latest  # it plays with no other board


@asynchronous
async def test_home_assistant_finds_the_board(broker: Mosquitto, tmp_path: Path) -> None:
    async with Reader(broker.port) as reader, at_a_broker(board(tmp_path, broker.port)):
        where = "homeassistant/device/lampion-attic/config"
        found = await reader.until(where, lambda told: True)
        assert found["availability_topic"] == "lampion/attic/online"
        for part in found["components"].values():
            assert part["unique_id"].startswith("lampion_attic_")
            assert await reader.until(part["state_topic"], lambda told: True) is not None


@asynchronous
async def test_others_notice_that_a_board_comes_and_goes(broker: Mosquitto, tmp_path: Path) -> None:
    async with Reader(broker.port) as reader:
        async with at_a_broker(board(tmp_path, broker.port, home_assistant=False)):
            await reader.until("lampion/attic/online", "online".__eq__)
        await reader.until("lampion/attic/online", "offline".__eq__)
        assert not any(topic.startswith("homeassistant") for topic in reader.latest)


@asynchronous
async def test_a_broker_asks_for_a_password(tmp_path: Path, caplog: Any) -> None:
    passwords, secret = tmp_path / "passwords", tmp_path / "secret"
    made = subprocess.run(
        ["mosquitto_passwd", "-c", "-b", str(passwords), "board", "a secret"], check=False
    )
    assert made.returncode == 0
    passwords.chmod(0o644)
    secret.write_text("a secret\n")
    broker = Mosquitto(tmp_path, "allow_anonymous false", f"password_file {passwords}")
    try:
        state = tmp_path / "state"
        state.mkdir()
        refused = board(state, broker.port)
        running = asyncio.create_task(refused.run())
        await refused.until(lambda: "Not authorized" in caplog.text)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        refused.host.close()
        asked = board(state, broker.port, user="board", password_file=str(secret))
        async with at_a_broker(asked):
            assert asked.host.opponents.linked.connected
    finally:
        broker.kill()


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"password_file": "/nowhere"}, "mqtt.password_file: /nowhere: No such file"),
        ({"tls": True, "ca_file": "/nowhere"}, "mqtt.ca_file: /nowhere: No such file"),
    ],
)
@asynchronous
async def test_what_cannot_be_used_is_said_at_once(
    tmp_path: Path, settings: dict[str, Any], why: str
) -> None:
    with pytest.raises(MqttError, match=why):
        board(tmp_path, 1, **settings)
