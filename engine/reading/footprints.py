"""What the sensors of a board can see of a game, and what a legal move leaves of it there."""

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
    """What the sensors of a board can see of a game.

    `sensing` is `presence` (a cell reads 0 or 1) or `polarity` (0, +1, -1); a tray reads how many
    lie in it, up to its `pockets` (1 where only presence is sensed). `unsensed` names trays
    without sensors by their prefixes.
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
        """Return what the sensor of `place` reads of `piece`."""
        if piece is None:
            return 0
        if place in self.trays:
            return min(piece.count, self.pockets[place])
        return piece.pole if self.sensing == "polarity" else 1

    def readings(self, position: object) -> dict[Place, Reading]:
        """Return what every sensed place that is not empty reads in `position`."""
        pieces = self.game.pieces(position)
        return {
            place: self.reading(place, piece)
            for place, piece in pieces.items()
            if place in self.places
        }


@dataclass(slots=True, eq=False)  # not frozen: so many are made that it would be felt
class Footprint:
    """What one legal move leaves, as far as believed sensors see it."""

    move: AnyMove
    after: Mapping[Place, Piece | None]
    """All changed places, trays and unseen ones included."""
    cells: frozenset[Place]
    """The seen cells whose piece changes."""
    differs: Difference
    """Those of them that read otherwise afterwards, with that reading."""
    swaps: tuple[Place, ...]
    """The others: they read the same before and after, only a touch shows the change."""
    arrivals: tuple[tuple[Place, Reading], ...]
    """Seen cells where a piece comes to stand, with what they read then."""
    leaves: tuple[Place, ...]
    """Seen cells that are empty afterwards."""
    trays: frozenset[Place]
    """The trays whose reading changes."""
    tray: Place | None
    """The sensed tray from which a piece comes, if its reading shows it."""
    unseen: int
    """How many pieces arrive where no sensor is believed."""
    around: frozenset[Place]
    """The cells and all places that may be disturbed on the way."""
    train: bool
    """Whether other pieces stand on the way, to be moved along (a row of marbles)."""

    @property
    def is_seen(self) -> bool:
        """Whether any sensor shows anything of it."""
        return bool(self.cells or self.trays)

    @property
    def bound(self) -> Place | None:
        """The sensed tray for which a captured piece is bound, if one was taken."""
        return min((tray for tray in self.trays if tray != self.tray), default=None)

    def uses(self, tray: Place) -> bool:
        """Whether a piece is taken from a tray, or no cell but this tray shows it."""
        return self.tray == tray or (tray in self.trays and not self.cells)

    @property
    def may_only_be_lifted(self) -> bool:
        """Whether no piece of it may be seen to come to stand."""
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
    """Return what a legal move leaves where the sensors read what is expected."""
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
