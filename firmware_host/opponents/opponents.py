"""The opponents at a board: the machine's moves, advice for people, matches with other boards.

The loop calls `look` in every round. It never waits for a search.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from engine.game import Seat
from engine.match import AnyGame
from firmware_host.controller.controller import BoardController
from firmware_host.i18n.messages import warn
from firmware_host.lights.advice import NOTHING, Advice, OpponentsStatus
from firmware_host.opponents.analysis import AnalysisClient, StartWorker
from firmware_host.opponents.board_link import Begin, BoardLink
from firmware_host.opponents.hands_off import HANDS_OFF_S
from firmware_host.opponents.hints import Hints
from firmware_host.opponents.machine import MachinePlayer, MoveMaker
from firmware_host.opponents.match_follower import MatchFollower
from firmware_host.opponents.player_request import PlayerRequest
from firmware_host.opponents.seating import Seating
from firmware_host.opponents.subprocess_client import SubprocessClient
from firmware_host.players.kinds import PlayerKind
from firmware_host.session.view import SessionView
from firmware_host.storage.files import DeferredFile


class MatchElsewhere(Protocol):
    """A match that is also played at another board, or in another program."""

    def follow(self, board: BoardController, now: float) -> float | None:
        """Bring the board and that match together; return when to call again."""

    def advice(self, view: SessionView) -> Advice | None:
        """Return the advice for it; None for the usual advice."""


class Opponents:
    """The opponents at one board, over all its matches."""

    def __init__(
        self,
        seating: Seating,
        state: Path,
        changed: Callable[[], None],
        hands: MoveMaker | None = None,
        start: StartWorker = SubprocessClient,
    ) -> None:
        """`state` has the requested move, and may hold tables of solved games; `changed` wakes the
        loop; `hands` is for boards with simulated hands; `start` starts the analysis.
        """
        self.analysis = AnalysisClient(changed, start=start)
        self.machine = MachinePlayer(seating, changed, hands)
        self.request = PlayerRequest(state / "request.json")
        self.elsewhere: MatchElsewhere | None = None
        """The other place where the match is also played."""
        self.linked: BoardLink | None = None
        """This board's part in a match with other boards."""
        self._seating = seating
        self._state = state
        self._hints = Hints(str(state))
        self._changed = changed
        self._has_hands = hands is not None

    def status(self) -> OpponentsStatus:
        """Return the players and choices, for pages."""
        kinds, settings = self._seating.kinds(self._seating.game), self._seating.settings
        return OpponentsStatus(
            tuple(kind.text for kind in kinds),
            tuple(map(settings.limit, range(len(kinds)))),
            self._seating.choices(self._seating.game),
            settings.hands_move if self._has_hands else None,
        )

    @property
    def files(self) -> list[DeferredFile]:
        """The files of requests and shared matches."""
        own = [self.request.file]
        return own if self.linked is None else [*own, self.linked.file]

    def follower(self) -> MatchFollower:
        """Return the object that brings this board to the moves of a match elsewhere."""
        return MatchFollower(self.request, self.machine.hands_off)

    def link(self, name: str, begin: Begin) -> BoardLink:
        """Let this board, of that name, play with other boards; `begin` is that of `BoardLink`."""
        link = BoardLink(
            name,
            self._state / "shared-match.json",
            self.follower(),
            self._seating,
            begin,
        )
        self.elsewhere = self.linked = link
        return link

    def begin(self, game: AnyGame, *, aside: bool = False) -> None:
        """Start with another match; or set the match in play `aside`, for something else that is
        done with that game.
        """
        self._seating.begin(game)
        self._hints.begin()
        self.analysis.begin()
        self.machine.begin()
        if aside:
            self.request.set_aside()
        else:
            self.request.begin()

    def change(self, seat: Seat) -> None:
        """Stop all work for the player of a seat, because another one takes the seat."""
        self.machine.change(seat)
        self.request.withdraw()
        self._stop()
        self._changed()

    def close(self) -> None:
        """End all subprocesses."""
        self.analysis.close()
        self.machine.keep_only(())

    def look(self, board: BoardController, now: float) -> float | None:
        """Update the board's advice; return when to look again if nothing happens before."""
        self.machine.keep_only(self._seating.kinds(self._seating.game))
        self.machine.follow(board, now)
        followed = None if self.elsewhere is None else self.elsewhere.follow(board, now)
        reported = self.request.follow(board, now)
        advice = self._advice(board, now)
        if advice != board.advice:
            board.advice = advice
            board.rev += 1
        times = [self.analysis.look(now), *self.machine.look(now), followed, reported]
        view = board.session.view
        if self._seating.count(view.outcome):
            board.rev += 1
        if self._is_machine(view.acting) and view.outcome is None:
            times.append(now + HANDS_OFF_S / 4)
        return min((time for time in times if time is not None), default=None)

    def _is_machine(self, seat: Seat) -> bool:
        player = self._seating.kind(seat)
        return not (player.is_person or player.board)

    def _advice(self, board: BoardController, now: float) -> Advice:
        view = board.session.view
        player = self._seating.kind(view.acting)
        over = view.outcome is not None or view.repair.settling
        if not over and self._is_machine(view.acting):
            return self.machine.advice(self.analysis, board, player, now)
        requested = None if over else self.request.advice(view, now)
        if requested is not None:
            self._stop()
            return requested
        elsewhere = None if over else self._elsewhere(view, player)
        if elsewhere is not None:
            self._stop()
            return elsewhere
        limit = self._seating.settings.limit(view.acting)
        advice = None if over else self._hints.advice(self.analysis, view, limit, now)
        if advice is None:
            self._stop()
        return advice or NOTHING

    def _elsewhere(self, view: SessionView, player: PlayerKind) -> Advice | None:
        """Return the advice for a match that is also played elsewhere."""
        if self.elsewhere is not None:
            return self.elsewhere.advice(view)
        if player.board:
            why = warn("This board is connected to no other. Choose another player for this seat.")
            return Advice(requested_move={}, says=(why,))
        return None

    def _stop(self) -> None:
        self.analysis.drop()
        self.machine.stop()
