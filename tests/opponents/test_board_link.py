"""Boards that play one match: each lights the others' moves until hands have made them."""

from __future__ import annotations

import asyncio
import re
import shutil
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.game import Pass, Throw
from engine.games import make
from firmware_host.lights.signals import Signal
from firmware_host.opponents.board_link import LARGEST_BYTES, MOST_BOARDS, changed_here
from firmware_host.opponents.match_follower import PlayedEntry, in_common
from firmware_host.session.events import Claimed, Dice, NewMatch
from tests.support.linked_boards import Wire, play_linked

SOON_S = 5.0


def lit(board: Any) -> dict[str, Signal]:
    return {p: light.signal for p, light in board.host.status().lights.items() if light.level == 1}


async def both(boards: dict[str, Any], *moves: str) -> None:
    """Make each move at the board of its seat, and then at the other one, where it is lit."""
    for text in moves:
        names = list(boards)
        seat = boards["a"].host.game.turn(boards["a"].host.position())
        mover = boards[names[seat]]
        await mover.play(text)
        for board in boards.values():
            if board is not mover:
                assert board.host.status().request == text
                await board.play(text)


def test_a_move_at_one_board_is_lit_at_the_other_until_hands_have_made_it(tmp_path: Path) -> None:
    async def story(boards: dict[str, Any], wire: Wire) -> None:
        a, b = boards["a"], boards["b"]
        assert "Waiting for the move from the board a." in b.says
        await a.play("C4C3")
        assert a.moves == ["C4C3"]
        assert b.moves == []
        assert lit(b)["C4"] == Signal.WHITE
        assert lit(b)["C3"] == Signal.BLUE
        assert "Now the board a plays. Make this move on the board: giraffe from C4 to C3" in b.says
        await asyncio.sleep(60)
        assert b.moves == []
        await b.play("C4C3")
        assert b.moves == ["C4C3"]
        assert b.host.status().request == ""
        await b.play("A1A2")
        assert a.host.status().request == "A1A2"

    play_linked(tmp_path, story)


def test_a_whole_match_is_played_at_both_boards(
    tmp_path: Path, whole_game: tuple[str, ...]
) -> None:
    async def story(boards: dict[str, Any], wire: Wire) -> None:
        await both(boards, *whole_game)
        for board in boards.values():
            assert tuple(board.moves) == whole_game
            assert board.host.status().outcome is not None
        boards["b"].host.post(NewMatch(boards["b"].host.now()))
        await asyncio.sleep(SOON_S)
        assert boards["a"].moves == boards["b"].moves == []  # the other board begins one, too
        await both(boards, "C4C3", "A1A2")
        assert len(list((tmp_path / "a").glob("match-*.jsonl"))) == 1

    play_linked(tmp_path, story, layout="square-hall")


def test_a_move_is_taken_back_at_both_boards(tmp_path: Path) -> None:
    async def story(boards: dict[str, Any], wire: Wire) -> None:
        a, b = boards["a"], boards["b"]
        await both(boards, "C4C3", "A1A2")
        await a.push("back", SOON_S)  # the move of b
        assert a.moves == ["C4C3"]
        assert b.moves == ["C4C3", "A1A2"]  # that is not for a to take back
        assert a.host.status().request == "" or a.wrong
        await a.push("back", SOON_S)  # and its own: that is
        assert a.moves == b.moves == []
        await a.hands("A2- A1+ C3- C4+ 2")
        await b.hands("A2- A1+ C3- C4+ 2")
        await both(boards, "B3B2")
        assert a.moves == b.moves == ["B3B2"]

    play_linked(tmp_path, story)


def test_what_hands_play_for_the_other_board_is_taken_back(tmp_path: Path) -> None:
    async def story(boards: dict[str, Any], wire: Wire) -> None:
        a, b = boards["a"], boards["b"]
        await b.play("B3B2", rest=SOON_S)
        assert a.moves == b.moves == []
        assert b.wrong == (("B3",), ())  # and hands are guided
        await b.hands("B2- B3+ hand.A.C- B2+ 2")
        await both(boards, "C4C3")
        assert a.moves == b.moves == ["C4C3"]

    play_linked(tmp_path, story)


def test_a_move_that_changes_while_the_hand_goes_on_changes_at_the_other_board(
    tmp_path: Path,
) -> None:
    async def story(boards: dict[str, Any], wire: Wire) -> None:
        a, b = boards["a"], boards["b"]
        await a.hands("B4- A3+ 1.5")
        assert b.host.status().request == "B4A3"
        await a.hands("A3- C3+ 1.5")
        assert a.moves == ["B4C3"]
        assert b.host.status().request == "B4C3"

    play_linked(tmp_path, story)


def test_a_cut_loses_nothing(tmp_path: Path) -> None:
    async def story(boards: dict[str, Any], wire: Wire) -> None:
        a, b = boards["a"], boards["b"]
        await both(boards, "C4C3")
        wire.cut()
        await b.play("A1A2", rest=SOON_S)
        assert "There is no connection to the other board." in a.says
        assert a.host.status().request == ""
        wire.mend()
        await asyncio.sleep(SOON_S)
        assert a.host.status().request == "A1A2"
        await a.play("A1A2")
        assert a.moves == b.moves == ["C4C3", "A1A2"]

    play_linked(tmp_path, story)


def test_the_match_goes_on_after_both_programs_have_ended(tmp_path: Path) -> None:
    async def first(boards: dict[str, Any], wire: Wire) -> None:
        await both(boards, "C4C3")
        await boards["b"].play("A1A2")

    async def second(boards: dict[str, Any], wire: Wire) -> None:
        a, b = boards["a"], boards["b"]
        assert (a.moves, b.moves) == (["C4C3"], ["C4C3", "A1A2"])
        for name in boards:
            wire.publish(name)
        await asyncio.sleep(SOON_S)
        await a.play("A1A2")
        assert a.moves == b.moves == ["C4C3", "A1A2"]

    play_linked(tmp_path, first)
    play_linked(tmp_path, second)


def test_a_board_that_has_lost_its_files_gets_the_whole_match_again(tmp_path: Path) -> None:
    async def first(boards: dict[str, Any], wire: Wire) -> None:
        await both(boards, "C4C3", "A1A2", "B3B2")

    async def second(boards: dict[str, Any], wire: Wire) -> None:
        a, b = boards["a"], boards["b"]
        assert a.moves == []
        for name in boards:
            wire.publish(name)
        await asyncio.sleep(SOON_S)
        for text in ("C4C3", "A1A2", "B3B2"):
            assert a.host.status().request == text
            await a.play(text)
        assert a.moves == b.moves == ["C4C3", "A1A2", "B3B2"]

    play_linked(tmp_path, first)
    shutil.rmtree(tmp_path / "a")
    play_linked(tmp_path, second)


def test_a_board_in_another_match_says_how_to_join(tmp_path: Path) -> None:
    async def story(boards: dict[str, Any], wire: Wire) -> None:
        a, b = boards["a"], boards["b"]
        await both(boards, "C4C3")
        b.host.post(NewMatch(b.host.now()))  # in the middle of it
        await asyncio.sleep(SOON_S)
        assert a.moves == ["C4C3"]
        assert "The board b plays another match. To join it, begin a new match here." in a.says
        a.host.post(NewMatch(a.host.now()))
        await asyncio.sleep(SOON_S)
        await both(boards, "B3B2")
        assert a.moves == b.moves == ["B3B2"]

    play_linked(tmp_path, story)


def test_a_move_of_the_other_board_waits_for_the_end_of_a_lesson(tmp_path: Path) -> None:
    async def story(boards: dict[str, Any], wire: Wire) -> None:
        a, b = boards["a"], boards["b"]
        await a.hands("C4- C3+ 2")
        for _ in range(2):
            assert b.host.status().request == "C4C3"
            assert "Now the board a plays." in b.says
            b.host.lesson_mode.learn("robot-duel-01")
            await asyncio.sleep(SOON_S)
            assert b.host.status().request == ""
            b.host.lesson_mode.learn("")
            await asyncio.sleep(SOON_S)

    play_linked(tmp_path, story)


def test_everybody_keeps_the_seat_when_the_next_match_begins(tmp_path: Path) -> None:
    async def story(boards: dict[str, Any], wire: Wire) -> None:
        a, b = boards["a"], boards["b"]
        await both(boards, "C4C3")
        b.host.post(Claimed(b.host.now(), "resign", 1))
        await asyncio.sleep(SOON_S)
        a.host.seating.swap()
        a.host.post(NewMatch(a.host.now()))
        await asyncio.sleep(SOON_S)
        await both(boards, "B3B2", "B1B2")
        assert a.moves == b.moves == ["B3B2", "B1B2"]

    play_linked(tmp_path, story)


def test_another_game_begins_at_both_boards(tmp_path: Path) -> None:
    async def story(boards: dict[str, Any], wire: Wire) -> None:
        a, b = boards["a"], boards["b"]
        a.host.new_game("shogi", {"impasse": "off"}, "square-reed")
        await asyncio.sleep(SOON_S)
        assert b.host.game == a.host.game == make("shogi", {"impasse": "off"})
        await a.hands("7g- 7f+ 2")
        assert b.host.status().request == "7g7f"

    play_linked(tmp_path, story)


def test_a_claim_is_made_at_both_boards(tmp_path: Path) -> None:
    async def story(boards: dict[str, Any], wire: Wire) -> None:
        a, b = boards["a"], boards["b"]
        await both(boards, "C4C3")
        b.host.post(Claimed(b.host.now(), "resign", 1))
        await asyncio.sleep(SOON_S)
        for board in (a, b):
            assert board.host.status().outcome.winners == {0}

    play_linked(tmp_path, story)


async def take_turn(boards: dict[str, Any], rng: Random) -> None:
    """Throw the dice and make a move at the board whose turn it is, then make the move at the
    others.
    """
    first = boards["a"].host.controller.session.view
    mover = boards["abcd"[first.acting]]
    throws = [each for each in first.match.legal if isinstance(each, Throw)]
    if throws:
        mover.host.post(Dice(mover.host.now(), rng.choice(throws).dice))
        await asyncio.sleep(SOON_S)
    matches = [board.host.controller.session.view.match for board in boards.values()]
    assert len({match.position for match in matches}) == 1
    moves = [
        text
        for move in matches[0].legal
        if not isinstance(move, Throw | Pass)
        and (text := matches[0].game.move_text(matches[0].position, move))
        and re.fullmatch("[a-h][1-8][a-h][1-8]", text)
        and text[2:] not in matches[0].game.pieces(matches[0].position)
    ]
    if moves:
        text = rng.choice(moves)
        await mover.hands(f"{text[:2]}- {text[2:]}+ 3")
        assert mover.moves[-1] == text
        for board in boards.values():
            if board is not mover:
                assert board.host.status().request == text
                await board.hands(f"{text[:2]}- {text[2:]}+ 3")


def played_at(boards: dict[str, Any]) -> tuple[tuple[int, str, tuple[int, ...]], ...]:
    """Return what was played, which is the same at all boards."""
    lists = [board.host.status().plies for board in boards.values()]
    (found,) = {tuple((ply.seat, ply.text, ply.dice) for ply in each) for each in lists}
    return found


def test_four_boards_share_the_dice(tmp_path: Path) -> None:
    async def story(boards: dict[str, Any], wire: Wire) -> None:
        rng = Random(2)
        for _ in range(6):
            await take_turn(boards, rng)
        assert len(played_at(boards)) > 3

    play_linked(tmp_path, story, game="chaturaji")


def test_boards_go_on_together_when_one_of_them_has_left_for_another_match(tmp_path: Path) -> None:
    async def story(boards: dict[str, Any], wire: Wire) -> None:
        rng = Random(2)
        await take_turn(boards, rng)
        before = len(played_at(boards))
        boards["d"].host.post(NewMatch(boards["d"].host.now()))
        await asyncio.sleep(SOON_S)
        others = {name: board for name, board in boards.items() if name != "d"}
        for _ in range(2):
            await take_turn(others, rng)
        assert len(played_at(others)) == before + 2
        assert "The board d plays another match." in others["a"].says

    play_linked(tmp_path, story, game="chaturaji")


@given(
    shared=st.lists(st.integers(0, 3), max_size=8),
    entries=st.lists(st.integers(0, 3), max_size=8),
    in_step=st.booleans(),
    here=st.sets(st.integers(0, 1)),
)
def test_only_the_seats_of_a_board_change_the_match(
    shared: list[int], entries: list[int], in_step: bool, here: set[int]
) -> None:
    def plain(kinds: list[int]) -> tuple[PlayedEntry, ...]:
        return tuple(PlayedEntry("move", n % 2, f"{kind}") for n, kind in enumerate(kinds))

    before, now = plain(shared), plain(entries)
    after = changed_here(before, now, in_step, here.__contains__)
    if after is None:
        assert (
            now[: len(before)] != before or len(now) == len(before) or not _mine(now, before, here)
        )
        return
    common = in_common(before, now)
    assert after != before
    assert after == now[: len(after)]  # nothing is made up
    assert {each.seat for each in after[common:]} <= here
    gone = before[common:]
    assert not gone or (in_step and {each.seat for each in gone} & here)


def _mine(now: tuple[PlayedEntry, ...], before: tuple[PlayedEntry, ...], here: set[int]) -> bool:
    return now[len(before)].seat in here


def test_a_message_that_is_none_is_left_aside(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def story(boards: dict[str, Any], wire: Wire) -> None:
        link = boards["a"].host.opponents.linked
        deep = b'{"new": ' + b"[" * 100_000
        for message in (b"", b"[]", b"\xff", b"x" * (LARGEST_BYTES + 1), b'{"match": 1}', deep):
            link.take("b", message)
        await both(boards, "C4C3")

    play_linked(tmp_path, story)
    assert len(caplog.records) == 6


@pytest.mark.parametrize("entry", [("move", 1, "nonsense"), ("move", 1, "A1C3")])
def test_a_move_that_the_rules_forbid_here_is_said(
    tmp_path: Path, entry: tuple[str, int, str]
) -> None:
    async def story(boards: dict[str, Any], wire: Wire) -> None:
        a = boards["a"]
        await both(boards, "C4C3")
        shared = msgspec.json.decode(a.host.opponents.linked.message)
        shared |= {"version": 99, "board": "b", "entries": [*shared["entries"], entry]}
        a.host.opponents.linked.take("b", msgspec.json.encode(shared))
        await asyncio.sleep(SOON_S)
        assert f"the board b plays {entry[2]}, but the rules do not allow it here." in a.says
        assert a.moves == ["C4C3"]

    play_linked(tmp_path, story)


def test_messages_of_strangers_do_not_fill_the_memory(tmp_path: Path) -> None:
    async def story(boards: dict[str, Any], wire: Wire) -> None:
        a, b = (boards[name].host.opponents.linked for name in "ab")
        shared = msgspec.json.decode(b.message)
        first = msgspec.json.encode(shared | {"match": "stranger"})
        for number in range(2 * MOST_BOARDS):
            a.take(f"stranger-{number}", first)
        assert len(a._received) == MOST_BOARDS
        await both(boards, "C4C3", "A1A2")  # that of the other board is still followed

    play_linked(tmp_path, story)


@pytest.mark.parametrize(
    "claimed",
    [
        {"match": "another", "number": 2**53 - 1},
        {"match": "another", "number": 2, "version": 2**53 - 1},
        {"version": 2**53 - 1},
    ],
)
def test_a_number_after_which_none_comes_is_not_followed(
    tmp_path: Path, claimed: dict[str, Any]
) -> None:
    async def story(boards: dict[str, Any], wire: Wire) -> None:
        a = boards["a"]
        shared = msgspec.json.decode(a.host.opponents.linked.message)
        claims = msgspec.json.encode(shared | {"board": "b"} | claimed)
        a.host.opponents.linked.take("b", claims)
        a.host.wake()
        await asyncio.sleep(SOON_S)
        if "version" not in claimed:
            a.host.new_game("robot-duel", {"try_rule": "none"}, "square-reed")
            await asyncio.sleep(SOON_S)
        await both(boards, "C4C3", "A1A2")
        for board in boards.values():
            assert board.moves == ["C4C3", "A1A2"]

    play_linked(tmp_path, story)


def test_a_message_with_a_seat_that_the_game_has_not_ends_no_board(tmp_path: Path) -> None:
    async def story(boards: dict[str, Any], wire: Wire) -> None:
        a = boards["a"]
        shared = msgspec.json.decode(a.host.opponents.linked.message)
        shared |= {"version": 99, "board": "b", "entries": [("move", 7, "C4C3")]}
        a.host.opponents.linked.take("b", msgspec.json.encode(shared))
        a.host.wake()
        await asyncio.sleep(SOON_S)
        assert a.host.status().request == "C4C3"
        assert "Now the board b plays." in a.says

    play_linked(tmp_path, story)


def test_a_seat_of_another_board_says_that_there_is_no_connection(tmp_path: Path) -> None:
    async def story(boards: dict[str, Any], wire: Wire) -> None:
        host = boards["b"].host
        host.opponents.elsewhere = None
        host.seating.rename(0, "")
        await asyncio.sleep(1)
        assert "This board is connected to no other." in boards["b"].says

    play_linked(tmp_path, story)
