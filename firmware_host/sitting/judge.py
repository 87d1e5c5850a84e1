"""A judge of verdicts: what is shown of what is read, what is asked, and what is held back.

The reader says how well its lines explain the sensors, and doubts say which sensor may fail without
which something else was played. What people see of that is decided here; when, is not.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Final

from engine.game import Place
from engine.reading.lines import Line
from engine.reading.observations import BURST
from engine.reading.verdict import Ambiguous, Settled, Verdict
from firmware_host.sitting.diagnosis import FEW, MANY, Suspicion
from firmware_host.sitting.doubts import Doubts
from firmware_host.sitting.match_in_play import MatchInPlay, News
from firmware_host.sitting.notes import Notes
from firmware_host.sitting.patience import HELD, Waiting
from firmware_host.sitting.putting_right import PuttingRight
from firmware_host.sitting.sensor_health import SensorHealth

UNTOLD: Final = 6.0
"""Seconds after which it is asked what the next move would have told, which has not come."""


class Judge:
    """Decides what is shown of a verdict, and tells it. Its time is that of `notes`.

    Whenever something else is shown than before, `look` is to ask the reader anew.
    """

    def __init__(
        self,
        play: MatchInPlay,
        sensors: SensorHealth,
        doubts: Doubts,
        putting_right: PuttingRight,
        waiting: Waiting,
        notes: Notes,
        look: Callable[[], None],
    ) -> None:
        self.read_at = -1e9
        """When the record last changed."""
        self._play = play
        self._sensors = sensors
        self._doubts = doubts
        self._putting_right = putting_right
        self._waiting = waiting
        self._notes = notes
        self._look = look
        self._told = play.record
        self._held_back: Settled | Ambiguous | None = None  # what was not shown, for it is odd

    def begin(self) -> None:
        """Take the record as it is now: another match is in play."""
        self._told = self._play.record
        self._play.questions.light(self._notes.now)

    # ---- what is shown

    def show(self, verdict: Settled | Ambiguous, ask: bool = False) -> None:
        """Show a verdict; `ask` at once if there is more than one way to take it."""
        self.tell(self._play.show(verdict, self._waiting.since, ask))
        if verdict.strays:
            self._doubts.fail(verdict.strays, "is stuck")
        self._putting_right.mended(self._notes.now)
        if isinstance(verdict, Settled) and not verdict.back:
            self._notes.tell_all(self._play.ask_of_old_position())
        self._look()

    def tell(self, news: News) -> None:
        """Note what is told of the match; what is left to the next moves is asked some day."""
        self._notes.tell_all(news)
        self._play.questions.light(self._notes.now)
        self._waiting.unset("ask")
        if self._play.untold:
            self._waiting.set("ask", self._notes.now + UNTOLD)
        if self._play.record != self._told:
            self._told = self._play.record
            self.read_at = self._notes.now
        self._doubts.heed_answers()

    def ask_which(self, lines: Sequence[Line]) -> None:
        """Ask which way the match went; which of the sensors sticks is told by that."""
        self._waiting.pending = None
        seen = list(map(self._seen_of, lines))
        held = {tray for line in lines if line not in seen for tray in _from_tray(line)}
        changed = self._play.reader.changed
        since = min((changed(tray) - BURST for tray in held), default=None)
        self.tell(self._play.show_all((line.match for line in seen), since))
        self._look()

    def _seen_of(self, line: Line) -> Line:
        """Return a line, but for a man at its end that was taken from a tray and put where no
        sensor is believed: it is rather still in the hand, if something was played before.
        """
        head = line.head()
        return head if _from_tray(line) and head not in self._play.reader.shown else line

    # ---- what is decided

    def decide(
        self, verdict: Verdict, found: Sequence[Suspicion] | None
    ) -> Generator[None, None, bool]:
        """Show what is read or ask about it, unless that is too odd, or a sensor may fail without
        which it is another: that was looked for and `found`, unless nothing in it is doubtful.
        Return whether it is so.
        """
        if isinstance(verdict, Settled | Ambiguous):
            yield from self._play.foresee(verdict)
        self._waiting.pending = None
        reader = self._play.reader
        shown = reader.shown
        suspected = found is not None and self._suspect(found, verdict)
        if not isinstance(verdict, Settled | Ambiguous):
            return False
        doubt = verdict.doubt
        if self._sensors.doubted and not (doubt.questionable or doubt.guessed):
            suspected = False  # none surely sticks, and little is unexplained if none does
        if suspected and (back := reader.set_back()) is not None:
            self.show(back)
            return True
        if suspected and reader.shown is shown and self._ask_instead(verdict, found or ()):
            return True
        if suspected or (self._sensors.masked and doubt.odd):  # it may be due to what is not seen
            self._held_back = verdict
            self._waiting.set("held", self._notes.now + HELD)
            return False
        if isinstance(verdict, Ambiguous) and verdict.strays:
            return False  # too much is open at once
        if not self._answers_itself(verdict):
            self.show(verdict)
        return True

    def suspicions(
        self, verdict: Verdict, sure: bool = True
    ) -> Generator[None, None, list[Suspicion] | None]:
        """Look for sensors that may fail without which a verdict is another; None if nothing in it
        is doubtful, and it is `sure` otherwise as well.
        """
        if sure and not self._is_doubtful(verdict):
            return None
        return (yield from self._doubts.suspicions(verdict))

    def _is_doubtful(self, verdict: Verdict) -> bool:
        """Whether moves are read that leave much unexplained; men that went back prove more."""
        return (
            isinstance(verdict, Settled | Ambiguous)
            and (verdict.doubt.questionable or not verdict.sure)
            and not (isinstance(verdict, Settled) and verdict.back)
            and not all(line in self._play.reader.heads for line in verdict.lines)
        )

    def _suspect(self, found: Sequence[Suspicion], told: Verdict) -> bool:
        """Whether a sensor may stick without which another play is made of what happened than what
        is `told`; people are asked, if only they can tell.
        """
        suspected, lines = self._doubts.weigh(found, told)
        if lines is not None:
            self.ask_which(lines)
        return suspected

    def _ask_instead(self, verdict: Settled | Ambiguous, found: Sequence[Suspicion]) -> bool:
        """Ask about moves that one of many sensors may explain as well, should it fail: people know
        which it was, or name another. Return whether it is asked.
        """
        if verdict.doubt.odd:
            return False
        others = [line for each in found if not each.agrees for line in each.lines]
        rivals = [each for each in found if each.lines]
        borne_out = verdict.doubt.guessed and verdict.doubt.proven  # by play that went on
        most = FEW if verdict.doubt.guessed else MANY
        if others and len({each.place for each in rivals}) <= most and not borne_out:
            self._doubts.ask_instead_of(verdict, rivals)
            self.ask_which([*verdict.lines, *others])
            return True
        if isinstance(verdict, Settled):
            if self._sensors.masked and not (verdict.doubt.guessed or verdict.replaces):
                return False
            verdict = Ambiguous((*self._play.reader.shown, *verdict.lines), late=False)
        self.show(verdict, ask=True)
        return True

    def _answers_itself(self, verdict: Settled | Ambiguous) -> bool:
        """Whether a verdict decides what people are asked, though hands have put nothing down since
        that would tell.
        """
        reader = self._play.reader
        return (
            bool(self._play.questions.open)
            and not reader.put_since
            and len(verdict.lines) < len(reader.shown)
            and all(line in reader.shown for line in verdict.lines)
        )

    # ---- what was held back

    def forget(self) -> None:
        """Forget what was held back: something else is read."""
        self._held_back = None

    def ask_held_back(self) -> bool:
        """Ask whether that was played which was held back, for it still explains everything; return
        whether anything was.
        """
        odd, self._held_back = self._held_back, None
        if odd is not None and not (self._sensors.masked or odd.strays):
            lines = dict.fromkeys((*self._play.reader.shown, *odd.lines))
            self.show(Ambiguous(tuple(lines), late=False), ask=True)
        return odd is not None


def _from_tray(line: Line) -> frozenset[Place]:
    """Return the trays that alone show the last ply of a line; none if cells show it, too."""
    trays = [ply.trays for ply in line.last_ply() if not ply.cells]
    return frozenset().union(*trays)
