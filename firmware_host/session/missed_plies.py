"""Plies that may have been played while nobody looked at the board, or at a part of it.

Such plies are not played without a question, unless one ply explains the board and nothing else
does. A match that is resumed is the same case: nobody has looked since it was left.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping

from engine.game import Place
from engine.reading.evidence import LINES_KEPT, UNSEEN_PLIES
from engine.reading.footprints import Reading
from engine.reading.history import History
from engine.reading.unseen import Explained, UnseenPlay, is_lift_only
from firmware_host.session.live_match import LiveMatch


class MissedPlies:
    """A time in which nobody looked at the board, until it is known what was played in it."""

    def __init__(self, live: LiveMatch) -> None:
        self.open = False
        """Whether it is still to be found out what was played."""
        self._live = live
        self._before: Mapping[Place, Reading] = {}
        self._certain = False  # whether a single ply may be played without a question

    def begin(self, before: Mapping[Place, Reading], *, certain: bool) -> None:
        """Begin to find out what was played since the sensors read `before`. If `certain`, a single
        ply that explains the board need not be asked about.
        """
        if not self.open:
            self._before, self._certain = dict(before), True
        self.open, self._certain = True, self._certain and certain

    def close(self) -> None:
        """It is known what was played, or it does not matter any more."""
        self.open = False

    @property
    def trays(self) -> list[Place]:
        """The trays that held what they should before; the others are no evidence."""
        first = self._live.reader.shown[0]
        return [t for t in first.trays if self._before.get(t, 0) == first.expected.get(t, 0)]

    def search(self) -> Generator[None, None, Explained]:
        """Search step by step for what may have been played. If nothing explains the board, search
        again without the evidence of the trays.
        """
        reader, live = self._live.reader, self._live
        found = Explained()
        last_plies = [each for each in reader.shown if live.provisional and each.footprint]
        for trays in ({tray: self._before.get(tray, 0) for tray in self.trays}, {}):
            play = UnseenPlay(reader.shown, trays, reader.levels, reader.forward, last_plies)
            found = yield from play.search()
            if found.exact or found.held:
                return found
            self._certain = False
        return found

    def only_one(self, found: Explained) -> History | None:
        """Return the history that was surely played: it adds one ply, and nothing else explains the
        board. None if there is none.
        """
        if not (self._certain and found.complete and len(found.exact) + len(found.held) == 1):
            return None
        (history,) = (*found.exact, *found.held)
        shown = self._live.reader.shown
        adds_one = len(shown) == 1 and history.head() is shown[0] and history is not shown[0]
        return history if adds_one and not is_lift_only(history) else None

    def ask(self, found: Explained) -> None:
        """Ask people what was played, the likeliest history first, ply by ply: each of its plies
        may be the last one. If the board needs many plies to be explained, longer histories that
        were not searched may explain it, too: then no later move rules out the shorter ones.
        """
        histories, shown = (found.exact or found.held)[:LINES_KEPT], self._live.reader.shown
        least = min(each.match.plies for each in shown)
        parts = [step for each in histories for step in each.latest() if step.match.plies > least]
        asked = list(dict.fromkeys((*histories, *parts, *shown)))
        few = min(each.match.plies for each in histories) - least < UNSEEN_PLIES
        self._live.ask_unseen(asked, self.trays, () if few else asked[len(histories) :])
