"""The packages of `make play` and the service: exact versions, by hash, of all that is needed."""

from __future__ import annotations

import re
import tomllib
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
MACHINES = [
    {"python_version": python, "python_full_version": f"{python}.0", "platform_machine": machine}
    for python in ("3.11", "3.12", "3.13", "3.14")
    for machine in ("x86_64", "aarch64", "armv7l")
]


def locked(name: str) -> dict[str, tuple[str, list[str]]]:
    """Return the packages of a lock file, each with its version and hashes."""
    text = (ROOT / name).read_text(encoding="utf-8").replace(" \\\n", " ")
    found = {}
    for line in text.splitlines():
        if not line.startswith("#"):
            package, *hashes = line.split(" --")
            name, _, version = package.partition(" ; ")[0].strip().partition("==")
            found[name] = (version, [f"--{each.strip()}" for each in hashes])
    return found


LOCK = locked("requirements.lock")
BUILD = locked("requirements-build.lock")
BOARD = locked("requirements-pi.lock")
EXTRAS = PROJECT["project"]["optional-dependencies"]
PI = EXTRAS["pi"]


def needed(
    wanted: list[str], machine: dict[str, str], lock: dict[str, tuple[str, list[str]]] = LOCK
) -> set[str]:
    """Return all packages that some packages need on a machine, recursively; each must be locked
    to a suitable version.
    """
    found: set[str] = set()
    waiting = [Requirement(each) for each in wanted]
    while waiting:
        requirement = waiting.pop()
        if requirement.marker and not requirement.marker.evaluate({"extra": "", **machine}):
            continue
        name = canonicalize_name(requirement.name)
        version, _ = lock[name]
        assert requirement.specifier.contains(version), f"{requirement}, but {version} is locked"
        if name not in found:
            found.add(name)
            with suppress(PackageNotFoundError):  # not needed on this machine
                waiting += [Requirement(each) for each in distribution(name).requires or ()]
    return found


@pytest.mark.parametrize("machine", MACHINES, ids=lambda each: "-".join(list(each.values())[::2]))
def test_all_that_is_needed_is_locked(machine: dict[str, str]) -> None:
    assert needed(PROJECT["project"]["dependencies"], machine) <= LOCK.keys()


def test_nothing_is_locked_that_nobody_needs() -> None:
    wanted = PROJECT["project"]["dependencies"]
    assert set().union(*(needed(wanted, machine) for machine in MACHINES)) == LOCK.keys()


def test_what_a_board_needs_is_locked_and_nothing_else() -> None:
    pis = [{"sys_platform": "linux", **machine} for machine in MACHINES]
    everything = [needed([*PI, *EXTRAS["mqtt"]], machine, BOARD) for machine in pis]
    assert set().union(*everything) == BOARD.keys()
    for package, (version, _) in BOARD.items():
        for other in (LOCK, BUILD):
            assert other.get(package, (version,))[0] == version, package


def test_what_builds_it_is_locked_too() -> None:
    for each in PROJECT["build-system"]["requires"]:
        requirement = Requirement(each)
        assert requirement.specifier.contains(BUILD[requirement.name][0])


@pytest.mark.parametrize(
    "name", ["requirements.lock", "requirements-build.lock", "requirements-pi.lock"]
)
def test_every_file_is_known_by_its_hash_and_no_registry_is_named(name: str) -> None:
    for package, (version, hashes) in locked(name).items():
        assert re.fullmatch(r"[\d.]+(?:post\d+)?", version), package
        assert len(hashes) >= 2, f"{package}: a wheel and the source"
        assert all(re.fullmatch(r"--hash=sha256:[0-9a-f]{64}", each) for each in hashes)
    text = (ROOT / name).read_text(encoding="utf-8")
    assert "://" not in text
    assert "index" not in text


@pytest.mark.parametrize("file", ["Makefile", "systemd/install.sh"])
def test_it_is_what_is_installed(file: str) -> None:
    text = (ROOT / file).read_text(encoding="utf-8").replace("\\\n", " ")
    assert re.search(r"--require-hashes .*requirements-build\.lock", text)
    assert re.search(r"--require-hashes .*requirements\.lock", text)
    assert ("requirements-pi.lock" in text) == (file != "Makefile")
    assert re.search(r"--no-build-isolation +--no-deps ", text)


def test_what_only_a_board_needs_is_an_extra_and_what_must_be_compiled_another() -> None:
    pi = {Requirement(each).name for each in PI}
    assert {"cobs", "gpiozero", "smbus2", "pyserial"} == pi
    assert not pi & LOCK.keys()
    compiled = {
        name
        for name, wanted in EXTRAS.items()
        if any(Requirement(each).name == "rpi-ws281x" for each in wanted)
    }
    assert compiled == {"ws281x"}
