"""What a host plays on: the wires of a real board, or a simulated board with a table of pieces.

A host knows nothing else of its board, so what plays on a real one is what plays in the browser.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Protocol

from engine.match import AnyGame, Match
from firmware_host.controller.controller import BoardController
from firmware_host.opponents.opponents import MakesMoves
from firmware_host.storage.match_files import MatchFiles
from hardware.layout import Layout
from hardware.machine import Machine, SensorFrame

if TYPE_CHECKING:  # who has no page does without all that belongs to one
    from firmware_host.web.host_api import PieceAccess


class Backend(Protocol):
    """The board under a host; all of it is for the host's own thread."""

    def join(self, now: Callable[[], float], moved: Callable[[], None], files: MatchFiles) -> None:
        """Begin to serve a host: its clock, what wakes it, and its files."""

    def serving(self, game: str) -> tuple[Layout, ...]:
        """Return the boards that a game may be played on here, the best first."""

    def named(self, layout: str) -> Layout:
        """Return a board for play here by its name; ValueError says which there are."""

    def kept(self, layout: str) -> Layout:
        """Return the board on which a match goes on that was begun on the board of that name;
        ValueError says how else it can.
        """

    def lay_out(
        self, game: AnyGame, layout: Layout, match: Match, as_it_lies: bool, kept: bool
    ) -> Machine:
        """Make ready for a match, and return the machine to play it with. Pieces that can be laid
        out are where that match has them, or `as_it_lies` where they lay when they were last noted.
        Where they go from now on is noted if the match is one that is `kept`.
        """

    def frames(self, now: float, called: bool) -> Iterable[SensorFrame]:
        """Return what the sensors have said since the last call, the oldest first; those of a board
        that is looked at only now are read if it is time or somebody `called`.
        """

    def look_by(self, at: float | None) -> None:
        """Look at the board at that time at the latest, and let `frames` return what it says though
        that is nothing new; None: no such look is wanted.
        """

    @property
    def due(self) -> float:
        """When `frames` wants to be called again though nobody woke the host."""

    def keep(self, now: float) -> float | None:
        """Write what is to be kept of the pieces, if it is time; return when it will be."""

    def pixels(self) -> bytes:
        """Return red, green and blue of every pixel of the strip, as far as is known."""

    def still_pixels(self, board: BoardController) -> bytes:
        """Return the same as they would be if nothing in the lights moved."""

    def pieces(self, host: Any) -> PieceAccess:
        """Return what a page of that host may see of the pieces, and do to them."""

    def hands(self, host: Any) -> MakesMoves | None:
        """Return what lets simulated hands make a move for that host; None where there are none."""

    def close(self) -> None:
        """Leave the board, its lights dark."""
