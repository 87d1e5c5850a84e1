"""CSA as programs write it: samples, ways to give a position, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from engine.game import Claim
from engine.games.shogi import Shogi
from engine.notation import csa
from engine.notation.shogi_record import ShogiRecord, ShogiRecordError
from tests.support.shogi_records import CSA, PLAYED, START, moves, notes, result


def test_a_sample_is_read() -> None:
    record = csa.read(CSA)
    assert record.start == Shogi().start()
    assert (moves(record), result(record)) == (PLAYED, "resign sente")
    assert record.moves[-1] == Claim(1, "resign")
    assert record.seconds == (12, 6, Decimal("0.9"), 0, 0)
    assert dict(record.headers) == {
        "sente": "Ada",
        "gote": "Bo",
        "event": "Club evening",
        "start": "2026/11/21 19:00:00",
        "X_OPENING": "none",
    }
    assert csa.read(CSA.replace("\n", "\r\n").encode("cp932")) == record


def test_a_record_is_written_as_programs_expect_it() -> None:
    headers = {"sente": "Ada", "site": "Praha", "HOUSE": "yes"}
    assert csa.write(replace(csa.read(CSA), headers=headers, seconds=(12, 6, 0, 0, 0))) == (
        "V2.2\nN+Ada\n$SITE:Praha\n$HOUSE:yes\nPI\n+\n"
        "+7776FU\nT12\n-3334FU\nT6\n+8822UM\nT0\n-3122GI\nT0\n+0045KA\nT0\n%TORYO\n"
    )


@pytest.mark.parametrize(
    ("lines", "sfen"),
    [
        ("PI\n+", START),
        ("PI\nP+\nP-\n+", START),
        ("PI 82HI 22KA\n-", "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
        ("P-11OU\nP-00AL\nP+33KI\n+", "8k/9/6G2/9/9/9/9/9/9 b 2r2b3g4s4n4l18p 1"),
        ("P+33KI00KI00AL\nP-11OU\n+", "8k/9/6G2/9/9/9/9/9/9 b 2R2B3G4S4N4L18P 1"),
        ("PI82HI22KA11KY\n-", "lnsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
        ("P+59OU00FU00FU27TO\nP-51OU00HI\n-", "4k4/9/9/9/9/9/7+P1/9/4K4 w 2Pr 1"),
        ("P-11OU\nP+59OU33KI\nP-00AL\n+", "8k/9/6G2/9/9/9/9/9/4K4 b 2r2b3g4s4n4l18p 1"),
        ("P1 *  *  *  * -OU\nP9 *  *  *  * +OU * +NG\nP+00KA\n+", "4k4/9/9/9/9/9/9/9/4K1+S2 b B 1"),
    ],
)
def test_ways_to_give_a_position(lines: str, sfen: str) -> None:
    shogi = Shogi()
    record = csa.read(lines)
    assert shogi.position_text(record.start) == shogi.position_text(shogi.parse_problem(sfen))
    assert csa.read(csa.write(record)) == record


@pytest.mark.parametrize(
    ("end", "outcome"),
    [
        ("%TORYO", "resign sente"),
        ("%TIME_UP", "flag sente"),
        ("%ILLEGAL_MOVE", "illegal-move sente"),
        ("%+ILLEGAL_ACTION", "illegal-move gote"),
        ("%-ILLEGAL_ACTION", "illegal-move sente"),
        ("%KACHI", "declare gote"),
        ("%SENNICHITE", "repetition -"),
        ("%JISHOGI", "jishogi -"),
        ("%HIKIWAKE", "agreement -"),
        ("%CHUDAN", "none"),
        ("%MATTA", "none"),
        ("%TSUMI", "mate sente"),
        ("%SENTE_WIN_TORYO", "resign sente"),
        ("%SENTE_WIN_CHECKMATE", "mate sente"),
        ("%GOTE_WIN_TIMEOUT", "flag gote"),
        ("%GOTE_WIN_DISCONNECT", "resign gote"),
        ("%SENTE_WIN_ENTERINGKING", "declare sente"),
        ("%GOTE_WIN_OUTE_SENNICHI", "perpetual-check gote"),
        ("%DRAW_SENNICHI", "repetition -"),
        ("%MAX_MOVES", "none"),
        ("#TIME_UP,T30", "flag sente"),
        ("#ILLEGAL_MOVE\n#LOSE", "illegal-move sente"),
        ("%TORYO,T3\n#RESIGN\n#WIN", "resign sente"),
        ("%KACHI\n#JISHOGI\n#WIN", "declare gote"),
        ("#SENNICHITE\n#DRAW", "repetition -"),
        ("#MAX_MOVES\n#CENSORED", "none"),
        ("'summary:time up:Ada win:Bo lose\n'$END_TIME:2026/11/21", "flag sente"),
        ("'summary:sennichite:Ada draw:Bo draw", "repetition -"),
        ("'ILLEGAL_MOVE(-3337FU)\n'summary:illegal move:Ada win:Bo lose", "illegal-move sente"),
        ("'ILLEGAL_MOVE(-3337FU)", "illegal-move sente"),
        ("%KACHI\n'summary:illegal kachi:Ada win:Bo lose", "illegal-move sente"),
        ("%TORYO\n'summary:abnormal:Ada win:Bo lose", "resign sente"),
        ("%CHUDAN\n'summary:abnormal:Ada lose:Bo win", "resign gote"),
        ("%MAX_MOVES\n'summary:max_moves:Ada draw:Bo draw", "agreement -"),
        ("'summary:uchifuzume:a:b win:c lose", "illegal-move sente"),
        ("'summary:by moon:Ada win:Bo lose", "none"),
        ("'summary:toryo:Ada win:Bo win", "none"),
    ],
)
def test_words_and_comments_tell_the_end(end: str, outcome: str) -> None:
    record = csa.read(f"V2\nN+Ada\nN-Bo\nPI\n+\n+7776FU\nT1\n{end}\n")
    assert (moves(record), result(record), notes(record)) == ("7g7f", outcome, [])


def test_a_move_after_a_comment_of_the_end_goes_on() -> None:
    record = csa.read("PI\n+\n+7776FU\n'ILLEGAL_MOVE(-3337FU)\n-3334FU\n")
    assert (moves(record), result(record)) == ("7g7f 3c3d", "none")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "line 1: the text ends before it says who moves first"),
        ("V2.2\nN+Ada\n", "line 2: the text ends before it says who moves first"),
        ("+\n", "line 1: '\\+' before any line of the position"),
        ("+7776FU\n", "line 1: '\\+7776FU' before the position and who moves first"),
        ("PI\n+\n+7776XX\n", "line 3: '\\+7776XX' is no move"),
        ("PI\n+\n+7076FU\n", "line 3: .* is no move"),
        ("PI\n+\n-3334FU\n", "line 3: it is sente's turn, not that of -"),
        ("PI\n+\n+7775FU\n", "line 3: move '7g7e': A pawn goes one step"),
        ("PI\n+\n+7776KI\n", "line 3: FU stands on 77, not KI"),
        ("PI\n+\n+7776TO\n", "line 3: move '7g7f\\+': A piece promotes only"),
        ("PI\n+\n+7777FU\n", "line 3: '\\+7777FU' stays on its square"),
        ("PI\n+\n+0055FU\n", "line 3: move 'P\\*5e': You have no such piece"),
        ("PI\n+\n+0055TO\n", "line 3: TO cannot be dropped"),
        ("PI\n+\n%TORYO\n+7776FU\n", "line 4: .* after the end of the game"),
        ("Nobody\n", "line 1: the text ends before it says who moves first"),
        ("PX\n", "line 1: 'PX' is no line of a position"),
        ("PI81HI\n", "line 1: no HI stands on 81"),
        ("PI8\n", "line 1: '8' is no list of pieces"),
        ("PI00HI\n", "line 1: 00 is no square"),
        ("P+55XX\n", "line 1: XX is no piece"),
        ("P+55FU55KI\n", "line 1: two pieces on 55"),
        ("P+00OU\n", "line 1: one OU too many in hand"),
        ("P+00HI00HI00HI\n", "line 1: one HI too many in hand"),
        ("P1-KY-KE-XX\n", "line 1: '-XX' is no piece"),
        ("P1" + " * " * 10 + "*\n", "line 1: 11 squares instead of 9"),
        ("P+59OU\n+\n", "line 2: board: gote has no king"),
    ],
)
def test_what_is_no_csa_is_refused_by_its_line(text: str, says: str) -> None:
    with pytest.raises(ShogiRecordError, match=says):
        csa.read(text)


def test_a_resignation_out_of_turn_stands_in_a_comment() -> None:
    shogi = Shogi()
    text = csa.write(ShogiRecord(shogi, shogi.start(), (Claim(1, "resign"),)))
    assert text == "V2.2\nPI\n+\n%TORYO\n'summary:resign:sente win:gote lose\n"
    assert csa.read(text).moves == (Claim(1, "resign"),)
