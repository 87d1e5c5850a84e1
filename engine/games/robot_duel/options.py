"""The options of Robot Duel, and how it may end."""

from __future__ import annotations

from typing import Final

from engine.game import Option, Preset

OPTIONS: Final = (
    Option(
        "promotion",
        ("optional", "mandatory"),
        "Whether a chick that steps onto the last row may or must become a hen.",
        label="promotion of the chick",
    ),
    Option(
        "try_rule",
        ("survive", "safe_after_own_move", "safe_any_time", "none"),
        "When a lion on the last row wins: if it is safe there or survives one enemy "
        "turn; if it is safe after a move of its side; if it is safe after any move; "
        "never.",
        label="lion on the last row",
        values_said=(
            "wins if it is safe or survives a turn",
            "wins if it is safe after its side's move",
            "wins if it is safe after any move",
            "never wins",
        ),
    ),
    Option(
        "repetition",
        ("4", "3"),
        "How many times the same position, with the same hands and turn, makes a draw.",
        label="same position until it is a draw",
    ),
    Option(
        "first_player",
        ("A", "B"),
        "Who begins; A sits at the bottom, B at the top.",
        label="who begins",
    ),
)

PRESETS: Final = (
    Preset("Usual rules", "A chick may become a hen. A lion on the far row wins if it survives."),
    Preset(
        "Only taking wins",
        "Take the other lion. The far row does not matter to a lion.",
        {"try_rule": "none"},
    ),
    Preset(
        "As in tournaments",
        "A chick must become a hen. A lion wins only on a far row that is safe. The same position "
        "three times is a draw.",
        {"promotion": "mandatory", "try_rule": "safe_after_own_move", "repetition": "3"},
    ),
)
"""Tournaments play by the official Japanese rules."""

ENDINGS: Final = {
    "lion-captured": "the lion is captured.",
    "try": "the lion reaches the far row and cannot be captured there.",
    "no-move": "the opponent has no move left.",
    "resign": "the opponent resigns.",
    "flag": "the opponent's time is up.",
    "repetition": "the same position comes up too often, a draw.",
}
