"""Brings a board to the moves of a match that is also played elsewhere.

The board lights the next move until hands have made it. Other moves at the board are taken back,
and hands are guided to follow.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import Annotated, Final

import msgspec

from engine.game import CHANCE, GameError, Seat
from firmware_host.controller.controller import BoardController
from firmware_host.i18n.messages import Message, warn
from firmware_host.opponents.hands_off import HandsOff
from firmware_host.opponents.player_request import PlayerRequest
from firmware_host.session.events import Claimed, Dice, Press
from firmware_host.session.record import PASS_TEXT, Record
from firmware_host.session.view import SessionView

RETRY_S: Final = 2.0
"""Dice and claims that the board has not taken are reported again after this time."""
LOOK_S: Final = 0.2
"""The time between two checks whether hands have left the board alone."""
MOST_ENTRIES: Final = 20_000
"""No match is longer."""

log = logging.getLogger(__name__)


class PlayedEntry(msgspec.Struct, frozen=True, array_like=True):
    """A move, throw or claim of a match that is played at several places."""

    kind: Annotated[str, msgspec.Meta(pattern="^(move|throw|claim)$")]
    seat: Annotated[int, msgspec.Meta(ge=0, le=7)]
    """The seat that moves, throws or claims."""
    text: Annotated[str, msgspec.Meta(max_length=60)]

    @property
    def is_pass(self) -> bool:
        """Whether it is a forced pass."""
        return self.text == PASS_TEXT


def played(record: Record) -> tuple[PlayedEntry, ...]:
    """Return the entries of a record before the first open question."""
    found = []
    for entry in takewhile(lambda each: not each.open, record):
        before = entry.steps[0].before
        seat = before.acting if entry.kind == "throw" and before is not None else entry.seat
        found.append(PlayedEntry(entry.kind, seat, entry.texts[0]))
    return tuple(found)


def in_common(one: Sequence[PlayedEntry], other: Sequence[PlayedEntry]) -> int:
    """Return the number of entries that two matches have in common from the start."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


class MatchFollower:
    """Brings one board to the entries of a match, one after the other."""

    def __init__(self, request: PlayerRequest, hands_off: HandsOff) -> None:
        self.differs_at: int | None = None
        """The number of the first move at the board that the match does not have; None if there is
        none.
        """
        self.trouble: Message | None = None
        """Why the next entry cannot be played at this board."""
        self._request = request
        self._hands_off = hands_off
        self._asked: tuple[int, PlayedEntry] | None = None  # the requested entry and its number
        self._reported_at = -math.inf  # when dice or a claim were reported last

    def follow(
        self,
        board: BoardController,
        wanted: Sequence[PlayedEntry],
        called: Callable[[Seat], Message],
        now: float,
    ) -> float | None:
        """Go one step towards the `wanted` entries, if it is time; return when to call again.
        `called` returns the name of the player of a seat.
        """
        view = board.session.view
        here = played(view.record)
        if len(here) < len(view.record) or view.repair.settling:
            return None  # people are asked, or set up the board
        common = in_common(here, wanted)
        self.trouble = self.differs_at = None
        if common < len(here):
            self.differs_at = 1 + sum(each.kind == "move" for each in here[:common])
            self.withdraw()
            return self._go_back(board, common, now)
        if common == len(wanted):
            self.withdraw()
            return None
        return self._go_on(board, common, wanted[common], called, now)

    def withdraw(self) -> None:
        """Withdraw the requested move."""
        if self._asked is not None:
            self._asked = None
            self._request.withdraw()

    def _go_back(self, board: BoardController, common: int, now: float) -> float:
        """Take back moves that the match does not have, once hands have left the board alone."""
        if self._hands_off.lasts(board.session.view, now):
            record = board.session.record
            while len(record) > common:
                board.handle(Press(now, "back"))
                if len(board.session.record) >= len(record):
                    break
                record = board.session.record
        return now + LOOK_S

    def _go_on(
        self,
        board: BoardController,
        number: int,
        entry: PlayedEntry,
        called: Callable[[Seat], Message],
        now: float,
    ) -> float | None:
        view = board.session.view
        is_new = self._asked != (number, entry)
        if entry.is_pass:
            return None
        if entry.kind == "move":
            if is_new or not self._request.is_open:
                self._ask(view, number, entry, called)
            return None
        if not is_new and now < self._reported_at + RETRY_S:
            return self._reported_at + RETRY_S
        self.withdraw()
        self._asked, self._reported_at = (number, entry), now
        if entry.kind == "claim":
            board.handle(Claimed(now, entry.text, entry.seat))
        elif view.match.turn == CHANCE and (dice := _dice(entry.text)):
            board.handle(Dice(now, dice))
        return now + RETRY_S

    def _ask(
        self,
        view: SessionView,
        number: int,
        entry: PlayedEntry,
        called: Callable[[Seat], Message],
    ) -> None:
        match = view.match
        try:
            move = match.game.parse_move(match.position, entry.text)
        except GameError as error:
            self.trouble = warn(
                "{who} plays {move}, but the rules do not allow it here.",
                who=called(entry.seat),
                move=entry.text,
            )
            if self._asked != (number, entry):
                log.warning("%s", error)
            self._asked = number, entry
            return
        self._asked = number, entry
        self._request.make(match, move, called(entry.seat))


def _dice(text: str) -> tuple[int, ...]:
    """Return the faces of a throw as the record has it; none if it is no throw."""
    faces = text.split("+")
    return tuple(map(int, faces)) if all(each.isdecimal() for each in faces) else ()
