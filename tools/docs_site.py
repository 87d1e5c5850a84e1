"""Hooks of `mkdocs build` for the documentation as a site: `make docs`.

The pages of `docs/` are the site. Pages that lie elsewhere in the project, such as the wiring and
the change log, are added to it. Links to files that are no page of the site become plain text, or
lead to the repository if `SITE_REPOSITORY` says where that is.
"""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from mkdocs.structure.files import File, Files

ROOT: Final = Path(__file__).parents[1]
STATIC: Final = ROOT / "firmware_host" / "web" / "static"
ELSEWHERE: Final[Mapping[str, str]] = {
    "hardware/PARTS.md": "parts.md",
    "hardware/WIRING.md": "wiring.md",
    "hardware/pico/README.md": "pico.md",
    "systemd/README.md": "service.md",
    "tests/rig/README.md": "rig.md",
    "examples/lampion-chess/README.md": "chess.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "CODE_OF_CONDUCT.md": "conduct.md",
    "README.md": "readme.md",
}
"""The pages of other folders: where each lies in the project, and in the site."""
LINK: Final = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")


def on_files(files: Files, config: Any) -> Files:
    """Add the pages that lie elsewhere, and the letters and the lantern of the program's page."""
    for source, name in ELSEWHERE.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        files.append(File.generated(config, name, content=moved(text, source, name)))
    for file in (STATIC / "lantern.svg", *sorted((STATIC / "fonts").iterdir())):
        name = file.relative_to(STATIC).as_posix()
        files.append(File.generated(config, name, abs_src_path=str(file)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Lead the links of a page of `docs/` to the pages of the site."""
    name = page.file.src_uri
    return markdown if name in ELSEWHERE.values() else moved(markdown, f"docs/{name}", name)


def moved(text: str, source: str, name: str) -> str:
    """Return the text of the page `source` of the project with links as the page `name` of the site
    needs them.
    """

    def link(found: re.Match[str]) -> str:
        image, words, target = found.groups()
        file, hash_mark, anchor = target.partition("#")
        if not file or "://" in file or file.startswith("mailto:"):
            return found[0]
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), file))
        there = ELSEWHERE.get(path) or path.removeprefix("docs/")
        if path in ELSEWHERE or (path.startswith("docs/") and not path.endswith(".py")):
            relative = posixpath.relpath(there, posixpath.dirname(name) or ".")
            return f"{image}[{words}]({relative}{hash_mark}{anchor})"
        repository = os.environ.get("SITE_REPOSITORY", "").rstrip("/")
        return f"[{words}]({repository}/blob/main/{path})" if repository else words

    return LINK.sub(link, text)
