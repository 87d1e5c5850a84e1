"""What the next plies do not decide stays open, and what men stood as tells what is set up."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.game import Claim
from engine.games import make
from engine.match import Match
from engine.reading.account import at_once
from engine.reading.beam import Beam
from engine.reading.evidence import GHOST, KEPT_AWAY, NUDGED, STANDING, TAKEN_BACK
from engine.reading.extend import Plies
from engine.reading.footprints import Sight
from engine.reading.left_open import DECIDED, LeftOpen, _undone_since, untold
from engine.reading.lines import Line
from engine.reading.names_in_order import NamesInOrder
from engine.reading.observations import Edges
from engine.reading.reader import FIRM, FIRM_AFTER, Reader
from engine.reading.tracks import End, Track
from engine.reading.weighing import Weighing

BARE = ("hand",)
GAME = make("robot-duel")


def position(moves: str) -> str:
    match = Match.begin(GAME)
    for text in moves.split():
        match = match.play(GAME.parse_move(match.position, text))
    return GAME.position_text(match.position)


def after(line: Line, *texts: str) -> Line:
    for text in texts:
        line = line.step(GAME.parse_move(line.match.position, text))
    return line


def begin(at: Any = None) -> Line:
    return Line.of(Match.begin(GAME, at), Sight(GAME, unsensed=BARE))


def end(line: Line, cost: float, *undone: Line) -> End:
    """Return a line that leaves so much unexplained, after others were taken back."""
    track = Track(line, 9.0, 9.0, cost, {}, undone=tuple((each, 5.0) for each in undone))
    return End(track, cost, frozenset(), frozenset(), False, False, 0.0, False)


# ---- what is left open


def test_a_try_or_a_capture_stays_open_though_another_player_goes_on(timeline: Any) -> None:
    # After a capture and a drop the other player drops the next man, and from another tray.
    board = timeline(position=position("B4A3 A1A2 B3B2 B1C2 A3B4"), unsensed=BARE)
    board.hands("1 A2- 0.8 B2- 0.07 B2+ 0.7 A3+").rest(1.3)
    board.hands("C3+").rest(30)
    assert board.asked == [{"A2B2", "A2A3"}, {"", "C*A3"}]


def test_who_took_moves_back_and_plays_the_first_of_them_again_has_taken_them_back() -> None:
    start = begin()
    played = after(start, "B3B2", "B1B2")
    shown = played, start
    known = LeftOpen()
    known.note([end(played, 1.0), end(start, 1.2, played, played.head())], 1.0, ())
    again = end(after(start, "B3B2"), 1.2, played, played.head())
    back = end(after(start, "B3B2"), 1.3, played)
    assert known.answers(again, shown) == [start]
    assert known.answers(back, shown) == [played]
    assert known.answers(end(after(played, "C4C3"), 1.0), shown) == [played]


def test_only_what_was_seen_since_then_decides_what_is_asked() -> None:
    start = begin()
    shown = [after(start, "C4C3"), after(start, "B4C3")]
    known = LeftOpen()
    known.note([end(shown[0], 1.0), end(shown[1], 1.9)], 1.0, ())
    best, other = (after(line, "A1A2") for line in shown)
    for more, is_open in ((0.9, True), (0.9 + DECIDED - 0.1, True), (0.9 + DECIDED + 0.1, False)):
        ends = [end(best, 1.0), end(other, 1.0 + more)]
        assert (known.undecided(ends[:1], ends, 1.0, shown) == ends[1:]) is is_open


def test_an_answer_that_hands_have_come_to_goes_before_a_likelier_one_that_they_have_not() -> None:
    start = begin()
    played = after(start, "B3B2", "B1B2")
    shown = played, start
    undone = played, played.head()
    known = LeftOpen()
    known.note([end(played, 1.0), end(start, 1.2, *undone)], 1.0, ())
    best = end(after(played, "C4C3"), 1.0)
    akin = end(after(start, "C4C3"), 1.1)  # where nothing has been taken back
    back = end(after(start, "B3B2"), 1.3, *undone)
    assert known.undecided([best], [best, akin, back], 1.0, shown) == [back]


@pytest.mark.parametrize(("back_at", "is_told"), [(9.0, False), (7.0, True)])
def test_who_came_back_when_another_seems_to_be_dropped_there_may_be_either(
    back_at: float, is_told: bool
) -> None:
    start = after(begin(), "B3B2", "B1B2")
    dropped = end(after(start, "C*B3"), 1.0)  # at 9.0
    line = after(start, "B4B3", "C*B4")  # men stand on the same cells as after that drop
    track = Track(line, back_at, 9.0, 1.5, {}, back=True, undone=((after(line, "B3C3"), back_at),))
    back = replace(end(line, 1.5), track=track)
    assert (untold([dropped], [dropped, back]) == []) is is_told


@pytest.mark.parametrize("sensing", ["presence", "polarity"])
def test_what_was_final_is_asked_about_before_it_is_changed_for_little(
    timeline: Any, sensing: str
) -> None:
    # A marble rests on c6 on its way to a5, and is straightened there while the other player moves;
    # then c6 is filled, and two marbles are bumped.
    start = "sssss/ss1sss/2sss2/4s3/9/8/2SSS1S/SSSSSS/SSSS1 0 0 b 0 1"
    board = timeline("abalone", sensing, start)
    own, his = ("/" if board.readings[cell] < 0 else "+" for cell in ("a4", "g6"))
    board.hands(f"1 a4- 0.44 c6{own} 0.61 c6- 0.47 a5{own} 0.12 g6- 0.314 a5- 0.141 h6{his}")
    board.hands(f"0.052 a5{own} 0.082 c5- 0.6 b6- 0.09 b6{own} 0.037 c6{own}")
    board.hands(f"0.335 b5- 0.27 b5{own}").rest(10)
    assert board.asked == [{"a4a5", "a4b5"}, {"c5b5", "c5c6"}]


# ---- what men who were touched meanwhile tell


def test_another_man_that_stood_there_meanwhile_did_not_come_back() -> None:
    start = begin()
    line = after(start, "B4C3")
    costs = []
    for acts in (
        ((2.0, "C3", 0), (2.3, "B4", 1)),
        ((2.0, "B4", 1), (5.0, "B4", 0), (6.0, "C3", 0), (6.3, "B4", 1)),
    ):
        edges = Edges()
        for place, reading in start.expected.items():
            edges.add(0.0, place, reading)
        for at, place, reading in ((0.6, "B4", 0), (1.0, "C3", 1), *acts):
            edges.add(at, place, reading)
        plies = Plies(Weighing(edges, NamesInOrder()), lambda line: line, lambda line: False)
        put = edges.puts(acts[-1][0] - 0.1, acts[-1][0], acts[-1][0] + 1, {"B4": 1})[-1]
        back = plies.taken_back(Track(line, 1.0, 1.0, 0.0, {}), put)
        assert back is not None
        costs.append(back.cost)
    assert costs[0] == TAKEN_BACK
    assert costs[1] >= TAKEN_BACK + GHOST


def test_who_holds_a_man_does_not_touch_another_again_and_again() -> None:
    start = begin()
    line = after(start, "B3B2")
    edges = Edges()
    for place, reading in start.expected.items():
        edges.add(0.0, place, reading)
    nudges = [
        (at, "B2", reading) for lift in (2.0, 6.0) for at, reading in ((lift, 0), (lift + 0.2, 1))
    ]
    for at, place, reading in ((1.0, "B3", 0), *nudges):
        edges.add(at, place, reading)
    weigh = Weighing(edges, NamesInOrder())
    beam = Beam(Plies(weigh, lambda line: line, lambda line: False))
    tracks = [Track(start, 0.5, 0.5, 0.0, {}), Track(line, 2.2, 2.2, 0.0, {})]
    costs = []
    for now in (4.0, 8.0):
        tracks, _ = at_once(beam.settled(tracks, now))
        held = next(each for each in tracks if each.line is start)
        assert held.pauses == STANDING * (len(costs) + 1)
        costs.append(held.cost)
    assert costs[0] == 0.0
    assert costs[1] > costs[0]


def test_a_man_that_chatters_when_it_comes_back_was_not_gone_for_a_blink() -> None:
    start, edges = begin(), Edges()
    for place, reading in start.expected.items():
        edges.add(0.0, place, reading)
    for at, reading in ((3.0, 0), (6.0, 1), (6.001, 0), (6.002, 1)):
        edges.add(at, "A1", reading)
    track = Track(start, 0.5, 5.0, 0.0, {}, open=frozenset({"A1"}))  # all stood still at 5.0
    assert Weighing(edges, NamesInOrder()).noise(track, "A1", 7.0) == NUDGED


@pytest.mark.parametrize("held", [0.7, 2.0])
def test_a_man_that_is_tried_and_straightened_then_may_not_have_been_dropped(
    timeline: Any, held: float
) -> None:
    # Who puts a man down, lifts it and puts it there again late has not taken his time for a drop.
    board = timeline(position=position("B3B2"), unsensed=BARE)
    board.hands(f"1 C1- 0.42 B2- {held} B2+ 0.4 C1+ 0.3 C1- 2 C1+").rest(20)
    assert board.asked == [{"", "C1B2"}, {"", "C*C1"}]


@pytest.mark.parametrize(
    ("stood", "more", "is_open"),
    [
        (FIRM_AFTER + 0.1, FIRM - 0.1, True),
        (FIRM_AFTER + 0.1, FIRM + 0.1, False),
        (FIRM_AFTER - 0.1, FIRM - 0.1, False),
    ],
)
def test_a_ply_that_has_stood_for_long_is_asked_about_before_another_takes_its_place(
    stood: float, more: float, is_open: bool
) -> None:
    start = begin()
    shown, reader = after(start, "C4C3"), Reader(start)
    reader.show([shown], 1.0)
    reader.decoder.now = 1.0 + stood
    best, other = end(after(start, "B4C3"), 1.0), end(after(shown, "A1A2"), 1.0 + more)
    assert (reader._still_open([best], [best, other]) == [other]) is is_open
    assert not reader._still_open([other], [other, best])  # it goes on from what is shown


def test_who_takes_a_ply_back_that_has_stood_for_long_is_not_asked_about_it() -> None:
    start = begin()
    shown, reader = after(start, "C4C3"), Reader(start)
    reader.show([shown], 1.0)
    reader.decoder.now = 1.0 + 2 * FIRM_AFTER
    back = end(start, 1.0, shown)
    back = replace(back, track=back.track.but(back=True))
    assert not reader._still_open([back], [back, end(after(shown, "A1A2"), 1.1)])


def test_another_end_of_a_match_is_read_without_asking_however_long_the_one_has_stood() -> None:
    moves = "B4C3 A1A2 C3B2 A2A3 C4C3 A3A4 C3C4 E*A1 C*A3"
    start = begin(GAME.parse_position(position(moves)))
    over, reader = after(start, "B1B2"), Reader(start)
    assert over.match.outcome is not None
    reader.show([over], 1.0)
    reader.decoder.now = 1.0 + 2 * FIRM_AFTER
    best = end(after(start, "B1A2"), 1.0)
    assert not reader._still_open([best], [best, end(over, 1.1)])


# ---- what is set up


@pytest.mark.parametrize("seconds", [4.0, 15.0])
def test_another_end_that_is_read_while_men_are_set_up_is_none(
    timeline: Any, seconds: float
) -> None:
    start = position("B4C3 A1A2 C3B2 A2A3 C4C3 A3A4 C3C4 E*A1 C*A3")
    board = timeline(position=start, unsensed=BARE)
    board.hands("1 B1- 0.6 A2+ 1.6 A2- 0.4 B2- 0.3 B2+").rest(seconds)
    assert board.moves == ["B1B2"]
    board.hands("B2- 0.7 B1+ 0.8 A1- 0.7 B2+ 0.8 A4- 0.7 A1+ 0.8 A3- 0.7 A4+ 0.8 B4+").rest()
    assert "new" in board.events


def test_a_man_that_is_tried_out_long_after_the_end_was_taken_back_sets_up_nothing(
    timeline: Any,
) -> None:
    start = position("B4C3 B2B3 A4B3 B1A2 C3B4 A2A3 B3A2 C*A4 C*B2 A3B3")
    board = timeline(position=start, unsensed=BARE)
    board.hands("1 B4- 0.4 B3- 0.4 B3+").rest(4)
    assert board.events[-1] == "over"
    board.hands("B3- 0.4 B4+ 0.4 B3+").rest(2.5)
    for cell in ("A1", "B2", "C1", "A2", "A4", "C4"):
        board.hands(f"{cell}- 0.3 {cell}+").rest(2.2)
    board.rest(4).hands("A2- 0.4 B1+").rest(1)  # now men stand wherever some stand at the start
    board.hands("B1- 0.4 A2+").rest()
    assert (board.moves, "new" in board.events) == ([], False)


def test_a_question_is_put_anew_if_all_its_answers_leave_a_man_in_a_hand(timeline: Any) -> None:
    # B3 takes the lion on B4, who is laid on A4 until the captor has been turned over; on the way
    # he is held over C3. That looks like a drop on A4, and a lion who is away and comes back.
    board = timeline(sensing="presence", position="gle/3/CcG/1L1 b e 1", unsensed=("hand",))
    board.hands("1 C3- 0.096 B2+ 0.118 B2- 0.174 C2+ 3.6 B1- 0.377 B1+ 0.28 B3- 1.56 B3+ 0.824")
    board.hands("B4- 0.314 A4+ 0.138 B3- 0.13 C3+ 0.132 C3- 0.398 B4+ 0.484 B4- 0.57 B4+ 0.54 A4-")
    board.rest(5)
    assert board.asked[0] == {"B3B4", "B3B4+", "E*A4"}
    board.choose("B3B4").rest()
    assert board.moves == ["C3C2", "B3B4"]


@pytest.mark.parametrize("sensing", ["presence", "polarity"])
def test_what_the_next_move_would_tell_is_asked_if_none_comes(timeline: Any, sensing: str) -> None:
    board = timeline(sensing=sensing, unsensed=BARE).hands("1 B3- B2- B2+").rest(1.5)
    board.hands("B1- B2- B2+").rest(1.5).hands("B2- 0.3 B2+ 0.6 B1+").rest(4)
    assert board.moves == ["B3B2", "B1B2", "C*B1"]  # or the last capture was taken back
    assert not board.asked
    assert board.rest(4).asked == [{"B1B2", ""}, {"C*B1", ""}]


def test_a_ply_that_comes_back_man_by_man_was_undone_when_the_first_of_them_came() -> None:
    line = Line.of(Match.begin(GAME), Sight(GAME))
    ply, other = after(line, "C4C3"), after(line, "B4A3")
    assert _undone_since([(ply, 5.0), (other, 6.0)], (ply, 5.0)) == 1
    assert _undone_since([(ply, 5.0), (other, 6.0)], (ply, 5.6)) == 1
    assert _undone_since([(ply, 5.0)], (ply, 4.0)) is None  # that was once more
    assert _undone_since([(other, 5.0)], (ply, 5.6)) is None


def test_nobody_keeps_a_man_away_that_he_cannot_move_while_another_is_put() -> None:
    start = begin()

    def noise(place: str, back: float, at: float = 4.0) -> float:
        edges = Edges()
        for cell, reading in start.expected.items():
            edges.add(0.0, cell, reading)
        for when, reading in ((3.0, 0), (back, 1)):
            edges.add(when, place, reading)
        track = Track(start, at, at, 0.0, {}, open=frozenset({place}))
        return Weighing(edges, NamesInOrder()).noise(track, place, 20.0)

    assert noise("A1", 4.5) == NUDGED  # straightened
    assert noise("A1", 6.0) == pytest.approx(NUDGED + KEPT_AWAY * 1.4)
    assert noise("A1", 12.0) == pytest.approx(NUDGED + KEPT_AWAY * 2.0)  # but no more than that
    assert noise("C4", 6.0) == NUDGED  # who is to act may have tried him
    assert noise("A1", 6.0, at=2.0) == NUDGED  # nobody put another meanwhile


def test_a_claim_may_be_what_is_asked_about(timeline: Any) -> None:
    """Somebody resigned before or after a move that nobody saw."""
    board = timeline(sensing="polarity", unsensed=("hand",))
    match, game = board.session.match, board.game
    resigned = match.play(Claim(1, "resign"))
    moved = match.play(game.parse_move(match.position, "C4C3")).play(Claim(1, "resign"))
    board.session.play.show_all([resigned, moved])
    assert board.asked[0] == {"resign", "C4C3"}
    assert board.choose("resign").rest(1).moves == []
    assert not board.asked
