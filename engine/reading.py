"""Reading hands: what the lines that are still possible mean for the board.

Each legal move leaves a footprint: the cells it changes and what they read afterwards. The reader
is told every raw edge (a place that was lifted or filled, however briefly) and the debounced
levels; `engine.decoding` finds the lines of play that the edges tell of, with what each leaves
unexplained. Lines that cost nearly the same are all kept, and the verdict is Ambiguous. The reader
knows no game, no clock and no lights; how long a verdict must stand is the session's business.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from copy import copy
from dataclasses import replace
from functools import partial
from typing import TypeVar

from engine.answers import Answers, Moment, moment
from engine.beam import NEAR
from engine.decoding import Decoder
from engine.footprints import Line, Reading
from engine.game import CHANCE, Attempt, Place, Throw
from engine.match import AnyMove
from engine.standing import difference, underway
from engine.telling_apart import tell_apart, up_to_the_same_ply
from engine.verdicts import DOUBTFUL, ODD, Ambiguous, Doubt, Settled, Still, Underway, Verdict
from engine.weighing import CLEARED_AFTER, End, Track

Found = TypeVar("Found")

MARGIN = 0.25  # lines that differ by less cannot be told apart
DECIDED = 0.6  # … nor is it decided by less which of those it was that people are asked about
WAITS = 0.6  # … and what needs a man in a hand waits for it, if what needs none is so near
CONVINCING = 2.0  # a ply that costs more must be followed by another to be believed
BELIEVED = 3.0  # a move that people name may leave so much more unexplained than another
ABSURD = 3.0  # … nor looked into, while another reader may explain it
FOR_EACH = 0.3  # … and as much more for each ply after the first
OVERDUE = 1.5  # the dice were thrown for the next ply
LINES_KEPT = 48  # while questions are open
LONG_BEFORE = 2.0  # seconds after which a place that is off is no part of what a hand does
STEPS_AGAIN = 16  # plies back from which lines are built anew without some sensors
STEPS_KEPT = 8  # plies back for which what could have been played is remembered


class Reader:
    """Explains what hands do from the lines that are still possible.

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
        self.decoder = Decoder(self.forward, lambda line: self.answers.names(line))
        """All lines that are still possible."""
        self._due = 0  # how many throws there are, if the last one came before the move was read
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

    def throw(self, throw: Throw) -> None:
        """Note a throw; the lines that wait for one take it."""
        self.throws.append(throw)
        if any(line.match.turn != CHANCE for line in self.shown):
            self._due = len(self.throws)
        self.heads = [self.forward(line) for line in self.heads]
        self.shown = [self.forward(line) for line in self.shown]
        # A man may have been moved before its throw was told.
        self.decoder = self.decoder.again(self.forward)

    # ---- what the session decides

    def show(self, lines: Iterable[Line], since: float) -> None:
        """Take `lines`, which have explained the levels `since` that time, as read. Plies that a
        hand has followed up become final.
        """
        old_heads = self.heads
        self.decoder.give_up(self.shown)
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
            self.throws = _throws(longest)
            self.heads = [self.forward(line) for line in self.heads]
            self.shown = [self.forward(line) for line in self.shown]
            self.decoder.replace(self.forward)
            self.decoder.forget_ahead()
        self._due = min(self._due, len(self.throws))
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
        base, plies = self._counted, -1
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
        played on, unless another throw stands now.
        """
        lines = list(lines)
        thrown = len(self.throws) > max(line.throws for line in lines)
        if thrown or not all(map(self.decoder.has_gone_back_to, lines)):
            self.restart(lines, since)
            return
        self.shown = lines
        self.heads = list(lines)
        self.at = since
        self.answers.forget_lines()
        self._count()

    def go_on(self, lines: Iterable[Line], since: float) -> None:
        """Go on from `lines`, which end with a move that people named and no sensor saw; what
        hands have begun `since` is not forgotten.
        """
        lines, throws = list(lines), list(self.throws)
        self.restart(lines, since)
        self.throws = throws
        self.shown = [self.forward(line) for line in self.shown]
        self.heads = list(self.shown)
        self.decoder.replace(self.forward)

    def hold(self) -> None:
        """Take what is shown as final; what hands have begun since is not forgotten."""
        throws = list(self.throws)
        self.restart(self.shown, self.at)
        self.throws = throws

    def restart(self, lines: Iterable[Line], since: float | None = None) -> None:
        """Go on from `lines`, with nothing provisional: after a claim, a set-up. What
        was touched after `since` is not forgotten.
        """
        lines = list(lines)
        del self.throws[max(line.throws for line in lines) :]
        self.shown = [self.forward(line) for line in lines]
        self.heads = list(self.shown)
        self._settle_in(since)

    def _settle_in(self, since: float | None) -> None:
        self.answers.forget_lines()
        self.decoder.begin(self.shown, self.levels, since)
        self._count()

    def changed(self, place: Place) -> float:
        """Return when a place was touched last; long ago if it never was."""
        return self.decoder.edges.changed(place)

    def touched(self, place: Place) -> bool:
        """Whether `place` was touched since all men stood still where they belong."""
        return self.decoder.touched_since_rest(place)

    def rest(self, since: float) -> Generator[None, None, bool]:
        """All men have stood still since then, as they are shown: pay for what was touched before,
        step by step; return whether none is parked, and none in a hand that took it from a tray.
        """
        if self.decoder.is_lost and not difference(self.shown[0], self.levels):
            self.restart(self.shown)  # all men were put back
        return self.decoder.rest(since)

    def _forget_what_is_long_past(self) -> None:
        """Give back the memory of what could have been played long ago."""
        self._foreseen = (), False
        for line in self.heads:
            step: Line | None = line
            for _ in range(STEPS_KEPT):
                step = step.before if step is not None else None
            if step is not None:
                step.forget()

    # ---- what it makes of it

    def verdict(self, now: float, patient: bool = False) -> Verdict:
        """Say what the lines of play mean; when `patient`, for nothing has changed in a while,
        also by plies of which something was not seen.
        """
        return _at_once(self.search(now, patient))

    def search(self, now: float, patient: bool = False) -> Generator[None, None, Verdict]:
        """Return the same as a search that goes step by step. Edges that come in meanwhile do not
        matter to it.
        """
        is_over = self.shown[0].match.outcome is not None and now > self.at + CLEARED_AFTER
        if is_over and self.decoder.is_cleared(self.shown):
            self.decoder.keep(lambda line: line in self.shown)
        wanted = self.may_be if self.answers else None
        ends = yield from self.decoder.ends(now, self.levels, wanted)
        if any(self._overdue(end.line) for end in ends):
            ends = sorted(
                (replace(end, cost=end.cost + OVERDUE * self._overdue(end.line)) for end in ends),
                key=lambda end: end.cost,
            )
        if ends:
            self.likeliest = ends[0].line, self._unexplained_by(ends[0])
        if self.decoder.is_lost:
            return (
                (yield from self._unexplained())
                if difference(self.shown[0], self.levels)
                else Still()
            )
        if not patient:
            ends = [end for end in ends if end.track.weak < CONVINCING or end.line in self.shown]
        if not ends:
            return (yield from self._unexplained(patient))
        if self.decoder.is_behind:
            so_far = yield from self._so_far(ends)
            if so_far is not None:
                return so_far
            self.decoder.catch_up()  # there is nothing to ask
            return (yield from self.search(now, patient))
        limit = ends[0].cost + MARGIN
        asked: set[Line] = set()
        if self.asked and self._may_go_unseen:
            asked.update(self.shown)  # which stay answers a little longer
        kept = [
            end for end in ends if end.cost < (ends[0].cost + NEAR if end.line in asked else limit)
        ]
        if patient:  # a hand would have gone on: what leaves nothing in it is likelier
            kept = [end for end in kept if end.exact] or kept
            kept = [end for end in kept if not self._busy(end)] or kept
        if any(end.line in self.shown and end.exact for end in kept):
            kept = [end for end in kept if end.exact]  # and what is shown needs nothing else
        if not patient and not any(end.exact for end in kept):
            limit += WAITS - MARGIN
            if any(end.exact and end.cost < limit and end.line not in self.heads for end in ends):
                # A man in a hand will come down, if it is in a hand.
                return (yield from self._unexplained())
        parked = any(end.parked for end in kept)
        if any(end.exact for end in kept):  # if a man is parked, it will soon be taken off
            kept = [end for end in kept if not end.parked]
            kept += self._still_open(kept, ends)
        lines = tuple(end.line for end in kept)
        stray = self._strays(kept[0]) if patient else frozenset()
        if all(end.parked and end.line not in self.shown for end in kept):
            return Underway(lines[0].head(), lines[0].last_ply())
        if any(self._busy(end) for end in kept) and not stray:
            return (yield from self._unexplained(patient))
        if len(kept) > max(LINES_KEPT, len(self.shown)):
            # Too much is open: what follows waits for an answer.
            return (yield from self._unexplained())
        if all(line in self.shown for line in lines) and len(lines) == len(self.shown):
            return (yield from self._unexplained()) if any(end.held for end in kept) else Still()
        doubt = Doubt(
            self._unexplained_by(kept[0]),
            guessed=any(map(self._is_guessed, kept)),
            proven=all(map(_is_proven, kept)),
        )
        if doubt.forbids(patient):
            return (yield from self._unexplained(patient))
        news = {self._news(end.line) for end in kept}
        thrown = self.shown[0].throws  # who threw since has seen the move, whatever is in a hand
        bare = any(end.track.bare or (end.held and end.line.throws < thrown) for end in kept)
        if len(news) == 1 and (None not in news or len({line.match.text for line in lines}) == 1):
            (new,) = news
            line = lines[0]
            back = 0
            if new is None:
                shown = next((each for each in self.shown if each.since(line) is not None), None)
                if shown is not None and line not in self.heads:
                    back = shown.match.plies - line.match.plies
                plies = line.match.plies - self.heads[0].match.plies
            else:
                plies = len(new)
            # What was made before all men stood still would have been read then.
            past = back == 0 and plies > 0 and self.decoder.is_past(kept[0].track)
            doubt = replace(doubt, weak=past or kept[0].track.weak > DOUBTFUL)
            late, replaces = parked, new is None
            if replaces and plies > 0 and self.shown[0].match.outcome is not None:
                # Who sets up the men for another match may seem to have ended this one otherwise.
                if (begun := self._set_back()) is not None:
                    return begun
                late = late or kept[0].track.at > self.at + LONG_BEFORE
            return Settled(
                lines,
                rivals=any(self._rivals(end) for end in kept),
                bare=bare,
                doubt=doubt,
                plies=plies,
                back=back,
                strays=stray,
                replaces=replaces,
                late=late,
                overturns=self._overturns(line),
            )
        late = parked or any(end.late for end in kept)
        if (
            self._may_go_unseen
            and not stray
            and len(lines) <= LINES_KEPT
            and any(line not in self.shown for line in lines)
        ):  # who is asked may as well choose from a few more
            more = [
                end.line
                for end in ends
                if end.cost < ends[0].cost + NEAR
                and (end.parked or end.exact or not kept[0].exact)
                and (not self._busy(end) or (end.parked and end.line in self.shown))
            ]
            more = list(dict.fromkeys((*lines, *more)))
            if len(more) <= LINES_KEPT:
                lines = tuple(more)
        return Ambiguous(lines, late, bare, stray, doubt)

    def _still_open(self, kept: Sequence[End], ends: Sequence[End]) -> list[End]:
        """Return what goes on from those lines that are asked about from which nothing that is kept
        does, if it is not much less likely: no open question is decided by a guess.
        """
        limit = ends[0].cost + DECIDED
        likely = [end for end in ends if end.exact and not end.parked and end.cost < limit]
        found = []
        for shown in self.shown if self.asked else ():
            if all(end.line.since(shown) is None for end in kept):
                found += [end for end in likely if end.line.since(shown) is not None][:1]
        return found

    def taken_unseen(self, now: float) -> Generator[None, None, Ambiguous | None]:
        """Return, after a search that goes step by step, what it may have been if a man that has
        been missing for long took another between two looks; None if it can have taken none.
        """
        wanted = self.may_be if self.answers else None
        ends = yield from self.decoder.ends(now, self.levels, wanted)
        lines = [
            end.line
            for end in ends
            if end.exact
            and not end.late  # else its tray would tell
            and end.cost < ends[0].cost + BELIEVED
            and end.line.head() in self.shown
            and end.line not in self.shown
        ]
        return Ambiguous((*self.shown, *lines), late=False) if lines else None

    @property
    def _may_go_unseen(self) -> bool:
        """Whether moves are possible of which no sensor shows anything: what is likely is less sure
        then.
        """
        return any(line.silent for line in dict.fromkeys((*self.shown, *self.heads)))

    def _so_far(self, ends: Sequence[End]) -> Generator[None, None, Verdict | None]:
        """Say, after a search that goes step by step, what is known of the plies that another has
        followed, while what came later waits for answers; None if there is nothing to ask.
        """
        likely = [end for end in ends if end.cost < ends[0].cost + NEAR]
        lines = [end.line for end in likely if end.exact or not likely[0].exact]
        goes_on = any(line.since(shown) is not None for line in lines for shown in self.shown)
        for tips in ([line.head() for line in lines], lines):
            fewer: list[Line] = []
            found: list[Line] = []
            for told in up_to_the_same_ply(tips, LINES_KEPT):
                fewer, found = found, told
                yield
            if goes_on and max(line.match.plies for line in found) < self.shown[0].match.plies:
                found = self.shown
            if fewer and len(found) == 1 and found == self.shown:
                found = fewer  # which are not all that it may have been
            if set(found) != set(self.shown):
                return self._as_far_as(found)
            if len(found) > 1:
                return Still()  # it is asked already
        return None

    def _as_far_as(self, lines: Sequence[Line]) -> Settled | Ambiguous:
        """Return the verdict that reads these lines, which hands have gone on from."""
        if len(lines) > 1:
            return Ambiguous(tuple(lines), late=False)
        new = self._news(lines[0])
        plies = lines[0].match.plies - self.heads[0].match.plies if new is None else len(new)
        return Settled(tuple(lines), True, plies=plies, replaces=new is None)

    def _news(self, line: Line) -> tuple[AnyMove, ...] | None:
        """Return the moves that a line adds to what is shown; None where it replaces that."""
        for shown in self.shown:
            steps = line.since(shown)
            if steps is not None:
                return tuple(step.match.move for step in steps if step.footprint)
        return None

    def _unexplained_by(self, end: End) -> float:
        """Return how much a line leaves unexplained since all men stood still last, or people said
        what was played, beyond what hands leave anyway.
        """
        cost, plies = max(self.decoder.rested, self.decoder.accepted)
        return end.cost - cost - FOR_EACH * max(0, end.line.match.plies - plies - 1)

    def _is_guessed(self, end: End) -> bool:
        """Whether a line takes a man that no sensor saw to be taken, and no line shown does."""
        guess = end.track.guessed
        return (
            guess is not None
            and end.line.since(guess) is not None
            and all(shown.since(guess) is None for shown in self.shown)
        )

    def _overturns(self, line: Line) -> bool:
        """Whether a line would change what was final."""
        return not any(line.since(head) is not None for head in self.heads)

    def _overdue(self, line: Line) -> bool:
        """Whether it is still to be moved at the end of a line, though whoever threw the dice has
        seen the move.
        """
        return line.throws < self._due and line.match.turn != CHANCE

    def _busy(self, end: End) -> bool:
        """Whether a hand is at work that may change what an end tells."""
        if end.parked:
            return end.line not in self.shown
        return bool(end.lifted or end.extra) and not (end.held and end.line not in self.shown)

    def _strays(self, end: End) -> frozenset[Place]:
        """Return the place that reads what nothing explains, if it has for long."""
        off = end.lifted | end.extra
        if len(off) != 1 or end.held or end.line in self.shown or end.track.back:
            return frozenset()
        (place,) = off
        changed = self.decoder.edges.changed(place, end.track.at)
        return off if changed < end.track.begun - LONG_BEFORE else frozenset()

    def may_be(self, track: Track) -> bool:
        """Whether a track agrees with what people said."""
        line, undone = track.line, track.undone
        return not (
            self.answers.rule_out(line, self.heads, undone)
            or self.answers.stops_short(line, undone)
        )

    def _rivals(self, end: End) -> bool:
        """Whether a hand may go on from a line's last ply to another move."""
        if end.held:
            # What was read may only be adjusted, while its man is in the hand.
            return end.line in self.heads and any(
                not end.lifted.isdisjoint(ply.cells)
                for line in self.shown
                for ply in line.last_ply()
            )
        if end.track.back or end.lifted or end.extra or end.line in self.heads:
            return True
        head = end.line.head()
        found = end.line.last_ply()
        return not found or any(
            other.move != found[0].move for other in head.touching(found[0].cells)
        )

    def _set_back(self) -> Settled | None:
        """Say whether an old position stands on the board that is no chance, whatever hands have
        done for it: the start of the match, be it that its first turns were lost, or a position
        since which they have put down at least a man for every two plies. None if not.
        """
        shown = self.shown[0]
        cells, masked = shown.sight.cells, shown.masked
        now = frozenset(
            item for item in self.levels.items() if item[0] in cells and item[0] not in masked
        )
        puts = self.decoder.men_put_since(self.at)
        old = [step.before for step in reversed(shown.steps()) if step.before is not None]
        for line in (*old[-1:], *old) if len(now ^ shown.cells_read) > 2 else ():
            back = shown.match.plies - line.match.plies
            if line is not old[-1] and back > 2 * puts:
                break
            if line.cells_read == now:
                return Settled((line,), True, back=back, replaces=True)
        return None

    def _unexplained(self, patient: bool = False) -> Generator[None, None, Verdict]:
        """Say, after a search that goes step by step, which moves may come of levels that no line
        leaves; when `patient`, whether it is an old position.
        """
        old = self._set_back() if patient else None
        return old or (yield from underway(self.shown, self.heads, self.levels))

    def time_will_tell(self) -> bool:
        """Whether the next move is likely to show which of the lines it is: many moves that are
        possible after one of them would be seen to be none after the other, as when it is unsure
        whose turn it is and each player takes men from a tray of his own.
        """
        _at_once(self.foresee(self.shown))
        return self._foreseen[1]

    def foresee(self, lines: Sequence[Line]) -> Generator[None, None, None]:
        """Find out, step by step, whether time will tell which of `lines` it is, if they are shown
        next.
        """
        if self._foreseen[0] != (lines := tuple(lines)):
            self._foreseen = lines, (yield from tell_apart(*lines))

    # ---- what is off

    def attempt(self) -> Attempt:
        """Return what the hand did beyond what is shown, for the game to judge."""
        line = self.shown[0]
        lifted, placed, swapped = set(), set(), set()
        decoder = self.decoder
        touched = {place for _, place in decoder.edges.order}
        for place in touched | {place for place, _ in difference(line, self.levels)}:
            if place not in line.sight.cells or place in line.masked:
                continue
            before, now = line.expected.get(place, 0), self.levels.get(place, 0)
            if before and not now:
                lifted.add(place)
            elif now and not before:
                placed.add(place)
            elif before != now or (now and decoder.edges.touched(place, self.at, decoder.now)):
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
                rebuilt = rebuilt.step(step.match.move, match=step.match)
                rebuilt.read = step.read
            return rebuilt

        self.heads = [again(line) for line in self.heads]
        self.shown = [again(line) for line in self.shown]
        self.answers = self.answers.of(map(again, self.answers.rejected))
        self.decoder = self.decoder.again(again, anew=True)

    def without(
        self, places: frozenset[Place], instead: frozenset[Place] = frozenset()
    ) -> Generator[None, None, Reader]:
        """Return, made step by step, another reader that has seen the same, but does not believe
        `places`, be it `instead` of others.
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

        for line in dict.fromkeys((*self.heads, *self.shown, *self.decoder.right)):
            again(line)
            yield
        other = copy(self)
        other.heads = [again(line) for line in self.heads]
        other.shown = [again(line) for line in self.shown]
        other.answers = self.answers.of(())
        # A reader that its own decoder knew would have to wait for the garbage collector.
        forward = partial(_forward, list(self.throws))
        other.decoder = self.decoder.again(again, ABSURD, forward, anew=True)
        return other

    def let_go(self) -> Generator[None, None, None]:
        """Give back the memory of a reader that is asked no more, step by step."""
        yield from self.decoder.let_go()

    @property
    def is_behind(self) -> bool:
        """Whether so much is open that what hands have done since waits for answers."""
        return self.decoder.is_behind

    @property
    def put_since(self) -> bool:
        """Whether anything was put anywhere since the lines were read."""
        return self.decoder.put_since(self.at)


def _is_proven(end: End) -> bool:
    """Whether all men stand where a line has them, after two plies that left little unexplained:
    whatever happened before, play has gone on from there.
    """
    return end.exact and end.cost - end.track.past[0] < ODD


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


def _throws(line: Line) -> list[Throw]:
    """Return the throws in a line."""
    return [step.move for step in line.match.line() if isinstance(step.move, Throw)]


def _at_once(search: Generator[None, None, Found]) -> Found:
    """Go through a search to its end."""
    while True:
        try:
            next(search)
        except StopIteration as end:
            found: Found = end.value
            return found
