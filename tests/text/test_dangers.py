"""Dangers, hints and signs: what must not be mistaken for another word."""

from __future__ import annotations

from typing import Any

import pytest

from firmware_host.lights.advice import Advice
from firmware_host.lights.scene import IN_DANGER, WAITS, scene
from firmware_host.lights.signals import ColourRole, Light, Pattern, Signal
from firmware_host.session.events import Assist
from firmware_host.text.dangers import MOST_SAID

ATTACKER = Light(Signal.YELLOW, Pattern.BREATHE, WAITS)
ROOK_AT_GOLD = "4k4/9/9/4r4/9/9/9/4G4/K8 b - 1"
BOAT_AT_RAJA = (
    "wB,wP,2,nK,nE,nH,nB/wH,wP,2,nP,nP,nP,nP/wE,wP,6/wK,wP,6/6,eP,eK/2,sB,3,eP,eE/"
    "sP,sP,sP,sP,2,eP,eH/1,sH,sE,sK,2,eP,eB W - 0,0,0,0 -"
)
BOAT_ALONE = (
    "1,wP,3,nE,nH,nB/wH,wP,1,nK,nP,nP,nP,nP/wE,wP,wB,5/wK,wP,6/6,eP,eK/sH,1,sB,2,eB,eP,eE/"
    "sP,sP,sP,sP,2,eP,eH/2,sE,sK,2,eP,1 W - 0,0,0,0 -"
)


def at(board: Any, level: int = 3) -> Any:
    for seat in range(len(board.game.seats)):
        board.feed(Assist(board.now, level, seat))
    return board.rest(1)


def lit(board: Any) -> dict[str, Light]:
    return {p: x for p, x in scene(board.session.view, board.now).items() if ":" not in p}


@pytest.mark.parametrize(
    ("game", "position", "threatened", "by", "said"),
    [
        (
            "shogi",
            ROOK_AT_GOLD,
            "5h",
            {"5d"},
            "The gold on 5h can be taken by the rook on 5d.",
        ),
        (
            "robot-duel",
            "1le/gC1/3/ELG b C 1",
            "B2",
            {"A2", "B1", "C1"},
            "The chick on B2 can be taken by the lion on B1, the elephant on C1, "
            "the giraffe on A2.",
        ),
        (
            "abalone",
            "ss1ss/1s1sss/s3s2/2ss4/2s6/1s6/SSS1SSS/S1SSS1/S1SSS 0 0 b 0 1",
            "c1",
            {"f4", "e3", "d2"},
            "The black marble on c1 can be pushed off by the white marble on f4, "
            "the white marble on e3, the white marble on d2.",
        ),
        (
            "robotory",
            "......W....wB....R....../1w2b:2w2b 10w10b d",
            "b3",
            set(),
            "The other player can take the white robot on b3 to c3.",
        ),
        (
            "chaturaji",
            BOAT_ALONE,
            "b8",
            {"f8", "c3"},  # one gives check
            "The pawn on b8 can be taken by the elephant on f8.",
        ),
    ],
)
def test_a_danger_is_lit_at_both_ends_and_said(
    timeline: Any, game: str, position: str, threatened: str, by: set[str], said: str
) -> None:
    board = at(timeline(game, position=position))
    lights = lit(board)
    assert lights[threatened] == IN_DANGER
    assert {place for place, light in lights.items() if light.role is ColourRole.ATTACKS} == by
    assert all(lights[place] == ATTACKER for place in by)
    assert said in board.says()
    quiet = at(timeline(game, position=position), level=2)
    assert threatened not in lit(quiet)
    assert not by & lit(quiet).keys()
    assert not any("can be" in each for each in quiet.says())


def test_so_many_dangers_are_said_at_most_checks_first(timeline: Any) -> None:
    board = at(timeline("shogi", position="4k4/9/9/9/g1g1r1g1g/P1P1K1P1P/9/9/9 b - 1"))
    assert len({place for place, light in lit(board).items() if light == IN_DANGER}) > MOST_SAID
    said = [each for each in board.says() if "can be" in each]
    assert len(said) == MOST_SAID
    assert said[0].startswith("The king on 5f")
    assert board.says().count("Check!") == 1


def test_check_before_the_throw_is_lit_for_the_seat_that_throws(timeline: Any) -> None:
    board = at(timeline("chaturaji", position=BOAT_AT_RAJA), level=2)
    assert lit(board) == {"a5": IN_DANGER}
    assert "Check!" in board.says()
    board.feed(Assist(board.now, 1, 1))  # the level of the seat that throws counts
    assert lit(board) == {}


def test_a_piece_that_may_move_and_is_in_danger_is_shown_as_both(timeline: Any) -> None:
    board = at(timeline("chaturaji", position=BOAT_AT_RAJA), level=2).throw(5).rest(2)
    assert lit(board)["a5"] == Light(Signal.WHITE, Pattern.PULSE, second=Signal.YELLOW)
    assert lit(board)["b5"] == Light(Signal.WHITE)


def test_a_hint_hides_no_check(timeline: Any) -> None:
    board = timeline(position="gl1/1C1/3/ELG w Ec 1").rest(1).press("hint").rest()
    lights = scene(board.session.view, board.now, advice=Advice(hint=(("B1", "A1"), ())))
    assert lights["B1"] == IN_DANGER  # the lion, which may move
    assert lights["A1"] == Light(Signal.TEAL, Pattern.BREATHE)


# ---- signs


def role(board: Any, place: str) -> ColourRole:
    return lit(board)[place].role


def test_only_a_piece_that_goes_by_itself_is_from_here(timeline: Any) -> None:
    board = timeline("abalone").hands("1 a1-").rest(0.1)
    assert role(board, "a1") is ColourRole.SIGNAL
    assert {role(board, place) for place in ("b1", "b2", "c3")} == {ColourRole.ALONG}
    middle = timeline("abalone").hands("1 b2-").rest(0.1)
    assert role(middle, "b2") is ColourRole.SIGNAL
    assert role(middle, "a1") is ColourRole.ALONG


def test_who_may_take_a_piece_that_was_lifted_first_is_from_here(timeline: Any) -> None:
    board = timeline().hands("1 B2-").rest(0.1)
    assert (lit(board)["B3"].signal, role(board, "B3")) == (Signal.WHITE, ColourRole.SIGNAL)
    robot = timeline("robotory", position="......Ww....B....R....../2w2b:2w2b 9w10b l")
    assert role(robot.hands("1 b4-").rest(0.1), "b3") is ColourRole.SIGNAL


def test_the_last_move_has_no_sign(timeline: Any) -> None:
    board = timeline().hands("1 C4- C3+").rest()
    assert {role(board, place) for place in ("C4", "C3")} == {ColourRole.LAST}
    assert role(board.hands("A1-").rest(0.1), "A1") is ColourRole.SIGNAL


def test_every_role_and_word_has_a_sign_and_a_meaning_on_the_page() -> None:
    from firmware_host.web.view import STATIC

    lights, places, builders = (
        (STATIC / f"{n}.js").read_text() for n in ("lights", "places", "builders")
    )
    names = [word.name for word in Signal] + [each.value for each in ColourRole if each.value]
    signs = lights[lights.index("SIGNS = {") : lights.index("};")]
    meanings = places[places.index("function meaning") : places.index("}[name]")]
    for name in names:
        assert f"{name}: " in signs
        assert f"{name}: t(" in meanings
        assert f'"{name}", t(' in builders or name == "last"
    shown = [
        part.split(":")[1].strip(' ,"') for part in signs.split("{")[1].split(",") if ":" in part
    ]
    assert len([sign for sign in shown if sign]) == len({sign for sign in shown if sign}) == 9


def test_the_edge_of_a_seat_and_the_number_thrown_have_signs_of_their_own(timeline: Any) -> None:
    board = timeline("chaturaji").throw(3).rest(0.1)
    lights = scene(board.session.view, board.now)
    assert lights["seat:0"].role is ColourRole.TURN
    assert {light.role for place, light in lights.items() if ":" not in place} == {ColourRole.PIP}
