"""Simulated hands: whatever they do on the way, the pieces end where the rules have them."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.game import CHANCE, Pass, Piece, Throw
from engine.games import NAMES, make
from firmware_host.simulation.actions import Carry, HandActions, MoveStyle
from firmware_host.simulation.gesture_plan import Planner
from firmware_host.simulation.gestures import perform
from firmware_host.simulation.people import MIXED, STYLES, person
from firmware_host.simulation.styles import Style
from firmware_host.simulation.tabletop import (
    STEP,
    Act,
    Contacts,
    HandsError,
    Sense,
    Tabletop,
    draw,
    report,
)
from firmware_host.storage import recording
from tests.support.random_games import play_random
from tests.support.scenarios import SCENARIOS, scenario
from tests.support.simulated_match import SimulatedMatch
from tests.support.tiny_game import TinyGame

SENSINGS = ("presence", "polarity")


class Strip(TinyGame):
    """A strip of cells a1, a2 …; a position is its pieces, `/`, what lies in the tray."""

    name = "strip"
    title = "Strip"
    kinds = {"o": "piece", "O": "big piece", "x": "enemy"}  # noqa: RUF012

    def __init__(self, first: str, *following: str, path: frozenset[str] = frozenset()) -> None:
        super().__init__()
        self.first = first
        self.following = following
        self.on_path = path

    def cells(self) -> tuple[str, ...]:
        return tuple(f"a{number}" for number in range(1, len(self.first.split("/")[0]) + 1))

    def trays(self) -> tuple[str, ...]:
        return ("tray.x",)

    def start(self) -> str:
        return self.first

    def legal(self, position: str) -> tuple[str, ...]:
        return self.following if position == self.first else ()

    def pieces(self, position: str) -> dict[str, Piece]:
        known = {"o": Piece(0, "o"), "O": Piece(0, "O", -1), "Q": Piece(0, "Q"), "x": Piece(1, "x")}
        known |= {"w": Piece(None, "w"), "R": Piece(None, "R")}
        board, tray = position.split("/")
        found = {f"a{n}": known[sign] for n, sign in enumerate(board, 1) if sign != "."}
        return found | ({"tray.x": Piece(0, "x", count=len(tray))} if tray else {})

    def path(self, position: str, move: Any) -> frozenset[str]:
        return self.on_path


def acts(
    first: str, then: str, path: str = "", **style: Any
) -> list[tuple[float, str, int | None]]:
    """Return what hands do for a move of the tiny game, with times in ms."""
    game = Strip(first, then, path=frozenset(path.split()))
    planner = Planner(game)
    actions = planner.actions(first, then, Random(0))
    action = perform(actions, MoveStyle(reach=0.0, **style), planner.tabletop(first))
    return [(round(act.at * 1000), act.place, act.pole) for act in action.acts]


# ---- the table and the contacts


def test_a_cell_holds_one_piece_and_nothing_cannot_be_lifted() -> None:
    table = Tabletop({"a1": [1], "tray": [1, -1]}, ["tray"])
    with pytest.raises(HandsError, match="nothing lies on a2"):
        table.lift("a2")
    with pytest.raises(HandsError, match="lies on a1 already"):
        table.put("a1", 1)
    table.put("tray", 1)
    assert table.count("tray") == 3


def test_readings_of_pieces_and_heaps() -> None:
    table = Tabletop({"a1": [-1], "tray.x": [1] * 6, "pool": [1, 1]}, ["tray.x", "pool"])
    slots = frozenset({"tray.x", "pool"})
    assert table.readings(Sense("presence", slots)) == {"a1": 1, "tray.x": 1, "pool": 1}
    counted = Sense("presence", slots, pockets={"tray.x": 4})
    assert table.readings(counted) == {"a1": 1, "tray.x": 4, "pool": 1}
    assert table.readings(Sense("polarity", slots)) == {"a1": -1, "tray.x": 4, "pool": 2}
    assert table.readings(Sense("polarity", slots, ("tray",))) == {"a1": -1, "pool": 2}


@pytest.mark.parametrize("seed", range(30))
def test_contacts_flutter_and_lag_but_end_as_the_table_has_it(seed: int) -> None:
    rng = Random(seed)
    table = Tabletop({"a1": [1], "tray": [1, 1]}, ["tray"])
    sense = Sense(rng.choice(SENSINGS), frozenset({"tray"}))
    done, at = [], 0.0
    there = True
    for _ in range(60):
        at += rng.choice((0.005, 0.02, 0.3))
        there = not there
        shake = (0.01, 0.02) if there and rng.random() < 0.5 else ()
        done.append(Act(at, "a1", -1 if there else None, shake))
        if rng.random() < 0.3:
            done.append(Act(at, "tray", 1))
    edges = report(done, table, sense, Contacts(chatter=0.8, late=0.5, heap=0.5), rng)
    assert [edge.at for edge in edges] == sorted(edge.at for edge in edges)
    for place in ("a1", "tray"):
        mine = [edge for edge in edges if edge.place == place]
        assert all(b.at - a.at > STEP / 2 for a, b in pairwise(mine))
        assert all(a.value != b.value for a, b in pairwise(mine))
        assert mine[-1].value == table.readings(sense).get(place, 0)
    lifts = [act.at for act in done if act.place == "a1"]
    for here, following in pairwise(lifts):  # every act shows before the next one on that place
        assert any(here <= edge.at < following for edge in edges if edge.place == "a1")
    assert len(edges) > len(done)


def test_drawn_times_fill_their_range() -> None:
    rng = Random(1)
    times = [draw(rng, (0.005, 0.4)) for _ in range(2000)]
    assert min(times) < 0.012
    assert max(times) > 0.2
    assert all(0.005 <= time <= 0.4 for time in times)
    assert sum(time < 0.1 for time in times) > 1000


# ---- each style, act by act


def test_a_plain_step_and_a_capture() -> None:
    assert acts("o.x/", ".ox/") == [(0, "a1", None), (600, "a2", 1)]
    assert acts("ox/", ".o/x") == [
        (0, "a1", None), (200, "a2", None), (600, "a2", 1), (1000, "tray.x", 1),
    ]  # fmt: skip


def test_the_enemy_first_put_away_at_once() -> None:
    assert acts("ox/", ".o/x", enemy_first=True, away="at once", pause=0.3, in_hand=0.5) == [
        (0, "a2", None), (300, "tray.x", 1), (600, "a1", None), (1100, "a2", 1),
    ]  # fmt: skip


def test_both_pieces_in_one_grip_leave_the_target_empty_for_milliseconds() -> None:
    done = acts("ox/", ".o/x", in_hand=0.4, empty=0.007)
    assert done[:3] == [(0, "a1", None), (393, "a2", None), (400, "a2", 1)]


def test_a_slide_covers_every_cell_on_its_way() -> None:
    assert acts("o...x/", "....o/x", "a2 a3 a4", slide=True, cells=(0.1, 0.35), empty=0.2)[:9] == [
        (0, "a1", None), (40, "a2", 1), (140, "a2", None), (180, "a3", 1), (530, "a3", None),
        (570, "a4", 1), (920, "a4", None), (960, "a5", None), (1160, "a5", 1),
    ]  # fmt: skip


def test_a_captured_piece_is_parked_on_the_board_or_forgotten() -> None:
    parked = acts("ox./", ".o./x", away="aside", aside="a3", in_hand=0.5, empty=0.2, pause=0.3)
    assert parked == [
        (0, "a1", None), (300, "a2", None), (500, "a2", 1),
        (800, "a3", 1), (1100, "a3", None), (1400, "tray.x", 1),
    ]  # fmt: skip
    game = Strip("ox./", ".o./x")
    planner = Planner(game)
    actions = planner.actions("ox./", ".o./x", Random(0))
    for aside in (None, "a3"):
        style = MoveStyle(away="late", aside=aside)
        action = perform(actions, style, planner.tabletop("ox./"))
        assert [where for where, _ in action.forgotten] == [aside]
        assert action.forgotten[0][1].end == "tray.x"
        assert all(act.place != "tray.x" for act in action.acts)


def test_a_promoted_piece_is_turned_in_the_hand_or_where_it_lies() -> None:
    assert acts("o./", ".O/") == [(0, "a1", None), (600, "a2", -1)]
    assert acts("o./", ".O/", turned="after", pause=0.3) == [
        (0, "a1", None), (600, "a2", 1), (900, "a2", None), (1200, "a2", -1),
    ]  # fmt: skip
    assert acts("o./", ".Q/", turned="after", pause=0.3)[-1] == (1200, "a2", 1)  # another piece


def test_a_drop_comes_from_its_tray() -> None:
    assert acts("../x", "x./") == [(0, "tray.x", None), (600, "a1", 1)]


def test_two_pieces_one_after_the_other_or_in_both_hands() -> None:
    pieces = ("o..Q/", ".oQ./")
    lifted_first = [acts(*pieces, reverse=reverse)[0][1] for reverse in (False, True)]
    assert sorted(lifted_first) == ["a1", "a4"]
    both = acts(*pieces, together=True, stagger=0.1, in_hand=0.4, apart=0.2)
    assert [at for at, _, _ in both] == [0, 100, 500, 700]
    assert [pole is None for _, _, pole in both] == [True, True, False, False]


def test_tokens_are_cleared_before_on_the_way_or_after() -> None:
    def order(**style: Any) -> list[str]:
        done = acts("Rww./", "..R./", "a2", **style)
        return [place + ("-" if pole is None else "+") for _, place, pole in done]

    assert order(clearing="before") == ["a2-", "a1-", "a3-", "a3+"]
    assert order(clearing="after") == ["a1-", "a3-", "a3+", "a2-"]
    slid = order(clearing="during", slide=True)
    assert slid == ["a1-", "a2-", "a2+", "a2-", "a3-", "a3+"]


@pytest.mark.parametrize(
    ("first", "then", "path"),
    [("ooo.../", ".ooo../", "a2 a3"), ("oooxx./", ".oooxx/", "a2 a3 a5"), ("oox/", ".oo/x", "a2")],
)
@pytest.mark.parametrize("way", ["pushed", "front first", "leapfrog", "chain"])
def test_a_row_moves_on_by_one(first: str, then: str, path: str, way: Any) -> None:
    game = Strip(first, then, path=frozenset(path.split()))
    planner = Planner(game)
    actions = planner.actions(first, then, Random(0))
    assert len(actions.row) == first.count("o") + first.count("x") - len(actions.taken)
    table = planner.tabletop(first)
    action = perform(actions, MoveStyle(row=way), table)
    report(action.acts, table, Sense(), Contacts(), Random(0))
    assert sorted(table.places()) == sorted(planner.tabletop(then).places())
    back = perform(actions.back(), MoveStyle(row=way), table)
    report(back.acts, table, Sense(), Contacts(), Random(0))
    assert sorted(table.places()) == sorted(planner.tabletop(first).places())
    touched = {act.place for act in action.acts} - {"tray.x"}
    if way == "pushed":  # every cell of the row shows it
        assert touched == {e.start for e in actions.row} | {e.end for e in actions.row}


def test_beside_must_not_touch_what_the_move_touches() -> None:
    actions = HandActions((Carry("a1", "a2"),))
    table = Tabletop({"a1": [1]})
    with pytest.raises(HandsError, match="a1 is touched by the move itself"):
        perform(actions, MoveStyle(beside=((0.1, "a1", None), (0.1, "a1", 1))), table)


# ---- whole games


def settled_readings(lines: Any, until: float) -> dict[str, int]:
    """Return what a recording's sensors read at that moment."""
    readings: dict[str, int] = {}
    for line in lines:
        if line["t"] > until:
            break
        readings |= line.get("places", {})
    return {place: value for place, value in readings.items() if value}


def expected(game: Any, position: Any, sense: Sense) -> dict[str, int]:
    """Return what the sensors should read, straight from `pieces`."""
    found = {}
    for place, piece in game.pieces(position).items():
        if sense.sees(place):
            tray = place in game.trays()
            many = min(piece.count, 4 if sense.sensing == "polarity" else 1)
            found[place] = many if tray else piece.pole if sense.sensing == "polarity" else 1
    return found


@pytest.mark.parametrize("style", [MIXED, *STYLES])
@pytest.mark.parametrize("name", NAMES)
def test_readings_come_to_rest_as_the_rules_have_it(name: str, style: str) -> None:
    game = make(name)
    for seed in range(2):
        rng = Random(seed)
        unsensed = rng.choice([(), tuple(sorted({tray.split(".")[0] for tray in game.trays()}))])
        match = SimulatedMatch(game, rng, SENSINGS[seed % 2], (style,), unsensed)
        stack: list[Any] = []
        for ply in range(24):
            while game.turn(match.position) == CHANCE and not game.outcome(match.position):
                match.throw(rng.choice(game.legal(match.position)))
            legal = game.legal(match.position)
            if not legal or game.outcome(match.position):
                break
            stack.append(match.position)
            match.move(rng.choice(legal))
            if ply % 8 == 7:
                back = rng.randint(1, len(stack))
                match.take_back(back)
                assert match.position == stack[-back]
                del stack[-back:]
        match.put_away()
        assert match.readings() == expected(game, match.position, match.sense)
        lines = match.lines()
        assert settled_readings(lines, 1e9) == match.readings()
        match.set_up()
        assert match.readings() == expected(game, game.start(), match.sense)


@pytest.mark.parametrize("name", NAMES)
def test_every_ply_rests_in_its_own_position(name: str) -> None:
    """With slow hands that forget nothing, the readings after each ply are the position's."""
    game = make(name)
    patient = replace(STYLES["plain"], away={"after": 1.0}, think=(5.0, 6.0))
    for sensing in SENSINGS:
        rng = Random(7)
        played = play_random(game, rng, sensing, (patient,), 16)
        sense = Sense(sensing, frozenset(game.trays()), tuple(game.unsensed))
        position = game.start()
        dice = [tuple(line["dice"]) for line in played.lines if "dice" in line]
        for ply, truth in enumerate(played.truth, 1):
            while game.turn(position) == CHANCE:
                position = game.play(position, Throw(dice.pop(0)))
            move = game.parse_move(position, truth.text)
            position = game.play(position, move)
            assert (truth.ply, truth.settled) == (ply, True)
            if not isinstance(move, Pass):
                readings = settled_readings(played.lines, truth.quiet + 0.001)
                assert readings == expected(game, position, sense), truth


@pytest.mark.parametrize("name", NAMES)
def test_recordings_can_be_read_and_repeat_by_their_seed(name: str, tmp_path: Path) -> None:
    game = make(name)
    first, again = (
        play_random(game, Random(11), "polarity", plies=12, takebacks=0.1) for _ in range(2)
    )
    assert first == again
    assert first.lines != play_random(game, Random(12), "polarity", plies=12).lines
    file = tmp_path / "evening.jsonl"
    first.write(file)
    read = recording.read(file)
    assert not read.torn
    assert len(list(read.events())) == len(first.lines)
    assert read.header.game == game


def test_a_polled_board_misses_what_comes_and_goes_between_two_looks() -> None:
    game = Strip("ox/", ".o/x")
    planner = SimulatedMatch(game, Random(0), contacts=Contacts(heap=0.0))
    planner.move(".o/x", MoveStyle(reach=0.0, in_hand=0.4, empty=0.003), wait=0.01)
    exact, polled = planner.lines(), planner.lines(period=0.02)
    assert {"a2": 0} in [line["places"] for line in exact]
    assert {"a2": 0} not in [line["places"] for line in polled]
    assert settled_readings(exact, 9.0) == settled_readings(polled, 9.0)


def test_replies_overlap_but_no_place_is_touched_twice_at_once() -> None:
    game = make("robot-duel")
    hasty = replace(STYLES["plain"], overlap=1.0, away={"late": 0.5, "after": 0.5}, on_board=0.5)
    overlaps = 0
    for seed in range(30):
        rng = Random(seed)
        played = play_random(game, rng, "presence", (hasty,), 30)
        for last, following in pairwise(played.truth):
            overlaps += following.begun < last.let_go
        json.dumps(played.lines)
        moments = [line["t"] for line in played.lines]
        assert moments == sorted(moments)
    assert overlaps > 20


def test_every_habit_turns_up() -> None:
    game = make("robot-duel")
    planner = Planner(game)
    rng = Random(3)
    seen: Counter[str] = Counter()
    swaps = []
    for _ in range(4000):
        position = game.start()
        for _ in range(3):
            position = game.play(position, rng.choice(game.legal(position)))
        move = rng.choice(game.legal(position)) if game.legal(position) else None
        if move is None:
            continue
        actions = planner.actions(position, move, rng)
        style = person(MIXED, rng).move_style(rng, actions, planner.tabletop(position))
        seen["before"] += bool(style.before)
        seen["after"] += bool(style.after)
        seen["flight"] += bool(style.flight)
        seen["beside"] += bool(style.beside)
        seen["shake"] += bool(style.shake)
        seen["aside"] += style.aside is not None
        seen["late"] += style.away == "late" and bool(actions.taken)
        seen["together"] += style.together
        seen["enemy first"] += style.enemy_first
        seen["turned after"] += style.turned == "after"
        seen["quick swap"] += bool(actions.taken) and style.empty < 0.02
        assert 0.08 <= style.in_hand <= 1.2
        swaps.append(style.empty)
    assert min(seen.values()) > 10, seen
    assert min(swaps) < 0.008


def test_styles_are_found_by_name() -> None:
    assert person("blitz", Random(0)).name == "blitz"
    assert len({person(MIXED, Random(seed)).name for seed in range(60)}) > 6
    with pytest.raises(ValueError, match="no style 'rude'; there are: plain, careful"):
        person("rude", Random(0))


def test_a_takeback_needs_that_many_plies() -> None:
    match = SimulatedMatch(make("robot-duel"), Random(0))
    with pytest.raises(ValueError, match="2 plies cannot be taken back, 0 were played"):
        match.take_back(2)


# ---- scenarios


def test_scenarios_have_their_exact_times() -> None:
    game = make("robot-duel")
    start = game.start()
    capture = game.parse_move(start, "B3B2")

    def done(name: str) -> list[tuple[int, dict[str, int]]]:
        made = scenario(name, game, start, capture, Random(1), unsensed=("hand",))
        assert made is not None
        return [(round(line["t"] * 1000), line["places"]) for line in made.lines[1:-1]]

    assert done("capture") == [(200, {"B3": 0}), (600, {"B2": 0}), (1000, {"B2": 1})]
    assert done("enemy first") == [(200, {"B2": 0}), (700, {"B3": 0}), (1200, {"B2": 1})]
    assert done("fast swap") == [(200, {"B3": 0}), (605, {"B2": 0}), (612, {"B2": 1})]
    assert [at for at, _ in done("takeback")] == [200, 600, 1000, 2200, 2700, 3100]
    assert [at for at, _ in done("contact chatter")[:3]] == [200, 225, 260]
    adjusted = done("adjust enemy")
    assert [at for at, _ in adjusted] == [200, 700, 1300, 1700, 2100]
    assert scenario("slide", game, start, capture, Random(1)) is None


@pytest.mark.parametrize("name", NAMES)
def test_every_scenario_ends_in_the_true_position(name: str) -> None:
    game = make(name)
    found: Counter[str] = Counter()
    for seed in range(3):
        rng = Random(seed)
        position = game.start()
        for _ in range(12):
            while game.turn(position) == CHANCE:
                position = game.play(position, rng.choice(game.legal(position)))
            legal = game.legal(position)
            if not legal or game.outcome(position):
                break
            move = rng.choice(legal)
            following = game.play(position, move)
            for which in SCENARIOS if not isinstance(move, Pass) else ():
                made = scenario(which, game, position, move, rng, "polarity")
                if made is None:
                    continue
                found[which] += 1
                goal = position if which == "takeback" else following
                sense = Sense("polarity", frozenset(game.trays()), tuple(game.unsensed))
                assert settled_readings(made.lines, 1e9) == expected(game, goal, sense), which
                assert list(made.moves) == ([] if which == "takeback" else [made.truth[0].text])
            position = following
    assert found["takeback"]
    assert found["contact chatter"]


def test_a_style_with_extreme_figures_works() -> None:
    wild = Style(
        "wild", slide=1.0, stops=1.0, lift_return=1.0, hover=1.0, rest=1.0, nudge_own=1.0,
        nudge_other=1.0, bump=1.0, adjust=1.0, wobble=1.0, roll=0.5, chatter=1.0, late=1.0,
        overlap=1.0, turned_after=1.0, away={"late": 1.0}, on_board=1.0,
    )  # fmt: skip
    game = make("robot-duel")
    for seed in range(40):
        rng = Random(seed)
        match = SimulatedMatch(game, rng, SENSINGS[seed % 2], (wild,))
        while (legal := game.legal(match.position)) and len(match.truth) < 40:
            match.move(rng.choice(legal))
        match.put_away()
        assert match.readings() == expected(game, match.position, match.sense)


RARE = [
    # a parade, one that captures too, a promotion, one that captures too
    ("sKd1,wKa5,nKe8,eKh4,wBc2,nBb2,eBb3,sBe5", "S 2", "e5c3"),
    ("sKd1,wKa5,nKe8,eKh4,wBe4,nBd4,eBd5,sBc3,nHe5", "S 2", "c3e5"),
    ("sKd1,wKa5,nKe8,eKh4,sPa7", "S 5", "a7a8=B"),
    ("sKd1,wKa5,nKe8,eKh4,sPa7,wBb8", "S 5", "a7b8=B"),
]


@pytest.mark.parametrize(("pieces", "turn", "text"), RARE)
@pytest.mark.parametrize("style", STYLES)
def test_rare_moves_with_several_pieces_end_true(
    pieces: str, turn: str, text: str, style: str
) -> None:
    game = make("chaturaji")
    position = game.parse_position(f"{pieces} {turn} 0,0,0,0 -")
    move = game.parse_move(position, text)
    actions = Planner(game).actions(position, move, Random(0))
    assert actions.carried[0].swapped == ("=" in text)
    assert len(actions.taken) == {"e5c3": 3, "c3e5": 4, "a7a8=B": 0, "a7b8=B": 1}[text]
    for seed in range(4):
        match = SimulatedMatch(game, Random(seed), "polarity", (style,), position=position)
        match.move(move)
        match.put_away()
        sense = match.sense
        assert match.readings() == expected(game, game.play(position, move), sense)
        match.take_back(1)
        assert match.readings() == expected(game, position, sense)


def test_a_claim_that_changes_the_board_is_carried_out_by_hand() -> None:
    game = make("chaturaji")
    position = game.parse_position("sKd1,wKa5,nKe8,eKh4,sPa8 S - 0,0,0,0 -")
    claim = next(claim for claim in game.claims(position, 0) if claim.text == "promote a8=B")
    match = SimulatedMatch(game, Random(0), contacts=Contacts(), position=position)
    match.claim(claim)
    assert [act.place for act in match.acts] == ["a8", "a8"]
    assert match.lines()[1]["claim"] == "promote a8=B"
    assert match.readings() == expected(game, game.play(position, claim), match.sense)
