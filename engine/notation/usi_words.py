"""What a game calls its moves and positions in the USI protocol: Shogi, and Robot Duel as engines
know it (`dobutsu`), whose board they number as a Shogi board, files from the right.
"""

from __future__ import annotations

import re
from typing import Any, Final

from engine.game import MoveError
from engine.match import AnyGame, AnyMove

VARIANTS: Final = {"shogi": "shogi", "robot-duel": "dobutsu"}
"""By game: what engines call it."""
_FILES: Final = {"A": "3", "B": "2", "C": "1"}
_RANKS: Final = dict(zip("1234", "abcd", strict=True))
_COLUMNS: Final = {file: column for column, file in _FILES.items()}
_ROWS: Final = {rank: row for row, rank in _RANKS.items()}
_OURS: Final = re.compile(r"([A-C][1-4]|[CEG]\*)([A-C][1-4])(\+?)")
_THEIRS: Final = re.compile(r"([1-3][a-d]|[CEGceg][*@])([1-3][a-d])(\+?)")


def move_word(game: AnyGame, position: Any, move: AnyMove) -> str:
    """Return a legal move as USI writes it."""
    text = game.move_text(position, move)
    if game.name == "shogi":
        return text
    found = _OURS.fullmatch(text)
    assert found is not None
    start, end, turned = found.groups()
    return f"{start if '*' in start else _square(start)}{_square(end)}{turned}"


def move_of(game: AnyGame, position: Any, word: str) -> AnyMove:
    """Return the legal move of a USI word; MoveError if it is none, IllegalMoveError if the rules
    forbid it.
    """
    if game.name != "shogi":
        found = _THEIRS.fullmatch(word)
        if found is None:
            raise MoveError(f"{word!r} is no move as USI writes it")
        start, end, turned = found.groups()
        begun = f"{start[0].upper()}*" if start[1] in "*@" else _cell(start)
        word = f"{begun}{_cell(end)}{turned}"
    return game.parse_move(position, word)


def position_word(game: AnyGame, position: Any) -> str:
    """Return a position as USI writes it: `startpos`, or `sfen` and the position."""
    if position == game.start():
        return "startpos"
    return f"sfen {game.position_text(position)}"


def _square(cell: str) -> str:
    return _FILES[cell[0]] + _RANKS[cell[1]]


def _cell(square: str) -> str:
    return _COLUMNS[square[0]] + _ROWS[square[1]]
