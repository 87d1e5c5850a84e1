"""A few cases of many for a quick run, the rest for `make deep`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import pytest

from engine.games import NAMES


def a_few(cases: Sequence[Any], quick: int = 1) -> list[Any]:
    """Return cases of which only the first few are tried in a quick run."""
    return [*cases[:quick], *(deep(case) for case in cases[quick:])]


def all_but(cases: Sequence[Any], rare: Sequence[Any]) -> list[Any]:
    """Return cases of which some, given once more, are only tried by `make deep`."""
    assert all(case in cases for case in rare)
    return [deep(case) if case in rare else case for case in cases]


def deep(case: Any) -> Any:
    """Return a case that only `make deep` tries."""
    return pytest.param(*(case if type(case) is tuple else (case,)), marks=pytest.mark.deep)


EACH_GAME = all_but(
    [*product(NAMES, ("presence", "polarity"))],
    [
        ("robot-duel", "polarity"),
        ("shogi", "presence"),
        ("chaturaji", "polarity"),
        ("robotory", "presence"),
        ("abalone", "presence"),
    ],
)
"""Each game with either sensing, of which a quick run tries one."""
