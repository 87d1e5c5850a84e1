"""How records in Japanese write squares, pieces, sides and numbers."""

from __future__ import annotations

import re
from typing import Final

from engine.games.shogi.options import HANDICAPS as OPTION_STARTS
from engine.games.shogi.pieces import KINDS
from engine.games.shogi.position import parse_position

FILES: Final = "１２３４５６７８９"
RANKS: Final = "一二三四五六七八九"
SIGNS: Final = dict(zip(KINDS.values(), "歩香桂銀金角飛玉と杏圭全馬龍", strict=True))
"""The sign of each kind in a diagram."""
NAMES: Final = SIGNS | {KINDS["+L"]: "成香", KINDS["+N"]: "成桂", KINDS["+S"]: "成銀"}
"""The name of each kind in a move."""
_OTHER_NAMES: Final = {
    "P": "歩兵",
    "L": "香車",
    "N": "桂馬",
    "S": "銀将",
    "G": "金将",
    "B": "角行",
    "R": "飛車",
    "K": "王 玉将 王将",
    "+P": "ト と金 成歩",
    "+B": "成角 竜馬 龍馬",
    "+R": "竜 成飛 竜王 龍王",
}
KIND_OF: Final = {
    **{sign: kind for kind, sign in SIGNS.items()},
    **{name: kind for kind, name in NAMES.items()},
    **{name: KINDS[kind] for kind, names in _OTHER_NAMES.items() for name in names.split()},
}
"""By name that can be read: the kind."""
ANY_KIND: Final = "|".join(sorted(KIND_OF, key=len, reverse=True))
"""A pattern for these names, the longest first."""

SIDES: Final = {"先手": 0, "下手": 0, "後手": 1, "上手": 1}
"""By name: the player; lower and upper hand in handicap games."""
MARKS: Final = {"▲": 0, "▼": 0, "☗": 0, "△": 1, "▽": 1, "☖": 1}
"""By sign before a move: the side that moves."""

_BLANKS: Final = (*range(0x20), 0x7F, 0x85, 0xA0, 0x2028, 0x2029, 0x3000)
_PLAIN: Final[dict[int, str]] = {
    **{0xFF01 + at: chr(0x21 + at) for at in range(0x5E)},
    **dict.fromkeys(_BLANKS, " "),
    **dict.fromkeys(map(ord, "［〔｛【〈《<[{"), "("),
    **dict.fromkeys(map(ord, "］〕｝】〉》>]}"), ")"),
    **dict.fromkeys(map(ord, "｜│"), "|"),
}


def plain(text: str) -> str:
    """Return a text with ASCII digits, brackets, colons and blanks for all variants of them.

    The length stays the same, so positions in both texts agree.
    """
    return text.translate(_PLAIN)


def digit(sign: str) -> int:
    """Return a file or a rank from 0, given as a plain or a Japanese digit."""
    return RANKS.index(sign) if sign in RANKS else int(sign) - 1


NUMBER: Final = rf"([0-9]{{1,2}})|([{RANKS}]?十)?([{RANKS}])?"
"""A pattern for a number below 100, or for nothing."""


def number(found: re.Match[str]) -> int | None:
    """Return the number in the last three groups of a match, those of NUMBER; None if empty."""
    digits, tens, ones = found.groups()[-3:]
    if digits:
        return int(digits)
    if not tens and not ones:
        return None
    whole = 10 * (digit(tens[0]) + 1 if len(tens) > 1 else 1) if tens else 0
    return whole + (digit(ones) + 1 if ones else 0)


# ---- handicaps

_REST: Final = "/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"
HANDICAPS: Final = {
    name: parse_position(sfen, ())
    for name, sfen in {
        "平手": OPTION_STARTS["none"],
        "香落ち": OPTION_STARTS["lance"],
        "右香落ち": f"1nsgkgsnl/1r5b1{_REST}",
        "角落ち": OPTION_STARTS["bishop"],
        "飛車落ち": OPTION_STARTS["rook"],
        "飛香落ち": OPTION_STARTS["rook_and_lance"],
        "二枚落ち": OPTION_STARTS["two_pieces"],
        "三枚落ち": f"lnsgkgsn1/9{_REST}",
        "四枚落ち": OPTION_STARTS["four_pieces"],
        "五枚落ち": f"2sgkgsn1/9{_REST}",
        "左五枚落ち": f"1nsgkgs2/9{_REST}",
        "六枚落ち": OPTION_STARTS["six_pieces"],
        "左七枚落ち": f"2sgkg3/9{_REST}",
        "右七枚落ち": f"3gkgs2/9{_REST}",
        "八枚落ち": OPTION_STARTS["eight_pieces"],
        "十枚落ち": f"4k4/9{_REST}",
    }.items()
}
"""By name of the handicap: the start position; gote gives it and moves first."""
EVEN: Final = "平手"

_HANDICAP_DIGITS: Final = str.maketrans("23456789", "二三四五六七八九")
_OTHER_HANDICAP_NAMES: Final = {"飛落ち": "飛車落ち", "左香落ち": "香落ち", "": EVEN}


def handicap(name: str) -> str:
    """Return the usual name of a handicap; an unknown name stays as it is."""
    name = plain(name).strip().replace("10", "十").translate(_HANDICAP_DIGITS)
    name = f"{name}ち" if name.endswith("落") else name
    return _OTHER_HANDICAP_NAMES.get(name, name)
