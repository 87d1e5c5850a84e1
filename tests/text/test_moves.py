"""Moves as people tell them, in four languages, by what any game tells of itself."""

from __future__ import annotations

import re
from collections.abc import Mapping
from random import Random
from typing import Any, ClassVar

import pytest

from engine.game import CHANCE, Game, Pass, Piece
from engine.games import NAMES, make
from engine.match import Match
from engine.reading.fewest_moves import Movement
from engine.reading.footprints import Sight
from firmware_host.i18n.messages import LANGUAGES, Message, render
from firmware_host.session.events import Frame
from firmware_host.session.session import Session
from firmware_host.text import announcements
from firmware_host.text import moves as move_words
from firmware_host.text.moves import move_message, words_of
from tests.support.tiny_game import TinyGame

ROBOTORY = "......W.....Bw...Rb...../{} 9w9b l"
MARBLES = "sssss/ssssss/{}/SSSSSS/SSSSS 0 0 b 0 1"
CHATURAJI = "wK,6,nK/8/8/8/2,wB,nB,4/{}/8/sB,2,sK,3,eK S 2 0,0,0,0 -"

TOLD = {
    ("robot-duel", ""): {
        "C4C3": "giraffe from C4 to C3",
        "B3B2": "chick from B3 takes chick on B2",
    },
    ("robot-duel", "g1e/l1C/3/1L1 b CEG 1"): {
        "C2C1+": "chick from C2 takes elephant on C1, becomes hen",
        "C*B3": "chick dropped on B3",
    },
    ("shogi", ""): {"7g7f": "pawn from 7g to 7f"},
    ("shogi", "4k4/1s7/9/9/9/9/9/1R7/4K4 b P 1"): {
        "P*5e": "pawn dropped on 5e",
        "8h8b+": "rook from 8h takes silver on 8b, becomes dragon",
    },
    ("chaturaji", CHATURAJI.format("8")): {"a1c3": "boat from a1 to c3"},
    ("chaturaji", CHATURAJI.format("2,wH,5")): {"a1c3": "boat from a1 takes horse on c3"},
    ("chaturaji", CHATURAJI.format("3,eB,4")): {"a1c3": "boat from a1 to c3, takes 3 boats"},
    ("robotory", ROBOTORY.format("2w2b:2w2b")): {
        "P w c3": "white token put on c3",
        "M R d3-d4": "red robot from d3 to d4, eats 1 black token",
        "M R d3-d4-c5": "red robot goes d3-d4-c5, eats 1 white token, 1 black token",
    },
    ("robotory", ROBOTORY.format("0w1b:2w2b")): {
        "F 2w1b": "takes 2 white tokens, 1 black token from the pool",
    },
    ("abalone", ""): {
        "c3d3": "black marble from c3 to d3",
        "a1b2": "3 black marbles from a1 to b2",
        "c3c4d3": "2 black marbles from c3, c4 to d3, d4",
    },
    ("abalone", MARBLES.format("ss5/8/1SSs5/8/S6")): {
        "e2e3": "2 black marbles from e2 to e3, pushes 1 white marble",
    },
    ("abalone", MARBLES.format("ss5/8/6SSs/8/S6")): {
        "e7e8": "2 black marbles from e7 to e8, pushes 1 white marble, 1 leaves the board",
    },
    ("abalone", MARBLES.format("s6/8/2SSSss2/8/7")): {
        "e3e4": "3 black marbles from e3 to e4, pushes 2 white marbles",
    },
    ("abalone", MARBLES.format("s6/8/4SSSss/8/7")): {
        "e5e6": "3 black marbles from e5 to e6, pushes 2 white marbles, 1 leaves the board",
    },
}
"""By game and position: what is told of a move."""


def words(game: Game[Any, Any], position: Any, text: str) -> Message:
    return move_message(game, position, game.parse_move(position, text))


@pytest.mark.parametrize(("game", "position"), TOLD)
def test_a_move_is_told(game: str, position: str) -> None:
    rules = make(game)
    start = rules.parse_position(position) if position else rules.start()
    for move, said in TOLD[game, position].items():
        assert render(words(rules, start, move)) == said


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("pl", "kurczątko z C2 bije słonia na C1, zmienia się w kurę"),
        ("cs", "kuřátko z C2 bere slona na C1, mění se na slepici"),
        ("fr", "le poussin de C2 prend l’éléphant en C1, devient poule"),
    ],
)
def test_a_move_is_told_in_the_cases_of_a_language(language: str, said: str) -> None:
    game = make("robot-duel")
    position = game.parse_position("g1e/l1C/3/1L1 b CEG 1")
    assert render(words(game, position, "C2C1+"), language) == said


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_move_of_every_game_has_words(name: str, language: str) -> None:
    game, rng = make(name), Random(7)
    match = Match.begin(game)
    for _ in range(60):
        if match.outcome:
            break
        match = match.play(rng.choice(match.legal))
        assert match.before is not None
        if match.before.turn == CHANCE:
            continue
        said = render(words_of(match), language)
        assert said
        assert "{" not in said
        assert match.text not in said, "not even told"
        if language != "en" and not isinstance(match.move, Pass):
            assert said != render(words_of(match)), "told in English"


def test_a_game_that_nobody_has_told_of_has_words() -> None:
    pytest.importorskip("chess", reason="python-chess is not installed: pip install chess")
    from lampion_chess import Chess

    game = Chess()
    castling = game.parse_position("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    assert render(words(game, castling, "e1g1")) == "king from e1 to g1, rook from h1 to f1"
    passing = game.parse_position("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1")
    assert render(words(game, passing, "e5d6")) == "pawn from e5 to d6, takes pawn on d5"
    queening = game.parse_position("3rk3/2P5/8/8/8/8/8/4K3 w - - 0 1")
    assert render(words(game, queening, "c7d8q")) == (
        "pawn from c7 takes rook on d8, becomes queen"
    )


class Discs(TinyGame):
    """Four cells with pieces that turn over where they lie; a position is `.xo.`."""

    name = "discs"
    title = "Discs"
    kinds: ClassVar[Mapping[str, str]] = {"d": "disc", "q": "double disc"}

    def cells(self) -> tuple[str, ...]:
        return ("a", "b", "c", "d")

    def start(self) -> str:
        return ".xo."

    def pieces(self, position: str) -> dict[str, Piece]:
        pieces = {"x": Piece(0, "d"), "o": Piece(1, "d"), "X": Piece(0, "q")}
        return {c: pieces[m] for c, m in zip(self.cells(), position, strict=True) if m in pieces}

    def move_text(self, position: str, move: object) -> str:
        return f"{{{move}}}"


@pytest.mark.parametrize(
    ("after", "said"),
    [
        (".xxx", "disc put on d, turns over 1 disc"),
        (".ooo", "disc put on d, turns over 1 disc"),
        (".Xo.", "disc on b becomes double disc"),
        ("Xxo.", "double disc put on a"),
        ("X.o.", "disc from b to a, becomes double disc"),
        ("x.o.", "disc from b to a"),
        ("..x.", "disc from b takes disc on c"),
        ("....", "takes 2 discs"),
        (".x..", "takes disc on c"),
        (".xo.", "{.xo.}"),
    ],
)
def test_any_change_has_words_or_the_notation(after: str, said: str) -> None:
    game = Discs()
    assert render(move_message(game, game.start(), after)) == said


def test_what_the_board_says_and_lists_is_told_in_words_beside_the_notation() -> None:
    session = played("C4C3", "A1A2")
    status = announcements.status(session.view, 1)
    assert [ply.text for ply in status.plies] == ["C4C3", "A1A2"]
    assert [render(ply.words) for ply in status.plies if ply.words] == [
        "giraffe from C4 to C3",
        "giraffe from A1 to A2",
    ]
    assert "B played: giraffe from A1 to A2 (A1A2)." in [render(each) for each in status.says]


def played(*moves: str) -> Session:
    game = make("robot-duel")
    match = Match.begin(game)
    for text in moves:
        match = match.play(game.parse_move(match.position, text))
    return shown(match)


def shown(*matches: Match) -> Session:
    """Return a session in which the pieces stand as the first of these matches has them."""
    game = matches[0].game
    sight = Sight(game, "presence")
    session = Session(game, sight, matches)
    session.handle(Frame(0.0, dict(sight.readings(matches[0].position))))
    return session


def test_a_question_tells_each_answer_in_words_beside_the_notation() -> None:
    game = make("robot-duel")
    start = Match.begin(game, game.parse_position("g1e/l1C/3/1L1 b CEG 1"))
    either = [start.play(game.parse_move(start.position, text)) for text in ("C2C1", "C2C1+")]
    status = announcements.status(shown(*either).view, 1)
    taken = "chick from C2 takes elephant on C1"
    assert [render(choice.words) for choice in status.question if choice.words] == [
        taken,
        f"{taken}, becomes hen",
    ]
    assert render(status.says[0]) == (
        f"Was the piece promoted in the move of A: {taken} (C2C1)? Press “yes” or “no”."
    )
    on_lit = re.compile(r"twice in a row: no: \w+, yes: \w+\.")
    assert any(on_lit.search(render(each)) for each in status.says[1:])
    assert [(ply.text, ply.words) for ply in status.plies] == [("?", None)]


@pytest.mark.parametrize(
    ("name", "piece", "said"),
    [
        ("shogi", Piece(1, "+P"), "Put the tokin of gote on {}."),
        ("abalone", Piece(0, "b"), "Put the black marble on {}."),  # its name says whose it is
    ],
)
def test_whose_piece_is_to_be_put_is_said_where_both_have_such(
    name: str, piece: Piece, said: str
) -> None:
    game = make(name)
    place = next(iter(game.cells()))
    message = announcements.movement_message(game, Movement(None, place, piece))
    assert render(message) == said.format(place)


def test_words_are_found_out_once_a_move(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def counted(game: Any, position: Any, move: Any, after: Any) -> Message:
        asked.append(move)
        return move_message(game, position, move, after)

    monkeypatch.setattr(move_words, "move_message", counted)
    session = played("C4C3", "A1A2", "C3C4", "A2A1")
    for rev in range(5):
        announcements.status(session.view, rev)
    assert len(asked) == 4
