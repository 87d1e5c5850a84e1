"""What is kept of matches: files that are none, that end, that are many; which match goes on."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import stat
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from engine.games import make
from engine.reading.footprints import Sight
from firmware_host.cli import replay
from firmware_host.i18n.messages import render
from firmware_host.session.events import Frame
from firmware_host.storage import journal as journals
from firmware_host.storage import recording
from firmware_host.storage.files import put
from firmware_host.storage.journal import JournalError
from firmware_host.storage.match_files import LITTLE_BYTES, LOOK_S, RETRY_S, MatchFiles
from firmware_host.storage.player_names import PlayerNames
from firmware_host.storage.recording import RecordingHeader
from firmware_host.storage.state_lock import lock
from hardware import regular_file
from tests.support.journals import keep, moves_in, read_back, record
from tests.support.stories import going_on_after, playing

DUEL = make("robot-duel")
MOVES = ("C4C3", "A1A2", "B3B2")
MOVED = record(*MOVES)
HEADER = RecordingHeader(DUEL, "presence", DUEL.start(), ())


def said(files: MatchFiles) -> str:
    told = files.status
    return " ".join(render(each) for each in (*told.faults, *told.notices))


# ---- a full disk, as people see it


class Full:
    """A disk on which nothing can be written any more, until there is space."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.is_full = False
        self.written = ""
        write = os.write

        def writing(descriptor: int, data: bytes) -> int:
            if self.is_full and write(descriptor, data[:5]) == 5:  # as much as there is room for
                raise OSError(errno.ENOSPC, "No space left on device")
            return write(descriptor, data)

        monkeypatch.setattr(os, "write", writing)


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> Full:
    return Full(monkeypatch)


def test_what_is_not_safe_is_said_and_marked_and_not_confirmed(
    sit: Any, full: Full, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def unsafe(board: Any) -> list[bool]:
        return [ply.unsafe for ply in board.host.status().plies]

    async def story(board: Any) -> None:
        await board.hands("C4- C3+ 0.2")
        assert board.colours() == {"C4": "white", "C3": "teal"}
        await asyncio.sleep(1)
        await board.play("A1A2")
        assert unsafe(board) == [False, False]
        full.is_full = True
        await board.hands("B3- B2- hand.A.C+ B2+ 0.2")
        assert board.moves == ["C4C3", "A1A2", "B3B2"]
        assert (
            "The match cannot be saved: No space left on device (match.jsonl). You can"
            in board.says
        )
        assert board.colours()["B2"] == "yellow"
        assert unsafe(board) == [False, False, True]
        await asyncio.sleep(2)
        await board.play("B1B2")
        assert unsafe(board) == [False, False, True, True]
        full.is_full = False
        await asyncio.sleep(RETRY_S + 0.1)
        assert unsafe(board) == [False] * 4
        assert "The match is saved again" in board.says
        assert "cannot be saved" not in board.says
        assert moves_in(tmp_path / "match.jsonl") == board.moves
        await board.hands("B4- A3+ 0.2")
        assert board.colours()["A3"] == "teal"
        assert "saved again" not in board.says

    sit(story, kill=True)
    sit(going_on_after("C4C3", "A1A2", "B3B2", "B1B2", "B4A3"))
    about_it = [each for each in caplog.messages if each.startswith("The match")]
    assert len(about_it) == 2


def test_what_a_full_disk_holds_when_the_program_dies_is_what_was_safe(
    sit: Any, full: Full
) -> None:
    async def story(board: Any) -> None:
        await board.play("C4C3", "A1A2")
        full.is_full = True
        await board.play("B3B2")

    async def again(board: Any) -> None:
        full.is_full = False
        assert board.moves == ["C4C3", "A1A2"]
        assert "damaged" not in board.says

    sit(story, kill=True)
    sit(again)


def test_what_is_lost_with_the_program_stands_in_the_log(
    tmp_path: Path, full: Full, caplog: pytest.LogCaptureFixture
) -> None:
    files = MatchFiles(tmp_path)
    files.begin(DUEL, "square-reed", HEADER)
    files.write(MOVED[:1], 1.0)
    full.is_full = True
    files.write(MOVED, 2.0)
    files.begin(DUEL, "square-reed", HEADER)
    files.close()
    lost = ", ".join(entry.texts[0] for entry in MOVED[1:])
    assert caplog.messages[1:] == [f"Robot Duel: lost, as it cannot be saved: {lost}"]


def test_a_journal_that_was_deleted_is_written_anew(tmp_path: Path) -> None:
    files = MatchFiles(tmp_path)
    files.begin(DUEL, "square-reed", HEADER)
    files.write(MOVED[:1], 1.0)
    (tmp_path / "match.jsonl").unlink()
    files.write(MOVED, 2.0)
    assert read_back(tmp_path / "match.jsonl").record == MOVED
    files.close()


def test_a_match_that_could_not_be_written_is_kept_when_another_has_begun(
    tmp_path: Path, full: Full
) -> None:
    files = MatchFiles(tmp_path)
    files.begin(DUEL, "square-reed", HEADER)
    full.is_full = True
    for number in range(3):
        files.write(MOVED[: number + 1], number)
        files.begin(DUEL, "square-reed", HEADER)
    assert not list(tmp_path.glob("match-*"))
    full.is_full = False
    files.save_due(10.0)
    assert files.status.faults == ()
    files.close()
    kept = [read_back(path) for path in tmp_path.glob("match-*.jsonl")]
    assert sorted(len(each.record) for each in kept) == [1, 2, 3]


# ---- files that are none


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _loop(path: Path) -> None:
    path.symlink_to(path)


def _device(path: Path) -> None:
    path.symlink_to("/dev/zero")


NONE = [_pipe, Path.mkdir, _loop, _device]


@pytest.mark.parametrize("make_it", NONE)
def test_a_match_that_is_no_file_is_asked_about(sit: Any, tmp_path: Path, make_it: Any) -> None:
    async def story(board: Any) -> None:
        assert "cannot be read" in board.says
        assert str(tmp_path / "match.jsonl") in board.says
        await board.play("C4C3")
        assert "cannot be read" not in board.says

    make_it(tmp_path / "match.jsonl")
    sit(story)
    assert moves_in(tmp_path / "match.jsonl") == ["C4C3"]
    assert len(list(tmp_path.glob("match-unread-*"))) == 1


@pytest.mark.parametrize("make_it", NONE)
@pytest.mark.parametrize("name", ["table.json", "recording.jsonl"])
def test_files_beside_the_match_that_are_none_stop_nothing(
    sit: Any, tmp_path: Path, make_it: Any, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    make_it(tmp_path / name)
    sit(playing("C4C3", "A1A2"), kill=True)
    sit(going_on_after("C4C3", "A1A2"))
    assert sum(name in each for each in caplog.messages) <= 4
    assert not any("Traceback" in each for each in caplog.messages)


@pytest.mark.parametrize("make_it", NONE)
def test_a_lock_that_is_no_file_is_one_clear_line(tmp_path: Path, make_it: Any) -> None:
    make_it(tmp_path / "lock")
    with pytest.raises(JournalError, match=r"lock: (Not a reg|Is a dir|Too many levels).*; choose"):
        lock(tmp_path)


def test_a_directory_that_is_gone_stops_nothing(sit: Any, tmp_path: Path) -> None:
    async def story(board: Any) -> None:
        await board.play("C4C3")
        for path in tmp_path.iterdir():
            path.unlink()
        tmp_path.rmdir()
        await board.play("A1A2")
        assert board.moves == ["C4C3", "A1A2"]
        assert "The match cannot be saved: No such file or directory (match.jsonl)" in board.says
        tmp_path.mkdir()
        await asyncio.sleep(RETRY_S + 0.1)
        assert "saved again" in board.says

    sit(story)
    assert moves_in(tmp_path / "match.jsonl") == ["C4C3", "A1A2"]


def test_a_journal_without_end_does_not_fill_the_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "match.jsonl"
    keep(path, DUEL, MOVED[:1])
    os.truncate(path, 1 << 40)
    monkeypatch.setattr(journals, "MOST_BYTES", 1 << 20)
    kept = read_back(path)
    assert (kept.matches[0].moves(), kept.damaged) == (["C4C3"], 3)
    data, longer = regular_file.head(path, 1000)
    assert (len(data), longer) == (1000, True)


# ---- recordings


def test_a_recording_is_gone_on_with_after_a_restart(sit: Any, tmp_path: Path) -> None:
    mine = tmp_path / "mine.jsonl"
    sit(playing("C4C3", "A1A2"), record=mine, kill=True)
    for path in (mine, tmp_path / "recording.jsonl"):
        with path.open("a") as file:
            file.write('{"t": 77.1, "pla')  # it broke off
    sit(playing("B3B2"), record=mine)
    for path in (mine, tmp_path / "recording.jsonl"):
        again = recording.read(path)
        assert not again.torn
        times = [event.at for event in again.events()]
        assert times == sorted(times)
        session = replay.begin(again)
        for _ in replay.replay(again, session):
            pass
        assert replay.ending(session)["moves"] == ["C4C3", "A1A2", "B3B2"]
    assert not list(tmp_path.glob("*-2.jsonl"))


@pytest.mark.parametrize("content", [b"mine", b"\n", b'{"lampion": "recording"}\n'])
def test_no_other_file_is_overwritten_by_a_recording(tmp_path: Path, content: bytes) -> None:
    wanted = tmp_path / "mine.jsonl"
    wanted.write_bytes(content)
    files = MatchFiles(tmp_path, wanted)
    start = Frame(0.0, Sight(DUEL).readings(DUEL.start()))
    for _ in range(2):
        files.begin(DUEL, "square-reed", HEADER)
        files.take(start, start)
        assert said(files) == ""
    files.close()
    assert wanted.read_bytes() == content
    for name in ("mine-2.jsonl", "mine-3.jsonl", "recording.jsonl"):
        assert list(recording.read(tmp_path / name).events()) == [start]


def test_a_recording_for_which_there_is_no_place(
    sit: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def story(board: Any) -> None:
        await board.play("C4C3")
        assert board.moves == ["C4C3"]
        assert "mine.jsonl cannot be written: No such file or directory." in board.says
        assert b"".join(board.host.record_as_test()).count(b"\n") > 2

    sit(story, record=tmp_path / "nowhere" / "mine.jsonl")
    assert sum("mine.jsonl" in each for each in caplog.messages) == 1


def test_a_recording_that_ends_leaves_whole_lines(tmp_path: Path, full: Full) -> None:
    files = MatchFiles(tmp_path)
    files.begin(DUEL, "square-reed", HEADER)
    start = Frame(0.0, Sight(DUEL).readings(DUEL.start()))
    files.take(start, start)
    full.is_full = True
    files.take(Frame(1.0, {}), start)
    assert "recording.jsonl cannot be written: No space left on device" in said(files)
    full.is_full = False
    files.take(Frame(2.0, {"A4": 1}), start)  # what came between is missing: it stays ended
    files.close()
    again = recording.read(tmp_path / "recording.jsonl")
    assert (list(again.events()), again.torn) == ([start], False)


def test_a_name_that_another_program_takes_meanwhile_is_not_written_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, aside = tmp_path / "match.jsonl", tmp_path / "match-1.jsonl"
    path.write_text("the match before")
    replace = os.replace
    taken = []

    def taken_meanwhile(source: Path, target: Path) -> None:
        if source == path:
            with contextlib.suppress(FileExistsError), open(target, "x") as file:
                file.write("an import")
                taken.append(target)
        replace(source, target)

    monkeypatch.setattr(os, "replace", taken_meanwhile)
    put(path, b"the new match", aside)
    assert not taken, "another program can still get the name"
    assert (path.read_text(), aside.read_text()) == ("the new match", "the match before")


def test_two_programs_that_put_a_file_at_once_put_it_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "table.bin"
    fsync = os.fsync

    def other_program_puts(descriptor: int) -> None:
        monkeypatch.setattr(os, "fsync", fsync)
        monkeypatch.setattr(os, "getpid", lambda: 7)
        put(path, b"theirs")
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", other_program_puts)
    put(path, b"ours")
    assert path.read_text() == "ours"
    assert [each.name for each in tmp_path.iterdir()] == ["table.bin"]


@pytest.mark.parametrize("umask", [0o000, 0o022])
def test_what_is_kept_is_for_its_user_alone(tmp_path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        state = tmp_path / "lampion"
        held = lock(state)
        kept = MatchFiles(state)
        kept.begin(DUEL, "square-reed", HEADER)
        start = Frame(0.0, Sight(DUEL).readings(DUEL.start()))
        kept.take(start, start)
        kept.write(MOVED, 1.0)
        kept.save_table("{}")
        players = PlayerNames(state / "players.json")
        players.rename(0, "Anna")
        players.file.close()
        kept.begin(DUEL, "square-reed", HEADER)
        kept.close()
        held.close()
    finally:
        os.umask(before)
    assert stat.S_IMODE(state.stat().st_mode) == 0o700
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in state.iterdir()}
    assert len(modes) >= 5
    assert set(modes.values()) == {0o600}, modes


# ---- space, and many matches


def test_little_space_is_said_before_there_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    free = LITTLE_BYTES

    def statvfs(path: Path) -> Any:
        return SimpleNamespace(f_blocks=10**9, f_bavail=free // 1000, f_frsize=1000)

    monkeypatch.setattr(os, "statvfs", statvfs)
    files = MatchFiles(tmp_path)
    files.begin(DUEL, "square-reed", HEADER)
    assert files.save_due(1.0) == 1.0 + LOOK_S
    assert said(files) == ""
    for _ in range(2):
        free = LITTLE_BYTES - 1000
        files.save_due(files.save_due(2.0))
        assert said(files).startswith(f"Less than 20 MB are left in {tmp_path}")
        free = LITTLE_BYTES
        files.save_due(files.save_due(2.0) + 1)
        files.save_due(1000.0)
        assert said(files) == ""
        files.save_due(0.0)
    assert len(caplog.messages) == 1
    files.close()
