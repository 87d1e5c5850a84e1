"""Why a move of Shogi is refused, by its text or by a hand's attempt; and the threats."""

from __future__ import annotations

import pytest

from engine.game import Attempt, IllegalMoveError, MoveError, Threat
from engine.games.shogi import Shogi
from tests.support.rules import hand, refused, why_not

START = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"
MATE_THREAT = "8k/9/6NG1/9/9/9/9/9/4K4 b P 1"
BARE = "4k4/9/9/9/9/9/9/9/4K4"
BARE_WITH_HAND = "4k4/9/9/9/9/9/P8/9/4K4 b P 1"
TAKEN = "4k4/9/9/4n4/9/9/9/9/4K4 b R 1"
GAME = Shogi()


@pytest.mark.parametrize(
    ("sfen", "text", "reason"),
    [
        (START, "3c3d", "not-yours 3c"),
        (START, "9i9g", "own-piece 9i 9g"),
        (START, "9i8h", "own-piece 9i 8h"),
        (START, "7g7e", "way-P 7g 7e"),
        (START, "7g6f", "way-P 7g 6f"),
        (START, "8i7f", "way-N 8i 7f"),
        (START, "2h3f", "way-R 2h 3f"),
        (START, "5i5f", "way-K 5i 5f"),
        (START, "8h3c", "blocked 8h 3c 7g"),
        (START, "2h2d", "blocked 2h 2d 2g"),
        ("4k4/9/9/9/9/4S4/9/9/4K4 b - 1", "5f6f", "way-S 5f 6f"),
        ("4k4/9/9/9/9/4S4/9/9/4K4 b - 1", "5f5g", "way-S 5f 5g"),
        ("4k4/9/9/9/9/4G4/9/9/4K4 b - 1", "5f6g", "way-G 5f 6g"),
        ("4k4/9/9/9/9/4B4/9/9/4K4 b - 1", "5f5e", "way-B 5f 5e"),
        ("4k4/9/9/9/9/3L5/9/9/4K4 b - 1", "6f6g", "way-L 6f 6g"),
        ("4k4/9/9/9/9/3+P5/9/9/4K4 b - 1", "6f7g", "way-+P 6f 7g"),
        ("4k4/9/9/9/9/3+L5/9/9/4K4 b - 1", "6f6d", "way-+L 6f 6d"),
        ("4k4/9/9/9/9/3+N5/9/9/4K4 b - 1", "6f5d", "way-+N 6f 5d"),
        ("4k4/9/9/9/9/3+S5/9/9/4K4 b - 1", "6f5g", "way-+S 6f 5g"),
        ("4k4/9/9/9/9/3+B5/9/9/4K4 b - 1", "6f6d", "way-+B 6f 6d"),
        ("4k4/9/9/9/9/3+R5/9/9/4K4 b - 1", "6f4d", "way-+R 6f 4d"),
        ("9/k8/9/9/9/9/9/L8/4K4 w - 1", "9b9d", "way-K 9b 9d"),
        ("4k4/9/9/4r4/9/9/9/4G4/4K4 b - 1", "5h6h", "pinned 5h 5i 5d"),
        ("4k4/9/9/9/1b7/9/9/4S4/5K3 b - 1", "5h5g", "pinned 5h 4i 8e"),
        ("4k4/4l4/9/9/9/9/9/4S4/4K4 b - 1", "5h6g", "pinned 5h 5i 5b"),
        ("4k4/9/9/4r4/9/9/9/9/3PK4 b - 1", "6i6h", "stays-in-check 5i 5d"),
        ("4k4/9/9/4r4/9/9/9/9/3PK4 b - 1", "5i5h", "into-check 5h 5d"),
        ("4k4/9/9/3r5/9/9/9/9/4K4 b - 1", "5i6i", "into-check 6i 6d"),
        ("3k5/9/9/9/9/9/9/3g5/5K3 b - 1", "4i5i", "into-check 5i 6h"),
    ],
)
def test_a_step_is_refused_by_its_text_and_from_the_hand(sfen: str, text: str, reason: str) -> None:
    assert refused(GAME, sfen, text) == reason
    source, target = text[:2], text[2:4]
    taken = target in GAME.pieces(GAME.parse_position(sfen))
    attempt = hand(source, swapped=target) if taken else hand(source, target)
    assert why_not(GAME, sfen, attempt) == reason


@pytest.mark.parametrize(
    ("sfen", "text", "reason"),
    [
        (START, "5e5d", "nothing-there 5e"),
        (START, "7g7f+", "outside-zone 7g 7f"),
        ("4k4/9/9/3G5/9/9/9/9/4K4 b - 1", "6d6c+", "no-other-face 6d 6c"),
        ("9/4k4/9/9/3K5/9/9/9/9 b - 1", "6e6d+", "no-other-face 6e 6d"),
        ("4k4/9/3+P5/9/9/9/9/9/4K4 b - 1", "6c6b+", "no-other-face 6c 6b"),
        ("4k4/P8/9/9/9/9/9/9/4K4 b - 1", "9b9a", "must-promote 9b 9a"),
        ("4k4/L8/9/9/9/9/9/9/4K4 b - 1", "9b9a", "must-promote 9b 9a"),
        ("4k4/9/9/N8/9/9/9/9/4K4 b - 1", "9d8b", "must-promote 9d 8b"),
        (START, "P*5e", "not-in-hand 5e hand.sente.P"),
        (f"{BARE} b R 1", "R*5a", "drop-taken hand.sente.R 5a"),
        (f"{BARE} b P 1", "P*1a", "drop-stuck hand.sente.P 1a"),
        (f"{BARE} b L 1", "L*1a", "drop-stuck hand.sente.L 1a"),
        (f"{BARE} w n 1", "N*1h", "drop-stuck hand.gote.N 1h"),
        (BARE_WITH_HAND, "P*9c", "two-pawns 9c 9g"),
        (MATE_THREAT, "P*1b", "pawn-drop-mate 1b 1a"),
        ("4k4/9/9/4r4/9/9/9/9/4K4 b G 1", "G*1e", "stays-in-check 5i 5d"),
        (START, "gote jishogi", "kings-outside"),
        (START, "declare", "no-claim"),
        (START, "draw?", "no-claim"),
        (f"{START} ended:resign:gote", "7g7f", "over"),
    ],
)
def test_other_texts_that_are_refused(sfen: str, text: str, reason: str) -> None:
    assert refused(GAME, sfen, text) == reason


@pytest.mark.parametrize(
    "text", ["7g", "7g7g", "0a1a", "7j7f", "P*", "K*5e", "+P*5e", "P*5e+", "x"]
)
def test_a_text_that_is_no_move_at_all(text: str) -> None:
    with pytest.raises(MoveError, match="is no move such as") as caught:
        GAME.parse_move(GAME.start(), text)
    assert not isinstance(caught.value, IllegalMoveError)


def test_with_king_capture_the_owner_must_protect_the_king() -> None:
    shogi = Shogi({"illegal_move": "king_capture"})
    position = shogi.parse_position("4k4/9/9/4r4/9/9/9/4G4/4K4 b P 1")
    assert {"5h6h", "5h4g"} <= {move.text for move in shogi.legal(position)}


# ---- what a hand did

ONE_PAWN = "4k4/9/9/4p4/4P4/9/9/9/4K4 b - 1"


@pytest.mark.parametrize(
    ("sfen", "attempt", "reason"),
    [
        # drops, from a sensed tray or from nowhere
        (BARE_WITH_HAND, hand("hand.sente.P", "9c"), "two-pawns 9c 9g"),
        (BARE_WITH_HAND, hand("", "9c", "hand.sente.P"), "two-pawns 9c 9g"),
        (BARE_WITH_HAND, hand("", "9c"), "two-pawns 9c 9g"),
        (BARE_WITH_HAND, hand("", "1a"), "drop-stuck hand.sente.P 1a"),
        (BARE_WITH_HAND, hand("hand.sente.P", "5e"), ""),  # legal
        (MATE_THREAT, hand("", "1b"), "pawn-drop-mate 1b 1a"),
        (START, hand("", "5e"), "not-in-hand 5e"),
        (f"{BARE} b Pp 1", hand("hand.gote.P", "5e"), "not-your-hand hand.gote.P 5e"),
        (TAKEN, hand("hand.sente.R", "", "5d"), "drop-taken hand.sente.R 5d"),
        # several pieces in hand: a reason only if none of them may go there
        ("4k4/9/9/4r4/9/9/9/9/4K4 b PG 1", hand("", "1e"), "stays-in-check 5i 5d"),
        ("4k4/9/9/9/9/9/P8/9/4K4 b PG 1", hand("", "9c"), ""),
        # the other side's pieces
        (START, hand("3c", "3d"), "not-yours 3c"),
        (START, hand("3c", "3d", seat=1), "outside-zone 3c 3d"),
        (START, hand("7g", "7f", seat=1), "not-yours 7g"),
        (START, hand("3c"), "not-taken 3c"),
        # too much at once
        (START, hand("7g 2g", "7f 2f"), "one-piece 7g 2g"),
        (START, hand("7g 3c", "7f"), "not-taken 3c"),
        (BARE_WITH_HAND, hand("9g hand.sente.P", "9f"), "one-piece 9g hand.sente.P"),
        # faces
        (START, hand("7g", "7f"), "outside-zone 7g 7f"),
        ("4k4/P8/9/9/9/9/9/9/4K4 b - 1", hand("9b", "9a"), "must-promote 9b 9a"),
        ("4k4/9/P8/9/9/9/9/9/4K4 b - 1", hand("9c", "9b"), ""),  # either face is fine
        (START, hand("", "", "7g"), "turned-in-place 7g"),
        # where the taken piece goes, also if an own piece was nudged
        (ONE_PAWN, hand("5e", "hand.sente.L", "5d"), "wrong-tray 5d"),
        (ONE_PAWN, hand("5e", "hand.gote.P", "5d"), "wrong-tray 5d"),
        ("4k4/9/9/4p4/9/4P4/9/9/4K4 b - 1", hand("5f", "", "5i 5d"), "way-P 5f 5d"),
        # nothing that a rule could say
        (START, hand("7g"), ""),
        (START, hand("", "5e 5d"), ""),
        (f"{START} ended:flag:gote", hand("7g", "7f"), "over"),
    ],
)
def test_what_a_hand_did_wrong(sfen: str, attempt: Attempt, reason: str) -> None:
    assert why_not(GAME, sfen, attempt) == reason


# ---- threats


@pytest.mark.parametrize(
    ("sfen", "expected"),
    [
        (START, ""),
        # a check names every checker
        ("4k4/9/9/4r4/9/9/3n5/9/4K4 b - 1", "check 5i 5d 6g"),
        # protected by the gold, then not
        ("4k4/9/9/4r4/9/4P4/4G4/9/K8 b - 1", "attacked 5f 5d"),
        ("4k4/9/9/4r4/9/4P4/9/9/K8 b - 1", "undefended 5f 5d"),
        # the king takes back
        ("4k4/9/9/4r4/9/4G4/4K4/9/9 b - 1", "attacked 5f 5d"),
        # the gold would take back on 6f, unless it is pinned
        ("k2l5/9/9/9/9/3N5/4G4/4K4/9 b - 1", "attacked 6f 6a"),
        ("k2lr4/9/9/9/9/3N5/4G4/4K4/9 b - 1", "attacked 5g 5a, undefended 6f 6a"),
        # while in check, the other dangers are told as the pieces move
        ("4k4/9/9/4r4/9/9/b8/1P7/2G1K4 b - 1", "check 5i 5d, attacked 8h 9g"),
        # an enemy piece for nothing, and one that is protected
        ("8k/9/9/9/4R4/9/4p4/9/K8 b - 1", "free 5g 5e"),
        ("8k/9/9/9/4R4/5g3/4p4/9/K8 b - 1", ""),
    ],
)
def test_what_the_side_to_move_should_know(sfen: str, expected: str) -> None:
    found = GAME.threats(GAME.parse_position(sfen))
    assert ", ".join(" ".join((each.kind, each.place, *each.by)) for each in found) == expected


def test_with_king_capture_the_enemy_king_may_be_free() -> None:
    shogi = Shogi({"illegal_move": "king_capture"})
    position = shogi.parse_position("4k4/9/9/9/4R4/9/9/9/4K4 b - 1")
    assert Threat("free", "5a", ("5e",)) in shogi.threats(position)
