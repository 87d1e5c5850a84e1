"""Which man stands where: followed from lift to put, and held against what lines of play say."""

from __future__ import annotations

from typing import Any

import pytest

from engine.games import make
from engine.match import Match
from engine.reading.footprints import Sight
from engine.reading.lines import Line
from engine.reading.observations import Edges
from engine.reading.whereabouts import LET_GO, Whereabouts

SENSINGS = ("presence", "polarity")
GAME = make("robot-duel")


def begin(sensing: str = "presence") -> Line:
    return Line.of(Match.begin(GAME), Sight(GAME, sensing))


def after(line: Line, *moves: str) -> Line:
    for text in moves:
        line = line.step(GAME.parse_move(line.match.position, text))
    return line


def followed(acts: str, line: Line, *others: Line, gap: float = 0.7) -> Whereabouts:
    """Follow hands that do something after every `gap` of seconds, from where a line has all men,
    or others, which look like it.
    """
    edges = Edges()
    edges.restart(line.expected, 0.0)
    men = Whereabouts(edges, 0.0, [*others, line], all_right=True)
    reads = dict(line.expected)
    for number, act in enumerate(acts.split(), 1):
        place, sign = act[:-1], act[-1]
        if place in line.sight.trays:
            reads[place] = reads.get(place, 0) + (1 if sign == "+" else -1)
        else:
            reads[place] = 1 if sign == "+" else 0
        edges.add(gap * number, place, reads[place])
        men.add(gap * number, place, reads[place])
    return men


def test_who_was_lifted_alone_is_the_one_that_was_put() -> None:
    start = begin()
    men = followed("B4- C3+ C4- B4+", start)
    assert men.misplaced(start) == 1  # it is the man of C4 that stands on B4
    assert men.misplaced(after(start, "C4C3")) == 2
    assert men.misplaced(after(start, "B4C3")) == 0
    line = after(start, "B4C3")
    assert followed("C3- B4+", line).misplaced(start) == 0
    assert followed("C4- B4+", line).misplaced(start) == 1


def test_who_is_back_right_after_another_was_put_was_only_touched() -> None:
    start = begin()
    line = after(start, "C4C3")
    assert followed("B4- C3+ B4+", start).misplaced(line) == 1  # he went to C3, and one came to B4
    assert followed("B4- C3+ B4+", start, gap=LET_GO - 0.01).misplaced(line) == 0
    assert followed("B4- C3+ A3+", start, gap=LET_GO - 0.01).misplaced(line) == 1


def test_nobody_knows_who_comes_and_goes_where_a_sensor_is_not_believed() -> None:
    start = Line.of(Match.begin(GAME), Sight(GAME), frozenset({"C4"}))
    assert followed("C3+", start).misplaced(after(start, "C4C3")) == 0
    men = followed("B1- C3+ A2+", start)  # whoever was put first
    assert men.misplaced(after(start, "C4C3", "B1A2")) == 0
    assert followed("C4- A1- A2+ C3+", start).misplaced(after(start, "C4C3", "A1A2")) == 0
    assert followed("A1- A2+", start).misplaced(after(start, "B4A3", "B1A2")) == 1


def test_of_two_men_in_the_hands_it_may_be_either() -> None:
    start = begin()
    men = followed("B4- C4- C3+", start)
    assert men.misplaced(after(start, "B4C3")) == 0
    assert men.misplaced(after(start, "C4C3")) == 0


def test_who_took_a_man_between_two_looks_may_stand_where_nothing_was_seen() -> None:
    line = after(begin(), "B3B2")
    men = followed("B1- hand.B.C+ C4- C3+ B2- C2+", line)
    assert men.misplaced(after(line, "B1B2", "C4C3", "B2C2")) == 0


def test_a_man_that_goes_back_is_followed_there() -> None:
    start = begin()
    line = after(start, "B3B2", "B1A2")
    men = followed("A2- B1+", line)
    assert men.misplaced(after(start, "B3B2")) == 0
    men = followed("B2- B1+", line)
    assert men.misplaced(after(start, "B3B2")) == 1


def test_a_man_is_dropped_from_its_tray_or_who_captured_it() -> None:
    start = begin("polarity")
    line = after(start, "B3B2", "B1A2")
    drop = after(line, "C*B3")
    assert followed("hand.A.C- B3+", line).misplaced(drop) == 0
    assert followed("B2- B3+", line).misplaced(drop) == 1
    kept = after(start, "B3B2")
    men = followed("B3- B2- B2+ B1- A2+ B3+", start)
    assert men.misplaced(after(kept, "B1A2", "C*B3")) == 0


def test_a_man_that_was_taken_on_the_way_may_be_what_is_put_down_next() -> None:
    game = make("robotory")
    start = Line.of(Match.begin(game), Sight(game, "presence", ("stock", "pool")))
    line = start
    for text in ("P w e2", "P w a1", "P w e1", "P w a2"):
        line = line.step(game.parse_move(line.match.position, text))
    taken = line.step(game.parse_move(line.match.position, "M R d3-e2-e1"))
    put = taken.step(game.parse_move(taken.match.position, "P b b1"))
    assert followed("e2- d3- e1- e1+ b1+", line).misplaced(put) == 0


def test_a_man_that_came_where_nobody_saw_it_is_in_no_hand() -> None:
    start = after(begin(), "C4C3", "A1A2")
    line = after(start, "B3B2")  # the captor was put between two looks
    men = followed("B3- B1- A1+ B1+", start)
    assert men.misplaced(after(line, "B1A1", "C*B1")) == 0
    men = followed("B3- B2- B2+ hand.A.C+ B1- A1+ A1- B1+", start)
    assert men.misplaced(after(line, "B1A1", "C*B1")) == 1


def test_a_man_that_was_dropped_goes_back_and_is_dropped_elsewhere() -> None:
    line = after(begin(), "B3B2", "B1A2")
    dropped = after(line, "C*B3")
    men = followed("B3- C3+", dropped)
    assert men.misplaced(after(line, "C*C3")) == 0
    assert men.misplaced(after(line, "C4C3")) == 1


def test_a_sensor_may_let_go_after_the_man_has_come() -> None:
    start = begin()
    edges = Edges()
    edges.restart(start.expected, 0.0)
    men = Whereabouts(edges, 0.0, [start], all_right=True)
    for at, place, reading in ((1.0, "C3", 1), (1.3, "C4", 0), (3.0, "A1", 0), (3.4, "A2", 1)):
        edges.add(at, place, reading)
        men.add(at, place, reading)
    assert men.misplaced(after(start, "C4C3", "A1A2")) == 0
    assert men.misplaced(start) == 0  # nobody was seen to be lifted: anybody may have come


@pytest.mark.parametrize("sensing", SENSINGS)
@pytest.mark.parametrize("unsensed", [(), ("hand",)])
def test_men_that_come_back_one_from_the_place_of_another(
    timeline: Any, sensing: str, unsensed: tuple[str, ...]
) -> None:
    board = timeline(sensing=sensing, unsensed=unsensed)
    board.hands("1 B3- 0.2 B2- 0.3 B2+ 0.5 hand.A.C+ 2 B1- 0.4 A2+ 2 B4- 0.3 A3+").rest(2)
    board.choose("B3B2").rest(1)
    assert board.moves == ["B3B2", "B1A2", "B4A3"]
    board.hands("A3- 0.4 B4+ 0.4 A2- 0.3 B1+ 0.3 B2- 0.8 B3+ 0.3 hand.A.C- 0.8 B2+").rest()
    assert board.moves == []


@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_takeback_is_no_drop_of_the_man_that_goes_back(timeline: Any, sensing: str) -> None:
    board = timeline(sensing=sensing).hands("1 B3- 0.2 B2- 0.3 B2+ 0.5 hand.A.C+ 2 B1- 0.4 A2+")
    board.hands("2 B2- 0.3 B1+").rest(2)
    board.choose("B2B1")
    assert board.moves == ["B3B2", "B1A2", "B2B1"]
    board.hands("B1- 0.3 B2+ 0.4 A2- 0.3 B1+ 0.3 B2- 0.8 B3+ 0.3 hand.A.C- 0.8 B2+").rest()
    assert board.moves == []
    assert "fault" not in board.events


@pytest.mark.parametrize("sensing", SENSINGS)
def test_after_a_long_rest_nobody_holds_what_a_late_sensor_let_go_of(
    timeline: Any, sensing: str
) -> None:
    board = timeline(sensing=sensing).hands("1 B3- 0.2 B2- 0.3 B2+ 0.5 hand.A.C+ 2 B1- 0.4 A2+")
    board.rest(2).hands("B1+ 0.3 B2-").rest(2)  # it stood on B1 before B2 was seen to be empty
    board.choose("B2B1").rest()
    assert board.moves == ["B3B2", "B1A2", "B2B1"]
    board.hands("B1- 0.3 B2+ 0.4 A2- 0.3 B1+ 0.3 B2- 0.8 B3+ 0.3 hand.A.C- 0.8 B2+").rest()
    assert board.moves == []


def test_men_that_go_back_to_before_a_position_that_reads_like_an_old_one() -> None:
    match = Match.begin(GAME, GAME.parse_position("1l1/1c1/3/1L1 w CEEGG 1"))
    old = Line.of(match, Sight(GAME, "presence"))
    now = after(old, "B1A1", "C*B3", "A1B1", "B3B2")
    edges = Edges()
    edges.restart(now.expected, 0.0)
    men = Whereabouts(edges, 0.0, [now, old], all_right=True)
    for at, place, reading in (
        (1.0, "B2", 0),
        (1.3, "B3", 1),
        (2.0, "hand.A.C", 0),
        (2.4, "B2", 1),
    ):
        edges.add(at, place, reading)
        men.add(at, place, reading)
    assert men.misplaced(after(old, "B1A1", "C*B3", "A1B1")) == 0


def test_a_ply_is_taken_back_from_whichever_line_all_men_stood_as() -> None:
    start = begin()
    line = after(start, "C4C3")
    alike = after(line, "B2B3", "C3B3", "C*C3", "C*B2")
    assert alike.cells_read == line.cells_read
    assert followed("C3- C4+", line, alike).misplaced(start) == 0


@pytest.mark.parametrize("unsensed", [(), ("hand",)])
def test_a_man_that_may_be_held_while_all_others_stand_may_take_the_next_one(
    timeline: Any, unsensed: tuple[str, ...]
) -> None:
    # On the first cell he may have taken one, or only bumped into him.
    board = timeline(position="gle/c1c/1L1/E1G b - 1", unsensed=unsensed)
    board.hands("1 B3- 0.1 A2- 0.07 A2+ 0.67 C2- 0.03 C2+ 0.04 C2- 0.02 C2+").rest()
    assert board.asked == [{"B3A2", "B3C2"}]


def test_who_is_dropped_is_not_a_parked_man_that_seemed_to_be_dropped(timeline: Any) -> None:
    board = timeline(sensing="polarity", unsensed=("hand",))
    board.hands("1 B4- 0.3 C3+ 1 B3- 0.3 B2- 0.4 B3+ 1 A4- 0.2 B3- 0.15 B3+ 0.7 B4+ 5.2 B4-")
    board.hands("4 C1- 0.6 C1+ 0.94 A4+ 0.4 B3- 0.46 A4- 0.4 A4+ 1.1 A4- 0.2 B3+ 1.3 A4+").rest()
    assert board.moves == ["B4C3", "B2B3", "A4B3", "C*A4"]


def test_who_was_dropped_goes_on_though_the_drop_was_no_more_than_likely() -> None:
    match = Match.begin(GAME, GAME.parse_position("1l1/1c1/3/1L1 w CEEGG 1"))
    before = after(Line.of(match, Sight(GAME, "presence")), "B1A1")
    dropped = after(before, "C*A3")
    edges = Edges()
    edges.restart(dropped.expected, 0.0)
    men = Whereabouts(edges, 0.0, [dropped, before], all_right=True)
    for at, place, reading in ((1.0, "A3", 0), (1.6, "C3", 1)):
        edges.add(at, place, reading)
        men.add(at, place, reading)
    assert men.misplaced(after(before, "C*C3")) == 0
    assert men.misplaced(after(before, "B4C3")) == 1


@pytest.mark.parametrize("sensing", SENSINGS)
def test_a_man_is_taken_between_two_looks_by_whom_another_had_just_come_to(
    timeline: Any, sensing: str
) -> None:
    # The elephant on A4 takes the lion that has come to B3.
    board = timeline("robot-duel", sensing)
    board.hands("0.12 B4- 0.17 C3+ 0.11 B1- 0.1 A2+ 0.1 C4- 0.12 B4+ 0.07 A2- 0.1 B3- 0.056 B3+")
    board.hands("0.08 hand.B.C+ 0.07 A4-").rest(31)
    assert board.asked == [{"A4B3", ""}]


def test_who_was_taken_between_two_looks_is_the_one_that_lies_in_the_tray() -> None:
    line = after(begin(), "B3B2", "B1C2", "A4B3")
    men = followed("C2- B3- B3+ hand.B.C+ B2- B2+ hand.B.C- C2+", line)
    assert men.misplaced(after(line, "C2B3", "C4C3", "E*C2")) == 0
    assert men.misplaced(after(line, "C2B2", "C4C3", "C*C2")) == 0


def test_who_is_dropped_comes_from_his_own_tray() -> None:
    position = GAME.parse_position("gle/3/3/ELG b Cc 1")
    line = Line.of(Match.begin(GAME, position), Sight(GAME))
    assert followed("hand.A.C- C2+", line).misplaced(after(line, "C*C2")) == 0
    assert followed("hand.B.C- C2+", line).misplaced(after(line, "C*C2")) == 1


@pytest.mark.parametrize(("pockets", "wrong"), [(1, 0), (3, 0), (4, 2)])
def test_a_man_from_a_tray_that_shows_nothing_may_be_put_while_another_is_held(
    pockets: int, wrong: int
) -> None:
    game = make("robotory")
    sight = Sight(game, "presence", pockets=dict.fromkeys(game.trays(), pockets))
    position = game.parse_position("...bW.Bw.bb........b...R/0w4b:1w2b 4w2b l")
    start = line = Line.of(Match.begin(game, position), sight)
    for text in ("P b d1", "M R e4-d5"):
        line = line.step(game.parse_move(line.match.position, text))
    assert followed("e4- d1+ d5- d5+", start).misplaced(line) == wrong
