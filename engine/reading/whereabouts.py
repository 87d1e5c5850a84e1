"""Whereabouts: which man stands where, followed from lift to put since all men stood still.

A sensor does not tell men apart, but whoever puts down a man has lifted it before. So where only
one man was in the hands, it is that one which was put; of several it may be any, and where nobody
was seen to be lifted, anybody. A line of play says which man stands where, too: where the two
cannot both be true, something else was played.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import TypeAlias

from engine.game import Place
from engine.reading.footprints import Reading
from engine.reading.lines import Line
from engine.reading.observations import Edges

Men: TypeAlias = frozenset[Place] | None
"""Men, by where they stood when all stood still; None: anybody."""

LET_GO = 0.12  # seconds by which a sensor may let go of a man after it has been put elsewhere
LET_GO_LATE = 0.5  # … if no man was in a hand
HELD_AT_MOST = 3.0  # seconds for which a hand holds a man while all others stand still
LINEUPS_KEPT = 256
STEPS_BACK = 12  # steps after which nobody knows any more which man is which
BESIDE: Place = "beside"  # a man from beside the board
ANYBODY: Place = "?"


class Whereabouts:
    """Which men may stand on the places that were touched since all men stood still."""

    def __init__(
        self,
        edges: Edges,
        since: float,
        lines: Sequence[Line],
        all_right: bool,
        may_be_held: frozenset[Place] = frozenset(),
    ) -> None:
        """Follow men from then on, when they stood as one of `lines` has them; if they were not
        `all_right`, somebody held one. Those that `may_be_held` may come down unseen.
        """
        self._lines = lines
        self._known = frozenset(lines)
        self._trays = lines[0].sight.trays if lines else frozenset()
        self._masked = lines[0].masked if lines else frozenset()
        self._reads: dict[Place, Reading] = {}
        self._edges = edges
        self._since = since
        self._stand: dict[Place, Men] = {}
        self._held: list[Men] = [] if all_right else [None]
        self._put: tuple[float, Place] | None = None
        self._unlifted: tuple[float, Place] | None = None  # a man was put that nobody had lifted
        self._exchanged = may_be_held  # who may stand where nothing was seen
        self._trays_hide = any(map(_give_unseen, lines))
        self._from_beside: set[Place] = set()  # where a man from such a tray may have been put
        self._lifted_alone = False  # who is held, and nobody was put since
        self._touched: dict[Place, float] = {}  # when first
        self._given: list[float] = []  # when trays got men
        self._lineups: dict[Line, list[_Lineup]] = {}
        self._last = since
        for at, place in edges.between(since):
            self.add(at, place, edges.value(place, at))

    def is_known(self, line: Line, now: float) -> bool:
        """Whether nobody holds a man any more at the end of a line, but those that were taken where
        no tray tells of them: then all may be followed anew from where they stand.
        """
        if not self._held or self.has_stood(now):
            return True
        lineups = () if line.trays else self._may_stand(line)
        beside = {man for lineup in lineups for man in lineup.beside}
        return all(men is not None and not men.isdisjoint(beside) for men in self._held)

    def let_go(self) -> list[Line]:
        """Forget who stands where by any line; return the lines of which that was remembered."""
        lines, self._lineups = list(self._lineups), {}
        return lines

    @property
    def looked_at(self) -> Iterable[Line]:
        """The lines of which it is remembered who stands where."""
        return self._lineups

    @property
    def held(self) -> frozenset[Place]:
        """The men that may be in a hand, as far as they are known."""
        return frozenset().union(*(men for men in self._held if men is not None))

    def has_stood(self, now: float) -> bool:
        """Whether nothing has changed for longer than a hand holds a man."""
        return now - self._last > HELD_AT_MOST

    def add(self, at: float, place: Place, reading: Reading) -> None:
        """Note a raw edge."""
        if place in self._masked:
            return  # nobody knows who comes and goes there
        self._last = at
        self._touched.setdefault(place, at)
        before = self._reads.get(place)
        if before is None:
            before = self._edges.value(place, self._since)
        self._reads[place] = reading
        if place in self._trays:
            lifted, put = reading < before, reading > before
        else:
            lifted, put = bool(before) and reading != before, bool(reading) and reading != before
        if lifted:
            self._lift(at, place)
        if put:
            self._place(at, place)

    def _lift(self, at: float, place: Place) -> None:
        men = self._stand.get(place, self._exchanged | {place})
        if self._put is not None and at - self._put[0] <= LET_GO and self._put[1] != place:
            # Maybe this man came there, and another that was lifted before is still held.
            _, there = self._put
            men = self._stand[there] = _either(men, self._stand.get(there))
            self._put = None
        elif self._unlifted is not None and self._unlifted[1] != place:
            if at - self._unlifted[0] <= LET_GO_LATE:
                men = None  # maybe it is this man that was put
            self._unlifted = None
        self._lifted_alone = not self._held
        self._held.append(men)

    def _place(self, at: float, place: Place) -> None:
        if place in self._trays:
            self._given.append(at)
        if not self._held:
            if self._put is not None and at - self._put[0] <= LET_GO:
                before = self._stand.get(self._put[1])
                if before is not None and place in before:
                    # He was only touched, and it is another that had just been put.
                    self._stand[self._put[1]] = None
            self._stand[place] = None
            self._put, self._unlifted = None, (at, place)
            return
        men = self._held[0]
        if self._trays_hide and place not in self._trays and men is not None:
            # Or that man is held still, and somebody else has put one from a tray.
            self._from_beside.add(place)
            self._exchanged |= men
        if place in self._trays and self._lifted_alone and men is not None:
            # Or he has taken, between two looks, the one that lies there now: nobody saw where.
            self._exchanged |= men
        for others in self._held[1:]:
            men = _either(men, others)
        men = _either(men, self._masked)
        self._held = [men] * (len(self._held) - 1)
        self._lifted_alone = False
        self._stand[place] = men
        self._put = at, place

    # ---- what lines say

    def misplaced(self, line: Line) -> int:
        """Return how many men cannot stand where a line has them."""
        if not self._stand:
            return 0
        return min(self._misplaced(line, lineup) for lineup in self._may_stand(line))

    def _may_stand(self, line: Line) -> list[_Lineup]:
        """Return which man stands where at the end of a line, in whichever way it came to that."""
        lineups = self._lineups.get(line)
        if lineups is None:
            if len(self._lineups) == LINEUPS_KEPT:
                del self._lineups[next(iter(self._lineups))]  # all of them at once take long
            lineups = self._lineups[line] = [self._lineup(line), *self._taken_back(line)]
        return lineups

    def _misplaced(self, line: Line, lineup: _Lineup) -> int:
        """Return how many men cannot stand where they are lined up at the end of a line."""
        cells, expected, reads = line.sight.cells, line.expected, self._reads
        unseen = [each.men for each in lineup.taken if self._was_unseen(each)]
        count = 0
        for place, men in self._stand.items():
            is_there = reads[place] and place in expected and place in cells
            if men is not None and is_there and place not in line.masked:
                may_be = lineup.on(place)
                men = men.union(*(each for each in unseen if not men.isdisjoint(each)))
                if (
                    may_be is not None
                    and men.isdisjoint(may_be)
                    and not self._came_unseen(line, place)
                    and not (lineup.is_from_beside(place) and self._may_be_from_beside(place, men))
                ):
                    # Who came where nobody saw him seems to be in a hand still, and is not.
                    others = (man for p, man in lineup.men.items() if p not in self._stand)
                    count += men.isdisjoint(man for man in others if man is not None)
        return count

    def _came_unseen(self, line: Line, place: Place) -> bool:
        """Whether the last ply of a line took a man between two looks on a place: who took him
        seems to be in a hand still.
        """
        return any(
            place in ply.swaps
            and all(self._edges.changed(p) > self._edges.changed(place) for p in ply.leaves)
            for ply in line.last_ply()
        )

    def _may_be_from_beside(self, place: Place, men: AbstractSet[Place]) -> bool:
        """Whether a man from beside the board may stand on a place rather than one of some men."""
        return place in self._from_beside or self._reads_otherwise(place, men)

    def _reads_otherwise(self, place: Place, men: AbstractSet[Place]) -> bool:
        """Whether a place reads otherwise than each of some men did: none of them stands there
        unless he was turned over, and who comes from beside the board was not.
        """
        reads = (self._edges.value(man, self._since) for man in men)
        return men.isdisjoint(self._trays) and self._reads[place] not in {0, *reads}

    def _was_unseen(self, taken: _Taken) -> bool:
        """Whether a man that was taken lay in a tray before anybody saw his place touched: he had
        been exchanged for his captor between two looks, and who seemed to be put there was he.
        """
        lift = self._touched.get(taken.start, float("inf"))
        touch = self._touched.get(taken.end, float("inf"))
        return any(lift < given < touch for given in self._given)

    def _taken_back(self, line: Line) -> list[_Lineup]:
        """Return which man stands where at the end of a line, for each line as which all men may
        have stood and that is taken back: it goes on from this one, or has put elsewhere a man that
        this one moved then.
        """
        return [
            _lined_up(undone, ahead)
            for undone, ahead in self._ways_back(line)
            if not ahead or _is_put_elsewhere(undone, ahead)
        ]

    def _lineup(self, line: Line) -> _Lineup:
        """Return which man stands where at the end of a line."""
        ahead: list[Line] = []
        step: Line | None = line
        while step is not None and step not in self._known and len(ahead) < STEPS_BACK:
            ahead.append(step)
            step = step.before
        if step is not None and step in self._known:
            return _lined_up((), ahead)
        for undone, ahead in self._ways_back(line):
            return _lined_up(undone, ahead)
        lineup = _Lineup()
        lineup.men = dict.fromkeys(line.sight.cells)
        return lineup

    def _ways_back(self, line: Line) -> Iterator[tuple[list[Line], list[Line]]]:
        """Yield the steps to be taken back from where all men may have stood, the last first, and
        those that lead from there to a line, the last first.
        """
        ahead: dict[Line, int] = {}
        steps: list[Line] = []
        step: Line | None = line
        while step is not None and len(steps) <= STEPS_BACK:
            ahead[step] = len(steps)
            steps.append(step)
            step = step.before
        for base in self._lines:
            undone: list[Line] = []
            step = base
            while step is not None and len(undone) <= STEPS_BACK:
                if step in ahead:
                    if undone:
                        yield undone, steps[: ahead[step]]
                    break
                undone.append(step)
                step = step.before


@dataclass(frozen=True, slots=True)
class _Taken:
    """A man that was taken by another one."""

    start: Place
    end: Place
    """From where his captor came, and where he stood himself."""
    men: frozenset[Place]
    """The two."""


class _Lineup:
    """Which man stands where at the end of a line, but for those that stand where they stood."""

    def __init__(self) -> None:
        self.men: dict[Place, Place | None] = {}
        """None where that is not known."""
        self.beside: set[Place] = set()
        """The men that were taken, and the trays; maybe `ANYBODY`."""
        self.taken: list[_Taken] = []

    def on(self, place: Place) -> AbstractSet[Place] | None:
        """Return which men a place may hold; None for any."""
        man = self.men.get(place, place)
        if self.is_from_beside(place):
            return None if ANYBODY in self.beside else self.beside
        return None if man is None else {man}

    def is_from_beside(self, place: Place) -> bool:
        """Whether a place holds a man from beside the board."""
        return self.men.get(place) == BESIDE

    def play(self, step: Line) -> None:
        """Play a step."""
        ply, before = step.footprint, step.before
        if ply is None or before is None:
            return
        if ply.train or len(ply.arrivals) > 1 or len(ply.leaves) > 1:
            self.beside.update(self.men.get(p, p) or ANYBODY for p in ply.leaves)
            self.men.update(dict.fromkeys(ply.around))  # nobody knows which is which
            return
        cells = [place for place in ply.after if place in step.sight.cells]  # believed or not
        leaves = [place for place in cells if ply.after[place] is None]
        for end in (place for place in cells if ply.after[place] is not None):
            if end in before.expected:
                self.beside.add(self.men.get(end, end) or ANYBODY)
                self._take(leaves, end)
            if leaves:
                self.men[end] = self.men.get(leaves[0], leaves[0])
            elif end in before.expected:
                self.men[end] = None  # it was changed for another
            else:
                self.men[end] = BESIDE
                self.beside |= step.trays if ply.tray is None else {ply.tray}

    def _take(self, leaves: Sequence[Place], end: Place) -> None:
        """Note who takes whom."""
        men = [self.men.get(place, place) for place in (*leaves, end)]
        known = frozenset(man for man in men if man is not None)
        if leaves and len(known) == 2:
            self.taken.append(_Taken(leaves[0], end, known))

    def take_back(self, step: Line) -> None:
        """Take a step back."""
        ply = step.footprint
        if ply is None:
            return
        if ply.train or len(ply.arrivals) != 1 or len(ply.leaves) > 1:
            self.men.update(dict.fromkeys(ply.around))
            return
        ((end, _),) = ply.arrivals
        man = self.men.get(end, end)
        self.men[end] = None
        if ply.leaves:
            self.men[ply.leaves[0]] = man
        else:
            self.beside.add(man or ANYBODY)


def _lined_up(undone: Iterable[Line], ahead: Sequence[Line]) -> _Lineup:
    """Return which man stands where after some steps are taken back, the last first, and others
    are played, the last first.
    """
    lineup = _Lineup()
    for step in undone:
        lineup.take_back(step)
    for step in reversed(ahead):
        lineup.play(step)
    return lineup


def stood_elsewhere(old: Line, line: Line) -> list[tuple[Place, Place]]:
    """Return where each man stood at the end of an old line and where he stands at the end of a
    line that goes on from it, if that is elsewhere, as far as it is known.
    """
    lineup = _lined_up(reversed(line.since(old) or ()), ())
    return [
        (place, man)
        for place, man in lineup.men.items()
        if man not in (None, place) and place in old.expected
    ]


def _give_unseen(line: Line) -> bool:
    """Whether a tray shows nothing of a man that is taken from it, for it holds more than it has
    pockets.
    """
    men, pockets = line.match.game.pieces(line.match.position), line.sight.pockets
    return any(men[tray].count > pockets[tray] for tray in line.trays & men.keys())


def _is_put_elsewhere(undone: Sequence[Line], ahead: Sequence[Line]) -> bool:
    """Whether only the ply of a man is taken back that is the first to be moved then."""
    ply, then = undone[-1].footprint, ahead[-1].footprint
    if len(undone) > 1 or ply is None or then is None:
        return False
    return (ply.leaves, ply.tray) == (then.leaves, then.tray)


def _either(some: Men, others: Men) -> Men:
    return None if some is None or others is None else some | others
