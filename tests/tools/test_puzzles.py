"""The tool that makes puzzles: what it writes is what the program has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from random import Random

import pytest

from engine.games import make
from engine.games.robot_duel import RobotDuel
from engine.match import AnyMove
from engine.search.solved import winning_play
from engine.search.solved.numbering import number_of
from engine.search.solved.winning_play import by_number, packed, unpacked
from firmware_host.games import game_file
from firmware_host.lessons.puzzles import FILE, read_puzzles
from tools import puzzles
from tools.winning_play import GAME, Closure

SHOGI, ROBOT_DUEL = (game_file(name, FILE) for name in ("shogi", "robot-duel"))


def source(seed: int = puzzles.SEED, there: Sequence[tuple[str, str]] = ()) -> puzzles.Source:
    return puzzles.Source(Random(seed), Path(), there)


def test_without_puzzles_the_seed_chooses_them(tmp_path: Path) -> None:
    made = puzzles.written("shogi", puzzles.MAKERS["shogi"](source()))
    assert made == SHOGI.read_text(encoding="utf-8")
    assert puzzles.read(tmp_path / "none.toml") == []


def test_puzzles_that_are_proven_stay_and_others_take_the_place_of_the_rest(
    tmp_path: Path,
) -> None:
    there = puzzles.read(SHOGI)
    start = make("shogi").position_text(make("shogi").start())
    made = puzzles.MAKERS["shogi"](source(7, [("mate-2", start), *there[2:]]))
    found = [(each.kind, each.position) for each in made]
    assert set(there[2:]) < set(found)
    assert Counter(kind for kind, _ in found) == Counter(kind for kind, _ in there)
    assert len(set(found)) == len(there)
    assert start not in [position for _, position in found]
    file = tmp_path / "puzzles.toml"
    file.write_text(puzzles.written("shogi", made), encoding="utf-8")
    assert len(read_puzzles(file)) == len(there)


@pytest.mark.deep
def test_the_puzzles_of_robot_duel_stay_and_their_play_is_what_they_need() -> None:
    known = winning_play.endgames()
    closure = Closure(partial(known.wins, GAME), partial(known.defence, GAME))
    made, play = puzzles.won_positions(source(7, puzzles.read(ROBOT_DUEL)), closure)
    assert puzzles.written("robot-duel", made) == ROBOT_DUEL.read_text(encoding="utf-8")
    assert play == Path(winning_play.__file__).with_name(winning_play.FILE).read_bytes()


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
