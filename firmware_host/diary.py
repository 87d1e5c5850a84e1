"""The diary: how every sensor has stood since the board last matched, and which play explains it.

While all sensors are believed, their edges tell enough. Where some are not, moves that nobody made
may leave the same levels. So a line of play must then explain everything that has stood on the
board since all men last stood where they should: what it moves was seen to change, and where it
has no man, none stood.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine.footprints import Footprint, Line, Reading
from engine.game import Place

STOOD = 1.0
"""Seconds after which a man stands where he is, and is not on his way."""
LAY = 0.2
"""… and lies in a tray, or is gone from it."""
MOVED = 3
"""So often a place may have changed before its sensor stuck."""
APART = 0.8
"""Seconds by which a sensor that fails by itself is apart from what hands do."""
EARLY = 1.5
"""Seconds before the other player has let go that a man may be lifted."""
OVERLAP = 0.5
"""Seconds by which hands of two players overlap."""
PARKED = 1.5
"""Seconds in which a captured man is put down somewhere."""
CHANGES = 400
"""So many changes are remembered; hands that dither longer must put the board right."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The board matched, and all men stood still."""

    at: float
    lines: tuple[Line, ...]
    readings: Mapping[Place, Reading]
    """What the sensors read, those that are not believed included."""


class Diary:
    """Remembers what came to rest since the board matched, up to a limit."""

    def __init__(self) -> None:
        self._moment: Moment | None = None
        self._changes: dict[Place, list[tuple[float, Reading]]] = {}
        self._left = CHANGES

    def mark(self, at: float, lines: Iterable[Line], readings: Mapping[Place, Reading]) -> None:
        """Note that the board matches `lines`; what came before is forgotten. It does not match if
        a man was taken from a tray, or put there, that is none of theirs.
        """
        if self._moment is not None and self._left > 0:
            lines = [line for line in lines if self._trays_match(line, at)]
            if not lines:
                return
        self._moment = Moment(at, tuple(lines), dict(readings))
        self._changes = {}
        self._left = CHANGES

    def note(self, at: float, place: Place, reading: Reading) -> None:
        """Note that a place has come to rest."""
        if self._left > 0:
            self._left -= 1
            self._changes.setdefault(place, []).append((at, reading))

    def may_stick(self, place: Place) -> bool:
        """Whether the sensor of a place may have got stuck since the board matched: it has hardly
        changed, and no hand was seen to put anything there.
        """
        assert self._moment is not None
        changes = self._changes.get(place, ())
        now = changes[-1][1] if changes else 0
        known = now in (0, self._moment.readings.get(place, 0))
        return len(changes) <= MOVED and (known or self.stands_apart(place))

    def stands_apart(self, place: Place) -> bool:
        """Whether a place has changed at most once since the board matched, and nothing else has
        changed at that time: no hand did it.
        """
        changes = self._changes.get(place, ())
        return not changes or (
            len(changes) == 1
            and not any(
                abs(at - changes[0][0]) < APART
                for other, each in self._changes.items()
                for at, _ in each
                if other != place
            )
        )

    def explained(self, line: Line, now: float, but: frozenset[Place] = frozenset()) -> bool:
        """Whether `line` explains all that believed sensors, `but` for those of some places, have
        seen since the board matched; True before it ever did.
        """
        if self._moment is None:
            return True
        if self._left <= 0:
            return False
        states, gone, new = self._states(line)
        needed = [states[0], *(step.expected for step in new)] if new else [states[0], states[-1]]
        masked = line.masked | but
        return (
            (bool(new) or self._undone_were_seen(gone, masked))
            and self._in_order(new)
            and self._changes_were_seen(needed, line.sight.cells - masked)
            and self._men_belong(states, new, line.sight.cells - masked, now)
            and self._taken(needed, line.sight.trays - masked)
            and self._trays_follow(states, line.sight.trays - masked, self._using(line), now)
        )

    def _states(self, line: Line) -> tuple[list[Mapping[Place, Reading]], list[Line], list[Line]]:
        """Return what the sensors should have read one after the other since the moment if `line`
        was played, which plies it takes back and which are new.
        """
        assert self._moment is not None
        steps = line.steps()
        old: list[Line] = []
        known = -1
        for base in self._moment.lines:  # the one that has most in common with it
            if (common := _common(base.steps(), steps)) > known:
                known, old = common, base.steps()
        gone, new = old[known:], steps[known:]
        states: list[Mapping[Place, Reading]] = [self._moment.lines[0].expected]
        states += [step.before.expected for step in reversed(gone) if step.before is not None]
        states += [step.expected for step in new]
        return states, gone, new

    def _undone_were_seen(self, gone: Sequence[Line], masked: frozenset[Place]) -> bool:
        """Whether something was seen of every ply that was taken back."""
        for step in gone:
            if step.footprint is None or step.before is None:
                continue
            places = [
                place
                for place in step.footprint.after
                if place not in masked
                and step.expected.get(place, 0) != step.before.expected.get(place, 0)
            ]
            if not any(place in self._changes for place in places):
                return False
        return True

    def _in_order(self, new: Sequence[Line]) -> bool:
        """Whether the men of each ply came no sooner than hands overlap, and none that nobody saw
        arrive was lifted long before the ply before it.
        """
        before = 0.0
        for step in new:
            ply = step.footprint
            if ply is None:
                continue
            if came := self._came(ply):
                if max(came) < before - OVERLAP:
                    return False
                before = max(before, min(came))
            elif ply.unseen:
                lifts = [self._changes.get(place, ()) for place in ply.leaves]
                gone = [at for each in lifts for at, put in each if not put]
                if gone and max(gone) < before - EARLY:
                    return False
        return True

    def _came(self, ply: Footprint) -> list[float]:
        """Return when men came to the places where a ply brings them."""
        return [
            at
            for place, _ in ply.arrivals
            for at, reading in self._changes.get(place, ())
            if reading
        ]

    def _changes_were_seen(
        self, states: Sequence[Mapping[Place, Reading]], cells: frozenset[Place]
    ) -> bool:
        """Whether each cell that is to read otherwise, in this order, did."""
        changed: set[Place] = set()
        for before, after in pairwise(states):
            changed |= {
                place
                for place in before.keys() | after.keys()
                if before.get(place, 0) != after.get(place, 0)
            }
        for place in changed & cells:
            wanted = _without_repeats(state.get(place, 0) for state in states)
            if not _within(wanted, [reading for _, reading in self._seen(place)]):
                return False
        return True

    def _men_belong(
        self,
        states: Sequence[Mapping[Place, Reading]],
        new: Sequence[Line],
        cells: frozenset[Place],
        now: float,
    ) -> bool:
        """Whether every man that stood for a while is one of the line's, and none that it leaves
        alone was away while another came: but for captured men on their way off the board, and a
        man that stood where he might have been left.
        """
        plies = [(step, step.footprint) for step in new if step.footprint is not None]
        came = [self._came(ply) for _, ply in plies]
        around = {place for _, ply in plies for place in ply.around}
        parked = 0
        for place in self._changes.keys() & cells:
            readings = _without_repeats(state.get(place, 0) for state in states)
            stood = self._stood(place, now)
            if not _within([reading for _, _, reading in stood if reading], readings):
                for begun, end, reading in stood:
                    if not reading or reading in readings:
                        continue
                    others = sum(any(begun < at < end for at in each) for each in came)
                    if others == 0 and self._might_have_stayed(place, plies):
                        continue
                    parked += 1
                    if others > 1 or not self._was_captured(begun, plies):
                        return False
            elif (
                len(readings) == 1
                and readings[0]
                and place not in around
                and any(
                    not reading and any(begun < at < end for each in came for at in each)
                    for begun, end, reading in stood
                )
            ):
                return False
        return parked <= sum(_captures(step, ply) for step, ply in plies)

    def _might_have_stayed(self, place: Place, plies: Iterable[tuple[Line, Footprint]]) -> bool:
        """Whether one of the men that `plies` move might have been left on a place."""
        for step, ply in plies:
            if step.before is not None and ply.leaves:
                for other in step.before.touching({place, *ply.leaves}):
                    if set(other.leaves) == set(ply.leaves) and any(
                        place == arrival for arrival, _ in other.arrivals
                    ):
                        return True
        return False

    def _was_captured(self, at: float, plies: Iterable[tuple[Line, Footprint]]) -> bool:
        """Whether a man that `plies` capture had just been lifted when one was put down."""
        return any(
            at - PARKED < lifted <= at
            for step, ply in plies
            if _captures(step, ply)
            for place, _ in ply.arrivals
            for lifted, reading in self._changes.get(place, ())
            if not reading
        )

    def _trays_follow(
        self,
        states: Sequence[Mapping[Place, Reading]],
        trays: frozenset[Place],
        using: Callable[[Place], bool],
        now: float,
    ) -> bool:
        """Whether every tray went the way that the states say: it may lag behind them, and one
        that the next player is `using` may be one man ahead.
        """
        assert self._moment is not None
        for tray in trays:
            if tray not in self._changes and len({state.get(tray, 0) for state in states}) == 1:
                continue
            way = [states[0].get(tray, 0)]
            for state in states[1:]:
                while way[-1] != (goal := state.get(tray, 0)):
                    way.append(way[-1] + (1 if goal > way[-1] else -1))
            begun = self._moment.readings.get(tray, 0)
            stood = [reading for _, _, reading in self._stood(tray, now, LAY)] or [begun]
            off = begun - way[0]
            if not any(
                _within(some, ways)
                for ways in ([begun, *way], [each + off for each in way])
                for some in ([stood, stood[:-1]] if using(tray) else [stood])
            ):
                return False
        return True

    def _taken(self, states: Sequence[Mapping[Place, Reading]], trays: frozenset[Place]) -> bool:
        """Whether every man that comes from a tray was seen to be taken from it."""
        return all(
            _falls([state.get(tray, 0) for state in states])
            <= _falls([reading for _, reading in self._seen(tray)])
            for tray in trays
        )

    def _using(self, line: Line) -> Callable[[Place], bool]:
        """Return whether the next player may have begun with a tray that changed when it did."""
        plies = line.last_ply()
        came = max((at for ply in plies for at in self._came(ply)), default=0.0)

        def begun(tray: Place) -> bool:
            changes = self._changes.get(tray, ())
            late = not changes or changes[-1][0] > came - OVERLAP
            return late and any(True for _ in line.using(tray))

        return begun

    def _trays_match(self, line: Line, now: float) -> bool:
        """Whether no tray shows more than `line` says."""
        states, _, _ = self._states(line)
        return self._trays_follow(states, line.sight.trays - line.masked, lambda _: False, now)

    def _seen(self, place: Place) -> list[tuple[float, Reading]]:
        """Return what a place has read since the moment, each with the time from which on."""
        assert self._moment is not None
        first = (self._moment.at, self._moment.readings.get(place, 0))
        return [first, *self._changes.get(place, ())]

    def _stood(
        self, place: Place, now: float, least: float = STOOD
    ) -> list[tuple[float, float, Reading]]:
        """Return from when to when a place read what, for at least so many seconds each."""
        seen = self._seen(place)
        ends = [at for at, _ in seen[1:]] + [now]
        return [
            (at, end, reading)
            for (at, reading), end in zip(seen, ends, strict=True)
            if end - at >= least
        ]


def _common(one: Sequence[Line], other: Sequence[Line]) -> int:
    """Return how many moves both have in common at the beginning."""
    number = 0
    for mine, its in zip(one, other, strict=False):
        if mine.match.move != its.match.move:
            break
        number += 1
    return number


def _captures(step: Line, ply: Footprint) -> bool:
    """Whether a ply brings a man where another stands."""
    return step.before is not None and any(
        step.before.expected.get(place, 0) for place, _ in ply.arrivals
    )


def _without_repeats(readings: Iterable[Reading]) -> list[Reading]:
    kept: list[Reading] = []
    for reading in readings:
        if not kept or kept[-1] != reading:
            kept.append(reading)
    return kept


def _falls(readings: Sequence[Reading]) -> int:
    """Return how often a reading is less than the one before it."""
    return sum(after < before for before, after in pairwise(readings))


def _within(some: Sequence[Reading], all_of: Sequence[Reading]) -> bool:
    """Whether `some` come in `all_of`, in this order; the same one may serve several times."""
    rest = iter(all_of)
    now = next(rest, None)
    for each in some:
        while now != each:
            now = next(rest, None)
            if now is None:
                return False
    return True
