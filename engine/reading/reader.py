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
    """Explains what hands do from the lines that are still possible."""

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
        ends = yield from self.decoder.ends(now, self.levels)
        ends = with_throws(self, ends)
        if ends:
            self.likeliest = ends[0].line, self.unexplained_by(ends[0])
        incredible = all(
            not (e.exact or e.held) or self.unexplained_by(e) > INCREDIBLE for e in ends
        )
        if incredible and (begun := self.set_back(as_far_as=0)) is not None:
            return begun  # who has set up the start goes on as soon as that is done
        if not patient:
            ends = [
                end for end in ends if end.hypothesis.weak < INCREDIBLE or end.line in self.shown
            ]
        if not ends:
            return self._unexplained(patient)
        kept = self._likely(ends, patient)
        return self._told_by(kept, ends, patient)

    def _likely(self, ends: Sequence[End], patient: bool) -> list[End]:
        """Return the ends that cannot be told apart from the best."""
        kept = [end for end in ends if end.cost < ends[0].cost + MARGIN]
        if patient:  # a hand would have gone on: what leaves nothing in it is likelier
            kept = [end for end in kept if end.exact] or kept
            kept = [end for end in kept if not self._busy(end, patient)] or kept
        if any(end.line in self.shown and end.exact for end in kept):
            kept = [end for end in kept if end.exact]  # and what is shown needs nothing else
        return kept

    def _told_by(self, kept: list[End], ends: Sequence[End], patient: bool) -> Verdict:
        """Say what the likely ones of all ends mean."""
        if any(self._busy(end, patient) for end in kept):
            return self._unexplained(patient)
        lines = tuple(end.line for end in kept)
        if len(kept) > max(LINES_KEPT, len(self.shown)):
            # Too much is open: what follows waits for an answer.
            return self._unexplained()
        if all(line in self.shown for line in lines) and len(lines) == len(self.shown):
            return self._unexplained() if any(end.held for end in kept) else Still()
        doubt = Doubt(
            self.unexplained_by(kept[0]),
            proven=all(map(_is_proven, kept)),
        )
        if doubt.forbids(patient):
            return self._unexplained(patient)
        news = {self._news(end.line) for end in kept}
        thrown = self.shown[0].throws  # who threw since has seen the move, whatever is in a hand
        bare = any(_is_bare(end) or (end.held and end.line.throws < thrown) for end in kept)
        if len(news) == 1 and (None not in news or len({line.match.text for line in lines}) == 1):
            (new,) = news
            return self._settled(kept, new, Settled(lines, False, bare, doubt))
        return self._ambiguous(kept, ends, Ambiguous(lines, False, bare, doubt))

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
        # What was made before all pieces stood still would have been read then.
        past = back == 0 and plies > 0 and self.decoder.is_past(kept[0].hypothesis)
        return replace(
            found,
            rivals=any(self._rivals(end) for end in kept),
            bare=bare,
            doubt=replace(found.doubt, weak=past or kept[0].hypothesis.weak > ODD),
            plies=plies,
            back=back,
            replaces=new is None,
        )

    def _ambiguous(self, kept: Sequence[End], ends: Sequence[End], found: Ambiguous) -> Ambiguous:
        """Return what is found, with more of what it may have been: who is asked may as well choose
        from a few more.
        """
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
        # Who holds a piece will put it down.
        return replace(found, lines=lines, late=any(end.held or end.late for end in kept))

    def otherwise(self) -> list[History]:
        """Return what else explains what hands did, the likeliest first."""
        ends = at_once(self.decoder.ends(self.decoder.now, self.levels))
        return [
            end.line
            for end in ends
            if (end.exact or end.held)
            and end.cost < ends[0].cost + BELIEVED
            and end.line not in self.shown
        ][:OTHERS]

    def taken_unseen(self, now: float) -> Ambiguous | None:
        """Return what it may have been if a piece that has been missing for long took another
        between two looks: whatever leaves none missing; None if it can have been nothing else.
        """
        ends = at_once(self.decoder.ends(now, self.levels))
        whole = {end.line for end in ends if end.exact and not end.late}  # else its tray would tell
        lines = [line for line in self.otherwise() if line in whole]
        return Ambiguous((*self.shown, *lines), late=False) if lines else None

    def _news(self, line: History) -> tuple[AnyMove, ...] | None:
        """Return the moves that a line adds to what is shown; None where it replaces that."""
        for shown in self.shown:
            steps = line.since(shown)
            if steps is not None:
                return tuple(step.match.move for step in steps if step.footprint)
        return None

    def unexplained_by(self, end: End) -> float:
        """Return how much a line leaves unexplained since all pieces stood still last, beyond what
        hands leave anyway and what trays lacked then.
        """
        cost, plies = self.decoder.rested
        cost += min(end.late, self.decoder.late)
        return end.cost - cost - FOR_EACH * max(0, end.line.match.plies - plies - 1)

    def _busy(self, end: End, patient: bool = False) -> bool:
        """Whether a hand is at work that may change what an end tells; when `patient`, the hand of
        the next player does not, whatever is shown.
        """
        if end.held and (patient or end.line not in self.shown):
            return False
        if _takes_by_a_lift(end) and end.late and end.line not in self.shown:
            return True  # the piece that was lifted is rather still in the hand
        return bool(end.lifted or end.extra)

    def _rivals(self, end: End) -> bool:
        """Whether a hand may go on from a line's last ply to another move."""
        if end.held:
            # What was read may only be adjusted, while its piece is in the hand.
            return end.line in self.heads and any(
                not end.lifted.isdisjoint(ply.cells)
                for line in self.shown
                for ply in line.last_ply()
            )
        if end.hypothesis.back or end.lifted or end.extra or end.line in self.heads:
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
        line = old_position(self, as_far_as)
        if line is None:
            return None
        back = self.shown[0].match.plies - line.match.plies
        return Settled((line,), True, back=back, replaces=True)

    def _unexplained(self, patient: bool = False) -> Verdict:
        """Say which moves may come of levels that no line leaves; when `patient`, whether it is an
        old position.
        """
        old = self.set_back() if patient else None
        return old or underway(self.shown, self.heads, self.levels)

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


def _takes_by_a_lift(end: End) -> bool:
    """Whether the last ply of a line takes a piece, and nothing but a lift tells of that."""
    return end.hypothesis.bare and not end.hypothesis.back


def _is_bare(end: End) -> bool:
    """Whether nothing but a lift tells of the last ply of a line, or that it was taken back: if it
    takes a piece, his tray may tell, too.
    """
    told = _takes_by_a_lift(end) and any(ply.trays for ply in end.line.last_ply())
    return end.hypothesis.bare and not told


def _is_proven(end: End) -> bool:
    """Whether all pieces stand where a line has them, after two plies that left little unexplained:
    whatever happened before, play has gone on from there.
    """
    return end.exact and end.cost - end.hypothesis.past[0] < ODD
