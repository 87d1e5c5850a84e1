"""The unit as systemd itself reads it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from firmware_host.twin.door import MOST

UNIT = Path(__file__).parent.parent / "systemd" / "lampion-sim.service"
ANALYZE = shutil.which("systemd-analyze")


def test_the_unit_bounds_what_the_program_may_take_and_never_gives_up() -> None:
    lines = UNIT.read_text().splitlines()
    said = dict(line.split("=", 1) for line in lines if "=" in line and not line.startswith("#"))
    assert said["StartLimitIntervalSec"] == "0"
    assert said["Restart"] == "on-failure"
    assert int(said["RestartSec"]) >= 5
    assert int(said["LimitNOFILE"]) >= 2 * MOST
    assert int(said["TasksMax"]) > 40, "threads that read the page's files"
    assert said["MemoryMax"].endswith("M")


@pytest.mark.skipif(ANALYZE is None, reason="no systemd-analyze here: apt-get install systemd")
def test_the_unit_is_sound_and_has_few_rights(tmp_path: Path) -> None:
    assert ANALYZE is not None
    unit = tmp_path / UNIT.name
    # The program is not installed where the tests run; systemd only wants it to exist.
    unit.write_text(UNIT.read_text().replace("/opt/lampion/venv/bin/lampion", "/bin/true"))
    verified = subprocess.run(
        [ANALYZE, "verify", "--man=no", str(unit)], capture_output=True, text=True, check=False
    )
    complaints = [line for line in verified.stderr.splitlines() if UNIT.name in line]
    assert (verified.returncode, complaints) == (0, [])
    judged = subprocess.run(
        [ANALYZE, "security", "--offline=true", "--threshold=12", "--no-pager", str(unit)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert judged.returncode == 0, judged.stdout[-300:]
