"""One session at a board: events with their times in, notes of what happened out.

The session has no clock: every event brings its time, and `deadline` says when it wants to be
called again. What hands do is left to the observer; what people say is taken here, one thing after
the other, each when it is known what hands have done before.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from functools import partial
from typing import Final

from engine.game import Claim, Outcome, Seat, Throw
from engine.match import AnyGame, Match
from engine.reading.dice_evidence import may_await_dice, throws_before
from engine.reading.footprints import Sight
from firmware_host.session.events import (
    Assist,
    Choose,
    Claimed,
    Dice,
    Event,
    Frame,
    NewMatch,
    Press,
    Tick,
)
from firmware_host.session.hints import Hints
from firmware_host.session.live_match import silent_plies, unseen_ply
from firmware_host.session.move_tracker import MoveTracker
from firmware_host.session.outbox import Note
from firmware_host.session.record import PASS_TEXT, Record, RecordEntry
from firmware_host.session.view import SessionView

EARLY_THROW: Final = 0.1
"""Seconds by which dice may be told before a sensor shows what they fell after."""


class Session(MoveTracker):
    """People at a board, a match, and what the board makes of it.

    What others show of it they find in its parts: the match in `play`, what stands wrong in
    `putting_right`, what does not work in `sensors`.
    """

    def __init__(
        self,
        game: AnyGame,
        sight: Sight,
        matches: Iterable[Match] | None = None,
        assist: Iterable[int] | None = None,
    ) -> None:
        """Several `matches` went the same way but for moves that are still asked about; `assist`
        is how much the lights tell each seat, 0 to 3.
        """
        super().__init__(sight, [Match.begin(game)] if matches is None else list(matches))
        self.game = game
        self.sight = sight
        self._assist = [2] * len(game.seats) if assist is None else list(assist)
        self._view: SessionView | None = None
        self.hints = Hints()
        """How much of a hint is wanted."""
        self._said: deque[Callable[[], object]] = deque()  # what people said, to be done
        self._unplaced: tuple[str, Record] = "", ()  # a name that was refused, with the record then
        self._withdrawn: tuple[RecordEntry | None, Record] = None, ()  # and the record without it
        self._late: tuple[str, Record] = "", ()  # a name of what was read already, and the record
        self._early_throws: list[tuple[Throw, float]] = []  # that seemed to fall again, and when

    # ---- what others may ask

    @property
    def view(self) -> SessionView:
        """What the session shows; the same value until it handles the next event."""
        if self._view is None:
            self._view = self._new_view()
        return self._view

    def _new_view(self) -> SessionView:
        play, sensors = self.play, self.sensors
        reader, trays = play.reader, self.sight.trays
        shortest = min(reader.shown, key=lambda line: line.match.plies)
        return SessionView(
            game=self.game,
            sight=self.sight,
            now=self.now,
            assist=tuple(self._assist),
            shown=tuple(reader.shown),
            levels=dict(reader.levels),
            record=play.record,
            read_at=play.read_at,
            provisional=play.provisional,
            outcome=play.outcome,
            acting=play.acting,
            verdict=self.verdict,
            thinking=self.thinking,
            looks_back=self.unseen.open,
            question=play.questions.view(),
            repair=self.putting_right.view(),
            dice=play.dice_view(),
            pending=tuple(play.aftermath.owed(reader.shown, reader.levels)),
            full_trays=frozenset(t for t in trays if play.aftermath.was_right(t, shortest)),
            lifted_trays=frozenset(filter(reader.touched, trays)),
            touched=frozenset(play.aftermath.touched),
            faults=sensors.faults,
            failing=sensors.failing,
            masked=sensors.masked,
            unplaced=self.unplaced,
            withdrawn=self.withdrawn,
            hint_step=self.hints.asked(self.record),
            hint_ends=self.hints.ends,
        )

    @property
    def match(self) -> Match:
        """The match as it is shown; the first of several while a question is open."""
        return self.play.match

    @property
    def record(self) -> Record:
        """What stands on the record."""
        return self.play.record

    @property
    def settling(self) -> bool:
        """Whether the board is being set up."""
        return self.putting_right.settling

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended, if it has."""
        return self.play.outcome

    @property
    def unplaced(self) -> str:
        """The move that people named last, if it cannot have been made and nothing else was read
        since; or nothing.
        """
        text, record = self._unplaced
        return text if record == self.record else ""

    @property
    def withdrawn(self) -> RecordEntry | None:
        """The move that was taken back because people said that it is wrong, and nothing else
        explains what hands did, until hands have followed.
        """
        entry, record = self._withdrawn
        return entry if record == self.record and self.putting_right.guiding else None

    @property
    def may_begin_anew(self) -> bool:
        """Whether `yes` begins another match: this one is over, and nothing is asked of it."""
        return self.outcome is not None and not self.play.questions.open

    # ---- what comes in

    def handle(self, event: Event) -> list[Note]:
        """Take one event, and the time that went by before it; return what happened."""
        self._view = None
        self._run_until(event.at)
        self._notes.now = max(self.now, event.at)
        match event:
            case Frame():
                self._frame(event)
                self._place_throws()
            case Dice(instead=True):
                self._do(partial(self._dice_instead, Throw(event.dice)))
            case Dice():
                self._do(self._thrown, partial(self._dice, Throw(event.dice)))
            case Press() if event.button in self.game.seats:
                self._end_turn_of(self.game.seats.index(event.button))
            case Press() if event.button in ("yes", "no"):
                self._yes_or_no(event.button)
            case Press():
                self._do(partial(self._press, event.button))
            case Choose():
                self._name(event.move, event.number)
            case Claimed():
                claim = Claim(event.seat, event.claim)
                self._do(self._flush, partial(self._claim, claim))
            case Assist():
                self._assist[event.seat] = max(0, min(3, event.level))
            case NewMatch():
                self._do(self._begin_anew)
            case Tick():
                pass
        self._do()
        self._run_until(self.now)
        return self._notes.fetch()

    def _run_until(self, at: float) -> None:
        """Let time go by, deadline after deadline."""
        while (due := self.deadline) is not None and due <= at + 1e-9:
            self._notes.now = max(self.now, due)
            for text, number in self._rested():
                self._name(text, number)
            self._search.go_on(self.now)
            self._do()
            self._act()

    def _do(self, *said: Callable[[], object]) -> None:
        """Do what people said, one thing after the other, each when it is known what hands have
        done before.
        """
        self._said.extend(said)
        while self._said and not self.thinking:
            rests = self._debounce.is_at_rest(self.sensors.masked)
            looks_back = self.unseen.open and not self.putting_right.settling
            if self._said[0] == self._wait_for_rest and (looks_back or not rests):
                return
            self._said.popleft()()

    def _wait_for_rest(self) -> None:
        """Do what was said only after that when the sensors have come to rest, for they may only
        have begun to show what it is said of, and when it is asked what was played unseen.
        """

    # ---- dice, claims, buttons

    def _dice(self, throw: Throw) -> None:
        play = self.play
        if not play.takes(throw):
            return  # thrown again: no such face
        after, reader = throws_before(play.reader), play.reader
        again = after is None and not play.awaits_dice and self.all_still and not play.pass_turn()
        # Else who threw has seen what was played, whatever is shown.
        if again and not (may_await_dice(reader) or play.silent):
            self._early_throws.append((throw, self.now))
            return  # the throw before it is still to be played
        self._early_throws.clear()
        play.throw(throw, after)
        self._look()

    def _dice_instead(self, throw: Throw) -> None:
        if self.play.throw_instead(throw):
            self._early_throws.clear()
            self._look()

    def _place_throws(self) -> None:
        """Take a throw that seemed to fall again for the next one, if hands have touched anything
        at once: a man was moved before it fell, and sensors have seen that late. Where nobody had
        looked, all of them may have fallen so.
        """
        throws = self._early_throws
        if not throws:
            return
        if self.unseen.open:
            for throw, _ in throws:
                self.play.throw(throw)
        elif self.now <= throws[-1][1] + EARLY_THROW:
            if self.all_still:
                return
            self._do(self._thrown, partial(self._dice, throws[-1][0]))
        self._early_throws = []

    def _claim(self, claim: Claim) -> None:
        if self.play.claim(claim):
            self._look()
        else:
            self._notes.tell("refused", reason="no-such-claim", places=[], seat=claim.seat)

    def _end_turn_of(self, seat: Seat) -> None:
        """A seat says that its move is made: that answers whether it made the only move it may have
        made. If no sensor shows the move, people are asked which it was, unless they are asked
        something else already.
        """
        questions, asked = self.play.questions, self.play.questions.current
        is_own = asked is not None and asked.seat == seat and questions.may_be_denied
        if is_own and (choice := questions.by_button("yes")):
            self._name(choice, questions.number)
            return
        if questions.open:
            self._do(self._flush)
        else:
            self._do(self._wait_for_rest, partial(self._ask_unless_asked, seat))

    def _ask_unless_asked(self, seat: Seat) -> None:
        if not self.play.questions.open:  # of what was played unseen
            before = partial(self._finish_before, lambda line: bool(silent_plies(line, seat)))
            self._do(self._flush, before, partial(self._ask_silent, seat))

    def _ask_silent(self, seat: Seat) -> None:
        if self.play.ask_silent(seat):
            self._look()

    def _press(self, button: str) -> None:
        match button:
            case "hint":
                self.hints.press(self.now, self.record)
            case "wrong" if self.record:
                self._doubt()
            case "back" if self.record:
                self._take_back()

    def _doubt(self) -> None:
        """The record is wrong: ask what else it was; if nothing else explains what hands did, or
        it is none of that, the last move is taken back.
        """
        if not self.play.questions.corrects and self.play.doubt():
            self._look()
        else:
            last = self.record[-1]
            self._take_back()
            told = last.kind == "move" and not last.open and last.texts != (PASS_TEXT,)
            self._withdrawn = last if told else None, self.record

    def _yes_or_no(self, button: str) -> None:
        """Take it as an answer to what people were asked as they pressed, and to nothing else."""
        questions = self.play.questions
        if choice := questions.by_button(button):
            self._name(choice, questions.number)
        elif button == "no" and questions.may_be_denied and questions.number is not None:
            self._do(partial(self._deny, questions.number))
        elif button == "yes" and self.putting_right.may_stand_so:
            self._do(self._stand_so)
        elif button == "yes" and self.may_begin_anew:
            self._do(self._begin_if_over)

    def _deny(self, number: int) -> None:
        """Nothing was played of what is asked: hands are led back to what was before."""
        self.putting_right.retarget()
        if self.play.deny(number):
            self.unseen.close()
            self.putting_right.set_up_anew()
            self._look()

    def _stand_so(self) -> None:
        """All stands as it should: what reads otherwise is stuck."""
        right = self.putting_right
        if right.may_stand_so:
            wrong = {place for side in right.mismatch() for place in side}
            right.settled_in()
            self.play.reader.restart(self.play.reader.shown)
            self._fail(wrong, "is stuck")

    def _begin_if_over(self) -> None:
        if self.may_begin_anew:  # what was said before may have changed that
            self._begin_anew()

    def _begin_anew(self) -> None:
        self._early_throws.clear()
        self._new_match()

    # ---- names of moves

    def _name(self, text: str, number: int | None = None) -> None:
        """Take a move that people name: the answer to the question there in the record, or to what
        is asked now, or one that was made now.
        """
        if number is None:
            number = self.play.questions.answered_by(text, seen=True)
        if number is None:
            flush = partial(self._flush, text)
            before = partial(self._finish_before, lambda line: bool(unseen_ply(line, text)))
            self._do(self._wait_for_rest, flush, before, partial(self._place, text))
        elif self._said:
            self._do(partial(self._answer, text, number))
        else:
            self._answer(text, number)  # whatever it is finding out

    def _place(self, text: str) -> None:
        play = self.play
        self._unplaced = "", ()
        if (number := play.questions.answered_by(text, seen=False)) is not None:
            self._answer(text, number)
        elif play.stands(text):  # it is read as just this; said twice, it may be the next one
            if self._late == (text, self.record) and play.ask_again(text):
                self._look()
            self._late = text, self.record
        elif (hidden := play.name(text)) is not None:
            self._look()
            self._fail(hidden, "is stuck")
        else:
            self._unplaced = text, self.record

    def _answer(self, text: str, number: int) -> None:
        """Take the answer to a question, unless that is not asked any more: another that may be
        asked meanwhile has not been seen by who answers.
        """
        self._unplaced = "", ()
        if self.play.questions.asks(number, text):
            self.play.answer(text, number)
            self._look()
        elif text not in {
            each for entry in self.record[number : number + 1] for each in entry.texts
        }:
            self._unplaced = text, self.record
