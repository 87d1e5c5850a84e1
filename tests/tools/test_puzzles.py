"""The tool that makes puzzles: what it writes is what the program has."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from engine.games.robot_duel import RobotDuel
from engine.match import AnyMove
from engine.search.solved.numbering import number_of
from engine.search.solved.winning_play import by_number, packed, unpacked
from firmware_host.games import game_file
from firmware_host.lessons.puzzles import FILE, read_puzzles
from tools import puzzles


def test_the_same_seed_makes_the_same_puzzles(tmp_path: Path) -> None:
    made = puzzles.MAKERS["shogi"](Random(puzzles.SEED), tmp_path)
    text = puzzles.written("shogi", made)
    assert text == game_file("shogi", FILE).read_text(encoding="utf-8")
    other = puzzles.MAKERS["shogi"](Random(puzzles.SEED + 1), tmp_path)
    assert puzzles.written("shogi", other) != text
    file = tmp_path / "puzzles.toml"
    file.write_text(puzzles.written("shogi", other), encoding="utf-8")
    assert len(read_puzzles(file)) == len(other)


def test_what_it_cannot_make_is_told_in_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert puzzles.main(["go"]) == 1
    assert "no puzzles of 'go'" in capsys.readouterr().err
    assert puzzles.main(["robot-duel", "--state", str(tmp_path)]) == 1
    assert "robot-duel.losses" in capsys.readouterr().err


def test_packed_play_is_unpacked_again() -> None:
    game = RobotDuel()
    start = game.start()
    replies = by_number(game, start)
    numbers = sorted(replies)
    number = number_of(start)
    assert number is not None
    play = unpacked(packed({each: 2 * n for n, each in enumerate(numbers, 1)}, {number: 2}))
    plies = {replies[each]: 1 + 2 * n for n, each in enumerate(numbers, 1)}
    assert play.wins(game, start) == plies
    assert play.defence(game, start) == replies[numbers[1]]

    def text_of(move: AnyMove) -> str:
        return game.move_text(start, move)

    nothing = unpacked(packed({}, {}))
    assert not nothing.wins(game, start)
    assert nothing.defence(game, start) == min(game.legal(start), key=text_of)
