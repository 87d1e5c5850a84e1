"""Hands that play on while the bus hangs, so that nobody sees what they play.

Afterwards people answer every question truly. If that does not help, they put the pieces back as
they were. The same is played in the time of the wires, and in real time: with the program's own
sensor thread, loop and server, and a page that asks for the state of the board.
"""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final

from engine.game import CHANCE, Pass
from engine.games import make
from firmware_host.host.host import Host
from firmware_host.host.real import RealBackend
from firmware_host.session.events import Choose, Dice, Press
from firmware_host.web.server import serve
from hardware import layout as layouts
from hardware.simulated.board import SimulatedBoard
from tests.faults.faulty_match import Costs, FaultyMatch, no_faults, play_through
from tests.support.wires import HangingBus, SimulatedWires, set_up

HANGS_S: Final = (1.0, 2.0, 3.0, 5.0)
PACE_S: Final = (0.2, 0.8)
"""The time between one hand's letting go and the next one's first touch."""
ANSWERED_WITHIN_S: Final = (3.0, 5.0, 10.0)
"""People wait this long, three times, until the unseen plies are read or asked about."""
PAGE_ASKS_EVERY_S: Final = 0.05
REST_S: Final = 8.0


class UnseenMatch(FaultyMatch):
    """A match in which the bus hangs now and then, and hands play on meanwhile.

    `done` also counts the hangs by how the board learned what was played: `gap read`, `gap asked`,
    `gap taken back`, `gap set up`; and `unseen` plies, `answers`, `answers no`.
    """

    def __init__(self, hangs: Sequence[float], *arguments: Any) -> None:
        """`hangs` has the length of each hang, in seconds."""
        super().__init__(*arguments)
        self.hang: Callable[[float], None] = self._hang_wires
        """Lets the next transfer take this many seconds."""
        self._hangs, self._most = hangs, self._plies
        self._throws: list[tuple[float, tuple[int, ...]]] = []

    def _hang_wires(self, seconds: float) -> None:
        self.wires.hangs_s = seconds

    async def play(self) -> None:
        """Play some plies seen and some unseen, in turn, and a few more at the end."""
        for seconds in self._hangs:
            await self._play_on(self._rng.randint(1, 5))
            if self.stopped or self._is_over:
                return
            await self._play_unseen(seconds)
        await self._play_on(2)

    async def _play_on(self, plies: int) -> None:
        self._plies = min(self._most, len(self.truth) + plies)
        await super().play()

    @property
    def _is_over(self) -> bool:
        return self._game.outcome(self._simulated.position, []) is not None or (
            len(self.truth) >= self._most
        )

    async def _play_unseen(self, seconds: float) -> None:
        known, answers = list(self.truth), self.done["answers"]
        self.schedule(self._acts_of_a_hang(seconds))
        await asyncio.sleep(seconds + 1.0)
        unseen = len(self.truth) - len(known)
        self.done["unseen"] += unseen
        for wait in ANSWERED_WITHIN_S:
            if self._is_recorded:
                break
            await asyncio.sleep(wait)
        if self._is_recorded:
            self.done["gap asked" if self.done["answers"] > answers else "gap read"] += 1
        else:
            await self._go_back(known, unseen)

    def _acts_of_a_hang(self, seconds: float) -> Sequence[Any]:
        """Return what hands do during a hang that begins soon."""
        simulated, game, rng = self._simulated, self._game, self._rng
        begun = self.host.now() + rng.uniform(0.0, 0.5)
        asyncio.get_running_loop().call_later(begun - self.host.now(), self.hang, seconds)
        self.fault_log.append(f"{begun:.2f} bus hangs {seconds} s")
        simulated.now, before = begun - rng.uniform(0.0, 0.3), len(self.acts)
        while game.outcome(simulated.position, []) is None:
            choice = rng.choice(game.legal(simulated.position))
            if simulated.now >= begun + seconds and not isinstance(choice, Pass):
                break  # a lost turn needs no hands, and is still played
            if game.turn(simulated.position) == CHANCE:
                simulated.throw(choice, rng.uniform(0.1, 0.4))
                self._throws.append((simulated.now, choice.dice))
                simulated.now += 0.2
                continue
            self.set_truth([*self.truth, game.move_text(simulated.position, choice)])
            simulated.move(choice, wait=rng.uniform(*PACE_S))
        return self.acts[before:]

    def act_until(self, until: float) -> None:
        """Let hands do everything that is due up to this time, and report the throws."""
        while self._throws and self._throws[0][0] <= until:
            at, dice = self._throws.pop(0)
            super().act_until(at)
            self.on_act(at)
            self.post(Dice(max(at, self.host.now()), dice))
        super().act_until(until)

    async def answer(self) -> None:
        """Answer questions truly, until cancelled: perhaps no candidate was played."""
        while True:
            await asyncio.sleep(self._rng.uniform(0.5, 1.5))
            questions = self.session.view.question
            current, number = questions.current, questions.number
            if current is None or number is None or self._putting_back:
                continue
            before = sum(entry.kind == "move" for entry in self.session.view.record[:number])
            truth = self.truth[before : before + 1]
            if truth and truth[0] in current.candidates:
                self._asked.add(len(self.truth))
                self.done["answers"] += 1
                self.post(Choose(self.host.now(), truth[0], number))
            elif questions.may_be_denied:
                self.done["answers"] += 1
                self.done["answers no"] += 1
                self.post(Press(self.host.now(), "no"))

    async def _go_back(self, known: list[str], unseen: int) -> None:
        """Put the pieces back as they were before the bus hung; take back the record, too."""
        settling = self.session.view.repair.settling
        self.done["gap set up" if settling else "gap taken back"] += 1
        self.set_putting_back(True)
        for _ in range(2 * unseen):
            if len(self.read) > len(known) or self.session.view.question.open:
                self.post(Press(self.host.now(), "back"))
                await asyncio.sleep(1.0)
        before = len(self.acts)
        self._simulated.now = max(self._simulated.now, self.host.now())
        if unseen:
            self._simulated.take_back(unseen)
        await self._perform(before)
        self.set_truth(known)
        for _ in range(3):
            await asyncio.sleep(4.0)
            if len(self.read) > len(known):
                self.post(Press(self.host.now(), "back"))
        self.set_putting_back(False)
        self._stop_unless_recorded()


# ---- in real time


class FakePage(threading.Thread):
    """Asks for the state of the board again and again, and notes how long each answer took."""

    def __init__(self, port: int, hanging: Callable[[], bool]) -> None:
        super().__init__(daemon=True)
        self._port, self._hanging = port, hanging
        self._ended = threading.Event()
        self.answers: list[tuple[float, bool]] = []
        """Seconds, and whether the bus hung."""
        self.error = ""

    def run(self) -> None:
        """Ask until stopped."""
        line = http.client.HTTPConnection("127.0.0.1", self._port, timeout=20)
        try:
            while not self._ended.wait(PAGE_ASKS_EVERY_S):
                began, hanging = time.perf_counter(), self._hanging()
                line.request("GET", "/api/state", headers={"Host": "localhost"})
                line.getresponse().read()
                self.answers.append((time.perf_counter() - began, hanging))
        except Exception as error:
            self.error = f"{type(error).__name__}: {error}"
        finally:
            line.close()

    def stop(self) -> None:
        """Ask no more."""
        self._ended.set()
        self.join(20)


def play_in_real_time(
    game: str, layout: str, seed: object, hangs: Sequence[float], plies: int = 1000
) -> tuple[FaultyMatch, FakePage, int]:
    """Let hands play on while the bus hangs for each of these seconds in turn.

    Return the match, the page, and how often the bus has hung. The match is over after `plies`
    plies at most.
    """

    async def story(state: Path) -> tuple[FaultyMatch, FakePage, int]:
        rng, made = Random(f"{game} {layout} {seed}"), make(game)
        board = SimulatedBoard(layouts.load(layout))
        set_up(board, made, made.start())
        bus, hung = HangingBus(board.bus), []
        backend = RealBackend(board.layout, lambda called: SimulatedWires(board, called, bus))

        def hang(seconds: float) -> None:
            bus.hang()
            hung.append(seconds)
            asyncio.get_running_loop().call_later(seconds, bus.go_on)

        host = Host(backend, state)
        with contextlib.closing(host):
            costs = Costs(time.perf_counter)
            unseen = UnseenMatch(hangs, host, game, layout, costs, rng, plies)
            unseen.board, unseen.hang = board, hang
            address: asyncio.Future[str] = asyncio.get_running_loop().create_future()
            serving = asyncio.create_task(serve(host, 0, ready=address.set_result))
            port = int((await address).rsplit(":", 1)[1].rstrip("/"))
            page = FakePage(port, lambda: bus.hanging)
            page.start()
            try:
                await play_through(unseen, no_faults(unseen, rng), REST_S)
            finally:
                bus.go_on()
                page.stop()
                serving.cancel()
                await asyncio.gather(serving, return_exceptions=True)
            return unseen, page, len(hung)

    with TemporaryDirectory() as state:
        return asyncio.run(story(Path(state)))
