"""What people say was played, and how they correct a record that is wrong."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engine.game import CHANCE
from engine.games import make
from engine.match import Match
from engine.reading.footprints import Sight
from engine.reading.history import History
from firmware_host.session.events import Choose, Dice, Event, Frame, NewMatch, Press, Tick
from firmware_host.session.record import aligned
from firmware_host.session.session import Session
from firmware_host.text.announcements import status
from tests.support.random_games import play_random
from tests.support.session_parts import fail, reader_of

SENSINGS = ("presence", "polarity")
BLIND = ("stock", "pool")


# ---- moves that no sensor shows


def test_the_button_of_a_seat_asks_which_move_no_sensor_shows(timeline: Any) -> None:
    board = timeline("robotory", "polarity", unsensed=BLIND).rest()
    board.hands("e3+").choose("P w e3").rest().hands("a1+").choose("P w a1").rest()
    seat = board.game.seats[board.session.view.match.turn]
    board.press(seat)
    assert board.moves == ["P w e3", "P w a1", "?"]
    assert board.asked == [{"F 1w", "F 1b"}]
    lit = board.session.view.question.lit["F 1b"]
    sign = "/" if board.readings[lit] < 0 else "+"
    board.rest(1).hands(f"{lit}- {lit}{sign} 0.3 {lit}- {lit}{sign}").rest(1)
    assert board.moves == ["P w e3", "P w a1", "F 1b"]


def test_the_button_of_the_other_seat_asks_nothing(timeline: Any) -> None:
    board = timeline("robotory", "polarity", unsensed=BLIND).rest()
    board.hands("e3+").choose("P w e3").rest().hands("a1+").choose("P w a1").rest()
    board.press(board.game.seats[1 - board.session.view.match.turn])
    assert board.moves == ["P w e3", "P w a1"]


# ---- moves that sensors deny


def test_a_player_who_names_a_move_that_cannot_have_been_made_is_told_so(timeline: Any) -> None:
    board = timeline().hands("1 C4- 0.4 C3+").rest(2).choose("B4A3").rest(1)
    assert board.session.view.unplaced == "B4A3"
    said = " ".join(board.says())
    assert "B4A3 does not fit" in said
    board.hands("A1- 0.4 A2+").rest(1)
    assert board.session.view.unplaced == ""  # people go on
    assert board.moves == ["C4C3", "A1A2"]


def test_a_player_who_names_what_was_read_is_told_nothing(timeline: Any) -> None:
    board = timeline().hands("1 C4- 0.4 C3+").rest(2).choose("B4A3")
    assert board.session.view.unplaced == "B4A3"
    assert board.choose("C4C3").rest(1).session.view.unplaced == ""
    assert board.moves == ["C4C3"]


def test_a_player_who_names_a_move_before_the_dice_fell_for_the_next_changes_nothing(
    timeline: Any,
) -> None:
    board = timeline("chaturaji").rest(1).throw(5).hands("0.5 c2- 0.4 c3+").rest(0.8).throw(2)
    board.choose("c2c3").rest(1)
    assert board.moves == ["c2c3"]
    assert board.session.view.dice.to_play == (2,)


# ---- a record that is wrong


def fed(timeline: Any) -> Any:
    """A board on which a robot has eaten two tokens, or both players have moved it."""
    game = make("robotory")
    pieces = {"b3": "W", "c4": "B", "d3": "R", "b2": "w", "c2": "w"}
    cells = "".join(pieces.get(cell, ".") for cell in game.cells())
    board = timeline("robotory", "presence", f"{cells}/2w2b:2w2b 7w9b l")
    return board.hands("1 b3-").rest(1.3).hands("c2- 0.2 b2- 0.45 c2+").rest(1.5)


def test_a_player_who_says_wrong_is_asked_what_else_it_was(timeline: Any) -> None:
    board = fed(timeline)
    read = board.moves
    board.press("wrong")
    assert read[0] in board.asked[0]
    assert len(board.asked[0]) > 1
    said = " ".join(board.says())
    assert "press wrong again" in said
    assert status(board.session.view, 0).question


def test_a_player_who_says_wrong_again_takes_the_move_back(timeline: Any) -> None:
    board = fed(timeline)
    board.press("wrong").rest(0.5).press("wrong")
    assert board.moves == []
    assert board.session.view.repair.guiding


def test_what_can_have_been_nothing_else_is_taken_back(timeline: Any) -> None:
    board = timeline().hands("1 C4- C3+").rest(2).press("wrong")
    assert board.moves == []
    assert board.last("takeback") == {"plies": 1}


def test_what_is_taken_back_as_wrong_is_said_until_it_is_put_right(timeline: Any) -> None:
    board = timeline().hands("1 C4- C3+").rest(2).hands("A1- A2+").rest(2).press("wrong").rest(1)
    assert board.says()[:3] == [
        "A1A2 is taken back: only that fits what the sensors see.",
        "Move the giraffe from A2 to A1.",
        "If other moves are wrong, take back more.",
    ]
    board.hands("A2- A1+").rest(2)
    assert not any("taken back" in each for each in board.says())
    board.press("wrong").rest(1)
    said = board.says()
    assert said[0].startswith("C4C3 is taken back")
    assert not any("take back more" in each for each in said)  # nothing is left


def test_a_player_who_is_asked_about_one_move_is_asked_whether_it_was_played(timeline: Any) -> None:
    board = timeline().hands("1 B3- 0.5 B2- 0.5 B2+").rest(3).press("wrong").rest(1)
    assert board.asked == [{"B3B2", ""}]
    said = " ".join(board.says())
    assert said.startswith("Did A play this, or nothing yet: chick from B3 takes chick on B2")
    assert "If nothing was played, press wrong again." in said
    assert "The sensors cannot tell" not in said
    board.press("wrong").rest(1)
    assert board.moves == []


@pytest.mark.parametrize("button", ["back", "wrong"])
@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_player_who_takes_back_what_may_not_have_been_played_keeps_what_was(
    timeline: Any, sensing: str, button: str
) -> None:
    board = timeline(sensing=sensing, position="1l1/2G/3/1L1 w GEECC 1").hands("1 B1- 0.17 B2+")
    board.hands("0.27 C2- 0.42 A2+ 0.2 A2-").rest(35)
    assert board.asked == [{"C2B2", ""}]
    said = " ".join(board.says())
    assert "If nothing was played, press take back." in said
    assert board.press(button).rest(1).moves == ["B1B2"]


def test_nothing_is_wrong_before_anything_was_read(timeline: Any) -> None:
    board = timeline().rest(1)
    told = len(board.told)
    assert board.press("wrong").rest(1).told[told:] == []


# ---- whatever people say


TRAYS = {"robot-duel": ("hand",), "shogi": ("hand",), "chaturaji": ()}


def _said(session: Session, rng: Random, at: float, played: list[str]) -> Event:
    """Return what people may say: an answer, a move that may or did come, or nonsense."""
    asked = session.view.question.open
    match = rng.choice([*session.view.shown, *reader_of(session).confirmed]).match
    match rng.choice(
        ["played", "nonsense", "button", "legal", "new"] + ["answer"] * 4 * bool(asked)
    ):
        case "answer":
            return Choose(at, rng.choice(rng.choice(asked).candidates))
        case "legal" if match.turn != CHANCE and match.legal:
            return Choose(at, match.game.move_text(match.position, rng.choice(match.legal)))
        case "played":
            return Choose(at, rng.choice(played))
        case "button":
            return Press(at, rng.choice(["yes", "no", "back", "wrong", *session.game.seats]))
        case "new" if rng.random() < 0.2:
            return NewMatch(at)
    return Choose(at, rng.choice(["", "?", "--", "e2e4", "C4C3"]))


@pytest.mark.parametrize("sensing", SENSINGS)
@pytest.mark.parametrize("name", TRAYS)
def test_whatever_people_say_whichever_sensors_are_believed(name: str, sensing: str) -> None:
    game = make(name)
    for seed in range(2):
        rng = Random(f"{name} {sensing} {seed}")
        unsensed = TRAYS[name] if seed % 2 else ()
        recorded = play_random(game, rng, sensing, ("careful",), 10, unsensed, answers=None)
        session = Session(game, Sight(game, sensing, unsensed), [Match.begin(game)])
        readings: dict[str, int] = {}
        for line in recorded.lines:
            if "places" in line:
                readings = {p: v for p, v in (readings | line["places"]).items() if v}
                session.handle(Frame(line["t"], readings))
            elif "dice" in line:
                session.handle(Dice(line["t"], tuple(line["dice"])))
            if rng.random() < 0.02:
                fail(session, rng.sample(sorted(session.sight.cells), 2))
            while rng.random() < (0.6 if session.view.question.open else 0.05):
                session.handle(_said(session, rng, line["t"], list(recorded.moves)))
        session.handle(Tick(session.now + 60.0))
        assert session.deadline is None or session.deadline > session.now


# ---- the record


def _after(line: History, *texts: str) -> History:
    for text in texts:
        line = line.step(line.match.game.parse_move(line.match.position, text))
    return line


def _texts(row: Any) -> list[str]:
    return [step.match.text if step is not None else "" for step in row]


def test_a_record_is_in_step_again_where_all_lines_leave_the_same_on_the_board() -> None:
    """They may tell the same way of a robot in more moves."""
    game = make("robotory")
    cells = {"d4": "w", "d5": "w", "a2": "w", "a3": "w", "b3": "W", "c4": "B", "d3": "R"}
    standing = "".join(cells.get(cell, ".") for cell in game.cells())
    start = History.of(
        Match.begin(game, game.parse_position(f"{standing}/2w2b:2w2b 6w8b l")),
        Sight(game, "polarity"),
    )
    one = _after(start, "M R d3-d4-d5", "P w e1", "M W b3-a2-a3", "P b e2", "P b a1")
    other = _after(
        start, "M R d3-d4", "P w e1", "M R d4-d5", "M W b3-a2", "M W a2-a3", "P b e2", "P b a1"
    )
    assert [set(_texts(row)) for row in aligned([one, other])] == [
        {"M R d3-d4-d5", "M R d3-d4"},
        {"P w e1"},
        {"", "M R d4-d5"},
        {"M W b3-a2-a3", "M W b3-a2"},
        {"", "M W a2-a3"},
        {"P b e2"},
        {"P b a1"},
    ]
