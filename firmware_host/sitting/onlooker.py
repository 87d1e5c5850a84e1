"""An onlooker at the board: from what the sensors read to what is shown, and when.

The reader says which lines of play explain the sensors; the onlooker decides how long that must
stand before it is shown, and guides hands where nothing explains it. Which sensors are believed is
left to its doubts.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence

from engine.game import CHANCE, Place
from engine.match import Match
from engine.reading.footprints import Footprint, Reading, Sight
from engine.reading.lines import Line
from engine.reading.standing import difference, lacking
from engine.reading.verdict import Ambiguous, Astray, Settled, Still, Underway, Verdict
from firmware_host.sitting.debounce import Debounce
from firmware_host.sitting.doubts import Doubts
from firmware_host.sitting.events import Frame
from firmware_host.sitting.judge import Judge
from firmware_host.sitting.lit_places import TWICE
from firmware_host.sitting.match_in_play import MatchInPlay, News
from firmware_host.sitting.notes import Notes
from firmware_host.sitting.patience import GUIDED, REST, Waiting
from firmware_host.sitting.putting_right import PuttingRight
from firmware_host.sitting.sensor_health import SensorHealth
from firmware_host.sitting.thoughts import Thinking, Thought
from firmware_host.words import render

CALM = 10.0  # a sensor that flickered is believed again


class Onlooker:
    """Watches hands, and keeps the match in play in step with them. Its time is that of `notes`."""

    def __init__(self, sight: Sight, matches: Sequence[Match], notes: Notes) -> None:
        self.sensors = SensorHealth()
        self.play = MatchInPlay(sight)
        self.play.begin(matches, self.sensors.masked, {})
        self.begun = False
        """Whether there has been a frame."""
        self._sight = sight
        self._notes = notes
        self._debounce = Debounce()
        self._waiting = Waiting()
        self.putting_right = PuttingRight(self.play, self.sensors, self._waiting)
        self.doubts = Doubts(self.play, self.sensors, self.putting_right, notes, self._reread)
        self._judge = Judge(
            self.play,
            self.sensors,
            self.doubts,
            self.putting_right,
            self._waiting,
            notes,
            self._look,
        )
        self._thinking = Thinking()
        self._looked_at = 0.0  # when the reader was asked last

    # ---- what others may ask

    @property
    def verdict(self) -> Verdict:
        """What the reader makes of the board now."""
        return self._waiting.verdict

    @property
    def all_still(self) -> bool:
        """Whether all men stand as they are shown, and nothing has just been touched."""
        reader = self.play.reader
        off = difference(reader.shown[0], reader.levels)
        return isinstance(self.verdict, Still) and not off and self._debounce.deadline is None

    @property
    def read_at(self) -> float:
        """When the record last changed."""
        return self._judge.read_at

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

    @property
    def at_rest(self) -> bool:
        """Whether all sensors that are believed read the same as for a while."""
        return self._debounce.is_at_rest(self.sensors.masked)

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
                self.doubts.fail({place}, "flickers")
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
        self.putting_right.begin()
        if self.putting_right.settling:
            self._reread()

    def _begin(self, matches: Sequence[Match], levels: dict[Place, Reading]) -> None:
        self.play.begin(matches, self.sensors.masked, levels)
        self._judge.begin()
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
        self._judge.tell(self.play.end_again())
        self.new_match()

    def take_back(self, plies: int) -> None:
        """Go back in the record; hands are guided to follow."""
        self._waiting.pending = None
        self.putting_right.retarget()
        self._judge.tell(self.play.take_back(plies))
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
            self.play.level(place, reading)
            self.putting_right.touched(place, reading)
            self.doubts.note(place)
            if isinstance(self.verdict, Still | Underway | Astray):
                named = questions.touched(now, place, reading)
                if named is not None:
                    answers.append(named)
                elif questions.pressed(now) == place:
                    self._waiting.set("pressed", now + TWICE)  # it is said no longer
        if rested:
            self.putting_right.follow(now)
            self.doubts.trust_what_moves()
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
            if (rests := self._debounce.deadline) is not None and self._may_stand_again(verdict):
                waiting.wait_until(rests)
            elif self.putting_right.starts_again(verdict.lines):
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

    def _may_stand_again(self, verdict: Verdict) -> bool:
        """Whether a man that was only bumped may stand where a verdict has him taken away: places
        of a ply that is shown, which it does not have, have not come to rest.
        """
        if not isinstance(verdict, Settled | Ambiguous):
            return False
        raw, levels = self._debounce.raw, self.play.reader.levels
        unrested = {p for p in raw.keys() | levels.keys() if raw.get(p, 0) != levels.get(p, 0)}
        return any(
            not unrested.isdisjoint(ply.cells)
            for shown in self.play.reader.shown
            if all(line.since(shown) is None for line in verdict.lines)
            for ply in (*shown.last_ply(), *_plies_since(shown, verdict.lines))
        )

    def wake(self, at: float) -> None:
        """Want to be called again at that time, though nothing happens."""
        self._waiting.set("wake", at)

    # ---- reading

    def think(self, thought: Thought) -> None:
        """Find something out, in place of what is being found out now."""
        self._thinking.begin(thought, self._notes.now)

    def answer(self, text: str, thought: Generator[None, None, bool]) -> None:
        """Find out what a move means that people named; the thought says whether anything came of
        it. What is about to be asked is shown at once if that move is one of its answers, and
        answers nothing that is asked already.
        """
        if not (self.play.hearing.named(text) or self.play.questions.asks(text)):
            self._show_waiting(text)
        self._thinking.begin(self._answered(thought, self.thinking), self._notes.now, lasts=True)

    def _show_waiting(self, text: str) -> None:
        """Show at once what is about to be asked, if that move is one of its answers."""
        verdict = self._waiting.pending
        if isinstance(verdict, Ambiguous) and any(
            line.match.text == text for line in verdict.lines
        ):
            self._waiting.pending = None
            self._judge.show(verdict)

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
        when = self._looked_at, self._notes.now
        if self._waiting.again(verdict, *when):
            return
        if isinstance(verdict, Settled) and verdict.followed and not verdict.doubt.questionable:
            # What another ply has followed is played at once; only the last one may go on.
            self._waiting.since = self._looked_at
            self._judge.show(verdict.but_the_last())
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
            self._judge.show(waiting)
            return
        self._waiting.begin(verdict, *when)
        self._judge.forget()
        if isinstance(verdict, Still):
            self.putting_right.mended(self._notes.now)

    def flush(self) -> None:
        """Play the reading that still waits, unless it undoes something."""
        verdict = self._waiting.pending
        if isinstance(verdict, Settled) and verdict.sure and not (verdict.bare or verdict.back):
            self._play_waiting(verdict)

    def thrown(self) -> None:
        """Play the reading that still waits, for the dice have fallen. If nothing was to be thrown
        for, hands have finished something else, which may undo what is shown.
        """
        verdict = self._waiting.pending
        if self.play.awaits_dice:
            self.flush()
        elif isinstance(verdict, Settled) and self._ends_turn(verdict):
            self._play_waiting(verdict)
        elif not self.all_still and self._debounce.deadline is None:
            self.think(self._finish_turn())

    def _finish_turn(self) -> Thought:
        """Play what was done, for no hand holds a man any more."""
        verdict = yield from self.play.reader.search(self._notes.now, patient=True)
        if isinstance(verdict, Settled) and self._ends_turn(verdict):
            yield from self._decide(verdict)

    def _ends_turn(self, verdict: Settled) -> bool:
        """Whether the dice may be thrown after what is read."""
        if verdict.bare or verdict.doubt.serious:
            return False
        return not verdict.back or all(line.match.turn == CHANCE for line in verdict.lines)

    def _play_waiting(self, verdict: Settled) -> None:
        heads = self.play.reader.heads
        if any(line not in heads for line in verdict.lines):  # else it takes back what is shown
            self.think(self._act(verdict))

    def _act(self, verdict: Settled | Ambiguous) -> Thought:
        """A verdict has stood long enough, unless a sensor may fail without which it is another:
        what a hand does next may tell as well.
        """
        found = yield from self._judge.suspicions(verdict)
        if not all(each.agrees for each in found or ()) and self._waiting.prolong():
            return
        if not (yield from self._judge.decide(verdict, found)):
            self._waiting.set_if_not("guide", self._notes.now + GUIDED)

    def _decide(self, verdict: Verdict, sure: bool = True) -> Thought:
        """Decide at once what is shown of a verdict."""
        found = yield from self._judge.suspicions(verdict, sure)
        yield from self._judge.decide(verdict, found)

    def play_on(self, news: News) -> None:
        """Go on after people have changed the match; `news` is what is told of that."""
        self._judge.tell(news)
        self._look()

    # ---- what is done if nothing else happens

    def _alarm(self, name: str) -> None:
        now, right = self._notes.now, self.putting_right
        match name:
            case "rest" | "again" | "patient" | "guide" if right.starts_again():
                self._start_again()
            case "again":
                self.think(self._look_again())
            case "late" | "later":
                self.think(self._look_for_captives())
            case "rest":
                self.think(self._come_to_rest())
            case "patient":
                self.think(self._puzzle())
            case "held":
                self.think(self._wonder())
            case "missing":
                self.think(self._miss())
            case "ask":
                self._judge.tell(self.play.ask())
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
            self.doubts.matched()
            self.doubts.believe_again(set(self._debounce.flickering(self._notes.now)))

    def _search(self) -> Generator[None, None, Verdict]:
        """Ask the reader, step by step, what the levels mean though nothing has happened since."""
        self._looked_at = self._notes.now
        return (yield from self.play.reader.search(self._notes.now))

    def _look_again(self) -> Thought:
        """A hand that has not moved since has rather finished; what is about to be asked waits if a
        man that is still away speaks against it.
        """
        verdict = yield from self._search()
        if isinstance(verdict, Still | Settled | Ambiguous) or self._waiting.pending is not None:
            self._heed(verdict)

    def _look_for_captives(self) -> Thought:
        """All men have stood still for a while: whoever was captured, by what is shown, should lie
        in his tray by now, and stand on the board no more.
        """
        reader = self.play.reader
        if not any(
            lacking(line, reader.levels) or difference(line, reader.levels) for line in reader.shown
        ):
            return
        verdict = yield from self._search()
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
        if waits or self.putting_right.only_mends(verdict) or self._may_stand_again(verdict):
            return
        sure = isinstance(verdict, Settled) and not verdict.strays
        yield from self._decide(verdict, sure)

    def _wonder(self) -> Thought:
        """A man has been in a hand for long, as it seems, or where a captured man is put down for a
        while: look again. Or what was held back still explains everything: ask whether it was
        played.
        """
        if self._judge.ask_held_back():
            return
        verdict = yield from self._search()
        if isinstance(verdict, Settled | Ambiguous):
            self._heed(verdict)

    def _miss(self) -> Thought:
        """A man has been missing for so long that he may have taken another between two looks."""
        found = yield from self.play.reader.taken_unseen(self._notes.now)
        if found is not None and isinstance(self.verdict, Underway):
            self._judge.show(found, ask=True)

    def _reread(self, after: Line | None = None) -> None:
        """Read anew what hands did after a line, or since all men stood right last: other sensors
        are believed now.
        """
        self._thinking.finish()
        self.play.reader.remask(self.sensors.masked, after)
        self._look()


def _plies_since(shown: Line, lines: Iterable[Line]) -> Iterator[Footprint]:
    """Yield the footprints of the plies that a line adds to any of others."""
    for line in lines:
        for step in shown.since(line) or ():
            if step.footprint is not None:
                yield step.footprint
