"""What people say was played, as evidence."""

from __future__ import annotations

from engine.games import make
from engine.match import Match
from engine.reading.account import at_once
from engine.reading.evidence import MARGIN, UNNAMED
from engine.reading.footprints import Sight
from engine.reading.history import History
from engine.reading.reader import Reader
from engine.reading.sayings import Said


def reader(*texts: str) -> Reader:
    """Return a reader of Robotory on a board that shows no colours and no trays."""
    game = make("robotory")
    sight = Sight(game, unsensed=("stock", "pool"))
    line = History.of(Match.begin(game), sight)
    for text in texts:
        line = line.step(game.parse_move(line.match.position, text))
    return Reader([line], line.expected)


def costs(read: Reader, now: float) -> dict[str, float]:
    """Return the cost of each likely history, by its moves."""
    ends = at_once(read.decoder.ends(now, read.levels))
    return {", ".join(end.line.match.moves()): end.cost for end in ends}


def put(read: Reader, at: float, place: str) -> None:
    read.touch(at, place, 1)
    read.level(place, 1)


def test_a_history_without_the_named_move_pays() -> None:
    read = reader()
    put(read, 1.0, "a1")
    before = costs(read, 1.5)
    assert before["P w a1"] == before["P b a1"]
    read.say(Said(2.0, "P b a1"))
    after = costs(read, 2.5)
    assert after["P b a1"] == before["P b a1"]
    assert after.get("P w a1", UNNAMED) >= after["P b a1"] + UNNAMED


def test_a_move_that_no_history_can_hold_costs_nothing() -> None:
    read, silent = reader(), reader()
    for each in (read, silent):
        put(each, 1.0, "a1")
    read.say(Said(2.0, "P b c5"))
    assert costs(read, 2.5) == costs(silent, 2.5)


def test_a_move_that_no_sensor_shows_is_made_when_it_is_named() -> None:
    read = reader("P w e3", "P w a1")
    read.say(Said(2.0, "F 1w"))
    found = costs(read, 2.5)
    assert min(found, key=lambda moves: found[moves]) == "P w e3, P w a1, F 1w"


def test_a_move_that_is_named_again_may_have_been_made_again() -> None:
    """Both histories are kept: the next move tells whose turn it was."""
    read = reader("P w e3", "P w a1")
    read.say(Said(2.0, "F 1w"))
    read.say(Said(3.5, "F 1w"))
    at_once(read.decoder.ends(4.0, read.levels))
    at_once(read.decoder.ends(5.0, read.levels))
    kept = {tuple(each.line.match.moves()[2:]) for each in read.decoder.hypotheses}
    assert {("F 1w",), ("F 1w", "F 1w")} <= kept


def test_the_next_player_may_move_before_it_is_said_what_came_before() -> None:
    game = make("robotory")
    sight = Sight(game, "polarity", ("stock", "pool"))
    start = game.parse_position(".......W.....B....R...../0w2b:2w0b 9w9b l")
    line = History.of(Match.begin(game, start), sight)
    read = Reader([line], line.expected)
    for at, place in ((1.0, "d1"), (1.2, "a3")):  # dark has no black token: nothing explains a3
        read.touch(at, place, -1)
        read.level(place, -1)
    read.say(Said(4.0, "F 1w1b"))
    found = costs(read, 4.5)
    best = min(found, key=lambda moves: found[moves])
    assert best == "P b d1, F 1w1b, P b a3"
    assert all(cost > found[best] + MARGIN for moves, cost in found.items() if moves != best)


def test_a_button_may_be_pressed_before_the_sensors_have_been_read() -> None:
    read = reader("P w e3", "P w a1")
    read.say(Said(2.0, seat=0))
    assert costs(read, 2.0)["P w e3, P w a1, F 1w"] < UNNAMED
    put(read, 2.03, "b1")
    found = costs(read, 2.5)
    best = {moves for moves, cost in found.items() if cost < min(found.values()) + MARGIN}
    assert best == {"P w e3, P w a1, P w b1", "P w e3, P w a1, P b b1"}
