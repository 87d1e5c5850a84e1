"""A stub host and a page without a browser, for tests of the server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from engine.games import make
from engine.games.robot_duel import RobotDuel
from firmware_host.controller.counters import BoardCounters
from firmware_host.controller.sensor_log import SensorLog
from firmware_host.i18n.messages import Message, say
from firmware_host.players.kinds import PlayerKind, available, kind_message
from firmware_host.players.time_control import TimeControl
from firmware_host.session import events
from firmware_host.simulation.virtual_table import VirtualTable
from firmware_host.storage import library
from firmware_host.storage.journal import JournalError, Player, Players
from firmware_host.storage.library import IndexProgress
from firmware_host.text.status import Status
from firmware_host.web.pieces import SimulatedPieces
from firmware_host.web.server import LOOPBACK, create_app
from hardware.layout import Layout, load
from hardware.layout import serving as boards_for
from hardware.simulated.board import SimulatedBoard

HOME = "http://localhost"


class NoMatches:
    """A library without a match."""

    state = Path("/nowhere")

    def path(self, name: str) -> Any:
        raise JournalError(f"no match {name!r} is kept there")

    def match(self, name: str) -> Any:
        raise JournalError(f"no match {name!r} is kept there")

    def update(self, seconds: float = 0) -> IndexProgress:
        return IndexProgress(0, 0)

    def page(self, **wanted: Any) -> library.Page:
        return library.Page((), 0, "")

    def since(self, moment: float) -> tuple[()]:
        return ()

    def paths(self) -> list[Path]:
        return []


class StubBuilders:
    """What builders see of a board whose sensors a test sets."""

    power = None

    def __init__(self, posted: list[Any]) -> None:
        self.log = SensorLog()
        self.read: dict[str, int] = {}
        self._posted = posted

    def levels(self) -> Mapping[str, int]:
        return self.read

    def test_light(self, place: str) -> None:
        self._posted.append(("light", place))


class StubSeating:
    """The seats of a stub host, at which people play."""

    def __init__(self, host: StubHost) -> None:
        self._host = host

    def rename(self, seat: int, name: str) -> None:
        names = [*self._host.says.players, *[""] * 8][: len(self._host.game.seats)]
        names[seat] = name
        self._host.now_says(players=tuple(names))

    def players(self, game: Any) -> Players:
        return tuple(Player("", "person") for _ in game.seats)

    def choices(self, game: Any) -> Mapping[str, Message]:
        return {each.text: kind_message(each) for each in available(game)}

    def swap(self) -> None:
        self._host.posted.append("swap")

    def set_kind(self, seat: int, kind: PlayerKind) -> None:
        """Accept it."""

    def set_grading(self, seat: int, graded: int) -> None:
        """Accept it."""

    def set_hands_move(self, on: bool) -> None:
        """Accept it."""


class StubHost:
    """A host whose status a test sets."""

    lesson_mode: Any = SimpleNamespace(lesson=None)

    def __init__(self, game: str = "robot-duel", layout: str = "square-reed") -> None:
        self.layout = load(layout)
        self.game = make(game)
        self.board = SimulatedBoard(self.layout)
        self.counters = BoardCounters()
        self.changed = False
        places = self.layout.game(game).places
        self.table = VirtualTable(
            self.game, places, self.board, slots=self.layout.slots, changed=self.change
        )
        self.table.set_up(self.game.pieces(self.game.start()))
        self.pieces = SimulatedPieces(self.table, self.board, self)
        self.posted: list[Any] = []
        self.builders = StubBuilders(self.posted)
        self.library = NoMatches()
        self.seating = StubSeating(self)
        self.started: list[tuple[str, Mapping[str, str], str]] = []
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

    is_reading = False

    def position(self) -> Any:
        return self.game.start()

    def now(self) -> float:
        return 7.5

    def post(self, event: events.Event) -> None:
        self.posted.append(event)

    def request(self, move: Any) -> None:
        self.posted.append(("request", move))

    def time_with(self, control: TimeControl | None) -> None:
        if self.says.plies:
            raise ValueError("the clock is chosen before the match begins")
        self.posted.append(control)

    def pause(self, on: bool) -> None:
        self.posted.append(on)

    def pixels(self) -> bytes:
        return self.lit

    def still_pixels(self) -> bytes:
        return bytes([7]) * len(self.lit)

    async def wait_change(self, since: int) -> int:
        while not self.changed:
            await asyncio.sleep(0.002)
        self.changed = False
        return since + 1

    def games(self) -> Mapping[str, tuple[Layout, ...]]:
        return {name: boards_for(name) for name in ("robot-duel", "robotory")}

    def new_game(self, name: str, options: Mapping[str, str], layout: str) -> None:
        make(name, options)
        self.started.append((name, options, layout))

    def resume(self, name: str) -> None:
        if name == "match-2.jsonl":
            raise ValueError("match-2.jsonl: line 1: this is no journal of a match")
        self.resumed = name

    def record_as_test(self) -> Iterator[bytes]:
        return iter([b'{"lampion": ', b'"recording"}\n'])

    def as_record(self) -> tuple[str, str]:
        return "robot-duel.usi", "position startpos\n"


class SixthGame(RobotDuel):
    """A game that has only its rules."""

    name = "sixth"
    title = "Sixth"


class Page:
    """A page that a test plays."""

    def __init__(self, session: WebSocketTestSession) -> None:
        self._session = session
        self.clock = 0
        self.board = self.json("board")
        self.state = self.json("state")
        self.light = b""
        self._number = 0

    def json(self, kind: str) -> Any:
        """Return the next message of a kind; store light, boards and states on the way."""
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
        """Send a command; return "" if it was done, else why it was refused."""
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


@contextmanager
def page_of(host: StubHost, headers: Mapping[str, str] | None = None, **app: Any) -> Iterator[Page]:
    """Open a page of a host whose server is made with these settings."""
    with (
        TestClient(create_app(host, LOOPBACK, **app), base_url=HOME) as client,
        client.websocket_connect("ws://localhost/ws", headers=dict(headers or {})) as session,
    ):
        yield Page(session)
