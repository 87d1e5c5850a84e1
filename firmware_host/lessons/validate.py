"""Whether a lesson is one: its right moves, and no others, reach its goal in just so many moves and
are sound; its words point at them, and its lights are as named.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import count
from typing import Any, Final

from engine.match import AnyMove
from engine.search import search
from engine.search.grades import NEAR
from firmware_host.lessons.lesson import Lesson
from firmware_host.lessons.wording import points_elsewhere
from firmware_host.lights.preview import lifted, targets

LOOKS: Final = 200
"""So far it is searched whether a right move is sound: 32 positions each."""
_FEWEST_LOOKS: Final = 10
"""Each of the positions after a reply is searched so far at least."""
_GIVES_AWAY: Final = 0.1
"""What a right move may give away of the winning chance: no beginner sees the difference."""


def faults(lesson: Lesson, looks: int = LOOKS) -> Iterator[str]:
    """Yield in a line each what is wrong with a lesson that could be read; nothing if all is right:
    then its goal is reached by its right moves alone, in so many moves whatever is replied, and not
    sooner; they are sound, as a search of so many `looks` says; its words point at nothing else;
    its wrong moves miss the goal, and what is lifted glows as said.
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
    """Yield which right moves are much worse than the best, and where no second one is sound."""
    if "win" in lesson.goal:
        return  # it is won, whatever is replied
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
    """Return of the right moves those that are not sound, and what is wrong with them."""
    asked = count()
    stop = lambda: next(asked) >= looks  # noqa: E731 - it is what it says
    found = search(lesson.game, position, stop=stop, every=right, near=NEAR).moves
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
    """Yield each move of the learner's that is right, each with the position before it."""
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
        yield f"lift: nothing glows when the man on {lesson.lift} is lifted"
    for name, said, lit in ("blue", lesson.blue, blue), ("red", lesson.red, red):
        if said is not None and set(said) != lit:
            yield f"{name}: what glows is {', '.join(sorted(lit)) or 'nothing'}"
    for place in lesson.dark:
        if place in blue | red:
            yield f"dark: {place} glows"
