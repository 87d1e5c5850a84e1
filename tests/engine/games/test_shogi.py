"""Shogi by its rules: counts, drops, promotion, the ends of a game, and every option."""

from __future__ import annotations

import copy
import pickle
import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from engine.game import Claim, IllegalMoveError, Outcome, Piece
from engine.games.shogi import Shogi, ShogiBoard, ShogiMove, ShogiPosition, furigoma
from engine.games.shogi.claims import points
from tests.support.rules import after, line, moves, refused
from tests.support.sampling import deep

START = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"
MAXMOVES = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1"
MATSURI = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1"
PAWN_DROP_MATE = "8k/9/6NG1/9/9/9/9/9/4K4 b P 1"
NIFU_AND_TOKIN = "4k4/9/9/2+P6/4P4/9/P7P/9/4K4 b 3P 1"
FORCED_PROMOTION = "4k4/1P1L5/1N5N1/9/9/9/9/9/4K4 b - 1"

SENTE, GOTE = 0, 1


def game(**options: object) -> Shogi:
    return Shogi(options)


def ends(shogi: Shogi, line: Sequence[ShogiPosition]) -> list[Outcome | None]:
    """Return the outcome after each position of a line."""
    return [shogi.outcome(position, line[:index]) for index, position in enumerate(line)]


# ---- counts


@pytest.mark.parametrize(
    ("sfen", "first", "counts"),
    [
        (START, 1, (30, 900, 25_470)),
        (MAXMOVES, 1, (593, 105_677)),
        (MATSURI, 1, (207, 28_684)),
        (PAWN_DROP_MATE, 1, (80, 7, 557, 17_937)),
        (NIFU_AND_TOKIN, 1, (61, 298, 16_533)),
        (FORCED_PROMOTION, 1, (11, 43, 519, 11_247)),
        deep((START, 4, (719_731, 19_861_490, 547_581_517))),
        deep((MAXMOVES, 3, (53_393_368,))),
        deep((MATSURI, 3, (4_809_015, 516_925_165))),
    ],
)
def test_the_moves_of_known_positions_are_as_many_as_counted_elsewhere(
    sfen: str, first: int, counts: tuple[int, ...]
) -> None:
    shogi = game()
    position = shogi.parse_position(sfen)
    for depth, count in enumerate(counts, first):
        assert shogi.perft(position, depth) == count


# ---- a private board plays forwards and back


def state(board: ShogiBoard) -> tuple[Any, ...]:
    return (
        board.position(),
        board.key,
        tuple(board.masks),
        tuple(frozenset(unit) for unit in board.units),
        tuple(board.occupied),
        tuple(board.kings),
        tuple(board.past_keys),
    )


@pytest.mark.parametrize("way", ["warn_and_take_back", "king_capture"])
def test_a_board_goes_forwards_and_back_and_agrees_with_play(way: str) -> None:
    shogi = game(illegal_move=way)
    rng = random.Random(way)
    captures = drops = promotions = 0
    for _ in range(12):
        position = shogi.start()
        board = ShogiBoard(position, way == "king_capture")
        behind = []
        while len(behind) < 150 and (moves := shogi.legal(position)):
            assert set(board.moves()) == set(moves)
            assert len(board.moves()) == len(moves)
            behind.append(state(board))
            move = rng.choice(moves)
            captures += not move.drop and position.cells[move.target] != 0
            drops += move.drop != 0
            promotions += move.promotes
            board.make(move)
            position = shogi.play(position, move)
            assert board.position() == position
            fresh = ShogiBoard(position, way == "king_capture")
            assert board.key == fresh.key
            assert state(board)[2:6] == state(fresh)[2:6] or -1 in fresh.kings
        while behind:
            board.unmake()
            assert state(board) == behind.pop()
    assert min(captures, drops, promotions) > 20


def test_keys_tell_hands_and_turn_apart() -> None:
    shogi = game()
    keys = {
        ShogiBoard(shogi.parse_position(f"4k4/9/9/9/9/9/9/9/4K4 {rest} 1")).key
        for rest in ("b -", "w -", "b P", "b 2P", "b p", "b L", "b RB", "b Rb", "w P")
    }
    assert len(keys) == 9


def test_pieces_never_vanish() -> None:
    shogi = game()
    position, rng = shogi.start(), random.Random(3)
    set_of = {"P": 18, "L": 4, "N": 4, "S": 4, "G": 4, "B": 2, "R": 2, "K": 2}
    for _ in range(300):
        legal = shogi.legal(position)
        if not legal:
            break
        position = shogi.play(position, rng.choice(legal))
        kinds = Counter[str]()
        for piece in shogi.pieces(position).values():
            kinds[piece.kind.lstrip("+")] += piece.count
        assert kinds == set_of


# ---- moves are values


def test_a_move_is_one_object_however_it_is_made() -> None:
    move = ShogiMove("8h2b+")
    assert ShogiMove("8h2b+") is move
    assert copy.deepcopy(move) is move
    assert pickle.loads(pickle.dumps(move)) is move
    assert eval(repr(move)) is move
    assert (move.source, move.place, move.promotes) == ("8h", "2b", True)
    assert ShogiMove("P*5e").source is None
    with pytest.raises(AttributeError, match="cannot be changed"):
        move.promotes = False
    with pytest.raises(AttributeError, match="cannot be changed"):
        del move.text


def test_a_slider_crosses_the_squares_between() -> None:
    shogi = game()
    position = shogi.parse_position("4k4/9/9/9/9/9/9/L8/1R2K3B b - 1")
    assert shogi.path(position, ShogiMove("8i8e")) == {"8h", "8g", "8f"}
    assert shogi.path(position, ShogiMove("1i4f")) == {"2h", "3g"}
    assert shogi.path(position, ShogiMove("9h9f")) == {"9g"}
    assert shogi.path(position, ShogiMove("5i5h")) == frozenset()


def test_what_a_capture_and_a_drop_change() -> None:
    shogi = game()
    position = shogi.parse_position("4k4/9/9/6+r2/9/4B4/9/9/4K4 b R2g 1")
    assert shogi.changes(position, ShogiMove("5f3d")) == {
        "5f": None,
        "3d": Piece(SENTE, "B"),
        "hand.sente.R": Piece(SENTE, "R", count=2),
    }
    assert shogi.changes(position, ShogiMove("R*1a")) == {
        "1a": Piece(SENTE, "R"),
        "hand.sente.R": None,
    }


# ---- promotion


def test_a_promoted_piece_shows_the_other_pole_and_reverts_when_taken() -> None:
    shogi = game()
    position = shogi.parse_position("4k4/9/9/9/9/4+p4/4R4/9/4K4 b - 1")
    assert shogi.pieces(position)["5f"] == Piece(GOTE, "+P", -1)
    ended = shogi.pieces(shogi.play(position, ShogiMove("5g5f")))
    assert ended["hand.sente.P"] == Piece(SENTE, "P")


@pytest.mark.parametrize(
    ("sfen", "text"),
    [
        ("8k/9/6NGP/9/9/9/9/9/4K4 b - 1", "1c1b"),
        ("8k/9/6NG1/9/9/9/9/9/4K4 b L 1", "L*1b"),
        ("8k/9/6NG1/9/9/9/9/9/4K4 b G 1", "G*1b"),
    ],
)
def test_a_pawn_may_mate_by_moving_and_others_by_dropping(sfen: str, text: str) -> None:
    shogi = game()
    before, mated = line(shogi, sfen, text)
    assert shogi.outcome(mated, [before]) == Outcome(frozenset({SENTE}), "mate")


# ---- ends


def test_a_side_without_any_move_loses() -> None:
    shogi = game()
    position = shogi.parse_position("8k/6G2/7G1/9/9/9/9/9/4K4 w - 1")
    assert shogi.outcome(position) == Outcome(frozenset({SENTE}), "no-move")


@pytest.mark.parametrize("seat", [SENTE, GOTE])
@pytest.mark.parametrize("text", ["resign", "flag"])
def test_either_side_may_resign_or_run_out_of_time_at_any_moment(text: str, seat: int) -> None:
    shogi = game()
    ended = shogi.play(shogi.start(), Claim(seat, text))
    assert shogi.outcome(ended) == Outcome(frozenset({1 - seat}), text)
    assert shogi.legal(ended) == ()
    assert shogi.position_text(ended).endswith(f"ended:{text}:{shogi.seats[1 - seat]}")


# ---- illegal_move

IN_CHECK = "4k4/9/9/9/4r4/9/9/9/3PK4 b - 1"


def test_by_default_a_king_must_leave_check() -> None:
    shogi = game()
    assert moves(shogi, IN_CHECK) == {"5i4i", "5i4h", "5i6h"}
    position = shogi.parse_position(IN_CHECK)
    assert "illegal" not in [claim.text for claim in shogi.claims(position, GOTE)]
    with pytest.raises(IllegalMoveError):
        shogi.play(position, Claim(GOTE, "illegal"))


def test_with_loses_the_opponent_claims_and_wins() -> None:
    shogi = game(illegal_move="loses")
    position = shogi.parse_position(IN_CHECK)
    assert len(shogi.legal(position)) == 3  # an illegal move is never played, only claimed
    assert Claim(SENTE, "illegal") not in shogi.claims(position, SENTE)
    assert Claim(GOTE, "illegal") in shogi.claims(position, GOTE)
    ended = shogi.play(position, Claim(GOTE, "illegal"))
    assert shogi.outcome(ended) == Outcome(frozenset({GOTE}), "illegal-move")


def test_with_king_capture_a_king_may_be_left_in_check_and_taken() -> None:
    shogi = game(illegal_move="king_capture")
    positions = line(shogi, IN_CHECK, "6i6h", "5e5i+")
    assert shogi.outcome(positions[1]) is None
    assert shogi.outcome(positions[2]) == Outcome(frozenset({GOTE}), "king-captured")
    assert shogi.legal(positions[2]) == ()
    assert "hand.gote.K" not in shogi.pieces(positions[2])
    assert sum(piece.kind == "K" for piece in shogi.pieces(positions[2]).values()) == 1
    assert shogi.parse_position(shogi.position_text(positions[2])) == positions[2]


def test_with_king_capture_a_mated_side_still_moves() -> None:
    shogi = game(illegal_move="king_capture")
    positions = line(shogi, "8k/9/6NG1/9/9/9/9/9/4K4 b G 1", "G*1b", "1a1b")
    assert shogi.outcome(positions[1]) is None
    taken = shogi.play(positions[2], ShogiMove("2c1b"))
    assert shogi.outcome(taken) == Outcome(frozenset({SENTE}), "king-captured")


def test_with_king_capture_other_rules_still_hold() -> None:
    shogi = game(illegal_move="king_capture")
    assert "P*1b" not in moves(shogi, PAWN_DROP_MATE)
    assert not any(m.startswith("P*5") for m in moves(shogi, NIFU_AND_TOKIN))
    assert "8b8a" not in moves(shogi, FORCED_PROMOTION)


# ---- sennichite

SHUFFLE = "2h3h 8b7b 3h2h 7b8b"
DETOUR = "2h4h 8b6b 4h2h 6b8b"
CHECKS = "8i9i 9a8a 9i8i 8a9a"
QUIET = "8i7i 9a8a 7i8i 8a9a"
BEFORE, CHECKS_BELOW = "7i8i 9a9b", "8i9i 9b8b 9i8i 8b9b"
CHASE = "k8/9/9/9/9/9/9/7K1/1R7 b - 1"
DRAW = Outcome(frozenset(), "repetition")
SENTE_WINS, GOTE_WINS = (Outcome(frozenset({seat}), "perpetual-check") for seat in (SENTE, GOTE))


@pytest.mark.parametrize(
    ("ways", "sfen", "cycles", "expected"),
    [
        ("4_any 4_consecutive", START, [SHUFFLE] * 3, DRAW),
        # an interruption matters only where four in a row are asked for
        ("4_any", START, [SHUFFLE, DETOUR, SHUFFLE], DRAW),
        ("4_consecutive", START, [SHUFFLE, DETOUR, SHUFFLE], None),
        ("4_consecutive", START, [SHUFFLE, DETOUR, SHUFFLE, SHUFFLE, SHUFFLE], DRAW),
        # perpetual check loses, for either side
        ("4_any 4_consecutive", CHASE, [CHECKS] * 3, GOTE_WINS),
        ("4_any", "7r1/1k7/9/9/9/9/9/9/8K w - 1", ["2a1a 1i2i 1a2a 2i1i"] * 3, SENTE_WINS),
        # a quiet move in the cycle makes it a draw, one before it does not
        ("4_any", CHASE, [QUIET, CHECKS, CHECKS], DRAW),
        ("4_any", "k8/9/9/9/9/9/9/7K1/2R6 b - 1", [BEFORE, *[CHECKS_BELOW] * 3], GOTE_WINS),
    ],
)
def test_the_fourth_time_ends_it(
    ways: str, sfen: str, cycles: list[str], expected: Outcome | None
) -> None:
    for way in ways.split():
        shogi = game(sennichite=way)
        *before, last = ends(shogi, line(shogi, sfen, *" ".join(cycles).split()))
        assert set(before) == {None}
        assert last == expected


def test_the_same_pieces_with_another_hand_or_turn_are_another_position() -> None:
    shogi = game()
    positions = line(shogi, START, *SHUFFLE.split() * 3)
    richer = positions[0]._replace(hands=(1, 0))
    later = positions[0]._replace(turn=GOTE)
    assert shogi.outcome(positions[-1], [richer, *positions[1:-1]]) is None
    assert shogi.outcome(positions[-1], [later, *positions[1:-1]]) is None


def test_an_offer_in_between_is_no_further_occurrence() -> None:
    shogi = game(allow_draw_offer="true")
    positions = line(shogi, START, *SHUFFLE.split() * 2)
    offered = shogi.play(positions[-1], Claim(SENTE, "draw?"))
    assert shogi.outcome(offered, positions) is None
    declined = shogi.play(offered, Claim(GOTE, "decline"))
    assert shogi.outcome(declined, [*positions, offered]) is None


# ---- impasse

ENTERED = "4K4/9/9/9/9/9/9/9/4k4 b {} 1"  # both kings in their promotion zones


@pytest.mark.parametrize(
    ("hands", "counted", "winner"),
    [
        ("RB2G2S2N2L9Prb2g2s2n2l9p", (27, 27), None),
        ("RB14Prb4g4s4n4l4p", (24, 30), None),
        ("RB13Prb4g4s4n4l5p", (23, 31), GOTE),
        ("RB4G4S4N4L5Prb13p", (31, 23), SENTE),
        ("RBr", (10, 5), None),  # not a whole set
    ],
)
def test_agreed_points_below_24_lose(
    hands: str, counted: tuple[int, int], winner: int | None
) -> None:
    shogi = game()
    position = shogi.parse_position(ENTERED.format(hands))
    first = shogi.play(position, Claim(GOTE, "jishogi"))
    assert shogi.outcome(first) is None
    assert Claim(GOTE, "jishogi") not in shogi.claims(first, GOTE)
    assert shogi.parse_position(shogi.position_text(first)) == first
    agreed = shogi.play(first, Claim(SENTE, "jishogi"))
    winners = frozenset() if winner is None else frozenset({winner})
    assert shogi.outcome(agreed) == Outcome(winners, "jishogi", counted)


def test_promoted_pieces_count_as_they_did_before() -> None:
    shogi = game()
    position = shogi.parse_position("4K4/+R+B+P+L+N+S3/9/9/9/9/9/9/4k4 b G2p 1")
    assert (points(position, SENTE), points(position, GOTE)) == (15, 2)
    assert (points(shogi.start(), SENTE), points(shogi.start(), GOTE)) == (27, 27)


@pytest.mark.parametrize(
    "sfen", [START, "4K4/9/9/9/9/4k4/9/9/9 b - 1", "9/9/9/4K4/9/9/9/9/4k4 b - 1"]
)
def test_impasse_is_not_agreed_before_both_kings_have_entered(sfen: str) -> None:
    assert refused(game(), sfen, "jishogi") == "kings-outside"


def test_moving_without_answering_declines() -> None:
    shogi = game()
    position = shogi.parse_position(ENTERED.format("RB14Prb4g4s4n4l4p"))
    asked = shogi.play(position, Claim(SENTE, "jishogi"))
    moved = shogi.play(asked, ShogiMove("5a5b"))
    assert moved.offers == asked.offers
    answered = shogi.play(moved, ShogiMove("5i5h"))
    assert not answered.offers


DECLARING = "4K4/+P8/+P+P+P+P+P+P+P+P+P/9/9/9/9/9/4k4 {} 1"  # ten pieces beside the king
DECLARED_BY_GOTE = "4K4/9/9/9/9/9/+p+p+p+p+p+p+p+p+p/+p8/4k4 w {} 1"


@pytest.mark.parametrize(
    ("sfen", "claim", "missing"),
    [
        (DECLARING.format("b 2RB3P"), "declare", ""),  # 28 points
        (DECLARING.format("b 2RB2P"), "declare", "declare-points"),
        (DECLARED_BY_GOTE.format("2rb2p"), "declare", ""),  # 27 points
        (DECLARED_BY_GOTE.format("2rbp"), "declare", "declare-points"),
        ("4K4/9/+P+P+P+P+P+P+P+P+P/9/9/9/9/9/4k4 b 2R2B 1", "declare", "declare-pieces"),
        ("4K4/9/+P+P+P+P+P+P+P+P+P/+P8/9/9/9/9/4k4 b 2R2B 1", "declare", "declare-pieces"),
        ("9/9/+P+P+P+P+P+P+P+P+P/+P3K4/9/9/9/9/4k4 b 2R2B 1", "declare", "declare-king"),
        ("4K3r/+P8/+P+P+P+P+P+P+P+P+P/9/9/9/9/9/4k4 b R2B4P 1", "declare", "declare-check"),
        (DECLARING.format("w 2RB3P"), "sente declare", "declare-turn"),
    ],
)
def test_a_win_is_declared_only_when_every_condition_holds(
    sfen: str, claim: str, missing: str
) -> None:
    shogi = game(impasse="declaration27")
    position = shogi.parse_position(sfen)
    seat = SENTE if "sente" in claim else position.turn
    assert (Claim(seat, "declare") in shogi.claims(position, seat)) is not bool(missing)
    if missing:
        assert refused(shogi, sfen, claim).split()[0] == missing
    else:
        won = Outcome(frozenset({seat}), "declare")
        assert shogi.outcome(after(shogi, position, claim)) == won


@pytest.mark.parametrize(
    ("way", "sfen", "text"),
    [
        ("declaration27", ENTERED.format("RB"), "jishogi"),
        ("off", ENTERED.format("RB"), "jishogi"),
        ("agreement24", DECLARING.format("b 2RB3P"), "declare"),
        ("off", DECLARING.format("b 2RB3P"), "declare"),
    ],
)
def test_each_way_out_of_an_impasse_is_only_for_its_option(way: str, sfen: str, text: str) -> None:
    shogi = game(impasse=way)
    claims = shogi.claims(shogi.parse_position(sfen), SENTE)
    assert Claim(SENTE, text) not in claims
    assert refused(shogi, sfen, text) == "no-claim"


# ---- draw offers


def test_no_draw_is_offered_by_default() -> None:
    shogi = game()
    assert [claim.text for claim in shogi.claims(shogi.start(), SENTE)] == ["resign", "flag"]
    with pytest.raises(IllegalMoveError):
        shogi.play(shogi.start(), Claim(SENTE, "draw?"))


def test_a_draw_is_offered_and_agreed_declined_or_played_over() -> None:
    shogi = game(allow_draw_offer="true")
    start = shogi.start()
    offered = shogi.play(start, Claim(SENTE, "draw?"))
    assert [claim.text for claim in shogi.claims(offered, SENTE)] == ["resign", "flag"]
    assert [claim.text for claim in shogi.claims(offered, GOTE)] == [
        "resign",
        "flag",
        "agree",
        "decline",
    ]
    agreed = shogi.play(offered, Claim(GOTE, "agree"))
    assert shogi.outcome(agreed) == Outcome(frozenset(), "agreement")
    assert shogi.play(offered, Claim(GOTE, "decline")) == start
    moved = shogi.play(offered, ShogiMove("7g7f"))
    assert Claim(GOTE, "agree") in shogi.claims(moved, GOTE)
    assert Claim(GOTE, "agree") not in shogi.claims(shogi.play(moved, ShogiMove("3c3d")), GOTE)


# ---- furigoma


@pytest.mark.parametrize("up", range(6))
def test_three_promoted_pawns_give_the_first_move_to_the_opponent(up: int) -> None:
    assert furigoma([True] * up + [False] * (5 - up)) is (up < 3)


def test_furigoma_takes_five_pawns() -> None:
    with pytest.raises(ValueError, match="4 pawns"):
        furigoma([True] * 4)
