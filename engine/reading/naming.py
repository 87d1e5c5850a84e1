"""Naming: what people say was played, and what becomes of the lines of play by that.

They answer what is asked, name a move that no sensor shows, or say that another was played than is
read. Here it is found out where in the lines that is. Then it is kept in the account's `answers`,
and rules out lines from then on; this file keeps nothing itself.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from functools import partial
from itertools import islice, takewhile

from engine.game import CHANCE, Claim, GameError, Pass, Place, Throw
from engine.reading.answers import LATELY, moment
from engine.reading.beam import NEAR
from engine.reading.footprints import Footprint
from engine.reading.lines import Line
from engine.reading.possible import MOVES_A_STEP
from engine.reading.reader import BELIEVED, CONVINCING, MARGIN, Reader
from engine.reading.standing import difference
from engine.reading.tracks import End, Track

NAMED = 6  # so many moves back from what is shown one may be named that was read as another
REPEATED = 1.0  # what was named twice at once was rather meant once


class Naming:
    """Takes what people say of one account of a match."""

    def __init__(self, account: Reader) -> None:
        self._account = account

    # ---- what is read, and is it

    def decide(self, steps: Sequence[Line | None], text: str, in_turn: bool = True) -> None:
        """Keep those of what is shown in which a move has this text: people said what it was; and
        show those, too, that end alike, have it as well and are hardly less likely.
        `steps` are that move in each of the lines, None where a line has none there. The answer
        is final: nothing else is ever read there, unless men go back to before it. It is not if it
        was not said `in_turn`, but after a move that is shown to come later: that may have been
        made first.
        """
        account, answers = self._account, self._account.answers
        keep = []
        # Who stops short of that move may only come to it now: it was taken back and is made again.
        short = {step.before for step in steps if step is not None and step.match.text == text}
        for line, step in zip(account.shown, steps, strict=True):
            if step is not None and step.match.text == text:
                keep.append(line)
            elif line not in short:
                answers.reject(line)
                if step is not None:
                    answers.deny(step)
        said = {step for step in steps if step is not None and step.match.text == text}
        near = [line for each in keep for line in account.decoder.alike(each, NEAR)]
        if in_turn:
            self.confirm(said)
        else:
            account.decoder.keep(partial(_has_lately, text))
        account.decoder.keep(self._stands)
        # How far each player has moved the same man may still be open: that was asked with it.
        keep += [line for line in near if self._stands(line) and said.intersection(line.latest())]
        account.show(dict.fromkeys(keep), account.at)
        account.decoder.accept(account.shown[0])

    def confirm(self, steps: Iterable[Line]) -> None:
        """Take it as final that these moves were played where they stand. Lines in which no such
        move was played are no longer possible, but those that have not come to it yet.
        """
        steps = list(steps)
        answers, decoder = self._account.answers, self._account.decoder
        decoder.named({step for step in steps if not answers.was_said(step)})
        texts = {step.match.text for step in steps}
        since = min((step.match.plies for step in steps), default=0) - LATELY
        earlier: set[Line] = set()
        for step in steps:
            answers.say(step, decoder.now)
            before = step.before
            while before is not None and before not in earlier:
                earlier.add(before)
                before = before.before

        def possible(line: Line) -> bool:
            return self._stands(line) and (
                line in earlier
                or any(
                    step.match.text in texts
                    for step in takewhile(
                        lambda step: step not in earlier and step.match.plies > since,
                        line.latest(),
                    )
                )
            )

        decoder.keep(possible)

    def _stands(self, line: Line) -> bool:
        """Whether no answer has ruled out a line."""
        return not self._account.answers.rule_out(line, self._account.heads)

    # ---- what no sensor shows

    def may_be_unseen(self, text: str) -> bool:
        """Whether a move of that text, of which no sensor shows anything, is possible now in any
        line of play.
        """
        return not self._account.is_behind and self._account.decoder.may_be_unseen(text)

    def is_legal(self, text: str) -> bool:
        """Whether a move of that text can be made after what is shown."""
        return any(named_from(line, text) is not None for line in self._account.shown)

    def add_unseen(self, text: str, said: float, late: float = 0.0) -> Generator[None, None, bool]:
        """Take it that people `said` at a time, be that so `late` because they were asked about
        others, that a move was played of which no sensor shows anything, in whatever line of play
        it was possible then, or before what hands had done shortly before; or one now of which no
        sensor that is believed shows all. Return, after a search that goes step by step, whether
        there is such a line.
        """
        account = self._account
        now = account.decoder.now  # what is done meanwhile is not looked at
        if not account.decoder.is_lost:
            added = yield from account.decoder.add_unseen(text, said, late)
            found = {}
            if added or not account.is_behind:
                found = yield from self.ending_with(text, now, account.may_be)
            seen = (ply.is_seen for _, step in found.values() for ply in step.last_ply())
            if not added and any(seen):
                return False  # it is in a line already, and some sensor shows it
            if found:
                self._take(found)
                return True
        if account.is_behind:
            return False  # hands have gone on from what is shown, nobody knows how
        lines, since = yield from self.possible(text)
        if lines:
            self.confirm(lines)
            account.go_on(lines, since)
        return bool(lines)

    def keep_in_mind(self, text: str, said: float) -> Generator[None, None, bool]:
        """Take it that a move of which no sensor shows anything may have been played, too, if what
        comes next tells so; return the same.
        """
        if self._account.decoder.is_lost:
            return False
        return (yield from self._account.decoder.add_unseen(text, said, extra=REPEATED))

    def possible(self, text: str) -> Generator[None, None, tuple[list[Line], float]]:
        """Return, after a search that goes step by step, the lines that go on from what is shown by
        a move of that text of which sensors show nothing, or not all but all that there is to see,
        and until when they saw it. The next player may have lifted a man since; a move that shows
        nothing at all says nothing of what hands do meanwhile.
        """
        account = self._account
        found, since = [], account.at
        for line in account.shown:
            game, position = line.match.game, line.match.position
            differs = difference(line, account.levels)
            within = line.possible.within({place for place, _ in differs})
            for number, footprint in enumerate(within, 1):
                if not number % MOVES_A_STEP:
                    yield
                if game.move_text(position, footprint.move) != text or not self._is_all_seen(
                    footprint
                ):
                    continue
                after = line.step(footprint.move, footprint)
                later = account.forward(after)
                if not (footprint.cells or footprint.trays):
                    found.append(after)
                elif all(map(partial(self._holds, after), footprint.trays)) and not any(
                    reading or not later.possible.lifting(place)
                    for place, reading in difference(after, account.levels)
                ):
                    since = max([since, *map(account.changed, footprint.cells)])
                    found.append(after)
        return found, since

    def _is_all_seen(self, ply: Footprint) -> bool:
        """Whether all has been seen of a move that can be, though no man was seen to come: none
        comes where a sensor is believed, but to take one, who was touched since the last move.
        """
        account = self._account
        return len(ply.arrivals) <= len(ply.swaps) and all(
            account.changed(place) > account.at for place, _ in ply.arrivals
        )

    def believe_together(self, texts: Sequence[str]) -> Generator[None, None, bool]:
        """Take it that moves of these texts were made one after the other from what is shown,
        though none left anything by which it can be told: people said so, hands have been wherever
        they changed anything, and all men stand as the last one leaves them, but for one that the
        next player has lifted. Return, after a search that goes step by step, whether it may be so.
        """
        account = self._account
        found: list[list[Line]] = []
        for line in account.shown:
            yield
            steps = self._one_after_the_other(line, texts)
            if steps and self._stands_after(steps):
                found.append(steps)
        if not found:
            return False
        cells = {cell for steps in found for step in steps for cell in _cells(step)}
        since = max(account.at, *map(account.changed, cells))
        for alike in zip(*found, strict=True):
            self.confirm(alike)
        account.go_on([steps[-1] for steps in found], since)
        return True

    def _one_after_the_other(self, line: Line, texts: Sequence[str]) -> list[Line]:
        """Return the line after each move that goes on from it by these texts; none if one is not
        possible, or no cell shows it.
        """
        steps = []
        for text in texts:
            ply = named_from(line, text)
            if ply is None or not ply.cells:
                return []
            line = self._account.forward(line.step(ply.move, ply))
            steps.append(line)
        return steps

    def _stands_after(self, steps: Sequence[Line]) -> bool:
        """Whether hands may have made these steps since what is shown was finished, one after the
        other.
        """
        account, last = self._account, steps[-1]
        trays = {tray for step in steps for ply in step.last_ply() for tray in ply.trays}
        return (
            all(account.changed(cell) > account.at for step in steps for cell in _cells(step))
            and all(map(partial(self._holds, last), trays))
            and not any(
                reading or not last.possible.lifting(place)
                for place, reading in difference(last, account.levels)
            )
        )

    def _holds(self, line: Line, tray: Place) -> bool:
        """Whether a tray holds what it should at the end of a line."""
        wanted = min(line.expected.get(tray, 0), line.sight.pockets[tray])
        return self._account.levels.get(tray, 0) == wanted

    # ---- what is read otherwise

    @property
    def doubts_what_is_shown(self) -> bool:
        """Whether another line explains more than any that is shown and those that go on from it
        or lead there.
        """
        line = self._account.likeliest[0]
        return all(
            line.since(shown) is None and shown.since(line) is None for shown in self._account.shown
        )

    @property
    def lacks_a_name(self) -> bool:
        """Whether another line explains more than any that is shown, and has more of what people
        named lately in its turn.
        """
        account, missed = self._account, self._account.missed
        return self.doubts_what_is_shown and all(
            missed(shown) > missed(account.likeliest[0]) for shown in account.shown
        )

    def add_answer(self, steps: Iterable[Line], text: str) -> Generator[None, None, bool]:
        """Ask also whether a move of that text was played where people are asked about `steps`,
        for they said so. Return, after a search that goes step by step, whether there is such a
        line.
        """
        account = self._account
        numbers = {step.match.plies for step in steps}
        ends = yield from account.decoder.ends(account.decoder.now, account.levels, account.may_be)
        found = [
            (end.cost, end.line, step)
            for end in ends
            if end.cost < ends[0].cost + BELIEVED
            and end.track.weak < CONVINCING
            and (end.parked or not end.extra)
            for step in islice(end.line.latest(), LATELY)
            if step.match.text == text
            and step.match.plies in numbers
            and step.footprint is not None
            and end.lifted.isdisjoint(step.footprint.cells)
        ]
        if not found:
            return False
        limit = min(cost for cost, *_ in found) + MARGIN
        fresh = [line for cost, line, _ in found if cost < limit]
        for cost, _, step in found:
            if cost < limit:
                account.answers.suggest(step)
        account.show(dict.fromkeys((*account.shown, *fresh)), account.at)
        return True

    def believe(self, text: str, at_most: float = float("inf")) -> Generator[None, None, bool]:
        """Take it that one of the last moves was one of that text, though another is shown: people
        said so, and no man stands where it leaves none. Return, after a search that goes step by
        step, whether there is such a line that leaves `at_most` so much unexplained; one that
        agrees with what was said before goes first, and any other must have all men where they
        stand.
        """
        account = self._account
        for line in account.shown:
            for step in islice(line.latest(), LATELY):
                if step.match.text == text and not account.answers.was_said(step):
                    return False  # it was, and is named late
        now = account.decoder.now
        if account.is_behind:
            yield from self._wait_for(text)
        found = yield from self.ending_with(text, now, account.may_be, at_most=at_most)
        if not found:
            found = yield from self.ending_with(text, now, corrected=True, at_most=at_most)
        if not found or any(line in account.shown for line in found):
            return False
        self._take(found)
        return True

    def believe_likeliest(self, text: str) -> Generator[None, None, bool]:
        """Take it that a move of that text was played where the likeliest lines have it, none of
        which is shown yet; return, after a search that goes step by step, whether they do.
        """
        account = self._account
        now = account.decoder.now
        found = yield from self.ending_with(text, now, account.may_be)
        best = (yield from account.decoder.ends(now, account.levels, account.may_be))[:1]
        limit = best[0].cost + MARGIN if best else 0.0
        found = {line: each for line, each in found.items() if each[0] < limit}
        if not found or any(line in account.shown for line in found):
            return False
        self._take(found)
        return True

    def _wait_for(self, text: str) -> Generator[None, None, None]:
        """Give up, step by step, the lines from which no move of that text goes on: what hands have
        done since can be gone through then.
        """
        decoder, hopeful = self._account.decoder, set()
        for line in dict.fromkeys(each.line for each in decoder.tracks):
            yield
            if _has_lately(text, line):
                hopeful.add(line)
            for start in (line, line.head()):  # which may have been but a part of it
                ply = named_from(start, text)
                last = line.last_ply() if start is not line else ()
                if ply is not None and ply.cells and all(each.cells <= ply.around for each in last):
                    hopeful.add(line)
        decoder.keep(hopeful.__contains__)

    def ending_with(
        self,
        text: str,
        now: float,
        wanted: Callable[[Track], bool] | None = None,
        corrected: bool = False,
        at_most: float = float("inf"),
    ) -> Generator[None, None, dict[Line, tuple[float, Line]]]:
        """Return, after a search that goes step by step, the lines in which one of the last moves
        that are shown, or of those that hands have made since by `now`, was one of that text that
        nobody has named yet, with what each costs and with that move: it is as they leave it on the
        board, and no man stands where they leave none, not even a captured one if something that
        was named before is `corrected`. The one that explains most leaves `at_most` so much.
        """
        account = self._account
        named = partial(self._named_in, text)

        def has_it(track: Track) -> bool:
            return named(track.line) is not None and (wanted is None or wanted(track))

        best = (yield from account.decoder.ends(now, account.levels, wanted))[:1]
        ends = (yield from account.decoder.ends(now, account.levels, has_it)) if best else ()
        found, busy, least = {}, float("inf"), float("inf")
        for end in ends:
            parked = end.parked and not corrected
            if (end.extra and not parked) or end.cost >= best[0].cost + BELIEVED:
                continue
            step = named(end.line)
            assert step is not None
            assert step.footprint is not None
            same = any(end.line.cells_read == shown.cells_read for shown in account.shown)
            if not (end.held or end.lifted.isdisjoint(step.footprint.cells)):
                continue  # the next player may have lifted them
            at_work = end.lifted and not (end.held or same)
            if at_work and not (yield from self._may_be_begun(end)):
                busy = min(busy, end.cost)  # a hand is doing something else
            else:
                # A man that is away may as well have moved before what nobody saw.
                waits = NEAR - MARGIN if end.lifted and not step.footprint.is_seen else 0.0
                found[end.line] = end.cost + waits, step
                least = min(least, account.unexplained_by(end))
        if least > at_most:
            return {}
        if found and busy + NEAR < min(cost for cost, _ in found.values()):
            return {}  # the name waits until that is done
        return found

    def _may_be_begun(self, end: End) -> Generator[None, None, bool]:
        """Return, after a search that goes step by step, whether all men that are lifted may have
        been lifted for the next move: the one that is captured goes first.
        """
        away, changed = frozenset(end.lifted), self._account.changed
        if end.extra or min(map(changed, away)) <= end.track.at:
            return False
        yield from end.line.possible.look_around(away)
        return any(away <= ply.cells for ply in end.line.possible.touching(away))

    def _named_in(self, text: str, line: Line) -> Line | None:
        """Return the last of the latest lines of one in which a move of that text was played that
        nobody has named yet.
        """
        account = self._account
        latest = min(shown.match.plies for shown in account.shown) - NAMED
        for step in takewhile(lambda step: step.match.plies > latest, line.latest()):
            if (
                step.footprint is not None
                and step.match.text == text
                and not account.answers.was_said(step)
            ):
                return step
        return None

    def _take(self, found: Mapping[Line, tuple[float, Line]]) -> None:
        """Show the likeliest lines of those in which a move was played that people named."""
        account = self._account
        limit = min(cost for cost, _ in found.values()) + MARGIN
        kept = {line: step for line, (cost, step) in found.items() if cost < limit}
        account.answers.accept(kept.values(), {*kept, *(line.head() for line in kept)})
        account.show(list(kept), account.at)
        account.decoder.accept(account.shown[0])
        if len({moment(step) for step in kept.values()}) == 1:
            self.confirm(kept.values())
            if not any(step.is_seen for line in kept for step in line.last_ply()):
                account.heads = list(account.shown)  # no hand will go on from there
        else:  # it is open when that was
            account.decoder.named(set(kept.values()))
            account.decoder.keep(lambda line: line in found)


def _has_lately(text: str, line: Line) -> bool:
    """Whether one of the last moves of a line has this text."""
    return any(step.match.text == text for step in islice(line.latest(), LATELY))


def _cells(line: Line) -> frozenset[Place]:
    """Return the cells that the last ply of a line changes."""
    return frozenset().union(*(ply.cells for ply in line.last_ply()))


def named_from(line: Line, text: str) -> Footprint | None:
    """Return the footprint of the legal move of that text at the end of a line, if there is one."""
    game, position = line.match.game, line.match.position
    if line.match.outcome is not None or line.match.turn == CHANCE:
        return None
    try:
        move = game.parse_move(position, text)
    except GameError:
        return None
    return None if isinstance(move, Claim | Pass | Throw) else line.possible.of(move)
