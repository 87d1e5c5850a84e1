"""Points are said when they change, and so is what a move means that nobody sees on the board."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engine.games import make
from firmware_host.i18n.messages import LANGUAGES
from firmware_host.session.events import Frame
from firmware_host.session.session import Session
from firmware_host.text.announcements import status

EDGE = "sssss/ssssss/ss5/8/9/8/SSSSSS1/6/1SSSs 0 5 b 0 1"
ELEPHANT = "sKd1,sEd3,wHd5,wKa5,nKe8,eKh4 S 4 0,0,0,0 -"


# ---- points


def test_points_are_shown_and_said_when_they_change(timeline: Any) -> None:
    pieces = ELEPHANT.replace("0,0,0,0", "4,0,0,2")
    board = timeline("chaturaji", position=pieces)
    assert status(board.session.view, 1).points == (4, 0, 0, 2)
    board.hands("1 d3- 0.3 d5- 0.3 d5+").rest(2)
    assert status(board.session.view, 1).points == (7, 0, 0, 2)
    sentence = "black takes the horse of green: 3 points, 7 in all."
    assert sentence in board.says()
    board.throw(5).rest(1)
    assert sentence in board.says()  # as long as the move is named
    board.hands("a5- 0.3 a6+").rest(2)
    assert sentence not in board.says()
    assert status(board.session.view, 1).points == (7, 0, 0, 2)


def test_points_are_not_said_while_it_is_asked_what_brought_them(timeline: Any) -> None:
    board = timeline("chaturaji", position=ELEPHANT)
    match = board.session.view.match
    ways = [match.play(match.game.parse_move(match.position, text)) for text in ("d3d5", "d3d4")]
    board.session = Session(board.game, board.sight, ways)
    board.feed(Frame(0.0, board.sight.readings(ways[0].position)))
    assert {"d3d5", "d3d4"} in board.asked
    assert not any("points" in each for each in board.says())
    board.choose("d3d5").rest(1)
    assert "black takes the horse of green: 3 points, 3 in all." in board.says()


def test_points_without_a_capture_are_said_too(timeline: Any) -> None:
    pieces = "sKb4,sHb1,wKc8,wBa8,nKe8,nBh8,eKh4,eBh1 S 5 0,0,0,0 -"
    board = timeline("chaturaji", position=pieces, teams=True).hands("1 b4- 0.3 a5+").rest(2)
    assert "black: 1 more point, 1 in all." in board.says()


def test_pushed_off_marbles_are_points(timeline: Any) -> None:
    board = timeline("abalone", position=EDGE)
    before = status(board.session.view, 1).points
    board.hands("1 a2- 0.3 a5- 0.3 a5+").rest(2)
    assert status(board.session.view, 1).points == (before[0] + 1, before[1])
    assert any("black takes the white marble: 1 point" in each for each in board.says())
    assert board.game.goal == 6


def test_where_points_decide_nothing_there_are_none() -> None:
    for name in ("robot-duel", "shogi", "robotory"):
        game = make(name)
        assert game.points(game.start()) == ()
    game = make("chaturaji", {"end": "last_army"})
    assert game.points(game.start()) == ()
    assert make("chaturaji", {"end": "n_rounds"}).points(game.start()) == (0, 0, 0, 0)


# ---- rajas

RAJA = "sKd1,sEa3,sPb2,wKa5,wPc6,nKe8,nPe7,eKh4,ePg4 S 4 0,0,0,0 -"


@pytest.mark.parametrize(
    ("options", "position", "sentence"),
    [
        ({}, RAJA, "The raja of green is captured; green plays on without it."),
        (
            {"teams": True},
            RAJA,
            "The raja of green is captured; from now on yellow commands the pieces of green.",
        ),
        (
            {"dice": 0},
            RAJA.replace(" 4 ", " - "),
            "The raja of green is captured; from now on the pieces of green cannot move.",
        ),
        ({}, RAJA.replace("wPc6,", ""), "The raja of green is captured."),
    ],
)
def test_what_the_loss_of_a_raja_means_is_said(
    timeline: Any, options: dict[str, object], position: str, sentence: str
) -> None:
    board = timeline("chaturaji", position=position, **options)
    board.hands("1 a3- 0.3 a5- 0.3 a5+").rest(2)
    assert board.moves == ["a3a5"]
    assert sentence in board.says()
    assert "The raja of green goes beside the board." in board.says()


def sequels(game: Any, position: str, *moves: str) -> list[str]:
    """Return what the last of some moves brings about."""
    before, after = None, game.parse_position(position)
    for text in moves:
        before, after = after, game.play(after, game.parse_move(after, text))
    return [
        game.sequels[each.code].format(*(game.seats[seat] for seat in each.seats))
        for each in game.sequels_of(before, after)
    ]


def test_command_and_exchanges_are_told() -> None:
    game = make("chaturaji", {"teams": True})
    throne = "sKd7,sPb2,wKa5,wPc6,nKh6,nPe7,eKh4,ePg4 S 5 0,0,0,0 -"
    assert sequels(game, throne, "d7e8") == ["From now on black commands the pieces of red."]
    avenged = "sEa3,sPb2,wKa5,wPc6,nKe8,nPe7,eKh4,ePg4 S 4 0,0,0,0 - command=N>S:lost lost=S"
    told = sequels(game, avenged, "a3a5")
    assert told[-1] == "black or red may offer an exchange of rajas before anybody throws or moves."
    back = sequels(game, avenged, "a3a5", "S exchange?", "E exchange d1 c4")
    assert back[:2] == ["black has a raja again.", "green has a raja again."]
    assert "red no longer commands the pieces of black." in back
    parade = "sKd1,sBb2,wBd5,nBe5,eBe4,wKa5,nKe8,eKh4 S 2 0,0,0,0 -"
    assert sequels(game, parade, "b2d4") == ["From now on black commands the boat of red."]
    assert sequels(game, avenged.replace(" 4 ", " - "), "4") == []
    assert sequels(game, avenged, "a3a5", "S agree") == []
    assert sequels(game, RAJA, "a3a5") == [
        "The raja of green is captured; from now on yellow commands the pieces of green."
    ]


@pytest.mark.parametrize("options", [{}, {"teams": True}, {"teams": True, "dice": 0}])
def test_whatever_happens_in_chaturaji_has_its_sentence(options: dict[str, object]) -> None:
    game, chance, told = make("chaturaji", options), Random(3), set()
    for _ in range(10):
        position = game.start()
        while legal := game.legal(position):
            before, position = position, game.play(position, chance.choice(legal))
            found = game.sequels_of(before, position)
            assert {each.code for each in found} <= game.sequels.keys()
            taken = {each.seats[0] for each in found if "is captured" in game.sequels[each.code]}
            assert taken == {s for s in range(4) if (position.lost & ~before.lost) >> s & 1}
            told |= {each.code for each in found}
    teams = {"inherited", "exchange"} if "teams" in options else {"plays-on"}
    assert teams <= told


def test_each_sentence_is_there_in_each_language(timeline: Any) -> None:
    board = timeline("chaturaji", position=ELEPHANT).hands("1 d3- 0.3 d5- 0.3 d5+").rest(2)
    told = {language: " ".join(board.says(language)) for language in LANGUAGES}
    assert len(set(told.values())) == len(LANGUAGES)
