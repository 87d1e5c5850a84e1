"""Abalone: its rules, layouts, options, texts and reasons."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from engine.game import (
    Attempt,
    Claim,
    Game,
    IllegalMoveError,
    MoveError,
    Outcome,
    Piece,
    PositionError,
    Threat,
)
from engine.games.abalone import Abalone, AbaloneMove, AbalonePosition
from engine.games.abalone.options import LAYOUTS
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
    rows = []
    for letter in "ihgfedcba":
        row = "".join(pieces.get(cell, ".") for cell in GAME.cells() if cell[0] == letter)
        rows.append("".join(str(len(part)) if "." in part else part for part in _runs(row)))
    out = [14 - list(pieces.values()).count(sign) for sign in "sS"]
    return GAME.parse_position(f"{'/'.join(rows)} {out[0]} {out[1]} b 0 1")


def _runs(row: str) -> Iterator[str]:
    run = ""
    for sign in row:
        if run and (sign == ".") != (run[0] == "."):
            yield run
            run = ""
        run += sign
    yield run


def played(position: AbalonePosition, *texts: str, game: Abalone = GAME) -> AbalonePosition:
    """Return the position after the moves."""
    return [position, *game.replay(position, texts)][-1]


def marbles(position: AbalonePosition) -> tuple[set[str], set[str]]:
    """Return the cells of black and of white."""
    standing = GAME.pieces(position)
    black = {cell for cell in GAME.cells() if standing.get(cell) == Piece(BLACK, "b", 1)}
    white = {cell for cell in GAME.cells() if standing.get(cell) == Piece(WHITE, "w", -1)}
    return black, white


def code(position: AbalonePosition, text: str) -> str:
    """Return why the move is refused."""
    with pytest.raises(IllegalMoveError) as caught:
        GAME.parse_move(position, text)
    assert caught.value.reason is not None
    return caught.value.reason.code


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


def test_the_standard_layout_is_as_in_every_source() -> None:
    black, white = marbles(GAME.start())
    assert " ".join(sorted(black)) == "a1 a2 a3 a4 a5 b1 b2 b3 b4 b5 b6 c3 c4 c5"
    assert " ".join(sorted(white)) == "g5 g6 g7 h4 h5 h6 h7 h8 h9 i5 i6 i7 i8 i9"
    assert GAME.turn(GAME.start()) == BLACK


def test_the_belgian_daisy_is_as_in_every_source() -> None:
    black, white = marbles(Abalone({"layout": "belgian_daisy"}).start())
    assert " ".join(sorted(black)) == "a1 a2 b1 b2 b3 c2 c3 g7 g8 h7 h8 h9 i8 i9"
    assert " ".join(sorted(white)) == "a4 a5 b4 b5 b6 c5 c6 g4 g5 h4 h5 h6 i5 i6"


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_has_fourteen_a_side_and_turns_into_itself(layout: str) -> None:
    game = Abalone({"layout": layout})
    black, white = marbles(game.start())
    assert len(black) == len(white) == 14
    turned = {chr(ord("a") + ord("i") - ord(cell[0])) + str(10 - int(cell[1])) for cell in black}
    assert turned in (black, white)
    text = f"{LAYOUTS[layout]} 0 0 b 0 1"
    assert game.position_text(game.start()) == text
    assert game.parse_position(text) == game.start()


def test_there_are_eleven_layouts() -> None:
    assert len({Abalone({"layout": layout}).start() for layout in LAYOUTS}) == 11


# ---- counting


@pytest.mark.parametrize(
    ("layout", "counts"),
    [
        ("standard", (44, 1_936, 98_912)),
        ("belgian_daisy", (52, 2_692, 149_322)),
        ("german_daisy", (80, 6_244, 493_480)),
    ],
)
def test_move_sequences_are_as_many_as_others_count(layout: str, counts: tuple[int, ...]) -> None:
    game = Abalone({"layout": layout})
    assert tuple(game.perft(game.start(), depth) for depth in (1, 2, 3)) == counts


@pytest.mark.deep
@pytest.mark.parametrize(
    ("layout", "count"),
    [("standard", 5_045_110), ("belgian_daisy", 8_270_666), ("german_daisy", 38_240_570)],
)
def test_move_sequences_of_four_are_as_many_as_others_count(layout: str, count: int) -> None:
    game = Abalone({"layout": layout})
    assert game.perft(game.start(), 4) == count


@pytest.mark.parametrize(
    ("layout", "single", "in_line", "two_aside", "three_aside"),
    [
        ("standard", 14, 20, 8, 2),
        ("belgian_daisy", 20, 24, 8, 0),
        ("german_daisy", 28, 36, 16, 0),
    ],
)
def test_first_moves_by_kind(
    layout: str, single: int, in_line: int, two_aside: int, three_aside: int
) -> None:
    game = Abalone({"layout": layout})
    kinds = Counter(
        ("aside" if move.is_broadside else "in line", len(move.line))
        for move in game.legal(game.start())
    )
    assert kinds["in line", 1] == single
    assert kinds["in line", 2] + kinds["in line", 3] == in_line
    assert kinds["aside", 2] == two_aside
    assert kinds["aside", 3] == three_aside


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


def test_one_two_or_three_marbles_go_in_line() -> None:
    position = board("e4 e5 e6")
    assert marbles(played(position, "e6e7"))[BLACK] >= {"e4", "e5", "e7"}
    assert marbles(played(position, "e5e6"))[BLACK] >= {"e4", "e6", "e7"}
    assert marbles(played(position, "e4e5"))[BLACK] >= {"e5", "e6", "e7"}
    assert "e4" not in marbles(played(position, "e4e5"))[BLACK]


def test_a_row_goes_broadside_and_its_lower_end_is_named_first() -> None:
    position = board("e4 e5 e6")
    assert marbles(played(position, "e4e6f5"))[BLACK] >= {"f5", "f6", "f7"}
    assert played(position, "e6e4f7") == played(position, "e4e6f5")
    assert GAME.move_text(position, GAME.parse_move(position, "e6e4f7")) == "e4e6f5"
    upright = board("d5 e5 f5")
    assert GAME.move_text(upright, GAME.parse_move(upright, "f5d5f6")) == "d5f5d6"


@pytest.mark.parametrize(
    ("black", "white", "text", "black_after", "white_after"),
    [
        ("e4 e5", "e6", "e4e5", "e5 e6", "e7"),
        ("e3 e4 e5", "e6", "e3e4", "e4 e5 e6", "e7"),
        ("e3 e4 e5", "e6 e7", "e3e4", "e4 e5 e6", "e7 e8"),
        ("e7 e8", "e9", "e7e8", "e8 e9", ""),
        ("e6 e7 e8", "e9", "e6e7", "e7 e8 e9", ""),
        ("e5 e6 e7", "e8 e9", "e5e6", "e6 e7 e8", "e9"),
        ("d3 e4", "f5", "d3e4", "e4 f5", "g6"),
        ("f5 e5", "d5", "f5e5", "e5 d5", "c5"),
    ],
)
def test_a_majority_pushes(
    black: str, white: str, text: str, black_after: str, white_after: str
) -> None:
    position = board(black, white)
    before, after = marbles(position), marbles(played(position, text))
    assert after[BLACK] == before[BLACK] - {*black.split()} | {*black_after.split()}
    assert after[WHITE] == before[WHITE] - {*white.split()} | {*white_after.split()}
    gone = len(white.split()) - len(white_after.split())
    assert played(position, text).ejected[BLACK] == position.ejected[BLACK] + gone


@pytest.mark.parametrize(
    ("black", "white", "text", "reason"),
    [
        ("e4", "e5", "e4e5", "not-outnumbered"),
        ("e4 e5", "e6 e7", "e4e5", "not-outnumbered"),
        ("e2 e3 e4", "e5 e6 e7", "e2e3", "not-outnumbered"),
        ("e8", "e9", "e8e9", "not-outnumbered"),
        ("e2 e3 e4 e5", "e6 e7 e8", "e3e4", "not-outnumbered"),
        ("e2 e3 e4 e5", "", "e2e3", "four-marbles"),
        ("e2 e3 e4 e5", "e6", "e2e3", "four-marbles"),
        ("e4 e5 e7", "e6", "e4e5", "own-marble-behind"),
        ("e3 e4 e5 e8", "e6 e7", "e3e4", "own-marble-behind"),
        ("e8 e9", "", "e8e9", "off-board"),
        ("e1", "", "f2f3", "nothing-there"),
        ("e4", "e5", "e5e6", "not-yours"),
        ("e4 e5", "f5", "e4e5f4", "blocked"),
        ("e4 e5", "f5", "e4e5f5", "blocked"),
        ("e1 e2", "", "e1e2f1", "no such cell"),
        ("e8 e9", "", "e8e9f9", "off-board"),
        ("e4 e5 e6", "", "e4e6e5", "must-go-aside"),
        ("e4 e5 e6 e7", "", "e4e7f4", "four-marbles"),
        ("e4 e6", "", "e4e6f4", "nothing-there"),
        ("e4 f6", "", "e4f6f4", "not-in-line"),
        ("e4 e5", "", "e4e5g5", "too-far"),
        ("e4", "", "e4e6", "too-far"),
        ("e4", "", "e4f6", "too-far"),
    ],
)
def test_what_the_rules_forbid_is_refused(black: str, white: str, text: str, reason: str) -> None:
    position = board(black, white)
    if reason == "no such cell":
        with pytest.raises(MoveError, match="there is no cell f1"):
            GAME.parse_move(position, text)
    else:
        assert code(position, text) == reason


def test_a_fourth_marble_behind_does_not_help_but_three_of_four_may_go() -> None:
    position = board("e2 e3 e4 e5", "e6")
    assert code(position, "e2e3") == "four-marbles"
    assert marbles(played(position, "e3e4"))[BLACK] >= {"e2", "e4", "e5", "e6"}


def test_a_move_is_a_value_that_cannot_be_nonsense() -> None:
    position = board("e4 e5", "e6")
    push = AbaloneMove(("e4", "e5"), "e5", ("e6",))
    assert push in GAME.legal(position)
    assert hash(push) == hash(GAME.parse_move(position, "e4e5"))
    assert GAME.play(position, push) == played(position, "e4e5")
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


def test_play_takes_exactly_the_legal_moves() -> None:
    positions = [random_positions(layout, 40)[-1] for layout in LAYOUTS]
    every = {move for position in positions for move in GAME.legal(position)}
    for position in positions:
        legal = set(GAME.legal(position))
        for move in every:
            if move in legal:
                GAME.play(position, move)
            else:
                with pytest.raises(IllegalMoveError):
                    GAME.play(position, move)


def test_fourteen_marbles_a_side_are_somewhere() -> None:
    for layout in LAYOUTS:
        for position in random_positions(layout, 150):
            count: Counter[str] = Counter()
            for piece in GAME.pieces(position).values():
                count[piece.kind] += piece.count
            assert count == {"b": 14, "w": 14}


# ---- changes and paths


def change(position: AbalonePosition, text: str) -> dict[str, str]:
    """Return what the places of a move hold afterwards, as `b`, `w`, `-` and `w2` …"""
    move = GAME.parse_move(position, text)
    assert isinstance(move, AbaloneMove)
    changed = GAME.changes(position, move)
    assert changed == Game.changes(GAME, position, move)
    return {
        place: "-" if piece is None else piece.kind + (str(piece.count) if "." in place else "")
        for place, piece in changed.items()
    }


def path(position: AbalonePosition, text: str) -> set[str]:
    move = GAME.parse_move(position, text)
    assert isinstance(move, AbaloneMove)
    return set(GAME.path(position, move))


def test_of_a_row_in_line_only_the_ends_change() -> None:
    position = board("e4 e5 e6")
    assert change(position, "e4e5") == {"e4": "-", "e7": "b"}
    assert path(position, "e4e5") == {"e5", "e6"}
    assert path(position, "e6e7") == set()


def test_of_a_row_broadside_every_cell_changes() -> None:
    position = board("e4 e5 e6")
    assert change(position, "e4e6f4") == {
        **dict.fromkeys(("e4", "e5", "e6"), "-"),
        **dict.fromkeys(("f4", "f5", "f6"), "b"),
    }
    assert path(position, "e4e6f4") == set()


def test_a_push_changes_the_rear_the_first_enemy_and_the_cell_behind() -> None:
    position = board("e3 e4 e5", "e6 e7")
    assert change(position, "e3e4") == {"e3": "-", "e6": "b", "e8": "w"}
    assert path(position, "e3e4") == {"e4", "e5", "e7"}


def test_an_ejection_changes_the_rear_the_first_enemy_and_the_tray() -> None:
    position = board("e5 e6 e7", "e8 e9")
    gone = position.ejected[BLACK] + 1
    assert change(position, "e5e6") == {"e5": "-", "e8": "b", "out.white": f"w{gone}"}
    assert path(position, "e5e6") == {"e6", "e7", "e9"}


# ---- the end


def test_six_ejected_marbles_win() -> None:
    position = board("e7 e8", "e9")
    assert position.ejected == (5, 5)
    after = played(position, "e7e8")
    assert GAME.outcome(position) is None
    assert GAME.outcome(after) == Outcome(frozenset({BLACK}), "six-ejected", (6, 5))
    assert GAME.legal(after) == []
    assert GAME.claims(after, BLACK) == GAME.claims(after, WHITE) == ()
    assert code(after, "a1a2") == "over"
    assert GAME.why_not(after, Attempt(frozenset({"a1"}), frozenset())) is not None
    assert GAME.threats(after) == ()


def test_a_side_without_a_move_loses() -> None:
    text = "5/6/6s/7s/1ss4sS/6sS/2ss1sS/sssssS/SSSSS 0 5 b 0 1"
    position = GAME.parse_position(text)
    assert GAME.legal(position) == []
    assert not list(by_hand(position))
    assert GAME.outcome(position) == Outcome(frozenset({WHITE}), "no-move", (0, 5))
    assert GAME.claims(position, BLACK) == ()


def test_the_third_time_is_a_draw_unless_repetition_is_off() -> None:
    texts = ["c3d3", "g5f4", "d3c3", "f4g5"] * 2
    positions = [GAME.start(), *GAME.replay(GAME.start(), texts)]
    drawn = Outcome(frozenset(), "repetition", (0, 0))
    assert positions[8] == positions[0]
    assert GAME.outcome(positions[8], positions[:8]) == drawn
    assert all(GAME.outcome(positions[at], positions[:at]) is None for at in range(8))
    off = Abalone({"repetition": "off"})
    assert off.outcome(positions[8], positions[:8] * 9) is None


def test_either_side_may_resign() -> None:
    after = GAME.play(GAME.start(), Claim(WHITE, "resign"))
    assert GAME.outcome(after) == Outcome(frozenset({BLACK}), "resign", (0, 0))
    assert GAME.position_text(after).endswith(" b 0 1 resigned:white")
    assert GAME.parse_move(GAME.start(), "white resign") == Claim(WHITE, "resign")
    assert GAME.parse_move(GAME.start(), "resign") == Claim(BLACK, "resign")


def test_a_flag_may_fall_whatever_clock_there_is() -> None:
    for minutes in ("none", "10", "15"):
        game = Abalone({"clock": minutes})
        assert [claim.text for claim in game.claims(game.start(), WHITE)] == ["resign", "flag"]
        assert game.time_up(game.start(), WHITE) == Claim(WHITE, "flag")


def test_a_fallen_flag_loses() -> None:
    game = Abalone({"clock": 10})
    after = game.play(game.start(), game.parse_move(game.start(), "white flag"))
    assert game.outcome(after) == Outcome(frozenset({BLACK}), "flag", (0, 0))
    assert game.parse_position(game.position_text(after)) == after


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
        after = game.play(position, Claim(seat, "flag"))
        assert game.outcome(after) == Outcome(frozenset(winners), reason, position.ejected)


# ---- texts


def test_nacre_is_read_where_one_move_can_be_meant() -> None:
    position = board("e4 e5 e6")
    assert GAME.parse_move(position, "e4e7") == GAME.parse_move(position, "e4e5")
    assert GAME.parse_move(position, "e4f7") == GAME.parse_move(position, "e4e6f5")
    assert GAME.parse_move(board("e4 e5"), "e5f4") == GAME.parse_move(position, "e4e5f4")
    push = board("e3 e4 e5", "e6 e7")
    for text in ("e3e6", "e3e8"):  # to the last own marble, and to the last one of all
        assert GAME.parse_move(push, text) == GAME.parse_move(push, "e3e4")
    edge = board("e5 e6 e7", "e8 e9")
    for text in ("e5e8", "e5e9"):
        assert GAME.parse_move(edge, text) == GAME.parse_move(edge, "e5e6")


def test_nacre_that_may_be_two_moves_is_refused() -> None:
    with pytest.raises(MoveError, match="it may be c3c4d4 or c3c5d3"):
        GAME.parse_move(board("c3 c4 c5"), "c3d5")


def test_two_cells_that_touch_are_never_a_broadside() -> None:
    move = GAME.parse_move(board("c3 c4"), "c3d4")  # as Nacre would write c3c4d3, too
    assert move == AbaloneMove(("c3",), "d4")


def test_texts_may_be_upper_case_and_blanks_around_do_not_matter() -> None:
    assert GAME.parse_move(GAME.start(), " C3D3 ") == GAME.parse_move(GAME.start(), "c3d3")


@pytest.mark.parametrize("text", ["a1", "a1b", "a1b2c3d4", "1a2b", "a1 b2", "j1j2", "a0a1", "flog"])
def test_what_is_no_move_says_what_one_looks_like(text: str) -> None:
    with pytest.raises(MoveError, match="expected a text like a1b2"):
        GAME.parse_move(GAME.start(), text)


def test_the_two_counters_are_read_and_forgotten() -> None:
    long = f"{LAYOUTS['standard']} 0 0 b 17 42"
    assert GAME.parse_position(long) == GAME.start()
    assert GAME.parse_position(f"{LAYOUTS['standard']} 0 0 b") == GAME.start()
    assert repr(GAME.start()) == f"Position('{LAYOUTS['standard']} 0 0 b 0 1')"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sssss 0 0 b 0 1", "board 'sssss': 1 rows instead of 9"),
        ("ssssss/5/7/8/9/8/7/6/5 0 0 b 0 1", "row i has 6 cells instead of 5"),
        ("ssss/ssssss/7/8/9/8/7/6/5 0 0 b 0 1", "row i has 4 cells instead of 5"),
        ("sssxs/ssssss/7/8/9/8/7/6/5 0 0 b 0 1", "'x' in row i is no marble"),
        ("ss0ss/ssssss/7/8/9/8/7/6/5 0 0 b 0 1", "'0' in row i is no marble"),
        (
            "sssss/ssssss/2ssss1/8/9/8/2SSS2/SSSSSS/SSSSS 0 0 b 0 1",
            "ejected by black '0': white has 15 marbles on the board",
        ),
        (
            "sssss/ssssss/2sss2/8/9/8/2SSS2/SSSSSS/SSSS1 0 0 b 0 1",
            "ejected by white '0': black has 13 marbles on the board",
        ),
        (
            "sssss/ssssss/2sss2/8/9/8/2SSS2/SSSSSS/SSSSS 1 0 b 0 1",
            "ejected by black '1': white has 14 marbles on the board",
        ),
        (
            "1ssss/s5/2s4/8/9/8/2SSS2/SSSSSS/SSSSS 8 0 b 0 1",
            "ejected by black '8': expected a number from 0 to 6",
        ),
        (
            "sssss/s5/2ss3/8/9/8/2SSS2/SSSSSS/SSSSS 6 0 b 0 1",
            "side to move 'b': the side that has lost 6 marbles must be to move",
        ),
        ("sssss/ssssss/2sss2/8/9/8/2SSS2/SSSSSS/SSSSS 0 0 x 0 1", "side to move 'x'"),
        ("sssss/ssssss/2sss2/8/9/8/2SSS2/SSSSSS/SSSSS 0 0 b -1 1", "plies without ejection '-1'"),
        ("sssss/ssssss/2sss2/8/9/8/2SSS2/SSSSSS/SSSSS 0 0 b 0 ²", "move number '²'"),
        ("sssss/ssssss/2sss2/8/9/8/2SSS2/SSSSSS/SSSSS 0 0 b 0", "expected rows, ejected by"),
        ("sssss/ssssss/2sss2/8/9/8/2SSS2/SSSSSS/SSSSS 0 0 b 0 1 tired:black", "ending 'tired:"),
        ("sssss/ssssss/2sss2/8/9/8/2SSS2/SSSSSS/SSSSS 0 0 b 0 1 flag:grey", "ending 'flag:grey'"),
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
    ("lifted", "placed", "swapped", "reason", "places"),
    [
        ("e2", "e6", "", "four-marbles", "e2 e3 e4 e5"),
        ("e2", "", "e6", "four-marbles", "e2 e3 e4 e5"),
        ("d5", "f5", "", "own-marble-behind", "f5"),
    ],
)
def test_reasons_on_a_long_row(
    lifted: str, placed: str, swapped: str, reason: str, places: str
) -> None:
    position = board("e2 e3 e4 e5")
    if reason == "own-marble-behind":
        position, lifted, placed, swapped = board("c5 d5 f5", "e5"), "c5", "", "d5 e5 f5"
    found = GAME.why_not(position, attempt(lifted, placed, swapped))
    assert found is not None
    assert (found.code, found.places) == (reason, tuple(places.split()))


def attempt(lifted: str = "", placed: str = "", swapped: str = "", seat: Any = None) -> Attempt:
    return Attempt(*(frozenset(each.split()) for each in (lifted, placed, swapped)), seat)


@pytest.mark.parametrize(
    ("black", "white", "what", "reason", "places"),
    [
        ("e4", "", ("e4", "e6"), "too-far", "e4 e6"),
        ("e4", "", ("e4", "f6"), "too-far", "e4 f6"),
        ("e4", "e5", ("e4", "", "e5"), "not-outnumbered", "e5"),
        ("e4 e5", "e6 e7", ("e4", "e8", "e5 e6 e7"), "not-outnumbered", "e6 e7"),
        ("e3 e4 e5", "e6 e7 e8", ("e3", "e9"), "not-outnumbered", "e6 e7 e8"),
        ("e8 e9", "", ("e8", "", "e9"), "off-board", "e9"),
        ("e9", "", ("e9",), "off-board", "e9"),
        ("", "e5", ("e5", "e6"), "not-yours", "e5"),
        ("", "e5", ("e5",), "not-yours", "e5"),
        ("", "", ("", "e5"), "from-outside", "e5"),
        ("e4 e5", "f5", ("e4 e5", "f6", "f5"), "blocked", "f5"),
        ("e4 e5 e7", "", ("e4 e5 e7", "f4 f5 f7"), "not-in-line", "e4 e7"),
        ("e3 e4 e5 e6", "", ("e3 e4 e5 e6", "f3 f4 f5 f6"), "four-marbles", "e3 e4 e5 e6"),
        ("e4 e5", "", ("e4 e5", "g4 g5"), "too-far", "e4 g4"),
        ("e4 e5", "", ("e4 e5",), "off-board", "e4"),
        ("e8 e9", "", ("e8 e9", "f9"), "off-board", "e9"),
    ],
)
def test_a_hand_that_errs_hears_why(
    black: str, white: str, what: tuple[str, ...], reason: str, places: str
) -> None:
    found = GAME.why_not(board(black, white), attempt(*what))
    assert found is not None
    assert (found.code, found.places) == (reason, tuple(places.split()))


def test_the_hand_may_be_of_the_other_side() -> None:
    position = board("e4", "d4")
    found = GAME.why_not(position, attempt("e4", "e6", seat=WHITE))
    assert found is not None
    assert found.code == "not-yours"
    again = GAME.why_not(position, attempt("e4", "e6", seat=BLACK))
    assert again is not None
    assert again.code == "too-far"


def test_what_a_hand_may_do_has_no_reason() -> None:
    position = board("e4 e5", "e6")
    for allowed in (attempt("e4", "e7", "e6"), attempt("e4 e5", "f5 f6"), attempt("e4 e5", "f5")):
        assert GAME.why_not(position, allowed) is None
