"""The words of USI for moves and positions."""

from __future__ import annotations

from random import Random

import pytest

from engine.game import GameError
from engine.games import make
from engine.match import Match
from engine.notation.usi import move_of, move_word, position_word


@pytest.mark.parametrize("name", ["shogi", "robot-duel"])
def test_words_for_moves_go_both_ways(name: str) -> None:
    game, rng = make(name), Random(4)
    match = Match.begin(game)
    assert position_word(game, match.position) == "startpos"
    for _ in range(80):
        for move in match.legal:
            word = move_word(game, match.position, move)
            assert move_of(game, match.position, word) == move
        if match.outcome:
            break
        match = match.play(rng.choice(list(match.legal)))
    assert position_word(game, match.position).startswith("sfen ")
    for nonsense in ("", "7g", "1a1a1a", "Z*1a", "--", "a1b2"):
        with pytest.raises(GameError):
            move_of(game, match.position, nonsense)


def test_robot_duel_is_written_as_engines_know_it() -> None:
    game = make("robot-duel")
    match = Match.begin(game)
    assert move_word(game, match.position, game.parse_move(match.position, "C4C3")) == "1d1c"
    assert move_word(game, match.position, game.parse_move(match.position, "B3B2")) == "2c2b"
