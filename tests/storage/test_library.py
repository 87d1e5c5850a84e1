"""The library lists every match, whatever has happened to its files and its index."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.games import make
from firmware_host.storage import library as module
from firmware_host.storage.journal import Head, Journal, JournalError, Player, Resumed
from firmware_host.storage.library import INDEX, Library, PastMatch, evening_began
from tests.support.journals import played

MOVES = ("B3B2", "B1B2", "C4C3", "A1A2", "C3C2")
"""Some moves of Robot Duel."""
WON = (*MOVES, "B2B3", "A4B3")
"""The same until A takes the lion of B."""


@pytest.fixture
def keep(tmp_path: Path) -> Callable[..., Path]:
    """Keep a match as the program does; `at` is when it was last played."""

    def keep(
        name: str = "match-1.jsonl",
        moves: Sequence[str] = ("C4C3",),
        players: Sequence[str] = (),
        game: str = "robot-duel",
        at: float = 1_000_000.0,
        head: dict[str, str] | None = None,
    ) -> Path:
        path = tmp_path / name
        rules = make(game)
        journal = Journal(path, Head(rules, "square-reed", None, **(head or {})))
        journal.players = tuple(Player(each, "person") for each in players)
        journal.write(played(rules, moves))
        journal.close()
        os.utime(path, (at, at))
        return path

    return keep


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    library = Library(tmp_path)
    yield library
    library.close()


def listed(library: Library, **wanted: Any) -> list[str]:
    """The files that are listed, by now."""
    library.update()
    return [match.file for match in library.page(**wanted).matches]


def only(library: Library) -> PastMatch:
    """The only match that is listed, by now."""
    library.update()
    (match,) = library.page().matches
    return match


# ---- the list


def test_a_match_is_listed_with_its_players_and_its_end(keep: Any, library: Library) -> None:
    path = keep(moves=WON, players=("Ania", "Łucja"))
    match = only(library)
    assert (match.file, match.played) == (path.name, 1_000_000.0)
    summary = match.summary
    assert (summary.game, summary.plies, summary.entries) == ("robot-duel", 7, 7)
    assert [name for name, _ in summary.players] == ["Ania", "Łucja"]
    assert summary.ending is not None
    assert (summary.ending.winners, summary.ending.reason) == ((0,), "lion-captured")
    assert not summary.damaged
    standing = {(each.place, each.face, each.owner) for each in summary.pieces}
    assert ("B3", "E", "A") in standing


def test_a_match_that_is_not_finished_has_no_end(keep: Any, library: Library) -> None:
    keep(moves=MOVES)
    match = only(library)
    assert (match.summary.ending, match.summary.plies) == (None, len(MOVES))


def test_the_latest_match_is_first_and_the_pages_follow(keep: Any, library: Library) -> None:
    for number in range(7):
        keep(f"match-{number}.jsonl", at=1000.0 + number // 2)
    library.update()
    found: list[str] = []
    page = library.page(most=3)
    assert page.total == 7
    while True:
        found += [match.file for match in page.matches]
        if not page.next:
            break
        page = library.page(most=3, after=page.next)
    assert found == [f"match-{number}.jsonl" for number in (6, 5, 4, 3, 2, 1, 0)]


def test_the_list_is_filtered_by_game_and_searched_by_name(keep: Any, library: Library) -> None:
    keep("match-1.jsonl", players=("Ania", "Ola"), at=1)
    keep("match-2.jsonl", players=("Ania", "Tomek"), at=2)
    keep("match-3.jsonl", ("7g7f",), players=("Ola", "Ania"), game="shogi", at=3)
    assert listed(library, game="robot-duel") == ["match-2.jsonl", "match-1.jsonl"]
    assert listed(library, search="OLA") == ["match-3.jsonl", "match-1.jsonl"]
    assert listed(library, search="ania ola", game="robot-duel") == ["match-1.jsonl"]
    assert listed(library, search="%") == []
    assert library.page(search="ola").total == 2


def test_a_match_without_a_move_is_not_listed(tmp_path: Path, library: Library) -> None:
    Journal.begin(tmp_path / "match.jsonl", make("shogi"), "square-reed").close()
    assert listed(library) == []


def test_the_match_in_play_is_listed_and_cannot_be_deleted(keep: Any, library: Library) -> None:
    keep("match.jsonl")
    match = only(library)
    assert match.in_play
    with pytest.raises(JournalError, match="in play"):
        library.delete(match.id)


def test_other_files_are_no_matches(keep: Any, tmp_path: Path, library: Library) -> None:
    keep()
    for name in ("recording.jsonl", "players.json", "match.jsonl.new", "match-1.jsonl.7.new"):
        (tmp_path / name).write_text("{}")
    assert listed(library) == ["match-1.jsonl"]


# ---- damaged journals


def test_a_damaged_journal_is_listed_with_what_can_be_read(keep: Any, library: Library) -> None:
    path = keep(moves=WON)
    path.write_bytes(path.read_bytes() + b'{"keep":1,"add":[],"crc":"00000000"}\n')
    match = only(library)
    assert (match.file, match.summary.plies, match.summary.damaged) == (path.name, len(WON), True)


@pytest.mark.parametrize("data", [b"", b"\0" * 99, b'{"lampion":"journal","version":9}\n'])
def test_a_journal_that_cannot_be_read_is_listed_with_the_reason(
    tmp_path: Path, library: Library, data: bytes
) -> None:
    (tmp_path / "match-bad.jsonl").write_bytes(data)
    match = only(library)
    assert (match.id, match.summary.game) == ("match-bad", "")
    assert match.summary.problem.startswith("line 1: ")


def test_what_is_no_file_is_listed_with_the_reason(tmp_path: Path, library: Library) -> None:
    os.mkfifo(tmp_path / "match-pipe.jsonl")
    (tmp_path / "match-folder.jsonl").mkdir()
    library.update()
    assert all(match.summary.problem for match in library.page().matches)
    assert library.page().total == 2


# ---- the index follows the files


def test_files_that_change_behind_its_back_are_read_again(keep: Any, library: Library) -> None:
    path = keep(moves=WON[:2])
    before = only(library)
    keep(moves=WON, at=2_000_000.0, head={"id": before.id})
    assert library.match(before.id).summary.plies == len(WON)  # without another update
    path.rename(path.with_name("match-2.jsonl"))
    assert listed(library) == ["match-2.jsonl"]
    path.with_name("match-2.jsonl").unlink()
    assert listed(library) == []
    with pytest.raises(JournalError, match="no match"):
        library.match(before.id)


def test_the_id_follows_a_match_that_is_renamed(keep: Any, library: Library) -> None:
    path = keep("match.jsonl")
    before = only(library)
    path.rename(path.with_name("match-1.jsonl"))
    keep("match.jsonl", WON)
    assert library.path(before.id) == path.with_name("match-1.jsonl")


def test_a_copy_has_an_id_of_its_own(keep: Any, tmp_path: Path, library: Library) -> None:
    path = keep()
    (tmp_path / "match-copy.jsonl").write_bytes(path.read_bytes())
    library.update()
    matches = library.page().matches
    assert len({match.id for match in matches}) == 2
    assert {library.path(match.id).name for match in matches} == {path.name, "match-copy.jsonl"}


def test_no_match_takes_the_name_of_the_match_in_play(keep: Any, library: Library) -> None:
    keep("match-1.jsonl", WON, head={"id": "match"})
    keep("match.jsonl", MOVES)
    library.update()
    assert library.match("match").in_play


def test_an_unchanged_file_is_not_read_again(
    keep: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep()
    first = Library(tmp_path)
    first.update()
    first.close()
    monkeypatch.setattr(module, "summary_of", lambda path: pytest.fail(f"{path} is read"))
    second = Library(tmp_path)
    assert listed(second) == ["match-1.jsonl"]
    second.close()


def test_an_update_ends_in_time_and_goes_on_where_it_was(
    keep: Any, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(6):
        keep(f"match-{number}.jsonl", at=1000.0 + number)
    clock = iter(range(1000))
    monkeypatch.setattr(module.time, "monotonic", lambda: float(next(clock)))
    progress = library.update(4)
    assert 0 < progress.done < progress.total == 6
    latest = [f"match-{5 - number}.jsonl" for number in range(progress.done)]
    assert [match.file for match in library.page().matches] == latest
    for _ in range(6):
        progress = library.update(4)
    assert progress == (6, 6)


def test_a_list_does_not_wait_until_another_thread_has_read_all(
    keep: Any, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(3):
        keep(f"match-{number}.jsonl", at=float(number))
    library.update()
    keep("match-3.jsonl")
    reads, goes_on = threading.Event(), threading.Event()
    summary_of = module.summary_of

    def slowly(path: Path) -> Any:
        reads.set()
        assert goes_on.wait(20)
        return summary_of(path)

    monkeypatch.setattr(module, "summary_of", slowly)
    thread = threading.Thread(target=library.update)
    thread.start()
    assert reads.wait(20)
    assert library.update(0.01) == (3, 4)
    assert library.page().total == 3
    goes_on.set()
    thread.join()
    assert library.page().total == 4


def test_a_match_that_is_deleted_while_it_is_read_is_not_listed(
    keep: Any, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep()
    library.update()
    (match,) = library.page().matches
    files = library._files

    def deleted_just_now() -> Any:
        found = files()
        library.delete(match.id)
        return found

    monkeypatch.setattr(library, "_files", deleted_just_now)
    library.update()
    monkeypatch.undo()
    assert library.page().total == 0
    library.restore(match.id)
    assert library.page().total == 1


# ---- the index itself


def damaged(path: Path) -> None:
    path.write_bytes(b"no database " * 1000)


def of_another_version(path: Path) -> None:
    with sqlite3.connect(path) as database:
        database.execute("DROP TABLE matches")
        database.execute("PRAGMA user_version = 99")
    database.close()


def torn(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[4096:8192] = os.urandom(4096)
    path.write_bytes(data)


@pytest.mark.parametrize("spoil", [damaged, of_another_version, torn, Path.unlink])
def test_an_index_that_cannot_be_used_is_rebuilt(
    keep: Any, tmp_path: Path, spoil: Callable[[Path], None]
) -> None:
    keep(players=("Ania", "Ola"))
    first = Library(tmp_path)
    first.update()
    first.close()
    spoil(tmp_path / INDEX)
    second = Library(tmp_path)
    assert listed(second, search="ania") == ["match-1.jsonl"]
    second.close()
    third = Library(tmp_path)  # and it was written
    assert [match.file for match in third.page().matches] == ["match-1.jsonl"]
    third.close()


@pytest.mark.parametrize("make_it", [Path.mkdir, os.mkfifo])
def test_without_a_file_the_index_is_in_memory(
    keep: Any, tmp_path: Path, library: Library, make_it: Callable[[Path], None]
) -> None:
    make_it(tmp_path / INDEX)
    keep()
    assert listed(library) == ["match-1.jsonl"]


def test_an_index_that_cannot_be_written_is_in_memory(keep: Any, tmp_path: Path) -> None:
    keep()
    other = sqlite3.connect(tmp_path / INDEX, isolation_level="EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "BUSY_S", 0.05)
        library = Library(tmp_path)
        assert listed(library) == ["match-1.jsonl"]
        library.close()
    other.close()


def test_the_index_is_for_its_user_alone(keep: Any, tmp_path: Path, library: Library) -> None:
    keep()
    old = os.umask(0)
    try:
        library.update()
    finally:
        os.umask(old)
    assert (tmp_path / INDEX).stat().st_mode & 0o777 == 0o600


def test_two_programs_share_an_index(keep: Any, tmp_path: Path, library: Library) -> None:
    for number in range(20):
        keep(f"match-{number}.jsonl", at=float(number))
    other = Library(tmp_path)
    threads = [threading.Thread(target=each.update) for each in (library, other)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(listed(library)) == len(listed(other)) == 20
    other.close()


INDEXING = """
import sys
from pathlib import Path
from firmware_host.storage import library
library.BATCH = 1
library.Library(Path(sys.argv[1])).update()
"""


def test_an_index_is_whole_after_kill_9(keep: Any, tmp_path: Path) -> None:
    for number in range(40):
        keep(f"match-{number}.jsonl", at=float(number))
    for _ in range(3):
        (tmp_path / INDEX).unlink(missing_ok=True)
        child = subprocess.Popen([sys.executable, "-c", INDEXING, str(tmp_path)])
        while not (tmp_path / INDEX).exists() or (tmp_path / INDEX).stat().st_size < 20_000:
            assert child.poll() is None, "it ended before it was killed"
            time.sleep(0.001)
        child.send_signal(signal.SIGKILL)
        child.wait()
        again = Library(tmp_path)
        assert len(listed(again)) == 40
        again.close()


ACTS = ("keep", "play", "rename", "copy", "remove", "spoil", "delete", "restore")


def do(act: str, path: Path, other: Path, library: Library) -> None:
    """Do something to the files of a state directory, or to a match of its library."""
    there = path.exists()
    if act == "keep" or (act == "play" and not there):
        journal = Journal(path, Head(make("robot-duel"), "square-reed", None))
        journal.write(played(journal.head.game, MOVES[:1]))
        journal.close()
    elif act == "play" and (kept := resume_or_none(path)) is not None:
        journal = kept.reopen()
        plies = len(kept.record) % len(WON) + 1
        journal.write(played(kept.game, WON[:plies]))
        journal.close()
    elif act == "rename" and there:
        path.replace(other)
    elif act == "copy" and there and path != other:
        other.write_bytes(path.read_bytes())
    elif act == "remove":
        path.unlink(missing_ok=True)
    elif act == "spoil" and there:
        path.write_bytes(path.read_bytes()[:-1] + b"xx\n")
    elif act in ("delete", "restore"):
        library.update()
        matches = library.page().matches
        deleted = list((library.state / "deleted").glob("*")) if act == "restore" else []
        if act == "delete" and matches:
            library.delete(matches[0].id)
        for file in deleted[:1]:
            library.restore(library.read(file))


def resume_or_none(path: Path) -> Resumed | None:
    try:
        return Resumed(path)
    except JournalError:
        return None


def told(library: Library) -> list[object]:
    """What a library says of all matches, but for the ids that it has given to copies."""
    matches = library.page(most=100).matches
    assert [library.path(match.id).name for match in matches] == [match.file for match in matches]
    return [(match.file, match.played, match.summary) for match in matches]


@given(
    st.lists(st.tuples(st.sampled_from(ACTS), st.integers(0, 4), st.integers(0, 4)), max_size=14)
)
def test_the_index_always_says_what_a_new_one_says(acts: list[tuple[str, int, int]]) -> None:
    with TemporaryDirectory() as directory, closing(Library(Path(directory))) as library:
        for moment, (act, one, other) in enumerate(acts, 1):
            do(
                act,
                library.state / f"match-{one}.jsonl",
                library.state / f"match-{other}.jsonl",
                library,
            )
            for path in library.state.rglob("match-*"):
                if path.stat().st_mtime > 1e6:  # it was written just now
                    os.utime(path, (moment, moment))
            library.update()
        before = told(library)
        with closing(Library(library.state)) as same:
            assert told(same) == before
        library.close()
        (library.state / INDEX).unlink(missing_ok=True)
        with closing(Library(library.state)) as new:
            new.update()
            assert told(new) == before


# ---- deleting and restoring


def test_a_deleted_match_is_not_listed_and_can_be_restored(
    keep: Any, tmp_path: Path, library: Library
) -> None:
    path = keep(moves=WON)
    data = path.read_bytes()
    match = only(library)
    library.delete(match.id)
    assert library.page().total == 0
    assert listed(library) == []
    assert (tmp_path / "deleted" / path.name).read_bytes() == data
    library.delete(match.id)  # it is already
    library.restore(match.id)
    assert listed(library) == [path.name]
    assert path.read_bytes() == data
    assert library.page().matches == (match,)
    library.restore(match.id)
    assert listed(library) == [path.name]


def test_deleting_and_restoring_overwrites_nothing(
    keep: Any, tmp_path: Path, library: Library
) -> None:
    keep(moves=WON)
    first = only(library)
    library.delete(first.id)
    keep(moves=WON[:3])
    second = only(library)
    library.delete(second.id)
    assert len(list((tmp_path / "deleted").iterdir())) == 2
    keep(moves=WON[:4])
    library.restore(first.id)
    library.restore(second.id)
    library.update()
    plies = sorted(match.summary.plies for match in library.page().matches)
    assert plies == [3, 4, len(WON)]
    assert library.match(first.id).summary.plies == len(WON)
    assert library.match(second.id).summary.plies == 3


def test_what_was_deleted_is_found_by_a_rebuilt_index(
    keep: Any, tmp_path: Path, library: Library
) -> None:
    keep()
    match = only(library)
    library.delete(match.id)
    library.close()
    (tmp_path / INDEX).unlink()
    again = Library(tmp_path)
    assert listed(again) == []
    again.restore(match.id)
    assert listed(again) == ["match-1.jsonl"]
    again.close()


@pytest.mark.parametrize(
    "name", ["../match-1", "match-1.jsonl", "", "deleted/match-1", "/etc/passwd"]
)
def test_no_path_is_an_id(keep: Any, library: Library, name: str) -> None:
    keep()
    library.update()
    for ask in (library.match, library.path, library.delete, library.restore):
        with pytest.raises(JournalError, match="no match"):
            ask(name)


# ---- the evening


def test_an_evening_ends_at_four_in_the_morning() -> None:
    began = datetime(2026, 11, 28, 4)
    assert evening_began(datetime(2026, 11, 28, 20)) == began
    assert evening_began(datetime(2026, 11, 29, 3, 59)) == began
    assert evening_began(datetime(2026, 11, 29, 4)) == datetime(2026, 11, 29, 4)


def test_the_matches_of_an_evening(keep: Any, library: Library) -> None:
    keep("match-1.jsonl", at=100)
    keep("match-2.jsonl", at=200)
    library.update()
    assert [match.file for match in library.since(150)] == ["match-2.jsonl"]
