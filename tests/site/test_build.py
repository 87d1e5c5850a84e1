"""What the site is built of, as far as it needs no network."""

from __future__ import annotations

import asyncio
import io
import json
import re
import zipfile
from pathlib import Path

import pytest

from firmware_host.browser.loading import sentences
from firmware_host.i18n.messages import LANGUAGES
from tools.site import downloads
from tools.site.__main__ import ROOT, build, start_page
from tools.site.downloads import PACKAGES, locked
from tools.site.part import CannotBuildError, SitePart, run
from tools.site.play import answers, program, write_lists, write_page


def test_the_lock_has_all_packages_of_the_tab_with_their_hashes() -> None:
    lines = locked((ROOT / "requirements.lock").read_text(encoding="utf-8")).splitlines()
    assert [line.partition("==")[0] for line in lines] == sorted(PACKAGES)
    assert all(line.count("--hash=sha256:") >= 1 for line in lines)


def test_the_program_is_the_same_whenever_it_is_built() -> None:
    packed = program([])
    assert packed == program([])
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        names = set(archive.namelist())
    assert "firmware_host/browser/board.py" in names
    assert "firmware_host/web/static/app.js" in names  # the program reads its sentences
    assert not any(name.endswith((".pyc", ".po", ".woff2")) for name in names)


def test_the_page_is_that_of_the_server_at_relative_addresses(tmp_path: Path) -> None:
    served = asyncio.run(answers(["/"]))["/"].decode()
    write_page(tmp_path, served)
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    named = re.findall(r'(?:href|src)="([^"#]+)', page)
    files = [name for name in named if not name.startswith("/api/")]
    assert [name for name in files if name.startswith("/")] == []
    own = {"page.js", "loading.css"}
    assert [name for name in files if name not in own and not (tmp_path / name).exists()] == []
    assert served.partition("<header")[2].replace('"/static/', '"static/') in page
    manifest = json.loads((tmp_path / "lampion.webmanifest").read_text(encoding="utf-8"))
    assert manifest["start_url"] == "./"
    assert all((tmp_path / icon["src"]).is_file() for icon in manifest["icons"])


def test_a_changed_file_changes_what_is_kept(tmp_path: Path) -> None:
    names = []
    for text in ("one", "one", "two"):
        (tmp_path / "index.html").write_text(text, encoding="utf-8")
        for made in ("files.js", "kept_list.js"):
            (tmp_path / made).unlink(missing_ok=True)
        write_lists(tmp_path)
        kept = (tmp_path / "kept_list.js").read_text(encoding="utf-8")
        names.append(json.loads(kept.removeprefix("const KEPT = ").rstrip(";\n"))["name"])
    assert names[0] == names[1] != names[2]


def test_a_download_that_is_another_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / f"pyodide-{downloads.PYODIDE}.tgz").write_bytes(b"something else")
    with pytest.raises(CannotBuildError, match="not the file that was expected"):
        downloads.pyodide(tmp_path / "out", tmp_path)
    assert not (tmp_path / f"pyodide-{downloads.PYODIDE}.tgz").exists()


def test_a_machine_without_npm_is_told_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(CannotBuildError, match="apt-get install npm"):
        downloads.pyodide(tmp_path / "out", tmp_path)


def test_the_sentences_of_the_panel_are_in_all_languages() -> None:
    said = sentences()
    assert said.keys() == LANGUAGES.keys()
    for language in LANGUAGES:
        assert "{percent}" in said[language]["loading"]
    for name in said["en"]:
        assert len({said[language][name] for language in LANGUAGES}) == len(LANGUAGES)


def test_the_start_page_names_all_parts() -> None:
    page = start_page(
        {"play": SitePart("Play <now>", "A & B"), "docs": SitePart("Read", "All of it")}
    )
    assert '<a href="play/"><strong>Play &lt;now&gt;</strong>A &amp; B</a>' in page
    assert '<a href="docs/"><strong>Read</strong>All of it</a>' in page


def test_the_start_page_has_its_pictures_and_fonts(tmp_path: Path) -> None:
    build(tmp_path, tmp_path / "downloads", [])
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    files = set(re.findall(r"""(?:src|srcset|href)="([^"]+)"|url\(([^)]+)\)""", page))
    named = {name for pair in files for name in pair if name}
    assert {name for name in named if not (tmp_path / name).is_file()} == set()
    assert {f"start/{file.name}" for file in (tmp_path / "start").iterdir()} == named


def test_a_program_that_fails_is_reported_in_one_line() -> None:
    script = "echo starting >&2; echo 'ERROR: no network' >&2; echo see the log >&2; exit 3"
    with pytest.raises(CannotBuildError, match=r"^sh failed: ERROR: no network$"):
        run("sh", "-c", script)
    with pytest.raises(CannotBuildError, match=r"^sh failed: exit code 3$"):
        run("sh", "-c", "exit 3")
    run("sh", "-c", "true")
