"""What a board in a browser tab needs beside the project's own files, by version and hash."""

from __future__ import annotations

import base64
import hashlib
import json
import shutil
import sys
import tarfile
from pathlib import Path
from typing import Final

from tools.site.part import CannotBuildError, run

PYODIDE: Final = "314.0.7"
"""Python for browsers: the version of the npm package …"""
INTEGRITY: Final = (
    "sha512-0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7"
    "y2q+SNvi/6V5JEsOlD2R1A=="
)
"""… and its hash, as npm writes it."""
PYODIDE_FILES: Final = {
    "pyodide.mjs": "pyodide.js",
    "pyodide.asm.mjs": "pyodide.asm.js",
    "pyodide.asm.wasm": "pyodide.asm.wasm",
    "python_stdlib.zip": "python_stdlib.zip",
}
"""The files that are used, with their names on the site: some web servers do not know `.mjs`."""
PLATFORM: Final = ("pyemscripten_2026_0_wasm32", "3.14", "cp314")
"""The platform tag, Python version and ABI of that Pyodide, as pip names them."""
PACKAGES: Final = ("anyio", "idna", "msgspec", "segno", "starlette", "typing-extensions")
"""What the program needs in a tab; `requirements.lock` has their versions and hashes."""


def pyodide(folder: Path, downloads: Path) -> None:
    """Put the files of Pyodide into a folder."""
    packed = downloads / f"pyodide-{PYODIDE}.tgz"
    if not packed.exists():
        npm = shutil.which("npm")
        if npm is None:
            raise CannotBuildError("npm fetches Pyodide, and is missing: sudo apt-get install npm")
        run(
            npm,
            "pack",
            "--loglevel=error",
            "--pack-destination",
            str(downloads),
            f"pyodide@{PYODIDE}",
        )
    found = hashlib.sha512(packed.read_bytes()).digest()
    if f"sha512-{base64.b64encode(found).decode()}" != INTEGRITY:
        packed.unlink()
        raise CannotBuildError(f"{packed.name} is not the file that was expected; try again")
    folder.mkdir(parents=True, exist_ok=True)
    with tarfile.open(packed) as archive:
        for packed_as, name in PYODIDE_FILES.items():
            member = archive.extractfile(f"package/{packed_as}")
            assert member is not None
            (folder / name).write_bytes(member.read())
        lock = archive.extractfile("package/pyodide-lock.json")
        assert lock is not None
        # It names what Pyodide could fetch from elsewhere: nothing of that is used.
        own = {"info": json.load(lock)["info"], "packages": {}}
        (folder / "pyodide-lock.json").write_text(json.dumps(own), encoding="utf-8")


def wheels(lock: Path, downloads: Path) -> list[Path]:
    """Return the wheels of the packages that the program needs."""
    wanted = downloads / "requirements.txt"
    wanted.write_text(locked(lock.read_text(encoding="utf-8")), encoding="utf-8")
    folder = downloads / "wheels"
    shutil.rmtree(folder, ignore_errors=True)
    platform, version, abi = PLATFORM
    run(
        *(sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "download"),
        *("--require-hashes", "--no-deps", "--only-binary", ":all:", "--dest", str(folder)),
        *("--implementation", "cp", "--python-version", version, "--abi", abi),
        *("--platform", platform, "--requirement", str(wanted)),
    )
    found = sorted(folder.glob("*.whl"))
    if len(found) != len(PACKAGES):
        raise CannotBuildError(f"pip has fetched {len(found)} of {len(PACKAGES)} packages")
    return found


def locked(lock: str) -> str:
    """Return the entries of a lock file for these packages, with their hashes."""
    entries = lock.replace("\\\n", " ").splitlines()
    found = [each for each in entries if each.partition("==")[0].strip() in PACKAGES]
    return "".join(f"{each}\n" for each in found)
