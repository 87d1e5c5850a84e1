"""When entries of the record were played: with the last edge of a ply, however late it is read."""

from __future__ import annotations

from typing import Any

import pytest

from engine.games import NAMES
from tests.session.test_styles_are_read import read

ROOK = "ln2kgsn1/1rgs3bl/p1p1ppp1p/1p1p3p1/9/3P5/PPP1PPPPP/1B6R/LNSGKGSNL b - 1"
TOLERANCE_S = 0.2
"""A piece may be straightened a little after it was put down."""


def test_a_ply_is_played_with_its_last_edge() -> None:
    for name in NAMES:
        recorded, session, _ = read(name, "polarity", 1, answers=True)
        meant = {}
        for truth in recorded.truth:
            meant = {ply: each for ply, each in meant.items() if ply <= truth.ply}
            if not truth.back:
                meant[truth.ply] = truth
        view = session.view
        assert len(view.played_at) == len(view.record)
        assert list(view.played_at) == sorted(view.played_at)
        pairs = zip(view.record, view.played_at, strict=True)
        played = [(entry.texts, at) for entry, at in pairs if entry.kind == "move"]
        late = [
            abs(at - max(meant[ply].marks))
            for ply, (texts, at) in enumerate(played, 1)
            if texts == (meant[ply].text,) and meant[ply].marks
        ]
        assert len(late) > 5, name
        assert sum(each > TOLERANCE_S for each in late) <= len(late) // 10, (name, late)


def test_a_slide_counts_with_its_end(timeline: Any) -> None:
    board = timeline("shogi", "presence", ROOK).hands("1 1h- 0.5 5h+").rest(2)
    assert board.moves == ["1h5h"]
    assert board.session.view.played_at == (1.5,)
    board.hands("0.1 4h+ 0.1 5h-").rest(5)
    assert board.moves == ["1h4h"]
    assert board.session.view.played_at == (pytest.approx(3.6),)


def test_an_answer_counts_with_the_move_that_it_names(timeline: Any) -> None:
    promotes = "lnsgkgsnl/1r5b1/ppppppp1p/9/9/7p1/PPPPPPP1P/1B5R1/LNSGKGSNL w P 1"
    board = timeline("shogi", "presence", promotes).hands("1 2f- 0.5 2g+").rest(10)
    assert board.asked
    board.choose("2f2g+")
    assert board.moves == ["2f2g+"]
    assert board.session.view.played_at == (1.5,)


def test_throws_lost_turns_and_claims_have_times_of_their_own(timeline: Any) -> None:
    board = timeline("chaturaji").rest(3)
    board.throw(4).rest(2)  # no elephant can move at the start
    board.throw(3).hands("1 a7- 0.4 c6+").rest(4)
    board.claim("resign", 2)
    kinds = [(entry.kind, entry.texts[0]) for entry in board.session.record]
    assert kinds == [
        ("throw", "4"),
        ("move", "--"),
        ("throw", "3"),
        ("move", "a7c6"),
        ("claim", "resign"),
    ]
    assert board.session.view.played_at == (3.0, 3.0, 5.0, pytest.approx(6.4), pytest.approx(10.4))
