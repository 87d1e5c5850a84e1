"""Why a move is good or bad, in one sentence, from what the search has found.

    result = search(game, position, stop=…)
    why(result, result.moves[0])    MoveReason("takes-for-nothing", ("5e",), ("S",)), or None

Most quiet moves get no sentence: one that fits every move helps nobody.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Final

from engine.game import CHANCE, Place
from engine.match import AnyMove
from engine.search import JudgedMove, Result, Stop, search
from engine.search.alpha_beta import TranspositionTable
from engine.search.explain.bad import BAD
from engine.search.explain.facts import BoardFacts, MoveEffect, MoveReason, effects_of
from engine.search.explain.good import (
    GOOD,
    brings_home,
    forks,
    pushes_off,
    takes_at_risk,
    takes_for_nothing,
    takes_from,
    threatens,
    threatens_to_fetch,
    wins,
    wins_an_exchange,
)
from engine.search.grades import NEAR

__all__ = ["CODES", "MoveReason", "misses", "why"]

CODES: Final = (
    *("wins", "wins-by-force", "pushes-off", "takes-for-nothing", "takes-protected"),
    *("wins-exchange", "takes-at-risk", "brings-home", "forks", "promotes", "checks"),
    *("saves", "saves-push", "saves-carry"),
    *("threatens", "threatens-push", "threatens-carry"),
    *("misses-win", "lets-win", "lets-push-off", "lets-carry-off", "walks-into", "leaves"),
    *("still-attacked", "lets-fork", "lets-attack", "lets-promote", "loses-by-force"),
    *("hurt-by-throws", "soon-push-off", "lets-threaten-carry", "loses-later", "misses-capture"),
    *("misses-fork", "misses-push", "misses-carry", "misses-threat", "misses-threat-carry"),
    "goes-outwards",
)
"""All codes of sentences."""


_MISSED: Final = {
    "misses-push": (pushes_off,),
    "misses-carry": (brings_home,),
    "misses-capture": (takes_for_nothing, wins_an_exchange, takes_at_risk),
    "misses-fork": (forks,),
    "misses-threat": (threatens,),
    "misses-threat-carry": (threatens_to_fetch,),
}
"""By code: what the best move does and another one does not."""
_THREATS: Final = ("misses-threat", "misses-threat-carry")
_MATTERS: Final = 0.05
"""A missed threat or a lost piece is mentioned only if that gives away this much of the chance:
another move may be as good as a threat, and another answer as good as taking the piece.
"""
_SOON: Final = ("lets-attack", "soon-push-off", "lets-threaten-carry", "loses-later")
"""Codes that do not matter when the game is lost by force."""
_CONFIRMED: Final = (
    *("walks-into", "leaves", "still-attacked", "lets-carry-off", "lets-fork", "lets-attack"),
    *("lets-threaten-carry", "soon-push-off", "loses-later"),
)
"""Codes of losses that must still hold when searched one ply deeper."""
_AT_ONCE: Final = ("walks-into", "leaves", "still-attacked", "lets-carry-off")
"""Those of them in which the answer itself takes the piece."""
_ANYWAY: Final = (
    *("lets-push-off", "lets-carry-off", "lets-promote", "still-attacked"),
    *("soon-push-off", "lets-threaten-carry", "hurt-by-throws"),
)
"""Codes that are no reason against a move if they hold for the best move too."""
_ANSWERED: Final = 4
"""The plies of a line that shows the consequences of a move: two moves of each side."""
_LOOKS: Final = 120
"""The calls of `stop` in a deeper search before it is given up."""
_ENTRIES: Final = 1 << 13
"""The number of positions that the deeper searches of one move keep."""


def why(result: Result, judged: JudgedMove, stop: Stop = lambda: False) -> MoveReason | None:
    """Return the reason for the grade of a move; None if there is nothing to say.

    The line after a bad move is searched again and deeper, since a better answer may not take what
    the first one seemed to take. Once `stop` returns True the lines are taken as they are.
    """
    facts = BoardFacts(judged.game, judged.position)
    if judged.grade in ("best", "fine"):
        return _why_good(judged, effects_of(facts, judged.position, judged.moves))
    best = MoveEffect(facts, judged.position, result.moves[0].move)
    if result.moves[0].chance == 1 and (found := wins(best)) is not None:
        return MoveReason("misses-win", found.places, found.kinds, found.ending)
    found = _consequence(facts, result.moves[0], judged, stop)
    if found is not None:
        return found
    worse = MoveEffect(facts, judged.position, judged.move)
    if judged.chance == 0 and worse.outcome is None:
        return MoveReason("loses-by-force")
    found = misses(best, worse, result.moves[0].chance - judged.chance)
    if found is not None:
        return found
    return MoveReason("goes-outwards") if worse.steps_inwards < 0 <= best.steps_inwards else None


def misses(best: MoveEffect, other: MoveEffect, lost: float = 1.0) -> MoveReason | None:
    """Return what the best move does and another one misses; None if there is nothing to say.

    `lost` is the part of the winning chance that the other move gives away.
    """
    for code, detectors in _MISSED.items():
        if code in _THREATS and lost < _MATTERS:
            continue
        for detect in detectors:
            found = detect(best)
            if found is not None and not any(each(other) for each in detectors):
                return MoveReason(code, found.places, found.kinds)
    return None


def _consequence(
    facts: BoardFacts, best: JudgedMove, judged: JudgedMove, stop: Stop
) -> MoveReason | None:
    """Return the consequence of a bad move, as a deeper search sees it.

    A loss that is named must be the same one ply deeper, and the answers that leave the piece must
    be clearly worse: where several answers are about as good, they take turns at being the best.
    """
    position, confirmed = judged.position, None
    tables = TranspositionTable(_ENTRIES), TranspositionTable(_ENTRIES)
    for deeper in (1, 2):
        answered = _search_deeper(judged, deeper, stop, tables[0], every=True)

        def best_line(deeper: int = deeper) -> list[MoveEffect]:
            return effects_of(facts, position, _search_deeper(best, deeper, stop, tables[1]).line)

        line = effects_of(facts, position, answered.line)
        found = _first_consequence(line, best_line, judged.chance == 0)
        if found is None or found.code not in _CONFIRMED:
            return found
        if not answered.is_sure or best.chance - judged.chance < _MATTERS:
            return None
        if found.code in _AT_ONCE and not _is_decisive(line[1], answered.answers, found.places[0]):
            return None
        if deeper == 1:
            confirmed = found
    assert confirmed is not None
    assert found is not None
    return found if found.places[:1] == confirmed.places[:1] else None


def _first_consequence(
    line: list[MoveEffect], best_line: Callable[[], list[MoveEffect]], lost: bool
) -> MoveReason | None:
    """Return the consequence that a line shows; `lost`: the other side wins by force."""
    for detect in BAD:
        found = detect(line)
        if found is None or (lost and found.code in _SOON):
            continue
        if found.code in _ANYWAY and detect(best_line()) == found:
            continue  # the best move does not prevent it either
        return found
    return None


def _is_decisive(answer: MoveEffect, answers: Sequence[JudgedMove], place: Place) -> bool:
    """Return whether all answers that leave the piece on a place are clearly worse than the best
    one; they stand in the order of their chances.
    """
    for each in answers:
        if not takes_from(MoveEffect(answer.facts, answer.position, each.move), place):
            return answers[0].chance - each.chance >= _MATTERS
    return True


@dataclass(frozen=True, slots=True)
class _Answered:
    """A move with the answers to it."""

    line: Sequence[AnyMove]
    """The move, and the best play after it."""
    is_sure: bool = True
    """Whether the search came as far as it was to come, or has the same answer so far."""
    answers: Sequence[JudgedMove] = ()
    """All answers, best first, as far as they were judged again."""


def _search_deeper(
    judged: JudgedMove, deeper: int, stop: Stop, table: TranspositionTable, *, every: bool = False
) -> _Answered:
    """Return the line after a move, searched `deeper` plies deeper than it was judged.

    If that takes too long, return the line as it was. If `stop` ends the search, or dice come next,
    the line as it was has to do. `every` judges all answers, not only the best one.
    """
    game = judged.game
    after = game.play(judged.position, judged.move)
    if len(game.seats) > 2 or game.turn(after) == CHANCE:
        return _Answered(judged.moves)
    if game.outcome(after) or not game.legal(after):
        return _Answered(judged.moves)
    looks = count()
    enough = lambda: next(looks) >= _LOOKS or stop()  # noqa: E731 - shorter than a function
    looked = judged.depth if judged.plies is None else 0  # the book knows the end
    depth = max(looked, _ANSWERED - 1) + deeper - 1  # one ply is the move itself
    answers = search(
        game, after, stop=enough, deepest=depth, every=every, near=NEAR, table=table
    ).moves
    found = answers[0]
    if found.depth < depth and found.chance < 1:
        if stop():
            return _Answered(judged.moves)
        return _Answered(judged.moves, judged.moves[1:2] == (found.move,), answers)
    return _Answered((judged.move, *found.moves), answers=answers)


def _why_good(judged: JudgedMove, line: list[MoveEffect]) -> MoveReason | None:
    if judged.chance == 0:
        return None  # every move loses
    known = judged.plies is not None  # the book knows the end, maybe a distant one
    for detect in GOOD:
        found = detect(line[0])
        if found is not None and (found.code == "wins" or judged.chance < 1 or known):
            return found
    if judged.chance == 1:
        if judged.plies is not None:
            return MoveReason("wins-by-force", n=(judged.plies + 1) // 2)
        ended = line[-1].outcome
        if ended is None:  # the line stops before the end
            return MoveReason("wins-by-force")
        return MoveReason("wins-by-force", ending=ended.reason, n=(len(line) + 1) // 2)
    return None
