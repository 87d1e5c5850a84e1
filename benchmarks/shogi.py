"""Shogi: counting, listing and playing moves, compared with python-shogi, cshogi and
Fairy-Stockfish.

*bulk* counts move sequences by the length of the last list; *push* also makes and unmakes every
last move; *list* lists the moves of a position once; *play* makes and unmakes each of them without
listing any. python-shogi and ours keep a key and the repetitions of every position on the way.
Ours *at first* has empty tables, as in a fresh process.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks.timing import peer, seconds, si
from engine.games.shogi import Shogi, ShogiBoard
from engine.games.shogi.moves import DROPS, MOBILITY, PAWN_CHOICES, PAWN_FILES

POSITIONS = {
    "START": "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "MID": "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "MAX": "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
}
BULK_DEPTH = {"START": 3, "MID": 2, "MAX": 2}
PUSH_DEPTH = {"START": 2, "MID": 2, "MAX": 1}
ROUNDS = 5

Count = Callable[[], int]


def _forget() -> None:
    """Empty all tables of prepared moves and slides, as in a fresh process."""
    for squares in MOBILITY:
        for mobility in squares:
            for part in mobility:
                if isinstance(part, dict):
                    part.clear()
    for table in (*PAWN_CHOICES, PAWN_FILES, *DROPS):
        table.clear()
    for side in DROPS:
        side.by_kinds.clear()


def _ours(sfen: str, depth: int) -> Count:
    game = Shogi()
    position = game.parse_position(sfen)
    return lambda: game.perft(position, depth)


def _ours_cold(sfen: str, depth: int) -> Count:
    count = _ours(sfen, depth)

    def forgetful() -> int:
        _forget()
        return count()

    return forgetful


def _ours_push(sfen: str, depth: int) -> Count:
    board = ShogiBoard(Shogi().parse_position(sfen))

    def count(depth: int) -> int:
        total = 0
        for move in board.moves():
            board.make(move)
            total += 1 if depth == 1 else count(depth - 1)
            board.unmake()
        return total

    return lambda: count(depth)


def _theirs(module: Any, sfen: str, depth: int, push: bool) -> Count:
    """Return the count of python-shogi or cshogi, which have the same interface."""
    board = module.Board(sfen)

    def count(depth: int) -> int:
        moves = list(board.legal_moves)
        if depth == 1 and not push:
            return len(moves)
        total = 0
        for move in moves:
            board.push(move)
            total += 1 if depth == 1 else count(depth - 1)
            board.pop()
        return total

    return lambda: count(depth)


def _play(sfen: str) -> Count:
    board = ShogiBoard(Shogi().parse_position(sfen))
    moves = board.moves()

    def play() -> int:
        for move in moves:
            board.make(move)
            board.unmake()
        return len(moves)

    return play


def _their_play(module: Any, sfen: str) -> Count:
    board = module.Board(sfen)
    moves = list(board.legal_moves)

    def play() -> int:
        for move in moves:
            board.push(move)
            board.pop()
        return len(moves)

    return play


def _contenders(kind: str, name: str, modules: dict[str, Any]) -> dict[str, Count]:
    """Return the contenders of a row, ours first."""
    sfen = POSITIONS[name]
    found: dict[str, Count] = {}
    if kind in ("bulk", "push"):
        depth = (BULK_DEPTH if kind == "bulk" else PUSH_DEPTH)[name]
        found["ours"] = (_ours if kind == "bulk" else _ours_push)(sfen, depth)
        if kind == "bulk":
            found["ours, at first"] = _ours_cold(sfen, depth)
        for peer_name in ("shogi", "cshogi"):
            if peer_name in modules:
                found[peer_name] = _theirs(modules[peer_name], sfen, depth, kind == "push")
    elif kind == "list":
        board = ShogiBoard(Shogi().parse_position(sfen))
        found["ours"] = lambda: len(board.moves())
        for peer_name in ("shogi", "cshogi"):
            if peer_name in modules:
                found[peer_name] = _theirs(modules[peer_name], sfen, 1, False)
        if fairy := modules.get("pyffish"):
            fen = sfen.rpartition(" ")[0]
            board_part, turn, hands = fen.split()
            packed = "".join(_unpacked(hands)) or "-"
            whole = f"{board_part}[{packed}] {'w' if turn == 'b' else 'b'} 0 1"
            found["pyffish"] = lambda: len(fairy.legal_moves("shogi", whole, []))
    else:
        found["ours"] = _play(sfen)
        for peer_name in ("shogi", "cshogi"):
            if peer_name in modules:
                found[peer_name] = _their_play(modules[peer_name], sfen)
    return found


def _unpacked(hands: str) -> list[str]:
    """Return the letters of SFEN hands, one for each piece in hand."""
    found: list[str] = []
    count = ""
    for sign in hands.replace("-", ""):
        if sign.isdigit():
            count += sign
        else:
            found += [sign] * int(count or 1)
            count = ""
    return found


def run() -> None:
    """Print moves a second of each contender, and how many times ours is as fast."""
    modules = {name: module for name in ("shogi", "cshogi", "pyffish") if (module := peer(name))}
    names = {"shogi": "python-shogi"}
    print("moves a second; in brackets how many times as fast ours is")
    for kind in ("bulk", "push", "list", "play"):
        for position in POSITIONS:
            contenders = _contenders(kind, position, modules)
            counts = {name: count() for name, count in contenders.items()}
            assert len(set(counts.values())) == 1, f"{kind} {position}: {counts}"
            spent = seconds(contenders, ROUNDS)
            columns = [f"{kind:<5}{position:<6}{counts['ours']:>8}"]
            for name, time in spent.items():
                ratio = "" if name == "ours" else f" (×{time / spent['ours']:.3g})"
                columns.append(f"{names.get(name, name)} {si(counts[name] / time)}{ratio}")
            print("   ".join(columns), flush=True)

    for name in POSITIONS:
        each = ", ".join(f"{what} {time:.3g}" for what, time in _calls(name).items())
        print(f"one call in µs, {name}: {each}")


def _calls(name: str) -> dict[str, float]:
    """Return the time of single calls of the game, in microseconds."""
    game = Shogi()
    position = game.parse_position(POSITIONS[name])
    moves = game.legal(position)
    spent = seconds(
        {
            "a board and its moves": lambda: [ShogiBoard(position).moves() for _ in range(100)],
            "play": lambda: [game.play(position, moves[0]) for _ in range(100)],
            "changes": lambda: [game.changes(position, moves[0]) for _ in range(100)],
            "changes of all": lambda: [
                game.changes(position, move) for _ in range(100) for move in moves
            ],
            "pieces": lambda: [game.pieces(position) for _ in range(100)],
            "threats": lambda: [game.threats(position) for _ in range(100)],
        }
    )
    return {what: time * 1e4 for what, time in spent.items()}
