"""Fixtures for tests of the page's server."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from firmware_host.web.server import LOOPBACK, create_app
from tests.web.stub_host import HOME, Page, StubHost


@pytest.fixture
def host() -> StubHost:
    return StubHost()


@pytest.fixture
def client(host: StubHost) -> Iterator[TestClient]:
    with TestClient(create_app(host, LOOPBACK), base_url=HOME) as client:
        yield client


@pytest.fixture
def page(client: TestClient) -> Iterator[Page]:
    with client.websocket_connect("ws://localhost/ws") as session:
        yield Page(session)
