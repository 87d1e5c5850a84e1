"""Robotory: the actions of a robot on a full board, and the speed of games.

The package index has no other program. For comparison, the naive way walks along every path of the
robot.
"""

from __future__ import annotations

import random

from benchmarks.timing import calls, seconds, si
from engine.games.robotory import Robotory, RobotoryPosition
from engine.games.robotory.position import NEAR

GAME = Robotory()
BOARDS = {
    "robots as at the start": "wbwbwbWbwbwbBwbwbRwbwbwb/1w1b:0w1b 1w1b l",
    "robots out of its way": "wbwWwbwbwbwbwbRwbwbwbwbB/1w1b:0w1b 1w1b l",
}
"""Full boards; on the second the red robot has more outcomes than on any other."""


def _count_paths(start: int, food: int) -> int:
    return sum(
        1 + _count_paths(index, food & ~(1 << index)) for index in NEAR[start] if food >> index & 1
    )


def _line(rng: random.Random) -> list[RobotoryPosition]:
    line = [GAME.start()]
    while moves := GAME.legal(line[-1]):
        line.append(GAME.play(line[-1], rng.choice(moves)))
    return line


def _full_board(position: RobotoryPosition) -> str:
    """Return the figures of a full board."""
    actions = GAME.legal(position)
    sample = list(actions)[::97]
    spent = seconds(
        {
            "find": lambda: GAME.legal(position),
            "make": lambda: list(actions),
            "changes": lambda: [GAME.changes(position, action) for action in sample],
            "text": lambda: [GAME.move_text(position, action) for action in sample],
            "paths": lambda: _count_paths(position.robots[2], position.edible[2]),
        },
        rounds=3,
    )
    paths = _count_paths(position.robots[2], position.edible[2])
    return (
        f"{len(actions):,} actions, {paths:,} paths of the red robot\n"
        f"  legal {spent['find'] * 1e3:.0f} ms, then a move object for each "
        f"{spent['make'] * 1e3:.0f} ms; walking along every path "
        f"{spent['paths'] * 1e3:.0f} ms\n"
        f"  per action: changes {spent['changes'] / len(sample) * 1e6:.1f} µs, "
        f"text {spent['text'] / len(sample) * 1e6:.0f} µs"
    )


def run() -> None:
    """Print the figures of full boards, then µs of single calls in games."""
    for name, text in BOARDS.items():
        position = GAME.parse_position(text)
        print(f"full board, {name}: {_full_board(position)}")
    rng = random.Random(1)
    lines = [_line(rng) for _ in range(50)]
    positions = [position for line in lines for position in line[:-1]]
    pairs = [(position, rng.choice(GAME.legal(position))) for position in positions]
    print(f"one call in random games, in µs: {calls(GAME, pairs, 'outcome')}")
    depth_4 = seconds({"perft": lambda: GAME.perft(GAME.start(), 4)}, rounds=3)["perft"]
    print(f"perft of depth 4 from the start: {si(2_785_244 / depth_4)} leaves a second")
