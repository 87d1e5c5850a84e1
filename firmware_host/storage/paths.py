"""Where the matches and tables of a user are stored."""

from __future__ import annotations

import os
from pathlib import Path


def state_directory(chosen: str | None) -> Path:
    """Return the chosen state directory, or the usual one of this user."""
    if chosen:
        return Path(chosen)
    home = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    return Path(home) / "lampion"
