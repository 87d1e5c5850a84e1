"""Two boards to tell a story at: a session and the hands of a line of text, without hardware; and
the program's own loop on simulated hardware, in a time that passes only while it waits.
"""

from __future__ import annotations

import asyncio
import gc
import os
import selectors
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import settings

from engine.games import make
from engine.match import Match
from firmware_host.host.simulated import SimulatedHost
from firmware_host.host.start import Start
from firmware_host.i18n.messages import render
from firmware_host.simulation.virtual_table import VirtualPiece
from hardware.layout import load
from hardware.simulated.board import SimulatedBoard
from tests.rig import wires as real_wires
from tests.support import browser, real_board
from tests.support.look_backs import KnownLookBack
from tests.support.timeline import Timeline

# The same examples on every machine: a green suite is green for everybody. `make deep` runs the
# same properties with many more of them; no test has a number of its own.
settings.register_profile("quick", derandomize=True, deadline=None, max_examples=40)
settings.register_profile("deep", derandomize=True, deadline=None, max_examples=500)
settings.load_profile("quick")

gc.disable()  # until all tests are found

HERE = Path(__file__).parent.resolve()

chromium, window, context = browser.chromium, browser.window, browser.context
board, table = browser.board, browser.table
stand = real_board.stand
shim, wires = real_wires.shim, real_wires.wires


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return two more than there are processors: tests of the page or the wires mostly wait."""
    return (os.cpu_count() or 1) + 2


def pytest_configure(config: pytest.Config) -> None:
    """Let every worker find tests in files of its own first: what one compiles the others read."""
    worker = getattr(config, "workerinput", None)
    if worker is not None and [Path(arg).resolve() for arg in config.args] == [HERE]:
        files = sorted(map(str, HERE.rglob("test_*.py")))
        first = len(files) * int(worker["workerid"].removeprefix("gw")) // worker["workercount"]
        config.args[:] = files[first:] + files[:first]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Sort the tests alike in every worker: those that mostly wait first, so that none is last."""
    waits = HERE / "rig", HERE / "web" / "page", HERE / "calibrate"
    items.sort(key=lambda item: (not set(waits) & set(item.path.parents), item.path))


def pytest_collection_finish() -> None:
    """Keep what stays to the end from the garbage collector, which would go through it time and
    again.
    """
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session", autouse=True)
def _nobody_pulls_the_plug() -> Iterator[None]:
    """Wait for no disk: some tests would do nothing else half of their time."""
    with pytest.MonkeyPatch.context() as patch:
        for call in ("fsync", "fdatasync"):
            patch.setattr(os, call, lambda descriptor: None)
        yield


@pytest.fixture
def timeline() -> type[Timeline]:
    return Timeline


class SelfPassingTime(asyncio.SelectorEventLoop):
    """An event loop whose clock jumps to the next thing that is to happen."""

    def __init__(self) -> None:
        self._now = 0.0
        super().__init__(_Jumping(self))

    def time(self) -> float:
        return self._now

    def jump(self, seconds: float) -> None:
        self._now += seconds


class _Jumping(selectors.DefaultSelector):  # type: ignore[misc, valid-type]
    def __init__(self, loop: SelfPassingTime) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> Any:
        assert timeout is not None, "nothing will ever happen again"
        self._loop.jump(max(1e-6, timeout))  # nothing takes no time at all
        return super().select(0)


class Board:
    """A board that runs, and people at it."""

    def __init__(self, host: SimulatedHost) -> None:
        self.host = host
        self.held: list[VirtualPiece] = []

    # ---- hands

    async def hands(self, acts: str) -> None:
        """`C4- 0.5 C3+`: lift, wait, put the piece that was lifted first; `/` turns it over."""
        table, waited = self.host.table, True
        for act in acts.split():
            if act[-1] not in "+-/":
                await asyncio.sleep(float(act))
                waited = True
                continue
            if not waited:
                await asyncio.sleep(0.3)
            waited = False
            place = table.place(act[:-1])
            if act[-1] == "-":
                piece = table.at(place)[-1]
                self.held.append(table.lift(piece.number, f"hand {piece.number}"))
            else:
                piece = self.held.pop(0)
                if act[-1] == "/":
                    table.flip(piece.number, piece.hand)
                table.put(piece.number, place, piece.hand)

    async def play(self, *texts: str, rest: float = 1.5) -> None:
        """Make moves as people do: off with the enemy, then the piece, then the tray."""
        for text in texts:
            origin, target = (text[:2], text[2:4]) if "*" not in text else ("", text[2:])
            seat = self.host.game.seats[self.host.game.turn(self.host.position())]
            acts = f"hand.{seat}.{text[0]}- {target}+"
            if origin:
                acts = f"{origin}- {target}{'/' if text.endswith('+') else '+'}"
                taken = self.host.table.at(self.host.table.place(target))
                if taken:
                    acts = f"{origin}- {target}- {acts.split()[1]} hand.{seat}.{taken[0].kind}+"
            await self.hands(acts)
            await asyncio.sleep(rest)

    async def push(self, button: str, seconds: float = 1.0) -> None:
        """Press a button of the board, and wait."""
        self.host.board.press(button)
        await asyncio.sleep(0.2)
        self.host.board.release(button)
        await asyncio.sleep(seconds)

    # ---- what is to be seen

    @property
    def moves(self) -> list[str]:
        return [ply.text for ply in self.host.status().plies]

    @property
    def wrong(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The places to fill and the places to empty."""
        status = self.host.status()
        return status.to_fill, status.to_empty

    @property
    def says(self) -> str:
        return " ".join(render(each) for each in self.host.status().says)

    def colour(self, place: str) -> str:
        """What the LEDs of a place show, as the chips on the strip decoded it: a word, dim or not,
        or `dark`.
        """
        names = self.host.layout.game(self.host.game.name).places
        pixels = self.host.layout.places[names.get(place, place)].pixels
        (red, green, blue), *others = [self.host.board.strip.pixels[pixel] for pixel in pixels]
        assert all(other == (red, green, blue) for other in others)
        lit = (red > 0, green > 0, blue > 0)
        if lit == (True, True, True):
            return "white" if red == green == blue else f"{red},{green},{blue}"
        return {
            (False, False, False): "dark",
            (False, False, True): "blue",
            (True, False, False): "red",
            (True, True, False): "yellow",
            (False, True, True): "teal",
        }[lit]

    def colours(self) -> dict[str, str]:
        cells = {cell: self.colour(cell) for cell in self.host.game.cells()}
        return {cell: colour for cell, colour in cells.items() if colour != "dark"}

    async def seen(self, place: str, seconds: float = 1.5) -> set[str]:
        """All that a place shows within some seconds."""
        shown = set()
        for _ in range(int(seconds / 0.02)):
            shown.add(self.colour(place))
            await asyncio.sleep(0.02)
        return shown


Story = Callable[[Board], Awaitable[None]]


@pytest.fixture
def sit(tmp_path: Path) -> Iterator[Callable[..., None]]:
    """Run a story at a board; what it leaves in the state directory is there for the next one."""
    hosts: list[SimulatedHost] = []

    def sit(
        story: Story,
        layout: str = "square-reed",
        game: str | None = "robot-duel",
        record: Path | None = None,
        kill: bool = False,
        **options: str,
    ) -> None:
        async def run() -> None:
            loop = asyncio.get_running_loop()
            host = SimulatedHost(tmp_path, record, clock=loop.time)
            host.look_backs = KnownLookBack()  # a search takes its time from another clock
            hosts.append(host)
            host.open(Start(game, options, layout))
            running = asyncio.create_task(host.run())
            await asyncio.sleep(0.5)
            told = asyncio.ensure_future(story(Board(host)))
            await asyncio.wait([running, told], return_when=asyncio.FIRST_COMPLETED)
            if running.done():
                running.result()
            running.cancel()
            told.result()
            if not kill:
                host.close()

        with asyncio.Runner(loop_factory=SelfPassingTime) as runner:
            runner.run(run())

    yield sit
    for host in hosts:
        host.close()


@pytest.fixture(scope="session")
def whole_game() -> tuple[str, ...]:
    """Return a game with a capture, a drop, a promotion and a win by a safe try."""
    game = make("robot-duel")
    rng = Random(5)
    while True:
        match = Match.begin(game)
        while match.outcome is None and match.plies < 40:
            trying = [
                m for m in match.legal if (end := match.play(m).outcome) and end.reason == "try"
            ]
            match = match.play(rng.choice(trying or match.legal))
        texts = match.moves()
        if (
            match.outcome is not None
            and match.outcome.reason == "try"
            and any("*" in text for text in texts)
            and any(text.endswith("+") for text in texts)
        ):
            return tuple(texts)


@pytest.fixture
def reed() -> SimulatedBoard:
    return SimulatedBoard(load("square-reed"))


@pytest.fixture
def hall() -> SimulatedBoard:
    return SimulatedBoard(load("square-hall"))
