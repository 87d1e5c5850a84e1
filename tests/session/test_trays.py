"""What trays tell of hands: a captive lies in its tray sooner or later, or is dropped."""

from __future__ import annotations

from typing import Any

import pytest

SENSINGS = ("presence", "polarity")
A_CHICK_IN_HAND = "gle/1c1/1L1/E1G b C 1"


# ---- trays that are late


@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_tray_from_which_a_piece_was_dropped_may_be_late_for_many_plies(
    timeline: Any, sensing: str
) -> None:
    board = timeline("robot-duel", sensing, A_CHICK_IN_HAND)
    board.hands("1 hand.A.C- 0.4 C3+ 1.5 A1- 0.4 A2+").rest(1)
    board.hands("B3- 0.3 B2- 0.15 B2+").rest(1).hands("B1- 0.4 C2+").rest(1)
    board.hands("A4- 0.4 B3+").rest(1)
    assert board.moves[2:] == ["B3B2", "B1C2", "A4B3"]


@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_piece_that_was_kept_in_hand_is_dropped_though_another_was_from_the_tray(
    timeline: Any, sensing: str
) -> None:
    board = timeline("robot-duel", sensing, A_CHICK_IN_HAND)
    board.hands("1 hand.A.C- 0.4 C3+ 1.5 A1- 0.4 A2+").rest(1)
    board.hands("B3- 0.3 B2- 0.15 B2+").rest(1).hands("B1- 0.4 C2+").rest(1)
    board.hands("B3+").rest(1)
    assert board.moves[2:] == ["B3B2", "B1C2", "C*B3"]


@pytest.mark.parametrize("sensing", SENSINGS)
def test_trays_that_were_late_before_cast_no_doubt_on_what_is_played(
    timeline: Any, sensing: str
) -> None:
    board = timeline("robot-duel", sensing).hands("1 B3- 0.3 B2- 0.3 B2+").rest(2.4)
    board.hands("B2- 0.45 B1- 0.6 B2+").rest(4.6)
    board.hands("B4- 0.6 C3+ 0.68 C3- 0.64 A3+ 0.73 hand.A.C+").rest(4)
    assert board.moves == ["B3B2", "B1B2", "B4A3"]
    assert not {"ask", "fault"} & set(board.events)


# ---- who is dropped


@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_piece_that_stood_parked_while_the_other_moved_is_not_dropped_from_there(
    timeline: Any, sensing: str
) -> None:
    # The lion might have taken on B2, and its captive have been parked on A2 until he is dropped.
    board = timeline("robot-duel", sensing).hands("1 B3- 0.3 B2- 0.2 B2+ 0.4 hand.A.C+").rest(2)
    board.hands("B1- 0.4 B2- 0.03 B2+ 0.2 A2+ 1.2 C4- 0.4 C3+ 1.5 A2- 0.5 A3+").rest(3)
    assert board.moves == ["B3B2", "B1A2", "C4C3", "A2A3"]
    assert "ask" not in board.events


@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_player_who_puts_a_captive_into_the_tray_has_taken_nobody_from_there(
    timeline: Any, sensing: str
) -> None:
    # A has kept both captives, and puts the chick away before the giraffe is dropped.
    board = timeline("robot-duel", sensing, "1le/gc1/LC1/E1G b - 1")
    board.hands("1 B3- 0.3 B2- 0.2 B2+").rest(2).hands("B1- 0.4 C2+").rest(2)
    board.hands("A3- 0.3 A2- 0.2 A2+").rest(2).hands("C2- 0.4 C3+").rest(1)
    board.hands("hand.A.C+ 0.3 B3+ 0.1 C3- 0.1 C2+ 0.4 hand.A.C- 0.13 A3+").rest(3)
    assert board.moves[4:] == ["G*B3", "C3C2", "C*A3"]
    assert "ask" not in board.events


@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_player_who_takes_a_piece_from_a_tray_is_about_to_drop_it(
    timeline: Any, sensing: str
) -> None:
    # The lion on A2 might have gone to B3, where A takes it; then the tray never held a piece.
    board = timeline("robot-duel", sensing, "gCe/lC1/3/ELG w - 1")
    board.hands("1 A2- 0.57 B2- 0.28 B2+ 0.26 hand.B.C+ 0.3 B2- 0.17 B2+ 0.35 A4- 0.22 B2- 0.1")
    board.hands("B2+ 0.12 B3+ 0.04 B3- 0.03 B3+ 2.6 hand.B.C- 0.22 B3- 0.1 B3+").rest(1)
    assert board.moves == ["A2B2", "A4B3"]
    assert "ask" not in board.events


# ---- who was captured


@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_piece_that_lay_in_a_tray_is_remembered_when_it_is_taken_out(
    timeline: Any, sensing: str
) -> None:
    board = timeline(sensing=sensing).hands("1 B3- 0.3 B2- 0.3 B2+ 0.5 hand.A.C+ 1 B1- 0.5 C2+")
    # B takes on B2 between two looks, and brushes B3 on his way; later both are brushed.
    board.hands("1 A4- 0.5 B3+ 2 C2- 0.24 B3- 0.06 B3+ 0.7 hand.B.C+ 1.35 hand.A.C- 0.15 B2-")
    board.hands("0.08 B2+ 0.2 A2+ 0.55 hand.B.C- 0.17 B3- 0.08 B3+ 0.4 C2+").rest()
    assert board.moves == ["B3B2", "B1C2", "A4B3", "C2B2", "C*A2", "C*C2"]


def test_a_piece_that_was_taken_from_a_tray_long_since_would_have_been_put_down(
    timeline: Any,
) -> None:
    board = timeline(sensing="polarity").hands(
        "0.1 B3- 0.01 B2- 0.08 B2+ 0.15 B1- 0.08 B2- 0.04 B2+"
    )
    board.hands("0.24 hand.B.C+ 0.01 hand.A.C+ 0.06 hand.A.C- 0.14 B3+ 0.11 hand.B.C- 0.13 C2+")
    # A takes once more, brushes B4, and parks the captive on A2.
    board.hands("0.03 C2- 0.01 C2+ 0.13 B3- 0.03 B4- 0.07 B2- 0.01 B4+ 0.04 B2+ 0.04 A2+ 0.5 A2-")
    board.rest(4)
    assert board.moves == ["B3B2", "B1B2", "C*B3", "C*C2", "B3B2"]
