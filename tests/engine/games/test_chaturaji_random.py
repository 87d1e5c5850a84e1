"""Chaturaji: what holds in random games under random options."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from engine.game import Claim, Game, IllegalMoveError
from engine.games.chaturaji import Chaturaji, ChaturajiMove, ChaturajiPosition

# ---- random games under random options

OPTIONS = [option for option in Chaturaji.known_options if option.name != "seats"]
PLAIN_CLAIMS = {"resign", "flag", "agree", "exchange no"}


def random_options(rng: random.Random) -> dict[str, Any]:
    chosen = {
        option.name: rng.choice([value for value in option.values if ".." not in value])
        for option in OPTIONS
        if rng.random() < 0.4
    }
    return chosen | {"teams": rng.random() < 0.6, "stagnation_turns": rng.choice([30, 60])}


def random_play(game: Chaturaji, rng: random.Random) -> Iterator[tuple[ChaturajiPosition, Any]]:
    """Yield the positions of a game to its end, claims included, each with the move that follows;
    special claims are made whenever they can be.
    """
    position = game.start()
    while moves := game.legal(position):
        move: Any = rng.choice(moves)
        claims = [claim for seat in range(4) for claim in game.claims(position, seat)]
        special = [claim for claim in claims if claim.text not in PLAIN_CLAIMS]
        if special and rng.random() < 0.6:
            move = rng.choice(special)
        elif rng.random() < 0.003:
            move = rng.choice(claims)
        yield position, move
        position = game.play(position, move)
    yield position, None


@pytest.mark.parametrize(
    "seed", [*range(6), *(pytest.param(seed, marks=pytest.mark.deep) for seed in range(6, 16))]
)
def test_random_games_under_random_options(seed: int) -> None:
    rng = random.Random(f"options {seed}")
    game = Chaturaji(random_options(rng))
    plies = 0
    for position, move in random_play(game, rng):
        text = game.position_text(position)
        assert game.parse_position(text) == position
        standing = game.pieces(position)
        assert sum(piece.count for piece in standing.values()) == 32
        pieces = [piece for place, piece in standing.items() if place != "graveyard"]
        assert max(Counter(piece for piece in pieces if piece.kind != "P").values()) == 1
        if move is None:
            outcome = game.outcome(position)
            assert outcome is not None, text
            assert outcome.reason in game.endings
            break
        assert game.parse_move(position, game.move_text(position, move)) == move
        if isinstance(move, ChaturajiMove):
            assert game.parse_move(position, game.record_text(position, move)) == move
        if not isinstance(move, Claim):
            assert game.changes(position, move) == Game.changes(game, position, move)
        plies += 1
    assert plies > 20


@pytest.mark.parametrize("seed", range(6))
def test_legal_moves_are_exactly_those_that_play_accepts(seed: int) -> None:
    rng = random.Random(f"legal {seed}")
    game = Chaturaji(random_options(rng))
    cells = game.cells()
    for position, _ in random_play(game, rng):
        if rng.random() > 0.01:
            continue
        legal = set(game.legal(position))
        for origin in cells:
            for target in cells:
                for promotes in ("", "B", "H", "E", "K"):
                    move = ChaturajiMove(origin, target, promotes)
                    if move in legal:
                        assert game.play(position, move) != position
                    elif promotes == "" or rng.random() < 0.02:
                        with pytest.raises(IllegalMoveError):
                            game.play(position, move)


def test_perft_is_what_playing_counts() -> None:
    rng = random.Random("perft")
    for _ in range(6):
        game = Chaturaji(random_options(rng))
        positions = [position for position, _ in random_play(game, rng)]
        for position in rng.sample(positions, 3):
            assert game.leaves(position) == Game.leaves(game, position), (game, position)
