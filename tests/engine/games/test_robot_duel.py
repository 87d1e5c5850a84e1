"""Robot Duel: its rules, options, texts and reasons."""

from __future__ import annotations

import random
import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
from engine.games.robot_duel import RobotDuel, RobotDuelMove, RobotDuelPosition
from engine.games.robot_duel.moves import ARMIES, CACHE
from tests.support.rules import after, hand, line, moves, refused, why_not
from tests.support.sampling import deep

GAME = RobotDuel()
START = GAME.start()
A, B = 0, 1
EVERY_MOVE = [
    RobotDuelMove(origin, target, promotes)
    for origin in GAME.places()
    for target in GAME.cells()
    for promotes in (False, True)
]


def played(game: RobotDuel, position: RobotDuelPosition | str, texts: str) -> RobotDuelPosition:
    """Return the position after the moves."""
    found: RobotDuelPosition = after(game, position, *texts.split())
    return found


def won(seat: int, reason: str) -> Outcome:
    return Outcome(frozenset({seat}), reason)


@st.composite
def positions(draw: st.DrawFn) -> RobotDuelPosition:
    """Any arrangement of the material, seldom one that a game reaches."""
    board: dict[int, str] = {}
    hands = ""
    for letter in "LlCCEEGG":
        cell = draw(st.integers(0, 11).filter(lambda cell: cell not in board))
        if letter.upper() != "L":
            letter = draw(st.sampled_from((letter, letter.lower())))
            if draw(st.booleans()):
                hands += letter
                continue
            if letter.upper() == "C" and draw(st.booleans()):
                letter = "+" + letter
        board[cell] = letter
    rows = [
        "".join(board.get(cell, "1") for cell in range(start, start + 3)) for start in (0, 3, 6, 9)
    ]
    return GAME.parse_position(f"{'/'.join(rows)} {draw(st.sampled_from('bw'))} {hands or '-'} 1")


# ---- board and start


def test_the_start_stands_as_on_the_rule_sheet() -> None:
    assert GAME.cells() == tuple(column + row for row in "1234" for column in "ABC")
    assert GAME.trays() == tuple(f"hand.{seat}.{kind}" for seat in "AB" for kind in "CEG")
    home = {"A4": "E", "B4": "L", "C4": "G", "B3": "C"}
    across = {"C1": "E", "B1": "L", "A1": "G", "B2": "C"}
    assert GAME.pieces(START) == {
        cell: Piece(seat, kind)
        for seat, pieces in ((A, home), (B, across))
        for cell, kind in pieces.items()
    }
    assert GAME.position_text(START) == "gle/1c1/1C1/ELG b - 1"
    assert repr(START) == "Position('gle/1c1/1C1/ELG b - 1')"


@pytest.mark.parametrize(
    ("kind", "ends"),
    [
        ("L", "A2 A3 A4 B2 B4 C2 C3 C4"),
        ("E", "A2 A4 C2 C4"),
        ("G", "A3 B2 B4 C3"),
        ("C", "B2"),
        ("+C", "A2 A3 B2 B4 C2 C3"),
    ],
)
def test_each_piece_steps_its_own_way(kind: str, ends: str) -> None:
    game = RobotDuel({"try_rule": "none"})
    hand = "".join(sorted("CCEEGG".replace(kind[-1], "", 1)))
    upright = game.parse_position(f"{'1' if kind == 'L' else 'L'}1l/3/1{kind}1/3 b {hand} 1")
    steps = {move.target for move in game.legal(upright) if move.origin == "B3"}
    assert steps == set(ends.split())
    row = f"L1{'1' if kind == 'L' else 'l'}"
    turned = game.parse_position(f"3/1{kind.lower()}1/3/{row} w {hand.lower()} 1")
    opposite = dict(zip(game.cells(), reversed(game.cells()), strict=True))
    steps = {move.target for move in game.legal(turned) if move.origin == "B2"}
    assert steps == {opposite[end] for end in ends.split()}


# ---- taking and dropping


@pytest.mark.parametrize(
    ("text", "move", "expected"),
    [
        ("gle/1c1/1C1/ELG b - 1", "B3B2", Piece(A, "C")),
        ("1le/3/G+c1/ELG b C 1", "A3B3", Piece(A, "C", pole=1, count=2)),  # a hen is a chick again
    ],
)
def test_a_piece_that_is_taken_goes_into_the_hand(text: str, move: str, expected: Piece) -> None:
    assert GAME.pieces(played(GAME, text, move))["hand.A.C"] == expected


def test_a_drop_goes_onto_any_empty_cell_and_mates_if_it_may() -> None:
    # Two chicks in a column, the far row, and a chick that attacks a lion with nowhere to go.
    drops = {text for text in moves(GAME, "gle/1G1/1C1/EL1 b C 1") if "*" in text}
    assert drops == {"C*A2", "C*C2", "C*A3", "C*C3", "C*C4"}
    assert {"C*A1", "C*C2"} <= moves(GAME, "1le/3/1C1/ELG b CG 1")


def test_a_chick_dropped_on_the_far_row_is_dead_but_can_be_taken() -> None:
    position = played(GAME, "1le/2g/3/ELG b 2C 1", "C*A1")
    assert GAME.pieces(position)["A1"] == Piece(A, "C")
    later = position.passed()
    assert not [move for move in GAME.legal(later) if move.origin == "A1"]
    assert "B1A1" in {GAME.move_text(position, move) for move in GAME.legal(position)}


def test_a_lion_may_step_into_an_attack_and_be_taken() -> None:
    game = RobotDuel()
    position = played(game, "gle/1c1/3/ELG b C 1", "B4B3 B2B3")
    assert game.outcome(position) == won(B, "lion-captured")
    lions = [piece for piece in game.pieces(position).values() if piece.kind == "L"]
    assert lions == [Piece(B, "L")]


def test_a_side_without_moves_loses() -> None:
    game = RobotDuel({"try_rule": "none"})
    position = game.parse_position("LGE/CC1/1e1/1lg b - 1")
    assert game.outcome(position) == won(B, "no-move")
    assert game.perft(position, 1) == game.perft(position, 3) == 0


# ---- options


def test_promotion_is_optional_or_mandatory() -> None:
    text = "2l/C2/3/1LG b CEEG 1"
    may = {move for move in moves(GAME, text) if move.startswith("A2")}
    must = moves(RobotDuel({"promotion": "mandatory"}), text)
    assert may == {"A2A1", "A2A1+"}
    assert {move for move in must if move.startswith("A2")} == {"A2A1+"}
    assert GAME.pieces(played(GAME, text, "A2A1+"))["A1"] == Piece(A, "+C", pole=-1)
    assert GAME.pieces(played(GAME, text, "A2A1"))["A1"] == Piece(A, "C", pole=1)


ALMOST = "l2/2L/3/3 b 2C2E2G 1"


@pytest.mark.parametrize(
    ("rules", "moves", "ended"),
    [
        # Unattacked it wins at once, attacked it may be taken.
        ("survive safe_any_time safe_after_own_move", "C2C1", won(A, "try")),
        ("none", "C2C1", None),
        ("survive safe_any_time safe_after_own_move none", "C2B1", None),
        ("survive safe_any_time safe_after_own_move none", "C2B1 A1B1", won(B, "lion-captured")),
        # The lion on B1 is attacked and not taken; it wins when its owner's turn begins.
        ("survive", "C2B1 A1A2", won(A, "try")),
        # Still attacked, so it needs more; it is safe only once the enemy has gone away …
        ("safe_any_time", "C2B1 A1A2", None),
        ("safe_any_time", "C2B1 A1A2 C*C4", None),
        ("safe_any_time", "C2B1 A1A2 C*C4 A2A3", won(A, "try")),
        # … which the third rule sees only after the next move of its own side.
        ("safe_after_own_move", "C2B1 A1A2 C*C4 A2A3", None),
        ("safe_after_own_move", "C2B1 A1A2 C*C4 A2A3 C*B4", won(A, "try")),
        ("none", "C2B1 A1A2 C*C4 A2A3 C*B4", None),
    ],
)
def test_a_lion_on_the_far_row_by_each_rule(rules: str, moves: str, ended: Outcome | None) -> None:
    for rule in rules.split():
        game = RobotDuel({"try_rule": rule})
        position = played(game, ALMOST, moves)
        assert game.outcome(position) == ended
        assert bool(game.legal(position)) is (ended is None)


def test_the_far_row_of_b_is_the_lowest() -> None:
    assert GAME.outcome(played(GAME, "3/3/l2/2L w 2c2e2g 1", "A3A4")) == won(B, "try")


def test_should_one_move_bring_both_lions_home_the_mover_wins() -> None:
    game = RobotDuel({"try_rule": "safe_any_time"})
    position = played(game, "1L1/1g1/1G1/1l1 b 2C2E 1", "B3B2")
    assert game.outcome(position) == won(A, "try")


@pytest.mark.parametrize(("value", "cycles"), [("4", 3), ("3", 2)])
def test_the_same_position_for_the_last_time_is_a_draw(value: str, cycles: int) -> None:
    game = RobotDuel({"repetition": value})
    positions = line(game, START, *["C4C3", "A1A2", "C3C4", "A2A1"] * cycles)
    *before, last = [game.outcome(each, positions[:n]) for n, each in enumerate(positions)]
    assert before == [None] * 4 * cycles
    assert last == Outcome(frozenset(), "repetition")


def test_the_same_board_with_the_other_side_to_move_is_another_position() -> None:
    game = RobotDuel({"repetition": "3"})
    assert game.outcome(START, [START.passed()] * 5) is None
    assert game.outcome(START, [START]) is None


def test_a_win_is_a_win_however_often_it_was_seen() -> None:
    tried = played(GAME, ALMOST, "C2C1")
    assert GAME.outcome(tried, [tried] * 3) == won(A, "try")


def test_b_may_begin_and_stays_at_the_top() -> None:
    game = RobotDuel({"first_player": "B"})
    assert game.turn(game.start()) == B
    assert game.pieces(game.start()) == GAME.pieces(START)
    assert game.position_text(game.start()) == "gle/1c1/1C1/ELG w - 1"
    assert game.turn(played(game, game.start(), "B2B3")) == A


# ---- reference counts: two independent programs agree on them

SAME = (4, 17, 126, 1_002, 8_544)
MANDATORY = (4, 17, 123, 976, 8_122)
COUNTS = {
    ("optional", "survive"): (*SAME, 76_286, 687_017, 6_218_126, 56_159_793),
    ("optional", "safe_after_own_move"): (*SAME, 76_286, 698_921, 6_451_818, 59_579_717),
    ("optional", "safe_any_time"): (*SAME, 76_286, 697_126, 6_431_321, 59_208_798),
    ("optional", "none"): (*SAME, 76_621, 708_725, 6_634_588, 62_563_150),
    ("mandatory", "survive"): (*MANDATORY, 71_677, 635_117, 5_684_459, 50_503_579),
    ("mandatory", "safe_after_own_move"): (*MANDATORY, 71_677, 645_705, 5_884_768, 53_446_036),
    ("mandatory", "safe_any_time"): (*MANDATORY, 71_677, 643_982, 5_866_031, 53_105_138),
    ("mandatory", "none"): (*MANDATORY, 72_004, 655_030, 6_057_280, 56_230_516),
}


@pytest.mark.parametrize(("promotion", "rule"), COUNTS)
@pytest.mark.parametrize("depths", [range(1, 8), deep(range(8, 10))], ids=["7", "9"])
def test_it_counts_as_the_reference_does(promotion: str, rule: str, depths: range) -> None:
    game = RobotDuel({"promotion": promotion, "try_rule": rule})
    counts = COUNTS[promotion, rule]
    assert [game.perft(game.start(), depth) for depth in depths] == [counts[d - 1] for d in depths]


def test_it_counts_a_middle_game_as_fairy_stockfish_does() -> None:
    game = RobotDuel({"promotion": "mandatory", "try_rule": "safe_any_time"})
    position = game.parse_position("g1e/1cL/lC1/E1G[] w - - 4 3")
    assert [game.perft(position, depth) for depth in range(1, 5)] == [7, 44, 300, 2_290]


@given(positions(), st.sampled_from(sorted(COUNTS)))
def test_counting_agrees_with_playing_from_anywhere(
    position: RobotDuelPosition, options: tuple[str, str]
) -> None:
    game = RobotDuel({"promotion": options[0], "try_rule": options[1]})
    for depth in (0, 1, 2):
        assert game.perft(position, depth) == Game.perft(game, position, depth)


def test_what_is_remembered_stays_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CACHE, "limit", 16)
    ARMIES["optional"].clear()
    assert GAME.perft(START, 5) == SAME[4]
    assert len(ARMIES["optional"]) <= 16


@pytest.mark.deep
def test_it_agrees_with_fairy_stockfish_move_for_move() -> None:
    pyffish = pytest.importorskip("pyffish", reason="pyffish is not installed (make deep does)")
    game = RobotDuel({"promotion": "mandatory", "try_rule": "safe_any_time"})
    rng = random.Random(2009)
    compared = 0
    while compared < 2_000:
        position = game.start()
        for _ in range(rng.randint(1, 60)):
            moves = game.legal(position)
            if not moves:
                break
            fen = fairy_fen(game, position)
            assert game.parse_position(fen) == position
            expected = set(pyffish.legal_moves("dobutsu", fen, []))
            assert {fairy_move(game.move_text(position, move)) for move in moves} == expected, fen
            compared += 1
            move = rng.choice(list(moves))
            line = [fairy_move(game.move_text(position, move))]
            position = game.play(position, move)
            ended, _ = pyffish.is_immediate_game_end("dobutsu", fen, line)
            assert ended is (game.outcome(position) is not None), (fen, line)


def fairy_fen(game: RobotDuel, position: RobotDuelPosition) -> str:
    board, side, hands, _ = game.position_text(position).split()
    hands = re.sub("2(.)", r"\1\1", hands)
    return f"{board}[{hands}] {'w' if side == 'b' else 'b'} - - 0 1"


def fairy_move(text: str) -> str:
    """`B3B2` is b2b3 there, for its rows count from the bottom; a drop is C@b2."""
    flipped = text.translate(str.maketrans("1234", "4321"))
    if "*" in flipped:
        return flipped[0] + "@" + flipped[2:].lower()
    return flipped.lower()


# ---- legality, material, changes


@given(positions(), st.sampled_from(("optional", "mandatory")))
def test_play_accepts_exactly_the_legal_moves(position: RobotDuelPosition, promotion: str) -> None:
    game = RobotDuel({"promotion": promotion})
    legal = set(game.legal(position))
    assert legal <= set(EVERY_MOVE)
    for move in EVERY_MOVE:
        if move in legal:
            reached = game.play(position, move)
            assert game.parse_position(game.position_text(reached)) == reached
            assert game.turn(reached) != game.turn(position)
            assert game.changes(position, move) == Game.changes(game, position, move)
            check_material(game, position, reached)
        else:
            with pytest.raises(IllegalMoveError) as caught:
                game.play(position, move)
            assert caught.value.reason is not None
            assert caught.value.reason.code in game.reasons


def check_material(game: RobotDuel, before: RobotDuelPosition, reached: RobotDuelPosition) -> None:
    """See that nothing is lost but a lion that was taken."""
    was, now = (
        Counter(p.kind[-1] for p in game.pieces(each).values() for _ in range(p.count))
        for each in (before, reached)
    )
    ended = game.outcome(reached)
    taken = ended is not None and ended.reason == "lion-captured"
    assert was - now == ({"L": 1} if taken else {})


@pytest.mark.parametrize("origin", ["Z9", "", "hand.C.C", "hand.A.L", "B5"])
def test_a_move_from_nowhere_is_refused(origin: str) -> None:
    for move in (RobotDuelMove(origin, "A2"), RobotDuelMove("B3", origin)):
        with pytest.raises(IllegalMoveError, match="no such place"):
            GAME.play(START, move)


# ---- threats


@pytest.mark.parametrize(
    ("text", "threats"),
    [
        ("gle/1c1/1C1/ELG b - 1", [Threat("attacked", "B3", ("B2",))]),
        # The giraffe attacks a chick that nothing protects, and the lion, which may take it.
        (
            "2l/C2/g2/L2 b CEEG 1",
            [
                Threat("undefended", "A2", ("A3",)),
                Threat("check", "A4", ("A3",)),
                Threat("free", "A3", ("A4",)),
            ],
        ),
        # The lion on B1 is protected, but who takes it wins.
        (
            "1lg/1G1/3/L2 b 2C2E 1",
            [Threat("undefended", "B2", ("B1",)), Threat("free", "B1", ("B2",))],
        ),
        ("1lg/1G1/3/L2 b 2C2E 1 resigned:A", []),
    ],
)
def test_threats_name_the_attackers(text: str, threats: list[Threat]) -> None:
    assert list(GAME.threats(GAME.parse_position(text))) == threats


# ---- why not

TWO_CHICKS = "gle/3/3/ELG b 2C 1"
S = "gle/1c1/1C1/ELG b - 1"
REFUSED = [
    (S, "A2A1", "nothing-there A2"),
    (S, "B2B3", "not-yours B2"),
    (S, "A4B3", "own-piece A4 B3"),
    (S, "B3A2", "way-C B3 A2"),
    (S, "A4A3", "way-E A4 A3"),
    (S, "C4C2", "way-G C4 C2"),
    (S, "B4B2", "way-L B4 B2"),
    ("gl1/2e/1+C1/1LG b CE 1", "B3A4", "way-+C B3 A4"),
    ("C1l/3/2c/ELG b EG 1", "A1A2", "dead-chick A1"),
    (S, "C4C3+", "no-promotion C4 C3"),
    (S, "B3B2+", "no-promotion B3 B2"),
    (TWO_CHICKS, "C*B4", "drop-taken hand.A.C B4"),
    (TWO_CHICKS, "C*B1", "drop-taken hand.A.C B1"),
    (TWO_CHICKS, "E*B2", "not-in-hand B2"),
    ("2L/3/3/l2 w 2C2E2G 1", "A4A3", "over"),
]


@pytest.mark.parametrize(("text", "move", "reason"), REFUSED)
def test_a_refused_move_says_why(text: str, move: str, reason: str) -> None:
    assert refused(GAME, text, move) == reason


ERRORS = [
    (S, hand("B2", "A2"), "not-yours B2"),
    (S, hand("B2", swapped="B3"), "not-yours B2"),
    (S, hand("C4", "C3", seat=B), "not-yours C4"),
    (S, hand("A4", "A3"), "way-E A4 A3"),
    (S, hand("A4", swapped="C1"), "way-E A4 C1"),
    (S, hand("A4", swapped="B3"), "own-piece A4 B3"),
    (S, hand("A4 B2", "A3"), "way-E A4 A3"),
    (S, hand("C4 B2", "C3"), "not-taken B2"),
    (S, hand("B2"), "not-taken B2"),
    (S, hand("A4 B3", "A3"), "one-piece B3 A4"),
    (TWO_CHICKS, hand("C4 hand.A.C", "C3"), "one-piece C4 hand.A.C"),
    (S, hand("B3", "hand.A.E", "B2"), "wrong-tray B2"),
    (S, hand("B3", "hand.B.C", "B2"), "wrong-tray B2"),
    (S, hand("C4", "C3"), "no-promotion C4 C3"),  # the places are right: it was turned
    (S, hand("", "", "B3"), "turned-in-place B3"),
    (S, hand("", "A2"), "not-in-hand A2"),
    (TWO_CHICKS, hand("", "", "hand.A.C B4"), "drop-taken hand.A.C B4"),
    (TWO_CHICKS, hand("hand.A.C", "", "B1"), "drop-taken hand.A.C B1"),
    (TWO_CHICKS, hand("hand.A.C", "B2"), "drop-unpromoted hand.A.C B2"),
    (TWO_CHICKS, hand("hand.A.C", "B2", seat=B), "not-your-hand hand.A.C B2"),
    ("gle/3/3/ELG w 2C 1", hand("hand.A.C", "B2"), "not-your-hand hand.A.C B2"),
    ("2L/3/3/l2 w 2C2E2G 1", hand("A4", "A3"), "over"),
    # What cannot be said, or is only half done.
    (S, hand("A4"), ""),
    (S, hand("B3 B2"), ""),
    (S, hand("C4", "C3 A2"), ""),
    (S, hand("C4", "C3", "B1"), ""),
    (S, hand("B3", "hand.A.C", "B2"), "no-promotion B3 B2"),
    (S, hand(), ""),
    (TWO_CHICKS, hand("", "B2"), ""),
    ("2l/C2/3/1LG b CEEG 1", hand("A2", "A1"), ""),
]


@pytest.mark.parametrize(("text", "attempt", "reason"), ERRORS)
def test_what_a_beginner_errs_at_is_named(text: str, attempt: Attempt, reason: str) -> None:
    assert why_not(GAME, text, attempt) == reason


def test_a_chick_that_must_promote_says_so() -> None:
    game, text = RobotDuel({"promotion": "mandatory"}), "2l/C2/3/1LG b CEEG 1"
    assert refused(game, text, "A2A1") == "must-promote A2 A1"
    assert why_not(game, text, hand("A2", "A1")) == "must-promote A2 A1"


def test_each_reason_has_an_example() -> None:
    shown = {reason.split()[0] for *_, reason in (*REFUSED, *ERRORS) if reason}
    assert shown | {"must-promote"} == set(GAME.reasons)


# ---- texts


@given(positions())
def test_texts_go_there_and_back(position: RobotDuelPosition) -> None:
    assert GAME.parse_position(GAME.position_text(position)) == position
    for move in GAME.legal(position):
        assert GAME.parse_move(position, GAME.move_text(position, move)) == move


@pytest.mark.parametrize(
    ("given", "canonical"),
    [
        ("gle/1c1/1C1/ELG[-] w 0 1", "gle/1c1/1C1/ELG b - 1"),
        ("gle/1C1/3/ELG[C] b - - 0 1", "gle/1C1/3/ELG w C 1"),
        ("g1e/1cL/lC1/E1G[] w - - 4 3", "g1e/1cL/lC1/E1G b - 1"),
        ("l2/111/2L/h2[CEEGG] b - - 0 1", "l2/3/2L/+c2 w C2E2G 1"),
        ("  gle/1c1/1C1/ELG  w   -  17 ", "gle/1c1/1C1/ELG w - 1"),
        ("gle/1c1/1C1/ELG b -", "gle/1c1/1C1/ELG b - 1"),
        ("1le/3/3/1LG b gCCE 1", "1le/3/3/1LG b 2CEg 1"),
    ],
)
def test_other_spellings_of_a_position_are_read(given: str, canonical: str) -> None:
    assert GAME.position_text(GAME.parse_position(given)) == canonical


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "position"),
        ("gle/1c1/1C1/ELG", "position"),
        ("gle/1c1/1C1/ELG b", "position"),
        ("gle/1c1/1C1 b - 1", "3 rows"),
        ("gle/1c1/1C1/ELG/3 b - 1", "5 rows"),
        ("gle/1c2/1C1/ELG b - 1", "row 2 has 4 cells"),
        ("gle/1c1/1CC1/ELG b - 1", "row 3 has 4 cells"),
        ("gle/1c1/1C/ELG b - 1", "row 3 has 2 cells"),
        ("gle/1c1/1C1/ELK b - 1", "'K' in row 4"),
        ("gle/1c1/1C1/+ELG b - 1", "'+E' in row 4"),
        ("gle/1c1/1C1/EL+ b - 1", "'+' in row 4"),
        ("gle/1c1/4/ELG b - 1", "'4' in row 3"),
        ("gle/1c1/1C1/ELG x - 1", "side to move 'x'"),
        ("gle/1c1/1C1/ELG b ? 1", "hands '?'"),
        ("gle/3/3/ELG b 0C2C 1", "hands '0C2C'"),
        ("gle/1c1/3/ELG b H 1", "'H' cannot be in hand; a hen"),
        ("g1e/1c1/1C1/ELG b l 1", "'l' cannot be in hand"),
        ("gle/1c1/1C1/ELG b C 1", "3 chicks and hens"),
        ("gle/1c1/3/ELG b - 1", "1 chicks and hens"),
        ("gle/1c1/1+C1/ELG b 9C 1", "11 chicks and hens"),
        ("glg/1c1/1C1/ELG b - 1", "1 elephants"),
        ("gle/1c1/1C1/ELG b G 1", "3 giraffes"),
        ("gle/1c1/LC1/ELG b - 1", "A has 2 lions"),
        ("gle/lc1/1C1/ELG b - 1", "B has 2 lions"),
        ("gle/1c1/1C1/E1G w - 1", "A has no lion"),
        ("g1e/1c1/1C1/ELG b - 1", "B has no lion"),
        ("g1e/1c1/1C1/E1G b - 1", "B has no lion"),
        ("gle/1c1/1C1/ELG b - 0", "move number '0'"),
        ("gle/1c1/1C1/ELG b - x", "move number 'x'"),
        ("gle/1c1/1C1/ELG b - 1 resigned:C", "ending 'resigned:C'"),
        ("gle/1c1/1C1/ELG b - 1 resigned:A 2", "position"),
        ("gle/1c1/1C1/ELG[- w 0 1", "bracket"),
        ("gle/1c1/1C1/ELG[-] w - - 1", "FEN"),
        ("gle/1c1/1C1/ELG[-] w x 1", "FEN"),
    ],
)
def test_an_impossible_position_names_the_field_and_why(text: str, named: str) -> None:
    with pytest.raises(PositionError) as caught:
        GAME.parse_position(text)
    assert named in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_lost_lion_is_read_when_it_is_the_losers_turn() -> None:
    position = GAME.parse_position("g1e/1c1/1C1/ELG w - 1")
    assert GAME.outcome(position) == won(A, "lion-captured")
    assert GAME.legal(position) == ()


@pytest.mark.parametrize("text", ["b3b2", "B3", "B3B", "B3-B2", "C*", "H*B2", "L*B2", "A5A4", "--"])
def test_a_text_that_is_no_move_is_no_move(text: str) -> None:
    with pytest.raises(MoveError, match="expected a text like") as caught:
        GAME.parse_move(START, text)
    assert not isinstance(caught.value, IllegalMoveError)
