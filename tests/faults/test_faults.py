"""Faults on the wires while hands play: the record stays right, and each fault is reported once."""

from __future__ import annotations

import asyncio
from random import Random
from time import perf_counter

import pytest

from hardware.interrupt import UNHEARD
from tests.faults import runs
from tests.faults import wires as wire_faults
from tests.faults.faulty_match import Costs, FaultyMatch, misread_without_faults, run
from tests.faults.tally import Tally
from tests.faults.unseen import play_in_real_time

REED = ("robot-duel", "square-reed")
HALL = ("robot-duel", "square-hall")


def spotless(tally: Tally) -> bool:
    found = [*tally.wrong, *tally.crashed, *tally.amiss, *tally.stopped]
    assert not found, found
    return bool(tally.moves)


@pytest.mark.parametrize(("board", "number"), [(REED, 12), (HALL, 5)])
def test_faults_of_every_kind_end_no_game_and_are_reported_once(
    board: tuple[str, str], number: int
) -> None:
    tally = runs.each(number, 3, [board])
    assert spotless(tally)
    assert tally.reported.total() == tally.cleared.total() > 1


def test_transient_faults_leave_nothing_wrong() -> None:
    assert spotless(runs.transient(15, 1, [REED]))


def test_play_goes_on_among_chips_that_come_and_go() -> None:
    tally = runs.many(150, 1, [REED])
    assert spotless(tally)
    assert tally.injected.total() > 5


def test_hands_that_play_on_unseen_leave_nothing_wrong() -> None:
    tally = runs.gaps(1, 3, [HALL])
    assert spotless(tally)
    assert tally.done["unseen"] > 1


def test_a_fault_that_is_never_reported_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def unseen(
        wires: wire_faults.FaultyWires, rng: Random, seconds: float
    ) -> wire_faults.WireFault:
        return wire_faults.WireFault("unseen", 0.0, None, frozenset(), 1)

    def unforeseen(
        wires: wire_faults.FaultyWires, rng: Random, seconds: float
    ) -> wire_faults.WireFault:
        wires.board.reset(0x20)
        return wire_faults.WireFault("unforeseen", 0.0, None, frozenset())

    monkeypatch.setattr(wire_faults, "TRANSIENT", (unseen, unforeseen))
    amiss = "".join(runs.transient(4, 1, [REED]).amiss)
    assert "unseen for 0.00 s: never reported" in amiss
    assert "unforeseen for 0.00 s: reported as something else: {('reset', 32): 1}" in amiss


def test_a_late_report_of_int_after_it_is_whole_is_accepted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def cut(wires: wire_faults.FaultyWires, rng: Random, seconds: float) -> wire_faults.WireFault:
        def end() -> None:
            wires.line.fault = UNHEARD
            asyncio.get_running_loop().call_later(0.03, wires.fell)

        return wire_faults.WireFault("INT missing", 0.1, end, frozenset({("unheard", None)}))

    monkeypatch.setattr(wire_faults, "TRANSIENT", (cut,))
    tally = runs.transient(3, 1, [REED])
    assert spotless(tally)
    assert tally.reported == tally.cleared == {"INT missing": 3}


def test_a_wrong_move_on_the_record_is_found() -> None:
    async def claim_another_move(faulty: FaultyMatch, rng: Random) -> None:
        while not faulty.read:
            await asyncio.sleep(1.0)
        faulty.truth[0] = "A1A2+"
        await asyncio.sleep(1e9)

    played = run("robot-duel", "square-reed", 1, claim_another_move, Costs(perf_counter), plies=2)
    assert "A1A2+" in played.wrong[0]
    played.wrong[1] = "wrong with faults only"
    assert misread_without_faults(*REED, played) == {0}
    played.stopped = "people could not go on"
    for played.stopped_at, counted in ((0, 0), (1, 1)):
        tally = Tally()
        tally.add("a game", played, misread_without_faults(*REED, played))
        assert len(tally.stopped) == counted


# ---- the long runs


@pytest.mark.deep
def test_many_faults_of_every_kind() -> None:
    assert spotless(runs.each(1000, 5))


@pytest.mark.deep
def test_many_transient_faults() -> None:
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
    played, page, hung = play_in_real_time("shogi", "square-reed", 5, [2.0, 3.0, 1.0])
    assert hung == 3
    assert not played.wrong
    assert not played.stopped
    assert not page.error
    assert played.done["read"] + played.done["asked"] > 2
    assert max(page.answers)[0] < 2.0  # none waited for the wires; whatever else the machine does
