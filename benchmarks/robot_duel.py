"""Robot Duel: counting move sequences from the start, compared with programs for the same game.

Each peer is counted under its own rules, and ours under the same. doubutsushogi always promotes;
its bare lists know no Try, and its `status` tests the Try after the mover's move. The variant of
Fairy-Stockfish tests it after every move.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks.timing import calls, peer, seconds, si
from engine.games.robot_duel import RobotDuel
from engine.games.robot_duel.moves import ARMIES


def _ours(rule: str, depth: int) -> Callable[[], int]:
    game = RobotDuel({"promotion": "mandatory", "try_rule": rule})
    return lambda: game.perft(game.start(), depth)


def _doubutsushogi(module: Any, depth: int, try_rule: bool) -> Callable[[], int]:
    def count(state: Any, depth: int) -> int:
        if try_rule and state.status:
            return 0
        actions = state.valid_actions
        if depth == 1:
            return len(actions)
        total = 0
        for action in actions:
            after = state.action_result(action)
            if try_rule or (5 in after.board and -5 in after.board):  # both lions
                total += count(after, depth - 1)
        return total

    return lambda: count(module.State.initial_state(), depth)


def _pyffish(module: Any, depth: int) -> Callable[[], int]:
    start = module.start_fen("dobutsu")

    def count(line: list[str], depth: int) -> int:
        if line and module.is_immediate_game_end("dobutsu", start, line)[0]:
            return 0
        moves = module.legal_moves("dobutsu", start, line)
        return len(moves) if depth == 1 else sum(count([*line, move], depth - 1) for move in moves)

    return lambda: count([], depth)


def _row(
    rules: str, name: str, depth: int, theirs: Callable[[], int], ours: Callable[[], int]
) -> None:
    leaves = theirs()
    assert ours() == leaves, f"{name} counts {leaves}, and we {ours()}"

    def cold() -> int:
        ARMIES["mandatory"].clear()
        return ours()

    spent = seconds({"theirs": theirs, "ours": ours, "cold": cold})
    ratio = spent["theirs"] / spent["ours"]
    print(
        f"{rules:<34} {depth:>5} {name:>14} {si(leaves / spent['theirs']):>8} "
        f"{si(leaves / spent['ours']):>8} {ratio:>8.1f} {si(leaves / spent['cold']):>14}"
    )


def run() -> None:
    """Print leaves a second: the peer's, ours, the ratio, and ours with empty caches."""
    print(
        f"{'leaves a second under the rules of':<34} {'depth':>5} {'peer':>14} {'theirs':>8} "
        f"{'ours':>8} {'ratio':>8} {'ours, at first':>14}"
    )
    if module := peer("doubutsushogi"):
        for rules, rule, tries in (
            ("no Try", "none", False),
            ("Try tested after a player's own move", "safe_after_own_move", True),
        ):
            theirs = _doubutsushogi(module, 6, try_rule=tries)
            _row(rules, "doubutsushogi", 6, theirs, _ours(rule, 6))
    if module := peer("pyffish"):
        rules = "Try tested after every move"
        _row(rules, "pyffish", 4, _pyffish(module, 4), _ours("safe_any_time", 4))
    game = RobotDuel()
    position = game.parse_position("g1e/1cL/lC1/E1G b - 1")
    move = game.legal(position)[0]
    print(f"one call, in µs: {calls(game, [(position, move)] * 1000)}")
