"""KIF as real programs write it: the parts that are read, and the notes."""

from __future__ import annotations

from decimal import Decimal

import pytest

from engine.games.shogi import Shogi
from engine.notation import bod, kif
from engine.notation.shogi_record import ShogiRecordError
from tests.support.shogi_records import BOARD, DRAWN, TWO, moves, notes, result

# ---- KIF: lines and headers


@pytest.mark.parametrize(
    "line", ["盤面回転", "盤面反転", "hello", "<html>", "2024/07/17 東京", "10 minutes", "先後入替"]
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
        "   1   7六歩(77)   ( 0:01/00:00:01)+",
        "   1 76歩(77)  (00:01)",
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


PIECES = "4k4/1+R+B6/1+L+N+S5/8+P/9/9/9/9/4K4 b - 1"


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
def test_pieces_by_every_name(said: str, text: str) -> None:
    shogi = Shogi()
    drawn = "\n".join(bod.write(shogi.parse_position(PIECES)))
    assert moves(kif.read(f"{drawn}\n   1 {said}\n")) == text


def test_moves_may_be_numbered_on_from_a_position_drawn() -> None:
    record = kif.read(f"{DRAWN}手数＝171  ▲２三歩  まで\n 172 ２二金打\n 173 詰み\n")
    assert (moves(record), result(record)) == ("G*2b", "mate sente")
    with pytest.raises(ShogiRecordError, match="line 1: move 3 where 1 is due"):
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
def test_moves_in_the_words_of_people(start: str, said: str, text: str | None) -> None:
    drawn = "\n".join(bod.write(Shogi().parse_position(start)))
    if text is None:
        with pytest.raises(ShogiRecordError, match=f"line {drawn.count(chr(10)) + 2}: "):
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
def test_an_absent_player_has_resigned(word: str, said: str) -> None:
    record = kif.read(f"{TWO}   3 {word}\n")
    assert result(record) == said
    assert notes(record) == [f"line 3: {word}: taken as if the side that is absent had given up"]


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("   3 Time-up", "flag gote"),
        ("   3 時間切れ負け", "flag gote"),
        ("   3 反則手", "illegal-move sente"),
        ("   3 接続切れ", "resign gote"),
        ("   3 最大手数", "none"),
        ("   3 待った", "none"),
        ("   3 打ち掛け", "none"),
        ("   3 連続王手の千日手\nまで2手で後手の勝ち", "perpetual-check gote"),
        ("まで2手で二歩により後手の勝ち", "illegal-move gote"),
        ("*時間切れにて終局", "flag gote"),
        ("*反則手にて終局", "illegal-move sente"),
        ("*時間切れにて終局\nまで2手で後手の勝ち", "flag gote"),
        ("*接続切れにて終局", "resign gote"),
        ("* 千日手 にて 終局", "repetition -"),
        ("＊投了により終局。\n*感想", "resign gote"),
        ("   3 中断\n*反則手にて終局", "none"),
        ("*解説にて終局", "none"),
        # words after the end add nothing
        ("   3 投了\n   4 中断\nまで2手で中断", "resign gote"),
        ("   3 投了\n   3 中断", "resign gote"),
        ("   3 投了\n   4 中断\n   5 封じ手", "resign gote"),
        ("   3 切れ負け\n   4 投了\nまで2手で時間切れにより後手の勝ち", "flag gote"),
        ("   3 詰み\n中断", "mate gote"),
        ("   3 投了\n   4 感想", "resign gote"),
        ("   3 中断\n   4 投了", "resign gote"),
        ("▲投了 △中断", "resign gote"),
    ],
)
def test_words_and_comments_of_other_programs_tell_the_end(lines: str, said: str) -> None:
    record = kif.read(f"{TWO}{lines}\n")
    assert (moves(record), result(record)) == ("7g7f 3c3d", said)


def test_a_comment_tells_the_end_only_after_the_last_move() -> None:
    record = kif.read(f"{TWO}*時間切れにて終局\n   3 ２六歩(27)\n")
    assert (moves(record), result(record), notes(record)) == ("7g7f 3c3d 2g2f", "none", [])


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
        ("*反則手にて終局", "illegal-move gote"),
        ("*反則手にて終局\nまで3手で後手の勝ち", "illegal-move gote"),
        ("   4 反則手", "illegal-move gote"),
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
    with pytest.raises(ShogiRecordError, match="line 3: move '8h5d': "):
        kif.read(f"{foul}{lines}\n")
