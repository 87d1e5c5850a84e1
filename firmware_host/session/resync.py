"""Differences between the board and the match, and the guidance that removes them.

Hands set up the board before a match. After a takeback by button, a new match or a mistake they put
it right again. Only differences that the sensors see count.
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
from firmware_host.session.live_match import LiveMatch, start_set_up_after
from firmware_host.session.outbox import Outbox
from firmware_host.session.repair_plan import RepairPlan
from firmware_host.session.sensor_health import SensorHealth
from firmware_host.session.settle_times import GUIDE_S, SettleTimes
from firmware_host.session.view import RepairView

MOST_STUCK: Final = 4
"""The most sensors that count as stuck when people say that the board is right."""
FAR_PLIES: Final = 2
"""The start counts as a new match only if the match shown has at least this many plies."""


class Resync:
    """Compares the board with the live match, and guides hands until they agree.

    It sets the alarms `guide` and `refuse` of the settle times.
    """

    def __init__(
        self, live: LiveMatch, sensors: SensorHealth, settle: SettleTimes, outbox: Outbox
    ) -> None:
        self.settling = True
        """Whether the board is being set up: moves are not read until it matches."""
        self.guiding = False
        """Whether people are shown how to put the board right, because it has not matched for a
        while.
        """
        self.refusal: Reason | None = None
        """Why the rules forbid what a hand did."""
        self.only_guides = False
        """Whether hands are only guided to the position shown, and no move is read."""
        self._live = live
        self._sensors = sensors
        self._settle = settle
        self._outbox = outbox
        self._repair = RepairPlan(live.sight)
        self._follows = False  # whether a hand has moved since the guidance began
        self._refused: Attempt | None = None  # the attempt that was checked last
        self._announced: object = None  # the guidance that was last announced

    def view(self) -> RepairView:
        """Return the differences and the guidance as they are now."""
        needed = self.settling or self.guiding
        fill, clear = self.mismatch() if needed else ((), ())
        return RepairView(
            settling=self.settling,
            guiding=self.guiding,
            refusal=self.refusal,
            plan=self.plan() if needed else (),
            fill=fill,
            clear=clear,
            may_confirm=self.may_confirm,
        )

    # ---- what stands wrong

    def mismatch(self) -> tuple[tuple[Place, ...], tuple[Place, ...]]:
        """Return the cells to fill or turn, and the cells to empty, to put the board right."""
        reader = self._live.reader
        return mismatch(reader.shown[0], reader.levels)

    def plan(self) -> tuple[Movement, ...]:
        """Return the fewest hand movements that put the board right, in their order."""
        reader = self._live.reader
        return self._repair.plan(reader.shown[0], reader.levels, self._sensors.masked)

    @property
    def may_confirm(self) -> bool:
        """Whether people may say that the board is right although sensors disagree: no piece must
        be moved, and only a few must be added or removed. Play then goes on without those sensors.
        """
        if not (self.guiding or self.settling):
            return False
        plan = self.plan()
        return 0 < len(plan) <= MOST_STUCK and not any(each.start and each.end for each in plan)

    def only_repairs(self, verdict: Verdict) -> bool:
        """Whether hands that put the board right, not a move, are the reason for a verdict: it has
        several plies, or leaves more unexplained than a takeback, or needs a piece that has not
        moved since a takeback by button.
        """
        retargeted = self._repair.retargeted
        if not (self._follows or retargeted) or not isinstance(verdict, Settled | Ambiguous):
            return False
        made = [self._added_plies(history) for history in verdict.lines]
        back = all(history.match.plies < self._live.match.plies for history in verdict.lines)
        back = back or (isinstance(verdict, Settled) and bool(verdict.back))
        odd = verdict.doubt.serious and not back
        came = {place for plies in made for ply in plies for place, _ in ply.arrivals}
        stood = not (self._live.reader.put_since and came <= self._repair.touched_places)
        return any(len(plies) > 1 for plies in made) or odd or (retargeted and stood)

    @property
    def is_start_set_up(self) -> bool:
        """Whether hands that are only guided have set up the start of a new match instead."""
        history, levels = self._live.reader.shown[0], self._live.reader.levels
        if history.match.plies < FAR_PLIES:
            return False
        return start_set_up_after(history, levels, self._repair.touched_places)

    def _added_plies(self, history: History) -> list[Footprint]:
        """Return the plies that hands have made in a history after the end of the match."""
        plies = self._live.match.plies
        more = takewhile(lambda step: step.match.plies > plies, history.latest())
        return [step.footprint for step in more if step.footprint is not None]

    # ---- what is wanted

    def begin_setup(self) -> None:
        """Begin to have hands set up the position shown."""
        self.settling = True
        self._clear()

    def retarget(self) -> None:
        """Note where pieces stand, because the position shown is about to change."""
        self.refusal = None
        reader = self._live.reader
        self._repair.retarget(reader.shown, reader.levels)

    def guide_back(self) -> None:
        """Guide hands to the position shown after a takeback by button."""
        self.guiding = bool(self.plan())

    # ---- what hands do

    def touched(self, place: Place, reading: Reading) -> None:
        """Note that a place has come to rest."""
        self._follows = self.guiding
        self._repair.touched(place, reading)

    def follow(self) -> None:
        """End the guidance when hands have put the board right."""
        if self.guiding and not self.plan() and not self.settling:
            reader = self._live.reader
            one = len(self._repair.touched_places & self._live.sight.cells) == 1
            if reader.likeliest[0] in reader.shown and (self._repair.retargeted or not one):
                # The edges have no other meaning; a single piece may still go back.
                reader.restart(reader.shown)
            self.matched()

    def is_set_up(self) -> bool:
        """Guide hands until the board is set up; return whether moves may be read. Hands that are
        only guided must also put right what no sensor sees.
        """
        if self.plan() if self.only_guides else any(self.mismatch()):
            at = self._outbox.now + (GUIDE_S if self.guiding else 0.0)
            self._settle.alarms.setdefault("guide", at)
            self._settle.verdict = Astray()
            return False
        self.end_setup()
        self._live.reader.restart(self._live.reader.shown)
        return True

    def end_setup(self) -> None:
        """Note that the board is set up, or that people say so."""
        self.settling = False
        self._settle.alarms.pop("guide", None)
        self._repair.matched(self._live.reader.shown[0])
        self._clear()

    def matched(self) -> None:
        """Note that the readings fit the position shown. Pieces that sensors cannot distinguish, or
        in a wrong tray, may still have to move.
        """
        self.refusal = None
        still = isinstance(self._settle.verdict, Still)
        if not (still and (self.guiding or self._repair.retargeted) and self.plan()):
            self._repair.matched(self._live.reader.shown[0])
            self._clear()

    def _clear(self) -> None:
        """Withdraw the guidance and the refusal."""
        self.refusal = None
        self.guiding = self._follows = False
        self._refused = self._announced = None

    # ---- what is announced

    def refuse(self) -> None:
        """Say why no move fits what the hand did, unless that was said or is unknown."""
        live, match = self._live, self._live.match
        attempt = live.reader.attempt()
        if attempt == self._refused or not (attempt.placed or attempt.swapped):
            return
        if self._follows or self._repair.retargeted:
            return  # the hand puts the board right, or has not followed a takeback yet
        self._refused = attempt
        if live.outcome is None:
            self.refusal = why = match.game.why_not(match.position, attempt)
            if why is not None:
                places = list(why.places)
                self._outbox.add("refused", reason=why.code, places=places, seat=match.turn)

    def guide(self) -> None:
        """Say how to put the board right, unless it is right or that was said."""
        plan = self.plan()
        self.guiding = bool(plan)
        put, take = map(list, self.mismatch())
        how = {"put": put, "take": take, "move": [[e.start, e.end] for e in plan if e.carries]}
        if plan and how != self._announced:
            self._announced = how
            self._outbox.add("astray", **how)
