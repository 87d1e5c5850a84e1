"""The page's server: who is let in, what is refused, what a page is told."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketDenialResponse, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from engine.game import CHANCE, Outcome
from engine.games import make
from engine.games.robot_duel import RobotDuel
from engine.match import Match
from firmware_host.i18n.messages import say, warn
from firmware_host.lights.scene import seat_light
from firmware_host.lights.signals import Light, Signal
from firmware_host.session import events
from firmware_host.simulation.virtual_table import VirtualTable
from firmware_host.text.claims import offers
from firmware_host.text.status import OfferedMove, Ply, Status
from firmware_host.text.storage_status import SavedMatch
from firmware_host.web import keys, listener, protocol, view
from firmware_host.web.commands import StaleCommands
from firmware_host.web.connection import HEARTBEAT_S, LATE_S
from firmware_host.web.keys import Keys
from firmware_host.web.pieces import SimulatedPieces
from firmware_host.web.server import LOOPBACK, ServerError, create_app, serve
from hardware.layout import Layout, load
from hardware.layout import serving as boards_for
from hardware.simulated.board import SimulatedBoard
from hardware.simulated.injuries import Injury

HOME = "http://localhost"


class StubHost:
    """A host whose session a test plays by hand."""

    def __init__(self, game: str = "robot-duel", layout: str = "square-reed") -> None:
        self.layout = load(layout)
        self.game = make(game)
        self.board = SimulatedBoard(self.layout)
        self.changed = False
        places = self.layout.game(game).places
        self.table = VirtualTable(
            self.game, places, self.board, slots=self.layout.slots, changed=self.change
        )
        self.table.set_up(self.game.pieces(self.game.start()))
        self.pieces = SimulatedPieces(self.table, self.board, self)
        self.posted: list[events.Event] = []
        self.begun: list[tuple[str, Mapping[str, str], str]] = []
        self.lit = bytes(3 * len(self.layout.led_positions))
        self.says = Status(
            rev=1,
            game=game,
            options=self.game.options,
            seats=self.game.seats,
            turn=self.game.turn(self.game.start()),
            dice=(),
            says=(say("It is {seat}'s turn.", seat=say(self.game.seats[0])),),
            plies=(),
            claims={0: {"resign": say("A resigns: B wins.")}},
            buttons={"back": say("B3B2"), "hint": say("which piece to move")},
            assist=(2,) * len(self.game.seats),
        )

    def change(self) -> None:
        self.changed = True

    def now_says(self, **fields: Any) -> None:
        self.says = replace(self.says, rev=self.says.rev + 1, **fields)
        self.change()

    def status(self) -> Status:
        return self.says

    def position(self) -> Any:
        return self.game.start()

    def now(self) -> float:
        return 7.5

    def post(self, event: events.Event) -> None:
        self.posted.append(event)

    def call(self, seat: int, name: str) -> None:
        names = [*self.says.players, *[""] * 8][: len(self.game.seats)]
        names[seat] = name
        self.now_says(players=tuple(names))

    def pixels(self) -> bytes:
        return self.lit

    def still_pixels(self) -> bytes:
        return bytes([7]) * len(self.lit)

    async def wait_change(self) -> None:
        while not self.changed:
            await asyncio.sleep(0.002)
        self.changed = False

    def games(self) -> Mapping[str, tuple[Layout, ...]]:
        return {name: boards_for(name) for name in ("robot-duel", "robotory")}

    def new_game(self, name: str, options: Mapping[str, str], layout: str) -> None:
        make(name, options)
        self.begun.append((name, options, layout))

    def go_on_with(self, name: str) -> None:
        if name == "match-2.jsonl":
            raise ValueError("match-2.jsonl: line 1: this is no journal of a match")
        self.gone_on_with = name

    def record_as_test(self) -> Iterator[bytes]:
        return iter([b'{"lampion": ', b'"recording"}\n'])

    def as_record(self) -> tuple[str, str]:
        return "robot-duel.usi", "position startpos\n"


class SixthGame(RobotDuel):
    """A game that has only its rules."""

    name = "sixth"
    title = "Sixth"


@pytest.fixture
def host() -> StubHost:
    return StubHost()


@pytest.fixture
def client(host: StubHost) -> Iterator[TestClient]:
    with TestClient(create_app(host, LOOPBACK), base_url=HOME) as client:
        yield client


class Page:
    """A page as a test plays it."""

    def __init__(self, session: WebSocketTestSession) -> None:
        self._session = session
        self.clock = 0
        self.board = self.json("board")
        self.state = self.json("state")
        self.light = b""
        self._number = 0

    def json(self, kind: str) -> Any:
        """Return the next message of a kind; light and states on the way are kept."""
        while True:
            event = self._session.receive()
            if event["type"] == "websocket.close":
                raise WebSocketDisconnect(event["code"], event["reason"])
            if event.get("bytes", b"")[:1] == b"\2":
                self.clock = int.from_bytes(event["bytes"][1:])
                if kind == "heartbeat":
                    return self.clock
                continue
            if event.get("bytes"):
                self.light = event["bytes"]
                if kind == "light":
                    return self.light
                continue
            message = json.loads(event["text"])
            if message["type"] == "state":
                self.state = message
            elif message["type"] == "board":
                self.board = message
            if message["type"] == kind or kind == "any":
                return message

    def answer(self, kind: str, **fields: Any) -> str:
        """Send a command; return "" when it was done, else why it was refused."""
        self._number += 1
        self.raw(json.dumps({"type": kind, "n": self._number, **fields}))
        while True:
            message = self.json("any")
            if message["type"] in ("answer", "refused"):
                assert message["n"] == self._number
                return str(message.get("reason", ""))

    def raw(self, text: str) -> None:
        self._session.send_text(text)

    def piece(self, place: str) -> Any:
        """Return the piece on a place of the board, as this page knows it."""
        return next(piece for piece in self.state["pieces"] if piece["place"] == place)


@pytest.fixture
def page(client: TestClient) -> Iterator[Page]:
    with client.websocket_connect("ws://localhost/ws") as session:
        yield Page(session)


# ---- what a page is told


def test_the_board_is_told_with_its_geometry(page: Page) -> None:
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


def test_pieces_that_tell_whose_they_are_are_told() -> None:
    host = StubHost("abalone", "hex-reed")
    assert view.board(host, "en")["single_owner_kinds"] == ["b", "w"]


def test_kept_matches_are_told_and_one_is_gone_on_with(host: StubHost, page: Page) -> None:
    kept = [SavedMatch(f"match-{n}.jsonl", "Shogi", "2026-05-01 20:15", n) for n in (1, 2)]
    host.now_says(kept=tuple(kept), plies=(Ply(1, 0, "C4C3"), Ply(2, 1, "A1A2", unsafe=True)))
    state = page.json("state")
    assert [ply["unsaved"] for ply in state["plies"]] == [False, True]
    assert state["saved_matches"][0] == {
        "name": "match-1.jsonl",
        "title": "Shogi",
        "played": "2026-05-01 20:15",
        "plies": 1,
    }
    rev = state["rev"]
    assert "not among those" in page.answer("resume", rev=rev, match="match-3.jsonl")
    assert "line 1" in page.answer("resume", rev=rev, match="match-2.jsonl")
    assert page.answer("resume", rev=rev, match="match-1.jsonl") == ""
    assert host.gone_on_with == "match-1.jsonl"


def test_the_state_names_lights_by_the_places_of_the_board(host: StubHost, page: Page) -> None:
    host.now_says(lights={"B2": Light(Signal.RED), seat_light(1): Light(Signal.WHITE)}, put=("B3",))
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


def test_what_a_page_held_goes_back_when_it_goes(host: StubHost, client: TestClient) -> None:
    with client.websocket_connect("ws://localhost/ws") as session:
        page = Page(session)
        assert page.answer("lift", piece=page.piece("E4")["id"], rev=page.state["table_rev"]) == ""
        assert host.board.lying("E4") == ()
    for _ in range(1000):
        if host.board.lying("E4"):
            break
        client.get("/api/state")
    assert host.board.lying("E4") == (1,)


# ---- what it may ask


def test_a_piece_is_lifted_put_turned_and_put_back(host: StubHost, page: Page) -> None:
    chick = page.piece("E4")["id"]
    assert page.answer("lift", piece=chick, rev=page.state["table_rev"]) == ""
    assert page.answer("put", piece=chick, place="D4", rev=0) == ""
    assert host.board.lying("D4") == (1,)
    assert page.answer("flip", piece=chick, rev=host.table.rev) == ""
    assert host.table.at("D4")[0].face == "+C"
    assert page.answer("lift", piece=chick, rev=host.table.rev) == ""
    assert page.answer("back", piece=chick, rev=0) == ""
    assert host.board.lying("D4") == (-1,)


def test_events_reach_the_session(host: StubHost, page: Page) -> None:
    rev = page.state["rev"]
    assert page.answer("press", button="hint", rev=rev) == ""
    assert page.answer("press", button="B", rev=rev) == ""
    assert page.answer("claim", seat=0, claim="resign", rev=rev) == ""
    assert page.answer("assist", seat=1, level=3, rev=rev) == ""
    assert page.answer("match", rev=rev) == ""
    assert host.posted == [
        events.Press(7.5, "hint"),
        events.Press(7.5, "B"),
        events.Claimed(7.5, "resign", 0),
        events.Assist(7.5, 3, 1),
        events.NewMatch(7.5),
    ]


def test_an_answer_to_an_open_question(host: StubHost, page: Page) -> None:
    choices = (OfferedMove("B2B1", None, "no"), OfferedMove("B2B1+", "A1", "yes"))
    host.now_says(question=choices, asked=3)
    page.json("state")
    assert page.state["question"][1] == {
        "move": "B2B1+",
        "place": "D6",
        "name": "A1",
        "button": "yes",
        "sentence": "",
    }
    rev = page.state["rev"]
    assert page.answer("choose", move="B2B1+", rev=rev) == ""
    host.now_says(question=choices, asked=3, buttons={"no": say("B2B1")})
    assert page.answer("press", button="no", rev=rev) == ""
    assert host.posted == [events.Choose(7.5, "B2B1+", 3), events.Choose(7.5, "B2B1", 3)]


def test_an_answer_that_is_no_move_is_given_by_its_button(host: StubHost, page: Page) -> None:
    host.now_says(question=(OfferedMove("back", None, "yes"), OfferedMove("play", None, "no")))
    page.json("state")
    assert page.answer("choose", move="play", rev=page.state["rev"]) == ""
    assert page.answer("choose", move="back", rev=page.state["rev"]) == ""
    assert host.posted == [events.Press(7.5, "no"), events.Press(7.5, "yes")]


def test_a_move_is_only_named(host: StubHost, page: Page) -> None:
    assert page.answer("report", move="B3B2", rev=page.state["rev"]) == ""
    assert page.answer("report", move="A4A3", rev=page.state["rev"]) == ""  # be it from before
    assert host.posted == [events.Choose(7.5, "B3B2"), events.Choose(7.5, "A4A3")]
    assert host.board.lying("E4") == (1,)


def test_hands_make_a_move_given_by_its_notation(host: StubHost, page: Page) -> None:
    assert page.answer("play", move="B3B2", rev=page.state["rev"]) == ""
    while host.board.lying("south.3") == () or host.board.lying("E5") == ():
        page.json("state")
    while page.state["hands_moving"]:
        page.json("state")
    assert host.board.lying("E4") == ()
    assert host.posted == [events.Choose(7.5, "B3B2")]
    assert host.table.at("south.3")[0].owner == "A"


def test_a_page_may_ask_for_still_lights(host: StubHost, client: TestClient) -> None:
    host.lit = bytes([9]) * len(host.lit)
    with (
        client.websocket_connect("ws://localhost/ws") as reduced,
        client.websocket_connect("ws://localhost/ws") as other,
    ):
        page = Page(reduced)
        assert page.json("light")[5:] == host.lit
        assert page.answer("motion", reduced=True, rev=0) == ""
        assert page.json("light")[5:] == host.still_pixels()
        assert Page(other).json("light")[5:] == host.lit  # only there
        assert page.answer("motion", reduced=False, rev=0) == ""
        assert page.json("light")[5:] == host.lit


def test_a_throw_is_corrected_to_what_it_may_have_been() -> None:
    host = StubHost("chaturaji")
    host.now_says(turn=0, dice=(3,), fallen=(3,), otherwise=((2,), (4,), (5,)))
    with (
        TestClient(create_app(host, LOOPBACK), base_url=HOME) as client,
        client.websocket_connect("ws://localhost/ws") as session,
    ):
        page = Page(session)
        assert page.state["last_throw"] == [3]
        assert page.state["corrections"] == [[2], [4], [5]]
        rev = page.state["rev"]
        assert page.answer("throw", dice=[4], correction=True, rev=rev) == ""
        for dice in [3], [6], []:
            assert "cannot fall" in page.answer("throw", dice=dice, correction=True, rev=rev)
    assert host.posted == [events.Dice(7.5, (4,), instead=True)]


def test_dice_are_thrown_or_given() -> None:
    host = StubHost("chaturaji")
    assert host.says.turn == CHANCE
    with (
        TestClient(create_app(host, LOOPBACK), base_url=HOME) as client,
        client.websocket_connect("ws://localhost/ws") as session,
    ):
        page = Page(session)
        assert page.state["throws"] == [[2], [3], [4], [5]]
        assert page.answer("throw", dice=[4], rev=1) == ""
        assert page.answer("throw", dice=[], rev=1) == ""
        assert "cannot fall" in page.answer("throw", dice=[6], rev=1)
        assert page.answer("play", move="5", rev=1) == ""  # typed, as a move would be
        assert page.answer("report", move="2", rev=1) == ""
    first, second, *typed = host.posted
    assert first == events.Dice(7.5, (4,))
    assert isinstance(second, events.Dice)
    assert second.dice in {(2,), (3,), (4,), (5,)}
    assert typed == [events.Dice(7.5, (5,)), events.Dice(7.5, (2,))]


def test_what_only_a_clock_knows_is_not_to_be_claimed() -> None:
    host = StubHost("shogi")
    host.says = replace(host.says, claims=offers([Match.begin(host.game)]))
    with (
        TestClient(create_app(host, LOOPBACK), base_url=HOME) as client,
        client.websocket_connect("ws://localhost/ws") as session,
    ):
        page = Page(session)
        assert [claim["claim"] for claim in page.state["claims"]] == ["resign", "resign"]
        assert page.state["claims"][0]["effect"] == "Sente resigns: gote wins."
        assert "cannot be claimed" in page.answer("claim", seat=0, claim="flag", rev=1)
        assert "claim it with its button" in page.answer("play", move="flag", rev=1)
    assert host.posted == []


def test_another_game_is_begun(host: StubHost, page: Page) -> None:
    fields = {"game": "robot-duel", "layout": "square-hall", "options": {"repetition": "3"}}
    assert page.answer("game", rev=page.state["rev"], **fields) == ""
    assert host.begun == [("robot-duel", {"repetition": "3"}, "square-hall")]


def test_hardware_is_broken_and_mended(host: StubHost, page: Page) -> None:
    assert page.answer("fault", fault="missing", chip=0x21, rev=0) == ""
    assert page.answer("fault", fault="stuck_on", place="A1", rev=0) == ""
    assert host.board.broken() == (Injury("missing", "0x21"), Injury("stuck on", "A1"))
    assert "so already" in page.answer("fault", fault="missing", chip=0x21, rev=0)
    assert page.answer("fault", fault="none", rev=0) == ""
    assert host.board.broken() == ()
    assert "so already" in page.answer("fault", fault="none", rev=0)
    assert page.answer("fault", fault="interrupt", count=1, rev=0) == ""
    assert "no chip" in page.answer("fault", fault="missing", chip=0x11, rev=0)
    assert "no such fault" in page.answer("fault", fault="fire", rev=0)


def test_the_language_of_a_page_is_its_own(host: StubHost, client: TestClient, page: Page) -> None:
    with client.websocket_connect("ws://localhost/ws?lang=pl") as session:
        polish = Page(session)
        assert polish.board["language"] == "pl"
        assert page.board["language"] == "en"
        assert polish.answer("language", language="cs", rev=0) == ""
        assert polish.board["language"] == "cs"
    accepted = {"accept-language": "de, fr;q=0.8, en;q=0.5"}
    with client.websocket_connect("ws://localhost/ws", headers=accepted) as session:
        assert Page(session).board["language"] == "fr"


def test_what_was_refused_is_told_in_the_next_language(page: Page) -> None:
    assert page.board["refused"] == ""
    english = page.answer("play", move="Quatsch", rev=10**6)
    assert english == ("Quatsch is no move of this game. A move is written like this: B3B2")
    assert page.answer("language", language="pl", rev=0) == ""
    assert page.board["refused"] == ("Quatsch nie jest ruchem tej gry. Ruch zapisuje się tak: B3B2")
    assert page.answer("press", button="hint", rev=10**6) == ""
    assert page.answer("language", language="fr", rev=0) == ""
    assert page.board["refused"] == ""


def test_an_impossible_option_is_refused_in_the_language_of_the_page(page: Page) -> None:
    page.answer("language", language="cs", rev=0)
    options = {"seats": "pink"}
    why = page.answer("game", game="chaturaji", layout="square-reed", options=options, rev=10**6)
    assert why.startswith("barvy hráčů: nelze zvolit „pink“, jen: černý, zelený, červený, žlutý, ")
    options = {"promotion": "never"}
    why = page.answer("game", game="robot-duel", layout="square-reed", options=options, rev=10**6)
    assert why == "proměna kuřátka: nelze zvolit „never“, jen: nepovinná, povinná."


def test_a_player_is_called_by_a_name(host: StubHost, page: Page) -> None:
    assert page.answer("player", seat=1, name=" Anna <b> ", rev=0) == ""
    assert page.state["player_names"] == ["", "Anna <b>"]
    host.now_says(outcome=Outcome(frozenset({1}), "resign"))
    page.json("state")
    assert page.state["outcome"]["result"] == "Anna <b> wins."


# ---- what is refused


def test_what_the_match_has_left_behind_is_refused(host: StubHost, page: Page) -> None:
    old = page.state["rev"]
    host.now_says(plies=(Ply(1, 0, "B3B2"),), turn=1)
    for kind, fields in {
        "press": {"button": "back"},
        "play": {"move": "B3B2"},
        "match": {},
    }.items():
        assert "went on meanwhile" in page.answer(kind, rev=old, **fields)
    assert host.posted == []
    assert page.answer("press", button="back", rev=host.says.rev) == ""


def test_a_light_that_changes_makes_nothing_stale(host: StubHost, page: Page) -> None:
    old = page.state["rev"]
    host.now_says(lights={"B2": Light(Signal.RED)})
    assert page.answer("press", button="back", rev=old) == ""


def test_names_that_change_make_nothing_else_stale(host: StubHost) -> None:
    stale, status = StaleCommands(), host.says
    stale.note(status)
    for number in range(200):
        claims = {0: {"resign": say(f"A{number} resigns: B wins.")}}
        status = replace(status, rev=status.rev + 1, claims=claims)
        stale.note(status)
    assert not stale.is_stale(protocol.PressCommand(n=1, rev=1, button="hint"))
    assert not stale.is_stale(protocol.ClaimCommand(n=2, rev=1, seat=0, claim="resign"))


@pytest.fixture
def quick_beat(monkeypatch: pytest.MonkeyPatch) -> int:
    assert LATE_S > 2 * HEARTBEAT_S, "one may be missed"
    monkeypatch.setattr("firmware_host.web.connection.HEARTBEAT_S", 1)
    return 1


def test_a_page_hears_the_board_again_and_again(quick_beat: int, page: Page) -> None:
    first = page.clock
    assert first > 0, "the clock comes before all else"
    assert quick_beat <= page.json("heartbeat") - first <= LATE_S


def test_what_was_said_to_a_silent_board_is_refused(host: StubHost, page: Page) -> None:
    def press(heard: int) -> str:
        return page.answer("press", button="back", rev=host.says.rev, heartbeat=heard)

    now = page.clock
    assert "too late" in press(now - LATE_S - 1)
    assert "too late" in page.answer(
        "lift", piece=page.piece("E4")["id"], rev=9, heartbeat=now - LATE_S - 1
    )
    assert host.posted == []
    assert host.table.held_by(page.state["page"]) is None
    assert press(now - 1) == ""


def test_a_piece_moved_by_another_page_is_refused(client: TestClient, page: Page) -> None:
    seen = page.state["table_rev"]
    chick = page.piece("E4")["id"]
    with client.websocket_connect("ws://localhost/ws") as session:
        other = Page(session)
        assert other.answer("lift", piece=chick, rev=seen) == ""
        assert "moved meanwhile" in page.answer("lift", piece=chick, rev=seen)
        assert other.answer("put", piece=chick, place="A5", rev=seen) == ""
    assert "moved meanwhile" in page.answer("flip", piece=chick, rev=seen)


@pytest.mark.parametrize(
    ("kind", "fields", "why"),
    [
        ("put", {"piece": 1, "place": "Z1"}, "no place Z1"),
        ("put", {"piece": 1, "place": "edge.south"}, "no place edge.south"),
        ("put", {"piece": 1, "place": "A1"}, "do not hold"),
        ("lift", {"piece": 0}, "no longer"),
        ("press", {"button": "fire"}, "no button fire"),
        ("press", {"button": "yes"}, "Nothing is asked"),
        ("press", {"button": "no"}, "Nothing is asked"),
        ("choose", {"move": "B3B2"}, "not asked"),
        ("claim", {"seat": 1, "claim": "resign"}, "cannot be claimed"),
        ("assist", {"seat": 5, "level": 1}, "no seat 5"),
        ("throw", {"dice": [3]}, "No dice"),
        ("report", {"move": ""}, "Write the move"),
        ("play", {"move": "B3B1"}, "chick goes one step"),
        ("play", {"move": "Quatsch"}, "Quatsch"),
        ("play", {"move": "resign"}, "claim it with its button"),
        ("report", {"move": "resign"}, "claim it with its button"),
        ("setup", {}, "All pieces lie where they should"),
        ("game", {"game": "chess", "layout": "x", "options": {}}, "no game 'chess'"),
        ("game", {"game": "shogi", "layout": "x", "options": {"a": "b"}}, "no option “a”"),
        ("player", {"seat": 5, "name": "Anna"}, "no seat 5"),
        ("player", {"seat": 0, "name": "A" * 31}, "at most 30 characters"),
        ("player", {"seat": 0, "name": "A\nB"}, "control characters"),
        ("player", {"seat": 0, "name": "A\u202eB"}, "control characters"),
    ],
)
def test_impossible_commands_are_refused_with_the_reason(
    host: StubHost, page: Page, kind: str, fields: dict[str, Any], why: str
) -> None:
    assert why in page.answer(kind, rev=10**6, **fields)
    assert host.posted == []
    assert host.begun == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '{"type": "lift"}',
        '{"type": "lift", "n": 1, "rev": 1, "piece": "x"}',
        '{"type": "lift", "n": 1, "rev": 1, "piece": 1, "place": "A1"}',
        '{"type": "lift", "n": -1, "rev": 1, "piece": 1}',
        '{"type": "explode", "n": 1, "rev": 1}',
        '{"type": "press", "n": 1, "rev": 1, "button": "\\ud800"}',
        '{"type": "press", "n": 1, "rev": 1, "button": "' + "x" * 300 + '"}',
        '{"type": "throw", "n": 1, "rev": 1, "dice": [1,1,1,1,1,1,1,1,1]}',
        "[" * 2000,
        '{"type": "lift", "n": 1e400, "rev": 1, "piece": 1}',
        '{"a": ' + "[" * 1900 + "]" * 1900 + ', "type": "match", "n": 1, "rev": 1}',
        '{"n": 1, "rev": 1, "x": ' + '{"a":' * 600 + "1" + "}" * 600 + ', "type": "match"}',
    ],
)
def test_malformed_messages_are_refused_and_nothing_is_lost(page: Page, text: str) -> None:
    page.raw(text)
    assert page.json("refused")["reason"].startswith("That was no command")
    assert page.answer("press", button="hint", rev=page.state["rev"]) == ""


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


# ---- who is let in


@pytest.mark.parametrize(
    ("asked", "spoken"), [("de", "cs"), ("", "cs"), ("fr, en", "fr"), ("en", "en")]
)
def test_who_asks_for_no_language_of_ours_hears_the_boards_own(
    host: StubHost, asked: str, spoken: str
) -> None:
    with (
        TestClient(create_app(host, LOOPBACK, language="cs"), base_url=HOME) as client,
        client.websocket_connect(
            "ws://localhost/ws", headers={"accept-language": asked}
        ) as session,
    ):
        assert Page(session).board["language"] == spoken


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


def test_options_and_boards_are_called_as_people_call_them(client: TestClient) -> None:
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
    assert english["try_rule"]["label"] == "lion on the far row"
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
    assert "The lion was taken." in rules["endings"]
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
def test_serving_ends_when_it_is_cancelled(host: StubHost, token: str | None) -> None:
    async def run() -> tuple[str, bytes]:
        address: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        server = asyncio.create_task(
            serve(host, 0, token and Keys(token), ready=address.set_result)
        )
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
        return url, first

    url, first = asyncio.run(run())
    assert first.startswith(b"HTTP/1.1 200")
    assert ("token=geheim" in url) == bool(token)


def test_the_address_is_told_again_when_the_network_comes_later(
    host: StubHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listener, "ADDRESS_CHECK_S", 0.01)
    monkeypatch.setattr(keys, "network_address", lambda: network)
    network = ""
    told: list[str] = []

    async def run() -> None:
        nonlocal network
        both = asyncio.Event()

        def ready(url: str) -> None:
            nonlocal network
            told.append(url)
            network = "192.0.2.7"
            if len(told) == 2:
                both.set()

        task = asyncio.create_task(serve(host, 0, Keys("geheim"), ready))
        async with asyncio.timeout(20):
            await both.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(run())
    assert f"{socket.gethostname()}.local:" in told[0]
    assert told[1].startswith("http://192.0.2.7:")
    assert told[1].endswith("/?token=geheim")
