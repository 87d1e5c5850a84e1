"""Positions of Shogi with a mate in three.

The rules alone prove the mate: a check, and after every answer a move that mates; no move mates at
once. The positions come from games of greedy players that sometimes move at random:
`python -m benchmarks search --derive-mates`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from time import process_time
from typing import Any, Final

from benchmarks.timing import after
from engine.games import make
from engine.games.shogi.board import ShogiBoard
from engine.games.shogi.moves import ShogiMove
from engine.match import Match
from engine.search import JudgedMove, search

FILE: Final = Path(__file__).with_name("shogi_mates.txt")
"""A position a line, then a tab and the moves that begin the mate."""
COUNT: Final = 200
LONGEST: Final = 200
"""The games that they come from have at most this many plies."""
BETWEEN: Final = 6
"""The least number of plies between two positions of one game."""

_PLAYED_ON: Final = 12
"""The number of plies that are played on to prove a longer mate."""

Mate = tuple[str, frozenset[str]]


def kept() -> list[Mate]:
    """Return the positions in the file, each with the moves that begin the mate."""
    lines = [line.split("\t") for line in FILE.read_text().splitlines()]
    return [(text, frozenset(moves.split())) for text, moves in lines]


def checks(board: ShogiBoard) -> list[ShogiMove]:
    """Return the moves that give check."""
    found = []
    for move in board.moves():
        board.make(move)
        if board.checkers(board.turn):
            found.append(move)
        board.unmake()
    return found


def _mates_at_once(board: ShogiBoard) -> bool:
    for move in checks(board):
        board.make(move)
        mated = not board.moves()
        board.unmake()
        if mated:
            return True
    return False


def _all_mated(board: ShogiBoard) -> bool:
    """Return whether every answer to a check is mated at once, and there is an answer."""
    answers = board.moves()
    for answer in answers:
        board.make(answer)
        mated = _mates_at_once(board)
        board.unmake()
        if not mated:
            return False
    return bool(answers)


def begins(board: ShogiBoard) -> list[ShogiMove]:
    """Return the moves that begin a mate in three; none if one mates at once."""
    if _mates_at_once(board):
        return []
    found = []
    for move in checks(board):
        board.make(move)
        if _all_mated(board):
            found.append(move)
        board.unmake()
    return found


def derive(player: Callable[[Match], Any]) -> None:
    """Write the file, from games of this player."""
    game, chance = make("shogi"), Random(17)
    found: dict[str, str] = {}
    while len(found) < COUNT:
        match, due = Match.begin(game), 20
        while not match.outcome and match.plies < LONGEST:
            if match.plies >= due and (first_moves := begins(ShogiBoard(match.position))):
                texts = [game.move_text(match.position, move) for move in first_moves]
                found[game.position_text(match.position)] = " ".join(texts)
                due = match.plies + BETWEEN
            legal = list(match.legal)
            match = match.play(chance.choice(legal) if chance.random() < 0.2 else player(match))
    lines = [f"{text}\t{moves}\n" for text, moves in list(found.items())[:COUNT]]
    FILE.write_text("".join(lines))


def found_in(mate: Mate, seconds: float) -> float | None:
    """Return the processor time after which the search finds a forced mate; None if it does not.

    The move begins the mate in three, or mates in play against the best defence.
    """
    text, begins = mate
    match = Match.begin(make("shogi"), make("shogi").parse_position(text))
    began = process_time()
    best = _best(match, seconds)
    spent = process_time() - began
    if best.chance < 1:
        return None
    if best.text in begins:
        return spent
    ours, match = match.turn, match.play(best.move)
    for _ in range(_PLAYED_ON):
        if match.outcome:
            break
        match = match.play(_best(match, seconds).move)
    return spent if match.outcome and ours in match.outcome.winners else None


def _best(match: Match, seconds: float) -> JudgedMove:
    return search(match.game, match.position, stop=after(seconds), every=False).moves[0]
