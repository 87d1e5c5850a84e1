"""What the page needs of the program that runs the board."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

from engine.game import Game, Place
from engine.match import AnyMove
from firmware_host.controller.builder_access import BuilderAccess
from firmware_host.controller.counters import BoardCounters
from firmware_host.i18n.messages import Message, RefusedError
from firmware_host.lessons.lesson_mode import LessonMode
from firmware_host.opponents.look_back import LookBacks
from firmware_host.opponents.seating import Seating
from firmware_host.players.time_control import TimeControl
from firmware_host.review.review_mode import ReviewMode
from firmware_host.session.events import Event
from firmware_host.storage.library import Library
from firmware_host.text.status import Status
from firmware_host.web.protocol import AnyCommand
from hardware.layout import Layout

Finished: TypeAlias = Callable[[RefusedError | None], None]
"""Called when hands have finished a move; with the error if they could not."""


class PieceAccess(Protocol):
    """The pieces of one match, as pages see and move them. Each match has its own."""

    simulated: bool
    """Whether the board is simulated: pages move its pieces, and may break its hardware."""

    @property
    def rev(self) -> int:
        """A number that grows whenever `all` or `unknown` changes."""

    @property
    def moving(self) -> bool:
        """Whether simulated hands are making a move for a page."""

    def all(self) -> Sequence[dict[str, Any]]:
        """Return the pieces as a page draws them: `id`, the kind on its upper `face`, on its front
        (`kind`) and on its `back`, `owner`, `place` or the page that it is `held_by`, the place it
        was lifted `from`, and on a real board whether it is `missing` there for the sensors.
        """

    def unknown(self) -> Sequence[Place]:
        """Return the places of the board where an unknown piece lies."""

    def out_of_place(self, position: Any) -> bool:
        """Whether hands could bring a piece to where a position has it."""

    def chips(self) -> Sequence[int]:
        """Return the addresses of the chips that may be broken on purpose."""

    def broken(self) -> Sequence[Message]:
        """Return what is broken on purpose."""

    def take(self, command: AnyCommand, page: str) -> None:
        """Do what a page's hand is to do. RefusedError says why that is impossible."""

    def bring(self, position: Any, page: str, move: str, finished: Finished) -> None:
        """Let simulated hands bring the pieces to where a position has them, and report `move`, if
        it is given. RefusedError says why that is impossible; errors on the way go to `finished`.
        """

    def release(self, page: str) -> None:
        """Empty the hand of a page that is gone."""


class HostApi(Protocol):
    """What the page needs of the program that runs the board."""

    game: Game[Any, Any]
    layout: Layout
    lesson_mode: LessonMode
    look_backs: LookBacks
    review_mode: ReviewMode
    counters: BoardCounters
    seating: Seating
    builders: BuilderAccess

    @property
    def library(self) -> Library:
        """The matches in the state directory."""

    @property
    def pieces(self) -> PieceAccess:
        """The pieces of the match in play."""

    def status(self) -> Status:
        """Return the status of the session."""

    @property
    def is_reading(self) -> bool:
        """Whether the session is still reading what hands did; what people say waits for that."""

    def position(self) -> Any:
        """Return the game's position that the match has reached."""

    def now(self) -> float:
        """Return the time that events carry, in seconds."""

    def post(self, event: Event) -> None:
        """Let the session handle an event."""

    def request(self, move: AnyMove | None) -> None:
        """Ask people at the board to make a move for the seat to act; None withdraws it."""

    def time_with(self, control: TimeControl | None) -> None:
        """Choose the clock of this match and the next ones; ValueError if it has begun."""

    def pause(self, on: bool) -> None:
        """Pause the clock of the match, or let it go on."""

    def pixels(self) -> bytes:
        """Return red, green and blue of every pixel of the strip, as far as known."""

    def still_pixels(self) -> bytes:
        """Return the pixels as they would be if nothing in the lights moved."""

    async def wait_change(self, since: int) -> int:
        """Wait until status, pieces or pixels have changed since a call that returned `since`, at
        first 0; return the number for the next call.
        """

    def games(self) -> Mapping[str, tuple[Layout, ...]]:
        """Return the games, each with the layouts that serve it, the best first."""

    def new_game(self, name: str, options: Mapping[str, str], layout: str) -> None:
        """Begin another game; ValueError says in one line why that is impossible."""

    def resume(self, name: str) -> None:
        """Resume the past match of that id or file name; ValueError says why that is impossible."""

    def continue_from(self, name: str, ply: int, *, thrown: bool = False) -> None:
        """Begin a match that goes on from the past match of that id after move number `ply`, or
        with `thrown` after the throw that followed it; ValueError or OSError say why that is
        impossible.
        """

    def record_as_test(self) -> Iterator[bytes]:
        """Yield the recording of this match, in chunks."""

    def as_record(self) -> tuple[str, str]:
        """Return this match as a file for other programs: its name and its text."""
