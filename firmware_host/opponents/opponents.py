"""The opponents at a board: the player kind of each seat, the machine's moves, advice for people.

The loop calls `look` in every round. It never waits for a search.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Protocol

from engine.game import Outcome, Seat
from engine.match import AnyGame
from firmware_host.controller.controller import BoardController
from firmware_host.i18n.messages import Message, warn
from firmware_host.lights.advice import NOTHING, Advice, OpponentsStatus
from firmware_host.opponents.analysis import AnalysisClient, StartWorker
from firmware_host.opponents.board_link import Begin, BoardLink
from firmware_host.opponents.fitting_levels import FittingLevels
from firmware_host.opponents.hands_off import HANDS_OFF_S
from firmware_host.opponents.hints import Hints
from firmware_host.opponents.machine import MachinePlayer, MoveMaker
from firmware_host.opponents.match_follower import MatchFollower
from firmware_host.opponents.player_request import PlayerRequest
from firmware_host.opponents.settings import OpponentSettings
from firmware_host.opponents.subprocess_client import SubprocessClient
from firmware_host.players.kinds import (
    FITS_YOU,
    PERSON,
    PlayerKind,
    available,
    kind_message,
    suits,
)
from firmware_host.session.view import SessionView
from firmware_host.storage.files import DeferredFile
from firmware_host.storage.journal import Player, Players


class MatchElsewhere(Protocol):
    """A match that is also played at another board, or in another program."""

    def follow(self, board: BoardController, now: float) -> float | None:
        """Bring the board and that match together; return when to look again."""

    def advice(self, view: SessionView) -> Advice | None:
        """Return what to show for it; None for what is shown anyway."""


class Opponents:
    """The opponents at one board, over all its matches."""

    def __init__(
        self,
        settings: OpponentSettings,
        state: Path,
        changed: Callable[[], None],
        hands: MoveMaker | None = None,
        usual: Mapping[str, PlayerKind] = MappingProxyType({}),
        names: Callable[[int], Sequence[str]] = lambda seats: [""] * seats,
        start: StartWorker = SubprocessClient,
    ) -> None:
        """`state` has the requested move, and may hold tables of solved games; `changed` wakes the
        loop; `hands` is for boards with simulated hands; `usual` has the player kinds of seats, by
        name, until others are chosen; `names` returns the names of that number of seats; `start`
        starts the analysis.
        """
        self.settings = settings
        self.analysis = AnalysisClient(changed, start=start)
        self.machine = MachinePlayer(
            settings, changed, lambda seat: self.player(seat).is_person, hands, self._fitting_level
        )
        self.fitting = FittingLevels(state / "fitting-levels.json")
        self.request = PlayerRequest(state / "request.json")
        self.elsewhere: MatchElsewhere | None = None
        """Where the match is also played."""
        self.only_people = False
        """Whether people play at all seats, whatever was chosen."""
        self.linked: BoardLink | None = None
        """This board's part in a match with other boards."""
        self.boards: Sequence[str] = ()
        """The names of other boards that may be chosen as players."""
        self._state = state
        self._hints = Hints(str(state))
        self._changed = changed
        self._has_hands = hands is not None
        self._usual = usual
        self._names = names
        self._game: AnyGame | None = None

    def player(self, seat: Seat) -> PlayerKind:
        """Return the player kind of a seat."""
        if self._game is None:
            return self.settings.player(seat) or PERSON
        return self.players_in(self._game)[seat]

    def players_in(self, game: AnyGame) -> tuple[PlayerKind, ...]:
        """Return the player kind of each seat in a game that begins now."""
        if self.only_people:
            return (PERSON,) * len(game.seats)
        chosen = (
            self.settings.player(seat) or self._usual.get(name, PERSON)
            for seat, name in enumerate(game.seats)
        )
        return tuple(each if suits(each, game) else PERSON for each in chosen)

    def seated_in(self, game: AnyGame) -> Players:
        """Return the players of a game as its journal names them: with the level that fits now."""
        fitting = self.fitting.level(game.name, self._people(game))
        kinds = [
            replace(who, fitting=fitting) if who.level == FITS_YOU else who
            for who in self.players_in(game)
        ]
        names = self._names(len(game.seats))
        return tuple(
            Player(*each) for each in zip(names, (who.written for who in kinds), strict=True)
        )

    def choices(self, game: AnyGame) -> dict[str, Message]:
        """Return the names of the player kinds that may be chosen for a game, by their texts."""
        boards = (PlayerKind(board=name) for name in self.boards)
        found = dict.fromkeys((*available(game), *boards, *self.players_in(game)))
        fitting = self.fitting.level(game.name, self._people(game))
        return {player.text: kind_message(player, fitting) for player in found}

    def _fitting_level(self) -> str:
        """Return the level that fits the people at the table."""
        assert self._game is not None
        return self.fitting.level(self._game.name, self._people(self._game))

    def _people(self, game: AnyGame) -> list[str]:
        """Return the name of each person at the table; empty for a person without a name."""
        names = self._names(len(game.seats))
        kinds = self.players_in(game)
        return [name for name, who in zip(names, kinds, strict=True) if who.is_person]

    def _count(self, outcome: Outcome | None) -> bool:
        """Let the levels that fit follow the result of the match, if the machine plays at one;
        return whether that changed anything.
        """
        game = self._game
        assert game is not None
        kinds = self.players_in(game)
        if outcome is None:
            return self.fitting.follow(game.name, None)
        won: dict[str, bool] = {}
        if outcome.winners and any(who.level == FITS_YOU for who in kinds):
            names = map(str.casefold, self._names(len(game.seats)))
            for seat, (name, who) in enumerate(zip(names, kinds, strict=True)):
                if who.is_person:  # several may have the same name, or none
                    won[name] = won.get(name, False) or seat in outcome.winners
        return self.fitting.follow(game.name, won)

    def status(self) -> OpponentsStatus:
        """Return what a reader may show."""
        assert self._game is not None
        seats = range(len(self._game.seats))
        return OpponentsStatus(
            tuple(self.player(seat).text for seat in seats),
            tuple(self.settings.limit(seat) for seat in seats),
            self.choices(self._game),
            self.settings.hands_move if self._has_hands else None,
        )

    @property
    def files(self) -> list[DeferredFile]:
        """The files that keep what belongs to the players."""
        own = [self.settings.file, self.request.file, self.fitting.file]
        return own if self.linked is None else [*own, self.linked.file]

    def follower(self) -> MatchFollower:
        """Return what brings this board to the moves of a match elsewhere."""
        return MatchFollower(self.request, self.machine.hands_off)

    def link(self, name: str, begin: Begin) -> BoardLink:
        """Let this board, of that name, play with other boards. `begin` is as for `BoardLink`."""
        link = BoardLink(
            name,
            self._state / "shared-match.json",
            self.follower(),
            kinds=self.players_in,
            names=self._names,
            begin=begin,
        )
        self.elsewhere = self.linked = link
        return link

    def begin(self, game: AnyGame, *, aside: bool = False) -> None:
        """Start with another match; or set the match in play `aside`, for something else that is
        done with that game.
        """
        self._game = game
        self._hints.begin()
        self.analysis.begin()
        self.machine.begin()
        if aside:
            self.request.set_aside()
        else:
            self.request.begin()
        self.fitting.begin()

    def change(self, seat: Seat, player: PlayerKind) -> None:
        """Give a seat to another player."""
        self.settings.set_player(seat, player)
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
        assert self._game is not None
        self.machine.keep_only({self.player(seat) for seat in range(len(self._game.seats))})
        self.machine.follow(board, now)
        followed = None if self.elsewhere is None else self.elsewhere.follow(board, now)
        reported = self.request.follow(board, now)
        advice = self._advice(board, now)
        if advice != board.advice:
            board.advice = advice
            board.rev += 1
        times = [self.analysis.look(now), *self.machine.look(now), followed, reported]
        view = board.session.view
        if self._count(view.outcome):
            board.rev += 1
        if self._is_machine(view.acting) and view.outcome is None:
            times.append(now + HANDS_OFF_S / 4)
        return min((time for time in times if time is not None), default=None)

    def _is_machine(self, seat: Seat) -> bool:
        player = self.player(seat)
        return not (player.is_person or player.board)

    def _advice(self, board: BoardController, now: float) -> Advice:
        view = board.session.view
        player = self.player(view.acting)
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
        limit = self.settings.limit(view.acting)
        advice = None if over else self._hints.advice(self.analysis, view, limit, now)
        if advice is None:
            self._stop()
        return advice or NOTHING

    def _elsewhere(self, view: SessionView, player: PlayerKind) -> Advice | None:
        """Return what to show for a match that is also played elsewhere."""
        if self.elsewhere is not None:
            return self.elsewhere.advice(view)
        if player.board:
            why = warn("This board is connected to no other. Choose another player for this seat.")
            return Advice(requested_move={}, says=(why,))
        return None

    def _stop(self) -> None:
        self.analysis.drop()
        self.machine.stop()
