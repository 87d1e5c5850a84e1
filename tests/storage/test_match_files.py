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
from firmware_host.host.simulated import SimulatedHost
from firmware_host.i18n.messages import RefusedError, render
from firmware_host.session.events import Frame, NewMatch
from firmware_host.session.record import RecordEntry
from firmware_host.storage import journal as journals
from firmware_host.storage import recording
from firmware_host.storage.files import put
from firmware_host.storage.journal import Journal, JournalError, lock, resume
from firmware_host.storage.match_files import LITTLE_BYTES, LOOK_S, RETRY_S, MatchFiles
from firmware_host.storage.player_names import PlayerNames
from firmware_host.storage.recording import RecordingHeader
from firmware_host.web.commands import CommandHandler
from firmware_host.web.protocol import ResumeCommand
from hardware import regular_file

DUEL = make("robot-duel")
MOVES = ("C4C3", "A1A2", "B3B2")
MOVED = tuple(RecordEntry("move", number % 2, (text,)) for number, text in enumerate(MOVES))
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
        kept = resume(tmp_path / "match.jsonl")
        assert kept is not None
        assert kept.matches[0].moves() == board.moves
        await board.hands("B4- A3+ 0.2")
        assert board.colours()["A3"] == "teal"
        assert "saved again" not in board.says

    async def again(board: Any) -> None:
        assert board.moves == ["C4C3", "A1A2", "B3B2", "B1B2", "B4A3"]

    sit(story, kill=True)
    sit(again)
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
    kept = resume(tmp_path / "match.jsonl")
    assert kept is not None
    assert kept.record == MOVED
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
    kept = [resume(path) for path in tmp_path.glob("match-*.jsonl")]
    assert sorted(len(each.record) for each in kept if each) == [1, 2, 3]


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
    kept = resume(tmp_path / "match.jsonl")
    assert kept is not None
    assert kept.matches[0].moves() == ["C4C3"]
    assert len(list(tmp_path.glob("match-unread-*"))) == 1


@pytest.mark.parametrize("make_it", NONE)
@pytest.mark.parametrize("name", ["table.json", "recording.jsonl"])
def test_files_beside_the_match_that_are_none_stop_nothing(
    sit: Any, tmp_path: Path, make_it: Any, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def story(board: Any) -> None:
        await board.play("C4C3", "A1A2")
        assert board.moves == ["C4C3", "A1A2"]

    async def again(board: Any) -> None:
        assert board.moves == ["C4C3", "A1A2"]

    make_it(tmp_path / name)
    sit(story, kill=True)
    sit(again)
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
    kept = resume(tmp_path / "match.jsonl")
    assert kept is not None
    assert kept.matches[0].moves() == ["C4C3", "A1A2"]


def test_a_journal_without_end_does_not_fill_the_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "match.jsonl"
    journal = Journal.begin(path, DUEL, "square-reed")
    journal.write(MOVED[:1])
    journal.close()
    os.truncate(path, 1 << 40)
    monkeypatch.setattr(journals, "MOST_BYTES", 1 << 20)
    kept = resume(path)
    assert kept is not None
    assert (kept.matches[0].moves(), kept.damaged) == (["C4C3"], 3)
    data, longer = regular_file.head(path, 1000)
    assert (len(data), longer) == (1000, True)


# ---- recordings


def test_a_recording_is_gone_on_with_after_a_restart(sit: Any, tmp_path: Path) -> None:
    async def first(board: Any) -> None:
        await board.play("C4C3", "A1A2")

    async def second(board: Any) -> None:
        await board.play("B3B2")

    mine = tmp_path / "mine.jsonl"
    sit(first, record=mine, kill=True)
    for path in (mine, tmp_path / "recording.jsonl"):
        with path.open("a") as file:
            file.write('{"t": 77.1, "pla')  # it broke off
    sit(second, record=mine)
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


# ---- which match goes on


def damage(path: Path, line: int) -> bytes:
    lines = path.read_bytes().split(b"\n")
    lines[line - 1] = lines[line - 1].replace(b'"', b"'", 2)
    path.write_bytes(b"\n".join(lines))
    return path.read_bytes()


def test_a_damaged_match_goes_on_after_its_good_moves(
    sit: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def first(board: Any) -> None:
        await board.play(*MOVES)

    async def second(board: Any) -> None:
        assert board.moves == ["C4C3", "A1A2"]
        assert "Line 4 of match.jsonl is damaged" in board.says
        assert "continues after its first 2 moves" in board.says
        assert "Bring the chick to B3" in board.says

    async def third(board: Any) -> None:
        assert board.moves == ["C4C3", "A1A2"]
        assert "damaged" not in board.says

    sit(first)
    data = damage(tmp_path / "match.jsonl", 4)
    sit(second, game=None, layout=None, kill=True)
    sit(third, game=None, layout=None)
    (whole,) = tmp_path.glob("match-damaged-*.jsonl")
    assert whole.read_bytes() == data
    assert any("Line 4 of match.jsonl" in each and whole.name in each for each in caplog.messages)


def test_people_choose_which_match_goes_on_if_the_last_cannot_be_read(
    sit: Any, tmp_path: Path
) -> None:
    async def shogi(board: Any) -> None:
        await board.hands("7g- 7f+ 1.5")
        assert board.moves == ["7g7f"]

    async def duel(board: Any) -> None:
        await board.play(*MOVES)

    async def asked(board: Any) -> None:
        host = board.host
        assert "cannot be read" in board.says
        assert [(each.title, each.plies) for each in host.status().saved_matches] == [("Shogi", 1)]
        assert board.moves == []

    async def chosen(board: Any) -> None:
        await asked(board)
        host = board.host
        desk = CommandHandler(host, lambda page, error: None, lambda: None)
        (kept,) = host.status().saved_matches
        rev = host.status().rev
        for name in ("match.jsonl", "../match.jsonl", str(tmp_path / kept.name), "match-1.jsonl"):
            with pytest.raises(RefusedError):
                desk.take(ResumeCommand(n=1, rev=rev, match=name), "page")
        desk.take(ResumeCommand(n=1, rev=rev, match=kept.name), "page")
        await asyncio.sleep(1)
        assert (host.game.name, board.moves) == ("shogi", ["7g7f"])
        assert host.status().saved_matches == host.status().to_fill == host.status().to_empty == ()
        assert "cannot be read" not in board.says

    async def goes_on(board: Any) -> None:
        assert board.moves == ["7g7f"]

    sit(shogi, game="shogi")
    sit(duel)
    data = bytes(4096)
    (tmp_path / "match.jsonl").write_bytes(data)
    sit(asked, game=None, layout=None, kill=True)
    sit(asked, game=None, layout=None)  # it is asked until it is answered
    sit(chosen, game=None, layout=None, kill=True)
    sit(goes_on, game=None, layout=None)
    (unread,) = tmp_path.glob("match-*.jsonl")
    assert unread.name.startswith("match-unread-")
    assert unread.read_bytes() == data


def test_a_match_or_a_new_one_is_asked_for_at_the_start(tmp_path: Path) -> None:
    def begun(*arguments: Any) -> tuple[str, int]:
        host = SimulatedHost(tmp_path)
        try:
            host.open(*arguments)
            return host.game.name, len(host.status().plies)
        finally:
            host.close()

    Journal.begin(tmp_path / "match-1.jsonl", make("shogi"), "square-reed").close()
    journal = Journal.begin(tmp_path / "match.jsonl", DUEL, "square-reed")
    journal.write(MOVED)
    journal.close()
    for wrong in ("match-2.jsonl", "../match-1.jsonl", "match.jsonl"):
        with pytest.raises(JournalError, match="is kept there"):
            begun(None, {}, None, wrong)
    with pytest.raises(JournalError, match="another game"):
        begun("abalone", {}, None, "match-1.jsonl")
    assert begun(None, {}, None) == ("robot-duel", 3)
    assert begun(None, {}, None, "match-1.jsonl") == ("shogi", 0)
    assert begun(None, {}, None) == ("shogi", 0)
    (kept,) = tmp_path.glob("match-*.jsonl")
    assert begun(None, {}, None, kept.name) == ("robot-duel", 3)
    assert begun("shogi", {}, None, None, True) == ("shogi", 0)
    assert len(list(tmp_path.glob("match-*.jsonl"))) == 1


def test_an_older_state_of_a_match_replaces_no_newer_one(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    journal = Journal.begin(path, DUEL, "square-reed")
    journal.write(MOVED[:1])
    (tmp_path / "match-1.jsonl").write_bytes(path.read_bytes())  # killed while it was moved
    journal.write(MOVED)
    journal.close()
    files = MatchFiles(tmp_path)
    files.last_match()
    files.resume(files.chosen("match-1.jsonl"), HEADER)
    files.close()
    (earlier,) = tmp_path.glob("match-*.jsonl")
    found = [resume(each) for each in (path, earlier)]
    assert [each.record for each in found if each] == [MOVED[:1], MOVED]


def test_a_new_match_answers_the_question_too(sit: Any, tmp_path: Path) -> None:
    async def story(board: Any) -> None:
        assert "cannot be read" in board.says
        board.host.post(NewMatch(board.host.now()))
        await asyncio.sleep(0.5)
        assert "cannot be read" not in board.says

    async def nothing(board: Any) -> None:
        assert "cannot be read" not in board.says

    (tmp_path / "match.jsonl").write_bytes(b"")
    sit(story)
    sit(nothing)
    assert [path.read_bytes() for path in tmp_path.glob("match-unread-*")] == [b""]


# ---- another board than the one that the match was begun on


def test_a_match_goes_on_upon_another_board_that_serves_its_game(sit: Any, tmp_path: Path) -> None:
    async def reed(board: Any) -> None:
        await board.hands("7g- 7f+ 1.5")
        assert board.moves == ["7g7f"]

    async def hall(board: Any) -> None:
        assert (board.host.game.name, board.host.layout.name) == ("shogi", "square-hall")
        assert board.moves == ["7g7f"]
        assert not board.host.status().to_fill
        await board.hands("3c- 3d+ 1.5")
        assert board.moves == ["7g7f", "3c3d"]

    async def again(board: Any) -> None:
        assert (board.host.layout.name, board.moves) == ("square-hall", ["7g7f", "3c3d"])

    sit(reed, game="shogi", kill=True)
    sit(hall, game=None, layout="square-hall", kill=True)
    sit(again, game=None, layout=None)
    assert not list(tmp_path.glob("match-*"))


def test_a_match_whose_game_the_board_does_not_serve_is_kept_and_told(
    sit: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def shogi(board: Any) -> None:
        await board.hands("7g- 7f+ 1.5")

    async def hexagons(board: Any) -> None:
        (kept,) = tmp_path.glob("match-*.jsonl")
        assert board.host.game.name in board.host.layout.games
        told = f"Its match is kept as {kept.name}; to continue it, start with "
        assert told + f"--match {kept.name} on a board for that game." in board.says
        assert told in caplog.text
        found = resume(kept)
        assert found is not None
        assert found.matches[0].moves() == ["7g7f"]

    sit(shogi, game="shogi")
    sit(hexagons, game=None, layout="hex-reed")


def test_options_without_a_game_are_those_of_the_game_in_play(tmp_path: Path) -> None:
    journal = Journal.begin(tmp_path / "match.jsonl", make("abalone"), "hex-reed")
    journal.write((RecordEntry("move", 0, ("a1b2",)),))
    journal.close()
    with contextlib.closing(SimulatedHost(tmp_path)) as host:
        host.open(None, {"layout": "belgian_daisy"}, None)
        assert (host.game.name, host.game.options["layout"]) == ("abalone", "belgian_daisy")
    assert len(list(tmp_path.glob("match-*.jsonl"))) == 1


def test_a_board_without_a_match_begins_the_first_game_that_it_serves(tmp_path: Path) -> None:
    with contextlib.closing(SimulatedHost(tmp_path)) as host:
        host.open(None, {}, "hex-hall")
        assert host.game.name in host.layout.games
