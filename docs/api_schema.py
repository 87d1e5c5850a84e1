"""Write api.schema.json: `python docs/api_schema.py`."""

from __future__ import annotations

import json
from pathlib import Path

from firmware_host.web.messages import schema

FILE = Path(__file__).with_name("api.schema.json")


def written() -> str:
    """Return the schema of the messages as the file has it."""
    return json.dumps(schema(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(written(), encoding="utf-8")
