"""A match by simulated hands on a board with faulty wires, under the program's own loop.

Time is the time of the wires. The test knows what the hands have played, and checks the record
against it all the time.
"""

from __future__ import annotations

import asyncio
import contextlib
import heapq
import itertools
import selectors
from collections import Counter
from collections.abc import Callable, Coroutine, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from types import MappingProxyType
from typing import Any, Final

from engine.game import CHANCE, Pass
from engine.match import AnyGame, Match
from engine.reading.verdict import Still
from firmware_host.controller.controller import pockets_of
from firmware_host.controller.polling import Polling
from firmware_host.host.host import Host
from firmware_host.host.simulated import SimulatedBackend
from firmware_host.host.start import Start
from firmware_host.i18n.messages import Message
from firmware_host.session.events import Choose, Dice, Event, Press
from firmware_host.simulation.tabletop import Act
from firmware_host.text.fault_history import FaultHistory
from hardware.layout import Layout
from hardware.machine import Machine, SensorFrame
from hardware.simulated.board import SimulatedBoard
from tests.faults.wires import FaultyWires
from tests.support.simulated_match import SimulatedMatch
from tests.support.wires import set_up

PLIES: Final = 40
WRONG_AFTER_S: Final = 3.0
"""A move is wrong if it has been on the record for this long: by then people have been told
everything about the board that they will be told after they let go."""
WAITS_S: Final = (3.0, 6.0, 15.0)
"""People wait this long for their move to be read, and then name it."""
REST_S: Final = 30.0
"""Within this time after the end of a match everything has come to rest."""
CHECK_EVERY_S: Final = 0.2


# ---- the board and its time


class WireTimeLoop(asyncio.SelectorEventLoop):
    """An event loop in the time of the wires: where it would wait, that time passes."""

    def __init__(self, backend: FaultyBackend) -> None:
        self._backend = backend
        super().__init__(_NoWaiting(self._wait))

    def time(self) -> float:
        """Return the time of the wires, in seconds."""
        return self._backend.wires.seconds if hasattr(self._backend, "wires") else 0.0

    def _wait(self, seconds: float) -> None:
        self._backend.wires.seconds += seconds


class _NoWaiting(selectors.SelectSelector):
    def __init__(self, wait: Callable[[float], None]) -> None:
        super().__init__()
        self._wait = wait

    def select(self, timeout: float | None = None) -> Any:
        found = super().select(0)
        assert found or timeout is not None, "the loop would wait for ever"
        if not found and timeout:
            self._wait(timeout)
        return found


class FaultyBackend(SimulatedBackend):
    """A simulated board behind faulty wires."""

    wires: FaultyWires

    def __init__(self, costs: Costs) -> None:
        super().__init__()
        self.costs = costs

    def lay_out(
        self, game: AnyGame, layout: Layout, match: Match, as_it_lies: bool, kept: bool
    ) -> Machine:
        """Build a board and put the pieces onto it."""
        self.board = SimulatedBoard(layout)
        set_up(self.board, game, match.position)
        wires = self.wires = FaultyWires(self.board, self._moved)
        machine = Machine(
            layout, wires.faulty, wires.strip, interrupt=wires.line, clock=lambda: wires.seconds
        )
        self._polling = Polling(machine, lambda: wires.interrupt)
        return machine

    def frames(self, now: float, called: bool) -> Iterator[SensorFrame]:
        """Poll the board if it is time, and count the cost."""
        with self.costs.frame():
            frame = self._polling.look(now, called)
            if frame is None:
                return
            self.costs.frames += 1
            yield frame


class Costs:
    """Seconds that polls and calls of the session take."""

    def __init__(self, clock: Callable[[], float] = process_time) -> None:
        """Reading CPU time is slow: another `clock` is faster, and less exact."""
        self._clock = clock
        self.frames = 0
        self.longest_frame = 0.0
        """The longest poll, with everything that follows from its frame at once."""
        self.longest_call = 0.0
        """The longest call of a session."""

    @contextlib.contextmanager
    def frame(self) -> Iterator[None]:
        """Measure a poll."""
        began = self._clock()
        yield
        self.longest_frame = max(self.longest_frame, self._clock() - began)

    def call(self, handle: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """Return `handle` with every call measured."""

        def measured(event: Any) -> Any:
            began = self._clock()
            try:
                return handle(event)
            finally:
                self.longest_call = max(self.longest_call, self._clock() - began)

        return measured


class ReportedFaults(FaultHistory):
    """The faults that are reported to people: each as it begins, and as it ends."""

    def __init__(self) -> None:
        super().__init__()
        self.begun: Counter[Hashable] = Counter()
        self.on: set[Hashable] = set()
        """The faults that are reported now."""

    def note(
        self,
        faults: Mapping[Hashable, Message],
        causes: Mapping[Hashable, str] = MappingProxyType({}),
    ) -> None:
        """Take the faults of this moment."""
        super().note(faults, causes)
        self.begun.update(faults.keys() - self.on)
        self.on = set(faults)


# ---- the match


class FaultyMatch:
    """One match at one board: hands that play, people who answer, and a check of the record.

    `done` counts the moves by what became of them: `read`, `asked` (the board asked about it),
    `said` (people had to name it), `made again` (the pieces were put back first).
    """

    def __init__(
        self, host: Host, game: str, layout: str, costs: Costs, rng: Random, plies: int = PLIES
    ) -> None:
        """Begin a match on a host's board, in the running loop."""
        self.reported = ReportedFaults()
        self.host = host
        host._history = self.reported
        host.open(Start(game, {}, layout))
        self.costs = costs
        self.board: SimulatedBoard
        """The board on which hands move pieces."""
        self.wires: FaultyWires
        """The wires between board and program, if they can break."""
        self.on_act: Callable[[float], None] = lambda at: None
        """Called with the time of each act of the hands."""
        self.done: Counter[str] = Counter()
        self.over = False
        """Whether to stop after the move that is being made."""
        self.stopped = ""
        """Why play could not go on."""
        self.stopped_at: int | None = None
        """The number of the first wrong move on the record at that time."""
        self.wrong: dict[int, str] = {}
        """Wrong records that nobody was asked about, by the number of the first wrong move."""
        self.people: list[tuple[float, str, Any]] = []
        """What people did, with its time: `truth` (the moves made so far), `back` (whether pieces
        are being put back), `post` (an event)."""
        self.fault_log: list[str] = []
        """What happened to the wires, with its time."""
        self.longest_wrong_s = 0.0
        """The longest time that a wrong record stood unasked."""
        self.session = host.controller.session
        self.session.handle = costs.call(self.session.handle)  # type: ignore[method-assign]
        self._game, self._rng, self._plies = self.host.game, rng, plies
        self._places = self.host.layout.game(game).places
        unsensed = [tray for tray in self._game.trays() if tray not in self._places]
        self._simulated = SimulatedMatch(
            self._game,
            rng,
            self.host.layout.sensing,
            ("mixed",),
            unsensed,
            pockets=pockets_of(self._game, self.host.layout),
        )
        self._scheduled: list[tuple[float, int, str, int | None]] = []
        self._number = itertools.count()
        self._rescheduled = asyncio.Event()
        self.truth: list[str] = []
        """The moves that hands have made, and the one that they are making."""
        self._asked: set[int] = set()
        self._putting_back = False
        self._wrong_since: float | None = None

    # -- hands

    def act_until(self, until: float) -> None:
        """Let hands do everything that is due up to this time, each act at its own."""
        while self._scheduled and self._scheduled[0][0] <= until:
            at, _, place, pole = heapq.heappop(self._scheduled)
            self.on_act(at)
            if place not in self._places:
                continue
            if pole is None:
                self.board.lift(self._places[place])
            else:
                self.board.put(self._places[place], pole)

    async def hands(self) -> None:
        """Do what is scheduled, until cancelled."""
        while True:
            self.act_until(self.host.now())
            self._rescheduled.clear()
            wait = self._scheduled[0][0] - self.host.now() if self._scheduled else None
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(wait):
                    await self._rescheduled.wait()

    @property
    def acts(self) -> Sequence[Act]:
        """All acts of the hands so far, scheduled ones included."""
        return self._simulated.acts

    def schedule(self, acts: Iterable[Act]) -> None:
        """Let hands do more, each act at its time."""
        for act in acts:
            heapq.heappush(self._scheduled, (act.at, next(self._number), act.place, act.pole))
        self._rescheduled.set()

    async def _perform(self, before: int) -> None:
        """Let hands do all acts from number `before` on, and wait until they are done."""
        self.schedule(self.acts[before:])
        while self._scheduled:
            await asyncio.sleep(max(0.0, max(self._scheduled)[0] - self.host.now()) + 0.001)

    # -- people

    async def play(self) -> None:
        """Play until the match is over or cannot go on."""
        await asyncio.sleep(2.0)
        earlier: list[Any] = []
        simulated, game, rng = self._simulated, self._game, self._rng
        while not self.over and len(self.truth) < self._plies:
            if game.outcome(simulated.position, earlier) is not None:
                return
            legal = game.legal(simulated.position)
            choice = rng.choice(legal)
            simulated.now = max(simulated.now, self.host.now())
            if game.turn(simulated.position) == CHANCE:
                earlier.append(simulated.position)
                simulated.throw(choice, rng.uniform(0.3, 1.2))
                await asyncio.sleep(simulated.now - self.host.now() + rng.uniform(0.1, 0.3))
                self.post(Dice(self.host.now(), choice.dice))
                await asyncio.sleep(0.3)
                continue
            if await self._make(choice):
                earlier.append(simulated.position)
            elif self.stopped:
                return

    async def _make(self, choice: Any) -> bool:
        """Make a move, and get it on the record; return whether it is."""
        before, position = len(self.acts), self._simulated.position
        self.set_truth([*self.truth, self._game.move_text(position, choice)])
        truth = self._simulated.move(choice)
        await self._perform(before)
        await asyncio.sleep(self._rng.uniform(0.3, 3.0))
        if not truth.visible and not isinstance(choice, Pass):
            self._name(truth.text)
            await asyncio.sleep(1.0)
        for wait in WAITS_S:
            if self._is_recorded:
                break
            await asyncio.sleep(wait)
            if self._is_recorded:
                break
            self.done["said"] += 1
            self._name(truth.text)
            await asyncio.sleep(1.0)
        if self._is_recorded:
            asked = len(self.truth) in self._asked
            self.done["asked" if asked else "read"] += 1
            return True
        return await self._put_back()

    async def _put_back(self) -> bool:
        """Put the pieces back as they were before the last move."""
        self.set_putting_back(True)
        self.done["made again"] += 1
        before = len(self.acts)
        self._simulated.now = max(self._simulated.now, self.host.now())
        self._simulated.take_back(1)
        await self._perform(before)
        self.set_truth(self.truth[:-1])
        for _ in range(2):  # take back what the record has of it, too
            await asyncio.sleep(5.0)
            if len(self.read) > len(self.truth):
                self.post(Press(self.host.now(), "back"))
                await asyncio.sleep(1.0)
        self.set_putting_back(False)
        self._stop_unless_recorded()
        return False

    def _stop_unless_recorded(self) -> None:
        """Stop the match if the pieces were put back and the record does not agree with them."""
        if not self._is_recorded:
            self.stopped = f"{self.truth[-3:]}, but {self.read[-3:]}"
            self.stopped_at = self._right_moves()

    def _name(self, text: str) -> None:
        """Name the move that was made, unless `answer` will do so."""
        current = self.session.view.question.current
        if current is None or text not in current.candidates:
            self.post(Choose(self.host.now(), text))

    async def answer(self) -> None:
        """Answer questions truly, until cancelled."""
        while True:
            await asyncio.sleep(self._rng.uniform(0.5, 1.0))
            questions = self.session.view.question
            current, number = questions.current, questions.number
            if current is None or number is None:
                continue
            before = sum(entry.kind == "move" for entry in self.session.view.record[:number])
            if questions.may_be_denied and before >= len(self.truth):
                self.post(Press(self.host.now(), "no"))  # none of the candidates was played
                continue
            played = [n for n, text in enumerate(self.truth) if text in current.candidates]
            if not played:
                continue
            text = self.truth[min(played, key=lambda n: abs(n - before))]
            await asyncio.sleep(self._rng.uniform(0.3, 1.0))
            self._asked.add(len(self.truth))
            self.post(Choose(self.host.now(), text, number))

    def post(self, event: Event) -> None:
        """Post an event of the people."""
        self.people.append((self.host.now(), "post", event))
        self.host.post(event)

    def set_truth(self, moves: list[str]) -> None:
        """Set the moves that hands have made, and the one that they are making."""
        self.people.append((self.host.now(), "truth", moves))
        self.truth = moves

    def set_putting_back(self, putting_back: bool) -> None:
        """Set whether pieces are being put back from now on."""
        self.people.append((self.host.now(), "back", putting_back))
        self._putting_back = putting_back

    # -- the record

    @property
    def read(self) -> list[tuple[str, ...]]:
        """The moves on the record, each with its candidates."""
        return [entry.texts for entry in self.session.record if entry.kind == "move"]

    @property
    def _is_recorded(self) -> bool:
        read = self.read
        return len(read) == len(self.truth) and all(map(_is_among, self.truth, read))

    def _right_moves(self) -> int:
        """Return the number of right moves on the record before the first wrong one."""
        pairs = zip(self.truth, self.read, strict=False)
        return len([*itertools.takewhile(lambda pair: _is_among(*pair), pairs)])

    async def watch_record(self) -> None:
        """Check the record again and again, until cancelled."""
        while True:
            self.check_record()
            await asyncio.sleep(CHECK_EVERY_S)

    def check_record(self, at_the_end: bool = False) -> None:
        """Note a wrong record that people can take for right."""
        view, now, read = self.session.view, self.host.now(), self.read
        right = len(read) <= len(self.truth) and all(map(_is_among, self.truth, read))
        doubted = (
            view.question.open
            or view.repair.guiding
            or view.repair.settling
            or self.session.thinking
            or not isinstance(view.verdict, Still)
            or view.masked - view.failing
            or ("hung", None) in self.reported.on
        )
        if right or doubted or self._putting_back:
            self._wrong_since = None
            return
        if self._wrong_since is None:
            self._wrong_since = now
        lasted = now - self._wrong_since
        if at_the_end or (self.longest_wrong_s < WRONG_AFTER_S <= lasted):
            faults = "; ".join(self.fault_log[-4:])
            self.wrong[self._right_moves()] = (
                f"at {now:.1f}: {self.truth[-3:]}, but {read[-3:]}; {faults}"
            )
        self.longest_wrong_s = max(self.longest_wrong_s, lasted)


def _is_among(text: str, texts: tuple[str, ...]) -> bool:
    return text in texts


Scene = Callable[[FaultyMatch, Random], Coroutine[Any, Any, None]]
"""What happens to the wires of a match. It leaves them whole when it ends or is cancelled."""


async def no_faults(faulty: FaultyMatch, rng: Random) -> None:
    """Break nothing, until cancelled."""
    await asyncio.Event().wait()


async def play_through(faulty: FaultyMatch, scene: Coroutine[Any, Any, None], rest: float) -> None:
    """Play a match while a scene happens to its wires; cancel the scene when the match is over.

    Then hands rest for `rest` seconds, and the record is checked for the last time.
    """
    around = [
        asyncio.create_task(work)
        for work in (faulty.host.run(), faulty.hands(), faulty.answer(), faulty.watch_record())
    ]
    playing, breaking = asyncio.create_task(faulty.play()), asyncio.create_task(scene)
    try:
        await asyncio.wait([*around, playing], return_when=asyncio.FIRST_COMPLETED)
        breaking.cancel()
        await asyncio.wait([breaking])
        await asyncio.sleep(rest)
        faulty.check_record(at_the_end=True)
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
    scene: Scene,
    costs: Costs,
    plies: int = PLIES,
    kind: Callable[[Host, str, str, Costs, Random, int], FaultyMatch] = FaultyMatch,
) -> FaultyMatch:
    """Play a match of this kind in the time of the wires, and return it."""
    backend = FaultyBackend(costs)

    async def story() -> FaultyMatch:
        rng = Random(f"{game} {layout} {seed}")
        with TemporaryDirectory() as state:
            host = Host(backend, Path(state), clock=asyncio.get_running_loop().time)
            with contextlib.closing(host):
                faulty = kind(host, game, layout, costs, rng, plies)
                faulty.board, faulty.wires = backend.board, backend.wires
                faulty.on_act = faulty.wires.pass_until
                faulty.wires.meanwhile = faulty.act_until
                await play_through(faulty, scene(faulty, rng), REST_S)
                return faulty

    with asyncio.Runner(loop_factory=lambda: WireTimeLoop(backend)) as runner:
        return runner.run(story())


# ---- the same match without faults


class RepeatedMatch(FaultyMatch):
    """A match in which hands and people do what they did in another one, at the same times."""

    def __init__(self, other: FaultyMatch, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._other = other

    async def play(self) -> None:
        """Repeat everything."""
        self.schedule(self._other.acts)
        for at, what, value in self._other.people:
            await asyncio.sleep(max(0.0, at - self.host.now()))
            match what:
                case "truth":
                    self.set_truth(list(value))
                case "back":
                    self.set_putting_back(value)
                case "post":
                    self.post(replace(value, at=self.host.now()))

    async def answer(self) -> None:
        """Give no answers beyond the repeated ones."""
        await asyncio.Event().wait()


def misread_without_faults(game: str, layout: str, played: FaultyMatch) -> set[int]:
    """Return the numbers of the wrong moves of a match that are wrong without any fault, too."""
    kind = partial(RepeatedMatch, played)
    again = run(game, layout, "again", no_faults, Costs(perf_counter), kind=kind)
    return played.wrong.keys() & again.wrong.keys()
