"""Reading hands: which legal moves explain what the sensors saw?

Each legal move leaves a footprint: the cells it changes and what they read afterwards. From a
known position the reader is told every raw edge (a place that was lifted or filled, however
briefly) and the debounced levels, and explains them by lines of play:

    nothing · one move · a move revised · the next move too · earlier plies taken back

A line explains the levels when they are exactly what the line would leave. Lines that leave the
same levels are told apart by what else a hand cannot help doing: a captured man is lifted before
another takes its place, a man is in the hand between its two places, a captured man reaches its
tray. What a line leaves unexplained costs; lines that cost the same are all kept, and the verdict
is Ambiguous. The reader knows no game, no clock and no lights; how long a verdict must stand is
the session's business.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import TypeAlias

from engine.evidence import Edges
from engine.explanations import CONVINCING, DOUBTFUL, Explainer, Explanation, moment
from engine.footprints import Difference, Footprint, Line, Reading
from engine.game import CHANCE, Attempt, Place, Throw

STOOD = -0.5  # a ply that had rested is taken for one, though its man went on
HASTY = 0.2  # … and one that had not rested
SOON = 1.0  # seconds from one thing that a hand does in its ply to the next
MARGIN = 0.45  # lines that differ by less cannot be told apart
INSTANT = 1e-6  # seconds
TO_BE_TOLD = 4  # so many lines are too many to wait for what the next move tells
LINES_KEPT = 48  # while questions are open


@dataclass(frozen=True, slots=True)
class Still:
    """Nothing has happened beyond what is already read."""


@dataclass(frozen=True, slots=True)
class Underway:
    """A hand is at work, and these moves from the end of `line` may come of it."""

    line: Line
    moves: tuple[Footprint, ...]


@dataclass(frozen=True, slots=True)
class Settled:
    """The levels are what these lines leave, and the lines agree on every ply newly read."""

    lines: tuple[Line, ...]
    rivals: bool
    """Whether a hand may go on from here to another move."""
    bare: bool = False
    """Whether it undoes something though the hand has only lifted men so far."""
    doubtful: bool = False
    """Whether much is left unexplained."""
    plies: int = 1
    """How many plies are new."""
    back: int = 0
    """How many plies were taken back."""
    strays: frozenset[Place] = frozenset()
    """Places that read what no rule explains."""


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """The levels are what each of these lines leaves; the sensors do not tell which it is."""

    lines: tuple[Line, ...]
    late: bool
    """Whether a man that still has to reach its tray may tell."""
    bare: bool = False
    """Whether something would be undone though the hand has only lifted men so far."""
    strays: frozenset[Place] = frozenset()


@dataclass(frozen=True, slots=True)
class Astray:
    """No line leads here."""


Verdict: TypeAlias = Still | Underway | Settled | Ambiguous | Astray


class Reader(Explainer):
    """Explains what hands do from the lines that are still possible.

    `shown` are the lines as they are read, with the provisional ply at their end; `heads` are
    the same lines before that ply, which a hand may still revise. There are several of each
    while a question is open.
    """

    def __init__(self, line: Line) -> None:
        super().__init__(line)
        self._lent = False  # whether a search looks at the edges
        self._counted: Line | None = None  # what all lines that were counted last go on from

    # ---- what comes in

    def touch(self, at: float, place: Place, reading: Reading) -> None:
        """Note a raw edge: `place` read `reading` from `at` on, however briefly."""
        if reading:
            self._put_at = at
        if self._lent:
            self._edges, self._lent = self._edges.copied(), False
        self._edges.add(at, place, reading)

    def level(self, place: Place, reading: Reading) -> None:
        """Note a debounced level."""
        self._odd.add(place)
        if place in self._bias and reading == self.shown[0].expected.get(place, 0):
            del self._bias[place]
        if reading:
            self.levels[place] = reading
        else:
            self.levels.pop(place, None)

    def throw(self, throw: Throw) -> None:
        """Note a throw; the lines that wait for one take it."""
        self.throws.append(throw)
        if any(line.match.turn != CHANCE for line in self.shown):
            # Whoever throws has seen the move before it: its man is in no hand any more.
            edges = [edge for each in self._edges.by_place.values() for edge in each[-1:]]
            self._put_at = max([self._put_at, *(at + INSTANT for at, _ in edges)])
        self.heads = [self.forward(line) for line in self.heads]
        self.shown = [self.forward(line) for line in self.shown]

    # ---- what the session decides

    def show(self, lines: Iterable[Line], since: float) -> None:
        """Take `lines`, which have explained the levels `since` that time, as read. Plies that a
        hand has followed up become final.
        """
        old_heads, old_shown = self.heads, self.shown
        lines = list(lines)
        if not all(line in old_shown for line in lines):
            self._read_up_to = min(self._put_at, since)
        self.shown = [self.forward(line) for line in lines]
        if all(line in old_heads for line in self.shown):  # retracted, or nothing provisional
            self.heads = list(self.shown)
            self._abandoned = {}
            self._rejected.clear()
            self._drop_edges(self._last_edge(old_shown, since))
            del self.throws[max(line.throws for line in self.shown) :]
        else:
            self.heads = list(dict.fromkeys(line.head() for line in self.shown))
            if self.shown != old_shown and any(head in old_heads for head in self.heads):
                for line in set(old_shown).difference(old_heads, self.heads):
                    self._abandoned[line] = STOOD if self._rested(line) else HASTY
                for line in self.shown:
                    self._abandoned.pop(line, None)
            if not any(head in old_heads for head in self.heads):
                self._abandoned = {}
                self._rejected.clear()
                before = copy(self._edges)
                self._drop_edges(self._cut)
                self._drop_older_plies(old_shown)
                self._elders = list(dict.fromkeys(head.head() for head in self.heads))
                self._older = before
                for head in self.heads:
                    if head.before is not None:
                        head.before.forget()
        self._cut = self._last_edge(self.shown, since)
        if self.difference(self.shown[0], self._near()):  # the next player is at work already
            self._read_up_to = min(self._read_up_to, self._cut)
        self._past = {}
        self._parking = {line: at for line, at in self._parking.items() if line in self.shown}
        self._count()

    def decide(self, steps: Sequence[Line | None], text: str) -> None:
        """Keep those of what is shown in which a move has this text: people said what it was.
        `steps` are that move in each of the lines, None where a line has none there. The answer
        is final: nothing else is ever read there, unless men go back to before it.
        """
        keep = []
        for line, step in zip(self.shown, steps, strict=True):
            if step is not None and step.match.text == text:
                keep.append(line)
            else:
                self._rejected.add(line)
                if step is not None:
                    self._denied.add((*moment(step), step.match.move))
        self.confirm(step for step in steps if step is not None and step.match.text == text)
        self.show(keep, self._cut)

    def confirm(self, steps: Iterable[Line]) -> None:
        """Take it as final that these moves were played where they stand."""
        for step in steps:
            self._said.setdefault(moment(step), set()).add(step.match.move)

    def _count(self) -> None:
        """Note which verdict has read each move of what is shown; forget the answers to what has
        been taken back.
        """
        self._verdicts += 1
        for line in self.shown:
            step: Line | None = line
            while step is not None and step.before is not None and not step.read:
                step.read = self._verdicts
                step = step.before
        base, plies = self._counted, -1
        steps = [line.steps() if base is None else line.since(base) for line in self.shown]
        if base is not None and None not in steps:
            plies = base.match.plies  # up to there all is as it was
        else:
            steps = [line.steps() for line in self.shown]
        there = {moment(step) for each in steps for step in each or ()}

        def holds(when: tuple[int, object]) -> bool:
            return when[0] < plies or when in there

        self._said = {when: moves for when, moves in self._said.items() if holds(when)}
        self._denied = {each for each in self._denied if holds(each[:2])}
        self._counted = self.heads[0] if len(self.heads) == 1 else None

    def begin(self, lines: Iterable[Line]) -> None:
        """Start from all of `lines`: a match that is resumed, its questions still open."""
        self.shown = list(lines)
        self.heads = list(dict.fromkeys(line.head() for line in self.shown))
        if len(self.shown) == 1:
            self.heads = list(self.shown)
        for line in self.shown:  # as if move after move had been read
            for number, step in enumerate(line.steps(), 1):
                step.read = number
                self._verdicts = max(self._verdicts, number)
        self._settle_in()

    def go_on(self, lines: Iterable[Line], since: float) -> None:
        """Go on from `lines`, which end with a move that people named and no sensor saw; what
        hands have begun `since` is not forgotten.
        """
        lines, throws = list(lines), list(self.throws)
        self.confirm(lines)
        self.restart(lines, since)
        self.throws = throws
        self.shown = [self.forward(line) for line in self.shown]
        self.heads = list(self.shown)

    def restart(self, lines: Iterable[Line], since: float = float("inf")) -> None:
        """Go on from `lines`, with nothing provisional: after a takeback, a claim, a set-up. What
        was touched after `since` is not forgotten.
        """
        lines = list(lines)
        del self.throws[max(line.throws for line in lines) :]
        self.shown = [self.forward(line) for line in lines]
        self.heads = list(self.shown)
        self._settle_in(since)

    def _settle_in(self, since: float = float("inf")) -> None:
        for head in self.heads:
            if head.before is not None:
                head.before.forget()
        self._abandoned, self._parking = {}, {}
        self._elders, self._older = [], Edges()
        self._rejected.clear()
        self._odd = set(self.shown[0].sight.places)
        self._drop_edges(since)
        self._cut = 0.0
        self._past = {}
        self._count()

    def touched(self, place: Place) -> bool:
        """Whether an edge of `place` is remembered."""
        return place in self._edges

    def rest(self, since: float) -> None:
        """Forget the touches up to `since` that changed nothing: all men have stood still from
        then on.
        """
        own = {place for line in self.shown for place in self._own_places(line)}
        line = self.shown[0]
        expected = line.expected
        if any(
            self.levels.get(tray, 0) < expected.get(tray, 0) + self._bias.get(tray, 0)
            for tray in line.sight.trays - line.masked
        ):
            return  # a man taken from a tray is on its way
        for place, edges in list(self._edges.by_place.items()):
            if self.levels.get(place, 0) != expected.get(place, 0):
                continue  # a man taken from a tray is on its way
            edges[:] = [
                edge for edge in edges if edge[0] > since or (place in own and edge[0] <= self._cut)
            ]
            if not edges:
                del self._edges.by_place[place]

    def _last_edge(self, lines: Iterable[Line], until: float) -> float:
        """Return the time of the last edge, at most `until`, of the plies at the end of `lines`."""
        places = {place for line in lines for place in self._own_places(line)}
        return max((self._edges.last(place, until) for place in places), default=0.0)

    def _drop_edges(self, until: float) -> None:
        """Forget the edges up to a time; note which trays are off, and which places are odd."""
        self._edges.forget(until)
        line = self.shown[0]
        self._odd = {
            place
            for place in self._odd
            if any(self.levels.get(place, 0) != each.expected.get(place, 0) for each in self.shown)
        }
        self._bias = {
            tray: self.levels.get(tray, 0) - line.expected.get(tray, 0)
            for tray in line.sight.trays
            if self.levels.get(tray, 0) != line.expected.get(tray, 0)
        }

    def _drop_older_plies(self, old_shown: list[Line]) -> None:
        """Of plies read in one breath, forget the edges of all but the last one."""
        for line in self.shown:
            head = line.head()
            if head in old_shown or head.footprint is None:
                continue
            last = self._own_places(line)
            begun = min(
                (self._edges.of(p)[0][0] for p in last & self._edges.by_place.keys()),
                default=0.0,
            )
            for place in head.footprint.cells - last:
                kept = [edge for edge in self._edges.of(place) if edge[0] > begun]
                if kept:
                    self._edges.by_place[place] = kept
                else:
                    self._edges.by_place.pop(place, None)

    # ---- what it makes of it

    def verdict(self, patient: bool = False) -> Verdict:
        """Explain the levels; when `patient`, for nothing has changed in a while, also by lines
        that leave more unexplained: a capture too quick to be seen, a sensor that fails.
        """
        search = self.search(patient)
        while True:
            try:
                next(search)
            except StopIteration as end:
                verdict: Verdict = end.value
                return verdict

    def search(self, patient: bool = False) -> Generator[None, None, Verdict]:
        """Return the same as a search that goes step by step, each about as long as it takes to
        weigh one explanation. Edges that come in meanwhile do not matter to it.
        """
        self._lent = True
        verdict = yield from copy(self)._weighed(patient)
        self._lent = False
        return verdict

    def _weighed(self, patient: bool) -> Generator[None, None, Verdict]:
        """Weigh all explanations."""
        found = yield from self._explanations()
        over = self.shown[0].match.outcome is not None
        if self.put_since and not self._good(found):
            found += yield from self._with_the_next_in_hand()
        if (not self._good(found) or self._undecided(found)) and self._several_plies():
            found += yield from self._caught_up(patient)
        if not self._good(found):
            found += yield from self._taken_back()
        if patient and not self._convincing(found):
            found += yield from self._with_a_stray()
            found += yield from self._reconsidered()
        if self._rejected or self._said:
            found = [each for each in found if not self._ruled_out(each.line)]
        if self.admits is not None:
            admitted = []
            for each in found:
                if each.line in self.shown or self.admits(each.line, each.strays):
                    admitted.append(each)
                yield
            found = admitted
        if self._abandoned:
            found = [replace(each, cost=each.cost + self._resumed(each.line)) for each in found]
        best = min((each.cost for each in found if each.weak < CONVINCING), default=None)
        if best is None:
            return self._unexplained()
        alive: dict[Line, Explanation] = {}
        for each in sorted(found, key=lambda each: each.cost):
            if each.cost < best + MARGIN and each.weak < CONVINCING:
                alive.setdefault(each.line, each)
        if all(line in self.shown for line in alive) and len(alive) == len(self.shown):
            return Still()
        parked = [each for each in alive.values() if each.parked]
        if len(parked) == len(alive):
            return Underway(parked[0].line.head(), parked[0].line.last_ply())
        if (
            self._put_at <= self._read_up_to
            and not over
            and not all(
                each.back
                or each.line in self.heads
                or each.line in self.shown
                or self._clears_up(each)
                or self._only_lifts(each)
                for each in alive.values()
            )
        ):
            return self._unexplained()  # a lift alone never plays anything
        if len(alive) > max(LINES_KEPT, len(self.shown)):
            return self._unexplained()  # too much is open: what follows waits for an answer
        kept = list(alive.values())
        lines = tuple(each.line for each in kept)
        stray = frozenset().union(*(each.strays for each in kept))
        if (
            not parked
            and len({(each.news, each.back) for each in kept}) == 1
            and (kept[0].news is not None or len({line.match.text for line in lines}) == 1)
        ):
            rivals = any(self._rivals(each) and not each.held for each in kept)
            doubtful = best > DOUBTFUL
            news = kept[0].news
            if news is not None:
                plies = len(news)
            else:
                plies = lines[0].match.plies - self.heads[0].match.plies
            bare = self._bare(kept[0])
            if self._resumed(lines[0]) and lines[0] not in self.shown:
                # The man that seems to be gone may be in the next player's hand.
                bare = bare or kept[0].late
                doubtful = doubtful or not lines[0].sight.trays
            return Settled(lines, rivals, bare, doubtful, plies, kept[0].back, stray)
        bare = any(self._bare(each) for each in kept)
        return Ambiguous(lines, any(each.late or each.parked for each in kept), bare, stray)

    def _resumed(self, line: Line) -> float:
        """Return the cost of going on from what was shown before a ply was revised."""
        return min(
            (cost for old, cost in self._abandoned.items() if line.since(old) is not None),
            default=0.0,
        )

    def _ruled_out(self, line: Line) -> bool:
        """Whether an answer has ruled out a line, or one that it goes on from."""
        each: Line | None = line
        while each is not None and each.before is not None:
            if each in self.heads:
                return False  # what led to there agrees with all answers
            if each in self._rejected:
                return True
            when, move = moment(each), each.match.move
            if move not in self._said.get(when, (move,)) or (*when, move) in self._denied:
                return True
            each = each.before
        return False

    def _convincing(self, found: list[Explanation]) -> bool:
        return any(each.weak < CONVINCING for each in found)

    def _good(self, found: list[Explanation]) -> bool:
        return any(each.weak < CONVINCING and each.cost < MARGIN for each in found)

    def _undecided(self, found: list[Explanation]) -> bool:
        """Whether it must be asked which of several lines it is: then what seems a little less
        likely is asked about, too.
        """
        best = min((each.cost for each in found), default=0.0)
        lines = {each.line for each in found if each.cost < best + MARGIN}
        return len(lines) > len(self.shown)

    def _several_plies(self) -> bool:
        """Whether enough was touched for more than one ply."""
        edges = self._edges.by_place.values()
        return len(edges) >= 3 or sum(bool(each[-1][1]) for each in edges) == 2

    def _bare(self, each: Explanation) -> bool:
        """Whether a line undoes something and the hand has only lifted men for it so far: they
        may be on their way to anywhere. A man that came back to its tray proves it.
        """
        if not each.back and each.line not in self.heads:
            return False
        shown = self.shown[0]
        if any(reading for _, reading in self.difference(shown, self._near(*self.shown))):
            return False
        came_back = [
            self.levels.get(tray, 0) == each.line.expected.get(tray, 0)
            for tray in shown.sight.trays - shown.masked
            if each.line.expected.get(tray, 0) != shown.expected.get(tray, 0)
        ]
        return not came_back or not all(came_back) or self._tray_cost(each.line)[0] > 0

    def _clears_up(self, each: Explanation) -> bool:
        """Whether a line only takes more off the board for the ply that is shown: its man stands
        where it was put, and what was in its way is lifted soon afterwards.
        """
        lifts = [edge[0] for edges in self._edges.by_place.values() for edge in edges]
        if min((at for at in lifts if at > self._cut), default=self._cut) > self._cut + SOON:
            return False
        arrived = {ply.arrivals for line in self.shown for ply in line.last_ply()}
        return each.line.head() in self.heads and all(
            ply.arrivals in arrived for ply in each.line.last_ply()
        )

    def _only_lifts(self, each: Explanation) -> bool:
        """Whether its last ply shows on trays alone, and on them only by what is taken: a heap
        that is full reads no more with another man in it.
        """
        return all(
            not ply.cells and all(self._emptied(each.line, tray) for tray in ply.trays)
            for ply in each.line.last_ply()
        )

    def _emptied(self, line: Line, tray: Place) -> bool:
        """Whether a tray reads less after the last ply of a line, and does so."""
        after = line.expected.get(tray, 0)
        return self.levels.get(tray, 0) == after < line.head().expected.get(tray, 0)

    def _rivals(self, each: Explanation) -> bool:
        """Whether a hand may go on from a line's last ply to another move."""
        if each.back or each.strays or each.line in self.heads:
            return True
        head = each.line.head()
        (ply,) = each.line.last_ply()
        return any(other.move != ply.move for other in head.touching(ply.cells))

    def _unexplained(self) -> Underway | Astray:
        """Say which moves may come of levels that no line leaves."""
        near = self._near(*self.shown, *self._abandoned)
        for start, _, _ in self._starts():
            off = self.difference(start, near)
            if off and all(reading for _, reading in off):
                continue  # no man is in the hand, so none is on its way
            if not off:  # a man was taken from a tray, if anything
                moves = [move for tray in self._short(start) for move in start.using(tray)]
                if start.match.outcome is None:
                    return Underway(start, tuple(moves))
                continue
            moves = start.touching({place for place, _ in off})
            poles = {start.expected.get(place, 0) for place, reading in off if not reading}
            turned = {each for each in off if each[1] and each[1] not in poles}
            moves = [each for each in moves if turned.issubset(each.arrivals)] or _parking(
                start, off
            )
            if moves:
                return Underway(start, tuple(moves))
        return Astray()

    def _short(self, line: Line) -> list[Place]:
        """Return the trays that hold less than they should at the end of a line."""
        return [
            tray
            for tray in line.sight.trays - line.masked
            if self.levels.get(tray, 0) < line.expected.get(tray, 0)
        ]

    def may_be_parked(self) -> bool:
        """Whether all that is off may be men to be captured that stand on empty cells already."""
        line = self.shown[0]
        off = self.difference(line, self._near(line))
        return bool(_parking(line, off, captors=0))

    def leads_on(self, lines: Iterable[Line]) -> bool:
        """Whether the levels are what `lines` leave, but for men lifted since that are no part of
        how their last ply may go on: the next player's hand, or a bystander knocked.
        """
        for line in lines:
            head, end = line.head(), self.forward(line)
            plies = [each.footprint for each in line.since(head) or [] if each.footprint]
            if not plies:
                continue
            ply = plies[-1]
            differs = self.difference(end, self._near() | ply.cells)
            lifted = {place for place, _ in differs}
            if (
                lifted
                and not any(reading for _, reading in differs)
                and lifted.isdisjoint(ply.cells)
                and not (ply.cells and head.touching(ply.cells | lifted))
            ):
                return True
        return False

    def time_will_tell(self) -> bool:
        """Whether the next move is likely to show which of the lines it is: many moves that are
        possible after one of them would be seen to be none after the other, as when it is unsure
        whose turn it is and each player takes men from a tray of his own.
        """
        first, *others = self.shown
        return (
            len(others) < TO_BE_TOLD
            and all(line.match.outcome is None for line in self.shown)
            and all(first.unlike(other) and other.unlike(first) for other in others)
        )

    def goes_on(self, lines: Iterable[Line]) -> bool:
        """Whether the levels are what one more ply leaves after `lines`, with a man put down."""
        for line in lines:
            differs = self.difference(line, line.sight.cells)
            if any(reading for _, reading in differs) and line.leaving(differs):
                return True
        return False

    def attempt(self) -> Attempt:
        """Return what the hand did beyond what is shown, for the game to judge."""
        line = self.shown[0]
        lifted, placed, swapped = set(), set(), set()
        for place in self._near(line):
            if place not in line.sight.cells or place in line.masked:
                continue
            before, now = line.expected.get(place, 0), self.levels.get(place, 0)
            if before and not now:
                lifted.add(place)
            elif now and not before:
                placed.add(place)
            elif before != now or any(
                at > self._cut and not reading for at, reading in self._edges.of(place)
            ):
                swapped.add(place)
        return Attempt(frozenset(lifted), frozenset(placed), frozenset(swapped))

    def remask(self, masked: frozenset[Place]) -> None:
        """Believe all sensors but `masked` from now on."""
        root = self.heads[0]
        while root.before is not None:
            root = root.before
        fresh = Line(root.match, root.sight, masked, root.expected)

        def again(line: Line) -> Line:
            rebuilt = fresh
            for step in line.steps():
                rebuilt = rebuilt.step(step.match.move)
                rebuilt.read = step.read
            return rebuilt

        self.heads = [again(line) for line in self.heads]
        self.shown = [again(line) for line in self.shown]
        self._abandoned = {again(line): cost for line, cost in self._abandoned.items()}
        self._elders = [again(line) for line in self._elders]
        self._parking = {}
        self._rejected = {again(line) for line in self._rejected}
        self._odd = set(root.sight.places)
        self._past = {}

    def without(self, places: frozenset[Place], steps: int) -> Reader:
        """Return another reader that has seen the same, but does not believe `places` either. It
        goes back no further than to the heads, and looks into `steps` positions at most.
        """
        other = copy(self)
        masked = self.shown[0].masked | places
        heads: dict[Line, Line] = {}

        def head(line: Line) -> Line:
            known = heads.get(line)
            if known is None:
                past = line.before, line.footprint
                known = Line(line.match, line.sight, masked, line.expected, *past)
                heads[line] = known
            return known

        other.heads = [head(line) for line in self.heads]
        other.shown = []
        for line in self.shown:
            start = line if line in heads else line.head()
            again = head(start)
            for step in line.since(start) or []:
                again = again.step(step.match.move)
            other.shown.append(again)
        other._abandoned, other._parking, other._elders = {}, {}, []
        other._rejected = set()
        other._odd = set(self.shown[0].sight.places)
        other._past = {}
        other._most_steps = steps
        return other

    def named(self, text: str) -> tuple[list[Line], float]:
        """Return the lines that go on from what is shown by a move of that text of which sensors
        show nothing, or not all but all that there is to see, and until when they saw it. The next
        player may have lifted a man since; a move that shows nothing at all says nothing of what
        hands do meanwhile.
        """
        found, since = [], self._cut
        for line in self.shown:
            game, position = line.match.game, line.match.position
            differs = self.difference(line, line.sight.cells)
            for footprint in line.within({place for place, _ in differs}):
                if game.move_text(position, footprint.move) != text or footprint.arrivals:
                    continue
                after = line.step(footprint.move, footprint)
                later = self.forward(after)
                if not (footprint.cells or footprint.trays):
                    found.append(after)
                elif not self._incomplete(footprint, after) and not any(
                    reading or not any(place in each.leaves for each in later.touching({place}))
                    for place, reading in self.difference(after, line.sight.cells)
                ):
                    edges = [at for place in footprint.cells for at, _ in self._edges.of(place)]
                    since = max([since, *edges])
                    found.append(after)
        return found, since

    @property
    def put_since(self) -> bool:
        """Whether anything was put anywhere since the lines were read."""
        return self._put_at > self._read_up_to

    def mismatch(self) -> tuple[tuple[Place, ...], tuple[Place, ...]]:
        """Return the cells to fill or turn, and the cells to empty, to match what is shown."""
        line = self.shown[0]
        differs = self.difference(line, line.sight.cells)
        put = sorted(place for place, _ in differs if place in line.expected)
        take = sorted(place for place, _ in differs if place not in line.expected)
        return tuple(put), tuple(take)


def _parking(start: Line, off: Difference, captors: int = 1) -> list[Footprint]:
    """Return the captures of which the captured men have been lifted and stand on empty cells, and
    so many captors are in a hand.
    """
    lifted = {place for place, reading in off if not reading}
    parked = Counter(reading for place, reading in off if reading and place not in start.expected)
    men = parked.total()
    if not men or len(lifted) != men + captors or len(off) != men + len(lifted):
        return []
    return [
        each
        for each in start.touching(lifted)
        if parked <= Counter(start.expected[p] for p, _ in each.arrivals if p in lifted)
    ]
