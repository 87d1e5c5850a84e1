"""Won positions of Robot Duel with all that it takes to win them against the best defence.

Wherever the winning side is to move, the play of a position holds all of its winning moves. Where
such a move wins in time, it holds the best defence against it. So every move can be judged exactly.
Another defence leaves the play; then nothing is known here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import resources
from typing import Final

from engine.games.robot_duel import RobotDuelPosition
from engine.match import AnyGame, AnyMove
from engine.search.solved.numbering import number_of
from engine.search.solved.values import Listed, listed

FILE: Final = "robot_duel_endgames.xz"
_LENGTH_BYTES: Final = 4


class WinningPlay:
    """The play of won positions."""

    def __init__(self, lost: Callable[[int], int], defences: Callable[[int], int]) -> None:
        """`lost` returns by number the plies until a position is lost, 0 if it is not. `defences`
        returns the place of the best reply, from 1, in the order of the numbers of the positions
        after all replies; 0 if none is known.
        """
        self._lost = lost
        self._defences = defences

    def wins(self, game: AnyGame, position: RobotDuelPosition) -> dict[AnyMove, int]:
        """Return the winning moves, each with the plies until it wins, the move itself included.

        There are none if the position is not part of the play.
        """
        found: dict[AnyMove, int] = {}
        for move in game.legal(position):
            after = game.play(position, move)
            ended = game.outcome(after)
            if ended is not None:
                if position.turn in ended.winners:
                    found[move] = 1
            elif (number := number_of(after)) is not None and (lost := self._lost(number)):
                found[move] = 1 + lost
        return found

    def defence(self, game: AnyGame, position: RobotDuelPosition) -> AnyMove:
        """Return the best defence of a lost position: a reply after which the loss takes longest.

        If the play has none, because the lion is lost at once, it is the first reply by its text.
        """
        number = number_of(position)
        place = 0 if number is None else self._defences(number)
        if not place:
            return min(game.legal(position), key=lambda move: game.move_text(position, move))
        replies = by_number(game, position)
        return replies[sorted(replies)[place - 1]]


def by_number(game: AnyGame, position: RobotDuelPosition) -> dict[int, AnyMove]:
    """Return the moves by the number of the position after them; of several the first by its text.

    Moves that end the game, or after which the lion can be taken, have no number.
    """
    found: dict[int, AnyMove] = {}
    for move in sorted(game.legal(position), key=lambda move: game.move_text(position, move)):
        number = number_of(game.play(position, move))
        if number is not None:
            found.setdefault(number, move)
    return found


def packed(lost: Mapping[int, int], defences: Mapping[int, int]) -> bytes:
    """Return the bytes for `unpacked`, from what a `WinningPlay` asks for, by number."""
    first = listed(lost)
    second = listed({number: 2 * place for number, place in defences.items()})
    return len(first).to_bytes(_LENGTH_BYTES, "little") + first + second


def unpacked(data: bytes) -> WinningPlay:
    """Return the play in the bytes that `packed` returned."""
    end = _LENGTH_BYTES + int.from_bytes(data[:_LENGTH_BYTES], "little")
    defences = Listed(data[end:])
    return WinningPlay(Listed(data[_LENGTH_BYTES:end]), lambda number: defences(number) // 2)


@cache
def endgames() -> WinningPlay:
    """Return the play that comes with the program: that of its puzzles and endgames."""
    return unpacked((resources.files(__package__) / FILE).read_bytes())
