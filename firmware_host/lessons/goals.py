"""Goals of lessons: conditions on a move of the learner and the position after it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.game import CHANCE, Pass, Place, Seat, Throw
from engine.match import AnyGame, AnyMove
from engine.search.explain.facts import BoardFacts, MoveEffect


@dataclass(frozen=True, slots=True)
class LessonMove:
    """A move of the learner, between two positions."""

    game: AnyGame
    start: Any
    """The position at the start of the lesson."""
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
"""The conditions that must all hold right after a move of the learner; the keys are in GOALS."""


def met(goal: Goal, played: LessonMove) -> bool:
    """Return whether all conditions of a goal hold."""
    return all(GOALS[key](played, want) for key, want in goal.items())


def _win(played: LessonMove, reason: str) -> bool:
    outcome = played.game.outcome(played.after)
    return outcome is not None and played.seat in outcome.winners and outcome.reason == reason


def _won(played: LessonMove, wanted: bool) -> bool:
    outcome = played.game.outcome(played.after)
    return (outcome is not None and played.seat in outcome.winners) is wanted


def _stands(played: LessonMove, wanted: Mapping[Place, str]) -> bool:
    pieces = played.game.pieces(played.after)
    return all(_is(pieces.get(place), played.seat, kind) for place, kind in wanted.items())


def _is(piece: Any, seat: Seat, kind: str) -> bool:
    """Return whether a piece of the learner, or of nobody, is of that kind.

    `!w` asks for a `w` of another seat; `-` for no piece of the learner.
    """
    if kind.startswith("!"):
        return piece is not None and piece.owner != seat and piece.kind == kind[1:]
    mine = piece is not None and piece.owner in (seat, None)
    return not mine if kind == "-" else mine and piece.kind == kind


def _holds(played: LessonMove, wanted: Mapping[Place, int]) -> bool:
    pieces = played.game.pieces(played.after)
    return all(place in pieces and pieces[place].count >= n for place, n in wanted.items())


def _move(played: LessonMove, texts: Sequence[str]) -> bool:
    return played.text in texts


def _score(played: LessonMove, points: int) -> bool:
    now, then = (played.game.points(each)[played.seat] for each in (played.after, played.start))
    return now - then >= points


def _camp(played: LessonMove, robots: int) -> bool:
    """Return whether the learner's camp has this many robots."""
    camp = played.game.camps[played.seat]  # type: ignore[attr-defined]
    pieces = played.game.pieces(played.after)
    return sum(piece.kind in "WBR" for cell, piece in pieces.items() if cell in camp) >= robots


def _threat(played: LessonMove, kinds: Sequence[str]) -> bool:
    return any(threat.kind in kinds for threat in played.game.threats(played.after))


def _fork(played: LessonMove, kinds: Sequence[str]) -> bool:
    return len({t.place for t in played.game.threats(played.after) if t.kind in kinds}) > 1


def _safe(played: LessonMove, kinds: Sequence[str]) -> bool:
    """Return whether no reply takes a piece of the learner of these kinds, or of any kind."""
    game, after = played.game, played.after
    if game.outcome(after) is not None:
        return True
    own = _own(played, after, kinds)
    return all(_own(played, game.play(after, reply), kinds) >= own for reply in game.legal(after))


def _own(played: LessonMove, position: Any, kinds: Sequence[str]) -> int:
    cells = played.game.cells()
    return sum(
        piece.owner == played.seat and (not kinds or piece.kind in kinds)
        for place, piece in played.game.pieces(position).items()
        if place in cells
    )


def _unreached(played: LessonMove, wanted: bool) -> bool:
    """Return whether the opponent can take no robot home."""
    mine = played.after._replace(turn=played.seat)
    reached = any(threat.kind == "reach" for threat in played.game.threats(mine))
    return reached is not wanted


def _untouchable(played: LessonMove, wanted: bool) -> bool:
    """Return whether no other seat can reach the learner's piece that moved, whatever is thrown."""
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


def throws_by_move(game: AnyGame, position: Any, kind: str) -> dict[str, int]:
    """Return by the text of each move how many of the others' throws then take the mover's piece of
    that kind. Passes are left out.
    """
    moves = [move for move in game.legal(position) if not isinstance(move, Throw | Pass)]
    played = (
        LessonMove(game, position, position, each, game.play(position, each)) for each in moves
    )
    return {each.text: throws_after(each, kind)[0] for each in played}


def throws_after(played: LessonMove, kind: str) -> tuple[int, int]:
    """Return how many throws of the others take the mover's piece of a kind after a move, as the
    pieces stand, and how many throws they have.
    """
    effect = MoveEffect(BoardFacts(played.game, played.before), played.before, played.move)
    throws, pieces = effect.throws_after, effect.pieces_after
    taking = [
        each.taking[place]
        for place, piece in pieces.items()
        if (piece.owner, piece.kind) == (effect.seat, kind)
        for each in throws
    ]
    return sum(taking), sum(each.count for each in throws)


def _fewest_throws(played: LessonMove, kind: str) -> bool:
    """Return whether fewer throws of the others take the piece than after any other move."""
    counted = throws_by_move(played.game, played.before, kind)
    own = counted.pop(played.text, None)
    return own is not None and all(own < other for other in counted.values())


def _target(game: AnyGame, position: Any, move: AnyMove) -> Place | None:
    """Return where the piece of the mover goes."""
    if isinstance(move, Throw | Pass):
        return None
    seat = game.turn(position)
    filled = (
        place
        for place, piece in game.changes(position, move).items()
        if piece is not None and piece.owner == seat and place in game.cells()
    )
    return next(filled, None)


def _text(played: LessonMove, part: str) -> bool:
    return part in played.game.position_text(played.after)


GOALS: Final[Mapping[str, Callable[[LessonMove, Any], bool]]] = {
    "win": _win,
    "won": _won,
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
    "fewest_throws": _fewest_throws,
    "text": _text,
}
"""The check of each key of a goal."""

SHAPES: Final[Mapping[str, tuple[type, type | None]]] = {
    "win": (str, None),
    "won": (bool, None),
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
    "fewest_throws": (str, None),
    "text": (str, None),
}
"""The type of the value of each key, and the type of its elements."""


def reaches(goal: Goal, played: LessonMove, moves: int) -> bool:
    """Return whether a goal holds after this move, or after `moves` of them against every reply."""
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
    """Yield the first moves that reach a goal within `moves` moves against every reply."""
    for move in game.legal(position):
        played = LessonMove(game, start, position, move, game.play(position, move))
        if reaches(goal, played, moves):
            yield move
