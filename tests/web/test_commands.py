"""The commands of pages: what they do, and when they are refused."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from starlette.testclient import TestClient

from engine.game import CHANCE, Outcome
from engine.games import make
from engine.match import Match
from firmware_host.i18n.messages import say
from firmware_host.lights.signals import Light, Signal
from firmware_host.players.time_control import TimeControl
from firmware_host.session import events
from firmware_host.session.match_clock import MatchClock
from firmware_host.session.match_timer import ClockStop
from firmware_host.session.shown_clock import ShownClock
from firmware_host.text.claims import offers
from firmware_host.text.status import OfferedMove, Ply, ReviewNow
from firmware_host.web import protocol
from firmware_host.web.commands import StaleCommands
from firmware_host.web.connection import HEARTBEAT_S, LATE_S
from hardware.simulated.board import Breakage
from tests.web.stub_host import Page, StubHost, page_of


def test_a_piece_is_lifted_put_turned_and_put_back(host: StubHost, page: Page) -> None:
    chick = page.piece("E4")["id"]
    assert page.answer("lift", piece=chick, rev=page.state["table_rev"]) == ""
    assert page.answer("put", piece=chick, place="D4", rev=0) == ""
    assert host.board.lying("D4") == (1,)
    assert page.answer("flip", piece=chick, rev=host.table.rev) == ""
    assert host.table.at("D4")[0].face == "+C"
    assert page.answer("lift", piece=chick, rev=host.table.rev) == ""
    assert page.answer("back", piece=chick, rev=0) == ""
    assert host.board.lying("D4") == (-1,)


def test_events_reach_the_session(host: StubHost, page: Page) -> None:
    rev = page.state["rev"]
    assert page.answer("press", button="hint", rev=rev) == ""
    assert page.answer("press", button="B", rev=rev) == ""
    assert page.answer("claim", seat=0, claim="resign", rev=rev) == ""
    assert page.answer("assist", seat=1, level=3, rev=rev) == ""
    assert page.answer("match", rev=rev) == ""
    assert host.posted == [
        events.Press(7.5, "hint"),
        events.Press(7.5, "B"),
        events.Claimed(7.5, "resign", 0),
        events.Assist(7.5, 3, 1),
        events.NewMatch(7.5),
    ]


def test_an_answer_to_an_open_question(host: StubHost, page: Page) -> None:
    choices = (OfferedMove("B2B1", None, "no"), OfferedMove("B2B1+", "A1", "yes"))
    host.now_says(question=choices, asked=3)
    page.json("state")
    assert page.state["question"][1] == {
        "move": "B2B1+",
        "place": "D6",
        "name": "A1",
        "button": "yes",
        "sentence": "",
        "brief": "",
        "piece": None,
        "from": None,
        "to": None,
        "takes": False,
    }
    rev = page.state["rev"]
    assert page.answer("choose", move="B2B1+", rev=rev) == ""
    host.now_says(question=choices, asked=3, buttons={"no": say("B2B1")})
    assert page.answer("press", button="no", rev=rev) == ""
    assert host.posted == [events.Choose(7.5, "B2B1+", 3), events.Choose(7.5, "B2B1", 3)]


def test_a_past_match_takes_no_moves(host: StubHost, page: Page) -> None:
    host.now_says(review=ReviewNow("one", 3, 7, goes_on=True))
    page.json("state")
    assert page.state["review"] == {"match": "one", "at": 3, "last": 7, "goes_on": True}
    rev = page.state["rev"]
    for kind, fields in (
        ("play", {"move": "B3B2"}),
        ("request", {"move": "B3B2"}),
        ("report", {"move": "B3B2"}),
        ("claim", {"seat": 0, "claim": "resign"}),
        ("throw", {}),
    ):
        assert "shows a past match" in page.answer(kind, rev=rev, **fields)
    assert host.posted == []
    assert page.answer("review", match="two", rev=rev) == "That match is not in the list."


def test_an_answer_that_is_no_move_presses_its_button(host: StubHost, page: Page) -> None:
    host.now_says(question=(OfferedMove("back", None, "yes"), OfferedMove("play", None, "no")))
    page.json("state")
    assert page.answer("choose", move="play", rev=page.state["rev"]) == ""
    assert page.answer("choose", move="back", rev=page.state["rev"]) == ""
    assert host.posted == [events.Press(7.5, "no"), events.Press(7.5, "yes")]


def test_a_move_is_reported(host: StubHost, page: Page) -> None:
    assert page.answer("report", move="B3B2", rev=page.state["rev"]) == ""
    assert (
        page.answer("report", move="A4A3", rev=page.state["rev"]) == ""
    )  # perhaps an earlier move
    assert host.posted == [events.Choose(7.5, "B3B2"), events.Choose(7.5, "A4A3")]
    assert host.board.lying("E4") == (1,)


def test_hands_make_a_move_given_by_its_notation(host: StubHost, page: Page) -> None:
    assert page.answer("play", move="B3B2", rev=page.state["rev"]) == ""
    while host.board.lying("south.3") == () or host.board.lying("E5") == ():
        page.json("state")
    while page.state["hands_moving"]:
        page.json("state")
    assert host.board.lying("E4") == ()
    assert host.posted == [events.Choose(7.5, "B3B2")]
    assert host.table.at("south.3")[0].owner == "A"


def test_a_page_may_ask_for_still_lights(host: StubHost, client: TestClient) -> None:
    host.lit = bytes([9]) * len(host.lit)
    with (
        client.websocket_connect("ws://localhost/ws") as reduced,
        client.websocket_connect("ws://localhost/ws") as other,
    ):
        page = Page(reduced)
        assert page.json("light")[5:] == host.lit
        assert page.answer("motion", reduced=True, rev=0) == ""
        assert page.json("light")[5:] == host.still_pixels()
        assert Page(other).json("light")[5:] == host.lit  # only there
        assert page.answer("motion", reduced=False, rev=0) == ""
        assert page.json("light")[5:] == host.lit


def test_a_throw_is_corrected_to_a_possible_one() -> None:
    host = StubHost("chaturaji")
    host.now_says(turn=0, dice=(3,), last_throw=(3,), corrections=((2,), (4,), (5,)))
    with page_of(host) as page:
        assert page.state["last_throw"] == [3]
        assert page.state["corrections"] == [[2], [4], [5]]
        rev = page.state["rev"]
        assert page.answer("throw", dice=[4], correction=True, rev=rev) == ""
        for dice in [3], [6], []:
            assert "cannot show that" in page.answer("throw", dice=dice, correction=True, rev=rev)
    assert host.posted == [events.Dice(7.5, (4,), instead=True)]


def test_two_dice_in_any_order_are_offered_once() -> None:
    host = StubHost("chaturaji")
    host.game = make("chaturaji", {"dice": "2"})
    with page_of(host) as page:
        assert len(page.state["throws"]) == 10
        assert page.answer("throw", dice=[2, 5], rev=1) == ""
    every = tuple(product((2, 3, 4, 5), repeat=2))
    host.now_says(turn=0, dice=(3, 2), last_throw=(3, 2), corrections=every)
    with page_of(host) as page:
        assert len(page.state["corrections"]) == 9
        assert [2, 3] not in page.state["corrections"]
    host.game = make("chaturaji", {"dice": "2", "two_dice_order": "fixed"})
    with page_of(host) as page:
        assert [2, 3] in page.state["corrections"]


def test_dice_are_thrown_or_given() -> None:
    host = StubHost("chaturaji")
    assert host.says.turn == CHANCE
    with page_of(host) as page:
        assert page.state["throws"] == [[2], [3], [4], [5]]
        assert page.answer("throw", dice=[4], rev=1) == ""
        assert page.answer("throw", dice=[], rev=1) == ""
        assert "cannot show that" in page.answer("throw", dice=[6], rev=1)
        assert page.answer("play", move="5", rev=1) == ""  # typed like a move
        assert page.answer("report", move="2", rev=1) == ""
    first, second, *typed = host.posted
    assert first == events.Dice(7.5, (4,))
    assert isinstance(second, events.Dice)
    assert second.dice in {(2,), (3,), (4,), (5,)}
    assert typed == [events.Dice(7.5, (5,)), events.Dice(7.5, (2,))]


def test_a_claim_that_needs_a_clock_is_not_offered_without_one() -> None:
    host = StubHost("shogi")
    host.says = replace(host.says, claims=offers([Match.begin(host.game)]))
    with page_of(host) as page:
        assert [claim["claim"] for claim in page.state["claims"]] == ["resign", "resign"]
        assert page.state["claims"][0]["effect"] == "Sente resigns: gote wins."
        assert "cannot be claimed" in page.answer("claim", seat=0, claim="flag", rev=1)
        assert "claim it with its button" in page.answer("play", move="flag", rev=1)
    assert host.posted == []


def test_a_clock_is_chosen_and_paused(host: StubHost, page: Page) -> None:
    rev = page.state["rev"]
    assert page.state["clock"] is None
    assert page.answer("clock", rev=rev, control="10m+30s*3") == ""
    assert page.answer("clock", rev=rev, control="none") == ""
    assert host.posted == [TimeControl(600, 0, 30, 3), None]
    assert "is no clock: write 10m" in page.answer("clock", rev=rev, control="soon")
    assert "No clock is running" in page.answer("pause", rev=rev, on=True)
    clock = MatchClock.begin(TimeControl(600, 0, 30, 3), 2, 0, 0.0)
    host.now_says(clock=ShownClock(clock.start(5.0), "10m+30s*3"), plies=(Ply(1, 0, "B3B2"),))
    assert page.json("state")["clock"] == {
        "control": "10m+30s*3",
        "seconds_left": [597.5, 600.0],
        "periods_left": [3, 3],
        "running": 0,
        "paused": False,
        "stopped": "",
        "short": [],
        "flagged": [],
        "beside": False,
    }
    assert page.answer("pause", rev=0, on=True) == ""
    assert host.posted[-1] is True
    assert "before the first move" in page.answer("clock", rev=rev, control="10m")
    host.now_says(clock=ShownClock(clock, "10m+30s*3", ClockStop.NOT_BEGUN))
    assert page.json("state")["clock"]["stopped"] == "not-begun"
    assert "No clock is running" in page.answer("pause", rev=0, on=True)


def test_seats_are_swapped_before_a_new_match(host: StubHost, page: Page) -> None:
    assert page.answer("match", rev=page.state["rev"]) == ""
    assert page.answer("match", rev=page.state["rev"], swap=True) == ""
    assert host.posted == [events.NewMatch(7.5), "swap", events.NewMatch(7.5)]


def test_another_game_is_begun(host: StubHost, page: Page) -> None:
    fields = {"game": "robot-duel", "layout": "square-hall", "options": {"repetition": "3"}}
    assert page.answer("game", rev=page.state["rev"], **fields) == ""
    assert host.started == [("robot-duel", {"repetition": "3"}, "square-hall")]


def test_hardware_is_broken_and_mended(host: StubHost, page: Page) -> None:
    assert page.answer("fault", fault="missing", chip=0x21, rev=0) == ""
    assert page.answer("fault", fault="stuck_on", place="A1", rev=0) == ""
    assert host.board.broken() == (Breakage("missing", "0x21"), Breakage("stuck on", "A1"))
    assert "already like that" in page.answer("fault", fault="missing", chip=0x21, rev=0)
    assert page.answer("fault", fault="none", rev=0) == ""
    assert host.board.broken() == ()
    assert "already like that" in page.answer("fault", fault="none", rev=0)
    assert page.answer("fault", fault="interrupt", count=1, rev=0) == ""
    assert "no chip" in page.answer("fault", fault="missing", chip=0x11, rev=0)
    assert "no such fault" in page.answer("fault", fault="fire", rev=0)


def test_each_page_has_its_own_language(host: StubHost, client: TestClient, page: Page) -> None:
    with client.websocket_connect("ws://localhost/ws?lang=pl") as session:
        polish = Page(session)
        assert polish.board["language"] == "pl"
        assert page.board["language"] == "en"
        assert polish.answer("language", language="cs", rev=0) == ""
        assert polish.board["language"] == "cs"
    accepted = {"accept-language": "de, fr;q=0.8, en;q=0.5"}
    with client.websocket_connect("ws://localhost/ws", headers=accepted) as session:
        assert Page(session).board["language"] == "fr"


def test_a_refusal_is_translated_when_the_language_changes(page: Page) -> None:
    assert page.board["refused"] == ""
    english = page.answer("play", move="Quatsch", rev=10**6)
    assert english == ("Quatsch is no move of this game. A move is written like this: B3B2")
    assert page.answer("language", language="pl", rev=0) == ""
    assert page.board["refused"] == ("Quatsch nie jest ruchem tej gry. Ruch zapisuje się tak: B3B2")
    assert page.answer("press", button="hint", rev=10**6) == ""
    assert page.answer("language", language="fr", rev=0) == ""
    assert page.board["refused"] == ""


def test_an_impossible_option_is_refused_in_the_language_of_the_page(page: Page) -> None:
    page.answer("language", language="cs", rev=0)
    options = {"seats": "pink"}
    why = page.answer("game", game="chaturaji", layout="square-reed", options=options, rev=10**6)
    assert why.startswith("barvy hráčů: nelze zvolit „pink“, jen: černý, zelený, červený, žlutý, ")
    options = {"promotion": "never"}
    why = page.answer("game", game="robot-duel", layout="square-reed", options=options, rev=10**6)
    assert why == "povýšení kuřátka: nelze zvolit „never“, jen: nepovinná, povinná."


def test_a_player_has_a_name(host: StubHost, page: Page) -> None:
    assert page.answer("player", seat=1, name=" Anna <b> ", rev=0) == ""
    assert page.state["player_names"] == ["", "Anna <b>"]
    host.now_says(outcome=Outcome(frozenset({1}), "resign"))
    page.json("state")
    assert page.state["outcome"]["result"] == "Anna <b> wins."


# ---- refusals


def test_a_stale_command_is_refused(host: StubHost, page: Page) -> None:
    old = page.state["rev"]
    host.now_says(plies=(Ply(1, 0, "B3B2"),), turn=1)
    for kind, fields in {
        "press": {"button": "back"},
        "play": {"move": "B3B2"},
        "match": {},
    }.items():
        assert "has gone on meanwhile" in page.answer(kind, rev=old, **fields)
    assert host.posted == []
    assert page.answer("press", button="back", rev=host.says.rev) == ""


def test_the_machines_move_does_not_stop_a_step_back_to_the_own_turn() -> None:
    status = StubHost().says
    status = replace(status, plies=(Ply(1, 0, "B3B2"),), turn=1)
    back = protocol.PressCommand(n=1, rev=status.rev, button="back", to_own_turn=True)
    stale = StaleCommands()
    stale.note(status)
    stale.note(replace(status, rev=status.rev + 1, plies=(*status.plies, Ply(2, 1, "A1A2"))))
    assert stale.is_stale(back)
    assert not stale.is_stale(back, machines={1})
    stale.note(replace(status, rev=status.rev + 2, plies=(Ply(1, 0, "C4C3"),)))
    assert stale.is_stale(back, machines={1})


def test_a_light_that_changes_makes_nothing_stale(host: StubHost, page: Page) -> None:
    old = page.state["rev"]
    host.now_says(lights={"B2": Light(Signal.RED)})
    assert page.answer("press", button="back", rev=old) == ""


def test_names_that_change_make_nothing_else_stale(host: StubHost) -> None:
    stale, status = StaleCommands(), host.says
    stale.note(status)
    for number in range(200):
        claims = {0: {"resign": say(f"A{number} resigns: B wins.")}}
        status = replace(status, rev=status.rev + 1, claims=claims)
        stale.note(status)
    assert not stale.is_stale(protocol.PressCommand(n=1, rev=1, button="hint"))
    assert not stale.is_stale(protocol.ClaimCommand(n=2, rev=1, seat=0, claim="resign"))


@pytest.fixture
def quick_beat(monkeypatch: pytest.MonkeyPatch) -> int:
    assert LATE_S > 2 * HEARTBEAT_S, "one may be missed"
    monkeypatch.setattr("firmware_host.web.connection.HEARTBEAT_S", 1)
    return 1


def test_heartbeats_come_regularly(quick_beat: int, page: Page) -> None:
    first = page.clock
    assert first > 0, "the clock comes before all else"
    assert quick_beat <= page.json("heartbeat") - first <= LATE_S


def test_a_command_with_an_old_heartbeat_is_refused(host: StubHost, page: Page) -> None:
    def press(heard: int) -> str:
        return page.answer("press", button="back", rev=host.says.rev, heartbeat=heard)

    now = page.clock
    assert "too late" in press(now - LATE_S - 1)
    assert "too late" in page.answer(
        "lift", piece=page.piece("E4")["id"], rev=9, heartbeat=now - LATE_S - 1
    )
    assert host.posted == []
    assert host.table.held_by(page.state["page"]) is None
    assert press(now - 1) == ""


def test_a_piece_moved_by_another_page_is_refused(client: TestClient, page: Page) -> None:
    seen = page.state["table_rev"]
    chick = page.piece("E4")["id"]
    with client.websocket_connect("ws://localhost/ws") as session:
        other = Page(session)
        assert other.answer("lift", piece=chick, rev=seen) == ""
        assert "moved meanwhile" in page.answer("lift", piece=chick, rev=seen)
        assert other.answer("put", piece=chick, place="A5", rev=seen) == ""
    assert "moved meanwhile" in page.answer("flip", piece=chick, rev=seen)


@pytest.mark.parametrize(
    ("kind", "fields", "why"),
    [
        ("put", {"piece": 1, "place": "Z1"}, "no place Z1"),
        ("put", {"piece": 1, "place": "edge.south"}, "no place edge.south"),
        ("put", {"piece": 1, "place": "A1"}, "not holding"),
        ("lift", {"piece": 0}, "no longer"),
        ("press", {"button": "fire"}, "no button fire"),
        ("press", {"button": "yes"}, "There is no question"),
        ("press", {"button": "no"}, "There is no question"),
        ("choose", {"move": "B3B2"}, "not asking that"),
        ("claim", {"seat": 1, "claim": "resign"}, "cannot be claimed"),
        ("assist", {"seat": 5, "level": 1}, "no seat 5"),
        ("throw", {"dice": [3]}, "No dice"),
        ("report", {"move": ""}, "Write the move"),
        ("play", {"move": "B3B1"}, "chick goes one step"),
        ("play", {"move": "Quatsch"}, "Quatsch"),
        ("play", {"move": "resign"}, "claim it with its button"),
        ("report", {"move": "resign"}, "claim it with its button"),
        ("setup", {}, "All pieces are already in place"),
        ("game", {"game": "chess", "layout": "x", "options": {}}, "no game 'chess'"),
        ("game", {"game": "shogi", "layout": "x", "options": {"a": "b"}}, "no option “a”"),
        ("player", {"seat": 5, "name": "Anna"}, "no seat 5"),
        ("player", {"seat": 0, "name": "A" * 31}, "at most 30 characters"),
        ("player", {"seat": 0, "name": "A\nB"}, "control characters"),
        ("player", {"seat": 0, "name": "A\u202eB"}, "control characters"),
    ],
)
def test_impossible_commands_are_refused_with_the_reason(
    host: StubHost, page: Page, kind: str, fields: dict[str, Any], why: str
) -> None:
    assert why in page.answer(kind, rev=10**6, **fields)
    assert host.posted == []
    assert host.started == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '{"type": "lift"}',
        '{"type": "lift", "n": 1, "rev": 1, "piece": "x"}',
        '{"type": "lift", "n": 1, "rev": 1, "piece": 1, "place": "A1"}',
        '{"type": "lift", "n": -1, "rev": 1, "piece": 1}',
        '{"type": "explode", "n": 1, "rev": 1}',
        '{"type": "press", "n": 1, "rev": 1, "button": "\\ud800"}',
        '{"type": "press", "n": 1, "rev": 1, "button": "' + "x" * 300 + '"}',
        '{"type": "throw", "n": 1, "rev": 1, "dice": [1,1,1,1,1,1,1,1,1]}',
        "[" * 2000,
        '{"type": "lift", "n": 1e400, "rev": 1, "piece": 1}',
        '{"a": ' + "[" * 1900 + "]" * 1900 + ', "type": "match", "n": 1, "rev": 1}',
        '{"n": 1, "rev": 1, "x": ' + '{"a":' * 600 + "1" + "}" * 600 + ', "type": "match"}',
    ],
)
def test_malformed_messages_are_refused_and_nothing_is_lost(page: Page, text: str) -> None:
    page.raw(text)
    assert page.json("refused")["reason"].startswith("That is not a command")
    assert page.answer("press", button="hint", rev=page.state["rev"]) == ""
