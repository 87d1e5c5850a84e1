"""The play of won positions of Robot Duel, taken from the table of the whole game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from engine.games.robot_duel import RobotDuel, RobotDuelPosition
from engine.match import AnyMove
from engine.search.solved.numbering import number_of
from engine.search.solved.winning_play import WinningPlay, by_number, packed

GAME: Final = RobotDuel()

MOST_NODES: Final = 1_200
"""A position whose play has more positions of the winning side is left out."""

Wins: TypeAlias = Callable[[RobotDuelPosition], Mapping[AnyMove, int]]
"""Returns all winning moves of a position, each with its plies, as `WinningPlay.wins`."""


class Closure:
    """The positions that the play of some won positions needs."""

    def __init__(self, wins: Wins, defence: Callable[[RobotDuelPosition], AnyMove]) -> None:
        """`wins` knows every position; `defence` returns the best reply of a lost one."""
        self.wins = wins
        self._defence = defence
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
            for move, needed in self.wins(position).items():
                if needed == 1:
                    continue
                after = GAME.play(position, move)
                number = number_of(after)
                assert number is not None
                lost[number] = needed - 1
                if needed > plies:
                    continue
                if number not in defences:
                    defences[number] = _place_of(after, self._defence(after))
                to_do.append((GAME.play(after, play.defence(GAME, after)), plies - 2))
        self._lost |= lost
        self._defences |= defences
        return True

    def packed(self) -> bytes:
        """Return the bytes for `engine.search.solved.winning_play.unpacked`."""
        return packed(self._lost, self._defences)


def longest_defence(wins: Wins, position: RobotDuelPosition) -> AnyMove:
    """Return the reply of a lost position after which the loss takes longest; the first by its text
    if the lion is lost at once.
    """
    replies = by_number(GAME, position)
    longest, best = 0, None
    for number in sorted(replies):
        plies = min(wins(GAME.play(position, replies[number])).values())
        if plies > longest:
            longest, best = plies, replies[number]
    return best or min(GAME.legal(position), key=lambda move: GAME.move_text(position, move))


def _place_of(position: RobotDuelPosition, reply: AnyMove) -> int:
    """Return the place of a reply as `WinningPlay` counts it; 0 if the lion is lost at once."""
    numbers = sorted(by_number(GAME, position))
    number = number_of(GAME.play(position, reply))
    return 0 if number is None else 1 + numbers.index(number)
