"""What is lit: the layers, what each assist level shows, and how it moves."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from firmware_host.i18n.messages import say, sentence
from firmware_host.lights.advice import Advice
from firmware_host.lights.scene import ACCEPTED_S, DIMMED, WAITS, changes_at, scene, seat_light
from firmware_host.lights.signals import MOST_MOVING, Light, Lights, Pattern, Signal, moving, render
from firmware_host.lights.threats import threats
from firmware_host.session.events import Assist, Frame
from firmware_host.session.session import HINT_LASTS_S
from firmware_host.text import announcements


def lit(board: Any, later: float = 0.0) -> dict[str, Light]:
    return scene(board.session.view, board.now + later)


def words(lights: Lights) -> dict[str, Signal]:
    return {place: light.signal for place, light in lights.items() if ":" not in place}


def level(board: Any, value: int) -> Any:
    for seat in range(len(board.game.seats)):
        board.feed(Assist(board.now, value, seat))
    return board


def said(board: Any) -> list[str]:
    return [sentence(each) for each in announcements.status(board.session.view, 1).says]


# ---- what is lit


def test_an_idle_board_says_whose_turn_it_is(timeline: Any) -> None:
    board = timeline().rest()
    assert lit(board) == {seat_light(0): Light(Signal.WHITE, level=0.6)}
    board.hands("C4- C3+").rest()
    assert seat_light(1) in lit(board)
    assert seat_light(0) not in lit(board)


def test_little_time_pulses_at_the_seat_that_is_to_move(timeline: Any) -> None:
    little = Light(Signal.YELLOW, Pattern.PULSE)
    board = timeline().rest()
    assert scene(board.session.view, board.now, short={0}) == {seat_light(0): little}
    assert scene(board.session.view, board.now, short={1}) == lit(board)
    dice = timeline("chaturaji").rest()
    assert scene(dice.session.view, dice.now, short={0})[seat_light(0)] == little
    over = timeline().claim("resign").rest()
    assert scene(over.session.view, over.now, short={0}) == lit(over)


SUMITO = "sssss/6/sss4/8/4s4/3S4/2S4/4SS/SSSSS 5 5 b 0 1"
PUSH_TWO = "sssss/ssssss/3s3/8/2SSSss2/8/7/SSSSSS/SSSSS 0 0 b 0 1"
STOCK = "......W.....B....R....../2w2b:2w2b 10w10b l"
TOKEN = "......Ww....B....R....../2w2b:2w2b 9w10b l"
ELEPHANT = "gl1/1c1/1C1/1LG b Ee 1"
HEN = "H1l/2e/3/ELG b Cg 1"
DIE = "wB,wP,2,nK,nE,nH,nB/wH,wP,2,nP,nP,nP,nP/wE,wP,6/wK,wP,6/6,eP,eK/6,eP,eE/sP,sP,sP,sP,2,eP,eH/"
DIE += "sB,sH,sE,sK,2,eP,eB S 3 0,0,0,0 -"
FREE = "a1 a2 a3 a4 b1 b2 b4 b5 c1 c2 c3 c5 c6 d1 d2 d4 d5 e1 e2 e3 e4"


@pytest.mark.parametrize(
    ("game", "sensing", "position", "lifted", "white", "blue", "red"),
    [
        ("robot-duel", "presence", None, "B3", "B3", "", "B2"),
        ("robot-duel", "presence", None, "B4", "B4", "A3 C3", ""),
        # a captive that is lifted first leaves a place to fill, and its captor is not red
        ("robot-duel", "presence", None, "B2", "B3", "B2", ""),
        # to be dropped
        ("robot-duel", "presence", ELEPHANT, "hand.A.E", "hand.A.E", "C1 A2 C2 A3 C3 A4", ""),
        # pieces with the other pole up stand as well
        ("robot-duel", "polarity", HEN, "A4", "A4", "B3", ""),
        ("chaturaji", "polarity", DIE, "b1", "b1", "a3 c3", ""),
        # own marbles that go along are white; pushed ones are red, to wherever they go
        ("abalone", "presence", None, "a1", "a1 b1 b2 c3", "c1 d4", ""),
        ("abalone", "presence", SUMITO, "c3", "c3 d4", "b2 b3 c2 c4 d3 d5 e4", "e5"),
        ("abalone", "presence", PUSH_TWO, "e3", "e3 e4 e5", "d2 d3 d4 d5 e2 f3 f4 f5 f6", "e6 e7"),
        ("robotory", "polarity", STOCK, "stock.light.w", "stock.light.w", FREE, ""),
        ("robotory", "presence", TOKEN, "b3", "b3", "", "b4"),
        ("robotory", "presence", TOKEN, "b4", "b3", "b4", ""),  # the energy is taken first
    ],
)
def test_a_piece_in_the_hand_shows_where_it_may_go(
    timeline: Any,
    game: str,
    sensing: str,
    position: str | None,
    lifted: str,
    white: str,
    blue: str,
    red: str,
) -> None:
    board = timeline(game, sensing, position).hands(f"1 {lifted}-").rest(0.1)
    shown: dict[Signal, set[str]] = {Signal.WHITE: set(), Signal.BLUE: set(), Signal.RED: set()}
    for place, word in words(lit(board)).items():
        shown[word].add(place)
    assert [*shown.values()] == [{*white.split()}, {*blue.split()}, {*red.split()}]
    assert all(lit(board)[place].pattern is Pattern.HEARTBEAT for place in red.split())


PARADE = "sKd1,sBb2,wBd5,nBe5,eBe4,wKa5,nKe8,eKh4 S 2 0,0,0,0 -"


# ---- a piece that no move begins with


@pytest.mark.parametrize(
    ("game", "place", "piece", "owner"),
    [
        ("shogi", "7c", "pawn", "gote"),
        ("robot-duel", "C1", "elephant", "B"),
        ("abalone", "i5", "white marble", "white"),
        ("chaturaji", "h8", "boat", "red"),
    ],
)
@pytest.mark.parametrize("sensing", ["presence", "polarity"])
def test_whose_a_piece_is_that_is_lifted_out_of_turn(
    timeline: Any, game: str, place: str, piece: str, owner: str, sensing: str
) -> None:
    board = timeline(game, sensing).rest()
    if game == "chaturaji":
        board.throw(3).rest()
    whose = f"The {piece} on {place} belongs to {owner}."
    board.hands(f"{place}-").rest(0.2)
    assert whose in said(board)
    assert lit(board)[place] == Light(Signal.WHITE, Pattern.BLINK)
    board.rest()  # until it is back, also while hands are told how to put the board right
    assert said(board)[0] == whose
    board.hands(f"{place}{'/' if board.readings[place] < 0 else '+'}").rest(0.2)
    assert whose not in said(board)
    assert board.moves == []


def test_a_piece_out_of_another_players_hand_is_named_by_its_owner(timeline: Any) -> None:
    start = "gl1/1c1/1C1/1LG b Ee 1"
    board = timeline("robot-duel", position=start).rest().hands("hand.B.E-").rest(0.2)
    assert "That elephant belongs to B." in said(board)
    assert lit(board)["hand.B.E"] == Light(Signal.WHITE, Pattern.BLINK)


def test_an_own_piece_that_has_no_move_goes_back(timeline: Any) -> None:
    board = timeline().rest().hands("A4-").rest(0.2)
    assert said(board)[0] == "The elephant on A4 cannot be moved now."
    assert lit(board)["A4"] == Light(Signal.WHITE, Pattern.BLINK)


def test_a_capture_that_begins_with_the_captive_is_not_disturbed(timeline: Any) -> None:
    board = timeline().rest().hands("B2-").rest(3)
    assert said(board) == ["The chick on B2 can be taken by the chick on B3."]
    assert words(lit(board)) == {"B2": Signal.BLUE, "B3": Signal.WHITE}
    board.hands("B3-").rest(0.2)
    assert said(board) == ["A holds a piece …"]
    assert board.hands("B2+").rest().moves == ["B3B2"]


def test_nobody_holds_a_captive_that_lies_beside_the_board(timeline: Any) -> None:
    start = "sKd1,sBb2,wHd4,wKa5,nKe8,eKh4 S 2 0,0,0,0 -"
    board = timeline("chaturaji", position=start).rest().hands("d4-").rest(20)
    assert said(board) == ["The horse on d4 can be taken by the boat on b2."]
    assert board.hands("b2- d4+").rest().moves == ["b2d4"]


def test_who_lifts_again_what_was_moved_last_holds_it(timeline: Any) -> None:
    board = timeline().rest().hands("C4- C3+").rest().hands("C3-").rest(0.2)
    assert "A holds a piece …" in said(board)


# ---- a move of several pieces that is begun


@pytest.mark.parametrize("sensing", ["presence", "polarity"])
def test_the_others_of_a_row_are_lit_when_the_first_one_is_put(timeline: Any, sensing: str) -> None:
    board = timeline("abalone", sensing).rest().hands("c4- d3+").rest()
    assert said(board) == ["Now the other pieces of the row: c3 to d4, or c5 to d5."]
    assert words(lit(board)) == dict.fromkeys(("c3", "c5"), Signal.WHITE) | dict.fromkeys(
        ("d4", "d5"), Signal.BLUE
    )
    board.hands("c3-").rest(0.2)
    assert said(board) == ["Black holds a piece …"]
    assert "d3" not in words(lit(board))  # one stands there already
    board.hands("d4+").rest()
    assert said(board)[0].startswith("Black played: 2 black marbles")


def test_who_has_pushed_first_is_told_to_follow(timeline: Any) -> None:
    board = timeline("abalone", position=SUMITO).rest().hands("e5- f6+").rest()
    assert said(board) == ["Now the rest of the move: c3 to e5."]


@pytest.mark.parametrize("sensing", ["presence", "polarity"])
def test_the_boats_of_a_parade_are_taken_off_one_after_the_other(
    timeline: Any, sensing: str
) -> None:
    board = timeline("chaturaji", sensing, PARADE).rest().hands("b2- d4+").rest()
    assert said(board) == ["Now take off the pieces on: d5, e5, e4."]
    board.hands("e5-").rest()
    assert said(board) == ["Now take off the pieces on: d5, e4."]
    taken = Light(Signal.RED, Pattern.HEARTBEAT)
    assert {p: each for p, each in lit(board).items() if ":" not in p} == {"d5": taken, "e4": taken}
    assert board.hands("d5- e4-").rest().moves == ["b2d4"]


def test_a_cell_where_something_is_to_be_chosen_takes_turns(timeline: Any) -> None:
    board = timeline(position="g1l/1C1/2L/E1G b Ce 1").hands("1 B2-").rest(0.1)
    assert lit(board)["B1"] == Light(Signal.BLUE, Pattern.PULSE, second=Signal.YELLOW)
    colours = {render(lit(board), at / 10)["B1"][0] > 0 for at in range(10)}
    assert colours == {True, False}  # yellow has red in it, blue has none


def test_a_lion_that_would_win_by_a_step_is_shown(timeline: Any) -> None:
    board = timeline(position="gle/3/L2/E1G b Cc 1", try_rule="none").hands("1 A3-").rest(0.1)
    assert all(light.second is None for light in lit(board).values())
    winning = timeline(position="l2/2L/3/E1G b CEcg 1").hands("1 C2-").rest(0.1)
    assert lit(winning)["C1"] == Light(Signal.BLUE, Pattern.PULSE, second=Signal.YELLOW)
    assert lit(winning)["B1"] == Light(Signal.BLUE)  # the other lion stands beside it


def test_a_move_is_accepted_and_then_remembered(timeline: Any) -> None:
    board = timeline().hands("1 C4- C3+").rest(0.2)
    assert words(lit(board)) == {"C4": Signal.WHITE, "C3": Signal.TEAL}
    after = lit(board, later=ACCEPTED_S)
    assert (after["C4"], after["C3"]) == (
        Light(Signal.WHITE, level=0.2),
        Light(Signal.WHITE, level=0.35),
    )
    board.rest(60).hands("B2-").rest(0.1)
    assert "C4" not in lit(board)  # not while a piece is in the hand


def test_check_is_a_yellow_pulse(timeline: Any) -> None:
    board = timeline(position="gl1/1C1/3/ELG w Ec 1").rest()
    assert lit(board)["B1"] == Light(Signal.YELLOW, Pattern.PULSE)


def test_a_hint_shows_which_piece_and_then_where_to(timeline: Any) -> None:
    board = timeline().rest(1)
    which = scene(board.session.view, board.now, advice=Advice(hint=(("B3",), ())))
    assert which["B3"] == Light(Signal.TEAL, Pattern.BREATHE)
    where = scene(board.session.view, board.now, advice=Advice(hint=(("B3",), ("B2",))))
    assert where["B3"] == Light(Signal.TEAL, Pattern.FROM)
    assert where["B2"] == Light(Signal.TEAL, Pattern.TO)
    board.hands("B3-").rest(0.1)  # a lifted piece shows its own targets
    lifted = scene(board.session.view, board.now, advice=Advice(hint=(("B3",), ("B2",))))
    assert words(lifted) == {"B3": Signal.WHITE, "B2": Signal.RED}


def test_a_hint_is_asked_for_in_three_steps_and_goes_out_by_itself(timeline: Any) -> None:
    board = timeline().rest(1)

    def step() -> int:
        return int(board.session.view.hint_at(board.now))

    steps = [step()]
    for _ in range(4):
        board.press("hint")
        steps.append(step())
    assert steps == [0, 1, 2, 3, 0]
    board.press("hint").rest(HINT_LASTS_S - 0.1)
    assert step() == 1
    assert changes_at(board.session.view, board.now) == board.session.view.hint_ends
    board.rest(0.2)
    assert step() == 0
    board.press("hint").hands("C4- C3+").rest(1)
    assert step() == 0  # it was about the move that is made now


@pytest.mark.parametrize(
    ("grade", "expected"),
    [
        ("best", Light(Signal.BLUE, second=Signal.TEAL)),
        ("fine", Light(Signal.BLUE)),
        ("doubtful", Light(Signal.BLUE, level=0.5)),
        ("losing", Light(Signal.BLUE, level=0.15)),
    ],
)
def test_where_to_shows_what_it_is_worth_on_top(timeline: Any, grade: str, expected: Light) -> None:
    board = timeline().hands("1 B4-").rest(0.1)
    advice = Advice({"B4A3": grade, "B4C3": "fine"})
    lights = scene(board.session.view, board.now, advice=advice)
    assert lights["A3"] == expected
    assert lights["A3"].grade == grade  # its second sign
    assert lights["C3"] == Light(Signal.BLUE)
    assert lights["B4"] == Light(Signal.WHITE)


def test_what_is_taken_keeps_its_word_and_what_is_to_be_chosen_stays(timeline: Any) -> None:
    board = timeline().hands("1 B3-").rest(0.1)
    lights = scene(board.session.view, board.now, advice=Advice({"B3B2": "best"}))
    assert lights["B2"] == Light(Signal.RED, Pattern.HEARTBEAT, second=Signal.TEAL)
    lights = scene(board.session.view, board.now, advice=Advice({"B3B2": "losing"}))
    assert lights["B2"] == Light(Signal.RED, Pattern.HEARTBEAT, level=0.15)
    winning = timeline(position="l2/2L/3/E1G b CEcg 1").hands("1 C2-").rest(0.1)
    lights = scene(winning.session.view, winning.now, advice=Advice({"C2C1": "best"}))
    assert lights["C1"].second is Signal.YELLOW  # it wins: that is more than best


def test_the_machines_move_is_shown_in_place_of_what_a_hand_may_do(timeline: Any) -> None:
    board = timeline().hands("1 B4-").rest(0.1)
    requested = {"C4": Light(Signal.WHITE, Pattern.FROM), "C3": Light(Signal.BLUE, Pattern.TO)}
    lights = scene(board.session.view, board.now, advice=Advice(requested_move=requested))
    assert words(lights) == {"C4": Signal.WHITE, "C3": Signal.BLUE}


def test_a_question_lights_what_answers_it(timeline: Any) -> None:
    board = timeline(position="g1l/1C1/2L/E1G b Ce 1").hands("1 B2- B1+").rest()
    choices = board.session.view.question.lit
    for place in choices.values():
        assert lit(board)[place] == Light(Signal.YELLOW, Pattern.PULSE)
    assert seat_light(1) not in lit(board), "A is still to say how it moved"
    assert lit(board)[seat_light(0)].signal is Signal.WHITE
    pressed = choices["B2B1+"]
    board.hands(f"{pressed}- {pressed}+").rest(0.3)
    assert lit(board)[pressed].level == 0.5


def test_what_is_yellow_while_something_is_asked_answers_it(timeline: Any) -> None:
    board = timeline().hands("1 B3- 0.5 B2- 0.5 B2+").rest(3)
    assert lit(board)["B1"] == Light(Signal.YELLOW, Pattern.PULSE)  # check
    board.press("wrong").rest(0.5)
    yellow = {place for place, light in lit(board).items() if light.signal is Signal.YELLOW}
    assert yellow == set(board.session.view.question.lit.values()) != set()


def test_a_board_astray_shows_what_to_put_and_take_and_ducks_the_rest(timeline: Any) -> None:
    board = timeline(position="gl1/1C1/3/ELG w Ec 1").rest()
    board.hands("A1- A3+").rest(3)
    lights = lit(board)
    assert lights["A1"] == Light(Signal.WHITE, Pattern.TO)
    assert lights["A3"] == Light(Signal.RED, Pattern.FROM)
    assert lights["B1"].level == DIMMED  # the check, still there
    assert lights[seat_light(1)].level > DIMMED


def test_only_the_next_movement_moves(timeline: Any) -> None:
    board = timeline().hands("1 0.1 A4- 0.1 C4- 0.1 A2+ 0.1 C2+ 0.1").rest(3)
    lights = lit(board)
    assert (lights["A2"], lights["A4"]) == (
        Light(Signal.RED, Pattern.FROM),
        Light(Signal.WHITE, Pattern.TO),
    )
    assert (lights["C2"], lights["C4"]) == (
        Light(Signal.RED, level=WAITS),
        Light(Signal.WHITE, level=WAITS),
    )
    board.hands("A2-").rest(0.5)  # the piece is in the hand: where it belongs comes first
    assert lit(board)["A4"] == Light(Signal.WHITE, Pattern.BLINK)
    assert "A2" not in lit(board)
    board.hands("A4+").rest(0.5)
    assert lit(board)["C2"] == Light(Signal.RED, Pattern.FROM)


def test_from_and_to_are_told_apart_without_colour() -> None:
    pair = {"a": Light(Signal.RED, Pattern.FROM), "b": Light(Signal.WHITE, Pattern.TO)}
    steps = [render(pair, at / 10 + 0.05, cells=12) for at in range(12)]
    on = [tuple(place for place in "ab" if sum(shown[place])) for shown in steps]
    assert on == [("a",)] * 4 + [("b",)] * 4 + [()] * 4  # a light runs from a to b, then a pause
    calm = render(pair, 0.0, calm=True)
    assert max(calm["a"]) < 0.7 * max(calm["b"])


def test_a_piece_to_be_turned_over_is_shown(timeline: Any) -> None:
    board = timeline("robot-duel", "polarity").hands("1 A4- A3/").rest(3)
    lights = lit(board)
    assert (lights["A3"].pattern, lights["A4"].pattern) == (Pattern.FROM, Pattern.TO)
    board.hands("A3- A4/").rest(3)
    assert lit(board)["A4"] == Light(Signal.WHITE, Pattern.BLINK)


def test_a_missing_piece_is_lit_from_the_start(timeline: Any) -> None:
    board = timeline()
    board.readings.pop("C4")
    board.session = type(board.session)(board.game, board.sight)
    board.feed(Frame(0.0, dict(board.readings)))
    board.rest(1)
    assert lit(board)["C4"] == Light(Signal.WHITE, Pattern.BLINK)


def test_what_is_not_believed_is_shown(timeline: Any) -> None:
    board = timeline()
    board.now = 1.0
    board.feed(Frame(1.0, dict(board.readings), frozenset({"A2"}), (say("A chip is gone."),)))
    assert lit(board)["A2"] == Light(Signal.YELLOW, Pattern.BREATHE, 0.5)


def test_dice_are_awaited_at_the_seat_that_throws(timeline: Any) -> None:
    board = timeline("chaturaji").rest()
    assert lit(board) == {seat_light(0): Light(Signal.YELLOW, Pattern.BREATHE)}
    board.throw(3).rest()
    movers = {footprint.leaves for footprint in board.session.view.shown[0].possible}
    assert set(words(lit(board))) == {place for leaves in movers for place in leaves}
    board.hands("b1- c3+").rest()
    assert lit(board)[seat_light(1)] == Light(Signal.YELLOW, Pattern.BREATHE)


def test_the_winners_breathe(timeline: Any) -> None:
    board = timeline().claim("resign", 0).rest()
    assert lit(board) == {seat_light(1): Light(Signal.TEAL, Pattern.BREATHE)}


# ---- assist levels


@pytest.mark.parametrize(
    ("value", "idle", "in_hand"),
    [
        (0, set(), set()),
        (1, {"A2", "A1"}, set()),
        (2, {"A2", "A1"}, {"B3", "B2"}),
        (3, {"A2", "A1"}, {"B3", "B2"}),
    ],
)
def test_each_level_shows_more(
    timeline: Any, value: int, idle: set[str], in_hand: set[str]
) -> None:
    board = level(timeline(), value).hands("1 C4- C3+").rest().hands("A1- A2+").rest()
    assert idle <= set(words(lit(board)))
    assert (words(lit(board)) == {}) == (not idle)
    board.hands("B3-").rest(0.1)
    assert {p for p, light in lit(board).items() if light.signal in (Signal.BLUE, Signal.RED)} | (
        {"B3"} & set(words(lit(board)))
    ) == in_hand
    assert seat_light(0) in lit(board)


def test_strict_players_are_told_of_no_check_but_put_right(timeline: Any) -> None:
    board = level(timeline(position="gl1/1C1/3/ELG w Ec 1"), 1).rest()
    assert words(lit(board)) == {}
    level(board, 0).hands("A1- A3+").rest(3)
    assert words(lit(board)) == {"A1": Signal.WHITE, "A3": Signal.RED}


def test_threats_are_shown_at_the_highest_level_only(timeline: Any) -> None:
    undefended = "1le/g2/3/E1L b GCc 1"
    low, high = (level(timeline(position=undefended), value).rest() for value in (2, 3))
    told = threats(high.session.view.match)
    pulsing = {threat.place for threat in told if threat.kind == "undefended"}
    assert "check" not in {threat.kind for threat in told}
    assert words(lit(low)) == {}
    assert set(words(lit(high))) == pulsing


def test_each_seat_has_its_own_level(timeline: Any) -> None:
    board = timeline()
    board.feed(Assist(0.5, 0, 0))
    assert words(lit(board.hands("1 B3-").rest(0.1))) == {}
    board.hands("B3+ C4- C3+").rest()
    assert words(lit(board.hands("B2-").rest(0.1))) == {"B2": Signal.WHITE, "B3": Signal.RED}


# ---- how it moves


def changes_a_second(lights: Lights, place: str, seconds: int = 12) -> float:
    """How often a place goes from its darker to its brighter half, or to another colour."""
    shown = [render(lights, at / 500)[place] for at in range(500 * seconds)]
    sums = [sum(colour) for colour in shown]
    middle = (max(sums) + min(sums)) / 2
    rises = [i for i, (a, b) in enumerate(pairwise(sums)) if a <= middle < b]
    most = max(sum(start <= i < start + 500 for i in rises) for start in rises) if rises else 0
    assert most <= 2
    return len(rises) / seconds


@pytest.mark.parametrize("pattern", list(Pattern))
@pytest.mark.parametrize("word", list(Signal))
def test_nothing_moves_faster_than_two_a_second(pattern: Pattern, word: Signal) -> None:
    expected = {
        Pattern.STEADY: 0.0,
        Pattern.BREATHE: 0.5,
        Pattern.PULSE: 1.0,
        Pattern.HEARTBEAT: 2 / 1.2,
        Pattern.BLINK: 2.0,
        Pattern.FROM: 1 / 1.2,
        Pattern.TO: 1 / 1.2,
    }
    found = changes_a_second({"a": Light(word, pattern)}, "a")
    assert found == pytest.approx(expected[pattern], abs=0.1)
    assert changes_a_second({"a": Light(word, pattern, second=Signal.YELLOW)}, "a") <= 2.0


def test_breathing_keeps_between_forty_and_a_hundred_percent() -> None:
    light = {"a": Light(Signal.WHITE, Pattern.BREATHE)}
    levels = [render(light, at / 100)["a"][0] / 255 for at in range(400)]
    assert min(levels) == pytest.approx(0.4, abs=0.01)
    assert max(levels) == pytest.approx(1.0, abs=0.01)


@pytest.mark.parametrize("cells", [12, 81])
def test_at_most_a_quarter_of_the_board_moves(cells: int) -> None:
    lights = {f"c{n}": Light(Signal.WHITE, Pattern.BLINK) for n in range(cells)}
    seen: dict[str, set[tuple[int, int, int]]] = {}
    for at in range(100):
        for place, colour in render(lights, at / 40, cells).items():
            seen.setdefault(place, set()).add(colour)
    assert sum(len(colours) > 1 for colours in seen.values()) == int(cells * MOST_MOVING)
    assert all((255, 255, 255) in colours for colours in seen.values())  # the rest stands lit


def test_calm_means_that_nothing_moves() -> None:
    lights = {
        pattern.value: Light(Signal.WHITE, pattern, second=Signal.BLUE) for pattern in Pattern
    }
    shown = [render(lights, at / 10, calm=True) for at in range(50)]
    assert all(each == shown[0] for each in shown)
    assert all(sum(colour) > 0 for colour in shown[0].values())
    one = render(
        {"a": Light(Signal.WHITE), "b": Light(Signal.WHITE, Pattern.BLINK)}, 0.0, calm=True
    )
    assert one["a"] != one["b"]  # two brightnesses instead


def test_a_scene_knows_whether_it_moves() -> None:
    assert not moving({"a": Light(Signal.WHITE), "b": Light(Signal.TEAL, level=0.2)})
    assert moving({"a": Light(Signal.WHITE), "b": Light(Signal.TEAL, Pattern.BREATHE)})


def test_the_five_words_keep_apart() -> None:
    colours = [word.value for word in Signal]
    assert len(set(colours)) == 5
    assert render({"a": Light(Signal.TEAL, level=0.5)}, 0.0) == {"a": (0, 95, 85)}
