"""An observer of the board: from what the sensors read to what is shown, and when.

The reader says which hypotheses explain the sensors; the observer decides how long that must stand
before it is shown, asks where only people can know, and guides hands where nothing explains it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence

from engine.game import Place
from engine.match import Match
from engine.reading.footprints import Reading, Sight
from engine.reading.history import History
from engine.reading.mismatch import difference
from engine.reading.unseen import Explained
from engine.reading.verdict import Ambiguous, Astray, Settled, Still, Underway, Verdict
from firmware_host.i18n.messages import render
from firmware_host.session.confidence import answers_itself, ends_turn, is_half_seen, is_to_be_asked
from firmware_host.session.debounce import Debounce
from firmware_host.session.events import Frame
from firmware_host.session.live_match import LiveMatch
from firmware_host.session.outbox import Outbox
from firmware_host.session.resync import Resync
from firmware_host.session.sensor_health import SensorHealth
from firmware_host.session.settle_times import GUIDED, LONG, REST, UNTOLD, Search, SettleTimes
from firmware_host.session.unseen import Unseen


class MoveTracker:
    """Watches hands, and keeps the match in `play` in step with them."""

    def __init__(self, sight: Sight, matches: Sequence[Match]) -> None:
        self.sensors = SensorHealth()
        self._notes = Outbox()
        self.play = LiveMatch(sight, self._notes)
        self.play.begin(matches, self.sensors.masked, {})
        self._begun = False  # whether there has been a frame
        self._debounce = Debounce()
        self._waiting = SettleTimes()
        self.putting_right = Resync(self.play, self.sensors, self._waiting, self._notes)
        self.unseen = Unseen(self.play)
        self._search = Search()
        self._looked_at = 0.0  # when the reader was asked last

    # ---- what others may ask

    @property
    def now(self) -> float:
        """The time up to which all has been done."""
        return self._notes.now

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
        """When it wants to be called again though nothing happens; None if never."""
        due = self._search.due if self.thinking else self._waiting.due()  # which is held back
        times = [at for at in (due, self._debounce.deadline) if at is not None]
        return min(times, default=None)

    # ---- what comes in

    def _frame(self, frame: Frame) -> None:
        """Take what all sensors read now."""
        places, now = self.play.sight.places, self.now
        readings = {place: value for place, value in frame.readings.items() if place in places}
        if frame.faults != self.sensors.faults:
            for fault in self.sensors.report(frame.faults):
                self._notes.tell("fault", fault=render(fault))
        if not self._begun:
            self._begun = True
            self.sensors.see(frame.blind, now, frame.gap)
            self._first(readings, frame.gap)
            return
        # What a chip that is gone read last is as good as anything.
        readings |= {p: value for p, value in self._debounce.raw.items() if p in frame.blind}
        before, was_blind = dict(self._debounce.raw), self.sensors.blind
        back = self.sensors.see(frame.blind, now, frame.gap)
        if frame.blind != was_blind:
            self.play.reader.remask_from_now_on(self.sensors.masked, now)
            self._look()
        edges = self._debounce.feed(now, readings)
        for place, reading in edges:
            self.play.touch(now, place, reading)
        missed = self.play.sight.cells if frame.gap else back & self.play.sight.cells
        if any(place in missed for place, _ in edges):
            self._begin_unseen(before)
        if flickering := self._debounce.flickering(now):
            self._fail(flickering, "flickers")

    def _first(self, readings: dict[Place, Reading], gap: bool) -> None:
        """Take the first frame as it is; after a `gap`, hands may have played on since the match
        was left.
        """
        reader = self.play.reader
        for tray in self.play.sight.trays:
            # A tray that reads fewer than lie in it has fewer pockets than that.
            lies = reader.shown[0].expected.get(tray, 0)
            if 0 < readings.get(tray, 0) < lies:
                self.play.sight.pockets[tray] = readings[tray]
        self._debounce.begin(readings)
        self._begin([line.match for line in reader.shown], dict(readings))
        if any(self.putting_right.mismatch()):
            if gap:
                self.unseen.begin(reader.shown[0].expected, certain=False)
            self._look()
        else:
            self.putting_right.settled_in()

    def _begin(self, matches: Sequence[Match], levels: dict[Place, Reading]) -> None:
        self.play.begin(matches, self.sensors.masked, levels)
        self._waiting.drop()
        self.unseen.close()
        self._search.due = None

    def _new_match(self) -> None:
        """Begin a new match: the start is to be set up."""
        self.putting_right.retarget()
        self._begin([Match.begin(self.play.sight.game)], self.play.reader.levels)
        self._notes.tell("new")
        self.putting_right.set_up_anew()
        self._look()

    def _take_back(self) -> None:
        """Go back in the record by a ply; hands are guided to follow."""
        self._waiting.pending = None
        self.unseen.close()
        self.putting_right.retarget()
        self.play.take_back()
        self.putting_right.lead_back()
        self._look()

    def _rested(self) -> list[tuple[str, int | None]]:
        """Take what has come to rest, and ask the reader what that means; return the answers that
        lit men gave by being lifted twice, each with where in the record the question is.
        """
        answers = []
        rested = self._debounce.rested(self.now)
        for place, reading in rested:
            self.play.level(place, reading)
            self.putting_right.touched(place, reading)
            if isinstance(self.verdict, Still | Underway | Astray):
                named = self.play.questions.touched(self.now, place, reading)
                answers += [] if named is None else [named]
        if rested:
            self.putting_right.follow()
            self._look()
        return answers

    def _act(self) -> None:
        """Act on what has waited long enough, unless something is still being found out."""
        while not self.thinking and (name := self._waiting.ring(self.now)) is not None:
            self._alarm(name)

    # ---- sensors that are not believed

    def _fail(self, places: Iterable[Place], how: str) -> None:
        """Believe these sensors no more; `how` they fail is said."""
        fresh = self.sensors.fail(places, self.now)
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
        self._search.begin(search, self.now)

    def _look(self) -> None:
        """Ask the reader what the levels mean."""
        self._search.due = None
        if not self.play.untold:
            self._waiting.alarms.pop("ask", None)
        else:  # what is left to the next moves is asked some day
            self._waiting.alarms.setdefault("ask", self.now + UNTOLD)
        if self.unseen.open and (self._stands_as_shown or self.play.outcome is not None):
            # Nothing was played, or nothing that still matters.
            self.unseen.close()
            self.play.reader.restart(self.play.reader.shown)
        if self.unseen.open:
            self._waiting.verdict, self._waiting.pending = Astray(), None
            self._waiting.alarms = {"unseen": self.now + REST}
        elif not self.putting_right.settling or self.putting_right.set_up():
            self._looked_at = self.now
            self._find(self._read())

    # ---- what nobody has seen

    def _begin_unseen(self, before: dict[Place, Reading]) -> None:
        """Find out what was played since the sensors read what was `before`, for nobody has looked,
        and cells read otherwise now; unless the board is being set up, or the match is over.
        """
        right = self.putting_right
        if self.unseen.open or not (right.settling or self.play.outcome is not None):
            self.unseen.begin(before, certain=not right.guiding)
            self._look()

    @property
    def _stands_as_shown(self) -> bool:
        """Whether all pieces have come to rest as one of the lines has them that are shown."""
        reader = self.play.reader
        right = any(not difference(line, reader.levels) for line in reader.shown)
        return right and self._debounce.deadline is None

    def _look_back(self, patient: bool) -> Generator[None, None, None]:
        """Find out what was played while nobody looked; when `patient`, for hands have done nothing
        for long, no hand is waited for any more.
        """
        found = yield from self.unseen.search()
        if patient:
            self._end_unseen(found)
        elif (line := self.unseen.only_one(found)) is not None:
            self.unseen.close()
            self.play.play_unseen(line, self.unseen.trays)
            self._look()
        elif found.held and not found.exact and self.putting_right.settling:
            self._waiting.alarms["guide"] = self.now  # the piece is put back, or the move goes on
        elif found.held == self.play.reader.shown and not found.exact:
            self._end_unseen(found)
        elif found.is_under_way:
            self._waiting.alarms["unexplained"] = self.now + LONG
        elif found.exact or self.putting_right.settling:
            self._end_unseen(found)
        else:
            self._waiting.alarms["unexplained"] = self.now + GUIDED

    def _end_unseen(self, found: Explained) -> None:
        """Ask what was played while nobody looked; if nothing that the rules allow explains the
        board, have it set up as it is shown.
        """
        self.unseen.close()
        shown = self.play.reader.shown
        if not found.exact and any(line in shown for line in found.held):
            # Nothing was played, but a hand holds a piece.
            self.play.reader.restart_unseen(shown, self.unseen.trays)
            self.putting_right.settled_in()
        elif (found.exact or found.held) and not self._is_rather_wrong(found):
            self.unseen.ask(found)
            self.putting_right.settled_in()
        else:
            self.putting_right.set_up_anew()
        self._look()

    def _is_rather_wrong(self, found: Explained) -> bool:
        """Whether the board of a match that is resumed has rather been disturbed: it takes fewer
        movements to put it right than plies to explain it.
        """
        if not self.putting_right.settling:
            return False
        plies = min(line.match.plies for line in (*found.exact, *found.held))
        return plies - self.play.match.plies > len(self.putting_right.plan())

    def _read(self, sooner: bool = True) -> Generator[None, None, None]:
        verdict = yield from self.play.reader.search(self.now)
        if sooner or isinstance(verdict, Still | Settled | Ambiguous) or self._waiting.pending:
            self._heed(verdict)

    def _heed(self, verdict: Verdict) -> None:
        """Decide how long a verdict must stand."""
        when = self._looked_at, self.now
        if self._waiting.again(verdict, *when):
            return
        if isinstance(verdict, Settled | Ambiguous) and (
            self._answers_itself(verdict) and self.play.reader.shown[0] in verdict.lines
        ):
            verdict = Still()
        if isinstance(verdict, Settled) and verdict.followed and not verdict.doubt.questionable:
            # What another ply has followed is played at once; only the last one may go on.
            self._waiting.since = self._looked_at
            self._show(verdict.but_the_last())
            return
        self._waiting.begin(verdict, *when)
        if isinstance(verdict, Still):
            self.putting_right.mended()

    def _flush(self, text: str = "") -> None:
        """Play the verdict that still waits, unless it undoes something; ask about one that does
        not tell which move it was if that move is one of those.
        """
        verdict, heads = self._waiting.pending, self.play.reader.heads
        if isinstance(verdict, Settled) and text and is_half_seen(verdict):
            return  # what people name may be how it goes on
        if isinstance(verdict, Settled) and ends_turn(verdict):
            if any(line not in heads for line in verdict.lines):  # else it takes back what is shown
                self._finish(verdict)
        elif isinstance(verdict, Ambiguous) and text in {e.match.text for e in verdict.lines}:
            self._finish(verdict)

    def _thrown(self) -> None:
        """Play the verdict that still waits, for the dice have fallen. If nothing was to be thrown
        for, hands have finished something else, which may undo what is shown.
        """
        self._flush()
        bounces = self._debounce.deadline is not None
        still = self.all_still or self.unseen.open
        if not (self.thinking or self.play.awaits_dice or still or bounces):
            self._find(self._finish_turn())

    def _finish_turn(self) -> Generator[None, None, None]:
        """Play what was done, for no hand holds a man any more."""
        verdict = yield from self.play.reader.search(self.now, patient=True)
        if isinstance(verdict, Settled) and ends_turn(verdict):
            self._finish(verdict)

    def _finish_before(self, may_follow: Callable[[History], bool]) -> None:
        """Play what was done before people said that a move was made which no sensor shows, if the
        move `may_follow` it: like a throw of dice it tells that the turn before has ended.
        """
        if not (self.all_still or self.putting_right.settling):
            self._find(self._look_before(may_follow))

    def _look_before(self, may_follow: Callable[[History], bool]) -> Generator[None, None, None]:
        verdict = yield from self.play.reader.search(self.now, patient=True)
        if not isinstance(verdict, Settled | Ambiguous) or self.putting_right.only_mends(verdict):
            return
        if any(map(may_follow, verdict.lines)):
            self._decide(verdict)

    def _finish(self, verdict: Settled | Ambiguous) -> None:
        """Show what is read, and wait no longer."""
        self._waiting.pending = None
        self._show(verdict)

    def _decide(self, verdict: Settled | Ambiguous) -> None:
        """Show what is read or ask about it, unless that is too odd."""
        self._waiting.pending = None
        reader = self.play.reader
        if self.sensors.masked and verdict.doubt.odd:  # it may be due to what is not seen
            self._waiting.alarms.setdefault("guide", self.now + GUIDED)
        elif is_to_be_asked(reader, verdict):
            lines = dict.fromkeys((*verdict.lines, *reader.shown))
            if len(lines) > len(reader.shown):
                self._show(Ambiguous(tuple(lines), late=False), ask=True)
        elif not self._answers_itself(verdict):
            self._show(verdict)

    def _answers_itself(self, verdict: Settled | Ambiguous) -> bool:
        """Whether a verdict answers what people are asked, though hands have not told it."""
        return bool(self.play.questions.open) and answers_itself(self.play.reader, verdict)

    def _show(self, verdict: Settled | Ambiguous, ask: bool = False) -> None:
        """Show a verdict; `ask` at once if there is more than one way to take it."""
        self.play.show(verdict, self._waiting.since, ask)
        self.putting_right.mended()
        self._look()

    # ---- what is done if nothing else happens

    def _alarm(self, name: str) -> None:
        now, right = self.now, self.putting_right
        match name:
            case "act" | "rest" | "again" | "patient" | "guide" if self.play.ending.is_start_set_up:
                self.play.end_again()  # whatever else may explain that
                self._new_match()
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
            case "stand":
                self._find(self._stand())
            case "patient":
                self._find(self._be_patient())
            case "missing" if isinstance(self.verdict, Underway):
                # He may have taken another between two looks.
                if (found := self.play.reader.taken_unseen(now)) is not None:
                    self._show(found, ask=True)
            case "ask":
                self.play.ask()
            case "unseen" | "unexplained" if self.unseen.open:
                self._find(self._look_back(patient=name == "unexplained"))
            case "refuse":
                right.refuse()
            case "guide":
                right.guide()

    def _come_to_rest(self) -> Generator[None, None, None]:
        """All men have stood still as they are shown."""
        reader, now = self.play.reader, self.now
        right = yield from reader.rest(now - REST)
        if not right or self.putting_right.settling:
            return
        if self.sensors.recover(reader, self._debounce.flickering(now)):
            self._reread()

    def _stand(self) -> Generator[None, None, None]:
        """All men have stood still for long: what flickered is calm, what lies wrong stays so."""
        self.play.ending.stand()
        yield from self._come_to_rest()
        self.putting_right.guide()

    def _be_patient(self) -> Generator[None, None, None]:
        """Nothing has made sense for a while: look again, for more than hands do mostly."""
        verdict = yield from self.play.reader.search(self.now, patient=True)
        waits = isinstance(verdict, Still) or (isinstance(verdict, Settled) and verdict.bare)
        if waits:  # what only a lift tells of is not undone yet
            self._heed(verdict)
        elif isinstance(verdict, Settled | Ambiguous) and not self.putting_right.only_mends(
            verdict
        ):
            self._decide(verdict)
