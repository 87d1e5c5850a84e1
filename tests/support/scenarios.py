"""Scenarios: one move each, done in a way that boards are known to misread, at exact times.

The times are fixed, so that whatever reads moves can be tried on the same scenarios and laid side
by side; every scenario works for any game in which its kind of move exists. A scenario starts from
the true position and ends 2.6 seconds after the last touch.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Final, TypeAlias

from engine.game import Place
from firmware_host.simulation.actions import Fuss, HandActions, MoveStyle
from firmware_host.simulation.gesture_plan import AnyGame, AnyMove, Planner
from firmware_host.simulation.tabletop import Contacts
from tests.support.recorded import Recorded
from tests.support.simulated_match import SimulatedMatch

START: Final = 0.2
"""The first touch comes after this time, in seconds."""
TAIL: Final = 2.6
"""The board is watched for this time after the last touch, in seconds."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What a scenario is built from."""

    game: AnyGame
    position: Any
    move: AnyMove
    work: HandActions
    rng: Random

    @property
    def captured(self) -> Place | None:
        """The cell on which the carried piece takes another one."""
        ends = {errand.end for errand in self.work.carried}
        return next((e.start for e in self.work.taken if e.start in ends), None)

    @property
    def taken_elsewhere(self) -> bool:
        """Whether a piece is taken on a cell where no other one comes to stand."""
        return bool(self.work.taken) and self.captured is None

    @property
    def step(self) -> bool:
        """Whether a single piece goes from cell to cell."""
        return len(self.work.carried) == 1 and not self.work.brought


Recipe: TypeAlias = Callable[[Setting, SimulatedMatch], bool]
"""Has the hands do the move; returns False if this move has no such scenario."""


def canonical(work: HandActions) -> MoveStyle:
    """Return the plain way: lift, put; lift a captured piece half-way, other pieces afterwards."""
    ends = {errand.end for errand in (*work.carried, *work.brought)}
    if len(work.carried) > 1 or any(errand.start not in ends for errand in work.taken):
        return MoveStyle(reach=0.0, in_hand=0.5, pause=0.4)
    if work.taken:
        return MoveStyle(reach=0.0, in_hand=0.8, empty=0.4, pause=0.4)
    return MoveStyle(reach=0.0, in_hand=0.6, pause=0.4)


def _plain(setting: Setting, match: SimulatedMatch) -> bool:
    return _done(setting, match)


def _done(setting: Setting, match: SimulatedMatch, wait: float = START, **changed: Any) -> bool:
    match.move(setting.move, replace(canonical(setting.work), **changed), wait)
    return True


def _quiet(setting: Setting, match: SimulatedMatch) -> bool:
    turned = any(e.pole != e.lies or e.swapped for e in setting.work.carried)
    if not setting.step or setting.work.taken or turned:
        return False
    return _done(setting, match)


def _capture(setting: Setting, match: SimulatedMatch) -> bool:
    return setting.captured is not None and _done(setting, match)


def _beside(setting: Setting, match: SimulatedMatch) -> bool:
    return setting.step and setting.taken_elsewhere and _done(setting, match)


def _promotion(setting: Setting, match: SimulatedMatch) -> bool:
    turned = any(e.pole != e.lies or e.swapped for e in setting.work.carried)
    return turned and _done(setting, match)


def _drop(setting: Setting, match: SimulatedMatch) -> bool:
    return bool(setting.work.brought) and _done(setting, match)


def _several(setting: Setting, match: SimulatedMatch, **changed: Any) -> bool:
    return len(setting.work.carried) > 1 and _done(setting, match, **changed)


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
    if not setting.step or not setting.work.carried[0].via:
        return False
    return _done(setting, match, slide=True, cells=(cell,), gap=0.04, empty=0.3)


def _held(setting: Setting, match: SimulatedMatch) -> bool:
    if not setting.step or setting.work.taken:
        return False
    start = setting.work.carried[0].start
    before = set(setting.game.pieces(setting.position))
    if not any(a == start and b in before for a, b in _captures(setting)):
        return False
    return _done(setting, match, in_hand=3.0)


def _adjust(setting: Setting, match: SimulatedMatch, own: bool) -> bool:
    places = setting.work.own if own else setting.work.others
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
    fuss: Fuss = ((0.0, start, None), (0.3, end, None), (0.4, start, own), (0.4, end, enemy))
    match.disturb(fuss, START)
    return _done(setting, match, wait=0.6)


def _captures(setting: Setting) -> list[tuple[Place, Place]]:
    """Return every other capture by displacement, as from where to where."""
    game, position = setting.game, setting.position
    before = game.pieces(position)
    planner = Planner(game)
    found = []
    for move in game.legal(position):
        if move == setting.move:
            continue
        work = planner.between(before, game.pieces(game.play(position, move)))
        ends = {errand.end: errand.start for errand in work.carried}
        for errand in work.taken:
            start = ends.get(errand.start)
            if start is not None and errand.start is not None:
                found.append((start, errand.start))
    return sorted(set(found))


def _bumped(setting: Setting, match: SimulatedMatch) -> bool:
    work = setting.work
    target = next((e.end for e in (*work.carried, *work.brought, *work.row[-1:])), None)
    free = set(work.own) | set(work.others)
    near = [place for place in work.near.get(target or "", ()) if place in free]
    if not near:
        return False
    place = setting.rng.choice(near)
    pole = match.table.top(place)
    return _done(setting, match, beside=((0.15, place, None), (0.08, place, pole)))


def _takeback(setting: Setting, match: SimulatedMatch) -> bool:
    _done(setting, match)
    several = len(setting.work.carried) > 1
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
    """Return the recording of one move done as the scenario of that name says, with its truth.

    None if this move has no such scenario (a capture is asked for and nothing is captured). `rng`
    picks the bystander. With `answer`, the move is named this many seconds after the last touch,
    for a board that asks. `period` as in `SimulatedMatch.lines`.
    """
    planner = Planner(game, unsensed)
    setting = Setting(game, position, move, planner.work(position, move, rng), rng)
    contacts = _CHATTER if name == "contact chatter" else _CLEAN
    match = SimulatedMatch(game, rng, sensing, ("plain",), unsensed, position, contacts)
    if not SCENARIOS[name](setting, match):
        return None
    if answer is not None:
        match.say({"choose": match.truth[0].text}, answer)
    match.say({}, TAIL)
    return match.recorded(period)
