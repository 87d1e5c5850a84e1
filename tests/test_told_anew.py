"""The record may be wrong, and people tell anew what was played."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from benchmarks.reading_games import Board
from benchmarks.reading_watcher import Watcher, standing
from engine.footprints import Sight
from engine.games import make
from engine.lines import Line
from engine.match import Match
from engine.reading import Reader
from firmware_host.events import Claimed, Frame
from firmware_host.misread import Misread
from firmware_host.random_games import play_random
from firmware_host.telling import status

PAUSE = 7.0
LION_IN_REACH = "1le/1L1/3/E2 b GgCc 1"


def said(board: Any) -> str:
    return " ".join(message.text for message in status(board.session, 1).says)


def answers(board: Any) -> list[str]:
    return [choice.move for choice in status(board.session, 1).question]


@pytest.fixture
def disputed(timeline: Any) -> Any:
    """C4C3 and A1A2 were played; people say A4A3, which no rule allows."""
    board = timeline().hands("1 C4- C3+").rest(1).hands("A1- A2+").rest(1)
    board.choose("A4A3").rest(PAUSE)
    return board


def test_what_was_said_and_is_not_shown_is_asked_about_once_all_is_calm(disputed: Any) -> None:
    assert disputed.last("ask") == {"seat": 0, "moves": ["C4C3", "A1A2"], "anew": 2}
    assert answers(disputed) == ["tell", "keep"]
    assert "not sure that the record is right" in said(disputed)
    assert disputed.moves == ["C4C3", "A1A2"]  # nothing is given up before people say so


def test_nothing_is_asked_as_long_as_hands_are_at_work(timeline: Any) -> None:
    board = timeline().hands("1 C4- C3+").rest(1).choose("B4A3")
    board.rest(4).hands("A1-").rest(4)
    assert answers(board) == []
    assert board.hands("A1+").rest(PAUSE).last("ask")["anew"] == 1


def test_who_says_that_the_record_is_right_is_asked_no_more(disputed: Any) -> None:
    disputed.press("no").rest(30)
    assert answers(disputed) == []
    disputed.hands("B4- A3+").rest(PAUSE)
    assert disputed.moves == ["C4C3", "A1A2", "B4A3"]
    assert disputed.events.count("ask") == 1


def test_nobody_is_asked_twice_for_saying_it_again(disputed: Any) -> None:
    for _ in range(3):
        disputed.choose("A4A3").rest(8)
    assert disputed.events.count("ask") == 1


def test_who_has_resigned_has_done_with_the_match(disputed: Any) -> None:
    disputed.feed(Claimed(disputed.now, "resign", 0))
    assert answers(disputed.rest(20)) == []
    assert disputed.session.outcome is not None


def crowd(board: Any) -> None:
    """Let too many lines be likely to keep all."""
    play = board.session.play
    play.reader.decoder._beam.crowded = board.now, 0


def test_what_was_read_before_too_much_was_likely_is_in_doubt_and_not_what_came_later(
    timeline: Any,
) -> None:
    board = timeline().hands("1 C4- C3+").rest(1).hands("A1- A2+").rest(1)
    crowd(board)
    for acts in ("B4- A3+", "B1- C2+", "A3- B4+", "C2- B1+", "B4- A3+", "B1- C2+"):
        board.hands(acts).rest(1)
    if answers(board) == ["back", "play"]:
        board.press("no")
    assert len(board.rest(PAUSE).last("ask")["moves"]) == len(board.moves) == 8
    assert answers(board) == ["tell", "keep"]
    assert answers(board.press("no").rest(30)) == []


def test_who_plays_on_unanswering_is_asked_about_all_that_may_be_wrong(timeline: Any) -> None:
    board = timeline().rest(1)
    crowd(board)
    for move in ("C4C3", "A1A2", "B4A3", "B1C2", "A3B4", "C2B1", "C3C4"):
        board.hands(f"{move[:2]}- {move[2:]}+").rest(1)
    board.choose("A4A2").rest(PAUSE)
    assert board.last("ask")["anew"] == 6
    board.hands("B1- C2+").rest(PAUSE)
    assert board.last("ask")["anew"] == 8
    board.press("no").rest(1)
    crowd(board)
    board.choose("A4C2").rest(PAUSE)
    assert board.last("ask")["anew"] == 6


def test_what_lacked_a_name_was_agreed_on_by_chance() -> None:
    game = make("robotory")
    line = Line.of(Match.begin(game), Sight(game))
    reader, agreed = Reader(line), []
    misread = Misread(reader)
    for number, (text, name) in enumerate((("P w a1", ""), ("P b b1", "P w b1"), ("P w c1", ""))):
        line = line.step(game.parse_move(line.match.position, text))
        reader.begin([line])
        reader.hear(name or text, 10.0 * number)
        if not name:
            misread.agree(line, 10.0 * number)
        agreed.append(misread.latest())  # so many plies came later
    assert agreed == [1, 1, 2]
    reader.names.forget()  # that was long ago
    reader.hear("P b e1", 99.0)
    assert misread.unheeded() == 2


def test_what_is_taken_back_is_in_doubt_no_more(timeline: Any) -> None:
    board = timeline().hands("1 C4- C3+").rest(1).hands("A1- A2+").rest(1)
    crowd(board)
    board.press("back").press("back").hands("A2- A1+ C3- C4+").rest(2)
    assert board.moves == []
    board.hands("B4- A3+").rest(PAUSE)
    assert board.moves == ["B4A3"]
    assert answers(board) == []


def test_play_goes_on_and_the_question_comes_back_at_rest(disputed: Any) -> None:
    disputed.hands("B4- A3+").rest(1)
    assert disputed.moves == ["C4C3", "A1A2", "B4A3"]
    assert answers(disputed) == []
    assert answers(disputed.rest(PAUSE)) == ["tell", "keep"]


def test_moves_are_told_one_after_the_other_until_they_lead_to_the_men(disputed: Any) -> None:
    disputed.press("yes").rest(1)
    assert disputed.moves == []
    assert "name the moves" in said(disputed)
    disputed.choose("A1A2").rest(1)  # the other player is to move
    assert disputed.moves == []
    assert "{move} cannot be played there" in said(disputed)
    disputed.choose("C4C3")
    assert disputed.moves == ["C4C3"]
    disputed.hands("B4- A3+ 1 A3- B4+").rest(3)  # nothing is read meanwhile
    assert disputed.moves == ["C4C3"]
    disputed.choose("A1A2").rest(1)
    assert "name the moves" not in said(disputed)
    disputed.hands("B4- A3+").rest(1)
    assert disputed.moves == ["C4C3", "A1A2", "B4A3"]


def test_or_the_men_are_put_as_they_are_shown(disputed: Any) -> None:
    disputed.press("yes").rest(1).choose("C4C3").rest(1)
    disputed.hands("A2- A1+").rest(1)
    assert "name the moves" not in said(disputed)
    assert disputed.hands("B1- C2+").rest(1).moves == ["C4C3", "B1C2"]


def test_who_goes_back_further_may_tell_from_there(disputed: Any) -> None:
    disputed.press("yes").rest(1).choose("C4C3").press("back").rest(1)
    assert disputed.moves == []
    assert disputed.choose("C4C3").choose("A1A2").rest(1).moves == ["C4C3", "A1A2"]


def test_yes_twice_says_nothing_of_sensors(disputed: Any) -> None:
    disputed.press("yes").press("yes").rest(1)
    assert not disputed.session.sensors.failing
    assert disputed.choose("C4C3").choose("A1A2").rest(1).moves == ["C4C3", "A1A2"]


def test_the_dice_have_fallen_as_they_have(timeline: Any) -> None:
    board = timeline("chaturaji").throw(3).hands("1 b1- 0.3 c3+").rest(1).throw(3)
    board.hands("0.6 a7- 0.3 c6+").rest(1).choose("c3d5").rest(PAUSE).press("yes").rest(1)
    assert (board.moves, board.session.play.dice) == ([], (3,))
    board.choose("b1c3").rest(1)
    assert (board.moves, board.session.play.dice) == (["b1c3"], (3,))
    board.choose("a7c6").throw(2).hands("1 h8- 0.3 f6+").rest(1)
    assert board.moves == ["b1c3", "a7c6", "h8f6"]


def test_dice_that_nobody_saw_are_waited_for(timeline: Any) -> None:
    board = timeline("chaturaji").throw(3).hands("1 b1- 0.3 c3+").rest(1)
    board.choose("c3d5").rest(PAUSE).press("yes").rest(1).choose("b1a3").rest(1)
    assert "throws the dice" in said(board)
    assert board.throw(2).choose("h8f6").rest(1).moves == ["b1a3"]  # it is not his turn
    assert "cannot be played" in said(board)


def test_moves_that_lead_past_the_men_as_they_stand_are_told_to_the_end(timeline: Any) -> None:
    moves = ["C4C3", "A1A2", "C3C4", "A2A1"]
    board = timeline().hands("1 C4- C3+").rest(1).hands("A1- A2+").rest(1)
    board.hands("C3- C4+").rest(1).hands("A2- A1+").rest(1)
    assert board.moves == moves
    board.choose("A4A3").rest(PAUSE)
    assert answers(board) == ["back", "play"]  # one after the other
    assert "not sure that the record is right" not in said(board)
    board.press("no").press("yes").rest(1)
    assert board.moves == []
    for move in moves:
        board.choose(move).rest(1)
    assert board.moves == moves
    assert board.hands("B4- A3+").rest(1).moves == [*moves, "B4A3"]


def test_where_the_record_is_right_but_short_the_rest_is_told(disputed: Any) -> None:
    disputed.press("no").hands("A4- A3+").rest(2)  # no rule allows it
    assert disputed.session.putting_right.guiding
    disputed.choose("A4A3").rest(PAUSE).press("no").rest(1)
    assert disputed.moves == ["C4C3", "A1A2"]
    assert "name the moves" in said(disputed)
    disputed.choose("B4C4").choose("B1C2").hands("A3- A4+ B4- C4+ B1- C2+").rest(1)
    assert "name the moves" not in said(disputed)
    assert disputed.moves == ["C4C3", "A1A2", "B4C4", "B1C2"]


def test_who_says_none_of_the_moves_that_are_asked_about_is_heard(timeline: Any) -> None:
    men = "1n2kg1n1/l3gs1bl/p2p1ppp1/1pP3s1p/4p2P1/3P5/PPG1PPP1P/3S1R2L/LNB1KGSN1 w Rp 1"
    board = timeline("shogi", position=men).hands("1 3d- 0.45 2e- 0.5 2e+ 0.8 7d- 0.6 7c+").rest(2)
    assert board.asked == [{"7d7c", "7d7c+"}]
    board.choose("5a5b").rest(PAUSE)
    assert board.last("ask")["anew"] == 2
    board.press("no").choose("7d7c+").rest(1)
    assert board.moves == ["3d2e", "7d7c+"]


def test_who_answers_nothing_for_long_may_not_find_what_was_played(timeline: Any) -> None:
    men = "1n2kg1n1/l3gs1bl/p2p1ppp1/1pP3s1p/4p2P1/3P5/PPG1PPP1P/3S1R2L/LNB1KGSN1 w Rp 1"
    board = timeline("shogi", position=men).rest(1).choose("5a5b").rest(12)
    board.hands("3d- 0.45 2e- 0.5 2e+ 0.8 7d- 0.6 7c+").rest(PAUSE)
    assert set(answers(board)) == {"7d7c", "7d7c+"}
    asked = next(step for step in range(2000) if answers(board.rest(0.01)) == ["tell", "keep"])
    assert asked > 1000
    board.press("yes").rest(1)  # that was said of the promotion
    assert board.moves == ["3d2e", "7d7c+"]


def test_and_may_say_so_when_they_have_seen_it(timeline: Any) -> None:
    men = "1n2kg1n1/l3gs1bl/p2p1ppp1/1pP3s1p/4p2P1/3P5/PPG1PPP1P/3S1R2L/LNB1KGSN1 w Rp 1"
    board = timeline("shogi", position=men).rest(1).choose("5a5b").rest(12)
    board.hands("3d- 0.45 2e- 0.5 2e+ 0.8 7d- 0.6 7c+").rest(PAUSE)
    assert answers(board.rest(20)) == ["tell", "keep"]
    board.press("no").choose("7d7c+").rest(1)
    assert board.moves == ["3d2e", "7d7c+"]


def test_a_board_that_nobody_puts_right_may_show_more_than_was_read(timeline: Any) -> None:
    board = timeline().hands("1 C4- C3+").rest(1).hands("B4- A3+").rest(2)  # out of turn
    assert board.session.putting_right.guiding
    assert answers(board.rest(10)) == []
    assert answers(board.rest(20)) == ["tell", "keep"]
    assert "Move the {man}" in said(board)  # hands may as well do that
    board.press("no").rest(1).choose("B1C2").choose("B4A3").hands("B1- C2+").rest(1)
    assert board.moves == ["C4C3", "B1C2", "B4A3"]
    assert not board.session.putting_right.guiding


def test_where_nothing_was_played_nothing_is_told_anew(timeline: Any) -> None:
    board = timeline().hands("1 B1- 0.4 A3+").rest(60)
    assert board.session.putting_right.guiding
    assert answers(board) == []


def test_who_goes_on_has_told_all(disputed: Any) -> None:
    disputed.press("yes").rest(1).choose("C4C3").choose("A1A2").rest(1)
    disputed.hands("B4- A3+").rest(1).choose("B1C2").rest(1)  # too early, and not told
    assert disputed.moves == ["C4C3", "A1A2", "B4A3"]


def test_a_sensor_may_stick_meanwhile(disputed: Any) -> None:
    disputed.press("yes").rest(1).hands("A2-").rest(1).choose("C4C3").choose("A1A2").rest(1)
    assert "name the moves" in said(disputed)
    disputed.press("yes").rest(1)
    assert disputed.session.sensors.failing == {"A2"}
    assert disputed.hands("B4- A3+").rest(1).moves == ["C4C3", "A1A2", "B4A3"]
    disputed.choose("C4B4").rest(PAUSE).press("yes").rest(1)
    assert disputed.session.sensors.failing == {"A2"}  # for people said so


def test_what_was_read_wrongly_speaks_against_no_sensor(disputed: Any) -> None:
    disputed.hands("C1- 0.01 C1+ 0.01 " * 40).rest(PAUSE)
    disputed.session.sensors.convict(frozenset({"B1"}), disputed.now)
    disputed.press("yes").rest(1)
    assert disputed.session.sensors.failing == {"C1"}  # for it flickers, whatever was played
    assert disputed.choose("C4C3").choose("A1A2").rest(1).moves == ["C4C3", "A1A2"]


def test_a_chip_may_be_gone_meanwhile(disputed: Any) -> None:
    blind = frozenset({"A1", "A2", "C3", "C4"})
    readings = {p: v for p, v in disputed.readings.items() if p not in blind}
    disputed.press("yes").rest(1).feed(Frame(disputed.now, readings, blind))
    disputed.rest(2).choose("C4C3").choose("A1A2").rest(1)
    assert disputed.moves == ["C4C3", "A1A2"]


def test_a_sensor_that_flickers_is_no_hand(disputed: Any) -> None:
    disputed.press("no").hands("C1- 0.01 C1+ 0.01 " * 40).rest(1)
    assert disputed.session.sensors.failing == {"C1"}
    disputed.choose("A4A3").hands("C1- 0.05 C1+ 0.05 " * 100)
    assert answers(disputed) == ["tell", "keep"]


@pytest.mark.parametrize("names", [["C4C3", "C4C3"], ["A1A2", "C4C3"]])
def test_who_says_it_twice_or_late_is_not_asked(timeline: Any, names: list[str]) -> None:
    board = timeline().hands("1 C4- C3+").rest(1).hands("A1- A2+").rest(1)
    for name in names:
        board.choose(name).rest(1)
    assert answers(board.rest(PAUSE)) == []


@pytest.mark.parametrize("game", ["robot-duel", "abalone", "robotory", "chaturaji"])
def test_a_claim_is_no_name_of_a_move(timeline: Any, game: str) -> None:
    board = timeline(game).choose("resign").rest(20)
    assert board.session.outcome is None
    assert board.moves == []


def test_nothing_is_read_of_what_hands_did_before(timeline: Any) -> None:
    board = timeline("abalone").hands("1 b2- 0.3 c2+ 0.3 c3- 0.3 d3+").rest(1)
    assert board.moves == ["b2c3c2"]
    board.choose("c4d5").rest(PAUSE).press("yes").hands("b2+ 0.2 c2- 0.2 c3+ 0.2 d3-").rest(0.2)
    moves = ["b4c5", "g6f6", "b5c5", "i9h9", "c3c2"]
    for move in moves:
        board.choose(move)
    assert board.rest(20).moves == moves


def test_an_end_that_is_wrong_does_not_come_back(timeline: Any) -> None:
    board = timeline(position=LION_IN_REACH).hands("1 B2- B1- B1+").rest(2)
    assert board.session.outcome is not None
    board.choose("A4A3").rest(PAUSE).press("yes").rest(1)
    assert board.session.outcome is None
    start = make("robot-duel").pieces(make("robot-duel").start())
    stands = {place for place in start if "." not in place}
    men = {place for place in board.readings if "." not in place}
    board.hands(" ".join(f"0.5 {place}-" for place in sorted(men - stands)))
    board.hands(" ".join(f"0.5 {place}+" for place in sorted(stands - men))).rest(3)
    assert board.session.outcome is None
    assert "over" not in board.events[board.events.index("takeback") :]


def test_what_people_were_asked_and_answered_is_not_told_anew(timeline: Any) -> None:
    men = "1n2kg1n1/l3gs1bl/p2p1ppp1/1pP3s1p/4p2P1/3P5/PPG1PPP1P/3S1R2L/LNB1KGSN1 w Rp 1"
    board = timeline("shogi", position=men).hands("1 3d- 0.45 2e- 0.5 2e+ 0.8 7d- 0.6 7c+").rest(2)
    board.choose("7d7c+").hands("8d- 0.4 8e+").rest(2)
    assert board.moves == ["3d2e", "7d7c+", "8d8e"]
    board.choose("5a5b").rest(PAUSE)
    assert board.last("ask") == {"seat": 1, "moves": ["8d8e"], "anew": 1}


@pytest.mark.parametrize(
    "seed",
    [
        67,  # what is read lacks something of what people say
        pytest.param(5, marks=pytest.mark.deep),  # … and does not, by chance
    ],
)
def test_who_plays_faster_than_anybody_can_say_what_no_sensor_sees_tells_it_anew(seed: int) -> None:
    """More than two moves a second, a third of which nobody sees, and colours that no reed sees:
    the board loses the thread, and says so.
    """
    unsensed = ("stock", "pool")
    game, period = make("robotory"), Board("robotory", "presence", False).look()
    recorded = play_random(
        game, Random(seed), "presence", ("blitz",), 12, unsensed, answers=None, period=period
    )
    watcher = Watcher(recorded, game, Sight(game, "presence", unsensed), game.start())
    read = [" or ".join(texts) for texts in watcher.watch()]
    assert read == [truth.text for truth in standing(recorded.truth, float("inf"))]
    assert watcher.told_anew
