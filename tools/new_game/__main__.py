"""Starts a new game in this checkout: `python -m tools.new_game NAME [--title TITLE]`.

It writes `engine/games/NAME/` with the rules of a small game to replace and
`tests/engine/games/test_NAME.py`. It adds the game to `engine/games/__init__.py`, as an unfinished
one, and a map of its cells to the square layouts. The game can be played at once:
`lampion sim --game NAME`.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
HERE: Final = Path(__file__).parent
LAYOUTS: Final = ("square-reed", "square-hall")
MAP: Final = """
[games.{name}]
seats.white = {{ light = "edge.south", button = "south" }}
seats.black = {{ light = "edge.north", button = "north" }}
places = [
  {{ a3 = "D6", b3 = "E6", c3 = "F6" }},
  {{ a2 = "D5", b2 = "E5", c2 = "F5" }},
  {{ a1 = "D4", b1 = "E4", c1 = "F4" }},
]
"""


class NewGameError(ValueError):
    """Why no game can be started under a name, in one line."""


def start(root: Path, name: str, title: str) -> list[Path]:
    """Write the files of a new game below `root` and return them; NewGameError if impossible."""
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
        raise NewGameError(f"{name!r}: a name is lower-case words joined by -, like robot-duel")
    module, kind = name.replace("-", "_"), "".join(map(str.capitalize, name.split("-")))
    folder = root / "engine" / "games" / module
    if folder.exists():
        raise NewGameError(f"{folder}: this game is there already")
    registry = root / "engine" / "games" / "__init__.py"
    known = registry.read_text("utf-8")
    before, brace, after = known.partition("\n}\n")
    line = f'    "{name}": ("engine.games.{module}", "{kind}"),'
    folder.mkdir()
    written = [folder / "__init__.py", root / "tests" / "engine" / "games" / f"test_{module}.py"]
    for file, source in zip(written, ("template.py", "template_test.py"), strict=True):
        text = (HERE / source).read_text("utf-8")
        text = text.replace('"template"', f'"{name}"').replace('"Template"', f'"{title}"')
        text = text.replace("Template", kind).replace("games.template", f"games.{module}")
        file.write_text(text, "utf-8")
    after = after.replace("frozenset()", "frozenset({})")
    after = re.sub(r"frozenset\(\s*\{", lambda found: f'{found[0]}"{name}", ', after)
    registry.write_text(f"{before}\n{line}{brace}{after}", "utf-8")
    # Long names need other line breaks. Without ruff `make check` says so later.
    formatter = [sys.executable, "-m", "ruff", "format", "--config", str(ROOT / "pyproject.toml")]
    subprocess.run([*formatter, *map(str, written), str(registry)], capture_output=True)
    for layout in LAYOUTS:
        file = root / "hardware" / "layouts" / f"{layout}.toml"
        file.write_text(file.read_text("utf-8") + MAP.format(name=name), "utf-8")
        written.append(file)
    return [*written, registry]


def main(arguments: Sequence[str]) -> int:
    """Start the game of that name; return 1 if that is impossible."""
    parser = argparse.ArgumentParser(prog="python -m tools.new_game", description=__doc__)
    parser.add_argument("name", metavar="NAME", help="as on the command line: robot-duel")
    parser.add_argument("--title", help="as people call it; without it the name in words")
    chosen = parser.parse_args(arguments)
    title = chosen.title or chosen.name.replace("-", " ").title()
    try:
        written = start(ROOT, chosen.name, title)
    except (NewGameError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    for file in written:
        print(file.relative_to(ROOT))
    print(f"Play it: .venv/bin/lampion sim --game {chosen.name}")
    print(f"Test it: .venv/bin/pytest tests -k {chosen.name}")
    print("Replace its rules: docs/adding-a-game.md says what each method answers.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
