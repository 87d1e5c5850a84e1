"""Putting right: what stands wrong on the board, and how people are told to mend it.

A board is set up before a match; after a takeback by button, a new match or a mistake it must come
to hold again what is shown. Only what the sensors see counts, and places under suspicion.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import Any, Final

from engine.game import Attempt, Place, Reason
from engine.reading.footprints import Reading
from engine.reading.lines import Line
from engine.reading.mend import Movement
from engine.reading.standing import may_be_parked, mismatch
from engine.reading.verdict import Ambiguous, Astray, Settled, Still, Verdict
from firmware_host.sitting.failing_sensors import FailingSensors
from firmware_host.sitting.guidance import Guidance
from firmware_host.sitting.match_in_play import MatchInPlay
from firmware_host.sitting.patience import GUIDED, IN_TRAY, Waiting

FEW: Final = 4
"""So many sensors at most are taken to read wrong if people say that all stands as it should."""


class PuttingRight:
    """Compares the board with the match in play, and guides hands until they agree.

    It sets the alarms `guide` and `refuse` of what is `waiting`.
    """

    def __init__(self, play: MatchInPlay, sensors: FailingSensors, waiting: Waiting) -> None:
        self.settling = True
        """The board is being set up: nothing is read until it matches."""
        self.guiding = False
        """The board does not match, and has not for a while: people are told how to mend it."""
        self.refusal: Reason | None = None
        """Why the rules do not allow what a hand did."""
        self._play = play
        self._sensors = sensors
        self._waiting = waiting
        self._guidance = Guidance(play.sight)
        self._refused: Attempt | None = None  # what a refusal was looked for last
        self._told: object = None  # what was told last

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

    @property
    def followed(self) -> bool:
        """Whether hands have done something of what was planned, and nothing else."""
        return self._guidance.followed

    def _amiss(self) -> bool:
        """Whether men stand wrong, as the sensors see it or as is certain without them."""
        return any(self.mismatch()) or self._amiss_though_all_match()

    def _amiss_though_all_match(self) -> bool:
        """Whether men are known to stand wrong that the sensors cannot tell apart, or lie in wrong
        trays.
        """
        return (self._guidance.anew or self._lie_wrong()) and bool(self.plan())

    def _lie_wrong(self) -> bool:
        """Whether a tray reads more than it should, and another less."""
        line, levels = self._play.reader.shown[0], self._play.reader.levels
        pockets = line.sight.pockets
        off = [
            levels.get(tray, 0) - min(line.expected.get(tray, 0), pockets[tray])
            for tray in line.trays
        ]
        return bool(off) and min(off) < 0 < max(off)

    def only_mends(self, verdict: Verdict) -> bool:
        """Whether hands have only put men right since they were told how: then what they have
        done so far is not several plies, and shows no sensor that fails. It may be a takeback, for
        those who go slowly are told how to put right what they have begun. After a takeback by
        button it is no move at all: it is known which men are carried.
        """
        if self._guidance.awaited and isinstance(verdict, Settled | Ambiguous):
            return True  # what stands there is what was taken back
        if not isinstance(verdict, Settled | Ambiguous) or not self.followed:
            return False
        back = isinstance(verdict, Settled) and bool(verdict.back)
        back = back or all(line.match.plies < self._play.match.plies for line in verdict.lines)
        many = any(self._made(line) > 1 for line in verdict.lines)
        odd = verdict.doubt.serious and not back
        return many or odd or bool(verdict.strays) or self._guidance.anew

    def _made(self, line: Line) -> int:
        """Return how many plies of a line are more than the match has, and were made by hand."""
        more = takewhile(lambda step: step.match.plies > self._play.match.plies, line.latest())
        return sum(step.footprint is not None for step in more)

    # ---- what is wanted

    def begin(self) -> None:
        """Take what the board reads first: it matches, or is to be set up."""
        if not any(self.mismatch()):
            self.settled_in()

    def begin_anew(self, now: float) -> None:
        """Have the board set up for another match."""
        self.settling = True
        self._hush(now)

    def retarget(self) -> None:
        """Note what stands where, for something else will be wanted there."""
        self.refusal = None
        reader = self._play.reader
        self._guidance.retarget(reader.shown, reader.levels)

    def lead_back(self) -> None:
        """Guide hands to what is shown since men were taken back by button."""
        self.guiding = self._amiss()

    # ---- what hands do

    def touched(self, place: Place, reading: Reading) -> None:
        """Note that a place has come to rest."""
        self._guidance.touched(place, reading)

    def follow(self, now: float) -> None:
        """Keep in step with hands that put the board right."""
        if not self.guiding:
            return
        self.plan()
        if not self._amiss() and not self.settling:
            reader = self._play.reader
            is_likeliest = reader.likeliest[0] in reader.shown
            if self.followed and is_likeliest and not self._guidance.is_of_one_man:
                reader.restart(reader.shown)  # what they touched for it means nothing else
            self.mended(now)

    def set_up(self, now: float) -> bool:
        """Guide until the board is set up; return whether hands may be read."""
        if any(self.mismatch()):
            self._waiting.set_if_not("guide", now + (GUIDED if self.guiding else 0.0))
            self._waiting.verdict = Astray()
            return False
        self.settled_in()
        self._play.reader.restart(self._play.reader.shown)
        return True

    def settled_in(self) -> None:
        """The board is set up, or people say so."""
        self.settling = self.guiding = False
        self._guidance.mended(self._play.reader.shown[0])
        self._told = None
        self._waiting.unset("guide")

    def mended(self, now: float) -> None:
        """The board matches what is shown."""
        still = isinstance(self._waiting.verdict, Still)
        if still and self._guidance.anew and self.plan():
            self._waiting.set_if_not("guide", now + GUIDED)
            return  # but for men that the sensors cannot tell apart
        self._guidance.mended(self._play.reader.shown[0])
        guiding = self.guiding
        self._hush(now)
        if still and self._lie_wrong() and self.plan():
            self.guiding = guiding
            self._waiting.set_if_not("guide", now + IN_TRAY)

    def _hush(self, now: float) -> None:
        """Say no more what was wrong."""
        self.refusal = None
        self.guiding = False
        self._refused = self._told = None

    # ---- what people are told

    def refuse(self, now: float) -> dict[str, Any] | None:
        """Return why no move does what the hand did; None if that is known, or unknown."""
        play, waiting = self._play, self._waiting
        attempt = play.reader.attempt()
        if attempt == self._refused or not (attempt.placed or attempt.swapped):
            return None
        if self.followed or self._guidance.anew:
            return None  # the hand does as it is told, or has not put back yet what was taken back
        shown, levels = play.reader.shown[0], play.reader.levels
        if now < waiting.since + GUIDED - 1e-9 and may_be_parked(shown, levels):
            waiting.set("refuse", waiting.since + GUIDED)  # its captor may be lifted next
            return None
        self._refused = attempt
        if play.outcome is not None:
            return None
        match = play.match
        self.refusal = match.game.why_not(match.position, attempt)
        if self.refusal is None:
            return None
        places = list(self.refusal.places)
        return {"reason": self.refusal.code, "places": places, "seat": match.turn}

    def guide(self) -> dict[str, Any] | None:
        """Return how the board is put right; None if it is right, or that has been told."""
        self.guiding = self._amiss()
        if not self.guiding:
            return None
        put, take = self.mismatch()
        move = [[step.start, step.end] for step in self.plan() if step.carries]
        if (put, take, move) == self._told:
            return None
        self._told = (put, take, move)
        return {"put": list(put), "take": list(take), "move": move}

    def starts_again(self, read: Sequence[Line] = ()) -> bool:
        """Whether the start has been set up again after the end of a match, whatever else is
        `read`, or shown; who takes the men off may have taken its last moves back.
        """
        play = self._play
        if not (play.has_ended and (play.match.plies or any(self.mismatch()))):
            return False
        if play.is_played_on(read or play.reader.shown):
            return False
        sight, levels = play.sight, play.reader.levels
        start = sight.readings(sight.game.start())
        stands = all(levels.get(place, 0) == start.get(place, 0) for place in sight.cells)
        return stands and play.may_be_set_up
