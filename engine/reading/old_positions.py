"""Old positions: whether the men stand again as they once did, whatever hands have done for it."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from engine.game import Place
from engine.reading.account import Account
from engine.reading.lines import Line
from engine.reading.standing import trays_tell_against


def old_position(account: Account, as_far_as: int | None = None) -> tuple[Line | None, bool]:
    """Return the line of an old position that stands on the board, if that is no chance: one since
    which hands have put down at least a man for every two plies, or the start of the match, be it
    that its first turns were lost, if they have been wherever another man stands; not one of more
    plies than `as_far_as`. If only one man stands otherwise than is shown, one of those plies has
    moved him, and what was put down last seemed to be a ply. And return whether nobody has put down
    anything for it.
    """
    shown = account.shown[0]
    cells, masked = shown.sight.cells, shown.masked
    now = frozenset(
        item for item in account.levels.items() if item[0] in cells and item[0] not in masked
    )
    off = {place for place, _ in now ^ shown.cells_read}
    one = len(now ^ shown.cells_read) <= 2
    puts = account.decoder.men_put_since(account.at) + one
    old = [step.before for step in reversed(shown.steps()) if step.before is not None]
    if as_far_as is not None:
        old = [line for line in old if line.match.plies <= as_far_as]
    likely = old if one else (*old[-1:], *old)
    for line in likely if off else ():
        back = shown.match.plies - line.match.plies
        few = not one and back > 2 * puts
        if few and line is not old[-1]:
            break
        if (
            line.cells_read == now
            and (not one or _is_left(shown, line, off, 2 * puts))
            and _may_have_gone_back(account, line, one, few)
            and (
                (line is old[-1] and not one) or not trays_tell_against(line, shown, account.levels)
            )
        ):
            return line, puts == one
    return None, False


def _is_left(shown: Line, line: Line, off: AbstractSet[Place], many: int) -> bool:
    """Whether only the man that is `off` has still to go back for several plies after a line to be
    taken back: one of them has moved him, and they are not `many`, or the others went to and fro.
    """
    steps = [step for step in shown.since(line) or () if step.footprint is not None]
    moved = [step for step in steps if step.footprint and off <= step.footprint.cells]
    few = len(steps) <= many or steps[0].cells_read == shown.cells_read
    return bool(moved) and few and len(steps) > 1


def _may_have_gone_back(account: Account, line: Line, one: bool, few: bool) -> bool:
    """Whether men may stand again as at the end of an old line though sensors are not believed, so
    that fewer tell, or `few` were put down while a match goes on, or only `one` stands elsewhere
    after its end: wherever another man stands by what is shown, be it one that reads alike, hands
    have been since.
    """
    shown = account.shown[0]
    by_chance = few if shown.match.outcome is None else one
    if not shown.masked and not by_chance:
        return True
    men, old = (each.match.game.pieces(each.match.position) for each in (shown, line))
    return all(
        account.changed(place) > account.at
        for place in shown.sight.cells - shown.masked
        if men.get(place) != old.get(place)
    )
