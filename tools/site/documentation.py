"""The documentation as pages of the site."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Final

from tools.site.part import CannotBuildError, SitePart, run

ROOT: Final = Path(__file__).parents[2]


def documentation(folder: Path, _: Path) -> SitePart:
    """Build the documentation in a folder, as `make docs` does."""
    mkdocs = shutil.which("mkdocs", path=str(Path(sys.executable).parent))
    if mkdocs is None:
        raise CannotBuildError("MkDocs builds the documentation, and is missing: run `make site`")
    command = [mkdocs, "build", "--strict", "--quiet", "--site-dir", str(folder)]
    run(*command, folder=ROOT)
    return SitePart("Documentation", "A first evening, building a board, and how all of it works.")
