"""A session that watches a recording, with people who answer what it asks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from engine.match import Match
from engine.reading.footprints import Sight
from firmware_host.cli.replay import LONGEST_WAIT_S
from firmware_host.session.events import Choose, Dice, Event, Frame, Press, Tick
from firmware_host.session.record import PASS_TEXT
from firmware_host.session.session import Session
from tests.support.recorded import Line, Recorded, Truth

ANSWERED = 0.9
"""People answer a question so many seconds after it was asked, if it still is, and name so many
seconds later a move of which no sensor shows anything: when nothing before it is asked."""
AT_REST = 8.0
"""So long nothing happens at the end, …"""
PATIENCE = 300.0
"""… or until the board waits for nothing any more, as in a replay; as long as people answer, no
longer than this."""

Texts: TypeAlias = tuple[tuple[str, ...], ...]
"""A record: the text of every move, or all candidates while it is asked which it was."""


class Watcher:
    """Feeds a recording to a fresh session and keeps the record of every moment."""

    def __init__(self, recorded: Recorded, game: Any, sight: Sight, position: Any) -> None:
        self.recorded = recorded
        self.session = Session(game, sight, [Match.begin(game, position)])
        self.history: list[tuple[float, Texts]] = [(0.0, ())]
        """Every record, with the moment from which it stood."""
        self.answers: list[Line] = []
        """What people said."""
        self._answer: tuple[float, tuple[int, str]] | None = None
        self._told: set[tuple[int, str]] = set()
        self._said = 0.0
        self._unseen = [
            (truth.let_go, truth)  # what no sensor shows is said when it is made
            for truth in recorded.truth
            if not (truth.visible or truth.back or truth.text == PASS_TEXT)
        ]

    def watch(self) -> Texts:
        """Feed everything, let time run on until nothing is pending, and return the last record."""
        readings: dict[str, int] = {}
        for line in self.recorded.lines:
            at = float(line["t"])
            self._until(at)
            if "places" in line:
                readings = {p: v for p, v in (readings | line["places"]).items() if v}
                self._handle(Frame(at, readings))
            elif "dice" in line:
                self._handle(Dice(at, tuple(line["dice"])))
            elif "press" in line:
                self._handle(Press(at, line["press"]))
            else:
                self._handle(Tick(at))
        last = max([self.recorded.lines[-1]["t"], *(at for at, _ in self._unseen[-1:])])
        until = last + AT_REST
        self._until(until)
        while self._is_going_on(until - last):
            until += ANSWERED
            self._until(until)
        return self.history[-1][1]

    def _is_going_on(self, since: float) -> bool:
        """Whether the board will still do something so many seconds after the last line: who is
        asked still answers.
        """
        busy = self._answer is not None or self.session.thinking
        if not busy and self.session.deadline is None:
            return False
        return since < (PATIENCE if busy else LONGEST_WAIT_S)

    def lines(self) -> list[Line]:
        """Return the lines of the recording with what people said, for `lampion replay`."""
        return sorted([*self.recorded.lines, *self.answers], key=lambda line: float(line["t"]))

    def _until(self, at: float) -> None:
        while True:
            due = self.session.deadline
            upto = at if due is None else min(at, due)
            if self._answer is not None and self._answer[0] <= upto:
                (when, meant), self._answer = self._answer, None
                asked = self._asked(when)
                if asked == meant:
                    self._told.add(meant)
                    self._say(when, meant[1])
                elif asked is not None:
                    self._answer = (when + ANSWERED, asked)
            elif self._unseen and self._unseen[0][0] <= upto:
                when, truth = self._unseen.pop(0)
                number, texts = truth.ply - 1, self.history[-1][1]
                if texts[number : number + 1] != ((truth.text,),):
                    self._say(max(when, self._said), truth.text)
            elif due is not None and due <= at:
                self._handle(Tick(due))
                if self.session.deadline == due:
                    raise RuntimeError(f"a deadline at {due} does not pass")
            else:
                return

    def _asked(self, at: float) -> tuple[int, str] | None:
        """Return what people will say: the number and text of the move that was meant where the
        board asks. If it is none of those that the board names, they say it once.
        """
        moves = [entry for entry in self.session.record if entry.kind == "move"]
        meant = [truth.text for truth in standing(self.recorded.truth, at)]
        for number, (entry, text) in enumerate(zip(moves, meant, strict=False)):
            if entry == self.session.view.question.current:
                told = text not in entry.texts and (number, text) in self._told
                return None if told else (number, text)
        return None

    def _say(self, at: float, text: str) -> None:
        self._said = at
        self.answers.append({"t": round(at, 4), "choose": text})
        self._handle(Choose(at, text))

    def _handle(self, event: Event) -> None:
        self.session.handle(event)
        texts = tuple(entry.texts for entry in self.session.record if entry.kind == "move")
        if self.history[-1][1] != texts:
            self.history.append((event.at, texts))
        if self._answer is None and (meant := self._asked(event.at)) is not None:
            self._answer = (event.at + ANSWERED, meant)


def standing(truth: Sequence[Truth], at: float) -> list[Truth]:
    """Return the moves that stood at a moment, those begun included."""
    meant: list[Truth] = []
    for each in truth:
        if each.begun > at:
            break
        if each.back:
            del meant[len(meant) - each.back :]
        else:
            meant.append(each)
    return meant
