"""Reading hands: the verdict on the possible histories.

Each legal move leaves a footprint: the changed cells and their readings. The reader gets every raw
edge (a place was lifted or filled, however briefly) and the debounced levels.
`engine.reading.decoding` finds the histories that explain them, with their costs. If several cost
nearly the same, the verdict is Ambiguous. The reader knows no game, no clock and no lights; the
session decides how long a verdict must stand.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace

from engine.game import Attempt
from engine.match import AnyMove
from engine.reading.account import Account, at_once
from engine.reading.dice_evidence import with_throws
from engine.reading.evidence import (
    BELIEVED,
    FOR_EACH,
    INCREDIBLE,
    LINES_KEPT,
    MARGIN,
    NEAR,
    ODD,
    OTHERS,
)
from engine.reading.history import History
from engine.reading.hypothesis import End
from engine.reading.mismatch import difference, underway
from engine.reading.old_positions import old_position
from engine.reading.verdict import Ambiguous, Doubt, Settled, Still, Verdict


class Reader(Account):
    """Explains the work of hands by the possible histories."""

    # ---- the verdict

    def verdict(self, now: float, patient: bool = False) -> Verdict:
        """Return the verdict; `patient` (no change for a while) admits half-seen plies."""
        return at_once(self.search(now, patient))

    def search(self, now: float, patient: bool = False) -> Generator[None, None, Verdict]:
        """Return the verdict by a search in steps; edges that arrive meanwhile have no effect."""
        ends = yield from self.decoder.ends(now, self.levels)
        ends = with_throws(self, ends)
        if ends:
            self.likeliest = ends[0].line, self.unexplained_by(ends[0])
        incredible = all(
            not (e.exact or e.held) or self.unexplained_by(e) > INCREDIBLE for e in ends
        )
        if incredible and (start := self.back_to_old_position(as_far_as=0)) is not None:
            return start  # after a set-up of the start play goes on at once
        if not patient:  # a ply that itself pays that much is awaited
            ends = [
                end
                for end in ends
                if end.hypothesis.ply.cost < INCREDIBLE or end.line in self.shown
            ]
        if not ends:
            return self._unexplained(patient)
        kept = self._likely(ends, patient)
        return self._verdict_on(kept, ends, patient)

    def _likely(self, ends: Sequence[End], patient: bool) -> list[End]:
        """Return the ends that are about as cheap as the best."""
        kept = [end for end in ends if end.cost < ends[0].cost + MARGIN]
        if patient:  # a hand would have gone on, so an end without held pieces is likelier
            kept = [end for end in kept if end.exact] or kept
            kept = [end for end in kept if not self._busy(end, patient)] or kept
        if any(end.line in self.shown and end.exact for end in kept):
            kept = [end for end in kept if end.exact]  # the shown reading explains everything
        return kept

    def _verdict_on(self, kept: list[End], ends: Sequence[End], patient: bool) -> Verdict:
        """Return the verdict on the likely ends."""
        if any(self._busy(end, patient) for end in kept):
            return self._unexplained(patient)
        lines = tuple(end.line for end in kept)
        if len(kept) > max(LINES_KEPT, len(self.shown)):
            # There are too many; a question must be answered first.
            return self._unexplained()
        if all(line in self.shown for line in lines) and len(lines) == len(self.shown):
            return self._unexplained() if any(end.held for end in kept) else Still()
        doubt = Doubt(self.unexplained_by(kept[0]), proven=all(map(_is_proven, kept)))
        if doubt.forbids(patient):
            return self._unexplained(patient)
        news = {self._news(end.line) for end in kept}
        thrown = self.shown[0].throws  # a thrower has seen the move, even if a hand holds a piece
        bare = any(
            end.hypothesis.only_lifted or (end.held and end.line.throws < thrown) for end in kept
        )
        if len(news) == 1 and (None not in news or len({line.match.text for line in lines}) == 1):
            (new,) = news
            return self._settled(kept, new, Settled(lines, False, bare, doubt))
        return self._ambiguous(kept, ends, Ambiguous(lines, False, bare, doubt))

    def _settled(
        self, kept: Sequence[End], new: tuple[AnyMove, ...] | None, found: Settled
    ) -> Settled:
        """Return the verdict with its changes: it adds the `new` moves, or replaces some."""
        line, bare, back = kept[0].line, found.bare, 0
        if new is None:
            shown = next((each for each in self.shown if each.since(line) is not None), None)
            if shown is not None and line not in self.confirmed:
                back = shown.match.plies - line.match.plies
            plies = line.match.plies - self.confirmed[0].match.plies
            bare = bare or bool(back and kept[0].lifted)
        else:
            plies = len(new)
        # A ply before the last rest would have been read then.
        past = back == 0 and plies > 0 and self.decoder.is_past(kept[0].hypothesis)
        return replace(
            found,
            rivals=any(self._rivals(end) for end in kept),
            bare=bare,
            doubt=replace(found.doubt, weak=past or kept[0].hypothesis.ply.cost > ODD),
            plies=plies,
            back=back,
            replaces=new is None,
        )

    def _ambiguous(self, kept: Sequence[End], ends: Sequence[End], found: Ambiguous) -> Ambiguous:
        """Return the verdict with a few more histories that people may choose from."""
        more = [
            end.line
            for end in ends
            if end.cost < ends[0].cost + NEAR
            and (end.exact or not kept[0].exact)
            and not self._busy(end)
        ]
        lines = tuple(dict.fromkeys((*found.lines, *more)))
        if len(lines) > LINES_KEPT:
            lines = found.lines
        # A held piece will be put down.
        return replace(found, lines=lines, late=any(end.held or end.late for end in kept))

    def compared(self) -> list[End]:
        """Return the likeliest explanation now, and the next best if there is one."""
        ends = at_once(self.decoder.ends(self.decoder.now, self.levels))
        return with_throws(self, ends)[:2]

    def otherwise(self) -> list[History]:
        """Return the other explanations, the likeliest first."""
        ends = at_once(self.decoder.ends(self.decoder.now, self.levels))
        return [
            end.line
            for end in ends
            if (end.exact or end.held)
            and end.cost < ends[0].cost + BELIEVED
            and end.line not in self.shown
        ][:OTHERS]

    def taken_unseen(self, now: float) -> Ambiguous | None:
        """Return the explanations in which no piece is missing; None if there are none.

        A piece that is missing for long may have captured another one between two scans.
        """
        ends = at_once(self.decoder.ends(now, self.levels))
        whole = {end.line for end in ends if end.exact and not end.late}
        lines = [line for line in self.otherwise() if line in whole]
        return Ambiguous((*self.shown, *lines), late=False) if lines else None

    def _news(self, line: History) -> tuple[AnyMove, ...] | None:
        """Return the moves that a history adds to the shown one; None if it replaces it."""
        for shown in self.shown:
            steps = line.since(shown)
            if steps is not None:
                return tuple(step.match.move for step in steps if step.footprint)
        return None

    def unexplained_by(self, end: End) -> float:
        """Return how much a history leaves unexplained since all pieces last rested.

        What hands usually leave and what trays lacked then does not count.
        """
        cost, plies = self.decoder.rested
        cost += min(end.late, self.decoder.late)
        return end.cost - cost - FOR_EACH * max(0, end.line.match.plies - plies - 1)

    def _busy(self, end: End, patient: bool = False) -> bool:
        """Return whether a hand at work may change an end.

        When `patient`, the next player's hand does not count, whatever is shown.
        """
        if end.held and (patient or end.line not in self.shown):
            return False
        return bool(end.lifted or end.extra)

    def _rivals(self, end: End) -> bool:
        """Return whether a hand may continue the last ply to another move."""
        if end.held:
            # While its piece is in the hand the reading may be adjusted.
            return end.line in self.confirmed and any(
                (ply := line.last_ply()) is not None and not end.lifted.isdisjoint(ply.cells)
                for line in self.shown
            )
        if end.hypothesis.is_takeback or end.lifted or end.extra or end.line in self.confirmed:
            return True
        head = end.line.head()
        ply = end.line.last_ply()
        return ply is None or any(
            other.move != ply.move for other in head.possible.touching(ply.cells)
        )

    def back_to_old_position(self, as_far_as: int | None = None) -> Settled | None:
        """Return the verdict that an old position of at most `as_far_as` plies is back, or None."""
        line = old_position(self, as_far_as)
        if line is None:
            return None
        back = self.shown[0].match.plies - line.match.plies
        return Settled((line,), True, back=back, replaces=True)

    def _unexplained(self, patient: bool = False) -> Verdict:
        """Return the moves in progress for unexplained levels; when `patient`, an old position."""
        old = self.back_to_old_position() if patient else None
        return old or underway(self.shown, self.confirmed, self.levels)

    # ---- attempts

    def attempt(self) -> Attempt:
        """Return what the hand did beyond the shown reading, for the game to judge."""
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


def _is_proven(end: End) -> bool:
    """Return whether all pieces fit after two plies that left little unexplained.

    Then play has gone on, whatever happened before.
    """
    return end.exact and end.cost - end.hypothesis.ply.past[0] < ODD
