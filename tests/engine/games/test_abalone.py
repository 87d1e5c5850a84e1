"""Abalone: its rules, layouts, options, texts and reasons."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest

from engine.game import (
    Attempt,
    Claim,
    MoveError,
    Outcome,
    Piece,
    PositionError,
    Threat,
)
from engine.games.abalone import Abalone, AbaloneMove, AbalonePosition
from engine.games.abalone.options import LAYOUTS
from tests.support.rules import after, changed, hand, line, refused, why_not
from tests.support.sampling import a_few

GAME = Abalone()
BLACK, WHITE = 0, 1
STEPS = {"E": (0, 1), "W": (0, -1), "NE": (1, 1), "SW": (-1, -1), "NW": (1, 0), "SE": (-1, 0)}


def step(cell: str, direction: str, distance: int = 1) -> str:
    """Return the neighbour by the letters and numbers alone, on the board or not."""
    up, along = STEPS[direction]
    return chr(ord(cell[0]) + up * distance) + str(int(cell[1:]) + along * distance)


def board(black: str = "", white: str = "") -> AbalonePosition:
    """Return the position with black to move, these marbles, and enough others that nobody has
    lost yet: black ones in the uppermost rows, white ones in the lowest.
    """
    pieces = dict.fromkeys(black.split(), "S") | dict.fromkeys(white.split(), "s")
    upper, lower = GAME.cells()[:11], GAME.cells()[:-12:-1]
    for sign, cells in ("S", upper), ("s", lower):
        for cell in cells:
            if list(pieces.values()).count(sign) < 9:
                pieces.setdefault(cell, sign)
    rows = (
        "".join(pieces.get(cell, "1") for cell in GAME.cells() if cell[0] == letter)
        for letter in "ihgfedcba"
    )
    out = [14 - list(pieces.values()).count(sign) for sign in "sS"]
    return GAME.parse_position(f"{'/'.join(rows)} {out[0]} {out[1]} b 0 1")


def marbles(position: AbalonePosition) -> tuple[set[str], set[str]]:
    """Return the cells of black and of white."""
    standing = GAME.pieces(position)
    black = {cell for cell in GAME.cells() if standing.get(cell) == Piece(BLACK, "b", 1)}
    white = {cell for cell in GAME.cells() if standing.get(cell) == Piece(WHITE, "w", -1)}
    return black, white


def random_positions(layout: str, count: int, seed: int = 0) -> list[AbalonePosition]:
    """Return positions of random games that are not over, forced pushes preferred."""
    rng, game, found = random.Random(f"{layout} {seed}"), Abalone({"layout": layout}), []
    position = game.start()
    while len(found) < count:
        moves = game.legal(position)
        if not moves:
            position = game.start()
            continue
        found.append(position)
        pushes = [move for move in moves if move.pushed]
        some = pushes if pushes and rng.random() < 0.5 else moves
        position = game.play(position, rng.choice(some))
    return found


# ---- board and layouts


def test_the_board_has_61_cells_in_reading_order() -> None:
    cells = GAME.cells()
    assert cells[:5] == ("i5", "i6", "i7", "i8", "i9")
    assert cells[-5:] == ("a1", "a2", "a3", "a4", "a5")
    assert list(Counter(cell[0] for cell in cells).values()) == [5, 6, 7, 8, 9, 8, 7, 6, 5]
    assert all(abs("abcdefghi".index(cell[0]) + 1 - int(cell[1])) <= 4 for cell in cells)
    assert GAME.trays() == ("out.black", "out.white")


@pytest.mark.parametrize(
    ("layout", "black", "white"),
    [
        (
            "standard",
            "a1 a2 a3 a4 a5 b1 b2 b3 b4 b5 b6 c3 c4 c5",
            "g5 g6 g7 h4 h5 h6 h7 h8 h9 i5 i6 i7 i8 i9",
        ),
        (
            "belgian_daisy",
            "a1 a2 b1 b2 b3 c2 c3 g7 g8 h7 h8 h9 i8 i9",
            "a4 a5 b4 b5 b6 c5 c6 g4 g5 h4 h5 h6 i5 i6",
        ),
    ],
)
def test_layouts_are_as_in_every_source(layout: str, black: str, white: str) -> None:
    start = Abalone({"layout": layout}).start()
    assert marbles(start) == ({*black.split()}, {*white.split()})
    assert GAME.turn(start) == BLACK


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_turns_into_itself(layout: str) -> None:
    game = Abalone({"layout": layout})
    black, white = marbles(game.start())
    turned = {chr(ord("a") + ord("i") - ord(cell[0])) + str(10 - int(cell[1])) for cell in black}
    assert turned in (black, white)
    assert game.position_text(game.start()) == f"{LAYOUTS[layout]} 0 0 b 0 1"
    assert len(LAYOUTS) == len({*LAYOUTS.values()}) == 11


# ---- counting


COUNTS = {
    "standard": (44, 1_936, 98_912, 5_045_110),
    "belgian_daisy": (52, 2_692, 149_322, 8_270_666),
    "german_daisy": (80, 6_244, 493_480, 38_240_570),
}


@pytest.mark.parametrize("layout", COUNTS)
@pytest.mark.parametrize("depth", a_few((1, 2, 3, 4), 3))
def test_move_sequences_are_as_many_as_others_count(layout: str, depth: int) -> None:
    game = Abalone({"layout": layout})
    assert game.perft(game.start(), depth) == COUNTS[layout][depth - 1]


def by_hand(position: AbalonePosition) -> Iterator[tuple[str, frozenset[str], frozenset[str]]]:
    """Yield each move's text and the marbles of both sides after it, worked out cell by cell."""
    cells, sides = set(GAME.cells()), marbles(position)
    mine, theirs = sides[position.turn], sides[1 - position.turn]
    for rear in mine:
        for direction in STEPS:
            ahead = [step(rear, direction, distance) for distance in range(10)]
            own = next(n for n in range(10) if ahead[n] not in mine)
            enemy = next(n for n in range(10 - own) if ahead[own + n] not in theirs)
            end = ahead[own + enemy]
            if own > 3 or enemy >= own or end in mine or (end not in cells and not enemy):
                continue
            left = theirs - {ahead[own]} | ({end} & cells if enemy else set())
            yield rear + ahead[1], frozenset(mine - {rear} | {ahead[own]}), frozenset(left)
        for axis in ("E", "NW", "NE"):
            for length in (2, 3):
                line = [step(rear, axis, distance) for distance in range(length)]
                for direction in STEPS:
                    ends = [step(cell, direction) for cell in line]
                    free = cells - mine - theirs
                    if mine.issuperset(line) and free.issuperset(ends):
                        text = line[0] + line[-1] + ends[0]
                        yield text, frozenset(mine - {*line} | {*ends}), frozenset(theirs)


def outcomes_of(position: AbalonePosition) -> dict[str, tuple[frozenset[str], frozenset[str]]]:
    """Return the same from the game."""
    found = {}
    for move in GAME.legal(position):
        sides = marbles(GAME.play(position, move))
        mine, theirs = sides[position.turn], sides[1 - position.turn]
        found[GAME.move_text(position, move)] = frozenset(mine), frozenset(theirs)
    return found


@pytest.mark.parametrize("layout", a_few([*LAYOUTS], 4))
def test_moves_are_those_worked_out_cell_by_cell(layout: str) -> None:
    for position in random_positions(layout, 25):
        by_text = {text: sides for text, *sides in by_hand(position)}
        assert outcomes_of(position) == {text: tuple(sides) for text, sides in by_text.items()}


@pytest.mark.deep
@pytest.mark.parametrize("layout", LAYOUTS)
def test_moves_are_those_of_abalone_boai(layout: str) -> None:
    peer = pytest.importorskip("abalone.game")
    enums = pytest.importorskip("abalone.enums")
    directions = {getattr(enums.Direction, name): name for name in STEPS}
    for position in random_positions(layout, 100, seed=1):
        game = peer.Game(first_turn=enums.Player.WHITE if position.turn else enums.Player.BLACK)
        for row in game.board:
            row[:] = [enums.Marble.BLANK] * len(row)
        for side, name in zip(marbles(position), ("BLACK", "WHITE"), strict=True):
            for cell in side:
                game.set_marble(enums.Space[cell.upper()], enums.Marble[name])
        texts = set()
        for row, direction in game.generate_legal_moves():
            ends = [space.name.lower() for space in (row if isinstance(row, tuple) else (row,))]
            ends.sort(key=lambda cell: (cell[0], int(cell[1])))
            texts.add("".join(ends) + step(ends[0], directions[direction]))
        assert texts == {move.text for move in GAME.legal(position)}


# ---- moves


@pytest.mark.parametrize(
    ("row", "text", "canonical"),
    [("e4 e5 e6", "e6e4f7", "e4e6f5"), ("d5 e5 f5", "f5d5f6", "d5f5d6")],
)
def test_the_lower_end_of_a_row_is_named_first(row: str, text: str, canonical: str) -> None:
    position = board(row)
    assert GAME.move_text(position, GAME.parse_move(position, text)) == canonical


@pytest.mark.parametrize(
    ("black", "white", "text", "reason"),
    [
        ("e4", "e5", "e4e5", "not-outnumbered e5"),
        ("e4 e5", "e6 e7", "e4e5", "not-outnumbered e6 e7"),
        ("e2 e3 e4", "e5 e6 e7", "e2e3", "not-outnumbered e5 e6 e7"),
        ("e8", "e9", "e8e9", "not-outnumbered e9"),
        ("e2 e3 e4 e5", "e6 e7 e8", "e3e4", "not-outnumbered e6 e7 e8"),
        ("e2 e3 e4 e5", "", "e2e3", "four-marbles e2 e3 e4 e5"),
        ("e2 e3 e4 e5", "e6", "e2e3", "four-marbles e2 e3 e4 e5"),
        ("e4 e5 e7", "e6", "e4e5", "own-marble-behind e7"),
        ("e3 e4 e5 e8", "e6 e7", "e3e4", "own-marble-behind e8"),
        ("e8 e9", "", "e8e9", "off-board e9"),
        ("e1", "", "f2f3", "nothing-there f2"),
        ("e4", "e5", "e5e6", "not-yours e5"),
        ("e4 e5", "f5", "e4e5f4", "blocked f5"),
        ("e4 e5", "f5", "e4e5f5", "blocked f5"),
        ("e8 e9", "", "e8e9f9", "off-board e9"),
        ("e4 e5 e6", "", "e4e6e5", "must-go-aside e4 e5"),
        ("e4 e5 e6 e7", "", "e4e7f4", "four-marbles e4 e5 e6 e7"),
        ("e4 e6", "", "e4e6f4", "nothing-there e5"),
        ("e4 f6", "", "e4f6f4", "not-in-line e4 f6"),
        ("e4 e5", "", "e4e5g5", "too-far e4 g5"),
        ("e4", "", "e4e6", "too-far e4 e6"),
        ("e4", "", "e4f6", "too-far e4 f6"),
    ],
)
def test_what_the_rules_forbid_is_refused(black: str, white: str, text: str, reason: str) -> None:
    assert refused(GAME, board(black, white), text) == reason


def test_a_cell_that_is_not_there_is_named() -> None:
    with pytest.raises(MoveError, match="there is no cell f1"):
        GAME.parse_move(board("e1 e2"), "e1e2f1")


def test_a_move_is_a_value_that_cannot_be_nonsense() -> None:
    position = board("e4 e5", "e6")
    push = AbaloneMove(("e4", "e5"), "e5", ("e6",))
    assert push in GAME.legal(position)
    assert hash(push) == hash(GAME.parse_move(position, "e4e5"))
    for nonsense in (
        ((), "e5"),
        (("e4",), "e6"),
        (("e4",), "z9"),
        (("e4", "e5", "e6", "e7"), "e5"),
        (("e4", "e5"), "e5", ("e7",)),
        (("e4",), "e5", ("e5",)),
        (("e4", "e5"), "e5", ("e6",), True),
        (("e8", "e9"), "e9"),
        (("e5", "e4"), "f5"),
        (("e4", "e5"), "f5", ("f6",)),
        (("e8", "e9"), "f9"),
    ):
        with pytest.raises(ValueError, match="impossible move"):
            AbaloneMove(*nonsense)  # type: ignore[arg-type]


# ---- changes and paths


EJECTING = {"e5": "-", "e8": "b", "out.white": "w6"}


@pytest.mark.parametrize(
    ("black", "white", "text", "expected", "between"),
    [
        ("e4 e5 e6", "", "e4e5", {"e4": "-", "e7": "b"}, "e5 e6"),
        ("e4 e5 e6", "", "e6e7", {"e6": "-", "e7": "b"}, ""),
        ("e4 e5", "", "e4e5f4", {"e4": "-", "e5": "-", "f4": "b", "f5": "b"}, ""),
        ("e3 e4 e5", "e6 e7", "e3e4", {"e3": "-", "e6": "b", "e8": "w"}, "e4 e5 e7"),
        ("e5 e6 e7", "e8 e9", "e5e6", EJECTING, "e6 e7 e9"),
    ],
)
def test_a_move_changes_the_ends_of_what_moves_and_crosses_the_rest(
    black: str, white: str, text: str, expected: dict[str, str], between: str
) -> None:
    position = board(black, white)
    assert changed(GAME, position, text) == expected
    move = GAME.parse_move(position, text)
    assert isinstance(move, AbaloneMove)
    assert GAME.path(position, move) == {*between.split()}


# ---- the end


def test_six_ejected_marbles_win() -> None:
    position = board("e7 e8", "e9")
    assert (position.ejected, GAME.outcome(position)) == ((5, 5), None)
    won = Outcome(frozenset({BLACK}), "six-ejected", (6, 5))
    assert GAME.outcome(after(GAME, position, "e7e8")) == won


def test_a_side_without_a_move_loses() -> None:
    text = "5/6/6s/7s/1ss4sS/6sS/2ss1sS/sssssS/SSSSS 0 5 b 0 1"
    position = GAME.parse_position(text)
    assert GAME.legal(position) == []
    assert GAME.outcome(position) == Outcome(frozenset({WHITE}), "no-move", (0, 5))


def test_the_third_time_is_a_draw_unless_repetition_is_off() -> None:
    positions = line(GAME, GAME.start(), *["c3d3", "g5f4", "d3c3", "f4g5"] * 2)
    drawn = Outcome(frozenset(), "repetition", (0, 0))
    assert GAME.outcome(positions[8], positions[:8]) == drawn
    assert all(GAME.outcome(positions[at], positions[:at]) is None for at in range(8))
    off = Abalone({"repetition": "off"})
    assert off.outcome(positions[8], positions[:8] * 9) is None


def test_a_flag_that_falls_loses() -> None:
    for minutes in ("none", 10, 15):
        game = Abalone({"clock": minutes})
        fallen = after(game, game.start(), "white flag")
        assert game.outcome(fallen) == Outcome(frozenset({BLACK}), "flag", (0, 0))
        assert game.parse_position(game.position_text(fallen)) == fallen


@pytest.mark.parametrize(
    ("black", "white", "winners", "reason"),
    [
        ("i5 i6 i7 i8 i9 h4 h5 h6 h7 h8", "", {BLACK}, "flag-ejections"),
        ("", "a1 a2 a3 a4 a5 b1 b2 b3 b4 b5", {WHITE}, "flag-ejections"),
        ("", "", set(), "flag-equal"),
    ],
)
def test_when_a_flag_falls_ejections_may_count(
    black: str, white: str, winners: set[int], reason: str
) -> None:
    game = Abalone({"clock": 15, "flag_rule": "ejections"})
    position = board(black, white)
    for seat in (BLACK, WHITE):
        fallen = game.play(position, Claim(seat, "flag"))
        assert game.outcome(fallen) == Outcome(frozenset(winners), reason, position.ejected)


# ---- texts


@pytest.mark.parametrize(
    ("black", "white", "nacre", "text"),
    [
        ("e4 e5 e6", "", "e4e7", "e4e5"),
        ("e4 e5 e6", "", "e4f7", "e4e6f5"),
        ("e4 e5", "", "e5f4", "e4e5f4"),
        ("e3 e4 e5", "e6 e7", "e3e6", "e3e4"),  # to the last own marble …
        ("e3 e4 e5", "e6 e7", "e3e8", "e3e4"),  # … or to the last one of all
        ("e5 e6 e7", "e8 e9", "e5e8", "e5e6"),
        ("e5 e6 e7", "e8 e9", "e5e9", "e5e6"),
        ("c3 c4", "", "c3d4", "c3d4"),  # cells that touch are no broadside, though Nacre has one
        ("c3", "", " C3D3 ", "c3d3"),
    ],
)
def test_nacre_is_read_where_one_move_can_be_meant(
    black: str, white: str, nacre: str, text: str
) -> None:
    position = board(black, white)
    assert GAME.move_text(position, GAME.parse_move(position, nacre)) == text


def test_nacre_that_may_be_two_moves_is_refused() -> None:
    with pytest.raises(MoveError, match="it may be c3c4d4 or c3c5d3"):
        GAME.parse_move(board("c3 c4 c5"), "c3d5")


@pytest.mark.parametrize("text", ["a1", "a1b", "a1b2c3d4", "1a2b", "a1 b2", "j1j2", "a0a1", "flog"])
def test_what_is_no_move_says_what_one_looks_like(text: str) -> None:
    with pytest.raises(MoveError, match="expected a text like a1b2"):
        GAME.parse_move(GAME.start(), text)


def test_the_two_counters_are_read_and_forgotten() -> None:
    long = f"{LAYOUTS['standard']} 0 0 b 17 42"
    assert GAME.parse_position(long) == GAME.start()
    assert GAME.parse_position(f"{LAYOUTS['standard']} 0 0 b") == GAME.start()
    assert repr(GAME.start()) == f"Position('{LAYOUTS['standard']} 0 0 b 0 1')"


SOME = "sssss/ssssss/2sss2/8/9/8/2SSS2/SSSSSS"
ALL = f"{SOME}/SSSSS"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sssss 0 0 b 0 1", "board 'sssss': 1 rows instead of 9"),
        ("ssssss/5/7/8/9/8/7/6/5 0 0 b 0 1", "row i has 6 cells instead of 5"),
        ("ssss/ssssss/7/8/9/8/7/6/5 0 0 b 0 1", "row i has 4 cells instead of 5"),
        ("sssxs/ssssss/7/8/9/8/7/6/5 0 0 b 0 1", "'x' in row i is no marble"),
        ("ss0ss/ssssss/7/8/9/8/7/6/5 0 0 b 0 1", "'0' in row i is no marble"),
        (f"{ALL.replace('2s', '1ss', 1)} 0 0 b", "ejected by black '0': white has 15 marbles on"),
        (f"{SOME}/SSSS1 0 0 b", "ejected by white '0': black has 13 marbles on the board"),
        (f"{ALL} 1 0 b", "ejected by black '1': white has 14 marbles on the board"),
        ("1ssss/s5/2s4/8/9/8/2SSS2/SSSSSS/SSSSS 8 0 b", "'8': expected a number from 0 to 6"),
        ("sssss/s5/2ss3/8/9/8/2SSS2/SSSSSS/SSSSS 6 0 b", "lost 6 marbles must be to move"),
        (f"{ALL} 0 0 x 0 1", "side to move 'x'"),
        (f"{ALL} 0 0 b -1 1", "plies without ejection '-1'"),
        (f"{ALL} 0 0 b 0 ²", "move number '²'"),
        (f"{ALL} 0 0 b 0", "expected rows, ejected by"),
        (f"{ALL} 0 0 b 0 1 tired:black", "ending 'tired:"),
        (f"{ALL} 0 0 b 0 1 flag:grey", "ending 'flag:grey'"),
    ],
)
def test_impossible_positions_are_refused_with_the_field(text: str, message: str) -> None:
    with pytest.raises(PositionError) as caught:
        GAME.parse_position(text)
    assert message in str(caught.value)


# ---- threats and reasons


def test_marbles_that_can_be_pushed_off_are_threatened_and_free() -> None:
    position = board("e7 e8", "e9")
    assert GAME.threats(position) == (Threat("free", "e9", ("e7", "e8")),)
    assert GAME.threats(position.passed()) == (Threat("edge", "e9", ("e7", "e8")),)


def test_all_rows_that_push_a_marble_off_are_named() -> None:
    position = board("e6 e7 e8 d7 c6", "e9 d8")
    threats = GAME.threats(position)
    assert Threat("free", "e9", ("e6", "e7", "e8")) in threats
    assert {threat.kind for threat in threats} == {"free"}


@pytest.mark.parametrize(
    ("black", "white", "what", "reason"),
    [
        ("e4", "", hand("e4", "e6"), "too-far e4 e6"),
        ("e4", "", hand("e4", "f6"), "too-far e4 f6"),
        ("e4", "e5", hand("e4", "", "e5"), "not-outnumbered e5"),
        ("e4 e5", "e6 e7", hand("e4", "e8", "e5 e6 e7"), "not-outnumbered e6 e7"),
        ("e3 e4 e5", "e6 e7 e8", hand("e3", "e9"), "not-outnumbered e6 e7 e8"),
        ("e8 e9", "", hand("e8", "", "e9"), "off-board e9"),
        ("e9", "", hand("e9"), "off-board e9"),
        ("", "e5", hand("e5", "e6"), "not-yours e5"),
        ("", "e5", hand("e5"), "not-yours e5"),
        ("", "", hand("", "e5"), "from-outside e5"),
        ("e4 e5", "f5", hand("e4 e5", "f6", "f5"), "blocked f5"),
        ("e4 e5 e7", "", hand("e4 e5 e7", "f4 f5 f7"), "not-in-line e4 e7"),
        ("e3 e4 e5 e6", "", hand("e3 e4 e5 e6", "f3 f4 f5 f6"), "four-marbles e3 e4 e5 e6"),
        ("e2 e3 e4 e5", "", hand("e2", "e6"), "four-marbles e2 e3 e4 e5"),
        ("e2 e3 e4 e5", "", hand("e2", "", "e6"), "four-marbles e2 e3 e4 e5"),
        ("c5 d5 f5", "e5", hand("c5", "", "d5 e5 f5"), "own-marble-behind f5"),
        ("e4 e5", "", hand("e4 e5", "g4 g5"), "too-far e4 g4"),
        ("e4 e5", "", hand("e4 e5"), "off-board e4"),
        ("e8 e9", "", hand("e8 e9", "f9"), "off-board e9"),
        # the hand may be of either side
        ("e4", "d4", hand("e4", "e6", seat=WHITE), "not-yours e4"),
        ("e4", "d4", hand("e4", "e6", seat=BLACK), "too-far e4 e6"),
        # what it may do has no reason
        ("e4 e5", "e6", hand("e4", "e7", "e6"), ""),
        ("e4 e5", "e6", hand("e4 e5", "f5 f6"), ""),
        ("e4 e5", "e6", hand("e4 e5", "f5"), ""),
    ],
)
def test_a_hand_that_errs_hears_why(black: str, white: str, what: Attempt, reason: str) -> None:
    assert why_not(GAME, board(black, white), what) == reason
