"""Parses TOML that a person wrote; an error is one line."""

from __future__ import annotations

import tomllib
from typing import Any


def parsed(text: str) -> dict[str, Any]:
    """Return the content of a TOML text; ValueError says in one line what is wrong."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except RecursionError:
        raise ValueError("lists or tables lie too deep in one another") from None
    except ValueError:  # a number is too long for Python, whose message names an inner function
        raise ValueError("a number has too many digits") from None
