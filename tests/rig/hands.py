"""Hands that play a recording on a simulated board."""

from __future__ import annotations

import math
import time
from pathlib import Path

from firmware_host.session.events import Frame
from firmware_host.storage import recording
from hardware.simulated.board import SimulatedBoard


class Hands:
    """Moves magnets as in a recording, on the recording's time."""

    def __init__(self, board: SimulatedBoard, game: str, file: Path) -> None:
        self.board = board
        self.places = board.layout.game(game).places
        self.frames = [e for e in recording.read(file).events() if isinstance(e, Frame)]
        self.states: list[dict[str, int]] = [{}]
        """All states of the board so far, by its own places."""
        self.at = self.frames[0].at
        """The present time of the recording."""
        self.go_to(self.frames[0])

    def go_to(self, frame: Frame) -> None:
        """Put the pieces where a frame reads them."""
        now = self.states[-1]
        then = {
            self.places[place]: reading
            for place, reading in frame.readings.items()
            if place in self.places
        }
        for place in sorted(now.keys() | then.keys()):
            have, want = now.get(place, 0), then.get(place, 0)
            if self.board.layout.places[place].kind == "slot":
                self._fill(place, have, want)
                continue
            if have and have != want:
                self.board.lift(place)
            if want and have != want:
                self.board.put(place, want)
        self.states.append(then)

    def _fill(self, slot: str, have: int, want: int) -> None:
        for _ in range(want - have):
            self.board.put(slot)
        for _ in range(have - want):
            self.board.lift(slot)

    def play(self, until: float = math.inf) -> None:
        """Play on to this time of the recording."""
        begun = time.monotonic() - self.at
        for frame in self.frames:
            if self.at < frame.at <= until:
                time.sleep(max(0.0, begun + frame.at - time.monotonic()))
                self.go_to(frame)
                self.at = frame.at
