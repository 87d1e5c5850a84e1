"""How certain a verdict is: whether it is shown, or people are asked about it."""

from __future__ import annotations

from engine.game import CHANCE
from engine.reading.history import History
from engine.reading.reader import Reader
from engine.reading.verdict import Ambiguous, Settled


def is_to_be_asked(reader: Reader, verdict: Settled | Ambiguous) -> bool:
    """Return whether to ask about a verdict: sensors show only a part of the move, or much is
    unexplained although no sensor is known to fail.
    """
    shown, doubt = reader.shown, verdict.doubt
    goes_on = all(any(line.since(each) for each in shown) for line in verdict.lines)
    if goes_on and is_half_seen(verdict):
        return True
    return doubt.odd and goes_on and not (doubt.proven or shown[0].masked)


def is_half_seen(verdict: Settled | Ambiguous) -> bool:
    """Return whether a verdict is certain, but rests on trays that do not show all pieces of its
    move: the others may still come.
    """
    return isinstance(verdict, Settled) and any(map(_may_lack_pieces, verdict.lines))


def _may_lack_pieces(line: History) -> bool:
    """Return whether trays read as after the last move of a line before all of its pieces are
    there.
    """
    ply = line.footprint
    if ply is None or ply.cells or not ply.trays or line.before is None:
        return False
    was, pockets = line.match.game.pieces(line.before.match.position), line.sight.pockets
    filled: list[bool] = []
    emptied: list[bool] = []
    for place, piece in ply.after.items():
        now, before = piece.count if piece else 0, was[place].count if place in was else 0
        is_counted = place in line.trays and now <= pockets[place] - (now < before)
        (filled if now > before else emptied).append(is_counted)
    return not (all(filled) or all(emptied))


def answers_itself(reader: Reader, verdict: Settled | Ambiguous) -> bool:
    """Return whether a verdict chooses among the shown lines without new evidence: since then hands
    have put nothing down, people have said nothing, and not all trays that showed the denied lines
    have changed back.
    """
    denied = [line for line in reader.shown if line not in verdict.lines]
    return (
        not (reader.put_since or reader.said_since)
        and len(verdict.lines) < len(reader.shown)
        and all(line in reader.shown for line in verdict.lines)
        and not all(_is_undone_in_trays(reader, line) for line in denied)
    )


def _is_undone_in_trays(reader: Reader, line: History) -> bool:
    """Return whether only trays show the last move of a line, and they read as before it."""
    ply, before = line.footprint, line.before
    if ply is None or ply.cells or not ply.trays or before is None:
        return False
    return all(reader.levels.get(t, 0) == before.expected.get(t, 0) for t in ply.trays)


def ends_turn(verdict: Settled) -> bool:
    """Return whether a verdict may be a whole move. After a takeback only dice may come next."""
    if verdict.bare or verdict.doubt.serious:
        return False
    return not verdict.back or all(line.match.turn == CHANCE for line in verdict.lines)
