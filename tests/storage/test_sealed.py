"""Journals that are damaged: the damage is found, put right where that is sure, and said."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.games import make
from engine.match import Match
from firmware_host.i18n.messages import render
from firmware_host.storage.journal import Journal, Resumed
from firmware_host.storage.match_files import MatchFiles
from firmware_host.storage.recording import RecordingHeader
from tests.support.journals import read_back, record, recorded

DUEL = make("robot-duel")


def flips(path: Path, whole: bytes, bits: Iterable[int]) -> None:
    """Flip bits one by one: each is noticed and put right, and no move is lost."""
    path.write_bytes(whole)
    good = read_back(path)
    for bit in bits:
        data = bytearray(whole)
        data[bit // 8] ^= 1 << bit % 8
        path.write_bytes(data)
        line = whole.count(b"\n", 0, bit // 8) + 1
        resumed = read_back(path)
        assert (resumed.repaired, resumed.whole, resumed.torn) == (line, True, False), f"bit {bit}"
        assert (resumed.head, resumed.record) == (good.head, good.record), f"bit {bit}"


@pytest.fixture
def forty_plies(path: Path, begin: Any) -> bytes:
    """A journal of forty moves, a line each."""
    rng, game = Random(4), make("robot-duel", {"try_rule": "none"})
    match = Match.begin(game)
    while match.plies < 40:
        match = match.play(rng.choice(match.legal)) if match.legal else match.back(9)
    journal = begin(game, "square-reed")
    line = recorded(match)
    for number in range(1, len(line) + 1):
        journal.write(line[:number])
    return path.read_bytes()


def test_flipped_bits_are_found(path: Path, forty_plies: bytes) -> None:
    last = 8 * len(forty_plies)
    ends = [8 * place + 3 for place, byte in enumerate(forty_plies) if byte == ord("\n")]
    flips(path, forty_plies, [*range(0, last - 200, 397), *ends, *range(last - 200, last, 3)])


@pytest.mark.parametrize("number", [1, 2, 40])
def test_a_byte_that_has_become_the_end_of_a_line_is_put_right(
    path: Path, forty_plies: bytes, number: int
) -> None:
    good = Resumed(path).record
    data = bytearray(forty_plies)
    data[sum(map(len, forty_plies.splitlines(keepends=True)[: number - 1])) + 9] = ord("\n")
    path.write_bytes(data)
    found = Resumed(path)
    assert (found.repaired, found.whole, found.record) == (number, True, good)


@pytest.mark.deep
def test_every_flipped_bit_is_found(path: Path, forty_plies: bytes) -> None:
    flips(path, forty_plies, range(8 * len(forty_plies)))


def test_a_match_that_was_mended_is_written_again_as_the_same(
    path: Path, forty_plies: bytes
) -> None:
    for at in (5, len(forty_plies) // 2):
        path.write_bytes(forty_plies[:at] + b"#" + forty_plies[at + 1 :])
        resumed = read_back(path)
        journal = resumed.reopen()
        journal.save()
        journal.close()
        again = read_back(path)
        assert (again.repaired, again.record, again.head) == (0, resumed.record, resumed.head)


def spoilt(data: bytes, line: int, rng: Random, wrong: int) -> bytes:
    """Return a file in which that number of bytes of a line are others."""
    lines = data.split(b"\n")
    text = bytearray(lines[line - 1])
    for place in rng.sample(range(len(text)), wrong):
        text[place] = rng.choice([each for each in b"#x7{ " if each != text[place]])
    lines[line - 1] = bytes(text)
    return b"\n".join(lines)


@pytest.mark.parametrize("wrong", [2, 5, 40, 150])
def test_the_game_is_found_by_its_moves_if_the_first_line_is_damaged(
    path: Path, forty_plies: bytes, wrong: int
) -> None:
    path.write_bytes(forty_plies)
    good = read_back(path)
    for seed in range(4):
        path.write_bytes(spoilt(forty_plies, 1, Random(seed), wrong))
        resumed = read_back(path)
        assert (resumed.headless, resumed.whole) == (True, False)
        assert resumed.game.name == "robot-duel"
        # with another try_rule than it was played with, a match may end before its last move
        assert resumed.record == good.record[: len(resumed.record)]
        assert len(resumed.record) == 40 or resumed.damaged
        if resumed.game == good.game:
            assert len(resumed.record) == 40


@pytest.mark.parametrize("name", ["robot-duel", "shogi", "chaturaji", "robotory", "abalone"])
@pytest.mark.parametrize("old", [False, True])
def test_the_moves_of_each_game_tell_which_it_is(path: Path, name: str, old: bool) -> None:
    rng, match = Random(3), Match.begin(make(name))
    while match.plies < 12:
        match = match.play(rng.choice(match.legal))
    journal = Journal.begin(path, match.game, "square-reed")
    journal.write(recorded(match))
    journal.close()
    data = path.read_bytes()
    if old:
        lines = data.splitlines()
        data = b"".join(line[: line.rindex(b',"crc"')] + b"}\n" for line in lines)
    path.write_bytes(b'{"lamp#' + b"\0" * 60 + data[data.index(b"\n") :])
    resumed = read_back(path)
    assert (resumed.game, resumed.headless, resumed.damaged) == (match.game, True, 0)
    assert resumed.matches[0].steps()[-1].position == match.position


def test_what_stands_in_a_damaged_first_line_counts(path: Path, begin: Any) -> None:
    game = make("robot-duel", {"promotion": "mandatory", "try_rule": "none"})
    start = game.parse_position("1le/1L1/3/E2 b GgCc 1")
    begin(game, "square-hall", start).write(record("B2C3"))
    data = path.read_bytes()
    path.write_bytes(data.replace(b'"id":"', b'"##:"').replace(b'"lampion"', b'"lampoon"'))
    resumed = read_back(path)
    assert (resumed.game, resumed.layout) == (game, "square-hall")
    assert resumed.matches[0].back(1).position == start
    path.write_bytes(data.replace(b'"id":"', b'"##:"').replace(b'"square-hall"', b'"square-####"'))
    resumed = read_back(path)
    assert resumed.layout == "square-reed", "one that serves the game"


def test_a_damaged_first_line_is_said_and_the_file_is_kept(
    tmp_path: Path, path: Path, forty_plies: bytes, header: RecordingHeader
) -> None:
    damaged = spoilt(spoilt(forty_plies, 1, Random(2), 3), 20, Random(1), 3)
    path.write_bytes(damaged)
    files = MatchFiles(tmp_path)
    kept = files.last_match()
    assert kept is not None
    assert not files.asks
    files.resume(kept, header)
    said = " ".join(map(render, files.status.notices))
    files.close()
    (whole,) = tmp_path.glob("match-damaged-*.jsonl")
    assert whole.read_bytes() == damaged
    assert (
        "Line 1 of match.jsonl is damaged: game and rules are guessed from the rest of it" in said
    )
    assert "Line 20 of match.jsonl is damaged: the match continues after its first 18 moves" in said
    assert said.count(f"The whole file is kept as {whole.name}") == 2
    again = read_back(path)
    assert (again.whole, again.record) == (True, kept.record)


def test_a_byte_that_was_put_right_is_said(
    tmp_path: Path, path: Path, forty_plies: bytes, header: RecordingHeader
) -> None:
    path.write_bytes(spoilt(forty_plies, 20, Random(1), 1))
    files = MatchFiles(tmp_path)
    kept = files.last_match()
    assert kept is not None
    files.resume(kept, header)
    files.close()
    (said,) = map(render, files.status.notices)
    assert said == "Line 20 of match.jsonl had one wrong byte; it is repaired, and no move is lost."
    assert (
        path.read_bytes()
        == forty_plies[: forty_plies.index(b"\n") + 1] + path.read_bytes().partition(b"\n")[2]
    )
    assert len(kept.record) == 40
