"""The options of Shogi, and how it may end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.game import Option, Preset
from engine.games.shogi.position import START

_REST: Final = "/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"
HANDICAPS: Final[Mapping[str, str]] = {
    "none": START,
    "lance": f"lnsgkgsn1/1r5b1{_REST}",
    "bishop": f"lnsgkgsnl/1r7{_REST}",
    "rook": f"lnsgkgsnl/7b1{_REST}",
    "rook_and_lance": f"lnsgkgsn1/7b1{_REST}",
    "two_pieces": f"lnsgkgsnl/9{_REST}",
    "four_pieces": f"1nsgkgsn1/9{_REST}",
    "six_pieces": f"2sgkgs2/9{_REST}",
    "eight_pieces": f"3gkg3/9{_REST}",
}
"""By handicap: the start position. Gote gives it and moves first."""

OPTIONS: Final = (
    Option(
        "illegal_move",
        ("warn_and_take_back", "loses", "king_capture"),
        "What happens after an illegal move: it is refused and taken back; it loses if "
        "the opponent claims it; a king may be left in check, and taking the king wins.",
        label="illegal moves",
        values_said=("refused and taken back", "lose if claimed", "the king may be taken"),
    ),
    Option(
        "sennichite",
        ("4_any", "4_consecutive"),
        "When a position that comes up a fourth time ends the game: always, or only after"
        " three equal cycles of moves without interruption.",
        label="fourth time the same position",
        values_said=("ends the game", "ends it after three equal cycles"),
    ),
    Option(
        "impasse",
        ("agreement24", "declaration27", "off"),
        "How an impasse ends: both sides agree, and 24 points are enough for a draw; one "
        "side declares, and wins with 28 points as sente or 27 as gote; not at all.",
        label="impasse",
        values_said=(
            "by agreement, 24 points",
            "declared, 28 or 27 points",
            "does not end the game",
        ),
    ),
    Option(
        "allow_draw_offer",
        ("false", "true"),
        "Whether the players may agree to a draw.",
        label="draw by agreement",
    ),
    Option(
        "handicap",
        tuple(HANDICAPS),
        "The pieces that gote, the stronger player, leaves off the board; then gote moves first.",
        label="handicap",
        values_said=(
            "no handicap",
            "a lance",
            "the bishop",
            "the rook",
            "the rook and a lance",
            "two pieces: rook and bishop",
            "four pieces: the lances, too",
            "six pieces: the knights, too",
            "eight pieces: the silvers, too",
        ),
    ),
)

PRESETS: Final = (
    Preset("Usual rules", "The board refuses an illegal move, and it is taken back."),
    Preset(
        "First games",
        "A king may be left in check, and taking the king wins.",
        {"illegal_move": "king_capture"},
    ),
    Preset(
        "As in tournaments",
        "An illegal move loses if the opponent claims it. An impasse is won by declaring it.",
        {"illegal_move": "loses", "impasse": "declaration27"},
    ),
    Preset(
        "Two-piece handicap",
        "Gote plays without rook and bishop, and moves first.",
        {"handicap": "two_pieces"},
    ),
)

ENDINGS: Final = {
    "mate": "the king is checkmated.",
    "no-move": "the opponent has no move left.",
    "king-captured": "the king is captured.",
    "resign": "the opponent resigns.",
    "flag": "the opponent's time is up.",
    "illegal-move": "the opponent makes an illegal move.",
    "repetition": "the same position comes up for the fourth time, a draw.",
    "perpetual-check": "the opponent repeats the position a fourth time by perpetual check.",
    "jishogi": "the points are counted after an impasse.",
    "declare": "the win is declared.",
    "agreement": "both sides agree to a draw.",
}
