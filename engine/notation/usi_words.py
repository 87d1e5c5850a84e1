"""What a game calls its moves and positions in the USI protocol: Shogi, and Robot Duel as engines
know it (`dobutsu`), whose board they number as a Shogi board, files from the right.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from engine.game import GameError, MoveError
from engine.match import AnyGame, AnyMove, Match

VARIANTS: Final = {"shogi": "shogi", "robot-duel": "dobutsu"}
"""By game: what engines call it."""
VARIANT_OPTIONS: Final = ("USI_Variant", "UCI_Variant")
"""What engines call the option for the game; Fairy-Stockfish had the second name until 2022."""
IMPASSE_OPTION: Final = "EnteringKingRule"
"""What YaneuraOu and engines after it call the option for the rule of impasse."""
IMPASSES: Final = {
    "agreement24": "NoEnteringKing",
    "declaration27": "CSARule27",
    "off": "NoEnteringKing",
}
"""By our value of that option: theirs. Only with declaration27 may an engine say that it wins."""
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


def match_of(game: AnyGame, words: Sequence[str]) -> Match:
    """Return the match of the words behind `position`: where it begins, and the moves since.
    GameError says what is wrong.
    """
    start, moves = _parts(words)
    position = game.start()
    if start[:1] == ["sfen"]:
        position = game.parse_position(" ".join(start[1:]))
    elif start[:1] != ["startpos"]:
        raise GameError("expected startpos or sfen")
    match = Match.begin(game, position)
    for word in moves:
        match = match.play(move_of(game, match.position, word))
    return match


def is_robot_duel(words: Sequence[str]) -> bool:
    """Whether such words tell of Robot Duel: its board has four rows, and no game of Shogi begins
    with a move from the other side's camp.
    """
    start, moves = _parts(words)
    if start[:1] == ["sfen"]:
        return len(start) > 1 and start[1].count("/") == len(_RANKS) - 1
    return bool(moves) and _THEIRS.fullmatch(moves[0]) is not None


def _parts(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the words before `moves`, and those behind it."""
    said = list(words)
    at = said.index("moves") if "moves" in said else len(said)
    return said[:at], said[at + 1 :]


def position_word(game: AnyGame, position: Any) -> str:
    """Return a position as USI writes it: `startpos`, or `sfen` and the position."""
    if position == game.start():
        return "startpos"
    return f"sfen {game.position_text(position)}"


def _square(cell: str) -> str:
    return _FILES[cell[0]] + _RANKS[cell[1]]


def _cell(square: str) -> str:
    return _COLUMNS[square[0]] + _ROWS[square[1]]
