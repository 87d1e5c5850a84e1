"""Chaturaji: what holds in random games under random options, and fast random plies."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from engine.game import Claim, Game, IllegalMoveError, Throw
from engine.games.chaturaji import Chaturaji, Move, Position

GAME = Chaturaji()
START = GAME.start()

# ---- random games under random options

OPTIONS = [option for option in Chaturaji.known_options if option.name != "seats"]
PLAIN_CLAIMS = {"resign", "agree", "exchange no"}


def random_options(rng: random.Random) -> dict[str, Any]:
    chosen = {
        option.name: rng.choice([value for value in option.values if ".." not in value])
        for option in OPTIONS
        if rng.random() < 0.4
    }
    return chosen | {"teams": rng.random() < 0.6, "stagnation_turns": rng.choice([30, 60])}


def random_play(game: Chaturaji, rng: random.Random) -> Iterator[tuple[Position, Any]]:
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
        men = [piece for place, piece in standing.items() if place != "graveyard"]
        assert max(Counter(man for man in men if man.kind != "P").values()) == 1
        if move is None:
            outcome = game.outcome(position)
            assert outcome is not None, text
            assert outcome.reason in game.endings
            break
        assert game.parse_move(position, game.move_text(position, move)) == move
        if isinstance(move, Move):
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
                    move = Move(origin, target, promotes)
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


# ---- fast random plies


class Drawn:
    """A source of chance whose draws are fixed: the die, then the choice as a share of all."""

    def __init__(self, die: int, share: float) -> None:
        self._die, self._share = die, share

    def getrandbits(self, k: int) -> int:
        choice = int(self._share * 2**30)
        return choice << 2 | self._die - 2 if k == 32 else choice


@pytest.mark.parametrize("options", [{}, {"parade": False}, {"end": "first_raja_lost"}])
def test_fast_plies_do_what_the_rules_allow(options: dict[str, Any]) -> None:
    game = Chaturaji(options)
    rng = random.Random("fast")
    tried = 0
    for _ in range(16):
        position = game.start()
        while game.legal(position):
            position, _ = game.random_plies(position, rng, 7)
            if position.ended or position.dice:
                continue
            for die in (2, 3, 4, 5):
                thrown = game.play(position, Throw((die,)))
                moves = game.legal(thrown)
                shares = [(number + 0.5) / len(moves) for number in range(len(moves))]
                found = [game.random_plies(position, Drawn(die, share), 1) for share in shares]
                assert all(played == 1 for _, played in found)
                assert {after for after, _ in found} == {game.play(thrown, m) for m in moves}
                tried += 1
    assert tried > 200


def test_fast_plies_go_on_from_a_throw_and_stop_at_the_end() -> None:
    thrown = GAME.play(START, Throw((4,)))
    after, played = GAME.random_plies(thrown, random.Random(1), 1)
    assert (after.seat, after.dice, played) == (1, (), 1)
    assert GAME.random_plies(START, random.Random(1), 0) == (START, 0)
    for seed in range(20):
        end, played = GAME.random_plies(START, random.Random(seed), 5000)
        assert GAME.outcome(end) is not None
        assert played < 5000
        assert GAME.random_plies(end, random.Random(1), 5) == (end, 0)


def test_fast_plies_meet_every_man_alike() -> None:
    """All throws are equally likely, and all moves that a throw allows."""
    rng = random.Random(5)
    seen = Counter(GAME.random_plies(START, rng, 1)[0] for _ in range(12_000))
    assert len(seen) == 1 + 2 + 1 + 6
    for position, count in seen.items():
        moved = next(
            die
            for die in (2, 3, 4, 5)
            for thrown in [GAME.play(START, Throw((die,)))]
            if position in [GAME.play(thrown, move) for move in GAME.legal(thrown)]
        )
        share = {2: 1, 3: 2, 4: 1, 5: 6}[moved]
        assert abs(count - 3000 / share) < 4 * (3000 / share) ** 0.5


@pytest.mark.parametrize(
    "options", [{"teams": True}, {"dice": 2}, {"dice": 0}, {"ranks": True}, {"must_move": False}]
)
def test_random_plies_under_other_options(options: dict[str, Any]) -> None:
    game = Chaturaji(options)
    end, played = game.random_plies(START, random.Random(3), 3000)
    assert game.parse_position(game.position_text(end)) == end
    assert game.outcome(end) is not None or played == 3000
