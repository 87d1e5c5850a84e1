"""The men of a simulated game: where each one lies, which way up, and in whose hand it is.

A table knows no rules. Men stand on places of the board, alone on a cell and one upon another on a
slot, or lie in the box beside it; hands lift them, put them down, turn them over. What a hand does
moves magnets over the simulated board. As a text for a file the table says where the men are, so
that a restart finds them where the hands left them.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

from engine.game import Game, Piece, Place
from firmware_host.i18n.messages import Message, say
from firmware_host.web import table_file
from firmware_host.web.move_order import MoveStep, in_order
from firmware_host.web.table_file import TableFileError

BOX: Final = "box"
"""Where men lie that are not on the board."""

OUTSIDE: Final = "board:"
"""Stands before the board's own name of a place that the game has no name for."""

_numbers: Final = itertools.count(1)  # never the same number twice in a run, whatever the game


class Magnets(Protocol):
    """What a table does to a simulated board."""

    def put(self, place: Place, pole: int = 1) -> None:
        """Lay a magnet onto a place of the board, +1 or -1 up."""

    def lift(self, place: Place) -> None:
        """Take the magnet away that was laid there last."""


class RefusedError(Exception):
    """A hand cannot do that; the message tells people why."""

    def __init__(self, message: Message) -> None:
        super().__init__(message.text)
        self.message = message


@dataclass(slots=True)
class VirtualPiece:
    """One man of the game, with its two faces."""

    number: int
    """Its own number, never given again."""
    kind: str
    """What its front shows: a key of `Game.kinds`."""
    back: str
    """What its back shows; empty: nothing."""
    owner: str
    """The seat from whose side it points; empty: nobody's."""
    pole: int
    """Which pole of its magnet is up when its front is."""
    place: Place
    """The place of the board, or BOX; empty while a hand holds it."""
    front_up: bool = True
    hand: str = ""
    """Whose hand holds it."""
    taken_from: Place = ""
    """Where it last lay before a hand took it."""
    rev: int = 0
    """The table's revision when it last changed."""

    @property
    def shows(self) -> str:
        """The kind whose face is up; empty for a blank back."""
        return self.kind if self.front_up else self.back

    @property
    def reads(self) -> int:
        """The pole that is up: +1 or -1."""
        return self.pole if self.front_up else -self.pole


class VirtualTable:
    """The men of one game on one board."""

    def __init__(
        self,
        game: Game[Any, Any],
        places: Mapping[Place, Place],
        magnets: Magnets,
        *,
        changed: Callable[[], None] = lambda: None,
        slots: Iterable[Place] = (),
    ) -> None:
        """Make an empty table.

        `places` maps the game's places to the board's; the rest of the game's places are in the
        box. `slots` are the board's places that hold more than one man. `changed` is called after
        every change.
        """
        self.game = game
        self.places = dict(places)
        self.names = {place: name for name, place in places.items()}
        self.rev = 0
        self._magnets = magnets
        self._changed = changed
        self._slots = frozenset(slots)
        start = game.pieces(game.start()).values()
        # Tokens of a common pool are nobody's own, also while they lie in a player's stock.
        self._common = frozenset(piece.kind for piece in start if piece.owner is None)
        self._men: dict[int, VirtualPiece] = {}
        self._lying: dict[Place, list[VirtualPiece]] = {}

    # ---- what there is

    @property
    def men(self) -> tuple[VirtualPiece, ...]:
        """All men; those of one place from the lowest to the top one."""
        held = [man for man in self._men.values() if man.hand]
        return tuple(man for lying in self._lying.values() for man in lying) + tuple(held)

    def at(self, place: Place) -> tuple[VirtualPiece, ...]:
        """Return the men on a place of the board (or BOX), the top one last."""
        return tuple(self._lying.get(place, ()))

    def held_by(self, hand: str) -> VirtualPiece | None:
        """Return the man in a hand."""
        return next((man for man in self._men.values() if man.hand == hand), None)

    def name(self, place: Place) -> Place:
        """Return the game's name for a place of the board; one that the game does not use keeps
        its own after `board:`, for it may be called like a place of the game.
        """
        return place if place == BOX else self.names.get(place, OUTSIDE + place)

    def place(self, name: Place) -> Place:
        """Return the place of the board for such a name."""
        if name.startswith(OUTSIDE):
            return name.removeprefix(OUTSIDE)
        return self.places.get(name, BOX if name == BOX else "")

    # ---- setting up

    def set_up(self, pieces: Mapping[Place, Piece]) -> None:
        """Clear the board and lay out the pieces of a position. What the game has at its start
        and the position has not lies in the box.
        """
        start = [
            self._made_from(piece)
            for piece in self.game.pieces(self.game.start()).values()
            for _ in range(piece.count)
        ]
        known = {man.kind for man in start}
        men = [
            (man, self.places.get(place, BOX))
            for place, piece in pieces.items()
            for _ in range(piece.count)
            if (man := self._made_from(piece)).kind in known
        ]
        kinds = Counter(man.kind for man in start)
        kinds.subtract(man.kind for man, _ in men)
        owned = Counter((man.kind, man.owner) for man in start)
        owned.subtract((man.kind, man.owner) for man, _ in men)
        for man in start:
            if kinds[man.kind] > 0 and owned[man.kind, man.owner] > 0:
                kinds[man.kind] -= 1
                owned[man.kind, man.owner] -= 1
                men.append((man, BOX))
        self._replace_all(men)

    def _made_from(self, piece: Piece) -> VirtualPiece:
        turned = piece.kind.startswith("+") and piece.kind[1:] in self.game.kinds
        nobodys = piece.owner is None or piece.kind in self._common
        owner = "" if nobodys else self.game.seats[piece.owner or 0]
        return self._man(
            piece.kind.removeprefix("+") if turned else piece.kind,
            owner,
            -piece.pole if turned else piece.pole,
            not turned,
        )

    def _man(self, kind: str, owner: str, pole: int, front_up: bool) -> VirtualPiece:
        back = f"+{kind}" if f"+{kind}" in self.game.kinds else ""
        return VirtualPiece(next(_numbers), kind, back, owner, pole, BOX, front_up)

    def _replace_all(self, men: Iterable[tuple[VirtualPiece, Place]]) -> None:
        for place, lying in self._lying.items():
            for _ in lying if place != BOX else ():
                self._magnets.lift(place)
        self._men.clear()
        self._lying.clear()
        for man, place in men:
            self._men[man.number] = man
            self._lay(man, place)
            man.rev = self.rev + 1
        self._done()

    # ---- what hands do

    def lift(self, number: int, hand: str, rev: int | None = None) -> VirtualPiece:
        """Take a man into a hand. RefusedError if it cannot be done, or if the man was touched
        after the revision `rev`.
        """
        man = self._fresh(number, rev)
        if man.hand:
            raise RefusedError(
                say("You are already holding it.")
                if man.hand == hand
                else say("Someone else holds that piece.")
            )
        if self.held_by(hand):
            raise RefusedError(say("Your hand is full: first put down the piece that you hold."))
        self._take(man, hand)
        self._done(man)
        return man

    def put(self, number: int, place: Place, hand: str) -> None:
        """Put the man in a hand down. On a cell that is taken, the hand swaps: it puts its man
        down and comes away with the one that stood there.
        """
        man = self._held(number, hand)
        lying = self._lying.get(place, [])
        swapped = lying[-1] if lying and place != BOX and place not in self._slots else None
        if swapped:
            self._take(swapped, hand)
        man.hand = ""
        self._lay(man, place)
        self._done(man, swapped)

    def hand_over(self, giver: str, taker: str) -> None:
        """Pass what one hand holds, if anything, to another one, which must be empty."""
        if man := self.held_by(giver):
            man.hand = taker
            self._done(man)

    def back(self, number: int, hand: str) -> None:
        """Put the man in a hand back to where it came from, or into the box if that is taken."""
        man = self._held(number, hand)
        man.hand = ""
        free = man.taken_from == BOX or man.taken_from in self._slots
        self._lay(man, man.taken_from if free or not self.at(man.taken_from) else BOX, same=True)
        self._done(man)

    def release(self, hand: str) -> None:
        """Empty a hand that is gone: what it held goes back to where it came from."""
        while man := self.held_by(hand):
            self.back(man.number, hand)

    def flip(self, number: int, hand: str, rev: int | None = None) -> None:
        """Turn a man over. One that lies somewhere is lifted and laid down again for it."""
        man = self._fresh(number, rev)
        if man.hand not in ("", hand):
            raise RefusedError(say("Someone else holds that piece."))
        place = man.place
        if place and place != BOX:
            self._unlay(man)
        man.front_up = not man.front_up
        if place and place != BOX:
            self._lay(man, place, same=True)
        self._done(man)

    def turn(self, number: int, hand: str, rev: int | None = None) -> None:
        """Turn a man round: it points from the next seat's side. No sensor sees that."""
        man = self._fresh(number, rev)
        if man.hand not in ("", hand):
            raise RefusedError(say("Someone else holds that piece."))
        seats = self.game.seats
        if man.owner:
            man.owner = seats[(seats.index(man.owner) + 1) % len(seats)]
        self._done(man)

    def steps_to(self, pieces: Mapping[Place, Piece]) -> list[MoveStep]:
        """Return the movements that bring the men to where the pieces of a position stand, in an
        order in which a hand can make them: what is in the way goes first.
        """
        wanted: list[tuple[Place, str, str]] = [
            (self.places[place], piece.kind, self._made_from(piece).owner)
            for place, piece in pieces.items()
            if place in self.places
            for _ in range(piece.count)
        ]
        free = list(self.men)
        for place, kind, owner in list(wanted):
            for man in free:
                if (man.place, man.shows, man.owner) == (place, kind, owner):
                    free.remove(man)
                    wanted.remove((place, kind, owner))
                    break
        steps: dict[int, MoveStep] = {}
        for place, kind, owner in wanted:
            able = [man for man in free if kind in (man.kind, man.back)]
            if able:
                best = min(able, key=lambda man: (man.owner != owner, man.place == BOX))
                free.remove(best)
                steps[best.number] = MoveStep(best.number, place, best.kind == kind)
        for man in free:
            if man.place != BOX:
                steps[man.number] = MoveStep(man.number, BOX, man.front_up)
        standing = {
            man.place: man.number
            for man in self._men.values()
            if man.place != BOX and man.place not in self._slots
        }
        aside = {number: MoveStep(number, BOX, self._men[number].front_up) for number in steps}
        return in_order(steps, standing, aside)

    # ---- the small movements

    def _fresh(self, number: int, rev: int | None) -> VirtualPiece:
        man = self._men.get(number)
        if man is None:
            raise RefusedError(say("That piece is no longer on this table."))
        if rev is not None and man.rev > rev:
            raise RefusedError(say("That piece was moved meanwhile; look again."))
        return man

    def _held(self, number: int, hand: str) -> VirtualPiece:
        man = self._men.get(number)
        if man is None or man.hand != hand:
            raise RefusedError(say("You are not holding that piece."))
        return man

    def _take(self, man: VirtualPiece, hand: str) -> None:
        self._unlay(man)
        man.taken_from, man.place, man.hand = man.place, "", hand

    def _unlay(self, man: VirtualPiece) -> None:
        self._lying[man.place].remove(man)
        if man.place != BOX:
            self._magnets.lift(man.place)

    def _lay(self, man: VirtualPiece, place: Place, same: bool = False) -> None:
        """Lay a man down. In a player's hand tray it is his, and its front is up, as players do;
        `same`: it only comes back, nobody has taken it.
        """
        parts = self.name(place).split(".")
        if parts[0] == "hand" and not same and len(parts) == 3:
            man.owner, man.front_up = parts[1], True
        man.place = place
        self._lying.setdefault(place, []).append(man)
        if place != BOX:
            self._magnets.put(place, man.reads)

    def _done(self, *men: VirtualPiece | None) -> None:
        self.rev += 1
        for man in men:
            if man:
                man.rev = self.rev
        self._changed()

    # ---- its file

    def text(self) -> str:
        """Return the text of a file that says where the men are. A man in a hand is where it was
        taken from.
        """
        rows = []
        taken: set[Place] = set()
        for man in self.men:
            place = man.place or man.taken_from
            if place != BOX and place not in self._slots and place in taken:
                place = BOX
            taken.add(place)
            rows.append(
                table_file.Row(self.name(place), man.kind, man.owner, man.pole, man.front_up)
            )
        return table_file.written(self.game.name, rows)

    def load(self, file: Path, places: Iterable[Place]) -> None:
        """Lay the men out as a file has them; `places` are all places of the board. TableError
        says in one line what is wrong with the file, and nothing has changed then.
        """
        board = frozenset(places)
        men: list[tuple[VirtualPiece, Place]] = []
        taken: set[Place] = set()
        for number, row in enumerate(table_file.read(file, self.game), 1):
            place = self.place(row.place)
            if place != BOX and place not in board:
                raise TableFileError(f"{file}: man {number}: there is no place {row.place!r}")
            if place != BOX and place not in self._slots and place in taken:
                raise TableFileError(f"{file}: man {number}: {row.place} has a man already")
            taken.add(place)
            men.append((self._man(row.kind, row.owner, row.pole, row.front_up), place))
        self._replace_all(men)
