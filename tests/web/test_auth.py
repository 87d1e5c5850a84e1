"""Access to the page: tokens, host names, and the security headers of every answer."""

from __future__ import annotations

import os
import stat
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient, WebSocketDenialResponse
from starlette.websockets import WebSocket

from firmware_host.web.auth import HEADERS, LOCKED_S, Auth, OwnNames, SecurityHeaders
from firmware_host.web.keys import Keys
from firmware_host.web.roles import HOST, ROLES, WATCHER


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
    guard = Middleware(Auth, keys=token and Keys(token), clock=clock or Time())
    hosts = Middleware(OwnNames, names=["localhost"])
    app = SecurityHeaders(Starlette(routes=routes, middleware=[hosts, guard]))
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
def test_every_answer_has_the_security_headers(
    path: str, headers: dict[str, str], status: int
) -> None:
    answer = client().get(path, headers=headers)
    assert answer.status_code == status
    assert sealed(answer)
    assert answer.headers["cross-origin-opener-policy"] == "same-origin"
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]


def test_the_answer_to_an_unknown_method_has_the_security_headers() -> None:
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
def test_a_refused_websocket_has_the_security_headers(
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


def test_a_cookie_replaces_the_token() -> None:
    page = client("geheim")
    assert page.get("/").status_code == 403
    assert page.get("/?token=falsch").status_code == 403
    with pytest.raises(WebSocketDenialResponse), page.websocket_connect("ws://localhost/ws"):
        pass
    assert page.get("/?token=geheim").status_code == 200
    assert page.get("/").status_code == 200  # with the cookie
    with page.websocket_connect("ws://localhost/ws"):
        pass


def test_two_boards_on_one_computer_have_different_cookies() -> None:
    boards = (("http://localhost:8710/", "geheim"), ("http://localhost:8711/", "anders"))
    cookies: dict[str, str] = {}  # of one browser, for all ports
    for address, token in boards:
        answer = client(token).get(address, params={"token": token})
        name, _, value = answer.headers["set-cookie"].partition(";")[0].partition("=")
        cookies[name] = value
    shown = {"cookie": "; ".join(f"{name}={value}" for name, value in cookies.items())}
    for address, token in boards:
        assert client(token).get(address, headers=shown).status_code == 200


def test_an_address_that_guesses_tokens_has_to_wait() -> None:
    clock = Time()
    page = client("geheim", clock)
    tried = [page.get(f"/?token={guess}").status_code for guess in range(12)]
    assert tried == [403] * 10 + [429] * 2
    with (
        pytest.raises(WebSocketDenialResponse) as caught,
        page.websocket_connect("ws://localhost/ws?token=99"),
    ):
        pass
    assert caught.value.status_code == 429
    clock.now = LOCKED_S
    assert page.get("/?token=100").status_code == 403


def test_another_web_page_cannot_lock_a_browser_out() -> None:
    """An image on any web page may request http://board/?token=1, ?token=2 …"""
    page = client("geheim")
    assert page.get("/?token=geheim").status_code == 200
    for guess in range(20):
        other = TestClient(page.app, base_url="http://localhost")  # an image request has no cookie
        assert other.get(f"/?token={guess}").status_code == (403 if guess < 10 else 429)
    assert page.get("/").status_code == 200
    assert page.get("/?token=wrong").status_code == 200, "by its cookie"
    with page.websocket_connect("ws://localhost/ws"):
        pass
    fresh = TestClient(page.app, base_url="http://localhost")
    assert fresh.get("/?token=geheim").status_code == 200


def test_guessing_locks_no_other_address_out() -> None:
    clock = Time()
    page = client("geheim", clock)
    for guess in range(12):
        page.get(f"/?token={guess}")
    other = TestClient(page.app, base_url="http://localhost", client=("192.0.2.7", 4000))
    assert other.get("/?token=geheim").status_code == 200


def test_a_page_left_open_with_an_old_token_does_not_count_as_guessing() -> None:
    page = client("geheim")
    assert {page.get("/?token=old").status_code for _ in range(40)} == {403}
    assert page.get("/?token=geheim").status_code == 200


def test_the_tokens_are_the_same_after_a_restart(tmp_path: Path) -> None:
    keys = Keys.stored_in(tmp_path)
    tokens = [keys.token(role) for role in ROLES]
    assert min(map(len, tokens)) >= 16
    assert len(set(tokens)) == len(tokens)
    assert [Keys.stored_in(tmp_path).token(role) for role in ROLES] == tokens
    assert [keys.role(token) for token in tokens] == list(ROLES)
    assert [keys.role(token) for token in ("", "x", tokens[0][:-1], "\udcff")] == [None] * 4
    assert stat.S_IMODE((tmp_path / "token").stat().st_mode) == 0o600
    assert [each.name for each in tmp_path.iterdir()] == ["token"]


@pytest.mark.parametrize("kept", [b"", b"x", b"\xff" * 20, b"a b c d e f g h i j\n", b"x" * 1000])
def test_an_invalid_token_file_is_replaced(tmp_path: Path, kept: bytes) -> None:
    (tmp_path / "token").write_bytes(kept)
    if len(kept) > 100:
        with pytest.raises(OSError, match="longer than 100 bytes"):
            Keys.stored_in(tmp_path)
        return
    token = Keys.stored_in(tmp_path).token(HOST)
    assert len(token) >= 16
    assert stat.S_IMODE((tmp_path / "token").stat().st_mode) == 0o600
    assert Keys.stored_in(tmp_path).token(HOST) == token


def test_a_token_file_written_by_hand_becomes_private(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("0123456789abcdef\n")
    (tmp_path / "token").chmod(0o644)
    assert Keys.stored_in(tmp_path).token(HOST) == "0123456789abcdef"
    assert stat.S_IMODE((tmp_path / "token").stat().st_mode) == 0o600


def test_a_token_file_is_never_a_symbolic_link(tmp_path: Path) -> None:
    (tmp_path / "other").write_text("short")
    (tmp_path / "token").symlink_to("other")
    with pytest.raises(OSError, match="symbolic links"):
        Keys.stored_in(tmp_path, renew=True)
    assert (tmp_path / "other").read_text() == "short"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root asks for another user")
def test_a_token_file_made_by_root_belongs_to_the_user_of_the_directory(tmp_path: Path) -> None:
    os.chown(tmp_path, 12345, 12346)
    Keys.stored_in(tmp_path)
    found = (tmp_path / "token").stat()
    assert (found.st_uid, found.st_gid) == (12345, 12346)


def test_programs_that_create_the_token_at_the_same_time_get_the_same(tmp_path: Path) -> None:
    ready = threading.Barrier(8)

    def ask(_: int) -> str:
        ready.wait(20)
        return Keys.stored_in(tmp_path).token(HOST)

    with ThreadPoolExecutor(8) as threads:
        assert len(set(threads.map(ask, range(8)))) == 1


def test_renewed_tokens_are_valid_at_once(tmp_path: Path) -> None:
    served = Keys.stored_in(tmp_path)
    old = [served.token(role) for role in ROLES]
    Keys.stored_in(tmp_path, renew=True)
    assert [served.role(token) for token in old] == [None] * len(old)
    assert served.role(served.token(WATCHER)) == WATCHER


# ---- host names


@pytest.mark.parametrize(
    ("called", "status"),
    [
        ("localhost", 200),
        ("LOCALHOST:8710", 200),
        ("192.0.2.7", 200),
        ("192.0.2.7:8710", 200),
        ("192.0.2.8", 400),
        ("evil.example", 400),
        ("192.0.2.7.evil.example", 400),
        ("", 400),
    ],
)
def test_the_address_that_a_request_reached_is_a_valid_host_name(called: str, status: int) -> None:
    """The network may come up long after the program has started."""
    page = client()

    async def reached_there(scope: Any, receive: Any, send: Any) -> None:
        await page.app(scope | {"server": ("192.0.2.7", 8710)}, receive, send)

    there = TestClient(reached_there, base_url="http://localhost")
    assert there.get("/", headers={"host": called}).status_code == status
