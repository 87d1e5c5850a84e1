"""Checks of a lesson: its right moves, and only they, reach the goal in the given number of moves
and are sound; its words describe them; its lights are as the file says.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, Final

from engine.match import AnyMove
from engine.search import search, stop_after
from engine.search.grades import NEAR
from firmware_host.lessons.lesson import Lesson
from firmware_host.lessons.wording import points_elsewhere
from firmware_host.lights.preview import lifted, targets

LOOKS: Final = 200
"""The search that checks a right move stops after this many looks of 32 positions each."""
_FEWEST_LOOKS: Final = 10
"""The least number of looks for each position after a reply."""
_GIVES_AWAY: Final = 0.1
"""The winning chance that a right move may give away: a beginner does not see the difference."""


def faults(lesson: Lesson, looks: int = LOOKS) -> Iterator[str]:
    """Yield one line for each fault of a lesson.

    A lesson without faults reaches its goal by its right moves alone, against every reply, and not
    sooner. A search of `looks` looks finds these moves sound. The words describe nothing else, the
    wrong moves miss the goal, and the lifted piece glows as the file says.
    """
    game, position = lesson.game, lesson.position
    legal = len(game.legal(position))
    moves = list(lesson.solutions(position, lesson.moves))
    right = [game.move_text(position, move) for move in moves]
    if not right:
        yield f"moves: its goal cannot be reached in {lesson.moves} against every reply"
    if len(right) == legal:
        yield "goal: every legal move reaches it"
    if lesson.moves > 1 and any(True for _ in lesson.solutions(position, lesson.moves - 1)):
        yield f"moves: its goal can be reached in {lesson.moves - 1}"
    if set(lesson.right) != set(right):
        yield f"right: what reaches the goal is {', '.join(sorted(right))}"
        return
    yield from points_elsewhere(lesson, list(_lines(lesson, moves)))
    for text, _ in lesson.wrong:
        if text in right:
            yield f"wrong: {text} reaches the goal"
        elif text != game.move_text(position, game.parse_move(position, text)):
            yield f"wrong: {text} is not how the game writes that move"
    if lesson.lift:
        yield from _lights(lesson, moves)
    yield from _unsound(lesson, moves, looks)


def _unsound(lesson: Lesson, right: Collection[AnyMove], looks: int) -> Iterator[str]:
    """Yield right moves that are much worse than the best, and replies without a sound answer."""
    if "win" in lesson.goal:
        return  # it wins against every reply
    game, position = lesson.game, lesson.position
    for move, why in _worse(lesson, position, right, looks).items():
        yield f"right: {game.move_text(position, move)} {why}"
    for move in right if lesson.moves > 1 else ():
        after = game.play(position, move)
        replies = game.legal(after)
        fewer = max(_FEWEST_LOOKS, looks // (len(right) * len(replies)))
        for reply in replies:
            then = game.play(after, reply)
            steps = list(lesson.solutions(then, lesson.moves - 1))
            if len(_worse(lesson, then, steps, fewer)) == len(steps):
                texts = game.move_text(position, move), game.move_text(after, reply)
                yield f"right: after {' '.join(texts)} every move to the goal loses too much"


def _worse(
    lesson: Lesson, position: Any, right: Collection[AnyMove], looks: int
) -> dict[AnyMove, str]:
    """Return the right moves that are not sound, with the reason."""
    found = search(lesson.game, position, stop=stop_after(looks), every=right, near=NEAR).moves
    best, unsound = found[0], {}
    for judged in found:
        if judged.move not in right:
            continue
        if judged.chance == 0:
            unsound[judged.move] = "loses by force"
        elif best.chance - judged.chance > _GIVES_AWAY:
            unsound[judged.move] = (
                f"wins {judged.chance:.0%} of games, and {best.text} {best.chance:.0%}"
            )
    return unsound


def _lines(lesson: Lesson, right: Collection[AnyMove]) -> Iterator[tuple[Any, AnyMove]]:
    """Yield each right move of the learner with the position before it."""
    game, position = lesson.game, lesson.position
    for move in right:
        yield position, move
        after = game.play(position, move)
        for reply in game.legal(after) if lesson.moves > 1 else ():
            then = game.play(after, reply)
            yield from ((then, step) for step in lesson.solutions(then, lesson.moves - 1))


def _lights(lesson: Lesson, right: Collection[AnyMove]) -> Iterator[str]:
    if not any(lesson.lift in lesson.game.changes(lesson.position, move) for move in right):
        yield f"lift: no right move has to do with {lesson.lift}"
    blue, red = targets(lifted(lesson.game, lesson.position, lesson.lift))
    if not blue | red:
        yield f"lift: nothing glows when the piece on {lesson.lift} is lifted"
    for name, said, lit in ("blue", lesson.blue, blue), ("red", lesson.red, red):
        if said is not None and set(said) != lit:
            yield f"{name}: what glows is {', '.join(sorted(lit)) or 'nothing'}"
    for place in lesson.dark:
        if place in blue | red:
            yield f"dark: {place} glows"
