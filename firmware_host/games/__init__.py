"""What a game brings beside its rules: `lessons.toml`, `rules.toml` and `pieces.svg` in a folder of
its own; those of another package lie beside its module.

Each file is optional. docs/adding-a-game.md says what is in them.
"""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Final

from engine.games import ADDED

FOLDER: Final = Path(__file__).parent
DRAWINGS: Final = "pieces.svg"
"""The name of the file with the drawings of a game's pieces."""


def game_file(game: str, name: str) -> Path:
    """Return where a game keeps the file of that name; it need not be there."""
    if game in ADDED:
        return Path(inspect.getfile(ADDED[game])).parent / name
    return FOLDER / game.replace("-", "_") / name
