"""The documentation as a site: it is built without a warning, and holds all that it shows."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.deep
def test_the_site_is_built_without_a_warning_and_holds_all_that_it_shows(tmp_path: Path) -> None:
    pytest.importorskip("material", reason="pip install '.[site]'")
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert built.returncode == 0, built.stderr
    for page in tmp_path.rglob("*.html"):
        source = page.read_text(encoding="utf-8")
        for tag, link in re.findall(r'<(\w+)[^>]*? (?:src|href)="?([^"#?> ]+)', source):
            if "://" in link:
                assert tag == "a", f"{page}: {link} is fetched from elsewhere"
            elif not link.startswith(("mailto:", "data:", "/")):
                assert (page.parent / link).resolve().exists(), f"{page}: {link}"
