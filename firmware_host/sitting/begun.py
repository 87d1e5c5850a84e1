"""Begun: what hands have begun on the board, for lights and words to follow.

A move of several pieces is begun as soon as one of them has been put; then the rest of it is to be
done. A piece that was lifted alone may be one that no move begins with; then it goes back.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.game import CHANCE, Piece, Place
from engine.reading.footprints import Footprint
from engine.reading.lines import Line
from engine.reading.mend import Movement
from engine.reading.standing import difference
from engine.reading.verdict import Astray, Still, Underway
from firmware_host.sitting.guidance import Guidance

if TYPE_CHECKING:
    from firmware_host.sitting.session import Session


@dataclass(frozen=True, slots=True)
class Rest:
    """What is left of a move of which some pieces have been put."""

    move: Footprint
    steps: tuple[Movement, ...]
    """The movements of a hand that complete it."""

    @property
    def is_row(self) -> bool:
        """Whether all pieces that it moves are alike."""
        return len({piece for piece in self.move.after.values() if piece is not None}) == 1


def rests(session: Session) -> tuple[Rest, ...]:
    """Return what is left to be done, for each move that a hand may have begun, if a piece was put
    for it and no hand holds another one.
    """
    verdict, reader = session.verdict, session.play.reader
    right = session.putting_right
    if not isinstance(verdict, Underway) or right.settling or right.guiding:
        return ()
    line, levels = verdict.line, reader.levels
    if line not in reader.shown or session.outcome is not None:
        return ()
    off = difference(line, levels)
    put = {place for place, reading in off if reading and place not in line.expected}
    lifted = {place for place, reading in off if not reading}
    begun = [move for move in verdict.moves if put and _holds_none(move, line, lifted, put)]
    return tuple(Rest(move, _left(session, line, move)) for move in begun)


def _holds_none(move: Footprint, line: Line, lifted: set[Place], put: set[Place]) -> bool:
    """Whether as many pieces as a move carries away have been put already; what it takes off may
    lie beside the board.
    """
    standing = line.match.game.pieces(line.match.position)
    stay = {piece.owner for piece in move.after.values() if piece is not None}
    carried = {place for place in lifted if standing[place].owner in stay}
    return len(carried) == len(put) and put <= {place for place, _ in move.arrivals}


def _left(session: Session, line: Line, move: Footprint) -> tuple[Movement, ...]:
    """Return the fewest movements on the cells that complete a move."""
    guidance = Guidance(session.sight)
    guidance.mended(line)
    masked = session.sensors.masked | session.sight.trays
    return guidance.plan(line.step(move.move, move), session.play.reader.levels, masked)


def unmovable(session: Session) -> tuple[Place, Piece] | None:
    """Return the only piece that was lifted, with its place, if no move begins with that."""
    verdict, reader = session.verdict, session.play.reader
    line, *others = reader.shown
    is_free = isinstance(verdict, Astray | Still)
    is_free = is_free or (isinstance(verdict, Underway) and not verdict.moves)
    if others or not is_free or session.putting_right.settling or session.outcome is not None:
        return None
    off = difference(line, reader.levels)
    if any(reading for _, reading in off):
        return None
    places = [place for place, _ in off] or _taken_from(session, line)
    if len(places) != 1:
        return None
    piece = line.match.game.pieces(line.match.position).get(places[0])
    if piece is None or (line.match.turn == CHANCE and piece.owner == session.play.acting):
        return None  # the dice will tell what it may do
    return places[0], piece


def _taken_from(session: Session, line: Line) -> list[Place]:
    """Return the trays from which hands have taken a piece that nobody can put anywhere now; not
    those that still lack a captive.
    """
    reader, owed = session.play.reader, {each.place for each in session.owed}
    return [
        tray
        for tray in line.trays - owed
        if reader.levels.get(tray, 0) < line.expected.get(tray, 0)
        and reader.touched(tray)
        and not line.possible.is_used(tray)
    ]
