"""A command based on an old revision is refused only if its subject has changed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from firmware_host.i18n.messages import say
from firmware_host.lights.signals import Light, Signal
from firmware_host.session import events
from firmware_host.text.status import OfferedMove, Ply
from firmware_host.web import protocol as ask
from firmware_host.web.commands import MOST_SUBJECTS, CommandHandler
from tests.support.stories import at_a_board
from tests.web.stub_host import Page, StubHost, page_of

LATE = "The game has gone on meanwhile; look again."


class Stale(NamedTuple):
    """A command, and the status when it is given."""

    kind: str
    fields: dict[str, Any]
    question: tuple[OfferedMove, ...] = ()
    game: str = "robot-duel"


QUESTION = (OfferedMove("B2B1", None, "no"), OfferedMove("B2B1+", "A1", "yes"))

COMMANDS = [
    Stale("press", {"button": "back"}),
    Stale("press", {"button": "B"}),
    Stale("choose", {"move": "B2B1"}, QUESTION),
    Stale("report", {"move": "B3B2"}),
    Stale("claim", {"seat": 0, "claim": "resign"}),
    Stale("throw", {"dice": [3]}, game="chaturaji"),
    Stale("play", {"move": "B3B2"}),
    Stale("match", {}),
    Stale("game", {"game": "robot-duel", "layout": "square-hall", "options": {}}),
]

ELSE_NOW: dict[str, Any] = {
    "plies": (Ply(1, 0, "A4A3"),),
    "question": (),
    "claims": {0: {"resign": say("A resigns: it is a draw.")}},
    "buttons": {"back": say("A4A3")},
}
"""A status in which the subject of each of these commands has changed."""


@pytest.fixture(params=COMMANDS, ids=lambda stale: f"{stale.kind}-{[*stale.fields.values()]}")
def stale(request: pytest.FixtureRequest) -> Stale:
    found: Stale = request.param
    return found


@pytest.fixture
def host(stale: Stale) -> StubHost:
    host = StubHost(stale.game)
    host.now_says(question=stale.question)
    return host


@pytest.fixture
def page(host: StubHost) -> Iterator[Page]:
    with page_of(host) as page:
        yield page


def done(host: StubHost) -> int:
    """Return the number of effects of commands."""
    return len(host.posted) + len(host.started)


def give(page: Page, stale: Stale, rev: int) -> str:
    return page.answer(stale.kind, rev=rev, **stale.fields)


def settle(page: Page, host: StubHost) -> None:
    """Wait until the page has the present status."""
    while page.state["rev"] < host.says.rev:
        page.json("state")


def test_a_command_whose_subject_is_unchanged_is_done(
    host: StubHost, page: Page, stale: Stale
) -> None:
    """A piece was put down wrongly, that was reported, and it was put back."""
    old, right = page.state["rev"], host.says
    host.now_says(says=(say("No such move."),), lights={"B2": Light(Signal.RED)}, to_fill=("B3",))
    settle(page, host)
    host.now_says(says=right.says, lights={}, to_fill=())
    settle(page, host)
    assert host.says.rev > old
    assert give(page, stale, old) == ""
    while page.state["hands_moving"] or not done(host):
        page.json("state")


def test_a_command_whose_subject_changed_back_is_done(
    host: StubHost, page: Page, stale: Stale
) -> None:
    """A move was read, and taken back by the hand that made it."""
    old, right = page.state["rev"], host.says
    host.now_says(**ELSE_NOW)
    settle(page, host)
    host.now_says(**{field: getattr(right, field) for field in ELSE_NOW})
    settle(page, host)
    assert give(page, stale, old) == ""


def test_a_confirmed_move_makes_no_command_stale(host: StubHost, page: Page, stale: Stale) -> None:
    host.now_says(plies=(Ply(1, 0, "A4A3", provisional=True),))
    settle(page, host)
    old = page.state["rev"]
    host.now_says(plies=(Ply(1, 0, "A4A3"),))
    assert give(page, stale, old) == ""


def test_a_command_whose_subject_has_changed_is_refused(
    host: StubHost, page: Page, stale: Stale
) -> None:
    old = page.state["rev"]
    host.now_says(**ELSE_NOW)
    assert give(page, stale, old) == LATE
    assert done(host) == 0


def test_a_command_of_another_match_is_refused(host: StubHost, page: Page, stale: Stale) -> None:
    """Nothing has been played in either match."""
    old = page.state["rev"]
    host.now_says(match_rev=host.says.rev + 1)
    assert give(page, stale, old) == LATE
    assert done(host) == 0


def test_a_claim_is_stale_only_if_its_effect_changes(
    host: StubHost, page: Page, stale: Stale
) -> None:
    """Resigning is valid also while the other side moves."""
    old = page.state["rev"]
    host.now_says(plies=(Ply(1, 0, "A4A3"),), turn=1)
    answer = give(page, stale, old)
    assert (answer == "") == (stale.kind == "claim")
    assert host.posted == ([events.Claimed(7.5, "resign", 0)] if stale.kind == "claim" else [])


def test_a_command_older_than_the_remembered_changes_is_refused(
    host: StubHost, page: Page, stale: Stale
) -> None:
    old, right = page.state["rev"], host.says
    for _ in range(MOST_SUBJECTS):
        for fields in (ELSE_NOW, {field: getattr(right, field) for field in ELSE_NOW}):
            host.now_says(**fields)
            settle(page, host)
    assert give(page, stale, old) == LATE
    assert give(page, stale, host.says.rev) == ""


@at_a_board()
async def test_every_match_begins_with_a_new_revision(board: Any) -> None:
    host, begun = board.host, []

    def note() -> None:
        begun.append(host.status().match_rev)
        assert begun[-1] <= host.status().rev

    note()
    await board.play("C4C3")
    assert host.status().match_rev == begun[0]
    host.post(events.NewMatch(host.now()))
    note()
    host.controller.handle(events.NewMatch(host.now()))  # as if the pieces were set up again
    note()
    host.new_game("robot-duel", {}, "square-reed")
    note()
    assert begun == sorted(set(begun)), "each later than the one before"


@at_a_board()
async def test_hands_that_make_a_move_stop_when_a_new_match_begins(board: Any) -> None:
    host = board.host
    desk = CommandHandler(host, lambda page, error: None, lambda: None)
    desk.note()
    desk.take(ask.PlayCommand(n=1, rev=host.status().rev, move="B3B2"), "page")
    await asyncio.sleep(0.1)
    assert host.pieces.moving
    desk.take(ask.MatchCommand(n=2, rev=host.status().rev), "page")
    await asyncio.sleep(3)
    assert board.moves == []
