"""How the board reads hands, by the second: the reader and the session's timing together."""

from __future__ import annotations

from typing import Any

import pytest

from firmware_host.i18n.messages import say
from firmware_host.lights.scene import changes_at
from firmware_host.session.questions import KNOCK_S, TWICE_S
from tests.support.session_parts import tracker_of

SENSINGS = ("presence", "polarity")

# A's chick on B2 may promote on B1, C1 or A1 … only straight ahead: B1 is free.
BEFORE_PROMOTION = "g1l/1C1/2L/E1G b Ce 1"


def test_a_move_is_told_with_its_player(timeline: Any) -> None:
    board = timeline().hands("1 C4- 0.6 C3+ 5")
    assert board.told == [("move", {"seat": 0, "move": "C4C3"})]
    assert board.session.view.match.turn == 1


# ---- provisional: revised, retracted, made final


def test_lifting_alone_finalises_and_plays_nothing(timeline: Any) -> None:
    board = timeline().hands("1 C4- C3+").rest(1).hands("A1-").rest(3)
    assert board.moves == ["C4C3"]
    assert board.session.view.provisional == 1
    board.hands("A1+ C3- C4+").rest()
    assert board.moves == []


# ---- promotion: asked on presence, seen on polarity


@pytest.fixture
def asking(timeline: Any) -> Any:
    board = timeline(position=BEFORE_PROMOTION).hands("1 B2- B1+").rest(2)
    assert board.moves == ["?"]
    assert board.asked == [{"B2B1", "B2B1+"}]
    assert board.last("ask")["seat"] == 0
    return board


@pytest.mark.parametrize("text", ["B2B1", "B2B1+"])
def test_a_question_is_answered_by_its_move(asking: Any, text: str) -> None:
    asking.choose(text).rest()
    assert asking.moves == [text]
    assert asking.last("answer") == {"seat": 0, "move": text}


@pytest.mark.parametrize(("button", "text"), [("yes", "B2B1+"), ("no", "B2B1")])
def test_a_question_is_answered_by_a_button(asking: Any, button: str, text: str) -> None:
    asking.press(button).rest()
    assert asking.moves == [text]


def test_a_button_answers_at_once_what_is_asked_as_it_is_pressed(asking: Any) -> None:
    tracker_of(asking.session)._start_search(iter([None] * 3))
    asking.press("yes")
    assert asking.moves == ["B2B1+"]


@pytest.mark.parametrize("text", ["B2B1", "B2B1+"])
def test_a_question_is_answered_by_a_lit_place_pressed_twice(asking: Any, text: str) -> None:
    lit = asking.session.view.question.lit
    assert set(lit) == {"B2B1", "B2B1+"}
    assert lit[text] not in ("B1", "B2")
    asking.hands(f"{lit[text]}- {lit[text]}+").rest(0.5)
    assert asking.moves == ["?"]  # once may be a knock
    asking.hands(f"{lit[text]}- {lit[text]}+").rest()
    assert asking.moves == [text]


def test_a_lit_piece_that_is_lifted_while_another_is_away_answers_nothing(asking: Any) -> None:
    (lit, *_) = asking.session.view.question.lit.values()
    other = next(place for place in ("A1", "C1", "A4", "C4") if place != lit)
    asking.hands(f"{other}- {lit}- {lit}+ 0.3 {lit}- {lit}+ 0.3 {other}+").rest(2)
    assert asking.moves == ["?"]


def test_a_lit_piece_that_is_only_knocked_answers_nothing(asking: Any) -> None:
    (lit, *_) = asking.session.view.question.lit.values()
    for gone in (f"{KNOCK_S - 0.05} ", f"{KNOCK_S + 0.05} "):  # straightened, then knocked
        asking.hands(f"{lit}- {gone}{lit}+ 0.3 {lit}- {KNOCK_S - 0.05} {lit}+").rest(5)
        assert asking.moves == ["?"]
    asking.hands(f"{lit}- {KNOCK_S + 0.05} {lit}+ 0.3 {lit}- {KNOCK_S + 0.05} {lit}+").rest()
    assert asking.moves != ["?"]


def test_a_player_who_hesitates_over_a_lit_piece_answers_nothing(asking: Any) -> None:
    (lit, *_) = asking.session.view.question.lit.values()
    asking.hands(f"{lit}- {TWICE_S + 0.5} {lit}+ 0.3 {lit}- 0.5 {lit}+").rest(5)
    assert asking.moves == ["?"]


def test_nobody_answers_before_the_lights_can_be_seen(timeline: Any) -> None:
    board = timeline(position=BEFORE_PROMOTION).hands("1 B2- B1+").rest(0)
    while not board.events:
        board.rest(0.01)
    assert board.moves == ["?"]
    (lit, *_) = board.session.view.question.lit.values()
    board.hands(f"{lit}- 0.3 {lit}+ 0.3 {lit}- 0.3 {lit}+").rest(5)
    assert board.moves == ["?"]
    board.hands(f"{lit}- 0.3 {lit}+ 0.3 {lit}- 0.3 {lit}+").rest()
    assert board.moves != ["?"]


def test_another_lit_piece_touched_in_between_makes_it_no_answer(asking: Any) -> None:
    one, other = asking.session.view.question.lit.values()
    asking.hands(f"{one}- {one}+ 0.2 {other}- {other}+ 0.2 {one}- {one}+").rest(5)
    assert asking.moves == ["?"]


def test_once_more_is_said_only_while_it_helps(asking: Any) -> None:
    (lit, *_) = asking.session.view.question.lit.values()
    asking.hands(f"{lit}- {lit}+").rest(0.3)
    session, begun = asking.session, asking.now
    while session.view.question.pressed_at(session.now) == lit:
        due = changes_at(session.view, asking.now)
        assert due is not None  # the scene changes when that is over
        asking.rest(due - asking.now)
    assert TWICE_S - 0.5 < asking.now - begun <= TWICE_S
    asking.hands(f"{lit}- {lit}+").rest(0.3)
    assert asking.moves == ["?"]


def test_lifting_the_piece_itself_is_no_answer(asking: Any) -> None:
    asking.hands("B1- B1+ 0.3 B1- B1+").rest(30)
    assert asking.asked == [{"B2B1", "B2B1+"}]


def test_a_question_never_times_out_and_play_goes_on(asking: Any) -> None:
    asking.rest(600)
    assert asking.moves == ["?"]
    asking.hands("A1- A2+").rest()
    assert asking.moves == ["?", "A1A2"]
    assert asking.asked == [{"B2B1", "B2B1+"}]


def test_a_later_move_decides(asking: Any) -> None:
    asking.hands("A1- A2+").rest()
    asking.hands("B1- B2+").rest()  # back down: only a hen goes that way
    assert asking.moves == ["B2B1+", "A1A2", "B1B2"]
    assert asking.last("answer") == {"seat": 0, "move": "B2B1+"}


def test_a_question_that_is_put_back_is_no_question_any_more(asking: Any) -> None:
    asking.hands("B1- B2+").rest()
    assert asking.moves == []
    assert not asking.asked


def test_an_answer_to_nothing_is_ignored(timeline: Any) -> None:
    board = timeline().choose("C4C3").hands("1 C4- C3+").rest()
    board.choose("B3B2").choose("nonsense").rest()
    assert board.told == [("move", {"seat": 0, "move": "C4C3"})]


# ---- what no rule allows


@pytest.mark.parametrize("sensing", SENSINGS)
def test_an_illegal_move_is_refused_with_its_reason_and_guided_back(
    timeline: Any, sensing: str
) -> None:
    board = timeline(sensing=sensing).hands("1 A4- A3+").rest(3)
    assert board.moves == []
    assert board.last("refused") == {"reason": "way-E", "places": ["A4", "A3"], "seat": 0}
    assert board.last("astray") == {"put": ["A4"], "take": ["A3"], "move": [["A3", "A4"]]}
    assert board.session.view.repair.guiding
    board.hands("A3- A4+").rest()
    assert not board.session.view.repair.guiding
    assert board.session.view.repair.refusal is None
    assert board.events == ["refused", "astray"]
    assert board.hands("C4- C3+").rest().moves == ["C4C3"]


def test_a_move_out_of_turn_is_refused(timeline: Any) -> None:
    board = timeline().hands("1 A1- A2+").rest(3)
    assert board.last("refused")["reason"] == "not-yours"
    board.hands("A2- A1+").rest()
    assert board.moves == []


def test_a_piece_parked_for_no_capture_is_refused(timeline: Any) -> None:
    board = timeline().hands("1 B2- 0.4 A3+").rest(2)
    assert board.last("refused")["reason"] == "not-yours"
    board = timeline().hands("1 B2- 0.4 A3+ 0.6 C4-").rest(2)  # no giraffe takes there
    assert "astray" in board.events


def test_a_piece_upside_down_where_none_may_be_is_refused(timeline: Any) -> None:
    board = timeline(sensing="polarity").hands("1 B4- A3/").rest(2)
    assert "refused" in board.events
    assert board.last("astray")["move"] == [["A3", "B4"]]
    board.hands("A3- B4+ C4- C3+").rest(2)
    assert board.moves == ["C4C3"]


@pytest.mark.parametrize("sensing", SENSINGS)
def test_the_very_piece_that_was_moved_is_named(timeline: Any, sensing: str) -> None:
    board = timeline(sensing=sensing).hands("1 A4- A3+ C4- C2+ B1-").rest(2)
    said = board.says()
    assert said[1:5] == [
        "3 movements put the board right:",
        "Move the giraffe from C2 to C4.",  # though the lion's place is nearer
        "Move the elephant from A3 to A4.",
        "Put the lion of B on B1.",
    ]
    board.hands("A3-").rest(0.5)
    assert "Put the elephant of A on A4." in board.says()
    board.hands("A4+ C2- C4+").rest(1)
    assert "Put the lion of B on B1." in board.says()
    assert board.events == ["refused", "astray"]  # a player who follows is not refused again
    board.hands("B1+").rest(1)
    assert not board.session.view.repair.guiding
    assert board.moves == []


def test_guidance_follows_the_hand_until_the_board_matches(timeline: Any) -> None:
    board = timeline().hands("1 0.1 A4- 0.1 C4- 0.1 A2+ 0.1 C2+ 0.1").rest(3)
    both = [["A2", "A4"], ["C2", "C4"]]
    assert board.last("astray") == {"put": ["A4", "C4"], "take": ["A2", "C2"], "move": both}
    board.hands("A2- A4+").rest(3)
    assert board.last("astray") == {"put": ["C4"], "take": ["C2"], "move": both[1:]}
    board.hands("C2- C4+").rest(3)
    assert not board.session.view.repair.guiding
    assert board.moves == []


# ---- claims


def test_resigning_ends_the_match(timeline: Any) -> None:
    board = timeline().hands("1 C4- C3+").rest(1).claim("resign", 0)
    assert board.last("over") == {"outcome": {"winners": ["B"], "reason": "resign"}}
    assert board.moves == ["C4C3"]
    board.rest(0.1).claim("resign", 1)
    assert board.last("refused")["reason"] == "no-such-claim"


def test_yes_begins_no_other_match_once_this_one_is_not_over_any_more(
    timeline: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = timeline().hands("1 C4- C3+").rest(1).claim("resign", 0).rest(1)
    session = board.session
    assert session.view.may_start_another
    with monkeypatch.context() as busy:
        busy.setattr(type(session), "thinking", True)
        board.press("back").press("yes")
    board.rest(1).rest(1)
    assert session.view.outcome is None
    assert "takeback" in board.events
    assert "new" not in board.events


def test_a_claim_that_cannot_be_made_is_refused(timeline: Any) -> None:
    board = timeline().claim("declare", 1)
    assert board.told == [("refused", {"reason": "no-such-claim", "places": [], "seat": 1})]


# ---- chips that are gone


def test_places_without_a_chip_are_inferred_and_seen_again(timeline: Any) -> None:
    from firmware_host.session.events import Frame

    board = timeline()
    blind = frozenset({"C4", "C3", "B4"})
    fault = say("A chip is gone.")

    def frame(**readings: int) -> None:
        board.readings |= readings
        seen = {p: v for p, v in board.readings.items() if v and p not in blind}
        board.feed(Frame(board.now, seen, blind, (fault,)))

    board.now = 1.0
    frame()
    assert board.told == [("fault", {"fault": "A chip is gone."})]
    assert board.session.view.masked == blind
    board.rest(2)
    board.now += 1
    frame(B3=0)
    board.now += 0.3
    frame(B2=0)
    board.now += 0.3
    frame(B2=1)
    board.now += 0.3
    frame(**{"hand.A.C": 1})
    board.rest(3)
    assert board.moves == ["B3B2"]
    board.feed(Frame(board.now, {p: v for p, v in board.readings.items() if v}))
    board.rest(3)
    assert board.session.view.masked == frozenset()
    assert board.moves == ["B3B2"]
    assert not board.session.view.repair.guiding


@pytest.mark.parametrize("game", ["robot-duel", "shogi", "robotory", "abalone"])
def test_a_chip_with_trays_on_it_may_go_in_every_game(timeline: Any, game: str) -> None:
    from firmware_host.session.events import Frame

    board = timeline(game)
    blind = frozenset({*sorted(board.sight.trays), sorted(board.sight.cells)[0]})
    board.now = 1.0
    board.feed(Frame(board.now, board.readings, blind))
    piece = next(p for p in board.game.cells() if p in board.readings and p not in blind)
    seen = {p: v for p, v in board.readings.items() if p != piece}
    board.feed(Frame(2.0, seen, blind))
    board.feed(Frame(3.0, board.readings, blind))
    board.now = 4.0
    board.rest(3)
    assert board.session.view.masked == blind
    assert board.moves == []
