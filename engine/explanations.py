"""Explanations: which lines of play leave the levels as they are, and what they leave unexplained.

Lines are tried from what is shown and from what was shown before its last ply: nothing, one move,
the next move too, several plies made in one breath, plies taken back, a sensor that fails. What a
line leaves unexplained costs; whoever asks compares the sums.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from copy import copy
from dataclasses import dataclass, replace
from typing import TypeAlias

from engine.evidence import MISSED, OUT_OF_ORDER, SLACK, Edges
from engine.footprints import Difference, Footprint, Line, Reading
from engine.game import CHANCE, Pass, Place, Throw
from engine.match import AnyMove, Match

News: TypeAlias = tuple[AnyMove, ...] | None

# What a line may leave unexplained, and what that costs, beside what `engine.evidence` misses.
STRAY = 3.0  # a place reads what no rule explains
TRAY_WRONG = 1.5  # a tray changed that the line leaves alone, or gave what it did not lose
TRAY_LATE = 0.3  # a captured man has not reached its tray yet
TRAY_AT_WORK = 0.5  # the next player has begun to take a man from it, or to fill it
NUDGED = 0.35  # a bystander was lifted and put back
BLINKED = 0.8  # … for no longer than BLINK seconds: as if another man had taken its place
BLINK = 0.035
HOVERED = 0.1  # an empty cell was passed
SILENT = 0.3  # a whole ply of which nothing can be seen
CAUGHT_UP = 0.4  # one more ply since the last verdict
TAKEN_BACK = 0.9  # plies undone
REVISED = 0.6  # … and the one before them read otherwise
RESTED = 0.6  # seconds
RECONSIDERED = 1.0  # a final ply was read wrongly
DOUBTFUL = 1.3  # a line that costs more must stand longer
BACK = 0.2  # the provisional ply is retracted
UNTOUCHED = 0.5  # … or it was another one, though nobody has touched its men since
WENT_BACK = 0.8  # it looks like a ply taken back
IN_HAND = 0.0  # the next player has lifted a man
PARKED = 0.3  # a captured man stands on an empty cell, to be taken off
PARKED_LATE = 1.3  # … and was lifted when the man that takes it was in a hand already
CONVINCING = 2.0  # a line with more than this missing of its new plies is never played

STRAIGHTENED = 1.0  # seconds in which a man that is straightened is back on its place
WELL_BEFORE = 0.5  # seconds before a man is put down that the next player takes one at most
LONG_BEFORE = 2.0  # seconds after which a place that is off is no part of what a hand does
DEPTH = 3  # so many plies may be made in one breath
STEPS = 300  # positions looked into for one verdict, at most
GLANCES = 16  # so many moves that cannot have been are a step, too


@dataclass(frozen=True, slots=True)
class Explanation:
    """One line that leaves the levels as they are, and what it leaves unexplained."""

    line: Line
    news: News
    """The moves it adds to what is shown; None where it replaces what is shown."""
    cost: float
    weak: float
    """The part of the cost that concerns the evidence for its last ply."""
    late: bool
    back: int = 0
    strays: frozenset[Place] = frozenset()
    parked: bool = False
    """Whether the man that its last ply captures still stands on a cell of the board."""
    held: bool = False
    """Whether the next player already holds a man."""


Search: TypeAlias = Generator[None, None, list[Explanation]]
"""A search goes step by step, each about as long as one explanation takes: whoever asks may let
others have their turn after any of them."""


class Explainer:
    """Knows what was seen and which lines are shown, and explains the one by the other."""

    def __init__(self, line: Line) -> None:
        self.heads: list[Line] = [line]  # before the provisional ply, and with it: see Reader
        self.shown: list[Line] = [line]
        self.levels: dict[Place, Reading] = {}
        """The debounced reading of every sensed place that is not empty."""
        self.throws: list[Throw] = [
            step.move for step in line.match.line() if isinstance(step.move, Throw)
        ]
        self.admits: Callable[[Line, frozenset[Place]], bool] | None = None
        """What else must hold of a line that explains the levels but for some places."""
        self._edges = Edges()
        self._odd: set[Place] = set()  # places that may differ though no edge is kept of them
        self._bias: dict[Place, int] = {}  # trays that hold more or less than they should
        self._cut = 0.0  # the time of the last edge that belongs to the shown lines
        self._past: dict[Difference, list[tuple[int, Line]]] = {}
        self._put_at = 0.0  # when something was put anywhere last
        self._read_up_to = 0.0  # … as the lines were shown
        self._most_steps = STEPS
        self._steps = 0  # how many more positions may be looked into for this verdict
        self._rejected: set[Line] = set()  # lines that an answer has ruled out
        self._said: dict[tuple[int, object], set[AnyMove]] = {}  # what was said was played there
        self._denied: set[tuple[int, object, AnyMove]] = set()  # … and what was not
        self._verdicts = 0
        self._abandoned: dict[Line, float] = {}  # shown before, and what it costs to think so
        self._parking: dict[Line, tuple[Difference, float]] = {}  # where captured men stand
        self._elders: list[Line] = []  # the heads before these
        self._older = Edges()  # … and the edges from then on

    def forward(self, line: Line) -> Line:
        """Return the line with the throws that are known and the passes that are forced."""
        while True:
            match = line.match
            if match.turn != CHANCE:
                forced = match.forced_pass()
                if forced is None:
                    return line
                line = line.step(forced)
            elif line.throws < len(self.throws) and self.throws[line.throws] in match.legal:
                line = line.step(self.throws[line.throws])
            else:
                return line

    def _own_places(self, line: Line) -> frozenset[Place]:
        """Return the cells of the provisional ply at the end of a line, if it has one."""
        head = line.head()
        if head not in self.heads or line in self.heads:
            return frozenset()
        steps = line.since(head) or []
        return frozenset().union(*(step.footprint.cells for step in steps if step.footprint))

    def difference(self, line: Line, near: Iterable[Place]) -> Difference:
        """Return which believed cells of `near` read otherwise than at the end of `line`."""
        levels, expected, masked, cells = self.levels, line.expected, line.masked, line.sight.cells
        return frozenset(
            [
                (place, reading)
                for place in near
                if (reading := levels.get(place, 0)) != expected.get(place, 0)
                and place in cells
                and place not in masked
            ]
        )

    def _near(self, *lines: Line) -> set[Place]:
        """Return the places that may differ from what `lines` expect."""
        near = self._odd | self._edges.by_place.keys()
        for line in lines:
            head = line.head()
            if head in self.heads:
                for step in line.since(head) or []:
                    if step.footprint:
                        near |= step.footprint.cells
        return near

    def _starts(self) -> list[tuple[Line, tuple[Footprint, ...], bool]]:
        """Return the lines to explain from, with their provisional plies: shown ones first."""
        starts: list[tuple[Line, tuple[Footprint, ...], bool]] = []
        for line in (*self.shown, *self._abandoned):
            steps = [] if line in self.heads else line.since(line.head()) or []
            plies = tuple(step.footprint for step in steps if step.footprint)
            starts.append((line, plies, True))
        starts += [(line, (), False) for line in self.heads if line not in self.shown]
        return starts

    def _explanations(self) -> Search:
        """Explain by what is shown, by one more ply, and by another last ply."""
        found = []
        near = self._near(*self.shown, *self._abandoned)
        for start, plies, shown in self._starts():
            differs = self.difference(start, near)
            guessed = 0.0 if shown else SILENT * self._guessed(start)
            if not differs:
                found.append(self._explanation(start, plies, () if shown else None, guessed))
            yield
            for footprint in start.leaving(differs):
                if start in self._abandoned and not (
                    _meets(plies, footprint) or self._stands(plies, footprint)
                ):
                    continue  # the next player had nothing to do with the men that went on
                if footprint.cells or footprint.trays:
                    line = self.forward(start.step(footprint.move, footprint))
                    news: News = (footprint.move,) if shown else None
                    found.append(self._explanation(line, (*plies, footprint), news, guessed))
                    yield
            if len(differs) > 1:
                for footprint, parked, cost in self._parked(start, differs):
                    line = self.forward(start.step(footprint.move, footprint))
                    news = (footprint.move,) if shown else None
                    each = self._explanation(line, (*plies, footprint), news, cost)
                    found.append(replace(each, parked=True))
                    self._parking[line] = frozenset({parked}), cost
                    yield
            elif differs and differs == self._parking.get(start, (None, 0.0))[0]:
                each = self._explanation(start, plies, (), self._parking[start][1])
                found.append(replace(each, parked=True))
            for silent in start.silent:
                middle = self.forward(start.step(silent.move, silent))
                yield
                for footprint in middle.leaving(differs):
                    if footprint.cells or footprint.trays:
                        line = self.forward(middle.step(footprint.move, footprint))
                        news = (silent.move, footprint.move) if shown else None
                        cost = SILENT + guessed
                        found.append(
                            self._explanation(line, (*plies, silent, footprint), news, cost)
                        )
                        yield
        return found

    def _with_the_next_in_hand(self) -> Search:
        """Explain by one more ply, or another last one, while the next player already holds one
        of the men that may move then, or a man of the last ply is lifted to be straightened: then
        the tray must show that the new man is another.
        """
        found = []
        near = self._near(*self.shown)
        for start, plies, shown in self._starts():
            differs = self.difference(start, near)
            if start in self._abandoned or len(differs) < 2:
                continue
            for place, reading in sorted(differs):
                if reading or place not in self._edges:
                    continue
                if any(self.difference(line, near) <= {(place, 0)} for line in self.shown):
                    continue  # what is shown is as good
                lifted = self._edges.of(place)[-1][0]
                yield
                for footprint in start.leaving(differs - {(place, reading)}):
                    puts = [at for each in footprint.arrivals for at in self._edges.puts(*each)]
                    if place in footprint.around or not puts or max(puts) > lifted + SLACK:
                        continue
                    line = self.forward(start.step(footprint.move, footprint))
                    news: News = (footprint.move,) if shown else None
                    own = plies and place in dict(plies[-1].arrivals)
                    if own and shown and footprint.tray in self._edges:
                        found.append(self._explanation(line, (*plies, footprint), news, NUDGED))
                    elif line not in self.shown and any(
                        place in each.leaves for each in line.touching({place})
                    ):
                        each = self._explanation(line, (*plies, footprint), news, IN_HAND)
                        found.append(replace(each, held=True))
                        yield
        return found

    def _stands(self, plies: tuple[Footprint, ...], later: Footprint) -> bool:
        """Whether the men that the last of `plies` brings are where it brings them, back from being
        straightened, and it was `later` that brought the men that seemed to be theirs.
        """
        soon = self._cut + STRAIGHTENED
        seemed = {
            place for line in self.shown for ply in line.last_ply() for place, _ in ply.arrivals
        }
        return (
            bool(plies)
            and later.cells >= seemed
            and all(
                self.levels.get(place, 0) == put
                and all(at <= soon for at, on in self._edges.of(place) if on)
                for place, put in plies[-1].arrivals
            )
        )

    def _parked(
        self, start: Line, differs: Difference
    ) -> Iterator[tuple[Footprint, tuple[Place, Reading], float]]:
        """Yield the captures that explain the levels but for the captured man, which has been put
        down on an empty cell before it leaves the board; with that cell, and what each costs.
        """
        for place, reading in sorted(differs):
            puts = self._edges.puts(place, reading)
            if not reading or place in start.expected or not puts:
                continue
            for footprint in start.leaving(differs - {(place, reading)}):
                if place in footprint.cells or footprint.train:
                    continue
                for cell, _ in footprint.arrivals:
                    before = [edge for edge in self._edges.of(cell) if edge[0] < puts[-1]]
                    if start.expected.get(cell) != reading or all(put for _, put in before):
                        continue
                    begun = [self._edges.of(each) for each in footprint.leaves]
                    first = all(edges and edges[0][0] > before[0][0] for edges in begun)
                    empty = not before[-1][1]
                    yield footprint, (place, reading), PARKED if first and empty else PARKED_LATE

    def _guessed(self, line: Line) -> int:
        """Return how many moves at the end of a line nobody has seen or named."""
        number = 0
        step: Line | None = line
        while step is not None and step.before is not None:
            ply = step.footprint
            if ply is not None and (ply.cells or ply.trays or self.confirmed(step)):
                break
            number += ply is not None
            step = step.before
        return number

    def confirmed(self, step: Line) -> bool:
        """Whether people have said that this move was played where it stands."""
        return step.match.move in self._said.get(moment(step), ())

    def _caught_up(self, patient: bool) -> Search:
        """Explain by several plies made in one breath; when `patient`, also if part of the first
        ones was never seen.
        """
        found: list[Explanation] = []
        near = self._near(*self.shown, *self._abandoned)
        self._steps = self._most_steps
        for silent in (False, True):
            for start, plies, shown in self._starts():
                if start in self._abandoned:
                    continue
                news: News = () if shown else None
                depth = DEPTH + patient
                found += yield from self._extend(start, plies, news, near, depth, patient, silent)
            if any(each.weak < CONVINCING for each in found):
                break
        return found

    def _extend(
        self,
        start: Line,
        plies: tuple[Footprint, ...],
        news: News,
        near: set[Place],
        depth: int,
        patient: bool,
        silent: bool,
    ) -> Search:
        """Explain by up to `depth` more plies, at least two, all of them seen but, when `silent`,
        one before the last.
        """
        found: list[Explanation] = []
        for number, first in enumerate(start.within(near), 1):
            if not number % GLANCES:
                yield
            if not first.cells and not (first.trays and near.issuperset(first.trays)):
                continue
            now = (*plies, first)
            known = {place: self._cut for ply in plies for place in ply.cells}
            # What came to its place since may be another man: `first` stands for the plies later.
            unseen = self._edges.missed(first, (first,), {}, known)
            if unseen >= CONVINCING and not (patient and unseen <= MISSED):
                continue
            self._steps -= 1
            if self._steps < 0:
                return found
            middle = self.forward(start.step(first.move, first))
            yield
            added = None if news is None else (*news, first.move)
            differs = self.difference(middle, near)
            for between in [(ply,) for ply in middle.silent] if silent else [()]:
                here = middle
                for ply in between:
                    here = self.forward(middle.step(ply.move, ply))
                for footprint in here.leaving(differs):
                    if not (footprint.cells or footprint.trays):
                        continue
                    line = self.forward(here.step(footprint.move, footprint))
                    last = (*between, footprint)
                    more = None if added is None else (*added, *(ply.move for ply in last))
                    fresh = len(now) + len(last) if more is None else len(more)
                    cost = CAUGHT_UP * (fresh - 1) + REVISED * (more is None)
                    found.append(
                        self._explanation(line, (*now, *last), more, cost, patient=patient)
                    )
                    yield
            if depth > 2:
                found += yield from self._extend(
                    middle, now, added, near, depth - 1, patient, silent
                )
        return found

    def _taken_back(self) -> Search:
        """Explain by plies taken back, the latest first."""
        if len(self.heads) != 1:
            return []
        head = self.heads[0]
        if not self._past:
            line, plies = head, 0
            while line.before is not None:
                plies += line.footprint is not None or isinstance(line.match.move, Pass)
                counted = line.footprint is not None
                line = line.before
                if counted:
                    self._past.setdefault(line.cells_read, []).append((plies, line))
        cells, masked = head.sight.cells, head.masked
        now = frozenset(
            [item for item in self.levels.items() if item[0] in cells and item[0] not in masked]
        )
        found = []
        for plies, line in self._past.get(now, ()):
            undone = frozenset().union(
                *(step.footprint.cells for step in head.since(line) or [] if step.footprint)
            )
            undone |= self._own_places(self.shown[0])
            if not undone:
                continue  # hands can only take back what can be seen
            undone = _unlike(self.shown[0].match, line.match, undone) or undone
            touched = {
                place for place, edges in self._edges.by_place.items() if edges[-1][0] > self._cut
            }
            weak = MISSED * len(undone - touched)
            cost = TAKEN_BACK + weak + self._tray_cost(line)[0]
            cost += OUT_OF_ORDER * self._undone_out_of_order(line)
            shown = self.shown[0].match.plies - head.match.plies
            found.append(Explanation(line, None, cost, weak, False, plies + shown))
            yield
        return found

    def _reconsidered(self) -> Search:
        """Explain by lines that replace the last final ply, too: it was read wrongly, and what
        the hands have done since shows it.
        """
        then = copy(self)
        then.heads = then.shown = [line for line in self._elders if line not in self.heads]
        if not then.heads:
            return []
        then._edges = self._older.joined(self._edges)
        then._odd = {
            place
            for line in then.heads
            for place in line.sight.places
            if self.levels.get(place, 0) != line.expected.get(place, 0)
        }
        then._cut = 0.0
        found = yield from then._explanations()
        found += yield from then._caught_up(patient=True)
        return [
            Explanation(each.line, None, each.cost + RECONSIDERED, each.weak, each.late)
            for each in found
            if each.news and not any(each.line.since(head) is not None for head in self.heads)
        ]

    def _undone_out_of_order(self, line: Line) -> int:
        """Return how many plies went back before the one that was played after them."""
        wrong, before = 0, 0.0
        for step in reversed(self.shown[0].since(line) or []):
            if step.footprint is None:
                continue
            lifted = [
                at
                for place, _ in step.footprint.arrivals
                for at, put in self._edges.of(place)
                if at > self._cut and not put
            ]
            if lifted:
                wrong += max(lifted) < before - SLACK
                before = min(lifted)
        return wrong

    def _with_a_stray(self) -> Search:
        """Explain by lines that leave one place unexplained: a sensor that fails, a man parked.

        A hand at work looks much like a failing sensor. So the place must have been off well
        before the ply began, or the next player must have made a whole ply since.
        """
        found = []
        near = self._near(*self.shown, *self._abandoned)
        self._steps = self._most_steps
        for start, plies, shown in self._starts():
            differs = self.difference(start, near)
            for item in sorted(differs):
                yield
                for footprint in start.leaving(differs - {item}):
                    if self._apart(item[0], footprint, start):
                        line = self.forward(start.step(footprint.move, footprint))
                        news: News = (footprint.move,) if shown else None
                        stray = frozenset({item[0]})
                        found.append(
                            self._explanation(line, (*plies, footprint), news, STRAY, stray)
                        )
            for first in self._almost_within(start, near):
                if first is None or not first.cells or near.isdisjoint(first.cells):
                    yield
                    continue
                self._steps -= 1
                if self._steps < 0:
                    break
                middle = self.forward(start.step(first.move, first))
                after = self.difference(middle, near | first.cells)
                for item in sorted(after):
                    yield
                    for footprint in middle.leaving(after - {item}):
                        if item[0] in first.around or self._apart(item[0], footprint, middle):
                            line = self.forward(middle.step(footprint.move, footprint))
                            news = (first.move, footprint.move) if shown else None
                            stray = frozenset({item[0]})
                            found.append(
                                self._explanation(
                                    line, (*plies, first, footprint), news, STRAY, stray, True
                                )
                            )
        return [each for each in found if each.cost < STRAY + DOUBTFUL]

    def _almost_within(self, start: Line, near: set[Place]) -> Iterator[Footprint | None]:
        """Yield the moves after which at most one place beside `near` reads otherwise; None in
        between.
        """
        yield from start.within(near)
        for place in sorted(start.sight.cells - near):
            yield None
            for footprint in start.within(near | {place}):
                if any(place == changed for changed, _ in footprint.differs):
                    yield footprint

    def _apart(self, place: Place, ply: Footprint, start: Line) -> bool:
        """Whether what `place` reads has nothing to do with `ply`: it had its last edge well
        before, and no other move of the same man would touch it.
        """
        if not ply.cells or any(
            left in other.leaves for left in ply.leaves for other in start.touching({place, left})
        ):
            return False
        if place not in self._edges:
            return True
        begun = [self._edges.of(each)[0][0] for each in ply.cells if each in self._edges]
        return bool(begun) and self._edges.of(place)[-1][0] < min(begun) - LONG_BEFORE

    def _explanation(
        self,
        line: Line,
        plies: tuple[Footprint, ...],
        news: News,
        cost: float = 0.0,
        strays: frozenset[Place] = frozenset(),
        patient: bool = False,
    ) -> Explanation:
        """Weigh what a line leaves unexplained."""
        around: frozenset[Place] = frozenset().union(*(ply.around for ply in plies))
        back = news is None and not plies  # what is shown goes back, and its men are lifted for it
        if back:
            around = frozenset().union(*(self._own_places(shown) for shown in self.shown))
            cost += BACK
        around |= self._seen_before(line)
        head = self.heads[0].expected
        for place in self._edges.by_place:
            if place not in around and place in line.sight.cells and place not in line.masked:
                cost += HOVERED if place not in head else self._nudged(place) * (1 + back)
        if news is None and plies and self._untouched():
            cost += UNTOUCHED
        fresh = len(plies) if news is None else len(news)
        missed = self._edges.evidence(plies, len(plies) - fresh, self._cut)
        weak = sum(missed)
        cost += weak
        weak_last = missed[-1] if fresh and missed else 0.0
        disorder = self._edges.out_of_order(plies, len(plies) - fresh, self._cut)
        weak_order = MISSED if disorder and news is None else disorder
        cost += weak_order
        if news is None and plies and self._stood_on(plies):
            cost += MISSED
        if news and len(plies) > 1 and self._went_back(plies[-2], plies[-1]):
            cost += WENT_BACK
        tray_cost, late = self._tray_cost(line)
        if tray_cost and any(
            not ply.cells and self._incomplete(ply, line) for ply in plies[len(plies) - fresh :]
        ):
            weak_last += CONVINCING  # a move that only trays show must be complete in all of them
        if fresh and plies and plies[-1].unseen and not self._let_go(plies[-1]):
            weak_last += CONVINCING  # a lift alone never plays anything
        if patient and news is not None:
            weak = 0.0  # the next player has moved: what was not seen before must have happened
        weak = max(weak, weak_last, weak_order if weak_order >= MISSED else 0.0)
        return Explanation(line, news, cost + tray_cost, weak, late, 0, strays)

    def _seen_before(self, line: Line) -> frozenset[Place]:
        """Return the places around the plies of `line` that are final in it, but not in others:
        their edges are remembered for those.
        """
        first = min(head.match.plies for head in self.heads)
        found: frozenset[Place] = frozenset()
        step: Line | None = line if len(self.heads) > 1 else None
        while step is not None and step.match.plies > first:
            if step.footprint is not None:
                found |= step.footprint.around
            step = step.before
        return found

    def _overlaps(self, tray: Place, line: Line) -> bool:
        """Whether the next player came to a tray that counts its men no sooner than hands overlap:
        when the men of the last ply of `line` arrived, or a moment before.
        """
        came = [
            at
            for ply in line.last_ply()
            for arrival in ply.arrivals
            for at in self._edges.puts(*arrival)
        ]
        last = self._edges.of(tray)[-1:]
        return (
            line.sight.pockets[tray] == 1
            or not came
            or any(at > max(came) - WELL_BEFORE for at, _ in last)
        )

    def _incomplete(self, ply: Footprint, line: Line) -> bool:
        """Whether a tray that `ply` changes does not read what it should at the end of `line`."""
        return any(
            self.levels.get(tray, 0) != line.expected.get(tray, 0)
            for tray in ply.trays - line.masked
        )

    def _let_go(self, ply: Footprint) -> bool:
        """Whether anything was put anywhere since the men of `ply` were lifted."""
        lifts = [at for place in ply.leaves for at, put in self._edges.of(place) if not put]
        return not lifts or self._put_at > max(lifts)

    def _untouched(self) -> bool:
        """Whether what is shown had rested before anything else was touched, and nobody has
        touched it since.
        """
        own = {place for line in self.shown for place in self._own_places(line)}
        cells = self.shown[0].sight.cells
        later = [
            (at, place)
            for place, edges in self._edges.by_place.items()
            for at, _ in edges
            if at > self._cut and place in cells
        ]
        return (
            bool(own and later)
            and min(later)[0] > self._cut + RESTED
            and own.isdisjoint(place for _, place in later)
        )

    def _went_back(self, ply: Footprint, later: Footprint) -> bool:
        """Whether `later` only fills the places that `ply` left, while the man that `ply` brought
        was in a hand: then it was rather taken back.
        """
        if not later.arrivals or not set(ply.leaves).issuperset(p for p, _ in later.arrivals):
            return False
        came = [at for arrival in later.arrivals for at in self._edges.puts(*arrival)]
        for place, reading in ply.arrivals:
            lifts = [at for at, put in self._edges.of(place) if not put and at > self._cut]
            puts = self._edges.puts(place, reading, self._cut)
            if came and lifts and puts and lifts[0] < came[-1] < puts[-1]:
                return True
        return False

    def _nudged(self, place: Place) -> float:
        """Return the cost of a man that was touched for nothing: one that was away for less than
        a hand needs was rather taken by another.
        """
        return BLINKED if self._edges.longest_gap(place) < BLINK else NUDGED

    def _rested(self, line: Line) -> bool:
        """Whether the men of the provisional ply of `line` stood still before they went on."""
        for step in line.since(line.head()) or []:
            for place, reading in step.footprint.arrivals if step.footprint else ():
                puts = self._edges.puts(place, reading)
                left = [at for at, put in self._edges.of(place) if puts and at > puts[-1]]
                if left and left[0] - puts[-1] >= RESTED:
                    return True
        return False

    def _stood_on(self, plies: tuple[Footprint, ...]) -> bool:
        """Whether a man of the ply that `plies` would replace still stood where it was shown when
        the man of the new ply came down: then it was not the same man.
        """
        arrivals = {place for ply in plies for place, _ in ply.arrivals}
        came = [
            at
            for ply in plies[:1]
            for place, reading in ply.arrivals
            for at in self._edges.puts(place, reading)
        ]
        if not came:
            return False
        for line in self.shown:
            if line in self.heads:
                continue
            for step in line.since(line.head()) or []:
                for place, _ in step.footprint.arrivals if step.footprint else ():
                    if place not in arrivals and place in self._edges:
                        left = [at for at, put in self._edges.by_place[place] if not put]
                        if left and left[-1] > max(came) + SLACK:
                            return True
        return False

    def _tray_cost(self, line: Line) -> tuple[float, bool]:
        """Return what the trays hold against a line, and whether a man may still be on its way."""
        cost, late = 0.0, False
        base = self.heads[0]
        for tray in line.sight.trays:
            reads, wanted = self.levels.get(tray, 0), line.expected.get(tray, 0)
            if reads == wanted or tray in line.masked:
                continue
            biased = max(0, min(wanted + self._bias.get(tray, 0), line.sight.pockets[tray]))
            if reads == biased:
                continue
            if wanted > reads >= min(base.expected.get(tray, 0), biased):
                cost += TRAY_LATE
                late = True
            elif self._overlaps(tray, line) and next(line.using(tray), None) is not None:
                cost += TRAY_AT_WORK
            else:
                cost += TRAY_WRONG * abs(wanted - reads)
        return cost, late


def moment(step: Line) -> tuple[int, object]:
    """Return when in a match a move was played: after how many plies, and in which position."""
    before = step.match.before
    assert before is not None
    return before.plies, before.position


def _meets(plies: tuple[Footprint, ...], ply: Footprint) -> bool:
    """Whether `ply` may move a man that `plies` have put down."""
    return any(place in ply.around for each in plies for place, _ in each.arrivals)


def _unlike(now: Match, then: Match, places: frozenset[Place]) -> frozenset[Place]:
    """Return which of `places` hold another piece now than then."""
    here, there = now.game.pieces(now.position), then.game.pieces(then.position)
    return frozenset(place for place in places if here.get(place) != there.get(place))
