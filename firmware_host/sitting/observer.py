"""An observer of the board: from what the sensors read to what is shown, and when.

The reader says which hypotheses explain the sensors; the observer decides how long that must stand
before it is shown, asks where only people can know, and guides hands where nothing explains it.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence

from engine.game import Place
from engine.match import Match
from engine.reading.footprints import Reading, Sight
from engine.reading.standing import difference, lacking
from engine.reading.verdict import Ambiguous, Astray, Settled, Still, Underway, Verdict
from firmware_host.sitting.debounce import Debounce
from firmware_host.sitting.doubts import (
    answers_itself,
    ends_turn,
    is_taken_back_first,
    is_to_be_asked,
    may_be_old,
)
from firmware_host.sitting.events import Frame
from firmware_host.sitting.failing_sensors import FailingSensors
from firmware_host.sitting.match_in_play import MatchInPlay, News
from firmware_host.sitting.notes import Notes
from firmware_host.sitting.patience import GUIDED, REST, UNTOLD, Search, Waiting
from firmware_host.sitting.putting_right import PuttingRight
from firmware_host.sitting.questions import TWICE
from firmware_host.words import render


class Observer:
    """Watches hands, and keeps the match in play in step with them. Its time is that of `notes`."""

    def __init__(self, sight: Sight, matches: Sequence[Match], notes: Notes) -> None:
        self.sensors = FailingSensors()
        self.play = MatchInPlay(sight)
        self.play.begin(matches, self.sensors.masked, {})
        self.read_at = -1e9
        """When the record last changed."""
        self._begun = False  # whether there has been a frame
        self._notes = notes
        self._debounce = Debounce()
        self._waiting = Waiting()
        self.putting_right = PuttingRight(self.play, self.sensors, self._waiting)
        self._search = Search()
        self._looked_at = 0.0  # when the reader was asked last
        self._told = self.play.record

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
    def thinking(self) -> bool:
        """Whether it is finding out what the levels mean: until then there is nothing to show."""
        return self._search.due is not None

    @property
    def deadline(self) -> float | None:
        """When it wants to be called again though nothing happens."""
        due = self._search.due if self.thinking else self._waiting.due()  # which is held back
        rests = self._debounce.deadline
        return due if rests is None or (due is not None and due < rests) else rests

    @property
    def at_rest(self) -> bool:
        """Whether all sensors that are believed read the same as for a while."""
        return self._debounce.is_at_rest(self.sensors.masked)

    # ---- what comes in

    def frame(self, frame: Frame) -> None:
        """Take what all sensors read now."""
        places, now = self.play.sight.places, self._notes.now
        readings = {place: value for place, value in frame.readings.items() if place in places}
        if frame.faults != self.sensors.faults:
            for fault in self.sensors.report(frame.faults):
                self._notes.tell("fault", fault=render(fault))
        if not self._begun:
            self._begun = True
            self.sensors.blind = frame.blind
            self._first(readings)
            return
        # What a chip that is gone read last is as good as anything.
        readings |= {p: value for p, value in self._debounce.raw.items() if p in frame.blind}
        if frame.blind != self.sensors.blind:
            self.sensors.blind = frame.blind
            self.play.reader.remask(self.sensors.masked)
            # What was seen before it went blind was seen.
            self.play.reader.go_on(self.play.reader.shown)
            self._look()
        for place, reading in self._debounce.feed(now, readings):
            self.play.touch(now, place, reading)
        if flickering := self._debounce.flickering(now):
            self.fail(flickering, "flickers")

    def _first(self, readings: dict[Place, Reading]) -> None:
        """Take the first frame as it is."""
        reader = self.play.reader
        for tray in self.play.sight.trays:
            # A tray that reads fewer than lie in it has fewer pockets than that.
            lies = reader.shown[0].expected.get(tray, 0)
            if 0 < readings.get(tray, 0) < lies:
                self.play.sight.pockets[tray] = readings[tray]
        self._debounce.begin(readings)
        self._begin([line.match for line in reader.shown], dict(readings))
        if any(self.putting_right.mismatch()):
            self._look()
        else:
            self.putting_right.settled_in()

    def _begin(self, matches: Sequence[Match], levels: dict[Place, Reading]) -> None:
        self.play.begin(matches, self.sensors.masked, levels)
        self.play.questions.light(self._notes.now)
        self._told = self.play.record
        self._waiting.drop()
        self._search.drop()

    def new_match(self) -> None:
        """Begin a new match: the start is to be set up."""
        self.putting_right.retarget()
        self._begin([Match.begin(self.play.sight.game)], self.play.reader.levels)
        self._notes.tell("new")
        self.putting_right.set_up_anew()
        self._look()

    def take_back(self, plies: int) -> None:
        """Go back in the record; hands are guided to follow."""
        self._waiting.pending = None
        self.putting_right.retarget()
        self._tell(self.play.take_back(plies))
        self.putting_right.lead_back()
        self._look()

    def play_on(self, news: News) -> None:
        """Go on after people have changed the match; `news` is what is told of that."""
        self._tell(news)
        self._look()

    def rested(self) -> Iterator[str]:
        """Take what has come to rest, and ask the reader what that means; yield the answers that
        lit men gave by being lifted twice.
        """
        now, questions, answers = self._notes.now, self.play.questions, []
        rested = self._debounce.rested(now)
        for place, reading in rested:
            self.play.level(place, reading)
            self.putting_right.touched(place, reading)
            if isinstance(self.verdict, Still | Underway | Astray):
                named = questions.touched(now, place, reading)
                if named is not None:
                    answers.append(named)
                elif questions.pressed(now) == place:
                    self._waiting.alarms["pressed"] = now + TWICE  # it is said no longer
        if rested:
            self.putting_right.follow()
            self._look()
        yield from answers

    def go_on(self) -> None:
        """Go on with what is being found out."""
        if (due := self._search.due) is not None and due <= self._notes.now + 1e-9:
            self._search.go_on(self._notes.now)

    def act(self) -> None:
        """Act on what has waited long enough, unless something is still being found out."""
        while not self.thinking and (name := self._waiting.ring(self._notes.now)) is not None:
            self._alarm(name)

    # ---- sensors that are not believed

    def fail(self, places: Iterable[Place], how: str) -> None:
        """Believe these sensors no more; `how` they fail is said."""
        fresh = self.sensors.fail(places, self._notes.now)
        for place in fresh:
            self._notes.tell("fault", fault=f"{place}: the sensor {how}; playing on without it")
        if fresh:
            self._reread()

    def _reread(self) -> None:
        """Read anew what hands did since all men stood right last: other sensors are believed."""
        self.play.reader.remask(self.sensors.masked)
        self._look()

    # ---- reading

    def _find(self, search: Generator[None, None, None]) -> None:
        """Find something out, in place of what is being found out now."""
        self._search.begin(search, self._notes.now)

    def _look(self) -> None:
        """Ask the reader what the levels mean."""
        self._search.drop()
        if not self.putting_right.settling or self.putting_right.set_up(self._notes.now):
            self._looked_at = self._notes.now
            self._find(self._read())

    def _read(self, sooner: bool = True) -> Generator[None, None, None]:
        verdict = yield from self.play.reader.search(self._notes.now)
        if sooner or isinstance(verdict, Still | Settled | Ambiguous) or self._waiting.pending:
            self._heed(verdict)

    def _heed(self, verdict: Verdict) -> None:
        """Decide how long a verdict must stand."""
        when = self._looked_at, self._notes.now
        if self._waiting.again(verdict, *when):
            return
        if isinstance(verdict, Settled) and verdict.followed and not verdict.doubt.questionable:
            # What another ply has followed is played at once; only the last one may go on.
            self._waiting.since = self._looked_at
            self._show(verdict.but_the_last())
            return
        waits = self._waiting.pending
        if waits is not None and is_taken_back_first(self.play.reader, waits, verdict):
            self._waiting.pending = None
            self._show(waits)
            return
        self._waiting.begin(verdict, *when)
        if isinstance(verdict, Still):
            self.putting_right.mended()

    def flush(self, text: str = "") -> None:
        """Play the verdict that still waits, unless it undoes something; ask about one that does
        not tell which move it was if that move is one of those.
        """
        verdict, heads = self._waiting.pending, self.play.reader.heads
        if isinstance(verdict, Settled) and ends_turn(verdict):
            if any(line not in heads for line in verdict.lines):  # else it takes back what is shown
                self._finish(verdict)
        elif isinstance(verdict, Ambiguous) and text in {e.match.text for e in verdict.lines}:
            self._waiting.pending = None
            self._show(verdict)

    def thrown(self) -> None:
        """Play the verdict that still waits, for the dice have fallen. If nothing was to be thrown
        for, hands have finished something else, which may undo what is shown.
        """
        self.flush()
        bounces = self._debounce.deadline is not None
        if not (self.thinking or self.play.awaits_dice or self.all_still or bounces):
            self._find(self._finish_turn())

    def _finish_turn(self) -> Generator[None, None, None]:
        """Play what was done, for no hand holds a man any more."""
        verdict = yield from self.play.reader.search(self._notes.now, patient=True)
        if isinstance(verdict, Settled) and ends_turn(verdict):
            self._finish(verdict)

    def _finish(self, verdict: Settled) -> None:
        """Show what is read, for people say that nothing more comes of it."""
        self._waiting.pending = None
        self._show(verdict)

    def _decide(self, verdict: Settled | Ambiguous) -> None:
        """Show what is read or ask about it, unless that is too odd."""
        self._waiting.pending = None
        reader = self.play.reader
        if may_be_old(reader, verdict) and (back := reader.set_back()) is not None:
            self._show(back)
        elif (self.sensors.masked and verdict.doubt.odd) or (
            isinstance(verdict, Ambiguous) and verdict.strays
        ):  # it may be due to what is not seen, or too much is open at once
            self._waiting.alarms.setdefault("guide", self._notes.now + GUIDED)
        elif is_to_be_asked(reader, verdict):
            lines = dict.fromkeys((*verdict.lines, *reader.shown))
            if len(lines) > len(reader.shown):
                self._show(Ambiguous(tuple(lines), late=False, strays=verdict.strays), ask=True)
        elif not (self.play.questions.open and answers_itself(reader, verdict)):
            self._show(verdict)

    def _show(self, verdict: Settled | Ambiguous, ask: bool = False) -> None:
        """Show a verdict; `ask` at once if there is more than one way to take it."""
        self._tell(self.play.show(verdict, self._waiting.since, ask))
        levels = self.play.reader.levels
        self.fail({place for place in verdict.strays if levels.get(place)}, "is stuck")
        self.putting_right.mended()
        self._look()

    def _tell(self, news: News) -> None:
        """Note what is told of the match; what is left to the next moves is asked some day."""
        self._notes.tell_all(news)
        self.play.questions.light(self._notes.now)
        self._waiting.alarms.pop("ask", None)
        if self.play.untold:
            self._waiting.alarms["ask"] = self._notes.now + UNTOLD
        if self.play.record != self._told:
            self._told = self.play.record
            self.read_at = self._notes.now

    # ---- what is done if nothing else happens

    def _alarm(self, name: str) -> None:
        now, right = self._notes.now, self.putting_right
        match name:
            case "act" | "rest" | "again" | "patient" | "guide" if self.play.starts_again:
                self._tell(self.play.end_again())  # whatever else may explain that
                self.new_match()
            case "act" if (verdict := self._waiting.pending) is not None:
                if right.only_mends(verdict):
                    self._waiting.pending = None
                    self._waiting.alarms["guide"] = now + GUIDED
                else:
                    self._decide(verdict)
            case "again" | "held":
                self._looked_at = now
                self._find(self._read(sooner=False))
            case "rest":
                self._find(self._come_to_rest())
            case "late":
                self._find(self._look_for_captives())
            case "stand":
                self._find(self._stand())
            case "patient":
                self._find(self._be_patient())
            case "missing":
                self._miss()
            case "ask":
                self._tell(self.play.ask())
            case "refuse":
                if (why := right.refuse(now)) is not None:
                    self._notes.tell("refused", **why)
            case "guide":
                self._guide()

    def _guide(self) -> None:
        if (how := self.putting_right.guide()) is not None:
            self._notes.tell("astray", **how)

    def _come_to_rest(self) -> Generator[None, None, None]:
        """All men have stood still as they are shown."""
        reader, now = self.play.reader, self._notes.now
        right = yield from reader.rest(now - REST)
        if not right or self.putting_right.settling:
            return
        expected = [line.expected for line in reader.shown]
        flickering = set(self._debounce.flickering(now))
        if self.sensors.recover(reader.levels, expected, reader.changed, flickering):
            self._reread()

    def _stand(self) -> Generator[None, None, None]:
        """All men have stood still for long: what flickered is calm, what lies wrong stays so."""
        self.play.ending.stand()
        yield from self._come_to_rest()
        self._guide()
        yield from self._look_for_captives()

    def _look_for_captives(self) -> Generator[None, None, None]:
        """All men have stood still for a while: whoever was captured, by what is shown, should lie
        in his tray by now, and stand on the board no more.
        """
        reader = self.play.reader
        if not any(
            lacking(line, reader.levels) or difference(line, reader.levels) for line in reader.shown
        ):
            return
        self._looked_at = self._notes.now
        verdict = yield from reader.search(self._notes.now)
        if isinstance(verdict, Settled | Ambiguous) and not all(
            lacking(line, reader.levels) for line in verdict.lines
        ):
            self._heed(verdict)

    def _be_patient(self) -> Generator[None, None, None]:
        """Nothing has made sense for a while: look again, for more than hands do mostly."""
        verdict = yield from self.play.reader.search(self._notes.now, patient=True)
        waits = isinstance(verdict, Still) or (isinstance(verdict, Settled) and verdict.bare)
        if waits:  # what only a lift tells of is not undone yet
            self._heed(verdict)
        elif isinstance(verdict, Settled | Ambiguous) and not self.putting_right.only_mends(
            verdict
        ):
            self._decide(verdict)

    def _miss(self) -> None:
        """A man has been missing for so long that he may have taken another between two looks."""
        found = self.play.reader.taken_unseen(self._notes.now)
        if found is not None and isinstance(self.verdict, Underway):
            self._show(found, ask=True)
