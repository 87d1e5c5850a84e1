"""Pieces that rock, pause, slide on, follow closely or are bumped, and trays that lag behind."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.session_parts import reader_of

SENSINGS = ("presence", "polarity")
BARE = ("hand",)
BARE = ("hand",)

# ---- pieces that rock, pause, slide on or are turned over


def test_a_piece_that_still_rocks_when_it_is_taken_was_put_down(timeline: Any) -> None:
    # The pole of the bishop that rocks on 5a says that it was promoted.
    board = timeline("shogi", sensing="polarity", position="8k/3s1B3/9/9/9/9/9/9/K8 b - 1")
    board.hands("1 4b-")
    for _ in range(5):
        board.hands("0.02 5a/ 0.02 5a-")
    board.hands("6b- 0.22 5a+ 0.16 hand.gote.B+").rest()
    assert board.moves == ["4b5a+", "6b5a"]


def test_a_piece_is_lifted_again_while_it_may_still_rock(timeline: Any) -> None:
    board = timeline("shogi", sensing="polarity", position="4k4/9/9/9/9/9/9/9/K7R w - 1")
    board.hands("1 5a- 0.3 1i- 0.1 4b+ 0.03 4b- 0.17 1h+ 0.2 5a+").rest()
    assert board.moves == ["5a4b", "1i1h", "4b5a"]


@pytest.mark.parametrize("sensing", SENSINGS)
def test_chatter_of_a_piece_that_leaves_is_not_the_next_one_coming(
    timeline: Any, sensing: str
) -> None:
    board = timeline("abalone", sensing)
    board.hands("1 c5- 0.008 c5+ 0.008 c5- 0.0 d6+ 0.04 b4- 0.024 c5+").rest()
    assert board.moves == ["b4c5"]


@pytest.mark.parametrize("sensing", SENSINGS)
@pytest.mark.parametrize("pause", [0.4, 0.8])
@pytest.mark.parametrize("waited", [0.6, 1.3, 3.0])
def test_a_player_who_pushes_one_by_one_begins_with_a_piece_of_the_last_player(
    timeline: Any, sensing: str, waited: float, pause: float
) -> None:
    board = timeline("abalone", sensing, "sssss/ssssss/ss5/8/3s5/8/2S1SSS/SSSSSS/SS1SS 0 0 w 0 1")
    turned = "/" if sensing == "polarity" else "+"  # white's pole
    board.hands(f"1 e4- d3{turned} {waited} d3- e3{turned}")
    board.hands(f"0.6 c3- {pause} d3+ {pause} b3- {pause} c3+").rest(25)
    # white may have gone on to e3, too, but rather not after so long
    assert "e4d3" in board.session.record[0].texts
    assert "e4e3" not in board.moves


CAPTURED_LATELY = (
    "1 B3- B2- 0.2 B2+ hand.A.C+ 1.5 A1- A2+ 1.5 B4- B3+ 1.5 C1- 0.4 B2- 0.2 B2+ 0.4 hand.B.C+ "
    "1 B3- 0.1 B3+ 1.5 B3- 0.4 C3+ 1.5 B2- 0.4 A3+ 1.5 hand.A.C- 0.5 A1+ 2 "
)


@pytest.mark.parametrize("sensing", SENSINGS)
@pytest.mark.parametrize("unsensed", [(), BARE])
def test_a_bystander_that_is_bumped_while_a_piece_comes_to_stand_was_not_taken(
    timeline: Any, sensing: str, unsensed: tuple[str, ...]
) -> None:
    board = timeline("robot-duel", sensing, unsensed=unsensed).hands(CAPTURED_LATELY)
    # A hand passes B3, where the piece was adjusted after the capture; its piece on B2 bumps A1.
    board.hands("B1- 0.36 B3+ 0.09 B3- 0.37 A1- 0.008 A1+ 0.002 B2+ 0.002 A1- 0.1 A1+").rest(0.6)
    assert board.moves[-2:] == ["C*A1", "B1B2"]


FUMBLED = ["1g", "3g", "5g", "9g", "1i", "2i", "4i", "6i", "9i"]


@pytest.mark.parametrize("sensing", SENSINGS)
def test_play_goes_on_after_much_that_nothing_explains(timeline: Any, sensing: str) -> None:
    board = timeline("shogi", sensing).rest(1)
    fumbled = " ".join(f"{place}- 0.08 {place}+ 0.12" for place in FUMBLED)
    board.hands(f"{fumbled} 7g- 7f+ 0.5 3c- 3d+ 0.5 2g- 2f+").rest(0.5)
    assert board.moves == ["7g7f", "3c3d", "2g2f"]


def test_a_piece_that_does_not_reach_its_tray_was_rather_not_captured(timeline: Any) -> None:
    board = timeline("robot-duel", "polarity", "1le/1L1/3/E2 b GgCc 1")
    board.hands("1 B2- 0.2 B1- 0.35 B1+ 0.4 C1- 0.11 C1+").rest(10)
    assert board.moves == ["B2B1"]
    assert not board.session.view.question.open


SLOW_TO_LET_GO = [
    ("robot-duel", "C3+ {} C4-", "C4C3"),
    ("shogi", "7f+ {} 7g-", "7g7f"),
    ("shogi", "3h+ {0} 2h- 0.3 4h+ {0} 3h- 0.3 5h+ {0} 4h-", "2h5h"),
    ("chaturaji", "c3+ {} b1-", "b1c3"),
    ("abalone", "d6+ {} c5-", "c5d6"),
    ("abalone", "d6+ {} b4-", "b4c5"),
]


@pytest.mark.parametrize("sensing", SENSINGS)
@pytest.mark.parametrize("late", [0.002, 0.05, 0.15, 0.35])
@pytest.mark.parametrize(("game", "acts", "move"), SLOW_TO_LET_GO)
def test_a_sensor_that_lets_go_after_the_piece_has_come(
    timeline: Any, sensing: str, game: str, acts: str, move: str, late: float
) -> None:
    board = timeline(game, sensing)
    if game == "chaturaji":
        board.throw(3)
    board.hands(f"1 {acts.format(late)}").rest()
    assert board.moves == [move]


# ---- rows in which each marble follows so closely that no sensor lets go between the two

ROWS = "sssss/5s/7/8/1SSs2SSs/3SSSss/7/6/SSS2 4 4 b 0 1"


@pytest.mark.parametrize("unsensed", [(), ("out",)])
def test_a_row_that_is_pushed_while_nothing_blinks(timeline: Any, unsensed: tuple[str]) -> None:
    board = timeline("abalone", "presence", ROWS, unsensed).hands("1 e2- 0.02 e5+").rest(1)
    assert board.moves == ["e2e3"]
    assert board.events == ["move"]


@pytest.mark.parametrize(("rear", "move"), [("e7", "e7e8"), ("d4", "d4d5")])
@pytest.mark.parametrize("unsensed", [(), ("out",)])
def test_a_marble_that_is_driven_off_while_nothing_blinks(
    timeline: Any, unsensed: tuple[str], rear: str, move: str
) -> None:
    board = timeline("abalone", "presence", ROWS, unsensed).hands(f"1 {rear}-").rest(1)
    assert board.moves == []  # it may be in a hand: a lift alone never plays anything
    board.hands("0.5 out.white+ 1 i5- 0.4 h4+").rest(1)
    assert board.moves == [move, "i5h4"]
    assert set(board.events) == {"move"}


@pytest.mark.parametrize("sensing", SENSINGS)
def test_the_first_marble_of_a_row_that_rocks_before_the_next_is_moved(
    timeline: Any, sensing: str
) -> None:
    board = timeline("abalone", sensing)
    board.hands("1 c5- 0.5 d6+ 0.1 d6- 0.03 d6+ 0.1 d6- 0.02 d6+ 0.35 b4- 0.5 c5+").rest(0.6)
    assert board.moves == ["b4c5"]


@pytest.mark.parametrize("sensing", SENSINGS)
def test_the_rear_marble_that_is_lifted_and_put_back(timeline: Any, sensing: str) -> None:
    board = timeline("abalone", sensing, ROWS, ("out",)).hands("1 e7- 3 e7+").rest()
    assert board.moves == []
    assert board.events == []


# ---- what cannot have been so, by the order in which it was seen


# ---- trays that were wrong before


@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_piece_goes_where_a_captured_one_was_parked(timeline: Any, sensing: str) -> None:
    board = timeline("robot-duel", sensing).hands("1 B3- 0.3 B2- 0.2 B2+ 2.9 A2+ 2.4 A2-")
    board.hands("0.04 A1- 0.43 A2+ 0.06 hand.A.C+").rest(2)
    assert board.moves == ["B3B2", "A1A2"]


@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_piece_that_goes_on_rocking_is_the_one_that_was_put(timeline: Any, sensing: str) -> None:
    rocks = "C3- 0.014 C3+ 0.014 C3- 0.014 C3+ 0.014 C3- 0.014 C3+"
    board = timeline("robot-duel", sensing).hands(f"1 C4- 0.6 C3+ 0.042 {rocks}").rest(0.25)
    assert board.moves == ["C4C3"]


@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_tray_from_which_a_piece_was_dropped_may_be_late_for_the_next(
    timeline: Any, sensing: str
) -> None:
    board = timeline("robot-duel", sensing, "gle/1c1/1L1/E1G b C 1")
    board.hands("1 hand.A.C- 0.4 C3+ 1.5 A1- 0.4 A2+").rest(1)
    board.hands("B3- 0.3 B2- 0.15 B2+ 3 hand.A.C+").rest(1)
    assert board.moves[-1] == "B3B2"
    assert "ask" not in board.events


def test_a_captured_piece_that_never_reached_its_tray_is_dropped(timeline: Any) -> None:
    board = timeline(sensing="polarity").hands("1 B3- B2- B2+").rest(2).hands("A1- A2+").rest(2)
    board.hands("C2+").rest(2)
    assert board.moves == ["B3B2", "A1A2", "C*C2"]
    assert "ask" not in board.events


@pytest.mark.parametrize("sensing", SENSINGS)
@pytest.mark.parametrize("thought", [0.0, 20.0])
def test_a_move_is_read_after_many_pieces_were_straightened(
    timeline: Any, sensing: str, thought: float
) -> None:
    board = timeline("shogi", sensing).hands("1 7g- 0.3 7f+").rest(1)
    for cell in ["9g", "8g", "6g", "5g", "4g", "3g", "2g", "1g", "8h", "2h", "5i", "7f"] * 2:
        board.hands(f"{cell}- 0.2 {cell}+").rest(0.8)
    board.rest(thought).hands("2g- 0.2 2g+").rest(thought).hands("3c- 0.3 3d+").rest()
    assert board.moves == ["7g7f", "3c3d"]


@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_piece_that_is_straightened_while_the_other_moves_is_odd_but_once(
    timeline: Any, sensing: str
) -> None:
    board = timeline(sensing=sensing).hands("1 C4- 0.05 B3- 0.15 B2- 0.08 B2+ 0.05 C4+").rest(0.1)
    line, unexplained = reader_of(board.session).likeliest
    assert line.match.text == "B3B2"
    assert unexplained == pytest.approx(0.65, abs=0.1)  # … while the captive has not come yet


@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_piece_that_is_bumped_into_when_another_is_put_down_need_not_have_been_taken(
    timeline: Any, sensing: str
) -> None:
    board = timeline(sensing=sensing, position="1Ce/3/1lG/E1L w CG 1", unsensed=BARE)
    board.hands("1 B3- 0.8 C4- 0.31 C3- 0.008 C4+ 0.017 C3+").rest()
    assert board.asked == [{"B3C3", "B3C4"}]


@pytest.mark.parametrize("pause", [0.45, 1.5, 2.5])
@pytest.mark.parametrize(
    ("game", "piece", "next_piece", "moves"),
    [
        ("robot-duel", "C3+ {} C4-", "A1- 0.4 A2+", ["C4C3", "A1A2"]),
        ("shogi", "7f+ {} 7g-", "3c- 0.4 3d+", ["7g7f", "3c3d"]),
        ("abalone", "d4+ {} a1-", "i9- 0.4 f6+", ["a1b2", "i9h8"]),
    ],
)
def test_a_hand_pauses_where_two_sensors_see_the_piece_that_it_slides(
    timeline: Any, game: str, piece: str, next_piece: str, moves: list[str], pause: float
) -> None:
    board = timeline(game).hands(f"1 {piece.format(pause)} 1 {next_piece}").rest()
    assert board.moves == moves
    assert not board.asked


@pytest.mark.parametrize("sensing", SENSINGS)
def test_play_goes_on_after_what_seemed_to_be_the_end_for_a_moment(
    timeline: Any, sensing: str
) -> None:
    """The lion is bumped into when another piece is lifted that might have taken it."""
    board = timeline("robot-duel", sensing, "3/1G1/Cl1/L1g b eEc 1").hands("1 B3- 0 B2- 0.028")
    board.hands("B3+ 0.43 A2+ 1.3 C4- 0.7 C3+ 0.48 C3- 0.31 C3+ 0.14 C3- 0.42 B4+").rest(0.5)
    assert board.moves == ["B2A2", "C4B4"]


def test_a_piece_from_the_hand_is_held_over_where_it_may_not_be_dropped(timeline: Any) -> None:
    # Two pawns in a file are not allowed: that is where the silver came from.
    board = timeline("shogi", position="4k4/9/9/9/6s2/9/9/6P2/4K4 w P 1", unsensed=("hand",))
    board.hands("1 3e- 0.6 3f+").rest()
    board.hands("3e+ 0.55 3e- 0.4 4d+ 0.1 4d- 0.02 4d+").rest()
    assert board.moves == ["3e3f", "P*4d"]
    assert "fault" not in board.events


@pytest.mark.parametrize("reply", [0.3, 1.0])
def test_a_row_moved_piece_by_piece_is_moved_back_after_the_next_move(
    timeline: Any, reply: float
) -> None:
    """A piece that stood there while the next move was made was there, too."""
    pieces = "1sss1/s2sss/ss1s2s/1s6/1ssS5/3S2S1/S1SS1S1/2SSSS/SSS2 0 0 b 0 1"
    board = timeline("abalone", "presence", pieces)
    board.hands("1 a3- 0.3 a4+ 0.006 a4- 0.085 a4+ 0.06 a4- 0.08 a4+ 0.39 a2- 0.62 a3+")
    board.rest(reply).hands("e4- 0.7 e5+ 0.24 e2- 0.22 e4+ 0.62 a3- 0.24 a2+ 0.036 a2- 0.01 a2+")
    board.hands("0.4 a4- 0.33 a3+").rest(1).hands("f3- 0.03 f4+ 0.02 g4- 0.02 g5+").rest(3)
    assert board.moves == ["a2a3", "e2e3", "a4a3", "f3g4f4"]
    assert not board.asked


# ---- a piece that had been put is moved on before the other player begins


@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_piece_that_pauses_and_goes_on_is_no_drop_beside_it(timeline: Any, sensing: str) -> None:
    # The first player has a chick in hand, and it might have come to C1 while B2 is in the hand.
    board = timeline(sensing=sensing, position="1l1/3/3/GL1 w CCGEE 1", unsensed=BARE)
    board.hands("1 B1- 0.3 B2+ 1 B2- 0.33 C1+").rest(2.5)
    assert board.moves == ["B1C1"]
    board.hands("A4- 0.3 A3+").rest()
    assert board.moves == ["B1C1", "A4A3"]


@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_piece_that_slides_on_is_no_drop_where_it_comes_to_stand(
    timeline: Any, sensing: str
) -> None:
    # The other player has a piece in hand that might have come to A3, to be taken there from B2.
    board = timeline(sensing=sensing, position="g2/l2/2E/L2 w GECc 1", unsensed=BARE)
    board.hands("1 A2- 0.2 B2+ 1.1 B2- 0.12 A3+ 0.08 A3- 0.06 A3+ 1 A3- 0.2 A3+").rest()
    assert board.moves == ["A2A3"]


@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_player_who_lifts_the_piece_again_before_the_other_moves_goes_on_with_it(
    timeline: Any, sensing: str
) -> None:
    # The knight comes down beside its target, as the one that is dropped next does.
    position = "4k4/9/2n6/9/9/9/9/9/4K4 w N 1"
    board = timeline("shogi", sensing, position, BARE)
    board.hands("1 7c- 0.51 8e+ 0.54 8e- 0.26 6e+ 5 8f+ 0.3 8f- 0.33 7g+").rest()
    assert board.moves == ["7c6e", "N*7g"]
