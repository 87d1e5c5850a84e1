"""Refills of Robotory: where no sensor sees them they are asked about and named."""

from __future__ import annotations

from typing import Any

import pytest

from engine.games import make
from engine.match import Match
from engine.reading.account import at_once
from engine.reading.beam import WIDTH, Beam
from engine.reading.evidence import RUSHED, SILENT, STANDING, TRAY_OPEN
from engine.reading.extend import Plies
from engine.reading.footprints import Sight
from engine.reading.lines import Line
from engine.reading.names_in_order import NamesInOrder
from engine.reading.naming import Naming
from engine.reading.observations import Edges, Put
from engine.reading.reader import Reader
from engine.reading.tracks import Track
from engine.reading.unseen import Past
from engine.reading.weighing import Weighing

BLIND = ("stock", "pool")


def begun(timeline: Any, plies: int = 2, sensing: str = "polarity"):
    """A board without sensed stocks on which both players have placed a token."""
    board = timeline("robotory", sensing, unsensed=BLIND).rest()
    for act, move in (("e3+", "P w e3"), ("a1+", "P w a1"))[:plies]:
        board.hands(act).choose(move).rest()
    assert board.moves == ["P w e3", "P w a1"][:plies]
    return board


# ---- asked about and named


def test_a_refill_that_no_sensor_sees_is_asked_about(timeline: Any) -> None:
    board = begun(timeline).hands("b1/").rest()
    assert board.asked == [{"P b b1", "F 1w", "F 1b"}, {"P b b1", ""}]
    assert board.session.play.questions.current.texts == ("P b b1", "F 1w", "F 1b")
    assert board.last("ask")["moves"] == ["P b b1"]


def test_naming_the_move_that_was_seen_says_that_nothing_came_before_it(timeline: Any) -> None:
    board = begun(timeline).hands("b1/").rest().choose("P b b1").rest()
    assert board.moves == ["P w e3", "P w a1", "P b b1"]
    assert board.session.match.turn == 1


def test_naming_the_refill_says_who_made_the_move_that_was_seen(timeline: Any) -> None:
    board = begun(timeline).hands("b1/").rest().choose("F 1b").rest()
    assert board.moves == ["P w e3", "P w a1", "F 1b", "P b b1"]
    assert board.session.match.turn == 0


@pytest.mark.parametrize(
    ("answer", "moves"), [("P b b1", ["P b b1", "F 1w"]), ("F 1w", ["F 1w", "P b b1"])]
)
def test_a_refill_that_is_named_unasked_may_have_been_made_just_now(
    timeline: Any, answer: str, moves: list[str]
) -> None:
    board = begun(timeline).hands("b1/").rest().name("F 1w").rest()
    assert board.asked == [{"P b b1", "F 1w"}, {"P b b1", ""}, {"F 1w", ""}]
    assert board.session.play.reader.names.latest == "F 1w"  # all that comes later is to have it
    assert board.choose(answer).rest().moves == ["P w e3", "P w a1", *moves]


def test_what_is_named_unasked_answers_if_it_cannot_be_made_now(timeline: Any) -> None:
    board = begun(timeline).hands("b1/").rest().name("P b b1").rest()
    assert board.moves == ["P w e3", "P w a1", "P b b1"]


@pytest.mark.parametrize("move", ["P b b1", "F 1w"])
def test_what_is_named_unasked_decides_nothing_while_it_is_not_known_what_hands_did(
    timeline: Any, move: str
) -> None:
    board = begun(timeline).hands("b1/").rest()
    board.session.play.reader.decoder.is_behind = True
    board.name(move)
    assert board.asked[0] == {"P b b1", "F 1w", "F 1b"}
    assert board.session.unplaced == move


def test_a_refill_that_is_named_unasked_where_none_is_asked_about_was_made(timeline: Any) -> None:
    board = begun(timeline).name("F 1w").rest()
    assert board.moves == ["P w e3", "P w a1", "F 1w"]


def test_what_is_named_unasked_once_more_is_still_no_answer(timeline: Any) -> None:
    board = begun(timeline).hands("b1/").rest().name("F 1w").rest().name("F 1w").rest()
    assert board.asked[0] == {"P b b1", "F 1w"}
    assert board.choose("P b b1").rest().moves == ["P w e3", "P w a1", "P b b1", "F 1w"]


@pytest.mark.parametrize("lifted", [1.2 + 0.002 * n for n in range(0, 50, 7)])
def test_a_token_that_is_put_back_just_as_it_seems_taken_back(timeline: Any, lifted: float) -> None:
    # The other player then refills the same, and names it: that is no late name of the first.
    board = begun(timeline, sensing="presence").rest(3).choose("F 1w").rest()
    board.hands(f"a1- {lifted} a1+").rest(3).choose("F 1w").rest()
    assert board.moves == ["P w e3", "P w a1", "F 1w", "F 1w"]


def test_a_refill_may_be_named_before_anything_is_seen(timeline: Any) -> None:
    board = begun(timeline).choose("F 1w").rest().hands("b1/").rest().choose("P b b1").rest()
    assert board.moves == ["P w e3", "P w a1", "F 1w", "P b b1"]


def test_who_named_a_later_move_answers_what_is_asked_after_that(timeline: Any) -> None:
    board = begun(timeline).hands("b1/").rest().hands("b2/").rest().choose("P b b2").rest()
    questions, hearing = board.session.play.questions, board.session.play.hearing
    assert questions.current.texts == ("P b b1", "F 1w", "F 1b")
    assert not hearing.is_answer("F 1w", board.now)  # whoever says so has gone on
    board.hands("b2- 0.5 b1-").rest(20.0).hands("c1/").rest()
    assert questions.current.texts == ("P b c1", "F 1w", "F 1b")
    assert hearing.is_answer("F 1w", board.now)


@pytest.mark.parametrize("waited", [1.0, 8.0])
def test_a_refill_is_named_late_by_who_was_asked_about_others_first(timeline: Any, waited) -> None:
    board = timeline("robotory", "polarity", unsensed=BLIND).rest()
    board.hands("e3+").choose("P w e3").rest().hands("a1/").choose("P b a1").rest()
    board.hands("b1/").rest()  # after both have refilled
    assert board.asked == [{"P b b1", "F 1w", "F 1b"}, {"P b b1", ""}]
    board.rest(waited).choose("F 1w").rest(1.0).choose("F 1b").rest()
    assert board.moves == ["P w e3", "P b a1", "F 1w", "F 1b", "P b b1"]


def test_naming_a_refill_forgets_nothing_that_a_hand_has_begun(timeline: Any) -> None:
    board = begun(timeline)
    board.hands("e3-").choose("F 1w").rest(0.3).hands("d3- e3+").rest()
    board.choose("M R d3-e3").rest()
    assert board.moves == ["P w e3", "P w a1", "F 1w", "M R d3-e3"]


def test_later_moves_are_told_side_by_side_though_one_before_is_open(timeline: Any) -> None:
    board = begun(timeline).hands("b1/").rest().hands("b2/").rest()
    asked = board.asked
    assert asked[0] == {"P b b1", "F 1w", "F 1b"}
    assert any({"P b b2"} < each for each in asked[2:])
    assert all("P b b1" not in each for each in asked[2:])


def test_the_first_of_two_questions_is_asked_before_the_second(timeline: Any) -> None:
    board = begun(timeline).hands("b1/").rest().hands("b2/").rest()
    assert "P b b1" in board.session.play.questions.current.texts
    board.choose("P b b1").rest()
    assert "P b b2" in board.session.play.questions.current.texts


def test_a_refill_between_two_quick_plies(timeline: Any) -> None:
    start = ".......W.....B....R...../0w2b:2w0b 9w9b l"
    board = timeline("robotory", "polarity", start, unsensed=BLIND).rest()
    board.hands("d1/ 0.1 a3/").rest().choose("F 1w1b").rest()
    assert board.moves == ["P b d1", "F 1w1b", "P b a3"]


def test_a_move_that_no_sensor_shows_is_named_while_a_bystander_is_straightened(
    timeline: Any,
) -> None:
    board = begun(timeline).hands("c6+").rest().choose("P w c6").rest()
    board.hands("a1- 0.2").choose("F 1w").hands("0.3 a1+").rest()
    assert board.moves == ["P w e3", "P w a1", "P w c6", "F 1w"]


def test_a_quick_step_onwards_may_be_the_next_players(timeline: Any) -> None:
    board = begun(timeline).hands("e2+").rest().choose("P w e2").rest()
    board.hands("e3- 0.1 d3- 0.1 e3+ 0.1 e2- 0.1 e3- 0.1 e2+").rest()
    asked = {text for texts in board.asked for text in texts}
    assert {"M R d3-e3-e2", "M R d3-e3", "M R e3-e2", "F 1w"} <= asked


def test_plies_are_taken_back_and_another_follows_at_once(timeline: Any) -> None:
    board = begun(timeline).hands("d1+").rest().choose("P w d1").choose("F 1b").rest()
    assert board.moves == ["P w e3", "P w a1", "P w d1", "F 1b"]
    board.hands("d1- 2.0 e1/").rest().choose("P b e1").rest()
    assert board.last("takeback") == {"plies": 2}
    assert board.moves == ["P w e3", "P w a1", "P b e1"]


def test_who_answers_what_was_not_asked_and_goes_on_to_what_came_next_is_believed(
    timeline: Any,
) -> None:
    start = "......W.....B....Rw...../0w1b:0w0b 9w9b l"
    board = timeline("robotory", "polarity", start, unsensed=BLIND).rest()
    # Neither player has a token left when e3 is filled: two refills have gone unseen, or one before
    # the robot was moved. That is what is asked about.
    board.hands("c1/ 0.1 d3- 0.13 d4- 0.02 d4+").rest(1.7).hands("e3/").rest(2.0)
    assert board.asked[0] == {"F 3w1b", "F 2w2b", "F 1w3b", "F 4b", "M R d3-d4"}
    board.choose("M R d3-d4").choose("F 4b").choose("F 4w").rest()
    assert board.moves == ["P b c1", "M R d3-d4", "F 4b", "F 4w", "P b e3"]
    assert not board.asked


def test_two_refills_in_a_row_go_unseen_where_nobody_had_a_token_left(timeline: Any) -> None:
    start = "......W.....B....R....../0w0b:0w0b 9w9b l"
    board = timeline("robotory", "polarity", start, unsensed=BLIND).rest().hands("e3/").rest(2.0)
    assert board.asked[0] == {"F 3w1b", "F 2w2b", "F 1w3b", "F 4b"}  # none is placed without black
    board.choose("F 4b").choose("F 4w").rest()
    assert board.moves == ["F 4b", "F 4w", "P b e3"]
    assert not board.asked


def stepped(timeline: Any) -> Any:
    """A board on which a robot made two steps, or each player one; both may have refilled."""
    start = "wbWbwb.....wBbw....b...R/0w0b:0w0b 8w6b l"
    board = timeline("robotory", "polarity", start, unsensed=BLIND).rest()
    board.hands("e4- .232 d5- .4 d5+ .568 c5- .2 d5- .32 c5+ .216 c5- .232 c5+").rest()
    assert {"M R e4-d5", "M R e4-d5-c5", "F 2w2b"} < board.asked[0]
    return board


def test_a_refill_that_was_made_after_what_is_asked_is_not_made_before_it(timeline: Any) -> None:
    board = stepped(timeline).choose("F 2w2b").rest()  # which may have been made only now
    assert set(board.moves) == {"?"}
    assert {"M R e4-d5", "M R e4-d5-c5", "F 2w2b"} <= board.asked[0]
    board.choose("M R e4-d5-c5").rest()
    assert board.moves == ["M R e4-d5-c5", "F 2w2b"]


def test_who_names_a_refill_again_that_is_still_asked_about_answers_that(timeline: Any) -> None:
    board = stepped(timeline).choose("F 2w2b").rest().choose("F 2w2b").rest()
    assert board.moves[0] == "F 2w2b"
    board.choose("M R e4-d5-c5").rest()
    assert board.moves == ["F 2w2b", "M R e4-d5-c5"]


def test_a_refill_that_a_lit_man_stands_for_is_the_one_that_is_asked_about(timeline: Any) -> None:
    board = stepped(timeline)
    lit = board.session.play.questions.choices()["F 2w2b"]
    board.hands(f"{lit}- {lit}/ 0.3 {lit}- {lit}/").rest()  # a black token
    assert board.moves[0] == "F 2w2b"


def test_two_refills_in_a_row_may_be_named_when_the_next_token_is_placed(timeline: Any) -> None:
    start = "......W.....B....R....../0w1b:0w1b 9w9b l"
    board = timeline("robotory", "polarity", start, unsensed=BLIND).rest().hands("1 e3/").rest(1)
    board.choose("F 3w").rest(0.3).choose("F 3b").rest()
    assert board.moves == ["F 3w", "F 3b", "P b e3"]


# ---- named after much else was played


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


# ---- seen by stocks or the pool


def test_the_last_token_of_the_pool_ends_the_game(timeline: Any) -> None:
    start = "..w....W.....B....R...../2w2b:1w2b 1w5b d"
    board = timeline("robotory", "presence", start).rest().hands("pool.w-").rest()
    assert board.moves == ["F 1w"]
    assert board.session.outcome.reason == "energy"


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


def refilled_unseen(at: float) -> float:
    """What a line costs more after a refill that no stock shows, and one that a stock shows `at` a
    time, since the last token was placed at 1 s.
    """
    game = make("robotory")
    line = Line.of(Match.begin(game), Sight(game))
    for text in ("P w e3", "P w a1", "P b e2", "P w b1"):
        line = line.step(game.parse_move(line.match.position, text))
    edges = Edges()
    edges.restart(dict(line.expected), 0.0)
    edges.add(at, "stock.dark.w", 1)
    plies = Plies(Weighing(edges, NamesInOrder()), lambda line: line, lambda line: False)
    plies.tray_at = at
    return min(
        each.cost
        for each in plies.half_seen(Track(line, 1.0, 1.0, 0.0, {}), at + 0.5)
        if each is not None
    )


def test_a_refill_that_nobody_sees_takes_its_time_though_a_stock_shows_the_next() -> None:
    assert refilled_unseen(5.0) == SILENT
    assert refilled_unseen(1.5) == pytest.approx(SILENT + RUSHED / 2)


def test_who_paused_on_the_way_has_finished_when_the_next_player_refills() -> None:
    assert refilled() == 0.0
    assert refilled(paused=frozenset({"d3"}), paused_at=3.0, pauses=STANDING) == STANDING


def test_a_token_is_put_into_a_stock_before_another_player_refills_for_a_reason() -> None:
    assert refilled(light_puts_one_in=True) == TRAY_OPEN


@pytest.mark.parametrize("sensing", ["presence", "polarity"])
@pytest.mark.parametrize("apart", [1.5, 4.0])
def test_a_refill_that_a_tray_shows_may_follow_one_that_none_shows(
    timeline: Any, sensing: str, apart: float
) -> None:
    # A stock shows of each colour only whether there is any: light has some left, dark has none.
    board = timeline("robotory", sensing).rest(1)
    for stock, cell, move in (
        ("light.w", "a1", "P w a1"),
        ("dark.w", "b1", "P w b1"),
        ("light.b", "c1", "P b c1"),
        ("dark.w", "d1", "P w d1"),
    ):
        sign = "/" if sensing == "polarity" and " b " in move else "+"
        board.hands(f"stock.{stock}- 0.5 {cell}{sign}").rest(2)
        if board.asked:
            board.choose(move).rest(1)
    board.hands("stock.light.w+ 0.3 stock.light.b+").rest(apart)
    board.hands("stock.dark.w+ 0.3 stock.dark.w+").rest(3)
    for move in ("P w d1", "F 1w1b", "F 2w"):
        if board.asked:
            assert any(move in texts for texts in board.asked)
            board.choose(move).rest(1)
    assert board.moves == ["P w a1", "P w b1", "P b c1", "P w d1", "F 1w1b", "F 2w"]


@pytest.mark.parametrize("waited", [4.0, 9.0])
def test_a_refill_is_named_though_the_same_was_seen_two_moves_before(
    timeline: Any, waited: float
) -> None:
    men = "..b.....W...B.bw..R...../4w0b:0w3b 3w8b d"
    board = timeline("robotory", "presence", men).hands("1 stock.dark.w+ 3").hands("e2+ 1")
    board.hands("stock.dark.w- 0.9 b3+").rest(waited)
    assert board.moves == ["F 1w", "P w e2", "P w b3"]
    board.choose("F 1w").rest(2.3).choose("F 1b").hands("1 b1+").rest(2)
    assert board.moves == ["F 1w", "P w e2", "P w b3", "F 1w", "F 1b", "P w b1"]
