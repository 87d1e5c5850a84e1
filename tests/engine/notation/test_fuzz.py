"""A reader returns a record or raises an error of one line, whatever the text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from types import ModuleType
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.game import GameError
from engine.games.shogi import Shogi, ShogiMove
from engine.notation import aba_pro, csa, kif, usi
from engine.notation.shogi_record import ShogiRecord, ShogiRecordError
from tests.support.shogi_records import CSA, DRAWN, KIF

PROBLEM: Final = f"手合割：詰将棋\n{DRAWN}   1 ２二金打\n   2 詰み\n"
FOUL: Final = "   1 ７六歩(77)\n   2 ７六歩(83)\n   3 反則勝ち\n*二手指し\nまで2手で先手の勝ち\n"
KI2: Final = "▲７六歩 △３四歩 ▲２二角成 △同　銀\n▲４五角 △５二金左\nまで6手で中断\n"
TWO_GAMES: Final = CSA + "PI82HI22KA\n-\n-5142OU\n%ILLEGAL_MOVE\n"
HANDS: Final = "P-11OU12FU\nP+23GI00HI00KI\nP-00AL\n+\n+0022KI,T3\n%TSUMI\n"
USI: Final = "position startpos moves 7g7f 3c3d 8h2b+ 3a2b B*4e resign\n"
SFEN: Final = "position sfen 8k/8p/7S1/9/9/9/9/9/9 b RG 1 moves G*2b\n"
ABA: Final = '[Black] Ada\n[White "Bo"]\n[layout] standard\n\n1. a1b2 i5h5 {so}\n2. a2b3 resign\n'

GOOD: Final[Mapping[ModuleType, Sequence[str]]] = {
    kif: (KIF, PROBLEM, FOUL, KI2),
    csa: (TWO_GAMES, HANDS),
    usi: (USI, SFEN),
}
SIGNS: Final = (
    "\n\r \t\u3000\x00\x0b\x1a\x85\u2028\ufeff.,:：()（）[]{}０１２９一九十同成打不左直歩金王"
    "玉龍とv▲△|+-*'%$/#&まで手数変化持駒反則投了封じ0123456789abgxAKLNPTVé\U0001f600"
)
EDITS: Final = st.lists(
    st.tuples(
        st.sampled_from(["drop", "put", "repeat", "swap lines", "copy line", "cut"]),
        st.integers(0, 10_000),
        st.sampled_from(SIGNS),
    ),
    max_size=6,
)


def edited(text: str, edits: Sequence[tuple[str, int, str]]) -> str:
    for what, number, sign in edits:
        at = number % (len(text) + 1)
        lines = text.split("\n")
        line = number % len(lines)
        if what == "drop":
            text = text[:at] + text[at + 1 :]
        elif what == "put":
            text = text[:at] + sign + text[at:]
        elif what == "repeat":
            text = text[:at] + sign * 40 + text[at:]
        elif what == "cut":
            text = text[:at]
        else:
            moved = lines[line]
            if what == "swap lines":
                del lines[line]
            lines.insert(number // 7 % (len(lines) + 1), moved)
            text = "\n".join(lines)
    return text


def see_that_it_is_one_line(text: str) -> None:
    assert text.isprintable()
    assert len(text) <= 330


@pytest.mark.parametrize("notation", GOOD, ids=lambda module: module.__name__)
@given(
    which=st.integers(0, 3), edits=EDITS, codec=st.sampled_from(["", "utf-8", "cp932", "euc_jp"])
)
def test_a_broken_text_is_a_record_or_one_error(
    notation: ModuleType, which: int, edits: list[tuple[str, int, str]], codec: str
) -> None:
    texts = GOOD[notation]
    text = edited(texts[which % len(texts)], edits)
    try:
        record = notation.read(text.encode(codec, "replace") if codec else text)
    except GameError as error:
        caught = error
    else:
        for note in record.notes:
            see_that_it_is_one_line(str(note))
        again = notation.read(notation.write(record))
        played = [move for move in record.moves if isinstance(move, ShogiMove)]
        assert (again.start, [m for m in again.moves if isinstance(m, ShogiMove)]) == (
            record.start,
            played,
        )
        return
    assert type(caught) is ShogiRecordError
    assert str(caught).startswith("line ")
    see_that_it_is_one_line(str(caught))


@given(edits=EDITS)
def test_a_broken_text_of_abalone_is_a_record_or_one_error(
    edits: list[tuple[str, int, str]],
) -> None:
    try:
        record = aba_pro.read(edited(ABA, edits))
    except GameError as error:
        see_that_it_is_one_line(str(error))
        return
    assert aba_pro.read(aba_pro.write(record)).moves == record.moves


@given(data=st.binary(max_size=300))
@pytest.mark.parametrize("notation", GOOD, ids=lambda module: module.__name__)
def test_bytes_are_a_record_or_one_error(notation: ModuleType, data: bytes) -> None:
    try:
        assert notation.read(data).moves == ()  # a number and an unknown end, at most
    except ShogiRecordError as error:
        see_that_it_is_one_line(str(error))


LINES: Final = st.text(st.characters(exclude_characters="\n\r", exclude_categories=["Cs"]))
VALUES: Final = LINES.map(lambda text: text.strip().strip("".join(map(chr, range(33))) + "\x7f"))
SECONDS: Final = st.integers(0, 10_000) | st.decimals("0.001", "9999.999", places=3).filter(
    lambda seconds: seconds != int(seconds)
)


@pytest.mark.parametrize("notation", [kif, csa])
@given(
    headers=st.dictionaries(st.sampled_from(["sente", "gote", "event", "site", "NOTE"]), VALUES),
    seconds=st.tuples(SECONDS, SECONDS),
)
def test_any_names_and_times_go_there_and_back(
    notation: ModuleType, headers: dict[str, str], seconds: tuple[int | Decimal, int | Decimal]
) -> None:
    shogi = Shogi()
    moves = (ShogiMove("7g7f"), ShogiMove("3c3d"))
    record = ShogiRecord(shogi, shogi.start(), moves, headers, None, seconds)
    try:
        text = notation.write(record)
    except ShogiRecordError as error:
        assert "header" in str(error)  # noqa: PT017 - what cannot be written is refused
        return
    read = notation.read(text)
    assert dict(read.headers) == headers
    assert read.moves == moves
    whole = tuple(int(each) for each in seconds)
    assert read.seconds == (seconds if notation is csa else whole)
    assert read.notes == ()


LONG: Final = 100_000


@pytest.mark.parametrize(
    "text",
    [
        f"1{' ' * LONG}x",
        "▲" * LONG,
        "▲７" * LONG,
        f"1 ７六歩(77){'( ' * LONG}",
        f"1 ７六歩{'左' * LONG}",
        f"1 ７六歩(77)(0:01/{'(0:01/' * LONG}",
        f"先手の持駒：飛{' ' * LONG}x",
        f"|{' ・' * LONG}",
        "1" * LONG,
        "{" * LONG,
        f"[{'a ' * LONG}",
        f"N+{', ' * LONG}",
        f"P1{'*' * LONG}",
        " \x1a" * LONG,
    ],
)
def test_long_lines_are_read_in_one_go(text: str) -> None:
    for read in (kif.read, csa.read, usi.read, aba_pro.read):
        try:
            notes = str(getattr(read(text), "notes", ()))
        except GameError as error:
            notes = str(error)
        assert len(notes) < 10_000
