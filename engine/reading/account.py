"""An account of a match: what is read of it, what people said, and all lines still possible.

What is read is provisional at its end: a hand may still revise it. The session decides what is
shown; nothing here knows what the levels mean.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from copy import copy
from functools import partial
from typing import Self, TypeVar

from engine.game import CHANCE, Place, Throw
from engine.match import AnyMove
from engine.reading.answers import Answers, Moment, Undone, moment
from engine.reading.decoding import Decoder
from engine.reading.footprints import Reading
from engine.reading.lines import Line
from engine.reading.names_in_order import NamesInOrder
from engine.reading.standing import difference
from engine.reading.telling_apart import tell_apart
from engine.reading.tracks import Track

Found = TypeVar("Found")

ABSURD = 3.0  # a line that leaves more is not looked into, while another reader may explain it
STEPS_AGAIN = 16  # plies back from which lines are built anew without some sensors
STEPS_KEPT = 8  # plies back for which what could have been played is remembered


class Account:
    """What is read of a match, and what that may be revised to.

    `shown` are the lines as they are read, with the provisional ply at their end; `heads` are
    the same lines before that ply, which a hand may still revise. There are several of each
    while a question is open.
    """

    def __init__(self, line: Line) -> None:
        self.heads: list[Line] = [line]
        self.shown: list[Line] = [line]
        self.levels: dict[Place, Reading] = {}
        """The debounced reading of every sensed place that is not empty."""
        self.likeliest: tuple[Line, float] = line, 0.0
        """The line that explained most when it was looked for last, be it that a man is still in a
        hand, and what it leaves unexplained since the board was right."""
        self.throws: list[Throw] = _throws(line)
        self.asked = False
        """Whether people are asked which of the lines it is that are shown."""
        self.at = 0.0
        """When what is shown was finished."""
        self.answers = Answers()
        """What people said of it."""
        self.names = NamesInOrder()
        """The same, as they said it one after the other."""
        # Who was known to its own decoder would have to wait for the garbage collector.
        self.decoder = Decoder(
            partial(_forward, self.throws),
            self.answers.was_said,
            partial(_contradicted, self.answers),
            self.names,
        )
        """All lines that are still possible."""
        self.due = 0
        """How many throws there are which men have not gone back behind: who threw has seen the
        moves before.
        """
        self.thrown_at = float("-inf")
        """When the dice fell last."""
        self._verdicts = 0
        self._foreseen: tuple[tuple[Line, ...], bool] = (), False  # of these lines: time will tell
        self._counted: Line | None = None  # what all lines that were counted last go on from

    def forward(self, line: Line) -> Line:
        """Return the line with the throws that are known and the passes that are forced."""
        return _forward(self.throws, line)

    # ---- what comes in

    def touch(self, at: float, place: Place, reading: Reading) -> None:
        """Note a raw edge: `place` read `reading` from `at` on, however briefly."""
        self.decoder.touch(at, place, reading)

    def level(self, place: Place, reading: Reading) -> None:
        """Note a debounced level."""
        if reading:
            self.levels[place] = reading
        else:
            self.levels.pop(place, None)

    def throw(self, throw: Throw, after: int | None = None) -> None:
        """Note a throw; the lines that wait for one take it. If it comes `after` so many, those
        that fell later are taken up again, as far as nothing has been played with them.
        """
        if after is not None:
            del self.throws[after:]
        self.throws.append(throw)
        self.due, self.thrown_at = len(self.throws), self.decoder.now
        forward = self.forward if after is None else partial(_thrown_anew, self.throws)
        self.heads = [forward(line) for line in self.heads]
        self.shown = [forward(line) for line in self.shown]
        # A man may have been moved before its throw was told.
        self.decoder = self.decoder.again(forward)

    def throw_instead(self, throw: Throw, after: int) -> None:
        """Note that the dice which fell after so many throws fell otherwise, as people correct it:
        that says nothing of what hands have done meanwhile.
        """
        fell_at = self.thrown_at
        self.throw(throw, after)
        self.thrown_at = fell_at

    def hear(self, text: str, at: float) -> None:
        """Note that people named a move then. What they named long before is soon forgotten: lines
        that have less of that in its turn than the likeliest are no longer possible.
        """
        self.names.hear(text, at)
        fewer = self.names.lacking_the_oldest(self.decoder.tracks)
        if fewer:
            self.decoder.keep(lambda line: line not in fewer)

    # ---- what the session decides

    def show(self, lines: Iterable[Line], since: float) -> None:
        """Take `lines`, which have explained the levels `since` that time, as read. Plies that a
        hand has followed up become final.
        """
        old_heads = self.heads
        self.decoder.give_up((*self.shown, *self.heads))
        self.shown = [self.forward(line) for line in lines]
        if all(line in old_heads for line in self.shown):  # retracted, or nothing provisional
            self.heads = list(self.shown)
        else:
            self.heads = list(dict.fromkeys(line.head() for line in self.shown))
            if not any(head in old_heads for head in self.heads) and not self.is_behind:
                self.decoder.give_up(self.answers.rejected)
                self.answers.forget_lines()
                self._forget_what_is_long_past()
        self.at = since
        if all(line in old_heads for line in self.shown):
            known = max(line.throws for line in self.shown)
            if known < len(self.throws):
                del self.throws[known:]
                self.decoder.forget_ahead()
        longest = max(self.shown, key=lambda line: line.throws)
        if longest.throws > len(self.throws):  # a line that was given up is shown again
            self.throws[:] = _throws(longest)
            self.heads = [self.forward(line) for line in self.heads]
            self.shown = [self.forward(line) for line in self.shown]
            self.decoder.replace(self.forward)
            self.decoder.forget_ahead()
        self.due = min(self.due, len(self.throws))
        self._count()

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
        base, plies = self._counted, 0  # the start is always as it was
        steps = [line.steps() if base is None else line.since(base) for line in self.shown]
        if base is not None and None not in steps:
            plies = base.match.plies  # up to there all is as it was
        else:
            steps = [line.steps() for line in self.shown]
        played: dict[Moment, list[AnyMove]] = {}
        for each in steps:
            for at in each or ():
                played.setdefault(moment(at), []).append(at.match.move)
        self.answers.keep(plies, played)
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
        self._settle_in(None)

    def go_back(self, lines: Iterable[Line], since: float) -> None:
        """Take it that men went back as far as `lines`, which have explained the levels `since`
        that time. Where each man was seen to go back, what hands do next may still tell that they
        played on, with the throws that stand now; so these stand till others fall.
        """
        lines = list(lines)
        if not all(map(self.decoder.has_gone_back_to, lines)):
            self.restart(lines, since)
            return
        self.due = min(self.due, max(line.throws for line in lines))
        self.shown = lines
        self.heads = list(lines)
        self.at = since
        self.answers.forget_lines()
        self._count()

    def go_on(self, lines: Iterable[Line], since: float | None = None) -> None:
        """Go on from `lines`, for people said so, be it that no sensor saw it; what hands have
        begun `since` is not forgotten, nor any throw.
        """
        lines, throws, due = list(lines), list(self.throws), self.due
        self.restart(lines, since)
        self.throws[:], self.due = throws, due
        self.shown = [self.forward(line) for line in self.shown]
        self.heads = list(self.shown)
        self.decoder.replace(self.forward)

    def hold(self) -> None:
        """Take what is shown as final; what hands have begun since is not forgotten."""
        throws, due = list(self.throws), self.due
        self.restart(self.shown, self.at)
        self.throws[:], self.due = throws, due

    def restart(
        self, lines: Iterable[Line], since: float | None = None, afresh: bool = True
    ) -> None:
        """Go on from `lines`, with nothing provisional: after a claim, a set-up. What was touched
        after `since` is not forgotten. Unless `afresh`, what hands did before may still turn out to
        be something else, if other sensors are believed.
        """
        lines = list(lines)
        if _least(lines) < _least(self.heads):
            self.names.forget()
        del self.throws[max(line.throws for line in lines) :]
        self.due = min(self.due, len(self.throws))
        self.shown = [self.forward(line) for line in lines]
        self.heads = list(self.shown)
        if not afresh:
            self.at = self.decoder.now  # what was put before is not put since then
        self._settle_in(since, afresh)

    def _settle_in(self, since: float | None, afresh: bool = True) -> None:
        self.answers.forget_lines()
        self.decoder.begin(self.shown, self.levels, since, afresh)
        self._count()

    def rest(self, since: float) -> Generator[None, None, bool]:
        """All men have stood still since then, as they are shown: pay for what was touched before,
        step by step; return whether none is parked, and none in a hand that took it from a tray.
        """
        if self.decoder.is_lost and not difference(self.shown[0], self.levels):
            self.restart(self.shown)  # all men were put back
        return self.decoder.rest(since, self.shown)

    def _forget_what_is_long_past(self) -> None:
        """Give back the memory of what could have been played long ago."""
        self._foreseen = (), False
        for line in self.heads:
            step: Line | None = line
            for _ in range(STEPS_KEPT):
                step = step.before if step is not None else None
            if step is not None:
                step.forget()

    # ---- what may be asked of it

    def may_be(self, track: Track) -> bool:
        """Whether a track agrees with what people said."""
        return not (
            self.answers.rule_out(track.line, self.heads, track.undone)
            or self._stops_short(track.line, track.undone)
        )

    def _stops_short(self, line: Line, undone: Undone) -> bool:
        """Whether a line ends before a move that people named, and that was not undone since: it is
        the next one, or later in all that is shown.
        """
        stops_short = self.answers.stops_short
        return stops_short(line, undone) or all(
            any(stops_short(step.head(), undone) for step in shown.since(line) or ())
            for shown in self.shown
        )

    def missed(self, line: Line) -> int:
        """Return how many of the names that people said neither a line nor what was taken back on
        the way to it has in their turn.
        """
        track = self.decoder.track_of(line)
        return self.names.missed(line) if track is None else self.names.missed_by(track)

    @property
    def is_behind(self) -> bool:
        """Whether so much is open that what hands have done since waits for answers."""
        return self.decoder.is_behind

    def changed(self, place: Place) -> float:
        """Return when a place was touched last; long ago if it never was."""
        return self.decoder.edges.changed(place)

    def touched(self, place: Place) -> bool:
        """Whether `place` was touched since all men stood still where they belong."""
        return self.decoder.touched_since_rest(place)

    @property
    def put_since(self) -> bool:
        """Whether anything was put anywhere since the lines were read."""
        return self.decoder.put_since(self.at)

    def time_will_tell(self) -> bool:
        """Whether the next move is likely to show which of the lines it is: many moves that are
        possible after one of them would be seen to be none after the other, as when it is unsure
        whose turn it is and each player takes men from a tray of his own.
        """
        if self.is_behind:
            return False  # the next moves are not looked at before people have answered
        at_once(self.foresee(self.shown))
        return self._foreseen[1]

    def foresee(self, lines: Sequence[Line]) -> Generator[None, None, None]:
        """Find out, step by step, whether time will tell which of `lines` it is, if they are shown
        next.
        """
        if self._foreseen[0] != (lines := tuple(lines)):
            self._foreseen = lines, (yield from tell_apart(*lines))

    # ---- sensors that are not believed

    def remask(self, masked: frozenset[Place], after: Line | None = None) -> None:
        """Believe all sensors but `masked` since all men stood still last where they belong, or
        since they first did before what was played `after` a line.
        """
        root = self.heads[0]
        while root.before is not None:
            root = root.before
        fresh = Line(root.match, root.sight, masked, root.expected)

        def again(line: Line) -> Line:
            rebuilt = fresh
            for step in line.steps():
                rebuilt = rebuilt.step(step.match.move, match=step.match)
                rebuilt.read = step.read
            return rebuilt

        self.heads = [again(line) for line in self.heads]
        self.shown = [again(line) for line in self.shown]
        self.answers.replace_rejected(map(again, self.answers.rejected))
        before = self.decoder
        self.decoder = before.again(again, anew=True, after=after)
        self.decoder.follow(before)

    def without(
        self,
        places: frozenset[Place],
        instead: frozenset[Place] = frozenset(),
        after: Line | None = None,
    ) -> Generator[None, None, Self]:
        """Return, made step by step, another reader that has seen the same, but does not believe
        `places`, be it `instead` of others, since all men stood still last where they belong, or
        since they first did before what was played `after` a line.
        """
        masked = (self.shown[0].masked - instead) | places
        known: dict[Line, Line] = {}

        def again(line: Line) -> Line:
            steps: list[Line] = []
            start = line
            while start not in known and start.before is not None and len(steps) < STEPS_AGAIN:
                steps.append(start)
                start = start.before
            if start not in known:
                past = start.before, start.footprint
                known[start] = Line(start.match, start.sight, masked, start.expected, *past)
            rebuilt = known[start]
            for step in reversed(steps):
                rebuilt = known[step] = rebuilt.step(step.match.move, match=step.match)
            return rebuilt

        for line in dict.fromkeys((*self.heads, *self.shown, *self.decoder.lines_at_rest(after))):
            again(line)
            yield
        other = copy(self)
        other.heads = [again(line) for line in self.heads]
        other.shown = [again(line) for line in self.shown]
        other.answers = self.answers.without_rejected()
        other.throws = list(self.throws)
        forward = partial(_forward, other.throws)
        # What hands left unexplained since then on the way to what is shown, they did leave.
        left = max(0.0, self.decoder.rested[0] - self.decoder.cost_before(after))
        other.decoder = self.decoder.again(again, ABSURD + left, forward, True, after)
        return other

    def let_go(self) -> Generator[None, None, None]:
        """Give back the memory of a reader that is asked no more, step by step."""
        self.decoder.give_up((*self.shown, *self.heads))
        self.shown, self.heads = [], []
        yield from self.decoder.let_go()


def _forward(throws: Sequence[Throw], line: Line) -> Line:
    """Return the line with those of the throws that it has not taken yet, and forced passes."""
    while True:
        match = line.match
        if match.turn != CHANCE:
            forced = match.forced_pass()
            if forced is None:
                return line
            line = line.step(forced)
        elif line.throws < len(throws) and throws[line.throws] in match.legal:
            line = line.step(throws[line.throws])
        else:
            return line


def _thrown_anew(throws: Sequence[Throw], line: Line) -> Line:
    """Return the line with the last of the throws in the place of those from there on that it has
    taken since its last ply.
    """
    ply = line.before_the_dice()
    while line is not ply and line.throws >= len(throws) and line.before is not None:
        line = line.before
    return _forward(throws, line)


def _contradicted(answers: Answers, track: Track) -> bool:
    """Whether people said otherwise than a track has it."""
    return answers.contradict(track.line, track.undone)


def _least(lines: Iterable[Line]) -> int:
    """Return how many plies the shortest of some lines has."""
    return min(line.match.plies for line in lines)


def _throws(line: Line) -> list[Throw]:
    """Return the throws in a line."""
    return [step.move for step in line.match.line() if isinstance(step.move, Throw)]


def at_once(search: Generator[None, None, Found]) -> Found:
    """Go through a search to its end."""
    while True:
        try:
            next(search)
        except StopIteration as end:
            found: Found = end.value
            return found
