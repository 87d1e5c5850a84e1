"""Reading hands: what the lines that are still possible mean for the board.

Each legal move leaves a footprint: the cells it changes and what they read afterwards. The reader
is told every raw edge (a place that was lifted or filled, however briefly) and the debounced
levels; `engine.reading.decoding` finds the lines of play that these tell of, with what each leaves
unexplained. Lines that cost nearly the same are all kept, and the verdict is Ambiguous. The reader
knows no game, no clock and no lights; how long a verdict must stand is the session's business.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace
from typing import Self

from engine.game import Attempt, Place
from engine.match import AnyMove
from engine.reading.account import Account, at_once
from engine.reading.beam import NEAR, spared
from engine.reading.left_open import DECIDED, UNTELLABLE, LeftOpen, untold
from engine.reading.lines import Line
from engine.reading.observations import SLACK
from engine.reading.old_positions import old_position
from engine.reading.standing import difference, underway
from engine.reading.telling_apart import may_be_carried_on, shortest, up_to_the_same_ply
from engine.reading.throws import with_throws
from engine.reading.tracks import End
from engine.reading.trays import CLEARED_AFTER
from engine.reading.verdict import (
    DOUBTFUL,
    INCREDIBLE,
    ODD,
    Ambiguous,
    Doubt,
    Settled,
    Still,
    Underway,
    Verdict,
)

MARGIN = 0.25  # lines that differ by less cannot be told apart
WAITS = 0.6  # … and what needs a man in a hand waits for it, if what needs none is so near
CONVINCING = 2.0  # a ply that costs more must be followed by another to be believed
BELIEVED = 3.0  # a move that people name may leave so much more unexplained than another
FOR_EACH = 0.3  # what hands leave unexplained anyway, for each ply after the first
LINES_KEPT = 48  # while questions are open
FIRM_AFTER = 5.0  # seconds after which people are asked before a ply is replaced by another, if …
FIRM = 1.3  # … it is not so much less likely
LONG_BEFORE = 2.0  # seconds after which a place that is off is no part of what a hand does


class Reader(Account):
    """Explains what hands do from the lines that are still possible."""

    def __init__(self, line: Line) -> None:
        super().__init__(line)
        self._left_open = LeftOpen()

    def without(
        self,
        places: frozenset[Place],
        instead: frozenset[Place] = frozenset(),
        after: Line | None = None,
    ) -> Generator[None, None, Self]:
        other = yield from super().without(places, instead, after)
        other._left_open = LeftOpen()
        return other

    # ---- what it makes of it

    def verdict(self, now: float, patient: bool = False) -> Verdict:
        """Say what the lines of play mean; when `patient`, for nothing has changed in a while,
        also by plies of which something was not seen.
        """
        return at_once(self.search(now, patient))

    def search(self, now: float, patient: bool = False) -> Generator[None, None, Verdict]:
        """Return the same as a search that goes step by step. Edges that come in meanwhile do not
        matter to it.
        """
        is_over = self.shown[0].match.outcome is not None and now > self.at + CLEARED_AFTER
        if is_over and self.decoder.is_cleared(self.shown):
            self.decoder.keep(lambda line: line in self.shown)
        wanted = self.may_be if self.answers else None
        ends = yield from self.decoder.ends(now, self.levels, wanted)
        ends = with_throws(self, ends)
        if ends:
            self.likeliest = ends[0].line, self.unexplained_by(ends[0])
        if self.decoder.is_lost:
            return (
                (yield from self._unexplained())
                if difference(self.shown[0], self.levels)
                else Still()
            )
        incredible = all(
            not (e.exact or e.held) or self.unexplained_by(e) > INCREDIBLE for e in ends
        )
        if incredible and (begun := self.set_back(as_far_as=0)) is not None:
            return begun  # who has set up the start goes on as soon as that is done
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
        kept = self._likely(ends, patient)
        if not patient and self._waits_for_a_man(kept, ends):
            return (yield from self._unexplained())
        return (yield from self._told_by(kept, ends, patient))

    def _likely(self, ends: Sequence[End], patient: bool) -> list[End]:
        """Return the ends that cannot be told apart from the best."""
        limit, decided = ends[0].cost + MARGIN, ends[0].cost + DECIDED
        # Where moves go unseen what people are asked about stays an answer; elsewhere that would
        # only hold up what is played next.
        asked = set(self.shown) if self.asked and self._may_go_unseen else ()
        kept = [end for end in ends if end.cost < (decided if end.line in asked else limit)]
        kept += self._suggested(kept, ends)
        others = [end for end in kept if not end.parked]
        if others and all(map(self._revises, others)):
            # A captured man is put down anywhere: that alone is no reason to revise what is shown.
            parked = [
                end
                for end in ends
                if end.parked
                and end.cost < decided
                and (self._news(end.line) or (end.held and end.line in self.shown))
            ]
            kept = parked or kept
        if patient:  # a hand would have gone on: what leaves nothing in it is likelier
            kept = [end for end in kept if end.exact] or kept
            kept = [end for end in kept if not self._busy(end, patient)] or kept
        if any(end.line in self.shown and end.exact for end in kept):
            kept = [end for end in kept if end.exact]  # and what is shown needs nothing else
        return kept

    def _suggested(self, kept: Sequence[End], ends: Sequence[End]) -> list[End]:
        """Return the likeliest of what people said when they were asked about other moves, if it is
        not kept: they are asked anew, and not about less.
        """
        said = [end for end in ends if self.answers.suggests(end.line) and end.exact]
        if not said or said[0].cost >= ends[0].cost + BELIEVED:
            return []
        limit = said[0].cost + MARGIN
        return [end for end in said if end.cost < limit and end not in kept]

    def _waits_for_a_man(self, kept: Sequence[End], ends: Sequence[End]) -> bool:
        """Whether a man that is likely in a hand will come down, if it is in a hand."""
        limit = ends[0].cost + WAITS
        return not any(end.exact or (end.parked and not end.lifted) for end in kept) and any(
            end.exact and end.cost < limit and end.line not in self.heads for end in ends
        )

    def _told_by(
        self, kept: list[End], ends: Sequence[End], patient: bool
    ) -> Generator[None, None, Verdict]:
        """Say, after a search that goes step by step, what the likely ones of all ends mean."""
        parked = any(end.parked for end in kept)
        still_open: list[End] = []
        if any(end.exact for end in kept):  # if a man is parked, it will soon be taken off
            kept = [end for end in kept if not end.parked]
            still_open = self._still_open(kept, ends)
            kept += still_open
            kept += untold(kept, ends)
        elif all(end.held and not end.parked for end in kept) and len(self.shown) > 1:
            still_open = self._still_open(kept, ends)
            kept += still_open
        kept += self._seen_otherwise(kept, ends)
        kept += self._overturned_otherwise(kept, ends)
        kept += self._carried_otherwise(kept, ends)
        self._left_open.note(kept, ends[0].cost, self.shown)
        strays = self._strays(kept[0]) if patient else frozenset()
        if all(end.parked and end.line not in self.shown for end in kept):
            return Underway(kept[0].line.head(), kept[0].line.last_ply())
        # Who held a man in what is only still open would have put it down by now.
        at_work = [end for end in kept if not (patient and end in still_open)]
        if any(self._busy(end, patient) for end in at_work) and not strays:
            return (yield from self._unexplained(patient))
        over = self._may_be_over(kept, ends)
        kept += over
        late = parked or bool(over)
        lines = tuple(end.line for end in kept)
        if len(kept) > max(LINES_KEPT, len(self.shown)):
            # Too much is open: what follows waits for an answer.
            return (yield from self._unexplained())
        if all(line in self.shown for line in lines) and len(lines) == len(self.shown):
            return (yield from self._unexplained()) if any(end.held for end in kept) else Still()
        doubt = Doubt(
            self.unexplained_by(kept[0]),
            guessed=any(map(self._is_guessed, kept)),
            proven=all(map(_is_proven, kept)),
        )
        if doubt.forbids(patient):
            return (yield from self._unexplained(patient))
        news = {self._news(end.line) for end in kept}
        if None in news and self._seems_to_have_ended_otherwise(kept):
            has_stood = self.decoder.now > self.at + CLEARED_AFTER  # else it is rather revised
            if has_stood and (begun := self.set_back()) is not None:
                return begun
            late = late or not (kept[0].track.at < self.at + LONG_BEFORE or self._goes_on(kept))
        thrown = self.shown[0].throws  # who threw since has seen the move, whatever is in a hand
        bare = any(_is_bare(end) or (end.held and end.line.throws < thrown) for end in kept)
        if len(news) == 1 and (None not in news or len({line.match.text for line in lines}) == 1):
            (new,) = news
            return self._settled(
                kept, new, Settled(lines, False, bare, doubt, strays=strays, late=late)
            )
        return self._ambiguous(kept, ends, Ambiguous(lines, late, bare, strays, doubt))

    def _settled(
        self, kept: Sequence[End], new: tuple[AnyMove, ...] | None, found: Settled
    ) -> Settled:
        """Return what is found, with what it changes: it adds `new` moves, or replaces some."""
        line, bare, back = kept[0].line, found.bare, 0
        if new is None:
            shown = next((each for each in self.shown if each.since(line) is not None), None)
            if shown is not None and line not in self.heads:
                back = shown.match.plies - line.match.plies
            plies = line.match.plies - self.heads[0].match.plies
            bare = bare or bool(back and kept[0].lifted)
        else:
            plies = len(new)
        # What was made before all men stood still would have been read then.
        past = back == 0 and plies > 0 and self.decoder.is_past(kept[0].track)
        return replace(
            found,
            rivals=any(self._rivals(end) for end in kept),
            bare=bare,
            doubt=replace(found.doubt, weak=past or kept[0].track.weak > DOUBTFUL),
            plies=plies,
            back=back,
            replaces=new is None,
            overturns=self._overturns(line),
        )

    def _ambiguous(self, kept: Sequence[End], ends: Sequence[End], found: Ambiguous) -> Ambiguous:
        """Return what is found, with more of what it may have been where moves go unseen: who is
        asked may as well choose from a few more.
        """
        held = any(end.held for end in kept)
        # Who holds a man will put it down.
        late = found.late or held or any(end.late for end in kept)
        lines = found.lines
        if (
            self._may_go_unseen
            and not found.strays
            and len(lines) <= LINES_KEPT
            and any(line not in self.shown for line in lines)
        ):
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
        return replace(found, lines=lines, late=late)

    def _still_open(self, kept: Sequence[End], ends: Sequence[End]) -> list[End]:
        """Return what goes on from, or back to before, those of several lines that are shown of
        which nothing that is kept does; or from the only one, if it would be changed though it was
        final, or has stood for long. If it is left to the next plies which of several it is, they
        tell well enough, but not whether men went back or others were put where they had stood; nor
        does it tell that the next player has begun.
        """
        alone = len(self.shown) == 1
        firm = alone and self._has_stood
        if alone and not firm and not all(self._overturns(end.line) for end in kept):
            return []
        undone = {end.track.undone for end in kept}
        begun = not any(end.exact for end in kept)
        likely = [
            end
            for end in ends
            if (end.exact or (end.held and (begun or end.line in self.shown) and not alone))
            and not end.parked
            and (self.asked or alone or end.track.undone not in undone)
        ]
        margin = FIRM if firm else DECIDED
        return self._left_open.undecided(kept, likely, ends[0].cost, self.shown, margin)

    @property
    def _has_stood(self) -> bool:
        """Whether what is shown has stood for long, in a match that goes on."""
        return self.shown[0].match.outcome is None and self.decoder.now > self.at + FIRM_AFTER

    def _seen_otherwise(self, kept: Sequence[End], ends: Sequence[End]) -> list[End]:
        """Return what goes on from what is shown, if all that is kept takes a man instead that no
        sensor saw to be taken, and that is not much likelier: a guess decides nothing.
        """
        if not all(self._is_guessed(end) and self._news(end.line) is None for end in kept):
            return []
        return [end for end in _near(kept, ends) if self._news(end.line) is not None]

    def _overturned_otherwise(self, kept: Sequence[End], ends: Sequence[End]) -> list[End]:
        """Return what else changes what was final, if what is kept does, is not much likelier, and
        leaves something unexplained itself.
        """
        if not (self._overturned(kept[0]) and kept[0].track.weak > MARGIN):
            return []
        return list(filter(self._overturned, _near(kept, ends)))

    def _carried_otherwise(self, kept: Sequence[End], ends: Sequence[End]) -> list[End]:
        """Return what else may have become of a man whom both players may move, and that is not
        much less likely, if it turns out that he was carried further than was likelier.
        """
        if not all(self._left_open.was_behind(end, self.shown, MARGIN) for end in kept):
            return []
        return [
            end
            for end in _near(kept, ends, UNTELLABLE)
            if any(may_be_carried_on(each.line, end.line) for each in kept)
        ]

    def _overturned(self, end: End) -> bool:
        """Whether an end has another ply where one was final, and not that it was taken back."""
        return self._overturns(end.line) and not end.track.back

    def taken_unseen(self, now: float) -> Generator[None, None, Ambiguous | None]:
        """Return, after a search that goes step by step, what it may have been if a man that has
        been missing for long took another between two looks, or if the last ply that is shown was
        another, after which none is missing, or took a man unseen, and the missing one went on;
        None if it can have been nothing else.
        """
        wanted = self.may_be if self.answers else None
        ends = yield from self.decoder.ends(now, self.levels, wanted)
        heads = {line.head() for line in self.shown if line not in self.heads}  # it is not final
        lines = [
            end.line
            for end in ends
            if end.exact
            and not end.late  # else its tray would tell
            and end.cost < ends[0].cost + BELIEVED
            and (
                (before := end.line.head()) in self.shown
                or before in heads
                or (before.head() in heads and self._is_guessed(end))
            )
            and end.line not in self.shown
        ]
        return Ambiguous((*self.shown, *lines), late=False) if lines else None

    @property
    def _may_go_unseen(self) -> bool:
        """Whether moves are possible of which no sensor shows anything: what is likely is less sure
        then.
        """
        return any(line.possible.silent for line in dict.fromkeys((*self.shown, *self.heads)))

    def _so_far(self, ends: Sequence[End]) -> Generator[None, None, Verdict | None]:
        """Say, after a search that goes step by step, what is known of the plies that another has
        followed, while what came later waits for answers; None if there is nothing to ask.
        """
        likely = [end for end in ends if end.cost < ends[0].cost + spared(ends[0].line)]
        lines = [end.line for end in likely if end.exact or not likely[0].exact]
        goes_on = any(line.since(shown) is not None for line in lines for shown in self.shown)
        for tips in (shortest([line.head() for line in lines]), lines):
            fewer: list[Line] = []
            found: list[Line] = []
            for told in up_to_the_same_ply(tips, LINES_KEPT):
                fewer, found = found, told
                yield
            if goes_on and max(line.match.plies for line in found) < self.shown[0].match.plies:
                found = self.shown
            if fewer and len(found) == 1 and found == self.shown:
                found = fewer  # which are not all that it may have been
            if set(found) != set(self.shown) or (len(found) > 1 and not self.asked):
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

    def unexplained_by(self, end: End) -> float:
        """Return how much a line leaves unexplained since all men stood still last, or people said
        what was played, beyond what hands leave anyway and what trays lacked then.
        """
        cost, plies = max(self.decoder.rested, self.decoder.accepted)
        cost += min(end.late, self.decoder.late)
        cost += self.names.cost(end.track)  # people may err: that is no sensor's fault
        return end.cost - cost - FOR_EACH * max(0, end.line.match.plies - plies - 1)

    def _is_guessed(self, end: End) -> bool:
        """Whether a line takes a man that no sensor saw to be taken, and no line shown does."""
        guess = end.track.guessed
        return (
            guess is not None
            and end.line.since(guess) is not None
            and all(shown.since(guess) is None for shown in self.shown)
        )

    def _seems_to_have_ended_otherwise(self, kept: Sequence[End]) -> bool:
        """Whether other last moves explain what hands did after the end of a match: they may have
        set up the men for another one.
        """
        final = self.heads[0].match.plies
        return self.shown[0].match.outcome is not None and any(
            end.line.match.plies > final for end in kept
        )

    def _goes_on(self, kept: Sequence[End]) -> bool:
        """Whether a match that seemed to be over has gone on for a ply after its other last move,
        and little of that is unexplained: men that are set up make no plies.
        """
        final = self.heads[0].match.plies + 1
        return all(_is_proven(end) and end.line.match.plies > final for end in kept)

    def _revises(self, end: End) -> bool:
        """Whether a line has another move where one is shown, and not that it was taken back."""
        gone_back = end.track.back or end.line in self.heads
        return not gone_back and self._news(end.line) is None

    def _overturns(self, line: Line) -> bool:
        """Whether a line would change what was final."""
        return not any(line.since(head) is not None for head in self.heads)

    def _may_be_over(self, kept: Sequence[End], ends: Sequence[End]) -> list[End]:
        """Return the ends of a match of which the last captive may as well be who has come to where
        a man seems to have been moved: no ply follows that tells. What people are asked about stays
        open as long as he stands there.
        """
        known = self.heads if self.asked else (*self.shown, *self.heads)
        if not all(end.exact and end.line not in known for end in kept):
            return []
        changed, limit = self.decoder.edges.changed, ends[0].cost + UNTELLABLE
        over = [end for end in ends if end.parked and end.line.match.outcome is not None]
        if self.asked:
            return [end for end in over if end.line in self.shown]
        return [
            end
            for end in over
            if end.cost < limit
            and all(changed(place) > end.track.at for place in end.extra)
            and not self._only_tried(end)
        ]

    def _only_tried(self, end: End) -> bool:
        """Whether somebody left the cell that the last captor came from after he had taken his man:
        who only tries to take one puts both back, and goes on from there.
        """
        changed, at = self.decoder.edges.changed, end.track.at
        return any(changed(home) > at for ply in end.line.last_ply() for home in ply.leaves)

    def _busy(self, end: End, patient: bool = False) -> bool:
        """Whether a hand is at work that may change what an end tells; when `patient`, the hand of
        the next player does not, whatever is shown.
        """
        if end.parked:
            return end.line not in self.shown
        if end.held and (patient or end.line not in self.shown):
            return end.line not in self.shown and self._is_on_its_way(end)
        if _takes_by_a_lift(end) and end.late and end.line not in self.shown:
            return True  # the man that was lifted is rather still in the hand
        return bool(end.lifted or end.extra)

    def _is_on_its_way(self, end: End) -> bool:
        """Whether a man that the next player seems to hold was lifted before the last ply of a line
        began, by a hand that takes him on a longer way and has only made a pause.
        """
        edges = self.decoder.edges
        gone = frozenset(p for p in end.lifted if edges.changed(p) < end.track.begun - SLACK)
        return bool(gone) and any(
            ply.leaves and end.line.head().possible.touching(ply.cells | gone)
            for ply in end.line.last_ply()
        )

    def _strays(self, end: End) -> frozenset[Place]:
        """Return the place that reads what nothing explains, if it has for long."""
        off = end.lifted | end.extra
        if len(off) != 1 or end.held or end.line in self.shown or end.track.back:
            return frozenset()
        (place,) = off
        changed = self.decoder.edges.changed(place, end.track.at)
        return off if changed < end.track.begun - LONG_BEFORE else frozenset()

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
            other.move != found[0].move for other in head.possible.touching(found[0].cells)
        )

    def set_back(self, as_far_as: int | None = None) -> Settled | None:
        """Say whether an old position stands on the board that is no chance, whatever hands have
        done for it; not one of more plies than `as_far_as`. None if not.
        """
        line, bare = old_position(self, as_far_as)
        if line is None:
            return None
        back = self.shown[0].match.plies - line.match.plies
        return Settled((line,), True, bare=bare, back=back, replaces=True)

    def _unexplained(self, patient: bool = False) -> Generator[None, None, Verdict]:
        """Say, after a search that goes step by step, which moves may come of levels that no line
        leaves; when `patient`, whether it is an old position.
        """
        old = self.set_back() if patient else None
        return old or (yield from underway(self.shown, self.heads, self.levels))

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


def _near(kept: Sequence[End], ends: Sequence[End], margin: float = DECIDED) -> list[End]:
    """Return the other ends that are not much less likely than the best."""
    limit = ends[0].cost + margin
    return [
        end
        for end in ends
        if (end.exact or end.held) and not end.parked and end.cost < limit and end not in kept
    ]


def _takes_by_a_lift(end: End) -> bool:
    """Whether the last ply of a line takes a man, and nothing but a lift tells of that."""
    return end.track.bare and not end.track.back


def _is_bare(end: End) -> bool:
    """Whether nothing but a lift tells of the last ply of a line, or that it was taken back: if it
    takes a man, his tray may tell, too.
    """
    told = _takes_by_a_lift(end) and any(ply.trays for ply in end.line.last_ply())
    return end.track.bare and not told


def _is_proven(end: End) -> bool:
    """Whether all men stand where a line has them, after two plies that left little unexplained:
    whatever happened before, play has gone on from there.
    """
    return end.exact and end.cost - end.track.past[0] < ODD
