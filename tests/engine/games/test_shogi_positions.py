"""Texts of Shogi positions: what is read, what is refused and why."""

from __future__ import annotations

import pytest

from engine.game import Claim, Outcome, PositionError
from engine.games.shogi import Shogi, ShogiPosition

START = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL"
BARE = "4k4/9/9/9/9/9/9/9/4K4"


def test_the_start_reads_as_everywhere() -> None:
    shogi = Shogi()
    assert shogi.position_text(shogi.start()) == f"{START} b - 1"
    assert repr(shogi.start()) == f"Position('{START} b - 1')"
    pieces = shogi.pieces(shogi.start())
    assert {p: (pieces[p].owner, pieces[p].kind) for p in ("8h", "2h", "5i", "8b", "2b", "1a")} == {
        "8h": (0, "B"),
        "2h": (0, "R"),
        "5i": (0, "K"),
        "8b": (1, "R"),
        "2b": (1, "B"),
        "1a": (1, "L"),
    }
    assert len(pieces) == 40


@pytest.mark.parametrize(
    ("given", "written"),
    [
        (f"{BARE} b - 37", f"{BARE} b - 1"),
        (f"{BARE} w 1P3p2LRb", f"{BARE} w R2LPb3p 1"),
        (f"{BARE} b 18P", f"{BARE} b 18P 1"),
        (f"  {START}  b -  1 ", f"{START} b - 1"),
        ("4k4/1+R5+b1/9/9/9/9/9/9/4K4 b - 1", "4k4/1+R5+b1/9/9/9/9/9/9/4K4 b - 1"),
        ("4k4/9/9/9/9/9/9/9/4K4 b R4G4S4N4L18Prb 1", None),
    ],
)
def test_texts_are_read_and_written_one_way(given: str, written: str | None) -> None:
    shogi = Shogi()
    position = shogi.parse_position(given)
    text = shogi.position_text(position)
    assert text == (written or given)
    assert shogi.parse_position(text) == position


def test_what_was_said_is_in_the_text() -> None:
    shogi = Shogi({"allow_draw_offer": True})
    start = shogi.start()
    offered = shogi.play(start, Claim(1, "draw?"))
    assert shogi.position_text(offered) == f"{START} b - 1 asked:gote:draw?"
    agreed = shogi.play(offered, Claim(0, "agree"))
    assert shogi.position_text(agreed) == f"{START} b - 1 ended:agreement:-"
    counted = Outcome(frozenset({1}), "jishogi", (23, 31))
    text = shogi.position_text(start._replace(ended=counted))
    assert text == f"{START} b - 1 ended:jishogi:gote:23,31"
    assert shogi.outcome(shogi.parse_position(text)) == counted


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "expected board"),
        (f"{BARE}", "expected board"),
        (f"{BARE} b", "expected board"),
        ("9/9/9 b - 1", "3 rows instead of 9"),
        ("4k4/9/9/9/9/9/9/9/4K4/9 b - 1", "10 rows instead of 9"),
        ("4k4/9/9/8/9/9/9/9/4K4 b - 1", "row d has 8 squares instead of 9"),
        ("4k4/9/9/91/9/9/9/9/4K4 b - 1", "row d has 10 squares instead of 9"),
        ("4k4/9/9/4X4/9/9/9/9/4K4 b - 1", "'X' in row d is no piece"),
        ("4k4/9/9/4+G4/9/9/9/9/4K4 b - 1", r"'\+G' in row d is no piece"),
        ("4k4/9/9/4+K4/9/9/9/9/4K4 b - 1", r"'\+K' in row d is no piece"),
        ("4k4/9/9/4++P4/9/9/9/9/4K4 b - 1", "in row d is no piece"),
        ("4k4/9/9/8+/9/9/9/9/4K4 b - 1", r"'\+' in row d is no piece"),
        ("4k4/9/9/09/9/9/9/9/4K4 b - 1", "'0' in row d is no piece"),
        ("4k4/9/9/²7/9/9/9/9/4K4 b - 1", "in row d is no piece"),
        (f"{BARE} x - 1", "side to move 'x': expected b or w"),
        (f"{BARE} b P- 1", "hands 'P-': expected"),
        (f"{BARE} b K 1", "hands 'K': 'K' cannot be in hand"),
        (f"{BARE} b X 1", "hands 'X': 'X' cannot be in hand"),
        (f"{BARE} b 0P 1", "hands '0P': expected"),
        (f"{BARE} b P2P 1", "hands 'P2P': 'P' is named twice"),
        (f"{BARE} b 19P 1", "19 pawns, but a set has 18"),
        (f"{BARE} b 3R 1", "3 rooks, but a set has 2"),
        (f"{BARE} b - 0", "move number '0'"),
        (f"{BARE} b - one", "move number 'one'"),
        (f"{BARE} b - 1 later", "field 'later'"),
        (f"{BARE} b - 1 ended:mate:gote", "field 'ended:mate:gote'"),
        (f"{BARE} b - 1 ended:flag:north", "field 'ended:flag:north'"),
        (f"{BARE} b - 1 asked:gote:more", "field 'asked:gote:more'"),
        (f"{BARE} b - 1 asked:gote:draw?", "allow_draw_offer = false"),
        ("4k4/9/9/9/9/9/9/9/3KK4 b - 1", "sente has 2 kings instead of 1"),
        ("4k4/9/9/9/9/9/9/9/9 b - 1", "sente has no king"),
        ("9/9/9/9/9/9/9/9/4K4 w - 1", "gote has no king"),
        ("4k4/9/9/9/9/9/PPPPPPPPP/9/4K4 b 9Pp 1", "19 pawns, but a set has 18"),
        ("4k4/9/9/9/+P8/9/PPPPPPPPP/9/4K4 b 9P 1", "19 pawns, but a set has 18"),
        ("4k4/9/9/ggggg4/9/9/9/9/4K4 b - 1", "5 golds, but a set has 4"),
        ("4k4/9/9/9/P8/9/P8/9/4K4 b - 1", "sente has two pawns on file 9"),
        ("4k4/9/8p/9/9/8p/9/9/4K4 b - 1", "gote has two pawns on file 1"),
        ("P3k4/9/9/9/9/9/9/9/4K4 b - 1", "sente's pawn on 9a could never move"),
        ("4k3L/9/9/9/9/9/9/9/4K4 b - 1", "sente's lance on 1a could never move"),
        ("4k4/7N1/9/9/9/9/9/9/4K4 b - 1", "sente's knight on 2b could never move"),
        ("4k4/9/9/9/9/9/9/n8/4K4 b - 1", "gote's knight on 9h could never move"),
        ("4k4/9/9/9/4R4/9/9/9/4K4 b - 1", "gote's king is in check, but it is sente's turn"),
        ("4k4/9/9/9/9/9/9/4K4/9 w p 1 ended", "field 'ended'"),
        ("4k4/9/9/9/9/9/9/4p4/4K4 w - 1", "sente's king is in check, but it is gote's turn"),
    ],
)
def test_what_is_no_position_is_refused_by_the_field(text: str, says: str) -> None:
    with pytest.raises(PositionError, match=says):
        Shogi().parse_position(text)


def test_two_pawns_of_different_sides_or_a_tokin_may_share_a_file() -> None:
    Shogi().parse_position("4k4/9/4p4/9/4+P4/9/4P4/9/4K4 b - 1")


def test_where_a_king_can_be_taken_more_is_possible() -> None:
    shogi = Shogi({"illegal_move": "king_capture"})
    checked = shogi.parse_position("4k4/9/9/9/4R4/9/9/9/4K4 b - 1")
    assert shogi.outcome(checked) is None
    gone = shogi.parse_position("9/9/9/9/4R4/9/9/9/4K4 w - 1")
    assert shogi.outcome(gone) == Outcome(frozenset({0}), "king-captured")
    with pytest.raises(PositionError, match="gote has no king"):
        shogi.parse_position("9/9/9/9/4R4/9/9/9/4K4 b - 1")


def test_the_attacker_of_a_problem_needs_no_king() -> None:
    shogi = Shogi()
    with pytest.raises(PositionError, match="sente has no king"):
        shogi.parse_position("4k4/9/4P4/9/9/9/9/9/9 b G 1")
    position = shogi.parse_problem("4k4/9/4P4/9/9/9/9/9/9 b G 1")
    moves = {move.text for move in shogi.legal(position)}
    assert len(moves) == 1 + 1 + 79  # the pawn's step and its promotion, and the gold on any square
    mated = shogi.play(position, shogi.parse_move(position, "G*5b"))
    assert shogi.outcome(mated) == Outcome(frozenset({0}), "mate")
    assert shogi.threats(position) == ()
    bare = shogi.parse_problem("4k4/9/9/9/9/9/9/9/9 b - 1")
    assert shogi.outcome(bare) == Outcome(frozenset({1}), "no-move")
    for text, says in (
        ("9/9/9/9/9/9/9/9/4K4 b - 1", "gote has no king"),
        ("4k4/9/9/9/9/9/9/9/9 w - 1", "sente has no king"),
        ("4k4/4G4/9/9/9/9/9/9/9 b - 1", "gote's king is in check"),
    ):
        with pytest.raises(PositionError, match=says):
            shogi.parse_problem(text)


@pytest.mark.parametrize(
    "text", ["4k4/9/9/9/P8/9/P8/9/4K4 b - 1", "4k4/9/9/9/9/9/9/9/4K3p b 2RL 1"]
)
def test_problems_for_show_have_pieces_that_no_game_could_put_there(text: str) -> None:
    shogi = Shogi()
    with pytest.raises(PositionError, match=r"two pawns on file 9|gote's pawn on 1i could never"):
        shogi.parse_position(text)
    position = shogi.parse_problem(text)
    for move in shogi.legal(position):
        shogi.legal(shogi.play(position, move))


def test_the_defender_of_a_problem_may_drop_pawns_anywhere() -> None:
    shogi = Shogi()
    position = shogi.parse_problem("k8/9/9/9/9/9/9/9/7R1 b p 1")
    position = shogi.play(position, shogi.parse_move(position, "2i3i"))
    drops = [move for move in shogi.legal(position) if move.drop]
    assert {"P*9h", "P*1h", "P*5b"} <= {move.text for move in drops}
    assert len(drops) == 72 - 1  # nowhere on the last rank, nor on the king's square


def test_positions_are_equal_when_they_mean_the_same() -> None:
    shogi = Shogi()
    one = shogi.parse_position(f"{BARE} b R2P 1")
    two = shogi.parse_position(f"{BARE} b 2PR 12")
    assert one == two
    assert hash(one) == hash(two)
    assert one != shogi.parse_position(f"{BARE} b R3P 1")
    assert one != shogi.parse_position(f"{BARE} w R2P 1")
    assert isinstance(one, ShogiPosition)
