"""Moves that hands have begun but not finished, for lights and texts.

A move of several pieces has begun when one of them has been put down; the others must follow. The
same holds for a refill, which goes from tray to tray. A lifted piece with which no move begins must
go back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.game import CHANCE, Piece, Place, Seat
from engine.reading.fewest_moves import Movement
from engine.reading.footprints import Footprint, Reading
from engine.reading.history import History
from engine.reading.mismatch import difference
from engine.reading.verdict import Astray, Still, Underway
from firmware_host.session.pending_actions import lacks
from firmware_host.session.repair_plan import RepairPlan

if TYPE_CHECKING:
    from firmware_host.session.view import SessionView


@dataclass(frozen=True, slots=True)
class UnfinishedMove:
    """A move of which some pieces have been put down."""

    move: Footprint
    steps: tuple[Movement, ...]
    """The movements of a hand that complete it."""

    @property
    def is_row(self) -> bool:
        """Whether all its pieces are of the same kind."""
        return len({piece for piece in self.move.after.values() if piece is not None}) == 1


def unfinished_moves(view: SessionView) -> tuple[UnfinishedMove, ...]:
    """Return the moves that a hand may have begun; none while a hand holds a piece."""
    verdict = view.verdict
    if not isinstance(verdict, Underway) or view.repair.needed:
        return ()
    history, levels = verdict.line, view.levels
    if history not in view.shown or view.outcome is not None:
        return ()
    off = difference(history, levels)
    put = {place for place, reading in off if reading and place not in history.expected}
    lifted = {place for place, reading in off if not reading}
    return tuple(
        UnfinishedMove(move, _left(view, history, move))
        for move in verdict.moves
        if put and _holds_none(move, history, lifted, put)
    )


def _holds_none(move: Footprint, history: History, lifted: set[Place], put: set[Place]) -> bool:
    """Return whether all pieces that a move carries have been put down; its captured pieces may lie
    beside the board.
    """
    standing = _standing(history)
    stay = {piece.owner for piece in move.after.values() if piece is not None}
    carried = {place for place in lifted if standing[place].owner in stay}
    return len(carried) == len(put) and put <= {place for place, _ in move.arrivals}


def _left(view: SessionView, history: History, move: Footprint) -> tuple[Movement, ...]:
    """Return the fewest movements on the cells that complete a move."""
    repair = RepairPlan(view.sight)
    repair.matched(history)
    masked = view.masked | view.sight.trays
    return repair.plan(history.step(move.move, move), view.levels, masked)


def captive_first(view: SessionView) -> tuple[Place, tuple[Place, ...]] | None:
    """Return the place of a captured piece that was lifted before its captor, and the places of the
    pieces that can capture it; None if more was lifted.
    """
    verdict = view.verdict
    if not isinstance(verdict, Underway) or verdict.line not in view.shown:
        return None
    off = difference(verdict.line, view.levels)
    if len(off) != 1 or view.outcome is not None:
        return None
    ((place, reading),) = off
    turn, standing = verdict.line.match.turn, _standing(verdict.line)
    captors = [move.after.get(place) for move in verdict.moves]
    if reading or not captors or not all(piece and piece.owner == turn for piece in captors):
        return None
    if standing[place].owner in (None, turn):
        return None
    starts = dict.fromkeys(start for move in verdict.moves for start in move.leaves)
    return place, tuple(start for start in starts if standing[start].owner == turn)


def _standing(history: History) -> Mapping[Place, Piece]:
    return history.match.game.pieces(history.match.position)


def unmovable(view: SessionView) -> tuple[Place, Piece] | None:
    """Return the only lifted piece and its place, if no move begins with it; else None."""
    verdict = view.verdict
    history, *others = view.shown
    is_free = isinstance(verdict, Astray | Still)
    is_free = is_free or (isinstance(verdict, Underway) and not verdict.moves)
    if others or not is_free or view.repair.settling or view.outcome is not None:
        return None
    if view.looks_back:
        return None  # it is not known yet which move was played last
    off = difference(history, view.levels)
    if any(reading for _, reading in off):
        return None
    places = [place for place, _ in off] or _trays_taken_from(view, history)
    if len(places) != 1:
        return None
    piece = _standing(history).get(places[0])
    if piece is None or (history.match.turn == CHANCE and piece.owner == view.acting):
        return None  # that depends on the dice
    return places[0], piece


def _trays_taken_from(view: SessionView, history: History) -> list[Place]:
    """Return the trays from which hands have taken a piece that cannot be played now; not those
    that have lacked it since it was captured.
    """
    return [
        tray
        for tray in history.trays
        if view.levels.get(tray, 0) < history.expected.get(tray, 0)
        and tray in view.full_trays
        and not history.possible.is_used(tray)
    ]


@dataclass(frozen=True, slots=True)
class RefillUnderway:
    """A move from tray to tray that is not finished."""

    seat: Seat
    """The seat that makes it."""
    more: int
    """The number of pieces that are still to come. 0: the pieces there belong to a move that was
    taken back, and must go back.
    """
    fill: frozenset[Place]
    """The trays to which they go."""
    take: frozenset[Place]
    """The trays from which they come."""
    complete: tuple[Footprint, ...] = ()
    """The moves that may be finished, as far as the sensors show."""


def refill_underway(view: SessionView) -> RefillUnderway | None:
    """Return the move from tray to tray that has begun; None if there is none."""
    questions, levels = view.question, view.levels
    if view.repair.needed or view.outcome is not None:
        return None
    history = min(view.shown, key=lambda each: each.match.plies)
    if not questions.open and (named := _named_early(view, history)) is not None:
        return named
    if questions.open:
        if not view.record[-1].open:
            return None
        history = history.head() if _is_in_trays(history) and history.match.plies else history
    grown = {t for t in history.trays if levels.get(t, 0) > history.expected.get(t, 0)}
    plies = [
        ply
        for ply in dict.fromkeys(ply for tray in grown for ply in history.possible.in_tray(tray))
        if all(_count(ply.after.get(tray)) >= levels[tray] for tray in grown)
    ]
    if not plies:
        return None
    was = _standing(history)
    fill = frozenset(t for ply in plies for t in ply.after if _gain(ply, t, was) > 0)
    take = frozenset(t for ply in plies for t in ply.after if _gain(ply, t, was) < 0)
    if not questions.open and grown.isdisjoint(view.touched):
        return RefillUnderway(history.match.turn, 0, take, frozenset(grown))
    seen = sum(levels[tray] - history.expected.get(tray, 0) for tray in grown)
    left = max(sum(max(0, _gain(ply, t, was)) for t in ply.after) for ply in plies) - seen
    complete = [ply for ply in plies if _reads_so(history, ply, levels)]
    return (
        RefillUnderway(history.match.turn, left, fill, take, tuple(complete)) if left > 0 else None
    )


def _reads_so(history: History, ply: Footprint, levels: Mapping[Place, Reading]) -> bool:
    """Whether all trays that a move changes read as after it."""
    return all(history.sight.reading(t, ply.after[t]) == levels.get(t, 0) for t in ply.trays)


def _named_early(view: SessionView, history: History) -> RefillUnderway | None:
    """Return the rest of a move from tray to tray that people named before it was finished."""
    ply, before = history.footprint, history.before
    if not _is_in_trays(history) or ply is None or before is None:
        return None
    was, levels = _standing(before), view.levels
    fill = frozenset(t for t in ply.after if _gain(ply, t, was) > 0)
    behind = (fill & history.trays) - view.full_trays
    left = sum(max(0, lacks(history, tray, levels)) for tray in behind)
    take = frozenset(t for t in ply.after if _gain(ply, t, was) < 0)
    return RefillUnderway(history.match.seat, left, fill, take) if left else None


def _is_in_trays(history: History) -> bool:
    """Whether the last move of a history went from tray to tray."""
    return history.footprint is not None and not history.footprint.cells


def _count(piece: Piece | None) -> int:
    return piece.count if piece else 0


def _gain(ply: Footprint, tray: Place, was: Mapping[Place, Piece]) -> int:
    """Return how many pieces more lie in a tray after a move."""
    return _count(ply.after.get(tray)) - _count(was.get(tray))
