"""Hands that play on while the bus hangs: what is played then nobody has seen. Afterwards people
answer truly what they are asked; if that does not help they put the pieces back as they were.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final

from engine.game import CHANCE, Pass
from firmware_host.session.events import Choose, Dice, Press
from tests.faults.play import FaultyTable

HANGS: Final = (1.0, 2.0, 3.0, 5.0)
"""Seconds."""
PACE: Final = (0.2, 0.8)
"""Seconds from one hand's letting go to the next one's first touch."""
ANSWERED: Final = (3.0, 5.0, 10.0)
"""So long people wait until what was played is read, or asked about and answered."""


class PlaysOn(FaultyTable):
    """A game in which the bus hangs now and then, and hands play on meanwhile.

    `done` also counts the hangs by how it became known what was played: `gap read`, `gap asked`,
    `gap taken back`, `gap set up`; and `unseen` plies, `answers`, `answers no`.
    """

    def __init__(self, hangs: Sequence[float], *seat: Any) -> None:
        """`hangs` is how long the bus hangs, one time after the other."""
        super().__init__(*seat)
        self.hang: Callable[[float], None] = self._hang_wires
        """Lets the next transfer take this many seconds."""
        self._hangs, self._most = hangs, self._plies
        self._throws: list[tuple[float, tuple[int, ...]]] = []

    def _hang_wires(self, seconds: float) -> None:
        self.wires.hangs_s = seconds

    async def play(self) -> None:
        """Play a few plies, then some unseen, again and again, and a few more."""
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
        return self._game.outcome(self._evening.position, []) is not None or (
            len(self.truth) >= self._most
        )

    async def _play_unseen(self, seconds: float) -> None:
        known, answers = list(self.truth), self.done["answers"]
        self.let_do(self._acts_of_a_hang(seconds))
        await asyncio.sleep(seconds + 1.0)
        unseen = len(self.truth) - len(known)
        self.done["unseen"] += unseen
        for wait in ANSWERED:
            if self._stands:
                break
            await asyncio.sleep(wait)
        if self._stands:
            self.done["gap asked" if self.done["answers"] > answers else "gap read"] += 1
        else:
            await self._go_back(known, unseen)

    def _acts_of_a_hang(self, seconds: float) -> Sequence[Any]:
        """Return what hands do while the bus hangs, which begins soon."""
        evening, game, rng = self._evening, self._game, self._rng
        begun = self.host.now() + rng.uniform(0.0, 0.5)
        asyncio.get_running_loop().call_later(begun - self.host.now(), self.hang, seconds)
        self.troubles.append(f"{begun:.2f} bus hangs {seconds} s")
        evening.now, before = begun - rng.uniform(0.0, 0.3), len(self.acts)
        while game.outcome(evening.position, []) is None:
            choice = rng.choice(game.legal(evening.position))
            if evening.now >= begun + seconds and not isinstance(choice, Pass):
                break  # nobody need make a turn that is lost
            if game.turn(evening.position) == CHANCE:
                evening.throw(choice, rng.uniform(0.1, 0.4))
                self._throws.append((evening.now, choice.dice))
                evening.now += 0.2
                continue
            self.meant([*self.truth, game.move_text(evening.position, choice)])
            evening.move(choice, wait=rng.uniform(*PACE))
        return self.acts[before:]

    def do_until(self, until: float) -> None:
        """Let hands do all that is due up to a moment, and tell what the dice fell on."""
        while self._throws and self._throws[0][0] <= until:
            at, dice = self._throws.pop(0)
            super().do_until(at)
            self.passed(at)
            self.post(Dice(max(at, self.host.now()), dice))
        super().do_until(until)

    async def answer(self) -> None:
        """Answer what is asked, truly, until cancelled: none of it may have been played."""
        while True:
            await asyncio.sleep(self._rng.uniform(0.5, 1.5))
            questions = self.session.view.question
            current, number = questions.current, questions.number
            if current is None or number is None or self._back:
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
        self.put_men_back(True)
        for _ in range(2 * unseen):
            if len(self.read) > len(known) or self.session.view.question.open:
                self.post(Press(self.host.now(), "back"))
                await asyncio.sleep(1.0)
        before = len(self.acts)
        self._evening.now = max(self._evening.now, self.host.now())
        if unseen:
            self._evening.take_back(unseen)
        await self._perform(before)
        self.meant(known)
        for _ in range(3):
            await asyncio.sleep(4.0)
            if len(self.read) > len(known):
                self.post(Press(self.host.now(), "back"))
        self.put_men_back(False)
        self._stop_unless_it_stands()


async def nothing_else(table: FaultyTable, rng: Random) -> None:
    """Break nothing but what the game itself does."""
    await asyncio.Event().wait()
