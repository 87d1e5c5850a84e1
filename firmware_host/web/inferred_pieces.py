"""The men of a real board, as far as rules and sensors know them; only people move them.

The rules say which man stands where, the sensors whether anything stands there. A man of whom no
sensor feels anything is shown as missing; what a sensor feels where the rules know of no man is a
dot.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn, Protocol

from engine.game import Game, Place
from firmware_host.controller.controller import BoardController
from firmware_host.i18n.messages import Message, say
from firmware_host.text.status import Status
from firmware_host.web.pieces import Ended
from firmware_host.web.protocol import AnyCommand
from firmware_host.web.virtual_table import BOX, RefusedError, VirtualTable
from hardware.layout import Layout

HAND = "board"


class Source(Protocol):
    """What is known of the board."""

    game: Game[Any, Any]
    layout: Layout
    controller: BoardController

    def position(self) -> Any:
        """Return the position that the match has reached."""

    def status(self) -> Status:
        """Return what the session says of itself."""


class _NoMagnets:
    """What a table of men does to the board when it only says where they are: nothing."""

    def put(self, place: Place, pole: int = 1) -> None:
        pass

    def lift(self, place: Place) -> None:
        pass


class InferredPieces:
    """A page sees what is known, and cannot move anything."""

    hands = False
    moving = False

    def __init__(self, host: Source) -> None:
        self._host = host
        self._table = self._new_table()
        self._rev = 0
        self._known: tuple[object, ...] = ()
        self._men: list[dict[str, Any]] = []
        self._dots: list[Place] = []
        self._position: Any = None

    @property
    def rev(self) -> int:
        """How often men or dots have changed."""
        self._look()
        return self._rev

    def men(self) -> Sequence[dict[str, Any]]:
        """Return the men that the rules know of, and whether sensors feel them."""
        self._look()
        return self._men

    def dots(self) -> Sequence[Place]:
        """Return the places that are filled though the rules know of no man there."""
        self._look()
        return self._dots

    def chips(self) -> Sequence[int]:
        """Nothing here is broken on purpose."""
        return ()

    def broken(self) -> Sequence[Message]:
        """Nothing here is broken on purpose."""
        return ()

    def take(self, command: AnyCommand, page: str) -> NoReturn:
        """Refuse: a page has no hands here."""
        raise RefusedError(say("These pieces are real: only hands at the board move them."))

    def bring(self, position: Any, page: str, said: str, ended: Ended) -> NoReturn:
        """Refuse: a page has no hands here."""
        raise RefusedError(say("These pieces are real: only hands at the board move them."))

    def release(self, page: str) -> None:
        """Nothing is in any page's hand."""

    # ---- what is known

    def _look(self) -> None:
        seen, status = self._host.controller.seen, self._host.status()
        known = (seen, status.rev)
        if known == self._known:
            return
        self._known = known
        self._follow(self._host.position())
        readings: Mapping[Place, int] = {} if seen is None else seen.readings
        places = self._table.places
        unknown = {places[place] for place in status.masked if place in places}
        unknown |= frozenset(self._host.layout.places) if seen is None else seen.blind
        missing = self._missing(readings, unknown)
        men = [
            {
                "id": man.number,
                "shows": man.shows,
                "kind": man.kind,
                "back": man.back,
                "owner": man.owner,
                "place": man.place,
                "from": man.place,
                "held": "",
                "missing": man.number in missing,
            }
            for man in self._table.men
        ]
        dots = [place for place in readings if not self._table.at(place) and place not in unknown]
        if (men, dots) != (self._men, self._dots):
            self._men, self._dots = men, dots
            self._rev += 1

    def _follow(self, position: Any) -> None:
        """Have the men where a position has them, each the same man as before where that can be."""
        if position == self._position:
            return
        self._position = position
        table, pieces = self._table, self._host.game.pieces(position)
        for step in table.steps_to(pieces):
            man = table.lift(step.man, HAND)
            if man.front_up != step.front_up:
                table.flip(step.man, HAND)
            table.put(step.man, step.place, HAND)
        anew = self._new_table()
        anew.set_up(pieces)
        if _where(anew) != _where(table):  # one has got another owner
            self._table = anew

    def _new_table(self) -> VirtualTable:
        game, layout = self._host.game, self._host.layout
        return VirtualTable(game, layout.game(game.name).places, _NoMagnets(), slots=layout.slots)

    def _missing(self, readings: Mapping[Place, int], unknown: set[Place]) -> set[int]:
        """Return the numbers of the men that no sensor feels; of several on a place the upper
        ones.
        """
        found: set[int] = set()
        for name, place in self._host.layout.places.items():
            men, pockets = self._table.at(name), len(place.sensors)
            felt = abs(readings.get(name, 0))
            if felt < min(len(men), pockets) and name not in unknown:
                found |= {man.number for man in men[felt:]}
        return found


def _where(table: VirtualTable) -> Counter[tuple[Place, str, str]]:
    return Counter((man.place, man.shows, man.owner) for man in table.men if man.place != BOX)
