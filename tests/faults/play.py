"""Games by simulated hands on a board with faulty wires, under the program's own loop, in the time
of the wires: what was played is known, and so is what stands on the record at every moment.
"""

from __future__ import annotations

import asyncio
import contextlib
import heapq
import itertools
from collections import Counter
from collections.abc import Callable, Coroutine, Hashable, Iterable, Mapping, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any, Final

from engine.game import CHANCE, Pass
from engine.reading.verdict import Still
from firmware_host.host.host import Host
from firmware_host.i18n.messages import Message
from firmware_host.session.events import Choose, Dice, Event, Press
from firmware_host.simulation.tabletop import Act
from firmware_host.text.fault_history import FaultHistory
from hardware.simulated.board import SimulatedBoard
from tests.faults.backend import Costs, FaultyBackend, VirtualClock
from tests.faults.wires import FaultyWires
from tests.support.simulated_match import Evening

PLIES: Final = 40
STANDS: Final = 3.0
"""What is on the record for so many seconds stands there: all that people are told of the board
after they have let go, they are told by then."""
PATIENCE: Final = (3.0, 6.0, 15.0)
"""So long people wait for their move to be read, and then say which it was."""
REST: Final = 30.0
"""Seconds after the end of a game within which everything has come to rest."""
LOOKS: Final = 0.2
"""Seconds between two glances at the record."""


class ToldFaults(FaultHistory):
    """What people are told of faults: each as it begins, and as it ends."""

    def __init__(self) -> None:
        super().__init__()
        self.begun: Counter[Hashable] = Counter()
        self.on: set[Hashable] = set()
        """What is said not to work now."""

    def note(
        self,
        faults: Mapping[Hashable, Message],
        causes: Mapping[Hashable, str] = MappingProxyType({}),
    ) -> None:
        """Take what does not work now."""
        super().note(faults, causes)
        self.begun.update(faults.keys() - self.on)
        self.on = set(faults)


class FaultyTable:
    """One game at one board: hands that play it, people who answer, and whether the record is true.

    `done` counts the moves by what became of them: `read`, `asked` (it was among what was asked),
    `said` (people had to say which it was), `made again` (the men were put back first).
    """

    def __init__(
        self, host: Host, game: str, layout: str, costs: Costs, rng: Random, plies: int = PLIES
    ) -> None:
        """Begin a game on a host's board, in the loop that runs."""
        self.told = ToldFaults()
        self.host = host
        host._history = self.told
        host.open(game, {}, layout)
        self.costs = costs
        self.board: SimulatedBoard
        """What hands move men on."""
        self.wires: FaultyWires
        """What is between it and the program, if they are to be broken."""
        self.passed: Callable[[float], None] = lambda at: None
        """Told of the time at which hands do something."""
        self.done: Counter[str] = Counter()
        self.over = False
        """Play no further than the move that is being made."""
        self.stopped = ""
        """Why play could not go on."""
        self.stopped_at: int | None = None
        """Which move on the record was the first wrong one then."""
        self.wrong: dict[int, str] = {}
        """What stood wrongly on the record, unasked, by the number of the first wrong move."""
        self.said: list[tuple[float, str, Any]] = []
        """What people did beside what their hands did, and when: `truth` (the moves made so far),
        `back` (whether men are being put back), `post` (an event)."""
        self.troubles: list[str] = []
        """What happened to the wires, and when."""
        self.longest_wrong = 0.0
        """The longest that anything wrong was on the record unasked, in seconds."""
        self.session = host.sitting.session
        handle = costs.call(self.session.handle)
        self.session.handle = handle  # type: ignore[method-assign]
        self._game, self._rng, self._plies = self.host.game, rng, plies
        self._places = self.host.layout.game(game).places
        unsensed = [tray for tray in self._game.trays() if tray not in self._places]
        self._evening = Evening(self._game, rng, self.host.layout.sensing, ("mixed",), unsensed)
        self._todo: list[tuple[float, int, str, int | None]] = []
        self._number = itertools.count()
        self._new = asyncio.Event()
        self.truth: list[str] = []
        """The moves that hands have made, and are making."""
        self._asked: set[int] = set()
        self._back = False  # men are being put back
        self._wrong_since: float | None = None

    # ---- hands

    def do_until(self, until: float) -> None:
        """Let hands do all that is due up to a moment, each thing at its time."""
        while self._todo and self._todo[0][0] <= until:
            at, _, place, pole = heapq.heappop(self._todo)
            self.passed(at)
            if place not in self._places:
                continue
            if pole is None:
                self.board.lift(self._places[place])
            else:
                self.board.put(self._places[place], pole)

    async def hands(self) -> None:
        """Do what is to be done, until cancelled."""
        while True:
            self.do_until(self.host.now())
            self._new.clear()
            wait = self._todo[0][0] - self.host.now() if self._todo else None
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(wait):
                    await self._new.wait()

    @property
    def acts(self) -> Sequence[Act]:
        """All that hands have done, and are doing."""
        return self._evening.acts

    def let_do(self, acts: Iterable[Act]) -> None:
        """Let hands do something more, each thing at its time."""
        for act in acts:
            heapq.heappush(self._todo, (act.at, next(self._number), act.place, act.pole))
        self._new.set()

    async def _perform(self, before: int) -> None:
        """Let hands do what has been added since there were so many acts, and wait for that."""
        self.let_do(self.acts[before:])
        while self._todo:
            await asyncio.sleep(max(0.0, max(self._todo)[0] - self.host.now()) + 0.001)

    # ---- people

    async def play(self) -> None:
        """Play until the game is over, or cannot go on."""
        await asyncio.sleep(2.0)
        earlier: list[Any] = []
        evening, game, rng = self._evening, self._game, self._rng
        while not self.over and len(self.truth) < self._plies:
            if game.outcome(evening.position, earlier) is not None:
                return
            legal = game.legal(evening.position)
            choice = rng.choice(legal)
            evening.now = max(evening.now, self.host.now())
            if game.turn(evening.position) == CHANCE:
                earlier.append(evening.position)
                evening.throw(choice, rng.uniform(0.3, 1.2))
                await asyncio.sleep(evening.now - self.host.now() + rng.uniform(0.1, 0.3))
                self.post(Dice(self.host.now(), choice.dice))
                await asyncio.sleep(0.3)
                continue
            if await self._make(choice):
                earlier.append(evening.position)
            elif self.stopped:
                return

    async def _make(self, choice: Any) -> bool:
        """Make a move, and have it on the record; return whether it is."""
        before, position = len(self.acts), self._evening.position
        self.meant([*self.truth, self._game.move_text(position, choice)])
        truth = self._evening.move(choice)
        await self._perform(before)
        await asyncio.sleep(self._rng.uniform(0.3, 3.0))
        if not truth.visible and not isinstance(choice, Pass):
            self._say(truth.text)
            await asyncio.sleep(1.0)
        for wait in PATIENCE:
            if self._stands:
                break
            await asyncio.sleep(wait)
            if self._stands:
                break
            self.done["said"] += 1
            self._say(truth.text)
            await asyncio.sleep(1.0)
        if self._stands:
            asked = len(self.truth) in self._asked
            self.done["asked" if asked else "read"] += 1
            return True
        return await self._put_back()

    async def _put_back(self) -> bool:
        """Put the men back as they were before the last move."""
        self.put_men_back(True)
        self.done["made again"] += 1
        before = len(self.acts)
        self._evening.now = max(self._evening.now, self.host.now())
        self._evening.take_back(1)
        await self._perform(before)
        self.meant(self.truth[:-1])
        for _ in range(2):  # what is on the record of it is taken back, too
            await asyncio.sleep(5.0)
            if len(self.read) > len(self.truth):
                self.post(Press(self.host.now(), "back"))
                await asyncio.sleep(1.0)
        self.put_men_back(False)
        self._stop_unless_it_stands()
        return False

    def _stop_unless_it_stands(self) -> None:
        """Play no further if the men were put back, and the record is not as they stand."""
        if not self._stands:
            self.stopped = f"{self.truth[-3:]}, but {self.read[-3:]}"
            self.stopped_at = self._right_moves()

    def _say(self, text: str) -> None:
        """Say which move was made; what is asked then is answered by whoever is asked."""
        current = self.session.view.question.current
        if current is None or text not in current.candidates:
            self.post(Choose(self.host.now(), text))

    async def answer(self) -> None:
        """Answer what is asked, truly, until cancelled."""
        while True:
            await asyncio.sleep(self._rng.uniform(0.5, 1.0))
            questions = self.session.view.question
            current, number = questions.current, questions.number
            if current is None or number is None:
                continue
            before = sum(entry.kind == "move" for entry in self.session.view.record[:number])
            if questions.may_be_denied and before >= len(self.truth):
                self.post(Press(self.host.now(), "no"))  # nothing of it was played
                continue
            meant = [n for n, text in enumerate(self.truth) if text in current.candidates]
            if not meant:
                continue
            text = self.truth[min(meant, key=lambda n: abs(n - before))]
            await asyncio.sleep(self._rng.uniform(0.3, 1.0))
            self._asked.add(len(self.truth))
            self.post(Choose(self.host.now(), text, number))

    def post(self, event: Event) -> None:
        """Say something."""
        self.said.append((self.host.now(), "post", event))
        self.host.post(event)

    def meant(self, moves: list[str]) -> None:
        """Take it that these are the moves that hands have made, and are making."""
        self.said.append((self.host.now(), "truth", moves))
        self.truth = moves

    def put_men_back(self, back: bool) -> None:
        """Take it that men are being put back from now on, or not any more."""
        self.said.append((self.host.now(), "back", back))
        self._back = back

    # ---- the truth

    @property
    def read(self) -> list[tuple[str, ...]]:
        """What is on the record."""
        return [entry.texts for entry in self.session.record if entry.kind == "move"]

    @property
    def _stands(self) -> bool:
        read = self.read
        return len(read) == len(self.truth) and all(map(_among, self.truth, read))

    def _right_moves(self) -> int:
        """Return how many moves on the record are right before the first wrong one."""
        pairs = zip(self.truth, self.read, strict=False)
        return len([*itertools.takewhile(lambda pair: _among(*pair), pairs)])

    async def judge(self) -> None:
        """Glance at the record now and then, until cancelled."""
        while True:
            self.glance()
            await asyncio.sleep(LOOKS)

    def glance(self, at_the_end: bool = False) -> None:
        """Note what is wrong on the record without being asked about."""
        session, now = self.session, self.host.now()
        read, right = self.read, session.view.repair
        true = len(read) <= len(self.truth) and all(map(_among, self.truth, read))
        told = bool(session.view.question.open) or right.guiding or right.settling
        told = told or session.thinking or not isinstance(session.view.verdict, Still)
        unseen = bool(session.view.masked - session.view.failing) or ("hung", None) in self.told.on
        told = told or unseen
        if true or told or self._back:
            self._wrong_since = None
            return
        if self._wrong_since is None:
            self._wrong_since = now
        lasted = now - self._wrong_since
        if at_the_end or (self.longest_wrong < STANDS <= lasted):
            self.wrong[self._right_moves()] = (
                f"at {now:.1f}: {self.truth[-3:]}, but {read[-3:]}; {'; '.join(self.troubles[-4:])}"
            )
        self.longest_wrong = max(self.longest_wrong, lasted)


def _among(text: str, texts: tuple[str, ...]) -> bool:
    return text in texts


async def through(table: FaultyTable, happening: Coroutine[Any, Any, None], rest: float) -> None:
    """Let a game be played while something happens to its wires. That ends when it likes, and is
    cancelled when the game is over; then all must be whole, and hands rest so many seconds.
    """
    around = [
        asyncio.create_task(work)
        for work in (table.host.run(), table.hands(), table.answer(), table.judge())
    ]
    playing, breaking = asyncio.create_task(table.play()), asyncio.create_task(happening)
    try:
        await asyncio.wait([*around, playing], return_when=asyncio.FIRST_COMPLETED)
        breaking.cancel()
        await asyncio.wait([breaking])
        await asyncio.sleep(rest)
        table.glance(at_the_end=True)
    finally:
        for task in (playing, breaking, *around):
            task.cancel()
        ended = await asyncio.gather(playing, breaking, *around, return_exceptions=True)
    for error in ended:
        if isinstance(error, Exception):
            raise error


def run(
    game: str,
    layout: str,
    seed: object,
    scene: Callable[[FaultyTable, Random], Coroutine[Any, Any, None]],
    costs: Costs,
    plies: int = PLIES,
    seat: Callable[[Host, str, str, Costs, Random, int], FaultyTable] = FaultyTable,
) -> FaultyTable:
    """Let a game be played while `scene` happens to its wires, in their time; return what came of
    it. What a scene breaks must be whole when it has ended, or been cancelled. Who plays is a
    `seat`'s.
    """
    ground = FaultyBackend(costs)

    async def story() -> FaultyTable:
        rng = Random(f"{game} {layout} {seed}")
        with TemporaryDirectory() as state:
            host = Host(ground, Path(state), clock=asyncio.get_running_loop().time)
            with contextlib.closing(host):
                table = seat(host, game, layout, costs, rng, plies)
                table.board, table.wires = ground.board, ground.wires
                table.passed = table.wires.pass_until
                table.wires.meanwhile = table.do_until
                await through(table, scene(table, rng), REST)
                return table

    with asyncio.Runner(loop_factory=lambda: VirtualClock(ground)) as runner:
        return runner.run(story())
