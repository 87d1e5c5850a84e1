"""What holds for the source as a whole."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDERS = ("benchmarks", "drivers", "engine", "firmware_host", "hardware", "tools")


def test_no_two_classes_have_one_name() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for folder in FOLDERS:
        for file in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ClassDef):
                    places[node.name].append(str(file.relative_to(ROOT)))
    assert len(places) > 300
    assert {name: files for name, files in places.items() if len(files) > 1} == {}
