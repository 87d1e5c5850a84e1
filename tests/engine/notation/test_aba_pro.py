"""Records of Abalone in Aba-Pro notation."""

from __future__ import annotations

import random

import pytest

from engine.game import Claim, GameError, IllegalMoveError, MoveError, OptionError, PositionError
from engine.games.abalone import Abalone
from engine.games.abalone.options import LAYOUTS
from engine.notation.aba_pro import AbaProRecord, read, write

WHITE_TO_MOVE = "sssss/ssssss/2sss2/8/9/8/2SSS2/SSSSSS/SSSSS 0 0 w 0 1"


def random_record(layout: str, seed: int, plies: int) -> AbaProRecord:
    rng, game = random.Random(f"{layout} {seed}"), Abalone({"layout": layout})
    position, moves = game.start(), []
    while len(moves) < plies and (legal := game.legal(position)):
        pushes = [move for move in legal if move.pushed]
        moves.append(rng.choice(pushes if pushes and rng.random() < 0.8 else legal))
        position = game.play(position, moves[-1])
    return AbaProRecord(
        game, game.start(), tuple(moves), {"Black": "Ada", "White": "Bo [the third]"}
    )


@pytest.mark.parametrize("layout", LAYOUTS)
def test_what_is_written_is_read_again(layout: str) -> None:
    for seed, plies in enumerate((0, 1, 2, 61, 400)):
        record = random_record(layout, seed, plies)
        text = write(record)
        assert max(map(len, text.splitlines())) < 80
        again = read(text)
        assert (again.game, again.start, again.moves) == (record.game, record.start, record.moves)
        assert {**again.headers, **record.headers} == again.headers
        assert write(again) == text


def test_a_record_looks_like_this() -> None:
    game = Abalone({"clock": 10})
    moves = tuple(game.parse_move(game.start(), text) for text in ("a1b2",))
    after = game.play(game.start(), moves[0])
    record = AbaProRecord(
        game, game.start(), (*moves, game.parse_move(after, "i5h5")), {"Black": "Ada"}
    )
    assert write(record) == "[Black] Ada\n[layout] standard\n[clock] 10\n\n1. a1b2 i5h5\n"


def test_result_and_score_are_written_when_the_game_is_over() -> None:
    game = Abalone()
    assert "[Result] 0-1\n[Score] 0-0\n" in write(read("1. a1b2 i5h5 2. resign"))
    assert "[Result] 1-0\n" in write(read("1. a1b2 resign"))
    assert "[Result] 1-0\n" in write(read("1. white resign"))
    drawn = write(AbaProRecord(game, game.start(), read("c3d3 g5f4 d3c3 f4g5 " * 2).moves))
    assert "[Result] 1/2-1/2\n" in drawn
    sixth = "SSSSS/SS4/7/8/6SSs/8/7/3sss/sssss 5 5 b 0 1"
    won = write(read(f"[position] {sixth}\ne7e8"))
    assert won.startswith("[Result] 1-0\n[Score] 6-5\n")


def test_an_unfinished_game_keeps_the_result_that_it_was_given() -> None:
    record = read("[Result] 1-0\n1. a1b2 i5h5")
    assert record.headers == {"Result": "1-0"}
    assert "[Result] 1-0\n" in write(record)


def test_a_flag_stands_among_the_moves() -> None:
    record = read("[clock] 10\n[flag rule] ejections\n1. a1b2 flag")
    assert record.game == Abalone({"clock": 10, "flag_rule": "ejections"})
    assert record.moves[-1] == Claim(1, "flag")
    assert "[Result] 1/2-1/2\n" in write(record)
    assert read(write(record)).moves == record.moves


def test_many_ways_to_write_the_same_are_read() -> None:
    plain = read("[layout] belgian_daisy\n1. a1b2 i5h5\n2. a2b3 i6h6\n")
    loose = read(
        '\ufeff[Abalassembly]\n[ Black "Ada" ]\n[Layout "Belgian Daisy"]\n# from the club\n\n'
        "1.A1-B2! i5h5 {so far\nthe book} 2...a2b3?, I6-H6!?"
    )
    assert loose.moves == plain.moves
    assert loose.game == plain.game
    assert loose.headers == {"Abalassembly": "", "Black": "Ada"}
    assert read("[layout] belgian_daisy\na1b2 i5h5 a2b3 i6h6").moves == plain.moves
    nacre = read("[layout] belgian_daisy\na1d4 i5f5 a2b3 i6h6")
    assert nacre.moves == plain.moves


def test_a_record_may_begin_anywhere() -> None:
    record = read(f"[position] {WHITE_TO_MOVE}\n\n1. ... i5h5 2. a1b2")
    game = Abalone()
    assert record.start == game.parse_position(WHITE_TO_MOVE)
    assert [game.turn(position) for position in record.positions()] == [1, 0, 1]
    text = write(record)
    assert text.endswith(f"[position] {WHITE_TO_MOVE}\n\n1. ... i5h5 2. a1b2\n")
    assert read(text) == record


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("1. a1b2 i5h5 2. a1b2", IllegalMoveError, "number 2, black: move 'a1b2': No marble"),
        ("1. a1b2 e5", MoveError, "number 1, white: move 'e5': expected a text like a1b2"),
        ("1. a1b2 resign 2. a2b2", IllegalMoveError, "number 1, white: move 'a2b2': The game is"),
        ("1. black", MoveError, "number 1, black: move 'black'"),
        ("[layout] pyramid\na1b2", OptionError, "option layout: 'pyramid' is not one of"),
        ("[position] e4 b\na1b2", PositionError, "position 'e4 b'"),
    ],
)
def test_what_cannot_be_says_where_and_why(text: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        read(text)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("sign", "\x0b\x0c\x1c\x85\u2028")
def test_only_line_ends_end_a_tag(sign: str) -> None:
    record = read(f"[Black] A{sign}da\n# x{sign}1. b1c2\n1. a1b2 i5h5{sign}\n")
    assert record.headers == {"Black": f"A{sign}da"}
    assert len(record.moves) == 2
    assert read(write(record)) == record


def test_what_is_too_long_or_has_no_end_is_refused() -> None:
    with pytest.raises(GameError, match="the text is longer than"):
        read("#" * (1 << 21) + "\n")
    with pytest.raises(MoveError, match=r"the comment '{so far 2\. a2b3' has no end"):
        read("1. a1b2 i5h5 {so far 2. a2b3")
    with pytest.raises(MoveError, match="number 1, black: move 'xxx") as caught:
        read("x" * 5000)
    assert len(str(caught.value)) <= 300
    with pytest.raises(OptionError, match="option layout: 'yyy") as refused:
        read(f"[layout] {'y' * 1000}\n")
    assert len(str(refused.value)) <= 300


@pytest.mark.parametrize(
    "headers", [{"Black": "A\nda"}, {"": "x"}, {"Bla]ck": "Ada"}, {"Black": " Ada"}]
)
def test_a_tag_that_does_not_fit_on_a_line_is_refused(headers: dict[str, str]) -> None:
    with pytest.raises(GameError, match="cannot be written on one line"):
        write(AbaProRecord(Abalone(), Abalone().start(), (), headers))
