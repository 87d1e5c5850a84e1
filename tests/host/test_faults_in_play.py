"""Faults on the wires while hands play: nothing wrong on the record, each told once and cleared."""

from __future__ import annotations

import asyncio
from random import Random
from time import perf_counter

import pytest

from hardware.interrupt import UNHEARD
from tests.faults import hangs, runs
from tests.faults import wires as faults_wires
from tests.faults.again import misread_anyway
from tests.faults.backend import Costs
from tests.faults.play import FaultyTable, run
from tests.faults.tally import Tally

REED = ("robot-duel", "square-reed")
HALL = ("robot-duel", "square-hall")


def spotless(tally: Tally) -> bool:
    found = [*tally.wrong, *tally.crashed, *tally.amiss, *tally.stopped]
    assert not found, found
    return bool(tally.moves)


@pytest.mark.parametrize(("board", "number"), [(REED, 12), (HALL, 5)])
def test_faults_of_every_kind_end_no_game_and_are_told_once(
    board: tuple[str, str], number: int
) -> None:
    tally = runs.each(number, 3, [board])
    assert spotless(tally)
    assert tally.told.total() == tally.over.total() > 1


def test_faults_that_are_over_soon_leave_nothing_wrong() -> None:
    assert spotless(runs.transient(15, 1, [REED]))


def test_play_goes_on_among_chips_that_come_and_go() -> None:
    tally = runs.many(150, 1, [REED])
    assert spotless(tally)
    assert tally.injected.total() > 5


def test_hands_that_play_on_unseen_leave_nothing_wrong() -> None:
    tally = runs.gaps(2, 2, [HALL])
    assert spotless(tally)
    assert tally.done["unseen"] > 1


def test_a_fault_that_nobody_tells_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def unseen(
        wires: faults_wires.FaultyWires, rng: Random, seconds: float
    ) -> faults_wires.WireFault:
        return faults_wires.WireFault("unseen", 0.0, None, frozenset(), 1)

    def unforeseen(
        wires: faults_wires.FaultyWires, rng: Random, seconds: float
    ) -> faults_wires.WireFault:
        wires.board.reset(0x20)
        return faults_wires.WireFault("unforeseen", 0.0, None, frozenset())

    monkeypatch.setattr(faults_wires, "TRANSIENT", (unseen, unforeseen))
    amiss = "".join(runs.transient(4, 1, [REED]).amiss)
    assert "unseen for 0.00 s: never told" in amiss
    assert "unforeseen for 0.00 s: told as something else: {('reset', 32): 1}" in amiss


def test_what_is_told_of_int_just_after_it_is_whole_is_given_its_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def cut(wires: faults_wires.FaultyWires, rng: Random, seconds: float) -> faults_wires.WireFault:
        def end() -> None:
            wires.line.fault = UNHEARD
            asyncio.get_running_loop().call_later(0.03, wires.fell)

        return faults_wires.WireFault("INT missing", 0.1, end, frozenset({("unheard", None)}))

    monkeypatch.setattr(faults_wires, "TRANSIENT", (cut,))
    tally = runs.transient(3, 1, [REED])
    assert spotless(tally)
    assert tally.told == tally.over == {"INT missing": 3}


def test_a_wrong_move_on_the_record_is_found() -> None:
    async def meant_otherwise(table: FaultyTable, rng: Random) -> None:
        while not table.read:
            await asyncio.sleep(1.0)
        table.truth[0] = "A1A2+"
        await asyncio.sleep(1e9)

    table = run("robot-duel", "square-reed", 1, meant_otherwise, Costs(perf_counter), plies=2)
    assert "A1A2+" in table.wrong[0]
    table.wrong[1] = "what only a fault has done"
    assert misread_anyway(*REED, table) == {0}
    table.stopped = "people could not go on"
    for table.stopped_at, counted in ((0, 0), (1, 1)):
        tally = Tally()
        tally.add("a game", table, misread_anyway(*REED, table))
        assert len(tally.stopped) == counted


# ---- the long runs


@pytest.mark.deep
def test_many_faults_of_every_kind() -> None:
    assert spotless(runs.each(1000, 5))


@pytest.mark.deep
def test_many_faults_that_are_over_soon() -> None:
    """Of 300 faults on each board one left a wrong move, in Robotory: one way of a robot was read
    as two. Nowhere else is there any.
    """
    tally = runs.transient(300, 5)
    robotory = [each for each in tally.wrong if each.startswith("robotory ")]
    tally.wrong = [each for each in tally.wrong if each not in robotory]
    assert spotless(tally)
    assert len(robotory) <= 1, robotory


@pytest.mark.deep
def test_hands_that_play_on_unseen_on_every_board() -> None:
    assert spotless(runs.gaps(40, 3))


@pytest.mark.deep
def test_hands_play_on_while_the_bus_hangs() -> None:
    played, page, hung = hangs.play("shogi", "square-reed", 5, [2.0, 3.0, 1.0])
    assert hung == 3
    assert not played.wrong
    assert not played.stopped
    assert not page.error
    assert played.done["read"] + played.done["asked"] > 2
    assert max(page.answers)[0] < 2.0  # none waited for the wires; whatever else the machine does
