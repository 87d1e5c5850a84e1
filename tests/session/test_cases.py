"""What the board reads from what hands do: each case of `cases/*.txt`, as it is written there.

A case is a sentence, then a line for each board, and below that what people do, in the words of
`Timeline`. A script begins four blanks in; its further lines begin six blanks in.

    a captured piece may be parked
      robot-duel presence|polarity with|without hand from gle/1c1/1C1/ELG b - 1
        1 B3- 0.4 B2- 0.06 A3+ {0.5 | 3.0} B2+ 2 A3-
          0.4 hand.A.C+ 5 [B3B2]

A line of a board has its game, its sensing, the trays without sensors, the position and, behind
`with`, an option. Wherever
there is a `|`, each alternative is tried; what `{late: 0.1 | 0.2}` names comes again as `{late}`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

BOARD = re.compile(
    r"(?P<game>\S+) (?P<sensing>\S+)( (?P<either>with\|)?without (?P<trays>\S+))?"
    r"( from (?P<position>.+?))?( with (?P<options>\S+))?"
)


def written(file: Path) -> Iterator[tuple[str, str, str]]:
    """Yield the sentence, the board and the script of each case in a file."""
    title = board = ""
    scripts: list[list[str]] = []
    for line in [*file.read_text(encoding="utf-8").splitlines(), "the end"]:
        indent = len(line) - len(line.lstrip())
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if indent == 6:
            scripts[-1].append(line.strip())
            continue
        if indent == 4:
            scripts.append([line.strip()])
            continue
        yield from ((title, board, " ".join(script)) for script in scripts)
        scripts = []
        title, board = (line, "") if indent == 0 else (title, line.strip())


def alternatives(script: str) -> Iterator[str]:
    """Yield a script with each of its alternatives."""
    found = re.search(r"\{(?:(\w+): )?([^}]*)\}", script)
    if found is None:
        yield script
        return
    for each in found[2].split(" | "):
        chosen = script[: found.start()] + each + script[found.end() :]
        yield from alternatives(chosen.replace(f"{{{found[1]}}}", each) if found[1] else chosen)


def each_case() -> Iterator[Any]:
    for file in sorted((Path(__file__).parent / "cases").glob("*.txt")):
        for title, board, script in written(file):
            found = BOARD.fullmatch(board)
            assert found is not None, f"{file.name}: {title}: {board}"
            trays = tuple(found["trays"].split(",")) if found["trays"] else ()
            unsensed = [(), trays] if found["either"] else [trays]
            sensings = found["sensing"].split("|")
            for sensing, bare, each in product(sensings, unsensed, alternatives(script)):
                made = found["game"], sensing, found["position"], bare
                options = dict(option.split("=") for option in (found["options"] or "").split())
                yield pytest.param(made, options, each, id=f"{file.stem}: {title}")


@pytest.mark.parametrize(("board", "options", "script"), list(each_case()))
def test_what_hands_do_is_read(
    timeline: Any, board: tuple[Any, ...], options: dict[str, str], script: str
) -> None:
    assert re.search(r"[\[:]", script), "it says what is read"
    timeline(*board, **options).hands(script)
