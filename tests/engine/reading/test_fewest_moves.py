"""The fewest hand movements that correct a board: as few as an exhaustive search finds."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import pytest

from engine.game import Piece, Place
from engine.games import NAMES, make
from engine.reading.fewest_moves import Movement, movements
from engine.reading.footprints import Sight

GAMES = {name: make(name) for name in NAMES}
TURNABLE = {"robot-duel", "shogi"}  # their pieces have two faces
SENSINGS = ("presence", "polarity")


def wanted(name: str, seed: int, plies: int = 30) -> dict[Place, Piece]:
    """The pieces of a position somewhere in a random match."""
    game, rng = GAMES[name], Random(seed)
    position: Any = game.start()
    for _ in range(rng.randrange(plies)):
        legal = game.legal(position)
        if not legal:
            break
        position = game.play(position, rng.choice(legal))
    return game.pieces(position)


def do(levels: Mapping[Place, int], sight: Sight, step: Movement) -> dict[Place, int]:
    """Return the readings after a movement by a careful hand."""
    after = dict(levels)
    pole = 0
    if step.start is not None:
        assert after.get(step.start, 0), f"nothing lies on {step.start}"
        pole = after.pop(step.start)
        if step.start in sight.trays and pole > 1:
            after[step.start] = pole - 1
    if step.end in sight.cells:
        assert step.end not in after, f"{step.end} is taken"
        assert step.piece is not None
        after[step.end] = sight.reading(step.end, step.piece)
        if step.start in sight.cells and sight.sensing == "polarity":
            assert (pole != after[step.end]) == step.turned
    elif step.end is not None:
        after[step.end] = min(after.get(step.end, 0) + 1, sight.pockets[step.end])
    return after


def wrong(sight: Sight, want: Mapping[Place, Piece], levels: Mapping[Place, int]) -> list[Place]:
    return [p for p in sight.cells if levels.get(p, 0) != sight.reading(p, want.get(p))]


def scrambled(
    sight: Sight, want: Mapping[Place, Piece], rng: Random, changes: int, poles: bool = True
) -> dict[Place, int]:
    """Return readings after pieces were moved, removed, added or turned over."""
    levels = {
        p: r for p, piece in want.items() if p in sight.places if (r := sight.reading(p, piece))
    }
    cells = sight.game.cells()
    pole = (1, -1) if sight.sensing == "polarity" else (1,)
    for _ in range(changes):
        place, other = rng.choice(cells), rng.choice(cells)
        match rng.randrange(4 if poles else 3):
            case 0:
                levels[place], levels[other] = levels.get(other, 0), levels.get(place, 0)
            case 1:
                levels[place] = 0
            case 2:
                levels[place] = levels.get(place, 0) or rng.choice(pole)
            case 3:
                levels[place] = rng.choice(pole)
    return {place: reading for place, reading in levels.items() if reading}


def fewest(sight: Sight, want: Mapping[Place, Piece], levels: Mapping[Place, int]) -> int:
    """How many movements are needed at least, by trying all of them on the cells that are wrong
    and on a free one.
    """
    off = wrong(sight, want, levels)
    free = [p for p in sight.game.cells() if p not in off and not levels.get(p) and p not in want]
    places = off + free[:1]
    goal = tuple(sight.reading(p, want.get(p)) for p in places)
    turnable = sight.game.name in TURNABLE or sight.sensing == "presence"

    def following(state: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        poles = (1, -1) if sight.sensing == "polarity" else (1,)
        for i, lifted in enumerate(state):
            if not lifted:
                yield from ((*state[:i], pole, *state[i + 1 :]) for pole in poles)
                continue
            rest = (*state[:i], 0, *state[i + 1 :])
            yield rest
            for j, there in enumerate(rest):
                if not there:
                    for pole in poles if turnable else (lifted,):
                        yield (*rest[:j], pole, *rest[j + 1 :])

    start = tuple(levels.get(p, 0) for p in places)
    seen, queue = {start}, deque([(start, 0)])
    while queue:
        state, steps = queue.popleft()
        if state == goal:
            return steps
        for each in following(state):
            if each not in seen:
                seen.add(each)
                queue.append((each, steps + 1))
    raise AssertionError("no way")


@pytest.mark.parametrize("sensing", SENSINGS)
@pytest.mark.parametrize("name", NAMES)
def test_there_is_no_shorter_plan(name: str, sensing: str) -> None:
    sight, rng = Sight(GAMES[name], sensing), Random(name + sensing)
    longest = 0
    for seed in range(80):
        want = wanted(name, seed)
        levels = scrambled(sight, want, rng, rng.randrange(1, 7))
        if len(wrong(sight, want, levels)) > 6:
            continue
        plan = movements(sight, want, levels, far=sight.game.distance)
        assert len(plan) == fewest(sight, want, levels), (seed, levels, plan)
        for step in plan:
            levels = do(levels, sight, step)
        assert not wrong(sight, want, levels)
        longest = max(longest, len(plan))
    assert longest >= 3


def test_a_piece_with_another_pole_is_not_the_piece_that_stood_there() -> None:
    """The robots have changed places, and no robot can be turned over."""
    sight = Sight(GAMES["robotory"], "polarity")
    want = sight.game.pieces(sight.game.start())
    levels = {**sight.readings(sight.game.start()), "c4": 1, "b3": -1}
    first, *_ = movements(sight, want, levels, likely=want)
    assert first == Movement("b3", None, None)


def test_the_right_piece_with_the_wrong_pole_is_turned_over(sit: Any) -> None:
    async def story(board: Any) -> None:
        await board.hands("c4- c4/")
        await asyncio.sleep(6)
        assert "Take off the piece on c4. Put the black robot on c4." in board.says
        turn = "If the black robot is already on c4, it has the wrong side up: turn it over."
        assert turn in board.says

    sit(story, layout="hex-hall", game="robotory")


def pairs(plan: tuple[Movement, ...]) -> list[tuple[Place | None, Place | None]]:
    return [(step.start, step.end) for step in plan]


def test_a_board_that_is_right_needs_nothing() -> None:
    for name in NAMES:
        sight, want = Sight(GAMES[name], "polarity"), wanted(name, 1)
        levels = {p: sight.reading(p, piece) for p, piece in want.items() if p in sight.places}
        assert movements(sight, want, levels) == ()


def start(name: str, sensing: str) -> tuple[Sight, dict[Place, Piece], dict[Place, int]]:
    sight, want = Sight(GAMES[name], sensing), GAMES[name].pieces(GAMES[name].start())
    return (
        sight,
        want,
        {p: sight.reading(p, piece) for p, piece in want.items() if p in sight.places},
    )


def test_pieces_take_the_shortest_routes() -> None:
    sight, want, levels = start("shogi", "presence")
    for old, new in (("1g", "1f"), ("9g", "9f"), ("5g", "5e")):
        levels[new] = levels.pop(old)
    plan = movements(sight, want, levels, far=sight.game.distance)
    assert set(pairs(plan)) == {("1f", "1g"), ("9f", "9g"), ("5e", "5g")}


def test_the_pole_that_is_up_must_fit_unless_pieces_have_two_faces() -> None:
    sight, want, levels = start("abalone", "polarity")
    del levels["a1"]  # black
    levels["e5"] = -1  # white
    assert pairs(movements(sight, want, levels)) == [("e5", None), (None, "a1")]
    sight, want, levels = start("shogi", "polarity")
    del levels["7g"]
    levels["7e"] = -1
    (step,) = movements(sight, want, levels)
    assert (step.start, step.end, step.turned) == ("7e", "7g", True)


def test_trays_give_and_take_only_their_own_kind() -> None:
    game = GAMES["robot-duel"]
    want = game.pieces(game.parse_position("gl1/1c1/1C1/1LG b Ee 1"))
    sight = Sight(game, "polarity")
    levels = {p: sight.reading(p, piece) for p, piece in want.items()}
    levels["hand.A.E"], levels["hand.A.G"] = 0, 1  # one elephant missing, a giraffe too many
    del levels["C4"]  # a giraffe
    levels["A3"] = 1
    plan = movements(sight, want, levels, known={"A3": Piece(0, "E")})
    assert pairs(plan) == [("A3", "hand.A.E"), ("hand.A.G", "C4")]
    del levels["B4"]  # a lion comes from nowhere else
    assert (None, "B4") in pairs(movements(sight, want, levels, known={"A3": Piece(0, "E")}))


def test_what_is_known_is_moved_though_no_sensor_tells() -> None:
    sight, want, levels = start("robot-duel", "presence")
    swapped = want | {"A4": want["C4"], "C4": want["A4"]}
    plan = movements(sight, want, levels, known=swapped)
    assert len(plan) == 3  # one is laid aside, the other moved, the first brought back
    first, second, third = plan
    assert first.end is None
    assert (second.start, second.end) in {("A4", "C4"), ("C4", "A4")}
    assert (third.start, third.end) == (None, first.start) or third.end == second.start


def test_a_piece_in_the_hand_comes_first() -> None:
    sight, want, levels = start("robot-duel", "presence")
    levels["A2"] = levels.pop("A4")
    del levels["C4"]
    plan = movements(sight, want, levels, held=["C4"])
    assert pairs(plan) == [(None, "C4"), ("A2", "A4")]
    assert pairs(movements(sight, want, levels, held=["A4"])) == [(None, "A4"), ("A2", "C4")]


def test_a_masked_place_is_left_alone() -> None:
    sight, want, levels = start("chaturaji", "polarity")
    del levels["a1"]
    levels["e5"] = 1
    assert pairs(movements(sight, want, levels, ["a1", "e5"])) == []
    assert pairs(movements(sight, want, levels, ["e5"])) == [(None, "a1")]
