"""The ways in which plies and takebacks end: what each records, and what it pays."""

from __future__ import annotations

from typing import Any

import pytest

from engine.game import Throw
from engine.games import make
from engine.match import Match
from engine.reading.account import at_once
from engine.reading.evidence import MISSED, NUDGED, OUT_OF_ORDER, TAKEN_BACK, TOO_QUICK
from engine.reading.footprints import Sight
from engine.reading.history import History
from engine.reading.hypothesis import Hypothesis, Way
from engine.reading.reader import Reader
from engine.reading.sayings import Said

NO_STOCK = {"unsensed": ("stock", "pool")}
EATS = ".ww...W.....B....R....../2w2b:1w0b 7w7b l"


def reader(
    name: str, *texts: str, position: str = "", sensing: str = "presence", **more: Any
) -> Reader:
    game = make(name)
    start = game.parse_position(position) if position else game.start()
    line = History.of(Match.begin(game, start), Sight(game, sensing, **more))
    for text in texts:
        line = line.step(game.parse_move(line.match.position, text))
    return Reader([line], line.expected)


def touch(read: Reader, *edges: tuple[float, str, int]) -> Reader:
    for at, place, reading in edges:
        read.touch(at, place, reading)
        read.level(place, reading)
    return read


def after(read: Reader, now: float, way: Way) -> Hypothesis:
    """Return the cheapest hypothesis whose last ply ended in this way."""
    ends = at_once(read.decoder.ends(now, read.levels))
    return next(end.hypothesis for end in ends if end.hypothesis.ply.way is way)


def test_a_piece_that_arrives_pays_nothing() -> None:
    found = after(touch(reader("robot-duel"), (1.0, "C4", 0), (1.4, "C3", 1)), 3.0, Way.ARRIVED)
    ply, hand = found.ply, found.ply.hand
    assert (found.line.match.moves(), found.at, ply.paid) == (["C4C3"], 1.4, {})
    assert (hand.places, hand.started_at) == ({"C3", "C4"}, 1.0)
    assert (ply.taken_back, ply.past[1], found.charged) == (0, 0.0, {})
    assert ply.before is not None
    assert ply.before.way is Way.START


def test_a_nudged_piece_is_charged_beside_the_ply() -> None:
    edges = (1.0, "A4", 0), (1.3, "A4", 1), (2.0, "C4", 0), (2.4, "C3", 1)
    found = after(touch(reader("robot-duel"), *edges), 4.0, Way.ARRIVED)
    assert (found.ply.paid, found.charged, found.cost) == ({}, {"nudged": NUDGED}, NUDGED)


def test_the_last_piece_of_several_is_taken_away() -> None:
    read = reader("robotory", position=EATS, sensing="polarity", **NO_STOCK)
    edges = (1.0, "b3", 0), (1.3, "a3", 0), (1.4, "a3", 1), (1.8, "a2", 0)
    found = after(touch(read, *edges), 4.0, Way.REMOVED)
    assert (found.line.match.moves(), found.at, found.ply.paid) == (["M W b3-a2-a3"], 1.8, {})
    assert found.ply.hand.started_at == 1.0


def test_a_start_that_is_released_late_pays_for_it() -> None:
    found = after(touch(reader("robot-duel"), (1.0, "C3", 1), (1.4, "C4", 0)), 4.0, Way.RELEASED)
    assert (found.at, found.ply.paid) == (1.4, {"out_of_order": OUT_OF_ORDER})


def test_a_lift_alone_pays_for_a_capture_that_nobody_saw_and_a_part_is_refunded() -> None:
    found = after(touch(reader("robot-duel", unsensed=("hand",)), (1.0, "B3", 0)), 4.0, Way.LIFTED)
    ply = found.ply
    assert (found.line.match.moves(), found.at, ply.paid) == (["B3B2"], 1.0, {"missed": MISSED})
    assert ply.refundable == pytest.approx(MISSED - TOO_QUICK)
    assert found.open == frozenset()


def test_a_ply_that_only_trays_show_pays_nothing_and_leaves_the_hand_before_it() -> None:
    read = reader("robotory", "P w e3", sensing="polarity")
    touch(read, (1.0, "stock.dark.w", 1), (1.2, "a1", 1), (3.0, "stock.light.w", 2))
    found = after(read, 5.0, Way.IN_TRAYS)
    assert (found.line.match.moves()[1:], found.at) == (["P w a1", "F 1w"], 3.0)
    assert (found.ply.paid, found.ply.hand.places) == ({}, {"a1"})


def test_what_people_say_is_a_ply_at_that_time() -> None:
    read = reader("robotory", "P w e3", "P w a1", **NO_STOCK)
    read.say(Said(2.0, "F 1w"))
    found = after(read, 3.0, Way.SAID)
    assert (found.line.match.text, found.at, found.ply.paid) == ("F 1w", 2.0, {})


def test_a_piece_that_is_put_back_is_a_takeback_without_a_beginning() -> None:
    edges = (1.0, "C4", 0), (1.4, "C3", 1), (2.0, "C3", 0), (2.4, "C4", 1)
    found = after(touch(reader("robot-duel"), *edges), 4.0, Way.PUT_BACK)
    ply = found.ply
    assert (found.line.match.moves(), found.at, ply.paid) == ([], 2.4, {"taken_back": TAKEN_BACK})
    assert (ply.taken_back, found.plies_made, ply.hand.started_at) == (1, 1, 0.0)
    assert ply.line is not None
    assert ply.line.match.text == "C4C3", "the ply that it takes back"


def test_a_takeback_after_a_throw_names_the_move_and_not_the_throw() -> None:
    read = reader("chaturaji")
    read.throw(Throw((2,)))
    touch(read, (1.0, "a1", 0), (1.4, "c3", 1))
    read.show([after(read, 3.0, Way.ARRIVED).line], 1.4)
    read.throw(Throw((2,)))
    found = after(touch(read, (5.0, "c3", 0), (5.4, "a1", 1)), 8.0, Way.PUT_BACK)
    assert found.ply.line is not None
    assert (found.ply.line.match.text, found.ply.taken_back) == ("a1c3", 1)


def test_a_takeback_by_a_lift_keeps_the_time_and_the_hand_of_its_ply() -> None:
    read = touch(reader("robotory", **NO_STOCK), (1.0, "a1", 1), (3.0, "a1", 0))
    found = after(read, 8.0, Way.LIFTED_BACK)
    assert (found.line.match.moves(), found.at, found.only_lifted) == ([], 1.0, True)
    assert (found.ply.paid, found.ply.hand.places) == ({"taken_back": TAKEN_BACK}, {"a1"})


def test_what_was_before_old_plies_is_forgotten() -> None:
    read = touch(reader("robot-duel"), (1.0, "C4", 0), (1.4, "C3", 1))
    read.show([after(read, 3.0, Way.ARRIVED).line], 1.4)
    touch(read, (30.0, "A1", 0), (30.4, "A2", 1))
    latest = after(read, 40.0, Way.ARRIVED)
    assert len(list(latest.ply.latest())) == 3
    read.show([latest.line], 30.4)
    at_once(read.rest(40.0))
    assert len(list(read.decoder.hypotheses[0].ply.latest())) == 2
