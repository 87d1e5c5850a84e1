"""Histories: a match with the expected readings at its end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from weakref import ref

from engine.game import CHANCE, Claim, GameError, Pass, Piece, Place, Throw
from engine.match import AnyMove, Match
from engine.reading.footprints import Difference, Footprint, Reading, Sight
from engine.reading.possible import FootprintIndex


class History:
    """A match with the expected readings at its end."""

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
        """The sensed trays that are not masked."""
        self.expected = expected
        self.before = before
        self.footprint = footprint
        """The footprint of the last move; None after a throw, a pass or a claim."""
        self.throws: int = before.throws if before else 0
        """The number of throws."""
        if isinstance(match.move, Throw):
            self.throws += 1
        self.visible_moves: int = before.visible_moves if before else 0
        """A hash of the moves that sensors show, equal for histories that differ only by others."""
        if before and (footprint is None or footprint.is_seen):
            self.visible_moves = hash((before.visible_moves, match.move))
        self.possible = FootprintIndex(match, sight, masked, expected)
        """The footprints of the possible next moves."""
        self._next: dict[AnyMove, ref[History]] = {}

    @classmethod
    def of(cls, match: Match, sight: Sight, masked: frozenset[Place] = frozenset()) -> History:
        """Return the history of a whole match."""
        steps = match.steps()
        begin = steps[0].before if steps else match
        assert begin is not None
        line = cls(begin, sight, masked, sight.readings(begin.position))
        return line.along(match)

    def along(self, match: Match) -> History:
        """Return the history of another match with the same start."""
        line: History = self
        while line.before is not None:
            line = line.before
        for step in match.steps():
            known = step if step.before is line.match else None
            line = line.step(step.move, match=known)
        return line

    def step(
        self, move: AnyMove, footprint: Footprint | None = None, match: Match | None = None
    ) -> History:
        """Return the history after one more move, throw or claim.

        It is the same object as long as something refers to it. `footprint` and `match` save work
        if they are known.
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
        """The expected readings of the cells that are not masked, as a key."""
        cells, masked = self.sight.cells, self.masked
        return frozenset(
            [item for item in self.expected.items() if item[0] in cells and item[0] not in masked]
        )

    @cached_property
    def cells_left(self) -> Difference:
        """The expected readings of all cells, masked or not, as a key."""
        cells = self.sight.cells
        return frozenset([item for item in self.expected.items() if item[0] in cells])

    @cached_property
    def pieces_on_cells(self) -> frozenset[tuple[Place, Piece]]:
        """The pieces on the cells at its end, as a key."""
        match, cells = self.match, self.sight.cells
        pieces = match.game.pieces(match.position)
        return frozenset([item for item in pieces.items() if item[0] in cells])

    def up_to_last_ply(self) -> History | None:
        """Return the history that ends with the last ply by a hand; None if there is none."""
        line: History | None = self
        while line is not None and line.footprint is None:
            line = line.before
        return line

    def head(self) -> History:
        """Return the history before the last ply by a hand; itself if there is none."""
        line = self.up_to_last_ply()
        return self if line is None or line.before is None else line.before

    def before_the_dice(self) -> History:
        """Return the history without the throws and passes since its last ply."""
        line: History = self
        while isinstance(line.match.move, Throw | Pass) and line.before is not None:
            line = line.before
        return line

    def up_to(self, plies: int) -> History:
        """Return the history up to this number of plies; itself if it has no more."""
        line: History = self
        while line.before is not None and line.match.plies > plies:
            line = line.before
        return line

    def last_ply(self) -> Footprint | None:
        """Return the footprint of the last ply by a hand; None if there is none."""
        line = self.up_to_last_ply()
        return None if line is None else line.footprint

    def takeback(self) -> Takeback | None:
        """Return what is undone when the pieces of the last ply that a sensor shows go back.

        None if there is no such ply.
        """
        line, plies = self.up_to_last_ply(), 1
        while line is not None and line.before is not None and not line.is_seen:
            line, plies = line.before.up_to_last_ply(), plies + 1
        if line is None or line.footprint is None or line.before is None:
            return None
        return Takeback(line.footprint, line, line.before, plies)

    @property
    def is_seen(self) -> bool:
        """Whether a sensor shows its last move."""
        return self.footprint is not None and self.footprint.is_seen

    def named(self, text: str) -> Footprint | None:
        """Return the footprint of the legal next move of that text; None if there is none."""
        game, position = self.match.game, self.match.position
        if self.match.outcome is not None or self.match.turn == CHANCE:
            return None
        try:
            move = game.parse_move(position, text)
        except GameError:
            return None
        return None if isinstance(move, Claim | Pass | Throw) else self.possible.of(move)

    def unseen_ply(self, text: str) -> Footprint | None:
        """Return the footprint of the legal next move of that text if no sensor shows it."""
        ply = self.named(text)
        return None if ply is None or ply.is_seen else ply

    def since(self, base: History) -> list[History] | None:
        """Return the histories after `base` up to this one, oldest first; None without `base`."""
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
        """Yield the histories after each move, throw and claim so far, latest first."""
        line: History = self
        while line.before is not None:
            yield line
            line = line.before

    def steps(self) -> list[History]:
        """Return the histories after each move, throw and claim so far, oldest first."""
        return list(self.latest())[::-1]

    def forget(self) -> None:
        """Free the cached footprints of possible moves here and before."""
        line: History | None = self
        while line is not None and line.possible.forget():
            line._next = {move: step for move, step in line._next.items() if step() is not None}
            line = line.before


@dataclass(slots=True, eq=False)
class Takeback:
    """The last ply that a sensor shows, with the plies after it: they are taken back together."""

    ply: Footprint
    line: History
    """The history that ends with the ply."""
    head: History
    """The history before it."""
    plies: int
    """The number of plies taken back: 1, and the unseen ones after it."""
