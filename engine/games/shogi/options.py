"""The options of Shogi, and how it may end."""

from __future__ import annotations

from typing import Final

from engine.game import Option

OPTIONS: Final = (
    Option(
        "illegal_move",
        ("warn_and_take_back", "loses", "king_capture"),
        "What an illegal move does: it is refused and taken back; it loses the game if the "
        "opponent claims so; a king may be left in check, and taking him wins.",
        label="illegal moves",
        values_said=("refused and taken back", "lose if claimed", "the king may be taken"),
    ),
    Option(
        "sennichite",
        ("4_any", "4_consecutive"),
        "Which fourth occurrence of a position ends the game: any; only one at the end of "
        "three equal cycles of moves without interruption.",
        label="fourth time the same position",
        values_said=("ends the game", "ends it after three equal cycles"),
    ),
    Option(
        "impasse",
        ("agreement24", "declaration27", "off"),
        "How an impasse ends: both agree and 24 points are enough for a draw; one side "
        "declares and wins with 28 points as sente or 27 as gote; not at all.",
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

ENDINGS: Final = {
    "mate": "The king is mated.",
    "no-move": "The other side had no move left.",
    "king-captured": "The king was taken.",
    "resign": "The other side resigned.",
    "flag": "The other side's time is up.",
    "illegal-move": "The other side made an illegal move.",
    "repetition": "The same position came up for the fourth time: a draw.",
    "perpetual-check": "The same position came up for the fourth time "
    "by perpetual check, which loses.",
    "jishogi": "Impasse: the points were counted.",
    "declare": "The win was declared.",
    "agreement": "Both sides agreed to a draw.",
}
