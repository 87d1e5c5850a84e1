"""Scenarios: one move each, done in a way that boards are known to misread, at exact times.

The times are fixed, so that different readers of moves can be compared on the same scenarios. Every
scenario works for any game in which its kind of move exists. A scenario starts from
the true position and ends 2.6 seconds after the last touch.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Final, TypeAlias

from engine.game import Place
from firmware_host.simulation.actions import Fidget, HandActions, MoveStyle
from firmware_host.simulation.gesture_plan import AnyGame, AnyMove, Planner
from firmware_host.simulation.tabletop import Contacts
from tests.support.recorded import Recorded
from tests.support.simulated_match import SimulatedMatch

START: Final = 0.2
"""Seconds until the first touch."""
TAIL: Final = 2.6
"""Seconds for which the board is watched after the last touch."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What a scenario is built from."""

    game: AnyGame
    position: Any
    move: AnyMove
    actions: HandActions
    rng: Random

    @property
    def captured(self) -> Place | None:
        """The cell on which the carried piece takes another one."""
        ends = {carry.end for carry in self.actions.carried}
        return next((e.start for e in self.actions.taken if e.start in ends), None)

    @property
    def taken_elsewhere(self) -> bool:
        """Whether a piece is taken on a cell that stays empty."""
        return bool(self.actions.taken) and self.captured is None

    @property
    def step(self) -> bool:
        """Whether a single piece goes from cell to cell."""
        return len(self.actions.carried) == 1 and not self.actions.brought


Recipe: TypeAlias = Callable[[Setting, SimulatedMatch], bool]
"""Has the hands do the move; returns False if this move has no such scenario."""


def canonical(actions: HandActions) -> MoveStyle:
    """Return the plain style: lift, put; a captured piece half-way, other pieces afterwards."""
    ends = {carry.end for carry in (*actions.carried, *actions.brought)}
    if len(actions.carried) > 1 or any(carry.start not in ends for carry in actions.taken):
        return MoveStyle(reach=0.0, in_hand=0.5, pause=0.4)
    if actions.taken:
        return MoveStyle(reach=0.0, in_hand=0.8, empty=0.4, pause=0.4)
    return MoveStyle(reach=0.0, in_hand=0.6, pause=0.4)


def _plain(setting: Setting, match: SimulatedMatch) -> bool:
    return _done(setting, match)


def _done(setting: Setting, match: SimulatedMatch, wait: float = START, **changed: Any) -> bool:
    match.move(setting.move, replace(canonical(setting.actions), **changed), wait)
    return True


def _quiet(setting: Setting, match: SimulatedMatch) -> bool:
    turned = any(e.pole != e.lies or e.swapped for e in setting.actions.carried)
    if not setting.step or setting.actions.taken or turned:
        return False
    return _done(setting, match)


def _capture(setting: Setting, match: SimulatedMatch) -> bool:
    return setting.captured is not None and _done(setting, match)


def _beside(setting: Setting, match: SimulatedMatch) -> bool:
    return setting.step and setting.taken_elsewhere and _done(setting, match)


def _promotion(setting: Setting, match: SimulatedMatch) -> bool:
    turned = any(e.pole != e.lies or e.swapped for e in setting.actions.carried)
    return turned and _done(setting, match)


def _drop(setting: Setting, match: SimulatedMatch) -> bool:
    return bool(setting.actions.brought) and _done(setting, match)


def _several(setting: Setting, match: SimulatedMatch, **changed: Any) -> bool:
    return len(setting.actions.carried) > 1 and _done(setting, match, **changed)


def _enemy_first(setting: Setting, match: SimulatedMatch) -> bool:
    if setting.captured is None:
        return False
    return _done(setting, match, enemy_first=True, pause=0.5, in_hand=0.5)


def _enemy_beside_first(setting: Setting, match: SimulatedMatch) -> bool:
    if not setting.step or not setting.taken_elsewhere:
        return False
    return _done(setting, match, clearing="before", pause=0.5)


def _fast_swap(setting: Setting, match: SimulatedMatch) -> bool:
    if setting.captured is None:
        return False
    return _done(setting, match, in_hand=0.412, empty=0.007)


def _slide(setting: Setting, match: SimulatedMatch, cell: float = 0.12) -> bool:
    if not setting.step or not setting.actions.carried[0].via:
        return False
    return _done(setting, match, slide=True, cells=(cell,), gap=0.04, empty=0.3)


def _held(setting: Setting, match: SimulatedMatch) -> bool:
    if not setting.step or setting.actions.taken:
        return False
    start = setting.actions.carried[0].start
    before = set(setting.game.pieces(setting.position))
    if not any(a == start and b in before for a, b in _captures(setting)):
        return False
    return _done(setting, match, in_hand=3.0)


def _adjust(setting: Setting, match: SimulatedMatch, own: bool) -> bool:
    places = setting.actions.own if own else setting.actions.others
    if not places:
        return False
    place = setting.rng.choice(places)
    match.disturb(((0.0, place, None), (0.5, place, match.table.top(place))), START)
    return _done(setting, match, wait=0.6)


def _hover(setting: Setting, match: SimulatedMatch) -> bool:
    captures = _captures(setting)
    if not captures:
        return False
    start, end = setting.rng.choice(captures)
    own, enemy = match.table.top(start), match.table.top(end)
    fidget: Fidget = ((0.0, start, None), (0.3, end, None), (0.4, start, own), (0.4, end, enemy))
    match.disturb(fidget, START)
    return _done(setting, match, wait=0.6)


def _captures(setting: Setting) -> list[tuple[Place, Place]]:
    """Return every other capture by displacement, as (from, to)."""
    game, position = setting.game, setting.position
    before = game.pieces(position)
    planner = Planner(game)
    found = []
    for move in game.legal(position):
        if move == setting.move:
            continue
        actions = planner.between(before, game.pieces(game.play(position, move)))
        ends = {carry.end: carry.start for carry in actions.carried}
        for carry in actions.taken:
            start = ends.get(carry.start)
            if start is not None and carry.start is not None:
                found.append((start, carry.start))
    return sorted(set(found))


def _bumped(setting: Setting, match: SimulatedMatch) -> bool:
    actions = setting.actions
    target = next((e.end for e in (*actions.carried, *actions.brought, *actions.row[-1:])), None)
    free = set(actions.own) | set(actions.others)
    near = [place for place in actions.near.get(target or "", ()) if place in free]
    if not near:
        return False
    place = setting.rng.choice(near)
    pole = match.table.top(place)
    return _done(setting, match, beside=((0.15, place, None), (0.08, place, pole)))


def _takeback(setting: Setting, match: SimulatedMatch) -> bool:
    _done(setting, match)
    several = len(setting.actions.carried) > 1
    back = MoveStyle(reach=0.0, in_hand=0.4 if several else 0.5, pause=0.4, reverse=True)
    match.take_back(1, back, wait=1.2)
    return True


SCENARIOS: Final[Mapping[str, Recipe]] = {
    "quiet": _quiet,
    "capture": _capture,
    "capture beside the target": _beside,
    "two pieces": _several,
    "promotion": _promotion,
    "drop": _drop,
    "enemy first": _enemy_first,
    "enemy beside first": _enemy_beside_first,
    "fast swap": _fast_swap,
    "other piece first": lambda setting, match: _several(setting, match, reverse=True),
    "both in hand": lambda setting, match: _several(
        setting, match, together=True, stagger=0.1, in_hand=0.4, apart=0.2
    ),
    "slide": _slide,
    "slow slide": lambda setting, match: _slide(setting, match, 0.35),
    "held 3 s": _held,
    "adjust own": lambda setting, match: _adjust(setting, match, True),
    "adjust enemy": lambda setting, match: _adjust(setting, match, False),
    "hover a capture": _hover,
    "contact chatter": _plain,
    "neighbour bumped": _bumped,
    "takeback": _takeback,
}
"""Each scenario by its name."""

_CHATTER: Final = Contacts(flips=(0.025, 0.060), heap=0.0)
_CLEAN: Final = Contacts(heap=0.0)


def scenario(
    name: str,
    game: AnyGame,
    position: object,
    move: AnyMove,
    rng: Random,
    sensing: str = "presence",
    unsensed: tuple[str, ...] = (),
    *,
    answer: float | None = None,
    period: float = 0.0,
) -> Recorded | None:
    """Return the recording of one move done as in the named scenario, with its truth.

    None if this move has no such scenario (a capture is asked for and nothing is captured). `rng`
    picks the bystander. With `answer`, the move is named this many seconds after the last touch,
    for a board that asks. `period` as in `SimulatedMatch.lines`.
    """
    planner = Planner(game, unsensed)
    setting = Setting(game, position, move, planner.actions(position, move, rng), rng)
    contacts = _CHATTER if name == "contact chatter" else _CLEAN
    match = SimulatedMatch(game, rng, sensing, ("plain",), unsensed, position, contacts)
    if not SCENARIOS[name](setting, match):
        return None
    if answer is not None:
        match.say({"choose": match.truth[0].text}, answer)
    match.say({}, TAIL)
    return match.recorded(period)
