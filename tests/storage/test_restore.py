"""Which match goes on when the program starts, and on which board."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from typing import Any

import pytest

from engine.games import make
from firmware_host.host.simulated import SimulatedHost
from firmware_host.host.start import Start
from firmware_host.i18n.messages import RefusedError
from firmware_host.session.events import NewMatch
from firmware_host.storage.journal import Journal, JournalError
from firmware_host.storage.match_files import MatchFiles
from firmware_host.storage.recording import RecordingHeader
from firmware_host.web.commands import CommandHandler
from firmware_host.web.protocol import ResumeCommand
from tests.support.journals import keep, moves_in, read_back, record
from tests.support.stories import going_on_after, playing

DUEL = make("robot-duel")
MOVES = ("C4C3", "A1A2", "B3B2")
MOVED = record(*MOVES)
HEADER = RecordingHeader(DUEL, "presence", DUEL.start(), ())


def damage(path: Path, line: int) -> bytes:
    lines = path.read_bytes().split(b"\n")
    lines[line - 1] = lines[line - 1].replace(b'"', b"'", 2)
    path.write_bytes(b"\n".join(lines))
    return path.read_bytes()


def test_a_damaged_match_goes_on_after_its_good_moves(
    sit: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def second(board: Any) -> None:
        assert board.moves == ["C4C3", "A1A2"]
        assert "Line 4 of match.jsonl is damaged" in board.says
        assert "continues after its first 2 moves" in board.says
        assert "Bring the chick to B3" in board.says

    async def third(board: Any) -> None:
        assert board.moves == ["C4C3", "A1A2"]
        assert "damaged" not in board.says

    sit(playing(*MOVES))
    data = damage(tmp_path / "match.jsonl", 4)
    sit(second, game=None, layout=None, kill=True)
    sit(third, game=None, layout=None)
    (whole,) = tmp_path.glob("match-damaged-*.jsonl")
    assert whole.read_bytes() == data
    assert any("Line 4 of match.jsonl" in each and whole.name in each for each in caplog.messages)


def test_people_choose_which_match_goes_on_if_the_last_cannot_be_read(
    sit: Any, tmp_path: Path
) -> None:
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
        assert host.status().saved_matches == ()
        assert board.wrong == ((), ())
        assert "cannot be read" not in board.says

    sit(playing("7g7f"), game="shogi")
    sit(playing(*MOVES))
    data = bytes(4096)
    (tmp_path / "match.jsonl").write_bytes(data)
    sit(asked, game=None, layout=None, kill=True)
    sit(asked, game=None, layout=None)  # it is asked until it is answered
    sit(chosen, game=None, layout=None, kill=True)
    sit(going_on_after("7g7f"), game=None, layout=None)
    (unread,) = tmp_path.glob("match-*.jsonl")
    assert unread.name.startswith("match-unread-")
    assert unread.read_bytes() == data


def test_a_match_or_a_new_one_is_asked_for_at_the_start(tmp_path: Path) -> None:
    def begun(*arguments: Any) -> tuple[str, int]:
        host = SimulatedHost(tmp_path)
        try:
            host.open(Start(*arguments))
            return host.game.name, len(host.status().plies)
        finally:
            host.close()

    keep(tmp_path / "match-1.jsonl", make("shogi"), ())
    keep(tmp_path / "match.jsonl", DUEL, MOVED)
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
    assert [read_back(each).record for each in (path, earlier)] == [MOVED[:1], MOVED]


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
    async def hall(board: Any) -> None:
        assert (board.host.game.name, board.host.layout.name) == ("shogi", "square-hall")
        assert board.moves == ["7g7f"]
        assert not board.host.status().to_fill
        await board.hands("3c- 3d+ 1.5")
        assert board.moves == ["7g7f", "3c3d"]

    async def again(board: Any) -> None:
        assert (board.host.layout.name, board.moves) == ("square-hall", ["7g7f", "3c3d"])

    sit(playing("7g7f"), game="shogi", kill=True)
    sit(hall, game=None, layout="square-hall", kill=True)
    sit(again, game=None, layout=None)
    assert not list(tmp_path.glob("match-*"))


def test_a_match_whose_game_the_board_does_not_serve_is_kept_and_told(
    sit: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def hexagons(board: Any) -> None:
        (kept,) = tmp_path.glob("match-*.jsonl")
        assert board.host.game.name in board.host.layout.games
        told = f"Its match is kept as {kept.name}; to continue it, start with "
        assert told + f"--match {kept.name} on a board for that game." in board.says
        assert told in caplog.text
        assert moves_in(kept) == ["7g7f"]

    sit(playing("7g7f"), game="shogi")
    sit(hexagons, game=None, layout="hex-reed")


def test_options_without_a_game_are_those_of_the_game_in_play(tmp_path: Path) -> None:
    keep(tmp_path / "match.jsonl", make("abalone"), record("a1b2"), "hex-reed")
    with contextlib.closing(SimulatedHost(tmp_path)) as host:
        host.open(Start(options={"layout": "belgian_daisy"}))
        assert (host.game.name, host.game.options["layout"]) == ("abalone", "belgian_daisy")
    assert len(list(tmp_path.glob("match-*.jsonl"))) == 1


def test_a_board_without_a_match_begins_the_first_game_that_it_serves(tmp_path: Path) -> None:
    with contextlib.closing(SimulatedHost(tmp_path)) as host:
        host.open(Start(layout="hex-hall"))
        assert host.game.name in host.layout.games
