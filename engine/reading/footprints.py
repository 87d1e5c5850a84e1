"""What the sensors of a board see of a game, and the footprint of a legal move."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import TypeAlias

from engine.game import Piece, Place
from engine.match import AnyGame, AnyMove

Reading: TypeAlias = int
Difference: TypeAlias = frozenset[tuple[Place, Reading]]


class Sight:
    """What the sensors of a board see of a game.

    `sensing` is `presence` (a cell reads 0 or 1) or `polarity` (0, +1, -1). A tray reads the number
    of its pieces, up to its `pockets` (by default 1 with presence sensing). `unsensed` lists name
    prefixes of trays without sensors.
    """

    def __init__(
        self,
        game: AnyGame,
        sensing: str = "presence",
        unsensed: Collection[str] = (),
        pockets: Mapping[Place, int] | None = None,
    ) -> None:
        self.game = game
        self.sensing = sensing
        self.cells = frozenset(game.cells())
        blind = tuple(unsensed)
        self.trays = frozenset(
            tray
            for tray in game.trays()
            if tray not in game.unsensed and not (blind and tray.startswith(blind))
        )
        self.places = self.cells | self.trays
        default = 1 if sensing == "presence" else 4
        self.pockets = {tray: (pockets or {}).get(tray, default) for tray in self.trays}

    def reading(self, place: Place, piece: Piece | None) -> Reading:
        """Return the reading of `place` with this piece on it."""
        if piece is None:
            return 0
        if place in self.trays:
            return min(piece.count, self.pockets[place])
        return piece.pole if self.sensing == "polarity" else 1

    def readings(self, position: object) -> dict[Place, Reading]:
        """Return the readings of all sensed places that are not empty in `position`."""
        pieces = self.game.pieces(position)
        return {
            place: self.reading(place, piece)
            for place, piece in pieces.items()
            if place in self.places
        }


@dataclass(slots=True, eq=False)  # not frozen: there are very many, and freezing costs time
class Footprint:
    """The effect of a legal move on the sensors that are not masked."""

    move: AnyMove
    after: Mapping[Place, Piece | None]
    """All changed places, also trays and masked or unsensed ones."""
    cells: frozenset[Place]
    """The sensed cells whose piece changes."""
    differs: Difference
    """Those cells whose reading changes, with the new reading."""
    swaps: tuple[Place, ...]
    """The other cells: their reading stays the same; only a touch shows the change."""
    arrivals: tuple[tuple[Place, Reading], ...]
    """The sensed cells where a piece ends, with their readings."""
    leaves: tuple[Place, ...]
    """The sensed cells that are empty afterwards."""
    trays: frozenset[Place]
    """The trays whose reading changes."""
    tray: Place | None
    """The sensed tray that a piece comes from, if its reading shows it."""
    unseen: int
    """The number of pieces that end on masked cells."""
    around: frozenset[Place]
    """The changed cells and all places on the way."""
    train: bool
    """Whether the pieces on the way move too, as in a row of marbles."""

    @property
    def is_seen(self) -> bool:
        """Whether any sensor shows the move."""
        return bool(self.cells or self.trays)

    def uses(self, tray: Place) -> bool:
        """Return whether the move takes a piece from a tray, or shows only in this tray."""
        return self.tray == tray or (tray in self.trays and not self.cells)

    def takes_over(self, last: Footprint, place: Place) -> bool:
        """Return whether the move continues with the piece that the last one put on a place.

        The piece may promote with it.
        """
        piece = last.after.get(place)
        ends = [self.after[end] for end, _ in self.arrivals]
        if piece is None or piece.owner is None:
            return piece is not None and piece in ends
        return any(each is not None and each.owner == piece.owner for each in ends)

    @property
    def may_only_be_lifted(self) -> bool:
        """Whether the sensors may see no arrival of the move."""
        if self.arrivals:
            return len(self.arrivals) <= len(self.swaps)
        return bool(self.unseen) and not self.train


def footprint_of(
    move: AnyMove,
    position: object,
    sight: Sight,
    masked: AbstractSet[Place],
    expected: Mapping[Place, Reading],
) -> Footprint:
    """Return the footprint of a legal move when the sensors have the expected readings."""
    game = sight.game
    after = game.changes(position, move)
    cells, differs, swaps, arrivals, leaves = [], [], [], [], []
    trays, tray, unseen = [], None, 0
    for place, piece in after.items():
        if place in sight.cells:
            if place in masked:
                unseen += piece is not None
                continue
            reading = sight.reading(place, piece)
            cells.append(place)
            if reading != expected.get(place, 0):
                differs.append((place, reading))
            else:
                swaps.append(place)
            if reading:
                arrivals.append((place, reading))
            else:
                leaves.append(place)
        elif place in sight.trays and place not in masked:
            reading = sight.reading(place, piece)
            if reading != expected.get(place, 0):
                trays.append(place)
            if reading < expected.get(place, 0):
                tray = place
    path = game.path(position, move)
    changed = frozenset(cells)
    return Footprint(
        move,
        after,
        changed,
        frozenset(differs),
        tuple(swaps),
        tuple(arrivals),
        tuple(leaves),
        frozenset(trays),
        tray,
        unseen,
        changed | path if path else changed,
        any(place in expected for place in path),
    )
