"""What the board makes of hands, by the second: the reader and the session's timing together."""

from __future__ import annotations

from typing import Any

import pytest

from firmware_host.i18n.messages import render, say
from firmware_host.lights.scene import changes_at
from firmware_host.session.questions import KNOCK_S, TWICE_S
from firmware_host.text.announcements import status
from tests.support.session_parts import tracker_of

SENSINGS = ("presence", "polarity")
BARE = ("hand",)

# A's chick on B2 may promote on B1, C1 or A1 … only straight ahead: B1 is free.
BEFORE_PROMOTION = "g1l/1C1/2L/E1G b Ce 1"


# ---- one move, in every order hands have


@pytest.mark.parametrize("sensing", SENSINGS)
@pytest.mark.parametrize("unsensed", [(), BARE])
def test_a_quiet_move(timeline: Any, sensing: str, unsensed: tuple[str, ...]) -> None:
    board = timeline(sensing=sensing, unsensed=unsensed).hands("1 C4- 0.6 C3+").rest()
    assert board.told == [("move", {"seat": 0, "move": "C4C3"})]
    assert board.moves == ["C4C3"]
    assert board.session.view.match.turn == 1


@pytest.mark.parametrize("sensing", SENSINGS)
@pytest.mark.parametrize("unsensed", [(), BARE])
@pytest.mark.parametrize(
    "acts",
    [
        "B3- B2- B2+ hand.A.C+",
        "B2- B3- B2+ hand.A.C+",
        "B2- hand.A.C+ B3- B2+",
        "B2- B3- hand.A.C+ B2+",
        "B3- B2- hand.A.C+ B2+",
        "B3- 0.3 B2- 0.005 B2+ 0.3 hand.A.C+",
        "B3- 0.08 B2- 0.04 B2+ 0.08 hand.A.C+",
        "B3- B2- B2+ 2.5 hand.A.C+",
    ],
)
def test_a_capture_in_any_order(
    timeline: Any, sensing: str, unsensed: tuple[str, ...], acts: str
) -> None:
    board = timeline(sensing=sensing, unsensed=unsensed).hands(f"1 {acts}").rest()
    assert board.moves == ["B3B2"]
    assert set(board.events) <= {"move", "revise"}


@pytest.mark.parametrize("sensing", SENSINGS)
@pytest.mark.parametrize("unsensed", [(), BARE])
@pytest.mark.parametrize("held", [0.5, 3.0])
def test_a_captured_piece_that_is_parked_for_long(
    timeline: Any, sensing: str, unsensed: tuple[str, ...], held: float
) -> None:
    board = timeline(sensing=sensing, unsensed=unsensed)
    board.hands(f"1 B2- 0.4 B3- 0.06 A3+ {held} B2+ 2 A3- 0.4 hand.A.C+").rest()
    assert board.moves == ["B3B2"]
    assert board.events[-1] == "move"


@pytest.mark.parametrize("sensing", SENSINGS)
def test_an_empty_instant_of_five_milliseconds_shows_which_piece_was_taken(
    timeline: Any, sensing: str
) -> None:
    # A's elephant on B3 may take on A2 or C2; both stay filled, only one was empty for a moment.
    board = timeline("robot-duel", sensing, "1l1/g1g/1E1/1L1 b CCe 1", BARE)
    board.hands("1 B3- 0.4 C2- 0.005 C2+").rest()
    assert board.moves == ["B3C2"]


def test_a_move_that_nothing_can_follow_is_shown_at_once(timeline: Any) -> None:
    board = timeline().hands("1 C4- 0.6 C3+").rest(0.08)
    assert board.moves == ["C4C3"]


@pytest.mark.parametrize("sensing", SENSINGS)
@pytest.mark.parametrize(
    "acts",
    [
        "C4- C4+",
        "C4- 4 C4+",
        "C4- B3- C4+ B3+",
        "A1- A1+ B4- B4+",
        "C4- 0.004 C4+",
        "C4- C4+ C4- C4+ C4- C4+",
    ],
)
def test_lifting_and_returning_is_silent(timeline: Any, sensing: str, acts: str) -> None:
    board = timeline(sensing=sensing).hands(f"1 {acts}").rest()
    assert board.told == []


@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_bystander_that_is_nudged_changes_nothing(timeline: Any, sensing: str) -> None:
    board = timeline(sensing=sensing)
    board.hands("1 C4- 0.2 B4- 0.1 B4+ 0.3 C3+ 0.5 A1- 0.3 A1+").rest()
    assert board.moves == ["C4C3"]
    assert board.events == ["move"]


def test_chatter_and_a_wobbling_piece_are_one_move(timeline: Any) -> None:
    flutter = "C4- 0.002 C4+ 0.003 C4- 0.6 C3+ 0.01 C3- 0.012 C3+ 0.008 C3- 0.02 C3+"
    board = timeline().hands(f"1 {flutter}").rest()
    assert board.told == [("move", {"seat": 0, "move": "C4C3"})]


# ---- provisional: revised, retracted, made final


@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_piece_that_goes_on_revises_the_move(timeline: Any, sensing: str) -> None:
    board = timeline(sensing=sensing).hands("1 B4- A3+ 1 A3- 0.4 C3+").rest()
    assert board.told == [
        ("move", {"seat": 0, "move": "B4A3"}),
        ("revise", {"seat": 0, "move": "B4C3"}),
    ]
    assert board.session.view.provisional == 1


@pytest.mark.parametrize("sensing", SENSINGS)
@pytest.mark.parametrize("cell", [0.06, 0.12, 0.35, 0.9])
def test_a_slide_ends_where_the_piece_is_left(timeline: Any, sensing: str, cell: float) -> None:
    board = timeline("shogi", sensing)
    way = " ".join(f"{file}h+ {cell} {file}h- 0.04" for file in (3, 4, 5))
    board.hands(f"1 2h- 0.04 {way} 6h+").rest()
    assert board.moves == ["2h6h"]
    assert board.events == ["move"] if cell < 0.2 else board.events[0] == "move"


@pytest.mark.parametrize("sensing", SENSINGS)
@pytest.mark.parametrize("lap", [0.005, 0.02, 0.1])
@pytest.mark.parametrize("reply", [0.7, 2.0])
def test_a_slide_that_two_sensors_see_at_once_and_a_quick_reply(
    timeline: Any, sensing: str, lap: float, reply: float
) -> None:
    """A magnet between two sensors is seen by both."""
    board = timeline("shogi", sensing).rest(1)
    board.hands(f"3h+ {lap} 2h- 0.2 4h+ {lap} 3h- {reply} 4a- 0.2 5b+ {reply}")
    board.hands(f"5h+ {lap} 4h- 0.2 6h+ {lap} 5h- 0.2 7h+ {lap} 6h-").rest()
    assert board.moves == ["2h4h", "4a5b", "4h7h"]
    assert not {"ask", "fault"} & set(board.events)


@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_slide_over_the_board_that_takes_at_its_end(timeline: Any, sensing: str) -> None:
    start = "lnsgkgsnl/1r5b1/ppppppp1p/7p1/9/7P1/PPPPPPP1P/1B5R1/LNSGKGSNL b - 5"
    board = timeline("shogi", sensing, start)
    board.hands("1 2h- 0.04 2g+ 0.3 2g- 0.3 2f- 0.03 2f+ hand.sente.P+").rest()
    assert board.moves in ([], ["2h2g"])  # an own piece was knocked: nothing wrong is read
    assert not board.asked


@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_piece_put_back_retracts_the_move(timeline: Any, sensing: str) -> None:
    board = timeline(sensing=sensing).hands("1 C4- C3+ 2 C3- C4+").rest()
    assert board.told == [
        ("move", {"seat": 0, "move": "C4C3"}),
        ("retract", {"seat": 0, "move": "C4C3"}),
    ]
    assert board.moves == []
    board.hands("B3- B2- B2+ hand.A.C+").rest()
    assert board.moves == ["B3B2"]


@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_capture_put_back_retracts_it(timeline: Any, sensing: str) -> None:
    board = timeline(sensing=sensing).hands("1 B3- B2- B2+ hand.A.C+").rest(1)
    assert board.moves == ["B3B2"]
    board.hands("B2- B3+ hand.A.C- B2+").rest()
    assert board.moves == []
    assert "astray" not in board.events


@pytest.mark.parametrize("sensing", SENSINGS)
@pytest.mark.parametrize(
    "acts",
    [
        "B3- 0.5 B2- 0.7 B2+ 0.5 B3+",  # the capture was only tried
        "B2- 0.7 B3- 0.5 B2+ 3 B2- 0.8 B3+ 0.6 B2+",  # it stood, and both pieces went back
    ],
)
def test_a_capture_put_back_where_no_tray_tells(timeline: Any, sensing: str, acts: str) -> None:
    board = timeline(sensing=sensing, unsensed=BARE).hands(f"1 {acts}").rest()
    assert board.moves == []
    assert board.events[-1] == "retract"


@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_reply_that_begins_shows_the_move_before_it(timeline: Any, sensing: str) -> None:
    board = timeline(sensing=sensing).hands("1 B4- 0.3 A3+ 0.08 B1-").rest(0.15)
    assert board.moves == ["B4A3"]


def test_lifting_alone_finalises_and_plays_nothing(timeline: Any) -> None:
    board = timeline().hands("1 C4- C3+").rest(1).hands("A1-").rest(3)
    assert board.moves == ["C4C3"]
    assert board.session.view.provisional == 1
    board.hands("A1+ C3- C4+").rest()
    assert board.moves == []


# ---- several plies in one breath


@pytest.mark.parametrize("sensing", SENSINGS)
def test_two_plies_in_one_breath(timeline: Any, sensing: str) -> None:
    board = timeline(sensing=sensing).hands("1 C4- 0.3 C3+ 0.02 A1- 0.1 A2+").rest()
    assert board.moves == ["C4C3", "A1A2"]


@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_reply_that_begins_before_the_move_has_ended(timeline: Any, sensing: str) -> None:
    board = timeline(sensing=sensing).hands("1 B3- 0.2 B2- 0.02 B2+ 0.1 B1- 0.1 hand.A.C+")
    board.hands("0.2 B2- 0.02 B2+ 0.2 hand.B.C+").rest()
    assert board.moves == ["B3B2", "B1B2"]
    assert not board.asked


@pytest.mark.parametrize("sensing", SENSINGS)
def test_three_plies_in_one_breath(timeline: Any, sensing: str) -> None:
    board = timeline(sensing=sensing)
    board.hands("1 C4- 0.1 C3+ 0.03 A1- 0.1 A2+ 0.03 B4- 0.1 C4+").rest()
    assert board.moves == ["C4C3", "A1A2", "B4C4"]


# ---- promotion: asked on presence, seen on polarity


def test_polarity_sees_promotion(timeline: Any) -> None:
    for sign, text in (("/", "B2B1+"), ("+", "B2B1")):
        board = timeline(sensing="polarity", position=BEFORE_PROMOTION)
        board.hands(f"1 B2- B1{sign}").rest()
        assert board.moves == [text]
        assert "ask" not in board.events


def test_polarity_sees_a_piece_turned_over_where_it_lies(timeline: Any) -> None:
    board = timeline(sensing="polarity", position=BEFORE_PROMOTION)
    board.hands("1 B2- B1+ 1 B1- 0.4 B1/").rest()
    assert board.moves == ["B2B1+"]
    assert board.events == ["move", "revise"]


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


# ---- drops


IN_HAND = "gl1/1c1/1C1/1LG b Ee 1"


@pytest.mark.parametrize("sensing", SENSINGS)
@pytest.mark.parametrize("unsensed", [(), BARE])
def test_a_drop(timeline: Any, sensing: str, unsensed: tuple[str, ...]) -> None:
    board = timeline(sensing=sensing, position=IN_HAND, unsensed=unsensed)
    board.hands("1 hand.A.E- 0.5 A3+").rest()
    assert board.moves == ["E*A3"]
    assert board.events == ["move"]


TWO_KINDS = "1l1/g2/3/1LG b CEce 1"


def test_which_piece_was_dropped_only_its_tray_tells(timeline: Any) -> None:
    for kind in "CE":
        board = timeline(position=TWO_KINDS).hands(f"1 hand.A.{kind}- 0.5 A3+").rest()
        assert board.moves == [f"{kind}*A3"]
    board = timeline(position=TWO_KINDS, unsensed=BARE).hands("1 A3+").rest()
    assert board.asked == [{"C*A3", "E*A3"}]


def test_a_heap_that_stays_a_heap_is_asked_about(timeline: Any) -> None:
    board = timeline(position="1l1/g2/3/1LG b 2CEe 1")
    board.hands("1 hand.A.C- 0.5 A3+").rest()  # one chick is left: the slot still reads 1
    assert board.moves in (["?"], ["C*A3"])
    assert board.asked in ([{"C*A3", "E*A3"}], [])
    pockets = timeline(sensing="polarity", position="1l1/g2/3/1LG b 2CEe 1")
    assert pockets.hands("1 hand.A.C- 0.5 A3+").rest().moves == ["C*A3"]


def test_a_piece_laid_back_into_its_tray_takes_the_drop_back(timeline: Any) -> None:
    board = timeline(position=IN_HAND).hands("1 hand.A.E- A3+").rest(1)
    board.hands("A3- hand.A.E+").rest()
    assert board.moves == []


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


def test_a_refusal_is_told_within_a_second(timeline: Any) -> None:
    board = timeline().hands("1 A4- A3+").rest(0.6)
    assert board.events == ["refused"]


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
    said = [render(each) for each in status(board.session.view, 1).says]
    assert said[1:5] == [
        "3 movements put the board right:",
        "Move the giraffe from C2 to C4.",  # though the lion's place is nearer
        "Move the elephant from A3 to A4.",
        "Put the lion of B on B1.",
    ]
    board.hands("A3-").rest(0.5)
    assert "Put the elephant of A on A4." in [
        render(each) for each in status(board.session.view, 1).says
    ]
    board.hands("A4+ C2- C4+").rest(1)
    assert "Put the lion of B on B1." in [
        render(each) for each in status(board.session.view, 1).says
    ]
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


def test_the_first_piece_of_a_row_rocks_while_the_next_one_comes(timeline: Any) -> None:
    board = timeline("abalone", "polarity").hands("1 c5- 0.13 b5- 0.4 c6+ 0.07 c6- 0.03 c6+")
    board.hands("0.01 d6+ 0.03 c6- 0.05 d6- 0.015 c6+ 0.03 c6- 0.01 d6+ 0.015 c6+").rest(2)
    assert board.moves == ["b5c5c6"]


CAPTORS = "l1C/GeE/2L/g1C w - 1"


@pytest.mark.parametrize("unsensed", [(), ("hand",)])
def test_a_piece_that_is_straightened_is_not_taken_by_the_next_that_is_lifted(
    timeline: Any, unsensed: tuple[str, ...]
) -> None:
    board = timeline("robot-duel", "presence", CAPTORS, unsensed=unsensed).rest()
    board.hands("C1- .124 C1+ .3 B2-").rest(3)
    assert (board.moves, board.events) == ([], [])
    board.hands("C3- .3 C3+").rest()
    assert (board.moves, board.events) == (["B2C3"], ["move", "over"])
