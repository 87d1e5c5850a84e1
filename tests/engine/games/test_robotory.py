"""Robotory: its rules, board, options, texts and reasons."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from time import process_time

import pytest

from engine.game import (
    Attempt,
    Game,
    IllegalMoveError,
    MoveError,
    Outcome,
    Piece,
    PositionError,
    Threat,
)
from engine.games.robotory import Action, MoveRobot, PlaceToken, Refill, Robotory, RobotoryPosition
from engine.games.robotory.routes import ends_over, least_route
from tests.support.rules import after, changed, hand, moves, refused, why_not
from tests.support.sampling import a_few

GAME = Robotory()
MIRRORED = Robotory({"mirror": True})
LIGHT, DARK = 0, 1
START = "......W.....B....R....../2w2b:2w2b 10w10b l"
FULL = "wbwbwbWbwbwbBwbwbRwbwbwb/1w1b:0w1b 1w1b l"
HEIGHTS = {"a": 2, "b": 1, "c": 0, "d": 1, "e": 2}


def neighbours(cell: str) -> set[str]:
    """Return the touching cells by the rule of columns and doubled heights."""

    def at(cell: str) -> tuple[int, int]:
        return ord(cell[0]), HEIGHTS[cell[0]] + 2 * (int(cell[1]) - 1)

    def apart(other: str) -> tuple[int, int]:
        return abs(at(cell)[0] - at(other)[0]), abs(at(cell)[1] - at(other)[1])

    return {other for other in GAME.cells() if apart(other) in ((0, 2), (1, 1))}


NEIGHBOURS = {cell: neighbours(cell) for cell in GAME.cells()}


def board(
    tokens: str = "", rest: str = "2w2b:2w2b 4w4b l", robots: str = "b3 c4 d3"
) -> RobotoryPosition:
    """Return the position with tokens such as `w:c3` and the white, black and red robot."""
    pieces = dict(zip(robots.split(), "WBR", strict=True))
    pieces |= {cell: colour for colour, cell in (token.split(":") for token in tokens.split())}
    return GAME.parse_position("".join(pieces.get(cell, ".") for cell in GAME.cells()) + "/" + rest)


def actions(position: RobotoryPosition, letter: str = "") -> set[str]:
    """Return the texts of the legal actions that begin with the letter."""
    return {text for text in moves(GAME, position) if text.startswith(letter)}


def paths(position: RobotoryPosition) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield every path of every robot, cell by cell."""
    standing = GAME.pieces(position)
    food = {"W": "w", "B": "b", "R": "wb"}

    def further(robot: str, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        for cell in sorted(NEIGHBOURS[path[-1]]):
            if cell in standing and standing[cell].kind in food[robot] and cell not in path:
                yield (*path, cell)
                yield from further(robot, (*path, cell))

    for start, piece in standing.items():
        if piece.kind in food:
            for path in further(piece.kind, (start,)):
                yield piece.kind, path


def random_games(count: int, game: Robotory = GAME) -> Iterator[list[RobotoryPosition]]:
    rng = random.Random(f"robotory {count}")
    for _ in range(count):
        line = [game.start()]
        while moves := game.legal(line[-1]):
            line.append(game.play(line[-1], rng.choice(moves)))
        yield line


# ---- board and start


def test_the_board_has_24_cells_and_55_borders() -> None:
    columns = Counter(cell[0] for cell in GAME.cells())
    assert columns == {"a": 4, "b": 5, "c": 6, "d": 5, "e": 4}
    assert list(GAME.cells()) == sorted(GAME.cells())
    assert sum(map(len, NEIGHBOURS.values())) == 2 * 55
    assert NEIGHBOURS["c3"] == {"b2", "b3", "c2", "c4", "d2", "d3"}


def test_robots_step_between_cells_that_touch_and_no_others() -> None:
    for start in GAME.cells():
        for cell in set(GAME.cells()) - {start}:
            others = [other for other in GAME.cells() if other not in (start, cell)]
            position = board(f"w:{cell}", robots=f"{others[0]} {others[1]} {start}")
            assert (f"M R {start}-{cell}" in actions(position)) is (cell in NEIGHBOURS[start])


def test_camps_and_robots_are_as_in_every_source() -> None:
    light, dark = GAME.camps
    assert " ".join(sorted(light)) == "a1 b1 b2 c1 c2 c3 d1 d2 d3 e1 e2 e3"
    assert light | dark == set(GAME.cells())
    assert len(dark) == 12
    standing = GAME.pieces(GAME.start())
    assert {cell: standing[cell].kind for cell in GAME.cells() if cell in standing} == {
        "b3": "W",
        "c4": "B",
        "d3": "R",
    }
    assert GAME.position_text(GAME.start()) == START
    assert GAME.turn(GAME.start()) == LIGHT


def test_half_a_turn_of_the_board_swaps_the_camps() -> None:
    order = GAME.cells()
    turned = dict(zip(order, reversed(order), strict=True))
    light, dark = GAME.camps
    assert {turned[cell] for cell in light} == dark
    assert turned["b3"] == "d3"
    assert turned["c4"] == "c3"


def test_the_mirrored_board_is_the_mirror_image() -> None:
    def mirrored(cell: str) -> str:
        return "edcba"["abcde".index(cell[0])] + cell[1]

    for camp, other in zip(GAME.camps, MIRRORED.camps, strict=True):
        assert {mirrored(cell) for cell in camp} == other
    assert MIRRORED.position_text(MIRRORED.start()) == START.replace("W", "x").replace(
        "R", "W"
    ).replace("x", "R")
    assert [MIRRORED.perft(MIRRORED.start(), depth) for depth in (1, 2, 3)] == [42, 1699, 69_768]


def test_what_lies_beside_the_board_at_the_start() -> None:
    standing = GAME.pieces(GAME.start())
    assert {place: standing[place] for place in GAME.trays() if place in standing} == {
        "stock.light.w": Piece(LIGHT, "w", 1, 2),
        "stock.light.b": Piece(LIGHT, "b", -1, 2),
        "stock.dark.w": Piece(DARK, "w", 1, 2),
        "stock.dark.b": Piece(DARK, "b", -1, 2),
        "pool.w": Piece(None, "w", 1, 10),
        "pool.b": Piece(None, "b", -1, 10),
    }
    assert GAME.unsensed == {"discard"}


# ---- counting


@pytest.mark.parametrize(
    ("depth", "count"),
    a_few([(1, 42), (2, 1_699), (3, 69_768), (4, 2_785_244), (5, 89_011_768)], 4),
)
def test_action_sequences_are_as_many_as_others_count(depth: int, count: int) -> None:
    assert GAME.perft(GAME.start(), depth) == count


# ---- placing


def test_a_token_goes_from_the_own_stock_onto_any_free_cell() -> None:
    placements = actions(GAME.start(), "P")
    free = set(GAME.cells()) - {"b3", "c4", "d3"}
    assert placements == {f"P {colour} {cell}" for colour in "wb" for cell in free}
    placed = after(GAME, GAME.start(), "P w c3")
    assert placed == board("w:c3", "1w2b:2w2b 10w10b d")
    assert after(GAME, placed, "P b a4") == board("w:c3 b:a4", "1w2b:2w1b 10w10b l")


@pytest.mark.parametrize(
    ("stock", "tokens", "text", "reason"),
    [
        ("2w2b", "w:c3", "P w c3", "taken c3"),
        ("2w2b", "w:c3", "P w b3", "taken b3"),
        ("0w2b", "", "P w c3", "no-white c3"),
        ("2w0b", "", "P b c3", "no-black c3"),
        ("0w0b", "", "P w c3", "stock-empty c3"),
    ],
)
def test_a_token_that_cannot_be_placed(stock: str, tokens: str, text: str, reason: str) -> None:
    position = board(tokens, f"{stock}:2w2b 4w4b l")
    assert refused(GAME, position, text) == reason
    assert text not in actions(position)


# ---- moving robots


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("M W b3-c3", "wrong-energy b3 c3"),
        ("M B c4-b4", "wrong-energy c4 b4"),
        ("M W b3-a3", "no-energy b3 a3"),
        ("M W b3-b2-b3", "no-energy b2 b3"),
        ("M W b3-b2-b3-b2", "no-energy b2 b3"),
        ("M W b3-c4", "robot-there b3 c4"),
        ("M W b3-d4", "not-adjacent b3 d4"),
        ("M W b2-b1", "robot-elsewhere b2"),
    ],
)
def test_a_way_that_no_robot_goes_is_refused(text: str, reason: str) -> None:
    assert refused(GAME, board("w:b2 b:c3 b:c5 w:b4 w:d4 b:e3"), text) == reason


def test_robots_go_where_their_paths_lead_and_nowhere_else() -> None:
    for line in random_games(25):
        for position in line[:-1:2]:
            least: dict[tuple[str, str, frozenset[str]], str] = {}
            for robot, path in paths(position):
                key = robot, path[-1], frozenset(path[1:])
                text = f"M {robot} {'-'.join(path)}"
                least[key] = min(least.get(key, text), text)
                assert GAME.move_text(position, GAME.parse_move(position, text)) <= text
            assert actions(position, "M") == set(least.values())


def test_the_ends_of_routes_over_all_cells_have_a_route() -> None:
    rng = random.Random(5)
    for _ in range(60):
        cells = rng.sample(range(24), rng.randint(1, 9))
        start = rng.choice([index for index in range(24) if index not in cells])
        left = sum(1 << index for index in cells)
        ends = ends_over(start, left)
        assert {end for end in range(24) if ends >> end & 1} == {
            end for end in cells if least_route(start, end, left) is not None
        }


@pytest.mark.deep
def test_a_full_board_has_196_947_outcomes_for_the_red_robot() -> None:
    position = GAME.parse_position(FULL)
    began = process_time()
    legal = GAME.legal(position)
    spent = process_time() - began
    red = [move for move in legal if isinstance(move, MoveRobot) and move.robot == "R"]
    assert len(set(red)) == len(red) == 196_947
    assert len(legal) == len(list(legal)) == GAME.leaves(position)
    assert spent < 1, "a tenth of that is usual"


def test_thousands_of_actions_are_a_sequence_like_any_other() -> None:
    position = GAME.parse_position(FULL)
    legal = GAME.legal(position)
    every = list(legal)
    for at in (0, 1, 2, 500, 100_000, len(every) - 1, -1, -len(every)):
        assert legal[at] == every[at]
    assert legal[5:9] == tuple(every[5:9])
    with pytest.raises(IndexError):
        legal[len(every)]
    for move in random.Random(1).sample(every, 200):
        text = GAME.move_text(position, move)
        assert GAME.parse_move(position, text) == move
        assert GAME.changes(position, move) == Game.changes(GAME, position, move)


def test_a_robot_move_without_a_path_is_refused() -> None:
    position = board("w:c3 w:c2 w:e1")

    def eaten(*cells: str) -> int:
        return sum(1 << GAME.cells().index(cell) for cell in cells)

    assert GAME.play(position, MoveRobot("W", "c2", eaten("c3", "c2")))
    for move in (
        MoveRobot("W", "c2", eaten("c2")),
        MoveRobot("W", "c3", eaten("c3", "c2")),
        MoveRobot("W", "e1", eaten("c3", "c2", "e1")),
        MoveRobot("W", "c2", eaten("c3")),
        MoveRobot("W", "c3", 0),
        MoveRobot("B", "c3", eaten("c3")),
        MoveRobot("Z", "c3", eaten("c3")),
    ):
        with pytest.raises(IllegalMoveError):
            GAME.play(position, move)


# ---- refilling


@pytest.mark.parametrize(
    ("rest", "go_on", "end"),
    [
        ("1w1b:2w2b 10w10b l", "2w 1w1b 2b", ""),
        ("0w1b:2w2b 10w10b l", "3w 2w1b 1w2b 3b", ""),
        ("0w0b:2w2b 10w10b l", "4w 3w1b 2w2b 1w3b 4b", ""),
        # the last token of a colour ends the refill and the game
        ("0w0b:2w2b 2w5b l", "1w3b 4b", "2w 2w1b 2w2b"),
        # and so does a pool that cannot fill the stock
        ("0w0b:2w2b 1w1b l", "", "1w 1b 1w1b"),
    ],
)
def test_a_refill_makes_the_stock_four_again(rest: str, go_on: str, end: str) -> None:
    position = board("", rest)
    assert actions(position, "F") == {f"F {each}" for each in (go_on + " " + end).split()}
    for text in end.split():
        assert GAME.outcome(after(GAME, position, f"F {text}")) is not None
    for text in go_on.split():
        assert GAME.outcome(after(GAME, position, f"F {text}")) is None


def test_a_refill_goes_from_the_pool_into_the_stock() -> None:
    before, refilled = board("", "0w1b:2w2b 10w10b l"), board("", "2w2b:2w2b 8w9b d")
    assert after(GAME, before, "F 2w1b") == refilled


@pytest.mark.parametrize(
    ("rest", "text", "reason"),
    [
        ("2w2b:0w0b 10w10b l", "F 1w", "stock-full stock.light.w stock.light.b"),
        ("2w1b:0w0b 10w10b l", "F 2w", "refill-to-four stock.light.w stock.light.b"),
        ("0w1b:0w0b 10w10b l", "F 2w", "refill-to-four stock.light.w stock.light.b"),
        ("0w1b:0w0b 2w10b l", "F 3w", "pool-short pool.w"),
    ],
)
def test_a_refill_that_cannot_be(rest: str, text: str, reason: str) -> None:
    assert refused(GAME, board("", rest), text) == reason
    assert text not in actions(board("", rest))


# ---- the end


@pytest.mark.parametrize(
    ("robots", "winner", "points"),
    [
        ("b3 c4 d3", DARK, (1, 2)),
        ("b2 c4 d3", LIGHT, (2, 1)),
        ("b2 c3 d3", LIGHT, (3, 0)),
        ("b3 c4 d4", DARK, (0, 3)),
    ],
)
def test_two_robots_in_the_own_camp_win(robots: str, winner: int, points: tuple[int, int]) -> None:
    for side in "ld":
        position = board("", f"1w1b:1w1b 2w5b {side}", robots)
        assert GAME.outcome(position) is None
        won = Outcome(frozenset({winner}), "energy", points)
        assert GAME.outcome(after(GAME, position, "F 2w")) == won


def test_on_the_mirrored_board_the_mirrored_camps_count() -> None:
    text = GAME.position_text(board("", "1w1b:1w1b 2w5b l", "e1 e2 a4"))
    printed, mirrored = (game.outcome(after(game, text, "F 2w")) for game in (GAME, MIRRORED))
    assert printed == Outcome(frozenset({LIGHT}), "energy", (2, 1))
    assert mirrored == Outcome(frozenset({DARK}), "energy", (1, 2))


def test_every_game_ends_soon_with_a_winner_and_all_tokens() -> None:
    for line in random_games(60):
        assert 17 <= len(line) - 1 <= 55
        ended = GAME.outcome(line[-1], line[:-1])
        assert ended is not None
        assert len(ended.winners) == 1
        for position in line:
            assert GAME.outcome(position) is None or position is line[-1]
            standing = GAME.pieces(position)
            count = sum(piece.count for piece in standing.values() if piece.kind in "wbt")
            assert count == 28
            assert sum(piece.kind in "WBR" for piece in standing.values()) == 3


# ---- changes


EATEN = {"d3": "-", "c3": "-", "c2": "-", "d1": "R", "discard": "t"}
REFILLED = {"stock.light.w": "w2", "stock.light.b": "b2", "pool.w": "w8", "pool.b": "b2"}


@pytest.mark.parametrize(
    ("tokens", "rest", "text", "expected"),
    [
        ("", "2w2b:2w2b 10w10b l", "P w c3", {"c3": "w", "stock.light.w": "w1"}),
        ("", "1w0b:2w1b 10w10b d", "P b a1", {"a1": "b", "stock.dark.b": "-"}),
        ("w:c3 b:c2 w:d1", "2w2b:2w2b 4w4b l", "M R d3-c3-c2-d1", EATEN),
        ("", "0w1b:2w2b 10w3b l", "F 2w1b", REFILLED),
    ],
)
def test_an_action_changes_its_cells_and_slots(
    tokens: str, rest: str, text: str, expected: dict[str, str]
) -> None:
    assert changed(GAME, board(tokens, rest), text) == expected


def test_what_a_robot_eats_is_counted() -> None:
    eaten = after(GAME, board("w:c3 b:c2 w:d1"), "M R d3-c3-c2-d1")
    assert GAME.pieces(eaten)["discard"].count == board("w:c3 b:c2 w:d1").discarded + 3


def test_changes_of_what_cannot_be_played_are_refused() -> None:
    full: list[Action] = [Refill(1, 0), PlaceToken("w", "c4"), MoveRobot("W", "b2", 1 << 5)]
    for move in full:
        with pytest.raises(IllegalMoveError):
            GAME.changes(GAME.start(), move)


# ---- texts


@pytest.mark.parametrize(
    "text",
    ["P w", "P r c3", "w c3", "M R d3", "M R d3c3", "M X d3-c3", "F", "F 5w", "F 0w", "F 1b1w"],
)
def test_what_is_no_action_says_what_one_looks_like(text: str) -> None:
    with pytest.raises(MoveError, match="expected a text like P w c3"):
        GAME.parse_move(GAME.start(), text)


def test_blanks_do_not_matter() -> None:
    assert GAME.parse_move(GAME.start(), "  P  w   c3 ") == PlaceToken("w", "c3")
    assert GAME.parse_position(START.replace(" ", "/")) == GAME.start()
    assert GAME.parse_position(START.replace("/", "  ")) == GAME.start()
    assert repr(GAME.start()) == f"Position('{START}')"


@pytest.mark.parametrize("text", ["P w a5", "M R d3-d6", "M R e5-e4"])
def test_a_cell_that_is_not_there_is_named(text: str) -> None:
    with pytest.raises(MoveError, match=r"there is no cell (a5|d6|e5)"):
        GAME.parse_move(GAME.start(), text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (START[1:], "cells '.....W.....B....R......': 23 signs instead of 24"),
        (START.replace("W", "x"), "'x' on b3 is not one of"),
        (START.replace("W", "."), "0 robots W instead of 1"),
        (START.replace(".R", "RR"), "2 robots R instead of 1"),
        (START.replace("2w2b:2w2b", "2w2b"), "stocks '2w2b': expected a text like 2w2b:1w0b"),
        (START.replace("2w2b:", "3w2b:"), "stock of light: 5 tokens, but it holds only 4"),
        (START.replace(":2w2b", ":0w5b"), "stock of dark '0w5b': at most 4 of a colour"),
        (START.replace(":2w2b", ":2wb"), "stock of dark '2wb': expected a text like 2w1b"),
        (START.replace("10w10b", "11w10b"), "pool '11w10b': at most 10 of a colour"),
        (START.replace("10w10b", "10w"), "pool '10w': expected a text like 2w1b"),
        (START.replace("b l", "b x"), "side to move 'x': expected l or d"),
        (START.replace(".", "w", 1), "cells, stocks and pool: 15 white tokens"),
        (START.replace("..", "bb", 1), "cells, stocks and pool: 16 black tokens"),
        (START[:24], "expected cells, stocks, pool and side"),
        (f"{START} tired:light", "ending 'tired:light'"),
        (f"{START} resigned:light 1", "expected cells, stocks, pool and side"),
    ],
)
def test_impossible_positions_are_refused_with_the_field(text: str, message: str) -> None:
    with pytest.raises(PositionError) as caught:
        GAME.parse_position(text)
    assert message in str(caught.value)


# ---- threats and reasons


def test_robots_that_can_be_carried_off_are_named_with_where_to() -> None:
    assert GAME.threats(GAME.start()) == ()
    position = board("b:c3 w:d4 b:e4")
    assert GAME.threats(position) == (Threat("reach", "d3", ("d4", "e4")),)
    dark = board("w:b2 b:c3 w:a1", "2w2b:2w2b 4w4b d")
    assert GAME.threats(dark) == (
        Threat("reach", "b3", ("a1", "b2")),
        Threat("reach", "c4", ("c3",)),
    )


HERE = "2w2b:2w2b 4w4b l"


@pytest.mark.parametrize(
    ("rest", "what", "reason"),
    [
        (HERE, hand("b3", "b2"), "no-energy b3 b2"),
        (HERE, hand("b3", "", "d4"), "wrong-energy b3 d4"),
        (HERE, hand("b3", "", "c2"), "not-adjacent b3 c2"),
        (HERE, hand("b3", "", "c4"), "robot-there b3 c4"),
        (HERE, hand("b3 d1", "", "c3"), "wrong-energy b3 d1"),
        (HERE, hand("b3 a1", "", "c3"), "no-way b3 c3"),
        (HERE, hand("b3 c4"), "one-robot b3 c4"),
        (HERE, hand("b3", "b2 b1"), "one-action b3 b2"),
        (HERE, hand("b3", "b1", "stock.light.w"), "one-action b3 b1"),
        (HERE, hand("b3", "", "c3 d4"), "one-action b3 d4"),
        (HERE, hand("a1"), "energy-stays a1"),
        (HERE, hand("a1", "a2"), "energy-stays a1"),
        (HERE, hand("", "a2 a3"), "one-action a2 a3"),
        (HERE, hand("", "a2", "stock.dark.w"), "not-your-stock stock.dark.w"),
        (HERE, hand("", "a2", "pool.w"), "not-from-pool a2"),
        (HERE, hand("", "", "a1 stock.light.b"), "taken a1"),
        (HERE, hand("", "", "stock.dark.b"), "not-your-stock stock.dark.b"),
        (HERE, hand("", "", "pool.b"), "stock-full"),
        ("1w1b:2w2b 4w4b l", hand("", "", "pool.w stock.light.w"), "refill-to-four"),
        # the hand may be of the other player
        (HERE, hand("", "a2", "stock.light.w", DARK), "not-your-stock stock.light.w"),
        # a token from nowhere says what the stock lacks
        ("0w0b:2w2b 4w4b l", hand("", "a2"), "stock-empty a2"),
        ("0w2b:2w2b 4w4b l", hand("", "a2"), "no-white a2"),
        ("2w0b:2w2b 4w4b l", hand("", "a2"), "no-black a2"),
        # what a hand may do has no reason
        (HERE, hand("", "a2"), ""),
        (HERE, hand("b3", "", "c3"), ""),
        (HERE, hand("b3 c3", "", "c2"), ""),
        (HERE, hand("b3"), ""),
        (HERE, hand("b3 c3"), ""),
    ],
)
def test_a_hand_that_errs_hears_why(rest: str, what: Attempt, reason: str) -> None:
    assert why_not(GAME, board("w:c3 w:c2 b:d4 b:d1 w:a1", rest), what) == reason
