"""The card of a Raspberry Pi: what `make sdcard` puts onto it, and what its first start does.

A fake Python fetches nothing. cloud-init itself is not here: it only has to run the script.
"""

from __future__ import annotations

import os
import subprocess
import tarfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "systemd/sdcard/vendor-data"
LOCKS = ("requirements-build.lock", "requirements.lock", "requirements-pi.lock")
PYTHON = """#!/bin/sh
# A Python that fetches a wheel of nothing, and finds every configuration good that is there.
echo "$*" >> {log}
case "$*" in
  *"pip "*) while [ "$1" != --dest ]; do shift; done; : > "$2/a.whl" ;;
  *"config show"*) for file; do :; done; [ -e "$file" ] || {{ echo "no $file" >&2; exit 1; }} ;;
esac
"""
PROGRAM = '#!/bin/sh\necho "$(basename "$0") $* $(cat {etc}/lampion.toml)" >> {log}\n'
INSTALLER = 'echo "install $1 $PIP_NO_INDEX $(ls "$PIP_FIND_LINKS")" >> {log}; exit {code}\n'


@pytest.fixture
def card(tmp_path: Path) -> Path:
    """Return a boot partition as Raspberry Pi OS has it."""
    folder = tmp_path / "a card"
    folder.mkdir()
    for name in ("user-data", "meta-data", "network-config", "config.txt"):
        (folder / name).write_text(name)
    return folder


def make(tmp_path: Path, card: str, config: str) -> subprocess.CompletedProcess[str]:
    python = tmp_path / "python"
    python.write_text(PYTHON.format(log=tmp_path / "log"))
    python.chmod(0o755)
    environment = {"PATH": os.environ["PATH"], "PYTHON": str(python)}
    return subprocess.run(
        ["sh", ROOT / "systemd/sdcard.sh"],
        env={**environment, "CARD": card, "CONFIG": config},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_card_gets_the_program_its_packages_and_the_configuration(
    tmp_path: Path, card: Path
) -> None:
    config = tmp_path / "lampion.toml"
    config.write_text('layout = "hex-reed"\n')
    for _ in range(2):  # it may be repeated
        done = make(tmp_path, str(card), str(config))
        assert (done.returncode, done.stderr) == (0, "")
    assert (card / "vendor-data").read_bytes() == SCRIPT.read_bytes()
    assert (card / "user-data").read_text() == "user-data"  # the Imager's
    with tarfile.open(card / "lampion.tar.gz") as archive:
        names = set(archive.getnames())
        held = archive.extractfile("lampion.toml")
        assert held is not None
        assert held.read() == config.read_bytes()
    needed = {"wheels/a.whl", ".ci/venv.sh", "systemd/install.sh", "systemd/lampion.service"}
    assert names >= needed | {"setup.py", "tools/po.py", *LOCKS}
    assert not any("__pycache__" in name for name in names)
    log = (tmp_path / "log").read_text()
    for lock in LOCKS:
        (fetched, _) = [line for line in log.splitlines() if line.endswith(f"/{lock}")]
        assert "--require-hashes --only-binary :all: --python-version 3.13 " in fetched
        assert " --platform manylinux2014_aarch64 " in fetched


@pytest.mark.parametrize(
    ("named", "config", "why"),
    [
        ("", "c.toml", "name the card and the board's configuration: make sdcard CARD="),
        ("a card", "", "name the card and the board's configuration: make sdcard CARD="),
        (".", "c.toml", "is not the boot partition of Raspberry Pi OS 13: there is no user-data"),
        ("a card", "/nowhere.toml", "no /nowhere.toml"),
    ],
)
def test_what_is_no_card_is_refused(
    tmp_path: Path, card: Path, named: str, config: str, why: str
) -> None:
    done = make(tmp_path, str(tmp_path / named) if named else "", config)
    assert done.returncode == 1
    assert why in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not (card / "lampion.tar.gz").exists()


def test_a_start_of_another_program_is_kept(tmp_path: Path, card: Path) -> None:
    config = tmp_path / "lampion.toml"
    config.write_text("")
    (card / "vendor-data").write_text("#cloud-config\n")
    done = make(tmp_path, str(card), str(config))
    assert done.returncode == 1
    assert "vendor-data is of another program" in done.stderr
    assert (card / "vendor-data").read_text() == "#cloud-config\n"


# ---- the first start


def start(tmp_path: Path, card: Path, code: int = 0) -> tuple[int, list[str]]:
    """Run the script as cloud-init does, with other folders; return its code and what it called."""
    log, etc, programs = tmp_path / "log", tmp_path / "etc", tmp_path / "bin"
    packed = tmp_path / "packed"
    for name, text in {
        "wheels/a.whl": "",
        "lampion.toml": "from the card",
        "systemd/install.sh": INSTALLER.format(log=log, code=code),
    }.items():
        (packed / name).parent.mkdir(parents=True, exist_ok=True)
        (packed / name).write_text(text)
    subprocess.run(["tar", "-czf", card / "lampion.tar.gz", "-C", packed, "."], check=True)
    programs.mkdir()
    (tmp_path / "work").mkdir()
    for name in ("lampion", "systemctl", "shutdown"):
        (programs / name).write_text(PROGRAM.format(etc=etc, log=log))
        (programs / name).chmod(0o755)
    text = SCRIPT.read_text(encoding="utf-8")
    assert text.startswith("#!/bin/sh\n")  # so cloud-init takes it for a script
    for path, other in {
        "/boot/firmware": f"'{card}'",
        "/etc/lampion": str(etc),
        "/var/tmp/": f"{tmp_path}/work/",
    }.items():
        assert path in text
        text = text.replace(path, other)
    script = tmp_path / "script"
    script.write_text(text)
    script.chmod(0o755)
    path = f"{programs}:{os.environ['PATH']}"
    done = subprocess.run([script], env={"PATH": path}, capture_output=True, check=False)
    assert (done.stdout, done.stderr) == (b"", b"")  # what it says is on the card
    assert list((tmp_path / "work").iterdir()) == []
    return done.returncode, log.read_text().splitlines()


def test_the_first_start_installs_without_network_and_restarts(tmp_path: Path, card: Path) -> None:
    assert start(tmp_path, card) == (
        0,
        [
            "install install 1 a.whl",
            "lampion doctor --prepare --write from the card",
            "systemctl enable lampion from the card",
            "shutdown -r +1 from the card",
        ],
    )
    assert (card / "lampion.log").read_text() == ""


def test_a_configuration_that_is_there_stays(tmp_path: Path, card: Path) -> None:
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/lampion.toml").write_text("mine")
    _, called = start(tmp_path, card)
    assert called[-1] == "shutdown -r +1 mine"


def test_a_failure_stands_on_the_card(tmp_path: Path, card: Path) -> None:
    assert start(tmp_path, card, code=1) == (1, ["install install 1 a.whl"])
    (told,) = (card / "lampion.log").read_text().splitlines()
    assert told == "lampion: the installation has failed; the lines above say why"
