"""`candidates` leaves out no legal move that touches the places."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from engine.game import Pass, Place, Throw
from engine.games import NAMES, make
from engine.match import Match
from engine.reading.footprints import Sight
from engine.reading.history import History

FULL = "wbwbwbWbwbwbBwbwbRwbwbwb/1w1b:0w1b 1w1b l"


def positions(game: Any, rng: Random, count: int) -> Iterator[tuple[Any, list[Any]]]:
    """Yield positions of random games, with their moves by hand."""
    position = game.start()
    while count:
        legal = game.legal(position)
        if not legal:
            position = game.start()
            continue
        moves = [move for move in legal if not isinstance(move, Throw | Pass)]
        if moves:
            yield position, moves
            count -= 1
        position = game.play(position, rng.choice(legal))


def questions(game: Any, position: Any, moves: Any, rng: Random) -> Iterator[Any]:
    """Yield questions as of a reader: some places of some moves, and others."""
    cells = set(game.cells())
    changed = set(game.changes(position, rng.choice(moves)))
    others = set(game.changes(position, rng.choice(moves))) & cells
    one = {rng.choice(game.cells())}
    yield frozenset(), None
    yield frozenset(changed), None
    yield frozenset(changed - cells), None
    yield frozenset(one), None
    yield frozenset(changed & cells), frozenset(changed & cells)
    yield frozenset(), frozenset(changed & cells | others | one)
    yield frozenset(others), frozenset(changed & cells | others)
    yield frozenset(one), frozenset(changed & cells | one)


@pytest.mark.parametrize("name", NAMES)
def test_no_move_is_left_out(name: str) -> None:
    game, rng = make(name), Random(name)
    cells = set(game.cells())
    for position, moves in positions(game, rng, 80):
        pieces = game.pieces(position)
        for touched, within in questions(game, position, moves, rng):
            found = game.candidates(position, touched, within)
            assert len(found) == len(set(found))
            assert set(found) <= set(game.legal(position))
            for move in set(moves).difference(found):
                changed = game.changes(position, move)
                toggled = {
                    place
                    for place, piece in changed.items()
                    if place in cells and (piece is None) != (place not in pieces)
                }
                assert not touched <= changed.keys() | game.path(position, move) or (
                    within is not None and not toggled <= within
                ), (position, move, touched, within)


@pytest.mark.parametrize("name", NAMES)
def test_a_line_knows_the_moves_that_leave_touch_or_use_something(name: str) -> None:
    game, rng = make(name), Random(name)
    sight = Sight(game, "presence")
    for position, _ in positions(game, rng, 25):
        line = History.of(Match.begin(game, position), sight, frozenset({rng.choice(game.cells())}))
        every = list(line.possible)
        for each in rng.sample(every, min(len(every), 8)):
            alike = {other.move for other in every if other.differs == each.differs}
            assert {other.move for other in line.possible.leaving(each.differs)} == alike
            over = {other.move for other in every if other.around >= each.cells}
            assert {other.move for other in line.possible.touching(each.cells)} == over
            places = {place for place, _ in each.differs} | {rng.choice(game.cells())}
            inside = {o.move for o in every if all(place in places for place, _ in o.differs)}
            assert {other.move for other in line.possible.within(places)} == inside
            for tray in each.trays:
                users = {
                    other.move
                    for other in every
                    if other.tray == tray or (tray in other.trays and not other.cells)
                }
                assert {other.move for other in line.possible.using(tray)} == users


def arrivals(game: Any, position: Any, moves: Any) -> set[Place]:
    return {
        place
        for move in moves
        for place, piece in game.changes(position, move).items()
        if piece is not None and place in game.cells()
    }


def test_of_many_thousands_there_is_one_for_every_cell_and_all_that_change_nothing_else() -> None:
    game, rng = make("robotory"), Random(3)
    position = game.parse_position(FULL)
    legal = game.legal(position)
    found = game.candidates(position, frozenset())
    assert len(found) < len(legal) / 50
    assert arrivals(game, position, found) == arrivals(game, position, legal)
    for _ in range(30):
        move = rng.choice(legal)
        changed = frozenset(game.changes(position, move)).intersection(game.cells())
        assert move in game.candidates(position, changed)
        assert move in game.candidates(position, changed, changed)
        assert move in game.candidates(position, changed - {move.to}, changed - {move.to})
