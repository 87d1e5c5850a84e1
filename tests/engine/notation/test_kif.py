"""KIF as people and programs write it: samples, encodings, drawn positions, and what is refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.game import Claim
from engine.games.shogi import Shogi, ShogiMove
from engine.notation import bod, kif
from engine.notation.shogi_record import ShogiRecordError
from tests.support.shogi_records import KIF, PLAYED, moves, result


def test_a_sample_is_read() -> None:
    record = kif.read(KIF)
    assert (moves(record), result(record)) == (PLAYED, "resign sente")
    assert record.moves[-1] == Claim(1, "resign")
    assert record.seconds == (16, 5, 62, 3, 10)
    assert dict(record.headers) == {
        "start": "2026/11/21 19:00:00",
        "event": "クラブ対局",
        "sente": "佐藤",
        "gote": "Bo Novák",
        "備考": "練習",
    }


def test_a_record_is_written_as_programs_expect_it() -> None:
    headers = {"sente": "佐藤", "event": "クラブ対局"}
    assert kif.write(replace(kif.read(KIF), headers=headers)) == (
        "手合割：平手\n"
        "先手：佐藤\n"
        "棋戦：クラブ対局\n"
        "手数----指手---------消費時間--\n"
        "   1 ７六歩(77)      ( 0:16/00:00:16)\n"
        "   2 ３四歩(33)      ( 0:05/00:00:05)\n"
        "   3 ２二角成(88)     ( 1:02/00:01:18)\n"
        "   4 同　銀(31)      ( 0:03/00:00:08)\n"
        "   5 ４五角打         ( 0:10/00:01:28)\n"
        "   6 投了\n"
        "まで5手で先手の勝ち\n"
    )


@pytest.mark.parametrize("encoding", ["utf-8", "shift_jis"])
def test_both_encodings_are_read_and_written(encoding: str) -> None:
    plain = KIF.replace("á", "a")
    record = kif.read(plain)
    data = kif.encode(kif.write(record), encoding)
    assert data.startswith(b"#KIF version=2.0 encoding=")
    assert kif.read(data) == record
    assert kif.read(plain.replace("\n", "\r\n").encode("cp932")) == record
    assert kif.read(b"\xef\xbb\xbf" + plain.encode()) == record


def test_what_shift_jis_lacks_is_named_with_its_line() -> None:
    with pytest.raises(ShogiRecordError, match="line 5: 'á' cannot be written in Shift-JIS"):
        kif.encode(kif.write(kif.read(KIF)).replace("先手：佐藤\n", ""), "shift_jis")


def test_bytes_of_neither_encoding_are_refused() -> None:
    with pytest.raises(ShogiRecordError, match="line 1: neither UTF-8 nor Shift-JIS"):
        kif.read(b"\x81\xff")


def test_handicap_games() -> None:
    text = "手合割：二枚落ち\n下手：弟子\n上手：師匠\n   1 ６二銀(71)\n   2 ７六歩(77)\n   3 中断\n"
    record = kif.read(text)
    assert record.start == kif.HANDICAPS["二枚落ち"]
    assert record.moves == (ShogiMove("7a6b"), ShogiMove("7g7f"))
    assert dict(record.headers) == {"sente": "弟子", "gote": "師匠"}
    assert record.outcome is None
    written = kif.write(record)
    assert written.startswith("手合割：二枚落ち\n下手：弟子\n上手：師匠\n")
    assert kif.read(written) == record


DRAWN = """\
後手の持駒：金　銀　桂　歩五
  ９ ８ ７ ６ ５ ４ ３ ２ １
+---------------------------+
|v香 ・ ・ ・ ・ ・ ・v桂v香|一
| ・ ・ ・ ・ ・ と ・v金v玉|二
| ・ ・v桂v歩 ・ 銀 ・ ・ ・|三
|v歩 ・v歩 ・ ・ ・ ・ 歩v歩|四
| ・ ・ ・ 歩 ・ ・ 銀v歩 ・|五
| ・ 歩 歩v角 ・ ・ 歩 ・ 歩|六
| 歩 ・ ・ ・ ・ ・ 金 銀 ・|七
| 飛 ・ ・ ・ ・ ・ ・ ・ ・|八
| 香 桂 ・ ・ ・ ・v角 玉 香|九
+---------------------------+
先手の持駒：飛　金
後手番
"""
MID = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1"


def test_a_drawn_position_is_read_and_written() -> None:
    record = kif.read(DRAWN)
    assert record.start == Shogi().parse_position(MID)
    assert "\n".join(bod.write(record.start)) + "\n" == DRAWN
    assert kif.write(record).startswith(DRAWN)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("手合割：三角落ち\n", "line 1: '三角落ち' is no handicap"),
        ("手合割：その他\n   1 ７六歩(77)\n", "line 2: 手合割 is その他, but no position is drawn"),
        ("   1 ７六歩(77)\n   3 ３四歩(33)\n", "line 2: move 3 where 2 is due"),
        ("   1 ７六歩(76)\n", r"line 1: '７六歩\(76\)' stays on its square"),
        ("   1 ７六歩(75)\n", "line 1: move '7e7f': No piece stands on 7e"),
        ("", "line 1: no line of a record in KIF"),
        ("hello\nthere\n", "line 2: no line of a record in KIF"),
        ("1 ７六歩(77)\n2 ３四歩(33)\n2 ８四歩(83)\n", "line 3: move 2 where 3 is due"),
        ("   1 ７六歩打(77)\n", "line 1: '７六歩打\\(77\\)' comes from no square"),
        ("   1 ７歩(77)\n", "line 1: .* is no move such as 1 ７六歩"),
        ("   1 同じ(77)\n", "line 1: .* is no move such as 1 ７六歩"),
        ("   1 ５八金\n", "line 1: '５八金': several pieces can go there"),
        ("   1 ７五歩\n", "line 1: '７五歩': no piece can go there"),
        ("   1 ７六歩様(77)\n", "line 1: '７六歩' is no move such as"),
        ("▲７六歩 ▲２六歩\n", "line 1: it is gote's turn, not that of '２六歩'"),
        ("   1 ７六金(77)\n", "line 1: 歩 stands on 77, not 金"),
        ("   1 ７五歩(77)\n", "line 1: move '7g7e': A pawn goes one step"),
        ("   1 ７六歩成(77)\n", "line 1: move '7g7f\\+': A piece promotes only"),
        ("   1 ５五歩打\n", "line 1: move 'P\\*5e': You have no such piece"),
        ("   1 ５五玉打\n", "line 1: '５五玉打' cannot be dropped"),
        ("   1 ５五と打\n", "line 1: '５五と打' cannot be dropped"),
        ("   1 同　歩(77)\n", "line 1: 同 needs a move before it"),
        ("   1 投了\n   2 ７六歩(77)\n", "line 2: .* after the end of the game"),
        (DRAWN.replace("|一", "|一\n| ・|"), r"line 5: '\| ・\|' is no row of nine squares"),
        (DRAWN.replace("v香 ・ ・", "v香 ・"), "is no row of nine squares"),
        (DRAWN.replace("v玉", "v王様"), "is no row of nine squares"),
        (DRAWN.replace("と", "X"), "line 5: 'X' is no piece"),
        (DRAWN.replace("| 飛 ・ ・ ・ ・ ・ ・ ・ ・|八\n", ""), "8 rows are drawn instead of 9"),
        (DRAWN.replace("飛　金", "飛　玉"), "line 14: '玉' cannot be in hand"),
        (DRAWN.replace("飛　金", "金五"), "line 14: '金五' is more than a set has"),
        (DRAWN.replace("先手の", "神様の"), "line 14: '神様' is none of the players"),
        (DRAWN.replace("歩五", "歩十八"), "line 15: board and hands: 31 pawns"),
    ],
)
def test_what_is_no_kif_is_refused_by_its_line(text: str, says: str) -> None:
    with pytest.raises(ShogiRecordError, match=says):
        kif.read(text)
