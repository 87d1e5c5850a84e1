"""The men of a simulated board's table, moved by the hands of pages."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Final, Protocol

from engine.game import Place
from firmware_host.i18n.messages import Message, say
from firmware_host.session import events
from firmware_host.text.faults import injury_message
from firmware_host.text.places import place_message
from firmware_host.web import protocol as ask
from firmware_host.web.faults import inject
from firmware_host.web.move_order import MoveStep
from firmware_host.web.pieces import Ended
from firmware_host.web.virtual_table import BOX, RefusedError, VirtualPiece, VirtualTable
from hardware.simulated.board import SimulatedBoard

PACE: Final = 0.16
"""Seconds between two movements of the hands that make a move for a page."""


class Hearing(Protocol):
    """Who hears what the hands say of a move that they have made."""

    def now(self) -> float:
        """Return the time that events carry, in seconds."""

    def post(self, event: events.Event) -> None:
        """Let the session handle an event."""


class TablePieces:
    """A page sees the men where they lie, and may move them like anybody."""

    hands = True

    def __init__(self, table: VirtualTable, board: SimulatedBoard, host: Hearing) -> None:
        self._table = table
        self._board = board
        self._host = host
        self._hands: asyncio.Task[None] | None = None

    @property
    def rev(self) -> int:
        """The table's revision."""
        return self._table.rev

    @property
    def moving(self) -> bool:
        """Whether hands are making a move for a page."""
        return self._hands is not None and not self._hands.done()

    def men(self) -> Sequence[dict[str, Any]]:
        """Return all men."""
        return [
            {
                "id": man.number,
                "shows": man.shows,
                "kind": man.kind,
                "back": man.back,
                "owner": man.owner,
                "place": man.place,
                "from": man.taken_from,
                "held": man.hand,
            }
            for man in self._table.men
        ]

    def dots(self) -> Sequence[Place]:
        """All is known of this table."""
        return ()

    def chips(self) -> Sequence[int]:
        """Return the addresses of the simulated chips."""
        return sorted(self._board.bus.chips)

    def broken(self) -> Sequence[Message]:
        """Say what is broken on purpose; places have the names that they have in the game."""
        table = self._table
        names = {place: place_message(table.game, name) for name, place in table.places.items()}
        return [injury_message(each, names) for each in self._board.broken()]

    def take(self, command: ask.AnyCommand, page: str) -> None:
        """Do what a page's hand is to do."""
        table = self._table
        match command:
            case ask.LiftCommand(man=man, rev=rev):
                table.lift(man, page, rev)
            case ask.PutCommand(man=man, place=place):
                self._known(place)
                table.put(man, place, page)
            case ask.BackCommand(man=man):
                table.back(man, page)
            case ask.FlipCommand(man=man, rev=rev):
                table.flip(man, page, rev)
            case ask.TurnCommand(man=man, rev=rev):
                table.turn(man, page, rev)
            case ask.FaultCommand():
                inject(self._board, command)

    def _known(self, place: str) -> None:
        layout = self._board.layout
        if place != BOX and place not in (*layout.cells, *layout.slots):
            raise RefusedError(say("There is no place {place} on this board.", place=place))

    def release(self, page: str) -> None:
        """Put back what the hand of a page holds."""
        self._table.release(page)

    # ---- hands that make a whole move

    def bring(self, position: Any, page: str, said: str, ended: Ended) -> None:
        """Send a pair of hands to bring the men to where a position has them, and let them say
        which move that was: not every sensor sees it. What the page holds they take over.
        """
        if self.moving:
            raise RefusedError(say("Hands are already moving pieces; wait for them."))
        steps = self._table.steps_to(self._table.game.pieces(position))
        if not steps and not said:
            raise RefusedError(say("All pieces are already in place."))
        self._hands = asyncio.create_task(self._walk(steps, page, said, ended))
        self._hands.add_done_callback(lambda _: ended(None))

    def stop(self) -> None:
        """End the move that hands are making: they would say it in the match that begins now."""
        if self._hands is not None:
            self._hands.cancel()

    async def _walk(self, steps: Sequence[MoveStep], page: str, said: str, ended: Ended) -> None:
        table, hand = self._table, f"{page}.hands"
        try:
            for number, step in enumerate(steps):
                if number:
                    await asyncio.sleep(PACE)
                man = self._taken(step.man, page, hand)
                await asyncio.sleep(PACE)
                if man.front_up != step.front_up:
                    table.flip(step.man, hand)
                table.put(step.man, step.place, hand)
            if said:
                await asyncio.sleep(PACE)
                self._host.post(events.Choose(self._host.now(), said))
        except RefusedError as error:
            ended(error)
        finally:
            table.release(hand)

    def _taken(self, number: int, page: str, hand: str) -> VirtualPiece:
        """Take a piece into a hand, also from the hand of the page itself."""
        held = self._table.held_by(page)
        if held is None or held.number != number:
            return self._table.lift(number, hand)
        self._table.hand_over(page, hand)
        return held
