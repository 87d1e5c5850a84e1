"""The machine at a seat: it chooses its moves, and has hands make them."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection
from typing import Final, Protocol

from engine.game import CHANCE, Seat, Throw
from engine.match import Match
from firmware_host.controller.controller import BoardController
from firmware_host.i18n.messages import Message, say
from firmware_host.lights.advice import NOTHING, Advice
from firmware_host.opponents.analysis import AnalysisClient
from firmware_host.opponents.engine_process import EngineProcess
from firmware_host.opponents.engine_protocols import DECLARES, RESIGNS
from firmware_host.opponents.hands_off import HandsOff
from firmware_host.opponents.requested_move import RequestedMove, known_answer
from firmware_host.opponents.seating import Seating
from firmware_host.players.kinds import FITS_YOU, PlayerKind, name_message
from firmware_host.session.events import Choose, Claimed, Dice, Press
from firmware_host.session.view import SessionView

THROWS_AFTER_S: Final = 1.2
"""The machine throws its dice after this time."""
THINKS_S: Final = {"strong": 2.0}
"""The thinking time of a level; the other levels have:"""
USUAL_S: Final = 1.0
RETRY_S: Final = 10.0
"""Hands that were disturbed try again after this time."""


class MoveMaker(Protocol):
    """The hands at a simulated board."""

    @property
    def hold(self) -> bool:
        """Whether a hand holds a piece, also that of a person at a page, or is making a move."""

    def make(self, requested: RequestedMove) -> bool:
        """Let simulated hands make a move; False if they are not free."""


class MachinePlayer:
    """The machine's moves at one board."""

    def __init__(
        self,
        seating: Seating,
        changed: Callable[[], None],
        hands: MoveMaker | None,
    ) -> None:
        """`changed` wakes the loop; `hands` is for boards with simulated hands."""
        self._seating = seating
        self._changed = changed
        self._hands = hands
        self._engines: dict[PlayerKind, EngineProcess] = {}  # some take half a minute to load
        self._requested: RequestedMove | None = None
        self._chosen: dict[tuple[Seat, int], str] = {}  # the machine's moves, by the plies before
        self._choosing: object = None
        """The position and the player for which a move is being chosen …"""
        self._seed = 0
        """… and the seed of that choice."""
        self.hands_off = HandsOff(lambda: hands is not None and hands.hold)
        """How long nobody has touched the board."""

    def begin(self) -> None:
        """Start with another match."""
        self._requested = None
        self._chosen.clear()
        self.stop()

    def change(self, seat: Seat) -> None:
        """Forget the moves of a seat, because another player takes it."""
        self._requested = None
        self._chosen = {key: text for key, text in self._chosen.items() if key[0] != seat}

    def stop(self) -> None:
        """Stop the engines' search."""
        for engine in self._engines.values():
            engine.drop()

    def keep_only(self, seated: Collection[PlayerKind]) -> None:
        """End the engines that play at no seat."""
        for player in [player for player in self._engines if player not in seated]:
            self._engines.pop(player).close()

    def look(self, now: float) -> list[float | None]:
        """Check the engines; return when to check them again."""
        return [engine.look(now) for engine in self._engines.values()]

    # ---- choosing a move

    def advice(
        self, client: AnalysisClient, board: BoardController, player: PlayerKind, now: float
    ) -> Advice:
        """Return the advice while the machine is to act, and let it act."""
        view = board.session.view
        match, requested = view.match, self._requested
        if requested is not None and requested.is_for(view):
            says = requested.says(
                view, name_message(player), by_itself=self._hands_make(requested, now)
            )
            return Advice(requested_move=requested.lights(view), says=says, chosen=True)
        if not self.hands_off.lasts(view, now):
            return Advice(requested_move={}, says=self._faults(client, player) + self._undone(view))
        if match.turn == CHANCE:
            if now >= self.hands_off.since + THROWS_AFTER_S:
                throws = [each for each in match.legal if isinstance(each, Throw)]
                board.handle(Dice(now, random.choice(throws).dice))
            return Advice(requested_move={})
        if match.forced_pass() is not None:
            return NOTHING
        text, failed = self._choose(client, match, player, now)
        if failed:
            instead = say("Make its move yourselves, or choose another player.")
            return Advice(says=(*self._faults(client, player), instead))
        if text in (RESIGNS, DECLARES):
            board.handle(Claimed(now, text, match.turn))
        elif text:
            self._requested = RequestedMove(view, match.game.parse_move(match.position, text))
            self._chosen[match.turn, match.plies] = text
            self._changed()
        return Advice(requested_move={}, says=(say("Thinking …"),))

    def _choose(
        self, client: AnalysisClient, match: Match, player: PlayerKind, now: float
    ) -> tuple[str, bool]:
        """Return the machine's move, empty while it thinks, and whether choosing one failed."""
        level = player.level
        if level == FITS_YOU:
            level = self._seating.fitting_level(match.game)
        here = match.plies, match.position, player, level
        is_new = self._choosing != here
        self._choosing = here
        if level:
            if is_new:
                self._seed = random.randrange(1 << 30)
            seconds = THINKS_S.get(level, USUAL_S)
            asked = client.ask(here, match, now, level=level, seed=self._seed, seconds=seconds)
            return (asked.answer.chosen if asked.answer else ""), asked.failed
        if player not in self._engines:
            self._engines[player] = EngineProcess(
                player.engine, self._changed, *player.arguments, protocol=player.protocol
            )
        engine = self._engines[player]
        if is_new:
            engine.ask(match, USUAL_S, now)
        return engine.chosen, engine.fault is not None

    def _undone(self, view: SessionView) -> tuple[Message, ...]:
        """Return a hint for people who take back up to the machine's move: it soon plays again."""
        match, record = view.match, view.record
        made = (match.turn, match.plies) in self._chosen and view.repair.guiding
        if made and record and self._seating.kind(record[-1].seat).is_person:
            return (say("To take back your own move, too, press “take back” again."),)
        return ()

    def _faults(self, client: AnalysisClient, player: PlayerKind) -> tuple[Message, ...]:
        """Return the faults of the analysis and of the player's engine."""
        engine = self._engines.get(player)
        faults = client.fault, engine.fault if engine is not None else None
        return tuple(fault for fault in faults if fault is not None)

    # ---- making it

    def follow(self, board: BoardController, now: float) -> None:
        """Check whether the machine's move was made, and report it if no sensor shows it."""
        view, requested = board.session.view, self._requested
        if (answer := known_answer(view, self._chosen, now)) is not None:
            board.handle(answer)
            return
        if requested is None or view.question.open:
            return
        made = requested.was_followed_by(view)
        if made == requested.text:
            self._requested = None
        elif made is not None:  # simulated hands may still be at work
            if self.hands_off.lasts(view, now) and now >= requested.handed_at + RETRY_S:
                board.handle(Press(now, "back"))
        elif not requested.is_for(view):
            self._requested = None
        elif self.hands_off.lasts(view, now):
            self._hand_over(board, requested, now)

    def _hands_make(self, requested: RequestedMove, now: float) -> bool:
        """Return whether simulated hands make a move, and nobody has disturbed them."""
        tried = requested.handed_at > float("-inf") and now >= requested.handed_at + RETRY_S
        return self._hands is not None and self._seating.settings.hands_move and not tried

    def _hand_over(self, board: BoardController, requested: RequestedMove, now: float) -> None:
        """Give the move to simulated hands, or report it if no sensor will show it."""
        if now < requested.handed_at + RETRY_S:
            return
        if self._hands is not None and self._seating.settings.hands_move:
            if self._hands.make(requested):  # they report what no sensor shows
                requested.handed_at = now
        elif requested.is_unseen(board.session.view):
            requested.handed_at = now
            board.handle(Choose(now, requested.text))
