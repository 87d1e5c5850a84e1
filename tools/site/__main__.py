"""`python -m tools.site`: builds the site."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Callable, Collection
from html import escape
from pathlib import Path
from typing import Final

from tools.site.documentation import documentation
from tools.site.part import CannotBuildError, SitePart
from tools.site.play import play

ROOT: Final = Path(__file__).parents[2]
DOWNLOADS: Final = ROOT / ".venv" / "downloads"
PARTS: Final[dict[str, Callable[[Path, Path], SitePart]]] = {"play": play, "docs": documentation}
"""The parts by their folders. Each function gets its folder, and one to keep downloads in."""

START_PAGE_FILES: Final = (
    "docs/move.webp",
    "docs/board.png",
    "firmware_host/web/static/lantern.svg",
    "firmware_host/web/static/fonts/fraunces.woff2",
    "firmware_host/web/static/fonts/nunito-sans.woff2",
)
"""The pictures and fonts of the start page."""


def main() -> int:
    """Build the site; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.site", description=__doc__)
    parser.add_argument("--out", default=ROOT / "site", type=Path, metavar="FOLDER")
    parser.add_argument("--downloads", default=DOWNLOADS, type=Path, metavar="FOLDER")
    arguments = parser.parse_args()
    try:
        build(arguments.out.resolve(), arguments.downloads.resolve())
    except CannotBuildError as error:
        print(f"site: {error}", file=sys.stderr)
        return 1
    print(f"{arguments.out}: serve it with `python3 -m http.server --directory {arguments.out}`")
    return 0


def build(out: Path, downloads: Path, names: Collection[str] = PARTS) -> None:
    """Build these parts of the site in a folder; what was in it is removed. CannotBuildError says
    in one line what is missing.
    """
    shutil.rmtree(out, ignore_errors=True)
    downloads.mkdir(parents=True, exist_ok=True)
    parts = {}
    for name in names:
        (out / name).mkdir(parents=True)
        parts[name] = PARTS[name](out / name, downloads)
    (out / "index.html").write_text(start_page(parts), encoding="utf-8")
    (out / "start").mkdir()
    for file in START_PAGE_FILES:
        shutil.copy(ROOT / file, out / "start")


def start_page(parts: dict[str, SitePart]) -> str:
    """Return the page that leads to all parts."""
    links = "".join(
        f'<li><a href="{name}/"><strong>{escape(part.title)}</strong>'
        f"{escape(part.about)}</a></li>\n"
        for name, part in parts.items()
    )
    text = (Path(__file__).parent / "start.html").read_text(encoding="utf-8")
    return text.replace("<!-- parts -->", links)


if __name__ == "__main__":
    sys.exit(main())
