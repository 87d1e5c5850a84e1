"""Which pieces stand in place while the board is set up."""

from __future__ import annotations

from collections import Counter

from firmware_host.session.view import SessionView
from firmware_host.text.status import PiecesInPlace


def pieces_in_place(view: SessionView) -> tuple[PiecesInPlace, ...]:
    """Return the pieces of the cells by kind and owner, in the order of the cells; nothing unless
    the board is set up, or put right before the first move.
    """
    if not (view.repair.settling or (view.repair.guiding and not view.match.plies)):
        return ()
    standing = view.game.pieces(view.match.position)
    cells = [cell for cell in view.game.cells() if cell in standing]
    kind_of = {cell: (standing[cell].kind, standing[cell].owner) for cell in cells}
    count = Counter(kind_of[cell] for cell in cells)
    there = Counter(kind_of[cell] for cell in cells if cell not in view.repair.fill)
    return tuple(PiecesInPlace(*each, number, there[each]) for each, number in count.items())
