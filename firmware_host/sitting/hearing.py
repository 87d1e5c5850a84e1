"""Hearing: what people mean who name a move, and what that rules out.

A name may answer what is asked, and decides that for good. It may as well say what the last move
was, name one that no sensor shows, or that another was made than is read; and people may be late,
or have gone on to what came next. What becomes of the lines of play by it is found in
`engine/reading/naming.py`.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from itertools import islice

from engine.game import Seat
from engine.reading.answers import LATELY
from engine.reading.lines import Line
from engine.reading.names_in_order import AGAIN_BY, ONCE
from engine.reading.naming import Naming
from engine.reading.reader import Reader
from firmware_host.sitting.lit_places import ASKED_ANEW
from firmware_host.sitting.questions import LATE_ANSWER, Questions
from firmware_host.sitting.record import NOTHING, Rows, aligned, entry_of, told_alike

NAMES_KEPT = 4


class Hearing:
    """Takes what people say of one match, and of the questions about it."""

    def __init__(self, reader: Reader, questions: Questions) -> None:
        self.naming = Naming(reader)
        """What people may say of the lines beside."""
        self._reader = reader
        self._questions = questions
        self._named: dict[str, float] = {}  # what people named lately, and when
        self._widened: tuple[str, float] | None = None  # what they said last that was not asked
        # The last entry that a name may have been said of that was no answer, and when.
        self._left_open = -1, float("-inf")
        self._rows: tuple[list[Line], Rows] = ([], ())  # what is shown, side by side
        self._left_to_say = ""  # the name that did not tell what was made before it

    # ---- what is it an answer to

    def is_answer(self, text: str, at: float) -> bool:
        """Whether people who name a move at a time answer what they are asked, and have seen it: it
        is no answer if they have just named one that may have been played there or later, for then
        they go on to what came next.
        """
        since = self._questions.asks_since(text)
        return since is not None and at >= since + ASKED_ANEW and not self._goes_on()

    def _goes_on(self) -> bool:
        """Whether people who were asked just this have named a move that may have been played there
        or later instead: they go on to what came next.
        """
        asked, since = self._questions.number, self._questions.all_asked_since
        if asked is None or since is None:
            return False
        named, said = self._left_open
        return asked <= named and since <= said

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
        asked, number = self._questions.current, self._questions.number
        since = self._questions.asks_since(text)
        assert asked is not None
        assert number is not None
        assert since is not None
        rows = aligned(self._reader.shown)
        has = [_unseen(step, text) for step in rows[number]]
        later = any(
            _unseen(step, text) and not here
            for row, entry in zip(
                rows[number + 1 :], self._questions.record[number + 1 :], strict=True
            )
            for step, here in zip(row, has, strict=True)
            if entry.open
        )
        others = (each for each in asked.candidates if each != text)
        answered = any(self._named.get(each, float("-inf")) >= since for each in others)
        said = self._named.get(text, float("-inf"))
        return not (any(has) and (later or answered)) or said >= since

    def may_mean_another(self, text: str) -> bool:
        """Whether people who say of themselves that this was played, while it is one of the answers
        to a question, may mean another move than that is about: one that they have just made, as it
        is not known what hands have done since, or no sensor shows any of it; or such a one that
        all lines have, here or there.
        """
        asked = any(text in entry.candidates for entry in self._questions.open)
        return asked and (
            self._reader.is_behind
            or self.naming.may_be_unseen(text)
            or all(
                any(_unseen(step, text) for step in islice(line.latest(), LATELY))
                for line in self._reader.shown
            )
        )

    def volunteer(self, text: str, said: float) -> Generator[None, None, bool]:
        """Take a move that people named of themselves, and may have made just now: it decides
        nothing that is asked. Who says it once more need not have made it again. Return, after a
        search that goes step by step, whether the reader knows more by it.
        """
        before, since = self._keep(text, said), self._questions.asked_since
        self._questions.heard(said)
        if before is not None and since is not None and before >= since:
            return (yield from self.naming.keep_in_mind(text, said))
        self._reader.hear(text, said)
        return (yield from self.naming.add_unseen(text, said, self._questions.late(said)))

    def named(self, text: str) -> bool:
        """Whether the last move is read as just this."""
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
        by_hand = self._questions.chose_by_hand(text)
        sure = answers and (by_hand or self._is_surely_answered(text))
        named = self._keep(text, said)
        before = None if retried else named
        again = before is not None and said <= before + AGAIN_BY
        self._questions.heard(said)
        return (
            (before is not None and (yield from self._again(text, before, said)))
            or (answers and self._is_named_next(text) and self._confirm(text, LATE_ANSWER, False))
            or (sure and self._decide(text, said, last=True, by_hand=by_hand))
            or self._confirm(text, 1, again)
            or (
                self.naming.doubts_what_is_shown
                and (
                    (yield from self.naming.add_unseen(text, said, self._questions.late(said)))
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
                and (yield from self.naming.add_unseen(text, said, self._questions.late(said)))
            )
            or self._decide(text, said, last=True)
            or (yield from self.naming.add_unseen(text, said, self._questions.late(said)))
            or self._decide(text, said, last=False)
            or (yield from self._widen(text, said))
            or self._confirm(text, LATE_ANSWER, again)
            or (yield from self.naming.believe(text, at_most))
            # Who made the same move again that was taken back names it again.
            or (not self.naming.is_legal(text) and self._confirm(text, LATE_ANSWER, again=True))
        )

    def _keep(self, text: str, said: float) -> float | None:
        """Keep in mind that people named this; return when they did before."""
        before = self._named.pop(text, None)
        self._named[text] = said
        if len(self._named) > NAMES_KEPT:
            del self._named[next(iter(self._named))]
        return before

    def _may_be_late(self, text: str) -> bool:
        """Whether people were asked lately whether it was this move, or can mean no other one of
        that text that they have made since: nobody sees that.
        """
        return self._questions.asked_lately(text) or not self.naming.may_be_unseen(text)

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
        if not (self._is_out_of_turn(steps) or self.naming.lacks_a_name):
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
        moves = [
            row
            for row, each in zip(rows, self._questions.record, strict=True)
            if each.kind == "move"
        ]
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
            return (yield from self.naming.add_unseen(text, said, self._questions.late(said)))
        return (yield from self.naming.keep_in_mind(text, said))

    def _widen(self, text: str, said: float) -> Generator[None, None, bool]:
        """Ask about a move, too, that was named in answer to a question that does not have it."""
        number = self._questions.number
        if number is None:
            return False
        steps = aligned(self._reader.shown)[number]
        known = [step for step in steps if step is not None]
        if not (yield from self.naming.add_answer(known, text)):
            return False
        self._widened = text, said
        return True

    def _decide(self, text: str, said: float, last: bool, by_hand: bool = False) -> bool:
        """Keep the lines that have this move where it is asked; return whether there were some.

        Of several questions that it may answer it is the first; of moves that may be one or two,
        the first. With `last`, only the question that is asked now is looked at. Who has chosen it
        `by_hand` means nothing else.
        """
        record, current = self._questions.record, self._questions.number
        numbers = [
            number
            for number, entry in enumerate(record)
            if entry.open and text in entry.candidates and (not last or number == current)
        ]
        if not numbers:
            return False
        sure = [number for number in numbers if NOTHING not in record[number].texts]
        number = (sure or numbers)[0]
        if current is not None and number > current:
            self._left_open = number, said
        again = text == self._left_to_say
        steps = None if again or by_hand else self._made_last(number, text)
        self._left_to_say = text if steps is not None else ""
        if steps is None:
            steps = self._meant(number, text, said, last and self.is_answer(text, said))
        # A claim has a text of its own on the record, and may be what is asked about.
        claimed = (step for step in steps if step and entry_of(step.match).texts == (text,))
        text = next((step.match.text for step in claimed), text)
        meant = [step for step in steps if step is not None and step.match.text == text]
        self.naming.decide(steps, text, in_turn=not self._is_out_of_turn(meant))
        return True

    def _made_last(self, number: int, text: str) -> Sequence[Line | None] | None:
        """Return that move, line by line, if all lines that have it from an entry on have it as the
        last one, by the same player, some after others that sensors show: who names what was made
        right now has not said whether those were made, too. None if it is not so.
        """
        found: list[Line | None] = []
        lengths: set[int] = set()
        seats: set[Seat] = set()
        for made in zip(*aligned(self._reader.shown)[number:], strict=True):
            steps = [step for step in made if step is not None]
            places = [at for at, step in enumerate(steps, 1) if step.match.text == text]
            if places and (places != [len(steps)] or not all(step.is_seen for step in steps)):
                return None
            found.append(steps[-1] if places else None)
            lengths.update(places)
            seats.update(steps[-1].match.seat for _ in places)
        return found if len(lengths) > 1 and len(seats) == 1 else None

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
    return any(step.match.text == text and step.is_seen for step in islice(line.latest(), LATELY))


def _either(rows: Iterable[Sequence[Line | None]], text: str) -> Sequence[Line | None]:
    """Return, line by line, the move of that text in any of `rows`; None where it is in none."""
    return [
        next((step for step in steps if step is not None and step.match.text == text), None)
        for steps in zip(*rows, strict=True)
    ]
