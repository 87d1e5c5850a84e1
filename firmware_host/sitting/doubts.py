"""Doubts: which sensors are believed no more, and which are believed again.

What is read may be odd because a sensor sticks, and people may say otherwise. It is found out here
which sensor would explain that, and what follows for what is believed; what is shown or asked then
is not decided here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable, Sequence
from collections.abc import Set as AbstractSet

from engine.game import Place
from engine.reading.lines import Line
from engine.reading.verdict import Ambiguous, Settled, Verdict
from firmware_host.sitting.diagnosis import Diagnosis, Suspicion
from firmware_host.sitting.match_in_play import MatchInPlay
from firmware_host.sitting.notes import Notes
from firmware_host.sitting.putting_right import PuttingRight
from firmware_host.sitting.sensor_health import SensorHealth


class Doubts:
    """Decides which sensors are believed while a match is in play, and tells which are not.

    Whenever others are believed than before, `reread` is to read anew what hands did after a line,
    or since all men stood right last.
    """

    def __init__(
        self,
        play: MatchInPlay,
        sensors: SensorHealth,
        putting_right: PuttingRight,
        notes: Notes,
        reread: Callable[[Line | None], None],
    ) -> None:
        self._play = play
        self._sensors = sensors
        self._putting_right = putting_right
        self._notes = notes
        self._reread = reread
        self._diagnosis = Diagnosis()
        # How the match went if it is so, for each sensor of which nobody is told while it is asked.
        self._went: dict[Place, list[list[str]]] = {}
        self._known = 0  # so many plies were read before people were asked that first

    # ---- what sensors read

    def note(self, place: Place) -> None:
        """Note that a place has come to rest."""
        self._diagnosis.note(self._notes.now, place)

    def trust_what_moves(self) -> None:
        """Believe again what has moved since people were asked whether it sticks: it does not."""
        sensors, reader = self._sensors, self._play.reader
        moved = {each for each in sensors.untold if sensors.has_moved(each, reader.changed)}
        if moved:  # what was played may be nothing of what people are asked about
            self._clear(moved, reader.shown[0].up_to(self._known))

    def heed_answers(self) -> None:
        """Believe again what does not stick by what people have answered, or play has told."""
        shown = [line.match.moves() for line in self._play.reader.shown]
        self._clear(
            {
                place
                for place in self._sensors.untold
                if not any(_is_same(mine, each) for mine in self._went[place] for each in shown)
            }
        )

    def _clear(self, places: AbstractSet[Place], after: Line | None = None) -> None:
        if places:
            self._sensors.clear(frozenset(places))
            self._reread(after)

    def matched(self) -> None:
        """Note that all men stand where they belong: what was found until now proved true."""
        self._diagnosis.mark(max(line.match.plies for line in self._play.reader.shown))
        self._sensors.unproven = frozenset()

    def fail(self, places: Iterable[Place], how: str) -> None:
        """Believe these sensors no more; `how` they fail is said."""
        if fresh := self._sensors.fail(places, self._notes.now):
            self._tell(fresh, how)
            self._reread(None)

    def believe_again(self, flickering: Collection[Place]) -> None:
        """Believe a failing sensor that has changed and agrees with the rules again, now that all
        men stand where they belong, unless it is `flickering`: what it has read until now is not to
        be believed.
        """
        reader, sensors = self._play.reader, self._sensors
        expected = [line.expected for line in reader.shown]
        well = not self._play.questions.open and sensors.answered(reader.levels, expected)
        if sensors.failing and sensors.recover(reader.levels, expected, reader.changed, flickering):
            well = True
        if well:
            self._reread(None)
        if not self._play.questions.open and (stuck := self._sensors.untold):
            self._sensors.untold = frozenset()
            self._tell(stuck, "is stuck")

    # ---- sensors that would explain what is odd

    def suspicions(self, told: Verdict) -> Generator[None, None, list[Suspicion]]:
        """Look for a sensor that sticks, which makes more sense than what is `told`."""
        reader, right = self._play.reader, self._putting_right
        if not reader.put_since or right.settling or right.followed:
            return []
        instead = self._sensors.unproven
        return (yield from self._diagnosis.suspicions(reader, self._notes.now, told, instead))

    def weigh(
        self, found: Sequence[Suspicion], told: Verdict
    ) -> tuple[bool, Sequence[Line] | None]:
        """Believe a sensor no more if it surely sticks; return whether there is one that may, and
        makes another play of what happened than what is `told`. And the lines that people are to be
        asked about, if only they can tell which it is: until then none of these is believed.
        """
        if isinstance(told, Settled | Ambiguous) and (asked := self._diagnosis.rivals(found, told)):
            self.ask_instead_of(told, asked)
            return True, [*told.lines, *(line for each in asked for line in each.lines)]
        self._sensors.trust_what_moves(self._play.reader.changed)
        sure = isinstance(told, Settled | Ambiguous) and told.sure
        proven = isinstance(told, Settled) and told.doubt.proven and not told.doubt.guessed
        if not (found or sure or proven) and self._sensors.doubted:
            return True, None  # they are still, for the board has made no sense since
        is_read = isinstance(told, Settled | Ambiguous)
        # Hands are clumsy more often than sensors stick.
        places = frozenset() if is_read else self._diagnosis.convicted(found)
        self._sensors.doubt(frozenset(p.place for p in found if not places), self._notes.now)
        suspected = not all(each.agrees for each in found)
        if len(places) > 1:
            self._sensors.asked = places - self._sensors.failing
            self._convict(places, "may be stuck")
            return suspected, [line for each in found for line in each.lines]
        if places:
            self._convict(places, "is stuck")
        return suspected, None

    def ask_instead_of(self, told: Settled | Ambiguous, found: Iterable[Suspicion]) -> None:
        """Believe none of the sensors that were found while people are asked which way the match
        went. Nobody is told that they fail, for what is `told` with all sensors is as likely.
        """
        sensors, usual = self._sensors, [line.match.moves() for line in told.lines]
        if not sensors.untold:
            self._known = min(head.match.plies for head in self._play.reader.heads)
        known = sensors.failing - sensors.untold
        went = {place: self._went[place] for place in sensors.untold}
        for each in found:
            moves = [line.match.moves() for line in each.lines]
            went[each.place] = [*went.get(each.place, []), *(m for m in moves if m not in usual)]
        places = frozenset(each.place for each in found)
        sensors.asked = (sensors.asked & sensors.untold) | (places - known)
        self._convict(places, None)
        sensors.untold |= places - known
        self._went = went

    def _convict(
        self, places: AbstractSet[Place], how: str | None, after: Line | None = None
    ) -> None:
        """Believe these sensors no more instead of those before; `how` they fail is said, if it is
        to be told.
        """
        before = self._sensors.masked
        fresh = self._sensors.convict(frozenset(places), self._notes.now)
        if how is not None:
            self._tell(fresh | (self._sensors.untold & places), how)
            self._sensors.untold -= places
        self._sensors.untold &= self._sensors.failing
        if self._sensors.masked != before:
            self._reread(after)

    def _tell(self, places: Iterable[Place], how: str) -> None:
        for place in sorted(places):
            self._notes.tell("fault", fault=f"{place}: the sensor {how}; playing on without it")


def _is_same(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two ways in which a match may have gone are the same as far as both go."""
    return all(mine == its for mine, its in zip(one, other, strict=False))
