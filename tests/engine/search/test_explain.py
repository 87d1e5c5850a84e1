"""Why a move is good or bad: each detector by positions of its own, and whole sentences."""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import Any

import pytest

from benchmarks.why import beginners
from engine.games import NAMES, make
from engine.search import JudgedMove, Result, explain, search
from engine.search.explain import CODES, MoveReason, bad, good, why
from engine.search.explain.facts import BoardFacts, MoveEffect, effects_of
from firmware_host.cli import hint
from firmware_host.i18n.messages import LANGUAGES, render
from firmware_host.text.reasons import why_message
from tests.support.sampling import a_few

ATTACKED = "4k4/9/9/4p4/4R4/9/9/9/3K5 b - 1"
SOON_CARRIED = "wb....W.....B.b..R...wb./3w1b:0w2b 9w8b d"
OVERLOOKED = "k8/9/9/9/9/3p5/3R5/9/8K b - 1"
FORK = "k8/9/9/9/9/9/3R1R3/9/4K4 b s 1"
ROBOTS = "wbw...Ww.w.bb...R.Bw..../0w2b:4w0b 2w7b d"
EDGE = "2ss1/sss2s/s2s1s1/s7/3ss2S1/4SS1S/s1S1SS1/sSS2S/SS1SS 0 0 w 0 1"
LURKING = "3ss/s2s2/1ss1s2/1sss1s2/3S5/1S1Ssss1/SS3SS/1SSS1S/SS1S1 0 0 w 0 1"
NEAR_THE_EDGE = "5/1s1s1s/1ss2s1/1sssss2/1S3s1s1/S1S3s1/SSSSSSS/2S2S/S2S1 0 0 b 0 1"

CARRIED = "wb....W.....B.b..R...wb./3w1b:0w1b 9w9b l"
PUSHED = "4s/1ssss1/1ssSss1/2SSSS2/2sSsSs2/3SS3/2S1sS1/3sSS/2S2 0 0 b 0 1"
REACHED = ".....wW.....B....Rw...b./1w1b:2w2b 9w10b l"
PAWN, ROOK = "k8/9/9/9/9/4p4/9/9/8K b sp 1", "k8/9/9/9/9/9/3R5/9/8K b sp 1"

GOOD = [
    # code, game, position, move, places, kinds
    ("wins", "robot-duel", "l2/2L/3/E1G b CEcg 1", "C2C1", "C1", "L"),
    ("takes-for-nothing", "shogi", "4k4/9/9/9/9/9/9/4r4/4K4 b G 1", "5i5h", "5h", "R"),
    ("wins-exchange", "robot-duel", "l2/g2/C2/1L1 b C2EG 1", "A3A2", "A2", "G"),
    ("forks", "shogi", "k8/9/3r1r3/9/9/9/9/9/4K4 b S 1", "S*5d", "5d 4c 6c", "S R R"),
    ("saves", "shogi", ATTACKED, "5e9e", "9e 5e", "R"),
    ("saves-push", "abalone", PUSHED, "b6b5", "a3", "b"),
    ("saves-carry", "robotory", REACHED, "M R d3-d4", "d4 d3", "R"),
    ("promotes", "shogi", "4k4/9/9/4P4/9/9/9/9/4K4 b - 1", "5d5c+", "5c", "P +P"),
    ("checks", "shogi", "4k4/9/9/9/9/9/9/9/R3K4 b - 1", "9i9a", "9a 5a", "R K"),
    ("threatens", "shogi", "k8/9/5r3/9/9/9/9/9/4K4 b S 1", "S*5d", "5d 4c", "S R"),
    ("brings-home", "robotory", ROBOTS, "M R d2-c3-c4", "c4", "R"),
    ("threatens-carry", "robotory", CARRIED, "P w b2", "b3", "W"),
    ("threatens-push", "abalone", LURKING, "f7h7e6", "b6", "b"),
    ("pushes-off", "abalone", EDGE, "c1b1", "a1", "b"),
]
BAD = [
    ("walks-into", "shogi", "4k4/9/9/4p4/9/9/4R4/9/3K5 b - 1", "5g5e 5d5e", "5e 5d", "R P"),
    ("still-attacked", "shogi", ATTACKED, "6i7i 5d5e", "5e 5d", "R P"),
    ("leaves", "shogi", "3r4k/9/9/9/9/3S5/3G5/9/8K b P 1", "6g6h 6a6f", "6f 6a", "S R"),
    ("lets-fork", "shogi", FORK, "5i4i S*5f 6g6h 5f4g+", "5f 4g 6g", "S R R"),
    ("lets-attack", "shogi", ROOK, "1i1h P*6f 1h1g 6f6g+", "6g 6f", "R P"),
    ("loses-later", "shogi", OVERLOOKED, "1i1h 9a9b 1h1g 6f6g+", "6g", "R"),
    ("lets-promote", "shogi", PAWN, "1i1h 5f5g+", "5g", "P +P"),
    ("lets-threaten-carry", "robotory", SOON_CARRIED, "P b e4 P w b2 P b a3 M W b3-b2", "b3", "W"),
    ("soon-push-off", "abalone", NEAR_THE_EDGE, "b3c3a2 g8h9f8 c2d3c3 h5g4", "d1", "b"),
    ("lets-carry-off", "robotory", ROBOTS, "P w d1 M B d4-c4-c3", "d4", "B"),
]


def played(game: Any, position: Any, moves: str) -> list[Any]:
    """Return the moves of a line; `P w d1 M B d4-c4-c3` is two moves of three words each."""
    words = moves.split(" ")
    size = 3 if game.name == "robotory" and len(words) % 3 == 0 else 1
    size = 2 if words[0] == "F" else size
    found = []
    for at in range(0, len(words), size):
        found.append(game.parse_move(position, " ".join(words[at : at + size])))
        position = game.play(position, found[-1])
    return found


def line(name: str, position: str, moves: str) -> list[MoveEffect]:
    game = make(name)
    start = game.parse_position(position)
    return effects_of(BoardFacts(game, start), start, played(game, start, moves))


@pytest.mark.parametrize(("code", "name", "position", "move", "places", "kinds"), GOOD)
def test_what_is_good_about_a_move(
    code: str, name: str, position: str, move: str, places: str, kinds: str
) -> None:
    (effect,) = line(name, position, move)
    found = [each for detect in good.GOOD if (each := detect(effect)) is not None]
    (said,) = [each for each in found if each.code == code]
    assert (" ".join(said.places), " ".join(said.kinds)) == (places, kinds)


@pytest.mark.parametrize(("code", "name", "position", "moves", "places", "kinds"), BAD)
def test_what_is_bad_about_a_move(
    code: str, name: str, position: str, moves: str, places: str, kinds: str
) -> None:
    effects = line(name, position, moves)
    said = next(each for detect in bad.BAD if (each := detect(effects)) is not None)
    assert said.code == code
    assert (" ".join(said.places), " ".join(said.kinds)) == (places, kinds)


def two(
    game: Any, start: Any, *judged: tuple[str, float, str]
) -> tuple[Result, JudgedMove, JudgedMove]:
    """Return a result of two lines, each with its chance and grade, and both."""
    best, worse = (
        JudgedMove(game, start, chance, grade, 1, None, tuple(played(game, start, moves)))
        for moves, chance, grade in judged
    )
    return Result((best, worse), 1), best, worse


def test_a_capture_with_a_recapture_is_not_for_nothing() -> None:
    (effect,) = line("shogi", "4k4/9/9/9/9/4g4/4p4/4R4/8K b - 1", "5h5g")
    assert good.takes_for_nothing(effect) is None  # the gold takes back
    assert good.wins_an_exchange(effect) is None  # … and a rook is worth more than a pawn


def test_nothing_is_said_of_a_danger_that_the_line_does_not_show() -> None:
    """The rook is attacked all the same; but the answer is another one."""
    effects = line("shogi", ATTACKED, "6i7i 5a4a")
    assert [detect(effects) for detect in bad.BAD] == [None] * len(bad.BAD)


def test_a_piece_that_comes_only_for_an_exchange_is_not_lost_there() -> None:
    """The bishops take each other on 2b, where a bishop of the other side stands now."""
    start = "1n2kgsnl/lr1sg2b1/ppppppppp/9/9/2P4PP/PP1PPPP1N/1B1SGS1R1/LN1GK3L b - 1"
    assert bad.loses_later(line("shogi", start, "5i4i 3c3d 8h2b+ 3a2b")) is None


def test_what_a_better_answer_leaves_alone_is_not_said_to_be_lost() -> None:
    """The pawn can be taken, but a gold mates: that is seen a ply further on."""
    game = make("shogi")
    start = game.parse_position("4k4/9/9/8p/8P/9/4p4/9/G3K4 b g 1")
    result, _, worse = two(game, start, ("9i9h", 0.5, "best"), ("9i9h 1d1e", 0.4, "doubtful"))
    taken = why(result, worse, lambda: True)
    assert taken == MoveReason("still-attacked", ("1e", "1d"), ("P", "P"))
    assert why(result, worse) == MoveReason("lets-win", ("5h",), ("G",), ending="mate")


def test_a_later_loss_is_searched_again() -> None:
    """Five plies on the elephant has better to do than to take the giraffe on A2."""
    game = make("robot-duel")
    position = game.parse_position("1le/g2/2G/E1L w 2c 1")
    result = search(game, position, stop=lambda: False, deepest=4)
    judged = next(each for each in result.moves if each.text == "B1A1")
    assert why(result, judged) == MoveReason("misses-threat", ("B2", "C3"), ("E", "G"))


def test_a_marble_that_is_pushed_off_behind_another_one_is_not_saved() -> None:
    """White pushes the marbles on d2 and c1: that on d2 only moves."""
    start = "2ss1/5s/1ssss2/2ssss2/2sss4/1SS1S3/S1S2S1/1SS1SS/SS1SS 0 0 b 0 1"
    (effect,) = line("abalone", start, "a2a3")
    assert "c1" in [each.place for each in effect.game.threats(effect.position)]
    assert any(reply.fallen == "c1" for reply in effect.replies("c1"))
    assert good.saves(effect) is None


def test_an_exchange_that_is_even_is_no_loss() -> None:
    effects = line("robot-duel", "gle/1c1/1C1/ELG b - 1", "B4C3 B2B3 A4B3")
    assert bad.loses_a_piece(effects) is None


def test_dice_may_hurt() -> None:
    """A boat goes where one throw of the next player's takes it."""
    game = make("chaturaji")
    start = game.parse_position("sKd1,wKa5,nKe8,eKh4,sBe1,wHb5 S 2 0,0,0,0 -")
    pieces = BoardFacts(game, start)

    def hurt(text: str) -> MoveReason | None:
        return bad.hurt_by_throws([MoveEffect(pieces, start, game.parse_move(start, text))])

    assert hurt("e1c3") == MoveReason("hurt-by-throws", ("c3",), ("B",), n=1, of=4)
    assert hurt("e1g3") is None


def chaturaji(position: str, move: str) -> tuple[MoveEffect, MoveReason | None]:
    """Return a move, and what is good about it."""
    game = make("chaturaji")
    start = game.parse_position(f"sKd1,wKa5,nKe8,eKh4,{position} 0,0,0,0 -")
    effect = MoveEffect(BoardFacts(game, start), start, game.parse_move(start, move))
    return effect, next((each for detect in good.GOOD if (each := detect(effect))), None)


@pytest.mark.parametrize(
    ("position", "move", "said"),
    [
        ("sBe5,wHc7 S 2", "e5c7", "It wins the horse on c7: nothing can take back."),
        # the elephant of the next player takes back on a 4, its raja on a 5
        (
            "sHd4,wPb5:K,wEb8 S 3",
            "d4b5",
            "on b5. Then the others can take the horse there with 2 of 12 throws.",
        ),
        (
            "sHd4,nEb5,wHa7 S 3",
            "d4b5",
            "It takes the elephant on b5. Then the others can take the horse there with 2 of",
        ),
        # the horse of the next player reaches c3 now, the elephant too; then neither
        ("sBc3,wHb5 S 2", "c3e1", "the others can take the boat on c3 with 1 of 12 throws; after"),
        (
            "sBc3,wHb5,wEc8 S 2",
            "c3e1",
            "take the boat on c3 with 2 of 12 throws; after this move, with none",
        ),
        ("sBc3,wHb5,wEc5 S 2", "c3e5", "of 12 throws; after this move, with 1"),
    ],
)
def test_of_dice_it_is_counted_which_throws_take(position: str, move: str, said: str) -> None:
    effect, found = chaturaji(position, move)
    assert found is not None
    assert said in render(why_message(effect.game, found))


def test_a_seat_that_left_throws_no_more() -> None:
    """Two armies are gone."""
    game = make("chaturaji")
    start = game.parse_position("sKd1,wKa5,sHd4,wPb5:K,wEb8 S 3 0,0,0,0 - lost=N,E")
    effect = MoveEffect(BoardFacts(game, start), start, game.parse_move(start, "d4b5"))
    assert good.takes_at_risk(effect) == MoveReason("takes-at-risk", ("b5",), ("P", "H"), n=2, of=4)


def test_a_piece_hit_by_as_many_throws_as_before_is_not_saved() -> None:
    """The horse reaches either cell; or the last of the others takes it now."""
    assert chaturaji("sBc3,wEc5 S 2", "c3e5")[1] is None
    assert chaturaji("sBc3,eHb5 S 2", "c3e1")[1] is None


def retaking(game: Any, position: Any, after: Any, place: str) -> list[int]:
    """Return for each other player the number of throws that take on a place."""
    counts = []
    for number in (1, 2, 3):
        turn = after._replace(seat=(position.seat + number) % 4, dice=())
        thrown = [game.play(turn, throw) for throw in game.legal(turn)]
        counts.append(
            sum(any(getattr(m, "target", "") == place for m in game.legal(p)) for p in thrown)
        )
    return counts


def reasons_that_hold(seed: int, count: int) -> dict[str, list[bool]]:
    """Return whether the dice confirm what is said of best moves in games of Chaturaji."""
    game, rng = make("chaturaji"), Random(seed)
    found: dict[str, list[bool]] = {"saves": [], "takes-for-nothing": []}
    for position in islice(beginners(game, rng), count):
        result = search(game, position, stop=lambda: True)
        reason = why(result, result.moves[0])
        if reason is None or reason.code not in found:
            continue
        after = game.play(position, result.moves[0].move)
        then = retaking(game, position, after, reason.places[0])
        now = retaking(game, position, position, reason.places[-1])
        fewer = then[0] < now[0] and sum(then) < sum(now)
        found[reason.code].append(fewer if reason.code == "saves" else sum(then) == 0)
    return found


@pytest.mark.parametrize(("seed", "count"), a_few([(5, 60), *((seed, 400) for seed in range(4))]))
def test_what_is_said_of_throws_is_true(seed: int, count: int) -> None:
    held = reasons_that_hold(seed, count)
    assert len(held["takes-for-nothing"]) > 5
    assert count < 400 or len(held["saves"]) > 2
    assert all(held["takes-for-nothing"])
    assert all(held["saves"])


@pytest.mark.parametrize(
    ("code", "ending", "says"),
    [
        ("lets-win", "lion-captured", "Then the chick on B3 takes your lion on B2 and wins."),
        ("lets-win", "try", "Then your opponent's lion reaches the last row on B2 and wins."),
        ("wins", "lion-captured", "It takes the lion and wins."),
        ("lets-win", "resign", "Then your opponent wins at once."),
    ],
)
def test_a_future_end_is_not_told_in_the_past(code: str, ending: str, says: str) -> None:
    game = make("robot-duel")
    assert render(why_message(game, MoveReason(code, ("B2", "B3"), ("C",), ending))) == says


def test_what_the_best_move_does_not_help_either_is_no_reason() -> None:
    """The boat on c3 can be taken after either move, so that is no reason against the worse one."""
    game = make("chaturaji")
    start = game.parse_position("sKd1,wKa5,nKe8,eKh4,sBc3,wHb5 S 5 0,0,0,0 -")
    result, _, worse = two(game, start, ("d1e1", 0.5, "best"), ("d1d2", 0.3, "doubtful"))
    assert bad.hurt_by_throws(effects_of(BoardFacts(game, start), start, worse.moves)) is not None
    assert why(result, worse) is None


@pytest.mark.parametrize(
    ("best", "worse", "said"),
    [
        ("a1b2", "c3c2", MoveReason("goes-outwards")),
        ("a1b2", "a1b1", None),  # sideways
        ("c4c3", "c3c2", None),  # the best one goes outwards, too
    ],
)
def test_a_quiet_move_of_abalone_goes_outwards(
    best: str, worse: str, said: MoveReason | None
) -> None:
    game = make("abalone")
    lines = (f"{best} i5h5", 0.5, "best"), (f"{worse} i5h5", 0.48, "doubtful")
    result, _, judged = two(game, game.start(), *lines)
    assert why(result, judged, lambda: True) == said


def test_the_search_says_why() -> None:
    game = make("shogi")
    position = game.parse_position(ATTACKED)
    result = search(game, position, stop=lambda: False, deepest=3)
    bad_ones = {each.text: why(result, each) for each in result.moves if each.grade == "doubtful"}
    assert bad_ones["6i7i"] == MoveReason("still-attacked", ("5e", "5d"), ("R", "P"))


@pytest.mark.parametrize(("answer", "lost"), [("5d5e", "5e"), ("3d3e", None)])
def test_a_search_that_is_not_finished_must_have_the_same_answer(
    answer: str, lost: str | None, monkeypatch: Any
) -> None:
    """Pawns attack a rook and a silver; a short search finds that the rook is taken."""
    game = make("shogi")
    start = game.parse_position("4k4/9/9/4p1p2/4R1S2/9/9/9/3K5 b - 1")
    lines = ("5e5d", 0.6, "best"), (f"6i7i {answer}", 0.3, "doubtful")
    result, _, worse = two(game, start, *lines)
    monkeypatch.setattr(explain, "_LOOKS", 1)
    said = why(result, worse)
    named = said is not None and said.code == "still-attacked"
    assert (said.places[0] if named and said is not None else None) == lost


@pytest.mark.parametrize("names_all", [False, True])
def test_a_robot_is_not_named_as_lost_where_another_answer_is_about_as_good(
    names_all: bool, monkeypatch: Any
) -> None:
    """To take the robot home is the best answer as far as a short search sees, but only just."""
    game = make("robotory")
    start = game.parse_position(".....wWb...bB....Rw.w.../0w1b:1w1b 10w10b d")
    result = search(game, start, stop=lambda: False, deepest=3)
    judged = next(each for each in result.moves if each.text == "P w a1")
    if names_all:
        monkeypatch.setattr(explain, "_is_decisive", lambda *_: True)
    said = why(result, judged)
    named = said is not None and said == MoveReason("lets-carry-off", ("b3",), ("W",))
    assert named is names_all


@pytest.mark.parametrize(("chance", "named"), [(0.4, True), (0.47, False)])
def test_a_piece_is_named_as_lost_only_if_that_matters(chance: float, named: bool) -> None:
    game = make("shogi")
    start = game.parse_position(ATTACKED)
    lines = ("5e9e", 0.5, "best"), ("6i7i 5d5e", chance, "doubtful")
    result, _, worse = two(game, start, *lines)
    said = why(result, worse)
    assert (said == MoveReason("still-attacked", ("5e", "5d"), ("R", "P"))) == named


def test_a_forced_loss_names_no_piece() -> None:
    game = make("shogi")
    lines = ("1i1h", 0.5, "best"), ("1i1h P*6f 1h1g 6f6g+", 0.0, "losing")
    result, _, lost = two(game, game.parse_position(ROOK), *lines)
    said = why(result, lost)
    assert said == MoveReason("loses-by-force")
    assert render(why_message(game, said)) == "Then your opponent wins, whatever you do."


def test_of_a_move_that_ends_the_game_itself_nobody_is_said_to_force_anything() -> None:
    game = make("robotory")
    start = game.parse_position("w..bW....w.bBwbw.....Rwb/1w0b:3w0b 1w8b d")
    result, _, ends = two(game, start, ("F 1b", 0.4, "best"), ("F 1w", 0.0, "losing"))
    assert why(result, ends) is None


def test_what_comes_next_is_looked_up_where_the_line_breaks_off() -> None:
    game = make("shogi")
    position = game.parse_position(ATTACKED)
    result = search(game, position, stop=lambda: False, deepest=1)
    judged = next(each for each in result.moves if each.text == "6i7i")
    assert len(judged.moves) == 1
    worse = type(judged)(game, position, 0.1, "losing", 1, None, judged.moves)
    assert why(result, worse) == MoveReason("still-attacked", ("5e", "5d"), ("R", "P"))


def test_a_win_that_is_missed_is_said() -> None:
    game = make("robot-duel")
    position = game.parse_position("l2/2L/3/E1G b CEcg 1")
    result = search(game, position, stop=lambda: False, deepest=2)
    worst = result.moves[-1]
    assert worst.grade in ("doubtful", "losing")
    said = why(result, worst)
    assert said is not None
    assert said.code == "misses-win"


@pytest.mark.parametrize(
    ("chance", "said"), [(0.5, MoveReason("misses-threat", ("2f", "2e"), ("P", "N"))), (0.58, None)]
)
def test_a_threat_that_is_missed_is_said_where_that_matters(
    chance: float, said: MoveReason | None
) -> None:
    """The pawn could attack the unprotected knight."""
    game = make("shogi")
    start = game.parse_position("4k4/9/9/9/7n1/9/7P1/9/4K4 b - 1")
    lines = ("2g2f", 0.6, "best"), ("5i5h 5a5b 5h5i 5b5a", chance, "doubtful")
    result, _, worse = two(game, start, *lines)
    assert why(result, worse, lambda: True) == said


def test_moves_are_explained_no_longer_than_was_thought(monkeypatch: Any) -> None:
    told = []

    def explain(result: Result, judged: JudgedMove, stop: Any) -> None:
        told.append(stop())

    monkeypatch.setattr(hint, "why", explain)
    game = make("shogi")
    assert len(list(hint.lines(game, game.start(), 0.0, as_json=True))) == 30
    assert told == [True] * 30


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", NAMES)
def test_every_code_has_a_sentence_in_every_language(name: str, language: str) -> None:
    game = make(name)
    kind, ending = next(iter(game.kinds)), next(iter(game.endings))
    for code in CODES:
        said = MoveReason(
            code, ("x1", "x2", "x3"), (kind, kind, kind), ending, 2, 4, 1, (kind,), (kind,)
        )
        text = render(why_message(game, said), language)
        assert "{" not in text
        if language != "en":
            assert text != render(why_message(game, said))


def test_of_a_win_known_by_heart_it_is_said_how_far_it_is() -> None:
    game = make("robot-duel")
    for text, plies, says in [
        ("C4C3", 77, "It wins in 39 moves, whatever your opponent does."),
        # what is to be seen comes first
        ("B3B2", 75, "It wins the chick on B2: nothing can take back."),
    ]:
        position = game.play(game.start(), game.parse_move(game.start(), text))
        result = search(game, position, stop=lambda: True)
        best = result.moves[0]
        assert best.plies == plies
        reason = why(result, best)
        assert reason is not None
        assert render(why_message(game, reason)) == says
