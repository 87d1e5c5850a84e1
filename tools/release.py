"""Builds the packages that are published, and checks that they can be installed.

    make release ADDRESS=https://…

The last commit is built into `dist/`: a source package, and a wheel from that source package. The
wheel is then installed into a fresh virtual environment, with what `requirements.lock` names, and
must run there. ADDRESS is where the project's repository can be read, in the form of GitHub: the
package then names it, and pictures and links of its README lead there. Nothing is uploaded.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import venv
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[1]
_BUILD: Final = (
    "import sys; from setuptools import build_meta; getattr(build_meta, sys.argv[1])(sys.argv[2])"
)
"""A program that calls one function of the build, in the folder of the project."""
_LINK: Final = re.compile(r"(!?)\[([^\]]*)\]\((?!https?://|#)([^)\s]+)\)")
_RUNS: Final = (["--version"], ["sim", "--help"], ["layouts", "square-reed"], ["legal", "shogi"])
"""Commands of which each needs another part of what is installed."""


def main() -> int:
    """Build and check the last commit; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.release", description=__doc__)
    parser.add_argument("--address", default="", metavar="URL", help="of the repository")
    parser.add_argument("--out", default=ROOT / "dist", type=Path, metavar="FOLDER")
    arguments = parser.parse_args()
    version = version_of(ROOT)
    if _git(ROOT, "status", "--porcelain"):
        print("release: some changes are not committed; commit them first", file=sys.stderr)
        return 1
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    if f"\n## {version} " not in changes:
        print(f"release: CHANGELOG.md has no section {version}", file=sys.stderr)
        return 1
    arguments.out.mkdir(parents=True, exist_ok=True)
    packages = build(ROOT, arguments.out.resolve(), arguments.address.rstrip("/"))
    check(packages[0], version)
    for package in packages:
        print(f"{hashlib.sha256(package.read_bytes()).hexdigest()}  {package}")
    return 0


def version_of(root: Path) -> str:
    """Return the version that the project has."""
    text = (root / "pyproject.toml").read_text(encoding="utf-8")
    return str(tomllib.loads(text)["project"]["version"])


def files_of_git(root: Path) -> list[str]:
    """Return the files that git knows, or would take, by their path in the project."""
    listed = _git(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    return [name for name in listed.split("\0") if name and (root / name).is_file()]


def build(root: Path, out: Path, address: str = "") -> tuple[Path, Path]:
    """Build the wheel and the source package into a folder, and return both.

    They are built in a copy, so no file of an older build can be in them. The times in them are
    that of the last commit: building again gives the same wheel.
    """
    version = version_of(root)
    seconds = _git(root, "log", "-1", "--format=%ct").strip()
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        for name in files_of_git(root):
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(root / name, copy / name)
        if address:
            name_address(copy, address, version)
        build_one("sdist", copy, out, seconds)
        source = out / f"lampion-{version}.tar.gz"
        _run(["tar", "-xzf", str(source), "-C", folder])
        unpacked = Path(folder) / f"lampion-{version}"
        build_one("wheel", unpacked, out, seconds)
    return out / f"lampion-{version}-py3-none-any.whl", source


def build_one(kind: str, source: Path, out: Path, seconds: str) -> None:
    """Build a `wheel` or an `sdist` of a folder; its files have this time, in Unix seconds."""
    times = {**os.environ, "SOURCE_DATE_EPOCH": seconds}
    _run([sys.executable, "-c", _BUILD, f"build_{kind}", str(out)], cwd=source, env=times)


def name_address(copy: Path, address: str, version: str) -> None:
    """Write the address into a copy of the project: as its home, and before links of its README."""
    project = copy / "pyproject.toml"
    text = project.read_text(encoding="utf-8")
    urls = (
        f'[project.urls]\nHomepage = "{address}"\n'
        f'Changelog = "{address}/blob/v{version}/CHANGELOG.md"\nIssues = "{address}/issues"\n\n'
    )
    project.write_text(text.replace("[project.scripts]", urls + "[project.scripts]"))
    readme = copy / "README.md"
    text = readme.read_text(encoding="utf-8")
    readme.write_text(with_absolute_links(text, address, f"v{version}"), encoding="utf-8")


def with_absolute_links(text: str, address: str, tag: str) -> str:
    """Return Markdown whose links to files of the project lead to an address and a tag of it."""

    def absolute(link: re.Match[str]) -> str:
        picture, words, file = link.groups()
        return f"{picture}[{words}]({address}/{'raw' if picture else 'blob'}/{tag}/{file})"

    return _LINK.sub(absolute, text)


def check(wheel: Path, version: str) -> None:
    """Install the wheel into a fresh environment, and run some of it; SystemExit if it fails."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        program = Path(folder) / "bin"
        pip = ["sh", str(ROOT / ".ci/pip.sh"), str(program / "python"), "install"]
        _run([*pip, "--require-hashes", "--requirement", str(ROOT / "requirements.lock")])
        _run([*pip, "--no-deps", "--no-index", str(wheel)])
        said = [_run([str(program / "lampion"), *words], cwd=folder) for words in _RUNS]
    if said[0] != f"lampion {version}\n":
        sys.exit(f"release: the package says that it is {said[0].strip()}, not {version}")


def _git(root: Path, *words: str) -> str:
    return _run(["git", *words], cwd=root)


def _run(command: list[str], **how: Any) -> str:
    """Return what a command prints; if it fails, SystemExit with its last words."""
    done: subprocess.CompletedProcess[str] = subprocess.run(
        command, capture_output=True, text=True, check=False, **how
    )
    if done.returncode:
        *_, last = (done.stderr or done.stdout).strip().splitlines() or [f"code {done.returncode}"]
        sys.exit(f"release: {' '.join(command[:4])}: {last}")
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
