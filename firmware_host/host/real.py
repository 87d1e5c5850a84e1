"""A real board under a host: a thread reads its sensors, its lights are dark at the end."""

from __future__ import annotations

import asyncio
import contextlib
import math
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from drivers import ws2812
from engine.game import Place
from engine.match import AnyGame, Match
from firmware_host.controller.controller import BoardController
from firmware_host.controller.polling import Polling
from firmware_host.host.sensor_thread import SensorThread
from firmware_host.lights.signals import Light
from firmware_host.storage.match_files import MatchFiles
from hardware.layout import Layout
from hardware.lighting import Lamps
from hardware.machine import Machine, SensorFrame

if TYPE_CHECKING:  # a program without a page does not import it
    from firmware_host.web.pieces import InferredPieces


class BoardWires(Protocol):
    """The wires of a board."""

    @property
    def machine(self) -> Machine:
        """The machine behind them."""

    @property
    def interrupt(self) -> bool:
        """Whether the interrupt line is low."""

    def close(self) -> None:
        """Release them."""


OpenWires: TypeAlias = Callable[[Callable[[], None]], BoardWires]
"""Opens the wires. The function that it is given is called, from any thread, when the board calls.
"""


class RealBackend:
    """One board for all matches; people move its pieces."""

    def __init__(self, layout: Layout, open_wires: OpenWires) -> None:
        """Open the wires; what `open_wires` raises says why they cannot be opened."""
        self.layout = layout
        self._thread: SensorThread | None = None
        self._closed = False
        self._wires = open_wires(self._call)
        machine = self._machine = self._wires.machine
        lamps = machine.lamps
        self._lamps = Lamps(layout, brightness=lamps.brightness, budget_ma=lamps.budget_ma)
        self._still: tuple[Mapping[Place, Light], bytes] | None = None
        self._pieces: InferredPieces | None = None

    def join(self, now: Callable[[], float], moved: Callable[[], None], files: MatchFiles) -> None:
        """Begin to look at the board for a host, which runs in the caller's loop."""
        loop = asyncio.get_running_loop()

        def notify() -> None:
            with contextlib.suppress(RuntimeError):  # the loop has ended meanwhile
                loop.call_soon_threadsafe(moved)

        polling = Polling(self._machine, lambda: self._wires.interrupt)
        self._thread = SensorThread(polling, now, notify)
        self._thread.start()

    def _call(self) -> None:
        if self._thread is not None:
            self._thread.call()

    @property
    def looks(self) -> int:
        """How many looks have found the board answering; only ever grows."""
        return 0 if self._thread is None else self._thread.looks

    # ---- one board for all

    def serving(self, game: str) -> tuple[Layout, ...]:
        """Return the board, if the game may be played on it."""
        return (self.layout,) if game in self.layout.games else ()

    def named(self, layout: str) -> Layout:
        """Return the board; ValueError if the name is another."""
        if layout != self.layout.name:
            raise ValueError(f"this board is {self.layout.name}; there is no {layout!r} here")
        return self.layout

    def layout_for_saved(self, layout: str) -> Layout:
        """Return the board: a match that was begun on another one is resumed here."""
        return self.layout

    def lay_out(
        self, game: AnyGame, layout: Layout, match: Match, as_it_lies: bool, save: bool
    ) -> Machine:
        """Let people set up the pieces; the sensors say what lies where."""
        self._pieces = None
        if self._thread is not None:
            self._thread.again()
        return self._machine

    # ---- while it is played

    def frames(self, now: float, called: bool) -> Iterable[SensorFrame]:
        """Return what the thread has seen."""
        return () if self._thread is None else self._thread.take()

    def look_by(self, at: float | None) -> None:
        """Have the thread look at the board at that time at the latest."""
        if self._thread is not None:
            self._thread.look_by(at)

    @property
    def due(self) -> float:
        """Never: the thread wakes the host."""
        return math.inf

    def save_due(self, now: float) -> None:
        """Nothing is to be saved: real pieces stay where they are."""

    def pixels(self) -> bytes:
        """Return every pixel as it was sent."""
        return b"".join(map(bytes, self._machine.pixels))

    def still_pixels(self, board: BoardController) -> bytes:
        """Return the pixels of the same scene without motion."""
        if self._still is None or self._still[0] is not board.lights:
            frame = self._lamps.frame(board.still())
            pixels = ws2812.decode_frame(frame, self.layout.led_order)
            self._still = board.lights, b"".join(map(bytes, pixels))
        return self._still[1]

    def all_in_place(self, position: Any) -> bool:
        """Return False: sensors feel neither what lies beside the board nor where pieces point."""
        return False

    def pieces(self, host: Any) -> InferredPieces:
        """Return the pieces as the rules and the sensors know them."""
        if self._pieces is None:
            from firmware_host.web.pieces import InferredPieces

            self._pieces = InferredPieces(host)
        return self._pieces

    def hands(self, host: Any) -> None:
        """Return None: only people move the pieces of a real board."""

    def close(self) -> None:
        """Put the lights out and release the wires; a second call does nothing."""
        if self._closed:
            return
        self._closed = True
        over = self._thread is None or self._thread.stop()
        self._machine.light({}, math.inf)
        if over:  # else a look hangs in the wires that are to be closed
            self._machine.close()
            self._wires.close()
