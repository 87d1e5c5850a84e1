"""A person and the machine at one board, each with simulated hands; whole games reach their end."""

from __future__ import annotations

import asyncio
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from engine.games import make
from engine.match import Match
from engine.search import search
from firmware_host.host.demo import make_move
from firmware_host.opponents import machine as machine_module
from firmware_host.session.events import Choose
from firmware_host.session.record import RecordEntry
from tests.opponents.test_opponents_at_the_board import BEGINNER, at

AGAIN_S = 15.0
"""Seconds after which a person who was not understood makes the move again."""
HANDS_OFF_S = 3.0
"""Seconds without a touch after which a person takes the machine's hands to be done: a refill may
be read by its first token."""
STUCK_S = 240.0
"""Seconds without a move after which the match is stuck."""


class Person:
    """Light's player: takes the move that looks best, and answers for nobody but himself."""

    def __init__(self, board: Any, seed: int) -> None:
        self.board, self.host = board, board.host
        self.rng = Random(seed)
        self.played: dict[int, str] = {}  # by the plies before
        self.making: asyncio.Task[None] | None = None
        self.begun = 0.0
        self.touched: tuple[int, float] = -1, 0.0  # the table's revision, and since when

    def look(self) -> None:
        """Do what is to be done now."""
        host, session = self.host, self.host.controller.session
        match, now = session.view.match, host.now()
        questions = session.view.question
        for number, entry in questions.numbered:
            for text, step in zip(entry.candidates, entry.steps, strict=True):
                if entry.seat == 0 and self.played.get(step.plies - 1) == text:
                    host.post(Choose(now, text, number))
                    return
        if self.touched[0] != host.table.rev:
            self.touched = host.table.rev, now
        if now < self.touched[1] + HANDS_OFF_S or any(piece.hand for piece in host.table.pieces):
            return
        if match.turn != 0 or not host.opponents.machine._hands_off(session.view, now):
            return
        if self.making is not None and not self.making.done():
            return
        if match.plies in self.played and now < self.begun + AGAIN_S:
            return
        move = search(match.game, match.position, stop=lambda: False, deepest=1).moves[0].move
        self.played[match.plies] = match.game.move_text(match.position, move)
        self.begun = now
        making = make_move(host, move, self.rng.randrange(1 << 30))
        self.making = asyncio.create_task(making)


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("layout", ["hex-reed", "hex-hall"])
def test_a_person_plays_a_whole_game_against_first_steps(
    sit: Any, monkeypatch: pytest.MonkeyPatch, layout: str, seed: int
) -> None:
    rng = Random(seed)
    monkeypatch.setattr(machine_module, "random", rng)
    monkeypatch.setattr("firmware_host.host.simulated.random", rng)

    async def story(board: Any) -> None:
        host = at(board)
        host.set_player(1, BEGINNER)
        person = Person(board, seed)
        moved = 0, host.now()
        while host.status().outcome is None:
            await asyncio.sleep(0.5)
            person.look()
            if len(board.moves) != moved[0]:
                moved = len(board.moves), host.now()
            assert host.now() < moved[1] + STUCK_S, f"{moved[0]} moves, then: {board.says}"

    sit(story, layout, game="robotory")


def test_the_machines_hands_wait_while_somebody_holds_a_piece(sit: Any) -> None:
    async def story(board: Any) -> None:
        host = at(board)
        table = host.table
        token = table.at(table.place("pool.w"))[-1]  # nobody sees that there is one less
        place = token.place
        table.lift(token.number, "somebody")
        host.set_player(0, BEGINNER)
        await asyncio.sleep(30)
        assert board.moves == []
        assert [piece.number for piece in table.pieces if piece.hand] == [token.number]
        table.put(token.number, place, "somebody")
        await asyncio.sleep(30)
        assert len(board.moves) == 1

    sit(story, "hex-reed", game="robotory")


def test_the_machine_answers_for_a_move_before_its_last(sit: Any) -> None:
    async def story(board: Any) -> None:
        opponents = at(board).opponents
        match = Match.begin(make("robotory"))
        texts = ["P b a1", "P w a2", "P b a3", "P w a4"]
        played = [match := match.play(match.game.parse_move(match.position, t)) for t in texts]
        opponents.machine._chosen = {(1, 1): "P w a2", (1, 3): "P w a4"}
        other = played[0].play(played[0].game.parse_move(played[0].position, "P b a2"))
        asked = RecordEntry("move", 1, ("P b a2", "P w a2"), (other, played[1]))
        questions = SimpleNamespace(open=(asked,), numbered=((1, asked),))
        view = SimpleNamespace(match=match, question=questions)
        session = SimpleNamespace(view=view)
        answers: list[Any] = []
        opponents.machine.follow(SimpleNamespace(session=session, handle=answers.append), 1.0)
        assert answers == [Choose(1.0, "P w a2", 1)]

    sit(story)
