"""The line of the turn, the next step in a sentence, and moves in brief."""

from __future__ import annotations

from typing import Any

import pytest

from engine.games import ADDED, NAMES, make
from engine.match import Match
from firmware_host.i18n.messages import LANGUAGES, render, say
from firmware_host.lights.advice import Advice
from firmware_host.session.events import Assist
from firmware_host.text.announcements import status
from firmware_host.text.moves import brief_of
from firmware_host.text.status import Brief

LONGEST = 130
"""Characters of a next step: two lines of the page's box hold no more."""
LINE = 26
"""Characters of a line of the turn, without the names of players."""


def told(board: Any, *players: str) -> tuple[str, str]:
    """Return the line of the turn and the next step."""
    now = status(board.session.view, 1, players=players)
    return render(now.turn_line), " ".join(render(each) for each in now.next_step)


def test_the_turn_is_a_line_and_the_next_step_a_sentence(timeline: Any) -> None:
    board = timeline("robot-duel").rest(1)
    assert told(board) == ("It is A's turn.", "Lift a piece to see where it can go.")
    assert told(board, "Ania", "Ola")[0] == "Your turn, Ania"
    board.hands("C4-").rest(1)
    assert told(board, "Ania") == ("Your turn, Ania", "Put the giraffe on blue ○.")
    board.hands("C3+").rest(2)
    assert told(board, "Ania")[0] == "It is B's turn."
    board.hands("B1-").rest(1)
    assert told(board)[1] == "Put the lion on blue ○."


def test_a_piece_that_cannot_move_and_a_wrong_move_are_the_next_step(timeline: Any) -> None:
    board = timeline("robot-duel").rest(1).hands("A1-").rest(1)
    assert told(board)[1] == "The giraffe on A1 belongs to B."
    board.hands("A1+").rest(1).hands("B4- 0.3 A2+").rest(3)
    line, step = told(board)
    assert line == "Put the board right"
    assert step.startswith("Move the lion from A2 to B4.")
    assert "A lion goes one step" in step


def test_a_king_that_has_castled_is_put_and_its_rook_is_next(
    timeline: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("chess", reason="python-chess is not installed: pip install chess")
    from lampion_chess import Chess

    monkeypatch.setitem(ADDED, "chess", Chess)
    board = timeline("chess", position="4k3/8/8/8/8/8/8/4K2R w K - 0 1").rest(1)
    board.hands("e1- 0.3 g1+").rest(2)
    assert told(board)[1] == "Now the rest of the move: h1 to f1."


def test_where_a_captured_piece_lies_unfelt_is_said_last(
    timeline: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("chess", reason="python-chess is not installed: pip install chess")
    from lampion_chess import Chess

    monkeypatch.setitem(ADDED, "chess", Chess)
    board = timeline("chess", position="3rk3/2P5/8/8/8/8/8/4K3 w - - 0 1").rest(1)
    board.hands("d8- 0.3 c7- 0.3 d8+").rest(2).choose("c7d8q").rest(1)
    step = told(board)[1]
    assert step.startswith("Replace the pawn on d8 with the queen."), step


def test_a_robot_that_can_eat_nothing_is_told_so(timeline: Any) -> None:
    board = timeline("robotory").rest(1).hands("d3-").rest(1)
    assert told(board)[1] == (
        "The red robot on d3 cannot be moved now. No energy that it eats is next to it."
    )


def test_a_reason_about_another_place_is_not_given_for_a_piece_in_the_hand(timeline: Any) -> None:
    enclosed = "sssss/ssssss/7/8/SSSSSSSSS/4SSSS/7/ss4/Ss3 0 0 b 0 1"
    board = timeline("abalone", position=enclosed).rest(1).hands("a1-").rest(1)
    assert told(board)[1] == "The black marble on a1 cannot be moved now."


def test_what_is_left_to_do_with_a_captive_comes_before_the_next_move(timeline: Any) -> None:
    board = timeline("robot-duel").rest(1).hands("B2- 0.3 B3- 0.3 B2+").rest(2)
    line, step = told(board)
    assert line == "It is B's turn."
    assert step.startswith("The chick goes to the hand of A")


def test_who_throws_and_what_the_die_moves(timeline: Any) -> None:
    board = timeline("chaturaji").rest(1)
    assert told(board, "Ania")[0] == "Your throw, Ania"
    assert told(board)[0] == "black throws"
    assert told(board)[1].startswith("Touch the die. Or throw your own")
    board.throw(3)
    assert told(board)[1] == "The lights draw the throw: 3."
    board.rest(2)
    assert told(board, "Ania") == ("Ania: 3", "Move a lit piece ◎: horse.")
    board = timeline("chaturaji").rest(1).throw(5).rest(2)
    assert told(board)[1] == "Move a lit piece ◎: raja or pawn."


def test_nobody_is_told_to_move_while_the_machine_thinks(timeline: Any) -> None:
    board = timeline("chaturaji").rest(1).throw(3).rest(1)
    now = status(board.session.view, 1, advice=Advice(requested_move={}))
    assert (render(now.turn_line), now.next_step) == ("black thinks", ())
    before = timeline("chaturaji").rest(1)
    now = status(before.session.view, 1, players=["Ania"], advice=Advice(requested_move={}))
    assert (render(now.turn_line), now.next_step) == ("Ania throws", ())


def test_the_machine_waits_until_a_captured_piece_is_put_away(timeline: Any) -> None:
    board = timeline("robot-duel").hands("1 B3- 0.3 B2- 0.3 B2+").rest(2)
    now = status(board.session.view, 1, advice=Advice(requested_move={}))
    assert render(now.turn_line) == "B waits"
    assert render(now.next_step[0]).startswith("The chick goes to the hand of A.")
    thinks = Advice(requested_move={}, says=(say("Thinking …"),))
    assert render(status(board.session.view, 1, advice=thinks).turn_line) == "B thinks"


def test_a_lost_turn_is_said_before_the_next_one_begins(timeline: Any) -> None:
    board = timeline("chaturaji").rest(1).throw(4).rest(0.3)  # the elephant is shut in
    assert told(board) == ("green throws", "black cannot move: the turn is lost. Touch the die.")
    plays = Advice(requested_move={}, says=(say("Thinking …"),), chosen=True)
    now = status(board.session.view, 1, advice=plays)
    lost = "black cannot move: the turn is lost."
    assert [render(each) for each in now.next_step] == [lost, "Thinking …"]
    hint = status(board.session.view, 1, advice=Advice(says=(say("Thinking …"),)))
    assert [render(each) for each in hint.next_step] == ["Thinking …"]


def test_a_captured_piece_does_not_hide_that_the_die_is_to_be_thrown(timeline: Any) -> None:
    pieces = "sKd1,sEd3,wHd5,wKa5,nKe8,eKh4 S 4 0,0,0,0 -"
    board = timeline("chaturaji", position=pieces).hands("1 d3- 0.3 d5- 0.3 d5+").rest(2)
    assert told(board)[1] == "The horse of green goes beside the board. Touch the die."
    now = status(board.session.view, 1, all_in_place=True)
    assert render(now.next_step[0]) == "Touch the die."
    assert not any("goes beside" in render(each) for each in now.says)


def test_a_seat_without_help_is_not_told_of_lights(timeline: Any) -> None:
    board = timeline("chaturaji").rest(1).throw(3).rest(2)
    board.feed(Assist(board.now, 1, 0))
    assert told(board)[1] == "Move one of these: horse."
    duel = timeline("robot-duel").rest(1)
    duel.feed(Assist(duel.now, 1, 0))
    assert told(duel)[1] == ""
    duel.hands("C4-").rest(1)
    assert "○" not in told(duel)[1]


@pytest.mark.parametrize("name", NAMES)
def test_the_next_step_fits_its_box_in_all_languages(timeline: Any, name: str) -> None:
    board = timeline(name).rest(1)
    now = status(board.session.view, 1)
    for language in LANGUAGES:
        assert len(render(now.turn_line, language)) <= LINE, language
        assert sum(len(render(each, language)) for each in now.next_step) <= LONGEST, language


def brief(game: str, *moves: str, position: str = "") -> Brief:
    rules = make(game)
    match = Match(rules, rules.parse_position(position) if position else rules.start())
    for text in moves:
        match = match.play(rules.parse_move(match.position, text))
    return brief_of(match)


@pytest.mark.parametrize(
    ("game", "moves", "position", "words", "piece", "start", "end", "takes"),
    [
        ("robot-duel", ["C4C3"], "", "to C3", "G", "C4", "C3", False),
        ("robot-duel", ["B3B2"], "", "takes B2", "C", "B3", "B2", True),
        ("robot-duel", ["C*B3"], "g1e/l1C/3/1L1 b CEG 1", "put on B3", "C", None, "B3", False),
        ("robot-duel", ["C2C1+"], "g1e/l1C/3/1L1 b CEG 1", "takes C1", "+C", "C2", "C1", True),
        ("shogi", ["7g7f"], "", "to 7f", "P", "7g", "7f", False),
        ("abalone", ["a1b2"], "", "to d4", "b", "a1", "d4", False),
    ],
)
def test_a_move_in_brief(
    game: str,
    moves: list[str],
    position: str,
    words: str,
    piece: str,
    start: str | None,
    end: str,
    takes: bool,
) -> None:
    found = brief(game, *moves, position=position)
    assert render(found.words) == words
    assert (found.kind, found.start, found.end, found.takes) == (piece, start, end, takes)


@pytest.mark.parametrize("name", NAMES)
def test_every_first_move_has_a_brief(name: str) -> None:
    game = make(name)
    start = Match(game, game.start())
    matches = [start.play(move) for move in start.legal]
    for match in matches:
        for language in LANGUAGES:
            assert 0 < len(render(brief_of(match).words, language)) <= 24
