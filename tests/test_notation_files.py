"""Records as real programs write them: what is read all the same, and what is noted."""

from __future__ import annotations

from decimal import Decimal
from types import ModuleType

import pytest

from engine.game import Outcome
from engine.games.shogi import Move, Shogi
from engine.notation import bod, csa, kif, usi
from engine.notation.shogi_record import Record, RecordError

START = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"
TWO = "   1 ７六歩(77)   ( 0:05/00:00:05)\n   2 ３四歩(33)   ( 0:02/00:00:02)\n"


def moves(record: Record) -> str:
    return " ".join(move.text for move in record.moves if isinstance(move, Move))


def notes(record: Record) -> list[str]:
    return [str(note) for note in record.notes]


def result(record: Record) -> str:
    outcome = record.outcome
    if outcome is None:
        return "none"
    winner = [record.game.seats[seat] for seat in outcome.winners] or ["-"]
    return f"{outcome.reason} {winner[0]}"


# ---- KIF: lines and headers


@pytest.mark.parametrize(
    "line",
    ["盤面回転", "盤面反転", "hello", "<html>", "2024/07/17 東京", "10 minutes", "先後入替"],
)
def test_a_line_that_is_not_understood_is_passed_over_and_noted(line: str) -> None:
    for text, number in ((f"手合割：平手\n{line}\n{TWO}", 2), (f"{TWO}{line}\n   3 投了\n", 3)):
        record = kif.read(text)
        assert moves(record) == "7g7f 3c3d"
        assert notes(record) == [f"line {number}: {line!r} is passed over"]


@pytest.mark.parametrize(
    "line", ["# remark", "*解説", "**対局 評価値 35 ▲２二角成", "&しおり", "＊解説", "  * 感想", ""]
)
def test_comments_of_any_style_are_no_news(line: str) -> None:
    record = kif.read(f"{line}\n手合割：平手\n{line}\n{TWO}{line}\n   3 投了\n{line}\n")
    assert (moves(record), notes(record)) == ("7g7f 3c3d", [])


def test_headers_among_the_moves_are_taken_if_they_are_known_and_new() -> None:
    record = kif.read(f"先手：甲\n{TWO}終了日時：2024/07/18\n先手：乙\n例：これ\n   3 投了\n")
    assert dict(record.headers) == {"sente": "甲", "end": "2024/07/18"}
    assert notes(record) == [
        "line 5: '先手：乙' is passed over",
        "line 6: '例：これ' is passed over",
    ]


DRAWN = """\
後手の持駒：なし
  ９ ８ ７ ６ ５ ４ ３ ２ １
+---------------------------+
| ・ ・ ・ ・ ・ ・ ・ ・v玉|一
| ・ ・ ・ ・ ・ ・ ・ ・v歩|二
| ・ ・ ・ ・ ・ ・ ・ 歩 ・|三
| ・ ・ ・ ・ ・ ・ ・ ・ ・|四
| ・ ・ ・ ・ ・ ・ ・ ・ ・|五
| ・ ・ ・ ・ ・ ・ ・ ・ ・|六
| ・ ・ ・ ・ ・ ・ ・ ・ ・|七
| ・ ・ ・ ・ ・ ・ ・ ・ ・|八
| 玉 ・ ・ ・ ・ ・ ・ ・ ・|九
+---------------------------+
先手の持駒：飛　金
"""
BOARD = "8k/8p/7P1/9/9/9/9/9/K8"


@pytest.mark.parametrize("name", ["詰将棋", "必死", "平手", "二枚落ち", ""])
def test_where_a_position_is_drawn_the_handicap_decides_nothing(name: str) -> None:
    record = kif.read(f"手合割：{name}\n{DRAWN}   1 ２二金打\n   2 詰み\n")
    assert Shogi().position_text(record.start) == f"{BOARD} b RG 1"
    assert result(record) == "mate sente"


@pytest.mark.parametrize(
    ("name", "usual"),
    [
        ("２枚落ち", "二枚落ち"),
        ("2枚落", "二枚落ち"),
        ("角落", "角落ち"),
        ("飛落", "飛車落ち"),
        ("左香落ち", "香落ち"),
        ("10枚落ち", "十枚落ち"),
        ("", "平手"),
    ],
)
def test_handicaps_by_other_names(name: str, usual: str) -> None:
    assert kif.read(f"手合割：{name}\u3000\u3000\n").start == kif.HANDICAPS[usual]


def test_a_handicap_drawn_without_a_word_is_the_turn_of_the_upper_hand() -> None:
    start = kif.HANDICAPS["二枚落ち"]
    drawn = "\n".join(bod.write(start)).replace("後手番", "")
    assert kif.read(f"手合割：二枚落ち\n{drawn}\n").start == start
    assert kif.read(f"{drawn}\n").start.turn == 0


# ---- KIF: moves


@pytest.mark.parametrize(
    "line",
    [
        "1 ▲７六歩(77)",
        "1７六歩(77)",
        "1７６歩(77)",
        "176歩(77)",
        "７六歩(77)",
        "1手 ７六歩(77)",
        "１ ７六歩（７７）",
        "1. ７六歩 (77)",
        "1\t７六歩\u3000(77)",
        "1 ７六歩(7七)",
        "1 ７六歩(77)+",
        "1 ７六歩(77) ( 0:05)",
        "1 ７六歩(77) ( 0:05/00:00:05)+",
        "1 ７六歩(77)（０：０５／００：００：０５）",
        "1 ７六歩(77) [0:05/0:0:5]",
        "1 ７六歩(77) ( 0:00/00:00:00) ( 0:00/00:00:00)",
        "1 ７六歩不成(77)",
        "1 ７六歩直(77)",
        "1 ７六歩",
        "▲７六歩",
        "☗7六歩",
        "1 ７六歩兵(77)",
        "1 ７六歩(77)\x0b\x0c\x1a",
    ],
)
def test_a_move_is_found_in_whatever_stands_around_it(line: str) -> None:
    record = kif.read(line + "\n")
    assert (moves(record), notes(record)) == ("7g7f", [])


@pytest.mark.parametrize(
    ("time", "seconds"),
    [
        ("( 0:05/00:00:05)", 5),
        ("( 1:02/)", 62),
        ("(12:34)", 754),
        ("(1:02:03/01:02:03)", 3723),
        ("[00:05/0:0:5]", 5),
        ("（１：０５／００：０１：０５）", 65),
        ("(0:05.25/00:00:05)", Decimal("5.25")),
        ("( 0:05", 5),
    ],
)
def test_times_are_found_in_any_brackets(time: str, seconds: int | Decimal) -> None:
    assert kif.read(f"   1 ７六歩(77) {time}\n").seconds == (seconds,)


def test_text_after_a_move_is_noted() -> None:
    record = kif.read("   1 ７六歩(77) ( 0:05/00:00:05) 好手 (x\n")
    assert (moves(record), record.seconds) == ("7g7f", (5,))
    assert notes(record) == ["line 1: '好手 (x' is passed over"]


@pytest.mark.parametrize("drop", ["６五角打(00)", "６五角打", "６五角(00)", "６五角行打", "６五角"])
def test_drops(drop: str) -> None:
    text = f"{TWO}   3 ２二角成(88)\n   4 同　銀(31)\n   5 {drop}\n"
    assert moves(kif.read(text)) == "7g7f 3c3d 8h2b+ 3a2b B*6e"


@pytest.mark.parametrize("same", ["同　銀(31)", "同銀(31)", "同 銀(31)", "同じく銀(31)", "同銀"])
def test_the_same_square(same: str) -> None:
    text = f"{TWO}   3 ２二角(88)成\n   4 {same}\n"
    assert moves(kif.read(text)) == "7g7f 3c3d 8h2b+ 3a2b"


MEN = "4k4/1+R+B6/1+L+N+S5/8+P/9/9/9/9/4K4 b - 1"


@pytest.mark.parametrize(
    ("said", "text"),
    [
        *((f"７一{name}(82)", "8b7a") for name in ("龍", "竜", "龍王", "成飛")),
        *((f"８一{name}(72)", "7b8a") for name in ("馬", "龍馬", "竜馬", "成角")),
        *((f"９三{name}(83)", "8c9c") for name in ("成香", "杏")),
        *((f"７四{name}(73)", "7c7d") for name in ("成桂", "圭")),
        *((f"５三{name}(63)", "6c5c") for name in ("成銀", "全")),
        *((f"１三{name}(14)", "1d1c") for name in ("と", "ト", "成歩", "と金")),
        *((f"４九{name}(59)", "5i4i") for name in ("王", "玉", "王将")),
    ],
)
def test_men_by_every_name(said: str, text: str) -> None:
    shogi = Shogi()
    drawn = "\n".join(bod.write(shogi.parse_position(MEN)))
    assert moves(kif.read(f"{drawn}\n   1 {said}\n")) == text


def test_moves_may_be_numbered_on_from_a_position_drawn() -> None:
    record = kif.read(f"{DRAWN}手数＝171  ▲２三歩  まで\n 172 ２二金打\n 173 詰み\n")
    assert (moves(record), result(record)) == ("G*2b", "mate sente")
    with pytest.raises(RecordError, match="line 1: move 3 where 1 is due"):
        kif.read("   3 ２六歩(27)\n")


@pytest.mark.parametrize(
    ("start", "said", "text"),
    [
        ("4k4/9/9/9/9/4G4/3G1G3/9/4K4 b - 1", "▲５六金左", None),
        ("4k4/9/9/9/9/9/3GGG3/9/4K4 b - 1", "▲５六金左", "6g5f"),
        ("4k4/9/9/9/9/9/3GGG3/9/4K4 b - 1", "▲５六金直", "5g5f"),
        ("4k4/9/9/9/9/9/3GGG3/9/4K4 b - 1", "▲５六金右", "4g5f"),
        ("4k4/9/9/9/9/9/3GGG3/9/4K4 b - 1", "▲５六金", None),
        ("4k4/9/3gg4/9/9/9/9/9/4K4 w - 1", "△５四金右", "6c5d"),
        ("4k4/9/3gg4/9/9/9/9/9/4K4 w - 1", "△５四金直", "5c5d"),
        ("4k4/9/9/5G3/9/4G4/9/9/4K4 b - 1", "▲５五金上", "5f5e"),
        ("4k4/9/9/4G4/5G3/9/9/9/4K4 b - 1", "▲５五金引", "5d5e"),
        ("4k4/9/9/4G4/5G3/9/9/9/4K4 b - 1", "▲５五金寄", "4e5e"),
        ("4k4/9/9/3S1S3/9/3S1S3/9/9/4K4 b - 1", "▲５五銀左上", "6f5e"),
        ("4k4/9/9/3S1S3/9/3S1S3/9/9/4K4 b - 1", "▲５五銀右引", "4d5e"),
        ("4k4/9/3S1S3/9/9/9/9/9/4K4 b - 1", "▲５二銀右成", "4c5b+"),
        ("4k4/9/9/9/9/9/4G4/9/4K4 b G 1", "▲５六金打", "G*5f"),
        ("4k4/9/9/9/9/9/4G4/9/4K4 b G 1", "▲５六金", "5g5f"),
        ("4k4/9/9/9/9/9/9/9/4K4 b G 1", "▲５六金", "G*5f"),
        ("6k2/9/9/+R7+R/9/9/9/9/4K4 b - 1", "▲５四龍右", "1d5d"),
    ],
)
def test_moves_told_as_people_tell_them(start: str, said: str, text: str | None) -> None:
    drawn = "\n".join(bod.write(Shogi().parse_position(start)))
    if text is None:
        with pytest.raises(RecordError, match=f"line {drawn.count(chr(10)) + 2}: "):
            kif.read(f"{drawn}\n{said}\n")
    else:
        assert moves(kif.read(f"{drawn}\n{said}\n")) == text


def test_a_record_in_ki2() -> None:
    record = kif.read(
        "先手：甲\n後手：乙\n手合割：平手\n\n"
        "▲７六歩    △３四歩    ▲２二角成  △同　銀\n*解説\n▲４五角    △投了\n"
        "まで5手で先手の勝ち\n"
    )
    assert moves(record) == "7g7f 3c3d 8h2b+ 3a2b B*4e"
    assert (result(record), notes(record)) == ("resign sente", [])


# ---- KIF: ends


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("   3 投了", "resign gote"),
        ("   3 投　了 (0:01/0:0:1)", "resign gote"),
        ("投了", "resign gote"),
        ("   3 中断\nまで2手で中断", "none"),
        ("   3 不詰", "none"),
        ("   3 千日手\nまで2手で千日手", "repetition -"),
        ("   3 持将棋\nまで2手で持将棋", "jishogi -"),
        ("   3 持将棋\nまで2手で先手の勝ち", "jishogi sente"),
        ("   3 引き分け", "agreement -"),
        ("   3 詰み\nまで2手で詰み", "mate gote"),
        ("   3 詰", "mate gote"),
        ("   3 切れ負け\nまで2手で時間切れにより後手の勝ち", "flag gote"),
        ("   3 時間切れ", "flag gote"),
        ("   3 反則勝ち\nまで2手で先手の反則勝ち", "illegal-move sente"),
        ("   3 反則負け\nまで2手で先手の反則負け", "illegal-move gote"),
        ("   3 入玉勝ち", "declare sente"),
        ("   3 入玉宣言", "declare sente"),
        ("   3 封じ手 ( 9:00/0:09:05)\nまで2手で封じ手", "none"),
        ("まで2手で後手の勝ち", "resign gote"),
        ("まで、2手で先手の負け", "resign gote"),
        ("まで2手にて先手の勝ち", "resign sente"),
        ("まで2手で時間切れにより先手の勝ち", "flag sente"),
        ("まで2手で後手の反則負け", "illegal-move sente"),
        ("まで2手で反則勝ち", "illegal-move sente"),
        ("まで2手で後手の入玉勝ち", "declare gote"),
        ("まで2手で千日手", "repetition -"),
        ("まで2手で持将棋", "jishogi -"),
        ("まで2手で中断", "none"),
        ("まで2手詰", "mate gote"),
        ("", "none"),
    ],
)
def test_every_customary_end_has_its_meaning(lines: str, said: str) -> None:
    record = kif.read(f"{TWO}{lines}\n")
    assert (moves(record), result(record), notes(record)) == ("7g7f 3c3d", said, [])


@pytest.mark.parametrize(("word", "said"), [("不戦勝", "resign sente"), ("不戦敗", "resign gote")])
def test_who_does_not_come_to_play_has_given_up(word: str, said: str) -> None:
    record = kif.read(f"{TWO}   3 {word}\n")
    assert result(record) == said
    assert notes(record) == [f"line 3: {word}: taken as if the side that is absent had given up"]


def test_an_end_that_is_not_known_is_an_end_all_the_same() -> None:
    record = kif.read(f"{TWO}   3 接続切断 (0:01/0:0:1)\nまで2手で接続切断\n")
    assert (moves(record), result(record)) == ("7g7f 3c3d", "none")
    assert notes(record)[0] == "line 3: '接続切断' is no end that is known: nobody has won"


@pytest.mark.parametrize("number", [3, 4])
def test_after_the_sealed_move_the_game_goes_on(number: int) -> None:
    later = f"{number:4} ２六歩(27)\n{number + 1:4} ８四歩(83)\n{number + 2:4} 投了\n"
    record = kif.read(f"{TWO}   3 封じ手 (33:00/0:34:00)\n{later}")
    assert moves(record) == "7g7f 3c3d 2g2f 8c8d"
    assert (record.seconds, result(record)) == ((5, 2, 0, 0), "resign gote")


FOUL = TWO + "   3 ５五角(88) (0:03/0:0:8)\n"


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("   4 反則勝ち", "illegal-move gote"),
        ("   4 反則負け", "illegal-move gote"),
        ("   4 反則勝ち\n*角の利きが無い\nまで3手で後手の勝ち", "illegal-move gote"),
        ("まで3手で先手の反則負け", "illegal-move gote"),
        ("まで3手で反則勝ち", "illegal-move gote"),
        ("   4 反則負け\nまで3手で先手の勝ち", "illegal-move sente"),
    ],
)
def test_an_illegal_last_move_is_left_out_if_it_lost_the_game(lines: str, said: str) -> None:
    foul = FOUL.replace("５五角", "５四角")
    record = kif.read(f"{foul}{lines}\n")
    assert (moves(record), record.seconds) == ("7g7f 3c3d", (5, 2))
    assert result(record) == said
    assert notes(record)[0].split(";")[1].startswith(" line 3: move '8h5d': ")
    assert kif.read(kif.write(record)).outcome == record.outcome


@pytest.mark.parametrize(
    "lines", ["", "   4 投了", "   4 ８四歩(83)\n   5 反則勝ち", "   4 中断", "   4 what"]
)
def test_an_illegal_move_is_refused_if_the_text_does_not_know_of_it(lines: str) -> None:
    foul = FOUL.replace("５五角", "５四角")
    with pytest.raises(RecordError, match="line 3: move '8h5d': "):
        kif.read(f"{foul}{lines}\n")


# ---- KIF: drawings


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
    with pytest.raises(RecordError, match="line 14: '金', but that hand was given before"):
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
    with pytest.raises(RecordError, match="line 14: the board is drawn with row 九 where row 一"):
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
def test_only_who_is_to_mate_may_have_no_king(text: str, says: str) -> None:
    with pytest.raises(RecordError, match=f"line 1: .*{says}"):
        usi.read(f"sfen {text}")


# ---- bytes and line ends


BREAKS = "\x0b\x0c\x1a\x1c\x1d\x1e\x85\u2028\u2029"


@pytest.mark.parametrize("sign", BREAKS)
def test_only_line_ends_end_a_line(sign: str) -> None:
    record = kif.read(f"先手：a{sign}b\n*c{sign}1 ２六歩(27)\n{TWO}   3 投了{sign}\n{sign}\n")
    assert record.headers["sente"] == f"a{sign}b"
    assert (moves(record), result(record)) == ("7g7f 3c3d", "resign gote")
    assert kif.read(kif.write(record)) == record
    text = f"N+a{sign}b\n$EVENT:c{sign}d\nPI\n+{sign}\n'x{sign}+2726FU\n+7776FU{sign}\n%TORYO\n"
    record = csa.read(text)
    assert dict(record.headers) == {"sente": f"a{sign}b", "event": f"c{sign}d"}
    assert (moves(record), result(record)) == ("7g7f", "resign sente")
    assert csa.read(csa.write(record)) == record
    assert moves(usi.read(f"position startpos{sign}moves 7g7f{sign}")) == "7g7f"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "cp932", "euc_jp", "utf-16"])
def test_every_encoding_and_line_end(codec: str, end: str) -> None:
    text = f"手合割：平手\n先手：佐藤\n後手：ｻﾄｳ\n{TWO}   3 投了\n"
    record = kif.read(text.replace("\n", end).encode(codec))
    assert dict(record.headers) == {"sente": "佐藤", "gote": "ｻﾄｳ"}
    assert result(record) == "resign gote"
    names = "V2.2\nN+佐藤\nN-木村\nPI\n+\n+7776FU\n"
    assert csa.read(names.replace("\n", end).encode(codec)).headers["gote"] == "木村"


def test_narrow_kana_are_not_taken_for_kanji() -> None:
    assert csa.read("N+ﾓﾘｳﾁ\nPI\n+\n".encode("cp932")).headers["sente"] == "ﾓﾘｳﾁ"


def test_a_name_cut_in_the_middle_of_a_sign_spoils_nothing() -> None:
    data = f"手合割：平手\n先手：佐藤\n{TWO}   3 投了\n".encode("cp932")
    record = kif.read(data.replace("佐藤".encode("cp932"), "佐藤".encode("cp932")[:3]))
    assert (moves(record), result(record)) == ("7g7f 3c3d", "resign gote")
    assert notes(record)[0].startswith("line 2: not all signs of '先手：佐")


# ---- CSA


def test_the_rows_of_a_mail_or_web_page() -> None:
    rows = [
        "P1-KY-KE-GI-KI-OU-KI-GI-KE-KY",
        "P2 * -HI * * * * * -KA *",
        "P3-FU-FU-FU-FU-FU-FU-FU-FU-FU",
        "P4*********",
        "P5 * * * * * * * * * ",
        "P6",
        "P7+FU+FU+FU+FU+FU+FU+FU+FU+FU",
        "P8 *+KA\u00a0*\u3000*\t* * *+HI *",
        "P9+KY+KE+GI+KI+OU+KI+GI+KE+KY",
    ]
    record = csa.read("\n".join([*rows, "+", "+7776FU"]))
    assert record.start == Shogi().start()
    with pytest.raises(RecordError, match="line 2: 4 squares instead of 9"):
        csa.read("\n".join([rows[0], "P2 * * * -HI", "+"]))
    with pytest.raises(RecordError, match="line 1: 'x' is no man"):
        csa.read("P1 * x *\n+\n")


def test_statements_on_one_line() -> None:
    record = csa.read("V2.2,N+Ada, B,N-Bo,PI,+,+7776FU,T12,-3334FU,T6,%TORYO,T1\n")
    assert moves(record) == "7g7f 3c3d"
    assert (record.seconds, result(record)) == ((12, 6), "resign gote")
    record = csa.read("N+Ada, B,N-Bo,$EVENT:a,b,T1,PI,-\n-3334FU,\n")
    assert dict(record.headers) == {"sente": "Ada, B", "gote": "Bo", "event": "a,b,T1"}
    assert moves(record) == "3c3d"
    with pytest.raises(RecordError, match="would be read as two statements"):
        csa.write(Record(record.game, record.start, (), {"sente": "Ada,N-Bo"}))


@pytest.mark.parametrize("version", ["V1", "V2", "V2.1", "V2.2", "V3.0", "v2.2", "'nothing"])
def test_every_version(version: str) -> None:
    record = csa.read(f"{version}\nPI\n+\n+7776FU\n")
    assert (moves(record), notes(record)) == ("7g7f", [])


def test_headers_in_small_letters_new_ones_and_broken_ones() -> None:
    record = csa.read(
        "$event:Cup\n$TIME+:300+0+10\n$max_moves:256\n$EVENT\nPI\n+\n+7776FU\n$END_TIME:2024/05/04\n"
    )
    assert dict(record.headers) == {
        "event": "Cup",
        "TIME+": "300+0+10",
        "MAX_MOVES": "256",
        "end": "2024/05/04",
    }
    assert notes(record) == ["line 4: '$EVENT' is passed over"]
    assert csa.read(csa.write(record)) == record


def test_lines_that_are_no_statements_are_noted() -> None:
    record = csa.read("hello\nPI\n+\nhow\n+7776FU are you\nTen\nT-3\n%TORYO\n%TORYO\nP1\nbye\n")
    assert (moves(record), result(record)) == ("7g7f", "resign sente")
    assert [note.split(":")[0] for note in notes(record)] == [
        f"line {number}" for number in (1, 4, 5, 6, 7, 9, 10, 11)
    ]


@pytest.mark.parametrize("word", ["%DANCE", "%WIN_BY_MOON", "%"])
def test_an_unknown_end_in_csa(word: str) -> None:
    record = csa.read(f"PI\n+\n+7776FU\n{word}\nT3\n")
    assert (moves(record), result(record)) == ("7g7f", "none")
    assert notes(record) == [f"line 4: {word!r} is no end that is known: nobody has won"]


@pytest.mark.parametrize(
    ("word", "winner"),
    [("%ILLEGAL_MOVE", 1), ("%+ILLEGAL_ACTION", 1), ("%-ILLEGAL_ACTION", 0), ("%illegal_move", 1)],
)
def test_an_illegal_last_move_in_csa(word: str, winner: int) -> None:
    record = csa.read(f"PI\n+\n+7776FU\nT1\n-3334FU\nT2\n+8854KA\nT3\n{word}\n")
    assert (moves(record), record.seconds) == ("7g7f 3c3d", (1, 2))
    assert record.outcome == Outcome(frozenset({winner}), "illegal-move")
    for other in ("%TORYO", "-8384FU\n%ILLEGAL_MOVE", ""):
        with pytest.raises(RecordError, match="line 5: move '8h5d'"):
            csa.read(f"PI\n+\n+7776FU\n-3334FU\n+8854KA\n{other}\n")


def test_fractions_of_seconds_are_kept() -> None:
    record = csa.read(
        "'CSA encoding=UTF-8\nV3.0\nPI\n+\n+7776FU\nT12.345\n-3334FU\nT3\n+2726FU\nT1.\n"
        "-8384FU\nT0.001\n+2625FU\nT2.000\n"
    )
    assert list(map(str, record.seconds)) == ["12.345", "3", "1", "0.001", "2"]
    written = csa.write(record)
    assert written.startswith("'CSA encoding=UTF-8\nV3.0\n")
    assert "\nT12.345\n-3334FU\nT3\n" in written
    assert csa.read(written) == record
    assert kif.read(kif.write(record)).seconds == (12, 3, 1, 0, 2)


GAMES = "V2.2\nN+Ada\nPI\n+\n+7776FU\n%CHUDAN\n/\nV2.2\nN+Bo\nPI\n+\n+2726FU\n%TORYO\n/\n"


def test_several_games_in_one_file() -> None:
    first = csa.read(GAMES)
    assert (first.headers["sente"], moves(first)) == ("Ada", "7g7f")
    assert notes(first) == ["line 6: the game ends here; games that follow it: 1"]
    both = csa.read_all(GAMES)
    assert [moves(record) for record in both] == ["7g7f", "2g2f"]
    assert moves(csa.read(f"V3.0\n/\n{GAMES}")) == "7g7f"
    with pytest.raises(RecordError, match="line 12: move '2g2e'"):
        csa.read_all(GAMES.replace("2726", "2725"))


@pytest.mark.parametrize(
    ("lines", "sfen"),
    [
        ("P-11OU\nP-00AL\nP+33KI\n+", "8k/9/6G2/9/9/9/9/9/9 b 2r2b3g4s4n4l18p 1"),
        ("P+33KI00KI00AL\nP-11OU\n+", "8k/9/6G2/9/9/9/9/9/9 b 2R2B3G4S4N4L18P 1"),
        ("PI 82HI 22KA\n-", "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
        ("PI\nP+\nP-\n+", START),
    ],
)
def test_other_ways_to_give_a_position(lines: str, sfen: str) -> None:
    assert Shogi().position_text(csa.read(lines).start) == sfen


def test_the_first_move_says_whose_turn_it_is() -> None:
    assert moves(csa.read("PI82HI22KA\n-5142OU\n+7776FU\n2726FU\n".replace("2726", "8384"))) == (
        "5a4b 7g7f 8c8d"
    )


# ---- USI


@pytest.mark.parametrize(
    "text",
    [
        "position startpos moves 7g7f 3c3d",
        "  position   startpos  moves  7g7f   3c3d \r\n\r\n",
        "startpos moves 7g7f 3c3d",
        f"position sfen {START} moves 7g7f 3c3d",
        f"sfen {START} moves 7g7f 3c3d",
        f"{START} moves 7g7f 3c3d",
        f"sfen {START[:-1]}0 moves 7g7f 3c3d",
        f"sfen {START[:-2]} moves 7g7f 3c3d",
        "\ufeffposition startpos moves 7g7f 3c3d",
    ],
)
def test_ways_to_hand_over_a_game(text: str) -> None:
    record = usi.read(text)
    assert (moves(record), notes(record)) == ("7g7f 3c3d", [])
    assert usi.read(text.encode()) == record


def test_words_after_the_moves() -> None:
    line = "position startpos moves 7g7f 3c3d"
    assert result(usi.read(f"{line} resign")) == "resign gote"
    assert result(usi.read(f"{line} win")) == "declare sente"
    record = usi.read(f"usi\n{line} rep_draw and more\nbye")
    assert (moves(record), result(record)) == ("7g7f 3c3d", "none")
    assert notes(record) == [
        "line 1: 'usi' is passed over",
        "line 3: 'bye' is passed over",
        "line 2: 'rep_draw' is no end that is known: nobody has won",
        "line 2: 'and more' is passed over",
    ]
    assert notes(usi.read(f"sfen {START} - - moves 7g7f")) == ["line 1: '- -' is passed over"]


# ---- notes


@pytest.mark.parametrize("notation", [kif, csa])
def test_notes_are_short_printable_lines_and_not_too_many(notation: ModuleType) -> None:
    head = "手合割：平手\n" if notation is kif else "PI\n+\n"
    record = notation.read(head + "\x1b[31m\u202e!" * 500 + "\n" + "x\x07y\n" * 900)
    assert len(record.notes) == 51
    for note in record.notes:
        assert note.text.isprintable()
        assert len(str(note)) < 120
    assert record.notes[-1].text == "and 851 more from here on"
    assert record.notes[-1].line == record.notes[-2].line + 1


@pytest.mark.parametrize("notation", [kif, csa, usi])
def test_errors_are_short_printable_lines(notation: ModuleType) -> None:
    for text in (
        "position sfen " + "9/\x1b" * 9000,
        "PI\n+\n+7776" + "\x1bX" * 9000,
        "   1 ７六歩" + "\x07" * 9000 + "(66)",
        "P1" + "\u2028z" * 9000,
    ):
        with pytest.raises(RecordError) as caught:
            notation.read(text)
        assert str(caught.value).startswith("line ")
        assert str(caught.value).isprintable()
        assert len(str(caught.value)) <= 300


@pytest.mark.parametrize("notation", [kif, csa, usi])
def test_a_text_that_is_too_long_is_refused(notation: ModuleType) -> None:
    with pytest.raises(RecordError, match="line 1: the text is longer than"):
        notation.read("*" * (1 << 21) + "\n")
    with pytest.raises(RecordError, match="line 50000: the text goes on"):
        notation.read("\n" * 200_000)
    shuffle = "2h3h 8b7b 3h2h 7b8b "
    with pytest.raises(RecordError, match="line 1, move 10001: more than 10000 moves"):
        usi.read("position startpos moves " + shuffle * 2501)
