"""Questions: what the sensors cannot know, how people may answer, and what an answer rules out.

An entry of the record is open while the lines that are still possible differ in it. People name a
move: on the page, with a button, or on the board (`lit_places.py`). An answer decides its own
entry, and for good.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from itertools import islice

from engine.answers import LATELY
from engine.game import Claim, Pass, Place, Throw
from engine.lines import Line
from engine.match import Match
from engine.names_in_order import AGAIN_BY, NAMED_WITHIN, ONCE
from engine.naming import Naming
from engine.reading import Reader
from firmware_host.lit_places import ASKED_ANEW, LitPlaces
from firmware_host.misread import Misread
from firmware_host.record import NOTHING, Entry, Record, Rows, aligned, entry_of, told_alike

NAMES_KEPT = 4
LATE_ANSWER = 4  # so many moves later an answer may still come to a question that was decided
RETURNED = 8  # so many plies at most make an old position that men may have gone back to


class Questions:
    """The questions about one match. `follow` tells it what the record has become; `answer` and
    `touched` take what people say and do.
    """

    def __init__(self, reader: Reader, record: Record) -> None:
        self.returned = 0
        """An old position has come back: how many plies a takeback would undo."""
        self.disputed = 0
        """How many of the last plies people are asked to tell anew, for the record may be wrong."""
        self._disputed_since = float("-inf")
        self.misread = Misread(reader)
        self.asked = any(entry.open for entry in record)
        """Whether people are asked which of the lines it is; else the next moves may tell."""
        self._asked_since: dict[tuple[int, str], float] = {}  # which entry, and which candidate
        self._asked_lately: set[tuple[int, str]] = set()  # the same, be it that it was decided
        self._asking = 0.0, float("-inf")  # since when people are asked, and when they said more
        self.naming = Naming(reader)
        """What people may say of the lines beside."""
        self._reader = reader
        self._take(record)
        self._lit = LitPlaces(reader)
        self._by_hand = ""  # what a lit man has just chosen
        self._named: dict[str, float] = {}  # what people named lately, and when
        self._widened: tuple[str, float] | None = None  # what they said last that was not asked
        # The last entry that a name may have been said of that was no answer, and when.
        self._left_open = -1, float("-inf")
        self._rows: tuple[list[Line], Rows] = ([], ())  # what is shown, side by side

    def follow(self, record: Record, asked: bool) -> None:
        """Take what all lines agree on now, and whether people are asked where they differ;
        whether moves were taken back, or are to be told anew, is asked no more.
        """
        if record != self._record or asked != self.asked:
            self.returned = self.disputed = 0
            if len(record) < len(self._record) and self._record[: len(record)] == record:
                self.misread.forget(self._reader.decoder.now)
            self.asked = asked
            self._take(record)

    def _take(self, record: Record) -> None:
        self._record = record
        self.open = tuple(entry for entry in record if entry.open and self.asked)
        """The entries that are still asked about."""
        since, now = self._asked_since, self._reader.decoder.now
        if self.open and not since:
            self._asking = now, now
        self._asked_since = {
            key: since.get(key, now)
            for number, entry in enumerate(record)
            if entry in self.open
            for key in ((number, text) for text in entry.texts)
        }
        lately = len(record) - LATE_ANSWER
        asked = (*self._asked_lately, *self._asked_since)
        self._asked_lately = {key for key in asked if lately <= key[0] < len(record)}

    # ---- what is asked

    def _late(self, said: float) -> float:
        """Return how late people may be who name a move at a time: they answered first."""
        began, ended = self._asking
        return ended - began if said < ended + NAMED_WITHIN else 0.0

    @property
    def current(self) -> Entry | None:
        """The entry that is asked about: the first of which something was surely played, for what
        came later depends on it.
        """
        asked = self.open
        sure = [entry for entry in asked if NOTHING not in entry.texts]
        return sure[0] if sure else asked[0] if asked else None

    @property
    def is_about_last(self) -> bool:
        """Whether the last entry is the one that is asked about."""
        return (
            self.current is not None and self._record.index(self.current) == len(self._record) - 1
        )

    def asks(self, text: str) -> bool:
        """Whether a move is one of those that people may choose of."""
        return self.current is not None and text in self.current.candidates

    def is_answer(self, text: str, at: float) -> bool:
        """Whether people who name a move at a time answer what they are asked, and have seen it: it
        is no answer if they have just named one that may have been played there or later, for then
        they go on to what came next.
        """
        if self.current is None:
            return False
        since = self._asked_since.get((self._record.index(self.current), text))
        return since is not None and at >= since + ASKED_ANEW and not self._goes_on()

    def _goes_on(self) -> bool:
        """Whether people who were asked just this have named a move that may have been played there
        or later instead: they go on to what came next.
        """
        if self.current is None:
            return False
        asked, (named, said) = self._record.index(self.current), self._left_open
        since = (at for (number, _), at in self._asked_since.items() if number == asked)
        return asked <= named and all(at <= said for at in since)

    def old_position(self) -> Match | None:
        """Return the last ply if it brought an old position back by men that went back in another
        order than they came; whether they were taken back is asked from now on.
        """
        (line, *others) = self._reader.shown
        steps = [step for step in line.match.line() if not isinstance(step.move, Throw | Claim)]
        for plies in range(4, RETURNED + 1, 2):
            if others or len(steps) < plies:
                break
            old = line.match.back(plies)
            made = [_changed(step) for step in steps[-plies:]]
            if old.position == line.match.position or (
                made[: plies // 2] == made[plies // 2 :]
                and line.sight.readings(old.position) == line.sight.readings(line.match.position)
            ):
                self.returned = plies
                return steps[-1]
        return None

    @property
    def asked_since(self) -> float | None:
        """Since when people are asked what they are asked about now, whatever they may choose."""
        if self.current is None:
            return None
        number = self._record.index(self.current)
        return min(at for (entry, _), at in self._asked_since.items() if entry == number)

    def dispute(self, patient: bool, astray: bool, now: float) -> bool:
        """Ask whether the last plies are to be told anew, if the record may be wrong; return
        whether it is asked. Where people are asked about a move it is only looked whether
        something that they said is not shown, if they have said another since; unless nobody has
        answered for so long that it is `patient`. A board that has been `astray` for as long is a
        sign, too.
        """
        since, misread = self.asked_since, self.misread
        if since is None or patient:
            latest = misread.latest() if astray and patient else 0
            self.disputed = misread.unheeded() or misread.crowded_out() or latest
        elif self._said_another(since):
            self.disputed = misread.unheeded()
        self._disputed_since = now
        return bool(self.disputed)

    def is_dispute_seen(self, now: float) -> bool:
        """Whether people are asked whether the record is wrong, and can have seen that if they were
        asked something else before: what they say sooner answers that.
        """
        seen = self.current is None or now >= self._disputed_since + ASKED_ANEW
        return bool(self.disputed) and seen

    def _said_another(self, since: float) -> bool:
        """Whether people have said another move since they were asked what they are asked now."""
        assert self.current is not None
        said = max(self._named.values(), default=since)
        return said > since or self.misread.is_answered(self._record.index(self.current))

    # ---- how it may be answered

    def by_button(self, button: str) -> str | None:
        """Return the move that `yes` or `no` chooses of what is asked, if it is one of two, the
        second the first with something added (a promotion).
        """
        asked = self.current
        if asked is None or len(asked.candidates) != 2:
            return None
        short, long = sorted(asked.candidates, key=len)
        if not long.startswith(short) or long == short:
            return None
        return long if button == "yes" else short

    def choices(self) -> dict[str, Place]:
        """Return, for each candidate of what is asked, the lit place that chooses it."""
        return {} if self.current is None else self._lit.choices(self.current.candidates)

    def light(self, now: float) -> None:
        """Note which places are lit now."""
        asked = self.current
        self._lit.light(asked and self._record.index(asked), self.choices(), now)

    def pressed(self, now: float) -> Place | None:
        """Return the lit place that was pressed once and waits for the second time."""
        return self._lit.pressed(now)

    def touched(self, now: float, place: Place, reading: int) -> str | None:
        """Note that a place has come to rest; return the move that it chooses, if it answers."""
        if not self.open:
            return None
        self.light(now)
        chosen = self._lit.touched(now, place, reading)
        self._by_hand = chosen or self._by_hand
        return chosen

    def named(self, text: str) -> bool:
        """Whether the last move is read as just this, and nobody has said so yet."""
        return self._standing(text, 1) is not None

    def stands(self, text: str, said: float) -> str:
        """Return what people said last in answer to a question that does not have it, if they name
        another move before they can have seen that they are asked anew: they go on to what came
        next.
        """
        (before, at), self._widened = self._widened or ("", said), None
        return before if text != before and at <= said <= at + ASKED_ANEW else ""

    def decide(self, text: str) -> bool:
        """Take it that this answers what is asked; return whether it is one of the answers."""
        self._widened = None
        return self._decide(text, self._reader.decoder.now, last=True)

    def answer(
        self, text: str, said: float, at_most: float, retried: bool = False
    ) -> Generator[None, None, bool]:
        """Take a move that people named at some time; return, after a search that goes step by
        step, whether the reader knows more by it. It answers what is asked, says what the last move
        was, is a move that no sensor shows, or answers another question, be it one that was
        decided a few moves ago; or another was read in its place, and it may as well have been
        this, with `at_most` so much unexplained. One that is `retried` was not said again.
        """
        answers = self.is_answer(text, said)
        self._note_another(text, said)
        by_hand, self._by_hand = self._by_hand == text, ""
        sure = answers and (by_hand or self._is_surely_answered(text))
        named = self._named.pop(text, None)
        before = None if retried else named
        again = before is not None and said <= before + AGAIN_BY
        self._named[text] = said
        if len(self._named) > NAMES_KEPT:
            del self._named[next(iter(self._named))]
        if self.open:
            self._asking = self._asking[0], said
        return (
            (before is not None and (yield from self._again(text, before, said)))
            or (answers and self._is_named_next(text) and self._confirm(text, LATE_ANSWER, False))
            or (sure and self._decide(text, said, last=True))
            or self._confirm(text, 1, again)
            or (
                self.naming.doubts_what_is_shown
                and (
                    (yield from self.naming.add_unseen(text, said, self._late(said)))
                    or (yield from self.naming.believe_likeliest(text))
                )
            )
            or (
                not answers
                and self._may_be_late(text)
                and self._confirm(text, LATE_ANSWER, again=False)
            )
            or (
                (answers or self._goes_on())
                and (yield from self.naming.add_unseen(text, said, self._late(said)))
            )
            or self._decide(text, said, last=True)
            or (yield from self.naming.add_unseen(text, said, self._late(said)))
            or self._decide(text, said, last=False)
            or (yield from self._widen(text, said))
            or self._confirm(text, LATE_ANSWER, again)
            or (yield from self.naming.believe(text, at_most))
            # Who made the same move again that was taken back names it again.
            or (not self.naming.is_legal(text) and self._confirm(text, LATE_ANSWER, again=True))
        )

    def _note_another(self, text: str, said: float) -> None:
        """Note if people who are asked about an entry say that it is none of those moves, but one
        of which sensors show something: others are named beside.
        """
        asked = self.current
        if asked is None or text in asked.texts or self.naming.may_be_unseen(text):
            return
        number = self._record.index(asked)
        since = max(self._asked_since[number, each] for each in asked.texts)
        if said >= since + ASKED_ANEW:
            self.misread.answer(number, text, said)

    def is_sure_answer(self, text: str, at: float) -> bool:
        """Whether people who name a move at a time answer what they are asked, and mean nothing
        else by it.
        """
        return self.is_answer(text, at) and self._is_surely_answered(text)

    def _is_surely_answered(self, text: str) -> bool:
        """Whether a name that answers what is asked is said of nothing else: where some of the
        lines have that move, of which no sensor shows anything, there and others later, it may be
        the later one, or one that is made only now; so it may where another answer has been given
        already. Who says it again though it is still asked means what is asked.
        """
        asked = self.current
        assert asked is not None
        number = self._record.index(asked)
        rows = aligned(self._reader.shown)
        has = [_unseen(step, text) for step in rows[number]]
        later = any(
            _unseen(step, text) and not here
            for row, entry in zip(rows[number + 1 :], self._record[number + 1 :], strict=True)
            for step, here in zip(row, has, strict=True)
            if entry.open
        )
        since = self._asked_since[number, text]
        others = (each for each in asked.candidates if each != text)
        answered = any(self._named.get(each, float("-inf")) >= since for each in others)
        said = self._named.get(text, float("-inf"))
        return not (any(has) and (later or answered)) or said >= since

    def _may_be_late(self, text: str) -> bool:
        """Whether people were asked lately whether it was this move, or can mean no other one of
        that text that they have made since: nobody sees that.
        """
        was_asked = any(asked == text for _, asked in self._asked_lately)
        return was_asked or not self.naming.may_be_unseen(text)

    def _is_named_next(self, text: str) -> bool:
        """Whether one of the last moves is read as just this, and was not named yet, but the one
        before it was: who names every move comes to it now.
        """
        steps = self._standing(text, LATE_ANSWER) or []
        was_said = self._reader.answers.was_said
        return bool(steps) and all(
            step.before is not None and was_said(step.before) and not was_said(step)
            for step in steps
        )

    def confirm(self, text: str) -> bool:
        """Take it as final if the last move is read as just this."""
        return self._confirm(text, 1, True)

    def confirm_late(self, text: str) -> bool:
        """Take it as final if one of the last moves is read as just this, and nobody has said so:
        they are that late.
        """
        return self._confirm(text, LATELY, again=False)

    def _confirm(self, text: str, latest: int, again: bool) -> bool:
        """Take it as final if one of the `latest` moves is read as just this; one that was named
        before only if it is named `again`. Where people have named a later move before this one,
        it may be the later one that they made first: nothing is final then.
        """
        steps = self._standing(text, latest)
        if steps is None or not (again or any(map(self._is_news, steps))):
            return False
        if not self._is_out_of_turn(steps):
            self.naming.confirm(steps)
        return True

    def _is_out_of_turn(self, steps: Sequence[Line]) -> bool:
        """Whether people have named moves that are shown after each of these steps, in any line."""
        was_said = self._reader.answers.was_said
        return all(
            any(any(map(was_said, line.since(step) or ())) for line in self._reader.shown)
            for step in steps
        )

    def _is_news(self, step: Line) -> bool:
        return not self._reader.answers.was_said(step)

    def _standing(self, text: str, latest: int) -> list[Line] | None:
        """Return that move, line by line, if all lines have it as the same one of the `latest`."""
        if self._rows[0] is not self._reader.shown:
            self._rows = self._reader.shown, aligned(self._reader.shown)
        rows = self._rows[1]
        moves = [row for row, each in zip(rows, self._record, strict=True) if each.kind == "move"]
        for row in reversed(moves[-latest:]):
            steps = [step for step in row if step is not None and step.match.text == text]
            if len(steps) == len(row):
                return steps
        return None

    def _again(self, text: str, before: float, said: float) -> Generator[None, None, bool]:
        """Play the same once more if the last move is known only because it was named `before`: the
        next player does as the one before; unless that was long enough ago, it is only kept in
        mind.
        """
        steps = self._standing(text, 1) or []
        if not steps or any(step.footprint is None or step.footprint.is_seen for step in steps):
            return False
        if said > before + AGAIN_BY and not all(map(self._reader.answers.was_said, steps)):
            return False  # that was another move
        if said > before + ONCE:
            return (yield from self.naming.add_unseen(text, said, self._late(said)))
        return (yield from self.naming.keep_in_mind(text, said))

    def _widen(self, text: str, said: float) -> Generator[None, None, bool]:
        """Ask about a move, too, that was named in answer to a question that does not have it."""
        if (asked := self.current) is None:
            return False
        steps = aligned(self._reader.shown)[self._record.index(asked)]
        known = [step for step in steps if step is not None]
        if not (yield from self.naming.add_answer(known, text)):
            return False
        self._widened = text, said
        return True

    def _decide(self, text: str, said: float, last: bool) -> bool:
        """Keep the lines that have this move where it is asked; return whether there were some.

        Of several questions that it may answer it is the first; of moves that may be one or two,
        the first. With `last`, only the question that is asked now is looked at.
        """
        numbers = [
            number
            for number, entry in enumerate(self._record)
            if entry.open and text in entry.candidates and (not last or entry is self.current)
        ]
        if not numbers:
            return False
        sure = [number for number in numbers if NOTHING not in self._record[number].texts]
        number = (sure or numbers)[0]
        if self.current is not None and number > self._record.index(self.current):
            self._left_open = number, said
        steps = self._meant(number, text, said, last and self.is_answer(text, said))
        # A claim has a text of its own on the record, and may be what is asked about.
        claimed = (step for step in steps if step and entry_of(step.match).texts == (text,))
        text = next((step.match.text for step in claimed), text)
        meant = [step for step in steps if step is not None and step.match.text == text]
        self.naming.decide(steps, text, in_turn=not self._is_out_of_turn(meant))
        if number < len(rows := aligned(self._reader.shown)):
            agreed, *others = set(rows[number])
            if agreed is not None and not others:
                self.misread.agree(agreed, said)
        return True

    def _meant(self, number: int, text: str, said: float, answers: bool) -> Sequence[Line | None]:
        """Return, line by line, which move of that text people mean who name it while it may be
        that entry, be it that they have just answered what it was; None where they mean none.
        """
        groups = told_alike(self._reader.shown)
        steps: Sequence[Line | None] = [row for group in groups for row in group][number]
        (alike,) = [group for group in groups if steps in group]
        # What is asked is about moves that all lines have.
        places = [row for row in alike if text in _texts(row) and not (answers and None in row)]
        if len(places) < 2:
            return steps
        either = self._in_turn(_either(places, text), text)
        if answers:
            here = [
                step if step is mine else None for step, mine in zip(steps, either, strict=True)
            ]
            if any(here):
                return here
        # Nobody said in which of these places: who has it in none is wrong. If all have it
        # somewhere, nothing came before it.
        self._left_open = number, said
        return either if None in either else places[0]

    def _in_turn(self, steps: Sequence[Line | None], text: str) -> Sequence[Line | None]:
        """Return moves, line by line, but only where most that people named comes in its turn."""
        shown, missed = self._reader.shown, list(map(self._reader.missed, self._reader.shown))
        latest = self._reader.names.latest
        if latest != text and any(_has_seen(latest, line) for line in shown):
            # Who names moves that sensors show names them as they are made: this one comes last.
            for number, step in enumerate(steps):
                before = None if step is None else step.before
                in_turn = before is not None and self._reader.missed(before) <= missed[number]
                missed[number] += not in_turn
        least = min(n for n, step in zip(missed, steps, strict=True) if step is not None)
        return [step if n == least else None for n, step in zip(missed, steps, strict=True)]


def _changed(step: Match) -> set[Place]:
    assert step.before is not None
    if isinstance(step.move, Pass):
        return set()
    return set(step.game.changes(step.before.position, step.move))


def _texts(steps: Iterable[Line | None]) -> set[str]:
    """Return the texts of moves side by side."""
    return {step.match.text for step in steps if step is not None}


def _unseen(step: Line | None, text: str) -> bool:
    """Whether a move has this text, and no sensor shows anything of it."""
    if step is None or step.footprint is None:
        return False
    return step.match.text == text and not step.footprint.is_seen


def _has_seen(text: str, line: Line) -> bool:
    """Whether one of the last moves of a line has this text, and some sensor shows it."""
    return any(
        step.match.text == text and step.footprint is not None and step.footprint.is_seen
        for step in islice(line.latest(), LATELY)
    )


def _either(rows: Iterable[Sequence[Line | None]], text: str) -> Sequence[Line | None]:
    """Return, line by line, the move of that text in any of `rows`; None where it is in none."""
    return [
        next((step for step in steps if step is not None and step.match.text == text), None)
        for steps in zip(*rows, strict=True)
    ]
