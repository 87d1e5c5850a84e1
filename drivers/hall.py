"""Linear Hall sensors: from the count of an 8-bit converter to the pole of a magnet that is up.

A ratiometric sensor (DRV5055, TI SBAS640) gives half its supply without a field, and more when a
south pole faces it: then a magnet's north pole is up. A magnet counts as present above one
threshold and as gone below a lower one, so that it does not flicker at the edge of its reach.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, TypeAlias

NONE: Final = 0
NORTH: Final = 1
SOUTH: Final = 2
UNUSABLE: Final = 3
"""The states of a sensor: no magnet, north pole up, south pole up; UNUSABLE for a count that no
healthy sensor gives (no supply, a broken wire).
"""

POLES: Final = (0, 1, -1)
"""The reading for each of the first three."""

RAIL_COUNTS: Final = 3
"""No powered sensor gives a count this near to 0 or 255 (0.04 V of 3.3 V)."""

Tables: TypeAlias = tuple[bytes, bytes, bytes, bytes]


@lru_cache(maxsize=512)
def pole_tables(
    zero: int, millitesla_per_count: float, present: float = 6.0, released: float = 4.0
) -> Tables:
    """Return the new state of a sensor as `tables[state before][count]`.

    `zero` is the count without a magnet; thresholds are in millitesla and hold for both signs. A
    negative `millitesla_per_count` means a sensor that is mounted upside down. ValueError if the
    figures are inconsistent.
    """
    if not 0 < released < present:
        raise ValueError(
            f"released ({released} mT) has to lie between 0 and present ({present} mT)"
        )
    if not RAIL_COUNTS < zero < 255 - RAIL_COUNTS:
        raise ValueError(f"a zero of {zero} is not a count that a sensor at rest gives")
    if not 0.01 <= abs(millitesla_per_count) <= 100.0:
        raise ValueError(f"a count cannot stand for {millitesla_per_count} mT")

    def after(before: int, count: int) -> int:
        if not RAIL_COUNTS < count < 255 - RAIL_COUNTS:
            return UNUSABLE
        field = (count - zero) * millitesla_per_count
        pole = NORTH if field > 0 else SOUTH
        return pole if abs(field) > (released if pole == before else present) else NONE

    none, north, south = (
        bytes(after(before, count) for count in range(256)) for before in (NONE, NORTH, SOUTH)
    )
    return none, north, south, none
