"""The serial protocol, byte by byte: the host's side, the device's side, and invalid bytes."""

from __future__ import annotations

import ast
import struct
from binascii import crc32
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers import coprocessor as host
from drivers.coprocessor import (
    LONGEST_BYTES,
    MOST_LATER,
    MOST_LEFT_MS,
    Ask,
    Changes,
    ClockState,
    FrameDecoder,
    Full,
    Heartbeat,
    Hello,
    Message,
    Received,
    Show,
    SideTime,
    Thrown,
    encode,
    encode_for_device,
)
from hardware.layout import reading
from hardware.pico import face as pico_face
from hardware.pico import protocol as pico

BYTE, LEVEL, LONG = st.integers(0, 255), st.integers(-128, 127), st.integers(0, 2**32 - 1)
NAME = st.text(max_size=8)
SIDES = st.lists(
    st.builds(SideTime, st.integers(0, MOST_LEFT_MS), st.integers(0, MOST_LATER)),
    min_size=1,
    max_size=8,
).map(tuple)
SHOWS = SIDES.flatmap(
    lambda sides: st.one_of(
        st.just(Show()),
        st.builds(Show, st.integers(0, len(sides)), st.just(False), st.just(sides)),
        st.just(Show(0, True, sides)),
    )
)
MESSAGES: st.SearchStrategy[Message] = st.one_of(
    st.builds(Hello, BYTE, st.sampled_from(["board", "die", "clock", "display"]), BYTE, NAME),
    st.builds(Full, st.lists(LEVEL, max_size=240).map(tuple)),
    st.builds(Changes, st.lists(st.tuples(BYTE, LEVEL), min_size=1, max_size=120).map(tuple)),
    st.builds(Thrown, BYTE, st.lists(BYTE, max_size=8).map(tuple)),
    st.builds(ClockState, BYTE, BYTE, st.lists(LONG, max_size=8).map(tuple)),
    st.just(Heartbeat()),
    st.builds(Ask, BYTE),
    SHOWS,
)


def example(document: str) -> list[tuple[str, bytes]]:
    """The example messages of docs/serial.md: `Beat, number 7: 00 03 42 …`."""
    lines = [line.strip() for line in document.splitlines() if line.startswith("    ")]
    pairs = [line.split(": ", 1) for line in lines if ": 00 " in line]
    return [(name, bytes.fromhex(written)) for name, written in pairs]


def test_the_document_writes_out_what_is_sent() -> None:
    text = (Path(__file__).parents[2] / "docs" / "serial.md").read_text(encoding="utf-8")
    sent: dict[str, tuple[Message, int]] = {
        "Ask, number 0": (Ask(1), 0),
        "Hello, number 0": (Hello(1, "board", 3, "demo"), 0),
        "Full, number 1": (Full((0, 1, -1)), 1),
        "Changes, number 2": (Changes(((1, 0), (0, 1))), 2),
        "Beat, number 258": (Heartbeat(), 258),
        "Thrown, number 3": (Thrown(1, (6,)), 3),
        "Clock, number 4": (ClockState(2, 1, (599_000, 600_000)), 4),
        "Show, number 0": (Show(2, False, (SideTime(599_000), SideTime(29_500, 2))), 0),
        "Show that is paused, number 0": (Show(0, True, (SideTime(599_000), SideTime(600_000))), 0),
        "Show without a clock, number 0": (Show(), 0),
    }
    assert example(text) == [(name, encode(*each)) for name, each in sent.items()]


@given(MESSAGES, st.integers(0, 0xFFFF))
def test_a_message_arrives_as_it_was_sent_one_byte_at_a_time(message: Message, at: int) -> None:
    decoder = FrameDecoder()
    sent = encode(message, at)
    assert sent.count(0) == 2
    got = [each for byte in sent for each in decoder.feed(bytes([byte]))]
    assert got == [Received(at, message)]


def test_what_fits_no_message_is_refused() -> None:
    with pytest.raises(ValueError, match=r"longer than 248"):
        encode(Full((0,) * 241), 0)
    with pytest.raises(ValueError, match="Full"):
        encode(Full((128,)), 0)
    for side in (SideTime(-1), SideTime(MOST_LEFT_MS + 1), SideTime(0, MOST_LATER + 1)):
        with pytest.raises(ValueError, match="out of range"):
            encode(Show(0, False, (side,)), 0)


@given(st.lists(st.binary(max_size=600), max_size=12))
def test_any_bytes_are_survived_and_the_next_message_is_read(pieces: list[bytes]) -> None:
    decoder = FrameDecoder()
    for piece in pieces:
        assert decoder.feed(piece) == []  # random bytes do not match a CRC-32
        assert len(decoder._kept) <= LONGEST_BYTES
    assert decoder.feed(encode(Heartbeat(), 5)) == [Received(5, Heartbeat())]


@given(MESSAGES, st.data())
def test_a_message_that_was_damaged_is_none(message: Message, data: st.DataObject) -> None:
    sent = bytearray(encode(message, 9))
    at = data.draw(st.integers(1, len(sent) - 2))
    sent[at] ^= data.draw(st.integers(1, 255))
    assert FrameDecoder().feed(bytes(sent)) == []


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("H", b"\1\1"),
        ("H", b"\1\5\3name"),
        ("C", b""),
        ("C", b"\1\1\2"),
        ("T", b""),
        ("K", b"\0\0\1\1"),
        ("B", b"\0"),
        ("A", b""),
        ("S", b"\x80"),
        ("S", b"\x80\x80\x80\x80\x80\x7f"),
        ("S", b"\x82\x80\x80\x80\x80\x80"),
        ("Z", b""),
    ],
)
def test_a_body_that_fits_no_message_is_dropped(kind: str, body: bytes) -> None:
    assert FrameDecoder().feed(pico.message(kind, 0, body)) == []


# ---- the device's side, which runs on a Pico as it is


class Wire:
    """A device, and a host that decodes its messages."""

    def __init__(self, kind: int, count: int) -> None:
        self.sent = bytearray()
        self.device = pico.Device(kind, count, "demo", self.sent.extend)

    def heard(self) -> list[Message]:
        found = FrameDecoder().feed(bytes(self.sent))
        self.sent.clear()
        return [each.message for each in found]


@given(MESSAGES, st.integers(0, 0xFFFF))
def test_both_sides_make_the_same_bytes(message: Message, number: int) -> None:
    kind, body = host._pack(message)
    assert pico.message(kind, number, body) == encode(message, number)
    packed = struct.pack("<BH", ord(kind), number) + body
    packed += struct.pack("<I", crc32(packed))
    assert pico.cobs_decoded(pico.cobs_encoded(packed)) == packed


def test_a_board_sends_its_identity_its_state_and_changes() -> None:
    wire = Wire(pico.BOARD, 4)
    wire.device.read([0, 1, 0, 0])
    assert wire.heard() == []  # not yet
    wire.device.introduce()
    assert wire.heard() == [Hello(1, "board", 4, "demo"), Full((0, 1, 0, 0))]
    wire.device.read([0, 1, 0, 0])
    assert wire.heard() == []
    wire.device.read([0, 0, 0, 0])
    assert wire.heard() == [Changes(((1, 0),))]
    wire.device.read([1, 1, -1, 0])
    assert wire.heard() == [Full((1, 1, -1, 0))]  # shorter than its changes


def test_a_die_and_a_clock_repeat_how_they_stand_when_they_are_asked() -> None:
    die = Wire(pico.DIE, 1)
    die.device.introduce()
    assert die.heard() == [Hello(1, "die", 1, "demo"), Thrown(0, ())]
    for number in (*range(1, 256), 1):  # 0 means no throw
        die.device.throw([number % 6 + 1])
        assert die.heard() == [Thrown(number, (number % 6 + 1,))]
    die.device.receive(encode(Ask(1), 0))
    assert die.heard() == [Hello(1, "die", 1, "demo"), Thrown(1, (2,))]
    clock = Wire(pico.CLOCK, 2)
    clock.device.clock(2, [500, 600], True)
    clock.device.clock(2, [500, 400])
    clock.device.receive(encode(Ask(1), 0))
    assert clock.heard() == [
        ClockState(2, 1, (500, 600)),
        Hello(1, "clock", 2, "demo"),
        ClockState(2, 1, (500, 400)),
    ]


def test_a_device_with_nothing_to_say_says_so_twice_a_second() -> None:
    wire = Wire(pico.DIE, 1)
    beats = []
    for now in range(pico.TICKS - 999, pico.TICKS + 1001, 10):  # its clock wraps around meanwhile
        wire.device.tick(now & pico.TICKS)
        beats += wire.heard()
    assert beats == [Heartbeat()] * 4
    wire.device.throw([3])
    wire.heard()
    wire.device.tick(1010)
    wire.device.tick(1500)
    assert wire.heard() == []
    wire.device.tick(1510)
    assert wire.heard() == [Heartbeat()]


def test_a_device_answers_a_host_of_another_version_and_nothing_else() -> None:
    wire = Wire(pico.BOARD, 1)
    for said in (
        b"\0",
        b"hello\0",
        encode(Heartbeat(), 0),
        bytes(1000),
        encode(Ask(1), 0)[:-3] + b"\0",
    ):
        wire.device.receive(said)
        assert wire.heard() == []
    wire.device.receive(b"x" * 5000 + encode(Ask(200), 0))
    assert wire.heard() == [Hello(1, "board", 1, "demo"), Full((-128,))]
    assert len(wire.device._buffer) <= pico.LONGEST


def test_no_version_s_ask_has_the_byte_that_ends_the_pico_s_program() -> None:
    for version in set(range(256)) - {host.STOP}:
        asked = encode_for_device(Ask(version))
        assert host.STOP not in asked
        assert [each.message for each in FrameDecoder().feed(asked)] == [Ask(version)]
        wire = Wire(pico.BOARD, 1)
        wire.device.receive(asked)
        assert wire.heard() == [Hello(1, "board", 1, "demo"), Full((-128,))]
    assert host.STOP in encode(Ask(2), 3)  # so it depends on the number
    with pytest.raises(ValueError, match="there is no version 3"):
        encode_for_device(Ask(host.STOP))
    page = (Path(__file__).parents[2] / "docs" / "serial.md").read_text("utf-8")
    assert "there will be no version 3" in " ".join(page.split())


def test_the_bytes_of_a_host_do_not_change() -> None:
    assert encode_for_device(Ask(host.VERSION)) == encode(Ask(host.VERSION), 0)


@given(SHOWS)
def test_a_display_gets_what_was_shown_and_never_the_byte_that_ends_its_program(show: Show) -> None:
    sent = encode_for_device(show)
    assert host.STOP not in sent
    assert [each.message for each in FrameDecoder().feed(sent)] == [show]
    face = pico_face.Face()
    device = pico.Device(pico.DISPLAY, 8, "demo", bytes, lambda body: face.show(body, 50))
    device.receive(sent)
    assert (face.running, face.paused) == (show.running, show.paused)
    assert face.left(50) == [side.left_ms for side in show.sides]
    assert face.later == [side.later for side in show.sides]


@pytest.mark.parametrize("kind", [pico.BOARD, pico.DIE, pico.CLOCK])
def test_a_device_that_is_no_display_does_not_mind_a_show(kind: int) -> None:
    taken: list[bytes] = []
    sent = bytearray()
    device = pico.Device(kind, 2, "demo", sent.extend, taken.append)
    device.introduce()
    sent.clear()
    device.receive(encode_for_device(Show(1, False, (SideTime(5000), SideTime(5000)))))
    assert (taken, sent) == ([], b"")
    device.receive(encode_for_device(Ask(1)))
    assert len(FrameDecoder().feed(bytes(sent))) == 2


def test_a_display_has_no_times_before_the_first_show() -> None:
    wire = Wire(pico.DISPLAY, 4)
    wire.device.introduce()
    assert wire.heard() == [Hello(1, "display", 4, "demo"), ClockState(0, 0, ())]


@given(st.binary(max_size=300))
def test_any_bytes_are_survived_by_a_device_too(data: bytes) -> None:
    wire = Wire(pico.BOARD, 1)
    wire.device.receive(data)
    assert wire.heard() == []


def test_both_sides_and_the_layout_agree_on_their_limits() -> None:
    assert host.MOST_PLACES == reading.MOST_PLACES
    assert host.BAUD in reading.BAUDS
    assert (host.VERSION, host.UNKNOWN) == (pico.VERSION, pico.UNKNOWN)
    assert host.BEAT_S * 1000 == pico.BEAT_MS
    assert pico.TICKS == pico_face.TICKS
    assert host.SHOW_PAUSED == pico_face.PAUSED
    eleven = Show(1, False, (SideTime(MOST_LEFT_MS, MOST_LATER),) * 11)
    assert len(encode_for_device(eleven)) - 2 <= pico.LONGEST


def test_the_pico_needs_nothing_but_its_own_files() -> None:
    """They import only MicroPython's modules and each other, and use no syntax that it lacks."""
    folder = Path(pico.__file__).parent
    had = {"struct", "binascii", "os", "select", "sys", "time", "machine"}
    own = {path.stem for path in folder.glob("*.py")} - {"__init__"}
    assert own == {"face", "main", "pins", "protocol", "settings"}
    for name in own:
        tree = ast.parse((folder / f"{name}.py").read_text(encoding="utf-8"))
        asked = {
            imported
            for node in ast.walk(tree)
            if isinstance(node, ast.Import | ast.ImportFrom)
            for imported in (
                [each.name for each in node.names]
                if isinstance(node, ast.Import)
                else [node.module or ""]
            )
        }
        assert asked - {"collections.abc"} <= had | own, name  # this one for type checkers only
        assert not any(isinstance(node, ast.Match) for node in ast.walk(tree)), name
        lists = [node for node in ast.walk(tree) if isinstance(node, ast.List | ast.Tuple)]
        assert not any(isinstance(part, ast.Starred) for each in lists for part in each.elts), name
