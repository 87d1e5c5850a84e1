"""Old positions: whether the pieces stand as in an earlier position, however hands did it."""

from __future__ import annotations

from engine.reading.account import Account
from engine.reading.history import History
from engine.reading.mismatch import trays_tell_against


def old_position(account: Account, as_far_as: int | None = None) -> History | None:
    """Return the line of an old position that stands on the board, if that is no chance: one since
    which hands have put down at least a piece for every two plies, or the start of the match, if
    they have been wherever another piece stands; not one of more plies than `as_far_as`, nor one
    from which only one piece stands otherwise. None if there is none.
    """
    shown = account.shown[0]
    cells, masked = shown.sight.cells, shown.masked
    now = frozenset(
        item for item in account.levels.items() if item[0] in cells and item[0] not in masked
    )
    if len(now ^ shown.cells_read) <= 2:
        return None
    puts = account.decoder.pieces_put_since(account.at)
    old = [step.before for step in reversed(shown.steps()) if step.before is not None]
    start = old[-1] if old else shown
    over = shown.match.outcome is not None  # then pieces are set up again, not moved
    for line in (*old[-1:], *old):
        few = shown.match.plies - line.match.plies > 2 * puts
        if as_far_as is not None and line.match.plies > as_far_as:
            continue
        if few and line is not start:
            break
        if (
            line.cells_read == now
            and (line is start or not trays_tell_against(line, shown, account.levels))
            and (_hands_have_been(account, line) or (not masked and (over or not few)))
        ):
            return line
    return None


def _hands_have_been(account: Account, line: History) -> bool:
    """Whether hands have been, since what is shown, wherever another piece stands at the end of an
    old line, be it one that reads alike.
    """
    shown = account.shown[0]
    pieces, old = (each.match.game.pieces(each.match.position) for each in (shown, line))
    return all(
        account.changed(place) > account.at
        for place in shown.sight.cells - shown.masked
        if pieces.get(place) != old.get(place)
    )
