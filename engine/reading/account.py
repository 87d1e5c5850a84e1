"""An account of a match: what is read of it, and all lines that are still possible.

What is read is provisional at its end: a hand may still revise it. The session decides what is
shown; nothing here knows what the levels mean.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import TypeVar

from engine.game import CHANCE, Place, Throw
from engine.reading.decoding import Decoder
from engine.reading.distinguish import tell_apart
from engine.reading.evidence import STEPS_KEPT
from engine.reading.footprints import Reading
from engine.reading.history import History

Found = TypeVar("Found")


class Account:
    """What is read of a match, and what that may be revised to.

    `shown` are the lines as they are read, with the provisional ply at their end; `heads` are
    the same lines before that ply, which a hand may still revise. There are several of each
    while a question is open.
    """

    def __init__(self, lines: Iterable[History], levels: Mapping[Place, Reading]) -> None:
        """Begin with all of `lines`: of a match that is resumed, its questions still open."""
        self.shown = list(lines)
        self.heads = list(self.shown)
        if len(self.shown) > 1:
            self.heads = list(dict.fromkeys(line.head() for line in self.shown))
        self.levels = dict(levels)
        """The debounced reading of every sensed place that is not empty."""
        self.likeliest: tuple[History, float] = self.shown[0], 0.0
        """The line that explained most when it was looked for last, be it that a piece is still in
        a hand, and what it leaves unexplained since the board was right.
        """
        self.throws: list[Throw] = _throws(self.shown[0])
        self.at = 0.0
        """When what is shown was finished."""
        # Who was known to its own decoder would have to wait for the garbage collector.
        self.decoder = Decoder(partial(_forward, self.throws))
        """All lines that are still possible."""
        self.due = 0
        """How many throws there are which pieces have not gone back behind: who threw has seen the
        moves before.
        """
        self.thrown_at = float("-inf")
        """When the dice fell last."""
        self._foreseen: tuple[tuple[History, ...], bool] = (
            (),
            False,
        )  # of these lines: time will tell
        self.decoder.begin(self.shown, self.levels, None)

    def forward(self, line: History) -> History:
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
        # A piece may have been moved before its throw was told.
        self.decoder = self.decoder.again(forward)

    def throw_instead(self, throw: Throw, after: int) -> None:
        """Note that the dice which fell after so many throws fell otherwise, as people correct it:
        that says nothing of what hands have done meanwhile.
        """
        fell_at = self.thrown_at
        self.throw(throw, after)
        self.thrown_at = fell_at

    # ---- what the session decides

    def show(self, lines: Iterable[History], since: float) -> None:
        """Take `lines`, which have explained the levels `since` that time, as read. Plies that a
        hand has followed up become final.
        """
        old_heads = self.heads
        self.shown, self.at = [self.forward(line) for line in lines], since
        longest = max(self.shown, key=lambda line: line.throws)
        if all(line in old_heads for line in self.shown):  # retracted, or nothing provisional
            self.heads = list(self.shown)
            if longest.throws < len(self.throws):
                del self.throws[longest.throws :]
                self.decoder.forget_ahead()
        else:
            self.heads = list(dict.fromkeys(line.head() for line in self.shown))
            if not any(head in old_heads for head in self.heads):
                self._forget_what_is_long_past()
        if longest.throws > len(self.throws):  # a line that was given up is shown again
            self.throws[:] = _throws(longest)
            self.heads = [self.forward(line) for line in self.heads]
            self.shown = [self.forward(line) for line in self.shown]
            self.decoder.replace(self.forward)
            self.decoder.forget_ahead()
        self.due = min(self.due, len(self.throws))

    def go_back(self, lines: Iterable[History], since: float) -> None:
        """Take it that pieces went back as far as `lines`, which have explained the levels `since`
        that time. Where each piece was seen to go back, what hands do next may still tell that they
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

    def commit(self, lines: Iterable[History], said: Collection[History]) -> None:
        """Take it that one of these lines was played, for people said so as far as what was `said`
        in them; what hands have done since is not forgotten, and may still be revised.
        """
        lines = list(lines)
        if at_once(self.decoder.commit(said)):
            self.show(lines, self.at)
        else:
            self.go_on(lines)

    def go_on(self, lines: Iterable[History]) -> None:
        """Go on from `lines`, for people said so, be it that no sensor saw it. What hands have
        begun since what was shown is not forgotten, nor any throw.
        """
        throws, due = list(self.throws), self.due
        self.restart(lines, self.at)
        self.throws[:], self.due = throws, due
        self.shown = [self.forward(line) for line in self.shown]
        self.heads = list(self.shown)
        self.decoder.replace(self.forward)

    def restart(self, lines: Iterable[History], since: float | None = None) -> None:
        """Go on from `lines`, with nothing provisional: after a claim, a set-up. What was touched
        after `since` is not forgotten.
        """
        lines = list(lines)
        del self.throws[max(line.throws for line in lines) :]
        self.due = min(self.due, len(self.throws))
        self.shown = [self.forward(line) for line in lines]
        self.heads = list(self.shown)
        self.decoder.begin(self.shown, self.levels, since)

    def restart_unseen(self, lines: Iterable[History], trays: Collection[Place]) -> None:
        """Go on from `lines`, which may have been played while nobody looked; these `trays` held
        what they should before.
        """
        self.restart(lines)
        self.decoder.owe_nothing(trays)

    def show_unseen(self, line: History, trays: Collection[Place]) -> None:
        """Take a line as read that adds a ply to what is shown, which nobody has seen: it may still
        be revised.
        """
        self.restart_unseen([*self.shown, line], trays)
        self.heads = self.shown = self.shown[:-1]
        self.show([line], self.decoder.now)

    def rest(self, since: float) -> Generator[None, None, bool]:
        """All pieces have stood still since then, as they are shown: pay for what was touched
        before, step by step; return whether none is parked, and none in a hand that took it from a
        tray.
        """
        return self.decoder.rest(since, self.shown)

    def _forget_what_is_long_past(self) -> None:
        """Give back the memory of what could have been played long ago."""
        self._foreseen = (), False
        for line in self.heads:
            for step in islice(line.latest(), STEPS_KEPT, STEPS_KEPT + 1):
                step.forget()

    # ---- what may be asked of it

    def changed(self, place: Place) -> float:
        """Return when a place was touched last; long ago if it never was."""
        return self.decoder.edges.changed(place)

    def touched(self, place: Place) -> bool:
        """Whether `place` was touched since all pieces stood still where they belong."""
        return self.decoder.touched_since_rest(place)

    @property
    def put_since(self) -> bool:
        """Whether anything was put anywhere since the lines were read."""
        return self.decoder.put_since(self.at)

    def time_will_tell(self) -> bool:
        """Whether the next move is likely to show which of the lines it is: many moves that are
        possible after one of them would be seen to be none after the other, as when it is unsure
        whose turn it is and each player takes pieces from a tray of his own.
        """
        lines = tuple(self.shown)
        if self._foreseen[0] != lines:
            self._foreseen = lines, tell_apart(*lines)
        return self._foreseen[1]

    # ---- sensors that are not believed

    def remask(self, masked: frozenset[Place]) -> None:
        """Believe all sensors but `masked` since all pieces stood still last where they belong."""
        again = self._with_masked(masked)
        self.decoder = self.decoder.again(again)

    def remask_from_now_on(self, masked: frozenset[Place], now: float) -> None:
        """Believe all sensors but `masked` from now on: what was seen before was seen, and what was
        possible by that still is.
        """
        at_once(self.decoder.seal(now))
        self.decoder.go_on_with(self._with_masked(masked), self.levels)

    def _with_masked(self, masked: frozenset[Place]) -> Callable[[History], History]:
        """Let what is shown believe all sensors but `masked`; return what does so to a line."""
        root = self.heads[0]
        while root.before is not None:
            root = root.before
        fresh = History(root.match, root.sight, masked, root.expected)

        def again(line: History) -> History:
            rebuilt = fresh
            for step in line.steps():
                rebuilt = rebuilt.step(step.match.move, match=step.match)
            return rebuilt

        self.heads = [again(line) for line in self.heads]
        self.shown = [again(line) for line in self.shown]
        return again


def _forward(throws: Sequence[Throw], line: History) -> History:
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


def _thrown_anew(throws: Sequence[Throw], line: History) -> History:
    """Return the line with the last of the throws in the place of those from there on that it has
    taken since its last ply.
    """
    ply = line.before_the_dice()
    while line is not ply and line.throws >= len(throws) and line.before is not None:
        line = line.before
    return _forward(throws, line)


def _throws(line: History) -> list[Throw]:
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
