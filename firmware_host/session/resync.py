"""Putting right: what stands wrong on the board, and how people are told to mend it.

A board is set up before a match; after a takeback by button, a new match or a mistake it must come
to hold again what is shown. Only what the sensors see counts.
"""

from __future__ import annotations

from itertools import takewhile
from typing import Final

from engine.game import Attempt, Place, Reason
from engine.reading.fewest_moves import Movement
from engine.reading.footprints import Footprint, Reading
from engine.reading.history import History
from engine.reading.mismatch import mismatch
from engine.reading.verdict import Ambiguous, Astray, Settled, Still, Verdict
from firmware_host.session.live_match import LiveMatch
from firmware_host.session.outbox import Outbox
from firmware_host.session.repair_plan import RepairPlan
from firmware_host.session.sensor_health import SensorHealth
from firmware_host.session.settle_times import GUIDED, SettleTimes
from firmware_host.session.view import RepairView

FEW: Final = 4
"""So many sensors at most are taken to read wrong if people say that all stands as it should."""


class Resync:
    """Compares the board with the match in play, and guides hands until they agree.

    It sets the alarms `guide` and `refuse` of what is `waiting`.
    """

    def __init__(
        self, play: LiveMatch, sensors: SensorHealth, waiting: SettleTimes, notes: Outbox
    ) -> None:
        self.settling = True
        """The board is being set up: nothing is read until it matches."""
        self.guiding = False
        """The board does not match, and has not for a while: people are told how to mend it."""
        self.refusal: Reason | None = None
        """Why the rules do not allow what a hand did."""
        self._play = play
        self._sensors = sensors
        self._waiting = waiting
        self._notes = notes
        self._guidance = RepairPlan(play.sight)
        self._heeded = False  # whether a hand has done anything since it was told
        self._refused: Attempt | None = None  # what a refusal was looked for last
        self._told: object = None  # what was told last

    def view(self) -> RepairView:
        """Return what stands wrong now, and how it is put right."""
        needed = self.settling or self.guiding
        fill, clear = self.mismatch() if needed else ((), ())
        return RepairView(
            settling=self.settling,
            guiding=self.guiding,
            refusal=self.refusal,
            plan=self.plan() if needed else (),
            fill=fill,
            clear=clear,
            may_stand_so=self.may_stand_so,
        )

    # ---- what stands wrong

    def mismatch(self) -> tuple[tuple[Place, ...], tuple[Place, ...]]:
        """Return the cells to fill or turn, and the cells to empty, to put the board right."""
        reader = self._play.reader
        return mismatch(reader.shown[0], reader.levels)

    def plan(self) -> tuple[Movement, ...]:
        """Return the fewest hand movements that put the board right, in their order."""
        reader = self._play.reader
        return self._guidance.plan(reader.shown[0], reader.levels, self._sensors.masked)

    @property
    def may_stand_so(self) -> bool:
        """Whether all may stand as it should, though the sensors read otherwise: nothing is to be
        moved, but a few men to be put or taken off. Who says so plays on without those sensors.
        """
        if not (self.guiding or self.settling):
            return False
        plan = self.plan()
        return 0 < len(plan) <= FEW and not any(each.start and each.end for each in plan)

    def only_mends(self, verdict: Verdict) -> bool:
        """Whether a verdict is no move of hands that have been told how to put men right: several
        plies, or more that is unexplained than in a takeback, or a man that has stood there since
        before others were taken back by button.
        """
        anew = self._guidance.anew
        if not (self._heeded or anew) or not isinstance(verdict, Settled | Ambiguous):
            return False
        made = [self._made(line) for line in verdict.lines]
        back = all(line.match.plies < self._play.match.plies for line in verdict.lines)
        back = back or (isinstance(verdict, Settled) and bool(verdict.back))
        odd = verdict.doubt.serious and not back
        came = {place for plies in made for ply in plies for place, _ in ply.arrivals}
        stood = not (self._play.reader.put_since and came <= self._guidance.been_at)
        return any(len(plies) > 1 for plies in made) or odd or (anew and stood)

    def _made(self, line: History) -> list[Footprint]:
        """Return the plies of a line that the match has not, and were made by hand."""
        more = takewhile(lambda step: step.match.plies > self._play.match.plies, line.latest())
        return [step.footprint for step in more if step.footprint is not None]

    # ---- what is wanted

    def set_up_anew(self) -> None:
        """Have the board set up for another match."""
        self.settling = True
        self._hush()

    def retarget(self) -> None:
        """Note what stands where, for something else will be wanted there."""
        self.refusal = None
        reader = self._play.reader
        self._guidance.retarget(reader.shown, reader.levels)

    def lead_back(self) -> None:
        """Guide hands to what is shown since men were taken back by button."""
        self.guiding = bool(self.plan())

    # ---- what hands do

    def touched(self, place: Place, reading: Reading) -> None:
        """Note that a place has come to rest."""
        self._heeded = self.guiding
        self._guidance.touched(place, reading)

    def follow(self) -> None:
        """Keep in step with hands that put the board right."""
        if self.guiding and not self.plan() and not self.settling:
            reader = self._play.reader
            one = len(self._guidance.been_at & self._play.sight.cells) == 1
            if reader.likeliest[0] in reader.shown and (self._guidance.anew or not one):
                # What they touched for it means nothing else; one man may yet go where he was.
                reader.restart(reader.shown)
            self.mended()

    def set_up(self) -> bool:
        """Guide until the board is set up; return whether hands may be read."""
        if any(self.mismatch()):
            at = self._notes.now + (GUIDED if self.guiding else 0.0)
            self._waiting.alarms.setdefault("guide", at)
            self._waiting.verdict = Astray()
            return False
        self.settled_in()
        self._play.reader.restart(self._play.reader.shown)
        return True

    def settled_in(self) -> None:
        """The board is set up, or people say so."""
        self.settling = False
        self._waiting.alarms.pop("guide", None)
        self._guidance.mended(self._play.reader.shown[0])
        self._hush()

    def mended(self) -> None:
        """The sensors read what is shown, but maybe for men that they cannot tell apart, or that
        lie in a wrong tray.
        """
        self.refusal = None
        still = isinstance(self._waiting.verdict, Still)
        if not (still and (self.guiding or self._guidance.anew) and self.plan()):
            self._guidance.mended(self._play.reader.shown[0])
            self._hush()

    def _hush(self) -> None:
        """Say no more what was wrong."""
        self.refusal = None
        self.guiding = self._heeded = False
        self._refused = self._told = None

    # ---- what people are told

    def refuse(self) -> None:
        """Tell why no move does what the hand did, unless that is known, or unknown."""
        play, match = self._play, self._play.match
        attempt = play.reader.attempt()
        if attempt == self._refused or not (attempt.placed or attempt.swapped):
            return
        if self._heeded or self._guidance.anew:
            return  # the hand puts right what it was told, or not yet what was taken back
        self._refused = attempt
        if play.outcome is None:
            self.refusal = why = match.game.why_not(match.position, attempt)
            if why is not None:
                places = list(why.places)
                self._notes.tell("refused", reason=why.code, places=places, seat=match.turn)

    def guide(self) -> None:
        """Tell how the board is put right, unless it is right, or that has been told."""
        plan = self.plan()
        self.guiding = bool(plan)
        put, take = map(list, self.mismatch())
        how = {"put": put, "take": take, "move": [[e.start, e.end] for e in plan if e.carries]}
        if plan and how != self._told:
            self._told = how
            self._notes.tell("astray", **how)
