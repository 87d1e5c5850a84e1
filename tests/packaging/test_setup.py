"""`make` on a machine that lacks something, in a copy of the project with a fake pip."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PYTHON = """#!/bin/sh
# A Python whose venv has no pip but the one below.
case "$*" in
  *version_info*) exit {old} ;;
  *ensurepip*) exit {lacks_venv} ;;
  "-m venv"*)
    {before_venv}
    "{python}" "$@" && cp packages/* "$(ls -d .venv/lib/python*)/site-packages" ;;
  *) exec "{python}" "$@" ;;
esac
"""
FAILS = """
import os, sys
from pathlib import Path
if os.path.exists("ensurepip.fails"):
    sys.exit(Path("ensurepip.fails").read_text())
"""
PIP = """
import os, sys, sysconfig
from pathlib import Path
with open("pip.log", "a") as log:
    print(*sys.argv[1:], file=log)
if os.path.exists("pip.fails"):
    sys.exit(Path("pip.fails").read_text())
if "--editable" in sys.argv:
    Path(sysconfig.get_path("purelib"), "here.pth").write_text(os.getcwd())
    Path(".venv/bin/lampion").write_text(f"#!{sys.executable}")
"""


class Copy:
    """A folder with what `make` needs, and a Python."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.folder = folder
        for name in ("Makefile", "pyproject.toml", ".ci/pip.sh", ".ci/venv.sh", ".ci/run"):
            (folder / name).parent.mkdir(exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
        made = ("requirements-build.lock", "requirements.lock", "setup.py")
        for name in (*made, "tools/po.py", "tools/words.py", "firmware_host/__init__.py"):
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).touch()
        (folder / "packages").mkdir()
        (folder / "packages/pip.py").write_text(PIP)
        (folder / "packages/ensurepip.py").write_text(FAILS)
        (folder / "packages/first.pth").write_text("import sys; sys.path.insert(0, sitedir)\n")
        self.python()

    def python(self, *, old: int = 0, lacks_venv: int = 0, before_venv: str = "") -> None:
        text = PYTHON.format(
            python=sys.executable, old=old, lacks_venv=lacks_venv, before_venv=before_venv
        )
        self._program("my python", text)

    def programs(self, text: str, *names: str) -> None:
        """Replace programs that pip would install by a shell script."""
        for name in names:
            self._program(f".venv/bin/{name}", f"#!/bin/sh\n{text}\n")

    def _program(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text)
        (self.folder / name).chmod(0o755)

    def make(self, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
        outer = {k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS"))}
        done = subprocess.run(
            words or ("make", "setup"),
            cwd=self.folder,
            env={**outer, "PYTHON": f"{self.folder}/my python", **environment},
            capture_output=True,
            text=True,
            check=False,
        )
        assert "Traceback" not in done.stderr
        return done

    @property
    def pips(self) -> int:
        """Return the number of calls of pip."""
        log = self.folder / "pip.log"
        return log.read_text().count("\n") if log.exists() else 0


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    return Copy(tmp_path / "a folder")


def test_a_folder_that_was_moved_or_copied_is_set_up_once_more(copy: Copy, tmp_path: Path) -> None:
    assert copy.make().returncode == 0
    assert copy.pips == 3
    assert copy.make().returncode == 0
    assert copy.pips == 3, "nothing is to be done"
    for number, move in enumerate(
        (copy.folder.rename, lambda to: shutil.copytree(copy.folder, to))
    ):
        copy.folder = Path(move(tmp_path / f"another folder {number}"))
        done = copy.make()
        assert done.returncode == 0, done.stderr
        assert copy.pips == 6 + 3 * number
        program = (copy.folder / ".venv/bin/lampion").read_text()
        assert program == f"#!{copy.folder}/.venv/bin/python"
        assert copy.make().returncode == 0
        assert copy.pips == 6 + 3 * number


def test_a_python_that_has_gone_is_replaced(copy: Copy) -> None:
    assert copy.make().returncode == 0
    python = copy.folder / ".venv/bin/python"
    python.unlink()
    python.symlink_to("/nowhere/python3.11")
    assert copy.make().returncode == 0
    assert python.exists()


def test_a_venv_that_make_has_not_made_is_not_cleared(copy: Copy) -> None:
    (copy.folder / ".venv").mkdir()
    (copy.folder / ".venv/kept").touch()
    assert copy.make().returncode == 0
    assert (copy.folder / ".venv/kept").exists()


def test_an_error_of_venv_is_not_called_a_missing_module(copy: Copy) -> None:
    copy.python(before_venv="echo 'Error: [Errno 30] Read-only file system' >&2; exit 1")
    done = copy.make()
    assert done.returncode != 0
    assert done.stderr.startswith("Error: [Errno 30] Read-only file system\n")
    assert done.stdout == ""


def test_an_error_of_pip_in_venv_is_printed_without_its_traceback(copy: Copy) -> None:
    (copy.folder / "ensurepip.fails").write_text(
        f"Installing collected packages: pip\n{OTHERWISE}\n\n"
        "subprocess.CalledProcessError: Command '['.venv/bin/python', '-I']' returned 2"
    )
    done = copy.make()
    assert done.returncode != 0
    assert done.stderr.startswith(f"{OTHERWISE}\nmake: ***")
    (copy.folder / "ensurepip.fails").write_text("OSError: out of luck")
    assert copy.make().stderr.startswith("OSError: out of luck\nmake: ***")


@pytest.mark.parametrize(
    ("lacks", "said"),
    [
        ({"old": 1}, "Lampion needs Python 3.11 or newer; set PYTHON=/path/to/one"),
        ({"lacks_venv": 1}, "Python has no venv module here: sudo apt-get install python3-venv"),
    ],
)
def test_a_python_that_will_not_do_is_refused_in_one_line(
    copy: Copy, lacks: dict[str, int], said: str
) -> None:
    copy.python(**lacks)
    done = copy.make()
    assert done.returncode != 0
    assert done.stdout == f"{said}\n"
    assert not (copy.folder / ".venv").exists()


NO_NETWORK = """\
WARNING: Retrying (Retry(total=0, connect=None, read=None, redirect=None, status=None)) after \
connection broken by 'NewConnectionError('Failed to establish a new connection: [Errno -3] \
Temporary failure in name resolution')': /simple/packaging/
ERROR: Could not find a version that satisfies the requirement packaging==26.4 (from versions: none)
ERROR: No matching distribution found for packaging==26.4"""
NO_GCC = """\
      building 'msgspec._core' extension
      arm-linux-gnueabihf-gcc -c src/msgspec/_core.c
      error: [Errno 2] No such file or directory: 'arm-linux-gnueabihf-gcc'
ERROR: Failed building wheel for msgspec"""
NO_HEADERS = """\
      src/msgspec/_core.c:9:10: fatal error: Python.h: No such file or directory
      error: command '/usr/bin/arm-linux-gnueabihf-gcc' failed with exit code 1"""
OTHERWISE = (
    "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device"
)
CONNECT = "lampion: no network: the packages cannot be fetched; connect, and try again"
COMPILER = "lampion: a package must be compiled here: sudo apt-get install gcc python3-dev"


@pytest.mark.parametrize(
    ("fails", "said"),
    [(NO_NETWORK, CONNECT), (NO_GCC, COMPILER), (NO_HEADERS, COMPILER), (OTHERWISE, OTHERWISE)],
    ids=["no network", "no gcc", "no headers", "a full disk"],
)
def test_the_reason_why_pip_fails_is_one_line(copy: Copy, fails: str, said: str) -> None:
    (copy.folder / "pip.fails").write_text(fails)
    done = copy.make()
    assert done.returncode != 0
    first, *others = done.stderr.splitlines()
    assert first == said
    assert all(line.startswith("make: ***") for line in others)


def test_no_variable_of_a_shell_reaches_the_tests(copy: Copy) -> None:
    assert copy.make().returncode == 0
    told = copy.folder / "variables"
    copy.programs("exit 0", "ruff", "reuse", "mypy", "lint-imports")
    copy.programs(f"env > '{told}'", "pytest")
    (copy.folder / "tests").mkdir()
    (copy.folder / "tests/install_chromium.sh").touch()
    (copy.folder / ".venv/dev").touch()
    odd = {
        "PYTHONUNBUFFERED": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUTF8": "0",
        "PYTHONPATH": "/nowhere",
        "LANG": "pl_PL.ISO-8859-2",
        "LANGUAGE": "cs",
        "LC_MESSAGES": "fr_FR",
        "PIP_INDEX_URL": "kept",
    }
    for words in (("make", "test"), (".ci/run",)):
        done = copy.make(*words, **odd)
        assert done.returncode == 0, done.stderr
        found = dict(line.split("=", 1) for line in told.read_text().splitlines())
        assert found["LC_ALL"] == "C.UTF-8"
        assert found["PIP_INDEX_URL"] == "kept"
        others = {name for name in found if name.startswith(("PYTHON", "LANG", "LC_"))}
        assert others <= {"PYTHON", "LC_ALL"}
        told.unlink()
