"""The view is all that others see of a session."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.reading.verdict import Underway

SOURCE = Path(__file__).parents[2] / "firmware_host"
PUBLIC = frozenset(
    [
        "view",
        "handle",
        "now",
        "deadline",
        "thinking",
        "settling",
        "game",
        "sight",
        "record",
        "guide_to",
        "compared",
        "has_requests",
    ]
)
"""What other packages may use of a session."""


def _uses_of_a_session(tree: ast.AST) -> Iterator[ast.Attribute]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            owner = node.value
            name = owner.id if isinstance(owner, ast.Name) else getattr(owner, "attr", "")
            if name in ("session", "_session"):
                yield node


def test_other_packages_use_the_public_members_of_a_session_only() -> None:
    outside = [path for path in SOURCE.rglob("*.py") if path.parent.name != "session"]
    used = [
        (f"{path.relative_to(SOURCE)}:{use.lineno}", use.attr)
        for path in outside
        for use in _uses_of_a_session(ast.parse(path.read_text()))
    ]
    assert len(used) > 20
    assert [use for use in used if use[1] not in PUBLIC] == []


def test_a_view_holds_until_the_next_event(timeline: Any) -> None:
    board = timeline()
    before = board.session.view
    assert board.session.view is before
    board.hands("1 C4-").rest(0.2)
    after = board.session.view
    assert before.levels["C4"] == 1
    assert "C4" not in after.levels
    assert not isinstance(before.verdict, Underway)
    assert isinstance(after.verdict, Underway)
