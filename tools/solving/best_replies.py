"""The positions that the second player of Robot Duel must know to win against every play.

For each move of the first player only one of the fastest winning replies is followed. Near wins are
left to the search. The first player may use either rule of promotion; the replies fit both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Final

from engine.games.robot_duel import RobotDuel, RobotDuelPosition
from engine.search.solved.numbering import number_of

NEAR: Final = 7
"""The search itself finds wins in this many plies."""

Value = Callable[[int], int]
"""By number: the plies until a position is won (odd) or lost (even); 0: drawn or over."""
_LENIENT: Final = RobotDuel()
_STRICT: Final = RobotDuel({"promotion": "mandatory"})


def needed(value: Value, progress: Callable[[float], None] = lambda done: None) -> dict[int, int]:
    """Return the positions that the first player reaches, by number, with the plies until the loss.

    If moves of a won position lead to any of them, the best move does.
    """
    start = _LENIENT.start()
    number = number_of(start)
    assert number is not None
    first = value(number)
    to_do: dict[int, dict[int, RobotDuelPosition]] = {plies: {} for plies in range(0, first + 1, 2)}
    to_do[first][number] = start
    found: dict[int, int] = {}
    won: dict[int, RobotDuelPosition] = {}
    for plies in range(first, 0, -2):
        progress(1 - plies / first)
        found |= dict.fromkeys(to_do[plies], plies)
        fresh: dict[int, RobotDuelPosition] = {}
        for position in to_do[plies].values():
            fresh |= _moves(_LENIENT, position)
        fresh = {each: after for each, after in fresh.items() if each not in won}
        won |= {each: after for each, after in fresh.items() if value(each) > 1}
        must = [after for each, after in fresh.items() if value(each) > NEAR]
        if plies <= NEAR + 1:  # near wins that another move might miss
            near = [after for each, after in won.items() if value(each) == plies - 1]
            must += [
                after for after in near if not found.keys().isdisjoint(_moves(_LENIENT, after))
            ]
        _choose([_best(after, value) for after in must], to_do, value)
    return found


def _choose(
    choices: list[dict[int, RobotDuelPosition]],
    to_do: dict[int, dict[int, RobotDuelPosition]],
    value: Value,
) -> None:
    """Take one of each choice: one needed anyway, else one that most other choices offer."""
    wanted = Counter(number for choice in choices for number in choice)
    for choice in sorted(choices, key=len):
        if not any(number in to_do[value(number)] for number in choice):
            number = max(choice, key=lambda each: (wanted[each], each))
            to_do[value(number)][number] = choice[number]


def _best(position: RobotDuelPosition, value: Value) -> dict[int, RobotDuelPosition]:
    """Return the positions after the fastest winning moves by number."""
    losses = {
        number: after
        for number, after in _moves(_STRICT, position).items()
        if value(number) and value(number) % 2 == 0
    }
    soonest = min(map(value, losses))
    return {number: after for number, after in losses.items() if value(number) == soonest}


def _moves(game: RobotDuel, position: RobotDuelPosition) -> dict[int, RobotDuelPosition]:
    """Return the positions after the moves by number, without those that have none."""
    after = (game.play(position, move) for move in game.legal(position))
    return {number: each for each in after if (number := number_of(each)) is not None}
