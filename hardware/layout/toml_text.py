"""Parses TOML that somebody wrote by hand; whatever is wrong with it is one line."""

from __future__ import annotations

import tomllib
from typing import Any


def parsed(text: str) -> dict[str, Any]:
    """Return what a text in TOML holds; ValueError says in one line why it is none."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except RecursionError:
        raise ValueError("lists or tables lie too deep in one another") from None
    except ValueError:  # Python converts no longer number; its own words name an inner function
        raise ValueError("a number has too many digits") from None
