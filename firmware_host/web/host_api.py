"""What the page needs of the program that runs the board."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from engine.game import Game
from firmware_host.lessons.lesson_mode import LessonMode
from firmware_host.players.kinds import PlayerKind
from firmware_host.session.events import Event
from firmware_host.text.status import Status
from firmware_host.web.pieces import PieceAccess
from hardware.layout import Layout


class HostApi(Protocol):
    """What the page needs of the program that runs the board."""

    game: Game[Any, Any]
    layout: Layout
    lesson_mode: LessonMode

    @property
    def pieces(self) -> PieceAccess:
        """What lies on the board, and what a page's hands may do; others in another match."""

    def status(self) -> Status:
        """Return what the session says of itself."""

    def position(self) -> Any:
        """Return the game's position as the match has it."""

    def now(self) -> float:
        """Return the time that events carry, in seconds."""

    def post(self, event: Event) -> None:
        """Let the session handle an event."""

    def call(self, seat: int, name: str) -> None:
        """Call the player of a seat by a name; empty: as the seat is called."""

    def seat(self, seat: int, who: PlayerKind) -> None:
        """Let somebody else play at a seat."""

    def advise(self, seat: int, graded: int) -> None:
        """Grade the moves of so many men a turn at most for a seat; 0: of all."""

    def let_hands(self, on: bool) -> None:
        """Choose whether hands make the machine's moves."""

    def pixels(self) -> bytes:
        """Return red, green and blue of every pixel of the strip, as far as is known."""

    def still_pixels(self) -> bytes:
        """Return the same as they would be if nothing in the lights moved."""

    async def wait_change(self) -> None:
        """Wait until status, pieces or pixels have changed since the last call returned."""

    def games(self) -> Mapping[str, tuple[Layout, ...]]:
        """Return the games there are, each with the layouts that serve it, the best first."""

    def new_game(self, name: str, options: Mapping[str, str], layout: str) -> None:
        """Begin another game; ValueError says in one line why it cannot be."""

    def go_on_with(self, name: str) -> None:
        """Go on with the kept match of that file name; ValueError says why it cannot be."""

    def record_as_test(self) -> Iterator[bytes]:
        """Return the recording of this match, in pieces that are read one after the other."""

    def as_record(self) -> tuple[str, str]:
        """Return what the file of this match is called that other programs read, and its text."""
