"""Missed plies: moves that may have been made while the board, or a part of it, was not read.

They are shown without a question only if one ply explains the board and nothing else does. A
resumed match is the same case: its board was not read since it was interrupted.
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
    """A time in which the board was not read, until it is known which moves were made in it."""

    def __init__(self, live: LiveMatch) -> None:
        self.open = False
        """Whether the moves of that time are still unknown."""
        self._live = live
        self._before: Mapping[Place, Reading] = {}
        self._certain = False  # whether a single ply needs no question

    def begin(self, before: Mapping[Place, Reading], *, certain: bool) -> None:
        """Begin to search for moves since the readings `before`. If `certain`, a single ply that
        explains the board needs no question.
        """
        if not self.open:
            self._before, self._certain = dict(before), True
        self.open, self._certain = True, self._certain and certain

    def close(self) -> None:
        """End the search: the moves are known, or do not matter now."""
        self.open = False

    @property
    def trays(self) -> list[Place]:
        """The trays that were full before; the others are no evidence."""
        first = self._live.reader.shown[0]
        return [t for t in first.trays if self._before.get(t, 0) == first.expected.get(t, 0)]

    def search(self) -> Generator[None, None, Explained]:
        """Search step by step for the moves that explain the board; if there are none, search again
        without the evidence of the trays.
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
        """Return the only history that explains the board, if it adds one ply; else None."""
        if not (self._certain and found.complete and len(found.exact) + len(found.held) == 1):
            return None
        (history,) = (*found.exact, *found.held)
        shown = self._live.reader.shown
        adds_one = len(shown) == 1 and history.head() is shown[0] and history is not shown[0]
        return history if adds_one and not is_lift_only(history) else None

    def ask(self, found: Explained) -> None:
        """Ask which moves were made, the likeliest history first, ply by ply: each of its plies may
        be the last one. If the shortest explanation is as long as the search went, longer ones may
        explain the board, too; then later moves do not rule out the shorter ones.
        """
        histories, shown = (found.exact or found.held)[:LINES_KEPT], self._live.reader.shown
        least = min(each.match.plies for each in shown)
        parts = [step for each in histories for step in each.latest() if step.match.plies > least]
        asked = list(dict.fromkeys((*histories, *parts, *shown)))
        few = min(each.match.plies for each in histories) - least < UNSEEN_PLIES
        self._live.ask_unseen(asked, self.trays, () if few else asked[len(histories) :])
