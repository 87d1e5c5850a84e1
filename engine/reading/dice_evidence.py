"""Throws: what the dice tell of what hands did before they fell, and for which ply they fell.

Whoever throws has seen the moves before; but a throw may be told late, or before its piece is put
down, and one that stood may have been taken back with its move.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.game import CHANCE
from engine.reading.account import Account, at_once
from engine.reading.evidence import OVERDUE
from engine.reading.hypothesis import End


def with_throws(account: Account, ends: Sequence[End]) -> list[End]:
    """Return the ends with what it costs that the dice fell since it was to be moved, the best
    first.
    """
    costs = [OVERDUE * _since(account, end) for end in ends]
    if not any(costs):
        return list(ends)
    told = [replace(end, cost=end.cost + more) for end, more in zip(ends, costs, strict=True)]
    return sorted(told, key=lambda end: end.cost)


def _since(account: Account, end: End) -> int:
    """Return how often the dice were thrown since it was to be moved at the end of a line: whoever
    threw them has seen the move. 0 if it was taken back since.
    """
    line, hypothesis = end.line, end.hypothesis
    if line.match.turn == CHANCE or (hypothesis.back and hypothesis.at > account.thrown_at):
        return 0
    return max(0, account.due - line.throws)


def throws_before(account: Account) -> int | None:
    """Return after how many throws the dice fall now, if hands have made a ply since they fell last
    after which they still lie, for another seat or after another ply, or have gone back since; else
    None.
    """
    ends = at_once(account.decoder.ends(account.decoder.now, account.levels))
    likely = [end for end in ends if end.cost < ends[0].cost + OVERDUE]
    # Who has put a piece down has moved him for what they fell for.
    made = [end for end in likely if not (end.held or end.extra)]
    for end in (made or likely)[:1]:
        ply = end.line.before_the_dice()
        if ply is not end.line and _begun(account, end) > account.thrown_at:
            return ply.throws
        if ply.throws <= account.due < len(account.throws):
            return account.due
    return None


def _begun(account: Account, end: End) -> float:
    """Return when a hand began the last ply of a line: a piece that is slid may be seen where he
    comes to before he is gone from where he stood.
    """
    at, value = end.hypothesis.at, account.decoder.edges.value
    slid = any(value(place, at) for ply in end.line.last_ply() for place in ply.leaves)
    return at if slid and not end.hypothesis.back else end.hypothesis.begun


def may_await_dice(account: Account) -> bool:
    """Whether what hands did may be a move after which the dice are thrown, though something else
    is shown: a capture whose captive stands on the board, or another ply of who has moved.
    """
    ends = at_once(account.decoder.ends(account.decoder.now, account.levels))
    return any(
        end.exact and end.line.match.turn == CHANCE and end.cost < ends[0].cost + OVERDUE
        for end in ends
    )
