"""Writes the lock files: what `make play` and `make install` install, each file by its hash.

    make lock

pip resolves what pyproject.toml asks for; then the hashes of all files of each version are taken
from the index that pip uses, so that the lock holds for every machine and every Python that
Lampion runs on. Nothing of that index is named: each installation uses the index of its own pip.
Run it with the oldest Python that is supported, for that one needs the most packages.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

from pip._internal.commands import create_command
from pip._internal.index.collector import LinkCollector, parse_links
from pip._internal.models.link import Link
from pip._vendor.packaging.requirements import Requirement
from pip._vendor.packaging.utils import parse_sdist_filename, parse_wheel_filename

HERE = Path(__file__).parent.parent
# What builds the packages that have no wheel for a machine: msgspec, on a 32-bit Pi.
BUILDERS = ["setuptools-scm>=8"]
# A Pi with Debian 13, which needs another package than one with the oldest Python.
NEWEST, PI = "3.13", ["manylinux2014_aarch64", "manylinux_2_34_aarch64"]


def main() -> None:
    project = tomllib.loads((HERE / "pyproject.toml").read_text(encoding="utf-8"))
    oldest = project["project"]["requires-python"].partition(",")[0].removeprefix(">=")
    if sys.version_info[:2] != tuple(map(int, oldest.split("."))):
        sys.exit(f"lock.py: run it with Python {oldest}, the oldest one that is supported")
    builders = [*project["build-system"]["requires"], *BUILDERS]
    write("requirements-build.lock", "what builds a package", builders)
    write("requirements.lock", "what Lampion needs to run", project["project"]["dependencies"])
    extras = project["project"]["optional-dependencies"]
    board = [*extras["pi"], *extras["mqtt"]]
    write("requirements-pi.lock", "what it needs beside for a board and a broker", board)


def write(name: str, about: str, wanted: list[str]) -> None:
    """Write a lock file; what does not change keeps its place."""
    lines = [f"# {about[0].upper()}{about[1:]}, by version and hash; written by `make lock`."]
    for package, version, marker in resolved(wanted):
        hashes = hashes_of(package, version)
        if not hashes:
            sys.exit(f"lock.py: the index knows no hash of {package} {version}")
        lines.append(f"{package}=={version}{marker} \\")
        lines.append(" \\\n".join(f"    --hash=sha256:{each}" for each in hashes))
    (HERE / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{name}: {sum('==' in line for line in lines)} packages")


def resolved(wanted: list[str]) -> list[tuple[str, str, str]]:
    """Return the names and versions that pip would install for these requirements, each with its
    marker if only some machines need it.
    """
    common, newest, markers = [], [], {}
    for requirement in map(Requirement, wanted):
        marker, requirement.marker = requirement.marker, None
        if marker is not None and "python_version" in str(marker):
            markers[requirement.name] = f" ; {marker}"
        (common if marker is None or marker.evaluate() else newest).append(str(requirement))
    found = dict(planned(common, "--ignore-installed"))
    if newest:  # of another Python's packages pip does not say what they need in turn
        pi = ["--python-version", NEWEST, "--ignore-requires-python"]
        pi += [f"--platform={each}" for each in PI]
        with tempfile.TemporaryDirectory() as nowhere:
            found.update(planned(newest, "--no-deps", "--target", nowhere, *pi))
    return sorted((name, version, markers.get(name, "")) for name, version in found.items())


def planned(wanted: list[str], *options: str) -> list[tuple[str, str]]:
    """Return the names and versions that pip would install with these options."""
    with tempfile.TemporaryDirectory() as directory:
        report = Path(directory) / "report.json"
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run"]
        pip += ["--only-binary", ":all:", "--report", str(report), *options]
        subprocess.run([*pip, *wanted], check=True)
        installed: list[Any] = json.loads(report.read_text(encoding="utf-8"))["install"]
    found = ((each["metadata"]["name"], each["metadata"]["version"]) for each in installed)
    return [(name.lower().replace("_", "-"), version) for name, version in found]


def hashes_of(package: str, version: str) -> list[str]:
    """Return the SHA-256 of all files of a version: wheels of all machines, and the source."""
    command = create_command("download")
    options, _ = command.parse_args([package])
    hashes = set()
    with command.main_context():
        collector = LinkCollector.create(command.get_default_session(options), options)
        for url in collector.search_scope.get_index_urls_locations(package):
            page = collector.fetch_response(Link(url))
            for link in parse_links(page) if page is not None else ():
                if version_of(link.filename) == version and link.hash_name == "sha256":
                    hashes.add(str(link.hash))
    return sorted(hashes)


def version_of(filename: str) -> str:
    """Return the version that a file is of; empty if that is neither a wheel nor a source."""
    try:
        if filename.endswith(".whl"):
            return str(parse_wheel_filename(filename)[1])
        return str(parse_sdist_filename(filename)[1])
    except ValueError:
        return ""


if __name__ == "__main__":
    main()
