"""The option of Robotory, and how it may end."""

from __future__ import annotations

from typing import Final

from engine.game import Option, Preset

OPTIONS: Final = (
    Option(
        "mirror",
        ("false", "true"),
        "Whether the board is mirrored: each camp reaches further up on its player's left.",
        label="mirrored board",
    ),
)

PRESETS: Final = (
    Preset("Usual rules", "Each camp reaches further up on its player's right."),
    Preset("Mirrored", "Each camp reaches further up on its player's left.", {"mirror": "true"}),
)

ENDINGS: Final = {
    "energy": "the last token of a colour leaves the pool, and the winner's camp has more robots.",
    "resign": "the opponent resigns.",
    "flag": "the opponent's time is up.",
}
