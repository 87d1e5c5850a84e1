"""Whole games and lessons, played by lifting pieces at the page, saved there and replayed.

With `LAMPION_KEEP=DIR` the recordings are kept in a directory.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, expect

from engine.match import Match
from engine.search import search
from firmware_host.__main__ import main
from firmware_host.cli import replay
from firmware_host.simulation.virtual_table import BOX
from firmware_host.storage import recording
from tests.engine.search.test_perfect_play import perfect
from tests.support.browser import IN_A_BROWSER, Running, Table, box_of, running

pytestmark = [*IN_A_BROWSER, pytest.mark.deep]

LONGEST = 120
"""The most moves of a game."""
PATIENCE = 60_000
"""Milliseconds for a move of the machine, made by slow hands."""
CALM = 1500
"""Milliseconds that a beginner looks at the board before a move."""
GIVEN_UP = 80
"""The number of looks after which somebody else makes the machine's move."""
SILENT = 24
"""The number of looks between two reports of a move that no sensor feels."""


class Player:
    """A seat that is played at the page; the machine plays the others."""

    def __init__(self, table: Table, board: Running, seat: int, level: str) -> None:
        self.table, self.board, self.seat = table, board, seat
        self.page = table.page
        seats = board.ask(lambda host: len(host.game.seats))
        for other in set(range(seats)) - {seat}:
            table.seat(other)
            who = self.page.locator(f'[data-key="player kind {other}"]')
            who.select_option(f"level:{level}")
            expect(who).to_have_value(f"level:{level}")
            table.keys("Escape")

    def match(self) -> Match:
        return self.board.ask(lambda host: host.controller.session.view.match)

    def wait_for_turn(self) -> Match:
        """Wait until all pieces stand right, and it is this seat's turn."""

        def ready(host: Any) -> bool:
            session = host.controller.session
            if any(piece.hand for piece in host.table.pieces):
                return False
            if steps(host, host.game.pieces(host.position())):
                return False
            return session.view.outcome is not None or session.view.match.turn == self.seat

        for look in range(PATIENCE // 250):
            if self.board.ask(ready):
                self.page.wait_for_timeout(CALM)
                if self.board.ask(ready):
                    return self.match()
            asked = re.search(r"Make this move on the board: .*\(([^()]+)\)\.", self.says())
            if asked and look and look % GIVEN_UP == 0:  # the machine's hands have given up
                self.table.say(asked[1])
                if self.page.locator("#say").is_visible():
                    self.table.keys("Escape")
            elif look and look % GIVEN_UP == 0:
                print(
                    self.board.ask(
                        lambda host: (
                            host.controller.session.view.match.moves(),
                            steps(host, host.game.pieces(host.position())),
                            [(m.number, m.kind, m.owner, m.place) for m in host.table.pieces],
                        )
                    )
                )
                self.tidy()
            self.page.wait_for_timeout(250)
        left = self.board.ask(lambda host: steps(host, host.game.pieces(host.position())))
        raise AssertionError(f"{self.says()} {left}")

    def tidy(self) -> None:
        """Let simulated hands put the board right."""
        self.table.more().locator("#tidy").click()

    def says(self) -> str:
        return self.page.locator("#says").text_content() or ""

    def play(self, move: Any) -> None:
        """Make a move, piece by piece; answer if the board asks which it was."""
        match = self.match()
        text = match.game.move_text(match.position, move)
        pieces = match.game.pieces(match.game.play(match.position, move))
        ways, lie = self.board.ask(lambda host: (steps(host, pieces), stands(host)))
        for piece, place, front_up in ways:
            start, was_up = lie[piece]  # the top piece of a stack may go instead of a lower one
            self._carry(start, place, front_up != was_up)
            lie[piece] = place, front_up
        answer = self.page.locator(f'#question [data-move="{text}"]')
        for look in range(PATIENCE // 250):
            if answer.count():
                answer.click()
            elif look and look % SILENT == 0:  # a single report may be taken for the previous move
                self.table.name(text)
            if len(self.match().moves()) > len(match.moves()):
                assert self.match().moves()[: len(match.moves()) + 1] == [*match.moves(), text]
                return
            self.page.wait_for_timeout(250)
        raise AssertionError(f"{text}: {self.says()}")

    def _carry(self, start: str, place: str, turned: bool) -> None:
        self._until(True, lambda: self._touch(start))
        if turned:
            self.table.keys("f")
        self._until(False, lambda: self._touch(place))
        self.page.wait_for_timeout(150)  # a quick hand, but a hand

    def _until(self, held: bool, act: Callable[[], None]) -> None:
        """Do it, and again if it was refused because of somebody else's hand."""
        for _ in range(5):
            act()
            for _ in range(20):
                if self.page.locator("#hand").is_visible() == held:
                    return
                self.page.wait_for_timeout(50)
        raise AssertionError(self.page.locator("#refused").inner_text())

    def _touch(self, place: str) -> None:
        if place == BOX:
            self.table.keys("b")
            return
        box = box_of(self.page.locator(f'[data-place="{place}"]'))
        self.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def stands(host: Any) -> dict[int, tuple[str, bool]]:
    """Return where each piece is, and whether face up."""
    return {piece.number: (piece.place, piece.front_up) for piece in host.table.pieces}


def steps(host: Any, pieces: Any) -> list[tuple[int, str, bool]]:
    """Return which pieces must go where, and whether face up, to reach a position."""
    pieces, found = stands(host), host.table.steps_to(pieces)
    return [
        (s.piece, s.place, s.front_up) for s in found if pieces[s.piece] != (s.place, s.front_up)
    ]


def saved(table: Table, tmp_path: Path, name: str) -> Path:
    """Save the recording on the page."""
    page = table.page
    table.go("builders")
    with page.expect_download() as download:
        page.locator("#save").click()
    file = tmp_path / f"{name}.jsonl"
    download.value.save_as(file)
    if keep := os.environ.get("LAMPION_KEEP"):
        shutil.copy(file, keep)
    return file


def replayed(file: Path) -> tuple[list[str], Any]:
    """Replay it with the command; return the moves and the result."""
    assert main(["replay", str(file)]) == 0
    session = replay.begin(recording.read(file))
    list(replay.replay(recording.read(file), session))
    return session.view.match.moves(), session.view.outcome


@pytest.mark.parametrize(
    ("game", "layout"), [("robot-duel", "square-reed"), ("robotory", "hex-hall")]
)
def test_a_beginner_plays_a_whole_game_against_first_steps(
    context: BrowserContext, tmp_path: Path, game: str, layout: str
) -> None:
    with running(tmp_path / "state", game, layout) as board:
        table = Table(context, board)
        player = Player(table, board, 0, "first-steps")
        for _ in range(LONGEST):
            match = player.wait_for_turn()
            if match.outcome is not None:
                break
            result = search(match.game, match.position, stop=lambda: False, deepest=1)
            player.play(result.moves[0].move)
        assert match.outcome is not None
        file = saved(table, tmp_path, f"{game}-beginner")
        moves, outcome = replayed(file)
        assert moves == match.moves()
        assert outcome == match.outcome
        assert table.errors == []


def test_the_second_player_wins_robot_duel_by_perfect_play(
    context: BrowserContext, tmp_path: Path
) -> None:
    with running(tmp_path / "state") as board:
        table = Table(context, board)
        player = Player(table, board, 1, "sees-two")
        for _ in range(LONGEST):
            match = player.wait_for_turn()
            if match.outcome is not None:
                break
            player.play(perfect(match))
        assert match.outcome is not None
        assert match.outcome.winners == {1}
        moves, outcome = replayed(saved(table, tmp_path, "robot-duel-perfect"))
        assert moves == match.moves()
        assert outcome == match.outcome
        assert table.errors == []


LESSONS = [
    ("robot-duel-01", "square-reed", ["C4>C3"]),
    ("shogi-06", "square-reed", ["hand.sente.P>7c"]),
    ("chaturaji-10", "square-reed", ["e7>e8"]),
    ("robotory-03", "hex-hall", ["b2>box", "b1>box", "b3>b1"]),
    ("abalone-08", "hex-reed", ["e9>box", "e8>e9", "e7>e8"]),
]


@pytest.mark.parametrize(("name", "layout", "hands"), LESSONS)
def test_a_lesson_is_saved_and_replayed(
    context: BrowserContext, tmp_path: Path, name: str, layout: str, hands: list[str]
) -> None:
    with running(tmp_path / "state", name[:-3], layout) as board:
        table = Table(context, board)
        table.go("learn")
        table.page.locator(f'[data-lesson="{name}"]').click()
        expect(table.page.locator("#lesson")).to_be_visible()
        for work in hands:
            table.drag(*work.split(">"))
        table.says("Well done!")
        played = board.moves()
        assert played
        moves, _ = replayed(saved(table, tmp_path, f"{name}-done"))
        assert moves == played
        assert table.errors == []
