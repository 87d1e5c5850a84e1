"""Unseen moves: what hands may have done while nobody looked at the board, or at a part of it.

Nothing that was not seen is played without a question, unless one ply explains the board and
nothing else does. A match that is resumed is the same: nobody has looked since it was left.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping

from engine.game import Place
from engine.reading.evidence import UNSEEN_LINES, UNSEEN_PLIES
from engine.reading.footprints import Reading
from engine.reading.history import History
from engine.reading.unseen import Explained, UnseenPlay, is_lift_only
from firmware_host.session.live_match import LiveMatch


class Unseen:
    """The time that nobody has looked at the board, until it is known what was played in it."""

    def __init__(self, play: LiveMatch) -> None:
        self.open = False
        """Whether it is still to be found out what was played."""
        self._play = play
        self._before: Mapping[Place, Reading] = {}
        self._certain = False  # whether one ply may be played unasked

    def begin(self, before: Mapping[Place, Reading], *, certain: bool) -> None:
        """Begin to find out what was played since the sensors read what was `before`;
        `certain`, if what is explained by one ply only need not be asked.
        """
        if not self.open:
            self._before, self._certain = dict(before), True
        self.open, self._certain = True, self._certain and certain

    def close(self) -> None:
        """It is known what was played, or wanted something else."""
        self.open = False

    @property
    def trays(self) -> list[Place]:
        """The trays that held what they should before: another one tells nothing."""
        first = self._play.reader.shown[0]
        return [t for t in first.trays if self._before.get(t, 0) == first.expected.get(t, 0)]

    def search(self) -> Generator[None, None, Explained]:
        """Look for what may have been played, step by step: if nothing else, then what the trays
        deny.
        """
        reader = self._play.reader
        found = Explained()
        last_plies = [line for line in reader.shown if self._play.provisional and line.footprint]
        for trays in ({tray: self._before.get(tray, 0) for tray in self.trays}, {}):
            play = UnseenPlay(reader.shown, trays, reader.levels, reader.forward, last_plies)
            found = yield from play.search()
            if found.exact or found.held:
                return found
            self._certain = False
        return found

    def only_one(self, found: Explained) -> History | None:
        """Return the line that is surely played: it goes on by one ply, and nothing else explains
        the board; None if there is none.
        """
        if not (self._certain and found.complete and len(found.exact) + len(found.held) == 1):
            return None
        (line,) = (*found.exact, *found.held)
        shown = self._play.reader.shown
        is_one = len(shown) == 1 and line.head() is shown[0] and line is not shown[0]
        return line if is_one and not is_lift_only(line) else None

    def ask(self, found: Explained) -> None:
        """Ask people what was played, the likeliest line first, ply by ply: each of its plies may
        be the last one. Where it takes many plies to explain the board, more that were not looked
        for may do so, too: then no later move rules out that fewer are right.
        """
        lines, shown = (found.exact or found.held)[:UNSEEN_LINES], self._play.reader.shown
        least = min(line.match.plies for line in shown)
        begun = [step for line in lines for step in line.latest() if step.match.plies > least]
        asked = list(dict.fromkeys((*lines, *begun, *shown)))
        few = min(line.match.plies for line in lines) - least < UNSEEN_PLIES
        self._play.ask_unseen(asked, self.trays, () if few else asked[len(lines) :])
