"""Robotory by hand: refills that no sensor sees, and questions that stay open for a while."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from benchmarks.reading_games import Board
from benchmarks.reading_watcher import Watcher, standing
from engine.account import at_once
from engine.beam import WIDTH, Beam
from engine.costs import OFF, STANDING, TRAY_OPEN
from engine.edges import BURST, Edges, Put
from engine.footprints import Sight
from engine.games import make
from engine.lines import Line
from engine.match import Match
from engine.names_in_order import NamesInOrder
from engine.naming import Naming
from engine.plies import Plies
from engine.reading import Reader
from engine.telling_apart import shortest
from engine.tracks import End, Track
from engine.unseen import Past
from engine.verdicts import Settled
from engine.weighing import Weighing
from firmware_host.events import Choose, Frame, Tick
from firmware_host.random_games import play_random
from firmware_host.session import Session

BLIND = ("stock", "pool")


def begun(timeline, plies: int = 2, sensing: str = "polarity"):
    """A board without sensed stocks on which both players have placed a token."""
    board = timeline("robotory", sensing, unsensed=BLIND).rest()
    for act, move in (("e3+", "P w e3"), ("a1+", "P w a1"))[:plies]:
        board.hands(act).choose(move).rest()
    assert board.moves == ["P w e3", "P w a1"][:plies]
    return board


def test_a_refill_that_no_sensor_sees_is_asked_about(timeline) -> None:
    board = begun(timeline).hands("b1/").rest()
    assert board.asked == [{"P b b1", "F 1w", "F 1b"}, {"P b b1", ""}]
    assert board.session.play.questions.current.texts == ("P b b1", "F 1w", "F 1b")
    assert board.last("ask")["moves"] == ["P b b1"]


def test_naming_the_move_that_was_seen_says_that_nothing_came_before_it(timeline) -> None:
    board = begun(timeline).hands("b1/").rest().choose("P b b1").rest()
    assert board.moves == ["P w e3", "P w a1", "P b b1"]
    assert board.session.match.turn == 1


def test_naming_the_refill_says_who_made_the_move_that_was_seen(timeline) -> None:
    board = begun(timeline).hands("b1/").rest().choose("F 1b").rest()
    assert board.moves == ["P w e3", "P w a1", "F 1b", "P b b1"]
    assert board.session.match.turn == 0


def test_a_refill_may_be_named_before_anything_is_seen(timeline) -> None:
    board = begun(timeline).choose("F 1w").rest().hands("b1/").rest().choose("P b b1").rest()
    assert board.moves == ["P w e3", "P w a1", "F 1w", "P b b1"]


def test_who_named_a_later_move_answers_what_is_asked_after_that(timeline) -> None:
    board = begun(timeline).hands("b1/").rest().hands("b2/").rest().choose("P b b2").rest()
    questions = board.session.play.questions
    assert questions.current.texts == ("P b b1", "F 1w", "F 1b")
    assert not questions.is_answer("F 1w", board.now)  # whoever says so has gone on
    board.hands("b2- 0.5 b1-").rest(20.0).hands("c1/").rest()
    assert questions.current.texts == ("P b c1", "F 1w", "F 1b")
    assert questions.is_answer("F 1w", board.now)


@pytest.mark.parametrize("waited", [1.0, 8.0])
def test_a_refill_is_named_late_by_who_was_asked_about_others_first(timeline, waited) -> None:
    board = timeline("robotory", "polarity", unsensed=BLIND).rest()
    board.hands("e3+").choose("P w e3").rest().hands("a1/").choose("P b a1").rest()
    board.hands("b1/").rest()  # after both have refilled
    assert board.asked == [{"P b b1", "F 1w", "F 1b"}, {"P b b1", ""}]
    board.rest(waited).choose("F 1w").rest(1.0).choose("F 1b").rest()
    assert board.moves == ["P w e3", "P b a1", "F 1w", "F 1b", "P b b1"]


def test_naming_a_refill_forgets_nothing_that_a_hand_has_begun(timeline) -> None:
    board = begun(timeline)
    board.hands("e3-").choose("F 1w").rest(0.3).hands("d3- e3+").rest()
    board.choose("M R d3-e3").rest()
    assert board.moves == ["P w e3", "P w a1", "F 1w", "M R d3-e3"]


def test_later_moves_are_told_side_by_side_though_one_before_is_open(timeline) -> None:
    board = begun(timeline).hands("b1/").rest().hands("b2/").rest()
    asked = board.asked
    assert asked[0] == {"P b b1", "F 1w", "F 1b"}
    assert any({"P b b2"} < each for each in asked[2:])
    assert all("P b b1" not in each for each in asked[2:])


def test_an_answer_is_not_forgotten_by_what_comes_later(timeline) -> None:
    board = timeline("robotory", "polarity").rest()
    board.hands("stock.light.w- e3+").rest().hands("stock.dark.w- e2+").rest()
    board.hands("e3- d3- e3+").rest(0.45).hands("e2- e3- e2+").rest(25.0)
    assert board.asked == [{"M R d3-e3", "M R d3-e3-e2"}, {"M R e3-e2", ""}]
    board.choose("M R d3-e3-e2").rest()
    board.hands("stock.dark.b- a1/").rest(20.0)
    assert board.moves == ["P w e3", "P w e2", "M R d3-e3-e2", "P b a1"]
    assert not board.asked


@pytest.mark.parametrize(
    ("seat", "moves"),
    [
        ("light", ["M R d3-e3", "M R e3-e2", "P b a1"]),
        ("dark", ["M R d3-e3-e2", "P b a1"]),
    ],
)
def test_whose_token_comes_next_tells_whether_a_robot_was_moved_once_or_twice(
    timeline, seat: str, moves: list[str]
) -> None:
    board = timeline("robotory", "polarity").rest()
    board.hands("stock.light.w- e3+").rest().hands("stock.dark.w- e2+").rest()
    board.hands("e3- d3- e3+").rest(2.0).hands("e2- e3- e2+").rest()
    assert not board.asked
    board.hands(f"stock.{seat}.b- a1/").rest()
    assert board.moves == ["P w e3", "P w e2", *moves]
    assert not board.asked


def test_a_move_that_was_named_is_not_read_as_the_beginning_of_another(timeline) -> None:
    board = timeline("robotory", "polarity").rest()
    board.hands("stock.light.w- e3+").rest().hands("stock.dark.w- e2+").rest()
    board.hands("e3- d3- e3+").rest().choose("M R d3-e3")
    board.rest(2.0).hands("e2- e3- e2+").rest()
    assert board.moves == ["P w e3", "P w e2", "M R d3-e3", "M R e3-e2"]


@pytest.mark.parametrize("gap", [0.027, 0.057, 0.2])
def test_who_adjusts_a_token_while_the_next_is_placed_may_have_carried_it_on(
    timeline, gap: float
) -> None:
    board = timeline("robotory", "polarity").rest().hands("stock.light.w- 0.4 d1+").rest(1.0)
    # The token on e1 is lifted, and one is on e1 again after c5 was filled: be it the other one.
    board.hands("stock.dark.w- 0.18 e1+ 0.09 e1- 0.06 stock.light.w- 0.17 c5+")
    board.hands(f"{gap} e1+").rest()
    assert board.asked == [{"P w e1", "P w c5"}, {"P w c5", "P w e1"}]
    board.choose("P w e1").rest()
    assert board.moves == ["P w d1", "P w e1", "P w c5"]


@pytest.mark.parametrize("unsensed", [(), BLIND])
@pytest.mark.parametrize("gap", [0.03, 0.13])
def test_a_token_that_is_back_where_it_stood_was_adjusted(
    timeline, unsensed: tuple[str, ...], gap: float
) -> None:
    """Else the other player would have put one just where that had been."""
    board = timeline("robotory", "presence", unsensed=unsensed).rest().hands("d2+").rest(0.43)
    board.hands(f"d2- 0.02 c6+ {gap} d2+").rest()
    assert board.asked == [{"P w d2", "P b d2"}, {"P w c6", "P b c6"}]
    board.choose("P w d2").rest().choose("P b c6").rest()
    assert board.moves == ["P w d2", "P b c6"]


@pytest.mark.parametrize("stayed", [0.24, 0.4])
def test_nobody_puts_a_token_where_the_other_players_has_just_stood(
    timeline, stayed: float
) -> None:
    board = timeline("robotory", "polarity").rest().hands("stock.light.b- 0.4 b2/").rest(1)
    board.hands(f"stock.dark.w- 0.44 e1+ {stayed} e1- 0.05 stock.light.w- 0.11 b5+ 0.02 e1+").rest()
    assert board.moves == ["P b b2", "P w e1", "P w b5"]


def test_who_takes_a_token_only_then_may_put_it_where_the_other_had_hovered(timeline) -> None:
    board = timeline("robotory", "polarity").rest().hands("stock.light.b- 0.4 b4/").rest(1)
    board.hands("stock.dark.w- 0.4 b2+ 0.35 b2- 0.55 b1+ 0.05 stock.light.w- 0.17 b2+").rest()
    assert board.moves == ["P b b4", "P w b1", "P w b2"]


def test_two_tokens_placed_in_one_breath(timeline) -> None:
    board = timeline("robotory", "polarity", unsensed=BLIND).rest().hands("e3+ 0.15 a1/").rest()
    assert board.moves == ["P w e3", "P b a1"]


def test_energy_that_is_taken_off_after_the_robot_has_landed(timeline) -> None:
    board = timeline("robotory", "polarity").rest()
    for act in ("stock.light.w- e3+", "stock.dark.w- e2+", "stock.light.w- e1+"):
        board.hands(act).rest()
    board.hands("e1- d3- e1+ 0.5 e2- 0.5 e3-").rest()
    assert board.moves[3:] == ["M R d3-e3-e2-e1"]
    assert not board.asked


def test_a_move_that_no_sensor_shows_is_named_while_a_bystander_is_straightened(timeline) -> None:
    board = begun(timeline).hands("c6+").rest().choose("P w c6").rest()
    board.hands("a1- 0.2").choose("F 1w").hands("0.3 a1+").rest()
    assert board.moves == ["P w e3", "P w a1", "P w c6", "F 1w"]


def test_a_quick_step_onwards_may_be_the_next_players(timeline) -> None:
    board = begun(timeline).hands("e2+").rest().choose("P w e2").rest()
    board.hands("e3- 0.1 d3- 0.1 e3+ 0.1 e2- 0.1 e3- 0.1 e2+").rest()
    asked = {text for texts in board.asked for text in texts}
    assert {"M R d3-e3-e2", "M R d3-e3", "M R e3-e2", "F 1w"} <= asked


def test_the_last_token_of_the_pool_ends_the_game(timeline) -> None:
    start = "..w....W.....B....R...../2w2b:1w2b 1w5b d"
    board = timeline("robotory", "presence", start).rest().hands("pool.w-").rest()
    assert board.moves == ["F 1w"]
    assert board.session.outcome.reason == "energy"


def test_a_refill_between_two_quick_plies(timeline) -> None:
    start = ".......W.....B....R...../0w2b:2w0b 9w9b l"
    board = timeline("robotory", "polarity", start, unsensed=BLIND).rest()
    board.hands("d1/ 0.1 a3/").rest().choose("F 1w1b").rest()
    assert board.moves == ["P b d1", "F 1w1b", "P b a3"]


def test_plies_are_taken_back_and_another_follows_at_once(timeline) -> None:
    board = begun(timeline).hands("d1+").rest().choose("P w d1").choose("F 1b").rest()
    assert board.moves == ["P w e3", "P w a1", "P w d1", "F 1b"]
    board.hands("d1- 2.0 e1/").rest().choose("P b e1").rest()
    assert board.last("takeback") == {"plies": 2}
    assert board.moves == ["P w e3", "P w a1", "P b e1"]


def test_the_first_of_two_questions_is_asked_before_the_second(timeline) -> None:
    board = begun(timeline).hands("b1/").rest().hands("b2/").rest()
    assert "P b b1" in board.session.play.questions.current.texts
    board.choose("P b b1").rest()
    assert "P b b2" in board.session.play.questions.current.texts


@pytest.mark.parametrize("seed", range(4))
def test_random_games_on_polarity_are_read_right(seed: int) -> None:
    game = make("robotory")
    recorded = play_random(game, Random(seed), "polarity")
    session = Session(game, Sight(game, "polarity"), [Match.begin(game)])
    readings: dict[str, int] = {}
    for line in recorded.lines:
        if "places" in line:
            readings = {p: v for p, v in (readings | line["places"]).items() if v}
            session.handle(Frame(line["t"], readings))
        else:
            session.handle(Choose(line["t"], line["choose"]))
        assert len(session.play.reader.shown) <= 8
    session.handle(Tick(recorded.lines[-1]["t"] + 10.0))
    assert [entry.texts for entry in session.record] == [(text,) for text in recorded.moves]


def test_who_names_a_move_before_it_is_made_is_believed_when_it_may_have_been_that(
    timeline,
) -> None:
    board = timeline("robotory", "presence").rest()
    board.hands("d2+").rest(1.2).choose("P b d2").rest(1.0)
    # A token is held out over c3; asked what that was, somebody says what is going to be played.
    board.hands("c3+").rest(0.7).hands("c3-").rest(0.6).choose("M R d3-d2")
    board.rest(0.2).hands("d3- 0.5 d2- 0.05 d2+").rest()
    assert board.moves == ["P b d2", "M R d3-d2"]


def test_who_answers_what_was_not_asked_and_goes_on_to_what_came_next_is_believed(timeline) -> None:
    start = "......W.....B....Rw...../0w1b:0w0b 9w9b l"
    board = timeline("robotory", "polarity", start, unsensed=BLIND).rest()
    # Neither player has a token left when e3 is filled: two refills have gone unseen, or one before
    # the robot was moved. That is what is asked about.
    board.hands("c1/ 0.1 d3- 0.13 d4- 0.02 d4+").rest(1.7).hands("e3/").rest(2.0)
    assert board.asked[0] == {"F 3w1b", "F 2w2b", "F 1w3b", "F 4b", "M R d3-d4"}
    board.choose("M R d3-d4").choose("F 4b").choose("F 4w").rest()
    assert board.moves == ["P b c1", "M R d3-d4", "F 4b", "F 4w", "P b e3"]
    assert not board.asked


@pytest.mark.parametrize(
    ("seed", "sensing", "style", "plies", "unsensed", "takebacks"),
    [
        # A token is placed, and straightened before the robot sets out: it is none that this takes.
        (5, "polarity", "fidgety", 23, BLIND, 0.0),
        # Nobody knows whether somebody has refilled before a robot goes a long way.
        (91019, "presence", "mixed", 14, (), 0.1),
    ],
)
def test_games_by_hand_in_which_people_answer_what_is_asked(
    seed: int,
    sensing: str,
    style: str,
    plies: int,
    unsensed: tuple[str, ...],
    takebacks: float,
) -> None:
    game = make("robotory")
    period = Board("robotory", sensing, not unsensed).look()
    recorded = play_random(
        game,
        Random(seed),
        sensing,
        (style,),
        plies,
        unsensed,
        takebacks=takebacks,
        answers=None,
        period=period,
    )
    watcher = Watcher(recorded, game, Sight(game, sensing, unsensed), game.start())
    meant = standing(recorded.truth, float("inf"))
    assert [" or ".join(texts) for texts in watcher.watch()] == meant


def test_what_may_not_have_been_made_is_part_of_no_question() -> None:
    game = make("robotory")
    line = Line.of(Match.begin(game), Sight(game, "presence", BLIND))
    first, second = (
        line.step(game.parse_move(game.start(), text)) for text in ("P w a1", "P b a1")
    )
    assert shortest([first, line, second, line]) == [line]
    assert shortest([first, second]) == [first, second]


def test_what_is_played_while_much_is_asked_waits_for_answers() -> None:
    """Four plies a second, and of most tokens no sensor sees the colour: people cannot answer as
    fast as they play, but no answer comes too late.
    """
    game = make("robotory")
    recorded = play_random(game, Random(19), "presence", ("blitz",), 14, answers=None)
    watcher = Watcher(recorded, game, Sight(game, "presence"), game.start())
    assert [" or ".join(texts) for texts in watcher.watch()] == [
        truth.text for truth in recorded.truth
    ]


def test_what_hands_have_gone_on_from_is_shown_once() -> None:
    """While what came later waits for answers, plies that another has followed are read: the last
    of them is not followed by what is shown already.
    """
    game = make("robotory")
    begun = Line.of(Match.begin(game), Sight(game, "presence"))
    first = begun.step(game.parse_move(begun.match.position, "P w e3"))
    second = first.step(game.parse_move(first.match.position, "P w a1"))
    reader = Reader(begun)
    both = reader._as_far_as([second])
    assert isinstance(both, Settled)
    assert both.followed
    reader.show(both.but_the_last().lines, 0.0)
    last = reader._as_far_as([second])
    assert isinstance(last, Settled)
    assert last.plies == 1
    assert not last.followed


def test_a_token_that_rocks_when_it_is_put_down_is_not_taken_by_that(timeline) -> None:
    """A robot and a token beside it are lifted and put back: what the token behind that did
    before is no capture.
    """
    start = "......W.b...BR........../2w2b:2w2b 10w9b l"
    board = timeline("robotory", "presence", start, unsensed=BLIND).rest()
    board.hands("c6+ 0.002 c6- 0.002 c6+").rest().choose("P w c6").rest()
    board.hands("c5- 0.45 b5- 0.45 c5+ 0.55 b5+").rest()
    assert board.moves == ["P w c6"]
    assert not board.asked


def test_a_name_waits_while_the_token_of_the_move_before_is_straightened(timeline) -> None:
    board = timeline("robotory", "polarity").hands("1 stock.light.b- 0.4 a4/").rest(1)
    board.choose("P b a4").rest(0.1)
    board.hands("stock.dark.w- 0.3 c1+ 0.22 a4- 0.25 stock.light.w- 0.2").choose("P w c1")
    board.hands("0.04 a4/").rest(2)
    assert board.moves == ["P b a4", "P w c1"]


def test_a_token_placed_where_one_was_eaten_before_all_of_them_are_off(timeline) -> None:
    board = timeline("robotory", "polarity").rest()
    for act in ("stock.light.w- e3+", "stock.dark.w- e2+", "stock.light.w- e1+"):
        board.hands(act).rest()
    # The next player's hand is quicker than the one that takes the last eaten token off.
    board.hands("e1- d3- 0.1 e1+ 0.05 e3- 0.08 stock.light.b- 0.08 e3/ 0.008 e2-").rest()
    assert board.moves[3:] == ["M R d3-e3-e2-e1", "P b e3"]


@pytest.mark.parametrize("gap", [0.05, 0.25, 0.6])
def test_tokens_are_lifted_one_after_another_where_no_stock_tells(gap: float) -> None:
    game = make("robotory")
    match = Match.begin(game)
    for text in ("P w d5", "P b c6", "P w e3", "P b a1"):
        match = match.play(game.parse_move(match.position, text))
    sight = Sight(game, "polarity", BLIND)
    reader, levels = Reader(Line.of(match, sight)), sight.readings(match.position)
    reader.begin(reader.shown)
    for number, place in enumerate(("a1", "e3", "c6"), 1):
        del levels[place]
        reader.touch(number * gap, place, 0)
    reader.levels = levels
    verdict = reader.verdict(3 * gap + 0.5)
    assert isinstance(verdict, Settled)
    assert [line.match.moves() for line in verdict.lines] == [["P w d5"]]


def guess(sensing: str, *gone: str) -> float:
    """What a line seems to cost on which these places have read nothing for a moment."""
    game = make("robotory")
    start = game.parse_position("ww.w.w.W.....B....R...../2w2b:2w2b 1w9b l")
    sight = Sight(game, sensing)
    line, edges = Line.of(Match.begin(game, start), sight), Edges()
    for place, reading in line.expected.items():
        edges.add(0.0, place, reading)
    for place in gone:
        edges.add(1.0, place, 0)
    return Weighing(edges, NamesInOrder()).guess(Track(line, 0.5, 0.5, 0.0, {}), 1.1)


def test_a_robot_may_eat_many_tokens_in_one_ply() -> None:
    assert guess("presence", "a1") + OFF < guess("presence", "a1", "a2")
    assert guess("presence", "a1", "a2", "a4", "b2") < guess("presence", "a1", "a2") + OFF


def test_a_stock_that_is_otherwise_tells_before_anything_else_does() -> None:
    assert guess("presence", "a1", "stock.dark.w") == guess("presence", "a1") + OFF


@pytest.mark.parametrize(("reading", "puts"), [(-1, [0, -1]), (1, [])])
def test_who_is_replaced_at_once_by_one_of_the_other_colour_has_left(
    reading: int, puts: list[int]
) -> None:
    edges = Edges()
    for at, read in ((0.0, 1), (1.0, 0), (1.005, reading)):
        edges.add(at, "e2", read)
    found = edges.puts(0.5, 2.0, 3.0, {"e2": reading})
    assert [put.reading for put in found if put.at <= 1.0 or reading < 0] == puts


def test_a_token_placed_where_a_robot_came_from_that_still_rocks(timeline) -> None:
    board = timeline("robotory", "polarity").rest()
    board.hands("stock.light.w- e3+").rest().hands("stock.dark.w- e2+").rest()
    board.hands("e3- d3- 0.4 e3+ 0.01 e3- 0.01 e3+ 0.02 e3- 0.01 stock.dark.b- 0.01 e3+")
    board.hands("0.05 d3/").rest()
    assert board.moves[2:] == ["M R d3-e3", "P b d3"]


def test_tokens_that_chatter_when_they_are_lifted_were_not_put_back(timeline) -> None:
    start = "W...B.......w.....w.Rww./2w2b:1w2b 2w6b l"
    board = timeline("robotory", "polarity", start).rest()
    way = ("e1", "e2", "e3", "d4", "c4")
    for at, to in pairwise(way):
        board.hands(f"{to}- 0.001 {to}+ 0.001 {to}- 0.01 {at}- 0.37 {to}+ 0.1")
    board.rest()
    assert board.moves == ["M R e1-e2-e3-d4-c4"]


def test_nobody_refills_while_a_robot_that_is_slid_rests_for_a_moment(timeline) -> None:
    start = "W...B.......w.....w.Rww./2w2b:1w2b 2w6b l"
    board = timeline("robotory", "presence", start).rest()
    for at, to in pairwise(("e1", "e2", "e3", "d4")):
        board.hands(f"{to}- 0.01 {at}- 0.37 {to}+ 0.1")
    board.rest(20.0)
    assert board.moves == ["M R e1-e2-e3-d4"]
    assert not board.asked


@pytest.mark.parametrize("sensing", ["polarity", "presence"])
def test_a_robot_pauses_on_its_way_to_a_token_that_is_off_already(timeline, sensing: str) -> None:
    """Else the next player would hold that token, or its sensor would be stuck."""
    board = timeline("robotory", sensing, ".Wbbbb..bw.bBbbwwR.w.w.w/0w0b:0w0b 7w6b l").rest()
    board.hands("c3- 0.85 e2- d3- 0.4 e2+ 0.4 e2- d2- 0.4 d2+ 1.5 d2- 0.04 c3+").rest()
    assert board.moves == ["M R d3-e2-d2-c3"]
    assert "fault" not in board.events


def test_what_is_about_to_be_asked_waits_while_a_robot_is_missing(timeline) -> None:
    """The longer it is gone, the less likely it is in a hand: it may have taken a token unseen."""
    board = timeline("robotory", "presence", unsensed=BLIND).rest()
    for act, move in (("e3+", "P w e3"), ("e2+", "P w e2")):
        board.hands(act).choose(move).rest()
    board.hands("d3- e3- 0.05 e3+").rest(0.6).hands("e3-").choose("M R d3-e3").rest(4.0)
    board.choose("F 1w").rest(0.35)
    assert board.asked[0] == {"M R e3-e2", "F 1w"}
    board.hands("a2+ 0.022 a2- 0.011 a2+").rest(3.0)
    assert board.asked[0] == {"M R e3-e2", "F 1w"}


def test_two_refills_in_a_row_go_unseen_where_nobody_had_a_token_left(timeline) -> None:
    start = "......W.....B....R....../0w0b:0w0b 9w9b l"
    board = timeline("robotory", "polarity", start, unsensed=BLIND).rest().hands("e3/").rest(2.0)
    assert board.asked[0] == {"F 3w1b", "F 2w2b", "F 1w3b", "F 4b"}  # none is placed without black
    board.choose("F 4b").choose("F 4w").rest()
    assert board.moves == ["F 4b", "F 4w", "P b e3"]
    assert not board.asked


def test_two_refills_in_a_row_may_be_named_when_the_next_token_is_placed(timeline) -> None:
    start = "......W.....B....R....../0w1b:0w1b 9w9b l"
    board = timeline("robotory", "polarity", start, unsensed=BLIND).rest().hands("1 e3/").rest(1)
    board.choose("F 3w").rest(0.3).choose("F 3b").rest()
    assert board.moves == ["F 3w", "F 3b", "P b e3"]


def long_begun() -> Reader:
    """A reader that has shown nothing of eight plies yet, before which a refill was not seen: only
    then can the player who comes first have placed a white token.
    """
    game = make("robotory")
    start = game.parse_position("......W.....B....R....../0w3b:2w2b 9w9b l")
    sight = Sight(game, "polarity", BLIND)
    reader = Reader(Line.of(Match.begin(game, start), sight))
    reader.levels = sight.readings(start)
    reader.begin(reader.shown)
    cells, whites = ("e3", "a1", "e2", "a2", "c6", "b1", "d1", "e1"), ("e3", "e2", "e1")
    for number, cell in enumerate(cells):
        reader.touch(1.0 + 0.4 * number, cell, 1 if cell in whites else -1)
        reader.level(cell, 1 if cell in whites else -1)
    at_once(reader.search(4.1))
    return reader


def test_a_refill_is_named_after_hands_have_gone_on_for_many_plies() -> None:
    reader = long_begun()
    assert at_once(Naming(reader).add_unseen("F 1w", 4.1))
    assert reader.shown[0].match.plies > 6


def test_a_refill_that_is_named_while_hands_wait_for_answers_does_not_come_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reader = long_begun()
    reader.decoder.is_behind = True
    monkeypatch.setattr(reader.decoder, "add_unseen", lambda *_: iter(()))  # it is nowhere yet
    assert not at_once(Naming(reader).add_unseen("F 1b", 20.0))
    assert reader.shown[0].match.plies == 0


def test_who_puts_a_token_while_the_one_before_still_rocks_has_not_touched_that() -> None:
    game = make("robotory")
    line = Line.of(Match.begin(game), Sight(game))
    line = line.step(game.parse_move(line.match.position, "P w e3"))
    edges = Edges()
    for at, reading in ((1.0, 1), (1.073, 0), (1.089, 1)):
        edges.add(at, "e3", reading)
    track = Track(line, 1.0, 1.0, 0.0, {}, own=frozenset({"e3"}), own_until=1.0 + BURST)
    assert not Weighing(edges, NamesInOrder()).opened(track, 1.2)
    edges.add(1.3, "e3", 0)
    edges.add(1.34, "e3", 1)
    assert Weighing(edges, NamesInOrder()).opened(track, 1.4) == {"e3"}


def refilled(**state) -> float:
    """What a line costs more after a refill that the stock of the other player shows, since two
    tokens were placed.
    """
    game = make("robotory")
    line = Line.of(Match.begin(game), Sight(game, "polarity"))
    for text in ("P w e3", "P w a1", "P b e2"):
        line = line.step(game.parse_move(line.match.position, text))
    edges = Edges()
    edges.restart(dict(line.expected), 0.0)
    if state.pop("light_puts_one_in", False):
        edges.add(2.0, "stock.light.w", line.expected["stock.light.w"] + 1)
    edges.add(5.0, "stock.dark.w", 2)
    weigh = Weighing(edges, NamesInOrder())
    plies = Plies(weigh, lambda line: line, lambda line: False)
    plies.tray_at = 5.0
    track = Track(line, 1.0, 1.0, 0.0, {}, **state)
    (child,) = (each for each in plies.half_seen(track, 5.5) if each is not None)
    assert child.line.match.text == "F 1w"
    return child.cost


def test_who_paused_on_the_way_has_finished_when_the_next_player_refills() -> None:
    assert refilled() == 0.0
    assert refilled(paused=frozenset({"d3"}), paused_at=3.0, pauses=STANDING) == STANDING


def test_a_token_is_put_into_a_stock_before_another_player_refills_for_a_reason() -> None:
    assert refilled(light_puts_one_in=True) == TRAY_OPEN


def test_what_people_say_in_answer_to_a_question_is_asked_from_then_on() -> None:
    """However little else speaks for it, until they say which it was."""
    game = make("robotory")
    begun = Line.of(Match.begin(game), Sight(game, "presence", BLIND))
    reader = Reader(begun)
    asked, said = (begun.step(game.parse_move(game.start(), text)) for text in ("P w e3", "P b e3"))
    ends = [
        End(Track(line, 1.0, 1.0, cost, {}), cost, *2 * (frozenset(),), *4 * (False,))
        for line, cost in ((asked, 0.0), (said, 1.0))
    ]
    assert reader._likely(ends, False) == ends[:1]
    reader.answers.suggest(said)
    assert reader._likely(ends, False) == ends
    reader.answers.say(asked, 2.0)
    assert reader._likely(ends, False) == ends[:1]


def test_as_many_lines_with_a_move_that_was_named_are_gone_on_with_as_with_any() -> None:
    game = make("robotory")
    line = Line.of(Match.begin(game), Sight(game, "polarity", BLIND))
    line = line.step(game.parse_move(line.match.position, "P w e3"))
    line = line.step(game.parse_move(line.match.position, "P w a1"))
    beam = Beam(Plies(Weighing(Edges(), NamesInOrder()), lambda line: line, lambda line: False))
    many = [Track(line, float(number), 0.0, 0.0, {}) for number in range(WIDTH)]

    def gone_through(tracks, put):
        yield
        return many

    beam.gone_through = gone_through  # type: ignore[method-assign]
    past = Past(beam)
    past.add([Track(line, 0.0, 0.0, 0.0, {})], Put(1.0, "e2", 1, 1.0), 0.0)
    assert at_once(past.with_unseen("F 1w", 2.0)) == many
