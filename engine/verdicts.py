"""Verdicts: what the reader makes of the edges and levels up to now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from engine.footprints import Footprint, Line
from engine.game import Place


@dataclass(frozen=True, slots=True)
class Still:
    """Nothing has happened beyond what is already read."""


@dataclass(frozen=True, slots=True)
class Underway:
    """A hand is at work, and these moves from the end of `line` may come of it."""

    line: Line
    moves: tuple[Footprint, ...]


@dataclass(frozen=True, slots=True)
class Settled:
    """The levels are what these lines leave, and the lines agree on every ply newly read."""

    lines: tuple[Line, ...]
    rivals: bool
    """Whether a hand may go on from here to another move."""
    bare: bool = False
    """Whether it undoes something though the hand has only lifted men so far."""
    doubtful: bool = False
    """Whether much is left unexplained."""
    plies: int = 1
    """How many plies are new."""
    back: int = 0
    """How many plies were taken back."""
    strays: frozenset[Place] = frozenset()
    """Places that read what no rule explains."""
    replaces: bool = False
    """Whether something that is shown is replaced."""
    late: bool = False
    """Whether a man may soon be taken off the board that tells otherwise."""
    overturns: bool = False
    """Whether that was final."""
    odd: float = 0.0
    """What is left unexplained since the board was right."""
    guessed: bool = False
    """Whether a capture is new that no sensor saw: its man may have gone where a sensor fails."""
    proven: bool = False
    """Whether two plies were played since then that leave little unexplained."""

    @property
    def sure(self) -> bool:
        """Whether it leaves little unexplained, and changes nothing that was final."""
        return not (self.doubtful or self.overturns)

    @property
    def followed(self) -> bool:
        """Whether plies are surely read that another has followed."""
        return self.plies > 1 and self.sure and not (self.replaces or self.bare or self.back)

    def is_followed_by(self, verdict: Verdict) -> bool:
        """Whether a verdict reads one more ply after what this one reads."""
        return isinstance(verdict, Settled | Ambiguous) and all(
            line.head() in self.lines and line not in self.lines for line in verdict.lines
        )

    def but_the_last(self) -> Settled:
        """Return what is read but for the last ply."""
        followed = tuple(dict.fromkeys(line.head() for line in self.lines))
        return Settled(followed, False, plies=self.plies - 1)


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """The levels are what each of these lines leaves; the sensors do not tell which it is."""

    lines: tuple[Line, ...]
    late: bool
    """Whether a man that still has to reach its tray may tell."""
    bare: bool = False
    """Whether something would be undone though the hand has only lifted men so far."""
    strays: frozenset[Place] = frozenset()
    doubtful: bool = False
    """Whether much is left unexplained."""
    odd: float = 0.0
    """What is left unexplained since the board was right."""
    guessed: bool = False
    """Whether a capture is new that no sensor saw: its man may have gone where a sensor fails."""

    @property
    def sure(self) -> bool:
        """Whether it leaves little unexplained."""
        return not self.doubtful


@dataclass(frozen=True, slots=True)
class Astray:
    """No line leads here."""


Verdict: TypeAlias = Still | Underway | Settled | Ambiguous | Astray
