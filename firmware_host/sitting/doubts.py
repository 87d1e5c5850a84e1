"""Doubts: what to make of a verdict that has stood long enough, beside what is shown."""

from __future__ import annotations

from engine.game import CHANCE
from engine.reading.reader import Reader
from engine.reading.verdict import Ambiguous, Settled


def is_to_be_asked(reader: Reader, verdict: Settled | Ambiguous) -> bool:
    """Whether much is unexplained of what was played next, and no sensor is known to fail: people
    know, whatever is likeliest.
    """
    shown, doubt = reader.shown, verdict.doubt
    goes_on = all(any(line.since(each) for each in shown) for line in verdict.lines)
    return doubt.odd and goes_on and not (doubt.proven or shown[0].masked)


def answers_itself(reader: Reader, verdict: Settled | Ambiguous) -> bool:
    """Whether a verdict decides between the lines that are shown, though hands have put nothing
    down since that would tell.
    """
    return (
        not reader.put_since
        and len(verdict.lines) < len(reader.shown)
        and all(line in reader.shown for line in verdict.lines)
    )


def ends_turn(verdict: Settled) -> bool:
    """Whether a move may be over with what is read; with men that went back, if dice follow."""
    if verdict.bare or verdict.doubt.serious:
        return False
    return not verdict.back or all(line.match.turn == CHANCE for line in verdict.lines)
