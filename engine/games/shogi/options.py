"""The options of Shogi, and how it may end."""

from __future__ import annotations

from typing import Final

from engine.game import Option, Preset

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
)

PRESETS: Final = (
    Preset("As on the sheet", "The board refuses an illegal move, and it is taken back."),
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
