"""Differences between the readings and the end of a history, and the moves that may follow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine.game import Place
from engine.reading.footprints import Difference, Reading
from engine.reading.history import History
from engine.reading.verdict import Astray, Underway


def difference(line: History, levels: Mapping[Place, Reading]) -> Difference:
    """Return the cells, not masked, whose reading differs from the end of a history."""
    expected, off = line.expected, line.masked
    near = {place for place, _ in levels.items() ^ expected.items()}
    cells = line.sight.cells
    return frozenset(
        (place, levels.get(place, 0)) for place in near if place in cells and place not in off
    )


def mismatch(
    line: History, levels: Mapping[Place, Reading]
) -> tuple[tuple[Place, ...], tuple[Place, ...]]:
    """Return the cells to fill or turn and the cells to empty to match the end of a history."""
    differs = difference(line, levels)
    put = sorted(place for place, _ in differs if place in line.expected)
    take = sorted(place for place, _ in differs if place not in line.expected)
    return tuple(put), tuple(take)


def lacking(line: History, levels: Mapping[Place, Reading]) -> list[Place]:
    """Return the trays that hold less than at the end of a history."""
    return [
        tray
        for tray in line.sight.trays - line.masked
        if levels.get(tray, 0) < line.expected.get(tray, 0)
    ]


def underway(
    shown: Iterable[History], confirmed: Iterable[History], levels: Mapping[Place, Reading]
) -> Underway | Astray:
    """Return the moves that may be in progress when no history explains the levels.

    They start from the `shown` histories or from the `confirmed` ones before the last ply.
    """
    shown = tuple(shown)
    for start in dict.fromkeys((*shown, *confirmed)):
        off = difference(start, levels)
        if off and all(reading for _, reading in off):
            continue  # no piece is missing, so none is in a hand
        if not off:  # a piece was taken from a tray, if anything
            moves = [move for tray in lacking(start, levels) for move in start.possible.using(tray)]
            if start.match.outcome is None:
                return Underway(start, tuple(moves))
            continue
        away = frozenset([place for place, _ in off])
        moves = start.possible.touching(away)
        poles = {start.expected.get(place, 0) for place, reading in off if not reading}
        turned = {each for each in off if each[1] and each[1] not in poles}
        moves = [each for each in moves if turned.issubset(each.arrivals)]
        if moves:
            return Underway(start, tuple(moves))
    for line in shown:
        last = line.last_ply()
        if last is not None and last.around.issuperset(
            place for place, _ in difference(line, levels)
        ):
            return Underway(line.head(), (last,))  # it may be taken back
    return Astray()


def trays_tell_against(old: History, shown: History, levels: Mapping[Place, Reading]) -> bool:
    """Return whether a tray holds what is shown, and not what an old history had."""
    pockets = old.sight.pockets
    return any(
        min(old.expected.get(tray, 0), pockets[tray])
        != levels.get(tray, 0)
        == min(shown.expected.get(tray, 0), pockets[tray])
        for tray in old.trays
    )
