"""The move of a player who is not at the board, until the hands of others have made it.

A player asks for a move on the page. The board lights it as it lights the machine's moves. A small
file keeps the request, so that it is still there when the program starts again.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from engine.game import GameError, Seat
from engine.match import AnyMove, Match
from engine.reading.verdict import Still
from firmware_host.controller.controller import BoardController
from firmware_host.i18n.messages import Message, say, warn
from firmware_host.lights.advice import Advice
from firmware_host.opponents.requested_move import RequestedMove, known_answer
from firmware_host.session.events import Choose
from firmware_host.session.view import SessionView
from firmware_host.storage.files import DeferredFile, load
from firmware_host.text.moves import move_message, with_notation

REPORT_S: Final = 1.0
"""A move that no sensor shows counts this long after it was requested."""
MOST_BYTES: Final = 8192
"""No such file is larger."""


class PlayerRequest:
    """The requested move of a match. A new request replaces it, and any move ends it."""

    def __init__(self, file: Path) -> None:
        self.file = DeferredFile(file, warn("The requested move is not saved: {why}."))
        # The request that was open when the program ended.
        self._kept = load(file, MOST_BYTES, _parse, "no move is requested")
        self._move: AnyMove | None = None
        self._who = Message("")
        self._match: Match | None = None
        self._lit: RequestedMove | None = None
        self._lit_at = 0.0
        self._asked: dict[tuple[Seat, int], str] = {}  # the requests, by the plies before

    def begin(self) -> None:
        """Start with another match."""
        self.withdraw()
        self._asked.clear()

    def set_aside(self) -> None:
        """Ask for nothing until `recall`, for the match is set aside."""
        self._move = self._match = self._lit = None

    def make(self, match: Match, move: AnyMove, who: Message) -> None:
        """Ask hands to make a move in a match, for a player who is called `who`."""
        self._move, self._match, self._who, self._lit = move, match, who, None
        self._kept = _plain(match, move)
        self._asked[match.turn, match.plies] = self._kept["move"]
        self._save()

    def recall(self, match: Match, who: Message) -> None:
        """Request the move again that was open when the program ended or the match was set aside,
        if `match` has its position; else drop it.
        """
        if self._match is not None or self._kept is None:
            return
        try:
            move = match.game.parse_move(match.position, self._kept["move"])
        except GameError:
            self._end()
            return
        if _plain(match, move) == self._kept:
            self.make(match, move, who)
        else:
            self._end()

    @property
    def is_open(self) -> bool:
        """Whether hands are asked to make a move."""
        return self._match is not None

    def withdraw(self) -> None:
        """Withdraw the request."""
        if self._match is not None:
            self._asked.pop((self._match.turn, self._match.plies), None)
            self._end()

    def _end(self) -> None:
        self._move = self._match = self._lit = self._kept = None
        self._save()

    def _save(self) -> None:
        self.file.put((json.dumps(self._kept or {}) + "\n").encode())

    def advice(self, view: SessionView, now: float) -> Advice | None:
        """Return the advice for the requested move; None if there is none. While the board is not
        in order, it lights nothing and only says that the move waits.
        """
        match = self._match
        if self._move is None or match is None or not _is_at(view, match):
            return None
        text = match.game.move_text(match.position, self._move)
        if self._lit is None:
            if not _in_order(view):
                words = with_notation(move_message(match.game, match.position, self._move), text)
                waits = say(
                    "{who} waits for this move on the board: {move}.", who=self._who, move=words
                )
                return Advice(says=(waits,), chosen=True, request=text)
            self._lit, self._lit_at = RequestedMove(view, self._move), now
        says = self._lit.says(view, self._who)
        return Advice(requested_move=self._lit.lights(view), says=says, chosen=True, request=text)

    def follow(self, board: BoardController, now: float) -> float | None:
        """Check whether the move was made, and report it if no sensor shows it; return when to call
        again.
        """
        view = board.session.view
        if (answer := known_answer(view, self._asked, now)) is not None:
            board.handle(answer)
            return None
        if self._match is None or view.question.open:
            return None
        if not _is_at(view, self._match):
            self._end()
        elif self._lit is not None and self._lit.is_unseen(view) and _in_order(view):
            if now < self._lit_at + REPORT_S:
                return self._lit_at + REPORT_S
            board.handle(Choose(now, self._lit.text))
        return None


def _is_at(view: SessionView, match: Match) -> bool:
    """Return whether the match still has the position of the request."""
    here = view.match
    return view.outcome is None and (here.plies, here.position) == (match.plies, match.position)


def _in_order(view: SessionView) -> bool:
    """Return whether the pieces stand right and no question is open."""
    still = isinstance(view.verdict, Still) and not view.thinking
    return still and not view.repair.guiding and not view.question.open


def _plain(match: Match, move: AnyMove) -> dict[str, Any]:
    """Return a request in the form of the file."""
    game = match.game
    return {
        "game": game.name,
        "options": dict(game.options),
        "plies": match.plies,
        "position": game.position_text(match.position),
        "move": game.move_text(match.position, move),
    }


def _parse(data: bytes) -> dict[str, Any] | None:
    plain = json.loads(data)
    return plain if isinstance(plain, dict) and isinstance(plain.get("move"), str) else None
