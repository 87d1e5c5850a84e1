"""The unmodified `lampion run` on the kernel's own I2C, in a user-mode Linux.

The kernel is that of Debian's package user-mode-linux, or the one that `make rig-deep` has built.
Its chips are registers only (i2c-stub): the boards are those with reed switches, and they are
polled.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hardware import layout as layouts
from tests.rig import running

HERE = Path(__file__).parents[1]
BUILT = Path(os.environ.get("RIG", Path.home() / ".cache" / "lampion-rig")) / "linux"
PACKAGED = Path("/usr/lib/uml/modules")
PLAYED = "robot-duel-presence-in-one-breath"
UNTIL = 9.0
"""The number of seconds of the recording that are played."""
PATIENCE = 240.0
AMX = "put_fp_registers"
"""Part of the output of a kernel that cannot restore the registers of a processor with AMX."""


def kernel() -> tuple[Path, Path]:
    """Return a kernel and the folder of its I2C modules."""
    if not sys.platform.startswith("linux"):
        pytest.skip("a kernel that is a program needs Linux")
    if shutil.which("insmod", path="/usr/sbin:/sbin") is None:
        pytest.skip("no insmod: apt-get install kmod")
    if (BUILT / "linux").exists() and (BUILT / "drivers/i2c/i2c-stub.ko").exists():
        return BUILT / "linux", BUILT / "drivers/i2c"
    packaged = shutil.which("linux.uml")
    modules = next(iter(PACKAGED.glob("*/kernel/drivers/i2c")), None)
    if packaged is None or modules is None:
        pytest.skip(
            "no kernel that is a program: apt-get install user-mode-linux kmod, "
            "or sudo make rig-deep"
        )
    return Path(packaged), modules


def test_lampion_run_plays_on_the_kernels_own_i2c(shim: Path) -> None:
    program, modules = kernel()
    chips = ",".join(hex(chip.address) for chip in layouts.load("square-reed").expanders)
    told = {
        "RIG_TOP": HERE.parent,
        "RIG_PYTHON": sys.executable,
        "RIG_MODULES": modules,
        "RIG_CHIPS": chips,
        "RIG_SHIM": shim,
        "RIG_LAYOUT": "square-reed",
        "RIG_PLAYED": PLAYED,
        "RIG_UNTIL": UNTIL,
    }
    ran = subprocess.run(
        [
            *(program, "mem=512M", "root=none", "rootfstype=hostfs", "hostfs=/", "ro", "quiet"),
            "time-travel=inf-cpu",  # a kernel that fails takes long
            *("con=null", "con0=null,fd:1", f"init={HERE / 'rig' / 'kernel' / 'init'}"),
            *(f"{name}={value}" for name, value in told.items()),
        ],
        env={**os.environ, "TMPDIR": "/dev/shm"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=PATIENCE,
        check=False,
    )
    console = ran.stdout.decode("utf-8", "replace")
    if AMX in console:
        pytest.skip(
            "this kernel knows no processor with AMX; sudo make rig-deep builds one that does"
        )
    found = re.search(r"^RIG (.+?)\r?$", console, re.MULTILINE)
    assert found, console[-2000:]
    code, moves, ways, dark, sent, said = json.loads(found[1])
    assert code == 0, said
    assert moves == running.wanted(PLAYED)[: len(moves)]
    assert len(moves) >= 4
    assert ways == 1
    assert dark
    assert sent > len(moves)
