"""What the board makes of hands, by the second: the reader and the session's timing together."""

from __future__ import annotations

from typing import Any

import pytest

from engine.standing import mismatch
from firmware_host.questions import TWICE
from firmware_host.words import render, say

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
    assert board.session.match.turn == 1


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
        "B2- 0.12 C3+ 0.12 B3- 0.2 B2+ 0.5 C3- 0.4 hand.A.C+",  # laid beside the board's middle
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
def test_a_captured_man_that_is_parked_for_long(
    timeline: Any, sensing: str, unsensed: tuple[str, ...], held: float
) -> None:
    board = timeline(sensing=sensing, unsensed=unsensed)
    board.hands(f"1 B2- 0.4 B3- 0.06 A3+ {held} B2+ 2 A3- 0.4 hand.A.C+").rest()
    assert board.moves == ["B3B2"]
    assert board.events[-1] == "move"


@pytest.mark.parametrize("sensing", SENSINGS)
def test_an_empty_instant_of_five_milliseconds_shows_which_man_was_taken(
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


def test_chatter_and_a_wobbling_man_are_one_move(timeline: Any) -> None:
    flutter = "C4- 0.002 C4+ 0.003 C4- 0.6 C3+ 0.01 C3- 0.012 C3+ 0.008 C3- 0.02 C3+"
    board = timeline().hands(f"1 {flutter}").rest()
    assert board.told == [("move", {"seat": 0, "move": "C4C3"})]


# ---- provisional: revised, retracted, made final


@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_man_that_goes_on_revises_the_move(timeline: Any, sensing: str) -> None:
    board = timeline(sensing=sensing).hands("1 B4- A3+ 1 A3- 0.4 C3+").rest()
    assert board.told == [
        ("move", {"seat": 0, "move": "B4A3"}),
        ("revise", {"seat": 0, "move": "B4C3"}),
    ]
    assert board.session.play.provisional == 1


@pytest.mark.parametrize("sensing", SENSINGS)
@pytest.mark.parametrize("cell", [0.06, 0.12, 0.35, 0.9])
def test_a_slide_ends_where_the_man_is_left(timeline: Any, sensing: str, cell: float) -> None:
    board = timeline("shogi", sensing)
    way = " ".join(f"{file}h+ {cell} {file}h- 0.04" for file in (3, 4, 5))
    board.hands(f"1 2h- 0.04 {way} 6h+").rest()
    assert board.moves == ["2h6h"]
    assert board.events == ["move"] if cell < 0.2 else board.events[0] == "move"


@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_slide_over_the_board_that_takes_at_its_end(timeline: Any, sensing: str) -> None:
    start = "lnsgkgsnl/1r5b1/ppppppp1p/7p1/9/7P1/PPPPPPP1P/1B5R1/LNSGKGSNL b - 5"
    board = timeline("shogi", sensing, start)
    board.hands("1 2h- 0.04 2g+ 0.3 2g- 0.3 2f- 0.03 2f+ hand.sente.P+").rest()
    assert board.moves in ([], ["2h2g"])  # an own man was knocked: nothing wrong is read
    assert not board.asked


@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_man_put_back_retracts_the_move(timeline: Any, sensing: str) -> None:
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
        "B2- 0.7 B3- 0.5 B2+ 3 B2- 0.8 B3+ 0.6 B2+",  # it stood, and both men went back
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
    assert board.session.play.provisional == 1
    board.hands("A1+ C3- C4+").rest()
    assert board.moves == []


# ---- takeback


def played(board: Any) -> Any:
    """Play C4C3, A1A2, B3B2 (a capture), B1B2 (one back)."""
    board.hands("1 C4- C3+").rest(1).hands("A1- A2+").rest(1)
    board.hands("B3- B2- B2+ hand.A.C+").rest(1).hands("B1- B2- B2+ hand.B.C+").rest(1)
    assert board.moves == ["C4C3", "A1A2", "B3B2", "B1B2"]
    board.told.clear()
    return board


@pytest.mark.parametrize("sensing", SENSINGS)
def test_takeback_of_several_plies_the_last_mover_first(timeline: Any, sensing: str) -> None:
    board = played(timeline(sensing=sensing))
    board.hands("hand.B.C- 0.2 B2- B1+ B2+").rest()
    assert board.moves == ["C4C3", "A1A2", "B3B2"]
    board.hands("B2- B3+ hand.A.C- B2+").rest()
    assert board.moves == ["C4C3", "A1A2"]
    board.hands("A2- A1+").rest()
    board.hands("C3- C4+").rest()
    assert board.moves == []
    assert board.events[0] == "retract"
    assert board.events.count("takeback") == 3
    assert not board.asked


def test_takeback_of_three_plies_in_one_go(timeline: Any) -> None:
    board = played(timeline())
    board.hands("B2- B1+ hand.B.C- B2+ 1.2 B2- B3+ hand.A.C- B2+ 1.2 A2- A1+").rest()
    assert board.moves == ["C4C3"]
    assert board.session.match.turn == 1
    told = [details["plies"] for kind, details in board.told if kind == "takeback"]
    assert sum(told) + board.events.count("retract") == 3


def test_another_order_stands_as_play_and_the_board_asks(timeline: Any) -> None:
    board = timeline().hands("1 C4- C3+").rest(1).hands("A1- A2+").rest(1)
    board.hands("C3- C4+").rest(1).hands("A2- A1+").rest(1)
    assert board.moves == ["C4C3", "A1A2", "C3C4", "A2A1"]
    assert board.last("ask")["takeback"] == 4
    asked = [each.move for each in _status(board).question]
    assert asked == ["back", "play"]
    board.press("yes").rest()
    assert board.moves == []
    assert board.last("takeback") == {"plies": 4}


def test_another_order_may_be_play_after_all(timeline: Any) -> None:
    board = timeline().hands("1 C4- C3+").rest(1).hands("A1- A2+").rest(1)
    board.hands("C3- C4+").rest(1).hands("A2- A1+").rest(1)
    board.press("no").rest()
    assert board.moves == ["C4C3", "A1A2", "C3C4", "A2A1"]
    board.hands("B4- A3+").rest()
    assert board.moves[-1] == "B4A3"
    assert not _status(board).question


def test_the_back_button_undoes_and_guides(timeline: Any) -> None:
    board = played(timeline()).press("back").rest(2)
    assert board.moves == ["C4C3", "A1A2", "B3B2"]
    assert board.session.putting_right.guiding
    reader = board.session.play.reader
    put, take = mismatch(reader.shown[0], reader.levels)
    assert (put, take) == (("B1",), ())
    board.hands("B2- B1+ hand.B.C- B2+").rest()
    assert not board.session.putting_right.guiding
    assert board.moves == ["C4C3", "A1A2", "B3B2"]


def test_the_start_set_up_during_a_match_is_a_takeback(timeline: Any) -> None:
    board = timeline().hands("1 C4- C3+").rest(1).hands("A1- A2+").rest(1)
    board.hands("A2- A1+ 0.8 C3- C4+").rest(6)
    assert board.moves == []
    assert "takeback" in board.events


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


def test_polarity_sees_a_man_turned_over_where_it_lies(timeline: Any) -> None:
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


@pytest.mark.parametrize("text", ["B2B1", "B2B1+"])
def test_a_question_is_answered_by_a_lit_place_pressed_twice(asking: Any, text: str) -> None:
    lit = asking.session.play.questions.choices()
    assert set(lit) == {"B2B1", "B2B1+"}
    assert lit[text] not in ("B1", "B2")
    asking.hands(f"{lit[text]}- {lit[text]}+").rest(0.5)
    assert asking.moves == ["?"]  # once may be a knock
    asking.hands(f"{lit[text]}- {lit[text]}+").rest()
    assert asking.moves == [text]


def test_a_lit_man_that_is_lifted_while_another_is_away_answers_nothing(asking: Any) -> None:
    (lit, *_) = asking.session.play.questions.choices().values()
    other = next(place for place in ("A1", "C1", "A4", "C4") if place != lit)
    asking.hands(f"{other}- {lit}- {lit}+ 0.3 {lit}- {lit}+ 0.3 {other}+").rest(2)
    assert asking.moves == ["?"]


def test_once_more_is_said_only_while_it_helps(asking: Any) -> None:
    (lit, *_) = asking.session.play.questions.choices().values()
    asking.hands(f"{lit}- {lit}+").rest(0.3)
    session, begun = asking.session, asking.now
    while session.play.questions.pressed(session.now) == lit:
        assert session.deadline is not None  # whoever shows it is called again when it is over
        asking.rest(session.deadline - asking.now)
    assert TWICE - 0.5 < asking.now - begun <= TWICE
    asking.hands(f"{lit}- {lit}+").rest(0.3)
    assert asking.moves == ["?"]


def test_lifting_the_man_itself_is_no_answer(asking: Any) -> None:
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


def test_which_man_was_dropped_only_its_tray_tells(timeline: Any) -> None:
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


def test_a_man_laid_back_into_its_tray_takes_the_drop_back(timeline: Any) -> None:
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
    assert board.session.putting_right.guiding
    board.hands("A3- A4+").rest()
    assert not board.session.putting_right.guiding
    assert board.session.putting_right.refusal is None
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


@pytest.mark.parametrize("sensing", SENSINGS)
@pytest.mark.parametrize("unsensed", [(), BARE])
def test_nothing_is_refused_while_a_captor_is_in_the_hand(
    timeline: Any, sensing: str, unsensed: tuple[str, ...]
) -> None:
    board = timeline(sensing=sensing, unsensed=unsensed)
    board.hands("1 B2- 0.4 A3+ 0.6 B3-").rest(8)  # the captured man is parked first
    assert board.events == []
    board.hands("B2+ 0.5 A3- hand.A.C+").rest(3)
    assert board.told == [("move", {"seat": 0, "move": "B3B2"})]


def test_a_man_parked_for_no_capture_is_refused(timeline: Any) -> None:
    board = timeline().hands("1 B2- 0.4 A3+").rest(2)
    assert board.last("refused")["reason"] == "not-yours"
    board = timeline().hands("1 B2- 0.4 A3+ 0.6 C4-").rest(2)  # no giraffe takes there
    assert "astray" in board.events


def test_a_man_upside_down_where_none_may_be_is_refused(timeline: Any) -> None:
    board = timeline(sensing="polarity").hands("1 B4- A3/").rest(2)
    assert "refused" in board.events
    assert board.last("astray")["move"] == [["A3", "B4"]]
    board.hands("A3- B4+ C4- C3+").rest(2)
    assert board.moves == ["C4C3"]


@pytest.mark.parametrize("sensing", SENSINGS)
def test_the_very_man_that_was_moved_is_named(timeline: Any, sensing: str) -> None:
    board = timeline(sensing=sensing).hands("1 A4- A3+ C4- C2+ B1-").rest(2)
    said = [render(each) for each in _status(board).says]
    assert said[1:5] == [
        "3 movements put the board right:",
        "Move the giraffe from C2 to C4.",  # though the lion's place is nearer
        "Move the elephant from A3 to A4.",
        "Put the lion on B1.",
    ]
    board.hands("A3-").rest(0.5)
    assert "Put the elephant on A4." in [render(each) for each in _status(board).says]
    board.hands("A4+ C2- C4+").rest(1)
    assert "Put the lion on B1." in [render(each) for each in _status(board).says]
    assert board.events == ["refused", "astray"]  # whoever does as told is not refused again
    board.hands("B1+").rest(1)
    assert not board.session.putting_right.guiding
    assert board.moves == []


def test_guidance_follows_the_hand_until_the_board_matches(timeline: Any) -> None:
    board = timeline().hands("1 0.1 A4- 0.1 C4- 0.1 A2+ 0.1 C2+ 0.1").rest(3)
    both = [["A2", "A4"], ["C2", "C4"]]
    assert board.last("astray") == {"put": ["A4", "C4"], "take": ["A2", "C2"], "move": both}
    board.hands("A2- A4+").rest(3)
    assert board.last("astray") == {"put": ["C4"], "take": ["C2"], "move": both[1:]}
    board.hands("C2- C4+").rest(3)
    assert not board.session.putting_right.guiding
    assert board.moves == []


# ---- the end of a match, and another one


LION_IN_REACH = "1le/1L1/3/E2 b GgCc 1"


@pytest.mark.parametrize("sensing", SENSINGS)
def test_the_last_move_is_provisional_too(timeline: Any, sensing: str) -> None:
    board = timeline(sensing=sensing, position=LION_IN_REACH)
    board.hands("1 B2- B1- B1+").rest(2)
    assert board.moves == ["B2B1"]
    assert board.last("over") == {"outcome": {"winners": ["A"], "reason": "lion-captured"}}
    board.hands("B1- B2+ B1+").rest(2)
    assert board.moves == []
    assert board.session.outcome is None
    assert board.events == ["move", "over", "retract"]


def test_setting_up_the_start_after_the_end_is_a_new_match(timeline: Any) -> None:
    board = timeline(position=LION_IN_REACH).hands("1 B2- B1- B1+").rest(2)
    assert board.session.outcome is not None
    board.hands("0.5 hand.A.C- hand.B.C- hand.A.G- hand.B.G- A1+ B2+ B3+ B4+ C4+").rest(3)
    assert board.events[-1] == "new"
    assert board.moves == []
    assert board.session.outcome is None
    board.hands("C4- C3+").rest()
    assert board.moves == ["C4C3"]


def test_a_new_match_that_is_asked_for_waits_until_it_is_set_up(timeline: Any) -> None:
    board = timeline().hands("1 C4- C3+").rest(1).hands("A1- A2+").rest(1).new_match()
    assert board.moves == []
    assert board.session.putting_right.settling
    board.rest(2)
    assert board.last("astray")["put"] == ["A1", "C4"]
    board.hands("A2- A1+ C3- C4+").rest()
    assert not board.session.putting_right.settling
    assert board.hands("C4- C3+").rest().moves == ["C4C3"]


# ---- dice


def test_a_throw_that_arrives_while_a_reading_waits_plays_it(timeline: Any) -> None:
    board = timeline("chaturaji").throw(3).hands("1 b1- 0.5 c3+ 0.06").rest(0.0)
    assert board.moves == []
    board.throw(3).rest()
    assert board.moves == ["b1c3"]
    assert [e.texts[0] for e in board.session.record if e.kind == "throw"] == ["3", "3"]
    assert board.session.play.dice == (3,)


def test_a_throw_that_is_told_after_its_move_was_made(timeline: Any) -> None:
    board = timeline("chaturaji").throw(3).hands("1 b1- c3+").rest(2)
    board.hands("a7- c6+").rest(2)
    assert board.moves == ["b1c3"]
    board.throw(3).rest()
    assert board.moves == ["b1c3", "a7c6"]


def test_revising_a_move_keeps_the_throw_after_it(timeline: Any) -> None:
    board = timeline("chaturaji").throw(3).hands("1 b1- c3+").rest(0.6).throw(3).rest(0.2)
    board.hands("c3- a3+").rest()
    assert board.moves == ["b1a3"]
    assert board.session.play.dice == (3,)
    assert "revise" in board.events


@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_man_that_was_tried_and_put_back_is_not_played_when_the_other_goes_back(
    timeline: Any, sensing: str
) -> None:
    board = timeline("shogi", sensing).hands("1 2h- 5h+ 1 6a- 6b+").rest(1)
    board.hands("5h- 0.4 3h+ 0.5 3h- 0.4 5h+ 0.8 6b- 0.5 6a+").rest(0.3)
    board.hands("5h- 0.03 4h+ 0.16 4h- 0.03 3h+ 0.13 3h- 0.03 2h+").rest()
    assert board.moves == []


def test_dice_thrown_again_by_who_made_the_same_move_again(timeline: Any) -> None:
    board = timeline("chaturaji").throw(3).hands("1 b1- c3+").rest(1).throw(3).rest(1)
    board.throw(5).rest(1)
    assert board.session.play.dice == (3,)  # nobody throws twice for one move
    board.hands("c3- 0.5 b1+ 0.2 b1- 0.4 c3+").rest(1).throw(5).rest(1)
    assert board.moves == ["b1c3"]
    assert board.session.play.dice == (5,)


def test_takeback_restores_the_throw_of_the_move_undone(timeline: Any) -> None:
    board = timeline("chaturaji").throw(3).hands("1 b1- c3+").rest(1).throw(3)
    board.hands("a7- c6+").rest(1)
    assert board.moves == ["b1c3", "a7c6"]
    board.hands("c6- a7+").rest(1)
    assert board.moves == ["b1c3"]
    assert board.session.play.dice == (3,)
    board.hands("c3- b1+").rest()
    assert board.moves == []
    assert board.session.play.dice == (3,)


def test_a_throw_after_other_moves_were_taken_back_replaces_the_one_that_stood(
    timeline: Any,
) -> None:
    board = timeline("chaturaji").throw(3).hands("1 b1- c3+").rest(1).throw(3)
    board.hands("a7- c6+").rest(1)
    board.hands("c6- a7+ 1.5 c3- b1+ 0.4 b1- a3+").rest(1)
    assert board.moves == ["b1a3"]
    board.throw(5).hands("1 b5- c5+").rest(1)
    assert board.moves == ["b1a3", "b5c5"]
    board.throw(5).throw(3).rest(1)
    assert board.session.play.dice == (5,)


def test_a_forced_pass_plays_itself_and_is_said(timeline: Any) -> None:
    board = timeline("chaturaji").throw(4).rest()  # the elephant is shut in at the start
    assert board.told[-1] == ("move", {"seat": 0, "move": "--"})
    assert board.session.match.seat == 0
    board.throw(3).hands("1 a7- c6+").rest()
    assert board.moves == ["--", "a7c6"]


def test_a_throw_that_cannot_fall_is_no_throw(timeline: Any) -> None:
    board = timeline("chaturaji").throw(6).throw(1, 2).rest()
    assert board.told == []
    assert board.session.play.dice == ()
    assert timeline("robot-duel").throw(3).rest().told == []


# ---- claims


def test_resigning_ends_the_match(timeline: Any) -> None:
    board = timeline().hands("1 C4- C3+").rest(1).claim("resign", 0)
    assert board.last("over") == {"outcome": {"winners": ["B"], "reason": "resign"}}
    assert board.moves == ["C4C3"]
    board.claim("resign", 1)
    assert board.last("refused")["reason"] == "no-such-claim"


def test_a_claim_that_cannot_be_made_is_refused(timeline: Any) -> None:
    board = timeline().claim("declare", 1)
    assert board.told == [("refused", {"reason": "no-such-claim", "places": [], "seat": 1})]


# ---- chips that are gone


def test_places_without_a_chip_are_inferred_and_seen_again(timeline: Any) -> None:
    from firmware_host.events import Frame

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
    assert board.session.sensors.masked == blind
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
    assert board.session.sensors.masked == frozenset()
    assert board.moves == ["B3B2"]
    assert not board.session.putting_right.guiding


@pytest.mark.parametrize("game", ["robot-duel", "shogi", "robotory", "abalone"])
def test_a_chip_with_trays_on_it_may_go_in_every_game(timeline: Any, game: str) -> None:
    from firmware_host.events import Frame

    board = timeline(game)
    blind = frozenset({*sorted(board.sight.trays), sorted(board.sight.cells)[0]})
    board.now = 1.0
    board.feed(Frame(board.now, board.readings, blind))
    man = next(p for p in board.game.cells() if p in board.readings and p not in blind)
    seen = {p: v for p, v in board.readings.items() if p != man}
    board.feed(Frame(2.0, seen, blind))
    board.feed(Frame(3.0, board.readings, blind))
    board.now = 4.0
    board.rest(3)
    assert board.session.sensors.masked == blind
    assert board.moves == []


def _status(board: Any) -> Any:
    from firmware_host.telling import status

    return status(board.session, 1)


def test_who_names_a_move_is_believed_though_another_was_likelier(timeline: Any) -> None:
    # The lion goes to B1 while the other hand straightens the giraffe on B2 and then lifts the lion
    # on B4; without sensors in the trays that looks like a capture on B2 and a drop on B1.
    board = timeline(sensing="polarity", position="1ge/LcC/1l1/EG1 b - 1", unsensed=BARE)
    board.hands("1 C2- 0.04 C1- 0.5 C1+").rest(0.8).choose("C2C1").rest()
    board.hands("B1- 0.4 A1+").rest(0.9).choose("B1A1").rest()
    board.hands("A2- 0.23 B2- 0.37 B2+ 0.2 B4- 1.2 B1+ 0.2 B4+").rest(0.7)
    assert board.moves[:3] != ["C2C1", "B1A1", "A2B1"]
    board.choose("A2B1").rest()
    assert board.moves == ["C2C1", "B1A1", "A2B1"]


def test_what_was_named_is_not_taken_back_by_what_hands_did_before(timeline: Any) -> None:
    # After a capture of which only a touch tells, a chick is dropped where the lion came from, and
    # the lion is straightened: without sensors in the trays that is the capture taken back.
    board = timeline(sensing="polarity", position="g1e/2l/1c1/ELG b c 1", unsensed=BARE)
    board.hands("1 B4- 0.18 B3- 0.3 B3+ 0.56 B4+ 0.09 B3- 0.4").choose("B4B3")
    board.hands("0.18 B3+").rest(0.14).choose("C*B4").rest()
    assert board.moves == ["B4B3", "C*B4"]
    board.hands("B4-").rest(6)
    assert board.moves == ["B4B3"]  # … but by what they did since


def test_a_named_capture_stands_though_nothing_was_seen_of_its_end(timeline: Any) -> None:
    # Both men go to B3 in one breath: its sensor sees only one of them come.
    board = timeline(sensing="polarity", position="1CG/gl1/2L/E1c w E 1")
    board.hands("1 B2- 0.23 B3+ 0.02 B3- 0.27 A4- 0.26 B3+").rest(0.9)
    board.choose("B2B3").rest(0.9)
    board.choose("A4B3").rest()
    assert board.moves == ["B2B3", "A4B3"]


def test_a_board_is_not_cleared_by_a_hand_that_hovers_over_it(timeline: Any) -> None:
    # The man that takes on B3 has touched C2, where the lion stands, and then B2.
    board = timeline(sensing="polarity", position="2e/g1l/1cL/E1G b c 1")
    board.hands("1 C3- 0.38 C2- 0.05 C2+").rest(0.2)
    assert board.last("over")["outcome"]["reason"] == "lion-captured"
    board.hands("0.1 B2+ 1.4 B2- 0.3 B3- 0.22 B3+ 0.46 hand.A.C+").rest(2.0)
    assert board.asked == [{"C3C2", "C3B3"}]
    board.choose("C3B3").rest()
    assert board.moves == ["C3B3"]
    assert board.session.outcome is None


def test_a_man_that_still_rocks_when_it_is_taken_was_put_down(timeline: Any) -> None:
    # The pole of the bishop that rocks on 5a says that it was promoted.
    board = timeline("shogi", sensing="polarity", position="8k/3s1B3/9/9/9/9/9/9/K8 b - 1")
    board.hands("1 4b-")
    for _ in range(5):
        board.hands("0.02 5a/ 0.02 5a-")
    board.hands("6b- 0.22 5a+ 0.16 hand.gote.B+").rest()
    assert board.moves == ["4b5a+", "6b5a"]


def test_a_man_is_lifted_again_while_it_may_still_rock(timeline: Any) -> None:
    board = timeline("shogi", sensing="polarity", position="4k4/9/9/9/9/9/9/9/K7R w - 1")
    board.hands("1 5a- 0.3 1i- 0.1 4b+ 0.03 4b- 0.17 1h+ 0.2 5a+").rest()
    assert board.moves == ["5a4b", "1i1h", "4b5a"]


def test_a_capture_between_two_looks_is_asked_for_when_the_man_is_long_missing(
    timeline: Any,
) -> None:
    board = timeline(sensing="presence", position="g1e/1l1/1c1/ELG b C 1", unsensed=BARE)
    board.hands("1 B4-").rest(4.0)
    assert board.asked == []
    board.rest(2.0)
    (asked,) = board.asked
    assert "B4B3" in asked
    board.choose("B4B3").rest()
    assert board.moves == ["B4B3"]


def test_a_man_held_for_long_may_still_go_anywhere(timeline: Any) -> None:
    board = timeline(sensing="presence", position="g1e/1l1/1c1/ELG b C 1", unsensed=BARE)
    board.hands("1 B4-").rest(6.0)
    assert board.asked
    board.hands("A3+").rest()
    assert board.asked == []
    assert board.moves == ["B4A3"]


@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_man_that_pauses_and_goes_on_is_no_drop_beside_it(timeline: Any, sensing: str) -> None:
    # The first player has a chick in hand, and it might have come to C1 while B2 is in the hand.
    board = timeline(sensing=sensing, position="1l1/3/3/GL1 w CCGEE 1", unsensed=BARE)
    board.hands("1 B1- 0.3 B2+ 1 B2- 0.33 C1+").rest(2.5)
    assert board.moves == ["B1C1"]
    board.hands("A4- 0.3 A3+").rest()
    assert board.moves == ["B1C1", "A4A3"]


@pytest.mark.parametrize("sensing", SENSINGS)
def test_play_that_goes_on_shows_that_a_man_was_taken_between_two_looks(
    timeline: Any, sensing: str
) -> None:
    # After B3 takes on B2 unseen, both players move back: it might be two moves taken back.
    board = timeline(sensing=sensing, unsensed=BARE).hands("1 C4- 0.3 C3+ 1 A1- 0.3 A2+")
    board.hands("1 B3- 1 A2- 0.3 A1+ 0.8 C3- 0.3 C4+").rest()
    assert board.moves == ["C4C3", "A1A2", "B3B2", "A2A1", "C3C4"]


@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_drop_where_the_man_stood_that_took_another_between_two_looks(
    timeline: Any, sensing: str
) -> None:
    # It might be put back, but then the men on B3 and B2 could not go on as they do.
    board = timeline(sensing=sensing, position="l2/1e1/1C1/2L b ggec 1", unsensed=BARE)
    board.hands("1 B3- 0.9 B3+ 1 B2- 0.3 B1+ 1 B3- 0.3 A3+").rest()
    board.choose("G*B3").choose("B2B1").rest()
    assert board.moves == ["B3B2", "G*B3", "B2B1", "B3A3"]


@pytest.mark.parametrize("sensing", SENSINGS)
def test_who_names_a_capture_that_nobody_saw_is_believed_for_good(
    timeline: Any, sensing: str
) -> None:
    # The man has gone from A3 to A4 before: that is not what is meant.
    board = timeline(sensing=sensing, position="2l/3/gE1/2L w GECc 1", unsensed=BARE)
    board.hands("1 A3- 0.3 A4+ 1 C4- 0.3 C3+ 1 A4- 0.3 A3+ 1 B3- 0.3 A4+ 1 A3-").rest(7)
    assert board.asked == [{"A3A4", ""}]
    board.choose("A3A4").rest(60)
    assert board.moves == ["A3A4", "C4C3", "A4A3", "B3A4", "A3A4"]
    board.hands("C3- 0.3 C2+").rest()
    assert board.moves[4:] == ["A3A4", "C3C2"]


@pytest.mark.parametrize("sensing", SENSINGS)
def test_the_start_set_up_after_a_match_does_not_end_that_otherwise(
    timeline: Any, sensing: str
) -> None:
    board = timeline(sensing=sensing, unsensed=BARE).hands("1 B4- 0.3 C3+ 3 B3- 1 B2- 0.1 B3+")
    board.hands("3 C3- 0.2 C2+ 3 C2- 1.2 B1- 0.4 C2+").rest(3)
    assert board.last("over")["outcome"]["reason"] == "lion-captured"
    board.hands("B3- 0.35 C2- 0.8 B1+ 0.5 B4+ 0.32 B3+ 0.36 B2+").rest(8)
    assert "revise" not in board.events
    board.hands("B3- 0.3 B2- 0.1 B2+").rest()
    assert board.moves == ["B3B2"]


@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_man_that_slides_on_is_no_drop_where_it_comes_to_stand(
    timeline: Any, sensing: str
) -> None:
    # The other player has a man in hand that might have come to A3, to be taken there from B2.
    board = timeline(sensing=sensing, position="g2/l2/2E/L2 w GECc 1", unsensed=BARE)
    board.hands("1 A2- 0.2 B2+ 1.1 B2- 0.12 A3+ 0.08 A3- 0.06 A3+ 1 A3- 0.2 A3+").rest()
    assert board.moves == ["A2A3"]


def test_a_man_that_is_turned_over_late_is_promoted_though_it_is_taken_soon(timeline: Any) -> None:
    board = timeline("shogi", "polarity", "4k4/9/9/9/4b4/9/2P6/1B7/4K4 w - 1")
    board.hands("1 7g- 0.3 hand.gote.P+ 0.7 5e- 0.2 7g+ 1.1 7g- 0.2 7g/ 1.1 7g- 0.4 hand.sente.B+")
    board.hands("0.4 8h- 0.57 7g+ 0.2 5a- 0.2 5b+").rest()
    assert board.moves == ["5e7g+", "8h7g", "5a5b"]


@pytest.mark.parametrize("sensing", SENSINGS)
def test_chatter_of_a_man_that_leaves_is_not_the_next_one_coming(
    timeline: Any, sensing: str
) -> None:
    board = timeline("abalone", sensing)
    board.hands("1 c5- 0.008 c5+ 0.008 c5- 0.0 d6+ 0.04 b4- 0.024 c5+").rest()
    assert board.moves == ["b4c5"]


@pytest.mark.parametrize("sensing", SENSINGS)
@pytest.mark.parametrize("waited", [0.6, 1.3, 3.0])
def test_who_pushes_one_by_one_begins_with_a_man_of_the_last_player(
    timeline: Any, sensing: str, waited: float
) -> None:
    board = timeline("abalone", sensing, "sssss/ssssss/ss5/8/3s5/8/2S1SSS/SSSSSS/SS1SS 0 0 w 0 1")
    turned = "/" if sensing == "polarity" else "+"  # white's pole
    board.hands(f"1 e4- d3{turned} {waited} d3- e3{turned} 0.6 c3- d3+ 0.4 b3- c3+").rest(25)
    # white may have gone on to e3, too, but rather not after so long
    assert "e4d3" in board.session.record[0].texts
    assert "e4e3" not in board.moves


FUMBLED = ["1g", "3g", "5g", "9g", "1i", "2i", "4i", "6i", "9i"]


@pytest.mark.parametrize("sensing", SENSINGS)
def test_play_goes_on_after_much_that_nothing_explains(timeline: Any, sensing: str) -> None:
    board = timeline("shogi", sensing).rest(1)
    fumbled = " ".join(f"{place}- 0.08 {place}+ 0.12" for place in FUMBLED)
    board.hands(f"{fumbled} 7g- 7f+ 0.5 3c- 3d+ 0.5 2g- 2f+").rest(0.5)
    assert board.moves == ["7g7f", "3c3d", "2g2f"]


def test_a_man_that_does_not_reach_its_tray_was_rather_not_captured(timeline: Any) -> None:
    board = timeline("robot-duel", "polarity", LION_IN_REACH)
    board.hands("1 B2- 0.2 B1- 0.35 B1+ 0.4 C1- 0.11 C1+").rest(10)
    assert board.moves == ["B2B1"]
    assert not board.session.play.questions.open


def test_a_takeback_that_begins_with_a_drop_where_no_tray_tells(timeline: Any) -> None:
    board = timeline(unsensed=BARE).hands("1 B3- B2- 0.2 B2+ 1 B1- B2- 0.2 B2+ 1 B4- A3+ 1 B3+")
    assert board.rest(1).moves == ["B3B2", "B1B2", "B4A3", "C*B3"]
    board.hands("B3- 1.3 A3- 0.8 B4+ 0.4 B2- 0.8 B1+ 1.2 B2+").rest()
    assert board.moves == ["B3B2"]


@pytest.mark.parametrize("unsensed", [(), BARE])
def test_a_takeback_of_two_plies_that_puts_the_captured_man_back_first(
    timeline: Any, unsensed: tuple[str, ...]
) -> None:
    board = timeline(unsensed=unsensed).hands("1 B3- B2- 0.2 B2+ hand.A.C+ 1.5 A1- 0.4 A2+")
    assert board.rest(1).moves == ["B3B2", "A1A2"]
    board.hands("A2- A1+ 1 B2- hand.A.C- 0.2 B2+ 0.6 B3+").rest()
    assert board.moves == []


SLOW_TO_LET_GO = [
    ("robot-duel", "C3+ {} C4-", "C4C3"),
    ("shogi", "7f+ {} 7g-", "7g7f"),
    ("shogi", "3h+ {0} 2h- 0.3 4h+ {0} 3h- 0.3 5h+ {0} 4h-", "2h5h"),
    ("chaturaji", "c3+ {} b1-", "b1c3"),
    ("abalone", "d6+ {} c5-", "c5d6"),
    ("abalone", "d6+ {} b4-", "b4c5"),
]


@pytest.mark.parametrize("sensing", SENSINGS)
@pytest.mark.parametrize("late", [0.002, 0.05, 0.15, 0.35])
@pytest.mark.parametrize(("game", "acts", "move"), SLOW_TO_LET_GO)
def test_a_sensor_that_lets_go_after_the_man_has_come(
    timeline: Any, sensing: str, game: str, acts: str, move: str, late: float
) -> None:
    board = timeline(game, sensing)
    if game == "chaturaji":
        board.throw(3)
    board.hands(f"1 {acts.format(late)}").rest()
    assert board.moves == [move]


# ---- rows in which each marble follows so closely that no sensor lets go between the two

ROWS = "sssss/5s/7/8/1SSs2SSs/3SSSss/7/6/SSS2 4 4 b 0 1"


@pytest.mark.parametrize("unsensed", [(), ("out",)])
def test_a_row_that_is_pushed_while_nothing_blinks(timeline: Any, unsensed: tuple[str]) -> None:
    board = timeline("abalone", "presence", ROWS, unsensed).hands("1 e2- 0.02 e5+").rest(1)
    assert board.moves == ["e2e3"]
    assert board.events == ["move"]


@pytest.mark.parametrize(("rear", "move"), [("e7", "e7e8"), ("d4", "d4d5")])
@pytest.mark.parametrize("unsensed", [(), ("out",)])
def test_a_marble_that_is_driven_off_while_nothing_blinks(
    timeline: Any, unsensed: tuple[str], rear: str, move: str
) -> None:
    board = timeline("abalone", "presence", ROWS, unsensed).hands(f"1 {rear}-").rest(1)
    assert board.moves == []  # it may be in a hand: a lift alone never plays anything
    board.hands("0.5 out.white+ 1 i5- 0.4 h4+").rest(1)
    assert board.moves == [move, "i5h4"]
    assert set(board.events) == {"move"}


@pytest.mark.parametrize("sensing", SENSINGS)
def test_the_rear_marble_that_is_lifted_and_put_back(timeline: Any, sensing: str) -> None:
    board = timeline("abalone", sensing, ROWS, ("out",)).hands("1 e7- 3 e7+").rest()
    assert board.moves == []
    assert board.events == []


# ---- what cannot have been so, by the order in which it was seen


def test_a_captured_man_is_not_in_its_tray_before_it_was_lifted(timeline: Any) -> None:
    # Three captures on 3g, the last man turned when it stood: the first had been turned, too.
    position = "4k4/9/9/9/5n3/6p2/6P2/9/4K2N1 w - 1"
    board = timeline("shogi", "polarity", position)
    board.hands("1 3g- 0.29 3f- 0.33 3g/ 1.1 hand.gote.P+")
    board.hands("1.8 3g- 0.39 2i- 0.31 3g+ 0.2 hand.sente.P+")
    board.hands("1.85 3g- 0.6 hand.gote.N+ 0.3 4e- 0.39 3g+ 1.1 3g- 0.3 3g/").rest()
    assert board.moves == ["3f3g+", "2i3g", "4e3g+"]
    assert "ask" not in board.events


@pytest.mark.parametrize("sensing", SENSINGS)
def test_who_lifts_his_man_again_before_the_other_moves_goes_on_with_it(
    timeline: Any, sensing: str
) -> None:
    # The knight comes down beside its target, as the one that is dropped next does.
    position = "4k4/9/2n6/9/9/9/9/9/4K4 w N 1"
    board = timeline("shogi", sensing, position, BARE)
    board.hands("1 7c- 0.51 8e+ 0.54 8e- 0.26 6e+ 5 8f+ 0.3 8f- 0.33 7g+").rest()
    assert board.moves == ["7c6e", "N*7g"]


# ---- a throw that comes early


def test_a_throw_while_the_last_man_has_hardly_come_down(timeline: Any) -> None:
    board = timeline("chaturaji").throw(3).hands("1 c3+ 0.0 b1- 0.02").throw(5).rest(1)
    board.hands("a5- 0.4 b4+").rest(1)
    assert board.moves == ["b1c3", "a5b4"]
    assert "refused" not in board.events


# ---- trays that were wrong before


def test_a_man_taken_out_of_a_tray_is_not_still_on_its_way_there(timeline: Any) -> None:
    # B leaves the captured chick beside the board; the giraffe is what he drops.
    board = timeline("robot-duel", "polarity", "1le/cC1/L2/E1G b G 1")
    board.hands("1 A3- 0.4 B4+ 2.2 B2- 0.7 C1- 0.4 B2+ 2.8 C4- 0.2 C3+")
    board.hands("0.5 C3- 0.3 B2- 0.4 C3+ 0.6 hand.B.G+ 5 B4- 0.6 C3- 0.2 C3+ 0.4 hand.A.E+")
    board.hands("2 hand.B.G- 0.5 A3+ 1 hand.A.G- 0.7 C4+")
    board.hands("1.3 A4- 0.6 hand.B.E+ 0.2 A3- 0.3 A4+").rest()
    assert board.moves[-3:] == ["G*A3", "G*C4", "A3A4"]
    assert "ask" not in board.events
