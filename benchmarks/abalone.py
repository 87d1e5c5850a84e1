"""Abalone: listing the moves of a position, compared with programs for the same game.

abalone-boai tries every row in every direction on a copy of its board. pyai-abalone builds the
board after every move with numpy, so ours is measured with playing every move, too. The positions
are the start layouts and those of random games, where our tables know most sets of marbles; the
cost of unknown sets is printed last.
"""

from __future__ import annotations

import importlib.util
import os
import random
import sys
from collections.abc import Callable, Mapping, Sequence
from time import process_time
from types import ModuleType
from typing import Any

from benchmarks.timing import calls, peer, seconds, si
from engine.games.abalone import Abalone, AbalonePosition

GAME = Abalone()
LAYOUTS = ("standard", "belgian_daisy", "german_daisy")


def random_positions(count: int, seed: int) -> list[AbalonePosition]:
    """Return positions of random games that are not over."""
    rng, position = random.Random(seed), GAME.start()
    found: list[AbalonePosition] = []
    while len(found) < count:
        moves = GAME.legal(position)
        if moves:
            found.append(position)
        position = GAME.play(position, rng.choice(moves)) if moves else GAME.start()
    rng.shuffle(found)
    return found


def _lists(positions: Sequence[AbalonePosition]) -> Callable[[], int]:
    return lambda: sum(len(GAME.legal(position)) for position in positions)


def _plays(positions: Sequence[AbalonePosition]) -> Callable[[], int]:
    return lambda: sum(
        len([GAME.play(position, move) for move in GAME.legal(position)]) for position in positions
    )


def _boai(module: Any, enums: Any, positions: Sequence[AbalonePosition]) -> Callable[[], int]:
    def game(position: AbalonePosition) -> Any:
        side = enums.Player.WHITE if position.turn else enums.Player.BLACK
        game = module.Game(first_turn=side)
        for row in game.board:
            row[:] = [enums.Marble.BLANK] * len(row)
        for cell, piece in GAME.pieces(position).items():
            if "." not in cell:
                marble = enums.Marble.BLACK if piece.kind == "b" else enums.Marble.WHITE
                game.set_marble(enums.Space[cell.upper()], marble)
        return game

    games = [game(position) for position in positions]
    return lambda: sum(1 for game in games for _ in game.generate_legal_moves())


def _load_pyai() -> tuple[Any, Any] | None:
    """Return pyai-abalone's rules and start layouts; None, after a notice, if not installed.

    The package itself loads its players and TensorFlow, which the rules do not need. So an empty
    package with the same folder stands in for it.
    """
    name = "pyai_abalone"
    spec = importlib.util.find_spec(name)
    if spec is not None and name not in sys.modules:
        bare = ModuleType(name)
        bare.__path__ = list(spec.submodule_search_locations or ())
        sys.modules[name] = bare
    rules, layouts = peer(f"{name}.abalone_ai"), peer(f"{name}.starting_positions")
    return (rules, layouts) if rules and layouts else None


def _pyai(rules: Any, layouts: Any, positions: Sequence[AbalonePosition]) -> Callable[[], int]:
    def game(position: AbalonePosition) -> Any:
        board = layouts.CLASSIC.copy()
        board[(board == 1) | (board == 2)] = 0
        for cell, piece in GAME.pieces(position).items():
            if "." not in cell:
                row = 9 - "abcdefghi".index(cell[0])
                board[row, int(cell[1])] = 2 if piece.kind == "b" else 1
        return rules.NumpyAbalone(board, black_tomove=position.turn == 0, move_hist_save=False)

    games = [game(position) for position in positions]
    return lambda: sum(len(game.calc_nonlosing_moves()[0]) for game in games)


def _print_rows(
    peers: Mapping[str, Callable[[Sequence[AbalonePosition]], Callable[[], int]]],
) -> None:
    starts = {layout: [Abalone({"layout": layout}).start()] for layout in LAYOUTS}
    samples = {**starts, "random games": random_positions(20, seed=1)}
    for sample, positions in samples.items():
        contenders = {"lists": _lists(positions), "plays": _plays(positions)}
        contenders |= {name: make(positions) for name, make in peers.items()}
        moves = {name: count() for name, count in contenders.items()}
        assert len(set(moves.values())) == 1, f"they disagree on {sample}: {moves}"
        spent = {name: each / len(positions) * 1e6 for name, each in seconds(contenders).items()}
        for peer_name in peers:
            print(
                f"{sample:<16} {moves['lists'] / len(positions):>6.1f} {peer_name:>14} "
                f"{si(spent[peer_name]):>8} {spent['lists']:>8.2f} "
                f"{spent[peer_name] / spent['lists']:>8.0f} {spent['plays']:>10.1f} "
                f"{spent[peer_name] / spent['plays']:>8.0f}"
            )


def run() -> None:
    """Print µs a position: the peer's, ours, the ratios; then single calls of ours."""
    peers: dict[str, Callable[[Sequence[AbalonePosition]], Callable[[], int]]] = {}
    module, enums = peer("abalone.game"), peer("abalone.enums")
    if module and enums:
        peers["abalone-boai"] = lambda positions: _boai(module, enums, positions)
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")  # pyai-abalone opens a window on import
    os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    if pyai := _load_pyai():
        peers["pyai-abalone"] = lambda positions: _pyai(*pyai, positions)
    print(
        f"{'µs a position':<16} {'moves':>6} {'peer':>14} {'theirs':>8} {'list':>8} {'ratio':>8} "
        f"{'play all':>10} {'ratio':>8}"
    )
    _print_rows(peers)

    fresh = random_positions(3000, seed=2)
    began = process_time()
    _lists(fresh)()
    cold = (process_time() - began) / len(fresh) * 1e6
    print(f"list of a position never seen: {cold:.1f} µs")
    position = GAME.start()
    move = GAME.legal(position)[0]
    print(f"one call, in µs: {calls(GAME, [(position, move)] * 1000, 'outcome')}")
    depth_4 = seconds({"perft": lambda: GAME.perft(position, 4)}, rounds=3)["perft"]
    print(f"perft of depth 4 from the standard start: {si(5_045_110 / depth_4)} leaves a second")
