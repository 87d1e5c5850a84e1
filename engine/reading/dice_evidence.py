"""Throws as evidence: what hands did before the dice fell, and for which ply they fell.

A thrower has seen the moves before. But a throw may be reported late, or before its piece is put
down, and a takeback may undo a throw with its move.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.game import CHANCE
from engine.reading.account import Account, at_once
from engine.reading.evidence import OVERDUE
from engine.reading.hypothesis import End


def with_throws(account: Account, ends: Sequence[End]) -> list[End]:
    """Return the ends, the best first, with a cost for throws that came while a move was due."""
    costs = [OVERDUE * _since(account, end) for end in ends]
    if not any(costs):
        return list(ends)
    adjusted = [replace(end, cost=end.cost + more) for end, more in zip(ends, costs, strict=True)]
    return sorted(adjusted, key=lambda end: end.cost)


def _since(account: Account, end: End) -> int:
    """Return the number of throws since a move is due at the end of a history; 0 after a takeback.

    A thrower has seen the move before, so the history must lack one.
    """
    line, hypothesis = end.line, end.hypothesis
    if line.match.turn == CHANCE or (hypothesis.is_takeback and hypothesis.at > account.thrown_at):
        return 0
    return max(0, account.due - line.throws)


def throws_before(account: Account) -> int | None:
    """Return the number of throws before the current one, if it differs from the recorded number.

    It differs if hands, since the last throw, made a ply or a takeback after which the dice lie for
    another seat or ply. Else None.
    """
    ends = at_once(account.decoder.ends(account.decoder.now, account.levels))
    likely = [end for end in ends if end.cost < ends[0].cost + OVERDUE]
    # A piece that was put down has moved for the last throw.
    made = [end for end in likely if not (end.held or end.extra)]
    for end in (made or likely)[:1]:
        ply = end.line.before_the_dice()
        if ply is not end.line and _hand_started_at(account, end) > account.thrown_at:
            return ply.throws
        if ply.throws <= account.due < len(account.throws):
            return account.due
    return None


def _hand_started_at(account: Account, end: End) -> float:
    """Return when a hand began the last ply of a history.

    A sensor may see a sliding piece at its target before the start reads empty.
    """
    at, value, ply = end.hypothesis.at, account.decoder.edges.value, end.line.last_ply()
    slid = ply is not None and any(value(place, at) for place in ply.leaves)
    return at if slid and not end.hypothesis.is_takeback else end.hypothesis.ply.hand.started_at


def may_await_dice(account: Account) -> bool:
    """Return whether hands may have made a move before a throw, although something else is shown.

    For instance the captured piece still stands on the board, or the same player moved again.
    """
    ends = at_once(account.decoder.ends(account.decoder.now, account.levels))
    return any(
        end.exact and end.line.match.turn == CHANCE and end.cost < ends[0].cost + OVERDUE
        for end in ends
    )
