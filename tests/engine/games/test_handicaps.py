"""Handicaps: what the stronger player begins without."""

from __future__ import annotations

import pytest

from engine.game import CHANCE, HANDICAP
from engine.games import NAMES, make
from engine.games.abalone.options import LAYOUTS
from engine.match import Match
from engine.notation import csa, kif, usi
from engine.notation.shogi_record import ShogiRecord
from engine.notation.usi import position_word

SHOGI = {
    "lance": ("香落ち", "1a"),
    "bishop": ("角落ち", "2b"),
    "rook": ("飛車落ち", "8b"),
    "rook_and_lance": ("飛香落ち", "8b 1a"),
    "two_pieces": ("二枚落ち", "8b 2b"),
    "four_pieces": ("四枚落ち", "8b 2b 1a 9a"),
    "six_pieces": ("六枚落ち", "8b 2b 1a 9a 2a 8a"),
    "eight_pieces": ("八枚落ち", "8b 2b 1a 9a 2a 8a 3a 7a"),
}
TWO_ON_THE_RIM = "sssss/sss3/7/8/sSS6/sSS5/7/6/SSSSS 4 5 b 0 1"


@pytest.mark.parametrize("value", SHOGI)
def test_gote_leaves_pieces_off_and_moves_first(value: str) -> None:
    even, game = make("shogi"), make("shogi", {HANDICAP: value})
    gone = even.pieces(even.start()).items() - game.pieces(game.start()).items()
    assert sorted(place for place, _ in gone) == sorted(SHOGI[value][1].split())
    assert {piece.owner for _, piece in gone} == {1}
    assert game.turn(game.start()) == 1
    assert game.is_handicap


@pytest.mark.parametrize("value", SHOGI)
def test_records_of_other_programs_hold_the_handicap(value: str) -> None:
    """Another program knows the handicap's name, and no options of ours."""
    game = make("shogi", {HANDICAP: value})
    assert position_word(game, game.start()).startswith("sfen ")
    record = ShogiRecord(game, game.start())
    assert f"手合割：{SHOGI[value][0]}" in kif.write(record)
    for notation in (kif, csa, usi):
        assert notation.read(notation.write(record)).start == game.start()


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_white_begins_with_fewer_marbles(layout: str, number: int) -> None:
    game = make("abalone", {"layout": layout, HANDICAP: str(number)})
    start = game.start()
    assert start.ejected == (number, 0)
    assert game.pieces(start)["out.white"].count == number
    assert game.parse_position(game.position_text(start)) == start
    assert game.turn(start) == 0


def test_black_wins_after_fewer_pushes() -> None:
    """Where white began without four marbles, the second one that black pushes off is the sixth."""
    game = make("abalone", {HANDICAP: "4"})
    assert game.start().ejected == (4, 0)
    match = Match.begin(game, game.parse_position(TWO_ON_THE_RIM))
    for text in ("e3e2", "i5h4", "d3d2"):
        assert match.outcome is None
        match = match.play(game.parse_move(match.position, text))
    assert match.outcome is not None
    assert (match.outcome.winners, match.outcome.points[0]) == ({0}, 6)


@pytest.mark.parametrize("name", NAMES)
def test_a_game_by_default_is_even(name: str) -> None:
    game = make(name)
    assert not game.is_handicap
    match = Match.begin(game)
    assert match.turn in (0, CHANCE)
