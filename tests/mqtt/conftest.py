"""A broker for the tests of a board on MQTT."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.mosquitto import Mosquitto


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    """Return a broker that runs."""
    found = Mosquitto(tmp_path)
    yield found
    found.kill()
