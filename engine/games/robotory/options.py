"""The option of Robotory, and how it may end."""

from __future__ import annotations

from typing import Final

from engine.game import Option

OPTIONS: Final = (
    Option(
        "mirror",
        ("false", "true"),
        "Whether the board is the mirror image, each camp reaching up on its player's left.",
        label="mirrored board",
    ),
)

ENDINGS: Final = {
    "energy": "The last token of a colour left the pool, and more robots stand in the camp of "
    "the winner.",
    "resign": "The other player resigned.",
}
