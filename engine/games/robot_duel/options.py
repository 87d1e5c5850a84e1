"""The options of Robot Duel, and how it may end."""

from __future__ import annotations

from typing import Final

from engine.game import Option

OPTIONS: Final = (
    Option(
        "promotion",
        ("optional", "mandatory"),
        "Whether a chick that steps onto the far row may or must become a hen.",
        label="promotion of the chick",
    ),
    Option(
        "try_rule",
        ("survive", "safe_after_own_move", "safe_any_time", "none"),
        "When a lion on the far row wins: if it is safe there or survives one enemy turn; if "
        "it is safe after a move of its side; if it is safe after any move; never.",
        label="lion on the far row",
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
        "How often the same board, hands and side to move come up until it is a draw.",
        label="same position until it is a draw",
    ),
    Option(
        "first_player",
        ("A", "B"),
        "Who begins; A sits at the bottom, B at the top.",
        label="who begins",
    ),
)

ENDINGS: Final = {
    "lion-captured": "The lion was taken.",
    "try": "The lion reached the far row and was not to be taken there.",
    "no-move": "The other side had no move left.",
    "resign": "The other side resigned.",
    "repetition": "The same position came up too often: a draw.",
}
