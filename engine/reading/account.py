"""An account of a match: the current reading, and all histories that are still possible.

The last ply of the reading is provisional: a hand may still revise it. The session decides what is
shown; this module does not interpret the levels.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import TypeVar

from engine.game import CHANCE, Place, Throw
from engine.reading.decoding import Decoder
from engine.reading.distinguish import distinguish
from engine.reading.evidence import STEPS_KEPT
from engine.reading.footprints import Reading
from engine.reading.history import History
from engine.reading.sayings import Said

Found = TypeVar("Found")


class Account:
    """The current reading of a match, and its possible revisions.

    `shown` are the histories as read, with the provisional last ply; `confirmed` are the same
    histories without it. There are several of each while a question is open.
    """

    def __init__(self, lines: Iterable[History], levels: Mapping[Place, Reading]) -> None:
        """Begin with all `lines`: a resumed match may have an open question."""
        self.shown = list(lines)
        self.confirmed = list(self.shown)
        if len(self.shown) > 1:
            self.confirmed = list(dict.fromkeys(line.head() for line in self.shown))
        self.levels = dict(levels)
        """The debounced reading of every sensed place that is not empty."""
        self.likeliest: tuple[History, float] = self.shown[0], 0.0
        """The history that explained most at the last search, even with a piece still in a hand,
        and what it leaves unexplained since the board was last right.
        """
        self.throws: list[Throw] = _throws(self.shown[0])
        self.at = 0.0
        """The time when the shown reading was finished."""
        # A bound method here would create a reference cycle.
        self.decoder = Decoder(partial(_forward, self.throws))
        """All histories that are still possible."""
        self.due = 0
        """The number of throws that no takeback has undone. A player who throws has seen the moves
        before.
        """
        self.thrown_at = float("-inf")
        """The time of the last throw."""
        # The histories that `next_move_will_show` was last asked about, and its answer.
        self._foreseen: tuple[tuple[History, ...], bool] = (), False
        self.decoder.begin(self.shown, self.levels, None)

    def forward(self, line: History) -> History:
        """Return the history with the known throws and the forced passes."""
        return _forward(self.throws, line)

    # ---- what comes in

    def touch(self, at: float, place: Place, reading: Reading) -> None:
        """Record a raw edge: `place` read `reading` from `at` on, however briefly."""
        self.decoder.touch(at, place, reading)

    def say(self, said: Said) -> None:
        """Record what people say."""
        self.decoder.say(said)

    def level(self, place: Place, reading: Reading) -> None:
        """Record a debounced level."""
        if reading:
            self.levels[place] = reading
        else:
            self.levels.pop(place, None)

    def throw(self, throw: Throw, after: int | None = None) -> None:
        """Record a throw; the histories that wait for one take it.

        `after` is the number of throws before it: later throws are dropped if nothing was played
        with them.
        """
        if after is not None:
            del self.throws[after:]
        self.throws.append(throw)
        self.due, self.thrown_at = len(self.throws), self.decoder.now
        forward = self.forward if after is None else partial(_with_corrected_throw, self.throws)
        self.confirmed = [forward(line) for line in self.confirmed]
        self.shown = [forward(line) for line in self.shown]
        # A piece may have moved before its throw was reported.
        self.decoder = self.decoder.processed_again(forward)

    def throw_instead(self, throw: Throw, after: int) -> None:
        """Replace the throw that followed `after` others, because people corrected it.

        Hands may have moved since.
        """
        fell_at = self.thrown_at
        self.throw(throw, after)
        self.thrown_at = fell_at

    # ---- what the session decides

    def show(self, lines: Iterable[History], since: float) -> None:
        """Take `lines`, which explain the levels since the time `since`, as the reading.

        Plies that another ply follows become final.
        """
        old_confirmed = self.confirmed
        self.shown, self.at = [self.forward(line) for line in lines], since
        longest = max(self.shown, key=lambda line: line.throws)
        if all(line in old_confirmed for line in self.shown):  # retracted, or nothing provisional
            self.confirmed = list(self.shown)
            if longest.throws < len(self.throws):
                del self.throws[longest.throws :]
                self.decoder.forget_ahead()
        else:
            self.confirmed = list(dict.fromkeys(line.head() for line in self.shown))
            if not any(head in old_confirmed for head in self.confirmed):
                self._forget_old_moves()
        if longest.throws > len(self.throws):  # a history that was given up is shown again
            self.throws[:] = _throws(longest)
            self.confirmed = [self.forward(line) for line in self.confirmed]
            self.shown = [self.forward(line) for line in self.shown]
            self.decoder.replace(self.forward)
            self.decoder.forget_ahead()
        self.due = min(self.due, len(self.throws))

    def go_back(self, lines: Iterable[History], since: float) -> None:
        """Accept that pieces went back to `lines`, which explain the levels since `since`.

        If the sensors saw each piece go back, the next plies may still show that play went on with
        the current throws. So these throws stay until others fall.
        """
        lines = list(lines)
        if not all(map(self.decoder.has_gone_back_to, lines)):
            self.restart(lines, since)
            return
        self.due = min(self.due, max(line.throws for line in lines))
        self.shown = lines
        self.confirmed = list(lines)
        self.at = since

    def commit(self, lines: Iterable[History], said: Collection[History]) -> None:
        """Accept that one of these histories was played: people confirmed the part `said` of them.

        Later sensor changes are kept and may still revise the rest.
        """
        lines = list(lines)
        if at_once(self.decoder.commit(said)):
            self.show(lines, self.at)
        else:
            self.continue_from(lines)

    def continue_from(self, lines: Iterable[History]) -> None:
        """Continue from `lines` because people named them, even if no sensor saw it.

        Throws and sensor changes since the shown reading are kept.
        """
        throws, due = list(self.throws), self.due
        self.restart(lines, self.at)
        self.throws[:], self.due = throws, due
        self.shown = [self.forward(line) for line in self.shown]
        self.confirmed = list(self.shown)
        self.decoder.replace(self.forward)

    def restart(self, lines: Iterable[History], since: float | None = None) -> None:
        """Restart from `lines` with nothing provisional, after a claim or a set-up.

        Sensor changes after `since` are kept.
        """
        lines = list(lines)
        del self.throws[max(line.throws for line in lines) :]
        self.due = min(self.due, len(self.throws))
        self.shown = [self.forward(line) for line in lines]
        self.confirmed = list(self.shown)
        self.decoder.begin(self.shown, self.levels, since)

    def restart_unseen(self, lines: Iterable[History], trays: Collection[Place]) -> None:
        """Restart from `lines`, which may have been played unseen; `trays` were full before."""
        self.restart(lines)
        self.decoder.assume_trays_full(trays)

    def show_unseen(self, line: History, trays: Collection[Place]) -> None:
        """Take a history as the reading that adds an unseen ply, which may still be revised."""
        self.restart_unseen([*self.shown, line], trays)
        self.confirmed = self.shown = self.shown[:-1]
        self.show([line], self.decoder.now)

    def rest(self, since: float) -> Generator[None, None, bool]:
        """Charge, step by step, for touches before `since`, when all pieces came to rest as shown.

        Return whether every piece is where it belongs, none parked and none held from a tray.
        """
        return self.decoder.rest(since, self.shown)

    def _forget_old_moves(self) -> None:
        """Free the memory for moves that were possible long ago."""
        self._foreseen = (), False
        for line in self.confirmed:
            for step in islice(line.latest(), STEPS_KEPT, STEPS_KEPT + 1):
                step.forget()

    # ---- what may be asked of it

    def changed(self, place: Place, until: float = float("inf")) -> float:
        """Return the time of the last touch of a place up to a time; long ago if there was none."""
        return self.decoder.edges.changed(place, until)

    def touched(self, place: Place) -> bool:
        """Return whether `place` was touched since all pieces last rested where they belong."""
        return self.decoder.touched_since_rest(place)

    @property
    def put_since(self) -> bool:
        """Whether any piece was put down since the last reading."""
        return self.decoder.put_since(self.at)

    @property
    def said_since(self) -> bool:
        """Whether people have said anything since the last reading."""
        return self.decoder.said_since(self.at)

    def next_move_will_show(self) -> bool:
        """Return whether the next move is likely to show which of the histories was played.

        That is so if many moves after one are impossible after the others: for instance if the turn
        is unsure and each player has a tray.
        """
        lines = tuple(self.shown)
        if self._foreseen[0] != lines:
            self._foreseen = lines, distinguish(*lines)
        return self._foreseen[1]

    # ---- masked sensors

    def remask(self, masked: frozenset[Place]) -> None:
        """Mask these sensors from the time when all pieces last rested where they belong."""
        remasked = self._with_masked(masked)
        self.decoder = self.decoder.processed_again(remasked)

    def remask_from_now_on(self, masked: frozenset[Place], now: float) -> None:
        """Mask these sensors from now on; the evidence and the hypotheses so far stay."""
        at_once(self.decoder.seal(now))
        self.decoder.replace_from_now_on(self._with_masked(masked), self.levels)

    def _with_masked(self, masked: frozenset[Place]) -> Callable[[History], History]:
        """Mask sensors in the shown reading; return the function that does so to a history."""
        root = self.confirmed[0]
        while root.before is not None:
            root = root.before
        fresh = History(root.match, root.sight, masked, root.expected)

        def remasked(line: History) -> History:
            rebuilt = fresh
            for step in line.steps():
                rebuilt = rebuilt.step(step.match.move, match=step.match)
            return rebuilt

        self.confirmed = [remasked(line) for line in self.confirmed]
        self.shown = [remasked(line) for line in self.shown]
        return remasked


def _forward(throws: Sequence[Throw], line: History) -> History:
    """Return the history with the throws that it has not taken yet and forced passes."""
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


def _with_corrected_throw(throws: Sequence[Throw], line: History) -> History:
    """Return the history with the last throw in place of those taken since its last ply."""
    ply = line.before_the_dice()
    while line is not ply and line.throws >= len(throws) and line.before is not None:
        line = line.before
    return _forward(throws, line)


def _throws(line: History) -> list[Throw]:
    """Return the throws in a history."""
    return [step.move for step in line.match.steps() if isinstance(step.move, Throw)]


def at_once(search: Generator[None, None, Found]) -> Found:
    """Run a search to its end."""
    while True:
        try:
            next(search)
        except StopIteration as end:
            found: Found = end.value
            return found
