"""A match goes on where it was after the program ended, was killed, or the table was disturbed."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from firmware_host.cli import replay
from firmware_host.session.events import NewMatch
from firmware_host.storage import recording
from tests.support.journals import moves_in
from tests.support.stories import at_a_board, playing

LAYOUTS = ("square-reed", "square-hall")


def test_a_match_goes_on_after_the_program_ended(sit: Any, tmp_path: Path) -> None:
    async def second(board: Any) -> None:
        assert board.moves == ["C4C3", "A1A2", "B3B2"]
        assert board.wrong == ((), ())
        await board.play("B1B2")
        assert board.moves[-1] == "B1B2"

    sit(playing("C4C3", "A1A2", "B3B2"), kill=True)
    sit(second, layout=None, game=None)
    assert not list(tmp_path.glob("match-*"))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_table_disturbed_meanwhile_is_put_right_place_by_place(
    sit: Any, layout: str, tmp_path: Path
) -> None:
    async def second(board: Any) -> None:
        assert board.moves == ["C4C3", "A1A2"]
        assert board.wrong == (("A4", "B1", "C3"), ("A3", "C2"))
        assert "Set up the pieces as the lights show." in board.says
        assert "3 movements put the board right: Move the" in board.says
        assert await board.seen("C2") == {"red", "dark"}  # this one first …
        assert await board.seen("C3") == {"white", "dark"}
        assert await board.seen("A3") == {"red"}  # … the others wait
        await board.hands("A3- A4+ 1.5")
        assert board.wrong == (("B1", "C3"), ("C2",))
        await board.hands("C2- C3+ 1.5")
        assert board.host.status().to_fill == ("B1",)
        await board.hands("box- B1+ 1.5")
        assert board.wrong == ((), ())
        await board.play("B3B2")
        assert board.moves == ["C4C3", "A1A2", "B3B2"]

    sit(playing("C4C3", "A1A2"), layout, kill=True)
    file = tmp_path / "table.json"
    table = json.loads(file.read_text())
    moved = {"A4": "A3", "C3": "C2", "B1": "box"}
    for piece in table["pieces"]:
        piece["place"] = moved.get(piece["place"], piece["place"])
    file.write_text(json.dumps(table))
    sit(second, layout)


@pytest.mark.parametrize("data", ["", "{}", "[1, 2", '{"lampion": "table", "version": 9}'])
def test_a_table_that_cannot_be_read_is_set_up_anew(
    sit: Any, tmp_path: Path, data: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def second(board: Any) -> None:
        assert board.moves == ["C4C3"]
        assert board.host.status().to_fill == ()

    sit(playing("C4C3"), kill=True)
    (tmp_path / "table.json").write_text(data)
    sit(second)
    assert "the pieces are set up again" in caplog.text


def test_one_piece_that_was_moved_meanwhile_is_no_broken_sensor(sit: Any, tmp_path: Path) -> None:
    async def second(board: Any) -> None:
        assert board.wrong == (("A4",), ("C2",))
        assert board.host.status().masked == ()
        await board.hands("C2- A4+ 1.5")
        await board.play("A1A2")
        assert board.moves == ["C4C3", "A1A2"]

    sit(playing("C4C3"), kill=True)
    file = tmp_path / "table.json"
    file.write_text(file.read_text().replace('"A4"', '"C2"'))
    sit(second)


def test_killed_as_soon_as_a_move_is_confirmed_the_pieces_stand_after_it(sit: Any) -> None:
    async def first(board: Any) -> None:
        await board.hands("C4- 0.5 C3+")
        while board.moves != ["C4C3"]:
            await asyncio.sleep(0.002)

    async def second(board: Any) -> None:
        assert board.moves == ["C4C3"]
        assert board.wrong == ((), ())

    sit(first, kill=True)
    sit(second)


def test_killed_with_a_piece_in_the_hand(sit: Any) -> None:
    async def first(board: Any) -> None:
        await board.play("C4C3")
        await board.hands("A1- 0.5")

    async def second(board: Any) -> None:
        await board.play("A1A2")
        assert board.moves == ["C4C3", "A1A2"]

    sit(first, kill=True)
    sit(second)


def test_an_open_question_is_open_again(sit: Any, whole_game: tuple[str, ...]) -> None:
    texts = whole_game
    asked = next(number for number, text in enumerate(texts) if text.endswith("+"))

    async def first(board: Any) -> None:
        for number, text in enumerate(texts[: asked + 1]):
            await board.play(text)
            if number < asked:
                choice = [c for c in board.host.status().question if c.move == text]
                if choice:
                    await board.push("no")
        assert board.moves[-1] == "?"

    async def second(board: Any) -> None:
        assert board.moves == [*texts[:asked], "?"]
        assert {choice.move for choice in board.host.status().question} >= {texts[asked]}
        board.host.board.press("yes")
        await asyncio.sleep(0.5)
        assert board.moves == list(texts[: asked + 1])

    sit(first, kill=True)
    sit(second)


def test_another_game_or_other_rules_begin_anew_and_keep_the_old_match(
    sit: Any, tmp_path: Path
) -> None:
    async def nothing_yet(board: Any) -> None:
        assert board.moves == []

    sit(playing("C4C3"))
    sit(nothing_yet, promotion="mandatory")
    sit(playing("C4C3"), promotion="mandatory")
    sit(nothing_yet, game="shogi")
    kept = sorted(tmp_path.glob("match-*.jsonl"))
    assert [moves_in(file) for file in kept] == [["C4C3"], ["C4C3"]]


@at_a_board()
async def test_a_new_match_set_up_by_hand_begins_files_of_its_own(
    board: Any, tmp_path: Path
) -> None:
    await board.play("C4C3", "B2B3", "A4B3", "A1A2", "B3A2", "C1B2", "B4B3", "B2A3")
    board.host.controller.handle(NewMatch(board.host.now()))  # no pieces to command
    assert board.moves == []
    table = board.host.table
    for step in table.steps_to(board.host.game.pieces(board.host.game.start())):
        piece = table.lift(step.piece, "tidy")
        await asyncio.sleep(0.3)
        if piece.front_up != step.front_up:
            table.flip(step.piece, "tidy")
        table.put(step.piece, step.place, "tidy")
        await asyncio.sleep(0.3)
    await asyncio.sleep(2)
    await board.play("C4C3")
    assert board.moves == ["C4C3"]
    (earlier,) = tmp_path.glob("match-*.jsonl")
    assert len(moves_in(earlier)) == 8
    saved = recording.parse(b"".join(board.host.record_as_test()))
    session = replay.begin(saved)
    assert [note.event for note in replay.replay(saved, session)] == ["move"]


def test_a_new_match_that_is_asked_for_sets_itself_up(sit: Any, tmp_path: Path) -> None:
    async def story(board: Any) -> None:
        await board.play("C4C3", "A1A2")
        rev = board.host.status().rev
        board.host.post(NewMatch(board.host.now()))
        await asyncio.sleep(1)
        assert board.moves == []
        assert board.host.status().rev > rev
        await board.play("B3B2")
        assert board.moves == ["B3B2"]

    sit(story)
    (earlier,) = tmp_path.glob("match-*.jsonl")
    assert moves_in(earlier) == ["C4C3", "A1A2"]
