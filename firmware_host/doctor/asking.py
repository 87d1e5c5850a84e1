"""Questions that only a person at the board can answer."""

from __future__ import annotations

import contextlib
import select
import sys
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias, TypeVar

from firmware_host.console.terminal import print_line
from firmware_host.i18n.messages import Message, render, say
from hardware.simulated.board import SimulatedBoard

DONE = say("done")
SKIP = say("not possible")
OTHER_LIT = say("another place is lit, or none")
YES = say("Yes")
NO = say("No")

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Question:
    """Something to do or to look at."""

    kind: Literal[
        "colour",
        "lit",
        "first",
        "dark",
        "hold",
        "put",
        "aside",
        "lift",
        "clear",
        "where",
        "alone",
        "over",
    ]
    words: Message
    answers: tuple[Message, ...] = (DONE, SKIP)
    subject: str = ""
    """The button, the place or the number of the LED in question."""
    places: tuple[str, ...] = ()
    """Places that may be named instead; their numbers follow those of the answers."""
    happened: Callable[[], bool] | None = None
    """Reads the board and returns True once the request is fulfilled: that is the first answer."""

    def place(self, answer: int) -> str:
        """Return the place that an answer names, "" if it names none."""
        number = answer - len(self.answers)
        return self.places[number] if number >= 0 else ""


Asking: TypeAlias = Generator[Question | Message, int, T]
"""Work that yields questions and messages. A question is sent the number of its answer, from 0;
what is sent after a message is ignored.
"""


class Person(Protocol):
    """A person who answers questions."""

    def ask(self, question: Question) -> int:
        """Return the number of the answer, from 0."""

    def hear(self, message: Message) -> None:
        """Take note of a message."""


def answered(work: Asking[T], person: Person) -> T:
    """Let a person answer all questions of some work; return its result."""
    try:
        asked = next(work)
        while True:
            if isinstance(asked, Question):
                asked = work.send(person.ask(asked))
            else:
                person.hear(asked)
                asked = next(work)
    except StopIteration as end:
        result: T = end.value
        return result


class AtTheTerminal:
    """A person who reads and types."""

    def __init__(self, language: str = "en") -> None:
        self._language = language

    def hear(self, message: Message) -> None:
        """Print a message."""
        print_line(render(message, self._language), flush=True)

    def ask(self, question: Question) -> int:
        """Ask until a number or a place is typed, or the request is fulfilled. Enter alone means
        the first answer. EOFError if standard input is closed.
        """
        self.hear(question.words)
        choices = "   ".join(
            f"{number} {render(answer, self._language)}"
            for number, answer in enumerate(question.answers, 1)
        )
        if question.places:
            choices += "   " + render(say("or the name of the place"), self._language)
        print_line(f"   {choices}", flush=True)
        answers = {"": 0} | {str(n + 1): n for n in range(len(question.answers))}
        for number, place in enumerate(question.places, len(question.answers)):
            answers[place.casefold()] = number
        while True:
            typed = _line(question.happened)
            if typed.casefold() in answers:
                return answers[typed.casefold()]
            if question.places:
                self.hear(say("There is no {name} on this board.", name=typed))


def _line(happened: Callable[[], bool] | None) -> str:
    """Return the typed line, "" as soon as the request is fulfilled."""
    if happened is None or not sys.stdin.isatty():
        return input("> ").strip()
    while not happened():
        if select.select([sys.stdin], [], [], 0.0)[0]:
            line = sys.stdin.readline()
            if not line:
                raise EOFError
            return line.strip()
    return ""


class AtASimulatedBoard:
    """A person who sees the lights of a simulated board and moves magnets on it. Answers come from
    the question's own list.
    """

    def __init__(self, board: SimulatedBoard, language: str = "en") -> None:
        self.board = board
        self._terminal = AtTheTerminal(language)
        self.heard: list[Message] = []
        self.hands: dict[str, str] = {}
        """Places that are elsewhere than the layout says."""
        self.pole = 1

    def hear(self, message: Message) -> None:
        """Keep the message in `heard`."""
        self.heard.append(message)
        self._terminal.hear(message)

    def ask(self, question: Question) -> int:
        """Fulfil a request, or look at the lights and answer."""
        match question.kind:
            case "hold":
                for button in self.board.layout.buttons:
                    self.board.release(button)
                self.board.press(question.subject)
            case "put":
                if OTHER_LIT in question.answers and self._lit() - {question.subject}:
                    return question.answers.index(OTHER_LIT)
                place = self.hands.get(question.subject, question.subject)
                self.board.put(place, self.pole)
            case "aside":
                if question.subject in self.board.dead_centres:
                    self.board.stick(question.subject, True)
            case "lift":
                self._clear()
            case "clear":
                self._clear()
                for button in self.board.layout.buttons:
                    self.board.release(button)
            case "where":
                lit = min(self._lit(), default="")
                return len(question.answers) + question.places.index(lit) if lit else 0
            case _:
                return self._look(question)
        return 0

    def _lit(self) -> set[str]:
        """Return the places that are lit."""
        pixels = self.board.strip.pixels
        places = self.board.layout.places.values()
        return {place.name for place in places if any(any(pixels[n]) for n in place.pixels)}

    def _clear(self) -> None:
        for place in self.board.dead_centres:
            self.board.stick(place, False)
        for place, poles in self.board.save().items():
            for _ in poles:
                with contextlib.suppress(ValueError):
                    self.board.lift(place)

    def _look(self, question: Question) -> int:
        pixels = self.board.strip.pixels
        match question.kind:
            case "lit":
                return 0 if any(pixels[int(question.subject)]) else 1
            case "alone":
                return 0 if self._lit() == {question.subject} else 1
            case "dark":
                return 1 if any(map(any, pixels)) else 0
            case "first":
                return 0 if pixels[0] == (0, 0, 0) else 1
        return _colour(pixels)


def _colour(pixels: Sequence[tuple[int, int, int]]) -> int:
    """Return the answer about the colour of the chain: red, green, blue, nothing, several."""
    seen = Counter(tuple(map(bool, pixel)) for pixel in pixels if any(pixel))
    if not seen:
        return 3
    pure = [(True, False, False), (False, True, False), (False, False, True)]
    ((one, times),) = seen.most_common(1)
    alike = times >= seen.total() - 1  # a single LED may differ
    return pure.index(one) if alike and one in pure else 4
