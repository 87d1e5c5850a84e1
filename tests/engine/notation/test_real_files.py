"""Records as real programs write them: the parts that are read, and the notes."""

from __future__ import annotations

from types import ModuleType

import pytest

from engine.game import Outcome
from engine.games.shogi import Shogi
from engine.notation import csa, kif, usi
from engine.notation.shogi_record import ShogiRecord, ShogiRecordError
from tests.support.shogi_records import START, TWO, moves, notes, result

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
    with pytest.raises(ShogiRecordError, match="line 2: 4 squares instead of 9"):
        csa.read("\n".join([rows[0], "P2 * * * -HI", "+"]))
    with pytest.raises(ShogiRecordError, match="line 1: 'x' is no piece"):
        csa.read("P1 * x *\n+\n")


def test_statements_on_one_line() -> None:
    record = csa.read("V2.2,N+Ada, B,N-Bo,PI,+,+7776FU,T12,-3334FU,T6,%TORYO,T1\n")
    assert moves(record) == "7g7f 3c3d"
    assert (record.seconds, result(record)) == ((12, 6), "resign gote")
    record = csa.read("N+Ada, B,N-Bo,$EVENT:a,b,T1,PI,-\n-3334FU,\n")
    assert dict(record.headers) == {"sente": "Ada, B", "gote": "Bo", "event": "a,b,T1"}
    assert moves(record) == "3c3d"
    with pytest.raises(ShogiRecordError, match="would be read as two statements"):
        csa.write(ShogiRecord(record.game, record.start, (), {"sente": "Ada,N-Bo"}))


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
        with pytest.raises(ShogiRecordError, match="line 5: move '8h5d'"):
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
    both = list(csa.games(GAMES, Shogi()))
    assert [moves(record) for record in both] == ["7g7f", "2g2f"]
    assert moves(csa.read(f"V3.0\n/\n{GAMES}")) == "7g7f"
    with pytest.raises(ShogiRecordError, match="line 12: move '2g2e'"):
        list(csa.games(GAMES.replace("2726", "2725"), Shogi()))


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


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("resign", "resign gote"),
        ("win", "declare sente"),
        ("timeout", "flag gote"),
        ("Time-up", "flag gote"),
        ("draw", "agreement -"),
        ("rep_draw", "repetition -"),
        ("mate", "mate gote"),
        ("checkmate", "mate gote"),
        ("lose", "illegal-move gote"),
        ("win_foul", "illegal-move sente"),
        ("illegal_win", "illegal-move sente"),
        ("break", "none"),
        ("rep_sup", "none"),
        ("rep_inf", "none"),
    ],
)
def test_words_for_the_end_in_usi(word: str, said: str) -> None:
    record = usi.read(f"position startpos moves 7g7f 3c3d {word}")
    assert (moves(record), result(record), notes(record)) == ("7g7f 3c3d", said, [])


def test_an_illegal_last_move_in_usi() -> None:
    record = usi.read("position startpos moves 7g7f 3c3d 8h5d win_foul")
    assert (moves(record), result(record)) == ("7g7f 3c3d", "illegal-move gote")
    with pytest.raises(ShogiRecordError, match="line 1, move 3: move '8h5d'"):
        usi.read("position startpos moves 7g7f 3c3d 8h5d resign")


def test_words_after_the_moves() -> None:
    line = "position startpos moves 7g7f 3c3d"
    assert result(usi.read(f"{line} resign")) == "resign gote"
    assert result(usi.read(f"{line} win")) == "declare sente"
    record = usi.read(f"usi\n{line} by_moon and more\nbye")
    assert (moves(record), result(record)) == ("7g7f 3c3d", "none")
    assert notes(record) == [
        "line 1: 'usi' is passed over",
        "line 3: 'bye' is passed over",
        "line 2: 'by_moon' is no end that is known: nobody has won",
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
        with pytest.raises(ShogiRecordError) as caught:
            notation.read(text)
        assert str(caught.value).startswith("line ")
        assert str(caught.value).isprintable()
        assert len(str(caught.value)) <= 300


@pytest.mark.parametrize("notation", [kif, csa, usi])
def test_a_text_that_is_too_long_is_refused(notation: ModuleType) -> None:
    with pytest.raises(ShogiRecordError, match="line 1: the text is longer than"):
        notation.read("*" * (1 << 21) + "\n")
    with pytest.raises(ShogiRecordError, match="line 50000: the text has more lines"):
        notation.read("\n" * 200_000)
    shuffle = "2h3h 8b7b 3h2h 7b8b "
    with pytest.raises(ShogiRecordError, match="line 1, move 10001: more than 10000 moves"):
        usi.read("position startpos moves " + shuffle * 2501)
