"""The usual handicaps of Shogi, by the names that records in Japanese have for them."""

from __future__ import annotations

from typing import Final

from engine.games.shogi.position import START, parse_position
from engine.notation.japanese import plain

_REST: Final = "/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"
HANDICAPS: Final = {
    name: parse_position(sfen, ())
    for name, sfen in {
        "平手": START,
        "香落ち": f"lnsgkgsn1/1r5b1{_REST}",
        "右香落ち": f"1nsgkgsnl/1r5b1{_REST}",
        "角落ち": f"lnsgkgsnl/1r7{_REST}",
        "飛車落ち": f"lnsgkgsnl/7b1{_REST}",
        "飛香落ち": f"lnsgkgsn1/7b1{_REST}",
        "二枚落ち": f"lnsgkgsnl/9{_REST}",
        "三枚落ち": f"lnsgkgsn1/9{_REST}",
        "四枚落ち": f"1nsgkgsn1/9{_REST}",
        "五枚落ち": f"2sgkgsn1/9{_REST}",
        "左五枚落ち": f"1nsgkgs2/9{_REST}",
        "六枚落ち": f"2sgkgs2/9{_REST}",
        "左七枚落ち": f"2sgkg3/9{_REST}",
        "右七枚落ち": f"3gkgs2/9{_REST}",
        "八枚落ち": f"3gkg3/9{_REST}",
        "十枚落ち": f"4k4/9{_REST}",
    }.items()
}
"""The start of each handicap by name; gote, who gives it, moves first."""
EVEN: Final = "平手"

_DIGITS: Final = str.maketrans("23456789", "二三四五六七八九")
_OTHER_NAMES: Final = {"飛落ち": "飛車落ち", "左香落ち": "香落ち", "": EVEN}


def handicap(name: str) -> str:
    """Return the usual name of a handicap that may be written otherwise; any other as it is."""
    name = plain(name).strip().replace("10", "十").translate(_DIGITS)
    name = f"{name}ち" if name.endswith("落") else name
    return _OTHER_NAMES.get(name, name)
