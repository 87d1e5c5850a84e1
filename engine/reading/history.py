"""Lines of play: a match with what the sensors should read at its end."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from weakref import ref

from engine.game import Claim, Pass, Piece, Place, Throw
from engine.match import AnyMove, Match
from engine.reading.footprints import Difference, Footprint, Reading, Sight
from engine.reading.possible import FootprintIndex


class History:
    """A match with what the sensors should read at its end."""

    def __init__(
        self,
        match: Match,
        sight: Sight,
        masked: frozenset[Place],
        expected: dict[Place, Reading],
        before: History | None = None,
        footprint: Footprint | None = None,
    ) -> None:
        self.match = match
        self.sight = sight
        self.masked = masked
        self.trays: frozenset[Place] = sight.trays - masked if masked else sight.trays
        """The trays that are sensed and believed."""
        self.expected = expected
        self.before = before
        self.footprint = footprint
        """Of the move that led here; None after a throw, a pass or a claim."""
        self.throws: int = before.throws if before else 0
        """How many throws are in it."""
        if isinstance(match.move, Throw):
            self.throws += 1
        self.visible_moves: int = before.visible_moves if before else 0
        """The same for lines that differ only by moves of which no sensor shows anything."""
        if before and (footprint is None or footprint.is_seen):
            self.visible_moves = hash((before.visible_moves, match.move))
        self.possible = FootprintIndex(match, sight, masked, expected)
        """The footprints of the moves that are possible after it."""
        self._next: dict[AnyMove, ref[History]] = {}

    @classmethod
    def of(cls, match: Match, sight: Sight, masked: frozenset[Place] = frozenset()) -> History:
        """Return the line of a whole match."""
        steps = match.line()
        begin = steps[0].before if steps else match
        assert begin is not None
        line = cls(begin, sight, masked, sight.readings(begin.position))
        return line.along(match)

    def along(self, match: Match) -> History:
        """Return the line of another match that began as this one's did."""
        line: History = self
        while line.before is not None:
            line = line.before
        for step in match.line():
            line = line.step(step.move)
        return line

    def step(
        self, move: AnyMove, footprint: Footprint | None = None, match: Match | None = None
    ) -> History:
        """Return the line after one more move, throw or claim; the same object as long as anybody
        keeps it. Its footprint and the match after it need not be found out if they are known.
        """
        if (found := self._next.get(move)) is not None and (known := found()) is not None:
            return known
        if match is None:
            match = self.match.play(move)
        expected = self.expected
        if isinstance(move, Claim):
            expected = self.sight.readings(match.position)
        elif not isinstance(move, Throw | Pass):
            footprint = footprint or self.possible.of(move)
            expected = dict(expected)
            for place, piece in footprint.after.items():
                if place in self.sight.places:
                    reading = self.sight.reading(place, piece)
                    if reading:
                        expected[place] = reading
                    else:
                        expected.pop(place, None)
        line = History(match, self.sight, self.masked, expected, self, footprint)
        self._next[move] = ref(line)
        return line

    @cached_property
    def cells_read(self) -> Difference:
        """What the believed cells read at its end, as a key."""
        cells, masked = self.sight.cells, self.masked
        return frozenset(
            [item for item in self.expected.items() if item[0] in cells and item[0] not in masked]
        )

    @cached_property
    def cells_left(self) -> Difference:
        """What the cells should read at its end, believed or not, as a key: the same whichever
        sensors fail.
        """
        cells = self.sight.cells
        return frozenset([item for item in self.expected.items() if item[0] in cells])

    @cached_property
    def pieces_on_cells(self) -> frozenset[tuple[Place, Piece]]:
        """Which pieces stand on the cells at its end, as a key."""
        match, cells = self.match, self.sight.cells
        pieces = match.game.pieces(match.position)
        return frozenset([item for item in pieces.items() if item[0] in cells])

    def head(self) -> History:
        """Return the line before the last ply that a hand made; itself if there is none."""
        if self.footprint is not None and self.before is not None:
            return self.before
        line: History | None = self
        while line is not None and line.footprint is None:
            line = line.before
        return line.before if line is not None and line.before is not None else self

    def before_the_dice(self) -> History:
        """Return the line as it was before what was thrown, and passed, since its last ply."""
        line: History = self
        while isinstance(line.match.move, Throw | Pass) and line.before is not None:
            line = line.before
        return line

    def up_to(self, plies: int) -> History:
        """Return the line as it was after so many plies; itself if it has no more."""
        line: History = self
        while line.before is not None and line.match.plies > plies:
            line = line.before
        return line

    def last_ply(self) -> tuple[Footprint, ...]:
        """Return the footprint of the last ply that a hand made, in a tuple; () if none was."""
        line: History | None = self
        while line is not None and line.footprint is None:
            line = line.before
        return (line.footprint,) if line is not None and line.footprint is not None else ()

    @property
    def is_seen(self) -> bool:
        """Whether some sensor shows its last move."""
        return self.footprint is not None and self.footprint.is_seen

    def takes_over(self, ply: Footprint, place: Place) -> bool:
        """Whether a ply moves on from `place` the piece that the last one has put there, be it that
        it is promoted now.
        """
        for last in self.last_ply():
            piece = last.after.get(place)
            ends = [ply.after[end] for end, _ in ply.arrivals]
            if piece is None or piece.owner is None:
                return piece is not None and piece in ends
            return any(each is not None and each.owner == piece.owner for each in ends)
        return False

    def since(self, base: History) -> list[History] | None:
        """Return the lines after `base` up to this one, oldest first; None if it is not in it."""
        steps = []
        line: History = self
        least = base.match.plies
        while line is not base:
            steps.append(line)
            if line.before is None or line.match.plies < least:
                return None
            line = line.before
        steps.reverse()
        return steps

    def latest(self) -> Iterator[History]:
        """Yield the lines after each move, throw and claim so far, latest first."""
        line: History = self
        while line.before is not None:
            yield line
            line = line.before

    def steps(self) -> list[History]:
        """Return the lines after each move, throw and claim so far, oldest first."""
        steps = []
        line: History = self
        while line.before is not None:
            steps.append(line)
            line = line.before
        steps.reverse()
        return steps

    def forget(self) -> None:
        """Give back the memory of what could have been played here and before."""
        line: History | None = self
        while line is not None and line.possible.forget():
            line._next = {move: step for move, step in line._next.items() if step() is not None}
            line = line.before
