"""What a board costs while it plays: which time belongs to which frame, move and part."""

from __future__ import annotations

from random import Random

import pytest

from benchmarks import path
from benchmarks.play_cost import Ledger, Spent, begins, fates, played
from benchmarks.reading_watcher import ANSWER_S, Watcher
from engine.games import make
from engine.reading.footprints import Sight
from hardware import layout
from tests.support.random_games import play_random
from tests.support.recorded import Recorded


def test_time_is_booked_to_the_last_frame_and_to_the_move_of_that_moment() -> None:
    ledger = Ledger([3.0, 1.0])
    ledger.book(0.5, Spent(level=1.0))  # before the first frame and the first move
    for at, spent in ((1.0, Spent(level=2.0)), (2.9, Spent(search=4.0)), (3.0, Spent(level=8.0))):
        if spent.level:
            ledger.frame()
        ledger.book(at, spent)
    ledger.book(3.5, Spent(lights=16.0), called=False)
    assert ledger.cost.frames == [Spent(2.0, 4.0), Spent(8.0, lights=16.0)]
    assert ledger.cost.moves == [Spent(2.0, 4.0), Spent(8.0, lights=16.0)]
    assert ledger.cost.calls == [1.0, 2.0, 4.0, 8.0]


def test_moves_are_right_wrong_or_open() -> None:
    recorded = Recorded({}, [], (), ["a", "b", "c", "d"])
    assert fates(recorded, (("a",), ("x",), ("c", "x"))) == {"right": 1, "wrong": 1, "open": 2}
    assert fates(recorded, (*(("a",), ("b",), ("c",), ("d",)), ("e",)))["wrong"] == 1


@pytest.fixture(scope="module")
def game_with_takebacks() -> Recorded:
    """Some plies of Robotory on a board that cannot tell the colours, so that questions arise."""
    game = make("robotory")
    return play_random(game, Random(5), plies=6, takebacks=0.4, answers=None, period=0.002)


def test_a_session_is_timed_with_people_who_answer(game_with_takebacks: Recorded) -> None:
    recorded, game = game_with_takebacks, make("robotory")
    sight = Sight(game, "presence")
    assert any(truth.back for truth in recorded.truth)
    watcher = Watcher(recorded, game, sight, game.start())
    watcher.watch()
    cost = played(recorded, game, sight, game.start())
    assert cost.fates == fates(recorded, watcher.history[-1][1])
    assert watcher.answers, "nobody was asked"
    assert cost.fates["open"] == 0
    assert len(cost.frames) == sum("places" in line for line in recorded.lines)
    assert len(cost.moves) == len(recorded.truth)
    assert sum(cost.calls) == pytest.approx(sum(frame.in_all for frame in cost.frames))
    assert any(frame.search > frame.level > 0.0 for frame in cost.frames)


def test_a_board_is_driven_and_drawn_as_by_the_host(game_with_takebacks: Recorded) -> None:
    recorded = game_with_takebacks
    made = layout.load("hex-reed")
    ledger = Ledger(begins(recorded))
    board = path.TimedBoard(made, "robotory", ledger)
    drawn: list[float] = []
    light = board.machine.light

    def noted(colours: object, now: float) -> None:
        drawn.append(now)
        light(colours, now)  # type: ignore[arg-type]

    board.machine.light = noted  # type: ignore[method-assign]
    watcher = Watcher(recorded, board.session.game, board.sight, None, board)
    final = watcher.watch()
    assert fates(recorded, final)["right"] > 0
    assert watcher.answers, "nobody was asked"
    asked = next(at for at, texts in watcher.history if any(len(each) > 1 for each in texts))
    pictures = [at for at in drawn if asked <= at < asked + ANSWER_S]
    assert len(pictures) >= 20  # a question is lit by lights that move
    assert all(frame.lights > 0.0 < frame.level for frame in ledger.cost.frames)
    assert sum(frame.search for frame in ledger.cost.frames) > 0.0
