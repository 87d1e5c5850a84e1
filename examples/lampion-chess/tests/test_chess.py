"""Chess, the example of a package that adds a game by the public contract only."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from random import Random

import pytest

from engine.game import IllegalMoveError, MoveError, PositionError
from firmware_host.simulation.gesture_plan import Planner

pytest.importorskip("chess", reason="python-chess is not installed: pip install chess")

from lampion_chess import Chess

GAME = Chess()
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def test_its_moves_are_those_of_chess() -> None:
    assert GAME.perft(GAME.start(), 3) == 8_902
    assert GAME.perft(GAME.parse_position(KIWIPETE), 2) == 2_039


def test_every_picture_of_the_rules_card_shows_moves() -> None:
    card = tomllib.loads((files("lampion_chess") / "rules.toml").read_text(encoding="utf-8"))
    for picture in card["picture"]:
        position = GAME.parse_position(picture["position"])
        moves = [GAME.move_text(position, move) for move in GAME.legal(position)]
        assert any(move.startswith(picture["place"]) for move in moves), picture["title"]


def test_texts_go_there_and_back_and_nonsense_is_refused() -> None:
    position = GAME.parse_position(KIWIPETE)
    assert GAME.parse_position(GAME.position_text(position)) == position
    for move in GAME.legal(position):
        assert GAME.parse_move(position, GAME.move_text(position, move)) == move
    with pytest.raises(PositionError, match="is no position"):
        GAME.parse_position("eight pawns")
    with pytest.raises(PositionError, match="cannot be"):
        GAME.parse_position("8/8/8/8/8/8/8/8 w - - 0 1")
    with pytest.raises(MoveError, match="is no move"):
        GAME.parse_move(position, "castles")
    with pytest.raises(IllegalMoveError, match="not legal"):
        GAME.parse_move(position, "e1e8")


@pytest.mark.parametrize(
    ("fen", "reason", "winners"),
    [
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", "checkmate", {1}),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "stalemate", set()),
        ("7k/8/6K1/8/8/8/8/8 b - - 0 1", "insufficient-material", set()),
    ],
)
def test_how_it_ends(fen: str, reason: str, winners: set[int]) -> None:
    position = GAME.parse_position(fen)
    outcome = GAME.outcome(position)
    assert outcome is not None
    assert (outcome.reason, outcome.winners) == (reason, winners)
    assert GAME.legal(position) == ()


def test_the_fifth_time_is_a_draw() -> None:
    positions = [GAME.start()]
    shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"] * 4
    positions += GAME.replay(GAME.start(), shuffle)
    assert GAME.outcome(positions[12], positions[:12]) is None
    assert GAME.outcome(positions[16], positions[:16]) is not None


def test_castling_en_passant_and_promotion_are_read_from_hands() -> None:
    planner, rng = Planner(GAME), Random(0)

    def work(fen: str, move: str):  # type: ignore[no-untyped-def]
        position = GAME.parse_position(fen)
        return planner.actions(position, GAME.parse_move(position, move), rng)

    castling = work(KIWIPETE, "e1g1")
    assert [(e.start, e.end) for e in castling.carried] == [("e1", "g1"), ("h1", "f1")]
    passing = work("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6")
    assert [(e.start, e.end) for e in passing.carried] == [("e5", "d6")]
    assert [(e.start, e.end) for e in passing.taken] == [("d5", None)]
    crowned = work("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8n")
    assert crowned.carried[0].swapped
    sliding = work("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "a1a4")
    assert sliding.carried[0].via == ("a2", "a3")
