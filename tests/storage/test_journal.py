"""Journals: what was confirmed is on the disk, whatever happens to the program."""

from __future__ import annotations

import json
import logging
import os
import signal
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import pytest

from engine.game import Claim, Throw
from engine.games import make
from engine.match import AnyGame, Match
from engine.reading.footprints import Sight
from firmware_host.i18n.messages import render, say
from firmware_host.session.events import Frame
from firmware_host.session.record import entry_of
from firmware_host.storage.journal import JournalError, Player, resume
from firmware_host.storage.match_files import MatchFiles
from firmware_host.storage.recording import RecordingHeader, read
from firmware_host.storage.state_lock import lock
from firmware_host.text.storage_status import StorageStatus
from tests.support.journals import moves_in, moves_of, read_back, record, recorded

DUEL = make("robot-duel")
LINE = ("C4C3", "A1A2", "B3B2", "B1B2")


# ---- written and resumed


def test_there_is_nothing_to_resume(path: Path) -> None:
    assert resume(path) is None


def test_a_match_is_resumed_as_it_stood(path: Path, begin: Any) -> None:
    game = make("robot-duel", {"promotion": "mandatory"})
    journal = begin(game, "square-hall")
    assert moves_in(path) == []
    for count in range(1, len(LINE) + 1):
        journal.write(record(*LINE[:count]))
        assert moves_in(path) == list(LINE[:count])
    resumed = read_back(path)
    assert (resumed.game, resumed.layout, resumed.torn) == (game, "square-hall", False)
    assert resumed.record == record(*LINE)


def test_a_match_that_began_elsewhere(path: Path, begin: Any) -> None:
    start = DUEL.parse_position("1le/1L1/3/E2 b GgCc 1")
    begin(DUEL, "square-reed", start).write(record("B2B1"))
    resumed = read_back(path)
    assert resumed.matches[0].back(1).position == start
    assert resumed.matches[0].outcome is not None


def test_revising_and_taking_back_only_add_lines(path: Path, begin: Any) -> None:
    journal = begin(DUEL, "square-reed")
    sizes = []
    for each in (("C4C3", "A1A2"), ("C4C3",), (), ("B4A3",), ("B4C3",)):
        journal.write(record(*each))
        assert moves_in(path) == list(each)
        sizes.append(path.stat().st_size)
    assert sizes == sorted(set(sizes))
    journal.write(record("B4C3"))  # nothing new
    assert path.stat().st_size == sizes[-1]


def test_open_questions_are_resumed_open(path: Path, begin: Any) -> None:
    start = DUEL.parse_position("g1l/1C1/2L/E1G b Ce 1")
    journal = begin(DUEL, "square-reed", start)
    journal.write(record(("B2B1", "B2B1+"), "A1A2"))
    resumed = read_back(path)
    assert [match.moves() for match in resumed.matches] == [["B2B1", "A1A2"], ["B2B1+", "A1A2"]]
    journal.write(record(("B2B1", "B2B1+"), "A1A2", "B1B2"))  # only a hen goes back
    assert moves_in(path) == ["B2B1+", "A1A2", "B1B2"]


def test_throws_passes_and_claims(path: Path, begin: Any) -> None:
    game: AnyGame = make("chaturaji")
    match = Match.begin(game).play(Throw((4,)))
    match = match.play(match.legal[0]).play(Throw((3,)))
    match = match.play(game.parse_move(match.position, "a7c6"))
    claim = next(iter(game.claims(match.position, 3)), None)
    if claim is not None:
        match = match.play(claim)
    journal = begin(game, "square-reed")
    journal.write(recorded(match))
    resumed = read_back(path)
    (again,) = resumed.matches
    assert again.position == match.position
    assert [step.move for step in again.steps()] == [step.move for step in match.steps()]
    resigned = Match.begin(DUEL).play(Claim(1, "resign"))
    begin(DUEL, "square-reed").write((entry_of(resigned),))
    there = read_back(path)
    assert there.matches[0].outcome == resigned.outcome


# ---- broken off, broken


def test_wherever_it_breaks_off_the_rest_is_resumed_and_gone_on_with(
    path: Path, begin: Any
) -> None:
    journal = begin(DUEL, "square-reed")
    whole = [path.stat().st_size]
    for count in range(1, len(LINE) + 1):
        journal.write(record(*LINE[:count]))
        whole.append(path.stat().st_size)
    journal.close()
    data = path.read_bytes()
    for cut in range(whole[0], len(data) + 1):
        path.write_bytes(data[:cut])
        stand = sum(size <= cut for size in whole) - 1
        resumed = read_back(path)
        assert resumed.torn == (cut not in whole)
        assert moves_of(resumed) == list(LINE[:stand])
        going_on = resumed.reopen()
        going_on.write(record(*LINE))
        going_on.close()
        again = read_back(path)
        assert (moves_of(again), again.torn) == (list(LINE), False)


HEAD = {
    "lampion": "journal",
    "version": 3,
    "id": "5f0c",
    "game": "robot-duel",
    "options": {},
    "layout": "square-reed",
    "position": None,
    "origin": "",
}
SECOND = {key: value for key, value in HEAD.items() if key != "origin"} | {"version": 2}
"""As the first line was before journals named the players."""
OLD = {key: value for key, value in SECOND.items() if key != "id"} | {"version": 1}
"""As the first line was before lines had checksums."""
FIRST = b'{"keep": 0, "add": [["move", 0, "C4C3"]]}'
NEXT = b'{"keep": 1, "add": [["move", 1, "A1A2"]]}'


def sealed(*lines: bytes) -> bytes:
    """Lines with their checksums, worked out as the documents say."""
    data, checksum = b"", 0
    for line in lines:
        body = line.removesuffix(b"}")
        checksum = zlib.crc32(body, checksum)
        data += body + b',"crc":"%08x"}\n' % checksum
    return data


def test_a_journal_is_json_lines_that_end_in_checksums(path: Path, begin: Any) -> None:
    journal = begin(DUEL, "square-reed")
    journal.write(record("C4C3"))
    journal.write(record("C4C3", "A1A2"))
    lines = [line[: line.rindex(b',"crc"')] + b"}" for line in path.read_bytes().splitlines()]
    assert path.read_bytes() == sealed(*lines)
    assert [json.loads(line) for line in lines] == [
        HEAD | {"id": journal.head.id, "options": dict(DUEL.options)},
        json.loads(FIRST),
        json.loads(NEXT),
    ]


def test_the_journal_in_the_documents_is_one(path: Path) -> None:
    text = (Path(__file__).parents[2] / "docs" / "recordings.md").read_text()
    path.write_text(text[text.index('{"lampion":"journal"') :].partition("```")[0])
    resumed = read_back(path)
    assert (moves_of(resumed), resumed.damaged) == (["C4C3", "A1A2", "B3B2"], 0)


def test_a_journal_without_checksums_is_read_and_written_anew(path: Path) -> None:
    path.write_bytes(b"\n".join([json.dumps(OLD).encode(), FIRST, NEXT, b'{"keep": 2, "ad']))
    resumed = read_back(path)
    assert (moves_of(resumed), resumed.torn, resumed.damaged) == (["C4C3", "A1A2"], True, 0)
    journal = resumed.reopen()
    journal.save()
    journal.write(record(*LINE))
    journal.close()
    assert moves_in(path) == list(LINE)
    assert b'"version":3' in path.read_bytes()


def test_a_journal_of_version_2_is_read_and_rewritten(path: Path) -> None:
    path.write_bytes(sealed(json.dumps(SECOND).encode(), FIRST, NEXT))
    resumed = read_back(path)
    assert (moves_of(resumed), resumed.head.id, resumed.players) == (["C4C3", "A1A2"], "5f0c", ())
    journal = resumed.reopen()
    journal.players = PLAYERS
    journal.write(record(*LINE))
    journal.close()
    again = read_back(path)
    assert (moves_of(again), again.head.id, again.players) == (list(LINE), "5f0c", PLAYERS)


# ---- the players


PLAYERS = (Player("Łucja", "person"), Player("", "level:plans"))


def test_a_journal_names_the_players_when_they_change(path: Path, begin: Any) -> None:
    journal = begin(DUEL, "square-reed")
    journal.players = (Player("", "person"), Player("", "person"))
    journal.save()  # nothing was played: nothing is written
    assert path.read_bytes().count(b"\n") == 1
    journal.write(record(*LINE[:1]))
    journal.write(record(*LINE[:2]))
    journal.players = PLAYERS
    journal.save()
    journal.write(record(*LINE[:3]))
    named = [b"players" in line for line in path.read_bytes().splitlines()]
    assert named == [False, True, False, True, False]
    resumed = read_back(path)
    assert (resumed.players, moves_of(resumed)) == (PLAYERS, list(LINE[:3]))


def test_a_resumed_journal_names_the_players_only_if_they_change(path: Path, begin: Any) -> None:
    journal = begin(DUEL, "square-reed")
    journal.players = PLAYERS
    journal.write(record(*LINE[:1]))
    journal.close()
    resumed = read_back(path)
    journal = resumed.reopen()
    assert journal.players == PLAYERS
    journal.write(record(*LINE[:2]))
    assert path.read_bytes().count(b"players") == 1
    journal.players = (PLAYERS[1], PLAYERS[0])
    journal.save()
    journal.path.unlink()  # then all of it is written again
    journal.write(record(*LINE[:3]))
    journal.close()
    again = read_back(path)
    assert (again.players, moves_of(again)) == ((PLAYERS[1], PLAYERS[0]), list(LINE[:3]))


@pytest.mark.parametrize(
    "players",
    [
        '[["Ania","person"]]',
        '[["Ania","person"],["Ola"]]',
        '[["Ania","person"],["Ola",1]]',
        '[["Ania\\n","person"],["Ola","person"]]',
        '[["' + 31 * "a" + '","person"],["Ola","person"]]',
        '"Ania"',
        "null",
    ],
)
def test_players_that_cannot_be_make_a_damaged_line(path: Path, players: str) -> None:
    bad = b'{"keep": 1, "add": [["move", 1, "A1A2"]], "players": %s}' % players.encode()
    path.write_bytes(sealed(json.dumps(HEAD).encode(), FIRST, bad))
    resumed = read_back(path)
    assert (moves_of(resumed), resumed.damaged) == (["C4C3"], 3)


BAD = [
    b"",
    b"{",
    b"[]",
    b"\xff",
    b"[" * 9999,
    b"\0" * 4096,
    b"{}",
    b'{"keep": 3, "add": []}',
    b'{"keep": -1, "add": []}',
    b'{"keep": true, "add": []}',
    b'{"keep": 0, "add": {}}',
    b'{"keep": 0, "add": [], "more": 1}',
    b'{"keep": 0, "add": [[]]}',
    b'{"keep": 0, "add": [["move", 0]]}',
    b'{"keep": 0, "add": [["move", 2, "C4C3"]]}',
    b'{"keep": 0, "add": [["move", true, "C4C3"]]}',
    b'{"keep": 0, "add": [["move", -2, "C4C3"]]}',
    b'{"keep": 0, "add": [["move", 0, 3]]}',
    b'{"keep": 0, "add": [["move", 0, "C4C3", 3]]}',
    b'{"keep": 0, "add": [["jump", 0, "C4C3"]]}',
    b'{"keep": 0, "add": [["move", 0, "C4A1"]]}',
    b'{"keep": 1, "add": [["throw", -1, "3"]]}',
    b'{"keep": 1, "add": [["throw", -1, "x+y"]]}',
    b'{"keep": 1, "add": [["claim", 0, "declare"]]}',
]


@pytest.mark.parametrize("line", BAD)
@pytest.mark.parametrize("old", [True, False])
def test_what_comes_before_a_bad_line_is_gone_on_with(path: Path, line: bytes, old: bool) -> None:
    after = b'{"keep": 2, "add": []}'
    lines = [json.dumps(OLD if old else HEAD).encode(), FIRST, NEXT, line, after]
    path.write_bytes(b"\n".join([*lines, b""]) if old else sealed(*lines))
    resumed = read_back(path)
    assert (moves_of(resumed), resumed.damaged, resumed.torn) == (["C4C3", "A1A2"], 4, False)
    resumed.reopen().close()


def test_lines_that_are_lost_or_doubled_or_moved_are_found(path: Path) -> None:
    head, first, second, third = sealed(
        json.dumps(HEAD).encode(), FIRST, NEXT, b'{"keep":2,"add":[]}'
    ).splitlines(True)
    for lines, damaged in (
        ((head, second, third), 2),
        ((head, first, third), 3),
        ((head, first, first), 3),
        ((head, first, second, second), 4),
        ((head, first, third, second), 3),
    ):
        path.write_bytes(b"".join(lines))
        resumed = read_back(path)
        assert resumed.damaged == damaged


@pytest.mark.parametrize("version", [4, 5, 1000])
@pytest.mark.parametrize("with_crc", [True, False])
def test_a_journal_of_a_newer_program_has_a_sentence_of_its_own(
    path: Path, version: int, with_crc: bool
) -> None:
    line = json.dumps(HEAD | {"version": version, "colour": "red"}).encode()
    path.write_bytes(sealed(line, FIRST) if with_crc else line + b"\n" + FIRST + b"\n")
    with pytest.raises(JournalError, match=f"a newer Lampion wrote .* its version is {version}"):
        resume(path)


@pytest.mark.parametrize(
    "change",
    [
        {"lampion": "recording"},
        {"version": 2},
        {"version": 2.0},
        {"version": 1.0},
        {"version": True},
        {"layout": 7},
        {"colour": "red"},
        {"game": "chess"},
        {"game": None},
        {"options": []},
        {"options": {"speed": 1}},
        {"position": 7},
        {"position": "nonsense"},
        {"origin": "\ud800"},
    ],
)
def test_a_bad_header_is_named(path: Path, change: dict[str, object]) -> None:
    old = json.dumps(OLD | change).encode() + b"\n"
    for data in (sealed(json.dumps(HEAD | change).encode()), old):
        path.write_bytes(data)
        with pytest.raises(JournalError) as caught:
            resume(path)
        assert str(path) in str(caught.value)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("data", [b"", b"\0" * 4096, b"PK\x03\x04", b"{}\n", b"[]\n"])
def test_another_file_is_no_journal(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    with pytest.raises(JournalError):
        resume(path)


# ---- one match after the other


def test_a_foreign_file_is_asked_about_until_something_is_played(
    tmp_path: Path, path: Path, header: RecordingHeader, caplog: pytest.LogCaptureFixture
) -> None:
    for number in range(3):
        path.write_text(f"my diary, part {number}\n")
        files = MatchFiles(tmp_path)
        with caplog.at_level(logging.WARNING):
            assert files.last_match() is None
        assert f"{path}: line 1" in caplog.records[-1].getMessage()
        assert files.asks
        files.begin(DUEL, "square-reed", header, provisional=True)
        files.write((), 0.0)
        assert path.read_text() == f"my diary, part {number}\n"
        assert "cannot be read" in render(files.status.asks or say(""))
        files.write(record("C4C3"), 0.0)
        assert not files.asks
        assert files.status == StorageStatus()
        assert moves_of(files.last_match()) == ["C4C3"]
        files.close()
    kept = sorted(file.read_text() for file in tmp_path.glob("match-unread*"))
    assert kept == [f"my diary, part {number}\n" for number in range(3)]


def test_matches_that_were_played_stay(tmp_path: Path, header: RecordingHeader) -> None:
    files = MatchFiles(tmp_path)
    for count in (0, 1, 3, 0, 2):
        files.begin(DUEL, "square-reed", header)
        files.write(record(*LINE[:count]), 0.0)
    files.begin(DUEL, "square-reed", header)
    files.close()
    earlier = sorted(len(moves_in(file)) for file in tmp_path.glob("match-*.jsonl"))
    assert earlier == [1, 2, 3]  # nothing is kept of matches in which nobody moved


def test_a_recording_begins_when_the_pieces_are_set_up(
    tmp_path: Path, header: RecordingHeader
) -> None:
    wanted = tmp_path / "mine.jsonl"
    files = MatchFiles(tmp_path, wanted)
    start = Sight(DUEL).readings(DUEL.start())
    for _ in range(2):
        files.begin(DUEL, "square-reed", header)
        files.take(Frame(1.0, {}), None)
        assert [*files.recording()] == []
        set_up = Frame(2.0, start)
        files.take(set_up, set_up)
        before = files.recording()
        files.take(Frame(3.0, start | {"C4": 0}), set_up)
        assert b"".join(before).count(b"\n") == 2, "what came later is not in it"
        assert b"".join(files.recording()).count(b"\n") == 3
    files.close()
    for file in (tmp_path / "recording.jsonl", wanted, tmp_path / "mine-2.jsonl"):
        (first, second) = read(file).events()
        assert (first, second.at) == (Frame(0.0, start), 1.0)


# ---- the lock


def test_two_programs_never_keep_the_same_match(tmp_path: Path) -> None:
    held = lock(tmp_path / "new" / "state")
    with pytest.raises(JournalError, match=r"another board keeps its match here.* with --state$"):
        lock(tmp_path / "new" / "state")
    with pytest.raises(JournalError, match=r"directory with `state` in board\.toml$"):
        lock(tmp_path / "new" / "state", "`state` in board.toml")
    held.close()
    lock(tmp_path / "new" / "state").close()


def test_a_state_directory_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(JournalError, match="file: this is no directory; choose another"):
        lock(tmp_path / "file")
    with pytest.raises(JournalError, match="Not a directory"):
        lock(tmp_path / "file" / "below")


# ---- kill -9

PLAYER = """
import random, sys
from pathlib import Path
from engine.games import make
from engine.match import Match
from firmware_host.storage.journal import Journal, resume
from firmware_host.session.record import entry_of

path, rng = Path(sys.argv[1]), random.Random(sys.argv[2])
kept = resume(path)
game = make("robot-duel", {"try_rule": "none"})
journal = kept.reopen() if kept else Journal.begin(path, game, "square-reed")
match = kept.matches[0] if kept else Match.begin(game)
print(*match.moves(), flush=True)
while True:
    match = match.play(rng.choice(match.legal)) if match.legal else match.back(9)
    journal.write(tuple(entry_of(step) for step in match.steps()))
    print(*match.moves(), flush=True)
"""


def test_what_was_confirmed_survives_kill_9(path: Path) -> None:
    confirmed: list[str] = []
    for seed in range(5):
        player = subprocess.Popen(
            [sys.executable, "-c", PLAYER, str(path), str(seed)], stdout=subprocess.PIPE, text=True
        )
        assert player.stdout is not None
        resumed_as = player.stdout.readline().split()
        # What was written but not yet confirmed may stand as well: one change at most.
        assert resumed_as == confirmed or _one_change(confirmed, resumed_as)
        said = [player.stdout.readline().split() for _ in range(7 + 6 * seed)]
        os.kill(player.pid, signal.SIGKILL)
        said += [line.split() for line in player.stdout.read().split("\n")[:-1]]
        assert player.wait() == -signal.SIGKILL
        player.stdout.close()
        confirmed = said[-1]


def _one_change(before: list[str], after: list[str]) -> Any:
    return after[:-1] == before or (len(after) <= len(before) and after == before[: len(after)])


KILLED = """
import os, signal, sys
from pathlib import Path
from firmware_host.storage import files
os.replace = lambda *paths: os.kill(os.getpid(), signal.SIGKILL)
files.put(Path(sys.argv[1]), b"new")
"""


def test_what_a_killed_board_left_half_written_goes_when_the_next_one_starts(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "look-back"
    folder.mkdir()
    paths = [tmp_path / "players.json", folder / "one.json"]
    for path in paths:
        path.write_bytes(b"old")
        killed = subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False)
        assert killed.returncode == -signal.SIGKILL
    half = [*tmp_path.rglob("*.new")]
    assert len(half) == len(paths)
    kept = [
        tmp_path / "match.jsonl.new",
        tmp_path / f"players.json.{os.getppid()}.new",  # it still runs
        tmp_path / "players.json.99999999999999999999.new",
    ]
    own = tmp_path / f"players.json.{os.getpid()}.new"  # of an earlier process of that number
    for path in (*kept, own):
        path.write_bytes(b"half")
    lock(tmp_path).close()
    assert sorted(tmp_path.rglob("*.new")) == sorted(kept)
    assert [path.read_bytes() for path in paths] == [b"old", b"old"]
