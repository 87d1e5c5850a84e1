"""Sayings: what people say was played, as evidence for hypotheses.

A saying lies among the placements, in order of time. Hypotheses without the named move pay for it,
and those in which a turn goes on that people say is over. A move that no sensor shows is made when
it is named.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from itertools import islice

from engine.game import Seat
from engine.reading.evidence import FERTILE, LATE_PLIES, SLACK, UNLIKELY, UNNAMED, UNSHOWN, WIDTH
from engine.reading.extend import PlyGenerator
from engine.reading.footprints import Footprint
from engine.reading.history import History
from engine.reading.hypothesis import Hypothesis, Way


@dataclass(frozen=True, slots=True)
class Said:
    """People say that the move `text` was made, or that the turn of a seat is over."""

    at: float
    text: str = ""
    seat: Seat | None = None

    @property
    def until(self) -> float:
        """The time up to which sensors may still show what came before it: a button may be pressed
        before they have been read.
        """
        return self.at if self.seat is None else self.at + SLACK


class Hearing:
    """Extends hypotheses by what people say."""

    def __init__(self, plies: PlyGenerator) -> None:
        self.plies = plies

    def after_saying(
        self, guesses: dict[Hypothesis, float], said: Said
    ) -> Generator[None, None, list[Hypothesis]]:
        """Return all hypotheses after a saying, one per step; `guesses` are bounds of their costs.

        Those without the named move pay, compared with the others: the best one pays nothing.
        """
        least = min(guesses.values())
        found: list[tuple[Hypothesis, float]] = []
        best = float("inf")
        for each, guess in guesses.items():
            heard = self._heard(each, said) if guess <= least + FERTILE else [(each, UNNAMED)]
            found += heard
            best = min(best, *(guess + one.cost + more - each.cost for one, more in heard))
            yield
        return [
            one.charge({"said": more}, best - least) if more != best - least else one
            for one, more in found
        ]

    def _heard(self, each: Hypothesis, said: Said) -> list[tuple[Hypothesis, float]]:
        """Return a hypothesis and its successors when it hears a saying, and what each pays."""
        found = []
        for one in (each, *self.plies.half_seen(each, said.until)):
            if said.seat is None:
                agrees = was_named(one.line, said.text)
                named = one.line.unseen_ply(said.text)
                plies, cost = [named] if named else [], UNLIKELY * agrees
            else:
                agrees = one.line.match.turn != said.seat
                plies, cost = [] if agrees else one.line.possible.silent, UNSHOWN
            found.append((one, UNNAMED * (not agrees)))
            found += [(child, cost) for ply in plies for child in self._made_now(one, ply, said)]
        return found

    def _made_now(self, each: Hypothesis, ply: Footprint, said: Said) -> Iterator[Hypothesis]:
        """Yield the successors if a ply was made now, unseen, or before the last touches."""
        yield self.plies.finishing.without_touch(each, Way.SAID, ply, said.at)
        if self.plies.weigh.opened(each, said.until):
            before = self.plies.finishing.without_touch(each, Way.SAID, ply, each.at)
            yield from self._went_on(before, said.until)

    def _went_on(self, each: Hypothesis, until: float) -> Iterator[Hypothesis]:
        """Yield the successors by placements after its last ply: the next player may have moved
        before people said what came before.
        """
        family = [each]
        for put in self.plies.edges.placements(each.at, until, float("inf"), {}):
            family += [child for one in family for child in self.plies.after(one, put)]
            if len(family) > WIDTH:
                break
        yield from family[1:]


def was_named(line: History, text: str) -> bool:
    """Return whether sensors showed the named move as one of the last: people may be a little late.

    If it may also be made now without being seen, only the very last move counts.
    """
    most = 1 if line.unseen_ply(text) is not None else LATE_PLIES
    return any(step.match.text == text and step.is_seen for step in _last_plies(line, most))


def times_made(line: History, text: str) -> int:
    """Return how many of the last moves are the named one, seen or not."""
    return sum(step.match.text == text for step in _last_plies(line, LATE_PLIES))


def _last_plies(line: History, most: int) -> Iterator[History]:
    made = (step for step in line.latest() if step.footprint is not None)
    return islice(made, most)
