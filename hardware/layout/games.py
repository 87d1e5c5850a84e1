"""The games of a layout's file, mapped onto its places; part of reading the file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from hardware.layout import keys
from hardware.layout.keys import convert, fail
from hardware.layout.values import BoardPlace, GameMap, SeatSide


def game_map(
    name: str, data: object, places: Mapping[str, BoardPlace], buttons: Iterable[str]
) -> GameMap:
    """Return the map of a game onto a board with these places; Problem if it is invalid."""
    where = f"games.{name}"
    entry = convert(data, keys.GameKeys, where)
    mapped: dict[str, str] = {}
    inverse: dict[str, str] = {}
    for row in entry.places:
        for mine, board in row.items():
            key = f"{where}.places.{mine}"
            if mine in mapped:
                fail(key, f"{mine} is there twice")
            if board not in places:
                fail(key, f"the board has no place {board!r}")
            if not places[board].sensors:
                fail(key, f"{board} has no sensor")
            if board in inverse:
                fail(key, f"{board} is {inverse[board]}'s already")
            if any(f"{mine}.".startswith(f"{tray}.") for tray in entry.unsensed):
                fail(key, f"{mine} is listed as unsensed, too")
            mapped[mine] = board
            inverse[board] = mine
    if not mapped:
        fail(f"{where}.places", "there are none")
    seats: dict[str, SeatSide] = {}
    for seat, table in entry.seats.items():
        side = convert(table, keys.SeatKeys, f"{where}.seats.{seat}")
        if side.light not in places:
            fail(f"{where}.seats.{seat}.light", f"the board has no place {side.light!r}")
        if side.button not in set(buttons):
            fail(f"{where}.seats.{seat}.button", f"there is no button {side.button!r}")
        seats[seat] = SeatSide(side.light, side.button)
    return GameMap(
        name=name,
        places=MappingProxyType(mapped),
        inverse=MappingProxyType(inverse),
        unsensed=frozenset(entry.unsensed),
        seats=MappingProxyType(seats),
        caution=entry.caution,
    )
