"""KIF, CSA and USI: records are read back as written, and games end alike."""

from __future__ import annotations

import random
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from engine.game import Claim, IllegalMoveError, Outcome
from engine.games.shogi import Shogi, ShogiMove
from engine.notation import csa, kif, usi
from engine.notation.shogi_record import ShogiRecord, ShogiRecordError
from tests.support.sampling import a_few

FORMATS = [kif, csa, usi]
STARTS = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
    "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
    "4k4/1+R+B6/1+L+N+S5/9/9/9/2+n+s+l4/9/4K4 b 18p 1",
]


def random_record(shogi: Shogi, start: str, seed: int, plies: int = 120) -> ShogiRecord:
    rng = random.Random(seed)
    position = shogi.parse_position(start)
    first, moves, earlier = position, [], []
    while len(moves) < plies and not shogi.outcome(position, earlier):
        move = rng.choice(list(shogi.legal(position)))
        moves.append(move)
        earlier.append(position)
        position = shogi.play(position, move)
    outcome = shogi.outcome(position, earlier)
    return ShogiRecord(shogi, first, tuple(moves), outcome=outcome)


@pytest.mark.parametrize("notation", FORMATS, ids=lambda module: module.__name__)
@pytest.mark.parametrize("start", a_few(STARTS, 3))
def test_random_games_go_there_and_back(notation: ModuleType, start: str) -> None:
    shogi = Shogi()
    for seed in range(4):
        record = random_record(shogi, start, seed)
        text = notation.write(record)
        assert notation.read(text) == record
        assert notation.write(notation.read(text)) == text


def test_random_games_have_every_kind_of_move() -> None:
    shogi = Shogi()
    texts = "".join(kif.write(random_record(shogi, START, seed, 400)) for seed in range(8))
    for word in ("打", "同", "成(", "成銀(", "成桂(", "成香(", "と(", "馬(", "龍("):
        assert word in texts


START = STARTS[0]


@pytest.mark.parametrize("notation", [kif, csa])
@pytest.mark.parametrize("header", [{"event": "two\nlines"}, {"sente": "a\rb"}])
def test_a_header_of_two_lines_is_refused(notation: ModuleType, header: dict[str, str]) -> None:
    shogi = Shogi()
    with pytest.raises(ShogiRecordError, match="is not one line"):
        notation.write(ShogiRecord(shogi, shogi.start(), (), header))


def test_as_many_times_as_moves() -> None:
    shogi = Shogi()
    with pytest.raises(ShogiRecordError, match="2 times for 1 moves"):
        csa.write(ShogiRecord(shogi, shogi.start(), (ShogiMove("7g7f"),), {}, None, (1, 2)))


ENTERED = "4K4/9/9/9/9/9/9/9/4k4 {} RB13Prb4g4s4n4l5p 1"
DECLARING = "4K4/+P8/+P+P+P+P+P+P+P+P+P/9/9/9/9/9/4k4 b 2RB3P 1"
SHUFFLE = "2h3h 8b7b 3h2h 7b8b "
CHASED = "k8/9/9/9/9/9/9/7K1/1R7 b - 1"
IN_CHECK = "4k4/9/9/9/4r4/9/9/9/3PK4 b - 1"
CHASE = "8i9i 9a8a 9i8i 8a9a "


@pytest.mark.parametrize("notation", [kif, csa])
@pytest.mark.parametrize(
    ("options", "start", "texts", "winner", "reason"),
    [
        ({}, START, "7g7f|resign", 0, "resign"),
        ({}, START, "7g7f|sente resign", 1, "resign"),
        ({}, START, "7g7f|flag", 0, "flag"),
        ({}, START, "7g7f|sente flag", 1, "flag"),
        ({}, START, "resign", 1, "resign"),
        ({"illegal_move": "loses"}, START, "7g7f|sente illegal", 0, "illegal-move"),
        ({"illegal_move": "loses"}, START, "gote illegal", 1, "illegal-move"),
        ({"allow_draw_offer": True}, START, "7g7f|draw?|sente agree", None, "agreement"),
        ({}, ENTERED.format("b"), "jishogi|gote jishogi", 1, "jishogi"),
        ({}, ENTERED.format("w"), "jishogi|sente jishogi", 1, "jishogi"),
        ({"impasse": "declaration27"}, DECLARING, "declare", 0, "declare"),
        ({}, START, "|".join((SHUFFLE * 3).split()), None, "repetition"),
        ({}, CHASED, "|".join((CHASE * 3).split()), 1, "perpetual-check"),
        ({}, "8k/9/6NG1/9/9/9/9/9/4K4 b G 1", "G*1b", 0, "mate"),
        ({}, "8k/9/6GG1/9/9/9/9/9/4K4 b - 1", "3c3b", 0, "no-move"),
        ({"illegal_move": "king_capture"}, IN_CHECK, "6i6h|5e5i", 1, "king-captured"),
    ],
)
def test_ends_go_there_and_back(
    notation: ModuleType,
    options: dict[str, Any],
    start: str,
    texts: str,
    winner: int | None,
    reason: str,
) -> None:
    shogi = Shogi(options)
    position = shogi.parse_position(start)
    line, moves = [position], []
    for text in texts.split("|"):
        moves.append(shogi.parse_move(position, text))
        position = shogi.play(position, moves[-1])
        line.append(position)
    outcome = shogi.outcome(position, line[:-1])
    assert outcome is not None
    assert (outcome.reason, outcome.winners) == (
        reason,
        frozenset() if winner is None else frozenset({winner}),
    )
    read = notation.read(notation.write(ShogiRecord(shogi, line[0], tuple(moves))), shogi)
    assert read.outcome == outcome
    assert read.moves == tuple(moves)
    *_, last = read.positions()
    assert last == position


@pytest.mark.parametrize("notation", [kif, csa])
def test_an_end_that_the_options_do_not_know_is_kept_as_said(notation: ModuleType) -> None:
    strict, open_ = Shogi(), Shogi({"allow_draw_offer": True, "impasse": "declaration27"})
    start = strict.start()
    drawn = ShogiRecord(open_, start, (Claim(0, "draw?"), Claim(1, "agree")))
    read = notation.read(notation.write(drawn), strict)
    assert (read.moves, read.outcome) == ((), Outcome(frozenset(), "agreement"))
    assert notation.read(notation.write(read), strict) == read
    position = open_.parse_position(DECLARING)
    declared = ShogiRecord(open_, position, (Claim(0, "declare"),))
    read = notation.read(notation.write(declared), strict)
    assert (read.moves, read.outcome) == ((), Outcome(frozenset({0}), "declare"))


@pytest.mark.parametrize("notation", FORMATS, ids=lambda module: module.__name__)
def test_what_is_said_during_the_game_is_left_out(notation: ModuleType) -> None:
    shogi = Shogi({"allow_draw_offer": True})
    moves = (Claim(0, "draw?"), ShogiMove("7g7f"), Claim(1, "decline"), ShogiMove("3c3d"))
    read = notation.read(notation.write(ShogiRecord(shogi, shogi.start(), moves)), shogi)
    assert read.moves == (ShogiMove("7g7f"), ShogiMove("3c3d"))


@pytest.mark.parametrize("notation", FORMATS, ids=lambda module: module.__name__)
def test_only_games_that_can_be_are_written(notation: ModuleType) -> None:
    shogi = Shogi()
    with pytest.raises(IllegalMoveError):
        notation.write(ShogiRecord(shogi, shogi.start(), (ShogiMove("7g7e"),)))


# ---- USI


def test_a_usi_line_as_engines_get_it() -> None:
    shogi = Shogi()
    record = usi.read("position startpos moves 7g7f 3c3d 8h2b+")
    assert record.moves == (ShogiMove("7g7f"), ShogiMove("3c3d"), ShogiMove("8h2b+"))
    assert record.start == shogi.start()
    assert usi.write(record) == "position startpos moves 7g7f 3c3d 8h2b+"
    assert usi.write(ShogiRecord(shogi, shogi.start())) == "position startpos"
    assert usi.read("startpos").moves == ()
    handicap = "position sfen lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"
    assert usi.write(usi.read(f"{handicap} moves 5a6b")) == f"{handicap} moves 5a6b"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "line 1: no line that begins with position"),
        ("info\nbestmove 7g7f", "line 2: no line that begins with position"),
        ("position", "line 1: expected startpos or sfen, not ''"),
        ("position here moves 7g7f", "line 1: expected startpos or sfen, not 'here'"),
        ("position startpos 7g7f", "line 1: '7g7f' does not stand among the moves"),
        ("startpos moves 7g7f win 3c3d", "line 1: '3c3d' does not stand among the moves"),
        ("position sfen 9/9 b - 1", "line 1: board '9/9': 2 rows instead of 9"),
        ("position startpos moves 7g7f 3c3", "line 1, move 2: move: '3c3' is no move such as"),
        ("startpos moves 7g7f 7g7f", "line 1, move 2: move '7g7f': No piece stands on 7g"),
        ("position startpos moves 7g7f 3c3d+resign", "line 1, move 2: move: '3c3d+resign' is no"),
    ],
)
def test_a_wrong_usi_line_is_refused(text: str, says: str) -> None:
    with pytest.raises(ShogiRecordError) as caught:
        usi.read(text)
    assert says in str(caught.value)


# ---- other programs


@pytest.fixture
def cshogi() -> Any:
    """Return cshogi, with its programs for CSA and KIF."""
    pytest.importorskip("cshogi", reason="cshogi is not installed: make deep does that")
    import cshogi.CSA
    import cshogi.KIF

    return cshogi


def board_moves(record: ShogiRecord) -> list[ShogiMove]:
    return [move for move in record.moves if isinstance(move, ShogiMove)]


@pytest.mark.deep
@pytest.mark.parametrize("start", STARTS[:3])
def test_cshogi_reads_what_is_written(cshogi: Any, start: str) -> None:
    shogi = Shogi()
    for seed in range(40):
        record = random_record(shogi, start, seed, 200)
        (parsed,) = cshogi.CSA.Parser.parse_str(csa.write(record))
        read = [parsed]
        if start is not STARTS[2]:  # it reads no drawn positions
            read.append(cshogi.KIF.Parser.parse_str(kif.write(record)))
        for each in read:
            texts = [cshogi.move_to_usi(move) for move in each.moves]
            assert texts == [move.text for move in board_moves(record)]
            assert shogi.parse_position(each.sfen) == record.start


@pytest.mark.deep
@pytest.mark.parametrize("start", STARTS[:4])
def test_what_cshogi_writes_is_read(cshogi: Any, tmp_path: Path, start: str) -> None:
    shogi = Shogi()
    for seed in range(10):
        played = board_moves(random_record(shogi, start, seed, 150))
        board = cshogi.Board(start)
        score_csa = cshogi.CSA.Exporter(str(tmp_path / "game.csa"))
        score_kif = cshogi.KIF.Exporter(str(tmp_path / "game.kif"))
        score_csa.info(init_board=board, names=["Ada", "Bo"], version="V2.2")
        score_kif.header(["Ada", "Bo"], handicap=board)
        for move in played:
            packed = board.move_from_usi(move.text)
            score_csa.move(packed, time=3)
            score_kif.move(packed, sec=3, sec_sum=3)
            board.push(packed)
        score_csa.endgame("%TORYO")
        score_kif.end("resign")
        score_csa.close()
        score_kif.close()
        for notation, file in (csa, "game.csa"), (kif, "game.kif"):
            record = notation.read((tmp_path / file).read_bytes())
            assert record.start == shogi.parse_position(start)
            assert board_moves(record) == played
            assert (record.headers["sente"], record.headers["gote"]) == ("Ada", "Bo")
            assert record.seconds == (3,) * len(played)
            assert record.outcome is not None


def test_every_handicap_can_be_played() -> None:
    shogi = Shogi()
    for start in kif.HANDICAPS.values():
        assert shogi.parse_position(shogi.position_text(start)) == start
        assert shogi.legal(start)
