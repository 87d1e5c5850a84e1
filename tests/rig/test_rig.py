"""An unmodified program with smbus2 and spidev, on device files with simulated parts behind them.

The simulated board is in this process, so tests can move its pieces, break it and see its LEDs.
"""

from __future__ import annotations

import errno
import json
import platform
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from drivers import ads7830, ws2812
from drivers.mcp23017 import IOCON
from firmware_host.storage import recording
from hardware.simulated.board import SimulatedBoard
from tests.rig import running
from tests.rig.hands import Hands
from tests.rig.wires import Program, Wires

HOST = Path(__file__).parents[1] / "rig" / "host.py"


def host(name: str, game: str, folder: Path, position: str = "") -> list[str]:
    return [sys.executable, str(HOST), name, game, position, str(folder / "state")]


def lines(program: Program) -> list[dict[str, Any]]:
    return [json.loads(line) for line in program.said.splitlines(keepends=True) if line[-1] == "\n"]


PLAYED = ("square-reed", "robot-duel-presence-in-one-breath")
MORE = (
    ("square-hall", "robot-duel-polarity-in-one-breath"),
    ("square-reed", "shogi-presence-in-one-breath"),
    ("square-hall", "shogi-polarity-in-one-breath"),
    ("hex-reed-slots", "abalone-presence-in-one-breath"),
    ("square-reed", "shogi-presence-refused"),
    ("square-hall", "shogi-polarity-refused"),
)


def play(wire: Wires, folder: Path, played: str) -> None:
    """Let `lampion run` play a recording on a board; compare the moves that it reads with the true
    ones.
    """
    made = wire.board.layout
    file = running.RECORDINGS / f"{played}.jsonl"
    hands = Hands(wire.board, recording.read(file).header.game.name, file)
    with wire.start(running.command(folder, made.name, played)) as on:
        on.until_it_plays(wire)
        hands.play()
        time.sleep(3.0)
        on.wait_for(lambda: running.moves(folder / "state") == (running.wanted(played), 1))
        assert on.end() == 0, on.error_lines
    assert running.moves(folder / "state") == (running.wanted(played), 1)
    # The strip gets what the encoder makes, and at the end all LEDs are dark.
    order, count = made.led_order, len(made.led_positions)
    for sent in wire.sent:
        levels = ws2812.decode_frame(sent.data, order, ws2812.FOUR)
        assert sent.speed_hz == 3_200_000
        coded = [ws2812.encode_pixel(p, order, ws2812.FOUR) for p in levels]
        assert sent.data == ws2812.encode_frame(coded, ws2812.FOUR)
    dark = ws2812.dark_frame(count, order, ws2812.FOUR)
    assert any(sent.data != dark for sent in wire.sent)
    assert wire.sent[-1].data == dark
    assert wire.board.strip.pixels == ((0, 0, 0),) * count


def test_a_game_is_read_as_in_the_simulation(wires: Callable[[str], Wires], tmp_path: Path) -> None:
    name, played = PLAYED
    play(wires(name), tmp_path / name, played)


@pytest.mark.deep
def test_after_a_kill_the_lights_are_put_out(wires: Callable[[str], Wires], tmp_path: Path) -> None:
    name, played = PLAYED
    wire, folder = wires(name), tmp_path / "killed"
    folder.mkdir()
    with wire.start(running.command(folder, name, played)) as on:
        on.until_it_plays(wire)
        on.process.kill()
        on.process.wait()
    assert any(map(any, wire.board.strip.pixels)), "the last picture stays"
    put_out = [sys.executable, "-m", "firmware_host", "dark", "--config"]
    with wire.start([*put_out, str(folder / "lampion.toml")]) as off:
        assert off.process.wait(60) == 0, off.error_lines
    assert not any(map(any, wire.board.strip.pixels))


@pytest.mark.deep
@pytest.mark.parametrize(("name", "played"), MORE)
def test_more_games_are(
    wires: Callable[[str], Wires], tmp_path: Path, name: str, played: str
) -> None:
    play(wires(name), tmp_path / name, played)


def saw(program: Program) -> tuple[dict[str, int], list[str]]:
    """Return the last readings of a program, and its blind places."""
    last = next(line for line in reversed(lines(program)) if "readings" in line)
    return last["readings"], last["blind"]


def was_so(frame: dict[str, Any], states: list[dict[str, int]]) -> bool:
    """Say whether all readings of a frame were true at one moment."""
    blind = set(frame["blind"])
    return any(
        frame["readings"] == {p: r for p, r in state.items() if p not in blind} for state in states
    )


def ahead_of(board: SimulatedBoard, cell: str) -> Callable[[int, int], bool]:
    """Return a function that recognizes the transfer that reads a cell."""
    for chip in board.layout.expanders:
        if cell in chip.sensors.values():
            return lambda address, command: (address, command) == (chip.address, IOCON)
    mux = next(mux for mux in board.layout.multiplexers if cell in mux.inputs)
    reads = mux.adc, ads7830.COMMANDS[mux.channel]
    assert board.layout.select is not None
    chosen: Any = board.bus.chips[board.layout.select.expander]
    number = mux.inputs.index(cell)
    return lambda address, command: (address, command) == reads and chosen.outputs & 15 == number


HANGS = (("square-reed", 1.0, False), ("square-hall", 1.0, True))
MORE_HANGS = (
    ("square-reed", 1.0, True),
    ("square-reed", 5.0, False),
    ("square-reed", 5.0, True),
    ("square-hall", 1.0, False),
    ("square-hall", 5.0, False),
    ("square-hall", 5.0, True),
)


@pytest.mark.parametrize(
    ("name", "seconds", "deaf"),
    [*HANGS, *(pytest.param(*each, marks=pytest.mark.deep) for each in MORE_HANGS)],
)
def test_a_bus_that_hangs_in_mid_look_shows_no_board_that_never_was(
    wires: Callable[[str], Wires], tmp_path: Path, name: str, seconds: float, deaf: bool
) -> None:
    """While the bus hangs, A and B make a move each, over several chips. Afterwards the program
    may report that the board has changed, but no move that was not made.
    """
    wire = wires(name)
    wire.deaf = deaf
    game = recording.read(running.RECORDINGS / f"{PLAYED[1]}.jsonl").header.game
    places = wire.board.layout.game(game.name).places
    state = {places[place]: 1 for place in game.pieces(game.start())}
    for place in state:
        wire.board.put(place)
    states = [dict(state)]
    with wire.start(host(name, game.name, tmp_path)) as program:
        program.until("readings")
        time.sleep(0.7)
        # C4 has been read by then, and C3 has not.
        wire.hang(seconds, ahead_of(wire.board, places["C3"]))
        time.sleep(0.2)
        for away, to in (("C4", "C3"), ("A1", "A2")):
            for place, act in ((places[away], "lift"), (places[to], "put")):
                getattr(wire.board, act)(place)
                state = {p: r for p, r in state.items() if p != place} | (
                    {place: 1} if act == "put" else {}
                )
                states.append(state)
                time.sleep(seconds / 8)
        time.sleep(seconds / 2 + 3.0)
        program.wait_for(lambda: saw(program) == (state, []))
        assert program.end() == 0, program.error_lines
    frames = [line for line in lines(program) if "readings" in line]
    assert all(was_so(frame, states) for frame in frames)
    assert frames[-1] == {"readings": state, "blind": [], "faults": frames[-1]["faults"]}
    assert not {"hung", "silent", "slow"} & set(frames[-1]["faults"])
    assert lines(program)[-1]["moves"] in ([], ["C4C3"], ["C4C3", "A1A2"])
    told = [line["fault"] for line in lines(program) if "fault" in line]
    assert any("hang" in each for each in told) is not deaf
    assert ("t", 0x02, 5) in wire.settings


def test_an_address_that_the_kernel_uses_is_reported_in_one_line(
    wires: Callable[[str], Wires], tmp_path: Path
) -> None:
    wire = wires("square-reed")
    wire.busy.add(0x21)
    with wire.start(host("square-reed", "robot-duel", tmp_path)) as program:
        program.until("A driver of the system")
    told = [line["fault"] for line in lines(program) if "fault" in line]
    sentences = [each for each in told if "0x21" in each]
    assert len(sentences) == 1
    assert sentences[0].startswith("A driver of the system uses the chip at 0x21: remove")
    assert program.error_lines == sentences[0] + "\n"


@pytest.mark.parametrize(
    ("device", "number", "line"),
    [
        ("/dev/i2c-", errno.EACCES, "/dev/i2c-1 is not allowed: sudo usermod -aG i2c $USER"),
        ("/dev/i2c-", errno.ENOENT, "/dev/i2c-1 is missing: I2C is off: sudo raspi-config"),
        ("/dev/spidev", errno.EACCES, "/dev/spidev0.0 is not allowed: sudo usermod -aG spi"),
    ],
)
def test_a_device_that_does_not_open_is_reported_in_one_line(
    wires: Callable[[str], Wires], tmp_path: Path, device: str, number: int, line: str
) -> None:
    wire = wires("square-reed")
    wire.denied[device] = number
    with wire.start(host("square-reed", "robot-duel", tmp_path)) as program:
        assert program.process.wait(30) == 1
    assert program.error_lines.startswith(line)
    assert program.error_lines.count("\n") == 1
    assert program.said == ""


# ---- a judge: what rpi_ws281x itself sends for the same colours

JUDGE = """
import sys
from rpi_ws281x import PixelStrip, ws
count, order = int(sys.argv[1]), sys.argv[2]
kind = getattr(ws, ("SK6812" if "W" in order else "WS2811") + "_STRIP_" + order)
strip = PixelStrip(count, 10, strip_type=kind)
strip.begin()
for pixel, levels in enumerate(COLOURS):
    strip.setPixelColorRGB(pixel, *levels)
strip.show()
"""


@pytest.fixture(scope="module")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build rpi_ws281x in a folder; its C code there believes that it runs on a Pi 4."""
    if platform.machine() != "x86_64":
        pytest.skip("elsewhere the library does not ask /proc/cpuinfo which Pi it is on")
    folder = tmp_path_factory.mktemp("judge")
    asked = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(folder)]
    built = subprocess.run([*asked, "rpi-ws281x>=5.0.0"], capture_output=True, text=True)
    if built.returncode:
        pytest.skip(f"rpi-ws281x cannot be built here: {built.stderr.strip().splitlines()[-1]}")
    (folder / "cpuinfo").write_text("Revision\t: c03114\n")
    with (folder / "gpiomem").open("wb") as registers:
        registers.truncate(4300 << 20)  # sparse: it is mapped far behind its start
    return folder


@pytest.mark.deep
@pytest.mark.parametrize("order", ws2812.ORDERS)
@pytest.mark.parametrize("count", [1, 101, 333])
def test_our_bits_are_those_of_rpi_ws281x(
    wires: Callable[[str], Wires], judge: Path, count: int, order: str
) -> None:
    rng = random.Random(f"{count} {order}")
    colours = [(rng.randrange(256), rng.randrange(256), rng.randrange(256)) for _ in range(count)]
    wire = wires("square-reed")
    pretended = {
        "PYTHONPATH": str(judge),
        "RIG_CPUINFO": str(judge / "cpuinfo"),
        "RIG_GPIOMEM": str(judge / "gpiomem"),
    }
    program = JUDGE.replace("COLOURS", repr(colours))
    with wire.start([sys.executable, "-c", program, str(count), order], pretended) as theirs:
        assert theirs.process.wait(60) == 0, theirs.error_lines
    sent = wire.sent[-1]
    codes = [ws2812.encode_pixel(levels, order) for levels in colours]
    ours = ws2812.encode_frame(codes)
    begin, end = len(ws2812.HEAD), len(ours) - len(ws2812.THREE.tail)
    speeds = [value for kind, number, value in wire.settings if (kind, number) == ("s", 4)]
    assert speeds == [ws2812.THREE.clock_hz]
    assert sent.data[: end - begin] == ours[begin:end]
    assert not any(sent.data[end - begin :])
