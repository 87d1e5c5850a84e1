"""The play of won positions of Robot Duel, taken from the table of the whole game."""

from __future__ import annotations

from typing import Final

from engine.games.robot_duel import RobotDuel, RobotDuelPosition
from engine.search.solved.numbering import number_of
from engine.search.solved.winning_play import WinningPlay, by_number, packed

GAME: Final = RobotDuel()

MOST_NODES: Final = 600
"""A position whose play has more positions of the winning side is left out."""


class Closure:
    """The positions that the play of some won positions needs."""

    def __init__(self, whole: WinningPlay) -> None:
        """`whole` knows all lost positions."""
        self._whole = whole
        self._lost: dict[int, int] = {}
        self._defences: dict[int, int] = {}

    def add(self, position: RobotDuelPosition, plies: int) -> bool:
        """Add the play of a position that is to be won within this many plies; return False and add
        nothing if that is too much.

        Against the best defence the learner may play every move that wins in time.
        """
        lost: dict[int, int] = {}
        defences: dict[int, int] = {}
        play = WinningPlay(lambda number: lost.get(number, 0), lambda number: defences[number])
        seen: dict[RobotDuelPosition, int] = {}
        to_do = [(position, plies)]
        while to_do:
            position, plies = to_do.pop()
            if seen.get(position, 0) >= plies:
                continue
            seen[position] = plies
            if len(seen) > MOST_NODES:
                return False
            for move, needed in self._whole.wins(GAME, position).items():
                if needed == 1:
                    continue
                after = GAME.play(position, move)
                number = number_of(after)
                assert number is not None
                lost[number] = needed - 1
                if needed > plies:
                    continue
                if number not in defences:
                    defences[number] = self._defence(after)
                to_do.append((GAME.play(after, play.defence(GAME, after)), plies - 2))
        self._lost |= lost
        self._defences |= defences
        return True

    def _defence(self, position: RobotDuelPosition) -> int:
        """Return the place of the reply after which the loss takes longest, as in `WinningPlay`; 0
        if the lion is lost at once.
        """
        replies = by_number(GAME, position)
        longest, best = 0, 0
        for place, number in enumerate(sorted(replies), 1):
            after = GAME.play(position, replies[number])
            plies = min(self._whole.wins(GAME, after).values())
            if plies > longest:
                longest, best = plies, place
        return best

    def packed(self) -> bytes:
        """Return the bytes for `engine.search.solved.winning_play.unpacked`."""
        return packed(self._lost, self._defences)
