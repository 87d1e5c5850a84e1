"""Old positions: whether the pieces stand as in an earlier position, however hands did it."""

from __future__ import annotations

from engine.reading.account import Account
from engine.reading.history import History
from engine.reading.mismatch import trays_tell_against


def old_position(account: Account, as_far_as: int | None = None) -> History | None:
    """Return the history of an earlier position that stands on the board, or None.

    Two cases count as intended: hands have put down at least one piece for every two plies since
    it; or it is the start of the match and hands have touched every place with another piece. It
    must have at most `as_far_as` plies, and more than one piece must differ from what is shown.
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
    """Return whether hands have touched every place with another piece since the reading."""
    shown = account.shown[0]
    pieces, old = (each.match.game.pieces(each.match.position) for each in (shown, line))
    return all(
        account.changed(place) > account.at
        for place in shown.sight.cells - shown.masked
        if pieces.get(place) != old.get(place)
    )
