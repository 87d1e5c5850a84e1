"""An evening of a family: five games, two phones, power cuts, and nothing that was played is lost.

The program is a process of its own, and is killed in the middle of matches.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any
from urllib.request import urlopen

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from engine.game import CHANCE, Throw
from engine.games import make
from engine.match import Match
from firmware_host.simulation.virtual_table import BOX, VirtualTable
from firmware_host.web.roles import HOST, PLAYERS
from hardware.layout import load
from tests.support.browser import IN_A_BROWSER, PATIENCE, SETTLED, VISITED
from tests.support.chooser import NONE, Chooser
from tests.support.journals import read_back
from tests.support.program import Program

pytestmark = [*IN_A_BROWSER, pytest.mark.deep]

PATIENCE_S = 60.0
"""How long the program or a page may take for anything, on a busy machine."""
MOST_MB = 20
"""How much more memory the program may hold after the last game than after the first."""
ABOVE = 40
"""A piece floats that many pixels above a finger where cells are small, as in hands.js."""
MISSES = """([id, x, y, above]) => new Promise((done) => {
  const end = performance.now() + 60000;
  const at = (query) => {
    const matrix = document.querySelector(query)?.getScreenCTM();
    return matrix && [matrix.e, matrix.f];
  };
  const look = () => {
    const ghost = at("#board .mine");
    const under = (up) => Math.hypot(ghost[0] - x, ghost[1] + up - y) < 2;
    if (ghost && (under(0) || under(above))) {
      const [u, v] = at(`#board [data-place="${id}"]`);
      done([u - ghost[0], v - ghost[1]]);
    } else if (performance.now() > end) done(null);
    else setTimeout(look, 20);
  };
  look();
})"""
"""How far the piece in the hand is from a place, as soon as it has followed the finger."""
DUEL = ("B3B2", "B1B2", "C4C3", "A1A2", "C3C2", "B2B3", "A4B3")
"""A takes the lion of B."""


class NoMagnets:
    """A table without a board under it."""

    def put(self, place: str, pole: int = 1) -> None:
        """Feel nothing."""

    def lift(self, place: str) -> None:
        """Feel nothing."""


class Device:
    """A page on a laptop or a phone, with what goes wrong on it."""

    def __init__(self, context: BrowserContext, touch: bool = False) -> None:
        context.add_init_script(VISITED)
        context.set_default_timeout(1000 * PATIENCE_S)
        self.context = context
        self.page: Page = context.new_page()
        self.touch = touch
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", self._heard)
        self._screen = context.new_cdp_session(self.page)

    def _heard(self, message: Any) -> None:
        # That the connection is lost is no error here: it is cut on purpose.
        gone = ("WebSocket connection", "net::ERR_")
        if message.type == "error" and not any(each in message.text for each in gone):
            self.errors.append(message.text)

    def open(self, address: str) -> None:
        """Open the page where the match is."""
        self.page.goto(f"{address}#/play")
        self.ready()

    def ready(self) -> None:
        """Wait until the match is shown and the page is connected."""
        expect(self.page.locator("body")).to_have_attribute("data-link", "up")
        expect(self.page.locator("#board [data-piece]").first).to_be_attached(timeout=60_000)
        expect(self.page.locator("#turn")).not_to_be_empty()

    def state(self) -> Any:
        """Return what the program tells this page."""
        answer = self.page.request.get(self.page.url.partition("#")[0] + "api/state")
        return answer.json()

    # ---- hands

    def middle(self, place: str) -> tuple[float, float]:
        """Return the middle of a place of the board, when nothing moves any more."""
        x, y = self.place(place).evaluate(SETTLED)
        return x, y

    def place(self, name: str) -> Locator:
        """Return a place of the board, by the board's own name."""
        return self.page.locator(f'#board [data-place="{name}"]')

    def down(self, at: tuple[float, float]) -> None:
        """Touch the screen, or press the mouse."""
        if self.touch:
            self._finger("touchStart", at)
        else:
            self.page.mouse.move(*at)
            self.page.mouse.down()
        self._at = at

    def move(self, to: tuple[float, float], part: float = 1.0) -> None:
        """Move what is down a part of the way."""
        (x, y), (u, v) = self._at, to
        for step in range(1, 7):
            share = part * step / 6
            at = x + (u - x) * share, y + (v - y) * share
            if self.touch:
                self._finger("touchMove", at)
            else:
                self.page.mouse.move(*at)
            self.page.wait_for_timeout(20)

    def up(self) -> None:
        """Let go."""
        if self.touch:
            self._finger("touchEnd")
        else:
            self.page.mouse.up()

    def _finger(self, kind: str, *at: tuple[float, float]) -> None:
        points = [{"x": x, "y": y, "id": 0} for x, y in at]
        self._screen.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def drag(self, start: str, end: str) -> None:
        """Drag a piece from one place to another."""
        for place in (end, start):
            self.place(place).evaluate("place => place.scrollIntoViewIfNeeded()")
        to = self.middle(end)
        self.down(self.middle(start))
        self.move(to)
        if self.touch:
            self._aim(end, to)
        self.up()

    def _aim(self, end: str, finger: tuple[float, float]) -> None:
        """Bring the piece over a place: a person looks at the piece, not at the finger."""
        for _ in range(5):
            missed = self.page.evaluate(MISSES, [end, *finger, ABOVE])
            assert missed, f"no piece follows the finger to {end}"
            if max(map(abs, missed)) < 3:
                return
            finger = finger[0] + missed[0], finger[1] + missed[1]
            self._finger("touchMove", finger)
        raise AssertionError(f"the piece does not come over {end}")

    def press(self, selector: str) -> None:
        """Press what is in sight."""
        target = self.page.locator(selector)
        target.tap() if self.touch else target.click()


class Evening:
    """The program, its devices, and what was played so far."""

    def __init__(self, state: Path, window: Callable[..., BrowserContext]) -> None:
        state.mkdir()
        self.state_dir = state
        self.program = Program(state, "--lan")
        self.laptop = Device(window(1280, 800))
        self.phones = [
            Device(window(390, 844, has_touch=True, is_mobile=True), touch=True) for _ in range(2)
        ]
        self.laptop.open(self.program.link(HOST))
        for seat, phone in enumerate(self.phones):
            phone.open(self.program.link(PLAYERS[seat]))
        self.devices = [self.laptop, *self.phones]
        self.matches: dict[str, list[str]] = {}
        self.wins: dict[str, int] = {}
        self.memory: list[float] = []

    # ---- what the program knows

    def ask(self, path: str) -> Any:
        """Return an answer of the program to the host."""
        token = self.program.link(HOST).partition("token=")[2]
        mark = "&" if "?" in path else "?"
        with urlopen(f"{self.program.url}{path}{mark}token={token}", timeout=PATIENCE_S) as answer:
            return json.load(answer)

    def until(self, wanted: Callable[[Any], Any], why: str) -> Any:
        """Wait until the state is as wanted, and return it."""
        end = time.monotonic() + PATIENCE_S
        while True:
            state = self.ask("api/state")
            if wanted(state):
                return state
            if time.monotonic() > end:
                raise AssertionError(f"{why}: {texts(state)}, {state['messages']}")
            self.laptop.page.wait_for_timeout(60)

    # ---- a game

    def begin(
        self,
        game: str,
        layout: str,
        names: Sequence[str],
        clock: str = "",
        options: Mapping[str, str] = NONE,
    ) -> None:
        """Begin a game in the view where games begin; seats without a name are machines."""
        page, chooser = self.laptop.page, Chooser(self.laptop.page)
        chooser.open()
        chooser.choose(game, layout, options)
        chooser.close_sheet()
        rows = page.locator("#home-seats > li")
        for seat, name in enumerate(names):
            rows.nth(seat).locator("select").select_option(
                "person" if name else "level:first-steps"
            )
            if name:
                rows.nth(seat).locator("input").fill(name)
        if clock:
            chooser.open_sheet()
            page.locator("#options-clock").select_option(clock)
        expect(page.locator(f'[name="home-game"][value="{game}"]')).to_be_checked()
        chooser.begin()
        expect(page.locator('[data-view="play"]')).to_be_visible()
        self.game, self.layout = make(game, options), load(layout)
        board = self.until(lambda state: not state["plies"] and not state["outcome"], "it begins")
        assert board["player_names"] == list(names)
        for device in self.devices:
            expect(device.page.locator("body")).to_have_attribute("data-game", game)
        self.match = Match.begin(self.game)

    def hand(self, seat: int) -> Device:
        """Return the device of a seat."""
        return self.phones[seat] if seat < len(self.phones) else self.laptop

    def play(self, text: str, device: Device | None = None) -> None:
        """Let a person make a move, piece by piece, and wait until it was read."""
        game, before = self.game, self.match
        device = device or self.hand(before.turn)
        move = game.parse_move(before.position, text)
        after = before.play(move)
        self.carry(device, game.pieces(before.position), game.pieces(after.position))
        self.read(after, device)

    def carry(self, device: Device, before: Any, after: Any) -> None:
        """Bring the pieces of one position to where another has them."""
        places = self.layout.game(self.game.name).places
        table = VirtualTable(self.game, places, NoMagnets())
        table.set_up(before)
        lie = {piece.number: (piece.place, piece.front_up) for piece in table.pieces}
        for step in table.steps_to(after):
            start, was_up = lie[step.piece]
            self._one(device, start, step.place, was_up != step.front_up)

    def _one(self, device: Device, start: str, end: str, turned: bool) -> None:
        page = device.page
        rev = self.ask("api/state")["table_rev"]
        if start != end and not turned and BOX not in (start, end):
            device.drag(start, end)
        else:
            device.down(device.middle(start))
            device.up()
            expect(page.locator("#hand")).to_be_visible()
            if turned:
                device.press("#more")
                device.press("#hand-flip")
            if end == BOX:
                device.press("#more")
                device.press("#hand-away")
            else:
                device.down(device.middle(end))
                device.up()
        expect(page.locator("#hand")).to_be_hidden()
        self.until(lambda state: state["table_rev"] > rev + 1, f"{start} to {end}")

    def read(self, after: Match, device: Device) -> None:
        """Wait until the program has read the moves of a match; answer if it asks."""
        wanted = after.moves()

        def done(state: Any) -> bool:
            if state["question"]:
                self._answer(device, wanted[-1])
            # By then a machine may have answered already.
            return texts(state)[: len(wanted)] == wanted and settled(state, len(wanted))

        self.until(done, f"{wanted} are read")
        self.match = after

    def _answer(self, device: Device, text: str) -> None:
        choice = device.page.locator(f'#question [data-move="{text}"]')
        if choice.count():
            choice.first.click()

    def follow(self) -> None:
        """Take over what the machines have played."""
        state = self.ask("api/state")
        self.match = Match.begin(self.game)
        for ply in state["plies"]:
            dice = tuple(ply["dice"])
            if self.match.turn == CHANCE and dice:
                self.match = self.match.play(Throw(dice))
            self.match = self.match.play(self.game.parse_move(self.match.position, ply["text"]))
        if self.match.turn == CHANCE and state["dice"]:
            self.match = self.match.play(Throw(tuple(state["dice"])))

    def ended(self) -> None:
        """Note what was played; every device shows the end."""
        state = self.until(lambda state: state["outcome"], "it ends")
        match = next(each for each in self.ask("api/matches?limit=5")["matches"] if each["in_play"])
        self.matches[match["id"]] = texts(state)
        winners = state["outcome"]["winners"]
        for seat, name in enumerate(state["player_names"]):
            key = name or "machines"
            self.wins[key] = self.wins.get(key, 0) + (seat in winners)
        for device in self.devices:
            expect(device.page.locator("#card")).to_be_visible()
        self.memory.append(self.program.rss_mb)

    def resign(self, device: Device) -> None:
        """Resign with the menu of acts."""
        device.press("#more")
        device.press('#claims [data-key$=" resign"]')
        device.press("#confirm-yes")

    def turn_of(self, seat: int) -> None:
        """Wait until the machines have played and their pieces stand."""

        def done(state: Any) -> bool:
            own = state["turn"] == seat and not state["repair_plan"] and not state["hands_moving"]
            return bool(state["outcome"]) or (own and settled(state))

        self.until(done, f"it is the turn of seat {seat}")
        self.follow()

    def throws(self, state: Any, seat: int) -> bool:
        """Whether a seat has to throw."""
        return bool(state["throws"]) and state["acting"] == seat and not state["repair_plan"]

    def simple(self, rng: Random) -> str:
        """Return a legal move that one drag makes."""
        before = self.match
        places = self.layout.game(self.game.name).places
        able = []
        for move in before.legal:
            table = VirtualTable(self.game, places, NoMagnets())
            table.set_up(self.game.pieces(before.position))
            steps = table.steps_to(self.game.pieces(self.game.play(before.position, move)))
            if len(steps) == 1 and steps[0].place != BOX:
                able.append(move)
        return self.game.move_text(before.position, rng.choice(able or list(before.legal)))

    # ---- what happens to a family

    def half_a_drag(self, device: Device, start: str, end: str) -> None:
        """Lift a piece and hold it over the board."""
        places = self.layout.game(self.game.name).places
        to, at = device.middle(places[end]), device.middle(places[start])
        device.down(at)
        device.move(to, 0.5)
        expect(device.page.locator("#hand")).to_be_visible()

    def nothing_in_a_hand(self) -> None:
        """Wait until all pieces lie where they belong."""
        self.until(
            lambda state: (
                not any(piece["held_by"] for piece in state["pieces"]) and not state["repair_plan"]
            ),
            "the piece is back",
        )

    def power_cut(self, away: Device | None = None) -> None:
        """Kill the program and start it again; the match is as it was."""
        before = self.until(settled, "the moves are read")
        self.program.kill()
        for device in self.devices:
            expect(device.page.locator("#lost")).to_be_visible()
        self.program.start()
        for device in self.devices:
            if device is not away:
                device.ready()
        after = self.ask("api/state")
        played = texts(before)
        assert texts(after)[: len(played)] == played  # machines may have gone on
        assert after["player_names"] == before["player_names"]
        assert after["opponents"]["player_kinds"] == before["opponents"]["player_kinds"]


def texts(state: Any) -> list[str]:
    """Return the moves of a state in their notation."""
    return [ply["text"] for ply in state["plies"]]


def kept(journal: Path) -> list[str]:
    """Return the moves and claims that a journal has."""
    record = read_back(journal).record
    return [entry.texts[0] for entry in record if entry.kind in ("move", "claim")]


def settled(state: Any, plies: int | None = None) -> bool:
    """Whether all moves, or the first ones, are read and kept."""
    return not any(ply["candidates"] or ply["unsaved"] for ply in state["plies"][:plies])


@pytest.fixture(autouse=True)
def patience() -> Iterator[None]:
    expect.set_options(timeout=1000 * PATIENCE_S)
    yield
    expect.set_options(timeout=PATIENCE)


@pytest.fixture
def evening(tmp_path: Path, window: Callable[..., BrowserContext]) -> Iterator[Evening]:
    evening = Evening(tmp_path / "state", window)
    try:
        yield evening
    finally:
        evening.program.stop()


def test_five_games_of_an_evening(evening: Evening) -> None:
    for game in (duel, shogi, abalone, robotory, chaturaji):
        began = time.monotonic()
        game(evening)
        spent = time.monotonic() - began
        print(f"{game.__name__}: {spent:.0f} s, {evening.program.rss_mb:.1f} MB")
    library(evening)
    assert max(evening.memory) - min(evening.memory) < MOST_MB, evening.memory
    for device in evening.devices:
        assert device.errors == []
    assert "Traceback" not in evening.program.log()


def duel(evening: Evening) -> None:
    """Ania wins. The power fails, and a page is loaded again, while a hand holds a piece."""
    evening.begin("robot-duel", "square-reed", ("Ania", "Ola"), clock="10 min for all moves")
    for text in DUEL[:3]:
        evening.play(text)
    evening.half_a_drag(evening.phones[1], "A1", "A2")
    evening.phones[1].page.reload()
    evening.phones[1].up()
    evening.phones[1].ready()
    evening.nothing_in_a_hand()
    evening.play(DUEL[3])
    evening.half_a_drag(evening.phones[0], "C3", "C2")
    evening.power_cut()
    evening.phones[0].up()
    evening.nothing_in_a_hand()
    clock = evening.ask("api/state")["clock"]
    assert clock["control"] == "10m"
    assert all(500 < left <= 600 for left in clock["seconds_left"])
    for text in DUEL[4:]:
        evening.play(text)
    evening.ended()


def shogi(evening: Evening) -> None:
    """Jan resigns. Bishops are exchanged and turned over; a phone is out of the network."""
    evening.begin(
        "shogi", "square-hall", ("Ola", "Jan"), clock="5 min, and 3 s more after each move"
    )
    for text in ("7g7f", "3c3d"):
        evening.play(text)
    phone = evening.phones[1]
    phone.context.set_offline(True)
    evening.play("8h2b+")
    evening.power_cut(away=phone)
    phone.context.set_offline(False)
    phone.ready()
    evening.play("3a2b")
    evening.power_cut()
    evening.play("B*5e")
    evening.resign(phone)
    evening.ended()


def abalone(evening: Evening) -> None:
    """Tomek resigns after some moves; the laptop plays for a phone."""
    evening.begin("abalone", "hex-reed", ("Tomek", "Ania"))
    rng = Random(5)
    for number in range(8):
        evening.play(evening.simple(rng), evening.laptop if number == 3 else None)
        if number == 4:
            evening.laptop.page.reload()
            evening.laptop.ready()
    evening.resign(evening.phones[0])
    evening.ended()


def robotory(evening: Evening) -> None:
    """Jan plays some moves against the machine, and resigns."""
    evening.begin("robotory", "hex-hall", ("Jan", ""))
    rng = Random(2)
    for _ in range(3):
        evening.turn_of(0)
        evening.play(evening.simple(rng), evening.phones[0])
    evening.turn_of(0)
    evening.resign(evening.phones[0])
    evening.ended()


def chaturaji(evening: Evening) -> None:
    """Ania plays two rounds against three machines, to the end."""
    rounds = {"end": "n_rounds", "rounds": "2"}
    evening.begin("chaturaji", "square-reed", ("Ania", "", "", ""), options=rounds)
    rng = Random(3)
    cut = False
    while True:
        state = evening.until(
            lambda state: state["outcome"] or state["turn"] == 0 or evening.throws(state, 0),
            "somebody plays",
        )
        if state["outcome"]:
            break
        if state["turn"] != 0:
            evening.phones[0].press("#dice .to-throw")
            evening.until(lambda state: not evening.throws(state, 0), "the die is thrown")
            continue
        evening.follow()
        evening.play(evening.simple(rng), evening.phones[0])
        if not cut:
            evening.power_cut()
            cut = True
    evening.ended()


def library(evening: Evening) -> None:
    """All of it is in the list of games, in the score, and in the journals."""
    page = evening.laptop.page
    page.goto(f"{evening.program.url}#/games")
    rows = page.locator("#games-list > li")
    expect(rows).to_have_count(len(evening.matches))
    listed = evening.ask("api/matches")
    assert {each["id"] for each in listed["matches"]} == set(evening.matches)
    for each in listed["matches"]:
        assert not each["problem"]
        assert not each["unfinished"]
        journal = evening.state_dir / each["file"]
        assert kept(journal) == evening.matches[each["id"]], each["title"]
    told = [(each["title"], each["names"], each["result"]) for each in reversed(listed["matches"])]
    machine = "the machine (first steps)"
    assert [(title, names) for title, names, _ in told] == [
        ("Robot Duel", ["Ania", "Ola"]),
        ("Shogi", ["Ola", "Jan"]),
        ("Abalone", ["Tomek", "Ania"]),
        ("Robotory", ["Jan", machine]),
        ("Chaturaji", ["Ania", *(f"{each} (first steps)" for each in ("green", "red", "yellow"))]),
    ]
    assert [result for *_, result in told[:4]] == [
        "Ania wins",
        "Ola wins",
        "Ania wins",
        "The machine wins",
    ]
    score = {each["name"]: each["wins"] for each in listed["evening"]}
    machines = sum(wins for name, wins in score.items() if name not in evening.wins)
    people = {name: wins for name, wins in score.items() if name in evening.wins}
    assert people | {"machines": machines} == evening.wins
    for title, names, result in told:
        row = rows.filter(has_text=title)
        expect(row).to_contain_text(names[0])
        expect(row).to_contain_text(result)
    for name in people:
        expect(page.locator("#evening")).to_contain_text(name)
