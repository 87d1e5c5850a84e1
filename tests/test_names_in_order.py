"""People name moves in the order in which they were made: what that tells."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.game import Pass, Throw
from engine.games import make
from engine.match import Match
from engine.reading.account import at_once
from engine.reading.answers import LATELY, Answers
from engine.reading.footprints import Sight
from engine.reading.lines import Line
from engine.reading.names_in_order import NAMED_WITHIN, NAMES_HEARD, ONCE, OUT_OF_TURN, NamesInOrder
from engine.reading.naming import Naming
from engine.reading.reader import Reader
from engine.reading.tracks import Track

TOKENS = ("P w a1", "P w b1", "P w c1")


@pytest.fixture
def start() -> Line:
    game = make("robotory")
    return Line.of(Match.begin(game), Sight(game))


def after(line: Line, *texts: str) -> Line:
    for text in texts:
        line = line.step(line.match.game.parse_move(line.match.position, text))
    return line


def track(line: Line, *undone: tuple[Line, float]) -> Track:
    return Track(line, 0.0, 0.0, 0.0, {}, undone=undone)


def names(*texts: str) -> NamesInOrder:
    """Return names that were said one every ten seconds."""
    said = NamesInOrder()
    for number, text in enumerate(texts):
        said.hear(text, 10.0 * number)
    return said


def test_a_line_that_has_all_names_in_their_turn_costs_nothing(start: Line) -> None:
    assert names().cost(track(start)) == 0.0
    said = names("P w a1", "P w c1")
    assert said.cost(track(after(start, *TOKENS))) == 0.0
    assert said.cost(track(after(start, "P w c1", "P w b1", "P w a1"))) == OUT_OF_TURN
    assert said.cost(track(after(start, "P w a1"))) == OUT_OF_TURN
    assert said.cost(track(start)) == 2 * OUT_OF_TURN


def test_what_lines_have_is_found_out_anew_with_every_name(start: Line) -> None:
    line = after(start, *TOKENS)
    said = names("P w a1")
    assert (said.missed(line), said.missed(start)) == (0, 1)
    said.hear("P b e1", 99.0)
    assert (said.missed(line), said.missed(start)) == (1, 2)
    said.forget()
    assert (said.missed(line), said.missed(start)) == (0, 0)


def test_one_move_has_one_name(start: Line) -> None:
    said = names("P w a1", "P w a1")
    assert said.cost(track(after(start, "P w a1"))) == OUT_OF_TURN
    said = NamesInOrder()
    said.hear("P w a1", 1.0)
    said.hear("P w a1", 1.0 + ONCE / 2)  # who says it twice at once means it once
    assert said.cost(track(after(start, "P w a1"))) == 0.0


def test_only_so_many_names_are_kept_in_mind(start: Line) -> None:
    said = names(*(f"P b {cell}" for cell in ("a1", "a2", "a3", "a4") * 5))
    assert said.missed(start) == NAMES_HEARD


def test_the_oldest_names_count_once_more_before_they_are_forgotten(start: Line) -> None:
    in_turn = track(after(start, "P w a1", "P w b1", "P w c1"))
    otherwise = track(after(start, "P w b1", "P w c1", "P w a1"))
    later = [f"P b {cell}" for cell in ("a2", "a3", "a4", "b2", "b4")]
    said = names("P w a1", "P w b1", "P w c1", *later[:-1])
    assert not said.lacking_the_oldest([in_turn, otherwise])
    said = names("P w a1", "P w b1", "P w c1", *later)
    assert said.lacking_the_oldest([in_turn, otherwise]) == {otherwise.line}


@given(st.permutations("abcd"), st.lists(st.sampled_from("abcd"), max_size=NAMES_HEARD))
def test_names_are_in_turn_that_are_a_common_sequence(made: list[str], said: list[str]) -> None:
    game = make("robotory")
    line = Line.of(Match.begin(game), Sight(game))
    line = after(line, *(f"P w {column}1" for column in made))
    heard = names(*(f"P w {column}1" for column in said))
    longest = max(
        len(some)
        for number in range(len(made) + 1)
        for some in combinations(made, number)
        if is_in_turn(some, said)
    )
    assert heard.missed(line) == heard.missed_by(track(line)) == len(said) - longest


def is_in_turn(some: Sequence[str], said: Sequence[str]) -> bool:
    rest = iter(said)
    return all(column in rest for column in some)


def test_nobody_names_throws_and_passes() -> None:
    game = make("chaturaji")
    line = Line.of(Match.begin(game), Sight(game)).step(Throw((5,)))
    line = after(line, "d2d3")
    said = names("d2d3")
    for _ in range(NAMES_HEARD):  # nobody's rook can move
        line = line.step(Throw((4,))).step(Pass())
    assert said.missed(line) == 0


def test_a_name_of_long_ago_speaks_against_nobody_who_has_made_that_move() -> None:
    game, rng = make("shogi"), Random(1)
    line = after(Line.of(Match.begin(game), Sight(game)), "7g7f", "3c3d")
    for _ in range(30):
        line = line.step(rng.choice(line.match.legal))
    tried = line.head().step(line.head().match.legal[1])
    said = names("7g7f", "3c3d")
    assert said.cost(track(line)) == said.cost(track(line, (tried, 99.0))) == 0.0


def test_what_was_taken_back_was_named_before_that(start: Line) -> None:
    tried = after(start, "P w a1")
    said = names("P w a1", "P w b1")
    assert said.cost(track(after(start, "P w b1"), (tried, 5.0))) == 0.0
    assert said.cost(track(after(start, "P w b1", "P w a1"), (tried, 5.0))) == 0.0
    again = track(after(start, "P w b1", "P w a1"), (after(start, "P w c1"), 5.0))
    assert said.cost(again) == OUT_OF_TURN  # the name came before men went back


def test_what_was_taken_back_and_made_again_is_named_again(start: Line) -> None:
    first = after(start, "P w a1")
    both = after(first, "P w b1")
    said = names("P w a1", "P w b1", "P w a1")
    assert said.cost(track(first, (both, 14.0), (first, 15.0))) == 0.0
    assert said.cost(track(first, (both, 14.0))) == OUT_OF_TURN  # that still stood


def test_nobody_names_what_was_taken_back_long_before(start: Line) -> None:
    tried, line = after(start, "P w a1"), after(start, "P w b1")
    said = names("P w a1", "P w b1")
    assert said.cost(track(line, (tried, 0.1 - NAMED_WITHIN))) == 0.0
    assert said.cost(track(line, (tried, -0.1 - NAMED_WITHIN))) == OUT_OF_TURN


def test_the_name_of_what_was_taken_back_is_none_of_a_later_move(start: Line) -> None:
    """Or the other colour would be given up with what was named long before."""
    before, later = ["P w a1", "P w a2", "P w b1"], ["P w b2", "P w d1", "P w d2"]
    line, reader = after(start, *before, later[0], "F 2w", "F 2w", *later[1:]), Reader(start)
    ways = [after(line, text) for text in ("P w c5", "P b c5")]
    tried = after(start, *before, "P w c5"), 35.0
    reader.decoder.tracks = [track(way, tried) for way in ways]
    for number, text in enumerate((*before, "P w c5", *later, "P b e1")):
        reader.hear(text, 10.0 * number)
    assert [each.line for each in reader.decoder.tracks] == ways


def test_a_line_that_was_come_to_in_two_ways_is_kept_for_the_better_one(start: Line) -> None:
    before, later = ["P w a1", "P w a2", "P w b1"], ["P w b2", "P w d1", "P w d2"]
    line, reader = after(start, *before, later[0], "F 2w", "F 2w", *later[1:]), Reader(start)
    tried = after(start, *before, "P w c5"), 35.0
    other = after(line, "P b c5")
    reader.decoder.tracks = [track(line, tried), track(line), track(other, tried)]
    for number, text in enumerate((*before, "P w c5", *later, "P b e1")):
        reader.hear(text, 10.0 * number)
    assert [each.line for each in reader.decoder.tracks] == [line, line, other]


def test_what_was_taken_back_is_counted_for_each_line_that_is_shown(start: Line) -> None:
    tried, line = after(start, "P w a1"), after(start, "P w b1")
    reader = Reader(start)
    reader.begin([line])
    for number, text in enumerate(("P w a1", "P w b1")):
        reader.hear(text, 10.0 * number)
    assert reader.missed(line) == 1
    reader.decoder.tracks = [each.but(undone=((tried, 5.0),)) for each in reader.decoder.tracks]
    at_once(reader.decoder.ends(20.0, dict(line.expected)))
    assert reader.missed(line) == 0


def test_a_move_may_be_named_however_much_was_played_since(start: Line) -> None:
    reader, other = Reader(start), after(start, "P b a1")
    many = after(start, "P w a1")
    for _ in range(LATELY):
        many = many.step(many.match.game.legal(many.match.position)[0])
    reader.decoder.tracks = [track(line) for line in (many, many.head(), other)]
    Naming(reader).confirm([after(start, "P w a1")])
    assert [each.line for each in reader.decoder.tracks] == [many, many.head()]


# ---- at the board


def test_of_two_tokens_that_were_placed_the_first_is_named_first(timeline: Any) -> None:
    board = timeline("robotory", "presence", unsensed=("stock", "pool")).rest()
    board.hands("e3+").choose("P w e3").rest().hands("a1+").choose("P w a1").rest()
    board.hands("b4+ .6 b4- .5 b2+ .5 b4+").rest(1)  # the one on b4 may have come from b2 or not
    board.choose("P w b2").rest(0.05).choose("P w b4").rest()
    assert board.moves == ["P w e3", "P w a1", "P w b2", "P w b4"]


def test_nobody_answers_what_was_asked_a_moment_ago(timeline: Any) -> None:
    start = "bW.....wbw..B....R.w.bw./2w1b:0w3b 7w7b d"
    board = timeline("robotory", "presence", start).rest()
    board.hands("stock.dark.w+ .31 stock.light.b- .27 d1+ .17 e1+")
    board.hands(".215 stock.light.w- .053 stock.light.w+")  # that stock is filled
    while not board.asked:
        board.rest(0.02)
    assert board.moves[0] == "F 1w"
    assert "F 1w" in board.asked[0]  # by the other player
    board.rest(0.2).choose("F 1w").rest(0.05).choose("P b d1").rest(0.2).choose("P b e1").rest()
    assert board.moves[:3] == ["F 1w", "P b d1", "P b e1"]


def test_who_has_named_one_of_two_goes_on_to_the_other(timeline: Any) -> None:
    board = timeline("robotory", "presence").rest()
    board.hands("c6+ .22 c2+ .1 c6- .14 c6+")  # which of them was first?
    while not board.asked:
        board.rest(0.02)
    board.rest(0.27).choose("P b c6").rest(0.6).choose("P b c2").rest()
    assert board.moves == ["P b c6", "P b c2"]


@pytest.mark.parametrize("wait", [0.6, 3.0])
def test_both_players_name_the_same(timeline: Any, wait: float) -> None:
    start = ".......W.....B....R...../1w2b:1w2b 8w8b l"
    board = timeline("robotory", "presence", start, unsensed=("stock", "pool")).rest()
    board.choose("F 1w").rest(wait).choose("F 1w").rest()
    assert board.moves == ["F 1w", "F 1w"]


def test_a_refill_that_was_read_before_is_not_made_again_when_it_is_named(timeline: Any) -> None:
    start = "..bbbbW.bb.wBb....ww.R.w/1w2b:0w1b 8w4b l"
    board = timeline("robotory", "presence", start).rest()
    board.hands("c4- .001 c5- .22 c5+ .19 c5- .03 b5- .22 b5+ .38 stock.dark.w+")
    board.hands(".23 c1- .135 c6+ .1 c1+").rest(0.48)
    board.choose("M B c4-c5-b5").rest(0.2)
    board.hands("stock.dark.b-").rest(0.6).choose("F 3w").rest(0.05).choose("P b c6").rest()
    assert board.moves[:3] == ["M B c4-c5-b5", "F 3w", "P b c6"]


def test_an_answer_that_was_thought_about_is_one(timeline: Any) -> None:
    start = "bW.....wbw..B....R.w.bw./2w1b:0w3b 7w7b d"
    board = timeline("robotory", "presence", start).rest()
    board.hands("stock.dark.w+ .31 stock.light.b- .27 d1+ .17 e1+")
    board.hands(".215 stock.light.w- .053 stock.light.w+")
    while not board.asked:
        board.rest(0.02)
    board.rest(2).choose("F 1w").rest()
    assert board.moves[:2] == ["F 1w", "F 1w"]


def test_a_name_is_rather_of_a_move_that_stands_than_of_another_one_later(timeline: Any) -> None:
    start = ".....wW....bB.w..R....../1w1b:1w2b 10w10b d"
    board = timeline("robotory", "presence", start).rest()
    board.hands("stock.dark.w- .26 a2+ .57 stock.light.b- .38 e1+ .33 stock.dark.w+").rest(1)
    board.choose("P w a2").rest(1)
    assert board.moves == ["P w a2", "P b e1", "?"]
    board.choose("P b e1").rest(0.6).choose("F 2w").rest()
    assert board.moves == ["P w a2", "P b e1", "F 2w"]


@pytest.mark.parametrize(
    ("said", "moves"),
    [
        (["F 3w1b"], ["F 3w1b", "?"]),
        (["F 3w1b", "F 1w3b"], ["F 3w1b", "F 1w3b"]),
        (["F 3w1b", "F 3w1b"], ["F 3w1b", "F 3w1b"]),  # still asked, they say it again
    ],
)
def test_who_names_every_move_names_the_next_one_whatever_is_asked(
    timeline: Any, said: list[str], moves: list[str]
) -> None:
    start = "b..bw.W..wb.B....Rw.w.b./0w0b:0w0b 10w10b l"
    board = timeline("robotory", "presence", start).rest()
    board.hands("d3- .2 e3- .37 e3+").rest(1.3).choose("M R d3-e3").rest(0.1)
    board.hands("stock.dark.w+ 1.7 stock.dark.b+ .25 stock.light.w+ .22 stock.light.b+ .5")
    board.hands("stock.dark.b- .08 e4+").rest(0.6)
    assert board.asked == [{"F 3w1b", "F 2w2b", "F 1w3b"}]  # by light; dark has not named his yet
    for text in said:
        board.choose(text).rest(0.5)
    assert board.moves == ["M R d3-e3", *moves, "P b e4"]


def test_an_answer_counts_though_something_else_is_about_to_be_shown(timeline: Any) -> None:
    start = ".W.b......R.B.w.......b./1w2b:1w3b 8w5b l"
    board = timeline("robotory", "presence", start).rest()
    board.hands("stock.light.b- .063 stock.light.b+ .68 d2+ .986 d2- .393 e1+ .348 d5+ .559 d5-")
    # By what has come to rest now, the second token seems to have stood there before the first.
    board.hands(".131 d2+ .015 d2- .014 d2+").rest(0.194)
    assert board.asked[0] == {"P b e1", "F 1w", "F 1b"}
    board.choose("P b e1").rest(0.7).choose("P b d2").rest()
    assert board.moves == ["P b e1", "P b d2"]


def test_who_names_the_second_of_two_first_may_have_made_it_first(timeline: Any) -> None:
    board = timeline("robotory", "presence").rest()
    board.hands("b2+ 1.12 b2- .4 e1+ .28 b2+").rest(1.6)  # the first token was put elsewhere
    assert board.asked == [{"P w b2", "P b b2"}, {"P w e1", "P b e1"}]
    board.choose("P b e1").rest(0.05).choose("P b b2").rest()
    assert board.asked == [{"P b e1", "P b b2"}, {"P b b2", "P b e1"}]
    tracks = board.session.play.reader.decoder.tracks
    assert all("P b b2" in each.line.match.moves() for each in tracks)
    board.choose("P b e1").rest()
    assert board.moves == ["P b e1", "P b b2"]


def test_who_has_said_that_it_was_another_names_the_next_move(timeline: Any) -> None:
    start = "b..bWw.wbw..BRw........w/0w2b:0w2b 7w5b d"
    board = timeline("robotory", "presence", start, unsensed=("stock", "pool")).rest()
    board.hands("c5- .53 a4- .17 a4+ .45 b4- .57 b5-").rest(1.1)
    assert "F 2w" in board.asked[0]
    board.choose("M R c5-b4-b5-a4").rest(2.0)
    assert board.asked[0] > {"M R c5-b4-b5-a4", "F 2w"}
    board.choose("F 2w").rest(1.0)
    board.hands("b2- .66 b1- .13 b2+").rest(1.1).choose("M W b1-b2").rest(0.1)
    assert board.moves == ["M R c5-b4-b5-a4", "F 2w", "M W b1-b2"]


def test_a_move_that_only_some_lines_have_there_is_no_answer_yet(timeline: Any) -> None:
    start = "Wbb...w.w.b.B.R......b../3w0b:4w0b 2w8b d"
    board = timeline("robotory", "presence", start, unsensed=("stock", "pool")).rest()
    board.hands("c5+").rest(0.75).choose("P w c5").rest(0.5).hands("c5- 2.16")
    board.hands("b5- .21 c6- .32 b5+").rest(1.43).choose("M R c6-b5").rest(4.6)
    board.choose("F 1b").rest(4.4).hands("d2+").rest(0.96).choose("P w d2").rest(0.1)
    assert board.moves == ["M R c6-b5", "F 1b", "P w d2"]


def test_a_robot_that_eats_all_tokens_begins_no_new_match(timeline: Any) -> None:
    board = timeline("robotory", "presence").rest()
    for act, move in (
        ("stock.light.w- e3+", "P w e3"),
        ("stock.dark.b- e4+", "P b e4"),
    ):
        board.hands(act).choose(move).rest()
    board.hands("e3- .3 e4- .4 d3- .6 e4+").rest()  # until it is lifted all stands as at the start
    assert board.moves[:2] == ["P w e3", "P b e4"]
    board.choose("M R d3-e3-e4").rest()
    assert board.moves == ["P w e3", "P b e4", "M R d3-e3-e4"]


def test_what_was_said_before_counts_though_a_later_ply_is_taken_back(start: Line) -> None:
    answers = Answers()
    for text, at in (("P w a1", 1.0), ("P w b1", 2.0)):
        answers.say(after(start, *(("P w a1",) if at > 1 else ()), text), at)
    tried = after(start, "P w c1", "P w d1")
    assert answers.contradict(tried)
    assert answers.contradict(after(start, "P w c1", "P w e1"), [(tried, 3.0)])
    assert not answers.contradict(
        after(start, "P w a1", "P w e1"), [(after(start, "P w a1", "P w b1"), 3.0)]
    )
    assert answers.contradict(after(start, "P w a1", "P w e1"))


def test_a_name_counts_only_when_those_before_it_are_taken(
    timeline: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = timeline("robotory", "polarity", unsensed=("stock", "pool")).hands("1 e3+").rest()
    board.choose("P w e3").rest()
    monkeypatch.setattr("firmware_host.sitting.thoughts.AT_FIRST", 1)  # to find out takes its time
    heard = board.session.play.reader.names
    begin = board.session.play.reader.shown[0].head()
    board.choose("F 1w").choose("F 1b")
    assert (board.session.thinking, heard.missed(begin)) == (True, 2)
    board.rest()
    assert heard.missed(begin) == 3


def test_who_names_the_same_long_after_an_answer_means_the_next_move(timeline: Any) -> None:
    start = ".......W.....B....R...../0w2b:1w1b 10w10b l"
    board = timeline("robotory", "presence", start).rest()
    board.hands("stock.light.w+").rest(1.0)
    assert board.asked == [{"F 2w", "F 1w1b", ""}]
    before = board.session.play.reader.heads[0]
    board.choose("F 2w").rest(5.0)
    assert (
        board.session.play.reader.names.missed(before) == 1
    )  # an answer was said in its turn, too
    board.choose("F 2w").rest()  # no sensor shows it: there lay one already
    assert board.moves == ["F 2w", "F 2w"]


def test_a_line_that_ends_before_what_people_named_is_none_unless_men_went_back(
    start: Line,
) -> None:
    reader = Reader(after(start, "P b b4"))
    guess = after(reader.shown[0], "M B c4-b4")
    refill = after(guess, "F 1w")
    reader.show([refill], 1.0)
    assert all(reader.may_be(track(line)) for line in (guess.head(), guess, refill))
    Naming(reader).confirm([refill])
    assert reader.may_be(track(refill))
    assert not any(reader.may_be(track(line)) for line in (guess.head(), guess))
    assert reader.may_be(track(guess, (refill, 9.0)))
    assert reader.may_be(track(guess.head(), (refill, 9.0), (guess, 9.0)))
    reader.show([guess.head(), refill], 1.0)  # where it is open whether that was played, it may be
    assert reader.may_be(track(guess.head()))


@pytest.mark.parametrize("answer", ["B2B1+", "B3A2"])
def test_who_names_what_was_made_last_has_not_said_what_came_before(
    timeline: Any, answer: str
) -> None:
    """A capture and a drop may only have been tried, and both men put back: either way the lion is
    taken last. Who says that again, asked once more, answers; so does who chooses it on the board.
    """
    board = timeline(position="1le/gC1/1L1/E1G b c 1", unsensed=("hand",))
    board.hands("1 A2- 0.75 B3- 0.76 A2+ 1.53 B3+ 3.38 B2- 0.28 B1- 0.45 B1+").rest(1.5)
    moves = {"B2B1+": ["B2B1+"], "B3A2": ["B3A2", "C*B3", "B2B1+"]}[answer]
    board.choose("B2B1+").rest(1)
    assert board.asked == [{"B3A2", "B2B1+"}, {"C*B3", ""}, {"B2B1+", ""}]
    board.choose(answer).rest(1)
    assert board.moves == moves


def test_who_chooses_on_the_board_what_was_made_last_answers(timeline: Any) -> None:
    board = timeline(position="1le/gC1/1L1/E1G b c 1", unsensed=("hand",))
    board.hands("1 A2- 0.75 B3- 0.76 A2+ 1.53 B3+ 3.38 B2- 0.28 B1- 0.45 B1+").rest(2.5)
    lit = board.session.play.questions.choices()["B2B1+"]
    board.hands(f"{lit}- 0.2 {lit}+ 0.3 {lit}- 0.2 {lit}+").rest(2)
    assert board.moves == ["B2B1+"]
