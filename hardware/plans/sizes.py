"""The sizes in `pieces.toml`, in mm: magnets, the layers of a board, the bases of pieces."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Final, Literal

import msgspec

SHOULDER: Final = (0.42, 0.28)
"""Where the point of a tile begins, as shares of its width and its length from its middle."""


class Magnet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A disc magnet with its poles on its flat sides."""

    diameter: float
    thickness: float
    grade: str
    remanence: float
    """In tesla."""


class Stack(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The layers from a magnet down to its sensor, and the sizes of trays."""

    floor: float
    surface: float
    plate: float
    reed_depth: float
    hall_depth: float
    clearance: float
    tray_rim: float
    tray_wall: float


class PieceBase(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The base of some kinds of pieces of one game."""

    game: str
    name: str
    kinds: tuple[str, ...]
    """The kinds of the game that have this base."""
    shape: Literal["disc", "tile"]
    diameter: float = 0.0
    width: float = 0.0
    length: float = 0.0
    double: bool = False
    """Whether it turns over, so that its magnet is in the middle of its thickness."""

    @property
    def size(self) -> tuple[float, float]:
        """Its width and its length."""
        return (self.width or self.diameter, self.length or self.diameter)

    @property
    def corners(self) -> tuple[tuple[float, float], ...]:
        """The five corners of a tile, from its middle; its point is to the front, y > 0."""
        right = ((0.5, -0.5), (SHOULDER[0], SHOULDER[1]))
        shares = (*right, (0.0, 0.5), *((-x, y) for x, y in reversed(right)))
        return tuple((x * self.width, y * self.length) for x, y in shares)

    @property
    def square_inside(self) -> float:
        """The side of the largest square in a tile whose lower side is the tile's."""
        taper = (0.5 - SHOULDER[0]) * self.width / ((SHOULDER[1] + 0.5) * self.length)
        return self.width / (1 + 2 * taper)


class Sizes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All sizes of the file."""

    magnet: Magnet
    stack: Stack
    piece: tuple[PieceBase, ...]

    def bases(self, game: str) -> tuple[PieceBase, ...]:
        """Return the bases of a game; none for a game that is not in the file."""
        return tuple(base for base in self.piece if base.game == game)

    def thickness(self, base: PieceBase) -> float:
        """Return how thick a base is: a floor below its magnet, and one above if it turns over."""
        floors = 2 if base.double else 1
        return self.magnet.thickness + floors * self.stack.floor

    def depth(self, sensing: Literal["presence", "polarity"]) -> float:
        """Return how far the middle of a sensor is below the middle of a magnet on it."""
        stack = self.stack
        below = stack.reed_depth if sensing == "presence" else stack.hall_depth
        return self.magnet.thickness / 2 + stack.floor + stack.surface + below


@cache
def sizes() -> Sizes:
    """Return the sizes that come with the program."""
    text = (resources.files("hardware.plans") / "pieces.toml").read_text("utf-8")
    return msgspec.toml.decode(text, type=Sizes)
