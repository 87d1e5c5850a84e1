"""In the rig's machine: the service plays on a simulated board behind the kernel's device files,
and is examined.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import time
from pathlib import Path

from firmware_host.controller.controller import header_of
from firmware_host.controller.polling import AWAKE_S, QUIET_POLL_S, QUIET_S
from firmware_host.storage import recording
from firmware_host.storage.match_files import MatchFiles
from hardware import layout as layouts
from tests.rig import running
from tests.rig.answers import Sent
from tests.rig.deep.checks import check, must, run, shown, until
from tests.rig.deep.kernel_board import KernelBoard
from tests.rig.hands import Hands

STATE = Path("/var/lib/lampion")
CONFIG = Path("/etc/lampion/lampion.toml")
FIRMWARE = Path("/boot/firmware/config.txt")
SERVED = (
    ("square-reed", "robot-duel-presence-in-one-breath"),
    ("square-hall", "robot-duel-polarity-in-one-breath"),
)
HALF = 11.0
"""The recording's time at which hands pause."""
MORE = (
    ("hex-reed-slots", "abalone-presence-in-one-breath"),
    ("square-reed", "shogi-presence-in-one-breath"),
)
"""All start at the beginning of their game: a match without a move is not resumed elsewhere."""
WAKES = 5.0 + 1.0 / AWAKE_S
"""The largest number of wake-ups a second for a quiet board with a proven line: its thread checks
it every AWAKE_S seconds.
"""


def prepare(board: KernelBoard, name: str, played: str) -> Hands:
    """Begin the match of a recording, and put its pieces onto the board."""
    made, file = layouts.load(name), running.RECORDINGS / f"{played}.jsonl"
    header = recording.read(file).header
    shutil.rmtree(STATE, ignore_errors=True)
    STATE.mkdir()
    files = MatchFiles(STATE)
    files.begin(header.game, name, header_of(header.game, made, header.position))
    files.close()
    run("chown", "--recursive", "lampion:lampion", str(STATE))
    lines = CONFIG.read_text("utf-8").splitlines()
    lines = [f'layout = "{name}"' if each.startswith("layout =") else each for each in lines]
    CONFIG.write_text("\n".join(lines) + "\n", "utf-8")
    board.become(made)
    return Hands(board.board, header.game.name, file)


def compare(played: str) -> None:
    """The moves must be those of the simulation."""
    must(
        running.moves(STATE) == (running.wanted(played), 1),
        f"{running.moves(STATE)} where {running.wanted(played)} was played",
    )


def start() -> None:
    """Start the service; an error contains its output."""
    try:
        run("systemctl", "start", "lampion")
    except AssertionError:
        said = run("journalctl", "-u", "lampion", "--no-pager", "-o", "cat", "-n", "12")
        raise AssertionError(said) from None


def wakes(pid: str, seconds: float) -> dict[str, float]:
    """Return the wake-ups a second of each thread of a program that wakes at all."""

    def counts() -> dict[str, int]:
        found = {}
        for task in Path(f"/proc/{pid}/task").iterdir():
            lines = (task / "status").read_text().splitlines()
            (count,) = (each for each in lines if each.startswith("voluntary_ctxt"))
            found[f"{task.name} {(task / 'comm').read_text().strip()}"] = int(count.split()[1])
        return found

    before, begun = counts(), time.monotonic()
    time.sleep(seconds)
    after, passed = counts(), time.monotonic() - begun
    rates = {name: (count - before.get(name, 0)) / passed for name, count in after.items()}
    return {name: rate for name, rate in rates.items() if rate}


def idle(board: KernelBoard, figures: list[str]) -> None:
    """Check how often a second the board is read, and the program woken."""
    before, seconds = board.board.bus.transactions, 40
    woken = wakes(shown("lampion", "MainPID"), seconds)
    transfers = (board.board.bus.transactions - before) / seconds
    each = ", ".join(f"{name.split()[1]} {rate:.1f}" for name, rate in woken.items())
    figures.append(f"{transfers:.1f} transfers, {sum(woken.values()):.1f} wakes a second: {each}")
    must(sum(woken.values()) <= WAKES, f"more than {WAKES:.0f} wakes a second")


def examine(board: KernelBoard, name: str) -> None:
    """Run the doctor on the kernel's devices, with a healthy board and without one."""
    FIRMWARE.parent.mkdir(parents=True, exist_ok=True)
    FIRMWARE.write_text(run("lampion", "doctor", "--prepare"), "utf-8")

    def causes() -> list[str]:
        told = subprocess.run(["lampion", "doctor", "--json"], stdout=subprocess.PIPE, check=False)
        found = json.loads(told.stdout)
        figures.append(f"{found['kilohertz']} kHz")
        return [finding["cause"] for finding in found["findings"]]

    with check(f"{name}: the doctor finds what this machine lacks, and nothing else") as figures:
        must((found := causes()) == ["reset-cut"], found)  # this pin is not simulated
    with check(f"{name}: the doctor finds that no chip is there") as figures:
        for address in list(board.board.bus.chips):
            board.board.unplug(address)
        must((found := causes()) == ["all-silent"], found)


def switch_off() -> None:
    """Ask for it as the service's user, with a unit that only notes that it was asked."""
    noted = Path("/run/asked-to-switch-off")
    noted.unlink(missing_ok=True)
    extra = Path("/run/systemd/system/lampion-off.service.d")
    extra.mkdir(parents=True, exist_ok=True)
    (extra / "rig.conf").write_text(f"[Service]\nExecStart=\nExecStart=touch {noted}\n", "utf-8")
    run("systemctl", "daemon-reload")
    must(shown("lampion-off.path", "ActiveState") == "active", "nobody waits for the file")
    file = "/run/lampion/power-off"
    run("runuser", "-u", "lampion", "--", "touch", file)
    until(noted.exists, 20, str(noted))
    until(lambda: not Path(file).exists(), 20, f"{file} to be deleted")
    other = subprocess.run(["runuser", "-u", "nobody", "--", "touch", file], check=False)
    must(other.returncode != 0, "another user may ask, too")


def service(board: KernelBoard, name: str, played: str) -> None:
    """Run the service from start to end, and check how the watchdog reacts to a cut bus."""
    hands = prepare(board, name, played)
    with check(f"{name}: the service starts, and is ready once the board has been read") as figures:
        begun = time.monotonic()
        start()
        figures.append(f"{time.monotonic() - begun:.1f} s")
        must(shown("lampion", "SubState") == "running", shown("lampion", "SubState"))
        figures.append(shown("lampion", "StatusText"))
    with check(f"{name}: a file of the service alone switches the computer off"):
        switch_off()
    if board.board.layout.sensing == "presence":
        with check(f"{name}: a quiet board whose INT is proven lets the Pi sleep") as figures:
            touched = min(board.board.save())
            # A call proves INT, unless it falls into a look: edges come with the ticks of this
            # kernel,
            # and a shorter pulse is none. So hands do not move in step with looks.
            for _ in range(3):
                board.board.lift(touched)
                time.sleep(0.33)
                board.board.put(touched)
                time.sleep(0.36)
            time.sleep(QUIET_S + QUIET_POLL_S)
            idle(board, figures)
    with check(f"{name}: half of {played} is read as in the simulation") as figures:
        hands.play(HALF)
        time.sleep(5)
        half = running.moves(STATE)
        must(half[0] and half == (running.wanted(played)[: len(half[0])], 1), half)
        figures.append(f"{len(half[0])} moves")
    with check(f"{name}: a cut bus: the watchdog ends it, systemd starts it again") as figures:
        first, ended = shown("lampion", "MainPID"), timeouts()
        board.hang(1e6, lambda address, command: True)  # each transfer times out
        took = until(lambda: shown("lampion", "NRestarts") == "1", 90, "started again")
        figures.append(f"after {took:.0f} s")
        board.let_go()
        must(timeouts() == ended + 1, "no word of the watchdog in the journal")
        took = until(lambda: shown("lampion", "SubState") == "running", 90, "running")
        must(shown("lampion", "MainPID") not in (first, "0"), "it is the same process")
        figures.append(f"running {took:.0f} s after the bus was whole")
    with check(f"{name}: the match is intact"):
        time.sleep(3)
        must(running.moves(STATE) == half, f"{running.moves(STATE)} where there was {half}")
    with check(f"{name}: play goes on, and the rest is read") as figures:
        hands.play()
        time.sleep(5)
        compare(played)
        figures.append(f"{len(running.wanted(played))} moves in all")
    with check(f"{name}: it is killed: the lights go dark, and it starts again") as figures:
        must(not is_dark(board.sent[-1]), "nothing shines that could go dark")
        before = shown("lampion", "NRestarts")
        run("systemctl", "kill", "--signal=KILL", "lampion")
        took = until(lambda: is_dark(board.sent[-1]), 9, "dark")
        figures.append(f"dark after {took:.1f} s")
        must(shown("lampion", "SubState") != "running", "it runs again already")
        until(lambda: shown("lampion", "NRestarts") > before, 90, "started again")
        until(lambda: shown("lampion", "SubState") == "running", 90, "running")
    with check(f"{name}: it ends when it is asked to, the lights dark") as figures:
        begun = time.monotonic()
        run("systemctl", "stop", "lampion")
        figures.append(f"{time.monotonic() - begun:.1f} s")
        must(shown("lampion", "Result") == "success", shown("lampion", "Result"))
        must(not all(map(is_dark, board.sent)), "nothing has shone at all")
        must(is_dark(board.sent[-1]), "something shines")


def is_dark(sent: Sent) -> bool:
    """Say whether every pulse of a transfer is a 0, for any chain."""
    return set(sent.data) <= {0x00, 0x88}


def timeouts() -> int:
    """Return how often the watchdog has stopped the service."""
    return run("journalctl", "-u", "lampion", "--no-pager").count("Watchdog timeout")


def more(board: KernelBoard) -> None:
    """Play on further boards and games."""
    for name, played in MORE:
        with check(f"{name}: {played} is read as in the simulation") as figures:
            hands = prepare(board, name, played)
            try:
                start()
                time.sleep(2)
                hands.play()
                time.sleep(5)
                compare(played)
                figures.append(
                    f"{len(running.wanted(played))} moves, {board.board.bus.transactions} transfers"
                )
            finally:
                run("systemctl", "stop", "lampion")


if __name__ == "__main__":
    wires = KernelBoard(layouts.load(SERVED[0][0]))
    for on in SERVED:
        prepare(wires, *on)
        examine(wires, on[0])
        service(wires, *on)
    more(wires)
    print("the end", flush=True)
