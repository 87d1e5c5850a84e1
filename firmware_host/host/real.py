"""A real board under a host: sensors that a thread watches, lights that are dark at the end."""

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

if TYPE_CHECKING:  # who has no page does without all that belongs to one
    from firmware_host.web.pieces import InferredPieces


class BoardWires(Protocol):
    """The wires of a board."""

    @property
    def machine(self) -> Machine:
        """What is behind them."""

    @property
    def interrupt(self) -> bool:
        """Whether the interrupt line is low."""

    def close(self) -> None:
        """Give them back."""


OpenWires: TypeAlias = Callable[[Callable[[], None]], BoardWires]
"""Opens the wires; what it is given is called, from any thread, when the board wants a look."""


class RealBackend:
    """One board, for all matches; the pieces on it are people's to move."""

    def __init__(self, layout: Layout, open_wires: OpenWires) -> None:
        """Open the wires; what `open_wires` raises says why they cannot be had."""
        self.layout = layout
        self._watch: SensorThread | None = None
        self._closed = False
        self._wires = open_wires(self._call)
        machine = self._machine = self._wires.machine
        lamps = machine.lamps
        self._lamps = Lamps(layout, brightness=lamps.brightness, budget_ma=lamps.budget_ma)
        self._still: tuple[Mapping[Place, Light], bytes] | None = None
        self._pieces: InferredPieces | None = None

    def join(self, now: Callable[[], float], moved: Callable[[], None], files: MatchFiles) -> None:
        """Begin to watch the board for a host, which runs in the loop of the caller."""
        loop = asyncio.get_running_loop()

        def told() -> None:
            with contextlib.suppress(RuntimeError):  # the loop has ended meanwhile
                loop.call_soon_threadsafe(moved)

        lookout = Polling(self._machine, lambda: self._wires.interrupt)
        self._watch = SensorThread(lookout, now, told)
        self._watch.start()

    def _call(self) -> None:
        if self._watch is not None:
            self._watch.call()

    @property
    def looks(self) -> int:
        """How many looks have found the board answering; only ever grows."""
        return 0 if self._watch is None else self._watch.looks

    # ---- one board for all

    def serving(self, game: str) -> tuple[Layout, ...]:
        """Return the board, if the game may be played on it."""
        return (self.layout,) if game in self.layout.games else ()

    def named(self, layout: str) -> Layout:
        """Return the board; ValueError if that is another's name."""
        if layout != self.layout.name:
            raise ValueError(f"this board is {self.layout.name}; there is no {layout!r} here")
        return self.layout

    def kept(self, layout: str) -> Layout:
        """Return the board: a match that was begun on another goes on here."""
        return self.layout

    def lay_out(
        self, game: AnyGame, layout: Layout, match: Match, as_it_lies: bool, kept: bool
    ) -> Machine:
        """Let people set up the pieces; they are told what lies where by the sensors."""
        self._pieces = None
        if self._watch is not None:
            self._watch.again()
        return self._machine

    # ---- while it is played

    def frames(self, now: float, called: bool) -> Iterable[SensorFrame]:
        """Return what the watch has seen."""
        return () if self._watch is None else self._watch.take()

    def look_by(self, at: float | None) -> None:
        """Have the watch look at the board at that time at the latest."""
        if self._watch is not None:
            self._watch.look_by(at)

    @property
    def due(self) -> float:
        """Never: the watch calls."""
        return math.inf

    def keep(self, now: float) -> None:
        """Real pieces keep their places by themselves."""

    def pixels(self) -> bytes:
        """Return every pixel as it was sent."""
        return b"".join(map(bytes, self._machine.pixels))

    def still_pixels(self, board: BoardController) -> bytes:
        """Return the same as they would be if nothing in the lights moved."""
        if self._still is None or self._still[0] is not board.lights:
            frame = self._lamps.frame(board.still())
            pixels = ws2812.decode_frame(frame, self.layout.led_order)
            self._still = board.lights, b"".join(map(bytes, pixels))
        return self._still[1]

    def pieces(self, host: Any) -> InferredPieces:
        """Return the pieces as the rules and the sensors know them."""
        if self._pieces is None:
            from firmware_host.web.pieces import InferredPieces

            self._pieces = InferredPieces(host)
        return self._pieces

    def hands(self, host: Any) -> None:
        """Pieces of a real board are people's to move."""

    def close(self) -> None:
        """Put the lights out and give the wires back; once is enough."""
        if self._closed:
            return
        self._closed = True
        over = self._watch is None or self._watch.stop()
        self._machine.light({}, math.inf)
        if over:  # else a look hangs in the very wires that are to be closed
            self._machine.close()
            self._wires.close()
