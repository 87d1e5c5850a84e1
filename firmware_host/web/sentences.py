"""The sentences that the page itself shows, found in its own source files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

STATIC: Final = Path(__file__).parent / "static"
_ESCAPES: Final = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}


@cache
def page_sentences() -> dict[str, str]:
    """Return the sentences that the page itself shows, each with its plural (or `""`)."""
    found: dict[str, str] = {}
    for source in sorted(STATIC.glob("*")):
        if source.suffix in {".js", ".html"}:
            for text, plural in _shown(source.read_text(encoding="utf-8")):
                found[text] = plural or found.get(text, "")
    found.pop("", None)
    return found


def _shown(source: str) -> Iterator[tuple[str, str]]:
    """Yield the sentences of the page: `t("…")`, `tn("…", "…", n)`, and `data-t` in HTML."""
    text = r'"((?:[^"\\]|\\.)*)"'
    for match in re.finditer(rf"\btn\(\s*{text},\s*{text}", source):
        yield unescape(match[1]), unescape(match[2])
    for match in re.finditer(rf"\bt\(\s*{text}", source):
        yield unescape(match[1]), ""
    for match in re.finditer(r"<[^>]*\sdata-t(?=[\s>])[^>]*>([^<]*)<", source):
        yield " ".join(match[1].split()), ""
    for match in re.finditer(rf"\bdata-t-(?:label|title)={text}", source):
        yield match[1], ""


def unescape(text: str) -> str:
    """Return a text of JavaScript without its backslashes."""
    return re.sub(r"\\(.)", lambda match: _ESCAPES.get(match[1], match[1]), text)
