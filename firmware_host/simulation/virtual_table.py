"""The simulated table of pieces: where each piece lies, which face is up, and in which hand it is.

A table knows no rules. Pieces lie on places of the board, alone on a cell or stacked on a slot, or
in the box beside it. Hands lift them, put them down and turn them over, which moves magnets over
the simulated board. The table can be written to a file, so that a restart finds the pieces where
the hands left them.
"""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

from engine.game import Game, Piece, Place
from firmware_host.i18n.messages import RefusedError, say
from hardware import regular_file

BOX: Final = "box"
"""The place of pieces that are not on the board."""

OUTSIDE: Final = "board:"
"""Prefix of the board's own name for a place that the game has no name for."""

LARGEST_FILE_BYTES: Final = 256 * 1024
MOST_PIECES: Final = 200
"""More than any game has; a file with more is not a table."""

VERSION: Final = 2
"""The version of the file that is written."""
_ROWS_KEYS: Final = {1: "men", 2: "pieces"}  # by version

_numbers: Final = itertools.count(1)  # a number is never used twice in a run, whatever the game


class TableFileError(ValueError):
    """A file cannot be read as a table; the message is one line that says why."""


class Magnets(Protocol):
    """What a table does to a simulated board."""

    def put(self, place: Place, pole: int = 1) -> None:
        """Put a magnet onto a place of the board, its pole +1 or -1 up."""

    def lift(self, place: Place) -> None:
        """Take away the magnet that was put there last."""


@dataclass(frozen=True, slots=True)
class MoveStep:
    """One movement of a hand: lift this piece and put it there, with that face up, as a piece of
    that seat.
    """

    piece: int
    place: Place
    front_up: bool
    owner: str


@dataclass(slots=True)
class VirtualPiece:
    """One piece of the game, with its two faces."""

    number: int
    """Its own number, never used again."""
    kind: str
    """The kind on its front: a key of `Game.kinds`."""
    back: str
    """The kind on its back; empty if the back is blank."""
    owner: str
    """The seat from whose side it points; empty if it has no owner."""
    pole: int
    """The pole of its magnet that is up when its front is up."""
    place: Place
    """A place of the board, or BOX; empty while a hand holds it."""
    front_up: bool = True
    hand: str = ""
    """The hand that holds it; empty if none does."""
    taken_from: Place = ""
    """Where it lay before a hand last took it."""
    rev: int = 0
    """The table's revision when it last changed."""

    @property
    def face(self) -> str:
        """The kind whose face is up; empty for a blank back."""
        return self.kind if self.front_up else self.back

    @property
    def reads(self) -> int:
        """The pole that is up: +1 or -1."""
        return self.pole if self.front_up else -self.pole


class VirtualTable:
    """The pieces of one game on one board."""

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

        `places` maps the game's places to the board's; places of the game that are not in it are in
        the box. `slots` are the board's places that hold more than one piece. `changed` is called
        after every change.
        """
        self.game = game
        self.places = dict(places)
        self.names = {place: name for name, place in places.items()}
        self.rev = 0
        self._magnets = magnets
        self._changed = changed
        self._slots = frozenset(slots)
        start = game.pieces(game.start()).values()
        # Tokens of a common pool have no owner, even while they lie in a player's stock.
        self._common = frozenset(piece.kind for piece in start if piece.owner is None)
        self._pieces: dict[int, VirtualPiece] = {}
        self._lying: dict[Place, list[VirtualPiece]] = {}

    # ---- queries

    @property
    def pieces(self) -> tuple[VirtualPiece, ...]:
        """All pieces; those of one place from the lowest to the top one."""
        held = [piece for piece in self._pieces.values() if piece.hand]
        return tuple(piece for lying in self._lying.values() for piece in lying) + tuple(held)

    def at(self, place: Place) -> tuple[VirtualPiece, ...]:
        """Return the pieces on a place of the board (or BOX), the top one last."""
        return tuple(self._lying.get(place, ()))

    def held_by(self, hand: str) -> VirtualPiece | None:
        """Return the piece in a hand."""
        return next((piece for piece in self._pieces.values() if piece.hand == hand), None)

    def name(self, place: Place) -> Place:
        """Return the game's name for a place of the board. A place that the game does not use keeps
        the board's name after `board:`, because a place of the game may have that name.
        """
        return place if place == BOX else self.names.get(place, OUTSIDE + place)

    def place(self, name: Place) -> Place:
        """Return the place of the board for such a name."""
        if name.startswith(OUTSIDE):
            return name.removeprefix(OUTSIDE)
        return self.places.get(name, BOX if name == BOX else "")

    # ---- setting up

    def set_up(self, pieces: Mapping[Place, Piece]) -> None:
        """Clear the board and lay out the pieces of a position. Pieces of the game's start that the
        position lacks go into the box.
        """
        start = [
            self._made_from(piece)
            for piece in self.game.pieces(self.game.start()).values()
            for _ in range(piece.count)
        ]
        known = {piece.kind for piece in start}
        placed = [
            (made, self.places.get(place, BOX))
            for place, piece in pieces.items()
            for _ in range(piece.count)
            if (made := self._made_from(piece)).kind in known
        ]
        kinds = Counter(piece.kind for piece in start)
        kinds.subtract(piece.kind for piece, _ in placed)
        owned = Counter((piece.kind, piece.owner) for piece in start)
        owned.subtract((piece.kind, piece.owner) for piece, _ in placed)
        for piece in start:
            if kinds[piece.kind] > 0 and owned[piece.kind, piece.owner] > 0:
                kinds[piece.kind] -= 1
                owned[piece.kind, piece.owner] -= 1
                placed.append((piece, BOX))
        self._replace_all(placed)

    def _made_from(self, piece: Piece) -> VirtualPiece:
        turned = piece.kind.startswith("+") and piece.kind[1:] in self.game.kinds
        no_owner = piece.owner is None or piece.kind in self._common
        owner = "" if no_owner else self.game.seats[piece.owner or 0]
        return self._made(
            piece.kind.removeprefix("+") if turned else piece.kind,
            owner,
            -piece.pole if turned else piece.pole,
            not turned,
        )

    def _made(self, kind: str, owner: str, pole: int, front_up: bool) -> VirtualPiece:
        back = f"+{kind}" if f"+{kind}" in self.game.kinds else ""
        return VirtualPiece(next(_numbers), kind, back, owner, pole, BOX, front_up)

    def _replace_all(self, placed: Iterable[tuple[VirtualPiece, Place]]) -> None:
        for place, lying in self._lying.items():
            for _ in lying if place != BOX else ():
                self._magnets.lift(place)
        self._pieces.clear()
        self._lying.clear()
        for piece, place in placed:
            self._pieces[piece.number] = piece
            self._lay(piece, place)
            piece.rev = self.rev + 1
        self._done()

    # ---- what hands do

    def lift(self, number: int, hand: str, rev: int | None = None) -> VirtualPiece:
        """Take a piece into a hand. RefusedError if that is impossible, or if the piece was touched
        after the revision `rev`.
        """
        piece = self._fresh(number, rev)
        if piece.hand:
            raise RefusedError(
                say("You are already holding it.")
                if piece.hand == hand
                else say("Someone else holds that piece.")
            )
        if self.held_by(hand):
            raise RefusedError(say("Your hand is full: first put down the piece that you hold."))
        self._take(piece, hand)
        self._done(piece)
        return piece

    def put(self, number: int, place: Place, hand: str) -> None:
        """Put down the piece in a hand. On an occupied cell the hand swaps: it puts its piece down
        and takes the one that stood there.
        """
        piece = self._held(number, hand)
        lying = self._lying.get(place, [])
        swapped = lying[-1] if lying and place != BOX and place not in self._slots else None
        if swapped:
            self._take(swapped, hand)
        piece.hand = ""
        self._lay(piece, place)
        self._done(piece, swapped)

    def hand_over(self, giver: str, taker: str) -> None:
        """Pass what one hand holds, if anything, to another hand, which must be empty."""
        if piece := self.held_by(giver):
            piece.hand = taker
            self._done(piece)

    def put_back(self, number: int, hand: str) -> None:
        """Put the piece in a hand back where it came from, or into the box if that is occupied."""
        piece = self._held(number, hand)
        piece.hand = ""
        start = piece.taken_from
        free = start == BOX or start in self._slots or not self.at(start)
        self._lay(piece, start if free else BOX, same=True)
        self._done(piece)

    def release(self, hand: str) -> None:
        """Empty a hand that is gone: what it held goes back where it came from."""
        while piece := self.held_by(hand):
            self.put_back(piece.number, hand)

    def flip(self, number: int, hand: str, rev: int | None = None) -> None:
        """Turn a piece over. A piece that lies on the board is lifted and put down again for it."""
        piece = self._fresh(number, rev)
        if piece.hand not in ("", hand):
            raise RefusedError(say("Someone else holds that piece."))
        place = piece.place
        if place and place != BOX:
            self._unlay(piece)
        piece.front_up = not piece.front_up
        if place and place != BOX:
            self._lay(piece, place, same=True)
        self._done(piece)

    def turn(self, number: int, hand: str, rev: int | None = None) -> None:
        """Turn a piece round, so that it points from the next seat's side. No sensor feels that."""
        piece = self._fresh(number, rev)
        if piece.hand not in ("", hand):
            raise RefusedError(say("Someone else holds that piece."))
        seats = self.game.seats
        if piece.owner:
            piece.owner = seats[(seats.index(piece.owner) + 1) % len(seats)]
        self._done(piece)

    def points_wrong(self, step: MoveStep) -> bool:
        """Whether a piece has to be turned round for a step: it points from another seat's side."""
        owner = self._pieces[step.piece].owner
        return self.game.pointing and bool(owner and step.owner) and owner != step.owner

    def finish(self, step: MoveStep, hand: str) -> None:
        """Put down the piece in a hand as a step wants it."""
        if self._held(step.piece, hand).front_up != step.front_up:
            self.flip(step.piece, hand)
        while self.points_wrong(step):
            self.turn(step.piece, hand)
        self.put(step.piece, step.place, hand)

    def steps_to(self, pieces: Mapping[Place, Piece]) -> list[MoveStep]:
        """Return the movements that bring the pieces to where a position has them, in an order in
        which a hand can make them: a piece that is in the way goes first.
        """
        wanted: list[tuple[Place, str, str]] = [
            (self.places[place], piece.kind, self._made_from(piece).owner)
            for place, piece in pieces.items()
            if place in self.places
            for _ in range(piece.count)
        ]
        free = list(self.pieces)
        for target in list(wanted):
            for piece in free:
                if (piece.place, piece.face, piece.owner) == target:
                    free.remove(piece)
                    wanted.remove(target)
                    break
        steps: dict[int, MoveStep] = {}
        for place, kind, owner in wanted:
            able = [piece for piece in free if kind in (piece.kind, piece.back)]
            if able:
                best = min(able, key=lambda piece: (piece.owner != owner, piece.place == BOX))
                free.remove(best)
                steps[best.number] = MoveStep(best.number, place, best.kind == kind, owner)
        for piece in free:
            if piece.place != BOX:
                steps[piece.number] = MoveStep(piece.number, BOX, piece.front_up, piece.owner)
        return self._in_order(steps)

    def _in_order(self, steps: dict[int, MoveStep]) -> list[MoveStep]:
        """Return steps, given by piece, so that a piece in the way goes first. Where all wait for
        one another, one of them first goes into the box.
        """
        standing = {
            piece.place: piece.number
            for piece in self._pieces.values()
            if piece.place != BOX and piece.place not in self._slots
        }
        ordered: list[MoveStep] = []
        while steps:
            step = next(
                (
                    each
                    for each in steps.values()
                    if standing.get(each.place, each.piece) not in steps.keys() - {each.piece}
                ),
                None,
            )
            if step is None:
                first = self._pieces[next(iter(steps))]
                step = MoveStep(first.number, BOX, first.front_up, first.owner)
            else:
                del steps[step.piece]
            ordered.append(step)
            standing = {place: piece for place, piece in standing.items() if piece != step.piece}
        return ordered

    # ---- the small movements

    def _fresh(self, number: int, rev: int | None) -> VirtualPiece:
        piece = self._pieces.get(number)
        if piece is None:
            raise RefusedError(say("That piece is no longer on this table."))
        if rev is not None and piece.rev > rev:
            raise RefusedError(say("That piece was moved meanwhile; look again."))
        return piece

    def _held(self, number: int, hand: str) -> VirtualPiece:
        piece = self._pieces.get(number)
        if piece is None or piece.hand != hand:
            raise RefusedError(say("You are not holding that piece."))
        return piece

    def _take(self, piece: VirtualPiece, hand: str) -> None:
        self._unlay(piece)
        piece.taken_from, piece.place, piece.hand = piece.place, "", hand

    def _unlay(self, piece: VirtualPiece) -> None:
        self._lying[piece.place].remove(piece)
        if piece.place != BOX:
            self._magnets.lift(piece.place)

    def _lay(self, piece: VirtualPiece, place: Place, same: bool = False) -> None:
        """Lay a piece down. A piece that comes into a player's hand tray becomes that player's,
        front up, as players do; with `same` it only returns, and changes neither.
        """
        parts = self.name(place).split(".")
        if parts[0] == "hand" and not same and len(parts) == 3:
            piece.owner, piece.front_up = parts[1], True
        piece.place = place
        self._lying.setdefault(place, []).append(piece)
        if place != BOX:
            self._magnets.put(place, piece.reads)

    def _done(self, *pieces: VirtualPiece | None) -> None:
        self.rev += 1
        for piece in pieces:
            if piece:
                piece.rev = self.rev
        self._changed()

    # ---- its file

    def text(self) -> str:
        """Return the text of a file that says where the pieces are. A piece in a hand is written at
        the place it was taken from.
        """
        lines = []
        taken: set[Place] = set()
        for piece in self.pieces:
            place = piece.place or piece.taken_from
            if place != BOX and place not in self._slots and place in taken:
                place = BOX
            taken.add(place)
            line: dict[str, object] = {"place": self.name(place), "kind": piece.kind}
            if piece.owner:
                line["owner"] = piece.owner
            if piece.pole != 1:
                line["pole"] = piece.pole
            if not piece.front_up:
                line["face"] = "back"
            lines.append(json.dumps(line))
        head = json.dumps({"lampion": "table", "version": VERSION, "game": self.game.name})
        return head[:-1] + ', "pieces": [\n' + ",\n".join(lines) + "\n]}\n"

    def load(self, file: Path, places: Iterable[Place]) -> None:
        """Lay the pieces out as a file has them; `places` are all places of the board.
        TableFileError says in one line what is wrong with the file; then nothing has changed.
        """
        board = frozenset(places)
        placed: list[tuple[VirtualPiece, Place]] = []
        taken: set[Place] = set()
        for number, row in enumerate(_rows(file, self.game), 1):
            name, kind, owner, pole, front_up = _fields(row, self.game, f"{file}: piece {number}")
            place = self.place(name)
            if place != BOX and place not in board:
                raise TableFileError(f"{file}: piece {number}: there is no place {name!r}")
            if place != BOX and place not in self._slots and place in taken:
                raise TableFileError(f"{file}: piece {number}: {name} has a piece already")
            taken.add(place)
            placed.append((self._made(kind, owner, pole, front_up), place))
        self._replace_all(placed)


def _rows(file: Path, game: Game[Any, Any]) -> list[object]:
    """Return the pieces in a file, each unchecked."""
    try:
        data = json.loads(regular_file.read(file, LARGEST_FILE_BYTES))
    except OSError as error:
        raise TableFileError(f"{file}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise TableFileError(f"{file}: this is not JSON ({error})") from error
    if not isinstance(data, dict) or data.get("lampion") != "table":
        raise TableFileError(f"{file}: this is not the file of a table")
    version = data.get("version")
    if type(version) is not int or version not in _ROWS_KEYS:
        known = " and ".join(map(str, _ROWS_KEYS))
        raise TableFileError(f"{file}: version {version!r} is not known, only {known}")
    if data.get("game") != game.name:
        raise TableFileError(f"{file}: these are pieces of {data.get('game')}, not {game.name}")
    key = _ROWS_KEYS[version]
    rows = data.get(key)
    if not isinstance(rows, list) or len(rows) > MOST_PIECES:
        raise TableFileError(f"{file}: {key} must be a list of at most {MOST_PIECES}")
    return rows


def _fields(row: Any, game: Game[Any, Any], where: str) -> tuple[Place, str, str, int, bool]:
    """Return place, kind, owner, pole of a piece in a file, and whether its front is up."""
    known = {"place", "kind", "owner", "pole", "face"}
    if not isinstance(row, dict) or not row.keys() <= known:
        raise TableFileError(f"{where}: a piece has only {', '.join(sorted(known))}")
    place, kind = row.get("place"), row.get("kind")
    owner, pole, face = row.get("owner", ""), row.get("pole", 1), row.get("face", "front")
    if not isinstance(place, str):
        raise TableFileError(f"{where}: there is no place {place!r}")
    if not isinstance(kind, str) or kind not in game.kinds:
        raise TableFileError(f"{where}: {game.name} has no kind {kind!r}")
    if owner != "" and owner not in game.seats:
        raise TableFileError(f"{where}: there is no seat {owner!r}")
    if pole not in (1, -1) or isinstance(pole, bool):
        raise TableFileError(f"{where}: pole must be 1 or -1")
    if face not in ("front", "back"):
        raise TableFileError(f"{where}: face must be front or back")
    return place, kind, owner, pole, face == "front"
