"""In the rig's machine, first: its devices, and `make install` twice under systemd."""

from __future__ import annotations

import grp
import hashlib
import os
import shutil
import stat
from pathlib import Path
from tempfile import gettempdir

from tests.rig.deep.checks import check, must, run, until

SOURCE = Path(gettempdir()) / "lampion"
SIM = Path("/sys/kernel/config/gpio-sim/pi")
MOST_EXPOSED = 1.5
DEVICES = {"/dev/i2c-1": "i2c", "/dev/spidev0.0": "spi", "/dev/gpiochip0": "gpio"}


def devices() -> None:
    """Give the kernel a Pi's adapters, and pins with pull-ups."""
    run("insmod", "/rig/lampion_rig.ko")
    if not SIM.parent.is_dir():
        run("mount", "-t", "configfs", "configfs", "/sys/kernel/config")
    bank = SIM / "bank0"
    bank.mkdir(parents=True)
    (bank / "num_lines").write_text("28")
    (bank / "label").write_text("pinctrl-bcm2711")
    (SIM / "live").write_text("1")
    for pull in Path("/sys/devices/platform/gpio-sim.0").glob("gpiochip*/sim_gpio*/pull"):
        pull.write_text("pull-up")
    until(lambda: all(map(os.path.exists, DEVICES)), 10, f"{', '.join(DEVICES)}")


def installed() -> dict[str, str]:
    """Return the files that `make install` has installed, without times."""
    found = {}
    for top in ("/opt/lampion", "/etc/lampion", "/etc/systemd/system", "/etc/udev", "/usr/local"):
        for path in sorted(Path(top).rglob("*")):
            status = path.lstat()
            if path.is_symlink():
                content = str(path.readlink())
            else:
                content = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
            found[str(path)] = f"{stat.filemode(status.st_mode)} {status.st_uid} {content}"
    return found


def main() -> None:
    """Run all checks and print the results."""
    with check("a systemd is the first program") as figures:
        must(Path("/proc/1/comm").read_text() == "systemd\n", "it is not")
        figures.append(run("systemctl", "--version").splitlines()[0])
        figures.append(os.uname().release)
    with check("the kernel has I2C, SPI and pins"):
        devices()
    shutil.copytree("/rig/source", SOURCE, symlinks=True)
    with check("make install"):
        run("make", "-C", str(SOURCE), "install")
    first = installed()
    with check("make install again changes nothing") as figures:
        run("make", "-C", str(SOURCE), "install")
        second = installed()
        changed = [p for p in first.keys() | second.keys() if first.get(p) != second.get(p)]
        must(not changed, f"{len(changed)} files: {sorted(changed)[:5]}")
        figures.append(f"{len(second)} files and folders")
    with check("udev gives the devices to their groups"):
        run("udevadm", "settle")
        for device, group in DEVICES.items():
            status = os.stat(device)
            must(grp.getgrgid(status.st_gid).gr_name == group, f"{device}: {status.st_gid}")
            must(status.st_mode & 0o060 == 0o060, f"{device}: {stat.filemode(status.st_mode)}")
    with check("systemd-analyze verify has nothing to say"):
        said = run(
            "systemd-analyze",
            "verify",
            "--man=no",
            "lampion.service",
            "lampion-sim.service",
            "lampion-off.path",
            "lampion-off.service",
        )
        must(not said.strip(), said)
    for unit in ("lampion", "lampion-sim"):
        with check(f"systemd-analyze security {unit}") as figures:
            said = run("systemd-analyze", "security", "--no-pager", f"{unit}.service")
            figures.append(said.strip().splitlines()[-1])
            exposure = float(said.rpartition(f"{unit}.service:")[2].split()[0])
            must(exposure <= MOST_EXPOSED, exposure)


if __name__ == "__main__":
    main()
