"""Sentences about moves whose outcome is known for certain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from firmware_host.i18n.messages import Message, count, say


def outcome_messages(known: Mapping[str, int], best: int | None) -> Iterator[Message]:
    """Yield what comes of moves if both sides play as well as can be: in so many plies, itself
    among them, each wins, or, negative, loses; 0: it draws. `best` is that of the best move of all,
    if it is known: where that one loses, too, it matters only who holds out longer.
    """
    if best is None or best >= 0:
        yield from (_outcome(text, plies) for text, plies in known.items())
        return
    yield from (_held_out(text, plies, best) for text, plies in known.items())
    if known:
        yield say("The other side can win now, but only if it makes no mistake.")


def perfect_message(plies: int) -> Message:
    """Return what comes of a position if nobody makes a mistake any more: the side to act wins in
    so many plies, or, negative, loses; 0: it is drawn.
    """
    if not plies:
        return say("With perfect play on both sides it would be a draw.")
    if plies > 0:
        return say("With perfect play on both sides you would win in the end.")
    return say("With perfect play on both sides the other side would win in the end.")


def _outcome(text: str, plies: int) -> Message:
    if not plies:
        return say("{move} leads to a draw.", move=text)
    if plies > 0:
        return count(
            "{move} wins in {n} move.",
            "{move} wins in {n} moves, counting both sides.",
            plies,
            move=text,
        )
    return count(
        "{move} loses in {n} move.",
        "{move} loses in {n} moves, counting both sides.",
        -plies,
        move=text,
    )


def _held_out(text: str, plies: int, best: int) -> Message:
    if plies > best:
        return count(
            "{move} holds out for {n} move, counting both sides.",
            "{move} holds out for {n} moves, counting both sides.",
            -plies,
            move=text,
        )
    return count(
        "{move} holds out longest: {n} move, counting both sides.",
        "{move} holds out longest: {n} moves, counting both sides.",
        -plies,
        move=text,
    )
