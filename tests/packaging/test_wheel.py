"""The packages that are published: what they hold, and that they can be built and installed."""

from __future__ import annotations

import email
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

from tools import release
from tools.release import build, build_one, files_of_git, name_address, with_absolute_links

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PACKAGES = ("drivers", "engine", "firmware_host", "hardware")
NOT_INSTALLED = (".md", ".po")
"""The ends of names of files that only readers and translators need."""


_HEAD = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, check=False)
pytestmark = pytest.mark.skipif(
    _HEAD.returncode != 0, reason="packages are built from the files that git knows"
)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Build both packages from the files of this folder that git knows or could know."""
    return build(ROOT, tmp_path_factory.mktemp("dist"))


def test_the_wheel_holds_what_runs_and_nothing_else(built: tuple[Path, Path]) -> None:
    with zipfile.ZipFile(built[0]) as wheel:
        found = {name for name in wheel.namelist() if ".dist-info/" not in name}
    ours = {
        name for name in files_of_git(ROOT) if name.startswith(tuple(f"{p}/" for p in PACKAGES))
    }
    catalogues = {name.removesuffix(".po") + ".mo" for name in ours if name.endswith(".po")}
    assert len(catalogues) == 3
    assert found == {name for name in ours if not name.endswith(NOT_INSTALLED)} | catalogues


def test_the_wheel_says_what_it_is(built: tuple[Path, Path]) -> None:
    with zipfile.ZipFile(built[0]) as wheel:
        (name,) = (each for each in wheel.namelist() if each.endswith(".dist-info/METADATA"))
        said = email.message_from_bytes(wheel.read(name))
        licences = [each for each in wheel.namelist() if ".dist-info/licenses/" in each]
    assert (said["Name"], said["Version"]) == ("lampion", PROJECT["version"])
    assert said["Requires-Python"] == ">=3.11"
    assert said["License-Expression"] == "MIT AND OFL-1.1"
    assert {each.rpartition("/")[2] for each in licences} == {
        "LICENSE", "fraunces-OFL.txt", "nunito-sans-OFL.txt"
    }  # fmt: skip
    tested = {each.rpartition(" ")[2] for each in said.get_all("Classifier", []) if ":: 3." in each}
    assert tested == {"3.11", "3.12", "3.13", "3.14"}


def test_the_source_package_holds_what_building_needs_and_no_tests(
    built: tuple[Path, Path],
) -> None:
    with tarfile.open(built[1]) as source:
        names = {name.partition("/")[2] for name in source.getnames()}
    assert {
        "setup.py",
        "tools/po.py",
        "firmware_host/i18n/locale/pl/LC_MESSAGES/lampion.po",
    } <= names
    assert not [name for name in names if name.startswith(("tests/", "docs/", "benchmarks/"))]


def test_what_is_in_the_wheel_runs_from_it(built: tuple[Path, Path], tmp_path: Path) -> None:
    with zipfile.ZipFile(built[0]) as wheel:
        wheel.extractall(tmp_path)
    start = "import sys; from firmware_host.__main__ import main; sys.exit(main(sys.argv[1:]))"
    for command, printed in (
        (["--version"], f"lampion {PROJECT['version']}\n"),
        (["layouts"], "square-reed"),
        (["lessons", "abalone"], "abalone"),
    ):
        done = subprocess.run(
            [sys.executable, "-P", "-c", start, *command],
            cwd=tmp_path,
            env={"PYTHONPATH": str(tmp_path), "LC_ALL": "C.UTF-8"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")
        assert printed in done.stdout


def test_what_the_installer_copies_has_its_translations(tmp_path: Path) -> None:
    installer = (ROOT / "systemd/install.sh").read_text(encoding="utf-8").replace("\\\n", " ")
    (copied,) = re.findall(r"&& cp -R (.*?)\"\$build/source\"", installer)
    tops = copied.split()
    source = tmp_path / "source"
    for name in files_of_git(ROOT):
        if name.partition("/")[0] in tops:
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, source / name)
    build_one("wheel", source, tmp_path, "1700000000")
    (package,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(package) as wheel:
        assert len([name for name in wheel.namelist() if name.endswith(".mo")]) == 3


# ---- what a release with an address says


def test_links_of_the_readme_lead_to_the_address() -> None:
    text = "![a](docs/a.png) [b](docs/b.md#c) [here](#d) [e](https://e.example/f)"
    assert with_absolute_links(text, "https://x.example/y", "v1") == (
        "![a](https://x.example/y/raw/v1/docs/a.png) "
        "[b](https://x.example/y/blob/v1/docs/b.md#c) [here](#d) [e](https://e.example/f)"
    )


def test_the_project_says_its_address(tmp_path: Path) -> None:
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, tmp_path)
    name_address(tmp_path, "https://x.example/y", "1.2.3")
    project = tomllib.loads((tmp_path / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["urls"]["Homepage"] == "https://x.example/y"
    assert project["scripts"] == PROJECT["scripts"]
    readme = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert "](https://x.example/y/raw/v1.2.3/docs/move.webp)" in readme
    assert "](docs/" not in readme


# ---- what is refused


@pytest.mark.parametrize(
    ("changes", "also", "complaint"),
    [
        ("## 1.2.3 – 2026-01-01", "new.txt", "some changes are not committed"),
        ("## Unreleased", "", "CHANGELOG.md has no section 1.2.3"),
    ],
)
def test_what_is_not_ready_is_not_built(
    changes: str,
    also: str,
    complaint: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "1.2.3"\n')
    (tmp_path / "CHANGELOG.md").write_text(f"# Changelog\n\n{changes}\n", encoding="utf-8")
    who = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    for words in (["init", "-q"], ["add", "."], [*who, "commit", "-qm", "one"]):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    if also:
        (tmp_path / also).touch()
    monkeypatch.setattr(release, "ROOT", tmp_path)
    monkeypatch.setattr(sys, "argv", ["release", "--out", str(tmp_path / "out")])
    assert release.main() == 1
    assert complaint in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


# ---- the papers name the same version


def test_the_changelog_and_the_citation_are_of_this_version() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8").splitlines()
    (date,) = (line.partition(": ")[2] for line in citation if line.startswith("date-released"))
    assert f"\n## {PROJECT['version']} – {date}\n" in changes
    assert f"version: {PROJECT['version']}" in citation
