"""One sitting at a board: events with their times in, what happened out.

The session owns time and meaning. The reader says what explains the sensors; the session decides
how long that must stand before it is shown, asks when the sensors cannot tell, and knows that
what is shown stays provisional until a later move. It has no clock: every event brings its time,
and `deadline` says when it wants to be called again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from engine.footprints import Line, Sight
from engine.game import Claim, Outcome, Pass, Place, Reason, Throw
from engine.match import AnyGame, Match
from engine.mending import Movement
from engine.reading import LATELY
from engine.verdicts import Ambiguous, Astray, Settled, Still, Underway, Verdict
from firmware_host.debounce import Debounce
from firmware_host.diagnosis import Changes, Suspicion, convicted, suspicions
from firmware_host.events import (
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
from firmware_host.guidance import Guidance
from firmware_host.match_in_play import MatchInPlay
from firmware_host.patience import ALARMS, GUIDED, PATIENT, REST, patience
from firmware_host.questions import TWICE
from firmware_host.record import Record, throw_text
from firmware_host.sensor_health import SensorHealth
from firmware_host.thoughts import Thinking, Thought

UNTOLD = 20.0  # the next move has not come that would tell which of two it was
CALM = 10.0  # a sensor that flickered is believed again


@dataclass(frozen=True, slots=True)
class Note:
    """Something that happened, for the recording's reader, the page and the journal."""

    at: float
    event: str
    details: dict[str, Any]

    def plain(self) -> dict[str, Any]:
        """Return it as one JSON object."""
        return {"t": round(self.at, 3), "event": self.event, **self.details}


class Session:
    """People at a board, a match, and what the board makes of it."""

    def __init__(self, game: AnyGame, sight: Sight, matches: Iterable[Match] | None = None) -> None:
        self.game = game
        self.sight = sight
        self.assist = [2] * len(game.seats)
        self.now = 0.0
        self.refusal: Reason | None = None
        self.sensors = SensorHealth()
        self.settling = True
        """The board is being set up: nothing is read until it matches."""
        self.guiding = False
        """The board does not match, and has not for a while: put and take say how to mend it."""
        self.hinted = False
        self.rev = 0
        self._debounce = Debounce()
        self._changes = Changes()
        self._notes: list[Note] = []
        self._pending: tuple[Verdict, float] | None = None  # what waits, and until when
        self._since = 0.0  # when what the verdict explains came to rest
        self._doubted = float("inf")  # since when the verdicts have been doubtful
        self._looked_at = 0.0  # when the reader was asked last
        self._thinking = Thinking()
        self._heard: deque[Callable[[], object]] = deque()  # what people said, to be done
        self._accused = ""  # the move that makes no sense unless a sensor sticks
        self._alarms: dict[str, float] = {}
        self._refused: object = None
        self._guided: object = None
        self._guidance = Guidance(sight)
        self._begun = False
        self.read_at = -1e9
        """When the record last changed."""
        self._begin(list(matches) if matches is not None else [Match.begin(game)], {})

    def _begin(self, matches: list[Match], levels: dict[Place, int]) -> None:
        self.play = MatchInPlay(matches, self.sight, self.masked, levels)
        self.reader, self.questions = self.play.reader, self.play.questions
        self.verdict: Verdict = Still()
        self._pending = None
        self._thinking.drop()

    # ---- what others may ask

    @property
    def masked(self) -> frozenset[Place]:
        """The places whose sensors are not believed at present."""
        return self.sensors.masked

    @property
    def match(self) -> Match:
        """The match as it is shown; the first of several while a question is open."""
        return self.play.match

    @property
    def record(self) -> Record:
        """What stands on the record."""
        return self.play.record

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended, if it has."""
        return self.play.outcome

    @property
    def thinking(self) -> bool:
        """Whether it is finding out what the levels mean: until then there is nothing to show."""
        return self._thinking.due is not None

    @property
    def deadline(self) -> float | None:
        """When the session wants to be called again though nothing happens."""
        due = self._debounce.deadline
        if (think := self._thinking.due) is not None:  # what waits is held back till all is known
            return think if due is None else min(due, think)
        for at in self._alarms.values():
            if due is None or at < due:
                due = at
        if self._pending is not None and (due is None or self._pending[1] < due):
            due = self._pending[1]
        return due

    # ---- what comes in

    def handle(self, event: Event) -> list[Note]:
        """Take one event, and the time that went by before it; return what happened."""
        self._run_until(event.at)
        self.now = max(self.now, event.at)
        match event:
            case Frame():
                self._frame(event)
            case Dice():
                self._hear(self._flush, partial(self._dice, Throw(event.dice)))
            case Press() if event.button in self.game.seats:
                self._hear(self._flush)
            case Press():
                self._hear(partial(self._press, event.button))
            case Choose() if self._is_asked(event.move):
                self._choose(event.move)  # whatever it is finding out
            case Choose():
                self._hear(partial(self._choose, event.move))
            case Claimed():
                claim = Claim(event.seat, event.claim)
                self._hear(self._flush, partial(self._claim, claim))
            case Assist():
                self.assist[event.seat] = max(0, min(3, event.level))
            case NewMatch():
                self._hear(self._new_match)
            case Tick():
                pass
        self._hear()
        self._run_until(self.now)
        notes, self._notes = self._notes, []
        self.rev += 1
        return notes

    def _note(self, event: str, **details: Any) -> None:
        self._notes.append(Note(self.now, event, details))

    def _run_until(self, at: float) -> None:
        """Let time go by, deadline after deadline."""
        while (due := self.deadline) is not None and due <= at + 1e-9:
            self.now = max(self.now, due)
            rested = self._debounce.rested(self.now)
            for place, reading in rested:
                self.reader.level(place, reading)
                self._guidance.touched(place, reading)
                self._changes.note(self.now, place)
                if isinstance(self.verdict, Still | Underway | Astray):
                    named = self.questions.touched(self.now, place, reading)
                    if named is not None:
                        self._choose(named)
                    elif self.questions.pressed(self.now) == place:
                        self._alarms["pressed"] = self.now + TWICE  # it is said no longer
            if rested:
                if self.guiding:
                    self._follow()
                self._look()
            if (think := self._thinking.due) is not None and think <= self.now + 1e-9:
                self._thinking.go_on(self.now)
            self._hear()
            if (
                not self.thinking
                and self._pending is not None
                and self._pending[1] <= self.now + 1e-9
            ):
                if self._only_mends(self._pending[0]):
                    self._pending = None
                    self._alarms["guide"] = self.now + GUIDED
                else:
                    self._think(self._act(self._pending[0]))
            for name in [n for n, time in self._alarms.items() if time <= self.now + 1e-9]:
                if not self.thinking:
                    del self._alarms[name]
                    self._alarm(name)

    def _hear(self, *said: Callable[[], object]) -> None:
        """Do what people said, one thing after the other, each when it is known what hands have
        done before.
        """
        self._heard.extend(said)
        while self._heard and not self.thinking:
            self._heard.popleft()()

    def _is_asked(self, text: str) -> bool:
        """Whether a move answers what is asked, and nothing else was said before that waits."""
        entry = self.questions.current
        return entry is not None and text in entry.candidates and not self._heard

    def _frame(self, frame: Frame) -> None:
        places = self.sight.places
        readings = frame.readings
        if not places.issuperset(readings):
            readings = {place: value for place, value in readings.items() if place in places}
        if frame.faults != self.sensors.faults:
            for fault in self.sensors.report(frame.faults):
                self._note("fault", fault=fault)
        if not self._begun:
            self._begun = True
            self.sensors.blind = frame.blind
            self._first(readings)
            return
        if frame.blind:
            # What a chip that is gone read last is as good as anything.
            readings = dict(readings) | {
                place: value for place, value in self._debounce.raw.items() if place in frame.blind
            }
        if frame.blind != self.sensors.blind:
            self.sensors.blind = frame.blind
            self.reader.remask(self.masked)
            self.reader.hold()  # what was seen before it went blind was seen
            self._look()
        for place, reading in self._debounce.feed(self.now, readings):
            self.reader.touch(self.now, place, reading)
        for place in self._debounce.flickering(self.now):
            if place not in self.sensors.failing:
                self._fail({place}, "flickers")
            self._alarms["calm"] = self.now + CALM

    def _first(self, readings: Mapping[Place, int]) -> None:
        """Take the first frame as it is: a board that matches, or one to set up."""
        for tray in self.sight.trays:
            # A tray that reads fewer than lie in it has fewer pockets than that.
            lies = self.reader.shown[0].expected.get(tray, 0)
            if 0 < readings.get(tray, 0) < lies:
                self.sight.pockets[tray] = readings[tray]
        self._debounce.begin(readings)
        self._begin([line.match for line in self.reader.shown], dict(readings))
        self._changes.mark()
        put, take = self.mismatch()
        if put or take:
            men = sum(place in self.sight.cells for place in self.reader.shown[0].expected)
            self.sensors.suspect(put, take, men)
            self._remask()
        else:
            self.settling = False
            self._guidance.mended(self.reader.shown[0])

    # ---- reading

    def _think(self, thought: Thought) -> None:
        self._thinking.begin(thought, self.now)

    def _look(self) -> None:
        """Ask the reader what the levels mean."""
        self._thinking.drop()
        if self._accused:  # that has not come to its end
            self._heard.appendleft(partial(self._choose, self._accused))
            self._accused = ""
        if not self.settling or self._set_up():
            self._looked_at = self.now
            self._think(self._read())

    def _read(self) -> Thought:
        verdict = yield from self.reader.search(self.now)
        self._believe_again()
        self._heed(verdict)

    def _heed(self, verdict: Verdict) -> None:
        """Decide how long a verdict must stand."""
        waiting = self._pending[0] if self._pending is not None else None
        if (
            isinstance(verdict, Settled | Ambiguous)
            and isinstance(waiting, type(verdict))
            and verdict.lines == waiting.lines
            and self._pending is not None
        ):
            sooner = self._looked_at + self._patience(verdict)
            self._pending = (verdict, min(self._pending[1], sooner))
            self.verdict = verdict
            return
        if (
            isinstance(verdict, Settled)
            and verdict.plies > 1
            and verdict.sure
            and not (verdict.replaces or verdict.bare or verdict.back)
        ):
            # What another ply has followed is played at once; only the last one may go on.
            self._since = self._looked_at
            followed = tuple(dict.fromkeys(line.head() for line in verdict.lines))
            self._show(Settled(followed, False, plies=verdict.plies - 1))
            return
        self.verdict = verdict
        self._since = self._looked_at
        self._pending = None
        if isinstance(verdict, Still) or (isinstance(verdict, Settled) and verdict.sure):
            self._doubted = float("inf")
        else:
            self._doubted = min(self._doubted, self.now)
        for name in (name for after in ALARMS.values() for name in after):
            self._alarms.pop(name, None)
        if isinstance(verdict, Still):
            self._mended()
        elif isinstance(verdict, Settled | Ambiguous):
            self._pending = (verdict, self._looked_at + self._patience(verdict))
        for name, delay in ALARMS.get(type(verdict), {}).items():
            self._alarms[name] = self.now + delay

    def _doubtful(self, verdict: Verdict) -> bool:
        """Whether moves are read that leave much unexplained; men that went back prove more."""
        return (
            isinstance(verdict, Settled | Ambiguous)
            and not verdict.sure
            and not (isinstance(verdict, Settled) and verdict.back)
            and not all(line in self.reader.heads for line in verdict.lines)
        )

    def _set_up(self) -> bool:
        """Guide until the board matches; return whether hands may be read."""
        if self.sensors.still_suspect(self.reader.levels, self.reader.shown[0].expected):
            self.reader.remask(self.masked)
        put, take = self.mismatch()
        if put or take:
            self._alarms.setdefault("guide", self.now + (GUIDED if self.guiding else 0.0))
            self.verdict = Astray()
            return bool(self.sensors.suspects)
        self._settled_in()
        self.reader.restart(self.reader.shown)
        return True

    def _settled_in(self) -> None:
        """The board is set up."""
        self.settling = self.guiding = False
        self._guidance.mended(self.reader.shown[0])
        self.sensors.acquit()
        self._guided = None
        self._alarms.pop("guide", None)

    def mismatch(self) -> tuple[tuple[Place, ...], tuple[Place, ...]]:
        """Return the cells to fill or turn, and the cells to empty, to put the board right."""
        put, take = self.reader.mismatch()
        expected = self.reader.shown[0].expected
        suspects = sorted(self.sensors.suspects)
        more = [place for place in suspects if place in expected]
        less = [place for place in suspects if place not in expected]
        return (*put, *more), (*take, *less)

    def plan(self) -> tuple[Movement, ...]:
        """Return the fewest hand movements that put the board right, in their order."""
        masked = self.masked - self.sensors.suspects
        return self._guidance.plan(self.reader.shown[0], self.reader.levels, masked)

    def _patience(self, verdict: Settled | Ambiguous) -> float:
        return patience(verdict, self.now - self._doubted, bool(self.sensors.suspects))

    def _act(self, verdict: Verdict) -> Thought:
        """A verdict has stood long enough."""
        found = (yield from self._suspicions(verdict)) if self._doubtful(verdict) else []
        self._pending = None
        if not self._suspect(found) and isinstance(verdict, Settled | Ambiguous):
            self._show(verdict)

    def _show(self, verdict: Settled | Ambiguous, ask: bool = False) -> None:
        if suspects := self.sensors.suspects:  # play goes on without them: the sensors are wrong
            self._settled_in()
            self._tell_failing(self.sensors.fail(suspects, self.now), "is stuck")
        provisional = self.play.provisional
        back = verdict.back if isinstance(verdict, Settled) else 0
        if back:
            self.reader.go_back(verdict.lines, self._since)
        else:
            self.reader.show(verdict.lines, self._since)
        self._publish(provisional, back, ask)
        if verdict.strays:
            self._fail(verdict.strays, "is stuck")
        self._mended()
        if isinstance(verdict, Settled) and not back:
            self._ask_of_old_position()
        self._look()

    def _publish(self, provisional: int, back: int = 0, ask: bool = False) -> None:
        """Tell how the record has changed. While the next moves are likely to say which of the
        lines it is, only the likeliest is told, and nothing is asked unless it must be.
        """
        lines = self.reader.shown
        open_already = ask or self.questions.asked
        asked = len(lines) > 1 and (open_already or not self.reader.time_will_tell())
        self._alarms.pop("ask", None)
        if len(lines) > 1 and not asked:
            self._alarms["ask"] = self.now + UNTOLD
        before = self.record
        for news in self.play.publish(provisional, back, asked):
            self._note(news.pop("event"), **news)
        if self.record != before:
            self.read_at = self.now

    def _ask_of_old_position(self) -> None:
        """Ask whether men that went back in another order than they came were taken back."""
        last = self.questions.old_position()
        if last is not None:
            plies = self.questions.returned
            self._note("ask", seat=last.seat, moves=[last.text], takeback=plies)

    # ---- alarms

    def _alarm(self, name: str) -> None:
        match name:
            case "again":
                self._think(self._look_again())
            case "rest":
                self._think(self._come_to_rest())
            case "patient":
                self._think(self._puzzle())
            case "held":
                self._think(self._wonder())
            case "ask":
                self._publish(self.play.provisional, ask=True)
            case "refuse":
                self._refuse()
            case "guide":
                self._guide()
            case "calm":
                self._believe_again()
                if self.sensors.failing & set(self._debounce.flickering(self.now)):
                    self._alarms["calm"] = self.now + CALM

    def _come_to_rest(self) -> Thought:
        """All men have stood still as they are shown."""
        now = self.now
        yield from self.reader.rest(now - REST)
        if not self.settling:
            self._changes.mark()
            self.sensors.unproven = frozenset()

    def _look_again(self) -> Thought:
        """A hand that has not moved since has rather finished."""
        self._looked_at = self.now
        verdict = yield from self.reader.search(self.now)
        if isinstance(verdict, Still | Settled | Ambiguous):
            self._heed(verdict)

    def _puzzle(self) -> Thought:
        """Nothing has made sense for a while: look again, and for a sensor that fails."""
        verdict = yield from self.reader.search(self.now, patient=True)
        if isinstance(verdict, Still):
            self._heed(verdict)
        if isinstance(verdict, Still) or self._only_mends(verdict):
            return
        sure = isinstance(verdict, Settled) and not (self._doubtful(verdict) or verdict.strays)
        if not sure and self._suspect((yield from self._suspicions(verdict))):
            return
        if isinstance(verdict, Settled) or (isinstance(verdict, Ambiguous) and not verdict.strays):
            self._show(verdict)

    def _wonder(self) -> Thought:
        """A man has been in a hand for long, as it seems: ask whether it has taken another."""
        found = yield from self.reader.taken_unseen(self.now)
        if found is not None and isinstance(self.verdict, Underway):
            self._show(found, ask=True)

    def _suspicions(
        self, told: Verdict | None, named: str | None = None
    ) -> Generator[None, None, list[Suspicion]]:
        """Look for a sensor that sticks."""
        if not self.reader.put_since or self.settling or self._guidance.followed:
            return []
        places = [place for place in self.sight.cells if self._changes.may_stick(place)]
        return (
            yield from suspicions(self.reader, places, self.now, told, named, self.sensors.unproven)
        )

    def _suspect(self, found: list[Suspicion]) -> bool:
        """Believe a sensor no more if it surely sticks; return whether there is one that may."""
        places = convicted(found, self._changes.stands_apart)
        self.sensors.doubted = frozenset(each.place for each in found if not places)
        if places:
            self._convict(places)
            if len(places) > 1:
                self._ask_which([line.match for each in found for line in each.lines])
        return bool(found)

    def _ask_which(self, matches: Iterable[Match]) -> None:
        """Go on from all ways in which the match may have gone."""
        line, provisional = self.reader.shown[0], self.play.provisional
        self.reader.restart(dict.fromkeys(line.along(match) for match in matches))
        self._publish(provisional, ask=True)
        self._look()

    def _refuse(self) -> None:
        """Say why no move does what the hand did."""
        attempt = self.reader.attempt()
        if attempt == self._refused or not (attempt.placed or attempt.swapped):
            return
        if self._guidance.followed:
            return  # the hand does as it is told
        if self.now < self._since + GUIDED - 1e-9 and self.reader.may_be_parked():
            self._alarms["refuse"] = self._since + GUIDED  # its captor may be lifted next
            return
        self._refused = attempt
        if self.outcome is not None:
            return
        self.refusal = self.game.why_not(self.match.position, attempt)
        if self.refusal is not None:
            self._note(
                "refused",
                reason=self.refusal.code,
                places=list(self.refusal.places),
                seat=self.match.turn,
            )

    def _guide(self) -> None:
        """Say how the board is put right."""
        put, take = self.mismatch()
        if (put or take) and self.outcome is not None and self._start_again():
            return
        self.guiding = self._amiss()
        if not self.guiding:
            return
        move = [[step.start, step.end] for step in self.plan() if step.carries]
        if (put, take, move) != self._guided:
            self._guided = (put, take, move)
            self._note("astray", put=list(put), take=list(take), move=move)

    def _follow(self) -> None:
        """Keep in step with hands that put the board right."""
        self.plan()
        if not self._amiss() and not self.settling:
            if self._guidance.followed:  # what they touched for it means nothing else
                self.reader.restart(self.reader.shown)
            self._mended()

    def _amiss(self) -> bool:
        """Whether men stand wrong, as the sensors see it or as is certain without them."""
        return any(self.mismatch()) or (self._guidance.anew and bool(self.plan()))

    def _only_mends(self, verdict: Verdict) -> bool:
        """Whether hands have only put men right since they were told how: then what they have
        done so far is no takeback, not several plies, and shows no sensor that fails. After a
        takeback by button it is no move at all: it is known which men are carried.
        """
        if not isinstance(verdict, Settled | Ambiguous) or not self._guidance.followed:
            return False
        plies = max(line.match.plies for line in verdict.lines) - self.match.plies
        back = isinstance(verdict, Settled) and verdict.back > 0
        return plies > 1 or back or bool(verdict.strays) or self._guidance.anew

    def _start_again(self) -> bool:
        """Begin a new match when the start has been set up again after the end of one."""
        start = self.sight.readings(self.game.start())
        cells = {p: r for p, r in self.reader.levels.items() if p in self.sight.cells}
        if cells != {p: r for p, r in start.items() if p in self.sight.cells}:
            return False
        self._new_match()
        return True

    def _mended(self) -> None:
        """The board matches what is shown."""
        if isinstance(self.verdict, Still) and self._guidance.anew and self.plan():
            self._alarms.setdefault("guide", self.now + GUIDED)
            return  # but for men that the sensors cannot tell apart
        self._guidance.mended(self.reader.shown[0])
        self._hush()

    def _hush(self) -> None:
        """Say no more what was wrong, unless a sensor is still suspected of it."""
        self.refusal = None
        if self.sensors.suspects:
            self._alarms.setdefault("guide", self.now)
            return
        self.guiding = False
        self.sensors.doubted = frozenset()
        self._refused = self._guided = None

    # ---- sensors that are not believed

    def _fail(self, places: Iterable[Place], how: str) -> None:
        if fresh := self.sensors.fail(places, self.now):
            self._tell_failing(fresh, how)
            self._remask()

    def _convict(self, places: frozenset[Place]) -> None:
        before = self.masked
        fresh = self.sensors.convict(places, self.now)
        self._tell_failing(fresh, "is stuck" if len(places) == 1 else "may be stuck")
        if self.masked != before:
            self._remask()

    def _tell_failing(self, places: Iterable[Place], how: str) -> None:
        for place in sorted(places):
            self._note("fault", fault=f"{place}: the sensor {how}; playing on without it")

    def _believe_again(self) -> None:
        """Believe a failing sensor that has changed and agrees with the rules again."""
        reader = self.reader
        if self.sensors.failing and self.sensors.recover(
            reader.levels,
            [line.expected for line in reader.shown],
            reader.changed,
            set(self._debounce.flickering(self.now)),
        ):
            self._remask()

    def _remask(self) -> None:
        self.reader.remask(self.masked)
        if self._begun:
            self._look()

    # ---- people

    def _flush(self) -> None:
        """Play the reading that still waits, unless it undoes something."""
        if self._pending is None or not isinstance(self._pending[0], Settled):
            return
        verdict = self._pending[0]
        if verdict.sure and not (verdict.bare or verdict.back):
            self._think(self._act(verdict))

    def _dice(self, throw: Throw) -> None:
        if not self.play.takes(throw):
            return  # thrown again: no such face
        if not self.play.awaits_dice and isinstance(self.verdict, Still):
            if passing := self.play.passes():
                self._play_for(passing, Pass())
            elif not any(line.silent for line in self.reader.shown):
                return  # the throw before it is still to be played
        before = self.play.provisional
        self.reader.throw(throw)
        self._note("throw", dice=list(throw.dice), text=throw_text(throw))
        self._publish(before)
        self._look()

    def _play_for(self, lines: list[Line], move: Any) -> None:
        """Play a move that no hand makes."""
        provisional = self.play.provisional
        self.reader.restart([line.step(move) for line in lines])
        self._publish(provisional)
        self._look()

    def _press(self, button: str) -> None:
        if button == "back":
            self._back()
        elif button == "hint":
            self.hinted = not self.hinted
        elif button in ("yes", "no"):
            if plies := self.questions.returned:
                self.questions.returned = 0
                if button == "yes":
                    self._take_back(plies)
            elif choice := self.questions.by_button(button):
                self._choose(choice)
            elif button == "yes" and self.settling and self._begun:
                wrong = {place for side in self.mismatch() for place in side}
                self._settled_in()
                self._fail(wrong, "is stuck")

    def _back(self) -> None:
        if plies := self.questions.returned:
            self.questions.returned = 0
            self._take_back(plies)
        elif self.record:
            self._take_back(1)

    def _take_back(self, plies: int) -> None:
        """Go back in the record; the board is guided to follow."""
        provisional = self.play.provisional
        match = self.match.back(plies)
        self._pending = None
        self._guidance.retarget(self.reader.shown, self.reader.levels)
        self.reader.restart([Line.of(match, self.sight, self.masked)])
        self._publish(provisional, back=plies)
        self.guiding = self._amiss()
        self._look()

    def _choose(self, text: str) -> None:
        """Take the answer to a question, or to one that is about to be asked; or the name of a
        move that makes no sense unless a sensor sticks.
        """
        if not self._answer(text) and (self.guiding or self._contradicted(text)):
            self._accused = text
            self._think(self._accuse(text))

    def _contradicted(self, text: str) -> bool:
        """Whether people name a move that is not there while the board makes no sense."""
        lately = [entry.texts for entry in self.record[-LATELY:]]
        doubted = self.now - self._doubted > PATIENT
        return doubted and not any(text in texts for texts in lately)

    def _accuse(self, text: str) -> Thought:
        """Believe the sensor no more without which alone a move can have been played."""
        found = yield from self._suspicions(None, text)
        self._accused = ""
        places = [each.place for each in found if all(text in play for play in each.plays)]
        if len(places) == 1 and places[0] not in self.masked:
            self._convict(frozenset(places))
            self._heard.appendleft(partial(self._answer, text))

    def _answer(self, text: str) -> bool:
        """Take the answer to a question; return whether it was one."""
        if self._pending is not None and not self.questions.named(text):
            verdict = self._pending[0]
            if isinstance(verdict, Ambiguous) and any(
                line.match.text == text for line in verdict.lines
            ):
                self._pending = None
                self._show(verdict)
        provisional = self.play.provisional
        answered = self.questions.answer(text, self.now)
        if answered:
            self._publish(provisional)
            self._look()
        return answered

    def _claim(self, claim: Claim) -> None:
        after = self.play.claims(claim)
        if not after:
            self._note("refused", reason="no-such-claim", places=[], seat=claim.seat)
            return
        provisional = self.play.provisional
        self.reader.restart(after)
        self._note("claim", seat=claim.seat, claim=claim.text)
        self._publish(provisional)
        self._look()

    def _new_match(self) -> None:
        self._guidance.retarget(self.reader.shown, self.reader.levels)
        self._begin([Match.begin(self.game)], self.reader.levels)
        self._note("new")
        self.settling = True
        self._hush()
        self._look()
