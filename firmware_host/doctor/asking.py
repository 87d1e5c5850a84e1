"""Questions that only a person at the board can answer."""

from __future__ import annotations

import contextlib
import select
import sys
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from firmware_host.terminal import tell
from firmware_host.words import Message, render, say
from hardware.simulated import SimulatedBoard

DONE = say("done")
SKIP = say("not possible")
OTHER_LIT = say("another place is lit, or none")
YES = say("Yes")
NO = say("No")


@dataclass(frozen=True, slots=True)
class Question:
    """Something to do or to look at."""

    kind: Literal[
        "colour", "lit", "first", "dark", "hold", "put", "aside", "lift", "clear", "where", "alone"
    ]
    words: Message
    answers: tuple[Message, ...] = (DONE, SKIP)
    subject: str = ""
    """The button, the place or the number of the LED that it is about."""


class Person(Protocol):
    """Who answers."""

    def ask(self, question: Question, happened: Callable[[], bool] | None = None) -> int:
        """Return the number of the answer, from 0; 0 as soon as `happened` says that what was
        asked for has been done.
        """

    def choose(self, question: Question, names: Collection[str]) -> str:
        """Return one of the names, or "" for none of them."""

    def hear(self, message: Message) -> None:
        """Be told something."""


class AtTheTerminal:
    """A person who reads and types."""

    def __init__(self, language: str = "en") -> None:
        self._language = language

    def hear(self, message: Message) -> None:
        """Print a sentence."""
        tell(render(message, self._language), flush=True)

    def ask(self, question: Question, happened: Callable[[], bool] | None = None) -> int:
        """Ask until a number is typed, or until it has happened; Enter alone is the first answer.
        EOFError if nobody is there.
        """
        self.hear(question.words)
        choices = "   ".join(
            f"{number} {render(answer, self._language)}"
            for number, answer in enumerate(question.answers, 1)
        )
        tell(f"   {choices}", flush=True)
        while True:
            typed = _line(happened)
            if not typed:
                return 0
            if typed.isdecimal() and 1 <= int(typed) <= len(question.answers):
                return int(typed) - 1

    def choose(self, question: Question, names: Collection[str]) -> str:
        """Ask until a name is typed, in capitals or not; Enter alone is none of them."""
        self.hear(question.words)
        known = {name.casefold(): name for name in names}
        while True:
            typed = input("> ").strip().casefold()
            if not typed or typed in known:
                return known.get(typed, "")
            self.hear(say("There is no {name} on this board.", name=typed))


def _line(happened: Callable[[], bool] | None) -> str:
    """Return what is typed, "" if something has happened before."""
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
    """A person who sees a simulated board's lights and has a hand on it.

    Answers are what the question's own list offers, in its order.
    """

    def __init__(self, board: SimulatedBoard) -> None:
        self.board = board
        self.heard: list[Message] = []
        self.hands: dict[str, str] = {}
        """Places that lie elsewhere than the layout has them."""
        self.pole = 1

    def hear(self, message: Message) -> None:
        """Keep what was said."""
        self.heard.append(message)

    def ask(self, question: Question, happened: Callable[[], bool] | None = None) -> int:
        """Do what is asked, or look."""
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
            case _:
                return self._look(question)
        return 0

    def choose(self, question: Question, names: Collection[str]) -> str:
        """Name the place that is lit."""
        return min(self._lit(), default="")

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
    """Return the answer about a chain's colour: red, green, blue, nothing, several."""
    seen = Counter(tuple(map(bool, pixel)) for pixel in pixels if any(pixel))
    if not seen:
        return 3
    pure = [(True, False, False), (False, True, False), (False, False, True)]
    ((one, times),) = seen.most_common(1)
    return pure.index(one) if times >= seen.total() - 1 and one in pure else 4  # one may be odd
