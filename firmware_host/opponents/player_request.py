"""The move of a player who is not at the board, until the hands of others have made it.

A player asks for a move on the page. The board lights it as it lights the machine's moves.
"""

from __future__ import annotations

from typing import Final

from engine.game import Seat
from engine.match import AnyMove, Match
from engine.reading.verdict import Still
from firmware_host.controller.controller import BoardController
from firmware_host.i18n.messages import Message
from firmware_host.lights.advice import Advice
from firmware_host.opponents.requested_move import RequestedMove, known_answer
from firmware_host.session.events import Choose
from firmware_host.session.view import SessionView

REPORT_S: Final = 1.0
"""A move that no sensor shows counts this long after it was requested."""


class PlayerRequest:
    """The requested move of a match; a new request replaces it, and any move ends it."""

    def __init__(self) -> None:
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

    def make(self, match: Match, move: AnyMove, who: Message) -> None:
        """Ask hands to make a move in a match, for a player who is called `who`."""
        self._move, self._match, self._who, self._lit = move, match, who, None
        self._asked[match.turn, match.plies] = match.game.move_text(match.position, move)

    def withdraw(self) -> None:
        """Ask for no move any more."""
        if self._match is not None:
            self._asked.pop((self._match.turn, self._match.plies), None)
        self._move = self._match = self._lit = None

    def advice(self, view: SessionView, now: float) -> Advice | None:
        """Return what to show for the requested move; None if there is none. As long as the board
        is not in order, it shows how to put that right instead.
        """
        if self._move is None or self._match is None or not _is_at(view, self._match):
            return None
        if self._lit is None:
            if not _in_order(view):
                return None
            self._lit, self._lit_at = RequestedMove(view, self._move), now
        says = self._lit.says(view, self._who)
        text = self._lit.text
        return Advice(requested_move=self._lit.lights(view), says=says, chosen=True, request=text)

    def follow(self, board: BoardController, now: float) -> float | None:
        """See whether the move was made, and report it where no sensor shows it; return when to
        look again.
        """
        view = board.session.view
        if (answer := known_answer(view, self._asked, now)) is not None:
            board.handle(answer)
            return None
        if self._match is None or view.question.open:
            return None
        if not _is_at(view, self._match):
            self._move = self._match = self._lit = None
        elif self._lit is not None and self._lit.is_unseen(view) and _in_order(view):
            if now < self._lit_at + REPORT_S:
                return self._lit_at + REPORT_S
            board.handle(Choose(now, self._lit.text))
        return None


def _is_at(view: SessionView, match: Match) -> bool:
    """Whether the match in play has not moved on."""
    here = view.match
    return view.outcome is None and (here.plies, here.position) == (match.plies, match.position)


def _in_order(view: SessionView) -> bool:
    """Whether the pieces stand as the match has them, and nothing is asked."""
    still = isinstance(view.verdict, Still) and not view.thinking
    return still and not view.repair.guiding and not view.question.open
