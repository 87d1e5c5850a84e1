"""Whole games of random legal moves, played by simulated hands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import Any

from engine.game import CHANCE, Pass, Place
from firmware_host.simulation.gesture_plan import AnyGame
from firmware_host.simulation.people import MIXED
from firmware_host.simulation.styles import Style
from tests.support.recorded import Recorded
from tests.support.simulated_match import SimulatedMatch


def play_random(
    game: AnyGame,
    rng: Random,
    sensing: str = "presence",
    styles: Sequence[str | Style] = (MIXED,),
    plies: int = 60,
    unsensed: Sequence[str] = (),
    *,
    position: object | None = None,
    takebacks: float = 0.0,
    answers: tuple[float, float] | None = (0.6, 2.0),
    period: float = 0.0,
    pockets: Mapping[Place, int] = MappingProxyType({}),
) -> Recorded:
    """Let hands play random legal moves until the game is over or `plies` stand.

    `takebacks` is the share of plies after which one to three are taken back. With `answers`,
    every move is named this many seconds after it, as players do when asked; an answer without a
    question has no effect. None: questions stay open. `period` as in `SimulatedMatch.lines`,
    `pockets` as in `SimulatedMatch`. At the end all forgotten pieces are put away.
    """
    match = SimulatedMatch(game, rng, sensing, styles, unsensed, position, pockets=pockets)
    earlier: list[Any] = []
    stack: list[tuple[int, bool]] = []
    said = 0.0
    while len(stack) < plies and game.outcome(match.position, earlier) is None:
        legal = game.legal(match.position)
        if not legal:
            break
        choice: Any = rng.choice(legal)
        earlier.append(match.position)
        if game.turn(match.position) == CHANCE:
            match.throw(choice, rng.uniform(0.2, 1.5))
            continue
        truth = match.move(choice)
        stack.append((len(earlier) - 1, truth.visible))
        if answers and not isinstance(choice, Pass):
            # Answers come in the order of the moves; play waits for the answer to an unseen move.
            said = max(said + 0.05, match.now + rng.uniform(*answers))
            match.say({"choose": truth.text}, said - match.now)
            if not truth.visible:
                match.now = said
        if rng.random() < takebacks:
            back = min(len(stack), rng.choice((1, 1, 2, 3)))
            while back < len(stack) and not stack[-back][1]:
                back += 1  # hands must have a visible move to undo
            if stack[-back][1]:
                match.take_back(back, wait=rng.uniform(0.8, 4.0))
                del earlier[stack[-back][0] :]
                del stack[-back:]
    match.put_away()
    return match.recorded(period)
