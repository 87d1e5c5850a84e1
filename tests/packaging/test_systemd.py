"""The units as systemd reads them, the program's notifications, and the installation."""

from __future__ import annotations

import ipaddress
import os
import re
import shutil
import socket
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from firmware_host.__main__ import REFUSED, main
from firmware_host.cli import dark
from firmware_host.config.as_toml import as_toml
from firmware_host.config.config import Config, parse
from firmware_host.controller.power_off import POWER_OFF_FILE
from firmware_host.host.sd_notify import Watchdog
from firmware_host.web.connection_limits import MOST

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "systemd"
UNITS = ("lampion.service", "lampion-sim.service")
INSTALLER = (FOLDER / "install.sh").read_text(encoding="utf-8")
ANALYZE = shutil.which("systemd-analyze")


def run(*command: str | Path, **how: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False, **how)


def said(unit: str) -> dict[str, list[str]]:
    """Return the settings of a unit, each with all its values."""
    found: dict[str, list[str]] = {}
    for line in (FOLDER / unit).read_text(encoding="utf-8").splitlines():
        if "=" in line and not line.startswith("#"):
            key, _, value = line.partition("=")
            found.setdefault(key, []).append(value)
    return found


@pytest.mark.parametrize("unit", UNITS)
def test_a_unit_bounds_what_the_program_may_take_and_never_gives_up(unit: str) -> None:
    settings = {key: values[-1] for key, values in said(unit).items()}
    assert settings["StartLimitIntervalSec"] == "0"
    assert settings["Restart"] == "on-failure"
    assert int(settings["RestartSec"]) >= 5
    assert int(settings["LimitNOFILE"]) >= 2 * MOST
    assert int(settings["TasksMax"]) > 40, "threads that read the page's files"
    assert settings["MemoryMax"].endswith("M")


@pytest.mark.skipif(ANALYZE is None, reason="no systemd-analyze here: apt-get install systemd")
def test_the_units_that_switch_off_are_sound(tmp_path: Path) -> None:
    assert ANALYZE is not None
    for unit in ("lampion-off.path", "lampion-off.service"):
        shutil.copy(FOLDER / unit, tmp_path)
    verified = run(ANALYZE, "verify", "--man=no", *sorted(tmp_path.iterdir()))
    assert (verified.returncode, "lampion-off" in verified.stderr) == (0, False), verified.stderr


def test_the_page_switches_off_by_a_file_that_only_the_service_can_make() -> None:
    """The path unit waits for a file in the service's own runtime directory."""
    service = said("lampion.service")
    assert service["RuntimeDirectory"] == ["lampion"]
    assert service["RuntimeDirectoryMode"] == ["0700"]
    assert service["Wants"] == ["lampion-off.path"]
    (file,) = said("lampion-off.path")["PathExists"]
    assert file == f"/run/lampion/{POWER_OFF_FILE}"
    assert said("lampion-off.service")["ExecStartPre"] == [f"rm -f {file}"]


@pytest.mark.parametrize(
    ("unit", "exposure"), [("lampion.service", 15), ("lampion-sim.service", 12)]
)
@pytest.mark.skipif(ANALYZE is None, reason="no systemd-analyze here: apt-get install systemd")
def test_a_unit_is_sound_and_has_few_rights(unit: str, exposure: int, tmp_path: Path) -> None:
    assert ANALYZE is not None
    file = tmp_path / unit
    # The program is not installed here; systemd only requires that it exists.
    text = (FOLDER / unit).read_text(encoding="utf-8")
    file.write_text(text.replace("/opt/lampion/venv/bin/lampion", "/bin/true"))
    verified = run(ANALYZE, "verify", "--man=no", file)
    complaints = [line for line in verified.stderr.splitlines() if unit in line]
    assert (verified.returncode, complaints) == (0, [])
    how = ("--offline=true", f"--threshold={exposure}", "--no-pager")
    judged = run(ANALYZE, "security", *how, file)
    assert judged.returncode == 0, judged.stdout[-300:]


def test_the_settings_that_are_installed_are_those_that_the_program_prints() -> None:
    written = (FOLDER / "lampion.toml").read_text(encoding="utf-8")
    assert written == as_toml(Config()), "python docs/config_page.py writes it"
    assert Config().state == "/var/lib/lampion"


@pytest.mark.parametrize("page", ["localhost:8710", "0.0.0.0:8710", "192.168.1.20:1024"])
def test_the_unit_lets_the_page_be_where_the_settings_say(page: str) -> None:
    assert Config().page == "localhost:8710"  # what is served by default
    config = parse({"page": page}, "f")
    unit = said("lampion.service")
    (ports,) = unit["SocketBindAllow"]
    first, last = map(int, ports.removeprefix("tcp:").split("-"))
    assert unit["SocketBindDeny"] == unit["IPAddressDeny"] == ["any"]
    assert first <= config.address[1] <= last == 65535
    named = {"localhost": "127.0.0.0/8", "link-local": "169.254.0.0/16"}
    words = " ".join(unit["IPAddressAllow"]).split()
    allowed = [ipaddress.ip_network(named.get(word, word)) for word in words]
    for phone in ("127.0.0.1", "192.168.1.7", "10.1.2.3", "172.31.0.9", "169.254.3.4"):
        assert any(ipaddress.ip_address(phone) in network for network in allowed)
    for stranger in ("8.8.8.8", "172.32.0.1", "203.0.113.7"):
        assert not any(ipaddress.ip_address(stranger) in network for network in allowed)


def test_the_lights_are_put_out_however_the_program_ends(tmp_path: Path) -> None:
    unit = said("lampion.service")
    (command,) = unit["ExecStopPost"]
    assert command.startswith("-"), "what it cannot do is no failure of the service"
    words = command.removeprefix("-/opt/lampion/venv/bin/").split()
    assert words == ["lampion", "dark", "--config", "/etc/lampion/lampion.toml"]
    assert main([*words[1:3], str(tmp_path / "none.toml")]) in (0, REFUSED)  # such an option exists
    assert int(unit["TimeoutStopSec"][0]) > dark.GIVE_UP_S


def test_the_board_has_its_devices_and_no_others() -> None:
    unit = said("lampion.service")
    assert unit["DevicePolicy"] == ["closed"]
    kinds = {"i2c", "spi", "gpiochip", "ttyACM", "ttyUSB", "ttyAMA", "ttyS"}
    assert set(unit["DeviceAllow"]) == {f"char-{kind} rw" for kind in kinds}
    (groups,) = unit["SupplementaryGroups"]
    rules = (FOLDER / "lampion.udev").read_text(encoding="utf-8")
    users = (FOLDER / "lampion.sysusers").read_text(encoding="utf-8")
    assert set(re.findall(r'GROUP="(\w+)"', rules)) == set(groups.split())
    for group in groups.split():
        assert f"\ng {group} -\n" in users
        assert f"\nm lampion {group}\n" in users
    for line in rules.splitlines():
        assert line.startswith("#") or line.endswith(', MODE="0660"')


def test_the_board_is_watched() -> None:
    unit = said("lampion.service")
    assert (unit["Type"], unit["NotifyAccess"]) == (["notify"], ["main"])
    assert int(unit["WatchdogSec"][0]) >= 10


# ---- what the program tells


def heard(listener: socket.socket) -> list[str]:
    words = []
    while True:
        try:
            words.append(listener.recv(4096).decode())
        except BlockingIOError:
            return words


@pytest.mark.parametrize("abstract", [False, True])
def test_systemd_is_notified_of_what_the_program_does(tmp_path: Path, abstract: bool) -> None:
    address = f"\0lampion-{os.getpid()}" if abstract else str(tmp_path / "notify")
    told = {
        "NOTIFY_SOCKET": address.replace("\0", "@"),
        "WATCHDOG_USEC": "30000000",
        "WATCHDOG_PID": str(os.getpid()),
    }
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(address)
        listener.setblocking(False)
        watchdog = Watchdog(told)
        watchdog.ready()
        watchdog.status("plays\nshogi")
        watchdog.status("plays shogi")
        watchdog.status("x" * 5000)
        assert heard(listener) == ["READY=1", "STATUS=plays shogi", "STATUS=" + "x" * 200]
        for now in range(31):
            watchdog.looked(float(now))
        assert heard(listener) == ["WATCHDOG=1"] * 4  # at 0, 10, 20 and 30
        watchdog.stopping()
        assert heard(listener) == ["STOPPING=1"]
        watchdog.close()
        watchdog.ready()
        assert heard(listener) == []
        another = Watchdog({**told, "WATCHDOG_PID": "1"})  # another process is to be fed
        another.looked(0.0)
        assert heard(listener) == []
        another.close()


@pytest.mark.parametrize(
    "told",
    [
        {},
        {"NOTIFY_SOCKET": "vsock:2:1"},
        {"NOTIFY_SOCKET": "/nowhere/notify", "WATCHDOG_USEC": "30000000"},
        {"NOTIFY_SOCKET": "/nowhere/notify", "WATCHDOG_USEC": "soon"},
    ],
)
def test_without_a_socket_nothing_is_sent(told: dict[str, str]) -> None:
    watchdog = Watchdog(told)
    watchdog.ready()
    watchdog.looked(0.0)
    watchdog.stopping()
    watchdog.close()


# ---- what puts it in place

PYTHON = """#!/bin/sh
# A Python that says what it is told to, and makes a venv of nothing.
case "$*" in
  *calcsize*) echo {bits} ;;
  *version_info*sys.exit* | *sys.exit*version_info*) exit {refuses} ;;
  *"print(sys.version_info"*) echo "(3, 11)" ;;
  *"-m venv"*)
    for to; do :; done
    mkdir -p "$to/bin" "$to/lib"
    cp "$0" "$to/bin/python"
    echo "home of $to" > "$to/pyvenv.cfg" ;;
esac
echo "$*" >> {log}
"""


def python(folder: Path, bits: int = 64, refuses: int = 0) -> Path:
    """A fake Python: fast, and without network."""
    folder.mkdir(exist_ok=True)
    path = folder / "python"
    path.write_text(PYTHON.format(bits=bits, refuses=refuses, log=folder / "log"))
    path.chmod(0o755)
    return path


def make(what: str, *settings: str, umask: int = -1) -> subprocess.CompletedProcess[str]:
    return run("make", "--no-print-directory", "-C", ROOT, what, *settings, umask=umask)


def tree(root: Path) -> dict[str, tuple[int, str]]:
    """Return every file below a folder with its mode and content, and links with their targets."""
    found = {}
    for path in sorted(root.rglob("*")):
        if path.is_symlink():
            found[str(path.relative_to(root))] = (0, f"-> {path.readlink()}")
        elif path.is_file():
            rights = stat.S_IMODE(path.stat().st_mode)
            found[str(path.relative_to(root))] = (rights, path.read_bytes().hex())
    return found


OURS = {
    "etc/lampion/lampion.toml",
    "etc/systemd/system/lampion.service",
    "etc/systemd/system/lampion-sim.service",
    "etc/systemd/system/lampion-off.path",
    "etc/systemd/system/lampion-off.service",
    "etc/sysusers.d/lampion.conf",
    "etc/udev/rules.d/60-lampion.rules",
    "usr/local/bin/lampion",
}


def check_installing(
    root: Path, *settings: str, also: Callable[[Path], None] = lambda _: None
) -> None:
    """Install twice, uninstall, and uninstall with PURGE; check the files after each step."""
    done = make("install", f"DESTDIR={root}", *settings)
    assert done.returncode == 0, done.stderr
    also(root)
    once = tree(root)
    assert {name for name in once if not name.startswith("opt/lampion/venv/")} == OURS
    assert once["usr/local/bin/lampion"] == (0, "-> /opt/lampion/venv/bin/lampion")
    assert {rights for name, (rights, _) in once.items() if name.startswith("etc/")} == {0o644}
    assert not any(
        str(root) in bytes.fromhex(held).decode(errors="replace")
        for name, (_, held) in once.items()
        if "/lib/" not in name and held[0] != "-"
    )
    make("install", f"DESTDIR={root}", *settings)
    assert tree(root) == once
    config, match = root / "etc/lampion/lampion.toml", root / "var/lib/lampion/match.jsonl"
    config.write_text("mine = 1\n")
    match.parent.mkdir(parents=True)
    match.write_text("{}\n")
    make("install", f"DESTDIR={root}", *settings)
    assert config.read_text() == "mine = 1\n"
    for _ in range(2):
        done = make("uninstall", f"DESTDIR={root}")
        assert done.returncode == 0, done.stderr
        assert set(tree(root)) == {"etc/lampion/lampion.toml", "var/lib/lampion/match.jsonl"}
    make("uninstall", f"DESTDIR={root}", "PURGE=1")
    assert tree(root) == {}


def test_installing_twice_is_as_once_and_uninstalling_keeps_matches(tmp_path: Path) -> None:
    check_installing(tmp_path / "root", f"PYTHON={python(tmp_path)}")
    log = (tmp_path / "log").read_text(encoding="utf-8")
    assert log.count("-m venv") == 1
    assert "-m compileall -q -f --invalidation-mode unchecked-hash" in log
    for lock in ("requirements-build.lock", "requirements.lock", "requirements-pi.lock"):
        assert re.search(rf"--only-binary :all: --require-hashes .*{re.escape(lock)}", log), lock


def test_every_user_can_read_what_is_installed_whatever_the_umask(tmp_path: Path) -> None:
    root = tmp_path / "root"
    for _ in range(2):
        done = make("install", f"DESTDIR={root}", f"PYTHON={python(tmp_path)}", umask=0o077)
        assert done.returncode == 0, done.stderr
        for path in (root, *root.rglob("*")):
            wanted = 0o055 if path.is_dir() else 0o044
            assert path.lstat().st_mode & wanted == wanted, path
        (root / "opt/lampion").chmod(0o700)  # as an older installation has left it


@pytest.mark.deep
def test_installing_it_really(tmp_path: Path) -> None:
    probe = (sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "cobs")
    if run(*probe, cwd=tmp_path).returncode:
        pytest.skip("no package index here")

    def runs(root: Path) -> None:
        program = root / "opt/lampion/venv/bin/lampion"
        assert program.read_text().startswith("#!/opt/lampion/venv/bin/python\n")
        played = run(program.with_name("python"), program, "games", cwd=tmp_path)
        assert "robot-duel" in played.stdout
        assert "Traceback" not in played.stderr
        assert len(list(root.rglob("lampion.mo"))) == 3
        compiled = list(root.rglob("*.pyc"))
        assert compiled
        for path in compiled:
            head = path.read_bytes()
            assert head[4:8] == b"\x01\0\0\0", f"{path} depends on a time"
            assert bytes(root) not in head, path

    check_installing(tmp_path / "root", also=runs)


def test_it_refuses_in_one_line_what_it_cannot_do(tmp_path: Path) -> None:
    there = f"DESTDIR={tmp_path / 'root'}"
    narrow, old = python(tmp_path / "narrow", bits=32), python(tmp_path / "old", refuses=1)
    for program, complaint in (
        (narrow, "this is a 32-bit system: install"),
        (old, "Python 3.11 or newer is needed: set PYTHON="),
        (Path("/nowhere/python"), "there is no /nowhere/python: sudo apt-get"),
    ):
        done = make("install", there, f"PYTHON={program}")
        assert done.returncode != 0
        ours = [line for line in done.stderr.splitlines() if line.startswith("lampion: ")]
        assert len(ours) == 1
        assert complaint in ours[0]
        assert tree(tmp_path / "root") == {}


def test_without_systemd_nothing_is_started() -> None:
    pretended = "id() { echo 0; }; dirname() { echo /; }; PATH=/nowhere\n"
    done = run("sh", "-s", "install", input=pretended + INSTALLER, env={})
    complaint = "lampion: there is no systemd-sysusers: sudo apt-get install systemd udev\n"
    assert (done.returncode, done.stderr) == (1, complaint)


@pytest.mark.skipif(os.getuid() != 0, reason="only root can be somebody else")
@pytest.mark.parametrize("what", ["install", "uninstall"])
def test_without_root_it_says_how(what: str) -> None:
    nobody = {"cwd": "/", "user": 65534, "env": {"PATH": os.environ["PATH"]}}
    done = run("sh", "-s", what, input=INSTALLER, **nobody)
    assert (done.returncode, done.stderr) == (1, f"lampion: this needs root: sudo make {what}\n")
