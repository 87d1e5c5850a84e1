"""From readings of the sensors to the moves that are shown.

The reader says which histories explain the readings. The move tracker decides how long a verdict
must stand before it is shown, asks people where the sensors cannot decide, and guides hands where
no history explains the board.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence

from engine.game import Place
from engine.match import Match
from engine.reading.footprints import Reading, Sight
from engine.reading.history import History
from engine.reading.mismatch import difference
from engine.reading.sayings import Said
from engine.reading.unseen import Explained
from engine.reading.verdict import Ambiguous, Astray, Settled, Still, Underway, Verdict
from firmware_host.i18n.messages import render
from firmware_host.session.confidence import answers_itself, ends_turn, is_to_be_asked
from firmware_host.session.debounce import Debounce
from firmware_host.session.events import Frame
from firmware_host.session.live_match import LiveMatch
from firmware_host.session.missed_plies import MissedPlies
from firmware_host.session.outbox import Outbox
from firmware_host.session.resync import Resync
from firmware_host.session.sensor_health import SensorHealth
from firmware_host.session.settle_times import (
    ASK_UNDECIDED_S,
    GUIDE_S,
    LONG_S,
    REST_S,
    Search,
    SettleTimes,
)


class MoveTracker:
    """Follows the hands, and keeps the live match in step with them."""

    def __init__(self, sight: Sight, matches: Sequence[Match], outbox: Outbox) -> None:
        self.sensors = SensorHealth()
        self.live = LiveMatch(sight, outbox)
        self.live.begin(matches, self.sensors.masked, {})
        self._outbox = outbox
        self._has_frame = False
        self._debounce = Debounce()
        self._settle = SettleTimes()
        self.resync = Resync(self.live, self.sensors, self._settle, outbox)
        self.missed = MissedPlies(self.live)
        self._search = Search()
        self._looked_at = 0.0  # the start of the reader's last search

    # ---- what the session may ask

    @property
    def verdict(self) -> Verdict:
        """The last verdict of the reader."""
        return self._settle.verdict

    @property
    def settled_since(self) -> float:
        """When the places that the verdict explains came to rest."""
        return self._settle.since

    @property
    def all_still(self) -> bool:
        """Whether all pieces stand as they are shown, and no place is being touched."""
        reader = self.live.reader
        off = difference(reader.shown[0], reader.levels)
        return isinstance(self.verdict, Still) and not off and self._debounce.deadline is None

    @property
    def is_at_rest(self) -> bool:
        """Whether all sensors that are not masked are at rest."""
        return self._debounce.is_at_rest(self.sensors.masked)

    @property
    def thinking(self) -> bool:
        """Whether a search for the meaning of the levels is running."""
        return self._search.due is not None

    @property
    def deadline(self) -> float | None:
        """When to call it if no event comes before; None if never."""
        due = self._search.due if self.thinking else self._settle.due()  # alarms wait for a search
        times = [at for at in (due, self._debounce.deadline) if at is not None]
        return min(times, default=None)

    # ---- what comes in

    def take_frame(self, frame: Frame) -> None:
        """Take the readings of all sensors."""
        places, now = self.live.sight.places, self._outbox.now
        readings = {place: value for place, value in frame.readings.items() if place in places}
        if frame.faults != self.sensors.faults:
            for fault in self.sensors.report(frame.faults):
                self._outbox.add("fault", fault=render(fault))
        if not self._has_frame:
            self._has_frame = True
            self.sensors.see(frame.blind, now, frame.gap)
            self._take_first(readings, frame.gap)
            return
        # Keep the last levels of a chip that stopped answering; they are not used.
        readings |= {p: value for p, value in self._debounce.raw.items() if p in frame.blind}
        before, was_blind = dict(self._debounce.raw), self.sensors.blind
        back = self.sensors.see(frame.blind, now, frame.gap)
        if frame.blind != was_blind:
            self.live.reader.remask_from_now_on(self.sensors.masked, now)
            self.look()
        edges = self._debounce.feed(now, readings)
        for place, reading in edges:
            self.live.touch(now, place, reading)
        missed = self.live.sight.cells if frame.gap else back & self.live.sight.cells
        if any(place in missed for place, _ in edges):
            self._begin_looking_back(before)
        if flickering := self._debounce.flickering(now):
            self.fail(flickering, "flickers")

    def _take_first(self, readings: dict[Place, Reading], gap: bool) -> None:
        """Take the levels of the first frame; after a `gap`, hands may have played on since the
        match was interrupted.
        """
        reader = self.live.reader
        for tray in self.live.sight.trays:
            # A tray with fewer sensed pockets than pieces reads the number of its pockets.
            lies = reader.shown[0].expected.get(tray, 0)
            if 0 < readings.get(tray, 0) < lies:
                self.live.sight.pockets[tray] = readings[tray]
        self._debounce.begin(readings)
        self._begin([history.match for history in reader.shown], dict(readings))
        if any(self.resync.mismatch()):
            if gap and not self.resync.only_guides:
                self.missed.begin(reader.shown[0].expected, certain=False)
            self.look()
        else:
            self.resync.end_setup()

    def _begin(self, matches: Sequence[Match], levels: dict[Place, Reading]) -> None:
        self.live.begin(matches, self.sensors.masked, levels)
        self._settle.drop()
        self.missed.close()
        self._search.due = None

    def new_match(self) -> None:
        """Begin a new match; hands set up its start."""
        self._outbox.add("new")
        self._set_up(Match.begin(self.live.sight.game))

    def guide_to(self, match: Match) -> None:
        """Guide hands to the position of a match; from now on no move is read."""
        self.resync.only_guides = True
        self._set_up(match)

    def _set_up(self, match: Match) -> None:
        """Guide hands to the position of a match."""
        self.resync.retarget()
        self._begin([match], self.live.reader.levels)
        self.resync.begin_setup()
        self.look()

    def take_back(self) -> None:
        """Take the last ply back, and guide hands to its start."""
        self._settle.pending = None
        self.missed.close()
        self.resync.retarget()
        self.live.take_back()
        self.resync.guide_back()
        self.look()

    def hear(self, said: Said) -> None:
        """Take what people say was played."""
        self.live.reader.say(said)
        self.look()

    def take_rested(self) -> list[tuple[str, int | None]]:
        """Take the places that have come to rest, and search for what that means. Return the
        answers that people gave by lifting a lit piece twice, each with the question's index in the
        record.
        """
        answers = []
        now = self._outbox.now
        rested = self._debounce.rested(now)
        for place, reading in rested:
            self.live.level(place, reading)
            self.resync.touched(place, reading)
            if isinstance(self.verdict, Still | Underway | Astray):
                named = self.live.questions.touched(now, place, reading)
                answers += [] if named is None else [named]
        if rested:
            self.resync.follow()
            self.look()
        return answers

    def step_search(self) -> None:
        """Do one step of the search, if it is due."""
        self._search.step(self._outbox.now)

    def act(self) -> None:
        """Do what is due, unless a search is running."""
        while not self.thinking and (name := self._settle.ring(self._outbox.now)) is not None:
            self._alarm(name)

    # ---- sensors that fail

    def fail(self, places: Iterable[Place], how: str) -> None:
        """Ignore these sensors from now on; `how` says in which way they fail."""
        fresh = self.sensors.fail(places, self._outbox.now)
        for place in fresh:
            self._outbox.add("fault", fault=f"{place}: the sensor {how}; playing on without it")
        if fresh:
            self._reread()

    def _reread(self) -> None:
        """Process the edges since all pieces last stood right again, because other sensors are
        masked now.
        """
        self.live.reader.remask(self.sensors.masked)
        self.look()

    # ---- reading

    def _start_search(self, search: Generator[None, None, None]) -> None:
        """Begin a search; it replaces the one that is running."""
        self._search.begin(search, self._outbox.now)

    def look(self) -> None:
        """Begin to search for what the levels mean."""
        self._search.due = None
        if not self.live.is_undecided:
            self._settle.alarms.pop("ask", None)
        else:  # ask if the next moves do not decide it
            self._settle.alarms.setdefault("ask", self._outbox.now + ASK_UNDECIDED_S)
        if self.missed.open and (self._stands_as_shown or self.live.outcome is not None):
            # No move was made, or the match is over.
            self.missed.close()
            self.live.reader.restart(self.live.reader.shown)
        if self.missed.open:
            self._settle.verdict, self._settle.pending = Astray(), None
            self._settle.alarms = {"unseen": self._outbox.now + REST_S}
        elif not (self.resync.settling or self.resync.only_guides) or self.resync.is_set_up():
            self._looked_at = self._outbox.now
            self._start_search(self._read())

    # ---- moves that were made while the sensors were not read

    def _begin_looking_back(self, before: dict[Place, Reading]) -> None:
        """Begin to search for moves since the readings `before`, because cells changed while they
        were not read. Do nothing while hands are guided to the position shown, or after the end.
        """
        resync = self.resync
        guided = resync.settling or resync.only_guides
        if self.missed.open or not (guided or self.live.outcome is not None):
            self.missed.begin(before, certain=not resync.guiding)
            self.look()

    @property
    def _stands_as_shown(self) -> bool:
        """Whether all pieces have come to rest as in one of the histories that are shown."""
        reader = self.live.reader
        right = any(not difference(history, reader.levels) for history in reader.shown)
        return right and self._debounce.deadline is None

    def _look_back(self, patient: bool) -> Generator[None, None, None]:
        """Search for the moves that were made while the sensors were not read. When `patient`,
        hands have been still for long, so do not wait for a hand at work.
        """
        found = yield from self.missed.search()
        if patient:
            self._end_looking_back(found)
        elif (history := self.missed.only_one(found)) is not None:
            self.missed.close()
            self.live.play_unseen(history, self.missed.trays)
            self.look()
        elif found.held and not found.exact and self.resync.settling:
            # The piece in the hand is put back, or the move goes on.
            self._settle.alarms["guide"] = self._outbox.now
        elif found.held == self.live.reader.shown and not found.exact:
            self._end_looking_back(found)
        elif found.is_under_way:
            self._settle.alarms["unexplained"] = self._outbox.now + LONG_S
        elif found.exact or self.resync.settling:
            self._end_looking_back(found)
        else:
            self._settle.alarms["unexplained"] = self._outbox.now + GUIDE_S

    def _end_looking_back(self, found: Explained) -> None:
        """Ask which moves were made while the sensors were not read. If no legal moves explain the
        board, guide hands to the position shown.
        """
        self.missed.close()
        shown = self.live.reader.shown
        if not found.exact and any(history in shown for history in found.held):
            # No move was made, but a hand holds a piece.
            self.live.reader.restart_unseen(shown, self.missed.trays)
            self.resync.end_setup()
        elif (found.exact or found.held) and not self._was_disturbed(found):
            self.missed.ask(found)
            self.resync.end_setup()
        else:
            self.resync.begin_setup()
        self.look()

    def _was_disturbed(self, found: Explained) -> bool:
        """Whether the board of a resumed match was probably disturbed, not played on: repairing it
        takes fewer movements than the explanation has plies.
        """
        if not self.resync.settling:
            return False
        plies = min(history.match.plies for history in (*found.exact, *found.held))
        return plies - self.live.match.plies > len(self.resync.plan())

    def _read(self, sooner: bool = True) -> Generator[None, None, None]:
        verdict = yield from self.live.reader.search(self._outbox.now)
        if sooner or isinstance(verdict, Still | Settled | Ambiguous) or self._settle.pending:
            self._take_verdict(verdict)

    def _take_verdict(self, verdict: Verdict) -> None:
        """Decide how long a verdict must stand."""
        when = self._looked_at, self._outbox.now
        if self._settle.again(verdict, *when):
            return
        if isinstance(verdict, Settled | Ambiguous) and (
            self._answers_itself(verdict) and self.live.reader.shown[0] in verdict.lines
        ):
            verdict = Still()
        if isinstance(verdict, Settled) and verdict.followed and not verdict.doubt.questionable:
            # A ply that another one follows is shown at once; only the last one may still change.
            self._settle.since = self._looked_at
            self._show(verdict.without_last_ply())
            return
        self._settle.begin(verdict, *when)
        if isinstance(verdict, Still):
            self.resync.matched()

    def flush(self) -> None:
        """Show the verdict that waits, unless it takes something back."""
        verdict, confirmed = self._settle.pending, self.live.reader.confirmed
        if not (isinstance(verdict, Settled) and ends_turn(verdict)):
            return
        if any(line not in confirmed for line in verdict.lines):
            self._finish(verdict)  # else it takes back what is shown

    def end_turn(self) -> None:
        """Show the verdict that waits, because the dice have fallen. If no throw was awaited, hands
        have finished another move, which may replace what is shown.
        """
        self.flush()
        bounces = self._debounce.deadline is not None
        still = self.all_still or self.missed.open
        if not (self.thinking or self.live.awaits_dice or still or bounces):
            self._start_search(self._finish_turn())

    def _finish_turn(self) -> Generator[None, None, None]:
        """Show what hands have done, because no hand holds a piece now."""
        verdict = yield from self.live.reader.search(self._outbox.now, patient=True)
        if isinstance(verdict, Settled) and ends_turn(verdict):
            self._finish(verdict)

    def finish_before(self, may_follow: Callable[[History], bool]) -> None:
        """Show what hands did before people named a move that no sensor shows, if that move
        `may_follow` it: like a throw, the named move says that the turn before it is over.
        """
        if not (self.all_still or self.resync.settling):
            self._start_search(self._read_before(may_follow))

    def _read_before(self, may_follow: Callable[[History], bool]) -> Generator[None, None, None]:
        verdict = yield from self.live.reader.search(self._outbox.now, patient=True)
        if not isinstance(verdict, Settled | Ambiguous) or self.resync.only_repairs(verdict):
            return
        if any(map(may_follow, verdict.lines)):
            self._decide(verdict)

    def _finish(self, verdict: Settled | Ambiguous) -> None:
        """Show a verdict now."""
        self._settle.pending = None
        self._show(verdict)

    def _decide(self, verdict: Settled | Ambiguous) -> None:
        """Show a verdict or ask about it, unless too much is unexplained."""
        self._settle.pending = None
        reader = self.live.reader
        if self.sensors.masked and verdict.doubt.odd:  # a masked sensor may be the cause
            self._settle.alarms.setdefault("guide", self._outbox.now + GUIDE_S)
        elif is_to_be_asked(reader, verdict):
            new = verdict.lines
            old = [each for each in reader.shown if any(line.since(each) for line in new)]
            lines = dict.fromkeys((*new, *(old or reader.shown)))
            if lines.keys() != {*reader.shown}:
                self._show(Ambiguous(tuple(lines), late=False), ask=True)
        elif not self._answers_itself(verdict):
            self._show(verdict)

    def _answers_itself(self, verdict: Settled | Ambiguous) -> bool:
        """Whether a verdict would answer the open question although hands have not shown the
        answer.
        """
        return bool(self.live.questions.open) and answers_itself(self.live.reader, verdict)

    def _show(self, verdict: Settled | Ambiguous, ask: bool = False) -> None:
        """Show a verdict; with `ask`, ask at once if it has several histories."""
        self.live.show(verdict, self._settle.since, ask)
        self.resync.matched()
        self.look()

    # ---- alarms

    def _alarm(self, name: str) -> None:
        now, resync = self._outbox.now, self.resync
        match name:
            case "guide" if resync.only_guides and resync.is_start_set_up:
                self.new_match()
            case "act" | "rest" | "again" | "patient" | "guide" if self._is_set_up_after_end:
                self.live.end_again()  # even if other moves explain the readings
                self.new_match()
            case "act" if (verdict := self._settle.pending) is not None:
                if resync.only_repairs(verdict):
                    self._settle.pending = None
                    self._settle.alarms["guide"] = now + GUIDE_S
                else:
                    self._decide(verdict)
            case "again" | "held":
                self._looked_at = now
                self._start_search(self._read(sooner=False))
            case "rest":
                self._start_search(self._come_to_rest())
            case "stand":
                self._start_search(self._stand())
            case "patient":
                self._start_search(self._be_patient())
            case "missing" if isinstance(self.verdict, Underway):
                # The missing piece may have captured another one between two scans.
                if (found := self.live.reader.taken_unseen(now)) is not None:
                    self._show(found, ask=True)
            case "ask":
                self.live.ask()
            case "unseen" | "unexplained" if self.missed.open:
                self._start_search(self._look_back(patient=name == "unexplained"))
            case "refuse":
                resync.refuse()
            case "guide":
                resync.guide()

    @property
    def _is_set_up_after_end(self) -> bool:
        """Whether hands have set up the start of a new match after the end of this one."""
        return not self.resync.only_guides and self.live.end.is_start_set_up

    def _come_to_rest(self) -> Generator[None, None, None]:
        """Note that all pieces have stood still in the position shown."""
        reader, now = self.live.reader, self._outbox.now
        right = yield from reader.rest(now - REST_S)
        if not right or self.resync.settling:
            return
        if self.sensors.recover(reader, self._debounce.flickering(now)):
            self._reread()

    def _stand(self) -> Generator[None, None, None]:
        """Note that all pieces have stood still for long: a flickering sensor is calm now, and a
        misplaced piece stays where it is.
        """
        self.live.end.stand()
        yield from self._come_to_rest()
        self.resync.guide()

    def _be_patient(self) -> Generator[None, None, None]:
        """Search again and admit unlikely readings, because no verdict has come for a while."""
        verdict = yield from self.live.reader.search(self._outbox.now, patient=True)
        is_still = isinstance(verdict, Still)
        if is_still or (isinstance(verdict, Settled) and verdict.bare):
            self._take_verdict(verdict)  # a takeback that only a lift shows must stand longer
        elif isinstance(verdict, Settled | Ambiguous) and not self.resync.only_repairs(verdict):
            self._decide(verdict)
