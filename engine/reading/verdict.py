"""Verdicts: what the reader makes of the edges and levels up to now, and what it doubts of that."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from engine.reading.evidence import BELIEVED, INCREDIBLE, ODD, QUESTIONABLE
from engine.reading.footprints import Footprint
from engine.reading.history import History

# What a line leaves unexplained since the board was right, so that …


@dataclass(frozen=True, slots=True)
class Doubt:
    """What speaks against what is read."""

    unexplained: float = 0.0
    """What is left unexplained since the board was right."""
    weak: bool = False
    """Whether the last ply itself leaves much unexplained, or should have been read before."""
    proven: bool = False
    """Whether two plies were played since then that leave little unexplained: whatever happened
    before, play has gone on from there."""

    @property
    def questionable(self) -> bool:
        """Whether it may be due to a sensor that fails."""
        return self.unexplained > QUESTIONABLE

    @property
    def odd(self) -> bool:
        """Whether much is left unexplained."""
        return self.unexplained > ODD

    @property
    def serious(self) -> bool:
        """Whether it must stand longer."""
        return self.odd or self.weak

    def forbids(self, patient: bool) -> bool:
        """Whether it is not read at all, or not before people have been `patient`."""
        most = BELIEVED if patient else INCREDIBLE
        return self.unexplained > most and not self.proven


NONE = Doubt()


@dataclass(frozen=True, slots=True)
class Still:
    """Nothing has happened beyond what is already read."""


@dataclass(frozen=True, slots=True)
class Underway:
    """A hand is at work, and these moves from the end of `line` may come of it."""

    line: History
    moves: tuple[Footprint, ...]


@dataclass(frozen=True, slots=True)
class Settled:
    """The levels are what these lines leave, and the lines agree on every ply newly read."""

    lines: tuple[History, ...]
    rivals: bool
    """Whether a hand may go on from here to another move."""
    bare: bool = False
    """Whether it undoes something, or takes a piece, though the hand may only have lifted pieces.
    """
    doubt: Doubt = NONE
    """What speaks against it."""
    plies: int = 1
    """How many plies are new."""
    back: int = 0
    """How many plies were taken back."""
    replaces: bool = False
    """Whether something that is shown is replaced."""

    @property
    def sure(self) -> bool:
        """Whether it leaves little unexplained, and changes nothing that was final."""
        return not self.doubt.serious

    @property
    def followed(self) -> bool:
        """Whether plies are surely read that another has followed, or two that replace others."""
        many = self.plies > 1 + self.replaces
        return many and self.sure and not (self.bare or self.back)

    def but_the_last(self) -> Settled:
        """Return what is read but for the last ply."""
        followed = tuple(dict.fromkeys(line.head() for line in self.lines))
        return Settled(followed, False, plies=self.plies - 1)


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """The levels are what each of these lines leaves; the sensors do not tell which it is."""

    lines: tuple[History, ...]
    late: bool
    """Whether a piece that still has to reach its tray may tell."""
    bare: bool = False
    """Whether something would be undone though the hand has only lifted pieces so far."""
    doubt: Doubt = NONE
    """What speaks against all of them."""

    @property
    def sure(self) -> bool:
        """Whether it leaves little unexplained."""
        return not self.doubt.serious


@dataclass(frozen=True, slots=True)
class Astray:
    """No line leads here."""


Verdict: TypeAlias = Still | Underway | Settled | Ambiguous | Astray
