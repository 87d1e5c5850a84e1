"""The configuration as a commented TOML file that loads again."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator
from typing import Any, Final

from firmware_host.config.config import Config, Key, keys

WIDTH: Final = 96


def as_toml(config: Config) -> str:
    """Return all keys with their values, descriptions, allowed values and defaults."""
    return "\n".join(_lines(config)) + "\n"


def _lines(config: Config) -> Iterator[str]:
    yield "# The configuration of a Lampion board; see `lampion run`."
    table = ""
    for key in keys():
        value: Any = config
        for part in key.name.split("."):
            value = getattr(value, part)
        yield ""
        if key.table not in ("", table):
            table = key.table
            yield f"[{table}]"
        yield from _comment(key)
        if key.free:
            yield f"[{key.name}]"
            yield from (f"{_name(name)} = {_toml(each)}" for name, each in value.items())
        else:
            yield f"{key.name.rpartition('.')[2]} = {_toml(value)}"


def _comment(key: Key) -> Iterator[str]:
    default = "empty" if key.free else _toml(key.default)
    for text in (key.about, f"Allowed: {key.allowed}", f"Default: {default}"):
        yield from textwrap.wrap(
            text, WIDTH, initial_indent="# ", subsequent_indent="#   ", break_on_hyphens=False
        )


def _toml(value: Any) -> str:
    """Return a value as TOML. Its strings are those of JSON, except for one character."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _name(text: str) -> str:
    return text if text.isascii() and text.isalnum() else _toml(text)
