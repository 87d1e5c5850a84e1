"""Exact results of Robot Duel, derived from its lost positions."""

from __future__ import annotations

import lzma
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import accumulate
from typing import Final

from engine.games.robot_duel import RobotDuel, RobotDuelPosition
from engine.games.robot_duel.moves import ARMIES
from engine.search.solved.numbering import number_of

_SECOND_PLAYER: Final = "robot_duel_second_player.xz"


@dataclass(frozen=True, slots=True)
class Values:
    """A book of exact results; the options `promotion` and `repetition` do not change them."""

    lost: Callable[[int], int]
    """By number: the plies until a position is lost; 0 if it is not lost or unknown."""
    whole: bool
    """Whether it holds all lost positions."""

    def plies(self, game: RobotDuel, position: RobotDuelPosition) -> int | None:
        """Return the plies until the side to move wins or (negative) loses.

        0: a draw; None: unknown. The game must not be over. Unless the book is whole, another move
        may win sooner.
        """
        if game.options["try_rule"] == "none":
            return None  # another game
        if self.whole and _takes_the_lion(position):
            return 1
        number = number_of(position)
        if number is None:  # a lion came home and was not captured
            return None
        if lost := self.lost(number):
            return -lost
        soonest = 0
        for move in game.legal(position):
            after = game.play(position, move)
            number = number_of(after)
            if number is not None:
                lost = self.lost(number)
            else:
                lost = 0
                ended = game.outcome(after)
                if ended is not None and position.turn in ended.winners:
                    return 1
            if lost and not 0 < soonest <= lost:
                soonest = lost
        if soonest:
            return 1 + soonest
        return 0 if self.whole else None


def _takes_the_lion(position: RobotDuelPosition) -> bool:
    armies = ARMIES["optional"]
    return bool(armies[position.mine].attacked & armies[position.theirs].lion)


@cache
def second_player() -> Values:
    """Return the book of the program: enough to win from the start as the second player."""
    data = (resources.files(__package__) / _SECOND_PLAYER).read_bytes()
    return Values(Listed(data), whole=False)


class Listed:
    """Some lost positions with their plies, in one list."""

    def __init__(self, data: bytes) -> None:
        """Take the bytes that `listed` returned."""
        plain = lzma.decompress(data)
        count = int.from_bytes(plain[:4], "little")
        self._halves = plain[4 : 4 + count]
        self._numbers = array("I", accumulate(_unpacked(plain[4 + count :])))

    def __len__(self) -> int:
        return len(self._numbers)

    def __call__(self, number: int) -> int:
        """Return the plies until that position is lost, 0 if it is not listed."""
        place = bisect_left(self._numbers, number)
        known = place < len(self._numbers) and self._numbers[place] == number
        return 2 * self._halves[place] if known else 0


def listed(lost: Mapping[int, int]) -> bytes:
    """Return the bytes for `Listed` from the plies of lost positions by number."""
    numbers = sorted(lost)
    plain = bytearray(len(numbers).to_bytes(4, "little"))
    plain += bytes(lost[number] // 2 for number in numbers)
    for before, number in zip([0, *numbers], numbers, strict=False):
        gap = number - before
        while gap > 127:
            plain.append(gap & 127 | 128)
            gap >>= 7
        plain.append(gap)
    # Unpacking needs as much memory as the dictionary, which would be 64 MB with the preset.
    small = {"id": lzma.FILTER_LZMA2, "preset": 9, "lc": 0, "pb": 0, "dict_size": 1 << 20}
    return lzma.compress(plain, filters=[small])


def _unpacked(packed: bytes) -> Iterator[int]:
    """Yield numbers stored as seven bits a byte, lowest first; the last byte is below 128."""
    number = shift = 0
    for byte in packed:
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            yield number
            number = shift = 0
