"""Update the file in config.md and that of the service: `python docs/config_page.py`.

Both are the output of `lampion config show` without a file.
"""

from __future__ import annotations

import re
from pathlib import Path

from firmware_host.config.as_toml import as_toml
from firmware_host.config.config import Config

PAGE = Path(__file__).with_name("config.md")
SERVICE = PAGE.parent.parent / "systemd" / "lampion.toml"


def written(text: str) -> str:
    """Return the page with the present file."""
    return re.sub(
        r"```toml\n.*?```", lambda _: f"```toml\n{as_toml(Config())}```", text, flags=re.S
    )


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    SERVICE.write_text(as_toml(Config()), encoding="utf-8")
