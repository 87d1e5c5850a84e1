"""The board under a host: the wires of a real one, or a simulated one with a table of pieces.

A host knows nothing else of its board, so the same program plays on a real board and in the
browser.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Protocol

from engine.match import AnyGame, Match
from firmware_host.controller.controller import BoardController
from firmware_host.opponents.machine import MoveMaker
from firmware_host.storage.match_files import MatchFiles
from hardware.layout import Layout
from hardware.machine import Machine, SensorFrame

if TYPE_CHECKING:  # a program without a page does not import it
    from firmware_host.web.host_api import PieceAccess


class Backend(Protocol):
    """The board under a host; the host calls it in its own thread."""

    def join(self, now: Callable[[], float], moved: Callable[[], None], files: MatchFiles) -> None:
        """Begin to serve a host: `now` is its clock, `moved` wakes it, `files` are its files."""

    def serving(self, game: str) -> tuple[Layout, ...]:
        """Return the boards that a game may be played on here, the best first."""

    def named(self, layout: str) -> Layout:
        """Return a board by its name; ValueError says which there are."""

    def layout_for_saved(self, layout: str) -> Layout:
        """Return the board for a saved match that was begun on the board of that name; ValueError
        says how else the match can be resumed.
        """

    def lay_out(
        self, game: AnyGame, layout: Layout, match: Match, as_it_lies: bool, save: bool
    ) -> Machine:
        """Prepare for a match, and return the machine to play it with. Simulated pieces are put
        where the match has them, or `as_it_lies` where they lay when last saved. With `save` their
        places are saved from now on.
        """

    def frames(self, now: float, called: bool) -> Iterable[SensorFrame]:
        """Return the frames since the last call, the oldest first. A board without a thread of its
        own is read if it is time or the board `called`.
        """

    def look_by(self, at: float | None) -> None:
        """Look at the board at that time at the latest, and let `frames` return the frame even if
        nothing is new in it. None: no such look is wanted.
        """

    @property
    def due(self) -> float:
        """When `frames` wants to be called again though nothing woke the host."""

    def save_due(self, now: float) -> float | None:
        """Save the places of the pieces if it is time; return when it will be."""

    def pixels(self) -> bytes:
        """Return red, green and blue of every pixel of the strip, as far as known."""

    def still_pixels(self, board: BoardController) -> bytes:
        """Return the pixels of the same scene without motion."""

    def pieces(self, host: Any) -> PieceAccess:
        """Return what a page of that host may see of the pieces and do with them."""

    def all_in_place(self, position: Any) -> bool:
        """Whether all pieces are known to lie as a position has them, also where no sensor is."""

    def hands(self, host: Any) -> MoveMaker | None:
        """Return the simulated hands that make moves for that host; None if there are none."""

    def close(self) -> None:
        """Leave the board, its lights dark."""
