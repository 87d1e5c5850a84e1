"""Who is let in to the page, and what every answer carries."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient, WebSocketDenialResponse
from starlette.websockets import WebSocket

from firmware_host.twin.guard import HEADERS, LOCKED, Guard, Sealed, token_kept_in


async def index(_: Request) -> PlainTextResponse:
    return PlainTextResponse("here")


async def broken(_: Request) -> PlainTextResponse:
    raise RuntimeError


async def live(socket: WebSocket) -> None:
    if "full" in socket.query_params:
        await socket.close(1013, "too many pages")
        return
    await socket.accept()
    await socket.close()


class Time:
    """A clock that a test sets."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def client(token: str | None = None, clock: Any = None) -> TestClient:
    routes = [Route("/", index), Route("/broken", broken), WebSocketRoute("/ws", live)]
    guard = Middleware(Guard, token=token, clock=clock or Time())
    hosts = Middleware(TrustedHostMiddleware, allowed_hosts=["localhost"])
    app = Sealed(Starlette(routes=routes, middleware=[hosts, guard]))
    return TestClient(app, base_url="http://localhost", raise_server_exceptions=False)


def sealed(answer: Any) -> bool:
    return all(answer.headers[name] == value for name, value in HEADERS.items())


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/", {}, 200),
        ("/", {"host": "evil.example"}, 400),
        ("/", {"origin": "http://evil.example"}, 403),
        ("/", {"origin": "http://[::1"}, 403),
        ("/nowhere", {}, 404),
        ("/broken", {}, 500),
    ],
)
def test_every_answer_keeps_the_page_to_itself(
    path: str, headers: dict[str, str], status: int
) -> None:
    answer = client().get(path, headers=headers)
    assert answer.status_code == status
    assert sealed(answer)
    assert answer.headers["cross-origin-opener-policy"] == "same-origin"
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]


def test_so_does_one_to_a_method_that_is_not_served() -> None:
    answer = client().post("/")
    assert answer.status_code == 405
    assert sealed(answer)


@pytest.mark.parametrize(
    ("address", "headers", "status", "why"),
    [
        ("/ws", {"origin": "http://evil.example"}, 403, "not from here"),
        ("/ws", {"origin": "http://[::1"}, 403, "not from here"),
        ("/ws", {"host": "evil.example"}, 400, "Invalid host"),
        ("/ws?full", {}, 403, "too many pages"),
        ("/nowhere", {}, 403, "not here"),
    ],
)
def test_so_does_one_that_turns_a_live_connection_away(
    address: str, headers: dict[str, str], status: int, why: str
) -> None:
    with (
        pytest.raises(WebSocketDenialResponse) as caught,
        client().websocket_connect(f"ws://localhost{address}", headers=headers),
    ):
        pass
    assert caught.value.status_code == status
    assert why in caught.value.text
    assert sealed(caught.value)


# ---- the token


def test_a_token_is_asked_for_once() -> None:
    page = client("geheim")
    assert page.get("/").status_code == 403
    assert page.get("/?token=falsch").status_code == 403
    with pytest.raises(WebSocketDenialResponse), page.websocket_connect("ws://localhost/ws"):
        pass
    assert page.get("/?token=geheim").status_code == 200
    assert page.get("/").status_code == 200  # by its cookie now
    with page.websocket_connect("ws://localhost/ws"):
        pass


def test_who_guesses_at_the_token_has_to_wait() -> None:
    clock = Time()
    page = client("geheim", clock)
    tried = [page.get(f"/?token={guess}").status_code for guess in range(12)]
    assert tried == [403] * 10 + [429] * 2
    assert page.get("/?token=geheim").status_code == 429, "nor does a right one help"
    with (
        pytest.raises(WebSocketDenialResponse) as caught,
        page.websocket_connect("ws://localhost/ws?token=geheim"),
    ):
        pass
    assert caught.value.status_code == 429
    clock.now = LOCKED
    assert page.get("/?token=geheim").status_code == 200


def test_who_guesses_locks_nobody_else_out() -> None:
    clock = Time()
    page = client("geheim", clock)
    for guess in range(12):
        page.get(f"/?token={guess}")
    other = TestClient(page.app, base_url="http://localhost", client=("192.0.2.7", 4000))
    assert other.get("/?token=geheim").status_code == 200


def test_a_page_that_was_left_open_with_an_old_token_is_no_guesser() -> None:
    page = client("geheim")
    assert {page.get("/?token=old").status_code for _ in range(40)} == {403}
    assert page.get("/?token=geheim").status_code == 200


def test_the_token_is_the_same_after_a_restart(tmp_path: Path) -> None:
    token = token_kept_in(tmp_path)
    assert len(token) >= 16
    assert token_kept_in(tmp_path) == token
    assert stat.S_IMODE((tmp_path / "token").stat().st_mode) == 0o600
    assert [each.name for each in tmp_path.iterdir()] == ["token"]


@pytest.mark.parametrize("kept", [b"", b"x", b"\xff" * 20, b"a b c d e f g h i j\n", b"x" * 1000])
def test_a_token_that_is_none_is_made_anew(tmp_path: Path, kept: bytes) -> None:
    (tmp_path / "token").write_bytes(kept)
    if len(kept) > 100:
        with pytest.raises(OSError, match="longer than 100 bytes"):
            token_kept_in(tmp_path)
        return
    token = token_kept_in(tmp_path)
    assert len(token) >= 16
    assert token_kept_in(tmp_path) == token
