"""An onlooker at the board: from what the sensors read to what is shown, and when.

The reader says which lines of play explain the sensors; the onlooker decides how long that must
stand before it is shown, guides hands where nothing explains it, and finds the sensors that fail.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet

from engine.edges import BURST
from engine.footprints import Reading, Sight
from engine.game import Place
from engine.lines import Line
from engine.match import Match
from engine.standing import lacking
from engine.verdicts import Ambiguous, Astray, Settled, Still, Underway, Verdict
from firmware_host.debounce import Debounce
from firmware_host.diagnosis import MANY, Diagnosis, Suspicion
from firmware_host.events import Frame
from firmware_host.match_in_play import MatchInPlay, News
from firmware_host.notes import Notes
from firmware_host.patience import GUIDED, HELD, REST, Waiting
from firmware_host.putting_right import PuttingRight
from firmware_host.questions import TWICE
from firmware_host.sensor_health import SensorHealth
from firmware_host.thoughts import Thinking, Thought
from firmware_host.words import render

UNTOLD = 20.0  # the next move has not come that would tell which of two it was
CALM = 10.0  # a sensor that flickered is believed again


class Onlooker:
    """Watches hands, and keeps the match in play in step with them. Its time is that of `notes`."""

    def __init__(self, sight: Sight, matches: Sequence[Match], notes: Notes) -> None:
        self.sensors = SensorHealth()
        self.play = MatchInPlay(sight)
        self.play.begin(matches, self.sensors.masked, {})
        self.read_at = -1e9
        """When the record last changed."""
        self.begun = False
        """Whether there has been a frame."""
        self._sight = sight
        self._notes = notes
        self._debounce = Debounce()
        self._diagnosis = Diagnosis()
        self._waiting = Waiting()
        self.putting_right = PuttingRight(self.play, self.sensors, self._waiting)
        self._thinking = Thinking()
        self._looked_at = 0.0  # when the reader was asked last
        self._held_back: Settled | Ambiguous | None = None  # what was not shown, for it is odd
        self._told = self.play.record

    # ---- what others may ask

    @property
    def verdict(self) -> Verdict:
        """What the reader makes of the board now."""
        return self._waiting.verdict

    @property
    def all_still(self) -> bool:
        """Whether all men stand as they are shown, and nothing has just been touched."""
        return isinstance(self.verdict, Still) and self._debounce.deadline is None

    @property
    def thinking(self) -> bool:
        """Whether it is finding out what the levels mean: until then there is nothing to show."""
        return self._thinking.due is not None

    @property
    def answering(self) -> bool:
        """Whether it is finding out what people mean: until then nothing else is done."""
        return self._thinking.lasts

    @property
    def deadline(self) -> float | None:
        """When it wants to be called again though nothing happens."""
        # What waits is held back till all is known.
        due = self._thinking.due if self.thinking else self._waiting.due()
        rests = self._debounce.deadline if not self.answering else None
        return due if rests is None or (due is not None and due < rests) else rests

    # ---- what comes in

    def frame(self, frame: Frame) -> None:
        """Take what all sensors read now."""
        places = self._sight.places
        readings = frame.readings
        if not places.issuperset(readings):
            readings = {place: value for place, value in readings.items() if place in places}
        if frame.faults != self.sensors.faults:
            for fault in self.sensors.report(frame.faults):
                self._notes.tell("fault", fault=render(fault))
        if not self.begun:
            self.begun = True
            self.sensors.blind = frame.blind
            self._first(dict(readings))
            return
        if frame.blind:
            # What a chip that is gone read last is as good as anything.
            readings = dict(readings) | {
                place: value for place, value in self._debounce.raw.items() if place in frame.blind
            }
        if frame.blind != self.sensors.blind:
            self._thinking.finish()
            self.sensors.blind = frame.blind
            self.play.reader.remask(self.sensors.masked)
            self.play.reader.hold()  # what was seen before it went blind was seen
            self._look()
        for place, reading in self._debounce.feed(self._notes.now, readings):
            self.play.touch(self._notes.now, place, reading)
        for place in self._debounce.flickering(self._notes.now):
            if place not in self.sensors.failing:
                self.fail({place}, "flickers")
            self._waiting.set("calm", self._notes.now + CALM)

    def _first(self, readings: dict[Place, Reading]) -> None:
        """Take the first frame as it is."""
        reader = self.play.reader
        for tray in self._sight.trays:
            # A tray that reads fewer than lie in it has fewer pockets than that.
            lies = reader.shown[0].expected.get(tray, 0)
            if 0 < readings.get(tray, 0) < lies:
                self._sight.pockets[tray] = readings[tray]
        self._debounce.begin(readings)
        self._begin([line.match for line in reader.shown], readings)
        self._diagnosis.mark()
        self.putting_right.begin()
        if self.putting_right.settling:
            self._remask()

    def _begin(self, matches: Sequence[Match], levels: dict[Place, Reading]) -> None:
        self.play.begin(matches, self.sensors.masked, levels)
        self._told = self.play.record
        self._waiting.drop()
        self._thinking.drop()

    def new_match(self) -> None:
        """Begin a new match: the start is to be set up."""
        self.putting_right.retarget()
        self._begin([Match.begin(self._sight.game)], self.play.reader.levels)
        self._notes.tell("new")
        self.putting_right.begin_anew(self._notes.now)
        self._look()

    def _start_again(self) -> None:
        """The start was set up after the end of a match: begin another one."""
        self._tell(self.play.end_again())
        self.new_match()

    def take_back(self, plies: int) -> None:
        """Go back in the record; hands are guided to follow."""
        self._waiting.pending = None
        self.putting_right.retarget()
        self._tell(self.play.take_back(plies))
        self.putting_right.lead_back()
        self._look()

    def rested(self) -> Iterator[str]:
        """Take what has come to rest, and ask the reader what that means; yield the answers that
        lit men gave by being lifted twice.
        """
        if self.answering:
            return
        now, questions, answers = self._notes.now, self.play.questions, []
        rested = self._debounce.rested(now)
        for place, reading in rested:
            self.play.reader.level(place, reading)
            self.putting_right.touched(place, reading)
            self._diagnosis.note(now, place)
            if isinstance(self.verdict, Still | Underway | Astray):
                named = questions.touched(now, place, reading)
                if named is not None:
                    answers.append(named)
                elif questions.pressed(now) == place:
                    self._waiting.set("pressed", now + TWICE)  # it is said no longer
        if rested:
            self.putting_right.follow(now)
            self._look()
        yield from answers

    def go_on(self) -> None:
        """Go on with what is being found out."""
        if (due := self._thinking.due) is not None and due <= self._notes.now + 1e-9:
            self._thinking.go_on(self._notes.now)

    def act(self) -> None:
        """Act on what has waited long enough, unless something is still being found out."""
        if self.thinking:
            return
        waiting, now = self._waiting, self._notes.now
        if (verdict := waiting.ripe(now)) is not None:
            if self.putting_right.starts_again(verdict.lines):
                self._start_again()  # whatever else may explain that
            elif self.putting_right.only_mends(verdict):
                waiting.pending = None
                waiting.set("guide", now + GUIDED)
            else:
                self.think(self._act(verdict))
        for name in waiting.ring(now) if not self.thinking else ():
            self._alarm(name)
            if self.thinking:
                return

    def wake(self, at: float) -> None:
        """Want to be called again at that time, though nothing happens."""
        self._waiting.set("wake", at)

    # ---- reading

    def think(self, thought: Thought) -> None:
        """Find something out, in place of what is being found out now."""
        self._thinking.begin(thought, self._notes.now)

    def answer(self, text: str, thought: Generator[None, None, bool]) -> None:
        """Find out what a move means that people named; the thought says whether anything came of
        it. What is about to be asked is shown at once if that move is one of its answers.
        """
        if not self.play.questions.named(text):
            self._show_waiting(text)
        self._thinking.begin(self._answered(thought, self.thinking), self._notes.now, lasts=True)

    def _show_waiting(self, text: str) -> None:
        """Show at once what is about to be asked, if that move is one of its answers."""
        verdict = self._waiting.pending
        if isinstance(verdict, Ambiguous) and any(
            line.match.text == text for line in verdict.lines
        ):
            self._waiting.pending = None
            self._show(verdict)

    def _answered(self, thought: Generator[None, None, bool], interrupted: bool) -> Thought:
        found = yield from thought
        if interrupted and not found:
            self._look()

    def _look(self) -> None:
        """Ask the reader what the levels mean."""
        self._thinking.drop()
        if not self.putting_right.settling or self.putting_right.set_up(self._notes.now):
            self._looked_at = self._notes.now
            self.think(self._read())

    def _read(self) -> Thought:
        self._heed((yield from self.play.reader.search(self._notes.now)))

    def _heed(self, verdict: Verdict) -> None:
        """Decide how long a verdict must stand."""
        when = self._looked_at, self._notes.now, bool(self.sensors.suspects)
        if self._waiting.again(verdict, *when):
            return
        if isinstance(verdict, Settled) and verdict.followed and not verdict.doubt.questionable:
            # What another ply has followed is played at once; only the last one may go on.
            self._waiting.since = self._looked_at
            self._show(verdict.but_the_last())
            return
        waiting = self._waiting.pending
        if (
            isinstance(waiting, Settled)
            and isinstance(verdict, Settled | Ambiguous)
            and waiting.back
            and waiting.is_followed_by(verdict)
            and not self.play.goes_on_from(verdict.lines)  # else it is but taken back less far
        ):
            self._waiting.pending = None
            self._show(waiting)
            return
        self._waiting.begin(verdict, *when)
        self._held_back = None
        if isinstance(verdict, Still):
            self.putting_right.mended(self._notes.now)

    def flush(self) -> None:
        """Play the reading that still waits, unless it undoes something."""
        verdict = self._waiting.pending
        if isinstance(verdict, Settled) and verdict.sure and not (verdict.bare or verdict.back):
            self.think(self._act(verdict))

    def _act(self, verdict: Settled | Ambiguous) -> Thought:
        """A verdict has stood long enough."""
        if not (yield from self._decide(verdict, self._doubtful(verdict))):
            self._waiting.set_if_not("guide", self._notes.now + GUIDED)

    def _decide(self, verdict: Verdict, doubtful: bool) -> Generator[None, None, bool]:
        """Show what is read or ask about it, unless that is too odd, or a sensor may fail without
        which it is another: if it is `doubtful`, that is looked for. Return whether it is so.
        """
        found = (yield from self._suspicions(verdict)) if doubtful else []
        if isinstance(verdict, Settled | Ambiguous):
            yield from self.play.foresee(verdict)
        self._waiting.pending = None
        shown = self.play.reader.shown
        suspected = doubtful and self._suspect(found, verdict)
        if not isinstance(verdict, Settled | Ambiguous):
            return False
        doubt = verdict.doubt
        if self.sensors.doubted and not (doubt.questionable or doubt.guessed):
            suspected = False  # none surely sticks, and little is unexplained if none does
        if suspected and (back := self.play.reader.set_back()) is not None:
            self._show(back)
            return True
        if suspected and self.play.reader.shown is shown and self._ask_instead(verdict, found):
            return True
        if suspected or self._too_odd(verdict):
            self._held_back = verdict
            self._waiting.set("held", self._notes.now + HELD)
            return False
        if isinstance(verdict, Ambiguous) and verdict.strays:
            return False  # too much is open at once
        if not self._answers_itself(verdict):
            self._show(verdict)
        return True

    def _answers_itself(self, verdict: Settled | Ambiguous) -> bool:
        """Whether a verdict decides what people are asked, though hands have put nothing down since
        that would tell.
        """
        reader = self.play.reader
        return (
            bool(self.play.questions.open)
            and not reader.put_since
            and len(verdict.lines) < len(reader.shown)
            and all(line in reader.shown for line in verdict.lines)
        )

    def _ask_instead(self, verdict: Verdict, found: Sequence[Suspicion]) -> bool:
        """Ask about moves that one of many sensors may explain as well, should it fail: people know
        which it was, or name another. Return whether it is asked.
        """
        if not isinstance(verdict, Settled | Ambiguous) or verdict.doubt.odd:
            return False
        others = [line for each in found if not each.agrees for line in each.lines]
        places = frozenset(each.place for each in found if each.lines)
        borne_out = verdict.doubt.guessed and verdict.doubt.proven  # by play that went on
        if others and len(places) <= MANY and not borne_out:
            self._ask_which(places, [*verdict.lines, *others])
            return True
        if isinstance(verdict, Settled):
            if self.sensors.masked and not (verdict.doubt.guessed or verdict.replaces):
                return False
            verdict = Ambiguous((*self.play.reader.shown, *verdict.lines), late=False)
        self._show(verdict, ask=True)
        return True

    def _doubtful(self, verdict: Verdict) -> bool:
        """Whether moves are read that leave much unexplained; men that went back prove more."""
        return (
            isinstance(verdict, Settled | Ambiguous)
            and (verdict.doubt.questionable or not verdict.sure)
            and not (isinstance(verdict, Settled) and verdict.back)
            and not all(line in self.play.reader.heads for line in verdict.lines)
        )

    def _too_odd(self, verdict: Settled | Ambiguous) -> bool:
        """Whether a verdict leaves so much unexplained that it may be due to what is not seen."""
        return bool(self.sensors.masked) and verdict.doubt.odd

    def _show(self, verdict: Settled | Ambiguous, ask: bool = False) -> None:
        if suspects := self.sensors.suspects:  # play goes on without them: the sensors are wrong
            self.putting_right.settled_in()
            self._tell_failing(self.sensors.fail(suspects, self._notes.now), "is stuck")
        self._tell(self.play.show(verdict, self._waiting.since, ask))
        if verdict.strays:
            self.fail(verdict.strays, "is stuck")
        self.putting_right.mended(self._notes.now)
        if isinstance(verdict, Settled) and not verdict.back:
            self._notes.tell_all(self.play.ask_of_old_position())
        self._look()

    def play_on(self, news: News) -> None:
        """Go on after people have changed the match; `news` is what is told of that."""
        self._tell(news)
        self._look()

    def _tell(self, news: News) -> None:
        """Note what is told of the match; what is left to the next moves is asked some day."""
        self._notes.tell_all(news)
        self._waiting.unset("ask")
        if self.play.untold:
            self._waiting.set("ask", self._notes.now + UNTOLD)
        if self.play.record != self._told:
            self._told = self.play.record
            self.read_at = self._notes.now

    # ---- what is done if nothing else happens

    def _alarm(self, name: str) -> None:
        now, right = self._notes.now, self.putting_right
        match name:
            case "rest" | "again" | "patient" | "guide" if right.starts_again():
                self._start_again()
            case "again":
                self.think(self._look_again())
            case "late":
                self.think(self._look_for_captives())
            case "rest":
                self.think(self._come_to_rest())
            case "patient":
                self.think(self._puzzle())
            case "held":
                self.think(self._wonder())
            case "ask":
                self._tell(self.play.ask())
            case "refuse":
                if (why := right.refuse(now)) is not None:
                    self._notes.tell("refused", **why)
            case "guide":
                if (how := right.guide()) is not None:
                    self._notes.tell("astray", **how)
            case "calm":
                if self.sensors.failing & set(self._debounce.flickering(now)):
                    self._waiting.set("calm", now + CALM)
                elif isinstance(self.verdict, Still):
                    self.think(self._come_to_rest())

    def _come_to_rest(self) -> Thought:
        """All men have stood still as they are shown."""
        right = yield from self.play.reader.rest(self._notes.now - REST)
        if right and not self.putting_right.settling:
            self._diagnosis.mark()
            self.sensors.unproven = frozenset()
            self._believe_again()

    def _look_again(self) -> Thought:
        """A hand that has not moved since has rather finished."""
        self._looked_at = self._notes.now
        verdict = yield from self.play.reader.search(self._notes.now)
        if isinstance(verdict, Still | Settled | Ambiguous):
            self._heed(verdict)

    def _look_for_captives(self) -> Thought:
        """All men have stood still for a while: whoever was captured, by what is shown, should lie
        in his tray by now.
        """
        reader = self.play.reader
        if not any(lacking(line, reader.levels) for line in reader.shown):
            return
        self._looked_at = self._notes.now
        verdict = yield from reader.search(self._notes.now)
        if isinstance(verdict, Settled | Ambiguous) and not all(
            lacking(line, reader.levels) for line in verdict.lines
        ):
            self._heed(verdict)

    def _puzzle(self) -> Thought:
        """Nothing has made sense for a while: look again, and for a sensor that fails."""
        verdict = yield from self.play.reader.search(self._notes.now, patient=True)
        waits = isinstance(verdict, Still) or (isinstance(verdict, Settled) and verdict.bare)
        if waits:  # what only a lift tells of is not undone yet
            self._heed(verdict)
        if waits or self.putting_right.only_mends(verdict):
            return
        sure = isinstance(verdict, Settled) and not verdict.strays
        yield from self._decide(verdict, self._doubtful(verdict) or not sure)

    def _wonder(self) -> Thought:
        """A man has been in a hand for long, as it seems: ask whether it has taken another. Or what
        was held back still explains everything: ask whether it was played.
        """
        if (odd := self._held_back) is not None:
            self._held_back = None
            if not (self.sensors.masked or odd.strays):
                lines = dict.fromkeys((*self.play.reader.shown, *odd.lines))
                self._show(Ambiguous(tuple(lines), late=False), ask=True)
            return
        found = yield from self.play.reader.taken_unseen(self._notes.now)
        if found is not None and isinstance(self.verdict, Underway):
            self._show(found, ask=True)

    # ---- sensors that fail

    def _suspicions(self, told: Verdict) -> Generator[None, None, list[Suspicion]]:
        """Look for a sensor that sticks."""
        reader, right = self.play.reader, self.putting_right
        if not reader.put_since or right.settling or right.followed:
            return []
        instead = self.sensors.unproven
        return (yield from self._diagnosis.suspicions(reader, self._notes.now, told, instead))

    def _suspect(self, found: Sequence[Suspicion], told: Verdict) -> bool:
        """Believe a sensor no more if it surely sticks; return whether there is one that may, and
        makes another play of what happened than what is `told`.
        """
        if isinstance(told, Settled | Ambiguous) and (asked := self._diagnosis.rivals(found, told)):
            lines = [line for each in asked for line in each.lines]
            self._ask_which({each.place for each in asked}, [*told.lines, *lines])
            return True
        self.sensors.trust_what_moves(self.play.reader.changed)
        sure = isinstance(told, Settled | Ambiguous) and told.sure
        proven = isinstance(told, Settled) and told.doubt.proven and not told.doubt.guessed
        if not (found or sure or proven) and self.sensors.doubted:
            return True  # they are still, for the board has made no sense since
        places = frozenset() if sure else self._diagnosis.convicted(found)
        self.sensors.doubt(frozenset(p.place for p in found if not places), self._notes.now)
        if len(places) > 1:
            self._ask_which(places, [line for each in found for line in each.lines])
        elif places:
            self._convict(places, "is stuck")
        return not all(each.agrees for each in found)

    def _ask_which(self, places: AbstractSet[Place], lines: Sequence[Line]) -> None:
        """Ask which way the match went, and believe none of the sensors meanwhile of which that
        tells whether they stick.
        """
        self.sensors.asked = frozenset(places) - self.sensors.failing
        self._convict(places, "may be stuck")
        self._waiting.pending = None
        seen = list(map(self._seen_of, lines))
        held = {tray for line in lines if line not in seen for tray in _from_tray(line)}
        since = min((self.play.reader.changed(tray) - BURST for tray in held), default=None)
        self._tell(self.play.show_all((line.match for line in seen), since))
        self._look()

    def _seen_of(self, line: Line) -> Line:
        """Return a line, but for a man at its end that was taken from a tray and put where no
        sensor is believed: it is rather still in the hand, if something was played before.
        """
        head = line.head()
        return head if _from_tray(line) and head not in self.play.reader.shown else line

    def accuse(self, text: str) -> Thought:
        """Believe the sensor no more that contradicts people who named a move: without it alone
        that can have been played.
        """
        right = self.putting_right
        if right.settling or right.followed:
            return
        reader, instead = self.play.reader, self.sensors.unproven
        found = yield from self._diagnosis.contradicting(reader, self._notes.now, text, instead)
        if found is not None:
            place, after = found
            self._convict({place}, "is stuck", after)

    def _convict(self, places: AbstractSet[Place], how: str, after: Line | None = None) -> None:
        """Believe these sensors no more instead of those before; `how` they fail is said."""
        before = self.sensors.masked
        self._tell_failing(self.sensors.convict(frozenset(places), self._notes.now), how)
        if self.sensors.masked != before:
            self._remask(after)

    def fail(self, places: Iterable[Place], how: str) -> None:
        """Believe these sensors no more; `how` they fail is said."""
        if fresh := self.sensors.fail(places, self._notes.now):
            self._tell_failing(fresh, how)
            self._remask()

    def _tell_failing(self, places: Iterable[Place], how: str) -> None:
        for place in sorted(places):
            self._notes.tell("fault", fault=f"{place}: the sensor {how}; playing on without it")

    def _believe_again(self) -> None:
        """Believe a failing sensor that has changed and agrees with the rules again, now that all
        men stand where they belong: what it has read until now is not to be believed.
        """
        reader = self.play.reader
        expected = [line.expected for line in reader.shown]
        well = not self.play.questions.open and self.sensors.answered(reader.levels, expected)
        if self.sensors.failing and self.sensors.recover(
            reader.levels,
            expected,
            reader.changed,
            set(self._debounce.flickering(self._notes.now)),
        ):
            well = True
        if well:
            self._remask()

    def _remask(self, after: Line | None = None) -> None:
        self._thinking.finish()
        self.play.reader.remask(self.sensors.masked, after)
        self._look()


def _from_tray(line: Line) -> frozenset[Place]:
    """Return the trays that alone show the last ply of a line; none if cells show it, too."""
    trays = [ply.trays for ply in line.last_ply() if not ply.cells]
    return frozenset().union(*trays)
