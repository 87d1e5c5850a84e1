"""Switching off the computer of a board from its page.

The service may not do that itself. It makes a file in its runtime directory; systemd's path unit
`lampion-off.path` sees the file, and switches the computer off.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

POWER_OFF_FILE: Final = "power-off"


class PowerSwitch:
    """Asks the system to switch the computer off."""

    def __init__(self, directory: Path) -> None:
        """`directory` is the runtime directory of the service."""
        self.file = directory / POWER_OFF_FILE

    @classmethod
    def of_service(cls, environment: Mapping[str, str] = os.environ) -> PowerSwitch | None:
        """Return the switch of the service that runs this program; None if no service does."""
        directory = environment.get("RUNTIME_DIRECTORY", "")
        return cls(Path(directory)) if directory.startswith("/") else None

    def switch_off(self) -> None:
        """Ask for it; OSError if the file cannot be made."""
        self.file.touch()
