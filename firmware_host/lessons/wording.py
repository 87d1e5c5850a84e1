"""Checks that the words of a lesson describe its right moves, as far as English words show."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from engine.game import Piece, Place
from engine.match import AnyMove
from firmware_host.lessons.lesson import Lesson

_WHO: Final = r"(?:the|a|an|your|their|its|one|this|that)"
_NOT_ASKED: Final = (
    r"(?<!can )(?<!cannot )(?<!could )(?<!may )(?<!must )(?<!not )(?<!n't )(?<!to )(?<!would )"
)
"""`the king cannot take it` does not ask for a capture."""
_TAKES: Final = re.compile(rf"{_NOT_ASKED}\b(?:take|capture|eat)\b", re.IGNORECASE)
_TAKEN: Final = rf"{_NOT_ASKED}\b(?:take|capture|eat)\s+{_WHO}"
_MOVED: Final = rf"{_NOT_ASKED}\b(?:move|lift|bring|drop|put|place|with)\s+{_WHO}"
_BETWEEN: Final = r"\s+(?:[\w']+\s+){0,2}?"
"""One or two words may stand before a name: `the yellow chick`, `your opponent's lion`."""
_TO: Final = re.compile(r"\bto (\w+)|\b(?:put|place|drop)\b[^.:;]*? on (\w+)", re.IGNORECASE)
"""The place where a piece has to go."""


def points_elsewhere(lesson: Lesson, lines: Sequence[tuple[Any, AnyMove]]) -> Iterator[str]:
    """Yield what the words of a lesson ask for and its right moves do not do.

    `lines` are these moves, also those of the second step, each with the position before it.
    """
    game, position, text = lesson.game, lesson.position, lesson.task
    done = _Effects(lesson, lines)
    others = [move for move in game.legal(position) if not _is_right(lesson, move)]
    for move in others:
        name = game.move_text(position, move)
        if re.search(rf"(?<![\w*+-]){re.escape(name)}(?![\w*+=-])", text):
            yield f"tell: it names {name}, which is not right"
    elsewhere = {place for move in others for place in game.changes(position, move)}
    for place in sorted((elsewhere - done.places) & set(re.findall(r"\w+", text))):
        if place in game.cells():
            yield f"tell: it names {place}, and no right move has to do with that"
    for found in _TO.finditer(text):
        place = found[1] or found[2]
        if place in game.cells() and place in done.places - done.filled:
            yield f"tell: something is to go to {place}, and no right move ends there"
    for kind in _named(_MOVED, lesson):
        if kind not in done.moved:
            yield f"tell: the {kind} is to move, and no right move does that"
    for kind in _named(_TAKEN, lesson):
        if kind not in done.taken:
            yield f"tell: the {kind} is to be taken, and no right move does that"
    if _TAKES.search(text) and not done.taken:
        yield "tell: something is to be taken, and no right move takes anything"


def _is_right(lesson: Lesson, move: AnyMove) -> bool:
    return lesson.game.move_text(lesson.position, move) in lesson.right


def _named(before: str, lesson: Lesson) -> Iterator[str]:
    """Yield the names of kinds that follow such words."""
    kinds = sorted(lesson.game.kinds.values(), key=len, reverse=True)
    names = "|".join(map(re.escape, kinds))
    for found in re.finditer(rf"{before}{_BETWEEN}({names})\b", lesson.task, re.IGNORECASE):
        yield found[1].lower()


class _Effects:
    """The effects of moves: the places that they change, those where a piece of the mover or of
    nobody arrives, and the names of the pieces that move and are taken.
    """

    def __init__(self, lesson: Lesson, lines: Sequence[tuple[Any, AnyMove]]) -> None:
        self.places: set[Place] = set()
        self.filled: set[Place] = set()
        self.moved: set[str] = set()
        self.taken: set[str] = set()
        game = lesson.game
        for position, move in lines:
            standing = game.pieces(position)
            for place, comes in game.changes(position, move).items():
                self.places.add(place)
                if comes is not None and comes.owner in (lesson.seat, None):
                    self.filled.add(place)
                for piece in (standing.get(place), comes):
                    self._count(lesson, piece)

    def _count(self, lesson: Lesson, piece: Piece | None) -> None:
        if piece is None:
            return
        name = lesson.game.kinds[piece.kind].lower()
        if piece.owner in (lesson.seat, None):
            self.moved.add(name)
        if piece.owner != lesson.seat:
            self.taken.add(name)
