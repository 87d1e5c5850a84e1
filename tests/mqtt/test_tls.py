"""A broker that encrypts: its certificate is checked, and a board that refuses it plays on."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from paho.mqtt import subscribe

from firmware_host.config.config import MqttTable
from tests.support.boards_on_mqtt import SOON_S, BoardOnMqtt, at_a_broker
from tests.support.mosquitto import NEEDED, Mosquitto
from tests.support.stories import asynchronous

pytestmark = [
    NEEDED,
    pytest.mark.skipif(
        shutil.which("openssl") is None, reason="needs openssl: sudo apt-get install openssl"
    ),
]

NEW_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")


class Authority:
    """A certificate authority that is thrown away: `certificate` is the file to trust."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self._folder = folder
        self.certificate = folder / "ca.pem"
        self._key = folder / "ca.key"
        self._openssl("-keyout", self._key, "-out", self.certificate, "-subj", "/CN=authority")

    def sign(self, name: str) -> tuple[Path, Path]:
        """Return a certificate for the server of a name, and its key."""
        certificate, key = self._folder / "server.pem", self._folder / "server.key"
        self._openssl(
            *("-CA", self.certificate, "-CAkey", self._key, "-keyout", key, "-out", certificate),
            *("-subj", "/CN=server", "-addext", f"subjectAltName=DNS:{name}"),
            *("-addext", "basicConstraints=critical,CA:FALSE"),
        )
        return certificate, key

    def _openssl(self, *words: str | Path) -> None:
        subprocess.run(
            ["openssl", "req", "-x509", *NEW_KEY, *words], check=True, capture_output=True
        )


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("trusted") / "ca")


@pytest.fixture(scope="module")
def broker(authority: Authority, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mosquitto]:
    """Yield a broker that speaks TLS only, as `localhost`."""
    certificate, key = authority.sign("localhost")
    broker = Mosquitto(
        tmp_path_factory.mktemp("broker"),
        "allow_anonymous true",
        f"certfile {certificate}",
        f"keyfile {key}",
    )
    yield broker
    broker.kill()


def board(folder: Path, address: str, ca_file: Path) -> BoardOnMqtt:
    table = MqttTable(address=address, name="attic", tls=True, ca_file=str(ca_file))
    return BoardOnMqtt(folder, table, {})


@asynchronous
async def test_a_broker_with_the_right_certificate_gets_the_match(
    broker: Mosquitto, authority: Authority, tmp_path: Path
) -> None:
    attic = board(tmp_path, f"localhost:{broker.port}", authority.certificate)
    async with at_a_broker(attic), asyncio.timeout(SOON_S):
        await attic.play("C4C3", rest=0.1)
        while '"move":"C4C3"' not in await asyncio.to_thread(retained, broker, authority):
            pass


def retained(broker: Mosquitto, authority: Authority) -> str:
    """Return the match on the broker, as another program over TLS gets it."""
    message: Any = subscribe.simple(
        "lampion/attic/moves",
        hostname="localhost",
        port=broker.port,
        tls={"ca_certs": str(authority.certificate)},
    )
    return str(message.payload, "utf-8")


# paho leaves a socket whose handshake fails to the garbage collector.
@pytest.mark.filterwarnings("ignore:unclosed <ssl.SSLSocket:ResourceWarning")
@pytest.mark.parametrize("wrong", ["authority", "name"])
@asynchronous
async def test_a_certificate_that_does_not_fit_is_refused_in_a_line_and_the_board_plays_on(
    wrong: str,
    broker: Mosquitto,
    authority: Authority,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    host, trusted, why = "127.0.0.1", authority, "IP address mismatch, certificate is not valid"
    if wrong == "authority":
        host, trusted, why = (
            "localhost",
            Authority(tmp_path / "other"),
            "unable to get local issuer",
        )
    attic = board(tmp_path, f"{host}:{broker.port}", trusted.certificate)
    running = asyncio.create_task(attic.run())
    try:
        await attic.until(lambda: "MQTT broker" in caplog.text)
        await attic.play("C4C3", rest=0.1)
        await attic.until(lambda: attic.moves == ["C4C3"])
        assert not attic.host.opponents.linked.connected
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        attic.host.close()
    (told,) = [record.message for record in caplog.records if "MQTT broker" in record.message]
    address = f"{host}:{broker.port}"
    assert told.startswith(f"MQTT broker {address}: its certificate is not valid here: {why}")
    assert "; check mqtt.address, mqtt.ca_file and " in told
    assert "\n" not in told
