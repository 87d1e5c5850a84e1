"""The site as `make site` builds it, served as plain files, and players at its board."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.support.browser import VISITED
from tools.site.__main__ import DOWNLOADS, build
from tools.site.part import CannotBuildError

LOADING = 120_000
"""Milliseconds until the board must be there: the computer may be busy."""
MOVING = 60_000
"""Milliseconds that hands may need for a move."""

CONNECTED = """() => new Promise((done) => {
  const socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}/ws`);
  const waiting = new Map();
  const player = window.player = { state: null, pixels: 0 };
  let heartbeat;
  let n = 0;
  player.command = (type, fields) => new Promise((answered) => {
    n += 1;
    waiting.set(n, answered);
    socket.send(JSON.stringify({ type, n, heartbeat, rev: player.state.rev, ...fields }));
  });
  socket.onmessage = ({ data }) => {
    if (typeof data !== "string") {
      const bytes = new DataView(data);
      if (bytes.getUint8(0) === 2) heartbeat = bytes.getUint32(1);
      else player.pixels = bytes.byteLength - 5;
    } else {
      const message = JSON.parse(data);
      if (message.type === "state") player.state = message;
      waiting.get(message.n)?.(message.reason ?? "");
    }
    if (player.state && heartbeat !== undefined && player.pixels) done();
  };
})"""
"""Opens a second connection, as another page of the same board has it."""


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site."""
    out = tmp_path_factory.mktemp("site")
    try:
        build(out, DOWNLOADS, ["play"])
    except CannotBuildError as error:
        pytest.skip(f"the site cannot be built here: {error}")
    return out


class _Files(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@pytest.fixture(scope="session")
def address(site: Path) -> Iterator[str]:
    """Where the site is served, below a folder of its server."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Files, directory=site)) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()
        thread.join()


class Tab:
    """A player whose board is in the tab."""

    def __init__(self, context: BrowserContext, address: str) -> None:
        self.page: Page = context.new_page()
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", self._heard)
        self.page.on("request", self._asked)
        self._address = address

    def _heard(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.errors.append(message.text)

    def _asked(self, request: Any) -> None:
        if not request.url.startswith((self._address, "blob:", "data:")):
            self.errors.append(f"asks for {request.url}")

    def open(self, query: str = "") -> None:
        """Open the page, or load it again, and wait for the first light."""
        if self.page.url == "about:blank":
            self.page.goto(f"{self._address}play/{query}")
        else:
            self.page.reload()
        self.lit()

    def lit(self) -> None:
        """Wait for the first light, and connect."""
        self.page.wait_for_function(
            "() => performance.getEntriesByName('first light').length", timeout=LOADING
        )
        expect(self.page.locator("#loading")).to_be_hidden()
        self.page.evaluate(CONNECTED)

    def command(self, kind: str, **fields: Any) -> str:
        """Give a command; return why it was refused, "" if it was not."""
        said: str = self.page.evaluate(
            "([kind, fields]) => player.command(kind, fields)", [kind, fields]
        )
        return said

    def until(self, condition: str, argument: Any = None) -> None:
        """Wait until the state is so."""
        self.page.wait_for_function(
            f"(wanted) => {{ const {{ state }} = player; return {condition}; }}",
            arg=argument,
            timeout=MOVING,
        )

    @property
    def state(self) -> Any:
        return self.page.evaluate("player.state")

    @property
    def moves(self) -> list[str]:
        return [ply["text"] for ply in self.state["plies"]]

    def begin(self, game: str, **options: str) -> None:
        """Begin a match."""
        games = self.page.evaluate("fetch('/api/games').then((answer) => answer.json())")
        (found,) = (each for each in games if each["name"] == game)
        layout = found["layouts"][0]["name"]
        assert self.command("game", game=game, layout=layout, options=options) == ""

    def play(self, move: str) -> None:
        """Let hands make a move, and wait until it is on the record and the pieces lie still."""
        number = len(self.state["plies"])
        self.until("!state.hands_moving && !state.repair_plan.length")
        assert self.command("play", move=move) == ""
        self.until("state.plies.length > wanted", number)
        assert self.moves[number] == move
        self.until("!state.hands_moving")


@pytest.fixture
def context(window: Callable[..., BrowserContext]) -> BrowserContext:
    context = window(reduced_motion="reduce")
    context.add_init_script(VISITED)
    return context


@pytest.fixture
def tab(context: BrowserContext, address: str) -> Iterator[Tab]:
    tab = Tab(context, address)
    yield tab
    assert tab.errors == []
