"""One sitting at a board: events with their times in, what happened out.

The session has no clock: every event brings its time, and `deadline` says when it wants to be
called again. What hands do is left to the onlooker; what people say is heard here, one thing after
the other, each when it is known what hands have done before.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeAlias

from engine.game import Claim, Outcome, Place, Throw
from engine.match import AnyGame, Match
from engine.reading.footprints import Reading, Sight
from engine.reading.naming import named_from
from engine.reading.throws import may_await_dice, throws_before
from engine.reading.verdict import QUESTIONABLE, Underway, Verdict
from firmware_host.sitting.events import (
    Assist,
    Choose,
    Claimed,
    Dice,
    Event,
    Frame,
    Named,
    NewMatch,
    Press,
    Tick,
)
from firmware_host.sitting.fallen_dice import FallenDice
from firmware_host.sitting.hints import Hints
from firmware_host.sitting.match_in_play import MatchInPlay
from firmware_host.sitting.notes import Note, Notes
from firmware_host.sitting.onlooker import Onlooker
from firmware_host.sitting.patience import SLACK
from firmware_host.sitting.putting_right import PuttingRight
from firmware_host.sitting.record import Record
from firmware_host.sitting.sensor_health import SensorHealth

EARLY_NAME: Final = 5.0  # seconds by which a move may be named too early
EARLY_NAMES: Final = 16  # so many of them are remembered
EARLY_THROW: Final = 0.1  # by which dice may be told before a sensor shows what they fell after


Seen: TypeAlias = tuple[Mapping[Place, Reading], Verdict]


@dataclass(slots=True)
class _Name:
    """A move that people named before it was known what it was."""

    first: float
    """When."""
    said: float
    """When, or until when it was not known what hands had done by then."""
    stood: int
    """How many moves of that text stood then."""
    asked: bool
    """Whether people were asked something then."""
    tried: Seen | None
    """What had come to rest on the board when it was tried last, and what that was taken for; None
    if that was not known yet."""


class Session:
    """People at a board, a match, and what the board makes of it.

    What others show of it they find in its parts: the match in `play`, what stands wrong in
    `putting_right`, what does not work in `sensors`.
    """

    def __init__(self, game: AnyGame, sight: Sight, matches: Iterable[Match] | None = None) -> None:
        self.game = game
        self.sight = sight
        self.assist = [2] * len(game.seats)
        """How much the lights tell each seat, 0 to 3."""
        self.hints = Hints()
        """How much of a hint is wanted."""
        self._notes = Notes()
        self._onlooker = Onlooker(
            sight, [Match.begin(game)] if matches is None else list(matches), self._notes
        )
        self.play: MatchInPlay = self._onlooker.play
        self.putting_right: PuttingRight = self._onlooker.putting_right
        self.sensors: SensorHealth = self._onlooker.sensors
        self.fallen_dice = FallenDice(self.play)
        """What is to be seen of the last throw."""
        self._heard: deque[Callable[[], object]] = deque()  # what people said, to be done
        self._early: dict[str, _Name] = {}  # moves that were named and fit nowhere yet
        self._unplaced: tuple[str, Record] = "", ()  # one that was given up, with the record then
        self._played = ""  # the move that people have said last was played, though not asked
        self._early_throw: tuple[Throw, float] | None = None  # that seemed to fall again, and when

    # ---- what others may ask

    @property
    def now(self) -> float:
        """The time up to which all has been done."""
        return self._notes.now

    @property
    def match(self) -> Match:
        """The match as it is shown; the first of several while a question is open."""
        return self.play.match

    @property
    def record(self) -> Record:
        """What stands on the record."""
        return self.play.record

    @property
    def read_at(self) -> float:
        """When the record last changed."""
        return self._onlooker.read_at

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended, if it has."""
        return self.play.outcome

    @property
    def verdict(self) -> Verdict:
        """What the reader makes of the board now."""
        return self._onlooker.verdict

    @property
    def unplaced(self) -> str:
        """The move that people named last, if it fits nowhere and nothing else was read since; or
        nothing.
        """
        text, record = self._unplaced
        return text if record == self.record else ""

    @property
    def thinking(self) -> bool:
        """Whether it is finding out what the levels mean: until then there is nothing to show."""
        return self._onlooker.thinking

    @property
    def may_settle(self) -> bool:
        """Whether people may say that all is set up as it should be, though sensors deny it."""
        right = self.putting_right
        return (right.settling or right.may_stand_so) and self._onlooker.begun

    @property
    def may_begin_anew(self) -> bool:
        """Whether `yes` begins another match: this one is over, and nothing is asked of it."""
        return self.outcome is not None and not self.play.questions.open

    @property
    def deadline(self) -> float | None:
        """When the session wants to be called again though nothing happens."""
        return self._onlooker.deadline

    # ---- what comes in

    def handle(self, event: Event) -> list[Note]:
        """Take one event, and the time that went by before it; return what happened."""
        self._run_until(event.at)
        self._notes.now = max(self.now, event.at)
        onlooker = self._onlooker
        match event:
            case Frame():
                onlooker.frame(event)
                self._place_throw()
            case Dice(instead=True):
                self._hear(partial(self._dice_instead, Throw(event.dice)))
            case Dice():
                self._early_throw = None
                self._hear(onlooker.thrown, partial(self._dice, Throw(event.dice)))
            case Press() if event.button in self.game.seats:
                self._hear(onlooker.flush)
            case Press():
                self._hear(partial(self._press, event.button))
            case Choose():
                self._say(event.move)
            case Named():
                self._name(event.move)
            case Claimed():
                claim = Claim(event.seat, event.claim)
                self._hear(onlooker.flush, partial(self._claim, claim))
            case Assist():
                self.assist[event.seat] = max(0, min(3, event.level))
            case NewMatch():
                self._hear(self._begin_anew)
            case Tick():
                pass
        self._hear()
        self._run_until(self.now)
        notes = self._notes.fetch()
        self.fallen_dice.note(notes)
        return notes

    def _run_until(self, at: float) -> None:
        """Let time go by, deadline after deadline."""
        while (due := self.deadline) is not None and due <= at + 1e-9:
            self._notes.now = max(self.now, due)
            for named in self._onlooker.rested():
                self._choose(named)
            self._onlooker.go_on()
            self._hear()
            self._onlooker.act()

    def _hear(self, *said: Callable[[], object]) -> None:
        """Do what people said, one thing after the other, each when it is known what hands have
        done before.
        """
        self._heard.extend(said)
        while not self.thinking and self._heard:
            if self._named_by(self._heard[0]) and not self._onlooker.at_rest:
                return  # of what sensors have only begun to show
            self._heard.popleft()()
        if self._heard and not self._onlooker.answering and self._names_unseen(self._heard[0]):
            self._heard.popleft()()
        if self._early:
            self._place_names()

    def _hear_in_order(self, text: str, said: float) -> None:
        """Note that a move was named then, unless that answers a question about an earlier one."""
        is_answer = self.play.hearing.is_sure_answer(text, said)
        if not is_answer or self.play.questions.is_about_last:
            self.play.reader.hear(text, said)

    def _names_unseen(self, said: Callable[[], object]) -> bool:
        """Whether people said that a move was made of which no sensor shows anything: it may take
        long to know what hands have done, and this tells most of it.
        """
        text = self._named_by(said)
        return text is not None and self.play.hearing.naming.may_be_unseen(text)

    def _named_by(self, said: Callable[[], object]) -> str | None:
        """Return the move that people named, if they did."""
        return said.args[0] if isinstance(said, partial) and said.func == self._choose else None

    def _place_names(self) -> None:
        """Find out where moves were played that people have named too early to know."""
        reader = self.play.reader
        for text, name in list(self._early.items()):
            if self.thinking or (reader.is_behind and not self.play.questions.open):
                name.said = self.now
            elif self._count(text) > name.stood:
                del self._early[text]
            elif name.tried is None or name.tried != self._seen():
                retried = name.tried is not None
                name.tried = self._seen()
                self._onlooker.answer(text, self._placed(text, name.first, retried))
            elif isinstance(self.verdict, Underway) and text != self._played:
                name.said = self.now  # who thinks with a man in the hand is not late
            elif self.now >= name.said + EARLY_NAME - SLACK:
                del self._early[text]  # it would have been made by now
                if not (text == self._played and self._believe(text)):
                    self._unplaced = text, self.record
        if self._early:
            self._onlooker.wake(min(name.said for name in self._early.values()) + EARLY_NAME)

    def _believe(self, text: str) -> bool:
        """Take it that a move was played which people have said was, though not all of its sensors
        show it, if all the others read as it leaves the board: play goes on without those.
        """
        news, hidden = self.play.tell(text)
        if news:
            self._onlooker.play_on(news)
            self._onlooker.doubts.fail(hidden, "is stuck")
        return bool(news)

    def _count(self, text: str) -> int:
        """Return how many times a move stands on the record."""
        return sum(entry.texts == (text,) for entry in self.record)

    def _is_asked(self, text: str) -> bool:
        """Whether a move answers what is asked, and nothing else was said before that waits."""
        return self.play.questions.asks(text) and not (self._heard or self._onlooker.answering)

    # ---- dice, claims, buttons

    def _dice(self, throw: Throw) -> None:
        play = self.play
        if not play.takes(throw):
            return  # thrown again: no such face
        after = throws_before(play.reader)
        if after is None and not play.awaits_dice and self._onlooker.all_still:
            if play.may_pass:
                self._onlooker.play_on(play.pass_turn())
            elif may_await_dice(play.reader):
                pass  # who threw has seen what was played, whatever is shown
            elif not any(line.possible.silent for line in play.reader.shown):
                self._early_throw = throw, self.now
                return  # the throw before it is still to be played
        self._onlooker.play_on(play.throw(throw, after))

    def _dice_instead(self, throw: Throw) -> None:
        news = self.play.throw_instead(throw)
        if news is not None:
            self._early_throw = None
            self._onlooker.play_on(news)

    def _place_throw(self) -> None:
        """Take a throw that seemed to fall again for the next one, if hands have touched anything
        at once: a man was moved before it fell, and sensors have seen that late.
        """
        if self._early_throw is None:
            return
        throw, told = self._early_throw
        if self.now > told + EARLY_THROW:
            self._early_throw = None
        elif not self._onlooker.all_still:
            self._early_throw = None
            self._hear(self._onlooker.thrown, partial(self._dice, throw))

    def _claim(self, claim: Claim) -> None:
        news = self.play.claim(claim)
        if news is None:
            self._notes.tell("refused", reason="no-such-claim", places=[], seat=claim.seat)
        else:
            self._onlooker.play_on(news)

    def _press(self, button: str) -> None:
        questions = self.play.questions
        match button, questions.returned:
            case "hint", _:
                self.hints.press(self.now, self.record)
            case "back", 0 if self.record:
                self._onlooker.take_back(1)
            case "yes" | "no", 0:
                self._yes_or_no(button)
            case "yes" | "no" | "back", plies:
                questions.returned = 0
                if button != "no" and plies:
                    self._onlooker.take_back(plies)

    def _yes_or_no(self, button: str) -> None:
        right = self.putting_right
        if choice := self.play.questions.by_button(button):
            self._choose(choice)
        elif button == "yes" and self.may_settle:
            # All stands as it should.
            wrong = {place for side in right.mismatch() for place in side}
            right.settled_in()
            self.play.reader.restart(self.play.reader.shown)
            self._onlooker.doubts.fail(wrong, "is stuck")
        elif button == "yes" and self.may_begin_anew:
            self._begin_anew()

    def _begin_anew(self) -> None:
        self._early.clear()
        self._early_throw = None
        self._onlooker.new_match()

    # ---- names of moves

    def _say(self, text: str) -> None:
        """Take what people say was played: in answer to a question, or of themselves."""
        if self._is_asked(text):
            self._hear_in_order(text, self.now)
            self._choose(text)  # whatever it is finding out
        else:
            self._hear(partial(self._choose, text, self._count(text), self.now))

    def _name(self, text: str) -> None:
        """Take what people say of themselves was played."""
        self._played = text
        if self.play.hearing.may_mean_another(text):
            self._hear(partial(self._volunteer, text, self.now))
        else:
            self._say(text)

    def _volunteer(self, text: str, said: float) -> None:
        """Take a name that may be of what is asked, or of a move that was made just now. As long as
        it is not known what hands have done since, what is asked must be answered first.
        """
        self._unplaced = "", ()
        if not self.play.hearing.may_mean_another(text):
            self._choose(text, self._count(text), said)
        elif self.play.reader.is_behind:
            self._unplaced = text, self.record
        else:
            self._onlooker.answer(text, self._volunteered(text, said))

    def _volunteered(self, text: str, said: float) -> Generator[None, None, bool]:
        news = yield from self.play.volunteer(text, said)
        if news is None:
            self._unplaced = text, self.record
        else:
            self._onlooker.play_on(news)
        return news is not None

    def _choose(self, text: str, stood: int | None = None, said: float | None = None) -> None:
        """Take the answer to a question, or to one that is about to be asked. So many of that text
        had `stood` when it was `said`, if that was before.
        """
        said = self.now if said is None else said
        self._unplaced = "", ()
        if stood is not None:  # not before: it would tell of what was named earlier
            self._hear_in_order(text, said)
        if stood is not None and self._count(text) > stood:
            self.play.hearing.confirm(text)  # it has been read since
            return
        if self.play.reader.is_behind and not self._is_asked(text):
            self._remember(text, said, None)
        else:
            self._onlooker.answer(text, self._named(text, said))

    def _named(self, text: str, said: float) -> Generator[None, None, bool]:
        """Take a name; if it fits nowhere, keep it."""
        found = yield from self._answer(text, said)
        found = found or (yield from self._answer_together(text))
        if not found:
            self._remember(text, said, self._seen())
            found = yield from self._insist(text)
        return found

    def _placed(self, text: str, first: float, retried: bool) -> Generator[None, None, bool]:
        """Take a name that was kept since people said it `first`, and keep it no more if it fits
        now.
        """
        found = yield from self._answer(text, self.now if retried else first, retried)
        if found:
            self._early.pop(text, None)
        elif text in self._early:
            found = yield from self._insist(text)
        return found

    def _insist(self, text: str) -> Generator[None, None, bool]:
        """Take a name that fits nowhere well, unless it is but early: what stands already is meant,
        or people know better than the sensors, however much is unexplained then.
        """
        if self._may_be_early(text, self._early[text]):
            return False
        found = self.play.hearing.confirm_late(text) or (
            yield from self._answer(text, self.now, True, float("inf"))
        )
        if found:
            self._early.pop(text, None)
        return found

    def _may_be_early(self, text: str, name: _Name) -> bool:
        """Whether a move may have been named that is only going to be made: a hand is about to, or
        people were asked something and said that instead.
        """
        lines = (*self.play.reader.shown, *self.play.reader.heads)
        may_come = any(named_from(line, text) is not None for line in lines)
        return (name.asked and may_come) or self._is_underway(text)

    def _is_underway(self, text: str) -> bool:
        """Whether a hand may be making a move of that text, and has not put its man down yet."""
        verdict, levels = self.verdict, self.play.reader.levels
        if not isinstance(verdict, Underway):
            return False
        match = verdict.line.match
        return any(
            match.game.move_text(match.position, ply.move) == text
            and any(levels.get(place, 0) != reading for place, reading in ply.arrivals)
            for ply in verdict.moves
        )

    def _answer(
        self, text: str, said: float, retried: bool = False, at_most: float = QUESTIONABLE
    ) -> Generator[None, None, bool]:
        """Take the answer to a question; return whether it was one. What was read otherwise is
        corrected by it only if that leaves `at_most` so much unexplained. One that is `retried` was
        not said again.
        """
        news = yield from self.play.answer(text, said, at_most, retried)
        if news is not None:
            self._onlooker.play_on(news)
        return news is not None

    def _answer_together(self, text: str) -> Generator[None, None, bool]:
        """Take a name with those before it that fit nowhere yet: two moves that follow each other
        closely may leave nothing by which either can be told alone.
        """
        before = [each for each in self._early if each != text]
        for count in range(1, len(before) + 1):
            news = yield from self.play.answer_together((*before[-count:], text))
            if news is not None:
                for each in before[-count:]:
                    del self._early[each]
                self._onlooker.play_on(news)
                return True
        return False

    def _seen(self) -> Seen:
        return dict(self.play.reader.levels), self.verdict

    def _remember(self, text: str, said: float, tried: Seen | None) -> None:
        """Keep a name that fits nowhere yet."""
        if len(self._early) == EARLY_NAMES and text not in self._early:
            del self._early[next(iter(self._early))]
        self._early[text] = _Name(
            said, self.now, self._count(text), bool(self.play.questions.open), tried
        )
