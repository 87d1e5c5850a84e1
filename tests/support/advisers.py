"""Advisers that answer at once, and the machine at a board in a time that passes by itself."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from typing import Any

import msgspec

from firmware_host.lights.signals import Light
from firmware_host.opponents.analysis import AnalysisClient
from firmware_host.opponents.protocol import Analysis, read_answer, read_task, write
from firmware_host.opponents.requested_move import RequestedMove
from firmware_host.opponents.worker import Inbox, Worker
from firmware_host.players.kinds import PlayerKind
from firmware_host.session.events import Press

BEGINNER = PlayerKind(level="first-steps")


class AtOnce(AnalysisClient):
    """An adviser that answers before anything else happens."""

    asked: float
    """How much a fine move may give away, as it was asked last."""
    answer: Analysis

    def _send(self, line: bytes) -> None:
        ends = os.pipe()
        try:
            worker = Worker(Inbox(ends[0]))
            self.asked = read_task(line).fine
            self._receive(write(next(worker.answers(read_task(line)))))
        finally:  # a whole game asks more often than a process may have files open
            for end in ends:
                os.close(end)

    def _receive(self, line: bytes) -> None:
        self.answer = read_answer(line)
        super()._receive(line)


class Broken(AnalysisClient):
    """An adviser that breaks down over every question."""

    def _send(self, line: bytes) -> None:
        self._crashed()


def answering(change: Callable[[int], dict[str, Any]]) -> type[AtOnce]:
    """Return an adviser that changes each move of its answers, as `change` says for its number."""

    class Changed(AtOnce):
        def _receive(self, line: bytes) -> None:
            answer = read_answer(line)
            moves = [
                msgspec.structs.replace(move, **change(number))
                for number, move in enumerate(answer.moves)
            ]
            super()._receive(write(msgspec.structs.replace(answer, moves=moves)))

    return Changed


def at(board: Any, kind: type[AnalysisClient] = AtOnce) -> Any:
    """Return the host of a board, with an adviser of this kind."""
    host = board.host
    host.opponents.analysis = kind(host.opponents._changed)
    return host


async def machine_to_move(board: Any, kind: type[AnalysisClient] = AtOnce) -> Any:
    """Return the host of a board where A has played C4C3, and people make the moves of the machine
    that plays B.
    """
    host = at(board, kind)
    host.seating.set_hands_move(False)
    host.seating.set_kind(1, BEGINNER)
    await board.play("C4C3", rest=3)
    return host


def requested_of(board: Any) -> RequestedMove:
    """Return the move that the machine wants to be made."""
    requested = board.host.opponents.machine._requested
    assert requested is not None
    return requested  # type: ignore[no-any-return]


def lights(board: Any) -> dict[str, Light]:
    return {p: light for p, light in board.host.status().lights.items() if ":" not in p}


async def hint(board: Any) -> str:
    """Ask for a hint, or the next step of one; return what the board says."""
    board.host.post(Press(board.host.now(), "hint"))
    await asyncio.sleep(0.5)
    return str(board.says)
