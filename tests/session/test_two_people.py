"""Two people at a board for ten minutes: they pause, forget, put a piece a cell off and take back.

What people do at a table is no fault of the board's, nor of theirs: the record is right in the end,
and nothing that is said meanwhile blames a sensor or doubts what was read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from benchmarks.reading_watcher import Watcher
from engine.game import CHANCE, Pass, Place, Throw
from engine.games import make
from engine.reading.footprints import Sight
from firmware_host.i18n.messages import render
from firmware_host.simulation.actions import MoveStyle
from firmware_host.simulation.styles import Style
from firmware_host.text import announcements
from tests.support.sampling import EACH_GAME
from tests.support.simulated_match import SimulatedMatch

MINUTE = 60.0
PLIES = 14
CALM = Style("calm")
SLOW = MoveStyle(in_hand=1.2, pause=0.8)


class Listener(Watcher):
    """People who answer what is asked, and hear all that the board says."""

    def __init__(self, recorded: Any, game: Any, sight: Sight) -> None:
        self.heard: set[str] = set()
        self.faults: list[str] = []
        super().__init__(recorded, game, sight, game.start())

    def _handle(self, event: Any) -> None:
        super()._handle(event)
        self.heard |= {render(each) for each in announcements.status(self.session.view, 0).says}
        self.faults += sorted(self.session.view.failing)


class Pair:
    """Two people who play a game slowly, as a recording of all that the sensors see of it."""

    def __init__(self, name: str, sensing: str, seed: int) -> None:
        self.game: Any = make(name)
        self.sight = Sight(self.game, sensing)
        self.rng = Random(seed)
        self.simulated = SimulatedMatch(self.game, self.rng, sensing, [CALM])

    def play(self, style: MoveStyle = SLOW, wait: float = 40.0, taking: bool = False) -> None:
        """Make a move that sensors show, after a while of thought, if there is one that does not
        end the game; the dice fall before it.
        """
        simulated, game = self.simulated, self.game
        while game.turn(simulated.position) == CHANCE or self._must_pass():
            if self._must_pass():
                simulated.move(Pass())
                continue
            throws = [each for each in game.legal(simulated.position) if isinstance(each, Throw)]
            simulated.throw(self.rng.choice(throws), 2.0)
        moves = [move for move in game.legal(simulated.position) if self._goes_on(move)]
        captures = [move for move in moves if self._takes(move)]
        if moves:
            simulated.move(self.rng.choice((taking and captures) or moves), style, wait)

    def _must_pass(self) -> bool:
        return tuple(self.game.legal(self.simulated.position)) == (Pass(),)

    def _goes_on(self, move: Any) -> bool:
        """Whether a move is one that hands make, and does not end the game."""
        if isinstance(move, Pass):
            return False
        after = self.game.play(self.simulated.position, move)
        seen = self.sight.readings(after) != self.sight.readings(self.simulated.position)
        return seen and self.game.outcome(after, ()) is None

    def _takes(self, move: Any) -> bool:
        before = self.game.pieces(self.simulated.position)
        after = self.game.pieces(self.game.play(self.simulated.position, move))
        cells = self.sight.cells
        return len(after.keys() & cells) < len(before.keys() & cells)

    def put_off(self, seconds: float) -> None:
        """Put a piece somewhere no move leads to, leave it there for a while, and put it back."""
        start, end, pole = next(self._nowhere())
        self.simulated.disturb(((0.0, start, None), (0.7, end, pole)), 10.0)
        self.simulated.disturb(((0.0, end, None), (0.7, start, pole)), seconds)

    def _nowhere(self) -> Iterator[tuple[Place, Place, int]]:
        game, position = self.game, self.simulated.position
        levels = self.sight.readings(position)
        left = [  # what each move leaves
            self.sight.readings(game.play(position, move))
            for move in game.legal(position)
            if not isinstance(move, Pass | Throw)
        ]
        cells = self.rng.sample(game.cells(), len(game.cells()))
        for start in cells:
            for end in cells:
                if levels.get(start) and not levels.get(end):
                    off = {p: v for p, v in levels.items() if p != start} | {end: levels[start]}
                    if all(off[end] != each.get(end) or each.get(start) for each in left):
                        yield start, end, levels[start]

    def listen(self) -> Listener:
        """Let a board watch all of it."""
        listener = Listener(self.simulated.recorded(), self.game, self.sight)
        listener.watch()
        return listener


def moves(listener: Listener) -> list[str]:
    return [entry.texts[0] for entry in listener.session.record if entry.kind == "move"]


def blames(listener: Listener) -> list[str]:
    """What was said that blames the board or doubts what it has read."""
    odd = ("sensor", "not sure", "fits nowhere", "wrong")
    allowed = "The sensors cannot tell which"
    said = [each for each in listener.heard if any(word in each for word in odd)]
    return [each for each in said if not each.startswith(allowed)] + listener.faults


@pytest.mark.parametrize(("name", "sensing"), EACH_GAME)
def test_ten_minutes_of_two_people(name: str, sensing: str) -> None:
    pair = Pair(name, sensing, 11)
    pair.play(wait=MINUTE)
    pair.play()
    pair.play()
    pair.put_off(MINUTE)
    pair.play()
    pair.play(taking=True)
    pair.simulated.take_back(1, SLOW, wait=15.0)
    pair.play(replace(SLOW, in_hand=MINUTE))  # somebody thinks with a piece in the hand
    pair.play(replace(SLOW, away="late"), taking=True)
    pair.play(wait=MINUTE)
    pair.play()
    pair.simulated.say({"press": "back"}, 5.0)
    pair.simulated.say({"press": "back"}, 7.0)
    pair.simulated.take_back(2, SLOW, wait=20.0)
    for _ in range(PLIES - 6):
        pair.play()
    listener = pair.listen()
    assert pair.simulated.now > 8 * MINUTE  # a small game is over sooner
    assert blames(listener) == []
    assert moves(listener) == pair.simulated.recorded().moves
