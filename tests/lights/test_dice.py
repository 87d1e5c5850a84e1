"""The dice on the lights: the number, the pieces that it moves, lost turns, corrections."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from firmware_host.host.demo import play
from firmware_host.lights.dice import LOST_S, NUMBER_S, lost_turns, pips
from firmware_host.lights.scene import changes_at, scene, seat_light
from firmware_host.lights.signals import Light, Pattern, Signal
from firmware_host.session.events import Assist, Dice


def lit(board: Any) -> dict[str, Light]:
    return scene(board.session.view, board.now)


def white(board: Any) -> set[str]:
    """What is lit as a piece that may move."""
    return {place for place, light in lit(board).items() if light == Light(Signal.WHITE)}


def yellow(board: Any) -> dict[str, Pattern]:
    return {
        place: light.pattern
        for place, light in lit(board).items()
        if light.signal is Signal.YELLOW and ":" not in place
    }


def may_move(board: Any) -> set[str]:
    match = board.session.view.match
    return {
        place
        for move in match.legal
        for place, piece in match.game.changes(match.position, move).items()
        if piece is None
    }


def instead(board: Any, *dice: int) -> Any:
    board.feed(Dice(board.now, dice, instead=True))
    return board


# ---- the pieces that may move


def test_after_every_throw_the_pieces_that_may_move_are_lit(timeline: Any) -> None:
    board = timeline("chaturaji")
    for throw, hands in (3, "b1- c3+"), (3, "a7- c6+"), (5, "g7- g6+"), (3, "h2- f3+"):
        board.throw(throw).rest(NUMBER_S)
        assert white(board) == may_move(board) != set()
        board.hands(f"0.5 {hands}").rest(1)
        assert white(board) == set()


def test_players_without_help_see_no_pieces_but_the_number(timeline: Any) -> None:
    board = timeline("chaturaji")
    for seat in range(4):
        board.feed(Assist(0.0, 1, seat))
    board.throw(3).rest(0.1)
    assert yellow(board).keys() == set(pips(board.game.cells(), (3,)))
    assert white(board.rest(NUMBER_S)) == set()


@pytest.mark.parametrize("order", ["free", "fixed"])
def test_with_two_dice_the_pieces_of_the_other_die_come_second(timeline: Any, order: str) -> None:
    board = timeline("chaturaji", dice="2", two_dice_order=order).throw(3, 5).rest(NUMBER_S)
    both = white(board)
    assert both == may_move(board)
    assert ("b2" in both) == (order == "free")  # a pawn, by the 5
    board.hands("0.5 b1- c3+").rest(1)
    assert board.moves == ["b1c3"]
    assert board.session.view.dice.to_play == (5,)
    assert white(board) == may_move(board)
    assert "b1" not in white(board)
    assert "black plays 5." in board.says()


def test_a_piece_in_the_hand_shows_where_it_may_go_after_any_throw(timeline: Any) -> None:
    board = timeline("chaturaji").throw(3).hands("1 b1- c3+").rest(1).throw(3).rest(NUMBER_S)
    board.hands("a7-").rest(0.1)
    shown = {place: light.signal for place, light in lit(board).items() if ":" not in place}
    assert shown == {"a7": Signal.WHITE, "c6": Signal.BLUE, "c8": Signal.BLUE}
    board.hands("c6+")
    for _ in range(50):  # until that is read, and then, no other piece is to move any more
        assert white(board.rest(0.02)) <= {"a7"}
    assert board.moves == ["b1c3", "a7c6"]


@pytest.mark.parametrize("away", [0.1, 0.3, 0.8])
def test_nothing_goes_out_while_the_last_piece_is_straightened(timeline: Any, away: float) -> None:
    board = timeline("chaturaji").throw(3).hands("1 b1- c3+").rest(1).throw(3).rest(NUMBER_S)
    movers = may_move(board)
    board.hands("c3-")
    for _ in range(int(away / 0.02)):
        assert movers <= white(board.rest(0.02))
    board.hands("c3+")
    for _ in range(50):
        assert movers <= white(board.rest(0.02))
    assert board.moves == ["b1c3"]


# ---- the number


def test_the_number_is_shown_for_a_moment_and_then_the_pieces(timeline: Any) -> None:
    board = timeline("chaturaji").throw(3).rest(NUMBER_S - 0.1)
    assert yellow(board) == dict.fromkeys(("f7", "d5", "b3"), Pattern.STEADY)
    assert white(board) == set()
    assert changes_at(board.session.view, board.now) == pytest.approx(board.now + 0.1)
    board.rest(0.1)
    assert yellow(board) == {}
    assert white(board) == may_move(board)


def test_the_number_gives_way_to_a_hand(timeline: Any) -> None:
    board = timeline("chaturaji").throw(3).hands("0.2 b1-").rest(0.1)
    assert yellow(board) == {}
    assert lit(board)["a3"] == lit(board)["c3"] == Light(Signal.BLUE)


def drawn(cells: tuple[str, ...], dice: tuple[int, ...]) -> list[str]:
    side = int(len(cells) ** 0.5)
    on = set(pips(cells, dice))
    marks = ["o" if cell in on else "." for cell in cells]
    return ["".join(marks[side * row : side * (row + 1)]) for row in range(side)]


def test_pips_look_like_a_die(timeline: Any) -> None:
    cells = timeline("chaturaji").game.cells()
    five = [
        "........",
        ".o...o..",
        "........",
        "...o....",
        "........",
        ".o...o..",
        *2 * ["........"],
    ]
    assert drawn(cells, (5,)) == five
    dark = 2 * ["........"]
    assert drawn(cells, (2, 5)) == [*dark, "..o..o.o", "......o.", "o....o.o", *dark, "........"]
    for number in range(1, 7):
        assert len(pips(cells, (number,))) == number
        assert len(set(pips(cells, (number, number)))) == 2 * number


def test_there_are_no_pips_where_there_is_no_room() -> None:
    assert pips([str(n) for n in range(12)], (3,)) == ()
    assert pips([str(n) for n in range(16)], (3,)) == ()
    assert pips([str(n) for n in range(64)], (3, 3, 3)) == ()
    assert pips([str(n) for n in range(64)], (9,)) == pips([str(n) for n in range(64)], ()) == ()


# ---- a turn that is lost


def test_a_lost_turn_is_shown_though_the_next_throw_comes_at_once(timeline: Any) -> None:
    board = timeline("chaturaji").throw(4).rest(0.3)  # the elephant is shut in at the start
    assert yellow(board) == dict.fromkeys(pips(board.game.cells(), (4,)), Pattern.PULSE)
    assert lit(board)[seat_light(0)] == Light(Signal.YELLOW, Pattern.PULSE)
    assert lit(board)[seat_light(1)] == Light(Signal.YELLOW, Pattern.BREATHE)
    assert "black cannot move: the turn is lost." in board.says()
    board.throw(3).rest(0.1)
    assert yellow(board) == dict.fromkeys(pips(board.game.cells(), (3,)), Pattern.STEADY)
    board.hands("0.5 a7- c6+").rest(1)
    assert board.moves == ["--", "a7c6"]
    assert lit(board)[seat_light(0)] == Light(Signal.YELLOW, Pattern.PULSE)
    assert board.says()[0] == "black cannot move: the turn is lost."
    board.rest(LOST_S)
    assert seat_light(0) not in lit(board)
    assert not any("lost" in each for each in board.says())


def test_turns_that_are_lost_one_after_the_other_are_all_said(timeline: Any) -> None:
    board = timeline("chaturaji").throw(4).rest(0.3).throw(4).rest(0.3)
    assert [each for each in board.says() if "lost" in each] == [
        "black cannot move: the turn is lost.",
        "green cannot move: the turn is lost.",
    ]
    assert lost_turns(board.session.view, board.now) == (0, 1)


def test_the_board_itself_shows_number_and_pieces_and_the_page_says_the_same(sit: Any) -> None:
    async def story(board: Any) -> None:
        host = board.host
        for throw, hands in (3, "b1- c3+"), (3, "a7- c6+"):
            host.post(Dice(host.now(), (throw,)))
            await asyncio.sleep(0.2)
            face = dict.fromkeys(pips(host.game.cells(), (3,)), "yellow")
            assert board.colours() == face
            words = {light.signal for p, light in host.status().lights.items() if ":" not in p}
            assert words == {Signal.YELLOW}
            await asyncio.sleep(NUMBER_S)
            piece = hands[:2]
            assert board.colours()[piece] == "white"
            assert host.status().lights[piece] == Light(Signal.WHITE)
            assert "plays 3" in board.says
            await board.hands(hands)
            await asyncio.sleep(1.5)

    sit(story, game="chaturaji")


# ---- a throw that was told wrongly


def test_a_throw_is_corrected_alone(timeline: Any) -> None:
    board = timeline("chaturaji").throw(3).hands("1 b1- c3+").rest(1).throw(2).rest(NUMBER_S)
    wrong = white(board)
    instead(board, 3).rest(NUMBER_S)
    assert [entry.texts[0] for entry in board.session.record] == ["3", "b1c3", "3"]
    assert white(board) == may_move(board) != wrong
    board.hands("a7- c6+").rest(1)
    assert board.moves == ["b1c3", "a7c6"]
    assert "takeback" not in board.events


def test_a_piece_that_was_moved_for_the_real_number_is_read_then(timeline: Any) -> None:
    board = timeline("chaturaji").throw(3).hands("1 b1- c3+").rest(1).throw(5)
    board.hands("1 a7- c6+").rest(3)
    assert board.moves == ["b1c3"]
    assert instead(board, 3).rest(1).moves == ["b1c3", "a7c6"]


def test_a_turn_is_not_lost_if_the_throw_was_told_wrongly(timeline: Any) -> None:
    board = timeline("chaturaji").throw(4).rest(0.3)
    assert board.moves == ["--"]
    instead(board, 3).rest(NUMBER_S)
    assert board.moves == []
    assert (board.session.view.match.turn, board.session.view.dice.to_play) == (0, (3,))
    assert white(board) == may_move(board)
    assert seat_light(0) in lit(board)
    assert not any("lost" in each for each in board.says())
    board.hands("b1- c3+").rest(1)
    assert board.moves == ["b1c3"]


def test_a_turn_is_lost_if_the_throw_was_told_wrongly(timeline: Any) -> None:
    board = timeline("chaturaji").throw(3).rest(1)
    assert instead(board, 4).rest(0.1).moves == ["--"]
    assert "black cannot move: the turn is lost." in board.says()
    board.throw(3).rest(1)
    assert board.session.view.dice.corrections == tuple(
        throw for throw in board.game.legal(board.game.start()) if throw.dice != (3,)
    )  # the last one only
    assert instead(board, 2).moves == ["--"]


def test_a_throw_that_was_played_or_cannot_fall_so_stays(timeline: Any) -> None:
    board = instead(timeline("chaturaji"), 3).rest(0.1)
    assert board.session.record == ()
    board.throw(3).rest(0.1)
    assert instead(board, 6).session.view.dice.to_play == (3,)
    board.hands("1 b1- c3+").rest(1)
    assert board.session.view.dice.corrections == ()
    instead(board, 2).rest(1)
    assert [entry.texts[0] for entry in board.session.record] == ["3", "b1c3"]


def test_a_match_that_ended_by_a_throw_told_wrongly_goes_on(timeline: Any) -> None:
    start = "wB,wP,2,nK,nE,nH,nB/wH,wP,2,nP,nP,nP,nP/wE,wP,6/wK,wP,6/6,eP,eK/2,sH,3,eP,eE/"
    start += "sP,sP,sP,sP,2,eP,eH/sB,1,sE,sK,2,eP,eB E - 0,0,0,5 -"
    board = timeline("chaturaji", position=start, end="n_rounds", rounds="1").throw(4).rest(1)
    assert board.session.view.outcome is not None
    instead(board, 3).rest(NUMBER_S)
    assert (board.session.view.outcome, board.moves) == (None, [])
    assert white(board) == may_move(board) == {"h2"}
    board.hands("h2- f3+").rest(2)
    assert board.moves == ["h2f3"]
    assert board.session.view.outcome is not None
    board.rest(30)
    assert board.moves == ["h2f3"]


def test_two_dice_are_corrected_until_the_first_of_their_moves(timeline: Any) -> None:
    board = timeline("chaturaji", dice="2").throw(3, 5).rest(1)
    assert len(board.session.view.dice.corrections) == 15
    assert instead(board, 5, 3).session.view.dice.to_play == (5, 3)
    board.hands("1 b1- c3+").rest(1)
    assert board.session.view.dice.to_play == (5,)
    assert board.session.view.dice.corrections == ()


def test_who_corrects_a_throw_may_still_revise_the_move_before(timeline: Any) -> None:
    board = timeline("chaturaji").throw(3).hands("1 b1- c3+").rest(1).throw(2).rest(1)
    instead(board, 3).rest(1).hands("c3- a3+").rest(3)
    assert board.moves == ["b1a3"]
    assert board.session.view.dice.to_play == (3,)


def test_a_correction_is_kept_when_the_program_ends(sit: Any) -> None:
    async def corrected(board: Any) -> None:
        host = board.host
        host.post(Dice(host.now(), (4,)))
        await asyncio.sleep(1)
        assert board.moves == ["--"]
        host.post(Dice(host.now(), (3,), instead=True))
        await asyncio.sleep(1)
        assert b'"dice": [3], "instead": true' in b"".join(host.record_as_test())

    async def resumed(board: Any) -> None:
        assert (board.moves, board.host.status().dice) == ([], (3,))
        assert board.host.status().corrections == ((2,), (4,), (5,))

    sit(corrected, game="chaturaji", kill=True)
    sit(resumed, game="chaturaji")


def test_the_demo_waits_for_the_number_and_the_pieces_to_be_seen(sit: Any) -> None:
    async def story(board: Any) -> None:
        hands = asyncio.create_task(play(board.host, 2))
        seen: dict[int, set[Signal]] = {}
        for _ in range(3000):
            await asyncio.sleep(0.02)
            throws = sum(e.kind == "throw" for e in board.host.controller.session.record)
            lights = board.host.status().lights
            lit = {light.signal for p, light in lights.items() if ":" not in p and light.level == 1}
            seen.setdefault(throws, set()).update(lit)
        hands.cancel()
        done = sorted(seen)[1:-1]  # after the first throw, up to the last but one
        assert len(done) > 5
        lost = [number for number in done if Signal.WHITE not in seen[number]]
        assert all(Signal.YELLOW in seen[number] for number in done)
        assert len(lost) == board.moves[: len(done)].count("--")

    sit(story, game="chaturaji")
