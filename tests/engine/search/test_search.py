"""The search: the scores of plain minimax, known mates, and stopping at any time."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engine.game import CHANCE, GameError
from engine.games import NAMES, make
from engine.match import AnyGame
from engine.search import search
from engine.search.alpha_beta import EXACT, AlphaBeta, TableEntry, TranspositionTable
from engine.search.evaluation import evaluator_of
from engine.search.evaluation.shogi import ShogiEvaluator
from engine.search.evaluator import Evaluator
from engine.search.grades import FORCED, LOSING, NEAR, WIN, chance, grade, losing_bound, score_of
from engine.search.solved.values import Values
from tests.support.rules import line
from tests.support.sampling import a_few

TWO_SIDED = [name for name in NAMES if name != "chaturaji"]


def never() -> bool:
    return False


def random_position(game: AnyGame, seed: int) -> Any:
    """Return a position from the middle of a random game with a seat to move."""
    chance = Random(seed)
    while True:
        position = game.start()
        for _ in range(chance.randrange(40)):
            legal = game.legal(position)
            if not legal:
                break
            position = game.play(position, chance.choice(legal))
        if game.legal(position) and game.turn(position) != CHANCE:
            return position


def minimax(evaluator: Evaluator, depth: int) -> int:
    """Return the score of a position for the side to move, by exhaustive search."""
    again = evaluator.repetition_result()
    if again is not None:
        return again * (WIN - evaluator.ply)
    moves = evaluator.moves()
    if not moves:
        return evaluator.final_result() * (WIN - evaluator.ply)
    if depth == 0:
        return evaluator.score()
    values = []
    for move in moves:
        evaluator.make(move)
        values.append(-minimax(evaluator, depth - 1))
        evaluator.unmake()
    return max(values)


@pytest.mark.parametrize("seed", a_few(range(6), 3))
@pytest.mark.parametrize(
    ("name", "depth"), [("robot-duel", 4), ("shogi", 2), ("robotory", 2), ("abalone", 2)]
)
def test_it_finds_what_minimax_finds(name: str, depth: int, seed: int) -> None:
    game = make(name)
    position = random_position(game, seed)
    evaluator = evaluator_of(game, position)
    if len(evaluator.moves()) > 90:
        depth = 1
    found = AlphaBeta(evaluator, never, plain=True).deepen(depth)
    expected = {}
    for move in evaluator.moves():
        evaluator.make(move)
        expected[move] = -minimax(evaluator, depth - 1)
        evaluator.unmake()
    best = max(expected.values())
    matters = losing_bound(best, evaluator.scale)
    assert {each.move for each in found} == set(expected)
    assert found[0].score == best
    for each in found:
        if expected[each.move] > matters:
            assert each.score == expected[each.move]
        else:
            assert expected[each.move] <= each.score <= max(matters, expected[each.move]) + 1
    (first, *_) = AlphaBeta(evaluator_of(game, position), never, plain=True).deepen(
        depth, every=False
    )
    assert first.score == best


CHOICES = [
    (name, option.name, value)
    for name in TWO_SIDED
    for option in make(name).known_options
    for value in option.values[1:]
    if ".." not in value
]


@pytest.mark.parametrize(("name", "option", "value"), CHOICES)
def test_every_option_is_searched_by_its_rules(name: str, option: str, value: str) -> None:
    game = make(name, {option: value})
    position = random_position(game, 8)
    evaluator = evaluator_of(game, position)
    found = AlphaBeta(evaluator, never, plain=True).deepen(1, every=False)
    expected = []
    for move in game.legal(position):
        after = game.play(position, move)
        outcome = game.outcome(after)
        assert outcome is None or not game.legal(after)
        expected.append(-minimax(evaluator_of(game, after), 0))
    assert len(found) == len(expected)
    values = found[0].score, max(expected)  # where a forced end is one move nearer
    assert values[0] == values[1] or min(map(abs, values)) >= FORCED
    assert (values[0] > 0) == (values[1] > 0)


@pytest.mark.parametrize("name", NAMES)
def test_an_evaluator_plays_as_the_game_does(name: str) -> None:
    """It makes and unmakes moves with the same moves, turns and scores as a fresh one."""
    game = make(name)
    position = random_position(game, 3)
    evaluator, chance, keys = evaluator_of(game, position), Random(1), []
    for _ in range(30):
        legal = game.legal(position)
        assert set(evaluator.moves()) == set(legal)
        assert legal or not evaluator.certainly_has_move()
        if not legal:
            break
        move = chance.choice(legal)
        keys.append((evaluator.key(), evaluator.turn, evaluator.score()))
        if evaluator.null_move():
            assert (evaluator.turn, evaluator.score()) == (1 - keys[-1][1], -keys[-1][2])
            evaluator.unmake()
            assert (evaluator.key(), evaluator.turn, evaluator.score()) == keys[-1]
        evaluator.make(move)
        position = game.play(position, move)
        fresh = evaluator_of(game, position)
        assert (evaluator.turn, evaluator.key(), evaluator.score()) == (
            fresh.turn,
            fresh.key(),
            fresh.score(),
        )
    for before in reversed(keys):
        evaluator.unmake()
        assert (evaluator.key(), evaluator.turn, evaluator.score()) == before
    assert evaluator.ply == 0


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("robot-duel", "1l1/Ge1/1L1/E1G b 2C 1", "A2B2 B1A1 C*A2"),
        ("robot-duel", "l2/1eG/1E1/1Lc b CG 1", "G*A2 A1B1 A2B2 B1A1 C*A2"),
        ("shogi", "4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "G*5b"),
        ("shogi", "7k1/5S3/5s3/N4+P2p/9/9/9/9/4K4 b 2S 1", "S*2c"),
        ("shogi", "k8/7G1/4s4/4+BSN2/9/9/9/9/4K4 b G 1", "5d7b 9a9b"),
    ],
)
def test_forced_wins_are_found(name: str, text: str, expected: str) -> None:
    game = make(name)
    every = name == "robot-duel"
    nothing = Values(lambda number: 0, whole=False) if every else None  # to be found, not known
    position = game.parse_position(text)
    depth = 5 if every else 6
    result = search(game, position, stop=never, deepest=depth, every=every, book=nothing)
    best = result.moves[0]
    assert (best.chance, best.grade) == (1.0, "best")
    assert " ".join(best.line).startswith(expected)
    for each in result.moves:
        assert 0 <= each.chance <= 1
        assert each.chance < 1 or each.grade in ("best", "fine")


def test_a_forced_loss_is_losing_and_the_longest_way_to_it_comes_first() -> None:
    game = make("robot-duel")
    position = game.parse_position("l2/1eG/1E1/1Lc b CG 1")
    for text in ("G*A2", "A1B1"):
        position = game.play(position, game.parse_move(position, text))
        result = search(game, position, stop=never, deepest=4)
    position = game.play(position, game.parse_move(position, "A2B2"))
    result = search(game, position, stop=never, deepest=4)
    assert {each.chance for each in result.moves} == {0.0}
    assert result.moves[0].grade == "best"
    assert {each.grade for each in result.moves} <= {"best", "losing"}
    assert len(result.moves[0].line) >= len(result.moves[-1].line)


def test_captures_that_lose_more_than_they_take_are_not_played_out() -> None:
    """A rook may take a pawn on 5e or 8h: one is protected, the other is not."""
    game = make("shogi")
    position = game.parse_position("4k4/9/9/4s4/4p4/9/9/1p2R4/4K4 b - 1")
    evaluator = evaluator_of(game, position)
    assert {move for move in evaluator.moves() if evaluator.noise(move)} == {
        game.parse_move(position, text) for text in ("5h5e", "5h8h")
    }
    assert evaluator.noisy_moves() == [game.parse_move(position, "5h8h")]


def test_captures_come_noisiest_first_without_those_that_gain_too_little() -> None:
    """A rook may take a pawn, a gold and a bishop; nobody protects them."""
    game = make("shogi")
    position = game.parse_position("3k5/9/9/9/g3+R3p/9/9/4b4/K8 b - 1")
    evaluator = evaluator_of(game, position)
    bishop, gold, pawn = (game.parse_move(position, text) for text in ("5e5h", "5e9e", "5e1e"))
    assert evaluator.noisy_moves() == [bishop, gold, pawn]
    assert evaluator.noisy_moves(evaluator.noise(pawn)) == [bishop, gold]
    assert evaluator.noisy_moves(evaluator.noise(bishop)) == []


@pytest.mark.parametrize("king_falls", [False, True])
def test_no_move_scores_more_at_once_than_its_bound(king_falls: bool) -> None:
    game = make("shogi", {"illegal_move": "king_capture"} if king_falls else {})
    chance, known = Random(3), 0
    for _ in range(6):
        evaluator = evaluator_of(game, game.start())
        while evaluator.ply < 150 and (moves := evaluator.moves()):
            score_bound = evaluator.score_bound() if chance.random() < 0.2 else None
            for move in moves if score_bound else ():
                most = score_bound(move) if score_bound else WIN
                evaluator.make(move)
                if most < WIN:
                    known += 1
                    assert not evaluator.in_check()
                    assert evaluator.moves()
                    assert evaluator.repetition_result() is None
                    assert most >= -evaluator.score()
                evaluator.unmake()
            evaluator.make(chance.choice(moves))
    assert known > 2000


def test_what_gains_too_little_changes_no_judgement(monkeypatch: pytest.MonkeyPatch) -> None:
    game = make("shogi")
    position = game.parse_position(
        "ln1g5/1r2S1k2/p2pppn2/2ps2p2/1p7/2P6/PPSPPPPLP/2G2K1pr/LN4G1b w BGSLPnp 1"
    )
    found = []
    for noise_margin in (ShogiEvaluator.noise_margin, WIN):
        monkeypatch.setattr(ShogiEvaluator, "noise_margin", noise_margin)
        result = search(game, position, stop=never, deepest=2)
        chances = {each.text: each.chance for each in result.moves if each.chance >= LOSING}
        found.append((result.nodes, chances))
    assert found[0][1] == found[1][1]
    assert found[0][0] < found[1][0]


# ---- stopping


class After:
    """Returns True from its n-th call on."""

    def __init__(self, times: int) -> None:
        self.left = times

    def __call__(self) -> bool:
        self.left -= 1
        return self.left < 0


@pytest.mark.parametrize("times", [0, 1, 7, 60])
@pytest.mark.parametrize("name", NAMES)
def test_it_stops_on_request_and_judges_every_move(name: str, times: int) -> None:
    game = make(name)
    position = random_position(game, 11)
    result = search(game, position, stop=After(times))
    assert result.nodes <= 32 * (times + 1)
    assert {each.move for each in result.moves} == set(game.legal(position))
    assert result.moves[0].grade == "best"
    assert {each.grade for each in result.moves} <= {"best", "fine", "doubtful", "losing"}
    chances = [each.chance for each in result.moves]
    assert chances == sorted(chances, reverse=True)


def test_a_mate_in_three_is_found_early_among_hundreds_of_moves() -> None:
    game = make("shogi")
    text = "6n2/9/2p1k4/lp2p3l/9/2PpPg3/1P6+l/3K3P1/8+p w RPr2b3g4s3nl8p 1"
    position = game.parse_position(text)
    assert len(game.legal(position)) > 300
    best = search(game, position, stop=After(1000), every=False).moves[0]
    assert (best.chance, best.text, len(best.line)) == (1.0, "G*6g", 3)
    near = search(game, position, stop=never, deepest=2, every=False)
    assert near.moves[0].chance < 1  # a search of two plies does not see it


def test_of_a_depth_that_was_broken_off_only_forced_ends_count() -> None:
    game = make("abalone")
    whole = search(game, game.start(), stop=never, deepest=2)
    broken = search(game, game.start(), stop=After(whole.nodes // 32 + 20))
    assert broken.depth == 2
    assert [(each.text, each.chance) for each in broken.moves] == [
        (each.text, each.chance) for each in whole.moves
    ]


@pytest.mark.parametrize("name", NAMES)
def test_it_finds_the_same_each_time(name: str) -> None:
    game = make(name)
    position = random_position(game, 5)
    results = [search(game, position, stop=After(100)) for _ in range(2)]
    assert results[0] == results[1]


# ---- what is remembered


def test_the_table_never_holds_more_than_it_may() -> None:
    table = TranspositionTable(entries=64)
    for key in range(1000):
        table.put(key, TableEntry(1, EXACT, key, None))
        assert len(table) <= 64
    kept = table.get(999)
    assert kept is not None
    assert kept.score == 999
    assert table.get(0) is None


def test_a_small_table_changes_nothing() -> None:
    game = make("robot-duel")
    position = random_position(game, 2)
    values: list[dict[Any, float]] = []
    for entries in (8, 1 << 16):
        evaluator = evaluator_of(game, position)
        table = TranspositionTable(entries)
        found = AlphaBeta(evaluator, never, table, plain=True).deepen(3)
        values.append({each.move: each.score for each in found})
        assert 0 < len(table) <= entries
    assert values[0] == values[1]


# ---- repetition

THERE_AND_BACK = {
    "robot-duel": "C4C3 A1A2 C3C4 A2A1",
    "shogi": "2h3h 8b7b 3h2h 7b8b",
    "abalone": "a1b2 i9h8 b2a1 h8i9",
}


def make_move(evaluator: Evaluator, text: str) -> None:
    """Make the move of a text, which does not end the game by repetition."""
    assert evaluator.repetition_result() is None
    position, game = evaluator.position, evaluator.game
    (move,) = [each for each in evaluator.moves() if game.move_text(position, each) == text]
    evaluator.make(move)


@pytest.mark.parametrize("name", THERE_AND_BACK)
def test_what_repeats_too_often_is_a_draw(name: str) -> None:
    game = make(name)
    texts = THERE_AND_BACK[name].split()
    occurrences = 3 if name == "abalone" else 4
    *earlier, last, _ = line(game, game.start(), *texts * (occurrences - 1))
    found = search(game, last, earlier, stop=never, deepest=1).moves
    assert [each.chance for each in found if each.text == texts[-1]] == [0.5]
    evaluator = evaluator_of(game, last)
    make_move(evaluator, texts[-1])
    assert evaluator.repetition_result() is None  # without a past it has come but once


@pytest.mark.parametrize(
    ("name", "options", "result"),
    [("robot-duel", {}, 0), ("shogi", {}, 0), ("abalone", {"repetition": "off"}, None)],
)
def test_what_comes_round_within_the_search_is_a_draw(
    name: str, options: dict[str, str], result: int | None
) -> None:
    game = make(name, options)
    evaluator = evaluator_of(game, game.start())
    for text in THERE_AND_BACK[name].split():
        make_move(evaluator, text)
    assert evaluator.repetition_result() == result


def test_perpetual_check_loses() -> None:
    game = make("shogi")
    texts = ["8h9h", "9c8c", "9h8h", "8c9c"]
    evaluator = evaluator_of(game, game.parse_position("9/9/k8/9/9/9/9/1R7/8K b - 1"))
    for text in texts:
        make_move(evaluator, text)
    assert evaluator.repetition_result() == -1
    evaluator.make(game.parse_move(evaluator.position, texts[0]))
    assert evaluator.repetition_result() == 1


# ---- what it refuses


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("robot-duel", "gLe/1c1/1C1/E1G w - 1", "the game is over"),
        ("chaturaji", "", "the dice are to be thrown first"),
    ],
)
def test_where_nothing_is_to_be_chosen_it_says_so(name: str, text: str, why: str) -> None:
    game = make(name)
    position = game.parse_position(text) if text else game.start()
    with pytest.raises(GameError, match=why):
        search(game, position, stop=never)


# ---- grades


def test_chances_and_scores_convert_both_ways() -> None:
    assert chance(0, 100) == 0.5
    assert chance(WIN - 5, 100) == 1.0
    assert chance(5 - WIN, 100) == 0.0
    for each in (0.1, 0.5, 0.93):
        assert chance(score_of(each, 100), 100) == pytest.approx(each)


@pytest.mark.parametrize(
    ("own", "best", "how", "expected"),
    [
        (0.5, 0.5, {}, "fine"),
        (0.495, 0.5, {}, "fine"),
        (0.48, 0.5, {}, "doubtful"),
        (0.46, 0.5, {}, "doubtful"),
        (0.26, 0.9, {}, "doubtful"),
        (0.24, 0.5, {}, "losing"),
        (0.24, 0.48, {}, "doubtful"),  # it loses, but so does all else, nearly
        (0.0, 0.1, {}, "losing"),
        # how much a fine move may give away
        (0.41, 0.5, {"fine": 0.1}, "fine"),
        (0.39, 0.5, {"fine": 0.1}, "doubtful"),
    ],
)
def test_grades(own: float, best: float, how: dict[str, float], expected: str) -> None:
    assert grade(own, best, is_best=False, **how) == expected
    assert grade(own, best, is_best=True, **how) == "best"


def test_ends_that_are_far_away_are_left_to_the_search() -> None:
    game = make("robot-duel")
    far = search(game, game.start(), stop=never, deepest=3, near=NEAR)
    assert {judged.plies for judged in far.moves} == {None}
    assert all(0 < judged.chance < 1 for judged in far.moves)
    assert far.perfect == -78
    near = search(game, game.start(), stop=never, deepest=1, near=78)
    assert {judged.text for judged in near.moves if judged.plies == -78} == {"B4A3", "B4C3", "C4C3"}


def test_what_does_not_matter_is_losing_whatever_it_is() -> None:
    for best in (0, 50, 300):
        least = losing_bound(best, 100)
        assert grade(chance(least - 1, 100), chance(best, 100), is_best=False) == "losing"
        assert least == -WIN or grade(chance(least + 1, 100), chance(best, 100), False) != "losing"
    assert losing_bound(-200, 100) == -WIN


# ---- robots that are about to be carried off


def robotory_in(looks: int, **how: Any) -> Any:
    """Return what is found in `looks` times 32 positions where a robot is soon lost after F 1b."""
    game = make("robotory")
    position = game.parse_position("...b.W...b..Bwwb...ww.Rw/0w3b:0w1b 4w7b l")
    left = iter(range(looks))
    return search(game, position, stop=lambda: next(left, None) is None, **how)


def test_a_robot_that_is_soon_carried_off_is_seen_in_time() -> None:
    """After 12,000 positions, a third of a second; seven plies on the robot is lost."""
    moves = robotory_in(375).moves
    lost = next(each for each in moves if each.text == "F 1b")
    assert moves[0].text in ("P b c3", "P b d3", "P b e2")
    assert moves[0].chance - lost.chance > 0.1


def test_what_the_other_side_can_fetch_counts_for_it() -> None:
    """The white token on d4 leads the red robot out of the camp."""
    game = make("robotory")
    there, away = (
        evaluator_of(game, game.parse_position(f"....B........W...R{token}...../2w2b:2w2b 8w8b l"))
        for token in ("w", ".")
    )
    assert there.score() < away.score()
    there.foresees = away.foresees = False
    assert there.score() == away.score()


def test_opponents_play_by_what_stands() -> None:
    """So that no level is stronger than it was."""
    assert robotory_in(375, foresees=False).moves[0].text == "F 1b"
