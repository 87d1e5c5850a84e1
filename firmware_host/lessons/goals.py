"""What a lesson wants: whether a position that was reached, and the move that led there, is it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.game import CHANCE, Pass, Place, Seat, Throw
from engine.match import AnyGame, AnyMove


@dataclass(frozen=True, slots=True)
class LessonPlies:
    """A move of the learner's, between two positions."""

    game: AnyGame
    start: Any
    """The position in which the lesson began."""
    before: Any
    move: AnyMove
    after: Any

    @property
    def seat(self) -> Seat:
        """The learner's seat."""
        return self.game.turn(self.start)

    @property
    def text(self) -> str:
        """The move in the game's notation."""
        return self.game.move_text(self.before, self.move)


Goal = Mapping[str, Any]
"""What must hold right after an own move, all of it; the keys are those of GOALS."""


def met(goal: Goal, played: LessonPlies) -> bool:
    """Whether all of a goal holds."""
    return all(GOALS[key](played, want) for key, want in goal.items())


def _win(played: LessonPlies, reason: str) -> bool:
    outcome = played.game.outcome(played.after)
    return outcome is not None and played.seat in outcome.winners and outcome.reason == reason


def _stands(played: LessonPlies, wanted: Mapping[Place, str]) -> bool:
    pieces = played.game.pieces(played.after)
    return all(_is(pieces.get(place), played.seat, kind) for place, kind in wanted.items())


def _is(piece: Any, seat: Seat, kind: str) -> bool:
    """Whether a man is one of that kind: the learner's or nobody's; `!w`: another's; `-`: none of
    his.
    """
    if kind.startswith("!"):
        return piece is not None and piece.owner != seat and piece.kind == kind[1:]
    mine = piece is not None and piece.owner in (seat, None)
    return not mine if kind == "-" else mine and piece.kind == kind


def _holds(played: LessonPlies, wanted: Mapping[Place, int]) -> bool:
    pieces = played.game.pieces(played.after)
    return all(place in pieces and pieces[place].count >= n for place, n in wanted.items())


def _move(played: LessonPlies, texts: Sequence[str]) -> bool:
    return played.text in texts


def _score(played: LessonPlies, points: int) -> bool:
    now, then = (played.game.points(each)[played.seat] for each in (played.after, played.start))
    return now - then >= points


def _camp(played: LessonPlies, robots: int) -> bool:
    """Men that nobody owns and both carry, in the learner's camp."""
    camp = played.game.camps[played.seat]  # type: ignore[attr-defined]
    pieces = played.game.pieces(played.after)
    return sum(piece.kind in "WBR" for cell, piece in pieces.items() if cell in camp) >= robots


def _threat(played: LessonPlies, kinds: Sequence[str]) -> bool:
    return any(threat.kind in kinds for threat in played.game.threats(played.after))


def _fork(played: LessonPlies, kinds: Sequence[str]) -> bool:
    return len({t.place for t in played.game.threats(played.after) if t.kind in kinds}) > 1


def _safe(played: LessonPlies, kinds: Sequence[str]) -> bool:
    """Whether no reply takes one of the learner's men of such kinds (none named: of any)."""
    game, after = played.game, played.after
    if game.outcome(after) is not None:
        return True
    own = _own(played, after, kinds)
    return all(_own(played, game.play(after, reply), kinds) >= own for reply in game.legal(after))


def _own(played: LessonPlies, position: Any, kinds: Sequence[str]) -> int:
    cells = played.game.cells()
    return sum(
        piece.owner == played.seat and (not kinds or piece.kind in kinds)
        for place, piece in played.game.pieces(position).items()
        if place in cells
    )


def _unreached(played: LessonPlies, wanted: bool) -> bool:
    """Whether the other player can carry nothing off: what he could is what `threats` tells who is
    to move then.
    """
    mine = played.after._replace(turn=played.seat)
    reached = any(threat.kind == "reach" for threat in played.game.threats(mine))
    return reached is not wanted


def _untouchable(played: LessonPlies, wanted: bool) -> bool:
    """Whether no man of any other seat can go to where the own man went, whatever is thrown."""
    game, after = played.game, played.after
    others = (seat for seat in range(len(game.seats)) if seat != played.seat)
    waiting = [after._replace(seat=seat, dice=()) for seat in others]
    thrown = (
        game.play(position, throw)
        for position in waiting
        if game.turn(position) == CHANCE
        for throw in game.legal(position)
    )
    to = _target(game, played.before, played.move)
    touched = any(
        _target(game, position, move) == to for position in thrown for move in game.legal(position)
    )
    return touched is not wanted


def _target(game: AnyGame, position: Any, move: AnyMove) -> Place | None:
    """Return where the own man of a move comes to stand."""
    if isinstance(move, Throw | Pass):
        return None
    seat = game.turn(position)
    filled = (
        place
        for place, piece in game.changes(position, move).items()
        if piece is not None and piece.owner == seat and place in game.cells()
    )
    return next(filled, None)


def _text(played: LessonPlies, part: str) -> bool:
    return part in played.game.position_text(played.after)


GOALS: Final[Mapping[str, Callable[[LessonPlies, Any], bool]]] = {
    "win": _win,
    "stands": _stands,
    "holds": _holds,
    "move": _move,
    "score": _score,
    "camp": _camp,
    "threat": _threat,
    "fork": _fork,
    "safe": _safe,
    "unreached": _unreached,
    "untouchable": _untouchable,
    "text": _text,
}
"""Every key of a goal, and whether it holds."""

SHAPES: Final[Mapping[str, tuple[type, type | None]]] = {
    "win": (str, None),
    "stands": (dict, str),
    "holds": (dict, int),
    "move": (list, str),
    "score": (int, None),
    "camp": (int, None),
    "threat": (list, str),
    "fork": (list, str),
    "safe": (list, str),
    "unreached": (bool, None),
    "untouchable": (bool, None),
    "text": (str, None),
}
"""What is written after each key: a value, or several of a kind."""


def reaches(goal: Goal, played: LessonPlies, moves: int) -> bool:
    """Whether a goal holds after an own move, or will after `moves` in all whatever is replied."""
    if met(goal, played):
        return True
    game, after = played.game, played.after
    if moves < 2 or game.outcome(after) is not None:
        return False
    replies = game.legal(after)
    return bool(replies) and all(
        any(True for _ in leading(goal, game, played.start, game.play(after, reply), moves - 1))
        for reply in replies
    )


def leading(goal: Goal, game: AnyGame, start: Any, position: Any, moves: int) -> Iterator[AnyMove]:
    """Yield the moves by which a goal is reached in so many, whatever is replied."""
    for move in game.legal(position):
        played = LessonPlies(game, start, position, move, game.play(position, move))
        if reaches(goal, played, moves):
            yield move
