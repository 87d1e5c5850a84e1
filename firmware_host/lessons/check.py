"""Whether a lesson is one: its goal is reached in just so many moves, its lights as named."""

from __future__ import annotations

from collections.abc import Iterator

from firmware_host.lessons.lesson import Lesson
from firmware_host.lights.lifted import lifted, targets


def faults(lesson: Lesson) -> Iterator[str]:
    """Yield in a line each what is wrong with a lesson that could be read; nothing if all is right:
    then its goal is reached in so many moves whatever is replied, and not sooner, its wrong moves
    miss it, and what is lifted glows as said.
    """
    game, position = lesson.game, lesson.position
    legal = len(game.legal(position))
    right = [game.move_text(position, m) for m in lesson.solutions(position, lesson.moves)]
    if not right:
        yield f"moves: its goal cannot be reached in {lesson.moves} against every reply"
    if len(right) == legal:
        yield "goal: every legal move reaches it"
    if lesson.moves > 1 and any(True for _ in lesson.solutions(position, lesson.moves - 1)):
        yield f"moves: its goal can be reached in {lesson.moves - 1}"
    if lesson.moves > 1 and set(lesson.right) != set(right):
        yield f"right: what leads there is {', '.join(sorted(right))}"
    for text, _ in lesson.wrong:
        if text in right:
            yield f"wrong: {text} reaches the goal"
        elif text != game.move_text(position, game.parse_move(position, text)):
            yield f"wrong: {text} is not how the game writes that move"
    if lesson.lift:
        yield from _lights(lesson)


def _lights(lesson: Lesson) -> Iterator[str]:
    blue, red = targets(lifted(lesson.game, lesson.position, lesson.lift))
    if not blue | red:
        yield f"lift: nothing glows when the man on {lesson.lift} is lifted"
    for name, said, lit in ("blue", lesson.blue, blue), ("red", lesson.red, red):
        if said is not None and set(said) != lit:
            yield f"{name}: what glows is {', '.join(sorted(lit)) or 'nothing'}"
    for place in lesson.dark:
        if place in blue | red:
            yield f"dark: {place} glows"
