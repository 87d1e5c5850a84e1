"""A session that watches a recording, with people who answer its questions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeAlias

from engine.match import Match
from engine.reading.footprints import Sight
from firmware_host.cli.replay import LONGEST_WAIT_S
from firmware_host.session.events import Choose, Dice, Event, Frame, Press, Tick
from firmware_host.session.record import PASS_TEXT
from firmware_host.session.session import Session
from tests.support.recorded import Line, Recorded, Truth

ANSWER_S = 0.9
"""People answer a question that is open for this time. They also take this time to name a move that
no sensor shows, once no earlier question is open."""
REST_S = 8.0
"""Nothing happens for this time at the end …"""
LONGEST_S = 300.0
"""… or until the board waits for nothing, as in a replay: at most this long while people answer."""

Texts: TypeAlias = tuple[tuple[str, ...], ...]
"""A record: the text of every move, or all candidates while the board asks about it."""


class WatchedBoard(Protocol):
    """Something with a session that takes events, and is called at its deadlines."""

    @property
    def session(self) -> Session:
        """The session, which keeps the record."""

    @property
    def deadline(self) -> float | None:
        """When it wants to be called though nothing happens; None if never."""

    def handle(self, event: Event) -> object:
        """Take one event."""


class Watcher:
    """Feeds a recording to a fresh session, or to the session of a `board`, and keeps every state
    of the record.

    People answer the questions of the board. If the recording has `presses`, they press the button
    of their seat with every ply; else they name a move that no sensor shows.
    """

    def __init__(
        self,
        recorded: Recorded,
        game: Any,
        sight: Sight,
        position: Any,
        board: WatchedBoard | None = None,
        *,
        presses: bool = False,
    ) -> None:
        self.recorded = recorded
        self.session = (
            Session(game, sight, [Match.begin(game, position)]) if board is None else board.session
        )
        self._called: Session | WatchedBoard = board or self.session
        self.history: list[tuple[float, Texts]] = [(0.0, ())]
        """Every state of the record, with the time of its beginning."""
        self.answers: list[Line] = []
        """The answers of the people."""
        self._answer: tuple[float, tuple[int, str]] | None = None
        self._answered: set[tuple[int, str]] = set()
        self._named_at = 0.0
        self._unseen = [
            (truth.let_go, truth)  # people name a move that no sensor shows when they make it
            for truth in recorded.truth
            if not (presses or truth.visible or truth.back or truth.text == PASS_TEXT)
        ]

    def watch(self) -> Texts:
        """Feed everything, let time pass until nothing is pending, and return the last record."""
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
        until = last + REST_S
        self._until(until)
        while self._is_pending(until - last):
            until += ANSWER_S
            self._until(until)
        return self.history[-1][1]

    def _is_pending(self, since: float) -> bool:
        """Return whether something is still pending `since` seconds after the last line."""
        busy = self._answer is not None or self.session.thinking
        if not busy and self.session.deadline is None:
            return False
        return since < (LONGEST_S if busy else LONGEST_WAIT_S)

    def lines(self) -> list[Line]:
        """Return the lines of the recording with the answers, for `lampion replay`."""
        return sorted([*self.recorded.lines, *self.answers], key=lambda line: float(line["t"]))

    def _until(self, at: float) -> None:
        while True:
            due = self._called.deadline
            upto = at if due is None else min(at, due)
            if self._answer is not None and self._answer[0] <= upto:
                (when, played), self._answer = self._answer, None
                asked = self._asked(when)
                if asked == played:
                    self._answered.add(played)
                    self._name(when, played[1])
                elif asked is not None:
                    self._answer = (when + ANSWER_S, asked)
            elif self._unseen and self._unseen[0][0] <= upto:
                when, truth = self._unseen.pop(0)
                number, texts = truth.ply - 1, self.history[-1][1]
                if texts[number : number + 1] != ((truth.text,),):
                    self._name(max(when, self._named_at), truth.text)
            elif due is not None and due <= at:
                self._handle(Tick(due))
                if self._called.deadline == due:
                    raise RuntimeError(f"a deadline at {due} does not pass")
            else:
                return

    def _asked(self, at: float) -> tuple[int, str] | None:
        """Return the number and text of the move that was played where the board asks.

        If it is no candidate of the board, people name it only once.
        """
        moves = [entry for entry in self.session.record if entry.kind == "move"]
        played = [truth.text for truth in standing(self.recorded.truth, at)]
        for number, (entry, text) in enumerate(zip(moves, played, strict=False)):
            if entry == self.session.view.question.current:
                answered = text not in entry.texts and (number, text) in self._answered
                return None if answered else (number, text)
        return None

    def _name(self, at: float, text: str) -> None:
        self._named_at = at
        self.answers.append({"t": round(at, 4), "choose": text})
        self._handle(Choose(at, text))

    def _handle(self, event: Event) -> None:
        self._called.handle(event)
        texts = tuple(entry.texts for entry in self.session.record if entry.kind == "move")
        if self.history[-1][1] != texts:
            self.history.append((event.at, texts))
        if self._answer is None and (played := self._asked(event.at)) is not None:
            self._answer = (event.at + ANSWER_S, played)


def standing(truth: Sequence[Truth], at: float) -> list[Truth]:
    """Return the moves that stood at a time, with those in progress."""
    moves: list[Truth] = []
    for each in truth:
        if each.begun > at:
            break
        if each.back:
            del moves[len(moves) - each.back :]
        else:
            moves.append(each)
    return moves
