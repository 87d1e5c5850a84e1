"""Moves as Japanese records tell them: with the square they come from (KIF), or with no more than
is needed to tell them from others (KI2).

    ７六歩(77)   同　銀成(31)   ４五角打   ５八金右
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from engine.games.shogi import ShogiMove
from engine.games.shogi.pieces import HELD, LETTERS
from engine.games.shogi.squares import PLACES
from engine.notation.japanese import ANY_KIND, KIND_OF, MARKS, NAMES, RANKS, digit
from engine.notation.lines import shown
from engine.notation.shogi_record import ShogiRecordError, Transcript

_MOVE_PATTERN: Final = (
    rf"(?P<target>同(?:じく)?\s{{0,20}}|[1-9][{RANKS}1-9])(?P<kind>{ANY_KIND})"
    r"\s*(?P<way>[左右直上行入寄引下]{0,3})\s*(?P<face>不成|成|生)?\s*(?P<drop>打)?"
    rf"\s*(?:\(\s*(?P<start>[0-9]\s*[0-9{RANKS}])\s*\))?\s*(?P<late>不成|成)?"
)
MOVE: Final = re.compile(_MOVE_PATTERN)
"""A move in a plain text; what comes after it is not looked at."""
NUMBERED_MOVE: Final = re.compile(
    rf"(?P<number>[0-9]{{0,5}}?)(?:手目?)?[\s.:]{{0,20}}[{''.join(MARKS)}]?\s{{0,20}}{_MOVE_PATTERN}"
)
"""The same with its number before it, with or without a blank between them."""
LIKE_A_MOVE: Final = re.compile(rf"同|[1-9][{RANKS}1-9]|.*\([0-9]{{2}}\)")
"""What is meant for a move, whether it is one or not."""
_START: Final = re.compile(r"\([1-9][1-9]\)")


def parse_move(transcript: Transcript, found: re.Match[str], line: str, where: str) -> ShogiMove:
    """Return the move of a match, found in the plain text of a line, in the position of a
    transcript. It need not be legal if the text says where it comes from. RecordError, naming
    `where`, if it cannot be meant.
    """
    said = shown(line[found.start("target") : found.end()].strip())
    kind = KIND_OF[found["kind"]]
    face = found["face"] or found["late"] or ""
    target = _target(transcript, found["target"], where)
    start = re.sub(r"\s", "", found["start"] or "")
    if start == "00" or (found["drop"] and not start):
        if kind not in HELD or face:
            raise ShogiRecordError(f"{where}: {said} cannot be dropped")
        return ShogiMove(f"{LETTERS[kind]}*{PLACES[target]}")
    if not start:
        return _told(transcript, found, target, f"{where}: {said}")
    if "0" in start or found["drop"]:
        raise ShogiRecordError(f"{where}: {said} comes from no square")
    source = 9 * digit(start[0]) + digit(start[1])
    piece = transcript.position.cells[source]
    if piece and piece & 15 != kind:
        stands = NAMES[piece & 15]
        raise ShogiRecordError(f"{where}: {stands} stands on {start}, not {found['kind']}")
    if source == target:
        raise ShogiRecordError(f"{where}: {said} stays on its square")
    return ShogiMove(PLACES[source] + PLACES[target] + ("+" if face == "成" else ""))


def _target(transcript: Transcript, text: str, where: str) -> int:
    if not text.startswith("同"):
        return 9 * digit(text[0]) + digit(text[1])
    if transcript.last is None:
        raise ShogiRecordError(f"{where}: 同 needs a move before it")
    return transcript.last.target


def _told(transcript: Transcript, found: re.Match[str], target: int, said: str) -> ShogiMove:
    """Return the one legal move that is told without the square it comes from."""
    kind = KIND_OF[found["kind"]]
    if _START.search(found.string, found.end(), found.endpos):
        raise ShogiRecordError(f"{said} is no move such as 1 ７六歩(77)")
    position = transcript.position
    legal = [move for move in transcript.game.legal(position) if move.target == target]
    turns = (found["face"] or found["late"]) == "成"
    steps = [
        move
        for move in legal
        if not move.drop and position.cells[move.start] & 15 == kind and move.promotes == turns
    ]
    for way in found["way"]:
        steps = _going(steps, way, position.turn)
    drops = [move for move in legal if move.drop == kind and not turns and not found["way"]]
    moves = steps or drops
    if len(moves) != 1:
        how_many = "several pieces" if moves else "no piece"
        raise ShogiRecordError(f"{said}: {how_many} can go there")
    return moves[0]


def _going(moves: list[ShogiMove], way: str, turn: int) -> list[ShogiMove]:
    """Return those moves that go a way, or whose piece stands on a side, as the mover sees it."""
    seen = -1 if turn else 1

    def ahead(move: ShogiMove) -> int:
        return seen * (move.start % 9 - move.target % 9)

    def to_the_left(move: ShogiMove) -> int:
        return seen * (move.start // 9)

    if way in "右左":
        sides = [to_the_left(move) for move in moves]
        outermost = (max if way == "左" else min)(sides, default=0)
        return [move for move, side in zip(moves, sides, strict=True) if side == outermost]
    wanted: Callable[[ShogiMove], bool] = {
        "寄": lambda move: ahead(move) == 0,
        "引": lambda move: ahead(move) < 0,
        "下": lambda move: ahead(move) < 0,
        "直": lambda move: ahead(move) == 1 and move.start // 9 == move.target // 9,
    }.get(way, lambda move: ahead(move) > 0)
    return [move for move in moves if wanted(move)]


def marked(text: str) -> Iterator[tuple[int, int, int]]:
    """Yield, for each mark before a move in a plain line of KI2, the side that it names, and from
    where to where in the line the move stands.
    """
    marks = list(re.finditer(rf"([{''.join(MARKS)}])\s*", text))
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    for mark, end in zip(marks, ends, strict=True):
        if mark.end() < end:
            yield MARKS[mark[1]], mark.end(), end
