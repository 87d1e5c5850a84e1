"""Shogi's fast move lists against a slow reading of the rules that shares no code with them, and,
in the deep tests, move for move against cshogi.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from engine.games.shogi import Shogi, ShogiPosition

# (files to the left, ranks down) as sente sees it; a star slides
STEPS = {
    "P": "0,-1",
    "L": "0,-1*",
    "N": "1,-2 -1,-2",
    "S": "0,-1 1,-1 -1,-1 1,1 -1,1",
    "G": "0,-1 1,-1 -1,-1 1,0 -1,0 0,1",
    "B": "1,1* 1,-1* -1,1* -1,-1*",
    "R": "1,0* -1,0* 0,1* 0,-1*",
    "K": "1,1 1,-1 -1,1 -1,-1 1,0 -1,0 0,1 0,-1",
}
for gold in "PLNS":
    STEPS[f"+{gold}"] = STEPS["G"]
STEPS["+B"] = f"{STEPS['B']} {STEPS['R'].replace('*', '')}"
STEPS["+R"] = f"{STEPS['R']} {STEPS['B'].replace('*', '')}"

Pieces = dict[tuple[int, int], tuple[int, str]]  # (file, rank) -> (side, kind)


def board_of(sfen: str) -> tuple[Pieces, list[str], int]:
    """Return the pieces, the letters in hand and the side to move of an SFEN."""
    board, turn, hands = sfen.split()[:3]
    pieces: Pieces = {}
    for rank, row in enumerate(board.split("/"), 1):
        file = 9
        plus = ""
        for sign in row:
            if sign == "+":
                plus = sign
            elif sign.isdigit():
                file -= int(sign)
            else:
                pieces[file, rank] = (int(sign.islower()), plus + sign.upper())
                file, plus = file - 1, ""
    held: list[str] = []
    count = ""
    for sign in hands.replace("-", ""):
        if sign.isdigit():
            count += sign
        else:
            held += [sign] * int(count or 1)
            count = ""
    return pieces, held, "bw".index(turn)


def targets(pieces: Pieces, at: tuple[int, int]) -> list[tuple[int, int]]:
    """Return where the piece at a square can go, own pieces left out."""
    side, kind = pieces[at]
    found = []
    for way in STEPS[kind].split():
        file, rank = (int(part) for part in way.strip("*").split(","))
        rank = -rank if side else rank
        square = (at[0] + file, at[1] + rank)
        while 1 <= square[0] <= 9 and 1 <= square[1] <= 9:
            if square in pieces and pieces[square][0] == side:
                break
            found.append(square)
            if square in pieces or not way.endswith("*"):
                break
            square = (square[0] + file, square[1] + rank)
    return found


def in_check(pieces: Pieces, side: int) -> bool:
    (king,) = (square for square, piece in pieces.items() if piece == (side, "K"))
    return any(
        king in targets(pieces, square) for square, piece in pieces.items() if piece[0] != side
    )


def dead(side: int, kind: str, rank: int) -> bool:
    rows = rank if side == 0 else 10 - rank
    return (kind in ("P", "L") and rows == 1) or (kind == "N" and rows <= 2)


def name(square: tuple[int, int]) -> str:
    return f"{square[0]}{'abcdefghi'[square[1] - 1]}"


def moves_by_hand(pieces: Pieces, held: list[str], side: int, mates_count: bool = True) -> set[str]:
    """Return the USI texts of all legal moves."""
    found = set()
    for square, (owner, kind) in list(pieces.items()):
        if owner != side:
            continue
        for target in targets(pieces, square):
            after = dict(pieces)
            after[target] = after.pop(square)
            if in_check(after, side):
                continue
            zone = any(r <= 3 if side == 0 else r >= 7 for r in (square[1], target[1]))
            if zone and kind in "PLNSBR":
                found.add(f"{name(square)}{name(target)}+")
            if not dead(side, kind, target[1]):
                found.add(f"{name(square)}{name(target)}")
    kinds = {letter.upper() for letter in held if letter.islower() == bool(side)}
    for file in range(1, 10):
        pawn = any(pieces.get((file, rank)) == (side, "P") for rank in range(1, 10))
        for rank in range(1, 10):
            for kind in kinds:
                if (file, rank) in pieces or dead(side, kind, rank) or (kind == "P" and pawn):
                    continue
                after = {**pieces, (file, rank): (side, kind)}
                if in_check(after, side):
                    continue
                if kind == "P" and mates_count and in_check(after, 1 - side):
                    answers = moves_by_hand(after, held, 1 - side, mates_count=False)
                    if not answers:
                        continue
                found.add(f"{kind}*{name((file, rank))}")
    return found


def check(shogi: Shogi, position: ShogiPosition) -> int:
    sfen = shogi.position_text(position)
    expected = moves_by_hand(*board_of(sfen))
    listed = [move.text for move in shogi.legal(position)]
    assert len(listed) == len(set(listed)), sfen
    assert set(listed) == expected, sfen
    return len(expected)


def positions(shogi: Shogi, seed: str, count: int) -> Iterator[ShogiPosition]:
    """Yield positions of random games; the later ones have many pieces in hand."""
    rng = random.Random(seed)
    found = 0
    while found < count:
        position = shogi.start()
        for ply in range(rng.randint(40, 400)):
            moves = shogi.legal(position)
            if not moves:
                break
            if ply % 7 == 0 and found < count:
                found += 1
                yield position
            position = shogi.play(position, rng.choice(moves))


def scattered(shogi: Shogi, seed: str, count: int) -> Iterator[ShogiPosition]:
    """Yield positions with pieces strewn about, many of them with a king in check."""
    rng = random.Random(seed)
    found = 0
    while found < count:
        pool = list("PPPPPPPPPPPPPPPPPPLLLLNNNNSSSSGGGGBBRR")
        rng.shuffle(pool)
        pieces = ["K", "k"]
        on_board = rng.randint(3, 24)
        for letter in pool[:on_board]:
            plus = "+" if letter != "G" and rng.random() < 0.3 else ""
            pieces.append(plus + (letter if rng.random() < 0.5 else letter.lower()))
        cells = pieces + ["1"] * (81 - len(pieces))
        rng.shuffle(cells)
        rows = "/".join("".join(cells[9 * row : 9 * row + 9]) for row in range(9))
        held = [s if rng.random() < 0.5 else s.lower() for s in pool[on_board : on_board + 9]]
        hands = "".join(f"{held.count(s)}{s}" for s in sorted(set(held))) or "-"
        try:
            position = shogi.parse_position(f"{rows} {rng.choice('bw')} {hands}")
        except ValueError:
            continue
        found += 1
        yield position


def test_games_at_random() -> None:
    shogi = Shogi()
    total = sum(check(shogi, position) for position in positions(shogi, "by hand", 120))
    assert total > 3_000


def test_pieces_strewn_at_random() -> None:
    shogi = Shogi()
    checks = 0
    for position in scattered(shogi, "strewn", 120):
        check(shogi, position)
        checks += any(threat.kind == "check" for threat in shogi.threats(position))
    assert checks > 10


@pytest.mark.parametrize(
    "sfen",
    [
        "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
        "6Rgk/9/6NG1/9/9/9/9/9/4K4 b P 1",  # the only piece that could take is pinned
        "7gk/9/6NG1/9/9/9/9/9/4K4 b P 1",
        "7lk/9/6NG1/9/9/9/9/9/4K4 b P 1",  # a lance does not take sideways
        "4k4/9/9/9/9/9/1gn6/9/K8 w p 1",
        "4k4/9/9/9/9/9/9/9/4K4 w pln 1",
        "4k4/1P1L5/1N5N1/9/9/9/9/9/4K4 b - 1",
        "4k4/9/9/9/9/9/1n6l/p8/4K4 w - 1",
        "k8/9/1GN6/9/9/9/9/9/4K4 b P 1",
        "4k4/4l4/9/4P4/9/9/4B4/4K4/9 b P 1",  # pinned on a file, by a lance
        "4k4/9/9/9/b8/9/2P6/3K5/7b1 b G 1",  # two pins
        "4k4/9/9/4r4/9/9/3n5/9/4K4 b RP 1",  # a double check
        "4k4/4r4/9/9/4P4/9/9/9/4K4 b P 1",  # a pinned pawn still goes forwards
    ],
)
def test_known_difficult_positions(sfen: str) -> None:
    shogi = Shogi()
    check(shogi, shogi.parse_position(sfen))


# ---- other programs


def listed(shogi: Shogi, position: ShogiPosition) -> set[str]:
    texts = [move.text for move in shogi.legal(position)]
    assert len(texts) == len(set(texts))
    return set(texts)


@pytest.fixture(scope="module")
def cshogi() -> Any:
    return pytest.importorskip("cshogi", reason="cshogi is not installed: make deep does that")


@pytest.mark.deep
@pytest.mark.parametrize("source", [positions, scattered])
def test_every_list_is_that_of_cshogi(cshogi: Any, source: Any) -> None:
    shogi = Shogi()
    board = cshogi.Board()
    checks = mates = 0
    for position in source(shogi, "cshogi", 2_500):
        sfen = shogi.position_text(position)
        board.set_sfen(sfen)
        expected = {cshogi.move_to_usi(move) for move in board.legal_moves}
        assert listed(shogi, position) == expected, sfen
        checks += board.is_check()
        outcome = shogi.outcome(position)
        assert (outcome is None) is not board.is_game_over()
        mates += outcome is not None
    assert checks > 50
    assert source is positions or mates > 5


@pytest.mark.deep
def test_a_game_goes_as_in_cshogi(cshogi: Any) -> None:
    shogi = Shogi()
    rng = random.Random("along")
    for _ in range(20):
        position, board = shogi.start(), cshogi.Board()
        for _ in range(200):
            moves = shogi.legal(position)
            if not moves:
                break
            move = rng.choice(moves)
            position = shogi.play(position, move)
            board.push_usi(move.text)
            text = shogi.position_text(position)
            assert text.split()[:3] == board.sfen().split()[:3]
