"""How long a move takes from one board to the light on the other: `python -m tests.mqtt.latency`.

Two simulated boards in one process play over a mosquitto on the loopback. Two times are measured:
from the moment at which the move counts on the first board, and from the moment at which the hand
has put the piece down there; both to the first picture of the second board that lights the move.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import time
from pathlib import Path

from tests.support.boards_on_mqtt import BoardOnMqtt, at_a_broker, two_boards
from tests.support.mosquitto import Mosquitto

MOVES = [text.format(file) for file in range(1, 10) for text in ("{0}g{0}f", "{0}c{0}d")] + [
    "1i1h",
    "1a1b",
    "9i9h",
    "9a9b",
]
LOOK_S = 0.0005


class Stopwatch:
    """Notes when a board counts a move, and when the pixels of a place of the other one change."""

    def __init__(self, mover: BoardOnMqtt, other: BoardOnMqtt, text: str) -> None:
        self.counted = self.lit = 0.0
        self._mover, self._other = mover, other
        self._moves = len(mover.moves)
        places = other.host.layout.game(other.host.game.name).places
        self._pixels = other.host.layout.places[places[text[2:]]].pixels
        self._dark = self._shown()

    def _shown(self) -> list[tuple[int, ...]]:
        strip = self._other.host.board.strip.pixels
        return [tuple(strip[pixel]) for pixel in self._pixels]

    async def run(self) -> None:
        while not self.lit:
            await asyncio.sleep(LOOK_S)
            now = time.perf_counter()
            record = self._mover.host.controller.session.record
            if not self.counted and len(record) > self._moves:
                self.counted = now
            if self._shown() != self._dark:
                self.lit = now


async def measure(folder: Path, port: int) -> None:
    boards = two_boards(folder, port, game="shogi", layout="square-reed")
    from_count, from_hand = [], []
    async with at_a_broker(*boards):
        await asyncio.sleep(1)
        for number, text in enumerate(MOVES):
            mover, other = boards if number % 2 == 0 else boards[::-1]
            await mover.hands(f"{text[:2]}- 0.3")
            watching = Stopwatch(mover, other, text)
            run = asyncio.create_task(watching.run())
            down = time.perf_counter()
            await mover.hands(f"{text[2:]}+")
            await run
            from_count.append(1000 * (watching.lit - watching.counted))
            from_hand.append(1000 * (watching.lit - down))
            await other.hands(f"{text[:2]}- 0.3 {text[2:]}+ 0.5")
            await mover.until(lambda mover=mover, n=number: len(mover.moves) == n + 1)
            await other.until(lambda other=other, n=number: len(other.moves) == n + 1)
    for what, found in (("the move counts", from_count), ("the piece is put down", from_hand)):
        print(
            f"from the moment at which {what} to the light on the other board: median "
            f"{statistics.median(found):.1f} ms, largest {max(found):.1f} ms, {len(found)} moves"
        )


def main() -> int:
    """Measure, and print the figures."""
    with tempfile.TemporaryDirectory() as folder:
        broker = Mosquitto(Path(folder))
        try:
            asyncio.run(measure(Path(folder), broker.port))
        finally:
            broker.kill()
    return 0


if __name__ == "__main__":
    sys.exit(main())
