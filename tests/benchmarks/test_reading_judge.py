"""The judge of the reading benchmark: what became of a move, and which questions were needless."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from benchmarks import reading as benchmark
from benchmarks.reading_judge import Judge, Score
from engine.games import make
from engine.reading.footprints import Sight
from tests.support.recorded import Line, Recorded, Truth

GAME = make("robot-duel")
SIGHT = Sight(GAME, "presence", ("hand",))
FIRST: tuple[Line, ...] = (
    {"t": 0.0, "places": SIGHT.readings(GAME.start())},
    {"t": 1.0, "places": {"B3": 0}},
    {"t": 1.4, "places": {"B2": 0}},
    {"t": 1.5, "places": {"B2": 1}},
)
LIFTED: Line = {"t": 3.0, "places": {"C1": 0}}
SWAPPED: tuple[Line, ...] = ({"t": 3.4, "places": {"B2": 0}}, {"t": 3.5, "places": {"B2": 1}})
TRUTH = (
    Truth(1, 0, "B3B2", begun=1.0, marks=(1.0, 1.5), seen=1.5, visible=True),
    Truth(2, 1, "C1B2", begun=3.0, marks=(3.0, 3.5), seen=3.5, visible=True),
)


def judged(seen: tuple[Line, ...], *second: tuple[str, ...]) -> Score:
    """Judge a reader that has read the first of two moves, by its readings of the second."""
    record: list[Any] = [(0.0, ()), (1.6, (("B3B2",),))]
    record += [(3.6 + at, (("B3B2",), texts)) for at, texts in enumerate(second)]
    recorded = Recorded({}, [*FIRST, *seen], TRUTH, ["B3B2", "C1B2"])
    watcher: Any = SimpleNamespace(recorded=recorded, history=record)
    return Judge(GAME, SIGHT, GAME.start(), watcher).judge(record[-1][1])


def test_a_move_is_read_wrong_or_unread() -> None:
    assert judged((LIFTED, *SWAPPED), ("C1B2",)).fates == {"read": 2}
    assert judged((LIFTED, *SWAPPED), ("B1B2",)).fates == {"read": 1, "wrong": 1}
    assert judged((LIFTED, *SWAPPED)).fates == {"read": 1, "unread": 1}


def test_a_move_that_was_shown_first_and_revised_is_momentary() -> None:
    score = judged((LIFTED, *SWAPPED), ("C1C2",), ("C1B2",))
    assert score.fates == {"read": 2}
    assert score.momentary == 1


def test_a_piece_that_was_only_lifted_may_still_be_in_the_hand() -> None:
    """This holds whatever the ply before has touched."""
    question = ("C1B2", "")
    assert judged((LIFTED,), question, ("C1B2",)).fates == {"read": 1, "asked": 1}
    assert judged((LIFTED, *SWAPPED), question, ("C1B2",)).fates == {"read": 1, "needless": 1}


def test_two_moves_that_are_asked_about_together_may_both_be_others() -> None:
    """Sensors see the path of a robot, but not which player moved it how far."""
    game = make("robotory")
    sight, position = Sight(game, "polarity"), game.start()
    for text in ("P w d4", "P w e4", "P w e3", "P w a1"):
        position = game.play(position, game.parse_move(position, text))
    way = ("d3 0", "d4 0", "d4 1", "d4 0", "e4 0", "e4 1", "e4 0", "e3 0", "e3 1")
    lines: list[Line] = [{"t": 0.0, "places": sight.readings(position)}]
    for at, (place, _, reading) in enumerate((each.partition(" ") for each in way), 10):
        lines.append({"t": at / 10, "places": {place: int(reading)}})
    truth = (
        Truth(1, 0, "M R d3-d4-e4", begun=1.0, marks=(1.0, 1.5), seen=1.5, visible=True),
        Truth(2, 1, "M R e4-e3", begun=1.6, marks=(1.6, 1.8), seen=1.8, visible=True),
    )
    sure = tuple((each.text,) for each in truth)
    first, second = ("M R d3-d4", "M R d3-d4-e4"), ("M R d4-e4-e3", "M R e4-e3")
    for asked, fates in (
        ((first, second), {"asked": 2}),
        ((sure[0], second), {"read": 1, "needless": 1}),
    ):
        recorded = Recorded({}, lines, truth, [each.text for each in truth])
        history: Any = [(0.0, ()), (2.0, asked), (3.0, sure)]
        watcher: Any = SimpleNamespace(recorded=recorded, history=history)
        assert Judge(game, sight, position, watcher).judge(sure).fates == fates


# ---- what the benchmark needs


def test_missing_packages_and_markers_are_reported_before_the_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(_: object) -> None:
        pytest.fail("games are played")

    monkeypatch.setattr(benchmark, "measure", fail)
    page = tmp_path / "page.md"
    for words, error in (
        (["--trials", "0", "--write", str(page)], f"{page}: No such file"),
        (["--trials", "0", "--write", __file__], f"{__file__}: no markers"),
    ):
        assert benchmark.main(words) == 1
        assert error in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "chess", None)
    assert benchmark.main(["--games", "1"]) == 1
    assert "pip install chess, or --trials 0" in capsys.readouterr().err
    for words in (["--games", "-1"], ["--trials", "9" * 5000], ["--jobs", "many"]):
        with pytest.raises(SystemExit, match="2"):
            benchmark.main(words)
