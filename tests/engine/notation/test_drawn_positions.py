"""Drawn positions in records of Shogi: the parts that are read, and the notes."""

from __future__ import annotations

import pytest

from engine.games.shogi import Shogi
from engine.notation import csa, kif, usi
from engine.notation.shogi_record import ShogiRecordError
from tests.support.shogi_records import BOARD, DRAWN, moves, result


@pytest.mark.parametrize(
    ("hand", "packed"),
    [
        ("飛　金二　歩十二", "R2G12P"),
        ("飛 金二 歩十二 ", "R2G12P"),
        ("飛金二歩十二", "R2G12P"),
        ("飛,金2,歩12", "R2G12P"),
        ("飛、金２、歩１２", "R2G12P"),
        ("飛1枚 金2枚 歩12枚", "R2G12P"),
        ("飛車　金将二", "R2G"),
        ("銀 銀 歩歩歩", "2S3P"),
        ("歩十六", "16P"),
        ("歩十", "10P"),
        ("なし", "-"),
        ("無し", "-"),
        ("", "-"),
        ("残り全部", "2R2B4G4S4N4L16P"),
    ],
)
@pytest.mark.parametrize(
    "key", ["先手の持駒：", "下手の持ち駒:", "先手持駒：", "持駒：", "攻方の持駒："]
)
def test_hands_however_they_are_parted(hand: str, packed: str, key: str) -> None:
    text = DRAWN.replace("先手の持駒：飛　金", key + hand)
    assert Shogi().position_text(kif.read(text).start).split()[2] == packed


def test_hands_missing_or_given_twice() -> None:
    shogi = Shogi()
    bare = DRAWN.replace("先手の持駒：飛　金\n", "").replace("後手の持駒：なし\n", "")
    assert shogi.position_text(kif.read(bare).start) == f"{BOARD} b - 1"
    for before, after in (("飛　金", "飛金"), ("なし", "飛　金"), ("飛　金", "")):
        twice = f"先手の持駒：{before}\n{bare}先手の持駒：{after}\n"
        assert shogi.position_text(kif.read(twice).start) == f"{BOARD} b RG 1"
    with pytest.raises(ShogiRecordError, match="line 14: '金', but that hand was given before"):
        kif.read(f"先手の持駒：飛\n{bare}先手の持駒：金\n")


@pytest.mark.parametrize(
    "row",
    [
        "|・・・・・・・・v歩|二",
        "| ・ ・ ・ ・ ・ ・ ・ ・v歩|",
        "| ・ ・ ・ ・ ・ ・ ・ ・v歩",
        "｜ ・ ・ ・ ・ ・ ・ ・ ・ｖ歩｜二",
        "|^・ . . . . . . . V歩|2",
    ],
)
def test_rows_however_they_are_drawn(row: str) -> None:
    text = DRAWN.replace("| ・ ・ ・ ・ ・ ・ ・ ・v歩|二", row)
    assert Shogi().position_text(kif.read(text).start) == f"{BOARD} b RG 1"


def test_a_board_drawn_upside_down_is_refused() -> None:
    lines = DRAWN.splitlines()
    lines[3:12] = reversed(lines[3:12])
    with pytest.raises(
        ShogiRecordError, match="line 14: the board is drawn with row 九 where row 一"
    ):
        kif.read("\n".join(lines))


PROBLEM = DRAWN.replace("| 玉", "| ・")


def test_a_problem_with_one_king_is_read_and_written() -> None:
    record = kif.read(f"手合割：詰将棋\n{PROBLEM}   1 ２二金打\n   2 詰み\n")
    board = "8k/8p/7P1/9/9/9/9/9/9"
    assert Shogi().position_text(record.start) == f"{board} b RG 1"
    assert (moves(record), result(record)) == ("G*2b", "mate sente")
    for notation in (kif, csa, usi):
        assert notation.read(notation.write(record)) == record
    assert usi.read(f"sfen {board} b RG 1 moves G*2b") == record


def test_in_a_problem_the_defender_answers() -> None:
    start = "7n1/6gk1/6gpN/9/9/6b1P/9/9/9 b 2R2Gb4s2n4l16p 1"
    line = "1c2a+ 2b2a N*1c 2a2b G*1b 2b1b R*1a 1b1a G*2a 1a1b R*1a"
    record = usi.read(f"position sfen {start} moves {line}")
    assert (moves(record), result(record)) == (line, "mate sente")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("8k/9/9/9/9/9/9/9/9 w RG 1", "sente has no king"),
        ("9/9/9/9/9/9/9/9/K8 b RG 1", "gote has no king"),
        ("9/9/9/9/9/9/9/9/9 b RG 1", "gote has no king"),
        ("8k/8R/9/9/9/9/9/9/9 b - 1", "gote's king is in check"),
    ],
)
def test_only_the_attacker_may_have_no_king(text: str, says: str) -> None:
    with pytest.raises(ShogiRecordError, match=f"line 1: .*{says}"):
        usi.read(f"sfen {text}")
