"""Where a user's matches and tables are kept."""

from __future__ import annotations

import os
from pathlib import Path


def state_directory(chosen: str | None) -> Path:
    """Return where matches are kept: as chosen, or where this user's programs keep such."""
    if chosen:
        return Path(chosen)
    home = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    return Path(home) / "lampion"
