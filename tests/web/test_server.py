"""The page's server: what it sends, whom it lets in, what it offers other programs."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketDenialResponse
from starlette.websockets import WebSocketDisconnect

from firmware_host.i18n.messages import say, warn
from firmware_host.lights.scene import seat_light
from firmware_host.lights.signals import Light, Signal
from firmware_host.text.status import Ply
from firmware_host.text.storage_status import SavedMatch
from firmware_host.web import keys, listener, view
from firmware_host.web.keys import Keys
from firmware_host.web.listener import ServerError
from firmware_host.web.server import LOOPBACK, create_app, serve
from tests.support.stories import asynchronous
from tests.web.stub_host import HOME, Page, SixthGame, StubHost, page_of

# ---- what a page is sent


def test_the_board_message_has_the_geometry(page: Page) -> None:
    board = page.board
    assert (board["game"], board["title"], board["shape"]) == ("robot-duel", "Robot Duel", "square")
    places = {place["id"]: place for place in board["places"]}
    assert places["E4"]["name"] == "B3"
    assert not places["A1"]["in_game"]
    assert (places["E4"]["label"], places["A1"]["label"]) == ("B3", "outside the game: A1")
    assert places["A1"]["y"] > places["A9"]["y"], "rows grow upwards"
    assert places["south.3"]["expected_kind"] == "C"
    assert len(board["leds"]) == 101
    assert [seat["facing"] for seat in board["seats"]] == [0, 180]
    assert board["kinds"]["+C"] == "hen"
    assert board["single_owner_kinds"] == []  # both have chicks


def test_kinds_with_a_single_owner_are_listed() -> None:
    host = StubHost("abalone", "hex-reed")
    assert view.board(host, "en")["single_owner_kinds"] == ["b", "w"]


def test_saved_matches_are_listed_and_one_is_resumed(host: StubHost, page: Page) -> None:
    kept = [SavedMatch(f"match-{n}.jsonl", "Shogi", "2026-05-01 20:15", n) for n in (1, 2)]
    host.now_says(
        saved_matches=tuple(kept), plies=(Ply(1, 0, "C4C3"), Ply(2, 1, "A1A2", unsafe=True))
    )
    state = page.json("state")
    assert [ply["unsaved"] for ply in state["plies"]] == [False, True]
    assert state["saved_matches"][0] == {
        "name": "match-1.jsonl",
        "title": "Shogi",
        "played": "2026-05-01 20:15",
        "plies": 1,
    }
    rev = state["rev"]
    assert "not in the list" in page.answer("resume", rev=rev, match="match-3.jsonl")
    assert "line 1" in page.answer("resume", rev=rev, match="match-2.jsonl")
    assert page.answer("resume", rev=rev, match="match-1.jsonl") == ""
    assert host.resumed == "match-1.jsonl"


def test_lights_are_listed_by_the_places_of_the_board(host: StubHost, page: Page) -> None:
    host.now_says(
        lights={"B2": Light(Signal.RED), seat_light(1): Light(Signal.WHITE)}, to_fill=("B3",)
    )
    state = page.json("state")
    assert {place: light["signal"] for place, light in state["lights"].items()} == {
        "E5": "RED",
        "edge.north": "WHITE",
    }
    assert state["to_fill"] == ["E4"]


def test_light_comes_as_bytes_with_the_revision(host: StubHost, page: Page) -> None:
    host.lit = bytes(range(3)) * 101
    host.change()
    page.json("light")
    while page.light[5:] != host.lit:
        page.json("light")
    assert page.light[:5] == b"\1\0\0\0\1"


def test_a_slow_page_gets_the_newest_state_only(host: StubHost, page: Page) -> None:
    for _ in range(500):
        host.now_says()
    last = host.says.rev
    seen = 0
    while page.state["rev"] < last:
        page.json("state")
        seen += 1
    assert seen < 100


def test_urgent_sentences_are_marked(host: StubHost, page: Page) -> None:
    host.now_says(says=(warn("Check!"), say("{seat} declines the draw.", seat=say("gote"))))
    state = page.json("state")
    assert state["messages"] == ["Check!", "Gote declines the draw."]
    assert state["urgent"] == ["Check!"]


def test_pages_stay_in_step(host: StubHost, client: TestClient, page: Page) -> None:
    with client.websocket_connect("ws://localhost/ws") as session:
        other = Page(session)
        chick = page.piece("E4")
        assert page.answer("lift", piece=chick["id"], rev=page.state["table_rev"]) == ""
        while not any(piece["held_by"] for piece in other.state["pieces"]):
            other.json("state")
        held = next(piece for piece in other.state["pieces"] if piece["held_by"])
        assert held["id"] == chick["id"]
        assert held["held_by"] != other.state["page"]


def test_the_piece_that_a_page_held_goes_back_when_the_page_goes(
    host: StubHost, client: TestClient
) -> None:
    with client.websocket_connect("ws://localhost/ws") as session:
        page = Page(session)
        assert page.answer("lift", piece=page.piece("E4")["id"], rev=page.state["table_rev"]) == ""
        assert host.board.lying("E4") == ()
    for _ in range(1000):
        if host.board.lying("E4"):
            break
        client.get("/api/state")
    assert host.board.lying("E4") == (1,)


# ---- messages that end the connection


def test_an_oversized_message_closes_the_connection(page: Page) -> None:
    page.raw('{"type": "press", "n": 1, "rev": 1, "button": "' + " " * 5000 + '"}')
    with pytest.raises(WebSocketDisconnect) as caught:
        page.json("answer")
    assert (caught.value.code, caught.value.reason) == (1009, "a command has at most 4096 bytes")


def test_binary_messages_close_the_connection(client: TestClient) -> None:
    with client.websocket_connect("ws://localhost/ws") as session:
        session.send_bytes(b"\0")
        page = Page(session)
        with pytest.raises(WebSocketDisconnect) as caught:
            page.json("answer")
        assert caught.value.code == 1003


def test_too_many_pages_are_turned_away(host: StubHost, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware_host.web.server.MOST_PAGES", 1)
    with (
        TestClient(create_app(host, LOOPBACK), base_url=HOME) as client,
        client.websocket_connect("ws://localhost/ws"),
        pytest.raises(WebSocketDenialResponse) as caught,
        client.websocket_connect("ws://localhost/ws"),
    ):
        pass
    assert caught.value.text == "Refused: too many pages.\n"


# ---- access


@pytest.mark.parametrize(
    ("asked", "spoken"), [("de", "cs"), ("", "cs"), ("fr, en", "fr"), ("en", "en")]
)
def test_a_browser_without_a_known_language_gets_the_boards(
    host: StubHost, asked: str, spoken: str
) -> None:
    with page_of(host, {"accept-language": asked}, language="cs") as page:
        assert page.board["language"] == spoken


def test_other_hosts_and_origins_are_turned_away(client: TestClient) -> None:
    assert client.get("/", headers={"host": "evil.example"}).status_code == 400
    assert client.get("/api/state", headers={"origin": "http://evil.example"}).status_code == 403
    for headers in ({"origin": "http://evil.example"}, {"host": "evil.example"}):
        with (
            pytest.raises((WebSocketDisconnect, Exception)) as caught,
            client.websocket_connect("ws://localhost/ws", headers=headers),
        ):
            pass
        assert not isinstance(caught.value, AssertionError)
    with client.websocket_connect(
        "ws://localhost/ws", headers={"origin": HOME, "host": "localhost"}
    ) as session:
        assert Page(session).board["game"] == "robot-duel"


# ---- other programs


def test_the_state_as_json(client: TestClient) -> None:
    state = client.get("/api/state").json()
    assert state["messages"] == ["It is A's turn."]
    assert len(state["pieces"]) == 8


def test_the_games_and_their_options(client: TestClient) -> None:
    games = {each["name"]: each for each in client.get("/api/games").json()}
    boards = [each["name"] for each in games["robot-duel"]["layouts"]]
    assert boards == ["square-reed", "square-hall"]
    assert [option["name"] for option in games["robot-duel"]["options"]] == [
        "promotion",
        "try_rule",
        "repetition",
        "first_player",
    ]


def test_options_and_boards_have_labels_in_each_language(client: TestClient) -> None:
    def options(language: str) -> dict[str, Any]:
        games = client.get(f"/api/games?lang={language}").json()
        assert (
            games[0]["layouts"][0]["label"]
            == {
                "en": "square board, reed switches",
                "pl": "plansza kwadratowa, kontaktrony",
            }[language]
        )
        return {each["name"]: each for game in games for each in game["options"]}

    english, polish = options("en"), options("pl")
    assert english["try_rule"]["label"] == "lion on the last row"
    assert english["try_rule"]["values"][-1] == "none"
    assert english["try_rule"]["value_labels"][-1] == "never wins"
    assert polish["try_rule"]["value_labels"][-1] == "nigdy nie wygrywa"
    assert polish["first_player"]["value_labels"] == ["A", "B"]


def test_the_rules_of_a_game_without_a_file_of_them(host: StubHost, client: TestClient) -> None:
    host.game = SixthGame({"repetition": "3"})
    rules = client.get("/api/rules").json()
    assert (rules["title"], rules["aim"], rules["notes"], rules["pictures"]) == (
        "Sixth",
        [],
        [],
        [],
    )
    assert "The lion is captured." in rules["endings"]
    assert {"label": "same position until it is a draw", "value": "3"} in rules["options"]


def test_the_recording_is_saved_as_a_file(client: TestClient) -> None:
    answer = client.get("/api/recording")
    assert 'filename="robot-duel.jsonl"' in answer.headers["content-disposition"]
    assert answer.text == '{"lampion": "recording"}\n'


def test_the_game_is_saved_for_other_programs(client: TestClient) -> None:
    answer = client.get("/api/game")
    assert 'filename="robot-duel.usi"' in answer.headers["content-disposition"]
    assert answer.text == "position startpos\n"


# ---- the server itself


def test_a_port_in_use_is_one_clear_line(host: StubHost) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ServerError, match=f"port {port} on 127.0.0.1: .*in use") as caught:
            asyncio.run(serve(host, port))
    assert "\n" not in str(caught.value)


def test_an_address_of_another_computer_is_not_blamed_on_the_port(host: StubHost) -> None:
    with pytest.raises(ServerError, match=r"on 192.0.2.1: .*; choose another address"):
        asyncio.run(serve(host, 0, address="192.0.2.1"))


def test_an_impossible_port_is_one_clear_line(host: StubHost) -> None:
    with pytest.raises(ServerError, match="port 70000"):
        asyncio.run(serve(host, 70000))


@pytest.mark.parametrize("token", [None, "geheim"])
@asynchronous
async def test_serving_ends_when_it_is_cancelled(host: StubHost, token: str | None) -> None:
    address: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    server = asyncio.create_task(serve(host, 0, token and Keys(token), ready=address.set_result))
    url = await address
    port = int(url.split(":")[2].split("/")[0])
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    path = url[url.index("/", 8) :]
    writer.write(f"GET {path} HTTP/1.0\r\nHost: localhost\r\n\r\n".encode())
    first = await reader.readline()
    writer.close()
    server.cancel()
    with pytest.raises(asyncio.CancelledError):
        await server
    assert first.startswith(b"HTTP/1.1 200")
    assert ("token=geheim" in url) == bool(token)


@asynchronous
async def test_the_link_is_reported_again_when_the_network_comes_up_later(
    host: StubHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    network, told, both = "", [], asyncio.Event()

    def ready(url: str) -> None:
        nonlocal network
        told.append(url)
        network = "192.0.2.7"
        if len(told) == 2:
            both.set()

    monkeypatch.setattr(listener, "ADDRESS_CHECK_S", 0.01)
    monkeypatch.setattr(keys, "network_address", lambda: network)
    task = asyncio.create_task(serve(host, 0, Keys("geheim"), ready))
    async with asyncio.timeout(20):
        await both.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert f"{socket.gethostname()}.local:" in told[0]
    assert told[1].startswith("http://192.0.2.7:")
    assert told[1].endswith("/?token=geheim")


def test_drawings_of_pieces_come_out_of_the_folder_of_their_game(client: TestClient) -> None:
    answer = client.get("/static/pieces/robot-duel.svg")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/svg+xml")
    assert 'id="robot-duel-L"' in answer.text
    for unknown in ("nowhere", "..", "%2e%2e", "shogi%2f..%2fshogi", "robot_duel"):
        assert client.get(f"/static/pieces/{unknown}.svg").status_code == 404, unknown


def test_texts_are_sent_compressed_and_fonts_as_they_are(client: TestClient) -> None:
    for path in ("/", "/static/app.js", "/static/play.css", "/api/games"):
        assert client.get(path).headers.get("content-encoding") == "gzip", path
        plain = client.get(path, headers={"Accept-Encoding": "identity"})
        assert "content-encoding" not in plain.headers
        assert plain.text == client.get(path).text
    tag = client.get("/static/app.js").headers["etag"]
    assert client.get("/static/app.js", headers={"If-None-Match": tag}).status_code == 304
    font = client.get("/static/fonts/fraunces.woff2")
    assert "content-encoding" not in font.headers
