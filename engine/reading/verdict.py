"""Verdicts: the conclusions from edges and levels so far, with their doubts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from engine.reading.evidence import BELIEVED, INCREDIBLE, ODD, QUESTIONABLE
from engine.reading.footprints import Footprint
from engine.reading.history import History

# Bounds of the unexplained cost since the board was right are in `evidence`.


@dataclass(frozen=True, slots=True)
class Doubt:
    """The evidence against a reading."""

    unexplained: float = 0.0
    """The unexplained cost since the board was last right."""
    weak: bool = False
    """Whether the last ply itself leaves much unexplained, or should have been read earlier."""
    proven: bool = False
    """Whether two later plies leave little unexplained, so that play has gone on from there."""

    @property
    def questionable(self) -> bool:
        """Whether a failing sensor may be the cause."""
        return self.unexplained > QUESTIONABLE

    @property
    def odd(self) -> bool:
        """Whether much is unexplained."""
        return self.unexplained > ODD

    @property
    def serious(self) -> bool:
        """Whether the reading must stand longer."""
        return self.odd or self.weak

    def forbids(self, patient: bool) -> bool:
        """Return whether the doubt forbids a reading; `patient`: no change for a while."""
        most = BELIEVED if patient else INCREDIBLE
        return self.unexplained > most and not self.proven


NONE = Doubt()


@dataclass(frozen=True, slots=True)
class Still:
    """Nothing has happened since the shown reading."""


@dataclass(frozen=True, slots=True)
class Underway:
    """A hand is at work; these moves from the end of `line` may follow."""

    line: History
    moves: tuple[Footprint, ...]


@dataclass(frozen=True, slots=True)
class Settled:
    """These histories explain the levels and agree on every new ply."""

    lines: tuple[History, ...]
    rivals: bool
    """Whether a hand may continue to another move."""
    bare: bool = False
    """Whether it takes back or captures a piece although the hand may only have lifted pieces."""
    doubt: Doubt = NONE
    """The evidence against it."""
    plies: int = 1
    """The number of new plies."""
    back: int = 0
    """The number of plies taken back."""
    replaces: bool = False
    """Whether it replaces a part of the shown reading."""

    @property
    def sure(self) -> bool:
        """Whether it leaves little unexplained and changes nothing final."""
        return not self.doubt.serious

    @property
    def followed(self) -> bool:
        """Whether it surely holds plies that another ply follows, or two that replace others."""
        many = self.plies > 1 + self.replaces
        return many and self.sure and not (self.bare or self.back)

    def without_last_ply(self) -> Settled:
        """Return the same reading without the last ply."""
        followed = tuple(dict.fromkeys(line.head() for line in self.lines))
        return Settled(followed, False, plies=self.plies - 1)


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """Each of these histories explains the levels; the sensors do not show which was played."""

    lines: tuple[History, ...]
    late: bool
    """Whether a piece on its way to a tray may show it."""
    bare: bool = False
    """Whether it would take back a ply although the hand has only lifted pieces so far."""
    doubt: Doubt = NONE
    """The evidence against all of them."""

    @property
    def sure(self) -> bool:
        """Whether it leaves little unexplained."""
        return not self.doubt.serious


@dataclass(frozen=True, slots=True)
class Astray:
    """No history explains the levels."""


Verdict: TypeAlias = Still | Underway | Settled | Ambiguous | Astray
