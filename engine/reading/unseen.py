"""Unseen: moves of which no sensor shows anything, slipped in where people say they were made.

Who names such a move does so a little late: it may have been made before what hands did meanwhile.
So what was gone through lately is remembered, and gone through once more with the move in it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from engine.reading.beam import Beam
from engine.reading.evidence import SILENT
from engine.reading.names_in_order import NAMED_WITHIN
from engine.reading.observations import SLACK, Put
from engine.reading.tracks import Track

SLIPPED_IN = 48  # lines into which it is slipped at once
PASSED_KEPT = 64  # puts that a move may come before though it is named after them


@dataclass(slots=True)
class _Passed:
    """Something that was gone through for good: where a man came to stand, or that all stood still
    at a time.
    """

    before: list[Track]
    event: Put | float

    @property
    def at(self) -> float:
        """When it was."""
        return self.event.at if isinstance(self.event, Put) else self.event


class Past:
    """What a beam has gone through lately, with the lines before."""

    def __init__(self, beam: Beam) -> None:
        self._beam = beam
        self._passed: list[_Passed] = []

    def add(self, before: list[Track], event: Put | float, since: float) -> None:
        """Note what has been gone through for good; forget what was before `since`."""
        self._passed.append(_Passed(before, event))
        while self._passed and (len(self._passed) > PASSED_KEPT or self._passed[0].at < since):
            self._beam.spent.give_up_tracks(self._passed.pop(0).before)

    def clear(self) -> None:
        """Forget all of it."""
        self._passed = []

    @property
    def tracks(self) -> Iterator[Track]:
        """All lines of it."""
        return chain.from_iterable(passed.before for passed in self._passed)

    def keep(self, wanted: Callable[[Track], bool]) -> None:
        """Give up the lines that are not wanted."""
        for passed in self._passed:
            self._beam.spent.give_up_tracks(passed.before)
            passed.before = list(filter(wanted, passed.before))

    def replace(self, track: Callable[[Track], Track]) -> None:
        """Put another track in the place of each."""
        for passed in self._passed:
            passed.before = list(map(track, passed.before))

    def with_unseen(
        self, text: str, said: float, late: float = 0.0
    ) -> Generator[None, None, list[Track]]:
        """Return, after a search that goes step by step, what has become of the lines into which a
        move of that text that nobody sees is slipped before what men did shortly before people
        `said` that it was made, or since; they may have been so `late` because they were asked
        about others.
        """
        beam = self._beam
        added: list[Track] = []
        for passed in self._passed:
            if passed.at > said - NAMED_WITHIN - late:
                if passed.at <= said + SLACK:
                    guesses = yield from beam.guessed(passed.before, passed.at)
                    likely = sorted(guesses, key=guesses.__getitem__)[:SLIPPED_IN]
                    fresh: list[Track] = []
                    for each in likely:
                        fresh += _after_unseen(beam, each, text)
                        yield
                    known = {each.line for each in passed.before}
                    added += (each for each in fresh if each.line not in known)
                if not added:
                    continue
                passed.before = passed.before + added
                if isinstance(passed.event, Put):
                    before, beam.cuts = (beam.cuts, beam.is_lost), True
                    after = yield from beam.gone_through(added, passed.event)
                    beam.cuts, beam.is_lost = before  # that was but a part of the lines
                    added = after or added
                else:
                    added, _ = yield from beam.settled(added, passed.event)
        return added


def unseen_since(
    beam: Beam, tracks: Iterable[Track], text: str, said: float, now: float
) -> Generator[None, None, list[Track]]:
    """Return, after a search that goes step by step, what becomes of tracks, to which nothing has
    happened up to now, by a move of that text that nobody sees. It took its time before people
    `said` that it was made.
    """
    added: list[Track] = []
    for track in tracks:
        for each in beam.up_to(track, now):
            if each is not None and each.at <= said:
                haste = beam.weigh.haste(each, said)
                added += (
                    after.but(cost=after.cost + haste, unseen=each.unseen)
                    for after in _after_unseen(beam, each, text)
                )
            yield
    return added


def _after_unseen(beam: Beam, track: Track, text: str) -> Iterator[Track]:
    """Yield a track after a move of that text of which nobody sees anything, be it that another one
    came before it that people have named.
    """
    named = (each for each in beam.plies.unseen(track) if beam.plies.is_named(each.line))
    for each in chain((track,), named):
        match = each.line.match
        for ply in each.line.possible.silent:
            if match.game.move_text(match.position, ply.move) == text:
                yield each.but(
                    line=each.line.step(ply.move, ply),
                    cost=each.cost - each.pledge + SILENT,
                    pledge=0.0,
                    weak=0.0,
                    silent=each.silent + 1,
                    unseen=True,
                )
