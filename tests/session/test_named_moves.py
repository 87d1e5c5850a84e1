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
from tests.support.random_games import play_random
from tests.support.session_parts import fail, reader_of

SENSINGS = ("presence", "polarity")
BLIND = ("stock", "pool")


# ---- moves that no sensor shows


def test_the_button_of_a_seat_asks_which_move_no_sensor_shows(timeline: Any) -> None:
    board = timeline("robotory", "polarity", unsensed=BLIND).rest()
    board.hands("e3+").choose("P w e3").rest().hands("a1+").choose("P w a1").rest()
    seat = board.game.seats[board.session.view.match.turn]
    board.press(seat).rest(0.1)
    assert board.moves == ["P w e3", "P w a1", "?"]
    assert board.asked == [{"F 1w", "F 1b"}]
    lit = board.session.view.question.lit["F 1b"]
    sign = "/" if board.readings[lit] < 0 else "+"
    board.rest(1).hands(f"{lit}- {lit}{sign} 0.3 {lit}- {lit}{sign}").rest(1)
    assert board.moves == ["P w e3", "P w a1", "F 1b"]


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
