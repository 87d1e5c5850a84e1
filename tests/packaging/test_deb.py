"""The Debian package that `make deb` makes of installed files, with a fake Python."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tools.release import version_of

ROOT = Path(__file__).parents[2]
COPIED = ("systemd", ".ci", "tools", "drivers", "engine", "firmware_host", "hardware")
PYTHON = """#!/bin/sh
# Debian's Python, of which only the answers count; its venv is empty.
case "$*" in
  *calcsize*) echo 64 ;;
  *"print(sys.version_info[1])"*) echo 11 ;;
  *"print(sys.version_info"*) echo "(3, 11)" ;;
  *"-m venv"*)
    for to; do :; done
    mkdir -p "$to/bin" "$to/lib"
    cp "$0" "$to/bin/python" ;;
esac
"""

pytestmark = pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="no dpkg-deb here")


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the package in a copy of the project, and unpack it."""
    copy = tmp_path_factory.mktemp("copy")
    for name in COPIED:
        shutil.copytree(ROOT / name, copy / name)
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    python = copy / "python"
    python.write_text(PYTHON)
    python.chmod(0o755)
    script = copy / "systemd/deb.sh"
    real = script.read_text(encoding="utf-8")
    script.write_text(real.replace("  /usr/bin/*) ;;", f"  {copy}/*) ;;"))
    done = subprocess.run(
        ["sh", script],
        env={**os.environ, "PYTHON": str(python)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    (built,) = (copy / "dist").glob("*.deb")
    unpacked = copy / "unpacked"
    subprocess.run(["dpkg-deb", "--raw-extract", built, unpacked], check=True)
    return unpacked


def test_the_package_has_its_files_where_a_package_has_them(package: Path) -> None:
    files = {
        str(path.relative_to(package))
        for path in package.rglob("*")
        if (path.is_symlink() or path.is_file()) and "venv" not in path.parts
    }
    assert {name for name in files if not name.startswith("DEBIAN/")} == {
        "etc/lampion/lampion.toml",
        "usr/bin/lampion",
        "usr/lib/systemd/system/lampion-off.path",
        "usr/lib/systemd/system/lampion-off.service",
        "usr/lib/systemd/system/lampion-sim.service",
        "usr/lib/systemd/system/lampion.service",
        "usr/lib/sysusers.d/lampion.conf",
        "usr/lib/udev/rules.d/60-lampion.rules",
        "usr/share/doc/lampion/copyright",
    }
    assert (package / "usr/bin/lampion").readlink() == Path("/opt/lampion/venv/bin/lampion")
    assert not (package / "usr/local").exists()


def test_the_package_needs_the_python_it_was_built_with(package: Path) -> None:
    control = (package / "DEBIAN/control").read_text()
    said = dict(re.findall(r"^([\w-]+): (.*)$", control, re.M))
    assert said["Version"] == version_of(ROOT)
    assert said["Depends"].startswith("python3 (>= 3.11), python3 (<< 3.12), ")
    assert said["Description"] == "game board that knows the rules"
    assert "\n A physical game board" in control


def test_settings_are_kept_until_a_purge(package: Path) -> None:
    assert (package / "DEBIAN/conffiles").read_text() == "/etc/lampion/lampion.toml\n"
    for script in ("preinst", "postinst", "prerm", "postrm"):
        path = package / "DEBIAN" / script
        assert path.stat().st_mode & 0o777 == 0o755
        subprocess.run(["sh", "-n", path], check=True)


def test_another_python_than_debians_is_refused(tmp_path: Path) -> None:
    python = tmp_path / "python3"
    python.write_text(PYTHON)
    python.chmod(0o755)
    done = subprocess.run(
        ["sh", ROOT / "systemd/deb.sh"],
        env={**os.environ, "PYTHON": str(python)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (
        1,
        f"lampion: {python} is not Debian's Python: set PYTHON=/usr/bin/python3\n",
    )
