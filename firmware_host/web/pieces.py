"""The pieces as pages see them: on the simulated table, or inferred on a real board."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple, NoReturn, Protocol

from engine.game import Game, Place
from firmware_host.controller.controller import BoardController
from firmware_host.i18n.messages import Message, RefusedError, say
from firmware_host.session import events
from firmware_host.simulation.virtual_table import (
    BOX,
    MoveStep,
    VirtualPiece,
    VirtualTable,
)
from firmware_host.text.faults import breakage_message
from firmware_host.text.labels import place_message
from firmware_host.text.status import Status
from firmware_host.web import protocol as ask
from firmware_host.web.host_api import Finished
from hardware.layout import Layout
from hardware.simulated.board import SimulatedBoard, SimulationError

STEP_S: Final = 0.16
"""Seconds between two movements of the hands that make a move for a page."""

PASSING_FAULTS: Final = ("bounce", "reset", "interrupt")
"""Faults that happen once, and may happen again."""


class EventSink(Protocol):
    """Where simulated hands report the move that they have made."""

    def now(self) -> float:
        """Return the time that events carry, in seconds."""

    def post(self, event: events.Event) -> None:
        """Let the session handle an event."""


class SimulatedPieces:
    """The pieces of a simulated table. Pages move them."""

    simulated = True

    def __init__(
        self,
        table: VirtualTable,
        board: SimulatedBoard,
        host: EventSink,
        stop_machine: Callable[[], None] = lambda: None,
    ) -> None:
        """`stop_machine` ends what hands do for a machine."""
        self._table = table
        self._stop_machine = stop_machine
        self._board = board
        self._host = host
        self._hands: asyncio.Task[None] | None = None

    @property
    def rev(self) -> int:
        """The table's revision."""
        return self._table.rev

    @property
    def moving(self) -> bool:
        """Whether simulated hands are making a move for a page."""
        return self._hands is not None and not self._hands.done()

    def all(self) -> Sequence[dict[str, Any]]:
        """Return all pieces."""
        return [shown(piece) for piece in self._table.pieces]

    def unknown(self) -> Sequence[Place]:
        """Nothing on this table is unknown."""
        return ()

    def out_of_place(self, position: Any) -> bool:
        """Whether a piece is not where a position has it."""
        return bool(self._table.steps_to(self._table.game.pieces(position)))

    def chips(self) -> Sequence[int]:
        """Return the addresses of the simulated chips."""
        return sorted(self._board.bus.chips)

    def broken(self) -> Sequence[Message]:
        """Return what is broken on purpose; places have the names that they have in the game."""
        table = self._table
        names = {place: place_message(table.game, name) for name, place in table.places.items()}
        return [breakage_message(each, names) for each in self._board.broken()]

    def take(self, command: ask.AnyCommand, page: str) -> None:
        """Do what a page's hand is to do."""
        table = self._table
        match command:
            case ask.LiftCommand(piece=piece, rev=rev):
                table.lift(piece, page, rev)
            case ask.PutCommand(piece=piece, place=place):
                self._check_place(place)
                table.put(piece, place, page)
            case ask.BackCommand(piece=piece):
                table.put_back(piece, page)
            case ask.FlipCommand(piece=piece, rev=rev):
                table.flip(piece, page, rev)
            case ask.TurnCommand(piece=piece, rev=rev):
                table.turn(piece, page, rev)
            case ask.FaultCommand():
                inject(self._board, command)

    def _check_place(self, place: str) -> None:
        layout = self._board.layout
        if place != BOX and place not in (*layout.cells, *layout.slots):
            raise RefusedError(say("There is no place {place} on this board.", place=place))

    def release(self, page: str) -> None:
        """Put back what the hand of a page holds."""
        self._table.release(page)

    # ---- hands that make a whole move

    def bring(self, position: Any, page: str, move: str, finished: Finished) -> None:
        """Let simulated hands bring the pieces to where a position has them, and report `move`,
        because not every sensor feels it. They also take over what the page holds, and the hands of
        a machine stop.
        """
        if self.moving:
            raise RefusedError(say("Hands are already moving pieces; wait for them."))
        self._stop_machine()
        steps = self._table.steps_to(self._table.game.pieces(position))
        if not steps and not move:
            raise RefusedError(say("All pieces are already in place."))
        self._hands = asyncio.create_task(self._walk(steps, page, move, finished))
        self._hands.add_done_callback(lambda _: finished(None))

    def stop(self) -> None:
        """Stop the hands: they would report their move in the match that begins now."""
        if self._hands is not None:
            self._hands.cancel()

    async def _walk(
        self, steps: Sequence[MoveStep], page: str, move: str, finished: Finished
    ) -> None:
        table, hand = self._table, f"{page}.hands"
        try:
            for number, step in enumerate(steps):
                if number:
                    await asyncio.sleep(STEP_S)
                self._take(step.piece, page, hand)
                await asyncio.sleep(STEP_S)
                table.finish(step, hand)
            if move:
                await asyncio.sleep(STEP_S)
                self._host.post(events.Choose(self._host.now(), move))
        except RefusedError as error:
            finished(error)
        finally:
            table.release(hand)

    def _take(self, number: int, page: str, hand: str) -> None:
        """Take a piece into a hand, also from the hand of the page itself."""
        held = self._table.held_by(page)
        if held is None or held.number != number:
            self._table.lift(number, hand)
        else:
            self._table.hand_over(page, hand)


def inject(board: SimulatedBoard, fault: ask.FaultCommand) -> None:
    """Break or repair a part. RefusedError if the board has no such part or fault, or if nothing
    would change.
    """
    before = board.broken()
    try:
        _inject(board, fault)
    except SimulationError as error:
        raise RefusedError(say("{why}", why=str(error))) from error
    if fault.fault not in PASSING_FAULTS and board.broken() == before:
        raise RefusedError(say("That changes nothing: it is already like that."))


def _inject(board: SimulatedBoard, fault: ask.FaultCommand) -> None:
    match fault.fault:
        case "stuck_on" | "stuck_off":
            board.stick(fault.place, closed=fault.fault == "stuck_on")
        case "bounce":
            board.bounce(fault.place, [bool(n % 2) for n in range(2 * fault.count)])
        case "wire":
            board.cut_wire(fault.place)
        case "missing":
            board.unplug(fault.chip)
        case "back":
            board.plug_in(fault.chip)
        case "reset":
            board.reset(fault.chip)
        case "silent":
            board.refuse(fault.chip, fault.count or None)
        case "chain":
            board.cut_chain(fault.count)
        case "interrupt":
            board.miss_interrupts(fault.count)
        case "none":
            board.repair()
        case other:
            raise RefusedError(say("There is no such fault: {fault}", fault=other))


# ---- a real board

_HAND: Final = "board"


class InferenceSource(Protocol):
    """What is known of a real board."""

    game: Game[Any, Any]
    layout: Layout
    controller: BoardController

    def position(self) -> Any:
        """Return the position that the match has reached."""

    def status(self) -> Status:
        """Return the status of the session."""


class _NoMagnets:
    """The magnets of a table that only records where pieces are."""

    def put(self, place: Place, pole: int = 1) -> None:
        pass

    def lift(self, place: Place) -> None:
        pass


class PieceMovement(NamedTuple):
    """A piece that went from one place of the board to another."""

    owner: str
    """The seat from whose side it points afterwards."""
    start: Place
    end: Place


class FollowingPieces:
    """The pieces of a match, which follow it from position to position on a board."""

    def __init__(self, game: Game[Any, Any], layout: Layout) -> None:
        self._game, self._layout = game, layout
        self.cells = frozenset(layout.cells)
        self._position: Any = None
        self.table = self._new_table()
        """Where they are. Each keeps its number where possible."""

    def follow(self, position: Any) -> list[PieceMovement]:
        """Bring the pieces to where a position has them; return how they went."""
        if position == self._position:
            return []
        self._position = position
        table, pieces = self.table, self._game.pieces(position)
        made = []
        for step in table.steps_to(pieces):
            piece = table.lift(step.piece, _HAND)
            table.finish(step, _HAND)
            made.append(PieceMovement(piece.owner, piece.taken_from, step.place))
        fresh = self._new_table()
        fresh.set_up(pieces)
        if _where(fresh) != _where(table):  # a piece has changed its owner
            self.table = fresh
        return made

    def _new_table(self) -> VirtualTable:
        game, layout = self._game, self._layout
        return VirtualTable(game, layout.game(game.name).places, _NoMagnets(), slots=layout.slots)


class InferredPieces:
    """The pieces of a real board, as far as rules and sensors know them. Only people move them.

    The rules say which piece stands where, the sensors whether anything stands there. A piece that
    no sensor feels is shown as missing. Where a sensor feels a piece and the rules have none, an
    unknown piece is shown.
    """

    simulated = False
    moving = False

    def __init__(self, host: InferenceSource) -> None:
        self._host = host
        self._following = FollowingPieces(host.game, host.layout)
        self._rev = 0
        self._seen: tuple[object, ...] = ()
        self._pieces: list[dict[str, Any]] = []
        self._unknown: list[Place] = []

    @property
    def rev(self) -> int:
        """The number of changes so far."""
        self._look()
        return self._rev

    def all(self) -> Sequence[dict[str, Any]]:
        """Return the pieces that the rules know of, and whether sensors feel them."""
        self._look()
        return self._pieces

    def unknown(self) -> Sequence[Place]:
        """Return the places where sensors feel a piece and the rules have none."""
        self._look()
        return self._unknown

    def out_of_place(self, position: Any) -> bool:
        """No: only people move these pieces."""
        return False

    def chips(self) -> Sequence[int]:
        """Nothing here is broken on purpose."""
        return ()

    def broken(self) -> Sequence[Message]:
        """Nothing here is broken on purpose."""
        return ()

    def take(self, command: ask.AnyCommand, page: str) -> NoReturn:
        """Refuse: only people move these pieces."""
        raise RefusedError(say("These pieces are real: only hands at the board move them."))

    def bring(self, position: Any, page: str, move: str, finished: Finished) -> NoReturn:
        """Refuse: only people move these pieces."""
        raise RefusedError(say("These pieces are real: only hands at the board move them."))

    def release(self, page: str) -> None:
        """Do nothing: no page holds a piece."""

    # ---- what is known

    def _look(self) -> None:
        seen, status = self._host.controller.seen, self._host.status()
        if (seen, status.rev) == self._seen:
            return
        self._seen = seen, status.rev
        self._following.follow(self._host.position())
        table = self._following.table
        readings: Mapping[Place, int] = {} if seen is None else seen.readings
        places = table.places
        blind = {places[place] for place in status.masked if place in places}
        blind |= frozenset(self._host.layout.places) if seen is None else seen.blind
        missing = self._missing(readings, blind)
        pieces = [
            shown(piece) | {"from": piece.place, "missing": piece.number in missing}
            for piece in table.pieces
        ]
        unknown = [place for place in readings if not table.at(place) and place not in blind]
        if (pieces, unknown) != (self._pieces, self._unknown):
            self._pieces, self._unknown = pieces, unknown
            self._rev += 1

    def _missing(self, readings: Mapping[Place, int], blind: set[Place]) -> set[int]:
        """Return the numbers of the pieces that no sensor feels; in a stack these are the upper
        ones.
        """
        found: set[int] = set()
        for name, place in self._host.layout.places.items():
            stack, pockets = self._following.table.at(name), len(place.sensors)
            felt = abs(readings.get(name, 0))
            if felt < min(len(stack), pockets) and name not in blind:
                found |= {piece.number for piece in stack[felt:]}
        return found


def _where(table: VirtualTable) -> Counter[tuple[Place, str, str]]:
    return Counter(
        (piece.place, piece.face, piece.owner) for piece in table.pieces if piece.place != BOX
    )


def shown(piece: VirtualPiece) -> dict[str, Any]:
    """Return a piece as a page draws it."""
    return {
        "id": piece.number,
        "face": piece.face,
        "kind": piece.kind,
        "back": piece.back,
        "owner": piece.owner,
        "place": piece.place,
        "from": piece.taken_from,
        "held_by": piece.hand,
    }
