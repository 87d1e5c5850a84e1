"""The end of a match, and whether its men have been set up for another one since."""

from __future__ import annotations

from collections.abc import Sequence

from engine.game import Place
from engine.reading.evidence import LONG_BEFORE
from engine.reading.history import History
from engine.reading.reader import Reader


class MatchEnd:
    """How a match ended, though its last moves may have been taken back since, and where hands
    have been since then.
    """

    def __init__(self, reader: Reader) -> None:
        self.lines: Sequence[History] = ()
        """How it ended; () if it has not, or men have stood for a while since as after no end."""
        self._reader = reader
        self._at = float("-inf")
        self._touched: set[Place] = set()
        self.follow()
        self._touched.update(reader.shown[0].sight.cells)  # nobody knows what hands did before

    def follow(self) -> None:
        """Take what is shown now."""
        reader = self._reader
        lines = tuple(reader.shown)
        # Another end that seems to come later may only come of the men that are set up.
        soon = not self.lines or reader.at < self._at + LONG_BEFORE
        over = all(line.match.outcome is not None for line in lines)
        if soon and over and self.lines != lines:
            since = self._at = reader.at
            cells = lines[0].sight.cells
            self._touched = {place for place in cells if reader.changed(place) > since}
            self.lines = lines

    def touch(self, place: Place) -> None:
        """Note that a hand has touched a place."""
        if self.lines:
            self._touched.add(place)

    def stand(self) -> None:
        """All men have stood for a while as they are shown: if the end was taken back, it was not
        to set up the start, for nobody makes such a pause in that.
        """
        if self._reader.shown[0].match.outcome is None:
            self.lines = ()

    @property
    def is_start_set_up(self) -> bool:
        """Whether the start has been set up since, whatever else that may be: the cells read so,
        and hands have been wherever a man of another kind stands then, and if those are none,
        where one of another player does: who is of the same kind may have been turned round.
        """
        return any(map(self._is_set_up_after, self.lines))

    def _is_set_up_after(self, line: History) -> bool:
        sight, game, levels = line.sight, line.match.game, self._reader.levels
        reads = sight.readings(game.start())
        if any(levels.get(place, 0) != reads.get(place, 0) for place in sight.cells):
            return False
        start, end = game.pieces(game.start()), game.pieces(line.match.position)
        turned = {p for p in sight.cells - line.masked if start.get(p) != end.get(p)}
        others = {
            place
            for place in turned
            if (man := start.get(place)) is None
            or (was := end.get(place)) is None
            or man.kind != was.kind
        }
        return others <= self._touched and not turned.isdisjoint(self._touched)
