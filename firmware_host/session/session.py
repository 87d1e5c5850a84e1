"""A session at a board: takes events with their times, and returns notes of what happened.

The session has no clock: every event has its time, and `deadline` says when to call the session
again. The move tracker follows the hands. The session handles what people say in order, each
request when all earlier movements of hands have been read.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from functools import partial
from typing import Final

from engine.game import Claim, Seat, Throw
from engine.match import AnyGame, Match
from engine.reading.dice_evidence import may_await_dice, throws_before
from engine.reading.footprints import Sight
from engine.reading.hypothesis import End
from engine.reading.sayings import Said, times_made
from firmware_host.players.help_levels import MOST_HELP
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
from firmware_host.session.live_match import silent_plies
from firmware_host.session.move_tracker import MoveTracker
from firmware_host.session.outbox import Note, Outbox
from firmware_host.session.record import PASS_TEXT, Record, RecordEntry
from firmware_host.session.view import SessionView

EARLY_THROW_S: Final = 0.1
"""Dice may be reported this long before a sensor shows the move that they followed."""

HINT_STEPS: Final = 4
"""The steps of the hint button: which piece, where to, why, and none."""
HINT_LASTS_S: Final = 20.0
"""A hint disappears after this time."""


class Session:
    """A match at a board: the hands, the people and what the board shows."""

    def __init__(
        self,
        game: AnyGame,
        sight: Sight,
        matches: Iterable[Match] | None = None,
        assist: Iterable[int] | None = None,
    ) -> None:
        """Several `matches` differ only in moves that people are still asked about; `assist` is the
        help level of each seat, 0 to 4.
        """
        self.game = game
        self.sight = sight
        self._outbox = Outbox()
        started = [Match.begin(game)] if matches is None else list(matches)
        self._tracker = MoveTracker(sight, started, self._outbox)
        self._live = self._tracker.live
        self._resync = self._tracker.resync
        self._assist = [2] * len(game.seats) if assist is None else list(assist)
        self._view: SessionView | None = None
        self._hint: tuple[int, Record] = 0, ()  # the step shown, and the record then
        self._hint_ends = float("-inf")
        self._pressed_until = float("-inf")  # until then sensors may report moves before a press
        self._requests: deque[Callable[[], object]] = deque()  # what people said, not handled yet
        self._unplaced: tuple[str, Record] = "", ()  # a refused move name, and the record then
        self._withdrawn: tuple[RecordEntry | None, Record] = None, ()  # and the record without it
        self._repeated: tuple[str, Record] = "", ()  # a named move that was read before
        self._early_throws: list[tuple[Throw, float]] = []  # throws that seem to repeat, and when

    # ---- what the session shows

    @property
    def view(self) -> SessionView:
        """What the session shows; the same value until it handles the next event."""
        if self._view is None:
            self._view = self._new_view()
        return self._view

    def _new_view(self) -> SessionView:
        tracker, live, trays = self._tracker, self._live, self.sight.trays
        reader, sensors, pending = live.reader, tracker.sensors, live.pending_actions
        shortest = min(reader.shown, key=lambda history: history.match.plies)
        step, record = self._hint
        return SessionView(
            game=self.game,
            sight=self.sight,
            now=self.now,
            assist=tuple(self._assist),
            shown=tuple(reader.shown),
            levels=dict(reader.levels),
            record=self.record,
            read_at=live.read_at,
            played_at=live.played_at,
            provisional=live.provisional,
            outcome=live.outcome,
            acting=live.acting,
            verdict=tracker.verdict,
            settled_since=tracker.settled_since,
            is_at_rest=tracker.is_at_rest,
            thinking=self.thinking,
            looks_back=tracker.missed.open,
            question=live.questions.view(),
            repair=self._resync.view(),
            dice=live.dice_view(),
            pending=tuple(pending.due(reader.shown, reader.levels)),
            full_trays=frozenset(t for t in trays if pending.was_full(t, shortest)),
            lifted_trays=frozenset(filter(reader.touched, trays)),
            touched=frozenset(pending.touched),
            faults=sensors.faults,
            failing=sensors.failing,
            masked=sensors.masked,
            blind=sensors.blind,
            unplaced=self._unplaced[0] if self._unplaced[1] == self.record else "",
            withdrawn=self._withdrawn_entry(),
            hint_step=step if record == self.record else 0,
            hint_ends=self._hint_ends,
        )

    def _withdrawn_entry(self) -> RecordEntry | None:
        """Return the move that was taken back because people said that it is wrong and no other
        move explains the edges; None once hands have put the pieces back.
        """
        entry, record = self._withdrawn
        return entry if record == self.record and self._resync.guiding else None

    @property
    def now(self) -> float:
        """The time up to which all events are handled."""
        return self._outbox.now

    def compared(self) -> list[End]:
        """Return the likeliest explanation of the readings now, and the next best, with their
        costs.
        """
        return self._live.reader.compared()

    @property
    def deadline(self) -> float | None:
        """When to call the session if no event comes before; None if never."""
        due = self._tracker.deadline
        if self._requests and self._pressed_until > self.now:
            return self._pressed_until if due is None else min(due, self._pressed_until)
        return due

    @property
    def thinking(self) -> bool:
        """Whether a search for the meaning of the levels is running."""
        return self._tracker.thinking

    @property
    def has_requests(self) -> bool:
        """Whether something that people said is not handled yet."""
        return bool(self._requests)

    @property
    def settling(self) -> bool:
        """Whether the board is being set up."""
        return self._resync.settling

    @property
    def record(self) -> Record:
        """The record of the match."""
        return self._live.record

    # ---- what comes in

    def handle(self, event: Event) -> list[Note]:
        """Handle the time before an event, then the event; return notes of what happened."""
        self._view = None
        self._run_until(event.at)
        self._outbox.now = max(self.now, event.at)
        match event:
            case Frame():
                self._tracker.take_frame(event)
                self._place_throws()
            case Dice(instead=True):
                self._do(partial(self._correct_dice, Throw(event.dice)))
            case Dice():
                self._do(self._tracker.end_turn, partial(self._throw, Throw(event.dice)))
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
                self._do(self._tracker.flush, partial(self._claim, claim))
            case Assist():
                self._assist[event.seat] = max(0, min(MOST_HELP, event.level))
            case NewMatch():
                self._do(self._start_another)
            case Tick():
                pass
        self._do()
        self._run_until(self.now)
        return self._outbox.fetch()

    def guide_to(self, match: Match) -> None:
        """Guide hands to the position of a match. From now on the session reads no moves and must
        get no dice and no claims. A new match begins when hands set up its start.
        """
        self._view = None
        self._tracker.guide_to(match)

    def _run_until(self, at: float) -> None:
        """Handle all deadlines up to a time."""
        while (due := self.deadline) is not None and due <= at + 1e-9:
            self._outbox.now = max(self.now, due)
            for text, number in self._tracker.take_rested():
                self._name(text, number)
            self._tracker.step_search()
            self._do()
            self._tracker.act()

    def _do(self, *requests: Callable[[], object]) -> None:
        """Handle what people said in order, each request when no search is running."""
        self._requests.extend(requests)
        while self._requests and not self.thinking:
            looks_back = self._tracker.missed.open and not self.settling
            waits = looks_back or not self._tracker.is_at_rest or self._pressed_until > self.now
            if self._requests[0] == self._wait_for_rest and waits:
                return
            self._requests.popleft()()

    def _wait_for_rest(self) -> None:
        """Hold back the requests after this one until the sensors are at rest and unseen moves have
        been read or asked about: the sensors may only begin to show the move that people mean.
        """

    # ---- dice, claims, buttons

    def _throw(self, throw: Throw) -> None:
        live = self._live
        if not live.takes(throw):
            return  # the dice cannot show that
        reader = live.reader
        after = throws_before(reader)
        again = after is None and not live.awaits_dice and self._tracker.all_still
        again = again and not live.pass_turn()
        # If a throw may be due, the thrower has seen a move that is not shown yet.
        if again and not (may_await_dice(reader) or live.silent):
            self._early_throws.append((throw, self.now))
            return  # the last throw has not been played yet
        self._early_throws.clear()
        live.throw(throw, after)
        self._tracker.look()

    def _correct_dice(self, throw: Throw) -> None:
        if self._live.throw_instead(throw):
            self._early_throws.clear()
            self._tracker.look()

    def _place_throws(self) -> None:
        """Take a throw that seemed to repeat the last one as the next throw if a sensor changes at
        once: the piece was moved before the dice fell, and its sensor was late. While unseen moves
        are searched for, all such throws may be next ones.
        """
        throws = self._early_throws
        if not throws:
            return
        if self._tracker.missed.open:
            for throw, _ in throws:
                self._live.throw(throw)
        elif self.now <= throws[-1][1] + EARLY_THROW_S:
            if self._tracker.all_still:
                return
            self._do(self._tracker.end_turn, partial(self._throw, throws[-1][0]))
        self._early_throws = []

    def _claim(self, claim: Claim) -> None:
        if self._live.claim(claim):
            self._tracker.look()
        else:
            self._outbox.add("refused", reason="no-such-claim", places=[], seat=claim.seat)

    def _end_turn_of(self, seat: Seat) -> None:
        """End the turn of a seat, which says that its move is made: later edges belong to the next
        move. If people are asked whether the seat made its only possible move, that means yes. If
        no sensor shows a move, ask which it was, unless another question is open.
        """
        questions, asked = self._live.questions, self._live.questions.current
        is_own = asked is not None and asked.seat == seat and questions.may_be_denied
        if is_own and (choice := questions.by_button("yes")):
            self._name(choice, questions.number)
            return
        said = Said(self.now, seat=seat)
        self._tracker.hear(said)
        self._pressed_until = said.until
        if questions.open:
            self._do(self._tracker.flush)
        else:
            self._do(self._wait_for_rest, partial(self._ask_unless_asked, seat))

    def _ask_unless_asked(self, seat: Seat) -> None:
        if not self._live.questions.open:  # about unseen moves
            follows = partial(
                self._tracker.finish_before, lambda history: bool(silent_plies(history, seat))
            )
            self._do(self._tracker.flush, follows, partial(self._ask_silent, seat))

    def _ask_silent(self, seat: Seat) -> None:
        if self._live.ask_silent(seat):
            self._tracker.look()

    def _press(self, button: str) -> None:
        match button:
            case "hint":
                step, record = self._hint
                shown = self.now < self._hint_ends and record == self.record
                self._hint = ((step if shown else 0) + 1) % HINT_STEPS, self.record
                self._hint_ends = self.now + HINT_LASTS_S
            case "wrong" if self.record:
                self._doubt()
            case "back" if self.record:
                self._tracker.take_back()

    def _doubt(self) -> None:
        """Ask which other move was made, because people say that the record is wrong. If no other
        move explains the edges, or people have rejected all of them, take the last move back.
        """
        if not self._live.questions.corrects and self._live.doubt():
            self._tracker.look()
        else:
            last = self.record[-1]
            self._tracker.take_back()
            is_named = last.kind == "move" and not last.open and last.texts != (PASS_TEXT,)
            self._withdrawn = last if is_named else None, self.record

    def _yes_or_no(self, button: str) -> None:
        """Take the button as the answer to the question that was open when it was pressed."""
        questions = self._live.questions
        if choice := questions.by_button(button):
            self._name(choice, questions.number)
        elif button == "no" and questions.may_be_denied and questions.number is not None:
            self._do(partial(self._deny, questions.number))
        elif button == "yes" and self._resync.may_confirm:
            self._do(self._confirm_board)
        elif button == "yes" and self._may_start_another:
            self._do(self._start_another_if_over)

    def _deny(self, number: int) -> None:
        """Note that no move was made where people are asked; guide hands back to the position
        before.
        """
        self._resync.retarget()
        if self._live.deny(number):
            self._tracker.missed.close()
            self._resync.begin_setup()
            self._tracker.look()

    def _confirm_board(self) -> None:
        """Note that all pieces stand right, so sensors with other readings are stuck."""
        resync = self._resync
        if resync.may_confirm:
            wrong = {place for side in resync.mismatch() for place in side}
            resync.end_setup()
            self._live.reader.restart(self._live.reader.shown)
            self._tracker.fail(wrong, "is stuck")

    @property
    def _may_start_another(self) -> bool:
        return self._live.outcome is not None and not self._live.questions.open

    def _start_another_if_over(self) -> None:
        if self._may_start_another:  # an earlier request may have changed that
            self._start_another()

    def _start_another(self) -> None:
        self._early_throws.clear()
        self._tracker.new_match()

    # ---- names of moves

    def _name(self, text: str, number: int | None = None) -> None:
        """Take a move that people name: as the answer to the question at `number` in the record or
        to the open question, or as a move that was just made.
        """
        if number is None:
            number = self._live.questions.answered_by(text, seen=True)
        if number is None:
            made = self._live.times_made(text)
            self._tracker.hear(Said(self.now, text))
            follows = partial(
                self._tracker.finish_before, lambda history: times_made(history, text) > made
            )
            self._do(self._wait_for_rest, follows, partial(self._place, text, made))
        elif self._requests:
            self._do(partial(self._answer, text, number))
        else:
            self._answer(text, number)  # even while a search is running

    def _place(self, text: str, made: int) -> None:
        """Take a named move, unless it has been read since; it had been `made` that many times."""
        live, tracker = self._live, self._tracker
        self._unplaced = "", ()
        if live.times_made(text) > made:
            return
        if (number := live.questions.answered_by(text, seen=False)) is not None:
            self._answer(text, number)
        elif live.stands(text):  # it is the last move; named twice, it may be the next one, too
            if self._repeated == (text, self.record) and live.ask_again(text):
                tracker.look()
            self._repeated = text, self.record
        elif (hidden := live.name(text)) is not None:
            tracker.look()
            tracker.fail(hidden, "is stuck")
        else:
            self._unplaced = text, self.record

    def _answer(self, text: str, number: int) -> None:
        """Take the answer to a question, unless that question is closed: the person has not seen a
        question that was asked after it.
        """
        self._unplaced = "", ()
        if self._live.questions.asks(number, text):
            self._live.answer(text, number)
            self._tracker.look()
        elif text not in {
            each for entry in self.record[number : number + 1] for each in entry.texts
        }:
            self._unplaced = text, self.record
